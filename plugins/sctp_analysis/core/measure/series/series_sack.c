/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series of what was acknowledged: SACKs with their gap blocks and windows, round trips, RTOs, waits, what was
 * outstanding. */
#include "base/serial.h"
#include "measure/hol_blocking.h"
#include "series_parts.h"

enum {
    OLD_SACKS_MAX = 32
}; /* so many old ones in a row: the one they are older than was wrong, as data/sacks.c takes it */

/* SACKs in order. */
typedef struct {
    int64_t near;    /* relative cum_tsn of the SACK before */
    int64_t cum_tsn; /* the highest so far */
    uint32_t old;    /* old ones in a row */
    bool any;
} reading_t;

static bool is_old(reading_t *reading, int64_t cum_tsn, int64_t highest)
{
    if (!reading->any || cum_tsn >= reading->cum_tsn ||
        (++reading->old >= OLD_SACKS_MAX && reading->cum_tsn > highest)) {
        *reading = (reading_t){ .near = reading->near, .cum_tsn = cum_tsn, .any = true };
        return false;
    }
    return true;
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
            sctpa_series_add(making, SCTPA_SERIES_GAP, sack->packet, path, cum_tsn + first, (uint16_t)(last - first));
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
        sctpa_series_add(making, SCTPA_SERIES_DUPLICATE, duplicate->packet, path, tsn, 0);
    }
}

void sctpa_series_make_sacks(sctpa_series_making_t *making)
{
    const sctpa_direction_t *direction = making->source->direction;
    reading_t reading = { .near = -1 };
    unsigned duplicates = 0;
    if (!(making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_SACKS)))
        return;
    for (unsigned i = 0; i < direction->sacks.len; i++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, i);
        uint16_t path = making->source->path(making->source, sack->packet);
        reading.near += sctpa_serial_distance(sctpa_direction_serial(direction, reading.near), sack->cum_tsn);
        if (!is_old(&reading, reading.near, direction->highest))
            sctpa_series_add(making, SCTPA_SERIES_CUM_ACK, sack->packet, path, reading.near, 0);
        add_gaps(making, i, reading.near, path);
        add_duplicates(making, &duplicates, sack->packet, reading.near, path);
        sctpa_series_add(making, SCTPA_SERIES_A_RWND, sack->packet, path, sack->a_rwnd_bytes, 0);
    }
}

void sctpa_series_make_samples(sctpa_series_making_t *making)
{
    const sctpa_direction_t *direction = making->source->direction;
    for (unsigned i = 0; i < direction->samples.len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, i);
        if (sample->kind != SCTPA_SAMPLE_BACKOFF)
            sctpa_series_add(making,
                             sample->kind == SCTPA_SAMPLE_HEARTBEAT ? SCTPA_SERIES_HEARTBEAT_RTT : SCTPA_SERIES_RTT,
                             sample->packet, sample->path, sctpa_direction_elapsed_ns(direction, sample), 0);
    }
}

static void add_rtos(void *user, uint16_t path, uint32_t packet, const sctpa_rtos_t *rtos)
{
    const sctpa_series_making_t *making = user;
    sctpa_series_add(making, SCTPA_SERIES_RTO, packet, path, rtos->value_ns, 0);
    if (!rtos->is_learned)
        return;
    sctpa_series_add(making, SCTPA_SERIES_RTO_LEAST, packet, path, rtos->least_ns, 0);
    sctpa_series_add(making, SCTPA_SERIES_RTO_MOST, packet, path, rtos->most_ns, 0);
}

void sctpa_series_make_rtos(sctpa_series_making_t *making)
{
    if (making->source->each_rto && making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_RTOS))
        making->source->each_rto(making->source, add_rtos, making);
}

static void add_wait(void *user, const sctpa_wait_t *wait)
{
    const sctpa_series_making_t *making = user;
    if (sctpa_series_takes_stream(making, wait->stream))
        sctpa_series_add(making, SCTPA_SERIES_HOL_DELAY, wait->ack, making->source->path(making->source, wait->ack),
                         wait->delay_ns, wait->stream);
}

void sctpa_series_make_waits(sctpa_series_making_t *making)
{
    if (sctpa_series_is_wanted(making, SCTPA_SERIES_HOL_DELAY) && !making->source->data_only)
        sctpa_hol_each(making->source->direction, add_wait, making);
}

static void add_flow(const sctpa_series_making_t *making, uint32_t packet)
{
    const sctpa_stamp_t *stamp = sctpa_series_stamp(making, packet);
    uint16_t path = making->source->path(making->source, packet);
    if (stamp->flight_bytes != SCTPA_NO_PACKET_INDEX)
        sctpa_series_add(making, SCTPA_SERIES_FLIGHT, packet, path, stamp->flight_bytes, 0);
    if (stamp->peer_window_bytes != SCTPA_NO_PACKET_INDEX)
        sctpa_series_add(making, SCTPA_SERIES_PEER_WINDOW, packet, path, stamp->peer_window_bytes, 0);
}

/* The next packet of a SACK from *at on whose stamp is of this direction: one that holds DATA too is stamped for that.
 */
static uint32_t next_sack(const sctpa_series_making_t *making, unsigned *at)
{
    const sctpa_records_t *sacks = &making->source->direction->sacks;
    for (; *at < sacks->len; ++*at) {
        uint32_t packet = SCTPA_RECORD(sacks, sctpa_sack_record_t, *at).packet;
        bool repeated = *at > 0 && SCTPA_RECORD(sacks, sctpa_sack_record_t, *at - 1).packet == packet;
        if (!repeated && !(sctpa_series_stamp(making, packet)->holds & SCTPA_STAMP_DATA))
            return packet;
    }
    return SCTPA_NO_PACKET_INDEX;
}

void sctpa_series_make_flow(sctpa_series_making_t *making)
{
    unsigned data = 0, sack = 0;
    if (!sctpa_series_is_wanted(making, SCTPA_SERIES_FLIGHT) &&
        !sctpa_series_is_wanted(making, SCTPA_SERIES_PEER_WINDOW))
        return;
    for (;;) {
        uint32_t of_sack = next_sack(making, &sack);
        uint32_t of_data =
            data < making->packets->len ? g_array_index(making->packets, uint32_t, data) : SCTPA_NO_PACKET_INDEX;
        if (of_sack == SCTPA_NO_PACKET_INDEX && of_data == SCTPA_NO_PACKET_INDEX)
            return;
        add_flow(making, MIN(of_data, of_sack));
        sack += of_sack < of_data;
        data += of_data <= of_sack;
    }
}
