/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What two taps showed of a path: how long packets took from one to the other, and how many only one of them saw. */
#include "two_taps_result.h"

#include "data/direction.h"

const sctpa_two_taps_t *sctpa_two_taps_counterpart(const sctpa_end_t *end, const sctpa_two_taps_t *taps)
{
    const sctpa_two_taps_t *best = NULL;
    for (unsigned i = 0; i < end->n_paths; i++) {
        const sctpa_two_taps_t *other = end->paths[i].probing->two_taps;
        if (other && other->both > 0 && other->interfaces[0] == taps->interfaces[0] &&
            other->interfaces[1] == taps->interfaces[1] && (!best || other->both > best->both))
            best = other;
    }
    return best;
}

/* The two ways are taken to be equally long at their shortest: half of what remains is the clocks' difference. */
static int64_t offset_between(const sctpa_two_taps_t *up, const sctpa_two_taps_t *down)
{
    return (up->min_ns + down->max_ns) / 2;
}

bool sctpa_two_taps_ahead(const sctpa_end_t *back, const sctpa_two_taps_t *taps, int64_t *ahead_ns, int64_t *within_ns)
{
    const sctpa_two_taps_t *other = taps->both > 0 ? sctpa_two_taps_counterpart(back, taps) : NULL;
    if (!other)
        return false;
    const bool is_down = sctpa_two_taps_mean_ns(taps) < sctpa_two_taps_mean_ns(other);
    const sctpa_two_taps_t *up = is_down ? other : taps, *down = is_down ? taps : other;
    *ahead_ns = offset_between(up, down);
    *within_ns = (up->min_ns - down->max_ns) / 2;
    return true;
}

/* Packets that only one place showed, between the first and the last there that both did. Stamps are not asked, so that
 * clocks may differ by any time. */
static uint32_t only_at(const sctpa_two_taps_t *taps, unsigned place)
{
    uint32_t first = SCTPA_NO_PACKET_INDEX, last = 0, n = 0;
    for (uint32_t i = 0; i < taps->sightings.len; i++) {
        const uint32_t *at = SCTPA_RECORD(&taps->sightings, sctpa_sighting_t, i).at;
        if (at[0] == SCTPA_NO_PACKET_INDEX || at[1] == SCTPA_NO_PACKET_INDEX)
            continue;
        first = MIN(first, at[place]);
        last = MAX(last, at[place]);
    }
    for (uint32_t i = 0; i < taps->sightings.len; i++) {
        const uint32_t *at = SCTPA_RECORD(&taps->sightings, sctpa_sighting_t, i).at;
        n += at[!place] == SCTPA_NO_PACKET_INDEX && at[place] > first && at[place] < last;
    }
    return n;
}

bool sctpa_two_taps_result(const sctpa_assoc_t *assoc, uint8_t from, uint16_t path, sctpa_two_taps_result_t *result)
{
    const sctpa_two_taps_t *taps = assoc->ends[from].paths[path].probing->two_taps;
    if (!taps || taps->both == 0)
        return false;
    const sctpa_two_taps_t *back = sctpa_two_taps_counterpart(&assoc->ends[!from], taps);
    bool down = back ? sctpa_two_taps_mean_ns(taps) < sctpa_two_taps_mean_ns(back) : sctpa_two_taps_mean_ns(taps) < 0;
    int64_t offset_ns = 0, within_ns;
    sctpa_two_taps_ahead(&assoc->ends[!from], taps, &offset_ns, &within_ns);
    *result = (sctpa_two_taps_result_t){
        .near_interface = taps->interfaces[down],
        .far_interface = taps->interfaces[!down],
        .both = taps->both,
        .lost = only_at(taps, down),
        .only_far = only_at(taps, !down),
        .offset_known = back != NULL,
        .offset_ns = offset_ns,
        .min_ns = down ? offset_ns - taps->max_ns : taps->min_ns - offset_ns,
        .max_ns = down ? offset_ns - taps->min_ns : taps->max_ns - offset_ns,
        .mean_ns = down ? offset_ns - sctpa_two_taps_mean_ns(taps) : sctpa_two_taps_mean_ns(taps) - offset_ns,
    };
    return true;
}
