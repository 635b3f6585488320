/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DATA and SACKs that no endpoint sends, but that a capture may hold: what they cost, and that nothing false is said
 * afterwards. Each load would take minutes if a packet cost what others before it left behind; the limits leave room
 * for sanitizers. */
#include <time.h>

#include "data_feed.h"

enum { CPU_SECONDS = 15, CHUNKS = 60, REACH = 65535 };

static const uint32_t farthest = 0x7fffffff;

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void begin_all(feeder_t *feeder)
{
    feeder_init(feeder);
    feed_setup(feeder, TAG_A, TAG_Z);
}

static const sctpa_direction_t *sent(const feeder_t *feeder)
{
    return sctpa_direction(feeder->sctpa, 0, 0);
}

/* A packet of DATA chunks from tsn on; step: from one to the next. */
static uint32_t feed_jumps(feeder_t *feeder, uint32_t *tsn, uint32_t step)
{
    begin(feeder, true, TAG_Z);
    for (unsigned i = 0; i < CHUNKS; i++, *tsn += step)
        add_data(feeder, *tsn, 1);
    return again(feeder);
}

/* The DATA chunk number at of the packet fed last. */
static bool result_of(const feeder_t *feeder, uint32_t index, unsigned at, sctpa_data_result_t *result)
{
    sctpa_packet_result_t packet;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    g_assert_true(sctpa_packet_result(feeder->sctpa, index, &packet));
    sctpa_chunks_begin(&iter, feeder->bytes, feeder->length, feeder->length);
    do
        g_assert_true(sctpa_tlv_next(&iter, &chunk));
    while (at-- > 0);
    return sctpa_data_result(feeder->sctpa, &packet, &chunk, result);
}

/* TSNs wrap 30,000 times; then chunks that are too short to be kept are looked for. */
static void test_wraps(void)
{
    enum { JUMPING = 1000, SHORT = 2000 };
    feeder_t feeder;
    uint32_t tsn = TAG_A, index = 0;
    sctpa_data_result_t result;
    begin_all(&feeder);
    for (unsigned i = 0; i < JUMPING; i++) {
        index = feed_jumps(&feeder, &tsn, farthest);
        for (unsigned at = 0; at < CHUNKS; at++) {
            g_assert_true(result_of(&feeder, index, at, &result));
            g_assert_cmpuint(result.first_frame, ==, feeder.packet.frame);
        }
    }
    double before = cpu_seconds();
    for (unsigned i = 0; i < SHORT; i++) {
        begin(&feeder, true, TAG_Z);
        for (unsigned at = 0; at < CHUNKS; at++)
            put32(chunk(&feeder, SCTPA_CHUNK_DATA, 3, 2), tsn);
        g_assert_false(result_of(&feeder, again(&feeder), CHUNKS - 1, &result));
    }
    g_assert_cmpfloat(cpu_seconds() - before, <, CPU_SECONDS);
    sctpa_free(feeder.sctpa);
}

/* A sender whose TSNs wrap several times, unhurried: each packet's TSNs are found again, also when all is over. */
static void test_wraps_again(void)
{
    enum { PACKETS = 40 };
    feeder_t feeder;
    uint32_t tsn = TAG_A, first[PACKETS], frames[PACKETS], indices[PACKETS];
    sctpa_data_result_t result;
    begin_all(&feeder);
    for (unsigned i = 0; i < PACKETS; i++) {
        first[i] = tsn;
        indices[i] = feed_jumps(&feeder, &tsn, 1);
        frames[i] = feeder.packet.frame;
        tsn += 0x20000001u * (i % 4);
    }
    for (unsigned i = 0; i < PACKETS; i++) {
        begin(&feeder, true, TAG_Z);
        for (uint32_t at = 0; at < CHUNKS; at++)
            add_data(&feeder, first[i] + at, 1);
        for (unsigned at = 0; at < CHUNKS; at += CHUNKS - 1) {
            g_assert_true(result_of(&feeder, indices[i], at, &result));
            g_assert_cmpuint(result.first_frame, ==, frames[i]);
        }
    }
    sctpa_free(feeder.sctpa);
}

static void feed_gaps(feeder_t *feeder, uint32_t cum_tsn, const uint16_t *gaps, uint32_t n)
{
    begin(feeder, false, TAG_A);
    add_sack(feeder, cum_tsn, 65536, gaps, n);
    again(feeder);
}

/* 32,766 gap blocks are kept, and packet after packet tells one of them again. */
static void test_kept_ranges(void)
{
    enum { BLOCKS = 360, SACKS = 20000 };
    feeder_t feeder;
    uint16_t gaps[2 * BLOCKS];
    begin_all(&feeder);
    feed_data(&feeder, true, TAG_Z, TAG_A);
    for (uint32_t at = 2; at < REACH;) {
        uint32_t n = 0;
        for (; n < BLOCKS && at < REACH; at += 2, n++)
            gaps[2 * n] = gaps[2 * n + 1] = (uint16_t)at;
        feed_gaps(&feeder, TAG_A, gaps, n);
    }
    double before = cpu_seconds();
    for (unsigned i = 0; i < SACKS; i++)
        feed_gaps(&feeder, TAG_A, (const uint16_t[]){ 2, 2 }, 1);
    g_assert_cmpfloat(cpu_seconds() - before, <, CPU_SECONDS);
    sctpa_free(feeder.sctpa);
}

static uint32_t send_many(feeder_t *feeder, uint32_t packets)
{
    uint32_t tsn = TAG_A;
    for (uint32_t i = 0; i < packets; i++)
        feed_jumps(feeder, &tsn, 1);
    return tsn - TAG_A;
}

/* SACKs gap-ack 65,534 TSNs and take them back by turns, and nothing is sent again: from some time on that is not
 * followed, and what depends on it is not said. */
static void test_reneging_by_turns(void)
{
    enum { TURNS = 5000 };
    feeder_t feeder;
    begin_all(&feeder);
    uint32_t cum_tsn = TAG_A, n = send_many(&feeder, 2 * REACH / CHUNKS);
    double before = cpu_seconds();
    for (unsigned i = 0; i < TURNS; i++) {
        feed_gaps(&feeder, ++cum_tsn, NULL, 0);
        feed_gaps(&feeder, cum_tsn, (const uint16_t[]){ 2, REACH }, 1);
    }
    g_assert_cmpfloat(cpu_seconds() - before, <, CPU_SECONDS);
    g_assert_false(sctpa_direction_tells_reneging(sent(&feeder)));
    sctpa_measure_t *measure = sctpa_measure(feeder.sctpa, 0, 0, NULL);
    g_assert_false(measure->reneged_known);
    sctpa_measure_free(measure);

    uint32_t again_packet = feed_bytes(&feeder, feeder.packet.time_ns, TAG_A + n - 1, 1);
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(sent(&feeder), n - 1);
    const sctpa_rtx_t *rtx;
    g_assert_cmpuint(sctpa_direction_transmission(sent(&feeder), tsn, again_packet, &rtx), ==, 2);
    g_assert_cmpstr(sctpa_rtx_word(rtx->kind), ==, "unknown");
    feed_gaps(&feeder, TAG_A + n - 1, NULL, 0);
    g_assert_false(sctpa_direction_is_spurious(sent(&feeder), tsn, rtx));
    g_assert_cmpuint(sent(&feeder)->flight_bytes, ==, 0);
    sctpa_free(feeder.sctpa);
}

/* A receiver that has no memory for what is behind a loss: it takes all of it back, gets it again, and so on. That is
 * followed. */
static void test_reneging_for_lack_of_memory(void)
{
    enum { TURNS = 2000, LOST_BEHIND = CHUNKS - 2 };
    feeder_t feeder;
    begin_all(&feeder);
    for (uint32_t i = 0; i < TURNS; i++) {
        uint32_t first = TAG_A + i * CHUNKS, tsn = first;
        feed_jumps(&feeder, &tsn, 1);
        feed_gaps(&feeder, first - 1, (const uint16_t[]){ 3, CHUNKS }, 1);
        feed_gaps(&feeder, first, NULL, 0);
        tsn = first;
        feed_jumps(&feeder, &tsn, 1);
        feed_gaps(&feeder, first + CHUNKS - 1, NULL, 0);
    }
    sctpa_measure_t *measure = sctpa_measure(feeder.sctpa, 0, 0, NULL);
    g_assert_true(measure->reneged_known);
    g_assert_cmpuint(measure->all.reneged_tsns, ==, TURNS * LOST_BEHIND);
    sctpa_measure_free(measure);
    sctpa_free(feeder.sctpa);
}

/* The same gap blocks in SACK after SACK are kept once; those of each SACK are found. */
static void test_blocks_kept_once(void)
{
    enum { SACKS = 1000, BLOCKS = 360 };
    feeder_t feeder;
    uint16_t gaps[2 * BLOCKS];
    uint32_t n;
    for (unsigned i = 0; i < BLOCKS; i++)
        gaps[2 * i] = gaps[2 * i + 1] = (uint16_t)(2 + 2 * i);
    begin_all(&feeder);
    feed_data(&feeder, true, TAG_Z, TAG_A);
    for (unsigned i = 0; i < SACKS; i++)
        feed_gaps(&feeder, TAG_A, gaps, i % 10 == 9 ? 0 : BLOCKS);
    feed_gaps(&feeder, TAG_A, gaps, 2);
    const sctpa_direction_t *direction = sent(&feeder);
    g_assert_cmpuint(direction->rare->gaps.len, <, 2 * BLOCKS);
    for (unsigned i = 0; i <= SACKS; i++) {
        const uint32_t *blocks =
            sctpa_direction_gaps(direction, SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, i).gaps, &n);
        g_assert_cmpuint(n, ==, i == SACKS ? 2 : i % 10 == 9 ? 0 : BLOCKS);
        for (uint32_t j = 0; j < n; j++)
            g_assert_cmphex(blocks[j], ==, (uint32_t)gaps[2 * j] << 16 | gaps[2 * j + 1]);
    }
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/hostile_data/wraps", test_wraps);
    g_test_add_func("/hostile_data/wraps_again", test_wraps_again);
    g_test_add_func("/hostile_data/kept_ranges", test_kept_ranges);
    g_test_add_func("/hostile_data/reneging_by_turns", test_reneging_by_turns);
    g_test_add_func("/hostile_data/reneging_for_lack_of_memory", test_reneging_for_lack_of_memory);
    g_test_add_func("/hostile_data/blocks_kept_once", test_blocks_kept_once);
    return g_test_run();
}
