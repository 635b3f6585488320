/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects which reference sender is said to fit, and whether it counts headers: made senders with small and large
 * messages, and what nothing decides. test_learned.py of tshark has real ones that count headers. */
#include "data_feed.h"

static const int64_t ms = 1000000, way_ns = 20000000;
enum { FIRST = TAG_A, PMTU = 1500, HEADER = 16, PACKETS = 400, WINDOW = 1 << 24 };

/* A sender A in slow start by RFC 9260 7.2.1: sends while what it counts as outstanding is below cwnd, which grows by a
 * PMTU per SACK that finds it used. Z acknowledges every second packet after way_ns. */
typedef struct {
    feeder_t feeder;
    bool counts_headers;
    unsigned words, chunks; /* of a message; of a packet */
    uint64_t cwnd, chunks_out;
    uint32_t sent, acked;
    int64_t sent_ns[PACKETS];
} sender_t;

static uint64_t counted(const sender_t *sender, uint64_t chunks)
{
    return chunks * (4 * sender->words + (sender->counts_headers ? HEADER : 0));
}

static void send(sender_t *sender, int64_t *now_ns)
{
    while (counted(sender, sender->chunks_out) < sender->cwnd && sender->sent < PACKETS) {
        begin(&sender->feeder, true, TAG_Z);
        sender->feeder.packet.time_ns = *now_ns += ms / 100;
        for (unsigned i = 0; i < sender->chunks; i++)
            add_data(&sender->feeder, FIRST + sender->sent * sender->chunks + i, sender->words);
        again(&sender->feeder);
        sender->sent_ns[sender->sent++] = *now_ns;
        sender->chunks_out += sender->chunks;
    }
}

static void play(sender_t *sender, bool counts_headers, unsigned words, unsigned chunks, unsigned sacks)
{
    int64_t now_ns = 1000 * ms;
    *sender = (sender_t){ .counts_headers = counts_headers, .words = words, .chunks = chunks, .cwnd = 4380 };
    begin_association(&sender->feeder, 10 * ms);
    send(sender, &now_ns);
    for (unsigned i = 0; i < sacks && sender->acked + 2 <= sender->sent; i++) {
        sender->acked += 2;
        now_ns = MAX(now_ns + ms / 5, sender->sent_ns[sender->acked - 1] + way_ns);
        feed_window(&sender->feeder, now_ns, FIRST + sender->acked * chunks - 1, WINDOW);
        if (counted(sender, sender->chunks_out) >= sender->cwnd)
            sender->cwnd += MIN(counted(sender, 2 * chunks), PMTU);
        sender->chunks_out -= 2 * chunks;
        send(sender, &now_ns);
    }
}

static void a_sender_that_counts_user_bytes_sends_small_messages_beyond_others(void)
{
    sender_t sender;
    sctpa_sender_fit_t fit;
    play(&sender, false, 10, 25, 60);
    sctpa_learned_value_t value = learned(&sender.feeder, 0, SCTPA_PARAMETER_COUNTS_HEADERS);
    g_assert_cmpuint(value.samples, >=, 3);
    g_assert_cmpint(value.value, ==, 0);
    g_assert_cmpint(value.low, ==, 0);
    g_assert_true(value.has_high);
    g_assert_cmpint(value.high, ==, 0);
    g_assert_cmpuint(value.packet, >, 4);
    g_assert_true(sctpa_sender_fit(sender.feeder.sctpa, 0, 0, &fit));
    g_assert_true(fit.fitting >> fit.best & 1);
    g_assert_cmpuint(fit.occasions, >, 100);
    g_assert_cmpuint(fit.explained[fit.best], ==, fit.occasions);
    g_assert_cmpstr(sctpa_sender_words(fit.best), ==, "counts user bytes, grows by a PMTU per SACK");
    g_assert_false(sctpa_sender_fit(sender.feeder.sctpa, 0, 1, &fit)); /* it sent nothing */
    sctpa_free(sender.feeder.sctpa);
}

/* It may as well count user bytes, and have a cwnd that grows less. */
static void a_sender_that_counts_headers_and_only_grows_is_not_known(void)
{
    sender_t sender;
    play(&sender, true, 10, 25, 60);
    g_assert_cmpuint(learned(&sender.feeder, 0, SCTPA_PARAMETER_COUNTS_HEADERS).samples, ==, 0);
    sctpa_free(sender.feeder.sctpa);
}

static void few_headers_show_nothing(void)
{
    for (int64_t headers = 0; headers < 2; headers++) {
        sender_t sender;
        play(&sender, headers, 350, 1, 20);
        g_assert_cmpuint(learned(&sender.feeder, 0, SCTPA_PARAMETER_COUNTS_HEADERS).samples, ==, 0);
        sctpa_free(sender.feeder.sctpa);
    }
}

static void a_sender_without_much_to_send_fits_all(void)
{
    sender_t sender = { .words = 25, .chunks = 1 };
    sctpa_sender_fit_t fit;
    begin_association(&sender.feeder, 10 * ms);
    for (unsigned i = 0; i < 50; i++) {
        feed_bytes(&sender.feeder, (1000 + 100 * i) * ms, FIRST + i, 25);
        feed_window(&sender.feeder, (1020 + 100 * i) * ms, FIRST + i, WINDOW);
    }
    g_assert_false(sctpa_sender_fit(sender.feeder.sctpa, 0, 0, &fit));
    g_assert_cmpuint(learned(&sender.feeder, 0, SCTPA_PARAMETER_COUNTS_HEADERS).samples, ==, 0);
    sctpa_free(sender.feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sender_fit/user_bytes", a_sender_that_counts_user_bytes_sends_small_messages_beyond_others);
    g_test_add_func("/sender_fit/headers", a_sender_that_counts_headers_and_only_grows_is_not_known);
    g_test_add_func("/sender_fit/few_headers", few_headers_show_nothing);
    g_test_add_func("/sender_fit/little", a_sender_without_much_to_send_fits_all);
    return g_test_run();
}
