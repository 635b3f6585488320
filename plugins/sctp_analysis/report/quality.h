/* Can the capture be trusted: remarks that weaken what other reports say. */
#ifndef SCTPA_REPORT_QUALITY_H
#define SCTPA_REPORT_QUALITY_H

#include "view.h"

/* What the associations of a whole capture add to the remarks. */
typedef struct {
    uint32_t bad_checksums, bad_checksum_first_assoc;
    uint32_t one_way, one_way_first;    /* associations of which only one direction was captured, the first */
    uint32_t bad_auth;
    uint32_t data_only, data_only_first, data_only_frame;  /* captured from both ends, and every packet holds DATA; the first, its first frame */
    bool filtered;                      /* one of them must have had acks that the capture lacks */
    uint32_t with_more;                 /* that hold packets without DATA */
    uint64_t missed;                    /* TSNs acknowledged that were never seen */
    uint32_t missed_first;              /* association */
    uint32_t untold, untold_first;      /* directions whose reneging is not followed to the end, association of the first */
} sctpa_doubts_t;

/* Adds one association. O(1). */
void sctpa_doubts_add(sctpa_doubts_t *doubts, const sctpa_view_t *view, const sctpa_assoc_t *assoc);

/* The same, of its being data only alone. O(1). */
void sctpa_doubts_add_data_only(sctpa_doubts_t *doubts, const sctpa_t *sctpa, const sctpa_assoc_t *assoc);
/* How many associations a display filter seems to have cut to their packets with DATA: the capture proves it, or holds nothing else at all. O(1). */
uint32_t sctpa_doubts_data_only(const sctpa_doubts_t *doubts);

/* Appends the section: one sentence per remark, or that there is none. */
void sctpa_quality_write(const sctpa_view_t *view, const sctpa_doubts_t *doubts, GString *out);

#endif
