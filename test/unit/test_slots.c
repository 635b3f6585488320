/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers by hash, also when hashes are equal or crowd the last places, and after others were removed. */
#include <glib.h>

#include "../../plugins/sctp_analysis/core/base/slots.h"

static unsigned times_found(const sctpa_slots_t *table, uint32_t hash, uint32_t number)
{
    uint32_t at;
    unsigned times = 0;
    for (uint32_t n = sctpa_slots_first(table, hash, &at); n != SCTPA_SLOT_NONE; n = sctpa_slots_next(table, hash, &at))
        times += n == number;
    return times;
}

static void remove_number(sctpa_slots_t *table, uint32_t hash, uint32_t number)
{
    uint32_t at, n = sctpa_slots_first(table, hash, &at);
    while (n != number) {
        g_assert_cmpuint(n, !=, SCTPA_SLOT_NONE);
        n = sctpa_slots_next(table, hash, &at);
    }
    sctpa_slots_remove(table, at);
}

static void finds_what_was_added_as_it_grows(void)
{
    sctpa_slots_t table;
    sctpa_slots_init(&table);
    for (uint32_t i = 0; i < 20000; i++)
        sctpa_slots_add(&table, i * 2654435761u, i);
    for (uint32_t i = 0; i < 20000; i++)
        g_assert_cmpuint(times_found(&table, i * 2654435761u, i), ==, 1);
    g_assert_cmpuint(times_found(&table, 20000 * 2654435761u, 20000), ==, 0);
    sctpa_slots_clear(&table);
}

static void keeps_numbers_of_one_hash_apart(void)
{
    sctpa_slots_t table;
    uint32_t at;
    sctpa_slots_init(&table);
    for (uint32_t i = 0; i < 50; i++)
        sctpa_slots_add(&table, 0xFFFFFFFF, i);
    for (uint32_t i = 0; i < 50; i++)
        g_assert_cmpuint(times_found(&table, 0xFFFFFFFF, i), ==, 1);
    g_assert_cmpuint(sctpa_slots_first(&table, 0xFFFFFFFF, &at), !=, SCTPA_SLOT_NONE);
    uint32_t before = sctpa_slots_first(&table, 0xFFFFFFFF, &at);
    sctpa_slots_set(&table, at, 77);
    g_assert_cmpuint(times_found(&table, 0xFFFFFFFF, 77), ==, 1);
    g_assert_cmpuint(times_found(&table, 0xFFFFFFFF, before), ==, 0);
    sctpa_slots_clear(&table);
}

/* Adds and removes at random beside a plain list of what must be there; few hashes, at both ends, so that runs wrap
 * around. */
static void removing_one_keeps_the_others(void)
{
    static const uint32_t hashes[] = { 0,          1,          0x00FFFFFF, 0x01000000, 0x02000000,
                                       0x80000000, 0xFD000000, 0xFE000000, 0xFF000000, 0xFFFFFFFF };
    uint32_t present[120] = { 0 };
    sctpa_slots_t table;
    GRand *rand = g_rand_new_with_seed(5);

    sctpa_slots_init(&table);
    for (unsigned round = 0; round < 20000; round++) {
        uint32_t number = (uint32_t)g_rand_int_range(rand, 0, G_N_ELEMENTS(present));
        uint32_t hash = hashes[number % G_N_ELEMENTS(hashes)];
        if (present[number])
            remove_number(&table, hash, number);
        else
            sctpa_slots_add(&table, hash, number);
        present[number] = !present[number];
        if (round % 50 == 0)
            for (uint32_t i = 0; i < G_N_ELEMENTS(present); i++)
                g_assert_cmpuint(times_found(&table, hashes[i % G_N_ELEMENTS(hashes)], i), ==, present[i]);
    }
    g_rand_free(rand);
    sctpa_slots_clear(&table);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/table/finds_what_was_added_as_it_grows", finds_what_was_added_as_it_grows);
    g_test_add_func("/table/keeps_numbers_of_one_hash_apart", keeps_numbers_of_one_hash_apart);
    g_test_add_func("/table/removing_one_keeps_the_others", removing_one_keeps_the_others);
    return g_test_run();
}
