/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths that failed, were left or do not answer, and set-ups that needed repeating. */
#include "triage.h"

#include "../text/outcome_text.h"
#include "outcome_groups.h"
#include "../text/text.h"
#include "outages_text.h"
#include "triage_moves.h"

enum { EVENTS_SAID = 4, DETAIL_COLUMNS = 90, SENTENCE_BYTES = 500 };

static bool is_path_event(const sctpa_event_t *event)
{
    return event->kind == SCTPA_EVENT_PRIMARY_CHANGED || event->kind == SCTPA_EVENT_PATH_FAILED ||
           event->kind == SCTPA_EVENT_PATH_RECOVERED || event->kind == SCTPA_EVENT_FAILOVER;
}

/* Is it the end of an outage, which is said with it? */
static bool is_part_of_outage(const sctpa_assoc_t *assoc, const sctpa_event_t *event)
{
    const sctpa_end_t *end = &assoc->ends[event->end];
    for (unsigned i = 0; event->kind == SCTPA_EVENT_PATH_RECOVERED && i < sctpa_outages_count(end); i++)
        if (end->rare->switching->outages[i].path == event->path &&
            end->rare->switching->outages[i].answered_frame == event->frame)
            return true;
    return false;
}

/* Is it said by a failover of the same end at the same frame? */
static bool is_part_of_failover(const sctpa_assoc_t *assoc, const sctpa_event_t *event)
{
    if (event->kind != SCTPA_EVENT_PATH_FAILED && event->kind != SCTPA_EVENT_PRIMARY_CHANGED)
        return false;
    for (uint32_t i = sctpa_assoc_event_from(assoc, event->frame);
         i < assoc->n_events && assoc->events[i].frame == event->frame; i++)
        if (assoc->events[i].kind == SCTPA_EVENT_FAILOVER && assoc->events[i].end == event->end)
            return true;
    return false;
}

/* "failover at frame 812: ..." for the first few of an end; moved: where new data went is said already. */
static void append_events(const sctpa_assoc_t *assoc, unsigned end, bool moved, GString *text)
{
    unsigned n = 0;
    for (unsigned i = 0; i < assoc->n_events; i++) {
        const sctpa_event_t *event = &assoc->events[i];
        if (event->end != end || !is_path_event(event) || (moved && event->kind == SCTPA_EVENT_PRIMARY_CHANGED))
            continue;
        if (is_part_of_failover(assoc, event) || is_part_of_outage(assoc, event) || ++n > EVENTS_SAID)
            continue;
        sctpa_text_separate(text);
        sctpa_outcome_append_word(text, sctpa_event_word(event->kind));
        g_string_append_printf(text, " at frame %u", event->frame);
        if (event->detail) {
            g_string_append(text, ": ");
            sctpa_text_escape(text, event->detail, DETAIL_COLUMNS);
        }
    }
    if (n > EVENTS_SAID)
        g_string_append_printf(text, "; %u more such events", n - EVENTS_SAID);
}

static bool has_outage(const sctpa_end_t *end, unsigned path)
{
    for (unsigned i = 0; i < sctpa_outages_count(end); i++)
        if (end->rare->switching->outages[i].path == path)
            return true;
    return false;
}

/* HEARTBEATs without answer, none where the capture may lack the answers. */
static uint32_t unanswered(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                           unsigned path)
{
    const sctpa_probing_t *probed = sctpa_path_probed(trouble->view->sctpa, assoc, end, path);
    const uint32_t n = probed->heartbeats - MIN(probed->heartbeats_acked, probed->heartbeats);
    if (n == 0 || assoc->ends[!end].settled->packets == 0 || sctpa_assoc_is_data_only(assoc))
        return 0;
    return sctpa_unseen_rest(trouble->view->sctpa, assoc->number, !end).kind == SCTPA_UNSEEN_NONE ? n : 0;
}

static void append_unanswered(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                              unsigned path, GString *text)
{
    sctpa_text_separate(text);
    sctpa_triage_append_path(trouble, &assoc->ends[end], path, text);
    g_string_append_printf(text, " did not answer %u of ", unanswered(trouble, assoc, end, path));
    sctpa_text_quantity(text, sctpa_path_probed(trouble->view->sctpa, assoc, end, path)->heartbeats, "HEARTBEAT", NULL);
}

/* Was nothing ever sent from the address of a path, to which HEARTBEATs went? */
static bool never_answered(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                           unsigned path)
{
    const sctpa_addr_t *addr = assoc->ends[end].paths[path].destination;
    const sctpa_end_t *peer = &assoc->ends[!end];
    if (unanswered(trouble, assoc, end, path) < SCTPA_HEARTBEATS_LOST ||
        sctpa_path_probed(trouble->view->sctpa, assoc, end, path)->heartbeats_acked > 0)
        return false;
    for (unsigned i = 0; i < peer->n_addrs; i++)
        if (sctpa_addr_equal(&peer->addrs[i].addr, addr))
            return (peer->addrs[i].origin & (SCTPA_ADDR_LISTED | SCTPA_ADDR_SOURCE)) == SCTPA_ADDR_LISTED;
    return false;
}

static unsigned listed_addresses(const sctpa_end_t *end)
{
    unsigned listed = 0;
    for (unsigned i = 0; i < end->n_addrs; i++)
        listed += (end->addrs[i].origin & SCTPA_ADDR_LISTED) != 0;
    return listed;
}

/* "5 of the 6 addresses that endpoint 1 listed in its INIT ACK never answered (10.1.1.2, 10.1.1.3, …): ...". */
static void append_never_answered(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                                  GString *text)
{
    enum { NAMED = 2 };
    GString *names = g_string_new(NULL);
    unsigned n = 0;
    for (unsigned path = 0; path < assoc->ends[end].n_paths; path++)
        if (never_answered(trouble, assoc, end, path) && n++ < NAMED) {
            g_string_append(names, n > 1 ? ", " : "");
            sctpa_triage_append_path(trouble, &assoc->ends[end], path, names);
        }
    if (n > 0) {
        const bool is_initiator = assoc->setup.steps[SCTPA_STEP_INIT].by == !end;
        sctpa_text_separate(text);
        g_string_append_printf(text,
                               "%u of the %u addresses that endpoint %u listed in its %s never answered (%s%s): bind "
                               "its SCTP to the others, or route %s",
                               n, listed_addresses(&assoc->ends[!end]), !end, is_initiator ? "INIT" : "INIT ACK",
                               names->str, n > NAMED ? ", …" : "", n > 1 ? "these" : "it");
    }
    g_string_free(names, TRUE);
}

/* A path on which the size of packets decides which arrive. */
typedef struct {
    bool is_found;
    uint16_t path;
    sctpa_lost_sizes_t sizes;
} too_big_t;

static too_big_t find_too_big(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end)
{
    const sctpa_series_source_t source =
        sctpa_series_source(trouble->view->sctpa, assoc->number, (uint8_t)end, trouble->view->start_ns);
    too_big_t found = { .is_found = false };
    for (unsigned path = 0; !found.is_found && path < MIN(assoc->ends[end].n_paths, SCTPA_SIZES_PATHS); path++) {
        found.path = (uint16_t)path;
        found.is_found = sctpa_lost_by_size(&source, found.path, &found.sizes);
    }
    return found;
}

/* "every packet of 1,248 bytes or more to 10.1.1.1 was lost (6 transmissions), and each smaller one arrived, ...". */
static void append_too_big(const sctpa_triage_trouble_t *trouble, const sctpa_end_t *end, const too_big_t *found,
                           GString *text)
{
    sctpa_text_separate(text);
    g_string_append(text, "every packet of ");
    sctpa_text_quantity(text, found->sizes.lost_least_bytes, "byte", NULL);
    g_string_append(text, " or more to ");
    sctpa_triage_append_path(trouble, end, found->path, text);
    g_string_append(text, " was lost (");
    sctpa_text_quantity(text, found->sizes.lost, "transmission", NULL);
    g_string_append(text, "), and each smaller one arrived, up to ");
    sctpa_text_quantity(text, found->sizes.arrived_most_bytes, "byte", NULL);
    g_string_append(text, ": most likely the path MTU is smaller");
}

/* SHUTDOWN COMPLETEs of an end that do not arrive, or are ignored; the next arrives where one was lost. */
static uint8_t unheard_completes(const sctpa_assoc_t *assoc, unsigned end)
{
    const uint8_t unheard = sctpa_closing(assoc, !end)->unheard;
    return unheard > 1 ? unheard : 0;
}

/* "endpoint 0 sent SHUTDOWN ACK 5 times up to frame 30, though SHUTDOWN COMPLETEs of endpoint 1 passed: ...". */
static void append_unheard(const sctpa_assoc_t *assoc, unsigned end, GString *text)
{
    const sctpa_closing_t *closing = sctpa_closing(assoc, !end);
    if (unheard_completes(assoc, end) == 0)
        return;
    sctpa_text_separate(text);
    g_string_append_printf(
        text,
        "endpoint %u sent SHUTDOWN ACK %u times (frames %u to %u), %u of them after a SHUTDOWN "
        "COMPLETE of endpoint %u had passed: these did not reach endpoint %u (lost behind the capture "
        "point), or it ignored them",
        !end, closing->asks, closing->first_frame, closing->last_frame, closing->unheard, end, !end);
}

/* What there is to say of the paths of an end, by its weight; 0 nothing. */
static uint64_t weight_of(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                          const sctpa_way_changes_t *changes, const too_big_t *too_big)
{
    uint64_t weight = sctpa_way_changes_weight(changes) + sctpa_outages_count(&assoc->ends[end]) +
                      (too_big->is_found ? too_big->sizes.lost : 0) + unheard_completes(assoc, end);
    for (unsigned i = 0; i < assoc->n_events; i++)
        weight += assoc->events[i].end == end && is_path_event(&assoc->events[i]);
    for (unsigned path = 0; path < assoc->ends[end].n_paths; path++)
        if (unanswered(trouble, assoc, end, path) >= SCTPA_HEARTBEATS_LOST)
            weight += unanswered(trouble, assoc, end, path);
    return weight;
}

static void append_all(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                       const sctpa_way_changes_t *changes, const too_big_t *too_big, const sctpa_measure_t *measure,
                       GString *text)
{
    if (measure)
        sctpa_way_changes_append(trouble, assoc, end, changes, measure, text);
    if (too_big->is_found)
        append_too_big(trouble, &assoc->ends[end], too_big, text);
    append_events(assoc, end, changes->moves.n > 0, text);
    sctpa_outages_append(trouble, assoc, end, text);
    append_never_answered(trouble, assoc, end, text);
    append_unheard(assoc, end, text);
    for (unsigned path = 0; path < assoc->ends[end].n_paths; path++)
        if (unanswered(trouble, assoc, end, path) >= SCTPA_HEARTBEATS_LOST &&
            !never_answered(trouble, assoc, end, path) && !has_outage(&assoc->ends[end], path) &&
            text->len < SENTENCE_BYTES)
            append_unanswered(trouble, assoc, end, path, text);
}

/* Where new data first changed paths, or the first event of a path; 0 none. */
static uint32_t first_frame(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                            const sctpa_moves_t *moves)
{
    if (moves->n > 0)
        return sctpa_packet_frame(view->sctpa, moves->first[0].packet);
    for (unsigned i = 0; i < assoc->n_events; i++)
        if (assoc->events[i].end == end && is_path_event(&assoc->events[i]))
            return assoc->events[i].frame;
    return unheard_completes(assoc, end) > 0 ? sctpa_closing(assoc, !end)->first_frame : 0;
}

/* Does nothing but moves without an error concern the paths of an end? Its weight is known. */
static bool is_chosen(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                      const sctpa_way_changes_t *changes, uint64_t weight)
{
    for (unsigned i = 0; i < assoc->n_events; i++)
        if (assoc->events[i].end == end && assoc->events[i].kind == SCTPA_EVENT_PRIMARY_CHANGED)
            weight--;
    return weight == changes->moves.n && sctpa_way_changes_are_chosen(trouble->view, assoc, end, changes);
}

/* Why data moved without an error, unless a request of the endpoints is said with it. */
static void append_chosen(const sctpa_way_changes_t *changes, GString *text)
{
    g_string_append(text, "; no timeout of the path before, and no two HEARTBEATs without answer");
    for (unsigned i = 0; changes->handovers && i < changes->handovers->len; i++)
        if (g_array_index(changes->handovers, sctpa_handover_t, i).request)
            return;
    g_string_append(text, ": most likely its application, or its peer, set the primary path");
}

static bool add_end(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                    const sctpa_measure_t *measure)
{
    sctpa_way_changes_t changes = { .handovers = NULL };
    too_big_t too_big = { .is_found = false };
    if (measure) {
        changes = sctpa_way_changes_read(trouble->view, assoc, end);
        too_big = find_too_big(trouble, assoc, end);
    }
    uint64_t weight = weight_of(trouble, assoc, end, &changes, &too_big);
    const bool has_chosen = measure && is_chosen(trouble, assoc, end, &changes, weight);
    const sctpa_paragraphs_kind_t topic = has_chosen ? SCTPA_TRIAGE_MOVES : SCTPA_TRIAGE_PATHS;
    sctpa_paragraphs_row_t *row = weight > 0 ? sctpa_paragraphs_add(trouble->topics[topic], assoc, end, weight) : NULL;
    if (row) {
        row->frames[0] = too_big.is_found ? sctpa_packet_frame(trouble->view->sctpa, too_big.sizes.first_packet)
                                          : first_frame(trouble->view, assoc, end, &changes.moves);
        append_all(trouble, assoc, end, &changes, &too_big, measure, row->sentence);
        if (has_chosen)
            append_chosen(&changes, row->sentence);
    }
    sctpa_way_changes_clear(&changes);
    return weight > 0 && !has_chosen;
}

bool sctpa_path_trouble_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc,
                            sctpa_measure_t *const measures[2])
{
    bool has_trouble = add_end(trouble, assoc, 0, measures[0]);
    return add_end(trouble, assoc, 1, measures[1]) || has_trouble;
}

static uint32_t repeats_of(const sctpa_setup_t *setup)
{
    uint32_t repeats = 0;
    for (unsigned step = 0; step < SCTPA_STEPS; step++)
        repeats += setup->steps[step].count > 1 ? setup->steps[step].count - 1 : 0;
    return repeats;
}

/* How long the first INIT or COOKIE ECHO waited for its answer, which stands behind it. */
static void append_wait(const sctpa_setup_t *setup, unsigned step, GString *text)
{
    if (step != SCTPA_STEP_INIT && step != SCTPA_STEP_COOKIE_ECHO)
        return;
    g_string_append(text, ", answered after ");
    sctpa_text_duration(text, setup->steps[step + 1].first_ns - setup->steps[step].first_ns);
}

void sctpa_setup_trouble_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    const sctpa_setup_t *setup = sctpa_assoc_setup(assoc);
    int64_t ns = sctpa_assoc_setup_ns(assoc);
    const char *separator = ": ";

    if (repeats_of(setup) > 0 && !assoc->collision)
        sctpa_trouble_tell(trouble, SCTPA_TRIAGE_SETUPS);
    if (sctpa_assoc_setup_seen(assoc) != SCTPA_SETUP_COMPLETE || assoc->collision || repeats_of(setup) == 0)
        return;
    sctpa_paragraphs_row_t *row =
        sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_SETUPS], assoc, SCTPA_NO_END, (uint64_t)MAX(ns, 0));
    if (!row)
        return;
    row->frames[0] = setup->steps[SCTPA_STEP_INIT].first_frame;
    g_string_append(row->sentence, "set-up took ");
    sctpa_text_duration(row->sentence, ns);
    g_string_append_printf(row->sentence, " from frame %u", setup->steps[SCTPA_STEP_INIT].first_frame);
    for (unsigned step = 0; step < SCTPA_STEPS; step++) {
        if (setup->steps[step].count < 2)
            continue;
        g_string_append_printf(row->sentence, "%s%s %u times", separator, sctpa_setup_step_word((int)step),
                               setup->steps[step].count);
        append_wait(setup, step, row->sentence);
        separator = ", ";
    }
}
