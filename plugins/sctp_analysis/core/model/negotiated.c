/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Offers of INIT and INIT ACK, by the table of extensions. */
#include "negotiated.h"

#include "data/observation.h"

typedef struct {
    uint64_t params, chunks; /* SCTPA_PARAM_BIT and SCTPA_ROW bits */
} extension_t;

static const extension_t extensions[SCTPA_EXTENSIONS] = {
#define SCTPA_EXTENSION(id, params, chunks) { params, chunks },
#include "negotiated.def"
};

sctpa_known_t sctpa_offers(const sctpa_init_t *init, sctpa_extension_t extension)
{
    if (init->params & extensions[extension].params || init->supported_chunks & extensions[extension].chunks)
        return SCTPA_YES;
    return init->seen && init->whole ? SCTPA_NO : SCTPA_UNKNOWN;
}

sctpa_known_t sctpa_negotiated(const sctpa_assoc_t *assoc, sctpa_extension_t extension)
{
    sctpa_known_t first = sctpa_offers(&assoc->ends[0].init, extension);
    if (first == SCTPA_NO)
        return SCTPA_NO;
    sctpa_known_t second = sctpa_offers(&assoc->ends[1].init, extension);
    if (second == SCTPA_NO)
        return SCTPA_NO;
    return first == SCTPA_YES && second == SCTPA_YES ? SCTPA_YES : SCTPA_UNKNOWN;
}

/* RFC 3758 3.3.1 goes by the parameter alone, RFC 5061 4.2.7 by the list as well. */
static bool is_announced_by_list(const sctpa_init_t *init)
{
    return init->supported_chunks & SCTPA_ROW(FORWARD_TSN) && !(init->params & SCTPA_PARAM_BIT(FORWARD_TSN_SUPPORTED));
}

sctpa_known_t sctpa_chunk_is_negotiated(const sctpa_assoc_t *assoc, unsigned row)
{
    sctpa_known_t all = SCTPA_YES;
    for (unsigned extension = 0; extension < SCTPA_EXTENSIONS; extension++) {
        const sctpa_known_t negotiated =
            extensions[extension].chunks >> row & 1 ? sctpa_negotiated(assoc, (sctpa_extension_t)extension) : SCTPA_YES;
        if (negotiated == SCTPA_NO)
            return SCTPA_NO;
        all = negotiated == SCTPA_UNKNOWN ? SCTPA_UNKNOWN : all;
    }
    if (row == SCTPA_CHUNK_ROW_FORWARD_TSN &&
        (is_announced_by_list(&assoc->ends[0].init) || is_announced_by_list(&assoc->ends[1].init)))
        return SCTPA_UNKNOWN;
    return all;
}

sctpa_known_t sctpa_given_up(const sctpa_assoc_t *assoc, const sctpa_direction_t *sent, int64_t number)
{
    int64_t given_up_to = sent ? sent->rare->abandoned_to : -1;
    const sctpa_tsn_t *tsn = number <= given_up_to ? sctpa_direction_tsn(sent, number) : NULL;
    if (tsn && tsn->state & SCTPA_TSN_ABANDONED)
        return SCTPA_YES;
    return given_up_to < 0 && sctpa_negotiated(assoc, SCTPA_EXTENSION_PARTIAL_RELIABILITY) == SCTPA_NO ? SCTPA_NO
                                                                                                       : SCTPA_UNKNOWN;
}
