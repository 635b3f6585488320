/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of a text report, and its sections of sentences. */
#include "page.h"

#include <string.h>

#include "table.h"
#include "../tally.h"
#include "text.h"

enum { NAME_COLUMNS = 50, FILTER_COLUMNS = 1000 };

static void append_rule(GString *out)
{
    for (unsigned i = 0; i < SCTPA_TABLE_COLUMNS; i++)
        g_string_append_c(out, '=');
    g_string_append_c(out, '\n');
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, G_DIR_SEPARATOR);
    return slash && slash[1] ? slash + 1 : path;
}

static void append_filter(const sctpa_view_t *view, GString *out)
{
    GString *text = g_string_new(NULL);
    sctpa_text_escape(text, view->filter, FILTER_COLUMNS);
    sctpa_page_sentence(out, "Filter:", 8, text->str);
    if (view->tally) {
        g_string_truncate(text, 0);
        g_string_append(text, "selects ");
        sctpa_text_quantity(text, sctpa_tally_packets(view->tally), "packet", NULL);
        g_string_append(text, " of ");
        sctpa_text_quantity(text, sctpa_summary(view->sctpa)->packets, "SCTP packet", NULL);
        g_string_append(text, ": counters are of these, all else is of whole associations");
        sctpa_page_sentence(out, "", 8, text->str);
    }
    g_string_free(text, TRUE);
}

void sctpa_page_begin(const sctpa_view_t *view, const char *title, GString *out)
{
    GString *line = g_string_new(NULL);
    append_rule(out);
    g_string_printf(line, "%s%s", title, view->file ? ": " : "");
    if (view->file)
        sctpa_text_escape(line, file_name(view->file), NAME_COLUMNS);
    g_string_append_printf(out, "%s\n", line->str);
    if (view->filter || view->tally)
        append_filter(view, out);
    append_rule(out);
    g_string_free(line, TRUE);
}

void sctpa_page_sentence(GString *out, const char *label, unsigned label_columns, const char *text)
{
    sctpa_text_wrap(out, label, label_columns, SCTPA_TABLE_COLUMNS, text);
}

void sctpa_page_direction(GString *out, uint32_t assoc, unsigned sender, const char *text)
{
    enum { GAP = 2 };
    char *label = g_strdup_printf("#%u %u→%u ", assoc, sender, !sender);
    sctpa_page_sentence(out, label, GAP + sctpa_text_columns(label), text);
    g_free(label);
}

void sctpa_page_statement(GString *out, size_t *end, const char *label, const char *text)
{
    enum { LABEL_COLUMNS = 11 };
    if (*text == '\0')
        return;
    if (out->len != *end)
        g_string_append_c(out, '\n');
    sctpa_page_sentence(out, label, LABEL_COLUMNS, text);
    *end = out->len;
}

void sctpa_page_more(GString *out, uint64_t count, const char *what)
{
    if (count == 0)
        return;
    g_string_append(out, "… and ");
    sctpa_text_count(out, count, 20);
    g_string_append_printf(out, " more%s%s (all of them in -z sctp,json)\n", *what ? " " : "", what);
}

/* --- sections of sentences --- */

enum { LABEL_GAP = 2 };

struct sctpa_paragraphs {
    sctpa_paragraphs_row_t rows[SCTPA_TRIAGE_ROWS];
    unsigned n;
    uint32_t count, assocs, number;
};

sctpa_paragraphs_t *sctpa_paragraphs_new(void)
{
    return g_new0(sctpa_paragraphs_t, 1);
}

void sctpa_paragraphs_free(sctpa_paragraphs_t *topic)
{
    for (unsigned i = 0; i < topic->n; i++)
        g_string_free(topic->rows[i].sentence, TRUE);
    g_free(topic);
}

sctpa_paragraphs_row_t *sctpa_paragraphs_add(sctpa_paragraphs_t *topic, const sctpa_assoc_t *assoc, unsigned end,
                                             uint64_t weight)
{
    unsigned at = topic->n;
    topic->assocs += topic->count == 0 || topic->number != assoc->number;
    topic->number = assoc->number;
    topic->count++;
    while (at > 0 && weight > topic->rows[at - 1].weight)
        at--;
    if (at == SCTPA_TRIAGE_ROWS)
        return NULL;
    if (topic->n == SCTPA_TRIAGE_ROWS)
        g_string_free(topic->rows[--topic->n].sentence, TRUE);
    for (unsigned i = topic->n++; i > at; i--)
        topic->rows[i] = topic->rows[i - 1];
    topic->rows[at] =
        (sctpa_paragraphs_row_t){ .weight = weight, .assoc = assoc, .end = end, .sentence = g_string_new(NULL) };
    return &topic->rows[at];
}

sctpa_paragraphs_row_t *sctpa_paragraphs_rows(sctpa_paragraphs_t *topic, unsigned *n)
{
    *n = topic->n;
    return topic->rows;
}

uint32_t sctpa_paragraphs_count(const sctpa_paragraphs_t *topic)
{
    return topic->count;
}

uint32_t sctpa_paragraphs_assocs(const sctpa_paragraphs_t *topic)
{
    return topic->assocs;
}

static GString *label_of(const sctpa_paragraphs_row_t *row)
{
    static const char *const ends[] = { " 0→1", " 1→0", "" };
    GString *label = g_string_new(NULL);
    g_string_printf(label, "  #%u%s", row->assoc->number, ends[MIN(row->end, SCTPA_NO_END)]);
    return label;
}

void sctpa_paragraphs_write(const sctpa_paragraphs_t *topic, const char *heading, GString *out)
{
    unsigned columns = 0;
    if (topic->count == 0)
        return;
    sctpa_page_section(out, heading);
    for (unsigned i = 0; i < topic->n; i++) {
        GString *label = label_of(&topic->rows[i]);
        columns = MAX(columns, sctpa_text_columns(label->str) + LABEL_GAP);
        g_string_free(label, TRUE);
    }
    for (unsigned i = 0; i < topic->n; i++) {
        GString *label = label_of(&topic->rows[i]);
        sctpa_page_sentence(out, label->str, columns, topic->rows[i].sentence->str);
        g_string_free(label, TRUE);
    }
    if (topic->count > topic->n) {
        g_string_append(out, "  … and ");
        sctpa_text_count(out, topic->count - topic->n, 20);
        g_string_append(out, " more\n");
    }
}
