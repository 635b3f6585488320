/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "In progress" ends no request: whoever sent it asks again with the same number (RFC 6525 5.2.7), and gets another
 * answer once its peer has the data that the reset waits for (5.2.2). */
#include "in_progress.h"

#include "requests.h"

/* Had the endpoint that answers acknowledged all that the request waits for? Only a reset of outgoing streams waits,
 * for data that its sender had sent before. */
static bool has_all(const sctpa_direction_t *sent, const sctpa_bytes_t *request, uint32_t seq)
{
    sctpa_tlv_t chunk, param;
    sctpa_tlv_iter_t iter;
    if (!sent || !sent->has_cum || request->length == 0 || !sctpa_request_stored_chunk(request, &chunk))
        return false;
    sctpa_params_begin(&iter, &chunk);
    for (unsigned n = 0; n < SCTPA_REQUESTS_OF_CHUNK && sctpa_tlv_next(&iter, &param); n++)
        if (param.type == SCTPA_PARAM_OUTGOING_RESET &&
            sctpa_tlv_u32(&param, SCTPA_F_OUTGOING_RESET_REQUEST_SEQ) == seq)
            return sctpa_direction_unwrap(sent, sctpa_tlv_u32(&param, SCTPA_F_OUTGOING_RESET_LAST_TSN)) <=
                   sent->cum_tsn;
    return false;
}

void sctpa_in_progress_note(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_packet_t *packet, uint32_t seq,
                            bool is_in_progress)
{
    sctpa_requests_t *requests = tracked->sides[asker].rare->requests;
    if (!requests)
        return;
    sctpa_in_progress_t *known = &requests->in_progress;
    if (!is_in_progress || known->seq != seq)
        *known = (sctpa_in_progress_t){ .seq = seq };
    if (!is_in_progress)
        return;
    if (known->answers++ == 0) {
        known->first_frame = packet->frame;
        known->first_ns = packet->time_ns;
    }
    known->last_frame = packet->frame;
    known->last_ns = packet->time_ns;
    known->has_all |= has_all(tracked->sides[asker].sent, &requests->reconfig.params, seq);
}

const sctpa_in_progress_t *sctpa_in_progress_of(const sctpa_tracked_t *tracked, uint8_t asker)
{
    static const sctpa_in_progress_t none;
    const sctpa_requests_t *requests = tracked->sides[asker].rare->requests;
    return requests ? &requests->in_progress : &none;
}
