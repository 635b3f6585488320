/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for the first of the associations that lack the rest of an endpoint. */
#include "unseen_text.h"

void sctpa_unseen_add(sctpa_unseen_t *unseen, const sctpa_t *sctpa, const sctpa_assoc_t *assoc)
{
    for (uint8_t end = 0; end < 2; end++) {
        const sctpa_unseen_rest_t rest = sctpa_unseen_rest(sctpa, assoc->number, end);
        if (rest.kind == SCTPA_UNSEEN_NONE)
            continue;
        if (unseen->count++ == 0)
            *unseen = (sctpa_unseen_t){ 1, assoc->number, end, rest };
        return;
    }
}

void sctpa_unseen_append(GString *text, const sctpa_unseen_t *unseen)
{
    const sctpa_unseen_rest_t *rest = &unseen->rest;
    const unsigned end = unseen->end, peer = !unseen->end;
    g_string_append_printf(
        text, "of which packets are missing to the end (first: %u): the capture holds no %s of endpoint %u",
        unseen->first, rest->kind == SCTPA_UNSEEN_SACKS ? "SACK" : "packet", end);
    if (rest->last_frame > 0)
        g_string_append_printf(text, " after frame %u", rest->last_frame);
    switch (rest->kind) {
    case SCTPA_UNSEEN_SET_UP:
        g_string_append_printf(text,
                               ", though endpoint %u is ESTABLISHED: from frame %u on it sends packets without COOKIE "
                               "ECHO, so that it has had the COOKIE ACK (RFC 9260 5.1 C)",
                               peer, rest->shown_frame);
        break;
    case SCTPA_UNSEEN_SACKS:
        g_string_append_printf(
            text,
            ", though endpoint %u most likely has had later ones: it sends new data in frame %u, when without "
            "an ack its retransmission timer had expired (RFC 9260 6.3.3)",
            peer, rest->shown_frame);
        break;
    case SCTPA_UNSEEN_HEARTBEATS:
        g_string_append_printf(text, ", though endpoint %u answers a later HEARTBEAT of it in frame %u", peer,
                               rest->shown_frame);
        break;
    case SCTPA_UNSEEN_NONE: break;
    }
    g_string_append_printf(text, ". What endpoint %u sent and acknowledged after that is unknown", end);
}
