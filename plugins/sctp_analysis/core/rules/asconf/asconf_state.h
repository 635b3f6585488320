/* What the group of address reconfiguration keeps of an association that uses it. Internal to check_addresses*.c. */
#ifndef SCTPA_RULES_ASCONF_STATE_H
#define SCTPA_RULES_ASCONF_STATE_H

#include "track/address.h"
#include "asconf_limits.h"
#include "rules/engine.h"

enum { SCTPA_ASCONF_SOURCES = 4 };

/* The highest ASCONF of an endpoint. */
typedef struct {
    uint32_t serial;
    uint32_t packet, last_packet;               /* of its first and last transmission */
    uint64_t hash;                              /* of the chunk */
    int64_t time_ns;                            /* of its first transmission */
    uint32_t ids[SCTPA_ASCONF_IDS];             /* correlation ids */
    sctpa_addr_t sources[SCTPA_ASCONF_SOURCES]; /* of the packets that held it */
    sctpa_addr_t added, deleted; /* the first address that it adds, deletes; bytes 0: none, or a wildcard */
    uint32_t illegal_id;         /* correlation id of the request to delete the packet's source */
    uint8_t n_ids, n_sources;
    uint8_t transmissions;             /* without answer; saturates */
    bool ids_known, sources_known;     /* there were not more */
    bool alone;                        /* first sent in a packet without the one before it */
    bool answered, is_illegal, is_new; /* is_new: the added address was not in use before */
} sctpa_asconf_t;

/* What an endpoint asks for, and what its peer did about it. */
typedef struct {
    sctpa_asconf_t asconf;
    bool asked, all_seen;    /* every ASCONF since the first one, whose number is the initial TSN, and the answers */
    uint32_t early_packet;   /* from the added address before it was granted */
    uint32_t late_packet;    /* from the deleted address after the request left */
    sctpa_addr_t unverified; /* added, and the peer has not probed it; bytes 0 none */
    sctpa_addr_t gone;       /* deleted, which the peer granted at gone_ns in gone_packet; bytes 0 none */
    int64_t gone_ns;
    uint32_t gone_packet, unverified_packet;
    uint32_t elsewhere; /* ASCONF-ACKs that went to no source of their ASCONF */
    uint32_t elsewhere_packet;
    uint32_t refusals, refusal_packet; /* ERROR chunks of the peer: ASCONF is unknown */
    int64_t refusal_ns;
    uint32_t refused_serial;
} sctpa_asker_t;

typedef struct {
    sctpa_asker_t *askers[2];
    bool unsound[2];
} sctpa_addresses_t; /* unsound: INIT or INIT ACK was cut */

static inline sctpa_addresses_t *sctpa_addresses_state(const sctpa_context_t *c)
{
    return sctpa_context_part(c, SCTPA_PART_ADDRESSES, sizeof(sctpa_addresses_t));
}

/* NULL: the end has not sent ASCONF. */
static inline sctpa_asker_t *sctpa_asker(const sctpa_context_t *c, uint8_t end)
{
    const sctpa_addresses_t *state = sctpa_context_find_part(c, SCTPA_PART_ADDRESSES);
    return state ? state->askers[end] : NULL;
}

/* ASCONF number at of the packet. */
void sctpa_check_asconf(sctpa_context_t *c, unsigned at);
/* What an ASCONF asks for by itself and against the addresses known. */
void sctpa_check_asconf_params(sctpa_context_t *c, const sctpa_tlv_t *asconf, const sctpa_asker_t *asker);
/* ASCONF-ACK, and ERROR that says ASCONF is unknown. */
void sctpa_check_asconf_ack(sctpa_context_t *c, const sctpa_tlv_t *answer);
void sctpa_check_asconf_error(sctpa_context_t *c, const sctpa_tlv_t *error);
/* Packets from and to addresses that were added or deleted. */
void sctpa_check_addresses_use(sctpa_context_t *c);

#endif
