/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps lines and events in arrays by association, and finds those of one by halving. */
#include "application.h"

#include "../text/text.h"
#include "../view.h"

/* A keep-alive that waits longer when the capture ends is an event: answers take a round trip. */
#define KEEP_ALIVE_WAIT_NS INT64_C(1000000000)
enum { NAME_COLUMNS = 60 };

static void add_event(sctpa_application_t *application, const sctpa_view_t *view, uint32_t packet, uint32_t frame,
                      int64_t time_ns, char *text, bool is_trouble)
{
    sctpa_application_event_t event = { .frame = frame, .time_ns = time_ns, .text = text, .is_trouble = is_trouble };
    sctpa_message_lines_place(view, packet, &event.assoc, &event.from);
    g_array_append_val(application->events, event);
}

typedef struct {
    sctpa_application_t *application;
    const sctpa_view_t *view;
} keep_alives_t;

static void add_keep_alive(void *user, const sctpa_message_open_t *open)
{
    const keep_alives_t *keep_alives = user;
    const sctpa_messages_t *messages = keep_alives->view->messages;
    int64_t wait_ns = sctpa_view_until_end(keep_alives->view, open->time_ns);
    if (!open->is_keep_alive || wait_ns < KEEP_ALIVE_WAIT_NS)
        return;
    const sctpa_message_row_t *row = &g_array_index(messages->rows, sctpa_message_row_t, open->row);
    const sctpa_message_name_t *name = &g_array_index(messages->names, sctpa_message_name_t, row->name);
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s %s: no answer in the ", name->protocol, name->name);
    sctpa_text_duration(text, wait_ns);
    g_string_append(text, " until the capture ended");
    add_event(keep_alives->application, keep_alives->view, row->packet, open->frame, open->time_ns,
              g_string_free(text, FALSE), true);
}

static int event_order(gconstpointer a, gconstpointer b)
{
    const sctpa_application_event_t *x = a, *y = b;
    if (x->assoc != y->assoc)
        return x->assoc < y->assoc ? -1 : 1;
    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

static void clear_event(void *event)
{
    g_free(((sctpa_application_event_t *)event)->text);
}

static void collect_events(sctpa_application_t *application, const sctpa_view_t *view)
{
    keep_alives_t keep_alives = { application, view };
    for (uint32_t i = 0; i < view->messages->events->len; i++) {
        const sctpa_message_event_t *event = &g_array_index(view->messages->events, sctpa_message_event_t, i);
        add_event(application, view, event->packet, event->frame, event->time_ns, g_strdup(event->text),
                  event->is_trouble);
    }
    sctpa_messages_each_open(view->messages, add_keep_alive, &keep_alives);
    g_array_sort(application->events, event_order);
}

sctpa_application_t *sctpa_application_new(const sctpa_view_t *view)
{
    if (view->messages == NULL)
        return NULL;
    sctpa_application_t *application = g_new0(sctpa_application_t, 1);
    application->lines = sctpa_message_lines(view);
    application->events = g_array_new(FALSE, FALSE, sizeof(sctpa_application_event_t));
    application->events_missed = view->messages->events_missed;
    g_array_set_clear_func(application->events, clear_event);
    collect_events(application, view);
    return application;
}

void sctpa_application_free(sctpa_application_t *application)
{
    if (application == NULL)
        return;
    g_array_unref(application->lines);
    g_array_unref(application->events);
    g_free(application);
}

typedef uint32_t (*assoc_at_fn)(const GArray *array, uint32_t at);

static uint32_t line_assoc(const GArray *lines, uint32_t at)
{
    return g_array_index(lines, sctpa_message_line_t, at).assoc;
}

static uint32_t event_assoc(const GArray *events, uint32_t at)
{
    return g_array_index(events, sctpa_application_event_t, at).assoc;
}

/* The first of an array by association that is of assoc or a later one. */
static uint32_t first_from(const GArray *array, assoc_at_fn assoc_at, uint64_t assoc)
{
    uint32_t low = 0, high = array->len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (assoc_at(array, middle) < assoc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const sctpa_message_line_t *sctpa_application_lines(const sctpa_application_t *application, uint32_t assoc, unsigned *n)
{
    uint32_t first = first_from(application->lines, line_assoc, assoc);
    *n = first_from(application->lines, line_assoc, (uint64_t)assoc + 1) - first;
    return *n > 0 ? &g_array_index(application->lines, sctpa_message_line_t, first) : NULL;
}

const sctpa_application_event_t *sctpa_application_events(const sctpa_application_t *application, uint32_t assoc,
                                                          unsigned *n)
{
    uint32_t first = first_from(application->events, event_assoc, assoc);
    *n = first_from(application->events, event_assoc, (uint64_t)assoc + 1) - first;
    return *n > 0 ? &g_array_index(application->events, sctpa_application_event_t, first) : NULL;
}

void sctpa_application_append_name(GString *text, const sctpa_message_line_t *line)
{
    g_string_append_printf(text, "%s ", line->name->protocol);
    sctpa_text_escape(text, line->name->name, NAME_COLUMNS);
}

void sctpa_application_append_repeats(GString *text, const sctpa_message_line_t *line)
{
    sctpa_text_count(text, line->sum.count, 20);
    if (line->sum.repeats > 0) {
        g_string_append(text, ", ");
        sctpa_text_count(text, line->sum.repeats, 20);
        g_string_append(text, line->sum.repeats == 1 ? " of them a repeat" : " of them repeats");
    }
    if (line->intervals.spread.samples > 0) {
        g_string_append(text, ", ");
        sctpa_text_duration(text, line->intervals.spread.median_ns);
        g_string_append(text, line->intervals.spread.samples > 1 ? " apart (median)" : " apart");
    }
    if (line->sum.unanswered > 0) {
        g_string_append(text, "; ");
        sctpa_text_quantity(text, line->sum.unanswered, "request", NULL);
        g_string_append(text, " unanswered");
    }
}

void sctpa_application_append_holds(GString *text, const sctpa_message_line_t *line)
{
    const sctpa_message_holds_t *holds = &line->holds;
    if (holds->messages == 0)
        return;
    sctpa_text_count(text, holds->messages, 20);
    g_string_append(text, " of ");
    sctpa_text_count(text, line->sum.count, 20);
    g_string_append(text, " had arrived and waited for an earlier TSN; the longest, frame ");
    g_string_append_printf(text, "%u, for at least ", holds->frame);
    sctpa_text_duration(text, holds->longest_ns);
    g_string_append_printf(text, " behind TSN %u (frame %u)", holds->tsn, holds->tsn_frame);
}
