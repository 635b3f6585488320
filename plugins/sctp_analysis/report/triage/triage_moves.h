/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What triage says of where new data went. */
#ifndef SCTPA_REPORT_TRIAGE_MOVES_H
#define SCTPA_REPORT_TRIAGE_MOVES_H

#include "triage.h"

/* The moves of the data of an endpoint; where there are more than SCTPA_MOVES_KEPT, whether it used several paths at
 * once; handovers. */
typedef struct {
    sctpa_moves_t moves;
    sctpa_concurrent_t *concurrent; /* NULL: it did not */
    GArray *handovers;              /* sctpa_handover_t, NULL none */
} sctpa_way_changes_t;

/* Reads them; clear with sctpa_way_changes_clear. Cost as sctpa_moves_measure, sctpa_handovers, and
 * sctpa_concurrent_measure where new data moved often. */
sctpa_way_changes_t sctpa_way_changes_read(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end);
void sctpa_way_changes_clear(sctpa_way_changes_t *changes);
/* Did new data move a few times, to another path alone, and no timeout show on the path that it left? O(samples + acks)
 * for each move. */
bool sctpa_way_changes_are_chosen(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                                  const sctpa_way_changes_t *changes);
/* How much there is to say, 0 nothing. */
uint64_t sctpa_way_changes_weight(const sctpa_way_changes_t *changes);
/* Appends it; measure is that of the endpoint's data. */
void sctpa_way_changes_append(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                              const sctpa_way_changes_t *changes, const sctpa_measure_t *measure, GString *text);
/* The address that a path leads to. */
void sctpa_triage_append_path(const sctpa_triage_trouble_t *trouble, const sctpa_end_t *end, unsigned path,
                              GString *text);

#endif
