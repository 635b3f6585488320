/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The extensions an endpoint announced in INIT or INIT ACK: parameters beyond those of RFC 9260 section 3.3, and the
 * chunk types of its Supported Extensions. */
#ifndef SCTPA_REPORT_EXTENSIONS_H
#define SCTPA_REPORT_EXTENSIONS_H

#include "../report.h"

/* Only the bits of a set of chunk rows, of parameter rows, that are extensions. */
uint64_t sctpa_extension_chunks(uint64_t chunks);
uint64_t sctpa_extension_params(uint64_t params);

/* The words of the extensions both bit sets have in chunk rows and parameter rows, chunk types first, each in order of
 * its table. chunks, params   as in sctpa_init_t: one set, or the intersection of two Calls each with every word. */
void sctpa_extensions_each(uint64_t chunks, uint64_t params, void (*each)(void *user, const char *word), void *user);

#endif
