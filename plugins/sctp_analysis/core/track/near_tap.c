/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of two taps is near an endpoint: what it sends passes that one first, by the time that it takes from tap to tap
 * less the time in the other direction. */
#include "near_tap.h"

#include <stdlib.h>

enum {
    ENOUGH_OF = 8,
    SEVERAL = 8
}; /* a tap that missed more than one TSN of so many is asked only for want of better */

unsigned sctpa_near_tap_of(const sctpa_two_taps_data_t *data, uint8_t end)
{
    if (data->is_unclear || data->both[0] == 0 || data->both[1] == 0)
        return SCTPA_NO_TAP;
    int64_t passed_ns = data->sum_ns[end] / data->both[end] - data->sum_ns[!end] / data->both[!end];
    if (llabs(passed_ns) < SCTPA_TAPS_APART_NS)
        return SCTPA_NO_TAP;
    return passed_ns > 0 ? 0 : 1;
}

int64_t sctpa_near_tap_ahead_ns(const sctpa_two_taps_data_t *data, int64_t *way_ns)
{
    const unsigned up = sctpa_near_tap_of(data, 0);
    *way_ns = (data->min_ns[up] - data->max_ns[!up]) / 2;
    return (data->min_ns[up] + data->max_ns[!up]) / 2;
}

static unsigned near_of(const sctpa_tracked_t *tracked, uint8_t end)
{
    const sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    return data && data->reshaped == tracked->reshaped ? sctpa_near_tap_of(data, end) : SCTPA_NO_TAP;
}

static bool is_most(uint64_t seen, uint64_t all)
{
    return (all - MIN(all, seen)) * ENOUGH_OF <= all;
}

/* Does a tap hold most of what the capture does: near the sender of the data its TSNs, near its receiver what arrived
 * there? Where there is no data, each does. */
static bool holds_enough(const sctpa_tap_data_t *tap, const sctpa_tracked_t *tracked, uint8_t near, uint8_t end)
{
    const sctpa_direction_t *all = tracked->sides[end].sent, *seen = tap->sides[end].sent;
    if (!all || !seen)
        return !all || all->tsns == 0;
    if (near == end)
        return is_most(seen->tsns, all->tsns);
    uint64_t unseen = seen->rare->unseen_acked - MIN(seen->rare->unseen_acked, all->rare->unseen_acked);
    return is_most(seen->sacks.len, all->sacks.len) && is_most(seen->tsns, seen->tsns + unseen);
}

const sctpa_tap_data_t *sctpa_near_tap(const sctpa_tracked_t *tracked, uint8_t near, uint8_t end)
{
    const sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    unsigned tap = near_of(tracked, near);
    if (tap == SCTPA_NO_TAP)
        return NULL;
    if (holds_enough(&data->taps[tap], tracked, near, end))
        return &data->taps[tap];
    return holds_enough(&data->taps[!tap], tracked, end, end) ? &data->taps[!tap] : NULL;
}

const sctpa_tap_data_t *sctpa_near_tap_without_cookie_ack(const sctpa_tracked_t *tracked)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    const uint8_t end = setup->steps[SCTPA_STEP_COOKIE_ECHO].by;
    if (!tracked->rare->two_taps_data || tracked->assoc.went_on_frame > 0 ||
        setup->steps[SCTPA_STEP_COOKIE_ACK].count == 0)
        return NULL;
    const sctpa_tap_data_t *tap = sctpa_near_tap(tracked, end, end);
    return tap && tap->setup.steps[SCTPA_STEP_COOKIE_ECHO].count > 1 &&
                   tap->setup.steps[SCTPA_STEP_COOKIE_ACK].count == 0
               ? tap
               : NULL;
}

int64_t sctpa_near_tap_receiver_ahead_ns(const sctpa_tracked_t *tracked, uint8_t end)
{
    const sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    const sctpa_tap_data_t *sender = data ? sctpa_near_tap(tracked, end, end) : NULL,
                           *receiver = data ? sctpa_near_tap(tracked, !end, end) : NULL;
    int64_t way_ns;
    if (!sender || !receiver || sender == receiver)
        return 0;
    const int64_t ahead_ns = sctpa_near_tap_ahead_ns(data, &way_ns);
    return receiver == &data->taps[1] ? ahead_ns : -ahead_ns;
}

bool sctpa_near_tap_is_unknown(const sctpa_tracked_t *tracked)
{
    const sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    if (!data || (sctpa_near_tap(tracked, 0, 0) && sctpa_near_tap(tracked, 1, 1)))
        return false;
    const uint32_t least = MIN(data->both[0], data->both[1]), most = MAX(data->both[0], data->both[1]);
    return data->is_unclear || near_of(tracked, 0) != SCTPA_NO_TAP || (least == 0 && most >= SEVERAL);
}
