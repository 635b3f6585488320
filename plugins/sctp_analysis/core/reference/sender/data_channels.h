/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data channels that endpoints of WebRTC open: which streams they take, whether they are answered, and how
 * often their messages may be retransmitted (DCEP, RFC 8832). Leaves out what is sent on them, and channels that are
 * agreed on out of band. */
#ifndef SCTPA_REFERENCE_DATA_CHANNELS_H
#define SCTPA_REFERENCE_DATA_CHANNELS_H

#include "reference/context.h"

/* Of an endpoint. */
typedef struct {
    uint32_t opened[2]; /* the first packet in which it opened a channel on an even, an odd stream;
                           SCTPA_NO_PACKET_INDEX none */
    /* Its first request that was not answered so far. */
    int64_t asked_tsn;     /* relative */
    int64_t taken_ns;      /* when that was acknowledged, 0 not yet */
    uint32_t asked_packet; /* 1 + packet of it, 0 none */
    uint16_t asked_stream;
} sctpa_data_channels_t;

/* Does the packet hold a request to open a channel, in the first transmission of its first DATA chunk? *stream: its
 * stream. O(1). */
bool sctpa_data_channel_is_opened(const sctpa_context_t *c, uint32_t *stream);
/* What an endpoint has opened before the packet; NULL: neither has. O(1). */
const sctpa_data_channels_t *sctpa_data_channels(const sctpa_context_t *c, uint8_t endpoint);
/* The request of the peer that the sender of the packet acknowledged so long ago that its answer, which is not in the
 * packet either, is overdue; NULL none. O(1), where one waits O(chunks). */
const sctpa_data_channels_t *sctpa_data_channel_unanswered(const sctpa_context_t *c);
/* Was the request of an endpoint that waits given up by FORWARD-TSN before it was acknowledged? The packet may be that
 * FORWARD-TSN. O(1). */
bool sctpa_data_channel_is_given_up(const sctpa_context_t *c, uint8_t endpoint);
/* Is it of a message that opens a channel or answers that? These are reliable. O(1). */
bool sctpa_data_channel_is_control(const sctpa_tsn_t *tsn);
/* How often messages on a stream may be retransmitted, as the request to open its channel says; -1: it says nothing of
 * that, or none is kept. O(channels kept). */
int64_t sctpa_data_channel_retransmissions(const sctpa_context_t *c, uint16_t stream);
/* Takes the packet, after the rules. O(1), where a request waits O(chunks). */
void sctpa_data_channels_take(const sctpa_context_t *c);

#endif
