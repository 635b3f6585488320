/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long the user messages of a direction took, by stream and PPID. Leaves what became of each to user_messages.h. */
#ifndef SCTPA_MEASURE_MESSAGE_DELAYS_H
#define SCTPA_MEASURE_MESSAGE_DELAYS_H

#include "order.h"
#include "source.h"

/* Messages that go together. What is not acked is counted by why, not timed. */
typedef struct {
    uint16_t stream;
    uint32_t ppid;
    uint64_t messages, outstanding, given_up, partly_seen; /* partly_seen: PPID 0 where a fragment is missing */
    sctpa_percentiles_t ack;            /* from the first transmission of the first fragment to the ack of the last */
    uint64_t late;                      /* of those, that took longer than the budget */
    uint32_t slowest_sent, slowest_ack; /* packets of the slowest of them */
    sctpa_percentiles_t delivered_least,
        delivered_most; /* of those whose delivery is shown, not sooner and not later than */
} sctpa_message_delay_t;

typedef struct {
    int64_t budget_ns;
    sctpa_tap_rtt_t sender_tap_rtt; /* RTT from the tap to the sender */
    bool is_least; /* the tap is not near the sender: a first transmission may have been lost before it, so that
                    * a time runs from a retransmission, and is the least that it can be */
    sctpa_message_delay_t all;
    GArray *streams; /* sctpa_message_delay_t, by stream and PPID ascending */
} sctpa_message_delays_t;

/* Are times from a first transmission the least that they can be, as in is_least? sender_tap_rtt: from the tap to the
 * sender. O(1). */
static inline bool sctpa_message_delays_are_least(sctpa_tap_rtt_t sender_tap_rtt)
{
    return !sctpa_tap_is_beside(sender_tap_rtt);
}

/* A message counts when the packet of its first transmission is selected. streams: where sctpa_measure_streams of the
 * same walk is put, NULL nowhere. O(n log n) for n TSNs and transmissions; memory: 48 bytes per message while it runs,
 * then 200 per stream and PPID. sctpa_message_delays_free. */
sctpa_message_delays_t *sctpa_message_delays_measure(const sctpa_source_t *source, int64_t budget_ns, GArray **streams);
void sctpa_message_delays_free(sctpa_message_delays_t *delays);

#endif
