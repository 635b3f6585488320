/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rules say of the register of obligations: its words, and what violates them. */
#include "model/context.h"
#include "obligations.h"

const char *sctpa_obligation_request(sctpa_obligation_t what)
{
    static const char *const words[] = {
#define SCTPA_OBLIGATION(id, chapter, answers, request, expected) [SCTPA_OWED_##id] = (request),
#include "obligations.def"
    };
    return words[what];
}

const char *sctpa_obligation_expected(sctpa_obligation_t what)
{
    static const char *const words[] = {
#define SCTPA_OBLIGATION(id, chapter, answers, request, expected) [SCTPA_OWED_##id] = (expected),
#include "obligations.def"
    };
    return words[what];
}

const char *sctpa_owed_fate_word(sctpa_owed_fate_t fate)
{
    static const char *const words[SCTPA_OWED_FATES] = {
        "answered", "late", "passed over", "missing", "excused", "open"
    };
    return words[fate];
}

/* Is it owed by who goes on in an association that its peer has no more? */
static bool is_of_restart(sctpa_obligation_t what)
{
    return what == SCTPA_OWED_INIT || what == SCTPA_OWED_COOKIE_ECHO;
}

bool sctpa_due_is_violated(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_due_t *due = c->due;
    const sctpa_obligation_t what = (sctpa_obligation_t)due->owed.what;
    const bool is_counted = due->n_unanswered > 0, is_late = is_counted || due->waited_ns > due->patience_ns;
    /* an endpoint had forgotten it by then */
    const bool is_replaced = c->assoc->known.end == SCTPA_ASSOC_RESTARTED && !is_of_restart(what);
    if ((!is_late && !due->is_overtaken) || is_replaced)
        return false;
    violation->related = violation->since = due->owed.packet;
    const bool is_guess = sctpa_request_timer_is(due->owed.what) &&
                          (due->is_at_end || due->is_by_peer || !(due->owed.rests_on & SCTPA_ASSERTED(RTO_MAX)));
    violation->rests_on =
        is_counted ? 0 : SCTPA_ASSERTED_ARRIVED | due->owed.rests_on | (due->is_by_quiet ? SCTPA_ASSERTED_QUIET : 0);
    if (due->owed.is_unsure || due->owed.is_likely || !is_late || is_guess || is_counted)
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    if (is_counted) {
        sctpa_violation_say(violation, sctpa_obligation_expected(what),
                            SCTPA_WORDS("none, though asked for %u times in a row", due->n_unanswered));
        return true;
    }
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("%s within %.0f ms of %s", sctpa_obligation_expected(what), (double)due->patience_ns / 1e6,
                    sctpa_obligation_request(what)),
        is_late ? SCTPA_WORDS(due->is_discharged ? "after %.3f s" : "none within %.3f s", (double)due->waited_ns / 1e9)
                : SCTPA_WORDS("%s, and not that", sctpa_chunk_word(&c->chunks[0].tlv)));
    return true;
}

bool sctpa_is_unasked(const sctpa_context_t *c, unsigned row, const char *expected, sctpa_violation_t *violation)
{
    if (!(c->unasked >> row & 1))
        return false;
    violation->path = c->path;
    if (sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED))
        violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    else
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, expected, SCTPA_WORDS("%s", sctpa_chunk_row_word(row)));
    return true;
}
