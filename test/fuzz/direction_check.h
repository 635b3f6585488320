/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must hold in every direction whatever a capture contains, checked from its records alone. For fuzz bodies and
 * unit tests. */
#ifndef DIRECTION_CHECK_H
#define DIRECTION_CHECK_H

#include <glib.h>

#include "../../plugins/sctp_analysis/core/sctpa.h"

typedef struct {
    const sctpa_direction_t *direction;
    uint64_t tsns, flight_bytes, flight_chunks, retransmissions;
    int64_t before, highest;
    bool has_before;
} direction_check_t;

/* Transmissions from the newest back: packets fall, the oldest follows the first. */
static inline void check_transmissions(direction_check_t *check, const sctpa_tsn_t *tsn)
{
    uint32_t newer = tsn->last_packet, number = tsn->transmissions;
    if (tsn->more == 0)
        g_assert_cmpuint(tsn->first_packet, ==, tsn->last_packet);
    for (uint32_t at = tsn->more; at != 0; number--) {
        const sctpa_rtx_t *rtx = &SCTPA_RECORD(&check->direction->rare->rtx, sctpa_rtx_t, at - 1);
        g_assert_cmpuint(rtx->packet, ==, newer);
        g_assert_cmpuint(rtx->previous, <, rtx->packet);
        g_assert_cmpuint(rtx->kind, <, SCTPA_RTX_KINDS);
        g_assert_cmpuint(rtx->misses, <=, SCTPA_MISSES_FAST);
        g_assert_cmpuint(rtx->link.before, <, at);
        newer = rtx->previous;
        at = rtx->link.before;
        check->retransmissions++;
    }
    g_assert_cmpuint(newer, ==, tsn->first_packet);
    g_assert_true(number == 1 || tsn->transmissions == UINT16_MAX);
}

static inline void check_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    direction_check_t *check = user;
    const sctpa_direction_t *direction = check->direction;
    bool acked = tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED),
         given_up = tsn->state & (SCTPA_TSN_ABANDONED | SCTPA_TSN_LATE);
    g_assert_true(!check->has_before || number > check->before);
    check->before = number;
    check->has_before = true;
    check->highest = MAX(check->highest, number);
    check->tsns++;
    check->flight_bytes += acked || given_up ? 0 : tsn->bytes;
    check->flight_chunks += !acked && !given_up;
    check_transmissions(check, tsn);
    if (!(tsn->state & SCTPA_TSN_LATE)) {
        g_assert_true(!(tsn->state & SCTPA_TSN_ACKED) || tsn->ack_packet != SCTPA_NO_PACKET_INDEX);
        g_assert_true(tsn->ack_packet == SCTPA_NO_PACKET_INDEX || tsn->ack_packet >= tsn->first_packet);
        /* A reset of TSNs ends what was outstanding without an ack. */
        unsigned settled = SCTPA_TSN_ACKED | (direction->restarted ? SCTPA_TSN_ABANDONED | SCTPA_TSN_GAP_ACKED : 0);
        g_assert_true(!direction->has_cum || number > direction->cum_tsn || tsn->state & settled);
    }
    g_assert_true(tsn->gap_packet == SCTPA_NO_PACKET_INDEX || tsn->gap_packet >= tsn->first_packet);
}

/* Records are in order of packets. */
static inline void check_order(const sctpa_records_t *records, size_t bytes)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < records->len; i++) {
        uint32_t packet = *(const uint32_t *)(const void *)(records->data + i * bytes);
        g_assert_cmpuint(packet, >=, before);
        before = packet;
    }
}

static inline void check_direction(const sctpa_direction_t *direction)
{
    direction_check_t check = { .direction = direction, .highest = -1 };
    uint64_t by_path = 0, chunks_by_path = 0;
    sctpa_direction_each(direction, check_tsn, &check);
    g_assert_cmpuint(check.tsns, ==, direction->tsns);
    g_assert_cmpuint(check.flight_bytes, ==, direction->flight_bytes);
    g_assert_cmpuint(check.retransmissions, ==, direction->rare->rtx.len);
    g_assert_cmpint(check.highest, <=, direction->highest);
    for (unsigned i = 0; i < direction->paths.len; i++) {
        const sctpa_data_path_t *path = &SCTPA_RECORD(&direction->paths, sctpa_data_path_t, i);
        by_path += path->flight_bytes;
        chunks_by_path += path->flight_chunks;
        g_assert_cmpint(path->srtt_ns, >=, 0);
        g_assert_cmpint(path->rttvar_ns, >=, 0);
    }
    g_assert_cmpuint(by_path, ==, direction->flight_bytes);
    g_assert_cmpuint(chunks_by_path, ==, check.flight_chunks);
    g_assert_cmpint(direction->receiver_tap_rtt->most_ns, >=, -1);
    check_order(&direction->rare->rtx, sizeof(sctpa_rtx_t));
    check_order(&direction->acked, sizeof(sctpa_acked_t));
    check_order(&direction->samples, sizeof(sctpa_sample_t));
    check_order(&direction->sacks, sizeof(sctpa_sack_record_t));
}

#endif
