/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes of packets that were lost, and of those that arrived. */
#include "lost_sizes.h"

#include "data/t3.h"
#include "measure/measure.h"

enum { LOST_LEAST = 3 };

typedef struct {
    const sctpa_series_source_t *source;
    const sctpa_direction_t *direction;
    uint16_t path;
    int64_t rto_ns;
    GHashTable *lost; /* packets */
    sctpa_lost_sizes_t sizes;
    bool counts;      /* the second walk: what arrived meanwhile */
    uint32_t counted; /* the packet counted last */
} walk_t;

static uint32_t bytes_of(const walk_t *walk, uint32_t packet)
{
    return sctpa_direction_stamp(walk->direction, packet)->wire_bytes;
}

static void take_lost(walk_t *walk, uint32_t packet)
{
    sctpa_lost_sizes_t *sizes = &walk->sizes;
    if (walk->counts || walk->source->path(walk->source, packet) != walk->path ||
        !g_hash_table_add(walk->lost, GUINT_TO_POINTER(packet)))
        return;
    sizes->lost_least_bytes = MIN(sizes->lost_least_bytes, bytes_of(walk, packet));
    sizes->first_packet = MIN(sizes->first_packet, packet);
    sizes->last_packet = MAX(sizes->last_packet, packet);
    sizes->lost++;
}

static void take_arrived(walk_t *walk, uint32_t packet)
{
    sctpa_lost_sizes_t *sizes = &walk->sizes;
    if (walk->source->path(walk->source, packet) != walk->path)
        return;
    if (!walk->counts) {
        sizes->arrived_most_bytes = MAX(sizes->arrived_most_bytes, bytes_of(walk, packet));
    } else if (packet != walk->counted && packet > sizes->first_packet && packet < sizes->last_packet) {
        sizes->arrived++;
        walk->counted = packet;
    }
}

/* Did a SACK pass an RTO after a packet or later, which knows whether it arrived? */
static bool is_decided(const walk_t *walk, uint32_t packet)
{
    const sctpa_records_t *sacks = &walk->direction->sacks;
    return sacks->len > 0 &&
           sctpa_direction_time_ns(walk->direction, SCTPA_RECORD(sacks, sctpa_sack_record_t, sacks->len - 1).packet) -
                   sctpa_direction_time_ns(walk->direction, packet) >
               walk->rto_ns;
}

/* Of the packets with a TSN that was acked the last one arrived, but for those that repeat what had; of one that was
 * not, none did. */
static void take_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    (void)number;
    walk_t *walk = user;
    const uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    const bool is_acked = acked != SCTPA_NO_PACKET_INDEX;
    bool has_arrived = false;
    if (tsn->transmissions == 0 || tsn->state & (SCTPA_TSN_LATE | SCTPA_TSN_RENEGED | SCTPA_TSN_EARLIER_UNSEEN) ||
        (!is_acked && tsn->state & SCTPA_TSN_ABANDONED))
        return;
    for (uint32_t at = tsn->more; at > 0; at = sctpa_direction_rtx(walk->direction, at)->link.before) {
        const sctpa_rtx_t *rtx = sctpa_direction_rtx(walk->direction, at);
        if (sctpa_direction_is_spurious(walk->direction, tsn, rtx))
            continue;
        if (is_acked && !has_arrived)
            take_arrived(walk, rtx->packet);
        else if (is_acked || is_decided(walk, rtx->packet))
            take_lost(walk, rtx->packet);
        has_arrived = is_acked;
    }
    if (is_acked && !has_arrived)
        take_arrived(walk, tsn->first_packet);
    else if (is_acked || is_decided(walk, tsn->first_packet))
        take_lost(walk, tsn->first_packet);
}

/* In how many orders can so many losses and arrivals lie? Up to SCTPA_SIZES_BY_CHANCE. */
static uint64_t orders(uint32_t lost, uint32_t arrived)
{
    uint64_t n = 1;
    for (uint32_t i = 1; i <= MIN(lost, arrived) && n < SCTPA_SIZES_BY_CHANCE; i++)
        n = n * (MAX(lost, arrived) + i) / i;
    return n;
}

bool sctpa_lost_by_size(const sctpa_series_source_t *source, uint16_t path, sctpa_lost_sizes_t *sizes)
{
    const sctpa_direction_t *direction = source->direction;
    if (!direction || source->data_only || direction->rare->rtx.len == 0 || path >= direction->paths.len)
        return false;
    walk_t walk = { .source = source,
                    .direction = direction,
                    .path = path,
                    .rto_ns = sctpa_t3_rto_ns(direction, sctpa_direction_known_path(direction, path)),
                    .lost = g_hash_table_new(g_direct_hash, g_direct_equal),
                    .sizes = { .lost_least_bytes = UINT32_MAX, .first_packet = UINT32_MAX },
                    .counted = SCTPA_NO_PACKET_INDEX };
    sctpa_direction_each(direction, take_tsn, &walk);
    g_hash_table_destroy(walk.lost);
    const bool divides = walk.sizes.lost >= LOST_LEAST && walk.sizes.arrived_most_bytes < walk.sizes.lost_least_bytes;
    if (divides) {
        walk.counts = true;
        sctpa_direction_each(direction, take_tsn, &walk);
    }
    *sizes = walk.sizes;
    return divides && orders(sizes->lost, sizes->arrived) >= SCTPA_SIZES_BY_CHANCE;
}
