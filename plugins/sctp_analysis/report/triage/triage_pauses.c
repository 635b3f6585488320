/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pauses of directions: how much time was lost by which cause, and what passed during the longest of them. */
#include "../text/pause_text.h"
#include "../text/text.h"
#include "triage.h"

static const sctpa_pause_t *longest_of(const sctpa_pauses_t *pauses)
{
    const sctpa_pause_t *longest = &g_array_index(pauses->pauses, sctpa_pause_t, 0);
    for (unsigned i = 1; i < pauses->pauses->len; i++)
        if (g_array_index(pauses->pauses, sctpa_pause_t, i).paused_ns > longest->paused_ns)
            longest = &g_array_index(pauses->pauses, sctpa_pause_t, i);
    return longest;
}

/* Timers that came late, each right after a packet of the receiver, and twice at least: "each of the 3 retransmissions
 * that came late left right after a packet of endpoint 1 (frames 26, 39, 52): ...". */
static void append_run_on_receipt(const sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender,
                                  const sctpa_pauses_t *pauses, GString *text)
{
    enum { LEAST = 2, FRAMES = 3 };
    GString *frames = g_string_new(NULL);
    unsigned n = 0;
    for (unsigned i = 0; i < pauses->pauses->len; i++) {
        const sctpa_pause_t *pause = &g_array_index(pauses->pauses, sctpa_pause_t, i);
        if (pause->cause != SCTPA_PAUSE_LATE_TIMER)
            continue;
        if (pause->heard == SCTPA_NO_PACKET_INDEX) {
            n = 0;
            break;
        }
        if (n++ < FRAMES)
            g_string_append_printf(frames, "%s%u", n > 1 ? ", " : "",
                                   sctpa_packet_frame(trouble->view->sctpa, pause->heard));
    }
    if (n >= LEAST)
        g_string_append_printf(text,
                               "; all %u such retransmissions left right after a packet of endpoint %u (frames %s%s): "
                               "most likely the timers of endpoint %u run only when it receives one",
                               n, !sender->end, frames->str, n > FRAMES ? ", …" : "", sender->end);
    g_string_free(frames, TRUE);
}

/* "lost 700.2 ms of 17.92 s: 440.1 ms path without answer, ...; the longest, 440.1 ms from frame 369 to 387: path to
 * ...". */
static void say_pauses(const sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender,
                       const sctpa_pauses_t *pauses, GString *text)
{
    const sctpa_pause_t *longest = longest_of(pauses);
    g_string_append(text, "lost ");
    sctpa_text_duration(text, pauses->paused_ns);
    g_string_append(text, " of ");
    sctpa_text_duration(text, MAX(pauses->span_ns, pauses->paused_ns));
    if (pauses->pauses->len > 1)
        g_string_append_printf(text, " in %u pauses", pauses->pauses->len);
    g_string_append(text, ": ");
    sctpa_pause_append_causes(text, pauses);
    g_string_append(text, pauses->pauses->len > 1 ? "; the longest, " : "; ");
    if (pauses->pauses->len > 1) {
        sctpa_text_duration(text, longest->paused_ns);
        g_string_append_c(text, ' ');
    }
    sctpa_pause_append_frames(text, trouble->view, longest->since, longest->until);
    g_string_append(text, ": ");
    sctpa_pause_append_why(text, trouble->view, trouble->labels, sender->assoc, sender->end, longest);
    if (longest->cause == SCTPA_PAUSE_DELAYED_SACK || longest->cause == SCTPA_PAUSE_SHUTDOWN_AS_CLOSED ||
        longest->cause == SCTPA_PAUSE_HELD_BACK)
        return;
    if (longest->cause == SCTPA_PAUSE_LATE_TIMER)
        append_run_on_receipt(trouble, sender, pauses, text);
    g_string_append(text, "; ");
    sctpa_text_quantity(text, longest->chunks, "chunk", NULL);
    g_string_append(text, " outstanding");
}

sctpa_pauses_t *sctpa_pauses_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender,
                                 sctpa_waited_t *longest)
{
    *longest = (sctpa_waited_t){ .since = SCTPA_NO_PACKET_INDEX, .discarded = SCTPA_NO_PACKET_INDEX };
    sctpa_pauses_t *pauses = sctpa_view_pauses(trouble->view, sender->assoc, sender->end);
    if (!pauses)
        return NULL;
    *longest = (sctpa_waited_t){ pauses->longest_ns, pauses->longest_since, pauses->early, pauses->discarded };
    sctpa_told_add_pauses(trouble, pauses);
    if (pauses->pauses->len > 0) {
        sctpa_paragraphs_row_t *row = sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_PAUSES], sender->assoc,
                                                           sender->end, (uint64_t)pauses->paused_ns);
        if (row) {
            say_pauses(trouble, sender, pauses, row->sentence);
            row->pause = *longest_of(pauses);
            row->frames[0] = sctpa_packet_frame(trouble->view->sctpa, row->pause.since);
            row->frames[1] = sctpa_packet_frame(trouble->view->sctpa, row->pause.until);
        }
    }
    for (unsigned cause = 0; cause < SCTPA_PAUSE_CAUSES; cause++)
        trouble->pauses.lost_ns[cause] = sctpa_ns_sum(trouble->pauses.lost_ns[cause], pauses->lost_ns[cause]);
    trouble->pauses.paused_ns = sctpa_ns_sum(trouble->pauses.paused_ns, pauses->paused_ns);
    trouble->paused += pauses->pauses->len > 0;
    return pauses;
}

/* --- what passed during the longest of the worst --- */

typedef struct {
    int64_t heard_ns;   /* when the receiver last sent something, or the pause began */
    uint32_t heard;     /* that packet, or the one since which it pauses */
    uint32_t asked;     /* packets that the sender sent since then */
    int64_t silence_ns; /* the receiver's longest; the packets around it: */
    uint32_t silent_since, silent_until;
    uint32_t unanswered; /* that the sender sent in it */
} passed_t;

static int64_t since_ns(const sctpa_triage_trouble_t *trouble, const sctpa_pause_t *pause)
{
    return sctpa_packet_time_ns(trouble->view->sctpa, pause->since);
}

static void note_heard(passed_t *passed, uint32_t packet, int64_t time_ns)
{
    if (time_ns - passed->heard_ns > passed->silence_ns) {
        passed->silence_ns = time_ns - passed->heard_ns;
        passed->silent_since = passed->heard;
        passed->silent_until = packet;
        passed->unanswered = passed->asked;
    }
    passed->heard_ns = time_ns;
    passed->heard = packet;
    passed->asked = 0;
}

/* Of the pause: the SACK that ended it is none of it. */
static uint32_t last_packet(const sctpa_pause_t *pause)
{
    return pause->ended == SCTPA_PAUSE_ENDS_ACK ? pause->until - 1 : pause->until;
}

/* The packet that ended the association is no answer. */
static void note_passed(const sctpa_triage_trouble_t *trouble, const sctpa_paragraphs_row_t *row,
                        const sctpa_packet_result_t *packet, passed_t *passed)
{
    const sctpa_stamp_t *stamp = sctpa_packet_stamp(trouble->view->sctpa, packet->index);
    if (row->assoc->number != packet->assoc || packet->index <= row->pause.since ||
        packet->index > last_packet(&row->pause) || packet->frame == row->assoc->end_frame ||
        !sctpa_packet_is_near(trouble->view->sctpa, packet, (uint8_t)row->end))
        return;
    if (packet->from != row->end) {
        note_heard(passed, packet->index, stamp->time_ns);
        return;
    }
    passed->asked++;
}

/* One walk over the packets for all rows. */
static void count_passed(const sctpa_triage_trouble_t *trouble, const sctpa_paragraphs_row_t *rows, unsigned n,
                         passed_t *passed)
{
    sctpa_packet_result_t result;
    uint32_t first = UINT32_MAX, last = 0;

    for (unsigned i = 0; i < n; i++) {
        first = MIN(first, rows[i].pause.since);
        last = MAX(last, last_packet(&rows[i].pause));
        passed[i].heard_ns = since_ns(trouble, &rows[i].pause);
        passed[i].heard = passed[i].silent_since = rows[i].pause.since;
    }
    for (uint32_t at = first; n > 0 && at <= last && sctpa_packet_result(trouble->view->sctpa, at, &result); at++)
        if (result.assoc != SCTPA_NO_ASSOC)
            for (unsigned i = 0; i < n; i++)
                note_passed(trouble, &rows[i], &result, &passed[i]);
    for (unsigned i = 0; i < n; i++)
        note_heard(&passed[i], rows[i].pause.until, since_ns(trouble, &rows[i].pause) + rows[i].pause.paused_ns);
}

static void append_packets(GString *text, unsigned end, uint32_t packets)
{
    g_string_append_printf(text, "endpoint %u sent ", end);
    sctpa_text_quantity(text, packets, "packet", NULL);
}

/* The receiver sent nothing for most of the pause, or all of it, and what the sender did meanwhile. */
static void append_silence(const sctpa_triage_trouble_t *trouble, GString *text, const sctpa_paragraphs_row_t *row,
                           const passed_t *passed)
{
    const sctpa_pause_t *pause = &row->pause;
    const bool is_whole = passed->silent_since == pause->since && passed->silent_until == pause->until;
    if (passed->unanswered > 0)
        g_string_append_printf(text, "; nothing from endpoint %u", !row->end);
    else
        g_string_append(text, "; neither endpoint sent anything");
    if (!is_whole || passed->unanswered > 0) {
        g_string_append(text, " for ");
        sctpa_text_duration(text, passed->silence_ns);
    }
    if (!is_whole) {
        g_string_append_c(text, ' ');
        sctpa_pause_append_frames(text, trouble->view, passed->silent_since, passed->silent_until);
    }
    if (passed->unanswered > 0) {
        g_string_append(text, " while ");
        append_packets(text, row->end, passed->unanswered);
    }
}

/* Did a SACK in the pause repeat the one before, without a gap? Data may have asked for it, and arrived. */
static bool says_the_same(const sctpa_triage_trouble_t *trouble, const sctpa_paragraphs_row_t *row)
{
    const sctpa_direction_t *direction = sctpa_direction(trouble->view->sctpa, row->assoc->number, (uint8_t)row->end);
    return sctpa_same_sacks(direction, row->pause.since, last_packet(&row->pause)) > 0;
}

/* What the packets of both endpoints tell of a pause that a timer ended, or nothing. */
static void append_passed(const sctpa_triage_trouble_t *trouble, sctpa_paragraphs_row_t *row, const passed_t *passed)
{
    const unsigned receiver = !row->end;
    GString *text = row->sentence;
    bool is_silent = passed->silence_ns >= row->pause.paused_ns / 100 * SCTPA_OUTAGE_PERCENT;

    if (row->pause.silent > 0 || row->pause.lost == SCTPA_NO_PACKET_INDEX ||
        row->pause.cause == SCTPA_PAUSE_CLOSED_WINDOW || row->pause.cause == SCTPA_PAUSE_ACKS_DISCARDED)
        return;
    if (is_silent) {
        append_silence(trouble, text, row, passed);
    } else if (row->pause.is_left_out && !says_the_same(trouble, row)) {
        const bool is_beside =
            sctpa_tap_is_beside(sctpa_tap_rtt(trouble->view->sctpa, row->assoc->number, (uint8_t)receiver));
        g_string_append_printf(text, "; SACKs of endpoint %u leave it out: %slost between capture point and receiver",
                               receiver, is_beside ? "discarded by the receiver, or " : "");
    }
}

void sctpa_pauses_explain(sctpa_triage_trouble_t *trouble)
{
    passed_t passed[SCTPA_TRIAGE_ROWS] = { 0 };
    unsigned n;
    sctpa_paragraphs_row_t *rows = sctpa_paragraphs_rows(trouble->topics[SCTPA_TRIAGE_PAUSES], &n);

    count_passed(trouble, rows, n, passed);
    for (unsigned i = 0; i < n; i++)
        append_passed(trouble, &rows[i], &passed[i]);
}
