/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What walk.c and walk_body.c share: the state of one walk, and the header and fixed part of a TLV calling its body and
 * back. Private to the walk. */
#ifndef SCTPA_WIRE_WALK_BODY_H
#define SCTPA_WIRE_WALK_BODY_H

#include "walk.h"

/* Levels of chunks, parameters, causes and packets that are followed; the chunk of the packet is level 1. */
enum { SCTPA_WALK_LEVELS = 16 };

typedef struct {
    const uint8_t *packet;
    const sctpa_visitor_t *visitor;
    void *user;
    unsigned level;
} sctpa_walk_t;

/* Visits a TLV with all below it. */
void sctpa_walk_tlv(sctpa_walk_t *walk, const sctpa_tlv_t *tlv);

/* Visits what follows the fixed part of a TLV whose row is known and whose fixed part is captured.
 * from     first byte not visited yet, counted from the TLV's first byte, <= captured_bytes */
void sctpa_walk_body(sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from);

/* Reports a leaf of bytes > 0 bytes; nothing when bytes is 0. */
void sctpa_walk_leaf(const sctpa_walk_t *walk, sctpa_field_id_t field, const uint8_t *at, uint32_t bytes);

/* Reports the captured bytes of a TLV from that offset on as CUT when the snap length cut the TLV, else as REST. */
void sctpa_walk_leftover(const sctpa_walk_t *walk, const sctpa_tlv_t *tlv, uint32_t from);

#endif
