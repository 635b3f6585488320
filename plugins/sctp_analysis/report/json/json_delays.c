/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The member "message_delay" of a direction. */
#include "json.h"
#include "section.h"

#define SCTPA_SECTION delay_spread
#define SCTPA_ABOUT "a spread of times, by nearest rank"
#define SCTPA_ROW sctpa_percentiles_t
#define SCTPA_MEMBERS "../rows/delay_spread_members.def"
#include "members.h"

#define SCTPA_SECTION stream_delay
#define SCTPA_ROW sctpa_message_delay_t
#define SCTPA_MEMBERS "../rows/stream_delay_members.def"
#include "members.h"

static void write_stream_delays(json_dumper *json, const sctpa_view_t *view, const GArray *streams)
{
    for (unsigned i = 0; i < streams->len; i++) {
        object_stream_delay(json, view, NULL, &g_array_index(streams, sctpa_message_delay_t, i));
        sctpa_json_offer(json);
    }
}

#define SCTPA_SECTION message_delay
#define SCTPA_ROW sctpa_message_delays_t
#define SCTPA_MEMBERS "../rows/message_delay_members.def"
#include "members.h"

void sctpa_json_delays(json_dumper *json, const sctpa_view_t *view, const char *name,
                       const sctpa_message_delays_t *delays)
{
    object_message_delay(json, view, name, delays && delays->all.messages > 0 ? delays : NULL);
}
