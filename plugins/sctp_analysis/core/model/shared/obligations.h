/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The register of obligations of an association: what each endpoint owes at once, to whom it is an answer, since when;
 * and which answers nothing asked for. Proof only where the user asserts that the capture is complete, and where it was
 * taken: elsewhere an answer that is missing may be one that did not pass. Leaves out which SACK may wait
 * (receiver.h), until when timers run (request_timers.h), what starts T3-rtx on a path (t3.h) and when HEARTBEATs are
 * due (idle_paths.h). */
#ifndef SCTPA_SHARED_OBLIGATIONS_H
#define SCTPA_SHARED_OBLIGATIONS_H

#include "model/engine.h"
#include "owed_results.h"
#include "request_timers.h"
#include "receiver.h"

/* What is due at once leaves, however busy the host, before a SACK that may wait for more. */
#define SCTPA_OWED_MS SCTPA_SACK_LONGEST_MS

/* Where it is not decided what reached the debtor: so many requests of a kind in a row without an answer, each well
 * after the one before, are no single loss. */
#define SCTPA_UNANSWERED 3

/* How rules about entries are read, and about those of a kind that counts elsewhere too. */
/* clang-format off */
#define SCTPA_ARRIVED_EVIDENCE "Where the user asserts a complete capture that was taken at the endpoint: "
#define SCTPA_OWED_EVIDENCE SCTPA_ARRIVED_EVIDENCE "it sent no answer within " \
    SAY(SCTPA_OWED_MS) " ms, nor within three times the RTT from the tap. Probable: within that, it answered what " \
    "came later, or sent another chunk of the same exchange."
#define SCTPA_COUNTED_EVIDENCE SCTPA_OWED_EVIDENCE " Elsewhere, near the endpoint: probable where it was asked " \
    SAY(SCTPA_UNANSWERED) " times in a row, so long after each other or each followed by what it shows to have " \
    "received, answered none, and then sent something."
#define SCTPA_OWED_DOUBT \
    "What the endpoint has to discard needs no answer: wrong tags and checksums, bundled INITs, packets to or from " \
    "groups. An ABORT of either endpoint ends what is owed."
/* clang-format on */

/* An entry: 64 bytes. */
typedef struct sctpa_owed {
    struct sctpa_owed *next; /* the one that was created after it */
    uint64_t key;          /* of HEARTBEATs: hash of the Heartbeat Information; of FORWARD-TSNs: New Cumulative TSN; of
                              fast retransmissions: number of the TSN; of timers: which request (request_timers.h);
                              of data channels: stream, above it the number of the TSN */
    uint32_t packet;       /* that created it */
    uint32_t since_packet; /* since when it is due: the same; of SACKs the last packet with DATA, since some stacks
                              restart the timer of delayed SACKs with each */
    uint32_t last_ask;     /* the last packet that counts among asks */
    uint32_t newest_ask;   /* the last one that asks for it */
    uint32_t passed_ask;   /* the last one that counts in passed_over */
    uint8_t asks;          /* how often it was asked for, well apart; of one kind, where that is all that is known */
    uint8_t passed_over;   /* of these, how often the debtor then told of what came later alone */
    uint8_t what;          /* sctpa_obligation_t */
    uint8_t debtor;        /* endpoint */
    bool is_unsure;        /* what the debtor knew before the capture began might excuse it */
    bool is_likely;        /* what the debtor has not sent yet might excuse it */
    bool is_held;       /* it is not due yet: the debtor has not taken what it has to answer, or may not send, or need
                           not while its data tells as much */
    bool is_counted;    /* it stands for all of its kind that the debtor is asked for, where it is not decided what
                           reached it: shown by how often it goes unanswered */
    bool has_sent_else; /* its debtor sent something since that does not answer it */
    bool may_be_last;   /* of timers: its debtor may give up instead; and these are theirs alone: */
    uint32_t rests_on;  /* SCTPA_ASSERTED_ bits that the patience goes by */
    int64_t patience_ns;
} sctpa_owed_t;

/* An entry that is asked about: discharged by the packet, or overdue when it passed. */
typedef struct sctpa_due {
    sctpa_owed_t owed;
    int64_t waited_ns; /* until the packet, at the least */
    int64_t patience_ns;
    bool is_discharged;   /* by the packet */
    bool is_at_end;       /* no packet shows it, but the end of the capture */
    bool is_by_peer;      /* of timers: its peer's packet shows it, so that its debtor may be gone */
    bool is_overtaken;    /* the packet answers what came after it, or is another answer to it */
    uint8_t n_unanswered; /* requests, where it is not decided whether they reached the debtor; 0: that is decided */
    bool is_refusal;      /* the debtor goes on in the association, though it refused the restart of its peer */
    bool is_by_quiet;     /* overdue only because nothing passed after the capture, as the user asserts */
} sctpa_due_t;

/* Are timers and idle paths kept as well, and what is damaged? Where the user asserts what makes one answer that is
 * missing, or one too many, a proof; and where somebody asked for what was owed. O(1). */
static inline bool sctpa_obligations_are_kept(const sctpa_reference_store_t *store)
{
    return store->owed || sctpa_assertions_are_arrived(store->asserted.assertions);
}

/* Fills unasked of c: answers of the packet that nothing which reached its sender asked for. Then takes each entry that
 * the packet discharges, or that is overdue, out of the register, and calls ask with it as c->due. Before the rules.
 * O(entries + chunks), bounded. */
void sctpa_obligations_judge(sctpa_context_t *c, void (*ask)(sctpa_context_t *c));
/* Entries of an association, the oldest, then next; NULL none. O(1). */
const sctpa_owed_t *sctpa_obligations_first(const sctpa_reference_t *reference);
/* Is an entry overdue, discharged by no packet, at the time of c, which is the moment at which the capture ends? *due
 * says it then. It stays. O(1). */
bool sctpa_obligations_is_overdue(const sctpa_context_t *c, const sctpa_owed_t *owed, sctpa_due_t *due);
/* Adds to results, which may be NULL, what became of an entry: under key, settled by a packet, or by the end of the
 * capture, SCTPA_NO_PACKET_INDEX. Timers leave none. O(1). */
void sctpa_obligations_note(GArray *results, const sctpa_due_t *due, sctpa_owed_fate_t fate, uint32_t key,
                            uint32_t settled_by);
/* The sender of the packet performed a reset of the stream of a data channel, which its peer asked for in another: it
 * owes the same. O(entries), bounded. */
void sctpa_obligations_close_channel(const sctpa_context_t *c, uint16_t stream, uint32_t asked_packet);
/* The sender of the packet refuses by an ABORT that its peer restarts the association of this number, where it is that
 * endpoint. O(1). */
void sctpa_obligations_refuse_restart(const sctpa_context_t *c, uint32_t number, unsigned endpoint);
/* Enters what the packet creates. After the rules. O(chunks), bounded. */
void sctpa_obligations_take(sctpa_context_t *c);

/* Is the tap in the debtor's network, or nearer: no farther from it than a LAN is wide, nor than from its peer? Then
 * what passed reaches it, but for single losses, and what it sends passes. O(1). */
bool sctpa_obligations_is_at(const sctpa_context_t *c, uint8_t debtor);
/* Errors that an endpoint can have counted since its peer answered last, the one of a timer that expires now included
 * (RFC 9260 8.1). O(1). */
unsigned sctpa_obligations_errors(const sctpa_context_t *c, uint8_t endpoint);

/* For rules about c->due, which are asked of its debtor. Is it decided whether it was discharged in time: does the user
 * assert that the capture is complete, and taken at the debtor? O(1). */
static inline bool sctpa_due_is_decided(const sctpa_context_t *c)
{
    return c->due->n_unanswered > 0 || sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

/* Was it not discharged in time? Fills the violation then. O(1). */
bool sctpa_due_is_violated(const sctpa_context_t *c, sctpa_violation_t *violation);
/* How a chapter asks a rule about entries of one kind, SCTPA_OWED_<kind>, also where ASK asks it of packets. O(1). */
/* clang-format off */
#define ASK_DUE(group, number, kind) \
    do { \
        if (c->due->owed.what == SCTPA_OWED_##kind) \
            sctpa_ask_owed(c, &sctpa_row_##group##_##number, SCTPA_RULE_##group##_##number, sctpa_due_is_decided, \
                           sctpa_due_is_violated); \
    } while (0)
/* clang-format on */
/* The ABORT that reached the packet's sender, where nothing else did that it may still answer by an ABORT;
 * SCTPA_NO_PACKET_INDEX none. O(1). */
uint32_t sctpa_obligations_aborted(const sctpa_context_t *c);
/* The packet by which the peer ended the association of the packet's sender, ABORT or SHUTDOWN COMPLETE, and nothing
 * began another since; SCTPA_NO_PACKET_INDEX none. O(1). */
uint32_t sctpa_obligations_ended_by_peer(const sctpa_context_t *c);
/* How often its peer told the packet's sender that the association has ended, well apart, and not just now, where the
 * tap is near it; 0 elsewhere. O(1). */
unsigned sctpa_obligations_told(const sctpa_context_t *c);
/* For INIT ACK: the type of the first parameter that its INIT asked to report (RFC 9260 3.2.1), of those that no
 * published document has, in *type, the packet with the INIT in *packet. False: none. O(1). */
bool sctpa_obligations_unknown_param(const sctpa_context_t *c, uint16_t *type, uint32_t *packet);
/* Does a SACK of the packet acknowledge a TSN that its sender had to discard unread, behind an unknown chunk (RFC 9260
 * 3.2)? It stands in *tsn, the packet that held it in *packet. O(1). */
bool sctpa_obligations_unread(const sctpa_context_t *c, uint32_t *tsn, uint32_t *packet);

/* May an endpoint of another association, which began before, have given it up without a word (RFC 9260 8.1)? Yes where
 * nothing is kept of it. O(1). */
bool sctpa_obligations_may_have_given_up(const sctpa_context_t *c, uint32_t number, unsigned endpoint);

/* Were the HEARTBEATs of an endpoint answered, but for one that may still be: nothing suggests that the capture, or the
 * network behind it, lacks some of those that its peer sent, or answers. O(1). */
static inline bool sctpa_owed_has_heartbeats(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_context_chunks(c, endpoint, SCTPA_CHUNK_ROW_HEARTBEAT) <=
           sctpa_context_chunks(c, !endpoint, SCTPA_CHUNK_ROW_HEARTBEAT_ACK) + 1;
}
/* For rules about answers: does the packet hold one of row that nothing asked for? Fills the violation then. O(1). */
bool sctpa_is_unasked(const sctpa_context_t *c, unsigned row, const char *expected, sctpa_violation_t *violation);

#endif
