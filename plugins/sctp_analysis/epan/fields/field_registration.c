/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers every field: those of the analysis from analysis_fields.def, the decoded ones from the core's table. */
#include "field_registration.h"

static int result_ids[SCTPA_RESULTS], decoded_ids[SCTPA_FIELDS];
static int subtree = -1, decoded_subtree = -1;

static hf_register_info results[] = {
#define RESULT(id, abbrev, name, type, base, blurb) \
    { &result_ids[SCTPA_RESULT_##id], { name, "sctp.analysis" abbrev, FT_##type, BASE_##base, NULL, 0, blurb, HFILL } },
#include "analysis_fields.def"
};

static void append_value(void *values, uint32_t value, const char *name)
{
    value_string row = { value, name };
    g_array_append_val((GArray *)values, row);
}

/* Named values as Wireshark wants them, made once per table and kept. */
static const value_string *named_values(sctpa_values_t values)
{
    static const value_string *tables[64];
    if (values == SCTPA_VALUES_NONE || values >= G_N_ELEMENTS(tables))
        return NULL;
    if (tables[values] == NULL) {
        GArray *rows = g_array_new(TRUE, TRUE, sizeof(value_string));
        sctpa_values_each(values, append_value, rows);
        tables[values] = (const value_string *)(const void *)g_array_free(rows, FALSE);
    }
    return tables[values];
}

static ftenum_t type_of(const sctpa_field_t *field)
{
    static const ftenum_t types[] = {
        [SCTPA_TYPE_GROUP] = FT_NONE,    [SCTPA_TYPE_U8] = FT_UINT8,     [SCTPA_TYPE_U16] = FT_UINT16,
        [SCTPA_TYPE_U32] = FT_UINT32,    [SCTPA_TYPE_BOOL] = FT_BOOLEAN, [SCTPA_TYPE_BYTES] = FT_BYTES,
        [SCTPA_TYPE_STRING] = FT_STRING, [SCTPA_TYPE_IPV4] = FT_IPv4,    [SCTPA_TYPE_IPV6] = FT_IPv6,
    };
    return types[field->type];
}

/* For a flag Wireshark wants the width of its bytes in place of a base. */
static int display_of(const sctpa_field_t *field)
{
    if (field->type == SCTPA_TYPE_BOOL)
        return 8 * field->size;
    return field->show == SCTPA_SHOW_DEC ? BASE_DEC : field->show == SCTPA_SHOW_HEX ? BASE_HEX : BASE_NONE;
}

static void fill(hf_register_info *info, int *id, const sctpa_field_t *field)
{
    const char *dot = field->abbrev[0] ? "." : "";
    *info = (hf_register_info){ id,
                                { field->name, g_strconcat("sctp.analysis.chunk", dot, field->abbrev, NULL),
                                  type_of(field), display_of(field), named_values(field->values), field->mask,
                                  "As decoded from the chunk (past)", HFILL } };
}

void sctpa_fields_register(int sctp)
{
    static hf_register_info decoded[SCTPA_FIELDS];
    static int *subtrees[] = { &subtree, &decoded_subtree };
    int n_decoded = 0;
    memset(result_ids, -1, sizeof result_ids);
    memset(decoded_ids, -1, sizeof decoded_ids);
    for (int i = 0; i < SCTPA_FIELDS; i++) {
        const sctpa_field_t *field = sctpa_field((sctpa_field_id_t)i);
        if (field != NULL && field->name != NULL)
            fill(&decoded[n_decoded++], &decoded_ids[i], field);
    }
    proto_register_field_array(sctp, results, G_N_ELEMENTS(results));
    proto_register_field_array(sctp, decoded, n_decoded);
    proto_register_subtree_array(subtrees, G_N_ELEMENTS(subtrees));
}

bool sctpa_fields_results_are_wanted(proto_tree *tree)
{
    for (int i = 0; i < SCTPA_RESULTS; i++)
        if (proto_field_is_referenced(tree, result_ids[i]))
            return true;
    return false;
}

int sctpa_fields_result(sctpa_result_t result)
{
    return result_ids[result];
}

int sctpa_fields_decoded(sctpa_field_id_t field)
{
    return decoded_ids[field];
}

unsigned sctpa_fields_encoding(sctpa_field_id_t field)
{
    switch (sctpa_field(field)->type) {
    case SCTPA_TYPE_BYTES:
    case SCTPA_TYPE_IPV6:
    case SCTPA_TYPE_GROUP: return ENC_NA;
    case SCTPA_TYPE_STRING: return ENC_UTF_8;
    default: return ENC_BIG_ENDIAN;
    }
}

int sctpa_fields_subtree(void)
{
    return subtree;
}

int sctpa_fields_decoded_subtree(void)
{
    return decoded_subtree;
}
