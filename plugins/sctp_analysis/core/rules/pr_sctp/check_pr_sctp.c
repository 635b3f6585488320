/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of partial reliability (RFC 3758): FORWARD-TSN, what it must list and what it ends. Leaves whether
 * I-FORWARD-TSN may be used to check_idata.c. */
#include "rules/rule_functions.h"

#include "reference/sender/forward_tsns.h"
#include "reference/sender/message_order.h"
#include "pr_sctp_limits.h"

enum { STREAMS_COMPARED = 64 };

bool sctpa_PR_001_applies(const sctpa_context_t *c)
{
    return c->assoc->ends[!c->from].init.whole;
}

/* "MUST NOT send a FORWARD TSN chunk at any time during the associations life" */
bool sctpa_PR_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_PARTIAL_RELIABILITY) != SCTPA_NO)
        return false;
    sctpa_violation_say(violation, "no FORWARD-TSN: the peer did not announce it", "FORWARD-TSN");
    return true;
}

bool sctpa_PR_002_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "Length = Variable" */
bool sctpa_PR_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_tlv_is_well_formed(&c->chunk->tlv))
        return false;
    sctpa_violation_say(violation, "8 bytes, and 4 for each stream", SCTPA_WORDS("length %u", c->chunk->tlv.length));
    return true;
}

bool sctpa_PR_003_applies(const sctpa_context_t *c)
{
    return sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(FORWARD_TSN_SUPPORTED);
}

/* "Indicates the size of the parameter, i.e., 4." */
bool sctpa_PR_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

bool sctpa_PR_004_applies(const sctpa_context_t *c)
{
    return sctpa_forward_tsn_is_readable(&c->chunk->tlv) && c->sent && !c->sent->restarted && c->sent->highest >= 0;
}

/* "a particular data chunk that has already been assigned a TSN" */
bool sctpa_PR_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t highest = sctpa_direction_serial(c->sent, c->sent->highest);
    uint32_t new_cum_tsn = sctpa_forward_tsn_new_cum(&c->chunk->tlv);
    if (sctpa_serial_distance(highest, new_cum_tsn) <= SCTPA_FORWARD_AHEAD_TSNS)
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

bool sctpa_PR_006_applies(const sctpa_context_t *c)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    return sctpa_forward_tsn_is_readable(chunk) && chunk->captured_bytes > chunk->row->fixed_bytes && c->sent &&
           !c->sent->restarted && sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA) == SCTPA_NO;
}

/* "This field MUST NOT report TSN's corresponding to DATA chunks that are marked as unordered." */
bool sctpa_PR_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    int stream = find_unordered(c);
    if (stream < 0)
        return false;
    sctpa_violation_say(violation, "only streams of ordered messages",
                        SCTPA_WORDS("stream %d, on which no ordered message was sent", stream));
    return true;
}

bool sctpa_PR_007_applies(const sctpa_context_t *c)
{
    return c->skipped.is_compared;
}

/* "If the chunk has a valid stream and sequence number, the sender MUST include the stream and sequence number" */
bool sctpa_PR_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

bool sctpa_PR_008_applies(const sctpa_context_t *c)
{
    return sctpa_forward_tsn_is_readable(&c->chunk->tlv);
}

/* "Each stream SHOULD only be reported once" */
bool sctpa_PR_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

bool sctpa_PR_009_applies(const sctpa_context_t *c)
{
    return c->skipped.is_compared && c->skipped.has_listed;
}

/* "The stream sequence field holds the largest stream sequence number in this stream being skipped" */
bool sctpa_PR_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!c->skipped.lacks_sequence)
        return false;
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

/* The FORWARD-TSN that DATA of the packet, sent to the same address, did not merely get ahead of. NULL: none. */
static const sctpa_forward_tsn_t *forward_tsn_before(const sctpa_context_t *c)
{
    const sctpa_forward_tsn_t *newest = sctpa_newest_forward_tsn(c, c->from);
    if (!newest || newest->path != c->path || !c->sent || c->sent->restarted ||
        !sctpa_tlv_has(&c->chunk->tlv, SCTPA_F_DATA_TSN))
        return NULL;
    int64_t to_sender_ns = MAX(sctpa_context_tap_rtt_most_ns(c, c->from), 0);
    return sctpa_context_least_ns(c, c->packet->time_ns - newest->time_ns) <
                   MAX(SCTPA_FORWARD_OVERTAKEN_MS * SCTPA_NS_PER_MS, to_sender_ns)
               ? NULL
               : newest;
}

bool sctpa_PR_010_applies(const sctpa_context_t *c)
{
    const sctpa_forward_tsn_t *newest = forward_tsn_before(c);
    return newest && newest->is_inside && c->chunk->sent.tsn &&
           sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_DATA_TSN) == newest->new_cum_tsn + 1;
}

/* "all other TSN's within that fragmented message MUST be abandoned at the same time" */
bool sctpa_PR_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_forward_tsn_t *newest = sctpa_newest_forward_tsn(c, c->from);
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    if (tsn->flags & SCTPA_TSN_BEGIN || tsn->stream != newest->stream || tsn->ssn != newest->ssn ||
        (tsn->flags ^ newest->flags) & SCTPA_TSN_UNORDERED)
        return false;
    violation->is_certain = newest->is_surely_missing;
    violation->related = newest->packet;
    sctpa_violation_say(violation, "the rest of the message given up as well",
                        SCTPA_WORDS("TSN %u of it", newest->new_cum_tsn + 1));
    return true;
}

bool sctpa_PR_011_applies(const sctpa_context_t *c)
{
    return forward_tsn_before(c) != NULL;
}

/* "the sender MUST treat the data chunk as being finally acked and no longer outstanding" */
bool sctpa_PR_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_forward_tsn_t *newest = sctpa_newest_forward_tsn(c, c->from);
    uint32_t tsn = sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_DATA_TSN);
    if (sctpa_serial_distance(tsn, newest->new_cum_tsn) < 0)
        return false;
    violation->related = newest->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("TSNs above %u", newest->new_cum_tsn), SCTPA_WORDS("TSN %u", tsn));
    return true;
}

/* Where user messages are interleaved the receiver of a FORWARD-TSN must abort, as elsewhere that of an I-FORWARD-TSN
 * (RFC 8260 2.3.1). */
bool sctpa_PR_019_applies(const sctpa_context_t *c)
{
    const sctpa_forward_tsn_t *newest = sctpa_newest_forward_tsn(c, !c->from);
    return newest && newest->packet + 1 == c->index &&
           sctpa_negotiated(c->assoc, SCTPA_EXTENSION_I_DATA) == (newest->is_i ? SCTPA_YES : SCTPA_NO) &&
           sctpa_offers(&c->assoc->ends[c->from].init, SCTPA_EXTENSION_PARTIAL_RELIABILITY) == SCTPA_YES &&
           sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_PARTIAL_RELIABILITY) == SCTPA_YES;
}

/* "the receiver MUST follow the same rules as if a DATA chunk had been received" */
bool sctpa_PR_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!sctpa_context_has_cause(c, SCTPA_CAUSE_PROTOCOL_VIOLATION))
        return false;
    const sctpa_forward_tsn_t *newest = sctpa_newest_forward_tsn(c, !c->from);
    violation->related = newest->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("SACK of TSN %u", newest->new_cum_tsn), "ABORT (Protocol Violation)");
    return true;
}

bool sctpa_PR_023_applies(const sctpa_context_t *c)
{
    return c->assoc->ends[c->from].init.whole;
}

/* "It MUST instead act as if it does NOT support the FORWARD TSN chunk" */
bool sctpa_PR_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_offers(&c->assoc->ends[c->from].init, SCTPA_EXTENSION_PARTIAL_RELIABILITY) != SCTPA_NO)
        return false;
    sctpa_violation_say(violation, "no FORWARD-TSN: its sender did not announce it", "FORWARD-TSN");
    return true;
}
