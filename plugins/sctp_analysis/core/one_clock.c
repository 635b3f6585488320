/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a capture and an association lasted, by one clock where interfaces have clocks that differ. */
#include "analysis.h"

#include "track/near_tap.h"
#include "track/tracker.h"

/* By interface: by how much its clock is ahead of that of the first of those that packets passed as well. */
typedef struct {
    int64_t ahead_ns[SCTPA_INTERFACES_WATCHED];
    bool is_known[SCTPA_INTERFACES_WATCHED];
} clocks_t;

static void take_path(clocks_t *clocks, const sctpa_assoc_t *assoc, const sctpa_path_t *path)
{
    const sctpa_two_taps_t *taps = path->probing->two_taps;
    int64_t ahead_ns, within_ns;
    if (!taps || !sctpa_two_taps_ahead(&assoc->ends[1], taps, &ahead_ns, &within_ns))
        return;
    const unsigned low = taps->interfaces[0] % SCTPA_INTERFACES_WATCHED,
                   high = taps->interfaces[1] % SCTPA_INTERFACES_WATCHED;
    if (clocks->is_known[high] && !clocks->is_known[low])
        clocks->ahead_ns[low] = clocks->ahead_ns[high] - ahead_ns;
    else if (!clocks->is_known[high])
        clocks->ahead_ns[high] = clocks->ahead_ns[low] + ahead_ns;
    clocks->is_known[low] = clocks->is_known[high] = true;
}

bool sctpa_span_by_one_clock(const sctpa_t *sctpa, int64_t *first_ns, int64_t *last_ns)
{
    clocks_t clocks = { .ahead_ns = { 0 } };
    bool has_two = false;
    for (uint32_t number = 0; sctpa->tracker->two_taps && number < sctpa_assoc_count(sctpa); number++) {
        const sctpa_assoc_t *assoc = sctpa_assoc(sctpa, number);
        const bool is_two = assoc->merged_into == SCTPA_NO_ASSOC && sctpa_taps(sctpa, number) == SCTPA_TAPS_TWO;
        has_two |= is_two;
        for (unsigned path = 0; is_two && path < assoc->ends[0].n_paths; path++)
            take_path(&clocks, assoc, &assoc->ends[0].paths[path]);
    }
    *first_ns = INT64_MAX;
    *last_ns = INT64_MIN;
    for (unsigned i = 0; i < SCTPA_INTERFACES_WATCHED; i++)
        if (sctpa->latest_ns[i] != INT64_MIN) {
            *first_ns = MIN(*first_ns, sctpa->earliest_ns[i] - clocks.ahead_ns[i]);
            *last_ns = MAX(*last_ns, sctpa->latest_ns[i] - clocks.ahead_ns[i]);
        }
    return has_two;
}

/* What the tap near end 0 shows, if it shows the association from its INIT on; NULL: one tap, or not. */
static const sctpa_tap_data_t *whole_at_tap(const sctpa_t *sctpa, const sctpa_assoc_t *assoc)
{
    const sctpa_tap_data_t *tap = sctpa_near_tap(sctpa_tracked_find(sctpa->tracker, assoc->number), 0, 0);
    return tap && tap->setup.steps[SCTPA_STEP_INIT].count > 0 ? tap : NULL;
}

int64_t sctpa_assoc_span_ns(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, const sctpa_outcome_t *outcome)
{
    const sctpa_tap_data_t *tap = whole_at_tap(sctpa, assoc);
    if (tap)
        return tap->last_ns - tap->setup.steps[SCTPA_STEP_INIT].first_ns;
    return outcome->last_ns - assoc->first_ns;
}

/* When what ended the association passed a tap, or the other one sooner or alone, by the clock of the first. */
static int64_t end_at_tap(const sctpa_two_taps_data_t *data, unsigned tap, const sctpa_assoc_t *assoc)
{
    int64_t way_ns;
    const int64_t ahead_ns = sctpa_near_tap_ahead_ns(data, &way_ns);
    const sctpa_tap_data_t *here = &data->taps[tap], *there = &data->taps[!tap];
    if (here->end_frame != 0 && (there->end_frame == here->end_frame || there->end_frame == 0))
        return here->end_ns;
    const int64_t other_ns = there->end_frame != 0 ? there->end_ns : assoc->end_ns,
                  passed_ns = tap == 0 ? other_ns - ahead_ns : other_ns + ahead_ns;
    return here->end_frame != 0 ? MIN(here->end_ns, passed_ns) : passed_ns;
}

int64_t sctpa_assoc_life_ns(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, const sctpa_outcome_t *outcome)
{
    const sctpa_tap_data_t *tap = whole_at_tap(sctpa, assoc);
    if (assoc->end_frame == 0)
        return sctpa_assoc_span_ns(sctpa, assoc, outcome);
    if (!tap)
        return assoc->end_ns - assoc->first_ns;
    const sctpa_two_taps_data_t *data = sctpa_tracked_find(sctpa->tracker, assoc->number)->rare->two_taps_data;
    return end_at_tap(data, tap != &data->taps[0], assoc) - tap->setup.steps[SCTPA_STEP_INIT].first_ns;
}
