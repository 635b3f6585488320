/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happens in a capture that does not end, told while it happens, as lines of NDJSON: what is worth waking somebody
 * (a set-up failed, a path failed, data waits, a proven finding, ...), every association when it is over, and counts.
 * What was told is forgotten, so that memory is bounded. docs/reports.md has the lines. */
#ifndef SCTPA_REPORT_WATCH_H
#define SCTPA_REPORT_WATCH_H

#include "../report.h"

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
