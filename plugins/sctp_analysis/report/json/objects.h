/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes of a file of objects what writes them and what describes them. Included once for each file, after
 *   #define SCTPA_OBJECTS "../rows/pause_objects.def"
 * and after what its rows name. An object stands in the file between
 *   SCTPA_SECTION_BEGIN(pause, pause_row_t, place)   name; what its members are read from: const pause_row_t *row
 *   SCTPA_SECTION_END
 * or, where windows or terminals show it as well (rows/columns.h), SCTPA_TABLE_BEGIN and SCTPA_TABLE_END. Places:
 *   SCTPA_DEFINED   it is one of the definitions of the schema; SCTPA_SAYING("..."): and that says so of it
 *   SCTPA_INLINE    it stands in the schema where it is used, once
 * For each object it defines
 *   members_pause(json, view, row)        writes the members into an object that is begun
 *   object_pause(json, view, name, row)   writes the object; row NULL: null; name NULL: an element of an array
 *   sctpa_section_pause                   what schema.c reads
 * A row is a member; where there is a condition, null stands where it is false:
 *   SCTPA_FIELD(type, key, value, meaning)  SCTPA_MAYBE(type, key, condition, value, meaning)
 *   SCTPA_WORD(list, key, value, meaning)  SCTPA_MAYBE_WORD, the same with NULL for null
 *   SCTPA_OBJECT(section, key, write, of, meaning)  SCTPA_MAYBE_OBJECT: write(json, view, key, of) writes it, or null
 *   SCTPA_LIST(section, key, write, of, meaning): write(json, view, of) writes the elements
 *   SCTPA_LIST_OF(section, key, more, write, of, meaning): more says the schema, text of its members
 *   SCTPA_MAYBE_LIST(section, key, condition, write, of, meaning)
 *   SCTPA_VALUES(type, key, more, write, of, meaning): the same of numbers or texts; more: of the schema, or NULL
 *   SCTPA_MAYBE_VALUES(type, key, condition, more, write, of, meaning)
 *   SCTPA_OTHER(schema, key, write, of, meaning): write(json, view, key, of)
 * and those of rows/columns.h. */
#include "member_types.h"

#define SCTPA_SECTION_BEGIN(section, row_t, place) \
    static void object_##section(json_dumper *json, const sctpa_view_t *view, const char *name, const row_t *row) \
    { \
        if (row == NULL) { \
            sctpa_json_null(json, name); \
            return; \
        } \
        sctpa_json_begin_object(json, name); \
        members_##section(json, view, row); \
        json_dumper_end_object(json); \
    } \
    static void members_##section(json_dumper *json, const sctpa_view_t *view, const row_t *row) \
    { \
        (void)view; \
        (void)row;
#define SCTPA_SECTION_END }
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
#include SCTPA_OBJECTS
#include "../rows/undefine.h"

#define SCTPA_DEFINED .is_inline = false
#define SCTPA_SAYING(text) .about = text
#define SCTPA_INLINE .is_inline = true
/* clang-format off */
#define SCTPA_SECTION_BEGIN(section, row_t, place) \
    const sctpa_section_t sctpa_section_##section = { .name = #section, place, .members = (const sctpa_member_t[]) {
#define SCTPA_SECTION_END { .key = NULL } } };
/* clang-format on */
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
#include SCTPA_OBJECTS
#include "../rows/undefine.h"

#undef SCTPA_DEFINED
#undef SCTPA_SAYING
#undef SCTPA_INLINE
#undef SCTPA_OBJECTS
