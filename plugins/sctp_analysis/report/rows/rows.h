/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rows are read from that JSON and other reports both show: the .def files of this folder have their members and
 * columns. */
#ifndef SCTPA_REPORT_ROWS_H
#define SCTPA_REPORT_ROWS_H

#include "../text/address_labels.h"
#include "../view.h"

/* A path that two taps saw. */
typedef struct {
    unsigned end, path;
    const sctpa_two_taps_result_t *transit;
} sctpa_transit_row_t;

typedef struct {
    unsigned end, path;
    sctpa_tap_delay_t delay;
} sctpa_tap_delay_row_t;

typedef struct {
    unsigned end;
    const sctpa_outage_t *outage;
    uint32_t frame;         /* that shows it */
    uint32_t least_retrans; /* as sctpa_outage_least_retrans */
    sctpa_detection_t detection;
    bool shows_formulas; /* in columns of their own */
} sctpa_outage_row_t;

typedef struct {
    unsigned end;
    const sctpa_handover_t *handover;
    uint32_t asked_frame, request_acked_frame; /* 0: no request */
} sctpa_handover_row_t;

typedef struct {
    const sctpa_assoc_t *assoc;
    sctpa_labels_t *labels; /* NULL: of no table */
    const sctpa_event_t *event;
} sctpa_event_row_t;

/* A pause of the data that sender sent. */
typedef struct {
    const sctpa_assoc_t *assoc;
    sctpa_labels_t *labels; /* NULL: of no table */
    unsigned sender;
    const sctpa_pause_t *pause;
} sctpa_pause_row_t;

/* A data channel of WebRTC that one endpoint closed, and its peer did not (RFC 8831 6.7). */
typedef struct {
    sctpa_half_closed_t closed;
    int64_t until_ns; /* the last packet of the endpoint that did not close its half */
} sctpa_half_closed_channel_t;

/* The rows of what end has. O(1). */
sctpa_handover_row_t sctpa_handover_row(unsigned end, const sctpa_handover_t *handover);

/* Visits the outages of an association. with_detection: reckon what formulas make of each, which costs
 * O(samples) for each. */
typedef void (*sctpa_outage_row_fn)(void *user, const sctpa_outage_row_t *row);
void sctpa_outage_rows(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end, bool with_detection,
                       sctpa_outage_row_fn visit, void *user);

/* A path of an association that two taps saw; false: one tap. Cost as sctpa_tap_delay. */
bool sctpa_tap_delay_row(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end, unsigned path,
                         sctpa_tap_delay_row_t *row);

/* Half-closed channels of an association, where the peer sent packets for long enough to have reset its stream;
 * g_array_unref. O(data), where any stream was reset. */
GArray *sctpa_half_closed_channels(const sctpa_view_t *view, const sctpa_assoc_t *assoc);

/* Counters of each path of an end, *n of them; g_free the result. O(pairs of the end). */
sctpa_counts_t *sctpa_paths_counts(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end,
                                   unsigned *n);

/* What made new data go another way, for tables, JSON and triage: "failover", "add", "delete", "primary"; NULL: no
 * packet shows it. */
const char *sctpa_handover_word(const sctpa_handover_t *handover);

#endif
