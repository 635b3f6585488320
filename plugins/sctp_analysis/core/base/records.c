/* Finding and ordering records by their first member. */
#include "records.h"

uint32_t sctpa_records_from(const GArray *records, uint32_t key)
{
    gsize size = records ? g_array_get_element_size((GArray *)records) : 0;
    uint32_t low = 0, high = records ? records->len : 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (*(const uint32_t *)(const void *)(records->data + middle * size) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

gint sctpa_records_order(gconstpointer a, gconstpointer b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}
