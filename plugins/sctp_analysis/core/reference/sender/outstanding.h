/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an endpoint has outstanding against the window of its peer, where every byte of it counts there: nothing is
 * reported missing, nothing passed again or late, and nothing may have been given up. */
#ifndef SCTPA_REFERENCE_OUTSTANDING_H
#define SCTPA_REFERENCE_OUTSTANDING_H

#include "reference/context.h"

/* Takes the DATA of a packet, before rules are asked about it, and fills usable_window of c. O(chunks). */
void sctpa_outstanding_take(sctpa_context_t *c);

#endif
