/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One packet on its way through the tracker: duplicate or new, whose, counted, and what its chunks change. Who
 * rewrites a port and leaves the checksum as it was makes it wrong: CRC32c is linear, so that the difference to the
 * right one tells which port it was made for. */
#include "feed_parts.h"

#include <string.h>

#include "base/hash.h"
#include "base/numbers.h"
#include "path_states.h"
#include "track/endpoints.h"
#include "track/flow.h"
#include "track/identity/half_matching.h"
#include "track/identity/identity_parts.h"
#include "track/identity/two_taps.h"
#include "track/input.h"
#include "track/lookup.h"
#include "track/packet.h"
#include "track/tracked.h"
#include "track/tracker.h"

enum { CHECKSUM_AT = 8 };

/* The packet fits the port that those before it did, or none did yet. */
static bool fits(const sctpa_rewritten_t *rewritten, bool is_destination, uint16_t port)
{
    return rewritten->fitting == 0 || (rewritten->is_destination == is_destination && rewritten->port == port);
}

/* Takes a whole packet of an endpoint whose checksum is wrong: would it be right for another port (sctpa_rewritten_t)?
 * The first SCTPA_REWRITTEN_TRIED are looked at. O(length). */
static void rewritten_port_note(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet)
{
    sctpa_rewritten_t *rewritten = &sctpa_end_rare(tracked, from)->rewritten;
    if (rewritten->tried == SCTPA_REWRITTEN_TRIED)
        return;
    const uint32_t checksum = sctpa_be32(packet->bytes + CHECKSUM_AT);
    rewritten->tried++;
    for (unsigned side = 0; side < 2; side++) {
        uint16_t port;
        const bool is_destination = side == 0;
        if (!sctpa_checksum_port(packet->bytes, packet->captured_bytes, is_destination, &port) ||
            !fits(rewritten, is_destination, port))
            continue;
        rewritten->different += rewritten->fitting == 0 || checksum != rewritten->checksum;
        rewritten->fitting++;
        rewritten->checksum = checksum;
        rewritten->is_destination = is_destination;
        rewritten->port = port;
        return;
    }
}

/* --- checksums that a host leaves to its hardware: behind one of two taps they are right. There the other tap shows
 * none, or what the hardware begins with, which says nothing of its sender --- */

static uint8_t *left_to_hardware(sctpa_tracker_t *tracker, uint32_t interface)
{
    return &tracker->left_to_hardware[interface % SCTPA_CHECKSUM_INTERFACES];
}

/* Has the packet no checksum at an interface, and a right one at another? A wrong one at one of them may be damage on
 * the way. */
static bool is_absent_at(sctpa_tracker_t *tracker, uint32_t interface, sctpa_checksum_t checksum,
                         uint32_t other_interface, sctpa_checksum_t other)
{
    if (interface == other_interface || other != SCTPA_CHECKSUM_CRC32C || checksum != SCTPA_CHECKSUM_ZERO)
        return false;
    *left_to_hardware(tracker, interface) = SCTPA_LEFT_TO_HARDWARE;
    return true;
}

/* What the checksum of a packet says where the hardware computes it behind the tap: nothing, unless it is right. O(1).
 */
static sctpa_checksum_t checksum_known(sctpa_tracker_t *tracker, uint32_t interface, sctpa_checksum_t checksum)
{
    const bool is_left = *left_to_hardware(tracker, interface) >= SCTPA_LEFT_TO_HARDWARE;
    return is_left && (checksum == SCTPA_CHECKSUM_ZERO || checksum == SCTPA_CHECKSUM_BAD) ? SCTPA_CHECKSUM_UNVERIFIED
                                                                                          : checksum;
}

/* Compares the checksums of a packet (record) that another interface showed first. O(1). */
static void checksums_compare(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_record_t *record,
                              uint32_t interface, const sctpa_record_t *first, uint32_t first_interface)
{
    const sctpa_checksum_t own = (sctpa_checksum_t)record->checksum, before = (sctpa_checksum_t)first->checksum;
    tracked->sides[record->from].left_to_hardware |= is_absent_at(tracker, interface, own, first_interface, before) ||
                                                     is_absent_at(tracker, first_interface, before, interface, own);
}

/* --- the way --- */

enum { CONTENT_WORDS = 8 };

sctpa_tracker_t *sctpa_tracker_new(void)
{
    sctpa_tracker_t *tracker = g_new0(sctpa_tracker_t, 1);
    sctpa_arena_init(&tracker->arena);
    tracker->assocs = g_ptr_array_new();
    tracker->records = g_array_new(FALSE, FALSE, sizeof(sctpa_record_t));
    sctpa_observation_init(&tracker->observation);
    sctpa_store_init(&tracker->store);
    tracker->duplicate_packets = sctpa_duplicate_packets_new();
    tracker->late_events = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    tracker->keys = g_array_new(FALSE, FALSE, sizeof(sctpa_auth_key_t));
    sctpa_flows_init(tracker);
    sctpa_lookup_init(tracker);
    sctpa_half_match_init(tracker);
    sctpa_hosts_init(&tracker->hosts);
    return tracker;
}

/* Sightings of packets at two taps lie outside the arena. */
static void free_sightings(const sctpa_tracker_t *tracker)
{
    for (unsigned i = 0; tracker->two_taps && i < tracker->assocs->len; i++) {
        sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, i);
        for (unsigned e = 0; e < 2; e++)
            for (unsigned path = 0; path < tracked->assoc.ends[e].n_paths; path++)
                sctpa_two_taps_clear(tracked, tracked->assoc.ends[e].paths[path].probing->two_taps);
    }
}

void sctpa_tracker_free(sctpa_tracker_t *tracker)
{
    free_sightings(tracker);
    sctpa_observation_clear(&tracker->observation);
    sctpa_store_clear(&tracker->store);
    sctpa_arena_clear(&tracker->arena);
    g_ptr_array_unref(tracker->assocs);
    g_array_unref(tracker->records);
    sctpa_kept_packets_clear(&tracker->kept);
    sctpa_duplicate_packets_free(tracker->duplicate_packets);
    sctpa_flows_free(tracker);
    sctpa_lookup_free(tracker);
    sctpa_half_match_free(tracker);
    sctpa_hosts_free(&tracker->hosts);
    g_array_unref(tracker->late_events);
    g_array_unref(tracker->keys);
    g_free(tracker);
}

static bool has_init(const sctpa_input_t *input)
{
    const sctpa_tlv_t *first = sctpa_input_first(input);
    return first && first->type == SCTPA_CHUNK_INIT && sctpa_tlv_has(first, SCTPA_F_INIT_TAG);
}

/* An INIT after the end of the association that its tag leads to is of another one, however wrong that tag is: its tag
 * has to be 0 (RFC 9260 3.1). */
static bool begins_anew(const sctpa_tracker_t *tracker, const sctpa_flow_t *flow, const sctpa_input_t *input)
{
    const sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, flow->pair->assoc);
    return tracked->assoc.known.end != SCTPA_ASSOC_OPEN && tracked->established && has_init(input);
}

/* Two directions that were joined by address alone do not fit each other, or two halves turn out to be one. */
static sctpa_sender_t reconsider(sctpa_tracker_t *tracker, sctpa_sender_t sender, const sctpa_input_t *input)
{
    sctpa_tracked_t *tracked = sender.tracked;
    if (tracked->unproven && tracked->assoc.ends[sender.from].settled->packets > 0) {
        sctpa_half_match_t match = sctpa_half_match_of(tracker, tracked, sender.from, input);
        if (match == SCTPA_HALF_MATCH_FOR && tracked->assoc.ends[!sender.from].settled->packets > 0)
            tracked->unproven = false;
        if (match == SCTPA_HALF_MATCH_AGAINST) {
            sctpa_tracked_t *left = sctpa_tracked_split(tracker, tracked, input->index);
            if (sender.from == tracked->unproven_end)
                sender = (sctpa_sender_t){ left, 0 };
        }
    }
    if (sctpa_tracked_is_half(sender.tracked) && sender.tracked->assoc.ends[sender.from].settled->packets > 0) {
        sctpa_sender_t other = sctpa_half_match_find(tracker, input);
        if (other.tracked && other.tracked != sender.tracked) {
            bool older = other.tracked->assoc.number < sender.tracked->assoc.number;
            sctpa_tracked_t *into = older ? other.tracked : sender.tracked,
                            *half = older ? sender.tracked : other.tracked;
            sctpa_tracked_merge(tracker, into, half, other.from != sender.from);
            sender = (sctpa_sender_t){ into, older ? other.from : sender.from };
        }
    }
    return sender;
}

/* Which host sends for an endpoint: of one with several addresses none. */
static void note_host(sctpa_tracker_t *tracker, const sctpa_sender_t *sender, const sctpa_packet_t *packet)
{
    sctpa_tap_rtt_t *rtt = &sender->tracked->sides[!sender->from].peer_tap_rtt;
    const bool is_single_homed = sender->tracked->assoc.ends[sender->from].n_addrs <= 1;
    rtt->host = !is_single_homed ? NULL : rtt->host ? rtt->host : sctpa_host_of(&tracker->hosts, packet);
}

/* is_init: it is to be identified by its Initiate Tag. */
static sctpa_flow_t *identify(sctpa_tracker_t *tracker, const sctpa_input_t *input, bool is_init)
{
    const sctpa_packet_t *packet = input->packet;
    uint32_t pair_index;
    sctpa_sender_t sender = is_init ? sctpa_identify_init(tracker, input) : sctpa_identify(tracker, input);
    if (!is_init)
        sender = reconsider(tracker, sender, input);

    sctpa_pair_t *pair =
        sctpa_end_pair(sender.tracked, sender.from, &packet->source, &packet->destination, &pair_index);
    note_host(tracker, &sender, packet);
    if (!pair->neighbours)
        sctpa_neighbour_add(tracker, sender.tracked, pair, input);
    return sctpa_flow_add(tracker, input, pair, pair_index);
}

/* Flows with tag 0 are no identity: the next INIT between the same addresses may be another attempt. */
static sctpa_flow_t *find_flow(const sctpa_tracker_t *tracker, const sctpa_input_t *input)
{
    return input->vtag != 0 ? sctpa_flow_find(tracker, input) : NULL;
}

/* flow: of the packet, NULL its way is new. */
static sctpa_flow_t *flow_or_identify(sctpa_tracker_t *tracker, const sctpa_input_t *input, sctpa_flow_t *flow)
{
    if (!flow)
        return identify(tracker, input, input->vtag == 0 && has_init(input));
    if (flow->plain && !(input->observation->rows & (SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK))))
        return flow;
    if (begins_anew(tracker, flow, input))
        return identify(tracker, input, true);
    sctpa_tracked_t *tracked = g_ptr_array_index(tracker->assocs, flow->pair->assoc);
    if (sctpa_answers_missed_init(tracked, flow->pair->from, input))
        return identify(tracker, input, false);
    if (tracked->unproven || sctpa_tracked_is_half(tracked)) {
        sctpa_sender_t before = { tracked, flow->pair->from }, after = reconsider(tracker, before, input);
        if (after.tracked != before.tracked && flow->pair->assoc != after.tracked->assoc.number)
            return identify(tracker, input, false);
    }
    return flow;
}

static void note_tsn(sctpa_side_t *side, const sctpa_tlv_t *chunk)
{
    uint32_t tsn = sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN);
    if (!side->has_tsn || sctpa_serial_distance(side->tsn, tsn) > 0)
        side->tsn = tsn;
    side->has_tsn = true;
}

static void note_cum_tsn(sctpa_side_t *side, const sctpa_tlv_t *chunk)
{
    uint32_t cum_tsn = sctpa_tlv_u32(chunk, SCTPA_F_SACK_CUM_TSN);
    if (!side->has_cum_tsn || sctpa_serial_distance(side->cum_tsn, cum_tsn) > 0)
        side->cum_tsn = cum_tsn;
    side->has_cum_tsn = true;
}

static void count_unknown(sctpa_tracked_t *tracked, uint8_t from, uint32_t type)
{
    sctpa_end_rare_t *rare = sctpa_end_rare(tracked, from);
    if (!rare->unknown_chunks)
        rare->unknown_chunks = sctpa_arena_alloc(tracked->arena, SCTPA_CHUNK_VALUES * sizeof *rare->unknown_chunks);
    rare->unknown_chunks[type % SCTPA_CHUNK_VALUES]++;
}

/* "until the COOKIE ACK chunk is returned, the sender MUST NOT send any other packets to the peer" than those with the
 * COOKIE ECHO (RFC 9260 5.1 C): what is sent in ESTABLISHED only shows that it was. */
static void note_going_on(sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input)
{
    const uint64_t rows = input->observation->rows,
                   goes_on = SCTPA_DATA_ROWS | SCTPA_ROW(SACK) | SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(SHUTDOWN),
                   asks = SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO);
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    if (tracked->assoc.went_on_frame == 0 && rows & goes_on && !(rows & asks) &&
        setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0 && setup->steps[SCTPA_STEP_COOKIE_ECHO].by == from)
        tracked->assoc.went_on_frame = input->packet->frame;
}

static void take_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_pair_t *pair,
                       const sctpa_input_t *input, const sctpa_observed_t *observed, sctpa_record_t *record)
{
    const sctpa_tlv_t *chunk = &observed->tlv;
    sctpa_side_t *side = &tracked->sides[pair->from];
    switch (chunk->type) {
    case SCTPA_CHUNK_DATA:
    case SCTPA_CHUNK_I_DATA:
        note_tsn(side, chunk);
        tracked->sent_data_alone |= !(input->observation->rows & SCTPA_ROW(COOKIE_ECHO));
        if (tracked->assoc.setup.steps[SCTPA_STEP_INIT].count == 0 ||
            tracked->assoc.setup.steps[SCTPA_STEP_INIT].by != pair->from)
            sctpa_setup_established(tracker, tracked, pair->from, input->packet);
        break;
    case SCTPA_CHUNK_SACK:
    case SCTPA_CHUNK_NR_SACK:
        note_cum_tsn(side, chunk);
        sctpa_setup_established(tracker, tracked, pair->from, input->packet);
        break;
    case SCTPA_CHUNK_INIT_ACK: sctpa_named_address_note(tracked, pair->from, input, observed); /* fall through */
    case SCTPA_CHUNK_INIT:
    case SCTPA_CHUNK_COOKIE_ECHO:
    case SCTPA_CHUNK_COOKIE_ACK: sctpa_setup_chunk(tracker, tracked, pair->from, input, observed); break;
    case SCTPA_CHUNK_HEARTBEAT: sctpa_named_address_note(tracked, pair->from, input, observed); /* fall through */
    case SCTPA_CHUNK_HEARTBEAT_ACK:
        sctpa_heartbeat_chunk(&(sctpa_path_place_t){ tracker, tracked, NULL, input }, pair->from, pair->path, chunk);
        break;
    case SCTPA_CHUNK_ASCONF:
    case SCTPA_CHUNK_ASCONF_ACK:
    case SCTPA_CHUNK_RE_CONFIG: sctpa_request_chunk(tracked, pair->from, input->packet, chunk); break;
    case SCTPA_CHUNK_AUTH: sctpa_auth_verify_chunk(tracker, tracked, pair->from, input->packet, chunk, record); break;
    default:
        if (!chunk->row)
            count_unknown(tracked, pair->from, chunk->type);
        sctpa_teardown_chunk(tracker, tracked, pair->from, input, chunk);
        break;
    }
}

/* Counts them, and follows them where their receiver took the packet. */
static void take_chunks(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_pair_t *pair,
                        const sctpa_input_t *input, sctpa_record_t *record, bool is_damaged)
{
    sctpa_counts_t *counts = tracked->assoc.ends[pair->from].settled;
    bool is_only_pair = counts == &pair->settled;

    sctpa_counts_add_packet(&pair->settled, input->packet);
    if (!is_only_pair)
        sctpa_counts_add_packet(counts, input->packet);
    for (uint32_t i = 0; i < input->observation->n; i++) {
        const sctpa_tlv_t *chunk = &input->observation->chunks[i].tlv;
        sctpa_counts_add_chunk(&pair->settled, tracked->arena, chunk);
        if (!is_only_pair)
            sctpa_counts_add_chunk(counts, tracked->arena, chunk);
        if (!is_damaged)
            take_chunk(tracker, tracked, pair, input, &input->observation->chunks[i], record);
    }
}

static void span_add(sctpa_assoc_t *assoc, const sctpa_packet_t *packet)
{
    assoc->known.last_frame = packet->frame;
    assoc->known.last_ns = packet->time_ns;
}

static void record_fill(sctpa_record_t *record, sctpa_flow_t *flow)
{
    if (!flow->plain) {
        flow->assoc = flow->pair->assoc;
        flow->from = flow->pair->from;
        flow->path = flow->pair->path;
        flow->back_path = SCTPA_NO_PATH;
        flow->sent = flow->acked = 0;
        flow->good_checksums = flow->has_more = false;
    }
    record->assoc = flow->assoc;
    record->from = flow->from & 1;
    record->path = (uint8_t)flow->path;
    record->pair = flow->pair_index;
}

/* An address of a duplicate where the packet itself has another: both are one endpoint's address, translated on the
 * way, if the endpoint never announced this one. */
static void note_alias(sctpa_tracked_t *tracked, uint8_t end, const sctpa_addr_t *addr, const sctpa_addr_t *original)
{
    const uint32_t known = SCTPA_ADDR_LISTED | SCTPA_ADDR_ADDED | SCTPA_ADDR_RENAMED;
    if (!sctpa_addr_equal(addr, original) && !(sctpa_end_addr_origin(&tracked->assoc.ends[end], addr) & known))
        sctpa_end_add_addr(tracked, end, addr, SCTPA_ADDR_RENAMED);
}

/* The way of a duplicate, by other addresses and ports perhaps, leads to where the packet that it repeats belongs. */
static void learn_way(sctpa_tracker_t *tracker, const sctpa_input_t *input, sctpa_tracked_t *tracked,
                      const sctpa_record_t *record)
{
    sctpa_end_t *end = &tracked->assoc.ends[record->from];
    if (record->pair < end->n_pairs) {
        note_alias(tracked, record->from, &input->packet->source, end->pairs[record->pair]->source);
        note_alias(tracked, !record->from, &input->packet->destination, end->pairs[record->pair]->destination);
    }
    if (input->vtag != 0 && sctpa_flow_find(tracker, input))
        return;
    if (input->vtag != 0 && record->pair < end->n_pairs)
        sctpa_flow_add(tracker, input, end->pairs[record->pair], record->pair);
    sctpa_neighbour_add_other(tracker, tracked, record->from, input);
    sctpa_end_add_addr(tracked, record->from, &input->packet->source, SCTPA_ADDR_SOURCE);
    sctpa_end_add_addr(tracked, !record->from, &input->packet->destination, SCTPA_ADDR_DESTINATION);
}

/* Does a packet belong to an association, which was not forgotten? */
static bool belongs(const sctpa_tracker_t *tracker, uint32_t index)
{
    const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, index);
    return !sctpa_record_is_gone(record) && record->assoc != SCTPA_NO_ASSOC &&
           !sctpa_tracked_is_none(sctpa_record_assoc(tracker, record, index, &(uint8_t){ 0 }));
}

static void take_duplicate(sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t original,
                           sctpa_record_t *record)
{
    const sctpa_record_t *first = &g_array_index(tracker->records, sctpa_record_t, original);
    uint8_t from;
    sctpa_tracked_t *tracked = sctpa_record_assoc(tracker, first, original, &from);
    record->assoc = tracked->assoc.number;
    record->from = from & 1;
    record->rows = original;
    record->path = first->path;
    record->pair = first->pair;
    span_add(&tracked->assoc, input->packet);
    const sctpa_stamp_t *stamp = &g_array_index(tracker->store.stamps, sctpa_stamp_t, original);
    const uint32_t interface = sctpa_stamp_interface(stamp);
    const int64_t later_ns = input->packet->time_ns - stamp->time_ns;
    checksums_compare(tracker, tracked, record, input->packet->interface, first, interface);
    if (!tracker->two_taps && interface != input->packet->interface) {
        tracker->two_taps = true;
        sctpa_two_taps_begin(tracker);
    }
    /* two interfaces of one machine are as far from every host */
    if (interface != input->packet->interface && ABS(later_ns) > SCTPA_NEAR_NS)
        sctpa_hosts_close(&tracker->hosts);
    sctpa_two_taps_duplicate(tracker, tracked, record, input->index, interface, input->packet->interface, later_ns);
    if (first->remarks & SCTPA_CAPTURE_STRAY)
        return;
    learn_way(tracker, input, tracked, record);
    if (interface == input->packet->interface) {
        sctpa_tracked_rare(tracked)->twice_at_once++;
        return;
    }
    sctpa_two_taps_data_duplicate(tracker, tracked, record, input, interface, later_ns);
    sctpa_two_taps_data_take(tracker, tracked, record, input);
}

/* Hash of what a duplicate of a packet has in common with it: tag, length, identification, the first and the last bytes
 * after the common header. It has no key: a look-up in the table of duplicates costs the same wherever packets fall,
 * and which of them gave way there must not differ from one reading of a capture to the next. */
static uint64_t content_hash(const sctpa_input_t *input)
{
    const sctpa_packet_t *packet = input->packet;
    const uint8_t *at = packet->bytes + SCTPA_HEADER_BYTES, *end = packet->bytes + packet->captured_bytes;
    uint64_t hash = sctpa_hash_mix((uint64_t)input->vtag << 32 | packet->wire_bytes, 0), word;
    for (unsigned words = 0; words < CONTENT_WORDS && end - at >= (ptrdiff_t)sizeof word; words++, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    if (packet->captured_bytes > SCTPA_HEADER_BYTES) {
        const size_t last = MIN(sizeof word, packet->captured_bytes - SCTPA_HEADER_BYTES);
        word = 0;
        memcpy(&word, end - last, last);
        hash = sctpa_hash_mix(hash, word);
    }
    return hash + packet->ip_id;
}

static void note_missed(sctpa_record_t *record, bool missed)
{
    if (missed)
        record->remarks |= SCTPA_CAPTURE_MISSED;
}

/* A packet that its receiver discards (RFC 9260 8.5): recorded, counted nowhere. False: it is none. */
static bool take_stray(sctpa_tracker_t *tracker, const sctpa_input_t *input, sctpa_record_t *record)
{
    uint32_t pair;
    sctpa_sender_t sender = sctpa_stray_find(tracker, input, &pair);
    const bool is_of_sender = sender.tracked != NULL;
    if (!is_of_sender)
        sender = sctpa_stray_find_abort(tracker, input, &pair);
    if (!sender.tracked)
        return false;
    record->assoc = sender.tracked->assoc.number;
    record->from = sender.from & 1;
    record->path = (uint8_t)sender.tracked->assoc.ends[sender.from].pairs[pair]->path;
    record->pair = (uint8_t)pair;
    record->remarks = SCTPA_CAPTURE_STRAY;
    if (input->observation->rows & SCTPA_ROW(ABORT))
        sctpa_abort_of_nobody(sender.tracked, sender.from, input);
    if (is_of_sender)
        sctpa_stray_note(&sender.tracked->sides[sender.from], input->packet, true);
    sctpa_tracked_rare(sender.tracked)->stray_tags[sender.from] = input->vtag;
    return true;
}

/* A packet that is no duplicate: identified, counted, understood. */
static void take_new(sctpa_tracker_t *tracker, const sctpa_input_t *input, sctpa_record_t *record,
                     sctpa_checksum_t checksum)
{
    sctpa_flow_t *flow = find_flow(tracker, input);
    if (!flow && checksum != SCTPA_CHECKSUM_BAD && take_stray(tracker, input, record))
        return;
    flow = flow_or_identify(tracker, input, flow);
    record_fill(record, flow);
    sctpa_tracked_t *tracked = flow->plain ? flow->tracked : g_ptr_array_index(tracker->assocs, flow->assoc);
    if (checksum == SCTPA_CHECKSUM_ZERO && tracked->sides[record->from].left_to_hardware)
        record->checksum = checksum = SCTPA_CHECKSUM_UNVERIFIED;
    const bool is_damaged = checksum == SCTPA_CHECKSUM_BAD && tracked->sides[record->from].good_checksums;
    if (!is_damaged && (tracked->is_aborted || input->observation->rows & SCTPA_ROW(ABORT)))
        sctpa_after_abort_packet(tracker, tracked, record->from, input);
    if (!is_damaged)
        sctpa_closing_packet(tracked, record->from, input->observation->rows);
    sctpa_stray_note(&tracked->sides[record->from], input->packet, false);
    /* ABORTs after the first answer whatever comes, all alike: which of them another place shows is not known */
    if (tracker->two_taps && !(tracked->is_aborted && input->observation->rows & SCTPA_ROW(ABORT)))
        sctpa_two_taps_first(tracked, record->from, record->path, input->index, input->packet->interface);
    if (checksum == SCTPA_CHECKSUM_BAD && !tracked->sides[record->from].good_checksums)
        rewritten_port_note(tracked, record->from, input->packet);
    if (!is_damaged && tracked->rare->n_announcements > 0)
        sctpa_announcement_settle(tracked, record->from, input);
    bool taken = flow->plain && sctpa_flow_take(tracker, flow, input, checksum);
    note_missed(record, sctpa_dispatch_packet(tracker, tracked, flow, input, checksum));
    if (taken)
        return;
    uint8_t from = flow->from;
    take_chunks(tracker, tracked, flow->pair, input, record, is_damaged);
    if (!is_damaged)
        note_going_on(tracked, from, input);
    tracked->assoc.ends[from].settled_checksums[checksum]++;
    span_add(&tracked->assoc, input->packet);
    if (sctpa_tracked_is_half(tracked))
        sctpa_half_match_add(tracker, tracked, from, input);
    sctpa_flow_set_plain(tracker, flow, input,
                         tracked->established && !tracked->unproven && tracked->assoc.ends[0].has_vtag &&
                             tracked->assoc.ends[1].has_vtag);
    flow->tracked = tracked;
}

static sctpa_checksum_t checksum_of(const sctpa_packet_t *packet)
{
    if (packet->captured_bytes < packet->wire_bytes || packet->captured_bytes < SCTPA_HEADER_BYTES)
        return SCTPA_CHECKSUM_UNVERIFIED;
    return sctpa_checksum_kind(packet->bytes, packet->captured_bytes,
                               sctpa_packet_crc32c(packet->bytes, packet->captured_bytes));
}

/* One more element of bytes at the end of an array, not cleared. */
static void *one_more(GArray *array, size_t bytes)
{
    g_array_set_size(array, array->len + 1);
    return array->data + (array->len - 1) * bytes;
}

sctpa_record_t *sctpa_track_packet(sctpa_tracker_t *tracker, const sctpa_packet_t *packet)
{
    sctpa_record_t record = { .frame = packet->frame, .assoc = SCTPA_NO_ASSOC };
    sctpa_input_t input;
    bool readable = sctpa_input_read(tracker, &input, packet, tracker->records->len);
    uint64_t content = 0;

    tracker->has_reused_tsn = false;
    if (readable) {
        sctpa_slots_prefetch(&tracker->flow_table, input.way_hash);
        content = content_hash(&input);
        sctpa_duplicate_packets_prefetch(tracker->duplicate_packets, content);
    }
    record.checksum = checksum_of(packet) & 7u;
    sctpa_stamp_t *stamp = one_more(tracker->store.stamps, sizeof *stamp);
    *stamp = (sctpa_stamp_t){ packet->time_ns, SCTPA_NO_PACKET_INDEX, SCTPA_NO_PACKET_INDEX,
                              packet->ip_bytes ? packet->ip_bytes : packet->wire_bytes,
                              packet->interface << SCTPA_STAMP_INTERFACE_SHIFT | (uint32_t)packet->ip_id
                                                                                     << SCTPA_STAMP_IP_ID_SHIFT };
    if (readable) {
        record.rows = (uint32_t)input.observation->rows;
        sctpa_flow_prefetch(tracker, &input);
        record.checksum = checksum_known(tracker, packet->interface, (sctpa_checksum_t)record.checksum) & 7u;
        input.checksum = record.checksum;
        uint32_t original = sctpa_duplicate_packets_check(tracker, &input, content);
        if (original != UINT32_MAX && belongs(tracker, original)) {
            record.remarks = SCTPA_CAPTURE_DUPLICATE;
            take_duplicate(tracker, &input, original, &record);
        } else {
            take_new(tracker, &input, &record, (sctpa_checksum_t)record.checksum);
            if (tracker->two_taps && !(record.remarks & SCTPA_CAPTURE_STRAY))
                sctpa_two_taps_data_take(tracker, g_ptr_array_index(tracker->assocs, record.assoc), &record, &input);
        }
    }
    sctpa_record_t *kept = one_more(tracker->records, sizeof *kept);
    *kept = record;
    return kept;
}
