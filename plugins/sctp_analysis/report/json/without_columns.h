/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What JSON makes of rows that tables show as well. */
#define SCTPA_BOTH(type, key, head, value, meaning) SCTPA_FIELD(type, key, value, meaning)
#define SCTPA_BOTH_MAYBE(type, key, head, condition, value, meaning) SCTPA_MAYBE(type, key, condition, value, meaning)
#define SCTPA_BOTH_WORD(list, key, head, value, meaning) SCTPA_MAYBE_WORD(list, key, value, meaning)
#define SCTPA_COLUMN(cell, head, value, meaning)
#define SCTPA_COLUMN_MAYBE(cell, head, condition, value, meaning)
