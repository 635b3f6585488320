/* Judges how many packets a SACK answers and where it goes, and what becomes of DATA chunks that a receiver has to
 * complain of. Leaves when SACKs come to check_receiver_delay.c. */
#include "check_receiver.h"

enum { BEHIND_SHARE = 20, EMPTY_LENGTH = 16 };
static const int64_t apart_ns = SCTPA_PACKETS_APART_MS * SCTPA_NS_PER_MS;

/* RFC 9260 7.2.4: "it SHOULD start sending a SACK chunk back every time a packet arrives carrying data until the hole
 * is filled" */
static void check_hole(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    const sctpa_wait_t *wait = &receiver->wait;
    if (!receiver->has_block || sack->cum_tsn != receiver->cum_tsn || sack->n_gaps == 0 || wait->packets == 0 ||
        !sctpa_receiver_covers_once(c, c->from, wait->first_tsn) || !sctpa_may_judge(c, SCTPA_RULE_RX_019, c->from))
        return;
    int64_t behind_ns = c->packet->time_ns - sctpa_context_time_ns(c, wait->last_packet);
    bool is_paired = wait->packets == 2 && wait->least_gap_ns > sctpa_receiver_patience_ns(c, c->from, apart_ns) &&
                     behind_ns <= wait->least_gap_ns / BEHIND_SHARE &&
                     sctpa_receiver_covers_once(c, c->from, wait->last_tsn);
    sctpa_receiver_odd(c, receiver)->holes_answered += wait->packets == 1;
    sctpa_receiver_odd(c, receiver)->holes_paired += is_paired;
    if (is_paired && receiver->odd->holes_paired >= SCTPA_HOLES_PAIRED &&
        receiver->odd->holes_paired > receiver->odd->holes_answered)
        sctpa_accuse(c, SCTPA_RULE_RX_019, c->from, SCTPA_NO_PATH, wait->first_packet,
                     SCTPA_WORDS("a SACK for each packet while TSN %u is missing", sack->cum_tsn + 1),
                     SCTPA_WORDS("one for two packets %.1f ms apart; %u times, %u packets had their own",
                                 (double)wait->least_gap_ns / 1e6, receiver->odd->holes_paired,
                                 receiver->odd->holes_answered));
}

/* RFC 9260 6.2: "an acknowledgement SHOULD be generated for at least every second packet (not every second DATA chunk)
 * received" */
static void check_density(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    const sctpa_wait_t *wait = &receiver->wait;
    if (sack->n_gaps > 0 || receiver->has_block || wait->packets == 0 ||
        !sctpa_receiver_covers(c, c->from, wait->last_tsn) || !sctpa_may_judge(c, SCTPA_RULE_RX_012, c->from))
        return;
    bool is_sparse = wait->packets > 2 && wait->least_gap_ns > sctpa_receiver_patience_ns(c, c->from, apart_ns);
    receiver->sacks_sparse += is_sparse;
    receiver->sacks_dense += wait->packets <= 2;
    if (receiver->sacks_sparse < SCTPA_SACKS_SPARSE ||
        receiver->sacks_sparse <= SCTPA_SPARSE_PER_DENSE * receiver->sacks_dense || receiver->sparse_told)
        return;
    receiver->sparse_told = true;
    sctpa_accuse(
        c, SCTPA_RULE_RX_012, c->from, SCTPA_NO_PATH, wait->first_packet, "a SACK for every second packet with DATA",
        SCTPA_WORDS(
            "one for %u packets, each %.1f ms or more behind the one before; %u SACKs like it, %u for one or two",
            wait->packets, (double)wait->least_gap_ns / 1e6, receiver->sacks_sparse, receiver->sacks_dense));
}

/* RFC 9260 6.7: "SHOULD always try to send the SACK chunk to the same destination address from which the last DATA
 * chunk was received" */
void sctpa_check_destination(sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    const sctpa_wait_t *wait = &receiver->wait;
    if (wait->packets != 1 || wait->first_path == SCTPA_NO_PATH || !sctpa_receiver_is_pure(c) ||
        !sctpa_receiver_covers_once(c, c->from, wait->first_tsn) || !sctpa_may_judge(c, SCTPA_RULE_RX_022, c->from))
        return;
    if (wait->first_path == c->path || ++sctpa_receiver_odd(c, receiver)->astray < SCTPA_SACKS_ASTRAY)
        return;
    sctpa_accuse(c, SCTPA_RULE_RX_022, c->from, c->path, wait->first_packet,
                 "a SACK to the address from which the DATA came",
                 SCTPA_WORDS("to another one, %u times", receiver->odd->astray));
}

void sctpa_check_rate(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    check_hole(c, receiver, sack);
    check_density(c, receiver, sack);
}

/* Beyond what sender and receiver agreed on at set-up. */
static bool is_stranger(const sctpa_context_t *c, const sctpa_receiver_t *receiver, uint16_t stream)
{
    const sctpa_init_t *sender = &c->assoc->ends[c->from].init, *own = &c->assoc->ends[!c->from].init;
    return sender->seen && own->seen && !receiver->streams_changed && stream >= sender->outbound_streams &&
           stream >= own->inbound_streams;
}

void sctpa_note_wrong_data(const sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_tlv_t *chunk,
                           const sctpa_tsn_t *tsn)
{
    uint32_t serial = sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN);
    receiver->streams_changed |= (c->rows & SCTPA_ROW(RE_CONFIG)) != 0;
    if (sctpa_receiver_is_acked(tsn) || tsn->transmissions != 1)
        return;
    if (!receiver->odd->has_empty && chunk->type == SCTPA_CHUNK_DATA && chunk->length == EMPTY_LENGTH) {
        sctpa_receiver_odd_t *odd = sctpa_receiver_odd(c, receiver);
        odd->has_empty = true;
        odd->empty_acked = false;
        odd->empty_tsn = serial;
        odd->empty_packet = c->index;
    }
    if (!receiver->odd->has_stranger && is_stranger(c, receiver, tsn->stream)) {
        sctpa_receiver_odd_t *odd = sctpa_receiver_odd(c, receiver);
        odd->has_stranger = true;
        odd->stranger_acked = false;
        odd->stranger_tsn = serial;
        odd->stranger_stream = tsn->stream;
        odd->stranger_packet = c->index;
    }
}

/* RFC 9260 6.2: "it SHOULD send an ABORT chunk with a "No User Data" error cause" */
static void check_empty(sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    if (!receiver->odd->has_empty || !sctpa_may_judge(c, SCTPA_RULE_RX_025, c->from))
        return;
    if (c->rows & SCTPA_ROW(ABORT))
        sctpa_receiver_odd(c, receiver)->has_empty = false;
    else if (!receiver->odd->empty_acked)
        sctpa_receiver_odd(c, receiver)->empty_acked =
            sctpa_receiver_is_acked(sctpa_receiver_tsn(c, c->from, receiver->odd->empty_tsn));
    else {
        sctpa_receiver_odd(c, receiver)->has_empty = false;
        sctpa_accuse(c, SCTPA_RULE_RX_025, c->from, SCTPA_NO_PATH, receiver->odd->empty_packet,
                     "ABORT with cause 9, No User Data",
                     SCTPA_WORDS("TSN %u, a DATA chunk of 16 bytes, was acknowledged and the association goes on",
                                 receiver->odd->empty_tsn));
    }
}

/* RFC 9260 6.5: "it SHOULD acknowledge the reception of the DATA chunk following the normal procedure, immediately send
 * an ERROR chunk" */
static void check_stranger(sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    receiver->streams_changed |= (c->rows & SCTPA_ROW(RE_CONFIG)) != 0;
    if (!receiver->odd->has_stranger || !sctpa_may_judge(c, SCTPA_RULE_RX_024, c->from))
        return;
    if (c->rows & (SCTPA_ROW(ERROR) | SCTPA_ROW(ABORT)) || receiver->streams_changed)
        sctpa_receiver_odd(c, receiver)->has_stranger = false;
    else if (!receiver->odd->stranger_acked) {
        sctpa_receiver_odd(c, receiver)->stranger_acked =
            sctpa_receiver_is_acked(sctpa_receiver_tsn(c, c->from, receiver->odd->stranger_tsn));
        sctpa_receiver_odd(c, receiver)->stranger_ns = c->packet->time_ns;
    } else if (c->packet->time_ns - receiver->odd->stranger_ns >
               sctpa_receiver_patience_ns(c, c->from, SCTPA_COMPLAINT_S * SCTPA_NS_PER_S)) {
        sctpa_receiver_odd(c, receiver)->has_stranger = false;
        if (++sctpa_receiver_odd(c, receiver)->strangers >= SCTPA_STRANGERS_REPORTED)
            sctpa_accuse(c, SCTPA_RULE_RX_024, c->from, SCTPA_NO_PATH, receiver->odd->stranger_packet,
                         "ERROR with cause 1, Invalid Stream Identifier",
                         SCTPA_WORDS("TSN %u of stream %u, which does not exist, was acknowledged and no ERROR came",
                                     receiver->odd->stranger_tsn, receiver->odd->stranger_stream));
    }
}

void sctpa_check_wrong_data(sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    check_empty(c, receiver);
    check_stranger(c, receiver);
}
