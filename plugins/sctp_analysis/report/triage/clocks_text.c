/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the two capture points of an association and compares their clocks. */
#include "clocks_text.h"

#include "../text/text.h"

static const sctpa_two_taps_t *most_compared(const sctpa_assoc_t *assoc)
{
    const sctpa_two_taps_t *most = NULL;
    for (unsigned path = 0; path < assoc->ends[0].n_paths; path++) {
        const sctpa_two_taps_t *taps = assoc->ends[0].paths[path].probing->two_taps;
        if (taps && taps->both > (most ? most->both : 0) && sctpa_two_taps_counterpart(&assoc->ends[1], taps))
            most = taps;
    }
    return most;
}

void sctpa_clocks_append_ahead(GString *text, const sctpa_assoc_t *assoc)
{
    const sctpa_two_taps_t *taps = most_compared(assoc);
    int64_t ahead_ns, within_ns;
    if (!taps || !sctpa_two_taps_ahead(&assoc->ends[1], taps, &ahead_ns, &within_ns))
        return;
    g_string_append(text, ": ");
    if (ABS(ahead_ns) <= within_ns) {
        g_string_append_printf(text, "the clocks of interfaces %u and %u agree as far as can be told, ",
                               taps->interfaces[0], taps->interfaces[1]);
    } else {
        const unsigned early = ahead_ns < 0;
        g_string_append_printf(text, "the clock of interface %u is ", taps->interfaces[1]);
        sctpa_text_duration(text, ABS(ahead_ns));
        g_string_append_printf(text, " %s that of interface %u, ", early ? "behind" : "ahead of", taps->interfaces[0]);
    }
    g_string_append(text, "to within ");
    sctpa_text_duration(text, within_ns);
}
