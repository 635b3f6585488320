/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads that attack reports: what they group, what they walk for each of many, what they repeat. */
#include "loads.h"

enum { HALF_ADDR = 0x0B000000, PEER_ADDR = 0x0C000000, WORD_BITS = 20, PAIRS = 256 };

/* A text of WORD_BITS pairs of letters, which say number in two digits. */
static void add_words(load_t *load, uint64_t number, const char *const digits[2])
{
    for (uint32_t k = 0; k < WORD_BITS; k++)
        for (uint32_t letter = 0; letter < 2; letter++)
            add8(load, (uint8_t)digits[number >> k & 1][letter]);
}

/* Attempts that are refused for another reason each, in words for which h * 33 + c is the same ("ab", "bA"); harmless:
 * it differs. */
void load_refusals(load_t *load, uint64_t n, bool is_hostile)
{
    const char *const digits[] = { "ab", is_hostile ? "bA" : "ba" };
    for (uint64_t i = 0; i < n; i++) {
        uint32_t ports = (PORT_A + (uint32_t)(i % 50000)) << 16 | PORT_B, tag = 0x10000001 + (uint32_t)i;
        init_begin(load, false, tag, 1, false);
        chunk_end(load);
        send_packet(load, ADDR_A, ADDR_B, ports, 0);
        chunk_begin(load, 6, 0);
        add16(load, 12);
        add16(load, 4 + 2 * WORD_BITS);
        add_words(load, i, digits);
        chunk_end(load);
        send_packet(load, ADDR_B, ADDR_A, ports << 16 | ports >> 16, tag);
        load->associations++;
    }
}

/* DATA, the same long afterwards, a SACK that closes the window and one that opens it; harmless: it stays open. */
void load_stalls(load_t *load, uint64_t n, bool is_hostile)
{
    set_up(load, false);
    for (uint32_t tsn = 1; tsn <= n; tsn++) {
        add_data(load, tsn, 0, 0);
        send_a(load);
        load->time_us += 4000000;
        add_data(load, tsn, 0, 0);
        send_a(load);
        sack_begin(load, tsn, is_hostile ? 0 : WINDOW_BYTES, 0, 0);
        chunk_end(load);
        send_b(load);
        add_sack(load, tsn);
        send_b(load);
    }
}

/* An end that sends 256 packets, each from another address to another one; harmless: by turns from four to four. */
void load_pairs(load_t *load, uint64_t n, bool is_hostile)
{
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < PAIRS; k++) {
            uint32_t pair = is_hostile ? k : k % 4;
            add_data(load, 1 + k, 0, 0);
            send_packet(load, HALF_ADDR + pair, PEER_ADDR + pair, (PORT_A + (uint32_t)(i % 50000)) << 16 | PORT_B,
                        70000 + (uint32_t)i);
        }
        load->associations++;
    }
}
