/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chunks of drafts: PKTDROP (draft-stewart-sctp-pktdrprep) and DTLS (draft-ietf-tsvwg-sctp-dtls-chunk). Notes only.
 * */
#include "model/chapter.h"

RULE(DX, 001,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(PKTDROP),
    .accused = "sender of the chunk",
    .clause = "draft-stewart-sctp-pktdrprep",
    .title = "PKTDROP to a peer that did not list it",
    .quote = "",
    .why = "The peer skips it.",
    .evidence = "PKTDROP without the M bit, and the peer's INIT or INIT ACK, captured whole, does not list 0x81.",
    .doubt = "Middleboxes set the M bit. The draft may have changed and is not quoted: a note.");

static bool DX_001_applies(const sctpa_context_t *c)
{
    return sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_PKTDROP) != SCTPA_UNKNOWN &&
           !sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_PKTDROP_M);
}

/* The draft lists the chunk among the Supported Extensions. */
static bool DX_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_offers(&c->assoc->ends[!c->from].init, SCTPA_EXTENSION_PKTDROP) == SCTPA_YES)
        return false;
    sctpa_violation_say(violation, "no PKTDROP: the peer did not list it", "PKTDROP");
    return true;
}

RULE(DX, 003,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = SETUP | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(DTLS),
    .accused = "sender of the chunk",
    .clause = "draft-ietf-tsvwg-sctp-dtls-chunk",
    .title = "DTLS chunk without DTLS Key Management",
    .quote = "",
    .why = "The peer discards the packet.",
    .evidence = "Chunk type 0x41, although INIT and INIT ACK, captured whole, do not both have parameter 0x8006.",
    .doubt = "The code points are temporary. The draft may have changed and is not quoted: a note.");

static bool DX_003_applies(const sctpa_context_t *c)
{
    return sctpa_negotiated(c->assoc, SCTPA_EXTENSION_DTLS_CHUNKS) != SCTPA_UNKNOWN;
}

/* The draft negotiates the chunk by the parameter. */
static bool DX_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_negotiated(c->assoc, SCTPA_EXTENSION_DTLS_CHUNKS) == SCTPA_YES)
        return false;
    sctpa_violation_say(violation, "DTLS Key Management from both endpoints", "a DTLS chunk without it");
    return true;
}

void sctpa_check_drafts(sctpa_context_t *c)
{
    ASK(DX, 001);
    ASK(DX, 003);
}
