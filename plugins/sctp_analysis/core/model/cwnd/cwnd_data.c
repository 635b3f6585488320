/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sender does to cwnd on each path: by what it sends (DATA, timeouts, data given up, idling), which every
 * member of the family of senders sees the same, and by SACKs and ECNE; which member fits best, and the band around
 * it: where the capture leaves open what that sender did, the least and the most. Judges members by what new data that
 * leaves, and a sender that stops, show of them; counts misses, and follows Fast Recovery where the tap does not surely
 * show it; keeps the limits of rules, and cwnd after each packet that changed it. Leaves what a member does to
 * sender_family.c. */

#include "base/arena.h"
#include "cwnd_paths.h"
#include "model/engine.h"
#include "model/model.h"
#include "wire/types.h"

enum {
    PACKET_LEAST_BYTES = 512 /* whoever was seen to send less yet, in an SCTP packet, may still send so many */
};

/* --- the band around the best fit --- */

/* Is the best-fitting member that of an implementation that INIT or INIT ACK suggests, and which miscounts what is
 * outstanding once it has retransmitted? */
static bool cwnd_may_miscount(const sctpa_cwnd_sender_t *sender)
{
    return sender->has_repeated && sender->announced == sender->best + 1 && sctpa_member_miscounts(sender->best);
}

/* New data leaves with so many bytes outstanding, of which the sender may count fewer: cwnd may be more, or what the
 * best-fitting member has. */
static void cwnd_raise_most(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, uint64_t bytes)
{
    sctpa_member_t *most = &path->members[SCTPA_MOST];
    most->cwnd = (uint32_t)MIN(MAX(MAX(most->cwnd, path->members[sender->best].cwnd), bytes), UINT32_MAX - 1);
}

/* Whose choices the member at place i < SCTPA_FOLLOWED of a path makes. */
static unsigned cwnd_follows(const sctpa_cwnd_sender_t *sender, unsigned i)
{
    return i < SCTPA_FAMILY ? i : i == SCTPA_LEAST && sctpa_cwnd_may_cut(sender) ? SCTPA_MEMBER_BURSTS : sender->best;
}

/* Widens the band: the best-fitting member may have what other has instead. */
static void cwnd_widen(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, const sctpa_member_t *other)
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

/* Another member fits best than before: what that had was no edge of the band. */
static void cwnd_settle_band(const sctpa_cwnd_sender_t *sender, unsigned before)
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
    if (cwnd_may_miscount(sender))
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

/* Outstanding and not marked by the timer. */
static sctpa_amount_t cwnd_unmarked(const sctpa_cwnd_path_t *path)
{
    sctpa_amount_t amount = path->flight;
    if (path->marked_bytes == 0 || amount.bytes == 0)
        return amount;
    amount.bytes -= MIN(path->marked_bytes, amount.bytes);
    amount.chunks = path->flight.chunks * amount.bytes / path->flight.bytes;
    return amount;
}

/* The sizes of what a sender sends. */
static sctpa_sizes_t sizes_of(const sctpa_cwnd_sender_t *sender)
{
    sctpa_sizes_t sizes = { MAX(sender->packet_bytes, PACKET_LEAST_BYTES), SCTPA_ETHERNET_BYTES,
                            (sender->overhead_sixteenths + 8) / 16 };
    if (sizes.packet_bytes + SCTPA_CWND_IPV4_BYTES > SCTPA_ETHERNET_BYTES)
        sizes.mtu_bytes = sizes.packet_bytes + SCTPA_CWND_IPV4_BYTES;
    return sizes;
}

/* SACKs: whether cwnd is fully utilized is open while earlier ones may wait to be taken, when data was just being
 * handed over, when chunks were not captured, or when data was given up; more than the peer's window is not on its way.
 */
static void cwnd_grow_band(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, const sctpa_acking_t *acking)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    sctpa_acking_t least = *acking, most = *acking;
    unsigned careful = cwnd_follows(sender, SCTPA_LEAST);
    count_least(sender, &least);
    count_most(sender, path, &most);
    sctpa_member_acked(careful, &path->members[SCTPA_LEAST], &sizes, &least);
    sctpa_member_acked(sender->best, &path->members[SCTPA_MOST], &sizes, &most);
    sctpa_member_sent(careful, &path->members[SCTPA_LEAST], &sizes, cwnd_unmarked(path));
    order_band(path, sctpa_member_unit(sender->best, &sizes));
}

/* Its timer may have expired when it had what before has. */
static void cwnd_widen_by_timeout(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path,
                                  const sctpa_member_t *before)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    sctpa_member_t timed_out = *before;
    sctpa_member_timeout(sender->best, &timed_out, &sizes, false);
    cwnd_widen(sender, path, &timed_out);
}

/* A SACK comes, and the one before was not answered though the sender had more to send and cwnd had room: in
 * implementations whose timer sends nothing when nothing is as old as the RTO, it may have expired. */
static void cwnd_widen_by_silence(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, bool is_window_open)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    const sctpa_member_t *best = &path->members[sender->best];
    uint64_t flight = sctpa_member_bytes(sender->best, &sizes, path->flight);
    if (sctpa_cwnd_may_cut(sender) && path->has_backlog && path->burst_packets == 0 && is_window_open &&
        best->cwnd > flight + sctpa_member_unit(sender->best, &sizes))
        cwnd_widen_by_timeout(sender, path, best);
}

/* The RTO of a path as far as round trips show. */
static int64_t cwnd_rto_ns(const sctpa_direction_t *sent, uint32_t path)
{
    int64_t rto_ns = path < sent->paths.len ? SCTPA_RECORD(&sent->paths, sctpa_data_path_t, path).rto_ns : 0;
    return rto_ns > 0 ? rto_ns : SCTPA_RTO_INITIAL_NS;
}

/* May a timer that SACKs in order do not restart (against R3 of RFC 9260 6.3.2) expire between two moments? It reduces
 * cwnd, and what it marks is acknowledged before it is retransmitted. */
static bool may_expire(const sctpa_cwnd_sender_t *sender, const sctpa_cwnd_path_t *path, const sctpa_direction_t *sent,
                       int64_t from_ns, int64_t to_ns)
{
    if (!sctpa_cwnd_may_cut(sender) || path->flight.bytes == 0)
        return false;
    int64_t expiry_ns = path->timer_ns + cwnd_rto_ns(sent, (uint32_t)(path - sender->paths));
    return expiry_ns <= to_ns && expiry_ns + SCTPA_TICK_NS > from_ns;
}

/* A sender may be more careful than it need be: reduce at every ECNE, down to a PMTU. */
static void cwnd_widen_by_reduction(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    sctpa_member_t careful = path->members[SCTPA_LEAST];
    careful.cwnd = careful.ssthresh = MAX(careful.cwnd / 2, sctpa_member_unit(sender->best, &sizes));
    cwnd_widen(sender, path, &careful);
}

/* The sender stopped: what is outstanding for it is no more than what is seen to be, unless more may be about to be
 * seen. */
static void cwnd_bound_most(const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    uint64_t flight = sctpa_member_bytes(sender->best, &sizes, path->flight);
    if (path->waiting_bytes == 0 &&
        path->members[SCTPA_MOST].cwnd > flight + 3 * sctpa_member_unit(sender->best, &sizes))
        path->members[SCTPA_MOST] = path->members[sender->best];
}

/* --- how well members fit, in packets that they would not have sent, or would have sent on top --- */

enum { STOPS_JUDGED = 8 /* in a round trip */ };

static const float keeps = 0.995F;      /* of what speaks against a member, at each occasion: half after some 140 */
static const float better = 0.5F;       /* packets by which another member must fit better than the best one so far */
static const float not_announced = 3;   /* packets: what INIT or INIT ACK looks like is a first guess, and no proof */
static const float fits_as_well = 2.5F; /* packets, when all chunks were captured: less than that guess is worth */

const sctpa_cwnd_fit_t sctpa_cwnd_no_fit;

static sctpa_cwnd_fit_t *fit_of(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    sctpa_cwnd_fit_t *fit = sctpa_rare_own(sender->fit, &sctpa_cwnd_no_fit, sizeof sctpa_cwnd_no_fit, &c->store->arena);
    sender->fit = fit;
    return fit;
}

/* --- the PMTU, and the limits of rules --- */

uint32_t sctpa_cwnd_asserted_mtu(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender)
{
    const uint8_t endpoint = sender == sctpa_cwnd_sender(c, 1);
    const int64_t asserted = sctpa_tap_parameter(&c->reference->tap, endpoint, SCTPA_PARAMETER_PMTU, 0);
    return asserted > 0 ? (uint32_t)MAX(asserted, sender->packet_bytes + SCTPA_CWND_IPV4_BYTES) : 0;
}

/* The PMTU by which a limit is reckoned. As seen: as asserted, or as its packets show, and that of an Ethernet at the
 * least. */
static uint32_t unit_of_limit(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender, unsigned unit)
{
    const uint32_t mtu = sctpa_cwnd_mtu(sender), asserted = sctpa_cwnd_asserted_mtu(c, sender);
    if (unit == SCTPA_LIMIT_JUMBO)
        return MAX(mtu, SCTPA_JUMBO_BYTES);
    return asserted > 0 ? asserted : mtu;
}

static unsigned limit_unit(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender)
{
    return sctpa_cwnd_asserted_mtu(c, sender) > 0 || sctpa_cwnd_knows_mtu(sender) ||
                   (sender->unbundled >= SCTPA_UNBUNDLED_LEAST && !sender->leaves_room)
               ? SCTPA_LIMIT_AS_SEEN
               : SCTPA_LIMIT_JUMBO;
}

uint32_t sctpa_cwnd_unit_most(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender)
{
    return unit_of_limit(c, sender, limit_unit(c, sender));
}

uint64_t sctpa_cwnd_limit_bytes(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender,
                                const sctpa_cwnd_path_t *path, sctpa_limit_kind_t kind)
{
    return sctpa_limit_bytes(&path->limits[limit_unit(c, sender)][kind], sctpa_cwnd_unit_most(c, sender));
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

/* --- which member fits best, by what the sender sends and where it stops --- */

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
        cwnd_settle_band(sender, before);
}

/* Begins to follow the members on a path of the sender, if that was not begun. */
static void cwnd_begin(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    if (path->members)
        return;
    sctpa_sizes_t sizes = sizes_of(sender);
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
        sctpa_member_begin(cwnd_follows(sender, i), &path->members[i], &sizes, a_rwnd_bytes);
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

static const sctpa_cwnd_losses_t no_losses = { .likely_recovery.to = -1, .ecn_to = -1, .abandoned_to = -1 };

/* What a sender with losses has, to be changed; made when new. O(1). */
static sctpa_cwnd_losses_t *cwnd_losses(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    sctpa_cwnd_losses_t *losses = sctpa_rare_own(sender->losses, &no_losses, sizeof no_losses, &c->store->arena);
    sender->losses = losses;
    return losses;
}

/* New data leaves with so much outstanding that a member would have waited: its cwnd is larger than it thinks. */
static void cwnd_check_sending(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    const sctpa_direction_t *sent = c->sent;
    sctpa_sizes_t sizes = sizes_of(sender);
    sctpa_amount_t outstanding = sctpa_cwnd_outstanding(sent, sender, path);
    bool recovering = sctpa_cwnd_is_recovering(sender, sent, sent->cum_tsn), miscounts = cwnd_may_miscount(sender);
    path->may_have_expired = false;
    /* what is outstanding may have been given up, and FORWARD_TSN is yet to say so */
    if (sent->rare->abandoned_to >= 0) {
        cwnd_raise_most(sender, path, sctpa_member_bytes(sender->best, &sizes, outstanding));
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
            cwnd_losses(c, sender)->likely_recovery.to = -1;
        path->members[i].cwnd = (uint32_t)MIN(flight + 1, UINT32_MAX - 1);
    }
    take_occasion(fit, sender->best, c->index, &occasion);
    uint64_t flight = sctpa_member_bytes(sender->best, &sizes, outstanding);
    /* or part of what is outstanding was given up, and FORWARD_TSN is yet to say so */
    bool is_lifted = flight + 1 == path->members[sender->best].cwnd;
    if (miscounts)
        cwnd_raise_most(sender, path, flight + sctpa_member_unit(sender->best, &sizes));
    else
        for (unsigned i = sender->is_cut || (is_lifted && sctpa_context_may_abandon(c)) ? SCTPA_MOST : SCTPA_LEAST;
             i <= SCTPA_MOST; i++)
            path->members[i].cwnd = (uint32_t)MIN(MAX(flight + 1, path->members[i].cwnd), UINT32_MAX - 1);
    choose(sender);
}

/* A packet of new data leaves, is about to be followed by none: takes note of which members would have done so. The
 * sender stopped though it had more to send and the peer had room: a member with room in cwnd would have sent. */
static void cwnd_check_stopping(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    double weight = MIN(1, (double)STOPS_JUDGED * SCTPA_ETHERNET_BYTES / (double)path->flight.bytes);
    cwnd_bound_most(sender, path);
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

/* --- what SACKs find: a sender that stopped, bounds that grow, a timer that goes on --- */

enum {
    ACK_CLOCKED_PACKETS = 3, /* a burst of more may have been ended by Max.Burst */
    QUARTERS_STEADY = 5,     /* of a round trip */
    WINDOW_OPEN = 3000       /* bytes: two packets, and no silly window */
};

static const int64_t slot_ns = 20 * SCTPA_NS_PER_MS; /* a sender takes a SACK sooner than this */

/* between SACKs that a sender may have before what it sends to answer them is seen */
static const int64_t waiting_ns = SCTPA_NS_PER_MS / 2;

static const int64_t sending_ns = 80000; /* between packets of a burst, and between SACKs that wait to be taken */

/* The burst since the last SACK answered it, holds new data only, and was not ended by Max.Burst. */
static bool is_ack_clocked(const sctpa_cwnd_path_t *path)
{
    return path->has_backlog && path->burst_packets > 0 && path->burst_packets <= ACK_CLOCKED_PACKETS &&
           !path->burst_repeats;
}

/* It stopped where it stopped round trips ago, or earlier: cwnd would have grown, and something else holds it back. */
static bool is_steady(const sctpa_cwnd_path_t *path)
{
    return path->steady_bytes * 4 >= (uint64_t)path->stopped_bytes * QUARTERS_STEADY ||
           path->flight.bytes + SCTPA_ETHERNET_BYTES < path->stopped_bytes;
}

/* The burst since the last SACK ended for want of cwnd. */
static bool is_stopped_by_cwnd(const sctpa_cwnd_sender_t *sender, const sctpa_direction_t *sent,
                               const sctpa_cwnd_path_t *path, uint64_t window_bytes)
{
    return is_ack_clocked(path) && !is_steady(path) && path->marked_bytes == 0 &&
           !sctpa_cwnd_is_recovering(sender, sent, sender->cum_tsn) && window_bytes > WINDOW_OPEN;
}

/* The SACKs of a packet, what of the window they find unused, and what they acknowledge that was not seen. */
typedef struct {
    unsigned sacks;
    uint64_t window_bytes, unseen;
} taking_t;

static taking_t look_at_acks(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender)
{
    const sctpa_records_t *acked = &c->acked->acked;
    uint64_t flight_bytes = 0, chunks = 0;
    taking_t taking = { .sacks = 0 };
    for (uint32_t at = acked->len; at > 0 && SCTPA_RECORD(acked, sctpa_acked_t, at - 1).packet == c->index;
         at--, taking.sacks++)
        chunks += SCTPA_RECORD(acked, sctpa_acked_t, at - 1).chunks;
    taking.sacks = MAX(taking.sacks, 1);
    uint64_t advance = c->acked->cum_tsn > sender->cum_tsn ? (uint64_t)(c->acked->cum_tsn - sender->cum_tsn) : 0;
    taking.unseen = advance - MIN(advance, chunks);
    for (uint32_t i = 0; i < sender->n_paths; i++)
        flight_bytes += sender->paths[i].flight.bytes;
    taking.window_bytes = sender->a_rwnd_bytes - MIN(sender->a_rwnd_bytes, flight_bytes);
    return taking;
}

/* Nothing came or left for quiet_ns: SACKs that waited so long were taken. */
static void cwnd_await(sctpa_cwnd_path_t *path, int64_t quiet_ns)
{
    if (quiet_ns >= waiting_ns)
        path->waiting_bytes = 0;
}

static void grow_members(sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, const sctpa_acking_t *acking)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    sctpa_family_acked(path->members, &sizes, acking);
    cwnd_grow_band(sender, path, acking);
}

static uint64_t wire_bytes(const sctpa_cwnd_sender_t *sender, sctpa_amount_t amount)
{
    return amount.bytes + amount.chunks * (sender->overhead_sixteenths / 16 + 4);
}

static void raise_bound(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path,
                        uint64_t acked_bytes)
{
    uint32_t slot = (uint32_t)(c->packet->time_ns / slot_ns);
    if (slot != path->slot) {
        path->slot_bytes[1] = slot == path->slot + 1 ? path->slot_bytes[0] : 0;
        path->slot_bytes[0] = 0;
        path->slot = slot;
    }
    uint64_t before_bytes = (uint64_t)path->slot_bytes[0] + path->slot_bytes[1];
    const uint64_t flight_bytes = wire_bytes(sender, path->flight) + 2 * before_bytes;
    path->most_bytes = MAX(path->most_bytes, flight_bytes + acked_bytes + sctpa_cwnd_mtu_most(c, sender));
    for (unsigned i = 0; i < SCTPA_LIMIT_UNITS * SCTPA_LIMITS; i++)
        sctpa_limit_acked(&path->limits[i / SCTPA_LIMITS][i % SCTPA_LIMITS], unit_of_limit(c, sender, i / SCTPA_LIMITS),
                          flight_bytes, acked_bytes);
    path->slot_bytes[0] += acked_bytes;
}

/* Does the packet start T3-rtx of a path, in a sender that keeps to RFC 9260 6.3.2 (t3.h of data)? */
static bool cwnd_starts_timer(const sctpa_context_t *c, const sctpa_direction_t *sent, uint32_t path)
{
    return path < sent->paths.len && SCTPA_RECORD(&sent->paths, sctpa_data_path_t, path).t3_packet == c->index;
}

/* Some senders restart T3-rtx with a SACK that advances the cum_tsn only when gaps are shown, or were until then. */
static void follow_timer(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    const sctpa_direction_t *sent = c->acked;
    int64_t now_ns = c->packet->time_ns, rto_ns = cwnd_rto_ns(sent, (uint32_t)(path - sender->paths));
    bool has_gaps = sender->misses > 0 || sctpa_direction_has_gaps(sent);
    path->may_have_expired |= may_expire(sender, path, sent, MAX(path->data_ns, path->sack_ns), now_ns);
    if (has_gaps && cwnd_starts_timer(c, sent, (uint32_t)(path - sender->paths)))
        path->timer_ns = now_ns;
    else if (path->timer_ns + rto_ns <= now_ns)
        path->timer_ns += rto_ns;
}

/* What is outstanding on a path after the packet. */
static sctpa_amount_t cwnd_flight(const sctpa_direction_t *sent, uint32_t number)
{
    if (number >= sent->paths.len)
        return (sctpa_amount_t){ 0 };
    const sctpa_data_path_t *path = &SCTPA_RECORD(&sent->paths, sctpa_data_path_t, number);
    return (sctpa_amount_t){ path->flight_bytes, path->flight_chunks };
}

/* --- what is kept of cwnd after each packet that changed it --- */

enum { BLOCKS_SMALL = 4, BLOCKS_GROWING = 6 }; /* records of the first block; blocks twice as large as the one before */

/* Before the SACKs of what is outstanding can have come. */
static bool may_expire_soon(const sctpa_cwnd_sender_t *sender, const sctpa_cwnd_path_t *path,
                            const sctpa_direction_t *sent)
{
    if (!sctpa_cwnd_may_cut(sender))
        return false;
    uint32_t number = (uint32_t)(path - sender->paths);
    int64_t now_ns = MAX(path->data_ns, path->sack_ns);
    return number < sent->paths.len &&
           may_expire(sender, path, sent, now_ns,
                      now_ns + SCTPA_RECORD(&sent->paths, sctpa_data_path_t, number).srtt_ns);
}

/* Does a member fit so well that its cwnd is in the interval? */
static bool fits_nearly(const sctpa_cwnd_sender_t *sender, unsigned number, float most_misfit)
{
    return sender->fit->misfits[number] <= most_misfit && sctpa_cwnd_misfit(sender, number) <= most_misfit;
}

/* The senders that fit nearly as well as the best, and a packet more or less: as much as leaves it below two PMDCS,
 * rounded up to steps, and rather below than above, where senders are more often found. */
static void interval(const sctpa_cwnd_sender_t *sender, const sctpa_cwnd_path_t *path, const sctpa_direction_t *sent,
                     sctpa_cwnd_record_t *record)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    const sctpa_member_t *best = &path->members[sender->best];
    uint32_t unit = sctpa_member_unit(sender->best, &sizes);
    uint32_t lean = unit / 32 * 3;
    uint32_t slack =
        unit / 32 *
        (sent->rare->abandoned_to < 0 ? 31 : 36); /* what is outstanding is not sure once data was given up */
    uint32_t margin = slack / 8;
    /* of what senders have that fit nearly as well, the margin aside */
    uint32_t low = best->cwnd - MIN(best->cwnd, slack + lean) + margin, high = best->cwnd + slack - lean - margin;
    float most_misfit = sctpa_cwnd_misfit_most(sender);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        uint32_t cwnd = path->members[i].cwnd;
        if ((cwnd >= low && cwnd <= high) || !fits_nearly(sender, i, most_misfit))
            continue;
        low = MIN(low, cwnd);
        high = MAX(high, cwnd);
    }
    if (sender->is_unknown) { /* this one may exceed cwnd by a unit (RFC 9260 6.1 B) */
        uint32_t cwnd = path->members[SCTPA_MEMBER_FULL_CHUNK].cwnd;
        cwnd -= MIN(cwnd, sctpa_member_unit(SCTPA_MEMBER_FULL_CHUNK, &sizes));
        if (cwnd < low && fits_nearly(sender, SCTPA_MEMBER_FULL_CHUNK, most_misfit))
            low = cwnd;
    }
    low -= MIN(low, margin);
    high += margin;
    uint32_t least = path->members[SCTPA_LEAST].cwnd, most = path->members[SCTPA_MOST].cwnd;
    low = MIN(low, least - MIN(least, least < best->cwnd ? slack + lean : margin));
    high = MAX(high, most + margin);
    if (sender->misses >= SCTPA_MISSES_FAST &&
        !sctpa_cwnd_is_recovering(sender, sent, sender->cum_tsn)) /* perhaps reduced, and yet to retransmit */
        low = MIN(low, (sent->rare->abandoned_to < 0 ? low : best->cwnd) / 2);
    if (path->may_have_expired || may_expire_soon(sender, path, sent))
        low = MIN(low, unit);
    record->cwnd = best->cwnd;
    record->ssthresh = best->ssthresh;
    record->below = (uint16_t)MIN((best->cwnd - low + SCTPA_CWND_STEP - 1) / SCTPA_CWND_STEP, UINT16_MAX);
    record->above = (uint16_t)MIN((high - best->cwnd + SCTPA_CWND_STEP - 1) / SCTPA_CWND_STEP, UINT16_MAX - 1);
    if (!sent->announced)
        record->above = UINT16_MAX;
}

/* Records that block number i has room for. */
static uint32_t room_of(uint32_t i)
{
    return i < BLOCKS_GROWING ? (uint32_t)BLOCKS_SMALL << i : SCTPA_CWND_BLOCK;
}

static void append(const sctpa_context_t *c, sctpa_cwnd_path_t *path, const sctpa_cwnd_record_t *record)
{
    sctpa_cwnd_block_t *last = path->n_blocks > 0 ? &path->blocks[path->n_blocks - 1] : NULL;
    if (!last || last->len == room_of(path->n_blocks - 1)) {
        path->blocks = sctpa_arena_grow(&c->store->arena, path->blocks, path->n_blocks, sizeof *path->blocks);
        sctpa_cwnd_record_t *records = sctpa_arena_alloc(&c->store->arena, room_of(path->n_blocks) * sizeof *records);
        last = &path->blocks[path->n_blocks++];
        *last = (sctpa_cwnd_block_t){ record->packet, 0, records };
    }
    last->records[last->len++] = *record;
}

/* Gives back all that was kept so of a path. O(blocks). */
static void free_records(sctpa_arena_t *arena, const sctpa_cwnd_path_t *path)
{
    for (uint32_t i = 0; i < path->n_blocks; i++)
        sctpa_arena_free(arena, path->blocks[i].records, room_of(i) * sizeof *path->blocks[i].records);
    sctpa_arena_free_grown(arena, path->blocks, path->n_blocks, sizeof *path->blocks);
}

/* Keeps what cwnd is now, if it changed. Amortised O(1). */
static void note_cwnd(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path,
                      const sctpa_direction_t *sent)
{
    sctpa_cwnd_record_t record = { .packet = c->index }, *last = NULL;
    if (!path->members)
        return;
    interval(sender, path, sent, &record);
    if (path->n_blocks > 0) {
        sctpa_cwnd_block_t *block = &path->blocks[path->n_blocks - 1];
        last = &block->records[block->len - 1];
        if (last->cwnd == record.cwnd && last->ssthresh == record.ssthresh && last->below == record.below &&
            last->above == record.above)
            return;
        if (last->packet == c->index) {
            *last = record;
            return;
        }
    }
    append(c, path, &record);
}

/* The last record up to packet, NULL none. */
static const sctpa_cwnd_record_t *record_at(const sctpa_cwnd_path_t *path, uint32_t packet)
{
    uint32_t n = sctpa_records_from(path->blocks, path->n_blocks, sizeof *path->blocks, packet + 1);
    if (n == 0)
        return NULL;
    const sctpa_cwnd_block_t *block = &path->blocks[n - 1];
    uint32_t at = sctpa_records_from(block->records, block->len, sizeof *block->records, packet + 1);
    return &block->records[at - 1];
}

static sctpa_congestion_t result_of(const sctpa_cwnd_sender_t *sender, const sctpa_cwnd_record_t *record)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    uint64_t most = record->cwnd + (uint64_t)record->above * SCTPA_CWND_STEP;
    return (sctpa_congestion_t){
        .cwnd = record->cwnd,
        .cwnd_min = record->cwnd - MIN(record->cwnd, (uint32_t)record->below * SCTPA_CWND_STEP),
        .cwnd_max = record->above == UINT16_MAX ? SCTPA_CWND_UNKNOWN : (uint32_t)MIN(most, SCTPA_CWND_UNKNOWN - 1),
        .ssthresh = record->ssthresh,
        .unit_bytes = sctpa_member_unit(sender->best, &sizes),
        .sender = sctpa_sender_words(sender->best),
    };
}

bool sctpa_congestion_at(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                         uint16_t path, uint32_t packet, sctpa_congestion_t *out)
{
    const sctpa_cwnd_assoc_t *state = sctpa_reference_find(store, tracked, SCTPA_PART_CONGESTION);
    const sctpa_cwnd_record_t *record = state && state->senders[endpoint] && path < state->senders[endpoint]->n_paths
                                            ? record_at(&state->senders[endpoint]->paths[path], packet)
                                            : NULL;
    if (record)
        *out = result_of(state->senders[endpoint], record);
    return record != NULL;
}

void sctpa_congestion_each(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                           void (*visit)(void *user, uint16_t path, uint32_t packet,
                                         const sctpa_congestion_t *congestion),
                           void *user)
{
    const sctpa_cwnd_assoc_t *state = sctpa_reference_find(store, tracked, SCTPA_PART_CONGESTION);
    const sctpa_cwnd_sender_t *sender = state ? state->senders[endpoint] : NULL;
    for (uint32_t path = 0; sender && path < sender->n_paths; path++)
        for (uint32_t block = 0; block < sender->paths[path].n_blocks; block++) {
            const sctpa_cwnd_block_t *records = &sender->paths[path].blocks[block];
            for (uint32_t i = 0; i < records->len; i++) {
                sctpa_congestion_t result = result_of(sender, &records->records[i]);
                visit(user, (uint16_t)path, records->records[i].packet, &result);
            }
        }
}

/* --- SACKs and ECNE are taken; misses, and Fast Recovery --- */

static void take_acks_of_path(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, uint32_t number,
                              const taking_t *taking)
{
    sctpa_cwnd_path_t *path = &sender->paths[number];
    const sctpa_direction_t *sent = c->acked;
    sctpa_amount_t flight = cwnd_flight(sent, number);
    if (flight.bytes >= path->flight.bytes) {
        path->flight = flight;
        return;
    }
    int64_t since_ns = c->packet->time_ns - MAX(path->data_ns, path->sack_ns);
    sctpa_acking_t acking = { .acked = { path->flight.bytes - flight.bytes,
                                         path->flight.chunks - MIN(path->flight.chunks, flight.chunks) },
                              .flight = cwnd_unmarked(path),
                              .unseen = taking->unseen,
                              .sacks = taking->sacks,
                              .advanced = sent->cum_tsn > sender->cum_tsn,
                              .in_recovery = sctpa_cwnd_is_recovering(sender, sent, sent->cum_tsn),
                              .ends_recovery = sctpa_cwnd_is_recovering(sender, sent, sender->cum_tsn) &&
                                               !sctpa_cwnd_is_recovering(sender, sent, sent->cum_tsn),
                              .after_ecne = sent->cum_tsn < sender->losses->ecn_to,
                              .has_backlog = path->burst_answers && path->burst_packets > 0,
                              .is_sending = since_ns < sending_ns,
                              .is_idle = flight.bytes == 0,
                              .is_steady = is_steady(path) };
    cwnd_await(path, since_ns);
    follow_timer(c, sender, path);
    if (path->members && !acking.is_sending)
        cwnd_widen_by_silence(sender, path, taking->window_bytes > WINDOW_OPEN);
    path->has_backlog = acking.has_backlog;
    path->steady_bytes = path->flight.bytes > path->stopped_bytes ? 0 : path->steady_bytes + acking.acked.bytes;
    path->stopped_bytes = MAX(path->stopped_bytes, path->flight.bytes);
    if (path->members && !acking.is_sending && is_stopped_by_cwnd(sender, sent, path, taking->window_bytes))
        cwnd_check_stopping(c, sender, path);
    path->is_behind = path->waiting_bytes > 0;
    path->waiting_bytes += acking.acked.bytes;
    path->marked_bytes = (uint32_t)MIN(path->marked_bytes, flight.bytes);
    raise_bound(c, sender, path, wire_bytes(sender, acking.acked));
    path->is_acked = true;
    path->flight = flight;
    if (path->members)
        grow_members(sender, path, &acking);
    path->burst_packets = 0;
    path->burst_answers = path->burst_repeats = path->has_sent = false;
    path->sack_ns = c->packet->time_ns;
    note_cwnd(c, sender, path, sent);
}

/* Members reduce cwnd; they do unless Fast Recovery is under way, which begins. */
static void cwnd_reduce(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path,
                        const sctpa_direction_t *sent)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        if (sender->is_cut && sctpa_cwnd_misfit(sender, i) <= sctpa_cwnd_misfit_most(sender))
            cwnd_widen(sender, path, &path->members[i]);
    for (unsigned i = 0; i < SCTPA_FOLLOWED; i++)
        sctpa_member_lost(cwnd_follows(sender, i), &path->members[i], &sizes);
    path->stopped_bytes = path->steady_bytes = 0;
    note_cwnd(c, sender, path, sent);
}

/* RFC 4960 appendix A, RFC 3168 6.1.2: no reaction to ECNE "more than once every window of data" */
static void take_ecne(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    const sctpa_tlv_t *ecne = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ECNE);
    int64_t tsn = ecne ? sctpa_direction_unwrap(c->acked, sctpa_tlv_u32(ecne, SCTPA_F_ECNE_LOWEST_TSN)) : -1;
    uint16_t usual = c->acked->has_usual_path ? c->acked->usual_path : 0;
    if (!ecne || usual >= sender->n_paths || !sender->paths[usual].members)
        return;
    if (tsn > sender->losses->ecn_to) {
        cwnd_losses(c, sender)->ecn_to = c->acked->highest;
        cwnd_reduce(c, sender, &sender->paths[usual], c->acked);
    }
    cwnd_widen_by_reduction(sender, &sender->paths[usual]);
    note_cwnd(c, sender, &sender->paths[usual], c->acked);
}

/* "adjust the ssthresh and cwnd of the destination address(es) to which the missing DATA chunks were last sent", unless
 * in Fast Recovery */
static void cwnd_lost(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, const sctpa_direction_t *sent,
                      uint16_t number)
{
    sctpa_cwnd_path_t *path = sctpa_cwnd_path_of(c, sender, number);
    cwnd_begin(c, sender, path);
    path->awaits_misses = false;
    sctpa_recovery_t recovery = sender->losses->likely_recovery;
    if (recovery.to <= sent->cum_tsn)
        recovery = sent->rare->recovery;
    if (recovery.to <= sent->cum_tsn)
        recovery = cwnd_losses(c, sender)->likely_recovery = (sctpa_recovery_t){ sender->highest, sent->last_sack_ns };
    else if (path->reduced_to == recovery.to || sent->last_sack_ns != recovery.sack_ns)
        return;
    path->reduced_to = recovery.to;
    cwnd_reduce(c, sender, path, sent);
}

static void count_misses(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    const sctpa_direction_t *sent = c->acked;
    if (!sctpa_direction_has_gaps(sent))
        sender->misses = 0;
    else if (c->first_sack && c->first_sack->acked > 0 && sender->misses < UINT8_MAX)
        sender->misses++;
    for (uint32_t i = 0; i < sender->n_paths; i++) {
        if (sender->misses == 0)
            sender->paths[i].awaits_misses = false;
        else if (sender->paths[i].awaits_misses && sender->misses >= SCTPA_MISSES_FAST)
            cwnd_lost(c, sender, sent, (uint16_t)i);
        else if (sender->misses >= SCTPA_MISSES_FAST)
            note_cwnd(c, sender, &sender->paths[i], sent);
    }
}

/* Takes what a packet acknowledges of the data of sender. */
static void cwnd_take_acks(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    bool is_ecne_first = c->n_chunks > 0 && c->chunks[0].tlv.type == SCTPA_CHUNK_ECNE;
    taking_t taking = look_at_acks(c, sender);
    sender->is_far = sctpa_context_tap_rtt_most_ns(c, !c->from) > SCTPA_NEAR_NS;
    if (is_ecne_first)
        take_ecne(c, sender);
    for (uint32_t i = 0; i < sender->n_paths; i++)
        take_acks_of_path(c, sender, i, &taking);
    if (!is_ecne_first && c->rows & SCTPA_ROW(ECNE))
        take_ecne(c, sender);
    count_misses(c, sender);
    if (c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(SHUTDOWN))) {
        for (uint32_t i = 0; i < sender->n_paths; i++)
            sender->paths[i].expired_packet = SCTPA_NO_PACKET_INDEX;
        sender->followed = 0;
    }
    sender->cum_tsn = c->acked->cum_tsn;
    sender->a_rwnd_bytes = c->acked->a_rwnd_bytes;
}

/* --- senders and their paths --- */

enum { FLIGHT_SMALL = 2000 }; /* bytes outstanding that utilize no initial cwnd */

sctpa_cwnd_sender_t *sctpa_cwnd_sender(const sctpa_context_t *c, unsigned endpoint)
{
    const sctpa_cwnd_assoc_t *state = sctpa_context_find_part(c, SCTPA_PART_CONGESTION);
    return state ? state->senders[endpoint] : NULL;
}

static void free_senders(sctpa_arena_t *arena, void *part)
{
    const sctpa_cwnd_assoc_t *state = part;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++) {
        sctpa_cwnd_sender_t *sender = state->senders[endpoint];
        if (!sender)
            continue;
        for (uint32_t path = 0; path < sender->n_paths; path++) {
            sctpa_arena_free(arena, sender->paths[path].members, SCTPA_FOLLOWED * sizeof(sctpa_member_t));
            free_records(arena, &sender->paths[path]);
        }
        sctpa_arena_free_grown(arena, sender->paths, sender->n_paths, sizeof *sender->paths);
        sctpa_rare_free(sender->losses, &no_losses, sizeof no_losses, arena);
        sctpa_rare_free(sender->fit, &sctpa_cwnd_no_fit, sizeof sctpa_cwnd_no_fit, arena);
        sctpa_arena_free(arena, sender, sizeof *sender);
    }
}

static sctpa_cwnd_sender_t *begin(const sctpa_context_t *c)
{
    sctpa_cwnd_assoc_t *state = sctpa_context_owning_part(c, SCTPA_PART_CONGESTION, sizeof *state, free_senders);
    sctpa_cwnd_sender_t *sender = state->senders[c->from] = sctpa_arena_alloc(&c->store->arena, sizeof *sender);
    sender->cum_tsn = sender->highest = sender->marked_to = -1;
    sender->losses = &no_losses;
    sender->fit = &sctpa_cwnd_no_fit;
    return sender;
}

sctpa_cwnd_path_t *sctpa_cwnd_make_path(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, uint16_t path)
{
    while (sender->n_paths <= path) {
        sender->paths = sctpa_arena_grow(&c->store->arena, sender->paths, sender->n_paths, sizeof *sender->paths);
        sender->paths[sender->n_paths++] =
            (sctpa_cwnd_path_t){ .reduced_to = -1, .limits_reduced_to = -1, .expired_packet = SCTPA_NO_PACKET_INDEX };
    }
    return &sender->paths[path];
}

/* --- timeouts, and losses that reduce the limits of rules --- */

static void collapse(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, bool is_probe)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    sctpa_member_t most = path->members[SCTPA_MOST], best = path->members[sender->best];
    for (unsigned i = 0; i < SCTPA_FOLLOWED; i++)
        sctpa_member_timeout(cwnd_follows(sender, i), &path->members[i], &sizes, is_probe);
    if (is_probe) {
        cwnd_widen(sender, path, &best);
        cwnd_widen(sender, path, &most);
    }
    path->stopped_bytes = path->steady_bytes = 0;
    if (sender->losses->likely_recovery.to >= 0)
        cwnd_losses(c, sender)->likely_recovery.to = -1;
    path->marked_bytes = path->flight.bytes;
    note_cwnd(c, sender, path, c->sent);
}

/* Was a TSN surely sent again for a loss, which SACKs or T3-rtx showed? */
static bool is_loss(const sctpa_rtx_t *rtx)
{
    return rtx->kind == SCTPA_RTX_FAST || rtx->kind == SCTPA_RTX_TIMEOUT ||
           (rtx->kind == SCTPA_RTX_UNKNOWN && rtx->misses >= SCTPA_MISSES_FAST);
}

/* "adjust the ssthresh and cwnd of the destination address(es) to which the missing DATA chunks were last sent" (7.2.4,
 * 7.2.3), once per Fast Recovery: it is over when all is acknowledged that was outstanding when it began. Paths may
 * move. */
static void reduce_limits(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_rtx_t *rtx = c->chunks[i].sent.tsn ? sctpa_observed_rtx(&c->chunks[i], c->sent) : NULL;
        if (!rtx)
            continue;
        if (rtx->kind != SCTPA_RTX_FAST)
            sender->marked_to = c->sent->highest;
        sctpa_cwnd_path_t *path =
            sctpa_cwnd_path_of(c, sender, g_array_index(c->tracker->records, sctpa_record_t, rtx->previous).path);
        if (!is_loss(rtx) || path->limits_reduced_to > c->sent->cum_tsn)
            continue;
        path->limits_reduced_to = c->sent->highest;
        for (unsigned j = 0; j < SCTPA_LIMIT_UNITS * SCTPA_LIMITS; j++)
            sctpa_limit_lost(&path->limits[j / SCTPA_LIMITS][j % SCTPA_LIMITS],
                             unit_of_limit(c, sender, j / SCTPA_LIMITS));
    }
}

/* How many RTOs passed at the least since data left to the path, of which RTO.Min and RTO.Max are asserted: it may be
 * twice what round trips show, since each sender measures others of them, and the largest where a timer may have
 * doubled it. */
static unsigned idle_rtos(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender, const sctpa_cwnd_path_t *path)
{
    const sctpa_tap_t *tap = &c->reference->tap;
    const int64_t min_ns = sctpa_tap_parameter(tap, c->from, SCTPA_PARAMETER_RTO_MIN, 0),
                  max_ns = sctpa_tap_parameter(tap, c->from, SCTPA_PARAMETER_RTO_MAX, 0),
                  rto_ns = sender->has_repeated ? max_ns : 2 * MAX(cwnd_rto_ns(c->sent, c->path), min_ns);
    return min_ns > 0 && max_ns > 0
               ? (unsigned)(sctpa_context_least_ns(c, c->packet->time_ns - path->data_ns) / MIN(rto_ns, max_ns))
               : 0;
}

/* --- what the sender sends is taken: retransmissions, data given up, bursts --- */

/* What the DATA chunks of a packet are. */
typedef struct {
    uint32_t new_chunks, repeated_chunks;
    uint64_t user_bytes, chunk_bytes, repeated_bytes;
    uint32_t lost_previous; /* packet of the previous transmission of one retransmitted since SACKs reported it missing,
                               or none */
    uint32_t unknown_previous; /* the same of one retransmitted for no known reason */
    bool is_fragment;          /* the beginning of a message that did not fit into it */
    bool is_open;              /* the message of the chunk before goes on */
    bool is_small_fragment;    /* the message went on in the same packet: its sender fragments to less than fits */
    bool is_timer;             /* some are retransmitted since the timer marked them */
    bool is_probe;             /* into a closed window */
    bool is_unknown;           /* some perhaps by the timer, perhaps not */
} sending_t;

static void look_at(const sctpa_context_t *c, const sctpa_observed_t *observed, sending_t *sending)
{
    const sctpa_tsn_t *tsn = observed->sent.tsn;
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(observed, c->sent);
    sending->is_fragment |= (tsn->flags & (SCTPA_TSN_BEGIN | SCTPA_TSN_END)) == SCTPA_TSN_BEGIN;
    sending->is_small_fragment |= sending->is_open;
    sending->is_open = !(tsn->flags & SCTPA_TSN_END);
    sending->user_bytes += tsn->bytes;
    sending->chunk_bytes += observed->tlv.wire_bytes + observed->tlv.padding_bytes;
    if (!rtx) {
        sending->new_chunks++;
        return;
    }
    sending->repeated_chunks++;
    sending->repeated_bytes += tsn->bytes;
    if (rtx->kind == SCTPA_RTX_FAST)
        sending->lost_previous = MIN(sending->lost_previous, rtx->previous);
    if (rtx->kind == SCTPA_RTX_UNKNOWN || rtx->kind == SCTPA_RTX_EARLY)
        sending->unknown_previous = MIN(sending->unknown_previous, rtx->previous);
    sending->is_unknown |= rtx->kind == SCTPA_RTX_UNKNOWN;
    sending->is_probe |= rtx->kind == SCTPA_RTX_PROBE;
    sending->is_timer |= rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_PROBE;
}

/* Something is retransmitted and the capture does not show why. After a SACK it is taken for a loss, after silence for
 * a timeout; the cwnd of a sender that did not reduce it stays possible. */
static void take_unknown(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, uint16_t number, bool is_unknown)
{
    sctpa_cwnd_path_t *path = sctpa_cwnd_path_of(c, sender, number);
    int64_t quiet_ns = c->packet->time_ns - MAX(c->sent->last_sack_ns, path->data_ns);
    cwnd_begin(c, sender, path);
    sctpa_member_t before = path->members[sender->best];
    bool is_explained = sctpa_cwnd_is_recovering(sender, c->sent, c->sent->cum_tsn) || path->marked_bytes > 0;
    if (!is_explained && quiet_ns >= cwnd_rto_ns(c->sent, number) / 2)
        collapse(c, sender, path, false);
    else if (!is_explained && sender->misses >= SCTPA_MISSES_FAST)
        cwnd_lost(c, sender, c->sent, number);
    else if (!is_explained)
        path->awaits_misses = true;
    cwnd_widen(sender, path, &before);
    if (is_unknown)
        cwnd_widen_by_timeout(sender, path, &before);
    note_cwnd(c, sender, path, c->sent);
}

static void take_timeouts(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, const sending_t *sending)
{
    for (uint32_t i = 0; i < c->sent->paths.len && i < sender->n_paths; i++) {
        sctpa_cwnd_path_t *path = &sender->paths[i];
        if (SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, i).timeout_packet != c->index || !path->is_known)
            continue;
        cwnd_begin(c, sender, path);
        collapse(c, sender, path, sending->is_probe);
    }
}

/* What retransmissions say of cwnd. Paths may move: returns the packet's own. */
static sctpa_cwnd_path_t *take_repeated(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, const sending_t *sending)
{
    if (sending->lost_previous != SCTPA_NO_PACKET_INDEX)
        cwnd_lost(c, sender, c->sent, g_array_index(c->tracker->records, sctpa_record_t, sending->lost_previous).path);
    take_timeouts(c, sender, sending);
    if (sending->unknown_previous != SCTPA_NO_PACKET_INDEX)
        take_unknown(c, sender, g_array_index(c->tracker->records, sctpa_record_t, sending->unknown_previous).path,
                     sending->is_unknown);
    sctpa_cwnd_path_t *path = sctpa_cwnd_path_of(c, sender, c->path);
    if (sending->is_timer)
        path->marked_bytes -= MIN(path->marked_bytes, sending->repeated_bytes);
    return path;
}

/* TSNs are given up that SACKs reported missing, or after as long as the timer takes: what showed the sender that they
 * were lost had it reduce cwnd, whether it retransmits them or not. */
static void take_abandoned(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    for (uint32_t i = 0; c->sent->rare->abandoned_to > sender->losses->abandoned_to && i < sender->n_paths; i++) {
        sctpa_cwnd_path_t *path = &sender->paths[i];
        if (!path->members || cwnd_flight(c->sent, i).bytes >= path->flight.bytes)
            continue;
        sctpa_member_t best = path->members[sender->best], reduced = path->members[SCTPA_LEAST];
        int64_t quiet_ns = c->packet->time_ns - MAX(c->sent->last_sack_ns, path->data_ns),
                rto_ns = cwnd_rto_ns(c->sent, i);
        bool is_lost = sender->misses >= SCTPA_MISSES_FAST;
        if (quiet_ns >= rto_ns * 7 / 8)
            collapse(c, sender, path, false);
        else if (is_lost)
            cwnd_lost(c, sender, c->sent, (uint16_t)i);
        sctpa_member_lost(sender->best, &reduced, &sizes);
        if (is_lost || quiet_ns >= rto_ns / 2) /* else its lifetime ended */
            cwnd_widen(sender, path, &reduced);
        cwnd_widen(sender, path, &best);
        note_cwnd(c, sender, path, c->sent);
    }
    if (sender->losses->abandoned_to != c->sent->rare->abandoned_to)
        cwnd_losses(c, sender)->abandoned_to = c->sent->rare->abandoned_to;
}

static void take_idle(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path, bool probed)
{
    int64_t idle_ns = c->packet->time_ns - path->data_ns, rto_ns = cwnd_rto_ns(c->sent, c->path);
    path->is_probed |= probed;
    if (!path->members || (!probed && idle_ns < rto_ns))
        return;
    sctpa_sizes_t sizes = sizes_of(sender);
    unsigned rtos = probed ? 1 : (unsigned)MIN(idle_ns / rto_ns, 16);
    for (unsigned i = 0; i < SCTPA_FOLLOWED; i++)
        sctpa_member_idle(cwnd_follows(sender, i), &path->members[i], &sizes, rtos, probed);
    note_cwnd(c, sender, path, c->sent);
}

/* The first packet after a SACK leaves: senders that cut cwnd to what a burst needs do so now, on all paths. */
static void take_output(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender)
{
    sctpa_sizes_t sizes = sizes_of(sender);
    for (uint32_t i = 0; i < sender->n_paths; i++) {
        sctpa_cwnd_path_t *path = &sender->paths[i];
        bool is_first = !path->has_sent;
        path->has_sent = true;
        if (!is_first || !path->members || sender->is_far)
            continue;
        sctpa_amount_t flight = cwnd_unmarked(path);
        path->uncut_cwnd = path->members[SCTPA_MEMBER_BURSTS].cwnd;
        sctpa_member_sent(SCTPA_MEMBER_BURSTS, &path->members[SCTPA_MEMBER_BURSTS], &sizes, flight);
        sctpa_member_sent(cwnd_follows(sender, SCTPA_LEAST), &path->members[SCTPA_LEAST], &sizes, flight);
        flight.bytes += (path->is_behind ? 2 : 1) * (uint64_t)path->waiting_bytes;
        sctpa_member_sent(cwnd_follows(sender, SCTPA_MOST), &path->members[SCTPA_MOST], &sizes, flight);
        if (i != c->path) /* the packet's own is noted once all of the packet was taken */
            note_cwnd(c, sender, path, c->sent);
    }
}

static void take_burst(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path,
                       const sending_t *sending)
{
    if (sending->repeated_chunks > 0)
        path->burst_repeats = true;
    if (sending->new_chunks == 0)
        return;
    path->burst_packets += path->burst_packets < UINT16_MAX;
    if (path->burst_packets == 1)
        path->burst_answers =
            path->sack_ns > 0 && c->packet->time_ns - path->sack_ns <=
                                     2 * SCTPA_NS_PER_MS + MAX(sctpa_context_tap_rtt_most_ns(c, c->from), 0);
    if (path->members && path->marked_bytes == 0 && sending->repeated_chunks == 0)
        cwnd_check_sending(c, sender, path);
}

/* Does the packet leave right behind the first one of the burst that answers the SACK, of a sender that had data
 * waiting when that came? Then its first chunk had no room in that one. */
static void take_unbundled(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, const sctpa_cwnd_path_t *path,
                           const sending_t *sending)
{
    if (sending->repeated_chunks > 0 || path->burst_repeats || !path->burst_answers || path->burst_packets != 2 ||
        !path->has_backlog || c->packet->time_ns - path->data_ns > sending_ns)
        return;
    const sctpa_tlv_t *first = &c->first_data->tlv;
    const uint32_t both_bytes = sender->last_bytes + first->wire_bytes + first->padding_bytes;
    sender->leaves_room |= both_bytes <= sender->packet_bytes;
    sender->unbundled += both_bytes + SCTPA_CWND_IPV4_BYTES > sctpa_cwnd_mtu(sender) && sender->unbundled < UINT32_MAX;
}

const sctpa_rtx_t *sctpa_cwnd_timeout(const sctpa_context_t *c)
{
    const sctpa_rtx_t *rtx = c->first_data ? sctpa_observed_rtx(c->first_data, c->sent) : NULL;
    if (!rtx || rtx->kind != SCTPA_RTX_TIMEOUT || rtx->misses >= SCTPA_MISSES_FAST || c->path >= c->sent->paths.len)
        return NULL;
    const sctpa_data_path_t *path = &SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, c->path);
    const bool may_be_marked = path->unknown_packet != SCTPA_NO_PACKET_INDEX && path->unknown_packet >= rtx->previous;
    return path->timeout_packet == c->index && path->last_sample > 0 && !may_be_marked &&
                   g_array_index(c->tracker->records, sctpa_record_t, rtx->previous).path == c->path
               ? rtx
               : NULL;
}

/* What retransmissions showed of the sender, for rules. */
static void take_retransmission(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path)
{
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(c->first_data, c->sent);
    if (rtx && sctpa_cwnd_timeout(c)) {
        path->expired_packet = c->index;
        path->lost_packet = rtx->previous;
        path->follower_packet = SCTPA_NO_PACKET_INDEX;
    } else if (path->expired_packet != SCTPA_NO_PACKET_INDEX && path->follower_packet == SCTPA_NO_PACKET_INDEX &&
               !(rtx && rtx->previous == path->expired_packet)) {
        path->follower_packet = c->index;
        sender->followed = (uint16_t)(c->path + 1);
    }
    if (rtx && (rtx->kind == SCTPA_RTX_FAST || sctpa_cwnd_is_early(rtx))) {
        sctpa_cwnd_losses_t *losses = cwnd_losses(c, sender);
        losses->fast += rtx->kind == SCTPA_RTX_FAST;
        losses->early += rtx->kind == SCTPA_RTX_EARLY;
    }
}

/* The snap length left out whole chunks. */
static bool has_unseen_chunks(const sctpa_context_t *c)
{
    uint32_t seen_bytes = SCTPA_HEADER_BYTES;
    for (unsigned i = 0; i < c->n_chunks; i++)
        seen_bytes += c->chunks[i].tlv.wire_bytes + c->chunks[i].tlv.padding_bytes;
    return seen_bytes + SCTPA_TLV_HEADER_BYTES <= c->packet->wire_bytes;
}

static void take_data(const sctpa_context_t *c, sctpa_cwnd_sender_t *sender)
{
    sending_t sending = { .lost_previous = SCTPA_NO_PACKET_INDEX, .unknown_previous = SCTPA_NO_PACKET_INDEX };
    sctpa_cwnd_path_t *path = sctpa_cwnd_path_of(c, sender, c->path);
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (c->chunks[i].sent.tsn)
            look_at(c, &c->chunks[i], &sending);
    if (c->first_data)
        take_retransmission(c, sender, path);
    if (sending.user_bytes == 0)
        return;
    if (sending.repeated_chunks > 0) {
        reduce_limits(c, sender);
        path = sctpa_cwnd_path_of(c, sender, c->path);
    }
    sender->fragments |= sending.is_fragment;
    const bool fits_ethernet = c->packet->ip_bytes <= SCTPA_ETHERNET_BYTES;
    sender->exceeds_ethernet |= !fits_ethernet;
    sender->has_shrunk |=
        sending.is_small_fragment ||
        (sending.is_fragment && (c->packet->wire_bytes + SCTPA_CWND_HEADERS_BYTES < sender->packet_bytes ||
                                 (sender->exceeds_ethernet && fits_ethernet)));
    sender->is_cut |= has_unseen_chunks(c);
    sender->packet_bytes = MAX(sender->packet_bytes, (c->packet->wire_bytes + 3) & ~3U);
    uint32_t overhead =
        (uint32_t)((sending.chunk_bytes - sending.user_bytes) * 16 / (sending.new_chunks + sending.repeated_chunks));
    sender->overhead_sixteenths =
        sender->overhead_sixteenths > 0 ? (15 * sender->overhead_sixteenths + overhead) / 16 : overhead;
    path->is_known = true;
    sender->has_repeated |= sending.repeated_chunks > 0;
    if (sending.new_chunks > 0) {
        uint32_t mean = (uint32_t)((sending.user_bytes - sending.repeated_bytes) / sending.new_chunks);
        sender->tsn_bytes = sender->tsn_bytes > 0 ? (15 * sender->tsn_bytes + mean) / 16 : mean;
    }
    if (sending.repeated_chunks > 0)
        path = take_repeated(c, sender, &sending);
    if (cwnd_starts_timer(c, c->sent, c->path) || sending.repeated_chunks > 0)
        path->timer_ns = c->packet->time_ns;
    if (sending.repeated_chunks == 0 && path->data_ns > 0 && path->flight.bytes == 0) {
        const unsigned rtos = idle_rtos(c, sender, path);
        for (unsigned i = 0; i < SCTPA_LIMIT_UNITS * SCTPA_LIMITS; i++)
            sctpa_limit_idle(&path->limits[i / SCTPA_LIMITS][i % SCTPA_LIMITS],
                             unit_of_limit(c, sender, i / SCTPA_LIMITS), (sctpa_limit_kind_t)(i % SCTPA_LIMITS), rtos);
        take_idle(c, sender, path, false);
    }
    if (cwnd_flight(c->sent, c->path).bytes >= FLIGHT_SMALL)
        cwnd_begin(c, sender, path);
    cwnd_await(path, c->packet->time_ns - MAX(path->data_ns, path->sack_ns));
    take_output(c, sender);
    take_burst(c, sender, path, &sending);
    if (c->first_data)
        take_unbundled(c, sender, path, &sending);
    sender->last_bytes = c->packet->wire_bytes;
    path->waiting_bytes -= MIN(path->waiting_bytes, sending.user_bytes / 2);
    path->data_ns = c->packet->time_ns;
    note_cwnd(c, sender, path, c->sent);
}

void sctpa_cwnd_take(const sctpa_context_t *c)
{
    sctpa_cwnd_sender_t *sender, *acked = sctpa_cwnd_sender(c, !c->from);
    if (c->acked && acked && c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(ECNE)))
        cwnd_take_acks(c, acked);
    if (!c->sent)
        return;
    sender = sctpa_cwnd_sender(c, c->from);
    if (!sender && c->rows & (SCTPA_DATA_ROWS | SCTPA_ROW(HEARTBEAT)))
        sender = begin(c);
    if (!sender)
        return;
    if (c->rows & SCTPA_ROW(HEARTBEAT) && !(c->rows & SCTPA_ROW(PAD)) &&
        c->path != SCTPA_NO_PATH) /* with PAD it probes the PMTU */
        take_idle(c, sender, sctpa_cwnd_path_of(c, sender, c->path), true);
    if (c->rows & (SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN)))
        take_abandoned(c, sender);
    if (c->rows & SCTPA_DATA_ROWS)
        take_data(c, sender);
    for (uint32_t i = 0; i < sender->n_paths; i++) {
        sender->paths[i].flight = cwnd_flight(c->sent, i);
        sender->paths[i].marked_bytes = (uint32_t)MIN(sender->paths[i].marked_bytes, sender->paths[i].flight.bytes);
    }
    sender->highest = c->sent->highest;
    sender->a_rwnd_bytes = c->sent->a_rwnd_bytes;
}
