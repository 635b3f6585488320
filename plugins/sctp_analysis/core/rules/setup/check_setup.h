/* What the set-up of an association has said so far, as the parts of its judgement share it. Internal to
 * check_setup*.c. */
#ifndef SCTPA_RULES_CHECK_SETUP_H
#define SCTPA_RULES_CHECK_SETUP_H

#include "rules/engine.h"
#include "setup_limits.h"

enum { SCTPA_SAID_MAX = 16 };

/* An INIT or INIT ACK: 48 bytes. */
typedef struct sctpa_said {
    struct sctpa_said *before; /* the one that passed before it */
    uint64_t cookie;           /* hash of the State Cookie */
    uint32_t vtag, tag, initial_tsn, packet;
    uint16_t outbound, inbound;
    uint16_t pair; /* of the sending end */
    uint8_t from;
    bool is_ack : 1, has_cookie : 1, is_whole : 1, is_refused : 1; /* is_refused: an INIT that must not be accepted */
} sctpa_said_t;

typedef struct {
    uint64_t cookie;       /* hash of the cookie it echoed last */
    uint32_t echo_packet;  /* its last COOKIE ECHO, SCTPA_NO_PACKET_INDEX none */
    uint32_t early_packet; /* what it sent too early, if what follows confirms it; SCTPA_NO_PACKET_INDEX none */
    uint32_t data_packet, last_data_packet; /* its first, its last DATA */
    uint32_t next_tsn;
    uint32_t odd_ack_packet; /* its INIT ACK that did not repeat its own INIT, SCTPA_NO_PACKET_INDEX none */
    /* its first packets of data; bit n: a SACK passed after packet n and before the next */
    uint8_t data_packets, sacks_after;
    uint8_t inits, acks, echoes, cookie_acks; /* at most UINT8_MAX, far more than is said in state or allowed */
    uint8_t early_row;                        /* chunk of early_packet */
    bool is_heard : 1;                        /* sent something other than INIT, INIT ACK and ABORT */
    bool has_data : 1, is_data_judged : 1, is_uneven : 1;
    bool has_wrong_cookie : 1, has_right_cookie : 1;
    bool is_collision_due : 1; /* its INIT ACK in a collision is to be judged once the tap is known to be near */
    bool is_asked_anew : 1;    /* since its last COOKIE ECHO it sent INIT, or its peer ERROR or ABORT */
} sctpa_setup_end_t;

typedef struct {
    sctpa_said_t *last;
    uint32_t n_said;
    bool is_overfull; /* more INITs and INIT ACKs passed than are kept */
    bool is_settled;  /* nothing is left to judge in plain packets */
    sctpa_setup_end_t ends[2];
} sctpa_setup_state_t;

/* The state, NULL before the first INIT or INIT ACK. */
static inline sctpa_setup_state_t *sctpa_setup_state(const sctpa_context_t *c)
{
    return sctpa_context_find_part(c, SCTPA_PART_SETUP);
}

static inline uint32_t sctpa_context_vtag(const sctpa_context_t *c)
{
    return sctpa_be32(c->packet->bytes + 4);
}

static inline bool sctpa_context_is_cut(const sctpa_context_t *c)
{
    return c->packet->captured_bytes < c->packet->wire_bytes;
}

/* Hash of the value of a parameter or chunk. O(bytes). */
uint64_t sctpa_setup_hash(const sctpa_context_t *c, const sctpa_tlv_t *tlv);

/* check_setup_answer.c: an INIT or INIT ACK by what passed before it. said is not in the state yet. */
void sctpa_setup_check_answer(sctpa_context_t *c, sctpa_setup_state_t *state, const sctpa_said_t *said);
/* check_setup_cookie.c: COOKIE ECHO, COOKIE ACK. */
void sctpa_setup_check_echo(sctpa_context_t *c, sctpa_setup_state_t *state, const sctpa_tlv_t *echo);
void sctpa_setup_check_cookie_ack(sctpa_context_t *c, sctpa_setup_state_t *state);
void sctpa_setup_check_collision(sctpa_context_t *c, sctpa_setup_state_t *state, uint8_t accused);
/* check_setup_tags.c: what both ends announced, by what their addresses announced before; once, when the association is
 * up. O(1). */
void sctpa_setup_check_announced(sctpa_context_t *c);
/* check_setup_early.c: what is sent before it is allowed, and the first DATA. */
void sctpa_setup_check_early(sctpa_context_t *c, sctpa_setup_state_t *state);
void sctpa_setup_check_data(sctpa_context_t *c, sctpa_setup_state_t *state);

#endif
