/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The set-up of an association: INIT, INIT ACK, COOKIE ECHO, COOKIE ACK, what they announce, collision and restart
 * (RFC 9260 5.1, 5.2). */
#include "feed_parts.h"
#include "track/endpoints.h"
#include "track/events.h"
#include "track/flow.h"
#include "track/identity/identity_parts.h"
#include "track/lookup.h"
#include "track/tracker.h"
#include "wire/address.h"

static sctpa_step_t step_of(uint32_t type)
{
    switch (type) {
    case SCTPA_CHUNK_INIT: return SCTPA_STEP_INIT;
    case SCTPA_CHUNK_INIT_ACK: return SCTPA_STEP_INIT_ACK;
    case SCTPA_CHUNK_COOKIE_ECHO: return SCTPA_STEP_COOKIE_ECHO;
    case SCTPA_CHUNK_COOKIE_ACK: return SCTPA_STEP_COOKIE_ACK;
    default: return SCTPA_STEPS;
    }
}

static void note_step(sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input, sctpa_step_t step)
{
    const sctpa_packet_t *packet = input->packet;
    if (tracked->assoc.setup.steps[step].count++ == 0) {
        tracked->assoc.setup.steps[step].first_frame = packet->frame;
        tracked->assoc.setup.steps[step].first_ns = packet->time_ns;
        tracked->assoc.setup.steps[step].by = from & 1;
    }
    if (step == SCTPA_STEP_INIT)
        tracked->assoc.setup.last_init_ns = packet->time_ns;
    if (step >= SCTPA_STEP_COOKIE_ECHO)
        tracked->assoc.setup.cookie_packet = input->index;
}

static uint64_t chunk_set(const sctpa_tlv_t *param)
{
    uint64_t set = 0;
    for (uint32_t i = SCTPA_TLV_HEADER_BYTES; i < param->captured_bytes; i++)
        set |= (uint64_t)1 << sctpa_chunk_row(param->bytes[i]);
    return set;
}

static void read_param(sctpa_tracked_t *tracked, uint8_t from, const sctpa_tlv_t *param)
{
    sctpa_end_t *end = &tracked->assoc.ends[from];
    sctpa_addr_t addr;
    end->init.params |= (uint64_t)1 << sctpa_param_row(param->type);
    if (param->type == SCTPA_PARAM_SUPPORTED_EXTENSIONS)
        end->init.supported_chunks |= chunk_set(param);
    else if (param->type == SCTPA_PARAM_CHUNKS)
        end->init.auth_chunks |= chunk_set(param);
    else if (param->type == SCTPA_PARAM_STATE_COOKIE)
        end->init.cookie_bytes = (uint16_t)(param->length - SCTPA_TLV_HEADER_BYTES);
    else if (sctpa_param_addr(param, &addr))
        sctpa_end_add_addr(tracked, from, &addr, SCTPA_ADDR_LISTED);
}

static void key_vector_set(sctpa_tracked_t *tracked, uint8_t from, const uint8_t *bytes, uint32_t length)
{
    const sctpa_bytes_t **kept = &tracked->assoc.ends[from].key_vector;
    if (!*kept)
        *kept = sctpa_arena_alloc(tracked->arena, sizeof **kept);
    sctpa_bytes_set((sctpa_bytes_t *)*kept, tracked->arena, bytes, length);
}

static void read_key_vector(sctpa_tracked_t *tracked, uint8_t from, const sctpa_tlv_t *chunk)
{
    uint8_t vector[1024];
    size_t length = sctpa_key_vector_collect(chunk, vector, sizeof vector);
    if (length > 0)
        key_vector_set(tracked, from, vector, (uint32_t)length);
}

/* INIT and INIT ACK have the same fixed fields (RFC 9260 3.3.2, 3.3.3). */
static void read_announcement(sctpa_tracked_t *tracked, uint8_t from, const sctpa_tlv_t *chunk,
                              const sctpa_param_list_t *list)
{
    if (!sctpa_tlv_has(chunk, SCTPA_F_INIT_TSN))
        return;
    tracked->assoc.ends[from].init = (sctpa_init_t){
        .seen = true,
        .whole = chunk->captured_bytes == chunk->wire_bytes,
        .a_rwnd_bytes = sctpa_tlv_u32(chunk, SCTPA_F_INIT_A_RWND),
        .initial_tsn = sctpa_tlv_u32(chunk, SCTPA_F_INIT_TSN),
        .outbound_streams = (uint16_t)sctpa_tlv_u32(chunk, SCTPA_F_INIT_OUTBOUND_STREAMS),
        .inbound_streams = (uint16_t)sctpa_tlv_u32(chunk, SCTPA_F_INIT_INBOUND_STREAMS),
    };
    for (uint32_t i = 0; i < list->n; i++)
        read_param(tracked, from, &list->params[i]);
    if (list->rows & SCTPA_PARAM_BIT(RANDOM))
        read_key_vector(tracked, from, chunk);
}

/* Is old, of which end owner owns a tag, between the same addresses and ports as the packet in which from of tracked
 * announces it? */
static bool is_between_same(const sctpa_tracked_t *old, uint8_t owner, const sctpa_tracked_t *tracked, uint8_t from,
                            const sctpa_packet_t *packet)
{
    const sctpa_assoc_t *before = &old->assoc, *now = &tracked->assoc;
    return before->ends[owner].port == now->ends[from].port && before->ends[!owner].port == now->ends[!from].port &&
           sctpa_end_addr_origin(&before->ends[owner], &packet->source) &&
           sctpa_end_addr_origin(&before->ends[!owner], &packet->destination);
}

/* The packets of a tag that earlier associations between the same addresses and ports used are this one's from now on.
 */
static void take_over(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, uint32_t tag,
                      const sctpa_packet_t *packet)
{
    const sctpa_candidates_t owners = sctpa_owner_find(tracker, tag);
    sctpa_owner_add(tracker, tag, tracked, from);
    for (unsigned i = 0; i < owners.n; i++) {
        const sctpa_tracked_t *old = g_ptr_array_index(tracker->assocs, owners.assocs[i]);
        if (old == tracked || owners.is_left[i] || !is_between_same(old, owners.ends[i], tracked, from, packet))
            continue;
        sctpa_flows_forget(tracker, old, !owners.ends[i], tag);
        sctpa_owner_leave(tracker, tag, old->assoc.number, owners.ends[i]);
    }
}

/* The tag by which the sender of INIT or INIT ACK wants to be called. Later INIT ACKs may announce other tags: all are
 * known, the one that COOKIE ECHO uses counts. Only the first chunk takes a tag over: none may stand before it (RFC
 * 9260 6.10). */
static void note_tag(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, uint32_t tag,
                     const sctpa_packet_t *packet, bool is_first, bool is_discarded)
{
    if (tag == 0)
        return;
    if (!tracked->established && !is_discarded)
        sctpa_end_set_tag(tracked, from, tag);
    if (is_first)
        take_over(tracker, tracked, from, tag, packet);
    else
        sctpa_owner_add(tracker, tag, tracked, from);
}

bool sctpa_setup_is_discarded(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_tlv_t *chunk)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    return chunk->type == SCTPA_CHUNK_INIT_ACK && setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0 &&
           setup->steps[SCTPA_STEP_COOKIE_ECHO].by != from && !tracked->assoc.collision && !tracked->stale_cookie &&
           tracked->assoc.ends[from].has_vtag &&
           tracked->assoc.ends[from].vtag != sctpa_tlv_u32(chunk, SCTPA_F_INIT_TAG);
}

static void on_init(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                    const sctpa_observed_t *observed)
{
    const sctpa_tlv_t *chunk = &observed->tlv;
    sctpa_setup_t *setup = &tracked->assoc.setup;
    if (chunk->type == SCTPA_CHUNK_INIT && setup->steps[SCTPA_STEP_INIT].count > 0 &&
        setup->steps[SCTPA_STEP_INIT].by != from && !tracked->assoc.collision && !tracked->established) {
        tracked->assoc.collision = true;
        sctpa_event_add(tracked, input->packet, SCTPA_EVENT_COLLISION, from, SCTPA_NO_PATH, NULL);
    }
    const bool is_discarded = sctpa_setup_is_discarded(tracked, from, chunk);
    if (!tracked->established && !is_discarded)
        sctpa_announcement_keep(tracked, from, sctpa_tlv_u32(chunk, SCTPA_F_INIT_TAG));
    note_tag(tracker, tracked, from, sctpa_tlv_u32(chunk, SCTPA_F_INIT_TAG), input->packet,
             chunk == sctpa_input_first(input), is_discarded);
    if (tracked->established || is_discarded)
        return;
    const sctpa_param_list_t *list = sctpa_observed_params(input->observation, observed);
    read_announcement(tracked, from, chunk, list);
    if (chunk->type == SCTPA_CHUNK_INIT)
        sctpa_identify_listed(tracker, tracked, from, input, list);
}

/* The endpoint of the association that a new one replaces that restarted, by its number there. */
static uint8_t restarted_by(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked)
{
    const sctpa_tracked_t *named = sctpa_tracked_find(tracker, tracked->rare->replaces);
    const bool is_swapped = named->assoc.merged_into != SCTPA_NO_ASSOC && named->assoc.merged_swapped;
    return tracked->rare->replaces_end ^ is_swapped;
}

static void on_restart(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet)
{
    sctpa_tracked_t *old = sctpa_tracked_at(tracker, tracked->rare->replaces);
    if (!sctpa_tracked_is_none(old) &&
        (old->assoc.known.end == SCTPA_ASSOC_OPEN || old->assoc.known.end == SCTPA_ASSOC_RESTARTED)) {
        old->assoc.known.end = SCTPA_ASSOC_RESTARTED;
        old->assoc.known.end_by = restarted_by(tracker, tracked);
        old->assoc.end_frame = packet->frame;
        old->assoc.end_ns = packet->time_ns;
        tracked->assoc.restart_of = old->assoc.number;
        sctpa_tracked_rare(tracked)->restart_known_frame = packet->frame;
        sctpa_event_add(tracked, packet, SCTPA_EVENT_RESTART, !from, SCTPA_NO_PATH,
                        g_strdup_printf("of association %u", old->assoc.number));
    }
    sctpa_tracked_rare(tracked)->replaces = SCTPA_NO_ASSOC;
}

void sctpa_setup_established(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                             const sctpa_packet_t *packet)
{
    if (tracked->established)
        return;
    tracked->established = true;
    if (tracked->assoc.setup.steps[SCTPA_STEP_INIT].count > 0)
        sctpa_event_add(tracked, packet, SCTPA_EVENT_SETUP, SCTPA_NO_END, SCTPA_NO_PATH, NULL);
    if (tracked->rare->replaces != SCTPA_NO_ASSOC)
        on_restart(tracker, tracked, from, packet);
}

/* COOKIE ECHO carries the tag that the peer finally chose. After a collision, that of an attempt that was discarded may
 * come once more. */
static void on_cookie_echo(sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    if (!input->reflected && input->vtag != 0 && !(tracked->established && tracked->assoc.collision))
        sctpa_announcement_choose(tracked, !from, input->vtag);
}

/* A step that was sent once and answered by the next: how far is the end that answered, by that address? */
static void note_answer(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet, sctpa_step_t step)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    if (step == SCTPA_STEP_INIT || tracked->assoc.collision || setup->steps[step].count != 1 ||
        setup->steps[step - 1].count != 1 || setup->steps[step - 1].by == from)
        return;
    const int64_t elapsed_ns = setup->steps[step].first_ns - setup->steps[step - 1].first_ns;
    const uint16_t path = sctpa_end_find_path(&tracked->assoc.ends[!from], &packet->source);
    sctpa_tap_rtt_note(&tracked->sides[!from].peer_tap_rtt, elapsed_ns, true);
    if (path != SCTPA_NO_PATH)
        sctpa_path_note_rtt(&tracked->assoc.ends[!from].paths[path], elapsed_ns);
}

void sctpa_setup_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                       const sctpa_observed_t *observed)
{
    sctpa_step_t step = step_of(observed->tlv.type);
    if (step == SCTPA_STEPS)
        return;
    if (step <= SCTPA_STEP_INIT_ACK)
        on_init(tracker, tracked, from, input, observed);
    note_step(tracked, from, input, step);
    note_answer(tracked, from, input->packet, step);
    if (step == SCTPA_STEP_COOKIE_ECHO)
        on_cookie_echo(tracked, from, input);
    if (step == SCTPA_STEP_COOKIE_ACK)
        sctpa_setup_established(tracker, tracked, from, input->packet);
}
