/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an address announces over its associations: Initiate Tags and Initial TSNs, and whether they follow from those
 * before. Keeps a bounded table of addresses, in which a newcomer takes the place of another. Leaves out tags used
 * twice with one peer. */
#ifndef SCTPA_REFERENCE_ANNOUNCERS_H
#define SCTPA_REFERENCE_ANNOUNCERS_H

#include "reference/context.h"

/* Values as they were announced: 16 bytes. */
typedef struct sctpa_announced_values {
    uint32_t last, step;   /* the last one; from the one before it */
    uint32_t first_packet; /* COOKIE ACK of the first of those near each other or equally far apart */
    uint8_t values;        /* at most UINT8_MAX */
    uint8_t equal, close;  /* in a row: the same step apart, near the one before */
} sctpa_announced_values_t;

/* Takes what both endpoints announced, at the first COOKIE ACK of their association, into c->tags and c->initial_tsns.
 * O(1).
 */
void sctpa_announcers_observe(sctpa_context_t *c);

#endif
