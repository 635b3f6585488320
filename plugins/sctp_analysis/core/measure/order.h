/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts arrays that are in order but for a few elements, as everything is that a capture holds.
 * Leaves arrays in any order to g_array_sort. */
#ifndef SCTPA_MEASURE_ORDER_H
#define SCTPA_MEASURE_ORDER_H

#include <glib.h>

/* Sorts the array; equal elements keep their order. O(n + k log k) for k elements that are lower than one before them;
 * memory: those k while it sorts.
 */
void sctpa_order(GArray *array, GCompareDataFunc compare, gpointer user);

#endif
