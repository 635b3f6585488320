/* Numbers that the rules for heartbeats and the choice of paths say and check. Leaves out those of the RFCs and those
 * that only the code has. */
#ifndef SCTPA_RULES_PATHS_LIMITS_H
#define SCTPA_RULES_PATHS_LIMITS_H

/* An answer to a HEARTBEAT that was not captured looks wrong once, not in a row; what comes later is no answer. */
#define SCTPA_WRONG_ECHOES 3
#define SCTPA_WRONG_ECHO_S 2
/* What separates HEARTBEATs without answer from one that was lost, or whose answer is still on its way. */
#define SCTPA_HEARTBEATS_UNANSWERED 3
#define SCTPA_HEARTBEAT_UNANSWERED_S 1
/* What separates heartbeats by a clock from chance; both, the shorter counts: the jitter of an RTO of 10 ms would still
 * spread intervals wider. */
#define SCTPA_EVEN_INTERVALS 10
#define SCTPA_EVEN_INTERVAL_MS 2
#define SCTPA_EVEN_INTERVAL_PERCENT 1
/* What separates a sender that uses several paths from one whose primary path changed. */
#define SCTPA_SPREAD_PACKETS 100
#define SCTPA_SPREAD_TURNS 10
/* A single retransmission that stays on its path may be a race. */
#define SCTPA_STAYS_ON_PATH 2
/* What separates a path that is active from one that was. */
#define SCTPA_PATH_ACTIVE_S 60
/* What separates a sender that goes back and forth from paths that fail and recover. */
#define SCTPA_SWINGS_S 60
/* What separates a path on which no data arrives from one that loses some: transmissions of a TSN, what the window has
 * room for besides, and a sender that retransmits more than this share of its other data. */
#define SCTPA_TRANSMISSIONS_IN_VAIN 6
#define SCTPA_WINDOW_ROOM_BYTES 3000
#define SCTPA_LOSSY_SHARE 10
/* What separates an address that is never probed from one that is probed late. */
#define SCTPA_PROBED_BY_S 60
/* What separates an association that stays open from one that is about to be given up. */
#define SCTPA_HEARTBEATS_DORMANT 6

#endif
