/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reports of tshark's -z sctp,..., and what the capture file says of itself. */
#ifndef SCTPA_EPAN_STATS_H
#define SCTPA_EPAN_STATS_H

#include "report/report.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* One report; begins with error 0. */
typedef struct {
    const char *name; /* as -z has it: "sctp,json" */
    int error;        /* errno of the first piece that could not be written; 0: none */
} sctpa_output_t;

void sctpa_stats_register(void);

/* What reports are made from now: the open capture, with the packets that a filter selected (NULL: no filter). False:
 * no capture is open, or the plugin is off. O(associations). */
bool sctpa_stats_view(const sctpa_tally_t *tally, const char *filter, sctpa_view_t *view);

typedef struct {
    bool has_window;          /* Wireshark's main window is there, not tshark */
    const char *file;         /* borrowed until another capture is open, NULL unknown */
    uint32_t frames;          /* 0 unknown */
    int64_t start_ns, end_ns; /* of the first and last frame, since the epoch; 0 unknown */
} sctpa_capture_t;

/* What is known now: from the main window, or what was counted. In tshark the file is that of the preference
 * capture_name. O(1). */
void sctpa_capture_read(sctpa_capture_t *capture);

#endif
