/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source of an association's ladder: its packets, the data of both endpoints, how far they are from the tap. */
#include "analysis.h"

#include "measure/ladder/ladder_parts.h"
#include "track/flow.h"

sctpa_ladder_t *sctpa_ladder(const sctpa_t *sctpa, uint32_t assoc)
{
    const sctpa_assoc_t *of = sctpa_assoc(sctpa, assoc);
    const sctpa_ladder_source_t source = {
        .tracker = sctpa->tracker,
        .tracked = (const sctpa_tracked_t *)of,
        .sent = { sctpa_direction(sctpa, assoc, 0), sctpa_direction(sctpa, assoc, 1) },
        .n_packets = sctpa_flows_packets(sctpa->tracker, of),
        .last_frame = sctpa_outcome(sctpa, of, 0).last_frame,
        .tap_rtt_ns = { sctpa_tap_rtt_ns(sctpa, assoc, 0), sctpa_tap_rtt_ns(sctpa, assoc, 1) },
        .is_unclear = sctpa_taps(sctpa, assoc) == SCTPA_TAPS_UNCLEAR,
    };
    return sctpa_ladder_make(&source);
}
