/* What the group of authentication keeps of an association. Internal to check_auth*.c. */
#ifndef SCTPA_RULES_AUTH_STATE_H
#define SCTPA_RULES_AUTH_STATE_H

#include "rules/engine.h"

/* By end. */
typedef struct {
    uint32_t random_packet[2];                   /* of the INIT or INIT ACK whose RANDOM has a wrong length */
    uint32_t asconf_packet[2], asconf_serial[2]; /* the last ASCONF without AUTH */
    uint8_t announced[2];                        /* 1 RANDOM, 2 HMAC-ALGO in an INIT or INIT ACK */
    bool sound[2];                               /* an INIT or INIT ACK was captured whole */
    bool bad_random[2], other_random[2];         /* an INIT or INIT ACK with a RANDOM of wrong length; any other */
    bool bare_asconf[2], authentic_asconf[2];    /* ASCONF without, with AUTH before it */
} sctpa_auth_state_t;

static inline sctpa_auth_state_t *sctpa_auth_state(const sctpa_context_t *c)
{
    return sctpa_context_part(c, SCTPA_PART_AUTH, sizeof(sctpa_auth_state_t));
}

/* Judges AUTH chunks and chunks that lack one. */
void sctpa_check_auth_chunks(sctpa_context_t *c);
/* Does an AUTH chunk stand before chunk number at of the packet? O(1). */
bool sctpa_is_authenticated(const sctpa_context_t *c, unsigned at);

#endif
