/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Congestion control (RFC 9260 7): how much may be outstanding, what follows a timeout, when TSNs are retransmitted
 * fast. Leaves out what cwnd is likely to be (cwnd/): a rule reports only what no conforming sender's cwnd would
 * allow. */
#include "data/shared_limits.h"
#include "model/chapter.h"
#include "model/cwnd/cwnd_paths.h"
#include "model/shared/obligations.h"
#include "model/shared/t3_bounds.h"

/* A second packet comes so soon after a timeout, in time and as a share of the RTO, that no other timeout and no
 * adjustment of cwnd after an RTO without DATA explains it. */
#define EXPIRED_SOON_MS 100
#define EXPIRED_SOON_SHARE 4

/* Packets that stand elsewhere in the capture than they passed, and clocks of two directions, differ by less than this:
 * with no SACK so long before and after it, what a timer sent was not sent for one. */
#define EXPIRED_SILENCE_MS 20

/* One coincidence is no proof. */
#define EARLY_REPORTED 2
#define REPEATED_REPORTED 2

/* The initial cwnd of a sender that is not known to cut messages to packets is two of the largest PMTU at most, RFC
 * 9260 6.1 B allows one more; and a burst at the beginning that lasts less than an RTO was not idle before. */
#define JUMBOS_ALLOWED 3
#define BURST_MS 1000

/* What is retransmitted so soon after a SACK, and so many times later after it was sent, most likely answers the SACK:
 * a timer expires within that time by chance once in so many times. */
#define ANSWERS_SACK_MS 1
#define CHANCE_SHARE 10

/* RFC 9260 6.9: "The sender SHOULD choose a size of DATA chunks that is smaller than or equal to the AMDCS." */
#define FRAGMENTS_DOUBT \
    "a sender, or its user, may choose smaller fragments than the PMTU allows, or have known a larger PMTU when cwnd " \
    "was set."

/* What separates a sender that retransmits early from one that was seen to do so when SACKs were missing: of so many
 * that waited for three miss indications, one that did not. */
#define EARLY_SHARE 8

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
 * its packets get, but for one whose user wants smaller fragments, and one whose PMTU shrank, with which no clause
 * shrinks cwnd. */
static const sctpa_cwnd_path_t *checked_path_before(const sctpa_context_t *c)
{
    const sctpa_cwnd_sender_t *sender = sctpa_cwnd_sender(c, c->from);
    return sender && sctpa_cwnd_knows_mtu(sender) ? path_before(c) : NULL;
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

RULE(CC, 001,
    .level = MUST, .since = 4960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 7.2.1",
    .title = "More data than the initial cwnd before the first SACK of a path",
    .quote = "The initial cwnd before data transmission MUST be set to min(4 * PMDCS, max(2 * PMDCS, 4404)) bytes",
    .why = "A large first burst overruns the queues of slow links, so that associations begin with losses.",
    .evidence = "New data is sent to an address where no data was acknowledged so far, with 5 PMTU or more of user "
        "data outstanding there. No initial cwnd (or cwnd adjusted after idling) exceeds 4 PMTU; one more is the "
        "overbooking of RFC 9260 6.1 B. Proven where the PMTU is asserted. Most likely also of a sender that was not "
        "seen to fragment messages: in the first " SAY(BURST_MS) " ms, before anything is acknowledged, with "
        SAY(JUMBOS_ALLOWED) " times " SAY(SCTPA_JUMBO_BYTES) " bytes, the largest frame of an Ethernet.",
    .doubt = "Each path has an initial cwnd of its own. The PMTU counts as asserted, or as 1,500, or the largest "
        "packet seen if that is more. It is likely to be that of senders that fragment messages to packets of that "
        "size, and of no less than " SAY(SCTPA_PMTU_LEAST_BYTES) " bytes; but " FRAGMENTS_DOUBT " Only user bytes are "
        "counted. Where partial reliability was agreed on, data that was sent " SAY(SCTPA_LIFE_LEAST_MS) " ms or more "
        "before may be given up: not checked.");

/* An interface that leads back to its host has frames of 64 KiB. */
static bool is_loopback(const sctpa_addr_t *addr)
{
    static const uint8_t loopback[16] = { [15] = 1 };
    return addr->bytes == 4 ? addr->data[0] == 127 : addr->bytes == 16 && memcmp(addr->data, loopback, 16) == 0;
}

/* The beginning of data from a sender that was not seen to fragment messages. */
static const sctpa_cwnd_path_t *first_burst(const sctpa_context_t *c)
{
    const sctpa_cwnd_sender_t *sender = sctpa_cwnd_sender(c, c->from);
    const uint32_t since = c->sent && !c->sent->has_cum ? outstanding_since(c) : SCTPA_NO_PACKET_INDEX;
    return sender && !sender->fragments && since != SCTPA_NO_PACKET_INDEX && !is_loopback(&c->packet->destination) &&
                   sctpa_context_most_since_ns(c, since) < BURST_MS * SCTPA_NS_PER_MS
               ? path_before(c)
               : NULL;
}

/* What the user asserts to be the PMTU of the packet's sender, 0 nothing. */
static uint32_t asserted_mtu(const sctpa_context_t *c)
{
    const sctpa_cwnd_sender_t *sender = sctpa_cwnd_sender(c, c->from);
    return sender ? sctpa_cwnd_asserted_mtu(c, sender) : 0;
}

/* May the sender have given up what is outstanding, of which the FORWARD-TSN tells only later? */
static bool may_be_given_up(const sctpa_context_t *c)
{
    const uint32_t since = outstanding_since(c);
    return sctpa_context_may_abandon(c) &&
           (since == SCTPA_NO_PACKET_INDEX ||
            sctpa_context_most_since_ns(c, since) >= SCTPA_LIFE_LEAST_MS * SCTPA_NS_PER_MS);
}

static bool CC_001_applies(const sctpa_context_t *c)
{
    const sctpa_cwnd_path_t *path = path_before(c);
    return path && !path->is_acked && (checked_path_before(c) || asserted_mtu(c) > 0 || first_burst(c)) &&
           outstanding_bytes(c, path) > 0 && !may_be_given_up(c);
}

/* "The initial cwnd before data transmission MUST be set to min(4 * PMDCS, max(2 * PMDCS, 4404)) bytes" */
static bool CC_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const bool has_all = c->sent->tsns == (uint64_t)(c->sent->highest + 1);
    const bool is_asserted = asserted_mtu(c) > 0, is_known = is_asserted || checked_path_before(c);
    uint64_t bytes = outstanding_bytes(c, path_before(c));
    uint32_t mtu = is_asserted ? asserted_mtu(c) : sctpa_cwnd_mtu(sctpa_cwnd_sender(c, c->from)),
             bound = is_known ? 4 * mtu + mtu - 1 : JUMBOS_ALLOWED * MAX(mtu, SCTPA_JUMBO_BYTES);
    if (bytes < bound)
        return false;
    violation->path = c->path;
    violation->at_best = is_asserted ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on = is_asserted ? SCTPA_ASSERTED(PMTU) : 0;
    /* Who acknowledges nothing of a path, and whose every TSN passed, acknowledged nothing before. What the sender sent
     * besides makes it more. */
    violation->is_by_peer = c->sent->cum_tsn < 0;
    if (violation->is_by_peer || has_all)
        violation->since = outstanding_since(c);
    sctpa_violation_say(violation,
                        SCTPA_WORDS("new data before the first SACK only with less than %u bytes outstanding (%s)",
                                    bound, is_known ? "5 PMTU" : "3 PMTU of 9216"),
                        SCTPA_WORDS("%" G_GUINT64_FORMAT " bytes of user data outstanding, and more is sent", bytes));
    return true;
}

RULE(CC, 002,
    .level = MUST, .since = 4960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .report = { .covers = { COVERS(CC, 019), COVERS(CC, 020) } },
    .accused = "sender of the data",
    .clause = "RFC 9260 6.1 B",
    .title = "More data outstanding than cwnd can be",
    .quote = "the sender MUST NOT transmit new data to a given transport address if it has cwnd + (PMDCS - 1) or more "
        "bytes of data outstanding to that transport address.",
    .why = "The sender does without congestion control, at least for a burst: queues overflow, and other traffic "
        "suffers.",
    .evidence = "cwnd begins with 4 PMTU at most. A SACK can raise it to what was outstanding, one PMTU and all "
        "that the SACK acknowledged, since cwnd grows only when it is fully utilized. New data is sent with that "
        "and another PMTU outstanding. Where the capture is asserted to be complete and taken at the sender, which has "
        "lost nothing so far, most likely also with what cwnd can be of a sender that grows it by all that is "
        "acknowledged. Proven where the PMTU is asserted.",
    .doubt = "The PMTU as of CC-001: " FRAGMENTS_DOUBT " The bound takes no reduction into account and allows growth "
        "by all bytes acknowledged. Data that SACKs left out counts as lost. Senders that give data up (FORWARD-TSN), "
        "and those whose PMTU shrank, are not checked; where partial reliability was agreed on, some may be given up "
        "that no FORWARD-TSN told of: probable, and not checked once a TSN was left out. What was sent once in excess "
        "does not count again.");

/* Did the sender, which may give data up, leave out a TSN, as the end of a message given up? Then more may be, of which
 * a FORWARD-TSN tells only later. */
static bool has_left_out(const sctpa_context_t *c)
{
    return sctpa_context_may_abandon(c) && c->sent->tsns != (uint64_t)(c->sent->highest + 1);
}

/* The path to which the packet goes, as it was before, if the user asserts that all that passed reached the sender, and
 * all that this sent passed; while nothing may be marked for retransmission, or be given up. */
static const sctpa_cwnd_path_t *limited_path_before(const sctpa_context_t *c)
{
    const sctpa_cwnd_sender_t *sender = sctpa_cwnd_sender(c, c->from);
    const sctpa_cwnd_path_t *path = sctpa_context_has_all_of(c) ? path_before(c) : NULL;
    return path && path->is_acked && c->sent->rare->abandoned_to < 0 && !c->sent->restarted && !has_left_out(c) &&
                   c->sent->cum_tsn >= sender->marked_to && !is_loopback(&c->packet->destination) &&
                   outstanding_bytes(c, path) > 0
               ? path
               : NULL;
}

static void say_outstanding(const sctpa_context_t *c, sctpa_violation_t *violation, uint64_t bound, uint64_t bytes)
{
    violation->path = c->path;
    if (sctpa_context_may_abandon(c))
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("new data only with less than %" G_GUINT64_FORMAT " bytes outstanding", bound),
                        SCTPA_WORDS("%" G_GUINT64_FORMAT " bytes of user data outstanding, and more is sent", bytes));
}

/* Is as much outstanding as cwnd can be at the most, and a packet more, of a sender that reduces it after losses? */
static bool is_beyond_limit(const sctpa_context_t *c, sctpa_limit_kind_t kind, sctpa_violation_t *violation)
{
    const sctpa_cwnd_sender_t *sender = sctpa_cwnd_sender(c, c->from);
    const sctpa_cwnd_path_t *path = limited_path_before(c);
    const uint64_t bytes = path ? outstanding_bytes(c, path) : 0,
                   bound =
                       path ? sctpa_cwnd_limit_bytes(c, sender, path, kind) + sctpa_cwnd_unit_most(c, sender) - 1 : 0;
    if (!path || bytes < bound)
        return false;
    violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED | (asserted_mtu(c) > 0 ? SCTPA_ASSERTED(PMTU) : 0);
    say_outstanding(c, violation, bound, bytes);
    return true;
}

/* Has its sender lost anything on the packet's path? */
static bool is_reduced(const sctpa_context_t *c)
{
    return path_before(c)->limits_reduced_to >= 0;
}

static bool CC_002_applies(const sctpa_context_t *c)
{
    const sctpa_cwnd_path_t *path = checked_path_before(c);
    return (limited_path_before(c) && !is_reduced(c)) ||
           (path && path->is_acked && c->sent->rare->abandoned_to < 0 && !has_left_out(c) && !c->sent->restarted &&
            outstanding_bytes(c, path) > 0);
}

/* "the sender MUST NOT transmit new data to a given transport address if it has cwnd + (PMDCS - 1) or more bytes of
 * data outstanding" */
static bool CC_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_cwnd_sender_t *sender = sctpa_cwnd_sender(c, c->from);
    const sctpa_cwnd_path_t *path = checked_path_before(c);
    const uint64_t bytes = path ? outstanding_bytes(c, path) : 0,
                   bound = path ? sctpa_cwnd_bound(c, sender, path) + sctpa_cwnd_mtu_most(c, sender) - 1 : 0;
    if (!path || bytes < bound)
        return !is_reduced(c) && is_beyond_limit(c, SCTPA_LIMIT_KEPT_IDLE, violation);
    violation->at_best = asserted_mtu(c) > 0 ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on = asserted_mtu(c) > 0 ? SCTPA_ASSERTED(PMTU) : 0;
    say_outstanding(c, violation, bound, bytes);
    return true;
}

RULE(CC, 020,
    .level = SHOULD, .since = 4960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .certainty = SCTPA_CERTAINTY_PROBABLE,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .report = { .covers = { COVERS(CC, 019) } },
    .accused = "sender of the data",
    .clause = "RFC 9260 7.2.3",
    .title = "More data outstanding than cwnd can be after a loss",
    .quote = "Basically, a packet loss causes cwnd to be cut in half.",
    .why = "The sender goes on as if nothing had been lost: queues stay full, and more is lost.",
    .evidence = "The capture is asserted to be complete and taken at the sender. New data is sent with a PMTU more "
        "outstanding than cwnd can be of a sender that grows it by all that is acknowledged up to ssthresh, by a PMTU "
        "for each cwnd beyond, and that halves it for each loss, to 4 PMTU at the least.",
    .doubt = "Probable at best: a host may take SACKs late. The PMTU as of CC-019; partial reliability as of CC-002.");

static bool CC_020_applies(const sctpa_context_t *c)
{
    return limited_path_before(c) && is_reduced(c);
}

/* "ssthresh = max(cwnd / 2, 4 * PMDCS)", "cwnd = ssthresh" */
static bool CC_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_beyond_limit(c, SCTPA_LIMIT_KEPT_IDLE, violation);
}

RULE(CC, 019,
    .level = SHOULD, .since = 9260, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .certainty = SCTPA_CERTAINTY_PROBABLE,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .accused = "sender of the data",
    .clause = "RFC 9260 7.2.1",
    .title = "More data outstanding than cwnd can be after a pause",
    .quote = "the cwnd of the transport address SHOULD be adjusted to max(cwnd / 2, 4 * PMDCS) once per RTO",
    .why = "What the path carried before the pause is no measure any more: a whole window leaves at once, and queues "
        "overflow.",
    .evidence = "The capture is asserted to be complete and taken at the sender, whose RTO.Min and RTO.Max are "
        "asserted. The same bound as of CC-020, halved for each RTO without data, with nothing outstanding, to 4 PMTU "
        "at the least. New data is sent with that and another PMTU outstanding.",
    .doubt = "The RTO may be twice what round trips show, and RTO.Max once anything was retransmitted. Probable at "
        "best: a host may take SACKs late. Where no message was fragmented, and no data that waited was left for the "
        "next packet that a PMTU above Ethernet's has room for, the PMTU counts as " SAY(SCTPA_JUMBO_BYTES) ".");

static bool CC_019_applies(const sctpa_context_t *c)
{
    return limited_path_before(c) != NULL;
}

/* "the cwnd of the transport address SHOULD be adjusted to max(cwnd / 2, 4 * PMDCS) once per RTO" */
static bool CC_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_beyond_limit(c, SCTPA_LIMIT_REDUCED_IDLE, violation);
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
    return rto_ns > 0 && since_ns <= EXPIRED_SOON_MS * SCTPA_NS_PER_MS && since_ns <= rto_ns / EXPIRED_SOON_SHARE &&
           since_ns < sctpa_context_least_answer_ns(c, !c->accused);
}

/* Did neither a SACK come for long before the timer sent, nor one for long after the follower? */
static bool is_silent(const sctpa_context_t *c, const sctpa_cwnd_path_t *path)
{
    const int64_t least_ns = EXPIRED_SILENCE_MS * SCTPA_NS_PER_MS;
    const sctpa_sack_record_t *before = sctpa_observed_sack_before(c->first_sack, c->acked);
    return before && sctpa_context_least_ns(c, between_ns(c, before->packet, path->expired_packet)) >= least_ns &&
           sctpa_context_least_since_ns(c, path->follower_packet) >= least_ns;
}

/* Another timeout, with nothing from the peer since the last one: did a packet follow that? */
static uint32_t follower_before_next(const sctpa_context_t *c, const sctpa_cwnd_path_t *path)
{
    bool is_next =
        path->expired_packet != SCTPA_NO_PACKET_INDEX && sctpa_cwnd_timeout(c)->previous == path->expired_packet;
    return is_next ? path->follower_packet : SCTPA_NO_PACKET_INDEX;
}

RULE(CC, 003,
    .level = SHOULD, .since = 4960, .seeing = MUST_HAVE, .needs = CHECKSUM | BOTH | COMPLETE | NEAR | RTT,
    .when = PACKET, .of = OF_EACH, .on = DATA_ROWS | SACK_ROWS,
    .accused = "sender of the data",
    .clause = "RFC 9260 7.2.3",
    .title = "More than one packet after a retransmission timeout",
    .quote = "ensure that no more than one SCTP packet will be in flight for that address until the endpoint receives "
        "acknowledgement for successful delivery of data to that address.",
    .why = "A path that has just lost a whole window is loaded again before it has shown that it carries anything.",
    .evidence = "T3-rtx retransmitted a packet to the address where it expired. Another packet with DATA follows to "
        "the same address without a SACK in between: within " SAY(EXPIRED_SOON_MS) " ms, 1/"
        SAY(EXPIRED_SOON_SHARE) " of the RTO and " SAY(SCTPA_ANSWER_QUARTERS) "/4 of the RTT from tap, and then "
        "a SACK comes; or before the timer retransmits the first one again. Or, where the user asserts a complete "
        "capture that was taken at the sender, and the parameters of T3-rtx: within " SAY(EXPIRED_SOON_MS) " ms, after "
        "a packet that nothing else can have sent.",
    .doubt = "A retransmission to another address follows the cwnd there; a probe of a closed window does not count. "
        "The second packet comes too soon for another timeout, or for an adjustment of cwnd after an RTO without DATA. "
        "A SACK that the capture lacks, or holds at another place, explains it: where none passed in "
        SAY(EXPIRED_SILENCE_MS) " ms before the timeout, nor in " SAY(EXPIRED_SILENCE_MS) " ms after the "
        "second packet, only one that is missing since the TSN that the timer sent was transmitted before does.");

/* The packet that T3-rtx surely sent to the address of this one, to which it follows soon, while nothing comes from the
 * peer; SCTPA_NO_PACKET_INDEX: none. What was sent to another address before may come for a timer of that. */
static uint32_t surely_expired(const sctpa_context_t *c)
{
    const uint32_t expired = sctpa_t3_bounds_expired(c, c->from);
    const sctpa_rtx_t *rtx = c->first_data ? sctpa_observed_rtx(c->first_data, c->sent) : NULL;
    return expired != SCTPA_NO_PACKET_INDEX && c->first_data && sctpa_context_record(c, expired)->path == c->path &&
                   (!rtx || sctpa_context_record(c, rtx->previous)->path == c->path) &&
                   between_ns(c, expired, c->index) <= EXPIRED_SOON_MS * SCTPA_NS_PER_MS
               ? expired
               : SCTPA_NO_PACKET_INDEX;
}

/* Asked when the SACK comes, or when T3-rtx sends the same once more, or of what follows that it surely sent. */
static bool CC_003_applies(const sctpa_context_t *c)
{
    if (c->accused != c->from)
        return acked_path_before(c) != NULL;
    return path_before(c) && c->first_data && (sctpa_cwnd_timeout(c) || surely_expired(c) != SCTPA_NO_PACKET_INDEX);
}

/* A packet follows the one that T3-rtx surely sent. */
static bool follows_surely(const sctpa_context_t *c, uint32_t expired, sctpa_violation_t *violation)
{
    violation->path = c->path;
    violation->related = violation->since = expired;
    violation->rests_on = SCTPA_T3_BOUNDS_REST_ON;
    sctpa_violation_say(violation, "one packet with DATA until a SACK comes",
                        SCTPA_WORDS("another one %.1f ms after the timer sent frame %u",
                                    (double)between_ns(c, expired, c->index) / 1e6, sctpa_context_frame(c, expired)));
    return true;
}

/* "ensure that no more than one SCTP packet will be in flight for that address until the endpoint receives
 * acknowledgement" */
static bool CC_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool is_answer = c->accused != c->from;
    const uint32_t expired = is_answer ? SCTPA_NO_PACKET_INDEX : surely_expired(c);
    if (expired != SCTPA_NO_PACKET_INDEX)
        return follows_surely(c, expired, violation);
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

/* What comes again within it was doubled on the way to the tap, or by the capture: shorter than any way to the peer and
 * back, so that no SACK caused it. As stamped: of packets so near to each other, few have two of several coarse stamps,
 * and the rules that ask want several. */
static const int64_t doubled_ns = 5000;

/* Came the packet sooner after the transmission before than a SACK that it caused can have reached the sender? Then it
 * was doubled on the way to the tap. */
static bool is_doubled(const sctpa_context_t *c, const sctpa_rtx_t *rtx)
{
    const int64_t round_trip_ns =
        MAX(sctpa_context_least_answer_ns(c, !c->from), 0) + MAX(sctpa_context_least_answer_ns(c, c->from), 0);
    return c->packet->time_ns - sctpa_context_time_ns(c, rtx->previous) <= MAX(doubled_ns, round_trip_ns);
}

RULE(CC, 005,
    .level = SHOULD, .since = 4960, .seeing = COULD, .needs = CHECKSUM | BOTH | COMPLETE | NEAR | RTT,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .report = { .from = EARLY_REPORTED, .at_once_if = IF_COMPLETE | IF_TAKEN_AT },
    .accused = "sender of the data",
    .clause = "RFC 9260 7.2.4",
    .title = "Fast retransmission after one miss indication or none",
    .quote = "it SHOULD wait for two further miss indications (via subsequent SACK chunks for a total of three missing "
        "reports) on the same TSNs before taking action with regard to Fast Retransmit.",
    .why = "Reordered packets are taken for lost: they are retransmitted, and cwnd may be reduced for nothing.",
    .evidence = "The first DATA chunk of a packet is a retransmission right after a SACK, after one miss indication at "
        "most: a SACK counts that newly acknowledges a higher TSN (HTNA). There cannot have been three "
        "even if each packet had a SACK of its own, and no timer is likely to have expired: surely none that was "
        "started less than a round trip before, since an RTO is never shorter. "
        "At least " SAY(EARLY_REPORTED) " such packets, and one for every " SAY(EARLY_SHARE) " that waited "
        "for three; one, where the capture is asserted to be complete and taken at the sender. Most likely also there: "
        "within " SAY(ANSWERS_SACK_MS) " ms of the SACK that is the first miss indication, and " SAY(CHANCE_SHARE)
        " times as long after the TSN was sent, though a timer may have expired just then.",
    .doubt = "Time-based loss detection (RACK) does this by design. Retransmissions after ICMP or PKTDROP, in IP "
        "fragments, in smaller packets than before, of larger ones than Ethernet takes (the PMTU may have shrunk), to "
        "another address, or of chunks that fill a packet after another one are not checked.");

/* Did the sender get too few SACKs with Gap Ack Blocks since a packet for three miss indications? O(1). */
static bool has_few_reports(const sctpa_context_t *c, uint32_t since)
{
    unsigned reports = 0;
    for (uint32_t i = c->sent->sacks.len; i > 0 && reports < SCTPA_MISSES_FAST; i--) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(&c->sent->sacks, sctpa_sack_record_t, i - 1);
        if (sack->packet <= since)
            return true;
        reports += sack->gaps > 0;
    }
    return reports < SCTPA_MISSES_FAST;
}

/* Is the packet, or the one that held its data before, too large for the path? What was sent before the PMTU shrank is
 * sent again in IP fragments, or in smaller packets, whatever SACKs say (RFC 9260 7.3); ICMP may pass beside the tap.
 */
static bool may_be_too_large(const sctpa_context_t *c, const sctpa_rtx_t *rtx)
{
    const sctpa_stamp_t *before = &g_array_index(c->tracker->store.stamps, sctpa_stamp_t, rtx->previous),
                        *now = &g_array_index(c->tracker->store.stamps, sctpa_stamp_t, c->index);
    return c->packet->fragmented || before->wire_bytes > MIN(now->wire_bytes, SCTPA_ETHERNET_BYTES);
}

/* Was the TSN reported missing before it was sent again the last time, by something else than miss indications? A timer
 * resets no counter of them: "After reaching 3 and starting the Fast-Retransmit procedure, the counter resets to 0"
 * (RFC 4960 7.2.4). */
static bool was_missed_before(const sctpa_context_t *c, const sctpa_rtx_t *rtx)
{
    const sctpa_rtx_t *before = rtx->link.before > 0 ? sctpa_direction_rtx(c->sent, rtx->link.before) : NULL;
    return before && before->kind != SCTPA_RTX_FAST && before->misses > 0;
}

/* The first retransmission of a TSN with which the packet begins, right after a SACK that reports it missing, where all
 * that passed reached the sender, and where its timer may have expired just then; NULL: it is none such. */
static const sctpa_rtx_t *retransmitted_after_sack(const sctpa_context_t *c)
{
    const sctpa_rtx_t *rtx = path_before(c) && c->first_data ? sctpa_observed_rtx(c->first_data, c->sent) : NULL;
    if (!rtx || c->sent->sacks.len == 0 || rtx->kind != SCTPA_RTX_UNKNOWN || rtx->link.before > 0 || rtx->misses != 1 ||
        !sctpa_assoc_is_single_homed(c->assoc) || !sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED))
        return NULL;
    const sctpa_sack_record_t *last = &SCTPA_RECORD(&c->sent->sacks, sctpa_sack_record_t, c->sent->sacks.len - 1);
    const int64_t since_ns = sctpa_context_most_since_ns(c, last->packet),
                  sent_ns = sctpa_context_least_since_ns(c, rtx->previous);
    return last->gaps > 0 && last->packet > rtx->previous && has_few_reports(c, rtx->previous) && rtx->is_unmarked &&
                   since_ns <= ANSWERS_SACK_MS * SCTPA_NS_PER_MS &&
                   sent_ns >= CHANCE_SHARE * ANSWERS_SACK_MS * SCTPA_NS_PER_MS
               ? rtx
               : NULL;
}

static bool CC_005_applies(const sctpa_context_t *c)
{
    return !c->tracked->rare->icmp_seen && (retransmitted_by_sacks(c) || retransmitted_after_sack(c));
}

/* "it SHOULD wait for two further miss indications (via subsequent SACK chunks for a total of three missing reports)"
 */
static bool CC_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_cwnd_losses_t *before = sctpa_cwnd_sender(c, c->from)->losses;
    const sctpa_rtx_t *likely = retransmitted_after_sack(c), *rtx = likely ? likely : retransmitted_by_sacks(c);
    if (c->first_data->sent.number <= c->sent->cum_tsn) /* no SACK reports it missing: the timer was quicker */
        return false;
    if ((!likely && !sctpa_cwnd_is_early(rtx)) || !rtx->is_unmarked || before->early + 1 < before->fast / EARLY_SHARE ||
        is_doubled(c, rtx) || may_be_too_large(c, rtx) || was_missed_before(c, rtx))
        return false;
    violation->path = c->path;
    violation->related = violation->since = rtx->previous;
    violation->at_best = rtx->is_untimed ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on = likely ? SCTPA_ASSERTED_ARRIVED : 0;
    sctpa_violation_say(violation, "three SACKs that report the TSN missing and newly acknowledge a higher one (HTNA)",
                        SCTPA_WORDS("retransmitted after %u such SACKs, %s", rtx->misses,
                                    likely ? "right after the last" : "and before its timer can have expired"));
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

/* Had no timer of its path the time to expire before either of both, so that miss indications caused them? */
static bool is_untimed_since(const sctpa_context_t *c, const sctpa_rtx_t *before)
{
    return before->is_untimed && before->is_unmarked && sctpa_observed_rtx(c->first_data, c->sent)->is_untimed;
}

/* The retransmission before, of the lowest TSN outstanding, which was retransmitted fast once and is so again by miss
 * indications, since the timer of its path, whose parameters are asserted, cannot have expired; NULL: it is none. */
static const sctpa_rtx_t *fast_again(const sctpa_context_t *c)
{
    const sctpa_observed_t *first = c->first_data;
    const sctpa_rtx_t *rtx = first && c->sent ? sctpa_observed_rtx(first, c->sent) : NULL;
    if (!rtx || rtx->link.before == 0 || rtx->misses < SCTPA_MISSES_FAST || !rtx->is_unmarked ||
        first->sent.number != c->sent->cum_tsn + 1 || (rtx->kind != SCTPA_RTX_FAST && rtx->kind != SCTPA_RTX_UNKNOWN) ||
        c->tracked->rare->icmp_seen)
        return NULL;
    const sctpa_rtx_t *before = sctpa_direction_rtx(c->sent, rtx->link.before);
    const uint16_t path = sctpa_context_record(c, rtx->previous)->path;
    const sctpa_data_path_t *known = sctpa_direction_known_path(c->sent, path);
    const sctpa_t3_bounds_t *t3 = sctpa_t3_bounds(c, c->from, path);
    const bool is_timed_out = !known || (known->timeout_packet != SCTPA_NO_PACKET_INDEX &&
                                         known->timeout_packet > first->sent.tsn->first_packet);
    return before->kind == SCTPA_RTX_FAST && !is_timed_out && t3 && t3->may_run && t3->started_rto_ns > 0 &&
                   c->packet->time_ns < t3->earliest_ns - t3->started_rto_ns / SCTPA_T3_EARLY_SHARE - SCTPA_TICK_NS
               ? before
               : NULL;
}

static bool is_fast_again(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_rtx_t *before = fast_again(c);
    if (!before)
        return false;
    violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    violation->path = c->path;
    violation->related = before->packet;
    violation->since = c->first_data->sent.tsn->first_packet;
    violation->rests_on = SCTPA_T3_BOUNDS_REST_ON;
    sctpa_violation_say(violation, "no second fast retransmission before T3-rtx expires",
                        SCTPA_WORDS("the same TSN again after %.1f ms",
                                    (double)(c->packet->time_ns - sctpa_context_time_ns(c, before->packet)) / 1e6));
    return true;
}

RULE(CC, 007,
    .level = SHOULD, .since = 4960, .seeing = COULD, .needs = CHECKSUM | BOTH | COMPLETE | NEAR | RTT,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = RTX,
    .report = { .one_defect = true, .from = REPEATED_REPORTED, .at_once_if = IF_COMPLETE | PARAMETER(RTO_MIN) },
    .accused = "sender of the data",
    .clause = "RFC 9260 7.2.4, 7.2",
    .title = "TSN fast-retransmitted twice within a round trip",
    .quote = "Mark the DATA chunk(s) as being fast retransmitted and thus ineligible for a subsequent Fast Retransmit.",
    .why = "SACKs that say nothing of the first retransmission cause a second one: capacity is lost when the network "
        "has least of it, and each may halve cwnd.",
    .evidence = "A TSN is retransmitted by miss indications, and again by miss indications sooner than "
        SAY(SCTPA_ANSWER_QUARTERS) "/4 of the RTT from tap; at least " SAY(REPEATED_REPORTED) " such TSNs. Where "
        "the user asserts an RTO.Min that has not passed since the first transmission of the lowest TSN outstanding, "
        "whatever it is retransmitted by, and one such TSN. Probable: where the parameters of the timer and where the "
        "capture was taken are asserted, the lowest TSN outstanding is retransmitted again by miss indications, and "
        "T3-rtx cannot have expired. Probable also where a round trip had passed since the timer was started.",
    .doubt = "Later repetitions may answer the loss of the retransmission itself. Timeouts do not count, and one "
        "coincidence is no proof. Only a SHOULD: RFC 4960 also describes a counter that begins anew after a fast "
        "retransmission.");

static bool CC_007_applies(const sctpa_context_t *c)
{
    return (fast_before(c) && sctpa_context_tap_rtt_ns(c, !c->from) > 0) || fast_again(c);
}

/* "Mark the DATA chunk(s) as being fast retransmitted and thus ineligible for a subsequent Fast Retransmit." */
static bool CC_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!fast_before(c) || sctpa_context_tap_rtt_ns(c, !c->from) <= 0)
        return is_fast_again(c, violation);
    const bool is_untimed = is_untimed_since(c, fast_before(c)), is_asserted = is_before_rto_min(c);
    uint32_t before = fast_before(c)->packet;
    int64_t elapsed_ns = c->packet->time_ns - sctpa_context_time_ns(c, before);
    int64_t rtt_ns = sctpa_context_tap_rtt_ns(c, !c->from);
    if (elapsed_ns <= doubled_ns)
        return false;
    if (sctpa_context_most_ns(c, elapsed_ns) >= sctpa_context_least_answer_ns(c, !c->from))
        return is_fast_again(c, violation);
    violation->path = c->path;
    violation->related = before;
    violation->since = c->first_data->sent.tsn->first_packet;
    violation->at_best = is_untimed || is_asserted ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on = !retransmitted_by_sacks(c) || (is_asserted && !is_untimed) ? SCTPA_ASSERTED(RTO_MIN) : 0;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("no second fast retransmission; no SACK can report on the first before %.1f ms",
                                    (double)rtt_ns / 1e6),
                        SCTPA_WORDS("the same TSN again after %.1f ms", (double)elapsed_ns / 1e6));
    return true;
}

RULE(CC, 006,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = SACK_ROWS,
    .report = { .one_defect = true },
    .accused = "sender of the data",
    .clause = "RFC 9260 7.2.4",
    .title = "TSN reported missing three times not retransmitted",
    .quote = "the sender SHOULD ignore the value of cwnd and SHOULD NOT delay retransmission for this single packet",
    .why = "The sender waits for its timer, and goes on with a cwnd of one packet.",
    .evidence = SCTPA_COUNTED_EVIDENCE " Here twice in a row is probable, where the retransmission came as late. Three "
        "SACKs with the same Cumulative TSN Ack newly acknowledged TSNs above the "
        "one behind it, which was sent once.",
    .doubt = "Only of TSNs that left after all that was retransmitted before, so that the sender surely is not in Fast "
        "Recovery, while its data went to one address, and not of packets larger than all that arrived, which may be "
        "too big for the path (7.3). A FORWARD-TSN tells what it gave up instead, within 500 ms (RFC "
        "3758 3.5 C3, F3).");

void sctpa_check_congestion(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(CC, 006, FAST_RETRANSMISSION);
        return;
    }
    ASK(CC, 001);
    ASK(CC, 002);
    ASK(CC, 020);
    ASK(CC, 003);
    ASK(CC, 005);
    ASK(CC, 007);
    ASK(CC, 019);
    sctpa_cwnd_take(c);
}
