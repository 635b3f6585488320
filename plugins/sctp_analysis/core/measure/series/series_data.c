/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series of what was sent: each transmission of each TSN, and rates by bins. */
#include <string.h>

#include "measure/measure.h"
#include "measure/order.h"
#include "bins.h"
#include "series_parts.h"

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
        sctpa_series_add(making, series, record->packet, record->path, number, 0);
        note_packet(making, record->packet);
        at = record->link.before;
    }
}

static void add_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    sctpa_series_making_t *making = user;
    if (sctpa_series_is_wanted(making, SCTPA_SERIES_SENT)) {
        uint16_t path = tsn->transmissions == 1 ? tsn->path : path_of(making, tsn->first_packet);
        sctpa_series_add(making, SCTPA_SERIES_SENT, tsn->first_packet, path, number, 0);
    }
    note_packet(making, tsn->first_packet);
    add_again(making, number, tsn);
}

static void find_span(sctpa_series_making_t *making)
{
    for (unsigned i = 0; i < making->packets->len; i++) {
        int64_t time_ns = sctpa_series_time_ns(making, g_array_index(making->packets, uint32_t, i));
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

void sctpa_series_make_sent(sctpa_series_making_t *making)
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
    g_array_index(rate->bytes, uint64_t, bin_of(rate, sctpa_series_time_ns(rate->making, packet))) += bytes;
}

static bool is_on_path(const sctpa_series_making_t *making, uint16_t path)
{
    return making->request->path == SCTPA_SERIES_ANY_PATH || making->request->path == path;
}

static void add_user_bytes(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    const rate_t *rate = user;
    const sctpa_series_making_t *making = rate->making;
    (void)number;
    if (!sctpa_series_takes_stream(making, tsn->stream))
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
            add_bytes(rate, packet, sctpa_series_stamp(making, packet)->wire_bytes);
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
        unsigned bin = bin_of(rate, sctpa_series_time_ns(making, packet));
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

void sctpa_series_make_rates(sctpa_series_making_t *making)
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
