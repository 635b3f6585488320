/* Asks the rules of the chapters of chapters.h, in the order of their rows, by direct calls. */
#include "chapters.h"
#include "rule_fields.h"

#include "reference/first_data.h"
#include "reference/forward_tsns.h"
#include "reference/message_order.h"
#include "reference/outstanding.h"
#include "reference/sack_receipts.h"

typedef bool applies_t(const sctpa_context_t *c);
typedef bool violates_t(const sctpa_context_t *c, sctpa_violation_t *violation);

/* row is a constant of the caller, here and below: what it decides is decided when this is compiled. */
static inline __attribute__((always_inline)) void ask_of(sctpa_context_t *c, const sctpa_rule_info_t *row,
                                                         sctpa_rule_t rule, uint8_t accused, applies_t *applies,
                                                         violates_t *violates)
{
    sctpa_violation_t violation; /* its texts are not cleared: this runs for every packet */
    c->accused = accused;
    if (!applies(c) || !sctpa_may_judge(c, rule, accused))
        return;
    violation.c = c;
    violation.rule = rule;
    violation.accused = accused;
    violation.path = SCTPA_NO_PATH;
    violation.related = SCTPA_NO_PACKET_INDEX;
    violation.expected.text[0] = violation.seen.text[0] = '\0';
    if (!violates(c, &violation)) {
        if (row->in_a_row)
            sctpa_unreported_forget(sctpa_judging_of(c), rule, accused);
        return;
    }
    if (row->reported_from > 1 && sctpa_unreported_count(sctpa_judging_of(c), rule, accused) < row->reported_from)
        return;
    sctpa_accuse(c, rule, accused, violation.path, violation.related, violation.expected.text, violation.seen.text);
}

static inline __attribute__((always_inline)) void ask_once(sctpa_context_t *c, const sctpa_rule_info_t *row,
                                                           sctpa_rule_t rule, applies_t *applies, violates_t *violates)
{
    if (row->of == SCTPA_OF_EACH)
        for (uint8_t endpoint = 0; endpoint < 2; endpoint++)
            ask_of(c, row, rule, endpoint, applies, violates);
    else
        ask_of(c, row, rule, c->from ^ (row->of == SCTPA_OF_PEER), applies, violates);
}

static inline __attribute__((always_inline)) void ask(sctpa_context_t *c, const sctpa_rule_info_t *row,
                                                      sctpa_rule_t rule, applies_t *applies, violates_t *violates)
{
    if (!(c->rows & row->on) || (row->if_facts && !(c->facts & row->if_facts)) ||
        sctpa_judging_of(c)->model->asked[rule].is_off)
        return;
    if (row->when == SCTPA_WHEN_PACKET) {
        ask_once(c, row, rule, applies, violates);
        return;
    }
    for (unsigned i = 0; i < c->n_chunks; i++) {
        c->chunk = &c->chunks[i];
        if (row->on >> sctpa_chunk_row((uint8_t)c->chunk->tlv.type) & 1)
            ask_once(c, row, rule, applies, violates);
    }
}

#define SCTPA_RULE(group, number, ...) \
    { \
        static const sctpa_rule_info_t row = { __VA_ARGS__ }; \
        ask(c, &row, SCTPA_RULE_##group##_##number, sctpa_##group##_##number##_applies, \
            sctpa_##group##_##number##_violates); \
    }

void sctpa_check_sender(sctpa_context_t *c)
{
    sctpa_sender_check_after_end(c);
    sctpa_message_order_take(c);
    sctpa_outstanding_take(c);
    sctpa_first_data_take(c);
#include "data_sender/sender_rules.def"
    sctpa_update_sender(c);
    sctpa_sack_receipts_take(c);
}

void sctpa_check_partial(sctpa_context_t *c)
{
    sctpa_forward_tsns_compare(c);
#include "pr_sctp/pr_sctp_rules.def"
    sctpa_forward_tsns_take(c);
}

void sctpa_check_interleaving(sctpa_context_t *c)
{
#include "idata/idata_rules.def"
}

void sctpa_check_drafts(sctpa_context_t *c)
{
#include "drafts/drafts_rules.def"
}

void sctpa_check_ecn(sctpa_context_t *c)
{
#include "ecn/ecn_rules.def"
    sctpa_update_ecn(c);
}

void sctpa_check_padding(sctpa_context_t *c)
{
#include "format/padding_rules.def"
    sctpa_update_padding(c);
}

void sctpa_check_encapsulation(sctpa_context_t *c)
{
#include "udp_encapsulation/udp_encapsulation_rules.def"
    sctpa_update_encapsulation(c);
}

void sctpa_check_checksum(sctpa_context_t *c)
{
#include "format/checksum_rules.def"
    sctpa_update_checksum(c);
}
