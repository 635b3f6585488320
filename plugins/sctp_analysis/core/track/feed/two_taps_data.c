/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data as each of two taps shows it. One tap shows a SACK long after or before it passed the other, and a lost one
 * not at all, so that times and causes that mix both are wrong: of a file merged from captures at both ends, the first
 * sightings of DATA and SACK lie half a round trip apart. Leaves out what is counted, and what rules ask, which go by
 * first sightings. */
#include "two_taps_data.h"

#include "base/time.h"
#include "track/endpoints.h"
#include "track/near_tap.h"
#include "track/tracker.h"
#include "dispatch.h"

enum { TAPS = 2, RESHAPED_MAX = 4, NO_TAP = TAPS };

static unsigned tap_of(const sctpa_two_taps_data_t *data, uint32_t interface)
{
    for (unsigned tap = 0; tap < TAPS; tap++)
        if (sctpa_tap_data_has(&data->taps[tap], interface))
            return tap;
    return NO_TAP;
}

static void add_interface(sctpa_tap_data_t *tap, uint32_t interface)
{
    if (tap->n_interfaces < SCTPA_TAP_INTERFACES_MAX)
        tap->interfaces[tap->n_interfaces++] = interface;
}

/* Which taps saw a packet of an endpoint, first and again: a path has an interface of its own at each tap, and what the
 * endpoint sends passes the taps in the same order on all. */
static void place(sctpa_two_taps_data_t *data, uint8_t end, uint32_t first, uint32_t again)
{
    unsigned first_tap = tap_of(data, first), again_tap = tap_of(data, again);
    if (data->taps[0].n_interfaces == 0)
        first_tap = 0;
    else if (first_tap == NO_TAP && again_tap != NO_TAP)
        first_tap = !again_tap;
    else if (first_tap == NO_TAP && data->has_first[end])
        first_tap = data->first_tap[end];
    if (first_tap == NO_TAP)
        return;
    if (tap_of(data, first) == NO_TAP)
        add_interface(&data->taps[first_tap], first);
    if (again_tap == NO_TAP)
        add_interface(&data->taps[!first_tap], again);
    data->is_unclear |= again_tap == first_tap;
    if (!data->has_first[end]) {
        data->has_first[end] = true;
        data->first_tap[end] = (uint8_t)first_tap;
    }
}

static sctpa_two_taps_data_t *data_new(sctpa_tracked_t *tracked)
{
    sctpa_two_taps_data_t *data = sctpa_arena_alloc(tracked->arena, sizeof *data);
    data->reshaped = tracked->reshaped;
    for (unsigned tap = 0; tap < TAPS; tap++) {
        data->taps[tap].step = SCTPA_STEPS;
        data->taps[tap].sides[0].peer_tap_rtt_ns = data->taps[tap].sides[1].peer_tap_rtt_ns = -1;
    }
    return sctpa_tracked_rare(tracked)->two_taps_data = data;
}

/* Where its data was seen first, what is known of it was seen, but for SACKs that were on their way. */
static void begin(sctpa_two_taps_data_t *data, const sctpa_tracked_t *tracked, uint8_t end)
{
    const sctpa_side_t *known = &tracked->sides[end];
    data->has_begun[end] = true;
    for (unsigned tap = 0; tap < TAPS; tap++)
        data->taps[tap].sides[end].truncated = known->truncated;
    sctpa_side_t *side = &data->taps[data->first_tap[end]].sides[end];
    if (known->sent)
        side->sent = sctpa_direction_copy(known->sent, &side->peer_tap_rtt_ns);
}

/* A step of the set-up passes a tap at time_ns: how far is the end that answered from there? As in setup.c. */
static void note_step(sctpa_tap_data_t *tap, const sctpa_tracked_t *tracked, uint8_t from, sctpa_step_t step,
                      int64_t time_ns)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    bool is_answer = step > SCTPA_STEP_INIT && tap->step == step - 1 && tap->step_by != from;
    if (is_answer && !tracked->assoc.collision && setup->steps[step].count == 1 && setup->steps[step - 1].count == 1)
        sctpa_tap_rtt_note(&tap->sides[!from].peer_tap_rtt_ns, time_ns - tap->step_ns);
    tap->step = (uint8_t)step;
    tap->step_by = from;
    tap->step_ns = time_ns;
}

static void note_setup(sctpa_tap_data_t *tap, const sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                       int64_t time_ns)
{
    const uint64_t steps[SCTPA_STEPS] = { SCTPA_ROW(INIT), SCTPA_ROW(INIT_ACK), SCTPA_ROW(COOKIE_ECHO),
                                          SCTPA_ROW(COOKIE_ACK) };
    for (unsigned step = 0; step < SCTPA_STEPS; step++)
        if (input->observation->rows & steps[step])
            note_step(tap, tracked, from, (sctpa_step_t)step, time_ns);
}

static void give_up(sctpa_tracked_t *tracked, sctpa_two_taps_data_t *data)
{
    for (unsigned tap = 0; tap < TAPS; tap++)
        for (unsigned end = 0; end < 2; end++) {
            sctpa_tap_data_t *at = &data->taps[tap];
            if (at->sides[end].sent)
                sctpa_direction_free(at->sides[end].sent);
            at->sides[end].sent = NULL;
            sctpa_arena_free_grown(tracked->arena, at->heartbeats[end], at->n_heartbeats[end],
                                   sizeof *at->heartbeats[end]);
            at->heartbeats[end] = NULL;
            at->n_heartbeats[end] = 0;
        }
    data->has_begun[0] = data->has_begun[1] = false;
}

void sctpa_two_taps_data_duplicate(sctpa_tracked_t *tracked, const sctpa_record_t *record, const sctpa_input_t *input,
                                   uint32_t first, int64_t later_ns)
{
    if (tracked->rare->two_taps_data && tracked->rare->two_taps_data->reshaped != tracked->reshaped)
        sctpa_two_taps_data_free(tracked);
    sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    uint32_t again = input->packet->interface;
    uint8_t end = record->from;
    if (first == again || tracked->reshaped > RESHAPED_MAX || (data && data->is_unclear))
        return;
    if (!data && ABS(later_ns) < SCTPA_TAPS_APART_NS / 2)
        return;
    const bool is_new = !data;
    data = data ? data : data_new(tracked);
    place(data, end, first, again);
    if (is_new)
        note_setup(&data->taps[0], tracked, end, input, input->packet->time_ns - later_ns);
    if (data->is_unclear) {
        give_up(tracked, data);
        return;
    }
    unsigned tap = tap_of(data, again);
    if (tap == NO_TAP || tap_of(data, first) != !tap)
        return;
    data->both[end]++;
    data->sum_ns[end] = sctpa_ns_sum(data->sum_ns[end], tap == 1 ? later_ns : -later_ns);
    if (!data->has_begun[end])
        begin(data, tracked, end);
}

void sctpa_two_taps_data_take(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_record_t *record,
                              const sctpa_input_t *input)
{
    sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    unsigned tap = data && data->reshaped == tracked->reshaped ? tap_of(data, input->packet->interface) : NO_TAP;
    if (tap == NO_TAP)
        return;
    note_setup(&data->taps[tap], tracked, record->from, input, input->packet->time_ns);
    if (data->has_begun[0] || data->has_begun[1])
        sctpa_dispatch_at_tap(tracker, tracked, &data->taps[tap], data->has_begun, record, input);
}

void sctpa_two_taps_data_restart(sctpa_tracked_t *tracked, uint8_t end, uint32_t next_tsn)
{
    sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    for (unsigned tap = 0; data && tap < TAPS; tap++)
        if (data->taps[tap].sides[end].sent)
            sctpa_direction_restart(data->taps[tap].sides[end].sent, next_tsn);
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
