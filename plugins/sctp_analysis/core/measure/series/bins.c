/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Widths of bins. */
#include "bins.h"

enum { BINS_WANTED = 400, WIDTH_MIN_NS = 1000 };

static int64_t step_at_least(uint64_t width_ns)
{
    uint64_t power = WIDTH_MIN_NS;
    while (5 * power < width_ns)
        power *= 10;
    return (int64_t)(power >= width_ns ? power : 2 * power >= width_ns ? 2 * power : 5 * power);
}

int64_t sctpa_bin_width_ns(uint64_t duration_ns)
{
    return step_at_least(duration_ns / BINS_WANTED + (duration_ns % BINS_WANTED > 0));
}

int64_t sctpa_bin_width_for(int64_t wanted_ns, uint64_t duration_ns)
{
    if (wanted_ns <= 0)
        return sctpa_bin_width_ns(duration_ns);
    if (duration_ns / (uint64_t)wanted_ns < SCTPA_BINS_MAX)
        return wanted_ns;
    return step_at_least(duration_ns / SCTPA_BINS_MAX + 1);
}
