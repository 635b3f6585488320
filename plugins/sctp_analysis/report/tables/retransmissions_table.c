/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of single retransmissions, in packet order: the points of -z sctp,series that are one. */
#include "window_tables.h"

#include "../text/column_meanings.h"
enum { ROWS_MAX = 100000 };

static const sctpa_column_t columns[] = {
    { "time s", SCTPA_RIGHT, .meaning = SCTPA_MEANS_TIME_S, .holds = SCTPA_HOLDS_MOMENTS },
    { "frame", SCTPA_RIGHT, .meaning = SCTPA_MEANS_FRAME, .holds = SCTPA_HOLDS_FRAMES },
    { "sent", SCTPA_LEFT, .meaning = SCTPA_MEANS_DATA },
    { "path", SCTPA_RIGHT, .meaning = "number of the destination address that it went to" },
    { "TSN", SCTPA_RIGHT, .meaning = "transmission sequence number, counted from the first TSN of the direction" },
    { "kind", SCTPA_LEFT, .meaning = "cause of the retransmission; the guide explains each cause" },
};

typedef struct {
    sctpa_point_t point;
    uint8_t end;
    sctpa_series_kind_t kind;
} resent_t;

static int packet_order(gconstpointer a, gconstpointer b)
{
    const resent_t *x = a, *y = b;
    if (x->point.packet != y->point.packet)
        return x->point.packet < y->point.packet ? -1 : 1;
    return x->point.value < y->point.value ? -1 : x->point.value > y->point.value;
}

static void collect(const sctpa_view_t *view, const sctpa_packets_t *selected, uint32_t assoc, uint8_t end, GArray *all)
{
    int64_t start_ns = view->start_ns ? view->start_ns : sctpa_summary(view->sctpa)->first_ns;
    sctpa_series_source_t source = sctpa_series_source(view->sctpa, assoc, end, start_ns);
    sctpa_series_request_t request = { .path = SCTPA_SERIES_ANY_PATH };
    sctpa_series_t *series[SCTPA_SERIES_KINDS];
    for (unsigned kind = SCTPA_SERIES_FAST; kind <= SCTPA_SERIES_UNKNOWN; kind++)
        request.kinds |= 1u << kind;
    sctpa_series_make(&source, &request, series);
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++) {
        uint32_t n = 0;
        const sctpa_point_t *points = series[kind] ? sctpa_series_points(series[kind], &n) : NULL;
        for (uint32_t i = 0; i < n; i++) {
            if (!sctpa_packets_has(selected, points[i].packet))
                continue;
            resent_t resent = { points[i], end, (sctpa_series_kind_t)kind };
            g_array_append_val(all, resent);
        }
        sctpa_series_free(series[kind]);
    }
}

/* Relative TSNs before the first one seen are negative. */
static void add_tsn(sctpa_table_t *table, int64_t tsn)
{
    char text[24];
    g_snprintf(text, sizeof text, "%" G_GINT64_FORMAT, tsn);
    sctpa_table_number(table, (double)tsn, text);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(resent_t));
    for (uint8_t e = 0; e < 2; e++)
        collect(source->view, sctpa_selection_packets(source->selection), assoc->number, e, all);
    g_array_sort(all, packet_order);
    for (unsigned i = 0; i < MIN(all->len, ROWS_MAX); i++) {
        const resent_t *resent = &g_array_index(all, resent_t, i);
        sctpa_view_moment(source->view, table, resent->point.time_ns);
        sctpa_table_plain(table, sctpa_packet_frame(source->view->sctpa, resent->point.packet));
        sctpa_table_direction(table, resent->end);
        if (resent->point.path != SCTPA_SERIES_ANY_PATH)
            sctpa_table_plain(table, resent->point.path);
        else
            sctpa_table_text(table, "-");
        add_tsn(table, resent->point.value);
        sctpa_table_text(table, sctpa_series_word(resent->kind));
    }
    g_array_unref(all);
}

const sctpa_window_table_t sctpa_window_table_resent = {
    .name = "resent",
    .title = "Each retransmission (the first 100,000)",
    SCTPA_COLUMNS(columns),
    .add = add_to_window,
};
