/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must hold once associations were forgotten: they are none for whoever looks, and when each was, nothing is held
 * for any. For fuzz bodies. */
#ifndef FORGET_CHECK_H
#define FORGET_CHECK_H

#include <glib.h>

#include "../../plugins/sctp_analysis/core/analysis.h"

/* Forgets the association that a number stands for, if there are any. */
static inline void forget_one(sctpa_t *sctpa, uint32_t number)
{
    if (sctpa_assoc_count(sctpa) == 0)
        return;
    number %= sctpa_assoc_count(sctpa);
    sctpa_forget(sctpa, number);
    g_assert_cmpuint(sctpa_assoc(sctpa, number)->number, ==, SCTPA_NO_ASSOC);
}

/* Forgets all, in an order that seed chooses. */
static inline void forget_all(sctpa_t *sctpa, uint32_t seed)
{
    uint32_t n = sctpa_assoc_count(sctpa);
    for (uint32_t i = 0; i < n; i++)
        forget_one(sctpa, seed % 2 ? i : n - 1 - i);
    for (uint32_t i = 0; i < n; i++)
        sctpa_forget(sctpa, i);
    g_assert_cmpuint(sctpa_held_bytes(sctpa), ==, 0);
}

#endif
