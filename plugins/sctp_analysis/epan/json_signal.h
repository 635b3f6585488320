/* The JSON of the analysis as Wireshark's main window holds it, on a signal: how the tests see that looking changes nothing. */
#ifndef SCTPA_EPAN_JSON_SIGNAL_H
#define SCTPA_EPAN_JSON_SIGNAL_H

/* With the environment variable SCTP_ANALYSIS_JSON_ON_SIGUSR2, from now on SIGUSR2 makes the main window write what -z sctp,json says of
 * the open capture to the file that it names; without it, nothing. Signals are taken where GLib's main loop runs, so not in tshark. */
void sctpa_json_signal_register(void);

#endif
