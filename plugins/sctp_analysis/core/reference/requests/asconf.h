/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the endpoints of an association ask for by ASCONF, and what the peer did about it (RFC 5061). Leaves out which
 * addresses an endpoint has (track/assoc.h), and how often they answer HEARTBEATs. */
#ifndef SCTPA_REFERENCE_ASCONF_H
#define SCTPA_REFERENCE_ASCONF_H

#include "reference/context.h"
#include "wire/address.h"
#include "asconf_limits.h"

enum { SCTPA_ASCONF_SOURCES = 4 };

/* The highest ASCONF of an endpoint. */
typedef struct {
    uint32_t serial;
    uint32_t packet;                /* of its first transmission */
    uint32_t packet_before;         /* of that of the ASCONF with the number before, SCTPA_NO_PACKET_INDEX: not known */
    uint64_t hash;                  /* of the chunk */
    int64_t time_ns;                /* of its first transmission */
    uint32_t ids[SCTPA_ASCONF_IDS]; /* correlation ids */
    sctpa_addr_t sources[SCTPA_ASCONF_SOURCES]; /* of the packets that held it */
    sctpa_addr_t added, deleted; /* the first address that it adds, deletes; bytes 0: none, or a wildcard */
    uint32_t illegal_id;         /* correlation id of the request to delete the packet's source */
    uint8_t n_ids, n_sources;
    uint8_t transmissions;             /* without answer; saturates */
    bool ids_known, sources_known;     /* there were not more */
    bool alone;                        /* first sent in a packet without the one before it */
    bool answered, is_illegal, is_new; /* is_new: the added address was not in use before */
} sctpa_asconf_t;

/* An endpoint that sends ASCONF. */
typedef struct {
    sctpa_asconf_t asconf;
    bool asked, all_seen;  /* every ASCONF since the first one, whose number is the initial TSN, and the answers */
    uint32_t early_packet; /* from the added address before it was granted */
    uint32_t again_packet, early_packet_before_it; /* the last retransmission after an early packet, and that */
    uint32_t late_packet;                          /* from the deleted address after the request left */
    sctpa_addr_t unverified;                       /* added, and the peer has not probed it; bytes 0 none */
    sctpa_addr_t gone; /* deleted, which the peer granted at gone_ns in gone_packet; bytes 0 none */
    int64_t gone_ns;
    uint32_t gone_packet, unverified_packet;
    uint32_t refusals, refusal_packet; /* ERROR chunks of the peer: ASCONF is unknown */
    int64_t refusal_ns;
    uint32_t refused_serial;
} sctpa_asker_t;

/* What an endpoint asked for before what is asked about, NULL: it has not sent ASCONF. O(1). */
const sctpa_asker_t *sctpa_asconf_asker(const sctpa_context_t *c, uint8_t endpoint);
/* Was an INIT or INIT ACK of the endpoint cut, or malformed? O(1). */
bool sctpa_asconf_is_init_unsound(const sctpa_context_t *c, uint8_t endpoint);

/* Did its INIT or INIT ACK offer ASCONF and no AUTH? What it then sends and accepts without AUTH has that one cause. */
static inline bool sctpa_asconf_is_offered_bare(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_init_t *init = &c->assoc->ends[endpoint].init;
    return init->seen && init->supported_chunks & (SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK)) &&
           !(init->supported_chunks & SCTPA_ROW(AUTH));
}

/* Reads what the ASCONFs of the packet hold together, for sctpa_asconf_holds and sctpa_asconf_adds_before. O(chunks *
 * log chunks), O(chunks) where their numbers ascend. */
void sctpa_asconf_observe(const sctpa_context_t *c);

/* What an ASCONF is to those before it. */
typedef enum {
    SCTPA_ASCONF_UNREADABLE, /* its serial number was not captured */
    SCTPA_ASCONF_NEW,
    SCTPA_ASCONF_RETRANSMISSION, /* of the last one */
    SCTPA_ASCONF_OLDER
} sctpa_asconf_is_t;

/* What a chunk holds of address reconfiguration, read once for all rules about it. */
typedef struct sctpa_asconf_chunk {
    const sctpa_param_list_t *params; /* sound only where the chunk holds parameters */
    /* Of ASCONF and ASCONF-ACK: */
    const sctpa_asker_t *asker; /* the endpoint that asks, as before the chunk; NULL: it has not sent ASCONF */
    uint32_t serial;
    bool is_readable; /* the serial number was captured */
    /* Of ASCONF: */
    sctpa_asconf_is_t is;
    bool all_seen;  /* it is new, and every ASCONF was seen from the first one, whose number is the initial
                       TSN, to it, and the answer to each before it */
    bool ids_known; /* the chunk was captured whole, and there are no ids but these */
    uint8_t n_ids;  /* correlation ids */
    uint32_t ids[SCTPA_ASCONF_IDS];
    uint32_t changed, deleted;    /* addresses that it adds or deletes, deletes */
    uint32_t made_primary;        /* that it makes primary, without wildcards */
    bool deletes_source;          /* an address that it deletes is its packet's source, no wildcard */
    uint32_t source_id;           /* correlation id of the last such request */
    sctpa_addr_t added, deletion; /* the first address that it adds, deletes, without wildcards; bytes 0 none */
    sctpa_addr_t group;           /* the first that is added or deleted and is no unicast address, bytes 0 none */
    sctpa_addr_t stranger;        /* the first that is made primary and is not of the association, bytes 0 none */
    /* Of ASCONF-ACK: */
    bool is_answer; /* it has the number of the asker's last ASCONF */
    bool grants;    /* ... which had no answer before, and it grants all of it, and was captured whole */
} sctpa_asconf_chunk_t;
/* Reads c->chunk. O(parameters). */
void sctpa_asconf_read_chunk(const sctpa_context_t *c, sctpa_asconf_chunk_t *chunk);

/* Takes c->chunk, which was read: rules about a chunk see what was there before it. O(parameters). */
void sctpa_asconf_take_chunk(const sctpa_context_t *c);
/* Takes the packet, after its chunks: addresses from and to which it goes. O(1). */
void sctpa_asconf_take_packet(const sctpa_context_t *c);

/* Does the packet come from the address that its sender asks to add, and that was not granted yet? O(1). */
bool sctpa_asconf_is_early(const sctpa_context_t *c);

/* Hash of the chunk. O(bytes). */
uint64_t sctpa_asconf_hash(const sctpa_context_t *c, const sctpa_tlv_t *chunk);
/* Does the packet hold the ASCONF with that number? O(log chunks). */
bool sctpa_asconf_holds(const sctpa_context_t *c, uint32_t serial);
/* Does an ASCONF of the packet add wanted before the parameter? O(1); the first time O(parameters of the packet). */
bool sctpa_asconf_adds_before(const sctpa_context_t *c, const sctpa_tlv_t *param, const sctpa_addr_t *wanted);

/* Chunks that a host without the association may send, or one that sets it up. */
#define SCTPA_STRAY_ROWS \
    (SCTPA_ROW(ABORT) | SCTPA_ROW(ERROR) | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(INIT) | \
     SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK))

/* What a packet is to an address that the peer added and that its sender has not probed yet. */
typedef struct {
    bool is_there;     /* it goes to such an address */
    bool is_probe;     /* it holds a HEARTBEAT, or answers one that was not captured */
    bool is_forbidden; /* it holds chunks that may not be sent there before the address is verified */
} sctpa_unverified_use_t;
/* O(1). is_probe: see there. */
sctpa_unverified_use_t sctpa_asconf_unverified_use(const sctpa_context_t *c);

#endif
