/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which associations are forgotten when. Leaves forgetting itself to sctpa_forget. */
#include "analysis.h"
#include "base/hash.h"
#include "forgotten_parts.h"
#include "track/flow.h"
#include "track/kept_packets.h"
#include "track/tracker.h"

/* An association that is looked at again. */
typedef struct {
    int64_t due_ns; /* by the clock of silence */
    int64_t bytes;  /* held since its packets began, but records and stamps of these */
    uint32_t assoc;
    uint32_t packets; /* when it was looked at last */
    uint32_t quiet;   /* looks in a row that found no new packet */
} watched_t;

enum {
    PACKET_BYTES = sizeof(sctpa_record_t) + sizeof(sctpa_stamp_t),
    /* With its link, and a key, a value and a hash in the table, half of which is free. */
    WATCHED_BYTES = sizeof(watched_t) + sizeof(GList) + 2 * (2 * sizeof(void *) + sizeof(guint)),
    /* Of what may be held. */
    PARTS_SHARE = 8,
    /* A part with fewer packets is not worth what is told of it, as long as others will do. */
    PART_PACKETS_LEAST = 64,
    /* INIT and INIT ACK, each with Max.Init.Retransmits (8, RFC 9260 16) retransmissions. */
    BEGINNING_PACKETS_MOST = 2 * (1 + 8)
};

struct sctpa_forgetting {
    sctpa_t *sctpa;
    int64_t idle_ns;
    size_t held_bytes_max;
    sctpa_forgotten_fn fn;
    void *user;
    GQueue watched;    /* watched_t, by due_ns */
    GHashTable *links; /* number of an association -> its link in watched */
    uint64_t seed;
    sctpa_forgotten_parts_t *parts; /* by the way to an end */
    GHashTable *continued;          /* number of a later part -> number of the earlier */
    uint32_t known;                 /* associations, forgotten ones included */
    size_t forced_bytes;            /* least that was held since parts were forgotten last */
    int64_t counted_bytes;          /* of what associations hold, those in watched_t */
    int64_t clock_ns, last_ns;      /* silence counted so far; time of the frame before */
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
                                        .links = g_hash_table_new(NULL, NULL),
                                        .seed = sctpa_hash_seed(),
                                        .parts = sctpa_forgotten_parts_new(held_bytes_max / PARTS_SHARE),
                                        .continued = g_hash_table_new(NULL, NULL) };
    g_queue_init(&forgetting->watched);
    return forgetting;
}

void sctpa_forgetting_free(sctpa_forgetting_t *forgetting)
{
    if (!forgetting)
        return;
    g_queue_clear_full(&forgetting->watched, g_free);
    g_hash_table_unref(forgetting->links);
    sctpa_forgotten_parts_free(forgetting->parts);
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

bool sctpa_has_hardly_begun(const sctpa_t *sctpa, const sctpa_assoc_t *assoc)
{
    if (sctpa_flows_packets(sctpa->tracker, assoc) > BEGINNING_PACKETS_MOST)
        return false;
    if (sctpa_assoc_setup_seen(assoc) == SCTPA_SETUP_PARTIAL && assoc->setup.steps[SCTPA_STEP_COOKIE_ECHO].count == 0)
        return true;
    return sctpa_flows_end_packets(sctpa->tracker, &assoc->ends[0]) == 0 ||
           sctpa_flows_end_packets(sctpa->tracker, &assoc->ends[1]) == 0;
}

static GList *link_of(const sctpa_forgetting_t *forgetting, uint32_t number)
{
    return g_hash_table_lookup(forgetting->links, GUINT_TO_POINTER(number));
}

static void watch_no_longer(sctpa_forgetting_t *forgetting, GList *link)
{
    watched_t *watched = link->data;
    g_hash_table_remove(forgetting->links, GUINT_TO_POINTER(watched->assoc));
    g_hash_table_remove(forgetting->continued, GUINT_TO_POINTER(watched->assoc));
    g_queue_delete_link(&forgetting->watched, link);
    g_free(watched);
}

/* Later packets of one that had hardly begun are no part of it: so a flood of INITs leaves nothing. */
static void remember_part(sctpa_forgetting_t *forgetting, const sctpa_assoc_t *assoc)
{
    if (sctpa_has_hardly_begun(forgetting->sctpa, assoc))
        return;
    for (unsigned e = 0; e < 2; e++)
        if (assoc->ends[e].has_vtag)
            sctpa_forgotten_parts_add(forgetting->parts, way_to(forgetting, assoc, e), assoc->number,
                                      forgetting->clock_ns + forgetting->idle_ns);
}

static void forget(sctpa_forgetting_t *forgetting, const sctpa_assoc_t *assoc, sctpa_forgotten_t why)
{
    const uint32_t number = assoc->number;
    GList *link = link_of(forgetting, number);
    forgetting->fn(forgetting->user, number, why);
    if (why == SCTPA_FORGOTTEN_PART)
        remember_part(forgetting, assoc);
    if (link)
        watch_no_longer(forgetting, link);
    const size_t before = sctpa_held_bytes(forgetting->sctpa);
    sctpa_forget(forgetting->sctpa, number);
    forgetting->counted_bytes -= (int64_t)(before - sctpa_held_bytes(forgetting->sctpa));
}

/* --- Silence --- */

static void tell_time(sctpa_forgetting_t *forgetting, int64_t time_ns)
{
    if (forgetting->has_last)
        forgetting->clock_ns += CLAMP(time_ns - forgetting->last_ns, 0, SCTPA_LATE_PACKETS_NS);
    forgetting->last_ns = time_ns;
    forgetting->has_last = true;
}

static void watch_new(sctpa_forgetting_t *forgetting)
{
    for (; forgetting->known < sctpa_assoc_count(forgetting->sctpa); forgetting->known++) {
        const sctpa_assoc_t *assoc = sctpa_assoc(forgetting->sctpa, forgetting->known);
        watched_t *watched = g_new0(watched_t, 1);
        watched->assoc = forgetting->known;
        watched->due_ns = forgetting->clock_ns + SCTPA_LATE_PACKETS_NS;
        g_queue_push_tail(&forgetting->watched, watched);
        g_hash_table_insert(forgetting->links, GUINT_TO_POINTER(watched->assoc),
                            g_queue_peek_tail_link(&forgetting->watched));
        for (unsigned e = 0; e < 2; e++) {
            uint32_t earlier;
            if (assoc->ends[e].has_vtag &&
                sctpa_forgotten_parts_take(forgetting->parts, way_to(forgetting, assoc, e), &earlier))
                g_hash_table_insert(forgetting->continued, GUINT_TO_POINTER(forgetting->known),
                                    GUINT_TO_POINTER(earlier));
        }
    }
}

/* Is it one that is gone, or was joined to another? */
static bool is_stale(const sctpa_assoc_t *assoc, const watched_t *watched)
{
    return assoc->number != watched->assoc || assoc->merged_into != SCTPA_NO_ASSOC;
}

/* Looks at the first; it goes to the end of the queue, or is watched no longer. */
static void look(sctpa_forgetting_t *forgetting, GList *first)
{
    watched_t *watched = first->data;
    const sctpa_assoc_t *assoc = sctpa_assoc(forgetting->sctpa, watched->assoc);
    if (is_stale(assoc, watched)) {
        watch_no_longer(forgetting, first);
        return;
    }
    const uint32_t packets = packets_of(forgetting, assoc);
    watched->quiet = packets == watched->packets ? watched->quiet + 1 : 0;
    watched->packets = packets;
    const bool has_ended = watched->quiet > 0 && sctpa_outcome(forgetting->sctpa, assoc, 0).end != SCTPA_ASSOC_OPEN;
    if (has_ended || (watched->quiet > 0 && (int64_t)watched->quiet * SCTPA_LATE_PACKETS_NS >= forgetting->idle_ns)) {
        forget(forgetting, assoc, has_ended ? SCTPA_FORGOTTEN_ENDED : SCTPA_FORGOTTEN_IDLE);
        return;
    }
    watched->due_ns = forgetting->clock_ns + SCTPA_LATE_PACKETS_NS;
    g_queue_unlink(&forgetting->watched, first);
    g_queue_push_tail_link(&forgetting->watched, first);
}

static void look_at_due(sctpa_forgetting_t *forgetting)
{
    GList *first;
    while ((first = g_queue_peek_head_link(&forgetting->watched)) &&
           ((const watched_t *)first->data)->due_ns <= forgetting->clock_ns)
        look(forgetting, first);
}

/* --- Parts --- */

size_t sctpa_forgetting_held_bytes(const sctpa_forgetting_t *forgetting)
{
    return sctpa_held_bytes(forgetting->sctpa) +
           (size_t)PACKET_BYTES * sctpa_kept_packets_count(forgetting->sctpa->tracker) +
           (size_t)WATCHED_BYTES * g_queue_get_length((GQueue *)&forgetting->watched) +
           sctpa_forgotten_parts_bytes(forgetting->parts);
}

/* What is held since the packet before is of the association of this one. */
static void count_bytes(sctpa_forgetting_t *forgetting, uint32_t number)
{
    const int64_t held = (int64_t)sctpa_held_bytes(forgetting->sctpa);
    GList *link = link_of(forgetting, number);
    if (link)
        ((watched_t *)link->data)->bytes += held - forgetting->counted_bytes;
    forgetting->counted_bytes = held;
}

static size_t bytes_of(const sctpa_forgetting_t *forgetting, const watched_t *watched)
{
    const sctpa_assoc_t *assoc = sctpa_assoc(forgetting->sctpa, watched->assoc);
    return (size_t)MAX(watched->bytes, 0) + WATCHED_BYTES + (size_t)PACKET_BYTES * packets_of(forgetting, assoc);
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
    size_t bytes;
    uint32_t assoc;
    bool has_begun;
} size_of_t;

/* Those that had hardly begun first, so that a flood costs others nothing; the largest of both kinds; the oldest. */
static gint larger_first(gconstpointer a, gconstpointer b)
{
    const size_of_t *x = a, *y = b;
    if (x->has_begun != y->has_begun)
        return x->has_begun ? 1 : -1;
    return x->bytes != y->bytes ? (x->bytes > y->bytes ? -1 : 1) : (x->assoc > y->assoc) - (x->assoc < y->assoc);
}

/* Bytes of what was joined to another are of that. O(associations). */
static void count_joined(sctpa_forgetting_t *forgetting)
{
    for (GList *at = forgetting->watched.head, *next; at; at = next) {
        const watched_t *watched = at->data;
        const sctpa_assoc_t *assoc = sctpa_assoc(forgetting->sctpa, watched->assoc);
        GList *whole = assoc->number == watched->assoc ? link_of(forgetting, assoc->merged_into) : NULL;
        next = at->next;
        if (whole)
            ((watched_t *)whole->data)->bytes += watched->bytes;
        if (is_stale(assoc, watched))
            watch_no_longer(forgetting, at);
    }
}

static GArray *sizes_of(sctpa_forgetting_t *forgetting)
{
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(size_of_t));
    count_joined(forgetting);
    for (const GList *at = forgetting->watched.head; at; at = at->next) {
        const watched_t *watched = at->data;
        const sctpa_assoc_t *assoc = sctpa_assoc(forgetting->sctpa, watched->assoc);
        const size_of_t size = { bytes_of(forgetting, watched), watched->assoc,
                                 !sctpa_has_hardly_begun(forgetting->sctpa, assoc) };
        g_array_append_val(sizes, size);
    }
    g_array_sort(sizes, larger_first);
    return sizes;
}

/* So many bytes, as far as there are as many: of those that have hardly begun, or of all. */
static void forget_largest(sctpa_forgetting_t *forgetting, size_t bytes, bool of_all)
{
    GArray *sizes = sizes_of(forgetting);
    size_t gone = 0;
    for (unsigned i = 0; i < sizes->len && gone < bytes; i++) {
        const size_of_t *size = &g_array_index(sizes, size_of_t, i);
        if (size->has_begun && !of_all)
            break;
        gone += size->bytes;
        forget(forgetting, sctpa_assoc(forgetting->sctpa, size->assoc), SCTPA_FORGOTTEN_PART);
    }
    g_array_unref(sizes);
    forgetting->forced_bytes = sctpa_forgetting_held_bytes(forgetting);
}

/* Is it larger than others are on average, all of it acknowledged, and worth a line? */
static bool may_part(const sctpa_forgetting_t *forgetting, uint32_t number, size_t held)
{
    const GList *link = link_of(forgetting, number);
    const sctpa_assoc_t *assoc = sctpa_assoc(forgetting->sctpa, number);
    return link && packets_of(forgetting, assoc) >= PART_PACKETS_LEAST && is_all_acked(forgetting, number) &&
           bytes_of(forgetting, link->data) > held / MAX(sctpa_forgetting_living(forgetting), 1);
}

/* What was forgotten may lie among packets that are still kept: then an eighth must be added before the next time. */
static void bound(sctpa_forgetting_t *forgetting, uint32_t number)
{
    const size_t held = sctpa_forgetting_held_bytes(forgetting), most = forgetting->held_bytes_max;
    forgetting->forced_bytes = MIN(forgetting->forced_bytes, held);
    if (held <= most)
        return;
    if (held >= forgetting->forced_bytes + most / 8)
        forget_largest(forgetting, held - most / 4 * 3, held > most + most / 4);
    else if (may_part(forgetting, number, held))
        forget(forgetting, sctpa_assoc(forgetting->sctpa, number), SCTPA_FORGOTTEN_PART);
}

void sctpa_forgetting_pass(sctpa_forgetting_t *forgetting, uint32_t assoc, int64_t time_ns)
{
    tell_time(forgetting, time_ns);
    watch_new(forgetting);
    sctpa_forgotten_parts_drop_old(forgetting->parts, forgetting->clock_ns);
    if (assoc != SCTPA_NO_ASSOC)
        count_bytes(forgetting, assoc);
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
