/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Associations by addresses and ports. Two that only share a hash of 64 bits are taken for the same. */
#include "same_ports.h"

#include "../text/address_labels.h"

struct sctpa_same_ports {
    uint64_t seed;
    GHashTable *last; /* of the addresses and ports: gint64 * to number */
    GHashTable *next; /* number to 1 + number */
};

sctpa_same_ports_t *sctpa_same_ports_new(void)
{
    sctpa_same_ports_t *same = g_new(sctpa_same_ports_t, 1);
    same->seed = sctpa_hash_seed();
    same->last = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    same->next = g_hash_table_new(NULL, NULL);
    return same;
}

void sctpa_same_ports_free(sctpa_same_ports_t *same)
{
    g_hash_table_destroy(same->last);
    g_hash_table_destroy(same->next);
    g_free(same);
}

static uint64_t hash_of(const sctpa_same_ports_t *same, const sctpa_end_t *end)
{
    const sctpa_addr_t *addr = sctpa_end_first_addr(end);
    GString *text = g_string_new(NULL);
    if (addr)
        sctpa_addr_append(text, addr);
    g_string_append_printf(text, " %u", end->port);
    uint64_t hash = sctpa_hash_bytes(same->seed, (const uint8_t *)text->str, (uint32_t)text->len);
    g_string_free(text, TRUE);
    return hash;
}

void sctpa_same_ports_add(sctpa_same_ports_t *same, const sctpa_assoc_t *assoc)
{
    uint64_t key = hash_of(same, &assoc->ends[0]) + hash_of(same, &assoc->ends[1]);
    gpointer before;
    if (g_hash_table_lookup_extended(same->last, &key, NULL, &before) && assoc->restart_of == SCTPA_NO_ASSOC)
        g_hash_table_insert(same->next, before, GUINT_TO_POINTER(assoc->number + 1));
    g_hash_table_insert(same->last, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(assoc->number));
}

uint32_t sctpa_same_ports_next(const sctpa_same_ports_t *same, const sctpa_assoc_t *assoc)
{
    uint32_t next = GPOINTER_TO_UINT(g_hash_table_lookup(same->next, GUINT_TO_POINTER(assoc->number)));
    return next > 0 ? next - 1 : SCTPA_NO_ASSOC;
}
