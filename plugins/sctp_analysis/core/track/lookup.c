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
    uint32_t ports[2];          /* SCTP port, UDP port above it: behind a NAT or a server all may share one address and SCTP port */
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

static void neighbours_key(neighbours_t *key, const sctpa_input_t *input)
{
    const sctpa_packet_t *packet = input->packet;
    key->addrs[0] = packet->source;
    key->addrs[1] = packet->destination;
    key->ports[0] = (uint32_t)packet->udp_source << 16 | input->source_port;
    key->ports[1] = (uint32_t)packet->udp_destination << 16 | input->destination_port;
    key->hash = sctpa_hash_mix(sctpa_addr_hash(&key->addrs[0]), key->ports[0]) +
                sctpa_hash_mix(sctpa_addr_hash(&key->addrs[1]), key->ports[1]);
}

void sctpa_neighbour_add(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    neighbours_t key, *found;
    neighbours_key(&key, input);
    found = g_hash_table_lookup(tracker->neighbours, &key);
    if (!found) {
        found = g_new0(neighbours_t, 1);
        neighbours_key(found, input);
        g_hash_table_add(tracker->neighbours, found);
    }
    candidates_add(&found->list, tracked->assoc.number, from ^ !neighbours_same(found, &key, 0));
}

sctpa_candidates_t sctpa_neighbour_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    sctpa_candidates_t senders = { .n = 0 };
    neighbours_t key;
    neighbours_key(&key, input);
    const neighbours_t *found = g_hash_table_lookup(tracker->neighbours, &key);
    if (found) {
        senders = found->list;
        for (unsigned i = 0; i < senders.n; i++)
            senders.ends[i] ^= !neighbours_same(found, &key, 0);
    }
    return senders;
}

sctpa_sender_t sctpa_candidate(const sctpa_tracker_t *tracker, const sctpa_candidates_t *list, unsigned i)
{
    sctpa_tracked_t *filed = g_ptr_array_index(tracker->assocs, list->assocs[i]);
    sctpa_tracked_t *tracked = sctpa_tracked_at(tracker, list->assocs[i]);
    return (sctpa_sender_t){ tracked, filed == tracked ? list->ends[i] : list->ends[i] ^ filed->assoc.merged_swapped };
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
