/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether new data went over several paths at once, by walking the TSNs; how far TSNs arrived behind others, by the
 * SACKs that first acked them; and times in which the receiver's window kept a path with room in its cwnd from
 * sending. */
#include "concurrent.h"

#include "base/numbers.h"
#include "measure/order.h"

enum { SERIES = 3 };

static const sctpa_series_kind_t kinds[SERIES] = { SCTPA_SERIES_FLIGHT, SCTPA_SERIES_CWND_MIN,
                                                   SCTPA_SERIES_PEER_WINDOW };

/* What is known of a path by the packet before. */
typedef struct {
    int64_t flight_bytes, cwnd_bytes; /* cwnd_bytes -1: not known */
    int64_t waited_ns;                /* since the window filled up */
} path_state_t;

typedef struct {
    const sctpa_series_source_t *source;
    const GArray *sent;
    sctpa_concurrent_t *found;
    const sctpa_point_t *next[SERIES], *end[SERIES];
    path_state_t *paths;
    guint next_sent;         /* the TSN, in sent, that is sent next */
    uint32_t next_sack;      /* in sacks of the direction */
    int64_t cum_tsn;         /* of the SACK before, relative */
    int64_t window_bytes;    /* left of the peer's window, -1 unknown */
    uint16_t missing_path;   /* where the lowest missing TSN went last, SCTPA_SERIES_ANY_PATH: none is missing */
    bool is_full;            /* it has no room for what is sent next */
    int64_t now_ns, room_ns; /* room_ns: when it had room again */
    int64_t waited_ns;       /* since the window filled up, of any path */
} blocking_t;

/* The path of the lowest TSN that a SACK reports missing. */
static uint16_t missing_path(const blocking_t *blocking, const sctpa_sack_record_t *sack)
{
    const sctpa_direction_t *direction = blocking->source->direction;
    uint32_t n;
    const uint32_t *blocks = sctpa_direction_gaps(direction, sack->gaps, &n);
    if (n == 0 || blocks[0] >> 16 <= 1)
        return SCTPA_SERIES_ANY_PATH;
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(direction, blocking->cum_tsn + 1);
    if (!tsn)
        return SCTPA_SERIES_ANY_PATH;
    for (uint32_t at = tsn->more; at != 0;) {
        const sctpa_rtx_t *rtx = sctpa_direction_rtx(direction, at);
        if (rtx->packet < sack->packet)
            return rtx->path;
        at = rtx->link.before;
    }
    return sctpa_series_first_path(blocking->source, tsn);
}

static uint32_t next_packet(const blocking_t *blocking)
{
    const sctpa_records_t *sacks = &blocking->source->direction->sacks;
    uint32_t packet = blocking->next_sack < sacks->len
                          ? SCTPA_RECORD(sacks, sctpa_sack_record_t, blocking->next_sack).packet
                          : SCTPA_NO_PACKET_INDEX;
    for (unsigned i = 0; i < SERIES; i++)
        if (blocking->next[i] < blocking->end[i])
            packet = MIN(packet, blocking->next[i]->packet);
    return packet;
}

static const sctpa_sent_once_t *waiting(const blocking_t *blocking)
{
    return blocking->next_sent < blocking->sent->len
               ? &g_array_index(blocking->sent, sctpa_sent_once_t, blocking->next_sent)
               : NULL;
}

/* Counts the time since the packet before to the paths that it kept waiting. */
static void pass_time(blocking_t *blocking, int64_t now_ns)
{
    const int64_t passed_ns = blocking->now_ns == INT64_MIN ? 0 : MAX(now_ns - blocking->now_ns, 0);
    bool is_blocked = false;
    blocking->now_ns = MAX(blocking->now_ns, now_ns);
    if (!blocking->is_full || blocking->missing_path == SCTPA_SERIES_ANY_PATH)
        return;
    for (uint16_t path = 0; path < blocking->found->paths->len; path++) {
        path_state_t *state = &blocking->paths[path];
        if (path == blocking->missing_path || state->flight_bytes >= state->cwnd_bytes)
            continue;
        state->waited_ns += passed_ns;
        is_blocked = true;
    }
    blocking->waited_ns += is_blocked ? passed_ns : 0;
}

/* The chunk that waited leaves, or another begins to wait. counts: it was the window that it waited for. */
static void end_wait(blocking_t *blocking, bool counts)
{
    for (uint16_t path = 0; path < blocking->found->paths->len; path++) {
        sctpa_concurrent_path(blocking->found, path)->blocked_ns += counts ? blocking->paths[path].waited_ns : 0;
        blocking->paths[path].waited_ns = 0;
    }
    blocking->found->blocked_ns += counts ? blocking->waited_ns : 0;
    blocking->waited_ns = 0;
}

static void take_sent(blocking_t *blocking, uint32_t packet)
{
    const guint before = blocking->next_sent;
    const int64_t at_once_ns = SCTPA_TICK_NS + MAX(blocking->source->sender_tap_rtt.most_ns, 0);
    while (waiting(blocking) && waiting(blocking)->packet <= packet)
        blocking->next_sent++;
    if (blocking->next_sent > before)
        end_wait(blocking, !blocking->is_full && blocking->now_ns - blocking->room_ns <= at_once_ns);
}

static void take_points(blocking_t *blocking, uint32_t packet)
{
    for (unsigned i = 0; i < SERIES; i++)
        for (; blocking->next[i] < blocking->end[i] && blocking->next[i]->packet == packet; blocking->next[i]++) {
            const sctpa_point_t *point = blocking->next[i];
            path_state_t *state = point->path < blocking->found->paths->len ? &blocking->paths[point->path] : NULL;
            if (kinds[i] == SCTPA_SERIES_PEER_WINDOW)
                blocking->window_bytes = point->value;
            else if (state && kinds[i] == SCTPA_SERIES_FLIGHT)
                state->flight_bytes = point->value;
            else if (state)
                state->cwnd_bytes = point->value;
        }
}

static void take_packet(blocking_t *blocking, uint32_t packet)
{
    const sctpa_direction_t *direction = blocking->source->direction;
    pass_time(blocking, sctpa_direction_time_ns(direction, packet));
    take_sent(blocking, packet);
    for (; blocking->next_sack < direction->sacks.len; blocking->next_sack++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, blocking->next_sack);
        if (sack->packet != packet)
            break;
        blocking->cum_tsn += sctpa_serial_distance(sctpa_direction_serial(direction, blocking->cum_tsn), sack->cum_tsn);
        blocking->missing_path = missing_path(blocking, sack);
    }
    take_points(blocking, packet);
    const sctpa_sent_once_t *next = waiting(blocking);
    const bool is_full = next && blocking->window_bytes >= 0 && blocking->window_bytes < next->bytes;
    if (blocking->is_full && !is_full)
        blocking->room_ns = blocking->now_ns;
    blocking->is_full = is_full;
}

/* Is the least cwnd of a path known? */
static bool follows_cwnd(sctpa_series_t *const series[SCTPA_SERIES_KINDS])
{
    uint32_t n;
    sctpa_series_points(series[SCTPA_SERIES_CWND_MIN], &n);
    return n > 0;
}

/* Fills blocked_ns. sent: sctpa_sent_once_t of all TSNs whose first transmission passed, ascending. */
static void concurrent_measure_blocking(const sctpa_series_source_t *source, const GArray *sent,
                                        sctpa_concurrent_t *concurrent)
{
    sctpa_series_request_t request = { .path = SCTPA_SERIES_ANY_PATH };
    sctpa_series_t *series[SCTPA_SERIES_KINDS];
    if (!sctpa_tap_is_beside(source->sender_tap_rtt))
        return;
    for (unsigned i = 0; i < SERIES; i++)
        request.kinds |= 1u << kinds[i];
    sctpa_series_make(source, &request, series);
    concurrent->is_blocking_known = follows_cwnd(series);
    blocking_t blocking = { .source = source,
                            .sent = sent,
                            .found = concurrent,
                            .paths = g_new0(path_state_t, concurrent->paths->len),
                            .cum_tsn = -1,
                            .window_bytes = -1,
                            .missing_path = SCTPA_SERIES_ANY_PATH,
                            .now_ns = INT64_MIN };
    for (guint path = 0; path < concurrent->paths->len; path++)
        blocking.paths[path].cwnd_bytes = -1;
    for (unsigned i = 0; i < SERIES; i++) {
        uint32_t n;
        blocking.next[i] = sctpa_series_points(series[kinds[i]], &n);
        blocking.end[i] = blocking.next[i] + n;
    }
    for (uint32_t packet; concurrent->is_blocking_known && (packet = next_packet(&blocking)) != SCTPA_NO_PACKET_INDEX;)
        take_packet(&blocking, packet);
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        sctpa_series_free(series[kind]);
    g_free(blocking.paths);
}

typedef struct {
    const sctpa_series_source_t *source;
    sctpa_concurrent_t *found;
    GArray *sent;         /* sctpa_sent_once_t */
    GArray *least_rtt_ns; /* int64_t by path, of the sender; 0 unknown */
    GArray *last_ns;      /* int64_t by path: its newest new data; INT64_MIN none */
    uint16_t path;        /* of the new data before, SCTPA_SERIES_ANY_PATH none */
    int64_t covered_ns;   /* end of the times counted */
} walk_t;

static void grow(GArray *array, guint n, int64_t value)
{
    while (array->len < n)
        g_array_append_val(array, value);
}

static void note_rtt(walk_t *walk, const sctpa_sample_t *sample)
{
    const int64_t rtt_ns = sctpa_direction_elapsed_ns(walk->source->direction, sample) +
                           MAX(sctpa_tap_rtt_measured_ns(walk->source->sender_tap_rtt), 0);
    if (sample->kind == SCTPA_SAMPLE_BACKOFF)
        return;
    grow(walk->least_rtt_ns, sample->path + 1u, 0);
    int64_t *least_ns = &g_array_index(walk->least_rtt_ns, int64_t, sample->path);
    *least_ns = *least_ns > 0 ? MIN(*least_ns, rtt_ns) : rtt_ns;
}

/* The least round trips of the paths, and of all: of one that none was measured of. */
static int64_t note_rtts(walk_t *walk)
{
    const sctpa_records_t *samples = &walk->source->direction->samples;
    int64_t least_ns = 0;
    for (unsigned i = 0; i < samples->len; i++)
        note_rtt(walk, &SCTPA_RECORD(samples, sctpa_sample_t, i));
    for (guint path = 0; path < walk->least_rtt_ns->len; path++) {
        const int64_t rtt_ns = g_array_index(walk->least_rtt_ns, int64_t, path);
        least_ns = rtt_ns > 0 && (least_ns == 0 || rtt_ns < least_ns) ? rtt_ns : least_ns;
    }
    return least_ns;
}

static void note_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    walk_t *walk = user;
    (void)number;
    if (tsn->state & (SCTPA_TSN_LATE | SCTPA_TSN_EARLIER_UNSEEN))
        return;
    sctpa_sent_once_t sent = {
        tsn->first_packet,
        tsn->state & SCTPA_TSN_ABANDONED ? SCTPA_NO_PACKET_INDEX : MIN(tsn->gap_packet, tsn->ack_packet),
        tsn->bytes,
        sctpa_series_first_path(walk->source, tsn),
        tsn->transmissions,
        0
    };
    g_array_append_val(walk->sent, sent);
}

static void come_back(walk_t *walk, int64_t left_ns, int64_t now_ns, uint32_t packet)
{
    sctpa_concurrent_t *found = walk->found;
    const int64_t since_ns = MAX(left_ns, walk->covered_ns);
    found->first_packet = found->returns++ == 0 ? packet : found->first_packet;
    found->concurrent_ns += MAX(now_ns - since_ns, 0);
    walk->covered_ns = MAX(walk->covered_ns, now_ns);
}

static void follow(walk_t *walk, const sctpa_sent_once_t *sent, int64_t least_rtt_ns)
{
    const int64_t now_ns = sctpa_direction_time_ns(walk->source->direction, sent->packet);
    grow(walk->last_ns, sent->path + 1u, INT64_MIN);
    int64_t *last_ns = &g_array_index(walk->last_ns, int64_t, sent->path);
    const int64_t of_path_ns =
        sent->path < walk->least_rtt_ns->len ? g_array_index(walk->least_rtt_ns, int64_t, sent->path) : 0;
    if (sent->path != walk->path && *last_ns != INT64_MIN &&
        now_ns - *last_ns <= (of_path_ns > 0 ? of_path_ns : least_rtt_ns))
        come_back(walk, *last_ns, now_ns, sent->packet);
    walk->path = sent->path;
    *last_ns = MAX(*last_ns, now_ns);
}

/* The largest of the least round trips of paths that took new data. */
static int64_t slowest_ns(const walk_t *walk)
{
    int64_t slowest_ns = 0;
    for (guint path = 0; path < MIN(walk->last_ns->len, walk->least_rtt_ns->len); path++)
        if (g_array_index(walk->last_ns, int64_t, path) != INT64_MIN)
            slowest_ns = MAX(slowest_ns, g_array_index(walk->least_rtt_ns, int64_t, path));
    return slowest_ns;
}

static bool is_concurrent(walk_t *walk)
{
    const int64_t least_rtt_ns = note_rtts(walk);
    for (guint i = 0; least_rtt_ns > 0 && i < walk->sent->len; i++) {
        const sctpa_sent_once_t *sent = &g_array_index(walk->sent, sctpa_sent_once_t, i);
        if (sent->path != SCTPA_SERIES_ANY_PATH)
            follow(walk, sent, least_rtt_ns);
    }
    return walk->found->returns > 0 && walk->found->concurrent_ns >= SCTPA_CONCURRENT_ROUND_TRIPS * slowest_ns(walk);
}

/* --- arrivals --- */

/* A TSN, and the packet that first acked it. */
typedef struct {
    uint32_t acked, at; /* at: in sent */
} arrival_t;

static int arrival_order(gconstpointer a, gconstpointer b)
{
    const arrival_t *x = a, *y = b;
    if (x->acked != y->acked)
        return x->acked < y->acked ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static GArray *arrivals_of(const GArray *sent)
{
    GArray *arrivals = g_array_new(FALSE, FALSE, sizeof(arrival_t));
    for (guint at = 0; at < sent->len; at++) {
        arrival_t arrival = { g_array_index(sent, sctpa_sent_once_t, at).acked, at };
        if (arrival.acked != SCTPA_NO_PACKET_INDEX)
            g_array_append_val(arrivals, arrival);
    }
    g_array_sort(arrivals, arrival_order);
    return arrivals;
}

/* One that was acked when the TSN at highest was already. */
static void take_behind(const GArray *sent, uint32_t at, uint32_t highest, GPtrArray *behind)
{
    const sctpa_sent_once_t *late = &g_array_index(sent, sctpa_sent_once_t, at),
                            *ahead = &g_array_index(sent, sctpa_sent_once_t, highest);
    if (late->transmissions != 1 || late->path == ahead->path || late->path >= behind->len)
        return;
    const int64_t tsns = (int64_t)highest - at;
    g_array_append_val(g_ptr_array_index(behind, late->path), tsns);
}

/* behind: an array of int64_t by path. */
static void find_behind(const GArray *sent, GPtrArray *behind)
{
    GArray *arrivals = arrivals_of(sent);
    uint32_t highest = 0;
    for (guint from = 0, to; from < arrivals->len; from = to) {
        const uint32_t acked = g_array_index(arrivals, arrival_t, from).acked;
        for (to = from; to < arrivals->len && g_array_index(arrivals, arrival_t, to).acked == acked; to++)
            if (from > 0 && g_array_index(arrivals, arrival_t, to).at < highest)
                take_behind(sent, g_array_index(arrivals, arrival_t, to).at, highest, behind);
        highest = MAX(highest, g_array_index(arrivals, arrival_t, to - 1).at);
    }
    g_array_unref(arrivals);
}

static void measure_behind(const GArray *sent, sctpa_concurrent_t *found)
{
    GPtrArray *behind = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint path = 0; path < found->paths->len; path++)
        g_ptr_array_add(behind, g_array_new(FALSE, FALSE, sizeof(int64_t)));
    find_behind(sent, behind);
    for (guint path = 0; path < found->paths->len; path++) {
        const sctpa_percentiles_t spread = sctpa_percentiles_of(g_ptr_array_index(behind, path));
        sctpa_concurrent_path_t *of_path = &g_array_index(found->paths, sctpa_concurrent_path_t, path);
        of_path->behind = spread.samples;
        of_path->median = (uint32_t)spread.median_ns;
        of_path->p95 = (uint32_t)spread.p95_ns;
        of_path->most = (uint32_t)spread.max_ns;
    }
    g_ptr_array_unref(behind);
}

sctpa_concurrent_t *sctpa_concurrent_measure(const sctpa_series_source_t *source)
{
    if (!source->direction || source->direction->paths.len < 2 || source->data_only)
        return NULL;
    sctpa_concurrent_t *found = g_new0(sctpa_concurrent_t, 1);
    walk_t walk = { .source = source,
                    .found = found,
                    .sent = g_array_new(FALSE, FALSE, sizeof(sctpa_sent_once_t)),
                    .least_rtt_ns = g_array_new(FALSE, FALSE, sizeof(int64_t)),
                    .last_ns = g_array_new(FALSE, FALSE, sizeof(int64_t)),
                    .path = SCTPA_SERIES_ANY_PATH,
                    .covered_ns = INT64_MIN };
    found->paths = g_array_new(FALSE, TRUE, sizeof(sctpa_concurrent_path_t));
    sctpa_direction_each(source->direction, note_tsn, &walk);
    bool is_proven = is_concurrent(&walk);
    if (is_proven) {
        g_array_set_size(found->paths, walk.last_ns->len);
        measure_behind(walk.sent, found);
        concurrent_measure_blocking(source, walk.sent, found);
    }
    g_array_unref(walk.sent);
    g_array_unref(walk.least_rtt_ns);
    g_array_unref(walk.last_ns);
    if (is_proven)
        return found;
    sctpa_concurrent_free(found);
    return NULL;
}

void sctpa_concurrent_free(sctpa_concurrent_t *concurrent)
{
    if (!concurrent)
        return;
    g_array_unref(concurrent->paths);
    g_free(concurrent);
}
