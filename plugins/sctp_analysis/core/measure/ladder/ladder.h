/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The packets of an association as a ladder diagram shows them: between which addresses each went, when it left and
 * arrived, what it held, whether it was lost, what it repeats. Made from the records when asked for; it does not follow
 * a capture that goes on. Leaves drawing to the callers. Times of estimates are for drawing: no number and no verdict
 * is drawn from them. */
#ifndef SCTPA_MEASURE_LADDER_H
#define SCTPA_MEASURE_LADDER_H

#include "data/packet_results.h"

/* How it is known when a packet was at the endpoint that is not at the tap. */
typedef enum {
    SCTPA_LADDER_ONE_TAP,  /* estimated: half of the RTT from tap */
    SCTPA_LADDER_TWO_TAPS, /* as the tap near it shows */
    SCTPA_LADDER_UNKNOWN   /* several taps, and it is not known which is near which endpoint */
} sctpa_ladder_far_t;

/* What is known of a packet. */
enum {
    SCTPA_LADDER_HAS_TSN = 0x0001,       /* first_tsn and last_tsn are set */
    SCTPA_LADDER_REPEATS = 0x0002,       /* a chunk of it is a retransmission */
    SCTPA_LADDER_LOST = 0x0004,          /* it did not arrive, as far as is known (see sctpa_ladder) */
    SCTPA_LADDER_NOT_ACKED = 0x0008,     /* some of its data was not acknowledged */
    SCTPA_LADDER_SENT_KNOWN = 0x0010,    /* sent_ns is as captured near the sender, else estimated or unknown */
    SCTPA_LADDER_ARRIVED_KNOWN = 0x0020, /* arrived_ns is as captured near the receiver */
    SCTPA_LADDER_T1 = 0x0040, /* INIT or COOKIE ECHO, sent again with nothing from the peer in between: T1 expired */
    SCTPA_LADDER_T2 = 0x0080, /* the same of SHUTDOWN and SHUTDOWN ACK: T2 expired */
    SCTPA_LADDER_T3 = 0x0100, /* a retransmission after a timeout: T3-rtx expired */
    SCTPA_LADDER_NO_ANSWER = 0x0200, /* HEARTBEAT that was followed by another one without an answer in between */
    SCTPA_LADDER_STRAY = 0x0400,     /* its tag is wrong: its receiver discards it */
    SCTPA_LADDER_ARRIVED = 0x0800    /* an acknowledgement, or the tap near its receiver, shows that it arrived */
};

/* One packet: 56 bytes. Lanes are indices of addresses (ends[].addrs) of the sender, of the receiver. */
typedef struct {
    uint32_t packet, again;      /* index of its first sighting; at the other of two taps, SCTPA_NO_PACKET_INDEX none */
    int64_t time_ns;             /* of its first sighting: what the packet list shows */
    int64_t sent_ns, arrived_ns; /* when it left its sender, when it reached its receiver or would have */
    uint32_t rows;               /* SCTPA_CHUNK_ROW_ bits of its chunks */
    uint32_t first_tsn, last_tsn; /* lowest and highest TSN of its data, serial numbers */
    uint32_t repeats;             /* packet of the first transmission of what it repeats, SCTPA_NO_PACKET_INDEX none */
    uint16_t flags;               /* SCTPA_LADDER_ bits */
    uint8_t from, source, destination;
    uint8_t cause; /* 1 + sctpa_rtx_kind_t of its first retransmission, 0 none */
} sctpa_ladder_packet_t;

/* What lies in a part of the ladder, by sending endpoint: packets, and of them those with these. */
typedef struct {
    uint32_t packets[2], data[2], sacks[2], repeats[2], lost[2];
} sctpa_ladder_count_t;

typedef struct sctpa_ladder sctpa_ladder_t;

void sctpa_ladder_free(sctpa_ladder_t *ladder);

sctpa_ladder_far_t sctpa_ladder_far(const sctpa_ladder_t *ladder);
/* Half of the RTT from tap to an endpoint, by which its times are moved; 0 two taps, or unknown. */
int64_t sctpa_ladder_shift_ns(const sctpa_ladder_t *ladder, uint8_t end);
/* Is the RTT from tap to an endpoint known? False where there are two taps. */
bool sctpa_ladder_has_rtt(const sctpa_ladder_t *ladder, uint8_t end);
/* Did the clocks of two taps have to be aligned, since packets would have arrived before they left? */
bool sctpa_ladder_is_aligned(const sctpa_ladder_t *ladder);
/* How far sent_ns and arrived_ns of a packet are from its time_ns at most. */
int64_t sctpa_ladder_reach_ns(const sctpa_ladder_t *ladder);

uint32_t sctpa_ladder_length(const sctpa_ladder_t *ladder);
/* Packet number position < length in order of time_ns. O(1). */
const sctpa_ladder_packet_t *sctpa_ladder_at(const sctpa_ladder_t *ladder, uint32_t position);
/* How many stand before a time. O(log packets). */
uint32_t sctpa_ladder_before(const sctpa_ladder_t *ladder, int64_t time_ns);
/* The packet of an index, a duplicate's too: the one that it repeats. NULL: it is not in it. O(log packets). */
const sctpa_ladder_packet_t *sctpa_ladder_find(const sctpa_ladder_t *ladder, uint32_t packet);
/* Counts those at positions from one up to another, which is not counted. O(1). */
void sctpa_ladder_count(const sctpa_ladder_t *ladder, uint32_t from, uint32_t to, sctpa_ladder_count_t *count);

/* What the SACKs of a packet say together. False: it holds none that is followed. O(log SACKs). */
bool sctpa_ladder_sack(const sctpa_ladder_t *ladder, const sctpa_ladder_packet_t *packet, sctpa_packet_sack_t *sack);

#endif
