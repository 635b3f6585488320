/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an endpoint announced in earlier INITs and INIT ACKs of one set-up, each with another tag. A responder keeps
 * nothing (RFC 9260 5.1.3), so it answers each INIT anew, and the cookie that is echoed decides; in a collision the
 * INIT of an endpoint has another tag than its INIT ACK before, and one of both attempts is discarded (5.2.4 C). So the
 * tag by which its peer calls an endpoint says which of its announcements is true. */
#include "feed_parts.h"
#include "track/endpoints.h"
#include "track/lookup.h"

enum { ANNOUNCEMENTS_MAX = 16 /* of both endpoints: twice the INITs that Max.Init.Retransmits recommends */ };

static void key_vector_free(sctpa_arena_t *arena, const sctpa_bytes_t *vector)
{
    if (!vector)
        return;
    sctpa_arena_free(arena, vector->data, vector->length);
    sctpa_arena_free(arena, (sctpa_bytes_t *)vector, sizeof *vector);
}

void sctpa_announcement_keep(sctpa_tracked_t *tracked, uint8_t from, uint32_t tag)
{
    sctpa_end_t *end = &tracked->assoc.ends[from];
    const uint32_t n = tracked->rare->n_announcements;
    if (!end->init.seen || !end->has_vtag || end->vtag == tag || n == ANNOUNCEMENTS_MAX)
        return;
    sctpa_tracked_rare_t *rare = sctpa_tracked_rare(tracked);
    rare->announcements = sctpa_arena_grow(tracked->arena, rare->announcements, n, sizeof *rare->announcements);
    rare->announcements[rare->n_announcements++] =
        (sctpa_announcement_before_t){ end->init, end->key_vector, end->vtag, from };
    end->key_vector = NULL;
}

static sctpa_announcement_before_t *find(const sctpa_tracked_t *tracked, uint8_t end, uint32_t tag)
{
    for (uint32_t i = 0; i < tracked->rare->n_announcements; i++)
        if (tracked->rare->announcements[i].end == end && tracked->rare->announcements[i].tag == tag)
            return &tracked->rare->announcements[i];
    return NULL;
}

void sctpa_announcement_choose(sctpa_tracked_t *tracked, uint8_t e, uint32_t tag)
{
    sctpa_end_t *end = &tracked->assoc.ends[e];
    sctpa_announcement_before_t *chosen = end->has_vtag && end->vtag == tag ? NULL : find(tracked, e, tag);
    if (chosen) {
        const sctpa_announcement_before_t other = { end->init, end->key_vector, end->vtag, e };
        end->init = chosen->init;
        end->key_vector = chosen->key_vector;
        *chosen = other;
        sctpa_dispatch_announced(tracked, e, end->init.initial_tsn, end->init.a_rwnd_bytes);
    }
    sctpa_end_set_tag(tracked, e, tag);
}

void sctpa_announcement_settle(sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    const uint64_t others = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(ABORT) |
                            SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ERROR);
    if (tracked->rare->n_announcements > 0 && !(input->observation->rows & others) && find(tracked, !from, input->vtag))
        sctpa_announcement_choose(tracked, !from, input->vtag);
}

void sctpa_announcements_free(sctpa_tracked_t *tracked)
{
    const sctpa_tracked_rare_t *rare = tracked->rare;
    for (uint32_t i = 0; i < rare->n_announcements; i++)
        key_vector_free(tracked->arena, rare->announcements[i].key_vector);
    sctpa_arena_free_grown(tracked->arena, rare->announcements, rare->n_announcements, sizeof *rare->announcements);
    for (uint8_t e = 0; e < 2; e++)
        key_vector_free(tracked->arena, tracked->assoc.ends[e].key_vector);
}
