/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Learned parameters of an endpoint in JSON, and the reference sender that fits it. */
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

static void write_sender(json_dumper *json, const sctpa_sender_fit_t *fit, unsigned member)
{
    sctpa_json_text(json, "sender", sctpa_sender_words(member));
    sctpa_json_count(json, "explained", fit->explained[member]);
}

void sctpa_json_sender_fit(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_sender_fit_t fit;
    if (!sctpa_sender_fit(view->sctpa, assoc->number, (uint8_t)end, &fit)) {
        sctpa_json_null(json, "sender_fit");
        return;
    }
    sctpa_json_begin_object(json, "sender_fit");
    write_sender(json, &fit, fit.best);
    sctpa_json_count(json, "occasions", fit.occasions);
    sctpa_json_count(json, "frame", sctpa_packet_frame(view->sctpa, fit.packet));
    sctpa_json_begin_array(json, "as_well");
    for (unsigned member = 0; member < SCTPA_SENDERS_MAX; member++) {
        if (member == fit.best || !(fit.fitting >> member & 1))
            continue;
        sctpa_json_begin_object(json, NULL);
        write_sender(json, &fit, member);
        json_dumper_end_object(json);
    }
    json_dumper_end_array(json);
    json_dumper_end_object(json);
}
