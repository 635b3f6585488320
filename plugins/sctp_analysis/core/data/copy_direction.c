/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A second direction that begins with what one holds: each of two taps goes on from what the capture showed before it
 * was known that there are two. */
#include "direction_internal.h"

static sctpa_records_t records_copy(const sctpa_records_t *of, sctpa_arena_t *arena, size_t bytes)
{
    sctpa_records_t copy = { .data = NULL };
    for (uint32_t i = 0; i < of->len; i++)
        sctpa_records_append(&copy, arena, of->data + i * bytes, bytes);
    return copy;
}

static sctpa_tsn_set_t set_copy(const sctpa_tsn_set_t *of, sctpa_arena_t *arena)
{
    sctpa_tsn_set_t copy;
    sctpa_range_t range;
    sctpa_tsn_set_init(&copy);
    for (int64_t from = INT64_MIN; sctpa_tsn_set_next(of, from, INT64_MAX - 1, &range); from = range.last + 1)
        sctpa_tsn_set_add(&copy, arena, range);
    return copy;
}

static void rare_copy(sctpa_direction_t *copy, const sctpa_direction_rare_t *of)
{
    sctpa_arena_t *arena = &copy->store->arena;
    sctpa_direction_rare_t *rare = sctpa_direction_rare(copy);
    *rare = *of;
    rare->gaps = records_copy(&of->gaps, arena, sizeof(uint32_t));
    rare->rtx = records_copy(&of->rtx, arena, sizeof(sctpa_rtx_t));
    rare->duplicate_tsns = records_copy(&of->duplicate_tsns, arena, sizeof(sctpa_duplicate_t));
    rare->heartbeats = records_copy(&of->heartbeats, arena, sizeof(sctpa_heartbeat_t));
    rare->lifts = records_copy(&of->lifts, arena, sizeof(sctpa_lift_t));
    rare->forwards = records_copy(&of->forwards, arena, sizeof(sctpa_forward_t));
    rare->gap_acked = set_copy(&of->gap_acked, arena);
}

static void tsn_copy(void *user, int64_t number, sctpa_tsn_t *tsn)
{
    *sctpa_pages_get(user, number) = *tsn;
}

sctpa_direction_t *sctpa_direction_copy(const sctpa_direction_t *of, sctpa_tap_rtt_t *receiver_tap_rtt)
{
    sctpa_direction_t *copy = sctpa_direction_new(of->store, receiver_tap_rtt);
    const sctpa_direction_t fresh = *copy;
    sctpa_arena_t *arena = &of->store->arena;
    *copy = *of;
    copy->serial = fresh.serial;
    copy->pages = fresh.pages;
    copy->page = NULL;
    copy->rare = fresh.rare;
    copy->receiver_tap_rtt = receiver_tap_rtt;
    copy->watched = false;
    copy->seen = set_copy(&of->seen, arena);
    copy->sacks = records_copy(&of->sacks, arena, sizeof(sctpa_sack_record_t));
    copy->acked = records_copy(&of->acked, arena, sizeof(sctpa_acked_t));
    copy->paths = records_copy(&of->paths, arena, sizeof(sctpa_data_path_t));
    copy->samples = records_copy(&of->samples, arena, sizeof(sctpa_sample_t));
    if (of->rare != fresh.rare)
        rare_copy(copy, of->rare);
    sctpa_pages_each(of, tsn_copy, copy);
    return copy;
}
