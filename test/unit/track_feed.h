/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds packets for the tests of the tracker: few words for what an association says. */
#ifndef TRACK_FEED_H
#define TRACK_FEED_H

#include <glib.h>
#include <string.h>

#include "../../plugins/sctp_analysis/core/sctpa.h"
#include "../../plugins/sctp_analysis/core/track/counts.h"
#include "../put_bytes.h"

enum { PORT_A = 5000, PORT_Z = 5001, TAG_A = 0x0a0a0a0a, TAG_Z = 0x7a7a7a7a };

/* An analysis and the packet being built; fields may be changed before feed. */
typedef struct {
    sctpa_t *sctpa;
    sctpa_packet_t packet;
    uint8_t bytes[2048];
    uint32_t length;
} feeder_t;

static inline sctpa_addr_t ip(uint32_t addr)
{
    sctpa_addr_t result = { .bytes = 4 };
    put32(result.data, addr);
    return result;
}

enum { ADDR_A = 0x0a000001, ADDR_Z = 0x0a000101 };

static inline void feeder_init(feeder_t *feeder)
{
    memset(feeder, 0, sizeof *feeder);
    feeder->sctpa = sctpa_new(NULL, 0);
    feeder->packet.ttl = 64;
}

/* Begins a packet between A (from_a) and Z at its own addresses and ports. */
static inline void begin(feeder_t *feeder, bool from_a, uint32_t tag)
{
    memset(feeder->bytes, 0, sizeof feeder->bytes);
    put16(feeder->bytes, from_a ? PORT_A : PORT_Z);
    put16(feeder->bytes + 2, from_a ? PORT_Z : PORT_A);
    put32(feeder->bytes + 4, tag);
    feeder->length = SCTPA_HEADER_BYTES;
    feeder->packet.frame++;
    feeder->packet.time_ns += 10000000;
    feeder->packet.ip_id++;
    feeder->packet.source = ip(from_a ? ADDR_A : ADDR_Z);
    feeder->packet.destination = ip(from_a ? ADDR_Z : ADDR_A);
}

/* Adds a chunk of value_words 32-bit words; returns its value for filling in. */
static inline uint8_t *chunk(feeder_t *feeder, uint8_t type, uint8_t flags, uint32_t value_words)
{
    uint8_t *at = feeder->bytes + feeder->length;
    at[0] = type;
    at[1] = flags;
    put16(at + 2, 4 + 4 * value_words);
    feeder->length += 4 + 4 * value_words;
    return at + 4;
}

static inline uint32_t again(feeder_t *feeder)
{
    feeder->packet.bytes = feeder->bytes;
    feeder->packet.captured_bytes = feeder->packet.wire_bytes = feeder->length;
    feeder->packet.ip_bytes = feeder->length + 20;
    return sctpa_feed(feeder->sctpa, &feeder->packet);
}

static inline sctpa_packet_result_t feed(feeder_t *feeder)
{
    sctpa_packet_result_t result;
    g_assert_true(sctpa_packet_result(feeder->sctpa, again(feeder), &result));
    return result;
}

static inline sctpa_packet_result_t feed_init(feeder_t *feeder, bool from_a, uint32_t tag)
{
    begin(feeder, from_a, 0);
    uint8_t *value = chunk(feeder, SCTPA_CHUNK_INIT, 0, 4);
    put32(value, tag);
    put32(value + 4, 65536);
    put32(value + 8, 0x000a000a);
    put32(value + 12, tag);
    return feed(feeder);
}

static inline sctpa_packet_result_t feed_init_ack(feeder_t *feeder, bool from_a, uint32_t vtag, uint32_t tag)
{
    begin(feeder, from_a, vtag);
    uint8_t *value = chunk(feeder, SCTPA_CHUNK_INIT_ACK, 0, 6);
    put32(value, tag);
    put32(value + 4, 65536);
    put32(value + 8, 0x000a000a);
    put32(value + 12, tag);
    put32(value + 16, 0x00070008);
    return feed(feeder);
}

static inline sctpa_packet_result_t feed_plain(feeder_t *feeder, bool from_a, uint32_t vtag, uint8_t type,
                                               uint8_t flags)
{
    begin(feeder, from_a, vtag);
    chunk(feeder, type, flags, 0);
    return feed(feeder);
}

static inline sctpa_packet_result_t feed_data(feeder_t *feeder, bool from_a, uint32_t vtag, uint32_t tsn)
{
    begin(feeder, from_a, vtag);
    uint8_t *value = chunk(feeder, SCTPA_CHUNK_DATA, 3, 4);
    put32(value, tsn);
    put32(value + 12, tsn * 2654435761u);
    return feed(feeder);
}

static inline sctpa_packet_result_t feed_sack(feeder_t *feeder, bool from_a, uint32_t vtag, uint32_t cum_tsn)
{
    begin(feeder, from_a, vtag);
    uint8_t *value = chunk(feeder, SCTPA_CHUNK_SACK, 0, 3);
    put32(value, cum_tsn);
    put32(value + 4, 65536);
    return feed(feeder);
}

/* The four packets of a set-up by A. */
static inline void feed_setup(feeder_t *feeder, uint32_t tag_a, uint32_t tag_z)
{
    feed_init(feeder, true, tag_a);
    feed_init_ack(feeder, false, tag_a, tag_z);
    feed_plain(feeder, true, tag_z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    feed_plain(feeder, false, tag_a, SCTPA_CHUNK_COOKIE_ACK, 0);
}

static inline sctpa_outcome_t outcome(const feeder_t *feeder, uint32_t number)
{
    return sctpa_outcome(feeder->sctpa, sctpa_assoc(feeder->sctpa, number), feeder->packet.time_ns);
}

static inline uint32_t packets_of(const feeder_t *feeder, uint32_t number, unsigned end)
{
    sctpa_counts_copy_t sent;
    sctpa_end_counts(feeder->sctpa, sctpa_assoc(feeder->sctpa, number), end, &sent);
    return sent.counts.packets;
}

static inline uint32_t chunks_of(const feeder_t *feeder, uint32_t number, unsigned end, unsigned row)
{
    sctpa_counts_copy_t sent;
    sctpa_end_counts(feeder->sctpa, sctpa_assoc(feeder->sctpa, number), end, &sent);
    return sctpa_counts_chunks(&sent.counts, row);
}

#endif
