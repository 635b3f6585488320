/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the clock of a capture most likely stepped forward, or the host of the capture slept. */
#ifndef SCTPA_TRACK_CLOCK_STEPS_H
#define SCTPA_TRACK_CLOCK_STEPS_H

#include <stdbool.h>
#include <stdint.h>

enum { SCTPA_CLOCK_STEPS_MAX = 16 /* further ones are counted */ };

typedef struct {
    uint32_t packet; /* index of the first behind it */
    int64_t ns;      /* since the packet before it: the step, at most */
} sctpa_clock_step_t;

typedef struct {
    uint32_t count;
    sctpa_clock_step_t steps[SCTPA_CLOCK_STEPS_MAX]; /* in order of packet */
} sctpa_clock_steps_t;

/* Did it step after packet first, up to packet last (indices)? O(SCTPA_CLOCK_STEPS_MAX). */
static inline bool sctpa_clock_steps_between(const sctpa_clock_steps_t *steps, uint32_t first, uint32_t last)
{
    bool steps_there = false;
    for (uint32_t i = 0; i < SCTPA_CLOCK_STEPS_MAX && i < steps->count && !steps_there; i++)
        steps_there = steps->steps[i].packet > first && steps->steps[i].packet <= last;
    return steps_there;
}

#endif
