/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws from the evidence for and against the senders of the family which of them fit. What INIT or INIT ACK suggests
 * (fingerprint.c) decides no more than which of them is called the best. */
#include "cwnd_paths.h"
#include "model/model.h"

enum {
    TELLING_LEAST = 3,
    FITTING_MOST = (SCTPA_FAMILY + 1) / 2 /* half of the family: where more fit, nothing is decided */
};

_Static_assert((unsigned)SCTPA_FAMILY <= SCTPA_SENDERS_MAX, "a result has room for every member");

/* The members that fit as well as any does; none where the best does not fit well enough itself. */
static uint32_t fitting(const sctpa_cwnd_sender_t *sender)
{
    const float tolerance = sctpa_cwnd_tolerance(sender);
    float least = sender->fit->misfits[0];
    uint32_t members = 0;
    for (unsigned i = 1; i < SCTPA_FAMILY; i++)
        least = MIN(least, sender->fit->misfits[i]);
    for (unsigned i = 0; least <= tolerance && i < SCTPA_FAMILY; i++)
        if (sender->fit->misfits[i] <= least + tolerance)
            members |= 1u << i;
    return members;
}

static unsigned number_of(uint32_t members)
{
    unsigned n = 0;
    for (; members != 0; members &= members - 1)
        n++;
    return n;
}

static void take_counting(const sctpa_cwnd_sender_t *sender, sctpa_sender_fit_t *fit)
{
    const bool headers = sctpa_member_counts_headers(fit->best);
    const sctpa_cwnd_telling_t *telling = &sender->fit->telling[headers];
    fit->counts_headers = SCTPA_UNKNOWN;
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        if (fit->fitting >> i & 1 && sctpa_member_counts_headers(i) != headers)
            return;
    if (telling->occasions < TELLING_LEAST)
        return;
    fit->counts_headers = headers ? SCTPA_YES : SCTPA_NO;
    fit->header_occasions = telling->occasions;
    fit->header_packet = telling->packet;
}

bool sctpa_sender_fit_of(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                         sctpa_sender_fit_t *fit)
{
    const sctpa_cwnd_assoc_t *state = sctpa_reference_find(store, tracked, SCTPA_PART_CONGESTION);
    const sctpa_cwnd_sender_t *sender = state ? state->senders[endpoint] : NULL;
    const sctpa_direction_t *sent = tracked->sides[endpoint].sent;
    if (!sender || sender->is_far || !sent || !sent->announced)
        return false;
    *fit = (sctpa_sender_fit_t){ .best = sender->best,
                                 .fitting = fitting(sender),
                                 .occasions = sender->fit->occasions,
                                 .packet = sender->fit->shown_packet };
    if (!(fit->fitting >> fit->best & 1) || number_of(fit->fitting) > FITTING_MOST)
        return false;
    for (unsigned i = 0; i < SCTPA_FAMILY; i++)
        fit->explained[i] = sender->fit->occasions - sender->fit->outside[i];
    take_counting(sender, fit);
    return true;
}
