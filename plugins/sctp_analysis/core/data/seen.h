/* A set of TSNs kept as ranges: which TSNs above the cum_tsn were seen. Its usual form is a single range that grows at its end.
 * Leaves what is known of each TSN to pages.c. */
#ifndef SCTPA_DATA_SEEN_H
#define SCTPA_DATA_SEEN_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* TSNs first to last, both in it. */
typedef struct { int64_t first, last; } sctpa_range_t;

typedef struct {
    sctpa_range_t top;          /* the highest range; last < first: the set is empty */
    GTree *below;               /* the other ranges, sctpa_range_t, in order; NULL none so far */
} sctpa_seen_t;

void sctpa_seen_init(sctpa_seen_t *seen);
void sctpa_seen_clear(sctpa_seen_t *seen);
/* Adds a TSN. O(1) at the end of the highest range, else O(log ranges). */
void sctpa_seen_add(sctpa_seen_t *seen, int64_t tsn);
/* Removes all TSNs up to and with last. O(ranges removed * log ranges). */
void sctpa_seen_remove_to(sctpa_seen_t *seen, int64_t last);
/* The first range, or part of one, that lies in from..to; false: none. O(log ranges). */
bool sctpa_seen_next(const sctpa_seen_t *seen, int64_t from, int64_t to, sctpa_range_t *found);

#endif
