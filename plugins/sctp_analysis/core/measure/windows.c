/* Windows, drawn from the series a_rwnd, flight, peer_window and probe. */
#include "windows.h"

typedef struct {
    const sctpa_series_source_t *source;
    sctpa_series_t *series[SCTPA_SERIES_KINDS];
    sctpa_windows_t *windows;
    int64_t last_ns;            /* of the direction's last packet */
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
        if (bytes > 0 && (windows->min_open_bytes == 0 || bytes < windows->min_open_bytes))
            windows->min_open_bytes = bytes;
    }
}

static void end_closed(const measuring_t *measuring, uint32_t until, int64_t from_ns, int64_t until_ns)
{
    sctpa_windows_t *windows = measuring->windows;
    sctpa_closed_t *closed = &g_array_index(windows->closed, sctpa_closed_t, windows->closed->len - 1);
    closed->until = until;
    closed->closed_ns = MAX(until_ns - from_ns, 0);
    windows->closed_ns += closed->closed_ns;
    windows->longest_closed_ns = MAX(windows->longest_closed_ns, closed->closed_ns);
}

static void measure_closed(const measuring_t *measuring)
{
    uint32_t n;
    const sctpa_point_t *points = points_of(measuring, SCTPA_SERIES_A_RWND, &n), *since = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (points[i].value > 0 && since) {
            end_closed(measuring, points[i].packet, since->time_ns, points[i].time_ns);
            since = NULL;
        } else if (points[i].value == 0 && !since) {
            sctpa_closed_t closed = { points[i].packet, SCTPA_NO_PACKET_INDEX, 0 };
            g_array_append_val(measuring->windows->closed, closed);
            since = &points[i];
        }
    }
    if (since)
        end_closed(measuring, SCTPA_NO_PACKET_INDEX, since->time_ns, measuring->last_ns);
}

/* All that is outstanding: flight points are of one path. peer: the peer window after the same packet, NULL unknown. */
static uint64_t all_flight(const sctpa_point_t *flight, const sctpa_point_t *peer, uint32_t window_bytes)
{
    uint64_t bytes = (uint64_t)flight->value;
    if (!peer || window_bytes == 0)
        return bytes;
    return MAX(bytes, window_bytes - MIN((uint64_t)peer->value, window_bytes));
}

static void measure_flight(const measuring_t *measuring)
{
    sctpa_windows_t *windows = measuring->windows;
    uint32_t n, n_announced, n_peer, announced = 0, peer = 0, window_bytes = measuring->source->window_bytes;
    uint64_t before = 0;
    const sctpa_point_t *flight = points_of(measuring, SCTPA_SERIES_FLIGHT, &n);
    const sctpa_point_t *announced_at = points_of(measuring, SCTPA_SERIES_A_RWND, &n_announced);
    const sctpa_point_t *peer_at = points_of(measuring, SCTPA_SERIES_PEER_WINDOW, &n_peer);
    for (uint32_t i = 0; i < n; i++) {
        for (; announced < n_announced && announced_at[announced].packet <= flight[i].packet; announced++)
            window_bytes = (uint32_t)announced_at[announced].value;
        while (peer < n_peer && peer_at[peer].packet < flight[i].packet)
            peer++;
        bool has_peer = peer < n_peer && peer_at[peer].packet == flight[i].packet;
        uint64_t bytes = all_flight(&flight[i], has_peer ? &peer_at[peer] : NULL, window_bytes);
        windows->new_probes += announced > 0 && window_bytes == 0 && before == 0 && bytes > 0;
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
            measuring->windows->short_ns += MAX(points[i + 1].time_ns - points[i].time_ns, 0);
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

sctpa_windows_t *sctpa_windows_measure(const sctpa_series_source_t *source)
{
    const sctpa_series_request_t request = {
        .kinds = 1u << SCTPA_SERIES_A_RWND | 1u << SCTPA_SERIES_FLIGHT | 1u << SCTPA_SERIES_PEER_WINDOW | 1u << SCTPA_SERIES_PROBE,
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
