/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the size of packets decides which arrive on a path, as where its path MTU is smaller than its sender takes it
 * for. Leaves out ICMP, and why other packets are lost. */
#ifndef SCTPA_MEASURE_LOST_SIZES_H
#define SCTPA_MEASURE_LOST_SIZES_H

#include "measure/series/series.h"

/* Of one path: packets with new or retransmitted data. Sizes are those of IP packets. */
typedef struct {
    uint32_t lost_least_bytes;   /* the smallest that was lost */
    uint32_t arrived_most_bytes; /* the largest that arrived */
    uint32_t lost, arrived;      /* packets lost; that arrived of those sent between the first and the last of them */
    uint32_t first_packet, last_packet; /* of those lost */
} sctpa_lost_sizes_t;

/* Did every packet of lost_least_bytes or more that was sent to the path get lost, and every smaller one arrive, and
 * would losses that do not depend on the size be in this order once in SCTPA_SIZES_BY_CHANCE times at most? What no
 * SACK decides is left out. *sizes as above where it is true. O(TSNs + retransmissions); memory: 8 bytes for each
 * packet lost while it runs. */
bool sctpa_lost_by_size(const sctpa_series_source_t *source, uint16_t path, sctpa_lost_sizes_t *sizes);

enum {
    SCTPA_SIZES_BY_CHANCE = 100,
    SCTPA_SIZES_PATHS = 8 /* that are asked about: each takes a walk of all that was sent */
};

#endif
