/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window that a receiver announced, and how much of it the sender used: of one direction of data, by what its
 * series show. */
#ifndef SCTPA_MEASURE_WINDOW_USE_H
#define SCTPA_MEASURE_WINDOW_USE_H

#include "measure/series/series.h"

/* A window that others share may shrink once by chance, but not by the very bytes at each of so many FORWARD-TSNs. */
enum { SCTPA_ORPHANS_STEPS = 5 };

typedef struct {
    uint64_t bytes;            /* user bytes of such fragments */
    uint32_t messages;         /* that they belong to */
    uint32_t filling_messages; /* of them, until the window was full, and by how much each made it fall */
    uint64_t least_bytes, most_bytes;
    bool is_cut;       /* the last of these had more than there was room for */
    uint32_t compared; /* FORWARD-TSNs that a SACK answers with nothing outstanding, after such fragments */
    uint32_t fits;     /* of them, where a_rwnd lacks just the bytes of all fragments so far */
    bool fills_window; /* they alone take what the receiver announced, or leave less than a chunk */
    bool is_proven;    /* and the figures show that the receiver keeps them */
} sctpa_orphans_t;

/* A time in which the announced window was closed (sctpa_window_is_closed), and why.
 * The reader is slow while no SACK reports a TSN missing below others that it acks: all that fills the buffer could be
 * read. The receiver waits for a TSN that was missing from the SACK on that closed the window, until it arrived: what
 * fills the buffer above it nobody can read. The rest is not decidable: a TSN went missing when the window was closed
 * already, or was missing still when it opened, or gap blocks were cut off, or fragments of given-up messages fill the
 * window (window_use.h). */
typedef struct {
    uint32_t packet;   /* index of the SACK that closed it */
    uint32_t until;    /* of the SACK that opened it, SCTPA_NO_PACKET_INDEX: none did */
    int64_t closed_ns; /* until then, or until the last packet of the direction; 0 where the clock stepped back */
    int64_t reader_ns, waiting_ns; /* of it, by a slow reader, for a TSN */
    int64_t cum_tsn;               /* relative, of the SACK that closed it */
    int64_t tsn;                   /* the relative TSN that it waited for longest; where waiting_ns is 0 nothing */
    uint32_t reported;             /* the last SACK that reports it missing */
    bool is_opened_by_tsn; /* the TSN waited for arrived by the SACK that opened the window; else the reader did */
} sctpa_closed_t;

typedef struct {
    uint32_t sacks;                /* SACKs with a window; with 0 only first, largest_chunk and the flight are known */
    uint32_t first_bytes;          /* the first that was announced: in INIT, INIT ACK, or a SACK; 0 unknown */
    uint32_t min_bytes, max_bytes; /* of SACKs */
    uint32_t min_open_bytes;       /* the smallest that was not closed, 0 none */
    uint64_t flight_bytes;         /* the most user bytes outstanding at the tap, on all paths together */
    uint32_t flight_packet;        /* where, SCTPA_NO_PACKET_INDEX: no data */
    uint32_t flight_window_bytes;  /* the window announced last before that, 0 unknown */
    uint32_t largest_chunk_bytes;  /* user bytes of the largest chunk */
    int64_t short_ns;              /* how long the peer window (announced less flight) was smaller than that */
    uint32_t probes;               /* retransmissions of that kind */
    /* packets with new data sent into a closed window when nothing was outstanding (RFC 9260 6.1 A) */
    uint32_t new_probes;
    GArray *closed;                       /* sctpa_closed_t in order; memory: 56 bytes each */
    int64_t closed_ns, longest_closed_ns; /* together, and the longest */
    int64_t reader_ns, waiting_ns;        /* together */
    sctpa_orphans_t orphans;              /* where they fill the window, no reader is slow as far as is known */
    int64_t span_ns;                      /* from the first to the last packet with DATA or SACK */
} sctpa_windows_t;

/* Measures; free with sctpa_windows_free. Windows in old SACKs count as they were announced. Where
 * acks may be missing (data_only of the source) nothing was closed as far as is known. Cost and memory as
 * sctpa_series_make with four series. */
sctpa_windows_t *sctpa_windows_measure(const sctpa_series_source_t *source);
/* How often the TSN was lost that a closed window waited for: its transmissions until it was acked, one lost before the
 * tap included, less the one that arrived and those that the receiver reports as duplicates; of one that never arrived
 * those that the last SACK that reports it missing can have answered. O(transmissions of the TSN). */
uint32_t sctpa_closed_losses(const sctpa_series_source_t *source, const sctpa_closed_t *closed);
/* User bytes that the SACK which closed the window acks above TSNs that it reports missing: what nobody can read in
 * order before those arrive. O(TSNs in its gap blocks). */
uint64_t sctpa_closed_gap_acked_bytes(const sctpa_series_source_t *source, const sctpa_closed_t *closed);
void sctpa_windows_free(sctpa_windows_t *windows);
/* Did a SACK of the direction close the window? False for NULL. What to ask before measuring windows. O(SACKs). */
bool sctpa_windows_were_closed(const sctpa_direction_t *direction);

#endif
