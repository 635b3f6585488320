/* What is remembered of the requests to reset and add streams (RFC 6525). Internal to check_streams*.c. */
#ifndef SCTPA_RULES_CHECK_STREAMS_H
#define SCTPA_RULES_CHECK_STREAMS_H

#include "rules/engine.h"
#include "stream_set.h"

enum { SCTPA_STREAMS_REQUESTS = 4 };
enum { SCTPA_RESET_PERFORMED = 1, SCTPA_RESET_BAD_NUMBER = 5, SCTPA_RESET_IN_PROGRESS = 6 };
#define SCTPA_RESULT_IMPLIED UINT32_MAX /* answered by a request of the other side */
typedef enum { SCTPA_ANSWER_NONE, SCTPA_ANSWER_PENDING, SCTPA_ANSWER_FINAL } sctpa_answer_t;

typedef struct {
    uint32_t seq, response_seq, last_tsn;
    uint32_t packet; /* that it was first in */
    uint32_t hash;   /* of what must not change when it is sent again */
    uint32_t result; /* of the last response */
    uint16_t type, new_streams;
    uint8_t answer;         /* sctpa_answer_t */
    bool again;             /* it was sent more than once */
    bool has_list;          /* it lists streams; else it is about all of them, or about none */
    bool is_list_kept;      /* streams has all of them: the list is not broken into too many ranges */
    uint32_t breach_packet; /* the first that did what must wait for the answer, SCTPA_NO_PACKET_INDEX none */
    uint32_t breach_tsn;    /* its TSN; number of the request that it holds */
    bool is_breach_request;
    sctpa_stream_set_t streams;
} sctpa_stream_request_t;

/* What an endpoint asked for: the newest requests, in a ring. */
typedef struct {
    sctpa_stream_request_t requests[SCTPA_STREAMS_REQUESTS];
    uint32_t n_requests; /* different ones, ever */
    uint32_t first_seq, newest_seq;
    uint32_t added_streams; /* outbound, granted */
    bool has_unseen;        /* a response showed that a request was not captured */
    int64_t tsn_reset_ns;   /* the last SSN/TSN reset request, 0 none */
} sctpa_stream_asker_t;

typedef struct {
    sctpa_stream_asker_t askers[2];
} sctpa_streams_t;

/* The request with a number, NULL: not among the newest. */
sctpa_stream_request_t *sctpa_streams_find(sctpa_stream_asker_t *asker, uint32_t seq);
/* Outbound streams of an end, by both INITs and what was granted since. */
uint32_t sctpa_streams_outbound(const sctpa_context_t *c, const sctpa_streams_t *state, uint8_t end);

/* A request, or a response, in a RE_CONFIG of the packet. O(streams listed). */
void sctpa_streams_request(sctpa_context_t *c, sctpa_streams_t *state, const sctpa_tlv_t *param);
void sctpa_streams_response(sctpa_context_t *c, sctpa_streams_t *state, const sctpa_tlv_t *param);
/* The DATA of a packet whose association knows requests. */
void sctpa_streams_data(sctpa_context_t *c, sctpa_streams_t *state);

#endif
