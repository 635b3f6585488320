/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How an endpoint acknowledges (RFC 9260 6.2): every how many packets, and how long it waits when fewer came. Learned
 * from its peer's data and the SACKs about it, while data arrives in order and nothing but number and time explains a
 * SACK. */
#include "learned_parts.h"

enum { DELAYS_LEAST = 3, COUNTS_LEAST = 8, COUNT_MAX = 32 };
static const int64_t delay_least_ns = 40000000, pause_ns = 40000000, quiet_ns = 100000000;

/* DATA packets that one SACK was the first to acknowledge. */
typedef struct {
    const sctpa_sending_t *first, *last;
    const sctpa_sending_t *next; /* sent after them, NULL none */
    unsigned packets;
    uint32_t sack;
} group_t;

/* A packet that was acknowledged alone, before the next one was sent. */
typedef struct {
    sctpa_timed_t delay;
    uint16_t path;
} alone_t;

typedef struct {
    const sctpa_learning_t *learning;
    GArray *alone;       /* alone_t */
    GArray *shortest_ns; /* int64_t by path: from a packet to the SACK that it was the last of, 0 none */
    uint32_t counts[COUNT_MAX + 1];
    uint32_t count_packet[COUNT_MAX + 1];
} acking_t;

/* Has the SACK gap blocks, or the packet DATA, which takes a SACK along early? */
static bool is_bare_sack(const sctpa_source_t *source, uint32_t packet)
{
    const sctpa_records_t *sacks = &source->direction->sacks;
    uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), packet);
    if (at == sacks->len || SCTPA_RECORD(sacks, sctpa_sack_record_t, at).packet != packet)
        return false;
    return SCTPA_RECORD(sacks, sctpa_sack_record_t, at).gaps == 0 &&
           !(sctpa_source_stamp(source, packet)->holds & SCTPA_STAMP_DATA);
}

/* Does the endpoint send data itself about now? It takes SACKs along, and counts begin anew. */
static bool sends_itself(const sctpa_learning_t *learning, uint32_t sack)
{
    unsigned at = sctpa_sendings_after(learning->sent, sack);
    return at > 0 && sctpa_source_time_ns(learning->peer, sack) -
                             sctpa_source_time_ns(learning->peer, sctpa_sending(learning->sent, at - 1)->packet) <
                         quiet_ns;
}

/* Every packet that the SACK acknowledges is in the group and in order, and so was what came before it. */
static bool is_plain(const sctpa_learning_t *learning, const group_t *group, const sctpa_sending_t *before)
{
    return before && before->plain && before->last + 1 == group->first->first && before->ack_packet < group->sack &&
           is_bare_sack(learning->peer, before->ack_packet) && is_bare_sack(learning->peer, group->sack) &&
           !sends_itself(learning, group->sack);
}

static void note_shortest(acking_t *acking, uint16_t path, int64_t elapsed_ns)
{
    if (path >= acking->shortest_ns->len)
        g_array_set_size(acking->shortest_ns, path + 1u);
    int64_t *shortest_ns = &g_array_index(acking->shortest_ns, int64_t, path);
    if (*shortest_ns == 0 || elapsed_ns < *shortest_ns)
        *shortest_ns = MAX(elapsed_ns, 1);
}

static void take_group(acking_t *acking, const group_t *group)
{
    const sctpa_source_t *source = acking->learning->peer;
    int64_t first_ns = sctpa_source_time_ns(source, group->first->packet),
            sack_ns = sctpa_source_time_ns(source, group->sack);
    note_shortest(acking, group->last->path, sack_ns - sctpa_source_time_ns(source, group->last->packet));
    if (group->packets == 1 && (!group->next || group->next->packet > group->sack)) {
        alone_t alone = { { sack_ns - first_ns, group->sack }, group->first->path };
        g_array_append_val(acking->alone, alone);
    }
    bool went_on = group->next && sctpa_source_time_ns(source, group->next->packet) - first_ns < pause_ns;
    if (went_on && group->packets <= COUNT_MAX) {
        acking->counts[group->packets]++;
        acking->count_packet[group->packets] = group->sack;
    }
}

static void take_groups(acking_t *acking)
{
    const GArray *received = acking->learning->received;
    for (unsigned i = 0, end; i < received->len; i = end) {
        const sctpa_sending_t *first = sctpa_sending(received, i);
        bool plain = first->plain;
        for (end = i + 1; end < received->len && sctpa_sending(received, end)->ack_packet == first->ack_packet; end++) {
            const sctpa_sending_t *sending = sctpa_sending(received, end);
            plain = plain && sending->plain && sending->first == sctpa_sending(received, end - 1)->last + 1;
        }
        group_t group = { first, sctpa_sending(received, end - 1),
                          end < received->len ? sctpa_sending(received, end) : NULL, end - i, first->ack_packet };
        if (plain && group.sack != SCTPA_NO_PACKET_INDEX &&
            is_plain(acking->learning, &group, i > 0 ? sctpa_sending(received, i - 1) : NULL))
            take_group(acking, &group);
    }
}

/* Without the way there and back, as the quickest SACK about the same path shows it; what came nearly at once did not
 * wait. */
static void learn_delay(acking_t *acking)
{
    int64_t known_ns = MAX(sctpa_tap_rtt_measured_ns(acking->learning->source->sender_tap_rtt), 0), longest_way_ns = 0;
    GArray *waited = g_array_new(FALSE, FALSE, sizeof(sctpa_timed_t));
    for (unsigned i = 0; i < acking->alone->len; i++) {
        const alone_t *alone = &g_array_index(acking->alone, alone_t, i);
        int64_t way_ns = MAX(g_array_index(acking->shortest_ns, int64_t, alone->path), known_ns);
        sctpa_timed_t delay = { alone->delay.ns - way_ns, alone->delay.packet };
        if (delay.ns <= delay_least_ns)
            continue;
        longest_way_ns = MAX(longest_way_ns, way_ns);
        g_array_append_val(waited, delay);
    }
    sctpa_alike_t alike = sctpa_times_alike(waited);
    if (alike.n >= DELAYS_LEAST && 2 * alike.n >= waited->len) {
        const sctpa_timed_t *found = &g_array_index(waited, sctpa_timed_t, alike.first), *middle = &found[alike.n / 2];
        acking->learning->learned->values[SCTPA_PARAMETER_SACK_DELAY] =
            (sctpa_learned_value_t){ .samples = alike.n,
                                     .has_high = true,
                                     .value = middle->ns,
                                     .low = found[0].ns - sctpa_tick_ns(found[0].ns),
                                     .high = found[alike.n - 1].ns + longest_way_ns + SCTPA_TICK_NS,
                                     .packet = middle->packet };
    }
    g_array_unref(waited);
}

static void learn_count(acking_t *acking)
{
    uint32_t all = 0;
    unsigned most = 0, low = COUNT_MAX, high = 0;
    for (unsigned n = 1; n <= COUNT_MAX; n++) {
        all += acking->counts[n];
        if (acking->counts[n] > acking->counts[most])
            most = n;
    }
    if (all < COUNTS_LEAST || 3 * acking->counts[most] < 2 * all ||
        acking->learning->peer->direction->rare->abandoned_to >= 0)
        return;
    for (unsigned n = 1; n <= COUNT_MAX; n++)
        if (10 * acking->counts[n] >= all) {
            low = MIN(low, n);
            high = n;
        }
    acking->learning->learned->values[SCTPA_PARAMETER_SACK_EVERY] = (sctpa_learned_value_t){
        .samples = all, .has_high = true, .value = most, .low = low, .high = high, .packet = acking->count_packet[most]
    };
}

void sctpa_learn_sacks(sctpa_learning_t *learning)
{
    acking_t acking = { .learning = learning,
                        .alone = g_array_new(FALSE, FALSE, sizeof(alone_t)),
                        .shortest_ns = g_array_new(FALSE, TRUE, sizeof(int64_t)) };
    take_groups(&acking);
    learn_delay(&acking);
    learn_count(&acking);
    g_array_unref(acking.alone);
    g_array_unref(acking.shortest_ns);
}
