/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Wireshark looks for when it loads the plugin: versions, and the call that registers everything; the entry for
 * conversation filters and colours, and the JSON of the analysis on SIGUSR2, by which the tests see that looking
 * changes nothing. Leaves each other registration to the file of its topic. */
#include "compat.h"

#include <signal.h>

#include <epan/packet.h>
#include <epan/proto.h>
#include <ws_symbol_export.h>
#include <glib-unix.h>
#include <epan/conversation_filter.h>

#include "../report/report.h"
#include "epan/dissector/hook.h"
#include "epan/fields/tree.h"
#include "epan/stats/stats.h"
#include "epan/ui/menu.h"
#include "preferences.h"

static sctpa_gbool_t has_assoc(SCTPA_FILTER_ARGUMENTS)
{
    SCTPA_FILTER_UNUSED;
    return sctpa_analysis_assoc_of_frame(pinfo->num) != SCTPA_NO_ASSOC;
}

static char *filter_of_assoc(SCTPA_FILTER_ARGUMENTS)
{
    SCTPA_FILTER_UNUSED;
    return g_strdup_printf("sctp.analysis.assoc == %u", sctpa_analysis_assoc_of_frame(pinfo->num));
}

static void filters_register(void)
{
    sctpa_filter_register("sctp", "SCTP association (analysis)", has_assoc, filter_of_assoc);
}

#ifdef G_OS_UNIX

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

/* With the environment variable SCTP_ANALYSIS_JSON_ON_SIGUSR2, from now on SIGUSR2 makes the main window write to the
 * file that it names: a line "analysis NUMBER", where the number grows with each load of a capture, then what -z
 * sctp,json says of the open one. Without the variable, nothing. Signals are taken where GLib's main loop runs, so not
 * in tshark. */
static void json_signal_register(void)
{
    const char *file = g_getenv("SCTP_ANALYSIS_JSON_ON_SIGUSR2");
    if (file != NULL)
        g_unix_signal_add(SIGUSR2, write_json, g_strdup(file));
}

#else

/* With the environment variable SCTP_ANALYSIS_JSON_ON_SIGUSR2, from now on SIGUSR2 makes the main window write to the
 * file that it names: a line "analysis NUMBER", where the number grows with each load of a capture, then what -z
 * sctp,json says of the open one. Without the variable, nothing. Signals are taken where GLib's main loop runs, so not
 * in tshark. */
static void json_signal_register(void) {}

#endif

WS_DLL_PUBLIC_DEF const gchar plugin_version[] = SCTPA_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = SCTPA_WS_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = SCTPA_WS_MINOR;
WS_DLL_PUBLIC void plugin_register(void);
WS_DLL_PUBLIC uint32_t plugin_describe(void);

static void register_protocol(void)
{
    int sctp = proto_get_id_by_filter_name("sctp");
    int protocol = proto_register_protocol("SCTP Analysis", "SCTP Analysis", "sctp_analysis");
    proto_set_cant_toggle(protocol);
    sctpa_preferences_register(protocol, sctpa_main_window_collect);
    register_init_routine(sctpa_main_window_collect);
    sctpa_fields_register(sctp);
    sctpa_experts_register(sctp);
    sctpa_rule_experts_register(sctp);
    sctpa_tap_register();
    filters_register();
    sctpa_stats_register();
    sctpa_analysis_register(protocol);
    sctpa_hook_register(sctp);
    sctpa_menu_register(protocol);
    register_init_routine(sctpa_menu_join_main_window);
    json_signal_register();
}

void plugin_register(void)
{
    static proto_plugin plugin;
    plugin.register_protoinfo = register_protocol;
    plugin.register_handoff = sctpa_hook_handoff;
    proto_register_plugin(&plugin);
}

uint32_t plugin_describe(void)
{
    return SCTPA_PLUGIN_DESCRIPTION;
}
