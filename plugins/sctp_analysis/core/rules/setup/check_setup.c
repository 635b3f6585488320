/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of INIT and INIT ACK by themselves. Leaves out what they answer (check_setup_answer.c), cookies
 * (check_cookie.c) and what is sent too early (check_early.c). */
#include "reference/life/initialization.h"
#include "reference/life/initialization_limits.h"
#include "rules/limits.h"
#include "rules/rule_functions.h"

enum { A_RWND_LEAST_BYTES = 1500 };

static bool is_announced(const sctpa_context_t *c)
{
    return c->has_announced;
}

bool sctpa_HS_001_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "A packet containing an INIT chunk MUST have a zero Verification Tag." */
bool sctpa_HS_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->announced.vtag == 0)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "Verification Tag 0", SCTPA_WORDS("0x%08x", c->announced.vtag));
    return true;
}

static bool is_tag_zero(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->announced.tag != 0)
        return false;
    sctpa_violation_say(violation, "any Initiate Tag but 0", "0");
    return true;
}

bool sctpa_HS_002_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "The Initiate Tag is allowed to have any value except 0." */
bool sctpa_HS_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_tag_zero(c, violation);
}

bool sctpa_HS_003_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "The Initiate Tag MUST NOT take the value 0." */
bool sctpa_HS_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_tag_zero(c, violation);
}

bool sctpa_HS_004_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "The Advertised Receiver Window Credit MUST NOT be smaller than 1500." */
bool sctpa_HS_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t a_rwnd_bytes = sctpa_tlv_u32(&c->chunks[0].tlv, SCTPA_F_INIT_A_RWND);
    if (a_rwnd_bytes >= A_RWND_LEAST_BYTES)
        return false;
    sctpa_violation_say(violation, "1500 bytes or more", SCTPA_WORDS("%u bytes", a_rwnd_bytes));
    return true;
}

bool sctpa_HS_005_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "The value of 0 MUST NOT be used" */
bool sctpa_HS_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->announced.outbound > 0)
        return false;
    sctpa_violation_say(violation, "1 stream or more", "0");
    return true;
}

bool sctpa_HS_006_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "The value 0 MUST NOT be used." */
bool sctpa_HS_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->announced.inbound > 0)
        return false;
    sctpa_violation_say(violation, "1 stream or more", "0");
    return true;
}

bool sctpa_HS_008_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "MUST generate and send along with the INIT ACK chunk a State Cookie" */
bool sctpa_HS_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->announced.has_cookie)
        return false;
    sctpa_violation_say(violation, "parameter 7, State Cookie", "none");
    return true;
}

bool sctpa_HS_046_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "An implementation SHOULD make the cookie as small as possible to ensure interoperability." */
bool sctpa_HS_046_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint16_t bytes = c->chunks[0].tlv.length;
    if (!c->packet->fragmented && bytes <= SCTPA_INIT_ACK_LARGE_BYTES)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "one IP packet of at most " SCTPA_LIMIT_TEXT(SCTPA_INIT_ACK_LARGE_BYTES) " bytes",
                        SCTPA_WORDS("%u bytes%s", bytes, c->packet->fragmented ? " in IP fragments" : ""));
    return true;
}

bool sctpa_HS_023_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return is_announced(c) && i && i->endpoints[c->from].inits > 0;
}

/* "This MUST be repeated up to 'Max.Init.Retransmits' times." */
bool sctpa_HS_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t before = 0; /* how often the INIT was sent between these addresses */
    for (const sctpa_announcement_t *a = sctpa_initialization(c)->last; a; a = a->before)
        before += a->from == c->from && !a->is_ack && a->tag == c->announced.tag && a->pair == c->announced.pair;
    if (before < SCTPA_SETUP_ATTEMPTS)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, SCTPA_WORDS("at most %d retransmissions of an INIT", SCTPA_SETUP_ATTEMPTS - 1),
                        SCTPA_WORDS("%u to this address", before));
    return true;
}
