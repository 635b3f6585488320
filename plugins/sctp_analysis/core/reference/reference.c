/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the reference endpoints lie. */
#include "reference.h"

void sctpa_reference_init(sctpa_reference_store_t *store)
{
    *store = (sctpa_reference_store_t){ 0 };
    sctpa_arena_init(&store->arena);
    store->associations = g_ptr_array_new();
}

void sctpa_reference_clear(sctpa_reference_store_t *store)
{
    sctpa_arena_clear(&store->arena);
    for (unsigned part = 0; part < SCTPA_PARTS; part++)
        sctpa_pool_clear(&store->parts[part]);
    g_ptr_array_unref(store->associations);
    g_free(store->announcers);
    if (store->asconfs)
        store->asconfs_free(store->asconfs);
}

void sctpa_reference_begin(sctpa_reference_store_t *store, sctpa_reference_t *reference, uint32_t number)
{
    if (number >= store->associations->len)
        g_ptr_array_set_size(store->associations, (gint)MAX(number + 1, store->associations->len));
    g_ptr_array_index(store->associations, number) = reference;
    sctpa_tap_begin(&reference->tap);
}

void sctpa_reference_free_parts(sctpa_reference_store_t *store, sctpa_reference_t *reference)
{
    for (unsigned part = 0; part < SCTPA_PARTS; part++) {
        uint32_t number = reference->parts[part];
        if (number == 0)
            continue;
        if (store->part_frees[part])
            store->part_frees[part](&store->arena, sctpa_pool_at(&store->parts[part], number - 1));
        sctpa_pool_remove(&store->parts[part], number - 1);
        reference->parts[part] = 0;
    }
}

void sctpa_reference_forget(sctpa_reference_store_t *store, sctpa_reference_t *reference, uint32_t number)
{
    sctpa_reference_free_parts(store, reference);
    g_ptr_array_index(store->associations, number) = NULL;
}

size_t sctpa_reference_held_bytes(const sctpa_reference_store_t *store)
{
    size_t bytes = store->arena.in_use_bytes;
    for (unsigned part = 0; part < SCTPA_PARTS; part++)
        bytes += sctpa_pool_bytes(&store->parts[part]);
    return bytes;
}

void *sctpa_reference_make(sctpa_reference_store_t *store, sctpa_reference_t *reference, sctpa_part_t part,
                           uint32_t bytes, sctpa_part_free_t free_owned)
{
    sctpa_pool_t *pool = &store->parts[part];
    void *made = sctpa_reference_part(store, reference, part);
    uint32_t at;
    if (made)
        return made;
    if (pool->count == 0) {
        sctpa_pool_init(pool, bytes);
        store->part_frees[part] = free_owned;
    }
    made = sctpa_pool_add(pool, &at);
    reference->parts[part] = at + 1;
    return made;
}
