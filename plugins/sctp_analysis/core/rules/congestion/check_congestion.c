/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of congestion control: how much may be outstanding, what follows a timeout, when TSNs are retransmitted fast.
 * Leaves out what cwnd is likely to be (cwnd_fit.c of reference): a rule reports only what no conforming sender's
 * cwnd would allow. */
#include "reference/cwnd/cwnd_paths.h"
#include "rules/rule_functions.h"
#include "congestion_limits.h"

/* The path to which the packet goes, as it was before; NULL: no DATA went there. */
static const sctpa_cwnd_path_t *path_before(const sctpa_context_t *c)
{
    const sctpa_cwnd_sender_t *sender = sctpa_cwnd_sender(c, c->from);
    return sender && c->sent && c->path < sender->n_paths && c->path < c->sent->paths.len ? &sender->paths[c->path]
                                                                                          : NULL;
}

/* Is all data of the packet new? */
static bool is_new(const sctpa_context_t *c)
{
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_tlv_is_data(&c->chunks[i].tlv) && sctpa_tlv_has(&c->chunks[i].tlv, SCTPA_F_DATA_TSN) &&
            !sctpa_observed_is_new(&c->chunks[i]))
            return false;
    return true;
}

/* The same, if how much is outstanding there is checked: only of a sender that fragments messages it is known how large
 * its packets get. */
static const sctpa_cwnd_path_t *checked_path_before(const sctpa_context_t *c)
{
    const sctpa_cwnd_sender_t *sender = sctpa_cwnd_sender(c, c->from);
    return sender && sender->fragments ? path_before(c) : NULL;
}

/* User bytes that any sender counts as outstanding there before the packet, 0 where something is retransmitted, which
 * cwnd may allow. */
static uint64_t outstanding_bytes(const sctpa_context_t *c, const sctpa_cwnd_path_t *path)
{
    return is_new(c) ? sctpa_cwnd_outstanding(c->sent, sctpa_cwnd_sender(c, c->from), path).bytes : 0;
}

/* The packet with the first transmission of the lowest TSN outstanding: all that is outstanding was sent since then. */
static uint32_t outstanding_since(const sctpa_context_t *c)
{
    const sctpa_tsn_t *lowest = sctpa_context_tsn(c->sent, c->sent->cum_tsn + 1);
    return lowest ? lowest->first_packet : SCTPA_NO_PACKET_INDEX;
}

bool sctpa_CC_001_applies(const sctpa_context_t *c)
{
    const sctpa_cwnd_path_t *path = checked_path_before(c);
    return path && !path->is_acked && outstanding_bytes(c, path) > 0;
}

/* "The initial cwnd before data transmission MUST be set to min(4 * PMDCS, max(2 * PMDCS, 4404)) bytes" */
bool sctpa_CC_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint64_t bytes = outstanding_bytes(c, path_before(c));
    uint32_t mtu = sctpa_cwnd_mtu(sctpa_cwnd_sender(c, c->from)), bound = 4 * mtu + mtu - 1;
    if (bytes < bound)
        return false;
    violation->path = c->path;
    /* Who acknowledges nothing of a path, and whose every TSN passed, acknowledged nothing before. What the sender sent
     * besides makes it more. */
    violation->is_by_peer = c->sent->cum_tsn < 0;
    if (violation->is_by_peer || c->sent->tsns == (uint64_t)(c->sent->highest + 1))
        violation->since = outstanding_since(c);
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("new data before the first SACK only with less than %u bytes outstanding (5 PMTU)", bound),
        SCTPA_WORDS("%" G_GUINT64_FORMAT " bytes of user data outstanding, and more is sent", bytes));
    return true;
}

bool sctpa_CC_002_applies(const sctpa_context_t *c)
{
    const sctpa_cwnd_path_t *path = checked_path_before(c);
    return path && path->is_acked && c->sent->rare->abandoned_to < 0 && !c->sent->restarted &&
           outstanding_bytes(c, path) > 0;
}

/* "the sender MUST NOT transmit new data to a given transport address if it has cwnd + (PMDCS - 1) or more bytes of
 * data outstanding" */
bool sctpa_CC_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_cwnd_sender_t *sender = sctpa_cwnd_sender(c, c->from);
    uint64_t bytes = outstanding_bytes(c, path_before(c));
    uint64_t bound = sctpa_cwnd_bound(sender, path_before(c)) + sctpa_cwnd_mtu(sender) - 1;
    if (bytes < bound)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("new data only with less than %" G_GUINT64_FORMAT " bytes outstanding", bound),
                        SCTPA_WORDS("%" G_GUINT64_FORMAT " bytes of user data outstanding, and more is sent", bytes));
    return true;
}

static int64_t between_ns(const sctpa_context_t *c, uint32_t packet, uint32_t later)
{
    return sctpa_context_time_ns(c, later) - sctpa_context_time_ns(c, packet);
}

/* Where a packet followed the one that T3-rtx sent, and the SACK of this one, from the peer of the accused, is the
 * first since; NULL: nowhere. */
static const sctpa_cwnd_path_t *acked_path_before(const sctpa_context_t *c)
{
    const sctpa_cwnd_sender_t *sender = sctpa_cwnd_sender(c, c->accused);
    return c->first_sack && c->acked && sender && sender->followed > 0 ? &sender->paths[sender->followed - 1] : NULL;
}

/* Did the follower come so soon that neither another timeout nor a SACK explains it? */
static bool is_soon(const sctpa_context_t *c, const sctpa_cwnd_path_t *path)
{
    const uint16_t number = (uint16_t)(sctpa_cwnd_sender(c, c->accused)->followed - 1);
    int64_t since_ns = sctpa_context_most_ns(c, between_ns(c, path->expired_packet, path->follower_packet)),
            rto_ns = sctpa_context_rto_ns(c->acked, number, path->follower_packet);
    return rto_ns > 0 && since_ns <= SCTPA_EXPIRED_SOON_MS * SCTPA_NS_PER_MS &&
           since_ns <= rto_ns / SCTPA_EXPIRED_SOON_SHARE && since_ns < sctpa_context_least_answer_ns(c, !c->accused);
}

/* Did neither a SACK come for long before the timer sent, nor one for long after the follower? */
static bool is_silent(const sctpa_context_t *c, const sctpa_cwnd_path_t *path)
{
    const int64_t least_ns = SCTPA_EXPIRED_SILENCE_MS * SCTPA_NS_PER_MS;
    const sctpa_sack_record_t *before = sctpa_observed_sack_before(c->first_sack, c->acked);
    return before && sctpa_context_least_ns(c, between_ns(c, before->packet, path->expired_packet)) >= least_ns &&
           sctpa_context_least_since_ns(c, path->follower_packet) >= least_ns;
}

/* Asked when the SACK comes, or when T3-rtx sends the same once more. */
bool sctpa_CC_003_applies(const sctpa_context_t *c)
{
    if (c->accused != c->from)
        return acked_path_before(c) != NULL;
    return path_before(c) && c->first_data && sctpa_cwnd_timeout(c);
}

/* Another timeout, with nothing from the peer since the last one: did a packet follow that? */
static uint32_t follower_before_next(const sctpa_context_t *c, const sctpa_cwnd_path_t *path)
{
    bool is_next =
        path->expired_packet != SCTPA_NO_PACKET_INDEX && sctpa_cwnd_timeout(c)->previous == path->expired_packet;
    return is_next ? path->follower_packet : SCTPA_NO_PACKET_INDEX;
}

/* "ensure that no more than one SCTP packet will be in flight for that address until the endpoint receives
 * acknowledgement" */
bool sctpa_CC_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool is_answer = c->accused != c->from;
    const sctpa_cwnd_path_t *path = is_answer ? acked_path_before(c) : path_before(c);
    uint32_t follower = is_answer ? path->follower_packet : follower_before_next(c, path);
    if (follower == SCTPA_NO_PACKET_INDEX || (is_answer && !is_soon(c, path)))
        return false;
    violation->path = (uint16_t)(path - sctpa_cwnd_sender(c, c->accused)->paths);
    violation->related = follower;
    if (is_answer && is_silent(c, path))
        violation->since = path->lost_packet;
    sctpa_violation_say(violation, "one packet with DATA until a SACK comes",
                        SCTPA_WORDS("another one %.1f ms after the timer sent frame %u",
                                    (double)between_ns(c, path->expired_packet, follower) / 1e6,
                                    sctpa_context_frame(c, path->expired_packet)));
    return true;
}

/* The retransmission with which the packet begins, if SACKs caused it; NULL: it begins with none such. */
static const sctpa_rtx_t *retransmitted_by_sacks(const sctpa_context_t *c)
{
    const sctpa_rtx_t *rtx = path_before(c) && c->first_data ? sctpa_observed_rtx(c->first_data, c->sent) : NULL;
    return rtx && (rtx->kind == SCTPA_RTX_FAST || rtx->kind == SCTPA_RTX_EARLY) ? rtx : NULL;
}

bool sctpa_CC_005_applies(const sctpa_context_t *c)
{
    return !c->tracked->rare->icmp_seen && retransmitted_by_sacks(c);
}

/* What comes again within it was doubled on the way to the tap, or by the capture: shorter than any way to the peer and
 * back, so that no SACK caused it. As stamped: of packets so near to each other, few have two of several coarse stamps,
 * and the rules that ask want several. */
static const int64_t doubled_ns = 5000;

/* "it SHOULD wait for two further miss indications (via subsequent SACK chunks for a total of three missing reports)"
 */
bool sctpa_CC_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_cwnd_losses_t *before = sctpa_cwnd_sender(c, c->from)->losses;
    const sctpa_rtx_t *rtx = retransmitted_by_sacks(c);
    if (!sctpa_cwnd_is_early(rtx) || before->early + 1 < before->fast / SCTPA_EARLY_SHARE ||
        c->packet->time_ns - sctpa_context_time_ns(c, rtx->previous) <= doubled_ns)
        return false;
    violation->path = c->path;
    violation->related = violation->since = rtx->previous;
    sctpa_violation_say(
        violation, "three SACKs that report the TSN missing and newly acknowledge a higher one (HTNA)",
        SCTPA_WORDS("retransmitted after %u such SACKs, and before its timer can have expired", rtx->misses));
    return true;
}

/* Does the user assert an RTO.Min by which T3-rtx cannot have expired since the lowest TSN outstanding was sent first?
 * It was started then or later (6.3.2 R1, R3). */
static bool is_before_rto_min(const sctpa_context_t *c)
{
    int64_t rto_min_ns = sctpa_tap_parameter(&c->reference->tap, c->from, SCTPA_PARAMETER_RTO_MIN, 0);
    int64_t since_first_ns = c->packet->time_ns - sctpa_context_time_ns(c, c->first_data->sent.tsn->first_packet);
    return c->sent->has_cum && c->first_data->sent.number == c->sent->cum_tsn + 1 &&
           sctpa_context_most_ns(c, since_first_ns) < rto_min_ns;
}

/* The fast retransmission before one with which the packet begins and that no timer made, NULL none. */
static const sctpa_rtx_t *fast_before(const sctpa_context_t *c)
{
    const sctpa_rtx_t *rtx = path_before(c) && c->first_data ? sctpa_observed_rtx(c->first_data, c->sent) : NULL;
    bool is_by_sacks = rtx && (retransmitted_by_sacks(c) || (rtx->kind == SCTPA_RTX_UNKNOWN && is_before_rto_min(c)));
    const sctpa_rtx_t *before =
        is_by_sacks && rtx->link.before > 0 ? sctpa_direction_rtx(c->sent, rtx->link.before) : NULL;
    return before && before->kind == SCTPA_RTX_FAST ? before : NULL;
}

bool sctpa_CC_007_applies(const sctpa_context_t *c)
{
    return fast_before(c) && sctpa_context_tap_rtt_ns(c, !c->from) > 0;
}

/* "Mark the DATA chunk(s) as being fast retransmitted and thus ineligible for a subsequent Fast Retransmit." */
bool sctpa_CC_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t before = fast_before(c)->packet;
    int64_t elapsed_ns = c->packet->time_ns - sctpa_context_time_ns(c, before);
    int64_t rtt_ns = sctpa_context_tap_rtt_ns(c, !c->from);
    if (sctpa_context_most_ns(c, elapsed_ns) >= sctpa_context_least_answer_ns(c, !c->from) || elapsed_ns <= doubled_ns)
        return false;
    violation->path = c->path;
    violation->related = before;
    violation->since = c->first_data->sent.tsn->first_packet;
    violation->rests_on = retransmitted_by_sacks(c) ? 0 : SCTPA_ASSERTED(RTO_MIN);
    sctpa_violation_say(violation,
                        SCTPA_WORDS("no second fast retransmission; no SACK can report on the first before %.1f ms",
                                    (double)rtt_ns / 1e6),
                        SCTPA_WORDS("the same TSN again after %.1f ms", (double)elapsed_ns / 1e6));
    return true;
}
