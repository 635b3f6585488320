/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A statistic for the tshark of Wireshark's tree, -z sctp_windows: chunks of each association by type, as Wireshark's
 * own SCTP windows count them. test/versions/in_tree has it built in. Leaves out what these windows show besides. */
#include "config.h"

#include "../../plugins/sctp_analysis/epan/compat.h"

#include <stdarg.h>
#include <stdio.h>

#include <epan/packet_info.h>
#include <epan/stat_tap_ui.h>
#include <epan/tap.h>
#include <epan/value_string.h>
#include <ui/simple_dialog.h>
#include <ui/tap-sctp-analysis.h>

void register_tap_listener_sctp_windows(void);

/* What the windows' tap calls when it cannot register; the windows have it of Qt. */
gpointer simple_dialog(ESD_TYPE_E type, int buttons, const char *format, ...)
{
    va_list arguments;
    (void)type;
    (void)buttons;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return NULL;
}

static void print_association(const sctp_assoc_info_t *association)
{
    printf("%u %u:", association->port1, association->port2);
    for (unsigned type = 0; type < NUM_CHUNKS; type++)
        if (association->chunk_count[type] != 0 && type == OTHER_CHUNKS_INDEX)
            printf(" others=%u", association->chunk_count[type]);
        else if (association->chunk_count[type] != 0)
            printf(" %s=%u", val_to_str_const(type, chunk_type_values, "unknown"), association->chunk_count[type]);
    printf("\n");
}

static void print_all(void *unused)
{
    (void)unused;
    for (const GList *one = sctp_stat_get_info()->assoc_info_list; one != NULL; one = one->next)
        print_association((const sctp_assoc_info_t *)one->data);
}

static SCTPA_STAT_INIT_TYPE start(const char *argument, void *unused)
{
    static int listener;
    (void)argument;
    (void)unused;
    register_tap_listener_sctp_stat();
    GString *error = register_tap_listener("sctp", &listener, NULL, 0, NULL, NULL, print_all, NULL);
    if (error != NULL) {
        fprintf(stderr, "sctp_windows: %s\n", error->str);
        g_string_free(error, TRUE);
    }
    SCTPA_STAT_INIT_DONE(error == NULL);
}

void register_tap_listener_sctp_windows(void)
{
    static stat_tap_ui statistic = { REGISTER_STAT_GROUP_GENERIC, NULL, "sctp_windows", start, 0, NULL };
    register_stat_tap_ui(&statistic, NULL);
}
