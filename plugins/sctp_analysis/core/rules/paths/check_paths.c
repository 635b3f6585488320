/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of path verification, and of where answers of the set-up go. Heartbeats and data stand in check_paths_*.c. */
#include "reference/requests/paths.h"
#include "rules/rule_functions.h"

/* Chunks that may go to an unconfirmed address (5.4), or belong to the set-up or the end. */
static const uint64_t to_unconfirmed = SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(HEARTBEAT_ACK) | SCTPA_ROW(AUTH) |
                                       SCTPA_ROW(PAD) | SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ABORT) |
                                       SCTPA_ROW(ERROR) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE) |
                                       SCTPA_ROW(ASCONF_ACK) | SCTPA_ROW(COOKIE_ACK);

/* Is the path of the packet not confirmed to its sender, which received the COOKIE ECHO and has not probed it yet? */
bool sctpa_PM_007_applies(const sctpa_context_t *c)
{
    const sctpa_end_t *end = &c->assoc->ends[c->from];
    return end->n_paths >= 2 && c->path < end->n_paths && end->paths[c->path].probing->heartbeats == 0 &&
           c->assoc->setup.steps[SCTPA_STEP_COOKIE_ECHO].count > 0 &&
           sctpa_path_is_confirmed(c, c->from, c->path) == SCTPA_NO &&
           !(sctpa_context_addr_origin(c, !c->from, &c->packet->destination) & (SCTPA_ADDR_ADDED | SCTPA_ADDR_DELETED));
}

/* "An endpoint MUST NOT send any chunks to an UNCONFIRMED address, with the following exceptions:" */
bool sctpa_PM_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->rows & ~to_unconfirmed) || sctpa_context_has_unmatched_ack(c))
        return false;
    unsigned i = 0;
    while (i + 1 < c->n_chunks && to_unconfirmed >> c->chunks[i].row & 1)
        i++;
    violation->path = c->path;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("a HEARTBEAT to %s first", sctpa_addr_words(&c->packet->destination).text),
                        sctpa_chunk_word(&c->chunks[i].tlv));
    return true;
}

/* The row of what the chunk answers. */
static unsigned request_row(const sctpa_context_t *c)
{
    return c->chunk->tlv.type == SCTPA_CHUNK_INIT_ACK ? SCTPA_CHUNK_ROW_INIT : SCTPA_CHUNK_ROW_COOKIE_ECHO;
}

bool sctpa_PM_022_applies(const sctpa_context_t *c)
{
    return !c->assoc->collision && sctpa_context_has_sent(c, !c->from, request_row(c), NULL, NULL);
}

/* "SHOULD transmit reply chunks [...] to the same destination transport address from which it received the control
 * chunk"
 */
bool sctpa_PM_022_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_addr_t *destination = &c->packet->destination;
    bool is_confirmed = c->chunk->tlv.type == SCTPA_CHUNK_COOKIE_ACK &&
                        sctpa_context_has_sent(c, c->from, SCTPA_CHUNK_ROW_INIT_ACK, NULL, destination);
    if (is_confirmed || sctpa_context_has_sent(c, !c->from, request_row(c), destination, NULL))
        return false;
    violation->path = c->path;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("%s to a source of %s", sctpa_chunk_word(&c->chunk->tlv), sctpa_chunk_row_word(request_row(c))),
        SCTPA_WORDS("to %s", sctpa_addr_words(destination).text));
    return true;
}

/* Are the addresses of the peer known for good: those of its one INIT or INIT ACK, and what it sends from? */
bool sctpa_HS_053_applies(const sctpa_context_t *c)
{
    const sctpa_end_t *own = &c->assoc->ends[c->from], *peer = &c->assoc->ends[!c->from];
    const uint64_t asconf = SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK);
    const sctpa_setup_t *setup = &c->assoc->setup;
    return own->init.whole && peer->init.whole && setup->steps[SCTPA_STEP_COOKIE_ACK].count > 0 &&
           setup->steps[SCTPA_STEP_INIT_ACK].count == 1 && !c->assoc->collision &&
           c->assoc->restart_of == SCTPA_NO_ASSOC &&
           !(own->init.supported_chunks & peer->init.supported_chunks & asconf) &&
           !(peer->init.params & SCTPA_PARAM_BIT(HOST_NAME));
}

/* "The receiver SHOULD use only these transport addresses as destination transport addresses" */
bool sctpa_HS_053_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_addr_t *to = &c->packet->destination;
    const uint32_t its_own = SCTPA_ADDR_LISTED | SCTPA_ADDR_SOURCE | SCTPA_ADDR_ADDED;
    if (sctpa_context_addr_origin(c, !c->from, to) & its_own ||
        sctpa_context_has_sent(c, c->from, SCTPA_CHUNK_ROW_INIT, NULL, to))
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "an address that the peer listed or sent from",
                        SCTPA_WORDS("%s to %s", sctpa_chunk_word(&c->chunks[0].tlv), sctpa_addr_words(to).text));
    return true;
}
