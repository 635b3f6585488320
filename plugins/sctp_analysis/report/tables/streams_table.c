/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,streams: what was sent on each stream, and how long its messages waited for earlier ones. */
#include "../reports.h"
#include "../text/column_meanings.h"
#include "../text/page.h"
#include "../text/protocol_names.h"
#include "window_tables.h"

#define TITLE "What each endpoint (from) sent on its streams"
#define WAITS_TITLE "How long ordered messages waited, complete, for earlier ones, longest first"

enum { ASSOCS_MAX = 50, STREAMS_MAX = 20, WAITS_MAX = 20, PPIDS_SHOWN = 2 };

static const sctpa_column_t columns[] = {
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "stream", SCTPA_RIGHT, .meaning = SCTPA_MEANS_STREAM },
    { "chunks", SCTPA_RIGHT, .meaning = "DATA chunks, retransmissions included" },
    { "resent", SCTPA_RIGHT, .meaning = "of these chunks the retransmissions" },
    { "messages", SCTPA_RIGHT, .meaning = SCTPA_MEANS_MESSAGES },
    { "unordered", SCTPA_RIGHT, .meaning = "of the messages those sent unordered" },
    { "bytes", SCTPA_RIGHT, .meaning = "of user data, each TSN once" },
    { "% bytes", SCTPA_RIGHT, .meaning = "share of the user data of the endpoint, in percent" },
    { "PPID", SCTPA_WRAPPED, 8, .meaning = SCTPA_MEANS_PPID },
};
static const sctpa_column_t wait_columns[] = {
    { "#", SCTPA_RIGHT, .meaning = SCTPA_MEANS_ASSOC },
    { "from", SCTPA_LEFT, .meaning = SCTPA_MEANS_FROM },
    { "stream", SCTPA_RIGHT, .meaning = SCTPA_MEANS_STREAM },
    { "ordered", SCTPA_RIGHT, .meaning = "ordered messages of the stream" },
    { "median ms", SCTPA_RIGHT, .meaning = SCTPA_MEANS_MEDIAN_MS },
    { "p95 ms", SCTPA_RIGHT, .meaning = SCTPA_MEANS_P95_MS },
    { "max ms", SCTPA_RIGHT, .meaning = SCTPA_MEANS_MAX_MS },
};

/* A stream whose messages waited. */
typedef struct {
    uint32_t assoc;
    unsigned end;
    uint16_t id;
    sctpa_percentiles_t wait, most;
} waited_t;

typedef struct {
    const sctpa_selection_t *selection;
    sctpa_labels_t *labels;
    sctpa_table_t *table;
    GArray *waits; /* waited_t */
    sctpa_stream_t total;
} streams_t;

static void total_add(sctpa_stream_t *total, const sctpa_stream_t *stream)
{
    total->chunks += stream->chunks;
    total->rtx += stream->rtx;
    total->messages += stream->messages;
    total->unordered_messages += stream->unordered_messages;
    total->user_bytes += stream->user_bytes;
}

static void note_wait(GArray *waits, const sctpa_assoc_t *assoc, unsigned end, const sctpa_stream_t *stream)
{
    waited_t waited = { assoc->number, end, stream->id, stream->hol_delay, stream->hol_delay_most };
    if (stream->hol_delay.samples > 0 && stream->hol_delay_most.max_ns > 0)
        g_array_append_val(waits, waited);
}

static void add_ppids(sctpa_table_t *table, const sctpa_assoc_t *assoc, const GArray *ppids)
{
    GString *text = g_string_new(NULL);
    unsigned n = ppids ? ppids->len : 0;
    for (unsigned i = 0; i < MIN(n, PPIDS_SHOWN); i++) {
        g_string_append(text, i ? "; " : "");
        sctpa_ppid_text_append(text, assoc, g_array_index(ppids, uint32_t, i));
    }
    if (n > PPIDS_SHOWN)
        g_string_append(text, "; …");
    sctpa_table_take(table, text);
}

static void add_counts(sctpa_table_t *table, const sctpa_stream_t *stream, uint64_t all_bytes)
{
    sctpa_table_count(table, stream->chunks);
    sctpa_table_count(table, stream->rtx);
    sctpa_table_count(table, stream->messages);
    sctpa_table_count(table, stream->unordered_messages);
    sctpa_table_count(table, stream->user_bytes);
    sctpa_table_share(table, stream->user_bytes, all_bytes);
}

static void add_stream(sctpa_table_t *table, const sctpa_assoc_t *assoc, unsigned end, const sctpa_stream_t *stream,
                       uint64_t all_bytes)
{
    sctpa_table_plain(table, end);
    sctpa_table_plain(table, stream->id);
    add_counts(table, stream, all_bytes);
    add_ppids(table, assoc, stream->ppids);
}

static int bytes_order(gconstpointer a, gconstpointer b)
{
    const sctpa_stream_t *x = a, *y = b;
    if (x->user_bytes != y->user_bytes)
        return x->user_bytes > y->user_bytes ? -1 : 1;
    return (int)x->id - (int)y->id;
}

static void add_left(const streams_t *report, unsigned left)
{
    GString *text = g_string_new(NULL);
    sctpa_page_more(text, left, "streams, with fewer bytes");
    g_string_truncate(text, text->len ? text->len - 1 : 0);
    if (left > 0)
        sctpa_table_line(report->table, text->str);
    g_string_free(text, TRUE);
}

/* Streams in order of id, or those with most bytes when there are many. */
static void add_end(streams_t *report, const sctpa_assoc_t *assoc, unsigned end, GArray *streams, bool shown)
{
    uint64_t all_bytes = 0;
    for (unsigned i = 0; i < streams->len; i++) {
        const sctpa_stream_t *stream = &g_array_index(streams, sctpa_stream_t, i);
        all_bytes += stream->user_bytes;
        total_add(&report->total, stream);
        note_wait(report->waits, assoc, end, stream);
    }
    if (!shown)
        return;
    if (streams->len > STREAMS_MAX)
        g_array_sort(streams, bytes_order);
    for (unsigned i = 0; i < MIN(streams->len, STREAMS_MAX); i++) {
        const sctpa_stream_t *stream = &g_array_index(streams, sctpa_stream_t, i);
        add_stream(report->table, assoc, end, stream, all_bytes);
    }
    add_left(report, streams->len > STREAMS_MAX ? streams->len - STREAMS_MAX : 0);
}

static bool add_assoc(streams_t *report, const sctpa_assoc_t *assoc, bool shown)
{
    GArray *streams[2];
    for (unsigned e = 0; e < 2; e++)
        streams[e] = sctpa_selection_streams(report->selection, assoc, e);
    bool has_any = streams[0]->len + streams[1]->len > 0;
    if (has_any && shown)
        sctpa_labels_add_line(report->labels, assoc, report->table);
    for (unsigned e = 0; e < 2; e++) {
        add_end(report, assoc, e, streams[e], shown);
        g_array_unref(streams[e]);
    }
    return has_any;
}

static int wait_order(gconstpointer a, gconstpointer b)
{
    const waited_t *x = a, *y = b;
    if (x->wait.max_ns != y->wait.max_ns)
        return x->wait.max_ns > y->wait.max_ns ? -1 : 1;
    if (x->most.max_ns != y->most.max_ns)
        return x->most.max_ns > y->most.max_ns ? -1 : 1;
    if (x->assoc != y->assoc)
        return x->assoc < y->assoc ? -1 : 1;
    return x->end != y->end ? (int)x->end - (int)y->end : (int)x->id - (int)y->id;
}

/* "1.000", or "1.000–2.000": between these; "-" where the clock does not tell the longest from none. */
static void add_between(const sctpa_view_t *view, sctpa_table_t *table, int64_t least_ns, int64_t most_ns)
{
    if (least_ns == most_ns || !sctpa_view_tells(view, most_ns)) {
        sctpa_view_ms(view, table, true, most_ns);
        return;
    }
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%.3f–%.3f", (double)least_ns / SCTPA_NS_PER_MS, (double)most_ns / SCTPA_NS_PER_MS);
    sctpa_table_take(table, text);
}

static void add_wait(const sctpa_view_t *view, sctpa_table_t *table, const waited_t *waited)
{
    sctpa_table_plain(table, waited->assoc);
    sctpa_table_plain(table, waited->end);
    sctpa_table_plain(table, waited->id);
    sctpa_table_count(table, waited->wait.samples);
    add_between(view, table, waited->wait.median_ns, waited->most.median_ns);
    add_between(view, table, waited->wait.p95_ns, waited->most.p95_ns);
    add_between(view, table, waited->wait.max_ns, waited->most.max_ns);
}

static void add_streams_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned e = 0; e < 2; e++) {
        GArray *streams = sctpa_selection_streams(source->selection, assoc, e);
        uint64_t all_bytes = 0;
        for (unsigned i = 0; i < streams->len; i++)
            all_bytes += g_array_index(streams, sctpa_stream_t, i).user_bytes;
        for (unsigned i = 0; i < streams->len; i++)
            add_stream(table, assoc, e, &g_array_index(streams, sctpa_stream_t, i), all_bytes);
        g_array_unref(streams);
    }
}

static void add_waits_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    GArray *waits = g_array_new(FALSE, FALSE, sizeof(waited_t));
    for (unsigned e = 0; e < 2; e++) {
        GArray *streams = sctpa_selection_streams(source->selection, assoc, e);
        for (unsigned i = 0; i < streams->len; i++)
            note_wait(waits, assoc, e, &g_array_index(streams, sctpa_stream_t, i));
        g_array_unref(streams);
    }
    g_array_sort(waits, wait_order);
    for (unsigned i = 0; i < waits->len; i++)
        add_wait(source->view, table, &g_array_index(waits, waited_t, i));
    g_array_unref(waits);
}

const sctpa_window_table_t sctpa_window_table_streams = {
    .name = "streams",
    .title = TITLE,
    SCTPA_COLUMNS(columns),
    .add = add_streams_to_window,
};
const sctpa_window_table_t sctpa_window_table_waits = {
    .name = "waits",
    .title = WAITS_TITLE,
    SCTPA_COLUMNS(wait_columns),
    .add = add_waits_to_window,
};

static void write_waits(const streams_t *report, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(wait_columns, G_N_ELEMENTS(wait_columns));

    sctpa_page_section(out, WAITS_TITLE);
    g_array_sort(report->waits, wait_order);
    for (unsigned i = 0; i < MIN(report->waits->len, WAITS_MAX); i++)
        add_wait(sctpa_selection_view(report->selection), table, &g_array_index(report->waits, waited_t, i));
    sctpa_table_write(table, out);
    if (report->waits->len == 0)
        g_string_append(out, "No message is known to have waited.\n");
    sctpa_page_more(out, report->waits->len > WAITS_MAX ? report->waits->len - WAITS_MAX : 0, "streams");
    sctpa_table_free(table);
}

static void write_table(const streams_t *report, unsigned left, GString *out)
{
    sctpa_page_section(out, TITLE);
    sctpa_table_rule(report->table);
    sctpa_table_text(report->table, "all");
    sctpa_table_skip(report->table, 1);
    add_counts(report->table, &report->total, report->total.user_bytes);
    sctpa_table_skip(report->table, 0);
    sctpa_table_write(report->table, out);
    sctpa_page_more(out, left, "associations");
}

void sctpa_report_streams(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    streams_t report = { .selection = selection,
                         .labels = sctpa_labels_new(view),
                         .table = sctpa_table_new(columns, G_N_ELEMENTS(columns)),
                         .waits = g_array_new(FALSE, FALSE, sizeof(waited_t)) };
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;
    unsigned all = 0;

    while ((assoc = sctpa_selection_next(selection, &number)))
        all += add_assoc(&report, assoc, all < ASSOCS_MAX);
    sctpa_page_begin(view, "SCTP streams", out);
    write_table(&report, all > ASSOCS_MAX ? all - ASSOCS_MAX : 0, out);
    write_waits(&report, out);
    sctpa_labels_write(report.labels, out);
    g_array_unref(report.waits);
    sctpa_table_free(report.table);
    sctpa_labels_free(report.labels);
    sctpa_selection_free(selection);
}
