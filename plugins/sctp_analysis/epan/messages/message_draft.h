/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A message while its fields are being collected, and what becomes of it: its name, what it asks or answers, whether it
 * is an event. Leaves finding the fields to message_tree.c. */
#ifndef SCTPA_EPAN_MESSAGE_DRAFT_H
#define SCTPA_EPAN_MESSAGE_DRAFT_H

#include "report/messages/messages.h"
#include "applications.h"

enum { SCTPA_DRAFT_DETAILS_MAX = 3 };

/* Fields that were found have a pointer; of each the first counts. */
typedef struct {
    unsigned application;
    uint32_t stream;
    const field_info *code, *choice, *session_code, *security;
    const field_info *details[SCTPA_DRAFT_DETAILS_MAX];
    uint32_t class, flags, transaction, status_type, result;
    const char *status;
    unsigned n_details, n_ids;
    sctpa_message_id_t ids[SCTPA_MESSAGE_IDS_MAX];
} sctpa_message_draft_t;

/* Takes a field of the message. O(ids), and for a status O(statuses). */
void sctpa_message_draft_take(sctpa_message_draft_t *draft, const sctpa_message_field_t *row, const field_info *field);

/* Fills message, with its name in text, which must live as long. outer: the message that it stands in, which has the
 * ids; NULL: it stands in none. O(rows of applications.def). */
void sctpa_message_draft_finish(const sctpa_message_draft_t *draft, const sctpa_message_draft_t *outer,
                                sctpa_message_t *message, GString *text);

/* Appends what the message says as an event of its application; false: it is none. is_trouble: somebody should look.
 */
bool sctpa_message_draft_event(const sctpa_message_draft_t *draft, const sctpa_message_t *message, GString *text,
                               bool *is_trouble);

#endif
