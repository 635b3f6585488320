/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the server did that did not answer an INIT: did it answer others meanwhile? */
#ifndef SCTPA_REPORT_ANSWERED_MEANWHILE_H
#define SCTPA_REPORT_ANSWERED_MEANWHILE_H

#include "../text/address_labels.h"
#include "../view.h"

/* Appends "; meanwhile it answered an INIT from port 51877 of the same host (frame 44)", or of another host, where the
 * server, at the address and port that asked names, answered between two times. Nothing: no INIT ACK of it passed then.
 * The same host goes before others. O(associations). */
void sctpa_answered_meanwhile_append(GString *text, const sctpa_view_t *view, sctpa_labels_t *labels,
                                     const sctpa_assoc_t *assoc, int64_t first_ns, int64_t last_ns);

#endif
