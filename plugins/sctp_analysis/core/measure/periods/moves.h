/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the new data of a direction moved from one path to another. Leaves why to the reader. */
#ifndef SCTPA_MEASURE_MOVES_H
#define SCTPA_MEASURE_MOVES_H

#include "measure/series/series.h"

enum { SCTPA_MOVES_KEPT = 4 };

/* New data that went elsewhere than the new data before it. */
typedef struct {
    uint32_t packet;
    uint16_t from, to;
} sctpa_move_t;
typedef struct {
    uint64_t n;
    sctpa_move_t first[SCTPA_MOVES_KEPT];
} sctpa_moves_t;

/* Moves of a direction in the order of its TSNs. O(n log n) for n TSNs. */
sctpa_moves_t sctpa_moves_measure(const sctpa_series_source_t *source);

#endif
