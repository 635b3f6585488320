/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the packets of a hostile load: chunks are put one after the other into a packet, which is sent to whoever
 * takes it (a capture file, the core). Leaves out which packets make a load (loads_*.c). */
#ifndef HOSTILE_LOAD_H
#define HOSTILE_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../put_bytes.h"

enum { LOAD_BYTES_MAX = 1 << 17, LOAD_HEADER_BYTES = 12, PORT_A = 1000, PORT_B = 2000 };

/* A packet as its taker sees it; bytes are from the SCTP common header on and valid during the call. Addresses are
 * IPv4. */
typedef struct {
    int64_t time_us; /* since the epoch */
    uint32_t source, destination;
    const uint8_t *bytes;
    uint32_t n_bytes;
} load_packet_t;

typedef void (*load_taker_t)(void *user, const load_packet_t *packet);

/* A load that is being made. What memory an analysis may take is measured by chunks and associations. */
typedef struct {
    load_taker_t take;
    void *user;
    int64_t time_us, step_us;
    uint32_t length; /* of the packet so far, header included */
    uint32_t chunk_at;
    uint16_t streams;  /* that an INIT offers */
    bool has_checksum; /* packets have a right CRC32c, not 0: the model judges more of them */
    uint64_t packets, chunks, associations;
    uint8_t bytes[LOAD_BYTES_MAX];
} load_t;

static const uint32_t ADDR_A = 0x0A000001, ADDR_B = 0x0A000002, TAG_A = 0x11111111, TAG_B = 0x22222222;
static const uint32_t WINDOW_BYTES = 100000;

static inline void load_begin(load_t *load, load_taker_t take, void *user)
{
    memset(load, 0, sizeof *load);
    load->take = take;
    load->user = user;
    load->time_us = 1700000000000000;
    load->step_us = 100;
    load->length = LOAD_HEADER_BYTES;
    load->streams = 65535;
}

/* --- bytes and chunks --- */

static inline void add8(load_t *load, uint32_t value)
{
    load->bytes[load->length++] = (uint8_t)value;
}

static inline void add16(load_t *load, uint32_t value)
{
    put16(load->bytes + load->length, value);
    load->length += 2;
}

static inline void add32(load_t *load, uint32_t value)
{
    put32(load->bytes + load->length, value);
    load->length += 4;
}

static inline void add_zeros(load_t *load, uint32_t n)
{
    memset(load->bytes + load->length, 0, n);
    load->length += n;
}

static inline void chunk_begin(load_t *load, uint32_t type, uint32_t flags)
{
    load->chunk_at = load->length;
    load->chunks++;
    add8(load, type);
    add8(load, flags);
    add16(load, 0);
}

static inline void chunk_end(load_t *load)
{
    put16(load->bytes + load->chunk_at + 2, load->length - load->chunk_at);
    while (load->length % 4)
        add8(load, 0);
}

/* A chunk of a type with so many zeros as value. */
static inline void add_chunk(load_t *load, uint32_t type, uint32_t value_bytes)
{
    chunk_begin(load, type, 0);
    add_zeros(load, value_bytes);
    chunk_end(load);
}

static inline void add_data(load_t *load, uint32_t tsn, uint32_t stream, uint32_t ssn)
{
    chunk_begin(load, 0, 3);
    add32(load, tsn);
    add16(load, stream);
    add16(load, ssn);
    add32(load, 0);
    add8(load, 0);
    chunk_end(load);
}

/* A SACK of which the caller adds the gap blocks and duplicates, and ends it (chunk_end). */
static inline void sack_begin(load_t *load, uint32_t cum_tsn, uint32_t window_bytes, uint32_t gaps, uint32_t duplicates)
{
    chunk_begin(load, 3, 0);
    add32(load, cum_tsn);
    add32(load, window_bytes);
    add16(load, gaps);
    add16(load, duplicates);
}

static inline void add_sack(load_t *load, uint32_t cum_tsn)
{
    sack_begin(load, cum_tsn, WINDOW_BYTES, 0, 0);
    chunk_end(load);
}

/* n ERROR chunks without a cause: an event per four bytes. */
static inline void add_errors(load_t *load, uint32_t n)
{
    while (n-- > 0)
        add_chunk(load, 9, 0);
}

/* --- packets --- */

/* RFC 9260 appendix A, bit by bit: a load is made once and read often. */
static inline uint32_t crc32c(const uint8_t *bytes, uint32_t n)
{
    uint32_t crc = 0xFFFFFFFF;
    for (uint32_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78 : 0);
    }
    return ~crc;
}

static inline void put_checksum(load_t *load)
{
    uint32_t crc = crc32c(load->bytes, load->length);
    for (unsigned i = 0; i < 4; i++)
        load->bytes[8 + i] = (uint8_t)(crc >> 8 * i);
}

static inline void send_packet(load_t *load, uint32_t source, uint32_t destination, uint32_t ports, uint32_t tag)
{
    put32(load->bytes, ports);
    put32(load->bytes + 4, tag);
    put32(load->bytes + 8, 0);
    if (load->has_checksum)
        put_checksum(load);
    load->take(load->user, &(load_packet_t){ load->time_us, source, destination, load->bytes, load->length });
    load->time_us += load->step_us;
    load->length = LOAD_HEADER_BYTES;
    load->packets++;
}

static inline void send_a(load_t *load)
{
    send_packet(load, ADDR_A, ADDR_B, PORT_A << 16 | PORT_B, TAG_B);
}

static inline void send_b(load_t *load)
{
    send_packet(load, ADDR_B, ADDR_A, PORT_B << 16 | PORT_A, TAG_A);
}

/* RANDOM, HMAC-ALGO (SHA-1, SHA-256) and CHUNKS (ASCONF) of RFC 4895. */
static inline void add_auth_params(load_t *load, bool is_ack)
{
    add16(load, 0x8002);
    add16(load, 36);
    for (uint32_t i = 0; i < 32; i++)
        add8(load, i * 7 + is_ack);
    add32(load, 0x80040008);
    add32(load, 0x00010003);
    add32(load, 0x80030005);
    add32(load, 0xC1000000);
}

/* Fixed part of INIT and INIT ACK, Supported Extensions (RE-CONFIG, ASCONF, ASCONF-ACK, AUTH) and
 * Forward-TSN-Supported; the caller may add parameters and ends it (chunk_end). */
static inline void init_begin(load_t *load, bool is_ack, uint32_t tag, uint32_t tsn, bool has_extensions)
{
    chunk_begin(load, is_ack ? 2 : 1, 0);
    add32(load, tag);
    add32(load, 1 << 20);
    add16(load, load->streams);
    add16(load, load->streams);
    add32(load, tsn);
    if (has_extensions) {
        add32(load, 0x80080008);
        add32(load, 0x82C1800F);
        add32(load, 0xC0000004);
    }
    if (is_ack) {
        add32(load, 0x00070014);
        add_zeros(load, 16);
    }
}

static inline void set_up(load_t *load, bool has_auth)
{
    for (uint32_t is_ack = 0; is_ack < 2; is_ack++) {
        init_begin(load, is_ack, is_ack ? TAG_B : TAG_A, 1, true);
        if (has_auth)
            add_auth_params(load, is_ack);
        chunk_end(load);
        if (is_ack)
            send_b(load);
        else
            send_packet(load, ADDR_A, ADDR_B, PORT_A << 16 | PORT_B, 0);
    }
    add_chunk(load, 10, 16);
    send_a(load);
    add_chunk(load, 11, 0);
    send_b(load);
    load->associations++;
}

#endif
