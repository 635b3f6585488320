/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups messages by stream and PPID, and spreads their times. */
#include "message_delays.h"

#include "../base/hash.h"

/* A group while messages are walked. */
typedef struct {
    sctpa_message_delay_t sum;
    GArray *ack, *least, *most; /* int64_t ns */
    int64_t slowest_ns;
} group_t;

typedef struct {
    const sctpa_source_t *source;
    int64_t budget_ns;
    uint64_t seed;
    GHashTable *groups; /* stream << 32 | PPID, mixed with the seed -> group_t, owned */
    group_t *all;
} walk_t;

static group_t *group_new(void)
{
    group_t *group = g_new0(group_t, 1);
    group->ack = g_array_new(FALSE, FALSE, sizeof(int64_t));
    group->least = g_array_new(FALSE, FALSE, sizeof(int64_t));
    group->most = g_array_new(FALSE, FALSE, sizeof(int64_t));
    group->sum.slowest_sent = group->sum.slowest_ack = SCTPA_NO_PACKET_INDEX;
    return group;
}

static void group_free(gpointer data)
{
    group_t *group = data;
    g_array_unref(group->ack);
    g_array_unref(group->least);
    g_array_unref(group->most);
    g_free(group);
}

static group_t *group_at(const walk_t *walk, uint16_t stream, uint32_t ppid)
{
    const uint64_t key = sctpa_hash_mix(walk->seed, (uint64_t)stream << 32 | ppid);
    group_t *group = g_hash_table_lookup(walk->groups, &key);
    if (group == NULL) {
        group = group_new();
        group->sum.stream = stream;
        group->sum.ppid = ppid;
        g_hash_table_insert(walk->groups, g_memdup2(&key, sizeof key), group);
    }
    return group;
}

static void add(group_t *group, const sctpa_user_message_t *message, int64_t budget_ns)
{
    group->sum.messages++;
    group->sum.outstanding += message->fate == SCTPA_FATE_OUTSTANDING;
    group->sum.given_up += message->fate == SCTPA_FATE_GIVEN_UP;
    group->sum.partly_seen += message->fate == SCTPA_FATE_PARTLY_SEEN;
    if (message->fate != SCTPA_FATE_ACKED)
        return;
    g_array_append_val(group->ack, message->ack_ns);
    group->sum.late += message->ack_ns > budget_ns;
    if (group->ack->len == 1 || message->ack_ns > group->slowest_ns) {
        group->slowest_ns = message->ack_ns;
        group->sum.slowest_sent = message->sent;
        group->sum.slowest_ack = message->ack;
    }
    if (message->delivered_most_ns < 0)
        return;
    g_array_append_val(group->least, message->delivered_least_ns);
    g_array_append_val(group->most, message->delivered_most_ns);
}

static void visit(void *user, const sctpa_user_message_t *message)
{
    const walk_t *walk = user;
    bool is_selected = message->sent == SCTPA_NO_PACKET_INDEX
                           ? walk->source->selected == NULL
                           : sctpa_packets_has(walk->source->selected, message->sent);
    if (!is_selected)
        return;
    add(walk->all, message, walk->budget_ns);
    add(group_at(walk, message->stream, message->ppid), message, walk->budget_ns);
}

static void finish(group_t *group)
{
    group->sum.ack = sctpa_percentiles_of(group->ack);
    group->sum.delivered_least = sctpa_percentiles_of(group->least);
    group->sum.delivered_most = sctpa_percentiles_of(group->most);
}

static int by_stream(gconstpointer a, gconstpointer b)
{
    const sctpa_message_delay_t *x = a, *y = b;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return x->ppid < y->ppid ? -1 : x->ppid > y->ppid;
}

sctpa_message_delays_t *sctpa_message_delays_measure(const sctpa_source_t *source, int64_t budget_ns, GArray **streams)
{
    walk_t walk = { source, budget_ns, sctpa_hash_seed(),
                    g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, group_free), group_new() };
    sctpa_message_delays_t *delays = g_new0(sctpa_message_delays_t, 1);
    GHashTableIter iter;
    gpointer group;

    delays->budget_ns = budget_ns;
    delays->sender_tap_rtt = source->sender_tap_rtt;
    delays->is_least = sctpa_message_delays_are_least(source->sender_tap_rtt);
    delays->streams = g_array_new(FALSE, FALSE, sizeof(sctpa_message_delay_t));
    if (streams != NULL)
        *streams = sctpa_measure_streams(source, visit, &walk);
    else
        sctpa_user_messages_each(source->direction, source->at_receiver, source->receiver_ahead_ns, visit, &walk);
    finish(walk.all);
    delays->all = walk.all->sum;
    g_hash_table_iter_init(&iter, walk.groups);
    while (g_hash_table_iter_next(&iter, NULL, &group)) {
        finish(group);
        g_array_append_val(delays->streams, ((group_t *)group)->sum);
    }
    g_array_sort(delays->streams, by_stream);
    g_hash_table_unref(walk.groups);
    group_free(walk.all);
    return delays;
}

void sctpa_message_delays_free(sctpa_message_delays_t *delays)
{
    if (delays == NULL)
        return;
    g_array_unref(delays->streams);
    g_free(delays);
}
