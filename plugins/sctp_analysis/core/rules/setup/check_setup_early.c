/* Judges what is sent before the set-up allows it, and the first DATA of each direction. What is early counts only when
 * a later packet confirms that what should have come before was not merely missed by the capture. */
#include "check_setup.h"

enum { FIRST_PACKETS = 6 };

static const char *early_word(const sctpa_setup_end_t *end)
{
    return sctpa_chunk_row_word(end->early_row);
}

/* Between COOKIE ECHO and COOKIE ACK, and nothing came that stands for a COOKIE ACK. */
static bool is_echoed_alone(const sctpa_setup_state_t *state, uint8_t from)
{
    return state->ends[from].echo_packet != SCTPA_NO_PACKET_INDEX && !state->ends[!from].is_heard;
}

static void note_early(sctpa_context_t *c, sctpa_setup_end_t *end)
{
    if (end->early_packet == SCTPA_NO_PACKET_INDEX) {
        end->early_packet = c->index;
        end->early_row =
            (uint8_t)(c->n_chunks > 0 ? sctpa_chunk_row((uint8_t)c->chunks[0].tlv.type) : SCTPA_CHUNK_ROW_OTHER);
    }
}

/* RFC 9260 5.1: "until the COOKIE ACK chunk is returned, the sender MUST NOT send any other packets to the peer" */
static void check_between(sctpa_context_t *c, sctpa_setup_state_t *state)
{
    const uint64_t allowed = SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK) | SCTPA_ROW(HEARTBEAT_ACK) |
                             SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK);
    const sctpa_setup_end_t *peer = &state->ends[!c->from];
    if (is_echoed_alone(state, c->from) && !(c->rows & allowed) && c->rows)
        note_early(c, &state->ends[c->from]);
    if (!(c->rows & SCTPA_ROW(COOKIE_ACK)) || peer->echo_packet == SCTPA_NO_PACKET_INDEX || peer->echoes != 1 ||
        state->ends[c->from].cookie_acks > 0 || state->ends[c->from].inits > 0 ||
        !sctpa_may_judge(c, SCTPA_RULE_HS_015, !c->from))
        return;
    if (peer->early_packet != SCTPA_NO_PACKET_INDEX && peer->early_packet > peer->echo_packet)
        sctpa_accuse(c, SCTPA_RULE_HS_015, !c->from, SCTPA_NO_PATH, peer->early_packet,
                     "nothing but COOKIE ECHO before the COOKIE ACK", SCTPA_WORDS("%s", early_word(peer)));
}

/* RFC 9260 3.3.11: "This chunk MUST precede any DATA chunk sent within the association" */
static void check_data_before_echo(sctpa_context_t *c, sctpa_setup_state_t *state)
{
    sctpa_setup_end_t *end = &state->ends[c->from];
    bool is_initiator = end->inits > 0 && state->ends[!c->from].inits == 0 && end->echo_packet == SCTPA_NO_PACKET_INDEX;
    const sctpa_tlv_t *first = c->n_chunks > 0 ? &c->chunks[0].tlv : NULL;
    if (!is_initiator || !first || state->ends[!c->from].is_heard)
        return;
    if ((c->rows & SCTPA_DATA_ROWS) && (!(c->rows & SCTPA_ROW(COOKIE_ECHO)) || sctpa_tlv_is_data(first)))
        note_early(c, end);
    if (!(c->rows & SCTPA_ROW(COOKIE_ECHO)) || !sctpa_may_judge(c, SCTPA_RULE_HS_017, c->from))
        return;
    if (end->early_packet != SCTPA_NO_PACKET_INDEX)
        sctpa_accuse(c, SCTPA_RULE_HS_017, c->from, SCTPA_NO_PATH, end->early_packet, "COOKIE ECHO before DATA",
                     "DATA before it");
}

/* RFC 9260 3.3.12: "This chunk MUST precede any DATA or SACK chunk sent within the association" */
static void check_before_ack(sctpa_context_t *c, sctpa_setup_state_t *state)
{
    sctpa_setup_end_t *end = &state->ends[c->from];
    const sctpa_setup_end_t *peer = &state->ends[!c->from];
    const sctpa_tlv_t *first = c->n_chunks > 0 ? &c->chunks[0].tlv : NULL;
    bool is_collision =
        end->inits > 0 || end->echo_packet != SCTPA_NO_PACKET_INDEX || (c->rows & SCTPA_ROW(COOKIE_ECHO));
    if (is_collision || end->acks == 0 || end->cookie_acks > 0 || !first)
        return;
    bool is_behind = sctpa_tlv_is_data(first) || sctpa_tlv_is_sack(first);
    if ((c->rows & (SCTPA_DATA_ROWS | SCTPA_SACK_ROWS)) && (!(c->rows & SCTPA_ROW(COOKIE_ACK)) || is_behind))
        note_early(c, end);
    if (!(c->rows & SCTPA_ROW(COOKIE_ACK)) || peer->echoes != 1 || !sctpa_may_judge(c, SCTPA_RULE_HS_018, c->from))
        return;
    if (end->early_packet != SCTPA_NO_PACKET_INDEX)
        sctpa_accuse(c, SCTPA_RULE_HS_018, c->from, SCTPA_NO_PATH, end->early_packet, "COOKIE ACK before DATA and SACK",
                     SCTPA_WORDS("%s before it", early_word(end)));
}

void sctpa_setup_check_early(sctpa_context_t *c, sctpa_setup_state_t *state)
{
    check_between(c, state);
    check_data_before_echo(c, state);
    check_before_ack(c, state);
}

/* The last INIT or INIT ACK of the sender's tag, NULL not seen. */
static const sctpa_said_t *said_by_sender(const sctpa_context_t *c, const sctpa_setup_state_t *state)
{
    const sctpa_end_t *own = &c->assoc->ends[c->from];
    const sctpa_said_t *said = state->last;
    while (said && (said->from != c->from || said->tag != own->vtag))
        said = said->before;
    return state->is_overfull || !own->has_vtag ? NULL : said;
}

/* RFC 9260 3.3.2: "Defines the TSN that the sender of the INIT chunk will use initially." */
static void check_initial(sctpa_context_t *c, const sctpa_said_t *said, uint32_t tsn)
{
    if (!sctpa_may_judge(c, SCTPA_RULE_HS_019, c->from))
        return;
    if (sctpa_serial_distance(said->initial_tsn, tsn) < 0)
        sctpa_accuse(c, SCTPA_RULE_HS_019, c->from, c->path, said->packet,
                     SCTPA_WORDS("TSN %u or a later one", said->initial_tsn), SCTPA_WORDS("TSN %u", tsn));
}

/* The first packets of data, as long as each goes on where the one before ended. */
static void note_data(sctpa_context_t *c, sctpa_setup_state_t *state)
{
    sctpa_setup_end_t *end = &state->ends[c->from];
    if (end->is_data_judged)
        return;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        uint32_t tsn = sctpa_tlv_u32(&c->chunks[i].tlv, SCTPA_F_DATA_TSN);
        if (!sctpa_tlv_is_data(&c->chunks[i].tlv) || !sctpa_tlv_has(&c->chunks[i].tlv, SCTPA_F_DATA_TSN))
            continue;
        if (!end->has_data) {
            end->has_data = true;
            end->data_packet = c->index;
            end->next_tsn = tsn;
            const sctpa_said_t *said = said_by_sender(c, state);
            if (said)
                check_initial(c, said, tsn);
            end->is_data_judged = !said || said->initial_tsn != tsn;
        }
        end->is_data_judged |= tsn != end->next_tsn;
        end->next_tsn = tsn + 1;
    }
    end->data_packets++;
    end->is_uneven |=
        end->data_packets % 2 == 0 && c->packet->time_ns - sctpa_context_time_ns(c, end->last_data_packet) <
                                          SCTPA_FIRST_PACKETS_APART_MS * SCTPA_NS_PER_MS;
    end->is_data_judged |= end->data_packets > FIRST_PACKETS;
    end->last_data_packet = c->index;
}

/* RFC 9260 5.1: "the endpoint MUST immediately respond with a SACK chunk to acknowledge the DATA chunk" */
static void check_at_once(sctpa_context_t *c, sctpa_setup_state_t *state)
{
    const uint32_t every_second = 1 << 2 | 1 << 4 | 1 << 6;
    sctpa_setup_end_t *sender = &state->ends[!c->from];
    int64_t took_ns = c->packet->time_ns - sctpa_context_time_ns(c, sender->data_packet);
    if (!sender->has_data || sender->is_data_judged || sctpa_context_tap_rtt_ns(c, c->from) < 0)
        return;
    sender->sacks_after |= (uint8_t)(1u << sender->data_packets);
    sender->is_data_judged = sender->data_packets == 1 || sender->data_packets == FIRST_PACKETS;
    if (!sctpa_may_judge(c, SCTPA_RULE_HS_020, c->from) || !sender->is_data_judged)
        return;
    bool is_delayed = sender->data_packets == 1 && c->n_chunks == 1 &&
                      took_ns <= SCTPA_FIRST_SACK_DELAYED_MS * SCTPA_NS_PER_MS &&
                      took_ns > sctpa_context_tap_rtt_ns(c, c->from) + SCTPA_FIRST_SACK_MS * SCTPA_NS_PER_MS;
    if (is_delayed)
        sctpa_accuse(c, SCTPA_RULE_HS_020, c->from, c->path, sender->data_packet, "a SACK at once",
                     SCTPA_WORDS("after %.1f ms", (double)took_ns / 1e6));
    else if (sender->sacks_after == every_second && !sender->is_uneven)
        sctpa_accuse(c, SCTPA_RULE_HS_020, c->from, c->path, sender->data_packet, "a SACK at once for the first packet",
                     "SACKs for the packets 2, 4 and 6, none for the first");
}

void sctpa_setup_check_data(sctpa_context_t *c, sctpa_setup_state_t *state)
{
    if (c->rows & SCTPA_DATA_ROWS)
        note_data(c, state);
    if (c->rows & SCTPA_SACK_ROWS)
        check_at_once(c, state);
    for (uint8_t end = 0; (c->rows & SCTPA_SACK_ROWS) && end < 2; end++)
        if (state->ends[end].is_collision_due)
            sctpa_setup_check_collision(c, state, end);
    state->is_settled = state->ends[0].is_data_judged && state->ends[1].is_data_judged;
}
