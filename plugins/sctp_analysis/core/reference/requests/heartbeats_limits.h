/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers by which heartbeats and their answers are read, that rules also say. Leaves out those of the RFCs, and those
 * that only the code has. */
#ifndef SCTPA_REFERENCE_HEARTBEATS_LIMITS_H
#define SCTPA_REFERENCE_HEARTBEATS_LIMITS_H

/* What separates a HEARTBEAT without answer from one whose answer is still on its way. */
#define SCTPA_HEARTBEAT_UNANSWERED_S 1
/* What comes later with other contents is no answer. */
#define SCTPA_WRONG_ECHO_S 2
/* What separates a path that is active from one that was. */
#define SCTPA_PATH_ACTIVE_S 60
/* What separates heartbeats by a clock from chance; both, the shorter counts: the jitter of an RTO of 10 ms would still
 * spread intervals wider. */
#define SCTPA_EVEN_INTERVAL_MS 2
#define SCTPA_EVEN_INTERVAL_PERCENT 1
/* An answer that comes before any RTO of a path with such round trips: half of the RTO.Min that the RFC recommends. */
#define SCTPA_PROMPT_ANSWER_MS 500
/* What separates an address that is never probed from one that is probed late. */
#define SCTPA_PROBED_BY_S 60

#endif
