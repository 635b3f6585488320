/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the main window about the open capture; under tshark counts its frames through Wireshark's "frame" tap. */
#include "capture_facts.h"

#include "../compat.h"

#include <cfile.h>
#include <epan/packet.h>
#include <epan/plugin_if.h>
#include <epan/tap.h>

#include "../preferences.h"

static sctpa_capture_t counted;

static int64_t in_ns(const nstime_t *time)
{
    return sctpa_ns_of(time->secs, time->nsecs);
}

static void forget(void *data)
{
    (void)data;
    memset(&counted, 0, sizeof counted);
}

static tap_packet_status count(void *data, packet_info *pinfo, epan_dissect_t *edt, const void *nothing,
                               tap_flags_t flags)
{
    (void)data;
    (void)edt;
    (void)nothing;
    (void)flags;
    counted.end_ns = in_ns(&pinfo->abs_ts);
    if (counted.frames++ == 0)
        counted.start_ns = counted.end_ns;
    return TAP_PACKET_DONT_REDRAW;
}

void sctpa_capture_watch(void)
{
    static bool is_watching;
    if (is_watching)
        return;
    GString *error = register_tap_listener("frame", &counted, NULL, TL_REQUIRES_NOTHING, forget, count, NULL, NULL);
    is_watching = error == NULL;
    if (error != NULL)
        g_string_free(error, TRUE);
}

/* Called by the main window only. */
static void *ask_window(capture_file *file, void *result)
{
    static char *name;
    sctpa_capture_t *capture = (sctpa_capture_t *)result;
    memset(capture, 0, sizeof *capture);
    capture->has_window = true;
    const char *now = file != NULL ? file->filename : NULL;
    if (g_strcmp0(name, now) != 0) {
        g_free(name);
        name = g_strdup(now);
    }
    capture->file = name;
    if (file != NULL && file->provider.frames != NULL && file->count > 0) {
        capture->frames = file->count;
        capture->start_ns = in_ns(&frame_data_sequence_find(file->provider.frames, 1)->abs_ts);
        capture->end_ns = in_ns(&frame_data_sequence_find(file->provider.frames, file->count)->abs_ts);
    }
    return NULL;
}

void sctpa_capture_read(sctpa_capture_t *capture)
{
    const char *preferred = sctpa_preferences()->capture_name;
    *capture = counted;
    capture->file = preferred != NULL && preferred[0] ? preferred : NULL;
    plugin_if_get_capture_file(ask_window, capture);
}
