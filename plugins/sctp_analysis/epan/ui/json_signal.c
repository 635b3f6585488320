/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the report on SIGUSR2. The file is replaced as a whole: whoever waits for it never reads half of it. */
#include "json_signal.h"

#include "../compat.h"

#include <signal.h>

#ifdef G_OS_UNIX
#include <glib-unix.h>

#include "report/report.h"
#include "../dissector/open_analysis.h"
#include "../stats/stats.h"

static gboolean write_json(void *file)
{
    sctpa_view_t view;
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "analysis %u\n", sctpa_analysis_number());
    if (sctpa_stats_view(NULL, NULL, &view))
        sctpa_report_append(sctpa_report_named("json"), &view, text);
    g_file_set_contents((const char *)file, text->str, (gssize)text->len, NULL);
    g_string_free(text, TRUE);
    return G_SOURCE_CONTINUE;
}

void sctpa_json_signal_register(void)
{
    const char *file = g_getenv("SCTP_ANALYSIS_JSON_ON_SIGUSR2");
    if (file != NULL)
        g_unix_signal_add(SIGUSR2, write_json, g_strdup(file));
}
#else
void sctpa_json_signal_register(void) {}
#endif
