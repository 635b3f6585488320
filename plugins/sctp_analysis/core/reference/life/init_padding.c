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
    const sctpa_tlv_t *init = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_INIT);
    sctpa_tlv_t pad;
    if (!init || !sctpa_param_find(init, SCTPA_PARAM_PADDING, &pad) || pad.captured_bytes < SCTPA_PAD_COMPARED_BYTES)
        return;
    init_paddings_t *kept = sctpa_context_part(c, SCTPA_PART_INIT_PADDING, sizeof *kept);
    sctpa_init_padding_t *own = &kept->endpoints[c->from];
    memcpy(own->beginning, pad.bytes, SCTPA_PAD_COMPARED_BYTES);
    own->packet = c->index;
    own->is_kept = true;
}
