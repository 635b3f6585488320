/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,delays: how long user messages took to be acknowledged and delivered, by stream and PPID; which were late. */
#include "../reports.h"
#include "../text/column_meanings.h"
#include "../text/page.h"
#include "../text/protocol_names.h"
#include "../text/text.h"
#include "window_tables.h"

#define TITLE "From the first transmission of a message to its ack, slowest first (ms)"
#define SHEET_TITLE "From the first transmission of a message to its ack (ms; late: beyond the budget)"
#define DELIVERY_TITLE "To its delivery: not sooner and not later than (ms)"

enum { ROWS_MAX = 50, INDENT = 4 };

static const sctpa_column_t columns[] = {
    { "#", .align = SCTPA_RIGHT },      { "data", .align = SCTPA_LEFT },
    { "stream", .align = SCTPA_RIGHT }, { "PPID", SCTPA_LEFT, .least_columns = 8 },
    { "acked", .align = SCTPA_RIGHT },  { "median", .align = SCTPA_RIGHT },
    { "p95", .align = SCTPA_RIGHT },    { "p99", .align = SCTPA_RIGHT },
    { "max", .align = SCTPA_RIGHT },    { "late", .align = SCTPA_RIGHT },
};
static const sctpa_column_t window_columns[] = {
    { "data", SCTPA_LEFT, .meaning = SCTPA_MEANS_DATA },
    { "stream", SCTPA_RIGHT, .meaning = SCTPA_MEANS_STREAM },
    { "PPID", SCTPA_LEFT, .meaning = SCTPA_MEANS_PPID },
    { "messages", SCTPA_RIGHT, .meaning = SCTPA_MEANS_MESSAGES },
    { "acked", SCTPA_RIGHT, .meaning = "messages whose last TSN was acknowledged, from which the times are taken" },
    { "median", SCTPA_RIGHT, .meaning = SCTPA_MEANS_MEDIAN },
    { "p95", SCTPA_RIGHT, .meaning = SCTPA_MEANS_P95 },
    { "p99", SCTPA_RIGHT, .meaning = SCTPA_MEANS_P99 },
    { "max", SCTPA_RIGHT, .meaning = "the longest" },
    { "late", SCTPA_RIGHT, .meaning = "messages that took longer than the budget" },
    { "sent in", SCTPA_RIGHT, .meaning = "number of the packet with the first transmission of the slowest",
      .holds = SCTPA_HOLDS_FRAMES },
    { "acked in", SCTPA_RIGHT, .meaning = "number of the packet with the acknowledgement of the slowest",
      .holds = SCTPA_HOLDS_FRAMES },
    { "not acked", SCTPA_RIGHT, .meaning = "messages without acknowledgement when the capture ended" },
    { "given up", SCTPA_RIGHT, .meaning = "messages that the sender gave up (FORWARD-TSN)" },
    { "not timed", SCTPA_RIGHT, .meaning = "messages with a fragment or a first transmission that the capture lacks" },
};
static const sctpa_column_t delivery_columns[] = {
    { "data", SCTPA_LEFT, .meaning = SCTPA_MEANS_DATA },
    { "stream", SCTPA_RIGHT, .meaning = SCTPA_MEANS_STREAM },
    { "PPID", SCTPA_LEFT, .meaning = SCTPA_MEANS_PPID },
    { "delivered", SCTPA_RIGHT, .meaning = "messages whose delivery to the application the capture shows" },
    { "median least", SCTPA_RIGHT,
      .meaning = "half of them took no longer, if each was delivered as early as is possible" },
    { "median most", SCTPA_RIGHT,
      .meaning = "half of them took no longer, if each was delivered as late as is possible" },
    { "p95 least", SCTPA_RIGHT, .meaning = "95 of 100 took no longer, if each was delivered as early as is possible" },
    { "p95 most", SCTPA_RIGHT, .meaning = "95 of 100 took no longer, if each was delivered as late as is possible" },
    { "max least", SCTPA_RIGHT, .meaning = "the longest, if each was delivered as early as is possible" },
    { "max most", SCTPA_RIGHT, .meaning = "the longest, if each was delivered as late as is possible" },
};

/* A stream and PPID of a direction. */
typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned sender;
    sctpa_message_delay_t delay;
} row_t;

typedef struct {
    const sctpa_view_t *view;
    sctpa_labels_t *labels;
    GArray *rows; /* row_t, the slowest first, at most ROWS_MAX */
    unsigned n_rows;
    GString *sums;
} report_t;

static void append_count(GString *text, uint64_t count, const char *words)
{
    if (count == 0)
        return;
    g_string_append(text, ", ");
    sctpa_text_count(text, count, 20);
    g_string_append_printf(text, " %s", words);
}

/* What was lost before the capture point is timed from a retransmission. */
static void append_least(GString *text, const sctpa_message_delays_t *delays, unsigned sender)
{
    if (!delays->is_least)
        return;
    g_string_append(text, "; times are lower bounds: ");
    if (delays->sender_tap_rtt.is_measured) {
        g_string_append_printf(text, "RTT from tap to endpoint %u is ", sender);
        sctpa_text_duration(text, delays->sender_tap_rtt.most_ns);
    } else {
        g_string_append_printf(text, "the capture does not show how near endpoint %u is", sender);
    }
    g_string_append(text, ", so a first transmission may have been lost before the tap");
}

/* "of 2,100 messages 3 took longer than 800 ms, the slowest 3.152 s, from frame 3317 to 3345; 2 not acked". */
static void append_sum(const sctpa_view_t *view, GString *text, const sctpa_message_delays_t *delays, unsigned sender)
{
    const sctpa_message_delay_t *all = &delays->all;
    g_string_append(text, "of ");
    sctpa_text_quantity(text, all->messages, "message", NULL);
    g_string_append_c(text, ' ');
    if (all->late > 0)
        sctpa_text_count(text, all->late, 20);
    else
        g_string_append(text, "none");
    g_string_append(text, " took longer than ");
    sctpa_text_duration(text, delays->budget_ns);
    if (all->ack.samples > 0 && sctpa_view_tells(view, all->ack.max_ns)) {
        g_string_append(text, "; the slowest ");
        sctpa_text_duration(text, all->ack.max_ns);
        g_string_append_printf(text, ", from frame %u to its ack in frame %u",
                               sctpa_packet_frame(view->sctpa, all->slowest_sent),
                               sctpa_packet_frame(view->sctpa, all->slowest_ack));
    }
    append_count(text, all->outstanding, "not acked");
    append_count(text, all->given_up, "given up");
    append_count(text, all->partly_seen, "not timed, since the capture lacks a part of them");
    append_least(text, delays, sender);
}

static gint64 slowest_ns(gconstpointer row)
{
    return ((const row_t *)row)->delay.ack.max_ns;
}

static void add_direction(report_t *report, const sctpa_selection_t *selection, const sctpa_assoc_t *assoc,
                          unsigned sender)
{
    sctpa_message_delays_t *delays = sctpa_selection_delays(selection, assoc, sender, NULL);
    if (delays != NULL && delays->all.messages > 0) {
        GString *text = g_string_new(NULL);
        append_sum(report->view, text, delays, sender);
        sctpa_page_direction(report->sums, assoc->number, sender, text->str);
        g_string_free(text, TRUE);
        for (unsigned i = 0; i < delays->streams->len; i++) {
            row_t row = { assoc, sender, g_array_index(delays->streams, sctpa_message_delay_t, i) };
            sctpa_longest_keep(report->rows, &row, ROWS_MAX, slowest_ns);
        }
        report->n_rows += delays->streams->len;
    }
    sctpa_message_delays_free(delays);
}

static void add_name(sctpa_table_t *table, const sctpa_assoc_t *assoc, unsigned sender,
                     const sctpa_message_delay_t *delay)
{
    GString *ppid = g_string_new(NULL);
    sctpa_table_direction(table, sender);
    sctpa_table_plain(table, delay->stream);
    sctpa_ppid_text_append(ppid, assoc, delay->ppid);
    sctpa_table_take(table, ppid);
}

static void add_times(const sctpa_view_t *view, sctpa_table_t *table, const sctpa_percentiles_t *times)
{
    sctpa_view_ms(view, table, times->samples > 0, times->median_ns);
    sctpa_view_ms(view, table, times->samples > 0, times->p95_ns);
    sctpa_view_ms(view, table, times->samples > 0, times->p99_ns);
    sctpa_view_ms(view, table, times->samples > 0, times->max_ns);
}

static void write_rows(const report_t *report, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(columns, G_N_ELEMENTS(columns));
    for (unsigned i = 0; i < report->rows->len; i++) {
        const row_t *row = &g_array_index(report->rows, row_t, i);
        sctpa_table_plain(table, row->assoc->number);
        add_name(table, row->assoc, row->sender, &row->delay);
        sctpa_table_count(table, row->delay.ack.samples);
        add_times(report->view, table, &row->delay.ack);
        sctpa_table_count(table, row->delay.late);
    }
    sctpa_page_section(out, TITLE);
    sctpa_table_write(table, out);
    if (report->rows->len == 0)
        g_string_append(out, "No message with its ack was captured.\n");
    sctpa_page_more(out, report->n_rows - report->rows->len, "");
    sctpa_table_free(table);
}

static void add_packet(const sctpa_view_t *view, sctpa_table_t *table, uint32_t packet)
{
    if (packet == SCTPA_NO_PACKET_INDEX)
        sctpa_table_skip(table, 1);
    else
        sctpa_table_plain(table, sctpa_packet_frame(view->sctpa, packet));
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned sender = 0; sender < 2; sender++) {
        const sctpa_message_delays_t *delays = sctpa_window_table_delays_of(source, assoc, sender);
        for (unsigned i = 0; delays != NULL && i < delays->streams->len; i++) {
            const sctpa_message_delay_t *delay = &g_array_index(delays->streams, sctpa_message_delay_t, i);
            add_name(table, assoc, sender, delay);
            sctpa_table_count(table, delay->messages);
            sctpa_table_count(table, delay->ack.samples);
            add_times(source->view, table, &delay->ack);
            sctpa_table_count(table, delay->late);
            add_packet(source->view, table, delay->slowest_sent);
            add_packet(source->view, table, delay->slowest_ack);
            sctpa_table_count(table, delay->outstanding);
            sctpa_table_count(table, delay->given_up);
            sctpa_table_count(table, delay->partly_seen);
        }
    }
}

static void add_deliveries(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned sender = 0; sender < 2; sender++) {
        const sctpa_message_delays_t *delays = sctpa_window_table_delays_of(source, assoc, sender);
        for (unsigned i = 0; delays != NULL && i < delays->streams->len; i++) {
            const sctpa_message_delay_t *delay = &g_array_index(delays->streams, sctpa_message_delay_t, i);
            const sctpa_percentiles_t *least = &delay->delivered_least, *most = &delay->delivered_most;
            if (least->samples == 0)
                continue;
            add_name(table, assoc, sender, delay);
            sctpa_table_count(table, least->samples);
            sctpa_view_ms(source->view, table, true, least->median_ns);
            sctpa_view_ms(source->view, table, true, most->median_ns);
            sctpa_view_ms(source->view, table, true, least->p95_ns);
            sctpa_view_ms(source->view, table, true, most->p95_ns);
            sctpa_view_ms(source->view, table, true, least->max_ns);
            sctpa_view_ms(source->view, table, true, most->max_ns);
        }
    }
}

const sctpa_window_table_t sctpa_window_table_delays = {
    .name = "delays",
    .title = SHEET_TITLE,
    SCTPA_COLUMNS(window_columns),
    .add = add_to_window,
};
const sctpa_window_table_t sctpa_window_table_deliveries = {
    .name = "deliveries",
    .title = DELIVERY_TITLE,
    SCTPA_COLUMNS(delivery_columns),
    .add = add_deliveries,
};

void sctpa_report_delays(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    report_t report = { .view = view,
                        .labels = sctpa_labels_new(view),
                        .rows = g_array_new(FALSE, FALSE, sizeof(row_t)),
                        .sums = g_string_new(NULL) };
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;
    unsigned directions = 0;

    while ((assoc = sctpa_selection_next(selection, &number)))
        for (unsigned sender = 0; sender < 2; sender++) {
            size_t before = report.sums->len;
            add_direction(&report, selection, assoc, sender);
            directions += report.sums->len > before;
            if (directions > ROWS_MAX)
                g_string_truncate(report.sums, before);
        }
    sctpa_page_begin(view, "SCTP message delays", out);
    g_string_append_printf(out, "%s%s", report.sums->len > 0 ? "\n" : "", report.sums->str);
    sctpa_page_more(out, directions > ROWS_MAX ? directions - ROWS_MAX : 0, "directions");
    write_rows(&report, out);
    sctpa_labels_write(report.labels, out);
    g_string_free(report.sums, TRUE);
    g_array_unref(report.rows);
    sctpa_labels_free(report.labels);
    sctpa_selection_free(selection);
}
