/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules of initialization and restarts say, and that they or the reference endpoint check. Leaves out
 * those of the RFCs and those that only the code has. */
#ifndef SCTPA_REFERENCE_INITIALIZATION_LIMITS_H
#define SCTPA_REFERENCE_INITIALIZATION_LIMITS_H

/* The first INIT or COOKIE ECHO, and the 8 repetitions of Max.Init.Retransmits. */
#define SCTPA_SETUP_ATTEMPTS 9
/* INITs of the peer in a collision: what separates one that is not answered from one that was lost on its way. */
#define SCTPA_COLLIDING_INITS 3
/* What separates an INIT ACK that fits into one packet from one that may not. */
#define SCTPA_INIT_ACK_LARGE_BYTES 1280
/* What separates the first SACK at once from a delayed one, and that from one that came for another reason: the most
 * that RFC 9260 6.2 allows as a delay. */
#define SCTPA_FIRST_SACK_MS 100
#define SCTPA_FIRST_SACK_DELAYED_MS 500
/* Packets nearer to each other than this may have reached a receiver together. */
#define SCTPA_FIRST_PACKETS_APART_MS 5
/* Values in a row that follow a rule, and what counts as near: random ones do either once in 2^90. */
#define SCTPA_GUESSED_VALUES 8
#define SCTPA_GUESSED_NEAR 65536
/* What separates a peer that restarts again and again from one that did once. */
#define SCTPA_RESTARTS_REPORTED 2
#define SCTPA_RESTARTS_WITHIN_S 60

#endif
