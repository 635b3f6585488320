/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of the obligations of endpoints, as results: which, whose, since when, and what settled it. Leaves out
 * how they are followed (obligations.h). */
#ifndef SCTPA_SHARED_OWED_RESULTS_H
#define SCTPA_SHARED_OWED_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
#define SCTPA_OBLIGATION(id, ...) SCTPA_OWED_##id,
#include "obligations.def"
    SCTPA_OBLIGATIONS
} sctpa_obligation_t;

/* What became of an entry; each is told by the packet that settles it. */
typedef enum {
    SCTPA_OWED_FATE_ANSWERED,    /* in time */
    SCTPA_OWED_FATE_LATE,        /* answered, beyond the patience */
    SCTPA_OWED_FATE_PASSED_OVER, /* its debtor answered what came later, or sent another chunk of the same exchange */
    SCTPA_OWED_FATE_MISSING, /* a packet, or the end of the capture, came beyond the patience, and no answer before it
                              */
    SCTPA_OWED_FATE_EXCUSED, /* the association ended or began anew, or it was needed no more */
    SCTPA_OWED_FATE_OPEN,    /* the capture ended before the patience did */
    SCTPA_OWED_FATES
} sctpa_owed_fate_t;

/* An entry that is settled, or stood when the capture ended: 32 bytes. Timers leave none. */
typedef struct {
    uint32_t key;        /* by which results are looked up: the packet that settles it, or the association */
    uint32_t settled_by; /* packet that settles it; SCTPA_NO_PACKET_INDEX: the end of the capture */
    uint32_t since;      /* packet that created it */
    uint8_t what;        /* sctpa_obligation_t */
    uint8_t debtor;      /* endpoint, when it was entered */
    uint8_t fate;        /* sctpa_owed_fate_t */
    int64_t waited_ns;   /* since it was due, of SACKs since the last packet with DATA */
    int64_t patience_ns; /* after which an answer is late */
} sctpa_owed_result_t;

/* Was it neither answered in time nor excused? */
static inline bool sctpa_owed_is_wanting(const sctpa_owed_result_t *owed)
{
    return owed->fate != SCTPA_OWED_FATE_ANSWERED && owed->fate != SCTPA_OWED_FATE_EXCUSED;
}

/* "INIT", "DATA": what created it; "INIT ACK or ABORT", "SACK": what is expected; "answered", "late": what became of
 * it. */
const char *sctpa_obligation_request(sctpa_obligation_t what);
const char *sctpa_obligation_expected(sctpa_obligation_t what);
const char *sctpa_owed_fate_word(sctpa_owed_fate_t fate);

#endif
