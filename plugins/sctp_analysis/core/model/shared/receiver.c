/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows receivers of data: what arrives since they acknowledged last, and which SACK they owe. Leaves what their
 * SACKs show to sack_answers.c. */
#include "receiver.h"

#include "track/endpoints.h"
#include "wire/address.h"
#include "endpoint_states.h"
#include "sack_answers.h"

enum { REACHED_LEAST = 8, LOST_SHARE = 50 };
static const int64_t again_ns = 20 * SCTPA_NS_PER_MS;
/* No timer, and no three SACKs where the way is longer, send a packet again sooner (duplicate_packets.c). */
static const int64_t captured_twice_ns = 2 * SCTPA_NS_PER_MS;

/* Of an association. */
typedef struct {
    sctpa_receiver_t *of[2]; /* by endpoint, NULL not made */
} receivers_t;

const sctpa_tsn_t *sctpa_receiver_tsn(const sctpa_context_t *c, uint8_t endpoint, uint32_t tsn)
{
    const sctpa_direction_t *direction = endpoint == c->from ? c->acked : c->sent;
    return direction ? sctpa_direction_tsn(direction, sctpa_direction_unwrap(direction, tsn)) : NULL;
}

bool sctpa_receiver_is_reached(const sctpa_receiver_t *receiver)
{
    return receiver->passed >= REACHED_LEAST && receiver->again * LOST_SHARE <= receiver->passed;
}

sctpa_sack_owed_t sctpa_receiver_owes(const sctpa_context_t *c, const sctpa_receiver_t *receiver)
{
    const sctpa_owed_sack_t *wait = &receiver->wait;
    if (wait->packets == 0)
        return (sctpa_sack_owed_t){ .since_packet = SCTPA_NO_PACKET_INDEX };
    const int64_t since_ns = c->packet->time_ns - sctpa_context_time_ns(c, wait->first_packet);
    return (sctpa_sack_owed_t){ .packets = wait->packets,
                                .since_packet = wait->first_packet,
                                .waited_ns = sctpa_context_is_of_one_tap(c, wait->first_packet) ? since_ns : 0,
                                .at_once = wait->first_is & SCTPA_ARRIVED_AT_ONCE };
}

/* SCTPA_SACK_FIRST and _FIRST_ONCE as they hold of tsn. What a FORWARD-TSN skips is acknowledged though it may not have
 * come. */
static unsigned newly_acked(const sctpa_context_t *c, uint32_t tsn)
{
    const sctpa_tsn_t *found = sctpa_receiver_tsn(c, c->from, tsn);
    if (!found || found->state & SCTPA_TSN_ABANDONED ||
        (found->gap_packet == SCTPA_NO_PACKET_INDEX ? found->ack_packet : found->gap_packet) != c->index)
        return 0;
    return SCTPA_SACK_FIRST | (found->transmissions == 1 ? SCTPA_SACK_FIRST_ONCE : 0u);
}

static void observe_answer(sctpa_context_t *c)
{
    const sctpa_receiver_t *own = c->receivers[c->from];
    const sctpa_sack_record_t *before = sctpa_observed_sack_before(c->first_sack, c->acked);
    uint32_t a_rwnd_before_bytes = before ? before->a_rwnd_bytes : c->assoc->ends[c->from].init.a_rwnd_bytes;
    const bool is_on_all_ways = sctpa_tap_is_on_all_ways(&c->reference->tap, c->tracked, c->from);
    unsigned is = SCTPA_SACK_FOLLOWED | (is_on_all_ways ? SCTPA_SACK_SINGLE : 0u) |
                  (c->n_chunks == 1 ? SCTPA_SACK_ALONE : 0u) |
                  (c->sack.a_rwnd > a_rwnd_before_bytes ? SCTPA_SACK_OPENS : 0u);
    if (own->wait.packets > 0 && (c->facts & SCTPA_FACT_NEWLY_ACKED || c->rows & SCTPA_ROW(SHUTDOWN))) {
        unsigned first = newly_acked(c, own->wait.first_tsn),
                 last = own->wait.last_tsn == own->wait.first_tsn ? first : newly_acked(c, own->wait.last_tsn);
        is |= first | last * (SCTPA_SACK_LAST / SCTPA_SACK_FIRST);
    }
    c->answer = (sctpa_sack_answer_t){ sctpa_receiver_owes(c, own), before, (uint8_t)is };
}

void sctpa_receiver_observe(sctpa_context_t *c)
{
    static const sctpa_receiver_t none;
    const receivers_t *made = sctpa_context_find_part(c, SCTPA_PART_RECEIVER);
    for (unsigned endpoint = 0; endpoint < 2; endpoint++) {
        const sctpa_receiver_t *receiver = made && made->of[endpoint] ? made->of[endpoint] : &none;
        bool is_owed = receiver->wait.first_is == SCTPA_ARRIVED_DUPLICATES ||
                       receiver->asking[SCTPA_ASKS_DUPLICATES] > 0 ||
                       (receiver->duplicates && receiver->duplicates->is_owed);
        c->receivers[endpoint] = receiver;
        c->facts |= is_owed ? SCTPA_FACT_DUPLICATES_OWED : 0u;
    }
    c->answer = (sctpa_sack_answer_t){ .is = 0 };
    if (c->first_sack && c->acked && !c->acked->restarted && !sctpa_tracked_is_ending(c->tracked))
        observe_answer(c);
}

static void free_receivers(sctpa_arena_t *arena, void *part)
{
    const receivers_t *all = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++) {
        sctpa_receiver_t *receiver = all->of[endpoint];
        if (!receiver)
            continue;
        sctpa_arena_free(arena, (sctpa_first_sack_t *)receiver->first, sizeof *receiver->first);
        sctpa_arena_free(arena, (sctpa_duplicates_t *)receiver->duplicates, sizeof *receiver->duplicates);
        sctpa_arena_free(arena, (sctpa_left_out_t *)receiver->left_out, sizeof *receiver->left_out);
        sctpa_arena_free(arena, receiver, sizeof *receiver);
    }
}

/* The receivers of the association, those made that the packet shows something of; NULL: none was made yet. */
static receivers_t *receivers(sctpa_context_t *c, bool has_data)
{
    const uint64_t forwards = SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN);
    const bool makes[2] = { c->first_sack != NULL, has_data || c->rows & forwards }; /* the packet's sender, its peer */
    if (!makes[0] && !makes[1])
        return sctpa_context_find_part(c, SCTPA_PART_RECEIVER);
    receivers_t *all = sctpa_context_owning_part(c, SCTPA_PART_RECEIVER, sizeof *all, free_receivers);
    for (uint8_t peer = 0; peer < 2; peer++) {
        sctpa_receiver_t **receiver = &all->of[c->from ^ peer];
        if (makes[peer] && !*receiver)
            c->receivers[c->from ^ peer] = *receiver = sctpa_arena_alloc(&c->store->arena, sizeof **receiver);
    }
    return all;
}

/* A TSN that comes again long after it came was lost between tap and receiver, or its SACK was. */
static void count_arrival(const sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_observed_t *observed)
{
    const sctpa_tsn_t *tsn = observed->sent.tsn;
    receiver->passed += tsn->transmissions == 1;
    if (tsn->transmissions < 2 || sctpa_receiver_has(tsn) == SCTPA_YES || tsn->more == 0)
        return;
    const sctpa_rtx_t *rtx = sctpa_direction_rtx(c->sent, tsn->more);
    int64_t between_ns = c->packet->time_ns - sctpa_context_time_ns(c, rtx->previous);
    receiver->again += between_ns > sctpa_receiver_patience_ns(c, !c->from, again_ns);
}

static uint8_t kind_of_new(const sctpa_context_t *c, const sctpa_observed_t *observed)
{
    const sctpa_direction_t *sent = c->sent;
    const sctpa_tsn_t *tsn = observed->sent.tsn;
    int64_t number = observed->sent.number;
    uint8_t is = SCTPA_ARRIVED_NEW;
    if (number == 0 && sent->announced && !sent->has_cum && tsn->transmissions == 1)
        is |= SCTPA_ARRIVED_FIRST;
    if (number > 0 && number > sent->cum_tsn + 1 && number > sent->rare->abandoned_to + 1 &&
        (sent->announced || sent->has_cum) && sctpa_receiver_has(sctpa_direction_tsn(sent, number - 1)) == SCTPA_NO)
        is |= SCTPA_ARRIVED_GAP;
    if (tsn->flags & SCTPA_TSN_IMMEDIATE)
        is |= SCTPA_ARRIVED_IMMEDIATE;
    if (number > sent->highest_gap_end && sent->sacks.len > 0 &&
        sctpa_window_is_closed(SCTPA_RECORD(&sent->sacks, sctpa_sack_record_t, sent->sacks.len - 1).a_rwnd_bytes))
        is |= SCTPA_ARRIVED_CLOSED;
    return is;
}

/* Does every chunk of the packet let its receiver go on to the DATA behind it, and ask for no SACK of its own? One of
 * an unknown type by its highest bit (RFC 9260 3.2); COOKIE ECHO where it is the only one, so that the association
 * began with it. */
static bool are_passed_over(const sctpa_context_t *c)
{
    const uint64_t plain = SCTPA_DATA_ROWS | SCTPA_SACK_ROWS | SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(HEARTBEAT_ACK) |
                           SCTPA_ROW(ERROR) | SCTPA_ROW(ECNE) | SCTPA_ROW(CWR) | SCTPA_ROW(COOKIE_ACK) |
                           SCTPA_ROW(COOKIE_ECHO);
    const bool is_known = !(c->rows & ~plain);
    if (c->rows & SCTPA_ROW(COOKIE_ECHO) && c->assoc->setup.steps[SCTPA_STEP_COOKIE_ECHO].count != 1)
        return false;
    for (unsigned i = 0; !is_known && i < c->n_chunks; i++)
        if (!(plain >> c->chunks[i].row & 1) &&
            (c->chunks[i].row != SCTPA_CHUNK_ROW_OTHER || c->chunks[i].tlv.type < 0x80))
            return false;
    return true;
}

/* Does the receiver take what the sum of the packet says, or that it has none? */
static bool is_sum_good(const sctpa_context_t *c)
{
    return c->record->checksum == SCTPA_CHECKSUM_CRC32C ||
           (c->record->checksum == SCTPA_CHECKSUM_ZERO &&
            sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_ZERO_CHECKSUM) == SCTPA_YES);
}

/* Did the packet's receiver set the association up, as all that passed towards it undamaged has reached it? Who sent a
 * COOKIE ECHO discards DATA until the COOKIE ACK. */
static bool is_up(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    if (c->rows & SCTPA_ROW(COOKIE_ECHO))
        return true;
    if (setup->steps[SCTPA_STEP_COOKIE_ACK].count == 0)
        return false;
    const sctpa_record_t *last = sctpa_context_record(c, setup->cookie_packet);
    const bool has_asked = setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0 &&
                           (setup->steps[SCTPA_STEP_COOKIE_ECHO].by != c->from || c->assoc->collision);
    return last->checksum != SCTPA_CHECKSUM_BAD && !(has_asked && last->from != c->from);
}

/* Must a receiver that has room take the DATA of the packet: is the association up, and none of it odd? O(chunks). */
static bool is_valid(const sctpa_context_t *c)
{
    if (!is_up(c) || c->packet->captured_bytes != c->packet->wire_bytes || !is_sum_good(c) || !are_passed_over(c) ||
        c->assoc->ends[!c->from].init.auth_chunks & (uint32_t)SCTPA_DATA_ROWS)
        return false;
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_observed_t *observed = &c->chunks[i];
        const sctpa_tsn_t *tsn = observed->sent.tsn;
        const sctpa_rtx_t *rtx = sctpa_observed_rtx(observed, c->sent);
        if (sctpa_tlv_is_data(&observed->tlv) &&
            (!tsn || observed->tlv.fault != SCTPA_FAULT_NONE || tsn->bytes == 0 || (rtx && rtx->is_other_message) ||
             tsn->stream >= sctpa_stream_counts_agreed(&counts, c->from) || tsn->state & SCTPA_TSN_ABANDONED))
            return false;
    }
    return true;
}

/* Did the transmission before of what the chunk sends again surely arrive, since the last SACK? Where there was room,
 * this one is a duplicate then. */
static bool is_surely_there(const sctpa_context_t *c, const sctpa_owed_sack_t *wait, const sctpa_observed_t *observed)
{
    const uint8_t sure = SCTPA_ARRIVED_NEW | SCTPA_ARRIVED_VALID;
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(observed, c->sent);
    if (!rtx || wait->packets == 0 || rtx->is_other_message)
        return false;
    const uint64_t room_bytes =
        c->sent->has_a_rwnd ? c->sent->a_rwnd_bytes : c->assoc->ends[!c->from].init.a_rwnd_bytes;
    return room_bytes >= c->sent->flight_bytes + SCTPA_WINDOW_SCARCE_BYTES &&
           ((rtx->previous == wait->first_packet && (wait->first_is & sure) == sure) ||
            (rtx->previous == wait->last_packet && (wait->last_is & sure) == sure));
}

/* Does all that passes the tap towards the packet's receiver reach it, as the user asserts? */
static bool surely_arrives(const sctpa_context_t *c)
{
    return sctpa_tap_is_asserted(&c->reference->tap, !c->from, SCTPA_ASSERTED_ARRIVED);
}

/* Did a SACK of the receiver pass since a packet with DATA that surely arrived? Whatever shows a host its packets twice
 * does so before the host answers them. */
static bool has_answered_since(const sctpa_context_t *c, uint32_t packet)
{
    const uint32_t n = c->sent->sacks.len;
    return n > 0 && surely_arrives(c) && SCTPA_RECORD(&c->sent->sacks, sctpa_sack_record_t, n - 1).packet > packet;
}

/* May the packet be a frame that the capture holds twice: the same DATA again so soon that no timer sent it, with no
 * other IPv4 identification, before anything answered it? Whether it came twice nothing shows then. */
static bool may_be_captured_twice(const sctpa_context_t *c)
{
    const sctpa_rtx_t *rtx = c->first_data ? sctpa_observed_rtx(c->first_data, c->sent) : NULL;
    return rtx && !has_answered_since(c, rtx->previous) &&
           sctpa_context_least_since_ns(c, rtx->previous) <= captured_twice_ns &&
           sctpa_stamp_ip_id(&g_array_index(c->tracker->store.stamps, sctpa_stamp_t, rtx->previous)) ==
               c->packet->ip_id;
}

/* What this packet's DATA is to its receiver; *tsn and *bytes: of its first new chunk, else of its first. */
static uint8_t read_data(const sctpa_context_t *c, sctpa_receiver_t *receiver, uint32_t *tsn, uint16_t *bytes)
{
    const uint64_t plain = SCTPA_DATA_ROWS | SCTPA_SACK_ROWS;
    bool is_whole = c->packet->captured_bytes == c->packet->wire_bytes, is_first = true;
    uint8_t is = c->rows & ~plain || !is_whole || may_be_captured_twice(c) ? SCTPA_ARRIVED_MIXED : 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_observed_t *observed = &c->chunks[i];
        const sctpa_tsn_t *found = observed->sent.tsn;
        if (!sctpa_tlv_is_data(&observed->tlv) || !sctpa_tlv_has(&observed->tlv, SCTPA_F_DATA_TSN))
            continue;
        if (!found)
            return SCTPA_ARRIVED_MIXED;
        bool is_new = sctpa_receiver_has(found) != SCTPA_YES;
        if (!is_new || found->transmissions > 1 || found->state & SCTPA_TSN_BEHIND)
            receiver->one_source_sacks = 0;
        count_arrival(c, receiver, observed);
        if (is_first || (is_new && !(is & SCTPA_ARRIVED_NEW))) {
            *tsn = sctpa_tlv_u32(&observed->tlv, SCTPA_F_DATA_TSN);
            *bytes = found->bytes;
            is_first = false;
        }
        if (is_new)
            is |= kind_of_new(c, observed);
        if (!(is & SCTPA_ARRIVED_MIXED) && (!is_new || is_surely_there(c, &receiver->wait, observed)))
            sctpa_duplicate_arrives(c, receiver, found, sctpa_tlv_u32(&observed->tlv, SCTPA_F_DATA_TSN));
    }
    if (is & SCTPA_ARRIVED_NEW && surely_arrives(c) && is_valid(c))
        is |= SCTPA_ARRIVED_VALID;
    return !is_first && is == 0 && sctpa_context_is_verified(c) ? SCTPA_ARRIVED_DUPLICATES : is;
}

/* Does the packet bring a TSN while one below it never passed? O(chunks), and O(TSNs) that passed since. */
static bool leaves_gap(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    receiver->next = MAX(receiver->next, c->sent->rare->abandoned_to + 1);
    while (sctpa_direction_tsn(c->sent, receiver->next))
        receiver->next++;
    unsigned i = 0;
    while (i < c->n_chunks && !(sctpa_observed_is_new(&c->chunks[i]) && c->chunks[i].sent.number > receiver->next))
        i++;
    return i < c->n_chunks;
}

static void ask(const sctpa_context_t *c, sctpa_receiver_t *receiver, sctpa_asks_t why, bool is_asked)
{
    if (is_asked && receiver->asking[why] == 0)
        receiver->asking[why] = c->index + 1;
}

/* Why the packet, which its receiver has to take, asks for a SACK at once; only of a receiver that is surely up, and
 * not shutting down: it answers DATA otherwise then (RFC 9260 9.2). before: it came since the last SACK. */
static void take_asking(const sctpa_context_t *c, sctpa_receiver_t *receiver, const sctpa_owed_sack_t *before,
                        uint8_t is)
{
    const unsigned open = 1 << SCTPA_STATE_ESTABLISHED | 1 << SCTPA_STATE_SHUTDOWN_PENDING,
                   setting_up = 1 << SCTPA_STATE_COOKIE_WAIT | 1 << SCTPA_STATE_COOKIE_ECHOED,
                   states = sctpa_states_before(c, !c->from);
    const bool is_valid = is & SCTPA_ARRIVED_VALID;
    if (!is_up(c) || !(states & open) || states & ~(open | setting_up) || !c->sent->announced || c->sent->restarted ||
        !sctpa_tap_is_on_all_ways(&c->reference->tap, c->tracked, !c->from))
        return;
    ask(c, receiver, SCTPA_ASKS_DUPLICATES, is == SCTPA_ARRIVED_DUPLICATES);
    ask(c, receiver, SCTPA_ASKS_FIRST, is_valid && is & SCTPA_ARRIVED_FIRST);
    ask(c, receiver, SCTPA_ASKS_SECOND, is_valid && before->packets > 0 && before->last_is & SCTPA_ARRIVED_VALID);
    ask(c, receiver, SCTPA_ASKS_IMMEDIATE, is_valid && is & SCTPA_ARRIVED_IMMEDIATE);
    ask(c, receiver, SCTPA_ASKS_GAP, is_valid && leaves_gap(c, receiver));
}

static void take_data(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    sctpa_owed_sack_t *wait = &receiver->wait;
    uint32_t tsn = 0;
    uint16_t bytes = 0;
    if (sctpa_receiver_ignores_duplicate(c, !c->from) && sctpa_receiver_is_observed(c, !c->from))
        sctpa_duplicate_is_ignored(c, receiver);
    uint8_t is = read_data(c, receiver, &tsn, &bytes);
    if (surely_arrives(c))
        take_asking(c, receiver, wait, is);
    int64_t gap_ns = wait->packets > 0 ? c->packet->time_ns - sctpa_context_time_ns(c, wait->last_packet) : 0;
    if (wait->packets == 1 || (wait->packets > 1 && gap_ns < wait->least_gap_ns))
        wait->least_gap_ns = gap_ns;
    if (wait->packets++ == 0) {
        const sctpa_end_t *own = &c->assoc->ends[!c->from];
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

/* Where the packet came from: a SACK may go there from now on. */
static void take_source(const sctpa_context_t *c, sctpa_receiver_t *receiver)
{
    const sctpa_end_t *peer = &c->assoc->ends[c->from];
    if (peer->n_addrs <= 1 || (receiver->source_pair < peer->n_pairs &&
                               sctpa_addr_equal(peer->pairs[receiver->source_pair]->source, &c->packet->source)))
        return;
    receiver->source_pair = c->record->pair;
    receiver->one_source_sacks = 0;
}

void sctpa_receiver_take(sctpa_context_t *c)
{
    bool has_data = c->rows & SCTPA_DATA_ROWS && c->sent;
    receivers_t *all = receivers(c, has_data);
    if (!all)
        return;
    sctpa_receiver_t *own = all->of[c->from], *peer = all->of[!c->from];
    if (c->first_sack) {
        sctpa_sack_answer_take(c, own);
        own->sends_nr_sacks |= (c->rows & SCTPA_ROW(NR_SACK)) != 0;
    }
    if (own && (c->first_sack || c->rows & SCTPA_ROW(SHUTDOWN))) {
        own->wait = (sctpa_owed_sack_t){ .packets = 0 };
        memset(own->asking, 0, sizeof own->asking);
    }
    if (peer)
        take_source(c, peer);
    if (has_data)
        take_data(c, peer);
    if (has_data && c->rows & SCTPA_ROW(OTHER))
        peer->strange_packet = c->index + 1;
    if (peer && peer->packets_fresh < UINT16_MAX)
        peer->packets_fresh++;
    if (!peer)
        return;
    peer->last_packet = c->index;
    if (c->rows & (SCTPA_DATA_ROWS | SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN) | SCTPA_ROW(OTHER)))
        peer->last_causing = c->index;
}
