/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What asking the rules about a packet is made of: what is kept of an association, which needs are met, occasions,
 * violations. Internal to model/. */
#ifndef SCTPA_MODEL_ENGINE_H
#define SCTPA_MODEL_ENGINE_H

#include "context.h"
#include "model.h"
#include "occasions.h"

/* --- how a rule was violated, and the words that say it --- */

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
static inline bool sctpa_violation_is_new(const sctpa_violation_t *violation)
{
    return violation->is_new(violation);
}

/* Says what was expected and what was seen: a macro, since repeats are only counted and their texts never made. */
#define sctpa_violation_say(violation, expected_text, seen_text) \
    do { \
        if (sctpa_violation_is_new(violation)) { \
            (violation)->expected = sctpa_words("%s", expected_text); \
            (violation)->seen = sctpa_words("%s", seen_text); \
        } \
    } while (0)

/* --- what is kept --- */

/* Occurrences of a violation that is reported from a later one on (.report.from of its row). */
typedef struct sctpa_unreported {
    struct sctpa_unreported *next;
    sctpa_occurrences_t held;
    uint32_t count;
    uint16_t rule; /* sctpa_rule_t */
    uint8_t accused;
    bool is_excused; /* packets that are known to be missing may explain what happened, last or before */
} sctpa_unreported_t;

/* A violation that is only probable because the capture may lack packets around it, and that may become proven once
 * later packets show that it lacks none. */
typedef struct sctpa_open {
    struct sctpa_open *next;
    sctpa_finding_t *finding;
    uint32_t since, completed; /* packets between which none may be missing */
} sctpa_open_t;
/* Of an association at a time: each costs its next packets. */
enum { SCTPA_OPEN_MAX = 4 };

/* What an association does not have whose endpoints violated nothing. */
typedef struct {
    sctpa_finding_t *joined; /* findings of a half that count as another's of the same rule: only marks lead there */
    sctpa_unreported_t *unreported; /* NULL none */
    sctpa_unlisted_t *unlisted;     /* NULL none */
    sctpa_open_t *open;             /* NULL none */
} sctpa_pending_t;
extern const sctpa_pending_t sctpa_nothing_pending;

/* What is kept of an association: its reference endpoints, and what became of the rules there. */
typedef struct {
    sctpa_reference_t reference;        /* first: it stands for the association in the store */
    const sctpa_rule_set_t *judged[2];  /* by endpoint: rules that had an occasion, and what they need; never NULL */
    const sctpa_rule_set_t *refused[2]; /* that had an occasion, but lacked a need; never NULL */
    uint16_t missing[2];                /* SCTPA_NEED_ bits that were missing */
    uint8_t met[2];   /* SCTPA_NEED_SETUP_SEEN and _RTT alone: once met they stay so, as long as it is not reshaped */
    uint8_t reshaped; /* of the association, when it was last looked at */
    sctpa_occasions_t occasions; /* how often the rules of both had them */
    sctpa_finding_t *findings;
    const sctpa_pending_t *pending; /* sctpa_nothing_pending at first; sctpa_judged_pending changes it */
} sctpa_judged_t;

/* What is pending, to be changed. O(1). */
sctpa_pending_t *sctpa_judged_pending(sctpa_model_t *model, sctpa_judged_t *judged);
/* Nothing is pending any more; what the lists held is given back before. O(1). */
void sctpa_judged_free_pending(sctpa_model_t *model, sctpa_judged_t *judged);

/* A violation that a packet completed, and what its finding held before: what is needed to take it back. */
typedef struct {
    sctpa_finding_t *finding;
    uint8_t packets_before;
    uint32_t rests_on_before;
    bool was_early;
    uint8_t held_before;                 /* how many occurrences the finding held, ... */
    sctpa_occurrence_t held_last;        /* ... and the one in whose place this one stands */
    uint8_t certainty, certainty_before; /* sctpa_certainty_t: of this one, of the finding; SCTPA_CERTAINTIES new */
    bool may_mark;                       /* the finding may have one more mark */
} sctpa_counted_t;

/* One that the end of the capture completes: it stands until the next packet. */
typedef struct {
    sctpa_judged_t *judged;
    sctpa_counted_t counted;
    sctpa_occasion_kind_t now;
} sctpa_at_end_t;

struct sctpa_model {
    sctpa_reference_store_t store; /* its arena also holds what is kept of associations and findings */
    sctpa_rule_sets_t rule_sets;
    sctpa_occasion_kinds_t occasion_kinds;
    sctpa_rule_choice_t choice;
    sctpa_profile_t profile;
    bool asks; /* some rule is not off */
    bool counts_occasions;
    sctpa_rule_bits_t off; /* rules that are not counted: they are asked, since nearly always none is off */
    GArray *marks;         /* sctpa_mark_t, by packet */
    uint32_t dead_marks;   /* of them, without a finding */
    GArray *violations;    /* sctpa_counted_t: of the packet being taken */
    GArray *at_end;        /* sctpa_at_end_t: of the capture's end, as far as it was read */
    GArray *owed_by_assoc; /* sctpa_owed_result_t: at that end; NULL: nobody asked */
};

/* A packet as rules are asked about it. */
typedef struct {
    sctpa_context_t context; /* first, so that what a rule sees leads here */
    sctpa_model_t *model;
    sctpa_judged_t *judged;
    uint16_t lacks[2];         /* SCTPA_NEED_ bits not met for a rule about an endpoint */
    sctpa_occasion_kind_t now; /* rules that had an occasion here; among those judged are ones that are off */
    bool has_refused;
    sctpa_violation_t violation; /* of the rule that is asked: says nothing until it is violated */
} sctpa_judging_t;

static inline sctpa_judging_t *sctpa_judging_of(const sctpa_context_t *c)
{
    return (sctpa_judging_t *)(uintptr_t)c;
}

/* Fills off, which is empty, for the choice and the profile of the model; sets asks. */
void sctpa_model_ask(sctpa_model_t *model);
/* Needs that were met at occasions of a rule and turned out not to be, so that the rule is undecided. O(findings). */
uint32_t sctpa_judged_withheld_by(const sctpa_judged_t *judged, const sctpa_tracked_t *tracked, uint8_t end,
                                  sctpa_rule_t rule);
/* Gives the findings of one association to another, whose endpoints are swapped or not. O(findings of both). */
void sctpa_findings_take(sctpa_model_t *model, sctpa_judged_t *into, sctpa_judged_t *from, bool swapped);
/* The association of the packet was joined from half-associations, or one left it, since its last packet was checked
 * (findings.c). O(findings). */
void sctpa_judged_reshape(const sctpa_judging_t *j);

/* What is kept of an association, NULL: no packet of it was checked. O(1). */
static inline sctpa_judged_t *sctpa_judged_find(const sctpa_model_t *model, const sctpa_tracked_t *tracked)
{
    return (sctpa_judged_t *)sctpa_reference_at(&model->store, tracked->assoc.number);
}

/* The rule has an occasion, but lacks a need. O(1). */
void sctpa_refuse(sctpa_judging_t *j, sctpa_rule_t rule, uint8_t accused);

/* Does the capture show what rule needs, about the endpoint accused? To be asked when there is an occasion, before
 * asking whether it is violated: the occasion is counted. row: of the rule. O(1). */
static inline __attribute__((always_inline)) bool sctpa_may_judge(sctpa_judging_t *j, const sctpa_rule_info_t *row,
                                                                  sctpa_rule_t rule, uint8_t accused)
{
    if (row->needs & j->lacks[accused]) {
        sctpa_refuse(j, rule, accused);
        return false;
    }
    sctpa_rule_bits_put(&j->now.judged[accused], rule);
    return true;
}

/* A later packet shows what was open when the rule was found violated by an endpoint, if it was: it is proven, resting
 * on SCTPA_ASSERTED_ bits. Or that it was not: nothing is reported of it, until it is found violated again.
 * O(findings). */
void sctpa_findings_prove(const sctpa_context_t *c, sctpa_rule_t rule, uint8_t accused, uint32_t rests_on);
void sctpa_findings_withdraw(const sctpa_context_t *c, sctpa_rule_t rule, uint8_t accused);

/* Was the rule of a violation not found violated by that endpoint before? O(findings of the association). */
bool sctpa_finding_is_new(const sctpa_violation_t *violation);

/* Counts packets that gave an occasion to rules; UINT32_MAX: takes one of them back. O(kinds of the association). */
static inline void sctpa_model_count(sctpa_model_t *model, sctpa_judged_t *judged, const sctpa_occasion_kind_t *now,
                                     uint32_t packets)
{
    if (model->counts_occasions)
        sctpa_occasions_add(&model->occasion_kinds, &model->store.arena, &judged->occasions, now, packets);
    else
        judged->occasions.uncounted += packets;
}

/* Readies j->violation for the next rule that is violated. O(1). */
static inline void sctpa_violation_begin(sctpa_judging_t *j)
{
    sctpa_violation_t *violation =
        &j->violation; /* of texts only the first byte is cleared: this runs for every packet */
    violation->c = &j->context;
    violation->is_new = sctpa_finding_is_new;
    violation->path = SCTPA_NO_PATH;
    violation->rests_on = 0;
    violation->related = violation->since = SCTPA_NO_PACKET_INDEX;
    violation->at_best = SCTPA_CERTAINTY_PROVEN;
    violation->is_certain = violation->is_by_peer = false;
    violation->expected.text[0] = violation->seen.text[0] = '\0';
}

/* Reports a violation that the packet shows, after sctpa_may_judge: a new finding with its words, copied, or one more
 * occurrence of the finding that there is. is_early: reported before its row says, by what is asserted. O(findings of
 * the association). */
void sctpa_violation_report(const sctpa_violation_t *violation, bool is_early) __attribute__((cold));

/* One more occurrence of a violation that is reported from a later one on; how many there are. O(rules of the
 * association that wait so). */
uint32_t sctpa_unreported_count(sctpa_judging_t *j, sctpa_rule_t rule, uint8_t accused, sctpa_occurrence_t occurrence);
/* There was none at an occasion: those before do not count. O(the same). */
void sctpa_unreported_forget(sctpa_judging_t *j, sctpa_rule_t rule, uint8_t accused);

/* What the user asserts of the endpoint that makes the rule report at its first occurrence, 0: this is not asserted, or
 * the rule does not ask for it. O(1). */
static inline uint32_t sctpa_reports_at_once(const sctpa_tap_t *tap, const sctpa_rule_info_t *row, uint8_t accused)
{
    return sctpa_tap_is_asserted(tap, accused, row->report.at_once_if) ? row->report.at_once_if : 0;
}

/* May packets that are known to be missing explain the violation? It is then neither counted nor reported, and the rule
 * not checked (sctpa_findings_excuse). O(1). */
bool sctpa_certainty_is_excused(const sctpa_violation_t *violation);
/* Since which packet nothing may be missing for the violation to be one. O(1). */
uint32_t sctpa_certainty_since(const sctpa_violation_t *violation);
/* Whose packets, if they are missing, may explain the violation: SCTPA_BY_ bits. O(1). */
static inline uint8_t sctpa_certainty_by(const sctpa_violation_t *violation)
{
    return violation->is_by_peer ? SCTPA_BY(!violation->c->accused) : SCTPA_BY_EITHER;
}

/* Both of these, as an occurrence. O(1). */
static inline sctpa_occurrence_t sctpa_certainty_occurrence(const sctpa_violation_t *violation)
{
    return (sctpa_occurrence_t){ sctpa_certainty_since(violation), violation->c->index, sctpa_certainty_by(violation) };
}
/* The packet showed that others are missing, all in a hole: takes out what they may explain of findings, and of what
 * waits to be reported. O(findings + what waits). */
void sctpa_findings_excuse(sctpa_judging_t *j, sctpa_hole_t hole);
/* The packet retransmits what had been sent once: takes out that it never was (TM-006). O(findings * chunks) where
 * there is such a finding, else O(findings). */
void sctpa_findings_repair(sctpa_judging_t *j);
/* A violation may be explained by what is missing: the rule is not checked. O(rules of the association that wait). */
void sctpa_findings_excuse_violation(const sctpa_violation_t *violation) __attribute__((cold));

/* The packet was taken: which of the open ones does it show to be proven, and which can no more be? O(open ones). */
void sctpa_certainty_settle(sctpa_judging_t *j);
/* The packet refutes what was asserted of its association: findings of it that rest on bits are no surer than without,
 * but for those that were complete before hole, where packets are missing. O(findings). */
void sctpa_certainty_refute(sctpa_judging_t *j, uint32_t bits, sctpa_hole_t hole);

/* Takes back the violations that others of the packet cover (covers of rule.h), and marks the packet with the rest.
 * After all rules were asked. O(violations of the packet + findings of the association). */
void sctpa_findings_settle(sctpa_judging_t *j);

/* The same at the end of the capture: they are kept in mind in at_end, and no packet is marked. */
void sctpa_findings_settle_at_end(sctpa_judging_t *j);
/* Takes these back, those of all associations. O(of them * findings of their associations). */
void sctpa_findings_take_back_end(sctpa_model_t *model);

/* Gives back the findings of an association and what rules wait to report; their marks are dead. O(findings + their
 * marks), amortised. */
void sctpa_findings_free(sctpa_model_t *model, sctpa_judged_t *judged);

/* A rule was found violated, as j->violation says: reported at once, the first time alone, or from a later occurrence
 * on. O(findings of the association). */
void sctpa_take_violation(sctpa_judging_t *j) __attribute__((cold, noinline));

/* Did the rule that is asked leave j->violation as it was? Builds of tests ask this where it is not violated. */
#ifdef __SANITIZE_ADDRESS__
static inline void sctpa_check_untouched(const sctpa_judging_t *j)
{
    g_assert(j->violation.path == SCTPA_NO_PATH && j->violation.related == SCTPA_NO_PACKET_INDEX);
    g_assert(j->violation.since == SCTPA_NO_PACKET_INDEX && !j->violation.is_certain && !j->violation.is_by_peer);
    g_assert(!j->violation.expected.text[0] && !j->violation.seen.text[0]);
}
#else
#define sctpa_check_untouched(j) ((void)(j))
#endif

/* Asks the rules of packets without a chunk, which no group is asked about. */
void sctpa_check_empty(sctpa_context_t *c);
/* Asks the rules of packets with a wrong checksum whose sender makes right ones: nobody took them. */
void sctpa_check_damaged(sctpa_context_t *c);

/* Asks the rules of a chapter about the packet and takes it; where c->due is something owed, those about it alone. */
#define SCTPA_GROUP(id, word, rows) void sctpa_check_##word(sctpa_context_t *c);
#include "groups.def"

/* Takes the INIT or INIT ACK of a packet: which implementation its sender seems to be. O(parameters). */
void sctpa_implementation_take(const sctpa_context_t *c);
/* SCTPA_MEMBER_ (sender_family.h): its congestion control as far as known, SCTPA_MEMBER_UNKNOWN not. O(1). */
uint8_t sctpa_implementation_sender(const sctpa_context_t *c, uint8_t endpoint);

#endif
