/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What leads from later parts to earlier ones is found once, and dropped when it is old or too much. */
#include "../../plugins/sctp_analysis/core/forgotten_parts.h"

#include <glib.h>

static void a_part_is_found_once(void)
{
    sctpa_forgotten_parts_t *parts = sctpa_forgotten_parts_new(1 << 20);
    uint32_t number = 0;
    sctpa_forgotten_parts_add(parts, 7, 1, 100);
    sctpa_forgotten_parts_add(parts, 8, 2, 100);
    sctpa_forgotten_parts_add(parts, 7, 3, 200);
    g_assert_true(sctpa_forgotten_parts_take(parts, 7, &number));
    g_assert_cmpuint(number, ==, 3);
    g_assert_false(sctpa_forgotten_parts_take(parts, 7, &number));
    g_assert_true(sctpa_forgotten_parts_take(parts, 8, &number));
    g_assert_cmpuint(number, ==, 2);
    g_assert_cmpuint(sctpa_forgotten_parts_bytes(parts), ==, 0);
    sctpa_forgotten_parts_free(parts);
}

static void old_ones_are_dropped(void)
{
    sctpa_forgotten_parts_t *parts = sctpa_forgotten_parts_new(1 << 20);
    uint32_t number;
    sctpa_forgotten_parts_add(parts, 7, 1, 100);
    sctpa_forgotten_parts_add(parts, 8, 2, 200);
    sctpa_forgotten_parts_drop_old(parts, 100);
    g_assert_false(sctpa_forgotten_parts_take(parts, 7, &number));
    g_assert_true(sctpa_forgotten_parts_take(parts, 8, &number));
    sctpa_forgotten_parts_free(parts);
}

static void beyond_a_number_of_bytes_the_oldest_goes(void)
{
    enum { BYTES = 10000, MANY = 1000 };
    sctpa_forgotten_parts_t *parts = sctpa_forgotten_parts_new(BYTES);
    uint32_t number;
    for (uint32_t way = 0; way < MANY; way++) {
        sctpa_forgotten_parts_add(parts, way, way, 100);
        g_assert_cmpuint(sctpa_forgotten_parts_bytes(parts), <=, BYTES);
    }
    g_assert_false(sctpa_forgotten_parts_take(parts, 0, &number));
    g_assert_true(sctpa_forgotten_parts_take(parts, MANY - 1, &number));
    g_assert_cmpuint(number, ==, MANY - 1);
    sctpa_forgotten_parts_free(parts);
}

#define TEST(name) g_test_add_func("/forgotten_parts/" #name, name)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    TEST(a_part_is_found_once);
    TEST(old_ones_are_dropped);
    TEST(beyond_a_number_of_bytes_the_oldest_goes);
    return g_test_run();
}
