/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What went wrong with the paths of an endpoint, and how much. Leaves saying it to triage_paths.c. */
#ifndef SCTPA_REPORT_PATH_TROUBLE_H
#define SCTPA_REPORT_PATH_TROUBLE_H

#include "../view.h"

/* The moves of the data of an endpoint; where there are more than SCTPA_MOVES_KEPT, whether it used several paths at
 * once; handovers. */
typedef struct {
    sctpa_moves_t moves;
    sctpa_concurrent_t *concurrent; /* NULL: it did not */
    GArray *handovers;              /* sctpa_handover_t, NULL none */
    sctpa_known_t is_new; /* is what moved, of the moves that are kept, no retransmission of what was lost before the
                           * capture? Unknown: most likely; no: nothing shows that */
} sctpa_way_changes_t;

/* A path on which the size of packets decides which arrive. */
typedef struct {
    uint16_t path;
    sctpa_lost_sizes_t sizes;
} sctpa_too_big_t;

typedef struct {
    sctpa_way_changes_t changes;
    GArray *too_big; /* sctpa_too_big_t, of the first SCTPA_SIZES_PATHS paths */
    uint64_t weight; /* how much there is to say, 0 nothing */
    bool is_chosen;  /* nothing but moves of new data without an error: no trouble */
} sctpa_path_trouble_t;

/* What concerns the paths of an end, which sent data or not; sctpa_path_trouble_clear. Cost as way_changes_read,
 * O(events + paths) and, of each path with data, as sctpa_lost_by_size. */
sctpa_path_trouble_t sctpa_path_trouble_read(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                                             bool has_data);
/* How much of it is harm. */
static inline uint64_t sctpa_path_trouble_harm(const sctpa_path_trouble_t *trouble)
{
    return trouble->is_chosen ? 0 : trouble->weight;
}
void sctpa_path_trouble_clear(sctpa_path_trouble_t *trouble);

#endif
