/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was sent on each stream, its messages, and how their waits are spread. */
#include "source.h"

/* A stream while its TSNs are walked. */
typedef struct {
    sctpa_stream_t stream;
    GArray *least, *most; /* of delays, int64_t ns, NULL none */
} following_t;

typedef struct {
    const sctpa_source_t *source;
    GHashTable *streams; /* id -> following_t, owned */
    sctpa_user_message_fn also;
    void *user;
} walk_t;

static void following_free(gpointer data)
{
    following_t *following = data;
    if (following->least) {
        g_array_unref(following->least);
        g_array_unref(following->most);
    }
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

static void count(const walk_t *walk, sctpa_stream_t *stream, int64_t number, const sctpa_tsn_t *tsn)
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
    for (uint32_t at = tsn->more; at != 0; at = sctpa_source_rtx(walk->source, at)->link.before) {
        const sctpa_rtx_t *rtx = sctpa_source_rtx(walk->source, at);
        const bool counts =
            sctpa_packets_has(selected, rtx->packet) && !sctpa_rtx_is_doubled(walk->source->direction, number, rtx);
        stream->chunks += counts;
        stream->rtx += counts && !rtx->is_other_message;
    }
}

static void visit(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    walk_t *walk = user;
    count(walk, &following_at(walk, tsn->stream)->stream, number, tsn);
}

static void take_message(void *user, const sctpa_user_message_t *message)
{
    walk_t *walk = user;
    if (walk->also != NULL)
        walk->also(walk->user, message);
    if (!message->has_wait || !sctpa_packets_has(walk->source->selected, message->wait_ack))
        return;
    following_t *following = following_at(walk, message->stream);
    if (!following->least) {
        following->least = g_array_new(FALSE, FALSE, sizeof(int64_t));
        following->most = g_array_new(FALSE, FALSE, sizeof(int64_t));
    }
    g_array_append_val(following->least, message->delay_least_ns);
    g_array_append_val(following->most, message->delay_most_ns);
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
        if (following->stream.chunks == 0 && !following->least)
            continue;
        following->stream.hol_delay = sctpa_percentiles_of(following->least);
        following->stream.hol_delay_most = sctpa_percentiles_of(following->most);
        g_array_append_val(streams, following->stream);
        following->stream.ppids = NULL;
    }
    g_array_sort(streams, stream_order);
}

GArray *sctpa_measure_streams(const sctpa_source_t *source, sctpa_user_message_fn also, void *user)
{
    GArray *streams = g_array_new(FALSE, FALSE, sizeof(sctpa_stream_t));
    g_array_set_clear_func(streams, stream_clear);
    if (!source->direction)
        return streams;
    walk_t walk = { source, g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, following_free), also, user };
    sctpa_direction_each(source->direction, visit, &walk);
    if (!source->data_only)
        sctpa_user_messages_each(source->direction, source->at_receiver, source->receiver_ahead_ns, take_message,
                                 &walk);
    take_results(&walk, streams);
    g_hash_table_unref(walk.streams);
    return streams;
}
