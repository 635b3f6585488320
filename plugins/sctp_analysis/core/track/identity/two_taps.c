/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets that two taps saw. A file merged from captures at both ends, or of two interfaces, holds each packet twice:
 * one packet, seen at two places. Of each path the two interfaces that showed first are compared; third ones are left
 * out. Leaves what follows from it to two_taps_result.c. */
#include "two_taps.h"

#include "base/time.h"
#include "track/endpoints.h"

static int place_of(const sctpa_two_taps_t *taps, uint32_t interface)
{
    return interface == taps->interfaces[0] ? 0 : interface == taps->interfaces[1] ? 1 : -1;
}

static sctpa_two_taps_t *taps_new(sctpa_tracked_t *tracked, uint32_t first, uint32_t second)
{
    sctpa_two_taps_t *taps = sctpa_arena_alloc(tracked->arena, sizeof *taps);
    taps->interfaces[0] = MIN(first, second);
    taps->interfaces[1] = MAX(first, second);
    return taps;
}

void sctpa_two_taps_first(sctpa_tracked_t *tracked, uint8_t from, uint16_t path, uint32_t interface)
{
    const sctpa_end_t *end = &tracked->assoc.ends[from];
    sctpa_two_taps_t *taps = path < end->n_paths ? end->paths[path].probing->two_taps : NULL;
    int place = taps ? place_of(taps, interface) : -1;
    if (place >= 0)
        taps->only[place]++;
}

void sctpa_two_taps_duplicate(sctpa_tracked_t *tracked, uint8_t from, uint16_t path, uint32_t packet,
                              uint32_t duplicate, uint32_t first, uint32_t second, int64_t later_ns)
{
    sctpa_end_t *end = &tracked->assoc.ends[from];
    if (path >= end->n_paths || first == second)
        return;
    sctpa_two_taps_t **taps = &sctpa_path_probing(tracked, &end->paths[path])->two_taps;
    if (!*taps) {
        *taps = taps_new(tracked, first, second);
        (*taps)->since = duplicate;
    }
    int place = place_of(*taps, first);
    if (place < 0 || place_of(*taps, second) < 0)
        return;
    int64_t passed_ns = place == 0 ? later_ns : -later_ns;
    (*taps)->only[place] -= packet >= (*taps)->since && (*taps)->only[place] > 0;
    (*taps)->min_ns = (*taps)->both ? MIN((*taps)->min_ns, passed_ns) : passed_ns;
    (*taps)->max_ns = (*taps)->both ? MAX((*taps)->max_ns, passed_ns) : passed_ns;
    (*taps)->sum_ns = sctpa_ns_sum((*taps)->sum_ns, passed_ns);
    (*taps)->both++;
    const sctpa_sighting_t sighting = { packet, duplicate };
    sctpa_records_append(&(*taps)->sightings, tracked->arena, &sighting, sizeof sighting);
}

void sctpa_two_taps_clear(sctpa_tracked_t *tracked, sctpa_two_taps_t *taps)
{
    if (taps && taps->sightings.room > 0)
        sctpa_records_clear(&taps->sightings, tracked->arena, sizeof(sctpa_sighting_t));
}
