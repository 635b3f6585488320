/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows to which paths data goes. */
#include "path_choice.h"

#include "data/t3.h"

typedef struct {
    sctpa_new_data_t new_data;
    sctpa_stray_t stray;
} path_choice_t;

typedef struct {
    path_choice_t of[2]; /* by endpoint */
} path_choices_t;

static const path_choice_t *find(const sctpa_context_t *c)
{
    const path_choices_t *choices = sctpa_context_find_part(c, SCTPA_PART_PATH_CHOICE);
    return choices ? &choices->of[c->from] : NULL;
}

static path_choice_t *make(const sctpa_context_t *c)
{
    path_choices_t *choices = sctpa_context_part(c, SCTPA_PART_PATH_CHOICE, sizeof *choices);
    return &choices->of[c->from];
}

sctpa_new_data_t sctpa_new_data(const sctpa_context_t *c)
{
    if (!sctpa_has_several_paths(c) || (c->facts & (SCTPA_FACT_NEW_DATA | SCTPA_FACT_RTX)) != SCTPA_FACT_NEW_DATA)
        return (sctpa_new_data_t){ .n = 0 };
    const path_choice_t *choice = find(c);
    const sctpa_new_data_t *before = choice ? &choice->new_data : NULL;
    uint32_t rtx = c->sent->rare->rtx.len;
    if (!before || before->n == 0 || before->n >= SCTPA_SPREAD_PACKETS || before->rtx != rtx)
        return (sctpa_new_data_t){ .first_packet = c->index, .rtx = rtx, .path = c->path, .n = 1 };
    return (sctpa_new_data_t){ .first_packet = before->first_packet,
                               .rtx = rtx,
                               .path = c->path,
                               .n = (uint8_t)(before->n + 1),
                               .turns = (uint8_t)(before->turns + (before->path != c->path)) };
}

const sctpa_stray_t *sctpa_stray(const sctpa_context_t *c)
{
    const path_choice_t *choice = find(c);
    return choice && choice->stray.is_last ? &choice->stray : NULL;
}

const sctpa_rtx_t *sctpa_first_rtx(const sctpa_context_t *c)
{
    unsigned i = 0;
    while (c->chunks[i].sent.rtx == 0)
        i++;
    return sctpa_observed_rtx(&c->chunks[i], c->sent);
}

bool sctpa_is_certainly_fast(const sctpa_context_t *c, uint16_t *original)
{
    const sctpa_rtx_t *rtx = sctpa_first_rtx(c);
    *original = sctpa_context_record(c, rtx->previous)->path;
    const sctpa_data_path_t *path = sctpa_direction_known_path(c->sent, *original);
    if (!path || rtx->kind != SCTPA_RTX_FAST || rtx->link.before != 0 || rtx->misses < SCTPA_MISSES_FAST ||
        path->left_ns != INT64_MIN || !c->sent->has_usual_path || c->sent->usual_path != *original)
        return false;
    int64_t now_ns = c->packet->time_ns, sent_ns = sctpa_context_time_ns(c, rtx->previous);
    sctpa_t3_t t3 = sctpa_t3_of(path, now_ns, sctpa_tap_rtt_of(c->tracked, c->from), 0);
    return now_ns - MIN(sent_ns, t3.started_ns) < c->sent->rare->rto_min_ns &&
           path->timeout_packet == SCTPA_NO_PACKET_INDEX && path->unknown_packet == SCTPA_NO_PACKET_INDEX;
}

void sctpa_path_choice_take(const sctpa_context_t *c)
{
    if (!sctpa_has_several_paths(c))
        return;
    sctpa_new_data_t new_data = sctpa_new_data(c);
    uint16_t original;
    if (new_data.n > 0)
        *make(c) = (path_choice_t){ .new_data = new_data };
    else if (c->facts & SCTPA_FACT_RTX && sctpa_is_certainly_fast(c, &original) && sctpa_first_rtx(c)->path != original)
        make(c)->stray = (sctpa_stray_t){ .packet = c->index,
                                          .sent_packet = sctpa_first_rtx(c)->previous,
                                          .path = sctpa_first_rtx(c)->path,
                                          .original = original,
                                          .is_last = true };
}
