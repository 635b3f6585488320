/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters of an endpoint as what it did shows them: its timers, its SACKs, its windows, what its paths carry.
 * A parameter is given only where nothing else that the capture shows explains what was seen; otherwise it is unknown.
 */
#ifndef SCTPA_MEASURE_LEARNED_H
#define SCTPA_MEASURE_LEARNED_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/types.h"

/* samples 0: unknown, the others mean nothing. The parameter lies in low .. high as far as the samples tell; without an
 * upper bound has_high is false. Times in ns. packet: index of one that shows it. */
typedef struct {
    uint32_t samples;
    bool has_high;
    int64_t value, low, high;
    uint32_t packet;
} sctpa_learned_value_t;

/* By sctpa_parameter_t; those that the JSON has no word for are always unknown. A timer may fire late by a tick of 10
 * ms, or by an eighth (the wheel of Linux' timers): low allows for it.
 *
 * RTO_INITIAL (RFC 9260 5.1, T1-init): the time between the only two INITs, the tap near their sender, the answer after
 * the second. RTO_MIN (6.3.1 C6): waits for the first timeout of a series with SRTT + 4 RTTVAR at most 3/4 of the wait,
 * four samples before it and no retransmission for three times as long; the tap is near the sender. Two waits alike, or
 * one that is twice that RTO, which is taken to a quarter. value: the shortest. Waits above 9/8 s stay unknown: senders
 * were seen to let the timer run twice. RTO_MAX (6.3.1 C7): three waits alike between timeouts of one path in a row,
 * after one that was longer than the one before it by a quarter; no SACK and no sample between, the tap near the
 * sender. HB_INTERVAL (8.3: HB.interval + RTO, +- 50 % of the RTO): three intervals between answered HEARTBEATs with no
 * DATA on the path between. low, high: what fits all of them; unknown where that is wider than half of high, or they
 * differ by more than the RTO. SACK_DELAY (6.2): how long a DATA packet waited that was acknowledged alone, before the
 * next one was sent; three alike, and half of those longer than 40 ms. value: median less the way to the endpoint and
 * back (of the same path), high: without taking that away. SACK_EVERY (6.2): DATA packets acked per SACK while data
 * came in order, less than 40 ms apart, and the endpoint sent none itself: the most frequent number, of two thirds of
 * at least 8 SACKs. low, high: the numbers that a tenth of them have. MAX_BURST (6.1 D): the most DATA packets that one
 * SACK released, at least 3. Given only where three such bursts were smaller than what the SACK freed and the peer's
 * window had room, with no loss near: something else than the window ended them. INITIAL_CWND (7.2.1): user bytes sent
 * before the first SACK, when the sender then stopped and sent two packets or more as the SACK came. low: without the
 * last packet, which may have gone beyond the window; high: with one more and the headers of chunks. PMTU (7.3): the
 * largest IP packet with DATA that was acked, when three were that large and hold fragments of messages; over all
 * paths. Not those that IP fragments carried or offloading made. high: 44 bytes more, that a sender may keep for other
 * headers. PATH_MAX_RETRANS (8.2): errors in a row on a path before new data went elsewhere, less one; three at least.
 * No upper bound: a sender may leave a path that is potentially failed (RFC 7829) sooner. Or the errors after which it
 * was still probed as such a path (probed_errors of an outage), where these are more. ASSOCIATION_MAX_RETRANS
 * (8.1): where the endpoint aborted as T3-rtx, or the wait for a HEARTBEAT ACK, expired once more after two errors or
 * more without an answer, not by its application: how many errors before; the tap near it. Expiries count whose
 * retransmissions are not in the capture (abort_reason.h). low: without HEARTBEATs and retransmissions of unknown
 * cause; high: with all. samples: errors captured. MAX_INIT_RETRANSMITS (5.1): INITs after the first, where none was
 * answered. No upper bound, unless the endpoint sent ABORT. COUNTS_HEADERS (Rüngeler, dissertation, section 8.3): 1
 * where headers and padding of chunks count as outstanding, 0 where not; as sctpa_sender_fit_t has it. CHUNK_OVERHEAD
 * (6.2): bytes that it takes from its window for a chunk that it holds, beyond user bytes. low: the most by which
 * a_rwnd fell, less the user bytes of the chunks taken in, for each of them; reading makes the fall smaller only. Three
 * falls of just that. high, the same: three of them by a chunk that is a message, while which no message was read: what
 * was read would have freed at least its own. Unknown where a_rwnd falls and no chunk was taken in: then something else
 * takes from the window. SILLY_WINDOW (RFC 1122 4.2.3.3): the most free space that it advertised as a closed window,
 * where the overhead is known. low, value: what a_rwnd before left for certain. high: below the least window that fell
 * and stayed open, where it closed so three times, and never with more than that; a limit that varies has none. */
typedef struct {
    sctpa_learned_value_t values[SCTPA_PARAMETERS];
} sctpa_learned_t;

/* The RTO of a path after a sample or a timeout by the parameters that the endpoint showed, and the least and the most
 * it may be by how surely they are known. is_learned: RTO.Initial, RTO.Min or RTO.Max was learned, or timeouts came
 * sooner than the RFC's RTO.Min, so that value takes the shortest of them for it, and least none; otherwise all are the
 * RFC's. */
typedef struct {
    int64_t value_ns, least_ns, most_ns;
    bool is_learned;
} sctpa_rtos_t;
typedef void (*sctpa_rto_visit_fn)(void *user, uint16_t path, uint32_t packet, const sctpa_rtos_t *rtos);

#endif
