/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outages: paths that did not answer HEARTBEATs or data, when they became potentially failed and inactive, and when
 * they answered again. Leaves out paths that new data left (paths_table.c). */
#include "tables.h"

#include "../rows/rows.h"
#include "../text/page.h"
#include "window_tables.h"

#define TITLE "Paths that stopped answering (seconds from the first frame)"
enum { INDENT = 4, TERMINAL_COLUMNS = 8 };

/* "60.84–61.84", and behind it max_retrans where it is not negative. */
static void add_change(sctpa_table_t *table, const sctpa_view_t *view, const sctpa_path_state_change_t *change,
                       int64_t max_retrans)
{
    const double from = (double)sctpa_view_since_start(view, change->earliest_ns) / 1e9,
                 to = (double)sctpa_view_since_start(view, change->latest_ns) / 1e9;
    const int decimals = to < 1000 ? 2 : 1;
    if (change->frame == 0)
        sctpa_table_text(table, "-");
    else if (max_retrans < 0)
        sctpa_table_printf(table, "%.*f–%.*f", decimals, from, decimals, to);
    else
        sctpa_table_printf(table, "%.*f–%.*f (%" G_GINT64_FORMAT ")", decimals, from, decimals, to, max_retrans);
}

#define SCTPA_LOOK_CHANGE SCTPA_RIGHT
#define SCTPA_CELL_CHANGE(is_known, change) add_change(table, view, change, -1)
#define SCTPA_LOOK_INACTIVE SCTPA_RIGHT
#define SCTPA_CELL_INACTIVE(is_known, outage) add_change(table, view, &(outage)->inactive, (outage)->max_retrans)
/* A terminal has room for the first columns alone, which do without formulas. */
#define SCTPA_LOOK_FORMULA SCTPA_RIGHT
#define SCTPA_CELL_FORMULA(is_known, ns) \
    if (row->shows_formulas) \
    sctpa_cell_seconds(table, (ns) >= 0, ns)

#define SCTPA_OBJECTS "../rows/path_trouble_objects.def"
#include "../rows/columns.h"

sctpa_table_t *sctpa_outages_new(void)
{
    return sctpa_table_new(columns_outage, TERMINAL_COLUMNS);
}

typedef struct {
    sctpa_table_t *table;
    const sctpa_view_t *view;
    const sctpa_assoc_t *assoc;
    sctpa_labels_t *labels; /* NULL: no heading, or it is there */
} filling_t;

/* Under it: "by formula inactive after 12.00 s (RFC), ...". */
static void add_outage(void *user, const sctpa_outage_row_t *row)
{
    filling_t *filling = user;
    const sctpa_detection_t *detection = &row->detection;
    char text[160];
    if (filling->labels)
        sctpa_labels_add_line(filling->labels, filling->assoc, filling->table);
    filling->labels = NULL;
    cells_outage(filling->table, filling->view, row);
    if (detection->rfc_ns < 0)
        return;
    g_snprintf(text, sizeof text, "by formula inactive after %.3f s (RFC), %.3f s (FreeBSD), %.3f s (Solaris)",
               (double)detection->rfc_ns / 1e9, (double)detection->freebsd_ns / 1e9,
               (double)detection->solaris_ns / 1e9);
    sctpa_table_sentence(filling->table, INDENT, text);
}

void sctpa_outages_add(sctpa_table_t *table, const sctpa_view_t *view, sctpa_labels_t *labels,
                       const sctpa_assoc_t *assoc)
{
    filling_t filling = { table, view, assoc, labels };
    for (unsigned e = 0; e < 2; e++)
        sctpa_outage_rows(view, assoc, e, true, add_outage, &filling);
}

static void add_window_outage(void *user, const sctpa_outage_row_t *row)
{
    filling_t *filling = user;
    sctpa_outage_row_t whole = *row;
    whole.shows_formulas = true;
    cells_outage(filling->table, filling->view, &whole);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    filling_t filling = { table, source->view, assoc, NULL };
    for (unsigned e = 0; e < 2; e++)
        sctpa_outage_rows(source->view, assoc, e, true, add_window_outage, &filling);
}

const sctpa_window_table_t sctpa_window_table_outages = {
    .name = "outages",
    .title = TITLE,
    SCTPA_COLUMNS(columns_outage),
    .add = add_to_window,
    .is_whole = true,
};

void sctpa_outages_write(const sctpa_table_t *table, GString *out)
{
    if (sctpa_table_rows(table) == 0)
        return;
    sctpa_page_section(out, TITLE);
    sctpa_table_write(table, out);
    sctpa_window_table_explain(&sctpa_window_table_outages, "errors", 9, out);
    sctpa_window_table_explain(&sctpa_window_table_outages, "PF s", 9, out);
    sctpa_page_sentence(out, "inactive", 9,
                        "between these times, if Path.Max.Retrans is PMR (RFC 9260 8.2): 5 unless asserted");
    sctpa_page_sentence(
        out, "formula", 9,
        "PMR*HB + RTO_0 + ... + RTO_PMR (RFC); PMR*N*HB + RTO_0 + ... + 128 ms each, N paths (FreeBSD); "
        "HB + RTO_0 + ... + RTO_PMR (Solaris); HB is the mean interval of answered HEARTBEATs less the "
        "RTO");
}
