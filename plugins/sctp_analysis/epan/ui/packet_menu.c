/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries in the menu of a packet, through what Wireshark offers to Lua for this. Leaves what they do to menu.c, and
 * Wireshark 4.0, which offers nothing of the kind, to the dialogs. */
#include "packet_menu.h"

#include "../compat.h"

#if SCTPA_HAS_PACKET_MENUS
#include <epan/funnel.h>

#include "menu.h"

#define REQUIRED_FIELDS "sctp.analysis.assoc"

bool sctpa_packet_menu_is_offered(void)
{
    return true;
}

static void choose(void *shown, GPtrArray *fields)
{
    (void)fields;
    sctpa_menu_choose(*(const sctpa_host_window_t *)shown, true);
}

static bool is_registered;

static void look_for_ours(const char *name, const char *required_fields, funnel_packet_menu_callback callback,
                          void *data, sctpa_gbool_t retap)
{
    (void)name;
    (void)required_fields;
    (void)data;
    (void)retap;
    is_registered |= callback == choose;
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
    funnel_register_packet_menu(path, REQUIRED_FIELDS, choose, data, false);
    g_free(path);
}

void sctpa_packet_menu_register(void)
{
    if (!must_register())
        return;
#define SCTPA_MENU_ENTRY(name, label, packet_label, ...) add(SCTPA_SHOWN_##name, packet_label);
#include "ui/menu_entries.def"
#undef SCTPA_MENU_ENTRY
    is_registered = true;
}
#else
bool sctpa_packet_menu_is_offered(void)
{
    return false;
}

void sctpa_packet_menu_register(void) {}
#endif
