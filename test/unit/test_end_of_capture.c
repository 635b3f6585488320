/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is owed when the capture ends: found then, by what is asserted of the time after it, and taken back by the next
 * packet. */
#include "../../plugins/sctp_analysis/core/analysis.h"
#include "track_feed.h"

static feeder_t feeder;

enum { MS = 1000000 };

static void set_up_asserting(bool complete, int64_t quiet_ns)
{
    char *error;
    feeder_init(&feeder);
    sctpa_count_occasions(feeder.sctpa);
    sctpa_assert(feeder.sctpa, sctpa_assertions_new(complete, quiet_ns, "0.0.0.0/0", NULL, &error));
    feed_setup(&feeder, TAG_A, TAG_Z);
}

/* Of the INIT's sender: a SACK is owed. */
static void feed_first_data(void)
{
    feed_data(&feeder, true, TAG_Z, TAG_A);
}

static uint32_t occasions(sctpa_rule_t rule)
{
    sctpa_rule_occasions_t of_rules[SCTPA_RULES];
    memset(of_rules, 0, sizeof of_rules);
    sctpa_occasions(feeder.sctpa, 0, 1, of_rules);
    return of_rules[rule].judged;
}

static const sctpa_finding_t *found(void)
{
    const sctpa_finding_t *finding = sctpa_finding_first(feeder.sctpa, 0);
    while (finding && finding->rule != SCTPA_RULE_RX_035)
        finding = sctpa_finding_next(feeder.sctpa, 0, finding);
    return finding;
}

static void end_after_ms(int64_t ms)
{
    sctpa_judge_end(feeder.sctpa, feeder.packet.time_ns + ms * MS);
}

static void what_did_not_come_until_the_end_is_found_at_its_request(void)
{
    set_up_asserting(true, 0);
    feed_first_data();
    end_after_ms(549);
    g_assert_null(found());
    end_after_ms(1000);
    g_assert_nonnull(found());
    g_assert_cmpuint(found()->accused, ==, 1);
    g_assert_cmpint(found()->certainty, ==, SCTPA_CERTAINTY_PROVEN);
    g_assert_cmpuint(found()->packets[0], ==, 4);
    g_assert_cmpuint(found()->n_packets, ==, 1);
    g_assert_cmpint(found()->time_ns, ==, feeder.packet.time_ns);
    g_assert_cmpuint(occasions(SCTPA_RULE_RX_035), ==, 1);
    sctpa_free(feeder.sctpa);
}

static void an_end_that_is_judged_again_counts_once(void)
{
    set_up_asserting(true, 0);
    feed_first_data();
    end_after_ms(1000);
    end_after_ms(2000);
    g_assert_cmpuint(found()->count, ==, 1);
    g_assert_cmpuint(found()->violating_packets, ==, 1);
    g_assert_cmpuint(occasions(SCTPA_RULE_RX_035), ==, 1);
    end_after_ms(100);
    g_assert_null(found());
    g_assert_cmpuint(occasions(SCTPA_RULE_RX_035), ==, 0);
    sctpa_free(feeder.sctpa);
}

static void the_next_packet_takes_it_back(void)
{
    set_up_asserting(true, 0);
    feed_first_data();
    end_after_ms(1000);
    g_assert_nonnull(found());
    feed_sack(&feeder, false, TAG_A, TAG_A);
    g_assert_null(found());
    end_after_ms(1000);
    g_assert_null(found());
    sctpa_free(feeder.sctpa);
}

static void a_forgotten_association_owes_nothing(void)
{
    set_up_asserting(true, 0);
    feed_first_data();
    end_after_ms(1000);
    sctpa_forget(feeder.sctpa, 0);
    end_after_ms(2000);
    g_assert_cmpuint(sctpa_held_bytes(feeder.sctpa), ==, 0);
    sctpa_free(feeder.sctpa);
}

static void quiet_after_the_capture_is_waited_for(void)
{
    set_up_asserting(true, 1000 * (int64_t)MS);
    feed_first_data();
    end_after_ms(0);
    g_assert_nonnull(found());
    g_assert_true(found()->rests_on & SCTPA_ASSERTED_QUIET);
    end_after_ms(1000);
    g_assert_false(found()->rests_on & SCTPA_ASSERTED_QUIET);
    sctpa_free(feeder.sctpa);
}

static void what_was_owed_is_kept_with_what_settled_it(void)
{
    uint32_t n;
    set_up_asserting(true, 0);
    feed_first_data();
    end_after_ms(0);
    g_assert_null(sctpa_owed(feeder.sctpa, 0, &n));
    sctpa_free(feeder.sctpa);

    feeder_init(&feeder);
    sctpa_keep_owed(feeder.sctpa);
    feed_setup(&feeder, TAG_A, TAG_Z);
    feed_first_data();
    end_after_ms(1000);
    const sctpa_owed_result_t *owed = sctpa_owed(feeder.sctpa, 0, &n);
    g_assert_nonnull(owed);
    const sctpa_owed_result_t last = owed[n - 1];
    g_assert_cmpint(last.what, ==, SCTPA_OWED_SACK);
    g_assert_cmpint(last.fate, ==, SCTPA_OWED_FATE_MISSING);
    g_assert_cmpuint(last.settled_by, ==, SCTPA_NO_PACKET_INDEX);
    g_assert_cmpuint(last.since, ==, 4);
    g_assert_null(found());
    feed_sack(&feeder, false, TAG_A, TAG_A);
    end_after_ms(1000);
    owed = sctpa_packet_owed(feeder.sctpa, 5, &n);
    g_assert_cmpuint(n, ==, 1);
    g_assert_cmpint(owed->fate, ==, SCTPA_OWED_FATE_ANSWERED);
    g_assert_cmpuint(owed->debtor, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void an_incomplete_capture_shows_nothing(void)
{
    set_up_asserting(false, 1000 * (int64_t)MS);
    feed_first_data();
    end_after_ms(5000);
    g_assert_null(found());
    sctpa_free(feeder.sctpa);
}

#define TEST(name) g_test_add_func("/end_of_capture/" #name, name)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    TEST(what_did_not_come_until_the_end_is_found_at_its_request);
    TEST(an_end_that_is_judged_again_counts_once);
    TEST(the_next_packet_takes_it_back);
    TEST(a_forgotten_association_owes_nothing);
    TEST(quiet_after_the_capture_is_waited_for);
    TEST(what_was_owed_is_kept_with_what_settled_it);
    TEST(an_incomplete_capture_shows_nothing);
    return g_test_run();
}
