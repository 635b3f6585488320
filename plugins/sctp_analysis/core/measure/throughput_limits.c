/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The throughput that theory allows (Rüngeler, dissertation, chapter 7), from what was measured. */
#include "source.h"

#include <math.h>

static uint32_t largest_window(const sctpa_source_t *source)
{
    const sctpa_records_t *sacks = &source->direction->sacks;
    uint32_t largest = source->window_bytes;
    for (unsigned i = 0; i < sacks->len; i++)
        largest = MAX(largest, SCTPA_RECORD(sacks, sctpa_sack_record_t, i).a_rwnd_bytes);
    return largest;
}

static double mean(uint64_t sum, uint64_t n)
{
    return n ? (double)sum / (double)n : 0;
}

/* sqrt(D*MTU) * sqrt(3/2) / (RTT * sqrt(p*H)): (7.10) with H = 1, (7.12) with H = 1 + H_C/UMS. */
static double lossy_bps(const sctpa_throughput_limits_t *theory, double headers)
{
    return 8e9 * sqrt(theory->packet_user_bytes * theory->mtu_bytes) * sqrt(1.5) /
           ((double)theory->rtt_ns * sqrt(theory->loss * headers));
}

void sctpa_measure_theory(const sctpa_source_t *source, sctpa_measure_t *measure, uint32_t largest_bytes,
                          bool has_i_data)
{
    const sctpa_sent_t *all = &measure->all;
    sctpa_throughput_limits_t *theory = &measure->theory;
    *theory = (sctpa_throughput_limits_t){ .window_bps = -1, .lossy_bps = -1, .lossy_headers_bps = -1 };
    if (all->rtt.samples > 0 && source->sender_tap_rtt.is_measured)
        theory->rtt_ns = all->rtt.median_ns + source->sender_tap_rtt.most_ns;
    theory->window_bytes = largest_window(source);
    theory->loss = mean(all->lost + all->resent_unseen, all->transmissions + all->resent_unseen);
    theory->packet_user_bytes = mean(all->carried_bytes, all->data_packets);
    theory->chunk_user_bytes = mean(all->carried_bytes, all->transmissions);
    theory->chunk_header_bytes =
        sctpa_tlv_type(SCTPA_TLV_CHUNK, has_i_data ? SCTPA_CHUNK_I_DATA : SCTPA_CHUNK_DATA)->fixed_bytes;
    theory->mtu_bytes = largest_bytes;
    if (theory->rtt_ns <= 0)
        return;
    if (theory->window_bytes > 0)
        theory->window_bps = 8e9 * theory->window_bytes / (double)theory->rtt_ns;
    if (theory->loss > 0 && theory->mtu_bytes > 0 && theory->chunk_user_bytes > 0) {
        theory->lossy_bps = lossy_bps(theory, 1);
        theory->lossy_headers_bps = lossy_bps(theory, 1 + theory->chunk_header_bytes / theory->chunk_user_bytes);
    }
}
