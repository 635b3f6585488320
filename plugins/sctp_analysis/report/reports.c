/* The table of reports. */
#include "reports.h"

const sctpa_report_t *sctpa_reports(void)
{
    static const sctpa_report_t reports[] = {
        { "triage", "SCTP triage", sctpa_report_triage },
        { "findings", "SCTP findings", sctpa_report_findings },
        { "setup", "SCTP set-ups", sctpa_report_setup },
        { "assocs", "SCTP associations", sctpa_report_assocs },
        { "chunks", "SCTP chunks", sctpa_report_chunks },
        { "paths", "SCTP paths", sctpa_report_paths },
        { "windows", "SCTP windows", sctpa_report_windows },
        { "rtx", "SCTP retransmissions", sctpa_report_rtx },
        { "learned", "SCTP learned parameters", sctpa_report_learned },
        { "streams", "SCTP streams", sctpa_report_streams },
        { "json", "SCTP associations (JSON)", sctpa_report_json },
        { NULL, NULL, NULL },
    };
    return reports;
}
