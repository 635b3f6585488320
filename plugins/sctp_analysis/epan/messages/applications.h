/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The protocols of applications.def: which of Wireshark's fields are theirs, and what their message codes mean.
 * Leaves finding the fields of a packet to message_tree.c. */
#ifndef SCTPA_EPAN_APPLICATIONS_H
#define SCTPA_EPAN_APPLICATIONS_H

#include <epan/proto.h>

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    SCTPA_APPLICATION_FRAGMENTS, /* SCTP itself */
    SCTPA_APPLICATION_PROCEDURES,
    SCTPA_APPLICATION_ADAPTATION,
    SCTPA_APPLICATION_COMMANDS,
    SCTPA_APPLICATION_TYPES,
    SCTPA_APPLICATION_NAS,
    SCTPA_APPLICATION_PROTECTED
} sctpa_application_kind_t;

/* What a field says of its message; NODE: it is the protocol, its message begins. */
typedef enum {
    SCTPA_FIELD_NODE,
    SCTPA_FIELD_CODE,
    SCTPA_FIELD_CLASS, /* upper bits of the code */
    SCTPA_FIELD_CHOICE,
    SCTPA_FIELD_FLAGS,
    SCTPA_FIELD_ID,
    SCTPA_FIELD_TRANSACTION,
    SCTPA_FIELD_SECURITY,
    SCTPA_FIELD_SESSION_CODE, /* of the session management message inside */
    SCTPA_FIELD_STATUS_TYPE,
    SCTPA_FIELD_STATUS,
    SCTPA_FIELD_DETAIL,
    SCTPA_FIELD_RESULT,    /* a detail, 3000 or more: it failed (RFC 6733 7.1) */
    SCTPA_FIELD_FRAGMENTS, /* the last fragment of a message lies where this begins */
    SCTPA_FIELD_FRAGMENT   /* lies in the reassembled message */
} sctpa_field_role_t;

/* Whether a message asks or answers: REQUEST as initiatingMessage, ANSWER as an outcome. */
typedef enum { SCTPA_SENSE_ANY, SCTPA_SENSE_REQUEST, SCTPA_SENSE_ANSWER } sctpa_sense_t;

typedef struct {
    unsigned application;
    sctpa_field_role_t role;
    unsigned row; /* number of the field, the same for all that share its name */
} sctpa_message_field_t;

/* Is an event trouble? IF_BAD: when its outcome, result or status says so. */
typedef enum { SCTPA_TROUBLE_NO, SCTPA_TROUBLE_IF_BAD, SCTPA_TROUBLE_YES } sctpa_event_trouble_t;

/* Looks the fields up, once; call when all protocols are registered. O(rows). */
void sctpa_applications_prepare(void);

/* What a field of Wireshark is here, NULL: nothing. O(1). */
const sctpa_message_field_t *sctpa_applications_field(int hf_id);

/* Appends a display filter that is true for all SCTP packets that filter selects (NULL: all), and names every field of
 * the table that this Wireshark has, so that its dissectors fill them. */
void sctpa_applications_filter(GString *out, const char *filter);

sctpa_application_kind_t sctpa_application_kind(unsigned application);
/* "NGAP", as Wireshark has it. */
const char *sctpa_application_title(unsigned application);

/* Do messages of a stream belong together? */
bool sctpa_application_is_by_stream(unsigned application);

/* Of class 1: has the procedure an outcome, by Wireshark's tables of dissectors? O(1). */
bool sctpa_application_has_outcome(unsigned application, uint32_t code);
/* The code of the request that code answers, 0 none; is code a request? O(rows). */
uint32_t sctpa_application_answers(unsigned application, uint32_t code);
bool sctpa_application_is_request(unsigned application, uint32_t code);
bool sctpa_application_is_keep_alive(unsigned application, uint32_t code);
bool sctpa_application_is_release(unsigned application, uint32_t code);
/* Words in front of an event's name, perhaps "", NULL: it is no event; whether it is trouble. O(rows). */
const char *sctpa_application_event(unsigned application, uint32_t code, sctpa_sense_t when,
                                    sctpa_event_trouble_t *trouble);
/* "ASPUP", NULL: no such message. "AS-ACTIVE", NULL: no such status. O(rows). */
const char *sctpa_adaptation_name(uint32_t code);
const char *sctpa_adaptation_status(uint32_t type, uint32_t information);

#endif
