/* SPDX-License-Identifier: GPL-2.0-or-later */
/* States (RFC 9260 4): what an endpoint sent in a state that does not allow it. Leaves out set-up, shutdown and data
 * after it, whose rules say more. */
#include "model/chapter.h"
#include "model/shared/endpoint_states.h"

/* "SHUTDOWN_SENT or SHUTDOWN_ACK_SENT" */
static sctpa_words_t words_of(uint8_t states)
{
    sctpa_words_t words = { "" };
    for (unsigned state = 0; state < SCTPA_STATES; state++)
        if (states >> state & 1) {
            if (words.text[0])
                g_strlcat(words.text, " or ", sizeof words.text);
            g_strlcat(words.text, sctpa_state_word((sctpa_state_t)state), sizeof words.text);
        }
    return words;
}

RULE(SM, 026,
    .level = HEURISTIC, .since = 2960, .seeing = COULD, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .accused = "sender of the chunk",
    .clause = "RFC 9260 4",
    .title = "Chunk that no state of its sender allows",
    .quote = "The state diagram in the figures below illustrates state changes",
    .why = "One endpoint is in another state than it should be: what follows is answered with ABORT or ignored.",
    .evidence = "Near the endpoint: by all that it sent and that passed towards it, it can be in no state that allows "
        "the chunk, nor in one from which such a state can follow.",
    .doubt = "States only advance: packets that the capture missed cannot explain a step back. A note: the rules of "
        "set-up and shutdown say more where they can.");

static bool SM_026_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "The state diagram in the figures below illustrates state changes": no state that can follow those of the sender
 * allows the chunk, so that packets that were missed do not explain it. */
static bool SM_026_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint8_t states = sctpa_states_before(c, c->from);
    unsigned row = 0;
    while (row < SCTPA_CHUNK_ROWS && !(c->rows >> row & 1 && sctpa_states_allow(states, row) == SCTPA_NO))
        row++;
    if (row == SCTPA_CHUNK_ROWS)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("%s in %s", sctpa_chunk_row_word(row), words_of(sctpa_states_may_send(row)).text),
                        SCTPA_WORDS("in %s", words_of(states).text));
    return true;
}

/* Nearly every packet of an association that is up leaves states and teardown as they are: their rules are not asked
 * then. */
void sctpa_check_states(sctpa_context_t *c)
{
    if (sctpa_states_are_settled(c))
        return;
    ASK(SM, 026);
    sctpa_states_take(c);
}
