/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of reports, and how one is taken: in pieces or whole. */
#include "reports.h"

#include <string.h>

const sctpa_report_t *sctpa_reports(void)
{
    static const sctpa_report_t reports[] = {
        { "triage", "SCTP triage", sctpa_report_triage, NULL, SCTPA_MESSAGES_SHOWN, false },
        { "findings", "SCTP findings", sctpa_report_findings, NULL, SCTPA_MESSAGES_UNUSED, false },
        { "setup", "SCTP set-ups", sctpa_report_setup, NULL, SCTPA_MESSAGES_UNUSED, false },
        { "assocs", "SCTP associations", sctpa_report_assocs, NULL, SCTPA_MESSAGES_UNUSED, false },
        { "chunks", "SCTP chunks", sctpa_report_chunks, NULL, SCTPA_MESSAGES_UNUSED, false },
        { "paths", "SCTP paths", sctpa_report_paths, NULL, SCTPA_MESSAGES_UNUSED, false },
        { "pauses", "SCTP pauses", sctpa_report_pauses, NULL, SCTPA_MESSAGES_UNUSED, false },
        { "windows", "SCTP windows", sctpa_report_windows, NULL, SCTPA_MESSAGES_UNUSED, false },
        { "rtx", "SCTP retransmissions", sctpa_report_rtx, NULL, SCTPA_MESSAGES_UNUSED, false },
        { "learned", "SCTP learned parameters", sctpa_report_learned, NULL, SCTPA_MESSAGES_UNUSED, false },
        { "delays", "SCTP message delays", sctpa_report_delays, NULL, SCTPA_MESSAGES_UNUSED, false },
        { "streams", "SCTP streams", sctpa_report_streams, NULL, SCTPA_MESSAGES_UNUSED, false },
        { "messages", "SCTP messages", sctpa_report_messages, NULL, SCTPA_MESSAGES_NEEDED, false },
        { "rules", "SCTP rules", NULL, sctpa_report_rules, SCTPA_MESSAGES_UNUSED, false },
        { "json", "SCTP associations (JSON)", NULL, sctpa_report_json, SCTPA_MESSAGES_SHOWN, true },
        { "ndjson", "SCTP associations (a line of JSON each)", NULL, sctpa_report_ndjson, SCTPA_MESSAGES_SHOWN, true },
        { NULL, NULL, NULL, NULL, SCTPA_MESSAGES_UNUSED, false },
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
