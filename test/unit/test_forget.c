/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Associations that are forgotten one by one: what was kept of them is given back, nothing leads to them any more,
 * others stay as they are, and the same packets begin new ones. AddressSanitizer sees whoever still reads what was
 * given back. */
#include "../../plugins/sctp_analysis/core/analysis.h"
#include "../../plugins/sctp_analysis/core/track/feed/feed_parts.h"
#include "../../plugins/sctp_analysis/core/track/tracker.h"
#include "association_kinds.h"

enum { ASSOCIATIONS = 40 };

static size_t held_bytes(void)
{
    return sctpa_held_bytes(feeder.sctpa);
}

static void feed_all(uint32_t first)
{
    for (uint32_t i = 0; i < ASSOCIATIONS; i++) {
        current = first + i;
        kinds[i % G_N_ELEMENTS(kinds)]();
    }
    current = first + ASSOCIATIONS;
    with_many_addresses();
}

/* Numbers from begin on in an order of chance. */
static uint32_t *shuffled(uint32_t begin, uint32_t n)
{
    uint32_t *numbers = g_new(uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (uint32_t)g_test_rand_int_range(0, (gint32)i + 1);
        numbers[i] = numbers[at];
        numbers[at] = begin + i;
    }
    return numbers;
}

/* What was found in an association, with the packets that lead there. */
static uint64_t digest_of_findings(uint32_t number)
{
    uint64_t hash = 0;
    uint32_t n;
    const sctpa_mark_t *marks = sctpa_marks(feeder.sctpa, &n);
    for (const sctpa_finding_t *f = sctpa_finding_first(feeder.sctpa, number); f;
         f = sctpa_finding_next(feeder.sctpa, number, f)) {
        hash = sctpa_hash_mix(hash, f->rule + ((uint64_t)f->count << 32));
        hash = sctpa_hash_bytes(hash, (const uint8_t *)f->seen, (uint32_t)strlen(f->seen));
        for (uint32_t at = f->last_mark; at > 0; at = marks[at - 1].before) {
            g_assert_true(at <= n && marks[at - 1].finding == f);
            hash = sctpa_hash_mix(hash, marks[at - 1].packet);
        }
    }
    for (uint8_t e = 0; e < 2; e++)
        hash = sctpa_hash_mix(hash, sctpa_judgement(feeder.sctpa, number, e).judged);
    return hash;
}

/* What an association says of itself. */
static uint64_t digest(uint32_t number)
{
    const sctpa_assoc_t *assoc = sctpa_assoc(feeder.sctpa, number);
    uint64_t hash = sctpa_hash_mix(digest_of_findings(number), assoc->first_frame);
    for (uint8_t e = 0; e < 2; e++) {
        const sctpa_end_t *end = &assoc->ends[e];
        const sctpa_direction_t *direction = sctpa_direction(feeder.sctpa, number, e);
        sctpa_counts_copy_t counts;
        sctpa_end_counts(feeder.sctpa, assoc, e, &counts);
        hash = sctpa_hash_mix(hash, counts.counts.packets + counts.counts.data_bytes);
        for (unsigned i = 0; i < end->n_pairs; i++) {
            sctpa_pair_counts(feeder.sctpa, end->pairs[i], &counts);
            hash = sctpa_hash_mix(hash, counts.counts.packets);
            hash = sctpa_hash_bytes(hash, end->pairs[i]->source->data, end->pairs[i]->source->bytes);
            hash = sctpa_hash_bytes(hash, end->pairs[i]->destination->data, end->pairs[i]->destination->bytes);
        }
        for (unsigned i = 0; i < end->n_paths; i++)
            hash = sctpa_hash_bytes(hash, end->paths[i].destination->data, end->paths[i].destination->bytes);
        if (direction)
            hash = sctpa_hash_mix(hash, direction->tsns + ((uint64_t)direction->rare->rtx.len << 32));
        for (int64_t tsn = 0; direction && tsn < 80; tsn++)
            hash = sctpa_hash_mix(
                hash, sctpa_direction_tsn(direction, tsn) ? sctpa_direction_tsn(direction, tsn)->first_packet : 0);
    }
    for (uint32_t i = 0; i < assoc->n_events; i++)
        if (assoc->events[i].detail)
            hash = sctpa_hash_bytes(hash, (const uint8_t *)assoc->events[i].detail,
                                    (uint32_t)strlen(assoc->events[i].detail));
    return hash;
}

static void assert_is_none(uint32_t number)
{
    sctpa_counts_copy_t counts;
    const sctpa_assoc_t *assoc = sctpa_assoc(feeder.sctpa, number);
    g_assert_cmpuint(assoc->number, ==, SCTPA_NO_ASSOC);
    g_assert_cmpuint(assoc->n_events, ==, 0);
    g_assert_cmpint(outcome(&feeder, number).end, ==, SCTPA_ASSOC_OPEN);
    g_assert_null(sctpa_finding_first(feeder.sctpa, number));
    for (uint8_t e = 0; e < 2; e++) {
        sctpa_end_counts(feeder.sctpa, assoc, e, &counts);
        g_assert_cmpuint(counts.counts.packets, ==, 0);
        g_assert_null(sctpa_direction(feeder.sctpa, number, e));
        g_assert_cmpint(sctpa_judgement(feeder.sctpa, number, e).verdict, ==, SCTPA_VERDICT_NOT_JUDGED);
    }
}

/* The parts that exist only where a complete capture, where it was taken, and its timers are asserted are made as well.
 */
static void begin_asserting(void)
{
    char *error;
    feeder_init(&feeder);
    sctpa_assert(feeder.sctpa,
                 sctpa_assertions_new(true, 0, "0.0.0.0/0", "* RTO.Initial=1000 RTO.Min=1000 RTO.Max=60000", &error));
}

static void nothing_is_held_when_all_are_forgotten_in_any_order(void)
{
    begin_asserting();
    for (unsigned round = 0; round < 12; round++) {
        uint32_t begin = sctpa_assoc_count(feeder.sctpa);
        feed_all(round % 3 * 1000);
        uint32_t n = sctpa_assoc_count(feeder.sctpa) - begin, *numbers = shuffled(begin, n);
        g_assert_cmpuint(n, >, ASSOCIATIONS);
        for (uint32_t i = 0; i < n; i++) {
            sctpa_forget(feeder.sctpa, numbers[i]);
            assert_is_none(numbers[i]);
        }
        g_assert_cmpuint(held_bytes(), ==, 0);
        g_free(numbers);
    }
    sctpa_free(feeder.sctpa);
}

/* A part that no kind of association fills is not seen to be given back: association_kinds.h must fill it. */
static void every_part_of_the_reference_endpoints_is_made(void)
{
    begin_asserting();
    feed_all(0);
    const sctpa_reference_store_t *store = sctpa_model_reference(feeder.sctpa->model);
    for (unsigned part = 0; part < SCTPA_PARTS; part++)
        g_assert_cmpuint(store->parts[part].in_use, >, 0);
    sctpa_free(feeder.sctpa);
}

static void others_stay_as_they_are(void)
{
    feeder_init(&feeder);
    feed_all(0);
    uint32_t n = sctpa_assoc_count(feeder.sctpa), *numbers = shuffled(0, n);
    uint64_t *digests = g_new(uint64_t, n);
    for (uint32_t i = 0; i < n; i++)
        digests[i] = digest(i);
    for (uint32_t i = 0; i < n; i++) {
        sctpa_forget(feeder.sctpa, numbers[i]);
        for (uint32_t j = 0; j < n; j++)
            if (sctpa_assoc(feeder.sctpa, j)->number != SCTPA_NO_ASSOC)
                g_assert_true(digest(j) == digests[j]);
    }
    g_free(numbers);
    g_free(digests);
    sctpa_free(feeder.sctpa);
}

/* The findings of new associations take the places of those that were forgotten. */
static void packets_of_forgotten_ones_lead_to_no_finding(void)
{
    sctpa_packet_result_t result;
    uint32_t n, dead = 0, alive = 0;
    feeder_init(&feeder);
    feed_all(0);
    sctpa_marks(feeder.sctpa, &n);
    g_assert_cmpuint(n, >, 100);
    for (uint32_t i = 0; i < sctpa_assoc_count(feeder.sctpa); i += 2)
        sctpa_forget(feeder.sctpa, i);
    feed_all(1000);
    for (uint32_t i = 0; sctpa_packet_result(feeder.sctpa, i, &result); i++)
        if (result.assoc == SCTPA_NO_ASSOC)
            g_assert_null(sctpa_packet_finding(feeder.sctpa, i, 0));
    const sctpa_mark_t *marks = sctpa_marks(feeder.sctpa, &n);
    for (uint32_t i = 0; i < n; i++) {
        g_assert_true(i == 0 || marks[i - 1].packet <= marks[i].packet);
        g_assert_true(sctpa_packet_result(feeder.sctpa, marks[i].packet, &result));
        g_assert_true((result.assoc == SCTPA_NO_ASSOC) == (marks[i].finding == NULL));
        dead += !marks[i].finding;
        alive += marks[i].finding != NULL;
    }
    g_assert_cmpuint(dead, <=, alive);
    sctpa_free(feeder.sctpa);
}

static void memory_is_used_again(void)
{
    feeder_init(&feeder);
    const sctpa_tracker_t *tracker = feeder.sctpa->tracker;
    const sctpa_reference_store_t *reference = sctpa_model_reference(feeder.sctpa->model);
    const void *newest[3] = { NULL, NULL, NULL };
    uint32_t tsns = 0, flows = 0;
    for (unsigned round = 0; round < 6; round++) {
        feed_all(round * 1000);
        if (round == 1) {
            newest[0] = tracker->arena.newest;
            newest[1] = tracker->store.arena.newest;
            newest[2] = reference->arena.newest;
            tsns = tracker->store.tsns.count;
            flows = tracker->flows.count;
        } else if (round > 1) {
            g_assert_true(tracker->arena.newest == newest[0] && tracker->store.arena.newest == newest[1]);
            g_assert_true(reference->arena.newest == newest[2]);
            g_assert_cmpuint(tracker->store.tsns.count, ==, tsns);
            g_assert_cmpuint(tracker->flows.count, ==, flows);
        }
        for (uint32_t i = 0; i < sctpa_assoc_count(feeder.sctpa); i++)
            sctpa_forget(feeder.sctpa, i);
    }
    sctpa_free(feeder.sctpa);
}

static void packets_that_come_later_begin_a_new_one(void)
{
    feeder_init(&feeder);
    current = 7;
    plain();
    g_assert_cmpuint(feed(&feeder).assoc, ==, 0);
    uint32_t before = feeder.sctpa->tracker->records->len - 1;
    sctpa_forget(feeder.sctpa, 0);
    sctpa_packet_result_t result;
    g_assert_true(sctpa_packet_result(feeder.sctpa, before, &result));
    g_assert_cmpuint(result.assoc, ==, SCTPA_NO_ASSOC);
    g_assert_cmpuint(result.frame, ==, feeder.packet.frame);
    feeder.packet.interface = 1; /* a duplicate of the last packet */
    g_assert_cmpuint(feed(&feeder).assoc, ==, 1);
    feeder.packet.interface = 0;
    open_packet(true, 0);
    add_data(&feeder, 1060, 4);
    g_assert_cmpuint(feed(&feeder).assoc, ==, 1);
    sctpa_forget(feeder.sctpa, 1);
    send_set_up(0);
    g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 3);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 2)->restart_of, ==, SCTPA_NO_ASSOC);
    g_assert_cmpuint(packets_of(&feeder, 2, 0), ==, 2);
    sctpa_free(feeder.sctpa);
}

static void an_association_that_replaces_a_forgotten_one_is_no_restart(void)
{
    feeder_init(&feeder);
    current = 7;
    plain();
    send_init(false, tag_of(true) + 1, 0, 0);
    g_assert_cmpuint(feed(&feeder).assoc, ==, 1);
    sctpa_forget(feeder.sctpa, 0);
    send_init(true, tag_of(false) + 1, tag_of(true) + 1, 0);
    feed(&feeder);
    begin_packet(true, tag_of(false) + 1, 0);
    add(SCTPA_CHUNK_COOKIE_ECHO, 1);
    feed(&feeder);
    begin_packet(false, tag_of(true) + 1, 0);
    add(SCTPA_CHUNK_COOKIE_ACK, 0);
    g_assert_cmpuint(feed(&feeder).assoc, ==, 1);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 1)->restart_of, ==, SCTPA_NO_ASSOC);
    sctpa_free(feeder.sctpa);
}

static void a_half_that_was_joined_goes_with_what_it_became(void)
{
    feeder_init(&feeder);
    current = 3;
    joined();
    g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 2);
    g_assert_cmpuint(sctpa_assoc(feeder.sctpa, 1)->merged_into, ==, 0);
    sctpa_forget(feeder.sctpa, 1);
    assert_is_none(0);
    assert_is_none(1);
    g_assert_cmpuint(held_bytes(), ==, 0);
    sctpa_free(feeder.sctpa);
}

static void what_parted_is_forgotten_apart(void)
{
    for (uint32_t first = 0; first < 2; first++) {
        feeder_init(&feeder);
        current = 3;
        parted();
        g_assert_cmpuint(sctpa_assoc_count(feeder.sctpa), ==, 2);
        uint64_t before = digest(!first);
        sctpa_forget(feeder.sctpa, first);
        g_assert_true(digest(!first) == before);
        begin_packet(false, 0, 2); /* goes by addresses alone */
        add(SCTPA_CHUNK_COOKIE_ACK, 0);
        g_assert_cmpuint(feed(&feeder).assoc, !=, SCTPA_NO_ASSOC);
        sctpa_forget(feeder.sctpa, !first);
        sctpa_forget(feeder.sctpa, sctpa_assoc_count(feeder.sctpa) - 1);
        g_assert_cmpuint(held_bytes(), ==, 0);
        sctpa_free(feeder.sctpa);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/forget/" #name, name)
    TEST(nothing_is_held_when_all_are_forgotten_in_any_order);
    TEST(every_part_of_the_reference_endpoints_is_made);
    TEST(others_stay_as_they_are);
    TEST(packets_of_forgotten_ones_lead_to_no_finding);
    TEST(memory_is_used_again);
    TEST(packets_that_come_later_begin_a_new_one);
    TEST(an_association_that_replaces_a_forgotten_one_is_no_restart);
    TEST(a_half_that_was_joined_goes_with_what_it_became);
    TEST(what_parted_is_forgotten_apart);
    return g_test_run();
}
