/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what SACKs change against blocks that make no sense. */
#include "track_feed.h"

enum { BLOCKS = 64 };

static sctpa_packet_result_t feed_blocks(feeder_t *feeder, uint32_t cum_tsn, uint16_t start, uint16_t end,
                                         unsigned blocks)
{
    begin(feeder, false, TAG_A);
    uint8_t *value = chunk(feeder, SCTPA_CHUNK_SACK, 0, 3 + blocks);
    put32(value, cum_tsn);
    put32(value + 4, 65536);
    put16(value + 8, blocks);
    for (unsigned i = 0; i < blocks; i++) {
        put16(value + 12 + 4 * i, start);
        put16(value + 14 + 4 * i, end);
    }
    return feed(feeder);
}

/* So many blocks that some may not have fitted, and none of them names a TSN: nothing is taken back. */
static void test_blocks_without_tsns(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    for (uint32_t i = 0; i < 5; i++)
        feed_data(&feeder, true, TAG_Z, TAG_A + i);
    feed_blocks(&feeder, TAG_A, 3, 3, 1);
    feed_blocks(&feeder, TAG_A + 1, 0, 0, BLOCKS);
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(sctpa_direction(feeder.sctpa, 0, 0), 3);
    g_assert_cmpuint(tsn->state & SCTPA_TSN_RENEGED, ==, 0);
    sctpa_free(feeder.sctpa);
}

static uint32_t chunks_acked(const feeder_t *feeder, uint32_t packet, uint16_t order)
{
    const sctpa_acked_t *acked = sctpa_direction_acked(sctpa_direction(feeder->sctpa, 0, 0), packet, order);
    return acked ? acked->chunks : 0;
}

static void add_cum_tsn(feeder_t *feeder, uint8_t type, uint32_t cum_tsn)
{
    put32(chunk(feeder, type, 0, type == SCTPA_CHUNK_SACK ? 3 : 1), cum_tsn);
}

/* Each SACK of a packet is found by its number among them, whatever stands between; one that says nothing new is not.
 */
static void test_sacks_of_one_packet(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    for (uint32_t i = 0; i < 12; i++)
        feed_data(&feeder, true, TAG_Z, TAG_A + i);
    uint32_t before = feed_sack(&feeder, false, TAG_A, TAG_A).index;
    begin(&feeder, false, TAG_A);
    add_cum_tsn(&feeder, SCTPA_CHUNK_SHUTDOWN, TAG_A + 1);
    add_cum_tsn(&feeder, SCTPA_CHUNK_SACK, TAG_A + 3);
    add_cum_tsn(&feeder, SCTPA_CHUNK_SACK, TAG_A + 3);
    add_cum_tsn(&feeder, SCTPA_CHUNK_SHUTDOWN, TAG_A + 4);
    add_cum_tsn(&feeder, SCTPA_CHUNK_SACK, TAG_A + 7);
    uint32_t packet = feed(&feeder).index;
    uint32_t after = feed_sack(&feeder, false, TAG_A, TAG_A + 11).index;
    g_assert_cmpuint(chunks_acked(&feeder, before, 0), ==, 1);
    g_assert_cmpuint(chunks_acked(&feeder, before, 1), ==, 0);
    g_assert_cmpuint(chunks_acked(&feeder, packet, 0), ==, 2);
    g_assert_cmpuint(chunks_acked(&feeder, packet, 1), ==, 0);
    g_assert_cmpuint(chunks_acked(&feeder, packet, 2), ==, 3);
    g_assert_cmpuint(chunks_acked(&feeder, packet, 3), ==, 0);
    g_assert_cmpuint(chunks_acked(&feeder, after, 0), ==, 4);
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/acked/blocks_without_tsns", test_blocks_without_tsns);
    g_test_add_func("/acked/sacks_of_one_packet", test_sacks_of_one_packet);
    return g_test_run();
}
