/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An association as it is tracked: its results, and what is remembered of each endpoint to recognise the next packet.
 * Whoever reads it outside track/ never writes. */
#ifndef SCTPA_TRACK_TRACKED_H
#define SCTPA_TRACK_TRACKED_H

#include "base/arena.h"
#include "data/direction.h"
#include "assoc.h"

typedef struct sctpa_tracker sctpa_tracker_t; /* tracker.h */

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
    sctpa_in_progress_t in_progress;
} sctpa_requests_t;

/* What few sides have: the last requests, NULL before the first; keys under which a half is filed, 0 none. */
typedef struct {
    sctpa_requests_t *requests;
    struct {
        uint64_t tsn, cum_tsn, heartbeat;
    } filing;
} sctpa_side_rare_t;

/* What is remembered of an endpoint beyond the results. */
typedef struct {
    uint32_t tsn, cum_tsn; /* a TSN it sent, a cum_tsn it acked: the last to within SCTPA_NOTE_TSNS */
    bool has_tsn : 1, has_cum_tsn : 1;
    bool waits_for_t3 : 1;     /* its implementation retransmits a lone TSN no sooner than T3 expires (fingerprint.h) */
    bool good_checksums : 1;   /* it has sent packets with a right checksum */
    bool left_to_hardware : 1; /* an interface showed packets of it without checksum that another showed with one */
    bool has_initial : 1, has_window : 1, truncated : 1; /* of the two below, and of packets: what its data begins
                                                            with */
    uint8_t ttl, strays;          /* of its last packet; strays that it sent since its last other packet */
    uint16_t ip_id;               /* of its last packet */
    uint32_t initial_tsn;         /* that it announced while it sent no data */
    uint32_t window_bytes;        /* that its peer announced till then */
    sctpa_tap_rtt_t peer_tap_rtt; /* RTT from the tap to its peer, by answers to its packets */
    sctpa_direction_t *sent;      /* its data and how it was acked, NULL none: most associations have data of one end */
    const sctpa_side_rare_t *rare; /* never NULL; sctpa_side_rare changes it */
} sctpa_side_t;

enum { SCTPA_TAP_INTERFACES_MAX = 8 };

/* Events in order of frame. */
typedef struct {
    sctpa_event_t *events; /* at most SCTPA_EVENTS_MAX */
    uint32_t n, dropped;
} sctpa_event_list_t;

/* One of two taps, and what the packets that it saw show of the data: what a capture of its interfaces alone would. */
typedef struct {
    uint32_t interfaces[SCTPA_TAP_INTERFACES_MAX]; /* one for each path, as a rule */
    uint32_t n_interfaces;
    uint32_t presumed; /* bit i: no duplicate has shown yet that interfaces[i] is at this tap */
    uint32_t by_order; /* bit i: nothing has shown it but the order of duplicates and the delays of other paths */
    uint32_t n_probing[2];
    sctpa_probing_t *probing[2];     /* by endpoint and path, as HEARTBEATs passed; two_taps is not in use */
    sctpa_switching_t *switching[2]; /* by endpoint, NULL none: sctpa_failover_data */
    sctpa_event_list_t events[2];    /* of the endpoint's paths, while the other tap is asked (asked of the taps) */
    int64_t heard_ns[2];             /* by endpoint: its last packet that passed, 0 none */
    sctpa_side_t sides[2];           /* of each, only sent, truncated and peer_tap_rtt are in use */
    sctpa_setup_t setup;             /* its steps as they passed */
    int64_t last_ns;                 /* the last packet that passed */
    int64_t end_ns; /* the packet that ended the association, of this frame where it was seen first, 0 none */
    uint32_t end_frame, end_packet; /* end_packet: as it passed here, packet index */
    int64_t shutdown_ack_ns;        /* the only SHUTDOWN ACK that passed; 0: none, or more than one */
    uint32_t shutdown_acks;
} sctpa_tap_data_t;

/* What two taps show of the data, each on its own: feed_parts.h. */
typedef struct {
    sctpa_tap_data_t taps[2];
    bool has_begun[2];        /* by endpoint: its data is followed at both taps */
    bool has_first[2];        /* by endpoint: first_tap is known */
    uint8_t first_tap[2];     /* by endpoint: where its packets stand first in the capture */
    uint8_t asked[2];         /* by endpoint: the tap that tells of its paths, ... */
    uint8_t asked_other[2];   /* ... times that it became the other one */
    uint8_t reshaped;         /* the association's, when it was made: of another, it is no longer true */
    uint8_t setup_interfaces; /* interfaces of the taps when the set-up as each showed it was taken */
    uint32_t n_presumed;      /* packets that were taken at an interface that was presumed to be at a tap, ... */
    int64_t presumed_ns;      /* ... the first of them at this time */
    int64_t longest_ns;       /* most between two sightings of a packet, either way */
    bool is_misplaced; /* a packet was first seen where its sender's pass later: first sightings are out of order */
    bool is_unclear;   /* interfaces cannot be told apart into two taps: nothing is followed */
    uint32_t both[2];  /* by endpoint: packets of it that both taps saw, ... */
    int64_t sum_ns[2]; /* ... and of their times at tap 1 minus those at tap 0 the sum, ... */
    int64_t min_ns[2], max_ns[2]; /* ... the least and the most */
} sctpa_two_taps_data_t;

/* What an endpoint announced with another tag than the one by which its peer calls it (announcements.c of feed). */
typedef struct {
    sctpa_init_t init;
    const sctpa_bytes_t *key_vector;
    uint32_t tag;
    uint8_t end;
} sctpa_announcement_before_t;

/* What few associations have: how they came from others, and what else leads to them. */
typedef struct {
    sctpa_two_taps_data_t *two_taps_data;       /* NULL none */
    struct sctpa_icmp_seen *icmp_seen;          /* the last ICMP errors, NULL none */
    sctpa_after_abort_t *after_abort;           /* NULL: nothing passed */
    struct sctpa_half_closed_list *half_closed; /* NULL: no stream was reset */
    sctpa_announcement_before_t *announcements; /* with other tags than those of the endpoints */
    uint32_t replaces;    /* live association that its INIT found, becomes restart_of when set up */
    uint8_t replaces_end; /* the endpoint there that sent the INIT */
    uint32_t restart_known_frame;
    uint32_t stray_tags[2]; /* by endpoint: that of its last stray, 0 none */
    uint32_t twice_at_once; /* packets that came again at the same place, and were taken for one that the capture has
                               twice */
    uint32_t moved_to[2];   /* packets of this end before record moved_before[end] belong there, or SCTPA_NO_ASSOC */
    uint32_t moved_before[2];
    uint32_t last_half, half_before; /* 1 + number of the last association merged into this one, and of the one merged
                                        before this; 0 none */
    /* tags that led to an endpoint besides its vtag, places in the table of neighbours besides those of its pairs */
    uint32_t *tags, *neighbours;
    uint32_t n_tags, n_neighbours, n_announcements;
} sctpa_tracked_rare_t;

typedef struct {
    sctpa_assoc_t assoc;  /* first, so that a result is its tracked association */
    sctpa_arena_t *arena; /* holds all that belongs to the association */
    sctpa_side_t sides[2];
    const sctpa_tracked_rare_t *rare; /* never NULL; sctpa_tracked_rare changes it */
    bool unproven : 1;                /* the two directions were joined by address alone */
    bool disproved : 1;               /* such a join was undone: no second one */
    bool established : 1;             /* COOKIE ACK, or user data both ways, was seen */
    bool shutdown_ack_seen : 1;
    bool refused_by_icmp : 1, stale_cookie : 1;
    bool sent_data_alone : 1; /* DATA passed without COOKIE ECHO: its sender has had INIT ACK and COOKIE ACK (5.1 C) */
    bool is_aborted : 1;      /* an ABORT ended it: what follows shows whether it was taken */
    bool may_be_taken : 1;    /* the tag of that ABORT is one that its receiver takes (RFC 9260 8.5.1) */
    uint8_t unproven_end;     /* the end whose packets came second */
    uint8_t reshaped;         /* times that a half was merged into it, or parted from it, modulo 256 */
    uint8_t shutdown_by;      /* end that sent SHUTDOWN first */
    uint8_t ttl_before_abort; /* of the last packet of the endpoint that aborted, before the ABORT */
    uint8_t ttl_of_abort;
    uint16_t ip_id_before_abort, ip_id_of_abort;
    sctpa_closing_t closing[2];
    int64_t shutdown_ack_ns; /* its peer's SHUTDOWN ACK, which it has to answer at once; 0: none, or more than one */
} sctpa_tracked_t;

/* Does the association end: did SHUTDOWN ACK, SHUTDOWN COMPLETE or ABORT pass? O(1). */
static inline bool sctpa_tracked_is_ending(const sctpa_tracked_t *tracked)
{
    return tracked->shutdown_ack_seen || tracked->assoc.known.end != SCTPA_ASSOC_OPEN;
}

/* What stands in place of an association that was forgotten: it has no number, no packets, no addresses. Never written
 * to. */
extern const sctpa_tracked_t sctpa_tracked_none;
static inline bool sctpa_tracked_is_none(const sctpa_tracked_t *tracked)
{
    return tracked == &sctpa_tracked_none;
}

/* The association and end that sent a packet; tracked NULL: none. */
typedef struct {
    sctpa_tracked_t *tracked;
    uint8_t from;
} sctpa_sender_t;

#endif
