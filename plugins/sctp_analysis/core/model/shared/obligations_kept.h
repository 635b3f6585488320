/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the register of obligations keeps of an association (obligations.c), and how it follows both endpoints
 * (obligations_followed.c). Only for these two. Leaves out what creates and settles entries. */
#ifndef SCTPA_SHARED_OBLIGATIONS_KEPT_H
#define SCTPA_SHARED_OBLIGATIONS_KEPT_H

#include "endpoint_states.h"
#include "obligations.h"

/* States of an endpoint, as short as expressions of several are read. */
enum {
    C = 1 << SCTPA_STATE_CLOSED,
    W = 1 << SCTPA_STATE_COOKIE_WAIT,
    E = 1 << SCTPA_STATE_COOKIE_ECHOED,
    T = 1 << SCTPA_STATE_ESTABLISHED,
    P = 1 << SCTPA_STATE_SHUTDOWN_PENDING,
    S = 1 << SCTPA_STATE_SHUTDOWN_SENT,
    R = 1 << SCTPA_STATE_SHUTDOWN_RECEIVED,
    A = 1 << SCTPA_STATE_SHUTDOWN_ACK_SENT
};

/* Answers that must be asked for. */
typedef enum {
    SCTPA_ASKED_INIT_ACK,
    SCTPA_ASKED_COOKIE_ECHO,
    SCTPA_ASKED_COOKIE_ACK,
    SCTPA_ASKED_HEARTBEAT_ACK,
    SCTPA_ASKED_SHUTDOWN_ACK,
    SCTPA_ASKED_SHUTDOWN_COMPLETE,
    SCTPA_ASKED
} sctpa_asked_t;

/* Transmissions of the last request of a type. */
typedef struct {
    uint64_t key;
    uint32_t n;
} sctpa_request_count_t;

typedef struct {
    sctpa_owed_t *first;            /* the oldest */
    uint16_t asked[2][SCTPA_ASKED]; /* by endpoint: requests without answer that reached it; saturates */
    uint8_t n;
    bool has_sent[2];        /* by endpoint: any packet */
    bool begins_anew[2];     /* by endpoint: it sent an INIT, so that it has no other association, and is not set up */
    uint32_t closed_by[2];   /* by endpoint: 1 + the packet by which it ended the association, or was told of its end,
                                and nothing set up another; 0 none */
    uint32_t told_packet[2]; /* by endpoint: the last packet of its peer that counts among told */
    uint8_t told[2];         /* ... by which its peer told it, well apart, that the association has ended; saturates */
    int64_t missed[2]; /* by endpoint: number of the TSN behind the Cumulative TSN Ack that reached it last, ... */
    uint8_t misses[2]; /* ... and SACKs since that acknowledge a higher one; saturates */
    uint32_t param_packet[2]; /* by endpoint: 1 + the last INIT that reached it; 0 none */
    uint16_t param[2];        /* ... the first parameter of it that it has to report, if it does not know it; 0 none */
    bool has_cookie_ack[2];   /* by endpoint: a COOKIE ACK reached it, and nothing since that may lead back */
    bool is_reconfiguring[2]; /* by endpoint: a request of its last RE-CONFIG is not answered */
    bool is_told_to_shut_down[2]; /* by endpoint: a SHUTDOWN reached it, and it has not answered it */
    uint32_t aborted[2];          /* 1 + the last ABORT that reached it since it sent anything else, 0 none */
    uint32_t came[2]; /* packets that reached it since it acknowledged any, other than ABORT and SHUTDOWN COMPLETE */
    uint32_t aborts_asked[2];  /* packets that reached it and may have no association, less the ABORTs that it sent */
    uint32_t others_asked[2];  /* the same, of packets that hold something else than SHUTDOWN ACK */
    uint16_t longest_bytes[2]; /* by endpoint: the most user data in a chunk that it sent */
    uint32_t arrived_bytes[2]; /* by endpoint: its largest packet of which TSNs were acknowledged, of IP */
    uint8_t
        probes[2]; /* by endpoint: what it sent, or sent again, for want of an answer since the last one; saturates */
    sctpa_request_count_t (*timers)[SCTPA_REQUEST_TIMERS]; /* by endpoint; NULL: none ran that is kept */
    int64_t answer_ns[2]; /* by endpoint: RTT from the tap to it as its answers before the packet show it, -1 none */
    struct {
        uint32_t first_packet, last_packet;
        uint8_t n, what, debtor; /* sctpa_obligation_t, endpoint of this association */
    } restart; /* requests in a row by which its peer begins another association, well apart and not answered */
    struct {
        uint32_t packet; /* 1 + that with the ABORT, 0 none */
        uint8_t debtor;
    } refusal;                 /* of the INIT by which its peer begins another association */
    uint16_t ack_id[2];        /* identification of its last HEARTBEAT ACK, 0 none */
    uint32_t unread_packet[2]; /* 1 + the last packet with DATA that it had to discard unread, 0 none */
    uint32_t unread_tsn[2];    /* the first TSN of it */
} sctpa_obligations_t;

/* Did an endpoint repeat a request, so that the RTO of a path may still be doubled (RFC 9260 6.3.3 E2)? O(1). */
static inline bool sctpa_obligations_has_repeated(const sctpa_obligations_t *o, uint8_t endpoint)
{
    bool has = false;
    for (unsigned timer = 0; o->timers && timer < SCTPA_REQUEST_TIMERS; timer++)
        has |= o->timers[endpoint][timer].n > 1;
    return has;
}

/* Is it owed by the user of an endpoint, for a data channel? O(1). */
static inline bool sctpa_obligation_is_of_channel(unsigned what)
{
    return what == SCTPA_OWED_CHANNEL_OPEN || what == SCTPA_OWED_CHANNEL_CLOSE;
}

/* What the packet tells about its sender, and its receiver. O(1). */
void sctpa_obligations_follow(const sctpa_context_t *c, sctpa_obligations_t *o);
/* What an INIT tells with which the association begins: as following it leaves a new register. O(1). */
static inline void sctpa_obligations_follow_init(sctpa_obligations_t *o, uint8_t from)
{
    o->has_sent[from] = o->begins_anew[from] = true;
    o->probes[from] = 1;
    o->came[!from] = o->aborts_asked[!from] = o->others_asked[!from] = 1;
    o->asked[!from][SCTPA_ASKED_INIT_ACK] = 1;
}

/* Who restarted asks its peer, which may go on in the association before, with this register, as if nothing came. O(1).
 */
void sctpa_obligations_count_restart(const sctpa_context_t *c, sctpa_obligations_t *left);
/* Does the sender of the packet go on, near the tap, though it refused a restart before? O(1). */
bool sctpa_obligations_has_refused(const sctpa_context_t *c, const sctpa_obligations_t *o);

/* The states that an endpoint can be in when the packet reaches it, as all that passed towards it has reached it. O(1).
 */
uint8_t sctpa_obligations_states_of(const sctpa_context_t *c, const sctpa_obligations_t *o, uint8_t endpoint);
/* May the endpoint have given up its association, which it need not tell: has it had more errors in a row than
 * Association.Max.Retrans, of which no least value is known where none is asserted (RFC 9260 8.1)? What it sent again
 * as often as that was sent once before, and its timer may have expired once more. O(1). */
static inline bool sctpa_obligations_is_perhaps_given_up(const sctpa_tap_t *tap, const sctpa_obligations_t *o,
                                                         uint8_t endpoint)
{
    return o->probes[endpoint] >= sctpa_tap_parameter(tap, endpoint, SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS, 2);
}

/* Does the packet bear the tag of its sender, as a chunk with the T bit has to (RFC 9260 8.5.1)? O(1). */
static inline bool sctpa_obligations_reflects_tag(const sctpa_context_t *c)
{
    return c->assoc->ends[c->from].has_vtag && sctpa_context_vtag(c) == c->assoc->ends[c->from].vtag;
}

/* Does the packet end the association at its receiver with the tag of its sender: an ABORT with the T bit (RFC 9260
 * 8.5.1 B)? O(1). */
static inline bool sctpa_obligations_is_reflected_abort(const sctpa_context_t *c)
{
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    return abort && sctpa_tlv_u32(abort, SCTPA_F_ABORT_T) && sctpa_obligations_reflects_tag(c);
}

#endif
