/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about what SACKs say: their Cumulative TSN Ack and gap blocks, by themselves, against the SACK before, and
 * against what arrived. Leaves out duplicates (check_sack_duplicates.c) and when SACKs come (check_sack_delay.c). */
#include "reference/receiver/sack_answers.h"
#include "rules/rule_functions.h"
#include "receiver_limits.h"

bool sctpa_RX_001_applies(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE) && sctpa_tap_sack_before(c->tracker, c->tracked, c->record, c->chunk);
}

/* RFC 9260 6.2.1 D i: "Since Cumulative TSN Ack is monotonically increasing" */
bool sctpa_RX_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_sack_record_t *before = sctpa_observed_sack_before(c->chunk, c->acked);
    if (!sctpa_tap_goes_back(&c->chunk->tlv, before))
        return false;
    violation->related = before->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("cum_tsn %u or higher", before->cum_tsn),
                        SCTPA_WORDS("cum_tsn %u", sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_SACK_CUM_TSN)));
    return true;
}

bool sctpa_RX_003_applies(const sctpa_context_t *c)
{
    return sctpa_tap_acked_ahead(&c->reference->tap, c->index) != SCTPA_NO_PACKET_INDEX &&
           sctpa_assoc_is_single_homed(c->assoc);
}

/* RFC 9260 3.3.4: "Any received DATA chunks with TSN greater than the value in the Cumulative TSN Ack field are
 * reported"
 */
bool sctpa_RX_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t sack = sctpa_tap_acked_ahead(&c->reference->tap, c->index);
    int64_t since_ns = c->packet->time_ns - sctpa_context_time_ns(c, sack);
    if (sctpa_context_least_ns(c, since_ns) <=
        sctpa_receiver_patience_ns(c, c->accused, SCTPA_ACKED_AHEAD_MS * SCTPA_NS_PER_MS))
        return false;
    violation->related = sack;
    sctpa_violation_say(violation, "gap blocks of what was received",
                        SCTPA_WORDS("a TSN that was sent for the first time %.1f ms later", (double)since_ns / 1e6));
    return true;
}

/* A whole SACK chunk with so many gap blocks. */
static bool has_blocks(const sctpa_context_t *c, uint32_t least)
{
    sctpa_sack_t sack;
    return c->chunk->tlv.fault == SCTPA_FAULT_NONE && sctpa_sack_parse(&c->chunk->tlv, &sack) && sack.complete &&
           sack.n_gaps >= least;
}

bool sctpa_RX_004_applies(const sctpa_context_t *c)
{
    return has_blocks(c, 1);
}

/* RFC 9260 3.3.4: "the next TSN value following this one has not yet been received at the endpoint sending the SACK
 * chunk" */
bool sctpa_RX_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

bool sctpa_RX_005_applies(const sctpa_context_t *c)
{
    return has_blocks(c, 2);
}

/* RFC 9260 3.3.4: "The Gap Ack Blocks SHOULD be isolated." */
bool sctpa_RX_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

bool sctpa_RX_006_applies(const sctpa_context_t *c)
{
    return has_blocks(c, 2);
}

/* RFC 9260 6.7: "MUST report the Gap Ack Blocks from the lowest to highest TSNs" */
bool sctpa_RX_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

/* The SACK before this one (*sack), where it had gap blocks that this one must still report; NULL: it had none. */
static const sctpa_sack_record_t *before_with_blocks(const sctpa_context_t *c, sctpa_sack_t *sack)
{
    const sctpa_sack_record_t *before =
        sctpa_sack_is(c, SCTPA_SACK_SINGLE) ? sctpa_observed_sack_before(c->chunk, c->acked) : NULL;
    if (!before || sctpa_sack_first_gap(c->acked, before) == 0 || c->receivers[c->from]->sends_nr_sacks ||
        c->rows & SCTPA_ROW(NR_SACK) || !sctpa_sack_parse(&c->chunk->tlv, sack))
        return NULL;
    bool may_revoke = MIN(before->a_rwnd_bytes, sack->a_rwnd) < SCTPA_WINDOW_SCARCE_BYTES;
    bool goes_back = sctpa_serial_distance(before->cum_tsn, sack->cum_tsn) < 0;
    return sack->complete && !may_revoke && !goes_back ? before : NULL;
}

bool sctpa_RX_009_applies(const sctpa_context_t *c)
{
    sctpa_sack_t sack;
    return before_with_blocks(c, &sack);
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

/* RFC 9260 6.2: "An endpoint SHOULD NOT revoke a SACK chunk and discard data." */
bool sctpa_RX_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_sack_t sack;
    const sctpa_sack_record_t *before = before_with_blocks(c, &sack);
    uint32_t tsn = before->cum_tsn + (sctpa_sack_first_gap(c->acked, before) >> 16);
    uint32_t highest = sack.n_gaps > 0 ? sack.cum_tsn + sctpa_sack_block(&sack, sack.n_gaps - 1).end : sack.cum_tsn;
    bool is_cut = sack.n_gaps > 0 && sctpa_serial_distance(highest, tsn) > 0;
    if (is_cut || sctpa_sack_reports(&sack, tsn))
        return false;
    violation->related = before->packet;
    violation->is_certain = reports_more(c, &sack, before);
    sctpa_violation_say(
        violation, SCTPA_WORDS("TSN %u, gap-acked before, in a gap block or below the cum_tsn", tsn),
        SCTPA_WORDS("cum_tsn %u, %u gap blocks without it, a_rwnd %u", sack.cum_tsn, sack.n_gaps, sack.a_rwnd));
    return true;
}

/* The SACK leaves something out, or one before did. */
static bool has_hole(const sctpa_context_t *c)
{
    const sctpa_left_out_t *left_out = c->receivers[c->from]->left_out;
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE) && (c->sack.n_gaps > 0 || (left_out && left_out->is_waiting));
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

bool sctpa_RX_007_applies(const sctpa_context_t *c)
{
    return has_hole(c);
}

/* RFC 9260 6.2: "MUST report as many Gap Ack Blocks as can fit in a single SACK chunk" */
bool sctpa_RX_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return left_out(c, false, violation);
}

bool sctpa_RX_029_applies(const sctpa_context_t *c)
{
    return has_hole(c);
}

/* RFC 9260 6.2: "MUST fill in the Cumulative TSN Ack field to indicate the latest sequential TSN (of a valid DATA
 * chunk) it has received" */
bool sctpa_RX_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return left_out(c, true, violation);
}
