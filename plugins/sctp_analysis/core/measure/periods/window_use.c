/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Windows, drawn from the series a_rwnd, flight, peer_window and probe, and from SACKs with their gap blocks. */
#include "window_use.h"

#include "base/numbers.h"

typedef struct {
    const sctpa_direction_t *direction;
    sctpa_orphans_t *orphans;
    uint32_t window_bytes; /* the largest announced */
    uint32_t forward;      /* the next FORWARD-TSN to be compared */
    int64_t last;          /* TSN before, in the message now being read */
    uint16_t stream;
    bool is_open, is_broken; /* a message is being read; one of its TSNs was given up */
    uint64_t arrived_bytes;
    uint64_t kept_bytes; /* of all such fragments, that the receiver may keep, at most */
} walk_t;

/* The first SACK after a FORWARD-TSN that takes it, if it has no gap and nothing was outstanding then; NULL. */
static const sctpa_sack_record_t *answer_to(const sctpa_direction_t *direction, const sctpa_forward_t *forward)
{
    const sctpa_records_t *sacks = &direction->sacks;
    const uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), forward->packet + 1);
    const sctpa_sack_record_t *sack = at < sacks->len ? &SCTPA_RECORD(sacks, sctpa_sack_record_t, at) : NULL;
    const sctpa_tsn_t *next = sctpa_direction_tsn(direction, forward->new_cum + 1);
    const bool is_quiet = next == NULL || (sack && next->first_packet > sack->packet);
    return sack && is_quiet && sack->gaps == 0 && sack->cum_tsn == sctpa_direction_serial(direction, forward->new_cum)
               ? sack
               : NULL;
}

/* With nothing outstanding: what the window lacks is the most that is kept. */
static void take_answer(walk_t *walk, uint32_t a_rwnd_bytes)
{
    sctpa_orphans_t *orphans = walk->orphans;
    const uint64_t lacks_bytes = walk->window_bytes - a_rwnd_bytes;
    orphans->compared++;
    orphans->fits += lacks_bytes == MIN(orphans->bytes, walk->window_bytes);
    walk->kept_bytes = MIN(walk->kept_bytes, lacks_bytes);
}

/* Compares the FORWARD-TSNs below a TSN: all that they give up was read. */
static void compare_below(walk_t *walk, int64_t number)
{
    const sctpa_records_t *forwards = &walk->direction->rare->forwards;
    for (; walk->forward < forwards->len; walk->forward++) {
        const sctpa_forward_t *forward = &SCTPA_RECORD(forwards, sctpa_forward_t, walk->forward);
        if (forward->new_cum >= number)
            return;
        const sctpa_sack_record_t *sack = walk->orphans->bytes > 0 ? answer_to(walk->direction, forward) : NULL;
        if (!sack)
            continue;
        take_answer(walk, sack->a_rwnd_bytes);
    }
}

static void end_message(walk_t *walk)
{
    sctpa_orphans_t *orphans = walk->orphans;
    if (walk->is_broken && walk->arrived_bytes > 0) {
        const uint64_t fell_bytes =
            MIN(walk->arrived_bytes, walk->window_bytes - MIN(orphans->bytes, walk->window_bytes));
        if (fell_bytes > 0) {
            orphans->least_bytes = orphans->messages > 0 ? MIN(orphans->least_bytes, fell_bytes) : fell_bytes;
            orphans->most_bytes = MAX(orphans->most_bytes, fell_bytes);
            orphans->filling_messages++;
            orphans->is_cut |= fell_bytes < walk->arrived_bytes;
        }
        orphans->bytes += walk->arrived_bytes;
        walk->kept_bytes += walk->arrived_bytes;
        orphans->messages++;
    }
    walk->is_open = false;
}

static void visit(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    walk_t *walk = user;
    const bool goes_on = walk->is_open && number == walk->last + 1 && tsn->stream == walk->stream;
    if (walk->is_open && (!goes_on || tsn->flags & SCTPA_TSN_BEGIN))
        end_message(walk);
    compare_below(walk, number);
    if (tsn->flags & SCTPA_TSN_BEGIN) {
        walk->is_open = true;
        walk->is_broken = false;
        walk->arrived_bytes = 0;
        walk->stream = tsn->stream;
    }
    walk->last = number;
    if (!walk->is_open)
        return;
    const bool is_acked = MIN(tsn->gap_packet, tsn->ack_packet) != SCTPA_NO_PACKET_INDEX,
               is_given_up = sctpa_direction_is_given_up(walk->direction, number, tsn);
    walk->is_broken |= is_given_up;
    walk->arrived_bytes += is_acked && !is_given_up ? tsn->bytes : 0;
    if (tsn->flags & SCTPA_TSN_END)
        end_message(walk);
}

static uint32_t largest_window(const sctpa_series_source_t *source)
{
    const sctpa_records_t *sacks = &source->direction->sacks;
    uint32_t largest = source->window_bytes;
    for (uint32_t i = 0; i < sacks->len; i++)
        largest = MAX(largest, SCTPA_RECORD(sacks, sctpa_sack_record_t, i).a_rwnd_bytes);
    return largest;
}

/* O(TSNs * log TSNs + FORWARD-TSNs * log SACKs). largest_chunk_bytes: of user data. */
static sctpa_orphans_t orphans_measure(const sctpa_series_source_t *source, uint32_t largest_chunk_bytes)
{
    sctpa_orphans_t orphans = { .bytes = 0 };
    if (!source->direction || source->direction->rare->forwards.len == 0)
        return orphans;
    walk_t walk = { .direction = source->direction, .orphans = &orphans, .window_bytes = largest_window(source) };
    sctpa_direction_each(source->direction, visit, &walk);
    compare_below(&walk, INT64_MAX);
    orphans.fills_window = orphans.messages > 0 && walk.kept_bytes + largest_chunk_bytes > walk.window_bytes;
    orphans.is_proven =
        orphans.fills_window && orphans.compared >= SCTPA_ORPHANS_STEPS && orphans.fits == orphans.compared;
    return orphans;
}

typedef struct {
    const sctpa_series_source_t *source;
    sctpa_series_t *series[SCTPA_SERIES_KINDS];
    sctpa_windows_t *windows;
    int64_t last_ns; /* of the direction's last packet */
} measuring_t;

static const sctpa_point_t *points_of(const measuring_t *measuring, sctpa_series_kind_t kind, uint32_t *n)
{
    return sctpa_series_points(measuring->series[kind], n);
}

static void measure_announced(const measuring_t *measuring)
{
    sctpa_windows_t *windows = measuring->windows;
    const sctpa_point_t *points = points_of(measuring, SCTPA_SERIES_A_RWND, &windows->sacks);
    windows->first_bytes = measuring->source->window_bytes;
    if (windows->sacks == 0)
        return;
    if (windows->first_bytes == 0)
        windows->first_bytes = (uint32_t)points[0].value;
    windows->min_bytes = UINT32_MAX;
    for (uint32_t i = 0; i < windows->sacks; i++) {
        uint32_t bytes = (uint32_t)points[i].value;
        windows->min_bytes = MIN(windows->min_bytes, bytes);
        windows->max_bytes = MAX(windows->max_bytes, bytes);
        if (!sctpa_window_is_closed(bytes) && (windows->min_open_bytes == 0 || bytes < windows->min_open_bytes))
            windows->min_open_bytes = bytes;
    }
}

/* --- closed windows --- */

/* What a SACK says of TSNs below others that it acks. */
typedef enum { NOTHING_MISSING, TSN_MISSING, CUT_OFF } missing_t;

/* A window while SACKs are walked. */
typedef struct {
    const measuring_t *measuring;
    int64_t near, highest;      /* relative cum_tsn of the SACK before, the highest so far */
    int64_t now_ns;             /* of the SACK before, and of the latest one while it is closed */
    missing_t missing;          /* by the newest SACK; what follows: */
    int64_t tsn;                /* the lowest missing TSN */
    uint32_t packet;            /* of it */
    bool is_closed, is_waiting; /* is_waiting: a TSN was missing in every SACK since the one that closed it */
    int64_t waiting_ns;         /* for the TSN that is missing */
    int64_t longest_wait_ns;    /* for one TSN */
    sctpa_closed_t closed;
} following_t;

static missing_t missing_of(const sctpa_direction_t *direction, uint32_t at)
{
    uint32_t n;
    const uint32_t *blocks =
        sctpa_direction_gaps(direction, SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, at).gaps, &n);
    if (n == 0)
        return NOTHING_MISSING;
    if (blocks[0] == 0)
        return CUT_OFF;
    return blocks[0] >> 16 > 1 ? TSN_MISSING : NOTHING_MISSING; /* 1: the TSN above the cum_tsn has arrived */
}

/* Counts the time since the last SACK to what that said; none where the clock stepped back. */
static void pass_time(following_t *following, int64_t now_ns)
{
    int64_t passed_ns = MAX(now_ns - following->now_ns, 0);
    following->now_ns += passed_ns;
    following->closed.closed_ns += passed_ns;
    following->closed.reader_ns += following->missing == NOTHING_MISSING ? passed_ns : 0;
    following->waiting_ns += following->is_waiting ? passed_ns : 0;
}

static void take_waiting(following_t *following)
{
    following->closed.waiting_ns += following->waiting_ns;
    if (following->waiting_ns > following->longest_wait_ns) {
        following->longest_wait_ns = following->waiting_ns;
        following->closed.tsn = following->tsn;
        following->closed.reported = following->packet;
    }
    following->waiting_ns = 0;
}

static void begin_closed(following_t *following, uint32_t packet, missing_t missing)
{
    following->is_closed = true;
    following->is_waiting = missing == TSN_MISSING;
    following->waiting_ns = following->longest_wait_ns = 0;
    following->closed =
        (sctpa_closed_t){ .packet = packet, .cum_tsn = following->near, .tsn = -1, .reported = SCTPA_NO_PACKET_INDEX };
}

static void end_closed(following_t *following, uint32_t until, bool is_opened_by_tsn)
{
    sctpa_windows_t *windows = following->measuring->windows;
    sctpa_closed_t *closed = &following->closed;
    closed->until = until;
    closed->is_opened_by_tsn = is_opened_by_tsn;
    windows->closed_ns = sctpa_ns_sum(windows->closed_ns, closed->closed_ns);
    windows->reader_ns = sctpa_ns_sum(windows->reader_ns, closed->reader_ns);
    windows->waiting_ns = sctpa_ns_sum(windows->waiting_ns, closed->waiting_ns);
    windows->longest_closed_ns = MAX(windows->longest_closed_ns, closed->closed_ns);
    g_array_append_val(windows->closed, *closed);
    following->is_closed = following->is_waiting = false;
}

/* The newest SACK says what is missing; an older one that passed later says nothing (RFC 9260 6.2.1). */
static void note_missing(following_t *following, uint32_t packet, missing_t missing)
{
    if (following->near < following->highest)
        return;
    if (following->is_waiting && following->near >= following->tsn && following->waiting_ns > 0)
        take_waiting(following);
    following->is_waiting &= missing == TSN_MISSING;
    following->highest = following->near;
    following->missing = missing;
    following->tsn = following->near + 1;
    following->packet = packet;
}

static void follow_sack(following_t *following, uint32_t at)
{
    const sctpa_direction_t *direction = following->measuring->source->direction;
    const sctpa_sack_record_t *sack = &SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, at);
    bool is_closed = sctpa_window_is_closed(sack->a_rwnd_bytes);
    missing_t missing = missing_of(direction, at);
    int64_t now_ns = sctpa_direction_time_ns(direction, sack->packet);
    following->near += sctpa_serial_distance(sctpa_direction_serial(direction, following->near), sack->cum_tsn);
    if (following->is_closed)
        pass_time(following, now_ns);
    else
        following->now_ns = now_ns;
    bool has_arrived = following->is_waiting && following->near >= following->tsn;
    note_missing(following, sack->packet, missing);
    if (following->is_closed && !is_closed)
        end_closed(following, sack->packet, has_arrived);
    else if (!following->is_closed && is_closed)
        begin_closed(following, sack->packet, missing);
}

static void measure_closed(const measuring_t *measuring)
{
    const sctpa_direction_t *direction = measuring->source->direction;
    following_t following = { .measuring = measuring, .near = -1, .highest = INT64_MIN };
    if (!direction || measuring->source->data_only)
        return;
    for (uint32_t at = 0; at < direction->sacks.len; at++)
        follow_sack(&following, at);
    if (!following.is_closed)
        return;
    pass_time(&following, measuring->last_ns);
    if (following.is_waiting)
        take_waiting(&following);
    end_closed(&following, SCTPA_NO_PACKET_INDEX, false);
}

/* Transmissions of a TSN that passed before packet and until sent_by_ns. */
static uint32_t sent_before(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn, uint32_t packet,
                            int64_t sent_by_ns)
{
    uint32_t n = tsn->first_packet < packet && sctpa_direction_time_ns(direction, tsn->first_packet) <= sent_by_ns;
    for (uint32_t at = tsn->more; at != 0;) {
        const sctpa_rtx_t *rtx = sctpa_direction_rtx(direction, at);
        n += rtx->packet < packet && sctpa_direction_time_ns(direction, rtx->packet) <= sent_by_ns;
        at = rtx->link.before;
    }
    return n;
}

uint32_t sctpa_closed_losses(const sctpa_series_source_t *source, const sctpa_closed_t *closed)
{
    const sctpa_direction_t *direction = source->direction;
    const sctpa_tsn_t *tsn = closed->waiting_ns > 0 ? sctpa_direction_tsn(direction, closed->tsn) : NULL;
    if (!tsn || tsn->state & SCTPA_TSN_LATE)
        return 0;
    uint32_t arrived = MIN(tsn->gap_packet, tsn->ack_packet), unseen = (tsn->state & SCTPA_TSN_EARLIER_UNSEEN) != 0;
    if (arrived == SCTPA_NO_PACKET_INDEX) {
        int64_t answered_ns =
            sctpa_direction_time_ns(direction, closed->reported) - MAX(direction->receiver_tap_rtt->most_ns, 0);
        return unseen + sent_before(direction, tsn, closed->reported, answered_ns);
    }
    uint32_t sent = sent_before(direction, tsn, arrived, INT64_MAX), arrivals = 1u + tsn->duplicates;
    return unseen + sent - MIN(sent, arrivals);
}

uint64_t sctpa_closed_gap_acked_bytes(const sctpa_series_source_t *source, const sctpa_closed_t *closed)
{
    const sctpa_direction_t *direction = source->direction;
    const sctpa_records_t *sacks = &direction->sacks;
    uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), closed->packet), n;
    while (at + 1 < sacks->len && !sctpa_window_is_closed(SCTPA_RECORD(sacks, sctpa_sack_record_t, at).a_rwnd_bytes))
        at++;
    const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, at);
    const uint32_t *blocks = sctpa_direction_gaps(direction, sack->gaps, &n);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t offset = blocks[i] >> 16; offset > 0 && offset <= (blocks[i] & 0xFFFF); offset++) {
            const sctpa_tsn_t *tsn = sctpa_direction_tsn(direction, closed->cum_tsn + offset);
            bytes += tsn ? tsn->bytes : 0;
        }
    return bytes;
}

/* Points of all that is outstanding. */
static const sctpa_point_t *flight_of(const measuring_t *measuring, uint32_t *n)
{
    const sctpa_point_t *of_all = points_of(measuring, SCTPA_SERIES_FLIGHT_TOTAL, n);
    return *n > 0 ? of_all : points_of(measuring, SCTPA_SERIES_FLIGHT, n);
}

static void measure_flight(const measuring_t *measuring)
{
    sctpa_windows_t *windows = measuring->windows;
    uint32_t n, n_announced, announced = 0, window_bytes = measuring->source->window_bytes;
    uint64_t before = 0;
    const sctpa_point_t *flight = flight_of(measuring, &n);
    const sctpa_point_t *announced_at = points_of(measuring, SCTPA_SERIES_A_RWND, &n_announced);
    for (uint32_t i = 0; i < n; i++) {
        for (; announced < n_announced && announced_at[announced].packet <= flight[i].packet; announced++)
            window_bytes = (uint32_t)announced_at[announced].value;
        uint64_t bytes = (uint64_t)flight[i].value;
        windows->new_probes += announced > 0 && sctpa_window_is_closed(window_bytes) && before == 0 && bytes > 0;
        before = bytes;
        if (windows->flight_packet == SCTPA_NO_PACKET_INDEX || bytes > windows->flight_bytes) {
            windows->flight_bytes = bytes;
            windows->flight_packet = flight[i].packet;
            windows->flight_window_bytes = window_bytes;
        }
    }
}

static void measure_short(const measuring_t *measuring)
{
    uint32_t n;
    const sctpa_point_t *points = points_of(measuring, SCTPA_SERIES_PEER_WINDOW, &n);
    for (uint32_t i = 0; i + 1 < n; i++)
        if (points[i].value < measuring->windows->largest_chunk_bytes)
            measuring->windows->short_ns =
                sctpa_ns_sum(measuring->windows->short_ns, MAX(points[i + 1].time_ns - points[i].time_ns, 0));
}

static void take_chunk(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    sctpa_windows_t *windows = user;
    (void)number;
    windows->largest_chunk_bytes = MAX(windows->largest_chunk_bytes, tsn->bytes);
}

static void measure_span(measuring_t *measuring)
{
    int64_t first_ns = INT64_MAX;
    measuring->last_ns = INT64_MIN;
    const sctpa_series_kind_t kinds[] = { SCTPA_SERIES_FLIGHT, SCTPA_SERIES_A_RWND };
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        uint32_t n;
        const sctpa_point_t *points = points_of(measuring, kinds[i], &n);
        for (uint32_t at = 0; at < n; at++) {
            first_ns = MIN(first_ns, points[at].time_ns);
            measuring->last_ns = MAX(measuring->last_ns, points[at].time_ns);
        }
    }
    measuring->windows->span_ns = measuring->last_ns > first_ns ? measuring->last_ns - first_ns : 0;
}

/* Where what nobody can read fills the window, the reader need not be slow. */
static void measure_orphans(const measuring_t *measuring)
{
    sctpa_windows_t *windows = measuring->windows;
    windows->orphans = orphans_measure(measuring->source, windows->largest_chunk_bytes);
    for (guint i = 0; windows->orphans.fills_window && i < windows->closed->len; i++)
        g_array_index(windows->closed, sctpa_closed_t, i).reader_ns = 0;
    windows->reader_ns = windows->orphans.fills_window ? 0 : windows->reader_ns;
}

sctpa_windows_t *sctpa_windows_measure(const sctpa_series_source_t *source)
{
    const sctpa_series_request_t request = { .kinds = 1u << SCTPA_SERIES_A_RWND | 1u << SCTPA_SERIES_FLIGHT |
                                                      1u << SCTPA_SERIES_FLIGHT_TOTAL | 1u << SCTPA_SERIES_PEER_WINDOW |
                                                      1u << SCTPA_SERIES_PROBE,
                                             .path = SCTPA_SERIES_ANY_PATH };
    sctpa_windows_t *windows = g_new0(sctpa_windows_t, 1);
    measuring_t measuring = { .source = source, .windows = windows };
    windows->flight_packet = SCTPA_NO_PACKET_INDEX;
    windows->closed = g_array_new(FALSE, FALSE, sizeof(sctpa_closed_t));
    sctpa_series_make(source, &request, measuring.series);
    measure_span(&measuring);
    measure_announced(&measuring);
    measure_closed(&measuring);
    measure_flight(&measuring);
    if (source->direction)
        sctpa_direction_each(source->direction, take_chunk, windows);
    measure_short(&measuring);
    measure_orphans(&measuring);
    points_of(&measuring, SCTPA_SERIES_PROBE, &windows->probes);
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        sctpa_series_free(measuring.series[kind]);
    return windows;
}

void sctpa_windows_free(sctpa_windows_t *windows)
{
    if (!windows)
        return;
    g_array_unref(windows->closed);
    g_free(windows);
}

bool sctpa_windows_were_closed(const sctpa_direction_t *direction)
{
    for (uint32_t i = 0; direction && i < direction->sacks.len; i++)
        if (sctpa_window_is_closed(SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, i).a_rwnd_bytes))
            return true;
    return false;
}
