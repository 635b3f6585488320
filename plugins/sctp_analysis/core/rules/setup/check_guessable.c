/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of what an address announces over its associations: Initiate Tags and Initial TSNs that can be guessed. */
#include "reference/life/announcers.h"
#include "reference/life/initialization_limits.h"
#include "rules/rule_functions.h"

static bool are_enough(const sctpa_announced_values_t *values)
{
    return values && values->values >= SCTPA_GUESSED_VALUES;
}

/* "each 0x00000001 above" the one before. */
static sctpa_words_t relation(const sctpa_announced_values_t *values)
{
    if (values->equal < SCTPA_GUESSED_VALUES)
        return sctpa_words("each within %d of", SCTPA_GUESSED_NEAR);
    return values->step == 0 ? sctpa_words("each the same as") : sctpa_words("each 0x%08x above", values->step);
}

/* Random values do neither once in 2^90. */
static bool are_guessable(const sctpa_context_t *c, const sctpa_announced_values_t *values,
                          sctpa_violation_t *violation)
{
    if (values->equal != SCTPA_GUESSED_VALUES && values->close != SCTPA_GUESSED_VALUES)
        return false;
    sctpa_violation_say(violation, "random values",
                        SCTPA_WORDS("%d in a row since frame %u, %s the one before; now 0x%08x", SCTPA_GUESSED_VALUES,
                                    sctpa_context_frame(c, values->first_packet), relation(values).text, values->last));
    return true;
}

bool sctpa_HS_044_applies(const sctpa_context_t *c)
{
    return c->has_values && are_enough(c->tags[c->accused]);
}

/* "Tag_A SHOULD be a random number in the range of 1 to 4294967295" */
bool sctpa_HS_044_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return are_guessable(c, c->tags[c->accused], violation);
}

bool sctpa_HS_045_applies(const sctpa_context_t *c)
{
    return c->has_values && are_enough(c->initial_tsns[c->accused]);
}

/* "Initial TSN SHOULD be set to a random value in that range." */
bool sctpa_HS_045_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return are_guessable(c, c->initial_tsns[c->accused], violation);
}
