/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Can the capture be trusted: remarks that weaken what other reports say. */
#ifndef SCTPA_REPORT_CAPTURE_QUALITY_H
#define SCTPA_REPORT_CAPTURE_QUALITY_H

#include "../view.h"
#include "../text/address_labels.h"

/* Is the checksum of each packet of an endpoint wrong, and right for one other port? checksums: its packets. O(1). */
bool sctpa_discarded_is_rewritten(const sctpa_end_t *end, const uint32_t checksums[SCTPA_CHECKSUMS]);

/* The association whose packets go on as those of another one under another port. */
typedef struct {
    uint32_t from; /* SCTPA_NO_ASSOC none */
    bool is_next_tsn;
} sctpa_discarded_goes_on_t;

/* Says why nobody answers an endpoint none of whose packets has a right checksum: "10.1.1.1 discards ...". False:
 * nothing, they are right, or such packets of it were answered elsewhere, so that hardware computes it behind the tap.
 * O(associations). */
bool sctpa_discarded_append(GString *text, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_assoc_t *assoc,
                            uint8_t from);

/* How many gaps there are between the files, and the first of them. O(files). */
typedef struct {
    uint32_t count;
    const sctpa_capture_file_t *first; /* the file behind it */
} sctpa_file_gaps_t;

sctpa_file_gaps_t sctpa_file_gaps(const sctpa_view_t *view);

/* Appends which frames are of which file; nothing where there is one file. Of many files only so many: the first, the
 * last, and those that hold one of the frames that the page has named (uint32_t), are cut short or lie behind a gap.
 * O(files * named). */
void sctpa_files_write(const sctpa_view_t *view, const GArray *named, unsigned label_columns, GString *out);

/* The first such association, and how many there are. */
typedef struct {
    uint32_t count, first;
    uint8_t end; /* whose packets are missing */
    sctpa_unseen_rest_t rest;
} sctpa_unseen_t;

/* How many associations are so, the first, and its first frame. */
typedef struct {
    uint32_t count, first, first_frame;
} sctpa_doubtful_t;

/* What the associations of a whole capture add to the remarks. */
typedef struct {
    uint32_t bad_checksums, bad_checksum_first_assoc;
    uint32_t rewritten; /* of bad_checksums, those of endpoints all of which fit another port (sctpa_rewritten_t) */
    uint64_t zero_agreeable;  /* packets with checksum zero to endpoints that may have announced to take such */
    uint32_t rewritten_first; /* the first association of such an endpoint, ... */
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
