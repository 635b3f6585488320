/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes tables, and says which belong together. */
#include "window_tables.h"

#include "../text/page.h"

void sctpa_longest_keep(GArray *rows, gconstpointer found, unsigned most, gint64 (*ns_of)(gconstpointer row))
{
    const gint64 ns = ns_of(found);
    unsigned at = rows->len;
    while (at > 0 && ns_of(rows->data + (gsize)(at - 1) * g_array_get_element_size(rows)) < ns)
        at--;
    if (at == most)
        return;
    g_array_insert_vals(rows, at, found, 1);
    if (rows->len > most)
        g_array_set_size(rows, most);
}

sctpa_window_table_source_t *sctpa_window_table_source_new(const sctpa_view_t *view)
{
    sctpa_window_table_source_t *source = g_new0(sctpa_window_table_source_t, 1);
    source->view = view;
    source->selection = sctpa_selection_new(view);
    source->labels = sctpa_labels_new_spelled_out(view);
    source->assoc = SCTPA_NO_ASSOC;
    return source;
}

static void forget_measures(sctpa_window_table_source_t *source)
{
    for (unsigned e = 0; e < 2; e++) {
        g_clear_pointer(&source->measures[e], sctpa_measure_free);
        g_clear_pointer(&source->delays[e], sctpa_message_delays_free);
    }
    source->assoc = SCTPA_NO_ASSOC;
}

void sctpa_window_table_source_free(sctpa_window_table_source_t *source)
{
    forget_measures(source);
    sctpa_selection_free(source->selection);
    sctpa_labels_free(source->labels);
    sctpa_application_free(source->application);
    g_free(source);
}

const sctpa_application_t *sctpa_window_table_application(sctpa_window_table_source_t *source)
{
    if (source->application == NULL)
        source->application = sctpa_application_new(source->view);
    return source->application;
}

/* From now on what is measured is of this association. */
static void turn_to(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc)
{
    if (source->assoc != assoc->number)
        forget_measures(source);
    source->assoc = assoc->number;
}

const sctpa_message_delays_t *sctpa_window_table_delays_of(sctpa_window_table_source_t *source,
                                                           const sctpa_assoc_t *assoc, unsigned end)
{
    turn_to(source, assoc);
    if (!source->delays[end])
        source->delays[end] = sctpa_selection_delays(source->selection, assoc, end, NULL);
    return source->delays[end];
}

const sctpa_measure_t *sctpa_window_table_measure(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc,
                                                  unsigned end)
{
    turn_to(source, assoc);
    if (!source->measures[end])
        source->measures[end] = sctpa_selection_measure(source->selection, assoc, end);
    return source->measures[end];
}

sctpa_table_t *sctpa_window_table_make(const sctpa_window_table_t *window_table, sctpa_window_table_source_t *source,
                                       const sctpa_assoc_t *assoc)
{
    sctpa_table_t *table = sctpa_table_new(window_table->columns, window_table->n_columns);
    window_table->add(source, assoc, table);
    return table;
}

void sctpa_window_table_explain(const sctpa_window_table_t *table, const char *head, unsigned label_columns,
                                GString *out)
{
    unsigned column = 0;
    while (!g_str_equal(table->columns[column].head, head))
        column++;
    sctpa_page_sentence(out, head, label_columns, table->columns[column].meaning);
}

const sctpa_window_table_page_t *sctpa_window_table_pages(void)
{
    static const sctpa_window_table_page_t pages[] = {
#define SCTPA_PAGE(name, title, answers, without_messages, when_empty, ...) \
    { name, title, answers, without_messages, when_empty, { __VA_ARGS__ } },
#include "association_pages.def"
#undef SCTPA_PAGE
        { NULL, NULL, NULL, NULL, NULL, { NULL } },
    };
    return pages;
}
