/* The reference sender: what cwnd and ssthresh a sender may have, by what it sent and what was acknowledged, per path.
 * The results, read by packet; cwnd_bands.c says how they are made. Leaves out verdicts (check_congestion.c). */
#ifndef SCTPA_RULES_CWND_BANDS_H
#define SCTPA_RULES_CWND_BANDS_H

#include "reference/cwnd.h"
#include "reference/reference.h"

/* What is known of the path of end after packet. False: no DATA had gone there by then. O(log changes). */
bool sctpa_congestion_at(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t end,
                         uint16_t path, uint32_t packet, sctpa_congestion_t *out);

/* Calls visit for every change of what sctpa_congestion_at tells of the paths of an end: path after path, in order.
 * O(changes). */
void sctpa_congestion_each(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t end,
                           void (*visit)(void *user, uint16_t path, uint32_t packet,
                                         const sctpa_congestion_t *congestion),
                           void *user);

#endif
