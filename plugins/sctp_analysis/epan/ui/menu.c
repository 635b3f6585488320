/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Menu entries, and the module behind them: it links Qt and is loaded once a capture is opened in a main window, so
 * tshark never does. It lies in a folder of its own beside the plugin, since Wireshark takes everything beside a plugin
 * for one. */
#define _GNU_SOURCE /* dladdr */
#include "menu.h"

#include "../compat.h"

#include <dlfcn.h>
#include <gmodule.h>
#include <string.h>

#include <epan/packet.h>
#include <epan/plugin_if.h>
#include <wsutil/report_message.h>

#include "../dissector/open_analysis.h"
#include "main_window.h"
#include "packet_menu.h"

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

const char *sctpa_menu_plugin_folder(void)
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
    const char *folder = sctpa_menu_plugin_folder();
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

void sctpa_menu_choose(sctpa_host_window_t shown, bool is_of_packet)
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
    sctpa_menu_choose((sctpa_host_window_t)GPOINTER_TO_UINT(user), false);
}

void sctpa_menu_join_main_window(void)
{
    static bool has_tried;
    if (!sctpa_main_window_is_there())
        return;
    sctpa_packet_menu_register();
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
