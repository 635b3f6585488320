/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages: pairs of requests and answers, and the limits that hostile captures must not exceed. */
#include <glib.h>
#include <string.h>

#include "report/messages/messages.h"

enum { PROCEDURE = 1 << 24 | 5, OTHER = 1 << 24 | 6 };

static void take(sctpa_messages_t *messages, uint8_t from, int64_t time_ns, sctpa_message_t message)
{
    sctpa_message_place_t place = { .from = from, .time_ns = time_ns, .frame = (uint32_t)time_ns, .bytes = 10 };
    message.protocol = message.protocol ? message.protocol : "P";
    message.name = message.name ? message.name : "request";
    sctpa_messages_add(messages, &place, &message);
}

static sctpa_message_t asking(uint64_t id)
{
    return (sctpa_message_t){
        .asks = PROCEDURE, .has_ids = true, .n_ids = 1, .ids = { { .kind = 1, .value = id } }, .is_timed = true
    };
}

static sctpa_message_t answering(uint64_t id)
{
    sctpa_message_t message = asking(id);
    message.asks = 0;
    message.answers = PROCEDURE;
    message.name = "answer";
    return message;
}

static const sctpa_message_row_t *row_of(const sctpa_messages_t *messages, uint32_t row)
{
    return &g_array_index(messages->rows, sctpa_message_row_t, row);
}

static void count_open(void *user, const sctpa_message_open_t *open)
{
    (void)open;
    ++*(unsigned *)user;
}

static unsigned open_requests(const sctpa_messages_t *messages)
{
    unsigned n = 0;
    sctpa_messages_each_open(messages, count_open, &n);
    return n;
}

static void pairs_by_id_in_the_other_direction_only(void)
{
    sctpa_messages_t *messages = sctpa_messages_new();
    take(messages, 0, 1, asking(1));
    take(messages, 0, 2, asking(2));
    take(messages, 0, 3, answering(1));
    g_assert_cmpuint(open_requests(messages), ==, 2);
    take(messages, 1, 10, answering(2));
    g_assert_cmpuint(open_requests(messages), ==, 1);
    g_assert_cmpuint(messages->samples->len, ==, 1);
    g_assert_cmpint(g_array_index(messages->samples, sctpa_message_sample_t, 0).ns, ==, 8);
    sctpa_messages_free(messages);
}

static void fits_an_answer_that_has_more_ids_and_none_that_contradicts(void)
{
    sctpa_messages_t *messages = sctpa_messages_new();
    sctpa_message_t request = asking(1), answer = answering(1);
    request.n_ids = answer.n_ids = 2;
    request.ids[1] = (sctpa_message_id_t){ .kind = 2, .value = 7 };
    answer.ids[1] = (sctpa_message_id_t){ .kind = 2, .value = 8 };
    take(messages, 0, 1, request);
    take(messages, 1, 2, answer);
    g_assert_cmpuint(open_requests(messages), ==, 1);
    answer.n_ids = 3;
    answer.ids[2] = (sctpa_message_id_t){ .kind = 2, .value = 7 };
    take(messages, 1, 3, answer);
    g_assert_cmpuint(open_requests(messages), ==, 0);
    sctpa_messages_free(messages);
}

static void counts_a_repeat_and_does_not_time_its_answer(void)
{
    sctpa_messages_t *messages = sctpa_messages_new();
    take(messages, 0, 1, asking(1));
    take(messages, 0, 7, asking(1));
    take(messages, 1, 9, answering(1));
    g_assert_cmpuint(row_of(messages, 0)->repeats, ==, 1);
    g_assert_cmpuint(row_of(messages, 0)->ambiguous, ==, 1);
    g_assert_cmpuint(messages->samples->len, ==, 1);
    g_assert_cmpint(g_array_index(messages->samples, sctpa_message_sample_t, 0).kind, ==,
                    SCTPA_MESSAGE_REPEAT_INTERVAL);
    sctpa_messages_free(messages);
}

static void forgets_the_oldest_of_too_many_requests(void)
{
    sctpa_messages_t *messages = sctpa_messages_new();
    sctpa_message_t keep_alive = asking(1);
    keep_alive.is_keep_alive = true;
    for (unsigned i = 0; i < SCTPA_MESSAGE_OPEN_OF_ID_MAX + 3; i++)
        take(messages, 0, i, keep_alive);
    g_assert_cmpuint(open_requests(messages), ==, SCTPA_MESSAGE_OPEN_OF_ID_MAX);
    g_assert_cmpuint(messages->forgotten, ==, 3);
    for (unsigned i = 0; i < SCTPA_MESSAGE_OPEN_MAX; i++)
        take(messages, 0, i, asking(2 + i));
    g_assert_cmpuint(open_requests(messages), ==, SCTPA_MESSAGE_OPEN_MAX);
    g_assert_cmpuint(messages->forgotten, ==, 3 + SCTPA_MESSAGE_OPEN_OF_ID_MAX);
    sctpa_messages_free(messages);
}

static void counts_messages_of_too_many_names(void)
{
    sctpa_messages_t *messages = sctpa_messages_new();
    char name[16];
    for (unsigned i = 0; i < SCTPA_MESSAGE_NAMES_MAX + 5; i++) {
        g_snprintf(name, sizeof name, "%u", i);
        take(messages, 0, i, (sctpa_message_t){ .name = name });
    }
    g_assert_cmpuint(messages->rows->len, ==, SCTPA_MESSAGE_NAMES_MAX);
    g_assert_cmpuint(messages->left_out, ==, 5);
    sctpa_messages_reset(messages);
    g_assert_cmpuint(messages->rows->len, ==, 0);
    take(messages, 0, 1, (sctpa_message_t){ .name = "again" });
    g_assert_cmpstr(g_array_index(messages->names, sctpa_message_name_t, 0).name, ==, "again");
    sctpa_messages_free(messages);
}

static void keeps_so_many_events(void)
{
    sctpa_messages_t *messages = sctpa_messages_new();
    sctpa_message_place_t place = { .frame = 1 };
    for (unsigned i = 0; i < SCTPA_MESSAGE_EVENTS_MAX + 2; i++)
        sctpa_messages_event(messages, &place, "up", false);
    g_assert_cmpuint(messages->events->len, ==, SCTPA_MESSAGE_EVENTS_MAX);
    g_assert_cmpuint(messages->events_missed, ==, 2);
    sctpa_messages_free(messages);
}

static void takes_a_ciphered_message_for_a_possible_answer(void)
{
    sctpa_messages_t *messages = sctpa_messages_new();
    sctpa_message_t other = asking(1), ciphered = { .name = "ciphered", .may_answer = 1, .has_ids = true, .n_ids = 1 };
    other.asks = OTHER;
    ciphered.ids[0] = other.ids[0];
    take(messages, 0, 1, asking(1));
    take(messages, 0, 2, other);
    take(messages, 0, 3, ciphered);
    g_assert_cmpuint(open_requests(messages), ==, 2);
    take(messages, 1, 4, ciphered);
    g_assert_cmpuint(open_requests(messages), ==, 0);
    g_assert_cmpuint(messages->samples->len, ==, 0);
    sctpa_messages_free(messages);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/messages/pairs_by_id_in_the_other_direction_only", pairs_by_id_in_the_other_direction_only);
    g_test_add_func("/messages/fits_an_answer_that_has_more_ids_and_none_that_contradicts",
                    fits_an_answer_that_has_more_ids_and_none_that_contradicts);
    g_test_add_func("/messages/counts_a_repeat_and_does_not_time_its_answer",
                    counts_a_repeat_and_does_not_time_its_answer);
    g_test_add_func("/messages/forgets_the_oldest_of_too_many_requests", forgets_the_oldest_of_too_many_requests);
    g_test_add_func("/messages/counts_messages_of_too_many_names", counts_messages_of_too_many_names);
    g_test_add_func("/messages/keeps_so_many_events", keeps_so_many_events);
    g_test_add_func("/messages/takes_a_ciphered_message_for_a_possible_answer",
                    takes_a_ciphered_message_for_a_possible_answer);
    return g_test_run();
}
