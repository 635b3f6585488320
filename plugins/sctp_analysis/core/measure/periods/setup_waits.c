/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads them off the steps of the set-up, of which the first of each and the number are kept. */
#include "setup_waits.h"

#include "pauses.h"

/* An INIT after an INIT ACK begins another set-up: after an ERROR "Stale Cookie", or since the answer was lost behind
 * the capture point. Of which of them a repeated step is part is not kept then. */
static bool is_one_attempt(const sctpa_setup_t *setup)
{
    return setup->steps[SCTPA_STEP_INIT_ACK].count == 0 ||
           setup->last_init_ns <= setup->steps[SCTPA_STEP_INIT_ACK].first_ns;
}

unsigned sctpa_setup_waits(const sctpa_assoc_t *assoc, const sctpa_setup_t *setup, int64_t end_ns,
                           sctpa_setup_wait_t waits[SCTPA_SETUP_WAITS_MAX])
{
    static const sctpa_step_t asking[] = { SCTPA_STEP_INIT, SCTPA_STEP_COOKIE_ECHO };
    unsigned n = 0;
    for (unsigned i = 0; i < SCTPA_SETUP_WAITS_MAX && !assoc->collision && is_one_attempt(setup); i++) {
        sctpa_step_t step = asking[i];
        bool is_answered = setup->steps[step + 1].count > 0;
        if (setup->steps[step].count < 2)
            continue;
        int64_t until_ns = is_answered               ? setup->steps[step + 1].first_ns
                           : step == SCTPA_STEP_INIT ? setup->last_init_ns
                                                     : end_ns;
        waits[n] = (sctpa_setup_wait_t){ .step = step,
                                         .sent = setup->steps[step].count,
                                         .since_frame = setup->steps[step].first_frame,
                                         .until_frame = is_answered ? setup->steps[step + 1].first_frame : 0,
                                         .since_ns = setup->steps[step].first_ns,
                                         .waited_ns = until_ns - setup->steps[step].first_ns,
                                         .by = setup->steps[step].by };
        n += waits[n].waited_ns >= SCTPA_PAUSE_LEAST_MS * SCTPA_NS_PER_MS;
    }
    return n;
}
