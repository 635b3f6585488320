/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a packet asks of its receiver, and what it answers: chunk by chunk. A packet surely asks where nothing excuses
 * the receiver ("sound"), and may ask where anything could. Leaves out what became of it (obligations.h). All take
 * O(chunks) at most. */
#ifndef SCTPA_SHARED_OWED_CHUNKS_H
#define SCTPA_SHARED_OWED_CHUNKS_H

#include "data/shared_limits.h"
#include "model/context.h"

/* Is every state that an endpoint can be in one of those? */
static inline bool sctpa_states_surely_in(uint8_t states, unsigned those)
{
    return states && !(states & ~those);
}

/* Did the packet reach its receiver as it stands here: sent to and from one host each (RFC 9260 8.4 1), its checksum
 * right or not computed? */
bool sctpa_packet_is_receivable(const sctpa_context_t *c);
/* Does the AUTH have an HMAC identifier that its receiver does not list? */
bool sctpa_packet_has_unlisted_hmac(const sctpa_context_t *c);
/* The chunks that the receiver processes: up to one that is malformed, or whose type tells a receiver that does not
 * know it to stop (RFC 9260 3.2), or an AUTH whose HMAC is wrong or not listed (RFC 4895 6.3). */
unsigned sctpa_packet_processed(const sctpa_context_t *c);
/* The first chunk of a row among them, NULL none. */
const sctpa_observed_t *sctpa_packet_find_processed(const sctpa_context_t *c, unsigned row);
/* Did the peer ask for AUTH before such a chunk, and is there none? It then discards it. */
static inline bool sctpa_packet_lacks_auth(const sctpa_context_t *c, unsigned row)
{
    return c->assoc->ends[!c->from].init.auth_chunks >> row & 1 && !(c->rows & SCTPA_ROW(AUTH));
}

/* RFC 9260 8.5.1 A, 6.10, 3.3.2: the receiver of an INIT with a tag, in company, in part or without Initiate Tag
 * discards it. */
bool sctpa_packet_may_be_init(const sctpa_context_t *c);
/* RFC 9260 5.1, 3.3.2: one that sets up an association; where one is ending, SHUTDOWN ACK may answer it there (9.2). */
bool sctpa_packet_is_sound_init(const sctpa_context_t *c);
/* May an INIT ACK be followed by COOKIE ECHO: with a tag, streams, State Cookie, and no host name (RFC 9260 3.3.3,
 * 5.1.2)? */
bool sctpa_packet_may_be_init_ack(const sctpa_context_t *c);
/* Such an INIT ACK for the last INIT of its receiver, which waits for it? */
bool sctpa_packet_is_sound_init_ack(const sctpa_context_t *c);
/* Does the INIT announce no streams, so that it has to be refused (RFC 9260 3.3.2)? */
bool sctpa_packet_is_refused_init(const sctpa_context_t *c);
/* The answer to the receiver's last INIT lacks what it must have, but not a tag for the ABORT (RFC 9260 3.3.3, 5.1,
 * 5.1.2). */
bool sctpa_packet_is_refused_init_ack(const sctpa_context_t *c);
/* May the cookie be one that the receiver issued? */
bool sctpa_packet_may_hold_cookie(const sctpa_context_t *c);
/* The cookie of the receiver's last INIT ACK, which answered the last INIT of its sender, while the receiver has no
 * INIT of its own on the way (RFC 9260 5.1 D, 5.2.4). */
bool sctpa_packet_holds_sound_cookie(const sctpa_context_t *c);
/* Does its receiver know the source of the packet as an address of its peer? */
bool sctpa_packet_is_from_known_address(const sctpa_context_t *c);
/* RFC 9260 8.3: from COOKIE-ECHOED, or ESTABLISHED, until SHUTDOWN-SENT or SHUTDOWN-ACK-SENT. */
bool sctpa_packet_is_sound_heartbeat(const sctpa_context_t *c, const sctpa_observed_t *heartbeat, uint8_t states);
/* Does the packet acknowledge the TSN, or give no SACK? */
bool sctpa_packet_covers(const sctpa_context_t *c, uint32_t tsn);
/* The IP bytes of a packet that arrived, as the SACK shows: the oldest that it newly acknowledges and that was sent
 * once; 0: none is. */
uint32_t sctpa_packet_arrived_bytes(const sctpa_context_t *c);
/* Was a packet with data larger than any that arrived, so that a router may have told that it is too big (RFC 9260
 * 7.3)? Its data is marked for that, and sent again as cwnd allows, in IP fragments. ICMP may pass beside the tap. */
static inline bool sctpa_packet_may_be_too_big(const sctpa_direction_t *sent, uint32_t packet, uint32_t arrived_bytes)
{
    return sctpa_direction_stamp(sent, packet)->wire_bytes > MAX(SCTPA_PMTU_LEAST_BYTES, arrived_bytes);
}

/* Does the packet hold data of that number (relative TSN), sent for the first time or again? */
bool sctpa_packet_holds_tsn(const sctpa_context_t *c, int64_t number);
/* Does a FORWARD-TSN of the packet give up the TSN? */
static inline bool sctpa_packet_gives_up(const sctpa_context_t *c, int64_t number)
{
    return c->rows & (SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN)) && c->sent &&
           c->sent->rare->abandoned_to >= number;
}

/* Does the packet answer the request to open a channel on a stream? */
bool sctpa_packet_answers_channel(const sctpa_context_t *c, uint16_t stream);
/* Does the packet ask to reset an outgoing stream, by its number or with all? What was cut may. */
bool sctpa_packet_resets_stream(const sctpa_context_t *c, uint16_t stream);

#endif
