/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks the messages of a direction, and compares what nobody can read of them with the windows announced. */
#include "orphans.h"

#include "base/serial.h"

typedef struct {
    const sctpa_direction_t *direction;
    sctpa_orphans_t *orphans;
    uint32_t window_bytes; /* the largest announced */
    uint32_t forward;      /* the next FORWARD-TSN to be compared */
    int64_t last;          /* TSN before, in the message now being read */
    uint16_t stream;
    bool is_open, is_broken; /* a message is being read; one of its TSNs was given up */
    uint64_t arrived_bytes;
    uint64_t kept_bytes; /* of all such fragments, that the receiver may keep, at most */
} walk_t;

/* The first SACK after a FORWARD-TSN that takes it, if it has no gap and nothing was outstanding then; NULL. */
static const sctpa_sack_record_t *answer_to(const sctpa_direction_t *direction, const sctpa_forward_t *forward)
{
    const sctpa_records_t *sacks = &direction->sacks;
    const uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), forward->packet + 1);
    const sctpa_sack_record_t *sack = at < sacks->len ? &SCTPA_RECORD(sacks, sctpa_sack_record_t, at) : NULL;
    const sctpa_tsn_t *next = sctpa_direction_tsn(direction, forward->new_cum + 1);
    const bool is_quiet = next == NULL || (sack && next->first_packet > sack->packet);
    return sack && is_quiet && sack->gaps == 0 && sack->cum_tsn == sctpa_direction_serial(direction, forward->new_cum)
               ? sack
               : NULL;
}

/* With nothing outstanding: what the window lacks is the most that is kept. */
static void take_answer(walk_t *walk, uint32_t a_rwnd_bytes)
{
    sctpa_orphans_t *orphans = walk->orphans;
    const uint64_t lacks_bytes = walk->window_bytes - a_rwnd_bytes;
    orphans->compared++;
    orphans->fits += lacks_bytes == MIN(orphans->bytes, walk->window_bytes);
    walk->kept_bytes = MIN(walk->kept_bytes, lacks_bytes);
}

/* Compares the FORWARD-TSNs below a TSN: all that they give up was read. */
static void compare_below(walk_t *walk, int64_t number)
{
    const sctpa_records_t *forwards = &walk->direction->rare->forwards;
    for (; walk->forward < forwards->len; walk->forward++) {
        const sctpa_forward_t *forward = &SCTPA_RECORD(forwards, sctpa_forward_t, walk->forward);
        if (forward->new_cum >= number)
            return;
        const sctpa_sack_record_t *sack = walk->orphans->bytes > 0 ? answer_to(walk->direction, forward) : NULL;
        if (!sack)
            continue;
        take_answer(walk, sack->a_rwnd_bytes);
    }
}

static void end_message(walk_t *walk)
{
    sctpa_orphans_t *orphans = walk->orphans;
    if (walk->is_broken && walk->arrived_bytes > 0) {
        const uint64_t fell_bytes =
            MIN(walk->arrived_bytes, walk->window_bytes - MIN(orphans->bytes, walk->window_bytes));
        if (fell_bytes > 0) {
            orphans->least_bytes = orphans->messages > 0 ? MIN(orphans->least_bytes, fell_bytes) : fell_bytes;
            orphans->most_bytes = MAX(orphans->most_bytes, fell_bytes);
            orphans->filling_messages++;
            orphans->is_cut |= fell_bytes < walk->arrived_bytes;
        }
        orphans->bytes += walk->arrived_bytes;
        walk->kept_bytes += walk->arrived_bytes;
        orphans->messages++;
    }
    walk->is_open = false;
}

static void visit(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    walk_t *walk = user;
    const bool goes_on = walk->is_open && number == walk->last + 1 && tsn->stream == walk->stream;
    if (walk->is_open && (!goes_on || tsn->flags & SCTPA_TSN_BEGIN))
        end_message(walk);
    compare_below(walk, number);
    if (tsn->flags & SCTPA_TSN_BEGIN) {
        walk->is_open = true;
        walk->is_broken = false;
        walk->arrived_bytes = 0;
        walk->stream = tsn->stream;
    }
    walk->last = number;
    if (!walk->is_open)
        return;
    const bool is_acked = MIN(tsn->gap_packet, tsn->ack_packet) != SCTPA_NO_PACKET_INDEX,
               is_given_up = sctpa_direction_is_given_up(walk->direction, number, tsn);
    walk->is_broken |= is_given_up;
    walk->arrived_bytes += is_acked && !is_given_up ? tsn->bytes : 0;
    if (tsn->flags & SCTPA_TSN_END)
        end_message(walk);
}

static uint32_t largest_window(const sctpa_series_source_t *source)
{
    const sctpa_records_t *sacks = &source->direction->sacks;
    uint32_t largest = source->window_bytes;
    for (uint32_t i = 0; i < sacks->len; i++)
        largest = MAX(largest, SCTPA_RECORD(sacks, sctpa_sack_record_t, i).a_rwnd_bytes);
    return largest;
}

sctpa_orphans_t sctpa_orphans_measure(const sctpa_series_source_t *source, uint32_t largest_chunk_bytes)
{
    sctpa_orphans_t orphans = { .bytes = 0 };
    if (!source->direction || source->direction->rare->forwards.len == 0)
        return orphans;
    walk_t walk = { .direction = source->direction, .orphans = &orphans, .window_bytes = largest_window(source) };
    sctpa_direction_each(source->direction, visit, &walk);
    compare_below(&walk, INT64_MAX);
    orphans.fills_window = orphans.messages > 0 && walk.kept_bytes + largest_chunk_bytes > walk.window_bytes;
    orphans.is_proven =
        orphans.fills_window && orphans.compared >= SCTPA_ORPHANS_STEPS && orphans.fits == orphans.compared;
    return orphans;
}
