/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Retransmissions, and queues that grew on the way. */
#include "../text/text.h"
#include "triage.h"

/* Without identifications that show other IP packets, what no timer or report made a sender repeat may be a copy. */
static void append_unproven(GString *text, const sctpa_sent_t *sent)
{
    g_string_append(text, " (");
    if (sent->unproven < sent->rtx[SCTPA_RTX_UNKNOWN]) {
        sctpa_text_count(text, sent->unproven, 20);
        g_string_append(text, " of them ");
    }
    g_string_append(text, "retransmitted, or doubled on the way)");
}

/* is_most: some of them may be copies. */
static void append_kinds(GString *text, const sctpa_sent_t *sent, bool is_most)
{
    const char *separator = ": ";
    for (unsigned kind = 0; kind < SCTPA_RTX_KINDS; kind++) {
        if (sent->rtx[kind] == 0)
            continue;
        g_string_append(text, separator);
        sctpa_text_count(text, sent->rtx[kind], 20);
        g_string_append_printf(text, " %s", sctpa_rtx_word((sctpa_rtx_kind_t)kind));
        if (kind == SCTPA_RTX_UNKNOWN && is_most)
            append_unproven(text, sent);
        separator = ", ";
    }
}

static void append_counted(GString *text, uint64_t count, const char *what)
{
    if (count == 0)
        return;
    g_string_append(text, text->len ? "; " : "");
    sctpa_text_count(text, count, 20);
    g_string_append_printf(text, " %s", what);
}

/* ": endpoint 0 retransmits after 100 ms to 120 ms, but endpoint 1 may delay its SACK by 200 ms and more ...". */
static void append_early(GString *text, const sctpa_early_timeouts_t *early, unsigned sender)
{
    GString *least = g_string_new(NULL), *most = g_string_new(NULL);
    sctpa_text_duration(least, early->rto_least_ns);
    sctpa_text_duration(most, early->rto_most_ns);
    g_string_append_printf(text, ": endpoint %u retransmits after %s", sender, least->str);
    if (!g_string_equal(least, most))
        g_string_append_printf(text, " to %s", most->str);
    g_string_free(least, TRUE);
    g_string_free(most, TRUE);
    g_string_append_printf(text, ", but endpoint %u %s SACKs", !sender, early->is_shown ? "delays" : "may delay");
    if (early->held_packets > 1)
        g_string_append_printf(text, ", those of %u packets as well,", early->held_packets);
    g_string_append(text, " by ");
    sctpa_text_duration(text, early->sack_delay_ns);
    if (!early->is_shown) {
        g_string_append(text, ", at most by ");
        sctpa_text_duration(text, SCTPA_SACK_DELAY_MOST_NS);
        g_string_append(text, " (RFC 9260 6.2)");
    }
    g_string_append(text, ": RTO below the peer's SACK delay");
}

/* Is what was repeated at once no chance, and most of what is spurious? Times known to a unit have to show it. */
static bool is_twice(const sctpa_triage_sender_t *sender)
{
    const sctpa_measure_t *measure = sender->measure;
    return measure->at_once.packets >= SCTPA_TWICE_LEAST && measure->at_once.chunks * 2 >= measure->all.spurious &&
           measure->at_once.longest_ns + sender->source.stamp_unit_ns < measure->round_trip_ns;
}

/* May it be the network that doubles packets? Not those that are other IP packets; nor where it would have doubled each
 * packet that goes once, as often as it does those with data (rule of succession), but in one of 256 times. */
static bool may_be_doubled(const sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender)
{
    static const unsigned once[] = { SCTPA_CHUNK_ROW_INIT,
                                     SCTPA_CHUNK_ROW_INIT_ACK,
                                     SCTPA_CHUNK_ROW_COOKIE_ECHO,
                                     SCTPA_CHUNK_ROW_COOKIE_ACK,
                                     SCTPA_CHUNK_ROW_SHUTDOWN,
                                     SCTPA_CHUNK_ROW_SHUTDOWN_ACK,
                                     SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE };
    const sctpa_at_once_t *at_once = &sender->measure->at_once;
    const sctpa_counts_t *counts = sctpa_selection_end(trouble->selection, sender->assoc, sender->end);
    const uint64_t first = sender->measure->all.data_packets - MIN(at_once->packets, sender->measure->all.data_packets);
    const double spared = (double)(first - MIN(at_once->packets, first) + 1) / (double)(first + 2);
    double chance = 1;
    if (at_once->other_packets == at_once->chunks)
        return false;
    for (unsigned i = 0; i < G_N_ELEMENTS(once); i++) {
        const uint32_t n = sctpa_counts_chunks(counts, once[i]);
        if (n > 1)
            return true;
        chance *= n == 1 ? spared : 1;
    }
    return chance > 1.0 / 256;
}

/* May some of what passed again be copies that the network made? Not where its sender most likely sends it twice. */
static bool may_be_copies(const sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender)
{
    return sender->measure->all.unproven > 0 && (!is_twice(sender) || may_be_doubled(trouble, sender));
}

/* May the first packets have been delayed before the tap until the timer repeated them? Not beside the sender; nor most
 * of all: such a delay meets what is outstanding, of which the timer repeats one packet, and it doubles its RTO. */
static bool may_be_delayed(const sctpa_triage_sender_t *sender)
{
    return !sctpa_tap_is_beside(sender->source.sender_tap_rtt) &&
           sender->measure->at_once.packets * 3 < sender->measure->all.data_packets;
}

/* among: the chunks that the words before it name. */
static void append_twice(GString *text, const sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender,
                         uint64_t among)
{
    const sctpa_at_once_t *at_once = &sender->measure->at_once;
    const bool doubled = may_be_doubled(trouble, sender), delayed = may_be_delayed(sender),
               is_beside = sctpa_tap_is_beside(sender->source.sender_tap_rtt),
               is_shown = is_beside && at_once->other_packets == at_once->chunks;
    if (at_once->chunks != among)
        sctpa_text_count(text, at_once->chunks, 20);
    else
        g_string_append(text, "they");
    g_string_append(text, " passed at most ");
    sctpa_text_duration(text, at_once->longest_ns);
    g_string_append(text, " after the first copy; the earliest possible ack takes ");
    sctpa_text_duration(text, sender->measure->round_trip_ns);
    g_string_append_printf(text, ": endpoint %u %ssends %s twice in a row", sender->end,
                           is_shown || doubled || delayed ? "" : "most likely ",
                           2 * at_once->packets >= sender->measure->all.data_packets ? "each DATA packet"
                                                                                     : "DATA packets");
    if (doubled)
        g_string_append(text, ", or the network doubles its packets before the capture point");
    if (delayed)
        g_string_append(text, ", or its first packets were delayed before the capture point");
    else
        g_string_append(text, doubled && !is_beside ? "; most likely neither a timer nor a lost ack is the cause"
                                                    : ", and neither a timer nor a lost ack is the cause");
}

/* Where were the acks of spurious retransmissions? One that had passed the tap was too late for the timer, or lost
 * behind it. at_once: those that came before any ack can. */
static void append_acks(GString *text, uint64_t spurious, uint64_t unacked, uint64_t at_once)
{
    const uint64_t late = spurious - unacked - MIN(at_once, spurious - unacked);
    if (late > 0)
        g_string_append(text, ": too early, or their acks lost between capture point and sender");
    if (unacked == 0)
        return;
    g_string_append(text, late > 0 ? "; for " : ": for ");
    if (unacked < spurious)
        sctpa_text_count(text, unacked, 20);
    else
        g_string_append(text, spurious == 1 ? "it" : "them");
    g_string_append(text, " no ack had passed the capture point: lost before it, or not sent in time");
}

static bool takes_several_paths(const sctpa_measure_t *measure)
{
    unsigned n = 0;
    for (unsigned path = 0; path < measure->paths->len; path++)
        n += g_array_index(measure->paths, sctpa_sent_t, path).data_packets > 0;
    return n > 1;
}

/* What SACKs show may be less than there was: at least, unless it is all. What three SACKs reported missing and its
 * receiver got all the same was overtaken. What may have been doubled is not called spurious. */
static void append_spurious(GString *text, const sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender,
                            uint64_t resent, bool is_most, const sctpa_waited_t *longest)
{
    const sctpa_sent_t *sent = &sender->measure->all;
    const sctpa_early_timeouts_t *early = &longest->early;
    const uint64_t spurious = sent->spurious - (is_most ? sent->spurious_unproven : 0);
    if (spurious > 0) {
        g_string_append(text, spurious == resent && resent > 1 ? "; all " : "; at least ");
        sctpa_text_count(text, spurious, 20);
        g_string_append(text, " of them spurious");
    }
    if (is_twice(sender)) {
        g_string_append(text, spurious > 0 ? ": " : "; ");
        append_twice(text, trouble, sender, spurious > 0 ? spurious : resent);
    } else if (spurious == 0) {
        return;
    } else if (sent->spurious_fast > 0) {
        g_string_append(text, ", of which ");
        sctpa_text_count(text, sent->spurious_fast, 20);
        g_string_append(text, " fast: most likely packets were reordered on the way");
        if (takes_several_paths(sender->measure))
            g_string_append(text, ", or overtaken by those of another path");
    } else if (longest->discarded != SCTPA_NO_PACKET_INDEX) {
        g_string_append_printf(text, ": endpoint %u discards SACKs with checksum 0, which it never announced to take",
                               sender->end);
    } else if (early->chunks * 2 >= spurious) {
        append_early(text, early, sender->end);
    } else if (spurious * 2 >= resent && sent->reordered == 0) {
        append_acks(text, spurious, sent->spurious_unacked, sender->measure->at_once.other_packets);
    }
}

/* Identifications of packets show that they were delayed, not lost; without, SACKs alone show that a TSN was missing.
 */
static void append_reordered(GString *text, const sctpa_sent_t *sent)
{
    append_counted(text, sent->resent_unseen - sent->resent_unproven,
                   "lost before the capture and first seen as a retransmission");
    append_counted(
        text, sent->resent_unproven,
        "first seen after they were reported missing: lost before the capture and retransmitted, or delayed");
    if (sent->reordered == 0)
        return;
    g_string_append(text, text->len ? "; " : "");
    sctpa_text_count(text, sent->reordered, 20);
    g_string_append(text, " of ");
    sctpa_text_quantity(text, sent->tsns, "chunk", NULL);
    g_string_append(text, sent->reordered == 1 ? " passed out of order, " : " passed out of order, up to ");
    sctpa_text_duration(text, sent->reordered_ns);
    g_string_append(text, " late");
    if (sent->lost == 0 && sent->resent_unseen == 0)
        g_string_append(text, ": reordered on the way, and no loss shows");
}

static void append_doubled(GString *text, const sctpa_sent_t *sent)
{
    if (sent->doubled == 0)
        return;
    g_string_append(text, text->len ? "; " : "");
    sctpa_text_quantity(text, sent->doubled, "chunk", NULL);
    g_string_append(
        text, " passed again in the same IP packet, by its identification: doubled on the way, not retransmitted");
}

static void say_resent(const sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender, bool is_most,
                       const sctpa_waited_t *longest, GString *text)
{
    const sctpa_sent_t *sent = &sender->measure->all;
    uint64_t resent = sctpa_sent_rtx(sent);

    if (resent > 0) {
        g_string_append(text, is_most ? "at most " : "");
        sctpa_text_retransmissions(text, resent, sent->transmissions);
        append_kinds(text, sent, is_most);
    }
    append_spurious(text, trouble, sender, resent, is_most, longest);
    append_reordered(text, sent);
    append_doubled(text, sent);
    if (longest->since == SCTPA_NO_PACKET_INDEX || longest->waited_ns < (int64_t)SCTPA_SILENCE_MS * SCTPA_NS_PER_MS)
        return;
    g_string_append(text, "; longest without an ack ");
    sctpa_text_duration(text, longest->waited_ns);
    g_string_append_printf(text, ", from frame %u", sctpa_packet_frame(trouble->view->sctpa, longest->since));
}

void sctpa_resent_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender,
                      const sctpa_waited_t *longest)
{
    uint64_t resent = sctpa_sent_rtx(&sender->measure->all), unseen = sender->measure->all.resent_unseen;
    const uint64_t doubled = sender->measure->all.doubled;
    const bool is_most = may_be_copies(trouble, sender);
    if (resent + unseen + doubled == 0)
        return;
    sctpa_paragraphs_row_t *row = sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_RESENT], sender->assoc, sender->end,
                                                       resent + unseen + doubled);
    if (row) {
        say_resent(trouble, sender, is_most, longest, row->sentence);
        if (longest->since != SCTPA_NO_PACKET_INDEX)
            row->frames[0] = sctpa_packet_frame(trouble->view->sctpa, longest->since);
    }
    trouble->resent += resent;
    trouble->resent_unproven |= is_most;
}

/* Packets of a mean size that a path holds in a median round trip at the rate reached. */
static double packets_on_way(const sctpa_sent_t *sent, const sctpa_percentiles_t *rtt, int64_t span_ns)
{
    if (sent->data_packets == 0 || span_ns <= 0)
        return 0;
    return (double)sent->data_packets * (double)rtt->median_ns / (double)span_ns;
}

static bool has_queue(const sctpa_triage_sender_t *sender, const sctpa_sent_t *sent, const sctpa_way_back_t *way)
{
    return way->rtt.samples >= SCTPA_QUEUE_SAMPLES && way->rtt.min_ns > 0 &&
           way->grown.p95_ns / (SCTPA_QUEUE_PERCENT - 100) >= way->rtt.min_ns / 100 &&
           way->grown.p95_ns > 2 * sender->source.stamp_unit_ns &&
           packets_on_way(sent, &way->rtt, sender->measure->span_ns) >= SCTPA_QUEUE_PACKETS;
}

static void append_way(GString *text, sctpa_labels_t *labels, const sctpa_end_t *end, const sctpa_way_back_t *way)
{
    if (end->n_paths < 2)
        return;
    if (way->to < end->n_paths) {
        g_string_append(text, " to ");
        sctpa_labels_addr(labels, end->paths[way->to].destination, text);
    }
    if (way->back < end->n_paths && way->back != way->to) {
        g_string_append(text, " acked from ");
        sctpa_labels_addr(labels, end->paths[way->back].destination, text);
    }
}

/* A queue that is full drops single packets; where timeouts prevail, an outage did. */
static bool may_drop(const sctpa_sent_t *sent)
{
    return sent->lost > 0 && sent->rtx[SCTPA_RTX_TIMEOUT] <= sent->rtx[SCTPA_RTX_FAST] + sent->rtx[SCTPA_RTX_EARLY];
}

/* Of two taps no rate: SACKs that only one of them has bear its clock. */
static void say_queue(const sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender,
                      const sctpa_sent_t *sent, const sctpa_way_back_t *way, GString *text)
{
    g_string_append(text, "round trips");
    append_way(text, trouble->labels, &sender->assoc->ends[sender->end], way);
    g_string_append(text, " grew from ");
    sctpa_text_duration(text, way->rtt.min_ns);
    g_string_append(text, " to ");
    sctpa_text_duration(text, way->rtt.p95_ns);
    g_string_append(text, " (median ");
    sctpa_text_duration(text, way->rtt.median_ns);
    g_string_append(text, ") while acks kept coming");
    if (way->acked_bps >= 0 && sender->source.last_ns == INT64_MAX) {
        g_string_append(text, ", for ");
        sctpa_text_count(text, (uint64_t)(MIN(way->acked_bps, (double)G_MAXINT64 / 2) + 0.5), 20);
        g_string_append(text, " bit/s of user data");
    }
    g_string_append(text, ", as when a queue on the way fills up");
    if (may_drop(sent))
        g_string_append(text, ": it may be what drops packets");
}

void sctpa_queues_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender)
{
    GArray *ways = sctpa_ways_back_measure(&sender->source, sctpa_selection_packets(trouble->selection));
    for (guint i = 0; i < ways->len; i++) {
        const sctpa_way_back_t *way = &g_array_index(ways, sctpa_way_back_t, i);
        if (way->to >= sender->measure->paths->len)
            continue;
        const sctpa_sent_t *sent = &g_array_index(sender->measure->paths, sctpa_sent_t, way->to);
        if (!has_queue(sender, sent, way))
            continue;
        sctpa_paragraphs_row_t *row = sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_QUEUES], sender->assoc,
                                                           sender->end, (uint64_t)(way->rtt.p95_ns - way->rtt.min_ns));
        if (row)
            say_queue(trouble, sender, sent, way, row->sentence);
    }
    g_array_unref(ways);
}
