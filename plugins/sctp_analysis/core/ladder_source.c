/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source of an association's ladder: its packets, the data of both endpoints, how far they are from the tap. */
#include "analysis.h"

#include "measure/ladder/ladder_parts.h"

sctpa_ladder_t *sctpa_ladder(const sctpa_t *sctpa, uint32_t assoc)
{
    const sctpa_assoc_t *of = sctpa_assoc(sctpa, assoc);
    sctpa_counts_copy_t sent[2];
    for (unsigned end = 0; end < 2; end++)
        sctpa_end_counts(sctpa, of, end, &sent[end]);
    const sctpa_ladder_source_t source = {
        .tracker = sctpa->tracker,
        .tracked = (const sctpa_tracked_t *)of,
        .sent = { sctpa_direction(sctpa, assoc, 0), sctpa_direction(sctpa, assoc, 1) },
        .n_packets = sent[0].counts.packets + sent[1].counts.packets,
        .last_frame = sctpa_outcome(sctpa, of, 0).last_frame,
        .tap_rtt_ns = { sctpa_tap_rtt_ns(sctpa, assoc, 0), sctpa_tap_rtt_ns(sctpa, assoc, 1) },
        .is_unclear = sctpa_taps(sctpa, assoc) == SCTPA_TAPS_UNCLEAR,
    };
    return sctpa_ladder_make(&source);
}
