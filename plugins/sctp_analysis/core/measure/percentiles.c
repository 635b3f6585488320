/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a set of times is spread. */
#include "percentiles.h"

static int time_order(gconstpointer a, gconstpointer b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Nearest rank: the smallest time that at least percent % of all times do not exceed; times ascending. */
static int64_t percentile(const GArray *times, unsigned percent)
{
    uint64_t rank = ((uint64_t)times->len * percent + 99) / 100;
    return g_array_index(times, int64_t, MAX(rank, 1) - 1);
}

sctpa_percentiles_t sctpa_percentiles_of(GArray *times)
{
    if (!times || times->len == 0)
        return (sctpa_percentiles_t){ 0 };
    g_array_sort(times, time_order);
    return (sctpa_percentiles_t){ times->len,
                                  g_array_index(times, int64_t, 0),
                                  percentile(times, 50),
                                  percentile(times, 95),
                                  percentile(times, 99),
                                  g_array_index(times, int64_t, times->len - 1) };
}
