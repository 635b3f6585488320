/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the register of obligations. Two views of the same packet: an entry is created only where nothing excuses the
 * debtor, an answer is unasked only where nothing that reached its sender could ask for it; between them lies what a
 * capture leaves open. */
#include "obligations_kept.h"

#include "channel_messages.h"
#include "earlier_associations.h"
#include "forward_tsns.h"
#include "idle_paths.h"
#include "initialization.h"
#include "model/negotiated.h"
#include "owed_chunks.h"
#include "t3_bounds.h"
#include "wire/address.h"
#include "wire/auth.h"

enum {
    ENTRIES_MAX = 32,
    /* fast retransmissions in a row that came when a timer was due: a near tap misses one, and sees that timer's */
    FAST_SENT_LATE = 2,
    LEFT_OUT_TIMERS = 3, /* expiries of T3-rtx, the first after an RTO.Initial, that repeated nothing: no single loss */
    SACKS_UNHEEDED = 5,  /* FreeBSD repeats a FORWARD-TSN at the fourth SACK that does not cover it */
    ERRORS_OF_PACKET = 2, /* at most: one of its data, one of its HEARTBEAT */
    TIMERS_BYTES = 2 * SCTPA_REQUEST_TIMERS * sizeof(sctpa_request_count_t),
    PACKETS_PER_SACK = 2,    /* RFC 9260 6.2: "at least every second packet" */
    FORWARD_MOST_TSNS = 1024 /* skipped at once: receivers whose map of TSNs ends may drop what asks for more */
};

/* What may go unanswered in a row for want of an answer that passed, however well the capture was placed. */
#define COUNTS(what) (UINT64_C(1) << SCTPA_OWED_##what)
static const uint64_t counted = COUNTS(INIT) | COUNTS(COOKIE_ECHO) | COUNTS(SACK) | COUNTS(FORWARD_TSN) |
                                COUNTS(HEARTBEAT) | COUNTS(SHUTDOWN) | COUNTS(SHUTDOWN_SENT_DATA) |
                                COUNTS(CROSSED_SHUTDOWN) | COUNTS(SHUTDOWN_ACK) | COUNTS(CROSSED_SHUTDOWN_ACK) |
                                COUNTS(FAST_RETRANSMISSION) | COUNTS(ASCONF) | COUNTS(RE_CONFIG) | COUNTS(CHANNEL_OPEN);

static const uint64_t answers_of[] = {
#define SCTPA_OBLIGATION(id, chapter, answers, ...) [SCTPA_OWED_##id] = (answers),
#include "obligations.def"
};

/* Is it owed by a sender of data, whom SACKs ask? Its key is the TSN, relative, whose acknowledgement ends it. */
static bool is_of_data_sender(unsigned what)
{
    return what == SCTPA_OWED_FAST_RETRANSMISSION || what == SCTPA_OWED_LEFT_OUT_TSN ||
           what == SCTPA_OWED_FORWARD_TSN_AGAIN;
}

static uint64_t key_of(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    return sctpa_hash_bytes(c->tracker->store.seed, chunk->bytes + SCTPA_TLV_HEADER_BYTES,
                            chunk->captured_bytes - SCTPA_TLV_HEADER_BYTES);
}

/* Is nothing outstanding, with a window for the next chunk, so that an endpoint may send now what it has left to send?
 * What a FORWARD-TSN skips is outstanding until a Cumulative TSN Ack covers it (RFC 3758 3.5 C3): the shutdown may
 * wait. A window that the chunk does not fit into is closed for it (RFC 9260 6.1 A). */
static bool has_nothing_outstanding(const sctpa_context_t *c, const sctpa_obligations_t *o, uint8_t endpoint)
{
    const sctpa_direction_t *sent = c->tracked->sides[endpoint].sent;
    return !sent || sent->highest < 0 ||
           (sent->cum_tsn >= MAX(sent->highest, sent->rare->abandoned_to) &&
            sent->a_rwnd_bytes >= MAX(o->longest_bytes[endpoint], (uint32_t)SCTPA_A_RWND_LEAST_BYTES));
}

/* Did either endpoint send a request that may hold data back? */
static bool may_be_held_back(const sctpa_context_t *c)
{
    return c->tracked->sides[0].rare->requests || c->tracked->sides[1].rare->requests;
}

/* May an endpoint have a chunk that is longer than the whole window, up to its PMTU, as all that it sent was not? */
static bool may_hold_a_longer_chunk(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_direction_t *sent = c->tracked->sides[endpoint].sent;
    const uint64_t room_bytes =
        sent && sent->has_a_rwnd ? sent->a_rwnd_bytes : c->tracked->sides[endpoint].window_bytes;
    return (int64_t)room_bytes < sctpa_tap_parameter(&c->reference->tap, endpoint, SCTPA_PARAMETER_PMTU, UINT16_MAX);
}

bool sctpa_obligations_may_have_given_up(const sctpa_context_t *c, uint32_t number, unsigned endpoint)
{
    const sctpa_reference_t *reference = sctpa_reference_at(c->store, number);
    const sctpa_obligations_t *o = reference ? sctpa_reference_part(reference, SCTPA_PART_OBLIGATIONS) : NULL;
    return !o || o->closed_by[endpoint] > 0 ||
           sctpa_obligations_is_perhaps_given_up(&reference->tap, o, (uint8_t)endpoint);
}

static void drop(const sctpa_context_t *c, sctpa_obligations_t *o, sctpa_owed_t **at)
{
    sctpa_owed_t *owed = *at;
    *at = owed->next;
    o->n--;
    sctpa_arena_free(&c->store->arena, owed, sizeof *owed);
}

static void free_entries(sctpa_arena_t *arena, void *part)
{
    const sctpa_obligations_t *o = part;
    if (o->timers)
        sctpa_arena_free(arena, o->timers, TIMERS_BYTES);
    for (sctpa_owed_t *owed = o->first, *next; owed; owed = next) {
        next = owed->next;
        sctpa_arena_free(arena, owed, sizeof *owed);
    }
}

static sctpa_owed_t *find(const sctpa_obligations_t *o, sctpa_obligation_t what, uint8_t debtor, bool is_counted)
{
    sctpa_owed_t *owed = o->first;
    while (owed && (owed->what != what || owed->debtor != debtor || owed->is_counted != is_counted))
        owed = owed->next;
    return owed;
}

/* An entry behind the others; NULL: there are too many. */
static sctpa_owed_t *append(const sctpa_context_t *c, sctpa_obligations_t *o, sctpa_obligation_t what, uint64_t key,
                            uint8_t debtor)
{
    sctpa_owed_t **at = &o->first;
    while (*at)
        at = &(*at)->next;
    if (o->n == ENTRIES_MAX)
        return NULL;
    o->n++;
    *at = sctpa_arena_alloc(&c->store->arena, sizeof **at);
    **at = (sctpa_owed_t){ .key = key,
                           .packet = c->index,
                           .since_packet = c->index,
                           .last_ask = c->index,
                           .newest_ask = c->index,
                           .asks = 1,
                           .what = (uint8_t)what,
                           .debtor = debtor };
    return *at;
}

/* Does the user assert that the capture holds all that reached the debtor, and all that it sent? */
static bool is_decided(const sctpa_context_t *c, uint8_t debtor)
{
    return sctpa_tap_is_asserted(&c->reference->tap, debtor, SCTPA_ASSERTED_ARRIVED);
}

/* How long an answer that is due at once may take. One that is late must not show how long answers take: what those
 * before show counts. */
static int64_t patience_ns(const sctpa_obligations_t *o, uint8_t debtor)
{
    return MAX(SCTPA_OWED_MS * SCTPA_NS_PER_MS, 3 * o->answer_ns[debtor]);
}

/* The debtor is asked once more, for the same where it is decided what reached it, else for the same kind of answer.
 * One burst of loss explains that what was sent together was not answered. */
static void ask_again(const sctpa_context_t *c, const sctpa_obligations_t *o, sctpa_owed_t *owed)
{
    owed->newest_ask = c->index;
    if (owed->asks == UINT8_MAX || sctpa_context_least_since_ns(c, owed->last_ask) <= patience_ns(o, owed->debtor))
        return;
    owed->asks++;
    owed->last_ask = c->index;
}

/* A retransmission that came late is behind: another TSN is due. */
static void renew_fast(const sctpa_context_t *c, sctpa_owed_t *owed, uint64_t key)
{
    if (!owed->is_held)
        return;
    owed->key = key;
    owed->newest_ask = c->index;
    owed->is_held = false;
}

/* Is it kept what is owed to the debtor of the packet, or what it owes, each by itself? */
static bool is_kept(const sctpa_context_t *c)
{
    return sctpa_obligations_are_kept(c->store) || is_decided(c, !c->from);
}

/* Enters it, unless the same is owed already: who is asked again owes it since the first time. */
static void enter_once(const sctpa_context_t *c, sctpa_obligations_t *o, sctpa_obligation_t what, uint64_t key,
                       bool is_unsure, bool is_counted)
{
    sctpa_owed_t *same = o->first;
    while (same && (same->what != what || same->debtor == c->from || same->is_counted != is_counted ||
                    (same->key != key && !is_counted)))
        same = same->next;
    if (same && is_counted && what == SCTPA_OWED_FAST_RETRANSMISSION)
        renew_fast(c, same, key);
    else if (same)
        ask_again(c, o, same);
    sctpa_owed_t *owed = same ? NULL : append(c, o, what, key, !c->from);
    if (!owed)
        return;
    owed->is_counted = is_counted;
    owed->is_unsure = is_unsure;
    owed->is_held = what == SCTPA_OWED_CHANNEL_OPEN;
    owed->is_likely = owed->is_held || (c->rows & SCTPA_ROW(AUTH) && c->record->auth != 1u + SCTPA_AUTH_GOOD);
}

static void enter(const sctpa_context_t *c, sctpa_obligations_t *o, sctpa_obligation_t what, uint64_t key,
                  bool is_unsure)
{
    if (is_kept(c))
        enter_once(c, o, what, key, is_unsure, false);
    if (counted >> what & 1 && !is_decided(c, !c->from))
        enter_once(c, o, what, key, is_unsure, true);
}

/* What the debtor has not sent yet may excuse what the packet entered. */
static void note_likely(const sctpa_context_t *c, const sctpa_obligations_t *o, sctpa_obligation_t what)
{
    for (sctpa_owed_t *owed = o->first; owed; owed = owed->next)
        owed->is_likely |= owed->what == what && owed->debtor != c->from && owed->packet == c->index;
}

/* The timer of each request of the packet runs from now on; of what left when the end of the association was under way
 * to its sender none does. */
static void enter_timers(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    for (unsigned i = 0; i < c->n_chunks; i++) {
        uint64_t key;
        const sctpa_obligation_t what = sctpa_request_timer_of(c, &c->chunks[i], &key);
        const bool is_of_another = what == SCTPA_OWED_T1_INIT || what == SCTPA_OWED_T1_COOKIE;
        if (what == SCTPA_OBLIGATIONS || find(o, what, c->from, false) || (o->closed_by[c->from] > 0 && !is_of_another))
            continue;
        if (!o->timers)
            o->timers = sctpa_arena_alloc(&c->store->arena, TIMERS_BYTES);
        const unsigned timer = what - SCTPA_OWED_T1_INIT;
        uint32_t *n = &o->timers[c->from][timer].n;
        *n = o->timers[c->from][timer].key == key ? *n + (*n < UINT32_MAX) : 1;
        o->timers[c->from][timer].key = key;
        sctpa_owed_t *owed = append(c, o, what, key, c->from);
        if (!owed)
            return;
        owed->patience_ns = sctpa_request_timer_patience_ns(
            c, what, sctpa_obligations_has_repeated(o, c->from) ? 0 : *n, &owed->rests_on);
        owed->may_be_last = *n > sctpa_request_timer_limit(c, what);
        owed->is_likely = sctpa_request_timer_may_go_elsewhere(c, what) ||
                          (what == SCTPA_OWED_T3_DATA && sctpa_context_may_abandon(c));
    }
}

/* Where the entry of the path to an address stands: it is NULL there if there is none. */
static sctpa_owed_t **find_idle(sctpa_obligations_t *o, unsigned address, uint8_t debtor)
{
    sctpa_owed_t **at = &o->first;
    while (*at && !(sctpa_idle_path_is((*at)->what) && (*at)->debtor == debtor && (*at)->key == address))
        at = &(*at)->next;
    return at;
}

static void enter_idle(const sctpa_context_t *c, sctpa_obligations_t *o, sctpa_obligation_t what, unsigned address,
                       uint8_t endpoint, uint32_t since)
{
    uint32_t rests_on;
    const bool is_used = since == c->index && c->from == endpoint && sctpa_idle_path_is_used(c);
    const int64_t patience_ns = sctpa_idle_path_patience_ns(c, endpoint, what, is_used, &rests_on);
    sctpa_owed_t *owed = patience_ns > 0 ? *find_idle(o, address, endpoint) : NULL;
    if (patience_ns > 0 && !owed)
        owed = append(c, o, what, address, endpoint);
    if (!owed)
        return;
    owed->what = (uint8_t)what;
    owed->is_held = false;
    owed->packet = since;
    owed->since_packet = c->index;
    owed->patience_ns = patience_ns;
    owed->rests_on = rests_on;
    owed->is_likely = !is_used;
    /* all that waits for an answer, and the packet, may hold data and a HEARTBEAT, each of which may be an error */
    owed->may_be_last = ERRORS_OF_PACKET * (o->probes[endpoint] + 1) + 1 >
                        sctpa_tap_parameter(&c->reference->tap, endpoint, SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS, 1);
}

/* The association comes up at an endpoint with the packet, which holds a COOKIE ACK: HEARTBEATs begin. Who got the
 * COOKIE ECHO has confirmed none but the address that its INIT ACK went to (RFC 9260 5.4). */
static void enter_listed(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t endpoint)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_init_t *own = &c->assoc->ends[endpoint].init;
    if (!i || !own->seen || c->assoc->collision || c->assoc->restart_of != SCTPA_NO_ASSOC)
        return;
    const uint8_t initiator = c->from == endpoint ? !endpoint : endpoint;
    const uint32_t echo = i->endpoints[initiator].echo_packet;
    for (unsigned address = 0; address < SCTPA_IDLE_PATHS_KEPT && sctpa_initialization_has(echo); address++) {
        const sctpa_addr_t *addr =
            sctpa_idle_path_is_listed(c, endpoint, address) ? &c->assoc->ends[!endpoint].addrs[address].addr : NULL;
        if (!addr || *find_idle(o, address, endpoint))
            continue;
        const bool is_known =
            initiator == endpoint || sctpa_context_has_sent(c, endpoint, SCTPA_CHUNK_ROW_INIT_ACK, NULL, addr);
        const bool has_sent = sctpa_context_has_sent(c, endpoint, SCTPA_CHUNK_ROW_COOKIE_ECHO, NULL, addr) ||
                              sctpa_context_has_sent(c, endpoint, SCTPA_CHUNK_ROW_COOKIE_ACK, NULL, addr);
        const bool is_since_packet = c->from == endpoint && is_known;
        enter_idle(c, o, is_known ? SCTPA_OWED_IDLE_PATH : SCTPA_OWED_UNCONFIRMED_PATH, address, endpoint,
                   is_since_packet ? c->index : echo);
        sctpa_owed_t *owed = *find_idle(o, address, endpoint);
        if (owed)
            owed->is_likely = !has_sent;
    }
}

/* It is due since the packet, where it is held or was until then. */
static void hold(const sctpa_context_t *c, sctpa_owed_t *owed, bool is_held)
{
    if (is_held || owed->is_held)
        owed->since_packet = c->index;
    owed->is_held = is_held;
}

/* A HEARTBEAT to a path that is potentially failed is due while no data is outstanding there. */
static void hold_failing_paths(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    for (sctpa_owed_t *owed = o->first; owed; owed = owed->next)
        if (owed->what == SCTPA_OWED_FAILING_PATH)
            hold(c, owed, sctpa_idle_path_has_data(c, owed->debtor, (unsigned)owed->key));
}

/* A path that became potentially failed is due within an RTO (RFC 7829 3), until the peer acknowledges data that took
 * no other. */
static void enter_failing_path(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    sctpa_owed_t **back = find_idle(o, sctpa_idle_path_back(c), !c->from);
    if (*back && (*back)->what == SCTPA_OWED_FAILING_PATH)
        drop(c, o, back);
    sctpa_owed_t *owed = *find_idle(o, sctpa_idle_path_failing(c), c->from);
    if (!owed || owed->what == SCTPA_OWED_FAILING_PATH)
        return;
    owed->what = SCTPA_OWED_FAILING_PATH;
    owed->since_packet = c->index;
    owed->patience_ns = sctpa_idle_path_patience_ns(c, c->from, SCTPA_OWED_FAILING_PATH, false, &owed->rests_on);
}

/* What is owed to paths begins with the association, and anew with each packet that uses the path. */
static void enter_idle_paths(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    for (uint8_t endpoint = 0; endpoint < 2; endpoint++)
        for (sctpa_owed_t **at = &o->first; *at && sctpa_idle_path_is_over(c, endpoint);)
            if (sctpa_idle_path_is((*at)->what) && (*at)->debtor == endpoint)
                drop(c, o, at);
            else
                at = &(*at)->next;
    if (c->rows & SCTPA_ROW(COOKIE_ACK))
        for (uint8_t endpoint = 0; endpoint < 2; endpoint++)
            enter_listed(c, o, endpoint);
    enter_failing_path(c, o);
    hold_failing_paths(c, o);
    const unsigned address = sctpa_idle_path_is_used(c) ? sctpa_idle_path_of(c) : SCTPA_IDLE_PATHS_KEPT;
    const uint8_t established = T | P | R;
    if (address < SCTPA_IDLE_PATHS_KEPT && !sctpa_idle_path_is_over(c, c->from) &&
        (*find_idle(o, address, c->from) ||
         (sctpa_states_surely_in(sctpa_states_before(c, c->from), established) && c->rows & SCTPA_ROW(HEARTBEAT) &&
          sctpa_context_chunks(c, 0, SCTPA_CHUNK_ROW_ASCONF) + sctpa_context_chunks(c, 1, SCTPA_CHUNK_ROW_ASCONF) ==
              0)))
        enter_idle(c, o, SCTPA_OWED_IDLE_PATH, address, c->from, c->index);
}

/* May an endpoint without association take the packet: none has announced there that it accepts checksum 0 (RFC 9653
 * 5.3)? */
static bool is_for_anybody(const sctpa_context_t *c)
{
    return c->record->checksum != SCTPA_CHECKSUM_ZERO;
}

/* RFC 9260 8.4: what the receiver of a packet of no association discards silently, or answers otherwise. */
static bool is_answered_by_abort(const sctpa_context_t *c)
{
    const uint64_t others = SCTPA_ROW(ABORT) | SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(SHUTDOWN_ACK) |
                            SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ERROR) | SCTPA_ROW(COOKIE_ACK);
    return c->n_chunks > 0 && !(c->rows & others) && is_for_anybody(c) && sctpa_tlv_is_framed(&c->chunks[0].tlv) &&
           c->packet->captured_bytes == c->packet->wire_bytes;
}

/* A SHUTDOWN, or the SACK for the last data that was outstanding when it came. */
static void enter_shutdown(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const bool is_told = sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_SHUTDOWN);
    o->is_told_to_shut_down[!c->from] |= is_told;
    if (!(is_told || (o->is_told_to_shut_down[!c->from] && c->rows & SCTPA_SACK_ROWS)) || may_be_held_back(c) ||
        !has_nothing_outstanding(c, o, !c->from))
        return;
    if (sctpa_states_surely_in(states, S))
        enter(c, o, SCTPA_OWED_CROSSED_SHUTDOWN, 0, false);
    else if (sctpa_states_surely_in(states, T | P | R))
        enter(c, o, SCTPA_OWED_SHUTDOWN, 0, false);
    if (may_hold_a_longer_chunk(c, !c->from))
        note_likely(c, o, SCTPA_OWED_SHUTDOWN);
}

/* A SACK that was asked for by a packet before, which created nothing (may_create). */
static void enter_waiting_sack(const sctpa_context_t *c, sctpa_obligations_t *o, uint32_t since_packet)
{
    enter_once(c, o, SCTPA_OWED_SACK, 0, false, true);
    sctpa_owed_t *made = find(o, SCTPA_OWED_SACK, !c->from, true);
    if (!made)
        return;
    made->packet = made->last_ask = since_packet;
    ask_again(c, o, made);
}

/* Data that it has to take, or answer as a duplicate: the receiver counts it as what it owes a SACK for (receiver.h).
 * After a SHUTDOWN it may discard data (RFC 9260 6). */
static void enter_sack(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const uint64_t resets = SCTPA_ROW(RE_CONFIG);
    const bool is_data =
        sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_DATA) || sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_I_DATA);
    const sctpa_sack_owed_t owed = sctpa_receiver_owes(c, c->receivers[!c->from]);
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const bool is_setting_up = i && i->endpoints[!c->from].echoes > 0 && !o->has_cookie_ack[!c->from] &&
                               !sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_COOKIE_ACK);
    bool is_open = (sctpa_states_surely_in(states, T | P | S) && !is_setting_up) || sctpa_packet_holds_sound_cookie(c);
    sctpa_owed_t *same = find(o, SCTPA_OWED_SACK, !c->from, false), *all = find(o, SCTPA_OWED_SACK, !c->from, true);
    if (is_data && same)
        same->since_packet = c->index;
    if (is_data && all) {
        all->since_packet = c->index;
        ask_again(c, o, all);
    }
    if (!is_data || !is_open || owed.packets == 0 || c->rows & resets ||
        sctpa_packet_lacks_auth(c, SCTPA_CHUNK_ROW_DATA) || sctpa_packet_lacks_auth(c, SCTPA_CHUNK_ROW_I_DATA))
        return;
    if (owed.since_packet == c->index)
        enter(c, o, SCTPA_OWED_SACK, 0, false);
    else if (!all && !is_decided(c, !c->from))
        enter_waiting_sack(c, o, owed.since_packet);
    if (sctpa_states_surely_in(states, S))
        enter(c, o, SCTPA_OWED_SHUTDOWN_SENT_DATA, 0, false);
    if (sctpa_states_surely_in(states, S) && !(c->facts & SCTPA_FACT_NEW_DATA) && c->first_data->sent.tsn &&
        sctpa_receiver_has(c->first_data->sent.tsn) == SCTPA_YES)
        enter(c, o, SCTPA_OWED_SHUTDOWN_SENT_DUPLICATE, 0, false);
}

/* Was the TSN sent first after all that was sent again? A Fast Recovery in which that was done ended below it. */
static bool is_behind_retransmissions(const sctpa_direction_t *sent, const sctpa_tsn_t *tsn)
{
    const uint32_t n = sent->rare->rtx.len;
    return n == 0 || sctpa_direction_rtx(sent, n)->packet < tsn->first_packet;
}

/* The TSN behind the Cumulative TSN Ack that reached an endpoint: is it the same as before? */
static bool note_missed(sctpa_obligations_t *o, uint8_t endpoint, int64_t number)
{
    const bool is_same = o->missed[endpoint] == number;
    o->missed[endpoint] = number;
    o->misses[endpoint] = is_same ? o->misses[endpoint] : 0;
    return is_same;
}

/* RFC 9260 7.2.4: the third SACK in a row that newly acknowledges TSNs above the lowest one outstanding, of a sender
 * that has retransmitted nothing since that was sent, so that it is not in Fast Recovery, and whose data went one way.
 * What it gives up instead a FORWARD-TSN tells within 500 ms (RFC 3758 3.5 C3, F3). */
static void enter_fast_retransmission(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const sctpa_direction_t *acked = c->acked;
    const uint8_t to = !c->from;
    if (!c->first_sack || !acked || !acked->has_cum)
        return;
    const int64_t number = acked->cum_tsn + 1;
    const bool is_same = note_missed(o, to, number);
    if (!is_same || !(c->facts & SCTPA_FACT_NEWLY_ACKED) || c->sack.n_gaps == 0)
        return;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(acked, number);
    o->misses[to] += o->misses[to] < UINT8_MAX;
    if (o->misses[to] == SCTPA_MISSES_FAST && tsn && tsn->transmissions == 1 && is_behind_retransmissions(acked, tsn) &&
        !sctpa_packet_may_be_too_big(acked, tsn->first_packet, o->arrived_bytes[to]) && !acked->restarted &&
        !acked->truncated && acked->rare->abandoned_to < number && acked->paths.len <= 1 &&
        sctpa_tap_is_on_all_ways(&c->reference->tap, c->tracked, to) && sctpa_states_surely_in(states, T | P | R)) {
        enter(c, o, SCTPA_OWED_FAST_RETRANSMISSION, (uint64_t)number, false);
        if (sctpa_given_up(c->assoc, acked, INT64_MAX) != SCTPA_NO)
            note_likely(c, o, SCTPA_OWED_FAST_RETRANSMISSION);
    }
}

/* Did packets of an endpoint pass the tap to all addresses that its peer listed? */
static bool shows_all_ways(const sctpa_context_t *c, uint8_t endpoint)
{
    return c->assoc->ends[endpoint].n_paths >= c->assoc->ends[!endpoint].n_addrs;
}

static void enter_left_out_once(const sctpa_context_t *c, sctpa_obligations_t *o, bool is_counted)
{
    const int64_t number = c->acked->cum_tsn + 1;
    const sctpa_tsn_t *behind = sctpa_direction_tsn(c->acked, number + 1);
    const bool is_new = !find(o, SCTPA_OWED_LEFT_OUT_TSN, !c->from, is_counted) && (behind || is_counted);
    sctpa_owed_t *owed = is_new ? append(c, o, SCTPA_OWED_LEFT_OUT_TSN, (uint64_t)number, !c->from) : NULL;
    if (!owed)
        return;
    owed->is_counted = is_counted;
    if (behind)
        owed->packet = behind->first_packet;
}

/* RFC 9260 3.3.1, RFC 3758 3.5 C3, F3: the SACK reaches up to a TSN that never left, though the one behind it did. What
 * was given up unsent is told by a FORWARD-TSN within 500 ms; what waits for another path has left by then, too. Of
 * others the packet that leaves it out shows it (TX-001). */
static void enter_left_out(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const sctpa_direction_t *acked = c->acked;
    if (!c->first_sack || !acked || !acked->announced || acked->restarted || acked->truncated ||
        acked->highest <= acked->cum_tsn + 1 || sctpa_direction_tsn(acked, acked->cum_tsn + 1) ||
        acked->rare->abandoned_to > acked->cum_tsn || !sctpa_states_surely_in(states, T | P | R))
        return;
    const bool is_on_all_ways = sctpa_tap_is_on_all_ways(&c->reference->tap, c->tracked, !c->from);
    const bool is_shown_at_once =
        sctpa_assoc_is_single_homed(c->assoc) && sctpa_given_up(c->assoc, acked, acked->cum_tsn + 1) == SCTPA_NO;
    if (is_kept(c) && is_on_all_ways && !is_shown_at_once)
        enter_left_out_once(c, o, false);
    if (!is_decided(c, !c->from) && (is_on_all_ways || shows_all_ways(c, !c->from)))
        enter_left_out_once(c, o, true);
}

/* RFC 4895 6.3: the receiver listed other algorithms in its HMAC-ALGO. */
static void enter_unlisted_hmac(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    if (sctpa_packet_processed(c) == c->auth_at && sctpa_states_surely_in(states, T | P | R) &&
        sctpa_packet_has_unlisted_hmac(c))
        enter(c, o, SCTPA_OWED_UNLISTED_HMAC, 0, false);
}

/* RFC 9260 6.2: new DATA without user data. */
static void enter_empty_data(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const unsigned n = c->facts & SCTPA_FACT_NEW_DATA ? sctpa_packet_processed(c) : 0;
    unsigned i = 0;
    while (i < n && !(c->chunks[i].row == SCTPA_CHUNK_ROW_DATA && sctpa_observed_is_new(&c->chunks[i]) &&
                      c->chunks[i].tlv.length == c->chunks[i].tlv.row->fixed_bytes))
        i++;
    if (i < n && sctpa_states_surely_in(states, T | P | R | S) && !sctpa_packet_lacks_auth(c, SCTPA_CHUNK_ROW_DATA))
        enter(c, o, SCTPA_OWED_EMPTY_DATA, 0, false);
}

/* Does the FORWARD-TSN list only streams that its sender has? O(its streams). */
static bool lists_own_streams(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    const uint32_t entry = chunk->type == SCTPA_CHUNK_I_FORWARD_TSN ? 8 : 4;
    const uint32_t streams = MIN(counts.outbound[c->from], counts.inbound[!c->from]);
    for (uint32_t at = chunk->row->fixed_bytes; at + entry <= chunk->length; at += entry)
        if (sctpa_be16(chunk->bytes + at) >= streams)
            return false;
    return true;
}

/* Is it a FORWARD-TSN between endpoints that both announced it, of the type that goes with their DATA? O(1). */
static bool is_sound_forward_tsn(const sctpa_context_t *c, const sctpa_observed_t *chunk)
{
    const bool is_i = chunk->row == SCTPA_CHUNK_ROW_I_FORWARD_TSN;
    return c->sent && c->sent->announced && !c->sent->restarted && chunk->tlv.captured_bytes >= chunk->tlv.length &&
           sctpa_negotiated(c->assoc, SCTPA_EXTENSION_PARTIAL_RELIABILITY) == SCTPA_YES &&
           sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA) == (is_i ? SCTPA_YES : SCTPA_NO);
}

/* One that skips TSNs which its receiver awaits, or repeats that, asks for a SACK as DATA does; so does one that its
 * receiver has acknowledged (RFC 3758 3.6). Of several the last counts. */
static void enter_sound_forward_tsn(const sctpa_context_t *c, sctpa_obligations_t *o, const sctpa_tlv_t *chunk)
{
    const uint32_t new_cum = sctpa_forward_tsn_new_cum(chunk);
    const int64_t skipped = sctpa_direction_unwrap(c->sent, new_cum) - (c->sent->has_cum ? c->sent->cum_tsn : -1);
    if (skipped <= 0 && c->sent->has_cum && !(c->rows & SCTPA_DATA_ROWS))
        enter(c, o, SCTPA_OWED_OLD_FORWARD_TSN, 0, false);
    if (skipped <= 0 || skipped > FORWARD_MOST_TSNS || !lists_own_streams(c, chunk))
        return;
    bool is_owed[2] = { !is_kept(c), is_decided(c, !c->from) };
    for (sctpa_owed_t *same = o->first; same; same = same->next) {
        if (same->what != SCTPA_OWED_FORWARD_TSN || same->debtor == c->from)
            continue;
        is_owed[same->is_counted] = true;
        ask_again(c, o, same);
        if (sctpa_serial_distance((uint32_t)same->key, new_cum) <= 0)
            continue;
        same->key = new_cum;
        same->packet = same->since_packet = c->index;
    }
    for (unsigned is_counted = 0; is_counted < 2; is_counted++)
        if (!is_owed[is_counted])
            enter_once(c, o, SCTPA_OWED_FORWARD_TSN, new_cum, false, is_counted);
}

/* That of an endpoint which did not announce it asks for an ERROR. */
static void enter_forward_tsn(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const sctpa_observed_t *chunk = sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_FORWARD_TSN);
    const sctpa_init_t *own = &c->assoc->ends[!c->from].init;
    chunk = chunk ? chunk : sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_I_FORWARD_TSN);
    if (!chunk || !sctpa_states_surely_in(states, T | P | R | S) || sctpa_packet_lacks_auth(c, (unsigned)chunk->row))
        return;
    if (chunk->row == SCTPA_CHUNK_ROW_FORWARD_TSN && own->whole && sctpa_states_surely_in(states, T | P | R) &&
        sctpa_offers(own, SCTPA_EXTENSION_PARTIAL_RELIABILITY) == SCTPA_NO)
        enter(c, o, SCTPA_OWED_STRANGE_FORWARD_TSN, 0, false);
    if (is_sound_forward_tsn(c, chunk))
        enter_sound_forward_tsn(c, o, &chunk->tlv);
}

/* RFC 3758 3.5 C3, F2, F3: at each SACK below it a FORWARD-TSN is repeated, by some senders at every other one, or once
 * in a round trip, and not later than 500 ms. */
static void enter_forward_tsn_again(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const uint8_t to = !c->from;
    const sctpa_direction_t *acked = c->acked;
    const sctpa_forward_tsn_t *newest = c->first_sack && acked ? sctpa_newest_forward_tsn(c, to) : NULL;
    const int64_t to_tsn = newest ? sctpa_direction_unwrap(acked, newest->new_cum_tsn) : 0;
    if (!newest || sctpa_serial_distance(newest->new_cum_tsn, c->sack.cum_tsn) >= 0 || acked->restarted ||
        acked->sacks.len < SACKS_UNHEEDED || newest->path >= acked->paths.len || to_tsn <= acked->cum_tsn ||
        !sctpa_states_surely_in(states, T | P | R) || !sctpa_tap_is_on_all_ways(&c->reference->tap, c->tracked, to))
        return;
    const uint32_t before = SCTPA_RECORD(&acked->sacks, sctpa_sack_record_t, acked->sacks.len - SACKS_UNHEEDED).packet;
    const int64_t srtt_ns = SCTPA_RECORD(&acked->paths, sctpa_data_path_t, newest->path).srtt_ns;
    if (before > newest->packet && srtt_ns > 0 &&
        sctpa_context_least_ns(c, c->packet->time_ns - newest->time_ns) >= 2 * srtt_ns)
        enter(c, o, SCTPA_OWED_FORWARD_TSN_AGAIN, (uint64_t)to_tsn, false);
}

/* An ASCONF with AUTH, in its turn, between endpoints that list it (RFC 5061 4.2.7, 5.2). */
static void enter_asconf(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const sctpa_observed_t *chunk = sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_ASCONF);
    const sctpa_end_t *ends = c->assoc->ends;
    const uint64_t both = SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK);
    const bool is_listed = (ends[0].init.supported_chunks & ends[1].init.supported_chunks & both) == both;
    if (chunk && is_listed && c->auth_at < (unsigned)(chunk - c->chunks) && sctpa_states_surely_in(states, T | P | R) &&
        sctpa_tlv_u32(&chunk->tlv, SCTPA_F_ASCONF_SERIAL) == ends[c->from].init.initial_tsn)
        enter(c, o, SCTPA_OWED_ASCONF, 0, false);
}

/* is_first: the debtor sent nothing before, so that it is not known which tags it has. */
static void enter_shutdown_ack(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states, bool is_first)
{
    if (!sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_SHUTDOWN_ACK))
        return;
    if (sctpa_states_surely_in(states, S))
        enter(c, o, SCTPA_OWED_SHUTDOWN_ACK, 0, false);
    else if (sctpa_states_surely_in(states, A))
        enter(c, o, SCTPA_OWED_CROSSED_SHUTDOWN_ACK, 0, false);
    else if (sctpa_states_surely_in(states, C | W | E) && sctpa_earlier_is_latest(c) && is_for_anybody(c))
        enter(c, o, SCTPA_OWED_OOTB_SHUTDOWN_ACK, 0, false);
    else if (is_first && is_for_anybody(c))
        enter(c, o, SCTPA_OWED_OOTB_SHUTDOWN_ACK, 0, true);
}

/* Those that ask the peer for a request of its own may wait until it has none outstanding (RFC 6525 5.1.1). */
static bool is_answered_at_once(unsigned type)
{
    return type == SCTPA_PARAM_OUTGOING_RESET || type == SCTPA_PARAM_TSN_RESET || type == SCTPA_PARAM_ADD_OUTGOING;
}

/* A request to reset streams or TSNs, or to add streams, of an endpoint that lists RE-CONFIG as its peer does. */
static void enter_request(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const sctpa_observed_t *chunk = sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_RE_CONFIG);
    const sctpa_end_t *ends = c->assoc->ends;
    const uint32_t listed = ends[0].init.supported_chunks & ends[1].init.supported_chunks;
    if (!chunk || !(listed & SCTPA_ROW(RE_CONFIG)) || !sctpa_states_surely_in(states, T | P | R) ||
        sctpa_packet_lacks_auth(c, SCTPA_CHUNK_ROW_RE_CONFIG))
        return;
    const sctpa_param_list_t *params = sctpa_context_params_of(c, chunk);
    const sctpa_tlv_t *first = params->n > 0 ? &params->params[0] : NULL;
    if (first && is_answered_at_once(first->type) && first->fault == SCTPA_FAULT_NONE &&
        first->captured_bytes >= 2 * SCTPA_TLV_HEADER_BYTES)
        enter(c, o, SCTPA_OWED_RE_CONFIG, sctpa_be32(first->bytes + SCTPA_TLV_HEADER_BYTES), false);
}

/* The first unknown chunk whose type asks for a report (RFC 9260 3.2). An endpoint with an extension of its own knows
 * it. */
static void enter_unknown_chunk(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const unsigned n = MIN(sctpa_packet_processed(c) + 1, c->n_chunks);
    if (!(c->rows & SCTPA_ROW(OTHER)) || !sctpa_states_surely_in(states, T | P | R))
        return;
    for (unsigned i = 0; i < n; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (c->chunks[i].row == SCTPA_CHUNK_ROW_OTHER && sctpa_tlv_is_framed(chunk) && chunk->type & 0x40)
            enter(c, o, SCTPA_OWED_UNKNOWN_CHUNK, chunk->type, false);
    }
}

/* A sound request to open a data channel, the first message of its stream, which the debtor has as well, between
 * endpoints that could close it in answer (RFC 8832 6). */
static void enter_channel_open(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const uint8_t whole = SCTPA_TSN_BEGIN | SCTPA_TSN_END;
    const sctpa_end_t *ends = c->assoc->ends;
    const uint32_t listed = ends[0].init.supported_chunks & ends[1].init.supported_chunks;
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    const unsigned n =
        c->facts & SCTPA_FACT_NEW_DATA && sctpa_states_surely_in(states, T | P) ? sctpa_packet_processed(c) : 0;
    for (unsigned i = 0; i < n; i++) {
        const sctpa_observed_t *data = &c->chunks[i];
        const sctpa_tlv_t *chunk = &data->tlv;
        if (!sctpa_tlv_is_data(chunk) || !sctpa_observed_is_new(data) ||
            sctpa_channel_message(data) != SCTPA_CHANNEL_OPEN || !(listed & SCTPA_ROW(RE_CONFIG)))
            continue;
        const sctpa_tsn_t *tsn = data->sent.tsn;
        const uint32_t bytes = chunk->length - chunk->row->fixed_bytes;
        if ((tsn->flags & (whole | SCTPA_TSN_UNORDERED)) == whole && tsn->ssn == 0 &&
            tsn->stream < sctpa_stream_counts_agreed(&counts, !c->from) && chunk->captured_bytes >= chunk->length &&
            bytes == sctpa_channel_open_bytes(chunk->bytes + chunk->row->fixed_bytes, bytes) &&
            !sctpa_packet_lacks_auth(c, (unsigned)data->row))
            enter(c, o, SCTPA_OWED_CHANNEL_OPEN, (uint64_t)data->sent.number << 16 | tsn->stream, false);
    }
}

/* Where nothing is known of the debtor, only what it has to answer in any state, if the tag is its own. */
static void enter_out_of_the_blue(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states, bool is_first)
{
    const uint64_t answered = SCTPA_DATA_ROWS | SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(SHUTDOWN);
    if (!is_answered_by_abort(c))
        return;
    if (sctpa_states_surely_in(states, C) && sctpa_earlier_is_latest(c))
        enter(c, o, SCTPA_OWED_OOTB, 0, false);
    else if (is_first && c->rows & answered)
        enter(c, o, SCTPA_OWED_OOTB, 0, true);
}

/* What is never shown where it is not decided what reached the debtor. */
static void create_decided(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states, bool is_first)
{
    if (sctpa_packet_is_sound_init_ack(c))
        enter(c, o, SCTPA_OWED_INIT_ACK, 0, false);
    if (sctpa_packet_is_refused_init(c))
        enter(c, o, SCTPA_OWED_REFUSED_INIT, 0, false);
    if (sctpa_packet_is_refused_init_ack(c))
        enter(c, o, SCTPA_OWED_REFUSED_INIT_ACK, 0, false);
    enter_empty_data(c, o, states);
    enter_forward_tsn_again(c, o, states);
    enter_unlisted_hmac(c, o, states);
    enter_unknown_chunk(c, o, states);
    enter_out_of_the_blue(c, o, states, is_first);
}

/* What the packet creates of the debtor, its receiver, whose states before it are states. */
static void create(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const sctpa_observed_t *heartbeat = sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_HEARTBEAT);
    const bool is_first = states == SCTPA_ALL_STATES && !o->has_sent[!c->from];
    if (states & E && sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_COOKIE_ACK))
        states = (uint8_t)((states & ~(C | W | E)) | T);
    if (sctpa_packet_is_sound_init(c))
        enter(c, o, SCTPA_OWED_INIT, 0, false);
    if (sctpa_packet_holds_sound_cookie(c))
        enter(c, o, SCTPA_OWED_COOKIE_ECHO, 0, false);
    if (heartbeat && sctpa_packet_is_sound_heartbeat(c, heartbeat, states))
        enter(c, o, SCTPA_OWED_HEARTBEAT, key_of(c, &heartbeat->tlv), false);
    enter_sack(c, o, states);
    enter_fast_retransmission(c, o, states);
    enter_left_out(c, o, states);
    enter_forward_tsn(c, o, states);
    enter_asconf(c, o, states);
    enter_request(c, o, states);
    enter_channel_open(c, o, states);
    enter_shutdown(c, o, states);
    enter_shutdown_ack(c, o, states, is_first);
    if (is_kept(c))
        create_decided(c, o, states, is_first);
}

/* Did the user of an endpoint read what came up to a TSN: is that acknowledged, and the window as large as it was? */
static bool has_read(const sctpa_context_t *c, uint8_t endpoint, int64_t number)
{
    const sctpa_direction_t *received = c->tracked->sides[!endpoint].sent;
    return received && received->has_cum && received->cum_tsn >= number &&
           received->a_rwnd_bytes >= c->tracked->sides[!endpoint].window_bytes;
}

/* What is owed of data channels is due since the debtor can do it: a request has reached its user, nothing is sent
 * before. One request to reset streams at a time (RFC 6525 5.1.1). */
static void hold_channels(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    for (sctpa_owed_t *owed = o->first; owed; owed = owed->next) {
        const bool is_open = owed->what == SCTPA_OWED_CHANNEL_OPEN;
        if (!is_open && owed->what != SCTPA_OWED_CHANNEL_CLOSE)
            continue;
        const bool is_held = !has_nothing_outstanding(c, o, owed->debtor) ||
                             sctpa_context_chunks(c, owed->debtor, SCTPA_CHUNK_ROW_ASCONF) > 0 ||
                             (is_open && !has_read(c, owed->debtor, (int64_t)(owed->key >> 16))) ||
                             (!is_open && o->is_reconfiguring[owed->debtor]);
        hold(c, owed, is_held);
    }
}

static void ask_for(sctpa_obligations_t *o, uint8_t endpoint, sctpa_asked_t answer, bool is_asked)
{
    o->asked[endpoint][answer] += is_asked && o->asked[endpoint][answer] < UINT16_MAX;
}

/* What the packet may ask its receiver for, in the states in which it answers (RFC 9260 8.3, 9.2). Cookies and
 * shutdowns are answered again whenever a timer expires. */
static void permit(const sctpa_context_t *c, sctpa_obligations_t *o, uint8_t states)
{
    const uint8_t to = !c->from;
    const bool reaches = sctpa_packet_is_receivable(c),
               has_begun = c->rows & (SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK)),
               may_have_association = has_begun || !sctpa_states_surely_in(states, C | W);
    ask_for(o, to, SCTPA_ASKED_INIT_ACK, sctpa_packet_may_be_init(c));
    ask_for(o, to, SCTPA_ASKED_COOKIE_ECHO, sctpa_packet_may_be_init_ack(c));
    ask_for(o, to, SCTPA_ASKED_COOKIE_ACK, sctpa_packet_may_hold_cookie(c));
    for (unsigned i = 0; reaches && may_have_association && c->rows & SCTPA_ROW(HEARTBEAT) && i < c->n_chunks; i++)
        ask_for(o, to, SCTPA_ASKED_HEARTBEAT_ACK, c->chunks[i].row == SCTPA_CHUNK_ROW_HEARTBEAT);
    ask_for(o, to, SCTPA_ASKED_SHUTDOWN_ACK,
            reaches && c->rows & SCTPA_ROW(SHUTDOWN) && (has_begun || !sctpa_states_surely_in(states, C | W | E)));
    ask_for(o, to, SCTPA_ASKED_SHUTDOWN_COMPLETE,
            reaches && c->rows & SCTPA_ROW(SHUTDOWN_ACK) && !sctpa_states_surely_in(states, T | P | R));
}

/* What the other association still has; NULL: the packet's replaces none. */
static sctpa_obligations_t *replaced(const sctpa_context_t *c)
{
    const uint32_t number = c->tracked->rare->replaces;
    const sctpa_reference_t *reference = number != SCTPA_NO_ASSOC ? sctpa_reference_at(c->store, number) : NULL;
    return reference ? sctpa_reference_part(reference, SCTPA_PART_OBLIGATIONS) : NULL;
}

/* An INIT between addresses of another association: its sender has that no more, by whatever way the peer goes on, and
 * owes nothing there. */
static void leave_replaced(const sctpa_context_t *c)
{
    sctpa_obligations_t *left = replaced(c);
    if (!left)
        return;
    if (!c->is_stray)
        sctpa_obligations_count_restart(c, left);
    if (!(c->rows & SCTPA_ROW(INIT)))
        return;
    const uint8_t end = c->tracked->rare->replaces_end;
    left->begins_anew[end] = true;
    for (sctpa_owed_t **at = &left->first; *at;)
        if ((*at)->debtor == end)
            drop(c, left, at);
        else
            at = &(*at)->next;
}

/* Can a packet create anything, or change it? Not the usual ones with data and SACKs, while nothing is owed but a SACK
 * that is not late, and nobody shuts down, where it is not decided what reached the debtor. */
static bool may_create(const sctpa_context_t *c, const sctpa_obligations_t *o)
{
    const sctpa_end_t *ends = c->assoc->ends;
    const bool may_open_channels = ends[0].init.supported_chunks & ends[1].init.supported_chunks & SCTPA_ROW(RE_CONFIG);
    if (o->first || c->is_stray || c->facts & SCTPA_FACT_CONTROL || c->n_chunks == 0 || is_kept(c) ||
        o->is_told_to_shut_down[0] || o->is_told_to_shut_down[1])
        return true;
    return (c->rows & SCTPA_SACK_ROWS && c->sack.n_gaps > 0) ||
           (c->rows & SCTPA_DATA_ROWS &&
            (c->receivers[!c->from]->wait.packets > PACKETS_PER_SACK || c->facts & SCTPA_FACT_RTX ||
             (may_open_channels && c->facts & SCTPA_FACT_NEW_DATA)));
}

/* Whoever began another association between these addresses may discard what is of this one. Set-up answers any. */
static uint8_t states_that_take(const sctpa_context_t *c, uint8_t states)
{
    const uint64_t begins = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK);
    const bool is_set_up_alone = !(c->rows & ~begins) && !is_kept(c);
    return is_set_up_alone || sctpa_earlier_is_latest(c) ? states : (uint8_t)(states | C);
}

/* What the packet creates, where it can. */
static void take_asked(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    const uint8_t states = sctpa_obligations_states_of(c, o, !c->from);
    if (c->facts & SCTPA_FACT_CONTROL)
        permit(c, o, states);
    if (sctpa_packet_is_receivable(c))
        create(c, o, states_that_take(c, states));
}

/* The INIT with which the association began has made no register by itself: nothing follows most of those in a flood.
 */
static sctpa_obligations_t *begin(sctpa_context_t *c)
{
    sctpa_obligations_t *o = sctpa_context_owning_part(c, SCTPA_PART_OBLIGATIONS, sizeof *o, free_entries);
    const uint32_t init = sctpa_context_init_before(c);
    if (init != SCTPA_NO_PACKET_INDEX)
        sctpa_obligations_follow_init(o, sctpa_context_record(c, init)->from);
    return o;
}

void sctpa_obligations_take(sctpa_context_t *c)
{
    sctpa_obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    leave_replaced(c);
    if (!o && sctpa_context_is_first_init(c) && !is_kept(c))
        return;
    if (!o)
        o = begin(c);
    if (may_create(c, o))
        take_asked(c, o);
    else if (c->first_sack && c->acked && c->acked->has_cum)
        note_missed(o, !c->from, c->acked->cum_tsn + 1);
    o->arrived_bytes[!c->from] = MAX(o->arrived_bytes[!c->from], sctpa_packet_arrived_bytes(c));
    if (sctpa_obligations_are_kept(c->store) && !c->is_stray) {
        if (c->facts & SCTPA_FACT_CONTROL || c->first_data)
            enter_timers(c, o);
        enter_idle_paths(c, o);
    }
    for (uint8_t endpoint = 0; endpoint < 2; endpoint++)
        o->answer_ns[endpoint] = sctpa_context_tap_rtt_most_ns(c, endpoint);
    sctpa_obligations_follow(c, o);
    hold_channels(c, o);
}

void sctpa_obligations_close_channel(const sctpa_context_t *c, uint16_t stream, uint32_t asked_packet)
{
    sctpa_obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    const bool is_used = sctpa_obligations_are_kept(c->store) || is_decided(c, c->from);
    sctpa_owed_t *owed = o && is_used ? append(c, o, SCTPA_OWED_CHANNEL_CLOSE, stream, c->from) : NULL;
    if (!owed)
        return;
    owed->packet = asked_packet;
    owed->is_held = owed->is_likely = true;
}

static const struct {
    uint8_t row;
    bool is_used_up; /* each answers one request */
} answers[SCTPA_ASKED] = {
    [SCTPA_ASKED_INIT_ACK] = { SCTPA_CHUNK_ROW_INIT_ACK, true },
    [SCTPA_ASKED_COOKIE_ECHO] = { SCTPA_CHUNK_ROW_COOKIE_ECHO, false },
    [SCTPA_ASKED_COOKIE_ACK] = { SCTPA_CHUNK_ROW_COOKIE_ACK, true },
    [SCTPA_ASKED_HEARTBEAT_ACK] = { SCTPA_CHUNK_ROW_HEARTBEAT_ACK, true },
    [SCTPA_ASKED_SHUTDOWN_ACK] = { SCTPA_CHUNK_ROW_SHUTDOWN_ACK, false },
    [SCTPA_ASKED_SHUTDOWN_COMPLETE] = { SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE, true },
};

static unsigned chunks_of(const sctpa_context_t *c, unsigned row)
{
    unsigned n = 0;
    for (unsigned i = 0; c->rows >> row & 1 && i < c->n_chunks; i++)
        n += c->chunks[i].row == row;
    return n;
}

/* Another HEARTBEAT ACK, and not one that the network doubled: has it an identification of IPv4, another than the last?
 */
static bool is_another_ack(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    const uint16_t before = o->ack_id[c->from];
    if (c->rows & SCTPA_ROW(HEARTBEAT_ACK))
        o->ack_id[c->from] = c->packet->ip_id;
    return c->packet->ip_id != 0 && c->packet->ip_id != before;
}

/* A request that seems to stand twice in the capture may have come twice, and was answered twice then. */
static void answer(sctpa_context_t *c, sctpa_obligations_t *o)
{
    if (!(c->facts & SCTPA_FACT_CONTROL))
        return;
    const bool may_be_repeated =
        c->tracked->rare->twice_at_once > 0 || (!is_another_ack(c, o) && !is_decided(c, c->from));
    for (unsigned i = 0; i < SCTPA_ASKED; i++) {
        uint16_t *asked = &o->asked[c->from][i];
        const unsigned given = chunks_of(c, answers[i].row), needed = answers[i].is_used_up ? given : MIN(given, 1);
        c->unasked |=
            *asked < needed && !(answers[i].is_used_up && may_be_repeated) ? UINT64_C(1) << answers[i].row : 0;
        *asked -= answers[i].is_used_up ? MIN(given, *asked) : 0;
    }
}

/* The HEARTBEAT that a HEARTBEAT ACK answers: the one with the same information; the oldest, where it answers none as
 * it stands. NULL none is owed. O(entries). */
static const sctpa_owed_t *heartbeat_of(const sctpa_context_t *c, const sctpa_obligations_t *o, const sctpa_tlv_t *ack,
                                        bool is_counted)
{
    const uint64_t key = key_of(c, ack);
    const sctpa_owed_t *oldest = NULL;
    for (const sctpa_owed_t *owed = o->first; owed; owed = owed->next) {
        if (owed->what != SCTPA_OWED_HEARTBEAT || owed->debtor != c->from || owed->is_counted != is_counted)
            continue;
        if (owed->key == key)
            return owed;
        oldest = oldest ? oldest : owed;
    }
    return oldest;
}

/* Does the packet, of the debtor, discharge the entry? Of HEARTBEAT ACKs, the first ENTRIES_MAX are looked at. */
static bool is_discharged(const sctpa_context_t *c, const sctpa_obligations_t *o, const sctpa_owed_t *owed)
{
    const uint64_t forward_tsns = SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN);
    unsigned acks = 0;
    if (!(c->rows & answers_of[owed->what]) || c->from != owed->debtor)
        return false;
    if (owed->what == SCTPA_OWED_T3_DATA)
        return c->facts & SCTPA_FACT_RTX || c->rows & forward_tsns;
    if (sctpa_idle_path_is(owed->what))
        return sctpa_idle_path_of(c) == owed->key;
    if (owed->what == SCTPA_OWED_FAST_RETRANSMISSION || owed->what == SCTPA_OWED_LEFT_OUT_TSN)
        return c->rows & SCTPA_ROW(ABORT) || sctpa_packet_holds_tsn(c, (int64_t)owed->key) ||
               sctpa_packet_gives_up(c, (int64_t)owed->key);
    if (owed->what == SCTPA_OWED_FORWARD_TSN)
        return sctpa_packet_covers(c, (uint32_t)owed->key);
    if (sctpa_obligation_is_of_channel(owed->what) && !(c->rows & SCTPA_ROW(ABORT)))
        return sctpa_packet_resets_stream(c, (uint16_t)owed->key) ||
               (owed->what == SCTPA_OWED_CHANNEL_OPEN && sctpa_packet_answers_channel(c, (uint16_t)owed->key));
    if (owed->what != SCTPA_OWED_HEARTBEAT || c->rows & SCTPA_ROW(ABORT))
        return true;
    for (unsigned i = 0; i < c->n_chunks && acks < ENTRIES_MAX; i++)
        if (c->chunks[i].row == SCTPA_CHUNK_ROW_HEARTBEAT_ACK && ++acks &&
            heartbeat_of(c, o, &c->chunks[i].tlv, owed->is_counted) == owed)
            return true;
    return false;
}

/* Is it an ABORT of no association where SHUTDOWN COMPLETE is due (RFC 9260 8.4 5), and nothing else reached its sender
 * that it may answer? */
static bool is_wrong_answer(const sctpa_context_t *c, const sctpa_obligations_t *o, const sctpa_owed_t *owed)
{
    return owed->what == SCTPA_OWED_OOTB_SHUTDOWN_ACK && sctpa_obligations_is_reflected_abort(c) &&
           o->others_asked[c->from] == 0;
}

/* May the packet have been on its way when what it would answer came to the debtor, or waited for the host? */
static bool may_be_of_before(const sctpa_context_t *c, const sctpa_owed_t *owed)
{
    return sctpa_context_least_since_ns(c, owed->packet) <= sctpa_context_host_takes_ns(c, owed->debtor);
}

/* Was the debtor shutting down, so that it answers no HEARTBEAT (RFC 9260 8.3): was its SHUTDOWN on its way when that
 * came? It may be a coincidence that this is the first packet for which the host takes longer, not that of the second.
 */
static bool is_shutting_down(const sctpa_context_t *c, const sctpa_owed_t *owed)
{
    const bool may_wait_for_host =
        !owed->has_sent_else && sctpa_context_least_since_ns(c, owed->packet) <= SCTPA_HOST_TAKES_MS * SCTPA_NS_PER_MS;
    return owed->what == SCTPA_OWED_HEARTBEAT && c->rows & (SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK)) &&
           (may_wait_for_host || may_be_of_before(c, owed));
}

/* The peer of the debtor removed the association, or told it to; or the debtor, of which nothing was known, has one, or
 * was shutting down, or begins anew. */
static bool is_cancelled(const sctpa_context_t *c, const sctpa_owed_t *owed)
{
    const uint64_t end = SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    if (sctpa_obligation_is_of_channel(owed->what) && c->rows & (SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK)))
        return true;
    if (c->from == owed->debtor)
        return owed->is_unsure || is_shutting_down(c, owed) ||
               (owed->what != SCTPA_OWED_INIT && c->rows & SCTPA_ROW(INIT));
    if (is_of_data_sender(owed->what) && c->acked && c->acked->cum_tsn >= (int64_t)owed->key)
        return true;
    return c->rows & end && !c->is_stray;
}

/* May what is owed wait, as SACKs may (RFC 9260 6.2), while what came later is answered? */
static bool may_wait(unsigned what)
{
    return what == SCTPA_OWED_SACK || what == SCTPA_OWED_FORWARD_TSN || what == SCTPA_OWED_OLD_FORWARD_TSN ||
           what == SCTPA_OWED_SHUTDOWN_SENT_DATA || what == SCTPA_OWED_SHUTDOWN_SENT_DUPLICATE ||
           sctpa_obligation_is_of_channel(what);
}

/* Does the packet's SACK, of the debtor, report DATA that came after the packet which created the entry, and not just
 * after it, when both may have waited together for the host? O(gap blocks). */
static bool reports_later_data(const sctpa_context_t *c, const sctpa_owed_t *owed)
{
    if (!c->first_sack || !c->acked || c->acked->restarted)
        return false;
    uint32_t highest = 0;
    for (uint32_t i = 0; i < c->sack.n_gaps + c->sack.n_nr_gaps; i++)
        highest = MAX(highest, sctpa_sack_any_block(&c->sack, i).end);
    const int64_t number = sctpa_context_unwrap(c->acked, c->sack.cum_tsn) + highest;
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->acked, number);
    const uint32_t asked = owed->is_counted ? owed->newest_ask : owed->packet;
    return tsn && tsn->first_packet > asked &&
           sctpa_context_least_ns(c, sctpa_context_time_ns(c, tsn->first_packet) - sctpa_context_time_ns(c, asked)) >
               SCTPA_PACKETS_APART_MS * SCTPA_NS_PER_MS;
}

/* Does the packet, of the debtor, answer what reached it later, or is it another answer to the same? Packets of one
 * sender are processed in their order, but what is to be sent may be queued for another path, or left while a timer
 * expired. Whoever has data left may answer a SHUTDOWN later. answers_earlier: it answers what reached it earlier. */
static bool is_overtaken(const sctpa_context_t *c, const sctpa_obligations_t *o, const sctpa_owed_t *owed,
                         bool answers_earlier)
{
    const uint64_t instead = owed->what == SCTPA_OWED_SHUTDOWN_ACK || owed->what == SCTPA_OWED_CROSSED_SHUTDOWN_ACK ||
                                     owed->what == SCTPA_OWED_OOTB_SHUTDOWN_ACK
                                 ? SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN)
                                 : 0;
    if (c->from != owed->debtor || owed->what == SCTPA_OWED_SHUTDOWN || is_of_data_sender(owed->what) ||
        sctpa_obligation_is_of_channel(owed->what))
        return false;
    if (owed->what == SCTPA_OWED_HEARTBEAT && c->rows & SCTPA_ROW(SHUTDOWN) && !is_shutting_down(c, owed))
        return true;
    if (c->rows & instead && !answers_earlier &&
        (owed->what == SCTPA_OWED_OOTB_SHUTDOWN_ACK || !may_be_of_before(c, owed)))
        return true;
    if ((owed->what == SCTPA_OWED_FORWARD_TSN || owed->what == SCTPA_OWED_SHUTDOWN_SENT_DATA) &&
        reports_later_data(c, owed))
        return true;
    for (const sctpa_owed_t *later = owed->next; later; later = later->next)
        if (!sctpa_request_timer_is(later->what) && later->debtor == owed->debtor &&
            later->is_counted == owed->is_counted && later->packet != owed->packet && is_discharged(c, o, later))
            return !may_wait(later->what) && !is_of_data_sender(later->what) &&
                   (!may_wait(owed->what) || later->what == SCTPA_OWED_SHUTDOWN);
    return false;
}

/* T3-rtx of what is outstanding must have expired sooner where its RTO is known. */
static void bound_by_t3(const sctpa_context_t *c, sctpa_due_t *due)
{
    const int64_t deadline_ns = sctpa_t3_bounds_deadline_ns(c, due->owed.debtor),
                  since_ns = sctpa_context_time_ns(c, due->owed.since_packet);
    if (deadline_ns == INT64_MAX || deadline_ns - since_ns >= due->patience_ns)
        return;
    due->patience_ns = deadline_ns - since_ns;
    due->owed.rests_on |= SCTPA_T3_BOUNDS_REST_ON;
}

static sctpa_due_t due_of(const sctpa_context_t *c, const sctpa_obligations_t *o, const sctpa_owed_t *owed)
{
    sctpa_due_t due = { .owed = *owed,
                        .waited_ns = owed->is_held ? 0 : sctpa_context_least_since_ns(c, owed->since_packet),
                        .patience_ns =
                            sctpa_request_timer_is(owed->what) ? owed->patience_ns : patience_ns(o, owed->debtor) };
    if (owed->what == SCTPA_OWED_T3_DATA)
        bound_by_t3(c, &due);
    return due;
}

void sctpa_obligations_note(GArray *results, const sctpa_due_t *due, sctpa_owed_fate_t fate, uint32_t key,
                            uint32_t settled_by)
{
    if (!results || sctpa_request_timer_is(due->owed.what))
        return;
    const sctpa_owed_result_t result = { .key = key,
                                         .settled_by = settled_by,
                                         .since = due->owed.packet,
                                         .what = due->owed.what,
                                         .debtor = due->owed.debtor,
                                         .fate = (uint8_t)fate,
                                         .waited_ns = due->waited_ns,
                                         .patience_ns = due->patience_ns };
    g_array_append_val(results, result);
}

/* The packet settles an entry. */
static void settle(const sctpa_context_t *c, const sctpa_due_t *due, sctpa_owed_fate_t fate)
{
    sctpa_obligations_note(c->store->owed, due, fate, c->index, c->index);
}

static sctpa_owed_fate_t fate_of(const sctpa_due_t *due)
{
    if (due->is_discharged)
        return due->waited_ns > due->patience_ns ? SCTPA_OWED_FATE_LATE : SCTPA_OWED_FATE_ANSWERED;
    return due->waited_ns > due->patience_ns ? SCTPA_OWED_FATE_MISSING : SCTPA_OWED_FATE_PASSED_OVER;
}

unsigned sctpa_obligations_errors(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    return o ? o->probes[endpoint] + 1u : 0;
}

/* May its debtor have given up instead? Whatever went unanswered is an error, of data the first transmission too. */
static bool may_be_last(const sctpa_context_t *c, const sctpa_owed_t *owed)
{
    const int64_t limit =
        sctpa_tap_parameter(&c->reference->tap, owed->debtor, SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS, 1);
    return owed->may_be_last || (owed->what == SCTPA_OWED_T3_DATA && sctpa_obligations_errors(c, owed->debtor) > limit);
}

const sctpa_owed_t *sctpa_obligations_first(const sctpa_reference_t *reference)
{
    const sctpa_obligations_t *o = sctpa_reference_part(reference, SCTPA_PART_OBLIGATIONS);
    return o ? o->first : NULL;
}

bool sctpa_obligations_is_overdue(const sctpa_context_t *c, const sctpa_owed_t *owed, sctpa_due_t *due)
{
    *due = due_of(c, sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS), owed);
    due->is_at_end = true;
    return due->waited_ns > due->patience_ns && !may_be_last(c, owed);
}

static void ask_about(sctpa_context_t *c, const sctpa_due_t *due, void (*ask)(sctpa_context_t *c))
{
    if (due->n_unanswered == 0)
        settle(c, due, fate_of(due));
    c->due = due;
    c->accused = due->owed.debtor;
    ask(c);
}

/* Something was newly acknowledged: T3-rtx of what is left runs from now on (RFC 9260 6.3.2 R3). */
static void restart_t3(const sctpa_context_t *c, sctpa_owed_t *owed)
{
    const sctpa_tsn_t *lowest = c->acked ? sctpa_direction_tsn(c->acked, c->acked->cum_tsn + 1) : NULL;
    if (owed->what == SCTPA_OWED_T3_DATA && lowest && lowest->transmissions > 0)
        owed->packet = lowest->last_packet;
    owed->since_packet = c->index;
    owed->may_be_last = false;
}

/* A packet stops the timer. Where that of the peer comes when it must have expired, the request was not repeated. */
static void stop_timer(sctpa_context_t *c, sctpa_obligations_t *o, sctpa_owed_t **at, void (*ask)(sctpa_context_t *c))
{
    sctpa_due_t due = due_of(c, o, *at);
    due.is_by_peer = c->from != due.owed.debtor && due.waited_ns > due.patience_ns && !may_be_last(c, *at);
    if (due.owed.what == SCTPA_OWED_T3_DATA)
        o->timers[due.owed.debtor][SCTPA_OWED_T3_DATA - SCTPA_OWED_T1_INIT].n = 0;
    drop(c, o, at);
    if (due.is_by_peer)
        ask_about(c, &due, ask);
}

/* The peer of its debtor sent something, which does not stop the timer: any packet restarts T2-shutdown of a SHUTDOWN
 * (RFC 9260 9.2); who is told to shut down may take its RE-CONFIG request for void, though it still lives. */
static void hear_during_timer(const sctpa_context_t *c, sctpa_owed_t *owed)
{
    if (owed->what == SCTPA_OWED_T2_SHUTDOWN)
        owed->since_packet = c->index;
    owed->is_likely |= owed->what == SCTPA_OWED_RE_CONFIG_TIMER && c->rows & SCTPA_ROW(SHUTDOWN);
}

/* Timers are judged when their endpoint sends something: it repeats the request, or shows that it is still there. */
static void judge_timers(sctpa_context_t *c, sctpa_obligations_t *o, void (*ask)(sctpa_context_t *c))
{
    for (sctpa_owed_t **at = &o->first; *at;) {
        if (!sctpa_request_timer_is((*at)->what)) {
            at = &(*at)->next;
            continue;
        }
        if (sctpa_request_timer_is_stopped(c, (*at)->what, (*at)->key, (*at)->debtor)) {
            stop_timer(c, o, at, ask);
            continue;
        }
        if (sctpa_request_timer_is_t3((*at)->what) && c->from != (*at)->debtor &&
            (c->facts & SCTPA_FACT_NEWLY_ACKED || c->rows & SCTPA_ROW(SHUTDOWN))) {
            restart_t3(c, *at);
            o->timers[(*at)->debtor][(*at)->what - SCTPA_OWED_T1_INIT].n = 1;
        }
        if (c->from != (*at)->debtor && !c->is_stray)
            hear_during_timer(c, *at);
        sctpa_due_t due = due_of(c, o, *at);
        due.is_discharged = is_discharged(c, o, *at);
        if (c->from == due.owed.debtor && c->rows & SCTPA_ROW(ABORT) &&
            (may_be_last(c, *at) || due.waited_ns <= due.patience_ns)) {
            drop(c, o, at);
            continue;
        }
        if (c->is_stray || c->from != due.owed.debtor || (!due.is_discharged && due.waited_ns <= due.patience_ns)) {
            at = &(*at)->next;
            continue;
        }
        drop(c, o, at);
        ask_about(c, &due, ask);
    }
}

bool sctpa_obligations_is_at(const sctpa_context_t *c, uint8_t debtor)
{
    const int64_t rtt_ns = sctpa_context_tap_rtt_most_ns(c, debtor),
                  beyond_ns = sctpa_context_tap_rtt_most_ns(c, !debtor);
    return rtt_ns >= 0 && rtt_ns <= SCTPA_NEAR_NS && rtt_ns <= beyond_ns;
}

/* Requests that were not answered, where it is not decided what reached the debtor: those well apart, without one that
 * the packet may just have answered; or those of which each is followed by something that the debtor shows to have
 * received, without its answer. */
static unsigned unanswered(const sctpa_context_t *c, const sctpa_obligations_t *o, const sctpa_owed_t *owed)
{
    const bool is_fresh = sctpa_context_least_since_ns(c, owed->last_ask) <= patience_ns(o, owed->debtor);
    return MAX(owed->asks - (is_fresh ? 1u : 0u), owed->passed_over);
}

/* The debtor sends something that tells of later packets of its peer, but not what was asked for. */
static void pass_over(const sctpa_context_t *c, const sctpa_obligations_t *o, sctpa_owed_t *owed)
{
    if (owed->newest_ask == owed->passed_ask || owed->passed_over == UINT8_MAX || !is_overtaken(c, o, owed, false))
        return;
    owed->passed_over++;
    owed->passed_ask = owed->newest_ask;
}

/* Did the answer not come, where it is not decided what reached the debtor: SCTPA_UNANSWERED times in a row, until the
 * debtor sends something and thereby shows that it lives? */
static bool is_shown(const sctpa_context_t *c, const sctpa_obligations_t *o, const sctpa_owed_t *owed, sctpa_due_t *due)
{
    *due = due_of(c, o, owed);
    due->n_unanswered = (uint8_t)unanswered(c, o, owed);
    return counted >> owed->what & 1 && c->from == owed->debtor && sctpa_obligations_is_at(c, owed->debtor) &&
           !sctpa_ip_ids_lack(&c->reference->tap.ip_ids[owed->debtor], owed->packet) &&
           (owed->what != SCTPA_OWED_HEARTBEAT || sctpa_owed_has_heartbeats(c, owed->debtor)) &&
           !(c->rows & SCTPA_ROW(ABORT)) && !c->is_stray && !owed->is_unsure && !owed->is_held &&
           due->n_unanswered >= SCTPA_UNANSWERED;
}

/* A retransmission that the third miss asks for came when only a timer sends it: FAST_SENT_LATE times in a row? One
 * that came at once ends the row, and so does an ack without any. */
static sctpa_owed_t **judge_fast(sctpa_context_t *c, sctpa_obligations_t *o, sctpa_owed_t **at,
                                 void (*ask)(sctpa_context_t *c))
{
    sctpa_owed_t *owed = *at;
    const bool is_sent = !owed->is_held && is_discharged(c, o, owed),
               is_late = sctpa_context_least_since_ns(c, owed->newest_ask) > patience_ns(o, owed->debtor);
    if ((is_sent && !is_late) || (!owed->is_held && is_cancelled(c, owed)) || (c->rows & SCTPA_ROW(ABORT))) {
        drop(c, o, at);
        return at;
    }
    owed->is_held |= is_sent;
    owed->passed_over += is_sent;
    if (owed->passed_over < FAST_SENT_LATE || !sctpa_obligations_is_at(c, owed->debtor))
        return &owed->next;
    sctpa_due_t due = due_of(c, o, owed);
    due.n_unanswered = owed->passed_over;
    drop(c, o, at);
    ask_about(c, &due, ask);
    return at;
}

/* Did timers expire in vain, LEFT_OUT_TIMERS times for a TSN that never passed, while its sender lived: would all of
 * its retransmissions have been lost before the tap? */
static bool is_left_out(const sctpa_context_t *c, const sctpa_owed_t *owed)
{
    return owed->what == SCTPA_OWED_LEFT_OUT_TSN && c->from == owed->debtor && !c->is_stray &&
           sctpa_obligations_is_at(c, owed->debtor) && !(c->rows & SCTPA_ROW(ABORT)) &&
           sctpa_context_least_since_ns(c, owed->packet) > ((1 << LEFT_OUT_TIMERS) - 1) * SCTPA_RTO_INITIAL_4960_NS;
}

/* Drops the entry at *at, asks about it, or leaves it, where it is not decided what reached the debtor. Returns where
 * the next one stands. */
static sctpa_owed_t **judge_undecided(sctpa_context_t *c, sctpa_obligations_t *o, sctpa_owed_t **at,
                                      void (*ask)(sctpa_context_t *c))
{
    sctpa_due_t due;
    if ((*at)->what == SCTPA_OWED_FAST_RETRANSMISSION)
        return judge_fast(c, o, at, ask);
    pass_over(c, o, *at);
    bool is_missing = is_shown(c, o, *at, &due);
    if ((*at)->what == SCTPA_OWED_LEFT_OUT_TSN && !is_discharged(c, o, *at) && is_left_out(c, *at)) {
        due.n_unanswered = LEFT_OUT_TIMERS;
        is_missing = true;
    }
    if (!is_missing && !is_discharged(c, o, *at) && !is_cancelled(c, *at))
        return &(*at)->next;
    drop(c, o, at);
    if (is_missing)
        ask_about(c, &due, ask);
    return at;
}

/* The debtor goes on in this association, though its peer restarted and asked again and again. */
static void judge_restart(sctpa_context_t *c, sctpa_obligations_t *o, void (*ask)(sctpa_context_t *c))
{
    const uint8_t debtor = o->restart.debtor;
    if (o->restart.n < SCTPA_UNANSWERED || c->from != debtor || !sctpa_obligations_is_at(c, debtor) || c->is_stray ||
        is_decided(c, debtor))
        return;
    const bool is_fresh = sctpa_context_least_since_ns(c, o->restart.last_packet) <= patience_ns(o, debtor);
    if (o->restart.n - (is_fresh ? 1 : 0) < SCTPA_UNANSWERED)
        return;
    const sctpa_due_t due = { .owed = { .packet = o->restart.first_packet,
                                        .since_packet = o->restart.first_packet,
                                        .what = o->restart.what,
                                        .debtor = debtor },
                              .waited_ns = sctpa_context_least_since_ns(c, o->restart.first_packet),
                              .patience_ns = patience_ns(o, debtor),
                              .n_unanswered = o->restart.n };
    o->restart.n = 0;
    ask_about(c, &due, ask);
}

/* The debtor goes on in this association, though it refused by an ABORT that its peer restarts it. */
static void judge_refusal(sctpa_context_t *c, sctpa_obligations_t *o, void (*ask)(sctpa_context_t *c))
{
    if (is_decided(c, c->from) || !sctpa_obligations_has_refused(c, o))
        return;
    const uint32_t packet = o->refusal.packet - 1;
    const sctpa_due_t due = {
        .owed = { .packet = packet, .since_packet = packet, .what = SCTPA_OWED_INIT, .debtor = c->from },
        .n_unanswered = 1,
        .is_refusal = true
    };
    o->refusal.packet = 0;
    ask_about(c, &due, ask);
}

void sctpa_obligations_judge(sctpa_context_t *c, void (*ask)(sctpa_context_t *c))
{
    sctpa_obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    if (!o)
        return;
    if (c->rows & (SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO)))
        sctpa_initialization_observe(c);
    if (!c->is_stray)
        answer(c, o);
    judge_timers(c, o, ask);
    judge_restart(c, o, ask);
    judge_refusal(c, o, ask);
    bool has_answered = false;
    for (sctpa_owed_t **at = &o->first; *at;) {
        if (sctpa_request_timer_is((*at)->what)) {
            at = &(*at)->next;
            continue;
        }
        if ((*at)->is_counted) {
            at = judge_undecided(c, o, at, ask);
            continue;
        }
        sctpa_due_t due = due_of(c, o, *at);
        const bool is_answered = is_discharged(c, o, *at), is_wrong = is_answered && is_wrong_answer(c, o, *at);
        due.is_discharged = is_answered && !is_wrong;
        due.is_overtaken = is_wrong || (!due.is_discharged && is_overtaken(c, o, *at, has_answered));
        has_answered |= due.is_discharged && (c->rows & SCTPA_ROW(SHUTDOWN_ACK)) != 0;
        if (!due.is_discharged && !due.is_overtaken && due.waited_ns <= due.patience_ns) {
            if (!is_cancelled(c, *at)) {
                (*at)->has_sent_else |= c->from == (*at)->debtor;
                at = &(*at)->next;
                continue;
            }
            if (!due.owed.is_unsure)
                settle(c, &due, SCTPA_OWED_FATE_EXCUSED);
            drop(c, o, at);
            continue;
        }
        drop(c, o, at);
        ask_about(c, &due, ask);
    }
    c->due = NULL;
    c->accused = c->from;
}
