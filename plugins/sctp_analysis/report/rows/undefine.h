/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes back what the rows of a table were to be, so that it may be included again. */
#undef SCTPA_FIELD
#undef SCTPA_MAYBE
#undef SCTPA_WORD
#undef SCTPA_MAYBE_WORD
#undef SCTPA_OBJECT
#undef SCTPA_MAYBE_OBJECT
#undef SCTPA_LIST
#undef SCTPA_MAYBE_LIST
#undef SCTPA_VALUES
#undef SCTPA_MAYBE_VALUES
#undef SCTPA_OTHER
#undef SCTPA_BOTH
#undef SCTPA_BOTH_MAYBE
#undef SCTPA_COLUMN
#undef SCTPA_BOTH_WORD
#undef SCTPA_COLUMN_MAYBE
#undef SCTPA_LIST_OF
