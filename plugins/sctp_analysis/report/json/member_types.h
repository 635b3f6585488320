/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCTPA_JSON_<type>(key, value) writes a member of a type; key NULL: a value of an array. And what JSON makes of
 * objects and rows that tables show as well. */
#ifndef SCTPA_REPORT_MEMBER_TYPES_H
#define SCTPA_REPORT_MEMBER_TYPES_H

#include "json.h"
#include "section.h"

#define SCTPA_JSON_COUNT(key, value) sctpa_json_count(json, key, value)
#define SCTPA_JSON_POSITIVE(key, value) sctpa_json_count(json, key, value)
#define SCTPA_JSON_TWICE(key, value) sctpa_json_count(json, key, value)
#define SCTPA_JSON_FRAME(key, value) sctpa_json_count(json, key, value)
#define SCTPA_JSON_KNOWN_FRAME(key, value) sctpa_json_known(json, key, (value) > 0, value)
#define SCTPA_JSON_PACKET(key, value) sctpa_json_packet(json, view, key, value)
#define SCTPA_JSON_END(key, value) sctpa_json_count(json, key, value)
#define SCTPA_JSON_KNOWN_END(key, value) sctpa_json_known(json, key, (value) < SCTPA_NO_END, value)
#define SCTPA_JSON_U16(key, value) sctpa_json_count(json, key, value)
#define SCTPA_JSON_U32(key, value) sctpa_json_count(json, key, value)
#define SCTPA_JSON_CAUSE(key, value) sctpa_json_count(json, key, value)
#define SCTPA_JSON_SECONDS(key, value) sctpa_json_seconds(json, key, value)
#define SCTPA_JSON_TOLD_SECONDS(key, value) sctpa_json_known_seconds(json, key, sctpa_view_tells(view, value), value)
#define SCTPA_JSON_MOMENT(key, value) sctpa_json_seconds(json, key, sctpa_view_since_start(view, value))
#define SCTPA_JSON_MS(key, value) sctpa_json_ms(json, key, value)
#define SCTPA_JSON_TOLD_MS(key, value) sctpa_json_told_ms(json, view, key, true, value)
#define SCTPA_JSON_RATE(key, value) sctpa_json_rate(json, key, value)
#define SCTPA_JSON_RATIO(key, value) sctpa_json_ratio(json, key, value)
#define SCTPA_JSON_TEXT(key, value) sctpa_json_text(json, key, value)
#define SCTPA_JSON_KNOWN_TEXT(key, value) sctpa_json_text(json, key, value)
#define SCTPA_JSON_OWNED_TEXT(key, value) sctpa_json_take(json, key, value)
#define SCTPA_JSON_FINGERPRINT(key, value) sctpa_json_take(json, key, value)
#define SCTPA_JSON_VTAG(key, value) sctpa_json_take(json, key, g_strdup_printf("0x%08x", value))
#define SCTPA_JSON_ADDR(key, value) sctpa_json_addr(json, key, value)
#define SCTPA_JSON_KNOWN_ADDR(key, value) sctpa_json_addr(json, key, value)
#define SCTPA_JSON_BOOL(key, value) sctpa_json_bool(json, key, value)
#define SCTPA_JSON_KNOWN_BOOL(key, value) sctpa_json_known_bool(json, key, value)
#define SCTPA_JSON_FROM(key, value) SCTPA_JSON_END(key, value)
#define SCTPA_JSON_NUMBER(key, value) SCTPA_JSON_COUNT(key, value)
#define SCTPA_JSON_SHORT_MOMENT(key, value) SCTPA_JSON_MOMENT(key, value)
#define SCTPA_JSON_LONG_TEXT(key, value) SCTPA_JSON_TEXT(key, value)
#define SCTPA_JSON_LONGEST_FRAME(key, value) SCTPA_JSON_FRAME(key, value)
#define SCTPA_JSON_UNTIL(key, value) SCTPA_JSON_PACKET(key, value)

#define SCTPA_TABLE_BEGIN(section, row_t, place) SCTPA_SECTION_BEGIN(section, row_t, place)
#define SCTPA_TABLE_END SCTPA_SECTION_END
#define SCTPA_BOTH(type, key, head, value, meaning) SCTPA_FIELD(type, key, value, meaning)
#define SCTPA_BOTH_MAYBE(type, key, head, condition, value, meaning) SCTPA_MAYBE(type, key, condition, value, meaning)
#define SCTPA_BOTH_WORD(list, key, head, value, meaning) SCTPA_MAYBE_WORD(list, key, value, meaning)
#define SCTPA_COLUMN(cell, head, value, meaning)
#define SCTPA_COLUMN_MAYBE(cell, head, condition, value, meaning)

#endif
