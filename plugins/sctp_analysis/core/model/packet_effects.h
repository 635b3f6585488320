/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a packet means against what is known of its endpoints, where several rules need it: computed once, before rules
 * are asked, and forgotten with the packet. Leaves out what each chunk means (data/observation.h). */
#ifndef SCTPA_MODEL_PACKET_EFFECTS_H
#define SCTPA_MODEL_PACKET_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

/* A TSN as part of a message, or as all of it: 24 bytes. */
typedef struct {
    int64_t tsn;        /* relative */
    uint32_t packet;    /* of its first transmission */
    uint32_t ssn, ppid; /* as in sctpa_tsn_t */
    uint16_t stream;
    uint8_t flags; /* SCTPA_TSN_ bits */
    bool is_known;
} sctpa_fragment_t;

/* What RFC 9260 3.3.1 and 6.9 do not allow of DATA after the TSN before it, ... */
typedef enum {
    SCTPA_MISPLACED_PPID,     /* goes on with its message, with another PPID */
    SCTPA_MISPLACED_MESSAGE,  /* begins no message, and is not of the one before it, which has not ended */
    SCTPA_MISPLACED_APART,    /* goes on with a message whose last fragment is not the TSN before it */
    SCTPA_MISPLACED_NO_BEGIN, /* begins no message, though the one before it has ended */
    SCTPA_MISPLACED_NO_END,   /* begins a message, though the one before it has not ended */
    /* ... and RFC 8260 2.1 and 2.2.2 of new I-DATA after the TSN before it on its stream */
    SCTPA_MISPLACED_INTERLEAVED, /* begins no message, and is not of the one before it */
    SCTPA_MISPLACED_BITS,        /* has the same MID, and begins inside the message, or goes on after its end */
    SCTPA_MISPLACED_MID,         /* begins a message whose MID is not the next one, nor 0 */
    SCTPA_MISPLACED_KINDS
} sctpa_misplaced_kind_t;

/* How DATA follows the TSN before it; bits below these: 1 << sctpa_misplaced_kind_t. */
enum {
    SCTPA_FOLLOWS_MESSAGE = 0x100,  /* begins a message, and the one before it has ended */
    SCTPA_FOLLOWS_FRAGMENT = 0x200, /* goes on with the message of the TSN before it */
    SCTPA_FOLLOWS_HOLE = 0x400,     /* a message has not ended, and the TSN after it did not pass, though others did */
    SCTPA_FOLLOWS_NO_SSN = 0x800,   /* the first ordered message of a stream, where all TSNs before it passed */
    SCTPA_FOLLOWS_SSN = 0x1000,     /* an ordered message, where the one before it on its stream is known */
    SCTPA_FOLLOWS_I_DATA = 0x2000   /* new I-DATA, where the TSN before it on its stream is known and I-DATA */
};

typedef struct {
    int64_t tsn;             /* relative */
    sctpa_fragment_t before; /* that it is compared with */
} sctpa_misplaced_t;

/* An ordered message whose SSN is not the one that comes next on its stream. */
typedef struct {
    int64_t tsn;     /* relative, of its first fragment */
    uint32_t packet; /* of that one's first transmission */
    uint16_t stream, expected, seen;
    bool is_first; /* of its stream */
    bool is_waiting;
} sctpa_wrong_ssn_t;

/* The TSNs that a packet made known in their order: its own, and those that passed before and waited for it. */
typedef struct {
    uint32_t follows;                                   /* SCTPA_FOLLOWS_ and SCTPA_MISPLACED_ bits of all of them */
    sctpa_misplaced_t misplaced[SCTPA_MISPLACED_KINDS]; /* the first of each kind; only where the bit is set */
    /* of its peer, and that the packet acknowledges; NULL none, or messages before it may have been given up or streams
     * reset */
    const sctpa_wrong_ssn_t *wrong_ssn;
} sctpa_reached_t;

/* What the first FORWARD-TSN or I-FORWARD-TSN of a packet lists of the messages that it skips: TSNs that were sent and
 * are missing at the receiver. */
typedef struct {
    bool is_compared;       /* all that it lists was captured, and its TSNs are known */
    bool has_listed;        /* a TSN is of a stream that is listed, and no RE-CONFIG may have reset that */
    bool lacks_stream;      /* tsn is of a stream that is not listed */
    bool lacks_sequence;    /* tsn has a higher SSN or MID than is listed for its stream */
    int64_t tsn;            /* the first that is not listed as it must be, relative */
    uint32_t listed;        /* the highest SSN or MID that is listed for its stream */
    bool is_surely_missing; /* the TSN, whatever SACKs the capture missed */
} sctpa_skipped_t;

/* How the first data of an endpoint looks (chapters/data_sender.c), with the packet. */
typedef struct {
    bool ends_chunks, ends_messages; /* the packet holds the last of its first chunks, of its first messages */
    uint8_t immediate, reversed, foreign, unspecified; /* chunks with the I bit; messages by their PPID */
    uint32_t ppid;                                     /* of the last of these messages in the packet */
} sctpa_beginning_t;

/* The window of the peer that new data leaves into (chapters/data_sender.c). */
typedef struct {
    uint32_t a_rwnd_bytes, packet; /* the largest that the sender may go by, and the packet of its SACK */
    uint32_t new_bytes;            /* user bytes of the packet that leave for the first time */
    bool is_beyond;                /* more is outstanding, by more than an overshoot or a probe of a closed window */
    bool was_beyond;               /* so it was with an earlier packet, and no SACK came since */
} sctpa_usable_window_t;

#endif
