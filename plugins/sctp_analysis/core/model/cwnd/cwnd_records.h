/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The band of cwnd: what cwnd and ssthresh a sender may have, per path, by what it sent and what was acknowledged; read
 * by packet. Leaves out how it is followed (cwnd_data.c, cwnd_data.c). */
#ifndef SCTPA_CWND_CWND_RECORDS_H
#define SCTPA_CWND_CWND_RECORDS_H

#include "model/reference.h"
#include "cwnd.h"

/* What is known of a path of endpoint after packet. False: no DATA had gone there by then. O(log changes). */
bool sctpa_congestion_at(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                         uint16_t path, uint32_t packet, sctpa_congestion_t *out);

/* Calls visit for every change of what sctpa_congestion_at returns for the paths of endpoint: path after path, in
 * order. O(changes). */
void sctpa_congestion_each(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                           void (*visit)(void *user, uint16_t path, uint32_t packet,
                                         const sctpa_congestion_t *congestion),
                           void *user);

#endif
