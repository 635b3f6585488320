/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of SHUTDOWN and SHUTDOWN ACK: what was outstanding when they left, what SHUTDOWN acknowledges, how often they
 * are repeated. Leaves out what they must be answered with (check_shutdown_answer.c) and what may follow them
 * (check_shutdown_after.c). */
#include "reference/life/endpoint_teardown.h"
#include "rules/rule_functions.h"
#include "wire/protocol_parameters.h"
#include "shutdown_limits.h"

enum { OWN_TSNS = 1 << 12, OLD_TSNS = 1 << 16 };

/* Is it known which TSNs the sender of the packet has outstanding? Where partial reliability may be in use, it may have
 * given up some. */
static bool knows_outstanding(const sctpa_context_t *c)
{
    return c->sent && c->sent->highest >= 0 && !c->sent->restarted && c->sent->announced &&
           !sctpa_context_may_abandon(c);
}

/* What would acknowledge all of it passed after the last of it was sent. */
static bool has_outstanding(const sctpa_context_t *c, sctpa_violation_t *violation, const char *expected)
{
    int64_t first = 0, last = 0;
    unsigned n = sctpa_teardown_outstanding(c->sent, &first, &last);
    if (n == 0)
        return false;
    violation->path = c->path;
    violation->since = sctpa_context_tsn(c->sent, last)->first_packet;
    violation->related = sctpa_context_tsn(c->sent, first)->last_packet;
    sctpa_violation_say(violation, expected,
                        SCTPA_WORDS("%u TSNs outstanding, from %u on", n, sctpa_direction_serial(c->sent, first)));
    return true;
}

bool sctpa_SD_001_applies(const sctpa_context_t *c)
{
    return !sctpa_teardown_has_sent(c, c->from, SCTPA_STOP_SHUTDOWN) &&
           !sctpa_teardown_has_sent(c, !c->from, SCTPA_STOP_SHUTDOWN) && knows_outstanding(c);
}

/* RFC 9260 9.2: "An endpoint SHOULD ensure that all its outstanding DATA chunks have been acknowledged before
 * initiating the shutdown procedure." */
bool sctpa_SD_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return has_outstanding(c, violation, "all DATA acknowledged before SHUTDOWN");
}

bool sctpa_SD_006_applies(const sctpa_context_t *c)
{
    return !sctpa_teardown_has_sent(c, c->from, SCTPA_STOP_SHUTDOWN_ACK) && knows_outstanding(c);
}

/* RFC 9260 9.2: "MUST continue to follow normal data transmission procedures defined in Section 6, until all
 * outstanding DATA chunks are acknowledged" */
bool sctpa_SD_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return has_outstanding(c, violation, "all DATA acknowledged before SHUTDOWN ACK");
}

/* The TSNs of an endpoint: the first, and how many were seen. */
typedef struct {
    uint32_t first;
    int64_t n;
} numbers_t;

/* False: they are not known, or were reset. */
static bool find_numbers(const sctpa_side_t *side, bool has_to_be_announced, numbers_t *numbers)
{
    const sctpa_direction_t *sent = side->sent;
    *numbers = sent ? (numbers_t){ sent->initial_tsn, sent->highest + 1 } : (numbers_t){ side->initial_tsn, 0 };
    return sent ? !sent->restarted && (has_to_be_announced ? sent->announced : sent->has_initial) : side->has_initial;
}

/* The Cumulative TSN Ack of the packet's SHUTDOWN, and the TSNs of the peer, which it is about. False: not known. */
static bool read_cum_tsn(const sctpa_context_t *c, uint32_t *cum_tsn, numbers_t *peer)
{
    const sctpa_tlv_t *shutdown = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN);
    *cum_tsn = sctpa_tlv_u32(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN);
    return sctpa_tlv_has(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN) && find_numbers(&c->tracked->sides[!c->from], false, peer);
}

bool sctpa_SD_002_applies(const sctpa_context_t *c)
{
    uint32_t cum_tsn;
    numbers_t peer, own;
    return read_cum_tsn(c, &cum_tsn, &peer) && find_numbers(&c->tracked->sides[c->from], true, &own);
}

/* RFC 9260 3.3.8: "The largest TSN, such that all TSNs smaller than or equal to it have been received and the next one
 * has not been received." */
bool sctpa_SD_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t cum_tsn;
    numbers_t peer, own;
    read_cum_tsn(c, &cum_tsn, &peer);
    find_numbers(&c->tracked->sides[c->from], true, &own);
    uint32_t expected = peer.first + (uint32_t)peer.n - 1;
    int32_t beyond = sctpa_serial_distance(expected, cum_tsn), into_own = sctpa_serial_distance(own.first, cum_tsn);
    bool is_apart = beyond >= SCTPA_SHUTDOWN_APART_TSNS || beyond <= 1 - SCTPA_SHUTDOWN_APART_TSNS - peer.n;
    if (!is_apart || into_own < -1 || into_own >= own.n + OWN_TSNS)
        return false;
    violation->path = c->path;
    sctpa_violation_say(
        violation, SCTPA_WORDS("a TSN of the peer, up to %u", expected),
        SCTPA_WORDS("%u; its own TSNs are %u to %u", cum_tsn, own.first, own.first + (uint32_t)own.n - 1));
    return true;
}

/* How far below what the endpoint acknowledged before the Cumulative TSN Ack is, and *reported, that TSN. */
static int32_t behind(const sctpa_context_t *c, uint32_t cum_tsn, uint32_t *reported)
{
    *reported = sctpa_direction_serial(c->acked, c->acked->cum_tsn);
    return sctpa_serial_distance(cum_tsn, *reported);
}

bool sctpa_SD_011_applies(const sctpa_context_t *c)
{
    uint32_t cum_tsn, reported;
    numbers_t peer;
    if (!read_cum_tsn(c, &cum_tsn, &peer))
        return false;
    if (!c->acked) /* it received nothing, and says so */
        return true;
    return c->acked->has_cum && behind(c, cum_tsn, &reported) <= OLD_TSNS;
}

/* How long ago the highest cum_tsn was reported at the least, negative: not known. */
static int64_t since_reported_ns(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->acked, c->acked->cum_tsn);
    if (!tsn || tsn->ack_packet == SCTPA_NO_PACKET_INDEX)
        return -1;
    return sctpa_context_least_since_ns(c, tsn->ack_packet);
}

/* RFC 9260 9.2: "the endpoint MUST resend the SHUTDOWN chunk with the updated last sequential TSN received from its
 * peer" */
bool sctpa_SD_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t cum_tsn, reported;
    numbers_t peer;
    if (!c->acked || !read_cum_tsn(c, &cum_tsn, &peer) || behind(c, cum_tsn, &reported) <= 0 ||
        since_reported_ns(c) < SCTPA_SHUTDOWN_REORDERED_MS * SCTPA_NS_PER_MS)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u, which it acknowledged before, or a later one", reported),
                        SCTPA_WORDS("%u", cum_tsn));
    return true;
}

bool sctpa_SD_012_applies(const sctpa_context_t *c)
{
    return sctpa_teardown(c, c->from)->repeats > 0;
}

/* RFC 9260 9.2: "SHOULD limit the number of retransmissions of the SHUTDOWN chunk to the protocol parameter
 * 'Association.Max.Retrans'" */
bool sctpa_SD_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t repeats = sctpa_teardown(c, c->from)->repeats;
    bool is_asserted = sctpa_context_is_asserted(c, SCTPA_ASSERTED(ASSOCIATION_MAX_RETRANS));
    int64_t most = sctpa_tap_parameter(&c->reference->tap, c->accused, SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS,
                                       SCTPA_RFC_ASSOCIATION_MAX_RETRANS);
    if (is_asserted ? repeats <= most : repeats < SCTPA_SHUTDOWN_REPEATS)
        return false;
    violation->path = c->path;
    violation->rests_on = is_asserted ? SCTPA_ASSERTED(ASSOCIATION_MAX_RETRANS) : 0;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("at most %d retransmissions%s", (int)most, is_asserted ? "" : ", as recommended"),
                        SCTPA_WORDS("%u without an answer", repeats));
    return true;
}
