/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,json: everything, as docs/json_schema.json has it, in one document. Unknown is null; keys of later stages are
 * null until then. Indented up to 1,000 associations, on one line beyond. -z sctp,ndjson: the same, a line per capture
 * and association. Leaves the associations themselves to json_assoc.c. */
#include "../reports.h"

#include "json.h"
#include "../triage/capture_quality.h"
#include "../text/outcome_text.h"
#include "../text/text.h"
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

static void json_known_ms(json_dumper *json, const char *name, bool known, int64_t ns)
{
    if (known)
        sctpa_json_ms(json, name, ns);
    else
        sctpa_json_null(json, name);
}

void sctpa_json_rate(json_dumper *json, const char *name, double bps)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    json_dumper_set_member_name(json, name);
    json_dumper_value_anyf(json, "%s", bps < 0 ? "null" : g_ascii_formatd(text, sizeof text, "%.1f", bps));
}

void sctpa_json_told_ms(json_dumper *json, const sctpa_view_t *view, const char *name, bool known, int64_t ns)
{
    json_known_ms(json, name, known && sctpa_view_tells(view, ns), ns);
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

void sctpa_json_ratio(json_dumper *json, const char *name, double ratio)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    json_dumper_set_member_name(json, name);
    json_dumper_value_anyf(json, "%s", ratio < 0 ? "null" : g_ascii_formatd(text, sizeof text, "%.6f", ratio));
}

void sctpa_json_addr(json_dumper *json, const char *name, const sctpa_addr_t *addr)
{
    GString *text = g_string_new(NULL);
    if (addr)
        sctpa_addr_append(text, addr);
    sctpa_json_text(json, name, text->len ? text->str : NULL);
    g_string_free(text, TRUE);
}

void sctpa_json_take(json_dumper *json, const char *name, char *text)
{
    sctpa_json_text(json, name, text);
    g_free(text);
}

void sctpa_json_bool(json_dumper *json, const char *name, bool value)
{
    json_dumper_set_member_name(json, name);
    json_dumper_value_anyf(json, value ? "true" : "false");
}

void sctpa_json_known_bool(json_dumper *json, const char *name, sctpa_known_t value)
{
    if (value == SCTPA_UNKNOWN)
        sctpa_json_null(json, name);
    else
        sctpa_json_bool(json, name, value == SCTPA_YES);
}

/* --- the capture --- */

/* What all parts of a document read. */
typedef struct {
    const sctpa_view_t *view;
    const sctpa_selection_t *selection;
    sctpa_json_sets_t *sets;
    sctpa_application_t *application;
} sources_t;

typedef struct {
    const char *kind;
    uint32_t count, first_frame;
} remark_t;

#define SCTPA_OBJECTS "../rows/document_objects.def"
#include "declared_objects.h"

/* Failures without an association: the capture has no packet of these. */
static void write_refused_inits(json_dumper *json, const sctpa_view_t *view, const sources_t *sources)
{
    unsigned kept;
    (void)sources;
    sctpa_refused_inits_count(view, &kept);
    for (unsigned i = 0; i < kept; i++)
        object_refused_init(json, view, NULL, &sctpa_summary(view->sctpa)->refused[i]);
}

static uint32_t refused_left_out(const sctpa_view_t *view)
{
    unsigned kept;
    return sctpa_refused_inits_count(view, &kept) - kept;
}

static void write_remark(json_dumper *json, const sctpa_view_t *view, const char *kind, uint32_t count,
                         uint32_t first_frame)
{
    if (count > 0)
        object_quality(json, view, NULL, &(remark_t){ kind, count, first_frame });
}

static void write_doubts(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection)
{
    sctpa_doubts_t doubts = { 0 };
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;
    while ((assoc = sctpa_selection_next(selection, &number)))
        sctpa_doubts_add_kind(&doubts, view->sctpa, assoc);
    const sctpa_doubtful_t *cut = sctpa_doubts_data_only(&doubts, view->sctpa);
    write_remark(json, view, SCTPA_REMARK_DATA_ONLY, cut->count, cut->first_frame);
    write_remark(json, view, SCTPA_REMARK_TRANSLATED, doubts.translated.count, doubts.translated.first_frame);
    write_remark(json, view, SCTPA_REMARK_TWO_CLOCKS, doubts.two_clocks.count, doubts.two_clocks.first_frame);
}

static void write_refuted(json_dumper *json, const sctpa_view_t *view, const char *kind, uint32_t packet)
{
    if (packet != SCTPA_NO_PACKET_INDEX)
        write_remark(json, view, kind, 1, sctpa_packet_frame(view->sctpa, packet));
}

static void write_quality(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection)
{
    const sctpa_quality_t *quality = sctpa_summary(view->sctpa)->quality;
    const sctpa_clock_steps_t *steps = sctpa_clock_steps(view->sctpa);
    const sctpa_asserted_t *asserted = sctpa_asserted(view->sctpa);
    const sctpa_file_gaps_t gaps = sctpa_file_gaps(view);

    for (unsigned kind = 0; kind < SCTPA_QUALITIES; kind++)
        write_remark(json, view, sctpa_capture_word(kind), quality[kind].count, quality[kind].first_frame);
    write_doubts(json, view, selection);
    if (steps->count > 0)
        write_remark(json, view, SCTPA_REMARK_CLOCK_AHEAD, steps->count,
                     sctpa_packet_frame(view->sctpa, steps->steps[0].packet));
    write_refuted(json, view, SCTPA_REMARK_COMPLETE_REFUTED, asserted->complete_refuted);
    write_refuted(json, view, SCTPA_REMARK_TAKEN_AT_REFUTED, asserted->taken_at_refuted);
    if (gaps.count > 0)
        write_remark(json, view, SCTPA_REMARK_GAP, gaps.count, gaps.first->first_frame);
}

static void write_taken_at(json_dumper *json, const sctpa_view_t *view, const sctpa_assertions_t *assertions)
{
    (void)view;
    for (unsigned i = 0; i < assertions->n_taken_at; i++)
        sctpa_json_take(json, NULL, sctpa_network_text(&assertions->taken_at[i]));
}

static void write_endpoint_parameters(json_dumper *json, const sctpa_view_t *view, const sctpa_assertions_t *assertions)
{
    (void)view;
    for (unsigned i = 0; i <= assertions->n_endpoints; i++)
        if (assertions->values[i].given != 0)
            sctpa_json_take(json, NULL, sctpa_asserted_values_text(assertions, i));
}

/* Which frames are of which file. */
static void write_files(json_dumper *json, const sctpa_view_t *view, const sources_t *sources)
{
    (void)sources;
    for (uint32_t i = 0; i < view->n_files; i++) {
        object_capture_file(json, view, NULL, &view->files[i]);
        sctpa_json_offer(json);
    }
}

static bool has_span(const sctpa_view_t *view)
{
    return view->start_ns || sctpa_summary(view->sctpa)->packets > 0;
}

static int64_t start_ns(const sctpa_view_t *view)
{
    return view->start_ns ? view->start_ns : sctpa_summary(view->sctpa)->first_ns;
}

/* --- the document --- */

static void write_words(json_dumper *json, const sctpa_view_t *view, const sctpa_words_t *words)
{
    (void)view;
    for (unsigned i = 0; i < words->n; i++)
        if (words->word(i))
            sctpa_json_text(json, NULL, words->word(i));
}

static void write_associations(json_dumper *json, const sctpa_view_t *view, const sources_t *sources)
{
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;

    while ((assoc = sctpa_selection_next(sources->selection, &number))) {
        json_dumper_begin_object(json);
        sctpa_json_assoc_members(json, view, sources->selection, assoc, sources->sets, sources->application);
        json_dumper_end_object(json);
        sctpa_json_offer(json);
    }
}

void sctpa_json_hand_over(sctpa_json_document_t *document)
{
    document->take(document->user, document->json.output_string);
    g_string_truncate(document->json.output_string, 0);
}

static sources_t sources_new(const sctpa_view_t *view)
{
    return (sources_t){ view, sctpa_selection_new(view), sctpa_json_sets_new(), sctpa_application_new(view) };
}

static void sources_free(sources_t *sources)
{
    sctpa_application_free(sources->application);
    sctpa_json_sets_free(sources->sets);
    sctpa_selection_free((sctpa_selection_t *)sources->selection);
}

static void write_document(json_dumper *json, const sctpa_view_t *view)
{
    sources_t sources = sources_new(view);
    object_document(json, view, NULL, &sources);
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
    const sources_t sources = { .view = view, .selection = selection };
    members_opening(sctpa_json_begin_line(lines, "capture"), view, &sources);
    sctpa_json_end_line(lines);
}

void sctpa_json_rules_line(sctpa_json_document_t *lines, const sctpa_json_sets_t *sets)
{
    json_dumper *json = sctpa_json_begin_line(lines, "rules");
    sctpa_json_rule_sets(json, NULL, "rule_sets", sets);
    sctpa_json_rules_by_need(json, NULL, "rules_by_need", NULL);
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

#define SCTPA_OBJECTS "../rows/document_objects.def"
#include "objects.h"
