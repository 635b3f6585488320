/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the rules for heartbeats and the choice of paths say and check. Leaves out those of the RFCs and those
 * that only the code has. */
#ifndef SCTPA_RULES_PATHS_LIMITS_H
#define SCTPA_RULES_PATHS_LIMITS_H

/* An answer to a HEARTBEAT that was not captured looks wrong once, not in a row. */
#define SCTPA_WRONG_ECHOES 3
/* What separates HEARTBEATs without answer from one that was lost. */
#define SCTPA_HEARTBEATS_UNANSWERED 3
/* A HEARTBEAT ACK that comes so long after a SACK for what was sent behind its HEARTBEAT: packets that take one way to
 * the same host do not overtake each other by as much. */
#define SCTPA_HEARTBEAT_ACK_LATE_MS 200
#define SCTPA_HEARTBEAT_ACKS_LATE 3
/* What separates heartbeats by a clock from chance. */
#define SCTPA_EVEN_INTERVALS 10
/* Intervals that grow, each by more than the one before: what separates a timer that is backed off from jitter, which
 * makes one run of five such in some 3000. */
#define SCTPA_GROWING_INTERVALS 5
/* Jitter spreads intervals by an RTO; RTO.Min may be set a little higher than the RFC has it. */
#define SCTPA_GROWN_RTOS 3
/* Of SCTPA_SPREAD_PACKETS: what separates a sender that uses several paths from one whose primary path changed. */
#define SCTPA_SPREAD_TURNS 10
/* A single retransmission that stays on its path may be a race. */
#define SCTPA_STAYS_ON_PATH 2
/* What separates a sender that goes back and forth from paths that fail and recover. */
#define SCTPA_SWINGS_S 60
/* What separates a path on which no data arrives from one that loses some: transmissions of a TSN, what the window has
 * room for besides, and a sender that retransmits more than this share of its other data. */
#define SCTPA_TRANSMISSIONS_IN_VAIN 6
#define SCTPA_WINDOW_ROOM_BYTES 3000
#define SCTPA_LOSSY_SHARE 10
/* Errors in a row by which each path is inactive: one more than Path.Max.Retrans. */
#define SCTPA_HEARTBEATS_DORMANT 6

#endif
