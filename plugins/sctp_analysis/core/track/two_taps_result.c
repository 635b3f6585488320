/* What two taps showed of a path: how long packets took from one to the other, and how many only one of them saw. */
#include "two_taps_result.h"

/* The path of an end that was compared most at the same two interfaces. */
static const sctpa_two_taps_t *counterpart(const sctpa_end_t *end, const sctpa_two_taps_t *transit)
{
    const sctpa_two_taps_t *best = NULL;
    for (unsigned i = 0; i < end->n_paths; i++) {
        const sctpa_two_taps_t *other = end->paths[i].probing->transit;
        if (other && other->both > 0 && other->interfaces[0] == transit->interfaces[0] &&
            other->interfaces[1] == transit->interfaces[1] && (!best || other->both > best->both))
            best = other;
    }
    return best;
}

static int64_t mean_ns(const sctpa_two_taps_t *transit)
{
    return transit->sum_ns / transit->both;
}

/* The two ways are taken to be equally long at their shortest: half of what remains is the clocks' difference. */
static int64_t offset_between(const sctpa_two_taps_t *up, const sctpa_two_taps_t *down)
{
    return (up->min_ns + down->max_ns) / 2;
}

bool sctpa_two_taps_result(const sctpa_assoc_t *assoc, uint8_t from, uint16_t path, sctpa_two_taps_result_t *result)
{
    const sctpa_two_taps_t *transit = assoc->ends[from].paths[path].probing->transit;
    if (!transit || transit->both == 0)
        return false;
    const sctpa_two_taps_t *back = counterpart(&assoc->ends[!from], transit);
    bool down = back ? mean_ns(transit) < mean_ns(back) : mean_ns(transit) < 0;
    int64_t offset_ns = !back ? 0 : down ? offset_between(back, transit) : offset_between(transit, back);
    *result = (sctpa_two_taps_result_t){
        .near_interface = transit->interfaces[down],
        .far_interface = transit->interfaces[!down],
        .both = transit->both,
        .lost = transit->only[down],
        .only_far = transit->only[!down],
        .offset_known = back != NULL,
        .offset_ns = offset_ns,
        .min_ns = down ? offset_ns - transit->max_ns : transit->min_ns - offset_ns,
        .max_ns = down ? offset_ns - transit->min_ns : transit->max_ns - offset_ns,
        .mean_ns = down ? offset_ns - mean_ns(transit) : mean_ns(transit) - offset_ns,
    };
    return true;
}
