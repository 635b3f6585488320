/* Judges chunks of drafts: PKTDROP (draft-stewart-sctp-pktdrprep) and DTLS (draft-ietf-tsvwg-sctp-dtls-chunk). Notes
 * only. */
#include "rules/context.h"

static void check_pktdrop(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    const sctpa_init_t *peer = &c->assoc->ends[!c->from].init;
    if (!chunk || sctpa_tlv_u32(chunk, SCTPA_F_PKTDROP_M) || !peer->whole ||
        !sctpa_may_judge(c, SCTPA_RULE_DX_001, c->from))
        return;
    /* the draft lists the chunk among the Supported Extensions */
    if (!(peer->supported_chunks >> SCTPA_CHUNK_ROW_PKTDROP & 1))
        sctpa_accuse(c, SCTPA_RULE_DX_001, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "no PKTDROP: the peer did not list it", "PKTDROP");
}

static void check_dtls(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    const sctpa_init_t *own = &c->assoc->ends[c->from].init, *peer = &c->assoc->ends[!c->from].init;
    if (!chunk || !own->whole || !peer->whole || !sctpa_may_judge(c, SCTPA_RULE_DX_003, c->from))
        return;
    /* the draft negotiates the chunk by the parameter */
    if (!(own->params & peer->params & UINT64_C(1) << SCTPA_PARAM_ROW_DTLS_KEY_MANAGEMENT))
        sctpa_accuse(c, SCTPA_RULE_DX_003, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "DTLS Key Management from both endpoints", "a DTLS chunk without it");
}

void sctpa_check_drafts(sctpa_context_t *c)
{
    check_pktdrop(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_PKTDROP));
    check_dtls(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_DTLS));
}
