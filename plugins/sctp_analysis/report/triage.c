/* -z sctp,triage: the first look at a capture. Can it be trusted, what is in it, what failed and why, and the associations,
 * the worst first. Always of the whole capture but for its counters when there is a filter. */
#include "reports.h"

#include "fate.h"
#include "groups.h"
#include "page.h"
#include "quality.h"
#include "table.h"
#include "text.h"

enum { ASSOCS_MAX = 20, ALIKE_MAX = 3, EVENTS_MAX = 20, LABEL_COLUMNS = 16, NUMBER_COLUMNS = 9 };

static const sctpa_column_t assoc_columns[] = {
    { "#", SCTPA_RIGHT, 0 },
    { "endpoint", SCTPA_LEFT, 12 },
    { "set-up / end", SCTPA_LEFT, 10 },
    { "packets", SCTPA_RIGHT, 0 },
    { "DATA", SCTPA_RIGHT, 0 },
    { "bytes", SCTPA_RIGHT, 0 },
};
static const sctpa_column_t event_columns[] = {
    { "time s", SCTPA_RIGHT, 0 },
    { "frame", SCTPA_RIGHT, 0 },
    { "#", SCTPA_RIGHT, 0 },
    { "by", SCTPA_LEFT, 0 },
    { "event", SCTPA_LEFT, 20 },
};

typedef struct {
    const sctpa_view_t *view;
    const sctpa_selection_t *selection;
    sctpa_legend_t *legend;
    sctpa_groups_t *failed;
    sctpa_worst_t worst;
    sctpa_doubts_t doubts;
    uint32_t all, ends[SCTPA_ASSOC_RESTARTED + 1], setups[SCTPA_SETUP_MISSING + 1], over[SCTPA_OVER_OTHER + 1];
    uint32_t multihomed, collisions;
    uint64_t packets, data_chunks, wire_bytes;
} triage_t;

static void note_counters(triage_t *triage, const sctpa_assoc_t *assoc)
{
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_counts_t *counts = sctpa_selection_end(triage->selection, assoc, e);
        triage->packets += counts->packets;
        triage->data_chunks += sctpa_counts_data_chunks(counts);
        triage->wire_bytes += counts->wire_bytes;
    }
}

/* A few of those that failed alike stand for all, so that a flood does not hide the others. */
static bool is_among_first(uint32_t count)
{
    return count > 0 && count <= ALIKE_MAX;
}

static void read_assocs(triage_t *triage)
{
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;

    while ((assoc = sctpa_selection_next(triage->selection, &number))) {
        triage->all++;
        triage->ends[assoc->end]++;
        triage->setups[sctpa_assoc_setup_seen(assoc)]++;
        triage->over[assoc->encapsulation]++;
        triage->multihomed += sctpa_end_addr_count(&assoc->ends[0]) > 1 || sctpa_end_addr_count(&assoc->ends[1]) > 1;
        triage->collisions += assoc->setup.collision;
        note_counters(triage, assoc);
        sctpa_doubts_add(&triage->doubts, assoc);
        if (!sctpa_fate_has_failed(assoc) || is_among_first(sctpa_groups_add(triage->failed, assoc)))
            sctpa_worst_offer(&triage->worst, assoc);
    }
}

/* --- what is in it --- */

static void append_item(GString *text, uint64_t count, const char *word)
{
    if (count == 0)
        return;
    g_string_append(text, text->len ? ", " : "");
    sctpa_fate_append_word(text, word);
    g_string_append_c(text, ' ');
    sctpa_text_count(text, count, NUMBER_COLUMNS);
}

static void write_time(const triage_t *triage, GString *text)
{
    const sctpa_summary_t *summary = sctpa_summary(triage->view->sctpa);
    int64_t start_ns = triage->view->start_ns ? triage->view->start_ns : summary->first_ns;

    if (!triage->view->start_ns && summary->packets == 0)
        return;
    sctpa_text_duration(text, sctpa_view_duration(triage->view));
    g_string_append(text, " from ");
    sctpa_text_date(text, start_ns);
}

static void write_packets(const triage_t *triage, GString *text)
{
    sctpa_text_quantity(text, sctpa_summary(triage->view->sctpa)->packets, "SCTP packet", NULL);
    if (triage->view->frames) {
        g_string_append(text, " in a capture of ");
        sctpa_text_quantity(text, triage->view->frames, "frame", NULL);
    }
}

static void write_traffic(const triage_t *triage, GString *text)
{
    sctpa_text_quantity(text, triage->packets, "packet", NULL);
    g_string_append(text, ", ");
    sctpa_text_quantity(text, triage->data_chunks, "DATA chunk", NULL);
    g_string_append(text, ", ");
    sctpa_text_quantity(text, triage->wire_bytes, "byte", NULL);
}

static void write_assoc_kinds(const triage_t *triage, GString *text)
{
    append_item(text, triage->multihomed, "multihomed");
    append_item(text, triage->over[SCTPA_OVER_UDP], "over UDP");
    append_item(text, triage->over[SCTPA_OVER_DTLS], "over DTLS");
    append_item(text, triage->over[SCTPA_OVER_OTHER], "over another layer");
    append_item(text, triage->collisions, "INIT collision");
}

static void write_contents(const triage_t *triage, GString *out)
{
    GString *text = g_string_new(NULL);

    sctpa_page_section(out, "Contents");
    write_time(triage, text);
    sctpa_page_sentence(out, "  time", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
    write_packets(triage, text);
    sctpa_page_sentence(out, "  packets", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
    sctpa_text_count(text, triage->all, NUMBER_COLUMNS);
    g_string_append(text, triage->all ? ", with " : "");
    if (triage->all)
        write_traffic(triage, text);
    sctpa_page_sentence(out, "  associations", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
    for (unsigned seen = 0; seen <= SCTPA_SETUP_MISSING; seen++)
        append_item(text, triage->setups[seen], sctpa_setup_seen_word(seen));
    sctpa_page_sentence(out, "  set-up", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
    for (unsigned end = 0; end <= SCTPA_ASSOC_RESTARTED; end++)
        append_item(text, triage->ends[end], sctpa_assoc_end_word(end));
    sctpa_page_sentence(out, "  end", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
    write_assoc_kinds(triage, text);
    sctpa_page_sentence(out, "  kind", LABEL_COLUMNS, text->str);
    g_string_free(text, TRUE);
}

/* --- what failed --- */

static void write_failed(triage_t *triage, GString *out)
{
    uint32_t failed = sctpa_groups_associations(triage->failed);
    GString *text = g_string_new(NULL);

    if (triage->all == 0) {
        g_string_free(text, TRUE);
        return;
    }
    g_string_append(text, "Failures: ");
    if (failed == 0) {
        g_string_append(text, "none");
    } else {
        sctpa_text_count(text, failed, NUMBER_COLUMNS);
        g_string_append(text, " of ");
        sctpa_text_quantity(text, triage->all, "association", NULL);
        g_string_append(text, failed > 1 ? " (alike: how many failed the same way)" : "");
    }
    sctpa_page_section(out, text->str);
    sctpa_groups_write(triage->failed, triage->legend, ASSOCS_MAX, out);
    g_string_free(text, TRUE);
}

/* --- the associations --- */

static void append_setup(GString *text, const sctpa_assoc_t *assoc)
{
    int64_t ns = sctpa_assoc_setup_ns(assoc);
    g_string_append(text, "set-up ");
    if (ns >= 0)
        sctpa_text_duration(text, ns);
    else
        g_string_append(text, sctpa_setup_seen_word(sctpa_assoc_setup_seen(assoc)));
}

static void append_end(GString *text, const sctpa_assoc_t *assoc)
{
    sctpa_fate_append_end(text, assoc);
    g_string_append(text, ", ");
    sctpa_text_duration(text, assoc->last_ns - assoc->first_ns);
}

static void add_number(sctpa_table_t *table, uint64_t count)
{
    GString *text = g_string_new(NULL);
    sctpa_text_count(text, count, NUMBER_COLUMNS);
    sctpa_table_take(table, text);
}

/* One endpoint with what it sent; " +2": it has two more addresses. */
static void add_assoc_end(triage_t *triage, sctpa_table_t *table, const sctpa_assoc_t *assoc, unsigned end)
{
    const sctpa_counts_t *counts = sctpa_selection_end(triage->selection, assoc, end);
    GString *text = g_string_new(NULL), *life = g_string_new(NULL);
    unsigned addrs = sctpa_end_addr_count(&assoc->ends[end]);

    sctpa_legend_end(triage->legend, &assoc->ends[end], text);
    if (addrs > 1)
        g_string_append_printf(text, " +%u", addrs - 1);
    sctpa_table_take(table, text);
    if (end == 0)
        append_setup(life, assoc);
    else
        append_end(life, assoc);
    sctpa_table_take(table, life);
    add_number(table, counts->packets);
    add_number(table, sctpa_counts_data_chunks(counts));
    add_number(table, counts->wire_bytes);
}

static void write_assocs(triage_t *triage, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(assoc_columns, G_N_ELEMENTS(assoc_columns));

    for (unsigned i = 0; i < triage->worst.count; i++) {
        const sctpa_assoc_t *assoc = triage->worst.assocs[i];
        sctpa_table_printf(table, "%u", assoc->number);
        add_assoc_end(triage, table, assoc, 0);
        sctpa_table_skip(table, 1);
        add_assoc_end(triage, table, assoc, 1);
    }
    if (triage->all > 0)
        sctpa_page_section(out, "Associations, the worst first (endpoint 0 above 1; +n: n more addresses)");
    sctpa_table_write(table, out);
    sctpa_page_more(out, triage->all - triage->worst.count, "");
    sctpa_table_free(table);
}

/* --- events --- */

typedef struct {
    const sctpa_event_t *event;
    uint32_t number, times;
} listed_t;

static bool is_same(const sctpa_event_t *a, const sctpa_event_t *b)
{
    return a->kind == b->kind && a->end == b->end && a->path == b->path && g_strcmp0(a->detail, b->detail) == 0;
}

/* Notable events of the associations shown; repeats of one right after the other are one. */
static GArray *list_events(const triage_t *triage)
{
    GArray *listed = g_array_new(FALSE, FALSE, sizeof(listed_t));
    for (unsigned i = 0; i < triage->worst.count; i++) {
        const sctpa_assoc_t *assoc = triage->worst.assocs[i];
        unsigned begin = listed->len;
        for (unsigned j = 0; j < assoc->n_events; j++) {
            const sctpa_event_t *event = &assoc->events[j];
            listed_t entry = { event, assoc->number, 1 }, *last;
            if (!sctpa_event_is_notable(event))
                continue;
            last = listed->len > begin ? &g_array_index(listed, listed_t, listed->len - 1) : NULL;
            if (last && is_same(last->event, event))
                last->times++;
            else
                g_array_append_val(listed, entry);
        }
    }
    return listed;
}

static int compare_listed(gconstpointer a, gconstpointer b)
{
    const listed_t *x = a, *y = b;
    if (x->event->frame != y->event->frame)
        return x->event->frame < y->event->frame ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void add_event(const triage_t *triage, sctpa_table_t *table, const listed_t *listed)
{
    const sctpa_event_t *event = listed->event;
    GString *text = g_string_new(NULL);

    sctpa_table_seconds(table, sctpa_view_since_start(triage->view, event->time_ns));
    sctpa_table_printf(table, "%u", event->frame);
    sctpa_table_printf(table, "%u", listed->number);
    sctpa_table_text(table, event->end == 0 ? "0" : event->end == 1 ? "1" : "-");
    sctpa_fate_append_word(text, sctpa_event_word(event->kind));
    if (listed->times > 1)
        g_string_append_printf(text, " (%u times)", listed->times);
    if (event->detail)
        g_string_append_printf(text, ": %s", event->detail);
    sctpa_table_take(table, text);
}

static void write_events(const triage_t *triage, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(event_columns, G_N_ELEMENTS(event_columns));
    GArray *listed = list_events(triage);

    g_array_sort(listed, compare_listed);
    for (unsigned i = 0; i < listed->len && i < EVENTS_MAX; i++)
        add_event(triage, table, &g_array_index(listed, listed_t, i));
    if (listed->len > 0)
        sctpa_page_section(out, "Events of these associations (by: the endpoint)");
    sctpa_table_write(table, out);
    sctpa_page_more(out, listed->len > EVENTS_MAX ? listed->len - EVENTS_MAX : 0, "");
    g_array_free(listed, TRUE);
    sctpa_table_free(table);
}

void sctpa_report_triage(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    triage_t triage = { .view = view, .selection = selection, .legend = sctpa_legend_new(view), .failed = sctpa_groups_new(view) };

    sctpa_worst_begin(&triage.worst, ASSOCS_MAX);
    read_assocs(&triage);
    sctpa_page_begin(view, "SCTP triage", out);
    sctpa_quality_write(view, &triage.doubts, out);
    write_contents(&triage, out);
    write_failed(&triage, out);
    write_assocs(&triage, out);
    write_events(&triage, out);
    sctpa_legend_write(triage.legend, out);
    sctpa_worst_end(&triage.worst);
    sctpa_groups_free(triage.failed);
    sctpa_legend_free(triage.legend);
    sctpa_selection_free(selection);
}
