/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stamps of any 64 bits: differences of times never overflow (this runs under UBSan), and what is counted in place of a
 * stamp is said. */
#include "../fuzz/measure_check.h"
#include "../fuzz/series_check.h"
#include "track_feed.h"

enum { ROUNDS = 200, SECOND_Z = 0x0a000201 };

static feeder_t feeder;

static int64_t usual(uint32_t number)
{
    return INT64_C(1700000000000000000) + number * 10000000;
}

static void feed_at(int64_t time_ns)
{
    feeder.packet.time_ns = time_ns;
    again(&feeder);
    feeder.packet.time_ns = usual(0);
}

static void data_at(int64_t time_ns, uint32_t tsn, bool elsewhere)
{
    begin(&feeder, true, TAG_Z);
    if (elsewhere)
        feeder.packet.destination = ip(SECOND_Z);
    put32(chunk(&feeder, SCTPA_CHUNK_DATA, 3, 4), tsn);
    feed_at(time_ns);
}

static void sack_at(int64_t time_ns, uint32_t cum_tsn, uint32_t a_rwnd_bytes)
{
    begin(&feeder, false, TAG_A);
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_SACK, 0, 3);
    put32(value, cum_tsn);
    put32(value + 4, a_rwnd_bytes);
    feed_at(time_ns);
}

static void heartbeat_at(int64_t time_ns, bool from_a, uint8_t type, uint32_t info)
{
    begin(&feeder, from_a, from_a ? TAG_Z : TAG_A);
    put32(chunk(&feeder, type, 0, 2) + 4, info);
    feed_at(time_ns);
}

/* Data, losses, a closed window, heartbeats, ICMP errors, and all that is measured of it. time_of: stamp of a packet by
 * its number. */
static void play(int64_t (*time_of)(uint32_t number))
{
    uint32_t number = 0;
    sctpa_icmp_t icmp = { .kind = SCTPA_ICMP_UNREACHABLE };
    feeder_init(&feeder);
    heartbeat_at(time_of(number++), true, SCTPA_CHUNK_HEARTBEAT, ROUNDS);
    feed_setup(&feeder, TAG_A, TAG_Z);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t tsn = TAG_A + i;
        data_at(time_of(number++), tsn, false);
        if (i % 5 == 0)
            data_at(time_of(number++), tsn, i % 2 == 1);
        if (i % 10 == 5) /* on a path whose timer was never seen to start */
            data_at(time_of(number++), tsn, true);
        sack_at(time_of(number++), i % 7 == 0 ? tsn - 1 : tsn, i % 3 == 0 ? 0 : 65536);
        heartbeat_at(time_of(number++), true, SCTPA_CHUNK_HEARTBEAT, i);
        if (i % 4 == 0)
            heartbeat_at(time_of(number++), false, SCTPA_CHUNK_HEARTBEAT_ACK, i);
        icmp.quoted = feeder.packet;
        icmp.quoted.time_ns = time_of(number++);
        sctpa_feed_icmp(feeder.sctpa, &icmp);
    }
    sctpa_outcome(feeder.sctpa, sctpa_assoc(feeder.sctpa, 0), time_of(number++));
    sctpa_packets_t halves[2] = { { NULL }, { NULL } };
    for (uint32_t i = 0; i < sctpa_summary(feeder.sctpa)->packets; i++)
        sctpa_packets_add(&halves[i % 2], i);
    for (uint8_t end = 0; end < 2; end++) {
        measure_check(feeder.sctpa, 0, end, halves);
        check_series(feeder.sctpa, 0, end);
    }
    sctpa_packets_clear(&halves[0]);
    sctpa_packets_clear(&halves[1]);
}

static int64_t highest(uint32_t number)
{
    return INT64_MAX - (int64_t)(number % 2);
}
static int64_t lowest(uint32_t number)
{
    return INT64_MIN + number % 2;
}
static int64_t by_turns(uint32_t number)
{
    return number % 2 ? INT64_MAX : INT64_MIN;
}
static int64_t far_and_near(uint32_t number)
{
    return number % 2 ? usual(number) : number % 3 ? INT64_MAX : INT64_MIN;
}
static int64_t scattered(uint32_t number)
{
    return (int64_t)((number + 1) * UINT64_C(0x9e3779b97f4a7c15));
}
/* As usual, but as late as the first packet may be. */
static int64_t latest(uint32_t number)
{
    return SCTPA_TIME_FAR_NS + number * 300 * SCTPA_NS_PER_MS;
}
static int64_t doubling(uint32_t number)
{
    return usual(0) + (INT64_C(1) << number % 60);
}

static uint32_t too_far(void)
{
    uint32_t far = sctpa_summary(feeder.sctpa)->quality[6].count;
    g_assert_cmpstr(sctpa_capture_word(6), ==, "time");
    sctpa_free(feeder.sctpa);
    return far;
}

static void usual_times_are_taken_as_they_are(void)
{
    play(usual);
    g_assert_cmpint(sctpa_summary(feeder.sctpa)->first_ns, ==, usual(0));
    g_assert_cmpuint(too_far(), ==, 0);
}

static void any_time_is_taken(void)
{
    int64_t (*const times[])(uint32_t) = { highest, lowest, by_turns, far_and_near, scattered, doubling, latest };
    for (unsigned i = 0; i < G_N_ELEMENTS(times); i++) {
        play(times[i]);
        g_assert_cmpuint(too_far(), >, 0);
    }
}

static void times_stay_within_the_span(void)
{
    play(by_turns);
    const sctpa_summary_t *summary = sctpa_summary(feeder.sctpa);
    for (uint32_t i = 0; i < summary->packets; i++) {
        int64_t since_ns = sctpa_packet_time_ns(feeder.sctpa, i) - summary->first_ns;
        g_assert_cmpint(ABS(since_ns), <=, SCTPA_TIME_SPAN_NS);
    }
    too_far();
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/times/usual_times_are_taken_as_they_are", usual_times_are_taken_as_they_are);
    g_test_add_func("/times/any_time_is_taken", any_time_is_taken);
    g_test_add_func("/times/times_stay_within_the_span", times_stay_within_the_span);
    return g_test_run();
}
