/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The paths of an endpoint, as it may know them: which addresses are confirmed (RFC 9260 5.4), which HEARTBEATs were
 * answered or wait for an answer (8.3), and which paths are active by that (8.2, RFC 7829). HEARTBEATs of the first
 * SCTPA_PATHS_KEPT paths are followed. Leaves out where new data goes (path_states.c of track) and what data shows. */
#ifndef SCTPA_CHAPTERS_HEARTBEATS_H
#define SCTPA_CHAPTERS_HEARTBEATS_H

#include "model/context.h"

/* What separates an address that is never probed from one that is probed late. */
#define SCTPA_PROBED_BY_S 60

/* An answer that comes before any RTO of a path with such round trips: half of the RTO.Min that the RFC recommends. */
#define SCTPA_PROMPT_ANSWER_MS 500

/* What separates heartbeats by a clock from chance; both, the shorter counts: the jitter of an RTO of 10 ms would still
 * spread intervals wider. */
#define SCTPA_EVEN_INTERVAL_MS 2
#define SCTPA_EVEN_INTERVAL_PERCENT 1

/* What separates a path that is active from one that was. */
#define SCTPA_PATH_ACTIVE_S 60

/* What comes later with other contents is no answer. */
#define SCTPA_WRONG_ECHO_S 2

/* What separates a HEARTBEAT without answer from one whose answer is still on its way. */
#define SCTPA_HEARTBEAT_UNANSWERED_S 1

enum { SCTPA_PATHS_KEPT = 8 };

/* Intervals in a row between answered HEARTBEATs of an idle path that differ by little. */
typedef struct {
    int64_t least_ns, most_ns;
    uint32_t n; /* 0: the last interval does not count */
} sctpa_even_intervals_t;

/* Intervals in a row between answered HEARTBEATs of an idle path: each is longer than the one before, and by no less
 * than that one grew. */
typedef struct {
    int64_t first_ns, last_ns;
    int64_t growth_ns; /* last_ns without the interval before it, 0 for the first */
    uint32_t n;        /* 0: the last interval does not count */
    uint32_t packet;   /* with which the first began */
} sctpa_growing_intervals_t;

/* HEARTBEATs to one path. Packets: SCTPA_NO_PACKET_INDEX none. */
typedef struct {
    uint64_t hash;          /* of the last one's Heartbeat Info */
    uint64_t hash_before;   /* of the one before it, 0 none */
    uint64_t other_hash;    /* of an answer to it with other contents, 0 none */
    int64_t sent_ns;        /* the last one */
    uint64_t transmissions; /* of data by then */
    sctpa_even_intervals_t even;
    sctpa_growing_intervals_t growing;
    uint32_t packet;           /* of the last one */
    uint32_t answered_packet;  /* of the last one that was answered, when all since were */
    uint32_t answered_before;  /* of the one before it, when that was answered, too */
    uint32_t other_packet;     /* of the answer with other contents */
    uint32_t unanswered;       /* in a row, each for SCTPA_HEARTBEAT_UNANSWERED_S at least */
    uint32_t first_unanswered; /* of them */
    uint16_t pair;             /* of the last one */
    uint8_t others;            /* in a row whose answers had other contents */
    bool is_open;              /* the last one is not answered */
    bool is_plain;             /* it is no probe of the PMTU: small, without PAD */
    bool is_prompt;            /* it was answered within SCTPA_PROMPT_ANSWER_MS */
} sctpa_heartbeats_t;

/* What a path is by its HEARTBEATs. */
typedef enum {
    SCTPA_PATH_UNKNOWN,
    SCTPA_PATH_ACTIVE,             /* the last HEARTBEAT, not long ago, was answered */
    SCTPA_PATH_POTENTIALLY_FAILED, /* more than PotentiallyFailed.Max.Retrans in a row were not (RFC 7829) */
    SCTPA_PATH_INACTIVE            /* more than Path.Max.Retrans (RFC 9260 8.2) */
} sctpa_path_state_t;

/* HEARTBEATs of an endpoint to a path, before the packet; NULL none that is followed. O(1). */
const sctpa_heartbeats_t *sctpa_heartbeats(const sctpa_context_t *c, uint8_t endpoint, uint16_t path);
/* The HEARTBEATs of the peer of which a HEARTBEAT ACK of the packet answers the last; NULL none. O(bytes). */
const sctpa_heartbeats_t *sctpa_heartbeats_answered(const sctpa_context_t *c, const sctpa_tlv_t *answer);

/* Is the destination of a path confirmed to the endpoint? Unknown where its user may have named it, as the sender of
 * the INIT may, and where a HEARTBEAT was sent there: its answer may not have been captured. O(pairs). */
sctpa_known_t sctpa_path_is_confirmed(const sctpa_context_t *c, uint8_t endpoint, uint16_t path);
/* O(chunks). */
sctpa_path_state_t sctpa_path_state(const sctpa_context_t *c, uint8_t endpoint, uint16_t path);

/* Has the sender of the packet sent to several paths? O(1). */
static inline bool sctpa_has_several_paths(const sctpa_context_t *c)
{
    return c->assoc->ends[c->from].n_paths >= 2;
}

#endif
