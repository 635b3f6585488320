/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The menu entries of the dialogs, the module behind them, and Wireshark's main window and the analysis as the
 * dialogs see them (ui/host.h). */
#ifndef SCTPA_EPAN_MENU_H
#define SCTPA_EPAN_MENU_H

#include "ui/host.h"

#include <stdbool.h>

/* Registers the entries in the menu bar. protocol: the one they belong to. */
void sctpa_menu_register(int protocol);

/* Once there is a main window: registers the entries of packets' menus, and loads the module for shortcuts and, on
 * Wireshark 4.0, these entries. To be called whenever a capture is opened or dissected anew; quiet when the module
 * cannot be loaded, which is said when an entry is chosen. */
void sctpa_menu_join_main_window(void);

/* Collects messages of the application while packets are dissected, as long as the preference says so: in the main
 * window they must be there before anybody asks. To be called when preferences change and when a capture is opened, for
 * preferences are read before there is a window. */
void sctpa_main_window_collect(void);

#endif
