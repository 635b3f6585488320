/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the endpoints of an association offered and so agreed on, as far as the capture shows, and what that lets a
 * sender do. Leaves out the numbers of streams (context.h) and windows (sctpa_init_t). */
#ifndef SCTPA_MODEL_NEGOTIATED_H
#define SCTPA_MODEL_NEGOTIATED_H

#include "base/numbers.h"
#include "data/direction.h"
#include "track/assoc.h"

typedef enum {
#define SCTPA_EXTENSION(id, params, chunks) SCTPA_EXTENSION_##id,
#include "negotiated.def"
#undef SCTPA_EXTENSION
    SCTPA_EXTENSIONS
} sctpa_extension_t;

/* Did the endpoint with that INIT or INIT ACK offer the extension? Unknown: it was not seen, or cut before it may have
 * said so. O(1). */
sctpa_known_t sctpa_offers(const sctpa_init_t *init, sctpa_extension_t extension);

/* Did both endpoints? O(1). */
sctpa_known_t sctpa_negotiated(const sctpa_assoc_t *assoc, sctpa_extension_t extension);

/* May chunks of that row be used: was each extension negotiated that they belong to? Yes: they belong to none. Where an
 * endpoint lists FORWARD-TSN without announcing it as RFC 3758 3.3.1 has it, unknown. O(1). */
sctpa_known_t sctpa_chunk_is_negotiated(const sctpa_assoc_t *assoc, unsigned row);

/* Did the sender of the data give up TSN number (RFC 3758 3.5)? Yes: a FORWARD-TSN of it passed the TSN before that was
 * acknowledged. No: it gives none up, since partial reliability was not negotiated and no FORWARD-TSN of it passed.
 * Unknown: it may have, and may not have said so yet. sent: NULL no data was seen. O(1). */
sctpa_known_t sctpa_given_up(const sctpa_assoc_t *assoc, const sctpa_direction_t *sent, int64_t number);

#endif
