/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sender of the reference model's family fits what each endpoint sent: a table of -z sctp,learned and of windows.
 */
#include "tables.h"

#include "../text/column_meanings.h"
#include "window_tables.h"

#define TITLE "Reference senders that fit what endpoints sent"

static const sctpa_column_t columns[] = {
    { "#", SCTPA_RIGHT, .meaning = SCTPA_MEANS_ASSOC },
    { "endpoint", SCTPA_LEFT, 8, .meaning = SCTPA_MEANS_ENDPOINT },
    { "fit", SCTPA_LEFT, .meaning = "best: this reference sender explains most; as well: it explains as much" },
    { "% explained", SCTPA_RIGHT, .meaning = "share of the occasions that the reference sender explains, in percent" },
    { "of", SCTPA_RIGHT, .meaning = "occasions: new data, and stops of a sender with more to send" },
    { "frame", SCTPA_RIGHT, .meaning = "number of a packet that the others do not explain; a click selects it",
      .holds = SCTPA_HOLDS_FRAMES },
    { "sender", SCTPA_WRAPPED, 24, .meaning = "what the reference sender does" },
};

sctpa_table_t *sctpa_sender_fits_new(void)
{
    return sctpa_table_new(columns, G_N_ELEMENTS(columns));
}

const char *sctpa_sender_fits_title(void)
{
    return TITLE;
}

static void add_row(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_assoc_t *assoc,
                    unsigned end, const sctpa_sender_fit_t *fit, unsigned member)
{
    sctpa_table_plain(table, assoc->number);
    sctpa_labels_endpoint_cell(labels, assoc, end, table);
    sctpa_table_text(table, member == fit->best ? "best" : "as well");
    sctpa_table_share(table, fit->explained[member], fit->occasions);
    sctpa_table_count(table, fit->occasions);
    if (member == fit->best)
        sctpa_table_plain(table, sctpa_packet_frame(view->sctpa, fit->packet));
    else
        sctpa_table_skip(table, 1);
    sctpa_table_text(table, sctpa_sender_words(member));
}

void sctpa_sender_fits_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                           const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_sender_fit_t fit;
    if (!sctpa_sender_fit(view->sctpa, assoc->number, (uint8_t)end, &fit))
        return;
    add_row(table, view, labels, assoc, end, &fit, fit.best);
    for (unsigned member = 0; member < SCTPA_SENDERS_MAX; member++)
        if (member != fit.best && fit.fitting >> member & 1)
            add_row(table, view, labels, assoc, end, &fit, member);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    for (unsigned end = 0; end < 2; end++)
        sctpa_sender_fits_add(table, source->view, source->labels, assoc, end);
}

const sctpa_window_table_t sctpa_window_table_sender_fits = {
    .name = "sender_fits",
    .title = TITLE,
    SCTPA_COLUMNS(columns),
    .add = add_to_window,
    .is_whole = true,
};
