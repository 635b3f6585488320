/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of data that a sender gave up: FORWARD_TSNs without effect. */
#ifndef SCTPA_DATA_GIVEN_UP_H
#define SCTPA_DATA_GIVEN_UP_H

#include "direction.h"

/* A FORWARD_TSN below which the cum_tsn of the receiver stays: SACKs after it that say so, the last of them, and how
 * long after it that came. */
typedef struct {
    uint32_t packet, last_packet, sacks;
    int64_t ns;
} sctpa_stuck_forward_t;
/* Is the last one so, to the end and for longer than T3-rtx may run, which its sender has to have running (RFC 3758
 * 3.5 C5)? O(SACKs after it). */
bool sctpa_direction_forward_is_stuck(const sctpa_direction_t *direction, sctpa_stuck_forward_t *stuck);

/* The highest cum_tsn of a packet's SACKs, of a SHUTDOWN what it reports; near: a TSN that it lies within 2^31 of.
 * INT64_MIN: it has none. O(log SACKs). */
int64_t sctpa_direction_cum_of(const sctpa_direction_t *direction, uint32_t packet, int64_t near);

#endif
