/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The worst associations of a capture: who they are, what their data did, what happened to them. */
#include "triage.h"

#include "../text/outcome_text.h"
#include "../text/page.h"
#include "../text/table.h"
#include "../text/text.h"

enum { ASSOCS_MAX = 20, EVENTS_MAX = 20, NUMBER_COLUMNS = 9 };

static const sctpa_column_t assoc_columns[] = {
    { "#", .align = SCTPA_RIGHT },
    { "endpoint", SCTPA_LEFT, .least_columns = 12 },
    { "set-up / end", SCTPA_LEFT, .least_columns = 10 },
    { "packets", .align = SCTPA_RIGHT },
    { "DATA", .align = SCTPA_RIGHT },
    { "bytes", .align = SCTPA_RIGHT },
};
static const sctpa_column_t event_columns[] = {
    { "time s", .align = SCTPA_RIGHT },
    { "frame", .align = SCTPA_RIGHT },
    { "#", .align = SCTPA_RIGHT },
    { "by", .align = SCTPA_LEFT },
    { "event", SCTPA_WRAPPED, .least_columns = 20 },
};
static const sctpa_column_t figure_columns[] = {
    { "#", .align = SCTPA_RIGHT },      { "data", .align = SCTPA_LEFT },       { "goodput", .align = SCTPA_RIGHT },
    { "RTT ms", .align = SCTPA_RIGHT }, { "ack after", .align = SCTPA_RIGHT }, { "p95 ms", .align = SCTPA_RIGHT },
    { "resent", .align = SCTPA_RIGHT }, { "%", .align = SCTPA_RIGHT },         { "closed", .align = SCTPA_RIGHT },
    { "tap ms", .align = SCTPA_RIGHT },
};

struct sctpa_worst {
    struct {
        const sctpa_assoc_t *assoc;
        sctpa_rank_t rank;
    } rows[ASSOCS_MAX];
    unsigned n;
};

sctpa_worst_t *sctpa_worst_new(void)
{
    return g_new0(sctpa_worst_t, 1);
}

void sctpa_worst_free(sctpa_worst_t *worst)
{
    g_free(worst);
}

static bool is_worse(sctpa_rank_t a, sctpa_rank_t b)
{
    return a.severity != b.severity ? a.severity < b.severity : a.weight > b.weight;
}

void sctpa_worst_offer(sctpa_worst_t *worst, const sctpa_assoc_t *assoc, sctpa_rank_t rank)
{
    unsigned at = worst->n;
    while (at > 0 && is_worse(rank, worst->rows[at - 1].rank))
        at--;
    if (at == ASSOCS_MAX)
        return;
    worst->n = MIN(worst->n + 1, ASSOCS_MAX);
    for (unsigned i = worst->n - 1; i > at; i--)
        worst->rows[i] = worst->rows[i - 1];
    worst->rows[at].assoc = assoc;
    worst->rows[at].rank = rank;
}

/* --- the associations --- */

static void append_setup(GString *text, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    int64_t ns = sctpa_assoc_setup_ns(assoc);
    g_string_append(text, "set-up ");
    if (ns >= 0 && sctpa_view_tells(view, ns))
        sctpa_text_duration(text, ns);
    else
        g_string_append(text, sctpa_setup_seen_word(sctpa_assoc_setup_seen(assoc)));
}

static void append_end(GString *text, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    const sctpa_outcome_t outcome = sctpa_view_outcome(view, assoc);
    sctpa_outcome_append_end(text, view, assoc);
    g_string_append(text, ", ");
    sctpa_text_duration(text, sctpa_assoc_life_ns(view->sctpa, assoc, &outcome));
}

static void add_number(sctpa_table_t *table, uint64_t count)
{
    GString *text = g_string_new(NULL);
    sctpa_text_count(text, count, NUMBER_COLUMNS);
    sctpa_table_take(table, text);
}

/* One endpoint with what it sent; " +2": it has two more addresses. */
static void add_assoc_end(const sctpa_triage_trouble_t *trouble, sctpa_table_t *table, const sctpa_assoc_t *assoc,
                          unsigned end)
{
    const sctpa_counts_t *counts = sctpa_selection_end(trouble->selection, assoc, end);
    GString *text = g_string_new(NULL), *life = g_string_new(NULL);
    unsigned addrs = sctpa_end_addr_count(&assoc->ends[end]);

    sctpa_labels_end(trouble->labels, &assoc->ends[end], text);
    if (addrs > 1)
        g_string_append_printf(text, " +%u", addrs - 1);
    sctpa_table_take(table, text);
    if (end == 0)
        append_setup(life, trouble->view, assoc);
    else
        append_end(life, trouble->view, assoc);
    sctpa_table_take(table, life);
    add_number(table, counts->packets);
    add_number(table, sctpa_counts_data_chunks(counts));
    add_number(table, counts->wire_bytes);
}

/* Data of #1 shows no set-up: "#1 follows 90.32 s later, another association, whose set-up is not in the capture". */
static void append_other(GString *text, const sctpa_assoc_t *next)
{
    const char *separator = " (tag ";
    g_string_append(text, " later, another association");
    for (unsigned e = 0; e < 2; e++) {
        if (!next->ends[e].has_vtag)
            continue;
        g_string_append_printf(text, "%s0x%08x of endpoint %u", separator, next->ends[e].vtag, e);
        separator = ", ";
    }
    g_string_append(text, next->ends[0].has_vtag || next->ends[1].has_vtag ? ")" : "");
    g_string_append(text, ", whose set-up is not in the capture");
}

/* "set up again as #3, 2.100 s later". */
static void add_next(const sctpa_view_t *view, sctpa_table_t *table, const sctpa_assoc_t *assoc, uint32_t next)
{
    enum { INDENT = 4 };
    if (next == SCTPA_NO_ASSOC)
        return;
    GString *text = g_string_new(NULL);
    const sctpa_assoc_t *later = sctpa_assoc(view->sctpa, next);
    const bool is_set_up = sctpa_assoc_setup_seen(later) != SCTPA_SETUP_MISSING;
    g_string_printf(text, is_set_up ? "set up again as #%u, " : "#%u follows ", next);
    sctpa_text_duration(text, MAX(later->first_ns - sctpa_view_outcome(view, assoc).last_ns, 0));
    if (is_set_up)
        g_string_append(text, " later");
    else
        append_other(text, later);
    sctpa_table_sentence(table, INDENT, text->str);
    g_string_free(text, TRUE);
}

static void write_assocs(const sctpa_worst_t *worst, const sctpa_triage_trouble_t *trouble,
                         const sctpa_same_ports_t *same, uint32_t all, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(assoc_columns, G_N_ELEMENTS(assoc_columns));

    for (unsigned i = 0; i < worst->n; i++) {
        const sctpa_assoc_t *assoc = worst->rows[i].assoc;
        sctpa_table_plain(table, assoc->number);
        add_assoc_end(trouble, table, assoc, 0);
        sctpa_table_skip(table, 1);
        add_assoc_end(trouble, table, assoc, 1);
        add_next(trouble->view, table, assoc, sctpa_same_ports_next(same, assoc));
    }
    if (all > 0)
        sctpa_page_section(out, "Associations, the worst first (endpoint 0 above 1; +n: n more addresses)");
    sctpa_table_write(table, out);
    sctpa_page_more(out, all - worst->n, "");
    sctpa_table_free(table);
}

/* --- figures of their data --- */

static void add_figures(const sctpa_triage_trouble_t *trouble, sctpa_table_t *table, const sctpa_assoc_t *assoc,
                        unsigned end)
{
    int64_t tap_rtt_ns = sctpa_tap_rtt_ns(trouble->view->sctpa, assoc->number, (uint8_t)end);
    sctpa_measure_t *measure = sctpa_selection_measure(trouble->selection, assoc, end);
    const sctpa_sent_t *sent = &measure->all;
    const int64_t rtt_ns = sctpa_view_least_rtt_ns(trouble->view, assoc, end, sent);

    bool has_figures = sent->transmissions >= SCTPA_GOODPUT_CHUNKS || sctpa_sent_rtt_ns(sent) >= 0 ||
                       sctpa_sent_rtx(sent) + measure->zero_windows > 0;

    if (has_figures && sent->transmissions + sent->rtt.samples > 0) {
        sctpa_table_plain(table, assoc->number);
        sctpa_table_direction(table, end);
        if (sent->transmissions < SCTPA_GOODPUT_CHUNKS)
            sctpa_table_text(table, "-");
        else
            sctpa_table_rate(table, sctpa_sent_goodput_bps(sent, measure->span_ns));
        sctpa_view_ms(trouble->view, table, rtt_ns >= 0, rtt_ns);
        sctpa_view_ms(trouble->view, table, sent->rtt.samples > 0, sent->rtt.median_ns);
        sctpa_view_ms(trouble->view, table, sent->rtt.samples > 0, sent->rtt.p95_ns);
        add_number(table, sctpa_sent_rtx(sent));
        sctpa_table_share(table, sctpa_sent_rtx(sent), sent->transmissions);
        add_number(table, measure->zero_windows);
        sctpa_view_ms(trouble->view, table, tap_rtt_ns >= 0, tap_rtt_ns);
    }
    sctpa_measure_free(measure);
}

static void write_figures(const sctpa_worst_t *worst, const sctpa_triage_trouble_t *trouble, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(figure_columns, G_N_ELEMENTS(figure_columns));

    for (unsigned i = 0; i < worst->n; i++)
        for (unsigned e = 0; e < 2; e++)
            add_figures(trouble, table, worst->rows[i].assoc, e);
    if (sctpa_table_rows(table) > 0)
        sctpa_page_section(out, "Their data (bit/s; RTT: the least; ack after: median; tap: RTT from tap)");
    sctpa_table_write(table, out);
    sctpa_table_free(table);
}

/* --- events --- */

typedef struct {
    const sctpa_event_t *event;
    uint32_t number, times;
    int64_t time_ns; /* by one clock, where associations were captured by two */
    int64_t order;
} listed_t;

static bool is_same(const sctpa_event_t *a, const sctpa_event_t *b)
{
    return a->kind == b->kind && a->end == b->end && a->path == b->path && g_strcmp0(a->detail, b->detail) == 0;
}

/* In order of capture, or of time by one clock. */
static int compare_listed(gconstpointer a, gconstpointer b)
{
    const listed_t *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Notable events of an association, in order. */
static GArray *notable_events(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, bool by_time)
{
    GArray *notable = g_array_new(FALSE, FALSE, sizeof(listed_t));
    for (unsigned i = 0; i < assoc->n_events; i++) {
        const sctpa_event_t *event = &assoc->events[i];
        const int64_t time_ns = sctpa_event_by_one_clock(sctpa, assoc, event);
        const listed_t entry = { event, assoc->number, 1, time_ns, by_time ? time_ns : event->frame };
        if (sctpa_event_is_notable(event))
            g_array_append_val(notable, entry);
    }
    g_array_sort(notable, compare_listed);
    return notable;
}

/* Notable events of the associations shown; repeats of one right after the other are one. */
static GArray *list_events(const sctpa_worst_t *worst, const sctpa_t *sctpa)
{
    GArray *listed = g_array_new(FALSE, FALSE, sizeof(listed_t));
    int64_t first_ns, last_ns;
    const bool by_time = sctpa_span_by_one_clock(sctpa, &first_ns, &last_ns);
    for (unsigned i = 0; i < worst->n; i++) {
        GArray *notable = notable_events(sctpa, worst->rows[i].assoc, by_time);
        const unsigned begin = listed->len;
        for (unsigned j = 0; j < notable->len; j++) {
            const listed_t *entry = &g_array_index(notable, listed_t, j);
            listed_t *last = listed->len > begin ? &g_array_index(listed, listed_t, listed->len - 1) : NULL;
            if (last && is_same(last->event, entry->event))
                last->times++;
            else
                g_array_append_val(listed, *entry);
        }
        g_array_free(notable, TRUE);
    }
    g_array_sort(listed, compare_listed);
    return listed;
}

static void add_event(const sctpa_triage_trouble_t *trouble, sctpa_table_t *table, const listed_t *listed)
{
    const sctpa_event_t *event = listed->event;
    GString *text = g_string_new(NULL);

    sctpa_table_seconds(table, sctpa_view_since_start(trouble->view, listed->time_ns));
    sctpa_table_plain(table, event->frame);
    sctpa_table_plain(table, listed->number);
    sctpa_table_text(table, event->end == 0 ? "0" : event->end == 1 ? "1" : "-");
    sctpa_outcome_append_word(text, sctpa_event_word(event->kind));
    if (listed->times > 1)
        g_string_append_printf(text, " (%u times)", listed->times);
    if (event->detail)
        g_string_append_printf(text, ": %s", event->detail);
    sctpa_table_take(table, text);
}

static void write_events(const sctpa_worst_t *worst, const sctpa_triage_trouble_t *trouble, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(event_columns, G_N_ELEMENTS(event_columns));
    GArray *listed = list_events(worst, trouble->view->sctpa);

    for (unsigned i = 0; i < listed->len && i < EVENTS_MAX; i++)
        add_event(trouble, table, &g_array_index(listed, listed_t, i));
    if (listed->len > 0)
        sctpa_page_section(out, "Events of these associations (by: the endpoint)");
    sctpa_table_write(table, out);
    sctpa_page_more(out, listed->len > EVENTS_MAX ? listed->len - EVENTS_MAX : 0, "");
    g_array_free(listed, TRUE);
    sctpa_table_free(table);
}

void sctpa_worst_write(const sctpa_worst_t *worst, const sctpa_triage_trouble_t *trouble,
                       const sctpa_same_ports_t *same, uint32_t all, GString *out)
{
    write_assocs(worst, trouble, same, all, out);
    write_figures(worst, trouble, out);
    write_events(worst, trouble, out);
}
