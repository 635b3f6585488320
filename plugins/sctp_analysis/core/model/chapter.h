/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a chapter of rules is written with: RULE(group, number, fields...) defines a row directly above its two
 * functions, which a rule about what is owed alone lacks (ASK_DUE, shared/obligations.h), and ASK(group, number) asks
 * it. Only for the files of chapters/. GROUP_number_applies: is this an occasion to check the rule?
 * GROUP_number_violates: does what the packet shows violate it? Both see the association as the tracker left it, and
 * what chapters keep as before the packet; they change nothing but the violation, and that only where there is one.
 * What a chapter keeps is changed by its functions take, take_... and ..._take alone, which the last function of the
 * chapter, sctpa_check_<chapter>, calls beside asking. Fields of a row are those of sctpa_rule_info_t (rule.h), in the
 * words below. Every packet that is asked about has an association, is no duplicate, and is not damaged. Leaves out
 * what becomes of violations (engine.h). */
#ifndef SCTPA_MODEL_CHAPTER_H
#define SCTPA_MODEL_CHAPTER_H

#include "engine.h"

#define RULE(group, number, ...) \
    __attribute__((visibility("hidden"))) \
    const sctpa_rule_info_t sctpa_row_##group##_##number = { .id = #group "-" #number, __VA_ARGS__ }

/* Puts the value of a #define, a bare number, into a text that code goes by as well. It stands with its reason where
 * the chapter begins, or in a header that several share. What RFCs set stands in wire/types.h. */
#define SAY_WORDS(limit) #limit
#define SAY(limit) SAY_WORDS(limit)
/* .level */
#define MUST SCTPA_LEVEL_MUST
#define SHOULD SCTPA_LEVEL_SHOULD
#define HEURISTIC SCTPA_LEVEL_HEURISTIC
/* .seeing */
#define NOTHING SCTPA_SEEING_NOTHING
#define COULD SCTPA_SEEING_COULD
#define MUST_HAVE SCTPA_SEEING_MUST
/* .needs */
#define WHOLE SCTPA_NEED_WHOLE_PACKET
#define CHECKSUM SCTPA_NEED_CHECKSUM_GOOD
#define SETUP SCTPA_NEED_SETUP_SEEN
#define BOTH SCTPA_NEED_BOTH_DIRECTIONS
#define COMPLETE SCTPA_NEED_COMPLETE
#define NEAR SCTPA_NEED_NEAR
#define RTT SCTPA_NEED_RTT
#define KEY SCTPA_NEED_AUTH_KEY
#define UNTRANSLATED SCTPA_NEED_UNTRANSLATED
/* .span and .certainty: values of sctpa_span_t and sctpa_certainty_t (rule.h), by their own names */
/* .when */
#define PACKET SCTPA_WHEN_PACKET
#define CHUNK SCTPA_WHEN_CHUNK
#define PARAM SCTPA_WHEN_PARAM
#define DUE SCTPA_WHEN_DUE
/* .of */
#define OF_SENDER SCTPA_OF_SENDER
#define OF_PEER SCTPA_OF_PEER
#define OF_EACH SCTPA_OF_EACH
#define OF_DEBTOR SCTPA_OF_DEBTOR
/* .on */
#define ROW SCTPA_ROW
#define ANY SCTPA_ANY_CHUNK
#define DATA_ROWS SCTPA_DATA_ROWS
#define SACK_ROWS SCTPA_SACK_ROWS
/* .if_facts */
#define NEW_DATA SCTPA_FACT_NEW_DATA
#define RTX SCTPA_FACT_RTX
#define NEWLY_ACKED SCTPA_FACT_NEWLY_ACKED
#define GAP_BLOCKS SCTPA_FACT_GAP_BLOCKS
#define DUPLICATE_TSNS SCTPA_FACT_DUPLICATE_TSNS
#define CONTROL SCTPA_FACT_CONTROL
#define DUPLICATES_OWED SCTPA_FACT_DUPLICATES_OWED
#define FRAGMENTS SCTPA_FACT_FRAGMENTS
#define FIRST_SSN SCTPA_FACT_FIRST_SSN
#define NEXT_SSN SCTPA_FACT_NEXT_SSN
#define FIRST_DATA SCTPA_FACT_FIRST_DATA
#define USABLE_WINDOW SCTPA_FACT_USABLE_WINDOW
#define FORWARDED SCTPA_FACT_FORWARDED
#define I_MESSAGES SCTPA_FACT_I_MESSAGES
/* .report.at_once_if */
#define IF_COMPLETE SCTPA_ASSERTED_COMPLETE
#define IF_TAKEN_AT SCTPA_ASSERTED_TAKEN_AT
#define PARAMETER SCTPA_ASSERTED
/* .report.covers: 1 + the rule, since 0 is none */
#define COVERS(group, number) (SCTPA_RULE_##group##_##number + 1)

typedef bool sctpa_applies_t(const sctpa_context_t *c);
typedef bool sctpa_violates_t(const sctpa_context_t *c, sctpa_violation_t *violation);

/* row is a constant of the caller, here and below: what it decides is decided when this is compiled. accused is
 * c->accused. */
#define SCTPA_FOLDED static inline __attribute__((always_inline))
SCTPA_FOLDED void sctpa_ask_of(sctpa_context_t *c, const sctpa_rule_info_t *row, sctpa_rule_t rule, uint8_t accused,
                               sctpa_applies_t *applies, sctpa_violates_t *violates)
{
    sctpa_judging_t *j = sctpa_judging_of(c);
    if (!applies(c) || !sctpa_may_judge(j, row, rule, accused))
        return;
    j->violation.rule = rule;
    if (violates(c, &j->violation)) {
        sctpa_take_violation(j);
        return;
    }
    sctpa_check_untouched(j);
    if (row->report.in_a_row)
        sctpa_unreported_forget(j, rule, accused);
}

SCTPA_FOLDED void sctpa_ask_once(sctpa_context_t *c, const sctpa_rule_info_t *row, sctpa_rule_t rule,
                                 sctpa_applies_t *applies, sctpa_violates_t *violates)
{
    if (row->of == SCTPA_OF_SENDER) {
        sctpa_ask_of(c, row, rule, c->from, applies, violates);
        return;
    }
    if (row->of == SCTPA_OF_PEER) {
        c->accused = !c->from;
        sctpa_ask_of(c, row, rule, !c->from, applies, violates);
    }
    for (uint8_t endpoint = 0; row->of == SCTPA_OF_EACH && endpoint < 2; endpoint++) {
        c->accused = endpoint;
        sctpa_ask_of(c, row, rule, endpoint, applies, violates);
    }
    c->accused = c->from;
}

/* Does the packet hold what the row asks for, beside chunks? */
SCTPA_FOLDED bool sctpa_has_facts(const sctpa_context_t *c, const sctpa_rule_info_t *row)
{
    return !row->if_facts || c->facts & row->if_facts;
}

/* Is c->chunk of a type that the row is about? */
SCTPA_FOLDED bool sctpa_concerns_chunk(const sctpa_context_t *c, const sctpa_rule_info_t *row)
{
    return row->on == SCTPA_ANY_CHUNK || row->on >> c->chunk->row & 1;
}

SCTPA_FOLDED void sctpa_ask(sctpa_context_t *c, const sctpa_rule_info_t *row, sctpa_rule_t rule,
                            sctpa_applies_t *applies, sctpa_violates_t *violates)
{
    if (!(c->rows & row->on) || !sctpa_has_facts(c, row))
        return;
    if (row->when == SCTPA_WHEN_PACKET) {
        sctpa_ask_once(c, row, rule, applies, violates);
        return;
    }
    for (unsigned i = 0; row->when == SCTPA_WHEN_CHUNK && i < c->n_chunks; i++) {
        c->chunk = &c->chunks[i];
        if (sctpa_concerns_chunk(c, row))
            sctpa_ask_once(c, row, rule, applies, violates);
    }
}

SCTPA_FOLDED void sctpa_ask_of_packet(sctpa_context_t *c, const sctpa_rule_info_t *row, sctpa_rule_t rule,
                                      sctpa_applies_t *applies, sctpa_violates_t *violates)
{
    if (row->when == SCTPA_WHEN_PACKET)
        sctpa_ask(c, row, rule, applies, violates);
}

SCTPA_FOLDED void sctpa_ask_of_chunk(sctpa_context_t *c, const sctpa_rule_info_t *row, sctpa_rule_t rule,
                                     sctpa_applies_t *applies, sctpa_violates_t *violates)
{
    if (row->when == SCTPA_WHEN_CHUNK && sctpa_has_facts(c, row) && sctpa_concerns_chunk(c, row))
        sctpa_ask_once(c, row, rule, applies, violates);
}

SCTPA_FOLDED void sctpa_ask_of_param(sctpa_context_t *c, const sctpa_rule_info_t *row, sctpa_rule_t rule,
                                     sctpa_applies_t *applies, sctpa_violates_t *violates)
{
    if (row->when == SCTPA_WHEN_PARAM && sctpa_has_facts(c, row) && sctpa_concerns_chunk(c, row))
        sctpa_ask_once(c, row, rule, applies, violates);
}

/* Of the debtor of c->due, who is c->accused. */
SCTPA_FOLDED void sctpa_ask_owed(sctpa_context_t *c, const sctpa_rule_info_t *row, sctpa_rule_t rule,
                                 sctpa_applies_t *applies, sctpa_violates_t *violates)
{
    sctpa_ask_of(c, row, rule, c->accused, applies, violates);
}

/* How a row is asked is decided when this is compiled. Of the packet, or of each of its chunks, as the row says: */
#define ASK(group, number) ASK_BY(sctpa_ask, group, number)
/* Only where the row is about packets; about chunks, c->chunk; about parameters, c->param: */
#define ASK_OF_PACKET(group, number) ASK_BY(sctpa_ask_of_packet, group, number)
#define ASK_OF_CHUNK(group, number) ASK_BY(sctpa_ask_of_chunk, group, number)
#define ASK_OF_PARAM(group, number) ASK_BY(sctpa_ask_of_param, group, number)
/* Of a packet without chunks: */
#define ASK_OF_EMPTY(group, number) ASK_BY(sctpa_ask_once, group, number)
#define ASK_BY(how, group, number) \
    how(c, &sctpa_row_##group##_##number, SCTPA_RULE_##group##_##number, group##_##number##_applies, \
        group##_##number##_violates)

#endif
