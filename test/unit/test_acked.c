/* Protects what SACKs change against blocks that make no sense. */
#include "track_feed.h"

enum { BLOCKS = 64 };

static sctpa_packet_result_t feed_blocks(feeder_t *feeder, uint32_t cum_tsn, uint16_t start, uint16_t end, unsigned blocks)
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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/acked/blocks_without_tsns", test_blocks_without_tsns);
    return g_test_run();
}
