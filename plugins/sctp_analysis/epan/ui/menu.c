/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Menu entries, in the main window and in the menu of a packet (through what Wireshark offers to Lua for this), and
 * the module behind them: it links Qt and is loaded once a capture is opened in a main window, so tshark never does.
 * It lies in a folder of its own beside the plugin, since Wireshark takes everything beside a plugin for one. Answers
 * the dialogs, also with times as Wireshark's packet list shows them. */
#define _GNU_SOURCE /* dladdr */

#include "menu.h"

#include "../compat.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <gmodule.h>
#include <epan/packet.h>
#include <epan/plugin_if.h>
#include <wsutil/report_message.h>
#include <epan/funnel.h>
#include <cfile.h>
#include <epan/addr_resolv.h>
#include <wsutil/filesystem.h>
#include <glib.h>
#include <epan/timestamp.h>

#include "../dissector/hook.h"
#include "../messages/message_collector.h"
#include "../preferences.h"
#include "../stats/stats.h"

static int decimals;

static ts_type format;

static const char *pattern_of(ts_type type)
{
    switch (type) {
    case TS_ABSOLUTE_WITH_YMD:
    case TS_UTC_WITH_YMD: return "%Y-%m-%d %H:%M:%S";
    case TS_ABSOLUTE_WITH_YDOY:
    case TS_UTC_WITH_YDOY: return "%Y/%j %H:%M:%S";
    default: return "%H:%M:%S";
    }
}

static void append_fraction(GString *out, int64_t rest_ns)
{
    for (int digit = decimals; digit < 9; digit++)
        rest_ns /= 10;
    if (decimals > 0)
        g_string_append_printf(out, ".%0*u", decimals, (unsigned)rest_ns);
}

static void append_moment(void *user, int64_t time_ns, GString *out)
{
    int64_t seconds = time_ns / 1000000000, rest_ns = time_ns % 1000000000;
    (void)user;
    if (rest_ns < 0) {
        rest_ns += 1000000000;
        seconds--;
    }
    bool is_utc = format == TS_UTC || format == TS_UTC_WITH_YMD || format == TS_UTC_WITH_YDOY;
    GDateTime *date = is_utc ? g_date_time_new_from_unix_utc(seconds) : g_date_time_new_from_unix_local(seconds);
    if (date == NULL || format == TS_EPOCH) {
        g_string_append_printf(out, "%" G_GINT64_FORMAT, seconds);
    } else {
        char *text = g_date_time_format(date, pattern_of(format));
        g_string_append(out, text);
        g_free(text);
    }
    append_fraction(out, rest_ns);
    if (date != NULL)
        g_date_time_unref(date);
}

/* A callback for a view, by View > Time Display Format now; NULL: seconds from the first frame, also where the format
 * asks for the time since another packet. nanoseconds: the capture has them; else microseconds are shown, where no
 * fixed precision is chosen. */
static void (*time_format(bool nanoseconds))(void *user, int64_t time_ns, GString *out)
{
    int digits = SCTPA_TIME_DIGITS(timestamp_get_precision());
    decimals = digits < 0 ? (nanoseconds ? 9 : 6) : MIN(digits, 9);
    format = timestamp_get_type();
    switch (format) {
    case TS_RELATIVE:
    case TS_DELTA:
    case TS_DELTA_DIS:
    case TS_NOT_SET: return NULL;
    default: return append_moment;
    }
}

/* Another number for another format. */
static uint32_t time_format_setting(void)
{
    return (uint32_t)timestamp_get_type() << 4 | (uint32_t)(SCTPA_TIME_DIGITS(timestamp_get_precision()) + 1);
}

/* A question about a frame of the open capture, and the answer. */
typedef struct {
    uint32_t frame;
    bool is_shown; /* it is there, and the display filter lets it pass */
} frame_question_t;

static void *ask_current(capture_file *file, void *result)
{
    uint32_t *frame = (uint32_t *)result;
    *frame = file != NULL && file->current_frame != NULL ? file->current_frame->num : 0;
    return NULL;
}

static void *ask_shown(capture_file *file, void *asked)
{
    frame_question_t *question = (frame_question_t *)asked;
    if (file == NULL || file->provider.frames == NULL || question->frame == 0 || question->frame > file->count)
        return NULL;
    const frame_data *frame = frame_data_sequence_find(file->provider.frames, question->frame);
    question->is_shown = frame != NULL && frame->passed_dfilter;
    return NULL;
}

static uint32_t host_current_frame(void)
{
    uint32_t frame = 0;
    plugin_if_get_capture_file(ask_current, &frame);
    return frame;
}

static bool host_is_shown(uint32_t frame)
{
    frame_question_t question = { frame, false };
    plugin_if_get_capture_file(ask_shown, &question);
    return question.is_shown;
}

static bool host_go_to_frame(uint32_t frame)
{
    const bool is_shown = host_is_shown(frame);
    if (is_shown)
        plugin_if_goto_frame(frame);
    return is_shown;
}

static void host_apply_filter(const char *filter)
{
    plugin_if_apply_filter(filter, TRUE);
}

static void *ask_file(capture_file *file, void *asked)
{
    sctpa_host_file_t *answer = (sctpa_host_file_t *)asked;
    if (file == NULL || file->state == FILE_CLOSED || file->filename == NULL)
        return NULL;
    *answer = (sctpa_host_file_t){ .path = file->filename,
                                   .is_temporary = file->is_tempfile,
                                   .has_unsaved_changes = file->unsaved_changes,
                                   .is_whole = file->state == FILE_READ_DONE };
    return NULL;
}

static bool host_file(sctpa_host_file_t *file)
{
    *file = (sctpa_host_file_t){ 0 };
    plugin_if_get_capture_file(ask_file, file);
    return file->path != NULL;
}

static char *host_profile_folder(void)
{
    char *file = get_persconffile_path("preferences", TRUE), *folder = g_path_get_dirname(file);
    g_free(file);
    return folder;
}

static void host_state(sctpa_host_state_t *state)
{
    const sctpa_t *analysis = sctpa_analysis_current();
    sctpa_capture_t capture;
    *state = (sctpa_host_state_t){ 0 };
    if (analysis == NULL)
        return;
    sctpa_capture_read(&capture);
    state->analysis = sctpa_analysis_number();
    state->packets = sctpa_summary(analysis)->packets;
    state->frames = capture.frames;
    state->settings = time_format_setting() << 2 | (uint32_t)(gbl_resolv_flags.network_name != 0) << 1 |
                      (uint32_t)(gbl_resolv_flags.transport_name != 0);
}

static bool host_view(sctpa_view_t *view)
{
    if (!sctpa_stats_view(NULL, NULL, view))
        return false;
    view->moment = time_format(view->start_ns % 1000 != 0 || view->end_ns % 1000 != 0);
    return true;
}

/* Is there one? Not in tshark. Also while a capture is being opened, when the window does not tell its file yet. */
static bool main_window_is_there(void)
{
    ws_info_t *info = NULL;
    plugin_if_get_ws_info(&info);
    return info != NULL && info->ws_info_supported;
}

void sctpa_main_window_collect(void)
{
    if (!main_window_is_there() || !sctpa_preferences()->messages) {
        sctpa_message_collector_stop(NULL);
        return;
    }
    GString *error = sctpa_message_collector_start(NULL);
    if (error != NULL) {
        report_failure("sctp_analysis.messages: %s", error->str);
        g_string_free(error, TRUE);
    }
}

static void menu_choose(sctpa_host_window_t shown, bool is_of_packet);

static const char *menu_plugin_folder(void);

static bool packet_menu_is_offered(void);

/* Valid until Wireshark ends. */
static const sctpa_host_t *sctpa_host(void)
{
    static sctpa_host_t host = {
        .interface_id = SCTPA_INTERFACE_ID,
        .choose = menu_choose,
        .state = host_state,
        .view = host_view,
        .current_frame = host_current_frame,
        .assoc_of_frame = sctpa_analysis_assoc_of_frame,
        .go_to_frame = host_go_to_frame,
        .is_shown = host_is_shown,
        .apply_filter = host_apply_filter,
        .file = host_file,
        .preferences = sctpa_preferences_options,
        .profile_folder = host_profile_folder,
        .watch_change = sctpa_analysis_watch_change,
    };
    if (host.settings_file == NULL) {
        host.settings_file = get_persconffile_path("sctp_analysis_windows", FALSE);
        host.plugin_folder = menu_plugin_folder();
        host.has_packet_menu = packet_menu_is_offered();
    }
    return &host;
}

#if SCTPA_HAS_PACKET_MENUS

#define REQUIRED_FIELDS "sctp.analysis.assoc"

/* Does this Wireshark (4.2 or later) let plugins add to the menu of a packet? */
static bool packet_menu_is_offered(void)
{
    return true;
}

static void packet_choose(void *shown, GPtrArray *fields)
{
    (void)fields;
    menu_choose(*(const sctpa_host_window_t *)shown, true);
}

static bool is_registered;

static void look_for_ours(const char *name, const char *required_fields, funnel_packet_menu_callback callback,
                          void *data, sctpa_gbool_t retap)
{
    (void)name;
    (void)required_fields;
    (void)data;
    (void)retap;
    is_registered |= callback == packet_choose;
}

/* Looking through the list also tells Wireshark that it has been read. So it is looked through only after Wireshark has
 * read it, as it does right after a reload of Lua plugins cleared it; before, ours are still in it. */
static bool must_register(void)
{
    if (is_registered && funnel_packet_menus_modified())
        return false;
    if (is_registered) {
        is_registered = false;
        funnel_register_all_packet_menus(look_for_ours);
    }
    return !is_registered;
}

static void add(sctpa_host_window_t shown, const char *label)
{
    if (label == NULL)
        return;
    char *path = g_strconcat(SCTPA_MENU_TITLE, "/", label, NULL);
    sctpa_host_window_t *data = g_new(sctpa_host_window_t, 1); /* freed by Wireshark with the entry */
    *data = shown;
    funnel_register_packet_menu(path, REQUIRED_FIELDS, packet_choose, data, false);
    g_free(path);
}

/* Registers them, unless they are registered: Wireshark forgets them when Lua plugins are reloaded. */
static void packet_menu_register(void)
{
    if (!must_register())
        return;
#define SCTPA_MENU_ENTRY(name, label, packet_label, ...) add(SCTPA_SHOWN_##name, packet_label);
#include "ui/menu_entries.def"
#undef SCTPA_MENU_ENTRY
    is_registered = true;
}

#else

bool packet_menu_is_offered(void)
{
    return false;
}

void packet_menu_register(void) {}

#endif

/* How it is said that the module cannot be loaded. */
typedef void (*report_fn)(const char *format, ...) G_GNUC_PRINTF(1, 2);

static const sctpa_ui_t *ui;

static void keep_quiet(const char *format, ...)
{
    (void)format;
}

static void close_capture(void)
{
    ui->capture_closing();
}

/* Where the plugin's own file lies; NULL: unknown. Valid for ever. */
static const char *menu_plugin_folder(void)
{
    static char *folder;
    Dl_info self;
    if (folder == NULL && dladdr(&ui, &self) != 0 && self.dli_fname != NULL)
        folder = g_path_get_dirname(self.dli_fname);
    return folder;
}

/* Where the module lies; NULL: the plugin does not know where it lies itself. */
static char *module_path(void)
{
    const char *folder = menu_plugin_folder();
    return folder != NULL ? g_build_filename(folder, SCTPA_UI_FOLDER, SCTPA_UI_MODULE, NULL) : NULL;
}

/* The entry of the module at path, which stays loaded; NULL: it was reported why not. */
static sctpa_ui_start_fn open_module(const char *path, report_fn report)
{
    void *symbol = NULL;
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        report("The SCTP dialogs are not installed. In Debian they are in the package wireshark-sctp-analysis.\n\n"
               "File: %s",
               path);
        return NULL;
    }
    GModule *module = g_module_open(path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
    if (module == NULL || !g_module_symbol(module, SCTPA_UI_START, &symbol)) {
        const char *cause = g_module_error();
        report("The SCTP dialogs could not be loaded.\n\nFile: %s\nCause: %s", path,
               g_str_has_prefix(cause, path) ? cause + strlen(path) + strlen(": ") : cause);
        return NULL;
    }
    g_module_make_resident(module);
    return (sctpa_ui_start_fn)symbol;
}

static void load(report_fn report)
{
    char *path = module_path();
    sctpa_ui_start_fn start = path != NULL ? open_module(path, report) : NULL;
    if (path == NULL)
        report("The SCTP dialogs could not be loaded: the plugin's own file is unknown.");
    if (start != NULL) {
        ui = start(sctpa_host());
        if (ui == NULL)
            report("The SCTP dialogs could not be loaded.\n\nFile: %s\nCause: it was not built together with "
                   "the plugin that "
                   "runs. Restart Wireshark; if that does not help, install the plugin again.",
                   path);
        else
            sctpa_analysis_watch_end(close_capture);
    }
    g_free(path);
}

/* What choosing an entry does. */
static void menu_choose(sctpa_host_window_t shown, bool is_of_packet)
{
    const bool is_of_assoc = shown >= SCTPA_SHOWN_ASSOCIATION;
    if (ui == NULL)
        load(report_failure);
    if (ui == NULL)
        return;
    uint32_t frame = is_of_assoc || is_of_packet ? sctpa_host()->current_frame() : 0;
    uint32_t assoc = sctpa_analysis_assoc_of_frame(frame);
    if (assoc != SCTPA_NO_ASSOC || !is_of_assoc)
        ui->show(shown, assoc, frame);
    else
        ui->tell(frame == 0 ? "No packet is selected." : "The selected packet belongs to no SCTP association.");
}

static void choose(ext_menubar_gui_type type, gpointer object, gpointer user)
{
    (void)type;
    (void)object;
    menu_choose((sctpa_host_window_t)GPOINTER_TO_UINT(user), false);
}

void sctpa_menu_join_main_window(void)
{
    static bool has_tried;
    if (!main_window_is_there())
        return;
    packet_menu_register();
    if (ui == NULL && !has_tried)
        load(keep_quiet);
    has_tried = true;
    if (ui != NULL)
        ui->join_main_window();
}

void sctpa_menu_register(int protocol)
{
    ext_menu_t *menu = ext_menubar_register_menu(protocol, SCTPA_MENU_TITLE, TRUE);
    ext_menubar_set_parentmenu(menu, "Telephony");
#define SCTPA_MENU_ENTRY(name, label, packet_label, tooltip, shortcut) \
    ext_menubar_add_entry(menu, label, tooltip, choose, GUINT_TO_POINTER(SCTPA_SHOWN_##name));
#include "ui/menu_entries.def"
#undef SCTPA_MENU_ENTRY
}
