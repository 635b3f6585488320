/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a SACK, NR-SACK or SHUTDOWN passes over though its sender surely had it, where the user asserts that the capture
 * is complete and was taken there. Leaves out what later SACKs show of earlier ones (sack_answers.h). */
#ifndef SCTPA_SHARED_SACK_OMISSIONS_H
#define SCTPA_SHARED_SACK_OMISSIONS_H

#include "receiver.h"

/* A list of fewer gap blocks is whole: every stack that is known lists so many, and they fit in any PMTU. */
#define SCTPA_BLOCKS_LISTED 16

/* Above the Cumulative TSN Ack receivers keep at least so many TSNs: Linux, as the least, 4096. */
#define SCTPA_TSNS_KEPT 4096

/* What the packet's SACK or SHUTDOWN leaves out. */
typedef struct {
    uint32_t tsn, packet; /* packet: the one that brought the TSN, or the SACK before that had acknowledged more */
    bool is_next;         /* it follows the Cumulative TSN Ack */
    bool goes_back;       /* packet is a SACK whose Cumulative TSN Ack was higher */
} sctpa_omission_t;

/* May the packet's SACK, or SHUTDOWN, be compared with what came? O(1). */
bool sctpa_sack_is_comparable(const sctpa_context_t *c);
/* Does it leave out something that its sender had, and had room for? O(gap blocks * chunks of a packet). */
bool sctpa_sack_omits(const sctpa_context_t *c, sctpa_omission_t *omission);

#endif
