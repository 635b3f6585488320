/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets that their receiver discards for their checksum. */
#ifndef SCTPA_REPORT_DISCARDED_H
#define SCTPA_REPORT_DISCARDED_H

#include "../text/address_labels.h"
#include "../view.h"

/* Is the checksum of each packet of an endpoint wrong, and right for one other port? checksums: its packets. O(1). */
bool sctpa_discarded_is_rewritten(const sctpa_end_t *end, const uint32_t checksums[SCTPA_CHECKSUMS]);

/* The association whose packets go on as those of another one under another port. */
typedef struct {
    uint32_t from; /* SCTPA_NO_ASSOC none */
    bool is_next_tsn;
} sctpa_discarded_goes_on_t;
/* Which association before it does the endpoint of an association go on from: with the same tag, between the same
 * addresses, at the port for which the checksums are right? O(associations). */
sctpa_discarded_goes_on_t sctpa_discarded_goes_on(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, uint8_t end);

/* Says why nobody answers an endpoint none of whose packets has a right checksum: "10.1.1.1 discards ...". False:
 * nothing, they are right, or such packets of it were answered elsewhere, so that hardware computes it behind the tap.
 * O(associations). */
bool sctpa_discarded_append(GString *text, const sctpa_view_t *view, sctpa_labels_t *labels, const sctpa_assoc_t *assoc,
                            uint8_t from);

#endif
