/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Learning parameters: what all families need, and their order. */
#include "learned_parts.h"

#include "data/rto.h"

/* --- packets with DATA --- */

typedef struct {
    const sctpa_source_t *source;
    GArray *sendings;
} gathering_t;

static void add_first(gathering_t *gathering, int64_t number, const sctpa_tsn_t *tsn)
{
    const uint8_t odd = SCTPA_TSN_GAP_ACKED | SCTPA_TSN_RENEGED | SCTPA_TSN_ABANDONED | SCTPA_TSN_BEHIND |
                        SCTPA_TSN_LATE | SCTPA_TSN_REPORTED | SCTPA_TSN_EARLIER_UNSEEN;
    bool once = tsn->transmissions == 1 && !(tsn->state & odd & ~SCTPA_TSN_GAP_ACKED);
    bool has_gap = tsn->gap_packet != SCTPA_NO_PACKET_INDEX;
    sctpa_sending_t sending = {
        .packet = tsn->first_packet,
        .ack_packet = tsn->ack_packet,
        .first = number,
        .last = number,
        .bytes = tsn->bytes,
        .chunks = 1,
        .path = sctpa_source_first_path(gathering->source, tsn),
        .plain = once && !has_gap && !(tsn->state & odd) && tsn->duplicates == 0 && !(tsn->flags & SCTPA_TSN_IMMEDIATE),
        .fragment = !(tsn->flags & SCTPA_TSN_END),
        .acked = once && (has_gap || tsn->state & SCTPA_TSN_ACKED),
    };
    g_array_append_val(gathering->sendings, sending);
}

static void visit(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    gathering_t *gathering = user;
    add_first(gathering, number, tsn);
    for (uint32_t at = tsn->more; at != 0; at = sctpa_source_rtx(gathering->source, at)->link.before) {
        const sctpa_rtx_t *rtx = sctpa_source_rtx(gathering->source, at);
        sctpa_sending_t sending = { .packet = rtx->packet,
                                    .ack_packet = SCTPA_NO_PACKET_INDEX,
                                    .first = number,
                                    .last = number,
                                    .bytes = tsn->bytes,
                                    .chunks = 1,
                                    .path = rtx->path,
                                    .resent = true };
        g_array_append_val(gathering->sendings, sending);
    }
}

static int by_packet(gconstpointer a, gconstpointer b)
{
    const sctpa_sending_t *x = a, *y = b;
    if (x->packet != y->packet)
        return x->packet < y->packet ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static void merge(sctpa_sending_t *into, const sctpa_sending_t *chunk)
{
    into->last = MAX(into->last, chunk->last);
    into->bytes += chunk->bytes;
    into->chunks = (uint16_t)(into->chunks + chunk->chunks);
    into->resent |= chunk->resent;
    into->plain = into->plain && chunk->plain && into->ack_packet == chunk->ack_packet;
    into->fragment |= chunk->fragment;
    into->acked = into->acked && chunk->acked;
    if (into->ack_packet != chunk->ack_packet)
        into->ack_packet = SCTPA_NO_PACKET_INDEX;
}

static GArray *gather(const sctpa_source_t *source)
{
    gathering_t gathering = { source, g_array_new(FALSE, FALSE, sizeof(sctpa_sending_t)) };
    GArray *sendings = gathering.sendings;
    unsigned n = 0;
    if (source->direction)
        sctpa_direction_each(source->direction, visit, &gathering);
    g_array_sort(sendings, by_packet);
    for (unsigned i = 0; i < sendings->len; i++) {
        const sctpa_sending_t *chunk = sctpa_sending(sendings, i);
        sctpa_sending_t *last = n > 0 ? &g_array_index(sendings, sctpa_sending_t, n - 1) : NULL;
        if (last && last->packet == chunk->packet)
            merge(last, chunk);
        else
            g_array_index(sendings, sctpa_sending_t, n++) = *chunk;
    }
    g_array_set_size(sendings, n);
    return sendings;
}

/* --- times --- */

static int by_time(gconstpointer a, gconstpointer b)
{
    const sctpa_timed_t *x = a, *y = b;
    return x->ns < y->ns ? -1 : x->ns > y->ns;
}

sctpa_alike_t sctpa_times_alike(GArray *times)
{
    sctpa_alike_t best = { 0, 0 };
    g_array_sort(times, by_time);
    for (unsigned first = 0, end = 0; first < times->len; first++) {
        int64_t from_ns = g_array_index(times, sctpa_timed_t, first).ns;
        while (end < times->len &&
               g_array_index(times, sctpa_timed_t, end).ns <= from_ns + from_ns / 16 + 2 * SCTPA_TICK_NS)
            end++;
        if (end - first >= best.n)
            best = (sctpa_alike_t){ first, end - first };
    }
    return best;
}

/* --- round trips --- */

void sctpa_replay_begin(sctpa_replay_t *replay, const sctpa_source_t *source)
{
    *replay = (sctpa_replay_t){ .source = source, .paths = g_array_new(FALSE, TRUE, sizeof(sctpa_replayed_t)) };
}

void sctpa_replay_end(sctpa_replay_t *replay)
{
    g_array_unref(replay->paths);
}

sctpa_replayed_t *sctpa_replay_path(sctpa_replay_t *replay, uint16_t path)
{
    if (path >= replay->paths->len)
        g_array_set_size(replay->paths, path + 1u);
    return &g_array_index(replay->paths, sctpa_replayed_t, path);
}

void sctpa_replay_take(sctpa_replay_t *replay, const sctpa_sample_t *sample)
{
    sctpa_replayed_t *path = sctpa_replay_path(replay, sample->path);
    path->samples = sample->kind == SCTPA_SAMPLE_BACKOFF ? 0 : path->samples + 1;
    if (sample->kind == SCTPA_SAMPLE_BACKOFF)
        return;
    int64_t rtt_ns = sctpa_direction_elapsed_ns(replay->source->direction, sample) +
                     MAX(sctpa_tap_rtt_measured_ns(replay->source->sender_tap_rtt), 0);
    sctpa_rtt_take(&path->srtt_ns, &path->rttvar_ns, MAX(rtt_ns, 1));
}

void sctpa_replay_to(sctpa_replay_t *replay, uint32_t packet)
{
    const sctpa_records_t *samples = &replay->source->direction->samples;
    for (; replay->next < samples->len; replay->next++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, replay->next);
        if (sample->packet > packet)
            return;
        sctpa_replay_take(replay, sample);
    }
}

bool sctpa_is_near_sender(const sctpa_source_t *source, int64_t srtt_ns)
{
    return source->sender_tap_rtt.most_ns >= 0 &&
           source->sender_tap_rtt.most_ns <= MAX(srtt_ns / 4, 2 * SCTPA_NS_PER_MS);
}

static void learn_rtos(sctpa_learning_t *learning)
{
    sctpa_learn_rto_initial(learning);
    if (!learning->source->direction || learning->source->data_only)
        return;
    sctpa_learn_rto_min(learning);
    sctpa_learn_rto_max(learning);
}

static bool has_timeouts(const sctpa_direction_t *direction)
{
    for (uint32_t i = 0; direction && i < direction->samples.len; i++)
        if (SCTPA_RECORD(&direction->samples, sctpa_sample_t, i).kind == SCTPA_SAMPLE_BACKOFF)
            return true;
    return false;
}

void sctpa_learn_rtos(const sctpa_source_t *source, const sctpa_assoc_t *assoc, uint8_t end, sctpa_learned_t *learned)
{
    GArray *sent =
        has_timeouts(source->direction) ? gather(source) : g_array_new(FALSE, FALSE, sizeof(sctpa_sending_t));
    sctpa_learning_t learning = { .source = source, .assoc = assoc, .end = end, .sent = sent, .learned = learned };
    learn_rtos(&learning);
    g_array_unref(sent);
}

void sctpa_learn(const sctpa_source_t *source, const sctpa_source_t *peer, const sctpa_assoc_t *assoc, uint8_t end,
                 sctpa_learned_t *learned)
{
    GArray *sent = gather(source), *received = gather(peer);
    sctpa_learning_t learning = { source, peer, assoc, end, sent, received, learned };
    *learned = (sctpa_learned_t){ 0 };
    learn_rtos(&learning);
    sctpa_learn_init_retransmits(&learning);
    if (peer->direction && !source->data_only) {
        sctpa_learn_sacks(&learning);
        sctpa_learn_window(&learning);
    }
    if (source->direction)
        sctpa_learn_pmtu(&learning);
    if (source->direction && !source->data_only) {
        sctpa_learn_heartbeats(&learning);
        sctpa_learn_burst(&learning);
        sctpa_learn_initial_window(&learning);
        sctpa_learn_retrans(&learning);
        sctpa_learn_association_retrans(&learning);
    }
    g_array_unref(sent);
    g_array_unref(received);
}
