/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fragments that arrived of messages of which others were given up: nobody can read them, and a receiver frees them
 * with the FORWARD-TSN (RFC 3758 3.6). Does its window show that it keeps them? */
#ifndef SCTPA_MEASURE_ORPHANS_H
#define SCTPA_MEASURE_ORPHANS_H

#include "measure/series/series.h"

/* A window that others share may shrink once by chance, but not by the very bytes at each of so many FORWARD-TSNs. */
enum { SCTPA_ORPHANS_STEPS = 5 };

typedef struct {
    uint64_t bytes;            /* user bytes of such fragments */
    uint32_t messages;         /* that they belong to */
    uint32_t filling_messages; /* of them, until the window was full, and by how much each made it fall */
    uint64_t least_bytes, most_bytes;
    bool is_cut;       /* the last of these had more than there was room for */
    uint32_t compared; /* FORWARD-TSNs that a SACK answers with nothing outstanding, after such fragments */
    uint32_t fits;     /* of them, where a_rwnd lacks just the bytes of all fragments so far */
    bool fills_window; /* they alone take what the receiver announced, or leave less than a chunk */
    bool is_proven;    /* and the figures show that the receiver keeps them */
} sctpa_orphans_t;

/* O(TSNs * log TSNs + FORWARD-TSNs * log SACKs). largest_chunk_bytes: of user data. */
sctpa_orphans_t sctpa_orphans_measure(const sctpa_series_source_t *source, uint32_t largest_chunk_bytes);

#endif
