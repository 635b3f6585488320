/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,triage: the first look at a capture. Can it be trusted, what failed, what else went wrong and why, then
 * what is in it and the figures of the worst associations. Facts are of whole associations, counters follow the
 * filter. Two associations whose addresses and ports only share a hash of 64 bits are taken for the same. */
#include "triage.h"

#include "../reports.h"
#include "../text/address_labels.h"
#include "../text/outcome_text.h"
#include "../text/page.h"
#include "../text/table.h"
#include "../text/text.h"
#include "capture_quality.h"
#include "outcome_groups.h"

struct sctpa_same_ports {
    uint64_t seed;
    GHashTable *last; /* of the addresses and ports: gint64 * to number */
    GHashTable *next; /* number to 1 + number */
};

static sctpa_same_ports_t *same_ports_new(void)
{
    sctpa_same_ports_t *same = g_new(sctpa_same_ports_t, 1);
    same->seed = sctpa_hash_seed();
    same->last = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    same->next = g_hash_table_new(NULL, NULL);
    return same;
}

static void same_ports_free(sctpa_same_ports_t *same)
{
    g_hash_table_destroy(same->last);
    g_hash_table_destroy(same->next);
    g_free(same);
}

static uint64_t hash_of(const sctpa_same_ports_t *same, const sctpa_end_t *end)
{
    const sctpa_addr_t *addr = sctpa_end_first_addr(end);
    GString *text = g_string_new(NULL);
    if (addr)
        sctpa_addr_append(text, addr);
    g_string_append_printf(text, " %u", end->port);
    uint64_t hash = sctpa_hash_bytes(same->seed, (const uint8_t *)text->str, (uint32_t)text->len);
    g_string_free(text, TRUE);
    return hash;
}

/* Adds an association; in ascending order of number. O(1); memory: two entries of a hash table for each. */
static void same_ports_add(sctpa_same_ports_t *same, const sctpa_assoc_t *assoc)
{
    uint64_t key = hash_of(same, &assoc->ends[0]) + hash_of(same, &assoc->ends[1]);
    gpointer before;
    if (g_hash_table_lookup_extended(same->last, &key, NULL, &before) && assoc->restart_of == SCTPA_NO_ASSOC)
        g_hash_table_insert(same->next, before, GUINT_TO_POINTER(assoc->number + 1));
    g_hash_table_insert(same->last, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(assoc->number));
}

/* The next association between the first addresses and the ports of this one, either endpoint being the first, once all
 * are added; SCTPA_NO_ASSOC: none, or it is its restart. O(1). */
static uint32_t same_ports_next(const sctpa_same_ports_t *same, const sctpa_assoc_t *assoc)
{
    uint32_t next = GPOINTER_TO_UINT(g_hash_table_lookup(same->next, GUINT_TO_POINTER(assoc->number)));
    return next > 0 ? next - 1 : SCTPA_NO_ASSOC;
}

enum { ASSOCS_MAX = 20, EVENTS_MAX = 20, ASSOCS_NUMBER_COLUMNS = 9 };

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

static sctpa_worst_t *worst_new(void)
{
    return g_new0(sctpa_worst_t, 1);
}

/* Offer in ascending order of number; of those equally bad the first stay. O(rows shown). */
static void worst_offer(sctpa_worst_t *worst, const sctpa_assoc_t *assoc, sctpa_rank_t rank)
{
    unsigned at = worst->n;
    while (at > 0 && sctpa_rank_is_worse(rank, worst->rows[at - 1].rank))
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
    sctpa_text_count(text, count, ASSOCS_NUMBER_COLUMNS);
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
        add_next(trouble->view, table, assoc, same_ports_next(same, assoc));
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

/* Appends tables of the associations, of their data and of their events. all: how many there are; same: of them. */
static void worst_write(const sctpa_worst_t *worst, const sctpa_triage_trouble_t *trouble,
                        const sctpa_same_ports_t *same, uint32_t all, GString *out)
{
    write_assocs(worst, trouble, same, all, out);
    write_figures(worst, trouble, out);
    write_events(worst, trouble, out);
}

enum {
    FAILED_MAX = 20,
    ALIKE_MAX = 3,
    EACH_SHOWN_MAX = 3, /* so few associations are not counted by set-up and outcome: their table says it of each */
    LABEL_COLUMNS = 16,
    REMARK_INDENT = 4,
    NUMBER_COLUMNS = 9
};

typedef struct {
    const sctpa_view_t *view;
    const sctpa_selection_t *selection;
    sctpa_outcome_groups_t *failed;
    sctpa_triage_trouble_t trouble;
    sctpa_worst_t *worst;
    sctpa_same_ports_t *same;
    sctpa_doubts_t doubts;
    uint32_t all, ends[SCTPA_ASSOC_ENDS], setups[SCTPA_SETUP_MISSING + 1], over[SCTPA_OVER_OTHER + 1];
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
        triage->ends[sctpa_view_outcome(triage->view, assoc).end]++;
        triage->setups[sctpa_assoc_setup_seen(assoc)]++;
        triage->over[assoc->encapsulation]++;
        triage->multihomed += !sctpa_assoc_is_single_homed(assoc);
        triage->collisions += assoc->collision;
        note_counters(triage, assoc);
        sctpa_doubts_add(&triage->doubts, triage->view, assoc);
        same_ports_add(triage->same, assoc);
        sctpa_rank_t rank = sctpa_trouble_add(&triage->trouble, assoc);
        if (!sctpa_outcome_has_failed(triage->view, assoc) ||
            is_among_first(sctpa_outcome_groups_add(triage->failed, assoc)))
            worst_offer(triage->worst, assoc, rank);
    }
}

/* --- what is in it --- */

static void append_item(GString *text, uint64_t count, const char *word)
{
    if (count == 0)
        return;
    g_string_append(text, text->len ? ", " : "");
    sctpa_outcome_append_word(text, word);
    g_string_append_c(text, ' ');
    sctpa_text_count(text, count, NUMBER_COLUMNS);
}

static void write_time(const triage_t *triage, GString *text)
{
    const sctpa_summary_t *summary = sctpa_summary(triage->view->sctpa);
    int64_t start_ns = triage->view->start_ns ? triage->view->start_ns : summary->first_ns,
            duration_ns = sctpa_view_duration(triage->view), first_ns, last_ns;

    if (!triage->view->start_ns && summary->packets == 0)
        return;
    if (sctpa_span_by_one_clock(triage->view->sctpa, &first_ns, &last_ns)) {
        start_ns = first_ns;
        duration_ns = last_ns - first_ns;
    }
    sctpa_text_duration(text, duration_ns);
    g_string_append(text, " from ");
    sctpa_text_date(text, start_ns);
}

static void write_packets(const triage_t *triage, GString *text)
{
    uint64_t packets = sctpa_summary(triage->view->sctpa)->packets;
    sctpa_text_quantity(text, packets, "SCTP packet", NULL);
    if (triage->view->frames > packets) {
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

/* In the words in which it is asserted. */
static void write_asserted(const triage_t *triage, GString *text)
{
    const sctpa_assertions_t *assertions = sctpa_asserted(triage->view->sctpa)->assertions;

    g_string_append(text, assertions->complete ? "; complete" : "");
    if (assertions->quiet_ns > 0)
        g_string_append_printf(text, "; quiet for %.3f s after it", (double)assertions->quiet_ns / SCTPA_NS_PER_S);
    for (unsigned i = 0; i < assertions->n_taken_at; i++) {
        char *network = sctpa_network_text(&assertions->taken_at[i]);
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "; taken at ", network);
        g_free(network);
    }
    for (unsigned i = 0; i <= assertions->n_endpoints; i++) {
        char *values = sctpa_asserted_values_text(assertions, i);
        if (assertions->values[i].given)
            g_string_append_printf(text, "; %s", values);
        g_free(values);
    }
    g_string_erase(text, 0, MIN(text->len, strlen("; ")));
}

static void write_association_counts(const triage_t *triage, GString *text, GString *out)
{
    sctpa_text_count(text, triage->all, NUMBER_COLUMNS);
    g_string_append(text, ", with ");
    write_traffic(triage, text);
    sctpa_page_sentence(out, "  associations", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
    for (unsigned seen = 0; seen <= SCTPA_SETUP_MISSING; seen++)
        append_item(text, triage->setups[seen], sctpa_setup_seen_word(seen));
    sctpa_page_sentence(out, "  set-up", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
    for (unsigned end = 0; end < SCTPA_ASSOC_ENDS; end++)
        append_item(text, triage->ends[end], sctpa_assoc_end_word(end));
    sctpa_page_sentence(out, "  outcome", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
}

static void name_end_frame(void *user, const sctpa_assoc_t *first, const char *sentence)
{
    (void)sentence;
    if (first->end_frame > 0)
        g_array_append_val((GArray *)user, first->end_frame);
}

/* Of the worst that the page has named; to be freed. */
static GArray *named_frames(triage_t *triage)
{
    GArray *frames = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (unsigned kind = 0; kind < SCTPA_TRIAGE_TOPICS; kind++) {
        unsigned n;
        const sctpa_paragraphs_row_t *rows = sctpa_paragraphs_rows(triage->trouble.topics[kind], &n);
        for (unsigned i = 0; i < n; i++)
            g_array_append_vals(frames, rows[i].frames, G_N_ELEMENTS(rows[i].frames));
    }
    sctpa_outcome_groups_each(triage->failed, triage->trouble.labels, FAILED_MAX, name_end_frame, frames);
    return frames;
}

static void write_contents(triage_t *triage, GString *out)
{
    GString *text = g_string_new(NULL);

    write_packets(triage, text);
    g_string_append(text, text->len > 0 ? ", " : "");
    write_time(triage, text);
    sctpa_page_statement(out, &triage->trouble.statement_end, "Contents:", text->str);
    g_string_truncate(text, 0);
    if (triage->all > EACH_SHOWN_MAX)
        write_association_counts(triage, text, out);
    if (triage->view->messages == NULL && triage->data_chunks > 0)
        sctpa_page_sentence(out, "  messages", LABEL_COLUMNS, "of the application not read (sctp_analysis.messages)");
    if (triage->view->n_files > 0) {
        GArray *frames = named_frames(triage);
        sctpa_files_write(triage->view, frames, LABEL_COLUMNS, out);
        g_array_free(frames, TRUE);
    }
    write_assoc_kinds(triage, text);
    sctpa_page_sentence(out, "  kind", LABEL_COLUMNS, text->str);
    g_string_truncate(text, 0);
    write_asserted(triage, text);
    sctpa_page_sentence(out, "  asserted", LABEL_COLUMNS, text->str);
    g_string_free(text, TRUE);
}

/* --- what failed --- */

/* Set-ups without an association, which fail all the same. */
static void write_refused(const triage_t *triage, GString *out)
{
    unsigned kept;
    const uint32_t refused = sctpa_refused_inits_count(triage->view, &kept);
    for (unsigned i = 0; i < kept; i++) {
        GString *text = g_string_new(NULL);
        sctpa_refused_init_append(text, triage->trouble.labels, &sctpa_summary(triage->view->sctpa)->refused[i]);
        sctpa_page_sentence(out, "  -", REMARK_INDENT, text->str);
        g_string_free(text, TRUE);
    }
    sctpa_page_more(out, refused - kept, "");
}

static void write_failed(triage_t *triage, uint32_t failed, GString *out)
{
    GString *text = g_string_new(NULL);

    sctpa_trouble_append_failures(&triage->trouble, failed, text);
    g_string_append(text, failed > 1 ? " (\"alike\" = similar failures)" : "");
    sctpa_page_section(out, text->str);
    if (sctpa_outcome_groups_associations(triage->failed) > 0)
        sctpa_outcome_groups_write(triage->failed, triage->trouble.labels, FAILED_MAX, out);
    write_refused(triage, out);
    g_string_free(text, TRUE);
}

/* Where statements of the head go. */
typedef struct {
    size_t *end;
    GString *out;
} head_t;

static void write_statement(void *user, const char *label, const char *text)
{
    const head_t *head = user;
    sctpa_page_statement(head->out, head->end, label, text);
}

static void write_quality(void *user, const char *label, const char *text)
{
    const head_t *head = user;
    if (label != NULL && text != NULL)
        write_statement(user, label, text);
    else if (label != NULL)
        sctpa_page_section(head->out, SCTPA_QUALITY_DOUBTFUL);
    else
        sctpa_page_sentence(head->out, "  -", REMARK_INDENT, text);
}

/* The view, with times from the first packet by one clock, where associations were captured by two. */
static sctpa_view_t by_one_clock(const sctpa_view_t *view)
{
    sctpa_view_t one = *view;
    int64_t first_ns, last_ns;
    if (sctpa_span_by_one_clock(view->sctpa, &first_ns, &last_ns))
        one.start_ns = first_ns;
    return one;
}

void sctpa_report_triage(const sctpa_view_t *of, GString *out)
{
    const sctpa_view_t one = by_one_clock(of), *view = &one;
    sctpa_selection_t *selection = sctpa_selection_new(view);
    sctpa_labels_t *labels = sctpa_labels_new(view);
    triage_t triage = {
        .view = view,
        .selection = selection,
        .failed = sctpa_outcome_groups_new(view),
        .worst = worst_new(),
        .same = same_ports_new(),
    };

    sctpa_trouble_begin(&triage.trouble, view, selection, labels);
    read_assocs(&triage);
    sctpa_told_add_capture(&triage.trouble, &triage.doubts);
    const uint32_t failed = sctpa_outcome_groups_associations(triage.failed) + triage.trouble.refused;
    sctpa_page_begin(view, "SCTP triage", out);
    head_t head = { &triage.trouble.statement_end, out };
    bool is_doubtful = sctpa_quality_each(view, &triage.doubts, write_quality, &head);
    sctpa_answer_each(&triage.trouble, failed, is_doubtful, write_statement, &head);
    if (failed > 0)
        write_failed(&triage, failed, out);
    sctpa_trouble_write(&triage.trouble, failed, out);
    write_contents(&triage, out);
    worst_write(triage.worst, &triage.trouble, triage.same, triage.all, out);
    sctpa_labels_write(labels, out);
    sctpa_trouble_end(&triage.trouble);
    g_free(triage.worst);
    same_ports_free(triage.same);
    sctpa_outcome_groups_free(triage.failed);
    sctpa_labels_free(labels);
    sctpa_selection_free(selection);
}
