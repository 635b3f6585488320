/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DATA that a receiver must complain of (RFC 9260 6.2, 6.5, RFC 8260 2.2.3), and whether it took it. Leaves out what
 * it does instead. */
#include "model/chapter.h"

#include "model/shared/receiver.h"
#include "model/shared/obligations.h"

/* What separates an ERROR that is late from one that does not come. */
#define COMPLAINT_S 1

#define STRANGERS_REPORTED 2

/* A DATA chunk of which the receiver has not complained so far. */
typedef struct {
    int64_t acked_ns;     /* when the SACK passed that takes it */
    uint32_t tsn, packet; /* of it */
    uint16_t stream;
    bool is_waiting, is_acked;
} wrong_chunk_t;

/* Of a receiver. */
typedef struct {
    wrong_chunk_t empty;  /* a chunk without user data */
    wrong_chunk_t stream; /* of a stream that does not exist */
    wrong_chunk_t kind;   /* DATA though I-DATA was negotiated, or the reverse */
} wrong_data_t;

typedef struct {
    wrong_data_t of[2]; /* by endpoint */
} both_wrong_data_t;

/* Of endpoint; NULL: no association with wrong data. */
static wrong_data_t *wrong_data_of(const sctpa_context_t *c, uint8_t endpoint)
{
    both_wrong_data_t *both = sctpa_context_find_part(c, SCTPA_PART_WRONG_DATA);
    return both ? &both->of[endpoint] : NULL;
}

/* The chunk without user data that endpoint has not complained of; the one of the wrong kind; that of a stream that
 * does not exist, as long as no RE-CONFIG may have added it; NULL none. O(1). */
static const wrong_chunk_t *wrong_data_empty(const sctpa_context_t *c, uint8_t endpoint)
{
    const wrong_data_t *wrong = wrong_data_of(c, endpoint);
    return wrong && wrong->empty.is_waiting ? &wrong->empty : NULL;
}

static const wrong_chunk_t *wrong_data_kind(const sctpa_context_t *c, uint8_t endpoint)
{
    const wrong_data_t *wrong = wrong_data_of(c, endpoint);
    return wrong && wrong->kind.is_waiting ? &wrong->kind : NULL;
}

static const wrong_chunk_t *wrong_data_stream(const sctpa_context_t *c, uint8_t endpoint)
{
    const wrong_data_t *wrong = wrong_data_of(c, endpoint);
    return wrong && wrong->stream.is_waiting && !sctpa_has_reconfigured(c) ? &wrong->stream : NULL;
}

/* How long the receiver that sends the packet has had it without complaint, longer than its ERROR may be late; -1 not
 * so long. O(1). */
static int64_t wrong_data_overdue_ns(const sctpa_context_t *c, const wrong_chunk_t *chunk)
{
    int64_t since_ns = c->packet->time_ns - chunk->acked_ns;
    bool is_sure = sctpa_tap_is_asserted(&c->reference->tap, c->from, SCTPA_ASSERTED_ARRIVED);
    int64_t late_ns = is_sure ? SCTPA_SACK_LATE_MS * SCTPA_NS_PER_MS : COMPLAINT_S * SCTPA_NS_PER_S;
    return chunk->is_acked && sctpa_context_least_ns(c, since_ns) > sctpa_receiver_patience_ns(c, c->from, late_ns)
               ? since_ns
               : -1;
}

/* Is the stream beyond what either endpoint announced? */
static bool is_beyond_streams(const sctpa_context_t *c, uint16_t stream)
{
    if (stream < c->assoc->ends[c->from].init.outbound_streams)
        return false;
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    return sctpa_stream_counts_agreed(&counts, c->from) > 0 && !counts.reconfigured &&
           stream >= MAX(counts.outbound[c->from], counts.inbound[!c->from]);
}

/* DATA though both endpoints listed I-DATA, or I-DATA though one did not? */
static bool is_of_wrong_kind(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_known_t negotiated = sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA);
    return negotiated == (chunk->type == SCTPA_CHUNK_I_DATA ? SCTPA_NO : SCTPA_YES);
}

static void take_new(const sctpa_context_t *c, const sctpa_observed_t *observed)
{
    uint16_t stream = observed->sent.tsn->stream;
    bool is_empty = observed->tlv.type == SCTPA_CHUNK_DATA && observed->tlv.length == observed->tlv.row->fixed_bytes,
         is_beyond = is_beyond_streams(c, stream), is_wrong_kind = is_of_wrong_kind(c, &observed->tlv);
    if (!is_empty && !is_beyond && !is_wrong_kind)
        return;
    both_wrong_data_t *both = sctpa_context_part(c, SCTPA_PART_WRONG_DATA, sizeof *both);
    wrong_data_t *wrong = &both->of[!c->from];
    wrong_chunk_t chunk = {
        .tsn = sctpa_tlv_u32(&observed->tlv, SCTPA_F_DATA_TSN), .packet = c->index, .stream = stream, .is_waiting = true
    };
    if (is_empty && !wrong->empty.is_waiting)
        wrong->empty = chunk;
    if (is_beyond && !wrong->stream.is_waiting)
        wrong->stream = chunk;
    if (is_wrong_kind && !wrong->kind.is_waiting)
        wrong->kind = chunk;
}

static void take_ack(const sctpa_context_t *c, wrong_chunk_t *chunk)
{
    if (chunk->is_acked || sctpa_receiver_has(sctpa_receiver_tsn(c, c->from, chunk->tsn)) != SCTPA_YES)
        return;
    chunk->is_acked = true;
    chunk->acked_ns = c->packet->time_ns;
}

static void take_answer(const sctpa_context_t *c, wrong_data_t *wrong)
{
    bool is_sound = c->packet->captured_bytes == c->packet->wire_bytes && sctpa_context_is_intact(c);
    if (c->rows & SCTPA_ROW(ABORT) || (wrong->empty.is_acked && is_sound))
        wrong->empty.is_waiting = false;
    if (c->rows & SCTPA_ROW(ABORT) || (wrong->kind.is_acked && is_sound))
        wrong->kind.is_waiting = false;
    if (c->rows & (SCTPA_ROW(ERROR) | SCTPA_ROW(ABORT)) || wrong_data_overdue_ns(c, &wrong->stream) >= 0)
        wrong->stream.is_waiting = false;
    if (wrong->empty.is_waiting)
        take_ack(c, &wrong->empty);
    if (wrong->kind.is_waiting)
        take_ack(c, &wrong->kind);
    if (wrong->stream.is_waiting)
        take_ack(c, &wrong->stream);
}

/* Takes what the sender of the packet makes of what it got before, and the new DATA chunks that pass. Of a packet that
 * was cut nothing shows whether it was damaged on its way. O(chunks). */
static void wrong_data_take(const sctpa_context_t *c)
{
    wrong_data_t *own = wrong_data_of(c, c->from);
    const bool has_new = c->facts & SCTPA_FACT_NEW_DATA && c->packet->captured_bytes == c->packet->wire_bytes;
    if (own)
        take_answer(c, own);
    for (unsigned i = 0; has_new && i < c->n_chunks; i++) {
        const sctpa_observed_t *observed = &c->chunks[i];
        const sctpa_tsn_t *found = observed->sent.tsn;
        if (sctpa_tlv_is_data(&observed->tlv) && found && found->transmissions == 1 &&
            sctpa_receiver_has(found) != SCTPA_YES)
            take_new(c, observed);
    }
}

RULE(RX, 024,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .report = { .from = STRANGERS_REPORTED, .at_once_if = IF_COMPLETE, .at_once_needs = NEAR },
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.5",
    .title = "DATA of an invalid stream accepted without ERROR",
    .quote = "it SHOULD acknowledge the reception of the DATA chunk following the normal procedure, immediately send "
        "an ERROR chunk with cause set to \"Invalid Stream Identifier\"",
    .why = "The sender never learns that its messages are thrown away.",
    .evidence = "A DATA chunk has a stream beyond those that both endpoints announced, a SACK acknowledges it, and no "
        "ERROR or ABORT came in more than " SAY(COMPLAINT_S) " s until a later packet. Reported when it happened "
        "at least " SAY(STRANGERS_REPORTED) " times, or once near the receiver where the capture is asserted to "
        "be complete; where it is also asserted to be taken there, after more than " SAY(SCTPA_SACK_LATE_MS) " ms.",
    .doubt = "Streams may be added: nothing is checked once a RE-CONFIG was seen. The receiver's own SACK shows that "
        "the chunk came. An ERROR may be missing, or lost before the capture point, once.");

static bool RX_024_applies(const sctpa_context_t *c)
{
    return wrong_data_stream(c, c->from) && sctpa_assoc_is_single_homed(c->assoc);
}

/* RFC 9260 6.5: "it SHOULD acknowledge the reception of the DATA chunk following the normal procedure, immediately send
 * an ERROR chunk" */
static bool RX_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const wrong_chunk_t *wrong = wrong_data_stream(c, c->from);
    if (c->rows & (SCTPA_ROW(ERROR) | SCTPA_ROW(ABORT)) || wrong_data_overdue_ns(c, wrong) < 0)
        return false;
    violation->related = wrong->packet;
    sctpa_violation_say(violation, "ERROR with cause 1, Invalid Stream Identifier",
                        SCTPA_WORDS("TSN %u of stream %u, which does not exist, was acknowledged and no ERROR came",
                                    wrong->tsn, wrong->stream));
    return true;
}

RULE(RX, 025,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = BOTH | WHOLE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .accused = "receiver of the data",
    .clause = "RFC 9260 6.2",
    .title = "Empty DATA accepted",
    .quote = "If an endpoint receives a DATA chunk with no user data (i.e., the Length field is set to 16), it SHOULD "
        "send an ABORT chunk with a \"No User Data\" error cause.",
    .why = "The error of the sender stays hidden, and an empty message reaches the application or blocks its stream.",
    .evidence = "A DATA chunk of length 16 came, a SACK of the receiver acknowledges its TSN, and another packet "
        "follows that is not an ABORT. " SCTPA_OWED_EVIDENCE,
    .doubt = "The receiver's own SACK shows that it took the chunk; I-DATA is not checked. " SCTPA_OWED_DOUBT);

static bool RX_025_applies(const sctpa_context_t *c)
{
    return wrong_data_empty(c, c->from) && sctpa_assoc_is_single_homed(c->assoc);
}

/* RFC 9260 6.2: "it SHOULD send an ABORT chunk with a "No User Data" error cause" */
static bool RX_025_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const wrong_chunk_t *wrong = wrong_data_empty(c, c->from);
    if (c->rows & SCTPA_ROW(ABORT) || !wrong->is_acked)
        return false;
    violation->related = wrong->packet;
    sctpa_violation_say(
        violation, "ABORT with cause 9, No User Data",
        SCTPA_WORDS("TSN %u, a DATA chunk of 16 bytes, was acknowledged and the association goes on", wrong->tsn));
    return true;
}

RULE(ID, 009,
    .level = MUST, .since = 8260, .seeing = MUST_HAVE, .needs = SETUP | BOTH | WHOLE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .report = { .one_defect = true },
    .accused = "receiver of the data",
    .clause = "RFC 8260 2.2.3",
    .title = "DATA taken though I-DATA was negotiated, or I-DATA though it was not",
    .quote = "the receiver of the DATA chunk MUST abort the association by sending an ABORT chunk",
    .why = "The error of the sender stays hidden: receivers that keep to the clause abort.",
    .evidence = "A chunk of the wrong kind came, a SACK of the receiver acknowledges its TSN, and another packet "
        "follows that is not an ABORT.",
    .doubt = "The receiver's own SACK shows that it took the chunk. Both announcements must have been captured whole.");

static bool ID_009_applies(const sctpa_context_t *c)
{
    return wrong_data_kind(c, c->from) && sctpa_assoc_is_single_homed(c->assoc);
}

/* RFC 8260 2.2.3: "the receiver of the DATA chunk MUST abort the association by sending an ABORT chunk" */
static bool ID_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const wrong_chunk_t *wrong = wrong_data_kind(c, c->from);
    if (c->rows & SCTPA_ROW(ABORT) || !wrong->is_acked)
        return false;
    bool is_data = sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA) == SCTPA_YES;
    violation->related = wrong->packet;
    sctpa_violation_say(violation, is_data ? "ABORT: I-DATA was negotiated" : "ABORT: I-DATA was not negotiated",
                        SCTPA_WORDS("TSN %u, in %s, was acknowledged and the association goes on", wrong->tsn,
                                    is_data ? "DATA" : "I-DATA"));
    return true;
}

void sctpa_check_wrong_data(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(RX, 025, EMPTY_DATA);
        return;
    }
    if (sctpa_context_find_part(c, SCTPA_PART_WRONG_DATA)) {
        ASK(RX, 024);
        ASK(RX, 025);
        ASK(ID, 009);
    }
    wrong_data_take(c);
}
