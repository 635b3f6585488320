/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages that open data channels of WebRTC and answer that (RFC 8832 5): which one a DATA chunk begins, and whether
 * it is well formed. Leaves out what an endpoint has opened (chapters/data_channels.c). */
#ifndef SCTPA_SHARED_CHANNEL_MESSAGES_H
#define SCTPA_SHARED_CHANNEL_MESSAGES_H

#include "base/numbers.h"
#include "data/observation.h"
#include "data/shared_limits.h"
#include "wire/types.h"

/* RFC 8832 5.1, 5.2, 8.2.1; CUT: it begins a message, but nothing of that was captured. */
typedef enum { SCTPA_CHANNEL_NONE, SCTPA_CHANNEL_CUT, SCTPA_CHANNEL_ACK, SCTPA_CHANNEL_OPEN } sctpa_channel_message_t;

enum {
    SCTPA_CHANNEL_TYPE_AT = 1,
    SCTPA_CHANNEL_RELIABILITY_AT = 4,
    SCTPA_CHANNEL_LABEL_LENGTH_AT = 8,
    SCTPA_CHANNEL_PROTOCOL_LENGTH_AT = 10,
    SCTPA_CHANNEL_OPEN_BYTES = 12 /* of a request without label and protocol */
};

/* Is it of a message that opens a channel or answers that? These are reliable. O(1). */
static inline bool sctpa_channel_is_control(const sctpa_tsn_t *tsn)
{
    return tsn->ppid == SCTPA_PPID_DCEP;
}

/* Which message begins in the chunk? O(1). */
static inline sctpa_channel_message_t sctpa_channel_message(const sctpa_observed_t *data)
{
    const sctpa_tlv_t *chunk = &data->tlv;
    if (!data->sent.tsn || !sctpa_channel_is_control(data->sent.tsn) || !(data->sent.tsn->flags & SCTPA_TSN_BEGIN))
        return SCTPA_CHANNEL_NONE;
    if (chunk->captured_bytes <= chunk->row->fixed_bytes)
        return SCTPA_CHANNEL_CUT;
    const uint8_t type = chunk->bytes[chunk->row->fixed_bytes];
    return type == SCTPA_CHANNEL_ACK || type == SCTPA_CHANNEL_OPEN ? (sctpa_channel_message_t)type : SCTPA_CHANNEL_NONE;
}

/* How long a request of n bytes must be, as it says itself. O(1). */
static inline uint32_t sctpa_channel_open_bytes(const uint8_t *open, uint32_t n)
{
    return n < SCTPA_CHANNEL_OPEN_BYTES
               ? (uint32_t)SCTPA_CHANNEL_OPEN_BYTES
               : (uint32_t)SCTPA_CHANNEL_OPEN_BYTES + sctpa_be16(open + SCTPA_CHANNEL_LABEL_LENGTH_AT) +
                     sctpa_be16(open + SCTPA_CHANNEL_PROTOCOL_LENGTH_AT);
}

#endif
