/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaves the members of associations, findings and pauses to json. */
#include "watch_lines.h"

#include "../text/outcome_text.h"
#include "../text/refused_init_text.h"

static const char *const own_words[SCTPA_WATCH_EVENT_FIRST] = {
    [SCTPA_WATCH_SETUP_FAILED] = "setup_failed",
    [SCTPA_WATCH_FINDING] = "finding",
    [SCTPA_WATCH_FINDING_WITHDRAWN] = "finding_withdrawn",
    [SCTPA_WATCH_PAUSE] = "pause",
    [SCTPA_WATCH_PAUSE_ENDED] = "pause_ended",
};
/* What somebody wants to be woken for, or to hear that it is over. */
static const sctpa_event_kind_t events[SCTPA_WATCH_EVENTS] = {
    SCTPA_EVENT_ABORT,          SCTPA_EVENT_RESTART,  SCTPA_EVENT_PATH_INACTIVE,    SCTPA_EVENT_PATH_FAILED,
    SCTPA_EVENT_PATH_RECOVERED, SCTPA_EVENT_FAILOVER, SCTPA_EVENT_ICMP_UNREACHABLE, SCTPA_EVENT_ABORT_NOT_TAKEN,
};

unsigned sctpa_watch_kind_of(sctpa_event_kind_t event)
{
    for (unsigned i = 0; i < SCTPA_WATCH_EVENTS; i++)
        if (events[i] == event)
            return SCTPA_WATCH_EVENT_FIRST + i;
    return SCTPA_WATCH_KINDS;
}

static const char *word_of(unsigned kind)
{
    return kind < SCTPA_WATCH_EVENT_FIRST ? own_words[kind] : sctpa_event_word(events[kind - SCTPA_WATCH_EVENT_FIRST]);
}

static void write_endpoints(json_dumper *json, sctpa_labels_t *labels, const sctpa_assoc_t *assoc)
{
    GString *name = g_string_new(NULL);
    sctpa_json_begin_array(json, "endpoints");
    for (unsigned e = 0; e < 2; e++) {
        g_string_truncate(name, 0);
        sctpa_labels_end(labels, &assoc->ends[e], name);
        sctpa_json_text(json, NULL, name->str);
    }
    json_dumper_end_array(json);
    g_string_free(name, TRUE);
}

void sctpa_watch_event_line(sctpa_json_document_t *lines, const sctpa_view_t *view, sctpa_labels_t *labels,
                            const sctpa_assoc_t *assoc, const sctpa_watch_event_t *event, const char *text,
                            const sctpa_finding_t *finding, const sctpa_pause_t *pause)
{
    json_dumper *json = sctpa_json_begin_line(lines, "event");
    sctpa_json_text(json, "kind", word_of(event->kind));
    sctpa_json_seconds(json, "epoch_s", event->time_ns);
    sctpa_json_known(json, "frame", event->frame > 0, event->frame);
    sctpa_json_count(json, "association", assoc->number);
    write_endpoints(json, labels, assoc);
    sctpa_json_known(json, "endpoint", event->endpoint < SCTPA_NO_END, event->endpoint);
    sctpa_json_known(json, "path", event->path != SCTPA_NO_PATH, event->path);
    sctpa_json_text(json, "text", text);
    json_dumper_set_member_name(json, "finding");
    if (finding)
        sctpa_json_finding(json, view, assoc, finding, finding->count);
    else
        json_dumper_value_anyf(json, "null");
    json_dumper_set_member_name(json, "pause");
    if (pause)
        sctpa_json_pause(json, view, assoc, event->endpoint, pause);
    else
        json_dumper_value_anyf(json, "null");
    sctpa_json_end_line(lines);
}

static void append_name(GString *text, const sctpa_watch_name_t *name)
{
    const bool is_v6 = name->addr.bytes == 16;
    g_string_append(text, is_v6 ? "[" : "");
    sctpa_addr_append(text, &name->addr);
    g_string_append_printf(text, is_v6 ? "]:%u" : ":%u", name->port);
}

sctpa_watch_names_t sctpa_watch_refused_names(const sctpa_refused_init_t *refused)
{
    return (sctpa_watch_names_t){ { { refused->source, refused->source_port },
                                    { refused->destination, refused->destination_port } } };
}

void sctpa_watch_refused_line(sctpa_json_document_t *lines, sctpa_labels_t *labels, const sctpa_refused_init_t *refused)
{
    const sctpa_watch_names_t names = sctpa_watch_refused_names(refused);
    GString *text = g_string_new(NULL);
    json_dumper *json = sctpa_json_begin_line(lines, "event");
    sctpa_json_text(json, "kind", word_of(SCTPA_WATCH_SETUP_FAILED));
    sctpa_json_seconds(json, "epoch_s", refused->first_ns);
    sctpa_json_count(json, "frame", refused->first_frame);
    sctpa_json_null(json, "association");
    sctpa_json_begin_array(json, "endpoints");
    for (unsigned e = 0; e < 2; e++) {
        append_name(text, &names.of[e]);
        sctpa_json_text(json, NULL, text->str);
        g_string_truncate(text, 0);
    }
    json_dumper_end_array(json);
    sctpa_json_count(json, "endpoint", 0);
    sctpa_json_null(json, "path");
    g_string_append(text, "set-up failed: ");
    sctpa_refused_init_append_why(text, labels, refused);
    sctpa_json_text(json, "text", text->str);
    sctpa_json_null(json, "finding");
    sctpa_json_null(json, "pause");
    sctpa_json_end_line(lines);
    g_string_free(text, TRUE);
}

void sctpa_watch_association_line(sctpa_json_document_t *lines, const sctpa_view_t *view, const sctpa_assoc_t *assoc,
                                  const char *why, uint32_t continues, sctpa_json_sets_t *sets)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    json_dumper *json = sctpa_json_begin_line(lines, "association");
    sctpa_json_text(json, "forgotten", why);
    sctpa_json_known(json, "continues", continues != SCTPA_NO_ASSOC, continues);
    sctpa_json_seconds(json, "start_epoch_s", assoc->first_ns);
    sctpa_json_assoc_members(json, view, selection, assoc, sets, NULL);
    sctpa_json_end_line(lines);
    sctpa_selection_free(selection);
}

static void append_names(GString *text, const sctpa_watch_names_t *names)
{
    for (unsigned e = 0; e < 2; e++) {
        g_string_append(text, e ? " and " : "");
        append_name(text, &names->of[e]);
    }
}

/* "9,999,900 more associations alike in the last 60 s: INIT without answer; the first between A and B, ..." */
static void append_folded(GString *text, const sctpa_watch_folded_t *folded)
{
    static const char *const phrases[] = { [SCTPA_ASSOC_OPEN] = "set-up begun, nothing after it",
                                           [SCTPA_ASSOC_NO_ANSWER] = "INIT without answer",
                                           [SCTPA_ASSOC_REFUSED] = "set-up refused",
                                           [SCTPA_ASSOC_FAILED] = "set-up failed" };
    const bool is_event = folded->kind < SCTPA_WATCH_KINDS;
    g_string_append_printf(text, "%u more %s alike in the last %" G_GINT64_FORMAT " s: ", folded->count,
                           is_event ? "events" : "associations",
                           (folded->during_ns + SCTPA_NS_PER_S - 1) / SCTPA_NS_PER_S);
    if (!is_event && folded->end < G_N_ELEMENTS(phrases) && phrases[folded->end])
        g_string_append(text, phrases[folded->end]);
    else
        sctpa_outcome_append_word(text, is_event ? word_of(folded->kind) : sctpa_assoc_end_word(folded->end));
    g_string_append(text, "; the first between ");
    append_names(text, &folded->first);
    g_string_append(text, ", the last between ");
    append_names(text, &folded->last);
}

void sctpa_watch_folded_line(sctpa_json_document_t *lines, int64_t time_ns, const sctpa_watch_folded_t *folded)
{
    const bool is_event = folded->kind < SCTPA_WATCH_KINDS;
    GString *text = g_string_new(NULL);
    json_dumper *json = sctpa_json_begin_line(lines, "folded");
    append_folded(text, folded);
    sctpa_json_text(json, "kind", is_event ? word_of(folded->kind) : "association");
    sctpa_json_seconds(json, "epoch_s", time_ns);
    sctpa_json_count(json, "count", folded->count);
    sctpa_json_text(json, "end", is_event ? NULL : sctpa_assoc_end_word(folded->end));
    sctpa_json_text(json, "forgotten", folded->why);
    sctpa_json_text(json, "text", text->str);
    sctpa_json_end_line(lines);
    g_string_free(text, TRUE);
}

void sctpa_watch_counts_line(sctpa_json_document_t *lines, const sctpa_view_t *view, int64_t time_ns,
                             const sctpa_watch_totals_t *totals, uint32_t watched, size_t held_bytes)
{
    json_dumper *json = sctpa_json_begin_line(lines, "counts");
    sctpa_json_seconds(json, "epoch_s", time_ns);
    sctpa_json_known(json, "frames", view->frames > 0, view->frames);
    sctpa_json_count(json, "sctp_packets", sctpa_summary(view->sctpa)->packets);
    sctpa_json_count(json, "data_chunks", totals->data_chunks);
    sctpa_json_count(json, "data_bytes", totals->data_bytes);
    sctpa_json_begin_object(json, "retransmissions");
    for (unsigned kind = 0; kind < SCTPA_RTX_KINDS; kind++)
        sctpa_json_count(json, sctpa_rtx_word((sctpa_rtx_kind_t)kind), totals->retransmissions[kind]);
    json_dumper_end_object(json);
    sctpa_json_count(json, "findings", totals->told[SCTPA_WATCH_FINDING]);
    sctpa_json_begin_object(json, "events");
    for (unsigned kind = 0; kind < SCTPA_WATCH_KINDS; kind++)
        sctpa_json_count(json, word_of(kind), totals->told[kind]);
    json_dumper_end_object(json);
    sctpa_json_count(json, "associations", sctpa_assoc_count(view->sctpa));
    sctpa_json_count(json, "watched", watched);
    sctpa_json_count(json, "held_bytes", held_bytes);
    sctpa_json_end_line(lines);
}
