/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets that the capture holds more than once. */
#ifndef SCTPA_TRACK_DUPLICATE_PACKETS_H
#define SCTPA_TRACK_DUPLICATE_PACKETS_H

#include "track/input.h"

enum { SCTPA_CLOCKS_MS = 16000 }; /* the clocks of two hosts may differ by this */

struct sctpa_duplicate_packets *sctpa_duplicate_packets_new(void);
void sctpa_duplicate_packets_free(struct sctpa_duplicate_packets *duplicates);
/* Brings the memory for content nearer, some work ahead of sctpa_duplicate_packets_check. */
void sctpa_duplicate_packets_prefetch(const struct sctpa_duplicate_packets *duplicates, uint64_t content);
/* The packet index of which this packet is a duplicate, or UINT32_MAX.
 * content  hash of the SCTP bytes without ports and checksum, and of the IPv4 identification
 * O(1), 2 MiB: duplicates with more than about 50,000 packets between them may be missed. */
uint32_t sctpa_duplicate_packets_check(sctpa_tracker_t *tracker, const sctpa_input_t *input, uint64_t content);

#endif
