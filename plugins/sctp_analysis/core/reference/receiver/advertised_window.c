/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows the window that a receiver advertises. */
#include "advertised_window.h"

#include "reference/sender/t3_expiries_limits.h"

static const sctpa_window_t none;

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
    const sctpa_wait_t *wait = &c->receivers[c->from]->wait;
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
    return c->receivers[c->from]->wait.first_tsn == own(c)->dropped_tsn ? own(c)->drops + 1u : 1;
}

bool sctpa_window_is_update(const sctpa_context_t *c)
{
    return sctpa_window_is_advertised(c) && sctpa_sack_is(c, SCTPA_SACK_OPENS) && c->answer.owed.packets == 0 &&
           c->answer.before && says_the_same(c);
}

unsigned sctpa_window_updates(const sctpa_context_t *c, uint32_t *first)
{
    bool is_small =
        c->sack.a_rwnd - c->answer.before->a_rwnd_bytes < sctpa_window_largest_bytes(c) / SCTPA_UPDATE_SMALL_SHARE;
    bool goes_on = own(c)->updates > 0 && is_small &&
                   since_ns(c, own(c)->burst_packet) <= SCTPA_UPDATES_BURST_MS * SCTPA_NS_PER_MS;
    *first = goes_on ? own(c)->burst_packet : c->index;
    return goes_on ? own(c)->updates + 1u : 1;
}

unsigned sctpa_window_probes(const sctpa_context_t *c)
{
    bool stays_closed = sctpa_window_is_advertised(c) && own(c)->is_closed && c->answer.before &&
                        c->sack.cum_tsn == c->answer.before->cum_tsn && c->sack.a_rwnd < sctpa_window_chunk_bytes(c);
    return stays_closed ? own(c)->probes + (c->answer.owed.packets > 0) : 0;
}

bool sctpa_window_is_dormant(const sctpa_context_t *c)
{
    return sctpa_window_probes(c) >= SCTPA_PROBES_DORMANT &&
           since_ns(c, own(c)->closed_packet) >= SCTPA_DORMANT_S * SCTPA_NS_PER_S;
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
    if (!sctpa_window_of(c, endpoint)->is_closed || !last_fragment(c->tracked->sides[!endpoint].sent))
        return false;
    if (c->rows & SCTPA_SACK_ROWS)
        return endpoint == c->from && sctpa_window_is_advertised(c);
    return c->rows & others && sctpa_assoc_is_single_homed(c->assoc) && !sctpa_tracked_is_ending(c->tracked);
}

int64_t sctpa_window_unprobed_ns(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_window_t *window = sctpa_window_of(c, endpoint);
    const sctpa_wait_t *wait = &c->receivers[endpoint]->wait;
    if (window->probes > 0 || !sctpa_window_awaits_probe(c, endpoint) ||
        !(last_fragment(c->tracked->sides[!endpoint].sent)->state & SCTPA_TSN_ACKED))
        return 0;
    return wait->packets > 0
               ? sctpa_context_time_ns(c, wait->first_packet) - sctpa_context_time_ns(c, window->closed_packet)
               : since_ns(c, window->closed_packet);
}

bool sctpa_window_is_first_probe(const sctpa_context_t *c)
{
    const sctpa_window_t *window = sctpa_window_of(c, !c->from);
    if (!window->is_closed || window->probe_packet > 0 || !c->sent || !c->first_data ||
        !sctpa_observed_is_new(c->first_data))
        return false;
    const sctpa_tsn_t *tsn = c->first_data->sent.tsn;
    return tsn->bytes > c->sent->a_rwnd_bytes && c->sent->flight_bytes == tsn->bytes;
}

unsigned sctpa_window_steady_probes(const sctpa_context_t *c, int64_t *interval_ns)
{
    const sctpa_window_t *window = sctpa_window_of(c, !c->from);
    if (!window->is_closed || window->probe_packet == 0 || !c->first_data || c->first_data->sent.rtx == 0 ||
        sctpa_direction_serial(c->sent, c->first_data->sent.number) != window->probe_tsn)
        return 0;
    *interval_ns = since_ns(c, window->probe_packet);
    return window->probe_interval_ns > 0 && *interval_ns < window->probe_interval_ns * SCTPA_BACKED_OFF_HALVES / 2
               ? window->steady_probes + 1u
               : 0;
}

/* What follows an answered HEARTBEAT goes by another RTO. */
static void take_probe(const sctpa_context_t *c, sctpa_window_t *window, uint8_t endpoint)
{
    if (c->from == endpoint && c->rows & SCTPA_ROW(HEARTBEAT_ACK))
        window->probe_packet = 0;
    if (c->from == endpoint || !c->first_data)
        return;
    int64_t interval_ns = 0;
    window->steady_probes = (uint16_t)MIN(sctpa_window_steady_probes(c, &interval_ns), UINT16_MAX);
    window->probe_interval_ns = interval_ns;
    window->probe_tsn = sctpa_direction_serial(c->sent, c->first_data->sent.number);
    window->probe_packet = c->index;
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
    bool is_dormant = sctpa_window_is_dormant(c);
    if (window->chunk_bytes == 0 || c->sack.a_rwnd >= window->chunk_bytes)
        window->is_closed = false;
    else if (!window->is_closed || !c->answer.before || c->sack.cum_tsn != c->answer.before->cum_tsn) {
        window->is_closed = true;
        window->is_dormant = window->is_unprobed = false;
        window->probes = 0;
        window->closed_packet = c->index;
        window->probe_packet = 0;
        window->is_closed_at_once = has_room_before(c, window);
    } else {
        window->probes += c->answer.owed.packets > 0 && window->probes < UINT16_MAX;
        window->is_dormant |= is_dormant;
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

void sctpa_window_take(const sctpa_context_t *c, sctpa_receiver_t *receiver, uint8_t endpoint)
{
    bool is_advertised = sctpa_window_is_advertised(c) && endpoint == c->from;
    if (is_advertised && !receiver->window) {
        sctpa_window_t *made = sctpa_arena_alloc(&c->store->arena, sizeof *made);
        made->largest_bytes = sctpa_window_largest_bytes(c);
        receiver->window = made;
    }
    sctpa_window_t *window = (sctpa_window_t *)receiver->window;
    if (!window)
        return;
    if (window->is_closed)
        take_probe(c, window, endpoint);
    if (window->is_closed)
        window->is_unprobed |= sctpa_window_unprobed_ns(c, endpoint) > SCTPA_UNPROBED_S * SCTPA_NS_PER_S;
    if (!is_advertised)
        return;
    unsigned drops = sctpa_window_drops(c);
    if (drops > 0 && sctpa_receiver_is_observed(c, endpoint)) {
        window->drops = (uint16_t)MIN(drops, UINT16_MAX);
        window->dropped_tsn = receiver->wait.first_tsn;
    }
    if (sctpa_window_is_update(c) && sctpa_receiver_is_observed(c, endpoint)) {
        unsigned updates = sctpa_window_updates(c, &window->burst_packet);
        window->updates = (uint16_t)MIN(updates, UINT16_MAX);
    }
    window->chunk_bytes = sctpa_window_chunk_bytes(c);
    take_closing(c, window);
    take_held(c, window);
}
