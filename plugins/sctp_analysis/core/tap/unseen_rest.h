/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the capture lacks of an endpoint to its end, as its peer shows by going on. Leaves out packets that are missing
 * between others (association_tap.h). */
#ifndef SCTPA_TAP_UNSEEN_REST_H
#define SCTPA_TAP_UNSEEN_REST_H

#include "track/assoc.h"

struct sctpa_tracker;

typedef enum {
    SCTPA_UNSEEN_NONE,
    SCTPA_UNSEEN_SET_UP,    /* its peer is ESTABLISHED, so that it has had the COOKIE ACK (RFC 9260 5.1 C) */
    SCTPA_UNSEEN_SACKS,     /* its peer sends new data when without an ack its T3-rtx had expired (6.3.3) */
    SCTPA_UNSEEN_HEARTBEATS /* its peer answers HEARTBEATs (8.3) */
} sctpa_unseen_kind_t;

/* last_frame: the last packet of the endpoint, or the last with a SACK of it, 0 none; shown_frame: the packet of its
 * peer that shows that the endpoint went on. */
typedef struct {
    sctpa_unseen_kind_t kind;
    uint32_t last_frame, shown_frame;
} sctpa_unseen_rest_t;

/* Of an endpoint that sent packets of an association; none where all packets hold DATA. O(pairs), bounded. */
sctpa_unseen_rest_t sctpa_tap_unseen_rest(const struct sctpa_tracker *tracker, const sctpa_assoc_t *assoc,
                                          uint8_t endpoint);
/* Is what needs acks of the data of an endpoint unknown? Every packet holds DATA (sctpa_assoc_is_data_only), or the
 * capture lacks all that its peer sent after the INIT ACK. O(pairs), bounded. */
bool sctpa_tap_lacks_acks(const struct sctpa_tracker *tracker, const sctpa_assoc_t *assoc, uint8_t endpoint);

#endif
