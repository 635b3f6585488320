/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of states: what an endpoint sent in a state that does not allow it. Leaves out set-up, shutdown and data after
 * it, whose rules say more. */
#include "reference/life/endpoint_states.h"
#include "rules/rule_functions.h"

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

bool sctpa_SM_026_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "The state diagram in the figures below illustrates state changes": no state that can follow those of the sender
 * allows the chunk, so that packets that were missed do not explain it. */
bool sctpa_SM_026_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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
