/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers by which retransmitted requests are read, that rules also say. Leaves out those of the RFCs. */
#ifndef SCTPA_REFERENCE_RETRANSMISSIONS_LIMITS_H
#define SCTPA_REFERENCE_RETRANSMISSIONS_LIMITS_H

/* An interval that was backed off is twice the one before; where retransmissions between were lost before the capture
 * point, it is at least longer: of intervals of 1, 2, 4, 8 s the first four look like 15, then comes 16. */
#define SCTPA_REQUEST_GROWN_PERCENT 105
/* COOKIE ECHOs in a row without an answer, each waited for so long: what separates a responder that is silent from one
 * that is slow. */
#define SCTPA_COOKIE_ECHOES_UNANSWERED 3
#define SCTPA_COOKIE_ECHO_WAITED_MS 500
/* What separates a SHUTDOWN that is never repeated from repeats that were lost before the capture point: so long, and
 * so many expiries of T2-shutdown, each in another silence of the peer. */
#define SCTPA_SHUTDOWN_UNREPEATED_S 180
#define SCTPA_SHUTDOWN_UNREPEATED_EXPIRIES 3

#endif
