/* What the capture leaves open about the best-fitting sender: the least and the most cwnd that it may have instead,
 * followed beside it until evidence ends the doubt. Leaves out what raises it (cwnd_bands.c, cwnd_acks.c) and the
 * evidence (cwnd_fit.c). */
#include "cwnd_paths.h"

static const int64_t tick_ns = 10000000; /* by which a timer may be late */

bool sctpa_cwnd_may_cut(const sctpa_cwnd_end_t *end)
{
    return !end->is_far && (end->best == SCTPA_MEMBER_BURSTS || end->announced == SCTPA_MEMBER_BURSTS + 1);
}

unsigned sctpa_cwnd_follows(const sctpa_cwnd_end_t *end, unsigned i)
{
    return i < SCTPA_FAMILY ? i : i == SCTPA_LEAST && sctpa_cwnd_may_cut(end) ? SCTPA_MEMBER_BURSTS : end->best;
}

void sctpa_cwnd_doubt(const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, const sctpa_member_t *other)
{
    sctpa_member_t *least = &path->members[SCTPA_LEAST], *most = &path->members[SCTPA_MOST];
    const sctpa_member_t *best = &path->members[end->best];
    if (least->cwnd >= best->cwnd)
        *least = *best;
    if (most->cwnd <= best->cwnd)
        *most = *best;
    if (other->cwnd < least->cwnd)
        *least = *other;
    if (other->cwnd > most->cwnd)
        *most = *other;
}

void sctpa_cwnd_settle_doubts(const sctpa_cwnd_end_t *end, unsigned before)
{
    for (uint32_t i = 0; i < end->n_paths; i++) {
        sctpa_member_t *members = end->paths[i].members;
        if (members && members[SCTPA_LEAST].cwnd >= members[before].cwnd)
            members[SCTPA_LEAST] = members[end->best];
        if (members && members[SCTPA_MOST].cwnd <= members[before].cwnd)
            members[SCTPA_MOST] = members[end->best];
    }
}

/* What a sender counts at least: cwnd is not fully utilized where that is open. */
static sctpa_acking_t least_of(const sctpa_cwnd_end_t *end, const sctpa_acking_t *acking)
{
    sctpa_acking_t least = *acking;
    if (end->is_cut || end->losses->abandoned_to >= 0 || (acking->is_sending && sctpa_cwnd_may_cut(end))) {
        least.flight = (sctpa_amount_t){ 0 };
        least.is_sending = false;
    }
    return least;
}

/* What a sender counts at most. It takes a SACK after what earlier ones that wait let it send, and, in slow start,
 * after a packet of an application that hands over data just then. */
static sctpa_acking_t most_of(const sctpa_cwnd_end_t *end, const sctpa_cwnd_path_t *path, const sctpa_acking_t *acking)
{
    sctpa_acking_t most = *acking;
    const sctpa_member_t *member = &path->members[SCTPA_MOST];
    if (sctpa_cwnd_may_cut(end) && path->is_behind)
        most.flight.bytes =
            MAX(most.flight.bytes, MIN(most.flight.bytes + 2 * (uint64_t)path->waiting_bytes, end->a_rwnd_bytes));
    if (sctpa_cwnd_may_cut(end) && !acking->is_steady && member->cwnd <= member->ssthresh)
        most.flight.bytes += end->tsn_bytes;
    if (end->is_cut) {
        most.flight.bytes = MAX(most.flight.bytes, end->a_rwnd_bytes);
        most.acked.bytes += acking->unseen * end->tsn_bytes;
    }
    return most;
}

/* What was less has grown beyond what was more, by another phase of growth. */
static void order_doubts(sctpa_cwnd_path_t *path, uint32_t unit)
{
    sctpa_member_t *least = &path->members[SCTPA_LEAST], *most = &path->members[SCTPA_MOST];
    if (least->cwnd <= most->cwnd + unit / 2)
        return;
    sctpa_member_t greater = *least;
    *least = *most;
    *most = greater;
}

void sctpa_cwnd_grow_doubts(const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, const sctpa_acking_t *acking)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    sctpa_acking_t least = least_of(end, acking), most = most_of(end, path, acking);
    unsigned careful = sctpa_cwnd_follows(end, SCTPA_LEAST);
    sctpa_member_acked(careful, &path->members[SCTPA_LEAST], &sizes, &least);
    sctpa_member_acked(end->best, &path->members[SCTPA_MOST], &sizes, &most);
    sctpa_member_sent(careful, &path->members[SCTPA_LEAST], &sizes, sctpa_cwnd_unmarked(path));
    order_doubts(path, sctpa_member_unit(end->best, &sizes));
}

void sctpa_cwnd_doubt_timeout(const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, const sctpa_member_t *before)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    sctpa_member_t timed_out = *before;
    sctpa_member_timeout(end->best, &timed_out, &sizes, false);
    sctpa_cwnd_doubt(end, path, &timed_out);
}

void sctpa_cwnd_doubt_silence(const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path, bool is_window_open)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    const sctpa_member_t *best = &path->members[end->best];
    uint64_t flight = sctpa_member_bytes(end->best, &sizes, path->flight);
    if (sctpa_cwnd_may_cut(end) && path->has_backlog && path->burst_packets == 0 && is_window_open &&
        best->cwnd > flight + sctpa_member_unit(end->best, &sizes))
        sctpa_cwnd_doubt_timeout(end, path, best);
}

bool sctpa_cwnd_may_expire(const sctpa_cwnd_end_t *end, const sctpa_cwnd_path_t *path, const sctpa_direction_t *sent,
                           int64_t from_ns, int64_t to_ns)
{
    int64_t expiry_ns = path->timer_ns + sctpa_cwnd_rto_ns(sent, (uint32_t)(path - end->paths));
    return sctpa_cwnd_may_cut(end) && path->flight.bytes > 0 && expiry_ns <= to_ns && expiry_ns + tick_ns > from_ns;
}

void sctpa_cwnd_doubt_reduction(const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    sctpa_member_t careful = path->members[SCTPA_LEAST];
    careful.cwnd = careful.ssthresh = MAX(careful.cwnd / 2, sctpa_member_unit(end->best, &sizes));
    sctpa_cwnd_doubt(end, path, &careful);
}

void sctpa_cwnd_bound_most(const sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    uint64_t flight = sctpa_member_bytes(end->best, &sizes, path->flight);
    if (path->waiting_bytes == 0 && path->members[SCTPA_MOST].cwnd > flight + 3 * sctpa_member_unit(end->best, &sizes))
        path->members[SCTPA_MOST] = path->members[end->best];
}
