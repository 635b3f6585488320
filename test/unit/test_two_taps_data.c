/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data of an association that two taps saw, at interface 0 near A and at interface 1 near Z, 20 ms apart: what is told
 * of it is what the tap near its sender shows, SACK delays what the one near its receiver does. */
#include "../../plugins/sctp_analysis/core/analysis.h"
#include "data_feed.h"

enum { SIGHTINGS_MAX = 4096, NEVER = -1 };
static const int64_t ms = 1000000, way_ns = 20000000, turn_ns = 100000;

typedef struct {
    int64_t time_ns;
    uint32_t interface, length;
    uint16_t ip_id;
    bool from_a;
    uint8_t bytes[256];
} sighting_t;

typedef struct {
    feeder_t feeder;
    sighting_t seen[SIGHTINGS_MAX];
    unsigned n;
    int64_t ahead_ns; /* of the clock near Z */
    int64_t now_ns;   /* when the next packet leaves */
} play_t;

static play_t play;

static gint by_time(gconstpointer a, gconstpointer b)
{
    const sighting_t *x = a, *y = b;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static void see(bool from_a, uint32_t interface, int64_t time_ns)
{
    sighting_t *sighting = &play.seen[play.n++];
    g_assert_cmpuint(play.n, <=, SIGHTINGS_MAX);
    *sighting = (sighting_t){ .time_ns = time_ns + (interface > 0 ? play.ahead_ns : 0),
                              .interface = interface,
                              .length = play.feeder.length,
                              .ip_id = play.feeder.packet.ip_id,
                              .from_a = from_a };
    memcpy(sighting->bytes, play.feeder.bytes, play.feeder.length);
}

/* The packet that was built leaves at now_ns, and is lost or arrives. */
static void leave(bool from_a, bool is_lost)
{
    see(from_a, from_a ? 0 : 1, play.now_ns);
    if (!is_lost)
        see(from_a, from_a ? 1 : 0, play.now_ns + way_ns);
}

/* Feeds all sightings, as a file merged by time holds them. */
static void feed_all(void)
{
    g_qsort_with_data(play.seen, (gint)play.n, sizeof *play.seen, (GCompareDataFunc)(void (*)(void))by_time, NULL);
    for (unsigned i = 0; i < play.n; i++) {
        const sighting_t *sighting = &play.seen[i];
        begin(&play.feeder, sighting->from_a, 0);
        memcpy(play.feeder.bytes, sighting->bytes, sighting->length);
        play.feeder.length = sighting->length;
        play.feeder.packet.time_ns = sighting->time_ns;
        play.feeder.packet.interface = sighting->interface;
        play.feeder.packet.ip_id = sighting->ip_id;
        again(&play.feeder);
    }
    g_assert_cmpuint(sctpa_assoc_count(play.feeder.sctpa), ==, 1);
}

static void build(bool from_a, uint32_t tag)
{
    begin(&play.feeder, from_a, tag);
}

static void set_up_at(int64_t ahead_ns)
{
    memset(&play, 0, sizeof play);
    feeder_init(&play.feeder);
    play.ahead_ns = ahead_ns;
    play.now_ns = 1000 * ms;
    for (unsigned step = 0; step < 4; step++) {
        const uint8_t types[] = { SCTPA_CHUNK_INIT, SCTPA_CHUNK_INIT_ACK, SCTPA_CHUNK_COOKIE_ECHO,
                                  SCTPA_CHUNK_COOKIE_ACK };
        bool from_a = step % 2 == 0;
        build(from_a, step == 0 ? 0 : from_a ? TAG_Z : TAG_A);
        uint8_t *value = chunk(&play.feeder, types[step], 0, step < 2 ? 4 + 2 * step : 0);
        if (step < 2) {
            put32(value, from_a ? TAG_A : TAG_Z);
            put32(value + 4, 65536);
            put32(value + 8, 0x000a000a);
            put32(value + 12, from_a ? TAG_A : TAG_Z);
        }
        if (step == 1)
            put32(value + 16, 0x00070008);
        leave(from_a, false);
        play.now_ns += way_ns + turn_ns;
    }
}

/* A DATA chunk number of an end, and a SACK up to before a number of its peer's; 0 none. */
static void leave_with(bool from_a, uint32_t acks_to, uint32_t gap, int64_t data, bool is_lost)
{
    const uint16_t gaps[2] = { (uint16_t)(gap >> 16), (uint16_t)gap };
    build(from_a, from_a ? TAG_Z : TAG_A);
    if (acks_to > 0)
        add_sack(&play.feeder, (from_a ? TAG_Z : TAG_A) + acks_to - 1, 65536, gaps, gap > 0);
    if (data >= 0)
        add_data(&play.feeder, (from_a ? TAG_A : TAG_Z) + (uint32_t)data, 25);
    leave(from_a, is_lost);
}

/* A sends number, Z acknowledges at once, and the next packet leaves when that has arrived. */
static void exchange(uint32_t number)
{
    leave_with(true, 0, 0, number, false);
    play.now_ns += way_ns + turn_ns;
    leave_with(false, number + 1, 0, NEVER, false);
    play.now_ns += way_ns + turn_ns;
}

static void assert_near(int64_t value_ns, int64_t expected_ns)
{
    g_assert_cmpint(ABS(value_ns - expected_ns), <=, ms / 100);
}

/* The round trips of the data of an end, and how long its peer's SACKs took, are as near the ends. */
static void assert_times(uint8_t end, unsigned least)
{
    sctpa_measure_t *measure = sctpa_measure(play.feeder.sctpa, 0, end, NULL);
    g_assert_cmpuint(measure->all.rtt.samples, >=, least);
    assert_near(measure->all.rtt.min_ns, 2 * way_ns + turn_ns);
    assert_near(measure->sack_delay.min_ns, turn_ns);
    sctpa_measure_free(measure);
}

static void round_trips_are_those_of_the_sender(void)
{
    const int64_t ahead_ns[] = { 0, 5 * ms, -5 * ms, 30 * ms, -30 * ms, 200 * ms, -200 * ms };
    for (unsigned i = 0; i < G_N_ELEMENTS(ahead_ns); i++) {
        set_up_at(ahead_ns[i]);
        for (uint32_t number = 0; number < 20; number++)
            exchange(number);
        feed_all();
        g_assert_cmpint(sctpa_taps(play.feeder.sctpa, 0), ==, SCTPA_TAPS_TWO);
        assert_times(0, 10);
        assert_near(sctpa_tap_rtt_ns(play.feeder.sctpa, 0, 0), turn_ns);
        assert_near(sctpa_tap_rtt_ns(play.feeder.sctpa, 0, 1), turn_ns);
        sctpa_free(play.feeder.sctpa);
    }
}

static void data_and_sack_in_one_packet_are_each_taken_at_their_tap(void)
{
    set_up_at(0);
    for (uint32_t number = 0; number < 20; number++) {
        leave_with(true, number, 0, number, false);
        play.now_ns += way_ns + turn_ns;
        leave_with(false, number + 1, 0, number, false);
        play.now_ns += way_ns + turn_ns;
    }
    feed_all();
    assert_times(0, 10);
    assert_times(1, 10);
    sctpa_free(play.feeder.sctpa);
}

/* The last retransmission of the first association's end 0. */
static const sctpa_rtx_t *last_rtx(const sctpa_direction_t **direction)
{
    *direction = sctpa_direction(play.feeder.sctpa, 0, 0);
    g_assert_cmpuint((*direction)->rare->rtx.len, >, 0);
    return &SCTPA_RECORD(&(*direction)->rare->rtx, sctpa_rtx_t, (*direction)->rare->rtx.len - 1);
}

static void fast_retransmission_follows_the_sacks_that_reached_the_sender(void)
{
    const sctpa_direction_t *direction;
    set_up_at(0);
    exchange(0);
    leave_with(true, 0, 0, 1, true);
    for (uint32_t i = 0; i < 4; i++) {
        play.now_ns += ms;
        leave_with(true, 0, 0, 2 + i, false);
    }
    play.now_ns += way_ns - 3 * ms + turn_ns;
    for (uint32_t i = 0; i < 4; i++) {
        leave_with(false, 1, 0x00020000 + 2 + i, NEVER, false);
        play.now_ns += ms;
    }
    play.now_ns += way_ns - 2 * ms + turn_ns;
    leave_with(true, 0, 0, 1, false);
    feed_all();
    g_assert_cmpint(last_rtx(&direction)->kind, ==, SCTPA_RTX_FAST);
    g_assert_cmpuint(direction->rare->rtx.len, ==, 1);
    sctpa_free(play.feeder.sctpa);
}

static void a_sack_that_is_lost_never_reached_the_sender(void)
{
    const sctpa_direction_t *direction;
    set_up_at(0);
    for (uint32_t number = 0; number < 5; number++)
        exchange(number);
    leave_with(true, 0, 0, 5, false);
    play.now_ns += way_ns + turn_ns;
    leave_with(false, 6, 0, NEVER, true);
    play.now_ns += 1000 * ms - way_ns - turn_ns;
    leave_with(true, 0, 0, 5, false);
    play.now_ns += way_ns + turn_ns;
    leave_with(false, 6, 0, NEVER, false);
    feed_all();
    const sctpa_rtx_t *rtx = last_rtx(&direction);
    g_assert_cmpint(rtx->kind, ==, SCTPA_RTX_TIMEOUT);
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(direction, 5);
    g_assert_cmpuint(tsn->ack_packet, >, rtx->packet);
    const sctpa_direction_t *at_receiver = sctpa_direction_at_receiver(play.feeder.sctpa, 0, 0);
    g_assert_cmpuint(at_receiver->sacks.len, ==, direction->sacks.len + 1);
    sctpa_free(play.feeder.sctpa);
}

/* The capture near A began when data was under way, or ended before it. */
static void a_tap_that_saw_a_part_is_not_asked(void)
{
    set_up_at(0);
    for (uint32_t number = 0; number < 20; number++)
        exchange(number);
    int64_t end_ns = play.now_ns;
    for (uint32_t number = 20; number < 60; number++)
        exchange(number);
    unsigned n = 0;
    for (unsigned i = 0; i < play.n; i++)
        if (play.seen[i].interface == 1 || play.seen[i].time_ns < end_ns)
            play.seen[n++] = play.seen[i];
    play.n = n;
    feed_all();
    const sctpa_direction_t *direction = sctpa_direction(play.feeder.sctpa, 0, 0);
    g_assert_cmpuint(direction->tsns, ==, 60);
    g_assert_cmpint(direction->cum_tsn, ==, 59);
    sctpa_free(play.feeder.sctpa);
}

static void what_was_seen_before_the_first_duplicate_is_kept(void)
{
    set_up_at(0);
    play.n = 0; /* the capture lacks the set-up */
    for (uint32_t number = 0; number < 8; number++) {
        leave_with(true, 0, 0, number, false);
        play.now_ns += ms;
    }
    play.now_ns += way_ns;
    leave_with(false, 8, 0, NEVER, false);
    play.now_ns += way_ns + turn_ns;
    for (uint32_t number = 8; number < 20; number++)
        exchange(number);
    feed_all();
    const sctpa_direction_t *direction = sctpa_direction(play.feeder.sctpa, 0, 0);
    g_assert_cmpint(sctpa_taps(play.feeder.sctpa, 0), ==, SCTPA_TAPS_TWO);
    g_assert_cmpuint(direction->tsns, ==, 20);
    sctpa_free(play.feeder.sctpa);
}

static void a_third_tap_makes_it_unclear(void)
{
    set_up_at(0);
    for (uint32_t number = 0; number < 20; number++)
        exchange(number);
    for (unsigned i = 0, n = play.n; i < n; i++) {
        play.seen[play.n] = play.seen[i];
        play.seen[play.n].interface = 2;
        play.seen[play.n].time_ns += (play.seen[i].interface == 0) == play.seen[i].from_a ? way_ns / 2 : -way_ns / 2;
        play.n += (play.seen[i].interface == 0) == play.seen[i].from_a;
    }
    feed_all();
    g_assert_cmpint(sctpa_taps(play.feeder.sctpa, 0), ==, SCTPA_TAPS_UNCLEAR);
    g_assert_cmpuint(sctpa_direction(play.feeder.sctpa, 0, 0)->rare->rtx.len, ==, 0);
    sctpa_free(play.feeder.sctpa);
}

enum { LOST_THERE = 6, LOST_BACK = 4, EXCHANGES = 40 };

/* DATA and SACKs are lost between the taps now and then; with packets of the set-up that have no identification, as
 * those of Linux. */
static void exchange_with_losses(void)
{
    for (unsigned i = 0; i < play.n; i++)
        play.seen[i].ip_id = 0;
    for (uint32_t number = 0; number < EXCHANGES; number++) {
        if (number % 7 == 3) {
            leave_with(true, 0, 0, number, true);
            play.now_ns += 1000 * ms;
        }
        if (number % 9 == 5) {
            leave_with(true, 0, 0, number, false);
            play.now_ns += way_ns + turn_ns;
            leave_with(false, number + 1, 0, NEVER, true);
            play.now_ns += 1000 * ms;
        }
        exchange(number);
    }
}

static void assert_transit(uint8_t end, uint32_t both, uint32_t lost, int64_t ahead_ns)
{
    sctpa_two_taps_result_t transit;
    g_assert_true(sctpa_two_taps_result(sctpa_assoc(play.feeder.sctpa, 0), end, 0, &transit));
    g_assert_cmpuint(transit.near_interface, ==, end);
    g_assert_cmpuint(transit.both, ==, both);
    g_assert_cmpuint(transit.lost, ==, lost);
    g_assert_cmpuint(transit.only_far, ==, 0);
    g_assert_true(transit.offset_known);
    assert_near(transit.offset_ns, ahead_ns);
    assert_near(transit.min_ns, way_ns);
    assert_near(transit.max_ns, way_ns);
}

static void losses_between_the_taps_are_the_same_whatever_the_clocks(void)
{
    const int64_t ahead_ms[] = { 0, 5, -5, 300, -300, 700, -700, 2000, -2000, 5000, -5000, 16000, -16000 };
    for (unsigned i = 0; i < G_N_ELEMENTS(ahead_ms); i++) {
        set_up_at(ahead_ms[i] * ms);
        exchange_with_losses();
        feed_all();
        assert_transit(0, 2 + EXCHANGES + LOST_BACK, LOST_THERE, ahead_ms[i] * ms);
        assert_transit(1, 2 + EXCHANGES, LOST_BACK, ahead_ms[i] * ms);
        const sctpa_assoc_t *assoc = sctpa_assoc(play.feeder.sctpa, 0);
        g_assert_cmpint(sctpa_assoc_setup_ns(assoc), ==, 4 * way_ns + 3 * turn_ns);
        for (unsigned step = 0; step < SCTPA_STEPS; step++)
            g_assert_cmpuint(assoc->setup.steps[step].count, ==, 1);
        g_assert_cmpuint(sctpa_direction(play.feeder.sctpa, 0, 0)->rare->rtx.len, ==, LOST_THERE + LOST_BACK);
        sctpa_free(play.feeder.sctpa);
    }
}

/* Nothing tells whether the other tap captured then. */
static void what_one_tap_saw_before_and_after_the_other_is_not_lost(void)
{
    set_up_at(300 * ms);
    for (uint32_t number = 0; number < 20; number++)
        exchange(number);
    const int64_t from_ns = play.seen[16].time_ns, to_ns = play.seen[play.n - 16].time_ns;
    unsigned n = 0;
    for (unsigned i = 0; i < play.n; i++)
        if (play.seen[i].interface == 0 || (play.seen[i].time_ns > from_ns && play.seen[i].time_ns < to_ns))
            play.seen[n++] = play.seen[i];
    play.n = n;
    feed_all();
    for (uint8_t end = 0; end < 2; end++) {
        sctpa_two_taps_result_t transit;
        g_assert_true(sctpa_two_taps_result(sctpa_assoc(play.feeder.sctpa, 0), end, 0, &transit));
        g_assert_cmpuint(transit.both, >, 8);
        g_assert_cmpuint(transit.lost + transit.only_far, ==, 0);
    }
    sctpa_free(play.feeder.sctpa);
}

/* Each passes both taps; the clock that is ahead shows what left first after what left later at the other. */
static void retransmissions_of_the_same_bytes_each_have_their_duplicate(void)
{
    const int64_t ahead_ms[] = { 0, 300, -300, 2000, -2000, 16000, -16000 };
    for (unsigned i = 0; i < G_N_ELEMENTS(ahead_ms); i++) {
        set_up_at(ahead_ms[i] * ms);
        for (uint32_t number = 0; number < 20; number++)
            exchange(number);
        const unsigned before = play.n;
        for (unsigned times = 0; times < 3; times++) {
            leave_with(true, 0, 0, 20, false);
            play.now_ns += 1000 * ms;
        }
        for (unsigned j = before; j < play.n; j++)
            play.seen[j].ip_id = 0;
        exchange(21);
        feed_all();
        assert_transit(0, 2 + 20 + 3 + 1, 0, ahead_ms[i] * ms);
        sctpa_free(play.feeder.sctpa);
    }
}

static void all_is_given_back(void)
{
    set_up_at(0);
    size_t before = sctpa_held_bytes(play.feeder.sctpa);
    for (uint32_t number = 0; number < 50; number++)
        exchange(number);
    build(true, TAG_Z);
    put32(chunk(&play.feeder, SCTPA_CHUNK_HEARTBEAT, 0, 2), 0x00010008);
    leave(true, false);
    feed_all();
    g_assert_cmpint(sctpa_taps(play.feeder.sctpa, 0), ==, SCTPA_TAPS_TWO);
    sctpa_forget(play.feeder.sctpa, 0);
    g_assert_cmpuint(sctpa_held_bytes(play.feeder.sctpa), ==, before);
    sctpa_free(play.feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/two_taps_data/" #name, name)
    TEST(round_trips_are_those_of_the_sender);
    TEST(data_and_sack_in_one_packet_are_each_taken_at_their_tap);
    TEST(fast_retransmission_follows_the_sacks_that_reached_the_sender);
    TEST(a_sack_that_is_lost_never_reached_the_sender);
    TEST(a_tap_that_saw_a_part_is_not_asked);
    TEST(what_was_seen_before_the_first_duplicate_is_kept);
    TEST(a_third_tap_makes_it_unclear);
    TEST(losses_between_the_taps_are_the_same_whatever_the_clocks);
    TEST(what_one_tap_saw_before_and_after_the_other_is_not_lost);
    TEST(retransmissions_of_the_same_bytes_each_have_their_duplicate);
    TEST(all_is_given_back);
    return g_test_run();
}
