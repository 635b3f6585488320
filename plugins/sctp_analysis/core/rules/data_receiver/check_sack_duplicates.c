/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about what SACKs make of duplicates: whether they come at once, and what they list. */
#include "reference/receiver/sack_answers.h"
#include "rules/rule_functions.h"
#include "receiver_limits.h"

enum { DUPLICATES_LOOKED_AT = 16 };

static sctpa_duplicates_t counted(const sctpa_receiver_t *receiver)
{
    return receiver->duplicates ? *receiver->duplicates : (sctpa_duplicates_t){ .is_owed = false };
}

bool sctpa_RX_014_applies(const sctpa_context_t *c)
{
    return c->accused == c->from ? sctpa_sack_on_duplicate(c) != SCTPA_NO_LONE_DUPLICATE
                                 : sctpa_receiver_ignores_duplicate(c, c->accused);
}

/* RFC 9260 6.2: "When a packet arrives with duplicate DATA chunk(s) and with no new DATA chunk(s), the endpoint MUST
 * immediately send a SACK chunk with no delay." */
bool sctpa_RX_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_receiver_t *receiver = c->receivers[c->accused];
    const sctpa_duplicates_t duplicates = counted(receiver);
    const sctpa_sack_owed_t owed = sctpa_receiver_owes(c, receiver);
    const double waited_ms = (double)owed.waited_ns / 1e6;
    sctpa_duplicate_answer_t answer = c->accused == c->from ? sctpa_sack_on_duplicate(c) : SCTPA_DUPLICATE_IGNORED;
    bool is_delayed = answer == SCTPA_DUPLICATE_DELAYED && duplicates.delayed + 1 >= SCTPA_LATE_SACKS_REPORTED;
    bool is_ignored = answer == SCTPA_DUPLICATE_IGNORED && duplicates.ignored + 1 >= SCTPA_DUPLICATES_UNANSWERED &&
                      duplicates.ignored + 1 > duplicates.answered && sctpa_receiver_is_reached(receiver);
    if (!is_delayed && !is_ignored) {
        is_ignored = answer != SCTPA_NO_LONE_DUPLICATE && answer != SCTPA_DUPLICATE_ANSWERED &&
                     sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
        violation->rests_on = is_ignored ? SCTPA_ASSERTED_ARRIVED : 0;
    }
    if (!is_delayed && !is_ignored)
        return false;
    violation->related = owed.since_packet;
    if (is_delayed)
        sctpa_violation_say(violation,
                            SCTPA_WORDS("a SACK at once: TSN %u had been acknowledged", receiver->wait.first_tsn),
                            SCTPA_WORDS("it came after %.1f ms, by the timer of delayed SACKs (%.1f ms)", waited_ms,
                                        (double)receiver->timer_ns / 1e6));
    if (is_ignored)
        sctpa_violation_say(violation,
                            SCTPA_WORDS("a SACK at once: TSN %u had been acknowledged", receiver->wait.first_tsn),
                            SCTPA_WORDS("none within %.1f ms; %u packets of duplicates not answered, %u answered",
                                        waited_ms, duplicates.ignored + 1, duplicates.answered));
    return true;
}

bool sctpa_RX_015_applies(const sctpa_context_t *c)
{
    return sctpa_sack_settles_duplicate(c) || sctpa_sack_on_duplicate(c) == SCTPA_DUPLICATE_DELAYED;
}

/* RFC 9260 6.2: "The duplicate TSN number(s) SHOULD be reported in the SACK chunk as duplicate." */
bool sctpa_RX_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_receiver_t *receiver = c->receivers[c->from];
    const sctpa_duplicates_t duplicates = counted(receiver);
    if (c->facts & SCTPA_FACT_DUPLICATE_TSNS)
        return false;
    /* this SACK has no other cause than duplicates, which the timer shows to have arrived */
    if (sctpa_sack_on_duplicate(c) == SCTPA_DUPLICATE_DELAYED &&
        duplicates.delayed_unlisted + 1 >= SCTPA_LATE_SACKS_REPORTED) {
        violation->related = c->answer.owed.since_packet;
        sctpa_violation_say(violation, "the duplicate in the list of duplicate TSNs",
                            SCTPA_WORDS("none listed by the SACK for TSN %u, which had been acknowledged; %u times",
                                        receiver->wait.first_tsn, duplicates.delayed_unlisted + 1));
        return true;
    }
    bool is_habit = duplicates.unlisted + 1 >= SCTPA_DUPLICATES_UNANSWERED &&
                    duplicates.unlisted + 1 > SCTPA_UNLISTED_PER_LISTED * duplicates.listed &&
                    sctpa_receiver_is_reached(receiver);
    if (!sctpa_sack_settles_duplicate(c) || (!is_habit && !sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED)))
        return false;
    violation->rests_on = is_habit ? 0 : SCTPA_ASSERTED_ARRIVED;
    violation->related = duplicates.owed_packet;
    sctpa_violation_say(violation, "the duplicate in the list of duplicate TSNs",
                        SCTPA_WORDS("none listed, though later TSNs are acknowledged; %u times, listed %u times",
                                    duplicates.unlisted + 1, duplicates.listed));
    return true;
}

bool sctpa_RX_016_applies(const sctpa_context_t *c)
{
    sctpa_sack_t sack;
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE) && sctpa_sack_parse(&c->chunk->tlv, &sack) && sack.n_duplicates > 0;
}

/* RFC 9260 3.3.4: "This field contains the number of duplicate TSNs the endpoint has received." */
bool sctpa_RX_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_sack_t sack;
    sctpa_sack_parse(&c->chunk->tlv, &sack);
    for (uint32_t i = 0; i < MIN(sack.n_duplicates, DUPLICATES_LOOKED_AT); i++) {
        uint32_t tsn = sctpa_be32(sack.duplicates + i * 4);
        const sctpa_tsn_t *found = sctpa_receiver_tsn(c, c->from, tsn);
        if (!found || found->duplicates < found->transmissions ||
            sctpa_context_unwrap(c->acked, tsn) <= c->acked->rare->abandoned_to)
            continue;
        violation->related = found->first_packet;
        sctpa_violation_say(violation, "duplicates that were sent more than once",
                            SCTPA_WORDS("TSN %u is reported as duplicate %u times and passed %u times", tsn,
                                        found->duplicates, found->transmissions));
        return true;
    }
    return false;
}
