/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The family of senders: what each does by its choices (sender_family.def) on a SACK, a loss, a timeout and when idle.
 */
#include "sender_family.h"

#include <glib.h>

#include "cwnd.h"
#include "wire/types.h"

typedef enum { COUNTS_USER_BYTES, COUNTS_CHUNKS } counting_t;
typedef enum { UNIT_MTU, UNIT_PACKET, UNIT_PMDCS, UNIT_CHUNK } unit_t;
typedef enum { WHEN_FULL, WHEN_NEARLY_FULL, WITH_BACKLOG } growing_t;
typedef enum { INITIAL_4380, INITIAL_3_MTU, INITIAL_3_UNITS, INITIAL_10_UNITS } initial_t;
typedef enum { SSTHRESH_HIGH, SSTHRESH_A_RWND } ssthresh_t;
typedef enum { PARTIAL_TO_CWND, PARTIAL_BEYOND, PARTIAL_WHEN_FULL } partial_t;
typedef enum { EXIT_GROWS, EXIT_WAITS } exit_t;
typedef enum { IDLE_KEEPS, IDLE_HEARTBEAT, IDLE_RTO } idle_t;
typedef enum { ECNE_GROWS, ECNE_WAITS } ecne_t;
typedef enum { PROBE_KEEPS, PROBE_REDUCES } probe_t;
enum { L_ANY = 0 };

typedef struct {
    counting_t counting;
    unit_t unit;
    uint32_t full_packet_bytes; /* of UNIT_PACKET, UNIT_CHUNK: its packets are at least so large when it has enough to
                                   send */
    unsigned l;                 /* L of RFC 9260 7.2.1, L_ANY unlimited */
    bool needs_cum_ack;         /* grows only by SACKs that advance the cum_tsn (RFC 4960) */
    growing_t growing;          /* when cwnd counts as fully utilized */
    initial_t initial;
    ssthresh_t ssthresh; /* at the beginning */
    partial_t partial;   /* what partial_bytes_acked counts while cwnd is not fully utilized: up to cwnd, beyond it (RFC
                            4960), or nothing; then it outlasts idling */
    exit_t exit;         /* may it grow by the SACK that ends Fast Recovery? */
    unsigned floor;      /* of cwnd / 2 after a loss, in units */
    unsigned burst;      /* cwnd is cut to flight and this many units after sending, 0 never */
    idle_t idle;
    ecne_t ecne;    /* may it grow before what was outstanding at an ECNE is acknowledged? */
    probe_t probe;  /* does a window probe count as a timeout? */
    bool miscounts; /* what counts as lost leaves what is outstanding again with each three miss indications */
    float handicap; /* more evidence than others that it needs, in packets */
    const char *words;
} choices_t;

static const choices_t family[SCTPA_FAMILY] = {
#define SCTPA_SENDER(id, ...) [SCTPA_MEMBER_##id] = { __VA_ARGS__ },
#include "sender_family.def"
};

/* Of IPv4 and SCTP; of SCTP and a DATA chunk. */
enum { HEADERS_BYTES = 32, CHUNK_HEADERS_BYTES = 28 };

static uint32_t least(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

const char *sctpa_sender_words(unsigned number)
{
    return family[number].words;
}

float sctpa_member_handicap(unsigned number)
{
    return family[number].handicap;
}

bool sctpa_member_counts_headers(unsigned number)
{
    return family[number].counting == COUNTS_CHUNKS;
}

bool sctpa_member_miscounts(unsigned number)
{
    return family[number].miscounts;
}

static inline uint32_t unit_of(const choices_t *choices, const sctpa_sizes_t *sizes)
{
    switch (choices->unit) {
    case UNIT_MTU: return sizes->mtu_bytes;
    case UNIT_PACKET: return most(sizes->packet_bytes, choices->full_packet_bytes);
    case UNIT_CHUNK: return most(sizes->packet_bytes, choices->full_packet_bytes) - CHUNK_HEADERS_BYTES;
    default: return sizes->mtu_bytes - HEADERS_BYTES;
    }
}

uint32_t sctpa_member_unit(unsigned number, const sctpa_sizes_t *sizes)
{
    return unit_of(&family[number], sizes);
}

static inline uint64_t bytes_of(const choices_t *choices, const sctpa_sizes_t *sizes, sctpa_amount_t amount)
{
    return choices->counting == COUNTS_USER_BYTES ? amount.bytes : sctpa_most_bytes(sizes, amount);
}

uint64_t sctpa_member_bytes(unsigned number, const sctpa_sizes_t *sizes, sctpa_amount_t amount)
{
    return bytes_of(&family[number], sizes, amount);
}

void sctpa_member_begin(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes, uint32_t a_rwnd_bytes)
{
    uint32_t unit = sctpa_member_unit(number, sizes);
    *member =
        (sctpa_member_t){ .ssthresh = family[number].ssthresh == SSTHRESH_A_RWND ? a_rwnd_bytes : SCTPA_SSTHRESH_HIGH };
    switch (family[number].initial) {
    case INITIAL_3_MTU: member->cwnd = 3 * (unit - 12); break;
    case INITIAL_3_UNITS: member->cwnd = 3 * unit; break;
    case INITIAL_10_UNITS: member->cwnd = 10 * unit; break;
    default: member->cwnd = least(4 * unit, most(2 * unit, SCTPA_CWND_INITIAL_BYTES)); break;
    }
}

/* How many units of cwnd may be unused when it counts as fully utilized. */
static inline unsigned spare_units(const choices_t *choices, const sctpa_member_t *member, const sctpa_acking_t *acking)
{
    if (choices->burst > 0 && member->cwnd <= member->ssthresh && acking->is_sending && acking->has_backlog)
        return choices->burst;
    switch (choices->growing) {
    case WHEN_FULL: return 0;
    case WHEN_NEARLY_FULL: return 1;
    default: return acking->has_backlog ? 2 : 1;
    }
}

static inline bool is_full(const choices_t *choices, const sctpa_member_t *member, const sctpa_sizes_t *sizes,
                           const sctpa_acking_t *acking)
{
    uint64_t flight = bytes_of(choices, sizes, acking->flight);
    if (choices->l == 2) {
        uint64_t acked = bytes_of(choices, sizes, acking->acked);
        flight = acked > flight ? acked : flight;
    }
    return flight + (uint64_t)spare_units(choices, member, acking) * unit_of(choices, sizes) >= member->cwnd;
}

/* "cwnd MUST be increased by, at most, the lesser of" what was acked and L * PMDCS */
static void slow_start(const choices_t *choices, sctpa_member_t *member, const sctpa_sizes_t *sizes,
                       const sctpa_acking_t *acking)
{
    uint64_t limit =
        choices->l == L_ANY ? member->cwnd : (uint64_t)choices->l * unit_of(choices, sizes) * acking->sacks;
    member->cwnd += least(bytes_of(choices, sizes, acking->acked), limit);
}

/* RFC 9260 7.2.2, when flightsize was less: "reset partial_bytes_acked to cwnd"; RFC 4960 does not */
static void avoid_congestion(const choices_t *choices, sctpa_member_t *member, const sctpa_sizes_t *sizes,
                             const sctpa_acking_t *acking)
{
    if (choices->partial == PARTIAL_WHEN_FULL && !is_full(choices, member, sizes, acking))
        return;
    member->partial_bytes_acked =
        least(member->partial_bytes_acked + bytes_of(choices, sizes, acking->acked), UINT32_MAX);
    if (member->partial_bytes_acked < member->cwnd)
        return;
    if (is_full(choices, member, sizes, acking)) {
        member->partial_bytes_acked -= member->cwnd;
        member->cwnd += unit_of(choices, sizes);
    } else if (choices->partial == PARTIAL_TO_CWND) {
        member->partial_bytes_acked = member->cwnd;
    }
}

static inline bool may_grow(const choices_t *choices, const sctpa_acking_t *acking)
{
    return !acking->in_recovery && !(acking->ends_recovery && choices->exit == EXIT_WAITS) &&
           !(acking->after_ecne && choices->ecne == ECNE_WAITS) && (acking->advanced || !choices->needs_cum_ack);
}

/* choices is a constant of sctpa_family_acked: what it decides is decided when this is compiled. */
static inline __attribute__((always_inline)) void acked(const choices_t *choices, sctpa_member_t *member,
                                                        const sctpa_sizes_t *sizes, const sctpa_acking_t *acking)
{
    if (may_grow(choices, acking)) {
        if (member->cwnd > member->ssthresh)
            avoid_congestion(choices, member, sizes, acking);
        else if (is_full(choices, member, sizes, acking))
            slow_start(choices, member, sizes, acking);
    }
    if (acking->is_idle && choices->partial != PARTIAL_WHEN_FULL)
        member->partial_bytes_acked = 0;
}

void sctpa_member_acked(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes,
                        const sctpa_acking_t *acking)
{
    acked(&family[number], member, sizes, acking);
}

void sctpa_family_acked(sctpa_member_t *members, const sctpa_sizes_t *sizes, const sctpa_acking_t *acking)
{
#define SCTPA_SENDER(id, ...) acked(&family[SCTPA_MEMBER_##id], &members[SCTPA_MEMBER_##id], sizes, acking);
#include "sender_family.def"
}

void sctpa_member_lost(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes)
{
    unsigned floor = family[number].floor;
    member->ssthresh = most(member->cwnd / 2, floor * sctpa_member_unit(number, sizes));
    member->cwnd = member->ssthresh;
    member->partial_bytes_acked = 0;
}

void sctpa_member_timeout(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes, bool is_probe)
{
    uint32_t unit = sctpa_member_unit(number, sizes);
    if (is_probe && family[number].probe == PROBE_KEEPS)
        return;
    member->ssthresh = most(member->cwnd / 2, 4 * unit);
    member->cwnd = unit;
    member->partial_bytes_acked = 0;
}

void sctpa_member_idle(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes, unsigned rtos, bool probed)
{
    const choices_t *choices = &family[number];
    if (choices->idle == IDLE_KEEPS || (choices->idle == IDLE_HEARTBEAT) != probed)
        return;
    if (choices->idle == IDLE_RTO)
        member->ssthresh = member->cwnd;
    uint32_t floor = 4 * sctpa_member_unit(number, sizes);
    for (unsigned i = 0; i < rtos && i < 16; i++)
        member->cwnd = most(member->cwnd / 2, floor);
    if (choices->idle == IDLE_HEARTBEAT)
        member->ssthresh = member->cwnd;
}

/* Reduces cwnd to what one burst needs. */
static void cut(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes, sctpa_amount_t flight)
{
    uint64_t most_bytes =
        sctpa_member_bytes(number, sizes, flight) + (uint64_t)family[number].burst * sctpa_member_unit(number, sizes);
    if (most_bytes >= member->cwnd)
        return;
    member->ssthresh = most(member->ssthresh, member->cwnd);
    member->cwnd = (uint32_t)most_bytes;
}

void sctpa_member_sent(unsigned number, sctpa_member_t *member, const sctpa_sizes_t *sizes, sctpa_amount_t flight)
{
    if (family[number].burst > 0)
        cut(number, member, sizes, flight);
}

/* --- the most that cwnd can be: how a sender may at most grow it, and by how little reduce it --- */

static void limit_begin(sctpa_limit_t *limit, uint32_t unit)
{
    if (limit->cwnd == 0)
        *limit = (sctpa_limit_t){ 4 * (uint64_t)unit, UINT64_MAX };
}

/* No initial cwnd, and none after a loss or idling, is more than 4 PMTU, unless it was more before (7.2.1, 7.2.3). */
/* 7.2.1: in slow start "increased by, at most, the lesser of" what was acknowledged and L * PMDCS, of which L is free;
 * 7.2.2: beyond ssthresh by a PMDCS for each cwnd that is acknowledged. Either only where cwnd is fully utilized, to
 * within a packet. A sender whose cwnd is less may still be in slow start. */
void sctpa_limit_acked(sctpa_limit_t *limit, uint32_t unit, uint64_t flight, uint64_t acked)
{
    limit_begin(limit, unit);
    const uint64_t slow_start = MIN(limit->cwnd, limit->ssthresh) + acked,
                   avoidance = limit->cwnd + (acked * unit + limit->cwnd - 1) / limit->cwnd,
                   utilized = flight + unit + acked;
    limit->cwnd = MAX(limit->cwnd, MIN(MAX(slow_start, avoidance), utilized));
}

/* "ssthresh = max(cwnd / 2, 4 * PMDCS)", "cwnd = ssthresh", or a PMDCS */
void sctpa_limit_lost(sctpa_limit_t *limit, uint32_t unit)
{
    limit_begin(limit, unit);
    limit->cwnd = limit->ssthresh = MAX(limit->cwnd / 2, 4 * (uint64_t)unit);
}

/* "adjusted to max(cwnd / 2, 4 * PMDCS) once per RTO", "Before the first cwnd adjustment, the ssthresh of the transport
 * address SHOULD be set to the cwnd." */
void sctpa_limit_idle(sctpa_limit_t *limit, uint32_t unit, sctpa_limit_kind_t kind, unsigned rtos)
{
    limit_begin(limit, unit);
    limit->ssthresh = MAX(limit->ssthresh, limit->cwnd);
    if (kind == SCTPA_LIMIT_REDUCED_IDLE && rtos > 0)
        limit->cwnd = MAX(limit->cwnd >> MIN(rtos, 63), MIN(limit->cwnd, 4 * (uint64_t)unit));
}
