/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets with a wrong tag: which are strays of an association, and which begin another one or end this one. */
#include "data_feed.h"

static feeder_t feeder;

enum { WRONG = 0x12345678 };

/* Tags are the Initial TSNs, too. */
static void set_up(void)
{
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    feed_data(&feeder, true, TAG_Z, TAG_A);
    feed_sack(&feeder, false, TAG_A, TAG_A);
    feed_data(&feeder, false, TAG_A, TAG_Z);
    feed_sack(&feeder, true, TAG_Z, TAG_Z);
}

static bool is_stray(sctpa_packet_result_t result)
{
    return result.remarks & SCTPA_CAPTURE_STRAY;
}

static sctpa_packet_result_t feed_heartbeat(bool from_a, uint32_t tag)
{
    begin(&feeder, from_a, tag);
    put32(chunk(&feeder, SCTPA_CHUNK_HEARTBEAT, 0, 2), 0x00010008);
    return feed(&feeder);
}

static void a_stray_is_recorded_and_counted_nowhere(void)
{
    set_up();
    uint32_t before = packets_of(&feeder, 0, 0);
    sctpa_packet_result_t data = feed_data(&feeder, true, WRONG, TAG_A + 1), heartbeat = feed_heartbeat(true, WRONG);
    g_assert_true(is_stray(data) && is_stray(heartbeat));
    g_assert_cmpuint(data.assoc, ==, 0);
    g_assert_cmpuint(data.from, ==, 0);
    g_assert_cmpuint(packets_of(&feeder, 0, 0), ==, before);
    g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 1);
    g_assert_cmpint(sctpa_direction(feeder.sctpa, 0, 0)->highest, ==, 0);
    g_assert_false(is_stray(feed_data(&feeder, true, TAG_Z, TAG_A + 1)));
    g_assert_cmpint(sctpa_direction(feeder.sctpa, 0, 0)->highest, ==, 1);
    sctpa_free(feeder.sctpa);
}

static void a_duplicate_of_a_stray_leads_nowhere(void)
{
    set_up();
    g_assert_true(is_stray(feed_heartbeat(true, WRONG)));
    feeder.packet.interface = 1;
    g_assert_cmpint(feed(&feeder).remarks, ==, SCTPA_CAPTURE_DUPLICATE);
    feeder.packet.interface = 0;
    g_assert_true(is_stray(feed_heartbeat(true, WRONG)));
    sctpa_free(feeder.sctpa);
}

static void other_hosts_and_other_data_do_not_stray(void)
{
    set_up();
    feeder.packet.ttl = 50;
    g_assert_false(is_stray(feed_heartbeat(true, WRONG)));
    sctpa_free(feeder.sctpa);
    set_up();
    feeder.packet.ip_id += 1000;
    g_assert_false(is_stray(feed_heartbeat(true, WRONG)));
    sctpa_free(feeder.sctpa);
    set_up();
    g_assert_false(is_stray(feed_data(&feeder, true, WRONG, TAG_A + (1 << 30))));
    g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 2);
    sctpa_free(feeder.sctpa);
}

static void where_both_ends_use_other_tags_another_association_begins(void)
{
    set_up();
    g_assert_true(is_stray(feed_heartbeat(true, WRONG)));
    g_assert_false(is_stray(feed_heartbeat(false, WRONG + 1)));
    g_assert_false(is_stray(feed_heartbeat(true, WRONG)));
    g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 2);
    sctpa_free(feeder.sctpa);
}

static void many_in_a_row_are_an_association(void)
{
    set_up();
    for (unsigned i = 0; i < 32; i++)
        g_assert_true(is_stray(feed_heartbeat(true, WRONG)));
    g_assert_false(is_stray(feed_heartbeat(true, WRONG)));
    sctpa_free(feeder.sctpa);
}

static void set_ups_do_not_stray(void)
{
    set_up();
    g_assert_false(is_stray(feed_init(&feeder, true, WRONG)));
    g_assert_false(is_stray(feed_init_ack(&feeder, false, WRONG, WRONG + 1)));
    g_assert_false(is_stray(feed_plain(&feeder, true, WRONG + 1, SCTPA_CHUNK_COOKIE_ECHO, 0)));
    g_assert_cmpuint(feed_plain(&feeder, false, WRONG, SCTPA_CHUNK_COOKIE_ACK, 0).assoc, ==, 1);
    sctpa_free(feeder.sctpa);
    set_up();
    g_assert_false(is_stray(feed_plain(&feeder, true, WRONG, SCTPA_CHUNK_COOKIE_ECHO, 0)));
    sctpa_free(feeder.sctpa);
}

static void without_captured_set_up_what_carries_on_strays(void)
{
    feeder_init(&feeder);
    feed_data(&feeder, true, TAG_Z, 1);
    feed_sack(&feeder, false, TAG_A, 1);
    g_assert_true(is_stray(feed_data(&feeder, true, WRONG, 2)));
    g_assert_false(is_stray(feed_data(&feeder, true, TAG_Z, 2)));
    sctpa_free(feeder.sctpa);
    feeder_init(&feeder);
    feed_data(&feeder, true, TAG_Z, 1);
    feed_sack(&feeder, false, TAG_A, 1);
    g_assert_false(is_stray(feed_data(&feeder, true, WRONG, 3)));
    sctpa_free(feeder.sctpa);
}

/* An INIT ACK, and a COOKIE ECHO, whose tag nobody announced, are the next step of the attempt that waits for them. */
static void a_step_with_a_foreign_tag_belongs_to_its_attempt(void)
{
    feeder_init(&feeder);
    feed_init(&feeder, true, TAG_A);
    g_assert_cmpuint(feed_init_ack(&feeder, false, WRONG, TAG_Z).assoc, ==, 0);
    g_assert_cmpuint(feed_plain(&feeder, true, WRONG + 1, SCTPA_CHUNK_COOKIE_ECHO, 0).assoc, ==, 0);
    g_assert_cmpuint(feed_plain(&feeder, false, TAG_A, SCTPA_CHUNK_COOKIE_ACK, 0).assoc, ==, 0);
    g_assert_cmpuint(feed_data(&feeder, true, TAG_Z, TAG_A).assoc, ==, 0);
    g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 1);
    sctpa_free(feeder.sctpa);
}

/* Who uses a tag from the set-up on has it from what the capture missed. */
static void who_insists_on_a_tag_has_it_from_a_missed_set_up(void)
{
    feeder_init(&feeder);
    feed_init(&feeder, true, TAG_A);
    feed_init_ack(&feeder, false, TAG_A, TAG_Z);
    feed_plain(&feeder, true, TAG_Z, SCTPA_CHUNK_COOKIE_ECHO, 0);
    g_assert_true(is_stray(feed_plain(&feeder, false, WRONG, SCTPA_CHUNK_COOKIE_ACK, 0)));
    sctpa_packet_result_t data = feed_data(&feeder, false, WRONG, TAG_Z);
    g_assert_false(is_stray(data));
    g_assert_cmpuint(data.assoc, ==, 0);
    g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 1);
    sctpa_free(feeder.sctpa);
}

static void an_abort_strays_when_its_t_bit_is_missing(void)
{
    set_up();
    sctpa_packet_result_t abort = feed_plain(&feeder, false, TAG_Z, SCTPA_CHUNK_ABORT, 0);
    g_assert_true(is_stray(abort));
    g_assert_cmpuint(abort.from, ==, 1);
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_OPEN);
    g_assert_false(is_stray(feed_plain(&feeder, false, TAG_Z, SCTPA_CHUNK_ABORT, 1)));
    g_assert_cmpint(outcome(&feeder, 0).end, ==, SCTPA_ASSOC_ABORT);
    g_assert_false(is_stray(feed_heartbeat(true, WRONG)));
    sctpa_free(feeder.sctpa);
}

#define TEST(name) g_test_add_func("/strays/" #name, name)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    TEST(a_stray_is_recorded_and_counted_nowhere);
    TEST(a_duplicate_of_a_stray_leads_nowhere);
    TEST(other_hosts_and_other_data_do_not_stray);
    TEST(where_both_ends_use_other_tags_another_association_begins);
    TEST(many_in_a_row_are_an_association);
    TEST(set_ups_do_not_stray);
    TEST(without_captured_set_up_what_carries_on_strays);
    TEST(a_step_with_a_foreign_tag_belongs_to_its_attempt);
    TEST(who_insists_on_a_tag_has_it_from_a_missed_set_up);
    TEST(an_abort_strays_when_its_t_bit_is_missing);
    return g_test_run();
}
