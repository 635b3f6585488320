/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The band of cwnd: where the capture leaves open what the best-fitting sender did, the least and the most that it may
 * have instead are followed beside it, until evidence decides. Leaves out what widens the band (cwnd_data.c,
 * cwnd_acks.c) and the evidence (cwnd_fit.c). */
#include "cwnd_paths.h"

bool sctpa_cwnd_may_cut(const sctpa_cwnd_sender_t *sender)
{
    return !sender->is_far && (sender->best == SCTPA_MEMBER_BURSTS || sender->announced == SCTPA_MEMBER_BURSTS + 1);
}

bool sctpa_cwnd_may_miscount(const sctpa_cwnd_sender_t *sender)
{
    return sender->has_repeated && sender->announced == sender->best + 1 && sctpa_member_miscounts(sender->best);
}

void sctpa_cwnd_raise_most(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, uint64_t bytes)
{
    sctpa_member_t *most = &path->members[SCTPA_MOST];
    most->cwnd = (uint32_t)MIN(MAX(MAX(most->cwnd, path->members[sender->best].cwnd), bytes), UINT32_MAX - 1);
}

unsigned sctpa_cwnd_follows(const sctpa_cwnd_sender_t *sender, unsigned i)
{
    return i < SCTPA_FAMILY ? i : i == SCTPA_LEAST && sctpa_cwnd_may_cut(sender) ? SCTPA_MEMBER_BURSTS : sender->best;
}

void sctpa_cwnd_widen(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, const sctpa_member_t *other)
{
    sctpa_member_t *least = &path->members[SCTPA_LEAST], *most = &path->members[SCTPA_MOST];
    const sctpa_member_t *best = &path->members[sender->best];
    if (least->cwnd >= best->cwnd)
        *least = *best;
    if (most->cwnd <= best->cwnd)
        *most = *best;
    if (other->cwnd < least->cwnd)
        *least = *other;
    if (other->cwnd > most->cwnd)
        *most = *other;
}

void sctpa_cwnd_settle_band(const sctpa_cwnd_sender_t *sender, unsigned before)
{
    for (uint32_t i = 0; i < sender->n_paths; i++) {
        sctpa_member_t *members = sender->paths[i].members;
        if (members && members[SCTPA_LEAST].cwnd >= members[before].cwnd)
            members[SCTPA_LEAST] = members[sender->best];
        if (members && members[SCTPA_MOST].cwnd <= members[before].cwnd)
            members[SCTPA_MOST] = members[sender->best];
    }
}

/* What a sender counts at least: cwnd is not fully utilized where that is open. */
static void count_least(const sctpa_cwnd_sender_t *sender, sctpa_acking_t *acking)
{
    if (sender->is_cut || sender->losses->abandoned_to >= 0 || (acking->is_sending && sctpa_cwnd_may_cut(sender))) {
        acking->flight = (sctpa_amount_t){ 0 };
        acking->is_sending = false;
    }
}

/* What a sender counts at most. It takes a SACK after what earlier ones that wait let it send, and, in slow start,
 * after a packet of an application that hands over data just then. */
static void count_most(const sctpa_cwnd_sender_t *sender, const sctpa_cwnd_path_t *path, sctpa_acking_t *acking)
{
    const sctpa_member_t *member = &path->members[SCTPA_MOST];
    sctpa_amount_t *flight = &acking->flight;
    if (sctpa_cwnd_may_cut(sender) && path->is_behind)
        flight->bytes =
            MAX(flight->bytes, MIN(flight->bytes + 2 * (uint64_t)path->waiting_bytes, sender->a_rwnd_bytes));
    if (sctpa_cwnd_may_cut(sender) && !acking->is_steady && member->cwnd <= member->ssthresh)
        flight->bytes += sender->tsn_bytes;
    if (sctpa_cwnd_may_miscount(sender))
        flight->bytes = MAX(flight->bytes, member->cwnd);
    if (sender->is_cut) {
        flight->bytes = MAX(flight->bytes, sender->a_rwnd_bytes);
        acking->acked.bytes += acking->unseen * sender->tsn_bytes;
    }
}

/* What was less has grown beyond what was more, by another phase of growth. */
static void order_band(sctpa_cwnd_path_t *path, uint32_t unit)
{
    sctpa_member_t *least = &path->members[SCTPA_LEAST], *most = &path->members[SCTPA_MOST];
    if (least->cwnd <= most->cwnd + unit / 2)
        return;
    sctpa_member_t greater = *least;
    *least = *most;
    *most = greater;
}

void sctpa_cwnd_grow_band(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, const sctpa_acking_t *acking)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    sctpa_acking_t least = *acking, most = *acking;
    unsigned careful = sctpa_cwnd_follows(sender, SCTPA_LEAST);
    count_least(sender, &least);
    count_most(sender, path, &most);
    sctpa_member_acked(careful, &path->members[SCTPA_LEAST], &sizes, &least);
    sctpa_member_acked(sender->best, &path->members[SCTPA_MOST], &sizes, &most);
    sctpa_member_sent(careful, &path->members[SCTPA_LEAST], &sizes, sctpa_cwnd_unmarked(path));
    order_band(path, sctpa_member_unit(sender->best, &sizes));
}

void sctpa_cwnd_widen_by_timeout(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path,
                                 const sctpa_member_t *before)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    sctpa_member_t timed_out = *before;
    sctpa_member_timeout(sender->best, &timed_out, &sizes, false);
    sctpa_cwnd_widen(sender, path, &timed_out);
}

void sctpa_cwnd_widen_by_silence(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, bool is_window_open)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    const sctpa_member_t *best = &path->members[sender->best];
    uint64_t flight = sctpa_member_bytes(sender->best, &sizes, path->flight);
    if (sctpa_cwnd_may_cut(sender) && path->has_backlog && path->burst_packets == 0 && is_window_open &&
        best->cwnd > flight + sctpa_member_unit(sender->best, &sizes))
        sctpa_cwnd_widen_by_timeout(sender, path, best);
}

bool sctpa_cwnd_may_expire(const sctpa_cwnd_sender_t *sender, const sctpa_cwnd_path_t *path,
                           const sctpa_direction_t *sent, int64_t from_ns, int64_t to_ns)
{
    if (!sctpa_cwnd_may_cut(sender) || path->flight.bytes == 0)
        return false;
    int64_t expiry_ns = path->timer_ns + sctpa_cwnd_rto_ns(sent, (uint32_t)(path - sender->paths));
    return expiry_ns <= to_ns && expiry_ns + SCTPA_TICK_NS > from_ns;
}

void sctpa_cwnd_widen_by_reduction(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    sctpa_member_t careful = path->members[SCTPA_LEAST];
    careful.cwnd = careful.ssthresh = MAX(careful.cwnd / 2, sctpa_member_unit(sender->best, &sizes));
    sctpa_cwnd_widen(sender, path, &careful);
}

void sctpa_cwnd_bound_most(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    uint64_t flight = sctpa_member_bytes(sender->best, &sizes, path->flight);
    if (path->waiting_bytes == 0 &&
        path->members[SCTPA_MOST].cwnd > flight + 3 * sctpa_member_unit(sender->best, &sizes))
        path->members[SCTPA_MOST] = path->members[sender->best];
}
