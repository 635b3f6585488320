/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series of the reference sender: cwnd with its bounds, and ssthresh. Leaves following it to the model. */
#include "series_parts.h"

static void add(void *user, const sctpa_cwnd_point_t *point)
{
    const sctpa_series_making_t *making = user;
    sctpa_series_add(making, SCTPA_SERIES_CWND, point->packet, point->path, point->cwnd, 0);
    sctpa_series_add(making, SCTPA_SERIES_CWND_MIN, point->packet, point->path, point->cwnd_min, 0);
    if (point->cwnd_max != SCTPA_UNKNOWN_BYTES)
        sctpa_series_add(making, SCTPA_SERIES_CWND_MAX, point->packet, point->path, point->cwnd_max, 0);
    if (point->ssthresh != SCTPA_UNKNOWN_BYTES)
        sctpa_series_add(making, SCTPA_SERIES_SSTHRESH, point->packet, point->path, point->ssthresh, 0);
}

void sctpa_series_make_cwnd(sctpa_series_making_t *making)
{
    if (making->source->each_cwnd && making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_CWND))
        making->source->each_cwnd(making->source, add, making);
}
