/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON of the analysis as Wireshark's main window holds it, on a signal: how the tests see that looking changes
 * nothing. */
#ifndef SCTPA_EPAN_JSON_SIGNAL_H
#define SCTPA_EPAN_JSON_SIGNAL_H

/* With the environment variable SCTP_ANALYSIS_JSON_ON_SIGUSR2, from now on SIGUSR2 makes the main window write to the
 * file that it names: a line "analysis NUMBER", where the number grows with each load of a capture, then what -z
 * sctp,json says of the open one. Without the variable, nothing. Signals are taken where GLib's main loop runs, so not
 * in tshark. */
void sctpa_json_signal_register(void);

#endif
