/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Serial number arithmetic: order and lifting to 64 bits stay right where 32-bit numbers wrap. */
#include "base/numbers.h"
#include <glib.h>

static void orders_numbers_across_the_wrap(void)
{
    g_assert_cmpint(sctpa_serial_distance(5, 7), ==, 2);
    g_assert_cmpint(sctpa_serial_distance(7, 5), ==, -2);
    g_assert_cmpint(sctpa_serial_distance(0xFFFFFFFF, 0), ==, 1);
    g_assert_cmpint(sctpa_serial_distance(1, 0xFFFFFFFE), ==, -3);
    g_assert_cmpint(sctpa_serial_distance(0, 0x7FFFFFFF), ==, INT32_MAX);
    g_assert_cmpint(sctpa_serial_distance(0, 0x80000000), ==, INT32_MIN);
}

static void lifts_to_the_nearest_number(void)
{
    g_assert_cmpint(sctpa_serial_unwrap(100, 99), ==, 99);
    g_assert_cmpint(sctpa_serial_unwrap(100, 0xFFFFFFFF), ==, -1);
    g_assert_cmpint(sctpa_serial_unwrap(INT64_C(0xFFFFFFFF), 3), ==, INT64_C(0x100000003));
    g_assert_cmpint(sctpa_serial_unwrap(INT64_C(0x2FFFFFFF0), 5), ==, INT64_C(0x300000005));
    g_assert_cmpint(sctpa_serial_unwrap(-5, 0xFFFFFFFF), ==, -1);
}

static void follows_a_sequence_through_several_wraps(void)
{
    int64_t lifted = 0xFFFFFF00;
    uint32_t serial = 0xFFFFFF00;
    for (int64_t expected = lifted; expected < INT64_C(0x300000000); expected += 0x7FFFFFF0, serial += 0x7FFFFFF0) {
        lifted = sctpa_serial_unwrap(lifted, serial);
        g_assert_cmpint(lifted, ==, expected);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/serial/orders_numbers_across_the_wrap", orders_numbers_across_the_wrap);
    g_test_add_func("/serial/lifts_to_the_nearest_number", lifts_to_the_nearest_number);
    g_test_add_func("/serial/follows_a_sequence_through_several_wraps", follows_a_sequence_through_several_wraps);
    return g_test_run();
}
