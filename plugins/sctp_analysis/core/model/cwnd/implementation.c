/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps which implementation each endpoint seems to be. */
#include "implementation.h"

#include "sender_family.h"

typedef struct {
    sctpa_likeness_t endpoints[2];
} implementations_t;

static const uint8_t senders[SCTPA_STACKS] = {
#define SCTPA_STACK(id, name, init, init_ack, needed, chunks, cookie, cookie_is, outbound, inbound, a_rwnd_bytes, \
                    sender, precedes_t3) \
    [SCTPA_STACK_##id] = SCTPA_MEMBER_##sender,
#include "model/stacks.def"
};

void sctpa_implementation_take(const sctpa_context_t *c)
{
    const sctpa_observed_t *init = sctpa_context_observed(c, SCTPA_CHUNK_ROW_INIT),
                           *chunk = init ? init : sctpa_context_observed(c, SCTPA_CHUNK_ROW_INIT_ACK);
    implementations_t *kept = sctpa_context_part(c, SCTPA_PART_STACK, sizeof *kept);
    sctpa_likeness_t likeness = sctpa_fingerprint(&chunk->tlv, sctpa_context_params_of(c, chunk), c->index);
    if (sctpa_likeness_is_better(likeness, kept->endpoints[c->from]))
        kept->endpoints[c->from] = likeness;
}

sctpa_stack_t sctpa_implementation(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked,
                                   uint8_t endpoint)
{
    const implementations_t *kept = sctpa_reference_find(store, tracked, SCTPA_PART_STACK);
    if (!kept || kept->endpoints[endpoint].stack == 0)
        return (sctpa_stack_t){ NULL, 0, SCTPA_NO_PACKET_INDEX };
    const sctpa_likeness_t *likeness = &kept->endpoints[endpoint];
    return (sctpa_stack_t){ sctpa_stack_name((sctpa_stack_number_t)(likeness->stack - 1)), likeness->marks,
                            likeness->packet };
}

uint8_t sctpa_implementation_sender(const sctpa_context_t *c, uint8_t endpoint)
{
    const implementations_t *kept = sctpa_context_find_part(c, SCTPA_PART_STACK);
    uint8_t stack = kept ? kept->endpoints[endpoint].stack : 0;
    return stack > 0 ? senders[stack - 1] : SCTPA_MEMBER_UNKNOWN;
}
