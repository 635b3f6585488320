/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entries of the dialogs in the menu of a packet, where Wireshark lets plugins register them. */
#ifndef SCTPA_EPAN_PACKET_MENU_H
#define SCTPA_EPAN_PACKET_MENU_H

#include <stdbool.h>

/* Does this Wireshark (4.2 or later) let plugins add to the menu of a packet? */
bool sctpa_packet_menu_is_offered(void);

/* Registers them, unless they are registered: Wireshark forgets them when Lua plugins are reloaded. */
void sctpa_packet_menu_register(void);

#endif
