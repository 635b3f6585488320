/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the rules group by group, in the order of their rows, by direct calls: about the packet, or chunk by chunk and
 * parameter by parameter; then what the group follows takes the packet. */
#include "engine.h"

#include "reference/cwnd/cwnd_paths.h"
#include "reference/life/announcers.h"
#include "reference/life/authentication.h"
#include "reference/life/endpoint_states.h"
#include "reference/life/endpoint_teardown.h"
#include "reference/life/init_padding.h"
#include "reference/life/initialization.h"
#include "reference/life/wrong_tags.h"
#include "reference/receiver/ce_marks.h"
#include "reference/receiver/receiver.h"
#include "reference/requests/asconf.h"
#include "reference/requests/paths.h"
#include "reference/requests/reconfig_requests.h"
#include "reference/requests/udp_ports.h"
#include "reference/sender/data_channels.h"
#include "reference/sender/first_data.h"
#include "reference/sender/forward_tsns.h"
#include "reference/sender/message_order.h"
#include "reference/sender/outstanding.h"
#include "reference/sender/path_choice.h"
#include "reference/sender/sack_receipts.h"
#include "reference/sender/t3_expiries.h"
#include "rules/rule_fields.h"
#include "rules/rule_functions.h"

typedef bool applies_t(const sctpa_context_t *c);
typedef bool violates_t(const sctpa_context_t *c, sctpa_violation_t *violation);

/* A rule of the table was found violated: reported at once, the first time alone, or from a later occurrence on. */
static __attribute__((cold, noinline)) void take_violation(sctpa_judging_t *j)
{
    const sctpa_violation_t *violation = &j->violation;
    const sctpa_rule_info_t *row = sctpa_rule_info(violation->rule);
    bool is_repeated = row->once && !sctpa_finding_is_new(violation);
    if (sctpa_certainty_is_excused(violation)) {
        sctpa_findings_excuse_violation(violation);
    } else if (!sctpa_rule_bits_has(&j->model->off, violation->rule) && !is_repeated) {
        bool is_early = row->reported_from > 1 &&
                        sctpa_unreported_count(j, violation->rule, j->context.accused,
                                               sctpa_certainty_occurrence(violation)) < row->reported_from;
        bool is_at_once = is_early && !(row->at_once_needs & j->lacks[j->context.accused]) &&
                          sctpa_reports_at_once(&j->context.reference->tap, row, j->context.accused);
        if (is_early && !is_at_once && row->possible_before)
            j->violation.at_best = SCTPA_CERTAINTY_POSSIBLE;
        if (!is_early || is_at_once || row->possible_before)
            sctpa_violation_report(violation, is_early);
    }
    sctpa_violation_begin(j);
}

/* Did the rule that is asked leave j->violation as it was? Builds of tests ask this where it is not violated. */
#ifdef __SANITIZE_ADDRESS__
static void check_untouched(const sctpa_judging_t *j)
{
    g_assert(j->violation.path == SCTPA_NO_PATH && j->violation.related == SCTPA_NO_PACKET_INDEX);
    g_assert(j->violation.since == SCTPA_NO_PACKET_INDEX && !j->violation.is_certain && !j->violation.is_by_peer);
    g_assert(!j->violation.expected.text[0] && !j->violation.seen.text[0]);
}
#else
#define check_untouched(j) ((void)(j))
#endif

/* row is a constant of the caller, here and below: what it decides is decided when this is compiled. accused is
 * c->accused. */
static inline __attribute__((always_inline)) void ask_of(sctpa_context_t *c, const sctpa_rule_info_t *row,
                                                         sctpa_rule_t rule, uint8_t accused, applies_t *applies,
                                                         violates_t *violates)
{
    sctpa_judging_t *j = sctpa_judging_of(c);
    if (!applies(c) || !sctpa_may_judge(j, row, rule, accused))
        return;
    j->violation.rule = rule;
    if (violates(c, &j->violation)) {
        take_violation(j);
        return;
    }
    check_untouched(j);
    if (row->in_a_row)
        sctpa_unreported_forget(j, rule, accused);
}

static inline __attribute__((always_inline)) void ask_once(sctpa_context_t *c, const sctpa_rule_info_t *row,
                                                           sctpa_rule_t rule, applies_t *applies, violates_t *violates)
{
    if (row->of == SCTPA_OF_SENDER) {
        ask_of(c, row, rule, c->from, applies, violates);
        return;
    }
    if (row->of == SCTPA_OF_PEER) {
        c->accused = !c->from;
        ask_of(c, row, rule, !c->from, applies, violates);
    }
    for (uint8_t endpoint = 0; row->of == SCTPA_OF_EACH && endpoint < 2; endpoint++) {
        c->accused = endpoint;
        ask_of(c, row, rule, endpoint, applies, violates);
    }
    c->accused = c->from;
}

/* Does the packet hold what the row asks for, beside chunks? */
static inline __attribute__((always_inline)) bool has_facts(const sctpa_context_t *c, const sctpa_rule_info_t *row)
{
    return !row->if_facts || c->facts & row->if_facts;
}

/* Is c->chunk of a type that the row is about? */
static inline __attribute__((always_inline)) bool concerns_chunk(const sctpa_context_t *c, const sctpa_rule_info_t *row)
{
    return row->on == SCTPA_ANY_CHUNK || row->on >> c->chunk->row & 1;
}

static inline __attribute__((always_inline)) void ask(sctpa_context_t *c, const sctpa_rule_info_t *row,
                                                      sctpa_rule_t rule, applies_t *applies, violates_t *violates)
{
    if (!(c->rows & row->on) || !has_facts(c, row))
        return;
    if (row->when == SCTPA_WHEN_PACKET) {
        ask_once(c, row, rule, applies, violates);
        return;
    }
    for (unsigned i = 0; row->when == SCTPA_WHEN_CHUNK && i < c->n_chunks; i++) {
        c->chunk = &c->chunks[i];
        if (concerns_chunk(c, row))
            ask_once(c, row, rule, applies, violates);
    }
}

static inline __attribute__((always_inline)) void ask_of_packet(sctpa_context_t *c, const sctpa_rule_info_t *row,
                                                                sctpa_rule_t rule, applies_t *applies,
                                                                violates_t *violates)
{
    if (row->when == SCTPA_WHEN_PACKET)
        ask(c, row, rule, applies, violates);
}

static inline __attribute__((always_inline)) void ask_of_chunk(sctpa_context_t *c, const sctpa_rule_info_t *row,
                                                               sctpa_rule_t rule, applies_t *applies,
                                                               violates_t *violates)
{
    if (row->when == SCTPA_WHEN_CHUNK && has_facts(c, row) && concerns_chunk(c, row))
        ask_once(c, row, rule, applies, violates);
}

static inline __attribute__((always_inline)) void ask_of_param(sctpa_context_t *c, const sctpa_rule_info_t *row,
                                                               sctpa_rule_t rule, applies_t *applies,
                                                               violates_t *violates)
{
    if (row->when == SCTPA_WHEN_PARAM && has_facts(c, row) && concerns_chunk(c, row))
        ask_once(c, row, rule, applies, violates);
}

/* One row: how it is asked is decided when this is compiled. */
#define ASK_BY(how, group, number, ...) \
    { \
        static const sctpa_rule_info_t row = { __VA_ARGS__ }; \
        how(c, &row, SCTPA_RULE_##group##_##number, sctpa_##group##_##number##_applies, \
            sctpa_##group##_##number##_violates); \
    }
#define ASK(...) ASK_BY(ask, __VA_ARGS__)
#define ASK_OF_PACKET(...) ASK_BY(ask_of_packet, __VA_ARGS__)
#define ASK_OF_CHUNK(...) ASK_BY(ask_of_chunk, __VA_ARGS__)
#define ASK_OF_PARAM(...) ASK_BY(ask_of_param, __VA_ARGS__)
#define ASK_OF_EMPTY(...) ASK_BY(ask_once, __VA_ARGS__)
#define SCTPA_RULE ASK

void sctpa_check_format(sctpa_context_t *c)
{
#undef SCTPA_RULE
#define SCTPA_RULE ASK_OF_PACKET
#include "rules/format/format_rules.def"
    for (unsigned i = 0; i < c->n_chunks; i++) {
        c->chunk = &c->chunks[i];
#undef SCTPA_RULE
#define SCTPA_RULE ASK_OF_CHUNK
#include "rules/format/format_rules.def"
#undef SCTPA_RULE
#define SCTPA_RULE ASK_OF_PARAM
        const sctpa_param_list_t *list = sctpa_context_params(c);
        if (list->n == 0 || (!sctpa_format_lists_params(c) && !sctpa_format_lists_causes(c)))
            continue;
        for (uint32_t n = 0; n < list->n; n++) {
            c->param = &list->params[n];
#include "rules/format/format_rules.def"
        }
    }
#undef SCTPA_RULE
#define SCTPA_RULE ASK
}

void sctpa_check_empty(sctpa_context_t *c)
{
#undef SCTPA_RULE
#define SCTPA_RULE ASK_OF_EMPTY
#include "rules/format/empty_rules.def"
#undef SCTPA_RULE
#define SCTPA_RULE ASK
}

/* Chunk by chunk: rules about a chunk see what its packet said before it. Other packets matter once an endpoint is
 * followed. */
void sctpa_check_addresses(sctpa_context_t *c)
{
    const uint64_t concerned = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK) |
                               SCTPA_ROW(ERROR) | SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(RE_CONFIG);
    if (!(c->rows & concerned) && !sctpa_context_find_part(c, SCTPA_PART_ADDRESSES))
        return;
    if (c->rows & SCTPA_ROW(ASCONF))
        sctpa_asconf_observe(c);
#undef SCTPA_RULE
#define SCTPA_RULE ASK_OF_CHUNK
    for (unsigned i = 0; c->rows & concerned && i < c->n_chunks; i++) {
        sctpa_asconf_chunk_t chunk;
        c->chunk = &c->chunks[i];
        if (!(concerned >> c->chunk->row & 1))
            continue;
        sctpa_asconf_read_chunk(c, &chunk);
        c->asconf_chunk = &chunk;
#include "rules/asconf/asconf_rules.def"
        sctpa_asconf_take_chunk(c);
    }
    c->asconf_chunk = NULL;
#undef SCTPA_RULE
#define SCTPA_RULE ASK_OF_PACKET
#include "rules/asconf/asconf_rules.def"
#undef SCTPA_RULE
#define SCTPA_RULE ASK
    sctpa_asconf_take_packet(c);
}

/* Data and SACKs matter to an endpoint that wants chunks authenticated. */
void sctpa_check_auth(sctpa_context_t *c)
{
    if (!(c->facts & SCTPA_FACT_CONTROL) && !c->assoc->ends[!c->from].init.auth_chunks)
        return;
#include "rules/auth/auth_rules.def"
    sctpa_authentication_take(c);
}

void sctpa_check_setup(sctpa_context_t *c)
{
    if (sctpa_initialization_is_over(c))
        return;
    sctpa_initialization_observe(c);
    if (c->rows & SCTPA_ROW(COOKIE_ACK))
        sctpa_announcers_observe(c);
#include "rules/setup/setup_rules.def"
#include "rules/setup/restart_rules.def"
    sctpa_initialization_take(c);
}

void sctpa_check_congestion(sctpa_context_t *c)
{
#include "rules/congestion/congestion_rules.def"
    sctpa_cwnd_take(c);
}

void sctpa_check_sender(sctpa_context_t *c)
{
    sctpa_message_order_take(c);
    sctpa_outstanding_take(c);
    sctpa_first_data_take(c);
#include "rules/data_sender/sender_rules.def"
    sctpa_sack_receipts_take(c);
}

/* Data matters once its sender has given some up. */
void sctpa_check_partial(sctpa_context_t *c)
{
    sctpa_forward_tsns_compare(c);
    if (!(c->facts & (SCTPA_FACT_CONTROL | SCTPA_FACT_FORWARDED)))
        return;
#include "rules/pr_sctp/pr_sctp_rules.def"
    sctpa_forward_tsns_take(c);
}

/* Parameter by parameter: the second request of a packet sees the first, its DATA sees all of them. */
void sctpa_check_streams(sctpa_context_t *c)
{
    const uint64_t concerned = SCTPA_ROW(RE_CONFIG) | SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ASCONF) |
                               SCTPA_ROW(ASCONF_ACK) | SCTPA_ROW(HEARTBEAT);
    if (!(c->rows & concerned) && sctpa_reconfig_requester(c, c->from)->n_requests == 0)
        return;
#undef SCTPA_RULE
#define SCTPA_RULE ASK_OF_PARAM
    for (unsigned i = 0; c->rows & SCTPA_ROW(RE_CONFIG) && i < c->n_chunks; i++) {
        sctpa_tlv_iter_t iter;
        sctpa_tlv_t param;
        c->chunk = &c->chunks[i];
        if (c->chunk->tlv.type != SCTPA_CHUNK_RE_CONFIG || c->chunk->tlv.captured_bytes < c->chunk->tlv.wire_bytes)
            continue;
        sctpa_params_begin(&iter, &c->chunk->tlv);
        c->param = &param;
        while (sctpa_tlv_next(&iter, &param)) {
            if (!sctpa_reconfig_bit(param.type) || param.fault == SCTPA_FAULT_LENGTH_BEYOND_END)
                continue;
            sctpa_reconfig_observe_param(c);
#include "rules/reconfig/reconfig_rules.def"
            sctpa_reconfig_take_param(c);
        }
    }
#undef SCTPA_RULE
#define SCTPA_RULE ASK
#include "rules/reconfig/reconfig_rules.def"
    if (c->rows & SCTPA_DATA_ROWS)
        sctpa_reconfig_take_data(c);
}

void sctpa_check_interleaving(sctpa_context_t *c)
{
#include "rules/idata/idata_rules.def"
}

/* Nearly every packet of an association that is up leaves states and teardown as they are: their rules are not asked
 * then. */
void sctpa_check_states(sctpa_context_t *c)
{
    if (sctpa_states_are_settled(c))
        return;
#include "rules/states/states_rules.def"
    sctpa_states_take(c);
}

void sctpa_check_shutdown(sctpa_context_t *c)
{
    if (!sctpa_teardown_concerns(c))
        return;
#include "rules/shutdown/shutdown_rules.def"
    sctpa_teardown_take(c);
}

/* Few associations have strays, and few packets hold an ABORT or SHUTDOWN COMPLETE. */
void sctpa_check_tags(sctpa_context_t *c)
{
    const uint64_t reflecting = SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    if (!c->is_stray && !(c->rows & reflecting) && !sctpa_context_find_part(c, SCTPA_PART_WRONG_TAGS))
        return;
#include "rules/states/tags_rules.def"
    sctpa_wrong_tags_take(c);
}

void sctpa_check_timer(sctpa_context_t *c)
{
    sctpa_t3_expiries_observe(c);
#include "rules/timers/timers_rules.def"
    sctpa_t3_expiries_take(c);
}

/* Data and SACKs matter where there is a choice of paths, and data that is lost again and again. */
void sctpa_check_paths(sctpa_context_t *c)
{
    if (!(c->facts & (SCTPA_FACT_CONTROL | SCTPA_FACT_RTX)) && !sctpa_has_several_paths(c))
        return;
#include "rules/paths/paths_rules.def"
    sctpa_path_choice_take(c);
    sctpa_paths_take(c);
}

void sctpa_check_receiver(sctpa_context_t *c)
{
#include "rules/data_receiver/receiver_rules.def"
#include "rules/data_receiver/window_rules.def"
    sctpa_receiver_take(c);
}

void sctpa_check_drafts(sctpa_context_t *c)
{
#include "rules/drafts/drafts_rules.def"
}

void sctpa_check_ecn(sctpa_context_t *c)
{
#include "rules/ecn/ecn_rules.def"
    sctpa_ce_marks_take(c);
}

void sctpa_check_padding(sctpa_context_t *c)
{
#include "rules/format/padding_rules.def"
    sctpa_init_padding_take(c);
}

void sctpa_check_encapsulation(sctpa_context_t *c)
{
#include "rules/udp_encapsulation/udp_encapsulation_rules.def"
    sctpa_udp_ports_take(c);
    sctpa_data_channels_take(c);
}

void sctpa_check_checksum(sctpa_context_t *c)
{
#include "rules/format/checksum_rules.def"
}
