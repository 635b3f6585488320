/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for what lies between the clocks of two capture points. */
#ifndef SCTPA_REPORT_CLOCKS_TEXT_H
#define SCTPA_REPORT_CLOCKS_TEXT_H

#include "../view.h"

/* ": the clock of interface 1 is 3.250 s ahead of that of interface 0, to within 29.70 ms": of the two interfaces that
 * showed most packets of an association both ways. Nothing where none did. O(paths). */
void sctpa_clocks_append_ahead(GString *text, const sctpa_assoc_t *assoc);

#endif
