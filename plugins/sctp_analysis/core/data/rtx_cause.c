/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a TSN was sent again (field sctp.analysis.retransmission), from what the sender can have seen by then. Miss
 * indications are counted when they are asked for: the log of what SACKs acknowledged is read backwards. Where the
 * evidence does not decide, the kind is unknown: the capture may have missed SACKs or transmissions, and the sender
 * may not have got what passed here. What a sender does at once when a SACK arrives shows near it as a packet right
 * behind that SACK; what a timer does comes alone. */
#include "base/numbers.h"
#include "direction_internal.h"
#include "rto.h"
#include "wire/types.h"

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

enum { LOOKED_BACK_AT = 16 }; /* retransmissions of a TSN */

/* How much later than its delay allows the ack of a probe may still count: a tick and a half. */
#define PROBE_MARGIN_NS (15 * SCTPA_NS_PER_MS)

/* A TSN that is sent again now. */
typedef struct {
    const sctpa_direction_t *direction;
    const sctpa_data_path_t *path; /* of its previous transmission */
    const sctpa_tsn_t *tsn;
    sctpa_miss_indications_t misses;
    bool is_lowest, is_newest; /* of what is outstanding */
    bool is_above_lowest;      /* the lowest TSN outstanding is another one of its path: the timer would send that */
    bool was_fast, was_only_timed_out; /* some, all retransmissions before */
    int64_t quiet_ns;                  /* since the last SACK can have reached the sender */
    sctpa_t3_t t3;                     /* of its path */
    int64_t timer_ns;                  /* since that was started, at most */
    int64_t since_third_ns;            /* since the third miss indication can have reached the sender */
} resent_t;

/* Is the tap so near the sender that what passes it reaches the sender at once? */
static bool is_near(const sctpa_place_in_capture_t *place)
{
    return sctpa_place_tap_rtt_most_ns(place) >= 0 && sctpa_place_tap_rtt_most_ns(place) <= SCTPA_NEAR_NS;
}

/* From the tap to the sender and back takes this long at least. Far away one SACK more or less decides: rather too
 * long, and unknown, than a SACK that the sender had not got. */
static int64_t reach_ns(const sctpa_place_in_capture_t *place)
{
    return sctpa_place_tap_rtt_most_ns(place) < 0 || is_near(place) ? 0 : sctpa_place_tap_rtt_most_ns(place);
}

/* No TSN above it is outstanding: all that were seen are gap-acked. */
static bool is_newest(const sctpa_direction_t *direction, int64_t number)
{
    const sctpa_range_t *last = &direction->rare->gap_acked.top;
    return number >= direction->highest ||
           (sctpa_direction_has_gaps(direction) && last->first <= number + 1 && last->last >= direction->highest);
}

/* Has the sender waited as long as its shortest known timeout? */
static bool is_known_rto(const resent_t *resent, int64_t waited_ns)
{
    return waited_ns >= resent->direction->rare->rto_min_ns - resent->direction->rare->rto_min_ns / 16;
}

/* Has the sender waited longer than anything but the retransmission timer would? A loss probe (RACK) waits two round
 * trips and an ack delay of 200 ms at most. */
static bool is_longer_than_a_probe(const resent_t *resent, int64_t waited_ns)
{
    int64_t srtt_ns = resent->path->srtt_ns;
    return is_known_rto(resent, waited_ns) ||
           (srtt_ns > 0 && waited_ns >= 2 * srtt_ns + srtt_ns / 16 + SCTPA_SACK_DELAY_NS + PROBE_MARGIN_NS);
}

/* A probe resends the newest TSN, the timer the lowest: in a silence longer than the shortest RTO only the timer sends
 * that, and where waits_for_t3 all. Silence is proven near the sender, and while the capture shows everything.
 */
static bool is_timer(const resent_t *resent, const sctpa_place_in_capture_t *place)
{
    int64_t shortest_ns = resent->t3.rto_least_ns;
    if (place->time_ns < resent->t3.earliest_ns)
        return false;
    if (resent->misses.n >= SCTPA_MISSES_FAST) /* marked by them perhaps, and held back */
        return is_known_rto(resent, resent->timer_ns);
    return is_longer_than_a_probe(resent, resent->timer_ns) ||
           (shortest_ns > 0 && is_near(place) && resent->direction->rare->unseen_acked == 0 && resent->is_lowest &&
            (!resent->is_newest || resent->direction->waits_for_t3) && resent->quiet_ns >= shortest_ns);
}

/* Was nothing of its path sent again since then that the timer may have sent, into a closed window as well? It sends
 * the lowest TSN at once when it expires (6.3.3 E3), and marks the others. */
static bool is_unmarked(const resent_t *resent)
{
    return resent->path->unknown_packet == SCTPA_NO_PACKET_INDEX ||
           resent->path->unknown_packet < resent->tsn->last_packet;
}

/* Had the timer no time to expire? */
static bool is_before_timer(const resent_t *resent, const sctpa_place_in_capture_t *place)
{
    return resent->t3.rto_least_ns > 0 && place->time_ns < resent->t3.earliest_ns;
}

/* Is it not what the timer sends? That would be the lowest TSN of its path. */
static bool is_spared_by_timer(const resent_t *resent, const sctpa_place_in_capture_t *place)
{
    return is_near(place) && resent->direction->rare->unseen_acked == 0 && !resent->direction->truncated &&
           resent->is_above_lowest && place->path == resent->tsn->path;
}

/* Near the sender: does the packet follow a SACK so closely that it answers it? */
static bool follows_sack(const resent_t *resent, const sctpa_place_in_capture_t *place)
{
    return resent->quiet_ns <= MAX(SCTPA_NS_PER_MS / 5, sctpa_place_tap_rtt_most_ns(place) / 2);
}

/* Had a SACK acknowledged it before the third one that seemed to miss it? No later SACK reports it missing. */
static bool is_acked_before_third(const resent_t *resent)
{
    return MIN(resent->tsn->gap_packet, resent->tsn->ack_packet) < resent->misses.third;
}

/* Three miss indications, and no timer can have come between: it had no time to, or would send another TSN, or the
 * packet answers the very SACK that made them three, or answers a SACK that came later when cwnd held the TSN back. One
 * that was retransmitted fast is "ineligible for a subsequent Fast Retransmit" (7.2.4): three more say nothing of a
 * sender that keeps to that. */
static bool is_fast(const resent_t *resent, const sctpa_place_in_capture_t *place)
{
    if (resent->misses.n < SCTPA_MISSES_FAST || !is_unmarked(resent) || is_acked_before_third(resent))
        return false;
    if (resent->misses.outside_recovery >= SCTPA_MISSES_FAST && is_spared_by_timer(resent, place))
        return true;
    if (is_longer_than_a_probe(resent, resent->since_third_ns))
        return false;
    if (resent->since_third_ns <= MAX(SCTPA_NS_PER_MS, resent->path->srtt_ns / 16))
        return true;
    if (resent->misses.outside_recovery < SCTPA_MISSES_FAST)
        return false;
    if (is_before_timer(resent, place))
        return true;
    return (resent->was_only_timed_out || resent->direction->repeats_fast) && follows_sack(resent, place);
}

/* The timer marked every TSN that was outstanding on its path (6.3.3 E3): they follow as cwnd allows. */
static bool is_marked_by_timer(const resent_t *resent, int64_t number)
{
    return resent->path->timeout_packet != SCTPA_NO_PACKET_INDEX && number <= resent->path->timeout_highest &&
           resent->tsn->last_packet < resent->path->timeout_packet;
}

static void note_timeout(sctpa_direction_t *direction, const resent_t *resent, const sctpa_place_in_capture_t *place)
{
    uint16_t number = resent->tsn->path;
    sctpa_timing_backoff(direction, number, place, &resent->t3, resent->tsn->last_packet);
    sctpa_data_path_t *path = sctpa_direction_path(direction, number);
    path->timeout_packet = place->packet;
    path->timeout_highest = direction->highest;
    sctpa_direction_rare(direction)->recovery.to = -1;
}

static bool window_is_closed(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn)
{
    return direction->has_a_rwnd && direction->a_rwnd_bytes < tsn->bytes;
}

/* A sender may have given TSNs up without telling yet (FORWARD_TSN): then the lowest is not known. */
static bool is_above_lowest(sctpa_direction_t *direction, int64_t lowest, int64_t number, const sctpa_tsn_t *tsn)
{
    const sctpa_tsn_t *other = lowest < number ? sctpa_pages_find(direction, lowest) : NULL;
    return other && other->path == tsn->path && sctpa_tsn_is_outstanding(other) && direction->rare->abandoned_to < 0;
}

static void look_back(resent_t *resent)
{
    const sctpa_rtx_t *rtx;
    resent->was_only_timed_out = resent->tsn->transmissions <= LOOKED_BACK_AT;
    unsigned left = LOOKED_BACK_AT;
    for (uint32_t at = resent->tsn->more; at > 0 && left > 0; at = rtx->link.before, left--) {
        rtx = sctpa_direction_rtx(resent->direction, at);
        resent->was_fast |= rtx->kind == SCTPA_RTX_FAST;
        resent->was_only_timed_out &= rtx->kind == SCTPA_RTX_TIMEOUT;
    }
}

static resent_t look(sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn,
                     const sctpa_place_in_capture_t *place)
{
    int64_t seen_by_ns = place->time_ns - reach_ns(place);
    sctpa_range_t range;
    resent_t resent = { .direction = direction, .path = sctpa_direction_path(direction, tsn->path), .tsn = tsn };
    int64_t first = direction->has_cum ? direction->cum_tsn + 1 : number;
    resent.misses = sctpa_miss_indications_since(direction, number, tsn->last_packet, G_MININT64, seen_by_ns);
    bool is_any = sctpa_tsn_set_next(&direction->seen, first, number, &range);
    resent.is_lowest = is_any && range.first == number;
    resent.is_above_lowest = is_any && is_above_lowest(direction, range.first, number, tsn);
    look_back(&resent);
    resent.is_newest = is_newest(direction, number);
    resent.quiet_ns = direction->has_cum ? seen_by_ns - direction->last_sack_ns : G_MAXINT64;
    /* what the timer resends first was sent before it was started, or started it */
    int64_t since_ns = tsn->transmissions == 1 ? sctpa_direction_time_ns(direction, tsn->last_packet) : 0;
    resent.t3 = sctpa_t3_of(resent.path, place->time_ns, sctpa_place_tap_rtt(place), since_ns);
    resent.timer_ns = place->time_ns - resent.t3.started_ns;
    if (resent.misses.n >= SCTPA_MISSES_FAST)
        resent.since_third_ns = seen_by_ns - sctpa_direction_time_ns(direction, resent.misses.third);
    return resent;
}

/* Fewer misses than three made the sender act before its timer: proven when not even a SACK for every packet makes them
 * three, nor those that passed shortly before the transmission and reached the sender after it. */
static bool is_early(const resent_t *resent, int64_t number, const sctpa_place_in_capture_t *place)
{
    if (!is_near(place) || place->path != resent->tsn->path || !follows_sack(resent, place) ||
        place->time_ns >= resent->t3.earliest_ns || !is_unmarked(resent))
        return false;
    int64_t from_ns = sctpa_direction_time_ns(resent->direction, resent->tsn->last_packet) - SCTPA_NS_PER_MS / 5 -
                      2 * sctpa_place_tap_rtt_most_ns(place);
    sctpa_miss_indications_t most = sctpa_miss_indications_since(resent->direction, number, 0, from_ns, place->time_ns);
    return most.n > 0 && most.reports < SCTPA_MISSES_FAST && most.packets < SCTPA_MISSES_FAST;
}

/* Its address was given up while its timer ran and before three misses: it has to go elsewhere. */
static bool is_handover(const resent_t *resent, const sctpa_place_in_capture_t *place)
{
    int64_t left_ns = resent->path->left_ns;
    return place->path != resent->tsn->path && left_ns != INT64_MIN && resent->misses.n < SCTPA_MISSES_FAST &&
           is_unmarked(resent) && sctpa_direction_time_ns(resent->direction, resent->tsn->last_packet) <= left_ns &&
           resent->t3.rto_least_ns > 0 && left_ns < resent->t3.earliest_ns;
}

/* Had the timer no time to expire, whichever round trips its sender measured? "SRTT <- R" and what follows never make
 * the RTO shorter than the shortest of them (6.3.1 C2, C3). Who retransmits another TSN than the lowest may have given
 * that up: its timer was started no later than shown. */
static bool is_untimed(const resent_t *resent, const sctpa_place_in_capture_t *place)
{
    const int64_t started_ns = resent->is_lowest ? resent->t3.started_ns : resent->path->t3_start_ns;
    return is_near(place) &&
           place->time_ns - started_ns < sctpa_tap_least_answer_ns(*resent->direction->receiver_tap_rtt);
}

static sctpa_rtx_kind_t judge(sctpa_direction_t *direction, int64_t number, const resent_t *resent,
                              const sctpa_place_in_capture_t *place)
{
    const sctpa_tsn_t *tsn = resent->tsn;
    if (tsn->state & SCTPA_TSN_REPORTED)
        return SCTPA_RTX_REPORT;
    if (place->data_only || direction->rare->doubtful_to > direction->cum_tsn ||
        !sctpa_direction_tells_reneging(direction))
        return SCTPA_RTX_UNKNOWN;
    bool marked = is_marked_by_timer(resent, number);
    if (!marked && is_fast(resent, place)) {
        if (direction->rare->recovery.to <= direction->cum_tsn)
            sctpa_direction_rare(direction)->recovery =
                (sctpa_recovery_t){ direction->highest, direction->last_sack_ns };
        direction->repeats_fast |=
            resent->was_fast && (is_before_timer(resent, place) || is_spared_by_timer(resent, place));
        return SCTPA_RTX_FAST;
    }
    if (!marked && is_handover(resent, place))
        return SCTPA_RTX_HANDOVER;
    bool timer = !marked && is_timer(resent, place) && !follows_sack(resent, place);
    if (timer)
        note_timeout(direction, resent, place);
    if (window_is_closed(direction, tsn))
        return SCTPA_RTX_PROBE;
    if (marked || timer)
        return SCTPA_RTX_TIMEOUT;
    return is_early(resent, number, place) ? SCTPA_RTX_EARLY : SCTPA_RTX_UNKNOWN;
}

void sctpa_rtx_classify(sctpa_direction_t *direction, int64_t number, const sctpa_tsn_t *tsn,
                        const sctpa_place_in_capture_t *place, sctpa_rtx_t *rtx)
{
    const resent_t resent = look(direction, number, tsn, place);
    const uint32_t timed_rtx_packet = resent.path->timed_rtx_packet;
    const sctpa_rtx_kind_t kind = judge(direction, number, &resent, place);
    sctpa_data_path_t *path = sctpa_direction_path(direction, tsn->path);
    rtx->kind = (uint8_t)kind & 0x3F;
    rtx->misses = resent.misses.n & 0x3F;
    rtx->is_untimed = is_untimed(&resent, place);
    rtx->is_unmarked = timed_rtx_packet == SCTPA_NO_PACKET_INDEX || timed_rtx_packet <= tsn->last_packet;
    if (!rtx->is_untimed && !resent.is_above_lowest) /* the timer sends the lowest first */
        path->timed_rtx_packet = place->packet;
    if (kind == SCTPA_RTX_UNKNOWN || (kind == SCTPA_RTX_PROBE && path->timeout_packet != place->packet))
        path->unknown_packet = place->packet;
}

/* Nothing speaks for packets that the capture missed or the network doubled. */
static bool is_complete(const sctpa_direction_t *direction)
{
    return direction->rare->unseen_acked == 0 && direction->rare->network_duplicates == 0 && !direction->truncated &&
           direction->announced;
}

/* How soon an answer to a retransmission may come: of several paths, one that nothing shows may be shorter. Not above
 * 0: unknown. */
static int64_t least_answer_ns(const sctpa_direction_t *direction, const sctpa_rtx_t *rtx)
{
    const bool is_known =
        direction->paths.len < 2 ||
        (rtx->path < direction->paths.len && SCTPA_RECORD(&direction->paths, sctpa_data_path_t, rtx->path).is_answered);
    return is_known ? sctpa_tap_least_answer_ns(*direction->receiver_tap_rtt) : 0;
}

/* An ack that passed before the retransmission, or sooner after it than any answer, was for an earlier copy. Each
 * duplicate report says that one more copy arrived: of n transmissions of which d + 1 arrived, the first that did is
 * none of the last d, whichever did not. */
bool sctpa_direction_is_spurious(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn, const sctpa_rtx_t *rtx)
{
    uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    if (acked == SCTPA_NO_PACKET_INDEX || tsn->state & (SCTPA_TSN_ABANDONED | SCTPA_TSN_RENEGED) ||
        !sctpa_direction_tells_reneging(direction))
        return false;
    if (acked < rtx->packet)
        return true;
    int64_t elapsed_ns = sctpa_direction_time_ns(direction, acked) - sctpa_direction_time_ns(direction, rtx->packet);
    const sctpa_rtx_t *last = sctpa_direction_rtx(direction, tsn->more);
    if (last->link.number - rtx->link.number < tsn->duplicates && tsn->duplicates < tsn->transmissions &&
        is_complete(direction))
        return true;
    return elapsed_ns < least_answer_ns(direction, rtx);
}
