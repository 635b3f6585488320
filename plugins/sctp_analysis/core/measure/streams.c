/* What was sent on each stream, its messages, and how long complete messages waited for earlier ones of their stream.
 *
 * A TSN arrives with the last transmission that passed before its first acknowledgement. Within a stream ordered messages follow each
 * other in the order of their TSNs, with I_DATA too (RFC 8260 2.2.3: only different streams, or unordered ones, interleave). An abandoned
 * TSN holds others back until the FORWARD_TSN that the receiver's next cum_tsn answers; what passed unseen holds nothing back. */
#include "source.h"

/* When something arrived, and the acknowledgement that tells. */
typedef struct { int64_t ns; uint32_t ack; } moment_t;

typedef enum { ARRIVED, OUTSTANDING, GIVEN_UP, UNKNOWN } fate_t;

/* A stream while its TSNs are walked. */
typedef struct {
    sctpa_stream_t stream;
    GArray *delays;             /* int64_t ns, NULL none */
    bool is_whole, is_known;    /* the message now being read: no fragment missing; its arrival known */
    int64_t last;               /* its last TSN so far */
    uint32_t number, next_fsn;  /* its SSN or MID */
    moment_t complete;          /* when all of it so far had arrived */
    moment_t ready;             /* when all ordered TSNs of the stream so far had arrived */
    bool is_blocked;            /* a TSN never arrived */
} following_t;

typedef struct {
    const sctpa_source_t *source;
    GHashTable *streams;        /* id -> following_t, owned */
} walk_t;

static void following_free(gpointer data)
{
    following_t *following = data;
    if (following->delays)
        g_array_unref(following->delays);
    if (following->stream.ppids)
        g_array_unref(following->stream.ppids);
    g_free(following);
}

static following_t *following_at(walk_t *walk, uint16_t id)
{
    following_t *following = g_hash_table_lookup(walk->streams, GUINT_TO_POINTER(id));
    if (!following) {
        following = g_new0(following_t, 1);
        following->stream.id = id;
        following->complete.ns = following->ready.ns = INT64_MIN;
        g_hash_table_insert(walk->streams, GUINT_TO_POINTER(id), following);
    }
    return following;
}

static void add_ppid(sctpa_stream_t *stream, uint32_t ppid)
{
    if (!stream->ppids)
        stream->ppids = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    unsigned low = 0, high = stream->ppids->len;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (g_array_index(stream->ppids, uint32_t, middle) < ppid)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < stream->ppids->len && g_array_index(stream->ppids, uint32_t, low) == ppid)
        return;
    if (stream->ppids->len < SCTPA_PPIDS_MAX)
        g_array_insert_val(stream->ppids, low, ppid);
}

/* In an I_DATA that does not begin a message the PPID's place holds the FSN. */
static bool has_ppid(const sctpa_tsn_t *tsn)
{
    return !(tsn->flags & SCTPA_TSN_I_DATA) || tsn->flags & SCTPA_TSN_BEGIN;
}

static void count(const walk_t *walk, sctpa_stream_t *stream, const sctpa_tsn_t *tsn)
{
    const sctpa_packets_t *selected = walk->source->selected;
    if (sctpa_packets_has(selected, tsn->first_packet)) {
        stream->chunks++;
        stream->tsns++;
        stream->user_bytes += tsn->bytes;
        stream->messages += (tsn->flags & SCTPA_TSN_END) != 0;
        stream->unordered_messages += (tsn->flags & SCTPA_TSN_END) && (tsn->flags & SCTPA_TSN_UNORDERED);
        if (has_ppid(tsn))
            add_ppid(stream, tsn->ppid);
    }
    for (uint32_t at = tsn->more; at != 0; at = sctpa_source_rtx(walk->source, at)->older) {
        bool counts = sctpa_packets_has(selected, sctpa_source_rtx(walk->source, at)->packet);
        stream->chunks += counts;
        stream->rtx += counts;
    }
}

/* What became of a TSN; its arrival, or when it was passed over: the shortest answer time before the ack that shows it. What the
 * receiver took back had to arrive again. */
static fate_t fate_of(const walk_t *walk, const sctpa_tsn_t *tsn, moment_t *moment)
{
    uint32_t ack = tsn->state & SCTPA_TSN_RENEGED ? tsn->ack_packet : MIN(tsn->gap_packet, tsn->ack_packet);
    uint32_t packet = tsn->first_packet;
    if (tsn->state & SCTPA_TSN_LATE)
        return UNKNOWN;
    if (ack == SCTPA_NO_PACKET_INDEX)
        return OUTSTANDING;
    for (uint32_t at = tsn->more; at != 0; at = sctpa_source_rtx(walk->source, at)->older)
        if (sctpa_source_rtx(walk->source, at)->packet < ack) {
            packet = sctpa_source_rtx(walk->source, at)->packet;
            break;
        }
    *moment = (moment_t){ sctpa_source_stamp(walk->source, packet)->time_ns, ack };
    if (!(tsn->state & SCTPA_TSN_ABANDONED))
        return ARRIVED;
    moment->ns = MAX(moment->ns, sctpa_source_stamp(walk->source, ack)->time_ns - MAX(walk->source->direction->answer_min_ns, 0));
    return GIVEN_UP;
}

/* Does the TSN belong to the message now being read? */
static bool continues(const following_t *following, int64_t number, const sctpa_tsn_t *tsn)
{
    if (!following->is_whole || tsn->ssn != following->number)
        return false;
    return tsn->flags & SCTPA_TSN_I_DATA ? tsn->ppid == following->next_fsn : number == following->last + 1;
}

static void take_fate(following_t *following, fate_t fate, moment_t moment)
{
    following->is_known &= fate == ARRIVED;
    if (fate == OUTSTANDING)
        following->is_blocked = true;
    if (fate == ARRIVED && moment.ns > following->complete.ns)
        following->complete = moment;
    if ((fate == ARRIVED || fate == GIVEN_UP) && moment.ns > following->ready.ns)
        following->ready = moment;
}

/* The message ends: how long it waited. */
static void end_message(const walk_t *walk, following_t *following)
{
    bool arrived = following->is_whole && following->is_known && !following->is_blocked;
    following->is_whole = false;
    if (!arrived || !sctpa_packets_has(walk->source->selected, following->ready.ack))
        return;
    int64_t delay_ns = following->ready.ns - following->complete.ns;
    if (!following->delays)
        following->delays = g_array_new(FALSE, FALSE, sizeof(int64_t));
    g_array_append_val(following->delays, delay_ns);
}

static void follow(const walk_t *walk, following_t *following, int64_t number, const sctpa_tsn_t *tsn)
{
    moment_t moment = { 0, 0 };
    if (tsn->flags & SCTPA_TSN_BEGIN) {
        following->is_whole = following->is_known = true;
        following->number = tsn->ssn;
        following->next_fsn = 0;
        following->complete.ns = INT64_MIN;
    } else if (!continues(following, number, tsn)) {
        following->is_whole = false;
    }
    following->last = number;
    following->next_fsn++;
    fate_t fate = fate_of(walk, tsn, &moment);
    take_fate(following, fate, moment);
    if (tsn->flags & SCTPA_TSN_END)
        end_message(walk, following);
}

static void visit(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    walk_t *walk = user;
    following_t *following = following_at(walk, tsn->stream);
    count(walk, &following->stream, tsn);
    if (!(tsn->flags & SCTPA_TSN_UNORDERED))
        follow(walk, following, number, tsn);
}

static int stream_order(gconstpointer a, gconstpointer b)
{
    return (int)((const sctpa_stream_t *)a)->id - (int)((const sctpa_stream_t *)b)->id;
}

static void stream_clear(gpointer data)
{
    sctpa_stream_t *stream = data;
    if (stream->ppids)
        g_array_unref(stream->ppids);
}

static void take_results(const walk_t *walk, GArray *streams)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, walk->streams);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        following_t *following = value;
        if (following->stream.chunks == 0 && !following->delays)
            continue;
        following->stream.hol_delay = sctpa_spread_of(following->delays);
        g_array_append_val(streams, following->stream);
        following->stream.ppids = NULL;
    }
    g_array_sort(streams, stream_order);
}

GArray *sctpa_measure_streams(const sctpa_source_t *source)
{
    GArray *streams = g_array_new(FALSE, FALSE, sizeof(sctpa_stream_t));
    g_array_set_clear_func(streams, stream_clear);
    if (!source->direction)
        return streams;
    walk_t walk = { source, g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, following_free) };
    sctpa_direction_each(source->direction, visit, &walk);
    take_results(&walk, streams);
    g_hash_table_unref(walk.streams);
    return streams;
}
