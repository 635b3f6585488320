/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data channels of WebRTC that one endpoint closed, and its peer did not (RFC 8831 6.7); resets of streams that are
 * never performed (RFC 6525). */
#include "triage.h"

#include "../half_closed_channels.h"
#include "../text/text.h"

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
    for (uint8_t asker = 0; asker < 2; asker++)
        add_in_progress(trouble, assoc, asker);
    GArray *channels = sctpa_half_closed_channels(trouble->view, assoc);
    for (guint i = 0; i < channels->len; i++) {
        const sctpa_half_closed_channel_t *channel = &g_array_index(channels, sctpa_half_closed_channel_t, i);
        trouble->half_closed++;
        sctpa_trouble_tell(trouble, SCTPA_TRIAGE_RULES);
        sctpa_paragraphs_row_t *row =
            sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_APPLICATION], assoc, SCTPA_NO_END, 1);
        if (!row)
            continue;
        say_half_closed(&channel->closed, channel->until_ns, row->sentence);
        row->frames[0] = channel->closed.frame;
    }
    g_array_unref(channels);
}
