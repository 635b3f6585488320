/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series of what is outstanding: on each path, on all of them, and what that leaves of the announced window; and of
 * the reference sender: cwnd with its bounds, and ssthresh. A packet is stamped with what is outstanding on the path
 * that it took; where it changes other paths, or carries DATA of the other direction as well, that follows from the
 * transmissions and acknowledgements of the TSNs. What FORWARD-TSN gave up, and what a receiver took back, shows with
 * the next stamp of its path. */
#include "data/past.h"
#include "measure/order.h"
#include "series_parts.h"

static void add(void *user, const sctpa_cwnd_point_t *point)
{
    const sctpa_series_making_t *making = user;
    sctpa_series_add(making, SCTPA_SERIES_CWND, point->packet, point->path, point->cwnd, 0);
    sctpa_series_add(making, SCTPA_SERIES_CWND_MIN, point->packet, point->path, point->cwnd_min, 0);
    if (point->cwnd_max != SCTPA_UNKNOWN_BYTES)
        sctpa_series_add(making, SCTPA_SERIES_CWND_MAX, point->packet, point->path, point->cwnd_max, 0);
    if (point->ssthresh != SCTPA_UNKNOWN_BYTES)
        sctpa_series_add(making, SCTPA_SERIES_SSTHRESH, point->packet, point->path, point->ssthresh, 0);
}

void sctpa_series_make_cwnd(sctpa_series_making_t *making)
{
    if (making->source->each_cwnd && making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_CWND))
        making->source->each_cwnd(making->source, add, making);
}

/* Of what is outstanding on a path. */
typedef struct {
    uint32_t packet;
    int32_t bytes;
    uint16_t path;
} change_t;

typedef struct {
    const sctpa_series_making_t *making;
    GArray *changes;              /* change_t in order of packet; empty where the stamps say all */
    GArray *flight;               /* int64_t by path */
    GArray *touched;              /* uint16_t: paths that a packet changed, or took */
    int64_t total;                /* on all */
    sctpa_sack_reading_t reading; /* of the SACKs so far */
    uint32_t a_rwnd_bytes;        /* of the newest */
    unsigned next_change, next_data, next_sack;
} flow_t;

static void add_change(void *user, uint32_t packet, sctpa_t3_event_t event, uint16_t path, int32_t bytes, bool counts)
{
    flow_t *flow = user;
    const change_t change = { packet, bytes, path };
    (void)event;
    if (counts)
        g_array_append_val(flow->changes, change);
}

static void add_changes(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    flow_t *flow = user;
    const sctpa_series_source_t *source = flow->making->source;
    (void)number;
    sctpa_past_each_change(source->direction, tsn, sctpa_series_first_path(source, tsn), add_change, flow);
}

static int packet_order(gconstpointer a, gconstpointer b, gpointer user)
{
    const change_t *x = a, *y = b;
    (void)user;
    return x->packet < y->packet ? -1 : x->packet > y->packet;
}

static const sctpa_sack_record_t *sack_at(const flow_t *flow, unsigned at)
{
    return &SCTPA_RECORD(&flow->making->source->direction->sacks, sctpa_sack_record_t, at);
}

/* Do the stamps tell all: is there one path, and no packet with SACKs of this direction and DATA of the other? */
static bool is_stamped_whole(const flow_t *flow)
{
    const sctpa_direction_t *direction = flow->making->source->direction;
    bool is_whole = direction->paths.len < 2;
    for (unsigned i = 0; is_whole && i < direction->sacks.len; i++)
        is_whole = !(sctpa_series_stamp(flow->making, sack_at(flow, i)->packet)->holds & SCTPA_STAMP_DATA);
    return is_whole;
}

static void touch(flow_t *flow, uint16_t path, int64_t bytes)
{
    if (path >= flow->flight->len)
        return;
    int64_t *flight = &g_array_index(flow->flight, int64_t, path);
    flow->total += bytes - *flight;
    *flight = bytes;
    for (guint i = 0; i < flow->touched->len; i++)
        if (g_array_index(flow->touched, uint16_t, i) == path)
            return;
    g_array_append_val(flow->touched, path);
}

/* The next packet that changes anything, SCTPA_NO_PACKET_INDEX none. */
static uint32_t next_packet(const flow_t *flow)
{
    const GArray *packets = flow->making->packets;
    uint32_t next = SCTPA_NO_PACKET_INDEX;
    if (flow->next_change < flow->changes->len)
        next = g_array_index(flow->changes, change_t, flow->next_change).packet;
    if (flow->next_data < packets->len)
        next = MIN(next, g_array_index(packets, uint32_t, flow->next_data));
    if (flow->next_sack < flow->making->source->direction->sacks.len)
        next = MIN(next, sack_at(flow, flow->next_sack)->packet);
    return next;
}

static void take_changes(flow_t *flow, uint32_t packet)
{
    for (; flow->next_change < flow->changes->len; flow->next_change++) {
        const change_t *found = &g_array_index(flow->changes, change_t, flow->next_change);
        if (found->packet != packet)
            return;
        if (found->path < flow->flight->len)
            touch(flow, found->path, MAX(g_array_index(flow->flight, int64_t, found->path) + found->bytes, 0));
    }
}

static bool take_data(flow_t *flow, uint32_t packet)
{
    const GArray *packets = flow->making->packets;
    bool has_data = flow->next_data < packets->len && g_array_index(packets, uint32_t, flow->next_data) == packet;
    flow->next_data += has_data;
    return has_data;
}

static bool take_sacks(flow_t *flow, uint32_t packet)
{
    const sctpa_direction_t *direction = flow->making->source->direction;
    bool has_sack = false;
    for (; flow->next_sack < direction->sacks.len; flow->next_sack++) {
        const sctpa_sack_record_t *sack = sack_at(flow, flow->next_sack);
        if (sack->packet != packet)
            break;
        if (sctpa_sack_reading_is_new(&flow->reading, direction, sack))
            flow->a_rwnd_bytes = sack->a_rwnd_bytes;
        has_sack = true;
    }
    return has_sack;
}

static void add_points(const flow_t *flow, uint32_t packet, uint16_t path, int64_t peer_window)
{
    for (guint i = 0; i < flow->touched->len; i++) {
        uint16_t touched = g_array_index(flow->touched, uint16_t, i);
        sctpa_series_add(flow->making, SCTPA_SERIES_FLIGHT, packet, touched,
                         g_array_index(flow->flight, int64_t, touched), 0);
    }
    if (flow->flight->len > 1)
        sctpa_series_add(flow->making, SCTPA_SERIES_FLIGHT_TOTAL, packet, SCTPA_SERIES_ANY_PATH, flow->total, 0);
    if (peer_window >= 0)
        sctpa_series_add(flow->making, SCTPA_SERIES_PEER_WINDOW, packet, path, peer_window, 0);
}

/* A packet with SACKs and DATA is stamped for the DATA. */
static void take_packet(flow_t *flow, uint32_t packet)
{
    const sctpa_stamp_t *stamp = sctpa_series_stamp(flow->making, packet);
    uint16_t path = flow->making->source->path(flow->making->source, packet);
    g_array_set_size(flow->touched, 0);
    take_changes(flow, packet);
    bool has_data = take_data(flow, packet), has_sack = take_sacks(flow, packet);
    if (has_data || (has_sack && !(stamp->holds & SCTPA_STAMP_DATA))) {
        if (stamp->flight_bytes != SCTPA_NO_PACKET_INDEX)
            touch(flow, path, stamp->flight_bytes);
        add_points(flow, packet, path,
                   stamp->peer_window_bytes == SCTPA_NO_PACKET_INDEX ? -1 : (int64_t)stamp->peer_window_bytes);
    } else if (has_sack && !flow->making->source->data_only) {
        if (path < flow->flight->len)
            touch(flow, path, g_array_index(flow->flight, int64_t, path));
        add_points(flow, packet, path, flow->reading.any ? MAX((int64_t)flow->a_rwnd_bytes - flow->total, 0) : -1);
    } else if (flow->touched->len > 0) {
        add_points(flow, packet, path, -1);
    }
}

void sctpa_series_make_flow(sctpa_series_making_t *making)
{
    const sctpa_direction_t *direction = making->source->direction;
    flow_t flow = { .making = making, .reading = { .near = -1 } };
    if (!(making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_FLOW)))
        return;
    flow.changes = g_array_new(FALSE, FALSE, sizeof(change_t));
    flow.flight = g_array_new(FALSE, TRUE, sizeof(int64_t));
    flow.touched = g_array_new(FALSE, FALSE, sizeof(uint16_t));
    g_array_set_size(flow.flight, direction->paths.len);
    if (!making->source->data_only && !is_stamped_whole(&flow)) {
        sctpa_direction_each(direction, add_changes, &flow);
        sctpa_order(flow.changes, packet_order, NULL);
    }
    for (uint32_t packet; (packet = next_packet(&flow)) != SCTPA_NO_PACKET_INDEX;)
        take_packet(&flow, packet);
    g_array_unref(flow.changes);
    g_array_unref(flow.flight);
    g_array_unref(flow.touched);
}
