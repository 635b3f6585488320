/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making series: what each is made from, and the order of its points. */
#include "series.h"

#include "measure/order.h"
#include "series_parts.h"

static const struct {
    const char *word;
    sctpa_series_unit_t unit;
    sctpa_series_walk_t walk;
} rows[SCTPA_SERIES_KINDS] = {
#define SCTPA_SERIES_ROW(name, word, unit, walk) { word, SCTPA_UNIT_##unit, SCTPA_WALK_##walk },
#include "series.def"
#undef SCTPA_SERIES_ROW
};

const char *sctpa_series_word(sctpa_series_kind_t kind)
{
    return rows[kind].word;
}

sctpa_series_unit_t sctpa_series_unit(sctpa_series_kind_t kind)
{
    return rows[kind].unit;
}

uint32_t sctpa_series_of_walk(sctpa_series_walk_t walk)
{
    uint32_t kinds = 0;
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        kinds |= (uint32_t)(rows[kind].walk == walk) << kind;
    return kinds;
}

bool sctpa_series_is_wanted(const sctpa_series_making_t *making, sctpa_series_kind_t kind)
{
    return making->series[kind] != NULL;
}

const sctpa_stamp_t *sctpa_series_stamp(const sctpa_series_making_t *making, uint32_t packet)
{
    return sctpa_direction_stamp(making->source->direction, packet);
}

int64_t sctpa_series_time_ns(const sctpa_series_making_t *making, uint32_t packet)
{
    return sctpa_series_stamp(making, packet)->time_ns;
}

void sctpa_series_add(const sctpa_series_making_t *making, sctpa_series_kind_t kind, uint32_t packet, uint16_t path,
                      int64_t value, uint16_t more)
{
    sctpa_series_t *series = making->series[kind];
    if (!series || (making->request->path != SCTPA_SERIES_ANY_PATH && making->request->path != path))
        return;
    sctpa_point_t point = { sctpa_series_time_ns(making, packet), value, packet, path, { more } };
    g_array_append_val(series->points, point);
}

bool sctpa_series_takes_stream(const sctpa_series_making_t *making, uint16_t stream)
{
    return !making->request->of_stream || making->request->stream == stream;
}

static sctpa_series_t *series_new(sctpa_series_kind_t kind)
{
    sctpa_series_t *series = g_new0(sctpa_series_t, 1);
    series->kind = kind;
    series->points = g_array_new(FALSE, FALSE, sizeof(sctpa_point_t));
    return series;
}

/* Points of one packet stay as they were added: as its chunks stand. */
static int packet_order(gconstpointer a, gconstpointer b, gpointer user)
{
    const sctpa_point_t *x = a, *y = b;
    (void)user;
    if (x->packet != y->packet)
        return x->packet < y->packet ? -1 : 1;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static void make_all(sctpa_series_making_t *making)
{
    sctpa_series_make_sent(making);
    sctpa_series_make_sacks(making);
    sctpa_series_make_samples(making);
    sctpa_series_make_rtos(making);
    sctpa_series_make_waits(making);
    sctpa_series_make_cwnd(making);
    sctpa_series_make_bytes(making);
    if (making->packets) {
        sctpa_series_make_flow(making);
        sctpa_series_make_rates(making);
    }
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        if (making->series[kind])
            sctpa_order(making->series[kind]->points, packet_order, NULL);
}

void sctpa_series_make(const sctpa_series_source_t *source, const sctpa_series_request_t *request,
                       sctpa_series_t *series[SCTPA_SERIES_KINDS])
{
    const uint32_t need_packets = sctpa_series_of_walk(SCTPA_WALK_FLOW) | sctpa_series_of_walk(SCTPA_WALK_RATES);
    sctpa_series_making_t making = {
        .source = source, .request = request, .series = series, .first_ns = INT64_MAX, .last_ns = INT64_MIN
    };
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        series[kind] = request->kinds >> kind & 1 ? series_new(kind) : NULL;
    if (!source->direction)
        return;
    if (request->kinds & need_packets)
        making.packets = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    make_all(&making);
    if (making.packets)
        g_array_unref(making.packets);
}

void sctpa_series_free(sctpa_series_t *series)
{
    if (!series)
        return;
    g_array_unref(series->points);
    if (series->by_time)
        g_array_unref(series->by_time);
    if (series->levels)
        g_ptr_array_unref(series->levels);
    g_free(series);
}

const sctpa_point_t *sctpa_series_points(const sctpa_series_t *series, uint32_t *n)
{
    *n = series->points->len;
    return (const sctpa_point_t *)(const void *)series->points->data;
}

sctpa_series_kind_t sctpa_series_kind(const sctpa_series_t *series)
{
    return series->kind;
}

int64_t sctpa_series_bin_ns(const sctpa_series_t *series)
{
    return series->bin_ns;
}
