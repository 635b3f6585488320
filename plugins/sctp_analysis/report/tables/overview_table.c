/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of an overview: an association, and its endpoints side by side. JSON says the same of "associations" and
 * "endpoints". */
#include "../findings_filter.h"
#include "../text/column_meanings.h"
#include "../text/outcome_text.h"
#include "../text/protocol_names.h"
#include "window_tables.h"

static const sctpa_column_t assoc_columns[] = {
    { "property", SCTPA_LEFT, .meaning = SCTPA_MEANS_PROPERTY },
    { "value", SCTPA_LEFT, .meaning = "what it is" },
};
static const sctpa_column_t end_columns[] = {
    { "property", SCTPA_LEFT, .meaning = SCTPA_MEANS_PROPERTY },
    { "endpoint 0", SCTPA_LEFT, .meaning = SCTPA_MEANS_ENDPOINT_0 },
    { "endpoint 1", SCTPA_LEFT, .meaning = SCTPA_MEANS_ENDPOINT_1 },
};
enum { WHY_COLUMNS = 150 };

/* --- the association -------------------------------------------------------------------------------------------------
 */

static void add_moment(const sctpa_view_t *view, sctpa_table_t *table, const char *property, int64_t time_ns)
{
    sctpa_table_text(table, property);
    sctpa_view_moment(view, table, time_ns);
}

static void add_end(const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end_by, sctpa_table_t *table)
{
    GString *text = g_string_new(NULL);
    sctpa_outcome_append_end(text, view, assoc);
    if (end_by < SCTPA_NO_END)
        g_string_append_printf(text, ", by endpoint %u", end_by);
    sctpa_table_text(table, "end");
    sctpa_table_take(table, text);
    text = g_string_new(NULL);
    sctpa_outcome_append_why(text, view, assoc, WHY_COLUMNS);
    if (text->len > 0) {
        sctpa_table_text(table, "reason");
        sctpa_table_text(table, text->str);
    }
    g_string_free(text, TRUE);
}

static void add_setup(const sctpa_view_t *view, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    int64_t setup_ns = sctpa_assoc_setup_ns(assoc);
    sctpa_table_text(table, "set-up");
    sctpa_table_text(table, sctpa_setup_seen_word(sctpa_assoc_setup_seen(assoc)));
    sctpa_table_text(table, "set-up ms");
    sctpa_view_ms(view, table, setup_ns >= 0, setup_ns);
}

static void add_restart(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    if (assoc->restart_of == SCTPA_NO_ASSOC)
        return;
    sctpa_table_text(table, "restart of");
    sctpa_table_plain(table, sctpa_view_resolve(source->view, assoc->restart_of));
}

static void add_association(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    sctpa_outcome_t outcome = sctpa_view_outcome(source->view, assoc);
    add_setup(source->view, assoc, table);
    add_end(source->view, assoc, outcome.end_by, table);
    add_restart(source, assoc, table);
    sctpa_table_text(table, "carried over");
    sctpa_table_text(table, sctpa_encapsulation_word(assoc->encapsulation));
    sctpa_table_text(table, "first frame");
    sctpa_table_frame(table, assoc->first_frame);
    sctpa_table_text(table, "last frame");
    sctpa_table_frame(table, outcome.last_frame);
    add_moment(source->view, table, "start s", assoc->first_ns);
    sctpa_table_text(table, "duration s");
    sctpa_table_seconds(table, sctpa_assoc_span_ns(source->view->sctpa, assoc, &outcome));
}

const sctpa_window_table_t sctpa_window_table_association = {
    .name = "association",
    .title = "The association",
    SCTPA_COLUMNS(assoc_columns),
    .add = add_association,
    .is_whole = true,
};

/* --- its endpoints ---------------------------------------------------------------------------------------------------
 */

/* One property of both endpoints. */
typedef struct {
    sctpa_window_table_source_t *source;
    const sctpa_assoc_t *assoc;
    sctpa_table_t *table;
} ends_t;

static void add_counts(const ends_t *ends, const char *property, uint64_t of_0, uint64_t of_1)
{
    sctpa_table_text(ends->table, property);
    sctpa_table_count(ends->table, of_0);
    sctpa_table_count(ends->table, of_1);
}

/* As every window calls them. */
static void add_names(const ends_t *ends)
{
    sctpa_table_text(ends->table, "endpoint");
    for (unsigned e = 0; e < 2; e++)
        sctpa_labels_endpoint_cell(ends->source->labels, ends->assoc, e, ends->table);
}

static void add_addrs(const ends_t *ends)
{
    const sctpa_end_t *end = ends->assoc->ends;
    for (unsigned i = 0; i < MAX(end[0].n_addrs, end[1].n_addrs); i++) {
        sctpa_table_text(ends->table, i == 0 ? "address" : "");
        for (unsigned e = 0; e < 2; e++) {
            GString *text = g_string_new(NULL);
            if (i < end[e].n_addrs) {
                sctpa_labels_addr(ends->source->labels, &end[e].addrs[i].addr, text);
                g_string_append(text, end[e].addrs[i].origin & SCTPA_ADDR_DELETED ? " (deleted)" : "");
            }
            sctpa_table_take(ends->table, text);
        }
    }
}

static void add_tags(const ends_t *ends)
{
    sctpa_table_text(ends->table, "port");
    for (unsigned e = 0; e < 2; e++)
        sctpa_table_plain(ends->table, ends->assoc->ends[e].port);
    sctpa_table_text(ends->table, "verification tag");
    for (unsigned e = 0; e < 2; e++) {
        if (ends->assoc->ends[e].has_vtag)
            sctpa_table_printf(ends->table, "0x%08x", ends->assoc->ends[e].vtag);
        else
            sctpa_table_text(ends->table, "-");
    }
}

static void add_stacks(const ends_t *ends)
{
    const sctpa_view_t *view = ends->source->view;
    sctpa_table_text(ends->table, "stack");
    for (unsigned e = 0; e < 2; e++) {
        sctpa_stack_t stack = sctpa_stack(view->sctpa, ends->assoc->number, (uint8_t)e);
        GString *text = g_string_new(stack.name ? stack.name : "-");
        if (stack.name) {
            g_string_append(text, ": ");
            sctpa_findings_filter_marks(view, &stack, text);
        }
        sctpa_table_take(ends->table, text);
    }
}

/* Of the whole association: nothing of a part of it. */
static void add_verdicts(const ends_t *ends)
{
    if (ends->source->view->tally)
        return;
    sctpa_table_text(ends->table, "verdict");
    for (unsigned e = 0; e < 2; e++) {
        sctpa_judgement_t judgement = sctpa_judgement(ends->source->view->sctpa, ends->assoc->number, (uint8_t)e);
        GString *text = g_string_new(NULL), *counts = g_string_new(NULL);
        sctpa_outcome_append_word(text, sctpa_verdict_word(judgement.verdict));
        sctpa_findings_filter_counts(&judgement.findings, true, counts);
        if (counts->len > 0)
            g_string_append_printf(text, ": %s", counts->str);
        sctpa_table_take(ends->table, text);
        g_string_free(counts, TRUE);
    }
}

/* A number of INIT or INIT ACK; a dash where it was not captured. */
static void add_of_init(const ends_t *ends, const char *property, uint32_t of_0, uint32_t of_1, bool plain)
{
    const uint32_t numbers[2] = { of_0, of_1 };
    sctpa_table_text(ends->table, property);
    for (unsigned e = 0; e < 2; e++) {
        if (!ends->assoc->ends[e].init.seen)
            sctpa_table_text(ends->table, "-");
        else if (plain)
            sctpa_table_plain(ends->table, numbers[e]);
        else
            sctpa_table_count(ends->table, numbers[e]);
    }
}

static void add_init(const ends_t *ends)
{
    const sctpa_init_t *a = &ends->assoc->ends[0].init, *b = &ends->assoc->ends[1].init;
    add_of_init(ends, "initial TSN", a->initial_tsn, b->initial_tsn, true);
    add_of_init(ends, "a_rwnd at set-up, bytes", a->a_rwnd_bytes, b->a_rwnd_bytes, false);
    add_of_init(ends, "outbound streams wanted", a->outbound_streams, b->outbound_streams, false);
    add_of_init(ends, "inbound streams allowed", a->inbound_streams, b->inbound_streams, false);
}

typedef struct {
    const char *word; /* looked for */
    bool is_there;
} search_t;

static void look_for(void *user, const char *word)
{
    search_t *search = (search_t *)user;
    search->is_there |= g_strcmp0(word, search->word) == 0;
}

/* Called with every extension of either endpoint. */
static void add_extension(void *user, const char *word)
{
    const ends_t *ends = (const ends_t *)user;
    sctpa_table_printf(ends->table, "extension %s", word);
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_init_t *init = &ends->assoc->ends[e].init;
        search_t search = { word, false };
        sctpa_extensions_each(init->supported_chunks, init->params, look_for, &search);
        sctpa_table_text(ends->table, !init->seen ? "-" : search.is_there ? "yes" : "no");
    }
}

static void add_checksums(const ends_t *ends)
{
    static const char *const properties[SCTPA_CHECKSUMS] = {
        [SCTPA_CHECKSUM_CRC32C] = "packets with CRC32c",
        [SCTPA_CHECKSUM_ADLER32] = "packets with Adler-32",
        [SCTPA_CHECKSUM_ZERO] = "packets with zero checksum",
        [SCTPA_CHECKSUM_BAD] = "packets with bad checksum",
        [SCTPA_CHECKSUM_UNVERIFIED] = "packets with unverified checksum",
    };
    const uint32_t *counts[2];
    for (unsigned e = 0; e < 2; e++)
        counts[e] = sctpa_selection_checksums(ends->source->selection, ends->assoc, e);
    for (unsigned kind = 0; kind < SCTPA_CHECKSUMS; kind++)
        if (counts[0][kind] + counts[1][kind] > 0)
            add_counts(ends, properties[kind], counts[0][kind], counts[1][kind]);
}

static void add_data(const ends_t *ends)
{
    const sctpa_measure_t *measures[2];
    const sctpa_counts_t *counts[2];
    for (unsigned e = 0; e < 2; e++) {
        measures[e] = sctpa_window_table_measure(ends->source, ends->assoc, e);
        counts[e] = sctpa_selection_end(ends->source->selection, ends->assoc, e);
    }
    add_counts(ends, "packets sent", counts[0]->packets, counts[1]->packets);
    add_counts(ends, "bytes of IP packets sent", counts[0]->wire_bytes, counts[1]->wire_bytes);
    add_counts(ends, "DATA chunks sent", sctpa_counts_data_chunks(counts[0]), sctpa_counts_data_chunks(counts[1]));
    add_counts(ends, "retransmissions", sctpa_sent_rtx(&measures[0]->all), sctpa_sent_rtx(&measures[1]->all));
    add_counts(ends, "messages", measures[0]->all.messages, measures[1]->all.messages);
    add_counts(ends, "user bytes", measures[0]->all.user_bytes, measures[1]->all.user_bytes);
    sctpa_table_text(ends->table, "goodput bit/s");
    for (unsigned e = 0; e < 2; e++)
        sctpa_table_rate(ends->table, sctpa_sent_goodput_bps(&measures[e]->all,
                                                             ends->source->view->tally ? 0 : measures[e]->span_ns));
    sctpa_table_text(ends->table, "RTT from the capture, least ms");
    for (unsigned e = 0; e < 2; e++) {
        int64_t ns = sctpa_view_least_rtt_ns(ends->source->view, ends->assoc, e, &measures[e]->all);
        sctpa_view_ms(ends->source->view, ends->table, ns >= 0, ns);
    }
    sctpa_table_text(ends->table, "DATA acked after, median ms");
    for (unsigned e = 0; e < 2; e++)
        sctpa_view_ms(ends->source->view, ends->table, measures[e]->all.rtt.samples > 0,
                      measures[e]->all.rtt.median_ns);
    add_counts(ends, "zero-window periods", measures[1]->zero_windows, measures[0]->zero_windows);
}

static void add_distance(const ends_t *ends)
{
    sctpa_table_text(ends->table, "RTT from tap, ms");
    for (unsigned e = 0; e < 2; e++) {
        int64_t ns = sctpa_tap_rtt_ns(ends->source->view->sctpa, ends->assoc->number, (uint8_t)e);
        sctpa_view_ms(ends->source->view, ends->table, ns >= 0, ns);
    }
}

static void add_endpoints(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    ends_t ends = { source, assoc, table };
    const sctpa_init_t *a = &assoc->ends[0].init, *b = &assoc->ends[1].init;
    add_names(&ends);
    add_addrs(&ends);
    add_tags(&ends);
    add_stacks(&ends);
    add_verdicts(&ends);
    add_init(&ends);
    sctpa_extensions_each(a->supported_chunks | b->supported_chunks, a->params | b->params, add_extension, &ends);
    add_data(&ends);
    add_distance(&ends);
    add_checksums(&ends);
}

const sctpa_window_table_t sctpa_window_table_endpoints = {
    .name = "endpoints",
    .title = "The endpoints",
    SCTPA_COLUMNS(end_columns),
    .add = add_endpoints,
};
