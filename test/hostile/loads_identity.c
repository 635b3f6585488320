/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads that attack how a packet finds its association: tables, candidates, joins, and the events of what was joined.
 */
#include <arpa/inet.h>

#include "../../plugins/sctp_analysis/core/base/hash.h"
#include "loads.h"

enum { HALF_ADDR = 0x0B000000, PEER_ADDR = 0x0C000000 };
static const uint32_t PORTS_AB = PORT_A << 16 | PORT_B, PORTS_BA = PORT_B << 16 | PORT_A;

/* As the tables of flows would hash without a seed: what an attacker can compute. */
static uint64_t unseeded_addr_hash(uint32_t addr)
{
    return sctpa_hash_mix(0, htonl(addr));
}

static uint32_t unseeded_way_hash(uint32_t tag)
{
    return (uint32_t)sctpa_hash_mix(unseeded_addr_hash(ADDR_A) + 3 * unseeded_addr_hash(ADDR_B),
                                    (uint64_t)tag << 32 | PORTS_AB);
}

/* SHUTDOWN COMPLETE, each with a tag of its own. */
void load_slots(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t tag = 70000;
    for (uint64_t i = 0; i < n; i++) {
        tag++;
        while (is_hostile && unseeded_way_hash(tag) >> 24)
            tag++;
        add_chunk(load, 14, 0);
        send_packet(load, ADDR_A, ADDR_B, PORTS_AB, tag);
        load->associations++;
    }
}

/* Addresses, ports and tags by turns, each differing in its upper bits only; harmless: all in the lower bits of the
 * tag. */
void load_ways(load_t *load, uint64_t n, bool is_hostile)
{
    for (uint64_t i = 0; i < n; i++) {
        uint32_t number = (uint32_t)(i / 4), upper = number << 20 | number >> 12;
        unsigned turn = is_hostile ? i % 4 : 3;
        uint32_t source = turn == 0 ? ADDR_A + upper : ADDR_A, destination = turn == 1 ? ADDR_B + upper : ADDR_B;
        uint32_t ports = turn == 2 ? PORTS_AB ^ upper : PORTS_AB,
                 tag = is_hostile ? TAG_B ^ (turn == 3 ? upper : number) : 70000 + (uint32_t)i;
        add_chunk(load, 14, 0);
        send_packet(load, source, destination, ports, tag);
        load->associations++;
    }
}

/* Each from another address. */
void load_inits(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t state = 12345;
    (void)is_hostile;
    for (uint64_t i = 0; i < n; i++) {
        state = state * 1664525 + 1013904223;
        init_begin(load, false, 0x10000 + (state | 1), state, false);
        chunk_end(load);
        send_packet(load, HALF_ADDR + (uint32_t)i, ADDR_B, (PORT_A + (uint32_t)(i % 60000)) << 16 | PORT_B, 0);
        load->associations++;
    }
}

void load_inits_json(load_t *load, uint64_t n, bool is_hostile)
{
    load_inits(load, n, is_hostile);
}

/* Between nine pairs of addresses: DATA with a TSN that all share, a SACK of none of them, and 1,300 bytes more to be
 * compared. */
void load_halves(load_t *load, uint64_t n, bool is_hostile)
{
    (void)is_hostile;
    load->associations = 9;
    for (uint64_t i = 0; i < n; i++) {
        add_data(load, 5000, 0, 0);
        sack_begin(load, 0x70000000, 1000, 0, 0);
        chunk_end(load);
        add_chunk(load, 5, 1300);
        send_packet(load, HALF_ADDR + (uint32_t)(i % 9), PEER_ADDR + (uint32_t)(i % 9), PORTS_AB,
                    70000 + (uint32_t)(i % 9));
    }
}

/* Two halves between addresses that have nothing in common, with so many events each, and the SACK that shows that they
 * are one. */
static void join_halves(load_t *load, uint32_t number, uint32_t tsn, uint32_t events)
{
    uint32_t source = HALF_ADDR + 4 * number, tag = 70000 + 2 * number;
    add_data(load, tsn, 0, 0);
    add_errors(load, events);
    send_packet(load, source, source + 1, PORTS_AB, tag);
    add_errors(load, events);
    add_chunk(load, 5, 4);
    send_packet(load, source + 2, source + 3, PORTS_BA, tag + 1);
    add_sack(load, tsn);
    send_packet(load, source + 2, source + 3, PORTS_BA, tag + 1);
    load->associations += 2;
}

/* Hostile: each pair has the TSN of all; harmless: one of its own. */
void load_joins(load_t *load, uint64_t n, bool is_hostile)
{
    for (uint64_t i = 0; i < n; i++)
        join_halves(load, (uint32_t)i, is_hostile ? 5000 : 5000 + 1000 * (uint32_t)i, 1);
}

/* Harmless: one event for each half. */
void load_joined_events(load_t *load, uint64_t n, bool is_hostile)
{
    for (uint64_t i = 0; i < n; i++)
        join_halves(load, (uint32_t)i, 5000 + 1000 * (uint32_t)i, is_hostile ? 1000 : 1);
}

/* --- tags that are used anew --- */

enum { OWNERS = 8, OWNER_PAIRS = 256, OLD_TAG = 0x30000001 };

static void add_init(load_t *load, uint32_t tag, uint32_t owner)
{
    init_begin(load, false, tag, 1 + owner * 100000, false);
    chunk_end(load);
}

/* Associations between the same ports that announce the same tag one after the other; packets from OWNER_PAIRS
 * addresses (harmless: one) then carry it to each. */
static void send_owners(load_t *load, bool is_hostile)
{
    for (uint32_t owner = 0; owner < OWNERS; owner++) {
        add_init(load, OLD_TAG, owner);
        send_packet(load, ADDR_A, ADDR_B, PORTS_AB, 0);
        load->associations++;
        for (uint32_t k = 0; k < OWNER_PAIRS; k++) {
            add_chunk(load, 5, 4);
            send_packet(load, PEER_ADDR + owner * OWNER_PAIRS + (is_hostile ? k : 0), ADDR_A, PORTS_BA, OLD_TAG);
        }
    }
}

/* Of the last association. */
void load_takeovers(load_t *load, uint64_t n, bool is_hostile)
{
    send_owners(load, is_hostile);
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < 1000; k++)
            add_init(load, OLD_TAG, OWNERS - 1);
        send_packet(load, ADDR_A, ADDR_B, PORTS_AB, 0);
    }
}

void load_takeovers1(load_t *load, uint64_t n, bool is_hostile)
{
    send_owners(load, is_hostile);
    for (uint64_t i = 0; i < n; i++) {
        add_init(load, OLD_TAG, (uint32_t)(i % OWNERS));
        send_packet(load, ADDR_A, ADDR_B, PORTS_AB, 0);
    }
}

/* 1,400 events from two halves that are joined, then an event per four bytes; harmless: 710. */
void load_events(load_t *load, uint64_t n, bool is_hostile)
{
    const uint32_t far_b = 0x0A000003, far_a = 0x0A000004;
    load->associations = 2;
    add_data(load, 1000, 0, 0);
    add_errors(load, 700);
    send_a(load);
    add_errors(load, is_hostile ? 700 : 10);
    add_chunk(load, 5, 4);
    send_packet(load, far_b, far_a, PORTS_BA, TAG_A);
    add_sack(load, 1000);
    send_packet(load, far_b, far_a, PORTS_BA, TAG_A);
    for (uint64_t i = 0; i < n; i++) {
        add_errors(load, 360);
        send_a(load);
    }
}
