/* SPDX-License-Identifier: GPL-2.0-or-later */
/* To which paths an endpoint with several sends its data: how often new data changes the path, and fast retransmissions
 * that leave it. Leaves out which path is the usual one, and when it fails (failover.c of track), and which paths are
 * active (paths.h). */
#ifndef SCTPA_REFERENCE_PATH_CHOICE_H
#define SCTPA_REFERENCE_PATH_CHOICE_H

#include "reference/context.h"
#include "path_choice_limits.h"

/* Packets with new data in a row, without a retransmission between; after SCTPA_SPREAD_PACKETS the next row begins. */
typedef struct {
    uint32_t first_packet;
    uint32_t rtx;  /* retransmissions by then */
    uint16_t path; /* of the last one */
    uint8_t n;     /* 0 none */
    uint8_t turns; /* of them, to another path than the one before */
} sctpa_new_data_t;

/* A fast retransmission to another path than the transmission before, until new data passes. */
typedef struct {
    uint32_t packet, sent_packet; /* sent_packet: the transmission before */
    uint16_t path, original;      /* where it went, and where the transmission before */
    bool is_last;                 /* no new data passed since */
} sctpa_stray_t;

/* Has the sender of the packet sent to several paths? O(1). */
static inline bool sctpa_has_several_paths(const sctpa_context_t *c)
{
    return c->assoc->ends[c->from].n_paths >= 2;
}

/* The row of new data that the packet is the last of; n 0: its sender has one path, or it holds no new data, or
 * retransmissions, too. O(1). */
sctpa_new_data_t sctpa_new_data(const sctpa_context_t *c);
/* The stray retransmission of the packet's sender before the packet, which holds new data; NULL none. O(1). */
const sctpa_stray_t *sctpa_stray(const sctpa_context_t *c);
/* The first retransmission of the packet, which holds one. O(chunks). */
const sctpa_rtx_t *sctpa_first_rtx(const sctpa_context_t *c);
/* Is it a fast one that no timer explains, of data whose path was in order and where new data goes? *original: of the
 * transmission before. O(chunks). */
bool sctpa_is_certainly_fast(const sctpa_context_t *c, uint16_t *original);

/* Takes the data of the packet, after the rules. O(chunks). */
void sctpa_path_choice_take(const sctpa_context_t *c);

#endif
