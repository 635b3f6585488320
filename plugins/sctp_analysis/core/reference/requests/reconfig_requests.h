/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of the endpoints of an association to reset and add streams, their answers, and what was sent that had to
 * wait for an answer (RFC 6525). Leaves out how many streams the set-up agreed on (stream_counts.h), and what a reset
 * does to TSNs (data/direction.h). */
#ifndef SCTPA_REFERENCE_RECONFIG_REQUESTS_H
#define SCTPA_REFERENCE_RECONFIG_REQUESTS_H

#include "reference/context.h"
#include "reconfig_requests_limits.h"
#include "stream_set.h"

enum { SCTPA_RECONFIG_REQUESTS = 4 };
/* Results of a response (RFC 6525 4.4). */
enum { SCTPA_RECONFIG_PERFORMED = 1, SCTPA_RECONFIG_BAD_NUMBER = 5, SCTPA_RECONFIG_IN_PROGRESS = 6 };
/* No response, but a request of the peer that answers the request. */
#define SCTPA_RECONFIG_IMPLIED UINT32_MAX
typedef enum { SCTPA_RECONFIG_UNANSWERED, SCTPA_RECONFIG_PENDING, SCTPA_RECONFIG_ANSWERED } sctpa_reconfig_answer_t;

typedef struct {
    sctpa_stream_set_t streams; /* that it lists */
    uint32_t seq, last_tsn;
    uint32_t packet;       /* of its first transmission */
    uint32_t hash;         /* of what a retransmission must not change */
    uint32_t result;       /* of the last response */
    uint32_t early_packet; /* the first that held what had to wait for the answer, SCTPA_NO_PACKET_INDEX none */
    uint32_t early_number; /* its TSN; number of the request that it held */
    uint16_t type, new_streams;
    uint8_t answer; /* sctpa_reconfig_answer_t */
    bool is_retransmitted;
    bool has_list;     /* it lists streams; else it is about all of them, or about none */
    bool is_list_kept; /* streams has all of them: they are not too many ranges */
    bool is_early_request;
} sctpa_reconfig_request_t;

/* What an endpoint asked for. All zero: nothing. */
typedef struct {
    sctpa_reconfig_request_t requests[SCTPA_RECONFIG_REQUESTS]; /* the newest, in a ring */
    int64_t tsn_reset_ns;                                       /* the last SSN/TSN reset request, 0 none */
    uint32_t n_requests;                                        /* different ones, ever */
    uint32_t first_seq, newest_seq;
    uint32_t added_streams; /* outbound, granted */
    bool has_unseen;        /* a response showed that a request was not captured */
} sctpa_reconfig_requester_t;

/* Bits of the parameters of RE-CONFIG, by type from 13 on. */
#define SCTPA_RECONFIG_BIT(id) (1U << (SCTPA_PARAM_##id - SCTPA_PARAM_OUTGOING_RESET))
/* That of a type of parameter, 0: no parameter of RE-CONFIG. */
static inline unsigned sctpa_reconfig_bit(uint32_t type)
{
    return type >= SCTPA_PARAM_OUTGOING_RESET && type <= SCTPA_PARAM_ADD_INCOMING
               ? 1U << (type - SCTPA_PARAM_OUTGOING_RESET)
               : 0;
}

/* What an endpoint asked for before what is asked about; never NULL. O(1). */
const sctpa_reconfig_requester_t *sctpa_reconfig_requester(const sctpa_context_t *c, uint8_t endpoint);
/* How many of its requests are kept. */
static inline unsigned sctpa_reconfig_kept(const sctpa_reconfig_requester_t *requester)
{
    return MIN(requester->n_requests, SCTPA_RECONFIG_REQUESTS);
}
/* The newest of them; there is one. */
static inline const sctpa_reconfig_request_t *sctpa_reconfig_newest(const sctpa_reconfig_requester_t *requester)
{
    return &requester->requests[(requester->n_requests - 1) % SCTPA_RECONFIG_REQUESTS];
}
/* Streams that the endpoint may send on, by set-up and by what was granted since. O(1). */
uint32_t sctpa_reconfig_outbound(const sctpa_context_t *c, uint8_t endpoint);

/* Finds what c->param, a parameter of RE-CONFIG, is to the requests kept, before rules are asked about it. O(1). */
void sctpa_reconfig_observe_param(const sctpa_context_t *c);
/* Its number, where it is a request: the field stands at the same place in all of them (RFC 6525 4). O(1). */
static inline uint32_t sctpa_reconfig_request_seq(const sctpa_context_t *c)
{
    return sctpa_tlv_u32(c->param, SCTPA_F_OUTGOING_RESET_REQUEST_SEQ);
}
/* Is c->param a response whose fields were captured? O(1). */
bool sctpa_reconfig_is_response(const sctpa_context_t *c);
/* Is it a request with a number above those before it? O(1). */
bool sctpa_reconfig_is_new_request(const sctpa_context_t *c);
/* The request kept whose number it has again, NULL: it is no request, or has another number. O(1). */
const sctpa_reconfig_request_t *sctpa_reconfig_retransmitted(const sctpa_context_t *c);
/* The request kept of the peer whose number it has as a response, NULL: it is no response, or none is kept. O(1). */
const sctpa_reconfig_request_t *sctpa_reconfig_answered(const sctpa_context_t *c);
/* Hash of the request's type, Last Assigned TSN and streams. O(bytes). */
uint32_t sctpa_reconfig_hash(const sctpa_context_t *c);
/* Streams that the request lists: *n of them, big-endian, one after the other. O(1). */
const uint8_t *sctpa_reconfig_listed(const sctpa_context_t *c, uint32_t *n);
/* Is seq a number that the peer has asked with, or may have in a request that was not captured? O(1). */
bool sctpa_reconfig_may_be_asked(const sctpa_context_t *c, uint32_t seq);

/* Is data the first transmission of a DATA chunk? O(1). */
static inline bool sctpa_reconfig_is_new_data(const sctpa_observed_t *data)
{
    return sctpa_observed_is_new(data) && !(data->sent.tsn->state & SCTPA_TSN_EARLIER_UNSEEN);
}
/* How far the TSN of a DATA chunk lies above the Last Assigned TSN of a request. O(1). */
static inline int32_t sctpa_reconfig_distance(const sctpa_reconfig_request_t *request, const sctpa_observed_t *data)
{
    return sctpa_serial_distance(request->last_tsn, sctpa_tlv_u32(&data->tlv, SCTPA_F_DATA_TSN));
}
/* Does new data begin an ordered message, above the Last Assigned TSN, on a stream that the request, an Outgoing SSN
 * Reset, resets? O(log ranges). */
bool sctpa_reconfig_begins_after(const sctpa_reconfig_request_t *request, const sctpa_observed_t *data);

/* Takes c->param, which was observed: rules about a parameter see what was there before it. O(streams listed) for a
 * list in ascending order, else O(streams listed * SCTPA_STREAM_RANGES_MAX). */
void sctpa_reconfig_take_param(const sctpa_context_t *c);
/* Takes the DATA of the packet, after its RE-CONFIGs. O(chunks). */
void sctpa_reconfig_take_data(const sctpa_context_t *c);

#endif
