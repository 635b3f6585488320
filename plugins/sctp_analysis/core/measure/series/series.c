/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making series: what each is made from, and the order of its points; what was sent and acknowledged, rates by bins,
 * SACKs, samples, waits and RTOs; what is outstanding, on each path and on all, and what that leaves of the announced
 * window; the reference sender; and what series can be asked of. A packet is stamped with what is outstanding on the
 * path that it took; where it changes other paths, or carries DATA of the other direction as well, that follows from
 * the transmissions and acknowledgements of the TSNs. What FORWARD-TSN gave up, and what a receiver took back, shows
 * with the next stamp of its path. */
#include "series.h"

#include <string.h>

#include "base/numbers.h"
#include "measure/measure.h"
#include "measure/order.h"
#include "measure/user_messages.h"
#include "series_parts.h"
#include "data/past.h"

/* Adds a point, of the path asked for; more: its extent or stream. Nothing when its series is not asked for. O(1). */
static const sctpa_stamp_t *series_stamp(const sctpa_series_making_t *making, uint32_t packet)
{
    return sctpa_direction_stamp(making->source->direction, packet);
}

static int64_t series_time_ns(const sctpa_series_making_t *making, uint32_t packet)
{
    return series_stamp(making, packet)->time_ns;
}

static void series_add(const sctpa_series_making_t *making, sctpa_series_kind_t kind, uint32_t packet, uint16_t path,
                       int64_t value, uint16_t more)
{
    sctpa_series_t *series = making->series[kind];
    if (!series || (making->request->path != SCTPA_SERIES_ANY_PATH && making->request->path != path))
        return;
    sctpa_point_t point = { series_time_ns(making, packet), value, packet, path, { more } };
    g_array_append_val(series->points, point);
}

static void flow_add(void *user, const sctpa_cwnd_point_t *point)
{
    const sctpa_series_making_t *making = user;
    series_add(making, SCTPA_SERIES_CWND, point->packet, point->path, point->cwnd, 0);
    series_add(making, SCTPA_SERIES_CWND_MIN, point->packet, point->path, point->cwnd_min, 0);
    if (point->cwnd_max != SCTPA_UNKNOWN_BYTES)
        series_add(making, SCTPA_SERIES_CWND_MAX, point->packet, point->path, point->cwnd_max, 0);
    if (point->ssthresh != SCTPA_UNKNOWN_BYTES)
        series_add(making, SCTPA_SERIES_SSTHRESH, point->packet, point->path, point->ssthresh, 0);
}

static void series_make_cwnd(sctpa_series_making_t *making)
{
    if (making->source->each_cwnd && making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_CWND))
        making->source->each_cwnd(making->source, flow_add, making);
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

static int flow_packet_order(gconstpointer a, gconstpointer b, gpointer user)
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
        is_whole = !(series_stamp(flow->making, sack_at(flow, i)->packet)->holds & SCTPA_STAMP_DATA);
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

enum {
    OLD_SACKS_MAX = 32
}; /* so many old ones in a row: the one they are older than was wrong, as data/sacks.c takes it */

static bool is_old(sctpa_sack_reading_t *reading, int64_t highest)
{
    if (!reading->any || reading->near >= reading->cum_tsn ||
        (++reading->old >= OLD_SACKS_MAX && reading->cum_tsn > highest)) {
        *reading = (sctpa_sack_reading_t){ .near = reading->near, .cum_tsn = reading->near, .any = true };
        return false;
    }
    return true;
}

/* Reads the next SACK: is it new, or older than one before (RFC 9260 6.2.1)? O(1). */
static bool sack_reading_is_new(sctpa_sack_reading_t *reading, const sctpa_direction_t *direction,
                                const sctpa_sack_record_t *sack)
{
    reading->near += sctpa_serial_distance(sctpa_direction_serial(direction, reading->near), sack->cum_tsn);
    return !is_old(reading, direction->highest);
}

static bool take_sacks(flow_t *flow, uint32_t packet)
{
    const sctpa_direction_t *direction = flow->making->source->direction;
    bool has_sack = false;
    for (; flow->next_sack < direction->sacks.len; flow->next_sack++) {
        const sctpa_sack_record_t *sack = sack_at(flow, flow->next_sack);
        if (sack->packet != packet)
            break;
        if (sack_reading_is_new(&flow->reading, direction, sack))
            flow->a_rwnd_bytes = sack->a_rwnd_bytes;
        has_sack = true;
    }
    return has_sack;
}

static void add_points(const flow_t *flow, uint32_t packet, uint16_t path, int64_t peer_window)
{
    for (guint i = 0; i < flow->touched->len; i++) {
        uint16_t touched = g_array_index(flow->touched, uint16_t, i);
        series_add(flow->making, SCTPA_SERIES_FLIGHT, packet, touched, g_array_index(flow->flight, int64_t, touched),
                   0);
    }
    if (flow->flight->len > 1)
        series_add(flow->making, SCTPA_SERIES_FLIGHT_TOTAL, packet, SCTPA_SERIES_ANY_PATH, flow->total, 0);
    if (peer_window >= 0)
        series_add(flow->making, SCTPA_SERIES_PEER_WINDOW, packet, path, peer_window, 0);
}

/* A packet with SACKs and DATA is stamped for the DATA. */
static void take_packet(flow_t *flow, uint32_t packet)
{
    const sctpa_stamp_t *stamp = series_stamp(flow->making, packet);
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

/* Flight and peer window. After the packets are known. */
static void series_make_flow(sctpa_series_making_t *making)
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
        sctpa_order(flow.changes, flow_packet_order, NULL);
    }
    for (uint32_t packet; (packet = next_packet(&flow)) != SCTPA_NO_PACKET_INDEX;)
        take_packet(&flow, packet);
    g_array_unref(flow.changes);
    g_array_unref(flow.flight);
    g_array_unref(flow.touched);
}

enum { BINS_WANTED = 400, WIDTH_MIN_NS = 1000 };

static int64_t step_at_least(uint64_t width_ns)
{
    uint64_t power = WIDTH_MIN_NS;
    while (5 * power < width_ns)
        power *= 10;
    return (int64_t)(power >= width_ns ? power : 2 * power >= width_ns ? 2 * power : 5 * power);
}

int64_t sctpa_bin_width_ns(uint64_t duration_ns)
{
    return step_at_least(duration_ns / BINS_WANTED + (duration_ns % BINS_WANTED > 0));
}

int64_t sctpa_bin_width_for(int64_t wanted_ns, uint64_t duration_ns)
{
    if (wanted_ns <= 0)
        return sctpa_bin_width_ns(duration_ns);
    if (duration_ns / (uint64_t)wanted_ns < SCTPA_BINS_MAX)
        return wanted_ns;
    return step_at_least(duration_ns / SCTPA_BINS_MAX + 1);
}

/* Bytes that a packet adds. */
typedef struct {
    uint32_t packet, bytes;
} addition_t;

typedef struct {
    const sctpa_series_making_t *making;
    GArray *sent, *acked; /* addition_t */
} gathering_t;

static void add(GArray *additions, uint32_t packet, uint32_t bytes)
{
    const addition_t addition = { packet, bytes };
    g_array_append_val(additions, addition);
}

static void gather(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    const gathering_t *gathering = user;
    const uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    add(gathering->sent, tsn->first_packet, tsn->bytes);
    if (acked != SCTPA_NO_PACKET_INDEX &&
        !sctpa_direction_is_given_up(gathering->making->source->direction, number, tsn))
        add(gathering->acked, acked, tsn->bytes);
}

static int data_packet_order(gconstpointer a, gconstpointer b, gpointer user)
{
    const addition_t *x = a, *y = b;
    (void)user;
    return x->packet < y->packet ? -1 : x->packet > y->packet;
}

/* One point for each packet: the sum up to it. */
static void accumulate(const sctpa_series_making_t *making, sctpa_series_kind_t kind, GArray *additions)
{
    int64_t sum = 0;
    sctpa_order(additions, data_packet_order, NULL);
    for (guint i = 0; i < additions->len; i++) {
        const addition_t *addition = &g_array_index(additions, addition_t, i);
        sum += addition->bytes;
        if (i + 1 == additions->len || g_array_index(additions, addition_t, i + 1).packet != addition->packet)
            series_add(making, kind, addition->packet, SCTPA_SERIES_ANY_PATH, sum, 0);
    }
}

static void series_make_bytes(sctpa_series_making_t *making)
{
    if (!(making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_BYTES)))
        return;
    gathering_t gathering = { making, g_array_new(FALSE, FALSE, sizeof(addition_t)),
                              g_array_new(FALSE, FALSE, sizeof(addition_t)) };
    sctpa_direction_each(making->source->direction, gather, &gathering);
    accumulate(making, SCTPA_SERIES_SENT_BYTES, gathering.sent);
    if (!making->source->data_only)
        accumulate(making, SCTPA_SERIES_ACKED_BYTES, gathering.acked);
    g_array_unref(gathering.sent);
    g_array_unref(gathering.acked);
}

static int number_order(gconstpointer a, gconstpointer b, gpointer user)
{
    const uint32_t *x = a, *y = b;
    (void)user;
    return *x < *y ? -1 : *x > *y;
}

static uint16_t path_of(const sctpa_series_making_t *making, uint32_t packet)
{
    return making->source->path(making->source, packet);
}

/* A packet with DATA; chunks of one packet mostly come one after the other. */
static void note_packet(sctpa_series_making_t *making, uint32_t packet)
{
    GArray *packets = making->packets;
    if (packets && (packets->len == 0 || g_array_index(packets, uint32_t, packets->len - 1) != packet))
        g_array_append_val(packets, packet);
}

static void add_again(sctpa_series_making_t *making, int64_t number, const sctpa_tsn_t *tsn)
{
    const sctpa_records_t *rtx = &making->source->direction->rare->rtx;
    for (uint32_t at = tsn->more; at != 0;) {
        const sctpa_rtx_t *record = &SCTPA_RECORD(rtx, sctpa_rtx_t, at - 1);
        unsigned series = sctpa_rtx_counts(making->source->direction, number, record) ? SCTPA_SERIES_FAST + record->kind
                                                                                      : SCTPA_SERIES_SENT;
        series_add(making, series, record->packet, record->path, number, 0);
        note_packet(making, record->packet);
        at = record->link.before;
    }
}

static bool series_is_wanted(const sctpa_series_making_t *making, sctpa_series_kind_t kind)
{
    return making->series[kind] != NULL;
}

static void add_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    sctpa_series_making_t *making = user;
    if (series_is_wanted(making, SCTPA_SERIES_SENT)) {
        uint16_t path = tsn->transmissions == 1 ? tsn->path : path_of(making, tsn->first_packet);
        series_add(making, SCTPA_SERIES_SENT, tsn->first_packet, path, number, 0);
    }
    note_packet(making, tsn->first_packet);
    add_again(making, number, tsn);
}

static void find_span(sctpa_series_making_t *making)
{
    for (unsigned i = 0; i < making->packets->len; i++) {
        int64_t time_ns = series_time_ns(making, g_array_index(making->packets, uint32_t, i));
        making->first_ns = MIN(making->first_ns, time_ns);
        making->last_ns = MAX(making->last_ns, time_ns);
    }
}

static void remove_repeats(GArray *packets)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < packets->len; i++) {
        uint32_t packet = g_array_index(packets, uint32_t, i);
        if (kept == 0 || g_array_index(packets, uint32_t, kept - 1) != packet)
            g_array_index(packets, uint32_t, kept++) = packet;
    }
    g_array_set_size(packets, kept);
}

static bool wants_transmissions(const sctpa_series_making_t *making)
{
    return making->packets || making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_SENT);
}

/* Transmissions, and the packets that held them. */
static void series_make_sent(sctpa_series_making_t *making)
{
    if (!wants_transmissions(making))
        return;
    sctpa_direction_each(making->source->direction, add_tsn, making);
    if (!making->packets)
        return;
    sctpa_order(making->packets, number_order, NULL);
    remove_repeats(making->packets);
    find_span(making);
}

/* Bytes by bin. */
typedef struct {
    const sctpa_series_making_t *making;
    int64_t first_ns, width_ns; /* first_ns: where the first bin begins */
    GArray *bytes;              /* uint64_t by bin */
} rate_t;

static unsigned bin_of(const rate_t *rate, int64_t time_ns)
{
    return (unsigned)(((uint64_t)time_ns - (uint64_t)rate->first_ns) / (uint64_t)rate->width_ns);
}

static void add_bytes(const rate_t *rate, uint32_t packet, uint64_t bytes)
{
    g_array_index(rate->bytes, uint64_t, bin_of(rate, series_time_ns(rate->making, packet))) += bytes;
}

static bool is_on_path(const sctpa_series_making_t *making, uint16_t path)
{
    return making->request->path == SCTPA_SERIES_ANY_PATH || making->request->path == path;
}

/* Is it of the stream asked for? */
static bool series_takes_stream(const sctpa_series_making_t *making, uint16_t stream)
{
    return !making->request->of_stream || making->request->stream == stream;
}

static void add_user_bytes(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    const rate_t *rate = user;
    const sctpa_series_making_t *making = rate->making;
    (void)number;
    if (!series_takes_stream(making, tsn->stream))
        return;
    if (making->request->path == SCTPA_SERIES_ANY_PATH || is_on_path(making, path_of(making, tsn->first_packet)))
        add_bytes(rate, tsn->first_packet, tsn->bytes);
}

static void add_wire_bytes(const rate_t *rate)
{
    const sctpa_series_making_t *making = rate->making;
    for (unsigned i = 0; i < making->packets->len; i++) {
        uint32_t packet = g_array_index(making->packets, uint32_t, i);
        if (making->request->path == SCTPA_SERIES_ANY_PATH || is_on_path(making, path_of(making, packet)))
            add_bytes(rate, packet, series_stamp(making, packet)->wire_bytes);
    }
}

/* The lowest packet of each bin with one; those without keep the one before. */
static GArray *packets_of_bins(const rate_t *rate)
{
    const sctpa_series_making_t *making = rate->making;
    GArray *packets = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), rate->bytes->len);
    for (unsigned bin = 0; bin < rate->bytes->len; bin++)
        g_array_append_val(packets, (uint32_t){ SCTPA_NO_PACKET_INDEX });
    GArray *last = g_array_copy(packets);
    for (unsigned i = 0; i < making->packets->len; i++) {
        uint32_t packet = g_array_index(making->packets, uint32_t, i);
        unsigned bin = bin_of(rate, series_time_ns(making, packet));
        uint32_t *first = &g_array_index(packets, uint32_t, bin);
        *first = MIN(*first, packet);
        g_array_index(last, uint32_t, bin) = packet;
    }
    for (unsigned bin = 1; bin < packets->len; bin++)
        if (g_array_index(packets, uint32_t, bin) == SCTPA_NO_PACKET_INDEX)
            g_array_index(packets, uint32_t, bin) = g_array_index(last, uint32_t, bin) =
                g_array_index(last, uint32_t, bin - 1);
    g_array_unref(last);
    return packets;
}

static void add_rates(const rate_t *rate, sctpa_series_t *series, const GArray *packets)
{
    series->bin_ns = rate->width_ns;
    for (unsigned bin = 0; bin < rate->bytes->len; bin++) {
        sctpa_point_t point = { rate->first_ns + (int64_t)bin * rate->width_ns,
                                (int64_t)(sctpa_rate_bps(g_array_index(rate->bytes, uint64_t, bin), rate->width_ns) +
                                          0.5),
                                g_array_index(packets, uint32_t, bin),
                                rate->making->request->path,
                                { 0 } };
        g_array_append_val(series->points, point);
    }
}

/* Bins begin at multiples of their width from the start of the capture, so that those of all directions are the same.
 */
static rate_t rate_new(const sctpa_series_making_t *making)
{
    uint64_t duration_ns = (uint64_t)making->last_ns - (uint64_t)making->first_ns;
    rate_t rate = { .making = making, .width_ns = sctpa_bin_width_for(making->request->bin_ns, duration_ns) };
    int64_t over_ns = (int64_t)((uint64_t)making->first_ns - (uint64_t)making->source->start_ns) % rate.width_ns;
    rate.first_ns = making->first_ns - (over_ns < 0 ? over_ns + rate.width_ns : over_ns);
    rate.bytes = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    g_array_set_size(rate.bytes, bin_of(&rate, making->last_ns) + 1);
    return rate;
}

/* User bytes and packets by bins. After the packets are known. */
static void series_make_rates(sctpa_series_making_t *making)
{
    sctpa_series_t *goodput = making->series[SCTPA_SERIES_GOODPUT],
                   *throughput = making->series[SCTPA_SERIES_THROUGHPUT];
    if (making->packets->len == 0 || (!goodput && !throughput))
        return;
    rate_t rate = rate_new(making);
    GArray *packets = packets_of_bins(&rate);
    if (goodput) {
        sctpa_direction_each(making->source->direction, add_user_bytes, &rate);
        add_rates(&rate, goodput, packets);
    }
    if (throughput) {
        memset(rate.bytes->data, 0, rate.bytes->len * sizeof(uint64_t));
        add_wire_bytes(&rate);
        add_rates(&rate, throughput, packets);
    }
    g_array_unref(packets);
    g_array_unref(rate.bytes);
}

static void add_gaps(const sctpa_series_making_t *making, unsigned at, int64_t cum_tsn, uint16_t path)
{
    const sctpa_direction_t *direction = making->source->direction;
    const sctpa_sack_record_t *sack = &SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, at);
    uint32_t n;
    const uint32_t *blocks = sctpa_direction_gaps(direction, sack->gaps, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = blocks[i] >> 16, last = blocks[i] & 0xFFFF;
        if (first > 0 && first <= last)
            series_add(making, SCTPA_SERIES_GAP, sack->packet, path, cum_tsn + first, (uint16_t)(last - first));
    }
}

/* Duplicates that the SACKs up to and with packet report, from *at on. */
static void add_duplicates(const sctpa_series_making_t *making, unsigned *at, uint32_t packet, int64_t near,
                           uint16_t path)
{
    const sctpa_direction_t *direction = making->source->direction;
    for (; *at < direction->rare->duplicate_tsns.len; ++*at) {
        const sctpa_duplicate_t *duplicate = &SCTPA_RECORD(&direction->rare->duplicate_tsns, sctpa_duplicate_t, *at);
        if (duplicate->packet > packet)
            return;
        int64_t tsn = near + sctpa_serial_distance(sctpa_direction_serial(direction, near), duplicate->tsn);
        series_add(making, SCTPA_SERIES_DUPLICATE, duplicate->packet, path, tsn, 0);
    }
}

static void series_make_sacks(sctpa_series_making_t *making)
{
    const sctpa_direction_t *direction = making->source->direction;
    sctpa_sack_reading_t reading = { .near = -1 };
    unsigned duplicates = 0;
    if (!(making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_SACKS)))
        return;
    for (unsigned i = 0; i < direction->sacks.len; i++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, i);
        uint16_t path = making->source->path(making->source, sack->packet);
        if (sack_reading_is_new(&reading, direction, sack))
            series_add(making, SCTPA_SERIES_CUM_ACK, sack->packet, path, reading.near, 0);
        add_gaps(making, i, reading.near, path);
        add_duplicates(making, &duplicates, sack->packet, reading.near, path);
        series_add(making, SCTPA_SERIES_A_RWND, sack->packet, path, sack->a_rwnd_bytes, 0);
    }
}

/* The next HEARTBEAT to the path of HEARTBEAT number at, NULL none. O(HEARTBEATs kept). */
static const sctpa_heartbeat_t *next_heartbeat(const sctpa_records_t *heartbeats, unsigned at)
{
    const sctpa_heartbeat_t *one = &SCTPA_RECORD(heartbeats, sctpa_heartbeat_t, at);
    for (unsigned i = at + 1; i < heartbeats->len; i++)
        if (SCTPA_RECORD(heartbeats, sctpa_heartbeat_t, i).path == one->path)
            return &SCTPA_RECORD(heartbeats, sctpa_heartbeat_t, i);
    return NULL;
}

/* HEARTBEATs that were not answered by the next one to their path. O(square of those kept), at most
 * SCTPA_HEARTBEATS_MAX. */
static void add_lost_heartbeats(const sctpa_series_making_t *making)
{
    const sctpa_direction_t *direction = making->source->direction;
    const sctpa_records_t *heartbeats = &direction->rare->heartbeats;
    for (unsigned i = 0; series_is_wanted(making, SCTPA_SERIES_HEARTBEAT_LOST) && i < heartbeats->len; i++) {
        const sctpa_heartbeat_t *one = &SCTPA_RECORD(heartbeats, sctpa_heartbeat_t, i), *next;
        if (one->answer_packet == SCTPA_NO_PACKET_INDEX && (next = next_heartbeat(heartbeats, i)))
            series_add(
                making, SCTPA_SERIES_HEARTBEAT_LOST, one->packet, one->path,
                sctpa_direction_time_ns(direction, next->packet) - sctpa_direction_time_ns(direction, one->packet), 0);
    }
}

static void series_make_samples(sctpa_series_making_t *making)
{
    const sctpa_direction_t *direction = making->source->direction;
    add_lost_heartbeats(making);
    for (unsigned i = 0; i < direction->samples.len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, i);
        if (sample->kind != SCTPA_SAMPLE_BACKOFF)
            series_add(making, sample->kind == SCTPA_SAMPLE_HEARTBEAT ? SCTPA_SERIES_HEARTBEAT_RTT : SCTPA_SERIES_RTT,
                       sample->packet, sample->path, sctpa_direction_elapsed_ns(direction, sample), 0);
    }
}

static void add_rtos(void *user, uint16_t path, uint32_t packet, const sctpa_rtos_t *rtos)
{
    const sctpa_series_making_t *making = user;
    series_add(making, SCTPA_SERIES_RTO, packet, path, rtos->value_ns, 0);
    if (!rtos->is_learned)
        return;
    series_add(making, SCTPA_SERIES_RTO_LEAST, packet, path, rtos->least_ns, 0);
    series_add(making, SCTPA_SERIES_RTO_MOST, packet, path, rtos->most_ns, 0);
}

static void series_make_rtos(sctpa_series_making_t *making)
{
    if (making->source->each_rto && making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_RTOS))
        making->source->each_rto(making->source, add_rtos, making);
}

static void add_message(void *user, const sctpa_user_message_t *message)
{
    const sctpa_series_making_t *making = user;
    if (!series_takes_stream(making, message->stream))
        return;
    if (message->has_wait)
        series_add(making, SCTPA_SERIES_HOL_DELAY, message->wait_ack,
                   making->source->path(making->source, message->wait_ack), message->delay_least_ns, message->stream);
    if (message->fate == SCTPA_FATE_ACKED)
        series_add(making, SCTPA_SERIES_MESSAGE_DELAY, message->ack, making->source->path(making->source, message->ack),
                   message->ack_ns, message->stream);
}

static void series_make_waits(sctpa_series_making_t *making)
{
    if (making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_WAITS) && !making->source->data_only)
        sctpa_user_messages_each(making->source->direction, making->source->at_receiver,
                                 making->source->receiver_ahead_ns, add_message, making);
}

enum { IDS = 1 << 16 };

typedef struct {
    uint64_t bytes[IDS];
    bool is_seen[IDS];
} streams_t;

static void count(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    streams_t *streams = user;
    (void)number;
    streams->bytes[tsn->stream] += tsn->bytes;
    streams->is_seen[tsn->stream] = true;
}

static int bytes_order(gconstpointer a, gconstpointer b)
{
    const sctpa_busy_stream_t *x = a, *y = b;
    if (x->user_bytes != y->user_bytes)
        return x->user_bytes > y->user_bytes ? -1 : 1;
    return (int)x->stream - (int)y->stream;
}

GArray *sctpa_series_streams(const sctpa_series_source_t *source)
{
    GArray *busy = g_array_new(FALSE, FALSE, sizeof(sctpa_busy_stream_t));
    if (!source->direction)
        return busy;
    streams_t *streams = g_new0(streams_t, 1);
    sctpa_direction_each(source->direction, count, streams);
    for (unsigned id = 0; id < IDS; id++)
        if (streams->is_seen[id])
            g_array_append_val(busy, ((sctpa_busy_stream_t){ streams->bytes[id], (uint16_t)id }));
    g_free(streams);
    g_array_sort(busy, bytes_order);
    return busy;
}

typedef struct {
    const sctpa_series_source_t *source;
    bool is_used[SCTPA_SERIES_ANY_PATH];
} used_paths_t;

static void note_paths(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    used_paths_t *used = user;
    const sctpa_records_t *rtx = &used->source->direction->rare->rtx;
    (void)number;
    used->is_used[used->source->path(used->source, tsn->first_packet)] = true;
    for (uint32_t at = tsn->more; at != 0; at = SCTPA_RECORD(rtx, sctpa_rtx_t, at - 1).link.before)
        used->is_used[SCTPA_RECORD(rtx, sctpa_rtx_t, at - 1).path] = true;
}

GArray *sctpa_series_paths(const sctpa_series_source_t *source)
{
    GArray *paths = g_array_new(FALSE, FALSE, sizeof(uint16_t));
    if (!source->direction)
        return paths;
    used_paths_t *used = g_new0(used_paths_t, 1);
    used->source = source;
    sctpa_direction_each(source->direction, note_paths, used);
    for (uint16_t path = 0; path < SCTPA_SERIES_ANY_PATH; path++)
        if (used->is_used[path])
            g_array_append_val(paths, path);
    g_free(used);
    return paths;
}

static const struct {
    const char *word;
    sctpa_series_unit_t unit;
    sctpa_series_walk_t walk;
} rows[SCTPA_SERIES_KINDS] = {
#define SCTPA_SERIES_ROW(name, word, unit, walk) { word, SCTPA_UNIT_##unit, SCTPA_WALK_##walk },
#include "series.def"
#undef SCTPA_SERIES_ROW
};

const char *sctpa_series_word(sctpa_series_kind_t kind)
{
    return rows[kind].word;
}

sctpa_series_unit_t sctpa_series_unit(sctpa_series_kind_t kind)
{
    return rows[kind].unit;
}

uint32_t sctpa_series_of_walk(sctpa_series_walk_t walk)
{
    uint32_t kinds = 0;
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        kinds |= (uint32_t)(rows[kind].walk == walk) << kind;
    return kinds;
}

static sctpa_series_t *series_new(sctpa_series_kind_t kind)
{
    sctpa_series_t *series = g_new0(sctpa_series_t, 1);
    series->kind = kind;
    series->points = g_array_new(FALSE, FALSE, sizeof(sctpa_point_t));
    return series;
}

/* Points of one packet stay as they were added: as its chunks stand. */
static int packet_order(gconstpointer a, gconstpointer b, gpointer user)
{
    const sctpa_point_t *x = a, *y = b;
    (void)user;
    if (x->packet != y->packet)
        return x->packet < y->packet ? -1 : 1;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static void make_all(sctpa_series_making_t *making)
{
    series_make_sent(making);
    series_make_sacks(making);
    series_make_samples(making);
    series_make_rtos(making);
    series_make_waits(making);
    series_make_cwnd(making);
    series_make_bytes(making);
    if (making->packets) {
        series_make_flow(making);
        series_make_rates(making);
    }
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        if (making->series[kind])
            sctpa_order(making->series[kind]->points, packet_order, NULL);
}

void sctpa_series_make(const sctpa_series_source_t *source, const sctpa_series_request_t *request,
                       sctpa_series_t *series[SCTPA_SERIES_KINDS])
{
    const uint32_t need_packets = sctpa_series_of_walk(SCTPA_WALK_FLOW) | sctpa_series_of_walk(SCTPA_WALK_RATES);
    sctpa_series_making_t making = {
        .source = source, .request = request, .series = series, .first_ns = INT64_MAX, .last_ns = INT64_MIN
    };
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        series[kind] = request->kinds >> kind & 1 ? series_new(kind) : NULL;
    if (!source->direction)
        return;
    if (request->kinds & need_packets)
        making.packets = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    make_all(&making);
    if (making.packets)
        g_array_unref(making.packets);
}

void sctpa_series_free(sctpa_series_t *series)
{
    if (!series)
        return;
    g_array_unref(series->points);
    if (series->by_time)
        g_array_unref(series->by_time);
    if (series->levels)
        g_ptr_array_unref(series->levels);
    g_free(series);
}

const sctpa_point_t *sctpa_series_points(const sctpa_series_t *series, uint32_t *n)
{
    *n = series->points->len;
    return (const sctpa_point_t *)(const void *)series->points->data;
}

sctpa_series_kind_t sctpa_series_kind(const sctpa_series_t *series)
{
    return series->kind;
}

int64_t sctpa_series_bin_ns(const sctpa_series_t *series)
{
    return series->bin_ns;
}
