/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Visits what follows the fixed part of a chunk, parameter or cause: bytes, lists, records, SACK arrays, nested TLVs, a
 * packet. Leaves header, fixed fields and padding to walk.c. */
#include "walk_body.h"
#include <glib.h>

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
        sctpa_walk_leaf(walk, field, at + from, place->size);
        masks |= place->mask ? place->mask : full;
        if (masks == full) {
            from += place->size;
            masks = 0;
        }
    }
    if (from < bytes)
        sctpa_walk_leaf(walk, SCTPA_F_CUT, at + from, bytes - from);
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
        sctpa_walk_tlv(walk, &tlv);
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
        sctpa_walk_leaf(walk, field, packet + from, sctpa_places[field].size);
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
    sctpa_walk_leaf(walk, captured < wire ? SCTPA_F_CUT : SCTPA_F_REST, at, captured - (uint32_t)(at - packet));
    walk->visitor->close(walk->user);
    return tlv->captured_bytes;
}

/* One leaf of all bytes, unless the snap length cut it. */
static uint32_t walk_bytes(const sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from)
{
    if (tlv->captured_bytes < tlv->wire_bytes)
        return from;
    sctpa_walk_leaf(walk, tlv->row->body_field, tlv->bytes + from, tlv->captured_bytes - from);
    return tlv->captured_bytes;
}

void sctpa_walk_body(sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from)
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
    sctpa_walk_leftover(walk, tlv, from);
}
