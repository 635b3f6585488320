/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ICMP errors that quote a packet of an association. */
#ifndef SCTPA_TRACK_ICMP_H
#define SCTPA_TRACK_ICMP_H

#include "track/packet.h"
#include "track/tracked.h"

/* Makes an event of what the error says. False when no association fits. */
bool sctpa_icmp_take(sctpa_tracker_t *tracker, const sctpa_icmp_t *icmp);
/* What an error of SCTPA_ICMP_UNREACHABLE says, "port unreachable"; to be freed. */
char *sctpa_icmp_reason(const sctpa_icmp_t *icmp);
/* Gives back what is kept of the errors of an association. */
void sctpa_icmp_free(sctpa_tracked_t *tracked);

#endif
