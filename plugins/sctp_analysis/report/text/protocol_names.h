/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of what a packet announces: extensions of INIT and INIT ACK (parameters beyond those of RFC 9260 3.3, and the
 * chunk types of Supported Extensions), and Payload Protocol Identifiers. */
#ifndef SCTPA_REPORT_PROTOCOL_NAMES_H
#define SCTPA_REPORT_PROTOCOL_NAMES_H

#include "../report.h"
#include "../../core/sctpa.h"

/* Appends the name of a PPID on an association: by the registry; "SGsAP" for 0 where a port is its own; of a PPID whose
 * bytes are reversed "S1AP, bytes reversed". False: it has none, nothing is appended. O(registered PPIDs). */
bool sctpa_ppid_text_name(GString *out, const sctpa_assoc_t *assoc, uint32_t ppid);

/* Appends the number and, where it has one, the name: "60 NGAP". */
void sctpa_ppid_text_append(GString *out, const sctpa_assoc_t *assoc, uint32_t ppid);

/* Only the bits of a set of chunk rows, of parameter rows, that are extensions. */
static inline uint64_t sctpa_extension_chunks(uint64_t chunks)
{
    return chunks & (((uint64_t)1 << SCTPA_CHUNK_ROW_OTHER) - 1);
}

uint64_t sctpa_extension_params(uint64_t params);

/* The words of the extensions both bit sets have in chunk rows and parameter rows, chunk types first, each in order of
 * its table. chunks, params   as in sctpa_init_t: one set, or the intersection of two Calls each with every word. */
void sctpa_extensions_each(uint64_t chunks, uint64_t params, void (*each)(void *user, const char *word), void *user);

#endif
