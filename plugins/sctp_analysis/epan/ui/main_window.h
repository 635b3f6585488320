/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wireshark's main window and the analysis, as the dialogs see them (ui/host.h). */
#ifndef SCTPA_EPAN_MAIN_WINDOW_H
#define SCTPA_EPAN_MAIN_WINDOW_H

#include "ui/host.h"

/* Is there one? Not in tshark. Also while a capture is being opened, when the window does not tell its file yet. */
bool sctpa_main_window_is_there(void);

/* Collects messages of the application while packets are dissected, as long as the preference says so: in the main
 * window they must be there before anybody asks. To be called when preferences change and when a capture is opened, for
 * preferences are read before there is a window. */
void sctpa_main_window_collect(void);

/* Valid until Wireshark ends. */
const sctpa_host_t *sctpa_host(void);

#endif
