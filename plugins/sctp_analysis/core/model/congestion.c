/* Follows what a sender may do with cwnd on each path: every member of the family of senders sees the same DATA and SACKs, and the more
 * a member would have sent otherwise, the less it fits. Those that fit nearly as well as the best span the interval.
 * Leaves out what a member does (congestion_senders.c), and verdicts. */
#include "congestion_paths.h"

static const int64_t ms = 1000000, rto_initial_ns = 1000000000;
static const int64_t sending_ns = 80000;     /* between packets of a burst */

enum {
    FLIGHT_SMALL = 2000,        /* bytes in flight that utilize no initial cwnd */
    ACK_CLOCKED_PACKETS = 3,    /* a burst of more may have been ended by Max.Burst */
    QUARTERS_STEADY = 5,        /* of a round trip */
    STOPS_JUDGED = 8,           /* in a round trip */
    HEADERS_MOST = 60,          /* of IPv6, UDP and AUTH */
    BLOCKS_SMALL = 4
};
static const float keeps = 0.995F, fits_as_well = 2.5F, better = 0.5F, not_announced = 3;

sctpa_cwnd_assoc_t *sctpa_congestion_state(const sctpa_case_t *c)
{
    sctpa_cwnd_assoc_t *state = sctpa_case_state(c, SCTPA_TOPIC_CONGESTION, sizeof *state);
    if (!state->is_begun) {
        state->is_begun = true;
        for (unsigned end = 0; end < 2; end++)
            state->ends[end].cum_tsn = state->ends[end].highest = state->ends[end].ecn_to = state->ends[end].abandoned_to = -1;
    }
    return state;
}

static sctpa_cwnd_path_t *path_of(const sctpa_case_t *c, sctpa_cwnd_end_t *end, uint16_t path)
{
    while (end->n_paths <= path) {
        end->paths = sctpa_arena_grow(&c->model->arena, end->paths, end->n_paths, sizeof *end->paths);
        end->paths[end->n_paths++] = (sctpa_cwnd_path_t){ .timeout_packet = SCTPA_NO_PACKET_INDEX, .recovery_to = -1, .expired_ns = -1 };
    }
    return &end->paths[path];
}

static const sctpa_cwnd_end_t *end_of(const sctpa_case_t *c, unsigned end)
{
    return &sctpa_congestion_state(c)->ends[end];
}

uint32_t sctpa_congestion_mtu(const sctpa_cwnd_end_t *end)
{
    return MAX(end->packet_bytes + HEADERS_MOST, SCTPA_ETHERNET_BYTES);
}

uint64_t sctpa_congestion_bound(const sctpa_cwnd_end_t *end, const sctpa_cwnd_path_t *path)
{
    return MAX(path->most_bytes, 4 * (uint64_t)sctpa_congestion_mtu(end));
}

static sctpa_sizes_t sizes_of(const sctpa_cwnd_end_t *end)
{
    sctpa_sizes_t sizes = { MAX(end->packet_bytes, 512), SCTPA_ETHERNET_BYTES, (end->overhead_sixteenths + 8) / 16 };
    if (sizes.packet_bytes + 20 > SCTPA_ETHERNET_BYTES)
        sizes.mtu_bytes = sizes.packet_bytes + 20;
    return sizes;
}

static float misfit(const sctpa_cwnd_end_t *end, unsigned number)
{
    bool is_announced = end->announced == number + 1 || end->announced == SCTPA_FAMILY + 1;
    return end->misfits[number] + (end->announced == number + 1 ? 0 : sctpa_member_handicap(number)) + (is_announced ? 0 : not_announced);
}

static void choose(sctpa_cwnd_end_t *end)
{
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        if (misfit(end, i) + better < misfit(end, end->best))
            end->best = (uint8_t)i;
}

static void begin_members(const sctpa_case_t *c, sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sizes_of(end);
    if (path->members)
        return;
    if (end->announced == 0) {
        end->announced = (uint8_t)(sctpa_member_announced(&c->assoc->ends[end == end_of(c, 1)].init) + 1);
        choose(end);
    }
    path->members = sctpa_arena_alloc(&c->model->arena, SCTPA_FAMILY * sizeof *path->members);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        sctpa_member_begin(i, &path->members[i], &sizes);
    for (unsigned i = 0; path->is_probed && i < SCTPA_FAMILY; i++)
        sctpa_member_idle(i, &path->members[i], &sizes, 1, true);
}

static void penalise(sctpa_cwnd_end_t *end, unsigned number, double packets)
{
    end->misfits[number] += (float)MIN(packets, 4);
}

static void forget(sctpa_cwnd_end_t *end)
{
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        end->misfits[i] *= keeps;
}

static bool is_recovering(const sctpa_cwnd_path_t *path, int64_t cum_tsn)
{
    return path->recovery_to > cum_tsn;
}

/* What is outstanding before the packet for any sender: what is missing below the end of the gap blocks may be taken for lost, or be
 * given up. */
sctpa_amount_t sctpa_congestion_outstanding(const sctpa_direction_t *sent, const sctpa_cwnd_end_t *end, const sctpa_cwnd_path_t *path)
{
    int64_t known_to = MAX(sent->highest_gap_end, sent->cum_tsn);
    if (!sent->gap_ranges || sent->gap_ranges->len == 0)
        return path->flight;
    uint64_t chunks = end->highest > known_to ? MIN(path->flight.chunks, (uint64_t)(end->highest - known_to)) : 0;
    return (sctpa_amount_t){ MIN(path->flight.bytes, chunks * end->tsn_bytes), chunks };
}

/* New data leaves with so much outstanding that a member would have waited: its cwnd is larger than it thinks. */
static void judge_sending(const sctpa_direction_t *sent, sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sizes_of(end);
    sctpa_amount_t outstanding = sctpa_congestion_outstanding(sent, end, path);
    bool recovering = is_recovering(path, sent->cum_tsn);
    if (sent->abandoned_to >= 0) {      /* what is outstanding may have been given up and not be told yet */
        path->doubt_cwnd = (uint32_t)MAX(path->doubt_cwnd, sctpa_member_bytes(end->best, &sizes, outstanding));
        return;
    }
    forget(end);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        uint64_t flight = sctpa_member_bytes(i, &sizes, outstanding);
        uint32_t unit = sctpa_member_unit(i, &sizes);
        if (flight < path->members[i].cwnd)
            continue;
        double packets = 0.25 + (double)(flight - path->members[i].cwnd) / unit;
        penalise(end, i, recovering ? MIN(packets, 0.25) : packets);
        if (i == end->best && packets > 2)
            path->recovery_to = -1;
        path->members[i].cwnd = (uint32_t)MIN(flight + 1, UINT32_MAX - 1);
    }
    choose(end);
}

/* The sender stopped though it had more to send and the peer had room: a member with room in cwnd would have sent. */
static void judge_stopping(sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sizes_of(end);
    double weight = MIN(1, (double)STOPS_JUDGED * SCTPA_ETHERNET_BYTES / (double)path->flight.bytes);
    forget(end);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        uint64_t flight = sctpa_member_bytes(i, &sizes, path->flight);
        uint32_t unit = sctpa_member_unit(i, &sizes);
        if (path->members[i].cwnd > flight + unit)
            penalise(end, i, weight * (double)(path->members[i].cwnd - flight - unit) / unit);
        if (i == end->best && path->doubt_cwnd > flight + 2 * unit)
            path->doubt_cwnd = 0;
    }
    choose(end);
}

/* The senders that fit nearly as well as the best, and a packet more or less. */
static void interval(const sctpa_cwnd_end_t *end, const sctpa_cwnd_path_t *path, bool is_open, sctpa_cwnd_record_t *record)
{
    sctpa_sizes_t sizes = sizes_of(end);
    const sctpa_member_t *best = &path->members[end->best];
    uint32_t low = best->cwnd, high = best->cwnd, slack = sctpa_member_unit(end->best, &sizes) * 7 / 8;
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        if (misfit(end, i) > misfit(end, end->best) + fits_as_well)
            continue;
        low = MIN(low, path->members[i].cwnd - MIN(path->members[i].cwnd, slack / 8));
        high = MAX(high, path->members[i].cwnd + slack / 8);
    }
    high = MAX(high, path->doubt_cwnd);
    if (end->misses >= SCTPA_MISSES_FAST && !is_recovering(path, end->cum_tsn))      /* perhaps reduced, and yet to send again */
        low = MIN(low, best->cwnd / 2);
    low = MIN(low, best->cwnd - MIN(best->cwnd, slack));
    high = MAX(high, best->cwnd + slack);
    record->cwnd = best->cwnd;
    record->ssthresh = best->ssthresh;
    record->below = (uint16_t)MIN((best->cwnd - low + SCTPA_CWND_STEP - 1) / SCTPA_CWND_STEP, UINT16_MAX);
    record->above = (uint16_t)MIN((high - best->cwnd + SCTPA_CWND_STEP - 1) / SCTPA_CWND_STEP, UINT16_MAX - 1);
    if (is_open)
        record->above = UINT16_MAX;
}

static void append(const sctpa_case_t *c, sctpa_cwnd_path_t *path, const sctpa_cwnd_record_t *record)
{
    sctpa_cwnd_block_t *last = path->n_blocks > 0 ? &path->blocks[path->n_blocks - 1] : NULL;
    uint32_t room = path->n_blocks > 6 ? SCTPA_CWND_BLOCK : (uint32_t)BLOCKS_SMALL << path->n_blocks >> 1;
    if (!last || last->len == room) {
        path->blocks = sctpa_arena_grow(&c->model->arena, path->blocks, path->n_blocks, sizeof *path->blocks);
        last = &path->blocks[path->n_blocks++];
        room = path->n_blocks > 6 ? SCTPA_CWND_BLOCK : (uint32_t)BLOCKS_SMALL << path->n_blocks >> 1;
        *last = (sctpa_cwnd_block_t){ record->packet, 0, sctpa_arena_alloc(&c->model->arena, room * sizeof *record) };
    }
    last->records[last->len++] = *record;
}

static void note(const sctpa_case_t *c, const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, const sctpa_direction_t *sent)
{
    sctpa_cwnd_record_t record = { .packet = c->index }, *last = NULL;
    if (!path->members)
        return;
    interval(end, path, !sent->announced, &record);
    if (path->n_blocks > 0) {
        sctpa_cwnd_block_t *block = &path->blocks[path->n_blocks - 1];
        last = &block->records[block->len - 1];
        if (last->cwnd == record.cwnd && last->ssthresh == record.ssthresh && last->below == record.below && last->above == record.above)
            return;
        if (last->packet == c->index) {
            *last = record;
            return;
        }
    }
    append(c, path, &record);
}

static uint64_t flight_of(const sctpa_direction_t *sent, uint32_t path)
{
    return path < sent->paths.len ? SCTPA_RECORD(&sent->paths, sctpa_data_path_t, path).flight_bytes : 0;
}

static int64_t rto_of(const sctpa_direction_t *sent, uint32_t path)
{
    int64_t rto_ns = path < sent->paths.len ? SCTPA_RECORD(&sent->paths, sctpa_data_path_t, path).rto_ns : 0;
    return rto_ns > 0 ? rto_ns : rto_initial_ns;
}

static void reduce(const sctpa_case_t *c, const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, const sctpa_direction_t *sent)
{
    sctpa_sizes_t sizes = sizes_of(end);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        sctpa_member_lost(i, &path->members[i], &sizes);
    path->stopped_bytes = path->steady_bytes = path->doubt_cwnd = 0;
    note(c, end, path, sent);
}

static void collapse(const sctpa_case_t *c, const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, bool is_probe)
{
    sctpa_sizes_t sizes = sizes_of(end);
    uint32_t doubt_cwnd = is_probe ? MAX(path->doubt_cwnd, path->members[end->best].cwnd) : 0;
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        sctpa_member_timeout(i, &path->members[i], &sizes, is_probe);
    path->stopped_bytes = path->steady_bytes = path->doubt_cwnd = 0;
    path->doubt_cwnd = doubt_cwnd;
    path->recovery_to = -1;
    path->marked_bytes = path->flight.bytes;
    note(c, end, path, c->sent);
}

static void take_loss(const sctpa_case_t *c, sctpa_cwnd_end_t *end, const sctpa_direction_t *sent, uint16_t number)
{
    sctpa_cwnd_path_t *path = path_of(c, end, number);
    begin_members(c, end, path);
    path->awaits_misses = false;
    if (is_recovering(path, sent->cum_tsn))
        return;
    path->recovery_to = end->highest;
    reduce(c, end, path, sent);
}

/* The burst since the last SACK answered it and ended for want of cwnd: a sender that stops where it stopped round trips ago is held back by
 * something else, since cwnd would have grown. */
static bool is_stopped_by_cwnd(const sctpa_direction_t *sent, const sctpa_cwnd_end_t *end, const sctpa_cwnd_path_t *path, uint64_t window_bytes)
{
    return path->steady_bytes * 4 < path->stopped_bytes * QUARTERS_STEADY &&
           sent->abandoned_to < 0 && path->flight.bytes + SCTPA_ETHERNET_BYTES >= path->stopped_bytes && path->has_backlog && path->burst_packets > 0 && path->burst_packets <= ACK_CLOCKED_PACKETS && !path->burst_repeats &&
           path->marked_bytes == 0 && !is_recovering(path, end->cum_tsn) && window_bytes > 3000;
}

/* What the SACKs of a packet acknowledge on all paths, and the window before them. */
typedef struct {
    sctpa_amount_t acked;
    unsigned sacks;
    uint64_t window_bytes;
} taking_t;

static taking_t look_at_acks(const sctpa_case_t *c, const sctpa_cwnd_end_t *end)
{
    const sctpa_records_t *acked = &c->acked->acked;
    uint64_t flight_bytes = 0;
    taking_t taking = { .sacks = 0 };
    for (uint32_t at = acked->len; at > 0 && SCTPA_RECORD(acked, sctpa_acked_t, at - 1).packet == c->index; at--, taking.sacks++)
        taking.acked.chunks += SCTPA_RECORD(acked, sctpa_acked_t, at - 1).chunks;
    taking.sacks = MAX(taking.sacks, 1);
    for (uint32_t i = 0; i < end->n_paths; i++) {
        flight_bytes += end->paths[i].flight.bytes;
        taking.acked.bytes += end->paths[i].flight.bytes - MIN(end->paths[i].flight.bytes, flight_of(c->acked, i));
    }
    taking.window_bytes = end->a_rwnd_bytes - MIN(end->a_rwnd_bytes, flight_bytes);
    return taking;
}

/* What of it concerns a path: chunks are shared out as bytes are. */
static sctpa_amount_t acked_of(const taking_t *taking, const sctpa_cwnd_path_t *path, uint64_t flight_bytes)
{
    sctpa_amount_t acked = { path->flight.bytes - flight_bytes, 0 };
    acked.chunks = taking->acked.chunks * acked.bytes / taking->acked.bytes;
    acked.chunks = flight_bytes == 0 ? path->flight.chunks : MIN(acked.chunks, path->flight.chunks);
    return acked;
}

static sctpa_amount_t unmarked(const sctpa_cwnd_path_t *path)
{
    sctpa_amount_t amount = path->flight;
    if (path->marked_bytes == 0 || amount.bytes == 0)
        return amount;
    amount.bytes -= MIN(path->marked_bytes, amount.bytes);
    amount.chunks = path->flight.chunks * amount.bytes / path->flight.bytes;
    return amount;
}

static void grow_members(sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, const sctpa_acking_t *acking)
{
    sctpa_sizes_t sizes = sizes_of(end);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        sctpa_member_acked(i, &path->members[i], &sizes, acking);
}

static uint64_t wire_bytes(const sctpa_cwnd_end_t *end, sctpa_amount_t amount)
{
    return amount.bytes + amount.chunks * (end->overhead_sixteenths / 16 + 4);
}

static void take_acks_of_path(const sctpa_case_t *c, sctpa_cwnd_end_t *end, uint32_t number, const taking_t *taking)
{
    sctpa_cwnd_path_t *path = &end->paths[number];
    const sctpa_direction_t *sent = c->acked;
    uint64_t flight_bytes = flight_of(sent, number);
    if (flight_bytes >= path->flight.bytes)
        return;
    sctpa_acking_t acking = { acked_of(taking, path, flight_bytes), unmarked(path), taking->sacks, sent->cum_tsn > end->cum_tsn,
                              is_recovering(path, sent->cum_tsn), path->burst_answers && path->burst_packets > 0,
                              c->packet->time_ns - path->data_ns < sending_ns, flight_bytes == 0 };
    path->has_backlog = acking.has_backlog;
    path->steady_bytes = path->flight.bytes > path->stopped_bytes ? 0 : path->steady_bytes + acking.acked.bytes;
    path->stopped_bytes = MAX(path->stopped_bytes, path->flight.bytes);
    if (path->members && !acking.is_sending && is_stopped_by_cwnd(sent, end, path, taking->window_bytes))
        judge_stopping(end, path);
    path->marked_bytes = MIN(path->marked_bytes, flight_bytes);
    path->most_bytes = MAX(path->most_bytes, wire_bytes(end, path->flight) + wire_bytes(end, acking.acked) + sctpa_congestion_mtu(end));
    path->is_acked = true;
    path->flight.bytes = flight_bytes;
    path->flight.chunks -= acking.acked.chunks;
    if (path->members)
        grow_members(end, path, &acking);
    path->burst_packets = 0;
    path->burst_answers = path->burst_repeats = path->has_sent = false;
    path->sack_ns = c->packet->time_ns;
    note(c, end, path, sent);
}

/* "the sender SHOULD reduce cwnd" once for what was outstanding when it did (RFC 9260 appendix A, ECNE) */
static void take_ecne(const sctpa_case_t *c, sctpa_cwnd_end_t *end)
{
    const sctpa_tlv_t *ecne = sctpa_case_chunk(c, SCTPA_CHUNK_ROW_ECNE);
    int64_t tsn = ecne ? sctpa_direction_unwrap(c->acked, sctpa_tlv_u32(ecne, SCTPA_F_ECNE_LOWEST_TSN)) : -1;
    uint16_t usual = c->acked->has_usual_path ? c->acked->usual_path : 0;
    if (tsn <= end->ecn_to || usual >= end->n_paths || !end->paths[usual].members)
        return;
    end->ecn_to = c->acked->highest;
    reduce(c, end, &end->paths[usual], c->acked);
}

static void count_misses(const sctpa_case_t *c, sctpa_cwnd_end_t *end)
{
    const sctpa_direction_t *sent = c->acked;
    if (!sent->gap_ranges || sent->gap_ranges->len == 0)
        end->misses = 0;
    else if (sctpa_direction_acked(sent, c->index, 0) && end->misses < UINT8_MAX)
        end->misses++;
    for (uint32_t i = 0; i < end->n_paths; i++) {
        if (end->misses == 0)
            end->paths[i].awaits_misses = false;
        else if (end->paths[i].awaits_misses && end->misses >= SCTPA_MISSES_FAST)
            take_loss(c, end, sent, (uint16_t)i);
    }
}

static void take_acks(const sctpa_case_t *c, sctpa_cwnd_end_t *end)
{
    taking_t taking = look_at_acks(c, end);
    for (uint32_t i = 0; i < end->n_paths; i++)
        take_acks_of_path(c, end, i, &taking);
    if (c->rows & SCTPA_ROW(ECNE))
        take_ecne(c, end);
    count_misses(c, end);
    end->cum_tsn = c->acked->cum_tsn;
    end->a_rwnd_bytes = c->acked->a_rwnd_bytes;
}

/* What the DATA chunks of a packet are. */
typedef struct {
    uint32_t new_chunks, repeated_chunks;
    uint64_t user_bytes, chunk_bytes, repeated_bytes;
    uint32_t lost_previous;     /* packet of the previous transmission of one sent again since SACKs reported it missing, or none */
    uint32_t unknown_previous;  /* the same of one sent again for no known reason */
    bool is_fragment;           /* the beginning of a message that did not fit into it */
    bool is_timer;              /* some are sent again since the timer marked them */
    bool is_probe;              /* into a closed window */
} sending_t;

static void look_at(const sctpa_case_t *c, const sctpa_tlv_t *chunk, sending_t *sending)
{
    const sctpa_rtx_t *rtx = NULL;
    int64_t number;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn_in(c->sent, sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN), c->index, &number);
    if (!tsn)
        return;
    unsigned transmission = sctpa_direction_transmission(c->sent, tsn, c->index, &rtx);
    sending->is_fragment |= (tsn->flags & (SCTPA_TSN_BEGIN | SCTPA_TSN_END)) == SCTPA_TSN_BEGIN;
    sending->user_bytes += tsn->bytes;
    sending->chunk_bytes += chunk->wire_bytes + chunk->padding_bytes;
    if (transmission <= 1) {
        sending->new_chunks++;
        return;
    }
    sending->repeated_chunks++;
    sending->repeated_bytes += tsn->bytes;
    if (rtx && rtx->kind == SCTPA_RTX_FAST)
        sending->lost_previous = MIN(sending->lost_previous, rtx->previous);
    if (rtx && (rtx->kind == SCTPA_RTX_UNKNOWN || rtx->kind == SCTPA_RTX_EARLY))
        sending->unknown_previous = MIN(sending->unknown_previous, rtx->previous);
    sending->is_probe |= rtx && rtx->kind == SCTPA_RTX_PROBE;
    sending->is_timer |= rtx && (rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_PROBE);
}

/* Something is sent again and the capture does not show why. Behind a SACK it is taken for a loss, after silence for a timeout; the cwnd of a
 * sender that did not reduce it stays possible. */
static void take_unknown(const sctpa_case_t *c, sctpa_cwnd_end_t *end, uint16_t number)
{
    sctpa_cwnd_path_t *path = path_of(c, end, number);
    int64_t quiet_ns = c->packet->time_ns - MAX(c->sent->last_sack_ns, path->data_ns);
    begin_members(c, end, path);
    if (is_recovering(path, c->sent->cum_tsn) || path->marked_bytes > 0)
        return;
    uint32_t doubt_cwnd = MAX(path->members[end->best].cwnd, path->doubt_cwnd);
    if (quiet_ns >= rto_of(c->sent, number) / 2) {
        collapse(c, end, path, false);
    } else if (end->misses >= SCTPA_MISSES_FAST) {
        take_loss(c, end, c->sent, number);
    } else {
        path->awaits_misses = true;
        return;
    }
    path->doubt_cwnd = doubt_cwnd;
}

static void take_timeouts(const sctpa_case_t *c, sctpa_cwnd_end_t *end, const sending_t *sending)
{
    for (uint32_t i = 0; i < c->sent->paths.len && i < end->n_paths; i++) {
        sctpa_cwnd_path_t *path = &end->paths[i];
        uint32_t timeout = SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, i).timeout_packet;
        if (timeout == path->timeout_packet || !path->is_known)
            continue;
        path->timeout_packet = timeout;
        begin_members(c, end, path);
        collapse(c, end, path, sending->is_probe);
    }
}

/* TSNs are given up that SACKs reported missing, or after as long as the timer takes: what told the sender that they were lost had it
 * reduce cwnd, whether it sends them again or not. */
static void take_abandoned(const sctpa_case_t *c, sctpa_cwnd_end_t *end)
{
    for (uint32_t i = 0; c->sent->abandoned_to > end->abandoned_to && i < end->n_paths; i++) {
        sctpa_cwnd_path_t *path = &end->paths[i];
        if (!path->members || flight_of(c->sent, i) >= path->flight.bytes)
            continue;
        if (c->packet->time_ns - MAX(c->sent->last_sack_ns, path->data_ns) >= rto_of(c->sent, i) * 7 / 8)
            collapse(c, end, path, false);
        else if (end->misses >= SCTPA_MISSES_FAST)
            take_loss(c, end, c->sent, (uint16_t)i);
    }
    end->abandoned_to = c->sent->abandoned_to;
}

static void take_idle(const sctpa_case_t *c, const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, bool probed)
{
    int64_t idle_ns = c->packet->time_ns - path->data_ns, rto_ns = rto_of(c->sent, c->path);
    path->is_probed |= probed;
    if (!path->members || (!probed && (idle_ns < rto_ns || path->flight.bytes > 0)))
        return;
    sctpa_sizes_t sizes = sizes_of(end);
    unsigned rtos = probed ? 1 : (unsigned)MIN(idle_ns / rto_ns, 16);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        sctpa_member_idle(i, &path->members[i], &sizes, rtos, probed);
    note(c, end, path, c->sent);
}

/* The first packet after a SACK leaves: senders that cut cwnd to what a burst needs do so now, on all paths. */
static void take_output(const sctpa_case_t *c, sctpa_cwnd_end_t *end)
{
    sctpa_sizes_t sizes = sizes_of(end);
    for (uint32_t i = 0; i < end->n_paths; i++) {
        sctpa_cwnd_path_t *path = &end->paths[i];
        for (unsigned k = 0; k < SCTPA_FAMILY && path->members && !path->has_sent; k++)
            sctpa_member_sent(k, &path->members[k], &sizes, unmarked(path));
        if (!path->has_sent)
            note(c, end, path, c->sent);
        path->has_sent = true;
    }
}

static void take_burst(const sctpa_case_t *c, sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, const sending_t *sending)
{
    int64_t answer_ns = c->acked ? c->acked->answer_min_ns : -1;
    if (sending->repeated_chunks > 0)
        path->burst_repeats = true;
    if (sending->new_chunks == 0)
        return;
    if (path->burst_packets++ == 0)
        path->burst_answers = path->sack_ns > 0 && c->packet->time_ns - path->sack_ns <= 2 * ms + MAX(answer_ns, 0);
    if (path->members && path->marked_bytes == 0 && sending->repeated_chunks == 0)
        judge_sending(c->sent, end, path);
}

static void take_data(const sctpa_case_t *c, sctpa_cwnd_end_t *end)
{
    sending_t sending = { .lost_previous = SCTPA_NO_PACKET_INDEX, .unknown_previous = SCTPA_NO_PACKET_INDEX };
    sctpa_cwnd_path_t *path = path_of(c, end, c->path);
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_tlv_is_data(&c->chunks[i]) && sctpa_tlv_has(&c->chunks[i], SCTPA_F_DATA_TSN))
            look_at(c, &c->chunks[i], &sending);
    if (sending.user_bytes == 0)
        return;
    end->fragments |= sending.is_fragment;
    end->packet_bytes = MAX(end->packet_bytes, (c->packet->wire_bytes + 3) & ~3U);
    uint32_t overhead = (uint32_t)((sending.chunk_bytes - sending.user_bytes) * 16 / (sending.new_chunks + sending.repeated_chunks));
    end->overhead_sixteenths = end->overhead_sixteenths > 0 ? (15 * end->overhead_sixteenths + overhead) / 16 : overhead;
    path->is_known = true;
    if (sending.new_chunks > 0) {
        uint32_t mean = (uint32_t)((sending.user_bytes - sending.repeated_bytes) / sending.new_chunks);
        end->tsn_bytes = end->tsn_bytes > 0 ? (15 * end->tsn_bytes + mean) / 16 : mean;
    }
    if (sending.lost_previous != SCTPA_NO_PACKET_INDEX)
        take_loss(c, end, c->sent, g_array_index(c->tracker->records, sctpa_record_t, sending.lost_previous).path);
    path = path_of(c, end, c->path);
    take_timeouts(c, end, &sending);
    if (sending.unknown_previous != SCTPA_NO_PACKET_INDEX)
        take_unknown(c, end, g_array_index(c->tracker->records, sctpa_record_t, sending.unknown_previous).path);
    path = path_of(c, end, c->path);
    if (sending.is_timer)
        path->marked_bytes -= MIN(path->marked_bytes, sending.repeated_bytes);
    if (sending.repeated_chunks == 0 && path->data_ns > 0)
        take_idle(c, end, path, false);
    if (flight_of(c->sent, c->path) >= FLIGHT_SMALL)
        begin_members(c, end, path);
    take_output(c, end);
    take_burst(c, end, path, &sending);
    path->flight.chunks += sending.new_chunks;
    if (sending.new_chunks > 0)
        path->most_bytes = MAX(path->most_bytes, path->flight.bytes);
    path->data_ns = c->packet->time_ns;
    note(c, end, path, c->sent);
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
}

void sctpa_congestion_follow(const sctpa_case_t *c, sctpa_cwnd_assoc_t *state)
{
    sctpa_cwnd_end_t *sender = &state->ends[c->from], *receiver_of = &state->ends[!c->from];
    if (c->acked && c->rows & (SCTPA_ROW(SACK) | SCTPA_ROW(NR_SACK) | SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(ECNE)))
        take_acks(c, receiver_of);
    if (!c->sent)
        return;
    if (c->rows & SCTPA_ROW(HEARTBEAT) && c->path != SCTPA_NO_PATH)
        take_idle(c, sender, path_of(c, sender, c->path), true);
    if (c->rows & (SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN)))
        take_abandoned(c, sender);
    if (c->rows & (SCTPA_ROW(DATA) | SCTPA_ROW(I_DATA)))
        take_data(c, sender);
    for (uint32_t i = 0; i < sender->n_paths; i++)
        settle_flight(&sender->paths[i], flight_of(c->sent, i));
    sender->highest = c->sent->highest;
    sender->a_rwnd_bytes = c->sent->a_rwnd_bytes;
}

static const sctpa_cwnd_path_t *path_at(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end, uint16_t path)
{
    uint32_t number = tracked->assoc.number;
    const sctpa_judged_t *judged = number < model->judged->len ? g_ptr_array_index(model->judged, number) : NULL;
    const sctpa_cwnd_assoc_t *state = judged ? judged->states[SCTPA_TOPIC_CONGESTION] : NULL;
    return state && path < state->ends[end].n_paths ? &state->ends[end].paths[path] : NULL;
}

/* The last record up to packet, NULL none. */
static const sctpa_cwnd_record_t *record_at(const sctpa_cwnd_path_t *path, uint32_t packet)
{
    uint32_t low = 0, high = path->n_blocks;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (path->blocks[middle].first_packet <= packet)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const sctpa_cwnd_block_t *block = &path->blocks[low - 1];
    uint32_t at = sctpa_records_from(block->records, block->len, sizeof *block->records, packet + 1);
    return &block->records[at - 1];
}

bool sctpa_model_congestion(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end, uint16_t path, uint32_t packet,
                            sctpa_congestion_t *out)
{
    const sctpa_cwnd_path_t *at = path_at(model, tracked, end, path);
    const sctpa_cwnd_record_t *record = at ? record_at(at, packet) : NULL;
    if (!record)
        return false;
    const sctpa_judged_t *judged = g_ptr_array_index(model->judged, tracked->assoc.number);
    const sctpa_cwnd_assoc_t *state = judged->states[SCTPA_TOPIC_CONGESTION];
    sctpa_sizes_t sizes = sizes_of(&state->ends[end]);
    out->cwnd = record->cwnd;
    out->cwnd_min = record->cwnd - MIN(record->cwnd, (uint32_t)record->below * SCTPA_CWND_STEP);
    out->cwnd_max = record->above == UINT16_MAX ? SCTPA_CWND_UNKNOWN : record->cwnd + (uint32_t)record->above * SCTPA_CWND_STEP;
    out->ssthresh = record->ssthresh;
    out->unit_bytes = sctpa_member_unit(state->ends[end].best, &sizes);
    out->sender = sctpa_member_words(state->ends[end].best);
    return true;
}
