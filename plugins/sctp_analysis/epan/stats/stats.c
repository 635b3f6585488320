/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers every report as tshark's -z sctp,<name>[,filter], series and watch with words of their own, and prints it
 * at the end of the capture, watch while packets pass, with the names that the user's settings ask for. A filter
 * selects frames: it is the filter of the tap listener, and what passes is tallied. A report that cannot be written
 * makes tshark's exit status say so. */
#define _GNU_SOURCE /* dladdr */

#include "stats.h"

#include "../compat.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epan/addr_resolv.h>
#include <epan/epan.h>
#include <epan/packet.h>
#include <epan/stat_tap_ui.h>
#include <epan/tap.h>
#include <wsutil/report_message.h>
#include <glib.h>
#include <wsutil/strtoi.h>
#include <cfile.h>
#include <epan/plugin_if.h>

#include "../dissector/hook.h"
#include "../dissector/tap_sctp_analysis.h"
#include "../messages/message_collector.h"
#include "../preferences.h"
#include "report/report.h"
#include "report/tables/series_csv.h"
#include "report/watch/watch.h"

static sctpa_capture_t counted;

static int64_t in_ns(const nstime_t *time)
{
    return sctpa_ns_of(time->secs, time->nsecs);
}

static void facts_forget(void *data)
{
    (void)data;
    memset(&counted, 0, sizeof counted);
}

static tap_packet_status count(void *data, packet_info *pinfo, epan_dissect_t *edt, const void *nothing,
                               tap_flags_t flags)
{
    (void)data;
    (void)edt;
    (void)nothing;
    (void)flags;
    counted.end_ns = in_ns(&pinfo->abs_ts);
    if (counted.frames++ == 0)
        counted.start_ns = counted.end_ns;
    return TAP_PACKET_DONT_REDRAW;
}

/* Starts counting frames, once, for tshark, which tells plugins nothing of its capture; costs a call per frame. */
static void capture_watch(void)
{
    static bool is_watching;
    if (is_watching)
        return;
    GString *error =
        register_tap_listener("frame", &counted, NULL, TL_REQUIRES_NOTHING, facts_forget, count, NULL, NULL);
    is_watching = error == NULL;
    if (error != NULL)
        g_string_free(error, TRUE);
}

/* Called by the main window only. */
static void *ask_window(capture_file *file, void *result)
{
    static char *name;
    sctpa_capture_t *capture = (sctpa_capture_t *)result;
    memset(capture, 0, sizeof *capture);
    capture->has_window = true;
    const char *now = file != NULL ? file->filename : NULL;
    if (g_strcmp0(name, now) != 0) {
        g_free(name);
        name = g_strdup(now);
    }
    capture->file = name;
    if (file != NULL && file->provider.frames != NULL && file->count > 0) {
        capture->frames = file->count;
        capture->start_ns = in_ns(&frame_data_sequence_find(file->provider.frames, 1)->abs_ts);
        capture->end_ns = in_ns(&frame_data_sequence_find(file->provider.frames, file->count)->abs_ts);
    }
    return NULL;
}

void sctpa_capture_read(sctpa_capture_t *capture)
{
    const char *preferred = sctpa_preferences()->capture_name;
    *capture = counted;
    capture->file = preferred != NULL && preferred[0] ? preferred : NULL;
    plugin_if_get_capture_file(ask_window, capture);
}

#define WATCH_NAME "sctp,watch"

/* Two expiries of T3-rtx in a row, from RTO.Min on, are told; HEARTBEATs, which come every 30 s (HB.interval) and an
 * RTO, keep an association from being idle. */
enum { PAUSE_S = 3, IDLE_S = 3600, MEMORY_MIB = 256, SECONDS_MOST = 31536000, MEMORY_MIB_MOST = 1 << 20 };

/* The one watch: there is one analysis. */
static sctpa_watch_limits_t limits;

static sctpa_watch_t *watch;

static sctpa_output_t output = { .name = WATCH_NAME };

/* Writes a piece, unless one before it could not be written. An sctpa_take_fn; user is an sctpa_output_t. */
static void output_take(void *user, const GString *piece)
{
    sctpa_output_t *output = (sctpa_output_t *)user;
    if (output->error == 0 && fwrite(piece->str, 1, piece->len, stdout) != piece->len)
        output->error = errno;
}

/* Ends a report. False, after a message, when the system did not take all of it: the disk is full, the pipe is closed.
 */
static bool output_end(sctpa_output_t *output)
{
    if (fflush(stdout) != 0 && output->error == 0)
        output->error = errno;
    if (output->error != 0)
        report_failure("-z %s could not be written: %s", output->name, g_strerror(output->error));
    return output->error == 0;
}

/* Whoever reads wants each line at once. One that cannot be written ends tshark: nobody would hear of the next. */
static void take(void *user, const GString *piece)
{
    output_take(user, piece);
    if (!output_end((sctpa_output_t *)user))
        exit(1);
}

/* A time of the capture beside those of its packets; 0 unknown. */
static int64_t within(const sctpa_t *analysis, int64_t time_ns)
{
    return time_ns == 0 ? 0 : sctpa_time_within(analysis, time_ns);
}

static const char *addr_name(void *user, const sctpa_addr_t *addr)
{
    ws_in6_addr ip6;
    uint32_t ip4;
    (void)user;
    if (addr->bytes == sizeof ip4) {
        memcpy(&ip4, addr->data, sizeof ip4);
        return get_hostname(ip4);
    }
    if (addr->bytes != sizeof ip6)
        return sctpa_addr_is_socket(addr) ? NULL : "";
    memcpy(&ip6, addr->data, sizeof ip6);
    return get_hostname6(&ip6);
}

static const char *port_name(void *user, uint16_t port)
{
    static char *name;
    (void)user;
    wmem_free(NULL, name);
    name = sctp_port_to_display(NULL, port);
    return name;
}

/* Callbacks for a view; NULL when names of that kind are switched off. Their results are valid until the next call. */
static const char *(*names_addr(void))(void *user, const sctpa_addr_t *addr)
{
    return gbl_resolv_flags.network_name ? addr_name : NULL;
}

static const char *(*names_port(void))(void *user, uint16_t port)
{
    return gbl_resolv_flags.transport_name ? port_name : NULL;
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
                            .addr_name = names_addr(),
                            .port_name = names_port() };
    return true;
}

/* Without the table of files that are one capture. O(1). */
static void watch_read_view(sctpa_view_t *view)
{
    sctpa_capture_t facts;
    if (!read_view(NULL, NULL, view, &facts))
        memset(view, 0, sizeof *view);
}

static void forget(void *data)
{
    (void)data;
    g_clear_pointer(&watch, sctpa_watch_free);
}

/* Have packets of later frames been fed? Then a first pass is over, in which taps are silent. */
static bool is_second_pass(const sctpa_t *analysis, const packet_info *pinfo)
{
    const uint32_t packets = sctpa_summary(analysis)->packets;
    return packets > 0 && sctpa_packet_frame(analysis, packets - 1) > pinfo->num;
}

/* False: nothing can be watched. */
static bool begin(const packet_info *pinfo)
{
    sctpa_t *analysis = sctpa_analysis_to_watch();
    if (watch != NULL || analysis == NULL)
        return watch != NULL;
    if (is_second_pass(analysis, pinfo)) {
        report_failure("-z " WATCH_NAME " works in a single pass only: leave out -2");
        exit(1);
    }
    watch = sctpa_watch_new(analysis, &limits, watch_read_view, take, &output);
    return true;
}

static tap_packet_status on_frame(void *data, packet_info *pinfo, epan_dissect_t *edt, const void *nothing,
                                  tap_flags_t flags)
{
    (void)data;
    (void)edt;
    (void)nothing;
    (void)flags;
    if (begin(pinfo))
        sctpa_watch_frame(
            watch, sctpa_time_within(sctpa_analysis_current(), sctpa_ns_of(pinfo->abs_ts.secs, pinfo->abs_ts.nsecs)));
    return TAP_PACKET_DONT_REDRAW;
}

static tap_packet_status on_packet(void *data, packet_info *pinfo, epan_dissect_t *edt, const void *tapped,
                                   tap_flags_t flags)
{
    const sctpa_tap_packet_t *tap = (const sctpa_tap_packet_t *)tapped;
    (void)data;
    (void)edt;
    (void)flags;
    if (begin(pinfo))
        sctpa_watch_packet(watch, &tap->result, tap->packet);
    return TAP_PACKET_DONT_REDRAW;
}

/* As far as the capture was read. */
static void judge_end(void)
{
    sctpa_capture_t capture;
    sctpa_capture_read(&capture);
    sctpa_analysis_judge_end(capture.end_ns);
}

static void on_end(void *data)
{
    (void)data;
    judge_end();
    if (watch != NULL)
        sctpa_watch_end(watch);
    g_clear_pointer(&watch, sctpa_watch_free);
}

/* Did a tap of it register? error: what register_tap_listener returned, freed. False, after a message: no. */
static bool stats_has_started(const char *name, GString *error)
{
    if (error == NULL)
        return true;
    report_failure("Couldn't register %s tap: %s", name, error->str);
    g_string_free(error, TRUE);
    return false;
}

static bool listen(const char *tap, tap_packet_cb packet, tap_draw_cb end)
{
    return stats_has_started(WATCH_NAME,
                             register_tap_listener(tap, &limits, NULL, TL_REQUIRES_NOTHING, forget, packet, end, NULL));
}

/* "pause=3": takes one of the limits, in its unit. */
static bool read_limit(const char *word)
{
    guint32 value;
    const char *number = strchr(word, '=');
    if (number == NULL || !ws_strtou32(++number, NULL, &value) || value == 0)
        return false;
    if (g_str_has_prefix(word, "pause=") && value <= SECONDS_MOST)
        limits.pause_ns = value * SCTPA_NS_PER_S;
    else if (g_str_has_prefix(word, "idle=") && value <= SECONDS_MOST)
        limits.idle_ns = value * SCTPA_NS_PER_S;
    else if (g_str_has_prefix(word, "memory=") && value <= MEMORY_MIB_MOST)
        limits.held_bytes_max = (size_t)value << 20;
    else
        return false;
    return true;
}

static bool read_limits(const char *words)
{
    char **parts = g_strsplit(words, ",", -1);
    bool good = true;
    limits = (sctpa_watch_limits_t){ PAUSE_S * SCTPA_NS_PER_S, IDLE_S * SCTPA_NS_PER_S, (size_t)MEMORY_MIB << 20 };
    for (char **part = parts; *part != NULL && good; part++)
        good = read_limit(*part);
    g_strfreev(parts);
    return good;
}

/* May tshark start a report, "sctp,json", beside those that it has started? One that forgets associations stands alone.
 * False, after a message: no. name is kept. */
static bool stats_may_start(const char *name, bool forgets)
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

static SCTPA_STAT_INIT_TYPE watch_stat_init(const char *argument, void *user)
{
    const char *rest = argument + strlen(WATCH_NAME);
    sctpa_capture_t capture;
    (void)user;
    sctpa_capture_read(&capture);
    bool good = (rest[0] == '\0' || rest[0] == ',') && read_limits(rest[0] == ',' ? rest + 1 : "");
    if (!good)
        report_failure("Invalid -z argument \"%s\"; it is \"" WATCH_NAME
                       "[,pause=<seconds>][,idle=<seconds>][,memory=<MiB>]\"",
                       argument);
    else if (capture.has_window)
        report_failure("-z " WATCH_NAME " is for tshark");
    good = good && !capture.has_window;
    if (good) {
        good = stats_may_start(WATCH_NAME, true);
        capture_watch();
        sctpa_analysis_count_occasions();
        sctpa_analysis_keep_owed(SCTPA_OWED_NEVER);
        good = good && listen("frame", on_frame, NULL) && listen("sctp_analysis", on_packet, on_end);
    }
    if (!good && !capture.has_window)
        exit(1);
    SCTPA_STAT_INIT_DONE(good);
}

static void watch_stat_register(void)
{
    static stat_tap_ui ui = { .group = SCTPA_STAT_GROUP,
                              .title = "SCTP watch (NDJSON)",
                              .cli_string = WATCH_NAME,
                              .tap_init_cb = watch_stat_init };
    register_stat_tap_ui(&ui, NULL);
}

#define SERIES_NAME "sctp,series"

/* False, after a message: the capture has no such series, or it could not be written. */
static bool print(const sctpa_series_choice_t *choice)
{
    sctpa_view_t view;
    if (!sctpa_stats_view(NULL, NULL, &view))
        return true;
    char *refusal = sctpa_series_refusal(&view, choice);
    if (refusal != NULL) {
        report_failure("-z " SERIES_NAME ",%u: %s", choice->assoc, refusal);
        g_free(refusal);
        return false;
    }
    sctpa_output_t output = { .name = SERIES_NAME };
    sctpa_series_write(&view, choice, output_take, &output);
    return output_end(&output);
}

/* exit() within exit() goes on with the handlers that are left and takes the later status: glibc and the BSDs promise
 * that. */
static void end_with_failure(void)
{
    exit(1);
}

/* Has tshark end with status 1 in place of 0, when it and all others have written what they have. May be called again.
 * Wireshark unloads plugins amid its own cleaning up, and the handlers of an unloaded module run there: too early for a
 * status, since what comes after it would be skipped. So the module stays. */
static void output_fail_at_exit(void)
{
    static bool is_told;
    Dl_info self;
    if (is_told)
        return;
    is_told = true;
    if (dladdr(&is_told, &self) != 0 && self.dli_fname != NULL)
        (void)dlopen(self.dli_fname, RTLD_LAZY | RTLD_NODELETE);
    atexit(end_with_failure);
}

static GArray *all; /* of sctpa_capture_file_t */

/* Other reports are still to be printed when this one fails: the status is changed when tshark is done. */
static void print_at_end(void *data)
{
    if (!print((const sctpa_series_choice_t *)data))
        output_fail_at_exit();
}

static bool start(const sctpa_series_choice_t *choice)
{
    if (!stats_may_start(SERIES_NAME, false))
        return false;
    sctpa_series_choice_t *kept = g_new(sctpa_series_choice_t, 1);
    *kept = *choice;
    capture_watch();
    GString *error =
        register_tap_listener("sctp_analysis", kept, NULL, TL_REQUIRES_NOTHING, NULL, NULL, print_at_end, NULL);
    const bool good = stats_has_started(SERIES_NAME, error);
    if (!good)
        g_free(kept);
    return good;
}

static SCTPA_STAT_INIT_TYPE series_stat_init(const char *argument, void *user)
{
    const char *rest = argument + strlen(SERIES_NAME);
    sctpa_series_choice_t choice;
    sctpa_capture_t capture;
    bool good = rest[0] == ',' && sctpa_series_choice_read(rest + 1, &choice);
    (void)user;
    sctpa_capture_read(&capture);
    if (!good)
        report_failure("Invalid -z argument \"%s\"; it is \"" SERIES_NAME
                       ",<association>[,<endpoint 0 or 1>][,stream=<number>|busiest]...\"",
                       argument);
    else
        good = capture.has_window ? print(&choice) : start(&choice);
    if (!good && !capture.has_window)
        exit(1);
    SCTPA_STAT_INIT_DONE(good);
}

static void series_stat_register(void)
{
    static stat_tap_ui ui = { .group = SCTPA_STAT_GROUP,
                              .title = "SCTP series (CSV)",
                              .cli_string = SERIES_NAME,
                              .tap_init_cb = series_stat_init };
    register_stat_tap_ui(&ui, NULL);
}

enum { FRAMES, DROPPED, WHOLE, GAP, MESSAGE, NAME, FIELDS };

static char *text; /* of the table last read, with a NUL behind each field */

static const char *filled(const char *field)
{
    return field[0] != '\0' ? field : NULL;
}

/* Cuts a line at its tabs; the last field takes the rest. */
static bool split(char *line, char *fields[FIELDS])
{
    for (unsigned i = 0; i < FIELDS; i++) {
        fields[i] = line;
        char *tab = i < NAME ? strchr(line, '\t') : NULL;
        if (tab == NULL)
            return i == NAME;
        *tab = '\0';
        line = tab + 1;
    }
    return false;
}

static bool read_line(char *line, uint32_t first_frame, sctpa_capture_file_t *file)
{
    char *fields[FIELDS];
    *file = (sctpa_capture_file_t){ .first_frame = first_frame };
    if (!split(line, fields) || !ws_strtou32(fields[FRAMES], NULL, &file->frames))
        return false;
    file->knows_dropped = fields[DROPPED][0] != '\0';
    if (file->knows_dropped && !ws_strtou64(fields[DROPPED], NULL, &file->dropped))
        return false;
    file->is_whole = fields[WHOLE][0] == '1';
    file->gap = filled(fields[GAP]);
    file->message = filled(fields[MESSAGE]);
    file->name = fields[NAME];
    return true;
}

static bool read_lines(void)
{
    uint32_t first_frame = 1;
    char *next;
    for (char *line = text; *line != '\0'; line = next) {
        sctpa_capture_file_t file;
        next = strchr(line, '\n');
        if (next == NULL)
            return false;
        *next++ = '\0';
        if (!read_line(line, first_frame, &file))
            return false;
        first_frame += file.frames;
        g_array_append_val(all, file);
    }
    return true;
}

/* The files by the table at path, borrowed until the next call with another path, and how many in *count; NULL and 0
 * where path is "" or NULL, or, after a message that names it, where it cannot be read or is no such table. A line per
 * file, in order: frames TAB dropped (may be empty) TAB 1 if read to its end, else 0 TAB gap TAB message TAB name. The
 * table is read once; O(bytes), then O(1). */
static const sctpa_capture_file_t *file_table_read(const char *path, uint32_t *count)
{
    static char *read_path; /* the one that text and all are of */
    if (all == NULL || g_strcmp0(path, read_path) != 0) {
        g_free(text);
        g_free(read_path);
        text = NULL;
        read_path = g_strdup(path);
        all = all != NULL ? all : g_array_new(FALSE, FALSE, sizeof(sctpa_capture_file_t));
        g_array_set_size(all, 0);
        if (path != NULL && path[0] != '\0' && (!g_file_get_contents(path, &text, NULL, NULL) || !read_lines())) {
            report_failure("sctp_analysis.capture_files: %s is not a valid table of capture files; files are not shown",
                           path);
            g_array_set_size(all, 0);
        }
    }
    *count = all->len;
    return all->len > 0 ? (const sctpa_capture_file_t *)(void *)all->data : NULL;
}

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

bool sctpa_stats_view(const sctpa_tally_t *tally, const char *filter, sctpa_view_t *view)
{
    sctpa_capture_t facts;
    judge_end();
    if (!read_view(tally, filter, view, &facts))
        return false;
    if (!facts.has_window)
        view->files = file_table_read(sctpa_preferences()->capture_files, &view->n_files);
    return true;
}

/* False, after a message: it could not be written. */
static bool request_print(const request_t *request)
{
    sctpa_view_t view;
    if (!sctpa_stats_view(request->tally, request->filter, &view))
        return true;
    char *name = g_strconcat("sctp,", request->report->name, NULL);
    sctpa_output_t output = { .name = name };
    sctpa_report_write(request->report, &view, output_take, &output);
    bool good = output_end(&output);
    g_free(name);
    return good;
}

static void request_print_at_end(void *data)
{
    if (!request_print((const request_t *)data))
        output_fail_at_exit();
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
    if (!stats_may_start(name, false))
        exit(1);
    request_t *request = request_new(report, filter);
    capture_watch();
    if (report->shows_occasions)
        sctpa_analysis_count_occasions();
    if (report->shows_owed)
        sctpa_analysis_keep_owed(SCTPA_OWED_ALWAYS);
    GString *error = register_tap_listener("sctp_analysis", request, request->filter, TL_REQUIRES_NOTHING,
                                           request_reset, request_packet, request_print_at_end, NULL);
    if (error == NULL && wants_messages(report))
        error = sctpa_message_collector_start(filter);
    if (!stats_has_started(name, error)) {
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
    series_stat_register();
    watch_stat_register();
}
