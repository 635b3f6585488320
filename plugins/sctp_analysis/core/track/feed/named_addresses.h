/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses that an endpoint's stack writes into contents of its own: where they differ from those of the packet, they
 * are translated on the way, or the file was rewritten. */
#ifndef SCTPA_TRACK_NAMED_ADDRESSES_H
#define SCTPA_TRACK_NAMED_ADDRESSES_H

#include "data/observation.h"
#include "track/assoc.h"
#include "track/input.h"
#include "track/tracked.h"

/* Marks the destination of a packet with HEARTBEAT or INIT ACK (SCTPA_ADDR_RENAMED), if its sender has an
 * address for it that no packet went to or came from. O(parameters). */
void sctpa_named_address_note(sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                              const sctpa_observed_t *observed);

#endif
