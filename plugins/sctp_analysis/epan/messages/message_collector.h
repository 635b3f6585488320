/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the messages of a capture while it is dissected, once for all reports that look at the same packets; finds
 * them in what Wireshark's dissectors made of a frame, by the fields of the protocols of applications.def. Leaves
 * what they mean to report/messages. */
#ifndef SCTPA_EPAN_MESSAGE_COLLECTOR_H
#define SCTPA_EPAN_MESSAGE_COLLECTOR_H

#include <glib.h>

#include "report/messages/messages.h"
#include <epan/epan_dissect.h>
#include "../dissector/tap_sctp_analysis.h"
#include <epan/proto.h>
#include <stdbool.h>
#include <stdint.h>

/* From now on collects messages of the packets that filter selects (NULL: all); nothing when it does so already. From
 * then on Wireshark's dissectors fill their trees for each packet. Returns an error to be freed, NULL when all is well.
 * O(fields of the table). */
GString *sctpa_message_collector_start(const char *filter);
/* Stops collecting for filter, and forgets what it holds. */
void sctpa_message_collector_stop(const char *filter);
/* What was collected for filter so far, NULL: nothing is. O(filters). */
const sctpa_messages_t *sctpa_message_collector_messages(const char *filter);

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

/* The code, in applications.def, of the Service request of EPS: it has a security header of its own and no message type
 * (TS 24.301 9.3.1). */
enum { SCTPA_NAS_EPS_SERVICE_REQUEST = 0x100 };

/* Whether a message asks or answers: REQUEST as initiatingMessage, ANSWER as an outcome. */
typedef enum { SCTPA_SENSE_ANY, SCTPA_SENSE_REQUEST, SCTPA_SENSE_ANSWER } sctpa_sense_t;

typedef struct {
    unsigned application;
    sctpa_field_role_t role;
    unsigned row; /* number of the field, the same for all that share its name */
} sctpa_message_field_t;

/* Is an event trouble? IF_BAD: when its outcome, result or status says so. */
typedef enum { SCTPA_TROUBLE_NO, SCTPA_TROUBLE_IF_BAD, SCTPA_TROUBLE_YES } sctpa_event_trouble_t;

#endif
