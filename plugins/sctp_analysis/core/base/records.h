/* Records kept in order in a GArray, each beginning with a uint32_t key (a packet index, a frame): finding and ordering them by it. */
#ifndef SCTPA_BASE_RECORDS_H
#define SCTPA_BASE_RECORDS_H

#include <glib.h>
#include <stdint.h>

/* Index of the first record whose key is at least key; their number when there is none. records ascending by key, NULL: none.
 * O(log records). */
uint32_t sctpa_records_from(const GArray *records, uint32_t key);

/* Orders records by key, for g_array_sort. */
gint sctpa_records_order(gconstpointer a, gconstpointer b);

#endif
