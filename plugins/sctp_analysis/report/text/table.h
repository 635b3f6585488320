/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text table: rows of cells under column heads, at most SCTPA_TABLE_COLUMNS columns of a terminal.
 * Every cell is escaped here once more, so that no text of a capture reaches a terminal as it is. */
#ifndef SCTPA_REPORT_TABLE_H
#define SCTPA_REPORT_TABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { SCTPA_TABLE_COLUMNS = 80 };

/* WRAPPED: left, and broken into lines where a terminal is too narrow; the last column only. */
typedef enum { SCTPA_LEFT, SCTPA_RIGHT, SCTPA_WRAPPED } sctpa_align_t;

/* MOMENTS: times of the capture in seconds, which windows may show as Wireshark displays time. FRAMES: numbers of
 * packets. */
typedef enum { SCTPA_HOLDS_OTHERS, SCTPA_HOLDS_FRAMES, SCTPA_HOLDS_MOMENTS } sctpa_holds_t;

typedef struct {
    const char *head; /* with the unit: "start s" */
    sctpa_align_t align;
    unsigned least_columns; /* may be cut or broken to this width when the table is too wide; 0: never */
    const char *meaning;    /* in words, for hints and the manual; NULL: only terminals show the column */
    sctpa_holds_t holds;
    bool is_detail; /* explains: windows hide it until it is chosen */
} sctpa_column_t;

/* Of a table in a window: its columns. */
#define SCTPA_COLUMNS(array) .columns = (array), .n_columns = G_N_ELEMENTS(array)

typedef struct sctpa_table sctpa_table_t;

/* A table of n columns (at most 24). columns is borrowed until the table is freed. Memory: what the cells take. */
sctpa_table_t *sctpa_table_new(const sctpa_column_t *columns, unsigned n);
void sctpa_table_free(sctpa_table_t *table);

/* Add the next cell; after the last column the next row begins. Numbers have thousands separators; a count longer than
 * 11 columns is scaled. NULL text is an empty cell. */
void sctpa_table_text(sctpa_table_t *table, const char *text);
/* A text that windows show: cut at 2,000 columns, others at 200. */
void sctpa_table_long(sctpa_table_t *table, const char *text);
/* A number that counts nothing, such as an association's: no separators. */
void sctpa_table_plain(sctpa_table_t *table, uint64_t number);
/* The number of a frame, by which windows lead to its packet; 0: a dash. */
void sctpa_table_frame(sctpa_table_t *table, uint32_t frame);
/* A text that stands for a number; a text that sorts by its rank, and no number. */
void sctpa_table_number(sctpa_table_t *table, double number, const char *text);
void sctpa_table_ranked(sctpa_table_t *table, double rank, const char *text);
/* The data that an endpoint sent: "0→1", "1→0". */
static inline void sctpa_table_direction(sctpa_table_t *table, unsigned sender)
{
    sctpa_table_text(table, sender == 0 ? "0→1" : "1→0");
}

void sctpa_table_printf(sctpa_table_t *table, const char *format, ...) G_GNUC_PRINTF(2, 3);
void sctpa_table_count(sctpa_table_t *table, uint64_t count);
void sctpa_table_ms(sctpa_table_t *table, int64_t ns);
void sctpa_table_seconds(sctpa_table_t *table, int64_t ns);
void sctpa_table_share(sctpa_table_t *table, uint64_t part, uint64_t whole);
/* Milliseconds, a dash when nothing is known. Bits per second, scaled beyond 99,999; a dash when negative. */
void sctpa_table_known_ms(sctpa_table_t *table, bool known, int64_t ns);
void sctpa_table_rate(sctpa_table_t *table, double bps);
/* Takes over text (g_string_free). */
void sctpa_table_take(sctpa_table_t *table, GString *text);
/* Adds n empty cells; fills the row up when n is 0. */
void sctpa_table_skip(sctpa_table_t *table, unsigned n);

/* A row that is one text from the left edge, over all columns, cut at the table's limit. */
void sctpa_table_line(sctpa_table_t *table, const char *text);
/* The same for a long text, indented, broken into at most 4 lines. */
void sctpa_table_sentence(sctpa_table_t *table, unsigned indent, const char *text);
/* A rule, before totals. */
void sctpa_table_rule(sctpa_table_t *table);

/* Rows so far, lines and rules not counted. */
unsigned sctpa_table_rows(const sctpa_table_t *table);

/* A cell as others than a terminal show it. */
typedef struct {
    const char *text; /* safe; "" when empty; borrowed from the table */
    bool is_number;   /* value is exact what text shows rounded or scaled, in the unit of the column's head */
    bool has_value;   /* sorts by value, which is a number or a rank; else by text */
    bool is_frame;    /* value is the number of a frame */
    double value;
} sctpa_cell_t;

/* A cell of a table without lines and rules: row < rows, column < columns. O(1). */
sctpa_cell_t sctpa_table_cell(const sctpa_table_t *table, unsigned row, unsigned column);

/* Appends the table, every line ended by a newline, none with spaces at its end. A table without rows is left out.
 * When too wide, the widest column that may be cut is cut first. */
void sctpa_table_write(const sctpa_table_t *table, GString *out);

#endif
