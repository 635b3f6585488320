/* Follows what a sender may do with cwnd on each path: every member of the family of senders sees the same DATA and SACKs, and the more
 * a member would have sent otherwise, the less it fits. Those that fit nearly as well as the best span the interval.
 * Leaves out what a member does (congestion_senders.c), and verdicts. */
#include "congestion_paths.h"

static const int64_t ms = 1000000, rto_initial_ns = 1000000000;

enum {
    FLIGHT_SMALL = 2000,        /* bytes in flight that utilize no initial cwnd */
    ACK_CLOCKED_PACKETS = 3,    /* a burst of more may have been ended by Max.Burst */
    BLOCKS_SMALL = 4
};
static const float keeps = 0.97F, fits_as_well = 1.5F;

sctpa_cwnd_assoc_t *sctpa_congestion_state(const sctpa_case_t *c)
{
    sctpa_cwnd_assoc_t *state = sctpa_case_state(c, SCTPA_TOPIC_CONGESTION, sizeof *state);
    if (!state->is_begun) {
        state->is_begun = true;
        for (unsigned end = 0; end < 2; end++)
            state->ends[end].cum_tsn = state->ends[end].highest = state->ends[end].ecn_to = -1;
    }
    return state;
}

static sctpa_cwnd_path_t *path_of(const sctpa_case_t *c, sctpa_cwnd_end_t *end, uint16_t path)
{
    while (end->n_paths <= path) {
        end->paths = sctpa_arena_grow(&c->model->arena, end->paths, end->n_paths, sizeof *end->paths);
        end->paths[end->n_paths++] = (sctpa_cwnd_path_t){ .timeout_packet = SCTPA_NO_PACKET_INDEX, .recovery_to = -1 };
    }
    return &end->paths[path];
}

static sctpa_sizes_t sizes_of(const sctpa_cwnd_end_t *end, const sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = { MAX(end->packet_bytes, 512), SCTPA_ETHERNET_BYTES, path->overhead };
    if (sizes.packet_bytes + 20 > SCTPA_ETHERNET_BYTES)
        sizes.mtu_bytes = sizes.packet_bytes + 20;
    return sizes;
}

static void begin_members(const sctpa_case_t *c, const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sizes_of(end, path);
    if (path->members)
        return;
    path->members = sctpa_arena_alloc(&c->model->arena, SCTPA_FAMILY * sizeof *path->members);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        sctpa_member_begin(i, &path->members[i], &sizes);
}

static void penalise(sctpa_cwnd_path_t *path, unsigned number, double packets)
{
    path->members[number].misfit += (float)MIN(packets, 4);
}

static void forget(sctpa_cwnd_path_t *path)
{
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        path->members[i].misfit *= keeps;
}

static void choose(sctpa_cwnd_path_t *path)
{
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        if (path->members[i].misfit + 0.5F < path->members[path->best].misfit)
            path->best = (uint8_t)i;
}

/* New data leaves with so much outstanding that a member would have waited: its cwnd is larger than it thinks. */
static void judge_sending(const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sizes_of(end, path);
    forget(path);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        uint64_t flight = sctpa_member_bytes(i, &sizes, path->flight_bytes);
        uint32_t unit = sctpa_member_unit(i, &sizes);
        if (flight < path->members[i].cwnd)
            continue;
        penalise(path, i, 0.25 + (double)(flight - path->members[i].cwnd) / unit);
        path->members[i].cwnd = (uint32_t)MIN(flight + 1, UINT32_MAX - 1);
    }
    choose(path);
}

/* The sender stopped though it had more to send and the peer had room: a member with room in cwnd would have sent. */
static void judge_stopping(const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sizes_of(end, path);
    forget(path);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        uint64_t flight = sctpa_member_bytes(i, &sizes, path->flight_bytes);
        uint32_t unit = sctpa_member_unit(i, &sizes);
        if (path->members[i].cwnd > flight + unit)
            penalise(path, i, (double)(path->members[i].cwnd - flight - unit) / unit);
    }
    choose(path);
}

static bool is_recovering(const sctpa_cwnd_path_t *path, int64_t cum_tsn)
{
    return path->recovery_to > cum_tsn;
}

/* The senders that fit nearly as well as the best, and a packet more or less. */
static void interval(const sctpa_cwnd_end_t *end, const sctpa_cwnd_path_t *path, bool is_open, sctpa_cwnd_record_t *record)
{
    sctpa_sizes_t sizes = sizes_of(end, path);
    const sctpa_member_t *best = &path->members[path->best];
    uint32_t low = best->cwnd, high = best->cwnd, slack = sctpa_member_unit(path->best, &sizes) / 2;
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        if (path->members[i].misfit > best->misfit + fits_as_well)
            continue;
        low = MIN(low, path->members[i].cwnd);
        high = MAX(high, path->members[i].cwnd);
    }
    record->cwnd = best->cwnd;
    record->ssthresh = best->ssthresh;
    record->below = (uint16_t)MIN((best->cwnd - low + slack + SCTPA_CWND_STEP - 1) / SCTPA_CWND_STEP, UINT16_MAX);
    record->above = (uint16_t)MIN((high - best->cwnd + slack + SCTPA_CWND_STEP - 1) / SCTPA_CWND_STEP, UINT16_MAX - 1);
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

static unsigned sacks_in(const sctpa_case_t *c)
{
    const sctpa_records_t *acked = &c->acked->acked;
    unsigned n = 0;
    while (n < acked->len && n < SCTPA_CASE_CHUNKS && SCTPA_RECORD(acked, sctpa_acked_t, acked->len - 1 - n).packet == c->index)
        n++;
    return MAX(n, 1);
}

/* The burst since the last SACK answered it and ended for want of cwnd. */
static bool is_stopped_by_cwnd(const sctpa_cwnd_end_t *end, const sctpa_cwnd_path_t *path, uint64_t window_bytes)
{
    return path->has_backlog && path->burst_packets > 0 && path->burst_packets <= ACK_CLOCKED_PACKETS && !path->burst_repeats &&
           path->marked_bytes == 0 && !is_recovering(path, end->cum_tsn) && window_bytes > 3000;
}

static void take_acks_of_path(const sctpa_case_t *c, sctpa_cwnd_end_t *end, uint32_t number, uint64_t window_bytes)
{
    sctpa_cwnd_path_t *path = &end->paths[number];
    const sctpa_direction_t *sent = c->acked;
    uint64_t flight_bytes = flight_of(sent, number);
    if (flight_bytes < path->flight_bytes) {
        sctpa_sizes_t sizes = sizes_of(end, path);
        sctpa_acking_t acking = { path->flight_bytes - flight_bytes, path->flight_bytes - path->marked_bytes, sacks_in(c),
                                  sent->cum_tsn > end->cum_tsn, is_recovering(path, sent->cum_tsn), false, flight_bytes == 0 };
        path->has_backlog = acking.has_backlog = path->burst_answers && path->burst_packets > 0;
        path->marked_bytes = MIN(path->marked_bytes, flight_bytes);
        if (path->members) {
            if (is_stopped_by_cwnd(end, path, window_bytes))
                judge_stopping(end, path);
            for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
                sctpa_member_acked(i, &path->members[i], &sizes, &acking);
                sctpa_member_sent(i, &path->members[i], &sizes, flight_bytes - path->marked_bytes);
            }
        }
        path->burst_packets = 0;
        path->burst_answers = path->burst_repeats = false;
        path->sack_ns = c->packet->time_ns;
        note(c, end, path, sent);
    }
    path->flight_bytes = flight_bytes;
}

static void take_ecne(const sctpa_case_t *c, sctpa_cwnd_end_t *end)
{
    if (end->ecn_to > c->acked->cum_tsn)
        return;
    end->ecn_to = c->acked->highest;
    uint16_t usual = c->acked->has_usual_path ? c->acked->usual_path : 0;
    if (usual >= end->n_paths || !end->paths[usual].members)
        return;
    sctpa_cwnd_path_t *path = &end->paths[usual];
    sctpa_sizes_t sizes = sizes_of(end, path);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        sctpa_member_lost(i, &path->members[i], &sizes);
    note(c, end, path, c->acked);
}

static void take_acks(const sctpa_case_t *c, sctpa_cwnd_end_t *end)
{
    uint64_t flight_bytes = 0;
    for (uint32_t i = 0; i < end->n_paths; i++)
        flight_bytes += end->paths[i].flight_bytes;
    uint64_t window_bytes = end->a_rwnd_bytes > flight_bytes ? end->a_rwnd_bytes - flight_bytes : 0;
    for (uint32_t i = 0; i < end->n_paths; i++)
        take_acks_of_path(c, end, i, window_bytes);
    if (c->rows & SCTPA_ROW(ECNE))
        take_ecne(c, end);
    end->cum_tsn = c->acked->cum_tsn;
    end->a_rwnd_bytes = c->acked->a_rwnd_bytes;
}

/* What the DATA chunks of a packet are. */
typedef struct {
    uint32_t new_chunks, repeated_chunks;
    uint64_t user_bytes, chunk_bytes, repeated_bytes;
    uint32_t lost_previous;     /* packet of the previous transmission of one sent again since SACKs reported it missing, or none */
    bool is_timer;              /* some are sent again since the timer marked them */
} sending_t;

static void look_at(const sctpa_case_t *c, const sctpa_tlv_t *chunk, sending_t *sending)
{
    const sctpa_rtx_t *rtx = NULL;
    int64_t number;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn_in(c->sent, sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN), c->index, &number);
    if (!tsn)
        return;
    unsigned transmission = sctpa_direction_transmission(c->sent, tsn, c->index, &rtx);
    sending->user_bytes += tsn->bytes;
    sending->chunk_bytes += chunk->wire_bytes + chunk->padding_bytes;
    if (transmission <= 1) {
        sending->new_chunks++;
        return;
    }
    sending->repeated_chunks++;
    sending->repeated_bytes += tsn->bytes;
    if (rtx && (rtx->kind == SCTPA_RTX_FAST || rtx->kind == SCTPA_RTX_EARLY))
        sending->lost_previous = MIN(sending->lost_previous, rtx->previous);
    sending->is_timer |= rtx && (rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_PROBE);
}

static void take_loss(const sctpa_case_t *c, sctpa_cwnd_end_t *end, uint32_t previous)
{
    uint16_t number = g_array_index(c->tracker->records, sctpa_record_t, previous).path;
    sctpa_cwnd_path_t *path = path_of(c, end, number);
    sctpa_sizes_t sizes = sizes_of(end, path);
    begin_members(c, end, path);
    if (is_recovering(path, c->sent->cum_tsn))
        return;
    path->recovery_to = end->highest;
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        sctpa_member_lost(i, &path->members[i], &sizes);
    note(c, end, path, c->sent);
}

static void take_timeouts(const sctpa_case_t *c, sctpa_cwnd_end_t *end, const sending_t *sending)
{
    for (uint32_t i = 0; i < c->sent->paths.len && i < end->n_paths; i++) {
        sctpa_cwnd_path_t *path = &end->paths[i];
        uint32_t timeout = SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, i).timeout_packet;
        if (timeout == path->timeout_packet || !path->is_known)
            continue;
        sctpa_sizes_t sizes = sizes_of(end, path);
        path->timeout_packet = timeout;
        begin_members(c, end, path);
        for (unsigned k = 0; k < SCTPA_FAMILY; k++)
            sctpa_member_timeout(k, &path->members[k], &sizes);
        path->recovery_to = -1;
        path->marked_bytes = path->flight_bytes;
        note(c, end, path, c->sent);
    }
    (void)sending;
}

static void take_idle(const sctpa_case_t *c, const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, bool probed)
{
    int64_t idle_ns = c->packet->time_ns - path->data_ns, rto_ns = rto_of(c->sent, c->path);
    if (!path->members || !path->is_known || idle_ns < rto_ns || path->flight_bytes > 0)
        return;
    sctpa_sizes_t sizes = sizes_of(end, path);
    unsigned rtos = probed ? 1 : (unsigned)MIN(idle_ns / rto_ns, 16);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        sctpa_member_idle(i, &path->members[i], &sizes, rtos, probed);
    note(c, end, path, c->sent);
}

static void take_burst(const sctpa_case_t *c, const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, const sending_t *sending)
{
    int64_t answer_ns = c->acked ? c->acked->answer_min_ns : -1;
    if (sending->repeated_chunks > 0)
        path->burst_repeats = true;
    if (sending->new_chunks == 0)
        return;
    if (path->burst_packets++ == 0)
        path->burst_answers = path->sack_ns > 0 && c->packet->time_ns - path->sack_ns <= 2 * ms + MAX(answer_ns, 0);
    if (path->members && path->marked_bytes == 0 && !is_recovering(path, c->sent->cum_tsn) && sending->repeated_chunks == 0)
        judge_sending(end, path);
}

static void take_data(const sctpa_case_t *c, sctpa_cwnd_end_t *end)
{
    sending_t sending = { .lost_previous = SCTPA_NO_PACKET_INDEX };
    sctpa_cwnd_path_t *path = path_of(c, end, c->path);
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_tlv_is_data(&c->chunks[i]) && sctpa_tlv_has(&c->chunks[i], SCTPA_F_DATA_TSN))
            look_at(c, &c->chunks[i], &sending);
    if (sending.user_bytes == 0)
        return;
    end->packet_bytes = MAX(end->packet_bytes, (c->packet->wire_bytes + 3) & ~3U);
    double overhead = (double)(sending.chunk_bytes - sending.user_bytes) / (double)sending.user_bytes;
    path->overhead = path->is_known ? path->overhead + (overhead - path->overhead) / 16 : overhead;
    path->is_known = true;
    if (sending.lost_previous != SCTPA_NO_PACKET_INDEX)
        take_loss(c, end, sending.lost_previous);
    path = path_of(c, end, c->path);
    take_timeouts(c, end, &sending);
    if (sending.is_timer)
        path->marked_bytes -= MIN(path->marked_bytes, sending.repeated_bytes);
    if (sending.repeated_chunks == 0 && path->data_ns > 0)
        take_idle(c, end, path, false);
    if (flight_of(c->sent, c->path) >= FLIGHT_SMALL)
        begin_members(c, end, path);
    take_burst(c, end, path, &sending);
    path->data_ns = c->packet->time_ns;
    note(c, end, path, c->sent);
}

void sctpa_congestion_follow(const sctpa_case_t *c, sctpa_cwnd_assoc_t *state)
{
    sctpa_cwnd_end_t *sender = &state->ends[c->from], *receiver_of = &state->ends[!c->from];
    if (c->acked && c->rows & (SCTPA_ROW(SACK) | SCTPA_ROW(NR_SACK) | SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(ECNE)))
        take_acks(c, receiver_of);
    if (!c->sent)
        return;
    if (c->rows & SCTPA_ROW(HEARTBEAT) && c->path < sender->n_paths)
        take_idle(c, sender, &sender->paths[c->path], true);
    if (c->rows & (SCTPA_ROW(DATA) | SCTPA_ROW(I_DATA)))
        take_data(c, sender);
    for (uint32_t i = 0; i < sender->n_paths; i++)
        sender->paths[i].flight_bytes = flight_of(c->sent, i);
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
    sctpa_sizes_t sizes = sizes_of(&state->ends[end], at);
    out->cwnd = record->cwnd;
    out->cwnd_min = record->cwnd - MIN(record->cwnd, (uint32_t)record->below * SCTPA_CWND_STEP);
    out->cwnd_max = record->above == UINT16_MAX ? SCTPA_CWND_UNKNOWN : record->cwnd + (uint32_t)record->above * SCTPA_CWND_STEP;
    out->ssthresh = record->ssthresh;
    out->unit_bytes = sctpa_member_unit(at->best, &sizes);
    out->sender = sctpa_member_words(at->best);
    return true;
}
