/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The messages as the report shows them: a line for each name in a direction of an association, with its times. */
#ifndef SCTPA_REPORT_MESSAGE_LINES_H
#define SCTPA_REPORT_MESSAGE_LINES_H

#include "../report.h"
#include "messages.h"

/* How times are spread, and the frame of the longest. */
typedef struct {
    sctpa_percentiles_t spread;
    uint32_t frame;
} sctpa_message_times_t;

/* Messages that had arrived whole and waited for an earlier TSN of their stream. */
typedef struct {
    uint64_t messages;
    int64_t longest_ns;
    uint32_t frame;          /* of the one that waited longest, as it first passed */
    uint32_t tsn, tsn_frame; /* that it waited for, and where that first passed */
} sctpa_message_holds_t;

typedef struct {
    uint32_t assoc; /* as numbered now */
    unsigned from;
    uint32_t order; /* by first message */
    const sctpa_message_name_t *name;
    sctpa_message_row_t sum;       /* unanswered: those still waiting, too; 0 where nothing of the peer was captured */
    sctpa_message_times_t answers; /* from a request to its answer */
    sctpa_message_times_t intervals; /* from a request to its repeat */
    sctpa_message_times_t delays;    /* to the ack, as user_messages.h has it; frame: of the first transmission */
    sctpa_message_holds_t holds;
} sctpa_message_line_t;

/* The lines, sctpa_message_line_t by association, endpoint and first message; g_array_unref frees them. O(n log n) in
 * messages, and O(log TSNs lifted) each, and O(n log n) for n TSNs and transmissions of their directions; memory while
 * it runs: 16 bytes per message, 40 per message of their directions that was acked or waited. */
GArray *sctpa_message_lines(const sctpa_view_t *view);

/* The association and endpoint of a packet, as they are known now. */
void sctpa_message_lines_place(const sctpa_view_t *view, uint32_t packet, uint32_t *assoc, unsigned *from);

#endif
