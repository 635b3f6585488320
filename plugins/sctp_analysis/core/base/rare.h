/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What few objects have. A member leads to a constant that all objects share until it is first changed, then to a copy
 * of the object's own, so that the others pay for a pointer. */
#ifndef SCTPA_BASE_RARE_H
#define SCTPA_BASE_RARE_H

#include <string.h>

#include "arena.h"

/* What a member that leads to shared, of bytes, leads to from now on, to be changed: a copy of shared in the arena, or
 * the one that it leads to already. O(bytes) the first time, then O(1). */
static inline void *sctpa_rare_own(const void *member, const void *shared, size_t bytes, sctpa_arena_t *arena)
{
    return member == shared ? memcpy(sctpa_arena_alloc(arena, bytes), shared, bytes) : (void *)member;
}
/* Gives the copy back, where member does not lead to shared. O(1). */
static inline void sctpa_rare_free(const void *member, const void *shared, size_t bytes, sctpa_arena_t *arena)
{
    if (member != shared)
        sctpa_arena_free(arena, (void *)member, bytes);
}

#endif
