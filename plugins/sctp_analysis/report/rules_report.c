/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -z sctp,rules: the table of rules as data, a row per rule, columns separated by tabs; the same for every capture.
 * Leaves what a capture shows of them to other reports. */
#include "reports.h"

static void append_needs(uint32_t needs, GString *out)
{
    const char *separator = "";
    for (unsigned bit = 0; bit < SCTPA_NEEDS; bit++)
        if (needs >> bit & 1) {
            g_string_append_printf(out, "%s%s", separator, sctpa_need_word(bit));
            separator = ",";
        }
}

static void append_rule(const sctpa_rule_info_t *row, GString *out)
{
    g_string_append_printf(out, "%s\t%s\t%u\t%s\t%s\t", row->id, sctpa_level_word(row->level), row->since, row->clause,
                           row->title);
    append_needs(row->needs, out);
    g_string_append_printf(out, "\t%s\t%u\t%s\t%s\t%s\t%s\t%s\t%s\n", sctpa_certainty_word(row->certainty),
                           MAX(row->report.from, 1), sctpa_seeing_word(row->seeing), row->accused, row->quote, row->why,
                           row->evidence, row->doubt);
}

void sctpa_report_rules(const sctpa_view_t *view, sctpa_take_fn take, void *user)
{
    GString *out = g_string_new("id\tlevel\tsince\tclause\ttitle\tneeds\tcertainty\treported_from\tgoes_by\taccused\t"
                                "quote\twhy\tevidence\tcaveat\n");
    (void)view;
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++) {
        append_rule(sctpa_rule_info((sctpa_rule_t)rule), out);
        if (out->len < SCTPA_PIECE_BYTES)
            continue;
        take(user, out);
        g_string_truncate(out, 0);
    }
    take(user, out);
    g_string_free(out, TRUE);
}
