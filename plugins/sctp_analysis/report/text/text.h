/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of single values: escaped text of a capture, counts, times. Always UTF-8, always bounded.
 * Leaves columns and lines to table.h, addresses to address_labels.h. */
#ifndef SCTPA_REPORT_TEXT_H
#define SCTPA_REPORT_TEXT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Columns that a terminal uses for text that is already safe. */
unsigned sctpa_text_columns(const char *text);

/* Appends text from outside made safe: what is not UTF-8 as \xNN, control, format, private and unassigned characters as
 * \xNN or \u{N}. At most max_columns columns and characters, the last of them "…" when cut. Escaping twice changes
 * nothing. text     any bytes, NULL: nothing O(max_columns). */
void sctpa_text_escape(GString *out, const char *text, unsigned max_columns);

/* Cuts safe text to max_columns >= 1 columns, the last of them "…" when something was cut. */
void sctpa_text_cut(GString *text, unsigned max_columns);

/* Appends label, then safe text broken at spaces into lines of at most max_columns columns that start at column indent,
 * each ended by a newline. Nothing when text is empty. indent and the label's columns < max_columns. */
void sctpa_text_wrap(GString *out, const char *label, unsigned indent, unsigned max_columns, const char *text);

/* Appends a number with thousands separators, 1,234,567; when that is longer than max_columns (at least 6), scaled to
 * k, M, G, T, P or E with three digits: 12.3 G. */
void sctpa_text_count(GString *out, uint64_t count, unsigned max_columns);

/* Appends "; " behind what there is, nothing where there is nothing. */
void sctpa_text_separate(GString *out);

/* Appends "1 packet" or "1,234 packets". plural: NULL for noun and s. */
void sctpa_text_quantity(GString *out, uint64_t count, const char *noun, const char *plural);

/* Appends nanoseconds in milliseconds, 1,234.567, or in seconds with 0 to 9 decimals, 1,234.567890. */
void sctpa_text_ms(GString *out, int64_t ns);
void sctpa_text_seconds(GString *out, int64_t ns, unsigned decimals);

/* Appends nanoseconds in the unit that fits, four digits: 12.35 s, 1.234 ms, 45 us, 3 h 12 min. */
void sctpa_text_duration(GString *out, int64_t ns);

/* Appends nanoseconds as seconds with nine decimals and no separators: exact, for machines. */
void sctpa_text_exact_seconds(GString *out, int64_t ns);

/* Appends "2024-05-03 12:34:56.123456 UTC". ns since the epoch, year 1 to 9999. */
void sctpa_text_date(GString *out, int64_t ns);

/* Appends "29 of 59 transmissions were retransmissions (49.2 %)", of DATA chunks: a TSN sent three times is three
 * transmissions, of which two are retransmissions. */
void sctpa_text_retransmissions(GString *out, uint64_t retransmissions, uint64_t transmissions);

/* Appends a share in percent with one decimal, "-" when whole is 0. */
void sctpa_text_share(GString *out, uint64_t part, uint64_t whole);

#endif
