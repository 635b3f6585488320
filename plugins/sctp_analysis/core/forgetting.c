/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which associations are forgotten when. Leaves forgetting itself to sctpa_forget. */
#include "analysis.h"
#include "base/hash.h"
#include "track/flow.h"
#include "track/kept_packets.h"
#include "track/tracker.h"

enum { PACKET_BYTES = sizeof(sctpa_record_t) + sizeof(sctpa_stamp_t) };

/* An association that is looked at again. */
typedef struct {
    int64_t due_ns; /* by the clock of silence */
    uint32_t assoc;
    uint32_t packets; /* when it was looked at last */
    uint32_t quiet;   /* looks in a row that found no new packet */
} watched_t;

struct sctpa_forgetting {
    sctpa_t *sctpa;
    int64_t idle_ns;
    size_t held_bytes_max;
    sctpa_forgotten_fn fn;
    void *user;
    GQueue watched; /* watched_t, by due_ns */
    uint64_t seed;
    GHashTable *parts; /* uint64_t: the way to an end of an association of which a part was forgotten -> its number */
    GHashTable *continued;     /* number of a later part -> number of the earlier */
    uint32_t known;            /* associations, forgotten ones included */
    uint32_t parted_at;        /* packets that had been fed when parts were forgotten last */
    int64_t clock_ns, last_ns; /* silence counted so far; time of the frame before */
    bool has_last;
};

sctpa_forgetting_t *sctpa_forgetting_new(sctpa_t *sctpa, int64_t idle_ns, size_t held_bytes_max, sctpa_forgotten_fn fn,
                                         void *user)
{
    sctpa_forgetting_t *forgetting = g_new0(sctpa_forgetting_t, 1);
    *forgetting = (sctpa_forgetting_t){ .sctpa = sctpa,
                                        .idle_ns = idle_ns,
                                        .held_bytes_max = held_bytes_max,
                                        .fn = fn,
                                        .user = user,
                                        .seed = sctpa_hash_seed(),
                                        .parts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
                                        .continued = g_hash_table_new(NULL, NULL) };
    g_queue_init(&forgetting->watched);
    return forgetting;
}

void sctpa_forgetting_free(sctpa_forgetting_t *forgetting)
{
    if (!forgetting)
        return;
    g_queue_clear_full(&forgetting->watched, g_free);
    g_hash_table_unref(forgetting->parts);
    g_hash_table_unref(forgetting->continued);
    g_free(forgetting);
}

/* What packets to an endpoint carry, the tag and both ports, mixed with the seed. */
static uint64_t way_to(const sctpa_forgetting_t *forgetting, const sctpa_assoc_t *assoc, unsigned end)
{
    return sctpa_hash_mix(forgetting->seed, (uint64_t)assoc->ends[end].vtag << 32 |
                                                (uint32_t)assoc->ends[end].port << 16 | assoc->ends[!end].port);
}

static uint32_t packets_of(const sctpa_forgetting_t *forgetting, const sctpa_assoc_t *assoc)
{
    return sctpa_flows_packets(forgetting->sctpa->tracker, assoc);
}

static void forget(sctpa_forgetting_t *forgetting, const sctpa_assoc_t *assoc, sctpa_forgotten_t why)
{
    const uint32_t number = assoc->number;
    forgetting->fn(forgetting->user, number, why);
    for (unsigned e = 0; e < 2 && why == SCTPA_FORGOTTEN_PART; e++) {
        const uint64_t way = way_to(forgetting, assoc, e);
        if (assoc->ends[e].has_vtag)
            g_hash_table_insert(forgetting->parts, g_memdup2(&way, sizeof way), GUINT_TO_POINTER(number));
    }
    g_hash_table_remove(forgetting->continued, GUINT_TO_POINTER(number));
    sctpa_forget(forgetting->sctpa, number);
}

/* --- Silence --- */

static void tell_time(sctpa_forgetting_t *forgetting, int64_t time_ns)
{
    if (forgetting->has_last)
        forgetting->clock_ns += CLAMP(time_ns - forgetting->last_ns, 0, SCTPA_LATE_PACKETS_NS);
    forgetting->last_ns = time_ns;
    forgetting->has_last = true;
}

static void watch(sctpa_forgetting_t *forgetting, watched_t *watched)
{
    watched->due_ns = forgetting->clock_ns + SCTPA_LATE_PACKETS_NS;
    g_queue_push_tail(&forgetting->watched, watched);
}

static void watch_new(sctpa_forgetting_t *forgetting)
{
    for (; forgetting->known < sctpa_assoc_count(forgetting->sctpa); forgetting->known++) {
        const sctpa_assoc_t *assoc = sctpa_assoc(forgetting->sctpa, forgetting->known);
        watched_t *watched = g_new0(watched_t, 1);
        watched->assoc = forgetting->known;
        watch(forgetting, watched);
        for (unsigned e = 0; e < 2 && g_hash_table_size(forgetting->parts) > 0; e++) {
            const uint64_t way = way_to(forgetting, assoc, e);
            void *earlier;
            if (assoc->ends[e].has_vtag && g_hash_table_lookup_extended(forgetting->parts, &way, NULL, &earlier)) {
                g_hash_table_remove(forgetting->parts, &way);
                g_hash_table_insert(forgetting->continued, GUINT_TO_POINTER(forgetting->known), earlier);
            }
        }
    }
}

/* False: it is watched no longer. */
static bool look(sctpa_forgetting_t *forgetting, watched_t *watched)
{
    const sctpa_assoc_t *assoc = sctpa_assoc(forgetting->sctpa, watched->assoc);
    if (assoc->number != watched->assoc || assoc->merged_into != SCTPA_NO_ASSOC)
        return false;
    const uint32_t packets = packets_of(forgetting, assoc);
    watched->quiet = packets == watched->packets ? watched->quiet + 1 : 0;
    watched->packets = packets;
    if (watched->quiet == 0)
        return true;
    const bool has_ended = sctpa_outcome(forgetting->sctpa, assoc, 0).end != SCTPA_ASSOC_OPEN;
    if (!has_ended && (int64_t)watched->quiet * SCTPA_LATE_PACKETS_NS < forgetting->idle_ns)
        return true;
    forget(forgetting, assoc, has_ended ? SCTPA_FORGOTTEN_ENDED : SCTPA_FORGOTTEN_IDLE);
    return false;
}

static void look_at_due(sctpa_forgetting_t *forgetting)
{
    watched_t *first;
    while ((first = g_queue_peek_head(&forgetting->watched)) && first->due_ns <= forgetting->clock_ns) {
        g_queue_pop_head(&forgetting->watched);
        if (look(forgetting, first))
            watch(forgetting, first);
        else
            g_free(first);
    }
}

/* --- Parts --- */

size_t sctpa_forgetting_held_bytes(const sctpa_forgetting_t *forgetting)
{
    return sctpa_held_bytes(forgetting->sctpa) +
           (size_t)PACKET_BYTES * sctpa_kept_packets_count(forgetting->sctpa->tracker);
}

static bool is_all_acked(const sctpa_forgetting_t *forgetting, uint32_t assoc)
{
    for (uint8_t e = 0; e < 2; e++) {
        const sctpa_direction_t *sent = sctpa_direction(forgetting->sctpa, assoc, e);
        if (sent && sent->flight_bytes > 0)
            return false;
    }
    return true;
}

typedef struct {
    uint32_t packets, assoc;
} size_of_t;

static gint larger_first(gconstpointer a, gconstpointer b)
{
    const size_of_t *x = a, *y = b;
    return x->packets != y->packets ? (x->packets > y->packets ? -1 : 1)
                                    : (x->assoc > y->assoc) - (x->assoc < y->assoc);
}

/* The largest, until their packets are a quarter of all. */
static void forget_largest(sctpa_forgetting_t *forgetting)
{
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(size_of_t));
    uint64_t all = 0, gone = 0;
    for (const GList *at = forgetting->watched.head; at; at = at->next) {
        const watched_t *watched = at->data;
        const sctpa_assoc_t *assoc = sctpa_assoc(forgetting->sctpa, watched->assoc);
        const size_of_t size = { packets_of(forgetting, assoc), watched->assoc };
        if (assoc->number != watched->assoc || assoc->merged_into != SCTPA_NO_ASSOC)
            continue;
        g_array_append_val(sizes, size);
        all += size.packets;
    }
    g_array_sort(sizes, larger_first);
    for (unsigned i = 0; i < sizes->len && 4 * gone < all; i++) {
        const size_of_t *size = &g_array_index(sizes, size_of_t, i);
        gone += size->packets;
        forget(forgetting, sctpa_assoc(forgetting->sctpa, size->assoc), SCTPA_FORGOTTEN_PART);
    }
    g_array_unref(sizes);
}

static void bound(sctpa_forgetting_t *forgetting, uint32_t number)
{
    const size_t held = sctpa_forgetting_held_bytes(forgetting), most = forgetting->held_bytes_max;
    if (held <= most)
        return;
    const uint32_t fed = sctpa_summary(forgetting->sctpa)->packets,
                   kept = sctpa_kept_packets_count(forgetting->sctpa->tracker);
    const sctpa_assoc_t *assoc = sctpa_assoc(forgetting->sctpa, number);
    /* What was forgotten may lie among packets that are still kept: as many again must come before the next. */
    const bool may_force = held > most + most / 4 && fed - forgetting->parted_at >= kept / 8;
    if (may_force) {
        forgetting->parted_at = fed;
        forget_largest(forgetting);
    } else if (is_all_acked(forgetting, number) &&
               packets_of(forgetting, assoc) > kept / MAX(sctpa_forgetting_living(forgetting), 1)) {
        forget(forgetting, assoc, SCTPA_FORGOTTEN_PART);
    }
}

void sctpa_forgetting_pass(sctpa_forgetting_t *forgetting, uint32_t assoc, int64_t time_ns)
{
    tell_time(forgetting, time_ns);
    watch_new(forgetting);
    look_at_due(forgetting);
    if (assoc != SCTPA_NO_ASSOC)
        bound(forgetting, assoc);
}

uint32_t sctpa_forgetting_continues(const sctpa_forgetting_t *forgetting, uint32_t assoc)
{
    void *earlier;
    return g_hash_table_lookup_extended(forgetting->continued, GUINT_TO_POINTER(assoc), NULL, &earlier)
               ? GPOINTER_TO_UINT(earlier)
               : SCTPA_NO_ASSOC;
}

uint32_t sctpa_forgetting_living(const sctpa_forgetting_t *forgetting)
{
    return g_queue_get_length((GQueue *)&forgetting->watched);
}

int64_t sctpa_forgetting_clock_ns(const sctpa_forgetting_t *forgetting)
{
    return forgetting->clock_ns;
}
