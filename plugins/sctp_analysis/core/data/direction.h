/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one endpoint sent and how it was acknowledged: per TSN, per transmission, per SACK, per RTT sample, as compact
 * records. The structs are results: later layers read them and never write. Numbers drawn from them are measure/'s. */
#ifndef SCTPA_DATA_DIRECTION_H
#define SCTPA_DATA_DIRECTION_H

#include <glib.h>

#include "base/records.h"
#include "base/numbers.h"
#include "wire/chunk.h"
#include "tap_rtt.h"
#include "tsn_set.h"

enum { SCTPA_NO_PACKET_INDEX = 0xFFFFFFFFu, SCTPA_MISSES_FAST = 3, SCTPA_NO_PAGE = 0xFFFFFFFFu };
enum { SCTPA_PAGE_BITS = 3, SCTPA_PAGE_TSNS = 1 << SCTPA_PAGE_BITS };

/* Why a TSN was sent again (field sctp.analysis.retransmission). */
typedef enum {
    SCTPA_RTX_FAST,
    SCTPA_RTX_EARLY,
    SCTPA_RTX_TIMEOUT,
    SCTPA_RTX_PROBE,
    SCTPA_RTX_HANDOVER,
    SCTPA_RTX_REPORT,
    SCTPA_RTX_UNKNOWN,
    SCTPA_RTX_KINDS
} sctpa_rtx_kind_t;

/* What is known of a TSN. */
enum {
    SCTPA_TSN_END = 0x01,
    SCTPA_TSN_BEGIN = 0x02,
    SCTPA_TSN_UNORDERED = 0x04,
    SCTPA_TSN_IMMEDIATE = 0x08, /* as DATA's flags */
    SCTPA_TSN_I_DATA = 0x10,
    SCTPA_TSN_OVERTAKEN = 0x20, /* by identifications: sent before higher TSNs that passed before it, ... */
    SCTPA_TSN_SENT_AFTER = 0x40 /* ... or after them */
};
enum {
    SCTPA_TSN_ACKED = 0x01,         /* by a cum_tsn */
    SCTPA_TSN_GAP_ACKED = 0x02,     /* in a gap block of the newest SACK */
    SCTPA_TSN_RENEGED = 0x04,       /* had been gap-acked when a newer SACK said that it is missing; stays */
    SCTPA_TSN_ABANDONED = 0x08,     /* FORWARD_TSN passed it while it was not acked */
    SCTPA_TSN_BEHIND = 0x10,        /* first seen after a higher TSN */
    SCTPA_TSN_LATE = 0x20,          /* first seen after it was acked */
    SCTPA_TSN_REPORTED = 0x40,      /* a PKTDROP quoted it since its last transmission */
    SCTPA_TSN_EARLIER_UNSEEN = 0x80 /* its first sighting was a retransmission: an earlier copy never passed this tap */
};

/* One TSN: 40 bytes. Packets are packet indices, SCTPA_NO_PACKET_INDEX none. */
typedef struct {
    uint32_t first_packet, last_packet; /* first and last transmission */
    uint32_t gap_packet, ack_packet;    /* first SACK that gap-acked, cum-acked it */
    uint32_t more;                      /* 1 + index of its newest retransmission, 0 none */
    uint32_t ssn;                       /* SSN, or MID of I_DATA */
    uint32_t ppid;                      /* PPID, or FSN in an I_DATA that does not begin a message */
    uint16_t bytes, stream;             /* user bytes */
    uint16_t path;                      /* of the last transmission */
    uint16_t transmissions;             /* 0: never seen; saturates */
    uint8_t flags, state, duplicates;   /* duplicates: reports in SACKs, saturates */
    uint8_t content;                    /* of the first transmission (content_hash), 0: it was cut */
} sctpa_tsn_t;

/* A transmission after the first: 24 bytes. */
typedef struct {
    uint32_t packet, previous; /* packets of this and the previous transmission */
    sctpa_link_t link;         /* to the TSN's retransmission before this one */
    uint16_t path;
    uint8_t kind : 6;        /* sctpa_rtx_kind_t */
    uint8_t is_untimed : 1;  /* T3-rtx of its path surely has not expired since it was started */
    uint8_t is_unmarked : 1; /* nor has it marked the TSN before (RFC 9260 6.3.3 E3) */
    uint8_t misses : 6; /* miss indications since the previous transmission that the sender could have seen, up to 3 */
    uint8_t is_other_message : 1; /* the TSN was used for another message: no retransmission to those who count them */
    uint8_t has_other_head : 1;   /* and not its user data alone is other (tsn_has_other_head) */
} sctpa_rtx_t;

/* Which transmission of which TSN a DATA chunk is. */
typedef struct {
    const sctpa_tsn_t *tsn; /* NULL: it is not followed */
    int64_t number;         /* relative TSN */
    uint32_t rtx;           /* 1 + index in rtx of the retransmission that it is, 0: the first transmission */
    uint32_t t3_packet;     /* of a retransmission: the packet that last started the timer of its path before (t3.h);
                               SCTPA_NO_PACKET_INDEX none */
} sctpa_transmission_t;

/* A SACK or NR_SACK: 16 bytes, and 4 per gap block when they are others than those that the SACK before had. */
typedef struct {
    uint32_t packet, cum_tsn, a_rwnd_bytes;
    uint32_t gaps; /* 1 + index in gaps of its list of gap blocks, 0 none */
} sctpa_sack_record_t;

/* A duplicate TSN that a SACK reported: 8 bytes. */
typedef struct {
    uint32_t packet, tsn;
} sctpa_duplicate_t;

/* What a SACK, or the cum_tsn of a SHUTDOWN, newly acknowledged; only for those that did: 40 bytes. */
typedef struct {
    uint32_t packet;                    /* of the SACK */
    uint32_t first_packet, last_packet; /* earliest and latest of the last transmissions of the TSNs newly acked */
    uint32_t oldest_packet; /* oldest DATA packet among TSNs newly acked that were sent once and not given up; those
                               left out whose ack the capture lacks */
    uint32_t chunks, bytes; /* TSNs seen here, newly acked */
    uint32_t gap_packets;   /* packets whose TSNs are newly gap-acked */
    uint32_t highest;       /* highest TSN newly acked, as serial number */
    uint32_t reported_to;   /* end of its highest gap block or its cum_tsn, as serial number */
    /* ascending in the packet: 2n + 1 of SACK number n = 0, 1, ... of it, 2n of a SHUTDOWN before that */
    uint16_t order;
    uint16_t advanced; /* in fast recovery, the cum_tsn advanced: all TSNs missing count as missed (RFC 9260 7.2.4) */
} sctpa_acked_t;

typedef enum { SCTPA_SAMPLE_DATA, SCTPA_SAMPLE_HEARTBEAT, SCTPA_SAMPLE_BACKOFF } sctpa_sample_kind_t;

/* A round trip as seen at the tap, or an expiry of T3-rtx, which doubles the RTO: 28 bytes. From unbounded_us and
 * backoffs follows the path's RTO afterwards, whatever its bounds (rto.h). */
typedef struct {
    uint32_t packet;       /* that ended it; of an expiry: the first that it sent again */
    uint32_t started;      /* that began it; of an expiry: that started the timer, packet itself: not known */
    uint32_t unbounded_us; /* SRTT + 4 RTTVAR of the sender, 0: no round trip of the path was measured; saturates */
    sctpa_link_t link;     /* to the path's sample before */
    uint16_t path;
    uint8_t kind : 7;           /* sctpa_sample_kind_t */
    uint8_t may_start_late : 1; /* of an expiry: something later than started may have started the timer anew */
    uint8_t backoffs;           /* since the last round trip; saturates */
} sctpa_sample_t;

/* SRTT + 4 RTTVAR after a sample, 0: no round trip of the path was measured. */
static inline int64_t sctpa_sample_unbounded_ns(const sctpa_sample_t *sample)
{
    return (int64_t)sample->unbounded_us * 1000;
}

/* What is outstanding on one path, its timer and its round trips, for the data sent to it. */
typedef struct {
    uint64_t flight_bytes, flight_chunks;
    int64_t timed_tsn;                  /* TSN whose round trip is being measured */
    uint32_t timed_packet;              /* its transmission, SCTPA_NO_PACKET_INDEX none */
    uint32_t last_sample;               /* 1 + index in samples, 0 none */
    int64_t srtt_ns, rttvar_ns, rto_ns; /* rto_ns 0: no sample yet */
    int64_t t3_start_ns;  /* when the retransmission timer was surely started last; read by sctpa_t3_of (t3.h) */
    int64_t t3_before_ns; /* when before that, or when it may have been started since */
    int64_t patience_ns;  /* how long the timer may run since a TSN was retransmitted, 0: it was restarted and measured
                             since */
    int64_t expired_ns;   /* how long the timer ran at most when it expired last, 0 never */
    int64_t timeout_highest; /* highest TSN seen at timeout_packet: those up to it are marked by it */
    uint32_t timeout_packet; /* last retransmission that a timer sent, SCTPA_NO_PACKET_INDEX none */
    uint32_t unknown_packet; /* last retransmission of unknown kind, perhaps a timer's, SCTPA_NO_PACKET_INDEX none */
    uint32_t
        timed_rtx_packet; /* last one of any kind that it may have sent when it expired, SCTPA_NO_PACKET_INDEX none */
    int64_t left_ns;      /* when the receiver gave up this address, INT64_MIN not so far */
    uint32_t heartbeat_packet; /* HEARTBEAT last sent here */
    uint32_t last_heartbeat;   /* 1 + index in heartbeats of the last one kept, 0 none */
    uint32_t t3_packet;        /* that set t3_start_ns, SCTPA_NO_PACKET_INDEX none */
    bool is_answered;          /* something sent here was answered that was due at once: receiver_tap_rtt covers it */
} sctpa_data_path_t;

/* A HEARTBEAT: 12 bytes, for the first SCTPA_HEARTBEATS_MAX of a direction. */
typedef struct {
    /* answer_packet SCTPA_NO_PACKET_INDEX: not answered before the next one to the path */
    uint32_t packet, answer_packet;
    uint16_t path, spare;
} sctpa_heartbeat_t;

enum { SCTPA_HEARTBEATS_MAX = 256 };

enum { SCTPA_TICK_NS = 10000000 }; /* timers of stacks tick at most this coarse: usrsctp 10 ms, Linux 4 ms */

/* How much later than asked for a timer may fire that took ns: a tick, or an eighth (the wheel of Linux' timers). */
static inline int64_t sctpa_tick_ns(int64_t ns)
{
    return MAX(ns / 8, SCTPA_TICK_NS);
}

enum {
    SCTPA_STAMP_DATA = 1,
    SCTPA_STAMP_SACK = 2,
    SCTPA_STAMP_FRAGMENTED = 4,
    SCTPA_STAMP_IP_ID_SHIFT = 3,
    SCTPA_STAMP_INTERFACE_SHIFT = 19,
    SCTPA_INTERFACES_MAX = 1 << 13
};

/* A packet as the records of directions need it, by packet index: 24 bytes. */
typedef struct {
    int64_t time_ns;
    uint32_t flight_bytes, peer_window_bytes; /* after the packet, SCTPA_NO_PACKET_INDEX unknown */
    uint32_t wire_bytes;                      /* of the IP packet; of SCTP where that is unknown */
    uint32_t holds; /* SCTPA_STAMP_ bits: DATA or I_DATA, SACK or NR_SACK, that were taken; put together from IP
                     * fragments; above them the IPv4 identification, and the interface */
} sctpa_stamp_t;

/* Its IPv4 identification, 0 unknown. */
static inline uint16_t sctpa_stamp_ip_id(const sctpa_stamp_t *stamp)
{
    return (uint16_t)(stamp->holds >> SCTPA_STAMP_IP_ID_SHIFT);
}

/* The interface where it was seen. */
static inline uint32_t sctpa_stamp_interface(const sctpa_stamp_t *stamp)
{
    return stamp->holds >> SCTPA_STAMP_INTERFACE_SHIFT;
}

/* Near which relative TSN a DATA packet and those after it were lifted to 64 bits: 16 bytes, kept when it is far from
 * the one before. */
typedef struct {
    uint32_t packet;
    int64_t near;
} sctpa_lift_t;

/* A FORWARD_TSN or I_FORWARD_TSN with a higher New Cumulative TSN than those before: 16 bytes. */
typedef struct {
    uint32_t packet;
    int64_t new_cum; /* relative */
} sctpa_forward_t;

/* Fast Recovery (RFC 9260 7.2.4). */
typedef struct {
    int64_t to;      /* highest TSN when it began: it lasts until that is cum-acked; -1 none */
    int64_t sack_ns; /* when the SACK passed that began it */
} sctpa_recovery_t;

/* What few directions have: losses, gap blocks, duplicates, heartbeats, resets. Records are in order. */
typedef struct {
    sctpa_records_t gaps; /* uint32_t: lists of gap blocks, each their number, then start << 16 | end as in the packets;
                             0 alone: they were cut off */
    uint32_t last_gaps;   /* the list kept last, as in sctpa_sack_record_t */
    sctpa_records_t rtx;  /* sctpa_rtx_t */
    sctpa_records_t duplicate_tsns; /* sctpa_duplicate_t */
    sctpa_records_t heartbeats;     /* sctpa_heartbeat_t */
    sctpa_records_t lifts;          /* sctpa_lift_t in order */
    sctpa_records_t forwards;       /* sctpa_forward_t, ascending in both */
    sctpa_tsn_set_t gap_acked;      /* above the cum_tsn, by the newest SACK and those that add to it */
    int64_t abandoned_to;           /* TSNs up to here were given up by FORWARD_TSN */
    sctpa_recovery_t recovery;      /* as far as the tap surely sees it: begun by a fast retransmission */
    int64_t doubtful_to;            /* until this is cum-acked, kinds are not judged: the capture missed something */
    int64_t rto_min_ns;             /* the smallest RTO that timeouts showed, else RTO.Min of RFC 9260 16 */
    uint64_t unseen_acked;          /* TSNs cum-acked that were never seen, as soon as one is */
    uint64_t acked_before;          /* TSNs cum-acked before the first was seen */
    uint32_t unseen_after;          /* the last packet seen that surely left before the first of those cum-acked last */
    uint32_t unseen_ack_packet;     /* DATA packet that showed it last: what left before was acked unseen; 0 none */
    uint32_t unseen_acks; /* times that the sender must have had an ack that was never seen: its timer had run out, and
                             it sent nothing again */
    uint32_t network_duplicates; /* reports for TSNs that were sent once */
    uint32_t restart_tsn;
    uint32_t late_packet; /* 1 + the last packet with a TSN that passed for the first time after an ack of it, 0 none */
    uint32_t old_sacks;   /* in a row, with a cum_tsn lower than the highest */
    uint32_t taken_back;  /* TSNs walked over because a newer SACK left them out */
    bool is_untold;       /* it is no longer followed what is taken back */
} sctpa_direction_rare_t;

/* Three cache lines. */
typedef struct sctpa_direction {
    uint32_t initial_tsn; /* what relative TSN 0 stands for */
    bool has_initial;     /* from INIT or INIT ACK, or the first TSN seen */
    bool announced;       /* from INIT or INIT ACK */
    bool has_cum, has_a_rwnd;
    bool restarted; /* RE_CONFIG reset the TSNs, last to restart_tsn */
    bool truncated; /* packets were cut: chunks may have been missed */
    bool watched, has_usual_path;
    uint16_t usual_path;  /* where new data goes; a move counts when it stays, and watched: one may be under way
                             (path_states.c of track) */
    uint8_t window_bits;  /* its receiver announced windows below 1 << window_bits only */
    bool repeats_fast;    /* its sender was seen to retransmit a TSN fast more than once, which RFC 9260 7.2.4 does not
                             allow */
    bool waits_for_t3;    /* its sender has an implementation that retransmits a lone TSN no sooner than T3 expires */
    sctpa_tsn_set_t seen; /* TSNs seen and not cum-acked */
    uint32_t serial;      /* of this direction */
    uint32_t pages;       /* the one made last, SCTPA_NO_PAGE none */
    struct sctpa_page *page; /* the one used last, NULL none */
    int64_t highest;         /* highest TSN seen, -1 none */

    int64_t highest_gap_end;            /* highest TSN ever gap-acked or cum-acked */
    int64_t cum_tsn;                    /* highest cum_tsn of a SACK; TSNs are relative, -1: none acked yet */
    uint64_t flight_bytes;              /* of all paths */
    int64_t last_sack_ns;               /* when the last SACK passed */
    sctpa_tap_rtt_t *receiver_tap_rtt;  /* RTT from the tap to the receiver; its end's */
    uint32_t a_rwnd_bytes;              /* the last that the receiver announced */
    uint32_t tsns;                      /* different TSNs seen */
    const sctpa_direction_rare_t *rare; /* never NULL; changed through sctpa_direction_rare */

    sctpa_records_t sacks;     /* sctpa_sack_record_t in order */
    sctpa_records_t acked;     /* sctpa_acked_t in order */
    sctpa_records_t paths;     /* sctpa_data_path_t by path number of the sender */
    sctpa_records_t samples;   /* sctpa_sample_t in order */
    struct sctpa_store *store; /* shared by all directions */
} sctpa_direction_t;

enum { SCTPA_CLOSED_WINDOW_BYTES = 1 };

/* Does an a_rwnd close the window? FreeBSD announces 1 where silly windows are to be avoided (RFC 9260 6.2, RFC
 * 1122 4.2.3.3). */
static inline bool sctpa_window_is_closed(uint32_t a_rwnd_bytes)
{
    return a_rwnd_bytes <= SCTPA_CLOSED_WINDOW_BYTES;
}

/* Who gap-acks a TSN again that it took back has got it again, so that it was sent again. A receiver that contradicts
 * itself is followed as long as it takes back no more TSNs than one SACK reaches and two for each DATA chunk that
 * passed. */
enum { SCTPA_TAKEN_BACK_ALWAYS = 65536, SCTPA_TAKEN_BACK_PER_DATA = 2 };

/* Is it known which TSNs were taken back after they were gap-acked? If not, those that are called gap-acked may have
 * been. O(1). */
static inline bool sctpa_direction_tells_reneging(const sctpa_direction_t *direction)
{
    return !direction->rare->is_untold;
}

/* Is what passed again one IP packet, which the network doubled? It has the identification of the transmission that it
 * repeats, and its sender counts its packets (RFC 791 3.2), as those of its neighbours show; and it comes sooner than a
 * timer (RTO.Min) or three misses make a sender retransmit. O(1), bounded. */
bool sctpa_rtx_is_doubled(const sctpa_direction_t *direction, int64_t number, const sctpa_rtx_t *rtx);
/* Is it a retransmission to those who count them? O(1), bounded. */
static inline bool sctpa_rtx_counts(const sctpa_direction_t *direction, int64_t number, const sctpa_rtx_t *rtx)
{
    return !rtx->is_other_message && !sctpa_rtx_is_doubled(direction, number, rtx);
}

/* The gap blocks of a list, start << 16 | end each, and how many: *n. NULL: list is 0. O(1). */
static inline const uint32_t *sctpa_direction_gaps(const sctpa_direction_t *direction, uint32_t list, uint32_t *n)
{
    const uint32_t *kept = list > 0 ? &SCTPA_RECORD(&direction->rare->gaps, uint32_t, list - 1) : NULL;
    *n = kept ? kept[0] : 0;
    return kept ? kept + 1 : NULL;
}

/* Is a TSN above the cum_tsn gap-acked? O(1). */
static inline bool sctpa_direction_has_gaps(const sctpa_direction_t *direction)
{
    return !sctpa_tsn_set_is_empty(&direction->rare->gap_acked);
}

/* Where a chunk stands. */
typedef struct {
    uint32_t packet; /* index */
    int64_t time_ns;
    uint16_t path;  /* of the packet's sender */
    uint16_t order; /* of a SACK among those of its packet: 0, 1, ... */
    bool data_only; /* all packets of the capture so far hold DATA: acks may be missing, none is judged */
    const sctpa_tap_rtt_t *sender_tap_rtt; /* RTT from the tap to the sender of the data; NULL: not known */
} sctpa_place_in_capture_t;

static inline sctpa_tap_rtt_t sctpa_place_tap_rtt(const sctpa_place_in_capture_t *place)
{
    return place->sender_tap_rtt ? *place->sender_tap_rtt : sctpa_tap_rtt_none(NULL);
}
/* No longer than that, -1 not known. */
static inline int64_t sctpa_place_tap_rtt_most_ns(const sctpa_place_in_capture_t *place)
{
    return sctpa_place_tap_rtt(place).most_ns;
}

/* What few directions have, to be changed; made when new. O(1). */
sctpa_direction_rare_t *sctpa_direction_rare(sctpa_direction_t *direction);

/* Gives a direction back with all that it holds: records, TSNs, what leads to them. O(what it holds). */
void sctpa_direction_free(sctpa_direction_t *direction);
/* A direction without data; freed with its store. receiver_tap_rtt: where the shortest answer is kept, there as
 * long. */
sctpa_direction_t *sctpa_direction_new(struct sctpa_store *store, sctpa_tap_rtt_t *receiver_tap_rtt);

/* Another direction of the same store that begins with all that of holds; what receiver_tap_rtt leads to stays.
 * O(records + TSNs * log TSNs). */
sctpa_direction_t *sctpa_direction_copy(const sctpa_direction_t *of, sctpa_tap_rtt_t *receiver_tap_rtt);

/* The initial TSN and window that INIT or INIT ACK announced. Ignored once DATA was seen. */
void sctpa_direction_announce(sctpa_direction_t *direction, uint32_t initial_tsn);
/* The window that the receiver of this direction announced in its INIT or INIT ACK. */
void sctpa_direction_window(sctpa_direction_t *direction, uint32_t a_rwnd_bytes);

/* A DATA or I_DATA chunk of the sender. O(1); O(log n) when it is out of order among n such. */
sctpa_transmission_t sctpa_direction_data(sctpa_direction_t *direction, const sctpa_tlv_t *chunk,
                                          const sctpa_place_in_capture_t *place);
/* A SACK or NR_SACK of the receiver: 1 + index in acked of what it newly acked, 0 nothing. O(gap blocks * log gap
 * blocks kept + TSNs newly acked or taken back + duplicates); TSNs are taken back no more often than
 * SCTPA_TAKEN_BACK_ALWAYS and SCTPA_TAKEN_BACK_PER_DATA allow, after that sctpa_direction_tells_reneging is false. */
uint32_t sctpa_direction_sack(sctpa_direction_t *direction, const sctpa_tlv_t *chunk,
                              const sctpa_place_in_capture_t *place);
/* RE_CONFIG reset all TSNs (RFC 6525 5.2.4): the next one is next_tsn, and what was outstanding is given up. Said
 * again, it changes nothing. O(TSNs outstanding). */
void sctpa_direction_restart(sctpa_direction_t *direction, uint32_t next_tsn);
/* The cum_tsn of the receiver's SHUTDOWN. O(TSNs newly acked). */
void sctpa_direction_shutdown(sctpa_direction_t *direction, uint32_t cum_tsn, const sctpa_place_in_capture_t *place);
/* FORWARD_TSN or I_FORWARD_TSN of the sender, in packet. O(TSNs given up); keeps sctpa_forward_t of one that goes
 * farther than those before. */
void sctpa_direction_forward(sctpa_direction_t *direction, uint32_t new_cum_tsn, uint32_t packet);
/* A DATA or I_DATA chunk that a PKTDROP of the receiver, or of a box on the way, quotes. O(1). */
void sctpa_direction_report(sctpa_direction_t *direction, const sctpa_tlv_t *quoted);
/* Takes the SACKs of other, of the same data but found apart from it, into direction. data_only: as of the packet that
 * joins them. O(SACKs + gap blocks + TSNs). */
void sctpa_direction_join(sctpa_direction_t *direction, const sctpa_direction_t *other, bool data_only);
/* Forgets all acknowledgements: they were of other data. O(TSNs). */
void sctpa_direction_forget_acks(sctpa_direction_t *direction);
/* A HEARTBEAT to path left, its HEARTBEAT_ACK came back. O(1). */
void sctpa_direction_heartbeat(sctpa_direction_t *direction, uint16_t path, uint32_t packet);
void sctpa_direction_heartbeat_ack(sctpa_direction_t *direction, uint16_t path, const sctpa_place_in_capture_t *place);
/* The receiver gave up the address of a path, and the sender agreed (RFC 5061): what is outstanding there has to go
 * elsewhere. O(1). */
void sctpa_direction_leave(sctpa_direction_t *direction, uint16_t path, int64_t time_ns);

/* The retransmission timers may run from time_ns on only. O(1). */
void sctpa_direction_restart_timers(sctpa_direction_t *direction, int64_t time_ns);

/* What is known of a path of the sender, NULL: nothing was sent there. O(1). */
static inline const sctpa_data_path_t *sctpa_direction_known_path(const sctpa_direction_t *direction, uint16_t path)
{
    return path < direction->paths.len ? &SCTPA_RECORD(&direction->paths, sctpa_data_path_t, path) : NULL;
}
/* Is data outstanding on a path, or was any sent or acked there after since_ns? O(1). */
static inline bool sctpa_data_path_is_used_since(const sctpa_data_path_t *path, int64_t since_ns)
{
    return path->flight_bytes > 0 || MAX(path->t3_start_ns, path->t3_before_ns) > since_ns;
}
/* Its smoothed round trip time (RFC 9260 6.3.1), 0: none was measured. O(1). */
static inline int64_t sctpa_direction_srtt_ns(const sctpa_direction_t *direction, uint16_t path)
{
    const sctpa_data_path_t *known = sctpa_direction_known_path(direction, path);
    return known ? known->srtt_ns : 0;
}

/* The serial number of a relative TSN. */
static inline uint32_t sctpa_direction_serial(const sctpa_direction_t *direction, int64_t number)
{
    return direction->initial_tsn + (uint32_t)number;
}
/* Retransmission number at, as tsn->more and link.before count them: from 1. */
static inline const sctpa_rtx_t *sctpa_direction_rtx(const sctpa_direction_t *direction, uint32_t at)
{
    return &SCTPA_RECORD(&direction->rare->rtx, sctpa_rtx_t, at - 1);
}
/* Relative TSN of a serial number near those seen last. */
int64_t sctpa_direction_unwrap(const sctpa_direction_t *direction, uint32_t tsn);
/* What is known of a TSN, NULL: never seen. O(1). */
const sctpa_tsn_t *sctpa_direction_tsn(const sctpa_direction_t *direction, int64_t tsn);
/* The TSN of a chunk of packet, whatever has been seen since; *tsn its relative number. NULL: not tracked. O(log
 * lifts). */
const sctpa_tsn_t *sctpa_direction_tsn_in(const sctpa_direction_t *direction, uint32_t serial, uint32_t packet,
                                          int64_t *tsn);
/* The TSN that a chunk about data in packet means, a SACK's; *tsn its relative number. NULL: never seen. O(log lifts).
 */
const sctpa_tsn_t *sctpa_direction_tsn_near(const sctpa_direction_t *direction, uint32_t serial, uint32_t packet,
                                            int64_t *tsn);
/* Did the first packet seen with a TSN leave before higher ones that passed before it, so that it was delayed: a late
 * original? No: it came in order, or what passed is a retransmission of what never passed here. Unknown: its packet or
 * those of its neighbours have no identifications that are counted. As its packet showed when it passed. O(1). */
static inline sctpa_known_t sctpa_tsn_is_late_original(const sctpa_tsn_t *tsn)
{
    return tsn->flags & SCTPA_TSN_OVERTAKEN                                        ? SCTPA_YES
           : !(tsn->state & SCTPA_TSN_BEHIND) || tsn->flags & SCTPA_TSN_SENT_AFTER ? SCTPA_NO
                                                                                   : SCTPA_UNKNOWN;
}

/* How long after the first of the higher ones a late original passed. O(1). */
int64_t sctpa_direction_late_ns(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn);
/* Calls visit for every TSN seen, in ascending order. O(TSNs * log TSNs). */
void sctpa_direction_each(const sctpa_direction_t *direction,
                          void (*visit)(void *user, int64_t number, const sctpa_tsn_t *tsn), void *user);
/* The last retransmission of a TSN up to packet, NULL none. O(log transmissions). */
const sctpa_rtx_t *sctpa_direction_rtx_until(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn,
                                             uint32_t packet);
/* Does a packet from first to last hold a retransmission? O(log retransmissions). */
bool sctpa_direction_resends(const sctpa_direction_t *direction, uint32_t first, uint32_t last);
/* The transmission of a TSN in packet: 1, 2, ...; *rtx its record, NULL for the first. 0: it was not in that packet.
 * O(log transmissions). */
unsigned sctpa_direction_transmission(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn, uint32_t packet,
                                      const sctpa_rtx_t **rtx);
/* What the SACK number order (0, 1, ...) in packet newly acked, NULL nothing. O(log SACKs). */
const sctpa_acked_t *sctpa_direction_acked(const sctpa_direction_t *direction, uint32_t packet, uint16_t order);
/* TSNs between the cum_tsn of a SACK and the end of its highest gap block that no block covers. O(gap blocks). */
uint32_t sctpa_sack_missing(const sctpa_sack_t *sack);
/* The samples that packet ended: index of the first, *n how many. O(log samples). */
uint32_t sctpa_direction_samples(const sctpa_direction_t *direction, uint32_t packet, uint32_t *n);
/* The last round trip or timeout of a path up to packet, NULL none. O(log samples). */
const sctpa_sample_t *sctpa_direction_sample(const sctpa_direction_t *direction, uint16_t path, uint32_t packet);
/* The RTO of its path after a sample, with the RTO.Min that timeouts showed so far; what nothing showed is the RFC's.
 * For pauses, which ask once all packets are fed, and rules; what is shown is measure's (learned_parts.h). O(1). */
int64_t sctpa_direction_rto_ns(const sctpa_direction_t *direction, const sctpa_sample_t *sample);
/* A packet by its index; its time. */
const sctpa_stamp_t *sctpa_direction_stamp(const sctpa_direction_t *direction, uint32_t packet);
static inline int64_t sctpa_direction_time_ns(const sctpa_direction_t *direction, uint32_t packet)
{
    return sctpa_direction_stamp(direction, packet)->time_ns;
}

/* Elapsed time of a sample: of an expiry, how long the timer ran, or at most (may_start_late); 0 not known. */
static inline int64_t sctpa_direction_elapsed_ns(const sctpa_direction_t *direction, const sctpa_sample_t *sample)
{
    return sctpa_direction_time_ns(direction, sample->packet) - sctpa_direction_time_ns(direction, sample->started);
}

/* Was the retransmission unnecessary: the receiver had the TSN already? As far as is known now; more SACKs may tell
 * more. O(1). RFC 9260 6.2 (duplicate reports); an ack that comes sooner after it than any answer can. */
bool sctpa_direction_is_spurious(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn, const sctpa_rtx_t *rtx);
/* Was a TSN given up, and shows no ack that it arrived all the same? An ack of it that its FORWARD_TSN may have brought
 * about shows nothing. As far as is known now: the RTT from the tap tells more later. O(log FORWARD_TSNs + log SACKs).
 */
bool sctpa_direction_is_given_up(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn);
/* The same, and *after_ns: from the last transmission of the TSN to the FORWARD_TSN that gave it up; -1: none did, or
 * it was sent after that. */
bool sctpa_direction_given_up(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn,
                              int64_t *after_ns);
/* Did a TSN not arrive, as SACKs show: was it given up, and did they report it missing after it was last sent? Or is it
 * the lowest outstanding, which the last SACK, its answer, does not take, as a window probe? As far as is known now.
 * is_given_up: as sctpa_direction_is_given_up answers. O(log SACKs). */
bool sctpa_direction_is_missing(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn,
                                bool is_given_up);
/* SACKs after packet, and before until, that newly acked a higher TSN, up to SCTPA_MISSES_FAST, of the first 256. O(log
 * SACKs). */
unsigned sctpa_direction_misses(const sctpa_direction_t *direction, int64_t number, uint32_t packet, uint32_t until);
/* TSNs that were acked or gap-acked and never seen, as far as is known now. O(ranges of both). */
uint64_t sctpa_direction_unseen_acked(const sctpa_direction_t *direction);
const char *sctpa_rtx_word(sctpa_rtx_kind_t kind);

/* A FORWARD_TSN below which the cum_tsn of the receiver stays: SACKs after it that say so, the last of them, and how
 * long after it that came. */
typedef struct {
    uint32_t packet, last_packet, sacks;
    int64_t ns;
} sctpa_stuck_forward_t;
/* Is the last one so, to the end and for longer than T3-rtx may run, which its sender has to have running (RFC 3758
 * 3.5 C5)? O(SACKs after it). */
bool sctpa_direction_forward_is_stuck(const sctpa_direction_t *direction, sctpa_stuck_forward_t *stuck);

/* The highest cum_tsn of a packet's SACKs, of a SHUTDOWN what it reports; near: a TSN that it lies within 2^31 of.
 * INT64_MIN: it has none. O(log SACKs). */
int64_t sctpa_direction_cum_of(const sctpa_direction_t *direction, uint32_t packet, int64_t near);

#endif
