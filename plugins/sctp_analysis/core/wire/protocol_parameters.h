/* The parameters of the protocol as the RFCs recommend them, each once. What an endpoint was seen to use is learned
 * (measure/learned). Leaves out what this plugin chose for itself: tolerances stand where they are used. */
#ifndef SCTPA_WIRE_PROTOCOL_PARAMETERS_H
#define SCTPA_WIRE_PROTOCOL_PARAMETERS_H

#include "base/time.h"

/* RFC 9260 16. */
#define SCTPA_RTO_INITIAL_NS SCTPA_NS_PER_S    /* RTO.Initial */
#define SCTPA_RTO_MIN_NS SCTPA_NS_PER_S        /* RTO.Min */
#define SCTPA_RTO_MAX_NS (60 * SCTPA_NS_PER_S) /* RTO.Max */
enum {
    SCTPA_MAX_BURST = 4,
    SCTPA_RTO_ALPHA_SHARE = 8, /* RTO.Alpha is 1/8 */
    SCTPA_RTO_BETA_SHARE = 4,  /* RTO.Beta is 1/4 */
    SCTPA_ASSOCIATION_MAX_RETRANS = 10,
    SCTPA_PATH_MAX_RETRANS = 5
};

/* RTO.Initial of RFC 4960 15: what a sender waits at most that has measured nothing. */
#define SCTPA_RTO_INITIAL_4960_NS (3 * SCTPA_NS_PER_S)

/* RFC 9260 6.2: an acknowledgement "SHOULD be generated within 200 ms of the arrival of any unacknowledged DATA chunk".
 */
#define SCTPA_SACK_DELAY_NS (200 * SCTPA_NS_PER_MS)

#endif
