/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ladder of made associations: who sent what, when it was at both ends, what was lost and what repeats it. */
#include "data_feed.h"

enum { FIRST_TSN = TAG_A };
static const int64_t ms = 1000000;

static const sctpa_ladder_packet_t *found(const sctpa_ladder_t *ladder, uint32_t packet)
{
    const sctpa_ladder_packet_t *result = sctpa_ladder_find(ladder, packet);
    g_assert_nonnull(result);
    return result;
}

/* A near the tap, whose RTT from tap is 10 ms; that of Z is 20 ms. */
static void places_the_far_end_at_half_the_rtt_from_tap(void)
{
    feeder_t feeder;
    begin_association(&feeder, 0);
    const int64_t tap_rtt_ns[2] = { sctpa_tap_rtt_ns(feeder.sctpa, 0, 0), sctpa_tap_rtt_ns(feeder.sctpa, 0, 1) };
    g_assert_cmpint(tap_rtt_ns[0], >, 0);
    g_assert_cmpint(tap_rtt_ns[1], >, 0);
    sctpa_ladder_t *ladder = sctpa_ladder(feeder.sctpa, 0);
    g_assert_cmpint(sctpa_ladder_far(ladder), ==, SCTPA_LADDER_ONE_TAP);
    g_assert_cmpuint(sctpa_ladder_length(ladder), ==, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const sctpa_ladder_packet_t *packet = sctpa_ladder_at(ladder, i);
        g_assert_cmpuint(packet->packet, ==, i);
        g_assert_cmpuint(packet->from, ==, i % 2);
        g_assert_cmpint(packet->time_ns, ==, sctpa_packet_time_ns(feeder.sctpa, i));
        g_assert_cmpint(packet->sent_ns, ==, packet->time_ns - tap_rtt_ns[i % 2] / 2);
        g_assert_cmpint(packet->arrived_ns, ==, packet->time_ns + tap_rtt_ns[(i + 1) % 2] / 2);
        g_assert_cmpuint(packet->flags, ==, 0);
        if (i > 0)
            g_assert_cmpint(packet->sent_ns, >=, sctpa_ladder_at(ladder, i - 1)->arrived_ns);
    }
    const unsigned rows[] = { SCTPA_CHUNK_ROW_INIT, SCTPA_CHUNK_ROW_INIT_ACK, SCTPA_CHUNK_ROW_COOKIE_ECHO,
                              SCTPA_CHUNK_ROW_COOKIE_ACK };
    for (uint32_t i = 0; i < 4; i++)
        g_assert_cmpuint(sctpa_ladder_at(ladder, i)->rows, ==, 1u << rows[i]);
    sctpa_ladder_free(ladder);
    sctpa_free(feeder.sctpa);
}

/* The second of three packets is lost; a later SACK says so, and it is sent again. */
static void ties_a_retransmission_to_what_was_lost(void)
{
    feeder_t feeder;
    begin_association(&feeder, 0);
    int64_t now_ns = feeder.packet.time_ns;
    const uint32_t first = feed_bytes(&feeder, now_ns += ms, FIRST_TSN, 100);
    const uint32_t lost = feed_bytes(&feeder, now_ns += ms, FIRST_TSN + 1, 100);
    uint32_t later[4], sacks[4];
    for (unsigned i = 0; i < 4; i++)
        later[i] = feed_bytes(&feeder, now_ns += ms, FIRST_TSN + 2 + i, 100);
    now_ns += 30 * ms;
    for (unsigned i = 0; i < 4; i++)
        sacks[i] = feed_gap(&feeder, now_ns += ms, FIRST_TSN, 60000, 2u << 16 | (2 + i));
    const uint32_t again_sent = feed_bytes(&feeder, now_ns += 15 * ms, FIRST_TSN + 1, 100);
    const uint32_t last_sack = feed_window(&feeder, now_ns += 50 * ms, FIRST_TSN + 5, 60000);
    const uint32_t open = feed_bytes(&feeder, now_ns += ms, FIRST_TSN + 6, 100);

    sctpa_ladder_t *ladder = sctpa_ladder(feeder.sctpa, 0);
    const uint16_t has = SCTPA_LADDER_HAS_TSN, arrived = has | SCTPA_LADDER_ARRIVED;
    g_assert_cmpuint(found(ladder, first)->flags, ==, arrived);
    g_assert_cmpuint(found(ladder, lost)->flags, ==, has | SCTPA_LADDER_LOST);
    g_assert_cmpuint(found(ladder, again_sent)->flags, ==, arrived | SCTPA_LADDER_REPEATS);
    g_assert_cmpuint(found(ladder, again_sent)->repeats, ==, lost);
    g_assert_cmpuint(found(ladder, again_sent)->cause, ==, 1 + SCTPA_RTX_FAST);
    g_assert_cmpuint(found(ladder, open)->flags, ==, has | SCTPA_LADDER_NOT_ACKED);
    g_assert_cmpuint(found(ladder, later[3])->first_tsn, ==, FIRST_TSN + 5);

    sctpa_packet_sack_t sack;
    g_assert_true(sctpa_ladder_sack(ladder, found(ladder, sacks[1]), &sack));
    g_assert_cmpuint(sack.cum_tsn, ==, FIRST_TSN);
    g_assert_cmpuint(sack.chunks, ==, 1);
    g_assert_cmpuint(sack.first_packet, ==, later[1]);
    g_assert_true(sctpa_ladder_sack(ladder, found(ladder, last_sack), &sack));
    g_assert_cmpuint(sack.first_packet, ==, again_sent);
    g_assert_false(sctpa_ladder_sack(ladder, found(ladder, first), &sack));

    sctpa_ladder_count_t count;
    sctpa_ladder_count(ladder, 0, sctpa_ladder_length(ladder), &count);
    g_assert_cmpuint(count.data[0], ==, 8);
    g_assert_cmpuint(count.sacks[1], ==, 5);
    g_assert_cmpuint(count.lost[0], ==, 1);
    g_assert_cmpuint(count.repeats[0], ==, 1);
    sctpa_ladder_free(ladder);
    sctpa_free(feeder.sctpa);
}

static void marks_timers_of_requests_without_answer(void)
{
    feeder_t feeder;
    feeder_init(&feeder);
    feed_init(&feeder, true, TAG_A);
    feeder.packet.time_ns += 1000 * ms;
    const uint32_t init = feed_init(&feeder, true, TAG_A).index;
    feed_init_ack(&feeder, false, TAG_A, TAG_Z);
    const uint32_t echo = feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0).index;
    feeder.packet.time_ns += 1000 * ms;
    const uint32_t second = feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0).index;
    sctpa_ladder_t *ladder = sctpa_ladder(feeder.sctpa, 0);
    g_assert_cmpuint(found(ladder, init)->flags, ==, SCTPA_LADDER_T1);
    g_assert_cmpuint(found(ladder, echo)->flags, ==, 0);
    g_assert_cmpuint(found(ladder, second)->flags, ==, SCTPA_LADDER_T1);
    sctpa_ladder_free(ladder);
    sctpa_free(feeder.sctpa);
}

/* Many packets, some stamped early: in order of time, each counted once wherever a count is cut. */
static void counts_in_order_of_time(void)
{
    enum { PACKETS = 1000 };
    feeder_t feeder;
    begin_association(&feeder, 0);
    int64_t now_ns = feeder.packet.time_ns;
    for (uint32_t i = 0; i < PACKETS; i++) {
        now_ns += ms;
        feed_bytes(&feeder, i % 50 == 7 ? now_ns - 20 * ms : now_ns, FIRST_TSN + i, 10);
        if (i % 2)
            feed_window(&feeder, now_ns + ms / 2, FIRST_TSN + i, 60000);
    }
    sctpa_ladder_t *ladder = sctpa_ladder(feeder.sctpa, 0);
    const uint32_t length = sctpa_ladder_length(ladder);
    g_assert_cmpuint(length, ==, 4 + PACKETS + PACKETS / 2);
    for (uint32_t i = 1; i < length; i++)
        g_assert_cmpint(sctpa_ladder_at(ladder, i - 1)->time_ns, <=, sctpa_ladder_at(ladder, i)->time_ns);
    for (uint32_t i = 0; i < length; i += 13) {
        const int64_t time_ns = sctpa_ladder_at(ladder, i)->time_ns;
        const uint32_t before = sctpa_ladder_before(ladder, time_ns);
        g_assert_cmpuint(before, <=, i);
        g_assert_true(before == 0 || sctpa_ladder_at(ladder, before - 1)->time_ns < time_ns);
        sctpa_ladder_count_t low, high;
        sctpa_ladder_count(ladder, 0, i, &low);
        sctpa_ladder_count(ladder, i, length, &high);
        g_assert_cmpuint(low.packets[0] + low.packets[1], ==, i);
        g_assert_cmpuint(low.data[0] + high.data[0], ==, PACKETS);
        g_assert_cmpuint(low.sacks[1] + high.sacks[1], ==, PACKETS / 2);
    }
    sctpa_ladder_free(ladder);
    sctpa_free(feeder.sctpa);
}

/* A packet that leaves A (or Z) at a time and passes the tap there and, unless it is lost, the other one 20 ms later,
 * whose clock is ahead_ns ahead when it is near Z; sightings are fed in this order. */
static uint32_t see(feeder_t *feeder, bool from_a, bool near_a, int64_t time_ns, int64_t ahead_ns)
{
    feeder->packet.frame++;
    feeder->packet.time_ns = time_ns + (near_a ? 0 : ahead_ns);
    feeder->packet.interface = !near_a;
    feeder->packet.source = ip(from_a ? ADDR_A : ADDR_Z);
    feeder->packet.destination = ip(from_a ? ADDR_Z : ADDR_A);
    return again(feeder);
}

static void play_two_taps(int64_t ahead_ns, bool is_aligned)
{
    enum { ROUNDS = 40, LOST_DATA = 20, LOST_SACK = 30 };
    const int64_t way_ns = 20 * ms;
    feeder_t feeder;
    uint32_t left[ROUNDS][2], arrived[ROUNDS][2];
    feeder_init(&feeder);
    int64_t now_ns = 1000 * ms;
    for (uint32_t i = 0; i < ROUNDS; i++)
        for (unsigned turn = 0; turn < 2; turn++, now_ns += way_ns + ms) {
            begin(&feeder, turn == 0, turn == 0 ? TAG_Z : TAG_A);
            const uint32_t tsn = FIRST_TSN + i - (i > LOST_DATA); /* that one is sent again */
            turn == 0 ? add_data(&feeder, tsn, 20) : add_sack(&feeder, tsn, 60000, NULL, 0);
            const bool is_lost = turn == 0 ? i == LOST_DATA : i == LOST_SACK;
            if (turn == 1 && i == LOST_DATA)
                continue;
            left[i][turn] = see(&feeder, turn == 0, turn == 0, now_ns, ahead_ns);
            arrived[i][turn] =
                is_lost ? SCTPA_NO_PACKET_INDEX : see(&feeder, turn == 0, turn != 0, now_ns + way_ns, ahead_ns);
        }
    sctpa_ladder_t *ladder = sctpa_ladder(feeder.sctpa, 0);
    g_assert_cmpint(sctpa_ladder_far(ladder), ==, SCTPA_LADDER_TWO_TAPS);
    g_assert_cmpint(sctpa_ladder_is_aligned(ladder), ==, is_aligned);
    for (uint32_t i = 0; i < ROUNDS; i++)
        for (unsigned turn = 0; turn < 2; turn++) {
            if (turn == 1 && i == LOST_DATA)
                continue;
            const sctpa_ladder_packet_t *packet = found(ladder, left[i][turn]);
            const bool is_lost = arrived[i][turn] == SCTPA_NO_PACKET_INDEX;
            const unsigned from = turn ^ found(ladder, left[0][0])->from;
            g_assert_cmpuint(packet->from, ==, from);
            g_assert_cmpuint(packet->again, ==, arrived[i][turn]);
            g_assert_cmpint(packet->arrived_ns - packet->sent_ns, ==, way_ns);
            g_assert_cmpint(!(packet->flags & SCTPA_LADDER_LOST), ==, !is_lost);
            g_assert_true(packet->flags & SCTPA_LADDER_SENT_KNOWN);
            g_assert_cmpint(!(packet->flags & SCTPA_LADDER_ARRIVED_KNOWN), ==, is_lost);
            if (turn == 0 && i == LOST_DATA + 1)
                g_assert_cmpuint(packet->repeats, ==, left[LOST_DATA][0]);
            if (!is_lost)
                g_assert_true(found(ladder, arrived[i][turn]) == packet);
        }
    sctpa_ladder_free(ladder);
    sctpa_free(feeder.sctpa);
}

static void shows_both_ends_where_two_taps_saw_them(void)
{
    play_two_taps(0, false);
}

static void aligns_clocks_by_which_packets_would_arrive_before_they_left(void)
{
    play_two_taps(-50 * ms, true);
}

int main(int argc, char *argv[])
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ladder/places_the_far_end_at_half_the_rtt_from_tap", places_the_far_end_at_half_the_rtt_from_tap);
    g_test_add_func("/ladder/ties_a_retransmission_to_what_was_lost", ties_a_retransmission_to_what_was_lost);
    g_test_add_func("/ladder/marks_timers_of_requests_without_answer", marks_timers_of_requests_without_answer);
    g_test_add_func("/ladder/counts_in_order_of_time", counts_in_order_of_time);
    g_test_add_func("/ladder/shows_both_ends_where_two_taps_saw_them", shows_both_ends_where_two_taps_saw_them);
    g_test_add_func("/ladder/aligns_clocks_by_which_packets_would_arrive_before_they_left",
                    aligns_clocks_by_which_packets_would_arrive_before_they_left);
    return g_test_run();
}
