/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of one size, in the order in which they were made as a rule, each beginning with a uint32_t key (a packet
 * index, a frame) where it is searched by it. The first ones lie in an arena, beside what was made with them; many
 * move to memory of their own. Chains lead from each record of one TSN or path to the one before it, and a second way
 * further back, so that one of the past is found in O(log chain) (Myers, "An applicative random-access stack", 1983).
 */
#ifndef SCTPA_BASE_RECORDS_H
#define SCTPA_BASE_RECORDS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

/* All zero: no records. */
typedef struct {
    uint8_t *data;
    uint32_t len;  /* records */
    uint32_t room; /* records that data can hold */
} sctpa_records_t;

/* Record number i < len, of the type that the records have. */
#define SCTPA_RECORD(records, type, i) (((type *)(void *)(records)->data)[i])

/* Adds a copy of a record of bytes; records may move. Amortised O(1). */
void sctpa_records_append(sctpa_records_t *records, sctpa_arena_t *arena, const void *record, size_t bytes);
/* Puts a copy of a record before record number at <= len. O(records behind it). */
void sctpa_records_insert(sctpa_records_t *records, sctpa_arena_t *arena, uint32_t at, const void *record,
                          size_t bytes);
/* Takes out the records from one up to another, which stays. O(records behind them). */
void sctpa_records_remove(sctpa_records_t *records, uint32_t from, uint32_t to, size_t bytes);
/* Records that memory for room of them grows to: a quarter more, since many records are most of the memory; first at
 * least. The same when 32 bits number no more. */
uint32_t sctpa_records_more(uint32_t room, uint32_t first);
/* Brings the memory nearer where the next record will lie. */
static inline void sctpa_records_prefetch(const sctpa_records_t *records, size_t bytes)
{
    if (records->data)
        __builtin_prefetch(records->data + records->len * bytes, 1);
}
/* Gives the memory of all records back; they are none afterwards. O(1). */
void sctpa_records_clear(sctpa_records_t *records, sctpa_arena_t *arena, size_t bytes);

/* Index of the first of count records whose key is at least key; count when there is none. Ascending by key. O(log
 * count). */
uint32_t sctpa_records_from(const void *records, uint32_t count, size_t bytes, uint32_t key);
/* The same in a GArray. */
static inline uint32_t sctpa_array_from(const GArray *array, uint32_t key)
{
    return sctpa_records_from(array->data, array->len, g_array_get_element_size((GArray *)array), key);
}

/* Orders by key, for g_array_sort. */
gint sctpa_records_order(gconstpointer a, gconstpointer b);
/* Orders records by key; those of equal keys stay in order. O(n log n). */
void sctpa_records_sort(sctpa_records_t *records, size_t bytes);

/* In a record, how its chain goes on. All zero: it is in none. */
typedef struct {
    uint32_t before; /* 1 + index of the one before, 0 none */
    uint32_t skip;   /* 1 + index of one further back, 0 none */
    uint32_t number; /* 1, 2, ... in its chain */
} sctpa_link_t;

/* Where the links of an array are. */
typedef struct {
    const sctpa_records_t *records;
    size_t bytes;   /* of a record */
    size_t link_at; /* of its sctpa_link_t */
} sctpa_chain_t;

#define SCTPA_CHAIN(records, type, member) ((sctpa_chain_t){ records, sizeof(type), offsetof(type, member) })

/* The link of a record that is to follow newest (1 + index, 0 none) in its chain. O(1). */
sctpa_link_t sctpa_chain_link(sctpa_chain_t chain, uint32_t newest);

/* 1 + index of the newest record of the chain that ends at newest whose key is at most key, 0 none; keys ascend along
 * the chain. O(log length of the chain). */
uint32_t sctpa_chain_find(sctpa_chain_t chain, uint32_t newest, uint32_t key);

#endif
