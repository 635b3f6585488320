/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Visits the header, the fixed fields and the padding of a chunk, parameter or cause, by the rows of fields.def, and
 * what follows the fixed part: bytes, lists, records, arrays of SACKs, nested TLVs, a packet. */

#include "walk.h"

#include <glib.h>

/* Levels of chunks, parameters, causes and packets that are followed; the chunk of the packet is level 1. */
enum { SCTPA_WALK_LEVELS = 16 };

typedef struct {
    const uint8_t *packet;
    const sctpa_visitor_t *visitor;
    void *user;
    unsigned level;
} sctpa_walk_t;

/* Visits a TLV with all below it. */
static void walk_tlv(sctpa_walk_t *walk, const sctpa_tlv_t *tlv);

static void walk_leaf(const sctpa_walk_t *walk, sctpa_field_id_t field, const uint8_t *at, uint32_t bytes)
{
    if (bytes)
        walk->visitor->field(walk->user, field, (uint32_t)(at - walk->packet), bytes);
}

static void walk_leftover(const sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from)
{
    bool cut = tlv->captured_bytes < tlv->wire_bytes;
    walk_leaf(walk, cut ? SCTPA_F_CUT : SCTPA_F_REST, tlv->bytes + from, tlv->captured_bytes - from);
}

/* The fields of one record, or as many as fit in bytes. Returns how many bytes they take.
 * first    its first leaf; a group right before it is opened around the record
 * bytes    1 .. size of the record */
static uint32_t walk_record(const sctpa_walk_t *walk, sctpa_field_id_t first, const uint8_t *at, uint32_t bytes,
                            uint32_t record_bytes)
{
    bool grouped = sctpa_field(first - 1)->type == SCTPA_TYPE_GROUP;
    if (grouped)
        walk->visitor->open(walk->user, first - 1, (uint32_t)(at - walk->packet), bytes, 0);
    uint32_t from = 0, masks = 0;
    for (sctpa_field_id_t field = first; from < record_bytes; field++) {
        const sctpa_place_t *place = &sctpa_places[field];
        uint32_t full = (uint32_t)((UINT64_C(1) << 8 * place->size) - 1);
        if (from + place->size > bytes)
            break;
        walk_leaf(walk, field, at + from, place->size);
        masks |= place->mask ? place->mask : full;
        if (masks == full) {
            from += place->size;
            masks = 0;
        }
    }
    if (from < bytes)
        walk_leaf(walk, SCTPA_F_CUT, at + from, bytes - from);
    if (grouped)
        walk->visitor->close(walk->user);
    return bytes;
}

/* Up to limit records. Bytes of a record that the snap length cut are visited, those of one that the length cut are
 * not. Returns the first byte not visited. */
static uint32_t walk_records(const sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from, sctpa_field_id_t first,
                             uint32_t record_bytes, uint32_t limit)
{
    while (limit-- && from < tlv->captured_bytes && tlv->wire_bytes - from >= record_bytes)
        from +=
            walk_record(walk, first, tlv->bytes + from, MIN(record_bytes, tlv->captured_bytes - from), record_bytes);
    return from;
}

static uint32_t walk_sack(const sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from)
{
    uint32_t unit = tlv->row->unit_bytes;
    from = walk_records(walk, tlv, from, SCTPA_F_SACK_GAP_START, unit, sctpa_tlv_u32(tlv, SCTPA_F_SACK_N_GAPS));
    return walk_records(walk, tlv, from, SCTPA_F_SACK_DUPLICATE, unit, sctpa_tlv_u32(tlv, SCTPA_F_SACK_N_DUPLICATES));
}

static uint32_t walk_nr_sack(const sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from)
{
    uint32_t unit = tlv->row->unit_bytes;
    from = walk_records(walk, tlv, from, SCTPA_F_NR_SACK_GAP_START, unit, sctpa_tlv_u32(tlv, SCTPA_F_NR_SACK_N_GAPS));
    from = walk_records(walk, tlv, from, SCTPA_F_NR_SACK_NR_GAP_START, unit,
                        sctpa_tlv_u32(tlv, SCTPA_F_NR_SACK_N_NR_GAPS));
    return walk_records(walk, tlv, from, SCTPA_F_NR_SACK_DUPLICATE, unit,
                        sctpa_tlv_u32(tlv, SCTPA_F_NR_SACK_N_DUPLICATES));
}

/* Up to limit TLVs. Returns the first byte after them; reports trailing bytes of owner but does not visit them. */
static const uint8_t *walk_tlvs(sctpa_walk_t *walk, sctpa_tlv_iter_t *iter, const sctpa_tlv_t *owner, uint32_t limit)
{
    sctpa_tlv_t tlv;
    while (limit-- && sctpa_tlv_next(iter, &tlv))
        walk_tlv(walk, &tlv);
    if (iter->fault != SCTPA_FAULT_NONE)
        walk->visitor->fault(walk->user, iter->fault, (uint32_t)(owner->bytes - walk->packet), owner->captured_bytes);
    return iter->at;
}

static uint32_t walk_params(sctpa_walk_t *walk, const sctpa_tlv_t *tlv)
{
    sctpa_tlv_iter_t iter;
    sctpa_params_begin(&iter, tlv);
    return (uint32_t)(walk_tlvs(walk, &iter, tlv, UINT32_MAX) - tlv->bytes);
}

static uint32_t walk_inner_chunk(sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from)
{
    sctpa_tlv_iter_t iter = { .kind = SCTPA_TLV_CHUNK,
                              .at = tlv->bytes + from,
                              .wire_left = tlv->wire_bytes - from,
                              .captured_left = tlv->captured_bytes - from };
    return (uint32_t)(walk_tlvs(walk, &iter, tlv, 1) - tlv->bytes);
}

static const uint8_t *walk_packet_header(const sctpa_walk_t *walk, const uint8_t *packet, uint32_t bytes)
{
    uint32_t from = 0;
    for (sctpa_field_id_t field = SCTPA_F_PACKET_SPORT; field <= SCTPA_F_PACKET_CHECKSUM; field++) {
        if (from + sctpa_places[field].size > bytes)
            break;
        walk_leaf(walk, field, packet + from, sctpa_places[field].size);
        from += sctpa_places[field].size;
    }
    return packet + from;
}

/* The packet in a PKTDROP chunk. With the T bit it is the front of one of Truncated Length bytes: what is missing is
 * cut, not wrong. */
static uint32_t walk_packet(sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from)
{
    const uint8_t *packet = tlv->bytes + from;
    uint32_t captured = tlv->captured_bytes - from, wire = tlv->wire_bytes - from;
    if (!captured)
        return from;
    if (sctpa_tlv_u32(tlv, SCTPA_F_PKTDROP_T))
        wire = MAX(wire, sctpa_tlv_u32(tlv, SCTPA_F_PKTDROP_TRUNCATED_LENGTH));
    walk->visitor->open(walk->user, SCTPA_F_PACKET, (uint32_t)(packet - walk->packet), captured, 0);
    const uint8_t *at = walk_packet_header(walk, packet, captured);
    if (captured >= SCTPA_HEADER_BYTES) {
        sctpa_tlv_iter_t iter;
        sctpa_chunks_begin(&iter, packet, captured, wire);
        at = walk_tlvs(walk, &iter, tlv, UINT32_MAX);
    }
    walk_leaf(walk, captured < wire ? SCTPA_F_CUT : SCTPA_F_REST, at, captured - (uint32_t)(at - packet));
    walk->visitor->close(walk->user);
    return tlv->captured_bytes;
}

/* One leaf of all bytes, unless the snap length cut it. */
static uint32_t walk_bytes(const sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from)
{
    if (tlv->captured_bytes < tlv->wire_bytes)
        return from;
    walk_leaf(walk, tlv->row->body_field, tlv->bytes + from, tlv->captured_bytes - from);
    return tlv->captured_bytes;
}

/* Visits what follows the fixed part of a TLV whose row is known and whose fixed part is captured.
 * from     first byte not visited yet, counted from the TLV's first byte, <= captured_bytes */
static void walk_body(sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from)
{
    const sctpa_tlv_type_t *row = tlv->row;
    switch (row->body) {
    case SCTPA_BODY_NONE: break;
    case SCTPA_BODY_BYTES:
    case SCTPA_BODY_STRING:
    case SCTPA_BODY_USER_DATA: from = walk_bytes(walk, tlv, from); break;
    case SCTPA_BODY_LIST:
    case SCTPA_BODY_RECORDS: from = walk_records(walk, tlv, from, row->body_field, row->unit_bytes, UINT32_MAX); break;
    case SCTPA_BODY_SACK: from = walk_sack(walk, tlv, from); break;
    case SCTPA_BODY_NR_SACK: from = walk_nr_sack(walk, tlv, from); break;
    case SCTPA_BODY_PARAMS:
    case SCTPA_BODY_CAUSES: from = walk_params(walk, tlv); break;
    case SCTPA_BODY_CHUNK: from = walk_inner_chunk(walk, tlv, from); break;
    case SCTPA_BODY_PACKET: from = walk_packet(walk, tlv, from); break;
    }
    walk_leftover(walk, tlv, from);
}

/* The framing fields of a kind of TLV. */
static const struct {
    sctpa_field_id_t group, type, length, value, padding;
} framing[] = {
    [SCTPA_TLV_CHUNK] = { SCTPA_F_CHUNK, SCTPA_F_CHUNK_TYPE, SCTPA_F_CHUNK_LENGTH, SCTPA_F_CHUNK_VALUE,
                          SCTPA_F_CHUNK_PADDING },
    [SCTPA_TLV_PARAM] = { SCTPA_F_PARAM, SCTPA_F_PARAM_TYPE, SCTPA_F_PARAM_LENGTH, SCTPA_F_PARAM_VALUE,
                          SCTPA_F_PARAM_PADDING },
    [SCTPA_TLV_CAUSE] = { SCTPA_F_CAUSE, SCTPA_F_CAUSE_CODE, SCTPA_F_CAUSE_LENGTH, SCTPA_F_CAUSE_VALUE,
                          SCTPA_F_CAUSE_PADDING },
};

static void walk_placed(const sctpa_walk_t *walk, const sctpa_tlv_t *tlv, sctpa_field_id_t field)
{
    walk_leaf(walk, field, tlv->bytes + sctpa_places[field].at, sctpa_places[field].size);
}

/* The flags byte: a leaf, or a group when the chunk type has bits in it. */
static void walk_flags(const sctpa_walk_t *walk, const sctpa_tlv_t *tlv, sctpa_field_id_t first, unsigned count)
{
    const sctpa_place_t *flags = &sctpa_places[SCTPA_F_CHUNK_FLAGS];
    if (!count || sctpa_places[first].at != flags->at) {
        walk_placed(walk, tlv, SCTPA_F_CHUNK_FLAGS);
        return;
    }
    uint32_t offset = (uint32_t)(tlv->bytes + flags->at - walk->packet);
    walk->visitor->open(walk->user, SCTPA_F_CHUNK_FLAGS, offset, flags->size, tlv->flags);
    for (unsigned i = 0; i < count && sctpa_places[first + i].at == flags->at; i++)
        walk_placed(walk, tlv, first + i);
    walk->visitor->close(walk->user);
}

/* RFC 8260 2.1: the four bytes after the MID are the PPID in the first fragment (B bit), else the FSN. */
static bool is_the_other_reading(const sctpa_tlv_t *tlv, sctpa_field_id_t field)
{
    bool first_fragment = sctpa_tlv_u32(tlv, SCTPA_F_I_DATA_B);
    return (field == SCTPA_F_I_DATA_PPID && !first_fragment) || (field == SCTPA_F_I_DATA_FSN && first_fragment);
}

/* Visits the fields with a fixed place, as far as they are captured. Returns the first byte after them. */
static uint32_t walk_fixed(const sctpa_walk_t *walk, const sctpa_tlv_t *tlv, sctpa_field_id_t first, unsigned count)
{
    uint32_t from = SCTPA_TLV_HEADER_BYTES;
    for (sctpa_field_id_t field = first; field < first + count; field++) {
        const sctpa_place_t *place = &sctpa_places[field];
        if (place->at < SCTPA_TLV_HEADER_BYTES || is_the_other_reading(tlv, field))
            continue;
        if (!sctpa_tlv_has(tlv, field))
            break;
        walk_placed(walk, tlv, field);
        from = (uint32_t)place->at + place->size;
    }
    return from;
}

static void walk_value(sctpa_walk_t *walk, const sctpa_tlv_t *tlv, sctpa_field_id_t first, unsigned count)
{
    uint32_t captured = tlv->captured_bytes - SCTPA_TLV_HEADER_BYTES;
    bool too_deep = walk->level == SCTPA_WALK_LEVELS && captured;
    if (too_deep)
        walk->visitor->fault(walk->user, SCTPA_FAULT_NESTED_TOO_DEEP, (uint32_t)(tlv->bytes - walk->packet),
                             tlv->captured_bytes);
    if (too_deep || !tlv->row) {
        bool cut = tlv->captured_bytes < tlv->wire_bytes;
        walk_leaf(walk, cut ? SCTPA_F_CUT : framing[tlv->kind].value, tlv->bytes + SCTPA_TLV_HEADER_BYTES, captured);
        return;
    }
    uint32_t from = walk_fixed(walk, tlv, first, count);
    if (from < tlv->row->fixed_bytes)
        walk_leftover(walk, tlv, from);
    else
        walk_body(walk, tlv, from);
}

static void walk_tlv(sctpa_walk_t *walk, const sctpa_tlv_t *tlv)
{
    const sctpa_visitor_t *visitor = walk->visitor;
    uint32_t offset = (uint32_t)(tlv->bytes - walk->packet);
    unsigned count = 0;
    sctpa_field_id_t first = tlv->row ? sctpa_fields_of(tlv->kind, tlv->type, &count) : SCTPA_F_NONE;
    walk->level++;
    visitor->open(walk->user, framing[tlv->kind].group, offset, tlv->captured_bytes + tlv->captured_padding, tlv->type);
    if (tlv->fault != SCTPA_FAULT_NONE)
        visitor->fault(walk->user, tlv->fault, offset, tlv->captured_bytes);
    walk_placed(walk, tlv, framing[tlv->kind].type);
    if (tlv->kind == SCTPA_TLV_CHUNK)
        walk_flags(walk, tlv, first, count);
    walk_placed(walk, tlv, framing[tlv->kind].length);
    walk_value(walk, tlv, first, count);
    walk_leaf(walk, framing[tlv->kind].padding, tlv->bytes + tlv->wire_bytes, tlv->captured_padding);
    visitor->close(walk->user);
    walk->level--;
}

void sctpa_walk_chunk(const uint8_t *packet, const sctpa_tlv_t *chunk, const sctpa_visitor_t *visitor, void *user)
{
    sctpa_walk_t walk = { .packet = packet, .visitor = visitor, .user = user };
    walk_tlv(&walk, chunk);
}
