/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data channels of WebRTC that one endpoint closed, and its peer did not (RFC 8831 6.7); resets of streams that are
 * never performed (RFC 6525). */
#include "triage.h"

#include "../text/text.h"

/* Did user data of a data channel pass on the stream, of either endpoint? */
static bool is_channel(const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint16_t stream)
{
    bool is = false;
    for (uint8_t e = 0; e < 2 && !is; e++) {
        GArray *streams = sctpa_streams(view->sctpa, assoc->number, e, NULL);
        for (unsigned i = 0; streams && i < streams->len; i++) {
            const sctpa_stream_t *at = &g_array_index(streams, sctpa_stream_t, i);
            for (unsigned k = 0; at->id == stream && at->ppids && k < at->ppids->len; k++)
                is |= sctpa_ppid_is_of_channel(g_array_index(at->ppids, uint32_t, k));
        }
        if (streams)
            g_array_unref(streams);
    }
    return is;
}

static int64_t last_ns_of(const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end)
{
    sctpa_counts_copy_t sent;
    sctpa_end_counts(view->sctpa, assoc, end, &sent);
    return sent.counts.last_ns;
}

/* An ack of what never passed shows that the capture lacks packets, the one that closes perhaps. */
static bool lacks_packets(const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    bool lacks = false;
    for (uint8_t e = 0; e < 2; e++) {
        const sctpa_direction_t *sent = sctpa_direction(view->sctpa, assoc->number, e);
        lacks |= sent && sctpa_direction_unseen_acked(sent) > 0;
    }
    return lacks;
}

static void say_half_closed(const sctpa_half_closed_t *closed, int64_t until_ns, GString *text)
{
    g_string_append_printf(text, "stream %u was reset by endpoint %u only: endpoint %u performed it in frame %u, and ",
                           closed->stream, closed->by, !closed->by, closed->frame);
    g_string_append(text, "did not reset its own in the ");
    sctpa_text_duration(text, until_ns - closed->time_ns);
    g_string_append(text, " until its last packet: the data channel stays half closed (RFC 8831 6.7)");
}

/* "endpoint 0 answers the request of endpoint 1 to reset streams by "In progress" 7 times ...". */
static void say_in_progress(const sctpa_in_progress_t *progress, uint8_t asker, GString *text)
{
    g_string_append_printf(text,
                           "endpoint %u answered the same RE-CONFIG request of endpoint %u by \"In progress\" %u "
                           "times in ",
                           !asker, asker, progress->answers);
    sctpa_text_duration(text, progress->last_ns - progress->first_ns);
    g_string_append_printf(text,
                           " (frames %u to %u), and did not perform it, though it had acknowledged all the data "
                           "that the reset waits for (RFC 6525 5.2.2)",
                           progress->first_frame, progress->last_frame);
}

/* One answer may have left before its sender noticed that it has all. */
static void add_in_progress(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, uint8_t asker)
{
    const sctpa_in_progress_t *progress = sctpa_in_progress(assoc, asker);
    if (progress->answers < 2 || !progress->has_all)
        return;
    trouble->half_closed++;
    sctpa_trouble_tell(trouble, SCTPA_TRIAGE_RULES);
    sctpa_paragraphs_row_t *row =
        sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_APPLICATION], assoc, SCTPA_NO_END, progress->answers);
    if (!row)
        return;
    say_in_progress(progress, asker, row->sentence);
    row->frames[0] = progress->first_frame;
}

void sctpa_channels_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    uint32_t n;
    int64_t last_ns[2];
    for (uint8_t asker = 0; asker < 2; asker++)
        add_in_progress(trouble, assoc, asker);
    const sctpa_half_closed_t *closed = sctpa_half_closed(assoc, &n);
    if (n == 0 || lacks_packets(trouble->view, assoc))
        return;
    for (uint8_t end = 0; end < 2; end++)
        last_ns[end] = last_ns_of(trouble->view, assoc, end);
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t silent = !closed[i].by;
        if (closed[i].frame == 0 || last_ns[silent] - closed[i].time_ns < SCTPA_CHANNEL_UNANSWERED_S * SCTPA_NS_PER_S ||
            !is_channel(trouble->view, assoc, closed[i].stream))
            continue;
        trouble->half_closed++;
        sctpa_trouble_tell(trouble, SCTPA_TRIAGE_RULES);
        sctpa_paragraphs_row_t *row =
            sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_APPLICATION], assoc, SCTPA_NO_END, 1);
        if (!row)
            continue;
        say_half_closed(&closed[i], last_ns[silent], row->sentence);
        row->frames[0] = closed[i].frame;
    }
}
