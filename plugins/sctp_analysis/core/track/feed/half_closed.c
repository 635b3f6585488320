/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps a short list; what does not fit in it makes the association one of which nothing is said. */
#include "half_closed.h"

#include "base/bytes.h"
#include "track/endpoints.h"

/* 1.5 kB of an association that resets streams. */
struct sctpa_half_closed_list {
    sctpa_half_closed_t streams[SCTPA_HALF_CLOSED_MAX];
    uint32_t n;
    bool is_unknown; /* more were reset than fit in the list */
};

static struct sctpa_half_closed_list *list_of(sctpa_tracked_t *tracked)
{
    sctpa_tracked_rare_t *rare = sctpa_tracked_rare(tracked);
    if (!rare->half_closed)
        rare->half_closed = sctpa_arena_alloc(tracked->arena, sizeof *rare->half_closed);
    return rare->half_closed;
}

static sctpa_half_closed_t *find(struct sctpa_half_closed_list *list, uint16_t stream)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->streams[i].stream == stream)
            return &list->streams[i];
    return NULL;
}

static void ask_for(struct sctpa_half_closed_list *list, uint8_t asker, uint16_t stream)
{
    sctpa_half_closed_t *known = find(list, stream);
    if (known && known->by == asker)
        return;
    if (known)
        *known = list->streams[--list->n];
    else if (list->n < SCTPA_HALF_CLOSED_MAX)
        list->streams[list->n++] = (sctpa_half_closed_t){ .stream = stream, .by = asker };
    else
        list->is_unknown = true;
}

uint32_t sctpa_reset_streams(const sctpa_tlv_t *param)
{
    const uint32_t fixed_bytes = param->row->fixed_bytes;
    return param->captured_bytes > fixed_bytes ? (param->captured_bytes - fixed_bytes) / 2 : 0;
}

uint16_t sctpa_reset_stream(const sctpa_tlv_t *param, uint32_t nth)
{
    return sctpa_be16(param->bytes + param->row->fixed_bytes + 2 * (size_t)nth);
}

/* A request without a list is one for all streams. */
static bool is_followed(const sctpa_tlv_t *param, uint32_t *left)
{
    const uint32_t n = sctpa_reset_streams(param);
    if (n == 0 || n > *left || param->captured_bytes < param->wire_bytes)
        return false;
    *left -= n;
    return true;
}

void sctpa_half_closed_ask(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_tlv_t *chunk)
{
    uint32_t left = SCTPA_HALF_CLOSED_MAX;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, &param)) {
        if (param.type != SCTPA_PARAM_OUTGOING_RESET)
            continue;
        struct sctpa_half_closed_list *list = list_of(tracked);
        list->is_unknown |= !is_followed(&param, &left);
        for (uint32_t i = 0; !list->is_unknown && i < sctpa_reset_streams(&param); i++)
            ask_for(list, asker, sctpa_reset_stream(&param, i));
    }
}

void sctpa_half_closed_grant(sctpa_tracked_t *tracked, uint8_t asker, const sctpa_packet_t *packet,
                             const sctpa_tlv_t *param)
{
    struct sctpa_half_closed_list *list = list_of(tracked);
    for (uint32_t i = 0; !list->is_unknown && i < MIN(sctpa_reset_streams(param), SCTPA_HALF_CLOSED_MAX); i++) {
        sctpa_half_closed_t *known = find(list, sctpa_reset_stream(param, i));
        if (!known || known->by != asker)
            continue;
        known->frame = packet->frame;
        known->time_ns = packet->time_ns;
    }
}

const sctpa_half_closed_t *sctpa_half_closed_of(const sctpa_tracked_t *tracked, uint32_t *n)
{
    const struct sctpa_half_closed_list *list = tracked->rare->half_closed;
    *n = list && !list->is_unknown && tracked->reshaped == 0 ? list->n : 0;
    return list ? list->streams : NULL;
}

void sctpa_half_closed_free(sctpa_tracked_t *tracked)
{
    sctpa_arena_free(tracked->arena, tracked->rare->half_closed, sizeof *tracked->rare->half_closed);
}
