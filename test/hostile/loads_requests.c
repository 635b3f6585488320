/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads that attack what is asked and answered: AUTH, ASCONF, RE-CONFIG, set-up, HEARTBEAT, with parameters by the
 * thousand. */
#include "loads.h"

enum { PARAM_UNKNOWN = 0xC0DE };

/* --- AUTH --- */

static void send_auths(load_t *load, uint64_t n, uint32_t in_packet)
{
    set_up(load, true);
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < in_packet; k++) {
            chunk_begin(load, 15, 0);
            add16(load, 0);
            add16(load, 1);
            add32(load, (uint32_t)i);
            add_zeros(load, 16);
            chunk_end(load);
        }
        send_a(load);
    }
}

void load_auth(load_t *load, uint64_t n, bool is_hostile)
{
    (void)is_hostile;
    send_auths(load, n, 2300);
}

void load_auth1(load_t *load, uint64_t n, bool is_hostile)
{
    (void)is_hostile;
    send_auths(load, n, 50);
}

void load_auth_keys(load_t *load, uint64_t n, bool is_hostile)
{
    load_auth(load, n, is_hostile);
}

/* --- ASCONF --- */

static void asconf_begin(load_t *load, uint32_t serial)
{
    chunk_begin(load, 0xC1, 0);
    add32(load, serial);
    add32(load, 0x00050008);
    add32(load, ADDR_A);
}

static void add_address_change(load_t *load, uint32_t type, uint32_t correlation, uint32_t addr)
{
    add16(load, type);
    add16(load, 16);
    add32(load, correlation);
    add32(load, 0x00050008);
    add32(load, addr);
}

/* Harmless: 60 parameters. */
void load_asconf(load_t *load, uint64_t n, bool is_hostile)
{
    set_up(load, false);
    add_data(load, 1, 0, 0);
    send_a(load);
    add_sack(load, 1);
    send_b(load);
    for (uint64_t i = 0; i < n; i++) {
        asconf_begin(load, 1 + (uint32_t)i);
        for (uint32_t k = 0; k < (is_hostile ? 4000 : 60); k++)
            add_address_change(load, 0xC004, k, 0x0D000000 + k);
        chunk_end(load);
        send_a(load);
        chunk_begin(load, 0x80, 0);
        add32(load, 1 + (uint32_t)i);
        chunk_end(load);
        send_b(load);
    }
}

/* Packets full of ASCONF without parameters, by turns each of a higher number than the one before and all of the number
 * below the highest; harmless: 80 in a packet. */
void load_asconfs(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t in_packet = is_hostile ? 8187 : 80, serial = 1;
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < in_packet; k++) {
            chunk_begin(load, 0xC1, 0);
            add32(load, i % 2 == 0 ? serial++ : serial - 2);
            chunk_end(load);
        }
        send_a(load);
    }
}

/* Additions, deletions and primaries by turns in a request that is just short enough to be kept; the answer reports
 * errors of others. */
void load_asconf_answers(load_t *load, uint64_t n, bool is_hostile)
{
    static const uint16_t types[] = { 0xC001, 0xC002, 0xC004 };
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        asconf_begin(load, 1 + (uint32_t)i);
        for (uint32_t k = 0; k < 200; k++)
            add_address_change(load, types[k % 3], k, 0x0D000000 + k / 3 + (uint32_t)i);
        chunk_end(load);
        send_a(load);
        chunk_begin(load, 0x80, 0);
        add32(load, 1 + (uint32_t)i);
        for (uint32_t k = 0; k < (is_hostile ? 4000 : 40); k++) {
            add32(load, 0xC0030010);
            add32(load, 1000000 - k);
            add32(load, 0x01040008);
            add32(load, 0);
        }
        chunk_end(load);
        send_b(load);
    }
}

/* --- set-up --- */

/* An attempt of its own for each: INIT, INIT ACK. add_params: adds n parameters to an INIT (is_ack false) or INIT ACK.
 */
static void send_attempts(load_t *load, uint64_t n, void (*add_params)(load_t *load, bool is_ack, uint32_t n),
                          uint32_t n_params)
{
    for (uint64_t i = 0; i < n; i++) {
        uint32_t ports = (PORT_A + (uint32_t)(i % 50000)) << 16 | PORT_B, tag_a = 0x10000001 + 2 * (uint32_t)i;
        init_begin(load, false, tag_a, 1, true);
        add_params(load, false, n_params);
        chunk_end(load);
        send_packet(load, ADDR_A, ADDR_B, ports, 0);
        init_begin(load, true, tag_a + 1, 1, true);
        add_params(load, true, n_params);
        chunk_end(load);
        send_packet(load, ADDR_B, ADDR_A, ports << 16 | ports >> 16, tag_a);
        load->associations++;
    }
}

static void add_addresses(load_t *load, bool is_ack, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        add32(load, 0x00050008);
        add32(load, (is_ack ? 0x0E000000 : 0x0D000000) + k);
    }
}

/* Harmless: 80 addresses. */
void load_addresses(load_t *load, uint64_t n, bool is_hostile)
{
    send_attempts(load, n, add_addresses, is_hostile ? 8000 : 80);
}

/* Each of another type; the INIT ACK has them in Unrecognized Parameters, from the last to the first. */
static void add_unknown(load_t *load, bool is_ack, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t type = PARAM_UNKNOWN + (is_ack ? n - 1 - k : k) % 0x1000;
        if (is_ack)
            add32(load, 0x00080008);
        add32(load, type << 16 | 4);
    }
}

/* Harmless: 80 parameters. */
void load_unknown_params(load_t *load, uint64_t n, bool is_hostile)
{
    send_attempts(load, n, add_unknown, is_hostile ? 8000 : 80);
}

/* --- HEARTBEAT --- */

static void add_heartbeats(load_t *load, bool is_ack, uint32_t first, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        chunk_begin(load, is_ack ? 5 : 4, 0);
        add32(load, 0x00010008);
        add32(load, first + (is_ack ? n - 1 - k : k));
        chunk_end(load);
    }
}

/* Harmless: 50 in a packet. */
void load_heartbeats(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t in_packet = is_hostile ? 5000 : 50;
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        add_heartbeats(load, false, (uint32_t)i * in_packet, in_packet);
        send_a(load);
        add_heartbeats(load, true, (uint32_t)i * in_packet, in_packet);
        send_b(load);
    }
}

/* --- RE-CONFIG --- */

static void add_reset(load_t *load, uint32_t serial, uint32_t first, uint32_t streams)
{
    add16(load, 13);
    add16(load, 16 + 2 * streams);
    add32(load, serial);
    add32(load, 0);
    add32(load, 0);
    for (uint32_t k = 0; k < streams; k++)
        add16(load, first + k);
}

static void send_reset(load_t *load, uint32_t serial, uint32_t first, uint32_t streams)
{
    chunk_begin(load, 130, 0);
    add_reset(load, serial, first, streams);
    chunk_end(load);
    send_a(load);
}

/* Harmless: one stream. */
void load_reconfig(load_t *load, uint64_t n, bool is_hostile)
{
    load->streams = 1;
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++)
        send_reset(load, 1 + (uint32_t)i, 0, is_hostile ? 690 : 1);
}

/* A request with 250 parameters and an answer with 5,000 (harmless: 50), each of which names another serial number. */
void load_reconfig_answers(load_t *load, uint64_t n, bool is_hostile)
{
    set_up(load, false);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t serial = 1 + 250 * (uint32_t)i;
        chunk_begin(load, 130, 0);
        for (uint32_t k = 0; k < 250; k++)
            add_reset(load, serial + k, 0, 0);
        chunk_end(load);
        send_a(load);
        chunk_begin(load, 130, 0);
        for (uint32_t k = 0; k < (is_hostile ? 5000 : 50); k++) {
            add32(load, 0x0010000C);
            add32(load, serial + 249 - k);
            add32(load, 1);
        }
        chunk_end(load);
        send_b(load);
    }
}

/* Four requests wait for an answer; each DATA chunk is on a stream that none of them names. Harmless: they name one
 * stream. */
void load_sids(load_t *load, uint64_t n, bool is_hostile)
{
    uint32_t tsn = 1;
    set_up(load, false);
    for (uint32_t i = 0; i < 4; i++)
        send_reset(load, 1 + i, 1, is_hostile ? 32000 : 1);
    for (uint64_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < 64; k++)
            add_data(load, tsn++, 0, 0);
        send_a(load);
    }
}
