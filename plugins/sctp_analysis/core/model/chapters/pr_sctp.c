/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partial reliability (RFC 3758): FORWARD-TSN, what it must list and what it ends. Leaves out whether I-FORWARD-TSN
 * may be used (idata.c). */
#include "model/chapter.h"

#include "model/shared/forward_tsns.h"
#include "model/shared/message_order.h"
#include "model/shared/obligations.h"

/* What separates TSNs that were never assigned from some that the capture missed. */
#define FORWARD_AHEAD_TSNS 1024

/* What separates data that was sent later from data that was overtaken on its way. */
#define FORWARD_OVERTAKEN_MS 20

enum { STREAMS_COMPARED = 64 };

RULE(PR, 001,
    .level = MUST, .since = 3758, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(FORWARD_TSN),
    .accused = "sender of the FORWARD-TSN",
    .clause = "RFC 3758 3.3.1, 3.3.2",
    .title = "FORWARD-TSN to a peer that did not announce it",
    .quote = "MUST NOT send a FORWARD TSN chunk at any time during the associations life",
    .why = "The peer skips or reports the chunk: what was given up is missing for ever, and the association stalls.",
    .evidence = "FORWARD-TSN, although the peer's INIT or INIT ACK has neither Forward-TSN-Supported nor 0xC0 among "
        "the Supported Extensions.",
    .doubt = "Either announcement counts; it must have been captured whole.");

static bool PR_001_applies(const sctpa_context_t *c)
{
    return c->assoc->ends[!c->from].init.whole;
}

/* "MUST NOT send a FORWARD TSN chunk at any time during the associations life" */
static bool PR_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_PARTIAL_RELIABILITY) != SCTPA_NO)
        return false;
    sctpa_violation_say(violation, "no FORWARD-TSN: the peer did not announce it", "FORWARD-TSN");
    return true;
}

RULE(PR, 002,
    .level = MUST, .since = 3758, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(FORWARD_TSN),
    .accused = "sender of the FORWARD-TSN",
    .clause = "RFC 3758 3.2",
    .title = "FORWARD-TSN of a wrong length",
    .quote = "Length = Variable",
    .why = "The receiver drops it, and the association stalls.",
    .evidence = "The length is not 8 plus 4 for each stream.",
    .doubt = "A chunk that lists no stream is allowed.");

static bool PR_002_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "Length = Variable" */
static bool PR_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_tlv_is_well_formed(&c->chunk->tlv))
        return false;
    sctpa_violation_say(violation, "8 bytes, and 4 for each stream", SCTPA_WORDS("length %u", c->chunk->tlv.length));
    return true;
}

RULE(PR, 003,
    .level = MUST, .since = 3758, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of INIT or INIT ACK",
    .clause = "RFC 3758 3.1",
    .title = "Forward-TSN-Supported of a wrong length",
    .quote = "Indicates the size of the parameter, i.e., 4.",
    .why = "The peer may ignore the parameter or abort.",
    .evidence = "The length of one of these parameters is not 4.",
    .doubt = "Parameters quoted inside Unrecognized Parameter do not count.");

static bool PR_003_applies(const sctpa_context_t *c)
{
    return sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(FORWARD_TSN_SUPPORTED);
}

/* "Indicates the size of the parameter, i.e., 4." */
static bool PR_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_param_list_t *list = sctpa_context_params(c);
    for (uint32_t i = 0; i < list->n; i++) {
        const sctpa_tlv_t *param = &list->params[i];
        if (param->type != SCTPA_PARAM_FORWARD_TSN_SUPPORTED || param->length == param->row->fixed_bytes)
            continue;
        sctpa_violation_say(violation, SCTPA_WORDS("length %u", param->row->fixed_bytes),
                            SCTPA_WORDS("length %u", param->length));
        return true;
    }
    return false;
}

RULE(PR, 004,
    .level = HEURISTIC, .since = 3758, .seeing = NOTHING, .needs = SETUP | COMPLETE | NEAR | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(FORWARD_TSN) | ROW(I_FORWARD_TSN),
    .accused = "sender of the FORWARD-TSN",
    .clause = "RFC 3758 3.5",
    .title = "FORWARD-TSN far beyond what was sent",
    .quote = "a particular data chunk that has already been assigned a TSN SHOULD be",
    .why = "The receiver gives up messages that were never sent.",
    .evidence = "The New Cumulative TSN is more than " SAY(FORWARD_AHEAD_TSNS) " above the highest TSN seen.",
    .doubt = "TSNs may be assigned and given up before they are sent: a note.");

static bool PR_004_applies(const sctpa_context_t *c)
{
    return sctpa_forward_tsn_is_readable(&c->chunk->tlv) && c->sent && !c->sent->restarted && c->sent->highest >= 0;
}

/* "a particular data chunk that has already been assigned a TSN" */
static bool PR_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t highest = sctpa_direction_serial(c->sent, c->sent->highest);
    uint32_t new_cum_tsn = sctpa_forward_tsn_new_cum(&c->chunk->tlv);
    if (sctpa_serial_distance(highest, new_cum_tsn) <= FORWARD_AHEAD_TSNS)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("at most slightly above TSN %u", highest),
                        SCTPA_WORDS("%u", new_cum_tsn));
    return true;
}

/* The first stream that the FORWARD-TSN lists and that had only unordered messages up to the New Cumulative TSN; -1
 * none. O(streams listed). */
static int find_unordered(const sctpa_context_t *c)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    uint32_t unit = chunk->row->unit_bytes;
    int64_t new_cum = sctpa_context_unwrap(c->sent, sctpa_forward_tsn_new_cum(chunk));
    for (uint32_t at = chunk->row->fixed_bytes; at + unit <= chunk->captured_bytes; at += unit) {
        uint16_t stream = (uint16_t)sctpa_forward_tsn_stream(chunk, at);
        if (sctpa_has_no_ordered(c, stream, new_cum))
            return stream;
    }
    return -1;
}

RULE(PR, 006,
    .level = MUST, .since = 3758, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(FORWARD_TSN),
    .accused = "sender of the FORWARD-TSN",
    .clause = "RFC 3758 3.2",
    .title = "Stream of unordered messages listed",
    .quote = "This field MUST NOT report TSN's corresponding to DATA chunks that are marked as unordered.",
    .why = "The receiver moves on the expected SSN of the stream, and takes the ordered messages that follow for old "
        "ones.",
    .evidence = "The FORWARD-TSN lists a stream, and every message up to the New Cumulative TSN on it was unordered.",
    .doubt = "Checked only where every TSN from the initial one to the New Cumulative TSN was seen, and no RE-CONFIG: "
        "nothing that the capture lacks explains it. Streams from 1024 on are not checked.");

static bool PR_006_applies(const sctpa_context_t *c)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    return sctpa_forward_tsn_is_readable(chunk) && chunk->captured_bytes > chunk->row->fixed_bytes && c->sent &&
           !c->sent->restarted && sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA) == SCTPA_NO;
}

/* "This field MUST NOT report TSN's corresponding to DATA chunks that are marked as unordered." */
static bool PR_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    int stream = find_unordered(c);
    if (stream < 0)
        return false;
    sctpa_violation_say(violation, "only streams of ordered messages",
                        SCTPA_WORDS("stream %d, on which no ordered message was sent", stream));
    return true;
}

RULE(PR, 007,
    .level = MUST, .since = 3758, .seeing = NOTHING, .needs = BOTH | SETUP | COMPLETE | WHOLE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(FORWARD_TSN) | ROW(I_FORWARD_TSN),
    .accused = "sender of the FORWARD-TSN",
    .clause = "RFC 3758 3.5",
    .title = "Stream of a skipped message not listed",
    .quote = "If the chunk has a valid stream and sequence number, the sender MUST include the stream and sequence "
        "number in the FORWARD TSN.",
    .why = "The receiver waits for the message: the stream hangs.",
    .evidence = "The FORWARD-TSN skips a TSN of an ordered message, and does not list its stream: a TSN that SACKs "
        "reported missing, or the first or last that is skipped and that no SACK acknowledged.",
    .doubt = "TSNs in Gap Ack Blocks need not be listed, nor unordered messages (but those of I-DATA must). A SACK "
        "that was not captured may have acknowledged the TSN: proven where the capture lacks no packet since its first "
        "transmission, or where it alone is skipped: a New Cumulative TSN has no cumulative ack yet.");

static bool PR_007_applies(const sctpa_context_t *c)
{
    return c->skipped.is_compared;
}

/* "If the chunk has a valid stream and sequence number, the sender MUST include the stream and sequence number" */
static bool PR_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!c->skipped.lacks_stream)
        return false;
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->sent, c->skipped.tsn);
    /* Where SACKs are stamped late, all of them are: that it happened twice proves nothing. */
    violation->since = 0;
    violation->is_certain = c->skipped.is_surely_missing;
    violation->related = tsn->last_packet;
    sctpa_violation_say(
        violation, SCTPA_WORDS("stream %u listed", tsn->stream),
        SCTPA_WORDS("not listed, though TSN %u is skipped", sctpa_direction_serial(c->sent, c->skipped.tsn)));
    return true;
}

RULE(PR, 008,
    .level = SHOULD, .since = 3758, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(FORWARD_TSN) | ROW(I_FORWARD_TSN),
    .accused = "sender of the FORWARD-TSN",
    .clause = "RFC 3758 3.5",
    .title = "Stream listed twice",
    .quote = "Each stream SHOULD only be reported once",
    .why = "The receiver does the work twice; a long list may not fit a packet.",
    .evidence = "One FORWARD-TSN lists a stream twice.",
    .doubt = "I-FORWARD-TSN may list a stream once for ordered and once for unordered messages.");

static bool PR_008_applies(const sctpa_context_t *c)
{
    return sctpa_forward_tsn_is_readable(&c->chunk->tlv);
}

/* "Each stream SHOULD only be reported once" */
static bool PR_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    uint32_t unit = chunk->row->unit_bytes, first = chunk->row->fixed_bytes;
    uint32_t end = MIN(chunk->captured_bytes, first + STREAMS_COMPARED * unit);
    for (uint32_t at = first; at + unit <= end; at += unit)
        for (uint32_t other = first; other < at; other += unit)
            if (sctpa_forward_tsn_stream(chunk, at) == sctpa_forward_tsn_stream(chunk, other)) {
                sctpa_violation_say(violation, "each stream once",
                                    SCTPA_WORDS("stream %u twice", sctpa_forward_tsn_stream(chunk, at) & 0xFFFF));
                return true;
            }
    return false;
}

RULE(PR, 009,
    .level = MUST, .since = 3758, .seeing = NOTHING, .needs = BOTH | SETUP | COMPLETE | WHOLE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(FORWARD_TSN) | ROW(I_FORWARD_TSN),
    .accused = "sender of the FORWARD-TSN",
    .clause = "RFC 3758 3.2",
    .title = "Listed sequence number is not the highest skipped",
    .quote = "The stream sequence field holds the largest stream sequence number in this stream being skipped.",
    .why = "The receiver goes on waiting for the higher one: the stream hangs.",
    .report = { .one_defect = true },
    .evidence = "The FORWARD-TSN also skips a TSN of a message with a higher SSN (or MID): one that SACKs reported "
        "missing, or the first or last that is skipped and that no SACK acknowledged. Or it lists a higher number than "
        "that of the last message of the stream up to the New Cumulative TSN, or in I-FORWARD-TSN a stream on which "
        "none was sent.",
    .doubt = "A number above what was sent counts where every TSN from that message on was seen: one that was given up "
        "unsent may belong to any stream. A number that is lower than that, but higher than needed, is not checked: "
        "its message may have been acknowledged. Nor is any number after a RE-CONFIG. PR-006 says it of FORWARD-TSN "
        "without an ordered message.");

static bool PR_009_applies(const sctpa_context_t *c)
{
    return c->skipped.is_compared && (c->skipped.has_listed || c->skipped.is_above_sent);
}

/* The sender's own TSNs show it, whatever the capture lacks. */
static bool is_above_sent(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_skipped_t *skipped = &c->skipped;
    if (!skipped->is_above_sent)
        return false;
    violation->is_certain = true;
    violation->related = skipped->last ? skipped->last->last_packet : SCTPA_NO_PACKET_INDEX;
    const char *numbers = skipped->above_stream >> 16 ? "unordered messages of stream" : "stream";
    uint32_t stream = skipped->above_stream & 0xFFFF;
    sctpa_violation_say(violation,
                        skipped->last ? SCTPA_WORDS("at most %u for %s %u, the last sent up to the New Cumulative TSN",
                                                    skipped->last->ssn, numbers, stream)
                                      : SCTPA_WORDS("no %s %u: none was sent", numbers, stream),
                        SCTPA_WORDS("%s %u up to %u", numbers, stream, skipped->above));
    return true;
}

/* "The stream sequence field holds the largest stream sequence number in this stream being skipped" */
static bool PR_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!c->skipped.lacks_sequence)
        return is_above_sent(c, violation);
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->sent, c->skipped.tsn);
    violation->since = tsn->first_packet;
    violation->is_certain = c->skipped.is_surely_missing;
    violation->related = tsn->last_packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("stream %u up to %u, of TSN %u", tsn->stream, tsn->ssn,
                                    sctpa_direction_serial(c->sent, c->skipped.tsn)),
                        SCTPA_WORDS("up to %u", c->skipped.listed));
    return true;
}

/* May what leaves with the packet have left before a FORWARD-TSN, and been overtaken by it on its way to the tap? */
static bool may_be_overtaken(const sctpa_context_t *c, const sctpa_forward_tsn_t *newest)
{
    int64_t to_sender_ns = MAX(sctpa_context_tap_rtt_most_ns(c, c->from), 0);
    return sctpa_context_least_ns(c, c->packet->time_ns - newest->time_ns) <
           MAX(FORWARD_OVERTAKEN_MS * SCTPA_NS_PER_MS, to_sender_ns);
}

/* The FORWARD-TSN that DATA of the packet, sent to the same address, did not merely get ahead of. NULL: none. */
static const sctpa_forward_tsn_t *forward_tsn_before(const sctpa_context_t *c)
{
    const sctpa_forward_tsn_t *newest = sctpa_newest_forward_tsn(c, c->from);
    const bool is_another = !newest || newest->path != c->path || newest->packet == c->index;
    return is_another || !c->sent || c->sent->restarted || !sctpa_tlv_has(&c->chunk->tlv, SCTPA_F_DATA_TSN) ||
                   (may_be_overtaken(c, newest) && !sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED))
               ? NULL
               : newest;
}

/* What is said of a packet soon after the FORWARD-TSN: a host may have threads that send at the same time. */
static void doubt_order(const sctpa_context_t *c, const sctpa_forward_tsn_t *newest, sctpa_violation_t *violation)
{
    if (!may_be_overtaken(c, newest))
        return;
    violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
}

RULE(PR, 010,
    .level = MUST, .since = 3758, .seeing = NOTHING, .needs = COMPLETE | NEAR | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = FORWARDED,
    .accused = "sender of the data",
    .clause = "RFC 3758 3.5",
    .title = "Part of a message sent after another part was given up",
    .quote = "all other TSN's within that fragmented message MUST be abandoned at the same time",
    .why = "The receiver discards the rest: it takes room on the path for nothing.",
    .evidence = "A FORWARD-TSN ends on a fragment that is not the last of its message and that SACKs reported missing; "
        "at least " SAY(FORWARD_OVERTAKEN_MS) " ms later, or at any time where the capture is asserted to be complete "
        "and taken at the sender, the next fragment leaves, to the same address.",
    .doubt = "A FORWARD-TSN may end inside a message when its next fragment was acknowledged; only what is sent later "
        "counts.");

static bool PR_010_applies(const sctpa_context_t *c)
{
    const sctpa_forward_tsn_t *newest = forward_tsn_before(c);
    return newest && newest->is_inside && c->chunk->sent.tsn &&
           sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_DATA_TSN) == newest->new_cum_tsn + 1;
}

/* "all other TSN's within that fragmented message MUST be abandoned at the same time" */
static bool PR_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_forward_tsn_t *newest = sctpa_newest_forward_tsn(c, c->from);
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    if (tsn->flags & SCTPA_TSN_BEGIN || tsn->stream != newest->stream || tsn->ssn != newest->ssn ||
        (tsn->flags ^ newest->flags) & SCTPA_TSN_UNORDERED)
        return false;
    violation->is_certain = newest->is_surely_missing;
    violation->related = newest->packet;
    doubt_order(c, newest, violation);
    sctpa_violation_say(violation, "the rest of the message given up as well",
                        SCTPA_WORDS("TSN %u of it", newest->new_cum_tsn + 1));
    return true;
}

RULE(PR, 011,
    .level = MUST, .since = 3758, .seeing = NOTHING, .needs = COMPLETE | NEAR | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = FORWARDED,
    .accused = "sender of the data",
    .clause = "RFC 3758 3.5",
    .title = "Data sent after it was given up",
    .quote = "the sender MUST treat the data chunk as being finally acked and no longer outstanding",
    .why = "The receiver discards the data: it takes room on the path for nothing.",
    .evidence = "A TSN at or below the sender's New Cumulative TSN leaves at least " SAY(FORWARD_OVERTAKEN_MS) " "
        "ms, and the RTT from tap to sender, after that FORWARD-TSN, to the same address; probable: at any time after "
        "it, where the capture is asserted to be complete and taken at the sender.",
    .doubt = "Data may be overtaken on its way: checked near the sender, and not on another path.");

static bool PR_011_applies(const sctpa_context_t *c)
{
    return forward_tsn_before(c) != NULL;
}

/* "the sender MUST treat the data chunk as being finally acked and no longer outstanding" */
static bool PR_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_forward_tsn_t *newest = sctpa_newest_forward_tsn(c, c->from);
    uint32_t tsn = sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_DATA_TSN);
    if (sctpa_serial_distance(tsn, newest->new_cum_tsn) < 0)
        return false;
    violation->related = newest->packet;
    doubt_order(c, newest, violation);
    sctpa_violation_say(violation, SCTPA_WORDS("TSNs above %u", newest->new_cum_tsn), SCTPA_WORDS("TSN %u", tsn));
    return true;
}

RULE(PR, 019,
    .level = HEURISTIC, .since = 3758, .seeing = COULD, .needs = SETUP | BOTH | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(ABORT), .certainty = SCTPA_CERTAINTY_PROBABLE,
    .accused = "sender of the ABORT",
    .clause = "RFC 3758 3.6",
    .title = "FORWARD-TSN answered with ABORT (Protocol Violation)",
    .quote = "the receiver MUST follow the same rules as if a DATA chunk had been received",
    .why = "The association ends because a message was given up, as was negotiated.",
    .evidence = "ABORT with cause 13 (Protocol Violation) is the packet after a FORWARD-TSN of the peer that moves its "
        "New Cumulative TSN on, and both endpoints announced that they support it.",
    .doubt = "A packet before the FORWARD-TSN may have violated something: why an endpoint aborts is known to itself "
        "only.");

/* Where user messages are interleaved the receiver of a FORWARD-TSN must abort, as elsewhere that of an I-FORWARD-TSN
 * (RFC 8260 2.3.1). */
static bool PR_019_applies(const sctpa_context_t *c)
{
    const sctpa_forward_tsn_t *newest = sctpa_newest_forward_tsn(c, !c->from);
    return newest && newest->packet + 1 == c->index &&
           sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA) == (newest->is_i ? SCTPA_YES : SCTPA_NO) &&
           sctpa_offers(&c->assoc->ends[c->from].init, SCTPA_EXTENSION_PARTIAL_RELIABILITY) == SCTPA_YES &&
           sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_PARTIAL_RELIABILITY) == SCTPA_YES;
}

/* "the receiver MUST follow the same rules as if a DATA chunk had been received" */
static bool PR_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!sctpa_tlv_has_cause(&c->chunk->tlv, SCTPA_CAUSE_PROTOCOL_VIOLATION))
        return false;
    const sctpa_forward_tsn_t *newest = sctpa_newest_forward_tsn(c, !c->from);
    violation->related = newest->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("SACK of TSN %u", newest->new_cum_tsn), "ABORT (Protocol Violation)");
    return true;
}

RULE(PR, 023,
    .level = MUST, .since = 3758, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(FORWARD_TSN),
    .accused = "sender of the FORWARD-TSN",
    .clause = "RFC 3758 3.3.1, 3.3.2",
    .title = "FORWARD-TSN by an endpoint that did not announce it",
    .quote = "It MUST instead act as if it does NOT support the FORWARD TSN chunk",
    .why = "The peer may report the chunk, or skip it: what was given up is missing for ever, and the association "
        "stalls.",
    .evidence = "FORWARD-TSN, although the sender's own INIT or INIT ACK has neither Forward-TSN-Supported nor 0xC0 "
        "among the Supported Extensions: \"at no time during the life of the association can it send or process a "
        "FORWARD TSN\".",
    .doubt = "Either announcement counts; it must have been captured whole.");

static bool PR_023_applies(const sctpa_context_t *c)
{
    return c->assoc->ends[c->from].init.whole;
}

/* "It MUST instead act as if it does NOT support the FORWARD TSN chunk" */
static bool PR_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_offers(&c->assoc->ends[c->from].init, SCTPA_EXTENSION_PARTIAL_RELIABILITY) != SCTPA_NO)
        return false;
    sctpa_violation_say(violation, "no FORWARD-TSN: its sender did not announce it", "FORWARD-TSN");
    return true;
}

/* "the data receiver MUST first update its cumulative TSN point"; "for the purposes of sending a SACK, the receiver
 * MUST follow the same rules as if a DATA chunk had been received" */
RULE(PR, 014,
    .level = MUST, .since = 3758, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(FORWARD_TSN) | ROW(I_FORWARD_TSN),
    .accused = "receiver of the FORWARD-TSN",
    .clause = "RFC 3758 3.6",
    .title = "FORWARD-TSN not acknowledged",
    .quote = "the data receiver MUST first update its cumulative TSN point to the value carried in the FORWARD TSN "
        "chunk",
    .why = "The sender repeats its FORWARD-TSN, and the window stays full of what was given up.",
    .evidence = SCTPA_COUNTED_EVIDENCE " An answer is a SACK or SHUTDOWN whose Cumulative TSN Ack is the New "
        "Cumulative TSN or higher: \"the receiver MUST follow the same rules as if a DATA chunk had been received\".",
    .doubt = SCTPA_OWED_DOUBT " Not checked where it skips more than 1024 TSNs or lists a stream that does not exist: "
        "some receivers take it for an attack.");

RULE(PR, 024,
    .level = MUST, .since = 3758, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(FORWARD_TSN),
    .accused = "receiver of the FORWARD-TSN",
    .clause = "RFC 3758 3.3.1, 3.3.2",
    .title = "FORWARD-TSN that was not announced is not reported",
    .quote = "It MUST instead act as if it does NOT support the FORWARD TSN chunk, returning an ERROR to the peer upon "
        "receipt of any FORWARD TSN.",
    .why = "The peer goes on with partial reliability, which the endpoint does not follow: data that was given up "
        "blocks all that comes behind.",
    .evidence = SCTPA_OWED_EVIDENCE " The endpoint's own INIT or INIT ACK has neither Forward-TSN-Supported nor 0xC0 "
        "among the Supported Extensions.",
    .doubt = SCTPA_OWED_DOUBT);

/* "If a FORWARD TSN is sent, the sender MUST assure that at least one T3-rtx timer is running." */
RULE(PR, 025,
    .level = SHOULD, .since = 3758, .seeing = COULD, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(FORWARD_TSN) | ROW(I_FORWARD_TSN),
    .report = { .one_defect = true },
    .accused = "sender of the FORWARD-TSN",
    .clause = "RFC 3758 3.5 A5, C3, C5",
    .title = "FORWARD-TSN not repeated",
    .quote = "the sender SHOULD try to advance the \"Advanced.Peer.Ack.Point\" by following the procedures outlined in "
        "C2 - C5",
    .why = "One lost packet and the receiver waits for what was given up, for ever.",
    .evidence = SCTPA_TIMER_EVIDENCE " Acks of something new restart the timer, which counts as RTO.Max. Or a SACK "
        "stays below its New Cumulative TSN, as the ones before did, two round trips and more after it, and the "
        "FORWARD-TSN does not follow within " SAY(SCTPA_SACK_LONGEST_MS) " ms: it must at each SACK, or at every other "
        "one, or once in a round trip.",
    .doubt = SCTPA_TIMER_DOUBT);

/* Data matters once its sender has given some up. */
void sctpa_check_pr_sctp(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(PR, 025, T3_FORWARD_TSN);
        ASK_DUE(PR, 025, FORWARD_TSN_AGAIN);
        ASK_DUE(PR, 014, FORWARD_TSN);
        ASK_DUE(PR, 024, STRANGE_FORWARD_TSN);
        return;
    }
    sctpa_forward_tsns_compare(c);
    if (!(c->facts & (SCTPA_FACT_CONTROL | SCTPA_FACT_FORWARDED)))
        return;
    ASK(PR, 001);
    ASK(PR, 002);
    ASK(PR, 003);
    ASK(PR, 004);
    ASK(PR, 006);
    ASK(PR, 007);
    ASK(PR, 008);
    ASK(PR, 009);
    ASK(PR, 010);
    ASK(PR, 011);
    ASK(PR, 019);
    ASK(PR, 023);
    sctpa_forward_tsns_take(c);
}
