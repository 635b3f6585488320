/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series for plots and CSV (docs/reports.md, series): what one endpoint sent, and the SACKs about it, as points over
 * time. Points are copied out of the records when a series is made and do not follow a capture that goes on: make it
 * anew. Leaves drawing and writing to the callers. */
#ifndef SCTPA_MEASURE_SERIES_H
#define SCTPA_MEASURE_SERIES_H

#include "data/direction.h"
#include "measure/learned/learned.h"
#include "track/clock_steps.h"

typedef enum {
#define SCTPA_SERIES_ROW(name, word, unit, walk) SCTPA_SERIES_##name,
#include "series.def"
#undef SCTPA_SERIES_ROW
    SCTPA_SERIES_KINDS
} sctpa_series_kind_t;

/* TSN: relative. TIME: ns. RATE: bits per second over a bin. */
typedef enum {
    SCTPA_UNIT_TSN,
    SCTPA_UNIT_TSN_RANGE,
    SCTPA_UNIT_BYTES,
    SCTPA_UNIT_TIME,
    SCTPA_UNIT_RATE
} sctpa_series_unit_t;

/* Walks of the records; each makes the series that name it in series.def. */
typedef enum {
    SCTPA_WALK_SENT,
    SCTPA_WALK_SACKS,
    SCTPA_WALK_FLOW,
    SCTPA_WALK_BYTES,
    SCTPA_WALK_CWND,
    SCTPA_WALK_SAMPLES,
    SCTPA_WALK_RTOS,
    SCTPA_WALK_WAITS,
    SCTPA_WALK_RATES,
    SCTPA_WALKS
} sctpa_series_walk_t;

/* OF_STREAMS: the bits of those that can be asked of one stream. */
enum {
    SCTPA_SERIES_ALL = (1u << SCTPA_SERIES_KINDS) - 1,
    SCTPA_SERIES_ANY_PATH = 0xFFFF,
    SCTPA_SERIES_OF_RETRANSMISSIONS = (1u << (SCTPA_SERIES_UNKNOWN + 1)) - (1u << SCTPA_SERIES_FAST), /* of any cause */
    SCTPA_SERIES_OF_MESSAGES = 1u << SCTPA_SERIES_HOL_DELAY | 1u << SCTPA_SERIES_MESSAGE_DELAY, /* each of a stream */
    SCTPA_SERIES_OF_STREAMS = 1u << SCTPA_SERIES_GOODPUT | SCTPA_SERIES_OF_MESSAGES
};

/* 24 bytes. */
typedef struct {
    int64_t time_ns; /* of the packet, since the epoch; of a rate: when its bin begins */
    int64_t value;
    uint32_t packet; /* index; of a rate: the first in the bin, or the last before an empty bin */
    uint16_t path;   /* of the data's sender: where DATA went, where a SACK came from; SCTPA_SERIES_ANY_PATH: none */
    union {
        uint16_t extent; /* a gap block ends at value + extent */
        uint16_t stream; /* of a message that waited */
    };                   /* else 0 */
} sctpa_point_t;

typedef struct sctpa_series sctpa_series_t;

/* The congestion control of a path as it may be after a packet that changed it, in bytes; SCTPA_UNKNOWN_BYTES: no bound
 * is known. */
typedef struct {
    uint32_t packet, cwnd, cwnd_min, cwnd_max, ssthresh;
    uint16_t path;
} sctpa_cwnd_point_t;
enum { SCTPA_UNKNOWN_BYTES = 0xFFFFFFFFu };
typedef void (*sctpa_cwnd_visit_fn)(void *user, const sctpa_cwnd_point_t *point);

/* How the association ended. */
typedef struct {
    uint32_t abort_packet; /* the ABORT that ended it, SCTPA_NO_PACKET_INDEX none */
    uint32_t expiries;     /* of T3-rtx since the last retransmission captured, the last one at the ABORT, by which the
                            * data's     sender gave up (abort_reason.h); 0: nothing shows that it did */
} sctpa_ending_t;

/* What series are made from. each_cwnd calls visit for every change of cwnd, by path, in order, each_rto for every RTO
 * of the path's sender, in order. path: the path of the
 * data's sender that a packet of either end used; called with this source. sctpa_series_source (sctpa.h) fills it. */
typedef struct sctpa_series_source sctpa_series_source_t;
struct sctpa_series_source {
    const sctpa_direction_t *direction;   /* NULL: all series are empty */
    const sctpa_direction_t *at_receiver; /* the same data; of two taps, as the one near its receiver shows it */
    int64_t receiver_ahead_ns;            /* of the clock there against the one near its sender */
    int64_t start_ns;                     /* of the capture: bins begin at multiples of their width from here */
    uint16_t (*path)(const sctpa_series_source_t *source, uint32_t packet);
    void (*each_cwnd)(const sctpa_series_source_t *source, sctpa_cwnd_visit_fn visit, void *user);
    void (*each_rto)(const sctpa_series_source_t *source, sctpa_rto_visit_fn visit, void *user);
    /* O(samples + SACKs + HEARTBEATs). */
    sctpa_ending_t (*ending)(const sctpa_series_source_t *source);
    /* Did a packet of the data's receiver, none by which it knows no such association, pass after packet and time_ns?
     * Looks at SCTPA_HEARD_SEARCHED packets. */
    bool (*is_heard)(const sctpa_series_source_t *source, uint32_t packet, int64_t time_ns);
    /* Did user data of the data's receiver pass before packet, and after time_ns? Looks at SCTPA_HEARD_SEARCHED
     * packets: true beyond them. */
    bool (*is_asked)(const sctpa_series_source_t *source, uint32_t packet, int64_t time_ns);
    /* Did the data's receiver send user data without a SACK, before packet and after time_ns? Looks at
     * SCTPA_HEARD_SEARCHED packets. */
    bool (*leaves_ack_out)(const sctpa_series_source_t *source, uint32_t packet, int64_t time_ns);
    /* Did a user message of another association pass before packet and after time_ns, which this sender may pass on?
     * Looks at SCTPA_HEARD_SEARCHED packets. */
    bool (*may_pass_on)(const sctpa_series_source_t *source, uint32_t packet, int64_t time_ns);
    /* The last packet of the data's receiver before packet, and not before time_ns; SCTPA_NO_PACKET_INDEX none. Looks
     * at SCTPA_HEARD_SEARCHED packets. */
    uint32_t (*heard_before)(const sctpa_series_source_t *source, uint32_t packet, int64_t time_ns);
    /* Does the capture have all that the data's sender sent between two packets? Yes by IPv4 identifications, or as the
     * user asserts; unknown where these do not tell: most likely, since the one tap lies beside it and nothing shows
     * that the capture lacks packets. O(1). */
    sctpa_known_t (*sent_all)(const sctpa_series_source_t *source, uint32_t from, uint32_t to);
    /* Was a path of the data's sender out when packet left: SCTPA_OUTAGE_ERRORS errors in a row or more, and no answer?
     * O(SCTPA_OUTAGES_MAX). */
    bool (*is_out)(const sctpa_series_source_t *source, uint16_t path, uint32_t packet);
    /* Has a packet checksum zero? NULL where the data's sender may take such packets: it announced that it does, that
     * is unknown, or its peer sends no other ones, as where hardware computes checksums. O(1). */
    bool (*is_unchecked)(const sctpa_series_source_t *source, uint32_t packet);
    /* RTT from the tap to the address from which the data's sender sent a packet, as far as answers from there show it;
     * else to any of its addresses; of two taps, from the one near it. O(paths). */
    sctpa_tap_rtt_t (*tap_rtt_of)(const sctpa_series_source_t *source, uint32_t packet);
    /* The same to the address of the data's receiver to which the packet was sent: of several, none where no answer to
     * a packet that went there shows it, as another address may be nearer. O(1). */
    sctpa_tap_rtt_t (*tap_rtt_to)(const sctpa_series_source_t *source, uint32_t packet);
    const void *analysis; /* for these */
    uint32_t assoc;
    uint8_t end;           /* the data's sender */
    uint32_t window_bytes; /* that the receiver announced in INIT or INIT ACK, 0 unknown */
    sctpa_tap_rtt_t
        sender_tap_rtt;       /* RTT from the tap to the data's sender, by any path (tap_rtt_of: by that of a packet) */
    int64_t set_up_ns;        /* when its set-up was complete: the first COOKIE ACK, 0 unknown */
    uint32_t set_up_packet;   /* which that is, SCTPA_NO_PACKET_INDEX unknown */
    uint32_t shutdown_packet; /* the first SHUTDOWN of the data's receiver, SCTPA_NO_PACKET_INDEX none */
    uint8_t set_up_repeats;   /* INITs and COOKIE ECHOs that the data's sender retransmitted; saturates */
    int64_t rto_initial_most_ns; /* RTO.Initial of the data's sender at most, or RTO.Min where that is more */
    int64_t rto_max_ns;          /* its RTO.Max; both as asserted, else as RFC 4960 has them */
    int64_t stamp_unit_ns;       /* how finely times are known (tracker.h) */
    int64_t last_ns; /* when the last packet of the association passed the one of two taps; INT64_MAX one tap */
    const sctpa_clock_steps_t *clock_steps; /* times across them mean nothing */
    bool data_only;                         /* what needs acks is unknown (tap/unseen_rest.h) */
};

enum { SCTPA_HEARD_SEARCHED = 1024 };

/* The path of the first transmission of a TSN. */
static inline uint16_t sctpa_series_first_path(const sctpa_series_source_t *source, const sctpa_tsn_t *tsn)
{
    return tsn->more ? source->path(source, tsn->first_packet) : tsn->path;
}

typedef struct {
    uint32_t kinds; /* bits 1 << SCTPA_SERIES_... */
    uint16_t path;  /* only points of this path; SCTPA_SERIES_ANY_PATH: all */
    int64_t bin_ns; /* of rates; 0: sctpa_bin_width_ns of the time from first to last DATA */
    bool of_stream; /* those of SCTPA_SERIES_OF_STREAMS: only of this stream */
    uint16_t stream;
} sctpa_series_request_t;

/* Makes each series asked for; the others are set to NULL. Free each with sctpa_series_free.
 *
 * Every transmission of a TSN that passed the tap is a point of sent (the first) or of its kind. cum_ack has a point
 * per SACK, old ones (RFC 9260 6.2.1) left out: it never falls, unless SACKs show that an earlier one cannot have been
 * right. gap has a point per gap block, a_rwnd one per SACK. flight has one per packet with DATA or a SACK, of the path
 * that it took, the same value as the field, and of each path that it changes; flight_total, where there are several
 * paths, the sum after each packet that has one; peer_window one per packet with DATA or a SACK. sent_bytes
 * and acked_bytes, of no path, have one per packet in which a TSN was first seen, or first acknowledged by its cum_tsn
 * or a gap block: user bytes up to it, those given up never acknowledged. cwnd and its like have one whenever the
 * reference sender of a path changed. rto has one per round trip and timeout, rto_least and rto_most have, too, where
 * the sender showed a parameter of it (sctpa_rtos_t). hol_delay has one per ordered message, at the packet of the
 * acknowledgement that shows that it could be delivered: how long it had waited by then, whole, for earlier ones of its
 * stream, at least. goodput counts user bytes where each TSN was first seen, throughput IP packets with DATA; they have
 * a point per bin from the first to the last DATA, zero where there was nothing.
 *
 * Points stand in packet order. Where packets are out of time order (a clock stepped, several interfaces), times fall
 * too.
 *
 * O(TSNs + transmissions + SACKs + gap blocks + samples + bins); O(k log k) more for k points found out of order, of
 * flight for all transmissions where there are several paths, or SACKs travel with DATA. Memory: 24 bytes per point;
 * while it is made 4 per packet with DATA, and there 12 per transmission and per ack. */
void sctpa_series_make(const sctpa_series_source_t *source, const sctpa_series_request_t *request,
                       sctpa_series_t *series[SCTPA_SERIES_KINDS]);
void sctpa_series_free(sctpa_series_t *series);

/* The points in packet order; valid as long as the series. O(1). */
const sctpa_point_t *sctpa_series_points(const sctpa_series_t *series, uint32_t *n);
sctpa_series_kind_t sctpa_series_kind(const sctpa_series_t *series);
/* Width of the bins of a rate, 0 for others. */
int64_t sctpa_series_bin_ns(const sctpa_series_t *series);
/* The CSV's word: "sent", "cum_ack", ... */
const char *sctpa_series_word(sctpa_series_kind_t kind);
sctpa_series_unit_t sctpa_series_unit(sctpa_series_kind_t kind);
/* The bits of all series that a walk makes: asked for together they cost little more than one. */
uint32_t sctpa_series_of_walk(sctpa_series_walk_t walk);

/* A stream with the user bytes that were sent on it, each TSN once. */
typedef struct {
    uint64_t user_bytes;
    uint16_t stream;
} sctpa_busy_stream_t;
/* The streams of a source on which TSNs were seen, most bytes first, then by number: sctpa_busy_stream_t;
 * g_array_unref. O(TSNs + s log s) for s streams; memory: 1 MB while it runs. */
GArray *sctpa_series_streams(const sctpa_series_source_t *source);

/* The paths that DATA of a source went to: uint16_t, ascending; g_array_unref. O(TSNs + transmissions). */
GArray *sctpa_series_paths(const sctpa_series_source_t *source);

/* What of a series lies in one pixel column; count 0: nothing, and the rest is not set. A gap block counts for min with
 * its value and for max with its end. first and last are the values at the column's edges, in time. Packets are those
 * of the points. */
typedef struct {
    int64_t min, max, first, last;
    uint32_t min_packet, max_packet, first_packet, last_packet;
    uint32_t count;
} sctpa_pixel_t;

/* Writes what lies in each of n columns of equal width between from_ns and to_ns (not in it) to out. Column i holds
 * times from from_ns + width * i / n, rounded down, up to where the next begins. Points count by their time, whatever
 * their packet: where times fall in packet order, points are looked at in order of time, those of the same time in
 * packet order.
 *
 * The first call makes a pyramid of minima and maxima, and an order by time where points are out of it: O(points).
 * Memory: 1.6 bytes per point, and 4 more where points are out of time order. From then on O(n log points). from_ns <=
 * to_ns; n columns from 1 on. */
void sctpa_series_at(sctpa_series_t *series, int64_t from_ns, int64_t to_ns, uint32_t n, sctpa_pixel_t *out);

/* How many of its points stand before time_ns: in order of time, the position of the first that does not. O(log
 * points); the first call as that of sctpa_series_at. */
uint32_t sctpa_series_before(sctpa_series_t *series, int64_t time_ns);
/* The point at a position in order of time, below the number of points. O(1); the first call as that of
 * sctpa_series_at. */
const sctpa_point_t *sctpa_series_point(sctpa_series_t *series, uint32_t position);

/* The earliest and latest time of its points; false: none. O(1) where points are in time order, else as
 * sctpa_series_at. */
bool sctpa_series_span(sctpa_series_t *series, int64_t *first_ns, int64_t *last_ns);

#endif
