/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the plugin and the module of dialogs tell each other: C structs of functions, nothing of Wireshark and nothing
 * of Qt. All calls come from the main thread. The dialogs read the analysis in other threads, too, while nobody changes
 * it. */
#ifndef SCTPA_UI_HOST_H
#define SCTPA_UI_HOST_H

#include "report/report.h"

/* What there is to show: equal states mean equal tables. */
typedef struct {
    uint32_t analysis; /* another number for each analysis (opened, reloaded, dissected anew); 0: none is there */
    uint32_t packets;  /* SCTP packets analysed so far */
    uint32_t frames;   /* of the capture so far */
    uint32_t settings; /* of name resolution and time format: another number, another look */
} sctpa_host_state_t;

/* The file of the open capture. */
typedef struct {
    const char *path; /* as Wireshark opened it, until the next call */
    bool is_temporary, has_unsaved_changes;
    bool is_whole; /* read to its end; neither being recorded nor being read */
} sctpa_host_file_t;

/* What can be opened: of the capture, then of an association. */
typedef enum {
#define SCTPA_MENU_ENTRY(name, ...) SCTPA_SHOWN_##name,
#include "menu_entries.def"
#undef SCTPA_MENU_ENTRY
    SCTPA_SHOWN_COUNT
} sctpa_host_window_t;

/* Above the entries that lead there, in Wireshark's menu bar and in the menu of a packet. */
#define SCTPA_MENU_TITLE "SCTP Expert Analysis"

/* The plugin, as the dialogs see it. Strings are UTF-8. */
typedef struct {
    const char *interface_id; /* SCTPA_INTERFACE_ID of the plugin's build */
    /* What choosing an entry does. is_of_packet: in the menu of a packet. */
    void (*choose)(sctpa_host_window_t shown, bool is_of_packet);
    bool has_packet_menu;      /* Wireshark shows them in the menu of a packet; else the dialogs must */
    const char *settings_file; /* where windows remember their choices */
    void (*state)(sctpa_host_state_t *state);
    /* Fills view, which is good until the plugin calls capture_closing; view->file until the next call. False: there is
     * no analysis. O(1). */
    bool (*view)(sctpa_view_t *view);
    /* The selected packet's frame, 0 none. The association of a frame, SCTPA_NO_ASSOC none. */
    uint32_t (*current_frame)(void);
    uint32_t (*assoc_of_frame)(uint32_t frame);
    /* Selects a packet. False: it is not there, or the display filter hides it; then nothing moves. */
    bool (*go_to_frame)(uint32_t frame);
    /* Whether go_to_frame would select it. O(1). */
    bool (*is_shown)(uint32_t frame);
    void (*apply_filter)(const char *filter);
    /* False: no capture is open. */
    bool (*file)(sctpa_host_file_t *file);
    /* "NAME:VALUE" of the preferences that results depend on, those with their default value or the others, up to NULL;
     * g_strfreev. Keys are left out. */
    char **(*preferences)(bool is_default);
    /* Where this plugin lies, what else belongs to it in SCTPA_UI_FOLDER below; NULL: unknown. Where the preferences
     * and keys of the profile in use are; g_free. */
    const char *plugin_folder;
    char *(*profile_folder)(void);
    /* From now on calls about_to_change with user before packets are added to the analysis: another thread may read it
     * until then. NULL: nobody does any more. */
    void (*watch_change)(void (*about_to_change)(void *user), void *user);
} sctpa_host_t;

/* The dialogs, as the plugin sees them. */
typedef struct {
    /* assoc: a number, for windows of an association; frame: of the packet that is to be selected there, 0 none. */
    void (*show)(sctpa_host_window_t shown, uint32_t assoc, uint32_t frame);
    /* Gives the entries in Wireshark's main window shortcuts and, without has_packet_menu, adds them to the menu of a
     * packet. To be called whenever the main window may be new; does nothing twice. */
    void (*join_main_window)(void);
    void (*tell)(const char *text); /* shows a message */
    /* The analysis is about to be freed: after this call nothing of it is read. */
    void (*capture_closing)(void);
} sctpa_ui_t;

/* The one symbol of the module. host stays valid. NULL: host was built from other sources than the module. */
#define SCTPA_UI_START "sctpa_ui_start"
typedef const sctpa_ui_t *(*sctpa_ui_start_fn)(const sctpa_host_t *host);

#endif
