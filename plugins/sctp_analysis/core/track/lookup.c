/* The indices by which a packet finds its association when its way is new: who owns a verification tag (owners), and who lives
 * between two addresses (neighbours). Both are hash tables; lists in them are bounded. */
#include "tracker.h"

#include "address.h"

/* --- lists of candidates --- */

static void candidates_add(sctpa_candidates_t *list, uint32_t assoc, uint8_t end)
{
    unsigned at = 0;
    while (at < list->n && (list->assocs[at] != assoc || list->ends[at] != end))
        at++;
    if (at == list->n && list->n < SCTPA_CANDIDATES_MAX)
        list->n++;
    else if (at == list->n)
        at = list->n - 1;
    for (; at > 0; at--) {
        list->assocs[at] = list->assocs[at - 1];
        list->ends[at] = list->ends[at - 1];
    }
    list->assocs[0] = assoc;
    list->ends[0] = end;
}

void sctpa_owner_add(sctpa_tracker_t *tracker, uint32_t tag, sctpa_tracked_t *tracked, uint8_t end)
{
    sctpa_candidates_t *list = g_hash_table_lookup(tracker->owners, GUINT_TO_POINTER(tag));
    if (!list) {
        list = g_new0(sctpa_candidates_t, 1);
        g_hash_table_insert(tracker->owners, GUINT_TO_POINTER(tag), list);
    }
    candidates_add(list, tracked->assoc.number, end);
}

const sctpa_candidates_t *sctpa_owner_find(const sctpa_tracker_t *tracker, uint32_t tag)
{
    return g_hash_table_lookup(tracker->owners, GUINT_TO_POINTER(tag));
}

/* --- neighbours --- */

typedef struct {
    sctpa_candidates_t list;
    uint64_t hash;
    sctpa_addr_t addrs[2];
    uint16_t ports[2];
} neighbours_t;

static guint neighbours_hash(gconstpointer key)
{
    return (guint)((const neighbours_t *)key)->hash;
}

static bool neighbours_same(const neighbours_t *x, const neighbours_t *y, unsigned flip)
{
    return x->ports[0] == y->ports[flip] && x->ports[1] == y->ports[!flip] && sctpa_addr_equal(&x->addrs[0], &y->addrs[flip]) &&
           sctpa_addr_equal(&x->addrs[1], &y->addrs[!flip]);
}

static gboolean neighbours_equal(gconstpointer a, gconstpointer b)
{
    return neighbours_same(a, b, 0) || neighbours_same(a, b, 1);
}

static void neighbours_key(neighbours_t *key, const sctpa_addr_t *a, uint16_t a_port, const sctpa_addr_t *b, uint16_t b_port)
{
    key->addrs[0] = *a;
    key->addrs[1] = *b;
    key->ports[0] = a_port;
    key->ports[1] = b_port;
    key->hash = sctpa_hash_mix(sctpa_addr_hash(a), a_port) + sctpa_hash_mix(sctpa_addr_hash(b), b_port);
}

void sctpa_neighbour_add(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_addr_t *a, uint16_t a_port,
                         const sctpa_addr_t *b, uint16_t b_port)
{
    neighbours_t key, *found;
    neighbours_key(&key, a, a_port, b, b_port);
    found = g_hash_table_lookup(tracker->neighbours, &key);
    if (!found) {
        found = g_new0(neighbours_t, 1);
        neighbours_key(found, a, a_port, b, b_port);
        g_hash_table_add(tracker->neighbours, found);
    }
    candidates_add(&found->list, tracked->assoc.number, 0);
}

const sctpa_candidates_t *sctpa_neighbour_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    neighbours_t key;
    neighbours_key(&key, &input->packet->source, input->source_port, &input->packet->destination, input->destination_port);
    neighbours_t *found = g_hash_table_lookup(tracker->neighbours, &key);
    return found ? &found->list : NULL;
}

void sctpa_lookup_init(sctpa_tracker_t *tracker)
{
    tracker->owners = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    tracker->neighbours = g_hash_table_new_full(neighbours_hash, neighbours_equal, g_free, NULL);
    tracker->evidence = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
}

void sctpa_lookup_free(sctpa_tracker_t *tracker)
{
    g_hash_table_unref(tracker->owners);
    g_hash_table_unref(tracker->neighbours);
    g_hash_table_unref(tracker->evidence);
}
