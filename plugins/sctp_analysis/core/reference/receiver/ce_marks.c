/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps congestion marks. */
#include "ce_marks.h"

#include "ce_marks_limits.h"

enum { CONGESTION_EXPERIENCED = 3, ECN_BITS = 3 };

typedef struct {
    sctpa_ce_mark_t towards[2]; /* by endpoint */
} ce_marks_t;

static sctpa_ce_mark_t *waiting(const sctpa_context_t *c)
{
    ce_marks_t *marks = sctpa_context_find_part(c, SCTPA_PART_CE_MARKS);
    return marks && marks->towards[c->from].is_waiting ? &marks->towards[c->from] : NULL;
}

const sctpa_ce_mark_t *sctpa_ce_mark(const sctpa_context_t *c)
{
    return waiting(c);
}

bool sctpa_ce_mark_is_due(const sctpa_context_t *c, const sctpa_ce_mark_t *mark)
{
    return mark->sacks + 1 >= SCTPA_SACKS_WITHOUT_ECHO &&
           c->packet->time_ns - mark->time_ns >= SCTPA_ECHO_DUE_MS * SCTPA_NS_PER_MS;
}

static void take_sack(const sctpa_context_t *c)
{
    sctpa_ce_mark_t *mark = waiting(c);
    if (!mark)
        return;
    if (c->rows & SCTPA_ROW(ECNE) || sctpa_ce_mark_is_due(c, mark))
        mark->is_waiting = false;
    mark->sacks++;
}

static void take_mark(const sctpa_context_t *c)
{
    ce_marks_t *marks = sctpa_context_part(c, SCTPA_PART_CE_MARKS, sizeof *marks);
    sctpa_ce_mark_t *mark = &marks->towards[!c->from];
    if (!mark->is_waiting)
        *mark = (sctpa_ce_mark_t){ .time_ns = c->packet->time_ns, .packet = c->index, .is_waiting = true };
}

void sctpa_ce_marks_take(const sctpa_context_t *c)
{
    if (c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(ECNE)))
        take_sack(c);
    if ((c->packet->tos & ECN_BITS) == CONGESTION_EXPERIENCED && c->facts & SCTPA_FACT_NEW_DATA &&
        sctpa_negotiated(c->assoc, SCTPA_EXTENSION_ECN) == SCTPA_YES)
        take_mark(c);
}
