/* What an endpoint has outstanding, beyond what its direction of data says. */
#ifndef SCTPA_REFERENCE_OUTSTANDING_H
#define SCTPA_REFERENCE_OUTSTANDING_H

#include "context.h"

/* Takes the DATA of a packet, before rules are asked about it. O(chunks). */
void sctpa_outstanding_take(const sctpa_context_t *c);

/* Did all that the sender of the packet has outstanding pass once, in the order of its TSNs? Then its peer's window
 * counts all of it. O(1). */
bool sctpa_outstanding_passed_once(const sctpa_context_t *c);

#endif
