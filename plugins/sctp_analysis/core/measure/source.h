/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where numbers are drawn from, for the files of measure/ and who calls them. */
#ifndef SCTPA_MEASURE_SOURCE_H
#define SCTPA_MEASURE_SOURCE_H

#include "track/assoc.h"
#include "track/clock_steps.h"
#include "track/kept_packets.h"
#include "measure.h"
#include "user_messages.h"

typedef struct {
    const sctpa_direction_t *direction;     /* NULL: nothing was sent or acked */
    const sctpa_direction_t *at_receiver;   /* the same data; of two taps, as the one near its receiver shows it */
    int64_t receiver_ahead_ns;              /* of the clock near its receiver against that near its sender */
    const sctpa_setup_t *setup;             /* of the association; of two taps, as it passed the one near the sender */
    const GArray *records;                  /* sctpa_record_t by packet index */
    const GArray *stamps;                   /* sctpa_stamp_t by packet index */
    const sctpa_packets_t *selected;        /* NULL: all packets */
    uint32_t window_bytes;                  /* announced by the receiver in INIT or INIT ACK, 0 unknown */
    sctpa_tap_rtt_t sender_tap_rtt;         /* RTT from the tap to the sender */
    const sctpa_clock_steps_t *clock_steps; /* times across them mean nothing */
    bool data_only;                         /* what needs acks is unknown (tap/unseen_rest.h) */
} sctpa_source_t;

/* The numbers of a direction; free with sctpa_measure_free. O(n log n) for n TSNs, transmissions and SACKs of the
 * direction. */
sctpa_measure_t *sctpa_measure_direction(const sctpa_source_t *source);
/* The streams of a direction with something selected: sctpa_stream_t in order of id, the array frees what they hold.
 * also: called with each user message besides, as sctpa_user_messages_each, which one walk serves; NULL nobody. O(n log
 * n) for n TSNs and transmissions; memory: 8 bytes per ordered message while it runs. */
GArray *sctpa_measure_streams(const sctpa_source_t *source, sctpa_user_message_fn also, void *user);

static inline const sctpa_stamp_t *sctpa_source_stamp(const sctpa_source_t *source, uint32_t packet)
{
    return &g_array_index(source->stamps, sctpa_stamp_t, packet);
}
static inline const sctpa_record_t *sctpa_source_record(const sctpa_source_t *source, uint32_t packet)
{
    return &g_array_index(source->records, sctpa_record_t, packet);
}
static inline const sctpa_rtx_t *sctpa_source_rtx(const sctpa_source_t *source, uint32_t at)
{
    return sctpa_direction_rtx(source->direction, at);
}
/* The path of the first transmission of a TSN. */
static inline uint16_t sctpa_source_first_path(const sctpa_source_t *source, const sctpa_tsn_t *tsn)
{
    return tsn->more ? sctpa_source_record(source, tsn->first_packet)->path : tsn->path;
}

#endif
