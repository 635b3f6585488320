/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes of a table of members what describes the columns of a window or a terminal and fills them. Included once for
 * each section, after SCTPA_SECTION, SCTPA_ROW and SCTPA_MEMBERS as json/members.h says. It defines columns_path[] the
 * columns cells_path(table, view, row)  adds a row Rows of the table that have a column: SCTPA_BOTH(type, key, head,
 * value, meaning)              a member of the JSON and a column SCTPA_BOTH_MAYBE(type, key, head, condition, value,
 * meaning)  null, "-" where the condition is false SCTPA_BOTH_WORD(list, key, head, value, meaning)         a word,
 * NULL: null, "-" SCTPA_COLUMN(cell, head, value, meaning)                 a column alone SCTPA_COLUMN_MAYBE(cell,
 * head, condition, value, meaning) A type, or cell, has SCTPA_LOOK_<cell>, which says how the column looks, and
 * SCTPA_CELL_<cell>(is_known, value), which adds a cell; cells of one table alone are defined beside it. */
#include "cells.h"
#include "glue.h"
#include "without_members.h"

static const sctpa_column_t SCTPA_GLUE(columns_, SCTPA_SECTION)[] = {
#define SCTPA_COLUMN_MAYBE(cell, head, condition, value, means) { head, SCTPA_LOOK_##cell, .meaning = means },
#define SCTPA_COLUMN(cell, head, value, meaning) SCTPA_COLUMN_MAYBE(cell, head, true, value, meaning)
#define SCTPA_BOTH(type, key, head, value, meaning) SCTPA_COLUMN_MAYBE(type, head, true, value, meaning)
#define SCTPA_BOTH_MAYBE(type, key, head, condition, value, meaning) \
    SCTPA_COLUMN_MAYBE(type, head, condition, value, meaning)
#define SCTPA_BOTH_WORD(list, key, head, value, meaning) SCTPA_COLUMN_MAYBE(WORD, head, true, value, meaning)
#include SCTPA_MEMBERS
#undef SCTPA_COLUMN_MAYBE
};

static void SCTPA_GLUE(cells_, SCTPA_SECTION)(sctpa_table_t *table, const sctpa_view_t *view, const SCTPA_ROW *row)
{
    (void)view;
#define SCTPA_COLUMN_MAYBE(cell, head, condition, value, meaning) SCTPA_CELL_##cell(condition, value);
#include SCTPA_MEMBERS
#include "undefine.h"
}

#undef SCTPA_SECTION
#undef SCTPA_ROW
#undef SCTPA_MEMBERS
