/* Can the capture be trusted: remarks that weaken what other reports say. */
#ifndef SCTPA_REPORT_QUALITY_H
#define SCTPA_REPORT_QUALITY_H

#include "view.h"

/* What the associations of a whole capture add to the remarks. */
typedef struct {
    uint32_t bad_checksums, bad_checksum_first_assoc;
    uint32_t one_way, one_way_first;    /* associations of which only one direction was captured, the first */
    uint32_t bad_auth;
    uint64_t missed;                    /* TSNs acknowledged that were never seen */
    uint32_t missed_first;              /* association */
} sctpa_doubts_t;

/* Adds one association. O(1). */
void sctpa_doubts_add(sctpa_doubts_t *doubts, const sctpa_t *sctpa, const sctpa_assoc_t *assoc);

/* Appends the section: one sentence per remark, or that there is none. */
void sctpa_quality_write(const sctpa_view_t *view, const sctpa_doubts_t *doubts, GString *out);

#endif
