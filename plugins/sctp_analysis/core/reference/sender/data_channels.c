/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows requests to open data channels. */
#include "data_channels.h"

#include "forward_tsns.h"
#include "data/channel_limits.h"
#include "wire/ppid.h"

enum { LIMITED_KEPT = 8 };
static const uint32_t open_bytes = 12; /* of a request without label and protocol */

/* A channel whose messages may be retransmitted so often. */
typedef struct {
    uint32_t retransmissions;
    uint16_t stream;
} limited_t;

typedef struct {
    sctpa_data_channels_t of[2];
    limited_t limited[LIMITED_KEPT]; /* the first ones of either endpoint */
    uint8_t n_limited;
} channels_t;

/* RFC 8832 5.1 */
enum { DATA_CHANNEL_ACK = 2, DATA_CHANNEL_OPEN = 3 };
enum { TYPE_AT = 1, RELIABILITY_AT = 4, UNORDERED_TYPE = 0x80, PARTIAL_RELIABLE_REXMIT = 1 };

bool sctpa_data_channel_is_control(const sctpa_tsn_t *tsn)
{
    return tsn->ppid == SCTPA_PPID_DCEP;
}

static bool is_message(const sctpa_observed_t *data, uint8_t type)
{
    return data->sent.tsn && sctpa_data_channel_is_control(data->sent.tsn) && data->sent.tsn->flags & SCTPA_TSN_BEGIN &&
           data->tlv.captured_bytes > data->tlv.row->fixed_bytes && data->tlv.bytes[data->tlv.row->fixed_bytes] == type;
}

bool sctpa_data_channel_is_opened(const sctpa_context_t *c, uint32_t *stream)
{
    const sctpa_observed_t *data = c->first_data;
    if (!data || !sctpa_observed_is_new(data) || !is_message(data, DATA_CHANNEL_OPEN))
        return false;
    *stream = data->sent.tsn->stream;
    return true;
}

const sctpa_data_channels_t *sctpa_data_channels(const sctpa_context_t *c, uint8_t endpoint)
{
    const channels_t *kept = sctpa_context_find_part(c, SCTPA_PART_DATA_CHANNELS);
    return kept ? &kept->of[endpoint] : NULL;
}

/* Does the packet answer the request of the peer that waits? */
static bool is_answer(const sctpa_context_t *c, const sctpa_data_channels_t *peer)
{
    for (unsigned i = 0; c->rows & SCTPA_DATA_ROWS && i < c->n_chunks; i++)
        if (sctpa_tlv_is_data(&c->chunks[i].tlv) && is_message(&c->chunks[i], DATA_CHANNEL_ACK) &&
            c->chunks[i].sent.tsn->stream == peer->asked_stream)
            return true;
    return false;
}

const sctpa_data_channels_t *sctpa_data_channel_unanswered(const sctpa_context_t *c)
{
    const sctpa_data_channels_t *peer = sctpa_data_channels(c, !c->from);
    bool is_overdue =
        peer && peer->asked_packet > 0 && peer->taken_ns > 0 &&
        sctpa_context_least_ns(c, c->packet->time_ns - peer->taken_ns) > SCTPA_CHANNEL_UNANSWERED_S * SCTPA_NS_PER_S;
    return is_overdue && !is_answer(c, peer) ? peer : NULL;
}

bool sctpa_data_channel_is_given_up(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_data_channels_t *own = sctpa_data_channels(c, endpoint);
    const sctpa_direction_t *sent = endpoint == c->from ? c->sent : c->acked;
    const sctpa_tsn_t *tsn = own && own->asked_packet > 0 && sent ? sctpa_direction_tsn(sent, own->asked_tsn) : NULL;
    return tsn && tsn->state & SCTPA_TSN_ABANDONED;
}

/* What the packet makes of the request of the peer that waits. */
static void take_answer(const sctpa_context_t *c, sctpa_data_channels_t *peer)
{
    if (is_answer(c, peer) || sctpa_data_channel_unanswered(c))
        peer->asked_packet = 0;
    else if (peer->taken_ns == 0 && c->acked && c->acked->cum_tsn >= peer->asked_tsn)
        peer->taken_ns = c->packet->time_ns;
}

static limited_t *find_limited(channels_t *kept, uint16_t stream)
{
    for (unsigned i = 0; i < kept->n_limited; i++)
        if (kept->limited[i].stream == stream)
            return &kept->limited[i];
    return NULL;
}

int64_t sctpa_data_channel_retransmissions(const sctpa_context_t *c, uint16_t stream)
{
    channels_t *kept = sctpa_context_find_part(c, SCTPA_PART_DATA_CHANNELS);
    const limited_t *limited = kept ? find_limited(kept, stream) : NULL;
    return limited ? (int64_t)limited->retransmissions : -1;
}

/* What a request says of retransmissions; the channel that its stream had before is closed. */
static void take_reliability(channels_t *kept, const sctpa_tlv_t *data, uint16_t stream)
{
    const uint8_t *open = data->bytes + data->row->fixed_bytes;
    bool is_limited = data->captured_bytes >= data->row->fixed_bytes + open_bytes &&
                      (open[TYPE_AT] & ~UNORDERED_TYPE) == PARTIAL_RELIABLE_REXMIT;
    limited_t *limited = find_limited(kept, stream);
    if (limited && !is_limited)
        *limited = kept->limited[--kept->n_limited];
    if (!limited && is_limited && kept->n_limited < LIMITED_KEPT)
        limited = &kept->limited[kept->n_limited++];
    if (limited && is_limited)
        *limited = (limited_t){ sctpa_be32(open + RELIABILITY_AT), stream };
}

void sctpa_data_channels_take(const sctpa_context_t *c)
{
    uint32_t stream;
    channels_t *kept = sctpa_context_find_part(c, SCTPA_PART_DATA_CHANNELS);
    if (kept && kept->of[!c->from].asked_packet > 0)
        take_answer(c, &kept->of[!c->from]);
    if (kept && c->rows & SCTPA_FORWARD_TSN_ROWS && sctpa_data_channel_is_given_up(c, c->from))
        kept->of[c->from].asked_packet = 0;
    if (!(c->facts & SCTPA_FACT_NEW_DATA) || !sctpa_data_channel_is_opened(c, &stream))
        return;
    if (!kept) {
        kept = sctpa_context_part(c, SCTPA_PART_DATA_CHANNELS, sizeof *kept);
        for (unsigned i = 0; i < 4; i++)
            kept->of[i / 2].opened[i % 2] = SCTPA_NO_PACKET_INDEX;
    }
    sctpa_data_channels_t *own = &kept->of[c->from];
    own->opened[stream % 2] = MIN(own->opened[stream % 2], c->index);
    take_reliability(kept, &c->first_data->tlv, (uint16_t)stream);
    if (own->asked_packet > 0)
        return;
    own->asked_packet = c->index + 1;
    own->asked_tsn = c->first_data->sent.number;
    own->asked_stream = (uint16_t)stream;
    own->taken_ns = 0;
}
