/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the programs that judge captures read and print alike: a profile, the frames of a finding. */
#ifndef TEST_MODEL_CORE_WORDS_H
#define TEST_MODEL_CORE_WORDS_H

#include <string.h>

#include "sctpa.h"

/* The profile of a word: "9260", "4960", else both. */
static inline sctpa_profile_t profile_of(const char *word)
{
    if (strcmp(word, "9260") == 0)
        return SCTPA_PROFILE_9260;
    return strcmp(word, "4960") == 0 ? SCTPA_PROFILE_4960 : SCTPA_PROFILE_BOTH;
}

/* "4,7,9" */
static inline void print_frames(const sctpa_t *sctpa, const sctpa_finding_t *finding)
{
    for (unsigned i = 0; i < finding->n_packets; i++)
        g_print("%s%u", i ? "," : "", sctpa_packet_frame(sctpa, finding->packets[i]));
}

#endif
