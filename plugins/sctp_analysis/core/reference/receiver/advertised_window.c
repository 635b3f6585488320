/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows the window that a receiver advertises. */
#include "advertised_window.h"

#include "base/rare.h"
#include "reference/sender/t3_expiries_limits.h"

static const sctpa_window_trouble_t no_trouble;
static const sctpa_window_t none = { .trouble = &no_trouble };

const sctpa_window_t *sctpa_window_of(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_window_t *window = c->receivers[endpoint]->window;
    return window ? window : &none;
}

static const sctpa_window_t *own(const sctpa_context_t *c)
{
    return sctpa_window_of(c, c->from);
}

static int64_t since_ns(const sctpa_context_t *c, uint32_t packet)
{
    return c->packet->time_ns - sctpa_context_time_ns(c, packet);
}

uint32_t sctpa_window_largest_bytes(const sctpa_context_t *c)
{
    return own(c) == &none ? c->assoc->ends[c->from].init.a_rwnd_bytes : own(c)->largest_bytes;
}

uint32_t sctpa_window_chunk_bytes(const sctpa_context_t *c)
{
    return MAX(own(c)->chunk_bytes, c->receivers[c->from]->wait.first_bytes);
}

/* The end of the last gap block of a SACK, as an offset from its cum_tsn; 0: it has none. */
static uint16_t reported_to(const sctpa_context_t *c, const sctpa_sack_record_t *sack)
{
    uint32_t n;
    const uint32_t *blocks = sctpa_direction_gaps(c->acked, sack->gaps, &n);
    return blocks ? (uint16_t)blocks[n - 1] : 0;
}

/* Does the SACK say the same as the one before it, but for a_rwnd? */
static bool says_the_same(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before,
                              *now = &SCTPA_RECORD(&c->acked->sacks, sctpa_sack_record_t, c->first_sack->sack - 1);
    return now->cum_tsn == before->cum_tsn && reported_to(c, now) == reported_to(c, before) &&
           c->sack.n_duplicates == 0;
}

bool sctpa_window_has_room(const sctpa_context_t *c)
{
    const sctpa_owed_sack_t *wait = &c->receivers[c->from]->wait;
    const sctpa_sack_record_t *before = c->answer.before;
    return sctpa_window_is_advertised(c) && before && wait->packets == 1 && wait->first_is & SCTPA_ARRIVED_NEW &&
           !(wait->first_is & SCTPA_ARRIVED_MIXED) && wait->first_tsn == before->cum_tsn + 1 &&
           wait->first_bytes <= MIN(before->a_rwnd_bytes, c->sack.a_rwnd);
}

unsigned sctpa_window_drops(const sctpa_context_t *c)
{
    const int64_t reaction_ns = SCTPA_REACTION_MS * SCTPA_NS_PER_MS;
    if (!sctpa_window_has_room(c) || !says_the_same(c) || sctpa_sack_is(c, SCTPA_SACK_OPENS) ||
        c->answer.owed.waited_ns > sctpa_receiver_patience_ns(c, c->from, reaction_ns))
        return 0;
    return c->receivers[c->from]->wait.first_tsn == own(c)->trouble->dropped_tsn ? own(c)->trouble->drops + 1u : 1;
}

bool sctpa_window_is_update(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_FOLLOWED | SCTPA_SACK_ALONE | SCTPA_SACK_OPENS) && c->answer.owed.packets == 0 &&
           c->answer.before && says_the_same(c);
}

unsigned sctpa_window_updates(const sctpa_context_t *c, uint32_t *first)
{
    bool is_small =
        c->sack.a_rwnd - c->answer.before->a_rwnd_bytes < sctpa_window_largest_bytes(c) / SCTPA_UPDATE_SMALL_SHARE;
    bool goes_on = own(c)->trouble->updates > 0 && is_small &&
                   since_ns(c, own(c)->trouble->burst_packet) <= SCTPA_UPDATES_BURST_MS * SCTPA_NS_PER_MS;
    *first = goes_on ? own(c)->trouble->burst_packet : c->index;
    return goes_on ? own(c)->trouble->updates + 1u : 1;
}

unsigned sctpa_window_probes(const sctpa_context_t *c)
{
    bool stays_closed = sctpa_window_is_advertised(c) && own(c)->trouble->is_closed && c->answer.before &&
                        c->sack.cum_tsn == c->answer.before->cum_tsn && c->sack.a_rwnd < sctpa_window_chunk_bytes(c);
    return stays_closed ? own(c)->trouble->probes + (c->answer.owed.packets > 0) : 0;
}

bool sctpa_window_is_dormant(const sctpa_context_t *c)
{
    return sctpa_window_probes(c) >= SCTPA_PROBES_DORMANT &&
           since_ns(c, own(c)->trouble->closed_packet) >= SCTPA_DORMANT_S * SCTPA_NS_PER_S;
}

/* The last fragment that was sent, when it does not end its message: the sender has more to send. NULL: it does. */
static const sctpa_tsn_t *last_fragment(const sctpa_direction_t *sent)
{
    const sctpa_tsn_t *last = sent && sent->highest >= 0 ? sctpa_direction_tsn(sent, sent->highest) : NULL;
    return last && !(last->flags & SCTPA_TSN_END) ? last : NULL;
}

bool sctpa_window_awaits_probe(const sctpa_context_t *c, uint8_t endpoint)
{
    const uint64_t others = SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(SHUTDOWN);
    if (!sctpa_window_trouble_of(c, endpoint)->is_closed || !last_fragment(c->tracked->sides[!endpoint].sent))
        return false;
    if (c->rows & SCTPA_SACK_ROWS)
        return endpoint == c->from && sctpa_window_is_advertised(c);
    return c->rows & others && sctpa_assoc_is_single_homed(c->assoc) && !sctpa_tracked_is_ending(c->tracked);
}

int64_t sctpa_window_unprobed_ns(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_window_trouble_t *trouble = sctpa_window_trouble_of(c, endpoint);
    const sctpa_owed_sack_t *wait = &c->receivers[endpoint]->wait;
    if (trouble->probes > 0 || !sctpa_window_awaits_probe(c, endpoint) ||
        !(last_fragment(c->tracked->sides[!endpoint].sent)->state & SCTPA_TSN_ACKED))
        return 0;
    return wait->packets > 0
               ? sctpa_context_time_ns(c, wait->first_packet) - sctpa_context_time_ns(c, trouble->closed_packet)
               : since_ns(c, trouble->closed_packet);
}

bool sctpa_window_is_first_probe(const sctpa_context_t *c)
{
    const sctpa_window_trouble_t *trouble = sctpa_window_trouble_of(c, !c->from);
    if (!trouble->is_closed || trouble->probe_packet > 0 || !c->sent || !c->first_data ||
        !sctpa_observed_is_new(c->first_data))
        return false;
    const sctpa_tsn_t *tsn = c->first_data->sent.tsn;
    return tsn->bytes > c->sent->a_rwnd_bytes && c->sent->flight_bytes == tsn->bytes;
}

unsigned sctpa_window_steady_probes(const sctpa_context_t *c, int64_t *interval_ns)
{
    const sctpa_window_trouble_t *trouble = sctpa_window_trouble_of(c, !c->from);
    if (!trouble->is_closed || trouble->probe_packet == 0 || !c->first_data || c->first_data->sent.rtx == 0 ||
        sctpa_direction_serial(c->sent, c->first_data->sent.number) != trouble->probe_tsn)
        return 0;
    *interval_ns = since_ns(c, trouble->probe_packet);
    return trouble->probe_interval_ns > 0 && *interval_ns < trouble->probe_interval_ns * SCTPA_BACKED_OFF_HALVES / 2
               ? trouble->steady_probes + 1u
               : 0;
}

static sctpa_window_trouble_t *change(const sctpa_context_t *c, sctpa_window_t *window)
{
    sctpa_window_trouble_t *trouble = sctpa_rare_own(window->trouble, &no_trouble, sizeof no_trouble, &c->store->arena);
    window->trouble = trouble;
    return trouble;
}

void sctpa_window_free(sctpa_arena_t *arena, const sctpa_window_t *window)
{
    if (window)
        sctpa_rare_free(window->trouble, &no_trouble, sizeof no_trouble, arena);
    sctpa_arena_free(arena, (sctpa_window_t *)window, sizeof *window);
}

/* What follows an answered HEARTBEAT goes by another RTO. */
static void take_probe(const sctpa_context_t *c, sctpa_window_trouble_t *trouble, uint8_t endpoint)
{
    if (c->from == endpoint && c->rows & SCTPA_ROW(HEARTBEAT_ACK))
        trouble->probe_packet = 0;
    if (c->from == endpoint || !c->first_data)
        return;
    int64_t interval_ns = 0;
    trouble->steady_probes = (uint16_t)MIN(sctpa_window_steady_probes(c, &interval_ns), UINT16_MAX);
    trouble->probe_interval_ns = interval_ns;
    trouble->probe_tsn = sctpa_direction_serial(c->sent, c->first_data->sent.number);
    trouble->probe_packet = c->index;
}

/* Had the last SACK before this one left room for a chunk, with all outstanding then that this one acknowledges? */
static bool has_room_before(const sctpa_context_t *c, const sctpa_window_t *window)
{
    uint32_t acked_bytes =
        c->first_sack->acked == 0 ? 0 : SCTPA_RECORD(&c->acked->acked, sctpa_acked_t, c->first_sack->acked - 1).bytes;
    return c->answer.before && c->acked->flight_bytes == 0 &&
           c->answer.before->a_rwnd_bytes >= (uint64_t)acked_bytes + window->chunk_bytes;
}

static void take_closing(const sctpa_context_t *c, sctpa_window_t *window)
{
    bool is_dormant = sctpa_window_is_dormant(c), was_closed = window->trouble->is_closed;
    bool is_closed = window->chunk_bytes > 0 && c->sack.a_rwnd < window->chunk_bytes;
    if (!was_closed && !is_closed)
        return;
    sctpa_window_trouble_t *trouble = change(c, window);
    trouble->is_closed = is_closed;
    if (!is_closed)
        return;
    if (!was_closed || !c->answer.before || c->sack.cum_tsn != c->answer.before->cum_tsn) {
        trouble->is_dormant = trouble->is_unprobed = false;
        trouble->probes = 0;
        trouble->closed_packet = c->index;
        trouble->probe_packet = 0;
        trouble->is_closed_at_once = has_room_before(c, window);
    } else {
        trouble->probes += c->answer.owed.packets > 0 && trouble->probes < UINT16_MAX;
        trouble->is_dormant |= is_dormant;
    }
}

/* What is held since the window was the largest: what its overhead is reckoned from. */
static void take_held(const sctpa_context_t *c, sctpa_window_t *window)
{
    if (c->sack.a_rwnd >= window->largest_bytes) {
        window->largest_bytes = c->sack.a_rwnd;
        window->held_chunks = window->held_bytes = 0;
    } else if (c->first_sack->acked > 0) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(&c->acked->acked, sctpa_acked_t, c->first_sack->acked - 1);
        window->held_chunks += acked->chunks;
        window->held_bytes += acked->bytes;
    }
}

static void take_update(const sctpa_context_t *c, sctpa_window_t *window)
{
    sctpa_window_trouble_t *trouble = change(c, window);
    unsigned updates = sctpa_window_updates(c, &trouble->burst_packet);
    trouble->updates = (uint16_t)MIN(updates, UINT16_MAX);
}

void sctpa_window_take(const sctpa_context_t *c, sctpa_receiver_t *receiver, uint8_t endpoint)
{
    const bool is_advertised = sctpa_window_is_advertised(c) && endpoint == c->from,
               is_update = endpoint == c->from && sctpa_window_is_update(c) && sctpa_receiver_is_observed(c, endpoint);
    if ((is_advertised || is_update) && !receiver->window) {
        sctpa_window_t *made = sctpa_arena_alloc(&c->store->arena, sizeof *made);
        made->largest_bytes = sctpa_window_largest_bytes(c);
        made->trouble = &no_trouble;
        receiver->window = made;
    }
    sctpa_window_t *window = (sctpa_window_t *)receiver->window;
    if (!window)
        return;
    if (window->trouble->is_closed) {
        sctpa_window_trouble_t *trouble = change(c, window);
        take_probe(c, trouble, endpoint);
        trouble->is_unprobed |= sctpa_window_unprobed_ns(c, endpoint) > SCTPA_UNPROBED_S * SCTPA_NS_PER_S;
    }
    if (is_update)
        take_update(c, window);
    if (!is_advertised)
        return;
    unsigned drops = sctpa_window_drops(c);
    if (drops > 0 && sctpa_receiver_is_observed(c, endpoint)) {
        sctpa_window_trouble_t *trouble = change(c, window);
        trouble->drops = (uint16_t)MIN(drops, UINT16_MAX);
        trouble->dropped_tsn = receiver->wait.first_tsn;
    }
    window->chunk_bytes = sctpa_window_chunk_bytes(c);
    take_closing(c, window);
    take_held(c, window);
}
