/* What the sender group keeps of an association, shared by its files. Internal to check_sender*.c. */
#ifndef SCTPA_RULES_CHECK_SENDER_H
#define SCTPA_RULES_CHECK_SENDER_H

#include "rules/engine.h"
#include "sender_limits.h"

/* A message of which a fragment was seen. */
typedef struct {
    int64_t tsn; /* of the fragment */
    uint32_t packet, ssn, ppid;
    uint16_t stream;
    uint8_t flags; /* SCTPA_TSN_ bits */
    bool is_known;
} sctpa_fragment_t;

/* What the next ordered message of a stream must carry. */
typedef struct {
    uint32_t known_since;
    uint16_t ssn;
    bool is_used;
} sctpa_next_ssn_t;

/* A message with a wrong SSN, until its TSN is acknowledged. */
typedef struct {
    int64_t tsn;
    uint32_t packet;
    uint16_t stream, expected, seen;
    bool is_first, is_waiting;
} sctpa_wrong_ssn_t;

/* The data of an end, looked at in the order of its TSNs. */
typedef struct {
    int64_t next;                 /* TSN to look at next */
    int64_t left_out;             /* first TSN found left out between fragments, 0 none */
    sctpa_fragment_t before;      /* of TSN next - 1 */
    sctpa_fragment_t *broken_off; /* the last message that went no further when another began, NULL none yet */
    sctpa_wrong_ssn_t *wrong;     /* NULL none yet */
    sctpa_next_ssn_t *streams;
    uint32_t n_streams;
    uint32_t known_since;      /* SSNs that were known before are not known any more */
    bool has_begun, is_behind; /* is_behind: a TSN passed after a higher one */
} sctpa_order_t;

/* What proves that an end has received a SACK: it came together with data that the end acknowledged. */
typedef struct {
    int64_t cum_tsn, tsn;      /* acknowledged to the end, and of the data beside it */
    int64_t proven, proven_ns; /* cum_tsn that it has received, and since when; proven -1 none */
    bool is_waiting, is_proven;
} sctpa_receipt_t;

/* Data of an end beyond the window of its peer. */
typedef struct {
    int64_t again_to;      /* highest TSN of the end that was sent again, -1 none */
    uint32_t times, sacks; /* each after another SACK; how many had come at the last */
} sctpa_beyond_t;

typedef struct {
    sctpa_order_t *order[2];                    /* NULL before its first DATA */
    sctpa_beyond_t *beyond[2];                  /* NULL while nothing was sent again or beyond the window */
    sctpa_receipt_t *receipts[2];               /* NULL before a SACK to it came together with data */
    uint32_t first_sent[2], first_immediate[2]; /* DATA chunks first sent, with the I bit */
    uint8_t ppids[2], ppids_swapped[2],
        ppids_foreign[2];             /* messages looked at; PPID with its bytes reversed; of another service */
    uint16_t outbound[2], inbound[2]; /* the most streams that an INIT or INIT ACK announced */
    bool reconfigured;                /* RE_CONFIG was seen */
} sctpa_sender_state_t;

/* Looks at the PPID of a message sent first by the case. O(1). */
void sctpa_sender_check_ppid(sctpa_context_t *c, sctpa_sender_state_t *state, const sctpa_tsn_t *tsn);
/* Looks at DATA of the case in the order of its TSNs: messages, fragments, SSNs. O(1) per TSN. */
void sctpa_sender_check_order(sctpa_context_t *c, sctpa_sender_state_t *state);
/* Judges what the case sends against the peer's window. O(chunks). */
void sctpa_sender_check_window(sctpa_context_t *c, sctpa_sender_state_t *state);
/* Judges a wrong SSN when its TSN is acknowledged by the case. O(1). */
void sctpa_sender_check_ssn(sctpa_context_t *c, sctpa_sender_state_t *state);

#endif
