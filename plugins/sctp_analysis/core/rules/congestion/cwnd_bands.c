/* Follows what a sender may do with cwnd on each path: every member of the family of senders sees the same DATA, SACKs,
 * losses and timeouts. Those that fit nearly as well as the best span the interval. Leaves out what a member does
 * (sender_family.c), which fits (cwnd_fit.c), and verdicts. */
#include "cwnd_paths.h"

enum { FLIGHT_SMALL = 2000 }; /* bytes in flight that utilize no initial cwnd */

static const sctpa_cwnd_losses_t no_losses = { .recovery_to = -1, .ecn_to = -1, .abandoned_to = -1 };

sctpa_cwnd_end_t *sctpa_congestion_end(const sctpa_context_t *c, unsigned end)
{
    const sctpa_cwnd_assoc_t *state = sctpa_context_find_part(c, SCTPA_PART_CONGESTION);
    return state ? state->ends[end] : NULL;
}

static sctpa_cwnd_end_t *begin(const sctpa_context_t *c)
{
    sctpa_cwnd_assoc_t *state = sctpa_context_part(c, SCTPA_PART_CONGESTION, sizeof *state);
    sctpa_cwnd_end_t *end = state->ends[c->from];
    if (end)
        return end;
    end = state->ends[c->from] = sctpa_arena_alloc(&c->store->arena, sizeof *end);
    end->cum_tsn = end->highest = -1;
    end->losses = &no_losses;
    return end;
}

sctpa_cwnd_losses_t *sctpa_cwnd_losses(const sctpa_context_t *c, sctpa_cwnd_end_t *end)
{
    if (end->losses == &no_losses) {
        sctpa_cwnd_losses_t *made = sctpa_arena_alloc(&c->store->arena, sizeof *made);
        *made = no_losses;
        end->losses = made;
    }
    return (sctpa_cwnd_losses_t *)end->losses;
}

sctpa_cwnd_path_t *sctpa_cwnd_path_of(const sctpa_context_t *c, sctpa_cwnd_end_t *end, uint16_t path)
{
    while (end->n_paths <= path) {
        end->paths = sctpa_arena_grow(&c->store->arena, end->paths, end->n_paths, sizeof *end->paths);
        end->paths[end->n_paths++] = (sctpa_cwnd_path_t){ .timeout_packet = SCTPA_NO_PACKET_INDEX,
                                                          .reduced_to = -1,
                                                          .expired_packet = SCTPA_NO_PACKET_INDEX };
    }
    return &end->paths[path];
}

uint64_t sctpa_cwnd_flight(const sctpa_direction_t *sent, uint32_t path)
{
    return path < sent->paths.len ? SCTPA_RECORD(&sent->paths, sctpa_data_path_t, path).flight_bytes : 0;
}

int64_t sctpa_cwnd_rto_ns(const sctpa_direction_t *sent, uint32_t path)
{
    int64_t rto_ns = path < sent->paths.len ? SCTPA_RECORD(&sent->paths, sctpa_data_path_t, path).rto_ns : 0;
    return rto_ns > 0 ? rto_ns : SCTPA_RTO_INITIAL_NS;
}

void sctpa_cwnd_reduce(const sctpa_context_t *c, const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path,
                       const sctpa_direction_t *sent)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        if (end->is_cut && sctpa_cwnd_misfit(end, i) <= sctpa_cwnd_misfit_most(end))
            sctpa_cwnd_doubt(end, path, &path->members[i]);
    for (unsigned i = 0; i < SCTPA_FOLLOWED; i++)
        sctpa_member_lost(sctpa_cwnd_follows(end, i), &path->members[i], &sizes);
    path->stopped_bytes = path->steady_bytes = 0;
    sctpa_cwnd_note(c, end, path, sent);
}

static void collapse(const sctpa_context_t *c, sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, bool is_probe)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    sctpa_member_t most = path->members[SCTPA_MOST], best = path->members[end->best];
    for (unsigned i = 0; i < SCTPA_FOLLOWED; i++)
        sctpa_member_timeout(sctpa_cwnd_follows(end, i), &path->members[i], &sizes, is_probe);
    if (is_probe) {
        sctpa_cwnd_doubt(end, path, &best);
        sctpa_cwnd_doubt(end, path, &most);
    }
    path->stopped_bytes = path->steady_bytes = 0;
    if (end->losses->recovery_to >= 0)
        sctpa_cwnd_losses(c, end)->recovery_to = -1;
    path->marked_bytes = path->flight.bytes;
    sctpa_cwnd_note(c, end, path, c->sent);
}

/* "adjust the ssthresh and cwnd of the destination address(es) to which the missing DATA chunks were last sent", unless
 * in Fast Recovery */
void sctpa_cwnd_lost(const sctpa_context_t *c, sctpa_cwnd_end_t *end, const sctpa_direction_t *sent, uint16_t number)
{
    sctpa_cwnd_path_t *path = sctpa_cwnd_path_of(c, end, number);
    sctpa_cwnd_begin(c, end, path);
    path->awaits_misses = false;
    bool recovering = sctpa_cwnd_is_recovering(end, sent->cum_tsn);
    if (recovering &&
        (path->reduced_to == end->losses->recovery_to || sent->last_sack_ns != end->losses->recovery_sack_ns))
        return;
    if (!recovering) {
        sctpa_cwnd_losses(c, end)->recovery_to = end->highest;
        sctpa_cwnd_losses(c, end)->recovery_sack_ns = sent->last_sack_ns;
    }
    path->reduced_to = end->losses->recovery_to;
    sctpa_cwnd_reduce(c, end, path, sent);
}

/* What the DATA chunks of a packet are. */
typedef struct {
    uint32_t new_chunks, repeated_chunks;
    uint64_t user_bytes, chunk_bytes, repeated_bytes;
    uint32_t lost_previous; /* packet of the previous transmission of one sent again since SACKs reported it missing, or
                               none */
    uint32_t unknown_previous; /* the same of one sent again for no known reason */
    bool is_fragment;          /* the beginning of a message that did not fit into it */
    bool is_timer;             /* some are sent again since the timer marked them */
    bool is_probe;             /* into a closed window */
    bool is_unknown;           /* some perhaps by the timer, perhaps not */
} sending_t;

static void look_at(const sctpa_context_t *c, const sctpa_observed_t *observed, sending_t *sending)
{
    const sctpa_tsn_t *tsn = observed->sent.tsn;
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(observed, c->sent);
    if (!tsn)
        return;
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

/* Something is sent again and the capture does not show why. Behind a SACK it is taken for a loss, after silence for a
 * timeout; the cwnd of a sender that did not reduce it stays possible. */
static void take_unknown(const sctpa_context_t *c, sctpa_cwnd_end_t *end, uint16_t number, bool is_unknown)
{
    sctpa_cwnd_path_t *path = sctpa_cwnd_path_of(c, end, number);
    int64_t quiet_ns = c->packet->time_ns - MAX(c->sent->last_sack_ns, path->data_ns);
    sctpa_cwnd_begin(c, end, path);
    sctpa_member_t before = path->members[end->best];
    bool is_told = sctpa_cwnd_is_recovering(end, c->sent->cum_tsn) || path->marked_bytes > 0;
    if (!is_told && quiet_ns >= sctpa_cwnd_rto_ns(c->sent, number) / 2)
        collapse(c, end, path, false);
    else if (!is_told && end->misses >= SCTPA_MISSES_FAST)
        sctpa_cwnd_lost(c, end, c->sent, number);
    else if (!is_told)
        path->awaits_misses = true;
    sctpa_cwnd_doubt(end, path, &before);
    if (is_unknown)
        sctpa_cwnd_doubt_timeout(end, path, &before);
    sctpa_cwnd_note(c, end, path, c->sent);
}

static void take_timeouts(const sctpa_context_t *c, sctpa_cwnd_end_t *end, const sending_t *sending)
{
    for (uint32_t i = 0; i < c->sent->paths.len && i < end->n_paths; i++) {
        sctpa_cwnd_path_t *path = &end->paths[i];
        uint32_t timeout = SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, i).timeout_packet;
        if (timeout == path->timeout_packet || !path->is_known)
            continue;
        path->timeout_packet = timeout;
        sctpa_cwnd_begin(c, end, path);
        collapse(c, end, path, sending->is_probe);
    }
}

/* TSNs are given up that SACKs reported missing, or after as long as the timer takes: what told the sender that they
 * were lost had it reduce cwnd, whether it sends them again or not. */
static void take_abandoned(const sctpa_context_t *c, sctpa_cwnd_end_t *end)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    for (uint32_t i = 0; c->sent->seldom->abandoned_to > end->losses->abandoned_to && i < end->n_paths; i++) {
        sctpa_cwnd_path_t *path = &end->paths[i];
        if (!path->members || sctpa_cwnd_flight(c->sent, i) >= path->flight.bytes)
            continue;
        sctpa_member_t best = path->members[end->best], reduced = path->members[SCTPA_LEAST];
        int64_t quiet_ns = c->packet->time_ns - MAX(c->sent->last_sack_ns, path->data_ns),
                rto_ns = sctpa_cwnd_rto_ns(c->sent, i);
        bool is_lost = end->misses >= SCTPA_MISSES_FAST;
        if (quiet_ns >= rto_ns * 7 / 8)
            collapse(c, end, path, false);
        else if (is_lost)
            sctpa_cwnd_lost(c, end, c->sent, (uint16_t)i);
        sctpa_member_lost(end->best, &reduced, &sizes);
        if (is_lost || quiet_ns >= rto_ns / 2) /* else its lifetime ended */
            sctpa_cwnd_doubt(end, path, &reduced);
        sctpa_cwnd_doubt(end, path, &best);
        sctpa_cwnd_note(c, end, path, c->sent);
    }
    if (end->losses->abandoned_to != c->sent->seldom->abandoned_to)
        sctpa_cwnd_losses(c, end)->abandoned_to = c->sent->seldom->abandoned_to;
}

static void take_idle(const sctpa_context_t *c, const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, bool probed)
{
    int64_t idle_ns = c->packet->time_ns - path->data_ns, rto_ns = sctpa_cwnd_rto_ns(c->sent, c->path);
    path->is_probed |= probed;
    if (!path->members || (!probed && (idle_ns < rto_ns || path->flight.bytes > 0)))
        return;
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    unsigned rtos = probed ? 1 : (unsigned)MIN(idle_ns / rto_ns, 16);
    for (unsigned i = 0; i < SCTPA_FOLLOWED; i++)
        sctpa_member_idle(sctpa_cwnd_follows(end, i), &path->members[i], &sizes, rtos, probed);
    sctpa_cwnd_note(c, end, path, c->sent);
}

/* The first packet after a SACK leaves: senders that cut cwnd to what a burst needs do so now. */
static void take_output_of_path(const sctpa_context_t *c, const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    sctpa_amount_t flight = sctpa_cwnd_unmarked(path);
    path->uncut_cwnd = path->members[SCTPA_MEMBER_BURSTS].cwnd;
    for (unsigned i = 0; i < SCTPA_MOST; i++)
        sctpa_member_sent(sctpa_cwnd_follows(end, i), &path->members[i], &sizes, flight);
    flight.bytes += (path->is_behind ? 2 : 1) * (uint64_t)path->waiting_bytes;
    sctpa_member_sent(sctpa_cwnd_follows(end, SCTPA_MOST), &path->members[SCTPA_MOST], &sizes, flight);
    sctpa_cwnd_note(c, end, path, c->sent);
}

/* They do so on all paths. */
static void take_output(const sctpa_context_t *c, const sctpa_cwnd_end_t *end)
{
    for (uint32_t i = 0; i < end->n_paths; i++) {
        sctpa_cwnd_path_t *path = &end->paths[i];
        if (path->members && !path->has_sent && !end->is_far)
            take_output_of_path(c, end, path);
        path->has_sent = true;
    }
}

static void take_burst(const sctpa_context_t *c, sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path,
                       const sending_t *sending)
{
    if (sending->repeated_chunks > 0)
        path->burst_repeats = true;
    if (sending->new_chunks == 0)
        return;
    if (path->burst_packets++ == 0)
        path->burst_answers =
            path->sack_ns > 0 &&
            c->packet->time_ns - path->sack_ns <= 2 * SCTPA_NS_PER_MS + MAX(sctpa_context_tap_rtt_ns(c, c->from), 0);
    if (path->members && path->marked_bytes == 0 && sending->repeated_chunks == 0)
        sctpa_cwnd_check_sending(c, end, path);
}

/* The snap length left out whole chunks. */
static bool has_unseen_chunks(const sctpa_context_t *c)
{
    uint32_t seen_bytes = SCTPA_HEADER_BYTES;
    for (unsigned i = 0; i < c->n_chunks; i++)
        seen_bytes += c->chunks[i].tlv.wire_bytes + c->chunks[i].tlv.padding_bytes;
    return seen_bytes + SCTPA_TLV_HEADER_BYTES <= c->packet->wire_bytes;
}

static void take_data(const sctpa_context_t *c, sctpa_cwnd_end_t *end)
{
    sending_t sending = { .lost_previous = SCTPA_NO_PACKET_INDEX, .unknown_previous = SCTPA_NO_PACKET_INDEX };
    sctpa_cwnd_path_t *path = sctpa_cwnd_path_of(c, end, c->path);
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_tlv_is_data(&c->chunks[i].tlv) && sctpa_tlv_has(&c->chunks[i].tlv, SCTPA_F_DATA_TSN))
            look_at(c, &c->chunks[i], &sending);
    if (sending.user_bytes == 0)
        return;
    end->fragments |= sending.is_fragment;
    end->is_cut |= has_unseen_chunks(c);
    end->packet_bytes = MAX(end->packet_bytes, (c->packet->wire_bytes + 3) & ~3U);
    uint32_t overhead =
        (uint32_t)((sending.chunk_bytes - sending.user_bytes) * 16 / (sending.new_chunks + sending.repeated_chunks));
    end->overhead_sixteenths =
        end->overhead_sixteenths > 0 ? (15 * end->overhead_sixteenths + overhead) / 16 : overhead;
    path->is_known = true;
    if (sending.new_chunks > 0) {
        uint32_t mean = (uint32_t)((sending.user_bytes - sending.repeated_bytes) / sending.new_chunks);
        end->tsn_bytes = end->tsn_bytes > 0 ? (15 * end->tsn_bytes + mean) / 16 : mean;
    }
    if (sending.lost_previous != SCTPA_NO_PACKET_INDEX)
        sctpa_cwnd_lost(c, end, c->sent,
                        g_array_index(c->tracker->records, sctpa_record_t, sending.lost_previous).path);
    path = sctpa_cwnd_path_of(c, end, c->path);
    take_timeouts(c, end, &sending);
    if (sending.unknown_previous != SCTPA_NO_PACKET_INDEX)
        take_unknown(c, end, g_array_index(c->tracker->records, sctpa_record_t, sending.unknown_previous).path,
                     sending.is_unknown);
    path = sctpa_cwnd_path_of(c, end, c->path);
    if (sending.is_timer)
        path->marked_bytes -= MIN(path->marked_bytes, sending.repeated_bytes);
    if (path->flight.bytes == 0 || sending.repeated_chunks > 0)
        path->timer_ns = c->packet->time_ns;
    if (sending.repeated_chunks == 0 && path->data_ns > 0)
        take_idle(c, end, path, false);
    if (sctpa_cwnd_flight(c->sent, c->path) >= FLIGHT_SMALL)
        sctpa_cwnd_begin(c, end, path);
    sctpa_cwnd_await(path, c->packet->time_ns - MAX(path->data_ns, path->sack_ns));
    take_output(c, end);
    take_burst(c, end, path, &sending);
    path->flight.chunks += sending.new_chunks;
    path->waiting_bytes -= MIN(path->waiting_bytes, sending.user_bytes / 2);
    path->data_ns = c->packet->time_ns;
    sctpa_cwnd_note(c, end, path, c->sent);
}

/* Chunks of what moved to another path or was given up are not known: they count as the mean. */
static void settle_flight(sctpa_cwnd_path_t *path, uint64_t flight_bytes)
{
    if (flight_bytes == 0)
        path->flight.chunks = 0;
    else if (flight_bytes < path->flight.bytes)
        path->flight.chunks = path->flight.chunks * flight_bytes / path->flight.bytes;
    else if (path->flight.chunks == 0)
        path->flight.chunks = 1;
    path->flight.bytes = flight_bytes;
    path->marked_bytes = MIN(path->marked_bytes, flight_bytes);
}

void sctpa_congestion_follow(const sctpa_context_t *c)
{
    sctpa_cwnd_end_t *sender, *acked = sctpa_congestion_end(c, !c->from);
    if (c->acked && acked && c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(ECNE)))
        sctpa_cwnd_take_acks(c, acked);
    if (!c->sent)
        return;
    sender = c->rows & (SCTPA_DATA_ROWS | SCTPA_ROW(HEARTBEAT)) ? begin(c) : sctpa_congestion_end(c, c->from);
    if (!sender)
        return;
    if (c->rows & SCTPA_ROW(HEARTBEAT) && !(c->rows & SCTPA_ROW(PAD)) &&
        c->path != SCTPA_NO_PATH) /* with PAD it probes the PMTU */
        take_idle(c, sender, sctpa_cwnd_path_of(c, sender, c->path), true);
    if (c->rows & (SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN)))
        take_abandoned(c, sender);
    if (c->rows & SCTPA_DATA_ROWS)
        take_data(c, sender);
    for (uint32_t i = 0; i < sender->n_paths; i++)
        settle_flight(&sender->paths[i], sctpa_cwnd_flight(c->sent, i));
    sender->highest = c->sent->highest;
    sender->a_rwnd_bytes = c->sent->a_rwnd_bytes;
}
