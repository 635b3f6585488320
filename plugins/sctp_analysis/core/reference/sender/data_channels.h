/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data channels that endpoints of WebRTC open: which streams they take (DCEP, RFC 8832). Leaves out what is sent
 * on them, and channels that are agreed on out of band. */
#ifndef SCTPA_REFERENCE_DATA_CHANNELS_H
#define SCTPA_REFERENCE_DATA_CHANNELS_H

#include "reference/context.h"

/* Of an endpoint. */
typedef struct {
    uint32_t opened[2]; /* the first packet in which it opened a channel on an even, an odd stream;
                           SCTPA_NO_PACKET_INDEX none */
} sctpa_data_channels_t;

/* Does the packet hold a request to open a channel, in the first transmission of its first DATA chunk? *stream: its
 * stream. O(1). */
bool sctpa_data_channel_is_opened(const sctpa_context_t *c, uint32_t *stream);
/* What an endpoint has opened before the packet; NULL: neither has. O(1). */
const sctpa_data_channels_t *sctpa_data_channels(const sctpa_context_t *c, uint8_t endpoint);
/* Takes the packet, after the rules. O(1). */
void sctpa_data_channels_take(const sctpa_context_t *c);

#endif
