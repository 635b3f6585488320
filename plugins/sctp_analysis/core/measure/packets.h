/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of packets by packet index: one bit each. What a filter selected. */
#ifndef SCTPA_MEASURE_PACKETS_H
#define SCTPA_MEASURE_PACKETS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* All zero: empty. */
typedef struct {
    GArray *words; /* uint64_t; NULL none */
} sctpa_packets_t;

/* Adds packet index. O(1), amortised; memory: one bit per index up to the highest, at most twice that. */
void sctpa_packets_add(sctpa_packets_t *packets, uint32_t index);
/* Makes it empty and frees what it took. */
void sctpa_packets_clear(sctpa_packets_t *packets);

/* Is packet index in the set? packets NULL: every packet is. */
static inline bool sctpa_packets_has(const sctpa_packets_t *packets, uint32_t index)
{
    if (!packets)
        return true;
    const GArray *words = packets->words;
    return words && index / 64 < words->len && g_array_index(words, uint64_t, index / 64) >> (index % 64) & 1;
}

#endif
