/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was seen of an endpoint's paths, and when, where each of two taps saw it by a clock of its own. */
#include "analysis.h"

#include "track/identity/two_taps.h"
#include "track/near_tap.h"
#include "track/tracker.h"

const sctpa_probing_t *sctpa_path_probed(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, unsigned end, unsigned path)
{
    const sctpa_tracked_t *tracked = sctpa_tracked_find(sctpa->tracker, assoc->number);
    const sctpa_tap_data_t *tap = sctpa_near_tap_of_paths(tracked, end & 1);
    return tap ? sctpa_tap_data_probed(tap, end, path) : assoc->ends[end].paths[path].probing;
}

static uint32_t lowest_interface(const sctpa_tap_data_t *tap)
{
    uint32_t lowest = UINT32_MAX;
    for (uint32_t i = 0; i < tap->n_interfaces; i++)
        lowest = MIN(lowest, tap->interfaces[i]);
    return lowest;
}

/* By how much the clock that stamped a packet is ahead of that of the tap with the lowest interface. */
static int64_t ahead_ns(const sctpa_t *sctpa, const sctpa_two_taps_data_t *data, uint32_t packet)
{
    int64_t way_ns;
    if (!data || sctpa_near_tap_of(data, 0) == SCTPA_NO_TAP)
        return 0;
    const unsigned lowest = lowest_interface(&data->taps[1]) < lowest_interface(&data->taps[0]);
    const sctpa_stamp_t *stamp = &g_array_index(sctpa->tracker->store.stamps, sctpa_stamp_t, packet);
    if (!sctpa_tap_data_has(&data->taps[!lowest], sctpa_stamp_interface(stamp)))
        return 0;
    return sctpa_near_tap_ahead_ns(data, &way_ns) * (lowest == 0 ? 1 : -1);
}

int64_t sctpa_time_by_one_clock(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, uint32_t frame, int64_t time_ns)
{
    const uint32_t packet = sctpa->tracker->two_taps ? sctpa_packet_find(sctpa, frame, 0) : UINT32_MAX;
    if (packet == UINT32_MAX)
        return time_ns;
    return time_ns - ahead_ns(sctpa, sctpa_tracked_find(sctpa->tracker, assoc->number)->rare->two_taps_data, packet);
}

/* The packet, first seen in a frame, as it passed the tap near its sender, if that saw it. */
static uint32_t as_it_left(const sctpa_t *sctpa, const sctpa_tracked_t *tracked, uint32_t packet)
{
    const sctpa_record_t *record = &g_array_index(sctpa->tracker->records, sctpa_record_t, packet);
    const sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    const sctpa_end_t *sender = &tracked->assoc.ends[record->from];
    const unsigned near = data ? sctpa_near_tap_of(data, record->from) : SCTPA_NO_TAP;
    if (near == SCTPA_NO_TAP || record->path >= sender->n_paths)
        return packet;
    const uint32_t *at = sctpa_two_taps_sightings(sender->paths[record->path].probing->two_taps, packet);
    for (unsigned place = 0; at && place < 2; place++)
        if (at[place] != SCTPA_NO_PACKET_INDEX &&
            sctpa_tap_data_has(&data->taps[near], sctpa_stamp_interface(&g_array_index(sctpa->tracker->store.stamps,
                                                                                       sctpa_stamp_t, at[place]))))
            return at[place];
    return packet;
}

int64_t sctpa_event_by_one_clock(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, const sctpa_event_t *event)
{
    const uint32_t packet = sctpa->tracker->two_taps ? sctpa_packet_find(sctpa, event->frame, 0) : UINT32_MAX;
    if (packet == UINT32_MAX || sctpa_event_is_of_path(event))
        return sctpa_time_by_one_clock(sctpa, assoc, event->frame, event->time_ns);
    const sctpa_tracked_t *tracked = sctpa_tracked_find(sctpa->tracker, assoc->number);
    const uint32_t left = as_it_left(sctpa, tracked, packet);
    return sctpa_packet_time_ns(sctpa, left) - ahead_ns(sctpa, tracked->rare->two_taps_data, left);
}
