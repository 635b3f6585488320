/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sender does to cwnd on each path by what it sends: DATA, timeouts, data given up, idling. Every member of the
 * family of senders sees the same. Leaves out SACKs (cwnd_acks.c), what a member does (sender_family.c), which fits
 * (cwnd_fit.c) and the band around that (cwnd_band.c). */
#include "cwnd_paths.h"

#include "base/rare.h"
#include "wire/protocol_parameters.h"

enum { FLIGHT_SMALL = 2000 }; /* bytes outstanding that utilize no initial cwnd */

static const sctpa_cwnd_losses_t no_losses = { .likely_recovery.to = -1, .ecn_to = -1, .abandoned_to = -1 };

sctpa_cwnd_sender_t *sctpa_cwnd_sender(const sctpa_context_t *c, unsigned endpoint)
{
    const sctpa_cwnd_assoc_t *state = sctpa_context_find_part(c, SCTPA_PART_CONGESTION);
    return state ? state->senders[endpoint] : NULL;
}

static void free_senders(sctpa_arena_t *arena, void *part)
{
    const sctpa_cwnd_assoc_t *state = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++) {
        sctpa_cwnd_sender_t *sender = state->senders[endpoint];
        if (!sender)
            continue;
        for (uint32_t path = 0; path < sender->n_paths; path++) {
            sctpa_arena_free(arena, sender->paths[path].members, SCTPA_FOLLOWED * sizeof(sctpa_member_t));
            sctpa_cwnd_free_records(arena, &sender->paths[path]);
        }
        sctpa_arena_free_grown(arena, sender->paths, sender->n_paths, sizeof *sender->paths);
        sctpa_rare_free(sender->losses, &no_losses, sizeof no_losses, arena);
        sctpa_rare_free(sender->fit, &sctpa_cwnd_no_fit, sizeof sctpa_cwnd_no_fit, arena);
        sctpa_arena_free(arena, sender, sizeof *sender);
    }
}

static sctpa_cwnd_sender_t *begin(const sctpa_context_t *c)
{
    sctpa_cwnd_assoc_t *state = sctpa_context_owning_part(c, SCTPA_PART_CONGESTION, sizeof *state, free_senders);
    sctpa_cwnd_sender_t *sender = state->senders[c->from] = sctpa_arena_alloc(&c->store->arena, sizeof *sender);
    sender->cum_tsn = sender->highest = -1;
    sender->losses = &no_losses;
    sender->fit = &sctpa_cwnd_no_fit;
    return sender;
}

sctpa_cwnd_losses_t *sctpa_cwnd_losses(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    sctpa_cwnd_losses_t *losses = sctpa_rare_own(sender->losses, &no_losses, sizeof no_losses, &c->store->arena);
    sender->losses = losses;
    return losses;
}

sctpa_cwnd_path_t *sctpa_cwnd_make_path(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, uint16_t path)
{
    while (sender->n_paths <= path) {
        sender->paths = sctpa_arena_grow(&c->store->arena, sender->paths, sender->n_paths, sizeof *sender->paths);
        sender->paths[sender->n_paths++] =
            (sctpa_cwnd_path_t){ .reduced_to = -1, .expired_packet = SCTPA_NO_PACKET_INDEX };
    }
    return &sender->paths[path];
}

sctpa_amount_t sctpa_cwnd_flight(const sctpa_direction_t *sent, uint32_t number)
{
    if (number >= sent->paths.len)
        return (sctpa_amount_t){ 0 };
    const sctpa_data_path_t *path = &SCTPA_RECORD(&sent->paths, sctpa_data_path_t, number);
    return (sctpa_amount_t){ path->flight_bytes, path->flight_chunks };
}

int64_t sctpa_cwnd_rto_ns(const sctpa_direction_t *sent, uint32_t path)
{
    int64_t rto_ns = path < sent->paths.len ? SCTPA_RECORD(&sent->paths, sctpa_data_path_t, path).rto_ns : 0;
    return rto_ns > 0 ? rto_ns : SCTPA_RTO_INITIAL_NS;
}

bool sctpa_cwnd_starts_timer(const sctpa_context_t *c, const sctpa_direction_t *sent, uint32_t path)
{
    return path < sent->paths.len && SCTPA_RECORD(&sent->paths, sctpa_data_path_t, path).t3_packet == c->index;
}

void sctpa_cwnd_reduce(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path,
                       const sctpa_direction_t *sent)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        if (sender->is_cut && sctpa_cwnd_misfit(sender, i) <= sctpa_cwnd_misfit_most(sender))
            sctpa_cwnd_widen(sender, path, &path->members[i]);
    for (unsigned i = 0; i < SCTPA_FOLLOWED; i++)
        sctpa_member_lost(sctpa_cwnd_follows(sender, i), &path->members[i], &sizes);
    path->stopped_bytes = path->steady_bytes = 0;
    sctpa_cwnd_note(c, sender, path, sent);
}

static void collapse(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, bool is_probe)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    sctpa_member_t most = path->members[SCTPA_MOST], best = path->members[sender->best];
    for (unsigned i = 0; i < SCTPA_FOLLOWED; i++)
        sctpa_member_timeout(sctpa_cwnd_follows(sender, i), &path->members[i], &sizes, is_probe);
    if (is_probe) {
        sctpa_cwnd_widen(sender, path, &best);
        sctpa_cwnd_widen(sender, path, &most);
    }
    path->stopped_bytes = path->steady_bytes = 0;
    if (sender->losses->likely_recovery.to >= 0)
        sctpa_cwnd_losses(c, sender)->likely_recovery.to = -1;
    path->marked_bytes = path->flight.bytes;
    sctpa_cwnd_note(c, sender, path, c->sent);
}

/* "adjust the ssthresh and cwnd of the destination address(es) to which the missing DATA chunks were last sent", unless
 * in Fast Recovery */
void sctpa_cwnd_lost(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, const sctpa_direction_t *sent,
                     uint16_t number)
{
    sctpa_cwnd_path_t *path = sctpa_cwnd_path_of(c, sender, number);
    sctpa_cwnd_begin(c, sender, path);
    path->awaits_misses = false;
    sctpa_recovery_t recovery = sender->losses->likely_recovery;
    if (recovery.to <= sent->cum_tsn)
        recovery = sent->rare->recovery;
    if (recovery.to <= sent->cum_tsn)
        recovery = sctpa_cwnd_losses(c, sender)->likely_recovery =
            (sctpa_recovery_t){ sender->highest, sent->last_sack_ns };
    else if (path->reduced_to == recovery.to || sent->last_sack_ns != recovery.sack_ns)
        return;
    path->reduced_to = recovery.to;
    sctpa_cwnd_reduce(c, sender, path, sent);
}

/* What the DATA chunks of a packet are. */
typedef struct {
    uint32_t new_chunks, repeated_chunks;
    uint64_t user_bytes, chunk_bytes, repeated_bytes;
    uint32_t lost_previous; /* packet of the previous transmission of one retransmitted since SACKs reported it missing,
                               or none */
    uint32_t unknown_previous; /* the same of one retransmitted for no known reason */
    bool is_fragment;          /* the beginning of a message that did not fit into it */
    bool is_timer;             /* some are retransmitted since the timer marked them */
    bool is_probe;             /* into a closed window */
    bool is_unknown;           /* some perhaps by the timer, perhaps not */
} sending_t;

static void look_at(const sctpa_context_t *c, const sctpa_observed_t *observed, sending_t *sending)
{
    const sctpa_tsn_t *tsn = observed->sent.tsn;
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(observed, c->sent);
    sending->is_fragment |= (tsn->flags & (SCTPA_TSN_BEGIN | SCTPA_TSN_END)) == SCTPA_TSN_BEGIN;
    sending->user_bytes += tsn->bytes;
    sending->chunk_bytes += observed->tlv.wire_bytes + observed->tlv.padding_bytes;
    if (!rtx) {
        sending->new_chunks++;
        return;
    }
    sending->repeated_chunks++;
    sending->repeated_bytes += tsn->bytes;
    if (rtx->kind == SCTPA_RTX_FAST)
        sending->lost_previous = MIN(sending->lost_previous, rtx->previous);
    if (rtx->kind == SCTPA_RTX_UNKNOWN || rtx->kind == SCTPA_RTX_EARLY)
        sending->unknown_previous = MIN(sending->unknown_previous, rtx->previous);
    sending->is_unknown |= rtx->kind == SCTPA_RTX_UNKNOWN;
    sending->is_probe |= rtx->kind == SCTPA_RTX_PROBE;
    sending->is_timer |= rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_PROBE;
}

/* Something is retransmitted and the capture does not show why. After a SACK it is taken for a loss, after silence for
 * a timeout; the cwnd of a sender that did not reduce it stays possible. */
static void take_unknown(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, uint16_t number, bool is_unknown)
{
    sctpa_cwnd_path_t *path = sctpa_cwnd_path_of(c, sender, number);
    int64_t quiet_ns = c->packet->time_ns - MAX(c->sent->last_sack_ns, path->data_ns);
    sctpa_cwnd_begin(c, sender, path);
    sctpa_member_t before = path->members[sender->best];
    bool is_explained = sctpa_cwnd_is_recovering(sender, c->sent, c->sent->cum_tsn) || path->marked_bytes > 0;
    if (!is_explained && quiet_ns >= sctpa_cwnd_rto_ns(c->sent, number) / 2)
        collapse(c, sender, path, false);
    else if (!is_explained && sender->misses >= SCTPA_MISSES_FAST)
        sctpa_cwnd_lost(c, sender, c->sent, number);
    else if (!is_explained)
        path->awaits_misses = true;
    sctpa_cwnd_widen(sender, path, &before);
    if (is_unknown)
        sctpa_cwnd_widen_by_timeout(sender, path, &before);
    sctpa_cwnd_note(c, sender, path, c->sent);
}

static void take_timeouts(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, const sending_t *sending)
{
    for (uint32_t i = 0; i < c->sent->paths.len && i < sender->n_paths; i++) {
        sctpa_cwnd_path_t *path = &sender->paths[i];
        if (SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, i).timeout_packet != c->index || !path->is_known)
            continue;
        sctpa_cwnd_begin(c, sender, path);
        collapse(c, sender, path, sending->is_probe);
    }
}

/* What retransmissions say of cwnd. Paths may move: returns the packet's own. */
static sctpa_cwnd_path_t *take_repeated(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, const sending_t *sending)
{
    if (sending->lost_previous != SCTPA_NO_PACKET_INDEX)
        sctpa_cwnd_lost(c, sender, c->sent,
                        g_array_index(c->tracker->records, sctpa_record_t, sending->lost_previous).path);
    take_timeouts(c, sender, sending);
    if (sending->unknown_previous != SCTPA_NO_PACKET_INDEX)
        take_unknown(c, sender, g_array_index(c->tracker->records, sctpa_record_t, sending->unknown_previous).path,
                     sending->is_unknown);
    sctpa_cwnd_path_t *path = sctpa_cwnd_path_of(c, sender, c->path);
    if (sending->is_timer)
        path->marked_bytes -= MIN(path->marked_bytes, sending->repeated_bytes);
    return path;
}

/* TSNs are given up that SACKs reported missing, or after as long as the timer takes: what showed the sender that they
 * were lost had it reduce cwnd, whether it retransmits them or not. */
static void take_abandoned(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    for (uint32_t i = 0; c->sent->rare->abandoned_to > sender->losses->abandoned_to && i < sender->n_paths; i++) {
        sctpa_cwnd_path_t *path = &sender->paths[i];
        if (!path->members || sctpa_cwnd_flight(c->sent, i).bytes >= path->flight.bytes)
            continue;
        sctpa_member_t best = path->members[sender->best], reduced = path->members[SCTPA_LEAST];
        int64_t quiet_ns = c->packet->time_ns - MAX(c->sent->last_sack_ns, path->data_ns),
                rto_ns = sctpa_cwnd_rto_ns(c->sent, i);
        bool is_lost = sender->misses >= SCTPA_MISSES_FAST;
        if (quiet_ns >= rto_ns * 7 / 8)
            collapse(c, sender, path, false);
        else if (is_lost)
            sctpa_cwnd_lost(c, sender, c->sent, (uint16_t)i);
        sctpa_member_lost(sender->best, &reduced, &sizes);
        if (is_lost || quiet_ns >= rto_ns / 2) /* else its lifetime ended */
            sctpa_cwnd_widen(sender, path, &reduced);
        sctpa_cwnd_widen(sender, path, &best);
        sctpa_cwnd_note(c, sender, path, c->sent);
    }
    if (sender->losses->abandoned_to != c->sent->rare->abandoned_to)
        sctpa_cwnd_losses(c, sender)->abandoned_to = c->sent->rare->abandoned_to;
}

static void take_idle(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, bool probed)
{
    int64_t idle_ns = c->packet->time_ns - path->data_ns, rto_ns = sctpa_cwnd_rto_ns(c->sent, c->path);
    path->is_probed |= probed;
    if (!path->members || (!probed && idle_ns < rto_ns))
        return;
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    unsigned rtos = probed ? 1 : (unsigned)MIN(idle_ns / rto_ns, 16);
    for (unsigned i = 0; i < SCTPA_FOLLOWED; i++)
        sctpa_member_idle(sctpa_cwnd_follows(sender, i), &path->members[i], &sizes, rtos, probed);
    sctpa_cwnd_note(c, sender, path, c->sent);
}

/* The first packet after a SACK leaves: senders that cut cwnd to what a burst needs do so now, on all paths. */
static void take_output(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    for (uint32_t i = 0; i < sender->n_paths; i++) {
        sctpa_cwnd_path_t *path = &sender->paths[i];
        bool is_first = !path->has_sent;
        path->has_sent = true;
        if (!is_first || !path->members || sender->is_far)
            continue;
        sctpa_amount_t flight = sctpa_cwnd_unmarked(path);
        path->uncut_cwnd = path->members[SCTPA_MEMBER_BURSTS].cwnd;
        sctpa_member_sent(SCTPA_MEMBER_BURSTS, &path->members[SCTPA_MEMBER_BURSTS], &sizes, flight);
        sctpa_member_sent(sctpa_cwnd_follows(sender, SCTPA_LEAST), &path->members[SCTPA_LEAST], &sizes, flight);
        flight.bytes += (path->is_behind ? 2 : 1) * (uint64_t)path->waiting_bytes;
        sctpa_member_sent(sctpa_cwnd_follows(sender, SCTPA_MOST), &path->members[SCTPA_MOST], &sizes, flight);
        if (i != c->path) /* the packet's own is noted once all of the packet was taken */
            sctpa_cwnd_note(c, sender, path, c->sent);
    }
}

static void take_burst(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path,
                       const sending_t *sending)
{
    if (sending->repeated_chunks > 0)
        path->burst_repeats = true;
    if (sending->new_chunks == 0)
        return;
    path->burst_packets += path->burst_packets < UINT16_MAX;
    if (path->burst_packets == 1)
        path->burst_answers =
            path->sack_ns > 0 && c->packet->time_ns - path->sack_ns <=
                                     2 * SCTPA_NS_PER_MS + MAX(sctpa_context_tap_rtt_most_ns(c, c->from), 0);
    if (path->members && path->marked_bytes == 0 && sending->repeated_chunks == 0)
        sctpa_cwnd_check_sending(c, sender, path);
}

const sctpa_rtx_t *sctpa_cwnd_timeout(const sctpa_context_t *c)
{
    const sctpa_rtx_t *rtx = c->first_data ? sctpa_observed_rtx(c->first_data, c->sent) : NULL;
    if (!rtx || rtx->kind != SCTPA_RTX_TIMEOUT || c->path >= c->sent->paths.len)
        return NULL;
    const sctpa_data_path_t *path = &SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, c->path);
    return path->timeout_packet == c->index && path->last_sample > 0 &&
                   g_array_index(c->tracker->records, sctpa_record_t, rtx->previous).path == c->path
               ? rtx
               : NULL;
}

/* What retransmissions showed of the sender, for rules. */
static void take_retransmission(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(c->first_data, c->sent);
    if (rtx && sctpa_cwnd_timeout(c)) {
        path->expired_packet = c->index;
        path->lost_packet = rtx->previous;
        path->follower_packet = SCTPA_NO_PACKET_INDEX;
    } else if (path->expired_packet != SCTPA_NO_PACKET_INDEX && path->follower_packet == SCTPA_NO_PACKET_INDEX) {
        path->follower_packet = c->index;
        sender->followed = (uint16_t)(c->path + 1);
    }
    if (rtx && (rtx->kind == SCTPA_RTX_FAST || sctpa_cwnd_is_early(rtx))) {
        sctpa_cwnd_losses_t *losses = sctpa_cwnd_losses(c, sender);
        losses->fast += rtx->kind == SCTPA_RTX_FAST;
        losses->early += rtx->kind == SCTPA_RTX_EARLY;
    }
}

/* The snap length left out whole chunks. */
static bool has_unseen_chunks(const sctpa_context_t *c)
{
    uint32_t seen_bytes = SCTPA_HEADER_BYTES;
    for (unsigned i = 0; i < c->n_chunks; i++)
        seen_bytes += c->chunks[i].tlv.wire_bytes + c->chunks[i].tlv.padding_bytes;
    return seen_bytes + SCTPA_TLV_HEADER_BYTES <= c->packet->wire_bytes;
}

static void take_data(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    sending_t sending = { .lost_previous = SCTPA_NO_PACKET_INDEX, .unknown_previous = SCTPA_NO_PACKET_INDEX };
    sctpa_cwnd_path_t *path = sctpa_cwnd_path_of(c, sender, c->path);
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (c->chunks[i].sent.tsn)
            look_at(c, &c->chunks[i], &sending);
    if (c->first_data)
        take_retransmission(c, sender, path);
    if (sending.user_bytes == 0)
        return;
    sender->fragments |= sending.is_fragment;
    sender->is_cut |= has_unseen_chunks(c);
    sender->packet_bytes = MAX(sender->packet_bytes, (c->packet->wire_bytes + 3) & ~3U);
    uint32_t overhead =
        (uint32_t)((sending.chunk_bytes - sending.user_bytes) * 16 / (sending.new_chunks + sending.repeated_chunks));
    sender->overhead_sixteenths =
        sender->overhead_sixteenths > 0 ? (15 * sender->overhead_sixteenths + overhead) / 16 : overhead;
    path->is_known = true;
    sender->has_repeated |= sending.repeated_chunks > 0;
    if (sending.new_chunks > 0) {
        uint32_t mean = (uint32_t)((sending.user_bytes - sending.repeated_bytes) / sending.new_chunks);
        sender->tsn_bytes = sender->tsn_bytes > 0 ? (15 * sender->tsn_bytes + mean) / 16 : mean;
    }
    if (sending.repeated_chunks > 0)
        path = take_repeated(c, sender, &sending);
    if (sctpa_cwnd_starts_timer(c, c->sent, c->path) || sending.repeated_chunks > 0)
        path->timer_ns = c->packet->time_ns;
    if (sending.repeated_chunks == 0 && path->data_ns > 0 && path->flight.bytes == 0)
        take_idle(c, sender, path, false);
    if (sctpa_cwnd_flight(c->sent, c->path).bytes >= FLIGHT_SMALL)
        sctpa_cwnd_begin(c, sender, path);
    sctpa_cwnd_await(path, c->packet->time_ns - MAX(path->data_ns, path->sack_ns));
    take_output(c, sender);
    take_burst(c, sender, path, &sending);
    path->waiting_bytes -= MIN(path->waiting_bytes, sending.user_bytes / 2);
    path->data_ns = c->packet->time_ns;
    sctpa_cwnd_note(c, sender, path, c->sent);
}

void sctpa_cwnd_take(const sctpa_context_t *c)
{
    sctpa_cwnd_sender_t *sender, *acked = sctpa_cwnd_sender(c, !c->from);
    if (c->acked && acked && c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(ECNE)))
        sctpa_cwnd_take_acks(c, acked);
    if (!c->sent)
        return;
    sender = sctpa_cwnd_sender(c, c->from);
    if (!sender && c->rows & (SCTPA_DATA_ROWS | SCTPA_ROW(HEARTBEAT)))
        sender = begin(c);
    if (!sender)
        return;
    if (c->rows & SCTPA_ROW(HEARTBEAT) && !(c->rows & SCTPA_ROW(PAD)) &&
        c->path != SCTPA_NO_PATH) /* with PAD it probes the PMTU */
        take_idle(c, sender, sctpa_cwnd_path_of(c, sender, c->path), true);
    if (c->rows & (SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN)))
        take_abandoned(c, sender);
    if (c->rows & SCTPA_DATA_ROWS)
        take_data(c, sender);
    for (uint32_t i = 0; i < sender->n_paths; i++) {
        sender->paths[i].flight = sctpa_cwnd_flight(c->sent, i);
        sender->paths[i].marked_bytes = (uint32_t)MIN(sender->paths[i].marked_bytes, sender->paths[i].flight.bytes);
    }
    sender->highest = c->sent->highest;
    sender->a_rwnd_bytes = c->sent->a_rwnd_bytes;
}
