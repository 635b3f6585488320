/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happens in a capture that does not end, told while it happens, as lines of NDJSON: what is worth waking somebody
 * (a set-up failed, a path failed, data waits, a proven finding, ...), every association when it is over, and counts.
 * What was told is forgotten, so that memory is bounded. docs/reports.md has the lines. */
#ifndef SCTPA_REPORT_WATCH_H
#define SCTPA_REPORT_WATCH_H

#include "../report.h"
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

typedef struct {
    int64_t pause_ns;      /* data that waits longer is told */
    int64_t idle_ns;       /* as sctpa_forgetting_new has it */
    size_t held_bytes_max; /* as sctpa_forgetting_new has it */
} sctpa_watch_limits_t;

typedef struct sctpa_watch sctpa_watch_t;

/* Watches an analysis from before its first packet. read_view fills what the lines are made from, whenever some are
 * made. */
sctpa_watch_t *sctpa_watch_new(sctpa_t *sctpa, const sctpa_watch_limits_t *limits,
                               void (*read_view)(sctpa_view_t *view), sctpa_take_fn take, void *user);
void sctpa_watch_free(sctpa_watch_t *watch);

/* A frame of the capture passed, whatever is in it: what is due by its time is told. O(1), amortised, and what is told.
 */
void sctpa_watch_frame(sctpa_watch_t *watch, int64_t time_ns);
/* A packet was fed; bytes: the packet. O(chunks), and what is told: of a pause O(n log n) for the n records of its
 * direction, no oftener than every n / 4 packets of the capture. */
void sctpa_watch_packet(sctpa_watch_t *watch, const sctpa_packet_result_t *packet, const sctpa_packet_t *bytes);
/* The capture ended: tells of the associations that are left, and of the capture. */
void sctpa_watch_end(sctpa_watch_t *watch);

#endif
