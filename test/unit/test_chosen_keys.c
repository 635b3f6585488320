/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tags and TSNs chosen so that a known hash puts all of them at one place: the tables spread them, differently in each
 * analysis. */
#include "../../plugins/sctp_analysis/core/analysis.h"
#include "../../plugins/sctp_analysis/core/base/hash.h"
#include "../../plugins/sctp_analysis/core/track/input.h"
#include "../../plugins/sctp_analysis/core/track/tracker.h"
#include "track_feed.h"

enum { KEYS = 4096, LONGEST_RUN = 100, PLACE_BITS = 8 };

static feeder_t feeder;

/* Slots in use one after the other, at most. */
static uint32_t longest_run(const sctpa_slots_t *table)
{
    uint32_t longest = 0, run = 0;
    for (uint32_t i = 0; i <= table->mask; i++) {
        run = table->slots[i].filled ? run + 1 : 0;
        longest = MAX(longest, run);
    }
    return longest;
}

static uint32_t sum_of_hashes(const sctpa_slots_t *table)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= table->mask; i++)
        sum += table->slots[i].filled ? table->slots[i].hash : 0;
    return sum;
}

/* An analysis whose hashes begin with seed, where that is given: what its tables then do is what a known hash would. */
static void begin_analysis(const uint64_t *seed)
{
    feeder_init(&feeder);
    if (seed)
        feeder.sctpa->tracker->store.seed = *seed;
}

/* The place of A's packets with tag in a table of flows without a seed. */
static uint32_t known_place_of_tag(uint32_t tag)
{
    static sctpa_tracker_t without_seed;
    const sctpa_packet_t packet = { .source = ip(ADDR_A), .destination = ip(ADDR_Z) };
    sctpa_input_t input = { .packet = &packet, .source_port = PORT_A, .destination_port = PORT_Z, .vtag = tag };
    sctpa_input_hash(&without_seed, &input);
    return input.way_hash >> (32 - PLACE_BITS);
}

/* The place of a page of TSNs of the first direction in the table of pages without a seed. */
static uint32_t known_place_of_page(uint64_t page)
{
    return (uint32_t)sctpa_hash_mix(0, page) >> (32 - PLACE_BITS);
}

/* A packet for each of KEYS tags, all of which a hash without a seed puts into one 256th of a table of flows. */
static void feed_chosen_tags(const uint64_t *seed)
{
    uint32_t tag = 70000;
    begin_analysis(seed);
    for (unsigned i = 0; i < KEYS; i++) {
        do
            tag++;
        while (known_place_of_tag(tag));
        feed_plain(&feeder, true, tag, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 0);
    }
}

/* The same with TSNs, for the table of pages. */
static void feed_chosen_tsns(const uint64_t *seed)
{
    uint64_t page = 0;
    begin_analysis(seed);
    feed_setup(&feeder, TAG_A, TAG_Z);
    for (unsigned i = 0; i < KEYS; i++) {
        do
            page++;
        while (known_place_of_page(page));
        feed_data(&feeder, true, TAG_Z, TAG_A + (uint32_t)(page << SCTPA_PAGE_BITS));
    }
}

/* So that the keys are what they are taken for: without a seed all of them lie side by side. */
static void chosen_keys_collide_without_a_seed(void)
{
    const uint64_t none = 0;
    feed_chosen_tags(&none);
    g_assert_cmpuint(longest_run(&feeder.sctpa->tracker->flow_table), >=, KEYS);
    sctpa_free(feeder.sctpa);
    feed_chosen_tsns(&none);
    g_assert_cmpuint(longest_run(&feeder.sctpa->tracker->store.page_table), >=, KEYS);
    sctpa_free(feeder.sctpa);
}

static void tags_are_spread(void)
{
    feed_chosen_tags(NULL);
    g_assert_cmpuint(feeder.sctpa->tracker->flow_table.used, >=, KEYS);
    g_assert_cmpuint(longest_run(&feeder.sctpa->tracker->flow_table), <, LONGEST_RUN);
    g_assert_cmpuint(longest_run(&feeder.sctpa->tracker->owners), <, LONGEST_RUN);
    sctpa_free(feeder.sctpa);
}

static void tsns_are_spread(void)
{
    feed_chosen_tsns(NULL);
    g_assert_cmpuint(feeder.sctpa->tracker->store.page_table.used, >=, KEYS);
    g_assert_cmpuint(longest_run(&feeder.sctpa->tracker->store.page_table), <, LONGEST_RUN);
    sctpa_free(feeder.sctpa);
}

/* What one analysis shows of its places is of no use for the next. */
static void each_analysis_has_its_own_places(void)
{
    uint32_t flows[2], owners[2], pages[2], neighbours[2], filed[2];
    for (unsigned i = 0; i < 2; i++) {
        feed_chosen_tags(NULL);
        const sctpa_tracker_t *tracker = feeder.sctpa->tracker;
        flows[i] = sum_of_hashes(&tracker->flow_table);
        owners[i] = sum_of_hashes(&tracker->owners);
        neighbours[i] = sum_of_hashes(&tracker->neighbour_table);
        sctpa_free(feeder.sctpa);
        feed_chosen_tsns(NULL);
        pages[i] = sum_of_hashes(&feeder.sctpa->tracker->store.page_table);
        sctpa_free(feeder.sctpa);
        feeder_init(&feeder);
        feed_data(&feeder, true, TAG_Z, 1);
        filed[i] = sum_of_hashes(&feeder.sctpa->tracker->half_table);
        sctpa_free(feeder.sctpa);
    }
    g_assert_cmpuint(flows[0], !=, flows[1]);
    g_assert_cmpuint(owners[0], !=, owners[1]);
    g_assert_cmpuint(neighbours[0], !=, neighbours[1]);
    g_assert_cmpuint(pages[0], !=, pages[1]);
    g_assert_cmpuint(filed[0], !=, filed[1]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chosen_keys/chosen_keys_collide_without_a_seed", chosen_keys_collide_without_a_seed);
    g_test_add_func("/chosen_keys/tags_are_spread", tags_are_spread);
    g_test_add_func("/chosen_keys/tsns_are_spread", tsns_are_spread);
    g_test_add_func("/chosen_keys/each_analysis_has_its_own_places", each_analysis_has_its_own_places);
    return g_test_run();
}
