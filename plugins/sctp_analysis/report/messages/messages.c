/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts messages by association, direction and name, and pairs requests with repeats and answers: requests that wait
 * stand in chains by association and first id, and in a queue by age; at most SCTPA_MESSAGE_OPEN_MAX, of one id
 * SCTPA_MESSAGE_OPEN_OF_ID_MAX, the oldest give way. */
#include "messages.h"

#include <string.h>

#include "sctpa.h"

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

/* given_up is called with each request that gives way to others. */
static sctpa_open_requests_t *open_requests_new(void (*given_up)(void *user, const sctpa_open_request_t *request),
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

static void open_requests_free(sctpa_open_requests_t *requests)
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

static void open_requests_remove(sctpa_open_requests_t *requests, sctpa_open_request_t *request)
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

static void request_give_up(sctpa_open_requests_t *requests, sctpa_open_request_t *request)
{
    requests->given_up(requests->user, request);
    open_requests_remove(requests, request);
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
        request_give_up(requests, oldest_of(chain));
    if (requests->by_age.length >= SCTPA_MESSAGE_OPEN_MAX)
        request_give_up(requests, requests->by_age.head->data);
}

/* A new request of that message, in which row, bytes, frames and times are to be filled in. O(requests of its first
 * id). */
static sctpa_open_request_t *open_requests_add(sctpa_open_requests_t *requests, const sctpa_message_place_t *place,
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

/* The oldest request of a procedure that from sent and whose ids fit those of message; *n how many there are. NULL:
 * none. O(ids * requests of each). */
static sctpa_open_request_t *open_requests_find(const sctpa_open_requests_t *requests,
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

/* Removes the requests that have an id of message and that matches says yes to; each is called with it before. O(ids *
 * requests of each). */
static void open_requests_remove_of_ids(sctpa_open_requests_t *requests, const sctpa_message_place_t *place,
                                        const sctpa_message_t *message,
                                        bool (*matches)(void *user, const sctpa_open_request_t *request), void *user)
{
    for (unsigned i = 0; i < message->n_ids; i++) {
        chain_t *chain = find_chain(requests, place->assoc, &message->ids[i]);
        for (sctpa_open_request_t *at = chain ? chain->newest : NULL; at != NULL;) {
            sctpa_open_request_t *next = at->next;
            if (matches(user, at))
                open_requests_remove(requests, at);
            at = next;
        }
    }
}

/* Requests, the oldest first: sctpa_open_request_t. */
static const GList *open_requests_oldest(const sctpa_open_requests_t *requests)
{
    return requests->by_age.head;
}

typedef struct sctpa_message_index {
    GHashTable *names; /* name_key_t to 1 + index in names */
    GHashTable *rows;  /* sctpa_message_key_t to 1 + index in rows */
    GStringChunk *texts;
    sctpa_open_requests_t *open;
} index_t;

const char *sctpa_message_kind_word(sctpa_message_kind_t kind)
{
    static const char *const words[SCTPA_MESSAGE_KINDS] = {
        [SCTPA_MESSAGE_NAMED] = "named",           [SCTPA_MESSAGE_PROTECTED] = "protected_by_dtls",
        [SCTPA_MESSAGE_NAMELESS] = "without_name", [SCTPA_MESSAGE_INCOMPLETE] = "incomplete",
        [SCTPA_MESSAGE_INNER] = "inside_another",  [SCTPA_MESSAGE_CIPHERED] = "ciphered",
    };
    return words[kind];
}

static guint hash_of_name(gconstpointer key)
{
    const sctpa_message_name_t *name = key;
    return g_str_hash(name->name) * 31u + g_str_hash(name->protocol) * 7u + name->kind;
}

static gboolean names_are_equal(gconstpointer a, gconstpointer b)
{
    const sctpa_message_name_t *x = a, *y = b;
    return x->kind == y->kind && strcmp(x->name, y->name) == 0 && strcmp(x->protocol, y->protocol) == 0;
}

guint sctpa_message_key_hash(gconstpointer key)
{
    const sctpa_message_key_t *row = key;
    return (row->assoc * 2u + row->from) * 2654435761u ^ row->name * 40503u;
}

static sctpa_message_row_t *row_at(const sctpa_messages_t *messages, uint32_t row)
{
    return &g_array_index(messages->rows, sctpa_message_row_t, row);
}

static void give_up(void *user, const sctpa_open_request_t *request)
{
    (void)request;
    ((sctpa_messages_t *)user)->forgotten++;
}

static void make_index(sctpa_messages_t *messages)
{
    index_t *index = messages->index;
    index->names = g_hash_table_new_full(hash_of_name, names_are_equal, g_free, NULL);
    index->rows = g_hash_table_new_full(sctpa_message_key_hash, sctpa_message_key_equal, g_free, NULL);
    index->texts = g_string_chunk_new(4096);
    index->open = open_requests_new(give_up, messages);
}

static void free_index(index_t *index)
{
    g_hash_table_destroy(index->names);
    g_hash_table_destroy(index->rows);
    g_string_chunk_free(index->texts);
    open_requests_free(index->open);
}

sctpa_messages_t *sctpa_messages_new(void)
{
    sctpa_messages_t *messages = g_new0(sctpa_messages_t, 1);
    messages->names = g_array_new(FALSE, FALSE, sizeof(sctpa_message_name_t));
    messages->rows = g_array_new(FALSE, FALSE, sizeof(sctpa_message_row_t));
    messages->samples = g_array_new(FALSE, FALSE, sizeof(sctpa_message_sample_t));
    messages->records = g_array_new(FALSE, FALSE, sizeof(sctpa_message_record_t));
    messages->events = g_array_new(FALSE, FALSE, sizeof(sctpa_message_event_t));
    messages->index = g_new0(index_t, 1);
    make_index(messages);
    return messages;
}

void sctpa_messages_free(sctpa_messages_t *messages)
{
    g_array_unref(messages->names);
    g_array_unref(messages->rows);
    g_array_unref(messages->samples);
    g_array_unref(messages->records);
    g_array_unref(messages->events);
    free_index(messages->index);
    g_free(messages->index);
    g_free(messages);
}

void sctpa_messages_reset(sctpa_messages_t *messages)
{
    g_array_set_size(messages->names, 0);
    g_array_set_size(messages->rows, 0);
    g_array_set_size(messages->samples, 0);
    g_array_set_size(messages->records, 0);
    g_array_set_size(messages->events, 0);
    free_index(messages->index);
    make_index(messages);
    memset(messages->kinds, 0, sizeof messages->kinds);
    messages->left_out = messages->forgotten = messages->events_missed = 0;
}

/* 1 + index of a name, made when it is new; 0: there are too many. */
static uint32_t number_of_name(sctpa_messages_t *messages, const char *protocol, const char *name,
                               sctpa_message_kind_t kind)
{
    index_t *index = messages->index;
    sctpa_message_name_t sought = { protocol, name, kind };
    uint32_t number = GPOINTER_TO_UINT(g_hash_table_lookup(index->names, &sought));
    if (number > 0 || messages->names->len >= SCTPA_MESSAGE_NAMES_MAX)
        return number;
    sctpa_message_name_t *made = g_new(sctpa_message_name_t, 1);
    *made = (sctpa_message_name_t){ g_string_chunk_insert_const(index->texts, protocol),
                                    g_string_chunk_insert_const(index->texts, name), kind };
    g_array_append_val(messages->names, *made);
    g_hash_table_insert(index->names, made, GUINT_TO_POINTER(messages->names->len));
    return messages->names->len;
}

/* 1 + index of a row, made when it is new; 0: there are too many. */
static uint32_t number_of_row(sctpa_messages_t *messages, const sctpa_message_place_t *place, uint32_t name)
{
    sctpa_message_key_t sought = { place->assoc, place->from, name };
    uint32_t number = GPOINTER_TO_UINT(g_hash_table_lookup(messages->index->rows, &sought));
    if (name == 0 || number > 0 || messages->rows->len >= SCTPA_MESSAGE_ROWS_MAX)
        return name == 0 ? 0 : number;
    sctpa_message_row_t row = { .name = name - 1, .packet = place->packet };
    g_array_append_val(messages->rows, row);
    g_hash_table_insert(messages->index->rows, g_memdup2(&sought, sizeof sought),
                        GUINT_TO_POINTER(messages->rows->len));
    return messages->rows->len;
}

static void add_sample(sctpa_messages_t *messages, uint32_t row, uint32_t frame, sctpa_message_sample_kind_t kind,
                       int64_t ns)
{
    sctpa_message_sample_t sample = { row, frame, kind, MAX(ns, 0) };
    g_array_append_val(messages->samples, sample);
}

static void take_answer(sctpa_messages_t *messages, const sctpa_message_place_t *place, const sctpa_message_t *message)
{
    unsigned n;
    sctpa_open_request_t *request =
        open_requests_find(messages->index->open, place, message, message->answers, !place->from, &n);
    if (request == NULL)
        return;
    sctpa_message_row_t *row = row_at(messages, request->row);
    bool is_ambiguous = n > 1 || request->sends > 1;
    row->answered++;
    row->ambiguous += request->is_timed && is_ambiguous;
    if (request->is_timed && !is_ambiguous)
        add_sample(messages, request->row, request->first_frame, SCTPA_MESSAGE_ANSWER_TIME,
                   place->time_ns - request->first_ns);
    open_requests_remove(messages->index->open, request);
}

/* Without an id, messages of other length are others. */
static bool is_the_same(const sctpa_open_request_t *request, const sctpa_message_place_t *place,
                        const sctpa_message_t *message)
{
    return message->has_ids || request->bytes == place->bytes;
}

static void take_request(sctpa_messages_t *messages, const sctpa_message_place_t *place, const sctpa_message_t *message,
                         uint32_t row)
{
    unsigned n;
    sctpa_open_request_t *request = NULL;
    if (!message->is_keep_alive)
        request = open_requests_find(messages->index->open, place, message, message->asks, place->from, &n);
    if (request != NULL && is_the_same(request, place, message)) {
        add_sample(messages, row, place->frame, SCTPA_MESSAGE_REPEAT_INTERVAL, place->time_ns - request->last_ns);
        row_at(messages, row)->repeats++;
    } else {
        row_at(messages, row)->repeats += message->is_marked_repeat;
        request = open_requests_add(messages->index->open, place, message);
        request->row = row;
        request->first_ns = place->time_ns;
        request->first_frame = place->frame;
        request->bytes = place->bytes;
    }
    request->last_ns = place->time_ns;
    request->transaction = message->transaction;
    request->sends += 1 + message->is_marked_repeat;
}

typedef struct {
    sctpa_messages_t *messages;
    const sctpa_message_place_t *place;
    const sctpa_message_t *message;
} closing_t;

static bool may_be_answered(void *user, const sctpa_open_request_t *request)
{
    const closing_t *closing = user;
    bool may_be = request->from != closing->place->from && request->procedure >> 24 == closing->message->may_answer;
    row_at(closing->messages, request->row)->answered += may_be;
    return may_be;
}

static bool stays_unanswered(void *user, const sctpa_open_request_t *request)
{
    const closing_t *closing = user;
    row_at(closing->messages, request->row)->unanswered++;
    return true;
}

static void close_requests(sctpa_messages_t *messages, const sctpa_message_place_t *place,
                           const sctpa_message_t *message)
{
    closing_t closing = { messages, place, message };
    if (message->may_answer != 0)
        open_requests_remove_of_ids(messages->index->open, place, message, may_be_answered, &closing);
    if (message->ends_ids)
        open_requests_remove_of_ids(messages->index->open, place, message, stays_unanswered, &closing);
}

static void count(sctpa_messages_t *messages, const sctpa_message_place_t *place, uint32_t row)
{
    sctpa_message_record_t record = { row, place->packet, place->tsn };
    row_at(messages, row)->count++;
    row_at(messages, row)->bytes += place->bytes;
    g_array_append_val(messages->records, record);
}

void sctpa_messages_add(sctpa_messages_t *messages, const sctpa_message_place_t *place, const sctpa_message_t *message)
{
    uint32_t name = number_of_name(messages, message->protocol, message->name, message->kind);
    uint32_t row = number_of_row(messages, place, name);
    messages->kinds[message->kind]++;
    if (message->answers != 0)
        take_answer(messages, place, message);
    close_requests(messages, place, message);
    if (row == 0) {
        messages->left_out++;
        return;
    }
    count(messages, place, row - 1);
    if (message->asks != 0)
        take_request(messages, place, message, row - 1);
}

void sctpa_messages_complete(sctpa_messages_t *messages, const sctpa_message_place_t *place, const char *protocol,
                             const char *name)
{
    uint32_t number = number_of_name(messages, protocol, name, SCTPA_MESSAGE_INCOMPLETE);
    uint32_t row = number_of_row(messages, place, number);
    if (row == 0 || row_at(messages, row - 1)->count == 0)
        return;
    row_at(messages, row - 1)->count--;
    messages->kinds[SCTPA_MESSAGE_INCOMPLETE]--;
}

void sctpa_messages_event(sctpa_messages_t *messages, const sctpa_message_place_t *place, const char *text,
                          bool is_trouble)
{
    if (messages->events->len >= SCTPA_MESSAGE_EVENTS_MAX) {
        messages->events_missed++;
        return;
    }
    sctpa_message_event_t event = { place->packet, place->frame, place->time_ns,
                                    g_string_chunk_insert_const(messages->index->texts, text), is_trouble };
    g_array_append_val(messages->events, event);
}

void sctpa_messages_each_open(const sctpa_messages_t *messages,
                              void (*each)(void *user, const sctpa_message_open_t *open), void *user)
{
    for (const GList *at = open_requests_oldest(messages->index->open); at != NULL; at = at->next) {
        const sctpa_open_request_t *request = at->data;
        sctpa_message_open_t open = { request->row, request->first_frame, request->first_ns, request->is_keep_alive };
        each(user, &open);
    }
}
