/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Retransmissions, and queues that grew on the way. */
#include "triage.h"

#include "../text/text.h"

static void append_kinds(GString *text, const sctpa_sent_t *sent)
{
    const char *separator = ": ";
    for (unsigned kind = 0; kind < SCTPA_RTX_KINDS; kind++) {
        if (sent->rtx[kind] == 0)
            continue;
        g_string_append(text, separator);
        sctpa_text_count(text, sent->rtx[kind], 20);
        g_string_append_printf(text, " %s", sctpa_rtx_word((sctpa_rtx_kind_t)kind));
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

static void say_resent(const sctpa_triage_trouble_t *trouble, const sctpa_sender_t *sender,
                       const sctpa_stall_t *longest, GString *text)
{
    const sctpa_sent_t *sent = &sender->measure->all;
    uint64_t resent = sctpa_sent_rtx(sent);

    if (resent > 0) {
        sctpa_text_count(text, resent, 20);
        g_string_append(text, " of ");
        sctpa_text_quantity(text, sent->transmissions, "chunk", NULL);
        g_string_append(text, " retransmitted (");
        sctpa_text_share(text, resent, sent->transmissions);
        g_string_append(text, " %)");
        append_kinds(text, sent);
    }
    append_counted(text, sent->spurious, "of them spurious");
    if (sent->spurious > 0 && sent->spurious * 2 >= resent)
        g_string_append(text, ": late, or their acks lost beyond the capture");
    append_counted(text, sent->resent_unseen, "lost before the capture and first seen when sent again");
    append_counted(text, sent->abandoned_tsns, "given up");
    if (longest->since == SCTPA_NO_PACKET_INDEX || longest->stalled_ns < (int64_t)SCTPA_SILENCE_MS * SCTPA_NS_PER_MS)
        return;
    g_string_append(text, "; longest without an ack ");
    sctpa_text_duration(text, longest->stalled_ns);
    g_string_append_printf(text, ", from frame %u", sctpa_packet_frame(trouble->view->sctpa, longest->since));
}

uint64_t sctpa_resent_add(sctpa_triage_trouble_t *trouble, const sctpa_sender_t *sender, const sctpa_stall_t *longest)
{
    uint64_t resent = sctpa_sent_rtx(&sender->measure->all), unseen = sender->measure->all.resent_unseen;
    if (resent + unseen == 0)
        return 0;
    sctpa_paragraphs_row_t *row =
        sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_RESENT], sender->assoc, sender->end, resent + unseen);
    if (row)
        say_resent(trouble, sender, longest, row->sentence);
    trouble->resent += resent;
    return resent + unseen;
}

/* Packets of a mean size that a path holds in a median round trip at the rate reached. */
static double packets_on_way(const sctpa_sent_t *sent, int64_t span_ns)
{
    if (sent->data_packets == 0 || span_ns <= 0)
        return 0;
    return (double)sent->data_packets * (double)sent->rtt.median_ns / (double)span_ns;
}

/* Where timeouts prevail, an outage delayed the round trips. */
static bool has_queue(const sctpa_sent_t *sent, int64_t span_ns)
{
    return sent->rtx[SCTPA_RTX_TIMEOUT] <= sent->rtx[SCTPA_RTX_FAST] + sent->rtx[SCTPA_RTX_EARLY] &&
           sent->rtt.samples >= SCTPA_QUEUE_SAMPLES && sent->rtt.min_ns > 0 &&
           sent->rtt.p95_ns / SCTPA_QUEUE_PERCENT >= sent->rtt.min_ns / 100 &&
           packets_on_way(sent, span_ns) >= SCTPA_QUEUE_PACKETS;
}

static void say_queue(const sctpa_triage_trouble_t *trouble, const sctpa_sender_t *sender, unsigned path, GString *text)
{
    const sctpa_end_t *end = &sender->assoc->ends[sender->end];
    const sctpa_sent_t *sent = &g_array_index(sender->measure->paths, sctpa_sent_t, path);

    g_string_append(text, "round trips");
    if (end->n_paths > 1 && path < end->n_paths) {
        g_string_append(text, " to ");
        sctpa_labels_addr(trouble->legend, end->paths[path].destination, text);
    }
    g_string_append(text, " grew from ");
    sctpa_text_duration(text, sent->rtt.min_ns);
    g_string_append(text, " to ");
    sctpa_text_duration(text, sent->rtt.p95_ns);
    g_string_append(text, " (median ");
    sctpa_text_duration(text, sent->rtt.median_ns);
    g_string_append(text, "), as when a queue on the way fills up");
    if (sctpa_sent_rtx(sent) > 0)
        g_string_append(text, ": it may be what drops packets");
}

void sctpa_queues_add(sctpa_triage_trouble_t *trouble, const sctpa_sender_t *sender)
{
    for (unsigned path = 0; path < sender->measure->paths->len; path++) {
        const sctpa_sent_t *sent = &g_array_index(sender->measure->paths, sctpa_sent_t, path);
        if (!has_queue(sent, sender->measure->span_ns))
            continue;
        sctpa_paragraphs_row_t *row =
            sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_QUEUES], sender->assoc, sender->end,
                                 (uint64_t)(sent->rtt.p95_ns - sent->rtt.min_ns));
        if (row)
            say_queue(trouble, sender, path, row->sentence);
    }
}
