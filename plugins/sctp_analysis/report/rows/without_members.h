/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing is made of objects, and rows of them, that JSON alone shows. */
#define SCTPA_SECTION_BEGIN(section, row_t, place)
#define SCTPA_SECTION_END
#define SCTPA_FIELD(type, key, value, meaning)
#define SCTPA_MAYBE(type, key, condition, value, meaning)
#define SCTPA_WORD(list, key, value, meaning)
#define SCTPA_MAYBE_WORD(list, key, value, meaning)
#define SCTPA_OBJECT(section, key, write, of, meaning)
#define SCTPA_MAYBE_OBJECT(section, key, write, of, meaning)
#define SCTPA_LIST(section, key, write, of, meaning)
#define SCTPA_LIST_OF(section, key, more, write, of, meaning)
#define SCTPA_MAYBE_LIST(section, key, condition, write, of, meaning)
#define SCTPA_VALUES(type, key, more, write, of, meaning)
#define SCTPA_MAYBE_VALUES(type, key, condition, more, write, of, meaning)
#define SCTPA_OTHER(schema, key, write, of, meaning)
