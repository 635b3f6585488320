/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which association a packet belongs to, and which end sent it. Leaves INIT to identity_init.h. */
#ifndef SCTPA_TRACK_IDENTITY_H
#define SCTPA_TRACK_IDENTITY_H

#include "track/input.h"

enum {
    SCTPA_SMALL_TAG = 1 << 16 /* tags below were not drawn at random (RFC 9260 5.3.1): equality says little */
};

/* The association and end that sent the packet, made when new. tracked is NULL only for packets without ports and tag.
 */
sctpa_sender_t sctpa_identify(sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* The association of a packet that must already be known, without making one: for quoted packets; tracked NULL none. */
sctpa_sender_t sctpa_find_known(const sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* The association between the packet's addresses and ports whose receiving end (senders: sending end) owns tag. */
sctpa_sender_t sctpa_find_neighbour(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t tag,
                                    bool senders);

#endif
