/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Associations that met the same fate between the same hosts, counted together: a flood of refused set-ups is one line.
 */
#ifndef SCTPA_REPORT_OUTCOME_GROUPS_H
#define SCTPA_REPORT_OUTCOME_GROUPS_H

#include "../text/address_labels.h"
#include "../view.h"

typedef struct sctpa_outcome_groups sctpa_outcome_groups_t;

/* view is borrowed. */
sctpa_outcome_groups_t *sctpa_outcome_groups_new(const sctpa_view_t *view);
void sctpa_outcome_groups_free(sctpa_outcome_groups_t *groups);

/* Adds an association to the group of those with the same end, by the same endpoint, for the same reason, as far in its
 * set-up, between the same addresses, to the same port of endpoint 1. O(1); memory: bounded, at most 10,000 groups,
 * later ones are only counted. Returns how many the group has now, 0 when it is only counted. */
uint32_t sctpa_outcome_groups_add(sctpa_outcome_groups_t *groups, const sctpa_assoc_t *assoc);

/* Associations added. */
uint32_t sctpa_outcome_groups_associations(const sctpa_outcome_groups_t *groups);

/* Appends a table of the groups, at most max_groups of them, and how many associations are left out. */
void sctpa_outcome_groups_write(sctpa_outcome_groups_t *groups, sctpa_labels_t *labels, unsigned max_groups,
                                GString *out);

/* Calls visit with the groups, the worst first, at most max_groups of them: the first association of each, and a
 * sentence about it (safe text), which does not name its endpoints. */
typedef void (*sctpa_outcome_groups_visit_fn)(void *user, const sctpa_assoc_t *first, const char *sentence);
void sctpa_outcome_groups_each(sctpa_outcome_groups_t *groups, sctpa_labels_t *labels, unsigned max_groups,
                               sctpa_outcome_groups_visit_fn visit, void *user);

/* The last step of set-up that was seen (a sctpa_step_t), -1 when none was; and its chunk's word, "-" for none. */
int sctpa_setup_last_step(const sctpa_assoc_t *assoc);
const char *sctpa_setup_step_word(int step);

#endif
