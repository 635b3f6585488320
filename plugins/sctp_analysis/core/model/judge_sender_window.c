/* Judges new data against the window of the peer, where nothing is missing and nothing was sent again: then every byte outstanding counts.
 * Leaves out what the receiver announces (judge_window.c). */
#include "judge_sender.h"

enum { OLD_SACKS = 2, BEYOND_BYTES = 3000, TIMES_BEYOND = 3 };

static const int64_t old_ns = 50000000;

void sctpa_sender_note_window(sctpa_case_t *c, sctpa_sender_state_t *state, const sctpa_tlv_t *sack)
{
    sctpa_windows_t **windows = &state->windows[!c->from];
    if (!*windows) {
        *windows = sctpa_arena_alloc(&c->model->arena, sizeof **windows);
        (*windows)->again_to = -1;
    }
    uint32_t at = (*windows)->n++ % SCTPA_WINDOWS_KEPT;
    (*windows)->a_rwnd_bytes[at] = sctpa_tlv_u32(sack, SCTPA_F_SACK_A_RWND);
    (*windows)->packets[at] = c->index;
}

/* The largest window that the sender may still go by: of the SACKs that may not have reached it, and of two that have. False: not known. */
static bool largest_window(const sctpa_case_t *c, const sctpa_windows_t *windows, uint32_t *a_rwnd_bytes, uint32_t *packet)
{
    unsigned n_old = 0;
    *a_rwnd_bytes = 0;
    for (uint32_t i = 1; i <= MIN(windows->n, SCTPA_WINDOWS_KEPT); i++) {
        uint32_t at = (windows->n - i) % SCTPA_WINDOWS_KEPT;
        if (windows->a_rwnd_bytes[at] >= *a_rwnd_bytes) {
            *a_rwnd_bytes = windows->a_rwnd_bytes[at];
            *packet = windows->packets[at];
        }
        n_old += c->packet->time_ns - sctpa_case_time_ns(c, windows->packets[at]) >= old_ns;
        if (n_old == OLD_SACKS)
            return true;
    }
    return false;
}

/* Notes what the packet sends again; how many bytes does it send for the first time? */
static uint64_t new_bytes(const sctpa_case_t *c, sctpa_windows_t *windows)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        int64_t number;
        const sctpa_tsn_t *tsn = sctpa_tlv_is_data(&c->chunks[i]) ?
            sctpa_direction_tsn_in(c->sent, sctpa_tlv_u32(&c->chunks[i], SCTPA_F_DATA_TSN), c->index, &number) : NULL;
        if (tsn && tsn->first_packet == c->index && !(tsn->state & SCTPA_TSN_BEHIND))
            bytes += tsn->bytes;
        else if (tsn)
            windows->again_to = MAX(windows->again_to, number);
    }
    return bytes;
}

/* RFC 9260 6.1: "the data sender MUST NOT transmit new data to any destination transport address if its peer's rwnd indicates that the
 * peer has no buffer space" */
void sctpa_sender_judge_window(sctpa_case_t *c, sctpa_sender_state_t *state)
{
    const sctpa_direction_t *sent = c->sent;
    sctpa_windows_t *windows = state->windows[c->from];
    uint32_t a_rwnd_bytes, packet = SCTPA_NO_PACKET_INDEX;
    if (!windows)
        return;
    uint64_t bytes = new_bytes(c, windows);
    bool is_plain = bytes > 0 && sent->has_cum && sent->cum_tsn >= windows->again_to && (!sent->seldom->gap_ranges || sent->seldom->gap_ranges->len == 0);
    if (!is_plain || sctpa_sender_may_abandon(c) || !largest_window(c, windows, &a_rwnd_bytes, &packet) ||
        !sctpa_may_judge(c, SCTPA_RULE_TX_012, c->from))
        return;
    if (sent->flight_bytes <= a_rwnd_bytes + BEYOND_BYTES + 2 * bytes || windows->beyond_at == windows->n)
        return;
    windows->beyond_at = windows->n;
    if (++windows->beyond >= TIMES_BEYOND)
        sctpa_accuse(c, SCTPA_RULE_TX_012, c->from, c->path, packet, sctpa_words("at most %u bytes outstanding", a_rwnd_bytes).text,
                     sctpa_words("%" G_GUINT64_FORMAT " bytes outstanding, %" G_GUINT64_FORMAT " of them new", sent->flight_bytes,
                                 bytes).text);
}
