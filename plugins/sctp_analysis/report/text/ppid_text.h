/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a Payload Protocol Identifier is shown. */
#ifndef SCTPA_REPORT_PPID_TEXT_H
#define SCTPA_REPORT_PPID_TEXT_H

#include "sctpa.h"

/* Appends the name of a PPID on an association: by the registry; "SGsAP" for 0 where a port is its own; of a PPID whose
 * bytes are reversed "S1AP, bytes reversed". False: it has none, nothing is appended. O(registered PPIDs). */
bool sctpa_ppid_text_name(GString *out, const sctpa_assoc_t *assoc, uint32_t ppid);

/* Appends the number and, where it has one, the name: "60 NGAP". */
void sctpa_ppid_text_append(GString *out, const sctpa_assoc_t *assoc, uint32_t ppid);

#endif
