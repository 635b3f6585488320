/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts messages by association, direction and name, and pairs requests with repeats and answers. */
#include "messages.h"

#include <string.h>

#include "open_requests.h"

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

gboolean sctpa_message_key_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(sctpa_message_key_t)) == 0;
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
    index->open = sctpa_open_requests_new(give_up, messages);
}

static void free_index(index_t *index)
{
    g_hash_table_destroy(index->names);
    g_hash_table_destroy(index->rows);
    g_string_chunk_free(index->texts);
    sctpa_open_requests_free(index->open);
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
        sctpa_open_requests_find(messages->index->open, place, message, message->answers, !place->from, &n);
    if (request == NULL)
        return;
    sctpa_message_row_t *row = row_at(messages, request->row);
    bool is_ambiguous = n > 1 || request->sends > 1;
    row->answered++;
    row->ambiguous += request->is_timed && is_ambiguous;
    if (request->is_timed && !is_ambiguous)
        add_sample(messages, request->row, request->first_frame, SCTPA_MESSAGE_ANSWER_TIME,
                   place->time_ns - request->first_ns);
    sctpa_open_requests_remove(messages->index->open, request);
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
        request = sctpa_open_requests_find(messages->index->open, place, message, message->asks, place->from, &n);
    if (request != NULL && is_the_same(request, place, message)) {
        add_sample(messages, row, place->frame, SCTPA_MESSAGE_REPEAT_INTERVAL, place->time_ns - request->last_ns);
        row_at(messages, row)->repeats++;
    } else {
        row_at(messages, row)->repeats += message->is_marked_repeat;
        request = sctpa_open_requests_add(messages->index->open, place, message);
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
        sctpa_open_requests_remove_of_ids(messages->index->open, place, message, may_be_answered, &closing);
    if (message->ends_ids)
        sctpa_open_requests_remove_of_ids(messages->index->open, place, message, stays_unanswered, &closing);
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
    for (const GList *at = sctpa_open_requests_oldest(messages->index->open); at != NULL; at = at->next) {
        const sctpa_open_request_t *request = at->data;
        sctpa_message_open_t open = { request->row, request->first_frame, request->first_ns, request->is_keep_alive };
        each(user, &open);
    }
}
