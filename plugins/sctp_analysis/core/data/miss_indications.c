/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Miss indications, counted when they are asked for: the log of what SACKs acknowledged is read backwards. */
#include "direction_internal.h"

#include "base/serial.h"

enum { SACKS_LOOKED_AT = 256 };

static uint32_t first_after(const sctpa_records_t *acked, uint32_t packet)
{
    uint32_t oldest = acked->len > SACKS_LOOKED_AT ? acked->len - SACKS_LOOKED_AT : 0, at = acked->len;
    while (at > oldest && SCTPA_RECORD(acked, sctpa_acked_t, at - 1).packet > packet)
        at--;
    return at;
}

/* RFC 9260 7.2.4: a TSN above it is newly acknowledged; or in fast recovery the cum_tsn advanced and it is reported
 * missing. */
static bool is_miss(const sctpa_acked_t *acked, uint32_t serial)
{
    return sctpa_serial_distance(serial, acked->highest) > 0 ||
           (acked->advanced && sctpa_serial_distance(serial, acked->reported_to) > 0);
}

sctpa_miss_indications_t sctpa_miss_indications_since(const sctpa_direction_t *direction, int64_t number,
                                                      uint32_t since_packet, int64_t from_ns, int64_t seen_by_ns)
{
    sctpa_miss_indications_t misses = { .third = SCTPA_NO_PACKET_INDEX };
    uint32_t serial = sctpa_direction_serial(direction, number);
    for (uint32_t at = first_after(&direction->acked, since_packet); at < direction->acked.len; at++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(&direction->acked, sctpa_acked_t, at);
        bool higher = sctpa_serial_distance(serial, acked->highest) > 0;
        bool reported = sctpa_serial_distance(serial, acked->reported_to) > 0;
        int64_t time_ns = sctpa_direction_time_ns(direction, acked->packet);
        if (time_ns > seen_by_ns)
            break;
        if (time_ns < from_ns)
            continue;
        misses.reports += reported;
        if (!is_miss(acked, serial))
            continue;
        misses.packets += MAX(acked->gap_packets, 1);
        misses.outside_recovery += higher;
        if (misses.n < SCTPA_MISSES_FAST && ++misses.n == SCTPA_MISSES_FAST)
            misses.third = acked->packet;
        if (misses.outside_recovery == SCTPA_MISSES_FAST)
            break;
    }
    return misses;
}

unsigned sctpa_miss_indications_of_path(sctpa_direction_t *direction, int64_t number, uint32_t since_packet,
                                        int64_t from_ns, int64_t seen_by_ns)
{
    const sctpa_tsn_t *tsn = sctpa_pages_find(direction, number);
    uint32_t serial = sctpa_direction_serial(direction, number);
    unsigned n = 0;
    if (!tsn)
        return 0;
    for (uint32_t at = first_after(&direction->acked, since_packet); at < direction->acked.len && n < SCTPA_MISSES_FAST;
         at++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(&direction->acked, sctpa_acked_t, at);
        int64_t time_ns = sctpa_direction_time_ns(direction, acked->packet);
        if (time_ns < from_ns || time_ns > seen_by_ns || !is_miss(acked, serial))
            continue;
        const sctpa_tsn_t *other = sctpa_pages_find(direction, sctpa_direction_unwrap(direction, acked->highest));
        n += !other || other->path == tsn->path;
    }
    return n;
}

unsigned sctpa_direction_misses(const sctpa_direction_t *direction, int64_t number, uint32_t packet, uint32_t until)
{
    const sctpa_records_t *all = &direction->acked;
    const uint32_t serial = sctpa_direction_serial(direction, number);
    const uint32_t from = sctpa_records_from(all->data, all->len, sizeof(sctpa_acked_t), packet);
    unsigned n = 0;
    for (uint32_t at = from; at < all->len && at - from < SACKS_LOOKED_AT && n < SCTPA_MISSES_FAST; at++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(all, sctpa_acked_t, at);
        if (acked->packet >= until)
            break;
        n += sctpa_serial_distance(serial, acked->highest) > 0;
    }
    return n;
}
