/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plays an association by the milliseconds since its set-up: A, whose answers pass within 1 ms, sends data to Z, which
 * acknowledges it. Leaves out its windows (data_feed.h). */
#ifndef TIMED_PLAY_H
#define TIMED_PLAY_H

#include "data_feed.h"

static const int64_t ms = 1000000;

typedef struct {
    feeder_t feeder;
    int64_t start_ns;
} play_t;

static inline void play_begin(play_t *play)
{
    begin_association(&play->feeder, 9 * ms);
    play->start_ns = play->feeder.packet.time_ns + 10 * ms;
}

static inline void play_end(play_t *play)
{
    sctpa_free(play->feeder.sctpa);
}

/* The time after so many milliseconds. */
static inline int64_t play_ns(const play_t *play, double at_ms)
{
    return play->start_ns + (int64_t)(at_ms * (double)ms);
}

/* A packet of A with one DATA chunk of 400 bytes. Returns its index, as those below. */
static inline uint32_t send_to(play_t *play, double at_ms, uint32_t number, uint32_t address)
{
    begin(&play->feeder, true, TAG_Z);
    play->feeder.packet.time_ns = play_ns(play, at_ms);
    play->feeder.packet.destination = ip(address);
    add_data(&play->feeder, TAG_A + number, 100);
    return again(&play->feeder);
}

static inline uint32_t send(play_t *play, double at_ms, uint32_t number)
{
    return send_to(play, at_ms, number, ADDR_Z);
}

/* A SACK of Z: all up to cum_tsn; and from..to beyond it. */
static inline uint32_t acked(play_t *play, double at_ms, uint32_t cum_tsn)
{
    return feed_window(&play->feeder, play_ns(play, at_ms), TAG_A + cum_tsn, 65536);
}

static inline uint32_t acked_beyond(play_t *play, double at_ms, uint32_t cum_tsn, uint32_t from, uint32_t to)
{
    return feed_gap(&play->feeder, play_ns(play, at_ms), TAG_A + cum_tsn, 65536,
                    (from - cum_tsn) << 16 | (to - cum_tsn));
}

#endif
