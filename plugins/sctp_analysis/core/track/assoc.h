/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Associations as they were found in a capture: two endpoints, their addresses and tags, paths, address pairs, set-up,
 * events. The structs are results: report/, epan/ and ui/ read them through sctpa.h and never write. */
#ifndef SCTPA_TRACK_ASSOC_H
#define SCTPA_TRACK_ASSOC_H

#include <glib.h>

#include "base/records.h"
#include "wire/auth.h"
#include "wire/checksum.h"
#include "counts.h"

enum { SCTPA_NO_ASSOC = 0xFFFFFFFFu, SCTPA_NO_END = 2, SCTPA_NO_PATH = 0xFFFF };

enum { SCTPA_NO_ANSWER_S = 3 }; /* a set-up that waits this long at the end of a capture has failed */

enum { SCTPA_ADDRS_MAX = 256 }; /* addresses, paths and pairs of an endpoint; later ones share the last */

/* Endpoint pair shared key (RFC 4895 6.1). */
typedef struct {
    uint16_t key_id;
    GBytes *key;
    bool has_addr;
    sctpa_addr_t addr; /* only associations with this address */
} sctpa_auth_key_t;

/* Remarks on the capture of a packet (field sctp.analysis.capture). */
enum {
    SCTPA_CAPTURE_DUPLICATE = 1, /* of a packet already seen: in no counter */
    SCTPA_CAPTURE_TRUNCATED = 2, /* cut by the snap length */
    SCTPA_CAPTURE_OFFLOAD = 4,   /* larger than its link can carry, or checksum left to the hardware */
    SCTPA_CAPTURE_CLOCK = 8,     /* stamped far earlier than the packet before it: the clock stepped */
    /* stamped a little earlier than the packet before it: the capture has them out of order */
    SCTPA_CAPTURE_REORDERED = 16,
    SCTPA_CAPTURE_MISSED = 32, /* acknowledges data that the capture does not hold */
    SCTPA_CAPTURE_TIME = 64,   /* stamped farther from the first packet than SCTPA_TIME_SPAN_NS: counted as that far */
    SCTPA_CAPTURE_STRAY = 128, /* its tag is wrong, what else it carries names its sender: in no counter */
    SCTPA_CAPTURE_REMARKS = 8, /* number of bits */
    SCTPA_CAPTURE_UNCOUNTED = SCTPA_CAPTURE_DUPLICATE | SCTPA_CAPTURE_STRAY
};
/* Where an address of an endpoint is known from. */
enum {
    SCTPA_ADDR_SOURCE = 1,      /* sent from it */
    SCTPA_ADDR_DESTINATION = 2, /* was sent to */
    SCTPA_ADDR_LISTED = 4,      /* in INIT or INIT ACK */
    SCTPA_ADDR_ADDED = 8,       /* by ASCONF, acknowledged */
    SCTPA_ADDR_DELETED = 16,    /* by ASCONF, acknowledged */
    /* the peer's stack has another for it (feed_parts.h), or a packet is there once more with another for it */
    SCTPA_ADDR_RENAMED = 32
};
typedef struct {
    sctpa_addr_t addr;
    uint32_t origin; /* SCTPA_ADDR_ bits */
} sctpa_known_addr_t;

/* Packets from one address to another; part of the path to destination. */
typedef struct {
    uint32_t assoc;
    uint8_t from;        /* sending end */
    uint8_t copied;      /* bits: source (1) and destination (2) are its own, its end knew too many */
    uint16_t path;       /* of the sending end */
    uint32_t flows;      /* 1 + number of the first flow of its packets, 0 none */
    uint32_t neighbours; /* 1 + number of those between whose addresses it lies, 0 not yet */
    const sctpa_addr_t *source, *destination; /* as known of its end, of the peer */
    sctpa_counts_t settled; /* without the plain packets that its flows counted: sctpa_pair_counts has all */
} sctpa_pair_t;

/* Where a packet of a path stands in the capture, as each of the path's two interfaces showed it;
 * SCTPA_NO_PACKET_INDEX: that one did not: 8 bytes. */
typedef struct {
    uint32_t at[2];
} sctpa_sighting_t;

/* Packets of a path that two interfaces showed, or one of the two; see two_taps.h. Memory: 8 bytes for each packet. */
typedef struct {
    uint32_t interfaces[2]; /* ascending; while both is 0, not known: each packet stands in at[0] */
    uint32_t both;
    int64_t min_ns, max_ns, sum_ns; /* time at interfaces[1] minus time at interfaces[0] */
    sctpa_records_t sightings;      /* sctpa_sighting_t, in order of first sightings */
} sctpa_two_taps_t;

/* Heartbeats of a path, and what two taps showed of it. */
typedef struct {
    uint32_t heartbeats, heartbeats_acked;
    uint32_t heartbeats_lost;  /* not acked, and followed by another */
    uint64_t heartbeat_hash;   /* of the Heartbeat Info last sent here, 0 none or already echoed */
    uint64_t heartbeat_before; /* of the one before that, when it counts as lost */
    int64_t heartbeat_ns;      /* when the last one left */
    /* The shortest and the longest time from one that was answered to the next, no data between, 0 none; without the
     * first of the path, which may be of its confirmation (RFC 9260 5.4). */
    int64_t least_gap_ns, most_gap_ns;
    bool probes_pmtu;           /* the last one is large, or has PAD: its loss shows the PMTU, no error */
    sctpa_two_taps_t *two_taps; /* NULL: one tap */
} sctpa_probing_t;

/* A destination address that an endpoint sends to (RFC 9260 1.3). */
typedef struct {
    const sctpa_addr_t *destination; /* as known of the peer */
    const sctpa_probing_t *probing;  /* never NULL; sctpa_path_probing changes it */
    int64_t tap_rtt_ns; /* RTT from the tap to that address, by answers from there that were due at once; 0 unknown */
    uint32_t tap_rtts;  /* answers that took that long, and SCTPA_NEAR_NS more at most */
} sctpa_path_t;

enum {
    SCTPA_MOVES_MAX = 32,
    SCTPA_FAILOVERS_MAX = 32,
    SCTPA_OUTAGES_MAX = 32,
    SCTPA_OUTAGE_ERRORS = 2, /* in a row: one may be the loss of a packet */
    SCTPA_TIMEOUTS_SHOWN = 4,
    SCTPA_PING_PONGS_KEPT = 3
};

/* What showed that a path had failed, until new data went elsewhere: 56 bytes. */
typedef struct {
    int64_t unanswered_ns;                     /* when the first of what was lost was sent */
    uint32_t timeouts;                         /* retransmission timeouts since the last answer */
    uint32_t heartbeats;                       /* heartbeats since the last answer that were followed by another */
    uint32_t heartbeat_gap_ms;                 /* from the last of them to the one after it */
    uint32_t rto_ms;                           /* before the first timeout, as known by then; 0 no timeout */
    uint32_t timeout_ms[SCTPA_TIMEOUTS_SHOWN]; /* how long the timer ran, at the first timeouts; 0 not known */
    uint32_t most;                             /* bit n: timeout_ms[n] is the most (may_start_late of the sample) */
    uint32_t timeout_packet;                   /* packet index of the first timeout */
    uint32_t since_packet;                     /* and of the last: what was sent before and is acked now is no answer */
    uint32_t cleared;                          /* timeouts before the last ack of data that was last sent to the path */
} sctpa_trouble_t;

/* Timeouts in a row as the endpoint counts them: such an ack clears its count (RFC 9260 8.2), also where the data was
 * sent before the timeout. All where nothing but this clears them: an endpoint that leaves the path then did not. */
static inline uint32_t sctpa_trouble_timeouts_in_a_row(const sctpa_trouble_t *trouble)
{
    return trouble->timeouts > trouble->cleared ? trouble->timeouts - trouble->cleared : trouble->timeouts;
}

/* Errors in a row: timeouts and heartbeats without answer. */
static inline uint64_t sctpa_trouble_errors(const sctpa_trouble_t *trouble)
{
    return (uint64_t)trouble->timeouts + trouble->heartbeats;
}

typedef struct {
    uint32_t frame;          /* first new data elsewhere */
    uint32_t certain_packet; /* that showed that it stays there */
    int64_t time_ns;
    uint16_t path, to;
    sctpa_trouble_t trouble; /* of path */
} sctpa_failover_t;

/* When an endpoint takes a path for potentially failed, or inactive. */
typedef struct {
    int64_t earliest_ns, latest_ns; /* an RTO apart at most, unless the next HEARTBEAT was overdue (path_states.h) */
    uint32_t frame;                 /* the HEARTBEAT, or retransmission, that shows the error; 0: it is not seen to */
    uint32_t errors;                /* in a row by then */
} sctpa_path_state_change_t;

/* A path that did not answer HEARTBEATs (RFC 9260 8.3), so that it was given up as far as these show; or data, while
 * another path did, or no path of several. */
typedef struct {
    int64_t since_ns;        /* when the first of what was lost was sent */
    int64_t answered_ns;     /* when it answered again */
    uint32_t answered_frame; /* 0: not by the end of the capture */
    uint32_t heartbeats;     /* followed by another, without an answer until then */
    uint32_t timeouts;       /* retransmission timeouts, which count as well (8.2) */
    uint32_t frame;          /* that showed it first */
    uint32_t max_retrans;    /* the Path.Max.Retrans that inactive is reckoned with */
    uint16_t path;
    bool is_asserted; /* the user asserts max_retrans; else it is the RFC's */
    sctpa_path_state_change_t potentially_failed, inactive;
    /* between the last error and the first new data elsewhere: it was potentially failed then (RFC 7829), or inactive
     * by a Path.Max.Retrans below the errors; frame 0: new data did not leave it */
    sctpa_path_state_change_t left;
    uint32_t left_timeouts; /* of left.errors, in a row (sctpa_trouble_timeouts_in_a_row) */
    /* errors in a row after which it was still probed once per RTO (RFC 7829 5), and the HEARTBEAT that shows it; 0:
     * not seen */
    uint32_t probed_errors, probed_packet;
} sctpa_outage_t;

/* The least Path.Max.Retrans that an outage shows: data was sent to the path, or it was probed as one that is
 * potentially failed, after so many errors. 0: nothing shows. */
static inline uint32_t sctpa_outage_least_retrans(const sctpa_outage_t *outage)
{
    return MAX(outage->probed_errors, outage->left_timeouts > 0 ? outage->left_timeouts - 1 : 0);
}

/* New data that went to another path and stayed there: 12 bytes. */
typedef struct {
    uint32_t packet; /* the first of it */
    uint32_t frame;
    uint16_t from, to;
} sctpa_stayed_move_t;

/* How an endpoint changed paths, and which did not answer it. */
typedef struct {
    sctpa_stayed_move_t *moves;                        /* the first SCTPA_MOVES_MAX of primary_changes, NULL none */
    uint32_t primary_changes;                          /* moves of new data that stayed, failovers included */
    uint32_t ping_pong;                                /* of them, straight back within SCTPA_PING_PONG_NS */
    uint32_t ping_pong_packets[SCTPA_PING_PONGS_KEPT]; /* that showed the last of these, newest first */
    uint32_t n_failovers;                              /* all of them */
    sctpa_failover_t *failovers;                       /* the first SCTPA_FAILOVERS_MAX */
    uint32_t n_outages;                                /* all of them */
    sctpa_outage_t *outages;                           /* the first SCTPA_OUTAGES_MAX */
} sctpa_switching_t;
#define SCTPA_PING_PONG_NS (10 * SCTPA_NS_PER_S)

/* Bytes that were kept of a packet, in place of those kept before. */
typedef struct {
    uint8_t *data; /* NULL: none */
    uint32_t length;
} sctpa_bytes_t;

/* What INIT or INIT ACK of an endpoint said. */
typedef struct {
    bool seen;
    bool whole;            /* all of its parameters were captured */
    uint16_t cookie_bytes; /* INIT ACK only */
    uint32_t a_rwnd_bytes, initial_tsn;
    uint16_t outbound_streams, inbound_streams;
    uint64_t params;           /* bit n: parameter row n (sctpa_param_row) occurred */
    uint32_t supported_chunks; /* bit n: chunk row n is in Supported Extensions */
    uint32_t auth_chunks;      /* bit n: chunk row n is in CHUNKS */
} sctpa_init_t;
G_STATIC_ASSERT(SCTPA_CHUNK_ROWS <= 32);

enum { SCTPA_CHUNK_VALUES = 256 };

enum { SCTPA_ADDRESS_REQUESTS_MAX = 64 };

typedef enum { SCTPA_ADDRESS_ADD, SCTPA_ADDRESS_DELETE, SCTPA_ADDRESS_PRIMARY } sctpa_address_request_kind_t;

/* What an endpoint asked of its peer by ASCONF (RFC 5061 4.2), of one address of its own. */
typedef struct {
    int64_t asked_ns;
    uint32_t asked_frame; /* when it first asked */
    uint32_t acked_frame; /* the ASCONF-ACK, 0: none passed */
    uint32_t correlation;
    uint8_t kind;    /* sctpa_address_request_kind_t */
    bool is_all_but; /* a wildcard: all addresses but this one, from which it was sent, are deleted */
    bool is_refused;
    sctpa_addr_t addr;
} sctpa_address_request_t;

enum { SCTPA_REWRITTEN_TRIED = 8 };

/* Packets of an endpoint whose wrong CRC32c would be right for another port: it was changed on the way. */
typedef struct {
    uint32_t checksum; /* of the last that fits */
    uint16_t port;     /* for which it would be right */
    bool is_destination;
    uint8_t tried, fitting; /* packets with a wrong checksum, SCTPA_REWRITTEN_TRIED at most; that fit the port */
    uint8_t different;      /* of these, with other checksums than the one before: one may fit by chance */
} sctpa_rewritten_t;

/* What few endpoints have: what most never send, or do. */
typedef struct {
    sctpa_rewritten_t rewritten;
    sctpa_address_request_t *address_requests; /* the first SCTPA_ADDRESS_REQUESTS_MAX, NULL none */
    uint32_t n_address_requests;
    sctpa_switching_t *switching;                  /* NULL: nothing was lost, and all new data went one way */
    uint32_t *unknown_chunks;                      /* counts by type value, SCTPA_CHUNK_VALUES long, or NULL */
    uint32_t auth_good, auth_bad, auth_unverified; /* AUTH chunks */
    uint32_t unasked_frame;                        /* its last HEARTBEAT ACK to no HEARTBEAT of the capture, 0 none */
    int64_t unasked_ns;
} sctpa_end_rare_t;

typedef struct {
    uint32_t vtag; /* the tag that packets to this endpoint carry */
    uint16_t port;
    uint16_t n_addrs : 14;
    uint16_t has_vtag : 1;
    uint16_t sent_without_data : 1; /* a packet of it without DATA was captured whole */
    uint16_t n_paths, n_pairs;
    uint32_t settled_checksums[SCTPA_CHECKSUMS]; /* as settled; sctpa_end_checksums has all */
    sctpa_init_t init;
    sctpa_known_addr_t *addrs; /* in order of discovery */
    sctpa_path_t *paths;       /* in order of first use */
    sctpa_pair_t **pairs;      /* sent by this endpoint, in order of first use */
    sctpa_counts_t *settled; /* sent by this endpoint, as settled of its pairs; that of its pair while there is but one;
                              * never NULL; sctpa_end_counts has all */
    const sctpa_end_rare_t *rare;    /* never NULL; sctpa_end_rare changes it */
    const sctpa_bytes_t *key_vector; /* RFC 4895 6.1, NULL none */
} sctpa_end_t;

typedef enum {
    SCTPA_STEP_INIT,
    SCTPA_STEP_INIT_ACK,
    SCTPA_STEP_COOKIE_ECHO,
    SCTPA_STEP_COOKIE_ACK,
    SCTPA_STEPS
} sctpa_step_t;

typedef struct {
    struct {
        uint32_t count : 31, by : 1, first_frame;
        int64_t first_ns;
    } steps[SCTPA_STEPS]; /* by: end that sent the first */
    int64_t last_init_ns;
    uint32_t cookie_packet; /* the last with COOKIE ECHO or COOKIE ACK, packet index; known if one of both passed */
} sctpa_setup_t;

typedef enum {
    SCTPA_ASSOC_OPEN,
    SCTPA_ASSOC_SHUTDOWN,
    SCTPA_ASSOC_ABORT,
    SCTPA_ASSOC_REFUSED,
    SCTPA_ASSOC_NO_ANSWER,
    SCTPA_ASSOC_FAILED,
    SCTPA_ASSOC_RESTARTED,
    SCTPA_ASSOC_NOT_CLOSED, /* SHUTDOWN or SHUTDOWN ACK was repeated, and the other endpoint did not answer */
    SCTPA_ASSOC_ENDS
} sctpa_assoc_end_t;

typedef enum {
    SCTPA_EVENT_SETUP,
    SCTPA_EVENT_COLLISION,
    SCTPA_EVENT_RESTART,
    SCTPA_EVENT_ADDRESS_ADDED,
    SCTPA_EVENT_ADDRESS_DELETED,
    SCTPA_EVENT_PRIMARY_SET,
    SCTPA_EVENT_PRIMARY_CHANGED,
    SCTPA_EVENT_PATH_POTENTIALLY_FAILED,
    SCTPA_EVENT_PATH_INACTIVE,
    SCTPA_EVENT_PATH_FAILED,
    SCTPA_EVENT_PATH_RECOVERED,
    SCTPA_EVENT_FAILOVER,
    SCTPA_EVENT_STREAM_RESET,
    SCTPA_EVENT_STREAMS_ADDED,
    SCTPA_EVENT_ICMP_UNREACHABLE,
    SCTPA_EVENT_PACKET_TOO_BIG,
    SCTPA_EVENT_SHUTDOWN,
    SCTPA_EVENT_ABORT,
    SCTPA_EVENT_ABORT_NOT_TAKEN,
    SCTPA_EVENT_ERROR,
    SCTPA_EVENTS
} sctpa_event_kind_t;

typedef struct {
    int64_t time_ns;
    char *detail; /* UTF-8 text, may hold bytes chosen by the peer: escape before showing; NULL none */
    uint32_t frame;
    uint32_t certain_frame; /* the packet that made it certain: frame, or a later one */
    uint16_t path;          /* SCTPA_NO_PATH none */
    sctpa_event_kind_t kind : 8;
    uint8_t end; /* whose event, SCTPA_NO_END unknown */
} sctpa_event_t;

/* Is it one that path_states.h and path_states.h make, of a path of its endpoint? */
static inline bool sctpa_event_is_of_path(const sctpa_event_t *event)
{
    return event->kind >= SCTPA_EVENT_PRIMARY_CHANGED && event->kind <= SCTPA_EVENT_FAILOVER;
}

/* How an association ended, and its last packet. */
typedef struct {
    sctpa_assoc_end_t end : 5;
    uint32_t end_by : 8;    /* end, or SCTPA_NO_END */
    uint32_t shutdowns : 8; /* of NOT_CLOSED: SHUTDOWNs or SHUTDOWN ACKs that a timer sent in vain, ... */
    uint32_t answers : 8;   /* ... SHUTDOWNs or SHUTDOWN ACKs of the peer meanwhile, ... */
    uint32_t asking : 1;    /* ... by this endpoint, ... */
    uint32_t asks_ack : 1;  /* ... they are SHUTDOWN ACKs, ... */
    uint32_t asks_over : 1; /* ... and the capture goes on for longer than the timer may wait */
    uint32_t last_frame;
    int64_t last_ns;
} sctpa_outcome_t;

typedef struct {
    uint32_t number;
    uint32_t merged_into; /* SCTPA_NO_ASSOC, or the association that this half was found to belong to */
    sctpa_end_t ends[2];
    sctpa_encapsulation_t encapsulation;
    uint32_t restart_of; /* association, or SCTPA_NO_ASSOC */
    sctpa_setup_t setup;
    sctpa_outcome_t known; /* from what packets said, without the last plain packets: sctpa_outcome has all */
    int64_t end_ns;        /* time of end_frame */
    uint32_t end_frame;
    uint32_t end_cause; /* error cause code of the ABORT, 0 none */
    char *end_text;     /* user text of the ABORT, UTF-8 to escape, or NULL */
    char *end_contents; /* what its cause names (teardown.c), UTF-8 to escape, or NULL */
    int64_t first_ns;
    sctpa_event_t *events; /* in order, at most SCTPA_EVENTS_MAX */
    uint32_t first_frame;
    uint32_t n_events;
    uint32_t events_dropped : 29; /* beyond that */
    uint32_t merged_swapped : 1;  /* end 0 of this half is end 1 there */
    uint32_t collision : 1;       /* both endpoints sent INIT */
    uint32_t end_reflected : 1;   /* the ABORT has the T bit: its sender knew no association (RFC 9260 8.5.1) */
    uint32_t went_on_frame; /* the first packet by which who sent the COOKIE ECHO shows that it has had the COOKIE ACK
                               (RFC 9260 5.1 C), 0 none */
} sctpa_assoc_t;

/* What passed of an association after the ABORT that ended it, as far as it shows whether the ABORT was taken. */
typedef struct {
    /* By endpoint: packets that show an association at their sender, and left it after the ABORT had reached it. */
    struct {
        uint32_t packets, first_frame, last_frame;
        int64_t last_ns;
    } going_on[2];
    /* The same of packets that passed later than the RTT from the tap to their sender, but not later than a packet may
     * be under way: they count, in going_on, as soon as others show that their sender goes on. */
    struct {
        uint32_t packets, first_frame;
    } early[2];
    uint32_t answers;       /* further ABORTs of the endpoint that aborted */
    bool is_receiver_gone;  /* the other answers with ABORT and T bit: it has no association any more */
    bool has_other_ids : 1; /* identifications of IPv4 that carry on without that of the ABORT between them, ... */
    bool has_other_ttl : 1; /* ... and a TTL that is not the ABORT's, in the next packet of the endpoint that aborted */
} sctpa_after_abort_t;

/* SHUTDOWNs or SHUTDOWN ACKs of an endpoint since its peer sent anything else; counts end at 255. */
typedef struct {
    uint32_t first_frame, last_frame; /* of asks */
    uint32_t last_ms;       /* the last of asks, or a SHUTDOWN COMPLETE, since the association's first packet */
    uint8_t asks;           /* the first, and what its timer sent again */
    uint8_t answers;        /* SHUTDOWNs and SHUTDOWN ACKs of its peer since the first */
    uint8_t unheard;        /* of asks: sent after a SHUTDOWN COMPLETE of its peer had passed, each another */
    bool is_ack : 1;        /* asks are SHUTDOWN ACKs */
    bool has_completed : 1; /* a SHUTDOWN COMPLETE of it passed since its peer's last of asks */
} sctpa_closing_t;

/* A request of RE_CONFIG that is answered by "In progress" (RFC 6525 4.4), and by nothing else since. */
typedef struct {
    uint32_t seq;
    uint32_t answers; /* 0: none; counted from the first, in ... */
    uint32_t first_frame, last_frame;
    int64_t first_ns, last_ns;
    bool has_all; /* an answer left after its sender had acknowledged all TSNs that the request waits for */
} sctpa_in_progress_t;

enum { SCTPA_HALF_CLOSED_MAX = 64 };

/* A stream whose outgoing half one endpoint asked to reset, while its peer did not. */
typedef struct {
    int64_t time_ns; /* when its peer had performed it, in frame; frame 0: it did not */
    uint32_t frame;
    uint16_t stream;
    uint8_t by;
} sctpa_half_closed_t;

enum { SCTPA_EVENTS_MAX = 1024 };

/* May every packet of the association that the capture holds carry DATA? Copies and damaged packets are not asked, and
 * one that was cut before its last chunk may. A display filter on what DATA carries leaves such a capture, and nothing
 * in it tells which SACKs, HEARTBEATs and set-up packets there were: acknowledgements are not judged. O(1). */
static inline bool sctpa_assoc_is_data_only(const sctpa_assoc_t *assoc)
{
    return !assoc->ends[0].sent_without_data && !assoc->ends[1].sent_without_data;
}

/* Has the endpoint one address that it only sends from and one that it is only sent to, of which one is in none of its
 * INIT, INIT ACK and ASCONFs, as far as captured? O(addresses). */
static inline bool sctpa_end_is_one_way(const sctpa_end_t *end)
{
    const uint32_t listed = SCTPA_ADDR_LISTED | SCTPA_ADDR_ADDED, used = SCTPA_ADDR_SOURCE | SCTPA_ADDR_DESTINATION;
    uint32_t seen = 0;
    bool is_unlisted = false;
    for (unsigned i = 0; end->n_addrs > 1 && i < end->n_addrs; i++) {
        const uint32_t use = end->addrs[i].origin & used;
        seen |= use != used ? use : 0;
        is_unlisted |= use && use != used && !(end->addrs[i].origin & listed);
    }
    return seen == used && is_unlisted;
}
/* Addresses that its INIT or INIT ACK lists; without any, that packet's source is the one (RFC 9260 5.1.2).
 * O(addresses). */
static inline unsigned sctpa_end_listed_addrs_count(const sctpa_end_t *end)
{
    unsigned n = 0;
    for (unsigned i = 0; i < end->n_addrs; i++)
        n += (end->addrs[i].origin & SCTPA_ADDR_LISTED) != 0;
    return n;
}
/* Addresses of the endpoint, but those that are one of the others translated, as packets show that the capture holds
 * under both. O(addresses). */
static inline unsigned sctpa_end_own_addrs_count(const sctpa_end_t *end)
{
    unsigned n = 0;
    for (unsigned i = 0; i < end->n_addrs; i++)
        n += !(end->addrs[i].origin & SCTPA_ADDR_RENAMED);
    return n;
}
/* Has the endpoint one address? Two are one that is translated between it and the tap. O(addresses), O(1) for one. */
static inline bool sctpa_end_is_single_homed(const sctpa_end_t *end)
{
    return end->n_addrs <= 1 || sctpa_end_own_addrs_count(end) <= 1 ||
           (end->n_addrs == 2 && end->init.whole && sctpa_end_is_one_way(end));
}
/* Has neither endpoint a second address, by which packets could go that a tap does not see? O(1). */
static inline bool sctpa_assoc_is_single_homed(const sctpa_assoc_t *assoc)
{
    return sctpa_end_is_single_homed(&assoc->ends[0]) && sctpa_end_is_single_homed(&assoc->ends[1]);
}

/* Set-up of an association: complete, partial (some of its packets seen) or missing. */
typedef enum { SCTPA_SETUP_COMPLETE, SCTPA_SETUP_PARTIAL, SCTPA_SETUP_MISSING } sctpa_setup_seen_t;

#endif
