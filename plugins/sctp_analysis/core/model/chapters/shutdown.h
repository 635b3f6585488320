/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules of cookies read of the end of other associations, and those of HEARTBEATs of this one's. */
#ifndef SCTPA_CHAPTERS_SHUTDOWN_H
#define SCTPA_CHAPTERS_SHUTDOWN_H

#include "model/context.h"

/* The first SHUTDOWN ACK of an endpoint of another association, which waits for the answer: it is in SHUTDOWN-ACK-SENT
 * until it gives up. SCTPA_NO_PACKET_INDEX: it sent none, or nothing more is kept of it. O(1). */
uint32_t sctpa_teardown_ack_sent(const sctpa_context_t *c, const sctpa_assoc_t *other, uint8_t endpoint);

/* Did the packet leave its sender after the SHUTDOWN or SHUTDOWN ACK of it that passed before? O(chunks). */
bool sctpa_teardown_was_begun(const sctpa_context_t *c, sctpa_certainty_t *certainty);

#endif
