/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands state_table.def, and follows the states of both endpoints. */
#include "association_states.h"
#include "endpoint_states.h"

#include "wire/types.h"

enum { C = 1, W = 2, E = 4, T = 8, P = 16, S = 32, R = 64, A = 128, N = 0, ALL = 255 };

static const uint8_t may_send[SCTPA_CHUNK_ROWS] = {
#define SCTPA_STATE_ROW(chunk, may, ...) [SCTPA_CHUNK_ROW_##chunk] = (may),
#include "state_table.def"
};

/* The states after each state, a byte each: those of several chunks are put together by or. */
#define CELLS(c, w, e, t, p, s, r, a) \
    ((uint64_t)(c) | (uint64_t)(w) << 8 | (uint64_t)(e) << 16 | (uint64_t)(t) << 24 | (uint64_t)(p) << 32 | \
     (uint64_t)(s) << 40 | (uint64_t)(r) << 48 | (uint64_t)(a) << 56)

static const uint64_t after_send[SCTPA_CHUNK_ROWS] = {
#define SCTPA_STATE_ROW(chunk, may, c, w, e, t, p, s, r, a, ...) \
    [SCTPA_CHUNK_ROW_##chunk] = CELLS(c, w, e, t, p, s, r, a),
#include "state_table.def"
};

static const uint64_t after_recv[SCTPA_CHUNK_ROWS] = {
#define SCTPA_STATE_ROW(chunk, may, c0, w0, e0, t0, p0, s0, r0, a0, c, w, e, t, p, s, r, a) \
    [SCTPA_CHUNK_ROW_##chunk] = CELLS(c, w, e, t, p, s, r, a),
#include "state_table.def"
};

const char *sctpa_state_word(sctpa_state_t state)
{
    static const char *const words[SCTPA_STATES] = {
        "CLOSED",           "COOKIE_WAIT",   "COOKIE_ECHOED",     "ESTABLISHED",
        "SHUTDOWN_PENDING", "SHUTDOWN_SENT", "SHUTDOWN_RECEIVED", "SHUTDOWN_ACK_SENT"
    };
    return words[state];
}

uint8_t sctpa_states_may_send(unsigned row)
{
    return may_send[row];
}

static uint8_t all_after(uint64_t cells, uint8_t states)
{
    uint64_t after = 0;
    for (unsigned left = states; left; left &= left - 1)
        after |= cells >> 8 * __builtin_ctz(left);
    return (uint8_t)after;
}

/* All states that some lead to by any number of chunks, through those of through alone. */
static uint8_t closure(uint64_t cells, uint8_t states, uint8_t through)
{
    for (uint8_t before = 0; before != states;) {
        before = states;
        states |= all_after(cells, states & through);
        states |= states & T ? P : 0;
    }
    return states;
}

uint8_t sctpa_states_after_send(uint8_t states, unsigned row)
{
    return all_after(after_send[row], states);
}

uint8_t sctpa_states_after_recv(uint8_t states, uint64_t rows)
{
    uint64_t cells = 0;
    for (uint64_t left = rows; left; left &= left - 1)
        cells |= after_recv[__builtin_ctzll(left)];
    return closure(cells, states, ALL);
}

sctpa_known_t sctpa_states_allow(uint8_t states, unsigned row)
{
    if (!(states & ~may_send[row]))
        return SCTPA_YES;
    return states & (may_send[row] | C) || sctpa_states_reach(states) & may_send[row] ? SCTPA_UNKNOWN : SCTPA_NO;
}

uint8_t sctpa_states_reach(uint8_t states)
{
    uint64_t cells = 0;
    for (unsigned row = 0; row < SCTPA_CHUNK_ROWS; row++)
        cells |= after_send[row] | after_recv[row];
    return closure(cells, states, (uint8_t)~C);
}

enum {
    CHANGES_USUAL = 4, /* of an association that is set up */
    CONTRADICTIONS = 2 /* in a row: the endpoint is in another state than it seemed to be */
};

typedef struct {
    sctpa_states_change_t *changes;
    uint32_t n_changes;
    uint32_t heard[2];         /* rows of chunks that passed towards each endpoint */
    uint32_t settled[2];       /* rows of chunks that change nothing any more when this endpoint sends them */
    uint8_t states[2];         /* with all that heard may have led to */
    uint8_t contradictions[2]; /* chunks in a row that no state of this endpoint allows */
} endpoint_states_t;

static uint8_t states_at(const endpoint_states_t *s, uint8_t endpoint, uint32_t packet)
{
    uint32_t n = s ? sctpa_records_from(s->changes, s->n_changes, sizeof *s->changes, packet + 1) : 0;
    return n > 0 ? s->changes[n - 1].states[endpoint] : SCTPA_ALL_STATES;
}

uint8_t sctpa_states_at(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                        uint32_t packet)
{
    return states_at(sctpa_reference_find(store, tracked, SCTPA_PART_STATES), endpoint, packet);
}

const sctpa_states_change_t *sctpa_states_changes(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked,
                                                  uint32_t *n)
{
    const endpoint_states_t *s = sctpa_reference_find(store, tracked, SCTPA_PART_STATES);
    *n = s ? s->n_changes : 0;
    return s ? s->changes : NULL;
}

uint8_t sctpa_states_before(const sctpa_context_t *c, uint8_t endpoint)
{
    return states_at(sctpa_context_find_part(c, SCTPA_PART_STATES), endpoint, c->index - 1);
}

bool sctpa_states_are_settled(const sctpa_context_t *c)
{
    const endpoint_states_t *s = sctpa_context_find_part(c, SCTPA_PART_STATES);
    return s && !(c->rows & ~(uint64_t)s->settled[c->from]);
}

static void free_changes(sctpa_arena_t *arena, void *part)
{
    const endpoint_states_t *s = part;
    sctpa_arena_free_grown(arena, s->changes, MAX(s->n_changes, CHANGES_USUAL), sizeof *s->changes);
}

static endpoint_states_t *begin(const sctpa_context_t *c)
{
    const uint8_t not_open = 1 << SCTPA_STATE_CLOSED | 1 << SCTPA_STATE_COOKIE_WAIT;
    endpoint_states_t *s = sctpa_context_find_part(c, SCTPA_PART_STATES);
    if (s)
        return s;
    s = sctpa_context_owning_part(c, SCTPA_PART_STATES, sizeof *s, free_changes);
    bool is_begun = c->rows & SCTPA_ROW(INIT) && sctpa_context_vtag(c) == 0;
    s->states[0] = s->states[1] = is_begun ? not_open : SCTPA_ALL_STATES;
    return s;
}

/* After a chunk that none of the states allows. What was missed may have led to a state that allows it; else it was
 * late or wrong, and the states stay, unless it goes on. */
static uint8_t resynchronise(endpoint_states_t *s, uint8_t from, unsigned row)
{
    uint8_t states = s->states[from], may = sctpa_states_may_send(row);
    bool is_closed = states & 1 << SCTPA_STATE_CLOSED;
    if (sctpa_states_allow(states, row) == SCTPA_NO)
        return ++s->contradictions[from] < CONTRADICTIONS ? states : sctpa_states_after_send(may, row);
    return sctpa_states_after_send(is_closed ? may : sctpa_states_reach(states) & may, row);
}

/* Does the chunk show, in a packet without COOKIE ECHO, that its sender has had the COOKIE ACK? RFC 9260 5.1 C: "until
 * the COOKIE ACK chunk is returned, the sender MUST NOT send any other packets to the peer". Where none passed it is
 * the sender that does not keep to this. HEARTBEATs are answered before (8.3: "after entering the COOKIE-ECHOED
 * state"). */
static bool shows_cookie_ack(uint64_t rows, unsigned row)
{
    const uint64_t shows = SCTPA_DATA_ROWS | SCTPA_ROW(HEARTBEAT);
    return shows >> row & 1 && !(rows & SCTPA_ROW(COOKIE_ECHO));
}

/* rows: of the packet. False: it changed nothing, nor would another of the row. */
static bool take_chunk(endpoint_states_t *s, uint8_t from, uint64_t rows, unsigned row)
{
    const uint8_t not_echoed = (uint8_t) ~(1u << SCTPA_STATE_COOKIE_ECHOED);
    uint8_t before = s->states[from], after = sctpa_states_after_send(before, row);
    if (shows_cookie_ack(rows, row) && after & not_echoed)
        after &= not_echoed;
    if (!after)
        after = resynchronise(s, from, row);
    else
        s->contradictions[from] = 0;
    if (after != before)
        s->states[from] = sctpa_states_after_recv(after, s->heard[from]);
    return s->states[from] != before || s->contradictions[from] > 0;
}

static void keep(const sctpa_context_t *c, endpoint_states_t *s)
{
    if (s->n_changes == 0)
        s->changes = sctpa_arena_alloc(&c->store->arena, CHANGES_USUAL * sizeof *s->changes);
    else if (s->n_changes >= CHANGES_USUAL)
        s->changes = sctpa_arena_grow(&c->store->arena, s->changes, s->n_changes, sizeof *s->changes);
    s->changes[s->n_changes++] = (sctpa_states_change_t){ c->index, { s->states[0], s->states[1] } };
}

void sctpa_states_take(const sctpa_context_t *c)
{
    endpoint_states_t *s = begin(c);
    uint8_t to = !c->from, before[2] = { s->states[0], s->states[1] };
    uint32_t heard = s->heard[to] | (uint32_t)c->rows;
    uint64_t idle = 0; /* rows of chunks that change nothing while the sender's states are these */
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (!(idle >> c->chunks[i].row & 1))
            idle = take_chunk(s, c->from, c->rows, c->chunks[i].row) ? 0 : idle | UINT64_C(1) << c->chunks[i].row;
    if (heard != s->heard[to])
        s->states[to] = sctpa_states_after_recv(s->states[to], heard);
    bool is_changed = before[0] != s->states[0] || before[1] != s->states[1] || s->n_changes == 0;
    if (is_changed)
        keep(c, s);
    if (is_changed || heard != s->heard[to])
        s->settled[0] = s->settled[1] = 0;
    else if (s->contradictions[c->from] == 0)
        s->settled[c->from] |= (uint32_t)c->rows;
    s->heard[to] = heard;
}
