/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which implementation an endpoint is, by what its INIT or INIT ACK looks like: nobody is reported for it. */
#ifndef SCTPA_MODEL_FINGERPRINT_H
#define SCTPA_MODEL_FINGERPRINT_H

#include <stdint.h>

#include "wire/chunk.h"

/* What spoke for it. */
enum {
    SCTPA_MARK_ORDER = 0x01,       /* three or more parameters, in its order */
    SCTPA_MARK_SHORT_ORDER = 0x02, /* one or two */
    SCTPA_MARK_CHUNKS = 0x04,      /* its order of Supported Extensions */
    SCTPA_MARK_COOKIE = 0x08,      /* how its State Cookie begins */
    SCTPA_MARK_COOKIE_BYTES = 0x10,
    SCTPA_MARK_STREAMS = 0x20, /* its default numbers of streams */
    SCTPA_MARK_A_RWND = 0x40   /* its default window */
};
enum { SCTPA_MARKS = 7 };

/* Implementations: SCTPA_STACK_LINUX, ... in the order of stacks.def. */
typedef enum {
#define SCTPA_STACK(id, ...) SCTPA_STACK_##id,
#include "stacks.def"
    SCTPA_STACKS
} sctpa_stack_number_t;

/* What an INIT or INIT ACK looks like: 8 bytes. All zero: nothing seen yet. */
typedef struct {
    uint8_t stack;   /* 1 + sctpa_stack_number_t, 0: none, or more than one as well */
    uint8_t marks;   /* SCTPA_MARK_ bits */
    uint32_t packet; /* index of the chunk's packet */
} sctpa_likeness_t;

typedef struct {
    const char *name; /* "Linux"; NULL: nothing, or nothing without doubt */
    uint8_t marks;    /* SCTPA_MARK_ bits */
    uint32_t packet;  /* index of the INIT or INIT ACK, SCTPA_NO_PACKET_INDEX none */
} sctpa_stack_t;

/* What an INIT or INIT ACK in a packet (index) looks like. params: its parameters. O(parameters). */
sctpa_likeness_t sctpa_fingerprint(const sctpa_tlv_t *chunk, const sctpa_param_list_t *params, uint32_t packet);
/* May an implementation that looks so retransmit a lone TSN sooner than T3 expires (precedes_t3 of stacks.def), as far
 * as known? */
bool sctpa_likeness_precedes_t3(sctpa_likeness_t likeness);

/* The words of the mark with bit number bit: "order of parameters". */
const char *sctpa_mark_word(unsigned bit);

#endif
