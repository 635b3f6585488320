/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of -z sctp,triage share: the troubles of associations by topic, and the tables of the worst of them.
 */
#ifndef SCTPA_REPORT_TRIAGE_H
#define SCTPA_REPORT_TRIAGE_H

#include "../text/address_labels.h"
#include "capture_quality.h"
#include "how_bad.h"
#include "../messages/application.h"
#include "../text/page.h"
#include "../view.h"

typedef struct sctpa_same_ports sctpa_same_ports_t;

/* Thresholds of ours: what falls short of them is not worth a line. None of them says that anybody broke a rule. */
enum {
    SCTPA_CLOSED_MS = 1000,    /* a closed window whose cause is worth naming: RTO.Min of RFC 9260 16 */
    SCTPA_SILENCE_MS = 200,    /* a wait for an ack that is worth naming: a usual SACK delay is shorter */
    SCTPA_OUTAGE_PERCENT = 75, /* an end is silent when it sent nothing for so much of a pause */
    SCTPA_SHORT_PERCENT = 25,  /* the window left less than a chunk needs so much of the time */
    SCTPA_QUEUE_PERCENT = 140, /* a queue: while acks kept coming, one of twenty round trips grew to so much of the */
    SCTPA_QUEUE_SAMPLES = 20,  /* least one, of at least so many, */
    SCTPA_QUEUE_PACKETS = 4,   /* with at least so many packets on the way: delayed SACKs explain nothing then */
    SCTPA_HEARTBEATS_LOST = 2, /* HEARTBEATs to a path that were not answered */
    SCTPA_UPDATES_LEAST = 8,   /* window updates that are worth a line: a burst, as rule FL-012 has it */
    SCTPA_TWICE_LEAST = 3,     /* packets sent twice at once that are no chance, as rule TM-008 has it */
    SCTPA_GOODPUT_CHUNKS = 100 /* of fewer DATA chunks the rate is the application's habit, no figure of the way */
};

typedef enum {
    SCTPA_TRIAGE_RULES,
    SCTPA_TRIAGE_PAUSES,
    SCTPA_TRIAGE_CLOSED,
    SCTPA_TRIAGE_PATHS,
    SCTPA_TRIAGE_MOVES, /* of new data, without an error before */
    SCTPA_TRIAGE_SETUPS,
    SCTPA_TRIAGE_QUEUES,
    SCTPA_TRIAGE_RESENT,
    SCTPA_TRIAGE_BETWEEN,
    SCTPA_TRIAGE_GIVEN_UP,
    SCTPA_TRIAGE_SACKS,
    SCTPA_TRIAGE_APPLICATION,
    SCTPA_TRIAGE_TOPICS
} sctpa_paragraphs_kind_t;

/* What of the data, and of the HEARTBEATs, was answered, in all associations. */
typedef struct {
    uint64_t tsns, acked, heartbeats, heartbeats_acked;
    uint64_t given_up[2];      /* no ack shows that they arrived; those that most likely did */
    uint64_t given_up_missing; /* of them, those that SACKs reported missing */
    int64_t slowest_ns;        /* from the first transmission of a TSN at the tap to its ack, at most */
    uint32_t slowest_frame;    /* of that transmission, 0 none */
    bool has_discarded;        /* of some there are none: their receiver discards the packets */
    bool has_half;             /* acks of some are not in the capture */
    bool lacks_acks;           /* the last acks of some are not, while the others are */
} sctpa_acks_seen_t;

typedef struct {
    const sctpa_view_t *view;
    const sctpa_selection_t *selection;
    sctpa_labels_t *labels;
    sctpa_application_t *application; /* NULL: no messages were read, or no dissector names any */
    sctpa_acks_seen_t acks_seen;
    sctpa_paragraphs_t *topics[SCTPA_TRIAGE_TOPICS];
    uint32_t told;    /* bits 1 << SCTPA_TRIAGE_...: the page tells of such a thing without a sentence there */
    uint32_t assocs;  /* reported */
    uint32_t refused; /* INITs that ICMP errors alone show: failures without an association */
    bool violated[SCTPA_RULES];   /* by any endpoint, as the page tells */
    uint32_t rules;               /* of these */
    uint64_t data_chunks, resent; /* of all: transmissions */
    bool resent_unproven;         /* of resent, some may have been doubled on the way */
    sctpa_pauses_t pauses;        /* of all together, without a list */
    uint32_t paused;              /* directions with a pause */
    uint32_t half_closed;         /* data channels that one endpoint closed alone, resets never performed */
    uint32_t by_application;      /* aborted, as the application wished */
    bool has_two_taps;            /* an association was captured near both endpoints */
    bool has_failed_between;      /* one of these failed: its failure says where its packets were dropped */
    size_t statement_end;         /* of the page, sctpa_page_statement */
} sctpa_triage_trouble_t;

/* One direction of an association with data. */
typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned end;                   /* who sent it */
    const sctpa_measure_t *measure; /* of the selected packets */
    sctpa_series_source_t source;
} sctpa_triage_sender_t;

/* --- triage_data.c --- */

void sctpa_trouble_begin(sctpa_triage_trouble_t *trouble, const sctpa_view_t *view, const sctpa_selection_t *selection,
                         sctpa_labels_t *labels);
/* Looks at an association and its data, in ascending order of number; how bad it is. O(n log n) for n TSNs and SACKs.
 */
sctpa_rank_t sctpa_trouble_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc);
/* Appends the topics with something in them, then which have nothing. failed: with trouble->refused. O(packets), once.
 */
void sctpa_trouble_write(sctpa_triage_trouble_t *trouble, uint32_t failed, GString *out);
/* The page tells of something of this kind, elsewhere than in its topic: it is not "not found". Whoever writes such a
 * fact calls it. O(1). */
static inline void sctpa_trouble_tell(sctpa_triage_trouble_t *trouble, sctpa_paragraphs_kind_t kind)
{
    trouble->told |= 1u << kind;
}
/* Does the page tell of anything of this kind? O(1). */
static inline bool sctpa_trouble_is_told(const sctpa_triage_trouble_t *trouble, sctpa_paragraphs_kind_t kind)
{
    return sctpa_paragraphs_count(trouble->topics[kind]) > 0 || trouble->told >> kind & 1;
}
/* "Failures: 3 of 9 associations"; failed: with those of trouble->refused, which count as associations that were to be.
 */
void sctpa_trouble_append_failures(const sctpa_triage_trouble_t *trouble, uint32_t failed, GString *heading);
/* The heading of a topic: what, in how many associations. */
void sctpa_trouble_append_heading(const sctpa_triage_trouble_t *trouble, sctpa_paragraphs_kind_t kind,
                                  GString *heading);
/* Appends the names of topics with nothing in them. */
void sctpa_trouble_append_none(const sctpa_triage_trouble_t *trouble, uint32_t failed, GString *none);
void sctpa_trouble_end(sctpa_triage_trouble_t *trouble);

/* Of the whole capture: its remarks, INITs of which only ICMP errors tell. After all associations. O(1). */
void sctpa_told_add_capture(sctpa_triage_trouble_t *trouble, const sctpa_doubts_t *doubts);
/* The causes of its pauses. O(pauses). */
void sctpa_told_add_pauses(sctpa_triage_trouble_t *trouble, const sctpa_pauses_t *pauses);

/* --- triage_pauses.c --- */

/* The longest wait for an ack: how long, since which packet; SCTPA_NO_PACKET_INDEX none. */
typedef struct {
    int64_t waited_ns;
    uint32_t since;
    sctpa_early_timeouts_t early;
    uint32_t discarded; /* as in sctpa_pauses_t */
} sctpa_waited_t;

/* The pauses of the direction, NULL unknown; sctpa_pauses_free. */
sctpa_pauses_t *sctpa_pauses_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender,
                                 sctpa_waited_t *longest);
/* Adds to the worst what passed meanwhile. O(packets). */
void sctpa_pauses_explain(sctpa_triage_trouble_t *trouble);

/* --- triage_streams.c --- */

/* Data channels that one endpoint closed alone, where its peer had time to close its half. O(data), where any stream
 * was reset. */
void sctpa_channels_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc);

/* Endpoints that answer on the stream of each request, and lack some of these streams. O(data), where one may send on
 * fewer streams than its peer. */
void sctpa_streams_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc);

/* --- triage_receiver.c --- */

/* How long the peer's window was closed. */
int64_t sctpa_windows_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender);

/* Was the capture taken beside the receiver, so that what was given up most likely arrived before? Not where anything
 * that passed was retransmitted in need: then what passes the capture point does not always arrive. O(1). */
static inline bool sctpa_given_up_is_near(const sctpa_triage_sender_t *sender)
{
    return sctpa_tap_is_beside(*sender->source.direction->receiver_tap_rtt) && sender->measure->all.lost == 0;
}

void sctpa_given_up_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender);
void sctpa_updates_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender);

/* --- triage_paths.c --- */

/* The packets of an association that were lost between two capture points. O(packets of the association). */
void sctpa_between_taps_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc);

/* measures: of what each end sent, NULL without data. Adds to the harm what it is. O(events + n log n) for n TSNs where
 * there are several paths. */
void sctpa_path_trouble_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc,
                            sctpa_measure_t *const measures[2], sctpa_harm_t *harm);
void sctpa_setup_trouble_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc);

/* --- triage_sent.c: retransmissions and queues --- */

void sctpa_resent_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender,
                      const sctpa_waited_t *longest);
void sctpa_queues_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender);

/* --- triage_answer.c: is the transport to blame? --- */

/* Adds what of a direction was acknowledged, of the HEARTBEATs of an association answered. O(1), O(paths). */
void sctpa_answer_add(sctpa_triage_trouble_t *trouble, const sctpa_triage_sender_t *sender);
void sctpa_answer_add_heartbeats(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc);
/* Takes a statement of the head: "Transport:" and what there is to say, perhaps nothing. */
typedef void (*sctpa_statement_fn)(void *user, const char *label, const char *text);
/* Says whether the transport is to blame, and what shows it, then what the application did; after all were added.
 * failed: associations; is_doubtful: the capture is to be read with care. */
void sctpa_answer_each(const sctpa_triage_trouble_t *trouble, uint32_t failed, bool is_doubtful,
                       sctpa_statement_fn each, void *user);

/* --- triage_application.c --- */

/* What the application did, NULL where no message has a name. sctpa_application_free; cost as sctpa_application_new. */
sctpa_application_t *sctpa_application_named(const sctpa_view_t *view);
/* Adds requests of the application that were sent again or not answered, and events that are trouble. O(lines +
 * events). */
void sctpa_application_trouble_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc);
/* Appends how many messages there were, and how soon requests were answered; nothing where none has a name. O(lines).
 */
void sctpa_application_append(const sctpa_triage_trouble_t *trouble, GString *text);

/* --- triage.c: the worst associations, their figures and events --- */

typedef struct sctpa_worst sctpa_worst_t;

#endif
