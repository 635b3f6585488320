/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data as each of two taps shows it. One tap shows a SACK long after or before it passed the other, and a lost one
 * not at all, so that times and causes that mix both are wrong: of a file merged from captures at both ends, the first
 * sightings of DATA and SACK lie half a round trip apart. Leaves out what is counted, and what rules ask, which go by
 * first sightings. */
#include "base/numbers.h"
#include "feed_parts.h"
#include "path_states.h"
#include "track/endpoints.h"
#include "track/flow.h"
#include "track/identity/two_taps_result.h"
#include "track/near_tap.h"
#include "track/tracker.h"

enum { RECONFIG_PERFORMED = 1 };
enum { TAPS = 2, RESHAPED_MAX = 4, NO_TAP = SCTPA_NO_TAP };
enum { PRESUMED_LEAST = 32, PRESUMED_MS = 1000, CLOCKS_AGREE_NS = 2000000, FAR_LONGER = 4 };

static unsigned tap_of(const sctpa_two_taps_data_t *data, uint32_t interface)
{
    for (unsigned tap = 0; tap < TAPS; tap++)
        if (sctpa_tap_data_has(&data->taps[tap], interface))
            return tap;
    return NO_TAP;
}

static void add_interface(sctpa_two_taps_data_t *data, unsigned number, uint32_t interface, bool is_presumed)
{
    sctpa_tap_data_t *tap = &data->taps[number];
    data->is_unclear |= tap->n_interfaces == SCTPA_TAP_INTERFACES_MAX;
    if (data->is_unclear)
        return;
    tap->presumed |= (uint32_t)is_presumed << tap->n_interfaces;
    tap->by_order |= (uint32_t)is_presumed << tap->n_interfaces;
    tap->interfaces[tap->n_interfaces++] = interface;
}

/* Where an interface stands among those of its tap. */
static uint32_t index_of(const sctpa_tap_data_t *tap, uint32_t interface)
{
    uint32_t i = 0;
    while (i + 1 < tap->n_interfaces && tap->interfaces[i] != interface)
        i++;
    return i;
}

/* Its bit in presumed of the tap. */
static uint32_t bit_of(const sctpa_tap_data_t *tap, uint32_t interface)
{
    return UINT32_C(1) << index_of(tap, interface);
}

/* Do the packets of an endpoint stand first at the same tap on all paths? Where the clocks agree, or differ by far more
 * than packets take; where it is not known yet, it is taken to be so. */
static bool is_order_clear(const sctpa_two_taps_data_t *data)
{
    int64_t way_ns;
    if (sctpa_near_tap_of(data, 0) == NO_TAP)
        return data->both[0] == 0 || data->both[1] == 0;
    const int64_t offset_ns = ABS(sctpa_near_tap_ahead_ns(data, &way_ns));
    return offset_ns <= CLOCKS_AGREE_NS || offset_ns > FAR_LONGER * way_ns;
}

/* An interface of a path that saw nothing before is where the endpoint's packets pass first, until a duplicate shows
 * that; where its peer's packets pass first, too, or no duplicate comes, the other tap may not have such an interface.
 */
static void place_first(sctpa_two_taps_data_t *data, uint8_t end, const sctpa_packet_t *packet)
{
    unsigned tap = tap_of(data, packet->interface);
    if (tap == NO_TAP && data->has_first[end] && is_order_clear(data))
        add_interface(data, tap = data->first_tap[end], packet->interface, true);
    if (tap == NO_TAP)
        return;
    const bool is_misplaced = data->has_first[end] && data->first_tap[end] != tap;
    data->is_misplaced |= is_misplaced;
    if (!(data->taps[tap].presumed & bit_of(&data->taps[tap], packet->interface)))
        return;
    if (data->n_presumed++ == 0)
        data->presumed_ns = packet->time_ns;
    bool is_overdue = data->n_presumed > PRESUMED_LEAST &&
                      packet->time_ns - data->presumed_ns > 2 * data->longest_ns + PRESUMED_MS * SCTPA_NS_PER_MS;
    data->is_unclear |= is_misplaced || is_overdue;
}

/* A duplicate has shown at which tap an interface is. */
static void confirm(sctpa_two_taps_data_t *data, unsigned tap, uint32_t interface)
{
    data->taps[tap].presumed &= ~bit_of(&data->taps[tap], interface);
    if (data->taps[0].presumed == 0 && data->taps[1].presumed == 0)
        data->n_presumed = 0;
}

/* Where packets of both ends were seen at both interfaces of a path: the tap near the end that is at first, whatever
 * the clocks. NO_TAP: not known. */
static unsigned tap_by_both_ways(const sctpa_two_taps_data_t *data, const sctpa_tracked_t *tracked, uint8_t end,
                                 const sctpa_two_taps_t *path, uint32_t first)
{
    const sctpa_two_taps_t *back = sctpa_two_taps_counterpart(&tracked->assoc.ends[!end], path);
    if (!back || path->both == 0 || sctpa_near_tap_of(data, end) == NO_TAP)
        return NO_TAP;
    int64_t passed_ns = sctpa_two_taps_mean_ns(path) - sctpa_two_taps_mean_ns(back);
    bool is_near = (passed_ns > 0) == (path->interfaces[0] == first);
    return sctpa_near_tap_of(data, is_near ? end : !end);
}

/* By the offset of the clocks, which other paths showed: no packet takes less than no time. Where both orders are
 * possible, the one by which it takes far less. */
static unsigned tap_by_delay(const sctpa_two_taps_data_t *data, uint8_t end, int64_t later_ns)
{
    const unsigned near = sctpa_near_tap_of(data, end);
    int64_t way_ns;
    if (near == NO_TAP)
        return data->has_first[end] ? data->first_tap[end] : NO_TAP;
    const int64_t ahead_ns = sctpa_near_tap_ahead_ns(data, &way_ns) * (near == 0 ? 1 : -1);
    const int64_t if_near_ns = later_ns - ahead_ns, if_far_ns = -later_ns - ahead_ns;
    if (if_far_ns < 0 || FAR_LONGER * if_near_ns < if_far_ns)
        return near;
    return if_near_ns < 0 || FAR_LONGER * if_far_ns < if_near_ns ? !near : NO_TAP;
}

/* The tap of an interface was found by order: do packets both ways show that, too? */
static void verify(sctpa_two_taps_data_t *data, const sctpa_tracked_t *tracked, uint8_t end,
                   const sctpa_two_taps_t *path, uint32_t first)
{
    const unsigned tap = tap_of(data, first);
    if (tap == NO_TAP || !(data->taps[tap].by_order & bit_of(&data->taps[tap], first)))
        return;
    const unsigned shown = tap_by_both_ways(data, tracked, end, path, first);
    if (shown == NO_TAP)
        return;
    data->taps[tap].by_order &= ~bit_of(&data->taps[tap], first);
    data->is_unclear |= shown != tap;
}

/* Is the packet seen a third time? The path was seen at first, and at another interface than again. */
static bool is_third(const sctpa_two_taps_t *path, uint32_t first, uint32_t again)
{
    bool has_first = path->interfaces[0] == first || path->interfaces[1] == first;
    return has_first && path->interfaces[0] != again && path->interfaces[1] != again;
}

/* Which taps saw a packet of an endpoint, first and later_ns after that again: a path has an interface of its own at
 * each tap. */
static void place_both(sctpa_two_taps_data_t *data, const sctpa_tracked_t *tracked, uint8_t end,
                       const sctpa_two_taps_t *path, uint32_t first, uint32_t again, int64_t later_ns)
{
    unsigned first_tap = tap_of(data, first), again_tap = tap_of(data, again);
    bool is_by_order = false;
    if (data->taps[0].n_interfaces == 0)
        first_tap = 0;
    else if (first_tap == NO_TAP && again_tap != NO_TAP)
        first_tap = !again_tap;
    else if (first_tap == NO_TAP)
        first_tap = tap_by_both_ways(data, tracked, end, path, first);
    if (first_tap == NO_TAP) {
        first_tap = tap_by_delay(data, end, later_ns);
        is_by_order = true;
    }
    if (first_tap == NO_TAP)
        return;
    data->is_unclear |= again_tap == first_tap || (again_tap == NO_TAP && is_third(path, first, again));
    if (tap_of(data, first) == NO_TAP)
        add_interface(data, first_tap, first, false);
    if (again_tap == NO_TAP)
        add_interface(data, !first_tap, again, false);
    if (is_by_order)
        data->taps[first_tap].by_order |= bit_of(&data->taps[first_tap], first);
    confirm(data, first_tap, first);
    confirm(data, !first_tap, again);
    verify(data, tracked, end, path, first);
    verify(data, tracked, end, path, again);
    if (!data->has_first[end]) {
        data->has_first[end] = true;
        data->first_tap[end] = (uint8_t)first_tap;
    }
}

/* Did all packets of an endpoint until now stand first at that tap? */
static bool all_stand_at(const sctpa_tracker_t *tracker, const sctpa_two_taps_data_t *data, const sctpa_end_t *end,
                         unsigned tap)
{
    for (uint16_t path = 0; path < end->n_paths; path++) {
        const sctpa_two_taps_t *taps = end->paths[path].probing->two_taps;
        for (uint32_t i = 0; taps && i < taps->sightings.len; i++) {
            const uint32_t *at = SCTPA_RECORD(&taps->sightings, sctpa_sighting_t, i).at;
            const sctpa_stamp_t *stamp = &g_array_index(tracker->store.stamps, sctpa_stamp_t, MIN(at[0], at[1]));
            if (tap_of(data, sctpa_stamp_interface(stamp)) != tap)
                return false;
        }
    }
    return true;
}

/* Where the packets of both ends stand first at the same tap, by another clock perhaps, so did all until now. Of an end
 * without a duplicate yet, the interfaces tell. O(packets), for the first end that has one. */
static void take_tap_rtts(const sctpa_tracker_t *tracker, sctpa_two_taps_data_t *data, const sctpa_tracked_t *tracked,
                          uint8_t begun)
{
    const uint8_t tap = data->first_tap[begun];
    if (data->has_first[!begun] ? data->first_tap[!begun] != tap
                                : !all_stand_at(tracker, data, &tracked->assoc.ends[!begun], tap))
        return;
    for (unsigned end = 0; end < 2; end++) {
        const sctpa_tap_rtt_t *known = &tracked->sides[end].peer_tap_rtt;
        sctpa_tap_rtt_note(&data->taps[tap].sides[end].peer_tap_rtt, known->most_ns, known->is_measured);
        sctpa_tap_rtt_note(&data->taps[tap].sides[end].peer_tap_rtt, known->longest_ns, true);
    }
}

static sctpa_two_taps_data_t *data_new(sctpa_tracked_t *tracked)
{
    sctpa_two_taps_data_t *data = sctpa_arena_alloc(tracked->arena, sizeof *data);
    data->reshaped = tracked->reshaped;
    for (unsigned tap = 0; tap < TAPS; tap++)
        data->taps[tap].sides[0].peer_tap_rtt = data->taps[tap].sides[1].peer_tap_rtt = sctpa_tap_rtt_none(NULL);
    return sctpa_tracked_rare(tracked)->two_taps_data = data;
}

/* Where its data was seen first, what is known of it was seen, but for SACKs that were on their way. */
static void begin(sctpa_tracker_t *tracker, sctpa_two_taps_data_t *data, sctpa_tracked_t *tracked, uint8_t end)
{
    const sctpa_side_t *known = &tracked->sides[end];
    data->has_begun[end] = true;
    for (unsigned tap = 0; tap < TAPS; tap++)
        data->taps[tap].sides[end].truncated = known->truncated;
    sctpa_tap_data_t *first = &data->taps[data->first_tap[end]];
    if (known->sent)
        first->sides[end].sent = sctpa_direction_copy(known->sent, &first->sides[end].peer_tap_rtt);
    const sctpa_end_t *sender = &tracked->assoc.ends[end];
    for (uint16_t path = 0; path < sender->n_paths; path++)
        if (sender->paths[path].probing->heartbeats > 0) {
            sctpa_probing_t *probing = sctpa_tap_data_probing(first, tracked->arena, end, path);
            *probing = *sender->paths[path].probing;
            probing->two_taps = NULL;
        }
    if (!data->has_first[!end] || data->first_tap[!end] == data->first_tap[end]) {
        sctpa_counts_copy_t heard;
        sctpa_flows_end_counts(tracker, &tracked->assoc.ends[!end], &heard);
        first->heard_ns[!end] = MAX(first->heard_ns[!end], heard.counts.last_ns);
    }
    data->asked[end] = data->first_tap[end];
    sctpa_failover_begin_at_tap(tracked, first, end);
}

static const uint64_t step_rows[SCTPA_STEPS] = { SCTPA_ROW(INIT), SCTPA_ROW(INIT_ACK), SCTPA_ROW(COOKIE_ECHO),
                                                 SCTPA_ROW(COOKIE_ACK) };

/* A packet with a step of the set-up passes a tap: how far is the end that answered from there? As in setup.c. */
static void note_step(sctpa_tap_data_t *tap, const sctpa_tracked_t *tracked, uint8_t from, sctpa_step_t step,
                      const sctpa_packet_t *packet)
{
    sctpa_setup_t *setup = &tap->setup;
    if (setup->steps[step].count++ == 0) {
        setup->steps[step].first_frame = packet->frame;
        setup->steps[step].first_ns = packet->time_ns;
        setup->steps[step].by = from & 1;
    }
    if (step == SCTPA_STEP_INIT)
        setup->last_init_ns = packet->time_ns;
    else if (!tracked->assoc.collision && setup->steps[step].count == 1 && setup->steps[step - 1].count == 1 &&
             setup->steps[step - 1].by != from)
        sctpa_tap_rtt_note(&tap->sides[!from].peer_tap_rtt,
                           setup->steps[step].first_ns - setup->steps[step - 1].first_ns, true);
}

static void note_setup(sctpa_tap_data_t *tap, const sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    for (unsigned step = 0; step < SCTPA_STEPS; step++)
        if (input->observation->rows & step_rows[step])
            note_step(tap, tracked, from, (sctpa_step_t)step, input->packet);
}

/* SHUTDOWN ACK and SHUTDOWN COMPLETE pass a tap: how far is the end that answered? As in teardown.c. */
static void note_shutdown(sctpa_tap_data_t *tap, const sctpa_tracked_t *tracked, uint8_t from,
                          const sctpa_input_t *input)
{
    if (input->observation->rows & SCTPA_ROW(SHUTDOWN_ACK))
        tap->shutdown_ack_ns = tap->shutdown_acks++ == 0 ? input->packet->time_ns : 0;
    if (input->observation->rows & SCTPA_ROW(SHUTDOWN_COMPLETE) && tap->shutdown_ack_ns > 0 &&
        from == tracked->shutdown_by)
        sctpa_tap_rtt_note(&tap->sides[!from].peer_tap_rtt, input->packet->time_ns - tap->shutdown_ack_ns, true);
}

/* A packet of these chunks, first seen in a frame, passes a tap: was it the one that ended the association? Of several
 * SHUTDOWN COMPLETEs the first that passed here is: which stands first in the capture is a matter of the clocks. */
static void note_end(sctpa_tap_data_t *tap, const sctpa_tracked_t *tracked, uint64_t rows, uint32_t first_frame,
                     uint32_t index, int64_t time_ns)
{
    const bool completes = tracked->assoc.known.end == SCTPA_ASSOC_SHUTDOWN && rows & SCTPA_ROW(SHUTDOWN_COMPLETE);
    if ((tracked->assoc.end_frame != first_frame && !completes) || (tap->end_frame != 0 && time_ns >= tap->end_ns))
        return;
    tap->end_frame = first_frame;
    tap->end_packet = index;
    tap->end_ns = time_ns;
}

/* A packet that an interface showed before the first duplicate: of the set-up, or the last there. first: as it was
 * first seen. */
static void note_before(const sctpa_tracker_t *tracker, sctpa_two_taps_data_t *data, const sctpa_tracked_t *tracked,
                        uint32_t packet, const sctpa_record_t *first)
{
    const uint8_t from = first->from;
    const uint64_t rows = first->rows;
    const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, packet);
    const sctpa_stamp_t *stamp = &g_array_index(tracker->store.stamps, sctpa_stamp_t, packet);
    const unsigned tap = tap_of(data, sctpa_stamp_interface(stamp));
    if (tap == NO_TAP)
        return;
    data->taps[tap].last_ns = MAX(data->taps[tap].last_ns, stamp->time_ns);
    note_end(&data->taps[tap], tracked, rows, first->frame, packet, stamp->time_ns);
    for (unsigned step = 0; step < SCTPA_STEPS; step++) {
        sctpa_setup_t *setup = &data->taps[tap].setup;
        if (!(rows & step_rows[step]))
            continue;
        if (setup->steps[step].count++ == 0 || record->frame < setup->steps[step].first_frame) {
            setup->steps[step].first_frame = record->frame;
            setup->steps[step].first_ns = stamp->time_ns;
            setup->steps[step].by = from & 1;
        }
        if (step == SCTPA_STEP_INIT)
            setup->last_init_ns = MAX(setup->last_init_ns, stamp->time_ns);
    }
}

/* The set-up as each tap showed it before a packet, at all interfaces that are known by now: which tap an interface is
 * at may show when steps have passed there. Each packet of the association once for each interface of the taps:
 * amortised O(1). */
static void take_setup_before(const sctpa_tracker_t *tracker, sctpa_two_taps_data_t *data,
                              const sctpa_tracked_t *tracked, uint32_t now)
{
    const uint32_t n_interfaces = data->taps[0].n_interfaces + data->taps[1].n_interfaces;
    if (data->setup_interfaces == n_interfaces)
        return;
    data->setup_interfaces = (uint8_t)n_interfaces;
    for (unsigned tap = 0; tap < TAPS; tap++)
        data->taps[tap].setup = (sctpa_setup_t){ 0 };
    for (uint8_t end = 0; end < 2; end++)
        for (uint16_t path = 0; path < tracked->assoc.ends[end].n_paths; path++) {
            const sctpa_two_taps_t *taps = tracked->assoc.ends[end].paths[path].probing->two_taps;
            for (uint32_t i = 0; taps && i < taps->sightings.len; i++) {
                const uint32_t *at = SCTPA_RECORD(&taps->sightings, sctpa_sighting_t, i).at;
                const sctpa_record_t *first = &g_array_index(tracker->records, sctpa_record_t, MIN(at[0], at[1]));
                for (unsigned place = 0; place < TAPS; place++)
                    if (at[place] < now)
                        note_before(tracker, data, tracked, at[place], first);
            }
        }
}

static void give_up(sctpa_tracked_t *tracked, sctpa_two_taps_data_t *data)
{
    for (unsigned tap = 0; tap < TAPS; tap++)
        for (unsigned end = 0; end < 2; end++) {
            sctpa_tap_data_t *at = &data->taps[tap];
            if (at->sides[end].sent)
                sctpa_direction_free(at->sides[end].sent);
            at->sides[end].sent = NULL;
            sctpa_arena_free_grown(tracked->arena, at->probing[end], at->n_probing[end], sizeof *at->probing[end]);
            at->probing[end] = NULL;
            at->n_probing[end] = 0;
        }
    for (uint8_t end = 0; end < 2; end++)
        if (data->has_begun[end])
            sctpa_failover_leave_taps(tracked, end);
    data->has_begun[0] = data->has_begun[1] = false;
}

void sctpa_two_taps_data_duplicate(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_record_t *record,
                                   const sctpa_input_t *input, uint32_t first, int64_t later_ns)
{
    if (tracked->rare->two_taps_data && tracked->rare->two_taps_data->reshaped != tracked->reshaped)
        sctpa_two_taps_data_free(tracked);
    sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    uint32_t again = input->packet->interface;
    uint8_t end = record->from;
    if (first == again || tracked->reshaped > RESHAPED_MAX || (data && data->is_unclear))
        return;
    if ((!data && ABS(later_ns) < SCTPA_TAPS_APART_NS / 2) || record->path >= tracked->assoc.ends[end].n_paths)
        return;
    data = data ? data : data_new(tracked);
    place_both(data, tracked, end, tracked->assoc.ends[end].paths[record->path].probing->two_taps, first, again,
               later_ns);
    if (data->is_unclear) {
        give_up(tracked, data);
        return;
    }
    unsigned tap = tap_of(data, again);
    if (tap == NO_TAP || tap_of(data, first) != !tap)
        return;
    const int64_t passed_ns = tap == 1 ? later_ns : -later_ns;
    data->longest_ns = MAX(data->longest_ns, ABS(later_ns));
    data->min_ns[end] = data->both[end] ? MIN(data->min_ns[end], passed_ns) : passed_ns;
    data->max_ns[end] = data->both[end] ? MAX(data->max_ns[end], passed_ns) : passed_ns;
    data->sum_ns[end] = sctpa_ns_sum(data->sum_ns[end], passed_ns);
    data->both[end]++;
    if (data->has_begun[end])
        return;
    begin(tracker, data, tracked, end);
    take_tap_rtts(tracker, data, tracked, end);
}

static void restart(sctpa_side_t *side, const sctpa_tlv_t *response, sctpa_field_id_t next_tsn)
{
    if (side->sent && sctpa_tlv_has(response, next_tsn))
        sctpa_direction_restart(side->sent, sctpa_tlv_u32(response, next_tsn));
}

/* A RE_CONFIG that grants a reset of the TSNs, as in requests.c. */
static void take_resets(sctpa_tap_data_t *tap, uint8_t from, const sctpa_observation_t *observation)
{
    if (!(observation->rows & SCTPA_ROW(RE_CONFIG)))
        return;
    for (uint32_t i = 0; i < observation->n; i++) {
        const sctpa_param_list_t *list = sctpa_observed_params(observation, &observation->chunks[i]);
        for (uint32_t j = 0; observation->chunks[i].row == SCTPA_CHUNK_ROW_RE_CONFIG && j < list->n; j++) {
            const sctpa_tlv_t *param = &list->params[j];
            if (param->type != SCTPA_PARAM_RECONFIG_RESPONSE ||
                sctpa_tlv_u32(param, SCTPA_F_RECONFIG_RESPONSE_RESULT) != RECONFIG_PERFORMED)
                continue;
            restart(&tap->sides[from], param, SCTPA_F_RECONFIG_RESPONSE_SENDER_NEXT_TSN);
            restart(&tap->sides[!from], param, SCTPA_F_RECONFIG_RESPONSE_RECEIVER_NEXT_TSN);
        }
    }
}

void sctpa_two_taps_data_take(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_record_t *record,
                              const sctpa_input_t *input)
{
    sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    if (!data || data->is_unclear || data->reshaped != tracked->reshaped)
        return;
    if (!(record->remarks & SCTPA_CAPTURE_DUPLICATE))
        place_first(data, record->from, input->packet);
    if (data->is_unclear)
        give_up(tracked, data);
    unsigned tap = data->is_unclear ? NO_TAP : tap_of(data, input->packet->interface);
    if (tap == NO_TAP)
        return;
    take_setup_before(tracker, data, tracked, input->index);
    data->taps[tap].last_ns = MAX(data->taps[tap].last_ns, input->packet->time_ns);
    data->taps[tap].heard_ns[record->from] = input->packet->time_ns;
    const bool is_first = !(record->remarks & SCTPA_CAPTURE_DUPLICATE);
    note_end(&data->taps[tap], tracked, input->observation->rows,
             is_first ? record->frame : g_array_index(tracker->records, sctpa_record_t, record->rows).frame,
             input->index, input->packet->time_ns);
    note_setup(&data->taps[tap], tracked, record->from, input);
    note_shutdown(&data->taps[tap], tracked, record->from, input);
    if (!data->has_begun[0] && !data->has_begun[1])
        return;
    sctpa_dispatch_at_tap(tracker, tracked, &data->taps[tap], data->has_begun, record, input);
    take_resets(&data->taps[tap], record->from, input->observation);
    sctpa_failover_ask_taps(tracked);
}

void sctpa_two_taps_data_leave(sctpa_tracked_t *tracked, uint8_t end, uint16_t path, const sctpa_packet_t *packet)
{
    sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    unsigned tap = data ? tap_of(data, packet->interface) : NO_TAP;
    if (tap != NO_TAP && data->taps[tap].sides[end].sent)
        sctpa_direction_leave(data->taps[tap].sides[end].sent, path, packet->time_ns);
}

void sctpa_two_taps_data_free(sctpa_tracked_t *tracked)
{
    sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    if (!data)
        return;
    give_up(tracked, data);
    sctpa_arena_free(tracked->arena, data, sizeof *data);
    sctpa_tracked_rare(tracked)->two_taps_data = NULL;
}
