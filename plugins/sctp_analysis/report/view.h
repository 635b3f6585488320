/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a report reads: associations with their counters, of the whole capture or of the packets that a filter selected.
 * Facts (addresses, set-up, end, times, events) are always of the whole association; only counters follow the filter.
 */
#ifndef SCTPA_REPORT_VIEW_H
#define SCTPA_REPORT_VIEW_H

#include "report.h"
#include "text/table.h"

typedef struct sctpa_selection sctpa_selection_t;
typedef struct sctpa_findings_filter sctpa_findings_filter_t;

/* Prepares reading view, which is borrowed. O(1) without a filter, O(pairs with selected packets + findings) with
 * one. */
sctpa_selection_t *sctpa_selection_new(const sctpa_view_t *view);
void sctpa_selection_free(sctpa_selection_t *selection);
/* What it reads. */
const sctpa_view_t *sctpa_selection_view(const sctpa_selection_t *selection);
/* Memory that lives as long as it. */
sctpa_arena_t *sctpa_selection_arena(const sctpa_selection_t *selection);

/* The next reported association at or after *number, which becomes the number after it; NULL: no more.
 * Skips halves that were joined to another, those forgotten, and, with a filter, associations without a selected
 * packet. */
const sctpa_assoc_t *sctpa_selection_next(const sctpa_selection_t *selection, uint32_t *number);

/* Counters of what end sent, of what it sent over its pair-th pair; never NULL, good until another is asked for of the
 * same end (of the same kind). */
const sctpa_counts_t *sctpa_selection_end(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end);
const sctpa_counts_t *sctpa_selection_pair(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end,
                                           unsigned pair);
/* Chunks without a table row that end sent, 256 counts by type value, or NULL for none. */
const uint32_t *sctpa_selection_unknown(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end);
/* Checksums of packets of end, SCTPA_CHECKSUMS counts, good as long. */
const uint32_t *sctpa_selection_checksums(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end);

/* Duplicate TSNs that SACKs of end report. */
uint64_t sctpa_selection_duplicates(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end);

/* The selected packets, NULL: all. */
const sctpa_packets_t *sctpa_selection_packets(const sctpa_selection_t *selection);
/* sctpa_measure and sctpa_streams of what end sent, of the selected packets; free as there. */
sctpa_measure_t *sctpa_selection_measure(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end);
GArray *sctpa_selection_streams(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end);
/* sctpa_message_delays of what end sent, of the selected packets, by the budget of the view; streams, NULL and free as
 * there. */
sctpa_message_delays_t *sctpa_selection_delays(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc,
                                               unsigned end, GArray **streams);

/* The findings that are reported (findings_filter.h). */
const sctpa_findings_filter_t *sctpa_selection_findings(const sctpa_selection_t *selection);

/* How an association ended, as the capture goes. O(pairs). */
static inline sctpa_outcome_t sctpa_view_outcome(const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    return sctpa_outcome(view->sctpa, assoc, view->end_ns);
}

/* sctpa_setup_waits, by the clock of the tap near the initiator where two taps saw the set-up. O(pairs). */
unsigned sctpa_view_setup_waits(const sctpa_view_t *view, const sctpa_assoc_t *assoc,
                                sctpa_setup_wait_t waits[SCTPA_SETUP_WAITS_MAX]);

/* The pauses of the data that an endpoint sent, to the end of its association; NULL where its peer sent nothing
 * that the capture holds. sctpa_pauses_free. Cost as sctpa_pauses_measure. */
sctpa_pauses_t *sctpa_view_pauses(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender);

/* The least round trip from the tap to the endpoint that acknowledges what sender sent, -1 unknown: no answer was due
 * at once, so that the least in sent may hold a delay of its SACKs. Where others were so much sooner that it does hold
 * one, the least of these, whatever is selected. O(1). */
int64_t sctpa_view_least_rtt_ns(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender,
                                const sctpa_sent_t *sent);

/* Was all that is known of an association captured beside one endpoint? Of two taps another one may show what passes.
 * O(1). */
static inline bool sctpa_view_is_beside(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end)
{
    return sctpa_taps(view->sctpa, assoc->number) == SCTPA_TAPS_ONE &&
           sctpa_tap_is_beside(sctpa_tap_rtt(view->sctpa, assoc->number, (uint8_t)end));
}

/* Is a time between two stamps longer than what the clock tells apart? Below, it may be none. Of a difference of two
 * such times, either way. O(1). */
bool sctpa_view_tells(const sctpa_view_t *view, int64_t ns);
/* Do they tell a time to a tenth of it: stamps by a coarser clock make of 1.1 s one of 2 s. O(1). */
bool sctpa_view_measures(const sctpa_view_t *view, int64_t ns);
/* Adds a cell with a time between two stamps: "-" where it is not known, or the clock does not tell it from none. */
static inline void sctpa_view_ms(const sctpa_view_t *view, sctpa_table_t *table, bool known, int64_t ns)
{
    sctpa_table_known_ms(table, known && sctpa_view_tells(view, ns), ns);
}

/* The association that number stands for, after joining, or SCTPA_NO_ASSOC. */
uint32_t sctpa_view_resolve(const sctpa_view_t *view, uint32_t number);

/* Adds a cell with a moment of the capture, as view->moment shows it; its value is in seconds from the first frame. */
void sctpa_view_moment(const sctpa_view_t *view, sctpa_table_t *table, int64_t time_ns);

/* Nanoseconds from the first frame of the capture to time_ns. */
static inline int64_t sctpa_view_since_start(const sctpa_view_t *view, int64_t time_ns)
{
    return time_ns - (view->start_ns ? view->start_ns : sctpa_summary(view->sctpa)->first_ns);
}

/* From the first to the last frame of the capture, and from time_ns to the last frame. */
static inline int64_t sctpa_view_duration(const sctpa_view_t *view)
{
    return sctpa_view_since_start(view, view->end_ns ? view->end_ns : sctpa_summary(view->sctpa)->last_ns);
}

static inline int64_t sctpa_view_until_end(const sctpa_view_t *view, int64_t time_ns)
{
    return sctpa_view_duration(view) - sctpa_view_since_start(view, time_ns);
}

#endif
