/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The states of RFC 9260 section 4 as sets: what a chunk says about the state of its sender, and what it does to its
 * receiver. Leaves out packets and associations (endpoint_states.h). */
#ifndef SCTPA_SHARED_ASSOCIATION_STATES_H
#define SCTPA_SHARED_ASSOCIATION_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/numbers.h"

typedef enum {
    SCTPA_STATE_CLOSED,
    SCTPA_STATE_COOKIE_WAIT,
    SCTPA_STATE_COOKIE_ECHOED,
    SCTPA_STATE_ESTABLISHED,
    SCTPA_STATE_SHUTDOWN_PENDING,
    SCTPA_STATE_SHUTDOWN_SENT,
    SCTPA_STATE_SHUTDOWN_RECEIVED,
    SCTPA_STATE_SHUTDOWN_ACK_SENT,
    SCTPA_STATES
} sctpa_state_t;

/* Bit n of a set: sctpa_state_t n. */
enum { SCTPA_ALL_STATES = (1 << SCTPA_STATES) - 1 };

/* The states in which the endpoints can be from a packet (index) on: 8 bytes. */
typedef struct {
    uint32_t packet;
    uint8_t states[2];
} sctpa_states_change_t;

/* "CLOSED", "COOKIE_WAIT", "COOKIE_ECHOED", "ESTABLISHED", "SHUTDOWN_PENDING", "SHUTDOWN_SENT", "SHUTDOWN_RECEIVED",
 * "SHUTDOWN_ACK_SENT". */
const char *sctpa_state_word(sctpa_state_t state);

/* Rows are SCTPA_CHUNK_ROW_. */

/* States in which the chunk may be sent. O(1). */
uint8_t sctpa_states_may_send(unsigned row);
/* May an endpoint that is in one of states send the chunk? Yes: all of them allow it. No: neither they do nor any that
 * can follow them, so that packets that were missed do not explain it; CLOSED always explains it, by another
 * association. O(states), O(states * states * rows) where none of them allows it. */
sctpa_known_t sctpa_states_allow(uint8_t states, unsigned row);
/* States after an endpoint in one of states sent the chunk, empty: none of them allows it. O(states). */
uint8_t sctpa_states_after_send(uint8_t states, unsigned row);
/* States after chunks of rows (bit set) passed towards an endpoint in one of states, in any order, each taken or not;
 * and after what shows in no packet: the user may ask for a shutdown. O(states * rows). */
uint8_t sctpa_states_after_recv(uint8_t states, uint64_t rows);
/* States that can follow states whatever else passes, up to CLOSED and not beyond. O(states * states * rows). */
uint8_t sctpa_states_reach(uint8_t states);

#endif
