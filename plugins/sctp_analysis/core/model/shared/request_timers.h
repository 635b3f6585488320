/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The timers of requests: T1-init, T1-cookie, T2-shutdown, T-4 RTO of ASCONF, that of RE-CONFIG, and T3-rtx of a
 * FORWARD-TSN, and of an endpoint's outstanding data, all paths together. Which request of a
 * packet starts one, what stops it, and until when it must have expired at the latest. Leaves out who keeps it
 * (obligations.h), whether it was backed off (retransmissions.h), and T3-rtx (t3.h). Sources: RFC 9260
 * 4, 5.1, 6.3, 9.2; RFC 5061 5.1; RFC 6525 5.1.1. */
#ifndef SCTPA_SHARED_REQUEST_TIMERS_H
#define SCTPA_SHARED_REQUEST_TIMERS_H

#include "model/context.h"
#include "owed_results.h"
#include "receiver.h"

enum { SCTPA_REQUEST_TIMERS = SCTPA_OBLIGATIONS - SCTPA_OWED_T1_INIT };

/* How rules about them are read. */
/* clang-format off */
#define SCTPA_TIMER_EVIDENCE "Where the user asserts a complete capture that was taken at the endpoint: it " \
    "was not answered, and did not repeat the chunk until its timer must have expired: by RTO.Initial, what was " \
    "measured, and RTO.Max, as far as they are asserted, doubled by each transmission, and a sixteenth and 550 ms " \
    "more for a timer that is late; yet it sent something else of the association later. Probable: the capture " \
    "ends then, or what stops the timer comes, RTO.Max is not asserted and taken to be 60 s, or it may have repeated " \
    "it to another address, to which its host has no route."
#define SCTPA_TIMER_DOUBT "An application or a crash may end an association without a packet: probable where the " \
    "capture ends. After as many retransmissions as are asserted, or one where none are, the endpoint may give up: " \
    "the end of the capture shows nothing then."
/* clang-format on */

/* How long a timer takes at the latest that should take ns: those of Linux come up to 4 % late, more where the host is
 * busy. */
static inline int64_t sctpa_timer_late_ns(int64_t ns)
{
    enum { LATE_SHARE = 16 };
    return ns + ns / LATE_SHARE + SCTPA_SACK_LONGEST_MS * SCTPA_NS_PER_MS;
}

/* Is it the timer of a request? */
static inline bool sctpa_request_timer_is(unsigned what)
{
    return what >= SCTPA_OWED_T1_INIT;
}

/* Is it T3-rtx, which acks of something new restart (RFC 9260 6.3.2 R3)? */
static inline bool sctpa_request_timer_is_t3(unsigned what)
{
    return what == SCTPA_OWED_T3_FORWARD_TSN || what == SCTPA_OWED_T3_DATA;
}

/* Which timer a chunk starts when it is sent, and which of its requests it is, in *key; SCTPA_OBLIGATIONS none. O(1).
 */
sctpa_obligation_t sctpa_request_timer_of(const sctpa_context_t *c, const sctpa_observed_t *chunk, uint64_t *key);
/* Does the packet stop the timer of an endpoint, by an answer that reaches it, or since it begins anew or has no such
 * association any more? An ABORT of its own with the peer's tag shows that it had it until then. O(1). */
bool sctpa_request_timer_is_stopped(const sctpa_context_t *c, unsigned what, uint64_t key, uint8_t endpoint);
/* So long after the packet, which is transmission n (1, 2, ...) of the request, the timer has expired and the next one
 * has left, at the latest. *rests_on: SCTPA_ASSERTED_ bits that this goes by. O(log samples). */
int64_t sctpa_request_timer_patience_ns(const sctpa_context_t *c, sctpa_obligation_t what, uint32_t n,
                                        uint32_t *rests_on);
/* Transmissions after which the endpoint may give up, as asserted; 1 where nothing is. O(1). */
uint32_t sctpa_request_timer_limit(const sctpa_context_t *c, sctpa_obligation_t what);

/* May the next transmission go to another address of the peer, to which the host has no route, so that no packet
 * leaves? Who sends an INIT may know more addresses than it shows. O(1). */
bool sctpa_request_timer_may_go_elsewhere(const sctpa_context_t *c, sctpa_obligation_t what);

#endif
