/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an endpoint takes from the window that it advertises for the data it holds (RFC 9260 6.2): bytes for each chunk
 * beyond its user bytes, and free space that it advertises as a closed window (RFC 1122 4.2.3.3). Leaves out when it
 * advertises it (learned_sack.c).
 *
 * From one SACK to the next a_rwnd falls by what the endpoint charges for the chunks that it took in between, less what
 * reading freed. So the fall, less the user bytes of these chunks, is no more than their overhead: a bound from below,
 * however much was read. Some charge the fragments of a message when it is whole: those that were held in parts at the
 * first SACK may be charged, too. A chunk that made a whole message, and took its user bytes or more from the window,
 * shows that no message was read meanwhile: that is a bound from above. A closed window may be a fall for any reason
 * (Linux closes it when its memory is used up) and begins and ends no fall. */
#include "learned_parts.h"

enum {
    FALLS_LEAST = 3,
    GAPS_ALL_REPORTED = 15 /* Linux reports 16 gap blocks at most, the fewest known: what it leaves out is charged */
};

/* Free space advertised as a closed window, at the most, and how often; the least window that fell and was open. */
typedef struct {
    int64_t closed_bytes, open_bytes;
    uint32_t closings, packet;
} closing_t;

typedef struct {
    const sctpa_direction_t *data;
    bool has_fragments;
    /* After the last SACK: chunks acknowledged in all; TSNs up to the end of the last whole message below its cum_tsn
     * and up to that; chunks held that make no whole message yet, at the most. */
    unsigned next; /* record of acked */
    int64_t taken, whole_to, cum_to, pending;
    /* Overhead of a chunk: the most that falls show; how often it is just that, and of them with one whole message. */
    int64_t overhead_bytes;
    uint32_t exact, lone, packet;
    closing_t *closing; /* NULL: while the overhead is not known */
} window_t;

/* From one SACK to the next. */
typedef struct {
    const sctpa_sack_record_t *from, *to;
    int64_t chunks, bytes;  /* taken in between */
    int64_t pending_before; /* chunks held by from that make no whole message */
} fall_t;

static uint32_t gap_blocks(const window_t *window, const sctpa_sack_record_t *sack)
{
    uint32_t n = 0;
    sctpa_direction_gaps(window->data, sack->gaps, &n);
    return n;
}

/* Takes in what packets up to that of the SACK acknowledge. */
static void take_chunks(window_t *window, fall_t *fall)
{
    const sctpa_records_t *acked = &window->data->acked;
    for (; window->next < acked->len; window->next++) {
        const sctpa_acked_t *record = &SCTPA_RECORD(acked, sctpa_acked_t, window->next);
        if (record->packet > fall->to->packet)
            break;
        fall->chunks += record->chunks;
        fall->bytes += record->bytes;
    }
    window->taken += fall->chunks;
}

/* Follows how far messages are whole. Each TSN is looked at once. False: messages are interleaved. */
static bool take_messages(window_t *window, const sctpa_sack_record_t *sack)
{
    if (!window->has_fragments)
        return true;
    int64_t advance = (int32_t)(sack->cum_tsn - sctpa_direction_serial(window->data, window->cum_to));
    for (int64_t to = MIN(window->cum_to + advance, window->data->highest); window->cum_to < to;) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(window->data, ++window->cum_to);
        if (!tsn || tsn->flags & SCTPA_TSN_I_DATA)
            return false;
        if (tsn->flags & SCTPA_TSN_END)
            window->whole_to = window->cum_to;
    }
    window->pending = window->taken - (window->whole_to + 1);
    return true;
}

static int64_t over_bytes(const fall_t *fall)
{
    return (int64_t)fall->from->a_rwnd_bytes - fall->to->a_rwnd_bytes - fall->bytes;
}

static void take_overhead(window_t *window, const fall_t *fall)
{
    const int64_t charged = fall->chunks + fall->pending_before, over = over_bytes(fall);
    if (fall->chunks == 0 || over < 0)
        return;
    const int64_t least_bytes = (over + charged - 1) / charged;
    if (least_bytes > window->overhead_bytes) {
        window->overhead_bytes = least_bytes;
        window->exact = window->lone = 0;
    }
    if (over != charged * window->overhead_bytes)
        return;
    window->exact++;
    window->lone += charged == 1 && window->pending == 0;
    window->packet = fall->to->packet;
}

/* The window closes: it had room for so many bytes at least. Or it falls, and is open. */
static void take_closing(const window_t *window, const fall_t *fall)
{
    closing_t *closing = window->closing;
    if (!sctpa_window_is_closed(fall->to->a_rwnd_bytes)) {
        if (fall->to->a_rwnd_bytes < fall->from->a_rwnd_bytes)
            closing->open_bytes = MIN(closing->open_bytes, fall->to->a_rwnd_bytes);
        return;
    }
    int64_t charged_bytes = fall->bytes + (fall->chunks + fall->pending_before) * window->overhead_bytes,
            free_bytes = (int64_t)fall->from->a_rwnd_bytes - charged_bytes;
    if (free_bytes <= SCTPA_CLOSED_WINDOW_BYTES)
        return;
    closing->closings++;
    if (free_bytes > closing->closed_bytes) {
        closing->closed_bytes = free_bytes;
        closing->packet = fall->to->packet;
    }
}

/* Did a later SACK overtake this one, which acknowledges nothing new? */
static bool is_overtaken(const fall_t *fall)
{
    return fall->chunks == 0 && fall->to->cum_tsn == fall->from->cum_tsn && fall->to->gaps != fall->from->gaps;
}

/* Takes the SACK after from, NULL: the first. False: the window fell, and nothing was taken in; or it is not known what
 * is a message. */
static bool take_sack(window_t *window, fall_t *fall)
{
    take_chunks(window, fall);
    if (fall->from && is_overtaken(fall)) {
        fall->to = fall->from;
        return true;
    }
    if (!take_messages(window, fall->to))
        return false;
    if (!fall->from || sctpa_window_is_closed(fall->from->a_rwnd_bytes) ||
        gap_blocks(window, fall->to) > GAPS_ALL_REPORTED)
        return true;
    const bool is_closed = sctpa_window_is_closed(fall->to->a_rwnd_bytes);
    if (fall->chunks == 0)
        return is_closed || fall->to->a_rwnd_bytes >= fall->from->a_rwnd_bytes;
    if (window->closing)
        take_closing(window, fall);
    else if (!is_closed)
        take_overhead(window, fall);
    return true;
}

/* Walks all SACKs. False: something else takes from the window, or nothing is known of it. */
static bool walk(window_t *window)
{
    const sctpa_records_t *sacks = &window->data->sacks;
    const sctpa_sack_record_t *before = NULL;
    window->next = 0;
    window->taken = window->pending = 0;
    window->whole_to = window->cum_to = -1;
    for (unsigned i = 0; i < sacks->len; i++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, i);
        if (before && (int32_t)(sack->cum_tsn - before->cum_tsn) < 0)
            continue;
        fall_t fall = { .from = before, .to = sack, .pending_before = window->pending };
        if (!take_sack(window, &fall))
            return false;
        before = fall.to;
    }
    return true;
}

static bool learn_overhead(window_t *window, sctpa_learned_value_t *value)
{
    if (!walk(window) || window->exact < FALLS_LEAST)
        return false;
    const bool has_high = window->lone >= FALLS_LEAST;
    if (has_high || window->overhead_bytes > 0)
        *value = (sctpa_learned_value_t){ .samples = window->exact,
                                          .has_high = has_high,
                                          .value = window->overhead_bytes,
                                          .low = window->overhead_bytes,
                                          .high = window->overhead_bytes,
                                          .packet = window->packet };
    return has_high;
}

/* A limit that does not vary lies below windows that fell and stayed open. */
static void learn_closing(window_t *window, sctpa_learned_value_t *value)
{
    closing_t closing = { .open_bytes = INT64_MAX };
    window->closing = &closing;
    if (!walk(window) || closing.closings == 0)
        return;
    const bool has_high =
        closing.closings >= FALLS_LEAST && closing.closed_bytes < closing.open_bytes && closing.open_bytes < INT64_MAX;
    *value = (sctpa_learned_value_t){ .samples = closing.closings,
                                      .has_high = has_high,
                                      .value = closing.closed_bytes,
                                      .low = closing.closed_bytes,
                                      .high = has_high ? closing.open_bytes - 1 : 0,
                                      .packet = closing.packet };
}

void sctpa_learn_window(sctpa_learning_t *learning)
{
    const sctpa_direction_t *data = learning->peer->direction;
    sctpa_learned_value_t *values = learning->learned->values;
    window_t window = { .data = data };
    if (data->truncated || data->rare->unseen_acked > 0 || data->rare->abandoned_to >= 0 || data->restarted)
        return;
    for (unsigned i = 0; i < learning->received->len; i++)
        window.has_fragments |= sctpa_sending(learning->received, i)->fragment;
    if (learn_overhead(&window, &values[SCTPA_PARAMETER_CHUNK_OVERHEAD]))
        learn_closing(&window, &values[SCTPA_PARAMETER_SILLY_WINDOW]);
}
