/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What set-ups agreed on. */
#include <string.h>

#include "../text/page.h"
#include "../text/protocol_names.h"
#include "../text/table.h"
#include "../text/text.h"
#include "tables.h"

enum { ROWS_MAX = 50, INDENT = 6 };

static const sctpa_column_t columns[] = {
    { "#", .align = SCTPA_RIGHT },          { "alike", .align = SCTPA_RIGHT },
    { "out 0", .align = SCTPA_RIGHT },      { "out 1", .align = SCTPA_RIGHT },
    { "a_rwnd 0 B", .align = SCTPA_RIGHT }, { "a_rwnd 1 B", .align = SCTPA_RIGHT },
    { "addrs 0/1", .align = SCTPA_RIGHT },  { "cookie B", .align = SCTPA_RIGHT },
};

/* Of ends 0 and 1; all zero where INIT or INIT ACK of that end was not captured. */
typedef struct {
    uint64_t chunks[2], params[2];
    uint32_t a_rwnd_bytes[2], streams[2], addrs[2], cookie_bytes;
} terms_t;

typedef struct {
    terms_t terms;
    uint32_t first, count;
} row_t;

struct sctpa_negotiated {
    GArray *rows; /* row_t */
    uint32_t left_out;
};

sctpa_negotiated_t *sctpa_negotiated_new(void)
{
    sctpa_negotiated_t *negotiated = g_new0(sctpa_negotiated_t, 1);
    negotiated->rows = g_array_new(FALSE, FALSE, sizeof(row_t));
    return negotiated;
}

void sctpa_negotiated_free(sctpa_negotiated_t *negotiated)
{
    g_array_free(negotiated->rows, TRUE);
    g_free(negotiated);
}

/* Addresses in INIT or INIT ACK; without any, the packet's source is the one (RFC 9260 5.1.2). */
static uint32_t listed_addrs(const sctpa_end_t *end)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < end->n_addrs; i++)
        count += (end->addrs[i].origin & SCTPA_ADDR_LISTED) != 0;
    return MAX(count, 1);
}

static void read_terms(terms_t *terms, const sctpa_assoc_t *assoc)
{
    memset(terms, 0, sizeof *terms);
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_init_t *init = &assoc->ends[e].init, *peer = &assoc->ends[!e].init;
        if (!init->seen)
            continue;
        terms->chunks[e] = sctpa_extension_chunks(init->supported_chunks);
        terms->params[e] = sctpa_extension_params(init->params);
        terms->a_rwnd_bytes[e] = init->a_rwnd_bytes;
        terms->addrs[e] = listed_addrs(&assoc->ends[e]);
        terms->cookie_bytes = MAX(terms->cookie_bytes, init->cookie_bytes);
        /* What it asked for, at most what its peer takes (RFC 9260 5.1.1). */
        terms->streams[e] = peer->seen ? MIN(init->outbound_streams, peer->inbound_streams) : 0;
    }
}

void sctpa_negotiated_add(sctpa_negotiated_t *negotiated, const sctpa_assoc_t *assoc)
{
    row_t row = { .first = assoc->number, .count = 1 };
    read_terms(&row.terms, assoc);
    for (unsigned i = 0; i < negotiated->rows->len; i++) {
        row_t *known = &g_array_index(negotiated->rows, row_t, i);
        if (memcmp(&known->terms, &row.terms, sizeof row.terms) == 0) {
            known->count++;
            return;
        }
    }
    if (negotiated->rows->len < ROWS_MAX)
        g_array_append_val(negotiated->rows, row);
    else
        negotiated->left_out++;
}

static void append_word(void *user, const char *word)
{
    GString *text = user;
    g_string_append_printf(text, "%s%s", text->str[text->len - 1] == ' ' ? "" : ", ", word);
}

static void add_words(sctpa_table_t *table, const char *label, uint64_t chunks, uint64_t params)
{
    GString *text = g_string_new(label);
    gsize length = text->len;
    sctpa_extensions_each(chunks, params, append_word, text);
    if (text->len > length)
        sctpa_table_sentence(table, INDENT, text->str);
    g_string_free(text, TRUE);
}

/* Nothing that a completed set-up announced is zero. */
static void add_known(sctpa_table_t *table, uint32_t count)
{
    if (count)
        sctpa_table_count(table, count);
    else
        sctpa_table_text(table, "-");
}

static void add_addrs(sctpa_table_t *table, const uint32_t addrs[2])
{
    GString *text = g_string_new(NULL);
    for (unsigned e = 0; e < 2; e++) {
        if (addrs[e])
            g_string_append_printf(text, "%u", addrs[e]);
        else
            g_string_append_c(text, '-');
        g_string_append(text, e == 0 ? "/" : "");
    }
    sctpa_table_take(table, text);
}

static void add_row(sctpa_table_t *table, const row_t *row)
{
    const terms_t *terms = &row->terms;

    sctpa_table_plain(table, row->first);
    sctpa_table_count(table, row->count);
    for (unsigned e = 0; e < 2; e++)
        add_known(table, terms->streams[e]);
    for (unsigned e = 0; e < 2; e++)
        add_known(table, terms->a_rwnd_bytes[e]);
    add_addrs(table, terms->addrs);
    add_known(table, terms->cookie_bytes);
    add_words(table, "both: ", terms->chunks[0] & terms->chunks[1], terms->params[0] & terms->params[1]);
    add_words(table, "only 0: ", terms->chunks[0] & ~terms->chunks[1], terms->params[0] & ~terms->params[1]);
    add_words(table, "only 1: ", terms->chunks[1] & ~terms->chunks[0], terms->params[1] & ~terms->params[0]);
}

void sctpa_negotiated_write(const sctpa_negotiated_t *negotiated, GString *out)
{
    sctpa_table_t *table = sctpa_table_new(columns, G_N_ELEMENTS(columns));

    for (unsigned i = 0; i < negotiated->rows->len; i++)
        add_row(table, &g_array_index(negotiated->rows, row_t, i));
    sctpa_page_section(out, "Negotiated (out 0, out 1: streams that endpoint 0, 1 may send on)");
    sctpa_table_write(table, out);
    sctpa_page_more(out, negotiated->left_out, "");
    sctpa_table_free(table);
}
