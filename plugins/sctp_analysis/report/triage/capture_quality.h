/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can the capture be trusted: remarks that weaken what other reports say. */
#ifndef SCTPA_REPORT_CAPTURE_QUALITY_H
#define SCTPA_REPORT_CAPTURE_QUALITY_H

#include "../view.h"
#include "discarded.h"

/* The first such association, and how many there are. */
typedef struct {
    uint32_t count, first;
    uint8_t end; /* whose packets are missing */
    sctpa_unseen_rest_t rest;
} sctpa_unseen_t;

/* Adds an association, if the capture lacks packets of an endpoint to its end. O(pairs), bounded. */
void sctpa_unseen_add(sctpa_unseen_t *unseen, const sctpa_t *sctpa, const sctpa_assoc_t *assoc);

/* "of which packets are missing to the end (first: 0): the capture holds no packet of endpoint 1 after ..." */
void sctpa_unseen_append(GString *text, const sctpa_unseen_t *unseen);

/* How many associations are so, the first, and its first frame. */
typedef struct {
    uint32_t count, first, first_frame;
} sctpa_doubtful_t;

/* What the associations of a whole capture add to the remarks. */
typedef struct {
    uint32_t bad_checksums, bad_checksum_first_assoc;
    uint32_t rewritten;      /* of bad_checksums, those of endpoints all of which fit another port (rewritten_port.h) */
    uint64_t zero_agreeable; /* packets with checksum zero to endpoints that may have announced to take such */
    uint32_t rewritten_first;                  /* the first association of such an endpoint, ... */
    sctpa_discarded_goes_on_t rewritten_after; /* ... and the one that it goes on from */
    uint8_t rewritten_end;                     /* which one of its endpoints */
    bool has_rewritten;
    uint32_t adler;                  /* packets with the Adler-32 of RFC 2960 */
    uint32_t one_way, one_way_first; /* associations of which only one direction was captured, the first */
    uint32_t bad_auth;
    sctpa_doubtful_t data_only;      /* captured from both ends, and every packet holds DATA */
    sctpa_doubtful_t without_acks;   /* of them, those in which a sender must have had acks that the capture lacks */
    sctpa_doubtful_t translated;     /* of which an endpoint has translated addresses */
    sctpa_doubtful_t two_clocks;     /* whose directions were stamped by clocks that differ */
    sctpa_clock_difference_t clocks; /* of the first of them */
    sctpa_doubtful_t two_taps;       /* captured at two places */
    sctpa_doubtful_t unclear_taps;   /* captured at several, and it is not known which is near which endpoint */
    sctpa_unseen_t unseen;           /* of which packets of an endpoint are missing to the end */
    uint64_t missed, tsns;           /* TSNs acknowledged that were never seen, those seen where any may be missing */
    uint32_t missed_first;           /* association */
    uint32_t untold, untold_first; /* directions whose reneging is not followed to the end, association of the first */
} sctpa_doubts_t;

/* Adds one association. O(pairs), bounded. */
void sctpa_doubts_add(sctpa_doubts_t *doubts, const sctpa_view_t *view, const sctpa_assoc_t *assoc);

/* The same, of its being data only, translated, or of two clocks, alone. O(addresses). */
void sctpa_doubts_add_kind(sctpa_doubts_t *doubts, const sctpa_t *sctpa, const sctpa_assoc_t *assoc);
/* The associations that a display filter seems to have cut to their packets with DATA: all such when the whole capture
 * holds no other packet, whatever is selected of it; else those without acks. O(1). */
const sctpa_doubtful_t *sctpa_doubts_data_only(const sctpa_doubts_t *doubts, const sctpa_t *sctpa);

#define SCTPA_QUALITY_LABEL "Capture:"
#define SCTPA_QUALITY_DOUBTFUL SCTPA_QUALITY_LABEL " read with care"
/* Takes a statement about the capture with its label, or the label with NULL for text and then each remark alone: the
 * capture is doubtful. Texts are safe, and valid during the call. */
typedef void (*sctpa_quality_fn)(void *user, const char *label, const char *text);
/* Is the capture to be read with care? */
bool sctpa_quality_each(const sctpa_view_t *view, const sctpa_doubts_t *doubts, sctpa_quality_fn each, void *user);

#endif
