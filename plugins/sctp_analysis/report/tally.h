/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a tally holds, for view.c: counters of selected packets under the association, end and pair they were found in
 * at the time, and which packets they were. Associations join and part later in the capture, so each slot keeps one of
 * its packets, by which it is found again. */
#ifndef SCTPA_REPORT_TALLY_H
#define SCTPA_REPORT_TALLY_H

#include "report.h"

typedef struct {
    uint32_t index; /* a packet of this slot */
    sctpa_counts_t counts;
    uint32_t checksums[SCTPA_CHECKSUMS];
    uint32_t *unknown_chunks; /* 256 counts by type value, or NULL */
    uint64_t duplicates;      /* duplicate TSNs in SACKs */
} sctpa_tally_slot_t;

/* Calls each with every slot. */
void sctpa_tally_each(const sctpa_tally_t *tally, void (*each)(void *user, const sctpa_tally_slot_t *slot), void *user);

/* Packets added, those of no association and copies included. */
uint32_t sctpa_tally_packets(const sctpa_tally_t *tally);

/* The packets added that belong to an association, copies left out. */
const sctpa_packets_t *sctpa_tally_selected(const sctpa_tally_t *tally);

#endif
