/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What two capture points show together: packets that were lost between them, and what lies between their clocks. */
#include "triage.h"

#include "../text/text.h"
#include "triage_moves.h"

/* Packets of a path. Returns those that were lost. */
static uint32_t append_lost(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                            unsigned path, GString *text)
{
    sctpa_two_taps_result_t transit;
    if (!sctpa_two_taps_result(assoc, (uint8_t)end, (uint16_t)path, &transit) || transit.lost == 0)
        return 0;
    sctpa_text_separate(text);
    sctpa_text_count(text, transit.lost, 20);
    g_string_append(text, " of ");
    sctpa_text_quantity(text, (uint64_t)transit.lost + transit.both, "packet", NULL);
    if (assoc->ends[end].n_paths > 1) {
        g_string_append(text, " to ");
        sctpa_triage_append_path(trouble, &assoc->ends[end], path, text);
    }
    g_string_append_printf(text, " passed interface %u and not interface %u", transit.near_interface,
                           transit.far_interface);
    return transit.lost;
}

void sctpa_between_taps_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    if (sctpa_taps(trouble->view->sctpa, assoc->number) != SCTPA_TAPS_TWO)
        return;
    trouble->has_two_taps = true;
    trouble->has_failed_between |= sctpa_view_outcome(trouble->view, assoc).end == SCTPA_ASSOC_FAILED;
    for (unsigned end = 0; end < 2; end++) {
        GString *text = g_string_new(NULL);
        uint64_t lost = 0;
        for (unsigned path = 0; path < assoc->ends[end].n_paths; path++)
            lost += append_lost(trouble, assoc, end, path, text);
        sctpa_paragraphs_row_t *row =
            lost > 0 ? sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_BETWEEN], assoc, end, lost) : NULL;
        if (row)
            g_string_append(row->sentence, text->str);
        g_string_free(text, TRUE);
    }
}
