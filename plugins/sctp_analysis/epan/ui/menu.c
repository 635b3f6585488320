/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Menu entries, and the module behind them: it links Qt and is loaded by the first entry that is chosen, so tshark
 * never does. It lies in a folder of its own beside the plugin, since Wireshark takes everything beside a plugin for
 * one. */
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

static const sctpa_ui_t *ui;

static void close_capture(void)
{
    ui->capture_closing();
}

/* Where the module lies; NULL: the plugin does not know where it lies itself. */
static char *module_path(void)
{
    Dl_info self;
    if (dladdr(&ui, &self) == 0 || self.dli_fname == NULL)
        return NULL;
    char *folder = g_path_get_dirname(self.dli_fname);
    char *path = g_build_filename(folder, SCTPA_UI_FOLDER, SCTPA_UI_MODULE, NULL);
    g_free(folder);
    return path;
}

/* The entry of the module at path, which stays loaded; NULL: it was reported why not. */
static sctpa_ui_start_fn open_module(const char *path)
{
    void *symbol = NULL;
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        report_failure(
            "The SCTP dialogs are not installed. In Debian they are in the package wireshark-sctp-analysis.\n\n"
            "File: %s",
            path);
        return NULL;
    }
    GModule *module = g_module_open(path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
    if (module == NULL || !g_module_symbol(module, SCTPA_UI_START, &symbol)) {
        const char *cause = g_module_error();
        report_failure("The SCTP dialogs could not be loaded.\n\nFile: %s\nCause: %s", path,
                       g_str_has_prefix(cause, path) ? cause + strlen(path) + strlen(": ") : cause);
        return NULL;
    }
    g_module_make_resident(module);
    return (sctpa_ui_start_fn)symbol;
}

static void load(void)
{
    char *path = module_path();
    sctpa_ui_start_fn start = path != NULL ? open_module(path) : NULL;
    if (path == NULL)
        report_failure("The SCTP dialogs could not be loaded: the plugin's own file is unknown.");
    if (start != NULL) {
        ui = start(sctpa_host());
        if (ui == NULL)
            report_failure("The SCTP dialogs could not be loaded.\n\nFile: %s\nCause: it was not built together with "
                           "the plugin that "
                           "runs. Restart Wireshark; if that does not help, install the plugin again.",
                           path);
        else
            sctpa_analysis_watch_end(close_capture);
    }
    g_free(path);
}

/* What an entry opens: a window of the capture, or one of the selected packet's association. */
typedef enum { SHOW_SUMMARY, SHOW_ASSOCIATIONS, SHOW_FINDINGS, SHOW_TABLES, SHOW_GRAPHS, SHOW_LADDER } shown_t;

static void show_selected(void (*show)(uint32_t number))
{
    uint32_t frame = sctpa_host()->current_frame();
    uint32_t assoc = sctpa_analysis_assoc_of_frame(frame);
    if (assoc != SCTPA_NO_ASSOC)
        show(assoc);
    else
        ui->tell(frame == 0 ? "No packet is selected." : "The selected packet belongs to no SCTP association.");
}

static void show(ext_menubar_gui_type type, gpointer object, gpointer user)
{
    (void)type;
    (void)object;
    if (ui == NULL)
        load();
    if (ui == NULL)
        return;
    switch ((shown_t)GPOINTER_TO_UINT(user)) {
    case SHOW_SUMMARY: ui->show_summary(); break;
    case SHOW_ASSOCIATIONS: ui->show_associations(); break;
    case SHOW_FINDINGS: ui->show_findings(); break;
    case SHOW_TABLES: show_selected(ui->show_association); break;
    case SHOW_GRAPHS: show_selected(ui->show_graphs); break;
    case SHOW_LADDER: show_selected(ui->show_ladder); break;
    }
}

void sctpa_menu_register(int protocol)
{
    ext_menu_t *menu = ext_menubar_register_menu(protocol, "SCTP Expert Analysis", TRUE);
    ext_menubar_set_parentmenu(menu, "TelephonySCTP");
    ext_menubar_add_entry(menu, "Summary", "Show what is wrong in the capture, with the packets that show it", show,
                          GUINT_TO_POINTER(SHOW_SUMMARY));
    ext_menubar_add_entry(menu, "Associations", "Show every SCTP association of the capture", show,
                          GUINT_TO_POINTER(SHOW_ASSOCIATIONS));
    ext_menubar_add_entry(menu, "Findings", "Show which endpoints were seen breaking which rules of the protocol", show,
                          GUINT_TO_POINTER(SHOW_FINDINGS));
    ext_menubar_add_entry(menu, "Analyse the selected packet's association",
                          "Show the SCTP association of the packet selected in the packet list", show,
                          GUINT_TO_POINTER(SHOW_TABLES));
    ext_menubar_add_entry(menu, "Graph the selected packet's association",
                          "Show graphs of the SCTP association of the packet selected in the packet list", show,
                          GUINT_TO_POINTER(SHOW_GRAPHS));
    ext_menubar_add_entry(menu, "Ladder of the selected packet's association",
                          "Show the SCTP association of the packet selected in the packet list as a ladder diagram",
                          show, GUINT_TO_POINTER(SHOW_LADDER));
}
