/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads against the model: findings and their texts, lists of streams, what a FORWARD-TSN skips; and against what is
 * kept of a TSN's and a path's past. */
#include "loads.h"

enum { MANY_PATHS = 200, SKIPPED = 256, LISTED = 16000 };

/* 8,000 chunks a packet, each of which breaks rules: flags that are not 0, lengths that are too short. Harmless:
 * HEARTBEATs. */
void load_findings(load_t *load, uint64_t n, bool is_hostile)
{
    static const uint8_t types[] = { 0x09, 0x82, 0x40, 0xC0, 0x84, 0xC1, 0x80, 0xC2 };
    load->has_checksum = true;
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < 8000; k++) {
            chunk_begin(load, is_hostile ? types[k % sizeof types] : 4, is_hostile ? 0xFF : 0);
            if (!is_hostile)
                add32(load, 0x00010004);
            chunk_end(load);
        }
        send_a(load);
    }
}

/* Requests that reset 700 streams, in descending order and apart, before DATA on another. Harmless: one stream. */
void load_reset_lists(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t tsn = 1, streams = is_hostile ? 700 : 1;
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        chunk_begin(load, 130, 0);
        add16(load, 13);
        add16(load, 16 + 2 * streams);
        add32(load, 1 + (uint32_t)i);
        add32(load, 0);
        add32(load, tsn - 1);
        for (uint32_t k = 0; k < streams; k++)
            add16(load, 60000 - (2 + i % 3) * k);
        chunk_end(load);
        send_a(load);
        for (uint32_t k = 0; k < 64; k++)
            add_data(load, tsn++, 1, 0);
        send_a(load);
    }
}

/* DATA on streams 1 to SKIPPED that a SACK long afterwards reports missing; returns the TSN of the last. */
static uint32_t lose_data(load_t *load)
{
    uint32_t tsn = 1;
    set_up(load, false);
    add_data(load, tsn++, 0, 0);
    send_a(load);
    add_sack(load, 1);
    send_b(load);
    for (uint32_t k = 0; k < SKIPPED; k++)
        add_data(load, tsn++, 1 + k, 7);
    send_a(load);
    load->time_us += 500000;
    add_data(load, tsn, 0, 0);
    send_a(load);
    sack_begin(load, 1, WINDOW_BYTES, 1, 0);
    add16(load, tsn - 1);
    add16(load, tsn - 1);
    chunk_end(load);
    send_b(load);
    return tsn - 1;
}

/* FORWARD-TSN that list 16,000 streams, those of what they skip last (harmless: only those). */
void load_forward_lists(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t last = lose_data(load), others = is_hostile ? LISTED - SKIPPED : 0;
    for (uint64_t i = 0; i < n; i++) {
        chunk_begin(load, 192, 0);
        add32(load, last);
        for (uint32_t k = 0; k < others + SKIPPED; k++) {
            add16(load, k < others ? 1000 + k : 1 + k - others);
            add16(load, 7);
        }
        chunk_end(load);
        send_a(load);
    }
}

/* 5,000 FORWARD-TSN a packet (harmless: 50), each over all that is missing. */
void load_forwards(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t last = lose_data(load);
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < (is_hostile ? 5000 : 50); k++) {
            chunk_begin(load, 192, 0);
            add32(load, last);
            add32(load, 0x00010007);
            chunk_end(load);
        }
        send_a(load);
    }
}

static void send_to(load_t *load, uint32_t path, uint32_t *tsn, bool is_acked)
{
    uint32_t address = 0x0A000100 + path;
    add_data(load, *tsn, 0, 0);
    send_packet(load, ADDR_A, address, PORT_A << 16 | PORT_B, TAG_B);
    if (is_acked) {
        add_sack(load, *tsn);
        send_packet(load, address, ADDR_A, PORT_B << 16 | PORT_A, TAG_A);
    }
    ++*tsn;
}

/* A round trip on each of many paths, n on one of them, then n DATA on the others by turns (harmless: on the same). */
void load_rto_paths(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t tsn = 1;
    set_up(load, false);
    for (uint32_t path = 0; path < MANY_PATHS; path++)
        send_to(load, path, &tsn, true);
    for (uint64_t i = 0; i < n; i++)
        send_to(load, 0, &tsn, true);
    for (uint64_t i = 0; i < n; i++)
        send_to(load, is_hostile ? 1 + (uint32_t)(i % (MANY_PATHS - 1)) : 0, &tsn, false);
}

/* The same 100 TSNs in every packet, in another order each time; harmless: new ones. */
void load_again_many(load_t *load, uint64_t n, bool is_hostile)
{
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < 100; k++)
            add_data(load, 1 + (is_hostile ? (k * 37 + (uint32_t)i) % 100 : (uint32_t)i * 100 + k), 0, 0);
        send_a(load);
    }
}
