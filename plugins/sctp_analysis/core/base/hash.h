/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hashes of what packets hold: keyed with a number that is drawn for each analysis, so that nobody who makes a capture
 * can know which of its contents share a place in a table. Equality of hashes decides nothing that a report says but
 * where that is said. */
#ifndef SCTPA_BASE_HASH_H
#define SCTPA_BASE_HASH_H

#include <glib.h>
#include <stdint.h>
#include <string.h>

/* A number that hashes begin with, drawn at random. Nothing that is reported follows from it. */
static inline uint64_t sctpa_hash_seed(void)
{
    return (uint64_t)g_random_int() << 32 | g_random_int();
}

/* Mixes value into hash: the finaliser of SplitMix64, good enough that every bit of the input moves every bit of the
 * result. Begin with a seed, or with 0 where the result must be the same in every run. With one hash, different values
 * give different results: a number of 64 bits may stand for itself in a table once it is mixed. Tables by g_int64_hash
 * need that wherever packets choose the number, since GLib takes its lower half alone for the hash. */
static inline uint64_t sctpa_hash_mix(uint64_t hash, uint64_t value)
{
    hash ^= value + 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    return hash ^ hash >> 31;
}

/* Mixes bytes and their number into hash. O(bytes). */
static inline uint64_t sctpa_hash_bytes(uint64_t hash, const uint8_t *bytes, uint32_t n)
{
    uint64_t word;
    hash = sctpa_hash_mix(hash, n);
    for (; n >= sizeof word; n -= (uint32_t)sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = sctpa_hash_mix(hash, word);
    }
    if (n == 0)
        return hash;
    word = 0;
    memcpy(&word, bytes, n);
    return sctpa_hash_mix(hash, word);
}

#endif
