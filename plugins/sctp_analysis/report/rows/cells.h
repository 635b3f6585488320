/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the columns of types look, and what adds a cell of one: "-" where it is not known. */
#ifndef SCTPA_REPORT_CELLS_H
#define SCTPA_REPORT_CELLS_H

#include "../text/column_meanings.h"
#include "../text/table.h"
#include "../view.h"

static inline void sctpa_cell_plain(sctpa_table_t *table, bool is_known, uint64_t number)
{
    if (is_known)
        sctpa_table_plain(table, number);
    else
        sctpa_table_text(table, "-");
}

static inline void sctpa_cell_count(sctpa_table_t *table, bool is_known, uint64_t count)
{
    if (is_known)
        sctpa_table_count(table, count);
    else
        sctpa_table_text(table, "-");
}

static inline void sctpa_cell_seconds(sctpa_table_t *table, bool is_known, int64_t ns)
{
    if (is_known)
        sctpa_table_seconds(table, ns);
    else
        sctpa_table_text(table, "-");
}

/* With three decimals, shorter than others. */
static inline void sctpa_cell_moment(sctpa_table_t *table, const sctpa_view_t *view, bool is_known, int64_t time_ns)
{
    const double seconds = (double)sctpa_view_since_start(view, time_ns) / 1e9;
    char text[32];
    g_snprintf(text, sizeof text, "%.3f", seconds);
    if (is_known)
        sctpa_table_number(table, seconds, text);
    else
        sctpa_table_text(table, "-");
}

#define SCTPA_LOOK_FROM SCTPA_LEFT
#define SCTPA_CELL_FROM(is_known, value) sctpa_cell_plain(table, is_known, value)
#define SCTPA_LOOK_NUMBER SCTPA_RIGHT
#define SCTPA_CELL_NUMBER(is_known, value) sctpa_cell_plain(table, is_known, value)
#define SCTPA_LOOK_COUNT SCTPA_RIGHT
#define SCTPA_CELL_COUNT(is_known, value) sctpa_cell_count(table, is_known, value)
#define SCTPA_LOOK_POSITIVE SCTPA_RIGHT
#define SCTPA_CELL_POSITIVE(is_known, value) sctpa_cell_count(table, is_known, value)
#define SCTPA_LOOK_END SCTPA_RIGHT
#define SCTPA_CELL_END(is_known, value) sctpa_cell_plain(table, is_known, value)
#define SCTPA_LOOK_U16 SCTPA_RIGHT
#define SCTPA_CELL_U16(is_known, value) sctpa_cell_plain(table, is_known, value)
#define SCTPA_LOOK_U32 SCTPA_RIGHT
#define SCTPA_CELL_U32(is_known, value) sctpa_cell_plain(table, is_known, value)
#define SCTPA_LOOK_RATE SCTPA_RIGHT
#define SCTPA_CELL_RATE(is_known, value) sctpa_table_rate(table, value)
#define SCTPA_LOOK_FRAME SCTPA_RIGHT, .holds = SCTPA_HOLDS_FRAMES
#define SCTPA_CELL_FRAME(is_known, value) sctpa_cell_plain(table, is_known, value)
#define SCTPA_LOOK_KNOWN_FRAME SCTPA_LOOK_FRAME
#define SCTPA_CELL_KNOWN_FRAME(is_known, value) sctpa_cell_plain(table, (value) > 0, value)
#define SCTPA_LOOK_PACKET SCTPA_LOOK_FRAME
#define SCTPA_CELL_PACKET(is_known, value) \
    sctpa_cell_plain(table, sctpa_packet_frame(view->sctpa, value) > 0, sctpa_packet_frame(view->sctpa, value))
#define SCTPA_LOOK_TOLD_MS SCTPA_RIGHT
#define SCTPA_CELL_TOLD_MS(is_known, value) sctpa_view_ms(view, table, is_known, value)
#define SCTPA_LOOK_SECONDS SCTPA_RIGHT
#define SCTPA_CELL_SECONDS(is_known, value) sctpa_cell_seconds(table, is_known, value)
#define SCTPA_LOOK_KNOWN_SECONDS SCTPA_RIGHT
#define SCTPA_CELL_KNOWN_SECONDS(is_known, value) sctpa_cell_seconds(table, (value) >= 0, value)
#define SCTPA_LOOK_MOMENT SCTPA_RIGHT, .holds = SCTPA_HOLDS_MOMENTS
#define SCTPA_CELL_MOMENT(is_known, value) sctpa_view_moment(view, table, value)
#define SCTPA_LOOK_TEXT SCTPA_LEFT
#define SCTPA_CELL_TEXT(is_known, value) sctpa_table_text(table, value)
#define SCTPA_LOOK_LONG_TEXT SCTPA_LEFT
#define SCTPA_CELL_LONG_TEXT(is_known, value) sctpa_table_long(table, value)
#define SCTPA_LOOK_SHORT_MOMENT SCTPA_RIGHT
#define SCTPA_CELL_SHORT_MOMENT(is_known, value) sctpa_cell_moment(table, view, is_known, value)
#define SCTPA_LOOK_DIRECTION SCTPA_LEFT
#define SCTPA_CELL_DIRECTION(is_known, value) sctpa_table_direction(table, value)
#define SCTPA_LOOK_WORD SCTPA_LEFT
#define SCTPA_CELL_WORD(is_known, value) sctpa_table_text(table, (value) ? (value) : "-")

#endif
