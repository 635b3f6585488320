/* Learned parameters of an endpoint in JSON. */
#include "json.h"

static void write_number(json_dumper *json, const char *name, sctpa_learned_unit_t unit, int64_t number)
{
    if (unit == SCTPA_LEARNED_IN_MS)
        sctpa_json_ms(json, name, number);
    else if (unit == SCTPA_LEARNED_IN_S)
        sctpa_json_seconds(json, name, number);
    else
        sctpa_json_count(json, name, (uint64_t)number);
}

void sctpa_json_learned(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_learned_t learned;
    sctpa_learned(view->sctpa, assoc->number, (uint8_t)end, &learned);
    sctpa_json_begin_object(json, "learned");
    for (unsigned kind = 0; kind < SCTPA_LEARNED_KINDS; kind++) {
        const sctpa_learned_value_t *value = &learned.values[kind];
        const char *word = sctpa_learned_word((sctpa_learned_kind_t)kind);
        sctpa_learned_unit_t unit = sctpa_learned_unit((sctpa_learned_kind_t)kind);
        if (value->samples == 0) {
            sctpa_json_null(json, word);
            continue;
        }
        sctpa_json_begin_object(json, word);
        write_number(json, "value", unit, value->value);
        write_number(json, "low", unit, value->low);
        if (value->has_high)
            write_number(json, "high", unit, value->high);
        else
            sctpa_json_null(json, "high");
        sctpa_json_count(json, "samples", value->samples);
        json_dumper_end_object(json);
    }
    json_dumper_end_object(json);
}
