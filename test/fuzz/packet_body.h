/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks what the wire layer promises of any bytes: a walk's leaves cover every captured bit of a chunk exactly once,
 * inside their groups; SACK arrays and AUTH stay inside the packet; both CRC32c variants agree. Aborts when a promise
 * is broken. Shared by the fuzz program and the unit test of the walk. */
#ifndef SCTPA_FUZZ_PACKET_BODY_H
#define SCTPA_FUZZ_PACKET_BODY_H

#include "wire/auth.h"
#include "wire/checksum.h"
#include "wire/walk.h"
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROMISE(condition) ((condition) ? (void)0 : promise_broken(#condition, __LINE__))

enum { COVERAGE_GROUPS = 128, COVERAGE_BYTES = 1 << 17 };

/* bits[i]: the bits of byte i of the packet that leaves reported so far. */
typedef struct {
    uint8_t bits[COVERAGE_BYTES];
    struct {
        uint32_t from, to;
    } groups[COVERAGE_GROUPS];
    unsigned n_groups;
    unsigned n_leaves, n_faults;
} coverage_t;

static inline void promise_broken(const char *what, int line)
{
    fprintf(stderr, "packet_body.h:%d: broken: %s\n", line, what);
    abort();
}

static inline void coverage_open(void *user, sctpa_field_id_t group, uint32_t offset, uint32_t bytes, uint32_t type)
{
    coverage_t *coverage = user;
    PROMISE(group < SCTPA_FIELDS && coverage->n_groups < COVERAGE_GROUPS);
    PROMISE(sctpa_field(group)->type == SCTPA_TYPE_GROUP || group == SCTPA_F_CHUNK_FLAGS);
    PROMISE(type <= UINT16_MAX && bytes > 0);
    if (coverage->n_groups) {
        PROMISE(offset >= coverage->groups[coverage->n_groups - 1].from);
        PROMISE(offset + bytes <= coverage->groups[coverage->n_groups - 1].to);
    }
    coverage->groups[coverage->n_groups].from = offset;
    coverage->groups[coverage->n_groups++].to = offset + bytes;
}

static inline void coverage_field(void *user, sctpa_field_id_t field, uint32_t offset, uint32_t bytes)
{
    coverage_t *coverage = user;
    PROMISE(field < SCTPA_FIELDS && sctpa_field(field)->type != SCTPA_TYPE_GROUP && bytes > 0 &&
            coverage->n_groups > 0);
    PROMISE(offset >= coverage->groups[coverage->n_groups - 1].from);
    PROMISE(offset + bytes <= coverage->groups[coverage->n_groups - 1].to);
    const sctpa_field_t *row = sctpa_field(field);
    PROMISE(!row->size || row->size == bytes);
    for (uint32_t i = 0; i < bytes; i++) {
        uint8_t bits = row->mask ? (uint8_t)(row->mask >> 8 * (bytes - 1 - i)) : 0xFF;
        PROMISE(!(coverage->bits[offset + i] & bits));
        coverage->bits[offset + i] |= bits;
    }
    coverage->n_leaves++;
}

static inline void coverage_fault(void *user, sctpa_fault_t fault, uint32_t offset, uint32_t bytes)
{
    coverage_t *coverage = user;
    PROMISE(fault > SCTPA_FAULT_NONE && fault < SCTPA_FAULTS && coverage->n_groups > 0);
    PROMISE(offset >= coverage->groups[0].from && offset + bytes <= coverage->groups[0].to);
    coverage->n_faults++;
}

static inline void coverage_close(void *user)
{
    coverage_t *coverage = user;
    PROMISE(coverage->n_groups > 0);
    coverage->n_groups--;
}

/* Walks one chunk and checks the cover. Returns how many leaves it has. */
static inline unsigned check_walk(const uint8_t *packet, const sctpa_tlv_t *chunk)
{
    static const sctpa_visitor_t visitor = { coverage_open, coverage_field, coverage_fault, coverage_close };
    static coverage_t coverage;
    uint32_t from = (uint32_t)(chunk->bytes - packet), to = from + chunk->captured_bytes + chunk->captured_padding;
    PROMISE(to < COVERAGE_BYTES);
    memset(coverage.bits + from, 0, to - from);
    coverage.n_groups = coverage.n_leaves = coverage.n_faults = 0;
    sctpa_walk_chunk(packet, chunk, &visitor, &coverage);
    PROMISE(coverage.n_groups == 0);
    PROMISE(chunk->fault == SCTPA_FAULT_NONE || coverage.n_faults > 0);
    for (uint32_t i = from; i < to; i++)
        PROMISE(coverage.bits[i] == 0xFF);
    return coverage.n_leaves;
}

static inline void check_sack(const sctpa_tlv_t *chunk)
{
    sctpa_sack_t sack;
    if (!sctpa_sack_parse(chunk, &sack))
        return;
    const uint8_t *end = chunk->bytes + chunk->captured_bytes;
    PROMISE(sack.gaps + 4 * sack.n_gaps <= end && sack.nr_gaps + 4 * sack.n_nr_gaps <= end);
    PROMISE(sack.duplicates + 4 * sack.n_duplicates <= end);
    PROMISE(!sack.n_nr_gaps || chunk->type == SCTPA_CHUNK_NR_SACK);
    PROMISE(sack.complete || chunk->fault != SCTPA_FAULT_NONE || chunk->captured_bytes < chunk->wire_bytes);
}

static inline void check_auth(const sctpa_tlv_t *chunk, const uint8_t *packet, const uint8_t *end)
{
    uint8_t vector[256];
    size_t length = sctpa_key_vector_collect(chunk, vector, sizeof vector);
    sctpa_key_vector_t a = { packet, MIN((size_t)(end - packet), 40) }, b = { vector, length };
    PROMISE(length <= sizeof vector);
    if (chunk->type == SCTPA_CHUNK_AUTH) {
        PROMISE(sctpa_auth_verify(chunk, end, a, b, NULL, 0) == SCTPA_AUTH_UNVERIFIED);
        sctpa_auth_verify(chunk, end, a, a, packet, a.length);
    }
}

static inline void check_checksum(const uint8_t *packet, size_t length)
{
    PROMISE(sctpa_crc32c(packet, length) == sctpa_crc32c_table(packet, length));
    uint32_t crc = length >= SCTPA_HEADER_BYTES ? sctpa_packet_crc32c(packet, length) : 0;
    PROMISE(sctpa_checksum_kind(packet, length, crc) < SCTPA_CHECKSUMS);
}

/* Checks a packet of wire_bytes of which captured_bytes are there. Returns the number of leaves. */
static inline unsigned check_packet(const uint8_t *packet, uint32_t captured_bytes, uint32_t wire_bytes)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    const uint8_t *end = packet + captured_bytes;
    unsigned leaves = 0;
    sctpa_chunks_begin(&iter, packet, captured_bytes, wire_bytes);
    while (sctpa_tlv_next(&iter, &chunk)) {
        PROMISE(chunk.bytes >= packet && chunk.captured_bytes >= SCTPA_TLV_HEADER_BYTES);
        PROMISE(chunk.captured_bytes <= chunk.wire_bytes && chunk.captured_padding <= chunk.padding_bytes &&
                chunk.padding_bytes < 4);
        PROMISE(chunk.bytes + chunk.captured_bytes + chunk.captured_padding <= end);
        leaves += check_walk(packet, &chunk);
        check_sack(&chunk);
        check_auth(&chunk, packet, end);
    }
    PROMISE(iter.at <= end);
    check_checksum(packet, captured_bytes);
    return leaves;
}

#endif
