/* Judges path verification and where answers of the set-up go. Heartbeats and data stand in check_paths_*.c. */
#include "paths_state.h"

/* Does a packet of end with a chunk of row go between source and destination? NULL: any address. O(pairs). */
static bool has_sent(const sctpa_end_t *end, unsigned row, const sctpa_addr_t *source, const sctpa_addr_t *destination)
{
    for (unsigned i = 0; i < end->n_pairs; i++)
        if (sctpa_counts_chunks(&end->pairs[i]->settled, row) > 0 &&
            (!source || sctpa_addr_equal(end->pairs[i]->source, source)) &&
            (!destination || sctpa_addr_equal(end->pairs[i]->destination, destination)))
            return true;
    return false;
}

/* RFC 9260 6.4: "SHOULD transmit reply chunks [...] to the same destination transport address from which it received
 * the control chunk" */
static void check_reply(sctpa_context_t *c, unsigned row, unsigned request)
{
    const sctpa_end_t *asker = &c->assoc->ends[!c->from];
    if (c->assoc->collision || !has_sent(asker, request, NULL, NULL) || !sctpa_may_judge(c, SCTPA_RULE_PM_022, c->from))
        return;
    bool is_confirmed = has_sent(&c->assoc->ends[c->from], SCTPA_CHUNK_ROW_INIT_ACK, NULL, &c->packet->destination);
    if (!has_sent(asker, request, &c->packet->destination, NULL) &&
        !(row == SCTPA_CHUNK_ROW_COOKIE_ACK && is_confirmed)) {
        char *text = sctpa_addr_text(&c->packet->destination);
        sctpa_accuse(c, SCTPA_RULE_PM_022, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                     SCTPA_WORDS("%s to a source of %s", sctpa_chunk_row_word(row), sctpa_chunk_row_word(request)),
                     SCTPA_WORDS("to %s", text));
        g_free(text);
    }
}

/* Is the sending end the receiver of the COOKIE ECHO, and its present path no confirmed one by the set-up? */
static bool is_unconfirmed(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    const sctpa_end_t *end = &c->assoc->ends[c->from];
    return setup->steps[SCTPA_STEP_INIT_ACK].count > 0 && setup->steps[SCTPA_STEP_INIT_ACK].by == c->from &&
           !c->assoc->collision && setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0 &&
           c->assoc->restart_of == SCTPA_NO_ASSOC &&
           !has_sent(end, SCTPA_CHUNK_ROW_INIT_ACK, NULL, &c->packet->destination) &&
           !(sctpa_end_addr_origin(&c->assoc->ends[!c->from], &c->packet->destination) &
             (SCTPA_ADDR_ADDED | SCTPA_ADDR_DELETED));
}

bool sctpa_has_unmatched_ack(const sctpa_context_t *c)
{
    const sctpa_end_t *end = &c->assoc->ends[c->from];
    uint32_t matched = 0;
    for (uint16_t path = 0; path < end->n_paths; path++)
        matched += end->paths[path].probing->heartbeats_acked;
    return sctpa_counts_chunks(c->assoc->ends[!c->from].settled, SCTPA_CHUNK_ROW_HEARTBEAT_ACK) > matched;
}

/* RFC 9260 5.4: "An endpoint MUST NOT send any chunks to an UNCONFIRMED address, with the following exceptions:" */
static void check_unconfirmed(sctpa_context_t *c)
{
    const uint64_t allowed = SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(HEARTBEAT_ACK) | SCTPA_ROW(AUTH) | SCTPA_ROW(PAD) |
                             SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ABORT) | SCTPA_ROW(ERROR) |
                             SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ASCONF_ACK) |
                             SCTPA_ROW(COOKIE_ACK);
    const sctpa_end_t *end = &c->assoc->ends[c->from];
    if (end->n_paths < 2 || c->path >= end->n_paths || end->paths[c->path].probing->heartbeats > 0 ||
        !is_unconfirmed(c) || !sctpa_may_judge(c, SCTPA_RULE_PM_007, c->from) || !(c->rows & ~allowed) ||
        sctpa_has_unmatched_ack(c))
        return;
    unsigned i = 0;
    while (i + 1 < c->n_chunks && UINT64_C(1) << sctpa_chunk_row((uint8_t)c->chunks[i].tlv.type) & allowed)
        i++;
    char *text = sctpa_addr_text(&c->packet->destination);
    sctpa_accuse(c, SCTPA_RULE_PM_007, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                 SCTPA_WORDS("a HEARTBEAT to %s first", text),
                 SCTPA_WORDS("%s", sctpa_chunk_row_word(sctpa_chunk_row((uint8_t)c->chunks[i].tlv.type))));
    g_free(text);
}

void sctpa_check_paths(sctpa_context_t *c)
{
    if (c->rows & SCTPA_ROW(INIT_ACK))
        check_reply(c, SCTPA_CHUNK_ROW_INIT_ACK, SCTPA_CHUNK_ROW_INIT);
    if (c->rows & SCTPA_ROW(COOKIE_ACK))
        check_reply(c, SCTPA_CHUNK_ROW_COOKIE_ACK, SCTPA_CHUNK_ROW_COOKIE_ECHO);
    check_unconfirmed(c);
    for (unsigned i = 0; c->rows & (SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(HEARTBEAT_ACK)) && i < c->n_chunks; i++) {
        if (c->chunks[i].tlv.type == SCTPA_CHUNK_HEARTBEAT)
            sctpa_check_heartbeat(c, &c->chunks[i].tlv);
        else if (c->chunks[i].tlv.type == SCTPA_CHUNK_HEARTBEAT_ACK)
            sctpa_check_heartbeat_ack(c, &c->chunks[i].tlv);
    }
    if (c->rows & SCTPA_ROW(HEARTBEAT))
        sctpa_check_paths_idle(c);
    if (c->sent && c->rows & SCTPA_DATA_ROWS)
        sctpa_check_paths_data(c);
}
