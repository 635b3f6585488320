/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The schema of the JSON report, of the sections that it is made of. Definitions are what the document uses, in the
 * order in which it does. */
#include <wsutil/json_dumper.h>

#include "json.h"
#include "section.h"

#define NUMBER_FROM(least) "\"minimum\":" #least

/* The type as JSON names it, NULL: not by that; and what more the schema says, "" nothing. */
typedef struct {
    const char *name, *more;
    bool may_be_null;
    const char *unit; /* NULL: none */
} form_t;

static const form_t forms[] = {
    [SCTPA_MEMBER_COUNT] = { "integer", NUMBER_FROM(0), false, NULL },
    [SCTPA_MEMBER_POSITIVE] = { "integer", NUMBER_FROM(1), false, NULL },
    [SCTPA_MEMBER_TWICE] = { "integer", NUMBER_FROM(2), false, NULL },
    [SCTPA_MEMBER_FRAME] = { "integer", NUMBER_FROM(1), false, NULL },
    [SCTPA_MEMBER_KNOWN_FRAME] = { "integer", NUMBER_FROM(1), true, NULL },
    [SCTPA_MEMBER_PACKET] = { "integer", NUMBER_FROM(1), true, NULL },
    [SCTPA_MEMBER_END] = { NULL, "\"enum\":[0,1]", false, NULL },
    [SCTPA_MEMBER_KNOWN_END] = { NULL, "\"enum\":[0,1,null]", true, NULL },
    [SCTPA_MEMBER_U16] = { "integer", NUMBER_FROM(0) ",\"maximum\":65535", false, NULL },
    [SCTPA_MEMBER_U32] = { "integer", NUMBER_FROM(0) ",\"maximum\":4294967295", false, NULL },
    [SCTPA_MEMBER_CAUSE] = { "integer", NUMBER_FROM(1) ",\"maximum\":65535", false, NULL },
    [SCTPA_MEMBER_SECONDS] = { "number", "", false, "s" },
    [SCTPA_MEMBER_TOLD_SECONDS] = { "number", "", true, "s" },
    [SCTPA_MEMBER_MOMENT] = { "number", "", false, "s" },
    [SCTPA_MEMBER_MS] = { "number", "", false, "ms" },
    [SCTPA_MEMBER_TOLD_MS] = { "number", "", true, "ms" },
    [SCTPA_MEMBER_PARAMETER] = { "number", "", false, NULL },
    [SCTPA_MEMBER_RATE] = { "number", NUMBER_FROM(0), true, "bit/s" },
    [SCTPA_MEMBER_RATIO] = { "number", NUMBER_FROM(0), true, NULL },
    [SCTPA_MEMBER_TEXT] = { "string", "", false, NULL },
    [SCTPA_MEMBER_KNOWN_TEXT] = { "string", "", true, NULL },
    [SCTPA_MEMBER_OWNED_TEXT] = { "string", "", false, NULL },
    [SCTPA_MEMBER_FINGERPRINT] = { "string", "\"pattern\":\"^[A-Z]+-[0-9]+/[a-z]+/[0-9a-f]{8}$\"", false, NULL },
    [SCTPA_MEMBER_EXTENSION] = { "string", "\"pattern\":\"^[A-Z0-9_]+$\"", false, NULL },
    [SCTPA_MEMBER_VTAG] = { "string", "\"pattern\":\"^0x[0-9a-f]{8}$\"", false, NULL },
    [SCTPA_MEMBER_ADDR] = { "string", "", false, NULL },
    [SCTPA_MEMBER_KNOWN_ADDR] = { "string", "", true, NULL },
    [SCTPA_MEMBER_BOOL] = { "boolean", "", false, NULL },
    [SCTPA_MEMBER_KNOWN_BOOL] = { "boolean", "", true, NULL },
};

typedef struct {
    GString *out;
    GPtrArray *definitions; /* sctpa_section_t, each once, in order */
} schema_t;

static void append_type(const schema_t *schema, const char *name, bool may_be_null)
{
    g_string_append_printf(schema->out, may_be_null ? "\"type\":[\"%s\",\"null\"]" : "\"type\":\"%s\"", name);
}

static void append_more(const schema_t *schema, const char *more)
{
    if (more && *more)
        g_string_append_printf(schema->out, ",%s", more);
}

static void append_words(const schema_t *schema, const sctpa_words_t *words, bool may_be_null)
{
    if (words->n == 1 && !may_be_null) {
        g_string_append_printf(schema->out, "\"const\":\"%s\"", words->word(0));
        return;
    }
    g_string_append(schema->out, "\"enum\":[");
    for (unsigned i = 0; i < words->n; i++)
        if (words->word(i))
            g_string_append_printf(schema->out, "\"%s\",", words->word(i));
    if (may_be_null)
        g_string_append(schema->out, "null,");
    g_string_overwrite(schema->out, schema->out->len - 1, "]");
}

static void append_section(const schema_t *schema, const sctpa_section_t *section, bool may_be_null);

static void append_object(const schema_t *schema, const sctpa_section_t *section, bool may_be_null)
{
    if (section->is_inline) {
        append_section(schema, section, may_be_null);
        return;
    }
    if (!g_ptr_array_find(schema->definitions, section, NULL))
        g_ptr_array_add(schema->definitions, (gpointer)section);
    g_string_append_printf(schema->out,
                           may_be_null ? "\"anyOf\":[{\"$ref\":\"#/definitions/%s\"},{\"type\":\"null\"}]"
                                       : "\"$ref\":\"#/definitions/%s\"",
                           section->name);
}

/* What one value is: the member, or an element of its list. */
static void append_value(const schema_t *schema, const sctpa_member_t *member, bool may_be_null)
{
    if (member->type == SCTPA_MEMBER_OTHER) {
        g_string_append(schema->out, member->schema);
    } else if (member->type == SCTPA_MEMBER_WORD) {
        append_words(schema, member->words, may_be_null);
    } else if (member->type == SCTPA_MEMBER_OBJECT) {
        append_object(schema, member->section, may_be_null);
    } else {
        const form_t *form = &forms[member->type];
        if (form->name)
            append_type(schema, form->name, may_be_null || form->may_be_null);
        append_more(schema, form->name ? form->more : NULL);
        if (!form->name)
            g_string_append(schema->out, form->more);
        if (form->unit)
            g_string_append_printf(schema->out, ",\"unit\":\"%s\"", form->unit);
    }
}

static void append_member(const schema_t *schema, const sctpa_member_t *member)
{
    g_string_append_c(schema->out, '{');
    if (member->is_list) {
        append_type(schema, "array", member->may_be_null);
        g_string_append(schema->out, ",\"items\":{");
        append_value(schema, member, false);
        g_string_append_c(schema->out, '}');
        append_more(schema, member->schema);
    } else {
        append_value(schema, member, member->may_be_null);
    }
    if (member->meaning) {
        g_string_append_printf(schema->out, ",\"description\":\"%s\"", member->meaning);
    }
    g_string_append_c(schema->out, '}');
}

static void append_keys(const schema_t *schema, const sctpa_section_t *section, const char *format)
{
    const sctpa_words_t *words = section->keys;
    for (unsigned i = 0; words ? i < words->n : section->members[i].key != NULL; i++) {
        const char *key = words ? words->word(i) : section->members[i].key;
        if (key == NULL)
            continue;
        g_string_append_printf(schema->out, format, key, words && section->suffix ? section->suffix : "");
        if (*format == '"' && strchr(format, ':'))
            append_member(schema, &section->members[words ? 0 : i]);
        g_string_append_c(schema->out, ',');
    }
    if (schema->out->str[schema->out->len - 1] == ',')
        g_string_truncate(schema->out, schema->out->len - 1);
}

static void append_section(const schema_t *schema, const sctpa_section_t *section, bool may_be_null)
{
    append_type(schema, "object", may_be_null);
    g_string_append(schema->out, ",\"additionalProperties\":false");
    if (section->keys == NULL || section->has_all_keys) {
        g_string_append(schema->out, ",\"required\":[");
        append_keys(schema, section, "\"%s%s\"");
        g_string_append_c(schema->out, ']');
    }
    g_string_append(schema->out, ",\"properties\":{");
    append_keys(schema, section, "\"%s%s\":");
    g_string_append_c(schema->out, '}');
}

void sctpa_json_schema(GString *out)
{
    const schema_t schema = { out, g_ptr_array_new() };
    g_string_append(out, "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$id\":\"urn:sctp-analysis:2\","
                         "\"title\":\"sctp-analysis/2\",\"description\":\"What tshark -z sctp,json writes. Unknown is "
                         "null, never 0. Seconds have nine decimals, milliseconds six.\",");
    append_section(&schema, &sctpa_section_document, false);
    g_string_append(out, ",\"definitions\":{");
    for (guint i = 0; i < schema.definitions->len; i++) {
        const sctpa_section_t *section = g_ptr_array_index(schema.definitions, i);
        g_string_append_printf(out, "%s\"%s\":{", i > 0 ? "," : "", section->name);
        append_section(&schema, section, false);
        if (section->about)
            g_string_append_printf(out, ",\"description\":\"%s\"", section->about);
        g_string_append_c(out, '}');
    }
    g_string_append(out, "}}");
    g_ptr_array_unref(schema.definitions);
}
