/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far the endpoints of an association are with its initialization (RFC 9260 5): what INITs and INIT ACKs announced,
 * which cookies were echoed, what was sent before it was allowed, and the first DATA. Leaves out the states
 * (association_states.h), and what addresses announce over several associations (chapters/setup.c). */
#ifndef SCTPA_SHARED_INITIALIZATION_H
#define SCTPA_SHARED_INITIALIZATION_H

#include "model/context.h"

/* Packets nearer to each other than this may have reached a receiver together. */
#define SCTPA_FIRST_PACKETS_APART_MS 5

/* The first INIT or COOKIE ECHO, and the 8 repetitions of Max.Init.Retransmits. */
#define SCTPA_SETUP_ATTEMPTS 9

enum {
    SCTPA_ANNOUNCEMENTS_MAX = 16,
    SCTPA_FIRST_DATA_PACKETS = 6 /* packets with DATA that are followed: three pairs */
};

/* Of an endpoint. */
typedef struct {
    uint64_t cookie;      /* hash of the cookie that it echoed last */
    uint32_t echo_packet; /* its last COOKIE ECHO, SCTPA_NO_PACKET_INDEX none */
    /* the first that it sent too early, if what follows confirms it; SCTPA_NO_PACKET_INDEX none */
    uint32_t early_packet;
    uint32_t data_packet, last_data_packet; /* its first, its last DATA */
    uint32_t next_tsn;
    uint32_t params;         /* of its INITs and INIT ACKs: bits by the hash of each that asks for a report, all where
                                one was cut */
    uint32_t odd_ack_packet; /* its INIT ACK that did not repeat its own INIT, SCTPA_NO_PACKET_INDEX none */
    /* its first packets of data; bit n: a SACK passed after packet n and before the next */
    uint8_t data_packets, sacks_after;
    uint8_t inits, acks, echoes, cookie_acks; /* at most UINT8_MAX */
    uint8_t early_row;                        /* chunk of early_packet */
    bool is_heard : 1;                        /* it sent something other than INIT, INIT ACK and ABORT */
    bool has_data : 1;
    bool is_data_settled : 1;   /* its first data is not followed any more */
    bool has_close_packets : 1; /* the second of a pair of its first packets came soon after the first */
    bool has_wrong_cookie : 1, has_right_cookie : 1; /* that it echoed; right: or perhaps right */
    bool goes_on_after_collision : 1; /* it answered the peer's INIT after its own, and went on with its own attempt */
    bool may_set_up_anew : 1;         /* since its last COOKIE ECHO it sent INIT, or its peer ERROR or ABORT */
} sctpa_initialization_end_t;

typedef struct {
    sctpa_announcement_t *last;
    uint32_t n_announcements;
    bool is_overfull;    /* more INITs and INIT ACKs passed than are kept */
    uint32_t settled[2]; /* rows of chunks that change nothing any more when this endpoint sends them */
    sctpa_initialization_end_t endpoints[2];
} sctpa_initialization_t;

/* What is known before this packet, NULL before the first INIT or INIT ACK. O(1). */
static inline const sctpa_initialization_t *sctpa_initialization(const sctpa_context_t *c)
{
    return sctpa_context_find_part(c, SCTPA_PART_SETUP);
}
static inline bool sctpa_initialization_has(uint32_t packet)
{
    return packet != SCTPA_NO_PACKET_INDEX;
}

/* Has the packet nothing to do with the initialization? O(1). */
bool sctpa_initialization_is_over(const sctpa_context_t *c);
/* Reads what the packet announces and echoes into c->announced and c->echo. O(announcements + bytes of the cookie). */
void sctpa_initialization_observe(sctpa_context_t *c);
/* Takes the packet. O(chunks + announcements). */
void sctpa_initialization_take(const sctpa_context_t *c);

/* The announcement of the sender's tag, NULL not seen. O(announcements). */
const sctpa_announcement_t *sctpa_initialization_of_sender(const sctpa_context_t *c);
/* The last INIT of an endpoint, NULL none kept. O(announcements). */
const sctpa_announcement_t *sctpa_initialization_last_init(const sctpa_initialization_t *i, uint8_t endpoint);
/* The first INIT of an endpoint, or INIT ACK, that is kept; NULL none. O(announcements). */
static inline const sctpa_announcement_t *sctpa_initialization_first(const sctpa_initialization_t *i, uint8_t endpoint,
                                                                     bool is_ack)
{
    const sctpa_announcement_t *first = NULL;
    for (const sctpa_announcement_t *a = i->last; a; a = a->before)
        if (a->from == endpoint && a->is_ack == is_ack)
            first = a;
    return first;
}
/* INITs of the peer with the Initiate Tag that an INIT ACK carries: the next one before, from on; NULL no more. */
const sctpa_announcement_t *sctpa_initialization_asked(const sctpa_announcement_t *from,
                                                       const sctpa_announcement_t *ack);
/* Does the packet's sender send what it may not send yet: data before its COOKIE ECHO or COOKIE ACK, anything between
 * COOKIE ECHO and COOKIE ACK (RFC 9260 5.1)? It counts when a later packet confirms that what should have come before
 * was not missed by the capture. O(1). */
bool sctpa_initialization_is_early(const sctpa_context_t *c);
/* May an INIT or INIT ACK of an endpoint have had the parameter, type, length and value, which was captured whole and
 * asks for a report? No is sure for those that passed; yes where none did. O(bytes). */
bool sctpa_initialization_may_have_param(const sctpa_context_t *c, uint8_t endpoint, const sctpa_tlv_t *param);
/* Does the type of a parameter ask whoever does not know it for a report (RFC 9260 3.2.1), and was it captured whole?
 */
static inline bool sctpa_param_asks_for_report(const sctpa_tlv_t *param)
{
    enum { REPORTED = 0x4000 };
    return param->type & REPORTED && sctpa_tlv_is_framed(param) && param->captured_bytes >= param->length;
}
/* How often the sender of a COOKIE ECHO has echoed its cookie, with this one. O(1). */
uint8_t sctpa_initialization_echoes(const sctpa_context_t *c);
/* Must an INIT ACK have had the cookie that the packet echoes, and none had? O(1). */
bool sctpa_initialization_is_cookie_due(const sctpa_context_t *c);

#endif
