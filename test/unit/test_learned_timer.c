/* Protects learned timers and the limit of errors on a path: timeouts, HEARTBEATs, leaving a path. */
#include "data_feed.h"

static const int64_t ms = 1000000;
enum { FIRST = TAG_A };

/* Round trips of 20 ms from number on, starting at from_ms; returns the number after them. */
static unsigned feed_round_trips(feeder_t *feeder, unsigned number, unsigned n, int64_t from_ms)
{
    for (unsigned i = 0; i < n; i++, number++) {
        feed_bytes(feeder, (from_ms + 30 * i) * ms, FIRST + number, 25);
        feed_window(feeder, (from_ms + 30 * i + 20) * ms, FIRST + number, 65536);
    }
    return number;
}

static void waits_far_longer_than_the_round_trips_show_rto_min(void)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms - ms / 10);
    for (unsigned i = 0, number = 0; i < 2; i++) {
        int64_t from_ms = 1000 + 2000 * i;
        number = feed_round_trips(&feeder, number, 10, from_ms);
        feed_bytes(&feeder, (from_ms + 400) * ms, FIRST + number, 25);
        feed_bytes(&feeder, (from_ms + 704) * ms, FIRST + number, 25);
        feed_window(&feeder, (from_ms + 724) * ms, FIRST + number, 65536);
        number++;
    }
    sctpa_learned_value_t value = learned(&feeder, 0, SCTPA_LEARNED_RTO_MIN);
    g_assert_cmpuint(value.samples, ==, 2);
    g_assert_cmpint(value.value, ==, 304 * ms);
    g_assert_cmpint(value.low, <=, 300 * ms);
    g_assert_cmpint(value.high, >=, 304 * ms);
    sctpa_free(feeder.sctpa);
}

static void a_timeout_before_round_trips_were_measured_shows_nothing(void)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms - ms / 10);
    feed_bytes(&feeder, 1000 * ms, FIRST, 25);
    feed_bytes(&feeder, 1500 * ms, FIRST, 25);
    feed_window(&feeder, 1520 * ms, FIRST, 65536);
    g_assert_cmpuint(learned(&feeder, 0, SCTPA_LEARNED_RTO_MIN).samples, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void feed_heartbeat(feeder_t *feeder, int64_t time_ns, uint32_t info, bool answered)
{
    for (int answer = 0; answer <= answered; answer++) {
        begin(feeder, !answer, answer ? TAG_A : TAG_Z);
        uint8_t *value = chunk(feeder, answer ? SCTPA_CHUNK_HEARTBEAT_ACK : SCTPA_CHUNK_HEARTBEAT, 0, 2);
        put32(value, 0x00010008);
        put32(value + 4, info);
        feeder->packet.time_ns = time_ns + 20 * ms * answer;
        again(feeder);
    }
}

/* 5 s and an RTO of 1 s with all of its jitter. */
static void feed_heartbeats(feeder_t *feeder, bool answered)
{
    int64_t at_ns = 1000 * ms;
    for (unsigned i = 0; i < 12; i++) {
        feed_heartbeat(feeder, at_ns, i, answered);
        at_ns += 5500 * ms + i * 331 % 1000 * ms;
    }
}

static void intervals_of_heartbeats_show_hb_interval_between_bounds(void)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms - ms / 10);
    feed_heartbeats(&feeder, true);
    sctpa_learned_value_t value = learned(&feeder, 0, SCTPA_LEARNED_HEARTBEAT_INTERVAL);
    g_assert_cmpuint(value.samples, >=, 8);
    g_assert_cmpint(value.low, <=, 5000 * ms);
    g_assert_cmpint(value.high, >=, 5000 * ms);
    g_assert_cmpint(ABS(value.value - 5000 * ms), <=, 200 * ms);
    sctpa_free(feeder.sctpa);
}

static void heartbeats_that_nobody_answers_show_no_interval(void)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms - ms / 10);
    feed_heartbeats(&feeder, false);
    g_assert_cmpuint(learned(&feeder, 0, SCTPA_LEARNED_HEARTBEAT_INTERVAL).samples, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void feed_elsewhere(feeder_t *feeder, int64_t time_ns, unsigned number)
{
    begin(feeder, true, TAG_Z);
    feeder->packet.destination = ip(ADDR_Z + 0x10000);
    feeder->packet.time_ns = time_ns;
    add_data(feeder, FIRST + number, 25);
    again(feeder);
}

/* Timeouts on the first path, resent there, until new data goes elsewhere. */
static void feed_failover(feeder_t *feeder, unsigned timeouts)
{
    unsigned number = feed_round_trips(feeder, 0, 10, 1000);
    int64_t at_ms = 2000, rto_ms = 300;
    feed_bytes(feeder, at_ms * ms, FIRST + number, 25);
    for (unsigned i = 0; i < timeouts; i++, rto_ms *= 2) {
        at_ms += rto_ms;
        feed_bytes(feeder, at_ms * ms, FIRST + number, 25);
    }
    feed_elsewhere(feeder, (at_ms + 10) * ms, number + 1);
}

static void errors_until_new_data_leaves_a_path_are_counted(void)
{
    for (unsigned timeouts = 1; timeouts <= 4; timeouts++) {
        feeder_t feeder;
        begin_association(&feeder, 10 * ms - ms / 10);
        feed_failover(&feeder, timeouts);
        sctpa_learned_value_t value = learned(&feeder, 0, SCTPA_LEARNED_PATH_MAX_RETRANS);
        g_assert_cmpuint(value.samples, ==, timeouts < 3 ? 0 : timeouts);
        if (timeouts >= 3) {
            g_assert_cmpint(value.value, ==, timeouts - 1);
            g_assert_cmpint(value.low, ==, timeouts - 1);
            g_assert_false(value.has_high);
        }
        sctpa_free(feeder.sctpa);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/learned/rto_min", waits_far_longer_than_the_round_trips_show_rto_min);
    g_test_add_func("/learned/rto_min/unmeasured", a_timeout_before_round_trips_were_measured_shows_nothing);
    g_test_add_func("/learned/heartbeat_interval", intervals_of_heartbeats_show_hb_interval_between_bounds);
    g_test_add_func("/learned/heartbeat_interval/unanswered", heartbeats_that_nobody_answers_show_no_interval);
    g_test_add_func("/learned/path_max_retrans", errors_until_new_data_leaves_a_path_are_counted);
    return g_test_run();
}
