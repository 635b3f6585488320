/* Protects finding records by key, against looking at each. */
#include <glib.h>

#include "../../plugins/sctp_analysis/core/base/records.h"

typedef struct { uint32_t key, value; } record_t;

static void test_from(void)
{
    g_assert_cmpuint(sctpa_records_from(NULL, 5), ==, 0);
    GArray *records = g_array_new(FALSE, FALSE, sizeof(record_t));
    for (unsigned i = 0; i < 200; i++) {
        record_t record = { (uint32_t)g_test_rand_int_range(0, 100), i };
        g_array_append_val(records, record);
    }
    g_array_sort(records, sctpa_records_order);
    for (uint32_t key = 0; key < 102; key++) {
        uint32_t expected = 0;
        while (expected < records->len && g_array_index(records, record_t, expected).key < key)
            expected++;
        g_assert_cmpuint(sctpa_records_from(records, key), ==, expected);
    }
    g_array_unref(records);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/records/from", test_from);
    return g_test_run();
}
