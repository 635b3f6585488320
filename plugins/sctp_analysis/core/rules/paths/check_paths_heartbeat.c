/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of heartbeats and their answers. */
#include "reference/requests/paths.h"
#include "rules/rule_functions.h"
#include "paths_limits.h"

enum {
    NONCE_BYTES = 8,
    ACKED_LOOK_BACK = 16 /* SACKs */
};

bool sctpa_PM_001_applies(const sctpa_context_t *c)
{
    const sctpa_heartbeats_t *before = sctpa_heartbeats_before(c);
    return before && (!before->is_open || sctpa_heartbeat_is_answered_otherwise(c, before));
}

/* Can the answer with other contents be one to no other HEARTBEAT? All that its receiver sent since two to the path
 * were answered rightly passed the tap, and it is no answer to the last of these again. */
static bool is_answer_to_none(const sctpa_context_t *c, const sctpa_heartbeats_t *before)
{
    return before->answered_before != SCTPA_NO_PACKET_INDEX && before->other_hash != before->hash_before &&
           sctpa_tap_sent_all(&c->reference->tap, c->from, before->answered_before, c->index) == SCTPA_YES;
}

/* "This field MUST contain the Heartbeat Info parameter [...] of the Heartbeat Request" */
bool sctpa_PM_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_heartbeats_t *before = sctpa_heartbeats_before(c);
    bool is_certain = before->is_open && is_answer_to_none(c, before);
    if (!before->is_open || (!is_certain && before->others + 1 < SCTPA_WRONG_ECHOES))
        return false;
    violation->is_certain = is_certain;
    violation->related = before->other_packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("the Heartbeat Info of frame %u", sctpa_context_frame(c, before->packet)),
                        before->others > 0 ? SCTPA_WORDS("other bytes, %u times in a row", before->others + 1)
                                           : "other bytes, which no HEARTBEAT held");
    return true;
}

bool sctpa_PM_002_applies(const sctpa_context_t *c)
{
    const sctpa_end_t *peer = &c->assoc->ends[!c->from];
    const sctpa_heartbeats_t *before = sctpa_heartbeats_before(c);
    bool is_closing = sctpa_context_chunks(c, !c->from, SCTPA_CHUNK_ROW_SHUTDOWN) ||
                      sctpa_context_chunks(c, !c->from, SCTPA_CHUNK_ROW_SHUTDOWN_ACK) ||
                      sctpa_context_chunks(c, !c->from, SCTPA_CHUNK_ROW_ABORT);
    return before && c->sent && !is_closing && !(peer->init.auth_chunks & SCTPA_ROW(HEARTBEAT)) &&
           sctpa_heartbeat_is_plain(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_HEARTBEAT));
}

/* Did the peer get data from the path and answer to the last HEARTBEAT's source since then? */
static bool is_alive(const sctpa_context_t *c, const sctpa_heartbeats_t *before)
{
    const sctpa_end_t *own = &c->assoc->ends[c->from], *peer = &c->assoc->ends[!c->from];
    const sctpa_addr_t *source = own->pairs[before->pair]->source;
    for (uint32_t i = c->sent->acked.len, n = 0; i > 0 && n < ACKED_LOOK_BACK; i--, n++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(&c->sent->acked, sctpa_acked_t, i - 1);
        const sctpa_record_t *data = sctpa_context_record(c, acked->last_packet),
                             *answer = sctpa_context_record(c, acked->packet);
        if (acked->packet <= before->packet)
            return false;
        if (acked->first_packet > before->packet && data->from == c->from && data->path == c->path &&
            answer->from != c->from && answer->pair < peer->n_pairs &&
            sctpa_addr_equal(peer->pairs[answer->pair]->destination, source))
            return true;
    }
    return false;
}

/* "A receiver of a HEARTBEAT chunk MUST respond to a HEARTBEAT chunk with a HEARTBEAT ACK chunk" */
bool sctpa_PM_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_heartbeats_t *before = sctpa_heartbeats_before(c);
    uint32_t unanswered = sctpa_heartbeats_unanswered(c, c->from, c->path);
    if (unanswered < SCTPA_HEARTBEATS_UNANSWERED || !is_alive(c, before))
        return false;
    violation->related = violation->since = before->first_unanswered;
    sctpa_violation_say(
        violation, "HEARTBEAT ACK",
        SCTPA_WORDS("%u HEARTBEATs in a row unanswered while data of the same path is acknowledged", unanswered));
    return true;
}

bool sctpa_PM_003_applies(const sctpa_context_t *c)
{
    const sctpa_heartbeats_t *sent = sctpa_heartbeats_answered(c, &c->chunk->tlv);
    return sent && sent->is_open && c->acked;
}

/* The first SACK of the last ones for data that was sent once, behind the HEARTBEAT and to the same address;
 * SCTPA_NO_PACKET_INDEX none. O(ACKED_LOOK_BACK). */
static uint32_t sack_of_later_data(const sctpa_context_t *c, const sctpa_heartbeats_t *sent)
{
    const uint16_t path = sctpa_context_record(c, sent->packet)->path;
    uint32_t found = SCTPA_NO_PACKET_INDEX;
    for (uint32_t i = c->acked->acked.len, n = 0; i > 0 && n < ACKED_LOOK_BACK; i--, n++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(&c->acked->acked, sctpa_acked_t, i - 1);
        if (acked->packet <= sent->packet)
            break;
        if (acked->oldest_packet != SCTPA_NO_PACKET_INDEX && acked->oldest_packet > sent->packet &&
            sctpa_context_record(c, acked->oldest_packet)->path == path)
            found = acked->packet;
    }
    return found;
}

/* "SHOULD immediately respond with a HEARTBEAT ACK chunk" */
bool sctpa_PM_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_heartbeats_t *sent = sctpa_heartbeats_answered(c, &c->chunk->tlv);
    uint32_t sack = sack_of_later_data(c, sent);
    int64_t late_ns = sack == SCTPA_NO_PACKET_INDEX ? 0 : sctpa_context_least_since_ns(c, sack);
    if (late_ns <= SCTPA_HEARTBEAT_ACK_LATE_MS * SCTPA_NS_PER_MS)
        return false;
    violation->path = c->path;
    violation->since = violation->related = sent->packet;
    sctpa_violation_say(violation, "HEARTBEAT ACK before the SACK for what was sent behind the HEARTBEAT",
                        SCTPA_WORDS("%.1f ms after it", (double)late_ns / 1e6));
    return true;
}

bool sctpa_PM_004_applies(const sctpa_context_t *c)
{
    return sctpa_heartbeats_answered(c, &c->chunk->tlv) != NULL;
}

/* "always sent to the source IP address of the IP datagram containing the HEARTBEAT chunk" */
bool sctpa_PM_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_heartbeats_t *sent = sctpa_heartbeats_answered(c, &c->chunk->tlv);
    const sctpa_addr_t *source = c->assoc->ends[!c->from].pairs[sent->pair]->source;
    if (sctpa_addr_equal(source, &c->packet->destination))
        return false;
    violation->path = c->path;
    violation->related = sent->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("HEARTBEAT ACK to %s", sctpa_addr_words(source).text),
                        SCTPA_WORDS("to %s", sctpa_addr_words(&c->packet->destination).text));
    return true;
}

bool sctpa_PM_005_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* Table 9: "Heartbeat Info | Mandatory | 1" */
bool sctpa_PM_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(HEARTBEAT_INFO))
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "a Heartbeat Info parameter",
                        SCTPA_WORDS("none in a HEARTBEAT of %u bytes", c->chunk->tlv.wire_bytes));
    return true;
}

bool sctpa_PM_006_applies(const sctpa_context_t *c)
{
    return sctpa_path_is_confirmed(c, c->from, c->path) == SCTPA_NO &&
           sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(HEARTBEAT_INFO);
}

/* "it MUST include a random nonce of length 64 bits or longer" */
bool sctpa_PM_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *info = sctpa_context_param(c, SCTPA_PARAM_ROW_HEARTBEAT_INFO);
    if (info->length >= SCTPA_TLV_HEADER_BYTES + NONCE_BYTES)
        return false;
    violation->path = c->path;
    sctpa_violation_say(
        violation, "Heartbeat Info of 8 bytes or more",
        SCTPA_WORDS("%d bytes, to an address that is not confirmed", (int)info->length - SCTPA_TLV_HEADER_BYTES));
    return true;
}

bool sctpa_PM_009_applies(const sctpa_context_t *c)
{
    const sctpa_heartbeats_t *before = sctpa_heartbeats_before(c);
    return before && sctpa_heartbeats_even(c, before).n > 0;
}

/* "it is RECOMMENDED that a HEARTBEAT chunk is sent once per RTO of that destination address plus the protocol
 * parameter 'HB.interval', with jittering of +/- 50% of the RTO value" */
bool sctpa_PM_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_heartbeats_t *before = sctpa_heartbeats_before(c);
    sctpa_even_intervals_t even = sctpa_heartbeats_even(c, before);
    if (even.n != SCTPA_EVEN_INTERVALS)
        return false;
    violation->path = c->path;
    violation->related = before->packet;
    sctpa_violation_say(violation, "intervals that vary by half the RTO in either direction",
                        SCTPA_WORDS("%d intervals between %.4f and %.4f s", SCTPA_EVEN_INTERVALS,
                                    (double)even.least_ns / (double)SCTPA_NS_PER_S,
                                    (double)even.most_ns / (double)SCTPA_NS_PER_S));
    return true;
}

bool sctpa_PM_011_applies(const sctpa_context_t *c)
{
    (void)c;
    return true;
}

/* "is discontinued after sending either a SHUTDOWN chunk or SHUTDOWN ACK chunk" */
bool sctpa_PM_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool has_closed = sctpa_context_chunks(c, c->from, SCTPA_CHUNK_ROW_SHUTDOWN) > 0 ||
                      sctpa_context_chunks(c, c->from, SCTPA_CHUNK_ROW_SHUTDOWN_ACK) > 0;
    if (!has_closed || c->rows & (SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK)))
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "no HEARTBEAT after SHUTDOWN or SHUTDOWN ACK", "HEARTBEAT");
    return true;
}

bool sctpa_PM_029_applies(const sctpa_context_t *c)
{
    const sctpa_heartbeats_t *before = sctpa_heartbeats_before(c);
    return before && sctpa_heartbeats_growing(c, before).n > 0;
}

/* "with jittering of +/- 50% of the RTO value and exponential backoff of the RTO if the previous HEARTBEAT chunk is
 * unanswered" */
bool sctpa_PM_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_heartbeats_t *before = sctpa_heartbeats_before(c);
    sctpa_growing_intervals_t growing = sctpa_heartbeats_growing(c, before);
    if (growing.n < SCTPA_GROWING_INTERVALS ||
        sctpa_context_least_ns(c, growing.last_ns - growing.first_ns) <= SCTPA_GROWN_RTOS * sctpa_path_rto_usual_ns(c))
        return false;
    violation->path = c->path;
    violation->related = before->packet;
    violation->since = growing.packet;
    sctpa_violation_say(violation, "intervals of HB.interval and an RTO, give or take half of it",
                        SCTPA_WORDS("%u intervals that grow from %.3f to %.3f s, each HEARTBEAT answered", growing.n,
                                    (double)growing.first_ns / (double)SCTPA_NS_PER_S,
                                    (double)growing.last_ns / (double)SCTPA_NS_PER_S));
    return true;
}
