/* The tracker's own state, behind the results of assoc.h: indices by which packets find their association, and what is
 * remembered of each endpoint to recognise the next packet. Internal to track/. */
#ifndef SCTPA_TRACK_TRACKER_H
#define SCTPA_TRACK_TRACKER_H

#include <glib.h>

#include "base/arena.h"
#include "base/pool.h"
#include "base/slots.h"
#include "base/time.h"
#include "data/observation.h"
#include "data/store.h"
#include "assoc.h"

/* Bounds that keep the cost of one packet constant whatever a capture holds. */
enum {
    SCTPA_ADDRS_MAX = 256,     /* addresses, paths and pairs of an endpoint; later ones share the last */
    SCTPA_NOTE_TSNS = 1 << 10, /* TSNs of plain packets are noted when they moved on by this */
    SCTPA_SMALL_TAG = 1 << 16, /* tags below were not drawn at random (RFC 9260 5.3.1): equality says little */
    SCTPA_CANDIDATES_MAX = 8,  /* associations looked at when tag, ports or addresses alone must decide */
    SCTPA_PLAIN_FLOWS_MAX = 16 /* flows of a pair that count plain packets for it: more than one when a tag changes, or
                                  copies came by others */
};

/* A request of ASCONF or RE_CONFIG that waits for its answer. */
typedef struct {
    uint32_t serial;
    sctpa_bytes_t params; /* the request as sent, empty when answered */
    sctpa_addr_t source;  /* of the packet */
} sctpa_request_t;
typedef struct {
    sctpa_request_t asconf, reconfig;
    uint32_t reconfig_done; /* sequence number of the last request granted */
    bool has_reconfig_done;
} sctpa_requests_t;

/* What few endpoints need: the last requests, NULL before the first; keys under which a half is filed, 0 none. */
typedef struct {
    sctpa_requests_t *requests;
    struct {
        uint64_t tsn, cum_tsn, heartbeat;
    } filing;
} sctpa_seldom_needed_t;

/* What is remembered of an endpoint beyond the results. */
typedef struct {
    uint32_t tsn, cum_tsn; /* a TSN it sent, a cum_tsn it acked: the last to within SCTPA_NOTE_TSNS */
    bool has_tsn, has_cum_tsn;
    bool good_checksums;                     /* it has sent packets with a right checksum */
    bool has_initial, has_window, truncated; /* of the two below, and of packets: what its data begins with */
    uint32_t initial_tsn;                    /* that it announced while it sent no data */
    uint32_t window_bytes;                   /* that its peer announced till then */
    int64_t peer_tap_rtt_ns; /* RTT from the tap to its peer: the shortest time from a packet that it sent, when it
                                passed, to its answer, -1 none */
    sctpa_direction_t *sent; /* its data and how it was acked, NULL none: most associations have data of one end */
    const sctpa_seldom_needed_t *seldom; /* never NULL; sctpa_side_seldom changes it */
} sctpa_side_t;

/* How an association came from others. */
typedef struct {
    uint32_t replaces; /* live association that its INIT found, becomes restart_of when set up */
    uint32_t restart_known_frame;
    uint32_t moved_to[2]; /* packets of this end before record moved_before[end] belong there, or SCTPA_NO_ASSOC */
    uint32_t moved_before[2];
    uint32_t last_half, half_before; /* 1 + number of the last association merged into this one, and of the one merged
                                        before this; 0 none */
} sctpa_origin_t;

typedef struct {
    sctpa_assoc_t assoc;  /* first, so that a result is its tracked association */
    sctpa_arena_t *arena; /* holds all that belongs to the association */
    sctpa_side_t sides[2];
    const sctpa_origin_t *origin;      /* never NULL; sctpa_tracked_origin changes it */
    struct sctpa_icmp_seen *icmp_seen; /* the last ICMP errors, NULL none */
    bool unproven : 1;                 /* the two directions were joined by address alone */
    bool disproved : 1;                /* such a join was undone: no second one */
    bool established : 1;              /* COOKIE ACK, or user data both ways, was seen */
    bool shutdown_ack_seen : 1;
    bool refused_by_icmp : 1, stale_cookie : 1;
    uint8_t unproven_end; /* the end whose packets came second */
    uint8_t reshaped;     /* times that a half was merged into it, or parted from it, modulo 256 */
    uint8_t shutdown_by;  /* end that sent SHUTDOWN first */
} sctpa_tracked_t;

/* Does the association end: did SHUTDOWN ACK, SHUTDOWN COMPLETE or ABORT pass? O(1). */
static inline bool sctpa_tracked_is_ending(const sctpa_tracked_t *tracked)
{
    return tracked->shutdown_ack_seen || tracked->assoc.known.end != SCTPA_ASSOC_OPEN;
}

/* One packet as stored: 16 bytes. */
typedef struct {
    uint32_t frame, assoc;
    uint16_t path, pair;
    uint8_t from, remarks, checksum;
    uint8_t auth; /* 1 + sctpa_auth_t of all its AUTH chunks, 0 none */
} sctpa_record_t;

/* (source, destination, ports, tag) -> pair: the quick way that nearly all packets take. 96 bytes, and 40 where
 * addresses are not IPv4: what plain packets (DATA and SACK of an association that is up) add is collected here, and
 * added to the results by whoever reads them. */
typedef struct {
    union {
        uint8_t v4[2][4];
        const sctpa_addr_t *other; /* two */
    } addrs;                       /* source, destination */
    uint16_t source_port, destination_port;
    bool is_v4 : 1;
    bool reflected : 1;           /* T bit: the tag is the sender's own */
    bool plain : 1;               /* plain packets need no more than counting; the flow is among those of its pair */
    bool good_checksums : 1;      /* its side knows that it sent some */
    bool has_more : 1;            /* its association is known not to be data only */
    bool i_data : 1, nr_sack : 1; /* data_chunks counts I_DATA, sack_chunks NR_SACK */
    uint8_t from;                 /* sending end */
    uint32_t tag;
    uint32_t assoc; /* of the pair, as path, from and tracked; what is known of the association is true when plain */
    sctpa_pair_t *pair;
    uint16_t pair_index, path;
    uint16_t back_path; /* of the peer to source, SCTPA_NO_PATH not known yet */
    uint8_t checksum;   /* sctpa_checksum_t of all packets counted */
    sctpa_tracked_t *tracked;
    uint32_t sent, acked; /* 1 + serial of the directions of what it sends, what it acknowledges; 0 not looked up yet */
    uint32_t packets;     /* since the last settling, as everything below */
    uint32_t last_frame;
    int64_t last_ns;
    uint32_t wire_bytes, data_bytes;
    uint32_t data_chunks, sack_chunks;
    uint32_t filed; /* TSN or cum_tsn last noted for the endpoint */
    uint32_t next;  /* 1 + number of the next flow of the pair that is plain, 0 none */
} sctpa_flow_t;

/* What a packet shows of the data that its ends exchange: the last of each kind in it. */
typedef struct {
    bool is_read;
    bool has_tsn, has_cum_tsn;
    uint32_t tsn, cum_tsn;
    uint64_t heartbeat, heartbeat_ack; /* sctpa_heartbeat_hash, 0 none */
} sctpa_shown_t;

typedef struct sctpa_tracker {
    sctpa_flow_t untagged;           /* way of the packet being taken when its tag is 0 and so no key */
    sctpa_shown_t shown;             /* by the packet being taken */
    sctpa_observation_t observation; /* of the packet being taken */
    sctpa_arena_t arena;             /* associations and what belongs to them */
    GPtrArray *assocs;               /* sctpa_tracked_t * by number */
    GArray *records;                 /* sctpa_record_t by packet index */
    sctpa_store_t store;             /* of the data of all directions */
    sctpa_pool_t flows;              /* sctpa_flow_t */
    sctpa_slots_t flow_table;        /* their numbers by way */
    sctpa_pool_t lists;              /* sctpa_candidates_t, where there is more than one */
    sctpa_slots_t owners;            /* tag -> associations where an endpoint owns it */
    sctpa_pool_t neighbours;         /* unordered addresses and ports -> associations there, newest first */
    sctpa_slots_t neighbour_table;
    sctpa_pool_t evidence; /* TSN range or Heartbeat Info -> halves */
    sctpa_slots_t evidence_table;
    struct sctpa_duplicate_packets *twins;
    GArray *late_events;  /* uint32_t, ascending: frames that made an event certain that stands at an earlier one */
    bool two_taps;        /* packets were seen at two interfaces */
    bool has_left_owners; /* is_left of an owner was set */
    bool holds_more;      /* a packet without DATA was seen: no display filter on what DATA carries cut the capture */
    GArray *keys;         /* sctpa_auth_key_t */
} sctpa_tracker_t;

/* A packet with what identity needs read once. */
typedef struct {
    const sctpa_packet_t *packet;
    uint16_t source_port, destination_port;
    uint32_t vtag;
    sctpa_observation_t *observation;       /* the tracker's, of its chunks */
    bool reflected;                         /* ABORT or SHUTDOWN_COMPLETE with T bit first */
    uint32_t index;                         /* packet index */
    uint64_t source_hash, destination_hash; /* of the addresses */
    uint32_t way_hash;                      /* of addresses, ports and tag */
    sctpa_shown_t *shown;                   /* the tracker's, for sctpa_input_read's packet */
} sctpa_input_t;

/* The first chunk, NULL none. */
static inline const sctpa_tlv_t *sctpa_input_first(const sctpa_input_t *input)
{
    return input->observation->n > 0 ? &input->observation->chunks[0].tlv : NULL;
}

/* The association and end that sent a packet; tracked NULL: none. */
typedef struct {
    sctpa_tracked_t *tracked;
    uint8_t from;
} sctpa_sender_t;

/* --- assoc.c --- */

/* A new association, ends[0] at source, ends[1] at destination of the packet. */
sctpa_tracked_t *sctpa_tracked_new(sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* Its origin, what is unusual and what is seldom needed of an end, to be changed; made when new. O(1). */
sctpa_origin_t *sctpa_tracked_origin(sctpa_tracked_t *tracked);
sctpa_unusual_t *sctpa_end_unusual(sctpa_tracked_t *tracked, uint8_t end);
sctpa_seldom_needed_t *sctpa_side_seldom(sctpa_tracked_t *tracked, uint8_t end);
/* What is known of heartbeats on a path, to be changed; made when new. O(1). */
sctpa_probing_t *sctpa_path_probing(sctpa_tracked_t *tracked, sctpa_path_t *path);
/* Brings the memory of an association nearer. */
void sctpa_tracked_prefetch(const sctpa_tracked_t *tracked);
/* The association that number stands for, after merging. O(1). */
sctpa_tracked_t *sctpa_tracked_at(const sctpa_tracker_t *tracker, uint32_t number);
/* Notes that end is at addr; origin is an SCTPA_ADDR_ bit. The address as it is known, which stays where it is; NULL:
 * the end has too many, and this one is forgotten. O(1). */
const sctpa_addr_t *sctpa_end_add_addr(sctpa_tracked_t *tracked, uint8_t end, const sctpa_addr_t *addr,
                                       uint32_t origin);
/* Notes that an address of end was deleted; all_but: every other one (RFC 5061 4.2.2, wildcard). O(1), all_but
 * O(addresses), bounded. */
void sctpa_end_delete_addrs(sctpa_end_t *end, const sctpa_addr_t *addr, bool all_but);
/* The origin bits by which end is known at addr, 0: not at all. O(1). */
uint32_t sctpa_end_addr_origin(const sctpa_end_t *end, const sctpa_addr_t *addr);
/* The pair of the sending end for this packet's addresses, made when new; its index in *index. O(pairs), bounded. */
sctpa_pair_t *sctpa_end_pair(sctpa_tracked_t *tracked, uint8_t from, const sctpa_addr_t *source,
                             const sctpa_addr_t *destination, uint32_t *index);
/* The path of an end to destination, SCTPA_NO_PATH none. O(paths), bounded. */
uint16_t sctpa_end_find_path(const sctpa_end_t *end, const sctpa_addr_t *destination);
/* Keeps length bytes in place of what was kept. O(length). */
void sctpa_bytes_set(sctpa_bytes_t *bytes, sctpa_arena_t *arena, const uint8_t *data, uint32_t length);

/* --- half_joining.c --- */

/* Joins two halves: the packets of half's only sender become those of into's silent end. swapped: half's end 0 is
 * into's end 1. */
void sctpa_tracked_merge(sctpa_tracker_t *tracker, sctpa_tracked_t *into, sctpa_tracked_t *half, bool swapped);
/* Undoes a join by address alone that a later packet (number index) disproved; returns the association of the end that
 * left. */
sctpa_tracked_t *sctpa_tracked_split(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint32_t index);
/* Association and end of a stored packet, after merges and splits. */
sctpa_tracked_t *sctpa_record_assoc(const sctpa_tracker_t *tracker, const sctpa_record_t *record, uint32_t index,
                                    uint8_t *from);

/* --- flow.c --- */

void sctpa_flows_init(sctpa_tracker_t *tracker);
void sctpa_flows_free(sctpa_tracker_t *tracker);
/* Hashes the addresses, ports and tag of input, by which it is looked up. O(1). */
void sctpa_input_hash(const sctpa_tracker_t *tracker, sctpa_input_t *input);
/* Brings the memory nearer that a packet on a plain flow needs, or where there is no flow that of sctpa_identify. */
void sctpa_flow_prefetch(const sctpa_tracker_t *tracker, const sctpa_input_t *input);
sctpa_flow_t *sctpa_flow_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* Remembers the way of a packet that was identified. */
sctpa_flow_t *sctpa_flow_add(sctpa_tracker_t *tracker, const sctpa_input_t *input, sctpa_pair_t *pair,
                             uint32_t pair_index);
/* Takes a packet on a plain flow that holds only DATA and SACK chunks (or only I_DATA, NR_SACK, as those before it);
 * false: it holds others, nothing was counted. */
bool sctpa_flow_take(sctpa_tracker_t *tracker, sctpa_flow_t *flow, const sctpa_input_t *input,
                     sctpa_checksum_t checksum);
/* Forgets the ways of packets from an end that carry tag: the tag has a new owner. O(pairs), bounded: not to be
 * repeated before there is a new way (sctpa_owner_leave). */
void sctpa_flows_forget(sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from, uint32_t tag);
/* Whether plain packets of input's way, that of flow, need no more than counting from now on. */
void sctpa_flow_set_plain(sctpa_tracker_t *tracker, sctpa_flow_t *flow, const sctpa_input_t *input, bool is_plain);
/* Counters of a pair with what its flows collected; of all pairs of an end, and its packets by checksum. O(flows of a
 * pair; pairs), bounded. */
void sctpa_flows_pair_counts(const sctpa_tracker_t *tracker, const sctpa_pair_t *pair, sctpa_counts_copy_t *copy);
void sctpa_flows_end_counts(const sctpa_tracker_t *tracker, const sctpa_end_t *end, sctpa_counts_copy_t *copy);
/* Moves the last packet of outcome on to that of a pair's flows when it is later. O(flows of a pair), bounded. */
void sctpa_flows_last(const sctpa_tracker_t *tracker, const sctpa_pair_t *pair, sctpa_outcome_t *outcome);
void sctpa_flows_end_checksums(const sctpa_tracker_t *tracker, const sctpa_end_t *end,
                               uint32_t checksums[SCTPA_CHECKSUMS]);

/* --- lookup.c --- */

void sctpa_lookup_init(sctpa_tracker_t *tracker);
void sctpa_lookup_free(sctpa_tracker_t *tracker);
/* Brings the memory by which a packet on a new way is explained nearer. tag: its own, or the one that its INIT
 * announces. */
void sctpa_lookup_prefetch(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t tag);
/* Remembers that packets to end carry tag. */
void sctpa_owner_add(sctpa_tracker_t *tracker, uint32_t tag, sctpa_tracked_t *tracked, uint8_t end);
/* Remembers that end from of the association sends between the packet's addresses and ports. */
void sctpa_neighbour_add(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input);
typedef struct {
    uint32_t assocs[SCTPA_CANDIDATES_MAX];
    uint8_t ends[SCTPA_CANDIDATES_MAX], n;
    bool is_left[SCTPA_CANDIDATES_MAX]; /* of owners of a tag: no flow of packets that carry it leads there */
} sctpa_candidates_t;
/* Stands for a list of candidates; one candidate alone, as nearly always, needs no memory beyond it. 0: empty. */
typedef uint32_t sctpa_candidates_ref_t;
sctpa_candidates_t sctpa_candidates(const sctpa_tracker_t *tracker, sctpa_candidates_ref_t ref);
/* Puts a candidate first in a list, where it was or is new; the last one gives way when the list is full. Returns what
 * stands for it. */
sctpa_candidates_ref_t sctpa_candidates_add(sctpa_tracker_t *tracker, sctpa_candidates_ref_t ref, uint32_t assoc,
                                            uint8_t end);
/* Puts a candidate last, unless the list is full. */
sctpa_candidates_ref_t sctpa_candidates_append(sctpa_tracker_t *tracker, sctpa_candidates_ref_t ref, uint32_t assoc,
                                               uint8_t end);
/* Associations where an endpoint owns tag (ends: which), newest first. */
sctpa_candidates_t sctpa_owner_find(const sctpa_tracker_t *tracker, uint32_t tag);
/* Flows of packets that carry tag do not lead to end, an owner of it, any more; they do again. O(1). */
void sctpa_owner_leave(sctpa_tracker_t *tracker, uint32_t tag, uint32_t assoc, uint8_t end);
void sctpa_owner_reach(sctpa_tracker_t *tracker, uint32_t tag, uint32_t assoc, uint8_t end);
/* Associations between the packet's addresses and ports, newest first, with the end that is at the packet's source. */
sctpa_candidates_t sctpa_neighbour_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* Entry i of a list: the association, after merging, and its end. */
sctpa_sender_t sctpa_candidate(const sctpa_tracker_t *tracker, const sctpa_candidates_t *list, unsigned i);

/* --- half_matching.c --- */

void sctpa_half_match_init(sctpa_tracker_t *tracker);
void sctpa_half_match_free(sctpa_tracker_t *tracker);

typedef enum {
    SCTPA_EVIDENCE_NONE,
    SCTPA_EVIDENCE_SENDER, /* fits what the same end sent before; says nothing of the peer */
    SCTPA_EVIDENCE_FOR,    /* fits what the peer sent */
    SCTPA_EVIDENCE_AGAINST
} sctpa_half_match_t;
/* Do the packet's TSNs and acknowledgements fit the association, if end from sent it? */
sctpa_half_match_t sctpa_half_match_of(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, uint8_t from,
                                       const sctpa_input_t *input);
/* A half elsewhere (other addresses) whose silent end may have sent this packet, by TSNs or Heartbeat Info. */
sctpa_sender_t sctpa_half_match_find(const sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* Files what a packet of a half shows, so that its other half is found by it. */
void sctpa_half_match_add(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input);
/* Hash of a whole HEARTBEAT or HEARTBEAT_ACK after its chunk header: the same when the info was echoed; 0 when cut. */
uint64_t sctpa_heartbeat_hash(const sctpa_tracker_t *tracker, const sctpa_tlv_t *chunk);
/* Has only one end of the association sent so far, with a tag? */
bool sctpa_tracked_is_half(const sctpa_tracked_t *tracked);

/* --- identity.c, identity_init.c --- */

/* The association and end that sent the packet, made when new. tracked is NULL only for packets without ports and tag.
 */
sctpa_sender_t sctpa_identify(sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* The same for INIT with tag 0, whose Initiate Tag is captured. */
sctpa_sender_t sctpa_identify_init(sctpa_tracker_t *tracker, const sctpa_input_t *input);
/* The association of a packet that must already be known, without making one: for quoted packets; tracked NULL none. */
sctpa_sender_t sctpa_find_known(const sctpa_tracker_t *tracker, const sctpa_input_t *input);

/* The association between the packet's addresses and ports whose receiving end (senders: sending end) owns tag. */
sctpa_sender_t sctpa_find_neighbour(const sctpa_tracker_t *tracker, const sctpa_input_t *input, uint32_t tag,
                                    bool senders);

/* --- duplicate_packets.c --- */

struct sctpa_duplicate_packets *sctpa_duplicate_packets_new(void);
void sctpa_duplicate_packets_free(struct sctpa_duplicate_packets *twins);
/* Brings the memory for content nearer, some work ahead of sctpa_duplicate_packets_check. */
void sctpa_duplicate_packets_prefetch(const struct sctpa_duplicate_packets *twins, uint64_t content);
/* The packet index of which this packet is another copy, or UINT32_MAX.
 * content  hash of the SCTP bytes without ports and checksum, and of the IPv4 identification
 * O(1), 2 MiB: copies with more than about 50,000 packets between them may be missed. */
uint32_t sctpa_duplicate_packets_check(sctpa_tracker_t *tracker, const sctpa_input_t *input, uint64_t content);

/* --- two_taps.c --- */

/* A packet of a path was seen for the first time, at an interface. Call when there are two_taps. O(1). */
void sctpa_two_taps_first(sctpa_tracked_t *tracked, uint8_t from, uint16_t path, uint32_t interface);
/* A packet (index) that interface first showed was seen at second, as packet copy, later_ns after. O(1). */
void sctpa_two_taps_copy(sctpa_tracked_t *tracked, uint8_t from, uint16_t path, uint32_t packet, uint32_t copy,
                         uint32_t first, uint32_t second, int64_t later_ns);

/* --- events.c --- */

/* Adds an event; detail is copied and freed (g_free), may be NULL. Beyond SCTPA_EVENTS_MAX events are counted only.
 * O(1). */
void sctpa_event_add(sctpa_tracked_t *tracked, const sctpa_packet_t *packet, sctpa_event_kind_t kind, uint8_t end,
                     uint16_t path, char *detail);
/* The same for something that was seen at frame and is certain only with packet; put in its place. O(events after
 * frame). */
void sctpa_event_put(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, const sctpa_packet_t *packet, uint32_t frame,
                     int64_t time_ns, sctpa_event_kind_t kind, uint8_t end, uint16_t path, char *detail);
/* "203.0.113.1" or "2001:db8::1"; g_free. */
char *sctpa_addr_text(const sctpa_addr_t *addr);
/* Reads an IPV4 or IPV6 parameter; false for others and cut ones. */
bool sctpa_param_addr(const sctpa_tlv_t *param, sctpa_addr_t *addr);
/* The first parameter or cause in bytes that holds an address. */
bool sctpa_nested_addr(const sctpa_tlv_t *owner, sctpa_addr_t *addr);

/* --- setup.c, teardown.c, requests.c, icmp.c --- */

/* Takes note of what each chunk means for the association. */
void sctpa_setup_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, const sctpa_input_t *input,
                       const sctpa_tlv_t *chunk);
/* What passed shows that the association is up: COOKIE ACK, an acknowledgement of data, or data from the end that was
 * asked. */
void sctpa_setup_established(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                             const sctpa_packet_t *packet);
void sctpa_closing_chunk(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet,
                         const sctpa_tlv_t *chunk);
void sctpa_request_chunk(sctpa_tracked_t *tracked, uint8_t from, const sctpa_packet_t *packet,
                         const sctpa_tlv_t *chunk);
void sctpa_heartbeat_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, uint16_t path,
                           const sctpa_input_t *input, const sctpa_tlv_t *chunk);
/* How the association ended if the capture ends at end_ns: no answer, failed. O(pairs), bounded. */
sctpa_outcome_t sctpa_closing_outcome(const sctpa_tracker_t *tracker, const sctpa_tracked_t *tracked, int64_t end_ns);
/* False when no association fits. */
bool sctpa_icmp_take(sctpa_tracker_t *tracker, const sctpa_icmp_t *icmp);

/* --- failover.c --- */

/* Where the data that an end sent stands before a packet of it is taken. */
typedef struct {
    int64_t highest;
    uint32_t rtx, samples;
} sctpa_data_marks_t;
/* Takes note of where a packet's new data went and which timeouts its retransmissions showed; makes the events
 * primary_changed, path_failed, failover, path_recovered of the sending end. What they say, from what passed up to
 * then:
 *
 * primary_changed  TSNs higher than any before went to another path, in 4 packets and for at least 200 ms and two round
 *                  trips, none to the path before. The frame is that of the first of them. Every return to the old path
 *                  within 10 s doubles the time asked for, so that an end that uses several paths at once (CMT) changes
 *                  nothing. Retransmissions never count.
 * path_failed      New data left the path (as above; 2 packets do after a timeout, unless the end used several paths
 *                  just before) after a retransmission timeout on it, or two heartbeats in a row without answer, and no
 *                  answer since. An answer is the HEARTBEAT_ACK to a heartbeat sent there, or an ack of data last sent
 *                  there after the last timeout. Loss, a timeout or heartbeats without answer alone are no evidence,
 *                  nor is anything after new data had left: an idle path fails in silence.
 * failover         The first new data elsewhere, together with path_failed.
 * path_recovered   On a path that failed: a HEARTBEAT_ACK, or the ack of data sent once, there, after it failed. New
 *                  data alone is no evidence: it may be a try.
 *
 * before: marks of sent before the packet's chunks were taken. O(timeouts that the packet shows * its chunks), nearly
 * always O(1); 56 bytes and at most the double for a path, from the first timeout or move on. */
void sctpa_failover_data(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_direction_t *sent, uint8_t from,
                         uint16_t path, const sctpa_input_t *input, const sctpa_data_marks_t *before);
/* Takes note of what the SACKs of a packet answered of the data of end: the records of its direction from first_acked
 * on. O(records). */
void sctpa_failover_answers(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t end, const sctpa_input_t *input,
                            uint32_t first_acked);
/* A HEARTBEAT leaves to path; asked_ns is when the one before it left that was not answered, -1 none. O(1). */
void sctpa_failover_heartbeat(sctpa_tracked_t *tracked, uint8_t from, uint16_t path, const sctpa_input_t *input,
                              int64_t asked_ns);
/* The HEARTBEAT_ACK to a heartbeat of from on path. O(1). */
void sctpa_failover_heartbeat_ack(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from, uint16_t path,
                                  const sctpa_input_t *input);

/* --- dispatch.c --- */

/* The data that an end sent, made when new: with its first DATA, SACK of it, HEARTBEAT, RE_CONFIG, or whatever else
 * is remembered there. */
sctpa_direction_t *sctpa_side_sent(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t end);
/* Hands the chunks of a packet that is no copy to the directions they concern. True: it acknowledges data that the
 * capture missed. */
bool sctpa_dispatch_packet(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_flow_t *flow,
                           const sctpa_input_t *input, sctpa_checksum_t checksum);

/* --- auth_verify.c --- */

/* Takes an AUTH chunk: verifies the first of a packet with the key that its identifier names, leaves others unverified,
 * counts the outcome for the sending end and sets auth of the record. O(bytes of the packet) for the first, O(1) for
 * others. */
void sctpa_auth_verify_chunk(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, uint8_t from,
                             const sctpa_packet_t *packet, const sctpa_tlv_t *chunk, sctpa_record_t *record);

/* --- feed.c --- */

sctpa_tracker_t *sctpa_tracker_new(void);
void sctpa_tracker_free(sctpa_tracker_t *tracker);
/* Reads ports, tag and first chunk; false when ports and tag are not captured. */
bool sctpa_input_read(sctpa_tracker_t *tracker, sctpa_input_t *input, const sctpa_packet_t *packet, uint32_t index);
/* Takes one packet: identifies it, counts it, follows what its chunks mean. Appends its record and returns it (valid
 * until the next). O(chunks + bytes for the checksum). */
sctpa_record_t *sctpa_track_packet(sctpa_tracker_t *tracker, const sctpa_packet_t *packet);

#endif
