/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects what is learned of the window that a receiver advertises: made receivers that charge so much for a chunk,
 * read now and then and close their window early, and what must stay unknown. */
#include "data_feed.h"

static const int64_t ms = 1000000;
enum { FIRST = TAG_A, WORDS = 250, MESSAGE = 4 * WORDS, ROOM = 60000 };

/* A receiver Z that holds messages of MESSAGE bytes and charges overhead for each. */
typedef struct {
    feeder_t feeder;
    int64_t window, overhead, time_ns;
    uint32_t sent, held;
} receiver_t;

static void begin_receiver(receiver_t *receiver, int64_t overhead)
{
    *receiver = (receiver_t){ .window = ROOM, .overhead = overhead, .time_ns = 1000 * ms };
    begin_association(&receiver->feeder, 10 * ms);
}

static void sack_with(receiver_t *receiver, int64_t a_rwnd)
{
    feed_window(&receiver->feeder, receiver->time_ns += 20 * ms, FIRST + receiver->sent - 1, (uint32_t)a_rwnd);
}

/* n messages arrive in one packet each, and take their room. */
static void take(receiver_t *receiver, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        feed_bytes(&receiver->feeder, receiver->time_ns += ms, FIRST + receiver->sent++, WORDS);
    receiver->held += n;
    receiver->window -= n * (MESSAGE + receiver->overhead);
}

static void read_messages(receiver_t *receiver, unsigned n)
{
    receiver->held -= n;
    receiver->window += n * (MESSAGE + receiver->overhead);
}

/* Falls by one message and by two; falls that reading makes smaller in between. */
static void fall(receiver_t *receiver, unsigned times)
{
    sack_with(receiver, receiver->window);
    for (unsigned i = 0; i < times; i++) {
        take(receiver, 1);
        sack_with(receiver, receiver->window);
        take(receiver, 2);
        sack_with(receiver, receiver->window);
        take(receiver, 2);
        read_messages(receiver, 3);
        sack_with(receiver, receiver->window);
    }
}

static sctpa_learned_value_t overhead_of(const receiver_t *receiver)
{
    return learned(&receiver->feeder, 1, SCTPA_PARAMETER_CHUNK_OVERHEAD);
}

static sctpa_learned_value_t closed_of(const receiver_t *receiver)
{
    return learned(&receiver->feeder, 1, SCTPA_PARAMETER_SILLY_WINDOW);
}

static void what_a_chunk_costs_is_learned_though_messages_are_read(void)
{
    const int64_t overheads[] = { 0, 16, 256 };
    for (unsigned i = 0; i < G_N_ELEMENTS(overheads); i++) {
        receiver_t receiver;
        begin_receiver(&receiver, overheads[i]);
        take(&receiver, 1);
        fall(&receiver, 5);
        sctpa_learned_value_t value = overhead_of(&receiver);
        g_assert_cmpuint(value.samples, ==, 10);
        g_assert_cmpint(value.value, ==, overheads[i]);
        g_assert_cmpint(value.low, ==, overheads[i]);
        g_assert_true(value.has_high);
        g_assert_cmpint(value.high, ==, overheads[i]);
        g_assert_cmpuint(learned(&receiver.feeder, 0, SCTPA_PARAMETER_CHUNK_OVERHEAD).samples, ==, 0);
        sctpa_free(receiver.feeder.sctpa);
    }
}

static void few_falls_tell_nothing(void)
{
    receiver_t receiver;
    begin_receiver(&receiver, 256);
    take(&receiver, 1);
    fall(&receiver, 1);
    g_assert_cmpuint(overhead_of(&receiver).samples, ==, 0);
    sctpa_free(receiver.feeder.sctpa);
}

/* One of two messages may have been read each time, and cost as much as both seem to. */
static void falls_by_two_messages_are_a_bound_from_below(void)
{
    for (int64_t overhead = 0; overhead <= 256; overhead += 256) {
        receiver_t receiver;
        begin_receiver(&receiver, overhead);
        take(&receiver, 1);
        sack_with(&receiver, receiver.window);
        for (unsigned i = 0; i < 6; i++) {
            take(&receiver, 2);
            sack_with(&receiver, receiver.window);
        }
        sctpa_learned_value_t value = overhead_of(&receiver);
        g_assert_cmpuint(value.samples, ==, overhead > 0 ? 6 : 0);
        g_assert_cmpint(value.low, ==, overhead);
        g_assert_false(value.has_high);
        sctpa_free(receiver.feeder.sctpa);
    }
}

static void a_receiver_that_reads_at_once_shows_nothing(void)
{
    receiver_t receiver;
    begin_receiver(&receiver, 256);
    for (unsigned i = 0; i < 20; i++) {
        take(&receiver, 2);
        read_messages(&receiver, 2);
        sack_with(&receiver, receiver.window);
    }
    g_assert_cmpuint(overhead_of(&receiver).samples, ==, 0);
    g_assert_cmpuint(closed_of(&receiver).samples, ==, 0);
    sctpa_free(receiver.feeder.sctpa);
}

static void a_window_that_falls_without_data_is_taken_by_something_else(void)
{
    receiver_t receiver;
    begin_receiver(&receiver, 0);
    take(&receiver, 1);
    fall(&receiver, 5);
    sack_with(&receiver, receiver.window - 700);
    g_assert_cmpuint(overhead_of(&receiver).samples, ==, 0);
    sctpa_free(receiver.feeder.sctpa);
}

/* As Linux does when small messages have used up its memory. */
static void what_closes_a_window_is_no_overhead(void)
{
    receiver_t receiver;
    begin_receiver(&receiver, 0);
    take(&receiver, 1);
    fall(&receiver, 5);
    for (unsigned i = 0; i < 4; i++) {
        take(&receiver, 1);
        sack_with(&receiver, 0);
        sack_with(&receiver, 5000);
    }
    sctpa_learned_value_t value = overhead_of(&receiver);
    g_assert_cmpint(value.high, ==, 0);
    g_assert_cmpuint(value.samples, ==, 10);
    g_assert_cmpint(closed_of(&receiver).value, >=, 40000);
    sctpa_free(receiver.feeder.sctpa);
}

static void what_was_given_up_or_never_seen_tells_nothing(void)
{
    receiver_t receiver;
    begin_receiver(&receiver, 256);
    take(&receiver, 1);
    receiver.sent++; /* the capture lacks it */
    fall(&receiver, 5);
    g_assert_cmpuint(overhead_of(&receiver).samples, ==, 0);
    sctpa_free(receiver.feeder.sctpa);
}

/* A message of parts chunks, each charged when the last has come. */
static void feed_message(receiver_t *receiver, unsigned parts)
{
    for (unsigned i = 0; i < parts; i++) {
        feeder_t *feeder = &receiver->feeder;
        begin(feeder, true, TAG_Z);
        feeder->packet.time_ns = receiver->time_ns += ms;
        add_data(feeder, FIRST + receiver->sent++, WORDS);
        feeder->bytes[SCTPA_HEADER_BYTES + 1] = (uint8_t)((i == 0 ? 2 : 0) | (i + 1 == parts ? 1 : 0));
        again(feeder);
        receiver->window -= MESSAGE + (i + 1 == parts ? (int64_t)parts * receiver->overhead : 0);
        if (i % 2 == 1)
            sack_with(receiver, receiver->window);
    }
}

static void fragments_that_are_charged_when_their_message_is_whole_are_counted(void)
{
    receiver_t receiver;
    begin_receiver(&receiver, 256);
    for (unsigned i = 0; i < 7; i++)
        feed_message(&receiver, 6);
    sctpa_learned_value_t value = overhead_of(&receiver);
    g_assert_cmpint(value.low, ==, 256);
    g_assert_cmpuint(value.samples, ==, 7);
    sctpa_free(receiver.feeder.sctpa);
}

static void a_sack_that_was_overtaken_is_left_out(void)
{
    receiver_t receiver;
    begin_receiver(&receiver, 0);
    take(&receiver, 1);
    fall(&receiver, 5);
    uint32_t cum = FIRST + receiver.sent - 1;
    take(&receiver, 4); /* the first of them is lost */
    const uint32_t window = (uint32_t)receiver.window;
    feed_gap(&receiver.feeder, receiver.time_ns += ms, cum, window + 3000, 2 << 16 | 2);
    feed_gap(&receiver.feeder, receiver.time_ns += ms, cum, window + 1000, 2 << 16 | 4);
    feed_gap(&receiver.feeder, receiver.time_ns += ms, cum, window + 2000, 2 << 16 | 3);
    take(&receiver, 1);
    feed_gap(&receiver.feeder, receiver.time_ns += ms, cum, window, 2 << 16 | 5);
    sctpa_learned_value_t value = overhead_of(&receiver);
    g_assert_cmpuint(value.samples, >=, 10);
    g_assert_cmpint(value.high, ==, 0);
    sctpa_free(receiver.feeder.sctpa);
}

/* Falls until the next message would leave less than limit, then is closed; as often as times. */
static void close_below(receiver_t *receiver, int64_t limit, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        do {
            take(receiver, 1);
            sack_with(receiver, receiver->window < limit ? 1 : receiver->window);
        } while (receiver->window >= limit);
        read_messages(receiver, 7 + i);
        sack_with(receiver, receiver->window);
    }
}

static void free_space_advertised_as_closed_is_learned(void)
{
    receiver_t receiver;
    begin_receiver(&receiver, 256);
    receiver.window = 20000;
    take(&receiver, 1);
    sack_with(&receiver, receiver.window);
    close_below(&receiver, 3000, 4);
    sctpa_learned_value_t value = closed_of(&receiver);
    g_assert_cmpuint(value.samples, ==, 4);
    g_assert_cmpint(value.low, <, 3000);
    g_assert_cmpint(value.low, >, 3000 - (MESSAGE + 256));
    g_assert_true(value.has_high);
    g_assert_cmpint(value.high, >=, 3000 - 1);
    g_assert_cmpint(value.high, <, 3000 + MESSAGE + 256);
    sctpa_free(receiver.feeder.sctpa);
}

static void a_limit_that_varies_has_no_upper_bound(void)
{
    receiver_t receiver;
    begin_receiver(&receiver, 0);
    receiver.window = 20000;
    take(&receiver, 1);
    sack_with(&receiver, receiver.window);
    close_below(&receiver, 1500, 2);
    close_below(&receiver, 5500, 2);
    sctpa_learned_value_t value = closed_of(&receiver);
    g_assert_cmpint(value.low, ==, 5000);
    g_assert_false(value.has_high);
    sctpa_free(receiver.feeder.sctpa);
}

static void a_window_that_is_used_up_closes_with_nothing_free(void)
{
    receiver_t receiver;
    begin_receiver(&receiver, 0);
    receiver.window = 20000;
    take(&receiver, 1);
    sack_with(&receiver, receiver.window);
    close_below(&receiver, 1, 3);
    g_assert_cmpuint(overhead_of(&receiver).samples, >=, 3);
    g_assert_cmpuint(closed_of(&receiver).samples, ==, 0);
    sctpa_free(receiver.feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/learned/overhead", what_a_chunk_costs_is_learned_though_messages_are_read);
    g_test_add_func("/learned/overhead/few", few_falls_tell_nothing);
    g_test_add_func("/learned/overhead/below", falls_by_two_messages_are_a_bound_from_below);
    g_test_add_func("/learned/overhead/read", a_receiver_that_reads_at_once_shows_nothing);
    g_test_add_func("/learned/overhead/else", a_window_that_falls_without_data_is_taken_by_something_else);
    g_test_add_func("/learned/overhead/closing", what_closes_a_window_is_no_overhead);
    g_test_add_func("/learned/overhead/unseen", what_was_given_up_or_never_seen_tells_nothing);
    g_test_add_func("/learned/overhead/fragments", fragments_that_are_charged_when_their_message_is_whole_are_counted);
    g_test_add_func("/learned/overhead/overtaken", a_sack_that_was_overtaken_is_left_out);
    g_test_add_func("/learned/silly_window", free_space_advertised_as_closed_is_learned);
    g_test_add_func("/learned/silly_window/varies", a_limit_that_varies_has_no_upper_bound);
    g_test_add_func("/learned/silly_window/used_up", a_window_that_is_used_up_closes_with_nothing_free);
    return g_test_run();
}
