/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of reports, and how one is taken: in pieces or whole; -z sctp,rules, the table of rules as data, which is
 * the same for every capture. */
#include "reports.h"

#include <string.h>

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

static void report_rules(const sctpa_view_t *view, sctpa_take_fn take, void *user)
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

const sctpa_report_t *sctpa_reports(void)
{
    static const sctpa_report_t reports[] = {
        { "triage", "SCTP triage", sctpa_report_triage, NULL, SCTPA_MESSAGES_SHOWN, false, false },
        { "findings", "SCTP findings", sctpa_report_findings, NULL, SCTPA_MESSAGES_UNUSED, false, false },
        { "setup", "SCTP set-ups", sctpa_report_setup, NULL, SCTPA_MESSAGES_UNUSED, false, false },
        { "assocs", "SCTP associations", sctpa_report_assocs, NULL, SCTPA_MESSAGES_UNUSED, false, false },
        { "chunks", "SCTP chunks", sctpa_report_chunks, NULL, SCTPA_MESSAGES_UNUSED, false, false },
        { "paths", "SCTP paths", sctpa_report_paths, NULL, SCTPA_MESSAGES_UNUSED, false, false },
        { "pauses", "SCTP pauses", sctpa_report_pauses, NULL, SCTPA_MESSAGES_UNUSED, false, false },
        { "owed", "SCTP owed answers", sctpa_report_owed, NULL, SCTPA_MESSAGES_UNUSED, false, true },
        { "windows", "SCTP windows", sctpa_report_windows, NULL, SCTPA_MESSAGES_UNUSED, false, false },
        { "rtx", "SCTP retransmissions", sctpa_report_rtx, NULL, SCTPA_MESSAGES_UNUSED, false, false },
        { "learned", "SCTP learned parameters", sctpa_report_learned, NULL, SCTPA_MESSAGES_UNUSED, false, false },
        { "delays", "SCTP message delays", sctpa_report_delays, NULL, SCTPA_MESSAGES_UNUSED, false, false },
        { "streams", "SCTP streams", sctpa_report_streams, NULL, SCTPA_MESSAGES_UNUSED, false, false },
        { "messages", "SCTP messages", sctpa_report_messages, NULL, SCTPA_MESSAGES_NEEDED, false, false },
        { "rules", "SCTP rules", NULL, report_rules, SCTPA_MESSAGES_UNUSED, false, false },
        { "json", "SCTP associations (JSON)", NULL, sctpa_report_json, SCTPA_MESSAGES_SHOWN, true, false },
        { "ndjson", "SCTP associations (a line of JSON each)", NULL, sctpa_report_ndjson, SCTPA_MESSAGES_SHOWN, true,
          false },
        { NULL, NULL, NULL, NULL, SCTPA_MESSAGES_UNUSED, false, false },
    };
    return reports;
}

const sctpa_report_t *sctpa_report_named(const char *name)
{
    for (const sctpa_report_t *report = sctpa_reports(); report->name != NULL; report++)
        if (strcmp(report->name, name) == 0)
            return report;
    return NULL;
}

void sctpa_report_write(const sctpa_report_t *report, const sctpa_view_t *view, sctpa_take_fn take, void *user)
{
    if (report->write_long != NULL) {
        report->write_long(view, take, user);
        return;
    }
    GString *text = g_string_new(NULL);
    report->write(view, text);
    take(user, text);
    g_string_free(text, TRUE);
}

static void append_piece(void *user, const GString *piece)
{
    g_string_append_len((GString *)user, piece->str, (gssize)piece->len);
}

void sctpa_report_append(const sctpa_report_t *report, const sctpa_view_t *view, GString *out)
{
    sctpa_report_write(report, view, append_piece, out);
}
