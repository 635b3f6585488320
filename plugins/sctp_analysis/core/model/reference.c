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

/* Where a part of an association stands, which may have rare ones. */
static void **place_of(sctpa_reference_t *reference, unsigned part)
{
    return part < SCTPA_PARTS_USUAL ? &reference->usual[part] : &reference->rare[part - SCTPA_PARTS_USUAL];
}

void sctpa_reference_free_parts(sctpa_reference_store_t *store, sctpa_reference_t *reference)
{
    for (unsigned part = 0; part < (reference->rare ? SCTPA_PARTS : SCTPA_PARTS_USUAL); part++) {
        void **place = place_of(reference, part);
        sctpa_part_kind_t *kind = &store->parts[part];
        if (!*place)
            continue;
        if (kind->free_owned)
            kind->free_owned(&store->arena, *place);
        sctpa_arena_free(&store->arena, *place, kind->bytes);
        kind->in_use--;
        *place = NULL;
    }
    sctpa_arena_free(&store->arena, reference->rare, SCTPA_PARTS_RARE * sizeof *reference->rare);
    reference->rare = NULL;
}

void sctpa_reference_forget(sctpa_reference_store_t *store, sctpa_reference_t *reference, uint32_t number)
{
    sctpa_reference_free_parts(store, reference);
    sctpa_tap_free(&reference->tap, &store->arena);
    g_ptr_array_index(store->associations, number) = NULL;
}

size_t sctpa_reference_held_bytes(const sctpa_reference_store_t *store)
{
    return store->arena.in_use_bytes;
}

void *sctpa_reference_make(sctpa_reference_store_t *store, sctpa_reference_t *reference, sctpa_part_t part,
                           uint32_t bytes, sctpa_part_free_t free_owned)
{
    sctpa_part_kind_t *kind = &store->parts[part];
    if (part >= SCTPA_PARTS_USUAL && !reference->rare)
        reference->rare = sctpa_arena_alloc(&store->arena, SCTPA_PARTS_RARE * sizeof *reference->rare);
    g_assert(kind->bytes == 0 || (kind->bytes == bytes && kind->free_owned == free_owned));
    *kind = (sctpa_part_kind_t){ free_owned, bytes, kind->in_use + 1 };
    return *place_of(reference, part) = sctpa_arena_alloc(&store->arena, bytes);
}
