/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that measure several paths at once share. */
#ifndef SCTPA_MEASURE_CONCURRENT_PARTS_H
#define SCTPA_MEASURE_CONCURRENT_PARTS_H

#include "concurrent.h"

/* The first transmission of a TSN. Memory: 16 bytes. */
typedef struct {
    uint32_t packet, acked; /* acked: the packet of its first ack, SCTPA_NO_PACKET_INDEX none */
    uint16_t bytes, path;
    uint16_t transmissions, spare;
} sctpa_sent_once_t;

static inline sctpa_concurrent_path_t *sctpa_concurrent_path(const sctpa_concurrent_t *concurrent, uint16_t path)
{
    return path < concurrent->paths->len ? &g_array_index(concurrent->paths, sctpa_concurrent_path_t, path) : NULL;
}

/* Fills blocked_ns. sent: sctpa_sent_once_t of all TSNs whose first transmission passed, ascending. */
void sctpa_concurrent_measure_blocking(const sctpa_series_source_t *source, const GArray *sent,
                                       sctpa_concurrent_t *concurrent);

#endif
