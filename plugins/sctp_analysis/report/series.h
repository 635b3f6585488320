/* -z sctp,series,<assoc>[,<endpoint>]: the series of one association as CSV. Stands beside the reports: it takes arguments and no filter. */
#ifndef SCTPA_REPORT_SERIES_H
#define SCTPA_REPORT_SERIES_H

#include "report.h"

typedef struct {
    uint32_t assoc;
    uint8_t end;                /* whose data, SCTPA_NO_END: both */
    uint32_t kinds;             /* bits 1 << SCTPA_SERIES_... */
    uint16_t path;              /* SCTPA_SERIES_ANY_PATH: all */
    int64_t from_ns, to_ns;     /* only points from then on, and before to_ns */
} sctpa_series_choice_t;

/* Reads "<assoc>[,<endpoint>]", and chooses everything of it. False: it is not that. */
bool sctpa_series_choice_read(const char *text, sctpa_series_choice_t *choice);

/* Why the capture has no such series, to be freed with g_free; NULL: it has them. A number that was joined to another association means
 * that one. O(1). */
char *sctpa_series_refusal(const sctpa_view_t *view, const sctpa_series_choice_t *choice);

/* Writes the head and a row per point, in packet order; of one packet, endpoint 0 first, then by the order of series in interface.md.
 * take is called with each piece of about 64 KiB. Nothing when it was to be refused.
 * O(points); memory as sctpa_series_make with all series. */
void sctpa_series_write(const sctpa_view_t *view, const sctpa_series_choice_t *choice, void (*take)(void *user, const GString *piece),
                        void *user);

#endif
