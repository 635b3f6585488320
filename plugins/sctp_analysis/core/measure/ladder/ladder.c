/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks the packets of an association, and answers who looks at them. What their data says stands in ladder_data.c,
 * when they left and arrived in ladder_times.c. */
#include "measure/order.h"
#include "track/identity/half_joining.h"
#include "track/packet_record.h"
#include "ladder_parts.h"

G_STATIC_ASSERT(sizeof(sctpa_ladder_packet_t) == 56);

/* What the walk remembers. */
typedef struct {
    sctpa_ladder_t *ladder;
    uint64_t waiting[2]; /* the request that each endpoint sent last, with nothing from its peer since; 0 none */
    uint32_t hint;       /* for sctpa_ladder_seek */
} walk_t;

static const sctpa_record_t *record_of(const sctpa_ladder_t *ladder, uint32_t packet)
{
    return &g_array_index(ladder->source.tracker->records, sctpa_record_t, packet);
}

static sctpa_ladder_packet_t *nth(const sctpa_ladder_t *ladder, uint32_t position)
{
    return &ladder->packets[position];
}

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
    sctpa_ladder_packet_t *first = sctpa_ladder_seek(walk->ladder, index, &walk->hint);
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
    sctpa_ladder_take_data(ladder);
    sctpa_ladder_take_times(ladder);
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

sctpa_ladder_packet_t *sctpa_ladder_seek(const sctpa_ladder_t *ladder, uint32_t packet, uint32_t *hint)
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

const sctpa_ladder_packet_t *sctpa_ladder_find(const sctpa_ladder_t *ladder, uint32_t packet)
{
    return sctpa_ladder_seek(ladder, packet, &(uint32_t){ 0 });
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
