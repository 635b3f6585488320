/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a watch, each a document of its own. Leaves when they are written to watch.c. */
#ifndef SCTPA_REPORT_WATCH_LINES_H
#define SCTPA_REPORT_WATCH_LINES_H

#include "../json/json.h"
#include "../text/address_labels.h"

/* What is told: of our own, then SCTPA_WATCH_EVENTS events of the core. */
enum {
    SCTPA_WATCH_SETUP_FAILED,
    SCTPA_WATCH_FINDING,
    SCTPA_WATCH_FINDING_WITHDRAWN,
    SCTPA_WATCH_PAUSE,
    SCTPA_WATCH_PAUSE_ENDED,
    SCTPA_WATCH_EVENT_FIRST,
    SCTPA_WATCH_EVENTS = 8,
    SCTPA_WATCH_KINDS = SCTPA_WATCH_EVENT_FIRST + SCTPA_WATCH_EVENTS
};

/* Of an event of the core; SCTPA_WATCH_KINDS: it is not told. */
unsigned sctpa_watch_kind_of(sctpa_event_kind_t event);

/* What is told of an association. kind: one of the above; frame: 0 none; endpoint: SCTPA_NO_END, path: SCTPA_NO_PATH
 * where it is not about one.
 */
typedef struct {
    unsigned kind;
    uint32_t frame;
    int64_t time_ns;
    uint8_t endpoint;
    uint16_t path;
} sctpa_watch_event_t;

/* An address and a port, kept longer than the endpoint. */
typedef struct {
    sctpa_addr_t addr;
    uint16_t port;
} sctpa_watch_name_t;
typedef struct {
    sctpa_watch_name_t of[2];
} sctpa_watch_names_t;

/* Lines of associations that have hardly begun that were left out: kind: of an event, or SCTPA_WATCH_KINDS those of
 * associations, which ended so and were forgotten because (why: NULL were not). first, last: the endpoints of the first
 * and the last of these. */
typedef struct {
    unsigned kind;
    sctpa_assoc_end_t end;
    const char *why;
    uint32_t count;
    int64_t during_ns;
    sctpa_watch_names_t first, last;
} sctpa_watch_folded_t;

/* Totals of what passed. */
typedef struct {
    uint64_t data_chunks, data_bytes;
    uint64_t retransmissions[SCTPA_RTX_KINDS]; /* DATA chunks by cause */
    uint64_t told[SCTPA_WATCH_KINDS];
} sctpa_watch_totals_t;

/* An event with its sentence, which is escaped; labels: spelled out; finding, and pause of the
 * endpoint's data: NULL none. */
void sctpa_watch_event_line(sctpa_json_document_t *lines, const sctpa_view_t *view, sctpa_labels_t *labels,
                            const sctpa_assoc_t *assoc, const sctpa_watch_event_t *event, const char *text,
                            const sctpa_finding_t *finding, const sctpa_pause_t *pause);
/* A set-up that only ICMP errors show, as an event of SCTPA_WATCH_SETUP_FAILED without an association. */
void sctpa_watch_refused_line(sctpa_json_document_t *lines, sctpa_labels_t *labels,
                              const sctpa_refused_init_t *refused);
sctpa_watch_names_t sctpa_watch_refused_names(const sctpa_refused_init_t *refused);
/* An association, right before it is forgotten; why: NULL at the end of the capture. */
void sctpa_watch_association_line(sctpa_json_document_t *lines, const sctpa_view_t *view, const sctpa_assoc_t *assoc,
                                  const char *why, uint32_t continues, sctpa_json_sets_t *sets);
/* What was left out up to a moment. */
void sctpa_watch_folded_line(sctpa_json_document_t *lines, int64_t time_ns, const sctpa_watch_folded_t *folded);
/* Counts up to a moment. */
void sctpa_watch_counts_line(sctpa_json_document_t *lines, const sctpa_view_t *view, int64_t time_ns,
                             const sctpa_watch_totals_t *totals, uint32_t watched, size_t held_bytes);

#endif
