/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An INIT or INIT ACK, and a COOKIE ECHO by those before it, as the reference endpoints keep them. */
#ifndef SCTPA_MODEL_ANNOUNCEMENT_H
#define SCTPA_MODEL_ANNOUNCEMENT_H

#include <stdbool.h>
#include <stdint.h>

/* An INIT or INIT ACK: 48 bytes. */
typedef struct sctpa_announcement {
    struct sctpa_announcement *before; /* the one that passed before it, of either endpoint */
    uint64_t cookie;                   /* hash of the State Cookie */
    uint32_t vtag, tag, initial_tsn, packet;
    uint16_t outbound, inbound;
    uint16_t pair; /* of the sending endpoint */
    uint8_t from;
    bool is_ack : 1, has_cookie : 1, is_whole : 1, has_host_name : 1;
} sctpa_announcement_t;

/* A COOKIE ECHO by the INIT ACKs that its sender can have received. */
typedef struct {
    uint64_t cookie;                  /* hash */
    const sctpa_announcement_t *same; /* the INIT ACK with this cookie, and this tag if there is one; NULL none */
    bool is_whole;                    /* the COOKIE ECHO was captured whole */
    bool is_tag_known;                /* an INIT ACK announced the tag that the packet carries */
    bool is_tag_same;                 /* same announced it */
    bool are_acks_whole;              /* all INIT ACKs were captured whole and have a cookie */
} sctpa_echo_t;

#endif
