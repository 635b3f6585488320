/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following answers that are stamped before what they answer. */
#include "clocks.h"

#include <glib.h>

static bool is_shown(const sctpa_early_answers_t *answers)
{
    return answers->is_sure || answers->pairs >= SCTPA_CLOCKS_PAIRS_LEAST;
}

void sctpa_clocks_take(sctpa_clocks_t *clocks, uint8_t endpoint, int64_t early_ns, int64_t back_ns, uint32_t index,
                       bool is_sure)
{
    sctpa_early_answers_t *answers = &clocks->of[endpoint];
    const bool is_known = back_ns >= 0;
    if (early_ns <= 0 || (is_known && early_ns > back_ns))
        return;
    if (answers->pairs == 0)
        answers->first = index;
    answers->pairs = (uint16_t)MIN(answers->pairs + 1, UINT16_MAX);
    answers->early_ns = MAX(answers->early_ns, early_ns);
    answers->is_sure |= is_sure && is_known;
}

bool sctpa_clocks_differ(const sctpa_clocks_t *clocks, const int64_t rtt_ns[2], sctpa_clock_difference_t *difference)
{
    const int64_t error_ns = sctpa_clocks_error_ns(clocks);
    if (error_ns == 0)
        return false;
    const uint8_t early = is_shown(&clocks->of[1]) && clocks->of[1].early_ns == error_ns;
    const int64_t back_ns = rtt_ns[!early];
    *difference = (sctpa_clock_difference_t){ .least_ns = error_ns,
                                              .most_ns = back_ns >= error_ns ? back_ns : -1,
                                              .first = clocks->of[early].first,
                                              .pairs = clocks->of[early].pairs,
                                              .early = early };
    return true;
}

int64_t sctpa_clocks_error_ns(const sctpa_clocks_t *clocks)
{
    int64_t error_ns = 0;
    for (unsigned endpoint = 0; endpoint < 2; endpoint++)
        if (is_shown(&clocks->of[endpoint]))
            error_ns = MAX(error_ns, clocks->of[endpoint].early_ns);
    return error_ns;
}
