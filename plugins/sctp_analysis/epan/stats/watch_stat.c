/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers -z sctp,watch[,pause=<seconds>][,idle=<seconds>][,memory=<MiB>], whose lines are written as packets pass.
 * Leaves what is told to report/watch. */
#include "watch_stat.h"

#include "../compat.h"

#include <stdlib.h>
#include <string.h>

#include <epan/packet.h>
#include <epan/stat_tap_ui.h>
#include <epan/tap.h>
#include <wsutil/report_message.h>
#include <wsutil/strtoi.h>

#include "report/watch/watch.h"
#include "../dissector/open_analysis.h"
#include "../dissector/tap_sctp_analysis.h"
#include "capture_facts.h"
#include "output.h"
#include "stats.h"

#define NAME "sctp,watch"

/* Two expiries of T3-rtx in a row, from RTO.Min on, are told; HEARTBEATs, which come every 30 s (HB.interval) and an
 * RTO, keep an association from being idle. */
enum { PAUSE_S = 3, IDLE_S = 3600, MEMORY_MIB = 256, SECONDS_MOST = 31536000, MEMORY_MIB_MOST = 1 << 20 };

/* The one watch: there is one analysis. */
static sctpa_watch_limits_t limits;
static sctpa_watch_t *watch;
static sctpa_output_t output = { .name = NAME };

/* Whoever reads wants each line at once. One that cannot be written ends tshark: nobody would hear of the next. */
static void take(void *user, const GString *piece)
{
    sctpa_output_take(user, piece);
    if (!sctpa_output_end((sctpa_output_t *)user))
        exit(1);
}

static void read_view(sctpa_view_t *view)
{
    if (!sctpa_stats_view_without_files(NULL, NULL, view))
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
        report_failure("-z " NAME " works in a single pass only: leave out -2");
        exit(1);
    }
    watch = sctpa_watch_new(analysis, &limits, read_view, take, &output);
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

static void on_end(void *data)
{
    (void)data;
    if (watch != NULL)
        sctpa_watch_end(watch);
    g_clear_pointer(&watch, sctpa_watch_free);
}

static bool listen(const char *tap, tap_packet_cb packet, tap_draw_cb end)
{
    return sctpa_stats_has_started(
        NAME, register_tap_listener(tap, &limits, NULL, TL_REQUIRES_NOTHING, forget, packet, end, NULL));
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

static SCTPA_STAT_INIT_TYPE stat_init(const char *argument, void *user)
{
    const char *rest = argument + strlen(NAME);
    sctpa_capture_t capture;
    (void)user;
    sctpa_capture_read(&capture);
    bool good = (rest[0] == '\0' || rest[0] == ',') && read_limits(rest[0] == ',' ? rest + 1 : "");
    if (!good)
        report_failure("Invalid -z argument \"%s\"; it is \"" NAME
                       "[,pause=<seconds>][,idle=<seconds>][,memory=<MiB>]\"",
                       argument);
    else if (capture.has_window)
        report_failure("-z " NAME " is for tshark");
    good = good && !capture.has_window;
    if (good) {
        good = sctpa_stats_may_start(NAME, true);
        sctpa_capture_watch();
        sctpa_analysis_count_occasions();
        good = good && listen("frame", on_frame, NULL) && listen("sctp_analysis", on_packet, on_end);
    }
    if (!good && !capture.has_window)
        exit(1);
    SCTPA_STAT_INIT_DONE(good);
}

void sctpa_watch_stat_register(void)
{
    static stat_tap_ui ui = {
        .group = SCTPA_STAT_GROUP, .title = "SCTP watch (NDJSON)", .cli_string = NAME, .tap_init_cb = stat_init
    };
    register_stat_tap_ui(&ui, NULL);
}
