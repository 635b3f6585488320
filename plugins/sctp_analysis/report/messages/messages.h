/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The messages of the application, as somebody who dissects them hands them over in capture order: counted by
 * association, direction and name; repeats, answers and events. Knows no protocol: what is a request, what answers it
 * and by which ids is told with each message. Leaves dissecting to epan/messages, the text to messages_report.c.
 *
 * Memory: 12 bytes per message and 24 per answer time and interval between repeats, as analyses grow with TSNs; all
 * else is bounded by the limits below, and what exceeds them is counted. */
#ifndef SCTPA_REPORT_MESSAGES_H
#define SCTPA_REPORT_MESSAGES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    SCTPA_MESSAGE_NAMES_MAX = 4096,    /* different names */
    SCTPA_MESSAGE_ROWS_MAX = 65536,    /* names by association and direction */
    SCTPA_MESSAGE_OPEN_MAX = 65536,    /* requests that wait for their answer, the oldest are forgotten */
    SCTPA_MESSAGE_OPEN_OF_ID_MAX = 16, /* of them, with the same id */
    SCTPA_MESSAGE_EVENTS_MAX = 10000,
    SCTPA_MESSAGE_IDS_MAX = 6
};

/* What is known of a message. */
typedef enum {
    SCTPA_MESSAGE_NAMED,
    SCTPA_MESSAGE_PROTECTED,  /* by DTLS */
    SCTPA_MESSAGE_NAMELESS,   /* no dissector names it */
    SCTPA_MESSAGE_INCOMPLETE, /* fragments of it were not captured, or not reassembled */
    SCTPA_MESSAGE_INNER,      /* named, within another: NAS */
    SCTPA_MESSAGE_CIPHERED,   /* within another, and ciphered */
    SCTPA_MESSAGE_KINDS
} sctpa_message_kind_t;

/* "named", "protected_by_dtls", "without_name", "incomplete", "inside_another", "ciphered". */
const char *sctpa_message_kind_word(sctpa_message_kind_t kind);

/* An id that a request and its answer have in common: of a UE, of a transaction. */
typedef struct {
    uint32_t kind; /* which id; an answer has a value in common with its request of each kind that both have */
    uint64_t value;
} sctpa_message_id_t;

/* Where a message was found. */
typedef struct {
    uint32_t assoc;         /* as numbered when it passed */
    uint8_t from;           /* sending endpoint */
    uint32_t packet, frame; /* index in the analysis; frame of the last fragment */
    uint32_t tsn;           /* of the last fragment, as in the chunk */
    uint32_t bytes;         /* of the user message */
    int64_t time_ns;
} sctpa_message_place_t;

/* A message. Procedures are numbers that a request and its answers have in common, 0 none; those of one protocol have
 * the same upper 8 bits. */
typedef struct {
    const char *protocol, *name; /* copied when they are new */
    sctpa_message_kind_t kind;
    uint32_t asks, answers; /* the procedure that it requests, of which it is the answer */
    bool has_ids;           /* false: its one id is the same for all of its protocol */
    unsigned n_ids;         /* at least 1 where there is a procedure; a request is found by its first */
    sctpa_message_id_t ids[SCTPA_MESSAGE_IDS_MAX];
    uint32_t transaction;  /* that the answer to this very request repeats (hop-by-hop id); 0 none */
    uint32_t may_answer;   /* upper 8 bits of procedures any of which it may answer (ciphered), 0 none */
    bool is_timed;         /* its answer time means something */
    bool is_keep_alive;    /* sent regularly: never a repeat, an event when it stays unanswered */
    bool is_marked_repeat; /* says of itself that it may be a repeat (T flag of Diameter) */
    bool ends_ids;         /* its ids are free for others then */
} sctpa_message_t;

/* A name of a protocol's message. */
typedef struct {
    const char *protocol, *name;
    sctpa_message_kind_t kind;
} sctpa_message_name_t;

/* The messages of a name in a direction of an association. */
typedef struct {
    uint32_t name;   /* index */
    uint32_t packet; /* of the first: tells the association, which may be joined to another later */
    uint64_t count, bytes, repeats;
    uint64_t answered, ambiguous, unanswered; /* requests; ambiguous: of those answered, not timed */
} sctpa_message_row_t;

typedef enum { SCTPA_MESSAGE_ANSWER_TIME, SCTPA_MESSAGE_REPEAT_INTERVAL } sctpa_message_sample_kind_t;

typedef struct {
    uint32_t row, frame; /* frame of the request, or repeat */
    sctpa_message_sample_kind_t kind;
    int64_t ns;
} sctpa_message_sample_t;

/* A message that was counted: its row, packet and TSN. */
typedef struct {
    uint32_t row, packet, tsn;
} sctpa_message_record_t;

typedef struct {
    uint32_t packet, frame;
    int64_t time_ns;
    const char *text;
    bool is_trouble; /* somebody should look */
} sctpa_message_event_t;

/* A request that waits for its answer; frame and time of its first transmission. */
typedef struct {
    uint32_t row, frame;
    int64_t time_ns;
    bool is_keep_alive;
} sctpa_message_open_t;

/* What was found; arrays are in order of first occurrence. */
typedef struct sctpa_messages {
    GArray *names;   /* sctpa_message_name_t */
    GArray *rows;    /* sctpa_message_row_t */
    GArray *samples; /* sctpa_message_sample_t */
    GArray *records; /* sctpa_message_record_t */
    GArray *events;  /* sctpa_message_event_t */
    uint64_t kinds[SCTPA_MESSAGE_KINDS];
    uint64_t left_out;      /* messages in no row, since there were too many rows */
    uint64_t forgotten;     /* requests of which it is not known whether they were answered */
    uint64_t events_missed; /* beyond SCTPA_MESSAGE_EVENTS_MAX */
    struct sctpa_message_index *index;
} sctpa_messages_t;

sctpa_messages_t *sctpa_messages_new(void);
void sctpa_messages_free(sctpa_messages_t *messages);
/* Forgets everything. */
void sctpa_messages_reset(sctpa_messages_t *messages);

/* Takes the next message. O(ids). */
void sctpa_messages_add(sctpa_messages_t *messages, const sctpa_message_place_t *place, const sctpa_message_t *message);
/* A message counted as incomplete under that name turned out to be complete: its missing fragment came later. O(1). */
void sctpa_messages_complete(sctpa_messages_t *messages, const sctpa_message_place_t *place, const char *protocol,
                             const char *name);
/* Something of importance happened; text is copied. O(1). */
void sctpa_messages_event(sctpa_messages_t *messages, const sctpa_message_place_t *place, const char *text,
                          bool is_trouble);
/* Calls each with every request that waits for its answer, the oldest first. O(those). */
void sctpa_messages_each_open(const sctpa_messages_t *messages,
                              void (*each)(void *user, const sctpa_message_open_t *open), void *user);

/* What is counted together: the messages of a name (index in names) that an endpoint of an association sent. For hash
 * tables. O(1). */
typedef struct {
    uint32_t assoc, from, name;
} sctpa_message_key_t;
guint sctpa_message_key_hash(gconstpointer key);
static inline gboolean sctpa_message_key_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(sctpa_message_key_t)) == 0;
}

#endif
