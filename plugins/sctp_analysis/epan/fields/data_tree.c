/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns the results of DATA and SACK chunks into tree items, with links to the frames they speak of. */
#include "data_tree.h"

#include "../compat.h"
#include "field_registration.h"

typedef struct {
    const sctpa_t *analysis;
    const sctpa_packet_result_t *result;
    tvbuff_t *tvb;
    proto_tree *tree;
    bool first_pass;
    uint8_t sender; /* of the data that the packet holds, or else acknowledges */
    uint16_t path;  /* of that sender */
} show_t;

static void add_number(const show_t *show, sctpa_result_t field, uint32_t value)
{
    proto_item_set_generated(proto_tree_add_uint(show->tree, sctpa_fields_result(field), show->tvb, 0, 0, value));
}

static void add_frame(const show_t *show, sctpa_result_t field, uint32_t frame)
{
    if (frame != 0)
        add_number(show, field, frame);
}

static void add_time(const show_t *show, sctpa_result_t field, int64_t ns)
{
    nstime_t time = { (time_t)(ns / 1000000000), (int)(ns % 1000000000) };
    proto_item_set_generated(proto_tree_add_time(show->tree, sctpa_fields_result(field), show->tvb, 0, 0, &time));
}

static void show_retransmission(const show_t *show, const sctpa_data_result_t *data)
{
    const char *kind = sctpa_rtx_word(data->kind);
    proto_item_set_generated(
        proto_tree_add_string(show->tree, sctpa_fields_result(SCTPA_RESULT_RETRANSMISSION), show->tvb, 0, 0, kind));
    add_frame(show, SCTPA_RESULT_FIRST_SENT, data->first_frame);
    add_time(show, SCTPA_RESULT_SINCE_LAST, data->since_last_ns);
    if (data->spurious)
        proto_item_set_generated(
            proto_tree_add_boolean(show->tree, sctpa_fields_result(SCTPA_RESULT_SPURIOUS), show->tvb, 0, 0, TRUE));
}

static void show_data(const show_t *show, const sctpa_tlv_t *chunk)
{
    sctpa_data_result_t data;
    if (SCTPA_TREE_IS_FULL(show->tree) || !sctpa_data_result(show->analysis, show->result, chunk, &data))
        return;
    if (data.tsn >= 0)
        proto_item_set_generated(proto_tree_add_uint64(show->tree, sctpa_fields_result(SCTPA_RESULT_TSN), show->tvb, 0,
                                                       0, (uint64_t)data.tsn));
    add_number(show, SCTPA_RESULT_TRANSMISSION, data.transmission);
    if (data.is_retransmission)
        show_retransmission(show, &data);
    if (data.missing_bytes > 0)
        add_number(show, SCTPA_RESULT_MISSING_BYTES, data.missing_bytes);
    add_frame(show, SCTPA_RESULT_GAP_ACKED_IN, data.gap_frame);
    add_frame(show, SCTPA_RESULT_ACKED_IN, data.ack_frame);
}

static void show_sack(const show_t *show, const sctpa_tlv_t *chunk, uint16_t order)
{
    sctpa_sack_result_t sack;
    if (SCTPA_TREE_IS_FULL(show->tree) || !sctpa_sack_result(show->analysis, show->result, chunk, order, &sack))
        return;
    add_frame(show, SCTPA_RESULT_ACKS, sack.first_frame);
    if (sack.last_frame != sack.first_frame)
        add_frame(show, SCTPA_RESULT_ACKS, sack.last_frame);
    add_number(show, SCTPA_RESULT_SACK_NEW_CHUNKS, sack.new_chunks);
    add_number(show, SCTPA_RESULT_SACK_NEW_BYTES, sack.new_bytes);
    add_number(show, SCTPA_RESULT_SACK_MISSING, sack.missing);
    if (sack.delay_ns >= 0)
        add_time(show, SCTPA_RESULT_SACK_DELAY, sack.delay_ns);
}

static void show_flow(const show_t *show)
{
    sctpa_flow_result_t flow;
    if (!sctpa_flow_result(show->analysis, show->result, &flow))
        return;
    for (unsigned i = 0; i < flow.n_rtts; i++)
        add_time(show, SCTPA_RESULT_RTT, flow.rtt_ns[i]);
    if (flow.flight_bytes != SCTPA_NO_BYTES)
        add_number(show, SCTPA_RESULT_FLIGHT, flow.flight_bytes);
    if (flow.peer_window_bytes != SCTPA_NO_BYTES)
        add_number(show, SCTPA_RESULT_PEER_WINDOW, flow.peer_window_bytes);
}

static void show_rto(const show_t *show)
{
    sctpa_rtos_t rtos;
    if (!sctpa_rto_at(show->analysis, show->result->assoc, show->sender, show->path, show->result->index,
                      show->first_pass, &rtos))
        return;
    add_time(show, SCTPA_RESULT_RTO, rtos.value_ns);
    if (!rtos.is_learned || rtos.least_ns == rtos.most_ns)
        return;
    add_time(show, SCTPA_RESULT_RTO_LEAST, rtos.least_ns);
    add_time(show, SCTPA_RESULT_RTO_MOST, rtos.most_ns);
}

static void show_cwnd(const show_t *show)
{
    sctpa_congestion_t congestion;
    if (!sctpa_congestion(show->analysis, show->result->assoc, show->sender, show->path, show->result->index,
                          &congestion))
        return;
    add_number(show, SCTPA_RESULT_CWND, congestion.cwnd);
    add_number(show, SCTPA_RESULT_CWND_MIN, congestion.cwnd_min);
    if (congestion.cwnd_max != SCTPA_CWND_UNKNOWN)
        add_number(show, SCTPA_RESULT_CWND_MAX, congestion.cwnd_max);
    if (congestion.ssthresh != SCTPA_SSTHRESH_HIGH)
        add_number(show, SCTPA_RESULT_SSTHRESH, congestion.ssthresh);
}

void sctpa_data_tree_show(const sctpa_t *analysis, const sctpa_packet_result_t *result, const sctpa_packet_t *packet,
                          bool first_pass, tvbuff_t *tvb, proto_tree *tree)
{
    show_t show = { analysis, result, tvb, tree, first_pass, !result->from, result->peer_path };
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    bool has_data = false;
    uint16_t sacks = 0;
    const bool shows_sent = sctpa_packet_shows(analysis, result, result->from);
    if (!shows_sent && !sctpa_packet_shows(analysis, result, !result->from))
        return;
    sctpa_chunks_begin(&iter, packet->bytes, packet->captured_bytes, packet->wire_bytes);
    while (sctpa_tlv_next(&iter, &chunk)) {
        has_data |= shows_sent && sctpa_tlv_is_data(&chunk);
        show_data(&show, &chunk);
        if (sctpa_tlv_is_sack(&chunk))
            show_sack(&show, &chunk, sacks++);
    }
    if (has_data) {
        show.sender = result->from;
        show.path = result->path;
    }
    show_flow(&show);
    if (has_data || sacks > 0)
        show_cwnd(&show);
    show_rto(&show);
}
