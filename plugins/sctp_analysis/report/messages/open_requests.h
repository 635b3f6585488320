/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests that wait for their answer, found by association and id. At most SCTPA_MESSAGE_OPEN_MAX, of one id
 * SCTPA_MESSAGE_OPEN_OF_ID_MAX; the oldest give way. */
#ifndef SCTPA_REPORT_OPEN_REQUESTS_H
#define SCTPA_REPORT_OPEN_REQUESTS_H

#include "messages.h"

/* A request: about 150 bytes with what leads to it. */
typedef struct sctpa_open_request {
    struct sctpa_open_request *next; /* of the same id, newest first */
    struct sctpa_open_chain *chain;
    GList age; /* in order of first transmission */
    uint32_t procedure, transaction, row;
    uint32_t bytes, first_frame, sends; /* sends counts transmissions, with those that a repeat says there were */
    int64_t first_ns, last_ns;
    unsigned n_ids;
    sctpa_message_id_t ids[SCTPA_MESSAGE_IDS_MAX];
    uint8_t from;
    bool is_timed, is_keep_alive;
} sctpa_open_request_t;

typedef struct sctpa_open_requests sctpa_open_requests_t;

/* given_up is called with each request that gives way to others. */
sctpa_open_requests_t *sctpa_open_requests_new(void (*given_up)(void *user, const sctpa_open_request_t *request),
                                               void *user);
void sctpa_open_requests_free(sctpa_open_requests_t *requests);

/* A new request of that message, in which row, bytes, frames and times are to be filled in. O(requests of its first
 * id). */
sctpa_open_request_t *sctpa_open_requests_add(sctpa_open_requests_t *requests, const sctpa_message_place_t *place,
                                              const sctpa_message_t *message);
void sctpa_open_requests_remove(sctpa_open_requests_t *requests, sctpa_open_request_t *request);

/* The oldest request of a procedure that from sent and whose ids fit those of message; *n how many there are. NULL:
 * none. O(ids * requests of each). */
sctpa_open_request_t *sctpa_open_requests_find(const sctpa_open_requests_t *requests,
                                               const sctpa_message_place_t *place, const sctpa_message_t *message,
                                               uint32_t procedure, uint8_t from, unsigned *n);
/* Removes the requests that have an id of message and that matches says yes to; each is called with it before. O(ids *
 * requests of each). */
void sctpa_open_requests_remove_of_ids(sctpa_open_requests_t *requests, const sctpa_message_place_t *place,
                                       const sctpa_message_t *message,
                                       bool (*matches)(void *user, const sctpa_open_request_t *request), void *user);
/* Requests, the oldest first: sctpa_open_request_t. */
const GList *sctpa_open_requests_oldest(const sctpa_open_requests_t *requests);

#endif
