/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stream reconfiguration (RFC 6525): RE-CONFIG chunks as such, requests to reset and add streams, their answers, and
 * what was sent that had to wait for an answer. Rules about a parameter see what its packet said before it: each is
 * asked about and taken before the next. Leaves out how many streams the set-up agreed on (context.h), and
 * what a reset does to TSNs (data/direction.h). */
#include "base/hash.h"
#include "model/chapter.h"
#include "model/shared/obligations.h"
#include "model/shared/message_order.h"
#include "model/shared/retransmissions.h"
#include "model/shared/stream_set.h"

/* Requests that the capture may have missed: what lies further ahead was not asked. */
#define UNSEEN_REQUESTS 16

/* No response, but a request of the peer that answers the request. */
#define RECONFIG_IMPLIED UINT32_MAX

/* Bits of the parameters of RE-CONFIG, by type from 13 on. */
#define RECONFIG_BIT(id) (1U << (SCTPA_PARAM_##id - SCTPA_PARAM_OUTGOING_RESET))

/* One in a hundred less than the 30 s of RFC 6525 5.1.4. */
#define TSN_RESETS_APART_MS 29700

/* Numbers of the requests in 20 packets that a capture may lack: each packet waits for the answer to the one before it,
 * and holds two; twice that. */
#define REQUESTS_HIDDEN 40

/* What separates TSNs that follow a reset from those before it, which a retransmission or a late packet has. */
#define RESET_AHEAD_TSNS 1024

/* So long after all data before a reset was acknowledged, nothing is left to wait for: three times RTO.Initial of RFC
 * 9260 16, by which a responder has seen the request again. */
#define RESET_PENDING_MS 3000

/* What separates packets behind an answer from those that took another path and were under way. */
#define RESET_LATE_MS 1000

enum { RECONFIG_REQUESTS = 4 };

/* The last result of RFC 6525 4.4, Table 3. */
#define RECONFIG_RESULTS_MAX 6

/* Results of a response (RFC 6525 4.4). */
enum { RECONFIG_PERFORMED = 1, RECONFIG_BAD_NUMBER = 5, RECONFIG_IN_PROGRESS = 6 };

typedef enum { RECONFIG_UNANSWERED, RECONFIG_PENDING, RECONFIG_ANSWERED } reconfig_answer_t;

typedef struct {
    sctpa_stream_set_t streams; /* that it lists */
    uint32_t seq, last_tsn;
    uint32_t packet;        /* of its first transmission */
    uint32_t answer_packet; /* of the last response */
    uint32_t hash;          /* of what a retransmission must not change */
    uint32_t result;        /* of the last response */
    uint32_t early_packet;  /* the first that held what had to wait for the answer, SCTPA_NO_PACKET_INDEX none */
    uint32_t early_number;  /* its TSN; number of the request that it held */
    uint32_t highest_tsn;   /* that its sender had sent, where has_highest */
    uint16_t type, new_streams;
    uint8_t answer; /* reconfig_answer_t */
    bool is_retransmitted;
    bool has_list;     /* it lists streams; else it is about all of them, or about none */
    bool is_list_kept; /* streams has all of them: they are not too many ranges */
    bool is_early_request;
    bool has_highest;
    bool was_idle; /* all data was acknowledged, and the window had room for any chunk */
} reconfig_request_t;

/* What an endpoint asked for. All zero: nothing. */
typedef struct {
    reconfig_request_t requests[RECONFIG_REQUESTS]; /* the newest, in a ring */
    int64_t tsn_reset_ns;                           /* the last SSN/TSN reset request, 0 none */
    uint32_t n_requests;                            /* different ones, ever */
    uint32_t first_seq, newest_seq;
    uint32_t added_streams; /* outbound, granted */
    bool has_unseen;        /* a response showed that a request was not captured */
    bool has_asked_again; /* since that, its newest request that was captured, which is not answered: there was none */
} reconfig_requester_t;

typedef struct {
    reconfig_requester_t requesters[2];
    /* what the parameter asked about is to them: */
    reconfig_request_t *retransmitted, *answered;
    bool is_new_request;
} requesters_t;

enum { PARAMS_MAX = 2 };

enum { FULL_RESPONSE_BYTES = 20 };

enum { LOOK_BACK_TSNS = 64 };

/* That of a type of parameter, 0: no parameter of RE-CONFIG. */
static unsigned reconfig_bit(uint32_t type)
{
    return type >= SCTPA_PARAM_OUTGOING_RESET && type <= SCTPA_PARAM_ADD_INCOMING
               ? 1U << (type - SCTPA_PARAM_OUTGOING_RESET)
               : 0;
}

/* How many of its requests are kept. */
static unsigned reconfig_kept(const reconfig_requester_t *requester)
{
    return MIN(requester->n_requests, RECONFIG_REQUESTS);
}

/* The newest of them; there is one. */
static const reconfig_request_t *reconfig_newest(const reconfig_requester_t *requester)
{
    return &requester->requests[(requester->n_requests - 1) % RECONFIG_REQUESTS];
}

/* Its number, where it is a request: the field stands at the same place in all of them (RFC 6525 4). O(1). */
static uint32_t reconfig_request_seq(const sctpa_context_t *c)
{
    return sctpa_tlv_u32(c->param, SCTPA_F_OUTGOING_RESET_REQUEST_SEQ);
}

/* Is data the first transmission of a DATA chunk? O(1). */
static bool reconfig_is_new_data(const sctpa_observed_t *data)
{
    return sctpa_observed_is_new(data) && !(data->sent.tsn->state & SCTPA_TSN_EARLIER_UNSEEN);
}

/* How far the TSN of a DATA chunk lies above the Last Assigned TSN of a request. O(1). */
static int32_t reconfig_distance(const reconfig_request_t *request, const sctpa_observed_t *data)
{
    return sctpa_serial_distance(request->last_tsn, sctpa_tlv_u32(&data->tlv, SCTPA_F_DATA_TSN));
}

/* What an endpoint asked for before what is asked about; never NULL. O(1). */
static const reconfig_requester_t *reconfig_requester(const sctpa_context_t *c, uint8_t endpoint)
{
    static const reconfig_requester_t none;
    return sctpa_context_part_of(c, SCTPA_PART_STREAMS, endpoint, sizeof none, &none);
}

/* Streams that the endpoint may send on, by set-up and by what was granted since. O(1). */
static uint32_t reconfig_outbound(const sctpa_context_t *c, uint8_t endpoint)
{
    sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    return sctpa_stream_counts_agreed(&counts, endpoint) + reconfig_requester(c, endpoint)->added_streams;
}

static bool is_request(const sctpa_context_t *c)
{
    return reconfig_bit(c->param->type) & ~RECONFIG_BIT(RECONFIG_RESPONSE) &&
           c->param->captured_bytes >= c->param->row->fixed_bytes;
}

/* Is c->param a response whose fields were captured? O(1). */
static bool reconfig_is_response(const sctpa_context_t *c)
{
    return c->param->type == SCTPA_PARAM_RECONFIG_RESPONSE && c->param->captured_bytes >= c->param->row->fixed_bytes;
}

static reconfig_request_t *find(reconfig_requester_t *requester, uint32_t seq)
{
    for (unsigned i = 0; i < reconfig_kept(requester); i++)
        if (requester->requests[i].seq == seq)
            return &requester->requests[i];
    return NULL;
}

static bool is_above(const reconfig_requester_t *requester, uint32_t seq)
{
    return requester->n_requests == 0 || sctpa_serial_distance(requester->newest_seq, seq) > 0;
}

static uint32_t response_seq(const sctpa_context_t *c)
{
    return sctpa_tlv_u32(c->param, SCTPA_F_RECONFIG_RESPONSE_SEQ);
}

static void free_requests(sctpa_arena_t *arena, void *part)
{
    requesters_t *kept = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        for (unsigned i = 0; i < RECONFIG_REQUESTS; i++)
            sctpa_stream_set_free(&kept->requesters[endpoint].requests[i].streams, arena);
}

/* Finds what c->param, a parameter of RE-CONFIG, is to the requests kept, before rules are asked about it. O(1). */
static void reconfig_observe_param(const sctpa_context_t *c)
{
    requesters_t *kept = sctpa_context_owning_part(c, SCTPA_PART_STREAMS, sizeof *kept, free_requests);
    reconfig_requester_t *own = &kept->requesters[c->from], *peer = &kept->requesters[!c->from];
    kept->answered = reconfig_is_response(c) ? find(peer, response_seq(c)) : NULL;
    kept->retransmitted = is_request(c) ? find(own, reconfig_request_seq(c)) : NULL;
    kept->is_new_request = is_request(c) && !kept->retransmitted && is_above(own, reconfig_request_seq(c));
}

/* The request kept whose number it has again, NULL: it is no request, or has another number. O(1). */
static const reconfig_request_t *reconfig_retransmitted(const sctpa_context_t *c)
{
    const requesters_t *kept = sctpa_context_find_part(c, SCTPA_PART_STREAMS);
    return kept->retransmitted;
}

/* The request kept of the peer whose number it has as a response, NULL: it is no response, or none is kept. O(1). */
static const reconfig_request_t *reconfig_answered(const sctpa_context_t *c)
{
    const requesters_t *kept = sctpa_context_find_part(c, SCTPA_PART_STREAMS);
    return kept->answered;
}

/* Is it a request with a number above those before it? O(1). */
static bool reconfig_is_new_request(const sctpa_context_t *c)
{
    const requesters_t *kept = sctpa_context_find_part(c, SCTPA_PART_STREAMS);
    return kept->is_new_request;
}

/* Hash of the request's type, Last Assigned TSN and streams. O(bytes). */
static uint32_t reconfig_hash(const sctpa_context_t *c)
{
    /* behind the number of the request, and in an Outgoing SSN Reset that of the response in it */
    uint32_t numbers = c->param->type == SCTPA_PARAM_OUTGOING_RESET ? 2 : 1,
             skip = MIN(SCTPA_TLV_HEADER_BYTES + numbers * 4, c->param->captured_bytes);
    return (uint32_t)sctpa_hash_bytes(sctpa_hash_mix(c->tracker->store.seed, c->param->type), c->param->bytes + skip,
                                      c->param->captured_bytes - skip);
}

/* Streams that the request lists: *n of them, big-endian, one after the other. O(1). */
static const uint8_t *reconfig_listed(const sctpa_context_t *c, uint32_t *n)
{
    const sctpa_tlv_t *param = c->param;
    bool has_list = param->type == SCTPA_PARAM_OUTGOING_RESET || param->type == SCTPA_PARAM_INCOMING_RESET;
    *n = has_list ? (param->captured_bytes - param->row->fixed_bytes) / 2 : 0;
    return param->bytes + param->row->fixed_bytes;
}

/* Is seq a number that the peer has asked with, or may have in as many requests that were not captured? O(1). */
static bool reconfig_may_be_asked(const sctpa_context_t *c, uint32_t seq, int32_t unseen)
{
    const reconfig_requester_t *peer = reconfig_requester(c, !c->from);
    uint32_t first = c->assoc->ends[!c->from].init.initial_tsn,
             newest = peer->n_requests > 0 ? peer->newest_seq : first;
    if (peer->n_requests > 0 && sctpa_serial_distance(first, peer->first_seq) < 0)
        first = peer->first_seq; /* a wrong number, but that of a request */
    return sctpa_serial_distance(first, seq) >= 0 && sctpa_serial_distance(seq, newest) >= -unseen;
}

/* Does new data begin an ordered message, above the Last Assigned TSN, on a stream that the request, an Outgoing SSN
 * Reset, resets? O(log ranges). */
static bool reconfig_begins_after(const reconfig_request_t *request, const sctpa_observed_t *data)
{
    const sctpa_tsn_t *tsn = data->sent.tsn;
    return tsn->flags & SCTPA_TSN_BEGIN && !(tsn->flags & SCTPA_TSN_UNORDERED) &&
           reconfig_distance(request, data) > 0 &&
           (!request->has_list || (request->is_list_kept && sctpa_stream_set_has(&request->streams, tsn->stream)));
}

/* A request of the peer that c->param, a request itself, answers. */
static reconfig_request_t *implied(const sctpa_context_t *c, reconfig_requester_t *peer)
{
    uint32_t answers = sctpa_tlv_u32(c->param, SCTPA_F_OUTGOING_RESET_RESPONSE_SEQ);
    for (unsigned i = 0; i < reconfig_kept(peer); i++) {
        reconfig_request_t *request = &peer->requests[i];
        if ((c->param->type == SCTPA_PARAM_OUTGOING_RESET && request->type == SCTPA_PARAM_INCOMING_RESET &&
             request->seq == answers) ||
            (c->param->type == SCTPA_PARAM_ADD_OUTGOING && request->type == SCTPA_PARAM_ADD_INCOMING &&
             request->answer == RECONFIG_UNANSWERED))
            return request;
    }
    return NULL;
}

/* Something was sent that must wait for the answer, unless the answer already passed. */
static void note_early(const sctpa_context_t *c, reconfig_request_t *request, uint32_t number, bool is_early_request)
{
    if (request->answer != RECONFIG_UNANSWERED || request->packet == c->index ||
        request->early_packet != SCTPA_NO_PACKET_INDEX)
        return;
    request->early_packet = c->index;
    request->early_number = number;
    request->is_early_request = is_early_request;
}

/* Has an endpoint nothing outstanding, and does the window have room for any chunk, so that what it has left to send it
 * may send now? The Chunk Length field has 16 bits. */
static bool is_idle(const sctpa_direction_t *sent)
{
    return sent->highest >= 0 && sent->has_cum && sent->cum_tsn >= sent->highest && sent->a_rwnd_bytes >= UINT16_MAX;
}

/* Keeps the request in place of the oldest one. */
static void keep(const sctpa_context_t *c, reconfig_requester_t *requester)
{
    uint32_t n;
    const uint8_t *listed = reconfig_listed(c, &n);
    reconfig_request_t *request = &requester->requests[requester->n_requests % RECONFIG_REQUESTS];
    *request = (reconfig_request_t){ .seq = reconfig_request_seq(c),
                                     .last_tsn = sctpa_tlv_u32(c->param, SCTPA_F_OUTGOING_RESET_LAST_TSN),
                                     .packet = c->index,
                                     .hash = reconfig_hash(c),
                                     .type = (uint16_t)c->param->type,
                                     .early_packet = SCTPA_NO_PACKET_INDEX,
                                     .has_list = n > 0,
                                     .is_list_kept = true,
                                     .has_highest = c->sent && c->sent->highest >= 0,
                                     .was_idle = c->sent && is_idle(c->sent),
                                     .streams = request->streams };
    if (request->has_highest)
        request->highest_tsn = sctpa_direction_serial(c->sent, c->sent->highest);
    request->new_streams = (uint16_t)sctpa_tlv_u32(c->param, SCTPA_F_ADD_OUTGOING_NEW_STREAMS);
    sctpa_stream_set_clear(&request->streams);
    for (uint32_t i = 0; i < n && request->is_list_kept; i++)
        request->is_list_kept = sctpa_stream_set_add(&request->streams, &c->store->arena, sctpa_be16(listed + 2 * i));
    if (requester->n_requests++ == 0)
        requester->first_seq = request->seq;
    requester->newest_seq = request->seq;
}

static void take_request(const sctpa_context_t *c, requesters_t *kept)
{
    reconfig_requester_t *requester = &kept->requesters[c->from];
    reconfig_request_t *answered = implied(c, &kept->requesters[!c->from]);
    if (kept->retransmitted) {
        kept->retransmitted->is_retransmitted = true;
        requester->has_asked_again |= requester->has_unseen && kept->retransmitted->seq == requester->newest_seq &&
                                      kept->retransmitted->answer == RECONFIG_UNANSWERED;
    }
    if (kept->is_new_request) {
        requester->has_asked_again = false;
        for (unsigned i = 0; !answered && i < reconfig_kept(requester); i++)
            note_early(c, &requester->requests[i], reconfig_request_seq(c), true);
        if (c->param->type == SCTPA_PARAM_TSN_RESET)
            requester->tsn_reset_ns = c->packet->time_ns;
        keep(c, requester);
    }
    if (answered && answered->answer != RECONFIG_ANSWERED) {
        answered->answer = RECONFIG_ANSWERED;
        answered->result = RECONFIG_IMPLIED;
    }
}

static void take_response(const sctpa_context_t *c, reconfig_requester_t *requester, reconfig_request_t *request)
{
    uint32_t result = sctpa_tlv_u32(c->param, SCTPA_F_RECONFIG_RESPONSE_RESULT);
    if (is_above(requester, response_seq(c)))
        requester->has_unseen = true;
    if (!request)
        return;
    bool is_final = request->answer == RECONFIG_ANSWERED, is_pending = result == RECONFIG_IN_PROGRESS;
    if (!is_final && result == RECONFIG_PERFORMED && request->type == SCTPA_PARAM_ADD_OUTGOING)
        requester->added_streams += request->new_streams;
    if (!is_final || !is_pending) {
        request->answer = is_pending ? RECONFIG_PENDING : RECONFIG_ANSWERED;
        request->result = result;
        request->answer_packet = c->index;
    }
}

/* Takes c->param, which was observed: rules about a parameter see what was there before it. O(streams listed) for a
 * list in ascending order, else O(streams listed * SCTPA_STREAM_RANGES_MAX). */
static void reconfig_take_param(const sctpa_context_t *c)
{
    requesters_t *kept = sctpa_context_find_part(c, SCTPA_PART_STREAMS);
    if (reconfig_is_response(c))
        take_response(c, &kept->requesters[!c->from], kept->answered);
    else if (is_request(c))
        take_request(c, kept);
}

/* New data that must wait for the answer; data on streams that were asked for whenever it was sent first. */
static bool must_wait(const sctpa_context_t *c, const reconfig_request_t *request, const sctpa_observed_t *data)
{
    uint32_t count;
    switch (request->type) {
    case SCTPA_PARAM_OUTGOING_RESET: return reconfig_begins_after(request, data);
    case SCTPA_PARAM_TSN_RESET: return true;
    case SCTPA_PARAM_ADD_OUTGOING:
        count = reconfig_outbound(c, c->from);
        return data->sent.tsn->stream >= count && data->sent.tsn->stream < count + request->new_streams;
    default: return false;
    }
}

/* Takes the DATA of the packet, after its RE-CONFIGs. O(chunks). */
static void reconfig_take_data(const sctpa_context_t *c)
{
    requesters_t *kept = sctpa_context_find_part(c, SCTPA_PART_STREAMS);
    reconfig_requester_t *requester = kept ? &kept->requesters[c->from] : NULL;
    if (!requester || requester->n_requests == 0)
        return;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_observed_t *data = &c->chunks[i];
        if (!sctpa_tlv_is_data(&data->tlv) || !data->sent.tsn)
            continue;
        for (unsigned k = 0; k < reconfig_kept(requester); k++) {
            reconfig_request_t *request = &requester->requests[k];
            if (request->answer == RECONFIG_UNANSWERED && request->early_packet == SCTPA_NO_PACKET_INDEX &&
                (reconfig_is_new_data(data) || request->type == SCTPA_PARAM_ADD_OUTGOING) &&
                must_wait(c, request, data))
                note_early(c, request, sctpa_tlv_u32(&data->tlv, SCTPA_F_DATA_TSN), false);
        }
    }
}

/* Parameters of a RE-CONFIG: those of RFC 6525 as a set, and how many there are of any type. O(parameters). */
static unsigned held(const sctpa_param_list_t *list, unsigned *n)
{
    unsigned bits = 0;
    for (uint32_t i = 0; i < list->n; i++)
        bits |= reconfig_bit(list->params[i].type);
    *n = list->n;
    return bits;
}

static bool is_whole(const sctpa_tlv_t *chunk)
{
    return chunk->captured_bytes >= chunk->wire_bytes;
}

static bool is_allowed(unsigned bits, unsigned n)
{
    static const unsigned two[] = {
        RECONFIG_BIT(OUTGOING_RESET) | RECONFIG_BIT(INCOMING_RESET),
        RECONFIG_BIT(ADD_OUTGOING) | RECONFIG_BIT(ADD_INCOMING),
        RECONFIG_BIT(RECONFIG_RESPONSE) | RECONFIG_BIT(OUTGOING_RESET),
        RECONFIG_BIT(RECONFIG_RESPONSE),
    };
    for (unsigned i = 0; n == PARAMS_MAX && i < G_N_ELEMENTS(two); i++)
        if (bits == two[i])
            return true;
    return n == 1 && bits != 0;
}

RULE(RC, 001,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = CHUNK, .on = ROW(RE_CONFIG),
    .accused = "sender of the request",
    .clause = "RFC 6525 5.1.1",
    .title = "Request to a peer that does not support RE-CONFIG",
    .quote = "then the sender MUST NOT send any re-configuration request to the peer",
    .why = "The peer ignores the request or reports it, and the stream is not reset.",
    .evidence = "RE-CONFIG holds a request, and the peer's INIT or INIT ACK, captured whole, does not list chunk type "
        "0x82.",
    .doubt = "Responses alone are not checked. Nor is the rule checked where an INIT or INIT ACK was cut.");

static bool RC_001_applies(const sctpa_context_t *c)
{
    unsigned n;
    return sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_RE_CONFIG) != SCTPA_UNKNOWN &&
           is_whole(&c->chunk->tlv) && held(sctpa_context_params(c), &n) & ~RECONFIG_BIT(RECONFIG_RESPONSE);
}

/* "the sender MUST NOT send any re-configuration request to the peer" */
static bool RC_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_RE_CONFIG) != SCTPA_NO)
        return false;
    sctpa_violation_say(violation, "no request: the peer did not list RE-CONFIG", "a re-configuration request");
    return true;
}

RULE(RC, 027,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = CHUNK, .on = ROW(RE_CONFIG),
    .accused = "sender of the chunk",
    .clause = "RFC 6525 5.1.1",
    .title = "RE-CONFIG from an endpoint that did not list it",
    .quote = "An SCTP endpoint supporting this extension MUST include the chunk type of the RE-CONFIG chunk in the "
        "Supported Extensions Parameter",
    .why = "The peer cannot know that it may ask for resets.",
    .evidence = "The endpoint sends RE-CONFIG, but its INIT or INIT ACK, captured whole, does not list chunk type "
        "0x82.",
    .doubt = "Not checked where its INIT or INIT ACK was cut.");

static bool RC_027_applies(const sctpa_context_t *c)
{
    return sctpa_offers(&c->assoc->ends[c->from].init, SCTPA_EXTENSION_RE_CONFIG) != SCTPA_UNKNOWN &&
           is_whole(&c->chunk->tlv);
}

/* "MUST include the chunk type of the RE-CONFIG chunk in the Supported Extensions Parameter" */
static bool RC_027_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_offers(&c->assoc->ends[c->from].init, SCTPA_EXTENSION_RE_CONFIG) != SCTPA_NO)
        return false;
    sctpa_violation_say(violation, "RE-CONFIG listed by its sender", "RE-CONFIG by an endpoint that did not list it");
    return true;
}

RULE(RC, 005,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(RE_CONFIG),
    .accused = "sender of the chunk",
    .clause = "RFC 6525 3.1",
    .title = "RE-CONFIG parameters that must not be combined",
    .quote = "Only the following combinations are allowed",
    .why = "The receiver may process only one of them, or none.",
    .evidence = "The parameters of one chunk are none of the ten combinations allowed.",
    .doubt = "Their order in the chunk is free.");

static bool RC_005_applies(const sctpa_context_t *c)
{
    return is_whole(&c->chunk->tlv);
}

/* "Only the following combinations are allowed" */
static bool RC_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned n, bits = held(sctpa_context_params(c), &n);
    if (is_allowed(bits, n))
        return false;
    sctpa_violation_say(violation, "one of the combinations of RFC 6525 3.1",
                        SCTPA_WORDS("%u parameters, types 0x%02x as bits from 13 on", n, bits));
    return true;
}

/* The parameters of all RE-CONFIGs of the packet that were captured whole. O(chunks + parameters). */
static unsigned held_by_packet(const sctpa_context_t *c, unsigned *n_chunks, unsigned *n)
{
    unsigned bits = 0, of_chunk;
    *n_chunks = *n = 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (chunk->type != SCTPA_CHUNK_RE_CONFIG || !is_whole(chunk))
            continue;
        bits |= held(sctpa_context_params_of(c, &c->chunks[i]), &of_chunk);
        *n += of_chunk;
        ++*n_chunks;
    }
    return bits;
}

RULE(RC, 025,
    .level = HEURISTIC, .since = 6525, .seeing = NOTHING, .needs = BOTH | WHOLE | CHECKSUM,
    .when = PACKET, .on = ROW(RE_CONFIG),
    .accused = "sender of the response",
    .clause = "RFC 6525 5.2.1",
    .title = "Answer in several RE-CONFIG chunks",
    .quote = "If multiple parameters have to be returned, they MUST be put into one RE_CONFIG chunk.",
    .why = "Harmless: stacks accept it.",
    .evidence = "One packet has several RE-CONFIG chunks, and their parameters together are an allowed combination.",
    .doubt = "All stacks understand such answers: a note.");

static bool RC_025_applies(const sctpa_context_t *c)
{
    unsigned n_chunks, n;
    return held_by_packet(c, &n_chunks, &n) & RECONFIG_BIT(RECONFIG_RESPONSE);
}

/* "If multiple parameters have to be returned, they MUST be put into one RE_CONFIG chunk" */
static bool RC_025_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned n_chunks, n, bits = held_by_packet(c, &n_chunks, &n);
    if (n_chunks < 2 || !is_allowed(bits, n))
        return false;
    sctpa_violation_say(violation, "one RE-CONFIG chunk", SCTPA_WORDS("%u with %u parameters", n_chunks, n));
    return true;
}

RULE(RC, 006,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the parameter",
    .clause = "RFC 6525 4.1",
    .title = "RE-CONFIG parameter of wrong length",
    .quote = "the value MUST be 16 + 2 * N, where N is the number of stream numbers listed",
    .why = "The receiver resets streams that were not meant, or none.",
    .evidence = "The length is not 16 + 2 * N bytes (Outgoing Reset), 8 + 2 * N (Incoming Reset), 8 (SSN/TSN Reset), "
        "12 or 20 (response), 12 (Add Streams).",
    .doubt = "The padding after an odd number of streams is not counted.");

static bool RC_006_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "the value MUST be 16 + 2 * N" */
static bool RC_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_tlv_is_well_formed(c->param))
        return false;
    sctpa_violation_say(violation, "the length that the parameter has by definition",
                        SCTPA_WORDS("parameter %u of length %u", c->param->type, c->param->length));
    return true;
}

RULE(RC, 020,
    .level = SHOULD, .since = 6525, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the request",
    .clause = "RFC 6525 4.5, 4.6",
    .title = "Reserved field set",
    .quote = "It SHOULD be set to 0 by the sender and ignored by the receiver.",
    .why = "A later extension may give it a meaning.",
    .evidence = "The reserved field of an Add Streams Request is not 0.",
    .doubt = "A damaged packet has a wrong checksum and is not checked.");

static bool RC_020_applies(const sctpa_context_t *c)
{
    return c->param->type == SCTPA_PARAM_ADD_OUTGOING || c->param->type == SCTPA_PARAM_ADD_INCOMING;
}

/* "It SHOULD be set to 0 by the sender" */
static bool RC_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t reserved = sctpa_tlv_u32(c->param, SCTPA_F_ADD_OUTGOING_RESERVED);
    if (reserved == 0)
        return false;
    sctpa_violation_say(violation, "0", SCTPA_WORDS("0x%04x", reserved));
    return true;
}

RULE(RC, 022,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK) | ROW(ASCONF) | ROW(ASCONF_ACK) | ROW(HEARTBEAT),
    .accused = "sender of the chunk",
    .clause = "RFC 6525 4.1 to 4.6",
    .title = "RE-CONFIG parameter in another chunk",
    .quote = "This parameter MUST NOT appear in any other chunk type.",
    .why = "The receiver may abort.",
    .evidence = "A parameter of type 13 to 18 stands directly in INIT, INIT ACK, ASCONF, ASCONF-ACK or HEARTBEAT.",
    .doubt = "Parameters inside an Unrecognized Parameter are not checked, nor what a HEARTBEAT ACK or an ERROR "
        "repeats, nor malformed lists.");

static bool RC_022_applies(const sctpa_context_t *c)
{
    return sctpa_context_params(c)->sound;
}

/* "This parameter MUST NOT appear in any other chunk type" */
static bool RC_022_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_param_list_t *list = sctpa_context_params(c);
    for (uint32_t i = 0; i < list->n; i++)
        if (reconfig_bit(list->params[i].type)) {
            sctpa_violation_say(violation, "only in RE-CONFIG",
                                SCTPA_WORDS("parameter %u in %s", list->params[i].type, c->chunk->tlv.row->title));
            return true;
        }
    return false;
}

static const reconfig_requester_t *requester_of(const sctpa_context_t *c)
{
    return reconfig_requester(c, c->from);
}

static bool is_new(const sctpa_context_t *c, uint32_t type)
{
    return c->param->type == type && reconfig_is_new_request(c);
}

/* May the capture lack requests with all numbers from one up to seq? */
static bool may_hide_requests(uint32_t from, uint32_t seq)
{
    int32_t hidden = sctpa_serial_distance(from, seq);
    return hidden >= 0 && hidden <= REQUESTS_HIDDEN;
}

RULE(RC, 002,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = SETUP | COMPLETE | NEAR | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the request",
    .clause = "RFC 6525 4.1",
    .title = "First request number is not the initial TSN",
    .quote = "initialized to the same value as the initial TSN",
    .why = "The peer answers Bad Sequence Number and nothing is reset.",
    .evidence = "The number of an endpoint's first request is not its initial TSN.",
    .doubt = "A number up to " SAY(REQUESTS_HIDDEN) " above it may follow requests that were lost before the "
        "capture point or not captured: probable there. Any other number is proven, since numbers only go up by 1.");

static bool RC_002_applies(const sctpa_context_t *c)
{
    return !requester_of(c)->has_unseen && requester_of(c)->n_requests == 0 && reconfig_is_new_request(c);
}

/* "initialized to the same value as the initial TSN" */
static bool RC_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t initial_tsn = c->assoc->ends[c->from].init.initial_tsn;
    if (reconfig_request_seq(c) == initial_tsn)
        return false;
    violation->is_certain = !may_hide_requests(initial_tsn, reconfig_request_seq(c));
    sctpa_violation_say(violation, SCTPA_WORDS("number %u, its initial TSN", initial_tsn),
                        SCTPA_WORDS("%u", reconfig_request_seq(c)));
    return true;
}

RULE(RC, 003,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = COMPLETE | NEAR | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the request",
    .clause = "RFC 6525 5.1.2",
    .title = "Request number is not the previous one plus 1",
    .quote = "The next re-configuration request sequence number MUST then be incremented by 1.",
    .why = "The peer answers Bad Sequence Number and nothing is reset.",
    .evidence = "A new number is not the one before it plus 1.",
    .doubt = "A retransmitted request keeps its number; two requests in one chunk take two numbers. A response to a "
        "number that was not seen shows that the capture missed a request: not checked from then on. Up to "
        SAY(REQUESTS_HIDDEN) " numbers may belong to requests that were not captured since the one before: "
        "probable there, else proven.");

static bool RC_003_applies(const sctpa_context_t *c)
{
    return !requester_of(c)->has_unseen && requester_of(c)->n_requests > 0 && reconfig_is_new_request(c);
}

/* "The next re-configuration request sequence number MUST then be incremented by 1" */
static bool RC_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t expected = requester_of(c)->newest_seq + 1;
    if (reconfig_request_seq(c) == expected)
        return false;
    violation->since = reconfig_newest(requester_of(c))->packet;
    violation->is_certain = !may_hide_requests(expected, reconfig_request_seq(c));
    sctpa_violation_say(violation, SCTPA_WORDS("number %u", expected), SCTPA_WORDS("%u", reconfig_request_seq(c)));
    return true;
}

RULE(RC, 012,
    .level = HEURISTIC, .since = 6525, .seeing = NOTHING, .needs = COMPLETE | NEAR | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the request",
    .clause = "RFC 6525 5.1.2",
    .title = "Last Assigned TSN is lower than a TSN already sent",
    .quote = "The Sender's Last Assigned TSN MUST be set to the next TSN the sender assigns minus 1.",
    .why = "The peer resets the streams before the messages in between have arrived, and delivers those with wrong "
        "SSNs.",
    .evidence = "A TSN above it was sent before the first transmission of the request.",
    .doubt = "A higher value may include data that is queued. Requests bundled with data are not checked. An earlier "
        "transmission of the request that was not captured looks the same: a note, proven where the capture lacks no "
        "packet since the one with the Last Assigned TSN.");

static bool RC_012_applies(const sctpa_context_t *c)
{
    return is_new(c, SCTPA_PARAM_OUTGOING_RESET) && c->sent && !c->sent->restarted && c->sent->highest >= 0 &&
           !(c->rows & SCTPA_DATA_ROWS);
}

/* "The Sender's Last Assigned TSN MUST be set to the next TSN the sender assigns minus 1" */
static bool RC_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t last_tsn = sctpa_tlv_u32(c->param, SCTPA_F_OUTGOING_RESET_LAST_TSN),
             highest = sctpa_direction_serial(c->sent, c->sent->highest);
    if (sctpa_serial_distance(highest, last_tsn) >= 0)
        return false;
    const sctpa_tsn_t *last = sctpa_context_tsn(c->sent, sctpa_context_unwrap(c->sent, last_tsn));
    if (last && last->transmissions > 0)
        violation->since = last->first_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("at least TSN %u, which was sent", highest),
                        SCTPA_WORDS("%u", last_tsn));
    return true;
}

RULE(RC, 014,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the request",
    .clause = "RFC 6525 5.1.1",
    .title = "Retransmitted request differs from the first, or is not backed off",
    .quote = "MUST use exponential backoff, doubling the value at every expiration. If the timer expires, besides "
        "doubling the value, the sender MUST retransmit the RE-CONFIG chunk",
    .why = "The peer repeats its answer to the first, and the endpoints disagree on what was reset.",
    .evidence = "A request has the number of an earlier one, but another type, Last Assigned TSN or list of streams. "
        "Not backed off: " SCTPA_BACKING_OFF_EVIDENCE,
    .doubt = "Its response number, that of a request of the peer, may change. " SCTPA_BACKING_OFF_DOUBT);

static bool RC_014_applies(const sctpa_context_t *c)
{
    return reconfig_retransmitted(c) != NULL;
}

/* "MUST use exponential backoff, doubling the value at every expiration": "the sender MUST retransmit the RE-CONFIG
 * chunk" */
static bool RC_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const reconfig_request_t *known = reconfig_retransmitted(c);
    if (known->hash == reconfig_hash(c))
        return sctpa_is_not_backed_off(c, SCTPA_RETRANSMITTED_RE_CONFIG, violation);
    violation->related = known->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("request %u unchanged", known->seq), "another request with its number");
    return true;
}

RULE(RC, 015,
    .level = SHOULD, .since = 6525, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the request",
    .clause = "RFC 6525 5.1.4",
    .title = "Two SSN/TSN resets within 30 seconds",
    .quote = "Only one SSN/TSN Reset Request SHOULD be sent within 30 seconds",
    .why = "Old packets may be taken for new ones.",
    .evidence = "Two SSN/TSN Reset Requests with different numbers are less than " SAY(TSN_RESETS_APART_MS)
        " ms apart.",
    .doubt = "A retransmitted request keeps its number and does not count.");

static bool RC_015_applies(const sctpa_context_t *c)
{
    return requester_of(c)->tsn_reset_ns != 0 && is_new(c, SCTPA_PARAM_TSN_RESET);
}

/* "Only one SSN/TSN Reset Request SHOULD be sent within 30 seconds" */
static bool RC_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    int64_t since_ns = c->packet->time_ns - requester_of(c)->tsn_reset_ns;
    if (sctpa_context_most_ns(c, since_ns) >= TSN_RESETS_APART_MS * SCTPA_NS_PER_MS)
        return false;
    sctpa_violation_say(violation, "at most one in 30 s",
                        SCTPA_WORDS("another after %" G_GINT64_FORMAT " ms", since_ns / SCTPA_NS_PER_MS));
    return true;
}

RULE(RC, 019,
    .level = HEURISTIC, .since = 6525, .seeing = COULD, .needs = SETUP | BOTH | WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the request",
    .clause = "RFC 6525 4.4",
    .title = "Reset of a stream that does not exist",
    .quote = "Error - Wrong SSN",
    .why = "The peer answers Wrong SSN, and nothing is reset.",
    .evidence = "A listed stream identifier is not below the number of outbound streams that INIT and INIT ACK agreed "
        "on, plus those added since.",
    .doubt = "A response that was not captured may have added streams: a note.");

static bool RC_019_applies(const sctpa_context_t *c)
{
    uint32_t n;
    if (!reconfig_is_new_request(c))
        return false;
    reconfig_listed(c, &n);
    return n > 0;
}

/* "Error - Wrong SSN" */
static bool RC_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t n;
    const uint8_t *streams = reconfig_listed(c, &n);
    uint32_t count = reconfig_outbound(c, c->param->type == SCTPA_PARAM_OUTGOING_RESET ? c->from : !c->from);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t stream = sctpa_be16(streams + 2 * i);
        if (stream < count)
            continue;
        sctpa_violation_say(violation, SCTPA_WORDS("streams below %u", count), SCTPA_WORDS("stream %u", stream));
        return true;
    }
    return false;
}

RULE(RC, 026,
    .level = HEURISTIC, .since = 6525, .seeing = COULD, .needs = SETUP | BOTH | COMPLETE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the request",
    .clause = "RFC 6525 4.1",
    .title = "Response number of an Outgoing Reset matches no request",
    .quote = "it holds the next expected Re-configuration Request Sequence Number minus 1",
    .why = "Harmless unless it equals the number of an outstanding request.",
    .evidence = "The number is not the peer's initial TSN minus 1, and it is lower than that initial TSN and than the "
        "peer's first request, or more than " SAY(UNSEEN_REQUESTS) " above the peer's newest request.",
    .doubt = "Any number that the peer may have used is accepted. The clause has no keyword: a note.");

static bool RC_026_applies(const sctpa_context_t *c)
{
    return is_new(c, SCTPA_PARAM_OUTGOING_RESET);
}

/* "it holds the next expected Re-configuration Request Sequence Number minus 1" */
static bool RC_026_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const reconfig_requester_t *peer = reconfig_requester(c, !c->from);
    uint32_t seq = sctpa_tlv_u32(c->param, SCTPA_F_OUTGOING_RESET_RESPONSE_SEQ),
             before_first = c->assoc->ends[!c->from].init.initial_tsn - 1;
    if (seq == before_first || reconfig_may_be_asked(c, seq, UNSEEN_REQUESTS))
        return false;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("%u, the last request of the peer", peer->n_requests > 0 ? peer->newest_seq : before_first),
        SCTPA_WORDS("%u", seq));
    return true;
}

static uint32_t result_of(const sctpa_context_t *c)
{
    return sctpa_tlv_u32(c->param, SCTPA_F_RECONFIG_RESPONSE_RESULT);
}

RULE(RC, 007,
    .level = MUST, .since = 6525, .seeing = COULD, .needs = SETUP | BOTH | COMPLETE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the response",
    .clause = "RFC 6525 5.1.7",
    .title = "Response to a number that no request had",
    .quote = "MUST be copied to the Re-configuration Response Sequence Number field",
    .why = "The requester keeps waiting, retransmits the request and in the end aborts the association.",
    .evidence = "The number of a response is lower than the requester's initial TSN and than its first request, or "
        "more than " SAY(UNSEEN_REQUESTS) " above its newest request: above it at all, where the user asserts a "
        "complete capture that was taken at the responder; most likely also where the requester repeated its newest "
        "request after a response above it, and gets another one.",
    .doubt = "A response of Bad Sequence Number may repeat any number and is not checked. A requester that uses a "
        "wrong number itself, in a request that was not captured, looks the same: proven only where the capture lacks "
        "no packet since its newest request, since only one may be outstanding.");

static bool RC_007_applies(const sctpa_context_t *c)
{
    return reconfig_is_response(c) && result_of(c) != RECONFIG_BAD_NUMBER;
}

/* "MUST be copied to the Re-configuration Response Sequence Number field" */
static bool RC_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t seq = sctpa_tlv_u32(c->param, SCTPA_F_RECONFIG_RESPONSE_SEQ);
    const reconfig_requester_t *peer = reconfig_requester(c, !c->from);
    const bool has_all = sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
    if (reconfig_may_be_asked(c, seq, has_all || peer->has_asked_again ? 0 : UNSEEN_REQUESTS))
        return false;
    const bool may_be_unseen = reconfig_may_be_asked(c, seq, UNSEEN_REQUESTS);
    if (may_be_unseen && has_all)
        violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    else if (may_be_unseen)
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    if (peer->n_requests > 0)
        violation->since = violation->related = reconfig_newest(peer)->packet;
    sctpa_violation_say(violation, "the number of a request",
                        SCTPA_WORDS("%u, which no request can have carried", seq));
    return true;
}

RULE(RC, 034,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the response",
    .clause = "RFC 6525 4.4, 5.1.7",
    .title = "Response with a result that is not defined",
    .quote = "The result of the processing of the incoming request according to Table 3 MUST be placed in the Result "
        "field of the Re-configuration Response Parameter.",
    .why = "The requester cannot know whether the streams were reset.",
    .evidence = "The Result of a response is above " SAY(RECONFIG_RESULTS_MAX) ", the last one of Table 3.",
    .doubt = "No document defines further results. A damaged packet has a wrong checksum and is not checked.");

static bool RC_034_applies(const sctpa_context_t *c)
{
    return reconfig_is_response(c);
}

/* "The result of the processing of the incoming request according to Table 3 MUST be placed in the Result field" */
static bool RC_034_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (result_of(c) <= RECONFIG_RESULTS_MAX)
        return false;
    const reconfig_request_t *request = reconfig_answered(c);
    if (request)
        violation->related = request->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("a result up to %u", RECONFIG_RESULTS_MAX),
                        SCTPA_WORDS("result %u", result_of(c)));
    return true;
}

RULE(RC, 009,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = BOTH | WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the response",
    .clause = "RFC 6525 5.1.7",
    .title = "Next TSNs in a response to a request other than SSN/TSN Reset",
    .quote = "For other requests, the Sender's Next TSN field, which is optional, MUST NOT be used.",
    .why = "The requester may take it for a reset of the TSNs.",
    .evidence = "A response has 20 bytes, and the request with its number is not an SSN/TSN reset.",
    .doubt = "Responses to requests that were not captured are not checked.");

static bool RC_009_applies(const sctpa_context_t *c)
{
    const reconfig_request_t *request = reconfig_answered(c);
    return request && request->type != SCTPA_PARAM_TSN_RESET;
}

/* "For other requests, the Sender's Next TSN field, which is optional, MUST NOT be used" */
static bool RC_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const reconfig_request_t *request = reconfig_answered(c);
    if (c->param->length != FULL_RESPONSE_BYTES)
        return false;
    violation->related = request->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("a response without TSNs to a request of type %u", request->type),
                        SCTPA_WORDS("one of length %u", c->param->length));
    return true;
}

/* The request of a type that c->param reports as performed, NULL none. */
static const reconfig_request_t *performed(const sctpa_context_t *c, uint32_t type)
{
    const reconfig_request_t *request = reconfig_answered(c);
    return request && request->type == type && result_of(c) == RECONFIG_PERFORMED ? request : NULL;
}

RULE(RC, 013,
    .level = MUST, .since = 6525, .seeing = COULD, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the response",
    .clause = "RFC 6525 5.2.2",
    .title = "Stream reset before all of its data arrived",
    .quote = "If the Sender's Last Assigned TSN is greater than the cumulative acknowledgment point, then the "
        "endpoint MUST enter \"deferred reset processing\".",
    .why = "Messages still on their way are delivered with SSNs of the new sequence, or never.",
    .evidence = "The result is 1 (Performed), though the TSN after the responder's cumulative ack, below the Last "
        "Assigned TSN, was never seen on its way there.",
    .doubt = "A TSN that was seen may have arrived. Only one that was never seen counts: proven where the capture "
        "lacks no packet since the TSN before it.");

static bool RC_013_applies(const sctpa_context_t *c)
{
    const reconfig_request_t *request = performed(c, SCTPA_PARAM_OUTGOING_RESET);
    return request && request->answer != RECONFIG_ANSWERED && c->acked && !c->acked->restarted && !c->acked->truncated;
}

/* "If the Sender's Last Assigned TSN is greater than the cumulative acknowledgment point, then the endpoint MUST enter
 * "deferred reset processing"": a TSN up to the Last Assigned one never passed towards the responder, and is not acked
 * by it. */
static bool RC_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const reconfig_request_t *request = reconfig_answered(c);
    const sctpa_direction_t *data = c->acked;
    int64_t next = MAX(data->cum_tsn, data->rare->abandoned_to) + 1,
            last = sctpa_context_unwrap(data, request->last_tsn);
    const sctpa_tsn_t *tsn = next <= last && next <= data->highest ? sctpa_context_tsn(data, next) : NULL;
    const sctpa_tsn_t *before = sctpa_context_tsn(data, next - 1);
    if (next >= last || next >= data->highest || (tsn && tsn->transmissions > 0))
        return false;
    if (before && before->transmissions > 0)
        violation->since = before->first_packet;
    violation->related = request->packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("In progress: TSN %u has not arrived", sctpa_direction_serial(data, next)),
                        "the reset performed");
    return true;
}

RULE(RC, 024,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = BOTH | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the response",
    .clause = "RFC 6525 5.2.1",
    .title = "Same request answered differently",
    .quote = "the same RE-CONFIG chunk MUST to be sent back in response, as it was earlier",
    .why = "The endpoints disagree on whether the stream was reset.",
    .evidence = "Two responses to the same number have different results.",
    .doubt = "In progress, before or after the final result, does not count as a result.");

static bool RC_024_applies(const sctpa_context_t *c)
{
    const reconfig_request_t *request = reconfig_answered(c);
    return request && request->answer == RECONFIG_ANSWERED && request->result != RECONFIG_IMPLIED;
}

/* "the same RE-CONFIG chunk MUST to be sent back in response, as it was earlier" */
static bool RC_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const reconfig_request_t *request = reconfig_answered(c);
    if (request->result == result_of(c) || result_of(c) == RECONFIG_IN_PROGRESS)
        return false;
    violation->related = request->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("result %u, as before", request->result),
                        SCTPA_WORDS("result %u", result_of(c)));
    return true;
}

RULE(RC, 028,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = BOTH | WHOLE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the response",
    .clause = "RFC 6525 5.1.7",
    .title = "SSN/TSN reset performed without the next TSNs",
    .quote = "the Sender's Next TSN field MUST be filled with the next TSN the sender of this Re-configuration "
        "Response Parameter will assign",
    .why = "The requester does not know with which TSNs both directions continue.",
    .evidence = "The response to an SSN/TSN Reset Request has result 1 (Performed) and 12 bytes.",
    .doubt = "A refusal needs no TSNs.");

static bool RC_028_applies(const sctpa_context_t *c)
{
    return performed(c, SCTPA_PARAM_TSN_RESET) != NULL;
}

/* "the Sender's Next TSN field MUST be filled with the next TSN the sender of this Re-configuration Response Parameter
 * will assign" */
static bool RC_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->param->length >= FULL_RESPONSE_BYTES)
        return false;
    violation->related = reconfig_answered(c)->packet;
    sctpa_violation_say(violation, "both next TSNs", SCTPA_WORDS("a response of length %u", c->param->length));
    return true;
}

/* Did the requester send something that had to wait for this answer? The answer passes only now: the requester did not
 * have it before. One to a request that was retransmitted may be a repetition. */
static bool is_early(const reconfig_request_t *request)
{
    return request->answer == RECONFIG_UNANSWERED && !request->is_retransmitted &&
           request->early_packet != SCTPA_NO_PACKET_INDEX;
}

RULE(RC, 004,
    .level = MUST, .since = 6525, .seeing = COULD, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG), .of = OF_PEER,
    .accused = "sender of the request",
    .clause = "RFC 6525 5.1.1",
    .title = "More than one request outstanding",
    .quote = "At any given time, there MUST NOT be more than one request in flight.",
    .why = "The peer may answer Request already in progress, or process them in the wrong order.",
    .evidence = "A new request passes before the first answer to a request of an earlier packet.",
    .doubt = "A request that answers one of the peer is exempt, and In progress counts as an answer. A packet that "
        "passes the capture point before the answer does was sent before the answer arrived, wherever the capture "
        "point is. A retransmitted request is not checked: the answer may be a repetition.");

static bool RC_004_applies(const sctpa_context_t *c)
{
    return reconfig_answered(c) != NULL;
}

/* "At any given time, there MUST NOT be more than one request in flight" */
static bool RC_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const reconfig_request_t *request = reconfig_answered(c);
    if (!is_early(request) || !request->is_early_request)
        return false;
    violation->since = request->packet;
    violation->related = request->early_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("the answer to request %u first", request->seq),
                        SCTPA_WORDS("request %u before it", request->early_number));
    return true;
}

/* The request that c->param answers, if no other request was sent before its answer, NULL: it answers none, or a
 * request was. */
static const reconfig_request_t *answered_alone(const sctpa_context_t *c)
{
    const reconfig_request_t *request = reconfig_answered(c);
    return request && !request->is_early_request ? request : NULL;
}

static bool is_data_early(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const reconfig_request_t *request = reconfig_answered(c);
    if (!is_early(request))
        return false;
    violation->since = request->packet;
    violation->related = request->early_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("the answer to request %u first", request->seq),
                        SCTPA_WORDS("TSN %u before it", request->early_number));
    return true;
}

RULE(RC, 011,
    .level = MUST, .since = 6525, .seeing = COULD, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG), .of = OF_PEER,
    .accused = "sender of the request",
    .clause = "RFC 6525 5.1.2",
    .title = "New message on a stream that is being reset",
    .quote = "The sender MUST stop assigning new SSNs to new user data provided by the upper layer for the affected "
        "streams and queue it.",
    .why = "It is unclear whether its SSN belongs to the old sequence or to the new one.",
    .evidence = "An ordered message above the Last Assigned TSN begins on a listed stream before the answer passes.",
    .doubt = "Unordered messages and later fragments are not checked. A packet that passes the capture point before "
        "the answer does was sent before the answer arrived, wherever the capture point is. A retransmitted request is "
        "not checked: the answer may be a repetition.");

static bool RC_011_applies(const sctpa_context_t *c)
{
    const reconfig_request_t *request = answered_alone(c);
    return request && request->type != SCTPA_PARAM_TSN_RESET && request->type != SCTPA_PARAM_ADD_OUTGOING;
}

/* "The sender MUST stop assigning new SSNs" */
static bool RC_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_data_early(c, violation);
}

RULE(RC, 016,
    .level = MUST, .since = 6525, .seeing = COULD, .needs = SETUP | BOTH | COMPLETE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG), .of = OF_PEER,
    .accused = "sender of the data",
    .clause = "RFC 6525 5.2.7",
    .title = "Added stream used before the request was granted",
    .quote = "it MUST NOT use the streams until the peer has responded with a positive acknowledgment",
    .why = "The peer reports an invalid stream and drops the data.",
    .evidence = "New data is sent on one of the streams that an Add Outgoing Streams Request asks for, before the "
        "answer passes.",
    .doubt = "A packet that passes the capture point before the answer does was sent before the answer arrived, "
        "wherever the capture point is. A retransmitted request is not checked: the answer may be a repetition.");

static bool RC_016_applies(const sctpa_context_t *c)
{
    const reconfig_request_t *request = answered_alone(c);
    return request && request->type == SCTPA_PARAM_ADD_OUTGOING;
}

/* "it MUST NOT use the streams until the peer has responded with a positive acknowledgment" */
static bool RC_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_data_early(c, violation);
}

RULE(RC, 029,
    .level = MUST, .since = 6525, .seeing = COULD, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG), .of = OF_PEER,
    .accused = "sender of the request",
    .clause = "RFC 6525 5.1.4",
    .title = "New data during an SSN/TSN reset",
    .quote = "The sender MUST queue any user data, suspending any new transmissions and TSN assignment until the "
        "reset procedure is finished",
    .why = "The peer may take the data for data of the new sequence.",
    .evidence = "A new TSN is sent after an SSN/TSN Reset Request and before the answer passes.",
    .doubt = "A packet that passes the capture point before the answer does was sent before the answer arrived, "
        "wherever the capture point is. A retransmitted request is not checked: the answer may be a repetition.");

static bool RC_029_applies(const sctpa_context_t *c)
{
    const reconfig_request_t *request = answered_alone(c);
    return request && request->type == SCTPA_PARAM_TSN_RESET;
}

/* "suspending any new transmissions and TSN assignment until the reset procedure is finished" */
static bool RC_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_data_early(c, violation);
}

RULE(RC, 035,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG), .of = OF_PEER,
    .accused = "sender of the request",
    .clause = "RFC 6525 5.1.2",
    .title = "Last Assigned TSN is higher than any TSN sent",
    .quote = "The Sender's Last Assigned TSN MUST be set to the next TSN the sender assigns minus 1.",
    .why = "The peer waits for TSNs that were never assigned, and the streams are never reset.",
    .evidence = SCTPA_ARRIVED_EVIDENCE "all data was acknowledged when an Outgoing SSN Reset Request left, the window "
        "had room for any chunk, and when the answer passes its Last Assigned TSN has not been sent. Probable: the "
        "answer passes within " SAY(SCTPA_SACK_LONGEST_MS) " ms.",
    .doubt = "The endpoint may have assigned TSNs to data that a busy host has not sent yet: not so long. Not checked "
        "where the endpoint sent ASCONF, nor where the answer may be a repetition.");

static bool RC_035_applies(const sctpa_context_t *c)
{
    const reconfig_request_t *request = reconfig_answered(c);
    return request && request->type == SCTPA_PARAM_OUTGOING_RESET && request->was_idle && c->acked &&
           !c->acked->restarted && !c->acked->truncated && !sctpa_context_chunks(c, !c->from, SCTPA_CHUNK_ROW_ASCONF) &&
           sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

/* "The Sender's Last Assigned TSN MUST be set to the next TSN the sender assigns minus 1" */
static bool RC_035_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const reconfig_request_t *request = reconfig_answered(c);
    const uint32_t highest = sctpa_direction_serial(c->acked, c->acked->highest);
    if (sctpa_serial_distance(highest, request->last_tsn) <= 0)
        return false;
    violation->related = violation->since = request->packet;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    if (sctpa_context_least_since_ns(c, request->packet) <= SCTPA_SACK_LONGEST_MS * SCTPA_NS_PER_MS)
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u, the last that was sent", highest),
                        SCTPA_WORDS("%u", request->last_tsn));
    return true;
}

/* Does the request of c->param, the newest of the peer, have the number that the responder must expect? */
static bool has_expected_number(const sctpa_context_t *c, const reconfig_request_t *request)
{
    const reconfig_requester_t *peer = reconfig_requester(c, !c->from);
    if (request != reconfig_newest(peer))
        return false;
    if (request->seq == c->assoc->ends[!c->from].init.initial_tsn)
        return peer->n_requests == 1;
    if (peer->n_requests < 2)
        return false;
    const reconfig_request_t *before = &peer->requests[(peer->n_requests - 2) % RECONFIG_REQUESTS];
    return before->seq + 1 == request->seq && before->answer == RECONFIG_ANSWERED &&
           before->result != RECONFIG_BAD_NUMBER;
}

RULE(RC, 030,
    .level = HEURISTIC, .since = 6525, .seeing = COULD, .needs = SETUP | BOTH | COMPLETE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the response",
    .clause = "RFC 6525 5.1.7",
    .title = "Correct request number refused",
    .quote = "The result of the processing of the incoming request according to Table 3 MUST be placed in the Result "
        "field of the Re-configuration Response Parameter.",
    .why = "Each request is refused again: no stream of the association can be reset any more.",
    .evidence = "Result 5 (Error - Bad Sequence Number) to the newest request, whose number is the requester's Initial "
        "TSN, or one above that of a request that was not refused so.",
    .doubt = "A request that the capture missed moves the expected number on. The clause leaves the result to the "
        "responder: a note.");

static bool RC_030_applies(const sctpa_context_t *c)
{
    const reconfig_request_t *request = reconfig_answered(c);
    return request && has_expected_number(c, request);
}

/* "The result of the processing of the incoming request according to Table 3 MUST be placed in the Result field" */
static bool RC_030_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const reconfig_request_t *request = reconfig_answered(c);
    if (result_of(c) != RECONFIG_BAD_NUMBER)
        return false;
    violation->related = request->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("request %u, whose number is the next one, accepted", request->seq),
                        SCTPA_WORDS("result %u (Bad Sequence Number)", RECONFIG_BAD_NUMBER));
    return true;
}

/* The SACK that acknowledged all up to the Last Assigned TSN of a request, SCTPA_NO_PACKET_INDEX none did. */
static uint32_t all_acked(const sctpa_context_t *c, const reconfig_request_t *request)
{
    int64_t last = sctpa_context_unwrap(c->acked, request->last_tsn);
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->acked, last);
    return tsn && last <= c->acked->cum_tsn ? tsn->ack_packet : SCTPA_NO_PACKET_INDEX;
}

RULE(RC, 031,
    .level = HEURISTIC, .since = 6525, .seeing = COULD, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = PARAM, .on = ROW(RE_CONFIG),
    .accused = "sender of the response",
    .clause = "RFC 6525 5.2.2",
    .title = "Reset still in progress though all data before it is acknowledged",
    .quote = "When the cumulative acknowledgment point reaches the last assigned TSN, then proceed to the next step.",
    .why = "The requester asks again and again, and may not use the streams meanwhile.",
    .evidence = "Result 6 (In progress) again to an Outgoing SSN Reset, " SAY(RESET_PENDING_MS) " ms or more "
        "after its sender acknowledged every TSN up to the Last Assigned TSN.",
    .doubt = "The responder may have another reason to wait, which the RFC does not name: a note.");

static bool RC_031_applies(const sctpa_context_t *c)
{
    const reconfig_request_t *request = reconfig_answered(c);
    return request && request->type == SCTPA_PARAM_OUTGOING_RESET && request->answer == RECONFIG_PENDING && c->acked &&
           !c->acked->restarted && all_acked(c, request) != SCTPA_NO_PACKET_INDEX;
}

/* "When the cumulative acknowledgment point reaches the last assigned TSN, then proceed to the next step" */
static bool RC_031_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const reconfig_request_t *request = reconfig_answered(c);
    int64_t since_ns = c->packet->time_ns -
                       MAX(sctpa_context_time_ns(c, all_acked(c, request)), sctpa_context_time_ns(c, request->packet));
    if (result_of(c) != RECONFIG_IN_PROGRESS ||
        sctpa_context_least_ns(c, since_ns) < RESET_PENDING_MS * SCTPA_NS_PER_MS)
        return false;
    violation->related = request->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u is acknowledged: the reset performed", request->last_tsn),
                        SCTPA_WORDS("In progress, %.1f s later", (double)since_ns / 1e9));
    return true;
}

/* Does c->chunk, new data, begin one of the first messages after the request, an Outgoing SSN Reset, was performed? */
static bool follows_reset(const sctpa_context_t *c, const reconfig_request_t *request)
{
    return request->type == SCTPA_PARAM_OUTGOING_RESET && request->answer != RECONFIG_UNANSWERED &&
           request->result == RECONFIG_PERFORMED && request->packet != c->index &&
           reconfig_distance(request, c->chunk) <= LOOK_BACK_TSNS && reconfig_begins_after(request, c->chunk);
}

RULE(RC, 010,
    .level = MUST, .since = 6525, .seeing = COULD, .needs = BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = CHUNK, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .accused = "sender of the request",
    .clause = "RFC 6525 5.2.7",
    .title = "SSN continues after the stream was reset",
    .quote = "If the request was an Outgoing SSN Reset Request, the affected streams MUST now be reset",
    .why = "The receiver waits for SSN 0 forever: the stream hangs.",
    .evidence = "The response had result 1 (Performed), and the SSN of the stream's first message above the Last "
        "Assigned TSN is that of its last message up to there plus 1.",
    .doubt = "Any other SSN is not reported: messages may have been abandoned. Every TSN between the two messages "
        "must have been seen.");

static bool RC_010_applies(const sctpa_context_t *c)
{
    const reconfig_requester_t *requester = reconfig_requester(c, c->from);
    if (requester->n_requests == 0 || !reconfig_is_new_data(c->chunk) || c->sent->restarted)
        return false;
    for (unsigned i = 0; i < reconfig_kept(requester); i++)
        if (follows_reset(c, &requester->requests[i]))
            return true;
    return false;
}

/* "the affected streams MUST now be reset" */
static bool RC_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const reconfig_requester_t *requester = reconfig_requester(c, c->from);
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    int64_t number;
    const sctpa_tsn_t *before = sctpa_stream_before(c->sent, c->chunk->sent.number, tsn->stream, true, &number);
    for (unsigned i = 0; before && i < reconfig_kept(requester); i++) {
        const reconfig_request_t *request = &requester->requests[i];
        if (!follows_reset(c, request))
            continue;
        int64_t last = c->chunk->sent.number - reconfig_distance(request, c->chunk);
        if (number > last || tsn->ssn == 0 || tsn->ssn != before->ssn + 1)
            continue;
        violation->path = c->path;
        violation->since = violation->related = request->packet;
        sctpa_violation_say(violation, SCTPA_WORDS("SSN 0 on stream %u", tsn->stream),
                            SCTPA_WORDS("SSN %u, after %u before the reset", tsn->ssn, before->ssn));
        return true;
    }
    return false;
}

/* How far c->chunk, new data, lies above the Receiver's Next TSN that its sender was told; -1: it is not known, or not
 * so near. */
static int64_t above_next_tsn(const sctpa_context_t *c)
{
    const reconfig_requester_t *requester = reconfig_requester(c, c->from);
    const reconfig_request_t *newest = requester->n_requests > 0 ? reconfig_newest(requester) : NULL;
    if (!newest || newest->type != SCTPA_PARAM_TSN_RESET || newest->answer != RECONFIG_ANSWERED ||
        newest->result != RECONFIG_PERFORMED || !c->sent->restarted || !reconfig_is_new_data(c->chunk))
        return -1;
    int64_t above = c->chunk->sent.number - sctpa_context_unwrap(c->sent, c->sent->rare->restart_tsn);
    return above >= 0 && above <= RESET_AHEAD_TSNS ? above : -1;
}

/* The newest request of the sender, if it is an SSN/TSN Reset that was performed, with its answer in the capture; NULL:
 * it is not. */
static const reconfig_request_t *performed_reset(const sctpa_context_t *c)
{
    const reconfig_requester_t *requester = reconfig_requester(c, c->from);
    const reconfig_request_t *newest = requester->n_requests > 0 ? reconfig_newest(requester) : NULL;
    const bool is_performed = newest && newest->type == SCTPA_PARAM_TSN_RESET && newest->answer == RECONFIG_ANSWERED &&
                              newest->result == RECONFIG_PERFORMED;
    return is_performed && newest->has_highest && c->sent && c->sent->restarted ? newest : NULL;
}

/* Does c->chunk have a TSN that continues those before the reset, while the Receiver's Next TSN lies elsewhere? */
static bool continues_before(const sctpa_context_t *c, const reconfig_request_t *reset)
{
    const int32_t above = sctpa_serial_distance(reset->highest_tsn, sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_DATA_TSN)),
                  next = sctpa_serial_distance(reset->highest_tsn, c->sent->rare->restart_tsn);
    const bool is_elsewhere = next < -2 * RESET_AHEAD_TSNS || next > 2 * RESET_AHEAD_TSNS;
    return above > 0 && above <= RESET_AHEAD_TSNS && is_elsewhere;
}

RULE(RC, 036,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = BOTH | NEAR | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS,
    .report = { .once = true },
    .accused = "sender of the data",
    .clause = "RFC 6525 5.1.4 C2, 5.2.7 H5",
    .title = "TSNs go on as before an SSN/TSN reset",
    .quote = "new data MUST be sent from the Receiver's Next TSN",
    .why = "The receiver takes the data for duplicates and discards it: nothing is delivered any more.",
    .evidence = "The peer performed the endpoint's SSN/TSN reset, and a TSN passes that was not seen before the "
        "request, at most " SAY(RESET_AHEAD_TSNS) " above those before it, while the Receiver's Next TSN lies more "
        "than twice as far away. Reported once.",
    .doubt = "What was outstanding at the request is abandoned, and new data waits for the answer: a TSN of a packet "
        "that the capture lacks may not pass behind the answer either. Checked only near the sender, and where each "
        "endpoint has one address or " SAY(RESET_LATE_MS) " ms after the answer, since packets may overtake each "
        "other.");

static bool RC_036_applies(const sctpa_context_t *c)
{
    const reconfig_request_t *request = performed_reset(c);
    return request && (sctpa_assoc_is_single_homed(c->assoc) ||
                       sctpa_context_least_since_ns(c, request->answer_packet) > RESET_LATE_MS * SCTPA_NS_PER_MS);
}

/* "new data MUST be sent from the Receiver's Next TSN" */
static bool RC_036_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const reconfig_request_t *reset = performed_reset(c);
    if (!continues_before(c, reset))
        return false;
    violation->path = c->path;
    violation->related = reset->answer_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u, the Receiver's Next TSN", c->sent->rare->restart_tsn),
                        SCTPA_WORDS("TSN %u, as before the reset", sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_DATA_TSN)));
    return true;
}

RULE(RC, 018,
    .level = MUST, .since = 6525, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .report = { .once = true },
    .accused = "sender of the data",
    .clause = "RFC 6525 5.2.7 H5",
    .title = "Data after an SSN/TSN reset begins above the Receiver's Next TSN",
    .quote = "new data MUST be sent from the Receiver's Next TSN",
    .why = "The receiver waits for TSNs that were never assigned: nothing is delivered any more.",
    .evidence = "The capture is asserted to be complete. The peer performed the endpoint's SSN/TSN reset; a new TSN "
        "passes at most " SAY(RESET_AHEAD_TSNS) " above the Receiver's Next TSN, which has not passed. Reported "
        "once.",
    .doubt = "Without that assertion a packet may be missing: not checked. Far from the sender TSNs overtake each "
        "other: checked only near it, and where each endpoint has one address.");

static bool RC_018_applies(const sctpa_context_t *c)
{
    return c->sent && c->sent->restarted && above_next_tsn(c) >= 0 && sctpa_assoc_is_single_homed(c->assoc) &&
           sctpa_tap_passed_all(&c->reference->tap, c->tracked) == SCTPA_YES;
}

/* "new data MUST be sent from the Receiver's Next TSN" */
static bool RC_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t next = c->sent->rare->restart_tsn;
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->sent, sctpa_context_unwrap(c->sent, next));
    if (tsn && tsn->transmissions > 0)
        return false;
    violation->path = c->path;
    violation->related = reconfig_newest(reconfig_requester(c, c->from))->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u, the Receiver's Next TSN, before higher ones", next),
                        SCTPA_WORDS("TSN %u", sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_DATA_TSN)));
    return true;
}

/* The request by which the sender of c->chunk added streams first; NULL: requests may be forgotten, or there is none.
 */
static const reconfig_request_t *first_addition(const sctpa_context_t *c)
{
    const reconfig_requester_t *requester = reconfig_requester(c, c->from);
    if (requester->n_requests > RECONFIG_REQUESTS || requester->has_unseen)
        return NULL;
    for (unsigned i = 0; i < requester->n_requests; i++)
        if (requester->requests[i].type == SCTPA_PARAM_ADD_OUTGOING)
            return &requester->requests[i];
    return NULL;
}

/* Is c->chunk, new data, the first ordered message of a stream that was added, and did all TSNs since the request pass?
 * O(LOOK_BACK_TSNS). */
static bool begins_added_stream(const sctpa_context_t *c)
{
    const reconfig_request_t *request = first_addition(c);
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    const sctpa_tsn_t *own = c->chunk->sent.tsn, *tsn;
    const unsigned agreed = sctpa_stream_counts_agreed(&counts, c->from);
    if (!request || agreed == 0 || own->stream < agreed || (own->flags & SCTPA_TSN_UNORDERED) ||
        !(own->flags & SCTPA_TSN_BEGIN))
        return false;
    int64_t number = c->chunk->sent.number;
    do {
        tsn = --number >= 0 ? sctpa_context_tsn(c->sent, number) : NULL;
        if (!tsn || tsn->transmissions == 0 || (tsn->stream == own->stream && !(tsn->flags & SCTPA_TSN_UNORDERED)))
            return false;
    } while (tsn->first_packet > request->packet && number > c->chunk->sent.number - LOOK_BACK_TSNS);
    return tsn->first_packet < request->packet;
}

RULE(RC, 017,
    .level = MUST, .since = 6525, .seeing = NOTHING, .needs = SETUP | BOTH | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .accused = "sender of the data",
    .clause = "RFC 6525 5.1.5, 5.1.6",
    .title = "Added stream does not begin with SSN 0",
    .quote = "A new stream MUST use SSN 0 for its first ordered message.",
    .why = "The receiver waits forever for the messages before it.",
    .evidence = "The first ordered message on a stream beyond those of the set-up, after its sender asked for more, "
        "has another SSN (or MID) than 0.",
    .doubt = "Every TSN since the request must have been seen: nothing that the capture lacks explains it. Not checked "
        "where messages may have been given up before they were sent (partial reliability).");

static bool RC_017_applies(const sctpa_context_t *c)
{
    return reconfig_requester(c, c->from)->n_requests > 0 && reconfig_is_new_data(c->chunk) && !c->sent->restarted &&
           !sctpa_context_may_abandon(c) && begins_added_stream(c);
}

/* "A new stream MUST use SSN 0 for its first ordered message." */
static bool RC_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    if (tsn->ssn == 0)
        return false;
    violation->path = c->path;
    violation->related = first_addition(c)->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("SSN 0 on stream %u, which was added", tsn->stream),
                        SCTPA_WORDS("SSN %u in its first ordered message", tsn->ssn));
    return true;
}

/* "If for whatever reason the endpoint does not wish to process a received request parameter, it MUST send a
 * corresponding response parameter" */
RULE(RC, 032,
    .level = MUST, .since = 6525, .seeing = MUST_HAVE, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(RE_CONFIG),
    .accused = "receiver of the request",
    .clause = "RFC 6525 5.2.1",
    .title = "Request not answered",
    .quote = "it MUST send a corresponding response parameter as described in Section 5.1.7",
    .why = "The peer sends nothing on the streams concerned until it gives up.",
    .evidence = SCTPA_COUNTED_EVIDENCE " Both endpoints list RE-CONFIG.",
    .doubt = SCTPA_OWED_DOUBT);

/* "If the timer expires, besides doubling the value, the sender MUST retransmit the RE-CONFIG chunk" */
RULE(RC, 033,
    .level = MUST, .since = 6525, .seeing = COULD, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(RE_CONFIG),
    .accused = "sender of the request",
    .clause = "RFC 6525 5.1.1",
    .title = "RE-CONFIG not repeated when its timer expires",
    .quote = "the sender MUST retransmit the RE-CONFIG chunk",
    .why = "One lost packet and the association waits until somebody else acts.",
    .evidence = SCTPA_TIMER_EVIDENCE,
    .doubt = SCTPA_TIMER_DOUBT);

/* Parameter by parameter: the second request of a packet sees the first, its DATA sees all of them. */
void sctpa_check_reconfig(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(RC, 032, RE_CONFIG);
        ASK_DUE(RC, 033, RE_CONFIG_TIMER);
        return;
    }
    const uint64_t concerned = SCTPA_ROW(RE_CONFIG) | SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ASCONF) |
                               SCTPA_ROW(ASCONF_ACK) | SCTPA_ROW(HEARTBEAT);
    if (!(c->rows & concerned) && reconfig_requester(c, c->from)->n_requests == 0)
        return;
    for (unsigned i = 0; c->rows & SCTPA_ROW(RE_CONFIG) && i < c->n_chunks; i++) {
        sctpa_tlv_iter_t iter;
        sctpa_tlv_t param;
        c->chunk = &c->chunks[i];
        if (c->chunk->tlv.type != SCTPA_CHUNK_RE_CONFIG || c->chunk->tlv.captured_bytes < c->chunk->tlv.wire_bytes)
            continue;
        sctpa_params_begin(&iter, &c->chunk->tlv);
        c->param = &param;
        while (sctpa_tlv_next(&iter, &param)) {
            if (!reconfig_bit(param.type) || param.fault == SCTPA_FAULT_LENGTH_BEYOND_END)
                continue;
            reconfig_observe_param(c);
            ASK_OF_PARAM(RC, 002);
            ASK_OF_PARAM(RC, 003);
            ASK_OF_PARAM(RC, 004);
            ASK_OF_PARAM(RC, 006);
            ASK_OF_PARAM(RC, 007);
            ASK_OF_PARAM(RC, 009);
            ASK_OF_PARAM(RC, 011);
            ASK_OF_PARAM(RC, 012);
            ASK_OF_PARAM(RC, 013);
            ASK_OF_PARAM(RC, 014);
            ASK_OF_PARAM(RC, 015);
            ASK_OF_PARAM(RC, 016);
            ASK_OF_PARAM(RC, 019);
            ASK_OF_PARAM(RC, 020);
            ASK_OF_PARAM(RC, 024);
            ASK_OF_PARAM(RC, 026);
            ASK_OF_PARAM(RC, 028);
            ASK_OF_PARAM(RC, 029);
            ASK_OF_PARAM(RC, 030);
            ASK_OF_PARAM(RC, 031);
            ASK_OF_PARAM(RC, 034);
            ASK_OF_PARAM(RC, 035);
            reconfig_take_param(c);
        }
    }
    ASK(RC, 001);
    ASK(RC, 005);
    ASK(RC, 010);
    ASK(RC, 017);
    ASK(RC, 018);
    ASK(RC, 022);
    ASK(RC, 025);
    ASK(RC, 027);
    ASK(RC, 036);
    if (c->rows & SCTPA_DATA_ROWS)
        reconfig_take_data(c);
}
