/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data channels of WebRTC that one endpoint closed, and its peer did not (RFC 8831 6.7). */
#ifndef SCTPA_REPORT_HALF_CLOSED_CHANNELS_H
#define SCTPA_REPORT_HALF_CLOSED_CHANNELS_H

#include "view.h"

typedef struct {
    sctpa_half_closed_t closed;
    int64_t until_ns; /* the last packet of the endpoint that did not close its half */
} sctpa_half_closed_channel_t;

/* Those of an association, where the peer sent packets for long enough to have reset its stream; g_array_unref.
 * O(data), where any stream was reset. */
GArray *sctpa_half_closed_channels(const sctpa_view_t *view, const sctpa_assoc_t *assoc);

#endif
