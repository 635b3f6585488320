/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads that attack what is kept of TSNs, their transmissions and their acknowledgements. */
#include "../../plugins/sctp_analysis/core/base/hash.h"
#include "loads.h"

enum { BLOCKS = 360, DATA_IN_PACKET = 70, OFFSET_MAX = 65535 };

/* --- where TSNs are found --- */

/* DATA whose pages of eight TSNs would collide if the hashes of the first direction's pages had no seed; harmless: 256
 * pages on each time. */
static void send_pages(load_t *load, uint64_t n, bool is_hostile, uint32_t in_packet)
{
    uint64_t page = 0, done = 0;
    set_up(load, false);
    while (done < n) {
        for (uint32_t i = 0; i < in_packet && done < n; i++, done++) {
            page += is_hostile ? 1 : 256;
            while (is_hostile && (uint32_t)sctpa_hash_mix(0, page) >> 24)
                page++;
            add_data(load, 1 + (uint32_t)(page << 3), 0, 0);
        }
        send_a(load);
    }
}

void load_pages(load_t *load, uint64_t n, bool is_hostile)
{
    send_pages(load, n, is_hostile, DATA_IN_PACKET);
}

void load_pages1(load_t *load, uint64_t n, bool is_hostile)
{
    send_pages(load, n, is_hostile, 1);
}

/* Each TSN is a power of two away from one before, below 2^30; harmless: a page on each time. */
void load_strides(load_t *load, uint64_t n, bool is_hostile)
{
    uint64_t done = 0;
    set_up(load, false);
    while (done < n) {
        for (uint32_t i = 0; i < DATA_IN_PACKET && done < n; i++, done++) {
            uint32_t number = (uint32_t)done, stride = 3 + (number >> 6) % 24;
            add_data(load, 1 + (is_hostile ? (number << stride | number >> (32 - stride)) & 0x3FFFFFFF : number << 3),
                     0, 0);
        }
        send_a(load);
    }
}

/* DATA with TSNs that jump: the highest grows by 2^32 with each second one. Returns the last TSN. */
static uint32_t send_jumps(load_t *load, uint64_t jumps, bool is_hostile)
{
    uint32_t tsn = 1;
    for (uint64_t i = 0; i < jumps;) {
        for (uint32_t k = 0; k < 60 && i < jumps; k++, i++) {
            add_data(load, tsn, 0, 0);
            tsn += is_hostile ? 0x7FFFFFFF : 8;
        }
        send_a(load);
    }
    return tsn;
}

/* After n jumps 200 packets of 60 DATA chunks that are too short to be kept: each is looked for. */
void load_wraps(load_t *load, uint64_t n, bool is_hostile)
{
    set_up(load, false);
    uint32_t tsn = send_jumps(load, n, is_hostile);
    add_sack(load, 0);
    send_b(load);
    for (uint32_t i = 0; i < 200; i++) {
        for (uint32_t k = 0; k < 60; k++) {
            chunk_begin(load, 0, 3);
            add32(load, tsn);
            add32(load, 0);
            chunk_end(load);
        }
        send_a(load);
    }
}

void load_jumps(load_t *load, uint64_t n, bool is_hostile)
{
    set_up(load, false);
    send_jumps(load, n, is_hostile);
    add_sack(load, 0);
    send_b(load);
}

/* Each packet of jumps is answered by a SACK whose duplicates name TSNs of earlier wraps. */
void load_wrap_duplicates(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t tsn = 1;
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < 60; k++) {
            add_data(load, tsn, 0, 0);
            tsn += is_hostile ? 0x7FFFFFFF : 8;
        }
        send_a(load);
        sack_begin(load, tsn - (is_hostile ? 0x7FFFFFFF : 8), WINDOW_BYTES, 0, BLOCKS);
        for (uint32_t k = 0; k < BLOCKS; k++)
            add32(load, tsn - k * (is_hostile ? 0x7FFFFFFF : 8));
        chunk_end(load);
        send_b(load);
    }
}

/* --- gap blocks --- */

static void add_block(load_t *load, uint32_t first, uint32_t last)
{
    add16(load, first);
    add16(load, last);
}

/* A SACK that gap-acks every second TSN from offset first on, as many as fit. Returns the offset for the next. */
static uint32_t send_comb(load_t *load, uint32_t cum_tsn, uint32_t first)
{
    uint32_t last = first + 2 * BLOCKS - 2 < OFFSET_MAX ? first + 2 * BLOCKS - 2 : OFFSET_MAX - 1;
    sack_begin(load, cum_tsn, WINDOW_BYTES, (last - first) / 2 + 1, 0);
    for (uint32_t offset = first; offset <= last; offset += 2)
        add_block(load, offset, offset);
    chunk_end(load);
    send_b(load);
    return last + 2;
}

static void send_combs(load_t *load, uint32_t cum_tsn)
{
    for (uint32_t offset = 2; offset < OFFSET_MAX;)
        offset = send_comb(load, cum_tsn, offset);
}

/* 32,767 ranges kept (harmless: none), then SACKs that say nothing new. */
static void send_ranges(load_t *load, uint64_t n, bool is_hostile, uint32_t in_packet)
{
    set_up(load, false);
    add_data(load, 1, 0, 0);
    send_a(load);
    if (is_hostile)
        send_combs(load, 1);
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < in_packet; k++)
            add_sack(load, 1);
        send_b(load);
    }
}

void load_ranges(load_t *load, uint64_t n, bool is_hostile)
{
    send_ranges(load, n, is_hostile, 80);
}

void load_ranges1(load_t *load, uint64_t n, bool is_hostile)
{
    send_ranges(load, n, is_hostile, 1);
}

/* The ranges are kept at every size: below them cum_tsn takes one off, above them a new one begins. Every second packet
 * is from the first block on, so that what is kept changes at its front. */
void load_ranges_front(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t cum_tsn = 1;
    set_up(load, false);
    add_data(load, 1, 0, 0);
    send_a(load);
    if (is_hostile)
        send_combs(load, cum_tsn);
    for (uint64_t i = 0; i < n; i++) {
        cum_tsn += is_hostile ? 2 : 0;
        sack_begin(load, cum_tsn, WINDOW_BYTES, 2, 0);
        add_block(load, 2, 2);
        add_block(load, OFFSET_MAX - 2, OFFSET_MAX - 2);
        chunk_end(load);
        send_b(load);
        sack_begin(load, cum_tsn, WINDOW_BYTES, 1, 0);
        add_block(load, 3, 3);
        chunk_end(load);
        send_b(load);
    }
}

/* SACKs of the same cum_tsn + i, whose blocks lie by turns at even and odd offsets; harmless: always at even TSNs. */
void load_teeth(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t tsn = 1;
    set_up(load, false);
    while (tsn < 2000) {
        for (uint32_t k = 0; k < DATA_IN_PACKET; k++)
            add_data(load, tsn++, 0, 0);
        send_a(load);
    }
    for (uint64_t i = 0; i < n; i++)
        send_comb(load, 1, 2 + (is_hostile ? i % 2 : 0));
}

static void send_outstanding(load_t *load, uint32_t n)
{
    for (uint32_t tsn = 1; tsn < n;) {
        for (uint32_t k = 0; k < DATA_IN_PACKET; k++)
            add_data(load, tsn++, 0, 0);
        send_a(load);
    }
}

/* Of 200,000 TSNs outstanding the SACKs gap-ack 65,534 and take them back, by turns; harmless: no gap blocks. */
static void send_reneges(load_t *load, uint64_t n, bool is_hostile, uint32_t in_packet)
{
    uint32_t cum_tsn = 0;
    set_up(load, false);
    send_outstanding(load, 200000);
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < in_packet; k += 2) {
            add_sack(load, ++cum_tsn);
            sack_begin(load, cum_tsn, WINDOW_BYTES, is_hostile, 0);
            if (is_hostile)
                add_block(load, 2, OFFSET_MAX);
            chunk_end(load);
        }
        send_b(load);
    }
}

void load_renege(load_t *load, uint64_t n, bool is_hostile)
{
    send_reneges(load, n, is_hostile, 80);
}

void load_renege1(load_t *load, uint64_t n, bool is_hostile)
{
    send_reneges(load, n, is_hostile, 2);
}

/* Packets of 4,000 SACKs that ack one TSN more each; harmless: all of them at once. */
void load_acks(load_t *load, uint64_t n, bool is_hostile)
{
    enum { SACKS = 4000 };
    uint32_t tsn = 1;
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t first = tsn;
        while (tsn < first + SACKS) {
            for (uint32_t k = 0; k < 50; k++)
                add_data(load, tsn++, 0, 0);
            send_a(load);
        }
        for (uint32_t k = 0; k < SACKS; k++)
            add_sack(load, is_hostile ? first + k : tsn - 1);
        send_b(load);
    }
}

/* Each SACK has a higher cum_tsn and a block that leaves out other TSNs than the one before; harmless: the block stays.
 */
void load_borders(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t cum_tsn = 0;
    set_up(load, false);
    send_outstanding(load, 200000);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t hole = is_hostile ? 1000 + (uint32_t)(i * 7919 % 30000) : 1000;
        sack_begin(load, is_hostile ? ++cum_tsn : 1, WINDOW_BYTES, 2, 0);
        add_block(load, 2, hole);
        add_block(load, is_hostile ? hole + 30000 : hole + 2, is_hostile ? OFFSET_MAX : hole + 2);
        chunk_end(load);
        send_b(load);
    }
}

/* Of 200,000 TSNs outstanding a SACK gap-acks 65,534 by one block, the next has so many blocks that others may not have
 * fitted; harmless: both gap-ack the same. */
void load_cut_blocks(load_t *load, uint64_t n, bool is_hostile)
{
    enum { ENOUGH = 64 };
    uint32_t cum_tsn = 0;
    set_up(load, false);
    send_outstanding(load, 200000);
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t blocks = k == 0 || !is_hostile ? 1 : ENOUGH;
            sack_begin(load, ++cum_tsn, WINDOW_BYTES, blocks, 0);
            for (uint32_t b = 0; b < blocks; b++)
                add_block(load, 2 + 2 * b, blocks == 1 ? OFFSET_MAX : 2 + 2 * b);
            chunk_end(load);
            send_b(load);
        }
}

/* Each SACK adds a gap block below those that are kept, 80 SACKs a packet, until there are 32,767; then a newer one
 * takes all of them back. Harmless: it is the same block. */
void load_growing(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t cum_tsn = 1, offset = OFFSET_MAX;
    set_up(load, false);
    add_data(load, 1, 0, 0);
    send_a(load);
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < 80; k++) {
            offset = offset > 3 ? offset - 2 : OFFSET_MAX;
            cum_tsn += offset == OFFSET_MAX;
            sack_begin(load, cum_tsn, WINDOW_BYTES, 1, 0);
            add_block(load, is_hostile ? offset : 3, is_hostile ? offset : 3);
            chunk_end(load);
        }
        send_b(load);
    }
}

/* 2,100 TSNs to one address are acked at once after 256 SACKs gap-acked others, that went to another address (harmless:
 * to the same): each looks for miss indications of its own path. */
void load_missed_elsewhere(load_t *load, uint64_t n, bool is_hostile)
{
    enum { PACKETS = 30, ABOVE = 256 };
    const uint32_t other_b = is_hostile ? 0x0A000102 : ADDR_B;
    uint32_t tsn = 1;
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t cum_tsn = tsn - 1;
        for (uint32_t p = 0; p < PACKETS; p++) {
            for (uint32_t k = 0; k < DATA_IN_PACKET; k++)
                add_data(load, tsn++, 0, 0);
            send_a(load);
        }
        uint32_t first = tsn;
        for (; tsn < first + ABOVE; tsn++) {
            add_data(load, tsn, 0, 0);
            send_packet(load, ADDR_A, other_b, PORT_A << 16 | PORT_B, TAG_B);
        }
        load->time_us += 1000000;
        for (uint32_t k = 0; k < ABOVE; k++) {
            sack_begin(load, cum_tsn, WINDOW_BYTES, 1, 0);
            add_block(load, first - cum_tsn, first + k - cum_tsn);
            chunk_end(load);
            send_b(load);
        }
        add_sack(load, tsn - 1);
        send_b(load);
        add_data(load, tsn, 0, 0);
        send_a(load);
        add_sack(load, tsn++);
        send_b(load);
    }
}

void load_blocks(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t blocks = is_hostile ? BLOCKS : 0;
    set_up(load, false);
    add_data(load, 1, 0, 0);
    send_a(load);
    for (uint64_t i = 0; i < n; i++) {
        sack_begin(load, 1, WINDOW_BYTES + (uint32_t)(i % 7), blocks, 0);
        for (uint32_t k = 0; k < blocks; k++)
            add_block(load, 2 + 3 * k, 3 + 3 * k);
        chunk_end(load);
        send_b(load);
    }
}

/* --- history --- */

/* Harmless: a TSN of its own in every packet. */
void load_again(load_t *load, uint64_t n, bool is_hostile)
{
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        add_data(load, is_hostile ? 1 : 1 + (uint32_t)i, 0, 0);
        send_a(load);
    }
}

/* n round trips on one path, then n DATA on a path that has none (harmless: on the same). */
void load_rto(load_t *load, uint64_t n, bool is_hostile)
{
    const uint32_t other_b = 0x0A000102;
    uint32_t tsn = 1;
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        add_data(load, tsn, 0, 0);
        send_packet(load, ADDR_A, other_b, PORT_A << 16 | PORT_B, TAG_B);
        add_sack(load, tsn++);
        send_packet(load, other_b, ADDR_A, PORT_B << 16 | PORT_A, TAG_A);
    }
    for (uint64_t i = 0; i < n; i++) {
        add_data(load, tsn++, 0, 0);
        send_packet(load, ADDR_A, is_hostile ? ADDR_B : other_b, PORT_A << 16 | PORT_B, TAG_B);
    }
}

/* By turns: the lowest TSN again, a new one, an event, a SACK that gap-acks all but the lowest; harmless: nothing is
 * missing. */
void load_history(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t tsn = 2;
    set_up(load, false);
    load->step_us = 300000;
    for (uint64_t i = 0; i < n; i++, tsn++) {
        if (is_hostile)
            add_data(load, 1, 0, 0);
        add_data(load, tsn, 0, 0);
        add_errors(load, is_hostile);
        send_a(load);
        uint32_t blocks = is_hostile ? 1 : 0, first = tsn > 60000 ? tsn - 60000 : 2;
        sack_begin(load, is_hostile ? (first > 2 ? first - 2 : 0) : tsn, WINDOW_BYTES, blocks, 0);
        if (is_hostile)
            add_block(load, 2, tsn - (first > 2 ? first - 2 : 0));
        chunk_end(load);
        send_b(load);
    }
}

void load_streams(load_t *load, uint64_t n, bool is_hostile)
{
    (void)is_hostile;
    set_up(load, false);
    for (uint32_t from_b = 0; from_b < 2; from_b++)
        for (uint64_t i = 0; i < n;) {
            for (uint32_t k = 0; k < DATA_IN_PACKET && i < n; k++, i++)
                add_data(load, 1 + (uint32_t)i, i & 0xFFFF, 0);
            if (from_b)
                send_b(load);
            else
                send_a(load);
        }
}

/* 64 TSNs given up at a time, by FORWARD TSN with a list as long as fits (harmless: one stream). */
void load_forward(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t tsn = 1, acked = 0, entries = is_hostile ? 350 : 1;
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < 64; k++)
            add_data(load, tsn++, 9, k);
        send_a(load);
        load->time_us += 500000;
        add_data(load, tsn++, 9, 0);
        send_a(load);
        sack_begin(load, acked, WINDOW_BYTES, 1, 0);
        add_block(load, 65, 65);
        chunk_end(load);
        send_b(load);
        chunk_begin(load, 0xC0, 0);
        add32(load, tsn - 2);
        for (uint32_t k = 1; k < entries; k++)
            add_block(load, 9 + k, 1);
        add_block(load, 9, 63);
        chunk_end(load);
        send_a(load);
        acked = tsn - 1;
    }
}
