/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Wireshark looks for when it loads the plugin: versions, and the call that registers everything.
 * Leaves each registration to the file of its topic. */
#include "compat.h"

#include <epan/packet.h>
#include <epan/proto.h>
#include <ws_symbol_export.h>

#include "dissector/open_analysis.h"
#include "fields/experts.h"
#include "fields/rule_experts.h"
#include "fields/field_registration.h"
#include "ui/filters.h"
#include "dissector/hook.h"
#include "ui/json_signal.h"
#include "ui/main_window.h"
#include "ui/menu.h"
#include "preferences.h"
#include "stats/stats.h"
#include "dissector/tap.h"

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
    sctpa_filters_register();
    sctpa_stats_register();
    sctpa_analysis_register(protocol);
    sctpa_hook_register(sctp);
    sctpa_menu_register(protocol);
    register_init_routine(sctpa_menu_join_main_window);
    sctpa_json_signal_register();
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
