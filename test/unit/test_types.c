/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of types: what their users rely on holds for every row. */
#include "wire/types.h"
#include <glib.h>
#include <string.h>

static const struct {
    sctpa_values_t values;
    sctpa_tlv_kind_t kind;
} type_tables[] = {
    { SCTPA_VALUES_CHUNK_TYPE, SCTPA_TLV_CHUNK },
    { SCTPA_VALUES_PARAM_TYPE, SCTPA_TLV_PARAM },
    { SCTPA_VALUES_CAUSE_CODE, SCTPA_TLV_CAUSE },
};

typedef struct {
    sctpa_values_t values;
    int64_t last;
    unsigned count;
} order_t;

static void note_value(void *user, uint32_t value, const char *name)
{
    order_t *order = user;
    g_assert_cmpint(value, >, order->last);
    g_assert_cmpstr(name, ==, sctpa_value_name(order->values, value));
    order->last = value;
    order->count++;
}

static void lists_values_in_ascending_order_with_their_names(void)
{
    for (sctpa_values_t values = SCTPA_VALUES_CHUNK_TYPE; values <= SCTPA_VALUES_PPID; values++) {
        order_t order = { .values = values, .last = -1 };
        sctpa_values_each(values, note_value, &order);
        g_assert_cmpuint(order.count, >, 0);
    }
    order_t none = { .values = SCTPA_VALUES_NONE, .last = -1 };
    sctpa_values_each(SCTPA_VALUES_NONE, note_value, &none);
    g_assert_cmpuint(none.count, ==, 0);
    g_assert_null(sctpa_value_name(SCTPA_VALUES_HMAC, 77));
    g_assert_null(sctpa_value_name(SCTPA_VALUES_CHUNK_TYPE, 0x1FF));
}

/* Calls check with every row of every type table; returns how many there are. */
static unsigned each_type(void (*check)(sctpa_tlv_kind_t kind, const sctpa_tlv_type_t *row))
{
    unsigned count = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(type_tables); i++) {
        for (uint32_t type = 0; type <= UINT16_MAX; type++) {
            const sctpa_tlv_type_t *row = sctpa_tlv_type(type_tables[i].kind, type);
            if (!row)
                continue;
            g_assert_cmphex(row->type, ==, type);
            check(type_tables[i].kind, row);
            count++;
        }
    }
    return count;
}

/* INIT_ACK of "INIT ACK": capitals, and one underscore for each run of other characters. */
static void check_word(sctpa_tlv_kind_t kind, const sctpa_tlv_type_t *row)
{
    GString *word = g_string_new(NULL);
    (void)kind;
    for (const char *c = row->title; *c; c++) {
        if (g_ascii_isalnum(*c))
            g_string_append_c(word, g_ascii_toupper(*c));
        else if (word->str[word->len - 1] != '_')
            g_string_append_c(word, '_');
    }
    g_assert_cmpstr(row->word, ==, word->str);
    g_string_free(word, TRUE);
}

static void spells_every_word_like_its_title(void)
{
    g_assert_cmpuint(each_type(check_word), ==, 26 + 31 + 26);
}

static void check_body(sctpa_tlv_kind_t kind, const sctpa_tlv_type_t *row)
{
    g_assert_cmpuint(row->fixed_bytes, >=, 4);
    g_assert_true(row->clause && *row->clause);
    switch (row->body) {
    case SCTPA_BODY_BYTES:
    case SCTPA_BODY_STRING:
    case SCTPA_BODY_USER_DATA:
        g_assert_cmpuint(row->unit_bytes, ==, 0);
        g_assert_cmpint(sctpa_field(row->body_field)->size, ==, 0);
        break;
    case SCTPA_BODY_LIST: g_assert_cmpuint(row->unit_bytes, ==, sctpa_field(row->body_field)->size); break;
    case SCTPA_BODY_RECORDS:
    case SCTPA_BODY_SACK:
    case SCTPA_BODY_NR_SACK:
        g_assert_cmpuint(row->unit_bytes, >=, 4);
        g_assert_cmpint(sctpa_field(row->body_field - 1)->type, ==, SCTPA_TYPE_GROUP);
        break;
    default: g_assert_cmpint(row->body_field, ==, SCTPA_F_NONE); return;
    }
    g_assert_cmpint(sctpa_field(row->body_field)->owner_kind, ==, kind);
    g_assert_cmphex(sctpa_field(row->body_field)->owner_type, ==, row->type);
    g_assert_cmpint(sctpa_field(row->body_field)->at, ==, -1);
}

static void gives_every_body_a_field_of_its_own(void)
{
    each_type(check_body);
}

static uint32_t size_mask(unsigned size)
{
    return size < 4 ? (UINT32_C(1) << 8 * size) - 1 : UINT32_MAX;
}

/* Every bit of the fixed part after the header, and of the flags when the type has bits in them, is in exactly one
 * field; I-DATA reads four bytes in two ways. Fields beyond fixed_bytes are the optional part of unit_bytes. */
static void check_fixed_part(sctpa_tlv_kind_t kind, const sctpa_tlv_type_t *row)
{
    uint8_t bits[64] = { 0 };
    unsigned count;
    sctpa_field_id_t first = sctpa_fields_of(kind, row->type, &count);
    unsigned end = row->fixed_bytes + (row->body == SCTPA_BODY_NONE ? row->unit_bytes : 0);
    bool has_flags = count && sctpa_field(first)->at == 1;
    for (sctpa_field_id_t id = first; id < first + count; id++) {
        const sctpa_field_t *field = sctpa_field(id);
        if (field->at < 0 || id == SCTPA_F_I_DATA_FSN)
            continue;
        g_assert_cmpuint(field->at + field->size, <=, field->at == 1 ? 2 : end);
        for (unsigned i = 0; i < field->size; i++) {
            uint8_t byte = field->mask ? (uint8_t)(field->mask >> 8 * (field->size - 1 - i)) : 0xFF;
            g_assert_cmphex(bits[field->at + i] & byte, ==, 0);
            bits[field->at + i] |= byte;
        }
    }
    g_assert_cmphex(bits[1], ==, has_flags ? 0xFF : 0);
    for (unsigned i = 4; i < end; i++)
        g_assert_cmphex(bits[i], ==, 0xFF);
}

static void covers_every_bit_of_every_fixed_part_once(void)
{
    each_type(check_fixed_part);
}

static void names_every_field_uniquely_as_wireshark_wants(void)
{
    GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (sctpa_field_id_t id = 0; id < SCTPA_FIELDS; id++) {
        const sctpa_field_t *field = sctpa_field(id);
        g_assert_true(g_hash_table_add(seen, (gpointer)field->abbrev));
        g_assert_cmpuint(strspn(field->abbrev, "abcdefghijklmnopqrstuvwxyz0123456789_.-"), ==, strlen(field->abbrev));
        g_assert_true(*field->abbrev || id == SCTPA_F_CHUNK);
        g_assert_false(g_str_has_suffix(field->abbrev, ".") || strstr(field->abbrev, ".."));
        g_assert_true(*field->name);
    }
    g_hash_table_unref(seen);
}

static void gives_every_field_a_size_and_show_that_fit_its_type(void)
{
    static const uint16_t sizes[] = {
        [SCTPA_TYPE_U8] = 1, [SCTPA_TYPE_U16] = 2, [SCTPA_TYPE_U32] = 4, [SCTPA_TYPE_IPV4] = 4, [SCTPA_TYPE_IPV6] = 16
    };
    for (sctpa_field_id_t id = 0; id < SCTPA_FIELDS; id++) {
        const sctpa_field_t *field = sctpa_field(id);
        bool number = field->type >= SCTPA_TYPE_U8 && field->type <= SCTPA_TYPE_U32;
        if (field->type == SCTPA_TYPE_BOOL)
            g_assert_true(field->mask && (field->mask & (field->mask - 1)) == 0);
        else
            g_assert_cmpuint(field->size, ==, field->type < G_N_ELEMENTS(sizes) ? sizes[field->type] : 0);
        g_assert_cmpint(field->show != SCTPA_SHOW_NONE, ==, number);
        g_assert_cmphex(field->mask & ~size_mask(field->size), ==, 0);
        g_assert_true(field->values == SCTPA_VALUES_NONE || number);
        g_assert_cmpint(sctpa_places[id].at, ==, field->at);
        g_assert_cmpuint(sctpa_places[id].size, ==, field->size);
        g_assert_cmphex(sctpa_places[id].mask, ==, field->mask);
    }
}

static void keeps_fields_in_the_order_of_their_owners(void)
{
    for (sctpa_field_id_t id = 1; id < SCTPA_FIELDS; id++) {
        const sctpa_field_t *before = sctpa_field(id - 1), *field = sctpa_field(id);
        g_assert_cmpint(before->owner_kind, <=, field->owner_kind);
        if (before->owner_kind != field->owner_kind)
            continue;
        g_assert_cmpint(before->owner_type, <=, field->owner_type);
        if (before->owner_type == field->owner_type && field->owner_kind >= 0 && field->at >= 0)
            g_assert_cmpint(before->at, <=, field->at);
    }
}

static void gives_every_owned_field_back_to_its_owner(void)
{
    for (sctpa_field_id_t id = 0; id < SCTPA_FIELDS; id++) {
        const sctpa_field_t *field = sctpa_field(id);
        unsigned count;
        if (field->owner_kind < 0)
            continue;
        g_assert_nonnull(sctpa_tlv_type((sctpa_tlv_kind_t)field->owner_kind, (uint32_t)field->owner_type));
        sctpa_field_id_t first =
            sctpa_fields_of((sctpa_tlv_kind_t)field->owner_kind, (uint32_t)field->owner_type, &count);
        g_assert_true(id >= first && id < first + count);
    }
    unsigned count;
    g_assert_cmpint(sctpa_fields_of(SCTPA_TLV_CHUNK, 0x7E, &count), ==, SCTPA_F_NONE);
    g_assert_cmpuint(count, ==, 0);
}

static void numbers_chunk_rows_densely(void)
{
    unsigned known = 0;
    for (uint32_t type = 0; type <= UINT8_MAX; type++) {
        const sctpa_tlv_type_t *row = sctpa_tlv_type(SCTPA_TLV_CHUNK, type);
        g_assert_cmpuint(sctpa_chunk_row((uint8_t)type), ==, row ? known : SCTPA_CHUNK_ROW_OTHER);
        if (row)
            g_assert_cmpstr(sctpa_chunk_row_word(known++), ==, row->word);
    }
    g_assert_cmpuint(known, ==, SCTPA_CHUNK_ROW_OTHER);
    g_assert_cmpstr(sctpa_chunk_row_word(SCTPA_CHUNK_ROW_OTHER), ==, "OTHER");
}

static void names_registered_ppids_and_those_whose_bytes_are_reversed(void)
{
    g_assert_cmpstr(sctpa_ppid_name(60), ==, "NGAP");
    g_assert_null(sctpa_ppid_name(26));
    g_assert_cmpuint(sctpa_ppid_reversed(301989888), ==, 18);
    g_assert_cmpuint(sctpa_ppid_reversed(18), ==, 0);
    g_assert_cmpuint(sctpa_ppid_reversed(0), ==, 0);
    g_assert_cmpuint(sctpa_ppid_reversed(0xFF000000), ==, 0);
    g_assert_true(sctpa_ppid_is_over_dtls(47));
    g_assert_true(sctpa_ppid_is_over_dtls(69));
    g_assert_false(sctpa_ppid_is_over_dtls(46));
    g_assert_false(sctpa_ppid_is_over_dtls(301989888));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/types/lists_values_in_ascending_order_with_their_names",
                    lists_values_in_ascending_order_with_their_names);
    g_test_add_func("/types/spells_every_word_like_its_title", spells_every_word_like_its_title);
    g_test_add_func("/types/gives_every_body_a_field_of_its_own", gives_every_body_a_field_of_its_own);
    g_test_add_func("/types/covers_every_bit_of_every_fixed_part_once", covers_every_bit_of_every_fixed_part_once);
    g_test_add_func("/types/names_every_field_uniquely_as_wireshark_wants",
                    names_every_field_uniquely_as_wireshark_wants);
    g_test_add_func("/types/gives_every_field_a_size_and_show_that_fit_its_type",
                    gives_every_field_a_size_and_show_that_fit_its_type);
    g_test_add_func("/types/keeps_fields_in_the_order_of_their_owners", keeps_fields_in_the_order_of_their_owners);
    g_test_add_func("/types/gives_every_owned_field_back_to_its_owner", gives_every_owned_field_back_to_its_owner);
    g_test_add_func("/types/numbers_chunk_rows_densely", numbers_chunk_rows_densely);
    g_test_add_func("/types/names_registered_ppids_and_those_whose_bytes_are_reversed",
                    names_registered_ppids_and_those_whose_bytes_are_reversed);
    return g_test_run();
}
