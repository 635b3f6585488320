/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the reference endpoints lie. */
#include "reference.h"

void sctpa_reference_init(sctpa_reference_store_t *store)
{
    *store = (sctpa_reference_store_t){ 0 };
    sctpa_arena_init(&store->arena);
    sctpa_asserted_begin(&store->asserted, NULL);
    store->associations = g_ptr_array_new();
}

void sctpa_reference_clear(sctpa_reference_store_t *store)
{
    sctpa_arena_clear(&store->arena);
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
    sctpa_tap_begin(&reference->tap, &store->asserted);
}

void sctpa_reference_free_parts(sctpa_reference_store_t *store, sctpa_reference_t *reference)
{
    for (unsigned part = 0; part < SCTPA_PARTS; part++) {
        void *made = sctpa_reference_part(reference, (sctpa_part_t)part);
        sctpa_part_kind_t *kind = &store->parts[part];
        if (!made)
            continue;
        if (kind->free_owned)
            kind->free_owned(&store->arena, made);
        if (part >= SCTPA_PARTS_USUAL)
            sctpa_arena_free(&store->arena, made, kind->bytes);
        kind->in_use--;
    }
    reference->made = 0;
    reference->usual = (sctpa_usual_parts_t){ 0 };
    sctpa_arena_free(&store->arena, reference->rare, SCTPA_PARTS_RARE * sizeof *reference->rare);
    reference->rare = NULL;
}

void sctpa_reference_forget(sctpa_reference_store_t *store, sctpa_reference_t *reference, uint32_t number)
{
    sctpa_reference_free_parts(store, reference);
    sctpa_tap_free(&reference->tap, &store->arena);
    g_ptr_array_index(store->associations, number) = NULL;
}

void *sctpa_reference_make(sctpa_reference_store_t *store, sctpa_reference_t *reference, sctpa_part_t part,
                           uint32_t bytes, sctpa_part_free_t free_owned)
{
    sctpa_part_kind_t *kind = &store->parts[part];
    g_assert(kind->bytes == 0 || (kind->bytes == bytes && kind->free_owned == free_owned));
    *kind = (sctpa_part_kind_t){ free_owned, bytes, kind->in_use + 1 };
    if (part < SCTPA_PARTS_USUAL) {
        reference->made |= 1u << part;
        return sctpa_reference_part(reference, part);
    }
    if (!reference->rare)
        reference->rare = sctpa_arena_alloc(&store->arena, SCTPA_PARTS_RARE * sizeof *reference->rare);
    return reference->rare[part - SCTPA_PARTS_USUAL] = sctpa_arena_alloc(&store->arena, bytes);
}
