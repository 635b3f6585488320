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

void *sctpa_reference_make(sctpa_reference_store_t *store, sctpa_reference_t *reference, sctpa_part_t part,
                           uint32_t bytes)
{
    sctpa_pool_t *pool = &store->parts[part];
    void *made = sctpa_reference_part(store, reference, part);
    uint32_t at;
    if (made)
        return made;
    if (pool->count == 0)
        sctpa_pool_init(pool, bytes);
    made = sctpa_pool_add(pool, &at);
    reference->parts[part] = at + 1;
    return made;
}
