/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of chunks of drafts: PKTDROP (draft-stewart-sctp-pktdrprep) and DTLS (draft-ietf-tsvwg-sctp-dtls-chunk). Notes
 * only. */
#include "rules/rule_functions.h"

bool sctpa_DX_001_applies(const sctpa_context_t *c)
{
    return sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_PKTDROP) != SCTPA_UNKNOWN &&
           !sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_PKTDROP_M);
}

/* The draft lists the chunk among the Supported Extensions. */
bool sctpa_DX_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_PKTDROP) == SCTPA_YES)
        return false;
    sctpa_violation_say(violation, "no PKTDROP: the peer did not list it", "PKTDROP");
    return true;
}

bool sctpa_DX_003_applies(const sctpa_context_t *c)
{
    return sctpa_negotiated(c->assoc, SCTPA_EXTENSION_DTLS_CHUNKS) != SCTPA_UNKNOWN;
}

/* The draft negotiates the chunk by the parameter. */
bool sctpa_DX_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_negotiated(c->assoc, SCTPA_EXTENSION_DTLS_CHUNKS) == SCTPA_YES)
        return false;
    sctpa_violation_say(violation, "DTLS Key Management from both endpoints", "a DTLS chunk without it");
    return true;
}
