/* The reference sender: what cwnd and ssthresh a sender may have, by what it sent and what was acknowledged, per path. The results, read
 * by packet; congestion.c says how they are made. Leaves out verdicts (judge_congestion.c). */
#ifndef SCTPA_MODEL_CONGESTION_H
#define SCTPA_MODEL_CONGESTION_H

#include "model.h"

enum { SCTPA_SSTHRESH_HIGH = 0xFFFFFFFFu, SCTPA_CWND_UNKNOWN = 0xFFFFFFFFu };

/* The congestion control of one path as it may be, in bytes as its best-fitting sender counts them. */
typedef struct {
    uint32_t cwnd;              /* of the best-fitting sender */
    uint32_t cwnd_min, cwnd_max;  /* of all senders that fit; cwnd_max SCTPA_CWND_UNKNOWN: the capture does not hold how it began */
    uint32_t ssthresh;          /* of the best-fitting sender, SCTPA_SSTHRESH_HIGH: arbitrarily high (RFC 9260 7.2.1) */
    uint32_t unit_bytes;        /* by which the best-fitting sender grows: its PMTU or PMDCS, as far as it showed */
    const char *sender;         /* the one that fits best at the end, in words */
} sctpa_congestion_t;

/* What is known of the path of end after packet. False: no DATA had gone there by then. O(log changes). */
bool sctpa_model_congestion(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end, uint16_t path, uint32_t packet,
                            sctpa_congestion_t *out);

#endif
