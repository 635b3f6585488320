/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of associations that have hardly begun, which a flood makes by the million, so many lines of a kind a minute are
 * written; what the others would have said is one line at its end. */
#ifndef SCTPA_REPORT_WATCH_FOLDS_H
#define SCTPA_REPORT_WATCH_FOLDS_H

#include "watch_lines.h"

typedef struct sctpa_watch_folds sctpa_watch_folds_t;

sctpa_watch_folds_t *sctpa_watch_folds_new(void);
void sctpa_watch_folds_free(sctpa_watch_folds_t *folds);

/* Is there no line any more for an event of a kind, or for an association that ended like this and was forgotten (why:
 * NULL was not)? Then it is counted instead. assoc: one that has hardly begun. O(1). */
bool sctpa_watch_folds_event(sctpa_watch_folds_t *folds, unsigned kind, const sctpa_assoc_t *assoc);
/* The same of a set-up that only ICMP errors show, for an event of SCTPA_WATCH_SETUP_FAILED. O(1). */
bool sctpa_watch_folds_refused_init(sctpa_watch_folds_t *folds, const sctpa_refused_init_t *refused);
bool sctpa_watch_folds_association(sctpa_watch_folds_t *folds, sctpa_assoc_end_t end, const char *why,
                                   const sctpa_assoc_t *assoc);

/* Calls tell for each kind of which lines were left out when a minute is over, as silence counts
 * (sctpa_forgetting_clock_ns), or is_end, and begins anew. O(1), and O(kinds) once a minute. */
void sctpa_watch_folds_pass(sctpa_watch_folds_t *folds, int64_t clock_ns, bool is_end,
                            void (*tell)(void *user, const sctpa_watch_folded_t *folded), void *user);

#endif
