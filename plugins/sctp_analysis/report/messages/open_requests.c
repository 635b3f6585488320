/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the requests that wait for an answer in chains by association and first id, and in a queue by age. */
#include "open_requests.h"

#include <string.h>

#include "sctpa.h"

/* hash: of the rest, which the endpoints choose, with a seed. */
typedef struct {
    uint32_t assoc, kind;
    uint64_t value;
    guint hash;
} chain_key_t;

typedef struct sctpa_open_chain {
    chain_key_t key;
    sctpa_open_request_t *newest;
    unsigned length;
} chain_t;

struct sctpa_open_requests {
    uint64_t seed;
    GHashTable *chains; /* chain_t by itself */
    GQueue by_age;      /* sctpa_open_request_t, the oldest at the head */
    void (*given_up)(void *user, const sctpa_open_request_t *request);
    void *user;
};

static guint hash_of_chain(gconstpointer key)
{
    return ((const chain_key_t *)key)->hash;
}

static gboolean chains_are_equal(gconstpointer a, gconstpointer b)
{
    const chain_key_t *x = a, *y = b;
    return x->assoc == y->assoc && x->kind == y->kind && x->value == y->value;
}

sctpa_open_requests_t *sctpa_open_requests_new(void (*given_up)(void *user, const sctpa_open_request_t *request),
                                               void *user)
{
    sctpa_open_requests_t *requests = g_new0(sctpa_open_requests_t, 1);
    requests->seed = sctpa_hash_seed();
    requests->chains = g_hash_table_new_full(hash_of_chain, chains_are_equal, NULL, g_free);
    g_queue_init(&requests->by_age);
    requests->given_up = given_up;
    requests->user = user;
    return requests;
}

void sctpa_open_requests_free(sctpa_open_requests_t *requests)
{
    for (GList *at = requests->by_age.head; at != NULL;) {
        GList *next = at->next;
        g_free(at->data);
        at = next;
    }
    g_hash_table_destroy(requests->chains);
    g_free(requests);
}

static chain_key_t key_of(const sctpa_open_requests_t *requests, uint32_t assoc, const sctpa_message_id_t *id)
{
    uint64_t hash = sctpa_hash_mix(sctpa_hash_mix(requests->seed, (uint64_t)assoc << 32 | id->kind), id->value);
    return (chain_key_t){ assoc, id->kind, id->value, (guint)(hash >> 32) };
}

static chain_t *find_chain(const sctpa_open_requests_t *requests, uint32_t assoc, const sctpa_message_id_t *id)
{
    chain_key_t key = key_of(requests, assoc, id);
    return g_hash_table_lookup(requests->chains, &key);
}

static chain_t *chain_of(sctpa_open_requests_t *requests, uint32_t assoc, const sctpa_message_id_t *id)
{
    chain_t *chain = find_chain(requests, assoc, id);
    if (chain == NULL) {
        chain = g_new0(chain_t, 1);
        chain->key = key_of(requests, assoc, id);
        g_hash_table_insert(requests->chains, &chain->key, chain);
    }
    return chain;
}

void sctpa_open_requests_remove(sctpa_open_requests_t *requests, sctpa_open_request_t *request)
{
    chain_t *chain = request->chain;
    sctpa_open_request_t **link = &chain->newest;
    while (*link != request)
        link = &(*link)->next;
    *link = request->next;
    g_queue_unlink(&requests->by_age, &request->age);
    if (--chain->length == 0)
        g_hash_table_remove(requests->chains, &chain->key);
    g_free(request);
}

static void give_up(sctpa_open_requests_t *requests, sctpa_open_request_t *request)
{
    requests->given_up(requests->user, request);
    sctpa_open_requests_remove(requests, request);
}

static sctpa_open_request_t *oldest_of(const chain_t *chain)
{
    sctpa_open_request_t *request = chain->newest;
    while (request->next != NULL)
        request = request->next;
    return request;
}

static void make_room(sctpa_open_requests_t *requests, uint32_t assoc, const sctpa_message_id_t *id)
{
    chain_t *chain = find_chain(requests, assoc, id);
    if (chain != NULL && chain->length >= SCTPA_MESSAGE_OPEN_OF_ID_MAX)
        give_up(requests, oldest_of(chain));
    if (requests->by_age.length >= SCTPA_MESSAGE_OPEN_MAX)
        give_up(requests, requests->by_age.head->data);
}

sctpa_open_request_t *sctpa_open_requests_add(sctpa_open_requests_t *requests, const sctpa_message_place_t *place,
                                              const sctpa_message_t *message)
{
    make_room(requests, place->assoc, &message->ids[0]);
    chain_t *chain = chain_of(requests, place->assoc, &message->ids[0]);
    sctpa_open_request_t *request = g_new0(sctpa_open_request_t, 1);
    request->chain = chain;
    request->next = chain->newest;
    chain->newest = request;
    chain->length++;
    request->age.data = request;
    g_queue_push_tail_link(&requests->by_age, &request->age);
    request->procedure = message->asks;
    request->from = place->from;
    request->is_timed = message->is_timed;
    request->is_keep_alive = message->is_keep_alive;
    request->n_ids = message->n_ids;
    memcpy(request->ids, message->ids, sizeof request->ids);
    return request;
}

/* Do both have ids of a kind, but none with the same value? */
static bool differ_in(const sctpa_open_request_t *request, const sctpa_message_t *message, uint32_t kind)
{
    bool message_has_kind = false;
    for (unsigned i = 0; i < message->n_ids; i++) {
        message_has_kind |= message->ids[i].kind == kind;
        for (unsigned j = 0; j < request->n_ids; j++)
            if (message->ids[i].kind == kind && request->ids[j].kind == kind &&
                message->ids[i].value == request->ids[j].value)
                return false;
    }
    return message_has_kind;
}

/* An answer names the transmission that it answers, where requests have transactions; with several, any may be meant.
 */
static bool is_of_transaction(const sctpa_open_request_t *request, const sctpa_message_t *message)
{
    return message->answers != request->procedure || request->transaction == message->transaction || request->sends > 1;
}

static bool fits(const sctpa_open_request_t *request, const sctpa_message_t *message)
{
    if (!is_of_transaction(request, message))
        return false;
    for (unsigned i = 0; i < request->n_ids; i++)
        if (differ_in(request, message, request->ids[i].kind))
            return false;
    return true;
}

sctpa_open_request_t *sctpa_open_requests_find(const sctpa_open_requests_t *requests,
                                               const sctpa_message_place_t *place, const sctpa_message_t *message,
                                               uint32_t procedure, uint8_t from, unsigned *n)
{
    sctpa_open_request_t *oldest = NULL;
    *n = 0;
    for (unsigned i = 0; i < message->n_ids && oldest == NULL; i++) {
        chain_t *chain = find_chain(requests, place->assoc, &message->ids[i]);
        for (sctpa_open_request_t *at = chain ? chain->newest : NULL; at != NULL; at = at->next)
            if (at->procedure == procedure && at->from == from && fits(at, message)) {
                oldest = at;
                ++*n;
            }
    }
    return oldest;
}

void sctpa_open_requests_remove_of_ids(sctpa_open_requests_t *requests, const sctpa_message_place_t *place,
                                       const sctpa_message_t *message,
                                       bool (*matches)(void *user, const sctpa_open_request_t *request), void *user)
{
    for (unsigned i = 0; i < message->n_ids; i++) {
        chain_t *chain = find_chain(requests, place->assoc, &message->ids[i]);
        for (sctpa_open_request_t *at = chain ? chain->newest : NULL; at != NULL;) {
            sctpa_open_request_t *next = at->next;
            if (matches(user, at))
                sctpa_open_requests_remove(requests, at);
            at = next;
        }
    }
}

const GList *sctpa_open_requests_oldest(const sctpa_open_requests_t *requests)
{
    return requests->by_age.head;
}
