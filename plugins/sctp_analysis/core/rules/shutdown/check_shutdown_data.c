/* Judges data around a shutdown: what was outstanding, what is sent after it, how data is answered in SHUTDOWN-SENT. */
#include "check_shutdown.h"

/* TSNs of the sending end that no SACK acknowledged, *first of them. At most a few are looked at. */
static unsigned outstanding(const sctpa_direction_t *sent, int64_t *first)
{
    enum { LOOK_AT = 64 };
    unsigned n = 0;
    for (int64_t number = sent->cum_tsn + 1; number <= sent->highest && number <= sent->cum_tsn + LOOK_AT; number++) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(sent, number);
        bool is_open =
            tsn && tsn->transmissions > 0 &&
            !(tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED | SCTPA_TSN_ABANDONED | SCTPA_TSN_RENEGED));
        if (is_open && n++ == 0)
            *first = number;
    }
    return n;
}

static bool is_unknown(const sctpa_direction_t *sent)
{
    return !sent || sent->highest < 0 || sent->restarted || !sent->announced;
}

/* RFC 9260 9.2: "An endpoint SHOULD ensure that all its outstanding DATA chunks have been acknowledged before
 * initiating the shutdown procedure." */
static void check_first_shutdown(sctpa_context_t *c, const sctpa_closing_state_t *state)
{
    int64_t first = 0;
    if (is_unknown(c->sent) || sctpa_context_may_abandon(c) ||
        sctpa_closing_has(state->ends[!c->from].shutdown_packet) || !sctpa_may_judge(c, SCTPA_RULE_SD_001, c->from))
        return;
    unsigned n = outstanding(c->sent, &first);
    if (n > 0)
        sctpa_accuse(c, SCTPA_RULE_SD_001, c->from, c->path, sctpa_direction_tsn(c->sent, first)->last_packet,
                     "all DATA acknowledged before SHUTDOWN",
                     SCTPA_WORDS("%u TSNs outstanding, from %u on", n, c->sent->initial_tsn + (uint32_t)first));
}

/* RFC 9260 9.2: "MUST continue to follow normal data transmission procedures defined in Section 6, until all
 * outstanding DATA chunks are acknowledged" */
static void check_first_ack(sctpa_context_t *c)
{
    int64_t first = 0;
    if (is_unknown(c->sent) || sctpa_context_may_abandon(c) || !sctpa_may_judge(c, SCTPA_RULE_SD_006, c->from))
        return;
    unsigned n = outstanding(c->sent, &first);
    if (n > 0)
        sctpa_accuse(c, SCTPA_RULE_SD_006, c->from, c->path, sctpa_direction_tsn(c->sent, first)->last_packet,
                     "all DATA acknowledged before SHUTDOWN ACK",
                     SCTPA_WORDS("%u TSNs outstanding, from %u on", n, c->sent->initial_tsn + (uint32_t)first));
}

/* RFC 9260 6: "Data transmission MUST only happen in the ESTABLISHED, SHUTDOWN-PENDING, and SHUTDOWN-RECEIVED states."
 */
static void check_new_data(sctpa_context_t *c, const sctpa_closing_end_t *end)
{
    bool has_ack = sctpa_closing_has(end->ack_packet);
    int64_t before = has_ack ? end->ack_highest : end->shutdown_highest;
    if ((!has_ack && !sctpa_closing_has(end->shutdown_packet)) || is_unknown(c->sent) ||
        !sctpa_may_judge(c, SCTPA_RULE_SD_003, c->from) || c->sent->highest <= before)
        return;
    sctpa_accuse(c, SCTPA_RULE_SD_003, c->from, c->path, has_ack ? end->ack_packet : end->shutdown_packet,
                 SCTPA_WORDS("no TSN above %u", c->sent->initial_tsn + (uint32_t)before),
                 SCTPA_WORDS("TSN %u after %s", c->sent->initial_tsn + (uint32_t)c->sent->highest,
                             has_ack ? "SHUTDOWN ACK" : "SHUTDOWN"));
}

static bool has_sacked(const sctpa_context_t *c, uint32_t tsn)
{
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_tlv_is_sack(&c->chunks[i].tlv) && sctpa_tlv_has(&c->chunks[i].tlv, SCTPA_F_SACK_CUM_TSN) &&
            sctpa_serial_distance(tsn, sctpa_tlv_u32(&c->chunks[i].tlv, SCTPA_F_SACK_CUM_TSN)) >= 0)
            return true;
    return false;
}

/* Data that passed towards an end in SHUTDOWN-SENT, which it cannot have sent its SHUTDOWN in answer to. */
static void note_data(sctpa_context_t *c, sctpa_closing_end_t *receiver)
{
    const sctpa_tlv_t *data = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_DATA);
    if (!data || receiver->is_data_due || !sctpa_closing_has(receiver->shutdown_packet) ||
        sctpa_closing_has(receiver->ack_packet) || sctpa_closing_has(receiver->complete_packet) ||
        sctpa_closing_has(receiver->abort_packet))
        return;
    receiver->is_data_due = true;
    receiver->is_data_sacked = false;
    receiver->data_ns = c->packet->time_ns;
    receiver->data_packet = c->index;
    receiver->data_tsn = sctpa_tlv_u32(data, SCTPA_F_DATA_TSN);
}

/* RFC 9260 9.2: "the SHUTDOWN chunk sender MUST immediately respond to each received packet containing one or more DATA
 * chunks with a SHUTDOWN chunk" */
static void check_data_answer(sctpa_context_t *c, sctpa_closing_end_t *end)
{
    const uint64_t answers =
        SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ABORT);
    if (!end->is_data_due)
        return;
    if (end->is_data_sacked && c->packet->time_ns - end->data_ns > SCTPA_SHUTDOWN_ANSWER_MS * SCTPA_NS_PER_MS &&
        sctpa_may_judge(c, SCTPA_RULE_SD_007, c->from)) {
        end->is_data_due = false;
        if (++end->data_unanswered >= SCTPA_SHUTDOWN_UNANSWERED)
            sctpa_accuse(
                c, SCTPA_RULE_SD_007, c->from, c->path, end->data_packet, "SHUTDOWN at once",
                SCTPA_WORDS("SACK alone, no SHUTDOWN for %.0f ms", (double)(c->packet->time_ns - end->data_ns) / 1e6));
    }
    if (c->rows & answers) {
        if (end->is_data_due)
            sctpa_may_judge(c, SCTPA_RULE_SD_007, c->from);
        end->is_data_due = false;
        end->data_unanswered = 0;
    }
    end->is_data_sacked |= end->is_data_due && has_sacked(c, end->data_tsn);
}

void sctpa_closing_check_data(sctpa_context_t *c, sctpa_closing_state_t *state)
{
    sctpa_closing_end_t *end = &state->ends[c->from];
    if (c->rows & SCTPA_DATA_ROWS)
        check_new_data(c, end);
    check_data_answer(c, end);
    note_data(c, &state->ends[!c->from]);
    if ((c->rows & SCTPA_ROW(SHUTDOWN)) && !sctpa_closing_has(end->shutdown_packet)) {
        check_first_shutdown(c, state);
        end->shutdown_packet = c->index;
        end->shutdown_highest = c->sent ? c->sent->highest : -1;
    }
    if ((c->rows & SCTPA_ROW(SHUTDOWN_ACK)) && !sctpa_closing_has(end->ack_packet)) {
        check_first_ack(c);
        end->ack_packet = c->index;
        end->ack_highest = c->sent ? c->sent->highest : -1;
    }
}
