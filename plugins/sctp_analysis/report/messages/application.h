/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the application of each association did, for all reports that show it: its messages and events, found by
 * association. Leaves collecting to messages.h. */
#ifndef SCTPA_REPORT_APPLICATION_H
#define SCTPA_REPORT_APPLICATION_H

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

/* Something of importance that the application did, or a keep-alive that had no answer when the capture ended. */
typedef struct {
    uint32_t assoc, frame; /* association as numbered now */
    unsigned from;
    int64_t time_ns;
    char *text; /* safe */
    bool is_trouble;
} sctpa_application_event_t;

/* Both arrays by association; lines then by endpoint and first message, events by frame. */
typedef struct sctpa_application {
    GArray *lines;  /* sctpa_message_line_t */
    GArray *events; /* sctpa_application_event_t */
    uint64_t events_missed;
} sctpa_application_t;

/* NULL: no messages were collected. Cost as message_lines; sctpa_application_free. */
sctpa_application_t *sctpa_application_new(const sctpa_view_t *view);
void sctpa_application_free(sctpa_application_t *application);

/* Lines and events of an association, n of them; NULL when there are none. O(log lines). */
const sctpa_message_line_t *sctpa_application_lines(const sctpa_application_t *application, uint32_t assoc,
                                                    unsigned *n);
const sctpa_application_event_t *sctpa_application_events(const sctpa_application_t *application, uint32_t assoc,
                                                          unsigned *n);

/* "NGAP NGSetup", escaped and cut. */
void sctpa_application_append_name(GString *text, const sctpa_message_line_t *line);
/* "10, 8 of them repeats, 6.020 s apart (median); 2 requests unanswered". */
void sctpa_application_append_repeats(GString *text, const sctpa_message_line_t *line);
/* "2 waited, whole, for TSN 17 (frame 12), at most 1.020 s: frame 14"; nothing when none waited. */
void sctpa_application_append_holds(GString *text, const sctpa_message_line_t *line);

#endif
