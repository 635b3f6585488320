/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of AUTH chunks, and of chunks that should have come after one. What is announced stands in check_auth.c. */
#include "reference/life/authentication.h"
#include "reference/requests/asconf.h"
#include "rules/rule_functions.h"

enum { HMAC_CAUSE_BYTES = 6 };

/* Rules of AUTH are about the first one of a packet. */
static bool is_first_auth(const sctpa_context_t *c)
{
    return c->chunk == &c->chunks[c->auth_at];
}

bool sctpa_AU_010_applies(const sctpa_context_t *c)
{
    return is_first_auth(c) && sctpa_authentication_verifies_again(c, &c->chunk->tlv);
}

/* RFC 4895 6.2: "The sender MUST calculate the Message Authentication Code (MAC) ... using the hash function H as
 * described by the HMAC Identifier and the shared association key K" */
bool sctpa_AU_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_auth_packets_t *packets = sctpa_authentication_packets(c, c->from);
    if (!packets->has_wrong)
        return false;
    violation->related = packets->wrong_packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("an HMAC with key %u that verifies, as in frames %u and %u", packets->key_id,
                                    sctpa_context_frame(c, packets->good_packet), c->packet->frame),
                        SCTPA_WORDS("another HMAC in frame %u", sctpa_context_frame(c, packets->wrong_packet)));
    return true;
}

bool sctpa_AU_006_applies(const sctpa_context_t *c)
{
    return !(c->record->remarks & SCTPA_CAPTURE_OFFLOAD);
}

/* "The control chunk AUTH MUST NOT appear more than once in an SCTP packet." */
bool sctpa_AU_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned n = sctpa_authentication_chunks(c);
    if (n <= 1)
        return false;
    sctpa_violation_say(violation, "one AUTH chunk", SCTPA_WORDS("%u", n));
    return true;
}

/* Is id in the HMAC-ALGO parameter, the last of a key vector? Unknown: there is no list. */
static sctpa_known_t is_listed(const sctpa_bytes_t *vector, uint32_t id)
{
    uint32_t at = 0, length = 0;
    for (; vector && at + SCTPA_TLV_HEADER_BYTES <= vector->length; at += length) {
        length = sctpa_be16(vector->data + at + 2);
        if (length < SCTPA_TLV_HEADER_BYTES || at + length > vector->length)
            return SCTPA_UNKNOWN;
        if (sctpa_be16(vector->data + at) != SCTPA_PARAM_HMAC_ALGO)
            continue;
        for (uint32_t i = at + SCTPA_TLV_HEADER_BYTES; i + 2 <= at + length; i += 2)
            if (sctpa_be16(vector->data + i) == id)
                return SCTPA_YES;
        return SCTPA_NO;
    }
    return SCTPA_UNKNOWN;
}

static uint32_t hmac_id(const sctpa_context_t *c)
{
    return sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_AUTH_HMAC_ID);
}

static sctpa_known_t is_id_listed(const sctpa_context_t *c)
{
    return is_listed(c->assoc->ends[!c->from].key_vector, hmac_id(c));
}

bool sctpa_AU_008_applies(const sctpa_context_t *c)
{
    return is_first_auth(c) && is_id_listed(c) != SCTPA_UNKNOWN;
}

/* "This parameter is used to list the HMAC Identifiers the peer MUST use." */
bool sctpa_AU_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (is_id_listed(c) == SCTPA_YES)
        return false;
    sctpa_violation_say(violation, "an HMAC identifier that the peer listed", SCTPA_WORDS("%u", hmac_id(c)));
    return true;
}

bool sctpa_AU_009_applies(const sctpa_context_t *c)
{
    return is_first_auth(c) && sctpa_hmac_bytes(hmac_id(c)) > 0;
}

/* "This value holds the length of the HMAC in bytes plus 8." */
bool sctpa_AU_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t expected = c->chunk->tlv.row->fixed_bytes + sctpa_hmac_bytes(hmac_id(c));
    if (c->chunk->tlv.length == expected)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("length %u for HMAC identifier %u", expected, hmac_id(c)),
                        SCTPA_WORDS("%u", c->chunk->tlv.length));
    return true;
}

bool sctpa_AU_013_applies(const sctpa_context_t *c)
{
    return is_first_auth(c);
}

/* "SHOULD be set to zero on transmit and MUST be ignored on receipt." */
bool sctpa_AU_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->chunk->tlv.flags == 0)
        return false;
    sctpa_violation_say(violation, "flags 0", SCTPA_WORDS("flags 0x%02x", c->chunk->tlv.flags));
    return true;
}

bool sctpa_AU_015_applies(const sctpa_context_t *c)
{
    return sctpa_authentication(c, !c->from)->is_whole;
}

/* "each endpoint knows its own Random Number and the peer's Random Number after the association has been established"
 */
bool sctpa_AU_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_authentication_t *peer = sctpa_authentication(c, !c->from);
    if (peer->has_random && peer->has_hmac_algo)
        return false;
    sctpa_violation_say(violation, "no AUTH: the peer announced none", "AUTH chunk");
    return true;
}

/* Chunks of the packet that the peer wants authenticated. ABORT, ERROR and SHUTDOWN ACK may come from a host without
 * the association; the others cannot be authenticated. */
static uint64_t requested(const sctpa_context_t *c)
{
    const uint64_t exempt = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(AUTH) |
                            SCTPA_ROW(ABORT) | SCTPA_ROW(ERROR) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(OTHER);
    return c->assoc->ends[!c->from].init.auth_chunks & c->rows & ~exempt;
}

bool sctpa_AU_007_applies(const sctpa_context_t *c)
{
    const uint64_t both = SCTPA_PARAM_BIT(RANDOM) | SCTPA_PARAM_BIT(HMAC_ALGO);
    return requested(c) && (c->assoc->ends[c->from].init.params & both) == both;
}

/* "Endpoints MUST send all requested chunks that have been authenticated where this has been requested by the peer." */
bool sctpa_AU_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint64_t rows = requested(c);
    for (unsigned i = 0; i < c->auth_at; i++) {
        unsigned row = c->chunks[i].row;
        if (rows >> row & 1) {
            sctpa_violation_say(
                violation, SCTPA_WORDS("AUTH before %s, which the peer wants authenticated", sctpa_chunk_row_word(row)),
                SCTPA_WORDS("%s without AUTH", sctpa_chunk_row_word(row)));
            return true;
        }
    }
    return false;
}

bool sctpa_AU_011_applies(const sctpa_context_t *c)
{
    const sctpa_authentication_t *asker = sctpa_authentication(c, !c->from);
    return (asker->has_bare_asconf || asker->has_authenticated_asconf) && !sctpa_asconf_is_offered_bare(c, c->from);
}

/* "If this chunk is received unauthenticated it MUST be silently discarded" */
bool sctpa_AU_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_authentication_t *asker = sctpa_authentication(c, !c->from);
    const sctpa_auth_packets_t *packets = sctpa_authentication_packets(c, !c->from);
    uint32_t serial = sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_ASCONF_ACK_SERIAL);
    if (!asker->has_bare_asconf || asker->has_authenticated_asconf || packets->bare_asconf_serial != serial)
        return false;
    violation->related = packets->bare_asconf_packet;
    sctpa_violation_say(violation, "an ASCONF without AUTH discarded silently",
                        SCTPA_WORDS("ASCONF-ACK %u (on Linux: net.sctp.addip_noauth_enable)", serial));
    return true;
}

/* Is a cause Unsupported HMAC Identifier in the ERROR? *wrong: the length of the first that is not 6, 0 none. */
static bool has_hmac_cause(const sctpa_tlv_t *error, uint32_t *wrong)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    bool has = false;
    *wrong = 0;
    sctpa_params_begin(&iter, error);
    while (sctpa_tlv_next(&iter, &cause)) {
        if (cause.type != SCTPA_CAUSE_UNSUPPORTED_HMAC)
            continue;
        has = true;
        if (cause.length != HMAC_CAUSE_BYTES && *wrong == 0)
            *wrong = cause.length;
    }
    return has;
}

bool sctpa_AU_016_applies(const sctpa_context_t *c)
{
    uint32_t wrong;
    return has_hmac_cause(&c->chunk->tlv, &wrong);
}

/* "Cause Length: 2 bytes (unsigned integer) This value MUST be set to 6." */
bool sctpa_AU_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t wrong;
    has_hmac_cause(&c->chunk->tlv, &wrong);
    if (wrong == 0)
        return false;
    sctpa_violation_say(violation, "cause length 6", SCTPA_WORDS("cause length %u", wrong));
    return true;
}
