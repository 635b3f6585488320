/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows strays. */
#include "wrong_tags.h"

#include "reference/requests/paths.h"
#include "track/identity/half_matching.h"

typedef struct {
    sctpa_wrong_tags_t endpoints[2];
} wrong_tags_t;

const sctpa_wrong_tags_t *sctpa_wrong_tags(const sctpa_context_t *c, uint8_t endpoint)
{
    const wrong_tags_t *kept = sctpa_context_find_part(c, SCTPA_PART_WRONG_TAGS);
    return kept ? &kept->endpoints[endpoint] : NULL;
}

bool sctpa_wrong_tags_are_own(const sctpa_context_t *c, const sctpa_wrong_tags_t *wrong)
{
    return wrong->has_fitting ||
           sctpa_tap_sent_all(&c->reference->tap, c->from, wrong->before_packet, c->index) == SCTPA_YES;
}

/* Does the packet answer the last HEARTBEAT in a stray of its receiver, and no other? */
static bool answers(const sctpa_context_t *c, const sctpa_wrong_tags_t *wrong)
{
    const sctpa_tlv_t *answer = wrong->heartbeat ? sctpa_context_chunk(c, SCTPA_CHUNK_ROW_HEARTBEAT_ACK) : NULL;
    return answer && sctpa_heartbeat_hash(c->tracker, answer) == wrong->heartbeat &&
           !sctpa_heartbeats_answered(c, answer);
}

/* The next TSN of the sender, or one that is outstanding; a cum_tsn of what its peer has outstanding, or the last. */
static bool fits(const sctpa_context_t *c)
{
    if (c->first_data && c->sent && c->sent->highest >= 0) {
        int64_t tsn = sctpa_context_unwrap(c->sent, sctpa_tlv_u32(&c->first_data->tlv, SCTPA_F_DATA_TSN));
        return tsn > c->sent->cum_tsn && tsn <= c->sent->highest + 1;
    }
    if (c->first_sack && c->acked && c->acked->highest >= 0) {
        int64_t cum_tsn = sctpa_context_unwrap(c->acked, c->sack.cum_tsn);
        return cum_tsn >= c->acked->cum_tsn && cum_tsn <= c->acked->highest;
    }
    return false;
}

static void take_stray(const sctpa_context_t *c, sctpa_wrong_tags_t *wrong)
{
    const sctpa_tlv_t *heartbeat = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_HEARTBEAT);
    if (sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT))
        return;
    if (wrong->strays++ == 0) {
        wrong->before_packet = c->reference->tap.ip_ids[c->from].last_packet;
        wrong->has_fitting = false;
    }
    wrong->last_packet = c->index;
    wrong->last_tag = sctpa_context_vtag(c);
    wrong->has_fitting |= fits(c);
    if (!heartbeat)
        return;
    wrong->heartbeat = sctpa_heartbeat_hash(c->tracker, heartbeat);
    wrong->heartbeat_packet = c->index;
    wrong->heartbeat_before = wrong->before_packet;
    wrong->heartbeat_tag = wrong->last_tag;
}

static void take_answer(const sctpa_context_t *c, sctpa_wrong_tags_t *wrong)
{
    if (!answers(c, wrong))
        return;
    wrong->is_answered = true;
    wrong->answer_packet = c->index;
}

void sctpa_wrong_tags_take(const sctpa_context_t *c)
{
    if (!c->is_stray && !sctpa_context_find_part(c, SCTPA_PART_WRONG_TAGS))
        return;
    wrong_tags_t *kept = sctpa_context_part(c, SCTPA_PART_WRONG_TAGS, sizeof *kept);
    if (!c->is_stray) {
        kept->endpoints[c->from].strays = 0;
        kept->endpoints[c->from].is_answered = false;
        take_answer(c, &kept->endpoints[!c->from]);
    } else if (sctpa_context_is_verified(c))
        take_stray(c, &kept->endpoints[c->from]);
}
