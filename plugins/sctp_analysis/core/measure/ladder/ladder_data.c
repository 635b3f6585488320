/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the data of a packet says of it: its TSNs, whether it is a retransmission and of what, whether it arrived; and
 * what its SACKs acknowledge. */
#include "base/serial.h"
#include "data/past.h"
#include "measure/measure.h"
#include "ladder_parts.h"

typedef struct {
    const sctpa_ladder_t *ladder;
    const sctpa_direction_t *direction;
    uint32_t hint, hint_again; /* where the last first transmission, the last retransmission was found */
} marking_t;

static void note_tsn(sctpa_ladder_packet_t *packet, uint32_t tsn)
{
    const bool is_first = !(packet->flags & SCTPA_LADDER_HAS_TSN);
    if (is_first || sctpa_serial_distance(packet->first_tsn, tsn) < 0)
        packet->first_tsn = tsn;
    if (is_first || sctpa_serial_distance(packet->last_tsn, tsn) > 0)
        packet->last_tsn = tsn;
    packet->flags |= SCTPA_LADDER_HAS_TSN;
}

/* What became of a transmission: of rtx, NULL of the first one; next is the one after it, NULL none. Of one that was
 * not needed, an earlier one was acknowledged. */
static uint16_t outcome_of(const marking_t *marking, int64_t number, const sctpa_tsn_t *tsn, const sctpa_rtx_t *rtx,
                           const sctpa_rtx_t *next)
{
    const uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    const bool is_given_up = sctpa_direction_is_given_up(marking->direction, number, tsn);
    if (next && sctpa_rtx_counts(marking->direction, number, next) &&
        sctpa_rtx_shows_loss((sctpa_rtx_kind_t)next->kind, sctpa_direction_is_spurious(marking->direction, tsn, next)))
        return SCTPA_LADDER_LOST;
    if (!next && (is_given_up || acked == SCTPA_NO_PACKET_INDEX))
        return SCTPA_LADDER_NOT_ACKED;
    if (rtx && sctpa_direction_is_spurious(marking->direction, tsn, rtx))
        return 0;
    return !next || acked < next->packet ? SCTPA_LADDER_ARRIVED : 0;
}

static void note_again(sctpa_ladder_packet_t *packet, const sctpa_rtx_t *rtx, uint32_t first)
{
    packet->flags |= SCTPA_LADDER_REPEATS | (rtx->kind == SCTPA_RTX_TIMEOUT ? SCTPA_LADDER_T3 : 0);
    if (packet->cause != 0)
        return;
    packet->cause = 1 + rtx->kind;
    packet->repeats = first;
}

static void take_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    marking_t *marking = user;
    const uint32_t serial = sctpa_direction_serial(marking->direction, number);
    const sctpa_rtx_t *next = NULL;
    for (uint32_t at = tsn->more; at != 0;) {
        const sctpa_rtx_t *rtx = sctpa_direction_rtx(marking->direction, at);
        sctpa_ladder_packet_t *packet = sctpa_ladder_seek(marking->ladder, rtx->packet, &marking->hint_again);
        if (packet) {
            note_tsn(packet, serial);
            if (sctpa_rtx_counts(marking->direction, number, rtx))
                note_again(packet, rtx, tsn->first_packet);
            packet->flags |= outcome_of(marking, number, tsn, rtx, next);
        }
        next = rtx;
        at = rtx->link.before;
    }
    sctpa_ladder_packet_t *packet = sctpa_ladder_seek(marking->ladder, tsn->first_packet, &marking->hint);
    if (!packet)
        return;
    note_tsn(packet, serial);
    packet->flags |= outcome_of(marking, number, tsn, NULL, next) |
                     (tsn->state & SCTPA_TSN_EARLIER_UNSEEN ? (uint16_t)SCTPA_LADDER_REPEATS : 0);
}

static void take_heartbeats(marking_t *marking)
{
    const sctpa_records_t *heartbeats = &marking->direction->rare->heartbeats;
    for (uint32_t i = 0; i < heartbeats->len; i++) {
        const sctpa_heartbeat_t *heartbeat = &SCTPA_RECORD(heartbeats, sctpa_heartbeat_t, i);
        sctpa_ladder_packet_t *packet = sctpa_ladder_seek(marking->ladder, heartbeat->packet, &marking->hint);
        if (packet && heartbeat->answer_packet == SCTPA_NO_PACKET_INDEX)
            packet->flags |= SCTPA_LADDER_NO_ANSWER;
        else if (packet)
            packet->flags |= SCTPA_LADDER_ARRIVED;
    }
}

void sctpa_ladder_take_data(sctpa_ladder_t *ladder)
{
    for (unsigned end = 0; end < 2; end++) {
        marking_t marking = { .ladder = ladder, .direction = ladder->source.sent[end] };
        if (!marking.direction)
            continue;
        sctpa_direction_each(marking.direction, take_tsn, &marking);
        take_heartbeats(&marking);
    }
    for (uint32_t i = 0; i < ladder->n; i++) {
        sctpa_ladder_packet_t *packet = &ladder->packets[i];
        if (packet->flags & SCTPA_LADDER_ARRIVED)
            packet->flags &= (uint16_t)~SCTPA_LADDER_LOST;
    }
}

bool sctpa_ladder_sack(const sctpa_ladder_t *ladder, const sctpa_ladder_packet_t *packet, sctpa_packet_sack_t *sack)
{
    const sctpa_direction_t *direction = ladder->source.sent[!packet->from];
    *sack = (sctpa_packet_sack_t){ 0 };
    if (!direction || !(packet->rows & SCTPA_SACK_ROWS))
        return false;
    bool is_there = sctpa_past_add_sack(direction, packet->packet, sack);
    if (packet->again != SCTPA_NO_PACKET_INDEX)
        is_there |= sctpa_past_add_sack(direction, packet->again, sack);
    return is_there;
}
