/* SPDX-License-Identifier: GPL-2.0-or-later */
/* INITs that ICMP errors quote, and of which a later one is captured, are one attempt. */
#include "track_feed.h"

static feeder_t feeder;

/* The ICMP error alone about an INIT from A or Z. */
static void refuse(bool from_a, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        begin(&feeder, from_a, 0);
        put32(chunk(&feeder, SCTPA_CHUNK_INIT, 0, 4), TAG_A);
        feeder.packet.bytes = feeder.bytes;
        feeder.packet.captured_bytes = feeder.packet.wire_bytes = feeder.length;
        sctpa_feed_icmp(
            feeder.sctpa,
            &(sctpa_icmp_t){ .kind = SCTPA_ICMP_UNREACHABLE, .type = 3, .code = 3, .quoted = feeder.packet });
    }
}

static const sctpa_summary_t *summary(void)
{
    return sctpa_summary(feeder.sctpa);
}

static void an_init_that_is_captured_later_is_of_the_same_attempt(void)
{
    for (unsigned from_a = 0; from_a < 2; from_a++) {
        feeder_init(&feeder);
        refuse(from_a, 2);
        g_assert_cmpuint(summary()->n_refused, ==, 1);
        feed_init(&feeder, from_a, TAG_A);
        g_assert_cmpuint(summary()->n_refused, ==, 0);
        g_assert_cmpuint(summary()->refused_errors, ==, 0);
        g_assert_cmpuint(summary()->icmp_unmatched, ==, 0);
        const sctpa_assoc_t *assoc = sctpa_assoc(feeder.sctpa, 0);
        g_assert_cmpuint(assoc->n_events, ==, 1);
        g_assert_cmpint(assoc->events[0].kind, ==, SCTPA_EVENT_ICMP_UNREACHABLE);
        g_assert_nonnull(strstr(assoc->events[0].detail, "in frame 1 first, errors: 2"));
        g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_NO_ANSWER);
        sctpa_free(feeder.sctpa);
    }
}

static void an_init_in_the_other_direction_is_another_attempt(void)
{
    feeder_init(&feeder);
    refuse(true, 1);
    feed_init(&feeder, false, TAG_Z);
    g_assert_cmpuint(summary()->n_refused, ==, 1);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->n_events, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void an_attempt_that_is_answered_at_last_has_not_failed(void)
{
    feeder_init(&feeder);
    refuse(true, 3);
    feed_setup(&feeder, TAG_A, TAG_Z);
    g_assert_cmpuint(summary()->n_refused, ==, 0);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/refused_inits/later", an_init_that_is_captured_later_is_of_the_same_attempt);
    g_test_add_func("/refused_inits/other_direction", an_init_in_the_other_direction_is_another_attempt);
    g_test_add_func("/refused_inits/answered", an_attempt_that_is_answered_at_last_has_not_failed);
    return g_test_run();
}
