/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A queue in the order of time, and a table that leads into it. */
#include "forgotten_parts.h"

#include <glib.h>

typedef struct {
    uint64_t way;
    int64_t until_ns;
    uint32_t number;
} part_t;

/* With its link, and a key, a value and a hash in the table, half of which is free. */
enum { PART_BYTES = sizeof(part_t) + sizeof(GList) + 2 * (2 * sizeof(void *) + sizeof(guint)) };

struct sctpa_forgotten_parts {
    GQueue by_time;    /* part_t */
    GHashTable *links; /* &part_t.way -> its link in by_time */
    unsigned most;
};

sctpa_forgotten_parts_t *sctpa_forgotten_parts_new(size_t bytes_most)
{
    sctpa_forgotten_parts_t *parts = g_new0(sctpa_forgotten_parts_t, 1);
    g_queue_init(&parts->by_time);
    parts->links = g_hash_table_new(g_int64_hash, g_int64_equal);
    parts->most = (unsigned)MIN(MAX(bytes_most / PART_BYTES, 2), G_MAXUINT);
    return parts;
}

void sctpa_forgotten_parts_free(sctpa_forgotten_parts_t *parts)
{
    g_hash_table_unref(parts->links);
    g_queue_clear_full(&parts->by_time, g_free);
    g_free(parts);
}

static void drop(sctpa_forgotten_parts_t *parts, GList *link)
{
    part_t *part = link->data;
    g_hash_table_remove(parts->links, &part->way);
    g_queue_delete_link(&parts->by_time, link);
    g_free(part);
}

void sctpa_forgotten_parts_add(sctpa_forgotten_parts_t *parts, uint64_t way, uint32_t number, int64_t until_ns)
{
    uint32_t before;
    part_t *part = g_new(part_t, 1);
    (void)sctpa_forgotten_parts_take(parts, way, &before);
    *part = (part_t){ way, until_ns, number };
    g_queue_push_tail(&parts->by_time, part);
    g_hash_table_insert(parts->links, &part->way, g_queue_peek_tail_link(&parts->by_time));
    if (g_queue_get_length(&parts->by_time) > parts->most)
        drop(parts, g_queue_peek_head_link(&parts->by_time));
}

bool sctpa_forgotten_parts_take(sctpa_forgotten_parts_t *parts, uint64_t way, uint32_t *number)
{
    GList *link = g_hash_table_lookup(parts->links, &way);
    if (!link)
        return false;
    *number = ((const part_t *)link->data)->number;
    drop(parts, link);
    return true;
}

void sctpa_forgotten_parts_drop_old(sctpa_forgotten_parts_t *parts, int64_t now_ns)
{
    const part_t *oldest;
    while ((oldest = g_queue_peek_head(&parts->by_time)) && oldest->until_ns <= now_ns)
        drop(parts, g_queue_peek_head_link(&parts->by_time));
}

size_t sctpa_forgotten_parts_bytes(const sctpa_forgotten_parts_t *parts)
{
    return (size_t)PART_BYTES * g_hash_table_size(parts->links);
}
