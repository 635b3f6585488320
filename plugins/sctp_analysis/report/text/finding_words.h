/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A finding in words: in a sentence, and in a fingerprint, which findings of different captures have alike that are the
 * same finding, for baselines and comparisons of runs. */
#ifndef SCTPA_REPORT_FINDING_WORDS_H
#define SCTPA_REPORT_FINDING_WORDS_H

#include "../view.h"

/* Appends "RX-011 MUST by endpoint 1 at frame 7 (2 times): title; expected ..., saw ... (clause)", with what makes it
 * doubtful. count: how often. Not escaped: expected and seen may hold text of the capture. */
void sctpa_finding_append(GString *out, const sctpa_view_t *view, const sctpa_finding_t *finding, uint32_t count);

/* Appends "ID-005/initiator/1f09c2ab": the rule; the role of the accused, as sctpa_end_role_word has it; the first 32
 * bits of the SHA-256 of what sctpa_finding_normalise makes of what was expected, in hexadecimal, or of the id of a
 * rule whose violations are one defect whatever was expected (one_defect in rule.h). The stack is no part of it: it is
 * recognised by INIT and INIT ACK, and another version is another stack. O(length of the text). */
void sctpa_finding_fingerprint(const sctpa_assoc_t *assoc, const sctpa_finding_t *finding, GString *out);

/* Appends text with # in place of each word that holds a digit or "::": numbers, times, tags, TSNs, addresses. Words
 * end at blanks, parentheses, commas and semicolons; a colon or full stop that ends one stays. NULL appends nothing. */
void sctpa_finding_normalise(const char *text, GString *out);

#endif
