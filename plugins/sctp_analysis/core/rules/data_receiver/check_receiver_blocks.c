/* Judges what SACKs say: their gap blocks, and what was said before and arrived. Leaves when they come to
 * check_receiver_delay.c. */
#include "check_receiver.h"

enum { HOLES_LOOKED_AT = 4, DUPLICATES_LOOKED_AT = 16 };

typedef struct {
    uint16_t start, end;
} block_t;

static block_t block_at(const sctpa_sack_t *sack, uint32_t i)
{
    return (block_t){ sctpa_be16(sack->gaps + i * 4), sctpa_be16(sack->gaps + i * 4 + 2) };
}

/* RFC 9260 3.3.4: "the next TSN value following this one has not yet been received at the endpoint sending the SACK
 * chunk" */
static void check_block(sctpa_context_t *c, const sctpa_sack_t *sack, uint32_t i)
{
    block_t block = block_at(sack, i);
    if (block.start >= 2 && block.start <= block.end)
        return;
    sctpa_accuse(c, SCTPA_RULE_RX_004, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                 "2 <= start <= end in each gap block",
                 SCTPA_WORDS("block %u of %u is %u to %u", i + 1, sack->n_gaps, block.start, block.end));
}

static sctpa_words_t describe(const sctpa_sack_t *sack, uint32_t i)
{
    block_t before = block_at(sack, i - 1), block = block_at(sack, i);
    return sctpa_words("block %u is %u to %u, block %u is %u to %u", i, before.start, before.end, i + 1, block.start,
                       block.end);
}

/* RFC 9260 3.3.4: "The Gap Ack Blocks SHOULD be isolated."
 * RFC 9260 6.7: "MUST report the Gap Ack Blocks from the lowest to highest TSNs" */
static void check_pair(sctpa_context_t *c, const sctpa_sack_t *sack, uint32_t i)
{
    block_t before = block_at(sack, i - 1), block = block_at(sack, i);
    bool is_order_judged = sctpa_may_judge(c, SCTPA_RULE_RX_006, c->from);
    bool is_distance_judged = sctpa_may_judge(c, SCTPA_RULE_RX_005, c->from);
    if (before.start > before.end || block.start > block.end)
        return;
    if (block.start < before.start && is_order_judged)
        sctpa_accuse(c, SCTPA_RULE_RX_006, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "each block above the one before it", describe(sack, i).text);
    else if (block.start >= before.start && block.start <= before.end + 1 && is_distance_judged)
        sctpa_accuse(c, SCTPA_RULE_RX_005, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     SCTPA_WORDS("block %u starts at %u or above", i + 1, before.end + 2u), describe(sack, i).text);
}

void sctpa_check_blocks(sctpa_context_t *c, const sctpa_tlv_t *chunk, const sctpa_sack_t *sack)
{
    if (chunk->type != SCTPA_CHUNK_SACK || sack->n_gaps == 0 || chunk->fault != SCTPA_FAULT_NONE || !sack->complete)
        return;
    bool is_judged = sctpa_may_judge(c, SCTPA_RULE_RX_004, c->from);
    for (uint32_t i = 0; i < sack->n_gaps; i++) {
        if (is_judged)
            check_block(c, sack, i);
        if (i > 0)
            check_pair(c, sack, i);
    }
}

/* RFC 9260 6.2.1 D i: "Since Cumulative TSN Ack is monotonically increasing" */
static void check_cum_tsn(sctpa_context_t *c, const sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    if (receiver->sack_packet == SCTPA_NO_PACKET_INDEX ||
        g_array_index(c->tracker->records, sctpa_record_t, receiver->sack_packet).path != c->path)
        return;
    bool goes_back = sctpa_serial_distance(receiver->cum_tsn, sack->cum_tsn) < 0;
    if (sctpa_may_judge(c, SCTPA_RULE_RX_001, c->from) && goes_back)
        sctpa_accuse(c, SCTPA_RULE_RX_001, c->from, SCTPA_NO_PATH, receiver->sack_packet,
                     SCTPA_WORDS("cum_tsn %u or higher", receiver->cum_tsn), SCTPA_WORDS("cum_tsn %u", sack->cum_tsn));
}

static bool reports(const sctpa_sack_t *sack, uint32_t tsn)
{
    int64_t offset = sctpa_serial_distance(sack->cum_tsn, tsn);
    if (offset <= 0)
        return true;
    for (uint32_t i = 0; i < sack->n_gaps; i++)
        if (offset >= block_at(sack, i).start && offset <= block_at(sack, i).end)
            return true;
    return false;
}

/* RFC 9260 6.2: "An endpoint SHOULD NOT revoke a SACK chunk and discard data." */
static void check_reneging(sctpa_context_t *c, const sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    if (!receiver->has_block || receiver->sends_nr_sacks || !sack->complete ||
        receiver->a_rwnd_bytes < SCTPA_WINDOW_SCARCE_BYTES || sack->a_rwnd < SCTPA_WINDOW_SCARCE_BYTES ||
        sctpa_serial_distance(receiver->cum_tsn, sack->cum_tsn) < 0 || !sctpa_may_judge(c, SCTPA_RULE_RX_009, c->from))
        return;
    uint32_t tsn = receiver->first_block_tsn;
    uint32_t highest = sack->n_gaps > 0 ? sack->cum_tsn + block_at(sack, sack->n_gaps - 1).end : sack->cum_tsn;
    bool is_cut = sack->n_gaps > 0 && sctpa_serial_distance(highest, tsn) > 0;
    if (reports(sack, tsn) || is_cut)
        return;
    sctpa_accuse(
        c, SCTPA_RULE_RX_009, c->from, SCTPA_NO_PATH, receiver->sack_packet,
        SCTPA_WORDS("TSN %u, gap-acked before, in a gap block or below the cum_tsn", tsn),
        SCTPA_WORDS("cum_tsn %u, %u gap blocks without it, a_rwnd %u", sack->cum_tsn, sack->n_gaps, sack->a_rwnd));
}

/* RFC 9260 3.3.4: "This field contains the number of duplicate TSNs the endpoint has received." */
static void check_duplicate_list(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    if (sack->n_duplicates == 0 || !sctpa_may_judge(c, SCTPA_RULE_RX_016, c->from))
        return;
    for (uint32_t i = 0; i < MIN(sack->n_duplicates, DUPLICATES_LOOKED_AT); i++) {
        uint32_t tsn = sctpa_be32(sack->duplicates + i * 4);
        const sctpa_tsn_t *found = sctpa_receiver_tsn(c, c->from, tsn);
        if (found && found->duplicates >= found->transmissions &&
            sctpa_direction_unwrap(c->acked, tsn) > c->acked->seldom->abandoned_to &&
            ++sctpa_receiver_odd(c, receiver)->duplicates_unseen >= SCTPA_DUPLICATES_UNSEEN)
            sctpa_accuse(c, SCTPA_RULE_RX_016, c->from, SCTPA_NO_PATH, found->first_packet,
                         "duplicates that were sent more than once",
                         SCTPA_WORDS("TSN %u is reported as duplicate %u times and passed %u times", tsn,
                                     found->duplicates, found->transmissions));
    }
}

/* A hole whose TSN passed once and long before the TSN above it, which is reported: the receiver took the later one. */
static bool is_left_out(const sctpa_context_t *c, uint32_t missing, uint32_t above)
{
    const sctpa_tsn_t *hole = sctpa_receiver_tsn(c, c->from, missing), *later = sctpa_receiver_tsn(c, c->from, above);
    if (!hole || !later || hole->transmissions != 1 || later->transmissions != 1 ||
        hole->state &
            (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED | SCTPA_TSN_ABANDONED | SCTPA_TSN_LATE | SCTPA_TSN_RENEGED))
        return false;
    int64_t between_ns = sctpa_context_time_ns(c, later->first_packet) - sctpa_context_time_ns(c, hole->first_packet);
    return between_ns > sctpa_receiver_patience_ns(c, c->from, SCTPA_LEFT_OUT_EARLIER_MS * SCTPA_NS_PER_MS);
}

static void look_for_left_out(const sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    uint32_t below = sack->cum_tsn;
    for (uint32_t i = 0; i < MIN(sack->n_gaps, HOLES_LOOKED_AT) && !receiver->odd->has_left_out; i++) {
        uint32_t start = sack->cum_tsn + block_at(sack, i).start;
        if (sctpa_serial_distance(below + 1, start) > 0 && is_left_out(c, below + 1, start)) {
            sctpa_receiver_odd_t *odd = sctpa_receiver_odd(c, receiver);
            odd->has_left_out = true;
            odd->left_out_first = i == 0;
            odd->left_out_tsn = below + 1;
            odd->left_out_packet = c->index;
        }
        below = sack->cum_tsn + block_at(sack, i).end;
    }
}

/* RFC 9260 6.2: "MUST fill in the Cumulative TSN Ack field to indicate the latest sequential TSN (of a valid DATA
 * chunk) it has received" RFC 9260 6.2: "MUST report as many Gap Ack Blocks as can fit in a single SACK chunk" */
static void check_left_out(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    bool is_cum_judged = sctpa_may_judge(c, SCTPA_RULE_RX_029, c->from),
         are_blocks_judged = sctpa_may_judge(c, SCTPA_RULE_RX_007, c->from);
    const sctpa_tsn_t *tsn =
        receiver->odd->has_left_out ? sctpa_receiver_tsn(c, c->from, receiver->odd->left_out_tsn) : NULL;
    if (!tsn || tsn->transmissions != 1 || tsn->state & SCTPA_TSN_ABANDONED) {
        if (receiver->odd->has_left_out)
            sctpa_receiver_odd(c, receiver)->has_left_out = false;
    } else if (tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED)) {
        sctpa_receiver_odd(c, receiver)->has_left_out = false;
        if (++sctpa_receiver_odd(c, receiver)->left_out >= SCTPA_LEFT_OUT_REPORTED &&
            (receiver->odd->left_out_first ? is_cum_judged : are_blocks_judged))
            sctpa_accuse(c, receiver->odd->left_out_first ? SCTPA_RULE_RX_029 : SCTPA_RULE_RX_007, c->from,
                         SCTPA_NO_PATH, receiver->odd->left_out_packet,
                         "every TSN that was received, in the SACK that tells of later ones",
                         SCTPA_WORDS("TSN %u was left out, and acknowledged later without having been sent again",
                                     receiver->odd->left_out_tsn));
    }
    if (!receiver->odd->has_left_out && sack->complete)
        look_for_left_out(c, receiver, sack);
}

void sctpa_check_report(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    check_cum_tsn(c, receiver, sack);
    check_reneging(c, receiver, sack);
    check_duplicate_list(c, receiver, sack);
    if (sack->n_gaps > 0 || receiver->odd->has_left_out)
        check_left_out(c, receiver, sack);
}
