/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a path that does not answer HEARTBEATs is said to be potentially failed or inactive, and when nothing is said
 * (track/feed/path_states.c). Leaves out paths that new data leaves (test_failover.c). */
#include "data_feed.h"

#include "../../plugins/sctp_analysis/core/analysis.h"

enum { SECOND_Z = 0x0a000201 };

static feeder_t feeder;
static uint32_t info, tsn;

static void set_up_with(const char *parameters)
{
    char *error = NULL;
    feeder_init(&feeder);
    sctpa_assert(feeder.sctpa, sctpa_assertions_new(false, 0, NULL, parameters, &error));
    g_assert_null(error);
    feed_setup(&feeder, TAG_A, TAG_Z);
    info = 0x11110000;
    tsn = TAG_A;
}

static void set_up(void)
{
    set_up_with("* Path.Max.Retrans=3");
}

/* Packets of A are sent to the second address of Z, those of Z from there, delay_ms after the packet before. */
static void begin_after(bool from_a, int64_t delay_ms)
{
    begin(&feeder, from_a, from_a ? TAG_Z : TAG_A);
    feeder.packet.time_ns += delay_ms * SCTPA_NS_PER_MS - 10 * SCTPA_NS_PER_MS;
    if (from_a)
        feeder.packet.destination = ip(SECOND_Z);
    else
        feeder.packet.source = ip(SECOND_Z);
}

static uint32_t send_chunk(bool from_a, int64_t delay_ms, uint8_t type, uint32_t of)
{
    begin_after(from_a, delay_ms);
    put32(chunk(&feeder, type, 0, 2) + 4, of);
    feed(&feeder);
    return feeder.packet.frame;
}

/* A HEARTBEAT of A, delay_ms after the packet before; returns its frame. */
static uint32_t ask(int64_t delay_ms)
{
    return send_chunk(true, delay_ms, SCTPA_CHUNK_HEARTBEAT, ++info);
}

/* Z answers the last HEARTBEAT, or the one so many before it. */
static uint32_t answer(int64_t delay_ms, uint32_t before)
{
    return send_chunk(false, delay_ms, SCTPA_CHUNK_HEARTBEAT_ACK, info - before);
}

/* The path is idle and answers, its HEARTBEATs 6 s apart: an RTO of 1 s (RTO.Min), HB.interval 5 s. */
static void be_active(void)
{
    for (unsigned i = 0; i < 4; i++) {
        ask(5900);
        answer(100, 0);
    }
}

static uint32_t send_data(int64_t delay_ms, uint32_t number)
{
    begin_after(true, delay_ms);
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_DATA, 3, 4);
    put32(value, number);
    put32(value + 12, number * 2654435761u);
    feed(&feeder);
    return feeder.packet.frame;
}

static const sctpa_event_t *event(sctpa_event_kind_t kind)
{
    const sctpa_assoc_t *assoc = sctpa_assoc(feeder.sctpa, 0);
    for (uint32_t i = 0; i < assoc->n_events; i++)
        if (assoc->events[i].kind == kind)
            return &assoc->events[i];
    return NULL;
}

static const sctpa_outage_t *outage(void)
{
    const sctpa_switching_t *switching = sctpa_assoc(feeder.sctpa, 0)->ends[0].rare->switching;
    return switching && switching->n_outages > 0 ? &switching->outages[0] : NULL;
}

static void assert_silent(void)
{
    g_assert_null(event(SCTPA_EVENT_PATH_POTENTIALLY_FAILED));
    g_assert_null(event(SCTPA_EVENT_PATH_INACTIVE));
    g_assert_null(event(SCTPA_EVENT_PATH_RECOVERED));
    g_assert_null(outage());
    sctpa_free(feeder.sctpa);
}

static double after_first_s(int64_t time_ns)
{
    return (double)(time_ns - outage()->since_ns) / 1e9;
}

static void path_probed_once_per_rto_is_potentially_failed(void)
{
    set_up();
    be_active();
    ask(5900);
    uint32_t second = ask(6000), third = ask(1800);
    const sctpa_event_t *failed = event(SCTPA_EVENT_PATH_POTENTIALLY_FAILED);
    g_assert_nonnull(failed);
    g_assert_cmpuint(failed->frame, ==, second);
    g_assert_cmpuint(failed->certain_frame, ==, third);
    g_assert_cmpstr(failed->detail, ==,
                    "1 HEARTBEAT unanswered, 5.000 to 6.000 s after the first was sent; probed once per RTO since "
                    "(RFC 7829 5)");
    g_assert_null(event(SCTPA_EVENT_PATH_INACTIVE));
    sctpa_free(feeder.sctpa);
}

static void path_asked_as_seldom_as_before_is_not_potentially_failed(void)
{
    set_up_with("* Path.Max.Retrans=9");
    be_active();
    ask(5900);
    for (unsigned i = 0; i < 5; i++)
        ask(6500);
    assert_silent();
}

static void path_that_was_asked_sooner_for_another_reason_is_not_potentially_failed(void)
{
    set_up();
    be_active();
    ask(1900);
    ask(1800);
    ask(1800);
    assert_silent();
}

/* Errors 1 to 4 at 6, 7.8, 13 and 21 s; the fourth has an RTO of 8 s by then. */
static uint32_t lose_four(void)
{
    ask(5900);
    ask(6000);
    ask(1800);
    ask(5200);
    return ask(8000);
}

static void path_with_more_errors_than_path_max_retrans_is_inactive(void)
{
    set_up();
    be_active();
    uint32_t fifth = lose_four();
    const sctpa_event_t *inactive = event(SCTPA_EVENT_PATH_INACTIVE);
    g_assert_nonnull(inactive);
    g_assert_cmpuint(inactive->frame, ==, fifth);
    g_assert_true(g_str_has_prefix(inactive->detail, "4 HEARTBEATs unanswered, "));
    g_assert_true(g_str_has_suffix(inactive->detail, "; with Path.Max.Retrans 3, as asserted (RFC 9260 8.2)"));
    g_assert_cmpuint(outage()->inactive.errors, ==, 4);
    g_assert_cmpfloat(after_first_s(outage()->inactive.earliest_ns), <=, 21.0);
    g_assert_cmpfloat(after_first_s(outage()->inactive.latest_ns), >=, 21.0);
    g_assert_cmpint(outage()->inactive.latest_ns - outage()->inactive.earliest_ns, <=, 8 * SCTPA_NS_PER_S);
    g_assert_cmpuint(outage()->answered_frame, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void path_max_retrans_is_that_of_the_rfc_where_nothing_is_asserted(void)
{
    set_up_with(NULL);
    be_active();
    lose_four();
    ask(16000);
    g_assert_null(event(SCTPA_EVENT_PATH_INACTIVE));
    ask(32000);
    const sctpa_event_t *inactive = event(SCTPA_EVENT_PATH_INACTIVE);
    g_assert_nonnull(inactive);
    g_assert_true(g_str_has_suffix(inactive->detail, "; with Path.Max.Retrans 5 (RFC 9260 8.2)"));
    sctpa_free(feeder.sctpa);
}

static void path_that_answers_again_has_recovered(void)
{
    set_up();
    be_active();
    lose_four();
    uint32_t answered = answer(100, 0);
    const sctpa_event_t *recovered = event(SCTPA_EVENT_PATH_RECOVERED);
    g_assert_nonnull(recovered);
    g_assert_cmpuint(recovered->frame, ==, answered);
    g_assert_cmpstr(recovered->detail, ==, "HEARTBEAT_ACK after 21.100 s");
    g_assert_cmpuint(outage()->answered_frame, ==, answered);
    g_assert_cmpuint(outage()->heartbeats, ==, 4);
    be_active();
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->ends[0].rare->switching->n_outages, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void late_answer_before_the_next_heartbeat_is_no_error(void)
{
    set_up();
    be_active();
    for (unsigned i = 0; i < 6; i++) {
        ask(3000);
        answer(2900, 0);
    }
    assert_silent();
}

static void answer_after_the_next_heartbeat_ends_the_errors(void)
{
    set_up();
    be_active();
    ask(5900);
    for (unsigned i = 0; i < 8; i++) {
        ask(6000);
        answer(100, 1);
    }
    assert_silent();
}

static void path_that_never_answered_is_not_judged(void)
{
    set_up();
    for (unsigned i = 0; i < 12; i++)
        ask(i < 6 ? 6000 : 1500);
    assert_silent();
}

static void one_way_capture_says_nothing(void)
{
    feeder_init(&feeder);
    for (unsigned i = 0; i < 12; i++)
        ask(i < 6 ? 6000 : 1500);
    assert_silent();
}

static void probe_of_the_pmtu_that_is_lost_is_no_error(void)
{
    set_up();
    be_active();
    for (unsigned i = 0; i < 8; i++) {
        begin_after(true, 6000);
        put32(chunk(&feeder, SCTPA_CHUNK_HEARTBEAT, 0, 2) + 4, ++info);
        chunk(&feeder, SCTPA_CHUNK_PAD, 0, 250);
        feed(&feeder);
    }
    assert_silent();
}

static void heartbeats_on_demand_are_no_errors(void)
{
    set_up();
    be_active();
    for (unsigned i = 0; i < 8; i++)
        ask(80);
    assert_silent();
}

static void association_that_ends_says_nothing(void)
{
    set_up();
    be_active();
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_SHUTDOWN_ACK, 0);
    lose_four();
    assert_silent();
}

/* Data is lost twice on the path, and two HEARTBEATs: four errors. */
static void timeouts_and_heartbeats_count_together(void)
{
    set_up();
    be_active();
    send_data(1000, tsn);
    send_data(1050, tsn);
    send_data(2100, tsn);
    g_assert_null(event(SCTPA_EVENT_PATH_INACTIVE));
    ask(500);
    ask(4000);
    g_assert_null(event(SCTPA_EVENT_PATH_INACTIVE));
    uint32_t last = ask(8000);
    const sctpa_event_t *inactive = event(SCTPA_EVENT_PATH_INACTIVE);
    g_assert_nonnull(inactive);
    g_assert_cmpuint(inactive->frame, ==, last);
    g_assert_true(g_str_has_prefix(inactive->detail, "2 HEARTBEATs unanswered, 2 timeouts, "));
    g_assert_null(event(SCTPA_EVENT_PATH_POTENTIALLY_FAILED));
    g_assert_cmpuint(outage()->timeouts, ==, 2);
    sctpa_free(feeder.sctpa);
}

/* What the timer of the path sends goes to the first address of Z, 1.2 s later, and is acked there. */
static void lose_to_timer(uint32_t number, int64_t timer_ms, bool is_acked)
{
    send_data(500, number);
    begin(&feeder, true, TAG_Z);
    feeder.packet.time_ns += timer_ms * SCTPA_NS_PER_MS;
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_DATA, 3, 4);
    put32(value, number);
    put32(value + 12, number * 2654435761u);
    feed(&feeder);
    if (is_acked)
        feed_sack(&feeder, false, TAG_A, number);
}

static void timeouts_in_a_row_are_an_outage_while_data_passes_elsewhere(void)
{
    set_up();
    be_active();
    lose_to_timer(tsn, 1200, true);
    g_assert_null(outage());
    lose_to_timer(tsn + 1, 2400, true);
    g_assert_nonnull(outage());
    g_assert_cmpuint(outage()->timeouts, ==, 2);
    g_assert_cmpuint(outage()->frame, ==, feeder.packet.frame - 1);
    g_assert_cmpuint(outage()->answered_frame, ==, 0);
    lose_to_timer(tsn + 2, 4800, true);
    g_assert_cmpuint(outage()->timeouts, ==, 3);
    ask(500);
    answer(50, 0);
    g_assert_cmpuint(outage()->answered_frame, ==, feeder.packet.frame);
    g_assert_null(event(SCTPA_EVENT_PATH_RECOVERED));
    sctpa_free(feeder.sctpa);
}

static void timeouts_are_none_while_nothing_passes_elsewhere(void)
{
    set_up();
    be_active();
    lose_to_timer(tsn, 1200, false);
    lose_to_timer(tsn, 2400, false);
    assert_silent();
}

static void timeouts_are_none_between_which_the_path_answers(void)
{
    set_up();
    be_active();
    for (unsigned i = 0; i < 3; i++) {
        lose_to_timer(tsn + i, 1200, true);
        ask(500);
        answer(50, 0);
    }
    assert_silent();
}

static void timeout_does_not_tell_when_a_path_was_inactive_while_a_heartbeat_is_under_way(void)
{
    set_up();
    be_active();
    ask(5900);
    ask(6000);
    send_data(100, tsn);
    send_data(1050, tsn);
    send_data(2100, tsn);
    g_assert_null(event(SCTPA_EVENT_PATH_INACTIVE));
    send_data(4200, tsn);
    g_assert_null(event(SCTPA_EVENT_PATH_INACTIVE));
    sctpa_free(feeder.sctpa);
}

/* The next HEARTBEAT comes a minute later: the error was counted when it was due, after 5 s and one and a half RTOs. */
static void error_is_counted_when_the_next_heartbeat_was_due(void)
{
    set_up_with("* Path.Max.Retrans=0");
    be_active();
    ask(5900);
    ask(60000);
    g_assert_nonnull(event(SCTPA_EVENT_PATH_INACTIVE));
    g_assert_cmpfloat(after_first_s(outage()->inactive.earliest_ns), >, 4);
    g_assert_cmpfloat(after_first_s(outage()->inactive.earliest_ns), <, 6);
    g_assert_cmpfloat(after_first_s(outage()->inactive.latest_ns), >, 6.5);
    g_assert_cmpfloat(after_first_s(outage()->inactive.latest_ns), <, 8);
    sctpa_free(feeder.sctpa);
}

/* HEARTBEATs that data held up do not show how long HB.interval is. */
static void path_with_data_has_no_usual_interval(void)
{
    set_up();
    for (unsigned i = 0; i < 4; i++) {
        send_data(4000, tsn);
        feed_sack(&feeder, false, TAG_A, tsn++);
        ask(9000);
        answer(100, 0);
    }
    ask(13000);
    ask(6000);
    ask(6000);
    assert_silent();
}

static void outages_are_bounded(void)
{
    set_up_with("* Path.Max.Retrans=0");
    be_active();
    for (unsigned i = 0; i < 2 * SCTPA_OUTAGES_MAX; i++) {
        ask(6000);
        ask(6000);
        answer(100, 0);
    }
    const sctpa_switching_t *switching = sctpa_assoc(feeder.sctpa, 0)->ends[0].rare->switching;
    g_assert_cmpuint(switching->n_outages, ==, 2 * SCTPA_OUTAGES_MAX);
    g_assert_cmpuint(switching->outages[SCTPA_OUTAGES_MAX - 1].answered_frame, >, 0);
    sctpa_forget(feeder.sctpa, 0);
    sctpa_free(feeder.sctpa);
}

/* UBSan watches. */
static void heartbeats_years_apart_are_reckoned_without_overflow(void)
{
    set_up_with("* Path.Max.Retrans=1 RTO.Max=3600s HB.interval=86400s");
    be_active();
    ask(6000);
    ask(INT64_C(200000000000));
    ask(1);
    ask(INT64_C(30000000000));
    g_assert_nonnull(event(SCTPA_EVENT_PATH_INACTIVE));
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/idle_paths/" #name, name)
    TEST(path_probed_once_per_rto_is_potentially_failed);
    TEST(path_asked_as_seldom_as_before_is_not_potentially_failed);
    TEST(path_that_was_asked_sooner_for_another_reason_is_not_potentially_failed);
    TEST(path_with_more_errors_than_path_max_retrans_is_inactive);
    TEST(path_max_retrans_is_that_of_the_rfc_where_nothing_is_asserted);
    TEST(path_that_answers_again_has_recovered);
    TEST(late_answer_before_the_next_heartbeat_is_no_error);
    TEST(answer_after_the_next_heartbeat_ends_the_errors);
    TEST(path_that_never_answered_is_not_judged);
    TEST(one_way_capture_says_nothing);
    TEST(probe_of_the_pmtu_that_is_lost_is_no_error);
    TEST(heartbeats_on_demand_are_no_errors);
    TEST(association_that_ends_says_nothing);
    TEST(timeouts_and_heartbeats_count_together);
    TEST(timeouts_in_a_row_are_an_outage_while_data_passes_elsewhere);
    TEST(timeouts_are_none_while_nothing_passes_elsewhere);
    TEST(timeouts_are_none_between_which_the_path_answers);
    TEST(timeout_does_not_tell_when_a_path_was_inactive_while_a_heartbeat_is_under_way);
    TEST(error_is_counted_when_the_next_heartbeat_was_due);
    TEST(path_with_data_has_no_usual_interval);
    TEST(outages_are_bounded);
    TEST(heartbeats_years_apart_are_reckoned_without_overflow);
    return g_test_run();
}
