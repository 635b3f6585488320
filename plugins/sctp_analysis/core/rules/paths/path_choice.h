/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules on the choice of paths remember of an endpoint with several paths and its reference endpoint does not.
 * Internal to check_paths*.c. */
#ifndef SCTPA_RULES_PATH_CHOICE_H
#define SCTPA_RULES_PATH_CHOICE_H

#include "reference/context.h"

/* Packets with new data in a row, without a retransmission between. */
typedef struct {
    uint32_t first_packet;
    uint32_t rtx;  /* retransmissions by then */
    uint16_t path; /* of the last one */
    uint8_t n;     /* 0 none */
    uint8_t turns; /* of them, to another path than the one before */
} sctpa_new_data_t;

typedef struct {
    sctpa_new_data_t new_data;
    uint32_t stray_packet; /* of a fast retransmission to another path, until new data shows where the sender is */
    uint16_t stray_path, stray_original;
    bool has_stray;
    bool is_probing_known; /* whether it probes all addresses that its peer listed was asked */
} sctpa_path_choice_t;

/* Of an endpoint, before the packet; NULL nothing. O(1). */
const sctpa_path_choice_t *sctpa_path_choice(const sctpa_context_t *c, uint8_t endpoint);

#endif
