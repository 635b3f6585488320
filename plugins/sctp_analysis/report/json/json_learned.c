/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Learned parameters of an endpoint in JSON, and the reference sender that fits it. */
#include "json.h"
#include "section.h"

typedef struct {
    const sctpa_learned_value_t *value;
    sctpa_parameter_unit_t unit;
} learned_t;

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

#define SCTPA_SECTION learned
#define SCTPA_ROW learned_t
#define SCTPA_MEMBERS "../rows/learned_members.def"
#include "members.h"

static const sctpa_member_t of_parameter[] = {
    { .type = SCTPA_MEMBER_OBJECT, .may_be_null = true, .section = &sctpa_section_learned }
};
const sctpa_section_t sctpa_section_parameters = { .name = "parameters",
                                                   .is_inline = true,
                                                   .members = of_parameter,
                                                   .n = 1,
                                                   .keys = &sctpa_words_parameter,
                                                   .has_all_keys = true };

void sctpa_json_learned(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_json_end_t *of)
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

typedef struct {
    const sctpa_sender_fit_t *fit;
    unsigned member;
} as_well_t;

#define SCTPA_SECTION as_well
#define SCTPA_ROW as_well_t
#define SCTPA_INLINE true
#define SCTPA_MEMBERS "../rows/as_well_members.def"
#include "members.h"

static void write_as_well(json_dumper *json, const sctpa_view_t *view, const sctpa_sender_fit_t *fit)
{
    for (unsigned member = 0; member < SCTPA_SENDERS_MAX; member++)
        if (member != fit->best && fit->fitting >> member & 1)
            object_as_well(json, view, NULL, &(as_well_t){ fit, member });
}

#define SCTPA_SECTION sender_fit
#define SCTPA_ROW sctpa_sender_fit_t
#define SCTPA_INLINE true
#define SCTPA_MEMBERS "../rows/sender_fit_members.def"
#include "members.h"

void sctpa_json_sender_fit(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_json_end_t *of)
{
    sctpa_sender_fit_t fit;
    const bool has_fit = sctpa_sender_fit(view->sctpa, of->assoc->assoc->number, (uint8_t)of->end, &fit);
    object_sender_fit(json, view, name, has_fit ? &fit : NULL);
}
