/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dates of the revisions. Leaves out extensions: who sends one follows a draft of it at least. */
#include "revisions.h"

#include "base/time.h"

/* When a revision of the protocol was published: the end of its month. 0: it is none. */
static int64_t published_s(uint32_t rfc)
{
    static const struct {
        uint32_t rfc;
        int64_t published_s;
    } revisions[] = { { 3309, 1033430400 }, { 4960, 1191196800 }, { 9260, 1656633600 } };
    for (unsigned i = 0; i < G_N_ELEMENTS(revisions); i++)
        if (revisions[i].rfc == rfc)
            return revisions[i].published_s;
    return 0;
}

bool sctpa_revision_is_newer(const sctpa_rule_info_t *info, int64_t time_ns)
{
    static const int64_t first_rfc_s = 970358400; /* October 2000 */
    return time_ns >= first_rfc_s * SCTPA_NS_PER_S && time_ns < published_s(info->since) * SCTPA_NS_PER_S;
}

bool sctpa_revision_asks(const sctpa_rule_info_t *info)
{
    return published_s(info->since) > 0;
}
