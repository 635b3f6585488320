/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data channels of WebRTC (RFC 8831, RFC 8832): which streams they take, how the messages that open them look, whether
 * they are answered and what may be sent before, how often their messages may be retransmitted, and empty messages.
 * Leaves out what is sent on them, and channels that are agreed on out of band. */
#include "data/shared_limits.h"
#include "model/chapter.h"
#include "model/shared/channel_messages.h"
#include "model/shared/forward_tsns.h"
#include "model/shared/obligations.h"
#include "model/shared/stream_set.h"
#include "track/feed/requests.h"
#include "wire/types.h"

/* WebRTC String Empty and WebRTC Binary Empty (RFC 8831 8). */
#define PPID_STRING_EMPTY 56
#define PPID_BINARY_EMPTY 57

/* Of an endpoint. */
typedef struct {
    uint32_t opened[2]; /* the first packet in which it opened a channel on an even, an odd stream;
                           SCTPA_NO_PACKET_INDEX none */
    /* Its first request that was not answered so far. */
    int64_t asked_tsn;     /* relative */
    int64_t taken_ns;      /* when that was acknowledged, 0 not yet */
    uint32_t asked_packet; /* 1 + packet of it, 0 none */
    uint16_t asked_stream;
} data_channels_t;

enum { LIMITED_KEPT = 8, SILENT_KEPT = 8, LOOK_BACK_CHUNKS = 16 };

/* A channel on which its opener has got nothing so far. */
typedef struct {
    int64_t opened_tsn; /* of the request, relative */
    uint32_t packet;
    uint16_t stream;
    uint8_t opener;
} silent_t;

/* A channel whose messages may be retransmitted so often. */
typedef struct {
    uint32_t retransmissions;
    uint16_t stream;
} limited_t;

typedef struct {
    data_channels_t of[2];
    limited_t limited[LIMITED_KEPT]; /* the first ones of either endpoint */
    silent_t silent[SILENT_KEPT];    /* the same */
    uint8_t n_limited, n_silent;
    bool is_asking[2];         /* by endpoint: its last RE-CONFIG request is not answered */
    uint32_t asked_packet[2];  /* by endpoint: the packet with that request */
    sctpa_stream_set_t opened; /* by either, as far as ranges go */
    bool is_overfull;          /* they did not go so far */
} channels_t;

enum { UNORDERED_TYPE = 0x80, RELIABLE = 0, PARTIAL_RELIABLE_REXMIT = 1 };

/* Does the packet hold a request to open a channel, in the first transmission of its first DATA chunk? *stream: its
 * stream. O(1). */
static bool data_channel_is_opened(const sctpa_context_t *c, uint32_t *stream)
{
    const sctpa_observed_t *data = c->first_data;
    if (!data || !sctpa_observed_is_new(data) || sctpa_channel_message(data) != SCTPA_CHANNEL_OPEN)
        return false;
    *stream = data->sent.tsn->stream;
    return true;
}

/* What an endpoint has opened before the packet; NULL: neither has. O(1). */
static const data_channels_t *data_channels(const sctpa_context_t *c, uint8_t endpoint)
{
    const channels_t *kept = sctpa_context_find_part(c, SCTPA_PART_DATA_CHANNELS);
    return kept ? &kept->of[endpoint] : NULL;
}

/* Does the packet answer the request of the peer that waits? */
static bool is_answer(const sctpa_context_t *c, const data_channels_t *peer)
{
    for (unsigned i = 0; c->rows & SCTPA_DATA_ROWS && i < c->n_chunks; i++)
        if (sctpa_tlv_is_data(&c->chunks[i].tlv) && sctpa_channel_message(&c->chunks[i]) == SCTPA_CHANNEL_ACK &&
            c->chunks[i].sent.tsn->stream == peer->asked_stream)
            return true;
    return false;
}

/* The request of the peer that the sender of the packet acknowledged so long ago that its answer, which is not in the
 * packet either, is overdue; NULL none. O(1), where one waits O(chunks). */
static const data_channels_t *data_channel_unanswered(const sctpa_context_t *c)
{
    const data_channels_t *peer = data_channels(c, !c->from);
    bool is_overdue =
        peer && peer->asked_packet > 0 && peer->taken_ns > 0 &&
        sctpa_context_least_ns(c, c->packet->time_ns - peer->taken_ns) > SCTPA_CHANNEL_UNANSWERED_S * SCTPA_NS_PER_S;
    return is_overdue && !is_answer(c, peer) ? peer : NULL;
}

/* Was the request of an endpoint that waits given up by FORWARD-TSN before it was acknowledged? The packet may be that
 * FORWARD-TSN. O(1). */
static bool data_channel_is_given_up(const sctpa_context_t *c, uint8_t endpoint)
{
    const data_channels_t *own = data_channels(c, endpoint);
    const sctpa_direction_t *sent = endpoint == c->from ? c->sent : c->acked;
    const sctpa_tsn_t *tsn = own && own->asked_packet > 0 && sent ? sctpa_direction_tsn(sent, own->asked_tsn) : NULL;
    return tsn && tsn->state & SCTPA_TSN_ABANDONED;
}

/* What the packet makes of the request of the peer that waits. */
static void take_answer(const sctpa_context_t *c, data_channels_t *peer)
{
    if (is_answer(c, peer) || data_channel_unanswered(c))
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

/* How often messages on a stream may be retransmitted, as the request to open its channel says; -1: it says nothing of
 * that, or none is kept. O(channels kept). */
static int64_t data_channel_retransmissions(const sctpa_context_t *c, uint16_t stream)
{
    channels_t *kept = sctpa_context_find_part(c, SCTPA_PART_DATA_CHANNELS);
    const limited_t *limited = kept ? find_limited(kept, stream) : NULL;
    return limited ? (int64_t)limited->retransmissions : -1;
}

/* What a request says of retransmissions; the channel that its stream had before is closed. */
static void take_reliability(channels_t *kept, const sctpa_tlv_t *data, uint16_t stream)
{
    const uint8_t *open = data->bytes + data->row->fixed_bytes;
    bool is_limited = data->captured_bytes >= data->row->fixed_bytes + (uint32_t)SCTPA_CHANNEL_OPEN_BYTES &&
                      (open[SCTPA_CHANNEL_TYPE_AT] & ~UNORDERED_TYPE) == PARTIAL_RELIABLE_REXMIT;
    limited_t *limited = find_limited(kept, stream);
    if (limited && !is_limited)
        *limited = kept->limited[--kept->n_limited];
    if (!limited && is_limited && kept->n_limited < LIMITED_KEPT)
        limited = &kept->limited[kept->n_limited++];
    if (limited && is_limited)
        *limited = (limited_t){ sctpa_be32(open + SCTPA_CHANNEL_RELIABILITY_AT), stream };
}

static silent_t *find_silent(channels_t *kept, uint8_t opener, uint16_t stream)
{
    for (unsigned i = 0; i < kept->n_silent; i++)
        if (kept->silent[i].opener == opener && kept->silent[i].stream == stream)
            return &kept->silent[i];
    return NULL;
}

/* What a new DATA chunk makes of channels without answer: any message of the peer ends that, a request begins it. */
static void take_silence(const sctpa_context_t *c, channels_t *kept, const sctpa_observed_t *data)
{
    const uint16_t stream = data->sent.tsn->stream;
    silent_t *answered = find_silent(kept, !c->from, stream);
    if (answered)
        *answered = kept->silent[--kept->n_silent];
    if (sctpa_channel_message(data) != SCTPA_CHANNEL_OPEN)
        return;
    silent_t *own = find_silent(kept, c->from, stream);
    if (!own && kept->n_silent < SILENT_KEPT)
        own = &kept->silent[kept->n_silent++];
    if (own)
        *own = (silent_t){ data->sent.number, c->index, stream, c->from };
}

/* The packet with the request of the sender for the channel on which it sends c->chunk, new user data, before anything
 * came on it; SCTPA_NO_PACKET_INDEX: there is no such request. The request may stand in the packet. O(1). */
static uint32_t data_channel_is_silent(const sctpa_context_t *c)
{
    channels_t *kept = sctpa_context_find_part(c, SCTPA_PART_DATA_CHANNELS);
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    const silent_t *silent = kept ? find_silent(kept, c->from, tsn->stream) : NULL;
    if (silent && silent->opened_tsn < c->chunk->sent.number)
        return silent->packet;
    for (unsigned i = 0; i < LOOK_BACK_CHUNKS && &c->chunks[i] < c->chunk; i++)
        if (sctpa_tlv_is_data(&c->chunks[i].tlv) && sctpa_observed_is_new(&c->chunks[i]) &&
            sctpa_channel_message(&c->chunks[i]) == SCTPA_CHANNEL_OPEN && c->chunks[i].sent.tsn->stream == tsn->stream)
            return c->index;
    return SCTPA_NO_PACKET_INDEX;
}

static void free_channels(sctpa_arena_t *arena, void *part)
{
    sctpa_stream_set_free(&((channels_t *)part)->opened, arena);
}

/* Requests of a RE-CONFIG wait for their answer, in which each of them is answered; one at a time (RFC 6525 5.1.1). */
static void take_reconfig(const sctpa_context_t *c, channels_t *kept)
{
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_param_list_t *list = sctpa_context_params_of(c, &c->chunks[i]);
        for (uint32_t n = 0; c->chunks[i].tlv.type == SCTPA_CHUNK_RE_CONFIG && n < list->n; n++)
            if (list->params[n].type == SCTPA_PARAM_RECONFIG_RESPONSE) {
                kept->is_asking[!c->from] = false;
            } else {
                kept->is_asking[c->from] = true;
                kept->asked_packet[c->from] = c->index;
            }
    }
}

/* Channels of the peer's side that the sender of the packet reports as closed: it owes the same. */
static void take_closed(const sctpa_context_t *c, const channels_t *kept)
{
    uint32_t n;
    const sctpa_half_closed_t *closed = sctpa_half_closed_of(c->tracked, &n);
    for (uint32_t i = 0; i < n; i++)
        if (closed[i].by != c->from && closed[i].frame == c->packet->frame &&
            sctpa_stream_set_has(&kept->opened, closed[i].stream))
            sctpa_obligations_close_channel(c, closed[i].stream, kept->asked_packet[!c->from]);
}

/* May a request to open a channel begin in the chunk, new data? */
static bool may_be_request(const sctpa_observed_t *data)
{
    const sctpa_channel_message_t message = sctpa_channel_message(data);
    return sctpa_observed_is_new(data) && (message == SCTPA_CHANNEL_OPEN || message == SCTPA_CHANNEL_CUT);
}

/* Streams of all requests of the packet. O(chunks). */
static void take_opened(const sctpa_context_t *c, channels_t *kept)
{
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_tlv_is_data(&c->chunks[i].tlv) && may_be_request(&c->chunks[i]))
            kept->is_overfull |= !sctpa_stream_set_add(&kept->opened, &c->store->arena, c->chunks[i].sent.tsn->stream);
}

/* O(chunks). */
static bool holds_request(const sctpa_context_t *c)
{
    unsigned i = 0;
    while (i < c->n_chunks && !(sctpa_tlv_is_data(&c->chunks[i].tlv) && may_be_request(&c->chunks[i])))
        i++;
    return i < c->n_chunks;
}

static channels_t *begin(const sctpa_context_t *c)
{
    channels_t *kept = sctpa_context_owning_part(c, SCTPA_PART_DATA_CHANNELS, sizeof *kept, free_channels);
    for (unsigned i = 0; i < 4; i++)
        kept->of[i / 2].opened[i % 2] = SCTPA_NO_PACKET_INDEX;
    return kept;
}

/* Takes the packet, after the rules. O(1), where a request waits O(chunks). */
static void data_channels_take(const sctpa_context_t *c)
{
    uint32_t stream;
    channels_t *kept = sctpa_context_find_part(c, SCTPA_PART_DATA_CHANNELS);
    if (kept && kept->of[!c->from].asked_packet > 0)
        take_answer(c, &kept->of[!c->from]);
    if (kept && c->rows & SCTPA_FORWARD_TSN_ROWS && data_channel_is_given_up(c, c->from))
        kept->of[c->from].asked_packet = 0;
    if (kept && c->rows & SCTPA_ROW(RE_CONFIG)) {
        take_reconfig(c, kept);
        take_closed(c, kept);
    }
    if (!kept && c->facts & SCTPA_FACT_NEW_DATA && holds_request(c))
        kept = begin(c);
    if (!kept || !(c->facts & SCTPA_FACT_NEW_DATA))
        return;
    take_opened(c, kept);
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_tlv_is_data(&c->chunks[i].tlv) && sctpa_observed_is_new(&c->chunks[i]))
            take_silence(c, kept, &c->chunks[i]);
    if (!data_channel_is_opened(c, &stream))
        return;
    data_channels_t *own = &kept->of[c->from];
    own->opened[stream % 2] = MIN(own->opened[stream % 2], c->index);
    take_reliability(kept, &c->first_data->tlv, (uint16_t)stream);
    if (own->asked_packet > 0)
        return;
    own->asked_packet = c->index + 1;
    own->asked_tsn = c->first_data->sent.number;
    own->asked_stream = (uint16_t)stream;
    own->taken_ns = 0;
}

RULE(UE, 014,
    .level = HEURISTIC, .since = 8831, .seeing = NOTHING, .needs = WHOLE,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(DATA) | ROW(I_DATA),
    .accused = "sender of the message",
    .clause = "RFC 8831 6.6",
    .title = "Empty WebRTC message that is not one zero byte",
    .quote = "the SCTP user message of one zero byte is sent",
    .why = "The receiver ignores what such a message holds: the data is lost.",
    .evidence = "PPID " SAY(PPID_STRING_EMPTY) " or " SAY(PPID_BINARY_EMPTY) ", the frame shows DTLS below "
        "SCTP, and the user data is a fragment, longer than one byte, or not zero.",
    .doubt = "The clause has no keyword: a note. Dumps and exports that hide the DTLS layer are not checked.");

/* Over DTLS. In I-DATA that begins no message the field is the FSN. */
static bool UE_014_applies(const sctpa_context_t *c)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    bool is_i_data = chunk->type == SCTPA_CHUNK_I_DATA;
    if (chunk->captured_bytes <= chunk->row->fixed_bytes || (is_i_data && !(chunk->flags & SCTPA_TSN_BEGIN)))
        return false;
    uint32_t ppid = sctpa_tlv_u32(chunk, is_i_data ? SCTPA_F_I_DATA_PPID : SCTPA_F_DATA_PPID);
    return ppid == PPID_STRING_EMPTY || ppid == PPID_BINARY_EMPTY;
}

/* "the SCTP user message of one zero byte is sent" */
static bool UE_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    const uint8_t whole_message = SCTPA_TSN_BEGIN | SCTPA_TSN_END, first = chunk->bytes[chunk->row->fixed_bytes];
    const uint32_t user_bytes = chunk->wire_bytes - chunk->row->fixed_bytes;
    if ((chunk->flags & whole_message) == whole_message && user_bytes == 1 && first == 0)
        return false;
    sctpa_violation_say(violation, "a message of one zero byte",
                        SCTPA_WORDS("flags 0x%02x, %u bytes, the first 0x%02x", chunk->flags, user_bytes, first));
    return true;
}

RULE(UE, 016,
    .level = HEURISTIC, .since = 8831, .seeing = NOTHING, .needs = WHOLE,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .report = { .one_defect = true },
    .accused = "sender of the request",
    .clause = "RFC 8831 6.5; RFC 8832",
    .title = "Both endpoints open data channels on even, or on odd streams",
    .quote = "the client picks even stream identifiers, and the server picks odd stream identifiers",
    .why = "Both may open a channel on one stream at the same time: neither is opened, or each takes the other's.",
    .evidence = "DATA_CHANNEL_OPEN (PPID 50) on an even stream, while the peer opened a channel on an even stream as "
        "well and none on an odd one; or the same with odd streams.",
    .doubt = "One of them is wrong, and not always the later one, who is named here: which endpoint is the client of "
        "DTLS is not visible. A note.");

static bool UE_016_applies(const sctpa_context_t *c)
{
    uint32_t stream;
    return data_channels(c, !c->from) && data_channel_is_opened(c, &stream);
}

/* RFC 8831 6.5: "the client picks even stream identifiers, and the server picks odd stream identifiers" */
static bool UE_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t stream = 0;
    const data_channels_t *peer = data_channels(c, !c->from);
    if (!data_channel_is_opened(c, &stream) || peer->opened[stream % 2] == SCTPA_NO_PACKET_INDEX ||
        peer->opened[1 - stream % 2] != SCTPA_NO_PACKET_INDEX)
        return false;
    violation->related = peer->opened[stream % 2];
    sctpa_violation_say(violation, SCTPA_WORDS("an %s stream", stream % 2 ? "even" : "odd"),
                        SCTPA_WORDS("stream %u, while the peer takes such streams", stream));
    return true;
}

RULE(UE, 017,
    .level = HEURISTIC, .since = 8831, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE,
    .when = PACKET, .of = OF_SENDER, .on = SCTPA_ANY_CHUNK,
    .report = { .one_defect = true },
    .accused = "receiver of the request",
    .clause = "RFC 8832 6",
    .title = "Request to open a data channel not answered",
    .quote = "",
    .why = "Some applications send nothing on the channel before the answer, and unordered messages may not overtake "
        "it.",
    .evidence = "A SACK acknowledged DATA_CHANNEL_OPEN (PPID 50), and more than " SAY(SCTPA_CHANNEL_UNANSWERED_S)
        " s later its receiver sends something, with nothing of its own outstanding, and sent no DATA_CHANNEL_ACK on "
        "the stream. " SCTPA_ARRIVED_EVIDENCE "probable, " SAY(SCTPA_SACK_LONGEST_MS) " ms after it read the request, "
        "by its window, and had nothing outstanding, where it did not close the channel either. Elsewhere, near the "
        "endpoint: probable where that happened to " SAY(SCTPA_UNANSWERED) " requests in a row.",
    .doubt = "The clause is restated here, not quoted, and sets no time: a note. One request at a time is followed, "
        "unless the capture is asserted to be complete and taken at the receiver.");

/* Its answer may be under way, or lost before the tap, as long as something of it is outstanding. */
static bool UE_017_applies(const sctpa_context_t *c)
{
    const data_channels_t *peer = data_channels(c, !c->from);
    return peer && peer->asked_packet > 0 && !(c->sent && c->sent->flight_bytes > 0);
}

/* A restatement, which is why this is a note. */
static bool UE_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const data_channels_t *peer = data_channel_unanswered(c);
    if (!peer)
        return false;
    violation->since = violation->related = peer->asked_packet - 1;
    sctpa_violation_say(violation, SCTPA_WORDS("DATA_CHANNEL_ACK on stream %u", peer->asked_stream),
                        SCTPA_WORDS("none %.1f s after the request was acknowledged",
                                    (double)(c->packet->time_ns - peer->taken_ns) / (double)SCTPA_NS_PER_S));
    return true;
}

static int64_t allowed_retransmissions(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    return tsn && c->chunk->sent.rtx > 0 ? data_channel_retransmissions(c, tsn->stream) : -1;
}

RULE(UE, 018,
    .level = HEURISTIC, .since = 8831, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .accused = "sender of the message",
    .clause = "RFC 8832 5.1",
    .title = "Message of a data channel retransmitted more often than it was opened for",
    .quote = "",
    .why = "What should be given up holds up what follows: the channel is slower than its application asked for.",
    .evidence = "DATA_CHANNEL_OPEN (PPID 50) limits the retransmissions of its channel, and a TSN on its stream is "
        "retransmitted more often.",
    .doubt = "The clause is restated here, not quoted: a note. Limits by time are not checked, since the time at which "
        "a message was handed over is not visible.");

static bool UE_018_applies(const sctpa_context_t *c)
{
    return allowed_retransmissions(c) >= 0;
}

/* A restatement, which is why this is a note. */
static bool UE_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    int64_t allowed = allowed_retransmissions(c);
    if ((int64_t)tsn->transmissions - 1 <= allowed || sctpa_channel_is_control(tsn))
        return false;
    violation->path = c->path;
    violation->related = tsn->first_packet;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("%u retransmissions at most on stream %u, as it was opened", (uint32_t)allowed, tsn->stream),
        SCTPA_WORDS("TSN %u retransmitted %u times", sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_DATA_TSN),
                    (uint32_t)tsn->transmissions - 1));
    return true;
}

RULE(UE, 019,
    .level = HEURISTIC, .since = 8831, .seeing = NOTHING, .needs = SETUP | BOTH | COMPLETE,
    .when = PACKET, .of = OF_SENDER, .on = ROW(FORWARD_TSN) | ROW(I_FORWARD_TSN),
    .accused = "sender of the request",
    .clause = "RFC 8832 6",
    .title = "Request to open a data channel given up",
    .quote = "",
    .why = "Messages of DCEP must be sent reliably: where the request is lost, the channel never opens.",
    .evidence = "A FORWARD-TSN gives DATA_CHANNEL_OPEN (PPID 50) up, which no SACK had acknowledged.",
    .doubt = "The clause is restated here, not quoted: a note. One request at a time is followed.");

static bool UE_019_applies(const sctpa_context_t *c)
{
    const data_channels_t *own = data_channels(c, c->from);
    return own && own->asked_packet > 0;
}

/* A restatement, which is why this is a note. */
static bool UE_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const data_channels_t *own = data_channels(c, c->from);
    if (!data_channel_is_given_up(c, c->from))
        return false;
    violation->since = violation->related = own->asked_packet - 1;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("DATA_CHANNEL_OPEN on stream %u sent until it is acknowledged", own->asked_stream),
                        "given up by FORWARD-TSN");
    return true;
}

/* Is c->chunk a whole new message of DCEP, captured to its end? *bytes, *n: the message. */
static bool data_channel_has_control(const sctpa_context_t *c, const uint8_t **bytes, uint32_t *n)
{
    const uint8_t whole = SCTPA_TSN_BEGIN | SCTPA_TSN_END;
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (!sctpa_observed_is_new(c->chunk) || !sctpa_channel_is_control(c->chunk->sent.tsn) ||
        (c->chunk->sent.tsn->flags & whole) != whole || chunk->captured_bytes <= chunk->row->fixed_bytes ||
        chunk->captured_bytes < chunk->length)
        return false;
    *bytes = chunk->bytes + chunk->row->fixed_bytes;
    *n = chunk->length - chunk->row->fixed_bytes;
    return **bytes == SCTPA_CHANNEL_OPEN || **bytes == SCTPA_CHANNEL_ACK;
}

RULE(UE, 020,
    .level = MUST, .since = 8831, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .report = { .one_defect = true },
    .accused = "sender of the message",
    .clause = "RFC 8832 5.1, 5.2",
    .title = "Message that opens or answers a data channel is malformed",
    .quote = "For reliable data channels, this field MUST be set to 0 on the sending side",
    .why = "The receiver discards the message, and the channel never opens, or its label is cut.",
    .evidence = "DATA_CHANNEL_OPEN (PPID 50) that is not as long as 12 bytes and the lengths of label and protocol in "
        "it, or that opens a reliable channel with a Reliability Parameter other than 0; DATA_CHANNEL_ACK that is "
        "longer than its type.",
    .doubt = "Messages in several fragments are not checked, nor are types of channels that no RFC defines.");

static bool UE_020_applies(const sctpa_context_t *c)
{
    const uint8_t *message;
    uint32_t n;
    return data_channel_has_control(c, &message, &n);
}

/* "The length of the label field in bytes", "The length of the protocol field in bytes" */
static bool UE_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint8_t *message = NULL;
    uint32_t n = 0;
    data_channel_has_control(c, &message, &n);
    bool is_open = message[0] == SCTPA_CHANNEL_OPEN;
    uint32_t expected = is_open ? sctpa_channel_open_bytes(message, n) : 1;
    if (n != expected) {
        sctpa_violation_say(violation, SCTPA_WORDS("a message of length %u, as it says itself", expected),
                            SCTPA_WORDS("%s of %u bytes", is_open ? "DATA_CHANNEL_OPEN" : "DATA_CHANNEL_ACK", n));
        return true;
    }
    if (!is_open || (message[SCTPA_CHANNEL_TYPE_AT] & ~UNORDERED_TYPE) != RELIABLE ||
        sctpa_be32(message + SCTPA_CHANNEL_RELIABILITY_AT) == 0)
        return false;
    sctpa_violation_say(violation, "a Reliability Parameter of 0, since the channel is reliable",
                        SCTPA_WORDS("%u", sctpa_be32(message + SCTPA_CHANNEL_RELIABILITY_AT)));
    return true;
}

RULE(UE, 021,
    .level = MUST, .since = 8831, .seeing = COULD, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .report = { .once = true },
    .accused = "sender of the message",
    .clause = "RFC 8832 6",
    .title = "Unordered message on a data channel before anything came on it",
    .quote = "before the DATA_CHANNEL_ACK message or any other message has been received on a data channel, all other "
        "messages containing user data and belonging to this data channel MUST be sent ordered, no matter whether the "
        "data channel is ordered or not",
    .why = "The message may overtake the request: its receiver has no channel yet, and discards it or fails.",
    .evidence = "The endpoint sent DATA_CHANNEL_OPEN (PPID 50) and then user data with the U bit on its stream, and "
        "its peer sent nothing on the stream before.",
    .doubt = "What the peer sent on the stream may be missing from the capture. Eight channels that wait are "
        "followed.");

static bool UE_021_applies(const sctpa_context_t *c)
{
    return sctpa_observed_is_new(c->chunk) && c->chunk->sent.tsn->flags & SCTPA_TSN_BEGIN &&
           !sctpa_channel_is_control(c->chunk->sent.tsn) && data_channel_is_silent(c) != SCTPA_NO_PACKET_INDEX;
}

/* "MUST be sent ordered, no matter whether the data channel is ordered or not" */
static bool UE_021_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    if (!(tsn->flags & SCTPA_TSN_UNORDERED))
        return false;
    violation->related = violation->since = data_channel_is_silent(c);
    violation->is_by_peer = true;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("ordered messages on stream %u until something comes on it", tsn->stream),
                        SCTPA_WORDS("TSN %u unordered", sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_DATA_TSN)));
    return true;
}

RULE(UE, 023,
    .level = MUST, .since = 8831, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .accused = "sender of the message",
    .clause = "RFC 8832 6",
    .title = "Message that opens or answers a data channel is sent unordered",
    .quote = "All DCEP messages MUST be sent using ordered delivery and reliable transmission.",
    .why = "User data may overtake the message: its receiver has no channel yet, and discards it or fails.",
    .evidence = "DATA_CHANNEL_OPEN or DATA_CHANNEL_ACK (PPID 50) with the U bit.",
    .doubt = "PPID 50 is assigned to these messages alone. Those in several fragments are not checked.");

static bool UE_023_applies(const sctpa_context_t *c)
{
    const uint8_t *message;
    uint32_t n;
    return data_channel_has_control(c, &message, &n);
}

/* "All DCEP messages MUST be sent using ordered delivery" */
static bool UE_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    if (!(tsn->flags & SCTPA_TSN_UNORDERED))
        return false;
    sctpa_violation_say(
        violation, "an ordered message",
        SCTPA_WORDS("%s on stream %u unordered",
                    sctpa_channel_message(c->chunk) == SCTPA_CHANNEL_OPEN ? "DATA_CHANNEL_OPEN" : "DATA_CHANNEL_ACK",
                    tsn->stream));
    return true;
}

RULE(UE, 024,
    .level = MUST, .since = 8831, .seeing = COULD, .needs = SETUP | BOTH | COMPLETE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .accused = "sender of the answer",
    .clause = "RFC 8832 6",
    .title = "Data channel answered on a stream on which none was opened",
    .quote = "They MUST be sent on the same outgoing stream as the user messages belonging to the corresponding data "
        "channel.",
    .why = "The peer waits for its answer, and gets one for a channel that it does not have.",
    .evidence = "DATA_CHANNEL_ACK (PPID 50) on a stream on which neither endpoint sent DATA_CHANNEL_OPEN.",
    .doubt = "A request that the capture lacks. Not checked where channels on more streams were opened than are "
        "followed.");

/* Was a channel opened on a stream, by either endpoint? */
static sctpa_known_t is_opened(const sctpa_context_t *c, uint16_t stream)
{
    const channels_t *kept = sctpa_context_find_part(c, SCTPA_PART_DATA_CHANNELS);
    if (!kept || !sctpa_stream_set_has(&kept->opened, stream))
        return kept && kept->is_overfull ? SCTPA_UNKNOWN : SCTPA_NO;
    return SCTPA_YES;
}

static bool UE_024_applies(const sctpa_context_t *c)
{
    const uint8_t *message;
    uint32_t n;
    return data_channel_has_control(c, &message, &n) && *message == SCTPA_CHANNEL_ACK &&
           is_opened(c, c->chunk->sent.tsn->stream) != SCTPA_UNKNOWN;
}

/* "They MUST be sent on the same outgoing stream as the user messages belonging to the corresponding data channel" */
static bool UE_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    if (is_opened(c, tsn->stream) == SCTPA_YES)
        return false;
    violation->is_by_peer = true;
    sctpa_violation_say(violation, "DATA_CHANNEL_ACK on the stream of a DATA_CHANNEL_OPEN",
                        SCTPA_WORDS("DATA_CHANNEL_ACK on stream %u, on which none came", tsn->stream));
    return true;
}

/* The channel that the peer closed so long ago that the sender of the packet, which has nothing outstanding and asks
 * for nothing else, must have closed it as well; NULL none. O(streams that one endpoint alone reset). */
static const sctpa_half_closed_t *find_half_closed(const sctpa_context_t *c)
{
    uint32_t n;
    const channels_t *kept = sctpa_context_find_part(c, SCTPA_PART_DATA_CHANNELS);
    const sctpa_half_closed_t *closed = sctpa_half_closed_of(c->tracked, &n);
    if (kept->is_asking[c->from] || (c->sent && c->sent->flight_bytes > 0))
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        if (closed[i].by != c->from && closed[i].frame > 0 && sctpa_stream_set_has(&kept->opened, closed[i].stream) &&
            sctpa_context_least_ns(c, c->packet->time_ns - closed[i].time_ns) >
                SCTPA_CHANNEL_UNANSWERED_S * SCTPA_NS_PER_S)
            return &closed[i];
    return NULL;
}

RULE(UE, 022,
    .level = SHOULD, .since = 8831, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .report = { .one_defect = true, .once = true },
    .accused = "endpoint whose peer closed the channel",
    .clause = "RFC 8831 6.7",
    .title = "Data channel that the peer closed is not closed",
    .quote = "When the peer sees that an incoming stream was reset, it also resets its corresponding outgoing stream.",
    .why = "The channel stays half closed, and its stream cannot be used again.",
    .evidence = "The endpoint answered the peer's Outgoing SSN Reset Request for the stream of a channel (opened by "
        "PPID 50) by \"performed\", and more than " SAY(SCTPA_CHANNEL_UNANSWERED_S) " s later it sends something, "
        "with nothing of its own outstanding and no other request unanswered, and has not asked to reset the stream. "
        SCTPA_ARRIVED_EVIDENCE "probable, " SAY(SCTPA_SACK_LONGEST_MS) " ms after that.",
    .doubt = "The clause has no keyword and sets no time: a SHOULD. Its request may be missing from the capture. Not "
        "checked once either endpoint shuts the association down.");

static bool UE_022_applies(const sctpa_context_t *c)
{
    return c->tracked->rare->half_closed && !sctpa_context_chunks(c, 0, SCTPA_CHUNK_ROW_SHUTDOWN) &&
           !sctpa_context_chunks(c, 1, SCTPA_CHUNK_ROW_SHUTDOWN) &&
           !(c->rows & (SCTPA_ROW(ABORT) | SCTPA_ROW(RE_CONFIG)));
}

/* "it also resets its corresponding outgoing stream" */
static bool UE_022_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_half_closed_t *closed = find_half_closed(c);
    if (!closed)
        return false;
    violation->since = violation->related = sctpa_context_packet_of(c, closed->frame);
    sctpa_violation_say(violation, SCTPA_WORDS("an Outgoing SSN Reset Request for stream %u", closed->stream),
                        SCTPA_WORDS("none %.1f s after that of the peer was performed",
                                    (double)(c->packet->time_ns - closed->time_ns) / (double)SCTPA_NS_PER_S));
    return true;
}

/* A message that opens a channel, or answers one that does: without, and without channels, nothing is of one.
 * O(chunks).
 */
static bool holds_control(const sctpa_context_t *c)
{
    for (unsigned i = 0; c->first_data && i < c->n_chunks; i++)
        if (c->chunks[i].sent.tsn && sctpa_channel_is_control(c->chunks[i].sent.tsn))
            return true;
    return false;
}

void sctpa_check_data_channels(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(UE, 017, CHANNEL_OPEN);
        ASK_DUE(UE, 022, CHANNEL_CLOSE);
        return;
    }
    if (sctpa_context_is_over_dtls(c))
        ASK(UE, 014);
    const bool has_channels = sctpa_context_find_part(c, SCTPA_PART_DATA_CHANNELS) != NULL;
    if (has_channels) {
        ASK(UE, 016);
        ASK(UE, 017);
        ASK(UE, 018);
        ASK(UE, 019);
        ASK(UE, 022);
    }
    if (has_channels || holds_control(c)) {
        ASK(UE, 020);
        ASK(UE, 021);
        ASK(UE, 023);
        ASK(UE, 024);
    }
    data_channels_take(c);
}
