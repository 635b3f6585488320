/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What starts the retransmission timer of a path. */
#include "direction_internal.h"

static void start(sctpa_data_path_t *path, uint32_t packet, int64_t time_ns)
{
    path->t3_start_ns = path->t3_before_ns = time_ns;
    path->t3_packet = packet;
}

static void may_start(sctpa_data_path_t *path, int64_t time_ns)
{
    path->patience_ns =
        MIN(sctpa_ns_times(MAX(sctpa_t3_rto_usual_ns(path), time_ns - sctpa_t3_may_start_ns(path, time_ns)), 2),
            SCTPA_RTO_MAX_NS);
    path->t3_before_ns = time_ns;
}

void sctpa_t3_take(sctpa_data_path_t *path, sctpa_t3_event_t event, uint32_t packet, int64_t time_ns)
{
    switch (event) {
    case SCTPA_T3_ACK:
        if (path->t3_start_ns == time_ns)
            return;
        path->t3_before_ns = MAX(path->t3_before_ns, path->t3_start_ns);
        path->t3_start_ns = time_ns;
        path->t3_packet = packet;
        return;
    case SCTPA_T3_DATA:
        if (path->flight_bytes == 0)
            start(path, packet, time_ns);
        return;
    case SCTPA_T3_EXPIRY: start(path, packet, time_ns); return;
    case SCTPA_T3_RTX: may_start(path, time_ns); return;
    case SCTPA_T3_MOVED:
        may_start(path, time_ns);
        if (path->flight_bytes == 0)
            start(path, packet, time_ns);
        return;
    case SCTPA_T3_UNSEEN:
    case SCTPA_T3_SETUP: path->t3_before_ns = time_ns; return;
    case SCTPA_T3_SAMPLE:
        if (path->t3_start_ns > path->t3_before_ns)
            path->patience_ns = 0;
        return;
    }
}

void sctpa_direction_restart_timers(sctpa_direction_t *direction, int64_t time_ns)
{
    for (uint32_t i = 0; direction->flight_bytes > 0 && i < direction->paths.len; i++)
        sctpa_t3_take(&SCTPA_RECORD(&direction->paths, sctpa_data_path_t, i), SCTPA_T3_SETUP, SCTPA_NO_PACKET_INDEX,
                      time_ns);
}
