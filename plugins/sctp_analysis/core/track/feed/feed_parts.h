/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way of a packet through the tracker, and what its chunks change there, step by step: data, set-up, requests and
 * their answers, endings, ICMP errors, AUTH, two taps; and what is forgotten. Each file of this folder is one of
 * these steps. */
#ifndef SCTPA_FEED_FEED_PARTS_H
#define SCTPA_FEED_FEED_PARTS_H

#include "track/packet.h"
#include "track/tracked.h"
#include "track/input.h"
#include "data/observation.h"
#include "track/assoc.h"
#include "track/flow.h"

sctpa_tracker_t *sctpa_tracker_new(void);
void sctpa_tracker_free(sctpa_tracker_t *tracker);
/* Takes one packet: identifies it, counts it, follows what its chunks mean. Appends its record and returns it (valid
 * until the next). O(chunks + bytes for the checksum). */
sctpa_record_t *sctpa_track_packet(sctpa_tracker_t *tracker, const sctpa_packet_t *packet);

/* Forgets the association that number stands for, with the halves that were merged into it; one that was forgotten
 * already stays so. Its number, and theirs, lead to sctpa_tracked_none. O(what is kept of it). */
void sctpa_tracker_forget(sctpa_tracker_t *tracker, uint32_t number);

/* Bytes that associations hold, with what leads to them: 0 once each was forgotten. O(1). */
size_t sctpa_tracker_held_bytes(const sctpa_tracker_t *tracker);

/* Before the association is forgotten. O(1). */
void sctpa_half_closed_free(sctpa_tracked_t *tracked);

/* What the last request of asker waits for; answers 0: nothing, or no request passed. Never NULL. O(1). */
const sctpa_in_progress_t *sctpa_in_progress_of(const sctpa_tracked_t *tracked, uint8_t asker);

enum { SCTPA_REQUESTS_OF_CHUNK = 4 /* parameters of a RE_CONFIG that are followed; RFC 6525 3.1 allows two */ };

/* Takes note of what the chunk means: ASCONF, ASCONF_ACK, RE_CONFIG. */
void sctpa_request_chunk(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet,
                         const sctpa_tlv_t *chunk);

/* Takes note of what each chunk means for the association. */
void sctpa_setup_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                       const sctpa_observed_t *observed);

/* An INIT ACK (chunk) of from whose peer echoed another cookie already, and discards it: it is in COOKIE-WAIT no more
 * (RFC 9260 5.2.3), unless a "Stale Cookie" made it ask again. By another clock it may pass after the set-up. O(1). */
bool sctpa_setup_is_discarded(const sctpa_tracked_t *tracked, uint8_t from, const sctpa_tlv_t *chunk);

/* Keeps what endpoint from announced, for INIT or INIT ACK with another tag replaces it. O(1). */
void sctpa_announcement_keep(sctpa_tracked_t *tracked, uint8_t from, uint32_t tag);

/* Its peer calls the endpoint by that tag: so what it announced with it is true. O(announcements), bounded. */
void sctpa_announcement_choose(sctpa_tracked_t *tracked, uint8_t end, uint32_t tag);

/* A packet of endpoint from shows by which of several tags it calls its peer: any but those of the set-up, of which
 * attempts may be discarded, and what may answer a packet without an association. O(1), as a rule. */
void sctpa_announcement_settle(sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input);

/* Gives back what is kept of announcements, and the key vectors of the endpoints. O(announcements). */
void sctpa_announcements_free(sctpa_tracked_t *tracked);

/* What passed shows that the association is up: COOKIE ACK, an acknowledgement of data, or data from the end that was
 * asked. */
void sctpa_setup_established(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                             const sctpa_packet_t *packet);

/* Takes an AUTH chunk: verifies the first of a packet with the key that its identifier names, leaves others unverified,
 * counts the outcome for the sending end and sets auth of the record. O(bytes of the packet) for the first, O(1) for
 * others. */
void sctpa_auth_verify_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                             const sctpa_packet_t *packet, const sctpa_tlv_t *chunk, sctpa_record_t *record);

/* Marks the destination of a packet with HEARTBEAT or INIT ACK (SCTPA_ADDR_RENAMED), if its sender has an
 * address for it that no packet went to or came from. O(parameters). */
void sctpa_named_address_note(sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                              const sctpa_observed_t *observed);

/* A packet (record) was first seen at interface first, and later_ns after that at the one of input. The first time, the
 * data of its sender begins to be followed at both taps: where it was seen first, with all that was known of it. O(1);
 * the first time O(what is known of the data). */
void sctpa_two_taps_data_duplicate(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_record_t *record,
                                   const sctpa_input_t *input, uint32_t first, int64_t later_ns);

/* Takes a packet that passed the interface of input, for the first time or again. As sctpa_dispatch_packet. */
void sctpa_two_taps_data_take(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_record_t *record,
                              const sctpa_input_t *input);

/* The receiver gave up the address of a path of the endpoint, as the packet shows (sctpa_direction_leave); the other
 * tap saw that at another time. */
void sctpa_two_taps_data_leave(sctpa_tracked_t *tracked, uint8_t end, uint16_t path, const sctpa_packet_t *packet);

/* Gives back what is kept of two taps. O(what is held). */
void sctpa_two_taps_data_free(sctpa_tracked_t *tracked);

/* What a packet shows of an ABORT before it, called before the packet is taken; of one with ABORT it keeps what the
 * next are compared with. tracked is_aborted, or the packet has ABORT. Where both endpoints go on the association
 * lives on: it is open again, and has the event ABORT_NOT_TAKEN at the ABORT. O(1). */
void sctpa_after_abort_packet(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                              const sctpa_input_t *input);

/* What is known of the packets after the ABORT that ended an association; all 0 where nothing passed. O(1). */
const sctpa_after_abort_t *sctpa_after_abort_of(const sctpa_tracked_t *tracked);

/* Adds the event of an ABORT that its receiver discards by its tag: one that nobody announced in the set-up of the
 * association, or of its own sender, without T bit. O(1). */
void sctpa_abort_of_nobody(sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input);

/* A packet of endpoint from with these chunks (SCTPA_ROW): what answers its peer otherwise than by closing begins the
 * count of its peer anew. O(1). */
void sctpa_closing_packet(sctpa_tracked_t *tracked, uint8_t from, uint64_t rows);

/* Takes note of what the chunk means for the end of the association. */
void sctpa_teardown_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                          const sctpa_tlv_t *chunk);

/* How the association ended if the capture ends at end_ns: no answer, failed. O(pairs), bounded. */
sctpa_outcome_t sctpa_teardown_outcome(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, int64_t end_ns);

/* Hands the chunks of a packet that is no duplicate to the directions they concern. True: it acknowledges data that the
 * capture missed. */
bool sctpa_dispatch_packet(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_flow_t *flow,
                           const sctpa_input_t *input, sctpa_checksum_t checksum);

/* Endpoint from announced the first TSN of its data, and the window for its peer's. O(1). */
void sctpa_dispatch_announced(sctpa_tracked_t *tracked, uint8_t from, uint32_t initial_tsn, uint32_t a_rwnd_bytes);

/* Hands them to what one of two taps shows, which saw the packet (record); has_begun: whose data is followed there. */
void sctpa_dispatch_at_tap(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_tap_data_t *tap,
                           const bool has_begun[2], const sctpa_record_t *record, const sctpa_input_t *input);

/* Makes an event of what the error says. False when no association fits. */
bool sctpa_icmp_take(sctpa_tracker_t *tracker, const sctpa_icmp_t *icmp);

/* What an error of SCTPA_ICMP_UNREACHABLE says, "port unreachable"; to be freed. */
char *sctpa_icmp_reason(const sctpa_icmp_t *icmp);

/* Gives back what is kept of the errors of an association. */
void sctpa_icmp_free(sctpa_tracked_t *tracked);

#endif
