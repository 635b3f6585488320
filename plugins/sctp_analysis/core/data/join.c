/* Corrections when associations are found to belong together, or not: SACKs that were followed apart from their data. */
#include "internal.h"

#include "../base/records.h"

static void store_be32(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Plays a SACK again as it passed. */
static void replay(sctpa_direction_t *direction, const sctpa_direction_t *other, unsigned at, GByteArray *blocks)
{
    const sctpa_sack_record_t *record = &SCTPA_RECORD(&other->sacks, sctpa_sack_record_t, at);
    uint32_t end = sctpa_direction_gaps_end(other, at);
    sctpa_place_in_capture_t place = { .packet = record->packet, .time_ns = sctpa_direction_time_ns(other, record->packet) };
    g_byte_array_set_size(blocks, 4 * (end - record->gaps));
    for (uint32_t i = record->gaps; i < end; i++)
        store_be32(blocks->data + 4 * (i - record->gaps), SCTPA_RECORD(&other->seldom->gaps, uint32_t, i));
    sctpa_sack_t sack = { .cum_tsn = record->cum_tsn, .a_rwnd = record->a_rwnd_bytes, .gaps = blocks->data,
                          .n_gaps = end - record->gaps, .complete = true };
    sctpa_direction_take_sack(direction, &sack, &place);
}

/* The gap blocks of a SACK end where those of the next begin: they move with it. */
static void sort_sacks(sctpa_direction_t *direction)
{
    sctpa_arena_t *arena = &direction->store->arena;
    sctpa_seldom_t *seldom = sctpa_direction_seldom(direction), unsorted_seldom = { .gaps = seldom->gaps };
    sctpa_direction_t unsorted = { .sacks = direction->sacks, .seldom = &unsorted_seldom };
    GArray *order = g_array_sized_new(FALSE, FALSE, 2 * sizeof(uint32_t), unsorted.sacks.len);
    for (uint32_t i = 0; i < unsorted.sacks.len; i++) {
        uint32_t key[2] = { SCTPA_RECORD(&unsorted.sacks, sctpa_sack_record_t, i).packet, i };
        g_array_append_val(order, key);
    }
    g_array_sort(order, sctpa_records_order);
    direction->sacks = seldom->gaps = (sctpa_records_t){ NULL, 0, 0 };
    for (uint32_t i = 0; i < order->len; i++) {
        uint32_t from = ((const uint32_t *)(const void *)order->data)[2 * i + 1];
        sctpa_sack_record_t record = SCTPA_RECORD(&unsorted.sacks, sctpa_sack_record_t, from);
        uint32_t first = record.gaps, end = sctpa_direction_gaps_end(&unsorted, from);
        record.gaps = seldom->gaps.len;
        sctpa_records_append(&direction->sacks, arena, &record, sizeof record);
        for (; first < end; first++)
            sctpa_records_append(&seldom->gaps, arena, &SCTPA_RECORD(&unsorted_seldom.gaps, uint32_t, first), sizeof first);
    }
    g_array_unref(order);
    sctpa_records_clear(&unsorted.sacks, sizeof(sctpa_sack_record_t));
    sctpa_records_clear(&unsorted_seldom.gaps, sizeof(uint32_t));
}

static void sort_samples(sctpa_direction_t *direction)
{
    sctpa_records_sort(&direction->samples, sizeof(sctpa_sample_t));
    for (unsigned i = 0; i < direction->paths.len; i++)
        SCTPA_RECORD(&direction->paths, sctpa_data_path_t, i).last_sample = 0;
    for (unsigned i = 0; i < direction->samples.len; i++) {
        sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, i);
        sctpa_data_path_t *path = sctpa_direction_path(direction, sample->path);
        sample->before = path->last_sample;
        path->last_sample = i + 1;
    }
}

static void sort(sctpa_direction_t *direction)
{
    sort_sacks(direction);
    sctpa_records_sort(&direction->acked, sizeof(sctpa_acked_t));
    sctpa_records_sort(&sctpa_direction_seldom(direction)->duplicate_tsns, sizeof(sctpa_duplicate_t));
    sort_samples(direction);
}

void sctpa_direction_join(sctpa_direction_t *direction, const sctpa_direction_t *other)
{
    GByteArray *blocks = g_byte_array_new();
    for (unsigned i = 0; i < other->sacks.len; i++)
        replay(direction, other, i, blocks);
    g_byte_array_unref(blocks);
    for (unsigned i = 0; i < other->seldom->duplicate_tsns.len; i++)
        sctpa_direction_take_duplicate(direction, SCTPA_RECORD(&other->seldom->duplicate_tsns, sctpa_duplicate_t, i));
    sort(direction);
}

static void forget(sctpa_direction_t *direction, int64_t number, sctpa_tsn_t *tsn)
{
    if (tsn->transmissions == 0)
        return;
    tsn->gap_packet = tsn->ack_packet = SCTPA_NO_PACKET_INDEX;
    tsn->state &= SCTPA_TSN_BEHIND;
    tsn->duplicates = 0;
    sctpa_seen_add(&direction->seen, number);
    sctpa_flight_add(direction, tsn);
}

void sctpa_direction_forget_acks(sctpa_direction_t *direction)
{
    sctpa_seldom_t *seldom = sctpa_direction_seldom(direction);
    if (seldom->gap_ranges)
        g_array_set_size(seldom->gap_ranges, 0);
    direction->sacks.len = seldom->gaps.len = direction->acked.len = seldom->duplicate_tsns.len = 0;
    direction->has_cum = direction->has_a_rwnd = false;
    direction->cum_tsn = direction->highest_gap_end = seldom->doubtful_to = seldom->abandoned_to = seldom->recovery_to = -1;
    seldom->unseen_acked = direction->flight_bytes = 0;
    seldom->old_sacks = seldom->network_duplicates = 0;
    *direction->answer_min_ns = -1;
    sctpa_seen_clear(&direction->seen);
    for (unsigned i = 0; i < direction->paths.len; i++)
        SCTPA_RECORD(&direction->paths, sctpa_data_path_t, i).flight_bytes = 0;
    GPtrArray *pages = sctpa_pages_of(direction);
    for (unsigned p = 0; p < pages->len; p++) {
        sctpa_page_t *page = g_ptr_array_index(pages, p);
        for (unsigned i = 0; i < SCTPA_PAGE_TSNS; i++)
            forget(direction, page->number * SCTPA_PAGE_TSNS + i, &page->tsns[i]);
    }
    g_ptr_array_unref(pages);
}
