/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must hold of the associations and packets of an analysis whatever the capture held. For fuzz bodies. */
#ifndef TRACKER_CHECK_H
#define TRACKER_CHECK_H

#include <glib.h>

#include "../../plugins/sctp_analysis/core/sctpa.h"
#include "direction_check.h"
#include "measure_check.h"
#include "model_check.h"
#include "series_check.h"

/* Adds the packets of both ends to *counted. */
static inline void check_assoc(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, uint32_t number, uint64_t *counted)
{
    bool is_forgotten = assoc->number == SCTPA_NO_ASSOC;
    g_assert_true(is_forgotten || assoc->number == number);
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_end_t *end = &assoc->ends[e];
        sctpa_counts_copy_t sent;
        uint64_t by_pair = 0;
        for (unsigned i = 0; i < end->n_pairs; i++) {
            const sctpa_pair_t *pair = end->pairs[i];
            g_assert_cmpuint(pair->assoc, ==, number);
            g_assert_cmpuint(pair->from, ==, e);
            g_assert_cmpuint(pair->path, <, end->n_paths);
            sctpa_pair_counts(sctpa, pair, &sent);
            by_pair += sent.counts.packets;
        }
        sctpa_end_counts(sctpa, assoc, e, &sent);
        g_assert_cmpuint(by_pair, ==, sent.counts.packets);
        g_assert_cmpuint(by_pair, <=, assoc->merged_into == SCTPA_NO_ASSOC ? UINT32_MAX : 0);
        *counted += by_pair;
    }
    for (uint8_t e = 0; e < 2; e++)
        if (sctpa_direction(sctpa, number, e))
            check_direction(sctpa_direction(sctpa, number, e));
    for (uint8_t e = 0; e < 2; e++)
        check_series(sctpa, number, e);
    g_assert_cmpuint(assoc->n_events, <=, SCTPA_EVENTS_MAX);
}

/* The numbers of every direction, of all packets and of two halves of them. */
static inline void check_numbers(const sctpa_t *sctpa, uint32_t packets)
{
    sctpa_packets_t halves[2] = { { NULL }, { NULL } };
    for (uint32_t i = 0; i < packets; i++)
        sctpa_packets_add(&halves[i * 2654435761u >> 31], i);
    for (uint32_t i = 0; i < sctpa_assoc_count(sctpa); i++)
        for (uint8_t e = 0; e < 2; e++)
            measure_check(sctpa, i, e, halves);
    sctpa_packets_clear(&halves[0]);
    sctpa_packets_clear(&halves[1]);
}

/* packets: fed so far. Those of associations that were forgotten have none. */
static inline void check_results(const sctpa_t *sctpa, uint32_t packets)
{
    uint64_t counted = 0, labelled = 0, copies = 0, unlabelled = 0;
    sctpa_packet_result_t result;
    uint32_t before = 0, forgotten = 0;

    for (uint32_t i = 0; i < sctpa_assoc_count(sctpa); i++) {
        check_assoc(sctpa, sctpa_assoc(sctpa, i), i, &counted);
        forgotten += sctpa_assoc(sctpa, i)->number == SCTPA_NO_ASSOC;
    }
    for (uint32_t i = 0; packets > 0 && i < sctpa_assoc_count(sctpa); i++)
        check_model(sctpa, i, packets - 1);
    check_marks(sctpa);
    for (uint32_t i = 0; i < packets; i++) {
        g_assert_true(sctpa_packet_result(sctpa, i, &result));
        g_assert_cmpuint(result.frame, >=, before);
        before = result.frame;
        copies += (result.remarks & SCTPA_CAPTURE_UNCOUNTED) != 0;
        unlabelled += result.assoc == SCTPA_NO_ASSOC;
        if (result.assoc == SCTPA_NO_ASSOC)
            continue;
        labelled += !(result.remarks & SCTPA_CAPTURE_UNCOUNTED);
        g_assert_cmpuint(result.assoc, <, sctpa_assoc_count(sctpa));
        const sctpa_assoc_t *assoc = sctpa_assoc(sctpa, result.assoc);
        g_assert_cmpuint(assoc->merged_into, ==, SCTPA_NO_ASSOC);
        g_assert_cmpuint(result.path, <, assoc->ends[result.from].n_paths);
        g_assert_cmpuint(result.pair, <, assoc->ends[result.from].n_pairs);
    }
    if (forgotten == 0) {
        g_assert_cmpuint(unlabelled, ==, sctpa_summary(sctpa)->unlabelled);
        g_assert_cmpuint(counted + copies + unlabelled, ==, packets);
    }
    g_assert_cmpuint(counted, >=, labelled);
    g_assert_false(sctpa_packet_result(sctpa, packets, &result));
}

#endif
