/* A set of packets by packet index: one bit each. What a filter selected. */
#ifndef SCTPA_MEASURE_PACKETS_H
#define SCTPA_MEASURE_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: empty. */
typedef struct {
    uint64_t *words;
    uint32_t n_words;
} sctpa_packets_t;

/* Adds packet index. O(1), amortised; memory: one bit per index up to the highest, at most twice that. */
void sctpa_packets_add(sctpa_packets_t *packets, uint32_t index);
/* Makes it empty and frees what it took. */
void sctpa_packets_clear(sctpa_packets_t *packets);

/* Is packet index in the set? packets NULL: every packet is. */
static inline bool sctpa_packets_has(const sctpa_packets_t *packets, uint32_t index)
{
    return !packets || (index / 64 < packets->n_words && packets->words[index / 64] >> (index % 64) & 1);
}

#endif
