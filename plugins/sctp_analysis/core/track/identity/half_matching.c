/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What packets say about which direction belongs to which: cumulative acks near the other side's TSNs, TSNs near those
 * that INIT or INIT ACK announced, a HEARTBEAT_ACK that echoes a HEARTBEAT. Used when the set-up was not captured, to
 * pair halves that addresses alone do not pair. */
#include "half_matching.h"

#include <string.h>

#include "base/hash.h"
#include "base/numbers.h"
#include "track/endpoints.h"
#include "track/lookup.h"
#include "track/tracker.h"

enum {
    NEAR_TSNS = 1 << 16,  /* an acknowledgement and the data it answers lie closer than this */
    BUCKET_TSNS = 1 << 10 /* halves are filed by TSN ranges of this size */
};

uint64_t sctpa_heartbeat_hash(const sctpa_tracker_t *tracker, const sctpa_tlv_t *chunk)
{
    if (chunk->captured_bytes < chunk->wire_bytes)
        return 0;
    return sctpa_hash_bytes(sctpa_hash_mix(tracker->store.seed, chunk->length), chunk->bytes + SCTPA_TLV_HEADER_BYTES,
                            chunk->captured_bytes - SCTPA_TLV_HEADER_BYTES) |
           1;
}

static void shown_chunk(const sctpa_tracker_t *tracker, sctpa_shown_t *shown, const sctpa_tlv_t *chunk)
{
    switch (chunk->type) {
    case SCTPA_CHUNK_DATA:
    case SCTPA_CHUNK_I_DATA:
        shown->has_tsn = sctpa_tlv_has(chunk, SCTPA_F_DATA_TSN);
        shown->tsn = sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN);
        break;
    case SCTPA_CHUNK_SACK:
    case SCTPA_CHUNK_NR_SACK:
    case SCTPA_CHUNK_SHUTDOWN:
        shown->has_cum_tsn = sctpa_tlv_has(chunk, SCTPA_F_SHUTDOWN_CUM_TSN);
        shown->cum_tsn = sctpa_tlv_u32(chunk, SCTPA_F_SHUTDOWN_CUM_TSN);
        break;
    case SCTPA_CHUNK_HEARTBEAT: shown->heartbeat = sctpa_heartbeat_hash(tracker, chunk); break;
    case SCTPA_CHUNK_HEARTBEAT_ACK: shown->heartbeat_ack = sctpa_heartbeat_hash(tracker, chunk); break;
    default: break;
    }
}

/* What the packet shows, read once: O(bytes), then O(1). */
static const sctpa_shown_t *shown_of(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    sctpa_shown_t *shown = input->shown;
    if (shown->is_read)
        return shown;
    *shown = (sctpa_shown_t){ .is_read = true };
    for (uint32_t i = 0; i < input->observation->n; i++)
        shown_chunk(tracker, shown, &input->observation->chunks[i].tlv);
    return shown;
}

enum { KIND_DATA = 1, KIND_HEARTBEAT = 2 };

/* Keys under which halves are filed: what the end at port shows to the end at peer, the same from both sides. Those
 * that are equal are taken for the same. */
static uint64_t filing_key(const sctpa_tracker_t *tracker, uint64_t kind, uint16_t port, uint16_t peer, uint64_t value)
{
    return sctpa_hash_mix(sctpa_hash_mix(tracker->store.seed, kind << 32 | (uint64_t)port << 16 | peer), value) | 1;
}

static uint64_t heartbeat_key(const sctpa_tracker_t *tracker, uint16_t port, uint16_t peer, uint64_t info)
{
    return filing_key(tracker, KIND_HEARTBEAT, port, peer, info);
}

/* TSNs are filed by ranges of BUCKET_TSNS; around: -1 or 1 for the range before or after. */
static uint64_t tsn_key(const sctpa_tracker_t *tracker, uint16_t port, uint16_t peer, uint32_t tsn, int around)
{
    return filing_key(tracker, KIND_DATA, port, peer, (tsn + (uint32_t)around * BUCKET_TSNS) / BUCKET_TSNS);
}

static sctpa_half_match_t tsn_match(bool has_tsn, uint32_t tsn, bool has_cum_tsn, uint32_t cum_tsn)
{
    if (!has_tsn || !has_cum_tsn)
        return SCTPA_HALF_MATCH_NONE;
    int32_t distance = sctpa_serial_distance(tsn, cum_tsn);
    return distance > -NEAR_TSNS && distance < NEAR_TSNS ? SCTPA_HALF_MATCH_FOR : SCTPA_HALF_MATCH_AGAINST;
}

/* Did the endpoint last send its INIT again, without an answer that passed? Its COOKIE ECHO would pass here as the INIT
 * did: what else bears a tag is of another association. */
static bool is_still_asking(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    return setup->steps[SCTPA_STEP_INIT].count > 1 && setup->steps[SCTPA_STEP_INIT].by == from &&
           setup->steps[SCTPA_STEP_INIT_ACK].count == 0 && setup->steps[SCTPA_STEP_COOKIE_ECHO].count == 0 &&
           !tracked->sides[from].has_tsn && !(input->observation->rows & SCTPA_ROW(COOKIE_ECHO));
}

sctpa_half_match_t sctpa_half_match_of(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                                       const sctpa_input_t *input)
{
    const sctpa_side_t *sender = &tracked->sides[from], *peer = &tracked->sides[!from];
    const sctpa_shown_t *shown = shown_of(tracker, input);
    sctpa_half_match_t acks = tsn_match(peer->has_tsn, peer->tsn, shown->has_cum_tsn, shown->cum_tsn);
    sctpa_half_match_t data = tsn_match(shown->has_tsn, shown->tsn, peer->has_cum_tsn, peer->cum_tsn);
    sctpa_half_match_t same = tsn_match(shown->has_tsn, shown->tsn, sender->has_tsn, sender->tsn);
    if (!sender->has_tsn)
        same = tsn_match(shown->has_tsn, shown->tsn, sender->has_initial, sender->initial_tsn);
    if (!peer->has_tsn)
        acks = tsn_match(peer->has_initial, peer->initial_tsn, shown->has_cum_tsn, shown->cum_tsn);

    if (shown->heartbeat_ack && peer->rare->filing.heartbeat == heartbeat_key(tracker, input->destination_port,
                                                                              input->source_port, shown->heartbeat_ack))
        return SCTPA_HALF_MATCH_FOR;
    if (acks == SCTPA_HALF_MATCH_AGAINST || data == SCTPA_HALF_MATCH_AGAINST || same == SCTPA_HALF_MATCH_AGAINST)
        return SCTPA_HALF_MATCH_AGAINST;
    if (acks || data || same)
        return acks || data ? SCTPA_HALF_MATCH_FOR : SCTPA_HALF_MATCH_SENDER;
    return is_still_asking(tracked, from, input) ? SCTPA_HALF_MATCH_AGAINST : SCTPA_HALF_MATCH_NONE;
}

/* --- filing halves --- */

typedef struct {
    sctpa_candidates_ref_t list;
    uint64_t key;
} filed_t;

/* What is filed under key, its number and its place in the table; NULL nothing. */
static filed_t *find(const sctpa_tracker_t *tracker, uint64_t key, uint32_t *number, uint32_t *at)
{
    const sctpa_slots_t *table = &tracker->half_table;
    for (*number = sctpa_slots_first(table, (uint32_t)(key >> 32), at); *number != SCTPA_SLOT_NONE;
         *number = sctpa_slots_next(table, (uint32_t)(key >> 32), at)) {
        filed_t *filed = sctpa_pool_at(&tracker->halves, *number);
        if (filed->key == key)
            return filed;
    }
    return NULL;
}

/* Takes a half from the list under key, where it may be. */
static void unfile(sctpa_tracker_t *tracker, uint64_t key, const sctpa_tracked_t *tracked)
{
    uint32_t number, at;
    filed_t *filed = key ? find(tracker, key, &number, &at) : NULL;
    if (!filed)
        return;
    filed->list = sctpa_candidates_remove(tracker, filed->list, tracked);
    if (filed->list)
        return;
    sctpa_slots_remove(&tracker->half_table, at);
    sctpa_pool_remove(&tracker->halves, number);
}

static void file_under(sctpa_tracker_t *tracker, uint64_t *place, uint64_t key, const sctpa_tracked_t *tracked,
                       uint8_t sender)
{
    if (*place == key)
        return;
    unfile(tracker, *place, tracked);
    *place = key;

    uint32_t number, at;
    filed_t *filed = find(tracker, key, &number, &at);
    if (!filed) {
        filed = sctpa_pool_add(&tracker->halves, &number);
        filed->key = key;
        sctpa_slots_add(&tracker->half_table, (uint32_t)(key >> 32), number);
    }
    filed->list = sctpa_candidates_append(tracker, filed->list, tracked->assoc.number, sender);
}

void sctpa_half_match_forget(sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, sctpa_tracked_t *member,
                             uint8_t end)
{
    const uint64_t keys[] = { member->sides[end].rare->filing.tsn, member->sides[end].rare->filing.cum_tsn,
                              member->sides[end].rare->filing.heartbeat };
    for (unsigned i = 0; i < G_N_ELEMENTS(keys); i++)
        unfile(tracker, keys[i], tracked);
    if (keys[0] | keys[1] | keys[2])
        memset(&sctpa_side_rare(member, end)->filing, 0, sizeof member->sides[end].rare->filing);
}

bool sctpa_tracked_is_half(const sctpa_tracked_t *tracked)
{
    const sctpa_end_t *ends = tracked->assoc.ends;
    return tracked->assoc.merged_into == SCTPA_NO_ASSOC && ends[0].has_vtag != ends[1].has_vtag &&
           (ends[0].settled->packets == 0) != (ends[1].settled->packets == 0) &&
           tracked->assoc.setup.steps[SCTPA_STEP_INIT].count == 0;
}

void sctpa_half_match_add(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    sctpa_side_rare_t *rare = sctpa_side_rare(tracked, from);
    uint16_t port = input->source_port, peer = input->destination_port;
    const sctpa_shown_t *shown = shown_of(tracker, input);

    if (shown->has_tsn)
        file_under(tracker, &rare->filing.tsn, tsn_key(tracker, port, peer, shown->tsn, 0), tracked, from);
    if (shown->has_cum_tsn)
        file_under(tracker, &rare->filing.cum_tsn, tsn_key(tracker, peer, port, shown->cum_tsn, 0), tracked, from);
    if (shown->heartbeat)
        file_under(tracker, &rare->filing.heartbeat, heartbeat_key(tracker, port, peer, shown->heartbeat), tracked,
                   from);
    if (shown->heartbeat_ack)
        file_under(tracker, &rare->filing.heartbeat, heartbeat_key(tracker, peer, port, shown->heartbeat_ack), tracked,
                   from);
}

static bool knows_pair(const sctpa_tracked_t *tracked, uint8_t sender, const sctpa_input_t *input)
{
    return sctpa_end_addr_origin(&tracked->assoc.ends[sender], &input->packet->destination) ||
           sctpa_end_addr_origin(&tracked->assoc.ends[!sender], &input->packet->source);
}

/* The half filed under key whose sender is the peer of this packet's: at a known address rather than elsewhere. */
static sctpa_sender_t filed_find(const sctpa_tracker_t *tracker, uint64_t key, const sctpa_input_t *input,
                                 sctpa_sender_t best)
{
    uint32_t number, at;
    const filed_t *filed = find(tracker, key, &number, &at);
    const sctpa_candidates_t list = sctpa_candidates(tracker, filed ? filed->list : 0);
    for (unsigned i = 0; i < list.n; i++) {
        sctpa_tracked_t *tracked = sctpa_tracked_at(tracker, list.assocs[i]);
        uint8_t sender = list.ends[i];
        if (!sctpa_tracked_is_half(tracked) || tracked->assoc.ends[sender].settled->packets == 0 ||
            tracked->assoc.ends[sender].port != input->destination_port ||
            tracked->assoc.ends[!sender].port != input->source_port ||
            sctpa_end_is_socket(&tracked->assoc.ends[sender], input->packet) ||
            sctpa_half_match_of(tracker, tracked, !sender, input) == SCTPA_HALF_MATCH_AGAINST)
            continue;
        if (!best.tracked || knows_pair(tracked, sender, input))
            best = (sctpa_sender_t){ tracked, !sender };
    }
    return best;
}

sctpa_sender_t sctpa_half_match_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    sctpa_sender_t best = { NULL, 0 };
    uint16_t port = input->source_port, peer = input->destination_port;
    const sctpa_shown_t *shown = shown_of(tracker, input);

    if (shown->heartbeat_ack)
        best = filed_find(tracker, heartbeat_key(tracker, peer, port, shown->heartbeat_ack), input, best);
    for (int around = -1; around <= 1; around++) {
        if (shown->has_cum_tsn)
            best = filed_find(tracker, tsn_key(tracker, peer, port, shown->cum_tsn, around), input, best);
        if (shown->has_tsn)
            best = filed_find(tracker, tsn_key(tracker, port, peer, shown->tsn, around), input, best);
    }
    return best;
}

void sctpa_half_match_init(sctpa_tracker_t *tracker)
{
    sctpa_pool_init(&tracker->halves, sizeof(filed_t));
    sctpa_slots_init(&tracker->half_table);
}

void sctpa_half_match_free(sctpa_tracker_t *tracker)
{
    sctpa_pool_clear(&tracker->halves);
    sctpa_slots_clear(&tracker->half_table);
}
