/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window that a receiver of data advertises: what it may hold, whether it is closed, and how its sender probes it.
 * Only SACKs alone in a packet are looked at, and but for updates between endpoints of one address each. All of it is
 * asked about the state before the packet. Leaves out a_rwnd of other SACKs, which the direction of the data keeps. */
#ifndef SCTPA_REFERENCE_ADVERTISED_WINDOW_H
#define SCTPA_REFERENCE_ADVERTISED_WINDOW_H

#include "sack_answers.h"

/* What the window of a receiver does not have that never closed, dropped nothing and was updated by no SACK alone. */
typedef struct {
    uint32_t dropped_tsn;             /* that it dropped last though the window had room for it */
    uint32_t burst_packet;            /* the first update of a burst */
    uint32_t closed_packet;           /* SACK since which there is no room for a chunk */
    uint32_t probe_packet, probe_tsn; /* since then: the last packet with data, and its first TSN; 0 none */
    int64_t probe_interval_ns;        /* since the packet with that TSN before it; 0 there is none */
    uint16_t drops;                   /* of dropped_tsn, in a row */
    uint16_t updates;                 /* in the burst */
    uint16_t probes;                  /* packets with DATA that were answered since it closed, and not taken */
    uint16_t steady_probes;           /* intervals in a row that were not backed off */
    bool is_closed;
    bool is_closed_at_once; /* before that SACK, its sender knew of room for one more chunk */
    bool is_dormant;        /* closed for long, though it was probed */
    bool is_unprobed;       /* closed for long, and not probed in the middle of a message */
} sctpa_window_trouble_t;

/* The window of a receiver, made when it sends its first SACK alone in a packet. */
typedef struct sctpa_window {
    uint32_t largest_bytes;                /* a_rwnd advertised */
    uint32_t chunk_bytes;                  /* largest user data of a packet's first chunk */
    uint32_t held_chunks, held_bytes;      /* acknowledged since a_rwnd was the largest */
    const sctpa_window_trouble_t *trouble; /* never NULL */
} sctpa_window_t;

/* Of endpoint. O(1). */
const sctpa_window_t *sctpa_window_of(const sctpa_context_t *c, uint8_t endpoint);
static inline const sctpa_window_trouble_t *sctpa_window_trouble_of(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_window_of(c, endpoint)->trouble;
}

/* Gives a window back; NULL is none. O(1). */
void sctpa_window_free(sctpa_arena_t *arena, const sctpa_window_t *window);

/* Is the packet a SACK that is looked at for the window of its sender? */
static inline bool sctpa_window_is_advertised(const sctpa_context_t *c)
{
    return sctpa_sack_is(c, SCTPA_SACK_SINGLE | SCTPA_SACK_ALONE);
}
/* The largest a_rwnd that the packet's sender advertised before. O(1). */
uint32_t sctpa_window_largest_bytes(const sctpa_context_t *c);
/* The largest user data of a packet's first chunk that it was sent: with less room the window is closed. O(1). */
uint32_t sctpa_window_chunk_bytes(const sctpa_context_t *c);

/* The SACK answers one packet whose TSN is the next one due and fits in the window. O(1). */
bool sctpa_window_has_room(const sctpa_context_t *c);
/* How often in a row the receiver dropped that TSN, with this SACK, 0: it did not now. O(1). */
unsigned sctpa_window_drops(const sctpa_context_t *c);
/* The SACK says the same as the one before it, but for a higher a_rwnd, and nothing arrived in between. O(1). */
bool sctpa_window_is_update(const sctpa_context_t *c);
/* How many updates, each small, came within a short time with this one; *first: the first of them. O(1). */
unsigned sctpa_window_updates(const sctpa_context_t *c, uint32_t *first);
/* The window was closed, and the SACK takes nothing and leaves it closed: answers to packets with DATA since then, with
 * this one. 0: not so. O(1). */
unsigned sctpa_window_probes(const sctpa_context_t *c);
/* With this SACK it is closed for long, though it was probed. O(1). */
bool sctpa_window_is_dormant(const sctpa_context_t *c);
/* The packet, a SACK, HEARTBEAT or SHUTDOWN, shows that the window of endpoint is still closed, in the middle of a
 * message. O(1). */
bool sctpa_window_awaits_probe(const sctpa_context_t *c, uint8_t endpoint);
/* How long it has been closed then without a probe, nothing being outstanding; 0: it was probed. O(1). */
int64_t sctpa_window_unprobed_ns(const sctpa_context_t *c, uint8_t endpoint);

/* The packet begins with new DATA that the window of its peer has no room for: the first since that is so, and nothing
 * else is outstanding. O(1). */
bool sctpa_window_is_first_probe(const sctpa_context_t *c);
/* The packet's DATA probes the window of its peer with the TSN that the probes before it had. How often in a row was
 * the interval not backed off, with this one, 0: it was, or is not such a probe; *interval_ns: the last. O(1). */
unsigned sctpa_window_steady_probes(const sctpa_context_t *c, int64_t *interval_ns);

/* Takes what the packet shows of the window of receiver, which is endpoint; before its wait ends. O(1). */
void sctpa_window_take(const sctpa_context_t *c, sctpa_receiver_t *receiver, uint8_t endpoint);

#endif
