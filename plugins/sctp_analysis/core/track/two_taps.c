/* Packets that two taps saw: how long they took from one to the other, and how many only one of them saw.
 * A file merged from captures at both ends, or of two interfaces, holds each packet twice: one packet, seen at two
 * places. Of each path the two interfaces that showed first are compared; third ones are left out. */
#include "tracker.h"

#include "base/time.h"

static int place_of(const sctpa_two_taps_t *transit, uint32_t interface)
{
    return interface == transit->interfaces[0] ? 0 : interface == transit->interfaces[1] ? 1 : -1;
}

static sctpa_two_taps_t *transit_new(sctpa_tracked_t *tracked, uint32_t first, uint32_t second)
{
    sctpa_two_taps_t *transit = sctpa_arena_alloc(tracked->arena, sizeof *transit);
    transit->interfaces[0] = MIN(first, second);
    transit->interfaces[1] = MAX(first, second);
    return transit;
}

void sctpa_two_taps_first(sctpa_tracked_t *tracked, uint8_t from, uint16_t path, uint32_t interface)
{
    const sctpa_end_t *end = &tracked->assoc.ends[from];
    sctpa_two_taps_t *transit = path < end->n_paths ? end->paths[path].probing->transit : NULL;
    int place = transit ? place_of(transit, interface) : -1;
    if (place >= 0)
        transit->only[place]++;
}

void sctpa_two_taps_copy(sctpa_tracked_t *tracked, uint8_t from, uint16_t path, uint32_t packet, uint32_t copy,
                         uint32_t first, uint32_t second, int64_t later_ns)
{
    sctpa_end_t *end = &tracked->assoc.ends[from];
    if (path >= end->n_paths || first == second)
        return;
    sctpa_two_taps_t **transit = &sctpa_path_probing(tracked, &end->paths[path])->transit;
    if (!*transit) {
        *transit = transit_new(tracked, first, second);
        (*transit)->since = copy;
    }
    int place = place_of(*transit, first);
    if (place < 0 || place_of(*transit, second) < 0)
        return;
    int64_t passed_ns = place == 0 ? later_ns : -later_ns;
    (*transit)->only[place] -= packet >= (*transit)->since && (*transit)->only[place] > 0;
    (*transit)->min_ns = (*transit)->both ? MIN((*transit)->min_ns, passed_ns) : passed_ns;
    (*transit)->max_ns = (*transit)->both ? MAX((*transit)->max_ns, passed_ns) : passed_ns;
    (*transit)->sum_ns = sctpa_ns_sum((*transit)->sum_ns, passed_ns);
    (*transit)->both++;
}

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
