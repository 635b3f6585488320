/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds packets with user data and SACKs with windows and gap blocks, for the tests of what was measured. */
#ifndef DATA_FEED_H
#define DATA_FEED_H

#include "track_feed.h"

/* Adds a DATA chunk of 4 * payload_words user bytes. */
static inline void add_data(feeder_t *feeder, uint32_t tsn, uint32_t payload_words)
{
    uint8_t *value = chunk(feeder, SCTPA_CHUNK_DATA, 3, 3 + payload_words);
    put32(value, tsn);
    put32(value + 8, tsn * 2654435761u);
}

/* Adds a SACK; gaps: n_gaps pairs of start and end. */
static inline void add_sack(feeder_t *feeder, uint32_t cum_tsn, uint32_t a_rwnd_bytes, const uint16_t *gaps,
                            uint32_t n_gaps)
{
    uint8_t *value = chunk(feeder, SCTPA_CHUNK_SACK, 0, 3 + n_gaps);
    put32(value, cum_tsn);
    put32(value + 4, a_rwnd_bytes);
    put16(value + 8, n_gaps);
    for (uint32_t i = 0; i < 2 * n_gaps; i++)
        put16(value + 12 + 2 * i, gaps[i]);
}

/* A packet of A with one DATA chunk, of Z with one SACK, at a time. Return the packet's index. */
static inline uint32_t feed_bytes(feeder_t *feeder, int64_t time_ns, uint32_t tsn, uint32_t payload_words)
{
    begin(feeder, true, TAG_Z);
    feeder->packet.time_ns = time_ns;
    add_data(feeder, tsn, payload_words);
    return again(feeder);
}

/* gap: start << 16 | end of the one gap block. */
static inline uint32_t feed_gap(feeder_t *feeder, int64_t time_ns, uint32_t cum_tsn, uint32_t a_rwnd_bytes,
                                uint32_t gap)
{
    const uint16_t gaps[2] = { (uint16_t)(gap >> 16), (uint16_t)gap };
    begin(feeder, false, TAG_A);
    feeder->packet.time_ns = time_ns;
    add_sack(feeder, cum_tsn, a_rwnd_bytes, gaps, 1);
    return again(feeder);
}

static inline uint32_t feed_window(feeder_t *feeder, int64_t time_ns, uint32_t cum_tsn, uint32_t a_rwnd_bytes)
{
    begin(feeder, false, TAG_A);
    feeder->packet.time_ns = time_ns;
    add_sack(feeder, cum_tsn, a_rwnd_bytes, NULL, 0);
    return again(feeder);
}

/* What was learned of an end of the first association. */
static inline sctpa_learned_value_t learned(const feeder_t *feeder, uint8_t end, sctpa_parameter_t kind)
{
    sctpa_learned_t all;
    sctpa_learned(feeder->sctpa, 0, end, &all);
    return all.values[kind];
}

/* An association whose A, near the tap, answers after less_ns less than 10 ms, and Z after 20 ms. */
static inline void begin_association(feeder_t *feeder, int64_t less_ns)
{
    const int64_t ten_ms = 10000000;
    feeder_init(feeder);
    feed_init(feeder, true, TAG_A);
    feeder->packet.time_ns += ten_ms;
    feed_init_ack(feeder, false, TAG_A, TAG_Z);
    feeder->packet.time_ns -= less_ns;
    feed_plain(feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    feeder->packet.time_ns += ten_ms;
    feed_plain(feeder, false, TAG_A, SCTPA_CHUNK_COOKIE_ACK, 0);
}

#endif
