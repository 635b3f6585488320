/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pauses of a direction: times in which it had something to do and made no progress, and why; and set-ups that waited
 * for a step that was lost. Something to do: a TSN was outstanding, or the peer's window was closed while the sender
 * had more. Progress: an ack of a TSN that was not acked before. A pause is longer than SCTPA_PAUSE_LEAST_MS and than
 * any round trip of late. Whether the application had nothing to send only its silence tells: that is idle time, of
 * which only the sum is kept. */
#ifndef SCTPA_MEASURE_PAUSES_H
#define SCTPA_MEASURE_PAUSES_H

#include "measure/series/series.h"
#include "track/assoc.h"

typedef enum {
#define SCTPA_PAUSE_ROW(name, word, text) SCTPA_PAUSE_##name,
#include "pauses.def"
#undef SCTPA_PAUSE_ROW
    SCTPA_PAUSE_CAUSES
} sctpa_pause_cause_t;

enum {
    SCTPA_PAUSE_LEAST_MS = 100,     /* shorter ones no application notices */
    SCTPA_PAUSE_ROUND_TRIPS_S = 10, /* so long a round trip is of late */
};

/* What ended a pause. */
typedef enum {
#define SCTPA_PAUSE_END_ROW(name, word) SCTPA_PAUSE_ENDS_##name,
#include "pause_ends.def"
#undef SCTPA_PAUSE_END_ROW
    SCTPA_PAUSE_ENDS
} sctpa_pause_end_t;

/* 96 bytes. Packets are packet indices. */
typedef struct {
    uint32_t since; /* the SACK that acked something last, or the first data when nothing was outstanding then, or the
                     * COOKIE ACK before which that was sent */
    uint32_t until; /* the packet that ended it (ended); SCTPA_NO_PACKET_INDEX: none did */
    int64_t paused_ns; /* until then, or until the end asked for */
    int64_t most_ns;   /* what it can have lasted at most: longer where it ends UNSEEN */
    int64_t waited_ns; /* how long the timer ran that sent repeated; what no timer surely sent: how long after the
                        * transmission it repeats; 0 not known */
    uint32_t timeouts; /* of the retransmission timer meanwhile, as far as they are proven: in a row */
    uint32_t chunks;   /* outstanding at its end */
    uint32_t lost;     /* the transmission that the first timeout repeats, or of the oldest TSN that was not acked;
                        * SCTPA_NO_PACKET_INDEX none */
    uint32_t repeated; /* the packet that the last timeout sent first, or the last retransmission of that TSN;
                        * SCTPA_NO_PACKET_INDEX none */
    uint32_t started;  /* that started the timer which sent repeated; SCTPA_NO_PACKET_INDEX not known, or none */
    uint32_t sent;     /* new data next to the wait: that which waited for its ack (HELD_BACK), or that which was sent
                        * only then (SHUTDOWN_AS_CLOSED); SCTPA_NO_PACKET_INDEX none */
    uint32_t shutdown; /* of SHUTDOWN_AS_CLOSED: the receiver's first, SCTPA_NO_PACKET_INDEX none */
    uint32_t silent; /* SACKs meanwhile that say the same without a gap, though packets asked for them, or none did; 0:
                      * none, or what was sent before explains them */
    uint32_t window_bytes; /* of both: what the receiver's window had room for meanwhile */
    uint32_t heard; /* of LATE_TIMER: the packet of the receiver right after which repeated left; SCTPA_NO_PACKET_INDEX
                     * none */
    int64_t rto_most_ns; /* of LATE_TIMER: the RTO that ran, at most */
    uint16_t path, to;   /* of lost, of repeated; SCTPA_SERIES_ANY_PATH none */
    uint8_t cause;       /* sctpa_pause_cause_t */
    uint8_t ended;       /* sctpa_pause_end_t */
    uint8_t held;        /* of SHUTDOWN_AS_CLOSED: which in a row, each twice as long as the one before; saturates */
    bool has_waiting;    /* of DELAYED_SACK: new data was sent as soon as it came, and ... */
    bool is_nagle;       /* ... most likely Nagle's algorithm had kept that; of CWND: or it may have */
    bool may_start_late; /* something later than started may have started the timer anew: waited_ns is the most */
    bool may_be_held;    /* what was lost, or its last copy, may have arrived, its SACK being delayed (RFC 9260 6.2) */
    bool may_be_refused; /* the receiver had sent SHUTDOWN, whose acks tell no window: it may have dropped it */
    bool is_left_out;    /* SACKs that would have acked what was lost left it out: no ack was lost */
    bool is_some_copy;   /* of ACKS_LOST: what arrived was lost, or a retransmission of it before the last */
    bool has_no_path;    /* of PATH_DEAD: every one of several paths was dead */
    bool is_reported;    /* three acks or more had reported missing what the first retransmission repeats */
} sctpa_pause_t;

/* Retransmissions of T3-rtx of what the receiver had, before its SACK was due: fewer packets had come than it
 * acknowledges at once, and its delay was not over (RFC 9260 6.2). */
typedef struct {
    uint64_t chunks;
    int64_t rto_least_ns, rto_most_ns; /* how long the timers ran */
    int64_t sack_delay_ns;             /* how long the receiver holds SACKs back: 200 ms, or what it showed */
    unsigned held_packets;             /* of so many packets: one less than it acknowledges at once */
    bool is_shown;                     /* sack_delay_ns is what it showed */
} sctpa_early_timeouts_t;

typedef struct {
    GArray *pauses;                      /* sctpa_pause_t in order */
    int64_t lost_ns[SCTPA_PAUSE_CAUSES]; /* together, by cause */
    int64_t paused_ns;                   /* all together */
    int64_t idle_ns;                     /* nothing was outstanding, and no window closed */
    int64_t acking_ns;                   /* waits for an ack, longer than a round trip, on which nothing waited */
    int64_t span_ns; /* from the first packet with new DATA to the last with that or an ack of it, or a pause's end */
    int64_t longest_ns;     /* the longest time without ack progress, a pause or not; 0 none */
    uint32_t longest_since; /* its first packet */
    sctpa_early_timeouts_t early;
    uint32_t discarded; /* the first SACK of those that the sender discards (pause_losses.c), SCTPA_NO_PACKET_INDEX
                         * none */
} sctpa_pauses_t;

/* Finds the pauses of a direction; free with sctpa_pauses_free. end_ns: of the association; what is outstanding then
 * stands still until then. TSNs given up (FORWARD_TSN) and not acked, and those first seen after their ack, are left
 * out; what a receiver took back counts as acked. Without a retransmission for longer than the RTO the sender had an
 * ack that the capture lacks (RFC 9260 6.3.3 E3): no pause, unless SACKs report the same TSN missing before and after.
 * None across a step of the clock. None where acks may be missing (data_only of the source). O(n log n) for n TSNs,
 * SACKs and retransmissions; memory: 96 bytes a pause, while it runs 24 bytes a TSN, 8 a retransmission, 48 a path,
 * and that of sctpa_windows_measure where a window was closed.
 */
sctpa_pauses_t *sctpa_pauses_measure(const sctpa_series_source_t *source, int64_t end_ns);
void sctpa_pauses_free(sctpa_pauses_t *pauses);

/* "path_dead", "path without answer". */
const char *sctpa_pause_word(sctpa_pause_cause_t cause);
const char *sctpa_pause_text(sctpa_pause_cause_t cause);
/* "ack". */
const char *sctpa_pause_end_word(sctpa_pause_end_t ended);

enum { SCTPA_SETUP_WAITS_MAX = 2 };

/* From the first INIT to the first INIT ACK, or from the first COOKIE ECHO to the first COOKIE ACK, where T1 had to
 * send it again: it, or each answer before, was lost, or the peer was slow. Never shorter than SCTPA_PAUSE_LEAST_MS. */
typedef struct {
    sctpa_step_t step; /* that was sent again: INIT or COOKIE_ECHO */
    uint32_t sent;     /* how often, in all */
    uint32_t since_frame;
    uint32_t until_frame;        /* of the answer, 0: none passed */
    int64_t since_ns, waited_ns; /* without an answer to the last INIT, or to the association's last packet */
    uint8_t by;                  /* the endpoint that waited */
} sctpa_setup_wait_t;

/* The waits of an association, in order; how many. None where INITs crossed (RFC 9260 5.2.1): both ends asked. O(1).
 * setup   as it passed one place (sctpa_assoc_setup)
 * end_ns  the association's last packet, by the clock of the set-up */
unsigned sctpa_setup_waits(const sctpa_assoc_t *assoc, const sctpa_setup_t *setup, int64_t end_ns,
                           sctpa_setup_wait_t waits[SCTPA_SETUP_WAITS_MAX]);

#endif
