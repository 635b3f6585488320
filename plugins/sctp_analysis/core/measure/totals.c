/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was sent in a direction and how it was acknowledged, altogether and per path; how many SACKs were sent for it
 * and what they were good for; what its endpoint sends beside its user data; the throughput that theory allows
 * (Rüngeler, dissertation, chapter 7). */
#include <math.h>

#include "base/records.h"
#include "data/shared_limits.h"
#include "measure.h"
#include "source.h"
#include "track/assoc.h"
#include "wire/types.h"

static uint32_t largest_window(const sctpa_source_t *source)
{
    const sctpa_records_t *sacks = &source->direction->sacks;
    uint32_t largest = source->window_bytes;
    for (unsigned i = 0; i < sacks->len; i++)
        largest = MAX(largest, SCTPA_RECORD(sacks, sctpa_sack_record_t, i).a_rwnd_bytes);
    return largest;
}

static double mean(uint64_t sum, uint64_t n)
{
    return n ? (double)sum / (double)n : 0;
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : -1;
}

/* Of bytes, those that are no user data. */
static double headers(uint64_t user_bytes, uint64_t bytes)
{
    return ratio(bytes - MIN(user_bytes, bytes), bytes);
}

/* sqrt(D*MTU) * sqrt(3/2) / (RTT * sqrt(p*H)): (7.10) with H = 1, (7.12) with H = 1 + H_C/UMS. */
static double lossy_bps(const sctpa_throughput_limits_t *theory, double headers)
{
    return 8e9 * sqrt(theory->packet_user_bytes * theory->mtu_bytes) * sqrt(1.5) /
           ((double)theory->rtt_ns * sqrt(theory->loss * headers));
}

/* Fills measure->theory from its other numbers. largest_bytes: largest IP packet with data, 0 none. O(SACKs). */
static void measure_theory(const sctpa_source_t *source, sctpa_measure_t *measure, uint32_t largest_bytes,
                           bool has_i_data)
{
    const sctpa_sent_t *all = &measure->all;
    sctpa_throughput_limits_t *theory = &measure->theory;
    *theory = (sctpa_throughput_limits_t){ .window_bps = -1, .lossy_bps = -1, .lossy_headers_bps = -1 };
    if (all->rtt.samples > 0 && source->sender_tap_rtt.is_measured)
        theory->rtt_ns = all->rtt.median_ns + source->sender_tap_rtt.most_ns;
    theory->window_bytes = largest_window(source);
    theory->loss = mean(all->lost + all->resent_unseen, all->transmissions + all->resent_unseen);
    theory->packet_user_bytes = mean(all->carried_bytes, all->data_packets);
    theory->chunk_user_bytes = mean(all->carried_bytes, all->transmissions);
    theory->chunk_header_bytes =
        sctpa_tlv_type(SCTPA_TLV_CHUNK, has_i_data ? SCTPA_CHUNK_I_DATA : SCTPA_CHUNK_DATA)->fixed_bytes;
    theory->mtu_bytes = largest_bytes;
    if (theory->rtt_ns <= 0)
        return;
    if (theory->window_bytes > 0)
        theory->window_bps = 8e9 * theory->window_bytes / (double)theory->rtt_ns;
    if (theory->loss > 0 && theory->mtu_bytes > 0 && theory->chunk_user_bytes > 0) {
        theory->lossy_bps = lossy_bps(theory, 1);
        theory->lossy_headers_bps = lossy_bps(theory, 1 + theory->chunk_header_bytes / theory->chunk_user_bytes);
    }
}

/* Where the walk of SACKs stands in the records of what they newly acked. */
typedef struct {
    uint32_t acked;  /* the next record */
    uint32_t packet; /* of the SACK before */
    unsigned order;  /* of the SACK in its packet */
} place_t;

/* Did the SACK newly acknowledge anything? Called with each SACK in order. */
static bool has_news(const sctpa_direction_t *direction, const sctpa_sack_record_t *sack, place_t *place)
{
    const sctpa_records_t *all = &direction->acked;
    place->order = sack->packet == place->packet ? place->order + 1 : 0;
    place->packet = sack->packet;
    const unsigned wanted = 2 * place->order + 1;
    for (; place->acked < all->len; place->acked++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(all, sctpa_acked_t, place->acked);
        if (acked->packet > sack->packet || (acked->packet == sack->packet && acked->order >= wanted))
            return acked->packet == sack->packet && acked->order == wanted;
    }
    return false;
}

static bool is_update(const sctpa_sack_record_t *before, const sctpa_sack_record_t *sack)
{
    return before && sack->cum_tsn == before->cum_tsn && sack->gaps == before->gaps &&
           sack->a_rwnd_bytes > before->a_rwnd_bytes;
}

/* Does a SACK report duplicates? */
static bool has_duplicates(const sctpa_direction_t *direction, uint32_t packet)
{
    const sctpa_records_t *all = &direction->rare->duplicate_tsns;
    const uint32_t at = sctpa_records_from(all->data, all->len, sizeof(sctpa_duplicate_t), packet);
    return at < all->len && SCTPA_RECORD(all, sctpa_duplicate_t, at).packet == packet;
}

/* Does it list duplicates, or did the network double the one before it? */
static bool is_answer(const sctpa_direction_t *direction, const sctpa_sack_record_t *before,
                      const sctpa_sack_record_t *sack)
{
    const uint16_t id = sctpa_stamp_ip_id(sctpa_direction_stamp(direction, sack->packet));
    return has_duplicates(direction, sack->packet) ||
           (id != 0 && id == sctpa_stamp_ip_id(sctpa_direction_stamp(direction, before->packet)));
}

/* A SACK that says the same as the one before, by itself, unless a packet with DATA made it. */
static void take_same(sctpa_sack_totals_t *totals, const sctpa_direction_t *direction,
                      const sctpa_sack_record_t *before, const sctpa_sack_record_t *sack)
{
    const sctpa_stamp_t *stamp = sctpa_direction_stamp(direction, sack->packet);
    const bool answers = is_answer(direction, before, sack);
    totals->answering += answers;
    if (answers || stamp->holds & SCTPA_STAMP_DATA)
        return;
    totals->repeated++;
    totals->unnumbered += sctpa_stamp_ip_id(stamp) == 0;
}

static bool says_same(const sctpa_sack_record_t *before, const sctpa_sack_record_t *sack)
{
    return before && sack->packet != before->packet && sack->cum_tsn == before->cum_tsn && sack->gaps == before->gaps &&
           sack->a_rwnd_bytes == before->a_rwnd_bytes;
}

/* Without a gap, data beside it or a higher a_rwnd. */
static bool adds_nothing(const sctpa_direction_t *direction, const sctpa_sack_record_t *before,
                         const sctpa_sack_record_t *sack)
{
    return sack->gaps == 0 && before->gaps == 0 && sack->cum_tsn == before->cum_tsn &&
           sack->a_rwnd_bytes <= before->a_rwnd_bytes &&
           !(sctpa_direction_stamp(direction, sack->packet)->holds & SCTPA_STAMP_DATA);
}

bool sctpa_sack_is_silent(const sctpa_direction_t *direction, const sctpa_sack_record_t *before,
                          const sctpa_sack_record_t *sack)
{
    return adds_nothing(direction, before, sack) && !is_answer(direction, before, sack);
}

uint32_t sctpa_same_sacks(const sctpa_direction_t *direction, uint32_t since, uint32_t until)
{
    const sctpa_records_t *sacks = &direction->sacks;
    uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), since + 1), same = 0;
    for (at = MAX(at, 1); at < sacks->len; at++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, at);
        if (sack->packet > until)
            break;
        same += adds_nothing(direction, sack - 1, sack);
    }
    return same;
}

/* What the SACKs of the receiver of a direction add up to. O(SACKs). */
static sctpa_sack_totals_t measure_sacks(const sctpa_source_t *source)
{
    sctpa_sack_totals_t totals = { .sacks = 0 };
    const sctpa_sack_record_t *before = NULL;
    place_t place = { 0, SCTPA_NO_PACKET_INDEX, 0 };
    if (!source->direction)
        return totals;
    const sctpa_records_t *sacks = &source->direction->sacks;
    for (uint32_t i = 0; i < sacks->len; i++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, i);
        const bool is_news = has_news(source->direction, sack, &place);
        if (sctpa_packets_has(source->selected, sack->packet)) {
            totals.sacks++;
            totals.idle += !is_news;
            if (!is_news && says_same(before, sack))
                take_same(&totals, source->direction, before, sack);
            totals.largest_bytes = MAX(totals.largest_bytes, sack->a_rwnd_bytes);
            if (!is_news && is_update(before, sack)) {
                totals.updates++;
                totals.raised_bytes += sack->a_rwnd_bytes - before->a_rwnd_bytes;
            }
        }
        before = sack;
    }
    return totals;
}

sctpa_efficiency_t sctpa_efficiency_of(const sctpa_counts_t *counts, const sctpa_sent_t *sent)
{
    const uint64_t other_packets = counts->packets - MIN(sent->data_packets, counts->packets);
    return (sctpa_efficiency_t){
        .data_packets = sent->data_packets,
        .other_packets = other_packets,
        .other_per_data = ratio(other_packets, sent->data_packets),
        .chunks_per_packet = ratio(sent->transmissions, sent->data_packets),
        .bundled_share = ratio(sent->bundled_packets, sent->data_packets),
        .sack_share = ratio(sent->sack_packets, sent->data_packets),
        .header_share = headers(counts->data_bytes, counts->wire_bytes),
        .data_header_share = headers(sent->carried_bytes, sent->data_wire_bytes),
    };
}

void sctpa_packets_add(sctpa_packets_t *packets, uint32_t index)
{
    if (!packets->words)
        packets->words = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    if (index / 64 >= packets->words->len)
        g_array_set_size(packets->words, index / 64 + 1);
    g_array_index(packets->words, uint64_t, index / 64) |= UINT64_C(1) << (index % 64);
}

/* A packet with data; packet first, by which sctpa_records_order sorts. */
typedef struct {
    uint32_t packet, chunks;
} carrier_t;

/* What walking the TSNs adds to. */
typedef struct {
    const sctpa_source_t *source;
    sctpa_measure_t *measure;
    GArray *packets; /* carrier_t, those with a transmission; neighbours differ */
    bool has_i_data;
    uint32_t largest_bytes; /* IP packet with a transmission */
    bool offload;
    uint64_t passed;         /* TSNs up to the last that was given up */
    uint32_t at_once_packet; /* the last that was counted as repeated at once, SCTPA_NO_PACKET_INDEX none */
} sum_t;

int64_t sctpa_sent_rtt_ns(const sctpa_sent_t *sent)
{
    const sctpa_percentiles_t *data = &sent->rtt, *heartbeats = &sent->heartbeat_rtt;
    if (data->samples == 0 || heartbeats->samples == 0)
        return data->samples > 0 ? data->min_ns : heartbeats->samples > 0 ? heartbeats->min_ns : -1;
    return MIN(data->min_ns, heartbeats->min_ns);
}

uint64_t sctpa_sent_rtx(const sctpa_sent_t *sent)
{
    uint64_t all = 0;
    for (unsigned kind = 0; kind < SCTPA_RTX_KINDS; kind++)
        all += sent->rtx[kind];
    return all;
}

/* Numbers of a path; those of no known path share one. The pointer is good until the next call. */
static sctpa_sent_t *path_at(sum_t *sum, uint16_t path)
{
    path = MIN(path, SCTPA_ADDRS_MAX);
    if (path >= sum->measure->paths->len)
        g_array_set_size(sum->measure->paths, path + 1u);
    return &g_array_index(sum->measure->paths, sctpa_sent_t, path);
}

static void note_packet(sum_t *sum, uint32_t packet)
{
    carrier_t *last = sum->packets->len > 0 ? &g_array_index(sum->packets, carrier_t, sum->packets->len - 1) : NULL;
    if (last && last->packet == packet) {
        last->chunks++;
        return;
    }
    const carrier_t carrier = { packet, 1 };
    g_array_append_val(sum->packets, carrier);
}

/* Was it sent again, and not only its number for another message? */
static bool is_resent(const sctpa_source_t *source, int64_t number, const sctpa_tsn_t *tsn)
{
    uint32_t at = tsn->more;
    while (at != 0 && !sctpa_rtx_counts(source->direction, number, sctpa_source_rtx(source, at)))
        at = sctpa_source_rtx(source, at)->link.before;
    return at != 0;
}

static void add_behind(sctpa_sent_t *sent, const sctpa_source_t *source, int64_t number, const sctpa_tsn_t *tsn)
{
    const sctpa_known_t is_late = sctpa_tsn_is_late_original(tsn);
    sent->reordered += is_late == SCTPA_YES;
    sent->resent_unproven += is_late == SCTPA_UNKNOWN && tsn->state & SCTPA_TSN_EARLIER_UNSEEN;
    if (is_late == SCTPA_YES)
        sent->reordered_ns = MAX(sent->reordered_ns, sctpa_direction_late_ns(source->direction, number, tsn));
}

static void add_tsn(sctpa_sent_t *sent, const sctpa_source_t *source, int64_t number, const sctpa_tsn_t *tsn)
{
    sent->transmissions++;
    sent->tsns++;
    sent->user_bytes += tsn->bytes;
    sent->carried_bytes += tsn->bytes;
    sent->messages += (tsn->flags & SCTPA_TSN_END) != 0;
    sent->resent_tsns += is_resent(source, number, tsn) || (tsn->state & SCTPA_TSN_EARLIER_UNSEEN);
    sent->resent_unseen += (tsn->state & SCTPA_TSN_EARLIER_UNSEEN) != 0;
    if (tsn->state & SCTPA_TSN_BEHIND)
        add_behind(sent, source, number, tsn);
    sent->abandoned_tsns += (tsn->state & SCTPA_TSN_ABANDONED) != 0;
    sent->reneged_tsns += (tsn->state & SCTPA_TSN_RENEGED) != 0;
}

static void add_rtx(sctpa_sent_t *sent, const sctpa_tsn_t *tsn, sctpa_rtx_kind_t kind, bool is_other_message)
{
    sent->transmissions++;
    sent->carried_bytes += tsn->bytes;
    sent->rtx[kind] += !is_other_message;
    sent->other_messages += is_other_message;
}

/* kind: of the retransmission that repeats it. is_unproven: it may have been doubled. */
static void add_retransmitted(sctpa_sent_t *sent, sctpa_rtx_kind_t kind, bool spurious, bool is_unproven,
                              bool is_unacked)
{
    sent->retransmitted++;
    sent->unproven += is_unproven;
    sent->spurious += spurious;
    sent->spurious_unproven += spurious && is_unproven;
    sent->spurious_unacked += spurious && is_unacked;
    sent->spurious_fast += spurious && kind == SCTPA_RTX_FAST;
    sent->lost += sctpa_rtx_shows_loss(kind, spurious);
}

static int64_t repeated_after_ns(const sctpa_source_t *source, const sctpa_rtx_t *rtx)
{
    return sctpa_source_stamp(source, rtx->packet)->time_ns - sctpa_source_stamp(source, rtx->previous)->time_ns;
}

/* Is it repeated sooner than an ack of it can come, and did its receiver get both? repeated: the path before. */
static bool is_at_once(const sum_t *sum, const sctpa_tsn_t *tsn, const sctpa_rtx_t *rtx, uint16_t repeated)
{
    const sctpa_source_t *source = sum->source;
    const int64_t after_ns = repeated_after_ns(source, rtx);
    return rtx->kind == SCTPA_RTX_UNKNOWN && !source->data_only && rtx->misses == 0 && rtx->path == repeated &&
           tsn->duplicates > 0 && after_ns >= 0 && after_ns < sum->measure->round_trip_ns * SCTPA_ANSWER_QUARTERS / 4 &&
           sctpa_stamp_interface(sctpa_source_stamp(source, rtx->packet)) ==
               sctpa_stamp_interface(sctpa_source_stamp(source, rtx->previous)) &&
           !sctpa_clock_steps_between(source->clock_steps, rtx->previous, rtx->packet);
}

/* Is it another IP packet than that of the transmission before, which the network cannot have doubled? */
static bool is_other_packet(const sctpa_source_t *source, const sctpa_rtx_t *rtx)
{
    const sctpa_stamp_t *stamp = sctpa_source_stamp(source, rtx->packet),
                        *before = sctpa_source_stamp(source, rtx->previous);
    return sctpa_stamp_ip_id(stamp) != sctpa_stamp_ip_id(before) || stamp->wire_bytes != before->wire_bytes;
}

static void add_at_once(sum_t *sum, const sctpa_rtx_t *rtx)
{
    sctpa_at_once_t *at_once = &sum->measure->at_once;
    at_once->chunks++;
    at_once->packets += rtx->packet != sum->at_once_packet;
    sum->at_once_packet = rtx->packet;
    at_once->other_packets += is_other_packet(sum->source, rtx);
    at_once->longest_ns = MAX(at_once->longest_ns, repeated_after_ns(sum->source, rtx));
}

/* Does the ack cover TSNs above number that never passed? Then the capture lacks packets there, and acks as well. */
static bool lacks_acks(const sctpa_direction_t *direction, int64_t number, uint32_t acked)
{
    enum { LOOKED_AT = 64 };
    const int64_t cum_tsn = MIN(sctpa_direction_cum_of(direction, acked, number), number + LOOKED_AT);
    for (int64_t at = number + 1; at <= cum_tsn; at++) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(direction, at);
        if (!tsn || tsn->transmissions == 0)
            return true;
    }
    return false;
}

static void add_ack(const sum_t *sum, int64_t number, const sctpa_tsn_t *tsn, bool is_given_up)
{
    sctpa_measure_t *measure = sum->measure;
    uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    if (acked == SCTPA_NO_PACKET_INDEX || is_given_up)
        return;
    int64_t elapsed_ns =
        sctpa_source_stamp(sum->source, acked)->time_ns - sctpa_source_stamp(sum->source, tsn->first_packet)->time_ns;
    measure->acked_tsns++;
    if (elapsed_ns > measure->slowest_ack_ns && !lacks_acks(sum->source->direction, number, acked) &&
        !sctpa_clock_steps_between(sum->source->clock_steps, tsn->first_packet, acked)) {
        measure->slowest_ack_ns = elapsed_ns;
        measure->slowest_packet = tsn->first_packet;
    }
}

/* after_ns: as sctpa_direction_given_up has it. */
static void add_given_up(sum_t *sum, int64_t number, const sctpa_tsn_t *tsn, bool is_given_up, int64_t after_ns)
{
    const sctpa_direction_t *direction = sum->source->direction;
    sum->measure->given_up_tsns += is_given_up;
    if (sctpa_direction_is_missing(direction, number, tsn, is_given_up)) {
        sum->measure->given_up_missing_tsns += is_given_up;
        sum->measure->all.missing_bytes += tsn->bytes;
        path_at(sum, sctpa_source_first_path(sum->source, tsn))->missing_bytes += tsn->bytes;
    }
    if (is_given_up && tsn->ppid == SCTPA_PPID_DCEP && tsn->flags & SCTPA_TSN_BEGIN)
        sum->measure->given_up_control_packet = MIN(sum->measure->given_up_control_packet, tsn->first_packet);
    sum->measure->given_up_on_way_tsns += after_ns >= 0 && after_ns < sum->measure->round_trip_ns;
}

/* -1 unknown: the receiver may be far. */
static int64_t round_trip_ns(const sctpa_source_t *source)
{
    const sctpa_tap_rtt_t receiver = *source->direction->receiver_tap_rtt;
    return receiver.is_measured ? sctpa_tap_round_trip_ns(receiver, source->sender_tap_rtt) : -1;
}

/* TSNs from the Initial TSN to the last that was given up, less those that passed or that acks showed unseen. */
static uint64_t given_up_unseen(const sctpa_direction_t *direction, uint64_t passed)
{
    if (!direction->announced || direction->restarted || direction->truncated || direction->rare->abandoned_to < 0)
        return 0;
    const uint64_t all = (uint64_t)direction->rare->abandoned_to + 1,
                   known = passed + sctpa_direction_unseen_acked(direction);
    return all - MIN(all, known);
}

static void visit(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    sum_t *sum = user;
    const sctpa_packets_t *selected = sum->source->selected;
    sum->has_i_data |= (tsn->flags & SCTPA_TSN_I_DATA) != 0;
    sum->passed += number >= 0 && number <= sum->source->direction->rare->abandoned_to;
    note_packet(sum, tsn->first_packet);
    if (sctpa_packets_has(selected, tsn->first_packet)) {
        int64_t after_ns;
        const bool is_given_up = sctpa_direction_given_up(sum->source->direction, number, tsn, &after_ns);
        add_ack(sum, number, tsn, is_given_up);
        add_given_up(sum, number, tsn, is_given_up, after_ns);
        add_tsn(&sum->measure->all, sum->source, number, tsn);
        add_tsn(path_at(sum, sctpa_source_first_path(sum->source, tsn)), sum->source, number, tsn);
    }
    for (uint32_t at = tsn->more, before; at != 0; at = before) {
        const sctpa_rtx_t *rtx = sctpa_source_rtx(sum->source, at);
        before = rtx->link.before;
        if (!sctpa_packets_has(selected, rtx->packet))
            continue;
        if (sctpa_rtx_is_doubled(sum->source->direction, number, rtx)) {
            sum->measure->all.doubled++;
            path_at(sum, rtx->path)->doubled++;
            continue;
        }
        bool spurious = sctpa_direction_is_spurious(sum->source->direction, tsn, rtx);
        sctpa_rtx_kind_t kind = sum->source->data_only ? SCTPA_RTX_UNKNOWN : (sctpa_rtx_kind_t)rtx->kind;
        add_rtx(&sum->measure->all, tsn, kind, rtx->is_other_message);
        add_rtx(path_at(sum, rtx->path), tsn, kind, rtx->is_other_message);
        if (rtx->is_other_message)
            continue;
        const uint16_t repeated =
            before ? sctpa_source_rtx(sum->source, before)->path : sctpa_source_first_path(sum->source, tsn);
        const bool is_unproven =
                       kind == SCTPA_RTX_UNKNOWN && rtx->path == repeated && !is_other_packet(sum->source, rtx),
                   at_once = spurious && is_at_once(sum, tsn, rtx, repeated),
                   is_unacked = MIN(tsn->gap_packet, tsn->ack_packet) > rtx->packet && !at_once && !is_unproven;
        if (at_once)
            add_at_once(sum, rtx);
        add_retransmitted(&sum->measure->all, kind, spurious, is_unproven, is_unacked);
        add_retransmitted(path_at(sum, repeated), kind, spurious, is_unproven, is_unacked);
    }
}

static void add_packet(sum_t *sum, uint32_t packet, uint32_t chunks)
{
    const sctpa_stamp_t *stamp = sctpa_source_stamp(sum->source, packet);
    const sctpa_record_t *record = sctpa_source_record(sum->source, packet);
    sum->largest_bytes = MAX(sum->largest_bytes, stamp->wire_bytes);
    sum->offload |= (record->remarks & SCTPA_CAPTURE_OFFLOAD) != 0;
    if (!sctpa_packets_has(sum->source->selected, packet))
        return;
    sctpa_sent_t *both[] = { &sum->measure->all, path_at(sum, record->path) };
    for (unsigned i = 0; i < G_N_ELEMENTS(both); i++) {
        both[i]->data_packets++;
        both[i]->data_wire_bytes += stamp->wire_bytes;
        both[i]->bundled_packets += chunks > 1;
        both[i]->sack_packets += (stamp->holds & SCTPA_STAMP_SACK) != 0;
    }
}

/* Packets of all transmissions, each once; the time that they span. */
static void add_packets(sum_t *sum)
{
    const sctpa_records_t *rtx = &sum->source->direction->rare->rtx;
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    for (unsigned i = 0; i < rtx->len; i++)
        note_packet(sum, SCTPA_RECORD(rtx, sctpa_rtx_t, i).packet);
    g_array_sort(sum->packets, sctpa_records_order);
    for (unsigned i = 0, next; i < sum->packets->len; i = next) {
        const uint32_t packet = g_array_index(sum->packets, carrier_t, i).packet;
        uint32_t chunks = 0;
        for (next = i; next < sum->packets->len && g_array_index(sum->packets, carrier_t, next).packet == packet;
             next++)
            chunks += g_array_index(sum->packets, carrier_t, next).chunks;
        first_ns = MIN(first_ns, sctpa_source_stamp(sum->source, packet)->time_ns);
        last_ns = MAX(last_ns, sctpa_source_stamp(sum->source, packet)->time_ns);
        add_packet(sum, packet, chunks);
    }
    sum->measure->span_ns = last_ns > first_ns ? last_ns - first_ns : 0;
}

static void take_sample(const sctpa_source_t *source, const sctpa_sample_t *sample, GArray *times[2])
{
    if (sample->kind == SCTPA_SAMPLE_BACKOFF || !sctpa_packets_has(source->selected, sample->packet))
        return;
    int64_t elapsed_ns = sctpa_direction_elapsed_ns(source->direction, sample);
    g_array_append_val(times[sample->kind == SCTPA_SAMPLE_HEARTBEAT], elapsed_ns);
}

/* Spreads of the times collected, which are emptied. */
static void take_spreads(sctpa_sent_t *sent, GArray *times[2])
{
    sent->rtt = sctpa_percentiles_of(times[0]);
    sent->heartbeat_rtt = sctpa_percentiles_of(times[1]);
    g_array_set_size(times[0], 0);
    g_array_set_size(times[1], 0);
}

static void add_round_trips_and_timeouts(sum_t *sum)
{
    const sctpa_direction_t *direction = sum->source->direction;
    const sctpa_records_t *samples = &direction->samples;
    GArray *times[2] = { g_array_new(FALSE, FALSE, sizeof(int64_t)), g_array_new(FALSE, FALSE, sizeof(int64_t)) };
    for (unsigned i = 0; i < samples->len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, i);
        sum->measure->timeouts +=
            sample->kind == SCTPA_SAMPLE_BACKOFF && sctpa_packets_has(sum->source->selected, sample->packet);
        take_sample(sum->source, sample, times);
    }
    take_spreads(&sum->measure->all, times);
    for (unsigned path = 0; path < direction->paths.len; path++) {
        uint32_t at = SCTPA_RECORD(&direction->paths, sctpa_data_path_t, path).last_sample;
        for (; at != 0; at = SCTPA_RECORD(samples, sctpa_sample_t, at - 1).link.before)
            take_sample(sum->source, &SCTPA_RECORD(samples, sctpa_sample_t, at - 1), times);
        take_spreads(path_at(sum, (uint16_t)path), times);
    }
    g_array_unref(times[0]);
    g_array_unref(times[1]);
}

static void add_sack_delays(sum_t *sum)
{
    const sctpa_records_t *records = &sum->source->at_receiver->acked;
    GArray *times = g_array_new(FALSE, FALSE, sizeof(int64_t));
    for (unsigned i = 0; i < records->len; i++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(records, sctpa_acked_t, i);
        if (acked->oldest_packet == SCTPA_NO_PACKET_INDEX || !sctpa_packets_has(sum->source->selected, acked->packet) ||
            sctpa_clock_steps_between(sum->source->clock_steps, acked->oldest_packet, acked->packet))
            continue;
        int64_t delay_ns = sctpa_source_stamp(sum->source, acked->packet)->time_ns -
                           sctpa_source_stamp(sum->source, acked->oldest_packet)->time_ns;
        g_array_append_val(times, delay_ns);
        sum->measure->sack_delay_sum_ns = sctpa_ns_sum(sum->measure->sack_delay_sum_ns, MAX(delay_ns, 0));
    }
    sum->measure->sack_delay = sctpa_percentiles_of(times);
    g_array_unref(times);
}

/* A window that is closed in the first SACK of a capture that lacks the set-up may have been closed before: not
 * counted. */
static void add_zero_windows(sum_t *sum)
{
    const sctpa_records_t *sacks = &sum->source->direction->sacks;
    uint32_t before_bytes = sum->source->window_bytes;
    for (unsigned i = 0; i < sacks->len; i++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, i);
        if (sctpa_window_is_closed(sack->a_rwnd_bytes) && !sctpa_window_is_closed(before_bytes) &&
            sctpa_packets_has(sum->source->selected, sack->packet))
            sum->measure->zero_windows++;
        before_bytes = sack->a_rwnd_bytes;
    }
}

sctpa_measure_t *sctpa_measure_direction(const sctpa_source_t *source)
{
    sctpa_measure_t *measure = g_new0(sctpa_measure_t, 1);
    const sctpa_direction_t *direction = source->direction;
    sum_t sum = { .source = source, .measure = measure, .at_once_packet = SCTPA_NO_PACKET_INDEX };
    measure->paths = g_array_new(FALSE, TRUE, sizeof(sctpa_sent_t));
    measure->slowest_ack_ns = measure->round_trip_ns = -1;
    measure->given_up_control_packet = SCTPA_NO_PACKET_INDEX;
    measure->reneged_known = !direction || sctpa_direction_tells_reneging(direction);
    if (!direction)
        return measure;
    measure->round_trip_ns = round_trip_ns(source);
    sum.packets = g_array_new(FALSE, FALSE, sizeof(carrier_t));
    sctpa_direction_each(direction, visit, &sum);
    add_packets(&sum);
    g_array_unref(sum.packets);
    if (!source->data_only) {
        add_round_trips_and_timeouts(&sum);
        add_sack_delays(&sum);
    }
    add_zero_windows(&sum);
    measure->sacks = measure_sacks(source);
    if (source->selected)
        return measure;
    measure->missed_known = direction->tsns > 0 && !direction->truncated;
    measure->missed = sctpa_direction_unseen_acked(direction);
    measure->given_up_unseen_tsns = given_up_unseen(direction, sum.passed);
    measure->has_theory = direction->tsns > 0;
    measure_theory(source, measure, sum.offload ? 0 : sum.largest_bytes, sum.has_i_data);
    return measure;
}

void sctpa_measure_free(sctpa_measure_t *measure)
{
    if (!measure)
        return;
    g_array_unref(measure->paths);
    g_free(measure);
}
