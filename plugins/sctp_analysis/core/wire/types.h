/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of SCTP: chunks, parameters, error causes, their fields, the values that have names, Payload Protocol
 * Identifiers, and the protocol parameters of RFC 9260 16. Everything here is expanded from chunks.def, params.def,
 * causes.def, fields.def, values.def, ppids.def and protocol_parameters.def; there is no second list. Leaves reading
 * bytes to chunk.h and walk.h. */
#ifndef SCTPA_WIRE_TYPES_H
#define SCTPA_WIRE_TYPES_H

#include <stdbool.h>
#include <stdint.h>
#include "base/numbers.h"

/* The port of SGsAP, whose PPID is 0 (3GPP TS 29.118 7). */
enum { SCTPA_PORT_SGSAP = 29118 };

/* The PPID of messages that open data channels of WebRTC (RFC 8832 8.1). */
enum { SCTPA_PPID_DCEP = 50 };

/* Is it of data channels: of messages that open them, or of user messages in them (RFC 8831 8)? O(1). */
static inline bool sctpa_ppid_is_of_channel(uint32_t ppid)
{
    return ppid >= SCTPA_PPID_DCEP && ppid <= 57 && ppid != 55;
}

/* The name of a registered PPID ("NGAP"); NULL: it is not registered. O(registered PPIDs). */
const char *sctpa_ppid_name(uint32_t ppid);

/* The registered PPID whose bytes ppid has in reverse order: its sender did not convert it (RFC 9260 3.3.1); 0: none.
 * O(registered PPIDs). */
uint32_t sctpa_ppid_reversed(uint32_t ppid);

/* Is the data of a registered PPID protected by DTLS (RFC 6083)? O(registered PPIDs). */
bool sctpa_ppid_is_over_dtls(uint32_t ppid);

/* What follows the fixed part of a chunk, parameter or cause. */
typedef enum {
    SCTPA_BODY_NONE,     /* nothing; a rest is a length problem */
    SCTPA_BODY_BYTES,    /* opaque bytes, one field */
    SCTPA_BODY_STRING,   /* text, one field */
    SCTPA_BODY_LIST,     /* array of one integer field */
    SCTPA_BODY_RECORDS,  /* array of records of several fields (FORWARD-TSN streams) */
    SCTPA_BODY_SACK,     /* gap blocks and duplicate TSNs counted in the fixed part */
    SCTPA_BODY_NR_SACK,  /* gap blocks, nr gap blocks, duplicates */
    SCTPA_BODY_PARAMS,   /* parameters */
    SCTPA_BODY_CAUSES,   /* error causes */
    SCTPA_BODY_CHUNK,    /* one chunk (cause Unrecognized Chunk Type, ...) */
    SCTPA_BODY_PACKET,   /* an SCTP packet, perhaps cut (PKTDROP) */
    SCTPA_BODY_USER_DATA /* payload of DATA and I-DATA, one bytes field */
} sctpa_body_t;

typedef enum { SCTPA_TLV_CHUNK, SCTPA_TLV_PARAM, SCTPA_TLV_CAUSE } sctpa_tlv_kind_t;

/* Chunk types by name, SCTPA_CHUNK_SACK and so on, with the values on the wire. */
enum {
#define SCTPA_CHUNK(id, value, ...) SCTPA_CHUNK_##id = value,
#include "chunks.def"
};
enum {
#define SCTPA_PARAM(id, value, ...) SCTPA_PARAM_##id = value,
#include "params.def"
};
enum {
#define SCTPA_CAUSE(id, value, ...) SCTPA_CAUSE_##id = value,
#include "causes.def"
};

/* Dense row numbers of the chunk table, for counters; SCTPA_CHUNK_ROW_OTHER stands for every type without a row. */
enum {
#define SCTPA_CHUNK(id, ...) SCTPA_CHUNK_ROW_##id,
#include "chunks.def"
    SCTPA_CHUNK_ROW_OTHER,
    SCTPA_CHUNK_ROWS
};

/* Dense row numbers of the parameter table, for bit sets; SCTPA_PARAM_ROW_OTHER stands for every type without a row. */
enum {
#define SCTPA_PARAM(id, ...) SCTPA_PARAM_ROW_##id,
#include "params.def"
    SCTPA_PARAM_ROW_OTHER,
    SCTPA_PARAM_ROWS
};

/* Every leaf field and every subtree, SCTPA_F_SACK_CUM_TSN and so on. */
typedef enum {
#define SCTPA_FIELD(id, ...) SCTPA_F_##id,
#include "fields.def"
    SCTPA_FIELDS,
    SCTPA_F_NONE = SCTPA_FIELDS
} sctpa_field_id_t;

/* owner_kind and owner_type of framing fields and groups. */
enum { SCTPA_OWNER_FRAME = -1, SCTPA_FRAME_NONE = -1 };

typedef enum {
    SCTPA_TYPE_GROUP, /* a subtree, no value */
    SCTPA_TYPE_U8,
    SCTPA_TYPE_U16,
    SCTPA_TYPE_U32,
    SCTPA_TYPE_BOOL, /* one bit of the byte(s), by mask */
    SCTPA_TYPE_BYTES,
    SCTPA_TYPE_STRING,
    SCTPA_TYPE_IPV4,
    SCTPA_TYPE_IPV6
} sctpa_type_t;
typedef enum { SCTPA_SHOW_NONE, SCTPA_SHOW_DEC, SCTPA_SHOW_HEX } sctpa_show_t;

/* Tables of named values; the rows stand in values.def and ppids.def, chunk, parameter and cause names come from their
 * own tables. */
typedef enum {
    SCTPA_VALUES_NONE,
    SCTPA_VALUES_CHUNK_TYPE,
    SCTPA_VALUES_PARAM_TYPE,
    SCTPA_VALUES_CAUSE_CODE,
    SCTPA_VALUES_HMAC,
    SCTPA_VALUES_RECONFIG_RESULT,
    SCTPA_VALUES_ADDRESS_TYPE,
    SCTPA_VALUES_EDMID,
    SCTPA_VALUES_PPID
} sctpa_values_t;

/* One row of fields.def. */
typedef struct {
    const char *abbrev; /* below "sctp.analysis.chunk", e.g. "sack.cum_tsn" */
    const char *name;   /* as shown in the tree */
    sctpa_type_t type;
    sctpa_show_t show;
    uint32_t mask;      /* 0: the whole field */
    int16_t owner_kind; /* sctpa_tlv_kind_t, or -1: framing and groups */
    int32_t owner_type; /* type value of the owner */
    int16_t at;         /* byte offset from the start of the owner, -1: in its body */
    uint16_t size;      /* bytes, 0: variable */
    sctpa_values_t values;
} sctpa_field_t;

/* One row of chunks.def, params.def or causes.def. */
typedef struct {
    uint32_t type;
    const char *word;     /* with underscores, as the public interface has it: INIT_ACK */
    const char *title;    /* for people: "Supported Extensions" */
    uint16_t fixed_bytes; /* header and fixed fields: the least length */
    uint16_t unit_bytes;  /* length of one entry of the body, 0: any; (length - fixed) % unit == 0 */
    sctpa_body_t body;
    sctpa_field_id_t body_field; /* the field, or the first field of a record */
    const char *clause;          /* "RFC 9260 3.3.4" */
} sctpa_tlv_type_t;

/* Where a fixed field stands: the columns of fields.def that reading it needs, visible here so that reading a field
 * whose id is a constant compiles to one load. */
typedef struct {
    int16_t at;
    uint16_t size;
    uint32_t mask;
} sctpa_place_t;

static const sctpa_place_t sctpa_places[SCTPA_FIELDS] = {
#define SCTPA_FIELD(id, abbrev, name, type, show, mask, owner_kind, owner_type, at, size, values) { at, size, mask },
#include "fields.def"
};

/* The row of a field; field < SCTPA_FIELDS. O(1). */
const sctpa_field_t *sctpa_field(sctpa_field_id_t field);

/* The row of a type, or NULL when it has none. O(1) for chunks, O(log n) for parameters and causes. */
const sctpa_tlv_type_t *sctpa_tlv_type(sctpa_tlv_kind_t kind, uint32_t type);

/* The first of the fields of a type, which are consecutive; *count of them. SCTPA_F_NONE and 0 when it has none. O(log
 * n). */
sctpa_field_id_t sctpa_fields_of(sctpa_tlv_kind_t kind, uint32_t type, unsigned *count);

/* Row number 0 .. SCTPA_CHUNK_ROWS-1 of a chunk type, for counters. O(1). */
unsigned sctpa_chunk_row(uint8_t type);

/* The public word of a chunk row ("INIT_ACK"); "OTHER" for SCTPA_CHUNK_ROW_OTHER. */
const char *sctpa_chunk_row_word(unsigned row);

/* Row number 0 .. SCTPA_PARAM_ROWS-1 of a parameter type. */
unsigned sctpa_param_row(uint32_t type);

/* The public word of a parameter row ("FORWARD_TSN_SUPPORTED"); "OTHER" for SCTPA_PARAM_ROW_OTHER. */
const char *sctpa_param_row_word(unsigned row);

/* The name of a value in a table, or NULL. */
const char *sctpa_value_name(sctpa_values_t values, uint32_t value);

/* Calls each with every (value, name) of a table, in ascending order of value. */
void sctpa_values_each(sctpa_values_t values, void (*each)(void *user, uint32_t value, const char *name), void *user);

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

/* RFC 9260 3.3.2: "MUST NOT be smaller than 1500" */
#define SCTPA_A_RWND_LEAST_BYTES 1500

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
