/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects the numbers drawn from the records of data: each packet, transmission, TSN and time once, with and without a
 * selection. */
#include <math.h>

#include "measure_play.h"

static sctpa_measure_t *measured(play_t *play, bool selected)
{
    return sctpa_measure(play->feeder.sctpa, 0, 0, selected ? &play->selected : NULL);
}

static void knows_which_packets_are_in_a_set(void)
{
    sctpa_packets_t packets = { 0 };
    g_assert_true(sctpa_packets_has(NULL, 7));
    g_assert_false(sctpa_packets_has(&packets, 0));
    sctpa_packets_add(&packets, 0);
    sctpa_packets_add(&packets, 63);
    sctpa_packets_add(&packets, 100000);
    g_assert_true(sctpa_packets_has(&packets, 0));
    g_assert_true(sctpa_packets_has(&packets, 63));
    g_assert_true(sctpa_packets_has(&packets, 100000));
    g_assert_false(sctpa_packets_has(&packets, 64));
    g_assert_false(sctpa_packets_has(&packets, 99999));
    g_assert_false(sctpa_packets_has(&packets, UINT32_MAX));
    sctpa_packets_clear(&packets);
    g_assert_false(sctpa_packets_has(&packets, 0));
}

static void takes_percentiles_by_nearest_rank(void)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(int64_t));
    g_assert_cmpuint(sctpa_percentiles_of(times).samples, ==, 0);
    g_assert_cmpuint(sctpa_percentiles_of(NULL).samples, ==, 0);
    for (int64_t i = 20; i >= 1; i--)
        g_array_append_val(times, i);
    sctpa_percentiles_t spread = sctpa_percentiles_of(times);
    g_assert_cmpuint(spread.samples, ==, 20);
    g_assert_cmpint(spread.min_ns, ==, 1);
    g_assert_cmpint(spread.median_ns, ==, 10);
    g_assert_cmpint(spread.p95_ns, ==, 19);
    g_assert_cmpint(spread.max_ns, ==, 20);
    g_array_set_size(times, 1);
    spread = sctpa_percentiles_of(times);
    g_assert_cmpint(spread.median_ns, ==, 1);
    g_assert_cmpint(spread.p95_ns, ==, 1);
    g_array_unref(times);
}

static void counts_each_tsn_once_and_each_transmission(void)
{
    play_t play;
    play_begin(&play);
    send_whole(&play, 0);
    send_whole(&play, 1);
    send_whole(&play, 0);
    send_whole(&play, 0);
    sack(&play, 2, 65536, NULL, 0, 0);
    sctpa_measure_t *measure = measured(&play, false);
    g_assert_cmpuint(measure->all.tsns, ==, 2);
    g_assert_cmpuint(measure->all.transmissions, ==, 4);
    g_assert_cmpuint(sctpa_sent_rtx(&measure->all), ==, 2);
    g_assert_cmpuint(measure->all.resent_tsns, ==, 1);
    g_assert_cmpuint(measure->all.messages, ==, 2);
    g_assert_cmpuint(measure->all.user_bytes, ==, 200);
    g_assert_cmpuint(measure->all.carried_bytes, ==, 400);
    g_assert_cmpuint(measure->all.data_packets, ==, 4);
    g_assert_cmpint(measure->span_ns, ==, 30 * MS);
    g_assert_cmpuint(measure->paths->len, >=, 1);
    g_assert_cmpuint(g_array_index(measure->paths, sctpa_sent_t, 0).transmissions, ==, 4);
    g_assert_true(measure->missed_known);
    g_assert_cmpuint(measure->missed, ==, 0);
    sctpa_measure_free(measure);
    play_end(&play);
}

static void counts_a_packet_with_several_chunks_once(void)
{
    play_t play;
    play_begin(&play);
    send_whole(&play, 0);
    begin(&play.feeder, true, TAG_Z);
    add_data(&play, 0, 3, 0, 0);
    add_data(&play, 1, 3, 0, 1);
    add_data(&play, 2, 3, 0, 2);
    again(&play.feeder);
    sctpa_measure_t *measure = measured(&play, false);
    g_assert_cmpuint(measure->all.transmissions, ==, 4);
    g_assert_cmpuint(measure->all.data_packets, ==, 2);
    g_assert_cmpuint(measure->all.data_wire_bytes, ==, 2 * 32 + 4 * 116);
    g_assert_cmpfloat(sctpa_rate_bps(measure->all.data_wire_bytes, measure->span_ns), ==,
                      (2 * 32 + 4 * 116) * 8 * 100.0);
    sctpa_measure_free(measure);
    play_end(&play);
}

static void counts_a_timeout_once_however_many_chunks_follow(void)
{
    play_t play;
    play_begin(&play);
    send_whole(&play, 0);
    sack(&play, 1, 65536, NULL, 0, 0);
    for (unsigned i = 1; i <= 3; i++)
        send_whole(&play, i);
    play.feeder.packet.time_ns += INT64_C(1500) * MS;
    sctpa_packets_add(&play.selected, send_whole(&play, 1));
    send_whole(&play, 2);
    send_whole(&play, 3);
    play.feeder.packet.time_ns += INT64_C(3000) * MS;
    send_whole(&play, 1);
    sctpa_measure_t *measure = measured(&play, false);
    g_assert_cmpuint(measure->all.rtx[SCTPA_RTX_TIMEOUT], ==, 4);
    g_assert_cmpuint(measure->timeouts, ==, 2);
    sctpa_measure_free(measure);
    measure = measured(&play, true);
    g_assert_cmpuint(measure->timeouts, ==, 1);
    sctpa_measure_free(measure);
    play_end(&play);
}

static void counts_a_packet_to_the_path_it_took(void)
{
    play_t play;
    play_begin(&play);
    send_whole(&play, 0);
    begin(&play.feeder, true, TAG_Z);
    play.feeder.packet.destination = ip(ADDR_Z + 1);
    add_data(&play, 0, 3, 0, 0);
    again(&play.feeder);
    sctpa_measure_t *measure = measured(&play, false);
    g_assert_cmpuint(measure->paths->len, ==, 2);
    const sctpa_sent_t *first = &g_array_index(measure->paths, sctpa_sent_t, 0), *second = first + 1;
    g_assert_cmpuint(first->user_bytes, ==, 100);
    g_assert_cmpuint(first->data_packets, ==, 1);
    g_assert_cmpuint(sctpa_sent_rtx(first), ==, 0);
    g_assert_cmpuint(second->user_bytes, ==, 0);
    g_assert_cmpuint(second->data_packets, ==, 1);
    g_assert_cmpuint(sctpa_sent_rtx(second), ==, 1);
    sctpa_measure_free(measure);
    play_end(&play);
}

static void counts_what_is_selected_and_all_parts_are_the_whole(void)
{
    play_t play;
    play_begin(&play);
    uint32_t first = send_whole(&play, 0), resent, acked;
    send_whole(&play, 1);
    resent = send_whole(&play, 0);
    acked = sack(&play, 2, 65536, NULL, 0, 0);
    sctpa_packets_add(&play.selected, resent);
    sctpa_measure_t *measure = measured(&play, true);
    g_assert_cmpuint(measure->all.tsns, ==, 0);
    g_assert_cmpuint(measure->all.transmissions, ==, 1);
    g_assert_cmpuint(sctpa_sent_rtx(&measure->all), ==, 1);
    g_assert_cmpuint(measure->all.data_packets, ==, 1);
    g_assert_cmpuint(measure->sack_delay.samples, ==, 0);
    g_assert_cmpint(measure->span_ns, ==, 20 * MS);
    g_assert_false(measure->missed_known);
    g_assert_false(measure->has_theory);
    sctpa_measure_free(measure);
    sctpa_packets_clear(&play.selected);
    sctpa_packets_add(&play.selected, first);
    sctpa_packets_add(&play.selected, acked);
    measure = measured(&play, true);
    g_assert_cmpuint(measure->all.tsns, ==, 1);
    g_assert_cmpuint(measure->all.transmissions, ==, 1);
    g_assert_cmpuint(measure->sack_delay.samples, ==, 1);
    g_assert_cmpint(measure->sack_delay.max_ns, ==, 20 * MS); /* TSN 1: 0 was sent twice */
    sctpa_measure_free(measure);
    play_end(&play);
}

static void counts_a_window_that_closes_and_not_one_that_stays_closed(void)
{
    static const uint32_t windows[] = { 100, 0, 0, 500, 0 };
    play_t play;
    play_begin(&play);
    for (unsigned i = 0; i < G_N_ELEMENTS(windows); i++) {
        send_whole(&play, i);
        sack(&play, i + 1, windows[i], NULL, 0, 0);
    }
    sctpa_measure_t *measure = measured(&play, false);
    g_assert_cmpuint(measure->zero_windows, ==, 2);
    g_assert_cmpuint(measure->theory.window_bytes, ==, 65536);
    sctpa_measure_free(measure);
    play_end(&play);
}

static void does_not_count_a_window_that_may_have_been_closed_before(void)
{
    play_t play = { 0 };
    feeder_init(&play.feeder);
    send_whole(&play, 0);
    sack(&play, 1, 0, NULL, 0, 0);
    sctpa_measure_t *measure = measured(&play, false);
    g_assert_cmpuint(measure->zero_windows, ==, 0);
    g_assert_cmpfloat(measure->theory.window_bps, <, 0);
    sctpa_measure_free(measure);
    play_end(&play);
}

static void tells_what_the_capture_missed_unless_packets_were_cut(void)
{
    play_t play;
    play_begin(&play);
    send_whole(&play, 0);
    sack(&play, 1, 65536, NULL, 0, 0);
    send_whole(&play, 2);
    sack(&play, 3, 65536, NULL, 0, 0);
    sctpa_measure_t *measure = measured(&play, false);
    g_assert_true(measure->missed_known);
    g_assert_cmpuint(measure->missed, ==, 1);
    sctpa_measure_free(measure);
    sctpa_measure_t *back = sctpa_measure(play.feeder.sctpa, 0, 1, NULL);
    g_assert_false(back->missed_known);
    g_assert_false(back->has_theory);
    sctpa_measure_free(back);
    begin(&play.feeder, true, TAG_Z);
    add_data(&play, 3, 3, 0, 3);
    play.feeder.packet.bytes = play.feeder.bytes;
    play.feeder.packet.wire_bytes = play.feeder.length;
    play.feeder.packet.captured_bytes = play.feeder.length - 50;
    sctpa_feed(play.feeder.sctpa, &play.feeder.packet);
    measure = measured(&play, false);
    g_assert_false(measure->missed_known);
    sctpa_measure_free(measure);
    play_end(&play);
}

static void has_no_rate_without_time(void)
{
    play_t play;
    play_begin(&play);
    send_whole(&play, 0);
    sctpa_measure_t *measure = measured(&play, false);
    g_assert_cmpfloat(sctpa_rate_bps(measure->all.user_bytes, measure->span_ns), <, 0);
    sctpa_measure_free(measure);
    play_end(&play);
}

/* A cum_tsn that nobody can have reached since the SACK before is no packet that the capture lacks. */
static void counts_no_tsn_as_missed_that_no_link_can_have_carried(void)
{
    static const uint32_t jumps[] = { 40000, 0x40000000 };
    static const uint64_t missed[] = { 40000 - 2, 0 };
    for (unsigned i = 0; i < G_N_ELEMENTS(jumps); i++) {
        play_t play;
        play_begin(&play);
        send_whole(&play, 0);
        sack(&play, 1, 65536, NULL, 0, 0);
        send_whole(&play, 1);
        sack(&play, jumps[i], 65536, NULL, 0, 0);
        sctpa_measure_t *measure = measured(&play, false);
        g_assert_cmpuint(measure->missed, ==, missed[i]);
        sctpa_measure_free(measure);
        play_end(&play);
    }
}

/* TSN 0 is lost once; of TSN 1, sent three times, every copy arrives. */
static void tells_losses_from_retransmissions_without_need(void)
{
    play_t play;
    play_begin(&play);
    send_whole(&play, 0);
    for (unsigned i = 0; i < 3; i++)
        send_whole(&play, 1);
    send_whole(&play, 0);
    sack(&play, 2, 65536, NULL, 0, 1);
    sack(&play, 2, 65536, NULL, 0, 1);
    sctpa_measure_t *measure = measured(&play, false);
    g_assert_cmpuint(measure->all.retransmitted, ==, 3);
    g_assert_cmpuint(measure->all.spurious, ==, 2);
    g_assert_cmpuint(measure->all.lost, ==, 1);
    sctpa_measure_free(measure);
    play_end(&play);
}

static void computes_theory_from_inputs_that_it_keeps(void)
{
    play_t play;
    play_begin(&play);
    for (uint32_t i = 0; i < 20; i++) {
        send_whole(&play, i);
        if (i == 5)
            send_whole(&play, i);
        sack(&play, i + 1, 50000, NULL, 0, 0);
    }
    sctpa_measure_t *measure = measured(&play, false);
    const sctpa_throughput_limits_t *theory = &measure->theory;
    g_assert_true(measure->has_theory);
    g_assert_cmpint(theory->rtt_ns, ==, 10 * MS + sctpa_tap_rtt_ns(play.feeder.sctpa, 0, 0));
    g_assert_cmpfloat_with_epsilon(theory->loss, 1 / 21.0, 1e-12);
    g_assert_cmpfloat(theory->packet_user_bytes, ==, 100);
    g_assert_cmpuint(theory->mtu_bytes, ==, 148);
    double rtt_s = (double)theory->rtt_ns / 1e9, lossy = 8 * sqrt(100 * 148.0) * sqrt(1.5) / (rtt_s * sqrt(1 / 21.0));
    g_assert_cmpfloat_with_epsilon(theory->lossy_bps, lossy, lossy * 1e-12);
    g_assert_cmpfloat_with_epsilon(theory->lossy_headers_bps, lossy / sqrt(1.16), lossy * 1e-12);
    g_assert_cmpfloat_with_epsilon(theory->window_bps, 8 * 65536 / rtt_s, 1);
    sctpa_measure_free(measure);
    play_end(&play);
}

static void has_numbers_of_an_end_that_sent_nothing(void)
{
    play_t play;
    play_begin(&play);
    sctpa_measure_t *measure = sctpa_measure(play.feeder.sctpa, 0, 1, NULL);
    GArray *streams = sctpa_streams(play.feeder.sctpa, 0, 1, NULL);
    g_assert_cmpuint(measure->all.transmissions, ==, 0);
    g_assert_cmpuint(streams->len, ==, 0);
    g_array_unref(streams);
    sctpa_measure_free(measure);
    play_end(&play);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/measure/" #name, name)
    TEST(knows_which_packets_are_in_a_set);
    TEST(takes_percentiles_by_nearest_rank);
    TEST(counts_each_tsn_once_and_each_transmission);
    TEST(counts_a_packet_with_several_chunks_once);
    TEST(counts_a_timeout_once_however_many_chunks_follow);
    TEST(counts_a_packet_to_the_path_it_took);
    TEST(counts_what_is_selected_and_all_parts_are_the_whole);
    TEST(counts_a_window_that_closes_and_not_one_that_stays_closed);
    TEST(does_not_count_a_window_that_may_have_been_closed_before);
    TEST(tells_what_the_capture_missed_unless_packets_were_cut);
    TEST(has_no_rate_without_time);
    TEST(counts_no_tsn_as_missed_that_no_link_can_have_carried);
    TEST(tells_losses_from_retransmissions_without_need);
    TEST(computes_theory_from_inputs_that_it_keeps);
    TEST(has_numbers_of_an_end_that_sent_nothing);
    return g_test_run();
}
