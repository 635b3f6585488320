/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing, adding and removing in a table of hashes. */
#include "slots.h"

#include <glib.h>

enum { BITS_FIRST = 8, HASH_BITS = 32 };

static void make(sctpa_slots_t *table, unsigned bits)
{
    table->mask = (uint32_t)(((uint64_t)1 << bits) - 1);
    table->shift = HASH_BITS - bits;
    table->slots = g_new0(sctpa_slot_t, (size_t)table->mask + 1);
}

void sctpa_slots_init(sctpa_slots_t *table)
{
    table->used = 0;
    make(table, BITS_FIRST);
}

void sctpa_slots_clear(sctpa_slots_t *table)
{
    g_free(table->slots);
    *table = (sctpa_slots_t){ .slots = NULL };
}

static void put(sctpa_slots_t *table, sctpa_slot_t slot)
{
    uint32_t at = slot.hash >> table->shift;
    while (table->slots[at].filled)
        at = (at + 1) & table->mask;
    table->slots[at] = slot;
}

static void grow(sctpa_slots_t *table)
{
    sctpa_slot_t *old = table->slots;
    uint32_t old_mask = table->mask;
    make(table, HASH_BITS - table->shift + 1);
    for (size_t i = 0; i <= old_mask; i++)
        if (old[i].filled)
            put(table, old[i]);
    g_free(old);
}

void sctpa_slots_add(sctpa_slots_t *table, uint32_t hash, uint32_t number)
{
    if (table->used >= table->mask / 4 * 3)
        grow(table);
    put(table, (sctpa_slot_t){ hash, number + 1 });
    table->used++;
}

void sctpa_slots_remove(sctpa_slots_t *table, uint32_t at)
{
    uint32_t next = at;
    table->used--;
    for (;;) {
        table->slots[at].filled = 0;
        do {
            next = (next + 1) & table->mask;
            if (!table->slots[next].filled)
                return;
        } while (((next - (table->slots[next].hash >> table->shift)) & table->mask) < ((next - at) & table->mask));
        table->slots[at] = table->slots[next];
        at = next;
    }
}
