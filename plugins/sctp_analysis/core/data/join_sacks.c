/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Corrections when associations are found to belong together, or not: SACKs that were followed apart from their data.
 */
#include "direction_internal.h"

#include "base/records.h"

static void store_be32(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Plays a SACK again as it passed. */
static void replay(sctpa_direction_t *direction, const sctpa_direction_t *other, unsigned at, bool data_only,
                   GByteArray *bytes)
{
    const sctpa_sack_record_t *record = &SCTPA_RECORD(&other->sacks, sctpa_sack_record_t, at);
    uint32_t n;
    const uint32_t *blocks = sctpa_direction_gaps(other, record->gaps, &n);
    sctpa_place_in_capture_t place = { .packet = record->packet,
                                       .time_ns = sctpa_direction_time_ns(other, record->packet),
                                       .data_only = data_only };
    g_byte_array_set_size(bytes, 4 * n);
    for (uint32_t i = 0; i < n; i++)
        store_be32(bytes->data + 4 * i, blocks[i]);
    sctpa_sack_t sack = { .cum_tsn = record->cum_tsn,
                          .a_rwnd = record->a_rwnd_bytes,
                          .gaps = bytes->data,
                          .n_gaps = n,
                          .complete = n != 1 || blocks[0] != 0 };
    sctpa_direction_take_sack(direction, &sack, &place);
}

static void sort_samples(sctpa_direction_t *direction)
{
    sctpa_records_sort(&direction->samples, sizeof(sctpa_sample_t));
    for (unsigned i = 0; i < direction->paths.len; i++)
        SCTPA_RECORD(&direction->paths, sctpa_data_path_t, i).last_sample = 0;
    for (unsigned i = 0; i < direction->samples.len; i++) {
        sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, i);
        sctpa_data_path_t *path = sctpa_direction_path(direction, sample->path);
        sample->link = sctpa_chain_link(SCTPA_CHAIN(&direction->samples, sctpa_sample_t, link), path->last_sample);
        path->last_sample = i + 1;
    }
}

static void sort(sctpa_direction_t *direction)
{
    sctpa_records_sort(&direction->sacks, sizeof(sctpa_sack_record_t));
    sctpa_records_sort(&direction->acked, sizeof(sctpa_acked_t));
    sctpa_records_sort(&sctpa_direction_rare(direction)->duplicate_tsns, sizeof(sctpa_duplicate_t));
    sort_samples(direction);
}

static void forget_unseen_acks(sctpa_direction_t *direction)
{
    sctpa_direction_rare_t *rare = sctpa_direction_rare(direction);
    rare->unseen_acks = rare->unseen_ack_packet = 0;
}

void sctpa_direction_join(sctpa_direction_t *direction, const sctpa_direction_t *other, bool data_only)
{
    GByteArray *bytes = g_byte_array_new();
    if (other->sacks.len > 0) /* the acks that its sender must have had are these */
        forget_unseen_acks(direction);
    for (unsigned i = 0; i < other->sacks.len; i++)
        replay(direction, other, i, data_only, bytes);
    g_byte_array_unref(bytes);
    for (unsigned i = 0; i < other->rare->duplicate_tsns.len; i++)
        sctpa_direction_take_duplicate(direction, SCTPA_RECORD(&other->rare->duplicate_tsns, sctpa_duplicate_t, i));
    sort(direction);
}

static void forget(void *user, int64_t number, sctpa_tsn_t *tsn)
{
    sctpa_direction_t *direction = user;
    tsn->gap_packet = tsn->ack_packet = SCTPA_NO_PACKET_INDEX;
    tsn->state &= SCTPA_TSN_BEHIND;
    tsn->duplicates = 0;
    sctpa_tsn_set_add(&direction->seen, &direction->store->arena, (sctpa_range_t){ number, number });
    sctpa_flight_add(direction, tsn);
}

void sctpa_direction_forget_acks(sctpa_direction_t *direction)
{
    sctpa_direction_rare_t *rare = sctpa_direction_rare(direction);
    sctpa_tsn_set_clear(&rare->gap_acked, &direction->store->arena);
    direction->sacks.len = rare->gaps.len = direction->acked.len = rare->duplicate_tsns.len = rare->forwards.len = 0;
    direction->has_cum = direction->has_a_rwnd = false;
    direction->cum_tsn = direction->highest_gap_end = rare->doubtful_to = rare->abandoned_to = rare->recovery.to = -1;
    rare->unseen_acked = rare->acked_before = direction->flight_bytes = 0;
    forget_unseen_acks(direction);
    rare->last_gaps = 0;
    rare->old_sacks = rare->network_duplicates = rare->taken_back = 0;
    rare->is_untold = false;
    *direction->receiver_tap_rtt = sctpa_tap_rtt_none(direction->receiver_tap_rtt->host);
    sctpa_tsn_set_clear(&direction->seen, &direction->store->arena);
    for (unsigned i = 0; i < direction->paths.len; i++) {
        sctpa_data_path_t *path = &SCTPA_RECORD(&direction->paths, sctpa_data_path_t, i);
        path->flight_bytes = path->flight_chunks = 0;
    }
    sctpa_pages_each(direction, forget, direction);
}
