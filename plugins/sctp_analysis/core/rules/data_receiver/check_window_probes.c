/* Judges what senders make of a closed window: whether they probe it, and bear with it. Leaves the window itself to
 * check_window.c. */
#include "check_window.h"

/* The last fragment that was sent, when it does not end its message: the sender has more to send. NULL: it does. */
static const sctpa_tsn_t *last_fragment(const sctpa_direction_t *sent)
{
    const sctpa_tsn_t *last = sent && sent->highest >= 0 ? sctpa_direction_tsn(sent, sent->highest) : NULL;
    return last && !(last->flags & SCTPA_TSN_END) ? last : NULL;
}

/* RFC 9260 6.1 A: "Senders MUST support zero window probing." */
void sctpa_check_probing(sctpa_context_t *c, sctpa_window_t *window, uint8_t end, const sctpa_wait_t *wait)
{
    const sctpa_tsn_t *last = last_fragment(c->tracked->sides[!end].sent);
    if (!window->is_closed || window->probing_told || !last || !sctpa_may_judge(c, SCTPA_RULE_FL_011, !end))
        return;
    int64_t until_ns = wait->packets > 0 ? sctpa_context_time_ns(c, wait->first_packet) : c->packet->time_ns;
    if (window->probes > 0 || !(last->state & SCTPA_TSN_ACKED) ||
        until_ns - sctpa_context_time_ns(c, window->closed_packet) <= SCTPA_UNPROBED_S * SCTPA_NS_PER_S)
        return;
    window->probing_told = true;
    sctpa_accuse(c, SCTPA_RULE_FL_011, !end, SCTPA_NO_PATH, window->closed_packet,
                 "a probe of the closed window within 60 s",
                 SCTPA_WORDS("none for %.1f s, in the middle of a message",
                             (double)(until_ns - sctpa_context_time_ns(c, window->closed_packet)) / 1e9));
}

/* RFC 9260 6.1 A: "the unacknowledged window probes SHOULD NOT increment the error counter for the association" */
void sctpa_check_abort(sctpa_context_t *c, const sctpa_window_t *window)
{
    if (!window->is_closed || window->probes < SCTPA_PROBES_BORNE || !sctpa_may_judge(c, SCTPA_RULE_FL_014, c->from))
        return;
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    bool is_wanted = false;
    sctpa_params_begin(&iter, abort);
    while (sctpa_tlv_next(&iter, &cause))
        is_wanted |= cause.type == SCTPA_CAUSE_USER_ABORT;
    if (!is_wanted)
        sctpa_accuse(c, SCTPA_RULE_FL_014, c->from, SCTPA_NO_PATH, window->closed_packet,
                     "probes that go on as long as they are answered",
                     SCTPA_WORDS("ABORT after %u probes, all answered by SACKs", window->probes));
}
