/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows requests to open data channels. */
#include "data_channels.h"

typedef struct {
    sctpa_data_channels_t of[2];
} channels_t;

/* RFC 8832 5.1, 8.1 */
enum { PPID_DCEP = 50, DATA_CHANNEL_OPEN = 3 };

bool sctpa_data_channel_is_opened(const sctpa_context_t *c, uint32_t *stream)
{
    const sctpa_observed_t *data = c->first_data;
    if (!data || !sctpa_observed_is_new(data) || data->sent.tsn->ppid != PPID_DCEP ||
        !(data->sent.tsn->flags & SCTPA_TSN_BEGIN) || data->tlv.captured_bytes <= data->tlv.row->fixed_bytes)
        return false;
    *stream = data->sent.tsn->stream;
    return data->tlv.bytes[data->tlv.row->fixed_bytes] == DATA_CHANNEL_OPEN;
}

const sctpa_data_channels_t *sctpa_data_channels(const sctpa_context_t *c, uint8_t endpoint)
{
    const channels_t *kept = sctpa_context_find_part(c, SCTPA_PART_DATA_CHANNELS);
    return kept ? &kept->of[endpoint] : NULL;
}

void sctpa_data_channels_take(const sctpa_context_t *c)
{
    uint32_t stream;
    if (!(c->facts & SCTPA_FACT_NEW_DATA) || !sctpa_data_channel_is_opened(c, &stream))
        return;
    channels_t *kept = sctpa_context_find_part(c, SCTPA_PART_DATA_CHANNELS);
    if (!kept) {
        kept = sctpa_context_part(c, SCTPA_PART_DATA_CHANNELS, sizeof *kept);
        for (unsigned i = 0; i < 4; i++)
            kept->of[i / 2].opened[i % 2] = SCTPA_NO_PACKET_INDEX;
    }
    uint32_t *opened = &kept->of[c->from].opened[stream % 2];
    *opened = MIN(*opened, c->index);
}
