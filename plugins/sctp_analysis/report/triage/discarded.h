/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets that their receiver discards for their checksum. */
#ifndef SCTPA_REPORT_DISCARDED_H
#define SCTPA_REPORT_DISCARDED_H

#include "../text/address_labels.h"
#include "../view.h"

/* Is the checksum of each packet of an endpoint wrong, and right for one other port? checksums: its packets. O(1). */
bool sctpa_discarded_is_rewritten(const sctpa_end_t *end, const uint32_t checksums[SCTPA_CHECKSUMS]);

/* Says why nobody answers an endpoint none of whose packets has a right checksum: "10.1.1.1 discards ...". False:
 * nothing, they are right, or such packets of it were answered elsewhere, so that hardware computes it behind the tap.
 * O(associations). */
bool sctpa_discarded_append(GString *text, const sctpa_view_t *view, sctpa_labels_t *legend, const sctpa_assoc_t *assoc,
                            uint8_t from);

#endif
