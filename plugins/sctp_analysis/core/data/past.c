/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the records of a direction as of an earlier packet. TSNs that did not come late are seen in the order of their
 * numbers, and cum-acked in that order, too: so both are found without a walk of all. */
#include "past.h"

#include "direction_internal.h"

enum {
    BELOW_TSNS = 4096
}; /* so far below the cum_tsn is looked for what was sent again, or for the last ack of a path */

bool sctpa_past_cum_tsn(const sctpa_direction_t *direction, uint32_t packet, int64_t *cum_tsn)
{
    const sctpa_records_t *sacks = &direction->sacks;
    const uint32_t after = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), packet + 1);
    int64_t number = direction->announced ? -1 : INT64_MIN;
    if (after > 0)
        sctpa_direction_tsn_near(direction, SCTPA_RECORD(sacks, sctpa_sack_record_t, after - 1).cum_tsn, packet,
                                 &number);
    if (number == INT64_MIN)
        return false;
    for (const sctpa_tsn_t *next; (next = sctpa_direction_tsn(direction, number + 1)) != NULL;)
        if (next->ack_packet > packet)
            break;
        else
            number++;
    *cum_tsn = number;
    return true;
}

/* Where the TSNs above the cum_tsn after packet begin. */
static int64_t first_above(const sctpa_direction_t *direction, uint32_t packet)
{
    int64_t cum_tsn;
    return sctpa_past_cum_tsn(direction, packet, &cum_tsn) ? cum_tsn + 1 : 0;
}

bool sctpa_past_each_sent(const sctpa_direction_t *direction, uint32_t packet, sctpa_past_visit_fn visit, void *user)
{
    const int64_t from = first_above(direction, packet);
    for (int64_t number = from; number <= direction->highest; number++) {
        if (number - from >= SCTPA_PAST_TSNS)
            return false;
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(direction, number);
        if (!tsn || tsn->transmissions == 0)
            continue;
        if (tsn->first_packet > packet && !(tsn->state & SCTPA_TSN_BEHIND))
            return true; /* higher ones passed later still */
        if (tsn->first_packet <= packet && !visit(user, number, tsn))
            return true;
    }
    return true;
}

static bool is_in(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn, uint32_t packet)
{
    return tsn && tsn->transmissions > 0 &&
           sctpa_direction_transmission(direction, tsn, packet, &(const sctpa_rtx_t *){ NULL }) > 0;
}

typedef struct {
    const sctpa_direction_t *direction;
    uint32_t packet, count;
    int64_t first;
} seeking_t;

static bool take_if_in(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    seeking_t *seeking = user;
    if (is_in(seeking->direction, tsn, seeking->packet) && seeking->count++ == 0)
        seeking->first = number;
    return true;
}

/* Does packet hold a retransmission? O(log retransmissions). */
static bool has_rtx(const sctpa_direction_t *direction, uint32_t packet)
{
    const sctpa_records_t *rtx = &direction->rare->rtx;
    const uint32_t at = sctpa_records_from(rtx->data, rtx->len, sizeof(sctpa_rtx_t), packet);
    return at < rtx->len && SCTPA_RECORD(rtx, sctpa_rtx_t, at).packet == packet;
}

bool sctpa_past_tsns_of(const sctpa_direction_t *direction, uint32_t packet, int64_t *first, uint32_t *count)
{
    seeking_t seeking = { .direction = direction, .packet = packet };
    const int64_t above = first_above(direction, packet);
    const int64_t from = has_rtx(direction, packet) ? above - BELOW_TSNS : above; /* what was acked may be sent again */
    for (int64_t number = from; number < above; number++)
        take_if_in(&seeking, number, sctpa_direction_tsn(direction, number));
    sctpa_past_each_sent(direction, packet, take_if_in, &seeking);
    *first = seeking.first;
    *count = seeking.count;
    return seeking.count > 0;
}

/* --- SACKs --- */

/* Adds what one packet newly acknowledges. */
static void add_acked(const sctpa_direction_t *direction, uint32_t packet, sctpa_packet_sack_t *sack)
{
    const sctpa_records_t *records = &direction->acked;
    uint32_t at = sctpa_records_from(records->data, records->len, sizeof(sctpa_acked_t), packet);
    for (; at < records->len; at++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(records, sctpa_acked_t, at);
        if (acked->packet != packet)
            break;
        sack->first_packet = sack->chunks ? MIN(sack->first_packet, acked->first_packet) : acked->first_packet;
        sack->last_packet = sack->chunks ? MAX(sack->last_packet, acked->last_packet) : acked->last_packet;
        sack->chunks += acked->chunks;
    }
}

bool sctpa_past_add_sack(const sctpa_direction_t *direction, uint32_t packet, sctpa_packet_sack_t *sack)
{
    const sctpa_records_t *records = &direction->sacks;
    const uint32_t after = sctpa_records_from(records->data, records->len, sizeof(sctpa_sack_record_t), packet + 1);
    const bool is_there = after > 0 && SCTPA_RECORD(records, sctpa_sack_record_t, after - 1).packet == packet;
    if (is_there) {
        sack->cum_tsn = SCTPA_RECORD(records, sctpa_sack_record_t, after - 1).cum_tsn;
        sack->a_rwnd_bytes = SCTPA_RECORD(records, sctpa_sack_record_t, after - 1).a_rwnd_bytes;
    }
    add_acked(direction, packet, sack);
    return is_there;
}

/* --- a path --- */

/* What a packet means for the timer of the path, and how it changes what is outstanding there. */
typedef struct {
    uint32_t packet;
    sctpa_t3_event_t event;
    int32_t bytes;
} happening_t;

typedef struct {
    const sctpa_direction_t *direction;
    uint16_t path;
    int64_t since;   /* after this packet, -1: from the first one on */
    uint32_t packet; /* up to this one */
    uint16_t (*path_of)(const void *user, uint32_t packet);
    const void *user;
    GArray *happenings;
    int64_t flight_bytes; /* after since */
    bool is_unknown;
} replay_t;

static gint happening_order(gconstpointer a, gconstpointer b)
{
    const happening_t *x = a, *y = b;
    return x->packet != y->packet ? (x->packet < y->packet ? -1 : 1) : (int)x->event - (int)y->event;
}

static void take_change(void *user, uint32_t packet, sctpa_t3_event_t event, uint16_t path, int32_t bytes, bool counts)
{
    replay_t *replay = user;
    const happening_t happening = { packet, event, bytes };
    (void)counts;
    if (path != replay->path)
        return;
    if ((int64_t)packet <= replay->since)
        replay->flight_bytes += bytes;
    else if (packet <= replay->packet)
        g_array_append_val(replay->happenings, happening);
}

/* The path of the first transmission. */
static uint16_t first_path(const replay_t *replay, const sctpa_tsn_t *tsn)
{
    return tsn->more ? replay->path_of(replay->user, tsn->first_packet) : tsn->path;
}

void sctpa_past_each_change(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn, uint16_t first_path,
                            sctpa_past_change_fn change, void *user)
{
    const uint32_t acked = tsn->state & SCTPA_TSN_ABANDONED ? SCTPA_NO_PACKET_INDEX : sctpa_tsn_arrival_ack(tsn);
    if (tsn->state & SCTPA_TSN_LATE || tsn->first_packet >= acked)
        return;
    for (uint32_t at = tsn->more, before; at != 0; at = before) {
        const sctpa_rtx_t *rtx = sctpa_direction_rtx(direction, at);
        before = rtx->link.before;
        const uint16_t path_before = before ? sctpa_direction_rtx(direction, before)->path : first_path;
        const bool counts = rtx->packet < acked;
        change(user, rtx->packet, SCTPA_T3_RTX, path_before, counts ? -(int32_t)tsn->bytes : 0, counts);
        change(user, rtx->packet, rtx->path == path_before ? SCTPA_T3_RTX : SCTPA_T3_MOVED, rtx->path,
               counts ? tsn->bytes : 0, counts);
    }
    change(user, tsn->first_packet, SCTPA_T3_DATA, first_path, tsn->bytes, true);
    const sctpa_rtx_t *last = sctpa_direction_rtx_until(direction, tsn, acked - 1);
    if (acked != SCTPA_NO_PACKET_INDEX)
        change(user, acked, SCTPA_T3_ACK, last ? last->path : first_path, -(int32_t)tsn->bytes, true);
}

static bool take_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    replay_t *replay = user;
    (void)number;
    if (tsn->state & (SCTPA_TSN_ABANDONED | SCTPA_TSN_RENEGED))
        replay->is_unknown = true;
    sctpa_past_each_change(replay->direction, tsn, first_path(replay, tsn), take_change, replay);
    return true;
}

/* Timeouts of the path since then. */
static void take_expiries(replay_t *replay)
{
    const sctpa_direction_t *direction = replay->direction;
    const sctpa_sample_t *sample = sctpa_direction_sample(direction, replay->path, replay->packet);
    while (sample && (int64_t)sample->packet > replay->since) {
        if (sample->kind == SCTPA_SAMPLE_BACKOFF)
            take_change(replay, sample->packet, SCTPA_T3_EXPIRY, replay->path, 0, true);
        sample =
            sample->link.before ? &SCTPA_RECORD(&direction->samples, sctpa_sample_t, sample->link.before - 1) : NULL;
    }
}

/* The path that the TSN went to last before it was cum-acked. */
static uint16_t path_at_ack(const replay_t *replay, const sctpa_tsn_t *tsn)
{
    const sctpa_rtx_t *rtx = sctpa_direction_rtx_until(replay->direction, tsn, tsn->ack_packet);
    return rtx ? rtx->path : first_path(replay, tsn);
}

/* The last ack up to packet that cum-acked data of the path; SCTPA_NO_PACKET_INDEX: none is known of. */
static uint32_t last_ack(const replay_t *replay)
{
    int64_t cum_tsn;
    if (!sctpa_past_cum_tsn(replay->direction, replay->packet, &cum_tsn))
        return SCTPA_NO_PACKET_INDEX;
    for (int64_t number = cum_tsn; number > cum_tsn - BELOW_TSNS; number--) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(replay->direction, number);
        if (tsn && tsn->ack_packet <= replay->packet && path_at_ack(replay, tsn) == replay->path)
            return tsn->ack_packet;
    }
    return SCTPA_NO_PACKET_INDEX;
}

/* The TSNs that were sent by then and not cum-acked before since. */
static bool take_tsns(replay_t *replay)
{
    const int64_t from = replay->since < 0 ? 0 : first_above(replay->direction, (uint32_t)replay->since);
    const int64_t cum = first_above(replay->direction, replay->packet);
    if (cum - from >= SCTPA_PAST_TSNS)
        return false;
    for (int64_t number = from; number < cum; number++) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(replay->direction, number);
        if (tsn && tsn->transmissions > 0 && tsn->first_packet <= replay->packet)
            take_tsn(replay, number, tsn);
    }
    return sctpa_past_each_sent(replay->direction, replay->packet, take_tsn, replay) && !replay->is_unknown;
}

static sctpa_past_path_t play(const replay_t *replay)
{
    sctpa_data_path_t path = { .t3_packet = SCTPA_NO_PACKET_INDEX };
    int64_t flight_bytes = replay->flight_bytes;
    if (replay->since >= 0)
        sctpa_t3_take(&path, SCTPA_T3_ACK, (uint32_t)replay->since,
                      sctpa_direction_time_ns(replay->direction, (uint32_t)replay->since));
    for (guint i = 0; i < replay->happenings->len; i++) {
        const happening_t *now = &g_array_index(replay->happenings, happening_t, i);
        path.flight_bytes = (uint64_t)MAX(flight_bytes, 0);
        if (now->event != SCTPA_T3_ACK) /* cum-acks restart it, and the last one of the path is since */
            sctpa_t3_take(&path, now->event, now->packet, sctpa_direction_time_ns(replay->direction, now->packet));
        flight_bytes += now->bytes;
    }
    return (sctpa_past_path_t){ .flight_bytes = (uint64_t)MAX(flight_bytes, 0),
                                .t3_is_running = flight_bytes > 0 && path.t3_packet != SCTPA_NO_PACKET_INDEX,
                                .t3_packet = path.t3_packet,
                                .t3_may_have_restarted = path.t3_before_ns > path.t3_start_ns };
}

bool sctpa_past_path(const sctpa_direction_t *direction, uint16_t path, uint32_t packet,
                     uint16_t (*path_of)(const void *user, uint32_t packet), const void *user, sctpa_past_path_t *past)
{
    replay_t replay = { .direction = direction, .path = path, .packet = packet, .path_of = path_of, .user = user };
    const uint32_t ack = last_ack(&replay);
    replay.since = ack != SCTPA_NO_PACKET_INDEX ? (int64_t)ack : -1;
    replay.happenings = g_array_new(FALSE, FALSE, sizeof(happening_t));
    const bool is_known = take_tsns(&replay);
    take_expiries(&replay);
    g_array_sort(replay.happenings, happening_order);
    *past = play(&replay);
    g_array_unref(replay.happenings);
    return is_known;
}
