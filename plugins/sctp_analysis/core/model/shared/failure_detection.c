/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formulas for the time of failure detection. */
#include "failure_detection.h"

#include "wire/types.h"

/* jitter_ns: what the formula for FreeBSD adds for each error. errors_max: so that no sum of times overflows. */
static const int64_t jitter_ns = 128 * SCTPA_NS_PER_MS, errors_max = 1000000;

enum { ERRORS_MOST = 64 }; /* that are looked for in a sum */

const char *sctpa_formula_word(sctpa_formula_t formula)
{
    static const char *const words[SCTPA_FORMULAS] = { "", "RFC", "FreeBSD", "Solaris" };
    return words[formula];
}

/* RTO_0 + ... + RTO_n-1 in ns, where each is twice the one before, at most rto_max_ns. O(RTOs below it). */
static int64_t detection_rtos(int64_t rto_ns, int64_t rto_max_ns, int64_t n)
{
    int64_t sum_ns = 0;
    for (; n > 0 && rto_ns < rto_max_ns; n--, rto_ns *= 2)
        sum_ns += rto_ns;
    return sctpa_ns_sum(sum_ns, sctpa_ns_times(rto_max_ns, n));
}

unsigned sctpa_detection_errors(int64_t took_ns, int64_t rto_ns, int64_t rto_max_ns, unsigned least, unsigned share)
{
    for (unsigned errors = least; rto_ns > 0 && errors <= ERRORS_MOST; errors++) {
        int64_t sum_ns = detection_rtos(rto_ns, rto_max_ns, errors);
        if (took_ns < sum_ns / share * (share - 1))
            return 0;
        if (took_ns / (share + 1) < sum_ns / share)
            return errors;
    }
    return 0;
}

static bool fits(int64_t took_ns, int64_t formula_ns)
{
    return formula_ns > 0 && took_ns > formula_ns / 10 * 9 && took_ns / 11 < formula_ns / 10;
}

sctpa_formula_t sctpa_detection_fit(const sctpa_detection_t *detection)
{
    if (fits(detection->took_ns, detection->rfc_ns))
        return SCTPA_FORMULA_RFC;
    if (fits(detection->took_ns, detection->freebsd_ns))
        return SCTPA_FORMULA_FREEBSD;
    return fits(detection->took_ns, detection->solaris_ns) ? SCTPA_FORMULA_SOLARIS : SCTPA_FORMULA_NONE;
}

/* Fills in what the formulas give for errors, of which waits came after a HEARTBEAT interval. */
static void expect(sctpa_detection_t *detection, int64_t heartbeat_ns, int64_t waits, int64_t errors, unsigned n_paths,
                   int64_t rto_ns)
{
    int64_t rtos_ns = detection_rtos(rto_ns, SCTPA_RTO_MAX_NS, errors);
    detection->rfc_ns = sctpa_ns_sum(sctpa_ns_times(heartbeat_ns, waits), rtos_ns);
    detection->freebsd_ns = sctpa_ns_sum(sctpa_ns_times(heartbeat_ns, waits * n_paths), rtos_ns + errors * jitter_ns);
    detection->solaris_ns = heartbeat_ns + rtos_ns;
}

sctpa_detection_t sctpa_detection_of(const sctpa_failover_t *failover, unsigned n_paths, int64_t rto_ns)
{
    const sctpa_trouble_t *trouble = &failover->trouble;
    sctpa_detection_t detection = { failover->time_ns - trouble->unanswered_ns, -1, -1, -1 };
    int64_t errors = MIN((int64_t)sctpa_trouble_errors(trouble), errors_max);
    if (rto_ns <= 0)
        return detection;
    int64_t heartbeat_ns = trouble->heartbeats ? MAX(trouble->heartbeat_gap_ms * SCTPA_NS_PER_MS - rto_ns, 0) : 0;
    expect(&detection, heartbeat_ns, MIN(errors - 1, trouble->heartbeats), errors, n_paths, rto_ns);
    return detection;
}

sctpa_detection_t sctpa_detection_of_idle(const sctpa_outage_t *outage, const sctpa_probing_t *probing,
                                          unsigned n_paths, int64_t rto_ns)
{
    sctpa_detection_t detection = { -1, -1, -1, -1 };
    const int64_t gap_ns = probing->least_gap_ns + (probing->most_gap_ns - probing->least_gap_ns) / 2;
    if (outage->inactive.frame == 0 || rto_ns <= 0 || gap_ns <= 0 || outage->timeouts > 0 ||
        outage->max_retrans > errors_max)
        return detection;
    expect(&detection, MAX(gap_ns - rto_ns, 0), outage->max_retrans, (int64_t)outage->max_retrans + 1, n_paths, rto_ns);
    return detection;
}
