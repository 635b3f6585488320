/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Endpoints that answer on the stream of a request, and have fewer streams than their peer. */
#include "triage.h"

#include "../text/text.h"

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
