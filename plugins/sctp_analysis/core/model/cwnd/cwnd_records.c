/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cwnd of paths after each packet that changed it: keeps it as compact records and finds it again. */
#include "cwnd_paths.h"
#include "model/model.h"

enum { BLOCKS_SMALL = 4, BLOCKS_GROWING = 6 }; /* records of the first block; blocks twice as large as the one before */

/* Before the SACKs of what is outstanding can have come. */
static bool may_expire_soon(const sctpa_cwnd_sender_t *sender, const sctpa_cwnd_path_t *path,
                            const sctpa_direction_t *sent)
{
    if (!sctpa_cwnd_may_cut(sender))
        return false;
    uint32_t number = (uint32_t)(path - sender->paths);
    int64_t now_ns = MAX(path->data_ns, path->sack_ns);
    return number < sent->paths.len &&
           sctpa_cwnd_may_expire(sender, path, sent, now_ns,
                                 now_ns + SCTPA_RECORD(&sent->paths, sctpa_data_path_t, number).srtt_ns);
}

/* Does a member fit so well that its cwnd is in the interval? */
static bool fits_nearly(const sctpa_cwnd_sender_t *sender, unsigned number, float most_misfit)
{
    return sender->fit->misfits[number] <= most_misfit && sctpa_cwnd_misfit(sender, number) <= most_misfit;
}

/* The senders that fit nearly as well as the best, and a packet more or less: as much as leaves it below two PMDCS,
 * rounded up to steps, and rather below than above, where senders are more often found. */
static void interval(const sctpa_cwnd_sender_t *sender, const sctpa_cwnd_path_t *path, const sctpa_direction_t *sent,
                     sctpa_cwnd_record_t *record)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    const sctpa_member_t *best = &path->members[sender->best];
    uint32_t unit = sctpa_member_unit(sender->best, &sizes);
    uint32_t lean = unit / 32 * 3;
    uint32_t slack =
        unit / 32 *
        (sent->rare->abandoned_to < 0 ? 31 : 36); /* what is outstanding is not sure once data was given up */
    uint32_t margin = slack / 8;
    /* of what senders have that fit nearly as well, the margin aside */
    uint32_t low = best->cwnd - MIN(best->cwnd, slack + lean) + margin, high = best->cwnd + slack - lean - margin;
    float most_misfit = sctpa_cwnd_misfit_most(sender);
    for (unsigned i = 0; i < SCTPA_FAMILY; i++) {
        uint32_t cwnd = path->members[i].cwnd;
        if ((cwnd >= low && cwnd <= high) || !fits_nearly(sender, i, most_misfit))
            continue;
        low = MIN(low, cwnd);
        high = MAX(high, cwnd);
    }
    if (sender->is_unknown) { /* this one may exceed cwnd by a unit (RFC 9260 6.1 B) */
        uint32_t cwnd = path->members[SCTPA_MEMBER_FULL_CHUNK].cwnd;
        cwnd -= MIN(cwnd, sctpa_member_unit(SCTPA_MEMBER_FULL_CHUNK, &sizes));
        if (cwnd < low && fits_nearly(sender, SCTPA_MEMBER_FULL_CHUNK, most_misfit))
            low = cwnd;
    }
    low -= MIN(low, margin);
    high += margin;
    uint32_t least = path->members[SCTPA_LEAST].cwnd, most = path->members[SCTPA_MOST].cwnd;
    low = MIN(low, least - MIN(least, least < best->cwnd ? slack + lean : margin));
    high = MAX(high, most + margin);
    if (sender->misses >= SCTPA_MISSES_FAST &&
        !sctpa_cwnd_is_recovering(sender, sent, sender->cum_tsn)) /* perhaps reduced, and yet to retransmit */
        low = MIN(low, (sent->rare->abandoned_to < 0 ? low : best->cwnd) / 2);
    if (path->may_have_expired || may_expire_soon(sender, path, sent))
        low = MIN(low, unit);
    record->cwnd = best->cwnd;
    record->ssthresh = best->ssthresh;
    record->below = (uint16_t)MIN((best->cwnd - low + SCTPA_CWND_STEP - 1) / SCTPA_CWND_STEP, UINT16_MAX);
    record->above = (uint16_t)MIN((high - best->cwnd + SCTPA_CWND_STEP - 1) / SCTPA_CWND_STEP, UINT16_MAX - 1);
    if (!sent->announced)
        record->above = UINT16_MAX;
}

/* Records that block number i has room for. */
static uint32_t room_of(uint32_t i)
{
    return i < BLOCKS_GROWING ? (uint32_t)BLOCKS_SMALL << i : SCTPA_CWND_BLOCK;
}

static void append(const sctpa_context_t *c, sctpa_cwnd_path_t *path, const sctpa_cwnd_record_t *record)
{
    sctpa_cwnd_block_t *last = path->n_blocks > 0 ? &path->blocks[path->n_blocks - 1] : NULL;
    if (!last || last->len == room_of(path->n_blocks - 1)) {
        path->blocks = sctpa_arena_grow(&c->store->arena, path->blocks, path->n_blocks, sizeof *path->blocks);
        sctpa_cwnd_record_t *records = sctpa_arena_alloc(&c->store->arena, room_of(path->n_blocks) * sizeof *records);
        last = &path->blocks[path->n_blocks++];
        *last = (sctpa_cwnd_block_t){ record->packet, 0, records };
    }
    last->records[last->len++] = *record;
}

void sctpa_cwnd_free_records(sctpa_arena_t *arena, const sctpa_cwnd_path_t *path)
{
    for (uint32_t i = 0; i < path->n_blocks; i++)
        sctpa_arena_free(arena, path->blocks[i].records, room_of(i) * sizeof *path->blocks[i].records);
    sctpa_arena_free_grown(arena, path->blocks, path->n_blocks, sizeof *path->blocks);
}

void sctpa_cwnd_note(const sctpa_context_t *c, const sctpa_cwnd_sender_t *sender, sctpa_cwnd_path_t *path,
                     const sctpa_direction_t *sent)
{
    sctpa_cwnd_record_t record = { .packet = c->index }, *last = NULL;
    if (!path->members)
        return;
    interval(sender, path, sent, &record);
    if (path->n_blocks > 0) {
        sctpa_cwnd_block_t *block = &path->blocks[path->n_blocks - 1];
        last = &block->records[block->len - 1];
        if (last->cwnd == record.cwnd && last->ssthresh == record.ssthresh && last->below == record.below &&
            last->above == record.above)
            return;
        if (last->packet == c->index) {
            *last = record;
            return;
        }
    }
    append(c, path, &record);
}

/* The last record up to packet, NULL none. */
static const sctpa_cwnd_record_t *record_at(const sctpa_cwnd_path_t *path, uint32_t packet)
{
    uint32_t n = sctpa_records_from(path->blocks, path->n_blocks, sizeof *path->blocks, packet + 1);
    if (n == 0)
        return NULL;
    const sctpa_cwnd_block_t *block = &path->blocks[n - 1];
    uint32_t at = sctpa_records_from(block->records, block->len, sizeof *block->records, packet + 1);
    return &block->records[at - 1];
}

static sctpa_congestion_t result_of(const sctpa_cwnd_sender_t *sender, const sctpa_cwnd_record_t *record)
{
    sctpa_sizes_t sizes = sctpa_cwnd_sizes(sender);
    uint64_t most = record->cwnd + (uint64_t)record->above * SCTPA_CWND_STEP;
    return (sctpa_congestion_t){
        .cwnd = record->cwnd,
        .cwnd_min = record->cwnd - MIN(record->cwnd, (uint32_t)record->below * SCTPA_CWND_STEP),
        .cwnd_max = record->above == UINT16_MAX ? SCTPA_CWND_UNKNOWN : (uint32_t)MIN(most, SCTPA_CWND_UNKNOWN - 1),
        .ssthresh = record->ssthresh,
        .unit_bytes = sctpa_member_unit(sender->best, &sizes),
        .sender = sctpa_member_words(sender->best),
    };
}

bool sctpa_congestion_at(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                         uint16_t path, uint32_t packet, sctpa_congestion_t *out)
{
    const sctpa_cwnd_assoc_t *state = sctpa_reference_find(store, tracked, SCTPA_PART_CONGESTION);
    const sctpa_cwnd_record_t *record = state && state->senders[endpoint] && path < state->senders[endpoint]->n_paths
                                            ? record_at(&state->senders[endpoint]->paths[path], packet)
                                            : NULL;
    if (record)
        *out = result_of(state->senders[endpoint], record);
    return record != NULL;
}

void sctpa_congestion_each(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                           void (*visit)(void *user, uint16_t path, uint32_t packet,
                                         const sctpa_congestion_t *congestion),
                           void *user)
{
    const sctpa_cwnd_assoc_t *state = sctpa_reference_find(store, tracked, SCTPA_PART_CONGESTION);
    const sctpa_cwnd_sender_t *sender = state ? state->senders[endpoint] : NULL;
    for (uint32_t path = 0; sender && path < sender->n_paths; path++)
        for (uint32_t block = 0; block < sender->paths[path].n_blocks; block++) {
            const sctpa_cwnd_block_t *records = &sender->paths[path].blocks[block];
            for (uint32_t i = 0; i < records->len; i++) {
                sctpa_congestion_t result = result_of(sender, &records->records[i]);
                visit(user, (uint16_t)path, records->records[i].packet, &result);
            }
        }
}
