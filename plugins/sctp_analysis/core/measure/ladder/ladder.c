/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks the packets of an association and answers who looks at them: what the data of each says, and when it left and
 * arrived: two taps show both, each by its clock; of one tap, half the RTT from tap tells. */
#include "ladder.h"

#include "base/numbers.h"
#include "data/past.h"
#include "ladder_parts.h"
#include "measure/measure.h"
#include "measure/order.h"
#include "track/identity/identity_parts.h"
#include "track/near_tap.h"
#include "track/packet.h"

/* Two taps, and what is known of the way between them. */
typedef struct {
    const sctpa_two_taps_data_t *data;
    unsigned near[2];           /* tap near each endpoint */
    int64_t ahead_ns;           /* taken from times of tap 1 */
    int64_t way_ns[2];          /* shortest, of packets that each endpoint sent */
    uint32_t first[2], last[2]; /* positions of what each endpoint sent and the tap near the other saw; first > last:
                                   nothing */
} two_taps_t;

static bool find_taps(const sctpa_ladder_t *ladder, two_taps_t *taps)
{
    const sctpa_two_taps_data_t *data = ladder->source.tracked->rare->two_taps_data;
    const unsigned near =
        data && data->reshaped == ladder->source.tracked->reshaped ? sctpa_near_tap_of(data, 0) : SCTPA_NO_TAP;
    *taps = (two_taps_t){ .data = data, .near = { near, !near } };
    if (near == SCTPA_NO_TAP)
        return false;
    const unsigned up = near; /* the endpoint whose packets pass tap 0 first */
    int64_t way_ns;
    if (data->min_ns[up] < 0 || data->max_ns[!up] > 0)
        taps->ahead_ns = sctpa_near_tap_ahead_ns(data, &way_ns);
    taps->way_ns[up] = MAX(data->min_ns[up] - taps->ahead_ns, 0);
    taps->way_ns[!up] = MAX(taps->ahead_ns - data->max_ns[!up], 0);
    taps->first[0] = taps->first[1] = UINT32_MAX;
    return true;
}

/* The sighting at the tap near an endpoint; SCTPA_NO_PACKET_INDEX: it was not seen there. */
static uint32_t sighting(const sctpa_ladder_t *ladder, const two_taps_t *taps, const sctpa_ladder_packet_t *packet,
                         uint8_t end)
{
    const GArray *stamps = ladder->source.tracker->store.stamps;
    const uint32_t seen[] = { packet->packet, packet->again };
    for (unsigned i = 0; i < G_N_ELEMENTS(seen); i++)
        if (seen[i] != SCTPA_NO_PACKET_INDEX &&
            sctpa_tap_data_has(&taps->data->taps[taps->near[end]],
                               sctpa_stamp_interface(&g_array_index(stamps, sctpa_stamp_t, seen[i]))))
            return seen[i];
    return SCTPA_NO_PACKET_INDEX;
}

static int64_t time_at(const sctpa_ladder_t *ladder, const two_taps_t *taps, uint32_t packet, uint8_t end)
{
    const int64_t time_ns = g_array_index(ladder->source.tracker->store.stamps, sctpa_stamp_t, packet).time_ns;
    return time_ns - (taps->near[end] == 1 ? taps->ahead_ns : 0);
}

static sctpa_ladder_packet_t *nth(const sctpa_ladder_t *ladder, uint32_t position)
{
    return &ladder->packets[position];
}

static void take_sightings(const sctpa_ladder_t *ladder, two_taps_t *taps, uint32_t position)
{
    sctpa_ladder_packet_t *packet = nth(ladder, position);
    const uint8_t from = packet->from & 1;
    const uint32_t sent = sighting(ladder, taps, packet, from), arrived = sighting(ladder, taps, packet, !from);
    packet->sent_ns = packet->arrived_ns = packet->time_ns;
    if (sent != SCTPA_NO_PACKET_INDEX) {
        packet->sent_ns = time_at(ladder, taps, sent, from);
        packet->arrived_ns = packet->sent_ns + taps->way_ns[from];
        packet->flags |= SCTPA_LADDER_SENT_KNOWN;
    }
    if (arrived == SCTPA_NO_PACKET_INDEX)
        return;
    packet->arrived_ns = time_at(ladder, taps, arrived, !from);
    packet->flags |= SCTPA_LADDER_ARRIVED_KNOWN | SCTPA_LADDER_ARRIVED;
    packet->flags &= (uint16_t)~SCTPA_LADDER_LOST;
    if (sent == SCTPA_NO_PACKET_INDEX)
        packet->sent_ns = packet->arrived_ns - taps->way_ns[from];
    taps->first[from] = MIN(taps->first[from], position);
    taps->last[from] = position;
}

/* Did it leave and not arrive? Not asked of what ends an association: an endpoint answers each stray packet alike, so
 * that sightings of several of these cannot be told apart. */
static bool is_lost(const two_taps_t *taps, const sctpa_ladder_packet_t *packet, uint32_t position)
{
    const uint8_t from = packet->from & 1;
    return packet->flags & SCTPA_LADDER_SENT_KNOWN && !(packet->flags & SCTPA_LADDER_ARRIVED) &&
           !(packet->rows & (SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE))) && position > taps->first[from] &&
           position < taps->last[from];
}

static void take_two_taps(sctpa_ladder_t *ladder, two_taps_t *taps)
{
    for (uint32_t i = 0; i < ladder->n; i++)
        take_sightings(ladder, taps, i);
    for (uint32_t i = 0; i < ladder->n; i++)
        if (is_lost(taps, nth(ladder, i), i))
            nth(ladder, i)->flags |= SCTPA_LADDER_LOST;
}

static void take_one_tap(sctpa_ladder_t *ladder)
{
    for (unsigned end = 0; end < 2 && !ladder->source.is_unclear; end++)
        ladder->shift_ns[end] = MAX(ladder->source.tap_rtt_ns[end], 0) / 2;
    for (uint32_t i = 0; i < ladder->n; i++) {
        sctpa_ladder_packet_t *packet = nth(ladder, i);
        packet->sent_ns = packet->time_ns - ladder->shift_ns[packet->from & 1];
        packet->arrived_ns = packet->time_ns + ladder->shift_ns[!packet->from];
    }
}

/* Gives each packet its times, by the taps that saw it, and those that only one of two saw are lost. After the data. */
static void ladder_take_times(sctpa_ladder_t *ladder)
{
    two_taps_t taps;
    if (find_taps(ladder, &taps)) {
        ladder->far = SCTPA_LADDER_TWO_TAPS;
        ladder->is_aligned = taps.ahead_ns != 0;
        take_two_taps(ladder, &taps);
    } else {
        ladder->far = ladder->source.is_unclear ? SCTPA_LADDER_UNKNOWN : SCTPA_LADDER_ONE_TAP;
        take_one_tap(ladder);
    }
    for (uint32_t i = 0; i < ladder->n; i++) {
        const sctpa_ladder_packet_t *packet = nth(ladder, i);
        ladder->reach_ns = MAX(ladder->reach_ns, ABS(packet->sent_ns - packet->time_ns));
        ladder->reach_ns = MAX(ladder->reach_ns, ABS(packet->arrived_ns - packet->time_ns));
    }
}

typedef struct {
    const sctpa_ladder_t *ladder;
    const sctpa_direction_t *direction;
    uint32_t hint, hint_again; /* where the last first transmission, the last retransmission was found */
} marking_t;

static void note_tsn(sctpa_ladder_packet_t *packet, uint32_t tsn)
{
    const bool is_first = !(packet->flags & SCTPA_LADDER_HAS_TSN);
    if (is_first || sctpa_serial_distance(packet->first_tsn, tsn) < 0)
        packet->first_tsn = tsn;
    if (is_first || sctpa_serial_distance(packet->last_tsn, tsn) > 0)
        packet->last_tsn = tsn;
    packet->flags |= SCTPA_LADDER_HAS_TSN;
}

/* What became of a transmission: of rtx, NULL of the first one; next is the one after it, NULL none. Of one that was
 * not needed, an earlier one was acknowledged. */
static uint16_t outcome_of(const marking_t *marking, int64_t number, const sctpa_tsn_t *tsn, const sctpa_rtx_t *rtx,
                           const sctpa_rtx_t *next)
{
    const uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    const bool is_given_up = sctpa_direction_is_given_up(marking->direction, number, tsn);
    if (next && sctpa_rtx_counts(marking->direction, number, next) &&
        sctpa_rtx_shows_loss((sctpa_rtx_kind_t)next->kind, sctpa_direction_is_spurious(marking->direction, tsn, next)))
        return SCTPA_LADDER_LOST;
    if (!next && (is_given_up || acked == SCTPA_NO_PACKET_INDEX))
        return SCTPA_LADDER_NOT_ACKED;
    if (rtx && sctpa_direction_is_spurious(marking->direction, tsn, rtx))
        return 0;
    return !next || acked < next->packet ? SCTPA_LADDER_ARRIVED : 0;
}

static void note_again(sctpa_ladder_packet_t *packet, const sctpa_rtx_t *rtx, uint32_t first)
{
    packet->flags |= SCTPA_LADDER_REPEATS | (rtx->kind == SCTPA_RTX_TIMEOUT ? SCTPA_LADDER_T3 : 0);
    if (packet->cause != 0)
        return;
    packet->cause = 1 + rtx->kind;
    packet->repeats = first;
}

static const sctpa_record_t *record_of(const sctpa_ladder_t *ladder, uint32_t packet)
{
    return &g_array_index(ladder->source.tracker->records, sctpa_record_t, packet);
}

/* The packet of an index, to be changed; NULL none. *hint: where the last one was found, 0 at first. O(1) near it, else
 * O(log packets). */
static sctpa_ladder_packet_t *ladder_seek(const sctpa_ladder_t *ladder, uint32_t packet, uint32_t *hint)
{
    if (packet >= ladder->source.tracker->records->len)
        return NULL;
    while (record_of(ladder, packet)->remarks & SCTPA_CAPTURE_DUPLICATE)
        packet = record_of(ladder, packet)->rows;
    for (uint32_t near = *hint; near < MIN(ladder->n, *hint + 2); near++)
        if (nth(ladder, near)->packet == packet)
            return nth(ladder, *hint = near);
    const uint32_t at = sctpa_records_from(ladder->packets, ladder->n, sizeof *ladder->packets, packet);
    return at < ladder->n && nth(ladder, at)->packet == packet ? nth(ladder, *hint = at) : NULL;
}

static void take_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    marking_t *marking = user;
    const uint32_t serial = sctpa_direction_serial(marking->direction, number);
    const sctpa_rtx_t *next = NULL;
    for (uint32_t at = tsn->more; at != 0;) {
        const sctpa_rtx_t *rtx = sctpa_direction_rtx(marking->direction, at);
        sctpa_ladder_packet_t *packet = ladder_seek(marking->ladder, rtx->packet, &marking->hint_again);
        if (packet) {
            note_tsn(packet, serial);
            if (sctpa_rtx_counts(marking->direction, number, rtx))
                note_again(packet, rtx, tsn->first_packet);
            packet->flags |= outcome_of(marking, number, tsn, rtx, next);
        }
        next = rtx;
        at = rtx->link.before;
    }
    sctpa_ladder_packet_t *packet = ladder_seek(marking->ladder, tsn->first_packet, &marking->hint);
    if (!packet)
        return;
    note_tsn(packet, serial);
    packet->flags |= outcome_of(marking, number, tsn, NULL, next) |
                     (tsn->state & SCTPA_TSN_EARLIER_UNSEEN ? (uint16_t)SCTPA_LADDER_REPEATS : 0);
}

static void take_heartbeats(marking_t *marking)
{
    const sctpa_records_t *heartbeats = &marking->direction->rare->heartbeats;
    for (uint32_t i = 0; i < heartbeats->len; i++) {
        const sctpa_heartbeat_t *heartbeat = &SCTPA_RECORD(heartbeats, sctpa_heartbeat_t, i);
        sctpa_ladder_packet_t *packet = ladder_seek(marking->ladder, heartbeat->packet, &marking->hint);
        if (packet && heartbeat->answer_packet == SCTPA_NO_PACKET_INDEX)
            packet->flags |= SCTPA_LADDER_NO_ANSWER;
        else if (packet)
            packet->flags |= SCTPA_LADDER_ARRIVED;
    }
}

/* Notes of each packet what its data says. O(n log n) for n TSNs and transmissions. */
static void ladder_take_data(sctpa_ladder_t *ladder)
{
    for (unsigned end = 0; end < 2; end++) {
        marking_t marking = { .ladder = ladder, .direction = ladder->source.sent[end] };
        if (!marking.direction)
            continue;
        sctpa_direction_each(marking.direction, take_tsn, &marking);
        take_heartbeats(&marking);
    }
    for (uint32_t i = 0; i < ladder->n; i++) {
        sctpa_ladder_packet_t *packet = &ladder->packets[i];
        if (packet->flags & SCTPA_LADDER_ARRIVED)
            packet->flags &= (uint16_t)~SCTPA_LADDER_LOST;
    }
}

bool sctpa_ladder_sack(const sctpa_ladder_t *ladder, const sctpa_ladder_packet_t *packet, sctpa_packet_sack_t *sack)
{
    const sctpa_direction_t *direction = ladder->source.sent[!packet->from];
    *sack = (sctpa_packet_sack_t){ 0 };
    if (!direction || !(packet->rows & SCTPA_SACK_ROWS))
        return false;
    bool is_there = sctpa_past_add_sack(direction, packet->packet, sack);
    if (packet->again != SCTPA_NO_PACKET_INDEX)
        is_there |= sctpa_past_add_sack(direction, packet->again, sack);
    return is_there;
}

G_STATIC_ASSERT(sizeof(sctpa_ladder_packet_t) == 56);

/* What the walk remembers. */
typedef struct {
    sctpa_ladder_t *ladder;
    uint64_t waiting[2]; /* the request that each endpoint sent last, with nothing from its peer since; 0 none */
    uint32_t hint;       /* for ladder_seek */
} walk_t;

/* Of an address of an endpoint; those that it does not know share the last lane. */
static uint8_t lane_of(const sctpa_end_t *end, const sctpa_addr_t *addr)
{
    unsigned i = 0;
    while (i + 1 < end->n_addrs && &end->addrs[i].addr != addr)
        i++;
    return (uint8_t)i;
}

/* RFC 9260 5.1, 9.2: a request that is sent again though nothing came in between: its timer expired. */
static uint16_t timers_of(walk_t *walk, const sctpa_ladder_packet_t *packet)
{
    const uint64_t t1 = SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO), t2 = SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK);
    const uint64_t requests = packet->rows & (t1 | t2), again = requests & walk->waiting[packet->from];
    walk->waiting[!packet->from] = 0;
    walk->waiting[packet->from] = requests ? requests : walk->waiting[packet->from];
    return (uint16_t)((again & t1 ? SCTPA_LADDER_T1 : 0) | (again & t2 ? SCTPA_LADDER_T2 : 0));
}

static void add_packet(walk_t *walk, uint32_t index, const sctpa_record_t *record, uint8_t from)
{
    const sctpa_assoc_t *assoc = &walk->ladder->source.tracked->assoc;
    const sctpa_end_t *sender = &assoc->ends[from];
    sctpa_ladder_packet_t packet = {
        .time_ns = g_array_index(walk->ladder->source.tracker->store.stamps, sctpa_stamp_t, index).time_ns,
        .packet = index,
        .again = SCTPA_NO_PACKET_INDEX,
        .repeats = SCTPA_NO_PACKET_INDEX,
        .rows = record->rows,
        .from = from,
    };
    if (record->pair < sender->n_pairs) {
        packet.source = lane_of(sender, sender->pairs[record->pair]->source);
        packet.destination = lane_of(&assoc->ends[!from], sender->pairs[record->pair]->destination);
    }
    packet.flags = record->remarks & SCTPA_CAPTURE_STRAY ? SCTPA_LADDER_STRAY : timers_of(walk, &packet);
    sctpa_ladder_t *ladder = walk->ladder;
    if (ladder->n == ladder->room) {
        ladder->room = sctpa_records_more(ladder->room, 1);
        ladder->packets = g_renew(sctpa_ladder_packet_t, ladder->packets, ladder->room);
    }
    ladder->packets[ladder->n++] = packet;
}

/* Seen once more: at the other of two taps, or again at the same one, which tells nothing new. */
static void add_again(walk_t *walk, uint32_t index)
{
    sctpa_ladder_packet_t *first = ladder_seek(walk->ladder, index, &walk->hint);
    const GArray *stamps = walk->ladder->source.tracker->store.stamps;
    if (first && first->again == SCTPA_NO_PACKET_INDEX &&
        sctpa_stamp_interface(&g_array_index(stamps, sctpa_stamp_t, index)) !=
            sctpa_stamp_interface(&g_array_index(stamps, sctpa_stamp_t, first->packet)))
        first->again = index;
}

static void add_packets(sctpa_ladder_t *ladder)
{
    const sctpa_tracker_t *tracker = ladder->source.tracker;
    walk_t walk = { .ladder = ladder };
    uint32_t index = sctpa_record_from(tracker->records, ladder->source.tracked->assoc.first_frame);
    for (; index < tracker->records->len; index++) {
        const sctpa_record_t *record = record_of(ladder, index);
        uint8_t from;
        if (record->frame > ladder->source.last_frame)
            break;
        if (record->assoc == SCTPA_NO_ASSOC ||
            sctpa_record_assoc(tracker, record, index, &from) != ladder->source.tracked)
            continue;
        if (record->remarks & SCTPA_CAPTURE_DUPLICATE)
            add_again(&walk, index);
        else
            add_packet(&walk, index, record, from);
    }
}

static int time_order(gconstpointer a, gconstpointer b, gpointer user)
{
    const sctpa_ladder_t *ladder = user;
    const int64_t x = nth(ladder, *(const uint32_t *)a)->time_ns, y = nth(ladder, *(const uint32_t *)b)->time_ns;
    return x < y ? -1 : x > y;
}

static void order_by_time(sctpa_ladder_t *ladder)
{
    bool is_ordered = true;
    for (uint32_t i = 1; is_ordered && i < ladder->n; i++)
        is_ordered = nth(ladder, i - 1)->time_ns <= nth(ladder, i)->time_ns;
    if (is_ordered)
        return;
    GArray *order = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), ladder->n);
    for (uint32_t i = 0; i < ladder->n; i++)
        g_array_append_val(order, i);
    sctpa_order(order, time_order, ladder);
    ladder->by_time = (uint32_t *)(void *)g_array_free(order, FALSE);
}

static void count_one(sctpa_ladder_count_t *count, const sctpa_ladder_packet_t *packet)
{
    const unsigned from = packet->from & 1;
    count->packets[from]++;
    count->data[from] += (packet->rows & SCTPA_DATA_ROWS) != 0;
    count->sacks[from] += (packet->rows & SCTPA_SACK_ROWS) != 0;
    count->repeats[from] += (packet->flags & SCTPA_LADDER_REPEATS) != 0;
    count->lost[from] += (packet->flags & SCTPA_LADDER_LOST) != 0;
}

static void add_sums(sctpa_ladder_t *ladder)
{
    sctpa_ladder_count_t sum = { 0 };
    ladder->sums = g_array_sized_new(FALSE, FALSE, sizeof sum, ladder->n / SCTPA_LADDER_BLOCK + 1);
    for (uint32_t i = 0; i < ladder->n; i++) {
        if (i % SCTPA_LADDER_BLOCK == 0)
            g_array_append_val(ladder->sums, sum);
        count_one(&sum, sctpa_ladder_at(ladder, i));
    }
    g_array_append_val(ladder->sums, sum);
}

sctpa_ladder_t *sctpa_ladder_make(const sctpa_ladder_source_t *source)
{
    sctpa_ladder_t *ladder = g_new0(sctpa_ladder_t, 1);
    ladder->source = *source;
    ladder->room = source->n_packets;
    ladder->packets = g_new(sctpa_ladder_packet_t, ladder->room);
    add_packets(ladder);
    ladder_take_data(ladder);
    ladder_take_times(ladder);
    order_by_time(ladder);
    add_sums(ladder);
    return ladder;
}

void sctpa_ladder_free(sctpa_ladder_t *ladder)
{
    if (!ladder)
        return;
    g_free(ladder->packets);
    g_array_unref(ladder->sums);
    g_free(ladder->by_time);
    g_free(ladder);
}

sctpa_ladder_far_t sctpa_ladder_far(const sctpa_ladder_t *ladder)
{
    return ladder->far;
}

int64_t sctpa_ladder_shift_ns(const sctpa_ladder_t *ladder, uint8_t end)
{
    return ladder->shift_ns[end & 1];
}

bool sctpa_ladder_has_rtt(const sctpa_ladder_t *ladder, uint8_t end)
{
    return ladder->far == SCTPA_LADDER_ONE_TAP && ladder->source.tap_rtt_ns[end & 1] >= 0;
}

bool sctpa_ladder_is_aligned(const sctpa_ladder_t *ladder)
{
    return ladder->is_aligned;
}

int64_t sctpa_ladder_reach_ns(const sctpa_ladder_t *ladder)
{
    return ladder->reach_ns;
}

uint32_t sctpa_ladder_length(const sctpa_ladder_t *ladder)
{
    return ladder->n;
}

const sctpa_ladder_packet_t *sctpa_ladder_at(const sctpa_ladder_t *ladder, uint32_t position)
{
    return nth(ladder, ladder->by_time ? ladder->by_time[position] : position);
}

uint32_t sctpa_ladder_before(const sctpa_ladder_t *ladder, int64_t time_ns)
{
    uint32_t low = 0, high = ladder->n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sctpa_ladder_at(ladder, middle)->time_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const sctpa_ladder_packet_t *sctpa_ladder_find(const sctpa_ladder_t *ladder, uint32_t packet)
{
    return ladder_seek(ladder, packet, &(uint32_t){ 0 });
}

/* Of all before a position. */
static sctpa_ladder_count_t sum_before(const sctpa_ladder_t *ladder, uint32_t position)
{
    const uint32_t block = position / SCTPA_LADDER_BLOCK;
    sctpa_ladder_count_t sum = g_array_index(ladder->sums, sctpa_ladder_count_t, MIN(block, ladder->sums->len - 1));
    for (uint32_t i = block * SCTPA_LADDER_BLOCK; i < position; i++)
        count_one(&sum, sctpa_ladder_at(ladder, i));
    return sum;
}

void sctpa_ladder_count(const sctpa_ladder_t *ladder, uint32_t from, uint32_t to, sctpa_ladder_count_t *count)
{
    const sctpa_ladder_count_t before = sum_before(ladder, from), all = sum_before(ladder, to);
    for (unsigned end = 0; end < 2; end++) {
        count->packets[end] = all.packets[end] - before.packets[end];
        count->data[end] = all.data[end] - before.data[end];
        count->sacks[end] = all.sacks[end] - before.sacks[end];
        count->repeats[end] = all.repeats[end] - before.repeats[end];
        count->lost[end] = all.lost[end] - before.lost[end];
    }
}
