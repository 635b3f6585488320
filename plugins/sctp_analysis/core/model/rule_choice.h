/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rules the user wants judged, by level and by name. */
#ifndef SCTPA_MODEL_RULE_CHOICE_H
#define SCTPA_MODEL_RULE_CHOICE_H

#include "rule.h"

enum { SCTPA_ALL_LEVELS = (1 << SCTPA_LEVELS) - 1 };

/* A rule is judged that is of one of the levels or named, and not excluded. */
typedef struct {
    unsigned levels; /* set of 1 << sctpa_level_t, after the profile */
    sctpa_rule_bits_t named, excluded;
} sctpa_rule_choice_t;

/* Reads words that blanks or commas separate: "all", "should" (MUST and SHOULD), "must" and "off" choose levels, others
 * name rules by their ids, in which * stands for any characters and ? for one, and those after ! exclude rules; upper
 * or lower case. Without a word that chooses or names, all levels. NULL and "": all levels. Returns NULL, or the first
 * word that names no rule, to be freed; then *choice is all levels. O(words * rules). */
char *sctpa_rule_choice_read(const char *text, sctpa_rule_choice_t *choice);

#endif
