/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects records: adding them, as they move out of the arena, finding them by key, against looking at each, and
 * ordering them. */
#include "../../plugins/sctp_analysis/core/base/records.h"

typedef struct {
    uint32_t key, value;
} record_t;

static void filled(sctpa_records_t *records, sctpa_arena_t *arena, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        record_t record = { (uint32_t)g_test_rand_int_range(0, 100), i };
        sctpa_records_append(records, arena, &record, sizeof record);
    }
}

static void all_stay_as_they_were_added(void)
{
    sctpa_arena_t arena;
    sctpa_records_t some[3] = { { NULL, 0, 0 } };
    sctpa_arena_init(&arena);
    for (uint32_t i = 0; i < 1000; i++)
        for (uint32_t n = 0; n < 3; n++)
            if (i < 10 || n == 0)
                sctpa_records_append(&some[n], &arena, &(record_t){ i, n }, sizeof(record_t));
    for (uint32_t n = 0; n < 3; n++) {
        g_assert_cmpuint(some[n].len, ==, n == 0 ? 1000 : 10);
        for (uint32_t i = 0; i < some[n].len; i++) {
            g_assert_cmpuint(SCTPA_RECORD(&some[n], record_t, i).key, ==, i);
            g_assert_cmpuint(SCTPA_RECORD(&some[n], record_t, i).value, ==, n);
        }
        sctpa_records_clear(&some[n], &arena, sizeof(record_t));
        g_assert_cmpuint(some[n].len, ==, 0);
    }
    g_assert_cmpuint(arena.in_use_bytes, ==, 0);
    sctpa_arena_clear(&arena);
}

static void records_are_put_in_and_taken_out_anywhere(void)
{
    sctpa_arena_t arena;
    sctpa_records_t records = { NULL, 0, 0 };
    GArray *expected = g_array_new(FALSE, FALSE, sizeof(record_t));
    sctpa_arena_init(&arena);
    for (uint32_t i = 0; i < 2000; i++) {
        record_t record = { i, i * i };
        uint32_t at = (uint32_t)g_test_rand_int_range(0, (gint32)expected->len + 1);
        if (i % 3 < 2) {
            sctpa_records_insert(&records, &arena, at, &record, sizeof record);
            g_array_insert_val(expected, at, record);
        } else if (at < expected->len) {
            uint32_t to = MIN(at + i % 4, expected->len);
            sctpa_records_remove(&records, at, to, sizeof record);
            g_array_remove_range(expected, at, to - at);
        }
        g_assert_cmpmem(records.data, records.len * sizeof record, expected->data, expected->len * sizeof record);
    }
    sctpa_records_clear(&records, &arena, sizeof(record_t));
    g_assert_cmpuint(arena.in_use_bytes, ==, 0);
    sctpa_arena_clear(&arena);
    g_array_unref(expected);
}

static void the_first_with_a_key_is_found(void)
{
    sctpa_arena_t arena;
    sctpa_records_t records = { NULL, 0, 0 };
    sctpa_arena_init(&arena);
    g_assert_cmpuint(sctpa_records_from(NULL, 0, sizeof(record_t), 5), ==, 0);
    filled(&records, &arena, 200);
    sctpa_records_sort(&records, sizeof(record_t));
    for (uint32_t key = 0; key < 102; key++) {
        uint32_t expected = 0;
        while (expected < records.len && SCTPA_RECORD(&records, record_t, expected).key < key)
            expected++;
        g_assert_cmpuint(sctpa_records_from(records.data, records.len, sizeof(record_t), key), ==, expected);
    }
    sctpa_records_clear(&records, &arena, sizeof(record_t));
    sctpa_arena_clear(&arena);
}

static void equal_keys_stay_in_order(void)
{
    sctpa_arena_t arena;
    sctpa_records_t records = { NULL, 0, 0 };
    sctpa_arena_init(&arena);
    sctpa_records_sort(&records, sizeof(record_t));
    filled(&records, &arena, 500);
    sctpa_records_sort(&records, sizeof(record_t));
    for (uint32_t i = 1; i < records.len; i++) {
        const record_t *before = &SCTPA_RECORD(&records, record_t, i - 1), *record = before + 1;
        g_assert_true(before->key < record->key || (before->key == record->key && before->value < record->value));
    }
    sctpa_records_clear(&records, &arena, sizeof(record_t));
    sctpa_arena_clear(&arena);
}

static void room_grows_to_what_32_bits_number(void)
{
    uint32_t room = 0, before;
    for (unsigned steps = 0; room < UINT32_MAX; steps++) {
        before = room;
        room = sctpa_records_more(room, 2);
        g_assert_cmpuint(room, >, before);
        g_assert_cmpuint(steps, <, 200);
    }
    g_assert_cmpuint(sctpa_records_more(UINT32_MAX - 1, 2), ==, UINT32_MAX);
    g_assert_cmpuint(sctpa_records_more(room, 2), ==, room);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/records/add", all_stay_as_they_were_added);
    g_test_add_func("/records/insert_and_remove", records_are_put_in_and_taken_out_anywhere);
    g_test_add_func("/records/from", the_first_with_a_key_is_found);
    g_test_add_func("/records/order", equal_keys_stay_in_order);
    g_test_add_func("/records/room", room_grows_to_what_32_bits_number);
    return g_test_run();
}
