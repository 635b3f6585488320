/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When something is told, and in which line of JSON; of associations that have hardly begun, which a flood makes by
 * the million, so many lines of a kind a minute, and one that counts the rest. Leaves the members of associations,
 * findings and pauses to report/json, forgetting to the core. */
#include "watch.h"

#include "../findings_filter.h"
#include "../text/address_labels.h"
#include "../text/finding_words.h"
#include "../text/outcome_text.h"
#include "../text/pause_text.h"
#include "../text/text.h"

typedef struct sctpa_watch_folds sctpa_watch_folds_t;

enum {
    LINES_FREE = 100, /* a minute of a kind: with the 5 kB that a line of an association has, 8 kB/s */
    MINUTE_S = 60,
    ENDS = SCTPA_ASSOC_ENDS,
    WHYS = 4,
    KINDS = SCTPA_WATCH_KINDS + ENDS * WHYS
};

static const char *const whys[WHYS] = { NULL, "ended", "idle", "part" };

typedef struct {
    uint32_t written;
    sctpa_watch_folded_t folded;
} fold_t;

struct sctpa_watch_folds {
    fold_t kinds[KINDS];
    int64_t since_ns; /* by the clock of silence */
};

static sctpa_watch_folds_t *watch_folds_new(void)
{
    return g_new0(sctpa_watch_folds_t, 1);
}

static sctpa_watch_names_t names_of(const sctpa_assoc_t *assoc)
{
    sctpa_watch_names_t names;
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_addr_t *addr = sctpa_end_first_addr(&assoc->ends[e]);
        names.of[e] = (sctpa_watch_name_t){ .port = assoc->ends[e].port };
        if (addr)
            names.of[e].addr = *addr;
    }
    return names;
}

static bool id_is_folded(fold_t *fold, const sctpa_watch_folded_t *kind, const sctpa_watch_names_t *names)
{
    if (fold->written < LINES_FREE) {
        fold->written++;
        return false;
    }
    if (fold->folded.count == 0) {
        fold->folded = *kind;
        fold->folded.first = *names;
    }
    fold->folded.count++;
    fold->folded.last = *names;
    return true;
}

/* Is there no line any more for an event of a kind, or for an association that ended like this and was forgotten (why:
 * NULL was not)? Then it is counted instead. assoc: one that has hardly begun. O(1). */
static bool watch_folds_event(sctpa_watch_folds_t *folds, unsigned kind, const sctpa_assoc_t *assoc)
{
    const sctpa_watch_names_t names = names_of(assoc);
    return id_is_folded(&folds->kinds[kind], &(const sctpa_watch_folded_t){ .kind = kind }, &names);
}

static sctpa_watch_names_t watch_refused_names(const sctpa_refused_init_t *refused)
{
    return (sctpa_watch_names_t){ { { refused->source, refused->source_port },
                                    { refused->destination, refused->destination_port } } };
}

/* The same of a set-up that only ICMP errors show, for an event of SCTPA_WATCH_SETUP_FAILED. O(1). */
static bool watch_folds_refused_init(sctpa_watch_folds_t *folds, const sctpa_refused_init_t *refused)
{
    const sctpa_watch_names_t names = watch_refused_names(refused);
    const unsigned kind = SCTPA_WATCH_SETUP_FAILED;
    return id_is_folded(&folds->kinds[kind], &(const sctpa_watch_folded_t){ .kind = kind }, &names);
}

static bool watch_folds_association(sctpa_watch_folds_t *folds, sctpa_assoc_end_t end, const char *why,
                                    const sctpa_assoc_t *assoc)
{
    unsigned nth = 0;
    while (nth < WHYS - 1 && g_strcmp0(whys[nth], why) != 0)
        nth++;
    const sctpa_watch_folded_t kind = { .kind = SCTPA_WATCH_KINDS, .end = end, .why = why };
    const sctpa_watch_names_t names = names_of(assoc);
    return id_is_folded(&folds->kinds[SCTPA_WATCH_KINDS + (unsigned)end * WHYS + nth], &kind, &names);
}

/* Calls tell for each kind of which lines were left out when a minute is over, as silence counts
 * (sctpa_forgetting_clock_ns), or is_end, and begins anew. O(1), and O(kinds) once a minute. */
static void watch_folds_pass(sctpa_watch_folds_t *folds, int64_t clock_ns, bool is_end,
                             void (*tell)(void *user, const sctpa_watch_folded_t *folded), void *user)
{
    if (!is_end && clock_ns < folds->since_ns + MINUTE_S * SCTPA_NS_PER_S)
        return;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        fold_t *fold = &folds->kinds[kind];
        fold->folded.during_ns = clock_ns - folds->since_ns;
        if (fold->folded.count > 0)
            tell(user, &fold->folded);
        *fold = (fold_t){ .written = 0 };
    }
    folds->since_ns = clock_ns;
}

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

/* Of an event of the core; SCTPA_WATCH_KINDS: it is not told. */
static unsigned watch_kind_of(sctpa_event_kind_t event)
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

/* An event with its sentence, which is escaped; labels: spelled out; finding, and pause of the
 * endpoint's data: NULL none. */
static void watch_event_line(sctpa_json_document_t *lines, const sctpa_view_t *view, sctpa_labels_t *labels,
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

/* A set-up that only ICMP errors show, as an event of SCTPA_WATCH_SETUP_FAILED without an association. */
static void watch_refused_line(sctpa_json_document_t *lines, sctpa_labels_t *labels,
                               const sctpa_refused_init_t *refused)
{
    const sctpa_watch_names_t names = watch_refused_names(refused);
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

/* An association, right before it is forgotten; why: NULL at the end of the capture. */
static void watch_association_line(sctpa_json_document_t *lines, const sctpa_view_t *view, const sctpa_assoc_t *assoc,
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

/* What was left out up to a moment. */
static void watch_folded_line(sctpa_json_document_t *lines, int64_t time_ns, const sctpa_watch_folded_t *folded)
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

/* Counts up to a moment. */
static void watch_counts_line(sctpa_json_document_t *lines, const sctpa_view_t *view, int64_t time_ns,
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

enum {
    COUNTS_S = 10,            /* from one line of counts to the next */
    KEPT_LEAST = 1024,        /* of so few associations nothing is dropped before its time */
    PAUSE_RECORDS_FREE = 4096 /* a pause of a direction with fewer records is always explained */
};

/* The pause of a direction that was told. */
typedef struct {
    uint32_t since;       /* packet; SCTPA_NO_PACKET_INDEX none */
    uint32_t measured_at; /* packets that had been fed when its direction was walked last */
} told_pause_t;

/* What was told of an association. */
typedef struct {
    bool setup_failed;
    told_pause_t pauses[2]; /* of the data that each endpoint sent */
    GArray *findings;       /* uint32_t: key_of */
} told_t;

typedef struct {
    int64_t due_ns;
    uint32_t assoc;
} setup_t;

struct sctpa_watch {
    sctpa_t *sctpa;
    sctpa_watch_limits_t limits;
    void (*read_view)(sctpa_view_t *view);
    sctpa_view_t view;
    sctpa_json_document_t *lines;
    sctpa_json_sets_t *sets;
    sctpa_labels_t *labels;
    sctpa_forgetting_t *forgetting;
    sctpa_watch_totals_t totals;
    sctpa_watch_folds_t *folds;
    GHashTable *told;          /* number of an association -> told_t */
    GQueue setups;             /* setup_t that may still fail, by due_ns */
    uint32_t known;            /* associations seen */
    uint32_t refused;          /* of the INITs that only ICMP errors show, told */
    int64_t counts_ns, now_ns; /* when counts are told next, by the clock of silence; time of the last frame */
    bool has_lines;            /* since they were handed over last */
};

static void told_free(gpointer data)
{
    told_t *told = data;
    g_array_unref(told->findings);
    g_free(told);
}

static told_t *told_of(sctpa_watch_t *watch, uint32_t assoc)
{
    told_t *told = g_hash_table_lookup(watch->told, GUINT_TO_POINTER(assoc));
    if (!told) {
        told = g_new0(told_t, 1);
        told->findings = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        told->pauses[0].since = told->pauses[1].since = SCTPA_NO_PACKET_INDEX;
        g_hash_table_insert(watch->told, GUINT_TO_POINTER(assoc), told);
    }
    return told;
}

/* The lines that follow are of now. */
static const sctpa_view_t *begin(sctpa_watch_t *watch)
{
    if (!watch->has_lines)
        watch->read_view(&watch->view);
    watch->has_lines = true;
    return &watch->view;
}

static void hand_over(sctpa_watch_t *watch)
{
    if (watch->has_lines)
        sctpa_json_hand_over(watch->lines);
    watch->has_lines = false;
}

static void tell(sctpa_watch_t *watch, const sctpa_assoc_t *assoc, const sctpa_watch_event_t *event, GString *text,
                 const sctpa_finding_t *finding, const sctpa_pause_t *pause)
{
    watch->totals.told[event->kind]++;
    watch_event_line(watch->lines, begin(watch), watch->labels, assoc, event, text->str, finding, pause);
    g_string_free(text, TRUE);
}

/* Has an event of one that has hardly begun no line of its own any more? Then it is counted. */
static bool is_folded(sctpa_watch_t *watch, const sctpa_assoc_t *assoc, unsigned kind)
{
    if (!sctpa_has_hardly_begun(watch->sctpa, assoc) || !watch_folds_event(watch->folds, kind, assoc))
        return false;
    watch->totals.told[kind]++;
    return true;
}

static void tell_folded(void *user, const sctpa_watch_folded_t *folded)
{
    sctpa_watch_t *watch = user;
    (void)begin(watch);
    watch_folded_line(watch->lines, watch->now_ns, folded);
}

/* --- Set-up --- */

static bool has_failed_to_be_set_up(sctpa_assoc_end_t end)
{
    return end == SCTPA_ASSOC_REFUSED || end == SCTPA_ASSOC_NO_ANSWER || end == SCTPA_ASSOC_FAILED;
}

static void tell_setup(sctpa_watch_t *watch, const sctpa_assoc_t *assoc, const sctpa_outcome_t *outcome)
{
    told_t *told = told_of(watch, assoc->number);
    const uint32_t inits = assoc->setup.steps[SCTPA_STEP_INIT].count;
    if (told->setup_failed)
        return;
    told->setup_failed = true;
    if (is_folded(watch, assoc, SCTPA_WATCH_SETUP_FAILED))
        return;
    const sctpa_view_t *view = begin(watch);
    GString *text = g_string_new("set-up failed, "), *why = g_string_new(NULL);
    sctpa_outcome_append_word(text, sctpa_assoc_end_word(outcome->end));
    if (outcome->end == SCTPA_ASSOC_NO_ANSWER)
        g_string_append_printf(text, " to %u INIT%s so far", inits, inits == 1 ? "" : "s");
    sctpa_outcome_append_why(why, view, assoc, 200);
    if (why->len > 0)
        g_string_append_printf(text, ": %s", why->str);
    g_string_free(why, TRUE);
    const sctpa_watch_event_t event = { SCTPA_WATCH_SETUP_FAILED, outcome->last_frame, outcome->last_ns,
                                        sctpa_assoc_initiator(assoc), SCTPA_NO_PATH };
    tell(watch, assoc, &event, text, NULL, NULL);
}

static void watch_setups(sctpa_watch_t *watch)
{
    const int64_t clock_ns = sctpa_forgetting_clock_ns(watch->forgetting);
    for (; watch->known < sctpa_assoc_count(watch->sctpa); watch->known++) {
        setup_t *setup = g_new(setup_t, 1);
        *setup = (setup_t){ clock_ns + SCTPA_NO_ANSWER_S * SCTPA_NS_PER_S, watch->known };
        g_queue_push_tail(&watch->setups, setup);
    }
    setup_t *first;
    while ((first = g_queue_peek_head(&watch->setups)) && first->due_ns <= clock_ns) {
        const sctpa_assoc_t *assoc = sctpa_assoc(watch->sctpa, first->assoc);
        const sctpa_outcome_t outcome = sctpa_outcome(watch->sctpa, assoc, watch->now_ns);
        const bool has_failed = has_failed_to_be_set_up(outcome.end);
        const bool may_fail = assoc->number == first->assoc && outcome.end == SCTPA_ASSOC_OPEN &&
                              sctpa_assoc_setup_seen(assoc) == SCTPA_SETUP_PARTIAL;
        g_queue_pop_head(&watch->setups);
        if (assoc->number == first->assoc && has_failed)
            tell_setup(watch, assoc, &outcome);
        first->due_ns = clock_ns + SCTPA_NO_ANSWER_S * SCTPA_NS_PER_S;
        if (may_fail)
            g_queue_push_tail(&watch->setups, first);
        else
            g_free(first);
    }
}

/* Once for each pair of addresses and ports that the core tells apart. */
static void watch_refused_inits(sctpa_watch_t *watch)
{
    const sctpa_summary_t *summary = sctpa_summary(watch->sctpa);
    watch->refused = MIN(watch->refused, summary->n_refused); /* fewer: the INIT of some was captured later */
    for (; watch->refused < summary->n_refused; watch->refused++) {
        const sctpa_refused_init_t *refused = &summary->refused[MIN(watch->refused, SCTPA_REFUSED_INITS_MAX)];
        watch->totals.told[SCTPA_WATCH_SETUP_FAILED]++;
        if (watch_folds_refused_init(watch->folds, refused))
            continue;
        (void)begin(watch);
        watch_refused_line(watch->lines, watch->labels, refused);
    }
}

/* --- Events and findings --- */

/* Of the ABORTs the one that ends the association; one that refuses a set-up is told as its failure. */
static void tell_event(sctpa_watch_t *watch, const sctpa_assoc_t *assoc, const sctpa_event_t *event)
{
    const unsigned kind = watch_kind_of(event->kind);
    if (kind == SCTPA_WATCH_KINDS || (event->kind == SCTPA_EVENT_ABORT && event->frame != assoc->end_frame))
        return;
    const sctpa_outcome_t outcome = sctpa_outcome(watch->sctpa, assoc, watch->now_ns);
    if (event->kind == SCTPA_EVENT_ABORT && has_failed_to_be_set_up(outcome.end)) {
        tell_setup(watch, assoc, &outcome);
        return;
    }
    if (is_folded(watch, assoc, kind))
        return;
    const sctpa_watch_event_t line = { kind, event->frame, event->time_ns, event->end, event->path };
    GString *text = g_string_new(NULL);
    sctpa_outcome_append_word(text, sctpa_event_word(event->kind));
    if (event->detail)
        g_string_append_printf(text, ": %s", event->detail);
    tell(watch, assoc, &line, text, NULL, NULL);
}

static uint32_t key_of(const sctpa_finding_t *finding)
{
    return (uint32_t)finding->rule << 1 | finding->accused;
}

static void tell_finding(sctpa_watch_t *watch, const sctpa_assoc_t *assoc, const sctpa_finding_t *finding)
{
    told_t *told = told_of(watch, assoc->number);
    const uint32_t key = key_of(finding);
    for (unsigned i = 0; i < told->findings->len; i++)
        if (g_array_index(told->findings, uint32_t, i) == key)
            return;
    g_array_append_val(told->findings, key);
    if (is_folded(watch, assoc, SCTPA_WATCH_FINDING))
        return;
    const sctpa_view_t *view = begin(watch);
    const sctpa_watch_event_t line = { SCTPA_WATCH_FINDING, sctpa_findings_filter_frame(view, finding),
                                       finding->time_ns, finding->accused, finding->path };
    GString *text = g_string_new(NULL);
    sctpa_finding_append(text, view, finding, finding->count);
    tell(watch, assoc, &line, text, finding, NULL);
}

static bool is_worth_telling(const sctpa_finding_t *finding)
{
    return finding->level != SCTPA_LEVEL_HEURISTIC && finding->certainty == SCTPA_CERTAINTY_PROVEN;
}

static void tell_withdrawn(sctpa_watch_t *watch, const sctpa_assoc_t *assoc, uint32_t key)
{
    if (is_folded(watch, assoc, SCTPA_WATCH_FINDING_WITHDRAWN))
        return;
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s is withdrawn: the capture lacks packets that may explain it",
                    sctpa_rule_info((sctpa_rule_t)(key >> 1))->id);
    const sctpa_watch_event_t line = { SCTPA_WATCH_FINDING_WITHDRAWN, 0, watch->now_ns, key & 1, SCTPA_NO_PATH };
    tell(watch, assoc, &line, text, NULL, NULL);
}

/* Those that were proven by packets after their own; and of those that were told, which the rest of the capture has
 * withdrawn. O(findings^2), of an association. */
static void settle_findings(sctpa_watch_t *watch, const sctpa_assoc_t *assoc)
{
    const sctpa_finding_t *f;
    for (f = sctpa_finding_first(watch->sctpa, assoc->number); f;
         f = sctpa_finding_next(watch->sctpa, assoc->number, f))
        if (is_worth_telling(f))
            tell_finding(watch, assoc, f);
    const told_t *told = g_hash_table_lookup(watch->told, GUINT_TO_POINTER(assoc->number));
    for (unsigned i = 0; told && i < told->findings->len; i++) {
        const uint32_t key = g_array_index(told->findings, uint32_t, i);
        f = sctpa_finding_first(watch->sctpa, assoc->number);
        while (f && key_of(f) != key)
            f = sctpa_finding_next(watch->sctpa, assoc->number, f);
        if (!f)
            tell_withdrawn(watch, assoc, key);
    }
}

/* --- Pauses --- */

/* What a walk of the direction costs. */
static uint32_t records_of(const sctpa_watch_t *watch, uint32_t assoc, uint8_t end)
{
    const sctpa_direction_t *sent = sctpa_direction(watch->sctpa, assoc, end);
    return sent ? sent->tsns + sent->sacks.len + sent->rare->rtx.len : 0;
}

/* The pause that a packet lies in, as far as it is known now; false: it is none, or to look would cost too much. */
static bool find_pause(sctpa_watch_t *watch, const sctpa_assoc_t *assoc, uint8_t end, uint32_t since,
                       sctpa_pause_t *pause)
{
    const uint32_t records = records_of(watch, assoc->number, end), fed = sctpa_summary(watch->sctpa)->packets;
    told_pause_t *told = &told_of(watch, assoc->number)->pauses[end];
    bool is_found = false;
    if (records > PAUSE_RECORDS_FREE && fed - told->measured_at < records / 4)
        return false;
    told->measured_at = fed;
    sctpa_pauses_t *pauses = sctpa_view_pauses(begin(watch), assoc, end);
    for (unsigned i = pauses ? pauses->pauses->len : 0; i > 0 && !is_found; i--) {
        *pause = g_array_index(pauses->pauses, sctpa_pause_t, i - 1);
        is_found = pause->since <= since && since < pause->until;
    }
    if (pauses)
        sctpa_pauses_free(pauses);
    return is_found;
}

static void tell_pause(sctpa_watch_t *watch, const sctpa_assoc_t *assoc, uint8_t end, uint32_t since,
                       const sctpa_packet_result_t *packet, bool has_ended)
{
    const int64_t now_ns = sctpa_packet_time_ns(watch->sctpa, packet->index);
    const sctpa_view_t *view = begin(watch);
    sctpa_pause_t pause;
    const bool is_known = find_pause(watch, assoc, end, since, &pause);
    GString *text = g_string_new(has_ended ? "data waited " : "data has been waiting ");
    sctpa_text_duration(text, is_known ? pause.paused_ns : now_ns - sctpa_packet_time_ns(watch->sctpa, since));
    g_string_append(text, has_ended ? "" : " for an acknowledgement");
    if (is_known) {
        g_string_append(text, ": ");
        sctpa_pause_append_why(text, view, watch->labels, assoc, end, &pause);
    }
    const sctpa_watch_event_t line = { has_ended ? SCTPA_WATCH_PAUSE_ENDED : SCTPA_WATCH_PAUSE, packet->frame, now_ns,
                                       end, SCTPA_NO_PATH };
    tell(watch, assoc, &line, text, NULL, is_known ? &pause : NULL);
}

static void watch_pause(sctpa_watch_t *watch, const sctpa_assoc_t *assoc, uint8_t end,
                        const sctpa_packet_result_t *packet)
{
    const uint32_t since = sctpa_waits_since(watch->sctpa, assoc->number, end);
    told_t *told = g_hash_table_lookup(watch->told, GUINT_TO_POINTER(assoc->number));
    if (told && told->pauses[end].since != SCTPA_NO_PACKET_INDEX && told->pauses[end].since != since) {
        const uint32_t before = told->pauses[end].since;
        told->pauses[end].since = SCTPA_NO_PACKET_INDEX;
        tell_pause(watch, assoc, end, before, packet, true);
    }
    if (since == SCTPA_NO_PACKET_INDEX || (told && told->pauses[end].since == since))
        return;
    const int64_t waited_ns =
        sctpa_packet_time_ns(watch->sctpa, packet->index) - sctpa_packet_time_ns(watch->sctpa, since);
    if (waited_ns < watch->limits.pause_ns)
        return;
    told_of(watch, assoc->number)->pauses[end].since = since;
    tell_pause(watch, assoc, end, since, packet, false);
}

/* --- What is kept of associations that are gone --- */

static bool is_gone(const sctpa_watch_t *watch, uint32_t number)
{
    const sctpa_assoc_t *assoc = sctpa_assoc(watch->sctpa, number);
    return assoc->number != number || assoc->merged_into != SCTPA_NO_ASSOC;
}

static gboolean is_told_of_gone(gpointer key, gpointer value, gpointer watch)
{
    (void)value;
    return is_gone(watch, GPOINTER_TO_UINT(key));
}

/* Once most of it may be: O(1) a frame, amortised. */
static void drop_gone(sctpa_watch_t *watch)
{
    const unsigned most = 2 * sctpa_forgetting_living(watch->forgetting) + KEPT_LEAST;
    if (g_hash_table_size(watch->told) > most)
        g_hash_table_foreach_remove(watch->told, is_told_of_gone, watch);
    if (g_queue_get_length(&watch->setups) <= most)
        return;
    for (GList *at = watch->setups.head, *next; at; at = next) {
        next = at->next;
        if (is_gone(watch, ((const setup_t *)at->data)->assoc)) {
            g_free(at->data);
            g_queue_delete_link(&watch->setups, at);
        }
    }
}

/* --- Counts --- */

static void count(sctpa_watch_t *watch, const sctpa_packet_result_t *packet, const sctpa_packet_t *bytes)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    sctpa_data_result_t data;
    sctpa_chunks_begin(&iter, bytes->bytes, bytes->captured_bytes, bytes->wire_bytes);
    while (sctpa_tlv_next(&iter, &chunk)) {
        if (!sctpa_data_result(watch->sctpa, packet, &chunk, &data))
            continue;
        watch->totals.data_chunks++;
        watch->totals.data_bytes += sctpa_chunk_payload_bytes(&chunk);
        if (data.is_retransmission)
            watch->totals.retransmissions[data.kind]++;
    }
}

static void tell_counts(sctpa_watch_t *watch)
{
    watch_counts_line(watch->lines, begin(watch), watch->now_ns, &watch->totals,
                      sctpa_forgetting_living(watch->forgetting), sctpa_forgetting_held_bytes(watch->forgetting));
}

/* --- Associations --- */

static void tell_association(sctpa_watch_t *watch, const sctpa_assoc_t *assoc, const char *why)
{
    const sctpa_outcome_t outcome = sctpa_outcome(watch->sctpa, assoc, watch->now_ns);
    if (has_failed_to_be_set_up(outcome.end))
        tell_setup(watch, assoc, &outcome);
    settle_findings(watch, assoc);
    const uint32_t continues = sctpa_forgetting_continues(watch->forgetting, assoc->number);
    if (continues != SCTPA_NO_ASSOC || !sctpa_has_hardly_begun(watch->sctpa, assoc) ||
        !watch_folds_association(watch->folds, outcome.end, why, assoc))
        watch_association_line(watch->lines, begin(watch), assoc, why, continues, watch->sets);
    g_hash_table_remove(watch->told, GUINT_TO_POINTER(assoc->number));
}

static void on_forgotten(void *user, uint32_t number, sctpa_forgotten_t why)
{
    static const char *const words[] = {
        [SCTPA_FORGOTTEN_ENDED] = "ended", [SCTPA_FORGOTTEN_IDLE] = "idle", [SCTPA_FORGOTTEN_PART] = "part"
    };
    sctpa_watch_t *watch = user;
    tell_association(watch, sctpa_assoc(watch->sctpa, number), words[why]);
}

/* --- What is called --- */

sctpa_watch_t *sctpa_watch_new(sctpa_t *sctpa, const sctpa_watch_limits_t *limits,
                               void (*read_view)(sctpa_view_t *view), sctpa_take_fn take, void *user)
{
    sctpa_watch_t *watch = g_new0(sctpa_watch_t, 1);
    watch->sctpa = sctpa;
    watch->limits = *limits;
    watch->read_view = read_view;
    watch->lines = sctpa_json_lines_new(take, user);
    watch->sets = sctpa_json_sets_new();
    watch->labels = sctpa_labels_new_spelled_out(&watch->view);
    watch->forgetting = sctpa_forgetting_new(sctpa, limits->idle_ns, limits->held_bytes_max, on_forgotten, watch);
    watch->folds = watch_folds_new();
    watch->told = g_hash_table_new_full(NULL, NULL, NULL, told_free);
    g_queue_init(&watch->setups);
    watch->counts_ns = COUNTS_S * SCTPA_NS_PER_S;
    return watch;
}

void sctpa_watch_free(sctpa_watch_t *watch)
{
    if (!watch)
        return;
    sctpa_json_lines_free(watch->lines);
    sctpa_json_sets_free(watch->sets);
    sctpa_labels_free(watch->labels);
    sctpa_forgetting_free(watch->forgetting);
    g_free(watch->folds);
    g_hash_table_unref(watch->told);
    g_queue_clear_full(&watch->setups, g_free);
    g_free(watch);
}

void sctpa_watch_frame(sctpa_watch_t *watch, int64_t time_ns)
{
    watch->now_ns = time_ns;
    sctpa_forgetting_pass(watch->forgetting, SCTPA_NO_ASSOC, time_ns);
    watch_setups(watch);
    watch_refused_inits(watch);
    drop_gone(watch);
    const int64_t clock_ns = sctpa_forgetting_clock_ns(watch->forgetting);
    watch_folds_pass(watch->folds, clock_ns, false, tell_folded, watch);
    if (clock_ns >= watch->counts_ns) {
        watch->counts_ns = clock_ns + COUNTS_S * SCTPA_NS_PER_S;
        tell_counts(watch);
    }
    hand_over(watch);
}

void sctpa_watch_packet(sctpa_watch_t *watch, const sctpa_packet_result_t *packet, const sctpa_packet_t *bytes)
{
    uint32_t at = 0;
    const sctpa_event_t *event;
    const sctpa_finding_t *finding;
    const sctpa_assoc_t *assoc = sctpa_assoc(watch->sctpa, packet->assoc);
    if (assoc->number == SCTPA_NO_ASSOC || packet->remarks & SCTPA_CAPTURE_DUPLICATE)
        return;
    watch->now_ns = sctpa_packet_time_ns(watch->sctpa, packet->index);
    count(watch, packet, bytes);
    while ((event = sctpa_packet_event(watch->sctpa, packet, &at)))
        tell_event(watch, assoc, event);
    for (unsigned nth = 0; (finding = sctpa_packet_finding(watch->sctpa, packet->index, nth)); nth++)
        if (is_worth_telling(finding))
            tell_finding(watch, assoc, finding);
    for (uint8_t end = 0; end < 2; end++)
        watch_pause(watch, assoc, end, packet);
    sctpa_forgetting_pass(watch->forgetting, packet->assoc, watch->now_ns);
    hand_over(watch);
}

void sctpa_watch_end(sctpa_watch_t *watch)
{
    for (uint32_t number = 0; number < sctpa_assoc_count(watch->sctpa); number++) {
        const sctpa_assoc_t *assoc = sctpa_assoc(watch->sctpa, number);
        if (assoc->number != SCTPA_NO_ASSOC && assoc->merged_into == SCTPA_NO_ASSOC)
            tell_association(watch, assoc, NULL);
    }
    watch_folds_pass(watch->folds, sctpa_forgetting_clock_ns(watch->forgetting), true, tell_folded, watch);
    tell_counts(watch);
    const sctpa_view_t *view = begin(watch);
    sctpa_selection_t *selection = sctpa_selection_new(view);
    sctpa_json_capture_line(watch->lines, view, selection);
    sctpa_selection_free(selection);
    sctpa_json_rules_line(watch->lines, watch->sets);
    hand_over(watch);
}
