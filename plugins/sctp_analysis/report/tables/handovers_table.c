/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handovers: what asked for them, how long delivery stood still, and what it cost. */
#include "tables.h"

#include "../rows/rows.h"
#include "../text/page.h"
#include "window_tables.h"

#define TITLE "Handovers: new data that went another way and stayed there"

/* "0→1", one number where the path stays the same. */
static void add_way(sctpa_table_t *table, const sctpa_handover_t *handover)
{
    if (handover->from == handover->to)
        sctpa_table_plain(table, handover->to);
    else
        sctpa_table_printf(table, "%u→%u", handover->from, handover->to);
}
#define SCTPA_LOOK_WAY SCTPA_LEFT
#define SCTPA_CELL_WAY(is_known, handover) add_way(table, handover)

#define SCTPA_OBJECTS "../rows/multipath_objects.def"
#include "../rows/columns.h"

const char *sctpa_handover_word(const sctpa_handover_t *handover)
{
    static const char *const words[] = {
        [SCTPA_ADDRESS_ADD] = "add", [SCTPA_ADDRESS_DELETE] = "delete", [SCTPA_ADDRESS_PRIMARY] = "primary"
    };
    if (handover->failover)
        return "failover";
    return handover->request ? words[handover->request->kind] : NULL;
}

sctpa_table_t *sctpa_handovers_new(void)
{
    return sctpa_table_new(columns_handover, G_N_ELEMENTS(columns_handover));
}

/* labels NULL: no heading. */
static void add_assoc(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                      const sctpa_assoc_t *assoc)
{
    bool has_heading = labels == NULL;
    for (uint8_t e = 0; e < 2; e++) {
        GArray *handovers = sctpa_handovers(view->sctpa, assoc->number, e);
        for (guint i = 0; i < handovers->len; i++) {
            if (!has_heading)
                sctpa_labels_add_line(labels, assoc, table);
            has_heading = true;
            const sctpa_handover_row_t row = sctpa_handover_row(e, &g_array_index(handovers, sctpa_handover_t, i));
            cells_handover(table, view, &row);
        }
        g_array_unref(handovers);
    }
}

void sctpa_handovers_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                         const sctpa_assoc_t *assoc)
{
    add_assoc(table, view, labels, assoc);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    add_assoc(table, source->view, NULL, assoc);
}

const sctpa_window_table_t sctpa_window_table_handovers = {
    .name = "handovers",
    .title = TITLE,
    SCTPA_COLUMNS(columns_handover),
    .add = add_to_window,
    .is_whole = true,
};

void sctpa_handovers_write(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, TITLE);
    sctpa_table_write(table, out);
    sctpa_page_sentence(out, "by", 8,
                        "failover, or the last ASCONF before: it added the new address, set it primary, or deleted "
                        "the old one (asked), and its ASCONF-ACK (acked)");
    sctpa_window_table_explain(&sctpa_window_table_handovers, "ack ms", 8, out);
    sctpa_window_table_explain(&sctpa_window_table_handovers, "gap ms", 8, out);
    sctpa_page_sentence(out, "rtx", 8,
                        "retransmissions since then of what had gone the old way; spur: at least so many spurious");
    sctpa_window_table_explain(&sctpa_window_table_handovers, "old", 8, out);
}
