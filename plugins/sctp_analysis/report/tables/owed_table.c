/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,owed: what endpoints owed at once, how often they answered in time, and each answer that was not in time. */
#include "../reports.h"

#include "../rows/rows.h"
#include "../text/page.h"
#include "../text/table.h"
#include "../text/text.h"
#include "window_tables.h"

#define SUMS_TITLE "Owed at once, by what was expected"
#define ROWS_TITLE "Not answered in time, or not before the capture ended"

enum { ROWS_MAX = 50, OBLIGATION_COLUMNS = 20 };

static void add_obligation(sctpa_table_t *table, sctpa_obligation_t what)
{
    sctpa_table_printf(table, "%s for %s", sctpa_obligation_expected(what), sctpa_obligation_request(what));
}
#define SCTPA_LOOK_OBLIGATION SCTPA_WRAPPED, .least_columns = OBLIGATION_COLUMNS
#define SCTPA_CELL_OBLIGATION(is_known, what) add_obligation(table, (sctpa_obligation_t)(what))

#define SCTPA_OBJECTS "../rows/owed_objects.def"
#include "../rows/columns.h"

static const sctpa_column_t sum_columns[] = {
    { "times", SCTPA_RIGHT, .meaning = "how often it was owed" },
    { "late", SCTPA_RIGHT, .meaning = "answered late" },
    { "missing", SCTPA_RIGHT, .meaning = "not answered, or passed over" },
    { "excused", SCTPA_RIGHT, .meaning = "the association ended or began anew, or it was needed no more" },
    { "open", SCTPA_RIGHT, .meaning = "the capture ended too early to say" },
    { "longest s", SCTPA_RIGHT, .meaning = "the longest that an answer took" },
    { "owed", SCTPA_LOOK_OBLIGATION, .meaning = "what was expected, and what asked for it" },
};

/* Of one kind, by what became of it. */
typedef struct {
    uint32_t times, fates[SCTPA_OWED_FATES];
    int64_t longest_ns;
} sum_t;

static bool is_answered(const sctpa_owed_result_t *owed)
{
    return owed->fate == SCTPA_OWED_FATE_ANSWERED || owed->fate == SCTPA_OWED_FATE_LATE;
}

static void add_to_sums(sum_t sums[SCTPA_OBLIGATIONS], const sctpa_owed_result_t *owed)
{
    sum_t *sum = &sums[owed->what];
    sum->times++;
    sum->fates[owed->fate]++;
    if (is_answered(owed))
        sum->longest_ns = MAX(sum->longest_ns, owed->waited_ns);
}

static void write_sums(const sum_t sums[SCTPA_OBLIGATIONS], GString *out)
{
    sctpa_table_t *table = sctpa_table_new(sum_columns, G_N_ELEMENTS(sum_columns));
    for (unsigned what = 0; what < SCTPA_OBLIGATIONS; what++) {
        const sum_t *sum = &sums[what];
        if (sum->times == 0)
            continue;
        sctpa_table_count(table, sum->times);
        sctpa_table_count(table, sum->fates[SCTPA_OWED_FATE_LATE]);
        sctpa_table_count(table, sum->fates[SCTPA_OWED_FATE_MISSING] + sum->fates[SCTPA_OWED_FATE_PASSED_OVER]);
        sctpa_table_count(table, sum->fates[SCTPA_OWED_FATE_EXCUSED]);
        sctpa_table_count(table, sum->fates[SCTPA_OWED_FATE_OPEN]);
        sctpa_table_seconds(table, sum->longest_ns);
        add_obligation(table, (sctpa_obligation_t)what);
    }
    if (sctpa_table_rows(table) > 0)
        sctpa_page_section(out, SUMS_TITLE);
    sctpa_table_write(table, out);
    sctpa_table_free(table);
}

/* Adds what an association owed to sums, and what is wanting to table, up to ROWS_MAX rows; how much is wanting. */
static uint32_t add_association(const sctpa_view_t *view, const sctpa_assoc_t *assoc, sctpa_labels_t *labels,
                                sctpa_table_t *table, sum_t sums[SCTPA_OBLIGATIONS])
{
    uint32_t n, wanting = 0;
    const sctpa_owed_result_t *owed = sctpa_owed(view->sctpa, assoc->number, &n);
    for (uint32_t i = 0; i < n; i++) {
        add_to_sums(sums, &owed[i]);
        if (!sctpa_owed_is_wanting(&owed[i]))
            continue;
        if (sctpa_table_rows(table) < ROWS_MAX) {
            if (wanting == 0)
                sctpa_labels_add_line(labels, assoc, table);
            cells_owed(table, view, &owed[i]);
        }
        wanting++;
    }
    return wanting;
}

static void write_empty(const sctpa_view_t *view, bool has_any, GString *out)
{
    if (!sctpa_owed_is_kept(view->sctpa))
        sctpa_page_sentence(out, "", 0,
                            "What endpoints owed was not followed when this capture was read: load it again, with "
                            "this report or in the main window.");
    else if (!has_any)
        sctpa_page_sentence(out, "", 0, "Nothing was owed at once in this capture.");
}

/* What the answers that are missing say of the endpoints. */
static void write_basis(const sctpa_view_t *view, GString *out)
{
    const bool is_proof = sctpa_assertions_are_arrived(sctpa_asserted(view->sctpa)->assertions);
    sctpa_page_section(out, "What this shows");
    sctpa_page_sentence(
        out, "", 0,
        is_proof ? "The capture is asserted to be complete: what is missing or late at the endpoint where it was taken "
                   "is judged by rules (-z sctp,findings)."
                 : "An answer that is missing here may be one that the capture lacks, or its request may have been "
                   "lost behind the capture point: to have it judged, assert that the capture is complete and where "
                   "it was taken (./run --complete --taken-at ADDR).");
}

void sctpa_report_owed(const sctpa_view_t *view, GString *out)
{
    sctpa_selection_t *selection = sctpa_selection_new(view);
    sctpa_labels_t *labels = sctpa_labels_new(view);
    sctpa_table_t *table = sctpa_table_new(columns_owed, G_N_ELEMENTS(columns_owed));
    sum_t sums[SCTPA_OBLIGATIONS] = { { 0 } };
    const sctpa_assoc_t *assoc;
    uint32_t number = 0;
    uint64_t wanting = 0;
    bool has_any = false;

    sctpa_page_begin(view, "SCTP owed answers", out);
    while ((assoc = sctpa_selection_next(selection, &number)))
        wanting += add_association(view, assoc, labels, table, sums);
    for (unsigned what = 0; what < SCTPA_OBLIGATIONS; what++)
        has_any |= sums[what].times > 0;
    write_empty(view, has_any, out);
    write_sums(sums, out);
    if (wanting > 0)
        sctpa_page_section(out, ROWS_TITLE);
    sctpa_table_write(table, out);
    sctpa_page_more(out, wanting - sctpa_table_rows(table), "");
    sctpa_labels_write(labels, out);
    if (has_any)
        write_basis(view, out);
    sctpa_table_free(table);
    sctpa_labels_free(labels);
    sctpa_selection_free(selection);
}

static void add_to_window(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    uint32_t n;
    const sctpa_owed_result_t *owed = sctpa_owed(source->view->sctpa, assoc->number, &n);
    for (uint32_t i = 0; i < n; i++)
        if (sctpa_owed_is_wanting(&owed[i]))
            cells_owed(table, source->view, &owed[i]);
}

const sctpa_window_table_t sctpa_window_table_owed = {
    .name = "owed",
    .title = ROWS_TITLE,
    SCTPA_COLUMNS(columns_owed),
    .add = add_to_window,
    .is_whole = true,
};
