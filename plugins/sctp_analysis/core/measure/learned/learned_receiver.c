/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Learning parameters of a receiver: how long its SACKs are delayed and how many packets one answers (RFC 9260 6.2);
 * what it takes from the window that it advertises for the data it holds: bytes for each chunk beyond its user bytes,
 * and free space that it advertises as a closed window (RFC 1122 4.2.3.3). Leaves senders to learned.c.
 *
 * Of the window: from one SACK to the next a_rwnd falls by what the endpoint charges for the chunks that it took in
 * between, less what reading freed. So the fall, less the user bytes of these chunks, is no more than their overhead: a
 * bound from below, however much was read. Some charge the fragments of a message when it is whole: those that were
 * held in parts at the first SACK may be charged, too. A chunk that made a whole message, and took its user bytes or
 * more from the window, shows that no message was read meanwhile: that is a bound from above. A closed window may be a
 * fall for any reason (Linux closes it when its memory is used up) and begins and ends no fall. */
#include "learned_parts.h"

/* --- SACKs: delay, and packets for each --- */

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

/* Has the packet a SACK, without gap blocks, and no DATA, which takes a SACK along early? */
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

/* --- the window --- */

enum {
    FALLS_LEAST = 3,
    GAPS_ALL_REPORTED = 15 /* Linux reports 16 gap blocks at most, the fewest known: what it leaves out is charged */
};

/* Free space advertised as a closed window, at the most, and how often; the least window that fell and was open. */
typedef struct {
    int64_t closed_bytes, open_bytes;
    uint32_t closings, packet;
} closing_t;

typedef struct {
    const sctpa_direction_t *data;
    bool has_fragments;
    /* After the last SACK: chunks acknowledged in all; TSNs up to the end of the last whole message below its cum_tsn
     * and up to that; chunks held that make no whole message yet, at the most. */
    unsigned next; /* record of acked */
    int64_t taken, whole_to, cum_to, pending;
    /* Overhead of a chunk: the most that falls show; how often it is just that, and of them with one whole message. */
    int64_t overhead_bytes;
    uint32_t exact, lone, packet;
    closing_t *closing; /* NULL: while the overhead is not known */
} window_t;

/* From one SACK to the next. */
typedef struct {
    const sctpa_sack_record_t *from, *to;
    int64_t chunks, bytes;  /* taken in between */
    int64_t pending_before; /* chunks held by from that make no whole message */
} fall_t;

static uint32_t gap_blocks(const window_t *window, const sctpa_sack_record_t *sack)
{
    uint32_t n = 0;
    sctpa_direction_gaps(window->data, sack->gaps, &n);
    return n;
}

/* Takes in what packets up to that of the SACK acknowledge. */
static void take_chunks(window_t *window, fall_t *fall)
{
    const sctpa_records_t *acked = &window->data->acked;
    for (; window->next < acked->len; window->next++) {
        const sctpa_acked_t *record = &SCTPA_RECORD(acked, sctpa_acked_t, window->next);
        if (record->packet > fall->to->packet)
            break;
        fall->chunks += record->chunks;
        fall->bytes += record->bytes;
    }
    window->taken += fall->chunks;
}

/* Follows how far messages are whole. Each TSN is looked at once. False: messages are interleaved. */
static bool take_messages(window_t *window, const sctpa_sack_record_t *sack)
{
    if (!window->has_fragments)
        return true;
    int64_t advance = (int32_t)(sack->cum_tsn - sctpa_direction_serial(window->data, window->cum_to));
    for (int64_t to = MIN(window->cum_to + advance, window->data->highest); window->cum_to < to;) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(window->data, ++window->cum_to);
        if (!tsn || tsn->flags & SCTPA_TSN_I_DATA)
            return false;
        if (tsn->flags & SCTPA_TSN_END)
            window->whole_to = window->cum_to;
    }
    window->pending = window->taken - (window->whole_to + 1);
    return true;
}

static int64_t over_bytes(const fall_t *fall)
{
    return (int64_t)fall->from->a_rwnd_bytes - fall->to->a_rwnd_bytes - fall->bytes;
}

static void take_overhead(window_t *window, const fall_t *fall)
{
    const int64_t charged = fall->chunks + fall->pending_before, over = over_bytes(fall);
    if (fall->chunks == 0 || over < 0)
        return;
    const int64_t least_bytes = (over + charged - 1) / charged;
    if (least_bytes > window->overhead_bytes) {
        window->overhead_bytes = least_bytes;
        window->exact = window->lone = 0;
    }
    if (over != charged * window->overhead_bytes)
        return;
    window->exact++;
    window->lone += charged == 1 && window->pending == 0;
    window->packet = fall->to->packet;
}

/* The window closes: it had room for so many bytes at least. Or it falls, and is open. */
static void take_closing(const window_t *window, const fall_t *fall)
{
    closing_t *closing = window->closing;
    if (!sctpa_window_is_closed(fall->to->a_rwnd_bytes)) {
        if (fall->to->a_rwnd_bytes < fall->from->a_rwnd_bytes)
            closing->open_bytes = MIN(closing->open_bytes, fall->to->a_rwnd_bytes);
        return;
    }
    int64_t charged_bytes = fall->bytes + (fall->chunks + fall->pending_before) * window->overhead_bytes,
            free_bytes = (int64_t)fall->from->a_rwnd_bytes - charged_bytes;
    if (free_bytes <= SCTPA_CLOSED_WINDOW_BYTES)
        return;
    closing->closings++;
    if (free_bytes > closing->closed_bytes) {
        closing->closed_bytes = free_bytes;
        closing->packet = fall->to->packet;
    }
}

/* Did a later SACK overtake this one, which acknowledges nothing new? */
static bool is_overtaken(const fall_t *fall)
{
    return fall->chunks == 0 && fall->to->cum_tsn == fall->from->cum_tsn && fall->to->gaps != fall->from->gaps;
}

/* Takes the SACK after from, NULL: the first. False: the window fell, and nothing was taken in; or it is not known what
 * is a message. */
static bool take_sack(window_t *window, fall_t *fall)
{
    take_chunks(window, fall);
    if (fall->from && is_overtaken(fall)) {
        fall->to = fall->from;
        return true;
    }
    if (!take_messages(window, fall->to))
        return false;
    if (!fall->from || sctpa_window_is_closed(fall->from->a_rwnd_bytes) ||
        gap_blocks(window, fall->to) > GAPS_ALL_REPORTED)
        return true;
    const bool is_closed = sctpa_window_is_closed(fall->to->a_rwnd_bytes);
    if (fall->chunks == 0)
        return is_closed || fall->to->a_rwnd_bytes >= fall->from->a_rwnd_bytes;
    if (window->closing)
        take_closing(window, fall);
    else if (!is_closed)
        take_overhead(window, fall);
    return true;
}

/* Walks all SACKs. False: something else takes from the window, or nothing is known of it. */
static bool walk(window_t *window)
{
    const sctpa_records_t *sacks = &window->data->sacks;
    const sctpa_sack_record_t *before = NULL;
    window->next = 0;
    window->taken = window->pending = 0;
    window->whole_to = window->cum_to = -1;
    for (unsigned i = 0; i < sacks->len; i++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, i);
        if (before && (int32_t)(sack->cum_tsn - before->cum_tsn) < 0)
            continue;
        fall_t fall = { .from = before, .to = sack, .pending_before = window->pending };
        if (!take_sack(window, &fall))
            return false;
        before = fall.to;
    }
    return true;
}

static bool learn_overhead(window_t *window, sctpa_learned_value_t *value)
{
    if (!walk(window) || window->exact < FALLS_LEAST)
        return false;
    const bool has_high = window->lone >= FALLS_LEAST;
    if (has_high || window->overhead_bytes > 0)
        *value = (sctpa_learned_value_t){ .samples = window->exact,
                                          .has_high = has_high,
                                          .value = window->overhead_bytes,
                                          .low = window->overhead_bytes,
                                          .high = window->overhead_bytes,
                                          .packet = window->packet };
    return has_high;
}

/* A limit that does not vary lies below windows that fell and stayed open. */
static void learn_closing(window_t *window, sctpa_learned_value_t *value)
{
    closing_t closing = { .open_bytes = INT64_MAX };
    window->closing = &closing;
    if (!walk(window) || closing.closings == 0)
        return;
    const bool has_high =
        closing.closings >= FALLS_LEAST && closing.closed_bytes < closing.open_bytes && closing.open_bytes < INT64_MAX;
    *value = (sctpa_learned_value_t){ .samples = closing.closings,
                                      .has_high = has_high,
                                      .value = closing.closed_bytes,
                                      .low = closing.closed_bytes,
                                      .high = has_high ? closing.open_bytes - 1 : 0,
                                      .packet = closing.packet };
}

void sctpa_learn_window(sctpa_learning_t *learning)
{
    const sctpa_direction_t *data = learning->peer->direction;
    sctpa_learned_value_t *values = learning->learned->values;
    window_t window = { .data = data };
    if (data->truncated || data->rare->unseen_acked > 0 || data->rare->abandoned_to >= 0 || data->restarted)
        return;
    for (unsigned i = 0; i < learning->received->len; i++)
        window.has_fragments |= sctpa_sending(learning->received, i)->fragment;
    if (learn_overhead(&window, &values[SCTPA_PARAMETER_CHUNK_OVERHEAD]))
        learn_closing(&window, &values[SCTPA_PARAMETER_SILLY_WINDOW]);
}
