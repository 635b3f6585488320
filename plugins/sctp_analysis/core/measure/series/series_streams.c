/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The streams that series can be asked of, the busiest first. */
#include "series_parts.h"

enum { IDS = 1 << 16 };

typedef struct {
    uint64_t bytes[IDS];
    bool is_seen[IDS];
} streams_t;

static void count(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    streams_t *streams = user;
    (void)number;
    streams->bytes[tsn->stream] += tsn->bytes;
    streams->is_seen[tsn->stream] = true;
}

static int bytes_order(gconstpointer a, gconstpointer b)
{
    const sctpa_busy_stream_t *x = a, *y = b;
    if (x->user_bytes != y->user_bytes)
        return x->user_bytes > y->user_bytes ? -1 : 1;
    return (int)x->stream - (int)y->stream;
}

GArray *sctpa_series_streams(const sctpa_series_source_t *source)
{
    GArray *busy = g_array_new(FALSE, FALSE, sizeof(sctpa_busy_stream_t));
    if (!source->direction)
        return busy;
    streams_t *streams = g_new0(streams_t, 1);
    sctpa_direction_each(source->direction, count, streams);
    for (unsigned id = 0; id < IDS; id++)
        if (streams->is_seen[id])
            g_array_append_val(busy, ((sctpa_busy_stream_t){ streams->bytes[id], (uint16_t)id }));
    g_free(streams);
    g_array_sort(busy, bytes_order);
    return busy;
}
