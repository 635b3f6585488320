/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flows: the way that a packet takes leads to its association in one look-up, and plain packets are counted there
 * alone; and what hosts showed of their RTT from the tap. */
#ifndef SCTPA_TRACK_FLOW_H
#define SCTPA_TRACK_FLOW_H

#include "assoc.h"
#include "counts.h"
#include "input.h"
#include "packet.h"
#include "base/arena.h"
#include "base/slots.h"
#include "data/tap_rtt.h"

enum {
    SCTPA_NOTE_TSNS = 1 << 10, /* TSNs of plain packets are noted when they moved on by this */
    SCTPA_PLAIN_FLOWS_MAX = 16 /* flows of a pair that count plain packets for it: more than one when a tag changes, or
                                  duplicates came by others */
};

/* (source, destination, ports, tag) -> pair: the quick way that nearly all packets take. 96 bytes, and 40 where
 * addresses are not IPv4: what plain packets (DATA and SACK of an association that is up) add is collected here, and
 * added to the results by whoever reads them. */
typedef struct {
    union {
        uint8_t v4[2][4];
        const sctpa_addr_t *other; /* two */
    } addrs;                       /* source, destination */
    uint16_t source_port, destination_port;
    bool is_v4 : 1;
    bool reflected : 1;           /* T bit: the tag is the sender's own */
    bool plain : 1;               /* plain packets need no more than counting */
    bool good_checksums : 1;      /* its side knows that it sent some */
    bool has_more : 1;            /* its association is known not to be data only */
    bool i_data : 1, nr_sack : 1; /* data_chunks counts I_DATA, sack_chunks NR_SACK */
    uint8_t from;                 /* sending end */
    uint8_t checksum;             /* sctpa_checksum_t of all packets counted */
    uint8_t pair_index;           /* below SCTPA_ADDRS_MAX */
    uint32_t tag;
    uint32_t assoc; /* of the pair, as path, from and tracked; what is known of the association is true when plain */
    sctpa_pair_t *pair;
    uint16_t path, back_path; /* back_path: of the peer to source, SCTPA_NO_PATH not known yet */
    uint32_t before;          /* 1 + number of the flow of the pair before this one, 0 none */
    sctpa_tracked_t *tracked;
    uint32_t sent, acked; /* 1 + serial of the directions of what it sends, what it acknowledges; 0 not looked up yet */
    uint32_t packets;     /* since the last settling, as everything below */
    uint32_t last_frame;
    int64_t last_ns;
    uint32_t wire_bytes, data_bytes;
    uint32_t data_chunks, sack_chunks;
    uint32_t filed; /* TSN or cum_tsn last noted for the endpoint */
    uint32_t next;  /* 1 + number of the flow of the pair behind it, 0 none: those that are plain come first */
} sctpa_flow_t;

void sctpa_flows_init(sctpa_tracker_t *tracker);
void sctpa_flows_free(sctpa_tracker_t *tracker);
/* Brings the memory nearer that a packet on a plain flow needs, or where there is no flow that of sctpa_identify. */
void sctpa_flow_prefetch(const sctpa_tracker_t *tracker, const sctpa_input_t *input);
sctpa_flow_t *sctpa_flow_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* Remembers the way of a packet that was identified. */
sctpa_flow_t *sctpa_flow_add(sctpa_tracker_t *tracker, const sctpa_input_t *input, sctpa_pair_t *pair,
                             uint32_t pair_index);
/* Takes a packet on a plain flow that holds only DATA and SACK chunks (or only I_DATA, NR_SACK, as those before it);
 * false: it holds others, nothing was counted. */
bool sctpa_flow_take(sctpa_tracker_t *tracker, sctpa_flow_t *flow, const sctpa_input_t *input,
                     sctpa_checksum_t checksum);
/* Forgets the ways of packets from an end that carry tag: the tag has a new owner. O(pairs), bounded: not to be
 * repeated before there is a new way (sctpa_owner_leave). */
void sctpa_flows_forget(sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from, uint32_t tag);
/* Forgets all ways that lead to a pair. O(ways). */
void sctpa_flows_forget_pair(sctpa_tracker_t *tracker, const sctpa_pair_t *pair);
/* Whether plain packets of input's way, that of flow, need no more than counting from now on. */
void sctpa_flow_set_plain(sctpa_tracker_t *tracker, sctpa_flow_t *flow, const sctpa_input_t *input, bool is_plain);
/* Counters of a pair with what its flows collected; of all pairs of an end, and its packets by checksum. O(flows of a
 * pair; pairs), bounded. */
void sctpa_flows_pair_counts(const sctpa_tracker_t *tracker, const sctpa_pair_t *pair, sctpa_counts_copy_t *copy);
void sctpa_flows_end_counts(const sctpa_tracker_t *tracker, const sctpa_end_t *end, sctpa_counts_copy_t *copy);
/* Packets of an endpoint; of an association, of both its ends. O(pairs), bounded. */
uint32_t sctpa_flows_end_packets(const sctpa_tracker_t *tracker, const sctpa_end_t *end);
static inline uint32_t sctpa_flows_packets(const sctpa_tracker_t *tracker, const sctpa_assoc_t *assoc)
{
    return sctpa_flows_end_packets(tracker, &assoc->ends[0]) + sctpa_flows_end_packets(tracker, &assoc->ends[1]);
}

/* Moves the last packet of outcome on to that of a pair's flows when it is later. O(flows of a pair), bounded. */
void sctpa_flows_last(const sctpa_tracker_t *tracker, const sctpa_pair_t *pair, sctpa_outcome_t *outcome);
void sctpa_flows_end_checksums(const sctpa_tracker_t *tracker, const sctpa_end_t *end,
                               uint32_t checksums[SCTPA_CHECKSUMS]);

enum { SCTPA_HOSTS_MAX = 4096 };

typedef struct {
    sctpa_pool_t hosts;  /* of the first SCTPA_HOSTS_MAX of them, 56 bytes each */
    sctpa_slots_t table; /* their numbers */
    uint64_t seed;
    bool is_closed; /* packets pass at two places, of which an answer may be measured from one to the other */
} sctpa_hosts_t;

void sctpa_hosts_init(sctpa_hosts_t *hosts);

void sctpa_hosts_free(sctpa_hosts_t *hosts);

/* The host that sent a packet, made when new; NULL: there are too many, or none is told apart. It stays. O(1). */
sctpa_host_rtt_t *sctpa_host_of(sctpa_hosts_t *hosts, const sctpa_packet_t *packet);

/* There are two taps: forgets what is known of hosts, for good. O(hosts) once. */
void sctpa_hosts_close(sctpa_hosts_t *hosts);

#endif
