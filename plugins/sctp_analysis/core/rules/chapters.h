/* The chapters whose rules are rows with two functions each, sctpa_X_nnn_applies and sctpa_X_nnn_violates.
 * applies: is this an occasion to check the rule? violates: does what the packet shows violate it? Both see the
 * association as the tracker left it and what the chapter keeps of the packets before, and change nothing. What a
 * chapter keeps is written by its update, which runs after its rules. Leaves out chapters whose functions ask and
 * answer at once (groups.def). */
#ifndef SCTPA_RULES_CHAPTERS_H
#define SCTPA_RULES_CHAPTERS_H

#include "engine.h"

/* How a rule was violated: what violates fills. */
typedef struct {
    const sctpa_context_t *c;
    sctpa_rule_t rule;
    uint8_t accused;
    uint16_t path;                /* of the accused, SCTPA_NO_PATH none */
    uint32_t related;             /* a packet that belongs to the evidence, SCTPA_NO_PACKET_INDEX none */
    sctpa_words_t expected, seen; /* by sctpa_violation_say */
} sctpa_violation_t;

/* Was the rule not found violated by that endpoint before? O(findings of the association). */
bool sctpa_violation_is_new(const sctpa_violation_t *violation);
/* Says what was expected and what was seen: a macro, since repeats are only counted and their texts never made. */
#define sctpa_violation_say(violation, expected_text, seen_text) \
    do { \
        if (sctpa_violation_is_new(violation)) { \
            (violation)->expected = sctpa_words("%s", expected_text); \
            (violation)->seen = sctpa_words("%s", seen_text); \
        } \
    } while (0)

#define SCTPA_RULE(group, number, ...) \
    bool sctpa_##group##_##number##_applies(const sctpa_context_t *c); \
    bool sctpa_##group##_##number##_violates(const sctpa_context_t *c, sctpa_violation_t *violation);
#include "asconf/asconf_rules.def"
#include "auth/auth_rules.def"
#include "congestion/congestion_rules.def"
#include "data_sender/sender_rules.def"
#include "data_receiver/receiver_rules.def"
#include "data_receiver/window_rules.def"
#include "drafts/drafts_rules.def"
#include "ecn/ecn_rules.def"
#include "format/checksum_rules.def"
#include "format/format_rules.def"
#include "format/padding_rules.def"
#include "idata/idata_rules.def"
#include "pr_sctp/pr_sctp_rules.def"
#include "reconfig/reconfig_rules.def"
#include "setup/setup_rules.def"
#include "shutdown/shutdown_rules.def"
#include "states/states_rules.def"
#include "paths/paths_rules.def"
#include "timers/timers_rules.def"
#include "udp_encapsulation/udp_encapsulation_rules.def"
#undef SCTPA_RULE

/* Can the parameters, the causes of c->chunk be read, so that rules are asked about each? O(parameters). */
bool sctpa_format_lists_params(const sctpa_context_t *c);
bool sctpa_format_lists_causes(const sctpa_context_t *c);

void sctpa_update_checksum(sctpa_context_t *c);
void sctpa_update_ecn(sctpa_context_t *c);
void sctpa_update_encapsulation(sctpa_context_t *c);
void sctpa_update_padding(sctpa_context_t *c);
void sctpa_update_sender(sctpa_context_t *c);
void sctpa_update_paths(sctpa_context_t *c);

#endif
