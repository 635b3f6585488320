/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An endpoint in JSON, its learned parameters, and the reference sender that fits it. */
#include "json.h"

#include "../findings_filter.h"
#include "../text/protocol_names.h"

typedef struct {
    sctpa_json_end_t of;
    const sctpa_end_t *end;
    const uint32_t *checksums;
    int64_t tap_rtt_ns;
    const sctpa_judgement_t *judgement;
} endpoint_t;

typedef struct {
    const sctpa_learned_value_t *value;
    sctpa_parameter_unit_t unit;
} learned_t;

typedef struct {
    const sctpa_sender_fit_t *fit;
    unsigned member;
} as_well_t;

typedef struct {
    const char *name, *evidence;
} seeming_t;

#define SCTPA_OBJECTS "../rows/endpoint_objects.def"
#include "declared_objects.h"

static void write_addresses(json_dumper *json, const sctpa_view_t *view, const sctpa_end_t *end)
{
    (void)view;
    for (unsigned i = 0; i < end->n_addrs; i++)
        sctpa_json_addr(json, NULL, &end->addrs[i].addr);
}

static void write_extension(void *user, const char *word)
{
    sctpa_json_text(user, NULL, word);
}

static void write_extensions(json_dumper *json, const sctpa_view_t *view, const sctpa_end_t *end)
{
    (void)view;
    sctpa_extensions_each(end->init.supported_chunks, end->init.params, write_extension, json);
}

static const sctpa_member_t of_checksum[] = { { .type = SCTPA_MEMBER_COUNT } };
static const sctpa_section_t sctpa_section_checksum = {
    .name = "checksum", .is_inline = true, .members = of_checksum, .keys = &sctpa_words_checksum, .has_all_keys = true
};

static void write_checksums(json_dumper *json, const sctpa_view_t *view, const char *name, const uint32_t *counts)
{
    (void)view;
    sctpa_json_begin_object(json, name);
    for (unsigned kind = 0; kind < SCTPA_CHECKSUMS; kind++)
        sctpa_json_count(json, sctpa_words_checksum.word(kind), counts[kind]);
    json_dumper_end_object(json);
}

static void write_number(json_dumper *json, const char *name, sctpa_parameter_unit_t unit, int64_t number)
{
    if (unit == SCTPA_IN_MS)
        sctpa_json_ms(json, name, number);
    else if (unit == SCTPA_IN_S)
        sctpa_json_seconds(json, name, number);
    else
        sctpa_json_count(json, name, (uint64_t)number);
}
#define SCTPA_JSON_PARAMETER(key, value) write_number(json, key, row->unit, value)

static const sctpa_member_t of_parameter[] = {
    { .type = SCTPA_MEMBER_OBJECT, .may_be_null = true, .section = &sctpa_section_learned }
};
static const sctpa_section_t sctpa_section_parameters = { .name = "parameters",
                                                          .is_inline = true,
                                                          .members = of_parameter,
                                                          .keys = &sctpa_words_parameter,
                                                          .has_all_keys = true };

static void object_parameters(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_json_end_t *of)
{
    sctpa_learned_t learned;
    sctpa_learned(view->sctpa, of->assoc->assoc->number, (uint8_t)of->end, &learned);
    sctpa_json_begin_object(json, name);
    for (unsigned kind = 0; kind < SCTPA_PARAMETERS; kind++) {
        const sctpa_parameter_row_t *row = sctpa_parameter_row((sctpa_parameter_t)kind);
        const learned_t value = { &learned.values[kind], row->unit };
        if (row->word)
            object_learned(json, view, row->word, value.value->samples > 0 ? &value : NULL);
    }
    json_dumper_end_object(json);
}

static void write_as_well(json_dumper *json, const sctpa_view_t *view, const sctpa_sender_fit_t *fit)
{
    for (unsigned member = 0; member < SCTPA_SENDERS_MAX; member++)
        if (member != fit->best && fit->fitting >> member & 1)
            object_as_well(json, view, NULL, &(as_well_t){ fit, member });
}

static void object_sender_fit_of(json_dumper *json, const sctpa_view_t *view, const char *name,
                                 const sctpa_json_end_t *of)
{
    sctpa_sender_fit_t fit;
    const bool has_fit = sctpa_sender_fit(view->sctpa, of->assoc->assoc->number, (uint8_t)of->end, &fit);
    object_sender_fit(json, view, name, has_fit ? &fit : NULL);
}

static void object_stack_of(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_json_end_t *of)
{
    sctpa_stack_t stack = sctpa_stack(view->sctpa, of->assoc->assoc->number, (uint8_t)of->end);
    GString *evidence = g_string_new(NULL);
    if (stack.name)
        sctpa_findings_filter_marks(view, &stack, evidence);
    const seeming_t row = { stack.name, evidence->str };
    object_stack(json, view, name, stack.name ? &row : NULL);
    g_string_free(evidence, TRUE);
}

void sctpa_json_endpoints(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of)
{
    for (unsigned e = 0; e < 2; e++) {
        const endpoint_t row = { { of, e },
                                 &of->assoc->ends[e],
                                 sctpa_selection_checksums(of->selection, of->assoc, e),
                                 sctpa_tap_rtt_ns(view->sctpa, of->assoc->number, (uint8_t)e),
                                 &of->judgements[e] };
        object_endpoint(json, view, NULL, &row);
    }
}

#define SCTPA_OBJECTS "../rows/endpoint_objects.def"
#include "objects.h"
