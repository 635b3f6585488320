/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the beginnings of PAD parameters. */
#include "init_padding.h"

#include <string.h>

typedef struct {
    sctpa_init_padding_t endpoints[2];
} init_paddings_t;

const sctpa_init_padding_t *sctpa_init_padding(const sctpa_context_t *c, uint8_t endpoint)
{
    const init_paddings_t *kept = sctpa_context_find_part(c, SCTPA_PART_INIT_PADDING);
    return kept && kept->endpoints[endpoint].is_kept ? &kept->endpoints[endpoint] : NULL;
}

void sctpa_init_padding_take(const sctpa_context_t *c)
{
    const sctpa_observed_t *init = sctpa_context_observed(c, SCTPA_CHUNK_ROW_INIT);
    const sctpa_tlv_t *pad =
        init ? sctpa_param_list_find(sctpa_context_params_of(c, init), SCTPA_PARAM_ROW_PADDING) : NULL;
    if (!pad || pad->captured_bytes < SCTPA_PAD_COMPARED_BYTES)
        return;
    init_paddings_t *kept = sctpa_context_part(c, SCTPA_PART_INIT_PADDING, sizeof *kept);
    sctpa_init_padding_t *own = &kept->endpoints[c->from];
    memcpy(own->beginning, pad->bytes, SCTPA_PAD_COMPARED_BYTES);
    own->packet = c->index;
    own->is_kept = true;
}
