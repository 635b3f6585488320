/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of SCTP's types, expanded from the .def files, and their look-ups.
 * Leaves reading bytes to chunk.c and walk.c. */
#include "types.h"

#include <stddef.h>

const sctpa_parameter_row_t *sctpa_parameter_row(sctpa_parameter_t parameter)
{
    static const sctpa_parameter_row_t rows[SCTPA_PARAMETERS] = {
#define SCTPA_PARAMETER_ROW(name, word, rfc_name, unit, value, clause) { word, rfc_name, clause, SCTPA_IN_##unit },
#include "protocol_parameters.def"
#undef SCTPA_PARAMETER_ROW
    };
    return &rows[parameter];
}

#define N_ELEMENTS(array) (sizeof(array) / sizeof(array)[0])

#define TYPE_ROW(id, value, word, title, fixed_bytes, unit_bytes, body, body_field, clause) \
    { value, word, title, fixed_bytes, unit_bytes, SCTPA_BODY_##body, SCTPA_F_##body_field, clause },

static const sctpa_tlv_type_t chunk_types[] = {
#define SCTPA_CHUNK TYPE_ROW
#include "chunks.def"
};

static const sctpa_tlv_type_t param_types[] = {
#define SCTPA_PARAM TYPE_ROW
#include "params.def"
};

static const sctpa_tlv_type_t cause_types[] = {
#define SCTPA_CAUSE TYPE_ROW
#include "causes.def"
};

/* Row number plus one of each chunk type, 0 for types without a row. */
static const uint8_t chunk_row_after[256] = {
#define SCTPA_CHUNK(id, value, ...) [value] = SCTPA_CHUNK_ROW_##id + 1,
#include "chunks.def"
};

/* The same of each parameter type, by its two highest bits (what to do with it when unknown) and its lowest ones. */
enum { PARAM_KINDS = 4, PARAM_KIND_SHIFT = 14, PARAMS_OF_KIND = 32 };
static const uint8_t param_row_after[PARAM_KINDS][PARAMS_OF_KIND] = {
#define SCTPA_PARAM(id, value, ...) [(value) >> PARAM_KIND_SHIFT][(value) % PARAMS_OF_KIND] = SCTPA_PARAM_ROW_##id + 1,
#include "params.def"
};

static const sctpa_field_t fields[] = {
#define SCTPA_FIELD(id, abbrev, name, type, show, mask, owner_kind, owner_type, at, size, values) \
    { abbrev, \
      name, \
      SCTPA_TYPE_##type, \
      SCTPA_SHOW_##show, \
      mask, \
      SCTPA_OWNER_##owner_kind, \
      SCTPA_##owner_kind##_##owner_type, \
      at, \
      size, \
      SCTPA_VALUES_##values },
#define SCTPA_OWNER_CHUNK SCTPA_TLV_CHUNK
#define SCTPA_OWNER_PARAM SCTPA_TLV_PARAM
#define SCTPA_OWNER_CAUSE SCTPA_TLV_CAUSE
#include "fields.def"
};

static const struct {
    sctpa_values_t table;
    uint32_t value;
    const char *name;
} values_rows[] = {
#define SCTPA_VALUE(table, value, name) { SCTPA_VALUES_##table, value, name },
#include "values.def"
#define SCTPA_PPID(value, name, carrier) { SCTPA_VALUES_PPID, value, name },
#include "ppids.def"
};

const sctpa_field_t *sctpa_field(sctpa_field_id_t field)
{
    return &fields[field];
}

static const sctpa_tlv_type_t *type_table(sctpa_tlv_kind_t kind, size_t *n)
{
    switch (kind) {
    case SCTPA_TLV_CHUNK: *n = N_ELEMENTS(chunk_types); return chunk_types;
    case SCTPA_TLV_PARAM: *n = N_ELEMENTS(param_types); return param_types;
    case SCTPA_TLV_CAUSE: break;
    }
    *n = N_ELEMENTS(cause_types);
    return cause_types;
}

const sctpa_tlv_type_t *sctpa_tlv_type(sctpa_tlv_kind_t kind, uint32_t type)
{
    if (kind == SCTPA_TLV_CHUNK) {
        unsigned after = type < N_ELEMENTS(chunk_row_after) ? chunk_row_after[type] : 0;
        return after ? &chunk_types[after - 1] : NULL;
    }
    if (kind == SCTPA_TLV_PARAM) {
        unsigned row = sctpa_param_row(type);
        return row < SCTPA_PARAM_ROW_OTHER ? &param_types[row] : NULL;
    }
    size_t low = 0, high;
    const sctpa_tlv_type_t *table = type_table(kind, &high);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table[middle].type == type)
            return &table[middle];
        if (table[middle].type < type)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool field_is_before(const sctpa_field_t *field, int kind, int64_t type)
{
    return field->owner_kind < kind || (field->owner_kind == kind && field->owner_type < type);
}

static size_t first_field_not_before(int kind, int64_t type)
{
    size_t low = 0, high = N_ELEMENTS(fields);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (field_is_before(&fields[middle], kind, type))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

sctpa_field_id_t sctpa_fields_of(sctpa_tlv_kind_t kind, uint32_t type, unsigned *count)
{
    size_t first = first_field_not_before((int)kind, type);
    *count = (unsigned)(first_field_not_before((int)kind, (int64_t)type + 1) - first);
    return *count ? (sctpa_field_id_t)first : SCTPA_F_NONE;
}

unsigned sctpa_chunk_row(uint8_t type)
{
    return chunk_row_after[type] ? chunk_row_after[type] - 1u : SCTPA_CHUNK_ROW_OTHER;
}

const char *sctpa_chunk_row_word(unsigned row)
{
    return row < SCTPA_CHUNK_ROW_OTHER ? chunk_types[row].word : "OTHER";
}

/* The types whose titles a table of values is made of. */
static bool values_are_types(sctpa_values_t values, sctpa_tlv_kind_t *kind)
{
    switch (values) {
    case SCTPA_VALUES_CHUNK_TYPE: *kind = SCTPA_TLV_CHUNK; return true;
    case SCTPA_VALUES_PARAM_TYPE: *kind = SCTPA_TLV_PARAM; return true;
    case SCTPA_VALUES_CAUSE_CODE: *kind = SCTPA_TLV_CAUSE; return true;
    default: return false;
    }
}

const char *sctpa_value_name(sctpa_values_t values, uint32_t value)
{
    sctpa_tlv_kind_t kind;
    if (values_are_types(values, &kind)) {
        const sctpa_tlv_type_t *row = sctpa_tlv_type(kind, value);
        return row ? row->title : NULL;
    }
    for (size_t i = 0; i < N_ELEMENTS(values_rows); i++) {
        if (values_rows[i].table == values && values_rows[i].value == value)
            return values_rows[i].name;
    }
    return NULL;
}

void sctpa_values_each(sctpa_values_t values, void (*each)(void *user, uint32_t value, const char *name), void *user)
{
    sctpa_tlv_kind_t kind;
    if (values_are_types(values, &kind)) {
        size_t n;
        const sctpa_tlv_type_t *table = type_table(kind, &n);
        for (size_t i = 0; i < n; i++)
            each(user, table[i].type, table[i].title);
        return;
    }
    for (size_t i = 0; i < N_ELEMENTS(values_rows); i++) {
        if (values_rows[i].table == values)
            each(user, values_rows[i].value, values_rows[i].name);
    }
}

unsigned sctpa_param_row(uint32_t type)
{
    unsigned after =
        type >> PARAM_KIND_SHIFT < PARAM_KINDS ? param_row_after[type >> PARAM_KIND_SHIFT][type % PARAMS_OF_KIND] : 0;
    return after && param_types[after - 1].type == type ? after - 1 : SCTPA_PARAM_ROW_OTHER;
}

const char *sctpa_param_row_word(unsigned row)
{
    static const char *const words[] = {
#define SCTPA_PARAM(id, value, word, ...) word,
#include "params.def"
        "OTHER"
    };
    return words[row < SCTPA_PARAM_ROWS ? row : SCTPA_PARAM_ROW_OTHER];
}

const char *sctpa_ppid_name(uint32_t ppid)
{
    return sctpa_value_name(SCTPA_VALUES_PPID, ppid);
}

uint32_t sctpa_ppid_reversed(uint32_t ppid)
{
    uint32_t right = ppid >> 24 | (ppid >> 8 & 0xFF00) | (ppid << 8 & 0xFF0000) | ppid << 24;
    return right != ppid && sctpa_ppid_name(ppid) == NULL && sctpa_ppid_name(right) != NULL ? right : 0;
}

bool sctpa_ppid_is_over_dtls(uint32_t ppid)
{
    enum { PLAIN, DTLS };
    static const struct {
        uint32_t value;
        int carrier;
    } rows[] = {
#define SCTPA_PPID(value, name, carrier) { value, carrier },
#include "ppids.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].value == ppid)
            return rows[i].carrier == DTLS;
    return false;
}
