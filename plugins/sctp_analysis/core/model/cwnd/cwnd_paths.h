/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the reference sender keeps of an association: per path what is outstanding, the family of senders with its band
 * of cwnd, and what their evidence is read from. Rules read it; only the cwnd_*.c files here write it. */
#ifndef SCTPA_CWND_CWND_PATHS_H
#define SCTPA_CWND_CWND_PATHS_H

#include "data/shared_limits.h"
#include "model/context.h"
#include "sender_family.h"

/* cwnd after a packet that changed it: 16 bytes. */
typedef struct {
    uint32_t packet, cwnd, ssthresh;
    uint16_t below, above; /* to the least and greatest cwnd, in SCTPA_CWND_STEP bytes; above UINT16_MAX unknown */
} sctpa_cwnd_record_t;
enum { SCTPA_CWND_STEP = 32, SCTPA_CWND_BLOCK = 256 };

typedef struct {
    uint32_t first_packet, len;
    sctpa_cwnd_record_t *records;
} sctpa_cwnd_block_t;

/* The control variables of one path, and what its evidence is read from. Less than 4 GiB is outstanding, or acked at a
 * time. */
typedef struct {
    sctpa_member_t *members;    /* SCTPA_FOLLOWED of them, NULL while nothing can have changed their cwnd */
    sctpa_cwnd_block_t *blocks; /* in order */
    sctpa_amount_t flight;      /* outstanding before this packet: cwnd_flight after the last one */
    sctpa_limit_t limits[SCTPA_LIMIT_UNITS][SCTPA_LIMITS]; /* cwnd at the most: see sctpa_cwnd_limit_bytes */
    int64_t limits_reduced_to; /* highest TSN sent when it was last reduced by a loss there, -1 never */
    int64_t reduced_to;        /* relative TSN at which the Fast Recovery ends in which it last reduced */
    int64_t timer_ns;          /* when T3-rtx started: as in data (t3.h), but that SACKs in order do not restart it */
    int64_t sack_ns, data_ns;  /* last SACK that acked data of it, last DATA to it */
    uint64_t steady_bytes;     /* acked since stopped_bytes was more than ever */
    uint64_t most_bytes;       /* no conforming sender's cwnd is larger: see sctpa_cwnd_bound */
    uint32_t n_blocks;
    uint32_t marked_bytes;    /* of flight, marked by the timer and not retransmitted yet */
    uint32_t waiting_bytes;   /* acked by SACKs of late, and not followed by as much data: what they let the sender send
                                 may not be seen yet */
    uint32_t uncut_cwnd;      /* of the member that cuts it to a burst, before the last cut */
    uint32_t stopped_bytes;   /* most outstanding when the sender stopped, since the last reduction */
    uint32_t slot;            /* of 20 ms, in which the last SACK came, modulo 2^32 */
    uint32_t slot_bytes[2];   /* acked in it and in the one before */
    uint32_t expired_packet;  /* that T3-rtx last sent there, no SACK since; SCTPA_NO_PACKET_INDEX none */
    uint32_t lost_packet;     /* the transmission before, of the TSN with which that one begins */
    uint32_t follower_packet; /* the first with DATA after it, SCTPA_NO_PACKET_INDEX none */
    uint16_t burst_packets;   /* with new data only, since the last SACK; saturates */
    bool is_known : 1;        /* DATA was sent to it */
    bool is_acked : 1;        /* and acknowledged */
    bool burst_answers : 1;   /* the burst began right after the SACK */
    bool has_sent : 1;        /* something, since that SACK */
    bool burst_repeats : 1;   /* it holds retransmissions */
    bool may_have_expired : 1; /* that timer, in silence, and no new data left since */
    bool is_behind : 1;        /* earlier SACKs waited when the last one came */
    bool has_backlog : 1;      /* bursts answer SACKs: the sender has more to send */
    bool awaits_misses : 1;    /* something was retransmitted before three SACKs reported it missing */
    bool is_probed : 1;        /* by a HEARTBEAT before members were followed */
} sctpa_cwnd_path_t;

/* What a sender without losses does not have. */
typedef struct {
    /* Fast Recovery that the tap does not surely see, beyond the one of the direction: TSNs that three SACKs reported
     * missing are retransmitted for no known reason, or given up. The sender may be in it, so that it must not show how
     * misses are counted, but it explains cwnd. Ended by a timeout, or where much more is sent than it allows. */
    sctpa_recovery_t likely_recovery;
    int64_t ecn_to;       /* highest TSN at the last reduction by ECNE */
    int64_t abandoned_to; /* before this packet */
    uint32_t early, fast; /* packets that begin with an early retransmission (sctpa_cwnd_is_early), a fast one */
} sctpa_cwnd_losses_t;

/* Occasions that a sender explains, and one does not which counts other bytes, but would if it counted the same. */
typedef struct {
    uint32_t occasions, packet; /* the last */
} sctpa_cwnd_telling_t;

/* How members fit: what a sender does not have that never had more outstanding than any initial cwnd. */
typedef struct {
    float misfits[SCTPA_FAMILY]; /* packets a member would not have sent, or would have sent on top, those of late
                                    counting most */
    /* Occasions: new data left, or the sender stopped; of them those that a member does not explain. */
    uint32_t occasions, outside[SCTPA_FAMILY];
    uint32_t shown_packet;           /* the last that the best fit explains and others do not */
    sctpa_cwnd_telling_t telling[2]; /* for senders that count user bytes, chunks with headers */
} sctpa_cwnd_fit_t;

typedef struct {
    sctpa_cwnd_path_t *paths;
    const sctpa_cwnd_losses_t *losses; /* never NULL; cwnd_losses changes them */
    const sctpa_cwnd_fit_t *fit;       /* never NULL; cwnd_data.c changes it */
    int64_t cum_tsn, highest;          /* before this packet, relative; -1 none */
    int64_t marked_to; /* all up to this TSN may be marked for retransmission, and no more count as outstanding; -1 none
                        */
    uint32_t n_paths;
    uint32_t last_bytes;          /* SCTP packet of the last packet with DATA */
    uint32_t unbundled;           /* packets that it sent right behind another one, with data that had waited and would
                                     have fitted into that one by a PMTU above Ethernet's; saturates */
    uint32_t packet_bytes;        /* the largest SCTP packet sent, without AUTH and padding considered */
    uint32_t a_rwnd_bytes;        /* the last advertised to it before this packet */
    uint32_t tsn_bytes;           /* user bytes of a new TSN, mean of late */
    uint32_t overhead_sixteenths; /* header and padding of a chunk, mean of late */
    uint8_t best;                 /* member that fits best */
    uint8_t announced;            /* 1 + the member that INIT or INIT ACK suggests, 0 not looked yet */
    uint8_t misses;               /* SACKs in a row that acked something and reported TSNs missing */
    uint16_t followed;            /* 1 + the path where follower_packet came last, no SACK since; 0 none */
    bool is_far : 1; /* it does not answer at once what passes the tap: what is outstanding there is not what is for it
                      */
    bool is_cut : 1; /* not all chunks of its packets with DATA were captured */
    bool has_repeated : 1;     /* it has retransmitted something */
    bool is_unknown : 1;       /* its INIT or INIT ACK was captured whole and looks like no implementation known */
    bool fragments : 1;        /* it has fragmented a message: packet_bytes is as large as its packets get */
    bool leaves_room : 1;      /* it did the same with data that would have fitted by its own PMTU */
    bool exceeds_ethernet : 1; /* a packet with DATA was too large for an Ethernet */
    bool has_shrunk : 1; /* it fragments to less than fits, or than it sent before: its PMTU is or was larger, how large
                            is unknown */
} sctpa_cwnd_sender_t;

typedef struct {
    sctpa_cwnd_sender_t *senders[2]; /* by endpoint; NULL: it sent neither DATA nor HEARTBEAT */
} sctpa_cwnd_assoc_t;

/* Is a retransmission early, after one miss indication at most? */
static inline bool sctpa_cwnd_is_early(const sctpa_rtx_t *rtx)
{
    return rtx->kind == SCTPA_RTX_EARLY && rtx->misses <= 1;
}

extern const sctpa_cwnd_fit_t sctpa_cwnd_no_fit;
/* How badly a member fits the sender, in packets. */
float sctpa_cwnd_misfit(const sctpa_cwnd_sender_t *sender, unsigned number);
/* How much worse than the best a member may fit, in packets, and still fit as well. */
float sctpa_cwnd_tolerance(const sctpa_cwnd_sender_t *sender);
/* How badly one fits at the most that fits nearly as well as the best. */
static inline float sctpa_cwnd_misfit_most(const sctpa_cwnd_sender_t *sender)
{
    return sctpa_cwnd_misfit(sender, sender->best) + sctpa_cwnd_tolerance(sender);
}

/* Is Fast Recovery under way, surely or likely, when cum_tsn is acked? */
static inline bool sctpa_cwnd_is_recovering(const sctpa_cwnd_sender_t *sender, const sctpa_direction_t *sent,
                                            int64_t cum_tsn)
{
    return MAX(sender->losses->likely_recovery.to, sent->rare->recovery.to) > cum_tsn;
}

/* The header of IPv4; the most of IPv6, UDP and AUTH, before other chunks. */
enum { SCTPA_CWND_IPV4_BYTES = 20, SCTPA_CWND_HEADERS_BYTES = 60 };
/* The PMTU that the sender cannot exceed, in bytes. */
static inline uint32_t sctpa_cwnd_mtu(const sctpa_cwnd_sender_t *sender)
{
    return MAX(sender->packet_bytes + SCTPA_CWND_HEADERS_BYTES, SCTPA_ETHERNET_BYTES);
}

/* The PMTU that the user asserts of the sender, unless its packets are larger; 0 none. */
uint32_t sctpa_cwnd_asserted_mtu(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender);
/* The larger of the two. */
static inline uint32_t sctpa_cwnd_mtu_most(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender)
{
    return MAX(sctpa_cwnd_mtu(sender), sctpa_cwnd_asserted_mtu(c, sender));
}

/* The most that cwnd can be, whatever the RFCs leave free: never below four PMTU (initial window, idle), and after a
 * SACK what was outstanding, one PMTU and all that it acked, if that is more, since cwnd grows only when it is fully
 * utilized; and what earlier SACKs of the last milliseconds may have the sender send before it takes this one. In bytes
 * with all headers. */
static inline uint64_t sctpa_cwnd_bound(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender,
                                        const sctpa_cwnd_path_t *path)
{
    return MAX(path->most_bytes, 4 * (uint64_t)sctpa_cwnd_mtu_most(c, sender));
}

/* Is it known how large its packets get: does it fragment messages, and not for its user to less than fits? A PMTU that
 * shrank shrinks no cwnd. */
static inline bool sctpa_cwnd_knows_mtu(const sctpa_cwnd_sender_t *sender)
{
    return sender->fragments && !sender->has_shrunk &&
           sender->packet_bytes + SCTPA_CWND_IPV4_BYTES >= SCTPA_PMTU_LEAST_BYTES;
}

/* The most that cwnd of a path can be of a sender that reduces it when it must, and as kind says when it is idle. */
uint64_t sctpa_cwnd_limit_bytes(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender,
                                const sctpa_cwnd_path_t *path, sctpa_limit_kind_t kind);
/* Its PMTU at the most: as asserted, as its packets show, or the largest of an Ethernet. */
uint32_t sctpa_cwnd_unit_most(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender);
/* What any sender counts as outstanding on a path before the packet: what is missing below the end of the gap blocks
 * may be taken for lost, or be given up. */
sctpa_amount_t sctpa_cwnd_outstanding(const sctpa_direction_t *sent, const sctpa_cwnd_sender_t *sender,
                                      const sctpa_cwnd_path_t *path);

/* Does it, or may it, cut cwnd to what one burst needs, and does the capture show when? */
static inline bool sctpa_cwnd_may_cut(const sctpa_cwnd_sender_t *sender)
{
    return !sender->is_far && (sender->best == SCTPA_MEMBER_BURSTS || sender->announced == SCTPA_MEMBER_BURSTS + 1);
}

/* The sender at an endpoint of the packet's association, before the packet is taken; NULL none yet. */
sctpa_cwnd_sender_t *sctpa_cwnd_sender(const sctpa_context_t *c, unsigned endpoint);
/* The retransmission with which the packet begins, if T3-rtx sends it to the address where it expired; NULL: it begins
 * with none such. */
const sctpa_rtx_t *sctpa_cwnd_timeout(const sctpa_context_t *c);
/* The path of a sender, made when new. O(paths made). */
sctpa_cwnd_path_t *sctpa_cwnd_make_path(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, uint16_t path);
static inline sctpa_cwnd_path_t *sctpa_cwnd_path_of(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender,
                                                    uint16_t path)
{
    return path < sender->n_paths ? &sender->paths[path] : sctpa_cwnd_make_path(c, sender, path);
}
/* Takes the packet into the state. O(chunks + paths). */
void sctpa_cwnd_take(const sctpa_context_t *c);

#endif
