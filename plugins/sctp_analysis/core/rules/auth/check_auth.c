/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of authentication: what INIT and INIT ACK announce of it. What authenticates packets stands in
 * check_auth_chunks.c. */
#include "reference/life/authentication.h"
#include "rules/rule_functions.h"

enum { LIST_AT = SCTPA_TLV_HEADER_BYTES };

static const uint64_t auth_params = SCTPA_PARAM_BIT(RANDOM) | SCTPA_PARAM_BIT(CHUNKS) | SCTPA_PARAM_BIT(HMAC_ALGO);

static const char *presence(const sctpa_param_list_t *params, uint64_t param)
{
    return params->rows & param ? "there" : "missing";
}

bool sctpa_AU_001_applies(const sctpa_context_t *c)
{
    const sctpa_param_list_t *params = sctpa_context_params(c);
    return params->sound && params->rows & (SCTPA_PARAM_BIT(RANDOM) | SCTPA_PARAM_BIT(CHUNKS));
}

/* "MUST send one RANDOM parameter in its INIT or INIT-ACK chunk"; "MUST include in the INIT and INIT-ACK a HMAC-ALGO
 * parameter" */
bool sctpa_AU_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint64_t both = SCTPA_PARAM_BIT(RANDOM) | SCTPA_PARAM_BIT(HMAC_ALGO);
    const sctpa_param_list_t *params = sctpa_context_params(c);
    if ((params->rows & both) == both)
        return false;
    sctpa_violation_say(violation, "RANDOM and HMAC-ALGO",
                        SCTPA_WORDS("RANDOM %s, CHUNKS %s, HMAC-ALGO %s", presence(params, SCTPA_PARAM_BIT(RANDOM)),
                                    presence(params, SCTPA_PARAM_BIT(CHUNKS)),
                                    presence(params, SCTPA_PARAM_BIT(HMAC_ALGO))));
    return true;
}

bool sctpa_AU_017_applies(const sctpa_context_t *c)
{
    const sctpa_param_list_t *params = sctpa_context_params(c);
    return params->sound && params->rows & auth_params;
}

/* "MUST be included once in the INIT or INIT-ACK chunk" */
bool sctpa_AU_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint64_t repeated = sctpa_context_params(c)->repeated & auth_params;
    if (!repeated)
        return false;
    sctpa_violation_say(violation, "each parameter once",
                        SCTPA_WORDS("more than one %s", repeated & SCTPA_PARAM_BIT(RANDOM)   ? "RANDOM"
                                                        : repeated & SCTPA_PARAM_BIT(CHUNKS) ? "CHUNKS"
                                                                                             : "HMAC-ALGO"));
    return true;
}

bool sctpa_AU_002_applies(const sctpa_context_t *c)
{
    return sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(RANDOM);
}

/* "The RANDOM parameter MUST contain a 32-byte Random Number." */
bool sctpa_AU_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool has_random;
    int bytes;
    if (!sctpa_authentication_is_random_wrong(sctpa_context_params(c), &has_random, &bytes))
        return false;
    sctpa_violation_say(violation, "32 bytes", SCTPA_WORDS("%d bytes", bytes));
    return true;
}

/* A list of the INIT or INIT ACK, whose parameters are sound; NULL: none. */
static const sctpa_tlv_t *find_list(const sctpa_context_t *c, unsigned row)
{
    return sctpa_context_params(c)->sound ? sctpa_context_param(c, row) : NULL;
}

bool sctpa_AU_004_applies(const sctpa_context_t *c)
{
    return find_list(c, SCTPA_PARAM_ROW_CHUNKS) != NULL;
}

/* "The chunk types for INIT, INIT-ACK, SHUTDOWN-COMPLETE, and AUTH chunks MUST NOT be listed in the CHUNKS parameter."
 */
bool sctpa_AU_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *list = find_list(c, SCTPA_PARAM_ROW_CHUNKS);
    for (uint32_t at = LIST_AT; at < list->captured_bytes; at++) {
        uint8_t type = list->bytes[at];
        if (type == SCTPA_CHUNK_INIT || type == SCTPA_CHUNK_INIT_ACK || type == SCTPA_CHUNK_SHUTDOWN_COMPLETE ||
            type == SCTPA_CHUNK_AUTH) {
            sctpa_violation_say(violation, "neither INIT, INIT ACK, SHUTDOWN COMPLETE nor AUTH",
                                SCTPA_WORDS("chunk type %u is listed", type));
            return true;
        }
    }
    return false;
}

bool sctpa_AU_005_applies(const sctpa_context_t *c)
{
    return find_list(c, SCTPA_PARAM_ROW_HMAC_ALGO) != NULL;
}

/* "The HMAC algorithm based on SHA-1 MUST be supported and included in the HMAC-ALGO parameter." */
bool sctpa_AU_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *list = find_list(c, SCTPA_PARAM_ROW_HMAC_ALGO);
    for (uint32_t at = LIST_AT; at + 2 <= list->captured_bytes; at += 2)
        if (sctpa_be16(list->bytes + at) == SCTPA_HMAC_SHA1)
            return false;
    sctpa_violation_say(violation, "HMAC identifier 1 (SHA-1) in the list",
                        SCTPA_WORDS("%u identifiers, 1 is not among them", (list->captured_bytes - LIST_AT) / 2));
    return true;
}

bool sctpa_AU_003_applies(const sctpa_context_t *c)
{
    const sctpa_authentication_t *peer = sctpa_authentication(c, !c->from);
    return sctpa_authentication(c, c->from)->has_random && (peer->has_random || peer->has_hmac_algo);
}

/* "If the Random Number is not 32 bytes, the association MUST be aborted." */
bool sctpa_AU_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_authentication_t *peer = sctpa_authentication(c, !c->from);
    if (!peer->has_wrong_random || peer->has_other_random || c->rows & SCTPA_ROW(ABORT))
        return false;
    violation->related = sctpa_authentication_packets(c, !c->from)->wrong_random_packet;
    sctpa_violation_say(violation, "ABORT, since RANDOM is not 32 bytes long",
                        c->rows & SCTPA_ROW(COOKIE_ECHO) ? "COOKIE ECHO" : "COOKIE ACK");
    return true;
}
