/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long theory gives an endpoint to find out that a path or its peer failed (Rüngeler, dissertation, section 8.1),
 * and what follows from the time that it took. For reports and rules alike. Leaves out what errors are
 * (path_states.c). */
#ifndef SCTPA_SHARED_FAILURE_DETECTION_H
#define SCTPA_SHARED_FAILURE_DETECTION_H

#include "track/assoc.h"

/* Times in ns, negative: an input is missing. */
typedef struct {
    int64_t took_ns;    /* from the first packet lost to the first new data elsewhere, as measured */
    int64_t rfc_ns;     /* PMR*HB + sum of RTO_0 .. RTO_PMR (8.1)-(8.4) */
    int64_t freebsd_ns; /* PMR*N*HB + sum of (RTO_i + 128 ms) (8.5) */
    int64_t solaris_ns; /* HB + sum of RTO_i (8.6) */
} sctpa_detection_t;

/* Whose formula it is. */
typedef enum {
    SCTPA_FORMULA_NONE,
    SCTPA_FORMULA_RFC,
    SCTPA_FORMULA_FREEBSD,
    SCTPA_FORMULA_SOLARIS,
    SCTPA_FORMULAS
} sctpa_formula_t;
/* "RFC", "FreeBSD", "Solaris"; "" for none. */
const char *sctpa_formula_word(sctpa_formula_t formula);

/* The errors that were seen, timeouts and heartbeats, stand for PMR + 1; RTO_0 is rto_ns, the RTO before the first
 * timeout, each next one twice that, at most 60 s (RFC 9260 16); 0: there was none. HB is what the last heartbeat
 * without answer waited beyond the RTO, 0 when data alone showed the failure. n_paths: N, of the end. O(errors until
 * the RTO is 60 s). */
sctpa_detection_t sctpa_detection_of(const sctpa_failover_t *failover, unsigned n_paths, int64_t rto_ns);
/* What the formulas give for a path without data until it is inactive, with the Path.Max.Retrans that the outage is
 * reckoned with. HB is the mean time between HEARTBEATs that were answered, less the RTO; rto_ns: RTO_0. Unknown where
 * the path did not become inactive, none were answered in a row, or timeouts of data count as well; took_ns always is.
 * O(errors until the RTO is 60 s).
 */
sctpa_detection_t sctpa_detection_of_idle(const sctpa_outage_t *outage, const sctpa_probing_t *probing,
                                          unsigned n_paths, int64_t rto_ns);
/* The first formula that the time taken fits, to a tenth. O(1). */
sctpa_formula_t sctpa_detection_fit(const sctpa_detection_t *detection);
/* How many such RTOs took_ns is the sum of, to 1/share: the fewest that are, least or more; 0 none. O(64 * RTOs below
 * rto_max_ns). */
unsigned sctpa_detection_errors(int64_t took_ns, int64_t rto_ns, int64_t rto_max_ns, unsigned least, unsigned share);

#endif
