/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two reference endpoints of an association, in parts that are made when they are first needed: what an endpoint
 * may do by the RFCs, by what it sent and what passed towards it. Where they lie, and how a part of an association is
 * found. Leaves out what each part holds (the header of the part). */
#ifndef SCTPA_MODEL_REFERENCE_H
#define SCTPA_MODEL_REFERENCE_H

#include <stddef.h>

#include "base/arena.h"
#include "tap/association_tap.h"

typedef enum {
#define SCTPA_PART(id, bytes) SCTPA_PART_##id,
#define SCTPA_RARE_PART(id)
#include "parts.def"
#undef SCTPA_PART
#undef SCTPA_RARE_PART
    SCTPA_PARTS_USUAL,
    SCTPA_BEFORE_RARE_PARTS = SCTPA_PARTS_USUAL - 1,
#define SCTPA_PART(id, bytes)
#define SCTPA_RARE_PART(id) SCTPA_PART_##id,
#include "parts.def"
#undef SCTPA_PART
#undef SCTPA_RARE_PART
    SCTPA_PARTS,
    SCTPA_PARTS_RARE = SCTPA_PARTS - SCTPA_PARTS_USUAL
} sctpa_part_t;

/* The bytes that a part may have. */
enum {
#define SCTPA_PART(id, bytes) SCTPA_PART_##id##_BYTES = (bytes),
#define SCTPA_RARE_PART(id) SCTPA_PART_##id##_BYTES = UINT16_MAX,
#include "parts.def"
#undef SCTPA_PART
#undef SCTPA_RARE_PART
};

/* Gives back what a part leads to, but not the part itself. */
typedef void (*sctpa_part_free_t)(sctpa_arena_t *arena, void *part);

/* The block of the parts that nearly every association comes to have. */
typedef struct {
#define SCTPA_PART(id, bytes) uint8_t id[bytes] __attribute__((aligned(8)));
#define SCTPA_RARE_PART(id)
#include "parts.def"
#undef SCTPA_PART
#undef SCTPA_RARE_PART
} sctpa_usual_parts_t;

/* Of an association. */
typedef struct {
    sctpa_tap_t tap;
    uint32_t made; /* bits of the usual parts that are */
    void **rare;   /* SCTPA_PARTS_RARE of them, each NULL where it is not made; NULL: none of them is made */
    sctpa_usual_parts_t usual;
} sctpa_reference_t;

/* Of a part, in all associations. */
typedef struct {
    sctpa_part_free_t free_owned; /* NULL: it leads to nothing, or none was made yet */
    uint32_t bytes;
    uint32_t in_use; /* that are made */
} sctpa_part_kind_t;

/* Of all associations. */
typedef struct {
    sctpa_arena_t arena; /* parts and what they lead to */
    sctpa_asserted_t asserted;
    GArray *owed; /* sctpa_owed_result_t by the packet that settles it (shared/owed_results.h); NULL: nobody asked */
    sctpa_part_kind_t parts[SCTPA_PARTS];
    GPtrArray *associations;             /* sctpa_reference_t * by association number, NULL not yet, or forgotten */
    struct sctpa_asconf_packet *asconfs; /* what the ASCONFs of one packet hold together, NULL none yet */
    void (*asconfs_free)(struct sctpa_asconf_packet *asconfs); /* of whoever made them */
    struct sctpa_announcers
        *announcers; /* what addresses announced over associations, from g_malloc; NULL nothing yet */
} sctpa_reference_store_t;

void sctpa_reference_init(sctpa_reference_store_t *store);
/* Frees everything in it. */
void sctpa_reference_clear(sctpa_reference_store_t *store);

/* Begins what is kept of association number: reference is zeroed memory of the caller, which outlives the store's use
 * of it. O(1) amortised. */
void sctpa_reference_begin(sctpa_reference_store_t *store, sctpa_reference_t *reference, uint32_t number);
/* Gives all parts of an association back; none is made then. O(what they hold). */
void sctpa_reference_free_parts(sctpa_reference_store_t *store, sctpa_reference_t *reference);
/* The same, and nothing is kept of association number any more. */
void sctpa_reference_forget(sctpa_reference_store_t *store, sctpa_reference_t *reference, uint32_t number);
/* Bytes that are kept of all associations. O(1). */
static inline size_t sctpa_reference_held_bytes(const sctpa_reference_store_t *store)
{
    return store->arena.in_use_bytes;
}

/* What is kept of association number, NULL nothing. O(1). */
static inline sctpa_reference_t *sctpa_reference_at(const sctpa_reference_store_t *store, uint32_t number)
{
    return number < store->associations->len ? g_ptr_array_index(store->associations, number) : NULL;
}

/* Where a usual part lies in the block. */
static inline size_t sctpa_usual_part_at(sctpa_part_t part)
{
    static const uint16_t at[] = {
#define SCTPA_PART(id, bytes) offsetof(sctpa_usual_parts_t, id),
#define SCTPA_RARE_PART(id)
#include "parts.def"
#undef SCTPA_PART
#undef SCTPA_RARE_PART
    };
    return at[part];
}

/* A part of an association, NULL not made. O(1). */
static inline void *sctpa_reference_part(const sctpa_reference_t *reference, sctpa_part_t part)
{
    if (part < SCTPA_PARTS_USUAL)
        return reference->made >> part & 1 ? (void *)((uintptr_t)&reference->usual + sctpa_usual_part_at(part)) : NULL;
    return reference->rare ? reference->rare[part - SCTPA_PARTS_USUAL] : NULL;
}
/* The same of a tracked association. */
static inline const void *sctpa_reference_find(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked,
                                               sctpa_part_t part)
{
    const sctpa_reference_t *reference = sctpa_reference_at(store, tracked->assoc.number);
    return reference ? sctpa_reference_part(reference, part) : NULL;
}
/* Makes a part that is not made, zeroed: bytes and free_owned, always the same for a part. free_owned: gives back what
 * the part leads to, NULL: all that it holds lies in these bytes. O(1). */
void *sctpa_reference_make(sctpa_reference_store_t *store, sctpa_reference_t *reference, sctpa_part_t part,
                           uint32_t bytes, sctpa_part_free_t free_owned);

#endif
