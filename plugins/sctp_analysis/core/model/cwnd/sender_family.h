/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A family of senders that RFC 4960 and RFC 9260 allow, or nearly: each keeps cwnd, ssthresh and partial_bytes_acked of
 * a path by its own choice of what the RFCs leave free. And the most that cwnd of a path can be, whatever they leave
 * free, of a sender that also reduces it as they ask: after a loss (a MUST), and while it is idle (a SHOULD), by one
 * set of formulas for two such senders. Leaves out what happened on the wire (cwnd_data.c). Internal to the model. */
#ifndef SCTPA_CWND_SENDER_FAMILY_H
#define SCTPA_CWND_SENDER_FAMILY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { SCTPA_ETHERNET_BYTES = 1500 };
/* Members, SCTPA_FAMILY of them; UNKNOWN is none. */
enum {
#define SCTPA_SENDER(id, ...) SCTPA_MEMBER_##id,
#include "sender_family.def"
    SCTPA_FAMILY,
    SCTPA_MEMBER_UNKNOWN = SCTPA_FAMILY
};
/* What the best-fitting member may have instead where the capture leaves open what it did: the least and the most. It
 * is followed as that member is. */
enum { SCTPA_LEAST = SCTPA_FAMILY, SCTPA_MOST, SCTPA_FOLLOWED };

/* What one of the family keeps of a path: 12 bytes. */
typedef struct {
    uint32_t cwnd, ssthresh, partial_bytes_acked;
} sctpa_member_t;

/* What a path showed of its packets. */
typedef struct {
    uint32_t packet_bytes;   /* the largest SCTP packet */
    uint32_t mtu_bytes;      /* the largest IP packet, at least SCTPA_ETHERNET_BYTES unless that was found too large */
    uint32_t overhead_bytes; /* header and mean padding of a DATA chunk */
} sctpa_sizes_t;

/* Data: user bytes in so many chunks. */
typedef struct {
    uint64_t bytes, chunks;
} sctpa_amount_t;

/* A SACK as it concerns a path. */
typedef struct {
    sctpa_amount_t acked, flight; /* newly acked; outstanding before */
    uint64_t unseen;    /* chunks below the cum_tsn newly acked, too, that the capture lacks, or acknowledged before */
    unsigned sacks;     /* chunks that did it */
    bool advanced;      /* the cum_tsn */
    bool in_recovery;   /* Fast Recovery goes on */
    bool ends_recovery; /* it ends with the SACK */
    bool after_ecne;    /* what was outstanding at the last ECNE is not acknowledged yet */
    bool has_backlog;   /* the sender had more to send */
    bool is_sending;    /* it was sending when the SACK came: how much is not known yet */
    bool is_idle;       /* nothing is outstanding any more */
    bool is_steady;     /* something else than cwnd holds the sender back */
} sctpa_acking_t;

/* How much evidence more than others it needs, in packets: what it can explain is more. */
float sctpa_member_handicap(unsigned number);
/* Does it count the headers and padding of chunks as outstanding, beside user bytes? */
bool sctpa_member_counts_headers(unsigned number);
/* Does it miscount what is outstanding once something was lost, so that it sends more than cwnd, or less? */
bool sctpa_member_miscounts(unsigned number);
/* By what it grows: its PMTU, its PMDCS, or the user data of a full chunk. */
uint32_t sctpa_member_unit(unsigned number, const sctpa_sizes_t *sizes);
/* An amount in bytes as it counts them. */
uint64_t sctpa_member_bytes(unsigned number, const sctpa_sizes_t *sizes, sctpa_amount_t amount);

/* The most that any of them counts it: its chunks with headers. */
static inline uint64_t sctpa_most_bytes(const sctpa_sizes_t *sizes, sctpa_amount_t amount)
{
    return amount.bytes + amount.chunks * sizes->overhead_bytes;
}

/* a_rwnd_bytes: that INIT or INIT ACK of the peer announced, SCTPA_SSTHRESH_HIGH not known. */
void sctpa_member_begin(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes, uint32_t a_rwnd_bytes);
/* RFC 9260 7.2.1, 7.2.2. */
void sctpa_member_acked(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes,
                        const sctpa_acking_t *acking);
/* The same of all SCTPA_FAMILY members. */
void sctpa_family_acked(sctpa_member_t *members, const sctpa_sizes_t *sizes, const sctpa_acking_t *acking);
/* RFC 9260 7.2.3: losses shown by SACKs, or ECN. */
void sctpa_member_lost(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes);
/* RFC 9260 7.2.3: T3-rtx; is_probe: by a window probe, which does not affect cwnd (6.1), but does in many senders. */
void sctpa_member_timeout(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes, bool is_probe);
/* RFC 9260 7.2.1: no DATA for rtos times the RTO; probed: a HEARTBEAT leaves to the path meanwhile. */
void sctpa_member_idle(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes, unsigned rtos, bool probed);
/* It is about to send with flight outstanding. Changes nothing in members that do not cut cwnd to what one burst needs:
 * in all but SCTPA_MEMBER_BURSTS. */
void sctpa_member_sent(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes, sctpa_amount_t flight);

/* --- the most that cwnd can be --- */

/* No frame of an Ethernet is longer: the largest PMTU of a sender that is not known to cut messages to packets. */
#define SCTPA_JUMBO_BYTES 9216

/* In answer to so many SACKs two packets left, one behind the other, that would fit into one of a PMTU above
 * Ethernet's: the data of both waited, and all implementations known bundle what fits. Once may be an application's
 * doing. */
#define SCTPA_UNBUNDLED_LEAST 8

typedef enum {
    SCTPA_LIMIT_KEPT_IDLE,    /* cwnd is kept while no data leaves */
    SCTPA_LIMIT_REDUCED_IDLE, /* it is halved once per RTO */
    SCTPA_LIMITS
} sctpa_limit_kind_t;

/* By which PMTU. */
typedef enum { SCTPA_LIMIT_AS_SEEN, SCTPA_LIMIT_JUMBO, SCTPA_LIMIT_UNITS } sctpa_limit_unit_t;

typedef struct {
    uint64_t cwnd, ssthresh; /* 0: nothing changed them yet */
} sctpa_limit_t;

/* With all headers, in bytes; unit: of its PMTU, at the most. O(1). */
static inline uint64_t sctpa_limit_bytes(const sctpa_limit_t *limit, uint32_t unit)
{
    return MAX(limit->cwnd, 4 * (uint64_t)unit);
}

/* A SACK acknowledges acked bytes of at most flight. */
void sctpa_limit_acked(sctpa_limit_t *limit, uint32_t unit, uint64_t flight, uint64_t acked);
/* RFC 9260 7.2.3: what SACKs, or T3-rtx, show to be lost. */
void sctpa_limit_lost(sctpa_limit_t *limit, uint32_t unit);
/* RFC 9260 7.2.1: no data left for so many RTOs at least. */
void sctpa_limit_idle(sctpa_limit_t *limit, uint32_t unit, sctpa_limit_kind_t kind, unsigned rtos);

#endif
