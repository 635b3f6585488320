/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Was a TSN that passed behind higher ones delayed on its way, or was what passed a retransmission? The identification
 * of its IPv4 packet tells: a sender that counts its packets gave a packet that it sent before those with higher TSNs a
 * lower one, and a retransmission of what they showed to be missing a higher one. */
#include "direction_internal.h"

#include "wire/protocol_parameters.h"

enum {
    NEIGHBOURS = 16, /* TSNs that are looked at on each side */
    SPAN = 32 /* identifications between neighbours: numbers drawn at random lie so near on both sides once in 2^22 */
};

static uint16_t id_of(const sctpa_direction_t *direction, uint32_t packet)
{
    return sctpa_stamp_ip_id(&g_array_index(direction->store->stamps, sctpa_stamp_t, packet));
}

/* Has before a lower identification than after, by SPAN at most? */
static bool is_next(uint16_t before, uint16_t after)
{
    const uint16_t step = (uint16_t)(after - before);
    return before != 0 && after != 0 && step > 0 && step <= SPAN;
}

/* The next TSN above number that passed before tsn, in its place: of those, it was the first to be sent. NULL: none
 * near. *number: which. */
static const sctpa_tsn_t *next_above(const sctpa_direction_t *direction, int64_t *number, const sctpa_tsn_t *tsn)
{
    const int64_t most = *number + NEIGHBOURS;
    while (++*number <= most) {
        const sctpa_tsn_t *above = sctpa_direction_tsn(direction, *number);
        if (above && above->transmissions > 0 && !(above->state & SCTPA_TSN_BEHIND) &&
            above->first_packet < tsn->first_packet)
            return above;
    }
    return NULL;
}

/* Was one of the TSNs below sent right before the packet with that identification? */
static bool follows_below(const sctpa_direction_t *direction, int64_t number, uint16_t id)
{
    for (int64_t at = number - 1; at >= number - NEIGHBOURS && at >= -1; at--) {
        const sctpa_tsn_t *below = sctpa_direction_tsn(direction, at);
        if (below && below->transmissions > 0 && is_next(id_of(direction, below->first_packet), id))
            return true;
    }
    return false;
}

/* Was one of the TSNs above, which passed in its place, sent right after the packet with that identification? */
static bool is_followed_above(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn, uint16_t id)
{
    const sctpa_tsn_t *above = next_above(direction, &number, tsn);
    return above && is_next(id, id_of(direction, above->first_packet));
}

/* Does a TSN near show that identifications are counted: has its packet one near that of packet, and another? */
static bool is_counted_near(const sctpa_direction_t *direction, int64_t number, uint16_t id)
{
    for (int64_t at = MAX(number - NEIGHBOURS, 0); at <= number + NEIGHBOURS; at++) {
        const sctpa_tsn_t *near = sctpa_direction_tsn(direction, at);
        const uint16_t id_near = near && near->transmissions > 0 ? id_of(direction, near->first_packet) : 0;
        if (at < number ? is_next(id_near, id) : is_next(id, id_near))
            return true;
    }
    return false;
}

bool sctpa_rtx_is_doubled(const sctpa_direction_t *direction, int64_t number, const sctpa_rtx_t *rtx)
{
    const sctpa_stamp_t *stamp = sctpa_direction_stamp(direction, rtx->packet),
                        *before = sctpa_direction_stamp(direction, rtx->previous);
    const uint16_t id = sctpa_stamp_ip_id(stamp);
    return id != 0 && id == sctpa_stamp_ip_id(before) && !rtx->is_other_message && rtx->misses < SCTPA_MISSES_FAST &&
           sctpa_stamp_interface(stamp) == sctpa_stamp_interface(before) && stamp->wire_bytes == before->wire_bytes &&
           ABS(stamp->time_ns - before->time_ns) < SCTPA_RTO_MIN_NS && is_counted_near(direction, number, id);
}

sctpa_known_t sctpa_tsn_is_late_original(const sctpa_tsn_t *tsn)
{
    return tsn->flags & SCTPA_TSN_OVERTAKEN                                        ? SCTPA_YES
           : !(tsn->state & SCTPA_TSN_BEHIND) || tsn->flags & SCTPA_TSN_SENT_AFTER ? SCTPA_NO
                                                                                   : SCTPA_UNKNOWN;
}

int64_t sctpa_direction_late_ns(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn)
{
    const sctpa_tsn_t *above = next_above(direction, &number, tsn);
    return above ? sctpa_direction_time_ns(direction, tsn->first_packet) -
                       sctpa_direction_time_ns(direction, above->first_packet)
                 : 0;
}

/* Was the packet with that identification sent right after the one that was the newest by then, whose sender counts
 * its packets? */
static bool follows_newest(const sctpa_direction_t *direction, uint16_t id)
{
    const sctpa_tsn_t *newest = sctpa_direction_tsn(direction, direction->highest);
    const uint16_t id_newest = newest ? id_of(direction, newest->first_packet) : 0;
    return is_next(id_newest, id) && follows_below(direction, direction->highest, id_newest);
}

sctpa_known_t sctpa_reordering_judge(const sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn,
                                     bool *is_retransmission)
{
    int64_t at = number;
    const uint16_t id = id_of(direction, tsn->first_packet);
    const sctpa_tsn_t *above = id != 0 ? next_above(direction, &at, tsn) : NULL;
    *is_retransmission = false;
    if (!above)
        return SCTPA_UNKNOWN;
    const uint16_t id_above = id_of(direction, above->first_packet);
    if (is_next(id, id_above) &&
        (follows_below(direction, number, id) || is_followed_above(direction, at, tsn, id_above)))
        return SCTPA_YES;
    const bool is_after_above = is_next(id_above, id);
    *is_retransmission =
        follows_newest(direction, id) || (is_after_above && follows_below(direction, number, id_above));
    return *is_retransmission || is_after_above ? SCTPA_NO : SCTPA_UNKNOWN;
}
