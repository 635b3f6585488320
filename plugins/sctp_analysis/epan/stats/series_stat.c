/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers -z sctp,series,<assoc>[,<endpoint>][,stream=<id>]... and prints the series at the end of the capture, piece
 * by piece. Leaves the rows to report/tables/series_csv.c. */
#include "series_stat.h"

#include "../compat.h"

#include <stdlib.h>
#include <string.h>

#include <epan/packet.h>
#include <epan/stat_tap_ui.h>
#include <epan/tap.h>
#include <wsutil/report_message.h>

#include "report/tables/series_csv.h"
#include "capture_facts.h"
#include "output.h"
#include "stats.h"

#define NAME "sctp,series"

/* False, after a message: the capture has no such series, or it could not be written. */
static bool print(const sctpa_series_choice_t *choice)
{
    sctpa_view_t view;
    if (!sctpa_stats_view(NULL, NULL, &view))
        return true;
    char *refusal = sctpa_series_refusal(&view, choice);
    if (refusal != NULL) {
        report_failure("-z " NAME ",%u: %s", choice->assoc, refusal);
        g_free(refusal);
        return false;
    }
    sctpa_output_t output = { .name = NAME };
    sctpa_series_write(&view, choice, sctpa_output_take, &output);
    return sctpa_output_end(&output);
}

/* Other reports are still to be printed when this one fails: the status is changed when tshark is done. */
static void print_at_end(void *data)
{
    if (!print((const sctpa_series_choice_t *)data))
        sctpa_output_fail_at_exit();
}

static bool start(const sctpa_series_choice_t *choice)
{
    if (!sctpa_stats_may_start(NAME, false))
        return false;
    sctpa_series_choice_t *kept = g_new(sctpa_series_choice_t, 1);
    *kept = *choice;
    sctpa_capture_watch();
    GString *error =
        register_tap_listener("sctp_analysis", kept, NULL, TL_REQUIRES_NOTHING, NULL, NULL, print_at_end, NULL);
    const bool good = sctpa_stats_has_started(NAME, error);
    if (!good)
        g_free(kept);
    return good;
}

static SCTPA_STAT_INIT_TYPE stat_init(const char *argument, void *user)
{
    const char *rest = argument + strlen(NAME);
    sctpa_series_choice_t choice;
    sctpa_capture_t capture;
    bool good = rest[0] == ',' && sctpa_series_choice_read(rest + 1, &choice);
    (void)user;
    sctpa_capture_read(&capture);
    if (!good)
        report_failure("Invalid -z argument \"%s\"; it is \"" NAME
                       ",<association>[,<endpoint 0 or 1>][,stream=<number>|busiest]...\"",
                       argument);
    else
        good = capture.has_window ? print(&choice) : start(&choice);
    if (!good && !capture.has_window)
        exit(1);
    SCTPA_STAT_INIT_DONE(good);
}

void sctpa_series_stat_register(void)
{
    static stat_tap_ui ui = {
        .group = SCTPA_STAT_GROUP, .title = "SCTP series (CSV)", .cli_string = NAME, .tap_init_cb = stat_init
    };
    register_stat_tap_ui(&ui, NULL);
}
