/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times in which the receiver's window kept a path with room in its cwnd from sending, because TSNs of another path
 * were missing. concurrent.h has the definition. */
#include "base/serial.h"
#include "concurrent_parts.h"

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

void sctpa_concurrent_measure_blocking(const sctpa_series_source_t *source, const GArray *sent,
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
