/* The timers of an endpoint: RTO.Min (RFC 9260 6.3.1 C6) from its timeouts, HB.interval (8.3) from its HEARTBEATs. */
#include "learned_parts.h"

#include "base/time.h"

enum { INTERVALS_LEAST = 3, SAMPLES_LEAST = 4 };
/* FreeBSD adds up to 255 ms to its intervals (Rüngeler, dissertation, equation 8.5). */
static const int64_t jitter_added_ns = 255000000;

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
        started_ns = MAX(started_ns, sctpa_source_time_ns(source, before->ack_packet) + MAX(source->distance_ns, 0));
    return sctpa_source_time_ns(source, expiry->packet) - started_ns;
}

void sctpa_learn_rto(sctpa_learning_t *learning)
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
        int64_t shortest_ns = found[0].ns, longest_ns = found[alike.n - 1].ns;
        bool alone = alike.n == 1;
        learning->learned->values[SCTPA_LEARNED_RTO_MIN] =
            (sctpa_learned_value_t){ .samples = alike.n,
                                     .has_high = true,
                                     .value = shortest_ns,
                                     .packet = found[0].packet,
                                     .low = shortest_ns - (alone ? shortest_ns / 4 : sctpa_tick_ns(shortest_ns)),
                                     .high = longest_ns + (alone ? longest_ns / 4 : SCTPA_TICK_NS) };
    }
    g_array_unref(waits);
    g_array_unref(expiring.expiries);
}

/* --- HB.interval --- */

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
                          int64_t interval_ns, const sctpa_replayed_t *path)
{
    const sctpa_learned_value_t *rto_min = &learning->learned->values[SCTPA_LEARNED_RTO_MIN];
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
    const sctpa_records_t *heartbeats = &learning->source->direction->seldom->heartbeats;
    const sctpa_heartbeat_t *before = NULL;
    unsigned seen = 0;
    sctpa_replay_t replay;
    sctpa_replay_begin(&replay, learning->source);
    for (unsigned i = 0; i < heartbeats->len; i++) {
        const sctpa_heartbeat_t *heartbeat = &SCTPA_RECORD(heartbeats, sctpa_heartbeat_t, i);
        if (heartbeat->path != path)
            continue;
        sctpa_replay_to(&replay, heartbeat->packet);
        bool idle =
            before && before->answer_packet < heartbeat->packet && !has_data_between(learning->sent, before, heartbeat);
        if (idle && seen++ > 0)
            take_interval(learning, beating, heartbeat,
                          sctpa_source_time_ns(learning->source, heartbeat->packet) -
                              sctpa_source_time_ns(learning->source, before->packet),
                          sctpa_replay_path(&replay, path));
        before = heartbeat;
    }
    sctpa_replay_end(&replay);
}

/* Intervals that differ show that jitter is added: an RTO of at least their difference. Those that do not: neither,
 * perhaps. */
void sctpa_learn_heartbeats(sctpa_learning_t *learning)
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
    learning->learned->values[SCTPA_LEARNED_HEARTBEAT_INTERVAL] =
        (sctpa_learned_value_t){ .samples = beating.n,
                                 .has_high = true,
                                 .value = CLAMP(value_ns, low_ns, high_ns),
                                 .low = low_ns,
                                 .high = high_ns,
                                 .packet = beating.packet };
}
