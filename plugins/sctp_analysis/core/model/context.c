/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what a packet is to the reference endpoints and to the rules. */
#include "context.h"

#include "data/shared_limits.h"

static void read_sack(sctpa_context_t *c, const sctpa_observed_t *observed)
{
    sctpa_sack_t later, *sack = c->first_sack ? &later : &c->sack;
    if (!sctpa_sack_parse(&observed->tlv, sack))
        return;
    c->n_sacks++;
    if (!c->first_sack)
        c->first_sack = observed;
    c->facts |= (observed->acked > 0 ? SCTPA_FACT_NEWLY_ACKED : 0u) |
                (sack->n_gaps + sack->n_nr_gaps > 0 ? SCTPA_FACT_GAP_BLOCKS : 0u) |
                (sack->n_duplicates > 0 ? SCTPA_FACT_DUPLICATE_TSNS : 0u);
}

static void read_data(sctpa_context_t *c, const sctpa_observed_t *observed)
{
    if (!c->first_data && sctpa_tlv_has(&observed->tlv, SCTPA_F_DATA_TSN))
        c->first_data = observed;
    if (observed->sent.tsn)
        c->facts |= observed->sent.rtx > 0 ? SCTPA_FACT_RTX : SCTPA_FACT_NEW_DATA;
}

void sctpa_context_begin(sctpa_context_t *c, sctpa_tracker_t *tracker, const sctpa_packet_t *packet, uint32_t index)
{
    c->tracker = tracker;
    c->packet = packet;
    c->index = index;
    c->record = &g_array_index(tracker->records, sctpa_record_t, index);
    c->tracked = g_ptr_array_index(tracker->assocs, c->record->assoc);
    c->assoc = &c->tracked->assoc;
    c->from = c->accused = c->record->from;
    c->is_stray = c->record->remarks & SCTPA_CAPTURE_STRAY;
    c->path = c->record->path;
    c->sent = c->tracked->sides[c->from].sent;
    c->acked = c->tracked->sides[!c->from].sent;
    c->chunks = tracker->observation.chunks;
    c->n_chunks = tracker->observation.n;
    c->rows = tracker->observation.rows;
    c->auth_at = tracker->observation.auth_at;
    c->first_data = c->first_sack = NULL;
    c->has_announced = c->has_echo = c->has_values = false;
    c->reached.follows = 0;
    c->reached.wrong_ssn = NULL;
    c->skipped.is_compared = c->skipped.has_listed = false;
    c->n_sacks = 0;
    c->due = NULL;
    c->unasked = 0;
    c->facts = c->rows & ~(SCTPA_DATA_ROWS | SCTPA_SACK_ROWS) ? SCTPA_FACT_CONTROL : 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        if (sctpa_tlv_is_data(&c->chunks[i].tlv))
            read_data(c, &c->chunks[i]);
        else if (sctpa_tlv_is_sack(&c->chunks[i].tlv))
            read_sack(c, &c->chunks[i]);
    }
}

const sctpa_observed_t *sctpa_context_observed(const sctpa_context_t *c, unsigned row)
{
    if (!(c->rows >> row & 1))
        return NULL;
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (c->chunks[i].row == row)
            return &c->chunks[i];
    return NULL;
}

const sctpa_tlv_t *sctpa_context_chunk(const sctpa_context_t *c, unsigned row)
{
    const sctpa_observed_t *observed = sctpa_context_observed(c, row);
    return observed ? &observed->tlv : NULL;
}

sctpa_known_t sctpa_context_is_near(const sctpa_context_t *c, uint8_t endpoint)
{
    if (c->assoc->ends[!endpoint].n_paths <= 1)
        return sctpa_tap_is_near(&c->reference->tap, c->tracked, endpoint);
    return sctpa_tap_is_near_by(&c->reference->tap, c->tracked, endpoint,
                                endpoint == c->from ? sctpa_context_back_path(c) : c->path);
}

int64_t sctpa_context_under_way_ns(const sctpa_context_t *c)
{
    return MAX(SCTPA_UNDER_WAY_MS * SCTPA_NS_PER_MS, SCTPA_UNDER_WAY_ROUND_TRIPS * sctpa_context_srtt_ns(c));
}

bool sctpa_context_has_unmatched_ack(const sctpa_context_t *c)
{
    const sctpa_end_t *own = &c->assoc->ends[c->from];
    uint32_t matched = 0;
    for (uint16_t path = 0; path < own->n_paths; path++)
        matched += own->paths[path].probing->heartbeats_acked;
    return sctpa_context_chunks(c, !c->from, SCTPA_CHUNK_ROW_HEARTBEAT_ACK) > matched;
}

bool sctpa_context_has_sent(const sctpa_context_t *c, uint8_t endpoint, unsigned row, const sctpa_addr_t *source,
                            const sctpa_addr_t *destination)
{
    const sctpa_end_t *end = &c->assoc->ends[endpoint];
    for (unsigned i = 0; i < end->n_pairs; i++)
        if (sctpa_counts_chunks(&end->pairs[i]->settled, row) > 0 &&
            (!source || sctpa_addr_equal(end->pairs[i]->source, source)) &&
            (!destination || sctpa_addr_equal(end->pairs[i]->destination, destination)))
            return true;
    return false;
}

int64_t sctpa_context_rto_ns(const sctpa_direction_t *data, uint16_t path, uint32_t packet)
{
    const sctpa_sample_t *sample = sctpa_direction_sample(data, path, packet);
    return sample ? sctpa_direction_rto_ns(data, sample) : 0;
}

void sctpa_stream_counts_take(const sctpa_context_t *c)
{
    sctpa_stream_counts_t *counts = sctpa_context_find_part(c, SCTPA_PART_STREAM_COUNTS);
    if (!counts) {
        /* The first INIT, perhaps one of a flood, needs no part: the association remembers what it announced. */
        if (sctpa_context_is_first_init(c) && !c->tracked->established)
            return;
        sctpa_stream_counts_t announced = sctpa_stream_counts(c);
        counts = sctpa_context_part(c, SCTPA_PART_STREAM_COUNTS, sizeof *counts);
        *counts = announced;
    }
    counts->reconfigured |= (c->rows & SCTPA_ROW(RE_CONFIG)) != 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (chunk->type != SCTPA_CHUNK_INIT && chunk->type != SCTPA_CHUNK_INIT_ACK)
            continue;
        /* INIT and INIT ACK have the same fixed fields (RFC 9260 3.3.2, 3.3.3). */
        uint32_t outbound = sctpa_tlv_u32(chunk, SCTPA_F_INIT_OUTBOUND_STREAMS),
                 inbound = sctpa_tlv_u32(chunk, SCTPA_F_INIT_INBOUND_STREAMS);
        counts->outbound[c->from] = (uint16_t)MAX(counts->outbound[c->from], outbound);
        counts->inbound[c->from] = (uint16_t)MAX(counts->inbound[c->from], inbound);
    }
}
