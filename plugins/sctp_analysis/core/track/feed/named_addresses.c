/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares what Linux says of its peer's address with what the packet says. */
#include "named_addresses.h"

#include "track/endpoints.h"
#include "wire/linux_contents.h"

void sctpa_named_address_note(sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                              const sctpa_observed_t *observed)
{
    const sctpa_addr_t *destination = &input->packet->destination;
    const sctpa_param_list_t *params = sctpa_observed_params(input->observation, observed);
    bool is_heartbeat = observed->tlv.type == SCTPA_CHUNK_HEARTBEAT;
    const sctpa_tlv_t *contents =
        sctpa_param_list_find(params, is_heartbeat ? SCTPA_PARAM_ROW_HEARTBEAT_INFO : SCTPA_PARAM_ROW_STATE_COOKIE);
    sctpa_addr_t named;
    if (!contents || destination->bytes == 0)
        return;
    uint32_t own_tag = is_heartbeat ? 0 : sctpa_tlv_u32(&observed->tlv, SCTPA_F_INIT_TAG);
    bool is_named = is_heartbeat ? sctpa_linux_heartbeat_address(contents, input->destination_port, &named)
                                 : sctpa_linux_cookie_address(contents, own_tag, input->vtag, &named);
    /* Else the packet went elsewhere than its sender's stack says, as a fault of the sender may have it. */
    bool is_used = is_named && sctpa_end_addr_origin(&tracked->assoc.ends[!from], &named) &
                                   (SCTPA_ADDR_SOURCE | SCTPA_ADDR_DESTINATION);
    if (is_named && !is_used)
        sctpa_end_add_addr(tracked, !from, destination, SCTPA_ADDR_RENAMED);
}
