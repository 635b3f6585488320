/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following identifications of IPv4 packets. */
#include "ip_ids.h"

#include "track/tracker.h"

enum {
    WINDOW = 32, /* identifications before the highest that may still pass: the bits of missing */
    JUMP = 16    /* packets of several queues overtake each other by less */
};

/* In a longer silence 65,536 packets may have passed unseen, so that the count goes on as if there had been none: one
 * in a millisecond, of an endpoint that neither sends new data nor acknowledges any, which its next packets would show.
 */
static const int64_t silence_ns = 65536 * SCTPA_NS_PER_MS;

static int64_t time_ns(const sctpa_tracker_t *tracker, uint32_t packet)
{
    return g_array_index(tracker->store.stamps, sctpa_stamp_t, packet).time_ns;
}

static void count_step(sctpa_ip_ids_t *ids, int step)
{
    if (ids->steps == UINT16_MAX) {
        ids->steps /= 2;
        ids->counted /= 2;
    }
    ids->steps++;
    ids->counted = (uint16_t)(ids->counted + (step == 1));
}

/* The identification is step beyond the highest: what lies between is missing. Where something that was missing has not
 * come in time, only what came since the last hole is sure. */
static void go_up(sctpa_ip_ids_t *ids, uint16_t id, int step, uint32_t index)
{
    const uint64_t missing = ((uint64_t)ids->missing << step) | ((UINT64_C(1) << (step - 1)) - 1);
    if (missing >> WINDOW)
        ids->since_packet = ids->since_missing;
    ids->missing = (uint32_t)missing;
    ids->highest = id;
    if (step > 1)
        ids->since_missing = index + 1;
}

/* Is it one of those that are missing? Then it is there. */
static bool comes_late(sctpa_ip_ids_t *ids, int step)
{
    if (step >= 0 || step < -WINDOW || !(ids->missing >> (-step - 1) & 1))
        return false;
    ids->missing &= ~(UINT32_C(1) << (-step - 1));
    return true;
}

static void begin_anew(sctpa_ip_ids_t *ids, uint16_t id, uint32_t index)
{
    ids->since_packet = ids->since_missing = index + 1;
    ids->missing = 0;
    ids->highest = id;
}

void sctpa_ip_ids_take(sctpa_ip_ids_t *ids, const sctpa_tracker_t *tracker, const sctpa_packet_t *packet,
                       uint32_t index)
{
    const uint16_t id = packet->ip_id;
    const int step = (int16_t)(uint16_t)(id - ids->highest);
    if (id == 0) {
        ids->since_packet = 0;
        return;
    }
    const bool is_silent =
        ids->since_packet > 0 && ABS(packet->time_ns - time_ns(tracker, ids->last_packet)) > silence_ns;
    if (ids->since_packet > 0)
        count_step(ids, step);
    if (ids->since_packet == 0 || is_silent)
        begin_anew(ids, id, index);
    else if (step > 0 && step <= JUMP)
        go_up(ids, id, step, index);
    else if (!comes_late(ids, step))
        begin_anew(ids, id, index);
    ids->last_packet = index;
}

static bool are_counted(const sctpa_ip_ids_t *ids)
{
    return ids->since_packet > 0 && ids->counted >= SCTPA_IP_IDS_LEAST && 2 * ids->counted > ids->steps;
}

bool sctpa_ip_ids_lack(const sctpa_ip_ids_t *ids, uint32_t since)
{
    return are_counted(ids) && ids->missing != 0 && ids->since_missing > since + 1;
}

uint32_t sctpa_ip_ids_since(const sctpa_ip_ids_t *ids)
{
    if (!are_counted(ids))
        return 0;
    return ids->missing ? ids->since_missing : ids->since_packet;
}

sctpa_known_t sctpa_ip_ids_hold_all(const sctpa_ip_ids_t *ids, uint32_t from, uint32_t to)
{
    const uint32_t since = sctpa_ip_ids_since(ids);
    return since > 0 && since <= from + 1 && to <= ids->last_packet ? SCTPA_YES : SCTPA_UNKNOWN;
}
