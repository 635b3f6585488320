/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must hold of the numbers of every direction whatever a capture contains: they agree with each other, with the
 * records, and those of two halves of the packets add up to the whole. For fuzz bodies. */
#ifndef MEASURE_CHECK_H
#define MEASURE_CHECK_H

#include <glib.h>

#include "../../plugins/sctp_analysis/core/sctpa.h"

/* Numbers that add up over disjoint selections. */
typedef struct {
    uint64_t transmissions, tsns, messages, user_bytes, carried_bytes, rtx, spurious, resent_unseen, abandoned_tsns,
        reneged_tsns;
    uint64_t data_packets, data_wire_bytes, rtts, heartbeat_rtts;
} measure_sum_t;

enum { MEASURE_SUMS = sizeof(measure_sum_t) / sizeof(uint64_t) };

static inline measure_sum_t measure_sum_of(const sctpa_sent_t *sent)
{
    return (measure_sum_t){ sent->transmissions,  sent->tsns,
                            sent->messages,       sent->user_bytes,
                            sent->carried_bytes,  sctpa_sent_rtx(sent),
                            sent->spurious,       sent->resent_unseen,
                            sent->abandoned_tsns, sent->reneged_tsns,
                            sent->data_packets,   sent->data_wire_bytes,
                            sent->rtt.samples,    sent->heartbeat_rtt.samples };
}

static inline void measure_sum_add(measure_sum_t *sum, const sctpa_sent_t *sent)
{
    measure_sum_t more = measure_sum_of(sent);
    for (unsigned i = 0; i < MEASURE_SUMS; i++)
        ((uint64_t *)(void *)sum)[i] += ((const uint64_t *)(const void *)&more)[i];
}

static inline void check_spread(const sctpa_percentiles_t *spread)
{
    if (spread->samples == 0)
        return;
    g_assert_cmpint(spread->min_ns, <=, spread->median_ns);
    g_assert_cmpint(spread->median_ns, <=, spread->p95_ns);
    g_assert_cmpint(spread->p95_ns, <=, spread->max_ns);
}

static inline void check_paths_add_up(const sctpa_measure_t *measure)
{
    measure_sum_t all = measure_sum_of(&measure->all), sum = { 0 };
    for (unsigned i = 0; i < measure->paths->len; i++)
        measure_sum_add(&sum, &g_array_index(measure->paths, sctpa_sent_t, i));
    g_assert_cmpmem(&all, sizeof all, &sum, sizeof sum);
}

static inline void check_streams(const sctpa_sent_t *all, GArray *streams)
{
    uint64_t chunks = 0, messages = 0, user_bytes = 0;
    for (unsigned i = 0; i < streams->len; i++) {
        const sctpa_stream_t *stream = &g_array_index(streams, sctpa_stream_t, i);
        chunks += stream->chunks;
        messages += stream->messages;
        user_bytes += stream->user_bytes;
        check_spread(&stream->hol_delay);
        check_spread(&stream->hol_delay_most);
        g_assert_cmpint(stream->hol_delay.max_ns, <=, stream->hol_delay_most.max_ns);
        g_assert_true(stream->hol_delay.samples == 0 || stream->hol_delay.min_ns >= 0);
    }
    g_assert_cmpuint(chunks, ==, all->transmissions);
    g_assert_cmpuint(messages, ==, all->messages);
    g_assert_cmpuint(user_bytes, ==, all->user_bytes);
    g_array_unref(streams);
}

static inline void check_halves(const sctpa_t *sctpa, uint32_t number, uint8_t end, const sctpa_packets_t halves[2],
                                const sctpa_measure_t *whole)
{
    measure_sum_t all = measure_sum_of(&whole->all), sum = { 0 };
    uint64_t zero_windows = 0, sack_delays = 0;
    for (unsigned half = 0; half < 2; half++) {
        sctpa_measure_t *part = sctpa_measure(sctpa, number, end, &halves[half]);
        check_paths_add_up(part);
        check_streams(&part->all, sctpa_streams(sctpa, number, end, &halves[half]));
        measure_sum_add(&sum, &part->all);
        zero_windows += part->zero_windows;
        sack_delays += part->sack_delay.samples;
        g_assert_cmpint(part->span_ns, ==, whole->span_ns);
        sctpa_measure_free(part);
    }
    g_assert_cmpmem(&all, sizeof all, &sum, sizeof sum);
    g_assert_cmpuint(zero_windows, ==, whole->zero_windows);
    g_assert_cmpuint(sack_delays, ==, whole->sack_delay.samples);
}

/* Transmissions after the first that are not of another message. */
static inline uint64_t count_retransmissions(const sctpa_direction_t *direction)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < direction->rare->rtx.len; i++)
        n += !SCTPA_RECORD(&direction->rare->rtx, sctpa_rtx_t, i).is_other_message;
    return n;
}

/* halves: two disjoint sets that hold all packets. */
static inline void measure_check(const sctpa_t *sctpa, uint32_t number, uint8_t end, const sctpa_packets_t halves[2])
{
    const sctpa_direction_t *direction = sctpa_direction(sctpa, number, end);
    sctpa_measure_t *measure = sctpa_measure(sctpa, number, end, NULL);
    const sctpa_sent_t *all = &measure->all;
    uint64_t rtx = sctpa_sent_rtx(all);
    g_assert_cmpuint(all->tsns, ==, direction ? direction->tsns : 0);
    g_assert_cmpuint(rtx + all->doubled, ==, direction ? count_retransmissions(direction) : 0);
    g_assert_cmpuint(all->transmissions + all->doubled, ==, all->tsns + (direction ? direction->rare->rtx.len : 0));
    g_assert_cmpuint(all->data_packets, <=, all->transmissions + all->doubled);
    g_assert_cmpuint(all->spurious, <=, rtx);
    g_assert_cmpuint(all->messages, <=, all->tsns);
    check_spread(&all->rtt);
    check_spread(&measure->sack_delay);
    check_paths_add_up(measure);
    check_streams(all, sctpa_streams(sctpa, number, end, NULL));
    check_halves(sctpa, number, end, halves, measure);
    sctpa_measure_free(measure);
}

#endif
