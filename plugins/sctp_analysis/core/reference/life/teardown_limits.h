/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers by which requests of a teardown are distinguished, that rules also say. */
#ifndef SCTPA_REFERENCE_TEARDOWN_LIMITS_H
#define SCTPA_REFERENCE_TEARDOWN_LIMITS_H

/* Requests nearer to each other than this may be lost together: they count as one. */
#define SCTPA_SHUTDOWN_ASKED_APART_S 1
/* What separates a SHUTDOWN that does not come from one after a SACK. */
#define SCTPA_SHUTDOWN_ANSWER_MS 200
/* So long after its SHUTDOWN ACK an endpoint surely waits for the answer: RTO.Min, while it gives up after several
 * timeouts. */
#define SCTPA_SHUTDOWN_ACK_SENT_MS 1000

#endif
