/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports on their way to the standard output. */
#ifndef SCTPA_EPAN_OUTPUT_H
#define SCTPA_EPAN_OUTPUT_H

#include <glib.h>
#include <stdbool.h>

/* One report; begins with error 0. */
typedef struct {
    const char *name; /* as -z has it: "sctp,json" */
    int error;        /* errno of the first piece that could not be written; 0: none */
} sctpa_output_t;

/* Writes a piece, unless one before it could not be written. An sctpa_take_fn; user is an sctpa_output_t. */
void sctpa_output_take(void *user, const GString *piece);

/* Ends a report. False, after a message, when the system did not take all of it: the disk is full, the pipe is closed.
 */
bool sctpa_output_end(sctpa_output_t *output);

/* Has tshark end with status 1 in place of 0, when it and all others have written what they have. May be called again.
 */
void sctpa_output_fail_at_exit(void);

#endif
