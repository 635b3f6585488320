/* What shutdown and abort of an association have said so far. Internal to check_shutdown*.c. */
#ifndef SCTPA_RULES_CHECK_SHUTDOWN_H
#define SCTPA_RULES_CHECK_SHUTDOWN_H

#include "rules/engine.h"
#include "shutdown_limits.h"

/* What an end asked and its peer has not answered yet: SHUTDOWN or SHUTDOWN ACK. */
typedef struct {
    int64_t last_ns; /* when it was last repeated */
    uint32_t last_packet;
    uint32_t times; /* SCTPA_SHUTDOWN_ASKED_APART_S or more after the one before */
} sctpa_closing_request_t;

typedef struct {
    int64_t shutdown_highest, ack_highest; /* its highest TSN when it sent SHUTDOWN, SHUTDOWN ACK */
    int64_t abort_ns, complete_ns;
    int64_t data_ns; /* when the peer's DATA passed that it has to answer with SHUTDOWN */
    uint32_t shutdown_packet, ack_packet, complete_packet, abort_packet; /* first ones, SCTPA_NO_PACKET_INDEX none */
    uint32_t data_packet, data_tsn;
    uint32_t repeats;                        /* of SHUTDOWN or SHUTDOWN ACK since the peer's last packet */
    uint32_t data_unanswered;                /* times in a row that such data had a SACK but no SHUTDOWN */
    sctpa_closing_request_t shutdowns, acks; /* of this end, unanswered */
    uint32_t last_abort_packet;              /* SCTPA_NO_PACKET_INDEX none */
    /* packets with and without ABORT that passed towards it since its last ABORT */
    uint32_t aborts_heard, others_heard;
    uint32_t replies; /* of its ABORTs in a row that nothing but ABORT can have caused */
    uint8_t abort_ttl;
    bool is_data_due, is_data_sacked;
} sctpa_closing_end_t;

typedef struct {
    sctpa_closing_end_t ends[2];
} sctpa_closing_state_t;

/* Has the end sent it? */
static inline bool sctpa_closing_has(uint32_t packet)
{
    return packet != SCTPA_NO_PACKET_INDEX;
}

/* check_shutdown_data.c: data around a shutdown. */
void sctpa_closing_check_data(sctpa_context_t *c, sctpa_closing_state_t *state);
/* check_shutdown_abort.c: ABORT, and data after it. */
void sctpa_closing_check_abort(sctpa_context_t *c, sctpa_closing_state_t *state);
/* check_shutdown_answer.c: requests that are not answered. */
void sctpa_closing_check_answers(sctpa_context_t *c, sctpa_closing_state_t *state);

#endif
