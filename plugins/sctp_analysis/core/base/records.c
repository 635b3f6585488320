/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of one size: adding, finding, ordering, and linking them in chains. */
#include "records.h"

#include <string.h>

static const uint8_t *record_of(sctpa_chain_t chain, uint32_t at)
{
    return chain.records->data + (at - 1) * chain.bytes;
}

static const sctpa_link_t *link_of(sctpa_chain_t chain, uint32_t at)
{
    return (const sctpa_link_t *)(const void *)(record_of(chain, at) + chain.link_at);
}

static uint32_t number_of(sctpa_chain_t chain, uint32_t at)
{
    return at ? link_of(chain, at)->number : 0;
}

/* Two jumps of the same length in a row become one, as in counting by skew binary numbers. */
sctpa_link_t sctpa_chain_link(sctpa_chain_t chain, uint32_t newest)
{
    if (newest == 0)
        return (sctpa_link_t){ 0, 0, 1 };
    const sctpa_link_t *before = link_of(chain, newest);
    uint32_t skip = before->skip, further = skip ? link_of(chain, skip)->skip : 0;
    uint32_t first_jump = before->number - number_of(chain, skip),
             second_jump = number_of(chain, skip) - number_of(chain, further);
    return (sctpa_link_t){ newest, skip && first_jump == second_jump ? further : newest, before->number + 1 };
}

static uint32_t key_of(sctpa_chain_t chain, uint32_t at)
{
    return *(const uint32_t *)(const void *)record_of(chain, at);
}

uint32_t sctpa_chain_find(sctpa_chain_t chain, uint32_t newest, uint32_t key)
{
    uint32_t at = newest;
    while (at != 0 && key_of(chain, at) > key) {
        const sctpa_link_t *link = link_of(chain, at);
        at = link->skip && key_of(chain, link->skip) > key ? link->skip : link->before;
    }
    return at;
}

enum { LARGE_BYTES = 64 };

/* Room for the first ones: of large records, as those of paths, most have one. */
static uint32_t first_room(size_t bytes)
{
    return bytes < LARGE_BYTES ? 2 : 1;
}

static bool is_in_arena(const sctpa_records_t *records, size_t bytes)
{
    return records->room <= first_room(bytes);
}

uint32_t sctpa_records_more(uint32_t room, uint32_t first)
{
    uint64_t more = (uint64_t)room + MAX(room / 4, first);
    return (uint32_t)MIN(more, UINT32_MAX);
}

static void grow(sctpa_records_t *records, sctpa_arena_t *arena, size_t bytes)
{
    uint32_t first = first_room(bytes), room = sctpa_records_more(records->room, first);
    if (room == records->room)
        g_error("sctp_analysis: more than %u records of one kind in one direction", room);
    if (records->room == 0) {
        records->data = sctpa_arena_alloc(arena, first * bytes);
    } else if (is_in_arena(records, bytes)) {
        uint8_t *left = records->data;
        records->data = g_malloc_n(room, bytes);
        memcpy(records->data, left, records->len * bytes);
        sctpa_arena_free(arena, left, first * bytes);
        arena->in_use_bytes += room * bytes;
    } else {
        records->data = g_realloc_n(records->data, room, bytes);
        arena->in_use_bytes += (room - records->room) * bytes;
    }
    records->room = room;
}

void sctpa_records_append(sctpa_records_t *records, sctpa_arena_t *arena, const void *record, size_t bytes)
{
    if (records->len == records->room)
        grow(records, arena, bytes);
    memcpy(records->data + records->len++ * bytes, record, bytes);
}

void sctpa_records_insert(sctpa_records_t *records, sctpa_arena_t *arena, uint32_t at, const void *record, size_t bytes)
{
    if (records->len == records->room)
        grow(records, arena, bytes);
    uint8_t *place = records->data + at * bytes;
    memmove(place + bytes, place, (records->len++ - at) * bytes);
    memcpy(place, record, bytes);
}

void sctpa_records_remove(sctpa_records_t *records, uint32_t from, uint32_t to, size_t bytes)
{
    if (from == to)
        return;
    memmove(records->data + from * bytes, records->data + to * bytes, (records->len - to) * bytes);
    records->len -= to - from;
}

void sctpa_records_clear(sctpa_records_t *records, sctpa_arena_t *arena, size_t bytes)
{
    if (is_in_arena(records, bytes)) {
        sctpa_arena_free(arena, records->data, first_room(bytes) * bytes);
    } else {
        g_free(records->data);
        arena->in_use_bytes -= records->room * bytes;
    }
    *records = (sctpa_records_t){ NULL, 0, 0 };
}

uint32_t sctpa_records_from(const void *records, uint32_t count, size_t bytes, uint32_t key)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (*(const uint32_t *)(const void *)((const uint8_t *)records + middle * bytes) < key)
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

void sctpa_records_sort(sctpa_records_t *records, size_t bytes)
{
    GArray *sorted = g_array_sized_new(FALSE, FALSE, (guint)bytes, records->len);
    if (records->len > 0)
        g_array_append_vals(sorted, records->data, records->len);
    g_array_sort(sorted, sctpa_records_order);
    if (records->len > 0)
        memcpy(records->data, sorted->data, records->len * bytes);
    g_array_unref(sorted);
}
