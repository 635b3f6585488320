/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows that JSON and tables both show. */
#include "rows.h"

sctpa_handover_row_t sctpa_handover_row(unsigned end, const sctpa_handover_t *handover)
{
    const sctpa_address_request_t *request = handover->request;
    return (sctpa_handover_row_t){ end, handover, request ? request->asked_frame : 0,
                                   request ? request->acked_frame : 0 };
}

static uint32_t frame_of(const sctpa_outage_t *outage)
{
    return outage->potentially_failed.frame > 0 ? outage->potentially_failed.frame
           : outage->left.frame > 0             ? outage->left.frame
           : outage->inactive.frame > 0         ? outage->inactive.frame
                                                : outage->frame;
}

static sctpa_detection_t detection_of(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                                      const sctpa_outage_t *outage)
{
    const uint32_t packet = sctpa_packet_find(view->sctpa, frame_of(outage), 0);
    const int64_t rto_ns = sctpa_rto_before_ns(view->sctpa, assoc->number, (uint8_t)end, outage->path, packet);
    return sctpa_detection_of_idle(outage, sctpa_path_probed(view->sctpa, assoc, end, outage->path),
                                   assoc->ends[end].n_paths, rto_ns);
}

void sctpa_outage_rows(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end, bool with_detection,
                       sctpa_outage_row_fn visit, void *user)
{
    const sctpa_switching_t *switching = assoc->ends[end].rare->switching;
    for (uint32_t i = 0; switching && i < MIN(switching->n_outages, SCTPA_OUTAGES_MAX); i++) {
        const sctpa_outage_t *outage = &switching->outages[i];
        sctpa_outage_row_t row = {
            .end = end, .outage = outage, .frame = frame_of(outage), .least_retrans = sctpa_outage_least_retrans(outage)
        };
        if (with_detection)
            row.detection = detection_of(view, assoc, end, outage);
        visit(user, &row);
    }
}

bool sctpa_tap_delay_row(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end, unsigned path,
                         sctpa_tap_delay_row_t *row)
{
    row->end = end;
    row->path = path;
    return sctpa_tap_delay(view->sctpa, assoc->number, (uint8_t)end, (uint16_t)path, &row->delay);
}
