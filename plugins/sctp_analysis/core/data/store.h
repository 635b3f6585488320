/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the records of all directions of an analysis lie: packets by index, TSNs by page. Made and freed as a whole. */
#ifndef SCTPA_DATA_STORE_H
#define SCTPA_DATA_STORE_H

#include "base/arena.h"
#include "base/slots.h"
#include "direction.h"

/* Where the records of neighbouring TSNs of one direction lie: 48 bytes, so that a lone TSN anywhere costs 88 and its
 * place in the table. */
typedef struct sctpa_page {
    int64_t number;                 /* first TSN / SCTPA_PAGE_TSNS */
    uint32_t direction;             /* serial of its direction */
    uint32_t next;                  /* page of the direction that was made before it, SCTPA_NO_PAGE none */
    uint32_t tsns[SCTPA_PAGE_TSNS]; /* 1 + number in tsns of the store, 0: never seen */
} sctpa_page_t;

/* What all directions of an analysis share. */
typedef struct sctpa_store {
    uint64_t seed;      /* of the hashes of the analysis: drawn at random, nothing that is reported follows from it */
    GArray *stamps;     /* sctpa_stamp_t by packet index */
    sctpa_pool_t tsns;  /* sctpa_tsn_t in the order in which they were first seen */
    sctpa_pool_t pages; /* sctpa_page_t */
    sctpa_slots_t page_table; /* their numbers by direction and page number */
    sctpa_arena_t arena;      /* the first records of each direction */
    sctpa_pool_t directions;  /* sctpa_direction_t by serial, each at a cache line */
} sctpa_store_t;

void sctpa_store_init(sctpa_store_t *store);
void sctpa_store_clear(sctpa_store_t *store);

#endif
