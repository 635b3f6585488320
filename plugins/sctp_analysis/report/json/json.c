/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,json: everything, as docs/json_schema.json has it, in one document. Unknown is null; keys of later stages are
 * null until then. Indented up to 1,000 associations, on one line beyond. -z sctp,ndjson: the same, a line per capture
 * and association. Leaves the associations themselves to json_assoc.c. */
#include "json.h"

#include "../reports.h"
#include "../text/outcome_text.h"
#include "../text/text.h"
#include "../triage/capture_quality.h"
#include "../view.h"

/* A json_dumper that the functions of json.h are given is always that of a document. */
struct sctpa_json_document {
    json_dumper json; /* the first member */
    sctpa_take_fn take;
    void *user;
};

enum { TEXT_COLUMNS = 4000, INDENTED_ASSOCS_MAX = 1000 };

void sctpa_json_null(json_dumper *json, const char *name)
{
    json_dumper_set_member_name(json, name);
    json_dumper_value_anyf(json, "null");
}

void sctpa_json_count(json_dumper *json, const char *name, uint64_t count)
{
    json_dumper_set_member_name(json, name);
    json_dumper_value_anyf(json, "%" G_GUINT64_FORMAT, (guint64)count);
}

void sctpa_json_known(json_dumper *json, const char *name, bool known, uint64_t count)
{
    if (known)
        sctpa_json_count(json, name, count);
    else
        sctpa_json_null(json, name);
}

void sctpa_json_text(json_dumper *json, const char *name, const char *text)
{
    if (name)
        json_dumper_set_member_name(json, name);
    if (!text) {
        json_dumper_value_anyf(json, "null");
        return;
    }
    GString *safe = g_string_new(NULL);
    sctpa_text_escape(safe, text, TEXT_COLUMNS);
    json_dumper_value_string(json, safe->str);
    g_string_free(safe, TRUE);
}

void sctpa_json_seconds(json_dumper *json, const char *name, int64_t ns)
{
    GString *text = g_string_new(NULL);
    sctpa_text_exact_seconds(text, ns);
    json_dumper_set_member_name(json, name);
    json_dumper_value_anyf(json, "%s", text->str);
    g_string_free(text, TRUE);
}

void sctpa_json_ms(json_dumper *json, const char *name, int64_t ns)
{
    uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    json_dumper_set_member_name(json, name);
    json_dumper_value_anyf(json, "%s%" G_GUINT64_FORMAT ".%06u", ns < 0 ? "-" : "", (guint64)(size / 1000000),
                           (unsigned)(size % 1000000));
}

void sctpa_json_known_seconds(json_dumper *json, const char *name, bool known, int64_t ns)
{
    if (known)
        sctpa_json_seconds(json, name, ns);
    else
        sctpa_json_null(json, name);
}

void sctpa_json_known_ms(json_dumper *json, const char *name, bool known, int64_t ns)
{
    if (known)
        sctpa_json_ms(json, name, ns);
    else
        sctpa_json_null(json, name);
}

void sctpa_json_packet(json_dumper *json, const sctpa_view_t *view, const char *name, uint32_t packet)
{
    sctpa_json_known(json, name, packet != SCTPA_NO_PACKET_INDEX, sctpa_packet_frame(view->sctpa, packet));
}

void sctpa_json_rate(json_dumper *json, const char *name, double bps)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    json_dumper_set_member_name(json, name);
    json_dumper_value_anyf(json, "%s", bps < 0 ? "null" : g_ascii_formatd(text, sizeof text, "%.1f", bps));
}

void sctpa_json_told_ms(json_dumper *json, const sctpa_view_t *view, const char *name, bool known, int64_t ns)
{
    sctpa_json_known_ms(json, name, known && sctpa_view_tells(view, ns), ns);
}

void sctpa_json_spread(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_percentiles_t *spread)
{
    if (spread->samples == 0) {
        sctpa_json_null(json, name);
        return;
    }
    sctpa_json_begin_object(json, name);
    sctpa_json_told_ms(json, view, "min", true, spread->min_ns);
    sctpa_json_told_ms(json, view, "median", true, spread->median_ns);
    sctpa_json_told_ms(json, view, "p95", true, spread->p95_ns);
    sctpa_json_told_ms(json, view, "max", true, spread->max_ns);
    sctpa_json_count(json, "samples", spread->samples);
    json_dumper_end_object(json);
}

void sctpa_json_begin_object(json_dumper *json, const char *name)
{
    if (name)
        json_dumper_set_member_name(json, name);
    json_dumper_begin_object(json);
}

void sctpa_json_begin_array(json_dumper *json, const char *name)
{
    if (name)
        json_dumper_set_member_name(json, name);
    json_dumper_begin_array(json);
}

static void write_addr(json_dumper *json, const char *name, const sctpa_addr_t *addr)
{
    GString *text = g_string_new(NULL);
    sctpa_addr_append(text, addr);
    sctpa_json_text(json, name, text->str);
    g_string_free(text, TRUE);
}

static void write_refused_init(json_dumper *json, const sctpa_refused_init_t *refused)
{
    json_dumper_begin_object(json);
    write_addr(json, "source", &refused->source);
    sctpa_json_count(json, "source_port", refused->source_port);
    write_addr(json, "destination", &refused->destination);
    sctpa_json_count(json, "destination_port", refused->destination_port);
    write_addr(json, "reporter", &refused->reporter);
    sctpa_json_text(json, "reason", refused->reason);
    sctpa_json_count(json, "errors", refused->errors);
    sctpa_json_count(json, "first_frame", refused->first_frame);
    json_dumper_end_object(json);
}

static void write_remark(json_dumper *json, const char *kind, uint32_t count, uint32_t first_frame)
{
    json_dumper_begin_object(json);
    sctpa_json_text(json, "kind", kind);
    sctpa_json_count(json, "count", count);
    sctpa_json_count(json, "first_frame", first_frame);
    json_dumper_end_object(json);
}

static void write_doubts(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection)
{
    sctpa_doubts_t doubts = { 0 };
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;
    while ((assoc = sctpa_selection_next(selection, &number)))
        sctpa_doubts_add_kind(&doubts, view->sctpa, assoc);
    const sctpa_doubtful_t *cut = sctpa_doubts_data_only(&doubts, view->sctpa);
    if (cut->count > 0)
        write_remark(json, "data_only", cut->count, cut->first_frame);
    if (doubts.translated.count > 0)
        write_remark(json, "translated", doubts.translated.count, doubts.translated.first_frame);
    if (doubts.two_clocks.count > 0)
        write_remark(json, "two_clocks", doubts.two_clocks.count, doubts.two_clocks.first_frame);
}

static void write_clock_steps(json_dumper *json, const sctpa_view_t *view)
{
    const sctpa_clock_steps_t *steps = sctpa_clock_steps(view->sctpa);
    if (steps->count > 0)
        write_remark(json, "clock_ahead", steps->count, sctpa_packet_frame(view->sctpa, steps->steps[0].packet));
}

static void write_refuted(json_dumper *json, const sctpa_view_t *view)
{
    const sctpa_asserted_t *asserted = sctpa_asserted(view->sctpa);
    if (asserted->complete_refuted != SCTPA_NO_PACKET_INDEX)
        write_remark(json, "complete_refuted", 1, sctpa_packet_frame(view->sctpa, asserted->complete_refuted));
    if (asserted->taken_at_refuted != SCTPA_NO_PACKET_INDEX)
        write_remark(json, "taken_at_refuted", 1, sctpa_packet_frame(view->sctpa, asserted->taken_at_refuted));
}

static void write_gaps(json_dumper *json, const sctpa_view_t *view)
{
    sctpa_file_gaps_t gaps = sctpa_file_gaps(view);
    if (gaps.count > 0)
        write_remark(json, "gap", gaps.count, gaps.first->first_frame);
}

static void write_quality(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection)
{
    const sctpa_summary_t *summary = sctpa_summary(view->sctpa);
    sctpa_json_begin_array(json, "quality");
    for (unsigned kind = 0; kind < SCTPA_QUALITIES; kind++) {
        const sctpa_quality_t *quality = &summary->quality[kind];
        if (quality->count > 0)
            write_remark(json, sctpa_capture_word(kind), quality->count, quality->first_frame);
    }
    write_doubts(json, view, selection);
    write_clock_steps(json, view);
    write_refuted(json, view);
    write_gaps(json, view);
    json_dumper_end_array(json);
}

/* What the user asserted, in the words in which it is asserted. */
static void write_asserted(json_dumper *json, const sctpa_assertions_t *assertions)
{
    sctpa_json_begin_object(json, "asserted");
    json_dumper_set_member_name(json, "complete");
    json_dumper_value_anyf(json, assertions->complete ? "true" : "false");
    sctpa_json_begin_array(json, "taken_at");
    for (unsigned i = 0; i < assertions->n_taken_at; i++) {
        char *text = sctpa_network_text(&assertions->taken_at[i]);
        sctpa_json_text(json, NULL, text);
        g_free(text);
    }
    json_dumper_end_array(json);
    sctpa_json_begin_array(json, "endpoint_parameters");
    for (unsigned i = 0; i <= assertions->n_endpoints; i++) {
        char *text = sctpa_asserted_values_text(assertions, i);
        if (assertions->values[i].given != 0)
            sctpa_json_text(json, NULL, text);
        g_free(text);
    }
    json_dumper_end_array(json);
    json_dumper_end_object(json);
}

/* Which frames are of which file. */
static void write_files(json_dumper *json, const sctpa_view_t *view)
{
    if (view->n_files == 0) {
        sctpa_json_null(json, "files");
        return;
    }
    sctpa_json_begin_array(json, "files");
    for (uint32_t i = 0; i < view->n_files; i++) {
        const sctpa_capture_file_t *file = &view->files[i];
        json_dumper_begin_object(json);
        sctpa_json_text(json, "file", file->name);
        sctpa_json_known(json, "first_frame", file->frames > 0, file->first_frame);
        sctpa_json_known(json, "last_frame", file->frames > 0, file->first_frame + file->frames - 1);
        json_dumper_set_member_name(json, "whole");
        json_dumper_value_anyf(json, file->is_whole ? "true" : "false");
        sctpa_json_text(json, "message", file->message);
        sctpa_json_text(json, "gap_before", file->gap);
        sctpa_json_known(json, "dropped_packets", file->knows_dropped, file->dropped);
        json_dumper_end_object(json);
        sctpa_json_offer(json);
    }
    json_dumper_end_array(json);
}

/* Failures without an association: the capture has no packet of these. */
static void write_refused_inits(json_dumper *json, const sctpa_view_t *view)
{
    unsigned kept;
    sctpa_json_count(json, "refused_inits_left_out", sctpa_refused_inits_count(view, &kept) - kept);
    sctpa_json_begin_array(json, "refused_inits");
    for (unsigned i = 0; i < kept; i++)
        write_refused_init(json, &sctpa_summary(view->sctpa)->refused[i]);
    json_dumper_end_array(json);
}

static void write_capture(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection)
{
    const sctpa_summary_t *summary = sctpa_summary(view->sctpa);
    int64_t start_ns = view->start_ns ? view->start_ns : summary->first_ns;

    sctpa_json_begin_object(json, "capture");
    sctpa_json_text(json, "file", view->file);
    write_files(json, view);
    if (view->start_ns || summary->packets) {
        sctpa_json_seconds(json, "start_epoch_s", start_ns);
        sctpa_json_seconds(json, "duration_s", sctpa_view_duration(view));
    } else {
        sctpa_json_null(json, "start_epoch_s");
        sctpa_json_null(json, "duration_s");
    }
    sctpa_json_known(json, "frames", view->frames > 0, view->frames);
    sctpa_json_count(json, "sctp_packets", summary->packets);
    sctpa_json_text(json, "filter", view->filter);
    write_asserted(json, sctpa_asserted(view->sctpa)->assertions);
    sctpa_json_ms(json, "stamp_unit_ms", sctpa_summary(view->sctpa)->stamp_unit_ns);
    write_quality(json, view, selection);
    write_refused_inits(json, view);
    json_dumper_end_object(json);
}

void sctpa_json_hand_over(sctpa_json_document_t *document)
{
    document->take(document->user, document->json.output_string);
    g_string_truncate(document->json.output_string, 0);
}

void sctpa_json_offer(json_dumper *json)
{
    if (json->output_string->len >= SCTPA_PIECE_BYTES)
        sctpa_json_hand_over((sctpa_json_document_t *)json);
}

/* What all parts of a document read. */
typedef struct {
    sctpa_selection_t *selection;
    sctpa_json_sets_t *sets;
    sctpa_application_t *application;
} sources_t;

static sources_t sources_new(const sctpa_view_t *view)
{
    return (sources_t){ sctpa_selection_new(view), sctpa_json_sets_new(), sctpa_application_new(view) };
}

static void sources_free(sources_t *sources)
{
    sctpa_application_free(sources->application);
    sctpa_json_sets_free(sources->sets);
    sctpa_selection_free(sources->selection);
}

static void write_opening(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection)
{
    sctpa_json_text(json, "schema", "sctp-analysis/2");
    sctpa_json_begin_object(json, "generator");
    sctpa_json_text(json, "plugin", view->plugin_version);
    sctpa_json_text(json, "wireshark", view->wireshark_version);
    json_dumper_end_object(json);
    write_capture(json, view, selection);
}

static void write_document(json_dumper *json, const sctpa_view_t *view)
{
    sources_t sources = sources_new(view);
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;

    json_dumper_begin_object(json);
    write_opening(json, view, sources.selection);
    sctpa_json_begin_array(json, "associations");
    while ((assoc = sctpa_selection_next(sources.selection, &number))) {
        json_dumper_begin_object(json);
        sctpa_json_assoc_members(json, view, sources.selection, assoc, sources.sets, sources.application);
        json_dumper_end_object(json);
        sctpa_json_offer(json);
    }
    json_dumper_end_array(json);
    sctpa_json_rule_sets(json, sources.sets);
    sctpa_json_rules(json);
    json_dumper_end_object(json);
    sources_free(&sources);
}

static sctpa_json_document_t document_of(sctpa_take_fn take, void *user, int flags)
{
    return (
        sctpa_json_document_t){ .json = { .output_string = g_string_sized_new(2 * SCTPA_PIECE_BYTES), .flags = flags },
                                .take = take,
                                .user = user };
}

static void document_end(sctpa_json_document_t *document)
{
    sctpa_json_hand_over(document);
    g_string_free(document->json.output_string, TRUE);
}

void sctpa_report_json(const sctpa_view_t *view, sctpa_take_fn take, void *user)
{
    bool for_people = sctpa_assoc_count(view->sctpa) <= INDENTED_ASSOCS_MAX;
    sctpa_json_document_t document = document_of(take, user, for_people ? JSON_DUMPER_FLAGS_PRETTY_PRINT : 0);
    write_document(&document.json, view);
    json_dumper_finish(&document.json);
    g_string_append_c(document.json.output_string, '\n');
    document_end(&document);
}

/* --- Lines --- */

sctpa_json_document_t *sctpa_json_lines_new(sctpa_take_fn take, void *user)
{
    sctpa_json_document_t *lines = g_new(sctpa_json_document_t, 1);
    *lines = document_of(take, user, 0);
    return lines;
}

void sctpa_json_lines_free(sctpa_json_document_t *lines)
{
    document_end(lines);
    g_free(lines);
}

/* A line is a document of its own to json_dumper. */
json_dumper *sctpa_json_begin_line(sctpa_json_document_t *lines, const char *record)
{
    lines->json = (json_dumper){ .output_string = lines->json.output_string };
    json_dumper_begin_object(&lines->json);
    sctpa_json_text(&lines->json, "record", record);
    return &lines->json;
}

void sctpa_json_end_line(sctpa_json_document_t *lines)
{
    json_dumper_end_object(&lines->json);
    json_dumper_finish(&lines->json); /* with a newline */
    sctpa_json_offer(&lines->json);
}

void sctpa_json_capture_line(sctpa_json_document_t *lines, const sctpa_view_t *view, const sctpa_selection_t *selection)
{
    write_opening(sctpa_json_begin_line(lines, "capture"), view, selection);
    sctpa_json_end_line(lines);
}

void sctpa_json_rules_line(sctpa_json_document_t *lines, const sctpa_json_sets_t *sets)
{
    json_dumper *json = sctpa_json_begin_line(lines, "rules");
    sctpa_json_rule_sets(json, sets);
    sctpa_json_rules(json);
    sctpa_json_end_line(lines);
}

void sctpa_report_ndjson(const sctpa_view_t *view, sctpa_take_fn take, void *user)
{
    sctpa_json_document_t *lines = sctpa_json_lines_new(take, user);
    sources_t sources = sources_new(view);
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;

    sctpa_json_capture_line(lines, view, sources.selection);
    while ((assoc = sctpa_selection_next(sources.selection, &number))) {
        json_dumper *json = sctpa_json_begin_line(lines, "association");
        sctpa_json_assoc_members(json, view, sources.selection, assoc, sources.sets, sources.application);
        sctpa_json_end_line(lines);
    }
    sctpa_json_rules_line(lines, sources.sets);
    sources_free(&sources);
    sctpa_json_lines_free(lines);
}
