/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes of a table of members what writes them and what describes them. Included once for each section, after
 *   #define SCTPA_SECTION path                its name
 *   #define SCTPA_ROW path_row_t              what its members are read from: const SCTPA_ROW *row
 *   #define SCTPA_MEMBERS "../rows/path_members.def"  the table
 *   #define SCTPA_INLINE true                 has no definition of its own in the schema
 *   #define SCTPA_ABOUT "..."                 what the definition says of it, or nothing
 * It defines
 *   members_path(json, view, row)        writes the members into an object that is begun
 *   object_path(json, view, name, row)   writes the object; row NULL: null; name NULL: an element of an array
 *   sctpa_section_path                   what schema.c reads
 * Rows of the table; where there is a condition, null stands where it is false:
 *   SCTPA_FIELD(type, key, value, meaning)  SCTPA_MAYBE(type, key, condition, value, meaning)
 *   SCTPA_WORD(list, key, value, meaning)  SCTPA_MAYBE_WORD, the same with NULL for null
 *   SCTPA_OBJECT(section, key, write, of, meaning)  SCTPA_MAYBE_OBJECT: write(json, view, key, of) writes it, or null
 *   SCTPA_LIST(section, key, write, of, meaning): write(json, view, of) writes the elements
 *   SCTPA_LIST_OF(section, key, more, write, of, meaning): more says the schema, text of its members
 *   SCTPA_MAYBE_LIST(section, key, condition, write, of, meaning)
 *   SCTPA_VALUES(type, key, more, write, of, meaning): the same of numbers or texts; more: of the schema, or NULL
 *   SCTPA_MAYBE_VALUES(type, key, condition, more, write, of, meaning)
 *   SCTPA_OTHER(schema, key, write, of, meaning): write(json, view, key, of)
 * and of tables that windows and reports show as well, those of rows/columns.h. */
#include "../rows/glue.h"
#include "member_types.h"

#ifndef SCTPA_INLINE
#define SCTPA_INLINE false
#endif
#ifndef SCTPA_ABOUT
#define SCTPA_ABOUT NULL
#endif

G_GNUC_UNUSED static void SCTPA_GLUE(members_, SCTPA_SECTION)(json_dumper *json, const sctpa_view_t *view,
                                                              const SCTPA_ROW *row)
{
    (void)view;
    (void)row;
#define SCTPA_FIELD(type, key, value, meaning) SCTPA_JSON_##type(key, value);
#define SCTPA_MAYBE(type, key, condition, value, meaning) \
    if (condition) \
        SCTPA_JSON_##type(key, value); \
    else \
        sctpa_json_null(json, key);
#define SCTPA_WORD(list, key, value, meaning) sctpa_json_text(json, key, value);
#define SCTPA_MAYBE_WORD SCTPA_WORD
#define SCTPA_OBJECT(section, key, write, of, meaning) write(json, view, key, of);
#define SCTPA_MAYBE_OBJECT SCTPA_OBJECT
#define SCTPA_LIST(section, key, write, of, meaning) \
    sctpa_json_begin_array(json, key); \
    write(json, view, of); \
    json_dumper_end_array(json);
#define SCTPA_LIST_OF(section, key, more, write, of, meaning) SCTPA_LIST(section, key, write, of, meaning)
#define SCTPA_MAYBE_LIST(section, key, condition, write, of, meaning) \
    if (condition) { \
        SCTPA_LIST(section, key, write, of, meaning) \
    } else \
        sctpa_json_null(json, key);
#define SCTPA_VALUES(type, key, more, write, of, meaning) SCTPA_LIST(type, key, write, of, meaning)
#define SCTPA_MAYBE_VALUES(type, key, condition, more, write, of, meaning) \
    SCTPA_MAYBE_LIST(type, key, condition, write, of, meaning)
#define SCTPA_OTHER(schema, key, write, of, meaning) write(json, view, key, of);
#include "without_columns.h"
#include SCTPA_MEMBERS
#include "../rows/undefine.h"
}

G_GNUC_UNUSED static void SCTPA_GLUE(object_, SCTPA_SECTION)(json_dumper *json, const sctpa_view_t *view,
                                                             const char *name, const SCTPA_ROW *row)
{
    if (row == NULL) {
        sctpa_json_null(json, name);
        return;
    }
    sctpa_json_begin_object(json, name);
    SCTPA_GLUE(members_, SCTPA_SECTION)(json, view, row);
    json_dumper_end_object(json);
}

static const sctpa_member_t SCTPA_GLUE(described_, SCTPA_SECTION)[] = {
#define SCTPA_FIELD(of_type, of_key, value, means) { .key = of_key, .type = SCTPA_MEMBER_##of_type, .meaning = means },
#define SCTPA_MAYBE(of_type, of_key, condition, value, means) \
    { .key = of_key, .type = SCTPA_MEMBER_##of_type, .may_be_null = true, .meaning = means },
#define SCTPA_WORD(list, of_key, value, means) \
    { .key = of_key, .type = SCTPA_MEMBER_WORD, .words = &sctpa_words_##list, .meaning = means },
#define SCTPA_MAYBE_WORD(list, of_key, value, means) \
    { .key = of_key, .type = SCTPA_MEMBER_WORD, .may_be_null = true, .words = &sctpa_words_##list, .meaning = means },
#define SCTPA_OBJECT(of_section, of_key, write, of, means) \
    { .key = of_key, .type = SCTPA_MEMBER_OBJECT, .section = &sctpa_section_##of_section, .meaning = means },
#define SCTPA_MAYBE_OBJECT(of_section, of_key, write, of, means) \
    { .key = of_key, \
      .type = SCTPA_MEMBER_OBJECT, \
      .may_be_null = true, \
      .section = &sctpa_section_##of_section, \
      .meaning = means },
#define SCTPA_LIST_OF(of_section, of_key, more, write, of, means) \
    { .key = of_key, \
      .type = SCTPA_MEMBER_OBJECT, \
      .is_list = true, \
      .section = &sctpa_section_##of_section, \
      .schema = more, \
      .meaning = means },
#define SCTPA_LIST(section, key, write, of, meaning) SCTPA_LIST_OF(section, key, NULL, write, of, meaning)
#define SCTPA_MAYBE_LIST(of_section, of_key, condition, write, of, means) \
    { .key = of_key, \
      .type = SCTPA_MEMBER_OBJECT, \
      .is_list = true, \
      .may_be_null = true, \
      .section = &sctpa_section_##of_section, \
      .meaning = means },
#define SCTPA_VALUES(of_type, of_key, more, write, of, means) \
    { .key = of_key, .type = SCTPA_MEMBER_##of_type, .is_list = true, .schema = more, .meaning = means },
#define SCTPA_MAYBE_VALUES(of_type, of_key, condition, more, write, of, means) \
    { .key = of_key, \
      .type = SCTPA_MEMBER_##of_type, \
      .is_list = true, \
      .may_be_null = true, \
      .schema = more, \
      .meaning = means },
#define SCTPA_OTHER(of_schema, of_key, write, of, means) \
    { .key = of_key, .type = SCTPA_MEMBER_OTHER, .schema = of_schema, .meaning = means },
#include "without_columns.h"
#include SCTPA_MEMBERS
#include "../rows/undefine.h"
};

const sctpa_section_t SCTPA_GLUE(sctpa_section_, SCTPA_SECTION) = {
    .name = SCTPA_NAME_OF(SCTPA_SECTION),
    .is_inline = SCTPA_INLINE,
    .about = SCTPA_ABOUT,
    .members = SCTPA_GLUE(described_, SCTPA_SECTION),
    .n = G_N_ELEMENTS(SCTPA_GLUE(described_, SCTPA_SECTION)),
};

#undef SCTPA_SECTION
#undef SCTPA_ROW
#undef SCTPA_MEMBERS
#undef SCTPA_INLINE
#undef SCTPA_ABOUT
