/* Follows data receivers: what arrived since they acknowledged last; and judges how many SACKs they send. Leaves what
 * SACKs say to check_receiver_blocks.c, when they are due to check_receiver_delay.c and check_receiver_rate.c. */
#include "check_receiver.h"

enum { REACHED_LEAST = 8, LOST_SHARE = 50 };

typedef struct {
    sctpa_receiver_t *ends[2];
} receivers_t;

static const sctpa_receiver_odd_t nothing_odd;

sctpa_receiver_odd_t *sctpa_receiver_odd(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    if (receiver->odd == &nothing_odd)
        receiver->odd = sctpa_arena_alloc(&c->store->arena, sizeof *receiver->odd);
    return (sctpa_receiver_odd_t *)receiver->odd;
}

sctpa_receiver_t *sctpa_receiver(const sctpa_context_t *c, uint8_t end, bool make)
{
    receivers_t *receivers = sctpa_context_part(c, SCTPA_PART_RECEIVER, sizeof *receivers);
    if (!receivers->ends[end] && make) {
        receivers->ends[end] = sctpa_arena_alloc(&c->store->arena, sizeof(sctpa_receiver_t));
        receivers->ends[end]->sack_packet = receivers->ends[end]->before_packet = SCTPA_NO_PACKET_INDEX;
        receivers->ends[end]->odd = &nothing_odd;
        receivers->ends[end]->a_rwnd_bytes = c->assoc->ends[end].init.a_rwnd_bytes;
    }
    return receivers->ends[end];
}

static const sctpa_direction_t *received(const sctpa_context_t *c, uint8_t end)
{
    return end == c->from ? c->acked : c->sent;
}

int64_t sctpa_receiver_patience_ns(const sctpa_context_t *c, uint8_t end, int64_t least_ns)
{
    return MAX(least_ns, 3 * sctpa_context_tap_rtt_ns(c, end));
}

const sctpa_tsn_t *sctpa_receiver_tsn(const sctpa_context_t *c, uint8_t end, uint32_t tsn)
{
    const sctpa_direction_t *direction = received(c, end);
    return direction ? sctpa_direction_tsn(direction, sctpa_direction_unwrap(direction, tsn)) : NULL;
}

bool sctpa_receiver_covers(const sctpa_context_t *c, uint8_t end, uint32_t tsn)
{
    const sctpa_tsn_t *found = sctpa_receiver_tsn(c, end, tsn);
    if (!found)
        return false;
    return found->gap_packet == SCTPA_NO_PACKET_INDEX ? found->ack_packet == c->index : found->gap_packet == c->index;
}

bool sctpa_receiver_covers_once(const sctpa_context_t *c, uint8_t end, uint32_t tsn)
{
    const sctpa_tsn_t *found = sctpa_receiver_tsn(c, end, tsn);
    return found && found->transmissions == 1 && sctpa_receiver_covers(c, end, tsn);
}

bool sctpa_receiver_is_reached(const sctpa_receiver_t *receiver)
{
    return receiver->arrived >= REACHED_LEAST && receiver->sent_again * LOST_SHARE <= receiver->arrived;
}

bool sctpa_receiver_is_single_homed(const sctpa_context_t *c)
{
    return c->assoc->ends[0].n_addrs <= 1 && c->assoc->ends[1].n_addrs <= 1;
}

bool sctpa_receiver_is_pure(const sctpa_context_t *c)
{
    return c->n_chunks == 1 && sctpa_tlv_is_sack(&c->chunks[0].tlv);
}

/* A TSN that comes again long after it came was lost behind the tap, or its SACK was. */
static void count_arrival(const sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_tsn_t *tsn)
{
    receiver->arrived += tsn->transmissions == 1;
    if (tsn->transmissions < 2 || sctpa_receiver_is_acked(tsn) || tsn->more == 0)
        return;
    const sctpa_rtx_t *rtx = &SCTPA_RECORD(&c->sent->rare->rtx, sctpa_rtx_t, tsn->more - 1);
    int64_t between_ns = c->packet->time_ns - sctpa_context_time_ns(c, rtx->previous);
    receiver->sent_again += between_ns > sctpa_receiver_patience_ns(c, !c->from, 20 * SCTPA_NS_PER_MS);
}

static uint8_t kind_of_new(const sctpa_context_t *c, const sctpa_receiver_t *receiver, const sctpa_tlv_t *chunk,
                           const sctpa_tsn_t *tsn)
{
    uint32_t serial = sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN);
    int64_t number = sctpa_direction_unwrap(c->sent, serial);
    uint8_t is = SCTPA_ARRIVED_NEW;
    if (number == 0 && c->sent->announced && !c->sent->has_cum && tsn->transmissions == 1)
        is |= SCTPA_ARRIVED_FIRST;
    if (number > 0 && number > c->sent->cum_tsn + 1 && number > c->sent->rare->abandoned_to + 1 &&
        !sctpa_direction_tsn(c->sent, number - 1) && (c->sent->announced || c->sent->has_cum))
        is |= SCTPA_ARRIVED_GAP;
    if (tsn->flags & SCTPA_TSN_IMMEDIATE)
        is |= SCTPA_ARRIVED_IMMEDIATE;
    if (receiver->sack_packet != SCTPA_NO_PACKET_INDEX && sctpa_window_is_closed(receiver->a_rwnd_bytes) &&
        number > c->sent->highest_gap_end)
        is |= SCTPA_ARRIVED_CLOSED;
    return is;
}

/* What this packet's DATA is to its receiver; *tsn and *bytes: of its first new chunk, else of its first. */
static uint8_t read_data(const sctpa_context_t *c, sctpa_receiver_t *receiver, uint32_t *tsn, uint16_t *bytes)
{
    const uint64_t plain = SCTPA_DATA_ROWS | SCTPA_SACK_ROWS;
    bool is_whole = c->packet->captured_bytes == c->packet->wire_bytes, is_first = true;
    uint8_t is = c->rows & ~plain || !is_whole ? SCTPA_ARRIVED_MIXED : 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (!sctpa_tlv_is_data(chunk) || !sctpa_tlv_has(chunk, SCTPA_F_DATA_TSN))
            continue;
        uint32_t serial = sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN);
        const sctpa_tsn_t *found = sctpa_receiver_tsn(c, !c->from, serial);
        if (!found)
            return SCTPA_ARRIVED_MIXED;
        count_arrival(c, receiver, found);
        sctpa_note_wrong_data(c, receiver, chunk, found);
        if (is_first || (!sctpa_receiver_is_acked(found) && !(is & SCTPA_ARRIVED_NEW))) {
            *tsn = serial;
            *bytes = found->bytes;
            is_first = false;
        }
        if (!sctpa_receiver_is_acked(found))
            is |= kind_of_new(c, receiver, chunk, found);
        else if (sctpa_context_is_verified(c) && !(is & SCTPA_ARRIVED_MIXED) && !receiver->odd->has_duplicate &&
                 found->duplicates + 1 < found->transmissions) {
            sctpa_receiver_odd_t *odd = sctpa_receiver_odd(c, receiver);
            odd->has_duplicate = true;
            odd->duplicate_packet = c->index;
        }
    }
    return !is_first && is == 0 && sctpa_context_is_verified(c) ? SCTPA_ARRIVED_DUPLICATES : is;
}

static void take_data(sctpa_context_t *c)
{
    uint8_t end = !c->from;
    sctpa_receiver_t *receiver = sctpa_receiver(c, end, true);
    sctpa_wait_t *wait = &receiver->wait;
    uint32_t tsn = 0;
    uint16_t bytes = 0;
    if (wait->packets == 1 && !receiver->is_past && sctpa_receiver_is_single_homed(c))
        sctpa_check_unanswered(c, receiver, end);
    uint8_t is = read_data(c, receiver, &tsn, &bytes);
    int64_t gap_ns = wait->packets > 0 ? c->packet->time_ns - sctpa_context_time_ns(c, wait->last_packet) : 0;
    if (wait->packets == 1 || (wait->packets > 1 && gap_ns < wait->least_gap_ns))
        wait->least_gap_ns = gap_ns;
    if (wait->packets++ == 0) {
        const sctpa_end_t *own = &c->assoc->ends[end];
        wait->first_path = own->n_paths > 1 ? sctpa_end_find_path(own, &c->packet->source) : SCTPA_NO_PATH;
        wait->first_packet = c->index;
        wait->first_tsn = tsn;
        wait->first_bytes = bytes;
        wait->first_is = is;
    }
    wait->last_packet = c->index;
    wait->last_tsn = tsn;
    wait->last_is = is;
}

/* RFC 9260 6.2: "An SCTP receiver MUST NOT generate more than one SACK chunk for every incoming packet" */
static void check_crowd(sctpa_context_t *c, sctpa_receiver_t *receiver, unsigned sacks, unsigned without_cause)
{
    if (sacks < 2 || !sctpa_may_judge(c, SCTPA_RULE_RX_013, c->from))
        return;
    if (without_cause == 0 || ++sctpa_receiver_odd(c, receiver)->sack_crowds < SCTPA_SACK_CROWDS_REPORTED)
        return;
    sctpa_accuse(
        c, SCTPA_RULE_RX_013, c->from, SCTPA_NO_PATH, receiver->sack_packet,
        SCTPA_WORDS("at most %u SACK chunks: so many packets came that no SACK had answered", sacks - without_cause),
        SCTPA_WORDS("%u SACK chunks, none but the first with a larger window", sacks));
}

static void count_sacks(sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    unsigned sacks = 0, without_cause = 0;
    uint32_t a_rwnd_bytes = receiver->a_rwnd_bytes;
    bool opens = false;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        sctpa_sack_t sack;
        if (!sctpa_tlv_is_sack(&c->chunks[i].tlv) || !sctpa_sack_parse(&c->chunks[i].tlv, &sack))
            continue;
        opens |= sacks++ > 0 && sack.a_rwnd > a_rwnd_bytes;
        a_rwnd_bytes = sack.a_rwnd;
        if (receiver->packets_fresh > 0)
            receiver->packets_fresh--;
        else if (receiver->packets_left > 0)
            receiver->packets_left--;
        else
            without_cause++;
    }
    if (receiver->sack_packet != SCTPA_NO_PACKET_INDEX)
        check_crowd(c, receiver, sacks, opens ? 0 : without_cause);
    if (receiver->wait.packets > 0 && sctpa_receiver_covers(c, c->from, receiver->wait.last_tsn)) {
        receiver->packets_left = receiver->packets_fresh;
        receiver->packets_fresh = 0;
    }
}

static void note_sack(sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    c->ended = receiver->wait;
    receiver->wait = (sctpa_wait_t){ .packets = 0 };
    receiver->before_packet = receiver->sack_packet;
    receiver->a_rwnd_before_bytes = receiver->a_rwnd_bytes;
    receiver->cum_tsn_before = receiver->cum_tsn;
    receiver->sack_packet = c->index;
    receiver->cum_tsn = sack->cum_tsn;
    receiver->a_rwnd_bytes = sack->a_rwnd;
    receiver->reported_to_before = receiver->reported_to;
    receiver->reported_to =
        sack->cum_tsn + (sack->n_gaps > 0 ? sctpa_be16(sack->gaps + (sack->n_gaps - 1) * 4 + 2) : 0);
    receiver->has_block = sack->n_gaps > 0;
    if (receiver->has_block)
        receiver->first_block_tsn = sack->cum_tsn + sctpa_be16(sack->gaps);
}

static void take_sacks(sctpa_context_t *c)
{
    sctpa_receiver_t *receiver = sctpa_receiver(c, c->from, true);
    receiver->is_past |= c->acked && c->acked->restarted;
    receiver->sends_nr_sacks |= (c->rows & SCTPA_ROW(NR_SACK)) != 0;
    bool is_judged = !receiver->is_past && c->acked && sctpa_receiver_is_single_homed(c);
    if (is_judged)
        count_sacks(c, receiver);
    for (unsigned i = 0; i < c->n_chunks; i++) {
        sctpa_sack_t sack;
        if (!sctpa_tlv_is_sack(&c->chunks[i].tlv) || !sctpa_sack_parse(&c->chunks[i].tlv, &sack))
            continue;
        sctpa_check_blocks(c, &c->chunks[i].tlv, &sack);
        if (!receiver->is_past && c->acked)
            sctpa_check_destination(c, receiver);
        if (is_judged) {
            sctpa_check_report(c, receiver, &sack);
            sctpa_check_delay(c, receiver, &sack);
            sctpa_check_duplicates(c, receiver, &sack);
            sctpa_check_rate(c, receiver, &sack);
        }
        note_sack(c, receiver, &sack);
    }
}

void sctpa_check_receiver(sctpa_context_t *c)
{
    const uint64_t ends = SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    sctpa_receiver_t *own = sctpa_receiver(c, c->from, false), *peer;
    if (own && own->odd->has_stranger + own->odd->has_empty > 0 && sctpa_receiver_is_single_homed(c))
        sctpa_check_wrong_data(c, own);
    if (c->rows & SCTPA_SACK_ROWS)
        take_sacks(c);
    else if (c->rows & SCTPA_ROW(SHUTDOWN) && own)
        own->wait = (sctpa_wait_t){ .packets = 0 };
    if (c->rows & SCTPA_DATA_ROWS && c->sent)
        take_data(c);
    peer = sctpa_receiver(c, !c->from, false);
    if (c->rows & ends && own)
        own->is_past = true;
    if (c->rows & ends && peer)
        peer->is_past = true;
    if (peer && peer->packets_fresh < UINT16_MAX)
        peer->packets_fresh++;
}
