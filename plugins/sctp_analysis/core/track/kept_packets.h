/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is kept of packets (records, stamps) after their associations were forgotten: it is given back to the system, by
 * blocks of which no packet belongs to an association any more. Indices stay as they are. */
#ifndef SCTPA_TRACK_KEPT_PACKETS_H
#define SCTPA_TRACK_KEPT_PACKETS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "packet.h"

typedef struct sctpa_tracker sctpa_tracker_t; /* tracker.h */

/* Packets of one block. */
enum { SCTPA_KEPT_BLOCK_BITS = 12, SCTPA_KEPT_BLOCK = 1 << SCTPA_KEPT_BLOCK_BITS };

typedef struct {
    uint32_t gone;        /* packets of associations forgotten since blocks were looked through */
    uint32_t n_returned;  /* blocks given back */
    GByteArray *returned; /* by block, 1: given back; NULL: none was */
} sctpa_kept_packets_t;

/* An association with so many packets was forgotten. Looks for blocks to give back once the packets forgotten since are
 * half of those kept: amortised O(1) a packet. Memory that stays: a byte and at most two pages of the system a block,
 * 16 and 24 pages of 4 KiB of which are given back. Where the system cannot take back pages amid an array, all stay. */
void sctpa_kept_packets_forget(sctpa_tracker_t *tracker, uint32_t packets);
/* Packets that are still kept, to a block. O(1). */
uint32_t sctpa_kept_packets_count(const sctpa_tracker_t *tracker);
static inline void sctpa_kept_packets_clear(sctpa_kept_packets_t *kept)
{
    if (kept->returned)
        g_byte_array_unref(kept->returned);
}

/* Is what was kept of a packet given back? It reads as zero then, but for the first of a block. O(1). */
static inline bool sctpa_record_is_gone(const sctpa_record_t *record)
{
    return record->frame == 0;
}

/* Index of the first packet of a frame or a later one, as far as packets are kept; their number: none. O(log packets).
 */
uint32_t sctpa_record_from(const GArray *records, uint32_t frame);

#endif
