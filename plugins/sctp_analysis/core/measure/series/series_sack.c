/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series of what was acknowledged: SACKs with their gap blocks and windows, round trips, RTOs, waits. */
#include "base/serial.h"
#include "measure/user_messages.h"
#include "series_parts.h"

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

bool sctpa_sack_reading_is_new(sctpa_sack_reading_t *reading, const sctpa_direction_t *direction,
                               const sctpa_sack_record_t *sack)
{
    reading->near += sctpa_serial_distance(sctpa_direction_serial(direction, reading->near), sack->cum_tsn);
    return !is_old(reading, direction->highest);
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
    sctpa_sack_reading_t reading = { .near = -1 };
    unsigned duplicates = 0;
    if (!(making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_SACKS)))
        return;
    for (unsigned i = 0; i < direction->sacks.len; i++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, i);
        uint16_t path = making->source->path(making->source, sack->packet);
        if (sctpa_sack_reading_is_new(&reading, direction, sack))
            sctpa_series_add(making, SCTPA_SERIES_CUM_ACK, sack->packet, path, reading.near, 0);
        add_gaps(making, i, reading.near, path);
        add_duplicates(making, &duplicates, sack->packet, reading.near, path);
        sctpa_series_add(making, SCTPA_SERIES_A_RWND, sack->packet, path, sack->a_rwnd_bytes, 0);
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
    for (unsigned i = 0; sctpa_series_is_wanted(making, SCTPA_SERIES_HEARTBEAT_LOST) && i < heartbeats->len; i++) {
        const sctpa_heartbeat_t *one = &SCTPA_RECORD(heartbeats, sctpa_heartbeat_t, i), *next;
        if (one->answer_packet == SCTPA_NO_PACKET_INDEX && (next = next_heartbeat(heartbeats, i)))
            sctpa_series_add(
                making, SCTPA_SERIES_HEARTBEAT_LOST, one->packet, one->path,
                sctpa_direction_time_ns(direction, next->packet) - sctpa_direction_time_ns(direction, one->packet), 0);
    }
}

void sctpa_series_make_samples(sctpa_series_making_t *making)
{
    const sctpa_direction_t *direction = making->source->direction;
    add_lost_heartbeats(making);
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

static void add_message(void *user, const sctpa_user_message_t *message)
{
    const sctpa_series_making_t *making = user;
    if (!sctpa_series_takes_stream(making, message->stream))
        return;
    if (message->has_wait)
        sctpa_series_add(making, SCTPA_SERIES_HOL_DELAY, message->wait_ack,
                         making->source->path(making->source, message->wait_ack), message->delay_least_ns,
                         message->stream);
    if (message->fate == SCTPA_FATE_ACKED)
        sctpa_series_add(making, SCTPA_SERIES_MESSAGE_DELAY, message->ack,
                         making->source->path(making->source, message->ack), message->ack_ns, message->stream);
}

void sctpa_series_make_waits(sctpa_series_making_t *making)
{
    if (making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_WAITS) && !making->source->data_only)
        sctpa_user_messages_each(making->source->direction, making->source->at_receiver,
                                 making->source->receiver_ahead_ns, add_message, making);
}
