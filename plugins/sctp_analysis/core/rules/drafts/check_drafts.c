/* Rules of chunks of drafts: PKTDROP (draft-stewart-sctp-pktdrprep) and DTLS (draft-ietf-tsvwg-sctp-dtls-chunk). Notes
 * only. */
#include "rules/chapters.h"

bool sctpa_DX_001_applies(const sctpa_context_t *c)
{
    return c->assoc->ends[!c->from].init.whole && !sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_PKTDROP_M);
}

/* The draft lists the chunk among the Supported Extensions. */
bool sctpa_DX_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->assoc->ends[!c->from].init.supported_chunks >> SCTPA_CHUNK_ROW_PKTDROP & 1)
        return false;
    sctpa_violation_say(violation, "no PKTDROP: the peer did not list it", "PKTDROP");
    return true;
}

bool sctpa_DX_003_applies(const sctpa_context_t *c)
{
    return c->assoc->ends[0].init.whole && c->assoc->ends[1].init.whole;
}

/* The draft negotiates the chunk by the parameter. */
bool sctpa_DX_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->assoc->ends[0].init.params & c->assoc->ends[1].init.params &
        UINT64_C(1) << SCTPA_PARAM_ROW_DTLS_KEY_MANAGEMENT)
        return false;
    sctpa_violation_say(violation, "DTLS Key Management from both endpoints", "a DTLS chunk without it");
    return true;
}
