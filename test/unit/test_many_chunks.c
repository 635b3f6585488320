/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets that hold more chunks than any stack bundles: every chunk is looked at, wherever it stands. */
#include "track_feed.h"

enum { PLAIN_CHUNKS = 64, BODY_WORDS = 5, CHUNK_TYPES = 256 };

static feeder_t feeder;

/* Chunks of four bytes that a set-up association may hold. */
static void begin_crowded(bool from_a, unsigned chunks)
{
    begin(&feeder, from_a, from_a ? TAG_Z : TAG_A);
    for (unsigned i = 0; i < chunks; i++)
        chunk(&feeder, SCTPA_CHUNK_COOKIE_ACK, 0, 0);
}

static bool is_accused(sctpa_rule_t rule)
{
    for (const sctpa_finding_t *finding = sctpa_finding_first(feeder.sctpa, 0); finding;
         finding = sctpa_finding_next(feeder.sctpa, 0, finding))
        if (finding->rule == rule)
            return true;
    return false;
}

static void every_type_may_be_the_65th(void)
{
    for (unsigned type = 0; type < CHUNK_TYPES; type++)
        for (unsigned plain = PLAIN_CHUNKS - 1; plain <= PLAIN_CHUNKS + 1; plain++) {
            feeder_init(&feeder);
            feed_setup(&feeder, TAG_A, TAG_Z);
            for (unsigned from_a = 0; from_a < 2; from_a++) {
                begin_crowded(from_a, plain);
                chunk(&feeder, (uint8_t)type, 0, BODY_WORDS);
                g_assert_cmpuint(feed(&feeder).assoc, ==, 0);
            }
            sctpa_free(feeder.sctpa);
        }
}

static void a_breach_is_seen_behind_many_chunks(void)
{
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    begin_crowded(true, 5 * PLAIN_CHUNKS);
    feed(&feeder);
    g_assert_false(is_accused(SCTPA_RULE_FMT_018));
    begin_crowded(true, 5 * PLAIN_CHUNKS);
    chunk(&feeder, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 0, 0);
    feed(&feeder);
    g_assert_true(is_accused(SCTPA_RULE_FMT_018));
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/many_chunks/every_type_may_be_the_65th", every_type_may_be_the_65th);
    g_test_add_func("/many_chunks/a_breach_is_seen_behind_many_chunks", a_breach_is_seen_behind_many_chunks);
    return g_test_run();
}
