/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Learned parameters of an endpoint in JSON. */
#include "json.h"

static void write_number(json_dumper *json, const char *name, sctpa_parameter_unit_t unit, int64_t number)
{
    if (unit == SCTPA_IN_MS)
        sctpa_json_ms(json, name, number);
    else if (unit == SCTPA_IN_S)
        sctpa_json_seconds(json, name, number);
    else
        sctpa_json_count(json, name, (uint64_t)number);
}

void sctpa_json_learned(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_learned_t learned;
    sctpa_learned(view->sctpa, assoc->number, (uint8_t)end, &learned);
    sctpa_json_begin_object(json, "learned");
    for (unsigned kind = 0; kind < SCTPA_PARAMETERS; kind++) {
        const sctpa_learned_value_t *value = &learned.values[kind];
        const sctpa_parameter_row_t *row = sctpa_parameter_row((sctpa_parameter_t)kind);
        const char *word = row->word;
        if (!word)
            continue;
        if (value->samples == 0) {
            sctpa_json_null(json, word);
            continue;
        }
        sctpa_json_begin_object(json, word);
        write_number(json, "value", row->unit, value->value);
        write_number(json, "low", row->unit, value->low);
        if (value->has_high)
            write_number(json, "high", row->unit, value->high);
        else
            sctpa_json_null(json, "high");
        sctpa_json_count(json, "samples", value->samples);
        json_dumper_end_object(json);
    }
    json_dumper_end_object(json);
}
