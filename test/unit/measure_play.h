/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plays an association for the tests of measures: A sends data to Z, which acknowledges it; all packets are 10 ms
 * apart. */
#ifndef MEASURE_PLAY_H
#define MEASURE_PLAY_H

#include "track_feed.h"

enum { FIRST = TAG_A, MS = 1000000 }; /* the initial TSN of feed_setup; nanoseconds */

typedef struct {
    feeder_t feeder;
    sctpa_packets_t selected;
} play_t;

static inline void play_begin(play_t *play)
{
    memset(play, 0, sizeof *play);
    feeder_init(&play->feeder);
    feed_setup(&play->feeder, TAG_A, TAG_Z);
}

static inline void play_end(play_t *play)
{
    sctpa_packets_clear(&play->selected);
    sctpa_free(play->feeder.sctpa);
}

static inline uint8_t *add_data(play_t *play, uint32_t number, uint8_t flags, uint16_t stream, uint16_t ssn)
{
    uint8_t *value = chunk(&play->feeder, SCTPA_CHUNK_DATA, flags, 3 + 25);
    put32(value, FIRST + number);
    put16(value + 4, stream);
    put16(value + 6, ssn);
    put32(value + 8, 50 + stream);
    return value;
}

/* A packet of A with one DATA of 100 bytes. Returns its index. */
static inline uint32_t send_part(play_t *play, uint32_t number, uint8_t flags, uint16_t stream, uint16_t ssn)
{
    begin(&play->feeder, true, TAG_Z);
    add_data(play, number, flags, stream, ssn);
    return again(&play->feeder);
}

static inline uint32_t send_whole(play_t *play, uint32_t number)
{
    return send_part(play, number, 3, 0, (uint16_t)number);
}

/* A SACK of Z: cum_tsn before number to, gap blocks as pairs of offsets to to - 1. */
static inline uint32_t sack(play_t *play, uint32_t to, uint32_t a_rwnd, const uint16_t *gaps, unsigned n_gaps,
                            uint32_t duplicate)
{
    begin(&play->feeder, false, TAG_A);
    uint8_t *value = chunk(&play->feeder, SCTPA_CHUNK_SACK, 0, 3 + n_gaps + (duplicate != 0));
    put32(value, FIRST + to - 1);
    put32(value + 4, a_rwnd);
    put16(value + 8, n_gaps);
    put16(value + 10, duplicate != 0);
    for (unsigned i = 0; i < 2 * n_gaps; i++)
        put16(value + 12 + 2 * i, gaps[i]);
    if (duplicate)
        put32(value + 12 + 4 * n_gaps, FIRST + duplicate);
    return again(&play->feeder);
}

#endif
