/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests and their answers: ASCONF (RFC 5061) changes addresses, RE_CONFIG (RFC 6525) resets and adds streams. A
 * change counts when the answer grants it. "In progress" ends no request: whoever sent it asks again with the same
 * number (5.2.7). Streams that one endpoint reset and its peer did not are half closed (RFC 8831 6.7). Leaves
 * HEARTBEAT to path_states.c. */
#include "base/numbers.h"
#include "base/records.h"
#include "feed_parts.h"
#include "track/endpoints.h"
#include "track/events.h"
#include "requests.h"
#include "track/tracker.h"
#include "wire/address.h"

/* 1.5 kB of an association that resets streams. */
struct sctpa_half_closed_list {
    sctpa_half_closed_t streams[SCTPA_HALF_CLOSED_MAX];
    uint32_t n;
    bool is_unknown; /* more were reset than fit in the list */
};

static struct sctpa_half_closed_list *list_of(sctpa_tracked_t *tracked)
{
    sctpa_tracked_rare_t *rare = sctpa_tracked_rare(tracked);
    if (!rare->half_closed)
        rare->half_closed = sctpa_arena_alloc(tracked->arena, sizeof *rare->half_closed);
    return rare->half_closed;
}

static sctpa_half_closed_t *find(struct sctpa_half_closed_list *list, uint16_t stream)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->streams[i].stream == stream)
            return &list->streams[i];
    return NULL;
}

static void ask_for(struct sctpa_half_closed_list *list, uint8_t asker, uint16_t stream)
{
    sctpa_half_closed_t *known = find(list, stream);
    if (known && known->by == asker)
        return;
    if (known)
        *known = list->streams[--list->n];
    else if (list->n < SCTPA_HALF_CLOSED_MAX)
        list->streams[list->n++] = (sctpa_half_closed_t){ .stream = stream, .by = asker };
    else
        list->is_unknown = true;
}

/* How many streams a request to reset streams lists, as far as captured, and one of them. O(1). */
static uint32_t reset_streams(const sctpa_tlv_t *param)
{
    const uint32_t fixed_bytes = param->row->fixed_bytes;
    return param->captured_bytes > fixed_bytes ? (param->captured_bytes - fixed_bytes) / 2 : 0;
}

static uint16_t reset_stream(const sctpa_tlv_t *param, uint32_t nth)
{
    return sctpa_be16(param->bytes + param->row->fixed_bytes + 2 * (size_t)nth);
}

/* A request without a list is one for all streams. */
static bool is_followed(const sctpa_tlv_t *param, uint32_t *left)
{
    const uint32_t n = reset_streams(param);
    if (n == 0 || n > *left || param->captured_bytes < param->wire_bytes)
        return false;
    *left -= n;
    return true;
}

/* An endpoint sent a RE_CONFIG: streams that it resets are no longer its peer's alone. O(SCTPA_HALF_CLOSED_MAX^2). */
static void half_closed_ask(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_tlv_t *chunk)
{
    uint32_t left = SCTPA_HALF_CLOSED_MAX;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, &param)) {
        if (param.type != SCTPA_PARAM_OUTGOING_RESET)
            continue;
        struct sctpa_half_closed_list *list = list_of(tracked);
        list->is_unknown |= !is_followed(&param, &left);
        for (uint32_t i = 0; !list->is_unknown && i < reset_streams(&param); i++)
            ask_for(list, asker, reset_stream(&param, i));
    }
}

/* Its peer has performed a reset of outgoing streams (param) in this packet. O(SCTPA_HALF_CLOSED_MAX^2). */
static void half_closed_grant(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_packet_t *packet,
                              const sctpa_tlv_t *param)
{
    struct sctpa_half_closed_list *list = list_of(tracked);
    for (uint32_t i = 0; !list->is_unknown && i < MIN(reset_streams(param), SCTPA_HALF_CLOSED_MAX); i++) {
        sctpa_half_closed_t *known = find(list, reset_stream(param, i));
        if (!known || known->by != asker)
            continue;
        known->frame = packet->frame;
        known->time_ns = packet->time_ns;
    }
}

const sctpa_half_closed_t *sctpa_half_closed_of(const sctpa_tracked_t *tracked, uint32_t *n)
{
    const struct sctpa_half_closed_list *list = tracked->rare->half_closed;
    *n = list && !list->is_unknown && tracked->reshaped == 0 ? list->n : 0;
    return list ? list->streams : NULL;
}

void sctpa_half_closed_free(sctpa_tracked_t *tracked)
{
    sctpa_arena_free(tracked->arena, tracked->rare->half_closed, sizeof *tracked->rare->half_closed);
}

/* The correlation ids that an answer refuses, ascending, as sctpa_array_from searches them; free with g_array_unref.
 * O(n log n). */
static GArray *refused_ids(const sctpa_tlv_t *answer)
{
    GArray *ids = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_params_begin(&iter, answer);
    while (sctpa_tlv_next(&iter, &param)) {
        uint32_t id = sctpa_tlv_u32(&param, SCTPA_F_ERROR_CAUSE_INDICATION_CORRELATION);
        if (param.type == SCTPA_PARAM_ERROR_CAUSE_INDICATION)
            g_array_append_val(ids, id);
    }
    g_array_sort(ids, sctpa_records_order);
    return ids;
}

/* Reads the chunk whose bytes a request keeps; false: it keeps none. O(1). */
static bool request_stored_chunk(const sctpa_bytes_t *bytes, sctpa_tlv_t *chunk)
{
    sctpa_tlv_iter_t iter = {
        .kind = SCTPA_TLV_CHUNK, .at = bytes->data, .wire_left = bytes->length, .captured_left = bytes->length
    };
    return sctpa_tlv_next(&iter, chunk);
}

/* Had the endpoint that answers acknowledged all that the request waits for? Only a reset of outgoing streams waits,
 * for data that its sender had sent before. */
static bool has_all(const sctpa_direction_t *sent, const sctpa_bytes_t *request, uint32_t seq)
{
    sctpa_tlv_t chunk, param;
    sctpa_tlv_iter_t iter;
    if (!sent || !sent->has_cum || request->length == 0 || !request_stored_chunk(request, &chunk))
        return false;
    sctpa_params_begin(&iter, &chunk);
    for (unsigned n = 0; n < SCTPA_REQUESTS_OF_CHUNK && sctpa_tlv_next(&iter, &param); n++)
        if (param.type == SCTPA_PARAM_OUTGOING_RESET &&
            sctpa_tlv_u32(&param, SCTPA_F_OUTGOING_RESET_REQUEST_SEQ) == seq)
            return sctpa_direction_unwrap(sent, sctpa_tlv_u32(&param, SCTPA_F_OUTGOING_RESET_LAST_TSN)) <=
                   sent->cum_tsn;
    return false;
}

/* The peer of asker answered its request seq in this packet, by "In progress" or by what ends it. O(bytes of the
 * request). */
static void in_progress_note(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_packet_t *packet, uint32_t seq,
                             bool is_in_progress)
{
    sctpa_requests_t *requests = tracked->sides[asker].rare->requests;
    if (!requests)
        return;
    sctpa_in_progress_t *known = &requests->in_progress;
    if (!is_in_progress || known->seq != seq)
        *known = (sctpa_in_progress_t){ .seq = seq };
    if (!is_in_progress)
        return;
    if (known->answers++ == 0) {
        known->first_frame = packet->frame;
        known->first_ns = packet->time_ns;
    }
    known->last_frame = packet->frame;
    known->last_ns = packet->time_ns;
    known->has_all |= has_all(tracked->sides[asker].sent, &requests->reconfig.params, seq);
}

const sctpa_in_progress_t *sctpa_in_progress_of(const sctpa_tracked_t *tracked, uint8_t asker)
{
    static const sctpa_in_progress_t none;
    const sctpa_requests_t *requests = tracked->sides[asker].rare->requests;
    return requests ? &requests->in_progress : &none;
}

enum { REQUEST_BYTES_MAX = 4096, ASCONF_HEADER_BYTES = 8, RECONFIG_PERFORMED = 1, RECONFIG_IN_PROGRESS = 6 };

/* Remembers a request until its answer; one that is too long is not followed. */
static void request_store(sctpa_tracked_t *tracked, sctpa_request_t *request, const sctpa_packet_t *packet,
                          const sctpa_tlv_t *chunk)
{
    if (chunk->captured_bytes > REQUEST_BYTES_MAX)
        return;
    sctpa_bytes_set(&request->params, tracked->arena, chunk->bytes, chunk->captured_bytes);
    request->source = packet->source;
}

static sctpa_requests_t *requests_of(sctpa_tracked_t *tracked, uint8_t end)
{
    sctpa_side_rare_t *rare = sctpa_side_rare(tracked, end);
    if (!rare->requests)
        rare->requests = sctpa_arena_alloc(tracked->arena, sizeof *rare->requests);
    return rare->requests;
}

/* --- ASCONF --- */

static bool is_refused(const GArray *refused, uint32_t id)
{
    uint32_t at = sctpa_array_from(refused, id);
    return at < refused->len && g_array_index(refused, uint32_t, at) == id;
}

/* Data for the addresses that asker gave up goes elsewhere from now on. */
static void leave_paths(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_addr_t *addr, bool all_but,
                        const sctpa_packet_t *packet)
{
    const sctpa_end_t *sender = &tracked->assoc.ends[!asker];
    sctpa_direction_t *sent = tracked->sides[!asker].sent;
    for (uint16_t path = 0; sent && path < sender->n_paths; path++)
        if (sctpa_addr_equal(sender->paths[path].destination, addr) != all_but) {
            sctpa_direction_leave(sent, path, packet->time_ns);
            sctpa_two_taps_data_leave(tracked, !asker, path, packet);
        }
}

static void asconf_apply(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_packet_t *packet,
                         const sctpa_request_t *request, const sctpa_tlv_t *param)
{
    sctpa_addr_t addr;
    sctpa_event_kind_t kind;

    if (!sctpa_nested_addr(param, &addr))
        return;
    bool wildcard = sctpa_addr_is_wildcard(&addr);
    if (wildcard)
        addr = request->source;
    if (param->type == SCTPA_PARAM_ADD_IP) {
        kind = SCTPA_EVENT_ADDRESS_ADDED;
        sctpa_end_add_addr(tracked, asker, &addr, SCTPA_ADDR_ADDED);
    } else if (param->type == SCTPA_PARAM_DELETE_IP) {
        kind = SCTPA_EVENT_ADDRESS_DELETED;
        sctpa_end_delete_addrs(&tracked->assoc.ends[asker], &addr, wildcard);
        leave_paths(tracked, asker, &addr, wildcard, packet);
    } else {
        kind = SCTPA_EVENT_PRIMARY_SET;
    }
    char *text = sctpa_addr_text(&addr);
    sctpa_event_add(tracked, packet, kind, asker, SCTPA_NO_PATH,
                    wildcard && kind == SCTPA_EVENT_ADDRESS_DELETED ? g_strdup_printf("all but %s", text)
                                                                    : g_strdup(text));
    g_free(text);
}

static bool is_of_address(uint32_t type)
{
    return type == SCTPA_PARAM_ADD_IP || type == SCTPA_PARAM_DELETE_IP || type == SCTPA_PARAM_SET_PRIMARY;
}

static void note_request(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_packet_t *packet,
                         const sctpa_tlv_t *param)
{
    sctpa_address_request_t request = { .asked_ns = packet->time_ns,
                                        .asked_frame = packet->frame,
                                        .correlation = sctpa_tlv_u32(param, SCTPA_F_ADD_IP_CORRELATION),
                                        .kind = param->type == SCTPA_PARAM_ADD_IP      ? SCTPA_ADDRESS_ADD
                                                : param->type == SCTPA_PARAM_DELETE_IP ? SCTPA_ADDRESS_DELETE
                                                                                       : SCTPA_ADDRESS_PRIMARY };
    if (tracked->assoc.ends[asker].rare->n_address_requests == SCTPA_ADDRESS_REQUESTS_MAX ||
        !sctpa_nested_addr(param, &request.addr))
        return;
    if (sctpa_addr_is_wildcard(&request.addr)) {
        request.is_all_but = request.kind == SCTPA_ADDRESS_DELETE;
        request.addr = packet->source;
    }
    sctpa_end_rare_t *rare = sctpa_end_rare(tracked, asker);
    rare->address_requests = sctpa_arena_grow(tracked->arena, rare->address_requests, rare->n_address_requests,
                                              sizeof *rare->address_requests);
    rare->address_requests[rare->n_address_requests++] = request;
}

static void note_requests(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_packet_t *packet,
                          const sctpa_tlv_t *asconf)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_params_begin(&iter, asconf);
    while (sctpa_tlv_next(&iter, &param))
        if (is_of_address(param.type))
            note_request(tracked, asker, packet, &param);
}

/* Requests that wait for an answer are those of one ASCONF (RFC 5061 5.1): the last that were kept. */
static void note_answer(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_packet_t *packet, uint32_t correlation,
                        bool is_refused)
{
    const sctpa_end_rare_t *rare = tracked->assoc.ends[asker].rare;
    for (uint32_t i = rare->n_address_requests; i > 0; i--) {
        sctpa_address_request_t *request = &rare->address_requests[i - 1];
        if (request->acked_frame != 0)
            return;
        if (request->correlation == correlation) {
            request->acked_frame = packet->frame;
            request->is_refused = is_refused;
            return;
        }
    }
}

static void on_asconf(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet, const sctpa_tlv_t *chunk)
{
    if (chunk->captured_bytes < ASCONF_HEADER_BYTES || chunk->captured_bytes > REQUEST_BYTES_MAX)
        return;
    sctpa_request_t *request = &requests_of(tracked, from)->asconf;
    if (request->params.length > 0 && request->serial == sctpa_tlv_u32(chunk, SCTPA_F_ASCONF_SERIAL))
        return;
    request_store(tracked, request, packet, chunk);
    request->serial = sctpa_tlv_u32(chunk, SCTPA_F_ASCONF_SERIAL);
    note_requests(tracked, from, packet, chunk);
}

static void on_asconf_ack(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet,
                          const sctpa_tlv_t *answer)
{
    sctpa_requests_t *requests = tracked->sides[!from].rare->requests;
    sctpa_tlv_t asconf, param;
    sctpa_tlv_iter_t iter;

    if (!requests || requests->asconf.params.length == 0 ||
        requests->asconf.serial != sctpa_tlv_u32(answer, SCTPA_F_ASCONF_ACK_SERIAL))
        return;
    sctpa_request_t *request = &requests->asconf;
    GArray *refused = refused_ids(answer);
    if (request_stored_chunk(&request->params, &asconf)) {
        sctpa_params_begin(&iter, &asconf);
        while (sctpa_tlv_next(&iter, &param)) {
            if (!is_of_address(param.type))
                continue;
            const uint32_t correlation = sctpa_tlv_u32(&param, SCTPA_F_ADD_IP_CORRELATION);
            note_answer(tracked, !from, packet, correlation, is_refused(refused, correlation));
            if (!is_refused(refused, correlation))
                asconf_apply(tracked, !from, packet, request, &param);
        }
    }
    sctpa_bytes_set(&request->params, tracked->arena, NULL, 0);
    g_array_unref(refused);
}

/* --- RE_CONFIG --- */

static bool is_reconfig_request(uint32_t type)
{
    return type == SCTPA_PARAM_OUTGOING_RESET || type == SCTPA_PARAM_INCOMING_RESET || type == SCTPA_PARAM_TSN_RESET ||
           type == SCTPA_PARAM_ADD_OUTGOING || type == SCTPA_PARAM_ADD_INCOMING;
}

/* "outgoing streams 1, 2 and 4 more", the first few of a list of stream identifiers. */
static char *streams_text(const char *what, const sctpa_tlv_t *param)
{
    GString *text = g_string_new(what);
    const uint32_t n = reset_streams(param);
    for (uint32_t i = 0; i < n && i < 8; i++)
        g_string_append_printf(text, "%s%u", i ? ", " : " ", reset_stream(param, i));
    if (n > 8)
        g_string_append_printf(text, " and %u more", n - 8);
    return g_string_free(text, n == 0 && (g_string_append(text, " all"), FALSE));
}

/* RFC 6525 4.4: the answer names the next TSN of both. */
static void restart_tsns(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_tlv_t *response)
{
    sctpa_direction_t *asked = tracked->sides[!asker].sent, *asking = tracked->sides[asker].sent;
    if (asked && sctpa_tlv_has(response, SCTPA_F_RECONFIG_RESPONSE_SENDER_NEXT_TSN))
        sctpa_direction_restart(asked, sctpa_tlv_u32(response, SCTPA_F_RECONFIG_RESPONSE_SENDER_NEXT_TSN));
    if (asking && sctpa_tlv_has(response, SCTPA_F_RECONFIG_RESPONSE_RECEIVER_NEXT_TSN))
        sctpa_direction_restart(asking, sctpa_tlv_u32(response, SCTPA_F_RECONFIG_RESPONSE_RECEIVER_NEXT_TSN));
}

static void reconfig_granted(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_packet_t *packet,
                             const sctpa_tlv_t *param)
{
    sctpa_event_kind_t kind = SCTPA_EVENT_STREAM_RESET;
    char *detail;
    switch (param->type) {
    case SCTPA_PARAM_OUTGOING_RESET:
        detail = streams_text("outgoing", param);
        half_closed_grant(tracked, asker, packet, param);
        break;
    case SCTPA_PARAM_INCOMING_RESET: detail = streams_text("incoming", param); break;
    case SCTPA_PARAM_TSN_RESET: detail = g_strdup("association (SSN and TSN)"); break;
    default:
        kind = SCTPA_EVENT_STREAMS_ADDED;
        detail = g_strdup_printf("%u %s", sctpa_tlv_u32(param, SCTPA_F_ADD_OUTGOING_NEW_STREAMS),
                                 param->type == SCTPA_PARAM_ADD_OUTGOING ? "outgoing" : "incoming");
        break;
    }
    sctpa_event_add(tracked, packet, kind, asker, SCTPA_NO_PATH, detail);
}

static void on_reconfig_response(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet,
                                 const sctpa_tlv_t *response)
{
    sctpa_requests_t *requests = tracked->sides[!from].rare->requests;
    sctpa_tlv_t chunk, param;
    sctpa_tlv_iter_t iter;
    const uint32_t serial = sctpa_tlv_u32(response, SCTPA_F_RECONFIG_RESPONSE_SEQ),
                   result = sctpa_tlv_u32(response, SCTPA_F_RECONFIG_RESPONSE_RESULT);

    in_progress_note(tracked, !from, packet, serial, result == RECONFIG_IN_PROGRESS);
    if (result != RECONFIG_PERFORMED)
        return;
    restart_tsns(tracked, !from, response);
    if (!requests || requests->reconfig.params.length == 0 || !request_stored_chunk(&requests->reconfig.params, &chunk))
        return;
    sctpa_params_begin(&iter, &chunk);
    for (unsigned n = 0; n < SCTPA_REQUESTS_OF_CHUNK && sctpa_tlv_next(&iter, &param); n++)
        if (is_reconfig_request(param.type) && sctpa_tlv_u32(&param, SCTPA_F_OUTGOING_RESET_REQUEST_SEQ) == serial &&
            !(requests->has_reconfig_done && requests->reconfig_done == serial)) {
            reconfig_granted(tracked, !from, packet, &param);
            requests->has_reconfig_done = true;
            requests->reconfig_done = serial;
        }
}

static void on_reconfig(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet, const sctpa_tlv_t *chunk)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    bool asks = false;
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, &param)) {
        asks = asks || is_reconfig_request(param.type);
        if (param.type == SCTPA_PARAM_RECONFIG_RESPONSE)
            on_reconfig_response(tracked, from, packet, &param);
    }
    if (!asks)
        return;
    half_closed_ask(tracked, from, chunk);
    request_store(tracked, &requests_of(tracked, from)->reconfig, packet, chunk);
}

void sctpa_request_chunk(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet, const sctpa_tlv_t *chunk)
{
    switch (chunk->type) {
    case SCTPA_CHUNK_ASCONF: on_asconf(tracked, from, packet, chunk); break;
    case SCTPA_CHUNK_ASCONF_ACK: on_asconf_ack(tracked, from, packet, chunk); break;
    case SCTPA_CHUNK_RE_CONFIG: on_reconfig(tracked, from, packet, chunk); break;
    default: break;
    }
}
