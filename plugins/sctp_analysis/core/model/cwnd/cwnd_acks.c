/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What SACKs and ECNE do to the cwnd of the paths whose data they acknowledge. */
#include "cwnd_paths.h"

enum {
    ACK_CLOCKED_PACKETS = 3, /* a burst of more may have been ended by Max.Burst */
    QUARTERS_STEADY = 5,     /* of a round trip */
    WINDOW_OPEN = 3000       /* bytes: two packets, and no silly window */
};
static const int64_t slot_ns = 20 * SCTPA_NS_PER_MS; /* a sender takes a SACK sooner than this */
/* between SACKs that a sender may have before what it sends to answer them is seen */
static const int64_t waiting_ns = SCTPA_NS_PER_MS / 2;
static const int64_t sending_ns = 80000; /* between packets of a burst, and between SACKs that wait to be taken */

/* The burst since the last SACK answered it, holds new data only, and was not ended by Max.Burst. */
static bool is_ack_clocked(const sctpa_cwnd_path_t *path)
{
    return path->has_backlog && path->burst_packets > 0 && path->burst_packets <= ACK_CLOCKED_PACKETS &&
           !path->burst_repeats;
}

/* It stopped where it stopped round trips ago, or earlier: cwnd would have grown, and something else holds it back. */
static bool is_steady(const sctpa_cwnd_path_t *path)
{
    return path->steady_bytes * 4 >= (uint64_t)path->stopped_bytes * QUARTERS_STEADY ||
           path->flight.bytes + SCTPA_ETHERNET_BYTES < path->stopped_bytes;
}

/* The burst since the last SACK ended for want of cwnd. */
static bool is_stopped_by_cwnd(const sctpa_cwnd_sender_t *sender, const sctpa_direction_t *sent,
                               const sctpa_cwnd_path_t *path, uint64_t window_bytes)
{
    return is_ack_clocked(path) && !is_steady(path) && path->marked_bytes == 0 &&
           !sctpa_cwnd_is_recovering(sender, sent, sender->cum_tsn) && window_bytes > WINDOW_OPEN;
}

/* The SACKs of a packet, what of the window they find unused, and what they acknowledge that was not seen. */
typedef struct {
    unsigned sacks;
    uint64_t window_bytes, unseen;
} taking_t;

static taking_t look_at_acks(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender)
{
    const sctpa_records_t *acked = &c->acked->acked;
    uint64_t flight_bytes = 0, chunks = 0;
    taking_t taking = { .sacks = 0 };
    for (uint32_t at = acked->len; at > 0 && SCTPA_RECORD(acked, sctpa_acked_t, at - 1).packet == c->index;
         at--, taking.sacks++)
        chunks += SCTPA_RECORD(acked, sctpa_acked_t, at - 1).chunks;
    taking.sacks = MAX(taking.sacks, 1);
    uint64_t advance = c->acked->cum_tsn > sender->cum_tsn ? (uint64_t)(c->acked->cum_tsn - sender->cum_tsn) : 0;
    taking.unseen = advance - MIN(advance, chunks);
    for (uint32_t i = 0; i < sender->n_paths; i++)
        flight_bytes += sender->paths[i].flight.bytes;
    taking.window_bytes = sender->a_rwnd_bytes - MIN(sender->a_rwnd_bytes, flight_bytes);
    return taking;
}

sctpa_amount_t sctpa_cwnd_unmarked(const sctpa_cwnd_path_t *path)
{
    sctpa_amount_t amount = path->flight;
    if (path->marked_bytes == 0 || amount.bytes == 0)
        return amount;
    amount.bytes -= MIN(path->marked_bytes, amount.bytes);
    amount.chunks = path->flight.chunks * amount.bytes / path->flight.bytes;
    return amount;
}

void sctpa_cwnd_await(sctpa_cwnd_path_t *path, int64_t quiet_ns)
{
    if (quiet_ns >= waiting_ns)
        path->waiting_bytes = 0;
}

static void grow_members(sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, const sctpa_acking_t *acking)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    sctpa_family_acked(path->members, &sizes, acking);
    sctpa_cwnd_grow_band(sender, path, acking);
}

static uint64_t wire_bytes(const sctpa_cwnd_sender_t *sender, sctpa_amount_t amount)
{
    return amount.bytes + amount.chunks * (sender->overhead_sixteenths / 16 + 4);
}

static void raise_bound(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path,
                        uint64_t acked_bytes)
{
    uint32_t slot = (uint32_t)(c->packet->time_ns / slot_ns);
    if (slot != path->slot) {
        path->slot_bytes[1] = slot == path->slot + 1 ? path->slot_bytes[0] : 0;
        path->slot_bytes[0] = 0;
        path->slot = slot;
    }
    uint64_t before_bytes = (uint64_t)path->slot_bytes[0] + path->slot_bytes[1];
    path->most_bytes = MAX(path->most_bytes,
                           wire_bytes(sender, path->flight) + 2 * before_bytes + acked_bytes + sctpa_cwnd_mtu(sender));
    path->slot_bytes[0] += acked_bytes;
}

/* Some senders restart T3-rtx with a SACK that advances the cum_tsn only when gaps are shown, or were until then. */
static void follow_timer(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    const sctpa_direction_t *sent = c->acked;
    int64_t now_ns = c->packet->time_ns, rto_ns = sctpa_cwnd_rto_ns(sent, (uint32_t)(path - sender->paths));
    bool has_gaps = sender->misses > 0 || sctpa_direction_has_gaps(sent);
    path->may_have_expired |= sctpa_cwnd_may_expire(sender, path, sent, MAX(path->data_ns, path->sack_ns), now_ns);
    if (has_gaps && sctpa_cwnd_starts_timer(c, sent, (uint32_t)(path - sender->paths)))
        path->timer_ns = now_ns;
    else if (path->timer_ns + rto_ns <= now_ns)
        path->timer_ns += rto_ns;
}

static void take_acks_of_path(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, uint32_t number,
                              const taking_t *taking)
{
    sctpa_cwnd_path_t *path = &sender->paths[number];
    const sctpa_direction_t *sent = c->acked;
    sctpa_amount_t flight = sctpa_cwnd_flight(sent, number);
    if (flight.bytes >= path->flight.bytes) {
        path->flight = flight;
        return;
    }
    int64_t since_ns = c->packet->time_ns - MAX(path->data_ns, path->sack_ns);
    sctpa_acking_t acking = { .acked = { path->flight.bytes - flight.bytes,
                                         path->flight.chunks - MIN(path->flight.chunks, flight.chunks) },
                              .flight = sctpa_cwnd_unmarked(path),
                              .unseen = taking->unseen,
                              .sacks = taking->sacks,
                              .advanced = sent->cum_tsn > sender->cum_tsn,
                              .in_recovery = sctpa_cwnd_is_recovering(sender, sent, sent->cum_tsn),
                              .ends_recovery = sctpa_cwnd_is_recovering(sender, sent, sender->cum_tsn) &&
                                               !sctpa_cwnd_is_recovering(sender, sent, sent->cum_tsn),
                              .after_ecne = sent->cum_tsn < sender->losses->ecn_to,
                              .has_backlog = path->burst_answers && path->burst_packets > 0,
                              .is_sending = since_ns < sending_ns,
                              .is_idle = flight.bytes == 0,
                              .is_steady = is_steady(path) };
    sctpa_cwnd_await(path, since_ns);
    follow_timer(c, sender, path);
    if (path->members && !acking.is_sending)
        sctpa_cwnd_widen_by_silence(sender, path, taking->window_bytes > WINDOW_OPEN);
    path->has_backlog = acking.has_backlog;
    path->steady_bytes = path->flight.bytes > path->stopped_bytes ? 0 : path->steady_bytes + acking.acked.bytes;
    path->stopped_bytes = MAX(path->stopped_bytes, path->flight.bytes);
    if (path->members && !acking.is_sending && is_stopped_by_cwnd(sender, sent, path, taking->window_bytes))
        sctpa_cwnd_check_stopping(c, sender, path);
    path->is_behind = path->waiting_bytes > 0;
    path->waiting_bytes += acking.acked.bytes;
    path->marked_bytes = (uint32_t)MIN(path->marked_bytes, flight.bytes);
    raise_bound(c, sender, path, wire_bytes(sender, acking.acked));
    path->is_acked = true;
    path->flight = flight;
    if (path->members)
        grow_members(sender, path, &acking);
    path->burst_packets = 0;
    path->burst_answers = path->burst_repeats = path->has_sent = false;
    path->sack_ns = c->packet->time_ns;
    sctpa_cwnd_note(c, sender, path, sent);
}

/* RFC 4960 appendix A, RFC 3168 6.1.2: no reaction to ECNE "more than once every window of data" */
static void take_ecne(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    const sctpa_tlv_t *ecne = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ECNE);
    int64_t tsn = ecne ? sctpa_direction_unwrap(c->acked, sctpa_tlv_u32(ecne, SCTPA_F_ECNE_LOWEST_TSN)) : -1;
    uint16_t usual = c->acked->has_usual_path ? c->acked->usual_path : 0;
    if (!ecne || usual >= sender->n_paths || !sender->paths[usual].members)
        return;
    if (tsn > sender->losses->ecn_to) {
        sctpa_cwnd_losses(c, sender)->ecn_to = c->acked->highest;
        sctpa_cwnd_reduce(c, sender, &sender->paths[usual], c->acked);
    }
    sctpa_cwnd_widen_by_reduction(sender, &sender->paths[usual]);
    sctpa_cwnd_note(c, sender, &sender->paths[usual], c->acked);
}

static void count_misses(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    const sctpa_direction_t *sent = c->acked;
    if (!sctpa_direction_has_gaps(sent))
        sender->misses = 0;
    else if (c->first_sack && c->first_sack->acked > 0 && sender->misses < UINT8_MAX)
        sender->misses++;
    for (uint32_t i = 0; i < sender->n_paths; i++) {
        if (sender->misses == 0)
            sender->paths[i].awaits_misses = false;
        else if (sender->paths[i].awaits_misses && sender->misses >= SCTPA_MISSES_FAST)
            sctpa_cwnd_lost(c, sender, sent, (uint16_t)i);
        else if (sender->misses >= SCTPA_MISSES_FAST)
            sctpa_cwnd_note(c, sender, &sender->paths[i], sent);
    }
}

void sctpa_cwnd_take_acks(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    bool is_ecne_first = c->n_chunks > 0 && c->chunks[0].tlv.type == SCTPA_CHUNK_ECNE;
    taking_t taking = look_at_acks(c, sender);
    sender->is_far = sctpa_context_tap_rtt_most_ns(c, !c->from) > SCTPA_NEAR_NS;
    if (is_ecne_first)
        take_ecne(c, sender);
    for (uint32_t i = 0; i < sender->n_paths; i++)
        take_acks_of_path(c, sender, i, &taking);
    if (!is_ecne_first && c->rows & SCTPA_ROW(ECNE))
        take_ecne(c, sender);
    count_misses(c, sender);
    if (c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(SHUTDOWN))) {
        for (uint32_t i = 0; i < sender->n_paths; i++)
            sender->paths[i].expired_packet = SCTPA_NO_PACKET_INDEX;
        sender->followed = 0;
    }
    sender->cum_tsn = c->acked->cum_tsn;
    sender->a_rwnd_bytes = c->acked->a_rwnd_bytes;
}
