/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaves the members of associations, findings and pauses to json. */
#include "watch_lines.h"

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
    SCTPA_EVENT_PATH_RECOVERED, SCTPA_EVENT_FAILOVER, SCTPA_EVENT_ICMP_UNREACHABLE,
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
