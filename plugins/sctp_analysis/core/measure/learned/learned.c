/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Learning parameters: RTO.Min, RTO.Max and RTO.Initial from timeouts (RFC 9260 6.3), Path.Max.Retrans and
 * Association.Max.Retrans from how often an endpoint tried (8.1, 8.2), Max.Init.Retransmits from its INITs (5.1),
 * HB.interval from its HEARTBEATs (8.3), what its paths carry, how much it sends at once (7.2.1, 6.1 D). Leaves SACKs
 * and windows to learned_receiver.c. */
#include "base/numbers.h"
#include "data/rto.h"
#include "learned_parts.h"
#include "measure/endings/abort_reason.h"
#include "wire/types.h"

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

/* SRTT and RTTVAR of a path, replayed from the samples as the sender measures them (RFC 9260 6.3.1). */
typedef struct {
    int64_t srtt_ns, rttvar_ns;
    uint32_t samples; /* since its last timeout */
} replayed_t;
typedef struct {
    const sctpa_source_t *source;
    GArray *paths; /* replayed_t */
    unsigned next; /* sample */
} replay_t;

static void replay_begin(replay_t *replay, const sctpa_source_t *source)
{
    *replay = (replay_t){ .source = source, .paths = g_array_new(FALSE, TRUE, sizeof(replayed_t)) };
}

static void replay_end(replay_t *replay)
{
    g_array_unref(replay->paths);
}

/* The path, valid until the next call. */
static replayed_t *replay_path(replay_t *replay, uint16_t path)
{
    if (path >= replay->paths->len)
        g_array_set_size(replay->paths, path + 1u);
    return &g_array_index(replay->paths, replayed_t, path);
}

static void replay_take(replay_t *replay, const sctpa_sample_t *sample)
{
    replayed_t *path = replay_path(replay, sample->path);
    path->samples = sample->kind == SCTPA_SAMPLE_BACKOFF ? 0 : path->samples + 1;
    if (sample->kind == SCTPA_SAMPLE_BACKOFF)
        return;
    int64_t rtt_ns = sctpa_direction_elapsed_ns(replay->source->direction, sample) +
                     MAX(sctpa_tap_rtt_measured_ns(replay->source->sender_tap_rtt), 0);
    sctpa_rtt_take(&path->srtt_ns, &path->rttvar_ns, MAX(rtt_ns, 1));
}

/* Takes all samples up to packet. */
static void replay_to(replay_t *replay, uint32_t packet)
{
    const sctpa_records_t *samples = &replay->source->direction->samples;
    for (; replay->next < samples->len; replay->next++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, replay->next);
        if (sample->packet > packet)
            return;
        replay_take(replay, sample);
    }
}

/* Is the tap so near the sender of the data that its packets pass in the order of its own events? The way there and
 * back is known, and below a quarter of srtt_ns or 2 ms. */
static bool is_near_sender(const sctpa_source_t *source, int64_t srtt_ns)
{
    return source->sender_tap_rtt.most_ns >= 0 &&
           source->sender_tap_rtt.most_ns <= MAX(srtt_ns / 4, 2 * SCTPA_NS_PER_MS);
}

enum { SAMPLES_LEAST = 4, ALIKE_LEAST = 3 };

/* Timers fire late, never early. */
static sctpa_learned_value_t of_waits(sctpa_timed_t shortest, sctpa_timed_t longest, uint32_t n)
{
    return (sctpa_learned_value_t){ .samples = n,
                                    .has_high = true,
                                    .value = shortest.ns,
                                    .low = shortest.ns - sctpa_tick_ns(shortest.ns),
                                    .high = longest.ns + SCTPA_TICK_NS,
                                    .packet = shortest.packet };
}

/* --- RTO.Initial --- */

/* Of more than two INITs one may have been lost before the tap, of two the answer to the first behind it. */
static void learn_rto_initial(sctpa_learning_t *learning)
{
    const sctpa_setup_t *setup = learning->source->setup;
    const int64_t first_ns = setup->steps[SCTPA_STEP_INIT].first_ns;
    sctpa_timed_t wait = { setup->last_init_ns - first_ns,
                           sctpa_record_from(learning->source->records, setup->steps[SCTPA_STEP_INIT].first_frame) };
    if (setup->steps[SCTPA_STEP_INIT].count != 2 || setup->steps[SCTPA_STEP_INIT].by != learning->end || wait.ns <= 0 ||
        setup->steps[SCTPA_STEP_INIT_ACK].count == 0 ||
        setup->steps[SCTPA_STEP_INIT_ACK].first_ns < setup->last_init_ns || learning->assoc->collision ||
        !is_near_sender(learning->source, 0))
        return;
    learning->learned->values[SCTPA_PARAMETER_RTO_INITIAL] = of_waits(wait, wait, 1);
}

/* --- RTO.Min --- */

/* The first timeout of a series on a path, by what its packet resent first. */
typedef struct {
    uint32_t packet;
    uint16_t path;
    int64_t unclamped_ns; /* SRTT + 4 RTTVAR */
    int64_t tsn;          /* lowest that it resent for the first time, -1 none */
    uint32_t sent_packet; /* first transmission of that */
} expiry_t;

typedef struct {
    const sctpa_learning_t *learning;
    GArray *expiries; /* expiry_t in packet order */
} expiring_t;

/* Walks all samples: keeps the first timeout of each series behind enough round trips, where the tap is near the
 * sender. O(samples). */
static void find_expiries(expiring_t *expiring)
{
    const sctpa_source_t *source = expiring->learning->source;
    const sctpa_records_t *samples = &source->direction->samples;
    replay_t replay;
    replay_begin(&replay, source);
    for (unsigned i = 0; i < samples->len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, i);
        const replayed_t *path = replay_path(&replay, sample->path);
        int64_t unclamped_ns = sctpa_rto_unbounded_ns(path->srtt_ns, path->rttvar_ns);
        if (sample->kind == SCTPA_SAMPLE_BACKOFF && path->samples >= SAMPLES_LEAST &&
            is_near_sender(source, path->srtt_ns)) {
            expiry_t expiry = { sample->packet, sample->path, unclamped_ns, -1, SCTPA_NO_PACKET_INDEX };
            g_array_append_val(expiring->expiries, expiry);
        }
        replay_take(&replay, sample);
    }
    replay_end(&replay);
}

static expiry_t *expiry_at(const GArray *expiries, uint32_t packet)
{
    uint32_t at = sctpa_array_from(expiries, packet);
    bool found = at < expiries->len && g_array_index(expiries, expiry_t, at).packet == packet;
    return found ? &g_array_index(expiries, expiry_t, at) : NULL;
}

static void note_resent(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    expiring_t *expiring = user;
    uint32_t at = tsn->more;
    while (at != 0 && sctpa_source_rtx(expiring->learning->source, at)->link.before != 0)
        at = sctpa_source_rtx(expiring->learning->source, at)->link.before;
    expiry_t *expiry =
        at ? expiry_at(expiring->expiries, sctpa_source_rtx(expiring->learning->source, at)->packet) : NULL;
    if (!expiry || expiry->tsn >= 0 || tsn->state & SCTPA_TSN_EARLIER_UNSEEN)
        return;
    expiry->tsn = number;
    expiry->sent_packet = tsn->first_packet;
}

/* Was nothing sent again in the three times wait_ns before packet? A retransmission leaves doubt when the timer was
 * started. */
static bool is_undisturbed(const sctpa_learning_t *learning, uint32_t packet, int64_t wait_ns)
{
    int64_t from_ns = sctpa_source_time_ns(learning->source, packet) - 3 * wait_ns;
    for (unsigned at = sctpa_sendings_after(learning->sent, packet); at > 0; at--) {
        const sctpa_sending_t *sending = sctpa_sending(learning->sent, at - 1);
        if (sctpa_source_time_ns(learning->source, sending->packet) < from_ns)
            return true;
        if (sending->resent && sending->packet < packet)
            return false;
    }
    return true;
}

/* The timer was started when the TSN was sent, or again when the TSN before it was acked (6.3.2 R1, R3); -1: the
 * records do not tell. */
static int64_t waited_ns(const sctpa_source_t *source, const expiry_t *expiry)
{
    const sctpa_direction_t *direction = source->direction;
    if (expiry->tsn < 0 || sctpa_source_record(source, expiry->sent_packet)->path != expiry->path)
        return -1;
    int64_t started_ns = sctpa_source_time_ns(source, expiry->sent_packet);
    const sctpa_tsn_t *before = sctpa_direction_tsn(direction, expiry->tsn - 1);
    if (!before && expiry->tsn > 0)
        return -1;
    if (before && (before->ack_packet >= expiry->packet || before->path != expiry->path))
        return -1;
    if (before)
        started_ns =
            MAX(started_ns, sctpa_source_time_ns(source, before->ack_packet) + MAX(source->sender_tap_rtt.most_ns, 0));
    return sctpa_source_time_ns(source, expiry->packet) - started_ns;
}

static void learn_rto_min(sctpa_learning_t *learning)
{
    expiring_t expiring = { learning, g_array_new(FALSE, FALSE, sizeof(expiry_t)) };
    GArray *waits = g_array_new(FALSE, FALSE, sizeof(sctpa_timed_t));
    bool sure = false;
    find_expiries(&expiring);
    if (expiring.expiries->len > 0)
        sctpa_direction_each(learning->source->direction, note_resent, &expiring);
    for (unsigned i = 0; i < expiring.expiries->len; i++) {
        const expiry_t *expiry = &g_array_index(expiring.expiries, expiry_t, i);
        sctpa_timed_t wait = { waited_ns(learning->source, expiry), expiry->packet };
        if (wait.ns <= 0 || 4 * expiry->unclamped_ns > 3 * wait.ns ||
            !is_undisturbed(learning, expiry->packet, wait.ns))
            continue;
        sure |= 2 * expiry->unclamped_ns <= wait.ns;
        g_array_append_val(waits, wait);
    }
    sctpa_alike_t alike = sctpa_times_alike(waits);
    const sctpa_timed_t *found = (const sctpa_timed_t *)(const void *)waits->data + alike.first;
    if (2 * alike.n > waits->len && (alike.n >= 2 || sure) && found[0].ns <= SCTPA_RTO_MIN_NS + SCTPA_RTO_MIN_NS / 8) {
        sctpa_learned_value_t value = of_waits(found[0], found[alike.n - 1], alike.n);
        if (alike.n == 1) {
            value.low = value.value - value.value / 4;
            value.high = value.value + value.value / 4;
        }
        learning->learned->values[SCTPA_PARAMETER_RTO_MIN] = value;
    }
    g_array_unref(waits);
    g_array_unref(expiring.expiries);
}

/* --- RTO.Max --- */

/* Timeouts of a path in a row, and the last waits between them that are alike. */
typedef struct {
    bool any;
    uint32_t packet; /* of the last timeout */
    int64_t wait_ns; /* before it, 0 none */
    bool has_grown;  /* the first wait that is alike was longer than the one before it by a quarter */
    uint32_t n;      /* waits alike */
    sctpa_timed_t shortest, longest;
} in_a_row_t;

static bool has_sack_between(const sctpa_direction_t *direction, uint32_t from, uint32_t to)
{
    uint32_t at = sctpa_records_from(direction->sacks.data, direction->sacks.len, sizeof(sctpa_sack_record_t), from);
    return at < direction->sacks.len && SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, at).packet < to;
}

static void take_wait(in_a_row_t *row, sctpa_timed_t wait)
{
    if (row->n == 0 || ABS(wait.ns - row->shortest.ns) > row->shortest.ns / 16 + 2 * SCTPA_TICK_NS) {
        row->has_grown = row->wait_ns > 0 && 4 * wait.ns > 5 * row->wait_ns;
        row->n = 0;
        row->shortest = row->longest = wait;
    }
    if (wait.ns < row->shortest.ns)
        row->shortest = wait;
    if (wait.ns > row->longest.ns)
        row->longest = wait;
    row->n++;
    row->wait_ns = wait.ns;
}

static void take_sample(const sctpa_source_t *source, const sctpa_sample_t *sample, in_a_row_t *row)
{
    const int64_t time_ns = sctpa_source_time_ns(source, sample->packet);
    if (sample->kind != SCTPA_SAMPLE_BACKOFF || !row->any ||
        has_sack_between(source->direction, row->packet, sample->packet))
        *row = (in_a_row_t){ 0 };
    else
        take_wait(row, (sctpa_timed_t){ time_ns - sctpa_source_time_ns(source, row->packet), sample->packet });
    row->any = sample->kind == SCTPA_SAMPLE_BACKOFF;
    row->packet = sample->packet;
}

static void learn_rto_max(sctpa_learning_t *learning)
{
    const sctpa_direction_t *direction = learning->source->direction;
    in_a_row_t *rows = g_new0(in_a_row_t, MAX(direction->paths.len, 1));
    sctpa_learned_value_t *rto_max = &learning->learned->values[SCTPA_PARAMETER_RTO_MAX];
    for (unsigned i = 0; is_near_sender(learning->source, 0) && i < direction->samples.len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, i);
        in_a_row_t *row = &rows[sample->path];
        take_sample(learning->source, sample, row);
        if (row->has_grown && row->n >= ALIKE_LEAST && row->n > rto_max->samples)
            *rto_max = of_waits(row->shortest, row->longest, row->n);
    }
    g_free(rows);
}

/* --- the least and the most that RTO.Initial, RTO.Min and RTO.Max may be --- */

/* A parameter as an interval in ns. */
typedef struct {
    int64_t value_ns, least_ns, most_ns;
} interval_t;

/* What is not learned is the RFC's. */
static interval_t interval_of(const sctpa_learned_value_t *learned, int64_t rfc_ns)
{
    if (learned->samples == 0)
        return (interval_t){ rfc_ns, rfc_ns, rfc_ns };
    return (interval_t){ learned->value, learned->low,
                         learned->has_high ? learned->high : MAX(learned->value, rfc_ns) };
}

/* Timeouts that came sooner than the RFC's RTO.Min show that the endpoint has another, which is no longer than the
 * shortest of them; unless the timer ran already when the tap saw it start, so that the RFC's stays the most. */
static interval_t rto_min_of(const sctpa_learned_value_t *learned, int64_t shortest_ns)
{
    if (learned->samples == 0 && shortest_ns < SCTPA_RTO_MIN_NS)
        return (interval_t){ shortest_ns, 0, SCTPA_RTO_MIN_NS };
    return interval_of(learned, SCTPA_RTO_MIN_NS);
}

static sctpa_rto_parameters_t parameters_of(const sctpa_direction_t *direction, const sctpa_learned_t *learned)
{
    const sctpa_learned_value_t *values = learned->values;
    const int64_t shortest_ns = direction->rare->rto_min_ns;
    interval_t initial = interval_of(&values[SCTPA_PARAMETER_RTO_INITIAL], SCTPA_RTO_INITIAL_NS),
               min = rto_min_of(&values[SCTPA_PARAMETER_RTO_MIN], shortest_ns),
               max = interval_of(&values[SCTPA_PARAMETER_RTO_MAX], SCTPA_RTO_MAX_NS);
    if (values[SCTPA_PARAMETER_RTO_INITIAL].samples == 0)
        initial.most_ns = SCTPA_RTO_INITIAL_4960_NS;
    return (sctpa_rto_parameters_t){ { initial.value_ns, min.value_ns, max.value_ns },
                                     { initial.least_ns, min.least_ns, max.least_ns },
                                     { initial.most_ns, min.most_ns, max.most_ns },
                                     shortest_ns < SCTPA_RTO_MIN_NS ||
                                         values[SCTPA_PARAMETER_RTO_INITIAL].samples > 0 ||
                                         values[SCTPA_PARAMETER_RTO_MIN].samples > 0 ||
                                         values[SCTPA_PARAMETER_RTO_MAX].samples > 0 };
}

/* --- the packets with DATA, gathered from TSNs and retransmissions --- */

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

/* --- RTOs alone, and of a path --- */

static void learn_rtos(sctpa_learning_t *learning)
{
    learn_rto_initial(learning);
    if (!learning->source->direction || learning->source->data_only)
        return;
    learn_rto_min(learning);
    learn_rto_max(learning);
}

static bool has_timeouts(const sctpa_direction_t *direction)
{
    for (uint32_t i = 0; direction && i < direction->samples.len; i++)
        if (SCTPA_RECORD(&direction->samples, sctpa_sample_t, i).kind == SCTPA_SAMPLE_BACKOFF)
            return true;
    return false;
}

/* Fills in RTO_INITIAL, RTO_MIN and RTO_MAX of learned, as sctpa_learn does. Cost as sctpa_rto_parameters. */
static void learn_rtos_alone(const sctpa_source_t *source, const sctpa_assoc_t *assoc, uint8_t end,
                             sctpa_learned_t *learned)
{
    GArray *sent =
        has_timeouts(source->direction) ? gather(source) : g_array_new(FALSE, FALSE, sizeof(sctpa_sending_t));
    sctpa_learning_t learning = { .source = source, .assoc = assoc, .end = end, .sent = sent, .learned = learned };
    learn_rtos(&learning);
    g_array_unref(sent);
}

sctpa_rto_parameters_t sctpa_rto_parameters(const sctpa_source_t *source, const sctpa_assoc_t *assoc, uint8_t end)
{
    sctpa_learned_t learned = { 0 };
    learn_rtos_alone(source, assoc, end, &learned);
    return parameters_of(source->direction, &learned);
}

sctpa_rto_parameters_t sctpa_rto_parameters_so_far(const sctpa_source_t *source, const sctpa_assoc_t *assoc,
                                                   uint8_t end)
{
    sctpa_learned_t learned = { 0 };
    sctpa_learning_t learning = { .source = source, .assoc = assoc, .end = end, .learned = &learned };
    learn_rto_initial(&learning);
    return parameters_of(source->direction, &learned);
}

sctpa_rtos_t sctpa_rtos_after(const sctpa_rto_parameters_t *parameters, const sctpa_sample_t *sample)
{
    const int64_t unbounded_ns = sample ? sctpa_sample_unbounded_ns(sample) : 0;
    const unsigned backoffs = sample ? sample->backoffs : 0;
    return (sctpa_rtos_t){ sctpa_rto_backed_off_ns(unbounded_ns, backoffs, &parameters->values),
                           sctpa_rto_backed_off_ns(unbounded_ns, backoffs, &parameters->least),
                           sctpa_rto_backed_off_ns(unbounded_ns, backoffs, &parameters->most), parameters->is_learned };
}

/* --- Association.Max.Retrans --- */

enum { GIVE_UP_ERRORS_LEAST = 2 }; /* as for the reason of an ABORT: with the last one three */

/* Did the endpoint itself abort, and not its application? A T bit is of a host without the association. */
static bool has_aborted(const sctpa_learning_t *learning)
{
    const sctpa_assoc_t *assoc = learning->assoc;
    return assoc->known.end == SCTPA_ASSOC_ABORT && assoc->known.end_by == learning->end && !assoc->end_reflected &&
           assoc->end_cause != SCTPA_CAUSE_USER_ABORT;
}

/* Of the errors before the last one, which is the ABORT's: value as they are counted most likely. */
static sctpa_learned_value_t counted(const sctpa_last_errors_t *errors, sctpa_expiries_t expiries)
{
    const bool by_timer = errors->timeouts > 0;
    const uint32_t last_heartbeat = by_timer ? 0 : 1;
    const uint32_t surely = errors->timeouts + (by_timer ? expiries.least - 1 : 0),
                   at_most = errors->timeouts + errors->unknown + (by_timer ? expiries.most - 1 : 0);
    const uint32_t heartbeats = by_timer ? errors->heartbeats_due : errors->heartbeats - last_heartbeat;
    return (sctpa_learned_value_t){ .samples = errors->timeouts + errors->heartbeats,
                                    .has_high = true,
                                    .value = surely + errors->unknown + heartbeats,
                                    .low = by_timer ? surely : heartbeats,
                                    .high = at_most + errors->heartbeats - last_heartbeat };
}

static void learn_association_retrans(sctpa_learning_t *learning)
{
    const sctpa_source_t *source = learning->source;
    const uint32_t packet = sctpa_abort_packet(source, learning->assoc);
    if (!has_aborted(learning) || packet == SCTPA_NO_PACKET_INDEX || !is_near_sender(source, 0))
        return;
    const sctpa_last_errors_t errors = sctpa_last_errors(source, false), of_data = sctpa_last_errors(source, true);
    sctpa_expiries_t expiries = { 0, 0 };
    if (!errors.knows_heartbeats || errors.timeouts + errors.heartbeats < GIVE_UP_ERRORS_LEAST)
        return;
    if (errors.timeouts > 0)
        expiries = sctpa_expiries_of(
            &errors, sctpa_source_time_ns(source, packet) - sctpa_source_time_ns(source, errors.timeout_packet),
            SCTPA_RTO_MAX_NS);
    if (errors.timeouts > 0 && expiries.most == 0)
        return;
    sctpa_learned_value_t value = counted(&errors, expiries);
    value.high = MAX(value.high, (int64_t)of_data.timeouts + of_data.unknown + of_data.heartbeats);
    value.packet = packet;
    learning->learned->values[SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS] = value;
}

/* --- Max.Init.Retransmits --- */

/* An INIT that passes unseen makes the count too low, never too high. */
static void learn_init_retransmits(sctpa_learning_t *learning)
{
    const sctpa_assoc_t *assoc = learning->assoc;
    const sctpa_setup_t *setup = &assoc->setup;
    const uint32_t inits = setup->steps[SCTPA_STEP_INIT].count;
    if (inits < 2 || setup->steps[SCTPA_STEP_INIT].by != learning->end || setup->steps[SCTPA_STEP_INIT_ACK].count > 0 ||
        setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0 || assoc->collision || assoc->known.end == SCTPA_ASSOC_REFUSED)
        return;
    const uint32_t packet = sctpa_abort_packet(learning->source, assoc);
    const int64_t mean_wait_ns = (setup->last_init_ns - setup->steps[SCTPA_STEP_INIT].first_ns) / (inits - 1);
    const bool has_ended = has_aborted(learning) && packet != SCTPA_NO_PACKET_INDEX &&
                           sctpa_source_time_ns(learning->source, packet) - setup->last_init_ns >= mean_wait_ns;
    learning->learned->values[SCTPA_PARAMETER_MAX_INIT_RETRANSMITS] = (sctpa_learned_value_t){
        .samples = inits - 1,
        .has_high = has_ended,
        .value = inits - 1,
        .low = inits - 1,
        .high = inits - 1,
        .packet = has_ended ? packet : sctpa_frame_packet(learning->source, setup->steps[SCTPA_STEP_INIT].first_frame)
    };
}

/* --- HB.interval --- */

enum { INTERVALS_LEAST = 3 };

/* FreeBSD adds up to 255 ms to its intervals (Rüngeler, dissertation, equation 8.5). */
static const int64_t jitter_added_ns = 255000000;

/* What the intervals between HEARTBEATs on idle paths tell. */
typedef struct {
    uint32_t n, packet;
    int64_t sum_ns, min_ns, max_ns;
    int64_t rto_sum_ns; /* of the RTOs as 6.3.1 has them */
    int64_t srtt_ns;    /* last */
    int64_t low_ns;     /* HB.interval is at least this */
} beating_t;

static bool has_data_between(const GArray *sent, const sctpa_heartbeat_t *from, const sctpa_heartbeat_t *to)
{
    for (unsigned at = sctpa_sendings_after(sent, from->packet); at < sent->len; at++) {
        const sctpa_sending_t *sending = sctpa_sending(sent, at);
        if (sending->packet > to->packet)
            return false;
        if (sending->path == from->path)
            return true;
    }
    return false;
}

/* 8.3: "HB.interval + RTO +/- 50 % of the RTO". */
static void take_interval(const sctpa_learning_t *learning, beating_t *beating, const sctpa_heartbeat_t *to,
                          int64_t interval_ns, const replayed_t *path)
{
    const sctpa_learned_value_t *rto_min = &learning->learned->values[SCTPA_PARAMETER_RTO_MIN];
    int64_t unclamped_ns = sctpa_rto_unbounded_ns(path->srtt_ns, path->rttvar_ns);
    int64_t rto_ns = MAX(unclamped_ns, rto_min->samples > 0 ? rto_min->high : SCTPA_RTO_MIN_NS);
    beating->min_ns = beating->n == 0 ? interval_ns : MIN(beating->min_ns, interval_ns);
    beating->max_ns = MAX(beating->max_ns, interval_ns);
    beating->sum_ns = sctpa_ns_sum(beating->sum_ns, interval_ns);
    beating->rto_sum_ns = sctpa_ns_sum(beating->rto_sum_ns, rto_ns);
    beating->low_ns =
        MAX(beating->low_ns, interval_ns - 3 * rto_ns / 2 - MAX(jitter_added_ns, sctpa_tick_ns(interval_ns)));
    beating->srtt_ns = path->srtt_ns;
    beating->packet = to->packet;
    beating->n++;
}

/* The first interval of a path may be of its confirmation (5.4), and is left out. */
static void take_path(const sctpa_learning_t *learning, uint16_t path, beating_t *beating)
{
    const sctpa_records_t *heartbeats = &learning->source->direction->rare->heartbeats;
    const sctpa_heartbeat_t *before = NULL;
    unsigned seen = 0;
    replay_t replay;
    replay_begin(&replay, learning->source);
    for (unsigned i = 0; i < heartbeats->len; i++) {
        const sctpa_heartbeat_t *heartbeat = &SCTPA_RECORD(heartbeats, sctpa_heartbeat_t, i);
        if (heartbeat->path != path)
            continue;
        replay_to(&replay, heartbeat->packet);
        bool idle =
            before && before->answer_packet < heartbeat->packet && !has_data_between(learning->sent, before, heartbeat);
        if (idle && seen++ > 0)
            take_interval(learning, beating, heartbeat,
                          sctpa_source_time_ns(learning->source, heartbeat->packet) -
                              sctpa_source_time_ns(learning->source, before->packet),
                          replay_path(&replay, path));
        before = heartbeat;
    }
    replay_end(&replay);
}

/* Intervals that differ show that jitter is added: an RTO of at least their difference. Those that do not: neither,
 * perhaps. */
static void learn_heartbeats(sctpa_learning_t *learning)
{
    const sctpa_direction_t *direction = learning->source->direction;
    beating_t beating = { 0 };
    for (unsigned path = 0; path < direction->paths.len; path++)
        take_path(learning, (uint16_t)path, &beating);
    if (beating.n < INTERVALS_LEAST)
        return;
    int64_t spread_ns = beating.max_ns - beating.min_ns, rto_ns = beating.rto_sum_ns / beating.n;
    bool jitter = spread_ns > rto_ns / 4;
    int64_t high_ns = beating.min_ns - (jitter ? spread_ns / 2 : 0), low_ns = MAX(beating.low_ns, 0);
    int64_t value_ns = jitter ? beating.sum_ns / beating.n - rto_ns : beating.min_ns - beating.srtt_ns;
    if (spread_ns > rto_ns + jitter_added_ns || low_ns > high_ns || 2 * (high_ns - low_ns) > high_ns)
        return;
    learning->learned->values[SCTPA_PARAMETER_HB_INTERVAL] =
        (sctpa_learned_value_t){ .samples = beating.n,
                                 .has_high = true,
                                 .value = CLAMP(value_ns, low_ns, high_ns),
                                 .low = low_ns,
                                 .high = high_ns,
                                 .packet = beating.packet };
}

enum { PACKETS_LEAST = 3, ROOM_BYTES = 44, ERRORS_LEAST = 3 };

/* --- PMTU --- */

typedef struct {
    uint32_t wire_bytes, packets, fragments, packet;
} largest_t;

static void learn_pmtu(sctpa_learning_t *learning)
{
    GArray *paths = g_array_new(FALSE, TRUE, sizeof(largest_t));
    largest_t best = { 0 };
    for (unsigned i = 0; i < learning->sent->len; i++) {
        const sctpa_sending_t *sending = sctpa_sending(learning->sent, i);
        const sctpa_stamp_t *stamp = sctpa_source_stamp(learning->source, sending->packet);
        uint32_t wire_bytes = stamp->wire_bytes;
        unsigned path = MIN(sending->path, SCTPA_ADDRS_MAX);
        if (!sending->acked || stamp->holds & SCTPA_STAMP_FRAGMENTED ||
            sctpa_source_record(learning->source, sending->packet)->remarks & SCTPA_CAPTURE_OFFLOAD)
            continue;
        if (path >= paths->len)
            g_array_set_size(paths, path + 1);
        largest_t *largest = &g_array_index(paths, largest_t, path);
        if (wire_bytes > largest->wire_bytes)
            *largest = (largest_t){ .wire_bytes = wire_bytes, .packet = sending->packet };
        largest->packets += wire_bytes == largest->wire_bytes;
        largest->fragments += wire_bytes == largest->wire_bytes && sending->fragment;
    }
    for (unsigned path = 0; path < paths->len; path++) {
        const largest_t *largest = &g_array_index(paths, largest_t, path);
        if (largest->packets >= PACKETS_LEAST && largest->fragments >= PACKETS_LEAST &&
            largest->wire_bytes > best.wire_bytes)
            best = *largest;
    }
    if (best.packets > 0)
        learning->learned->values[SCTPA_PARAMETER_PMTU] = (sctpa_learned_value_t){ .samples = best.packets,
                                                                                   .has_high = true,
                                                                                   .value = best.wire_bytes,
                                                                                   .low = best.wire_bytes,
                                                                                   .high = best.wire_bytes + ROOM_BYTES,
                                                                                   .packet = best.packet };
    g_array_unref(paths);
}

/* --- Path.Max.Retrans --- */

/* Timeouts in a row on a path. */
typedef struct {
    uint16_t path;
    uint32_t first, last; /* packets */
    uint32_t n;
    bool broken;      /* something on the path was acked meanwhile */
    uint32_t arrived; /* last packet to it before the series with a TSN that was acked */
} series_t;

typedef struct {
    const sctpa_source_t *source;
    series_t *series;
} breaking_t;

static void note_ack(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    breaking_t *breaking = user;
    uint32_t ack = MIN(tsn->gap_packet, tsn->ack_packet);
    (void)number;
    if (tsn->path == breaking->series->path && ack != SCTPA_NO_PACKET_INDEX &&
        tsn->last_packet < breaking->series->first)
        breaking->series->arrived = MAX(breaking->series->arrived, tsn->last_packet);
    if (tsn->path == breaking->series->path && tsn->last_packet < ack && ack > breaking->series->first &&
        ack < breaking->series->last)
        breaking->series->broken = true;
}

/* HEARTBEATs of the path since something arrived there, up to a packet: how many were not answered; *answered: one was.
 */
static uint32_t heartbeats_lost(const sctpa_direction_t *direction, const series_t *series, uint32_t until,
                                bool *answered)
{
    uint32_t lost = 0;
    for (unsigned i = 0; i < direction->rare->heartbeats.len; i++) {
        const sctpa_heartbeat_t *heartbeat = &SCTPA_RECORD(&direction->rare->heartbeats, sctpa_heartbeat_t, i);
        if (heartbeat->path != series->path || heartbeat->packet < series->arrived || heartbeat->packet > until)
            continue;
        lost += heartbeat->answer_packet == SCTPA_NO_PACKET_INDEX;
        *answered |= heartbeat->answer_packet < until && heartbeat->packet > series->first;
    }
    return lost;
}

/* New data went to the path before the series began, and to another one after it, but not in between: the packet of
 * that. */
static uint32_t leaving(const GArray *sent, const series_t *series)
{
    unsigned at = sctpa_sendings_after(sent, series->first), before = at;
    while (before > 0 &&
           (sctpa_sending(sent, before - 1)->resent || sctpa_sending(sent, before - 1)->packet >= series->first))
        before--;
    if (before == 0 || sctpa_sending(sent, before - 1)->path != series->path)
        return SCTPA_NO_PACKET_INDEX;
    for (; at < sent->len; at++) {
        const sctpa_sending_t *sending = sctpa_sending(sent, at);
        if (sending->resent)
            continue;
        if (sending->path != series->path)
            return sending->packet > series->last ? sending->packet : SCTPA_NO_PACKET_INDEX;
        if (sending->packet > series->last)
            return SCTPA_NO_PACKET_INDEX;
    }
    return SCTPA_NO_PACKET_INDEX;
}

static void take_series(sctpa_learning_t *learning, series_t *series)
{
    bool answered = false;
    uint32_t packet = leaving(learning->sent, series);
    breaking_t breaking = { learning->source, series };
    if (series->n < ERRORS_LEAST || packet == SCTPA_NO_PACKET_INDEX)
        return;
    sctpa_direction_each(learning->source->direction, note_ack, &breaking);
    uint32_t lost = heartbeats_lost(learning->source->direction, series, packet, &answered);
    if (series->broken || answered)
        return;
    learning->learned->values[SCTPA_PARAMETER_PATH_MAX_RETRANS] = (sctpa_learned_value_t){
        .samples = series->n + lost, .value = series->n + lost - 1, .low = series->n - 1, .packet = packet
    };
}

/* Where a path that is potentially failed was still probed once per RTO, after most errors. */
static void take_probed(sctpa_learning_t *learning)
{
    const sctpa_switching_t *switching = learning->assoc->ends[learning->end].rare->switching;
    sctpa_learned_value_t *value = &learning->learned->values[SCTPA_PARAMETER_PATH_MAX_RETRANS];
    for (uint32_t i = 0; switching && i < MIN(switching->n_outages, SCTPA_OUTAGES_MAX); i++) {
        const sctpa_outage_t *outage = &switching->outages[i];
        if (outage->probed_errors > (value->samples > 0 ? value->value : 0))
            *value = (sctpa_learned_value_t){ .samples = outage->probed_errors,
                                              .value = outage->probed_errors,
                                              .low = outage->probed_errors,
                                              .packet = outage->probed_packet };
    }
}

/* The first series that ends so is taken, unless probes show that the path was left before it was inactive. */
static void take_timeouts(sctpa_learning_t *learning)
{
    const sctpa_direction_t *direction = learning->source->direction;
    const sctpa_records_t *samples = &direction->samples;
    for (unsigned path = 0; direction->paths.len > 1 && path < direction->paths.len; path++) {
        series_t series = { .path = (uint16_t)path };
        for (unsigned i = 0; i < samples->len; i++) {
            const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, i);
            if (sample->path != path)
                continue;
            if (sample->kind != SCTPA_SAMPLE_BACKOFF) {
                if (series.n >= ERRORS_LEAST)
                    break;
                series.n = 0;
                continue;
            }
            if (series.n++ == 0)
                series.first = sample->packet;
            series.last = sample->packet;
        }
        if (learning->learned->values[SCTPA_PARAMETER_PATH_MAX_RETRANS].samples == 0)
            take_series(learning, &series);
    }
}

static void learn_retrans(sctpa_learning_t *learning)
{
    take_timeouts(learning);
    take_probed(learning);
}

/* --- what is sent at once (RFC 9260 7.2.1, 6.1 D) --- */

enum { BURST_MAX = 64, BURSTS_LEAST = 3, CHUNK_HEADER_BYTES = 20 };

/* Bytes of the largest packet with DATA. */
static uint32_t largest_bytes(const GArray *sent)
{
    uint32_t largest = 0;
    for (unsigned i = 0; i < sent->len; i++)
        largest = MAX(largest, sctpa_sending(sent, i)->bytes);
    return largest;
}

/* Does the packet follow the SACK as its answer? */
static bool answers(const sctpa_source_t *source, uint32_t sack, uint32_t packet)
{
    int64_t elapsed_ns = sctpa_source_time_ns(source, packet) - sctpa_source_time_ns(source, sack);
    return elapsed_ns >= 0 &&
           elapsed_ns <= MAX(sctpa_tap_rtt_measured_ns(source->sender_tap_rtt), 0) + 2 * SCTPA_NS_PER_MS;
}

/* --- initial window --- */

/* Packets before the first SACK; 0: something else than the window may have ended them. */
static unsigned first_flight(const sctpa_learning_t *learning, uint32_t sack)
{
    const GArray *sent = learning->sent;
    const sctpa_source_t *source = learning->source;
    unsigned n = sctpa_sendings_after(sent, sack);
    uint32_t largest = largest_bytes(sent);
    if (n < 2 || n >= sent->len || sctpa_sending(sent, 0)->first != 0)
        return 0;
    while (n > 2 && answers(source, sack, sctpa_sending(sent, n - 1)->packet))
        n--;
    for (unsigned i = 0; i <= n; i++) {
        const sctpa_sending_t *sending = sctpa_sending(sent, i);
        if (sending->resent || 2 * sending->bytes < largest ||
            (i > 0 && sending->first != sctpa_sending(sent, i - 1)->last + 1))
            return 0;
    }
    return n;
}

static bool stopped_and_went_on(const sctpa_learning_t *learning, unsigned n, uint32_t sack)
{
    const sctpa_source_t *source = learning->source;
    const GArray *sent = learning->sent;
    int64_t began_ns = sctpa_source_time_ns(source, sctpa_sending(sent, 0)->packet);
    int64_t ended_ns = sctpa_source_time_ns(source, sctpa_sending(sent, n - 1)->packet);
    int64_t sack_ns = sctpa_source_time_ns(source, sack), pause_ns = sack_ns - ended_ns;
    const sctpa_sending_t *next = sctpa_sending(sent, n);
    return n + 1 < sent->len && pause_ns > 3 * SCTPA_NS_PER_MS && pause_ns >= 4 * (ended_ns - began_ns) &&
           next->packet > sack && answers(source, sack, sctpa_sending(sent, n + 1)->packet) &&
           next->path == sctpa_sending(sent, 0)->path;
}

static void learn_initial_window(sctpa_learning_t *learning)
{
    const sctpa_direction_t *direction = learning->source->direction;
    const sctpa_records_t *acked = &direction->acked;
    const sctpa_setup_t *setup = learning->source->setup;
    if (acked->len == 0 || setup->steps[SCTPA_STEP_COOKIE_ACK].count == 0 || !direction->announced ||
        learning->sent->len == 0)
        return;
    uint32_t sack = SCTPA_RECORD(acked, sctpa_acked_t, 0).packet, bytes = 0, chunks = 0;
    const sctpa_sending_t *first = sctpa_sending(learning->sent, 0);
    if (sctpa_source_record(learning->source, first->packet)->frame <=
            setup->steps[SCTPA_STEP_COOKIE_ACK].first_frame ||
        !is_near_sender(learning->source, sctpa_source_time_ns(learning->source, sack) -
                                              sctpa_source_time_ns(learning->source, first->packet)))
        return;
    unsigned n = first_flight(learning, sack);
    if (n < 2 || !stopped_and_went_on(learning, n, sack))
        return;
    for (unsigned i = 0; i < n; i++) {
        bytes += sctpa_sending(learning->sent, i)->bytes;
        chunks += sctpa_sending(learning->sent, i)->chunks;
    }
    const sctpa_sending_t *last = sctpa_sending(learning->sent, n - 1), *next = sctpa_sending(learning->sent, n);
    if (learning->source->window_bytes < bytes + 2 * next->bytes)
        return;
    learning->learned->values[SCTPA_PARAMETER_INITIAL_CWND] =
        (sctpa_learned_value_t){ .samples = n,
                                 .has_high = true,
                                 .value = bytes,
                                 .low = (int64_t)bytes - last->bytes,
                                 .high = (int64_t)bytes + next->bytes + CHUNK_HEADER_BYTES * (chunks + next->chunks),
                                 .packet = last->packet };
}

/* --- Max.Burst --- */

typedef struct {
    sctpa_learning_t *learning;
    uint32_t largest;
    unsigned longest;
    uint32_t ended[BURST_MAX + 1]; /* bursts of n packets that nothing but a limit on bursts ended */
    uint32_t ended_packet[BURST_MAX + 1];
    uint32_t resent_packet; /* last retransmission */
    bool has_resent;
    replay_t replay;
} bursting_t;

/* Packets that answer the SACK at once. */
static unsigned burst_after(const sctpa_learning_t *learning, uint32_t sack, uint32_t next_sack, unsigned from,
                            uint32_t *bytes, bool *resent)
{
    unsigned n = 0;
    *bytes = 0;
    *resent = false;
    for (; from + n < learning->sent->len; n++) {
        const sctpa_sending_t *sending = sctpa_sending(learning->sent, from + n);
        if (sending->packet > next_sack || !answers(learning->source, sack, sending->packet))
            break;
        *bytes += sending->bytes;
        *resent |= sending->resent;
    }
    return n;
}

/* Did something else than cwnd, the peer's window and the data at hand end the burst? No loss within four round trips
 * before it. */
static bool was_limited(bursting_t *bursting, const sctpa_acked_t *acked, unsigned from, unsigned n, uint32_t bytes)
{
    const sctpa_source_t *source = bursting->learning->source;
    const sctpa_sending_t *last = sctpa_sending(bursting->learning->sent, from + n - 1);
    const sctpa_stamp_t *stamp = sctpa_source_stamp(source, last->packet);
    replay_to(&bursting->replay, acked->packet);
    int64_t srtt_ns = replay_path(&bursting->replay, last->path)->srtt_ns;
    if (srtt_ns == 0 || !is_near_sender(source, srtt_ns) || acked->gap_packets > 0)
        return false;
    if (bursting->has_resent &&
        sctpa_source_time_ns(source, acked->packet) - sctpa_source_time_ns(source, bursting->resent_packet) <
            4 * srtt_ns)
        return false;
    return acked->bytes >= bytes + bursting->largest && stamp->peer_window_bytes != SCTPA_NO_PACKET_INDEX &&
           stamp->peer_window_bytes >= 4 * bursting->largest;
}

static void take_burst(bursting_t *bursting, const sctpa_acked_t *acked, uint32_t next_sack)
{
    const GArray *sent = bursting->learning->sent;
    unsigned from = sctpa_sendings_after(sent, acked->packet);
    uint32_t bytes;
    bool resent;
    unsigned n = burst_after(bursting->learning, acked->packet, next_sack, from, &bytes, &resent);
    bool goes_on = from + n < sent->len && next_sack != SCTPA_NO_PACKET_INDEX &&
                   sctpa_sending(sent, from + n)->packet > next_sack &&
                   answers(bursting->learning->source, next_sack, sctpa_sending(sent, from + n)->packet);
    if (n == 0 || resent)
        return;
    bursting->longest = MAX(bursting->longest, MIN(n, BURST_MAX));
    if (n <= BURST_MAX && goes_on && was_limited(bursting, acked, from, n, bytes)) {
        bursting->ended[n]++;
        bursting->ended_packet[n] = sctpa_sending(sent, from + n - 1)->packet;
    }
}

static void learn_burst(sctpa_learning_t *learning)
{
    const sctpa_records_t *acked = &learning->source->direction->acked;
    bursting_t bursting = { .learning = learning, .largest = largest_bytes(learning->sent) };
    unsigned at = 0;
    replay_begin(&bursting.replay, learning->source);
    for (unsigned i = 0; i < acked->len; i++) {
        const sctpa_acked_t *record = &SCTPA_RECORD(acked, sctpa_acked_t, i);
        for (; at < learning->sent->len && sctpa_sending(learning->sent, at)->packet < record->packet; at++)
            if (sctpa_sending(learning->sent, at)->resent) {
                bursting.has_resent = true;
                bursting.resent_packet = sctpa_sending(learning->sent, at)->packet;
            }
        take_burst(&bursting, record,
                   i + 1 < acked->len ? SCTPA_RECORD(acked, sctpa_acked_t, i + 1).packet : SCTPA_NO_PACKET_INDEX);
    }
    replay_end(&bursting.replay);
    unsigned n = bursting.longest;
    if (n > 2 && bursting.ended[n] >= BURSTS_LEAST)
        learning->learned->values[SCTPA_PARAMETER_MAX_BURST] =
            (sctpa_learned_value_t){ .samples = bursting.ended[n],
                                     .has_high = true,
                                     .value = n,
                                     .low = n,
                                     .high = n,
                                     .packet = bursting.ended_packet[n] };
}

void sctpa_learn(const sctpa_source_t *source, const sctpa_source_t *peer, const sctpa_assoc_t *assoc, uint8_t end,
                 sctpa_learned_t *learned)
{
    GArray *sent = gather(source), *received = gather(peer);
    sctpa_learning_t learning = { source, peer, assoc, end, sent, received, learned };
    *learned = (sctpa_learned_t){ 0 };
    learn_rtos(&learning);
    learn_init_retransmits(&learning);
    if (peer->direction && !source->data_only) {
        sctpa_learn_sacks(&learning);
        sctpa_learn_window(&learning);
    }
    if (source->direction)
        learn_pmtu(&learning);
    if (source->direction && !source->data_only) {
        learn_heartbeats(&learning);
        learn_burst(&learning);
        learn_initial_window(&learning);
        learn_retrans(&learning);
        learn_association_retrans(&learning);
    }
    g_array_unref(sent);
    g_array_unref(received);
}
