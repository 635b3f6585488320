/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parameters of the protocol, one table: what the RFCs recommend, and as what an endpoint was seen to use
 * (measure/learned) is known. Leaves out what this plugin chose for itself: tolerances stand where they are used. */
#ifndef SCTPA_WIRE_PROTOCOL_PARAMETERS_H
#define SCTPA_WIRE_PROTOCOL_PARAMETERS_H

#include "base/time.h"

typedef enum {
#define SCTPA_PARAMETER_ROW(name, word, rfc_name, unit, value, clause) SCTPA_PARAMETER_##name,
#include "protocol_parameters.def"
#undef SCTPA_PARAMETER_ROW
    SCTPA_PARAMETERS
} sctpa_parameter_t;

/* What the RFC recommends, in the unit of the row: SCTPA_RFC_PATH_MAX_RETRANS is 5. */
enum {
#define SCTPA_PARAMETER_ROW(name, word, rfc_name, unit, value, clause) SCTPA_RFC_##name = (value),
#include "protocol_parameters.def"
#undef SCTPA_PARAMETER_ROW
};

#define SCTPA_RTO_INITIAL_NS (SCTPA_RFC_RTO_INITIAL * SCTPA_NS_PER_MS)
#define SCTPA_RTO_MIN_NS (SCTPA_RFC_RTO_MIN * SCTPA_NS_PER_MS)
#define SCTPA_RTO_MAX_NS (SCTPA_RFC_RTO_MAX * SCTPA_NS_PER_MS)
/* An acknowledgement "SHOULD be generated within 200 ms of the arrival of any unacknowledged DATA chunk" (6.2). */
#define SCTPA_SACK_DELAY_NS (SCTPA_RFC_SACK_DELAY * SCTPA_NS_PER_MS)
/* SACK.Delay MUST NOT be configured to be more than that (6.2). */
#define SCTPA_SACK_DELAY_MOST_NS (500 * SCTPA_NS_PER_MS)

/* The counter of errors "exceeds" its parameter: of a path that becomes inactive (8.2), of a peer that is unreachable
 * (8.1). */
enum {
    SCTPA_ERRORS_PATH_INACTIVE = SCTPA_RFC_PATH_MAX_RETRANS + 1,
    SCTPA_ERRORS_PEER_UNREACHABLE = SCTPA_RFC_ASSOCIATION_MAX_RETRANS + 1
};

/* RTO.Initial of RFC 4960 15: what a sender waits at most that has measured nothing. */
#define SCTPA_RTO_INITIAL_4960_NS (3 * SCTPA_NS_PER_S)
/* "The initial cwnd before data transmission ... MUST be set to min(4*MTU, max (2*MTU, 4380 bytes))" (RFC 4960 7.2.1).
 */
#define SCTPA_CWND_INITIAL_BYTES 4380

/* MS and S: kept in nanoseconds, shown in milliseconds and seconds. */
typedef enum {
    SCTPA_IN_MS,
    SCTPA_IN_S,
    SCTPA_IN_PACKETS,
    SCTPA_IN_BYTES,
    SCTPA_IN_ERRORS,
    SCTPA_IN_TRUTH,
    SCTPA_IN_COUNT
} sctpa_parameter_unit_t;

typedef struct {
    const char *word; /* of the JSON: "rto_min_ms", NULL: it is not learned */
    const char *rfc_name;
    const char *clause;
    sctpa_parameter_unit_t unit;
} sctpa_parameter_row_t;

/* parameter: below SCTPA_PARAMETERS. Valid for ever. O(1). */
const sctpa_parameter_row_t *sctpa_parameter_row(sctpa_parameter_t parameter);

#endif
