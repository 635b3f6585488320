/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a window was closed, in words. What the causes are stands in measure/periods/window_use.h. */
#include "closed_window_text.h"

#include "text.h"

void sctpa_closed_append_wait(const sctpa_series_source_t *source, const sctpa_closed_t *closed, GString *text)
{
    uint32_t lost = sctpa_closed_losses(source, closed);
    g_string_append_printf(text, "waits for TSN %" G_GINT64_FORMAT, (gint64)closed->tsn);
    if (lost == 0)
        return;
    g_string_append(text, ", lost ");
    sctpa_text_quantity(text, lost, "time", NULL);
}

static void begin_cause(GString *text, gsize empty)
{
    g_string_append(text, text->len > empty ? "; " : "");
}

void sctpa_closed_append_gap_acked(const sctpa_series_source_t *source, const sctpa_closed_t *closed,
                                   uint32_t window_bytes, GString *text)
{
    uint64_t bytes = sctpa_closed_gap_acked_bytes(source, closed);
    if (window_bytes == 0) {
        sctpa_text_quantity(text, bytes, "byte", NULL);
    } else {
        sctpa_text_count(text, bytes, 20);
        g_string_append(text, " of ");
        sctpa_text_quantity(text, window_bytes, "byte", NULL);
    }
    g_string_append(text, " gap-acked");
}

void sctpa_closed_append_causes(const sctpa_series_source_t *source, const sctpa_closed_t *closed, GString *text)
{
    gsize empty = text->len;
    if (closed->reader_ns > 0)
        g_string_append(text, "slow reader");
    if (closed->waiting_ns > 0) {
        begin_cause(text, empty);
        sctpa_closed_append_wait(source, closed, text);
    }
    if (closed->reader_ns + closed->waiting_ns < closed->closed_ns) {
        begin_cause(text, empty);
        g_string_append(text, "not decidable");
    }
}
