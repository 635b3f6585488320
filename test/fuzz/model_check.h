/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must hold of findings, verdicts, states and stacks, whatever a capture held. */
#ifndef MODEL_CHECK_H
#define MODEL_CHECK_H

#include <glib.h>

#include "../../plugins/sctp_analysis/core/sctpa.h"

static inline void check_finding(const sctpa_t *sctpa, uint32_t assoc, const sctpa_finding_t *finding)
{
    const sctpa_rule_info_t *info = sctpa_rule_info(finding->rule);
    g_assert_cmpuint(finding->accused, <, 2);
    g_assert_cmpuint(finding->count, >, 0);
    g_assert_cmpuint(finding->n_packets, >, 0);
    g_assert_cmpuint(finding->level, >=, info->level);
    g_assert_true(finding->expected && *finding->expected && finding->seen && *finding->seen);
    g_assert_true(sctpa_has_judged(sctpa, assoc, finding->accused, finding->rule));
    for (unsigned i = 0; i < finding->n_packets; i++)
        g_assert_cmpuint(sctpa_packet_frame(sctpa, finding->packets[i]), >, 0);
}

/* The interval of the reference sender holds its best fit, after some packets. */
static inline void check_intervals(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint32_t last_packet)
{
    uint32_t step = last_packet / 16 + 1;
    for (uint16_t path = 0; path < sctpa_assoc(sctpa, assoc)->ends[end].n_paths; path++)
        for (uint32_t packet = last_packet % step; packet <= last_packet; packet += step) {
            sctpa_congestion_t congestion;
            if (!sctpa_congestion(sctpa, assoc, end, path, packet, &congestion))
                continue;
            g_assert_cmpuint(congestion.cwnd_min, <=, congestion.cwnd);
            g_assert_cmpuint(congestion.cwnd, <=, congestion.cwnd_max);
            g_assert_cmpuint(congestion.unit_bytes, >, 0);
        }
}

/* A finding per rule and end at most; verdicts as their findings say; an end is always in some state. */
static inline void check_model(const sctpa_t *sctpa, uint32_t assoc, uint32_t last_packet)
{
    sctpa_finding_counts_t counts[2] = { { { 0 }, { 0 } }, { { 0 }, { 0 } } };
    for (const sctpa_finding_t *f = sctpa_finding_first(sctpa, assoc); f; f = sctpa_finding_next(sctpa, assoc, f)) {
        check_finding(sctpa, assoc, f);
        g_assert_cmpuint(f->certainty, <, SCTPA_CERTAINTIES);
        sctpa_finding_counts_add(&counts[f->accused], f);
        for (const sctpa_finding_t *g = sctpa_finding_next(sctpa, assoc, f); g; g = sctpa_finding_next(sctpa, assoc, g))
            g_assert_true(g->rule != f->rule || g->accused != f->accused);
    }
    for (uint8_t end = 0; end < 2; end++) {
        sctpa_judgement_t judgement = sctpa_judgement(sctpa, assoc, end);
        g_assert_cmpmem(&judgement.findings, sizeof judgement.findings, &counts[end], sizeof counts[end]);
        if (judgement.verdict != SCTPA_VERDICT_NOT_JUDGED)
            g_assert_true((judgement.verdict == SCTPA_VERDICT_DEVIATES) == (counts[end].levels[SCTPA_LEVEL_MUST] > 0));
        g_assert_cmpuint(sctpa_states(sctpa, assoc, end, last_packet), !=, 0);
        check_intervals(sctpa, assoc, end, last_packet);
        sctpa_stack(sctpa, assoc, end);
    }
}

/* Marks ascend, and each packet's findings can be asked for. */
static inline void check_marks(const sctpa_t *sctpa)
{
    uint32_t n;
    const sctpa_mark_t *marks = sctpa_marks(sctpa, &n);
    for (uint32_t i = 0; i < n; i++) {
        g_assert_true(i == 0 || marks[i - 1].packet <= marks[i].packet);
        sctpa_packet_finding(sctpa, marks[i].packet, 0);
    }
}

#endif
