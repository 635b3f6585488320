/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows that JSON and other reports both show. */
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

/* --- data channels that one endpoint closed alone --- */

/* Did user data of a data channel pass on the stream, of either endpoint? */
static bool is_channel(const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint16_t stream)
{
    bool is = false;
    for (uint8_t e = 0; e < 2 && !is; e++) {
        GArray *streams = sctpa_streams(view->sctpa, assoc->number, e, NULL);
        for (unsigned i = 0; streams && i < streams->len; i++) {
            const sctpa_stream_t *at = &g_array_index(streams, sctpa_stream_t, i);
            for (unsigned k = 0; at->id == stream && at->ppids && k < at->ppids->len; k++)
                is |= sctpa_ppid_is_of_channel(g_array_index(at->ppids, uint32_t, k));
        }
        if (streams)
            g_array_unref(streams);
    }
    return is;
}

static int64_t last_ns_of(const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end)
{
    sctpa_counts_copy_t sent;
    sctpa_end_counts(view->sctpa, assoc, end, &sent);
    return sent.counts.last_ns;
}

/* An ack of what never passed shows that the capture lacks packets, the one that closes perhaps. */
static bool lacks_packets(const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    bool lacks = false;
    for (uint8_t e = 0; e < 2; e++) {
        const sctpa_direction_t *sent = sctpa_direction(view->sctpa, assoc->number, e);
        lacks |= sent && sctpa_direction_unseen_acked(sent) > 0;
    }
    return lacks;
}

/* How long an endpoint may take to reset its own stream: RFC 8831 6.7 leaves it no choice, so that its request is there
 * at once, or again after one RTO and two more where it was lost; another one for the way. The RTO of its data, as far
 * as that was measured. */
static int64_t patience_ns(const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end)
{
    enum { RTOS = 1 + 2 + 1 };
    const int64_t most_ns = SCTPA_CHANNEL_UNANSWERED_S * SCTPA_NS_PER_S;
    const sctpa_direction_t *sent = sctpa_direction(view->sctpa, assoc->number, end);
    int64_t rto_ns = 0;
    for (uint32_t path = 0; sent && path < sent->paths.len; path++) {
        const sctpa_data_path_t *at = sctpa_direction_known_path(sent, (uint16_t)path);
        rto_ns = MAX(rto_ns, at->rto_ns);
    }
    return rto_ns > 0 ? MIN(RTOS * MAX(rto_ns, SCTPA_RTO_MIN_NS), most_ns) : most_ns;
}

GArray *sctpa_half_closed_channels(const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(sctpa_half_closed_channel_t));
    uint32_t n;
    int64_t last_ns[2], least_ns[2];
    const sctpa_half_closed_t *closed = sctpa_half_closed(assoc, &n);
    if (n == 0 || lacks_packets(view, assoc))
        return found;
    for (uint8_t end = 0; end < 2; end++) {
        last_ns[end] = last_ns_of(view, assoc, end);
        least_ns[end] = patience_ns(view, assoc, end);
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t silent = !closed[i].by;
        const sctpa_half_closed_channel_t channel = { closed[i], last_ns[silent] };
        if (closed[i].frame > 0 && last_ns[silent] - closed[i].time_ns >= least_ns[silent] &&
            is_channel(view, assoc, closed[i].stream))
            g_array_append_val(found, channel);
    }
    return found;
}

const char *sctpa_handover_word(const sctpa_handover_t *handover)
{
    static const char *const words[] = {
        [SCTPA_ADDRESS_ADD] = "add", [SCTPA_ADDRESS_DELETE] = "delete", [SCTPA_ADDRESS_PRIMARY] = "primary"
    };
    if (handover->failover)
        return "failover";
    return handover->request ? words[handover->request->kind] : NULL;
}

sctpa_counts_t *sctpa_paths_counts(const sctpa_selection_t *selection, const sctpa_assoc_t *assoc, unsigned end,
                                   unsigned *n)
{
    const sctpa_end_t *endpoint = &assoc->ends[end];
    sctpa_counts_t *counts;

    *n = endpoint->n_paths;
    counts = g_new0(sctpa_counts_t, MAX(*n, 1));
    for (unsigned i = 0; i < endpoint->n_pairs; i++) {
        const sctpa_pair_t *pair = endpoint->pairs[i];
        if (pair->path < *n)
            sctpa_counts_merge(&counts[pair->path], sctpa_selection_arena(selection),
                               sctpa_selection_pair(selection, assoc, end, i));
    }
    return counts;
}
