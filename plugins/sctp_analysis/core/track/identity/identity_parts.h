/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which association a packet belongs to, and which endpoint sent it: by INIT, by tags and addresses, as a copy of a
 * packet, as a stray, and as half of an association that is joined with the other half. */
#ifndef SCTPA_IDENTITY_IDENTITY_PARTS_H
#define SCTPA_IDENTITY_IDENTITY_PARTS_H

#include "track/input.h"
#include "track/packet.h"
#include "track/tracked.h"

/* The association and end that sent an INIT with tag 0, whose Initiate Tag is captured; made when new. */
sctpa_sender_t sctpa_identify_init(sctpa_tracker_t *tracker, const sctpa_input_t *input);

/* An INIT of end from lists addresses: packets between these and the INIT's destination lead to the association, too,
 * as the INIT of the other end does, which knows them otherwise (RFC 9260 5.2.1). O(parameters), few. */
void sctpa_identify_listed(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                           const sctpa_param_list_t *list);

/* Does the INIT ACK answer an INIT that the capture lacks, of an association after that of its tag's owner: does it
 * come after the end of that one, in which its sender (from) had another tag? O(1). */
bool sctpa_answers_missed_init(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input);

/* The association and end that sent the packet, made when new. tracked is NULL only for packets without ports and tag.
 */
sctpa_sender_t sctpa_identify(sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* The association of a packet that must already be known, without making one: for quoted packets; tracked NULL none. */
sctpa_sender_t sctpa_find_known(const sctpa_tracker_t *tracker, const sctpa_input_t *input);

enum { SCTPA_CLOCKS_MS = 16000 }; /* the clocks of two hosts may differ by this */

struct sctpa_duplicate_packets *sctpa_duplicate_packets_new(void);

void sctpa_duplicate_packets_free(struct sctpa_duplicate_packets *duplicates);

/* Brings the memory for content nearer, some work ahead of sctpa_duplicate_packets_check. */
void sctpa_duplicate_packets_prefetch(const struct sctpa_duplicate_packets *duplicates, uint64_t content);

/* The packet index of which this packet is a duplicate, or UINT32_MAX.
 * content  hash of the SCTP bytes without ports and checksum, and of the IPv4 identification
 * O(1), 2 MiB: duplicates with more than about 50,000 packets between them may be missed. */
uint32_t sctpa_duplicate_packets_check(sctpa_tracker_t *tracker, const sctpa_input_t *input, uint64_t content);

/* Joins two halves: the packets of half's only sender become those of into's silent end. swapped: half's end 0 is
 * into's end 1. */
void sctpa_tracked_merge(sctpa_tracker_t *tracker, sctpa_tracked_t *into, sctpa_tracked_t *half, bool swapped);

/* Undoes a join by address alone that a later packet (number index) disproved; returns the association of the end that
 * left. */
sctpa_tracked_t *sctpa_tracked_split(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint32_t index);

/* Association and end of a stored packet, after merges and splits. */
sctpa_tracked_t *sctpa_record_assoc(const sctpa_tracker_t *tracker, const sctpa_record_t *record, uint32_t index,
                                    uint8_t *from);

/* The association that a packet strayed from, and the end that sent it; tracked NULL: it is none, or nothing shows
 * whose. *pair: index of its addresses in those of the end. For packets whose tag leads nowhere, before they begin an
 * association. O(pairs), bounded. */
sctpa_sender_t sctpa_stray_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t *pair);

/* The same of a lone ABORT with a tag that nobody is known to have used: it may well be that of another association of
 * the same ports, which its sender holds, or held; so nothing but addresses and ports need lead to this one, whose tags
 * INIT and INIT ACK announced, and an endpoint of it discards the ABORT (RFC 9260 8.5.1). */
sctpa_sender_t sctpa_stray_find_abort(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t *pair);

/* Notes what the next stray of an endpoint is recognised by: of each packet of it, is_stray or not. O(1). */
void sctpa_stray_note(sctpa_side_t *side, const sctpa_packet_t *packet, bool is_stray);

#endif
