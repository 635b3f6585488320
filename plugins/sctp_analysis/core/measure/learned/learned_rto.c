/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bounds of an endpoint's retransmission timeout: RTO.Initial (RFC 9260 5.1, T1-init), RTO.Min (6.3.1 C6) and
 * RTO.Max (C7), from its INITs and timeouts. Leaves out the RTO that follows from them (rtos.c). */
#include "learned_parts.h"

#include "base/time.h"
#include "data/rto.h"

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
void sctpa_learn_rto_initial(sctpa_learning_t *learning)
{
    const sctpa_setup_t *setup = learning->source->setup;
    const int64_t first_ns = setup->steps[SCTPA_STEP_INIT].first_ns;
    sctpa_timed_t wait = { setup->last_init_ns - first_ns,
                           sctpa_record_from(learning->source->records, setup->steps[SCTPA_STEP_INIT].first_frame) };
    if (setup->steps[SCTPA_STEP_INIT].count != 2 || setup->steps[SCTPA_STEP_INIT].by != learning->end || wait.ns <= 0 ||
        setup->steps[SCTPA_STEP_INIT_ACK].count == 0 ||
        setup->steps[SCTPA_STEP_INIT_ACK].first_ns < setup->last_init_ns || learning->assoc->collision ||
        !sctpa_is_near_sender(learning->source, 0))
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

static void find_expiries(expiring_t *expiring)
{
    const sctpa_source_t *source = expiring->learning->source;
    const sctpa_records_t *samples = &source->direction->samples;
    sctpa_replay_t replay;
    sctpa_replay_begin(&replay, source);
    for (unsigned i = 0; i < samples->len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, i);
        const sctpa_replayed_t *path = sctpa_replay_path(&replay, sample->path);
        int64_t unclamped_ns = sctpa_rto_unbounded_ns(path->srtt_ns, path->rttvar_ns);
        if (sample->kind == SCTPA_SAMPLE_BACKOFF && path->samples >= SAMPLES_LEAST &&
            sctpa_is_near_sender(source, path->srtt_ns)) {
            expiry_t expiry = { sample->packet, sample->path, unclamped_ns, -1, SCTPA_NO_PACKET_INDEX };
            g_array_append_val(expiring->expiries, expiry);
        }
        sctpa_replay_take(&replay, sample);
    }
    sctpa_replay_end(&replay);
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

void sctpa_learn_rto_min(sctpa_learning_t *learning)
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

void sctpa_learn_rto_max(sctpa_learning_t *learning)
{
    const sctpa_direction_t *direction = learning->source->direction;
    in_a_row_t *rows = g_new0(in_a_row_t, MAX(direction->paths.len, 1));
    sctpa_learned_value_t *rto_max = &learning->learned->values[SCTPA_PARAMETER_RTO_MAX];
    for (unsigned i = 0; sctpa_is_near_sender(learning->source, 0) && i < direction->samples.len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, i);
        in_a_row_t *row = &rows[sample->path];
        take_sample(learning->source, sample, row);
        if (row->has_grown && row->n >= ALIKE_LEAST && row->n > rto_max->samples)
            *rto_max = of_waits(row->shortest, row->longest, row->n);
    }
    g_free(rows);
}
