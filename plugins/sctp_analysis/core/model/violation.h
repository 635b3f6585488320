/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a rule was violated, and the words that say it. Leaves out what becomes of it (findings.c). */
#ifndef SCTPA_MODEL_VIOLATION_H
#define SCTPA_MODEL_VIOLATION_H

#include "context.h"
#include "rule.h"

/* The words of a finding: what was expected, what was seen. */
typedef struct {
    char text[120];
} sctpa_words_t;
/* Cold, as all that follows a violation: what makes words then lies apart from what every packet runs through. */
sctpa_words_t sctpa_words(const char *format, ...) G_GNUC_PRINTF(1, 2) __attribute__((cold));
/* "10.0.0.1" */
sctpa_words_t sctpa_addr_words(const sctpa_addr_t *addr) __attribute__((cold));
/* The same as a string, valid to the end of the full expression. */
#define SCTPA_WORDS(...) sctpa_words(__VA_ARGS__).text

/* What the function violates of a rule fills where the rule is violated, and leaves as it is elsewhere. */
typedef struct sctpa_violation {
    const sctpa_context_t *c; /* c->accused violates the rule */
    sctpa_rule_t rule;
    uint16_t path;    /* of the accused, SCTPA_NO_PATH none */
    uint32_t related; /* a packet that belongs to the evidence, SCTPA_NO_PACKET_INDEX none */
    uint32_t since; /* the packet since which nothing may be missing for the violation to be one, SCTPA_NO_PACKET_INDEX:
                       by the span of the row */
    sctpa_certainty_t at_best; /* it is no surer than that, whatever the row says: PROVEN where nothing is set */
    bool is_by_peer;           /* only packets of the peer of the accused, if they are missing, may explain it */
    bool is_certain; /* no packet that the capture lacks explains this one, though it may explain others of the rule */
    uint32_t rests_on;            /* SCTPA_ASSERTED_ bits without which it would not be one */
    sctpa_words_t expected, seen; /* by sctpa_violation_say */
    /* Was the rule not found violated by that endpoint before? Set by who asks. O(findings of the association). */
    bool (*is_new)(const struct sctpa_violation *violation);
} sctpa_violation_t;

/* Does is_new say so? O(findings of the association). */
bool sctpa_violation_is_new(const sctpa_violation_t *violation) __attribute__((cold));

/* Says what was expected and what was seen: a macro, since repeats are only counted and their texts never made. */
#define sctpa_violation_say(violation, expected_text, seen_text) \
    do { \
        if (sctpa_violation_is_new(violation)) { \
            (violation)->expected = sctpa_words("%s", expected_text); \
            (violation)->seen = sctpa_words("%s", seen_text); \
        } \
    } while (0)

#endif
