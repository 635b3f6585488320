/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Visits every field of a chunk, down to the last bit: what the tree shows and what the differential test compares.
 * Every bit of a chunk's captured bytes is in exactly one leaf (field or padding). Knows no tree, prints nothing. */
#ifndef SCTPA_WIRE_WALK_H
#define SCTPA_WIRE_WALK_H

#include "chunk.h"

typedef struct {
    /* A subtree begins: a chunk, parameter, cause, gap block, inner packet, or the flags byte (a field with bits below
     * it). type: the TLV's type value for chunk, param and cause groups; flags value for the flags group; else 0. */
    void (*open)(void *user, sctpa_field_id_t group, uint32_t offset, uint32_t bytes, uint32_t type);
    /* A leaf. offset from the start of the packet given to the walk; bytes are all captured. */
    void (*field)(void *user, sctpa_field_id_t field, uint32_t offset, uint32_t bytes);
    /* Something malformed; offset and bytes of the TLV concerned. */
    void (*fault)(void *user, sctpa_fault_t fault, uint32_t offset, uint32_t bytes);
    void (*close)(void *user);
} sctpa_visitor_t;

/* Visits one chunk of a packet.
 * packet   the SCTP packet that offsets count from
 * chunk    from sctpa_tlv_next
 * A cut chunk is visited as far as it is captured: a field that is cut is not reported (its captured bytes are reported
 * as SCTPA_F_CUT). O(bytes). Nesting is bounded (SCTPA_FAULT_NESTED_TOO_DEEP). */
void sctpa_walk_chunk(const uint8_t *packet, const sctpa_tlv_t *chunk, const sctpa_visitor_t *visitor, void *user);

#endif
