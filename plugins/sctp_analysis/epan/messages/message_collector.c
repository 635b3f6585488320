/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One listener of the tap per filter. The listener's own filter names the fields of applications.def, since dissectors
 * fill fields only where a filter names them. Wireshark dissects packets again whenever it filters the list: only the
 * first dissection of each counts, so that what readers see changes together with the analysis. */
#include "message_collector.h"

#include "../compat.h"

#include <epan/packet.h>
#include <epan/tap.h>

#include "../dissector/open_analysis.h"
#include "applications.h"
#include "message_tree.h"

typedef struct {
    char *filter; /* NULL: all packets */
    sctpa_messages_t *messages;
    uint32_t analysis;    /* number of the one that they are of */
    uint32_t next_packet; /* the packets before were taken */
} collector_t;

static GPtrArray *collectors; /* collector_t */

/* Forgets the messages of another analysis. */
static void follow_analysis(collector_t *collector)
{
    if (collector->analysis == sctpa_analysis_number())
        return;
    collector->analysis = sctpa_analysis_number();
    collector->next_packet = 0;
    sctpa_messages_reset(collector->messages);
}

static void begin(void *data)
{
    follow_analysis((collector_t *)data);
}

static tap_packet_status take_packet(void *data, packet_info *pinfo, epan_dissect_t *edt, const void *tapped,
                                     tap_flags_t flags)
{
    collector_t *collector = (collector_t *)data;
    const sctpa_tap_packet_t *tap = (const sctpa_tap_packet_t *)tapped;
    (void)pinfo;
    (void)flags;
    follow_analysis(collector);
    if (tap->index < collector->next_packet)
        return TAP_PACKET_DONT_REDRAW;
    collector->next_packet = tap->index + 1;
    sctpa_message_tree_take(collector->messages, tap, edt);
    return TAP_PACKET_DONT_REDRAW;
}

static void free_collector(void *data)
{
    collector_t *collector = (collector_t *)data;
    sctpa_messages_free(collector->messages);
    g_free(collector->filter);
    g_free(collector);
}

static collector_t *collector_of(const char *filter)
{
    for (guint i = 0; collectors != NULL && i < collectors->len; i++) {
        collector_t *collector = (collector_t *)g_ptr_array_index(collectors, i);
        if (g_strcmp0(collector->filter, filter) == 0)
            return collector;
    }
    return NULL;
}

GString *sctpa_message_collector_start(const char *filter)
{
    if (collector_of(filter) != NULL)
        return NULL;
    collector_t *collector = g_new0(collector_t, 1);
    GString *named = g_string_new(NULL);
    collector->filter = g_strdup(filter);
    collector->messages = sctpa_messages_new();
    sctpa_applications_prepare();
    sctpa_applications_filter(named, filter);
    GString *error = register_tap_listener("sctp_analysis", collector, named->str, TL_REQUIRES_NOTHING, begin,
                                           take_packet, NULL, NULL);
    g_string_free(named, TRUE);
    if (error != NULL) {
        free_collector(collector);
        return error;
    }
    if (collectors == NULL)
        collectors = g_ptr_array_new();
    g_ptr_array_add(collectors, collector);
    return NULL;
}

void sctpa_message_collector_stop(const char *filter)
{
    collector_t *collector = collector_of(filter);
    if (collector == NULL)
        return;
    remove_tap_listener(collector);
    g_ptr_array_remove(collectors, collector);
    free_collector(collector);
}

const sctpa_messages_t *sctpa_message_collector_messages(const char *filter)
{
    collector_t *collector = collector_of(filter);
    if (collector == NULL)
        return NULL;
    follow_analysis(collector);
    return collector->messages;
}
