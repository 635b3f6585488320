/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes of a file of objects what describes the columns of windows and terminals and fills them. Included once for each
 * file, after #define SCTPA_OBJECTS as json/objects.h says. For each object between SCTPA_TABLE_BEGIN and
 * SCTPA_TABLE_END it defines
 *   columns_pause[]                 the columns
 *   cells_pause(table, view, row)   adds a row
 * Rows of the file that have a column:
 *   SCTPA_BOTH(type, key, head, value, meaning)                   a member of the JSON and a column
 *   SCTPA_BOTH_MAYBE(type, key, head, condition, value, meaning)  null, "-" where the condition is false
 *   SCTPA_BOTH_WORD(list, key, head, value, meaning)              a word, NULL: null, "-"
 *   SCTPA_COLUMN(cell, head, value, meaning)                      a column alone
 *   SCTPA_COLUMN_MAYBE(cell, head, condition, value, meaning)
 * A type, or cell, has SCTPA_LOOK_<cell>, which says how the column looks, and SCTPA_CELL_<cell>(is_known, value),
 * which adds a cell; cells of one table alone are defined beside it. */
#include "cells.h"
#include "without_members.h"

#define SCTPA_COLUMN(cell, head, value, meaning) SCTPA_COLUMN_MAYBE(cell, head, true, value, meaning)
#define SCTPA_BOTH(type, key, head, value, meaning) SCTPA_COLUMN_MAYBE(type, head, true, value, meaning)
#define SCTPA_BOTH_MAYBE(type, key, head, condition, value, meaning) \
    SCTPA_COLUMN_MAYBE(type, head, condition, value, meaning)
#define SCTPA_BOTH_WORD(list, key, head, value, meaning) SCTPA_COLUMN_MAYBE(WORD, head, true, value, meaning)

/* clang-format off */
#define SCTPA_TABLE_BEGIN(section, row_t, place) static const sctpa_column_t columns_##section[] = {
#define SCTPA_TABLE_END };
/* clang-format on */
#define SCTPA_COLUMN_MAYBE(cell, head, condition, value, means) { head, SCTPA_LOOK_##cell, .meaning = means },
#include SCTPA_OBJECTS
#undef SCTPA_TABLE_BEGIN
#undef SCTPA_TABLE_END
#undef SCTPA_COLUMN_MAYBE

#define SCTPA_TABLE_BEGIN(section, row_t, place) \
    static void cells_##section(sctpa_table_t *table, const sctpa_view_t *view, const row_t *row) \
    { \
        (void)view;
#define SCTPA_TABLE_END }
#define SCTPA_COLUMN_MAYBE(cell, head, condition, value, meaning) SCTPA_CELL_##cell(condition, value);
#include SCTPA_OBJECTS
#undef SCTPA_TABLE_BEGIN
#undef SCTPA_TABLE_END
#undef SCTPA_COLUMN_MAYBE

#undef SCTPA_OBJECTS
