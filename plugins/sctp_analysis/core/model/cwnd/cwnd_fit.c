/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which senders of the family fit what was sent: the more packets a member would not have sent, or would have sent on
 * top, the less it fits. Leaves out how members change (sender_family.c). */
#include "cwnd_paths.h"

#include "base/rare.h"
#include "implementation.h"

enum {
    STOPS_JUDGED = 8, /* in a round trip */
    HEADERS_MOST = 60 /* of IPv6, UDP and AUTH */
};
static const float keeps = 0.995F, better = 0.5F, not_announced = 3;
static const float fits_as_well = 2.5F; /* when all chunks were captured */

const sctpa_cwnd_fit_t sctpa_cwnd_no_fit;

static sctpa_cwnd_fit_t *fit_of(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    sctpa_cwnd_fit_t *fit = sctpa_rare_own(sender->fit, &sctpa_cwnd_no_fit, sizeof sctpa_cwnd_no_fit, &c->store->arena);
    sender->fit = fit;
    return fit;
}

uint32_t sctpa_cwnd_mtu(const sctpa_cwnd_sender_t *sender)
{
    return MAX(sender->packet_bytes + HEADERS_MOST, SCTPA_ETHERNET_BYTES);
}

uint64_t sctpa_cwnd_bound(const sctpa_cwnd_sender_t *sender, const sctpa_cwnd_path_t *path)
{
    return MAX(path->most_bytes, 4 * (uint64_t)sctpa_cwnd_mtu(sender));
}

sctpa_amount_t sctpa_cwnd_outstanding(const sctpa_direction_t *sent, const sctpa_cwnd_sender_t *sender,
                                      const sctpa_cwnd_path_t *path)
{
    int64_t known_to = MAX(sent->highest_gap_end, sent->cum_tsn);
    if (!sctpa_direction_has_gaps(sent))
        return path->flight;
    uint64_t chunks = sender->highest > known_to ? MIN(path->flight.chunks, (uint64_t)(sender->highest - known_to)) : 0;
    return (sctpa_amount_t){ MIN(path->flight.bytes, chunks * sender->tsn_bytes), chunks };
}

sctpa_sizes_t sctpa_cwnd_sizes(const sctpa_cwnd_sender_t *sender)
{
    sctpa_sizes_t sizes = { MAX(sender->packet_bytes, 512), SCTPA_ETHERNET_BYTES,
                            (sender->overhead_sixteenths + 8) / 16 };
    if (sizes.packet_bytes + 20 > SCTPA_ETHERNET_BYTES)
        sizes.mtu_bytes = sizes.packet_bytes + 20;
    return sizes;
}

float sctpa_cwnd_misfit(const sctpa_cwnd_sender_t *sender, unsigned number)
{
    bool is_announced = sender->announced == number + 1 || sender->announced == SCTPA_MEMBER_UNKNOWN + 1;
    return sender->fit->misfits[number] + (sender->announced == number + 1 ? 0 : sctpa_member_handicap(number)) +
           (is_announced ? 0 : not_announced);
}

float sctpa_cwnd_tolerance(const sctpa_cwnd_sender_t *sender)
{
    return (sender->is_cut ? 2 : 1) * fits_as_well;
}

float sctpa_cwnd_misfit_most(const sctpa_cwnd_sender_t *sender)
{
    return sctpa_cwnd_misfit(sender, sender->best) + sctpa_cwnd_tolerance(sender);
}

static void choose(sctpa_cwnd_sender_t *sender)
{
    unsigned before = sender->best;
    float least = sctpa_cwnd_misfit(sender, before);
    if (least <= better) /* none fits that much better */
        return;
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        if (sender->fit->misfits[i] + better >= least)
            continue;
        float misfit = sctpa_cwnd_misfit(sender, i);
        if (misfit + better >= least)
            continue;
        sender->best = (uint8_t)i;
        least = misfit;
    }
    if (sender->best != before)
        sctpa_cwnd_settle_band(sender, before);
}

void sctpa_cwnd_begin(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    if (path->members)
        return;
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    if (sender->announced == 0) {
        uint8_t endpoint = sender == sctpa_cwnd_sender(c, 1);
        sender->announced = (uint8_t)(sctpa_implementation_sender(c, endpoint) + 1);
        sender->is_unknown = sender->announced == SCTPA_MEMBER_UNKNOWN + 1 && c->assoc->ends[endpoint].init.seen &&
                             c->assoc->ends[endpoint].init.whole;
        choose(sender);
    }
    const sctpa_init_t *peer = &c->assoc->ends[sender == sctpa_cwnd_sender(c, 0)].init;
    uint32_t a_rwnd_bytes = peer->seen ? peer->a_rwnd_bytes : SCTPA_SSTHRESH_HIGH;
    path->members = sctpa_arena_alloc(&c->store->arena, SCTPA_FOLLOWED * sizeof *path->members);
    for (unsigned i = 0; i < SCTPA_FOLLOWED; i++)
        sctpa_member_begin(sctpa_cwnd_follows(sender, i), &path->members[i], &sizes, a_rwnd_bytes);
    for (unsigned i = 0; path->is_probed && i < SCTPA_FAMILY; i++)
        sctpa_member_idle(i, &path->members[i], &sizes, 1, true);
}

/* A member does not explain what the sender did: packets that it would have sent on top, or would not have sent. */
static void penalise(sctpa_cwnd_fit_t *fit, unsigned number, double packets)
{
    fit->misfits[number] += (float)MIN(packets, 4);
    fit->outside[number]++;
}

/* What an occasion showed. */
typedef struct {
    unsigned unexplained; /* members that do not explain it, a bit each */
    bool is_telling;      /* one of them does not by what it counts alone */
} occasion_t;

/* More headers than a packet is long are outstanding: what counts them shows, though a sender stops and goes on by
 * packets. */
static bool has_many_headers(const sctpa_cwnd_sender_t *sender, const sctpa_sizes_t *sizes, sctpa_amount_t amount)
{
    return sctpa_most_bytes(sizes, amount) - amount.bytes >= sctpa_member_unit(sender->best, sizes);
}

/* Does the member count headers, or not, as asked, and the best fit otherwise? */
static bool counts_other(const sctpa_cwnd_sender_t *sender, unsigned number, bool headers)
{
    return sctpa_member_counts_headers(number) == headers && sctpa_member_counts_headers(sender->best) != headers;
}

static void take_occasion(sctpa_cwnd_fit_t *fit, unsigned best, uint32_t packet, const occasion_t *occasion)
{
    fit->occasions++;
    if (occasion->unexplained == 0 || occasion->unexplained >> best & 1)
        return;
    fit->shown_packet = packet;
    if (!occasion->is_telling)
        return;
    sctpa_cwnd_telling_t *telling = &fit->telling[sctpa_member_counts_headers(best)];
    telling->occasions++;
    telling->packet = packet;
}

static void forget(sctpa_cwnd_fit_t *fit)
{
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        fit->misfits[i] *= keeps;
}

bool sctpa_cwnd_is_recovering(const sctpa_cwnd_sender_t *sender, const sctpa_direction_t *sent, int64_t cum_tsn)
{
    return MAX(sender->losses->likely_recovery.to, sent->rare->recovery.to) > cum_tsn;
}

/* New data leaves with so much outstanding that a member would have waited: its cwnd is larger than it thinks. */
void sctpa_cwnd_check_sending(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    const sctpa_direction_t *sent = c->sent;
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    sctpa_amount_t outstanding = sctpa_cwnd_outstanding(sent, sender, path);
    bool recovering = sctpa_cwnd_is_recovering(sender, sent, sent->cum_tsn),
         miscounts = sctpa_cwnd_may_miscount(sender);
    path->may_have_expired = false;
    /* what is outstanding may have been given up, and FORWARD_TSN is yet to say so */
    if (sent->rare->abandoned_to >= 0) {
        sctpa_cwnd_raise_most(sender, path, sctpa_member_bytes(sender->best, &sizes, outstanding));
        return;
    }
    sctpa_cwnd_fit_t *fit = fit_of(c, sender);
    forget(fit);
    uint64_t most_counted = sctpa_most_bytes(&sizes, outstanding);
    bool has_headers = !recovering && has_many_headers(sender, &sizes, outstanding);
    occasion_t occasion = { 0 };
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        if (most_counted < path->members[i].cwnd)
            continue;
        uint64_t flight = sctpa_member_bytes(i, &sizes, outstanding);
        if (i == SCTPA_MEMBER_BURSTS && flight >= path->members[i].cwnd && flight < path->uncut_cwnd)
            path->members[i].cwnd = path->uncut_cwnd; /* SACKs wait to be taken: it was cut for nothing */
        if (flight < path->members[i].cwnd || (i == sender->best && miscounts))
            continue;
        double packets = 0.25 + (double)(flight - path->members[i].cwnd) / sctpa_member_unit(i, &sizes);
        penalise(fit, i, recovering ? MIN(packets, 0.25) : packets);
        occasion.unexplained |= 1u << i;
        occasion.is_telling |=
            has_headers && counts_other(sender, i, true) && outstanding.bytes < path->members[i].cwnd;
        if (i == sender->best && packets > 2 && sender->losses->likely_recovery.to >= 0)
            sctpa_cwnd_losses(c, sender)->likely_recovery.to = -1;
        path->members[i].cwnd = (uint32_t)MIN(flight + 1, UINT32_MAX - 1);
    }
    take_occasion(fit, sender->best, c->index, &occasion);
    uint64_t flight = sctpa_member_bytes(sender->best, &sizes, outstanding);
    /* or part of what is outstanding was given up, and FORWARD_TSN is yet to say so */
    bool is_lifted = flight + 1 == path->members[sender->best].cwnd;
    if (miscounts)
        sctpa_cwnd_raise_most(sender, path, flight + sctpa_member_unit(sender->best, &sizes));
    else
        for (unsigned i = sender->is_cut || (is_lifted && sctpa_context_may_abandon(c)) ? SCTPA_MOST : SCTPA_LEAST;
             i <= SCTPA_MOST; i++)
            path->members[i].cwnd = (uint32_t)MIN(MAX(flight + 1, path->members[i].cwnd), UINT32_MAX - 1);
    choose(sender);
}

/* The sender stopped though it had more to send and the peer had room: a member with room in cwnd would have sent. */
void sctpa_cwnd_check_stopping(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    double weight = MIN(1, (double)STOPS_JUDGED * SCTPA_ETHERNET_BYTES / (double)path->flight.bytes);
    sctpa_cwnd_bound_most(sender, path);
    if (sender->losses->abandoned_to >= 0)
        return;
    sctpa_cwnd_fit_t *fit = fit_of(c, sender);
    forget(fit);
    bool has_headers = has_many_headers(sender, &sizes, path->flight);
    occasion_t occasion = { 0 };
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        uint64_t flight = sctpa_member_bytes(i, &sizes, path->flight);
        uint32_t unit = sctpa_member_unit(i, &sizes);
        if (path->members[i].cwnd <= flight + unit)
            continue;
        penalise(fit, i, weight * (double)(path->members[i].cwnd - flight - unit) / unit);
        occasion.unexplained |= 1u << i;
        occasion.is_telling |= has_headers && counts_other(sender, i, false) &&
                               path->members[i].cwnd <= sctpa_most_bytes(&sizes, path->flight) + unit;
    }
    take_occasion(fit, sender->best, c->index, &occasion);
    choose(sender);
}
