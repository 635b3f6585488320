/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this capture can show of an association: how far the endpoints are from the tap, whether packets of them are
 * missing, and whether their order is the one of sending. The only place that answers these; rules and reports ask
 * here. Leaves out what the packets mean. */
#ifndef SCTPA_TAP_ASSOCIATION_TAP_H
#define SCTPA_TAP_ASSOCIATION_TAP_H

#include "base/numbers.h"
#include "data/observation.h"
#include "track/packet.h"
#include "assertions.h"
#include "clocks.h"
#include "ip_ids.h"

/* Packets are missing from the capture, all of them between two of its packets (indices), that one endpoint sent or
 * either: SCTPA_BY_ bits. */
enum { SCTPA_BY_EITHER = 3 };
#define SCTPA_BY(endpoint) (1u << (endpoint))
typedef struct {
    uint32_t after, before;
    uint32_t mixed; /* the packets from this one on passed in another order than they stand; 0: as they stand */
    uint8_t by;
} sctpa_hole_t;

/* What the packets of an association have shown of the capture so far: 128 bytes. */
typedef struct {
    sctpa_asserted_t *asserted; /* of the capture */
    int64_t stamp_unit_ns;      /* how finely times are known (tracker.h) */
    uint32_t refuted_packet;    /* the first that showed that the capture missed a packet or has them out of order,
                                   SCTPA_NO_PACKET_INDEX none */
    uint32_t missed_before[2];  /* by endpoint: all packets of it that are known to be missing left before this one; 0
                                   none is */
    uint32_t setup_before;      /* the same of packets of the set-up */
    uint32_t unseen[2];         /* by endpoint: TSNs of it that were cum-acked and never seen, ... */
    uint32_t beyond[2];         /* ... and that acks reached beyond the highest one seen, after the last packet */
    uint32_t doubted[2];        /* by endpoint: 1 + the packet of it after which what its peer acknowledged, and never
                                   passed, would have left; 0 none */
    uint32_t claimed[2];   /* by endpoint: 1 + the last packet that acknowledged data of it that never passed, where
                              the capture was asserted, until then, to be complete and taken at its sender; 0 none */
    uint32_t early_answer; /* 1 + the last packet taken, the answer to which passed before it; 0 none */
    bool is_unplaced;      /* it is not known where packets are missing, or which is out of order */
    bool is_doubted[2];    /* by endpoint: it sent nothing since it was doubted */
    bool is_mixed[2];      /* by endpoint: a packet of it stood behind one of it that is stamped later */
    bool overtaken[2];    /* by endpoint: a SACK of it passed before an earlier one, so that the order is not the one of
                             sending */
    bool taken_at[2];     /* by endpoint: the user asserts that the capture was taken there */
    uint16_t n_addrs[2];  /* by endpoint: its addresses that were looked at, ... */
    bool is_elsewhere[2]; /* ... and whether the user asserts nothing of one of them */
    uint8_t values[2];    /* by endpoint: which of the values of parameters that are asserted it has */
    sctpa_ip_ids_t ip_ids[2];     /* by endpoint */
    const sctpa_clocks_t *clocks; /* never NULL: all zero where they agree as far as is known */
} sctpa_tap_t;

/* assertions: NULL nothing is asserted; it stays with the caller. */
void sctpa_asserted_begin(sctpa_asserted_t *asserted, const sctpa_assertions_t *assertions);
/* Begins to follow an association, of a capture of which asserted is known. */
void sctpa_tap_begin(sctpa_tap_t *tap, sctpa_asserted_t *asserted);
/* Gives back what it holds in the arena. O(1). */
void sctpa_tap_free(const sctpa_tap_t *tap, sctpa_arena_t *arena);
/* Takes packet number index of the association, the one that the tracker took last; rows: SCTPA_CHUNK_ROW_ bits of its
 * chunks. arena: always the same, of what few associations have. Returns where packets are missing that it is the first
 * to show to be missing: before 0 nowhere; and which are in another order by their stamps. O(1), with SACKs O(chunks).
 */
sctpa_hole_t sctpa_tap_take(sctpa_tap_t *tap, sctpa_arena_t *arena, const sctpa_tracker_t *tracker,
                            const sctpa_tracked_t *tracked, const sctpa_packet_t *packet, uint64_t rows,
                            uint32_t index);
/* Takes packet number index, a stray of an endpoint (identity_parts.h): it says nothing but that it was sent.
 * O(1). */
void sctpa_tap_take_stray(sctpa_tap_t *tap, const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked,
                          uint8_t from, const sctpa_packet_t *packet, uint32_t index);
/* Somebody who compares requests with answers (heartbeats.h of chapters) found that the answer to the last packet
 * taken, index, passed before it, with packet answer: the capture has packets out of order, as of the next one.
 * is_sure: it answers no other, and its sender cannot have guessed the request; else it refutes no order that the user
 * asserts. O(1). */
void sctpa_tap_take_early_answer(sctpa_tap_t *tap, sctpa_arena_t *arena, const sctpa_tracker_t *tracker,
                                 const sctpa_tracked_t *tracked, uint32_t index, uint32_t answer, bool is_sure);
/* Takes over what a half-association showed that was joined; swapped: its endpoint 0 is endpoint 1 here. O(1). */
void sctpa_tap_join(sctpa_tap_t *into, sctpa_arena_t *arena, const sctpa_tap_t *half, bool swapped);
/* The SACK that passed before a SACK chunk of the packet being taken (record), from the same endpoint and on the same
 * path: NULL none. O(1). */
const sctpa_sack_record_t *sctpa_tap_sack_before(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked,
                                                 const sctpa_record_t *record, const sctpa_observed_t *observed);
/* Does the SACK chunk have a lower Cumulative TSN Ack than before, a SACK that passed before it? O(1). */
static inline bool sctpa_tap_goes_back(const sctpa_tlv_t *sack, const sctpa_sack_record_t *before)
{
    return sctpa_serial_distance(before->cum_tsn, sctpa_tlv_u32(sack, SCTPA_F_SACK_CUM_TSN)) < 0;
}
/* Half-associations were joined, or one left, by packet index: to the association it is as if the capture had missed
 * what passed there before. O(1). */
void sctpa_tap_reshape(sctpa_tap_t *tap, uint32_t index);

/* RTT from the tap to an endpoint, by its answers in this association. O(1). */
static inline sctpa_tap_rtt_t sctpa_tap_rtt_of(const sctpa_tracked_t *tracked, uint8_t endpoint)
{
    return tracked->sides[!endpoint].peer_tap_rtt;
}
/* Is that short, in itself or as part of the RTT between the endpoints? What the endpoint sent has then passed in the
 * order of sending, and what passed towards it has arrived when it sends the next. Unknown: it answered nothing yet.
 * Yes where the user asserts that the capture was taken there. O(1). */
sctpa_known_t sctpa_tap_is_near(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint);
/* The same of what came or went by an address of the endpoint (path: the peer's to it, SCTPA_NO_PATH unknown): the tap
 * may be farther from it there, as answers by it show. O(1). */
sctpa_known_t sctpa_tap_is_near_by(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint,
                                   uint16_t path);
/* Does the capture itself show it? O(1). */
bool sctpa_tap_shows_near(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint);
/* What is asserted of an endpoint, and not refuted: SCTPA_ASSERTED_ bits. O(1). */
uint32_t sctpa_tap_asserted_any(const sctpa_tap_t *tap, uint8_t endpoint); /* where anything is */
static inline uint32_t sctpa_tap_asserted(const sctpa_tap_t *tap, uint8_t endpoint)
{
    return tap->asserted->is_any ? sctpa_tap_asserted_any(tap, endpoint) : 0;
}
/* Are all of these? O(1). */
static inline bool sctpa_tap_is_asserted(const sctpa_tap_t *tap, uint8_t endpoint, uint32_t bits)
{
    return !(bits & ~sctpa_tap_asserted(tap, endpoint));
}
/* Does all that goes to an endpoint and comes from it pass the tap, as far as the capture lacks nothing: has neither
 * endpoint a second address, or does the user assert that the capture is complete and was taken at all addresses that
 * the endpoint listed? O(1). */
static inline bool sctpa_tap_is_on_all_ways(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint)
{
    return sctpa_assoc_is_single_homed(&tracked->assoc) ||
           (sctpa_tap_is_asserted(tap, endpoint, SCTPA_ASSERTED_ARRIVED) && !tap->is_elsewhere[endpoint] &&
            tracked->assoc.ends[endpoint].init.whole);
}

/* Does the user assert that the capture holds all that the endpoint sent and got, by whatever address, and does nothing
 * refute it? O(1). */
static inline bool sctpa_tap_has_all_of(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t endpoint)
{
    return sctpa_tap_is_asserted(tap, endpoint, SCTPA_ASSERTED_ARRIVED) &&
           sctpa_tap_is_on_all_ways(tap, tracked, endpoint);
}

/* What is asserted of the parameters of an endpoint. O(1). */
static inline const sctpa_asserted_values_t *sctpa_tap_asserted_values(const sctpa_tap_t *tap, uint8_t endpoint)
{
    return &tap->asserted->assertions->values[tap->values[endpoint]];
}
/* The value of a parameter that is asserted of an endpoint, else otherwise. O(1). */
static inline int64_t sctpa_tap_parameter(const sctpa_tap_t *tap, uint8_t endpoint, sctpa_parameter_t parameter,
                                          int64_t otherwise)
{
    const sctpa_asserted_values_t *asserted = sctpa_tap_asserted_values(tap, endpoint);
    return asserted->given >> parameter & 1 ? asserted->values[parameter] : otherwise;
}
/* Were packets of both endpoints captured, and is it sure that they belong together? O(1). */
bool sctpa_tap_has_both(const sctpa_tracked_t *tracked);
/* Are addresses of an endpoint translated on their way past the tap? The capture then shows that one of them is
 * another elsewhere (SCTPA_ADDR_RENAMED); or there is one that it only sends from and one that it is only sent to, of
 * which one is in none of its INIT, INIT ACK and ASCONFs, so that its peer could not know both, and it answered what
 * was sent to it. Unknown: the latter, but the capture lacks what it listed. O(addresses). */
sctpa_known_t sctpa_tap_is_translated(const sctpa_tracked_t *tracked, uint8_t endpoint);
/* Does the capture hold every packet of the association, sent by endpoints (SCTPA_BY_ bits), that passed the tap since
 * a packet (index), in order? No: a packet shows that it may not, or all hold DATA, as a display filter leaves them;
 * yes: the user asserts it, and nothing speaks against it; else unknown. O(1). */
sctpa_known_t sctpa_tap_passed_all_since(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked, uint8_t by,
                                         uint32_t since);
/* The same of both endpoints since the association began. O(1). */
static inline sctpa_known_t sctpa_tap_passed_all(const sctpa_tap_t *tap, const sctpa_tracked_t *tracked)
{
    return sctpa_tap_passed_all_since(tap, tracked, SCTPA_BY_EITHER, 0);
}
/* Is every packet in the capture that an endpoint sent between two of its packets (indices)? Yes only by
 * identifications of IPv4 (ip_ids.h), else unknown. Who renumbers packets on the way, as some NATs do, counts those
 * that reached it. O(1).
 */
static inline sctpa_known_t sctpa_tap_sent_all(const sctpa_tap_t *tap, uint8_t endpoint, uint32_t from, uint32_t to)
{
    return sctpa_ip_ids_hold_all(&tap->ip_ids[endpoint], from, to);
}

#endif
