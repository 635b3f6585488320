/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The menu entries of the dialogs, and the module behind them. */
#ifndef SCTPA_EPAN_MENU_H
#define SCTPA_EPAN_MENU_H

#include "ui/host.h"

/* Registers the entries in the menu bar. protocol: the one they belong to. */
void sctpa_menu_register(int protocol);

/* Once there is a main window: registers the entries of packets' menus, and loads the module for shortcuts and, on
 * Wireshark 4.0, these entries. To be called whenever a capture is opened or dissected anew; quiet when the module
 * cannot be loaded, which is said when an entry is chosen. */
void sctpa_menu_join_main_window(void);

/* Where the plugin's own file lies; NULL: unknown. Valid for ever. */
const char *sctpa_menu_plugin_folder(void);

/* What choosing an entry does. */
void sctpa_menu_choose(sctpa_host_window_t shown, bool is_of_packet);

#endif
