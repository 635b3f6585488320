/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which association is it? Set-up, restart, collision, T bit, tags used again, set-up not captured. */
#include "track_feed.h"

static feeder_t feeder;

static void set_up(void)
{
    feeder_init(&feeder);
}

static void finds_both_directions_by_the_tags_of_the_set_up(void)
{
    set_up();
    feed_setup(&feeder, TAG_A, TAG_Z);
    sctpa_packet_result_t data = feed_data(&feeder, true, TAG_Z, TAG_A), sack = feed_sack(&feeder, false, TAG_A, TAG_A);
    g_assert_cmpuint(data.assoc, ==, 0);
    g_assert_cmpuint(data.from, ==, 0);
    g_assert_cmpuint(sack.assoc, ==, 0);
    g_assert_cmpuint(sack.from, ==, 1);
    g_assert_cmpuint(data.setup_frame, ==, 1);
    const sctpa_assoc_t *assoc = sctpa_assoc(feeder.sctpa, 0);
    g_assert_cmphex(assoc->ends[0].vtag, ==, TAG_A);
    g_assert_cmphex(assoc->ends[1].vtag, ==, TAG_Z);
    g_assert_cmpint(sctpa_assoc_setup_seen(assoc), ==, SCTPA_SETUP_COMPLETE);
    g_assert_cmpint(sctpa_assoc_setup_ns(assoc), ==, 30000000);
    sctpa_free(feeder.sctpa);
}

static void retransmitted_init_belongs_to_its_attempt(void)
{
    set_up();
    feed_init(&feeder, true, TAG_A);
    feeder.packet.time_ns += 3000000000;
    g_assert_cmpuint(feed_init(&feeder, true, TAG_A).assoc, ==, 0);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_NO_ANSWER);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->setup.steps[SCTPA_STEP_INIT].count, ==, 2);
    sctpa_free(feeder.sctpa);
}

static void new_initiate_tag_is_a_new_attempt(void)
{
    set_up();
    feed_init(&feeder, true, TAG_A);
    g_assert_cmpuint(feed_init(&feeder, true, TAG_A + 1).assoc, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void init_on_a_live_association_restarts_it_when_acknowledged(void)
{
    set_up();
    feed_setup(&feeder, TAG_A, TAG_Z);
    g_assert_cmpuint(feed_init(&feeder, true, 77000000).assoc, ==, 1);
    g_assert_cmpuint(feed_init_ack(&feeder, false, 77000000, 88000000).restart_of, ==, SCTPA_NO_ASSOC);
    feed_plain(&feeder, true, 88000000, SCTPA_CHUNK_COOKIE_ECHO, 0);
    sctpa_packet_result_t done = feed_plain(&feeder, false, 77000000, SCTPA_CHUNK_COOKIE_ACK, 0);
    g_assert_cmpuint(done.assoc, ==, 1);
    g_assert_cmpuint(done.restart_of, ==, 0);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_RESTARTED);
    g_assert_cmpint(outcome(&feeder, 1).end, ==, SCTPA_ASSOC_OPEN);
    sctpa_free(feeder.sctpa);
}

static void a_restart_is_by_who_sent_the_init_as_numbered_in_the_association_that_it_ends(void)
{
    for (unsigned by = 0; by < 2; by++) {
        set_up();
        feed_setup(&feeder, TAG_A, TAG_Z);
        feed_init(&feeder, by == 0, 77000000);
        feed_init_ack(&feeder, by != 0, 77000000, 88000000);
        feed_plain(&feeder, by == 0, 88000000, SCTPA_CHUNK_COOKIE_ECHO, 0);
        feed_plain(&feeder, by != 0, 77000000, SCTPA_CHUNK_COOKIE_ACK, 0);
        g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_RESTARTED);
        g_assert_cmpuint(outcome(&feeder, 0).end_by, ==, by);
        sctpa_free(feeder.sctpa);
    }
}

static void data_far_from_the_initial_tsn_of_an_unanswered_init_is_of_another_association(void)
{
    set_up();
    for (unsigned i = 0; i < 3; i++, feeder.packet.time_ns += 3000000000)
        feed_init(&feeder, true, TAG_A);
    g_assert_cmpuint(feed_data(&feeder, true, TAG_Z, TAG_A + 500000).assoc, ==, 1);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_NO_ANSWER);
    g_assert_cmpint(outcome(&feeder, 1).end, ==, SCTPA_ASSOC_OPEN);
    sctpa_free(feeder.sctpa);
}

static void data_at_the_initial_tsn_of_an_init_has_had_an_init_ack_that_the_capture_lacks(void)
{
    set_up();
    feed_init(&feeder, true, TAG_A);
    feeder.packet.time_ns += 3000000000;
    feed_init(&feeder, true, TAG_A);
    g_assert_cmpuint(feed_data(&feeder, true, TAG_Z, TAG_A).assoc, ==, 0);
    g_assert_cmpuint(feed_data(&feeder, true, TAG_Z, TAG_A + 1).assoc, ==, 0);
    feeder.packet.time_ns += 5000000000;
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
    sctpa_free(feeder.sctpa);
}

static void what_else_bears_a_tag_after_an_init_was_sent_again_in_vain_is_of_another_association(void)
{
    for (unsigned inits = 1; inits <= 2; inits++) {
        set_up();
        for (unsigned i = 0; i < inits; i++, feeder.packet.time_ns += 3000000000)
            feed_init(&feeder, true, TAG_A);
        g_assert_cmpuint(feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_HEARTBEAT, 0).assoc, ==, inits - 1);
        sctpa_free(feeder.sctpa);
    }
}

static void a_set_up_has_failed_from_its_first_repetition_on(void)
{
    set_up();
    feed_init(&feeder, true, TAG_A);
    feed_init_ack(&feeder, false, TAG_A, TAG_Z);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
    feeder.packet.time_ns += 1000000000;
    feed_init(&feeder, true, TAG_A);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_FAILED);
    feed_init_ack(&feeder, false, TAG_A, TAG_Z);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
    feeder.packet.time_ns += 1000000000;
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_FAILED);
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_COOKIE_ACK, 0);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
    sctpa_free(feeder.sctpa);
}

static void an_init_that_crosses_its_answer_is_no_repetition(void)
{
    set_up();
    feed_init(&feeder, true, TAG_A);
    feed_init_ack(&feeder, false, TAG_A, TAG_Z);
    feed_init(&feeder, true, TAG_A);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
    sctpa_free(feeder.sctpa);
}

static void late_init_with_the_old_tag_changes_nothing(void)
{
    set_up();
    feed_setup(&feeder, TAG_A, TAG_Z);
    g_assert_cmpuint(feed_init(&feeder, true, TAG_A).assoc, ==, 0);
    g_assert_cmpuint(feed_init_ack(&feeder, false, TAG_A, 88000000).assoc, ==, 0);
    g_assert_cmpuint(feed_data(&feeder, true, TAG_Z, TAG_A).assoc, ==, 0);
    g_assert_cmphex(sctpa_assoc(feeder.sctpa, 0)->ends[1].vtag, ==, TAG_Z);
    sctpa_free(feeder.sctpa);
}

static void crossing_inits_are_one_association(void)
{
    set_up();
    feed_init(&feeder, true, TAG_A);
    g_assert_cmpstr(sctpa_end_role_word(sctpa_assoc(feeder.sctpa, 0), 0), ==, "initiator");
    g_assert_cmpstr(sctpa_end_role_word(sctpa_assoc(feeder.sctpa, 0), 1), ==, "responder");
    sctpa_packet_result_t crossing = feed_init(&feeder, false, TAG_Z);
    g_assert_cmpuint(crossing.assoc, ==, 0);
    g_assert_cmpuint(crossing.from, ==, 1);
    g_assert_cmpstr(sctpa_end_role_word(sctpa_assoc(feeder.sctpa, 0), 0), ==, "either");
    g_assert_cmpstr(sctpa_end_role_word(sctpa_assoc(feeder.sctpa, 0), 1), ==, "either");
    g_assert_cmpuint(feed_init_ack(&feeder, false, TAG_A, TAG_Z).assoc, ==, 0);
    g_assert_cmpuint(feed_init_ack(&feeder, true, TAG_Z, TAG_A).assoc, ==, 0);
    g_assert_true(sctpa_assoc(feeder.sctpa, 0)->collision);
    g_assert_cmpuint(sctpa_assoc_initiator(sctpa_assoc(feeder.sctpa, 0)), ==, 0);
    sctpa_free(feeder.sctpa);
}

static void init_long_after_the_peer_gave_up_is_no_collision(void)
{
    set_up();
    feed_init(&feeder, true, TAG_A);
    feeder.packet.time_ns += 60 * G_GINT64_CONSTANT(1000000000);
    g_assert_cmpuint(feed_init(&feeder, false, TAG_Z).assoc, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void abort_that_answers_init_is_a_refusal(void)
{
    set_up();
    feed_init(&feeder, true, TAG_A);
    g_assert_cmpuint(feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_ABORT, 0).assoc, ==, 0);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_REFUSED);
    g_assert_cmpuint(outcome(&feeder, 0).end_by, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void t_bit_carries_the_senders_own_tag(void)
{
    set_up();
    feed_setup(&feeder, TAG_A, TAG_Z);
    sctpa_packet_result_t abort = feed_plain(&feeder, false, TAG_Z, SCTPA_CHUNK_ABORT, 1);
    g_assert_cmpuint(abort.assoc, ==, 0);
    g_assert_cmpuint(abort.from, ==, 1);
    g_assert_cmpuint(outcome(&feeder, 0).end_by, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void shutdown_is_by_who_asked_first(void)
{
    set_up();
    feed_setup(&feeder, TAG_A, TAG_Z);
    begin(&feeder, false, TAG_A);
    put32(chunk(&feeder, SCTPA_CHUNK_SHUTDOWN, 0, 1), TAG_A - 1);
    feed(&feeder);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_SHUTDOWN_ACK, 0);
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 0);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_SHUTDOWN);
    g_assert_cmpuint(outcome(&feeder, 0).end_by, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void tags_used_again_after_shutdown_are_a_new_association(void)
{
    set_up();
    feed_setup(&feeder, TAG_A, TAG_Z);
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 0);
    feeder.packet.time_ns += 2000000000;
    feed_setup(&feeder, TAG_A, TAG_Z);
    sctpa_packet_result_t data = feed_data(&feeder, true, TAG_Z, TAG_A);
    g_assert_cmpuint(data.assoc, ==, 1);
    sctpa_free(feeder.sctpa);
}

/* An INIT of A whose packet has a Verification Tag, which it must not have. */
static uint32_t feed_init_with_tag(uint32_t vtag, uint32_t tag)
{
    begin(&feeder, true, vtag);
    uint8_t *value = chunk(&feeder, SCTPA_CHUNK_INIT, 0, 4);
    put32(value, tag);
    put32(value + 4, 65536);
    put32(value + 8, 0x000a000a);
    put32(value + 12, tag);
    return feed(&feeder).assoc;
}

static void an_init_with_the_tag_of_what_has_ended_begins_another_association(void)
{
    for (unsigned aborted = 0; aborted < 2; aborted++) {
        set_up();
        feed_setup(&feeder, TAG_A, TAG_Z);
        if (aborted)
            feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_ABORT, 0);
        else
            feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 0);
        g_assert_cmpuint(feed_init_with_tag(TAG_Z, TAG_A), ==, 1);
        g_assert_cmpuint(feed_init_ack(&feeder, false, TAG_A, TAG_Z).assoc, ==, 1);
        g_assert_cmpuint(feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0).assoc, ==, 1);
        g_assert_cmpuint(feed_data(&feeder, true, TAG_Z, TAG_A).assoc, ==, 1);
        g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 0)->setup.steps[SCTPA_STEP_INIT].count, ==, 1);
        sctpa_free(feeder.sctpa);
    }
}

static void an_init_with_the_tag_of_what_lives_changes_nothing(void)
{
    set_up();
    feed_setup(&feeder, TAG_A, TAG_Z);
    g_assert_cmpuint(feed_init_with_tag(TAG_Z, TAG_A), ==, 0);
    g_assert_cmpuint(feed_data(&feeder, true, TAG_Z, TAG_A).assoc, ==, 0);
    g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 1);
    sctpa_free(feeder.sctpa);
}

static void an_init_ack_after_the_end_answers_an_init_that_is_missing(void)
{
    set_up();
    feed_setup(&feeder, TAG_A, TAG_Z);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_SHUTDOWN, 1);
    feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_SHUTDOWN_ACK, 0);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 0);
    feeder.packet.time_ns += 5000000000;
    g_assert_cmpuint(feed_init_ack(&feeder, false, TAG_A, 88000000).assoc, ==, 1);
    g_assert_cmpuint(feed_plain(&feeder, true, 88000000, SCTPA_CHUNK_COOKIE_ECHO, 0).assoc, ==, 1);
    g_assert_cmpuint(feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_COOKIE_ACK, 0).assoc, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void directions_without_set_up_pair_by_addresses(void)
{
    set_up();
    g_assert_cmpuint(feed_data(&feeder, true, TAG_Z, 1000).assoc, ==, 0);
    sctpa_packet_result_t back = feed_sack(&feeder, false, TAG_A, 1000);
    g_assert_cmpuint(back.assoc, ==, 0);
    g_assert_cmpuint(back.from, ==, 1);
    g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 1);
    sctpa_free(feeder.sctpa);
}

static void directions_of_two_associations_pair_by_tsn(void)
{
    set_up();
    feed_data(&feeder, true, 0x50000001, 1000);
    feed_data(&feeder, true, 0x50000002, 900000000);
    g_assert_cmpuint(feed_sack(&feeder, false, 0x60000002, 900000000).assoc, ==, 1);
    g_assert_cmpuint(feed_sack(&feeder, false, 0x60000001, 1000).assoc, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void wrong_join_by_addresses_is_undone(void)
{
    sctpa_packet_result_t first, second;
    set_up();
    feed_data(&feeder, true, 0x50000001, 1000);
    feed_data(&feeder, false, 0x60000002, 500000);
    feed_data(&feeder, true, 0x50000001, 1001);
    feed_sack(&feeder, false, 0x60000002, 900000000);
    g_assert_true(sctpa_packet_result(feeder.sctpa, 0, &first));
    g_assert_true(sctpa_packet_result(feeder.sctpa, 1, &second));
    g_assert_cmpuint(first.assoc, !=, second.assoc);
    g_assert_cmpuint(packets_of(&feeder, first.assoc, 0), ==, 2);
    g_assert_cmpuint(packets_of(&feeder, second.assoc, 0), ==, 2);
    sctpa_free(feeder.sctpa);
}

static void halves_on_other_addresses_join_by_tsn(void)
{
    sctpa_packet_result_t first;
    set_up();
    feed_data(&feeder, true, TAG_Z, 1000);
    begin(&feeder, false, TAG_A);
    put32(chunk(&feeder, SCTPA_CHUNK_SACK, 0, 3), 1000);
    feeder.packet.source = ip(0x0a020101);
    feeder.packet.destination = ip(0x0a020001);
    sctpa_packet_result_t sack = feed(&feeder);
    g_assert_true(sctpa_packet_result(feeder.sctpa, 0, &first));
    g_assert_cmpuint(sack.assoc, ==, first.assoc);
    g_assert_cmpuint(sack.from, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void same_small_tags_of_other_hosts_stay_apart(void)
{
    set_up();
    for (uint32_t host = 0; host < 20; host++) {
        begin(&feeder, true, 0);
        uint8_t *value = chunk(&feeder, SCTPA_CHUNK_INIT, 0, 4);
        put32(value, 1);
        feeder.packet.source = ip(0x0a000100 + host);
        g_assert_cmpuint(feed(&feeder).assoc, ==, host);
    }
    for (uint32_t host = 0; host < 20; host++) {
        begin(&feeder, false, 1);
        put32(chunk(&feeder, SCTPA_CHUNK_INIT_ACK, 0, 4), 2);
        feeder.packet.destination = ip(0x0a000100 + host);
        g_assert_cmpuint(feed(&feeder).assoc, ==, host);
    }
    sctpa_free(feeder.sctpa);
}

/* Sends what was begun as the log of a socket has it. */
static sctpa_packet_result_t feed_logged(uint32_t socket, bool is_sent)
{
    feeder.packet.interface = socket;
    feeder.packet.source = sctpa_addr_of_socket(socket, is_sent);
    feeder.packet.destination = sctpa_addr_of_socket(socket, !is_sent);
    return feed(&feeder);
}

static sctpa_packet_result_t feed_logged_init(uint32_t socket, bool is_sent, uint32_t tag)
{
    begin(&feeder, true, 0);
    put16(feeder.bytes + 2, PORT_A);
    put32(chunk(&feeder, SCTPA_CHUNK_INIT, 0, 4), tag);
    return feed_logged(socket, is_sent);
}

static sctpa_packet_result_t feed_logged_data(uint32_t socket, bool is_sent, uint32_t tag)
{
    begin(&feeder, true, tag);
    put16(feeder.bytes + 2, PORT_A);
    put32(chunk(&feeder, SCTPA_CHUNK_DATA, 3, 4), 1000);
    return feed_logged(socket, is_sent);
}

static void crossing_inits_in_a_log_without_addresses_are_one_association(void)
{
    set_up();
    g_assert_cmpuint(feed_logged_init(0, true, TAG_A).assoc, ==, 0);
    sctpa_packet_result_t second = feed_logged_init(0, false, TAG_Z);
    g_assert_cmpuint(second.assoc, ==, 0);
    g_assert_cmpuint(second.from, ==, 1);
    g_assert_true(sctpa_assoc(feeder.sctpa, 0)->collision);
    sctpa_free(feeder.sctpa);
}

static void two_sockets_that_log_the_same_packets_are_two_associations(void)
{
    set_up();
    feed_logged_init(0, true, TAG_A);
    g_assert_cmpuint(feed_logged_init(1, false, TAG_A).assoc, ==, 1);
    g_assert_cmpuint(feed_logged_init(1, true, TAG_Z).assoc, ==, 1);
    feed_logged_init(0, false, TAG_Z);
    sctpa_packet_result_t sent = feed_logged_data(0, true, TAG_Z), received = feed_logged_data(1, false, TAG_Z);
    g_assert_cmpuint(sent.assoc, ==, 0);
    g_assert_cmpuint(sent.from, ==, 0);
    g_assert_cmpuint(received.assoc, ==, 1);
    g_assert_cmpuint(received.from, ==, 0);
    g_assert_cmpuint(received.remarks, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void a_log_without_set_up_takes_no_packet_of_another_socket(void)
{
    set_up();
    g_assert_cmpuint(feed_logged_data(0, true, TAG_Z).assoc, ==, 0);
    begin(&feeder, true, TAG_A);
    put16(feeder.bytes + 2, PORT_A);
    put32(chunk(&feeder, SCTPA_CHUNK_SACK, 0, 3), 1000);
    g_assert_cmpuint(feed_logged(1, true).assoc, ==, 1);
    g_assert_cmpuint(feed_logged(0, false).assoc, ==, 0);
    sctpa_free(feeder.sctpa);
}

static void the_address_of_a_socket_names_it(void)
{
    sctpa_addr_t local = sctpa_addr_of_socket(3, true), remote = sctpa_addr_of_socket(3, false),
                 other = sctpa_addr_of_socket(4, true);
    char *text = sctpa_addr_text(&local), *remote_text = sctpa_addr_text(&remote);
    g_assert_cmpstr(text, ==, "local@3");
    g_assert_cmpstr(remote_text, ==, "remote@3");
    g_assert_false(sctpa_addr_equal(&local, &remote));
    g_assert_false(sctpa_addr_equal(&local, &other));
    g_free(text);
    g_free(remote_text);
}

static void packets_too_short_for_a_tag_are_in_no_association(void)
{
    set_up();
    begin(&feeder, true, TAG_Z);
    feeder.length = 7;
    g_assert_cmpuint(feed(&feeder).assoc, ==, SCTPA_NO_ASSOC);
    g_assert_cmpuint(sctpa_summary(feeder.sctpa)->unlabelled, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void finds_the_nth_packet_of_a_frame(void)
{
    set_up();
    feed_init(&feeder, true, TAG_A);
    feed_init(&feeder, false, TAG_Z);
    feeder.packet.frame--;
    feed_init_ack(&feeder, true, TAG_Z, TAG_A);
    g_assert_cmpuint(sctpa_packet_find(feeder.sctpa, 2, 0), ==, 1);
    g_assert_cmpuint(sctpa_packet_find(feeder.sctpa, 2, 1), ==, 2);
    g_assert_cmpuint(sctpa_packet_find(feeder.sctpa, 2, 2), ==, UINT32_MAX);
    g_assert_cmpuint(sctpa_packet_find(feeder.sctpa, 9, 0), ==, UINT32_MAX);
    sctpa_free(feeder.sctpa);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/identity/" #name, name)
    TEST(finds_both_directions_by_the_tags_of_the_set_up);
    TEST(retransmitted_init_belongs_to_its_attempt);
    TEST(new_initiate_tag_is_a_new_attempt);
    TEST(init_on_a_live_association_restarts_it_when_acknowledged);
    TEST(a_restart_is_by_who_sent_the_init_as_numbered_in_the_association_that_it_ends);
    TEST(data_far_from_the_initial_tsn_of_an_unanswered_init_is_of_another_association);
    TEST(data_at_the_initial_tsn_of_an_init_has_had_an_init_ack_that_the_capture_lacks);
    TEST(what_else_bears_a_tag_after_an_init_was_sent_again_in_vain_is_of_another_association);
    TEST(a_set_up_has_failed_from_its_first_repetition_on);
    TEST(an_init_that_crosses_its_answer_is_no_repetition);
    TEST(late_init_with_the_old_tag_changes_nothing);
    TEST(crossing_inits_are_one_association);
    TEST(init_long_after_the_peer_gave_up_is_no_collision);
    TEST(abort_that_answers_init_is_a_refusal);
    TEST(t_bit_carries_the_senders_own_tag);
    TEST(shutdown_is_by_who_asked_first);
    TEST(tags_used_again_after_shutdown_are_a_new_association);
    TEST(an_init_with_the_tag_of_what_has_ended_begins_another_association);
    TEST(an_init_with_the_tag_of_what_lives_changes_nothing);
    TEST(an_init_ack_after_the_end_answers_an_init_that_is_missing);
    TEST(directions_without_set_up_pair_by_addresses);
    TEST(directions_of_two_associations_pair_by_tsn);
    TEST(wrong_join_by_addresses_is_undone);
    TEST(halves_on_other_addresses_join_by_tsn);
    TEST(same_small_tags_of_other_hosts_stay_apart);
    TEST(crossing_inits_in_a_log_without_addresses_are_one_association);
    TEST(two_sockets_that_log_the_same_packets_are_two_associations);
    TEST(a_log_without_set_up_takes_no_packet_of_another_socket);
    TEST(the_address_of_a_socket_names_it);
    TEST(packets_too_short_for_a_tag_are_in_no_association);
    TEST(finds_the_nth_packet_of_a_frame);
    return g_test_run();
}
