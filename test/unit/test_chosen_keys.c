/* Tags and TSNs chosen so that a known hash puts all of them at one place: the tables spread them, differently in each analysis. */
#include "../../plugins/sctp_analysis/core/analysis.h"
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

/* The finaliser of SplitMix64 without a key. */
static uint64_t known_mix(uint64_t hash, uint64_t value)
{
    hash ^= value + 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    return hash ^ hash >> 31;
}

static uint64_t known_addr_hash(uint32_t addr)
{
    return known_mix(4, GUINT32_TO_BE(addr));
}

/* A packet for each of KEYS tags, all of which a hash without a key puts into one 256th of a table of flows. */
static void feed_chosen_tags(void)
{
    uint64_t addrs = known_addr_hash(ADDR_A) + 3 * known_addr_hash(ADDR_Z);
    uint32_t tag = 70000;
    feeder_init(&feeder);
    for (unsigned i = 0; i < KEYS; i++) {
        do
            tag++;
        while ((uint32_t)known_mix(addrs, (uint64_t)tag << 32 | (uint32_t)PORT_A << 16 | PORT_Z) >> (32 - PLACE_BITS));
        feed_plain(&feeder, true, tag, SCTPA_CHUNK_SHUTDOWN_COMPLETE, 0);
    }
}

/* The same with TSNs, for the table of pages. */
static void feed_chosen_tsns(void)
{
    uint64_t page = 0;
    feeder_init(&feeder);
    feed_setup(&feeder, TAG_A, TAG_Z);
    for (unsigned i = 0; i < KEYS; i++) {
        do
            page++;
        while ((uint32_t)(page * 0xd6e8feb86659fd93u >> 32) >> (32 - PLACE_BITS));
        feed_data(&feeder, true, TAG_Z, TAG_A + (uint32_t)(page << SCTPA_PAGE_BITS));
    }
}

static void tags_are_spread(void)
{
    feed_chosen_tags();
    g_assert_cmpuint(feeder.sctpa->tracker->flow_table.used, >=, KEYS);
    g_assert_cmpuint(longest_run(&feeder.sctpa->tracker->flow_table), <, LONGEST_RUN);
    g_assert_cmpuint(longest_run(&feeder.sctpa->tracker->owners), <, LONGEST_RUN);
    sctpa_free(feeder.sctpa);
}

static void tsns_are_spread(void)
{
    feed_chosen_tsns();
    g_assert_cmpuint(feeder.sctpa->tracker->store.page_table.used, >=, KEYS);
    g_assert_cmpuint(longest_run(&feeder.sctpa->tracker->store.page_table), <, LONGEST_RUN);
    sctpa_free(feeder.sctpa);
}

/* What one analysis shows of its places is of no use for the next. */
static void each_analysis_has_its_own_places(void)
{
    uint32_t flows[2], owners[2], pages[2], neighbours[2], filed[2];
    for (unsigned i = 0; i < 2; i++) {
        feed_chosen_tags();
        const sctpa_tracker_t *tracker = feeder.sctpa->tracker;
        flows[i] = sum_of_hashes(&tracker->flow_table);
        owners[i] = sum_of_hashes(&tracker->owners);
        neighbours[i] = sum_of_hashes(&tracker->neighbour_table);
        sctpa_free(feeder.sctpa);
        feed_chosen_tsns();
        pages[i] = sum_of_hashes(&feeder.sctpa->tracker->store.page_table);
        sctpa_free(feeder.sctpa);
        feeder_init(&feeder);
        feed_data(&feeder, true, TAG_Z, 1);
        filed[i] = sum_of_hashes(&feeder.sctpa->tracker->evidence_table);
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
    g_test_add_func("/chosen_keys/tags_are_spread", tags_are_spread);
    g_test_add_func("/chosen_keys/tsns_are_spread", tsns_are_spread);
    g_test_add_func("/chosen_keys/each_analysis_has_its_own_places", each_analysis_has_its_own_places);
    return g_test_run();
}
