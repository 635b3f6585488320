/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pauses in words, and why a window was closed. */
#include "pause_text.h"

#include "text.h"

void sctpa_closed_append_wait(const sctpa_series_source_t *source, const sctpa_closed_t *closed, GString *text)
{
    uint32_t lost = sctpa_closed_losses(source, closed);
    g_string_append_printf(text, "waits for TSN %" G_GINT64_FORMAT, (gint64)closed->tsn);
    if (lost == 0)
        return;
    g_string_append(text, ", lost ");
    sctpa_text_quantity(text, lost, "time", NULL);
}

static void begin_cause(GString *text, gsize empty)
{
    g_string_append(text, text->len > empty ? "; " : "");
}

void sctpa_closed_append_gap_acked(const sctpa_series_source_t *source, const sctpa_closed_t *closed,
                                   uint32_t window_bytes, GString *text)
{
    uint64_t bytes = sctpa_closed_gap_acked_bytes(source, closed);
    if (window_bytes == 0) {
        sctpa_text_quantity(text, bytes, "byte", NULL);
    } else {
        sctpa_text_count(text, bytes, 20);
        g_string_append(text, " of ");
        sctpa_text_quantity(text, window_bytes, "byte", NULL);
    }
    g_string_append(text, " gap-acked");
}

void sctpa_closed_append_causes(const sctpa_series_source_t *source, const sctpa_closed_t *closed, GString *text)
{
    gsize empty = text->len;
    if (closed->reader_ns > 0)
        g_string_append(text, "slow reader");
    if (closed->waiting_ns > 0) {
        begin_cause(text, empty);
        sctpa_closed_append_wait(source, closed, text);
    }
    if (closed->reader_ns + closed->waiting_ns < closed->closed_ns) {
        begin_cause(text, empty);
        g_string_append(text, "not decidable");
    }
}

enum { ICMP_COLUMNS = 120 };

void sctpa_pause_append_frames(GString *out, const sctpa_view_t *view, uint32_t since, uint32_t until)
{
    g_string_append_printf(out, "from frame %u to ", sctpa_packet_frame(view->sctpa, since));
    if (until == SCTPA_NO_PACKET_INDEX)
        g_string_append(out, "the end");
    else
        g_string_append_printf(out, "%u", sctpa_packet_frame(view->sctpa, until));
}

static void append_addr(GString *out, sctpa_labels_t *labels, const sctpa_end_t *end, unsigned path)
{
    if (path < end->n_paths)
        sctpa_labels_addr(labels, end->paths[path].destination, out);
    else
        g_string_append(out, "another path");
}

/* "in frame 41 after 1.002 s (from frame 36 on), to 10.2.1.1": the packet that the timer sent, and how long it ran. */
static void append_repeated(GString *out, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_end_t *end,
                            const sctpa_pause_t *pause)
{
    g_string_append_printf(out, " in frame %u", sctpa_packet_frame(view->sctpa, pause->repeated));
    if (pause->waited_ns > 0) {
        g_string_append(out, pause->may_start_late ? " after at most " : " after ");
        sctpa_text_duration(out, pause->waited_ns);
    }
    if (pause->started != SCTPA_NO_PACKET_INDEX)
        g_string_append_printf(out, " (from frame %u on)", sctpa_packet_frame(view->sctpa, pause->started));
    if (pause->lost != SCTPA_NO_PACKET_INDEX && pause->to != pause->path) {
        g_string_append(out, ", to ");
        append_addr(out, labels, end, pause->to);
    }
}

static void append_timeout(GString *out, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_end_t *end,
                           const sctpa_pause_t *pause)
{
    if (pause->repeated == SCTPA_NO_PACKET_INDEX) {
        g_string_append(out, "it was not retransmitted in this time");
        return;
    }
    g_string_append(out, pause->timeouts > 0 ? "the timer retransmitted it" : "it was retransmitted");
    append_repeated(out, view, labels, end, pause);
}

static void append_dead(GString *out, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_end_t *end,
                        const sctpa_pause_t *pause)
{
    if (pause->has_no_path) {
        g_string_append(out, "no path answers: ");
    } else {
        g_string_append(out, "path to ");
        append_addr(out, labels, end, pause->path);
        g_string_append(out, " without answer: ");
    }
    if (pause->since > pause->lost)
        g_string_append_printf(out, "since frame %u ", sctpa_packet_frame(view->sctpa, pause->since));
    g_string_append_printf(out, "no ack of what was sent%s from frame %u on, ", pause->has_no_path ? "" : " to it",
                           sctpa_packet_frame(view->sctpa, pause->lost));
    if (pause->timeouts > 0)
        sctpa_text_quantity(out, pause->timeouts, "timeout", NULL);
    else
        g_string_append(out, "retransmitted");
    g_string_append(out, pause->timeouts > 1 ? " in a row, the last" : "");
    append_repeated(out, view, labels, end, pause);
}

/* What nothing shows of an undecided pause. lost: the frame that a timeout repeats, 0 none. */
static void append_not_shown(GString *out, const sctpa_view_t *view, uint32_t lost, unsigned receiver,
                             const sctpa_pause_t *pause)
{
    if (pause->ended != SCTPA_PAUSE_ENDS_ACK) {
        g_string_append(out, "nothing was acknowledged any more");
        if (pause->silent == 0)
            g_string_append_printf(out, ", and no packet of endpoint %u shows whether the data arrived", receiver);
    } else if (lost == 0 && pause->repeated != SCTPA_NO_PACKET_INDEX) {
        g_string_append_printf(out, "data was lost before the capture, and retransmitted in frame %u",
                               sctpa_packet_frame(view->sctpa, pause->repeated));
    } else if (lost == 0) {
        g_string_append(out, "nothing shows what it waited for");
    } else {
        g_string_append(out, pause->is_reported  ? "nothing shows why the data was retransmitted so late"
                             : pause->silent > 0 ? "nothing shows whether the data arrived"
                                                 : "nothing shows whether the data was lost or its SACK was late");
    }
}

/* "; 90 SACKs of endpoint 1 say the same without a gap: ...". */
static void append_silent(GString *out, unsigned receiver, const sctpa_pause_t *pause)
{
    if (pause->silent == 0)
        return;
    g_string_append_printf(out,
                           "; %u %s of endpoint %u %s the same without a gap: it got packets and reported none of "
                           "them, or ",
                           pause->silent, pause->silent > 1 ? "SACKs" : "SACK", receiver,
                           pause->silent > 1 ? "say" : "says");
    g_string_append(out, pause->silent > SCTPA_SACKS_SILENT ? "sent more SACKs than packets came"
                                                            : "packets were doubled on the way");
}

static void append_undecided(GString *out, const sctpa_view_t *view, uint32_t lost, unsigned receiver,
                             const sctpa_pause_t *pause)
{
    append_not_shown(out, view, lost, receiver, pause);
    if (lost > 0)
        g_string_append_printf(out, ": frame %u was retransmitted, last in frame %u", lost,
                               sctpa_packet_frame(view->sctpa, pause->repeated));
    if (pause->timeouts > 0) {
        g_string_append(out, ", ");
        sctpa_text_quantity(out, pause->timeouts, "timeout", NULL);
        g_string_append(out, pause->timeouts > 1 ? " in a row" : "");
    }
}

/* "frame 305 was not acknowledged, and 16 SACKs for later packets say the same without a gap: most likely ...". */
static void append_unreported(GString *out, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_end_t *end,
                              unsigned receiver, const sctpa_pause_t *pause, uint32_t lost)
{
    if (lost > 0)
        g_string_append_printf(out, "frame %u was not acknowledged", lost);
    else
        g_string_append(out, pause->repeated != SCTPA_NO_PACKET_INDEX ? "data was lost before the capture"
                                                                      : "nothing was acknowledged any more");
    g_string_append(out, ", and ");
    sctpa_text_quantity(out, pause->silent, "SACK", NULL);
    g_string_append_printf(out,
                           " for later packets %s the same without a gap: most likely endpoint %u gets packets and "
                           "does not report them (RFC 9260 6.2)",
                           pause->silent > 1 ? "say" : "says", receiver);
    if (pause->repeated == SCTPA_NO_PACKET_INDEX)
        return;
    g_string_append(out, "; ");
    append_timeout(out, view, labels, end, pause);
}

static void append_acks_lost(GString *out, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_end_t *end,
                             const sctpa_pause_t *pause, uint32_t lost)
{
    g_string_append_printf(out, "frame %u%s had arrived", lost,
                           pause->is_some_copy ? ", or a retransmission of it," : "");
    if (pause->repeated != SCTPA_NO_PACKET_INDEX) {
        g_string_append(out, ", and no ack passed the capture point: lost before it, or not sent in time; ");
        append_timeout(out, view, labels, end, pause);
        return;
    }
    g_string_append_printf(out,
                           ", its acks were lost or late: frame %u acked more packets at once than a SACK is due for",
                           sctpa_packet_frame(view->sctpa, pause->until));
}

/* What ended it, unless an ack did. */
static void append_end(GString *out, const sctpa_view_t *view, unsigned sender, const sctpa_pause_t *pause)
{
    switch ((sctpa_pause_end_t)pause->ended) {
    case SCTPA_PAUSE_ENDS_ABORT:
        g_string_append_printf(out, "; the ABORT in frame %u ended it", sctpa_packet_frame(view->sctpa, pause->until));
        break;
    case SCTPA_PAUSE_ENDS_GAVE_UP:
        g_string_append_printf(out, "; endpoint %u gave up in frame %u, when its timer expired once more", sender,
                               sctpa_packet_frame(view->sctpa, pause->until));
        break;
    case SCTPA_PAUSE_ENDS_UNSEEN:
        g_string_append(out, "; the next retransmission is not in the capture: it lasted up to ");
        sctpa_text_duration(out, pause->most_ns);
        break;
    case SCTPA_PAUSE_ENDS_ACK:
    case SCTPA_PAUSE_ENDS_OPEN:
    case SCTPA_PAUSE_ENDS: break;
    }
}

/* "endpoint 0 most likely takes the SHUTDOWN in frame 19 for a closed window: ...". What was lost before the capture,
 * and what the timer sent again, would look the same, and an application that had no more for so long, but not a timer
 * that backs off. */
static void append_held(GString *out, const sctpa_view_t *view, unsigned sender, const sctpa_pause_t *pause)
{
    g_string_append_printf(out, "endpoint %u %s takes the SHUTDOWN in frame %u for a closed window: it sent frame %u ",
                           sender, pause->held > 1 ? "most likely" : "possibly",
                           sctpa_packet_frame(view->sctpa, pause->shutdown),
                           sctpa_packet_frame(view->sctpa, pause->sent));
    sctpa_text_duration(out, pause->waited_ns);
    g_string_append(out, " after all was acknowledged");
    if (pause->held > 1)
        g_string_append_printf(out, ", wait %u in a row, each twice as long as the one before, as a timer backs off",
                               pause->held);
    g_string_append(out, "; no loss shows, and the window had room for ");
    sctpa_text_quantity(out, pause->window_bytes, "byte", NULL);
}

/* Was it sent before the receiver acknowledged anything, which had to repeat its COOKIE ECHO? Until it has the COOKIE
 * ACK it discards data. O(1). */
static bool is_before_set_up(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender,
                             const sctpa_pause_t *pause)
{
    const sctpa_setup_t *setup = sctpa_assoc_setup(assoc);
    const sctpa_direction_t *direction = sctpa_direction(view->sctpa, assoc->number, (uint8_t)sender);
    return setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 1 && setup->steps[SCTPA_STEP_COOKIE_ECHO].by != sender &&
           (direction->acked.len == 0 || pause->lost < SCTPA_RECORD(&direction->acked, sctpa_acked_t, 0).packet);
}

/* May the receiver have got it, and taken nothing? Before the set-up, and after its SHUTDOWN without room for it. */
static bool may_be_refused(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender,
                           const sctpa_pause_t *pause)
{
    return pause->may_be_refused || is_before_set_up(view, assoc, sender, pause);
}

/* What passes beside its receiver and has no ack may have been discarded there. */
static bool may_be_discarded(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender,
                             const sctpa_pause_t *pause)
{
    return pause->silent > 0 || sctpa_taps(view->sctpa, assoc->number) != SCTPA_TAPS_ONE ||
           sctpa_view_is_beside(view, assoc, !sender) || may_be_refused(view, assoc, sender, pause);
}

static const char *lost_word(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender,
                             const sctpa_pause_t *pause)
{
    return may_be_discarded(view, assoc, sender, pause) ? "lost or discarded" : "lost";
}

static void append_lost(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender,
                        const sctpa_pause_t *pause, uint32_t lost)
{
    if (pause->silent > 0 || pause->is_left_out)
        g_string_append_printf(out, "frame %u was %s", lost, lost_word(view, assoc, sender, pause));
    else
        g_string_append_printf(out, "frame %u or its ack was lost%s%s", lost,
                               may_be_refused(view, assoc, sender, pause) ? ", or it was discarded" : "",
                               pause->may_be_held ? ", or its SACK was held back" : "");
}

/* "frame 36 or its ack was lost, and the timer retransmitted it late, in frame 41 after 28.00 s (from frame 36 on),
 * though ..."
 */
static void append_late_timer(GString *out, const sctpa_view_t *view, sctpa_labels_t *labels,
                              const sctpa_assoc_t *assoc, unsigned sender, const sctpa_pause_t *pause, uint32_t lost)
{
    append_lost(out, view, assoc, sender, pause, lost);
    g_string_append(out, ", and the timer retransmitted it late,");
    append_repeated(out, view, labels, &assoc->ends[sender], pause);
    g_string_append(out, ", though by the parameters of the RFC its RTO was at most ");
    sctpa_text_duration(out, pause->rto_most_ns);
}

/* lost: 0, it was lost before the capture. */
static void append_tail_loss(GString *out, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_assoc_t *assoc,
                             unsigned sender, const sctpa_pause_t *pause, uint32_t lost)
{
    if (lost > 0)
        append_lost(out, view, assoc, sender, pause, lost);
    else
        g_string_append(out, "data was lost before the capture");
    g_string_append(out, ", and too few acks reported it missing: ");
    append_timeout(out, view, labels, &assoc->ends[sender], pause);
}

/* Far from the receiver the SACK may have been late on its way, too. */
static void append_delayed_sack(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender,
                                const sctpa_pause_t *pause)
{
    g_string_append_printf(out, "endpoint %u %sdelayed its SACK, ", !sender,
                           sctpa_view_is_beside(view, assoc, !sender) ? "" : "most likely ");
    if (pause->has_waiting)
        g_string_append_printf(out, "for which endpoint %u most likely waited ", sender);
    g_string_append(out, "with ");
    sctpa_text_quantity(out, pause->chunks, "chunk", NULL);
    g_string_append(out, pause->is_nagle ? " outstanding, as Nagle's algorithm does" : " outstanding");
}

static void append_cause(GString *out, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_assoc_t *assoc,
                         unsigned sender, const sctpa_pause_t *pause)
{
    const sctpa_end_t *end = &assoc->ends[sender];
    const uint32_t lost = pause->lost != SCTPA_NO_PACKET_INDEX ? sctpa_packet_frame(view->sctpa, pause->lost) : 0;
    switch ((sctpa_pause_cause_t)pause->cause) {
    case SCTPA_PAUSE_PATH_DEAD: append_dead(out, view, labels, end, pause); break;
    case SCTPA_PAUSE_TAIL_LOSS: append_tail_loss(out, view, labels, assoc, sender, pause, lost); break;
    case SCTPA_PAUSE_REPEATED_LOSS:
        if (pause->is_left_out)
            g_string_append_printf(out, "frame %u and other transmissions of it were %s: ", lost,
                                   lost_word(view, assoc, sender, pause));
        else
            g_string_append_printf(out, "frame %u and its retransmissions, or their acks, were lost%s%s: ", lost,
                                   may_be_refused(view, assoc, sender, pause) ? ", or they were discarded" : "",
                                   pause->may_be_held ? ", or the last SACK was held back" : "");
        append_timeout(out, view, labels, end, pause);
        break;
    case SCTPA_PAUSE_LEFT_TO_TIMER:
        g_string_append_printf(
            out, "frame %u was %s and at least 3 acks reported it missing, but without fast retransmission: ", lost,
            lost_word(view, assoc, sender, pause));
        append_timeout(out, view, labels, end, pause);
        break;
    case SCTPA_PAUSE_UNREPORTED: append_unreported(out, view, labels, end, !sender, pause, lost); break;
    case SCTPA_PAUSE_LATE_TIMER: append_late_timer(out, view, labels, assoc, sender, pause, lost); break;
    case SCTPA_PAUSE_ACKS_LOST: append_acks_lost(out, view, labels, end, pause, lost); break;
    case SCTPA_PAUSE_ACKS_DISCARDED:
        g_string_append_printf(out,
                               "endpoint %u discards the packets of endpoint %u with checksum 0, which it never "
                               "announced to take (RFC 9653): frame %u was acknowledged all the same: ",
                               sender, !sender, lost);
        append_timeout(out, view, labels, end, pause);
        break;
    case SCTPA_PAUSE_RTO_BELOW_SACK:
        g_string_append_printf(
            out,
            "frame %u had arrived, and the SACK for it, which endpoint %u may hold back, was not due "
            "yet: the RTO of endpoint %u is below the peer's SACK delay: ",
            lost, !sender, sender);
        append_timeout(out, view, labels, end, pause);
        break;
    case SCTPA_PAUSE_SET_UP: g_string_append(out, "the set-up was not complete"); break;
    case SCTPA_PAUSE_CLOSED_WINDOW:
        g_string_append_printf(out, "the window of endpoint %u was closed, or had no room for the next chunk", !sender);
        break;
    case SCTPA_PAUSE_SHUTDOWN_AS_CLOSED: append_held(out, view, sender, pause); break;
    case SCTPA_PAUSE_HELD_BACK:
        g_string_append_printf(
            out,
            "endpoint %u held back: it sent one packet of a message that goes on (frame %u) and "
            "waited for its ack, though cwnd allows two (RFC 9260 7.2.1) and the window had room for ",
            sender, sctpa_packet_frame(view->sctpa, pause->sent));
        sctpa_text_quantity(out, pause->window_bytes, "more byte", NULL);
        g_string_append(out, "; possibly its Max.Burst is 1 (6.1)");
        break;
    case SCTPA_PAUSE_DELAYED_SACK: append_delayed_sack(out, view, assoc, sender, pause); break;
    case SCTPA_PAUSE_CWND:
        g_string_append_printf(
            out,
            "endpoint %u sent more only with the ack, which took longer than any round trip of late: most likely its "
            "cwnd or its send buffer was full%s",
            sender, pause->is_nagle ? ", or it waited as Nagle's algorithm does" : "");
        break;
    case SCTPA_PAUSE_UNDECIDED:
    case SCTPA_PAUSE_CAUSES: append_undecided(out, view, lost, !sender, pause); break;
    }
}

/* "; ICMP answered 5 packets of endpoint 1 meanwhile, first in frame 44: network unreachable: to ..., from ...".
 * O(log events + events meanwhile). */
static void append_icmp(GString *out, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned sender,
                        const sctpa_pause_t *pause)
{
    const uint32_t since = sctpa_packet_frame(view->sctpa, pause->since),
                   until = pause->until == SCTPA_NO_PACKET_INDEX ? UINT32_MAX
                                                                 : sctpa_packet_frame(view->sctpa, pause->until);
    const sctpa_event_t *first = NULL;
    uint32_t errors = 0;
    for (uint32_t i = sctpa_assoc_event_from(assoc, since); i < assoc->n_events && assoc->events[i].frame < until;
         i++) {
        const sctpa_event_t *event = &assoc->events[i];
        if (event->kind != SCTPA_EVENT_ICMP_UNREACHABLE || event->end != sender)
            continue;
        first = first ? first : event;
        errors++;
    }
    if (errors == 0)
        return;
    g_string_append(out, "; ICMP answered ");
    sctpa_text_quantity(out, errors, "packet", NULL);
    g_string_append_printf(out, " of endpoint %u meanwhile, first in frame %u: ", sender, first->frame);
    sctpa_text_escape(out, first->detail ? first->detail : "unreachable", ICMP_COLUMNS);
}

void sctpa_pause_append_why(GString *out, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_assoc_t *assoc,
                            unsigned sender, const sctpa_pause_t *pause)
{
    append_cause(out, view, labels, assoc, sender, pause);
    if (pause->cause != SCTPA_PAUSE_UNREPORTED)
        append_silent(out, !sender, pause);
    append_end(out, view, sender, pause);
    append_icmp(out, view, assoc, sender, pause);
}

void sctpa_pause_append_causes(GString *out, const sctpa_pauses_t *pauses)
{
    bool said[SCTPA_PAUSE_CAUSES] = { false };
    for (unsigned n = 0; n < SCTPA_PAUSE_CAUSES; n++) {
        unsigned most = SCTPA_PAUSE_CAUSES;
        for (unsigned cause = 0; cause < SCTPA_PAUSE_CAUSES; cause++)
            if (!said[cause] && pauses->lost_ns[cause] > 0 &&
                (most == SCTPA_PAUSE_CAUSES || pauses->lost_ns[cause] > pauses->lost_ns[most]))
                most = cause;
        if (most == SCTPA_PAUSE_CAUSES)
            return;
        said[most] = true;
        g_string_append(out, n > 0 ? ", " : "");
        sctpa_text_duration(out, pauses->lost_ns[most]);
        g_string_append_printf(out, " %s", sctpa_pause_text((sctpa_pause_cause_t)most));
    }
}
