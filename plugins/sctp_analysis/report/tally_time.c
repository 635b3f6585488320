/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tally of a part of the time, from the records of the analysis: the bytes of packets are not kept. */
#include "tally.h"

typedef struct {
    sctpa_tally_t *tally;
    const sctpa_t *sctpa;
    const sctpa_direction_t *direction;
} counting_t;

static void add_packet(sctpa_tally_t *tally, const sctpa_t *sctpa, uint32_t index)
{
    sctpa_tally_slot_t *slot = sctpa_tally_slot_of(tally, sctpa, index);
    const sctpa_packet_t packet = { .frame = sctpa_packet_frame(sctpa, index),
                                    .time_ns = sctpa_packet_time_ns(sctpa, index),
                                    .ip_bytes = sctpa_packet_stamp(sctpa, index)->wire_bytes };
    if (slot)
        sctpa_tally_take(tally, slot, sctpa, index, &packet);
}

/* A transmission of a TSN. */
static void add_data(const counting_t *counting, const sctpa_tsn_t *tsn, uint32_t packet)
{
    if (!sctpa_packets_has(sctpa_tally_selected(counting->tally), packet))
        return;
    sctpa_tally_slot_t *slot = sctpa_tally_slot_of(counting->tally, counting->sctpa, packet);
    sctpa_tally_take_chunk(counting->tally, slot,
                           tsn->flags & SCTPA_TSN_I_DATA ? SCTPA_CHUNK_ROW_I_DATA : SCTPA_CHUNK_ROW_DATA, tsn->bytes);
}

static void add_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    const counting_t *counting = user;
    const sctpa_rtx_t *rtx;
    (void)number;
    add_data(counting, tsn, tsn->first_packet);
    for (uint32_t at = tsn->more; at != 0; at = rtx->link.before) {
        rtx = sctpa_direction_rtx(counting->direction, at);
        add_data(counting, tsn, rtx->packet);
    }
}

static void add_duplicates(const counting_t *counting)
{
    const sctpa_records_t *duplicates = &counting->direction->rare->duplicate_tsns;
    for (unsigned i = 0; i < duplicates->len; i++) {
        uint32_t packet = SCTPA_RECORD(duplicates, sctpa_duplicate_t, i).packet;
        if (sctpa_packets_has(sctpa_tally_selected(counting->tally), packet))
            sctpa_tally_slot_of(counting->tally, counting->sctpa, packet)->duplicates++;
    }
}

void sctpa_tally_add_time(sctpa_tally_t *tally, const sctpa_t *sctpa, uint32_t assoc, int64_t from_ns, int64_t to_ns)
{
    uint32_t packets = sctpa_summary(sctpa)->packets;
    sctpa_packet_result_t result;
    sctpa_tally_set_time(tally, from_ns, to_ns);
    for (uint32_t index = 0; index < packets; index++)
        if (sctpa_tally_has_moment(tally, sctpa_packet_time_ns(sctpa, index)) &&
            sctpa_packet_result(sctpa, index, &result) && result.assoc == assoc)
            add_packet(tally, sctpa, index);
    for (uint8_t end = 0; end < 2; end++) {
        counting_t counting = { tally, sctpa, sctpa_direction(sctpa, assoc, end) };
        if (!counting.direction)
            continue;
        sctpa_direction_each(counting.direction, add_tsn, &counting);
        add_duplicates(&counting);
    }
}
