/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of TSN ranges as SACKs state them. Lists are ascending, and their ranges do not touch. */
#include "direction_internal.h"

static int range_order(gconstpointer a, gconstpointer b)
{
    const sctpa_range_t *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Appends a range that begins at or after the last one's begin. */
static void append_joined(GArray *ranges, sctpa_range_t range)
{
    if (ranges->len > 0) {
        sctpa_range_t *last = &g_array_index(ranges, sctpa_range_t, ranges->len - 1);
        if (range.first <= last->last + 1) {
            last->last = MAX(last->last, range.last);
            return;
        }
    }
    g_array_append_val(ranges, range);
}

static void join_all(GArray *ranges)
{
    unsigned n = ranges->len;
    g_array_sort(ranges, range_order);
    ranges->len = 0;
    for (unsigned i = 0; i < n; i++)
        append_joined(ranges, ((const sctpa_range_t *)(const void *)ranges->data)[i]);
}

static void read_blocks(GArray *ranges, const uint8_t *blocks, uint32_t n, int64_t cum_tsn, bool *in_order)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t start = sctpa_be16(blocks + 4 * i), end = sctpa_be16(blocks + 4 * i + 2);
        if (start == 0 || end < start)
            continue;
        sctpa_range_t range = { cum_tsn + start, cum_tsn + end };
        if (ranges->len > 0 && range.first < g_array_index(ranges, sctpa_range_t, ranges->len - 1).first) {
            *in_order = false;
            g_array_append_val(ranges, range);
        } else {
            append_joined(ranges, range);
        }
    }
}

void sctpa_ranges_read(GArray *ranges, const sctpa_sack_t *sack, int64_t cum_tsn)
{
    bool in_order = true;
    g_array_set_size(ranges, 0);
    read_blocks(ranges, sack->gaps, sack->n_gaps, cum_tsn, &in_order);
    read_blocks(ranges, sack->nr_gaps, sack->n_nr_gaps, cum_tsn, &in_order);
    if (!in_order)
        join_all(ranges);
}

uint32_t sctpa_sack_missing(const sctpa_sack_t *sack)
{
    GArray *ranges = g_array_new(FALSE, FALSE, sizeof(sctpa_range_t));
    int64_t missing = 0, after = 0;
    sctpa_ranges_read(ranges, sack, 0);
    for (unsigned i = 0; i < ranges->len; i++) {
        const sctpa_range_t *range = &g_array_index(ranges, sctpa_range_t, i);
        missing += range->first - after - 1;
        after = range->last;
    }
    g_array_unref(ranges);
    return (uint32_t)missing;
}
