/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,messages: what the application sent, what it sent again, how long answers took, how long the transport took
 * to deliver, and its events. Leaves joining and measuring to application.c, what others show, too, to application.c.
 */
#include "../reports.h"

#include "../text/address_labels.h"
#include "../text/page.h"
#include "../text/text.h"
#include "../view.h"
#include "application.h"

enum { ASSOCS_MAX = 50, NAMES_MAX = 40, TIMES_MAX = 20, REPEATS_MAX = 20, EVENTS_MAX = 50 };
enum { PROTOCOL_LEAST_COLUMNS = 8, NAME_LEAST_COLUMNS = 16 };

static const sctpa_column_t columns[] = {
    { "from", .align = SCTPA_LEFT },
    { "protocol", SCTPA_LEFT, .least_columns = PROTOCOL_LEAST_COLUMNS },
    { "message", SCTPA_LEFT, .least_columns = NAME_LEAST_COLUMNS },
    { "count", .align = SCTPA_RIGHT },
    { "bytes", .align = SCTPA_RIGHT },
    { "repeats", .align = SCTPA_RIGHT },
    { "open", .align = SCTPA_RIGHT },
};
static const sctpa_column_t time_columns[] = {
    { "#", .align = SCTPA_RIGHT },
    { "from", .align = SCTPA_LEFT },
    { "message", SCTPA_LEFT, .least_columns = 16 },
    { "times", .align = SCTPA_RIGHT },
    { "median ms", .align = SCTPA_RIGHT },
    { "max ms", .align = SCTPA_RIGHT },
    { "frame", .align = SCTPA_RIGHT },
};
static const sctpa_column_t event_columns[] = {
    { "time s", .align = SCTPA_RIGHT },
    { "frame", .align = SCTPA_RIGHT },
    { "#", .align = SCTPA_RIGHT },
    { "from", .align = SCTPA_LEFT },
    { "event", SCTPA_WRAPPED, .least_columns = NAME_LEAST_COLUMNS },
};

typedef struct {
    const sctpa_view_t *view;
    sctpa_labels_t *labels;
    sctpa_application_t *application;
    GArray *lines; /* its lines */
} page_t;

static const sctpa_message_line_t *line_at(const page_t *page, uint32_t line)
{
    return &g_array_index(page->lines, sctpa_message_line_t, line);
}

static void append_more(GString *out, uint64_t count, const char *what)
{
    if (count == 0)
        return;
    g_string_append(out, "… and ");
    sctpa_text_count(out, count, 20);
    g_string_append_printf(out, " more %s\n", what);
}

static void append_part(GString *text, uint64_t count, const char *words)
{
    if (count == 0)
        return;
    g_string_append(text, text->len > 0 ? ", " : "");
    sctpa_text_count(text, count, 20);
    g_string_append_printf(text, " %s", words);
}

static void write_sums(const sctpa_messages_t *messages, GString *out)
{
    const uint64_t *kinds = messages->kinds;
    GString *text = g_string_new(NULL);
    append_part(text, kinds[SCTPA_MESSAGE_NAMED], "named by a dissector");
    append_part(text, kinds[SCTPA_MESSAGE_PROTECTED], "protected by DTLS");
    append_part(text, kinds[SCTPA_MESSAGE_NAMELESS], "without a name");
    append_part(text, kinds[SCTPA_MESSAGE_INCOMPLETE], "incomplete");
    sctpa_page_sentence(out, "User messages: ", 15, text->len > 0 ? text->str : "none");
    g_string_truncate(text, 0);
    append_part(text, kinds[SCTPA_MESSAGE_INNER], "named");
    append_part(text, kinds[SCTPA_MESSAGE_CIPHERED], "ciphered");
    sctpa_page_sentence(out, "NAS in them:   ", 15, text->str);
    g_string_truncate(text, 0);
    append_part(text, messages->left_out, "messages of further names are in no table");
    append_part(text, messages->forgotten, "requests are not followed to their answer: too many were open");
    sctpa_page_sentence(out, "Limits:        ", 15, text->str);
    g_string_free(text, TRUE);
}

static void add_dash_or_count(sctpa_table_t *table, uint64_t count)
{
    if (count > 0)
        sctpa_table_count(table, count);
    else
        sctpa_table_text(table, "");
}

static void add_line(sctpa_table_t *table, const sctpa_message_line_t *line)
{
    sctpa_table_plain(table, line->from);
    sctpa_table_text(table, line->name->protocol);
    sctpa_table_text(table, line->name->name);
    sctpa_table_count(table, line->sum.count);
    sctpa_table_count(table, line->sum.bytes);
    add_dash_or_count(table, line->sum.repeats);
    add_dash_or_count(table, line->sum.unanswered);
}

/* The lines of one association from the first on, those beyond NAMES_MAX only counted; the first line after them. */
static uint32_t add_assoc(const page_t *page, sctpa_table_t *table, uint32_t first)
{
    uint32_t assoc = line_at(page, first)->assoc, at = first, shown = 0, left = 0;
    sctpa_labels_add_line(page->labels, sctpa_assoc(page->view->sctpa, assoc), table);
    for (; at < page->lines->len && line_at(page, at)->assoc == assoc; at++) {
        if (line_at(page, at)->sum.count == 0)
            continue;
        if (shown++ < NAMES_MAX)
            add_line(table, line_at(page, at));
        else
            left++;
    }
    if (left > 0) {
        char *text = g_strdup_printf("… and %u more names", left);
        sctpa_table_line(table, text);
        g_free(text);
    }
    return at;
}

static uint32_t skip_assoc(const page_t *page, uint32_t first)
{
    uint32_t at = first;
    while (at < page->lines->len && line_at(page, at)->assoc == line_at(page, first)->assoc)
        at++;
    return at;
}

static void write_messages(const page_t *page, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(columns, G_N_ELEMENTS(columns));
    unsigned assocs = 0;
    sctpa_page_section(out, "What each endpoint (from) sent (open: requests without an answer)");
    for (uint32_t at = 0; at < page->lines->len; assocs++)
        at = assocs < ASSOCS_MAX ? add_assoc(page, table, at) : skip_assoc(page, at);
    sctpa_table_write(table, out);
    append_more(out, assocs > ASSOCS_MAX ? assocs - ASSOCS_MAX : 0, "associations");
    sctpa_table_free(table);
}

/* Lines with something to say, in an order, a sentence each. */
typedef struct {
    const char *heading, *none, *more; /* none: what stands there without any; NULL: not even the heading */
    unsigned most;
    bool (*has)(const sctpa_message_line_t *line);
    int (*order)(gconstpointer a, gconstpointer b); /* of pointers to lines */
    void (*append)(GString *text, const sctpa_message_line_t *line);
} sentences_t;

static int repeats_order(gconstpointer a, gconstpointer b)
{
    const sctpa_message_line_t *x = *(const sctpa_message_line_t *const *)a;
    const sctpa_message_line_t *y = *(const sctpa_message_line_t *const *)b;
    if (x->sum.repeats != y->sum.repeats)
        return x->sum.repeats > y->sum.repeats ? -1 : 1;
    return x < y ? -1 : x > y;
}

static bool has_repeats(const sctpa_message_line_t *line)
{
    return line->sum.repeats > 0;
}

static int holds_order(gconstpointer a, gconstpointer b)
{
    const sctpa_message_line_t *x = *(const sctpa_message_line_t *const *)a;
    const sctpa_message_line_t *y = *(const sctpa_message_line_t *const *)b;
    if (x->holds.longest_ns != y->holds.longest_ns)
        return x->holds.longest_ns > y->holds.longest_ns ? -1 : 1;
    return x < y ? -1 : x > y;
}

static bool has_holds(const sctpa_message_line_t *line)
{
    return line->holds.messages > 0;
}

static const sentences_t repeats = {
    "Requests repeated before they were answered",
    "None.\n",
    "messages",
    REPEATS_MAX,
    has_repeats,
    repeats_order,
    sctpa_application_append_repeats,
};
static const sentences_t holds = {
    "Messages that had arrived and waited for an earlier TSN, longest first",
    NULL,
    "messages, with shorter waits",
    TIMES_MAX,
    has_holds,
    holds_order,
    sctpa_application_append_holds,
};

static void write_sentences(const page_t *page, const sentences_t *sentences, GString *out)
{
    GPtrArray *said = g_ptr_array_new();
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < page->lines->len; i++)
        if (sentences->has(line_at(page, i)))
            g_ptr_array_add(said, (gpointer)(uintptr_t)line_at(page, i));
    g_ptr_array_sort(said, sentences->order);
    if (said->len > 0 || sentences->none)
        sctpa_page_section(out, sentences->heading);
    for (unsigned i = 0; i < MIN(said->len, sentences->most); i++) {
        const sctpa_message_line_t *line = said->pdata[i];
        g_string_truncate(text, 0);
        sctpa_application_append_name(text, line);
        g_string_append(text, ": ");
        sentences->append(text, line);
        sctpa_page_direction(out, line->assoc, line->from, text->str);
    }
    g_string_append(out, said->len == 0 && sentences->none ? sentences->none : "");
    append_more(out, said->len > sentences->most ? said->len - sentences->most : 0, sentences->more);
    g_string_free(text, TRUE);
    g_ptr_array_unref(said);
}

/* One of the times of a line, to be shown. */
typedef struct {
    const sctpa_message_line_t *line;
    const sctpa_message_times_t *times;
} timed_t;

static int longest_order(gconstpointer a, gconstpointer b)
{
    const timed_t *x = a, *y = b;
    if (x->times->spread.max_ns != y->times->spread.max_ns)
        return x->times->spread.max_ns > y->times->spread.max_ns ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void add_times(const sctpa_view_t *view, sctpa_table_t *table, const timed_t *timed)
{
    sctpa_table_plain(table, timed->line->assoc);
    sctpa_table_plain(table, timed->line->from);
    sctpa_table_printf(table, "%s %s", timed->line->name->protocol, timed->line->name->name);
    sctpa_table_count(table, timed->times->spread.samples);
    sctpa_view_ms(view, table, true, timed->times->spread.median_ns);
    sctpa_view_ms(view, table, true, timed->times->spread.max_ns);
    sctpa_table_plain(table, timed->times->frame);
}

static void write_times(const sctpa_view_t *view, GArray *timed, const char *heading, const char *none, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(time_columns, G_N_ELEMENTS(time_columns));
    g_array_sort(timed, longest_order);
    sctpa_page_section(out, heading);
    for (unsigned i = 0; i < MIN(timed->len, TIMES_MAX); i++)
        add_times(view, table, &g_array_index(timed, timed_t, i));
    sctpa_table_write(table, out);
    if (timed->len == 0)
        g_string_append_printf(out, "%s\n", none);
    append_more(out, timed->len > TIMES_MAX ? timed->len - TIMES_MAX : 0, "messages, with shorter times");
    sctpa_table_free(table);
}

static void add_timed(GArray *timed, const sctpa_message_line_t *line, const sctpa_message_times_t *times)
{
    timed_t row = { line, times };
    if (times->spread.samples > 0)
        g_array_append_val(timed, row);
}

static void write_answers(const page_t *page, GString *out)
{
    GArray *timed = g_array_new(FALSE, FALSE, sizeof(timed_t));
    uint64_t ambiguous = 0;
    for (uint32_t i = 0; i < page->lines->len; i++) {
        add_timed(timed, line_at(page, i), &line_at(page, i)->answers);
        ambiguous += line_at(page, i)->sum.ambiguous;
    }
    write_times(page->view, timed, "From a request to its answer, longest first", "No answer was timed.", out);
    if (ambiguous > 0) {
        sctpa_text_quantity(out, ambiguous, "more answer", NULL);
        g_string_append(out, ambiguous == 1 ? " fits several requests, or one that was repeated.\n"
                                            : " fit several requests, or one that was repeated.\n");
    }
    g_array_unref(timed);
}

/* What was lost before the capture point is timed from a retransmission. */
static bool is_least(const page_t *page, const sctpa_message_line_t *line)
{
    return sctpa_message_delays_are_least(sctpa_tap_rtt(page->view->sctpa, line->assoc, (uint8_t)line->from));
}

static void write_delays(const page_t *page, GString *out)
{
    GArray *timed = g_array_new(FALSE, FALSE, sizeof(timed_t));
    unsigned least = 0;
    for (uint32_t i = 0; i < page->lines->len; i++) {
        const sctpa_message_line_t *line = line_at(page, i);
        add_timed(timed, line, &line->delays);
        least += line->delays.spread.samples > 0 && is_least(page, line);
    }
    write_times(page->view, timed, "From the first transmission of a message to its ack, longest first",
                "No ack of a message was captured.", out);
    if (least > 0)
        g_string_append_printf(out,
                               "%u of %u rows %s: the capture was not taken near the sender,\n"
                               "so a first transmission may have been lost before it.\n",
                               least, timed->len, least == 1 ? "is a lower bound" : "are lower bounds");
    g_array_unref(timed);
}

static int by_frame(gconstpointer a, gconstpointer b)
{
    const sctpa_application_event_t *x = *(const sctpa_application_event_t *const *)a;
    const sctpa_application_event_t *y = *(const sctpa_application_event_t *const *)b;
    if (x->frame != y->frame)
        return x->frame < y->frame ? -1 : 1;
    return x < y ? -1 : x > y;
}

static GPtrArray *events_by_frame(const page_t *page)
{
    GPtrArray *events = g_ptr_array_new();
    for (uint32_t i = 0; i < page->application->events->len; i++)
        g_ptr_array_add(events, &g_array_index(page->application->events, sctpa_application_event_t, i));
    g_ptr_array_sort(events, by_frame);
    return events;
}

static void write_events(const page_t *page, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(event_columns, G_N_ELEMENTS(event_columns));
    GPtrArray *events = events_by_frame(page);
    uint64_t all = events->len + page->application->events_missed;
    sctpa_page_section(out, "Events of the application");
    for (unsigned i = 0; i < MIN(events->len, EVENTS_MAX); i++) {
        const sctpa_application_event_t *event = events->pdata[i];
        sctpa_view_moment(page->view, table, event->time_ns);
        sctpa_table_plain(table, event->frame);
        sctpa_table_plain(table, event->assoc);
        sctpa_table_plain(table, event->from);
        sctpa_table_text(table, event->text);
    }
    sctpa_table_write(table, out);
    if (all == 0)
        g_string_append(out, "None.\n");
    append_more(out, all > EVENTS_MAX ? all - EVENTS_MAX : 0, "events, later");
    g_ptr_array_unref(events);
    sctpa_table_free(table);
}

void sctpa_report_messages(const sctpa_view_t *view, GString *out)
{
    sctpa_page_begin(view, "SCTP messages", out);
    g_string_append_c(out, '\n');
    if (view->messages == NULL) {
        g_string_append(out, "Messages are read when the preference sctp_analysis.messages says so.\n");
        return;
    }
    sctpa_application_t *application = sctpa_application_new(view);
    page_t page = { view, sctpa_labels_new(view), application, application->lines };
    write_sums(view->messages, out);
    if (page.lines->len > 0) {
        write_messages(&page, out);
        write_sentences(&page, &repeats, out);
        write_answers(&page, out);
        write_delays(&page, out);
        write_sentences(&page, &holds, out);
        write_events(&page, out);
        sctpa_labels_write(page.labels, out);
    }
    sctpa_application_free(application);
    sctpa_labels_free(page.labels);
}
