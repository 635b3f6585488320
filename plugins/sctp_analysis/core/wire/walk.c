/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Visits the header, the fixed fields and the padding of a chunk, parameter or cause, by the rows of fields.def.
 * Leaves what follows the fixed part to walk_body.c. */
#include "walk_body.h"

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

void sctpa_walk_leaf(const sctpa_walk_t *walk, sctpa_field_id_t field, const uint8_t *at, uint32_t bytes)
{
    if (bytes)
        walk->visitor->field(walk->user, field, (uint32_t)(at - walk->packet), bytes);
}

void sctpa_walk_leftover(const sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from)
{
    bool cut = tlv->captured_bytes < tlv->wire_bytes;
    sctpa_walk_leaf(walk, cut ? SCTPA_F_CUT : SCTPA_F_REST, tlv->bytes + from, tlv->captured_bytes - from);
}

static void walk_placed(const sctpa_walk_t *walk, const sctpa_tlv_t *tlv, sctpa_field_id_t field)
{
    sctpa_walk_leaf(walk, field, tlv->bytes + sctpa_places[field].at, sctpa_places[field].size);
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
        sctpa_walk_leaf(walk, cut ? SCTPA_F_CUT : framing[tlv->kind].value, tlv->bytes + SCTPA_TLV_HEADER_BYTES,
                        captured);
        return;
    }
    uint32_t from = walk_fixed(walk, tlv, first, count);
    if (from < tlv->row->fixed_bytes)
        sctpa_walk_leftover(walk, tlv, from);
    else
        sctpa_walk_body(walk, tlv, from);
}

void sctpa_walk_tlv(sctpa_walk_t *walk, const sctpa_tlv_t *tlv)
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
    sctpa_walk_leaf(walk, framing[tlv->kind].padding, tlv->bytes + tlv->wire_bytes, tlv->captured_padding);
    visitor->close(walk->user);
    walk->level--;
}

void sctpa_walk_chunk(const uint8_t *packet, const sctpa_tlv_t *chunk, const sctpa_visitor_t *visitor, void *user)
{
    sctpa_walk_t walk = { .packet = packet, .visitor = visitor, .user = user };
    sctpa_walk_tlv(&walk, chunk);
}
