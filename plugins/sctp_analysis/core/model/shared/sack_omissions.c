/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares SACKs with what surely came. */
#include "sack_omissions.h"

#include "sack_answers.h"

enum { TSNS_LOOKED_AT = 128 /* of a packet: more do not fit in 1,500 bytes with user data */ };

static const sctpa_receiver_t *own(const sctpa_context_t *c)
{
    return c->receivers[c->from];
}

bool sctpa_sack_is_comparable(const sctpa_context_t *c)
{
    if (!sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED))
        return false;
    const bool is_sack = c->n_sacks == 1 && c->sack.complete && sctpa_sack_is(c, SCTPA_SACK_SINGLE);
    const bool is_shutdown = c->n_sacks == 0 && c->rows & SCTPA_ROW(SHUTDOWN) && c->acked && !c->acked->restarted &&
                             sctpa_tap_is_on_all_ways(&c->reference->tap, c->tracked, c->from);
    return is_sack || is_shutdown;
}

/* What the packet says as its sender's last SACK or SHUTDOWN. */
static sctpa_sack_t said(const sctpa_context_t *c)
{
    const sctpa_tlv_t *shutdown = c->n_sacks == 0 ? sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN) : NULL;
    return shutdown ? (sctpa_sack_t){ .cum_tsn = sctpa_tlv_u32(shutdown, SCTPA_F_SHUTDOWN_CUM_TSN) } : c->sack;
}

/* Has the receiver announced that it has room for all that is outstanding, now and before? */
static bool has_room(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before;
    uint64_t least = before ? before->a_rwnd_bytes : c->assoc->ends[c->from].init.a_rwnd_bytes;
    if (c->n_sacks > 0)
        least = MIN(least, c->sack.a_rwnd);
    else if (c->acked->has_a_rwnd)
        least = c->acked->a_rwnd_bytes;
    return least >= c->acked->flight_bytes + SCTPA_WINDOW_SCARCE_BYTES;
}

/* Does the sack leave out a TSN that it had to name? The gap blocks of a long list may not all have fitted, and what is
 * far above the rest may have been dropped; a SHUTDOWN has none. */
static bool leaves_out(const sctpa_context_t *c, const sctpa_sack_t *sack, uint32_t tsn)
{
    const int64_t offset = sctpa_serial_distance(sack->cum_tsn, tsn);
    const bool is_listed = c->n_sacks > 0 && sack->n_gaps + sack->n_nr_gaps < SCTPA_BLOCKS_LISTED;
    return !sctpa_sack_reports(sack, tsn) && (offset == 1 || (is_listed && offset <= SCTPA_TSNS_KEPT));
}

/* The first TSN of a packet with DATA, from first_tsn on, that the sack leaves out; false: none. */
static bool leaves_out_of(const sctpa_context_t *c, const sctpa_sack_t *sack, uint32_t packet, uint32_t first_tsn,
                          sctpa_omission_t *omission)
{
    for (uint32_t tsn = first_tsn; tsn - first_tsn < TSNS_LOOKED_AT; tsn++) {
        const sctpa_tsn_t *found = sctpa_receiver_tsn(c, c->from, tsn);
        if (!found || (found->first_packet != packet && found->last_packet != packet))
            return false;
        if (!leaves_out(c, sack, tsn))
            continue;
        *omission = (sctpa_omission_t){ tsn, packet, tsn == sack->cum_tsn + 1, false };
        return true;
    }
    return false;
}

/* Has the receiver surely taken a packet that passed at that time? */
static bool is_long_ago(const sctpa_context_t *c, uint32_t packet)
{
    return sctpa_context_least_since_ns(c, packet) >
           sctpa_receiver_patience_ns(c, c->from, SCTPA_SACK_LATE_MS * SCTPA_NS_PER_MS);
}

/* Had the SACK before announced room for all that was outstanding then, with what the packet's SACK takes? Else a part
 * of a packet may have been dropped, and what had filled the window was read since. */
static bool had_room_for_all(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before;
    const uint64_t acked_bytes =
        c->first_sack->acked == 0 ? 0 : SCTPA_RECORD(&c->acked->acked, sctpa_acked_t, c->first_sack->acked - 1).bytes;
    return (before ? before->a_rwnd_bytes : c->assoc->ends[c->from].init.a_rwnd_bytes) >=
           acked_bytes + c->acked->flight_bytes + SCTPA_WINDOW_SCARCE_BYTES;
}

/* Does the SACK newly take a TSN, and leave out the next one, which came in the same packet, each for the first time?
 * No receiver answers a part of a packet, unless an unknown chunk between them says to stop (RFC 9260 3.2). O(1). */
static bool tears_packet(const sctpa_context_t *c, const sctpa_sack_t *sack, sctpa_omission_t *omission)
{
    const uint32_t missing = sack->cum_tsn + 1;
    const sctpa_tsn_t *taken = sctpa_receiver_tsn(c, c->from, sack->cum_tsn),
                      *next = sctpa_receiver_tsn(c, c->from, missing);
    const sctpa_stream_counts_t counts = sctpa_stream_counts(c);
    if (!c->first_sack || !had_room_for_all(c) || !taken || taken->gap_packet != SCTPA_NO_PACKET_INDEX ||
        taken->ack_packet != c->index || !next || taken->first_packet != next->first_packet ||
        taken->transmissions != 1 || next->transmissions != 1 || next->state & SCTPA_TSN_ABANDONED ||
        next->bytes == 0 || next->stream >= sctpa_stream_counts_agreed(&counts, !c->from) ||
        own(c)->strange_packet > next->first_packet ||
        sctpa_context_record(c, next->first_packet)->checksum != SCTPA_CHECKSUM_CRC32C || !leaves_out(c, sack, missing))
        return false;
    *omission = (sctpa_omission_t){ missing, next->first_packet, true, false };
    return true;
}

/* Does a RE-CONFIG request wait for its answer? TSNs may begin anew before that passes (RFC 6525 5.2.4). */
static bool may_begin_anew(const sctpa_context_t *c)
{
    bool is_asked = false;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++) {
        const sctpa_requests_t *requests = c->tracked->sides[endpoint].rare->requests;
        is_asked |= requests && requests->reconfig.params.length > 0;
    }
    return is_asked;
}

bool sctpa_sack_omits(const sctpa_context_t *c, sctpa_omission_t *omission)
{
    const uint8_t sure = SCTPA_ARRIVED_NEW | SCTPA_ARRIVED_VALID;
    const sctpa_owed_sack_t *wait = &own(c)->wait;
    const sctpa_sack_record_t *before = c->answer.before;
    const sctpa_sack_t sack = said(c);
    if (before && sctpa_serial_distance(before->cum_tsn, sack.cum_tsn) < 0) {
        if (may_begin_anew(c))
            return false;
        *omission = (sctpa_omission_t){ before->cum_tsn, before->packet, true, true };
        return true;
    }
    if (!has_room(c))
        return false;
    if (tears_packet(c, &sack, omission))
        return true;
    if (wait->packets == 0)
        return false;
    if ((wait->first_is & sure) == sure && (sctpa_sack_has_one_cause(c) || is_long_ago(c, wait->first_packet)) &&
        leaves_out_of(c, &sack, wait->first_packet, wait->first_tsn, omission))
        return true;
    return (wait->last_is & sure) == sure && is_long_ago(c, wait->last_packet) &&
           leaves_out_of(c, &sack, wait->last_packet, wait->last_tsn, omission);
}
