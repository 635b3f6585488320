/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an error cause names, in words: parameters, chunks, addresses, a stream, a TSN. Leaves out text that a user or
 * an implementation wrote. */
#ifndef SCTPA_TRACK_CAUSE_CONTENTS_H
#define SCTPA_TRACK_CAUSE_CONTENTS_H

#include <glib.h>

#include "wire/chunk.h"

/* "State Cookie", "10.1.1.1", "stream 7", "TSN 12", "by 1500 us": the contents of the cause (RFC 9260 3.3.10), to be
 * freed; NULL: it has none, or they were not captured. Host names are bytes of the peer's choice: escape them. Of a
 * list the first eight. O(bytes of the cause). */
char *sctpa_cause_contents(const sctpa_tlv_t *cause);

#endif
