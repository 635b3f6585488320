/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes SCTP over from Wireshark's built-in dissector, which still does all of its own work. */
#ifndef SCTPA_EPAN_HOOK_H
#define SCTPA_EPAN_HOOK_H

#include <epan/packet.h>
#include "../../core/sctpa.h"

void sctpa_tap_register(void);

/* sctp: id of the built-in protocol. */
void sctpa_hook_register(int sctp);
/* Looks up the built-in dissector; after all protocols have registered. */
void sctpa_hook_handoff(void);
/* Puts our handles into every dissector table entry that calls the built-in dissector. O(entries of all tables). */
void sctpa_hook_renew(void);

#endif
