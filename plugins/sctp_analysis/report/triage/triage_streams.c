/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Endpoints that answer on the stream of a request, and have fewer streams than their peer; data channels of WebRTC
 * that one endpoint closed, and its peer did not (RFC 8831 6.7); resets of streams that are never performed (RFC
 * 6525). */
#include "../rows/rows.h"
#include "../text/text.h"
#include "triage.h"

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

/* How messages of both endpoints stand on the streams: below the number that one of them may send on, and above. */
typedef struct {
    uint32_t equal;       /* streams with as many messages of each endpoint */
    bool differs;         /* there is one with more of one of them */
    uint64_t above;       /* messages of the peer on streams that the endpoint does not have */
    uint16_t first, last; /* of these streams */
    uint32_t streams;     /* how many of them */
} balance_t;

enum { EQUAL_LEAST = 2, ABOVE_LEAST = 2 }; /* one may be so by chance */

/* Streams on which an endpoint may send (RFC 9260 5.1.1); 0: not known, or changed later (RFC 6525). */
static uint16_t outbound(const sctpa_assoc_t *assoc, unsigned end)
{
    const sctpa_init_t *own = &assoc->ends[end].init, *peer = &assoc->ends[!end].init;
    for (unsigned i = 0; i < assoc->n_events; i++)
        if (assoc->events[i].kind == SCTPA_EVENT_STREAMS_ADDED || assoc->events[i].kind == SCTPA_EVENT_STREAM_RESET)
            return 0;
    return own->seen && peer->seen ? MIN(own->outbound_streams, peer->inbound_streams) : 0;
}

/* Both in order of streams. O(streams). */
static balance_t balance_of(const GArray *asked, const GArray *answered, uint16_t n)
{
    balance_t balance = { .differs = asked->len < answered->len };
    for (guint i = 0; i < asked->len && !balance.differs; i++) {
        const sctpa_stream_t *stream = &g_array_index(asked, sctpa_stream_t, i);
        if (stream->id < n) {
            const sctpa_stream_t *other =
                balance.equal < answered->len ? &g_array_index(answered, sctpa_stream_t, balance.equal) : NULL;
            balance.differs = !other || other->id != stream->id || other->messages != stream->messages;
            balance.equal++;
            continue;
        }
        balance.first = balance.streams++ == 0 ? stream->id : balance.first;
        balance.last = stream->id;
        balance.above += stream->messages;
    }
    balance.differs |= balance.equal != answered->len;
    return balance;
}

static bool has_all(const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end)
{
    const sctpa_direction_t *sent = sctpa_direction(view->sctpa, assoc->number, end);
    return sent && sent->tsns > 0 && sctpa_direction_unseen_acked(sent) == 0;
}

/* "endpoint 1 sent as many messages as endpoint 0 on each of 5 streams, and none for the 7 on streams 5 to 11: ...". */
static void say(const balance_t *balance, uint8_t end, uint16_t n, GString *text)
{
    g_string_append_printf(text, "endpoint %u sent as many messages as endpoint %u on each of ", end, !end);
    sctpa_text_quantity(text, balance->equal, "stream", NULL);
    g_string_append(text, ", and none for the ");
    sctpa_text_count(text, balance->above, 20);
    if (balance->streams > 1)
        g_string_append_printf(text, " on streams %u to %u", balance->first, balance->last);
    else
        g_string_append_printf(text, " on stream %u", balance->first);
    g_string_append_printf(text,
                           ": it has only %u outbound streams, and most likely answers on the stream of a request", n);
}

void sctpa_streams_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    for (uint8_t end = 0; end < 2; end++) {
        const uint16_t n = outbound(assoc, end);
        if (n == 0 || n >= outbound(assoc, !end) || !has_all(trouble->view, assoc, 0) ||
            !has_all(trouble->view, assoc, 1))
            continue;
        GArray *asked = sctpa_streams(trouble->view->sctpa, assoc->number, !end, NULL),
               *answered = sctpa_streams(trouble->view->sctpa, assoc->number, end, NULL);
        const balance_t balance = balance_of(asked, answered, n);
        g_array_unref(asked);
        g_array_unref(answered);
        sctpa_paragraphs_row_t *row = NULL;
        if (!balance.differs && balance.equal >= EQUAL_LEAST && balance.above >= ABOVE_LEAST) {
            sctpa_trouble_tell(trouble, SCTPA_TRIAGE_APPLICATION);
            row = sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_APPLICATION], assoc, SCTPA_NO_END, balance.above);
        }
        if (row)
            say(&balance, end, n, row->sentence);
    }
}
