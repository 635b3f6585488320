/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about DATA chunk by chunk: streams, retransmissions. Leaves the order of TSNs to check_sender_order.c, the
 * peer's window to check_sender_window.c, the first DATA to check_sender_first_data.c. */
#include "rules/rule_functions.h"

#include "reference/sender/sack_receipts.h"
#include "reference/stream_counts.h"
#include "sender_limits.h"

static uint32_t serial_of(const sctpa_context_t *c)
{
    return c->sent->initial_tsn + (uint32_t)c->chunk->sent.number;
}

/* The TSN of the chunk that is a retransmission, NULL: it is none. */
static const sctpa_tsn_t *retransmitted(const sctpa_context_t *c)
{
    return sctpa_observed_is_new(c->chunk) ? NULL : c->chunk->sent.tsn;
}

bool sctpa_TX_017_applies(const sctpa_context_t *c)
{
    return c->first_data && sctpa_observed_is_new(c->first_data) &&
           !(c->first_data->sent.tsn->state & SCTPA_TSN_BEHIND) && !c->tracked->rare->icmp_seen &&
           c->packet->encapsulation == SCTPA_OVER_IP;
}

/* RFC 9260 6.9: "it MUST fragment a user message if the size of the user message to be sent causes the outbound SCTP
 * packet size to exceed the current PMTU." */
bool sctpa_TX_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint32_t pmtu_asserted = SCTPA_ASSERTED(PMTU);
    int64_t pmtu_bytes = sctpa_tap_parameter(&c->reference->tap, c->from, SCTPA_PARAMETER_PMTU, 0);
    bool is_asserted = sctpa_context_is_asserted(c, pmtu_asserted);
    if (!c->packet->fragmented || (is_asserted && c->packet->ip_bytes <= pmtu_bytes))
        return false;
    violation->path = c->path;
    violation->rests_on = is_asserted ? pmtu_asserted : 0;
    violation->at_best = is_asserted ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_POSSIBLE;
    sctpa_violation_say(violation, "a message cut into DATA chunks that fit the PMTU",
                        SCTPA_WORDS("an IP packet of %u bytes in fragments, with new data", c->packet->ip_bytes));
    return true;
}

bool sctpa_TX_002_applies(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = retransmitted(c);
    return tsn &&
           g_array_index(c->tracker->records, sctpa_record_t, tsn->first_packet).checksum == SCTPA_CHECKSUM_CRC32C &&
           (c->chunk->tlv.type == SCTPA_CHUNK_I_DATA) == !!(tsn->flags & SCTPA_TSN_I_DATA);
}

/* RFC 9260 6.9: "assign, in sequence, a separate TSN to each of the DATA chunks in the series" */
bool sctpa_TX_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    bool i_data = chunk->type == SCTPA_CHUNK_I_DATA;
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(c->chunk, c->sent);
    if (!rtx->is_other_message)
        return false;
    violation->path = c->path;
    violation->related = tsn->first_packet;
    if (!rtx->has_other_head) {
        sctpa_violation_say(
            violation, "the user data of the first transmission",
            SCTPA_WORDS("other user data in TSN %u retransmitted", sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN)));
        return true;
    }
    sctpa_violation_say(violation,
                        SCTPA_WORDS("stream %u, number %u, flags 0x%02x, PPID or FSN %u, %u bytes", tsn->stream,
                                    tsn->ssn, tsn->flags & 7, tsn->ppid, tsn->bytes),
                        SCTPA_WORDS("stream %u, flags 0x%02x, %u bytes in TSN %u retransmitted",
                                    sctpa_tlv_u32(chunk, i_data ? SCTPA_F_I_DATA_SID : SCTPA_F_DATA_SID),
                                    chunk->flags & 7u, sctpa_chunk_payload_bytes(chunk),
                                    sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN)));
    return true;
}

bool sctpa_TX_011_applies(const sctpa_context_t *c)
{
    if (!c->chunk->sent.tsn)
        return false;
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    return sctpa_stream_counts_agreed(&counts, c->from) > 0 && !counts.reconfigured;
}

/* RFC 9260 5.1.1: "MUST be 0 to min(local OS, remote MIS) - 1" */
bool sctpa_TX_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    unsigned streams = sctpa_stream_counts_agreed(&counts, c->from);
    unsigned stream = sctpa_tlv_u32(chunk, chunk->type == SCTPA_CHUNK_I_DATA ? SCTPA_F_I_DATA_SID : SCTPA_F_DATA_SID);
    if (stream < streams)
        return false;
    violation->path = c->path;
    violation->is_certain = sctpa_negotiated(c->assoc, SCTPA_EXTENSION_RE_CONFIG) == SCTPA_NO;
    sctpa_violation_say(violation, SCTPA_WORDS("streams 0 to %u", streams - 1), SCTPA_WORDS("stream %u", stream));
    return true;
}

bool sctpa_TX_018_applies(const sctpa_context_t *c)
{
    sctpa_sack_receipt_t receipt;
    return retransmitted(c) && sctpa_sack_receipt(c, c->from, &receipt);
}

/* RFC 9260 6.7: "MUST remove all DATA chunks that have been acknowledged by the SACK chunk's Cumulative TSN Ack from
 * its transmit queue" */
bool sctpa_TX_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    sctpa_sack_receipt_t receipt;
    if (!sctpa_sack_receipt(c, c->from, &receipt))
        return false;
    int64_t since_ns = c->packet->time_ns - receipt.since_ns;
    if (c->chunk->sent.number > receipt.cum_tsn || tsn->ack_packet >= c->index ||
        sctpa_context_least_ns(c, since_ns) < sctpa_context_under_way_ns(c))
        return false;
    violation->path = c->path;
    violation->related = tsn->ack_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("no TSN up to %u", c->sent->initial_tsn + (uint32_t)receipt.cum_tsn),
                        SCTPA_WORDS("TSN %u retransmitted %.3f s after its acknowledgement had arrived", serial_of(c),
                                    (double)since_ns / 1e9));
    return true;
}

bool sctpa_TX_019_applies(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = retransmitted(c);
    return tsn && !(tsn->state & (SCTPA_TSN_RENEGED | SCTPA_TSN_ACKED | SCTPA_TSN_LATE)) &&
           sctpa_direction_tells_reneging(c->sent);
}

/* RFC 9260 6.2.1: "SCTP considers the information carried in the Gap Ack Blocks in the SACK chunk as advisory" */
bool sctpa_TX_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    if (!(tsn->state & SCTPA_TSN_GAP_ACKED) || tsn->gap_packet >= c->index)
        return false;
    const sctpa_records_t *sacks = &c->sent->sacks;
    uint32_t since =
        sacks->len - sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), tsn->gap_packet);
    int64_t since_ns = c->packet->time_ns - sctpa_context_time_ns(c, tsn->gap_packet);
    if (since < SCTPA_GAP_SACKS || sctpa_context_least_ns(c, since_ns) < sctpa_context_under_way_ns(c))
        return false;
    violation->path = c->path;
    violation->related = tsn->gap_packet;
    sctpa_violation_say(
        violation, "the TSNs that the Gap Ack Blocks leave out",
        SCTPA_WORDS("TSN %u retransmitted %.3f s after a Gap Ack Block held it", serial_of(c), (double)since_ns / 1e9));
    return true;
}

bool sctpa_TX_027_applies(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = retransmitted(c);
    return tsn && !(tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED | SCTPA_TSN_ABANDONED));
}

/* In how many of the pauses between the last transmissions of a TSN was other data newly acknowledged? */
static unsigned answered_between(const sctpa_context_t *c, const sctpa_tsn_t *tsn)
{
    const sctpa_direction_t *sent = c->sent;
    const sctpa_records_t *acked = &sent->acked;
    int64_t round_trip_ns = sctpa_context_srtt_ns(c) * SCTPA_PAUSE_HALF_ROUND_TRIPS / 2;
    unsigned n = 0, left = SCTPA_TIMES_AGAIN;
    const sctpa_rtx_t *rtx;
    for (uint32_t at = tsn->more; at > 0 && left > 0; at = rtx->link.before, left--) {
        rtx = sctpa_direction_rtx(sent, at);
        uint32_t first = sctpa_records_from(acked->data, acked->len, sizeof(sctpa_acked_t), rtx->previous);
        n += rtx->kind != SCTPA_RTX_PROBE &&
             sctpa_context_time_ns(c, rtx->packet) - sctpa_context_time_ns(c, rtx->previous) > round_trip_ns &&
             first < acked->len && SCTPA_RECORD(acked, sctpa_acked_t, first).packet < rtx->packet;
    }
    return n;
}

/* RFC 9260 6.3.3: "Determine how many of the earliest (i.e., lowest TSN) outstanding DATA chunks for the address for
 * which the T3-rtx has expired will fit into a single SCTP packet" */
bool sctpa_TX_027_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn;
    if (tsn->transmissions < SCTPA_TIMES_AGAIN || answered_between(c, tsn) < SCTPA_PAUSES_ANSWERED)
        return false;
    violation->path = c->path;
    violation->related = tsn->first_packet;
    sctpa_violation_say(violation, "delivery after a few transmissions, as for other TSNs",
                        SCTPA_WORDS("TSN %u sent %u times, %u bytes", serial_of(c), tsn->transmissions, tsn->bytes));
    return true;
}

bool sctpa_TX_028_applies(const sctpa_context_t *c)
{
    const sctpa_tsn_t *tsn = retransmitted(c);
    return tsn && !(tsn->state & (SCTPA_TSN_RENEGED | SCTPA_TSN_ACKED | SCTPA_TSN_LATE | SCTPA_TSN_REPORTED)) &&
           c->sent->paths.len <= 1 && sctpa_direction_tells_reneging(c->sent);
}

/* RFC 9260 7.2.4: "Determine how many of the earliest (i.e., lowest TSN) DATA chunks marked for retransmission will
 * fit" */
bool sctpa_TX_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tsn_t *tsn = c->chunk->sent.tsn, *lowest = sctpa_context_tsn(c->sent, c->sent->cum_tsn + 1);
    if (!(tsn->state & SCTPA_TSN_GAP_ACKED) || tsn->gap_packet >= c->index || !lowest || lowest->transmissions != 1 ||
        lowest->state & (SCTPA_TSN_GAP_ACKED | SCTPA_TSN_ABANDONED | SCTPA_TSN_EARLIER_UNSEEN))
        return false;
    violation->path = c->path;
    violation->related = lowest->first_packet;
    sctpa_violation_say(
        violation, SCTPA_WORDS("TSN %u retransmitted first", sctpa_direction_serial(c->sent, c->sent->cum_tsn + 1)),
        SCTPA_WORDS("TSN %u, which a Gap Ack Block held", serial_of(c)));
    return true;
}
