/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When packets left and arrived: two taps show both, each by its clock; of one tap, half the RTT from tap to an
 * endpoint is the guess that never lets an answer leave before its request arrived. */
#include "track/near_tap.h"
#include "ladder_parts.h"

/* Two taps, and what is known of the way between them. */
typedef struct {
    const sctpa_two_taps_data_t *data;
    unsigned near[2];           /* tap near each endpoint */
    int64_t ahead_ns;           /* taken from times of tap 1 */
    int64_t way_ns[2];          /* shortest, of packets that each endpoint sent */
    uint32_t first[2], last[2]; /* positions of what each endpoint sent and the tap near the other saw; first > last:
                                   nothing */
} two_taps_t;

static sctpa_ladder_packet_t *nth(const sctpa_ladder_t *ladder, uint32_t position)
{
    return &ladder->packets[position];
}

static bool find_taps(const sctpa_ladder_t *ladder, two_taps_t *taps)
{
    const sctpa_two_taps_data_t *data = ladder->source.tracked->rare->two_taps_data;
    const unsigned near =
        data && data->reshaped == ladder->source.tracked->reshaped ? sctpa_near_tap_of(data, 0) : SCTPA_NO_TAP;
    *taps = (two_taps_t){ .data = data, .near = { near, !near } };
    if (near == SCTPA_NO_TAP)
        return false;
    const unsigned up = near; /* the endpoint whose packets pass tap 0 first */
    int64_t way_ns;
    if (data->min_ns[up] < 0 || data->max_ns[!up] > 0)
        taps->ahead_ns = sctpa_near_tap_ahead_ns(data, &way_ns);
    taps->way_ns[up] = MAX(data->min_ns[up] - taps->ahead_ns, 0);
    taps->way_ns[!up] = MAX(taps->ahead_ns - data->max_ns[!up], 0);
    taps->first[0] = taps->first[1] = UINT32_MAX;
    return true;
}

/* The sighting at the tap near an endpoint; SCTPA_NO_PACKET_INDEX: it was not seen there. */
static uint32_t sighting(const sctpa_ladder_t *ladder, const two_taps_t *taps, const sctpa_ladder_packet_t *packet,
                         uint8_t end)
{
    const GArray *stamps = ladder->source.tracker->store.stamps;
    const uint32_t seen[] = { packet->packet, packet->again };
    for (unsigned i = 0; i < G_N_ELEMENTS(seen); i++)
        if (seen[i] != SCTPA_NO_PACKET_INDEX &&
            sctpa_tap_data_has(&taps->data->taps[taps->near[end]],
                               sctpa_stamp_interface(&g_array_index(stamps, sctpa_stamp_t, seen[i]))))
            return seen[i];
    return SCTPA_NO_PACKET_INDEX;
}

static int64_t time_at(const sctpa_ladder_t *ladder, const two_taps_t *taps, uint32_t packet, uint8_t end)
{
    const int64_t time_ns = g_array_index(ladder->source.tracker->store.stamps, sctpa_stamp_t, packet).time_ns;
    return time_ns - (taps->near[end] == 1 ? taps->ahead_ns : 0);
}

static void take_sightings(const sctpa_ladder_t *ladder, two_taps_t *taps, uint32_t position)
{
    sctpa_ladder_packet_t *packet = nth(ladder, position);
    const uint8_t from = packet->from & 1;
    const uint32_t sent = sighting(ladder, taps, packet, from), arrived = sighting(ladder, taps, packet, !from);
    packet->sent_ns = packet->arrived_ns = packet->time_ns;
    if (sent != SCTPA_NO_PACKET_INDEX) {
        packet->sent_ns = time_at(ladder, taps, sent, from);
        packet->arrived_ns = packet->sent_ns + taps->way_ns[from];
        packet->flags |= SCTPA_LADDER_SENT_KNOWN;
    }
    if (arrived == SCTPA_NO_PACKET_INDEX)
        return;
    packet->arrived_ns = time_at(ladder, taps, arrived, !from);
    packet->flags |= SCTPA_LADDER_ARRIVED_KNOWN | SCTPA_LADDER_ARRIVED;
    packet->flags &= (uint16_t)~SCTPA_LADDER_LOST;
    if (sent == SCTPA_NO_PACKET_INDEX)
        packet->sent_ns = packet->arrived_ns - taps->way_ns[from];
    taps->first[from] = MIN(taps->first[from], position);
    taps->last[from] = position;
}

/* Did it leave and not arrive? Not asked of what ends an association: an endpoint answers each stray packet alike, so
 * that sightings of several of these cannot be told apart. */
static bool is_lost(const two_taps_t *taps, const sctpa_ladder_packet_t *packet, uint32_t position)
{
    const uint8_t from = packet->from & 1;
    return packet->flags & SCTPA_LADDER_SENT_KNOWN && !(packet->flags & SCTPA_LADDER_ARRIVED) &&
           !(packet->rows & (SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE))) && position > taps->first[from] &&
           position < taps->last[from];
}

static void take_two_taps(sctpa_ladder_t *ladder, two_taps_t *taps)
{
    for (uint32_t i = 0; i < ladder->n; i++)
        take_sightings(ladder, taps, i);
    for (uint32_t i = 0; i < ladder->n; i++)
        if (is_lost(taps, nth(ladder, i), i))
            nth(ladder, i)->flags |= SCTPA_LADDER_LOST;
}

static void take_one_tap(sctpa_ladder_t *ladder)
{
    for (unsigned end = 0; end < 2 && !ladder->source.is_unclear; end++)
        ladder->shift_ns[end] = MAX(ladder->source.tap_rtt_ns[end], 0) / 2;
    for (uint32_t i = 0; i < ladder->n; i++) {
        sctpa_ladder_packet_t *packet = nth(ladder, i);
        packet->sent_ns = packet->time_ns - ladder->shift_ns[packet->from & 1];
        packet->arrived_ns = packet->time_ns + ladder->shift_ns[!packet->from];
    }
}

void sctpa_ladder_take_times(sctpa_ladder_t *ladder)
{
    two_taps_t taps;
    if (find_taps(ladder, &taps)) {
        ladder->far = SCTPA_LADDER_TWO_TAPS;
        ladder->is_aligned = taps.ahead_ns != 0;
        take_two_taps(ladder, &taps);
    } else {
        ladder->far = ladder->source.is_unclear ? SCTPA_LADDER_UNKNOWN : SCTPA_LADDER_ONE_TAP;
        take_one_tap(ladder);
    }
    for (uint32_t i = 0; i < ladder->n; i++) {
        const sctpa_ladder_packet_t *packet = nth(ladder, i);
        ladder->reach_ns = MAX(ladder->reach_ns, ABS(packet->sent_ns - packet->time_ns));
        ladder->reach_ns = MAX(ladder->reach_ns, ABS(packet->arrived_ns - packet->time_ns));
    }
}
