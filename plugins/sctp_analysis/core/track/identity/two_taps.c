/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets that two taps saw. A file merged from captures at both ends, or of two interfaces, holds each packet twice:
 * one packet, seen at two places. Of each path the two interfaces that showed first are compared; third ones are left
 * out. Leaves what follows from it to two_taps_result.c. */
#include "two_taps.h"

#include "base/numbers.h"
#include "track/endpoints.h"
#include "track/tracker.h"
#include "identity_parts.h"

static sctpa_two_taps_t *taps_of(sctpa_tracked_t *tracked, uint8_t from, uint16_t path)
{
    sctpa_end_t *end = &tracked->assoc.ends[from];
    if (path >= end->n_paths)
        return NULL;
    sctpa_probing_t *probing = sctpa_path_probing(tracked, &end->paths[path]);
    if (!probing->two_taps)
        probing->two_taps = sctpa_arena_alloc(tracked->arena, sizeof *probing->two_taps);
    return probing->two_taps;
}

static int place_of(const sctpa_two_taps_t *taps, uint32_t interface)
{
    return interface == taps->interfaces[0] ? 0 : interface == taps->interfaces[1] ? 1 : -1;
}

/* A packet as one place showed it. */
static sctpa_sighting_t seen_at(int place, uint32_t packet)
{
    sctpa_sighting_t sighting = { { SCTPA_NO_PACKET_INDEX, SCTPA_NO_PACKET_INDEX } };
    sighting.at[place] = packet;
    return sighting;
}

void sctpa_two_taps_first(sctpa_tracked_t *tracked, uint8_t from, uint16_t path, uint32_t packet, uint32_t interface)
{
    sctpa_two_taps_t *taps = taps_of(tracked, from, path);
    const int place = taps && taps->both > 0 ? place_of(taps, interface) : 0;
    const sctpa_sighting_t sighting = seen_at(MAX(place, 0), packet);
    if (taps && place >= 0)
        sctpa_records_append(&taps->sightings, tracked->arena, &sighting, sizeof sighting);
}

void sctpa_two_taps_begin(const sctpa_tracker_t *tracker)
{
    for (uint32_t i = 0; i < tracker->records->len; i++) {
        const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, i);
        uint8_t from;
        if (sctpa_record_is_gone(record) || record->assoc == SCTPA_NO_ASSOC ||
            record->remarks & SCTPA_CAPTURE_UNCOUNTED)
            continue;
        sctpa_tracked_t *tracked = sctpa_record_assoc(tracker, record, i, &from);
        if (!sctpa_tracked_is_none(tracked))
            sctpa_two_taps_first(tracked, from, record->path, i, 0);
    }
}

static uint32_t first_sight(const sctpa_sighting_t *sighting)
{
    return MIN(sighting->at[0], sighting->at[1]);
}

/* The interfaces of the path are known: which of them showed each packet? What others showed is left out. */
static void place_sightings(const sctpa_tracker_t *tracker, sctpa_two_taps_t *taps)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < taps->sightings.len; i++) {
        const uint32_t packet = first_sight(&SCTPA_RECORD(&taps->sightings, sctpa_sighting_t, i));
        const int place =
            place_of(taps, sctpa_stamp_interface(&g_array_index(tracker->store.stamps, sctpa_stamp_t, packet)));
        if (place >= 0)
            SCTPA_RECORD(&taps->sightings, sctpa_sighting_t, n++) = seen_at(place, packet);
    }
    taps->sightings.len = n;
}

/* The sighting that packet began; NULL none. */
static sctpa_sighting_t *sighting_of(const sctpa_two_taps_t *taps, uint32_t packet)
{
    uint32_t low = 0, high = taps->sightings.len;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (first_sight(&SCTPA_RECORD(&taps->sightings, sctpa_sighting_t, middle)) < packet)
            low = middle + 1;
        else
            high = middle;
    }
    sctpa_sighting_t *found = low < taps->sightings.len ? &SCTPA_RECORD(&taps->sightings, sctpa_sighting_t, low) : NULL;
    return found && first_sight(found) == packet ? found : NULL;
}

void sctpa_two_taps_duplicate(const sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_record_t *record,
                              uint32_t duplicate, uint32_t first, uint32_t second, int64_t later_ns)
{
    sctpa_two_taps_t *taps = first != second ? taps_of(tracked, record->from, record->path) : NULL;
    if (!taps)
        return;
    if (taps->both == 0) {
        taps->interfaces[0] = MIN(first, second);
        taps->interfaces[1] = MAX(first, second);
        place_sightings(tracker, taps);
    }
    const int place = place_of(taps, second);
    sctpa_sighting_t *sighting = sighting_of(taps, record->rows);
    if (!sighting || place < 0 || sighting->at[place] != SCTPA_NO_PACKET_INDEX)
        return;
    sighting->at[place] = duplicate;
    const int64_t passed_ns = place == 1 ? later_ns : -later_ns;
    taps->min_ns = taps->both ? MIN(taps->min_ns, passed_ns) : passed_ns;
    taps->max_ns = taps->both ? MAX(taps->max_ns, passed_ns) : passed_ns;
    taps->sum_ns = sctpa_ns_sum(taps->sum_ns, passed_ns);
    taps->both++;
}

const uint32_t *sctpa_two_taps_sightings(const sctpa_two_taps_t *taps, uint32_t packet)
{
    const sctpa_sighting_t *sighting = taps ? sighting_of(taps, packet) : NULL;
    return sighting ? sighting->at : NULL;
}
