/* Which senders of the family fit what was sent: the more packets a member would not have sent, or would have sent on
 * top, the less it fits. Leaves out how members change (sender_family.c). */
#include "cwnd_paths.h"

#include "reference/implementation.h"
#include "rules/data_sender/check_sender.h"

enum {
    STOPS_JUDGED = 8, /* in a round trip */
    HEADERS_MOST = 60 /* of IPv6, UDP and AUTH */
};
static const float keeps = 0.995F, better = 0.5F, not_announced = 3;
static const float fits_as_well = 2.5F; /* when all chunks were captured */

uint32_t sctpa_congestion_mtu(const sctpa_cwnd_end_t *end)
{
    return MAX(end->packet_bytes + HEADERS_MOST, SCTPA_ETHERNET_BYTES);
}

uint64_t sctpa_congestion_bound(const sctpa_cwnd_end_t *end, const sctpa_cwnd_path_t *path)
{
    return MAX(path->most_bytes, 4 * (uint64_t)sctpa_congestion_mtu(end));
}

/* What is outstanding before the packet for any sender: what is missing below the end of the gap blocks may be taken
 * for lost, or be given up. */
sctpa_amount_t sctpa_congestion_outstanding(const sctpa_direction_t *sent, const sctpa_cwnd_end_t *end,
                                            const sctpa_cwnd_path_t *path)
{
    int64_t known_to = MAX(sent->highest_gap_end, sent->cum_tsn);
    if (!sctpa_direction_has_gaps(sent))
        return path->flight;
    uint64_t chunks = end->highest > known_to ? MIN(path->flight.chunks, (uint64_t)(end->highest - known_to)) : 0;
    return (sctpa_amount_t){ MIN(path->flight.bytes, chunks * end->tsn_bytes), chunks };
}

sctpa_sizes_t sctpa_cwnd_sizes(const sctpa_cwnd_end_t *end)
{
    sctpa_sizes_t sizes = { MAX(end->packet_bytes, 512), SCTPA_ETHERNET_BYTES, (end->overhead_sixteenths + 8) / 16 };
    if (sizes.packet_bytes + 20 > SCTPA_ETHERNET_BYTES)
        sizes.mtu_bytes = sizes.packet_bytes + 20;
    return sizes;
}

float sctpa_cwnd_misfit(const sctpa_cwnd_end_t *end, unsigned number)
{
    bool is_announced = end->announced == number + 1 || end->announced == SCTPA_MEMBER_UNKNOWN + 1;
    return end->misfits[number] + (end->announced == number + 1 ? 0 : sctpa_member_handicap(number)) +
           (is_announced ? 0 : not_announced);
}

float sctpa_cwnd_misfit_most(const sctpa_cwnd_end_t *end)
{
    return sctpa_cwnd_misfit(end, end->best) + (end->is_cut ? 2 : 1) * fits_as_well;
}

static void choose(sctpa_cwnd_end_t *end)
{
    unsigned before = end->best;
    float least = sctpa_cwnd_misfit(end, before);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        if (end->misfits[i] + better >= least)
            continue;
        float misfit = sctpa_cwnd_misfit(end, i);
        if (misfit + better >= least)
            continue;
        end->best = (uint8_t)i;
        least = misfit;
    }
    if (end->best != before)
        sctpa_cwnd_settle_doubts(end, before);
}

void sctpa_cwnd_begin(const sctpa_context_t *c, sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    if (path->members)
        return;
    if (end->announced == 0) {
        end->announced = (uint8_t)(sctpa_implementation_sender(c, end == sctpa_congestion_end(c, 1)) + 1);
        choose(end);
    }
    path->members = sctpa_arena_alloc(&c->store->arena, SCTPA_FOLLOWED * sizeof *path->members);
    for (unsigned i = 0; i < SCTPA_FOLLOWED; i++)
        sctpa_member_begin(sctpa_cwnd_follows(end, i), &path->members[i], &sizes);
    for (unsigned i = 0; path->is_probed && i < SCTPA_FAMILY; i++)
        sctpa_member_idle(i, &path->members[i], &sizes, 1, true);
}

static void penalise(sctpa_cwnd_end_t *end, unsigned number, double packets)
{
    end->misfits[number] += (float)MIN(packets, 4);
}

static void forget(sctpa_cwnd_end_t *end)
{
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        end->misfits[i] *= keeps;
}

bool sctpa_cwnd_is_recovering(const sctpa_cwnd_end_t *end, int64_t cum_tsn)
{
    return end->losses->recovery_to > cum_tsn;
}

/* New data leaves with so much outstanding that a member would have waited: its cwnd is larger than it thinks. */
void sctpa_cwnd_check_sending(const sctpa_context_t *c, sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path)
{
    const sctpa_direction_t *sent = c->sent;
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    sctpa_amount_t outstanding = sctpa_congestion_outstanding(sent, end, path);
    bool recovering = sctpa_cwnd_is_recovering(end, sent->cum_tsn);
    path->may_have_expired = false;
    if (sent->seldom->abandoned_to >= 0) { /* what is outstanding may have been given up and not be told yet */
        sctpa_member_t *most = &path->members[SCTPA_MOST];
        most->cwnd = (uint32_t)MAX(MAX(most->cwnd, path->members[end->best].cwnd),
                                   sctpa_member_bytes(end->best, &sizes, outstanding));
        return;
    }
    forget(end);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        uint64_t flight = sctpa_member_bytes(i, &sizes, outstanding);
        uint32_t unit = sctpa_member_unit(i, &sizes);
        if (i == SCTPA_MEMBER_BURSTS && flight >= path->members[i].cwnd && flight < path->uncut_cwnd)
            path->members[i].cwnd = path->uncut_cwnd; /* SACKs wait to be taken: it was cut for nothing */
        if (flight < path->members[i].cwnd)
            continue;
        double packets = 0.25 + (double)(flight - path->members[i].cwnd) / unit;
        penalise(end, i, recovering ? MIN(packets, 0.25) : packets);
        if (i == end->best && packets > 2 && end->losses->recovery_to >= 0)
            sctpa_cwnd_losses(c, end)->recovery_to = -1;
        path->members[i].cwnd = (uint32_t)MIN(flight + 1, UINT32_MAX - 1);
    }
    uint64_t flight = sctpa_member_bytes(end->best, &sizes, outstanding);
    /* or part of what is outstanding was given up, and is not told yet */
    bool is_lifted = flight + 1 == path->members[end->best].cwnd;
    for (unsigned i = end->is_cut || (is_lifted && sctpa_context_may_abandon(c)) ? SCTPA_MOST : SCTPA_LEAST;
         i <= SCTPA_MOST; i++)
        path->members[i].cwnd = (uint32_t)MIN(MAX(flight + 1, path->members[i].cwnd), UINT32_MAX - 1);
    choose(end);
}

/* The sender stopped though it had more to send and the peer had room: a member with room in cwnd would have sent. */
void sctpa_cwnd_check_stopping(sctpa_cwnd_end_t *end, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(end);
    double weight = MIN(1, (double)STOPS_JUDGED * SCTPA_ETHERNET_BYTES / (double)path->flight.bytes);
    sctpa_cwnd_bound_most(end, path);
    if (end->losses->abandoned_to >= 0)
        return;
    forget(end);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        uint64_t flight = sctpa_member_bytes(i, &sizes, path->flight);
        uint32_t unit = sctpa_member_unit(i, &sizes);
        if (path->members[i].cwnd > flight + unit)
            penalise(end, i, weight * (double)(path->members[i].cwnd - flight - unit) / unit);
    }
    choose(end);
}
