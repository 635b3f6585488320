/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,series,<assoc>[,<endpoint>][,stream=<id>]...: the series of one association as CSV. Stands beside the
 * reports: it takes arguments and no filter. */
#ifndef SCTPA_REPORT_SERIES_CSV_H
#define SCTPA_REPORT_SERIES_CSV_H

#include "../report.h"

/* So many streams are chosen at most; so many of an endpoint are the busiest. */
enum { SCTPA_STREAMS_CHOSEN_MAX = 64, SCTPA_STREAMS_BUSIEST = 8 };

typedef struct {
    uint32_t assoc;
    uint8_t end;            /* whose data, SCTPA_NO_END: both */
    uint32_t kinds;         /* bits 1 << SCTPA_SERIES_... */
    uint16_t path;          /* SCTPA_SERIES_ANY_PATH: all */
    int64_t from_ns, to_ns; /* only points from then on, and before to_ns */
    uint16_t streams[SCTPA_STREAMS_CHOSEN_MAX];
    unsigned n_streams;
    bool findings; /* what the model found, too: of the endpoint accused, of the path or of none */
    bool busiest;  /* the SCTPA_STREAMS_BUSIEST with most user bytes of each endpoint besides */
} sctpa_series_choice_t;

/* Reads "<assoc>[,<endpoint>]", then ",stream=<id>" or ",stream=busiest" any number of times, and chooses everything of
 * it. False: it is not that, or too many streams. */
bool sctpa_series_choice_read(const char *text, sctpa_series_choice_t *choice);

/* Why the capture has no such series, to be freed with g_free; NULL: it has them. A number that was joined to another
 * association means that one. O(1). */
char *sctpa_series_refusal(const sctpa_view_t *view, const sctpa_series_choice_t *choice);

/* Writes the head and a row per point, in packet order; of one packet, endpoint 0 first, then by the order of series in
 * docs/reports.md. A finding stands at each packet that completes an occurrence, with the rule's id and its level.
 * Streams chosen: hol_delay is of those only, and of each there is a goodput besides that of all, with the stream's
 * number. Where data went to several paths, each has rates of its own besides, unless one was chosen. Nothing when it
 * was to be refused. O(points), O(TSNs) per stream chosen, and per path with data where there are several; memory as
 * sctpa_series_make with all series. */
void sctpa_series_write(const sctpa_view_t *view, const sctpa_series_choice_t *choice, sctpa_take_fn take, void *user);

#endif
