/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects learned timers and the limit of errors on a path: timeouts, HEARTBEATs, leaving a path. */
#include "data_feed.h"

static const int64_t ms = 1000000, step_ns = 10000000; /* step_ns: from one fed packet to the next */
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
    sctpa_learned_value_t value = learned(&feeder, 0, SCTPA_PARAMETER_RTO_MIN);
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
    g_assert_cmpuint(learned(&feeder, 0, SCTPA_PARAMETER_RTO_MIN).samples, ==, 0);
    sctpa_free(feeder.sctpa);
}

/* Keeps the last. */
static void keep_rtos(void *user, uint16_t path, uint32_t packet, const sctpa_rtos_t *rtos)
{
    sctpa_rtos_t *kept = user;
    (void)path;
    (void)packet;
    *kept = *rtos;
}

static void rtos_have_the_bounds_that_were_learned(void)
{
    feeder_t feeder;
    sctpa_rtos_t rtos = { 0 };
    begin_association(&feeder, 10 * ms - ms / 10);
    unsigned number = feed_round_trips(&feeder, 0, 10, 1000);
    sctpa_rtos(feeder.sctpa, 0, 0, keep_rtos, &rtos);
    g_assert_false(rtos.is_learned);
    g_assert_cmpint(rtos.value_ns, ==, 1000 * ms);
    g_assert_cmpint(rtos.least_ns, ==, 1000 * ms);
    g_assert_cmpint(rtos.most_ns, ==, 1000 * ms);
    feed_bytes(&feeder, 1400 * ms, FIRST + number, 25);
    feed_bytes(&feeder, 1704 * ms, FIRST + number, 25);
    feed_window(&feeder, 1724 * ms, FIRST + number, 65536);
    feed_round_trips(&feeder, number + 1, 1, 1800);
    sctpa_rtos(feeder.sctpa, 0, 0, keep_rtos, &rtos);
    g_assert_true(rtos.is_learned);
    g_assert_cmpint(rtos.value_ns, ==, 304 * ms);
    g_assert_cmpint(rtos.least_ns, ==, 228 * ms);
    g_assert_cmpint(rtos.most_ns, ==, 380 * ms);
    sctpa_free(feeder.sctpa);
}

static sctpa_rtos_t rtos_at(const feeder_t *feeder, uint32_t packet, bool first_pass)
{
    sctpa_rtos_t rtos = { 0 };
    g_assert_true(sctpa_rto_at(feeder->sctpa, 0, 0, 0, packet, first_pass, &rtos));
    return rtos;
}

static void a_look_back_knows_what_later_packets_showed(void)
{
    feeder_t feeder;
    sctpa_rtos_t none;
    begin_association(&feeder, 10 * ms - ms / 10);
    unsigned number = feed_round_trips(&feeder, 0, 10, 1000);
    const uint32_t early = sctpa_summary(feeder.sctpa)->packets - 1;
    g_assert_false(sctpa_rto_at(feeder.sctpa, 0, 0, 0, 0, false, &none));
    g_assert_cmpint(sctpa_rto_before_ns(feeder.sctpa, 0, 0, 0, 1), ==, 1000 * ms);
    g_assert_cmpint(rtos_at(&feeder, early, true).value_ns, ==, 1000 * ms);
    g_assert_cmpint(rtos_at(&feeder, early, false).value_ns, ==, 1000 * ms);
    feed_bytes(&feeder, 1400 * ms, FIRST + number, 25);
    const uint32_t timeout = feed_bytes(&feeder, 1704 * ms, FIRST + number, 25);
    g_assert_cmpint(rtos_at(&feeder, timeout, true).value_ns, ==, 608 * ms);
    g_assert_cmpint(rtos_at(&feeder, timeout, true).most_ns, ==, 2000 * ms);
    feed_window(&feeder, 1724 * ms, FIRST + number, 65536);
    feed_round_trips(&feeder, number + 1, 1, 1800);
    g_assert_cmpint(rtos_at(&feeder, early, false).value_ns, ==, 304 * ms);
    g_assert_cmpint(rtos_at(&feeder, early, false).most_ns, ==, 380 * ms);
    g_assert_cmpint(rtos_at(&feeder, timeout, false).value_ns, ==, 608 * ms);
    g_assert_cmpint(sctpa_rto_before_ns(feeder.sctpa, 0, 0, 0, timeout), ==, 304 * ms);
    sctpa_free(feeder.sctpa);
}

/* Before four round trips RTO.Min is not learned. */
enum { LOOKERS = 4, ROUNDS = 3000 };

typedef struct {
    feeder_t feeder;
    gint round, done; /* atomic: looked at, and by how many threads */
    gint wrong;
} looks_t;

static gpointer look_in_each_round(gpointer data)
{
    looks_t *looks = data;
    for (gint round = 1; round <= ROUNDS; round++) {
        while (g_atomic_int_get(&looks->round) < round)
            g_thread_yield();
        if (sctpa_rto_before_ns(looks->feeder.sctpa, 0, 0, 0, 8) != 1000 * ms)
            g_atomic_int_inc(&looks->wrong);
        g_atomic_int_inc(&looks->done);
    }
    return NULL;
}

/* The first look after a packet learns, and forgets what was learned before: all threads do so at once. */
static void several_threads_may_look(void)
{
    looks_t looks = { .round = 0 };
    GThread *threads[LOOKERS];
    begin_association(&looks.feeder, 10 * ms - ms / 10);
    unsigned number = feed_round_trips(&looks.feeder, 0, 10, 1000);
    for (unsigned i = 0; i < LOOKERS; i++)
        threads[i] = g_thread_new("look", look_in_each_round, &looks);
    for (gint round = 1; round <= ROUNDS; round++) {
        number += feed_round_trips(&looks.feeder, number, 1, 1400 + 20 * (unsigned)round);
        g_atomic_int_set(&looks.done, 0);
        g_atomic_int_set(&looks.round, round);
        while (g_atomic_int_get(&looks.done) < LOOKERS)
            g_thread_yield();
    }
    for (unsigned i = 0; i < LOOKERS; i++)
        g_thread_join(threads[i]);
    g_assert_cmpint(looks.wrong, ==, 0);
    sctpa_free(looks.feeder.sctpa);
}

static void a_timeout_sooner_than_the_rfc_allows_bounds_rto_min(void)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms - ms / 10);
    unsigned number = feed_round_trips(&feeder, 0, 2, 1000);
    feed_bytes(&feeder, 1400 * ms, FIRST + number, 25);
    feed_bytes(&feeder, 1704 * ms, FIRST + number, 25);
    feed_window(&feeder, 1724 * ms, FIRST + number, 65536);
    feed_round_trips(&feeder, number + 1, 1, 1800);
    const uint32_t last = sctpa_summary(feeder.sctpa)->packets - 1;
    g_assert_cmpuint(learned(&feeder, 0, SCTPA_PARAMETER_RTO_MIN).samples, ==, 0);
    g_assert_cmpint(rtos_at(&feeder, last, false).value_ns, ==, 304 * ms);
    g_assert_cmpint(rtos_at(&feeder, last, false).least_ns, <, 100 * ms);
    g_assert_cmpint(rtos_at(&feeder, last, false).most_ns, ==, 1000 * ms);
    g_assert_cmpint(rtos_at(&feeder, last, true).value_ns, ==, 304 * ms);
    sctpa_free(feeder.sctpa);
}

/* Of timeouts of one TSN after round trips, each so long after the one before; sack_after: after how many of them a
 * SACK passed that acknowledged nothing new, 0 none. */
static sctpa_learned_value_t rto_max_of(const int *waits_ms, unsigned n, unsigned sack_after)
{
    feeder_t feeder;
    begin_association(&feeder, 10 * ms - ms / 10);
    unsigned number = feed_round_trips(&feeder, 0, 10, 1000);
    int64_t at_ms = 2000;
    feed_bytes(&feeder, at_ms * ms, FIRST + number, 25);
    for (unsigned i = 0; i < n; i++) {
        at_ms += waits_ms[i];
        feed_bytes(&feeder, at_ms * ms, FIRST + number, 25);
        if (i + 1 == sack_after)
            feed_window(&feeder, (at_ms + 1) * ms, FIRST + number - 1, 65536);
    }
    sctpa_learned_value_t value = learned(&feeder, 0, SCTPA_PARAMETER_RTO_MAX);
    sctpa_free(feeder.sctpa);
    return value;
}

static void even_waits_after_doubled_ones_show_rto_max(void)
{
    const int waits_ms[] = { 300, 600, 1200, 2005, 2000, 2010 };
    sctpa_learned_value_t value = rto_max_of(waits_ms, G_N_ELEMENTS(waits_ms), 0);
    g_assert_cmpuint(value.samples, ==, 3);
    g_assert_cmpint(value.value, ==, 2000 * ms);
    g_assert_cmpint(value.low, <=, 1990 * ms);
    g_assert_cmpint(value.high, ==, 2020 * ms);
}

static void even_waits_that_nothing_led_up_to_show_no_rto_max(void)
{
    const int even_ms[] = { 300, 300, 300, 300, 300 }, doubled_ms[] = { 300, 600, 1200, 2400 },
              two_ms[] = { 300, 600, 1200, 2000, 2000 }, six_ms[] = { 300, 600, 1200, 2005, 2000, 2010 };
    g_assert_cmpuint(rto_max_of(even_ms, G_N_ELEMENTS(even_ms), 0).samples, ==, 0);
    g_assert_cmpuint(rto_max_of(doubled_ms, G_N_ELEMENTS(doubled_ms), 0).samples, ==, 0);
    g_assert_cmpuint(rto_max_of(two_ms, G_N_ELEMENTS(two_ms), 0).samples, ==, 0);
    g_assert_cmpuint(rto_max_of(six_ms, G_N_ELEMENTS(six_ms), 5).samples, ==, 0);
}

/* INITs of A, and how soon it answers the INIT ACK; first_answered: an INIT ACK before the second, too. */
static sctpa_learned_value_t rto_initial_of(unsigned inits, bool first_answered, int64_t answer_ns)
{
    feeder_t feeder;
    feeder_init(&feeder);
    for (unsigned i = 0; i < inits; i++) {
        feed_init(&feeder, true, TAG_A);
        if (first_answered)
            feed_init_ack(&feeder, false, TAG_A, TAG_Z);
        feeder.packet.time_ns += i + 1 < inits ? 500 * ms : 0;
    }
    feed_init_ack(&feeder, false, TAG_A, TAG_Z);
    feeder.packet.time_ns += answer_ns - step_ns;
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_COOKIE_ACK, 0);
    sctpa_learned_value_t value = learned(&feeder, 0, SCTPA_PARAMETER_RTO_INITIAL);
    g_assert_cmpuint(learned(&feeder, 1, SCTPA_PARAMETER_RTO_INITIAL).samples, ==, 0);
    sctpa_free(feeder.sctpa);
    return value;
}

static void two_inits_near_their_sender_show_rto_initial(void)
{
    sctpa_learned_value_t value = rto_initial_of(2, false, ms / 10);
    g_assert_cmpuint(value.samples, ==, 1);
    g_assert_cmpint(value.value, >=, 510 * ms);
    g_assert_cmpint(value.value, <, 511 * ms);
    g_assert_cmpint(value.low, <=, 500 * ms);
    g_assert_cmpuint(rto_initial_of(1, false, ms / 10).samples, ==, 0);
    g_assert_cmpuint(rto_initial_of(3, false, ms / 10).samples, ==, 0);
    g_assert_cmpuint(rto_initial_of(2, true, ms / 10).samples, ==, 0);
    g_assert_cmpuint(rto_initial_of(2, false, 50 * ms).samples, ==, 0);
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
    sctpa_learned_value_t value = learned(&feeder, 0, SCTPA_PARAMETER_HB_INTERVAL);
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
    g_assert_cmpuint(learned(&feeder, 0, SCTPA_PARAMETER_HB_INTERVAL).samples, ==, 0);
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
        sctpa_learned_value_t value = learned(&feeder, 0, SCTPA_PARAMETER_PATH_MAX_RETRANS);
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
    g_test_add_func("/learned/rtos", rtos_have_the_bounds_that_were_learned);
    g_test_add_func("/learned/rtos/later", a_look_back_knows_what_later_packets_showed);
    g_test_add_func("/learned/rtos/threads", several_threads_may_look);
    g_test_add_func("/learned/rtos/sooner", a_timeout_sooner_than_the_rfc_allows_bounds_rto_min);
    g_test_add_func("/learned/rto_max", even_waits_after_doubled_ones_show_rto_max);
    g_test_add_func("/learned/rto_max/unshown", even_waits_that_nothing_led_up_to_show_no_rto_max);
    g_test_add_func("/learned/rto_initial", two_inits_near_their_sender_show_rto_initial);
    g_test_add_func("/learned/heartbeat_interval", intervals_of_heartbeats_show_hb_interval_between_bounds);
    g_test_add_func("/learned/heartbeat_interval/unanswered", heartbeats_that_nobody_answers_show_no_interval);
    g_test_add_func("/learned/path_max_retrans", errors_until_new_data_leaves_a_path_are_counted);
    return g_test_run();
}
