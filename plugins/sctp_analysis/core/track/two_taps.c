/* Packets that two taps saw. A file merged from captures at both ends, or of two interfaces, holds each packet twice:
 * one packet, seen at two places. Of each path the two interfaces that showed first are compared; third ones are left
 * out. Leaves what follows from it to two_taps_result.c. */
#include "two_taps.h"

#include "base/time.h"
#include "endpoints.h"

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

void sctpa_two_taps_duplicate(sctpa_tracked_t *tracked, uint8_t from, uint16_t path, uint32_t packet,
                              uint32_t duplicate, uint32_t first, uint32_t second, int64_t later_ns)
{
    sctpa_end_t *end = &tracked->assoc.ends[from];
    if (path >= end->n_paths || first == second)
        return;
    sctpa_two_taps_t **transit = &sctpa_path_probing(tracked, &end->paths[path])->transit;
    if (!*transit) {
        *transit = transit_new(tracked, first, second);
        (*transit)->since = duplicate;
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
