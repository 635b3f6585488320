/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers every report as tshark's -z sctp,<name>[,filter] and prints it at the end of the capture.
 * A filter selects frames: it is the filter of the tap listener, and what passes is tallied. */
#include "stats.h"

#include "../compat.h"

#include <stdlib.h>

#include <epan/addr_resolv.h>
#include <epan/epan.h>
#include <epan/packet.h>
#include <epan/stat_tap_ui.h>
#include <epan/tap.h>
#include <wsutil/report_message.h>

#include "report/report.h"
#include "../dissector/open_analysis.h"
#include "../messages/message_collector.h"
#include "../preferences.h"
#include "capture_facts.h"
#include "file_table.h"
#include "names.h"
#include "output.h"
#include "series_stat.h"
#include "watch_stat.h"
#include "../dissector/tap_sctp_analysis.h"

/* One -z of the command line. */
typedef struct {
    const sctpa_report_t *report;
    char *filter;         /* NULL: none */
    sctpa_tally_t *tally; /* NULL: no filter */
} request_t;

static void request_reset(void *data)
{
    request_t *request = (request_t *)data;
    if (request->tally != NULL)
        sctpa_tally_reset(request->tally);
}

static tap_packet_status request_packet(void *data, packet_info *pinfo, epan_dissect_t *edt, const void *tapped,
                                        tap_flags_t flags)
{
    request_t *request = (request_t *)data;
    const sctpa_tap_packet_t *tap = (const sctpa_tap_packet_t *)tapped;
    (void)pinfo;
    (void)edt;
    (void)flags;
    if (request->tally != NULL)
        sctpa_tally_add(request->tally, tap->analysis, tap->index, tap->packet);
    return TAP_PACKET_DONT_REDRAW;
}

/* A time of the capture beside those of its packets; 0 unknown. */
static int64_t within(const sctpa_t *analysis, int64_t time_ns)
{
    return time_ns == 0 ? 0 : sctpa_time_within(analysis, time_ns);
}

static bool read_view(const sctpa_tally_t *tally, const char *filter, sctpa_view_t *view, sctpa_capture_t *facts)
{
    const sctpa_t *analysis = sctpa_analysis_current();
    if (analysis == NULL)
        return false;
    sctpa_capture_read(facts);
    *view = (sctpa_view_t){ .sctpa = analysis,
                            .tally = tally,
                            .filter = filter,
                            .messages = sctpa_message_collector_messages(filter),
                            .file = facts->file,
                            .plugin_version = SCTPA_VERSION,
                            .wireshark_version = epan_get_version(),
                            .frames = facts->frames,
                            .start_ns = within(analysis, facts->start_ns),
                            .end_ns = within(analysis, facts->end_ns),
                            .delay_budget_ns = INT64_C(1000000) * sctpa_preferences()->message_delay_budget_ms,
                            .addr_name = sctpa_names_addr(),
                            .port_name = sctpa_names_port() };
    return true;
}

bool sctpa_stats_view_without_files(const sctpa_tally_t *tally, const char *filter, sctpa_view_t *view)
{
    sctpa_capture_t facts;
    return read_view(tally, filter, view, &facts);
}

bool sctpa_stats_view(const sctpa_tally_t *tally, const char *filter, sctpa_view_t *view)
{
    sctpa_capture_t facts;
    if (!read_view(tally, filter, view, &facts))
        return false;
    if (!facts.has_window)
        view->files = sctpa_file_table_read(sctpa_preferences()->capture_files, &view->n_files);
    return true;
}

bool sctpa_stats_may_start(const char *name, bool forgets)
{
    static const char *started; /* the last one */
    static bool has_forgetting;
    const bool may = started == NULL || !(forgets || has_forgetting);
    if (!may)
        report_failure("-z %s and -z %s cannot be combined: sctp,watch discards associations after reporting them",
                       started, name);
    started = name;
    has_forgetting |= forgets;
    return may;
}

bool sctpa_stats_has_started(const char *name, GString *error)
{
    if (error == NULL)
        return true;
    report_failure("Couldn't register %s tap: %s", name, error->str);
    g_string_free(error, TRUE);
    return false;
}

/* False, after a message: it could not be written. */
static bool request_print(const request_t *request)
{
    sctpa_view_t view;
    if (!sctpa_stats_view(request->tally, request->filter, &view))
        return true;
    char *name = g_strconcat("sctp,", request->report->name, NULL);
    sctpa_output_t output = { .name = name };
    sctpa_report_write(request->report, &view, sctpa_output_take, &output);
    bool good = sctpa_output_end(&output);
    g_free(name);
    return good;
}

static void request_print_at_end(void *data)
{
    if (!request_print((const request_t *)data))
        sctpa_output_fail_at_exit();
}

static void request_free(request_t *request)
{
    if (request->tally != NULL)
        sctpa_tally_free(request->tally);
    g_free(request->filter);
    g_free(request);
}

static request_t *request_new(const sctpa_report_t *report, const char *filter)
{
    request_t *request = g_new0(request_t, 1);
    request->report = report;
    request->filter = g_strdup(filter);
    request->tally = filter != NULL ? sctpa_tally_new() : NULL;
    return request;
}

static bool wants_messages(const sctpa_report_t *report)
{
    return report->messages == SCTPA_MESSAGES_NEEDED ||
           (report->messages == SCTPA_MESSAGES_SHOWN && sctpa_preferences()->messages);
}

/* Listens until the end of the capture. A bad filter ends tshark, as with its own statistics. */
static void request_start(const sctpa_report_t *report, const char *filter)
{
    char *name = g_strconcat("sctp,", report->name, NULL);
    if (!sctpa_stats_may_start(name, false))
        exit(1);
    request_t *request = request_new(report, filter);
    sctpa_capture_watch();
    if (report->shows_occasions)
        sctpa_analysis_count_occasions();
    GString *error = register_tap_listener("sctp_analysis", request, request->filter, TL_REQUIRES_NOTHING,
                                           request_reset, request_packet, request_print_at_end, NULL);
    if (error == NULL && wants_messages(report))
        error = sctpa_message_collector_start(filter);
    if (!sctpa_stats_has_started(name, error)) {
        request_free(request);
        exit(1);
    }
}

/* In Wireshark's main window packets have passed when -z is looked at: what the analysis holds is printed once. */
static bool request_now(const sctpa_report_t *report, const char *filter)
{
    if (filter != NULL) {
        report_failure("-z sctp,%s takes a filter in tshark only", report->name);
        return false;
    }
    request_t *request = request_new(report, NULL);
    bool good = request_print(request);
    request_free(request);
    return good;
}

static SCTPA_STAT_INIT_TYPE stat_init(const char *argument, void *user)
{
    const sctpa_report_t *report = (const sctpa_report_t *)user;
    const char *rest = argument + strlen("sctp,") + strlen(report->name);
    const char *filter = rest[0] == ',' && rest[1] != '\0' ? rest + 1 : NULL;
    bool good = rest[0] == '\0' || rest[0] == ',';
    sctpa_capture_t capture;
    sctpa_capture_read(&capture);
    if (!good) {
        report_failure("Invalid -z argument \"%s\"; did you mean \"sctp,%s\"?", argument, report->name);
        if (!capture.has_window)
            exit(1);
    } else if (capture.has_window) {
        good = request_now(report, filter);
    } else {
        request_start(report, filter);
    }
    SCTPA_STAT_INIT_DONE(good);
}

static void stat_register(const sctpa_report_t *report)
{
    static tap_param parameters[] = { { PARAM_FILTER, "filter", "Filter", NULL, TRUE } };
    stat_tap_ui *ui = g_new0(stat_tap_ui, 1);
    ui->group = SCTPA_STAT_GROUP;
    ui->title = report->title;
    ui->cli_string = g_strconcat("sctp,", report->name, NULL);
    ui->tap_init_cb = stat_init;
    ui->nparams = G_N_ELEMENTS(parameters);
    ui->params = parameters;
    register_stat_tap_ui(ui, (void *)(uintptr_t)report);
}

void sctpa_stats_register(void)
{
    for (const sctpa_report_t *report = sctpa_reports(); report->name != NULL; report++)
        stat_register(report);
    sctpa_series_stat_register();
    sctpa_watch_stat_register();
}
