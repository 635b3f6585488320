/* Judges new data against the window of the peer, where nothing is missing and nothing was sent again: then every byte
 * outstanding counts. Leaves out what the receiver announces (check_window.c). */
#include "check_sender.h"

enum { SACKS_LOOKED_AT = 8 };

static sctpa_beyond_t *beyond_of(const sctpa_context_t *c, sctpa_sender_state_t *state)
{
    sctpa_beyond_t **beyond = &state->beyond[c->from];
    if (!*beyond) {
        *beyond = sctpa_arena_alloc(&c->store->arena, sizeof **beyond);
        (*beyond)->again_to = -1;
    }
    return *beyond;
}

/* The largest window that the sender may still go by: of the SACKs that may not have reached it, and of the last that
 * have. False: not known. */
static bool largest_window(const sctpa_context_t *c, uint32_t *a_rwnd_bytes, uint32_t *packet)
{
    const sctpa_records_t *sacks = &c->sent->sacks;
    unsigned n_old = 0;
    *a_rwnd_bytes = 0;
    for (uint32_t i = 1; i <= MIN(sacks->len, SACKS_LOOKED_AT); i++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, sacks->len - i);
        if (sack->a_rwnd_bytes >= *a_rwnd_bytes) {
            *a_rwnd_bytes = sack->a_rwnd_bytes;
            *packet = sack->packet;
        }
        n_old += c->packet->time_ns - sctpa_context_time_ns(c, sack->packet) >= SCTPA_SACK_OLD_MS * SCTPA_NS_PER_MS;
        if (n_old == SCTPA_SACKS_OLD)
            return true;
    }
    return false;
}

static void note_again(sctpa_beyond_t *beyond, int64_t number)
{
    beyond->again_to = MAX(beyond->again_to, number);
}

/* Notes what the packet sends again; how many bytes does it send for the first time? */
static uint64_t new_bytes(const sctpa_context_t *c, sctpa_sender_state_t *state)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tsn_t *tsn = c->chunks[i].sent.tsn;
        if (sctpa_observed_is_new(&c->chunks[i]) && !(tsn->state & SCTPA_TSN_BEHIND))
            bytes += tsn->bytes;
        else if (tsn)
            note_again(beyond_of(c, state), c->chunks[i].sent.number);
    }
    return bytes;
}

/* RFC 9260 6.1: "the data sender MUST NOT transmit new data to any destination transport address if its peer's rwnd
 * indicates that the peer has no buffer space" */
void sctpa_sender_check_window(sctpa_context_t *c, sctpa_sender_state_t *state)
{
    const sctpa_direction_t *sent = c->sent;
    uint32_t a_rwnd_bytes, packet = SCTPA_NO_PACKET_INDEX;
    if (sent->sacks.len == 0)
        return;
    uint64_t bytes = new_bytes(c, state);
    int64_t again_to = state->beyond[c->from] ? state->beyond[c->from]->again_to : -1;
    bool is_plain = bytes > 0 && sent->has_cum && sent->cum_tsn >= again_to && !sctpa_direction_has_gaps(sent);
    if (!is_plain || sctpa_context_may_abandon(c) || !largest_window(c, &a_rwnd_bytes, &packet) ||
        !sctpa_may_judge(c, SCTPA_RULE_TX_012, c->from))
        return;
    if (sent->flight_bytes <= (uint64_t)a_rwnd_bytes + SCTPA_BEYOND_BYTES + SCTPA_BEYOND_PACKETS * bytes)
        return;
    sctpa_beyond_t *beyond = beyond_of(c, state);
    if (beyond->sacks == sent->sacks.len)
        return;
    beyond->sacks = sent->sacks.len;
    if (++beyond->times >= SCTPA_BEYOND_REPORTED)
        sctpa_accuse(c, SCTPA_RULE_TX_012, c->from, c->path, packet,
                     SCTPA_WORDS("at most %u bytes outstanding", a_rwnd_bytes),
                     SCTPA_WORDS("%" G_GUINT64_FORMAT " bytes outstanding, %" G_GUINT64_FORMAT " of them new",
                                 sent->flight_bytes, bytes));
}
