/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of what is sent before the initialization allows it, and of the first DATA of each direction. What is early
 * counts only when a later packet confirms that the capture did not merely miss what should have come before. */
#include "reference/life/initialization.h"
#include "reference/life/initialization_limits.h"
#include "rules/rule_functions.h"

bool sctpa_HS_015_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    if (!i)
        return false;
    const sctpa_initialization_end_t *own = &i->endpoints[c->from], *peer = &i->endpoints[!c->from];
    return sctpa_initialization_has(peer->echo_packet) && peer->echoes == 1 && own->cookie_acks == 0 && own->inits == 0;
}

/* "until the COOKIE ACK chunk is returned, the sender MUST NOT send any other packets to the peer" */
bool sctpa_HS_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_initialization_end_t *initiator = &sctpa_initialization(c)->endpoints[!c->from];
    if (!sctpa_initialization_has(initiator->early_packet) || initiator->early_packet <= initiator->echo_packet)
        return false;
    violation->related = initiator->early_packet;
    sctpa_violation_say(violation, "nothing but COOKIE ECHO before the COOKIE ACK",
                        SCTPA_WORDS("%s", sctpa_chunk_row_word(initiator->early_row)));
    return true;
}

bool sctpa_HS_017_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    if (!i)
        return false;
    const sctpa_initialization_end_t *own = &i->endpoints[c->from], *peer = &i->endpoints[!c->from];
    return own->inits > 0 && peer->inits == 0 && !sctpa_initialization_has(own->echo_packet) && !peer->is_heard;
}

/* "This chunk MUST precede any DATA chunk sent within the association" */
bool sctpa_HS_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_initialization_end_t *own = &sctpa_initialization(c)->endpoints[c->from];
    bool was_early = sctpa_initialization_has(own->early_packet);
    if (!was_early && !sctpa_initialization_is_early(c))
        return false;
    violation->related = was_early ? own->early_packet : c->index;
    sctpa_violation_say(violation, "COOKIE ECHO before DATA", "DATA before it");
    return true;
}

bool sctpa_HS_018_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    if (!i)
        return false;
    const sctpa_initialization_end_t *own = &i->endpoints[c->from], *peer = &i->endpoints[!c->from];
    return own->inits == 0 && !sctpa_initialization_has(own->echo_packet) && !(c->rows & SCTPA_ROW(COOKIE_ECHO)) &&
           own->acks > 0 && own->cookie_acks == 0 && peer->echoes == 1;
}

/* "This chunk MUST precede any DATA or SACK chunk sent within the association" */
bool sctpa_HS_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_initialization_end_t *own = &sctpa_initialization(c)->endpoints[c->from];
    bool was_early = sctpa_initialization_has(own->early_packet);
    if (!was_early && !sctpa_initialization_is_early(c))
        return false;
    unsigned row = was_early ? own->early_row : c->chunks[0].row;
    violation->related = was_early ? own->early_packet : c->index;
    sctpa_violation_say(violation, "COOKIE ACK before DATA and SACK",
                        SCTPA_WORDS("%s before it", sctpa_chunk_row_word(row)));
    return true;
}

bool sctpa_HS_019_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return i && c->first_data && !i->endpoints[c->from].has_data && !i->endpoints[c->from].is_data_settled &&
           sctpa_initialization_of_sender(c);
}

/* "Defines the TSN that the sender of the INIT chunk will use initially." */
bool sctpa_HS_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_announcement_t *announced = sctpa_initialization_of_sender(c);
    uint32_t tsn = sctpa_tlv_u32(&c->first_data->tlv, SCTPA_F_DATA_TSN);
    if (sctpa_serial_distance(announced->initial_tsn, tsn) >= 0)
        return false;
    violation->path = c->path;
    violation->related = announced->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("TSN %u or a later one", announced->initial_tsn),
                        SCTPA_WORDS("TSN %u", tsn));
    return true;
}

bool sctpa_HS_020_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return i && i->endpoints[!c->from].has_data && !i->endpoints[!c->from].is_data_settled &&
           sctpa_context_tap_rtt_most_ns(c, c->from) >= 0;
}

/* "the endpoint MUST immediately respond with a SACK chunk to acknowledge the DATA chunk" */
bool sctpa_HS_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint32_t every_second = 1 << 2 | 1 << 4 | 1 << 6;
    const sctpa_initialization_end_t *sender = &sctpa_initialization(c)->endpoints[!c->from];
    int64_t took_ns = c->packet->time_ns - sctpa_context_time_ns(c, sender->data_packet);
    bool is_delayed = sender->data_packets == 1 && c->n_chunks == 1 &&
                      took_ns <= SCTPA_FIRST_SACK_DELAYED_MS * SCTPA_NS_PER_MS &&
                      sctpa_context_least_ns(c, took_ns) >
                          sctpa_context_tap_rtt_most_ns(c, c->from) + SCTPA_FIRST_SACK_MS * SCTPA_NS_PER_MS;
    bool counts_from_first = sender->data_packets == SCTPA_FIRST_DATA_PACKETS && !sender->has_close_packets &&
                             (sender->sacks_after | 1u << sender->data_packets) == every_second;
    if (!is_delayed && !counts_from_first)
        return false;
    violation->path = c->path;
    violation->related = sender->data_packet;
    if (is_delayed)
        sctpa_violation_say(violation, "a SACK at once", SCTPA_WORDS("after %.1f ms", (double)took_ns / 1e6));
    else
        sctpa_violation_say(violation, "a SACK at once for the first packet",
                            "SACKs for the packets 2, 4 and 6, none for the first");
    return true;
}
