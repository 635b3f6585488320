/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A section of sentences. */
#include "paragraphs.h"

#include "page.h"
#include "text.h"

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
