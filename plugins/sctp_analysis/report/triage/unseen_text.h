/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentence about an endpoint whose packets the capture lacks to its end. */
#ifndef SCTPA_REPORT_UNSEEN_TEXT_H
#define SCTPA_REPORT_UNSEEN_TEXT_H

#include "../view.h"

/* The first such association, and how many there are. */
typedef struct {
    uint32_t count, first;
    uint8_t end; /* whose packets are missing */
    sctpa_unseen_rest_t rest;
} sctpa_unseen_t;

/* Adds an association, if the capture lacks packets of an endpoint to its end. O(pairs), bounded. */
void sctpa_unseen_add(sctpa_unseen_t *unseen, const sctpa_t *sctpa, const sctpa_assoc_t *assoc);
/* "of which packets are missing to the end (first: 0): the capture holds no packet of endpoint 1 after ..." */
void sctpa_unseen_append(GString *text, const sctpa_unseen_t *unseen);

#endif
