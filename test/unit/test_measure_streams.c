/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects the numbers of streams: their messages, and how long those waited for earlier ones. */
#include "measure_play.h"

static GArray *streams_of(play_t *play, bool selected)
{
    return sctpa_streams(play->feeder.sctpa, 0, 0, selected ? &play->selected : NULL);
}

static const sctpa_stream_t *stream_at(const GArray *streams, unsigned i)
{
    g_assert_cmpuint(streams->len, >, i);
    return &g_array_index(streams, sctpa_stream_t, i);
}

static void assert_longest(const sctpa_stream_t *stream, int64_t least_ms, int64_t most_ms)
{
    g_assert_cmpint(stream->hol_delay.max_ns, ==, least_ms * MS);
    g_assert_cmpint(stream->hol_delay_most.max_ns, ==, most_ms * MS);
    g_assert_cmpuint(stream->hol_delay.samples, ==, stream->hol_delay_most.samples);
}

/* Each packet is 10 ms after the one before, and an answer takes no less. */
static void measures_how_long_a_message_waited_for_an_earlier_one(void)
{
    static const uint16_t gap[] = { 2, 3 };
    play_t play;
    play_begin(&play);
    send_part(&play, 0, 3, 0, 0);
    send_part(&play, 1, 3, 0, 1); /* lost */
    send_part(&play, 2, 3, 0, 2); /* waits */
    send_part(&play, 3, 3, 5, 0); /* another stream: does not */
    sack(&play, 1, 65536, gap, 1, 0);
    send_part(&play, 1, 3, 0, 1);
    uint32_t deliverable = sack(&play, 4, 65536, NULL, 0, 0);
    GArray *streams = streams_of(&play, false);
    g_assert_cmpuint(streams->len, ==, 2);
    const sctpa_stream_t *stream = stream_at(streams, 0), *other = stream_at(streams, 1);
    g_assert_cmpuint(stream->chunks, ==, 4);
    g_assert_cmpuint(stream->rtx, ==, 1);
    g_assert_cmpuint(stream->messages, ==, 3);
    g_assert_cmpuint(stream->hol_delay.samples, ==, 3);
    g_assert_cmpint(stream->hol_delay.median_ns, ==, 0);
    assert_longest(stream, 0, 30);
    g_assert_cmpuint(other->id, ==, 5);
    assert_longest(other, 0, 0);
    g_assert_cmpuint(g_array_index(other->ppids, uint32_t, 0), ==, 55);
    g_array_unref(streams);
    sctpa_packets_add(&play.selected, deliverable);
    streams = streams_of(&play, true);
    g_assert_cmpuint(streams->len, ==, 1);
    g_assert_cmpuint(stream_at(streams, 0)->hol_delay.samples, ==, 2);
    assert_longest(stream_at(streams, 0), 0, 30);
    g_array_unref(streams);
    play_end(&play);
}

/* TSN 1 cannot have arrived before what the last SACK lists that reports it missing: that passed 20 ms after the
 * message that waits. */
static void a_wait_lasts_at_least_until_what_sacks_list_had_passed(void)
{
    static const uint16_t one[] = { 2, 2 }, two[] = { 2, 3 };
    play_t play;
    play_begin(&play);
    send_part(&play, 0, 3, 0, 0);
    send_part(&play, 1, 3, 0, 1); /* lost */
    send_part(&play, 2, 3, 0, 2); /* waits */
    sack(&play, 1, 65536, one, 1, 0);
    send_part(&play, 3, 3, 0, 3);
    sack(&play, 1, 65536, two, 1, 0);
    send_part(&play, 1, 3, 0, 1);
    sack(&play, 4, 65536, NULL, 0, 0);
    GArray *streams = streams_of(&play, false);
    assert_longest(stream_at(streams, 0), 20, 40);
    g_array_unref(streams);
    play_end(&play);
}

static void completes_a_message_with_its_last_fragment(void)
{
    play_t play;
    play_begin(&play);
    send_part(&play, 0, 2, 0, 0);
    send_part(&play, 1, 0, 0, 0);
    send_part(&play, 2, 1, 0, 0);
    send_part(&play, 3, 7, 0, 0); /* unordered */
    send_part(&play, 4, 1, 0, 1); /* its begin was not seen */
    send_part(&play, 5, 3, 0, 2); /* never acked */
    sack(&play, 5, 65536, NULL, 0, 0);
    GArray *streams = streams_of(&play, false);
    const sctpa_stream_t *stream = stream_at(streams, 0);
    g_assert_cmpuint(stream->messages, ==, 4);
    g_assert_cmpuint(stream->unordered_messages, ==, 1);
    g_assert_cmpuint(stream->tsns, ==, 6);
    g_assert_cmpuint(stream->hol_delay.samples, ==, 1);
    g_assert_cmpint(stream->hol_delay.max_ns, ==, 0);
    g_array_unref(streams);
    play_end(&play);
}

static uint32_t send_i_data(play_t *play, uint32_t number, uint8_t flags, uint16_t stream, uint32_t mid,
                            uint32_t ppid_or_fsn)
{
    begin(&play->feeder, true, TAG_Z);
    uint8_t *value = chunk(&play->feeder, SCTPA_CHUNK_I_DATA, flags, 4 + 25);
    put32(value, FIRST + number);
    put16(value + 4, stream);
    put32(value + 8, mid);
    put32(value + 12, ppid_or_fsn);
    return again(&play->feeder);
}

static void follows_messages_of_streams_that_interleave(void)
{
    static const uint16_t gap[] = { 2, 4 };
    play_t play;
    play_begin(&play);
    send_i_data(&play, 0, 2, 1, 0, 46); /* lost */
    send_i_data(&play, 1, 2, 2, 0, 47);
    send_i_data(&play, 2, 1, 2, 0, 1);
    send_i_data(&play, 3, 1, 1, 0, 1);
    sack(&play, 0, 65536, gap, 1, 0);
    send_i_data(&play, 0, 2, 1, 0, 46);
    sack(&play, 4, 65536, NULL, 0, 0);
    GArray *streams = streams_of(&play, false);
    for (unsigned i = 0; i < 2; i++) {
        const sctpa_stream_t *stream = stream_at(streams, i);
        g_assert_cmpuint(stream->id, ==, i + 1);
        g_assert_cmpuint(stream->messages, ==, 1);
        g_assert_cmpuint(stream->hol_delay.samples, ==, 1);
        g_assert_cmpint(stream->hol_delay.max_ns, ==, 0);
        g_assert_cmpuint(stream->ppids->len, ==, 1);
        g_assert_cmpuint(g_array_index(stream->ppids, uint32_t, 0), ==, 46 + i);
    }
    g_array_unref(streams);
    play_end(&play);
}

static void lets_an_abandoned_message_hold_others_until_it_is_passed_over(void)
{
    static const uint16_t gap[] = { 2, 2 };
    play_t play;
    play_begin(&play);
    send_part(&play, 0, 3, 0, 0); /* abandoned */
    send_part(&play, 1, 3, 0, 1);
    sack(&play, 0, 65536, gap, 1, 0);
    begin(&play.feeder, true, TAG_Z);
    put32(chunk(&play.feeder, SCTPA_CHUNK_FORWARD_TSN, 0, 1), FIRST);
    again(&play.feeder);
    sack(&play, 2, 65536, NULL, 0, 0);
    GArray *streams = streams_of(&play, false);
    const sctpa_stream_t *stream = stream_at(streams, 0);
    g_assert_cmpuint(stream->hol_delay.samples, ==, 1);
    assert_longest(stream, 0, 20);
    g_array_unref(streams);
    sctpa_measure_t *measure = sctpa_measure(play.feeder.sctpa, 0, 0, NULL);
    g_assert_cmpuint(measure->all.abandoned_tsns, ==, 1);
    sctpa_measure_free(measure);
    play_end(&play);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/measure/streams/" #name, name)
    TEST(measures_how_long_a_message_waited_for_an_earlier_one);
    TEST(a_wait_lasts_at_least_until_what_sacks_list_had_passed);
    TEST(completes_a_message_with_its_last_fragment);
    TEST(follows_messages_of_streams_that_interleave);
    TEST(lets_an_abandoned_message_hold_others_until_it_is_passed_over);
    return g_test_run();
}
