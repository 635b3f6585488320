/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text table. */
#include "table.h"

#include <string.h>

#include "text.h"

enum {
    COLUMNS_MAX = 24,
    GAP = 2,
    COUNT_COLUMNS = 11,
    RATE_COLUMNS = 6,
    CELL_MAX = 200,
    LONG_CELL_MAX = 2000,
    SENTENCE_LINES = 9
};

typedef enum { ROW_CELLS, ROW_LINE, ROW_RULE } row_kind_t;
typedef enum { CELL_TEXT, CELL_RANKED, CELL_NUMBER, CELL_FRAME } cell_kind_t;
typedef struct {
    char *text;
    double value; /* of all but CELL_TEXT */
    cell_kind_t kind;
} cell_t;
typedef struct {
    row_kind_t kind;
    cell_t *cells; /* as many as columns; a line: one; a rule: NULL */
} row_t;

struct sctpa_table {
    const sctpa_column_t *columns;
    unsigned n;
    unsigned next;   /* column of the next cell */
    unsigned filled; /* rows of cells */
    GArray *rows;    /* row_t */
};

sctpa_table_t *sctpa_table_new(const sctpa_column_t *columns, unsigned n)
{
    sctpa_table_t *table = g_new0(sctpa_table_t, 1);
    g_assert(n > 0 && n <= COLUMNS_MAX);
    table->columns = columns;
    table->n = n;
    table->rows = g_array_new(FALSE, TRUE, sizeof(row_t));
    return table;
}

static row_t *row_at(const sctpa_table_t *table, unsigned row)
{
    return &g_array_index(table->rows, row_t, row);
}

void sctpa_table_free(sctpa_table_t *table)
{
    for (unsigned r = 0; r < table->rows->len; r++) {
        row_t *row = row_at(table, r);
        for (unsigned c = 0; row->cells && c < (row->kind == ROW_CELLS ? table->n : 1); c++)
            g_free(row->cells[c].text);
        g_free(row->cells);
    }
    g_array_free(table->rows, TRUE);
    g_free(table);
}

static row_t *add_row(sctpa_table_t *table, row_kind_t kind)
{
    row_t row = { .kind = kind, .cells = kind == ROW_RULE ? NULL : g_new0(cell_t, kind == ROW_CELLS ? table->n : 1) };
    g_array_append_val(table->rows, row);
    table->filled += kind == ROW_CELLS;
    return row_at(table, table->rows->len - 1);
}

static void add_cell_cut(sctpa_table_t *table, cell_kind_t kind, double value, const char *text, unsigned max_columns)
{
    GString *safe = g_string_new(NULL);
    row_t *row = table->next == 0 ? add_row(table, ROW_CELLS) : row_at(table, table->rows->len - 1);

    sctpa_text_escape(safe, text, max_columns);
    row->cells[table->next] = (cell_t){ g_string_free(safe, FALSE), value, kind };
    table->next = (table->next + 1) % table->n;
}

static void add_cell(sctpa_table_t *table, cell_kind_t kind, double value, const char *text)
{
    add_cell_cut(table, kind, value, text, CELL_MAX);
}

void sctpa_table_text(sctpa_table_t *table, const char *text)
{
    add_cell(table, CELL_TEXT, 0, text);
}

void sctpa_table_long(sctpa_table_t *table, const char *text)
{
    add_cell_cut(table, CELL_TEXT, 0, text, LONG_CELL_MAX);
}

void sctpa_table_number(sctpa_table_t *table, double number, const char *text)
{
    add_cell(table, CELL_NUMBER, number, text);
}

void sctpa_table_ranked(sctpa_table_t *table, double rank, const char *text)
{
    add_cell(table, CELL_RANKED, rank, text);
}

void sctpa_table_take(sctpa_table_t *table, GString *text)
{
    sctpa_table_text(table, text->str);
    g_string_free(text, TRUE);
}

static void take_number(sctpa_table_t *table, double number, GString *text)
{
    sctpa_table_number(table, number, text->str);
    g_string_free(text, TRUE);
}

void sctpa_table_printf(sctpa_table_t *table, const char *format, ...)
{
    GString *text = g_string_new(NULL);
    va_list arguments;
    va_start(arguments, format);
    g_string_vprintf(text, format, arguments);
    va_end(arguments);
    sctpa_table_take(table, text);
}

void sctpa_table_plain(sctpa_table_t *table, uint64_t number)
{
    char text[24];
    g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, number);
    sctpa_table_number(table, (double)number, text);
}

void sctpa_table_frame(sctpa_table_t *table, uint32_t frame)
{
    char text[24];
    g_snprintf(text, sizeof text, "%u", frame);
    if (frame > 0)
        add_cell(table, CELL_FRAME, frame, text);
    else
        sctpa_table_text(table, "-");
}

void sctpa_table_count(sctpa_table_t *table, uint64_t count)
{
    GString *text = g_string_new(NULL);
    sctpa_text_count(text, count, COUNT_COLUMNS);
    take_number(table, (double)count, text);
}

void sctpa_table_ms(sctpa_table_t *table, int64_t ns)
{
    GString *text = g_string_new(NULL);
    sctpa_text_ms(text, ns);
    take_number(table, (double)ns / 1e6, text);
}

void sctpa_table_known_ms(sctpa_table_t *table, bool known, int64_t ns)
{
    if (known)
        sctpa_table_ms(table, ns);
    else
        sctpa_table_text(table, "-");
}

void sctpa_table_rate(sctpa_table_t *table, double bps)
{
    GString *text = g_string_new(NULL);
    sctpa_text_count(text, bps < (double)G_MAXINT64 ? (uint64_t)(MAX(bps, 0) + 0.5) : G_MAXINT64, RATE_COLUMNS);
    if (bps >= 0)
        sctpa_table_number(table, bps, text->str);
    else
        sctpa_table_text(table, "-");
    g_string_free(text, TRUE);
}

void sctpa_table_seconds(sctpa_table_t *table, int64_t ns)
{
    GString *text = g_string_new(NULL);
    sctpa_text_seconds(text, ns, 6);
    take_number(table, (double)ns / 1e9, text);
}

void sctpa_table_share(sctpa_table_t *table, uint64_t part, uint64_t whole)
{
    GString *text = g_string_new(NULL);
    sctpa_text_share(text, part, whole);
    if (whole > 0)
        sctpa_table_number(table, 100.0 * (double)part / (double)whole, text->str);
    else
        sctpa_table_text(table, text->str);
    g_string_free(text, TRUE);
}

void sctpa_table_skip(sctpa_table_t *table, unsigned n)
{
    if (n == 0)
        n = table->next ? table->n - table->next : 0;
    while (n-- > 0)
        sctpa_table_text(table, NULL);
}

void sctpa_table_line(sctpa_table_t *table, const char *text)
{
    GString *safe = g_string_new(NULL);
    g_assert(table->next == 0);
    sctpa_text_escape(safe, text, SCTPA_TABLE_COLUMNS);
    add_row(table, ROW_LINE)->cells[0].text = g_string_free(safe, FALSE);
}

void sctpa_table_sentence(sctpa_table_t *table, unsigned indent, const char *text)
{
    GString *safe = g_string_new(NULL), *wrapped = g_string_new(NULL);

    sctpa_text_escape(safe, text, SENTENCE_LINES * (SCTPA_TABLE_COLUMNS - indent));
    sctpa_text_wrap(wrapped, "", indent, SCTPA_TABLE_COLUMNS, safe->str);
    char **lines = g_strsplit(wrapped->str, "\n", SENTENCE_LINES + 1);
    for (unsigned i = 0; i < SENTENCE_LINES && lines[i] && *lines[i]; i++)
        sctpa_table_line(table, lines[i]);
    g_strfreev(lines);
    g_string_free(safe, TRUE);
    g_string_free(wrapped, TRUE);
}

void sctpa_table_rule(sctpa_table_t *table)
{
    g_assert(table->next == 0);
    add_row(table, ROW_RULE);
}

unsigned sctpa_table_rows(const sctpa_table_t *table)
{
    return table->filled;
}

sctpa_cell_t sctpa_table_cell(const sctpa_table_t *table, unsigned row, unsigned column)
{
    g_assert(table->filled == table->rows->len && row < table->filled && column < table->n);
    const cell_t *cell = &row_at(table, row)->cells[column];
    return (sctpa_cell_t){ cell->text ? cell->text : "", cell->kind == CELL_NUMBER || cell->kind == CELL_FRAME,
                           cell->kind != CELL_TEXT, cell->kind == CELL_FRAME, cell->value };
}

static void measure(const sctpa_table_t *table, unsigned widths[])
{
    for (unsigned c = 0; c < table->n; c++)
        widths[c] = sctpa_text_columns(table->columns[c].head);
    for (unsigned r = 0; r < table->rows->len; r++) {
        const row_t *row = row_at(table, r);
        for (unsigned c = 0; row->kind == ROW_CELLS && c < table->n; c++)
            if (row->cells[c].text)
                widths[c] = MAX(widths[c], sctpa_text_columns(row->cells[c].text));
    }
}

static unsigned total(const unsigned widths[], unsigned n)
{
    unsigned sum = GAP * (n - 1);
    for (unsigned c = 0; c < n; c++)
        sum += widths[c];
    return sum;
}

/* Takes one column at a time from the widest that may still give one. */
static void shrink(const sctpa_table_t *table, unsigned widths[])
{
    while (total(widths, table->n) > SCTPA_TABLE_COLUMNS) {
        unsigned widest = table->n;
        for (unsigned c = 0; c < table->n; c++) {
            unsigned least = table->columns[c].least_columns;
            if (least && widths[c] > least && (widest == table->n || widths[c] > widths[widest]))
                widest = c;
        }
        if (widest == table->n)
            return;
        widths[widest]--;
    }
}

static void write_cell(GString *line, const sctpa_column_t *column, const char *cell, unsigned width, bool last)
{
    GString *text = g_string_new(cell);
    unsigned columns, pad;

    sctpa_text_cut(text, width);
    columns = sctpa_text_columns(text->str);
    pad = columns < width ? width - columns : 0;
    if (column->align == SCTPA_RIGHT)
        g_string_append_printf(line, "%*s", (int)pad, "");
    g_string_append_len(line, text->str, (gssize)text->len);
    if (column->align == SCTPA_LEFT && !last)
        g_string_append_printf(line, "%*s", (int)pad, "");
    if (!last)
        g_string_append_printf(line, "%*s", GAP, "");
    g_string_free(text, TRUE);
}

static void end_line(GString *line, GString *out)
{
    sctpa_text_cut(line, SCTPA_TABLE_COLUMNS);
    while (line->len > 0 && line->str[line->len - 1] == ' ')
        g_string_truncate(line, line->len - 1);
    g_string_append_printf(out, "%s\n", line->str);
    g_string_truncate(line, 0);
}

static void write_heads(const sctpa_table_t *table, const unsigned widths[], GString *line, GString *out)
{
    for (unsigned c = 0; c < table->n; c++)
        write_cell(line, &table->columns[c], table->columns[c].head, widths[c], c + 1 == table->n);
    end_line(line, out);
}

static void write_cells(const sctpa_table_t *table, const row_t *row, const unsigned widths[], GString *line,
                        GString *out)
{
    unsigned last = table->n - 1, indent = total(widths, table->n) - widths[last];
    const char *text = row->cells[last].text;
    bool is_wrapped = table->columns[last].align == SCTPA_WRAPPED && text && sctpa_text_columns(text) > widths[last];
    for (unsigned c = 0; c < table->n - is_wrapped; c++)
        write_cell(line, &table->columns[c], row->cells[c].text, widths[c], c == last);
    if (!is_wrapped) {
        end_line(line, out);
        return;
    }
    sctpa_text_wrap(out, line->str, indent, SCTPA_TABLE_COLUMNS, text);
    g_string_truncate(line, 0);
}

static void write_rule(const unsigned widths[], unsigned n, GString *line, GString *out)
{
    unsigned width = MIN(total(widths, n), SCTPA_TABLE_COLUMNS);
    for (unsigned i = 0; i < width; i++)
        g_string_append_c(line, '-');
    end_line(line, out);
}

void sctpa_table_write(const sctpa_table_t *table, GString *out)
{
    unsigned widths[COLUMNS_MAX];
    GString *line = g_string_new(NULL);

    measure(table, widths);
    shrink(table, widths);
    if (table->rows->len > 0) {
        write_heads(table, widths, line, out);
        write_rule(widths, table->n, line, out);
    }
    for (unsigned r = 0; r < table->rows->len; r++) {
        const row_t *row = row_at(table, r);
        if (row->kind == ROW_RULE) {
            write_rule(widths, table->n, line, out);
            continue;
        }
        if (row->kind == ROW_CELLS) {
            write_cells(table, row, widths, line, out);
            continue;
        }
        g_string_append(line, row->cells[0].text);
        end_line(line, out);
    }
    g_string_free(line, TRUE);
}
