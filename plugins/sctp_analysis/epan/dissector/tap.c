/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues analysed packets for the listeners of the tap sctp_analysis. */
#include "tap.h"

#include <epan/tap.h>

#include "tap_sctp_analysis.h"

static int tap_id = -1;

void sctpa_tap_register(void)
{
    tap_id = register_tap("sctp_analysis");
}

static void find_events(sctpa_tap_packet_t *tap)
{
    const sctpa_assoc_t *assoc =
        tap->result.assoc == SCTPA_NO_ASSOC ? NULL : sctpa_assoc(tap->analysis, tap->result.assoc);
    if (assoc == NULL)
        return;
    tap->first_event = sctpa_assoc_event_from(assoc, tap->packet->frame);
    tap->n_events = sctpa_assoc_event_from(assoc, tap->packet->frame + 1) - tap->first_event;
}

void sctpa_tap_queue(const sctpa_t *analysis, uint32_t index, const sctpa_packet_t *packet, packet_info *pinfo)
{
    if (!have_tap_listener(tap_id))
        return;
    sctpa_tap_packet_t *tap = wmem_new0(pinfo->pool, sctpa_tap_packet_t);
    sctpa_packet_t *copy = wmem_new(pinfo->pool, sctpa_packet_t);
    *copy = *packet;
    tap->analysis = analysis;
    tap->index = index;
    tap->packet = copy;
    sctpa_packet_result(analysis, index, &tap->result);
    find_events(tap);
    tap_queue_packet(tap_id, pinfo, tap);
}
