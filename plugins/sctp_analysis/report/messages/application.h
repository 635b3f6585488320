/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the application of each association did, for all reports that show it: its messages and events, found by
 * association. Leaves collecting to messages.h. */
#ifndef SCTPA_REPORT_APPLICATION_H
#define SCTPA_REPORT_APPLICATION_H

#include "message_lines.h"

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

/* NULL: no messages were collected. Cost as sctpa_message_lines; sctpa_application_free. */
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
