/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an endpoint sends beside its user data. */
#include "efficiency.h"

static double ratio(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : -1;
}

/* Of bytes, those that are no user data. */
static double headers(uint64_t user_bytes, uint64_t bytes)
{
    return ratio(bytes - MIN(user_bytes, bytes), bytes);
}

sctpa_efficiency_t sctpa_efficiency_of(const sctpa_counts_t *counts, const sctpa_sent_t *sent)
{
    const uint64_t other_packets = counts->packets - MIN(sent->data_packets, counts->packets);
    return (sctpa_efficiency_t){
        .data_packets = sent->data_packets,
        .other_packets = other_packets,
        .other_per_data = ratio(other_packets, sent->data_packets),
        .chunks_per_packet = ratio(sent->transmissions, sent->data_packets),
        .bundled_share = ratio(sent->bundled_packets, sent->data_packets),
        .sack_share = ratio(sent->sack_packets, sent->data_packets),
        .header_share = headers(counts->data_bytes, counts->wire_bytes),
        .data_header_share = headers(sent->carried_bytes, sent->data_wire_bytes),
    };
}
