/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands state_table.def. */
#include "association_states.h"

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
