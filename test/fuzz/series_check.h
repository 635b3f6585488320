/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must hold of the series and windows of a direction, whatever a capture held. */
#ifndef SERIES_CHECK_H
#define SERIES_CHECK_H

#include <glib.h>

#include "../../plugins/sctp_analysis/core/sctpa.h"

enum { CHECKED_COLUMNS = 7 };

/* Every point of a series in exactly one column between its first and last. */
static inline void check_series_columns(sctpa_series_t *series, uint32_t n)
{
    sctpa_pixel_t pixels[CHECKED_COLUMNS];
    int64_t first_ns, last_ns;
    uint32_t counted = 0;
    if (!sctpa_series_span(series, &first_ns, &last_ns)) {
        g_assert_cmpuint(n, ==, 0);
        return;
    }
    sctpa_series_at(series, first_ns, last_ns + 1, CHECKED_COLUMNS, pixels);
    for (unsigned i = 0; i < CHECKED_COLUMNS; i++) {
        g_assert_true(pixels[i].count == 0 || pixels[i].min <= pixels[i].max);
        counted += pixels[i].count;
    }
    g_assert_cmpuint(counted, ==, n);
}

/* Does a packet of points i - 1 or i hold an ack from where no TSN was? Those of one packet are in order of value. */
static inline bool has_impossible_ack(const sctpa_point_t *points, uint32_t n, uint32_t i, int64_t highest)
{
    for (uint32_t at = i; at > 0 && points[at - 1].packet >= points[i - 1].packet; at--)
        if (points[at - 1].value > highest)
            return true;
    for (uint32_t at = i; at < n && points[at].packet == points[i].packet; at++)
        if (points[at].value > highest)
            return true;
    return false;
}

/* In packet order; acks fall only from where no TSN was. */
static inline void check_series_points(sctpa_series_t *series, int64_t highest)
{
    uint32_t n;
    const sctpa_point_t *points = sctpa_series_points(series, &n);
    for (uint32_t i = 1; i < n; i++) {
        g_assert_cmpuint(points[i - 1].packet, <=, points[i].packet);
        if (sctpa_series_kind(series) == SCTPA_SERIES_CUM_ACK && points[i].value < points[i - 1].value)
            g_assert_true(has_impossible_ack(points, n, i, highest));
    }
    check_series_columns(series, n);
}

static inline void check_windows(const sctpa_series_source_t *source)
{
    sctpa_windows_t *windows = sctpa_windows_measure(source);
    int64_t closed_ns = 0;
    for (unsigned i = 0; i < windows->closed->len; i++)
        closed_ns += g_array_index(windows->closed, sctpa_closed_t, i).closed_ns;
    g_assert_cmpint(windows->closed_ns, ==, closed_ns);
    g_assert_true(windows->sacks == 0 || windows->min_bytes <= windows->max_bytes);
    g_assert_cmpint(windows->short_ns, >=, 0);
    sctpa_windows_free(windows);
}

static inline void check_series(const sctpa_t *sctpa, uint32_t assoc, uint8_t end)
{
    sctpa_series_source_t source = sctpa_series_source(sctpa, assoc, end, 0);
    const sctpa_series_request_t request = { .kinds = SCTPA_SERIES_ALL, .path = SCTPA_SERIES_ANY_PATH };
    sctpa_series_t *series[SCTPA_SERIES_KINDS];
    sctpa_series_make(&source, &request, series);
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++) {
        check_series_points(series[kind], source.direction ? source.direction->highest : -1);
        sctpa_series_free(series[kind]);
    }
    check_windows(&source);
}

#endif
