/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the register of obligations. Two views of the same packet: an entry is created only where nothing excuses the
 * debtor, an answer is unasked only where nothing that reached its sender could ask for it; between them lies what a
 * capture leaves open. */
#include "obligations.h"

#include "channel_messages.h"
#include "earlier_associations.h"
#include "endpoint_states.h"
#include "forward_tsns.h"
#include "idle_paths.h"
#include "initialization.h"
#include "model/negotiated.h"
#include "owed_chunks.h"
#include "t3_bounds.h"
#include "wire/address.h"
#include "wire/auth.h"

/* Answers that must be asked for. */
typedef enum {
    ASKED_INIT_ACK,
    ASKED_COOKIE_ECHO,
    ASKED_COOKIE_ACK,
    ASKED_HEARTBEAT_ACK,
    ASKED_SHUTDOWN_ACK,
    ASKED_SHUTDOWN_COMPLETE,
    ASKED
} asked_t;

enum {
    ENTRIES_MAX = 32,
    SACKS_UNHEEDED = 5,      /* FreeBSD repeats a FORWARD-TSN at the fourth SACK that does not cover it */
    HOST_TAKES_MS = 20,      /* however busy, an endpoint has taken what reached it so long ago */
    ERRORS_OF_PACKET = 2,    /* at most: one of its data, one of its HEARTBEAT */
    FORWARD_MOST_TSNS = 1024 /* skipped at once: receivers whose map of TSNs ends may drop what asks for more */
};

typedef struct {
    sctpa_owed_t *first;      /* the oldest */
    uint16_t asked[2][ASKED]; /* by endpoint: requests without answer that reached it; saturates */
    uint8_t n;
    bool has_sent[2];      /* by endpoint: any packet */
    bool begins_anew[2];   /* by endpoint: it sent an INIT, so that it has no other association, and is not set up */
    uint32_t closed_by[2]; /* by endpoint: 1 + the packet by which it ended the association, or was told of its end,
                              and nothing set up another; 0 none */
    int64_t missed[2];     /* by endpoint: number of the TSN behind the Cumulative TSN Ack that reached it last, ... */
    uint8_t misses[2];     /* ... and SACKs since that acknowledge a higher one; saturates */
    uint32_t param_packet[2]; /* by endpoint: 1 + the last INIT that reached it; 0 none */
    uint16_t param[2];        /* ... the first parameter of it that it has to report, if it does not know it; 0 none */
    bool has_cookie_ack[2];   /* by endpoint: a COOKIE ACK reached it, and nothing since that may lead back */
    bool is_reconfiguring[2]; /* by endpoint: a request of its last RE-CONFIG is not answered */
    bool is_told_to_shut_down[2]; /* by endpoint: a SHUTDOWN reached it, and it has not answered it */
    uint32_t aborted[2];          /* 1 + the last ABORT that reached it since it sent anything else, 0 none */
    uint32_t came[2]; /* packets that reached it since it acknowledged any, other than ABORT and SHUTDOWN COMPLETE */
    uint32_t aborts_asked[2];  /* packets that reached it and may have no association, less the ABORTs that it sent */
    uint32_t others_asked[2];  /* the same, of packets that hold something else than SHUTDOWN ACK */
    uint16_t longest_bytes[2]; /* by endpoint: the most user data in a chunk that it sent */
    uint32_t arrived_bytes[2]; /* by endpoint: its largest packet of which TSNs were acknowledged, of IP */
    uint8_t
        probes[2]; /* by endpoint: what it sent, or sent again, for want of an answer since the last one; saturates */
    struct {
        uint64_t key;
        uint32_t n; /* transmissions of that request */
    } timers[2][SCTPA_REQUEST_TIMERS];
    int64_t answer_ns[2]; /* by endpoint: RTT from the tap to it as its answers before the packet show it, -1 none */
    uint32_t unread_packet[2]; /* 1 + the last packet with DATA that it had to discard unread, 0 none */
    uint32_t unread_tsn[2];    /* the first TSN of it */
} obligations_t;

enum {
    C = 1 << SCTPA_STATE_CLOSED,
    W = 1 << SCTPA_STATE_COOKIE_WAIT,
    E = 1 << SCTPA_STATE_COOKIE_ECHOED,
    T = 1 << SCTPA_STATE_ESTABLISHED,
    P = 1 << SCTPA_STATE_SHUTDOWN_PENDING,
    S = 1 << SCTPA_STATE_SHUTDOWN_SENT,
    R = 1 << SCTPA_STATE_SHUTDOWN_RECEIVED,
    A = 1 << SCTPA_STATE_SHUTDOWN_ACK_SENT
};

static const uint64_t answers_of[] = {
#define SCTPA_OBLIGATION(id, chapter, answers, ...) [SCTPA_OWED_##id] = (answers),
#include "obligations.def"
};

const char *sctpa_obligation_request(sctpa_obligation_t what)
{
    static const char *const words[] = {
#define SCTPA_OBLIGATION(id, chapter, answers, request, expected) [SCTPA_OWED_##id] = (request),
#include "obligations.def"
    };
    return words[what];
}

const char *sctpa_obligation_expected(sctpa_obligation_t what)
{
    static const char *const words[] = {
#define SCTPA_OBLIGATION(id, chapter, answers, request, expected) [SCTPA_OWED_##id] = (expected),
#include "obligations.def"
    };
    return words[what];
}

const char *sctpa_owed_fate_word(sctpa_owed_fate_t fate)
{
    static const char *const words[SCTPA_OWED_FATES] = {
        "answered", "late", "passed over", "missing", "excused", "open"
    };
    return words[fate];
}

/* Is it owed by the user of an endpoint, for a data channel? */
static bool is_of_channel(unsigned what)
{
    return what == SCTPA_OWED_CHANNEL_OPEN || what == SCTPA_OWED_CHANNEL_CLOSE;
}

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
static bool has_nothing_outstanding(const sctpa_context_t *c, const obligations_t *o, uint8_t endpoint)
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

/* May the endpoint have given up its association, which it need not tell: has it had more errors in a row than
 * Association.Max.Retrans, of which no least value is known where none is asserted (RFC 9260 8.1)? What it sent again
 * as often as that was sent once before, and its timer may have expired once more. */
static bool may_have_given_up(const sctpa_tap_t *tap, const obligations_t *o, uint8_t endpoint)
{
    return o->probes[endpoint] >= sctpa_tap_parameter(tap, endpoint, SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS, 2);
}

bool sctpa_obligations_may_have_given_up(const sctpa_context_t *c, uint32_t number, unsigned endpoint)
{
    const sctpa_reference_t *reference = sctpa_reference_at(c->store, number);
    const obligations_t *o = reference ? sctpa_reference_part(reference, SCTPA_PART_OBLIGATIONS) : NULL;
    return !o || o->closed_by[endpoint] > 0 || may_have_given_up(&reference->tap, o, (uint8_t)endpoint);
}

/* The states that an endpoint can be in when the packet reaches it, as all that passed towards it has reached it. */
static uint8_t states_of(const sctpa_context_t *c, const obligations_t *o, uint8_t endpoint)
{
    const uint8_t states = sctpa_states_before(c, endpoint), open = states & (T | P | S | R | A),
                  gone = may_have_given_up(&c->reference->tap, o, endpoint) || o->begins_anew[endpoint] ? C : 0;
    if (o->closed_by[endpoint] > 0)
        return C;
    return (uint8_t)((o->has_cookie_ack[endpoint] && open ? open : states) | gone);
}

static void drop(const sctpa_context_t *c, obligations_t *o, sctpa_owed_t **at)
{
    sctpa_owed_t *owed = *at;
    *at = owed->next;
    o->n--;
    sctpa_arena_free(&c->store->arena, owed, sizeof *owed);
}

static void free_entries(sctpa_arena_t *arena, void *part)
{
    for (sctpa_owed_t *owed = ((obligations_t *)part)->first, *next; owed; owed = next) {
        next = owed->next;
        sctpa_arena_free(arena, owed, sizeof *owed);
    }
}

static sctpa_owed_t *find(const obligations_t *o, sctpa_obligation_t what, uint8_t debtor)
{
    sctpa_owed_t *owed = o->first;
    while (owed && (owed->what != what || owed->debtor != debtor))
        owed = owed->next;
    return owed;
}

/* An entry behind the others; NULL: there are too many. */
static sctpa_owed_t *append(const sctpa_context_t *c, obligations_t *o, sctpa_obligation_t what, uint64_t key,
                            uint8_t debtor)
{
    sctpa_owed_t **at = &o->first;
    while (*at)
        at = &(*at)->next;
    if (o->n == ENTRIES_MAX)
        return NULL;
    o->n++;
    *at = sctpa_arena_alloc(&c->store->arena, sizeof **at);
    **at = (sctpa_owed_t){
        .key = key, .packet = c->index, .since_packet = c->index, .what = (uint8_t)what, .debtor = debtor
    };
    return *at;
}

/* Enters it, unless the same is owed already: who is asked again owes it since the first time. */
static void enter(const sctpa_context_t *c, obligations_t *o, sctpa_obligation_t what, uint64_t key, bool is_unsure)
{
    const sctpa_owed_t *same = o->first;
    while (same && (same->what != what || same->debtor == c->from || same->key != key))
        same = same->next;
    sctpa_owed_t *owed = same ? NULL : append(c, o, what, key, !c->from);
    if (!owed)
        return;
    owed->is_unsure = is_unsure;
    owed->is_held = what == SCTPA_OWED_CHANNEL_OPEN;
    owed->is_likely = owed->is_held || (c->rows & SCTPA_ROW(AUTH) && c->record->auth != 1u + SCTPA_AUTH_GOOD);
}

/* Did an endpoint repeat a request, so that the RTO of a path may still be doubled (RFC 9260 6.3.3 E2)? */
static bool has_repeated(const obligations_t *o, uint8_t endpoint)
{
    bool has = false;
    for (unsigned timer = 0; timer < SCTPA_REQUEST_TIMERS; timer++)
        has |= o->timers[endpoint][timer].n > 1;
    return has;
}

/* The timer of each request of the packet runs from now on; of what left when the end of the association was under way
 * to its sender none does. */
static void enter_timers(const sctpa_context_t *c, obligations_t *o)
{
    for (unsigned i = 0; i < c->n_chunks; i++) {
        uint64_t key;
        const sctpa_obligation_t what = sctpa_request_timer_of(c, &c->chunks[i], &key);
        const bool is_of_another = what == SCTPA_OWED_T1_INIT || what == SCTPA_OWED_T1_COOKIE;
        if (what == SCTPA_OBLIGATIONS || find(o, what, c->from) || (o->closed_by[c->from] > 0 && !is_of_another))
            continue;
        const unsigned timer = what - SCTPA_OWED_T1_INIT;
        uint32_t *n = &o->timers[c->from][timer].n;
        *n = o->timers[c->from][timer].key == key ? *n + (*n < UINT32_MAX) : 1;
        o->timers[c->from][timer].key = key;
        sctpa_owed_t *owed = append(c, o, what, key, c->from);
        if (!owed)
            return;
        owed->patience_ns =
            sctpa_request_timer_patience_ns(c, what, has_repeated(o, c->from) ? 0 : *n, &owed->rests_on);
        owed->may_be_last = *n > sctpa_request_timer_limit(c, what);
        owed->is_likely = sctpa_request_timer_may_go_elsewhere(c, what) ||
                          (what == SCTPA_OWED_T3_DATA && sctpa_context_may_abandon(c));
    }
}

/* Where the entry of the path to an address stands: it is NULL there if there is none. */
static sctpa_owed_t **find_idle(obligations_t *o, unsigned address, uint8_t debtor)
{
    sctpa_owed_t **at = &o->first;
    while (*at && !(sctpa_idle_path_is((*at)->what) && (*at)->debtor == debtor && (*at)->key == address))
        at = &(*at)->next;
    return at;
}

static void enter_idle(const sctpa_context_t *c, obligations_t *o, sctpa_obligation_t what, unsigned address,
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
static void enter_listed(const sctpa_context_t *c, obligations_t *o, uint8_t endpoint)
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
static void hold_failing_paths(const sctpa_context_t *c, obligations_t *o)
{
    for (sctpa_owed_t *owed = o->first; owed; owed = owed->next)
        if (owed->what == SCTPA_OWED_FAILING_PATH)
            hold(c, owed, sctpa_idle_path_has_data(c, owed->debtor, (unsigned)owed->key));
}

/* A path that became potentially failed is due within an RTO (RFC 7829 3), until the peer acknowledges data that took
 * no other. */
static void enter_failing_path(const sctpa_context_t *c, obligations_t *o)
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
static void enter_idle_paths(const sctpa_context_t *c, obligations_t *o)
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
static void enter_shutdown(const sctpa_context_t *c, obligations_t *o, uint8_t states)
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
    sctpa_owed_t *made = find(o, SCTPA_OWED_SHUTDOWN, !c->from);
    if (made && made->packet == c->index)
        made->is_likely |= may_hold_a_longer_chunk(c, !c->from);
}

/* Data that it has to take, or answer as a duplicate: the receiver counts it as what it owes a SACK for (receiver.h).
 * After a SHUTDOWN it may discard data (RFC 9260 6). */
static void enter_sack(const sctpa_context_t *c, obligations_t *o, uint8_t states)
{
    const uint64_t resets = SCTPA_ROW(RE_CONFIG);
    const bool is_data =
        sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_DATA) || sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_I_DATA);
    const sctpa_sack_owed_t owed = sctpa_receiver_owes(c, c->receivers[!c->from]);
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const bool is_setting_up = i && i->endpoints[!c->from].echoes > 0 && !o->has_cookie_ack[!c->from] &&
                               !sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_COOKIE_ACK);
    bool is_open = (sctpa_states_surely_in(states, T | P | S) && !is_setting_up) || sctpa_packet_holds_sound_cookie(c);
    sctpa_owed_t *same = find(o, SCTPA_OWED_SACK, !c->from);
    if (is_data && same)
        same->since_packet = c->index;
    if (!is_data || !is_open || owed.packets == 0 || c->rows & resets ||
        sctpa_packet_lacks_auth(c, SCTPA_CHUNK_ROW_DATA) || sctpa_packet_lacks_auth(c, SCTPA_CHUNK_ROW_I_DATA))
        return;
    if (owed.since_packet == c->index)
        enter(c, o, SCTPA_OWED_SACK, 0, false);
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

/* RFC 9260 7.2.4: the third SACK in a row that newly acknowledges TSNs above the lowest one outstanding, of a sender
 * that has retransmitted nothing since that was sent, so that it is not in Fast Recovery, and whose data went one way.
 * What it gives up instead a FORWARD-TSN tells within 500 ms (RFC 3758 3.5 C3, F3). */
static void enter_fast_retransmission(const sctpa_context_t *c, obligations_t *o, uint8_t states)
{
    const sctpa_direction_t *acked = c->acked;
    const uint8_t to = !c->from;
    if (!c->first_sack || !acked || !acked->has_cum)
        return;
    const int64_t number = acked->cum_tsn + 1;
    const bool is_same = o->missed[to] == number;
    o->missed[to] = number;
    if (!is_same || !(c->facts & SCTPA_FACT_NEWLY_ACKED) || c->sack.n_gaps == 0) {
        o->misses[to] = is_same ? o->misses[to] : 0;
        return;
    }
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(acked, number);
    o->misses[to] += o->misses[to] < UINT8_MAX;
    if (o->misses[to] == SCTPA_MISSES_FAST && tsn && tsn->transmissions == 1 && is_behind_retransmissions(acked, tsn) &&
        !sctpa_packet_may_be_too_big(acked, tsn->first_packet, o->arrived_bytes[to]) && !acked->restarted &&
        !acked->truncated && acked->rare->abandoned_to < number && acked->paths.len <= 1 &&
        sctpa_tap_is_on_all_ways(&c->reference->tap, c->tracked, to) && sctpa_states_surely_in(states, T | P | R)) {
        enter(c, o, SCTPA_OWED_FAST_RETRANSMISSION, (uint64_t)number, false);
        sctpa_owed_t *made = find(o, SCTPA_OWED_FAST_RETRANSMISSION, to);
        if (made && made->packet == c->index)
            made->is_likely = sctpa_given_up(c->assoc, acked, INT64_MAX) != SCTPA_NO;
    }
}

/* RFC 9260 3.3.1, RFC 3758 3.5 C3, F3: the SACK reaches up to a TSN that never left, though the one behind it did. What
 * was given up unsent is told by a FORWARD-TSN within 500 ms; what waits for another path has left by then, too. Of
 * others the packet that leaves it out shows it (TX-001). */
static void enter_left_out(const sctpa_context_t *c, obligations_t *o, uint8_t states)
{
    const sctpa_direction_t *acked = c->acked;
    if (!c->first_sack || !acked || !acked->announced || acked->restarted || acked->truncated ||
        acked->highest <= acked->cum_tsn + 1 || sctpa_direction_tsn(acked, acked->cum_tsn + 1) ||
        acked->rare->abandoned_to > acked->cum_tsn || find(o, SCTPA_OWED_LEFT_OUT_TSN, !c->from) ||
        !sctpa_states_surely_in(states, T | P | R) ||
        (sctpa_assoc_is_single_homed(c->assoc) && sctpa_given_up(c->assoc, acked, acked->cum_tsn + 1) == SCTPA_NO) ||
        !sctpa_tap_is_on_all_ways(&c->reference->tap, c->tracked, !c->from))
        return;
    const sctpa_tsn_t *behind = sctpa_direction_tsn(acked, acked->cum_tsn + 2);
    sctpa_owed_t *owed =
        behind ? append(c, o, SCTPA_OWED_LEFT_OUT_TSN, (uint64_t)(acked->cum_tsn + 1), !c->from) : NULL;
    if (owed)
        owed->packet = behind->first_packet;
}

/* RFC 4895 6.3: the receiver listed other algorithms in its HMAC-ALGO. */
static void enter_unlisted_hmac(const sctpa_context_t *c, obligations_t *o, uint8_t states)
{
    if (sctpa_packet_processed(c) == c->auth_at && sctpa_states_surely_in(states, T | P | R) &&
        sctpa_packet_has_unlisted_hmac(c))
        enter(c, o, SCTPA_OWED_UNLISTED_HMAC, 0, false);
}

/* RFC 9260 6.2: new DATA without user data. */
static void enter_empty_data(const sctpa_context_t *c, obligations_t *o, uint8_t states)
{
    const unsigned n = c->facts & SCTPA_FACT_NEW_DATA ? sctpa_packet_processed(c) : 0;
    unsigned i = 0;
    while (i < n && !(c->chunks[i].row == SCTPA_CHUNK_ROW_DATA && sctpa_observed_is_new(&c->chunks[i]) &&
                      c->chunks[i].tlv.length == c->chunks[i].tlv.row->fixed_bytes))
        i++;
    if (i < n && sctpa_states_surely_in(states, T | P | R | S) && !sctpa_packet_lacks_auth(c, SCTPA_CHUNK_ROW_DATA))
        enter(c, o, SCTPA_OWED_EMPTY_DATA, 0, false);
}

/* Does the FORWARD-TSN list only streams that its sender has? */
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

/* Is it a FORWARD-TSN between endpoints that both announced it, of the type that goes with their DATA? */
static bool is_sound_forward_tsn(const sctpa_context_t *c, const sctpa_observed_t *chunk)
{
    const bool is_i = chunk->row == SCTPA_CHUNK_ROW_I_FORWARD_TSN;
    return c->sent && c->sent->announced && !c->sent->restarted && chunk->tlv.captured_bytes >= chunk->tlv.length &&
           sctpa_negotiated(c->assoc, SCTPA_EXTENSION_PARTIAL_RELIABILITY) == SCTPA_YES &&
           sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA) == (is_i ? SCTPA_YES : SCTPA_NO);
}

/* One that skips TSNs which its receiver awaits, or repeats that, asks for a SACK as DATA does; so does one that its
 * receiver has acknowledged (RFC 3758 3.6). Of several the last counts. */
static void enter_sound_forward_tsn(const sctpa_context_t *c, obligations_t *o, const sctpa_tlv_t *chunk)
{
    const uint32_t new_cum = sctpa_forward_tsn_new_cum(chunk);
    const int64_t skipped = sctpa_direction_unwrap(c->sent, new_cum) - (c->sent->has_cum ? c->sent->cum_tsn : -1);
    if (skipped <= 0 && c->sent->has_cum && !(c->rows & SCTPA_DATA_ROWS))
        enter(c, o, SCTPA_OWED_OLD_FORWARD_TSN, 0, false);
    if (skipped <= 0 || skipped > FORWARD_MOST_TSNS || !lists_own_streams(c, chunk))
        return;
    sctpa_owed_t *same = find(o, SCTPA_OWED_FORWARD_TSN, !c->from);
    if (same && sctpa_serial_distance((uint32_t)same->key, new_cum) > 0) {
        same->key = new_cum;
        same->packet = same->since_packet = c->index;
    }
    if (!same)
        enter(c, o, SCTPA_OWED_FORWARD_TSN, new_cum, false);
}

/* That of an endpoint which did not announce it asks for an ERROR. */
static void enter_forward_tsn(const sctpa_context_t *c, obligations_t *o, uint8_t states)
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
static void enter_forward_tsn_again(const sctpa_context_t *c, obligations_t *o, uint8_t states)
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
static void enter_asconf(const sctpa_context_t *c, obligations_t *o, uint8_t states)
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
static void enter_shutdown_ack(const sctpa_context_t *c, obligations_t *o, uint8_t states, bool is_first)
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
static void enter_request(const sctpa_context_t *c, obligations_t *o, uint8_t states)
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
static void enter_unknown_chunk(const sctpa_context_t *c, obligations_t *o, uint8_t states)
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
static void enter_channel_open(const sctpa_context_t *c, obligations_t *o, uint8_t states)
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
static void enter_out_of_the_blue(const sctpa_context_t *c, obligations_t *o, uint8_t states, bool is_first)
{
    const uint64_t answered = SCTPA_DATA_ROWS | SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(SHUTDOWN);
    if (!is_answered_by_abort(c))
        return;
    if (sctpa_states_surely_in(states, C) && sctpa_earlier_is_latest(c))
        enter(c, o, SCTPA_OWED_OOTB, 0, false);
    else if (is_first && c->rows & answered)
        enter(c, o, SCTPA_OWED_OOTB, 0, true);
}

/* What the packet creates of the debtor, its receiver, whose states before it are states. */
static void create(const sctpa_context_t *c, obligations_t *o, uint8_t states)
{
    const sctpa_observed_t *heartbeat = sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_HEARTBEAT);
    const bool is_first = states == SCTPA_ALL_STATES && !o->has_sent[!c->from];
    if (states & E && sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_COOKIE_ACK))
        states = (uint8_t)((states & ~(C | W | E)) | T);
    if (sctpa_packet_is_sound_init(c))
        enter(c, o, SCTPA_OWED_INIT, 0, false);
    if (sctpa_packet_is_sound_init_ack(c))
        enter(c, o, SCTPA_OWED_INIT_ACK, 0, false);
    if (sctpa_packet_holds_sound_cookie(c))
        enter(c, o, SCTPA_OWED_COOKIE_ECHO, 0, false);
    if (heartbeat && sctpa_packet_is_sound_heartbeat(c, heartbeat, states))
        enter(c, o, SCTPA_OWED_HEARTBEAT, key_of(c, &heartbeat->tlv), false);
    if (sctpa_packet_is_refused_init(c))
        enter(c, o, SCTPA_OWED_REFUSED_INIT, 0, false);
    if (sctpa_packet_is_refused_init_ack(c))
        enter(c, o, SCTPA_OWED_REFUSED_INIT_ACK, 0, false);
    enter_sack(c, o, states);
    enter_fast_retransmission(c, o, states);
    enter_left_out(c, o, states);
    enter_empty_data(c, o, states);
    enter_forward_tsn(c, o, states);
    enter_forward_tsn_again(c, o, states);
    enter_unlisted_hmac(c, o, states);
    enter_asconf(c, o, states);
    enter_request(c, o, states);
    enter_unknown_chunk(c, o, states);
    enter_channel_open(c, o, states);
    enter_shutdown(c, o, states);
    enter_shutdown_ack(c, o, states, is_first);
    enter_out_of_the_blue(c, o, states, is_first);
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
static void hold_channels(const sctpa_context_t *c, obligations_t *o)
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

/* All requests of a RE-CONFIG are answered in one; one at a time (RFC 6525 5.1.1). */
static void take_reconfig(const sctpa_context_t *c, obligations_t *o)
{
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_param_list_t *list = sctpa_context_params_of(c, &c->chunks[i]);
        for (uint32_t n = 0; c->chunks[i].row == SCTPA_CHUNK_ROW_RE_CONFIG && n < list->n; n++) {
            const bool is_response = list->params[n].type == SCTPA_PARAM_RECONFIG_RESPONSE;
            o->is_reconfiguring[is_response ? !c->from : c->from] = !is_response;
        }
    }
}

static void ask_for(obligations_t *o, uint8_t endpoint, asked_t answer, bool is_asked)
{
    o->asked[endpoint][answer] += is_asked && o->asked[endpoint][answer] < UINT16_MAX;
}

/* What the packet may ask its receiver for, in the states in which it answers (RFC 9260 8.3, 9.2). Cookies and
 * shutdowns are answered again whenever a timer expires. */
static void permit(const sctpa_context_t *c, obligations_t *o, uint8_t states)
{
    const uint8_t to = !c->from;
    const bool reaches = sctpa_packet_is_receivable(c),
               has_begun = c->rows & (SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK)),
               may_have_association = has_begun || !sctpa_states_surely_in(states, C | W);
    ask_for(o, to, ASKED_INIT_ACK, sctpa_packet_may_be_init(c));
    ask_for(o, to, ASKED_COOKIE_ECHO, sctpa_packet_may_be_init_ack(c));
    ask_for(o, to, ASKED_COOKIE_ACK, sctpa_packet_may_hold_cookie(c));
    for (unsigned i = 0; reaches && may_have_association && c->rows & SCTPA_ROW(HEARTBEAT) && i < c->n_chunks; i++)
        ask_for(o, to, ASKED_HEARTBEAT_ACK, c->chunks[i].row == SCTPA_CHUNK_ROW_HEARTBEAT);
    ask_for(o, to, ASKED_SHUTDOWN_ACK,
            reaches && c->rows & SCTPA_ROW(SHUTDOWN) && (has_begun || !sctpa_states_surely_in(states, C | W | E)));
    ask_for(o, to, ASKED_SHUTDOWN_COMPLETE,
            reaches && c->rows & SCTPA_ROW(SHUTDOWN_ACK) && !sctpa_states_surely_in(states, T | P | R));
}

static void take_longest(const sctpa_context_t *c, obligations_t *o)
{
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (c->chunks[i].sent.tsn)
            o->longest_bytes[c->from] = MAX(o->longest_bytes[c->from], c->chunks[i].sent.tsn->bytes);
}

static void take_init(const sctpa_context_t *c, obligations_t *o)
{
    o->param_packet[!c->from] = c->index + 1;
    o->param[!c->from] = sctpa_packet_may_be_init(c) ? sctpa_packet_unknown_param(c) : 0;
}

/* DATA behind an unknown chunk whose type says to stop. */
static void take_unread(const sctpa_context_t *c, obligations_t *o)
{
    const uint8_t to = !c->from;
    const unsigned n = sctpa_packet_processed(c);
    bool is_unknown = n < c->n_chunks && c->chunks[n].row == SCTPA_CHUNK_ROW_OTHER;
    if (c->first_data && sctpa_packet_find_processed(c, (unsigned)c->first_data->row))
        o->unread_packet[to] = 0;
    else if (c->first_data && is_unknown && c->first_data->sent.tsn) {
        o->unread_packet[to] = c->index + 1;
        o->unread_tsn[to] = sctpa_tlv_u32(&c->first_data->tlv, SCTPA_F_DATA_TSN);
    }
}

/* Does the packet end the association at its receiver with the tag of its sender: an ABORT with the T bit (RFC 9260
 * 8.5.1 B)? */
static bool is_reflected_abort(const sctpa_context_t *c)
{
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    return abort && sctpa_tlv_u32(abort, SCTPA_F_ABORT_T) && c->assoc->ends[c->from].has_vtag &&
           sctpa_context_vtag(c) == c->assoc->ends[c->from].vtag;
}

/* Does the packet end the association at its sender, with the tag of its peer: SHUTDOWN COMPLETE or ABORT without T
 * bit?
 */
static bool is_end(const sctpa_context_t *c)
{
    const sctpa_observed_t *abort = sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_ABORT);
    const sctpa_observed_t *complete = sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE);
    return c->assoc->ends[!c->from].has_vtag && sctpa_context_vtag(c) == c->assoc->ends[!c->from].vtag &&
           ((abort && !sctpa_tlv_u32(&abort->tlv, SCTPA_F_ABORT_T)) ||
            (complete && !sctpa_tlv_u32(&complete->tlv, SCTPA_F_SHUTDOWN_COMPLETE_T)));
}

/* May the receiver of the packet wait for the ASCONF-ACK to an ASCONF that deletes an address? It ignores ABORTs there
 * (RFC 5061 5.3 F4). */
static bool may_be_deleting(const sctpa_context_t *c)
{
    return c->assoc->ends[!c->from].n_addrs > 1 && sctpa_context_chunks(c, !c->from, SCTPA_CHUNK_ROW_ASCONF) >
                                                       sctpa_context_chunks(c, c->from, SCTPA_CHUNK_ROW_ASCONF_ACK);
}

/* May the receiver discard the chunk that ends the association: SHUTDOWN COMPLETE in company (RFC 9260 6.10) or in
 * another state than SHUTDOWN-ACK-SENT; ABORT with DATA (3.3.7), from an address that it does not know, or whose AUTH
 * is missing or may not verify, or to one that it deletes? */
static bool may_ignore_end(const sctpa_context_t *c, uint8_t states)
{
    if (c->rows & SCTPA_ROW(SHUTDOWN_COMPLETE) && (c->n_chunks > 1 || !sctpa_states_surely_in(states, A)))
        return true;
    return !sctpa_packet_is_from_known_address(c) || c->rows & (SCTPA_DATA_ROWS | SCTPA_ROW(AUTH)) ||
           sctpa_packet_lacks_auth(c, SCTPA_CHUNK_ROW_ABORT) || may_be_deleting(c);
}

/* Who sends something else than ABORT has an association, and answers no packet before by one. */
static void follow_aborts(const sctpa_context_t *c, obligations_t *o)
{
    const uint8_t from = c->from, to = !c->from;
    const bool is_abort = c->rows & SCTPA_ROW(ABORT);
    if (!is_abort)
        o->aborted[from] = o->aborts_asked[from] = o->others_asked[from] = 0;
    else if (is_end(c)) /* it may have been without association when these came */
        o->aborts_asked[from] = o->others_asked[from] = o->came[from];
    else if (o->aborts_asked[from] > 0)
        o->aborts_asked[from]--;
    if (is_abort && o->others_asked[from] > o->aborts_asked[from])
        o->others_asked[from] = o->aborts_asked[from];
    if (c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK)))
        o->came[from] = 0;
    o->came[to] += !(c->rows & (SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE)));
    const bool may_lack_it = o->closed_by[to] > 0 || !o->has_sent[to];
    if (is_abort)
        o->aborted[to] = c->index + 1;
    else if (may_lack_it && !(c->rows & SCTPA_ROW(SHUTDOWN_COMPLETE)) && o->aborts_asked[to] < UINT32_MAX) {
        o->aborts_asked[to]++;
        o->others_asked[to] += c->rows != SCTPA_ROW(SHUTDOWN_ACK);
    }
}

/* What counts as an error where no answer comes, and what clears the errors of who receives it (RFC 9260 8.1). */
static void follow_errors(const sctpa_context_t *c, obligations_t *o)
{
    const uint64_t asks = SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(SHUTDOWN) |
                          SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(ASCONF) | SCTPA_ROW(RE_CONFIG),
                   answers = SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ACK) | SCTPA_ROW(HEARTBEAT_ACK) |
                             SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(ASCONF_ACK);
    uint8_t *probes = &o->probes[c->from];
    *probes += *probes < UINT8_MAX && c->rows & asks;
    *probes += *probes < UINT8_MAX && c->facts & SCTPA_FACT_RTX; /* a timer of its own */
    if (sctpa_packet_is_receivable(c) && (c->rows & answers || c->facts & SCTPA_FACT_NEWLY_ACKED))
        o->probes[!c->from] = 0;
}

/* What the packet tells about its sender, and its receiver. */
static void follow(const sctpa_context_t *c, obligations_t *o)
{
    const uint64_t begins = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO);
    const uint8_t from = c->from, to = !c->from;
    const bool reaches = sctpa_packet_is_receivable(c), ends = is_end(c);
    const bool is_told = reaches && (ends || is_reflected_abort(c)) && !may_ignore_end(c, states_of(c, o, to));
    o->has_sent[from] = true;
    if (ends || c->rows & (begins | SCTPA_ROW(SHUTDOWN_ACK)))
        o->is_told_to_shut_down[from] = false;
    if (c->rows & begins)
        o->closed_by[from] = 0;
    if (c->rows & begins & ~SCTPA_ROW(INIT_ACK))
        o->closed_by[to] = 0;
    if (c->rows & (SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ACK)))
        o->begins_anew[from] = (c->rows & SCTPA_ROW(INIT)) != 0;
    if (reaches && c->rows & SCTPA_ROW(COOKIE_ACK))
        o->begins_anew[to] = false;
    if (ends && o->closed_by[from] == 0)
        o->closed_by[from] = c->index + 1;
    if (is_told && o->closed_by[to] == 0)
        o->closed_by[to] = c->index + 1;
    if (ends || c->rows & begins)
        o->has_cookie_ack[0] = o->has_cookie_ack[1] = false;
    o->has_cookie_ack[to] |= reaches && c->rows & SCTPA_ROW(COOKIE_ACK);
    follow_aborts(c, o);
    follow_errors(c, o);
}

/* An INIT between addresses of another association: its sender has that no more, by whatever way the peer goes on, and
 * owes nothing there. */
static void leave_replaced(const sctpa_context_t *c)
{
    const sctpa_tracked_rare_t *rare = c->tracked->rare;
    if (!(c->rows & SCTPA_ROW(INIT)) || rare->replaces == SCTPA_NO_ASSOC)
        return;
    const sctpa_reference_t *reference = sctpa_reference_at(c->store, rare->replaces);
    obligations_t *left = reference ? sctpa_reference_part(reference, SCTPA_PART_OBLIGATIONS) : NULL;
    if (!left)
        return;
    left->begins_anew[rare->replaces_end] = true;
    for (sctpa_owed_t **at = &left->first; *at;)
        if ((*at)->debtor == rare->replaces_end)
            drop(c, left, at);
        else
            at = &(*at)->next;
}

void sctpa_obligations_take(sctpa_context_t *c)
{
    obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    if (!o)
        o = sctpa_context_owning_part(c, SCTPA_PART_OBLIGATIONS, sizeof *o, free_entries);
    const uint8_t states = states_of(c, o, !c->from);
    if (c->facts & SCTPA_FACT_CONTROL)
        permit(c, o, states);
    leave_replaced(c);
    if (sctpa_packet_is_receivable(c)) /* whoever began another association may discard what is of this one */
        create(c, o, sctpa_earlier_is_latest(c) ? states : (uint8_t)(states | C));
    o->arrived_bytes[!c->from] = MAX(o->arrived_bytes[!c->from], sctpa_packet_arrived_bytes(c));
    if (c->rows & SCTPA_DATA_ROWS) {
        take_unread(c, o);
        take_longest(c, o);
    }
    if (c->rows & SCTPA_ROW(INIT))
        take_init(c, o);
    if (c->rows & SCTPA_ROW(RE_CONFIG))
        take_reconfig(c, o);
    if ((c->facts & SCTPA_FACT_CONTROL || c->first_data) && !c->is_stray)
        enter_timers(c, o);
    if (!c->is_stray)
        enter_idle_paths(c, o);
    for (uint8_t endpoint = 0; endpoint < 2; endpoint++)
        o->answer_ns[endpoint] = sctpa_context_tap_rtt_most_ns(c, endpoint);
    follow(c, o);
    hold_channels(c, o);
}

void sctpa_obligations_close_channel(const sctpa_context_t *c, uint16_t stream, uint32_t asked_packet)
{
    obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    sctpa_owed_t *owed = o ? append(c, o, SCTPA_OWED_CHANNEL_CLOSE, stream, c->from) : NULL;
    if (!owed)
        return;
    owed->packet = asked_packet;
    owed->is_held = owed->is_likely = true;
}

uint32_t sctpa_obligations_ended_by_peer(const sctpa_context_t *c)
{
    const obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    const uint32_t closed_by = o ? o->closed_by[c->from] : 0;
    const bool is_by_peer = closed_by > 0 && sctpa_context_record(c, closed_by - 1)->from != c->from;
    return is_by_peer ? closed_by - 1 : SCTPA_NO_PACKET_INDEX;
}

bool sctpa_obligations_unknown_param(const sctpa_context_t *c, uint16_t *type, uint32_t *packet)
{
    const obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    if (!o || o->param[c->from] == 0)
        return false;
    *type = o->param[c->from];
    *packet = o->param_packet[c->from] - 1;
    return true;
}

uint32_t sctpa_obligations_aborted(const sctpa_context_t *c)
{
    const obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    const bool is_answer = o && o->aborted[c->from] > 0 && o->aborts_asked[c->from] == 0 &&
                           c->tracked->rare->twice_at_once == 0; /* each of two may be answered */
    return is_answer ? o->aborted[c->from] - 1 : SCTPA_NO_PACKET_INDEX;
}

bool sctpa_obligations_unread(const sctpa_context_t *c, uint32_t *tsn, uint32_t *packet)
{
    const obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    if (!o || o->unread_packet[c->from] == 0 || !c->first_sack)
        return false;
    *tsn = o->unread_tsn[c->from];
    *packet = o->unread_packet[c->from] - 1;
    return sctpa_serial_distance(*tsn, c->sack.cum_tsn) >= 0;
}

static const struct {
    uint8_t row;
    bool is_used_up; /* each answers one request */
} answers[ASKED] = {
    [ASKED_INIT_ACK] = { SCTPA_CHUNK_ROW_INIT_ACK, true },
    [ASKED_COOKIE_ECHO] = { SCTPA_CHUNK_ROW_COOKIE_ECHO, false },
    [ASKED_COOKIE_ACK] = { SCTPA_CHUNK_ROW_COOKIE_ACK, true },
    [ASKED_HEARTBEAT_ACK] = { SCTPA_CHUNK_ROW_HEARTBEAT_ACK, true },
    [ASKED_SHUTDOWN_ACK] = { SCTPA_CHUNK_ROW_SHUTDOWN_ACK, false },
    [ASKED_SHUTDOWN_COMPLETE] = { SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE, true },
};

static unsigned chunks_of(const sctpa_context_t *c, unsigned row)
{
    unsigned n = 0;
    for (unsigned i = 0; c->rows >> row & 1 && i < c->n_chunks; i++)
        n += c->chunks[i].row == row;
    return n;
}

/* A request that seems to stand twice in the capture may have come twice, and was answered twice then. */
static void answer(sctpa_context_t *c, obligations_t *o)
{
    const bool may_be_repeated = c->tracked->rare->twice_at_once > 0;
    for (unsigned i = 0; i < ASKED; i++) {
        uint16_t *asked = &o->asked[c->from][i];
        const unsigned given = chunks_of(c, answers[i].row), needed = answers[i].is_used_up ? given : MIN(given, 1);
        c->unasked |=
            *asked < needed && !(answers[i].is_used_up && may_be_repeated) ? UINT64_C(1) << answers[i].row : 0;
        *asked -= answers[i].is_used_up ? MIN(given, *asked) : 0;
    }
}

/* The HEARTBEAT that a HEARTBEAT ACK answers: the one with the same information; the oldest, where it answers none as
 * it stands. NULL none is owed. O(entries). */
static const sctpa_owed_t *heartbeat_of(const sctpa_context_t *c, const obligations_t *o, const sctpa_tlv_t *ack)
{
    const uint64_t key = key_of(c, ack);
    const sctpa_owed_t *oldest = NULL;
    for (const sctpa_owed_t *owed = o->first; owed; owed = owed->next) {
        if (owed->what != SCTPA_OWED_HEARTBEAT || owed->debtor != c->from)
            continue;
        if (owed->key == key)
            return owed;
        oldest = oldest ? oldest : owed;
    }
    return oldest;
}

/* Does the packet, of the debtor, discharge the entry? Of HEARTBEAT ACKs, the first ENTRIES_MAX are looked at. */
static bool is_discharged(const sctpa_context_t *c, const obligations_t *o, const sctpa_owed_t *owed)
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
    if (is_of_channel(owed->what) && !(c->rows & SCTPA_ROW(ABORT)))
        return sctpa_packet_resets_stream(c, (uint16_t)owed->key) ||
               (owed->what == SCTPA_OWED_CHANNEL_OPEN && sctpa_packet_answers_channel(c, (uint16_t)owed->key));
    if (owed->what != SCTPA_OWED_HEARTBEAT || c->rows & SCTPA_ROW(ABORT))
        return true;
    for (unsigned i = 0; i < c->n_chunks && acks < ENTRIES_MAX; i++)
        if (c->chunks[i].row == SCTPA_CHUNK_ROW_HEARTBEAT_ACK && ++acks &&
            heartbeat_of(c, o, &c->chunks[i].tlv) == owed)
            return true;
    return false;
}

/* Is it an ABORT of no association where SHUTDOWN COMPLETE is due (RFC 9260 8.4 5), and nothing else reached its sender
 * that it may answer? */
static bool is_wrong_answer(const sctpa_context_t *c, const obligations_t *o, const sctpa_owed_t *owed)
{
    return owed->what == SCTPA_OWED_OOTB_SHUTDOWN_ACK && is_reflected_abort(c) && o->others_asked[c->from] == 0;
}

/* May the packet have been on its way when what it would answer came to the debtor, or waited for the host? */
static bool may_be_of_before(const sctpa_context_t *c, const sctpa_owed_t *owed)
{
    const int64_t answer_ns = sctpa_context_tap_rtt_most_ns(c, owed->debtor);
    return answer_ns < 0 ||
           sctpa_context_least_since_ns(c, owed->packet) <= MAX(answer_ns, HOST_TAKES_MS * SCTPA_NS_PER_MS);
}

/* Was the debtor shutting down, so that it answers no HEARTBEAT (RFC 9260 8.3): was its SHUTDOWN on its way when that
 * came? */
static bool is_shutting_down(const sctpa_context_t *c, const sctpa_owed_t *owed)
{
    return owed->what == SCTPA_OWED_HEARTBEAT && c->rows & (SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK)) &&
           may_be_of_before(c, owed);
}

/* The peer of the debtor removed the association, or told it to; or the debtor, of which nothing was known, has one, or
 * was shutting down, or begins anew. */
static bool is_cancelled(const sctpa_context_t *c, const sctpa_owed_t *owed)
{
    const uint64_t end = SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    if (is_of_channel(owed->what) && c->rows & (SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK)))
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
           what == SCTPA_OWED_SHUTDOWN_SENT_DATA || what == SCTPA_OWED_SHUTDOWN_SENT_DUPLICATE || is_of_channel(what);
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
    return tsn && tsn->first_packet > owed->packet &&
           sctpa_context_least_ns(c, sctpa_context_time_ns(c, tsn->first_packet) -
                                         sctpa_context_time_ns(c, owed->packet)) >
               SCTPA_PACKETS_APART_MS * SCTPA_NS_PER_MS;
}

/* Does the packet, of the debtor, answer what reached it later, or is it another answer to the same? Packets of one
 * sender are processed in their order, but what is to be sent may be queued for another path, or left while a timer
 * expired. Whoever has data left may answer a SHUTDOWN later. answers_earlier: it answers what reached it earlier. */
static bool is_overtaken(const sctpa_context_t *c, const obligations_t *o, const sctpa_owed_t *owed,
                         bool answers_earlier)
{
    const uint64_t instead = owed->what == SCTPA_OWED_SHUTDOWN_ACK || owed->what == SCTPA_OWED_CROSSED_SHUTDOWN_ACK ||
                                     owed->what == SCTPA_OWED_OOTB_SHUTDOWN_ACK
                                 ? SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN)
                                 : 0;
    if (c->from != owed->debtor || owed->what == SCTPA_OWED_SHUTDOWN || is_of_data_sender(owed->what) ||
        is_of_channel(owed->what))
        return false;
    if (owed->what == SCTPA_OWED_HEARTBEAT && c->rows & SCTPA_ROW(SHUTDOWN) && !is_shutting_down(c, owed))
        return true;
    if (c->rows & instead && !answers_earlier && !may_be_of_before(c, owed))
        return true;
    if ((owed->what == SCTPA_OWED_FORWARD_TSN || owed->what == SCTPA_OWED_SHUTDOWN_SENT_DATA) &&
        reports_later_data(c, owed))
        return true;
    for (const sctpa_owed_t *later = owed->next; later; later = later->next)
        if (!sctpa_request_timer_is(later->what) && later->debtor == owed->debtor && later->packet != owed->packet &&
            is_discharged(c, o, later))
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

/* An answer that is late must not show how long answers take: what those before show counts. */
static sctpa_due_t due_of(const sctpa_context_t *c, const obligations_t *o, const sctpa_owed_t *owed)
{
    sctpa_due_t due = { .owed = *owed,
                        .waited_ns = owed->is_held ? 0 : sctpa_context_least_since_ns(c, owed->since_packet),
                        .patience_ns = sctpa_request_timer_is(owed->what)
                                           ? owed->patience_ns
                                           : MAX(SCTPA_OWED_MS * SCTPA_NS_PER_MS, 3 * o->answer_ns[owed->debtor]) };
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
    const obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
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
    const obligations_t *o = sctpa_reference_part(reference, SCTPA_PART_OBLIGATIONS);
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
static void stop_timer(sctpa_context_t *c, obligations_t *o, sctpa_owed_t **at, void (*ask)(sctpa_context_t *c))
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
static void judge_timers(sctpa_context_t *c, obligations_t *o, void (*ask)(sctpa_context_t *c))
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

void sctpa_obligations_judge(sctpa_context_t *c, void (*ask)(sctpa_context_t *c))
{
    obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    if (!o)
        return;
    if (c->rows & (SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO)))
        sctpa_initialization_observe(c);
    if (!c->is_stray)
        answer(c, o);
    judge_timers(c, o, ask);
    bool has_answered = false;
    for (sctpa_owed_t **at = &o->first; *at;) {
        if (sctpa_request_timer_is((*at)->what)) {
            at = &(*at)->next;
            continue;
        }
        sctpa_due_t due = due_of(c, o, *at);
        const bool is_answered = is_discharged(c, o, *at), is_wrong = is_answered && is_wrong_answer(c, o, *at);
        due.is_discharged = is_answered && !is_wrong;
        due.is_overtaken = is_wrong || (!due.is_discharged && is_overtaken(c, o, *at, has_answered));
        has_answered |= due.is_discharged && (c->rows & SCTPA_ROW(SHUTDOWN_ACK)) != 0;
        if (!due.is_discharged && !due.is_overtaken && due.waited_ns <= due.patience_ns) {
            if (!is_cancelled(c, *at)) {
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

bool sctpa_due_is_decided(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

bool sctpa_due_is_violated(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_due_t *due = c->due;
    const sctpa_obligation_t what = (sctpa_obligation_t)due->owed.what;
    const bool is_late = due->waited_ns > due->patience_ns;
    const bool is_replaced = c->assoc->known.end == SCTPA_ASSOC_RESTARTED; /* an endpoint had forgotten it by then */
    if ((!is_late && !due->is_overtaken) || is_replaced)
        return false;
    violation->related = violation->since = due->owed.packet;
    const bool is_guess = sctpa_request_timer_is(due->owed.what) &&
                          (due->is_at_end || due->is_by_peer || !(due->owed.rests_on & SCTPA_ASSERTED(RTO_MAX)));
    violation->rests_on = SCTPA_ASSERTED_ARRIVED | due->owed.rests_on | (due->is_by_quiet ? SCTPA_ASSERTED_QUIET : 0);
    if (due->owed.is_unsure || due->owed.is_likely || !is_late || is_guess)
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("%s within %.0f ms of %s", sctpa_obligation_expected(what), (double)due->patience_ns / 1e6,
                    sctpa_obligation_request(what)),
        is_late ? SCTPA_WORDS(due->is_discharged ? "after %.3f s" : "none within %.3f s", (double)due->waited_ns / 1e9)
                : SCTPA_WORDS("%s, and not that", sctpa_chunk_word(&c->chunks[0].tlv)));
    return true;
}

bool sctpa_is_unasked(const sctpa_context_t *c, unsigned row, const char *expected, sctpa_violation_t *violation)
{
    if (!(c->unasked >> row & 1))
        return false;
    violation->path = c->path;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(violation, expected, SCTPA_WORDS("%s", sctpa_chunk_row_word(row)));
    return true;
}
