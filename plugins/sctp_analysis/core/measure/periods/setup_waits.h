/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Set-ups that waited for a step that was lost: pauses before there is data. Leaves those of data to pauses.h, what of
 * a set-up that failed was missing to the reports. */
#ifndef SCTPA_MEASURE_SETUP_WAITS_H
#define SCTPA_MEASURE_SETUP_WAITS_H

#include "track/assoc.h"

enum { SCTPA_SETUP_WAITS_MAX = 2 };

/* From the first INIT to the first INIT ACK, or from the first COOKIE ECHO to the first COOKIE ACK, where T1 had to
 * send it again: it, or each answer before, was lost, or the peer was slow. Never shorter than SCTPA_PAUSE_LEAST_MS. */
typedef struct {
    sctpa_step_t step; /* that was sent again: INIT or COOKIE_ECHO */
    uint32_t sent;     /* how often, in all */
    uint32_t since_frame;
    uint32_t until_frame;        /* of the answer, 0: none passed */
    int64_t since_ns, waited_ns; /* without an answer to the last INIT, or to the association's last packet */
    uint8_t by;                  /* the endpoint that waited */
} sctpa_setup_wait_t;

/* The waits of an association, in order; how many. None where INITs crossed (RFC 9260 5.2.1): both ends asked. O(1).
 * setup   as it passed one place (sctpa_assoc_setup)
 * end_ns  the association's last packet, by the clock of the set-up */
unsigned sctpa_setup_waits(const sctpa_assoc_t *assoc, const sctpa_setup_t *setup, int64_t end_ns,
                           sctpa_setup_wait_t waits[SCTPA_SETUP_WAITS_MAX]);

#endif
