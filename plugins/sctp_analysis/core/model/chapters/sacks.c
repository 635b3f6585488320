/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Acknowledgements (RFC 9260 6.2, 6.7): what SACKs say, by themselves, against the SACK before and against what
 * arrived; when they come; what they make of duplicates; how many packets they answer; and to which address they go.
 * What arrived, and which SACK is owed, is kept in shared/receiver.h. A wait counts only where a single packet with
 * DATA came since the last SACK, and the SACK that took it was sent for nothing else: then the receiver alone made
 * it late. Except for the form of gap blocks, RX-022 and RX-023, rules are checked only between endpoints of one
 * address each, or where the user asserts that the capture is complete and was taken at all addresses of the receiver:
 * a SACK or a retransmission by a second path may pass where the capture does not see it. Leaves out the window
 * (window.c). */
#include "data/shared_limits.h"
#include "heartbeats.h"
#include "model/chapter.h"
#include "model/shared/earlier_associations.h"
#include "model/shared/obligations.h"
#include "model/shared/sack_answers.h"
#include "wire/types.h"

/* What separates a habit from one packet that the network duplicated between tap and receiver. */
#define DUPLICATES_UNSEEN 2
#define LEFT_OUT_REPORTED 2

/* What separates a habit of the receiver from one SACK that was late by chance. */
#define LATE_SACKS_REPORTED 2

/* The delay of 200 ms that RFC 9260 6.2 recommends, and the tick of a timer. */
#define SACK_USUAL_MS 250

/* What separates a receiver that ignores duplicates from packets that were lost between tap and receiver. */
#define DUPLICATES_UNANSWERED 3
#define UNLISTED_PER_LISTED 2

/* What separates a receiver that acknowledges seldom from one that did so at times. */
#define SACKS_SPARSE 20
#define SPARSE_PER_DENSE 4

/* One packet that the capture missed explains one packet of too many SACKs. */
#define SACK_CROWDS_REPORTED 2

/* So often in a row nothing new is said, where packets are doubled behind the tap and what came twice is not listed, of
 * a packet that comes four times. */
#define SACKS_REPEATED 3

/* What separates a receiver that waits for a second packet from SACKs that the capture missed. */
#define HOLES_PAIRED 3

/* What separates a window that says nothing from an application that reads a little now and then. */
#define CLOSED_TAKEN 3

/* What separates a receiver that answers elsewhere from one that left an address once. */
#define SACKS_ASTRAY 3

/* What separates a receiver whose SACKs vary from one that left an address, and came back. */
#define SACKS_VARIED 3

/* How SACKs are read that were due at once, of rules about that. */
/* clang-format off */
#define OVERDUE_EVIDENCE \
    "Where the capture is asserted to be complete and taken at the receiver, one SACK counts that comes more than " \
    SAY(SCTPA_SACK_LATE_MS) " ms after such a packet, whatever else came; or " SAY(SCTPA_TIMER_SURE) " in a row, " \
    "each alone, " SAY(SCTPA_PACKETS_APART_MS) " ms or more after all that came, and as late as the others."
/* clang-format on */

enum { DUPLICATES_LOOKED_AT = 16, UNSEEN_LOOKED_AT = 1024 };

static const int64_t late_ns = SCTPA_SACK_LATE_MS * SCTPA_NS_PER_MS,
                     apart_ns = SCTPA_PACKETS_APART_MS * SCTPA_NS_PER_MS;

RULE(RX, 001,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = CHUNK, .of = OF_SENDER, .on = SACK_ROWS,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2.1",
    .title = "Cumulative TSN Ack goes back",
    .quote = "Since Cumulative TSN Ack is monotonically increasing, a SACK chunk whose Cumulative TSN Ack is less than "
        "the Cumulative TSN Ack Point indicates an out-of-order SACK chunk.",
    .why = "A sender drops such a SACK; a receiver that sends it has lost count or has several queues.",
    .evidence = "A SACK has a lower cum_tsn than the SACK that its sender sent before it on the same path, near that "
        "sender.",
    .doubt = "SACKs that overtook each other look the same far from the receiver: checked only near it. After a reset "
        "of the TSNs (RE-CONFIG) nothing is checked.");

static bool RX_001_applies(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE) && sctpa_tap_sack_before(c->tracker, c->tracked, c->record, c->chunk);
}

/* RFC 9260 6.2.1 D i: "Since Cumulative TSN Ack is monotonically increasing" */
static bool RX_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_sack_record_t *before = sctpa_observed_sack_before(c->chunk, c->acked);
    if (!sctpa_tap_goes_back(&c->chunk->tlv, before))
        return false;
    violation->related = before->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("cum_tsn %u or higher", before->cum_tsn),
                        SCTPA_WORDS("cum_tsn %u", sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_SACK_CUM_TSN)));
    return true;
}

/* How far above the Cumulative TSN Ack the highest block of a SACK ends, 0: it has none. O(gap blocks). */
static uint32_t highest_offset(const sctpa_sack_t *sack)
{
    uint32_t highest = 0;
    for (uint32_t i = 0; i < sack->n_gaps + sack->n_nr_gaps; i++)
        highest = MAX(highest, sctpa_sack_any_block(sack, i).end);
    return highest;
}

/* The highest TSN that c->chunk, a SACK or SHUTDOWN, acknowledges, as a number of c->acked. */
static int64_t acked_to(const sctpa_context_t *c)
{
    sctpa_sack_t sack = { .cum_tsn = sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_SHUTDOWN_CUM_TSN) };
    if (c->chunk->row != SCTPA_CHUNK_ROW_SHUTDOWN)
        sctpa_sack_parse(&c->chunk->tlv, &sack);
    return sctpa_direction_unwrap(c->acked, sack.cum_tsn) + highest_offset(&sack);
}

RULE(RX, 003,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = SETUP | BOTH | COMPLETE,
    .when = CHUNK, .of = OF_SENDER, .on = SACK_ROWS | ROW(SHUTDOWN),
    .report = { .one_defect = true },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2, 3.3.4, 3.3.8",
    .title = "TSN acknowledged that was not sent, or never arrived",
    .quote = "the SCTP endpoint MUST fill in the Cumulative TSN Ack field to indicate the latest sequential TSN (of a "
        "valid DATA chunk) it has received.",
    .why = "What the sender gives this TSN is lost without a trace.",
    .evidence = "The capture is asserted to be complete. A Cumulative TSN Ack or gap block of a SACK, NR-SACK or "
        "SHUTDOWN is above all TSNs that passed towards the receiver, and above all that were given up. Where the "
        "capture is asserted to be taken at the receiver as well: a TSN that never passed, below others that did. "
        "Probable, where the sender goes on above it, or identifications of it are missing.",
    .doubt = "Without that assertion the capture may lack the packet that is acknowledged: not checked. The assertion "
        "counts as refuted when the sender goes on above the TSNs acknowledged, so that it had sent them, or, where "
        "the capture is not asserted to be taken at the receiver, when they pass within 100 ms: what was sent and did "
        "not pass was lost on the way to the receiver, or to the capture. Not checked of endpoints with several "
        "addresses, unless the capture is asserted to be taken at all of one, where packets were cut, and after a "
        "reset of the TSNs.");

/* The packet acknowledges what never passed, where all that reaches its sender passes, as the user asserts. */
static bool is_claimed(const sctpa_context_t *c)
{
    return c->reference->tap.claimed[!c->from] == c->index + 1;
}

static bool is_on_all_ways_of_one(const sctpa_context_t *c)
{
    return sctpa_tap_is_on_all_ways(&c->reference->tap, c->tracked, 0) ||
           sctpa_tap_is_on_all_ways(&c->reference->tap, c->tracked, 1);
}

static bool RX_003_applies(const sctpa_context_t *c)
{
    const bool is_read = c->chunk->row == SCTPA_CHUNK_ROW_SHUTDOWN
                             ? sctpa_tlv_has(&c->chunk->tlv, SCTPA_F_SHUTDOWN_CUM_TSN)
                             : c->chunk->sack > 0;
    return is_read && c->acked && c->acked->announced && !c->acked->restarted && !c->acked->truncated &&
           (is_claimed(c) || (is_on_all_ways_of_one(c) && sctpa_context_is_asserted(c, SCTPA_ASSERTED_COMPLETE)));
}

static bool is_unseen(const sctpa_context_t *c, int64_t number)
{
    return number > c->acked->rare->abandoned_to && !sctpa_direction_tsn(c->acked, number);
}

/* The first of some TSNs that c->chunk acknowledges, above those that the SACK before it did, and that never passed:
 * of gap blocks only where one begins; -1: none of these. O(1), bounded. */
static int64_t first_unseen(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->chunk->sack > 0 ? sctpa_observed_sack_before(c->chunk, c->acked) : NULL;
    sctpa_sack_t sack = { .cum_tsn = sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_SHUTDOWN_CUM_TSN) };
    if (c->chunk->row != SCTPA_CHUNK_ROW_SHUTDOWN)
        sctpa_sack_parse(&c->chunk->tlv, &sack);
    const int64_t cum_tsn = sctpa_direction_unwrap(c->acked, sack.cum_tsn),
                  from = before ? sctpa_direction_unwrap(c->acked, before->cum_tsn) + 1 : 0;
    for (int64_t number = from; number <= cum_tsn && number < from + UNSEEN_LOOKED_AT; number++)
        if (is_unseen(c, number))
            return number;
    for (uint32_t i = 0; i < MIN(sack.n_gaps + sack.n_nr_gaps, (uint32_t)UNSEEN_LOOKED_AT); i++)
        if (is_unseen(c, cum_tsn + sctpa_sack_any_block(&sack, i).start))
            return cum_tsn + sctpa_sack_any_block(&sack, i).start;
    return -1;
}

static void say_unseen(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const int64_t unseen = first_unseen(c);
    sctpa_violation_say(violation, "TSNs that arrived, acknowledged",
                        unseen < 0 ? "one that never did"
                                   : SCTPA_WORDS("TSN %u, which never did", sctpa_direction_serial(c->acked, unseen)));
}

/* RFC 9260 6.2: "to indicate the latest sequential TSN (of a valid DATA chunk) it has received"; 3.3.4: "Any received
 * DATA chunks with TSN greater than the value in the Cumulative TSN Ack field are reported" */
static bool RX_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const int64_t to = acked_to(c), sent_to = MAX(c->acked->highest, c->acked->rare->abandoned_to);
    const bool is_refuted = !sctpa_context_is_asserted(c, SCTPA_ASSERTED_COMPLETE);
    if (!is_claimed(c) && (to <= sent_to || is_refuted))
        return false;
    violation->rests_on = is_claimed(c) ? SCTPA_ASSERTED_ARRIVED : SCTPA_ASSERTED_COMPLETE;
    violation->is_certain = is_claimed(c);
    violation->at_best = is_refuted ? SCTPA_CERTAINTY_PROBABLE : SCTPA_CERTAINTY_PROVEN;
    if (to > sent_to)
        sctpa_violation_say(violation,
                            SCTPA_WORDS("no TSN above %u: none was sent", sctpa_direction_serial(c->acked, sent_to)),
                            SCTPA_WORDS("TSN %u is acknowledged", sctpa_direction_serial(c->acked, to)));
    else
        say_unseen(c, violation);
    return true;
}

/* A whole SACK chunk with so many gap blocks. */
static bool has_blocks(const sctpa_context_t *c, uint32_t least)
{
    sctpa_sack_t sack;
    return c->chunk->tlv.fault == SCTPA_FAULT_NONE && sctpa_sack_parse(&c->chunk->tlv, &sack) && sack.complete &&
           sack.n_gaps >= least;
}

RULE(RX, 004,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(SACK), .if_facts = GAP_BLOCKS,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2, 3.3.4",
    .title = "Gap block that starts at the cum_tsn or ends before its start",
    .quote = "the SCTP endpoint MUST fill in the Cumulative TSN Ack field to indicate the latest sequential TSN (of a "
        "valid DATA chunk) it has received",
    .why = "Senders drop the SACK or count wrong TSNs as received; usually the receiver's arithmetic near a wrap is at "
        "fault.",
    .evidence = "A block starts at offset 0 or 1, so that the TSN after the cum_tsn was received, or its start is "
        "above its end.",
    .doubt = "Only whole SACK chunks with a good checksum and a right length count; NR-SACK follows a draft and is not "
        "checked.");

static bool RX_004_applies(const sctpa_context_t *c)
{
    return has_blocks(c, 1);
}

/* RFC 9260 3.3.4: "the next TSN value following this one has not yet been received at the endpoint sending the SACK
 * chunk" */
static bool RX_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_sack_t sack;
    sctpa_sack_parse(&c->chunk->tlv, &sack);
    for (uint32_t i = 0; i < sack.n_gaps; i++) {
        sctpa_gap_block_t block = sctpa_sack_block(&sack, i);
        if (block.start >= 2 && block.start <= block.end)
            continue;
        sctpa_violation_say(violation, "2 <= start <= end in each gap block",
                            SCTPA_WORDS("block %u of %u is %u to %u", i + 1, sack.n_gaps, block.start, block.end));
        return true;
    }
    return false;
}

static sctpa_words_t describe(const sctpa_sack_t *sack, uint32_t i)
{
    sctpa_gap_block_t before = sctpa_sack_block(sack, i - 1), block = sctpa_sack_block(sack, i);
    return sctpa_words("block %u is %u to %u, block %u is %u to %u", i, before.start, before.end, i + 1, block.start,
                       block.end);
}

/* Neither block ends before it begins. */
static bool are_sound(sctpa_gap_block_t before, sctpa_gap_block_t block)
{
    return before.start <= before.end && block.start <= block.end;
}

RULE(RX, 005,
    .level = SHOULD, .since = 9260, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(SACK), .if_facts = GAP_BLOCKS,
    .accused = "receiver of the data",
    .clause = "RFC 9260 3.3.4",
    .title = "Gap blocks overlap or touch",
    .quote = "The Gap Ack Blocks SHOULD be isolated.",
    .why = "Blocks are wasted: in a full packet, TSNs stay unreported that could have been reported.",
    .evidence = "A block starts no more than one above the end of the block before it in the list.",
    .doubt = "The lists of an NR-SACK may touch each other: NR-SACK is not checked.");

static bool RX_005_applies(const sctpa_context_t *c)
{
    return has_blocks(c, 2);
}

/* RFC 9260 3.3.4: "The Gap Ack Blocks SHOULD be isolated." */
static bool RX_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_sack_t sack;
    sctpa_sack_parse(&c->chunk->tlv, &sack);
    for (uint32_t i = 1; i < sack.n_gaps; i++) {
        sctpa_gap_block_t before = sctpa_sack_block(&sack, i - 1), block = sctpa_sack_block(&sack, i);
        if (!are_sound(before, block) || block.start < before.start || block.start > before.end + 1)
            continue;
        sctpa_violation_say(violation, SCTPA_WORDS("block %u starts at %u or above", i + 1, before.end + 2u),
                            describe(&sack, i).text);
        return true;
    }
    return false;
}

RULE(RX, 006,
    .level = SHOULD, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(SACK), .if_facts = GAP_BLOCKS,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.7",
    .title = "Gap blocks not in ascending order",
    .quote = "This single SACK chunk MUST report the Gap Ack Blocks from the lowest to highest TSNs, within the size "
        "limit set by the PMTU",
    .why = "Senders that stop reading at the first block out of order retransmit what has arrived.",
    .evidence = "A block starts below the start of the block before it in the list.",
    .doubt = "The clause says MUST where not all blocks fit. Where all fit, senders merely rely on their order: "
        "therefore a SHOULD.");

static bool RX_006_applies(const sctpa_context_t *c)
{
    return has_blocks(c, 2);
}

/* RFC 9260 6.7: "MUST report the Gap Ack Blocks from the lowest to highest TSNs" */
static bool RX_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_sack_t sack;
    sctpa_sack_parse(&c->chunk->tlv, &sack);
    for (uint32_t i = 1; i < sack.n_gaps; i++) {
        sctpa_gap_block_t before = sctpa_sack_block(&sack, i - 1), block = sctpa_sack_block(&sack, i);
        if (!are_sound(before, block) || block.start >= before.start)
            continue;
        sctpa_violation_say(violation, "each block above the one before it", describe(&sack, i).text);
        return true;
    }
    return false;
}

/* What the capture, or the network, doubled comes so soon, if not at once. */
#define COPIED_MS 2
#define COPIES_LOOK_BACK 8

/* The SACK before this one (*sack), where it had gap blocks that this one must still report; NULL: it had none. */
static const sctpa_sack_record_t *before_with_blocks(const sctpa_context_t *c, sctpa_sack_t *sack)
{
    const sctpa_sack_record_t *before =
        sctpa_sack_is(c, SCTPA_SACK_SINGLE) ? sctpa_observed_sack_before(c->chunk, c->acked) : NULL;
    if (!before || sctpa_sack_first_gap(c->acked, before) == 0 || !sctpa_sack_parse(&c->chunk->tlv, sack))
        return NULL;
    bool may_revoke = MIN(before->a_rwnd_bytes, sack->a_rwnd) < SCTPA_WINDOW_SCARCE_BYTES;
    bool goes_back = sctpa_serial_distance(before->cum_tsn, sack->cum_tsn) < 0;
    return sack->complete && !may_revoke && !goes_back ? before : NULL;
}

/* The first TSN in gap blocks of the SACK before that this one reports no more; false: none. O(gap blocks). */
static bool find_revoked(const sctpa_context_t *c, const sctpa_sack_t *sack, const sctpa_sack_record_t *before,
                         uint32_t *tsn)
{
    uint32_t n;
    const uint32_t *blocks = sctpa_direction_gaps(c->acked, before->gaps, &n);
    const uint32_t n_now = sack->n_gaps + sack->n_nr_gaps, highest = sack->cum_tsn + highest_offset(sack);
    for (uint32_t i = 0; i < MIN(n, SCTPA_BLOCKS_LISTED); i++) {
        const uint32_t start = blocks[i] >> 16, end = blocks[i] & 0xFFFF;
        if (start == 0 || start > end)
            continue;
        *tsn = sctpa_sack_next_unreported(sack, before->cum_tsn + start);
        const bool is_cut = n_now >= SCTPA_BLOCKS_LISTED && sctpa_serial_distance(highest, *tsn) > 0;
        if (!is_cut && sctpa_serial_distance(*tsn, before->cum_tsn + end) >= 0)
            return true;
    }
    return false;
}

/* Does the SACK acknowledge anything that the one before it did not? Then it was sent after that one; or, where the
 * order in the capture is another one, that one revoked what it says. */
static bool reports_more(const sctpa_context_t *c, const sctpa_sack_t *sack, const sctpa_sack_record_t *before)
{
    uint32_t n;
    const uint32_t *blocks = sctpa_direction_gaps(c->acked, before->gaps, &n);
    uint32_t highest_before = before->cum_tsn + (n > 0 ? blocks[n - 1] & 0xFFFF : 0),
             highest = sack->cum_tsn + (sack->n_gaps > 0 ? sctpa_sack_block(sack, sack->n_gaps - 1).end : 0);
    return sctpa_serial_distance(before->cum_tsn, sack->cum_tsn) > 0 ||
           sctpa_serial_distance(highest_before, highest) > 0;
}

RULE(RX, 009,
    .level = SHOULD, .since = 2960, .seeing = NOTHING, .needs = SETUP | BOTH | COMPLETE | NEAR | WHOLE,
    .when = CHUNK, .of = OF_SENDER, .on = SACK_ROWS,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "Receiver reneges on a gap-acked TSN",
    .quote = "An endpoint SHOULD NOT revoke a SACK chunk and discard data.",
    .why = "The sender must keep and retransmit data that was reported as received. If it freed that data already, the "
        "association hangs.",
    .evidence = "A TSN in a gap block of a SACK is neither below the cum_tsn nor in a block of the next one, which was "
        "not cut short.",
    .doubt = "A receiver out of buffer space may do it: not checked when either a_rwnd is below "
        SAY(SCTPA_WINDOW_SCARCE_BYTES) ". SACKs that overtook each other look the same: checked only near the "
        "receiver, and not when its cum_tsn went back. One that acknowledges something new besides was sent later: "
        "nothing that the capture lacks explains it. One that says what another said within "
        SAY(COPIED_MS) " ms may be a copy of that. Blocks at the end of a list of " SAY(SCTPA_BLOCKS_LISTED)
        " and more may be left out for lack of room. Of an NR-SACK both lists count.");

static bool RX_009_applies(const sctpa_context_t *c)
{
    sctpa_sack_t sack;
    return before_with_blocks(c, &sack);
}

/* Does the SACK say what another one said COPIED_MS before: may it be one of the network's or the capture's copies?
 * Looks at the last COPIES_LOOK_BACK. O(1). */
static bool may_be_a_copy(const sctpa_context_t *c, const sctpa_sack_t *sack)
{
    const uint32_t n = c->chunk->sack - 1;
    for (uint32_t i = n; i > 0 && n - i < COPIES_LOOK_BACK; i--) {
        uint32_t n_blocks;
        const sctpa_sack_record_t *earlier = &SCTPA_RECORD(&c->acked->sacks, sctpa_sack_record_t, i - 1);
        const uint32_t *blocks = sctpa_direction_gaps(c->acked, earlier->gaps, &n_blocks);
        if (sctpa_context_least_since_ns(c, earlier->packet) > COPIED_MS * SCTPA_NS_PER_MS)
            return false;
        if (earlier->cum_tsn == sack->cum_tsn && earlier->a_rwnd_bytes == sack->a_rwnd && n_blocks > 0 &&
            n_blocks == sack->n_gaps + sack->n_nr_gaps && (blocks[n_blocks - 1] & 0xFFFF) == highest_offset(sack))
            return true;
    }
    return false;
}

/* RFC 9260 6.2: "An endpoint SHOULD NOT revoke a SACK chunk and discard data." */
static bool RX_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_sack_t sack;
    uint32_t tsn;
    const sctpa_sack_record_t *before = before_with_blocks(c, &sack);
    if (!find_revoked(c, &sack, before, &tsn) || may_be_a_copy(c, &sack))
        return false;
    violation->related = before->packet;
    violation->is_certain = reports_more(c, &sack, before);
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u, gap-acked before, in a gap block or below the cum_tsn", tsn),
                        SCTPA_WORDS("cum_tsn %u, %u gap blocks without it, a_rwnd %u", sack.cum_tsn,
                                    sack.n_gaps + sack.n_nr_gaps, sack.a_rwnd));
    return true;
}

/* A TSN that a SACK left out is acknowledged now. is_next: it followed the Cumulative TSN Ack. */
static bool left_out(const sctpa_context_t *c, bool is_next, sctpa_violation_t *violation)
{
    const sctpa_left_out_t *left_out = c->receivers[c->from]->left_out;
    if (!sctpa_sack_shows_left_out(c) || left_out->is_next != is_next)
        return false;
    violation->related = left_out->packet;
    sctpa_violation_say(
        violation, "every TSN that was received, in a SACK that reports higher ones",
        SCTPA_WORDS("TSN %u was left out, and acknowledged later without a retransmission", left_out->tsn));
    return true;
}

/* The SACK or SHUTDOWN leaves out a TSN that came. is_next: it follows the Cumulative TSN Ack, or went back to it. */
static bool omitted(const sctpa_context_t *c, bool is_next, sctpa_violation_t *violation)
{
    sctpa_omission_t omission;
    if (!sctpa_sack_is_comparable(c) || !sctpa_sack_omits(c, &omission) || omission.is_next != is_next)
        return false;
    violation->related = omission.packet;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(
        violation,
        omission.goes_back ? SCTPA_WORDS("cum_tsn %u or higher, as acknowledged before", omission.tsn)
                           : SCTPA_WORDS("TSN %u, which came in frame %u and fits in the window, acknowledged",
                                         omission.tsn, sctpa_context_frame(c, omission.packet)),
        omission.goes_back ? "a lower cum_tsn" : "an acknowledgement sent for that packet or later leaves it out");
    return true;
}

/* The SACK leaves something out, or one before did. */
static bool has_hole(const sctpa_context_t *c)
{
    const sctpa_left_out_t *left_out = c->receivers[c->from]->left_out;
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE) && (c->sack.n_gaps > 0 || (left_out && left_out->is_waiting));
}

RULE(RX, 007,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | WHOLE,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS,
    .report = { .from = LEFT_OUT_REPORTED, .at_once_if = IF_COMPLETE, .one_defect = true },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "TSN received is left out of the gap blocks",
    .quote = "MUST report as many Gap Ack Blocks as can fit in a single SACK chunk",
    .why = "The sender retransmits what has arrived and halves its window for a loss that did not happen.",
    .evidence = "A TSN passed once, at least " SAY(SCTPA_LEFT_OUT_EARLIER_MS) " ms before a higher one that the SACK "
        "reports; or, where the capture is asserted to be complete, the SACK before reported it. The SACK leaves it in "
        "a hole, and a later one acknowledges it without a retransmission. Reported when it happened at least "
        SAY(LEFT_OUT_REPORTED) " times. Where the capture is asserted to be complete and taken at the receiver, one "
        "SACK counts: valid DATA came, nothing else can be the cause of the SACK, or it came more than "
        SAY(SCTPA_SACK_LATE_MS) " ms before, and its TSN, not the next one, is in no block.",
    .doubt = "Data waiting in a queue of the host is taken in order, so that the higher TSN could not be reported "
        "before it; what was dropped would have to be retransmitted. A retransmission that the capture missed explains "
        "one occurrence. A receiver may drop what does not fit in its window: either a_rwnd must leave room for "
        SAY(SCTPA_WINDOW_SCARCE_BYTES) " bytes more than is outstanding. Lists of " SAY(SCTPA_BLOCKS_LISTED) " blocks "
        "may be cut.");

static bool RX_007_applies(const sctpa_context_t *c)
{
    return has_hole(c) || (sctpa_sack_is_comparable(c) && c->n_sacks > 0);
}

/* RFC 9260 6.2: "MUST report as many Gap Ack Blocks as can fit in a single SACK chunk" */
static bool RX_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return left_out(c, false, violation) || omitted(c, false, violation);
}

RULE(RX, 029,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | WHOLE,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS | ROW(SHUTDOWN),
    .report = { .from = LEFT_OUT_REPORTED,
        .at_once_if = IF_COMPLETE,
        .one_defect = true,
        .covers = { COVERS(RX, 001) } },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "Cumulative TSN Ack lags behind what was received",
    .quote = "the SCTP endpoint MUST fill in the Cumulative TSN Ack field to indicate the latest sequential TSN (of a "
        "valid DATA chunk) it has received",
    .why = "The sender retransmits what has arrived and halves its window for a loss that did not happen.",
    .evidence = "The TSN after the cum_tsn passed once, at least " SAY(SCTPA_LEFT_OUT_EARLIER_MS) " ms before a higher "
        "one that the SACK reports, and a later SACK acknowledges it without a retransmission. Reported when "
        "it happened at least " SAY(LEFT_OUT_REPORTED) " times. Where the capture is asserted to be complete and taken "
        "at the receiver, one SACK or SHUTDOWN counts: the TSN after its cum_tsn came in valid DATA, and nothing else "
        "can be the cause of the SACK, or it came more than " SAY(SCTPA_SACK_LATE_MS) " ms before, or in the packet "
        "that brought the cum_tsn; or the cum_tsn is lower than that of the SACK before.",
    .doubt = "Data waiting in a queue of the host is taken in order, so that the higher TSN could not be reported "
        "before it; what was dropped would have to be retransmitted. A retransmission that the capture missed explains "
        "one occurrence. A receiver may drop what does not fit in its window: either a_rwnd must leave room for "
        SAY(SCTPA_WINDOW_SCARCE_BYTES) " bytes more than is outstanding.");

static bool RX_029_applies(const sctpa_context_t *c)
{
    return has_hole(c) || sctpa_sack_is_comparable(c);
}

/* RFC 9260 6.2: "MUST fill in the Cumulative TSN Ack field to indicate the latest sequential TSN (of a valid DATA
 * chunk) it has received" */
static bool RX_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return left_out(c, true, violation) || omitted(c, true, violation);
}

/* What the receiver itself took at the least, of what passed the tap so long ago. */
static int64_t own_part_ns(const sctpa_context_t *c, int64_t elapsed_ns)
{
    return sctpa_context_least_ns(c, elapsed_ns) - MAX(sctpa_context_tap_rtt_most_ns(c, c->from), 0) -
           sctpa_clocks_error_ns(c->reference->tap.clocks);
}

static bool is_late(const sctpa_context_t *c)
{
    return sctpa_context_least_ns(c, c->answer.owed.waited_ns) > sctpa_receiver_patience_ns(c, c->from, late_ns);
}

/* A SACK that was due at once waits for the delay of others, where the user asserts what makes that sure. */
static bool is_overdue(const sctpa_context_t *c, sctpa_asks_t why)
{
    return sctpa_sack_overdue(c, why) != SCTPA_NO_PACKET_INDEX;
}

/* Fills the violation where it is. */
static bool says_overdue(const sctpa_context_t *c, sctpa_asks_t why, const char *expected, sctpa_violation_t *violation)
{
    const uint32_t packet = sctpa_sack_overdue(c, why);
    if (packet == SCTPA_NO_PACKET_INDEX)
        return false;
    violation->related = packet;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(violation, expected,
                        SCTPA_WORDS("it came after %.1f ms", (double)sctpa_context_least_since_ns(c, packet) / 1e6));
    return true;
}

static sctpa_words_t came_after(const sctpa_context_t *c)
{
    return sctpa_words("it came after %.1f ms", (double)c->answer.owed.waited_ns / 1e6);
}

/* One that also opens the window may have come for that. */
static bool is_measured_alone(const sctpa_context_t *c)
{
    return sctpa_sack_is_measured(c) && !sctpa_sack_is(c, SCTPA_SACK_OPENS);
}

RULE(RX, 010,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS, .if_facts = NEWLY_ACKED,
    .report = { .from = LATE_SACKS_REPORTED, .at_once_if = IF_COMPLETE | IF_TAKEN_AT,
                .covers = { COVERS(RX, 035) } },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "SACK delayed by more than 500 ms",
    .quote = "An implementation MUST NOT allow the maximum delay (protocol parameter 'SACK.Delay') to be configured to "
        "be more than 500 ms.",
    .why = "Senders with the usual RTO.Min retransmit what has arrived.",
    .evidence = "One packet with DATA came since the last SACK, was sent once, and the SACK that acknowledges it comes "
        "more than " SAY(SCTPA_SACK_LONGEST_MS) " ms later in a packet of its own. Reported when it happened at least "
        SAY(LATE_SACKS_REPORTED) " times. Where the capture is asserted to be complete and taken at the receiver, once "
        "is enough, whatever accompanies the SACK; of several packets the last counts: each may restart the timer.",
    .doubt = "A SACK that the capture missed would have left nothing to acknowledge. Without these assertions a SACK "
        "that opens the window, or comes with other chunks, is not checked. Timers measured at 528 ms for 500 "
        "configured stay below.");

/* The first SACK since the DATA takes the last of it. */
static bool is_first_answer(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE | SCTPA_SACK_LAST_ONCE) &&
           c->receivers[c->from]->wait.last_is & SCTPA_ARRIVED_VALID &&
           sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

static bool RX_010_applies(const sctpa_context_t *c)
{
    return is_measured_alone(c) || is_first_answer(c);
}

/* RFC 9260 6.2: "MUST NOT allow the maximum delay (protocol parameter 'SACK.Delay') to be configured to be more than
 * 500 ms" */
static bool RX_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint32_t last_packet = c->receivers[c->from]->wait.last_packet;
    const int64_t waited_ns = c->packet->time_ns - sctpa_context_time_ns(c, last_packet);
    if (own_part_ns(c, waited_ns) <= SCTPA_SACK_LONGEST_MS * SCTPA_NS_PER_MS)
        return false;
    violation->related = last_packet;
    sctpa_violation_say(violation, "a SACK within 500 ms of the DATA",
                        SCTPA_WORDS("it came after %.1f ms", (double)waited_ns / 1e6));
    return true;
}

RULE(RX, 011,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS, .if_facts = NEWLY_ACKED,
    .report = { .once = true },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "SACK delay of more than 200 ms",
    .quote = "SHOULD be generated within 200 ms of the arrival of any unacknowledged DATA chunk",
    .why = "Every message sent alone waits longer for its acknowledgement; senders with a small RTO time out on it.",
    .evidence = SAY(SCTPA_TIMER_SURE) " waits in a row (one packet with DATA, sent once, its SACK alone in a "
        "packet) were alike within 1/" SAY(SCTPA_WAITS_ALIKE_SHARE) " and longer than " SAY(SACK_USUAL_MS) " "
        "ms. Reported once.",
    .doubt = "Timers have ticks: up to " SAY(SACK_USUAL_MS) " ms count as 200. The delay may be configured "
        "(SCTP_DELAYED_SACK): then the finding reports that configuration.");

static bool RX_011_applies(const sctpa_context_t *c)
{
    return sctpa_sack_is_delayed(c) && sctpa_sack_timer(c).waits >= SCTPA_TIMER_SURE;
}

/* RFC 9260 6.2: "SHOULD be generated within 200 ms of the arrival of any unacknowledged DATA chunk" */
static bool RX_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    int64_t delay_ns = sctpa_sack_timer(c).delay_ns;
    if (own_part_ns(c, delay_ns) <= SACK_USUAL_MS * SCTPA_NS_PER_MS)
        return false;
    violation->related = c->answer.owed.since_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("SACKs within %d ms of the DATA", SCTPA_RFC_SACK_DELAY),
                        SCTPA_WORDS("several in a row after %.1f ms", (double)delay_ns / 1e6));
    return true;
}

RULE(RX, 018,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS, .if_facts = NEWLY_ACKED,
    .report = { .one_defect = true, .from = LATE_SACKS_REPORTED, .at_once_if = IF_COMPLETE | IF_TAKEN_AT,
                .possible_before = true },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.7, 7.2.4",
    .title = "Gap not reported at once",
    .quote = "If the endpoint detects a gap in the received DATA chunk sequence, it SHOULD send a SACK chunk with Gap "
        "Ack Blocks immediately.",
    .why = "Fast retransmission comes late or not at all, and the sender waits for its timer.",
    .evidence = "One packet with DATA came since the last SACK, the TSN before it never passed, and the SACK that "
        "acknowledges it comes alone and more than " SAY(SCTPA_SACK_LATE_MS) " ms later. Possible, until it happened "
        SAY(LATE_SACKS_REPORTED) " times. " OVERDUE_EVIDENCE,
    .doubt = "The receiver's own SACK shows that it took the packet. Hosts under load were seen to answer after 22 ms, "
        "below the limit.");

static bool RX_018_applies(const sctpa_context_t *c)
{
    const uint8_t why = SCTPA_ARRIVED_GAP | SCTPA_ARRIVED_FIRST;
    return (is_measured_alone(c) && (c->answer.owed.at_once & why) == SCTPA_ARRIVED_GAP) ||
           is_overdue(c, SCTPA_ASKS_GAP);
}

/* RFC 9260 6.7: "it SHOULD send a SACK chunk with Gap Ack Blocks immediately" */
static bool RX_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (says_overdue(c, SCTPA_ASKS_GAP, "a SACK at once: a TSN below those that came is missing", violation))
        return true;
    if (!is_late(c))
        return false;
    violation->related = c->answer.owed.since_packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("a SACK at once: TSN %u left a gap", c->receivers[c->from]->wait.first_tsn),
                        came_after(c).text);
    return true;
}

RULE(RX, 020,
    .level = HEURISTIC, .since = 7053, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS, .if_facts = NEWLY_ACKED,
    .report = { .from = LATE_SACKS_REPORTED, .at_once_if = IF_COMPLETE | IF_TAKEN_AT },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2, RFC 7053 5.2",
    .title = "I bit not honoured",
    .quote = "Upon receipt of an SCTP packet containing a DATA chunk with the I bit set, the receiver SHOULD NOT delay "
        "the sending of the corresponding SACK chunk",
    .why = "The sender asked for the SACK because it waits for it: last message, shutdown or a small window.",
    .evidence = "One packet with DATA and I bit came since the last SACK, and the SACK that acknowledges it comes "
        "alone and more than " SAY(SCTPA_SACK_LATE_MS) " ms later. Reported when it happened at least "
        SAY(LATE_SACKS_REPORTED) " times. " OVERDUE_EVIDENCE,
    .doubt = "Receivers that follow RFC 4960 without RFC 7053 do not know the I bit: therefore a note.");

static bool RX_020_applies(const sctpa_context_t *c)
{
    const uint8_t why = SCTPA_ARRIVED_IMMEDIATE | SCTPA_ARRIVED_GAP | SCTPA_ARRIVED_FIRST;
    return (is_measured_alone(c) && (c->answer.owed.at_once & why) == SCTPA_ARRIVED_IMMEDIATE) ||
           is_overdue(c, SCTPA_ASKS_IMMEDIATE);
}

/* RFC 9260 6.2: "the receiver SHOULD NOT delay the sending of the corresponding SACK chunk" */
static bool RX_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (says_overdue(c, SCTPA_ASKS_IMMEDIATE, "a SACK at once: the I bit is set", violation))
        return true;
    if (!is_late(c))
        return false;
    violation->related = c->answer.owed.since_packet;
    sctpa_violation_say(violation, "a SACK at once: the I bit is set", came_after(c).text);
    return true;
}

RULE(RX, 026,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "DATA dropped at a closed window not answered at once",
    .quote = "if such a DATA chunk is dropped, the receiver MUST immediately send back a SACK chunk with the current "
        "receive window",
    .why = "Window probes stay unanswered: the sender counts errors, doubles its timer and may give the association "
        "up.",
    .evidence = "The last SACK announced a_rwnd 0, one packet with a new TSN came, and the next SACK, alone in its "
        "packet, announces the same without that TSN: more than " SAY(SCTPA_SACK_LATE_MS) " ms later and within 1/"
        SAY(SCTPA_WAITS_ALIKE_SHARE) " of the delay that this receiver's delayed SACKs had at least "
        SAY(SCTPA_TIMER_KNOWN) " times, or by any time where the capture is asserted to be complete and taken at the "
        "receiver.",
    .doubt = "A busy host is late by any time, not by that of its SACK timer. An a_rwnd of 1 is not 0.");

static bool RX_026_applies(const sctpa_context_t *c)
{
    return (c->receivers[c->from]->timer_waits >= SCTPA_TIMER_KNOWN ||
            sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED)) &&
           sctpa_sack_is_lone(c) && c->answer.owed.at_once & SCTPA_ARRIVED_CLOSED &&
           !sctpa_sack_is(c, SCTPA_SACK_FIRST) && c->answer.before && c->answer.before->cum_tsn == c->sack.cum_tsn &&
           c->sack.n_duplicates == 0 && sctpa_window_is_closed(c->sack.a_rwnd);
}

/* RFC 9260 6.2: "if such a DATA chunk is dropped, the receiver MUST immediately send back a SACK chunk with the current
 * receive window" */
static bool RX_026_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_receiver_t *own = c->receivers[c->from];
    bool is_by_timer =
        own->timer_waits >= SCTPA_TIMER_KNOWN && sctpa_waits_are_alike(c->answer.owed.waited_ns, own->timer_ns);
    if (!is_late(c) || (!is_by_timer && !sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED)))
        return false;
    violation->related = c->answer.owed.since_packet;
    violation->rests_on = is_by_timer ? 0 : SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(
        violation, SCTPA_WORDS("a SACK at once: TSN %u was dropped at a_rwnd %u", own->wait.first_tsn, c->sack.a_rwnd),
        is_by_timer ? SCTPA_WORDS("it came after %.1f ms, by the timer of delayed SACKs (%.1f ms)",
                                  (double)c->answer.owed.waited_ns / 1e6, (double)own->timer_ns / 1e6)
                    : came_after(c).text);
    return true;
}

/* The first DATA was answered after the second packet, as two others are now. */
static bool is_paired_again(const sctpa_context_t *c)
{
    const sctpa_first_sack_t *first = c->receivers[c->from]->first;
    return first && first->has_pair && !(c->answer.owed.at_once & SCTPA_ARRIVED_FIRST) && sctpa_sack_is_for_pair(c);
}

/* After a single packet HS-020 says so. */
static bool is_first_overdue(const sctpa_context_t *c)
{
    return c->answer.owed.packets > 1 && is_overdue(c, SCTPA_ASKS_FIRST);
}

RULE(RX, 033,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS, .if_facts = NEWLY_ACKED,
    .report = { .one_defect = true, .covers = { COVERS(HS, 020) } },
    .accused = "receiver of the data",
    .clause = "RFC 9260 5.1",
    .title = "First DATA of the association not acknowledged at once",
    .quote = "After the reception of the first DATA chunk in an association, the endpoint MUST immediately respond "
        "with a SACK chunk to acknowledge the DATA chunk.",
    .why = "The first message waits for the SACK timer of the receiver: the first RTT is measured wrong, small "
        "exchanges stall.",
    .evidence = "The SACK for the first DATA came as late as this receiver's timer delays others (alike within 1/"
        SAY(SCTPA_WAITS_ALIKE_SHARE) ", at least " SAY(SCTPA_TIMER_KNOWN) " others); or it came right after a second "
        "packet with DATA, " SAY(SCTPA_PACKETS_APART_MS) " ms later or more, and later ones come after every second "
        "packet too. " OVERDUE_EVIDENCE,
    .doubt = "A busy host answers late by any time, not by that of its timer, nor just when a second packet comes. "
        "Were a SACK missing from the capture, the next would not come right after the second packet. DATA with COOKIE "
        "ECHO is not checked.");

static bool RX_033_applies(const sctpa_context_t *c)
{
    return sctpa_sack_compares_first(c) || is_paired_again(c) || is_first_overdue(c);
}

/* RFC 9260 5.1: "After the reception of the first DATA chunk in an association, the endpoint MUST immediately respond
 * with a SACK chunk" */
static bool RX_033_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_first_sack_t *first = c->receivers[c->from]->first;
    int64_t delay_ns = sctpa_sack_timer(c).delay_ns;
    if (is_first_overdue(c))
        return says_overdue(c, SCTPA_ASKS_FIRST, "a SACK for the first DATA at once", violation);
    if (is_paired_again(c)) {
        violation->related = first->packet;
        sctpa_violation_say(violation, "a SACK for the first DATA at once",
                            "it came after the second packet with DATA, as later ones after every second");
        return true;
    }
    if (!sctpa_sack_compares_first(c) || !sctpa_waits_are_alike(first->wait_ns, delay_ns))
        return false;
    violation->related = first->packet;
    sctpa_violation_say(violation, "the SACK for the first DATA at once",
                        SCTPA_WORDS("it came after %.1f ms, as long as later ones were delayed: %.1f ms",
                                    (double)first->wait_ns / 1e6, (double)delay_ns / 1e6));
    return true;
}

RULE(PR, 015,
    .level = SHOULD, .since = 3758, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(FORWARD_TSN) | ROW(I_FORWARD_TSN),
    .accused = "receiver of the FORWARD-TSN",
    .clause = "RFC 3758 3.6",
    .title = "FORWARD-TSN out of date not answered with SACK",
    .quote = "The receiver SHOULD send a SACK to its peer (the sender of the FORWARD TSN) since such a duplicate may "
        "indicate the previous SACK was lost in the network.",
    .why = "The sender repeats its FORWARD-TSN until something else makes the receiver acknowledge.",
    .evidence = SCTPA_OWED_EVIDENCE " The receiver had acknowledged its New Cumulative TSN. Any SACK or SHUTDOWN "
        "answers it: its SACK may be delayed like that for data.",
    .doubt = SCTPA_OWED_DOUBT);

static sctpa_duplicates_t counted(const sctpa_receiver_t *receiver)
{
    return receiver->duplicates ? *receiver->duplicates : (sctpa_duplicates_t){ .is_owed = false };
}

RULE(RX, 014,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .span = SCTPA_SPAN_EVIDENCE,
    .when = PACKET, .of = OF_EACH, .on = SACK_ROWS | DATA_ROWS, .if_facts = DUPLICATES_OWED,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "Packet of duplicates not answered at once",
    .quote = "When a packet arrives with duplicate DATA chunk(s) and with no new DATA chunk(s), the endpoint MUST "
        "immediately send a SACK chunk with no delay.",
    .why = "Duplicates mean that the SACK was lost: without a new one the sender times out again.",
    .evidence = "All TSNs of a packet had been acknowledged by the receiver's own SACKs, and no SACK came before the "
        "next packet with DATA (" SAY(SCTPA_PACKETS_APART_MS) " ms later or more), or within " SAY(SCTPA_SACK_LATE_MS)
        " ms. At least " SAY(DUPLICATES_UNANSWERED) " times, and more often than one was answered while no gap "
        "was open. Or the SACK came alone in a packet, as late as this receiver's delayed SACKs do, "
        SAY(LATE_SACKS_REPORTED) " times. " OVERDUE_EVIDENCE " A frame that stands in the capture twice came twice, "
        "where a SACK stands between.",
    .doubt = "A packet may be lost between capture point and receiver: checked only when nearly nothing else was lost, "
        "or when the timer shows that it arrived. Packets with other chunks, a bad checksum or AUTH are not checked.");

static bool RX_014_applies(const sctpa_context_t *c)
{
    return c->accused == c->from
               ? sctpa_sack_on_duplicate(c) != SCTPA_NO_LONE_DUPLICATE || is_overdue(c, SCTPA_ASKS_DUPLICATES)
               : sctpa_receiver_ignores_duplicate(c, c->accused);
}

/* RFC 9260 6.2: "When a packet arrives with duplicate DATA chunk(s) and with no new DATA chunk(s), the endpoint MUST
 * immediately send a SACK chunk with no delay." Who set up another association since may have lost this one. */
static bool RX_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_receiver_t *receiver = c->receivers[c->accused];
    const sctpa_duplicates_t duplicates = counted(receiver);
    const sctpa_sack_owed_t owed = sctpa_receiver_owes(c, receiver);
    const double waited_ms = (double)owed.waited_ns / 1e6;
    if (c->accused == c->from &&
        says_overdue(c, SCTPA_ASKS_DUPLICATES, "a SACK at once: all TSNs of the packet had been acknowledged",
                     violation))
        return true;
    sctpa_duplicate_answer_t answer = c->accused == c->from ? sctpa_sack_on_duplicate(c) : SCTPA_DUPLICATE_IGNORED;
    bool is_delayed = answer == SCTPA_DUPLICATE_DELAYED && duplicates.delayed + 1 >= LATE_SACKS_REPORTED;
    bool is_ignored = answer == SCTPA_DUPLICATE_IGNORED && duplicates.ignored + 1 >= DUPLICATES_UNANSWERED &&
                      duplicates.ignored + 1 > duplicates.answered && sctpa_receiver_is_reached(receiver);
    if (!is_delayed && !is_ignored) {
        is_ignored = answer != SCTPA_NO_LONE_DUPLICATE && answer != SCTPA_DUPLICATE_ANSWERED &&
                     sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) && sctpa_earlier_is_latest(c) &&
                     sctpa_context_least_ns(c, owed.waited_ns) > sctpa_receiver_patience_ns(c, c->accused, late_ns);
        violation->rests_on = is_ignored ? SCTPA_ASSERTED_ARRIVED : 0;
    }
    if (!is_delayed && !is_ignored)
        return false;
    violation->related = owed.since_packet;
    if (is_delayed)
        sctpa_violation_say(violation,
                            SCTPA_WORDS("a SACK at once: TSN %u had been acknowledged", receiver->wait.first_tsn),
                            SCTPA_WORDS("it came after %.1f ms, by the timer of delayed SACKs (%.1f ms)", waited_ms,
                                        (double)receiver->timer_ns / 1e6));
    if (is_ignored)
        sctpa_violation_say(violation,
                            SCTPA_WORDS("a SACK at once: TSN %u had been acknowledged", receiver->wait.first_tsn),
                            SCTPA_WORDS("none within %.1f ms; %u packets of duplicates not answered, %u answered",
                                        waited_ms, duplicates.ignored + 1, duplicates.answered));
    return true;
}

RULE(RX, 015,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS, .if_facts = DUPLICATES_OWED,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "Duplicate TSN not reported",
    .quote = "The duplicate TSN number(s) SHOULD be reported in the SACK chunk as duplicate.",
    .why = "The sender cannot tell that its retransmissions were needless, nor that SACKs are lost.",
    .evidence = "A TSN that the receiver had acknowledged came again, a later packet is acknowledged, and no SACK up "
        "to then lists any duplicate. At least " SAY(DUPLICATES_UNANSWERED) " times, and more than "
        SAY(UNLISTED_PER_LISTED) " times as often as one was listed. Or duplicates alone came, and the SACK for "
        "them, as late as this receiver's delayed SACKs, lists none, " SAY(LATE_SACKS_REPORTED) " times. Where the "
        "capture is asserted to be complete and taken at the receiver, once is enough, also of a TSN that came and was "
        "not yet acknowledged, and by the SACK that nothing but the duplicate can have caused.",
    .doubt = "The packet may have been lost between capture point and receiver: checked only when nearly nothing else "
        "was lost, or when the timer shows that it arrived. Any duplicate listed counts as a report.");

static bool RX_015_applies(const sctpa_context_t *c)
{
    return sctpa_sack_settles_duplicate(c) || sctpa_sack_on_duplicate(c) == SCTPA_DUPLICATE_DELAYED;
}

/* RFC 9260 6.2: "The duplicate TSN number(s) SHOULD be reported in the SACK chunk as duplicate." */
static bool RX_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_receiver_t *receiver = c->receivers[c->from];
    const sctpa_duplicates_t duplicates = counted(receiver);
    if (c->facts & SCTPA_FACT_DUPLICATE_TSNS)
        return false;
    /* this SACK has no other cause than duplicates, which the timer shows to have arrived */
    if (sctpa_sack_on_duplicate(c) == SCTPA_DUPLICATE_DELAYED &&
        duplicates.delayed_unlisted + 1 >= LATE_SACKS_REPORTED) {
        violation->related = c->answer.owed.since_packet;
        sctpa_violation_say(violation, "the duplicate in the list of duplicate TSNs",
                            SCTPA_WORDS("none listed by the SACK for TSN %u, which had been acknowledged; %u times",
                                        receiver->wait.first_tsn, duplicates.delayed_unlisted + 1));
        return true;
    }
    bool is_habit = duplicates.unlisted + 1 >= DUPLICATES_UNANSWERED &&
                    duplicates.unlisted + 1 > UNLISTED_PER_LISTED * duplicates.listed &&
                    sctpa_receiver_is_reached(receiver);
    if (!sctpa_sack_settles_duplicate(c) || (!is_habit && !sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED)))
        return false;
    violation->rests_on = is_habit ? 0 : SCTPA_ASSERTED_ARRIVED;
    violation->related = duplicates.owed_packet;
    sctpa_violation_say(violation, "the duplicate in the list of duplicate TSNs",
                        SCTPA_WORDS("none listed by the SACK after it; %u times, listed %u times",
                                    duplicates.unlisted + 1, duplicates.listed));
    return true;
}

RULE(RX, 016,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = CHUNK, .of = OF_SENDER, .on = SACK_ROWS, .if_facts = DUPLICATE_TSNS,
    .report = { .from = DUPLICATES_UNSEEN, .at_once_if = IF_COMPLETE | IF_TAKEN_AT },
    .accused = "receiver of the data",
    .clause = "RFC 9260 3.3.4",
    .title = "More duplicates reported than passed",
    .quote = "This field contains the number of duplicate TSNs the endpoint has received.",
    .why = "Senders that undo retransmissions by these reports are misled; or the network duplicates packets between "
        "capture point and receiver.",
    .evidence = "SACKs listed a TSN as duplicate as often as it passed the capture point, or more often, though its "
        "first transmission is no duplicate. Reported when it happened at least " SAY(DUPLICATES_UNSEEN) " "
        "times.",
    .doubt = "The network is as likely to duplicate packets between capture point and receiver: therefore a note. TSNs "
        "that FORWARD-TSN skipped are exempt; where packets came twice at once, and may have been captured twice, "
        "nothing is said.");

static bool RX_016_applies(const sctpa_context_t *c)
{
    sctpa_sack_t sack;
    return c->tracked->rare->twice_at_once == 0 && sctpa_sack_is(c, SCTPA_SACK_SINGLE) &&
           sctpa_sack_parse(&c->chunk->tlv, &sack) && sack.n_duplicates > 0;
}

/* RFC 9260 3.3.4: "This field contains the number of duplicate TSNs the endpoint has received." */
static bool RX_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_sack_t sack;
    sctpa_sack_parse(&c->chunk->tlv, &sack);
    for (uint32_t i = 0; i < MIN(sack.n_duplicates, DUPLICATES_LOOKED_AT); i++) {
        uint32_t tsn = sctpa_be32(sack.duplicates + i * 4);
        const sctpa_tsn_t *found = sctpa_receiver_tsn(c, c->from, tsn);
        if (!found || found->duplicates < found->transmissions ||
            sctpa_context_unwrap(c->acked, tsn) <= c->acked->rare->abandoned_to)
            continue;
        violation->related = found->first_packet;
        sctpa_violation_say(violation, "duplicates that were sent more than once",
                            SCTPA_WORDS("TSN %u is reported as duplicate %u times and passed %u times", tsn,
                                        found->duplicates, found->transmissions));
        return true;
    }
    return false;
}

RULE(RX, 012,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS, .if_facts = NEWLY_ACKED,
    .report = { .one_defect = true, .once = true },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "Fewer SACKs than one for every two packets",
    .quote = "an acknowledgement SHOULD be generated for at least every second packet (not every second DATA chunk) "
        "received",
    .why = "cwnd grows more slowly, and the sender sends in bursts.",
    .evidence = SAY(SACKS_SPARSE) " SACKs answered three packets or more, which came " SAY(SCTPA_PACKETS_APART_MS)
        " ms or more apart with no hole open; " SAY(SPARSE_PER_DENSE) " times as many as those that answered one "
        "or two. Reported once. " OVERDUE_EVIDENCE,
    .doubt = "Packets that were queued together before the host ran are not " SAY(SCTPA_PACKETS_APART_MS) " ms apart. "
        "The rate may be configured (SCTP_DELAYED_SACK): then the finding reports that configuration.");

static bool RX_012_applies(const sctpa_context_t *c)
{
    return sctpa_sack_is_without_hole(c) || is_overdue(c, SCTPA_ASKS_SECOND);
}

/* RFC 9260 6.2: "an acknowledgement SHOULD be generated for at least every second packet (not every second DATA chunk)
 * received" */
static bool RX_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_receiver_t *own = c->receivers[c->from];
    uint32_t sparse = own->sacks_sparse + 1;
    if (says_overdue(c, SCTPA_ASKS_SECOND, "a SACK for the second packet with DATA", violation))
        return true;
    if (!sctpa_sack_is_sparse(c) || sparse < SACKS_SPARSE || sparse <= SPARSE_PER_DENSE * own->sacks_dense)
        return false;
    violation->related = own->wait.first_packet;
    sctpa_violation_say(
        violation, "a SACK for every second packet with DATA",
        SCTPA_WORDS(
            "one for %u packets, each %.1f ms or more after the one before; %u SACKs like it, %u for one or two",
            own->wait.packets, (double)own->wait.least_gap_ns / 1e6, sparse, own->sacks_dense));
    return true;
}

/* Did the SACK right before this one open the window? This one may be the update that it was made for as well. */
static bool may_follow_update(const sctpa_context_t *c)
{
    const uint32_t number = c->first_sack->sack;
    const uint32_t a_rwnd_bytes = number > 2
                                      ? SCTPA_RECORD(&c->acked->sacks, sctpa_sack_record_t, number - 3).a_rwnd_bytes
                                      : c->assoc->ends[c->from].init.a_rwnd_bytes;
    return c->answer.before->a_rwnd_bytes > a_rwnd_bytes &&
           sctpa_context_least_since_ns(c, c->answer.before->packet) <= SCTPA_UPDATES_BURST_MS * SCTPA_NS_PER_MS;
}

/* The SACK is alone in its packet and says nothing new, where all that came to its sender is known; elsewhere it is the
 * last of SACKS_REPEATED of these. */
static bool is_repeated(const sctpa_context_t *c)
{
    const uint32_t news = SCTPA_FACT_NEWLY_ACKED | SCTPA_FACT_DUPLICATE_TSNS;
    uint32_t first;
    return sctpa_sack_is(c, SCTPA_SACK_ALONE) && !(c->facts & news) && c->answer.before &&
           c->sack.cum_tsn == c->answer.before->cum_tsn &&
           (sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) || sctpa_sack_silent(c, &first) >= SACKS_REPEATED) &&
           !may_follow_update(c);
}

/* Packets that a SACK of this packet may answer. Those that a SACK took with others have their own right after it, if
 * any, as packets that were queued together are answered together. */
static unsigned unanswered_packets(const sctpa_context_t *c)
{
    const sctpa_receiver_t *own = c->receivers[c->from];
    bool is_answered =
        c->answer.before && sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) &&
        sctpa_context_least_since_ns(c, c->answer.before->packet) > sctpa_receiver_patience_ns(c, c->from, apart_ns);
    return own->packets_fresh + (is_answered ? 0u : own->packets_left);
}

/* A SACK chunk of the packet updates the window: its a_rwnd is higher than that of the chunk before it; the first one,
 * only where it has the Cumulative TSN Ack of the SACK before. */
static bool updates_window(const sctpa_context_t *c)
{
    sctpa_sack_t sack;
    if (c->answer.before && sctpa_sack_is(c, SCTPA_SACK_OPENS) && c->sack.cum_tsn == c->answer.before->cum_tsn)
        return true;
    for (const sctpa_observed_t *at = c->first_sack + 1; at < c->chunks + c->n_chunks; at++)
        if (at->sack > 0 && sctpa_sack_parse(&at->tlv, &sack) &&
            sack.a_rwnd > sctpa_observed_sack_before(at, c->acked)->a_rwnd_bytes)
            return true;
    return false;
}

RULE(RX, 013,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = SETUP | BOTH | COMPLETE | NEAR | WHOLE,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS,
    .report = { .from = SACK_CROWDS_REPORTED, .at_once_if = IF_COMPLETE, .one_defect = true },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "More SACK chunks than packets received",
    .quote = "An SCTP receiver MUST NOT generate more than one SACK chunk for every incoming packet, other than to "
        "update the offered window",
    .why = "Each SACK counts as a report of its own: miss indications add up and data is retransmitted too early.",
    .evidence = "A packet holds several SACK chunks, more than the packets of any kind that reached the receiver and "
        "that no SACK had answered. Packets that came before a SACK that covered all still count once. Reported when "
        "it happened at least " SAY(SACK_CROWDS_REPORTED) " times. Where the capture is asserted to be complete "
        "and taken at the receiver, one SACK counts as well: alone in its packet, with nothing new, though no packet "
        "came since all was acknowledged; elsewhere, near the receiver, most likely the third of these in a row.",
    .doubt = "A chunk whose a_rwnd is higher than the one before it updates the window: the packet is not counted, nor "
        "is a SACK alone that lists duplicates, or follows within " SAY(SCTPA_UPDATES_BURST_MS) " ms one that opened "
        "the window, since it may be the update that this anticipated. Where a SACK took several packets, each of them "
        "may have one of its own within " SAY(SCTPA_PACKETS_APART_MS) " ms. One packet that the capture missed cannot "
        "explain it " SAY(SACK_CROWDS_REPORTED) " times. Where packets came twice at once, the network may have "
        "doubled them: not checked.");

static bool RX_013_applies(const sctpa_context_t *c)
{
    return c->tracked->rare->twice_at_once == 0 && sctpa_sack_is(c, SCTPA_SACK_SINGLE) &&
           (c->n_sacks > 1 || is_repeated(c));
}

/* RFC 9260 6.2: "An SCTP receiver MUST NOT generate more than one SACK chunk for every incoming packet" */
static bool RX_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const unsigned packets = unanswered_packets(c);
    if (c->n_sacks <= packets || updates_window(c))
        return false;
    violation->related = c->answer.before ? c->answer.before->packet : SCTPA_NO_PACKET_INDEX;
    if (c->n_sacks == 1 && !sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED))
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    else if (c->n_sacks == 1)
        violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    if (c->n_sacks == 1)
        sctpa_violation_say(violation, "no SACK: each packet that came had been answered by one",
                            "a SACK that does not raise a_rwnd");
    else
        sctpa_violation_say(
            violation, SCTPA_WORDS("at most %u SACK chunks, one for each packet that no SACK had answered", packets),
            SCTPA_WORDS("%u SACK chunks, none after the first with a larger a_rwnd", c->n_sacks));
    return true;
}

RULE(RX, 019,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS, .if_facts = NEWLY_ACKED,
    .accused = "receiver of the data",
    .clause = "RFC 9260 7.2.4",
    .title = "Not every packet acknowledged while a hole is open",
    .quote = "it SHOULD start sending a SACK chunk back every time a packet arrives carrying data until the hole is "
        "filled",
    .why = "Miss indications come half as fast, and fast retransmission late or not at all.",
    .evidence = "A hole was reported and stays open; two packets, " SAY(SCTPA_PACKETS_APART_MS) " ms apart or more, "
        "are answered by one SACK right after the second. " SAY(HOLES_PAIRED) " times, and more often than "
        "packets had a SACK of their own.",
    .doubt = "Packets that were queued together before the host ran are not " SAY(SCTPA_PACKETS_APART_MS) " ms apart; "
        "a capture does not miss SACKs more often than it holds them.");

static bool RX_019_applies(const sctpa_context_t *c)
{
    return sctpa_sack_is_above_hole(c);
}

/* RFC 9260 7.2.4: "it SHOULD start sending a SACK chunk back every time a packet arrives carrying data until the hole
 * is filled" */
static bool RX_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_receiver_t *own = c->receivers[c->from];
    uint32_t paired = own->holes_paired + 1;
    if (!sctpa_sack_pairs_above_hole(c) || paired < HOLES_PAIRED || paired <= own->holes_answered)
        return false;
    violation->related = own->wait.first_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("a SACK for each packet while TSN %u is missing", c->sack.cum_tsn + 1),
                        SCTPA_WORDS("one for two packets %.1f ms apart; %u times, %u packets had their own",
                                    (double)own->wait.least_gap_ns / 1e6, paired, own->holes_answered));
    return true;
}

RULE(RX, 034,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = SETUP | BOTH | COMPLETE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "More SACKs than packets, or gaps not reported",
    .quote = "The SCTP endpoint MUST report as many Gap Ack Blocks as can fit in a single SACK chunk",
    .why = "The sender cannot know what is missing: it waits for its timer.",
    .evidence = "More than " SAY(SCTPA_SACKS_SILENT) " SACKs in a row, each alone in its packet, say the same: no gap "
        "block, no duplicate, no higher a_rwnd, and all that is outstanding fits in it. A packet asked for each of "
        "them, whose DATA they do not report, or none did: \"An SCTP receiver MUST NOT generate more than one SACK "
        "chunk for every incoming packet\". One of both is violated; which one is not visible.",
    .doubt = "DATA that was acknowledged and comes again asks for a SACK, and need not be listed: one SACK more for "
        "each chunk that was retransmitted. A few packets that the network doubled explain no more than "
        SAY(SCTPA_SACKS_SILENT) " SACKs: proven where there are more than if it had doubled every packet. Not checked "
        "after a FORWARD-TSN, nor after a RE-CONFIG, which asks for a SACK as well (RFC 6525 5.2.1), nor of endpoints "
        "with several addresses.");

static bool RX_034_applies(const sctpa_context_t *c)
{
    uint32_t first;
    return sctpa_sack_silent(c, &first) > 0;
}

/* RFC 9260 6.2: "MUST NOT generate more than one SACK chunk for every incoming packet", "MUST report as many Gap Ack
 * Blocks as can fit". What came again asks for a SACK as well. */
static bool RX_034_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t first = 0;
    const unsigned silent = sctpa_sack_silent(c, &first);
    const int64_t above = c->acked->highest - sctpa_context_unwrap(c->acked, c->sack.cum_tsn),
                  explained = SCTPA_SACKS_SILENT + (int64_t)c->acked->rare->rtx.len;
    if (silent <= explained || above > UINT16_MAX) /* which no gap block reaches */
        return false;
    violation->since = violation->related = first;
    if (silent <= explained + c->acked->highest + 1)
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, "gap blocks of what came, or no SACK where nothing came",
                        SCTPA_WORDS("%u SACKs in a row acknowledge TSN %u and nothing above, at a_rwnd %u", silent,
                                    c->sack.cum_tsn, c->sack.a_rwnd));
    return true;
}

RULE(RX, 022,
    .level = HEURISTIC, .since = 2960, .seeing = MUST_HAVE, .needs = BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS, .if_facts = NEWLY_ACKED,
    .report = { .from = SACKS_ASTRAY, .at_once_if = IF_COMPLETE | IF_TAKEN_AT },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.7",
    .title = "SACK to another address than the DATA came from",
    .quote = "the SCTP endpoint SHOULD always try to send the SACK chunk to the same destination address from which "
        "the last DATA chunk was received",
    .why = "The RTT of a path is measured over two paths, and one path fails because of the other.",
    .evidence = "One packet with DATA came since the last SACK, and the SACK that acknowledges it goes to another "
        "address of the sender. " SAY(SACKS_ASTRAY) " times, or once where the capture is asserted to be complete and "
        "taken at the receiver.",
    .doubt = "Receivers must avoid addresses that are unconfirmed, failed or being deleted, which the capture shows "
        "only in part: a note. Nothing may be missing since the receiver's last answered "
        "HEARTBEAT to the address that it avoids. Duplicates are exempt (6.4).");

static bool RX_022_applies(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_FOLLOWED | SCTPA_SACK_ALONE | SCTPA_SACK_FIRST_ONCE) &&
           c->answer.owed.packets == 1 && c->receivers[c->from]->wait.first_path != SCTPA_NO_PATH;
}

/* RFC 9260 6.7: "SHOULD always try to send the SACK chunk to the same destination address from which the last DATA
 * chunk was received" */
static bool RX_022_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint16_t avoided = c->receivers[c->from]->wait.first_path;
    if (avoided == c->path)
        return false;
    const sctpa_heartbeats_t *heartbeats = sctpa_heartbeats(c, c->from, avoided);
    violation->path = c->path;
    violation->related = c->answer.owed.since_packet;
    if (heartbeats && !heartbeats->is_open)
        violation->since = heartbeats->answered_packet;
    sctpa_violation_say(violation, "a SACK to the address from which the DATA came", "to another one");
    return true;
}

/* Where the SACK before this one went. */
static uint16_t path_before(const sctpa_context_t *c)
{
    return sctpa_context_record(c, c->answer.before->packet)->path;
}

/* Nothing speaks against the path, as far as the capture shows what its sender knows of it, and packets of the peer
 * from there pass the tap. */
static bool is_sound(const sctpa_context_t *c, uint16_t path)
{
    const sctpa_heartbeats_t *heartbeats = sctpa_heartbeats(c, c->from, path);
    const sctpa_end_t *own = &c->assoc->ends[c->from];
    const uint32_t wanted = SCTPA_ADDR_SOURCE, looked_at = wanted | SCTPA_ADDR_DELETED;
    return path < MIN(own->n_paths, SCTPA_PATHS_KEPT) &&
           !(heartbeats && (heartbeats->is_open || heartbeats->unanswered > 0)) &&
           sctpa_path_is_confirmed(c, c->from, path) != SCTPA_NO &&
           (sctpa_context_addr_origin(c, !c->from, own->paths[path].destination) & looked_at) == wanted;
}

RULE(RX, 023,
    .level = SHOULD, .since = 9260, .seeing = MUST_HAVE, .needs = BOTH | COMPLETE | NEAR | UNTRANSLATED,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS, .if_facts = NEWLY_ACKED,
    .report = { .from = SACKS_VARIED, .in_a_row = true, .covers = { COVERS(RX, 022) } },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.4",
    .title = "SACKs vary their destination address",
    .quote = "an endpoint SHOULD NOT vary the destination transport address of a SACK chunk when it receives DATA "
        "chunks coming from the same source address",
    .why = "SACKs overtake each other, and the RTT of a path is measured over others: the sender retransmits too early "
        "or too late.",
    .evidence = "All packets of the sender come from one address, its DATA chunks are first transmissions, and "
        SAY(SACKS_VARIED) " SACKs in a row, each alone in its packet, go to another address than the SACK before "
        "it.",
    .doubt = "An endpoint that leaves a failed path or changes its primary path does so once, not with every SACK. A "
        "SACK does not count where duplicates or retransmissions came (6.4 allows it then), where a HEARTBEAT of the "
        "receiver waits for its answer or got none, where an address is not confirmed, or where no packet from it was "
        "captured. None counts once the receiver has retransmitted data, or ASCONF or ICMP errors passed.");

/* As long as nothing shows that an address failed or changed: data of the receiver's own that it retransmitted, ICMP
 * errors, ASCONF. */
static bool RX_023_applies(const sctpa_context_t *c)
{
    return c->receivers[c->from]->one_source_sacks >= 2 && c->answer.before && sctpa_sack_is_of_new_data(c) &&
           c->assoc->ends[!c->from].n_addrs > 1 && !(c->sent && c->sent->rare->rtx.len > 0) &&
           !c->tracked->rare->icmp_seen && !sctpa_context_chunks(c, 0, SCTPA_CHUNK_ROW_ASCONF) &&
           !sctpa_context_chunks(c, 1, SCTPA_CHUNK_ROW_ASCONF);
}

/* RFC 9260 6.4: "an endpoint SHOULD NOT vary the destination transport address of a SACK chunk when it receives DATA
 * chunks coming from the same source address" */
static bool RX_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (path_before(c) == c->path || !is_sound(c, c->path) || !is_sound(c, path_before(c)))
        return false;
    violation->path = c->path;
    violation->related = c->answer.before->packet;
    sctpa_violation_say(
        violation, "SACKs to one address, while DATA comes from one address",
        SCTPA_WORDS("each of %u SACKs in a row to another address than the one before it", SACKS_VARIED));
    return true;
}

/* "SHOULD be generated within 200 ms of the arrival of any unacknowledged DATA chunk"; "MUST NOT ... more than 500 ms"
 */
RULE(RX, 035,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = DATA_ROWS,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2, 5.1, 6.7",
    .title = "DATA not acknowledged in time",
    .quote = "MUST NOT raise it above 500 ms",
    .why = "The sender waits, and retransmits what has arrived.",
    .evidence = SCTPA_COUNTED_EVIDENCE " A SHUTDOWN acknowledges as well.",
    .doubt = SCTPA_OWED_DOUBT " Data behind an unknown chunk that says to stop is not owed a SACK.");

RULE(RX, 036,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS,
    .accused = "sender of the SACK",
    .clause = "RFC 9260 3.2",
    .title = "DATA behind an unknown chunk that says to stop was taken",
    .quote = "Stop processing this SCTP packet and discard the unrecognized chunk and all further chunks.",
    .why = "An extension that changes what follows is read as if it were not there.",
    .evidence = SCTPA_ARRIVED_EVIDENCE "the SACK acknowledges a TSN "
        "that only came behind an unknown chunk whose type has the highest bit 0.",
    .doubt = "A chunk type that this program does not know may be known to the endpoint: probable.");

static bool RX_036_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

/* "Stop processing this SCTP packet and discard the unrecognized chunk and all further chunks." */
static bool RX_036_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t tsn, packet;
    if (!sctpa_obligations_unread(c, &tsn, &packet))
        return false;
    violation->related = packet;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u not acknowledged", tsn),
                        SCTPA_WORDS("Cumulative TSN Ack %u", c->sack.cum_tsn));
    return true;
}

RULE(RX, 037,
    .level = HEURISTIC, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS,
    .report = { .from = CLOSED_TAKEN, .in_a_row = true, .one_defect = true },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "DATA accepted at a closed window",
    .quote = "When the receiver's advertised window is 0, the receiver MUST drop any new incoming DATA chunk with a "
        "TSN larger than the largest TSN received so far.",
    .why = "The window is not what the receiver has room for: the sender creeps from probe to probe, though it might "
        "send.",
    .evidence = "The last SACK announced a_rwnd 0, one packet with a TSN above all before came, and the next SACK "
        "acknowledges it and announces 0 again: " SAY(CLOSED_TAKEN) " times in a row.",
    .doubt = "An application that reads no more than a chunk between two probes frees room that is too little to be "
        "announced: a note. An a_rwnd of 1 is not 0.");

static bool RX_037_applies(const sctpa_context_t *c)
{
    const sctpa_owed_sack_t *wait = &c->receivers[c->from]->wait;
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE) && c->answer.before && wait->packets == 1 &&
           wait->first_is & SCTPA_ARRIVED_CLOSED;
}

/* RFC 9260 6.2: "the receiver MUST drop any new incoming DATA chunk with a TSN larger than the largest TSN received so
 * far" */
static bool RX_037_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_owed_sack_t *wait = &c->receivers[c->from]->wait;
    if (!sctpa_sack_is(c, SCTPA_SACK_FIRST) || !sctpa_window_is_closed(c->sack.a_rwnd))
        return false;
    violation->related = wait->first_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u dropped: a_rwnd was 0", wait->first_tsn),
                        SCTPA_WORDS("acknowledged, with a_rwnd %u; %u times in a row", c->sack.a_rwnd, CLOSED_TAKEN));
    return true;
}

void sctpa_check_sacks(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(RX, 035, SACK);
        ASK_DUE(PR, 015, OLD_FORWARD_TSN);
        return;
    }
    ASK(RX, 001);
    ASK(RX, 003);
    ASK(RX, 004);
    ASK(RX, 005);
    ASK(RX, 006);
    ASK(RX, 007);
    ASK(RX, 009);
    ASK(RX, 010);
    ASK(RX, 011);
    ASK(RX, 012);
    ASK(RX, 013);
    ASK(RX, 014);
    ASK(RX, 015);
    ASK(RX, 016);
    ASK(RX, 018);
    ASK(RX, 019);
    ASK(RX, 020);
    ASK(RX, 022);
    ASK(RX, 023);
    ASK(RX, 026);
    ASK(RX, 029);
    ASK(RX, 033);
    ASK(RX, 034);
    ASK(RX, 036);
    ASK(RX, 037);
    sctpa_receiver_take(c);
}
