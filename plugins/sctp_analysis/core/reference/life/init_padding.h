/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PAD parameters with which endpoints padded their INITs (RFC 4820 4), by their beginnings. Leaves out PAD chunks,
 * and shorter PAD parameters. */
#ifndef SCTPA_REFERENCE_INIT_PADDING_H
#define SCTPA_REFERENCE_INIT_PADDING_H

#include "reference/context.h"
#include "init_padding_limits.h"

/* Of the last INIT of an endpoint that had one. */
typedef struct {
    uint8_t beginning[SCTPA_PAD_COMPARED_BYTES]; /* of the parameter, with its header */
    uint32_t packet;
    bool is_kept;
} sctpa_init_padding_t;

/* That of an endpoint before the packet, NULL none. O(1). */
const sctpa_init_padding_t *sctpa_init_padding(const sctpa_context_t *c, uint8_t endpoint);
/* Takes the INIT of the packet, after the rules. O(parameters). */
void sctpa_init_padding_take(const sctpa_context_t *c);

#endif
