/* What the group of paths keeps of an association with heartbeats. Internal to check_paths*.c. */
#ifndef SCTPA_RULES_PATHS_STATE_H
#define SCTPA_RULES_PATHS_STATE_H

#include "track/address.h"
#include "paths_limits.h"
#include "rules/engine.h"

enum { SCTPA_PATHS_KEPT = 8, SCTPA_PLAIN_HEARTBEAT_BYTES = 300 };

/* Heartbeats to one path. */
typedef struct {
    uint64_t hash;       /* of the last one */
    uint64_t wrong_hash; /* of an answer to it with other contents */
    int64_t sent_ns;
    uint32_t packet;          /* of the last one */
    uint32_t answered_packet; /* of the last one that was answered */
    uint32_t answered_before; /* of the one before it, when that was answered, too */
    int64_t answered_ns;      /* when it was sent */
    uint32_t wrong_packet;
    uint16_t pair; /* of the last one */
    bool open;     /* not answered */
    bool plain;    /* no probe of the MTU: small, without PAD */
    bool has_wrong;
    uint8_t wrongs;                 /* heartbeats in a row with wrong answers */
    uint32_t unanswered;            /* in a row, each for SCTPA_HEARTBEAT_UNANSWERED_S at least */
    uint32_t first_unanswered;      /* packet */
    uint64_t marks;                 /* transmissions of data by then */
    int64_t gap_min_ns, gap_max_ns; /* between heartbeats of an idle path */
    uint32_t gaps;
} sctpa_heartbeats_t;

typedef struct {
    sctpa_heartbeats_t *paths[2][SCTPA_PATHS_KEPT]; /* by sending end; NULL none sent */
    int64_t swings_ns[2][2];                        /* the last two ping-pongs */
    uint32_t swings[2], failovers[2];               /* of them, judged */
    uint32_t spread_from[2], spread_rtx[2];         /* first packet of the new data counted; retransmissions by then */
    uint8_t spread[2], turns[2]; /* packets with new data; of them to another path than the one before */
    uint16_t new_path[2];        /* of the last new data */
    uint32_t stray_packet[2];    /* a fast retransmission to another path, until new data shows where the sender is */
    uint32_t same_packet[2];     /* of the last timeout retransmission to the same path */
    uint8_t same[2];             /* how many of them */
    uint16_t stray_original[2], stray_path[2];
    bool has_stray[2], lists_judged[2];
} sctpa_paths_t;

static inline sctpa_paths_t *sctpa_paths_state(const sctpa_context_t *c)
{
    return sctpa_context_part(c, SCTPA_PART_PATHS, sizeof(sctpa_paths_t));
}

/* NULL: no heartbeat went there, or it is one of many paths. */
static inline sctpa_heartbeats_t *sctpa_heartbeats(const sctpa_context_t *c, uint8_t end, uint16_t path)
{
    const sctpa_paths_t *state = sctpa_context_find_part(c, SCTPA_PART_PATHS);
    return state && path < SCTPA_PATHS_KEPT ? state->paths[end][path] : NULL;
}

static inline const sctpa_record_t *sctpa_record_at(const sctpa_context_t *c, uint32_t packet)
{
    return &g_array_index(c->tracker->records, sctpa_record_t, packet);
}

/* Did the peer answer a heartbeat of the sending end that was not seen? O(paths), bounded. */
bool sctpa_has_unmatched_ack(const sctpa_context_t *c);

/* A HEARTBEAT or HEARTBEAT ACK of the packet. */
void sctpa_check_heartbeat(sctpa_context_t *c, const sctpa_tlv_t *chunk);
void sctpa_check_heartbeat_ack(sctpa_context_t *c, const sctpa_tlv_t *chunk);
/* Observations when a heartbeat leaves: listed addresses, dormant association. */
void sctpa_check_paths_idle(sctpa_context_t *c);
/* Where data and retransmissions go. */
void sctpa_check_paths_data(sctpa_context_t *c);

#endif
