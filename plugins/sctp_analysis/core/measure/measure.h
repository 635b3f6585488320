/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of a direction of data: what one endpoint sent, how it was acknowledged, per path and per stream. Drawn
 * from the records of data/ when they are asked for; nothing is kept. A number is never a verdict.
 *
 * A selection of packets limits what is summed: a transmission counts when its packet is selected, a TSN when the
 * packet of its first transmission is, a time that an acknowledgement ends when its packet is. Sums over disjoint
 * selections add up to the whole. */
#ifndef SCTPA_MEASURE_MEASURE_H
#define SCTPA_MEASURE_MEASURE_H

#include "data/direction.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include "order.h"
#include "track/counts.h"

/* Packets: SCTPA_NO_PACKET_INDEX none. */
typedef struct {
    uint32_t packet;                    /* the last of the association by then */
    uint32_t sack;                      /* the last SACK */
    int64_t cum_tsn;                    /* relative: all up to it was acked by then; where sack is */
    uint32_t a_rwnd_bytes;              /* of the last SACK, before that of INIT or INIT ACK; SCTPA_NO_BYTES unknown */
    uint32_t tsns;                      /* outstanding by then */
    int64_t oldest;                     /* relative TSN, where any is: the lowest, that it waits for */
    uint32_t oldest_first, oldest_last; /* its first and its last transmission by then */
    unsigned transmissions;             /* by then */
} sctpa_sender_state_t;

/* Of one path. */
typedef struct {
    uint32_t flight_bytes;                /* outstanding, SCTPA_NO_BYTES unknown */
    uint32_t cwnd, cwnd_least, cwnd_most; /* of the reference sender, has_cwnd; most SCTPA_CWND_UNKNOWN: no bound */
    bool has_cwnd;
    int64_t rto_ns;             /* 0 unknown */
    bool t3_is_running;         /* as far as is known; then: */
    int64_t t3_left_ns;         /* until RTO has passed since it was surely started last; below 0: it has */
    bool t3_may_have_restarted; /* since then: what is left is the least */
} sctpa_sender_path_t;

/* All zero: empty. */
typedef struct {
    GArray *words; /* uint64_t; NULL none */
} sctpa_packets_t;

/* Adds packet index. O(1), amortised; memory: one bit per index up to the highest, at most twice that. */
void sctpa_packets_add(sctpa_packets_t *packets, uint32_t index);

/* Makes it empty and frees what it took. */
static inline void sctpa_packets_clear(sctpa_packets_t *packets)
{
    g_clear_pointer(&packets->words, g_array_unref);
}

/* Is packet index in the set? packets NULL: every packet is. */
static inline bool sctpa_packets_has(const sctpa_packets_t *packets, uint32_t index)
{
    if (!packets)
        return true;
    const GArray *words = packets->words;
    return words && index / 64 < words->len && g_array_index(words, uint64_t, index / 64) >> (index % 64) & 1;
}

/* What was sent, of a direction or to one path. TSNs and their bytes go to the path of their first transmission; rtx to
 * the path where a retransmission went, and retransmitted, spurious and lost to that of the transmission it repeats. */
typedef struct {
    uint64_t transmissions;    /* chunks, a TSN again in the same packet left out; with a TSN of another message, too */
    uint64_t tsns, user_bytes; /* user_bytes: each TSN once */
    uint64_t missing_bytes;    /* of user_bytes, those of TSNs that did not arrive (sctpa_direction_is_missing) */
    uint64_t messages;         /* TSNs that end a message */
    uint64_t rtx[SCTPA_RTX_KINDS]; /* transmissions after the first, by kind */
    uint64_t unproven;          /* of unknown kind, those that the network may have doubled: no identification tells */
    uint64_t doubled;           /* chunks that passed again in one IP packet (sctpa_rtx_is_doubled): no transmissions */
    uint64_t other_messages;    /* transmissions of another message with a TSN that was sent before */
    uint64_t retransmitted;     /* transmissions that were repeated */
    uint64_t spurious;          /* of them, those repeated without need: at least */
    uint64_t spurious_unproven; /* of spurious, those that are repeated by what may have been doubled */
    uint64_t spurious_fast;     /* of spurious, those repeated fast: reported missing, they had been delayed alone */
    uint64_t spurious_unacked;  /* of the others, those of which no ack had passed the tap, though one can have */
    uint64_t lost;        /* the others, but those dropped at a closed window or left to an address given up: at most */
    uint64_t resent_tsns; /* TSNs sent more than once, here or before the tap */
    uint64_t resent_unseen;   /* TSNs whose first sighting was a retransmission */
    uint64_t reordered;       /* TSNs that passed behind higher ones that were sent after them: at least */
    uint64_t resent_unproven; /* of resent_unseen, those that may have been reordered: no identification tells */
    int64_t reordered_ns;     /* of those reordered, the most behind the first of the higher ones */
    uint64_t abandoned_tsns, reneged_tsns;
    uint64_t carried_bytes;                 /* user bytes, every transmission */
    uint64_t data_packets, data_wire_bytes; /* IP packets with data, doubled ones as well */
    uint64_t bundled_packets;               /* of them, with more than one DATA chunk */
    uint64_t sack_packets;                  /* of them, with a SACK, too */
    sctpa_percentiles_t rtt, heartbeat_rtt; /* as seen at the tap */
} sctpa_sent_t;

/* What theory allows, in bits of user data per second (Rüngeler chapter 7), and what it was computed from. Negative: an
 * input is missing. The ideal throughput (7.5) needs a bandwidth, which a capture does not show. */
typedef struct {
    double window_bps;        /* (6.2) */
    double lossy_bps;         /* (7.10), headers not counted */
    double lossy_headers_bps; /* (7.12), headers counted */
    int64_t rtt_ns;           /* the sender's: median at the tap, and from the tap to the sender and back; 0 unknown */
    uint32_t window_bytes;    /* largest a_rwnd announced, 0 unknown */
    double loss;              /* p: transmissions lost / transmissions, those lost before the tap in both */
    double packet_user_bytes; /* D: user bytes in a packet with data, mean; 0 none */
    double chunk_user_bytes;  /* UMS: user bytes of a chunk, mean; 0 none */
    uint32_t chunk_header_bytes; /* H_C */
    uint32_t mtu_bytes; /* largest IP packet with data; 0: none, or offloading made it larger than a link carries */
} sctpa_throughput_limits_t;

/* The SACKs that the receiver of a direction sent. */
typedef struct {
    uint64_t sacks;
    uint64_t idle;          /* of them, those that newly acknowledged nothing */
    uint64_t updates;       /* of these, those that say the same as the SACK before with a higher a_rwnd */
    uint64_t raised_bytes;  /* by all updates together */
    uint64_t repeated;      /* of idle, those in another packet that say the same as the SACK before, no duplicates */
    uint64_t unnumbered;    /* of repeated, those without identification of IPv4, which the network may have doubled */
    uint64_t answering;     /* SACKs that report duplicates, or are the IP packet before once more */
    uint32_t largest_bytes; /* a_rwnd */
} sctpa_sack_totals_t;

/* Chunks that passed again to the same path sooner than an ack of them can come (three quarters of a round trip,
 * without miss indications), and of which the receiver got both: at least. No timer, ack or report makes a sender
 * repeat them so soon. */
typedef struct {
    uint64_t chunks, packets;
    uint64_t other_packets; /* of chunks, those in another IP packet: with another IPv4 identification or length */
    int64_t longest_ns;     /* after the transmission before */
} sctpa_at_once_t;

typedef struct {
    sctpa_sent_t all;
    GArray *paths; /* sctpa_sent_t by path number of the sender; may be shorter than the paths there are */
    /* From the oldest DATA packet that a SACK is the first to ack, to that SACK; none across a step of the clock. */
    sctpa_percentiles_t sack_delay;
    int64_t sack_delay_sum_ns; /* of all these times; saturates */
    sctpa_at_once_t at_once;
    uint64_t timeouts;      /* of T3-rtx, each once, however much was retransmitted for it; at least */
    uint64_t zero_windows;  /* times that the announced window closed (sctpa_window_is_closed) */
    int64_t span_ns;        /* from the first to the last transmission of the direction, whatever is selected */
    bool reneged_known;     /* all TSNs that were taken back are counted; else all.reneged_tsns are the first of them */
    bool missed_known;      /* of the next: everything was captured whole, and there is data; false with a selection */
    uint64_t missed;        /* TSNs acked or gap-acked that never passed */
    uint64_t acked_tsns;    /* of all.tsns, acked or gap-acked, not given_up_tsns */
    uint64_t given_up_tsns; /* of all.abandoned_tsns, those of which no ack shows that they arrived all the same */
    uint64_t given_up_missing_tsns; /* of given_up_tsns, those that SACKs reported missing */
    /* Of all.abandoned_tsns, given up sooner after they were sent than an answer comes to the sender: round_trip_ns, -1
     * unknown. */
    uint64_t given_up_on_way_tsns;
    int64_t round_trip_ns;
    uint64_t given_up_unseen_tsns; /* given up, and never passed; 0 with a selection */
    int64_t slowest_ack_ns; /* but for those across a step of the clock (track/clock_steps.h), the most from the first
                               transmission of one to its ack, -1 none, and that transmission */
    uint32_t slowest_packet;
    uint32_t given_up_control_packet; /* the first of given_up_tsns whose message opens a data channel (PPID 50);
                                         SCTPA_NO_PACKET_INDEX none */
    sctpa_sack_totals_t sacks;
    bool has_theory; /* false with a selection */
    sctpa_throughput_limits_t theory;
} sctpa_measure_t;

enum { SCTPA_PPIDS_MAX = 1024 };

/* What was sent on one stream. */
typedef struct {
    uint16_t id;
    uint64_t chunks, tsns, user_bytes; /* chunks: transmissions */
    uint64_t messages;                 /* TSNs that end one */
    uint64_t unordered_messages;       /* of them */
    uint64_t rtx;                      /* of chunks, those after the first */
    GArray *ppids;                     /* uint32_t ascending, at most SCTPA_PPIDS_MAX; NULL none */
    /* How long complete ordered messages waited for earlier ones of the stream, at least and at most; see
     * user_messages.h. */
    sctpa_percentiles_t hol_delay, hol_delay_most;
} sctpa_stream_t;

/* Bit rate of bytes over ns, negative when ns is not positive. */
static inline double sctpa_rate_bps(uint64_t bytes, int64_t ns)
{
    return ns > 0 ? (double)bytes * 8e9 / (double)ns : -1;
}

/* The shortest round trip at the tap, of data or HEARTBEATs, ns; -1 none. Where SACKs are delayed, those of data that
 * was sent alone are mostly that delay. */
int64_t sctpa_sent_rtt_ns(const sctpa_sent_t *sent);
/* User data per second, each TSN once, without missing_bytes; negative: span_ns is not above 0. O(1). */
static inline double sctpa_sent_goodput_bps(const sctpa_sent_t *sent, int64_t span_ns)
{
    return sctpa_rate_bps(sent->user_bytes - sent->missing_bytes, span_ns);
}

/* Does a retransmission show that what it repeats was lost? Not one without need, nor where data was dropped at a
 * closed window or left to an address given up. */
static inline bool sctpa_rtx_shows_loss(sctpa_rtx_kind_t kind, bool spurious)
{
    return !spurious && kind != SCTPA_RTX_PROBE && kind != SCTPA_RTX_HANDOVER;
}
/* How many SACKs after packet since, up to until, say the same as the one before, without data beside them, gap blocks
 * or a higher a_rwnd. O(log SACKs + SACKs between). */
uint32_t sctpa_same_sacks(const sctpa_direction_t *direction, uint32_t since, uint32_t until);
/* Does a SACK say the same as the one before it, as above, though something that came must have asked for it? Not one
 * that lists duplicates, nor one that the network doubled: with the IPv4 identification of the one before. O(log
 * duplicates). RFC 9260 6.2. */
bool sctpa_sack_is_silent(const sctpa_direction_t *direction, const sctpa_sack_record_t *before,
                          const sctpa_sack_record_t *sack);
/* All retransmissions. */
uint64_t sctpa_sent_rtx(const sctpa_sent_t *sent);

void sctpa_measure_free(sctpa_measure_t *measure);

/* Shares are of 1. Where a divisor is 0: negative.
 *
 * other_packets       packets of the endpoint without user data: set-up, SACKs, HEARTBEATs, shutdown
 * other_per_data      of them for each packet with data
 * chunks_per_packet   DATA and I-DATA chunks in a packet with data, mean; retransmissions are chunks, too
 * bundled_share       of the packets with data, those with more than one such chunk (RFC 9260 6.10)
 * sack_share          of the packets with data, those that carry a SACK, too
 * header_share        of all bytes that the endpoint sent (IP packets), those that are no user data: IP, SCTP and chunk
 *                     headers, parameters, padding, whole packets without data. A retransmission is user data, too
 * data_header_share   the same of the packets with data alone */
typedef struct {
    uint64_t data_packets, other_packets;
    double other_per_data, chunks_per_packet, bundled_share, sack_share, header_share, data_header_share;
} sctpa_efficiency_t;

/* counts: of all that the endpoint sent; sent: of its data; of the same packets. O(1). */
sctpa_efficiency_t sctpa_efficiency_of(const sctpa_counts_t *counts, const sctpa_sent_t *sent);

#endif
