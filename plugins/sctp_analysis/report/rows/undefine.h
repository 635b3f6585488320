/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes back what a file of objects was made into, so that it may be included again. */
#undef SCTPA_SECTION_BEGIN
#undef SCTPA_SECTION_END
#undef SCTPA_FIELD
#undef SCTPA_MAYBE
#undef SCTPA_WORD
#undef SCTPA_MAYBE_WORD
#undef SCTPA_OBJECT
#undef SCTPA_MAYBE_OBJECT
#undef SCTPA_LIST
#undef SCTPA_LIST_OF
#undef SCTPA_MAYBE_LIST
#undef SCTPA_VALUES
#undef SCTPA_MAYBE_VALUES
#undef SCTPA_OTHER
