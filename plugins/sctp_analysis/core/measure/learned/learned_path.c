/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths of an endpoint: the largest packet that they carry (RFC 9260 7.3), and errors in a row until it leaves one
 * (8.2). */
#include "learned_parts.h"

enum { PACKETS_LEAST = 3, ROOM_BYTES = 44, ERRORS_LEAST = 3 };

/* --- PMTU --- */

typedef struct {
    uint32_t wire_bytes, packets, fragments, packet;
} largest_t;

void sctpa_learn_pmtu(sctpa_learning_t *learning)
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

void sctpa_learn_retrans(sctpa_learning_t *learning)
{
    take_timeouts(learning);
    take_probed(learning);
}
