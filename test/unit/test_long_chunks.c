/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chunks as long as a packet has room for: what is found in them by hash is what is there. What they cost stands in
 * test/hostile. */
#include "track_feed.h"

enum { MANY = 2000, PARAM_BYTES = 16, ADDR_PARAM_BYTES = 8, PACKET_BYTES = 1 << 16, ADDRS_KEPT = 256 };

static feeder_t feeder;
static uint8_t bytes[PACKET_BYTES];
static uint32_t length;

static uint8_t *add(uint32_t n)
{
    uint8_t *at = bytes + length;
    g_assert_cmpuint(length + n, <=, sizeof bytes);
    length += n;
    return at;
}

/* Begins a packet of A and its only chunk, of which bytes_before stand before what is added. */
static uint8_t *begin_long(uint8_t type, uint32_t bytes_before)
{
    begin(&feeder, true, TAG_Z);
    memcpy(bytes, feeder.bytes, SCTPA_HEADER_BYTES);
    length = SCTPA_HEADER_BYTES;
    uint8_t *at = add(4 + bytes_before);
    memset(at, 0, 4 + bytes_before);
    at[0] = type;
    return at;
}

static void feed_long(void)
{
    put16(bytes + SCTPA_HEADER_BYTES + 2, length - SCTPA_HEADER_BYTES);
    feeder.packet.bytes = bytes;
    feeder.packet.captured_bytes = feeder.packet.wire_bytes = length;
    feeder.packet.ip_bytes = 0;
    sctpa_feed(feeder.sctpa, &feeder.packet);
}

static void add_asconf_param(uint16_t type, uint32_t number, uint32_t addr)
{
    uint8_t *at = add(PARAM_BYTES);
    put16(at, type);
    put16(at + 2, PARAM_BYTES);
    put32(at + 4, number);
    put32(at + 8, 0x00050008);
    put32(at + 12, addr);
}

/* An ASCONF that adds n addresses and wants each but the first as primary, in another order; beyond: one that it does
 * not add. */
static void asconf(uint32_t n, bool beyond)
{
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    uint8_t *at = begin_long(SCTPA_CHUNK_ASCONF, 12);
    put32(at + 4, TAG_A);
    put32(at + 8, 0x00050008);
    put32(at + 12, ADDR_A);
    for (uint32_t i = 0; i < n; i++)
        add_asconf_param(SCTPA_PARAM_ADD_IP, i, 0x0b000000 + i);
    for (uint32_t i = n - 1; i > 0; i--)
        add_asconf_param(SCTPA_PARAM_SET_PRIMARY, n + i, 0x0b000000 + i + beyond);
    feed_long();
}

static bool is_accused(sctpa_rule_t rule)
{
    for (const sctpa_finding_t *finding = sctpa_finding_first(feeder.sctpa, 0); finding;
         finding = sctpa_finding_next(feeder.sctpa, 0, finding))
        if (finding->rule == rule)
            return true;
    return false;
}

static void a_primary_that_is_not_added_is_seen(void)
{
    asconf(MANY, false);
    g_assert_false(is_accused(SCTPA_RULE_AS_030));
    sctpa_free(feeder.sctpa);
    asconf(MANY, true);
    g_assert_true(is_accused(SCTPA_RULE_AS_030));
    sctpa_free(feeder.sctpa);
}

/* An INIT that lists n addresses, from the first or from the last. */
static void init(uint32_t n, bool backwards)
{
    uint8_t *at = begin_long(SCTPA_CHUNK_INIT, 16);
    put32(bytes + 4, 0);
    put32(at + 4, TAG_A);
    for (uint32_t i = 0; i < n; i++) {
        at = add(ADDR_PARAM_BYTES);
        put32(at, 0x00050008);
        put32(at + 4, 0x0b000000 + (backwards ? n - 1 - i : i));
    }
    feed_long();
}

static void each_address_is_known_once(void)
{
    for (uint32_t n = 1; n <= 2 * ADDRS_KEPT; n += n < 40 ? 1 : 27) {
        feeder_init(&feeder);
        init(n, false);
        init(n, true);
        const sctpa_end_t *end = &sctpa_assoc(feeder.sctpa, 0)->ends[0];
        g_assert_cmpuint(end->n_addrs, ==, MIN(n + 1, ADDRS_KEPT));
        uint32_t listed = 0;
        for (unsigned i = 0; i < end->n_addrs; i++) {
            sctpa_addr_t addr = ip(0x0b000000 + listed);
            bool is_next = memcmp(end->addrs[i].addr.data, addr.data, 4) == 0;
            g_assert_true(is_next || end->addrs[i].origin & SCTPA_ADDR_SOURCE);
            listed += is_next;
        }
        g_assert_cmpuint(listed, ==, end->n_addrs - 1);
        sctpa_free(feeder.sctpa);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/long_chunks/a_primary_that_is_not_added_is_seen", a_primary_that_is_not_added_is_seen);
    g_test_add_func("/long_chunks/each_address_is_known_once", each_address_is_known_once);
    return g_test_run();
}
