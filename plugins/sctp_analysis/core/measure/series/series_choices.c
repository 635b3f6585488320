/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What series can be asked of: the streams, the busiest first, and the paths. */
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

typedef struct {
    const sctpa_series_source_t *source;
    bool is_used[SCTPA_SERIES_ANY_PATH];
} used_paths_t;

static void note_paths(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    used_paths_t *used = user;
    const sctpa_records_t *rtx = &used->source->direction->rare->rtx;
    (void)number;
    used->is_used[used->source->path(used->source, tsn->first_packet)] = true;
    for (uint32_t at = tsn->more; at != 0; at = SCTPA_RECORD(rtx, sctpa_rtx_t, at - 1).link.before)
        used->is_used[SCTPA_RECORD(rtx, sctpa_rtx_t, at - 1).path] = true;
}

GArray *sctpa_series_paths(const sctpa_series_source_t *source)
{
    GArray *paths = g_array_new(FALSE, FALSE, sizeof(uint16_t));
    if (!source->direction)
        return paths;
    used_paths_t *used = g_new0(used_paths_t, 1);
    used->source = source;
    sctpa_direction_each(source->direction, note_paths, used);
    for (uint16_t path = 0; path < SCTPA_SERIES_ANY_PATH; path++)
        if (used->is_used[path])
            g_array_append_val(paths, path);
    g_free(used);
    return paths;
}
