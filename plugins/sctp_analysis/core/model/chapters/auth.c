/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Authentication (RFC 4895): what INIT and INIT ACK announce of it, AUTH chunks, and chunks that should have come
 * after one. Keeps what endpoints announced, which ASCONF came without AUTH, and which AUTH did not verify though
 * others with the same key did. Leaves out how HMACs are verified (track/feed/auth_verify.c). */
#include "model/chapter.h"

#include "model/shared/obligations.h"
/* Packets of an endpoint: what those do not have that neither authenticate nor try to. */
typedef struct {
    /* Its AUTH chunks that are verified with one key, the first of each packet: */
    uint16_t key_id, hmac_id;
    bool has_good : 1; /* one verified, the last before wrong_packet if there is one: with that key */
    bool has_wrong : 1;
    bool is_peer_alive : 1; /* the peer sent something since unverified_packet was first one */
    uint32_t good_packet,
        wrong_packet;             /* the last that verified; the first after it, with the same ids, that did not */
    uint32_t unverified_packet;   /* 1 + the last that should verify with the empty key, and did not; 0 none */
    uint32_t wrong_random_packet; /* of the last RANDOM of a wrong length */
    uint32_t bare_asconf_packet, bare_asconf_serial; /* the last ASCONF without AUTH before it */
} auth_packets_t;

/* Of an endpoint, by its INITs and INIT ACKs so far. */
typedef struct {
    bool has_random : 1, has_hmac_algo : 1;                 /* any of them announced it */
    bool is_whole : 1;                                      /* one was captured whole */
    bool has_wrong_random : 1;                              /* one had a RANDOM of a wrong length */
    bool has_other_random : 1;                              /* one had none, a right one, or was not captured whole */
    bool has_bare_asconf : 1, has_authenticated_asconf : 1; /* ASCONFs without AUTH before them, with it */
} authentication_t;

enum { RANDOM_BYTES = 32 }; /* RFC 4895 6.1 */

/* So many retransmissions are not lost one after the other while the peer sends packets: three are one in 37 thousand
 * where 3 % are lost. */
#define RETRANSMISSIONS_NOT_TAKEN 3

typedef struct {
    authentication_t endpoints[2];
} authentications_t;

typedef struct {
    auth_packets_t endpoints[2];
} both_auth_packets_t;

enum { LIST_AT = SCTPA_TLV_HEADER_BYTES };

enum { HMAC_CAUSE_BYTES = 6 };

/* What the endpoint announced before this packet. O(1). */
static const authentication_t *authentication(const sctpa_context_t *c, uint8_t endpoint)
{
    static const authentication_t nothing;
    return sctpa_context_part_of(c, SCTPA_PART_AUTH, endpoint, sizeof nothing, &nothing);
}

/* Its packets before this one. O(1). */
static const auth_packets_t *authentication_packets(const sctpa_context_t *c, uint8_t endpoint)
{
    static const auth_packets_t none;
    return sctpa_context_part_of(c, SCTPA_PART_AUTH_PACKETS, endpoint, sizeof none, &none);
}

static auth_packets_t *own_packets(const sctpa_context_t *c)
{
    both_auth_packets_t *kept = sctpa_context_part(c, SCTPA_PART_AUTH_PACKETS, sizeof *kept);
    return &kept->endpoints[c->from];
}

/* How many AUTH chunks the packet has. O(chunks). */
static unsigned authentication_chunks(const sctpa_context_t *c)
{
    unsigned n = 0;
    for (unsigned i = c->auth_at; i < c->n_chunks; i++)
        n += c->chunks[i].tlv.type == SCTPA_CHUNK_AUTH;
    return n;
}

/* Is the RANDOM of an INIT or INIT ACK with these parameters, if they are sound, not of 32 bytes? *has_random: there is
 * one; *bytes: of the random number. O(parameters). */
static bool authentication_is_random_wrong(const sctpa_param_list_t *params, bool *has_random, int *bytes)
{
    const sctpa_tlv_t *random = sctpa_param_list_find(params, SCTPA_PARAM_ROW_RANDOM);
    *has_random = random != NULL;
    *bytes = random ? (int)random->length - SCTPA_TLV_HEADER_BYTES : 0;
    return random && params->sound && *bytes != RANDOM_BYTES;
}

static void take_init(const sctpa_context_t *c, authentication_t *own, const sctpa_observed_t *init)
{
    const sctpa_param_list_t *params = sctpa_context_params_of(c, init);
    bool has_random;
    int bytes;
    if (authentication_is_random_wrong(params, &has_random, &bytes)) {
        own->has_wrong_random = true;
        own_packets(c)->wrong_random_packet = c->index;
    } else {
        own->has_other_random = true;
    }
    own->is_whole |= params->sound;
    own->has_random |= (params->rows & SCTPA_PARAM_BIT(RANDOM)) != 0;
    own->has_hmac_algo |= (params->rows & SCTPA_PARAM_BIT(HMAC_ALGO)) != 0;
}

static void take_asconf(const sctpa_context_t *c, authentication_t *own, unsigned at)
{
    if (sctpa_context_auth_covers(c, at)) {
        own->has_authenticated_asconf = true;
        return;
    }
    own->has_bare_asconf = true;
    own_packets(c)->bare_asconf_serial = sctpa_tlv_u32(&c->chunks[at].tlv, SCTPA_F_ASCONF_SERIAL);
    own_packets(c)->bare_asconf_packet = c->index;
}

static bool is_good(const sctpa_context_t *c)
{
    return c->record->auth == 1u + SCTPA_AUTH_GOOD;
}

static uint32_t hmac_id(const sctpa_context_t *c)
{
    return sctpa_tlv_u32(&c->chunk->tlv, SCTPA_F_AUTH_HMAC_ID);
}

static bool has_same_ids(const auth_packets_t *packets, const sctpa_tlv_t *chunk)
{
    return sctpa_tlv_has(chunk, SCTPA_F_AUTH_HMAC_ID) && packets->key_id == sctpa_tlv_u32(chunk, SCTPA_F_AUTH_KEY_ID) &&
           packets->hmac_id == sctpa_tlv_u32(chunk, SCTPA_F_AUTH_HMAC_ID);
}

/* Did the AUTH chunk, the first of the packet, verify with the key and algorithm of the last one of its sender that
 * did? O(1). */
static bool authentication_verifies_again(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    const auth_packets_t *packets = authentication_packets(c, c->from);
    return is_good(c) && packets->has_good && has_same_ids(packets, chunk);
}

/* Does the AUTH chunk, the only one of its packet, have all that it needs to be verified with the empty key: key
 * identifier 0, an algorithm that the peer lists, and the length of that? */
static bool is_verifiable(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    const sctpa_bytes_t *own = c->assoc->ends[c->from].key_vector, *peer = c->assoc->ends[!c->from].key_vector;
    if (!own || !peer || !sctpa_tlv_has(chunk, SCTPA_F_AUTH_HMAC_ID) || authentication_chunks(c) != 1 ||
        c->packet->captured_bytes < c->packet->wire_bytes || c->record->checksum != SCTPA_CHECKSUM_CRC32C)
        return false;
    const uint32_t id = sctpa_tlv_u32(chunk, SCTPA_F_AUTH_HMAC_ID), bytes = sctpa_hmac_bytes(id);
    return sctpa_tlv_u32(chunk, SCTPA_F_AUTH_KEY_ID) == 0 && bytes > 0 &&
           chunk->wire_bytes == chunk->row->fixed_bytes + bytes &&
           sctpa_key_vector_lists((sctpa_key_vector_t){ peer->data, peer->length }, id) == SCTPA_YES;
}

/* A packet that was changed on its way has a wrong checksum, too. */
static void take_auth(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    auth_packets_t *packets = own_packets(c);
    const uint32_t fixed_bytes = chunk->row->fixed_bytes;
    bool is_whole = c->packet->captured_bytes >= c->packet->wire_bytes;
    if (!is_good(c) && is_verifiable(c, chunk))
        packets->unverified_packet = c->index + 1;
    if (is_good(c)) {
        packets->key_id = (uint16_t)sctpa_tlv_u32(chunk, SCTPA_F_AUTH_KEY_ID);
        packets->hmac_id = (uint16_t)sctpa_tlv_u32(chunk, SCTPA_F_AUTH_HMAC_ID);
        packets->has_good = true;
        packets->good_packet = c->index;
        packets->has_wrong = false;
    } else if (packets->has_good && !packets->has_wrong && is_whole && authentication_chunks(c) == 1 &&
               has_same_ids(packets, chunk) && chunk->wire_bytes == fixed_bytes + sctpa_hmac_bytes(packets->hmac_id) &&
               c->record->checksum == SCTPA_CHECKSUM_CRC32C) {
        packets->has_wrong = true;
        packets->wrong_packet = c->index;
    }
}

/* Takes the packet. O(chunks). */
static void authentication_take(const sctpa_context_t *c)
{
    both_auth_packets_t *packets = sctpa_context_find_part(c, SCTPA_PART_AUTH_PACKETS);
    if (packets)
        packets->endpoints[!c->from].is_peer_alive |= packets->endpoints[!c->from].unverified_packet > 0;
    if (c->auth_at < c->n_chunks)
        take_auth(c, &c->chunks[c->auth_at].tlv);
    if (!(c->rows & (SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(ASCONF))))
        return;
    authentications_t *kept = sctpa_context_part(c, SCTPA_PART_AUTH, sizeof *kept);
    authentication_t *own = &kept->endpoints[c->from];
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (chunk->type == SCTPA_CHUNK_INIT || chunk->type == SCTPA_CHUNK_INIT_ACK)
            take_init(c, own, &c->chunks[i]);
        else if (chunk->type == SCTPA_CHUNK_ASCONF)
            take_asconf(c, own, i);
    }
}

static const char *presence(const sctpa_param_list_t *params, uint64_t param)
{
    return params->rows & param ? "there" : "missing";
}

RULE(AU, 001,
    .level = MUST, .since = 4895, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the INIT or INIT ACK",
    .clause = "RFC 4895 6.1",
    .title = "Authentication announced without RANDOM or HMAC-ALGO",
    .quote = "An SCTP endpoint willing to receive or send authenticated chunks MUST send one RANDOM parameter in its "
        "INIT or INIT-ACK chunk.",
    .why = "The peer assumes an endpoint without authentication, or refuses the association.",
    .evidence = "INIT or INIT ACK has CHUNKS or RANDOM, but not both RANDOM and HMAC-ALGO.",
    .doubt = "CHUNKS may be missing when its list would be empty; a list of parameters that is cut or malformed is not "
        "checked.");

static bool AU_001_applies(const sctpa_context_t *c)
{
    const sctpa_param_list_t *params = sctpa_context_params(c);
    return params->sound && params->rows & (SCTPA_PARAM_BIT(RANDOM) | SCTPA_PARAM_BIT(CHUNKS));
}

/* "MUST send one RANDOM parameter in its INIT or INIT-ACK chunk"; "MUST include in the INIT and INIT-ACK a HMAC-ALGO
 * parameter" */
static bool AU_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

static const uint64_t auth_params = SCTPA_PARAM_BIT(RANDOM) | SCTPA_PARAM_BIT(CHUNKS) | SCTPA_PARAM_BIT(HMAC_ALGO);

RULE(AU, 017,
    .level = MUST, .since = 4895, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the INIT or INIT ACK",
    .clause = "RFC 4895 3.1, 3.2, 3.3",
    .title = "RANDOM, CHUNKS or HMAC-ALGO more than once",
    .quote = "The RANDOM parameter MUST be included once in the INIT or INIT-ACK chunk",
    .why = "The endpoints may build different keys from them, so that no HMAC can be verified.",
    .evidence = "One of the three parameters stands twice in one INIT or INIT ACK.",
    .doubt = "Parameters quoted in Unrecognized Parameter or in the State Cookie do not count.");

static bool AU_017_applies(const sctpa_context_t *c)
{
    const sctpa_param_list_t *params = sctpa_context_params(c);
    return params->sound && params->rows & auth_params;
}

/* "MUST be included once in the INIT or INIT-ACK chunk" */
static bool AU_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(AU, 002,
    .level = MUST, .since = 4895, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the INIT or INIT ACK",
    .clause = "RFC 4895 6.1",
    .title = "RANDOM is not 32 bytes long",
    .quote = "The RANDOM parameter MUST contain a 32-byte Random Number.",
    .why = "The peer has to abort the association.",
    .evidence = "The length of the parameter is not 36.",
    .doubt = "A malformed list of parameters is not checked.");

static bool AU_002_applies(const sctpa_context_t *c)
{
    return sctpa_context_params(c)->rows & SCTPA_PARAM_BIT(RANDOM);
}

/* "The RANDOM parameter MUST contain a 32-byte Random Number." */
static bool AU_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool has_random;
    int bytes;
    if (!authentication_is_random_wrong(sctpa_context_params(c), &has_random, &bytes))
        return false;
    sctpa_violation_say(violation, "32 bytes", SCTPA_WORDS("%d bytes", bytes));
    return true;
}

/* A list of the INIT or INIT ACK, whose parameters are sound; NULL: none. */
static const sctpa_tlv_t *find_list(const sctpa_context_t *c, unsigned row)
{
    return sctpa_context_params(c)->sound ? sctpa_context_param(c, row) : NULL;
}

RULE(AU, 004,
    .level = MUST, .since = 4895, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the INIT or INIT ACK",
    .clause = "RFC 4895 3.2",
    .title = "CHUNKS lists INIT, INIT ACK, SHUTDOWN COMPLETE or AUTH",
    .quote = "The chunk types for INIT, INIT-ACK, SHUTDOWN-COMPLETE, and AUTH chunks MUST NOT be listed in the CHUNKS "
        "parameter.",
    .why = "These cannot be authenticated; a peer that follows the list cannot talk to the endpoint.",
    .evidence = "Value 1, 2, 14 or 15 inside the length of the parameter.",
    .doubt = "Padding after the parameter is not read.");

static bool AU_004_applies(const sctpa_context_t *c)
{
    return find_list(c, SCTPA_PARAM_ROW_CHUNKS) != NULL;
}

/* "The chunk types for INIT, INIT-ACK, SHUTDOWN-COMPLETE, and AUTH chunks MUST NOT be listed in the CHUNKS parameter."
 */
static bool AU_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(AU, 005,
    .level = MUST, .since = 4895, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the INIT or INIT ACK",
    .clause = "RFC 4895 6.1",
    .title = "HMAC-ALGO without SHA-1",
    .quote = "The HMAC algorithm based on SHA-1 MUST be supported and included in the HMAC-ALGO parameter.",
    .why = "A peer that supports only SHA-1, which every implementation must have, cannot authenticate.",
    .evidence = "Identifier 1 is not in the parameter.",
    .doubt = "Order does not matter. Systems hardened against SHA-1 violate the clause by choice; it is still a "
        "deviation.");

static bool AU_005_applies(const sctpa_context_t *c)
{
    return find_list(c, SCTPA_PARAM_ROW_HMAC_ALGO) != NULL;
}

/* "The HMAC algorithm based on SHA-1 MUST be supported and included in the HMAC-ALGO parameter." */
static bool AU_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *list = find_list(c, SCTPA_PARAM_ROW_HMAC_ALGO);
    for (uint32_t at = LIST_AT; at + 2 <= list->captured_bytes; at += 2)
        if (sctpa_be16(list->bytes + at) == SCTPA_HMAC_SHA1)
            return false;
    sctpa_violation_say(violation, "HMAC identifier 1 (SHA-1) in the list",
                        SCTPA_WORDS("%u identifiers, 1 is not among them", (list->captured_bytes - LIST_AT) / 2));
    return true;
}

RULE(AU, 020,
    .level = HEURISTIC, .since = 4895, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of the INIT or INIT ACK",
    .clause = "RFC 4895 3.3",
    .title = "HMAC-ALGO lists a reserved identifier",
    .quote = "Table 2 shows the currently defined values for HMAC Identifiers.",
    .why = "A peer that uses it cannot be understood.",
    .evidence = "Identifier 0 or 2 inside the length of the parameter.",
    .doubt = "The table has no keyword: a note. Identifiers above 3 may have been assigned and are not checked.");

static bool AU_020_applies(const sctpa_context_t *c)
{
    return find_list(c, SCTPA_PARAM_ROW_HMAC_ALGO) != NULL;
}

/* "Table 2 shows the currently defined values for HMAC Identifiers." */
static bool AU_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    enum { RESERVED_FIRST = 0, RESERVED_SECOND = 2 };
    const sctpa_tlv_t *list = find_list(c, SCTPA_PARAM_ROW_HMAC_ALGO);
    for (uint32_t at = LIST_AT; at + 2 <= list->captured_bytes; at += 2) {
        const uint16_t id = sctpa_be16(list->bytes + at);
        if (id != RESERVED_FIRST && id != RESERVED_SECOND)
            continue;
        sctpa_violation_say(violation, "defined identifiers", SCTPA_WORDS("identifier %u is listed", id));
        return true;
    }
    return false;
}

RULE(AU, 003,
    .level = MUST, .since = 4895, .seeing = MUST_HAVE, .needs = SETUP | BOTH | CHECKSUM,
    .when = PACKET, .on = ROW(COOKIE_ECHO) | ROW(COOKIE_ACK),
    .accused = "receiver of the INIT or INIT ACK",
    .clause = "RFC 4895 6.1",
    .title = "Association not aborted after a RANDOM of wrong length",
    .quote = "If the Random Number is not 32 bytes, the association MUST be aborted.",
    .why = "Keys are built from a shorter secret than the RFC allows.",
    .evidence = "An endpoint that announced RANDOM itself sends COOKIE ECHO or COOKIE ACK although every INIT and INIT "
        "ACK of the peer had a RANDOM of wrong length.",
    .doubt = "An endpoint without authentication skips the parameter: only one that announced it is checked. Nothing "
        "is reported when an INIT or INIT ACK had a right RANDOM, or was not captured whole.");

static bool AU_003_applies(const sctpa_context_t *c)
{
    const authentication_t *peer = authentication(c, !c->from);
    return authentication(c, c->from)->has_random && (peer->has_random || peer->has_hmac_algo);
}

/* "If the Random Number is not 32 bytes, the association MUST be aborted." */
static bool AU_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const authentication_t *peer = authentication(c, !c->from);
    if (!peer->has_wrong_random || peer->has_other_random || c->rows & SCTPA_ROW(ABORT))
        return false;
    violation->related = authentication_packets(c, !c->from)->wrong_random_packet;
    sctpa_violation_say(violation, "ABORT, since RANDOM is not 32 bytes long",
                        c->rows & SCTPA_ROW(COOKIE_ECHO) ? "COOKIE ECHO" : "COOKIE ACK");
    return true;
}

/* Rules of AUTH are about the first one of a packet. */
static bool is_first_auth(const sctpa_context_t *c)
{
    return c->chunk == &c->chunks[c->auth_at];
}

RULE(AU, 010,
    .level = MUST, .since = 4895, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(AUTH),
    .accused = "sender of the AUTH chunks",
    .clause = "RFC 4895 6.2",
    .title = "HMAC does not verify, though earlier and later ones do with the same key",
    .quote = "The sender MUST calculate the Message Authentication Code (MAC) (as described in RFC 2104 [2]) using the "
        "hash function H as described by the HMAC Identifier and the shared association key K",
    .why = "The receiver discards all chunks after the AUTH chunk without an answer.",
    .evidence = "Of three packets of the endpoint with the same key and HMAC identifiers, the HMACs of the first and "
        "the last verify, and one between, whose checksum is right, does not.",
    .doubt = "A middlebox that rewrites chunks and the checksum, such as one that translates addresses inside "
        "ASCONF, has the same effect. Without a configured key only the empty key of identifier 0 is tried.");

static bool AU_010_applies(const sctpa_context_t *c)
{
    return is_first_auth(c) && authentication_verifies_again(c, &c->chunk->tlv);
}

/* RFC 4895 6.2: "The sender MUST calculate the Message Authentication Code (MAC) ... using the hash function H as
 * described by the HMAC Identifier and the shared association key K" */
static bool AU_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const auth_packets_t *packets = authentication_packets(c, c->from);
    if (!packets->has_wrong)
        return false;
    violation->related = packets->wrong_packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("an HMAC with key %u that verifies, as in frames %u and %u", packets->key_id,
                                    sctpa_context_frame(c, packets->good_packet), c->packet->frame),
                        SCTPA_WORDS("another HMAC in frame %u", sctpa_context_frame(c, packets->wrong_packet)));
    return true;
}

RULE(AU, 018,
    .level = MUST, .since = 4895, .seeing = NOTHING, .needs = BOTH | CHECKSUM, .certainty = SCTPA_CERTAINTY_PROBABLE,
    .when = CHUNK, .of = OF_PEER, .on = ROW(AUTH),
    .report = { .once = true },
    .accused = "endpoint of which no HMAC verifies",
    .clause = "RFC 4895 6.1, 6.2",
    .title = "No HMAC verifies with the key by which those of the peer do",
    .quote = "it MUST use Shared Key Identifier zero with an empty endpoint pair shared key",
    .why = "The receiver discards all chunks after the AUTH chunk without an answer.",
    .evidence = "An HMAC of the peer verifies with key identifier 0, by the key that both endpoints make of their INIT "
        "and INIT ACK. Before, a packet of the endpoint with key identifier 0, an algorithm that its peer lists and a "
        "right checksum did not, nor did any other of it.",
    .doubt = "Probable: its user may have given it another key with identifier 0 than its peer has. A middlebox that "
        "rewrites chunks has the same effect in single packets.");

static bool AU_018_applies(const sctpa_context_t *c)
{
    return is_first_auth(c) && is_good(c) && is_verifiable(c, &c->chunk->tlv);
}

/* "it MUST use Shared Key Identifier zero with an empty endpoint pair shared key" */
static bool AU_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const auth_packets_t *packets = authentication_packets(c, !c->from);
    if (packets->has_good || packets->unverified_packet == 0)
        return false;
    violation->related = packets->unverified_packet - 1;
    sctpa_violation_say(violation, "an HMAC with key 0 that verifies, as that of the peer does",
                        SCTPA_WORDS("another HMAC in frame %u", sctpa_context_frame(c, violation->related)));
    return true;
}

RULE(AU, 019,
    .level = HEURISTIC, .since = 4895, .seeing = NOTHING, .needs = BOTH | WHOLE | CHECKSUM | COMPLETE,
    .certainty = SCTPA_CERTAINTY_PROBABLE,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(AUTH),
    .report = { .once = true },
    .accused = "sender of the AUTH chunks",
    .clause = "RFC 4895 6.2, 6.3",
    .title = "HMACs verify neither with the empty key nor at the peer",
    .quote = "it MUST use Shared Key Identifier zero with an empty endpoint pair shared key",
    .why = "The receiver discards all chunks after the AUTH chunk without an answer.",
    .evidence = "No HMAC of the endpoint verifies with key identifier 0 and the empty key, its peer acknowledged none "
        "of its data, which is authenticated, in " SAY(RETRANSMISSIONS_NOT_TAKEN) " retransmissions or more, and sends "
        "packets itself.",
    .doubt = "The users of the endpoints may have given them different keys with identifier 0: which is the wrong one "
        "is not visible. A note.");

static bool AU_019_applies(const sctpa_context_t *c)
{
    return is_first_auth(c) && c->sent && c->rows & SCTPA_DATA_ROWS &&
           c->assoc->ends[!c->from].init.auth_chunks & c->rows & SCTPA_DATA_ROWS && is_verifiable(c, &c->chunk->tlv);
}

/* "it MUST use Shared Key Identifier zero with an empty endpoint pair shared key" */
static bool AU_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const auth_packets_t *packets = authentication_packets(c, c->from);
    if (is_good(c) || packets->has_good || !packets->is_peer_alive || c->sent->has_cum ||
        c->sent->rare->rtx.len < RETRANSMISSIONS_NOT_TAKEN)
        return false;
    violation->related = packets->unverified_packet - 1;
    sctpa_violation_say(violation, "an HMAC with key 0 that the peer takes",
                        SCTPA_WORDS("nothing acknowledged after %u retransmissions", c->sent->rare->rtx.len));
    return true;
}

RULE(AU, 006,
    .level = MUST, .since = 4895, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = PACKET, .on = ROW(AUTH),
    .accused = "sender of the packet",
    .clause = "RFC 4895 5.1",
    .title = "More than one AUTH chunk in a packet",
    .quote = "The control chunk AUTH MUST NOT appear more than once in an SCTP packet.",
    .why = "The HMAC of one covers the other; receivers discard what follows.",
    .evidence = "Two chunks of type 15 in one packet.",
    .doubt = "Offload merges packets into ones larger than the link MTU, each part with its AUTH: these are not "
        "checked. AUTH quoted in ERROR does not count.");

static bool AU_006_applies(const sctpa_context_t *c)
{
    return !(c->record->remarks & SCTPA_CAPTURE_OFFLOAD);
}

/* "The control chunk AUTH MUST NOT appear more than once in an SCTP packet." */
static bool AU_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned n = authentication_chunks(c);
    if (n <= 1)
        return false;
    sctpa_violation_say(violation, "one AUTH chunk", SCTPA_WORDS("%u", n));
    return true;
}

static sctpa_known_t is_id_listed(const sctpa_context_t *c)
{
    const sctpa_bytes_t *vector = c->assoc->ends[!c->from].key_vector;
    return vector ? sctpa_key_vector_lists((sctpa_key_vector_t){ vector->data, vector->length }, hmac_id(c))
                  : SCTPA_UNKNOWN;
}

RULE(AU, 008,
    .level = MUST, .since = 4895, .seeing = COULD, .needs = SETUP | WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(AUTH),
    .accused = "sender of the AUTH chunk",
    .clause = "RFC 4895 3.3",
    .title = "AUTH with an HMAC identifier that the peer did not list",
    .quote = "This parameter is used to list the HMAC Identifiers the peer MUST use.",
    .why = "The peer discards everything after the AUTH chunk.",
    .evidence = "The identifier is not in the peer's HMAC-ALGO.",
    .doubt = "Any identifier of the list is allowed, not only the first.");

static bool AU_008_applies(const sctpa_context_t *c)
{
    return is_first_auth(c) && is_id_listed(c) != SCTPA_UNKNOWN;
}

/* "This parameter is used to list the HMAC Identifiers the peer MUST use." */
static bool AU_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (is_id_listed(c) == SCTPA_YES)
        return false;
    sctpa_violation_say(violation, "an HMAC identifier that the peer listed", SCTPA_WORDS("%u", hmac_id(c)));
    return true;
}

RULE(AU, 009,
    .level = MUST, .since = 4895, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .on = ROW(AUTH),
    .accused = "sender of the AUTH chunk",
    .clause = "RFC 4895 5.1",
    .title = "Length of the HMAC does not fit its identifier",
    .quote = "This value holds the length of the HMAC in bytes plus 8.",
    .why = "The HMAC cannot be verified; everything after it is discarded.",
    .evidence = "The chunk's length is not 28 for SHA-1, not 40 for SHA-256.",
    .doubt = "Other identifiers are not checked.");

static bool AU_009_applies(const sctpa_context_t *c)
{
    return is_first_auth(c) && sctpa_hmac_bytes(hmac_id(c)) > 0;
}

/* "This value holds the length of the HMAC in bytes plus 8." */
static bool AU_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t expected = c->chunk->tlv.row->fixed_bytes + sctpa_hmac_bytes(hmac_id(c));
    if (c->chunk->tlv.length == expected)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("length %u for HMAC identifier %u", expected, hmac_id(c)),
                        SCTPA_WORDS("%u", c->chunk->tlv.length));
    return true;
}

RULE(AU, 013,
    .level = SHOULD, .since = 4895, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ROW(AUTH),
    .accused = "sender of the AUTH chunk",
    .clause = "RFC 4895 5.1",
    .title = "AUTH flags are not zero",
    .quote = "SHOULD be set to zero on transmit and MUST be ignored on receipt.",
    .why = "A later extension may give the flags a meaning.",
    .evidence = "A flag of the chunk is set.",
    .doubt = "Only the flags are checked.");

static bool AU_013_applies(const sctpa_context_t *c)
{
    return is_first_auth(c);
}

/* "SHOULD be set to zero on transmit and MUST be ignored on receipt." */
static bool AU_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->chunk->tlv.flags == 0)
        return false;
    sctpa_violation_say(violation, "flags 0", SCTPA_WORDS("flags 0x%02x", c->chunk->tlv.flags));
    return true;
}

RULE(AU, 015,
    .level = HEURISTIC, .since = 4895, .seeing = COULD, .needs = SETUP | CHECKSUM,
    .when = PACKET, .on = ROW(AUTH),
    .accused = "sender of the AUTH chunk",
    .clause = "RFC 4895 6.1",
    .title = "AUTH sent to a peer that announced no authentication",
    .quote = "each endpoint knows its own Random Number and the peer's Random Number after the association has been "
        "established",
    .why = "The peer does not support AUTH and discards everything after it in the packet.",
    .evidence = "No INIT or INIT ACK of the peer had both RANDOM and HMAC-ALGO, and one was captured whole.",
    .doubt = "CHUNKS may be missing: authentication is voluntary then.");

static bool AU_015_applies(const sctpa_context_t *c)
{
    return authentication(c, !c->from)->is_whole;
}

/* "each endpoint knows its own Random Number and the peer's Random Number after the association has been established"
 */
static bool AU_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const authentication_t *peer = authentication(c, !c->from);
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

RULE(AU, 007,
    .level = MUST, .since = 4895, .seeing = COULD, .needs = SETUP | WHOLE | CHECKSUM,
    .when = PACKET, .on = ANY,
    .accused = "sender of the chunk",
    .clause = "RFC 4895 6.2",
    .title = "Chunk sent without AUTH although the peer requires it",
    .quote = "Endpoints MUST send all requested chunks that have been authenticated where this has been requested by "
        "the peer.",
    .why = "The peer silently discards the chunk: DATA is retransmitted until the association fails.",
    .evidence = "The type is in the peer's CHUNKS, the sender announced RANDOM and HMAC-ALGO itself, and no AUTH comes "
        "before the chunk.",
    .doubt = "ABORT, ERROR and SHUTDOWN ACK may come from a host without the association and are not checked, nor are "
        "INIT, INIT ACK, SHUTDOWN COMPLETE and AUTH.");

static bool AU_007_applies(const sctpa_context_t *c)
{
    const uint64_t both = SCTPA_PARAM_BIT(RANDOM) | SCTPA_PARAM_BIT(HMAC_ALGO);
    return requested(c) && (c->assoc->ends[c->from].init.params & both) == both;
}

/* "Endpoints MUST send all requested chunks that have been authenticated where this has been requested by the peer." */
static bool AU_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
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

RULE(AU, 011,
    .level = MUST, .since = 5061, .seeing = COULD, .needs = BOTH | COMPLETE | CHECKSUM,
    .when = CHUNK, .on = ROW(ASCONF_ACK),
    .accused = "receiver of the ASCONF",
    .clause = "RFC 5061 4.1.1; RFC 4895 6.3",
    .title = "ASCONF without AUTH accepted",
    .quote = "If this chunk is received unauthenticated it MUST be silently discarded as described in [RFC4895].",
    .why = "Anybody who knows the verification tag can take over the association's addresses.",
    .evidence = "An ASCONF-ACK answers an ASCONF whose number was seen only without AUTH.",
    .doubt = "Nothing is reported once an ASCONF of the same endpoint had AUTH before it: the accepted one may be a "
        "retransmission that was not captured. Not checked where the endpoint's own INIT or INIT ACK lists ASCONF "
        "without AUTH: AS-027 reports that cause.");

static bool AU_011_applies(const sctpa_context_t *c)
{
    const authentication_t *asker = authentication(c, !c->from);
    return (asker->has_bare_asconf || asker->has_authenticated_asconf) &&
           !sctpa_offers_bare_asconf(&c->assoc->ends[c->from].init);
}

/* "If this chunk is received unauthenticated it MUST be silently discarded" */
static bool AU_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const authentication_t *asker = authentication(c, !c->from);
    const auth_packets_t *packets = authentication_packets(c, !c->from);
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

RULE(AU, 016,
    .level = MUST, .since = 4895, .seeing = NOTHING, .needs = CHECKSUM,
    .when = CHUNK, .on = ROW(ERROR),
    .accused = "sender of the ERROR",
    .clause = "RFC 4895 4.1",
    .title = "Cause Unsupported HMAC Identifier has a wrong length",
    .quote = "Cause Length: 2 bytes (unsigned integer) This value MUST be set to 6.",
    .why = "The peer cannot tell which identifier was refused.",
    .evidence = "The length of cause 0x0105 is not 6.",
    .doubt = "Two bytes of padding may follow.");

static bool AU_016_applies(const sctpa_context_t *c)
{
    uint32_t wrong;
    return has_hmac_cause(&c->chunk->tlv, &wrong);
}

/* "Cause Length: 2 bytes (unsigned integer) This value MUST be set to 6." */
static bool AU_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t wrong;
    has_hmac_cause(&c->chunk->tlv, &wrong);
    if (wrong == 0)
        return false;
    sctpa_violation_say(violation, "cause length 6", SCTPA_WORDS("cause length %u", wrong));
    return true;
}

RULE(AU, 012,
    .level = SHOULD, .since = 4895, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(AUTH),
    .accused = "receiver of the AUTH chunk",
    .clause = "RFC 4895 6.3",
    .title = "AUTH with an unlisted HMAC identifier is not reported",
    .quote = "an ERROR chunk SHOULD be sent with the error cause defined in Section 4.1",
    .why = "The peer does not learn why all that it authenticates is discarded.",
    .evidence = SCTPA_OWED_EVIDENCE " The identifier is not in the HMAC-ALGO of the receiver's own INIT or INIT ACK.",
    .doubt = SCTPA_OWED_DOUBT " ERRORs may be limited in rate: the first one is asked for.");

/* Data and SACKs matter to an endpoint that wants chunks authenticated. */
void sctpa_check_auth(sctpa_context_t *c)
{
    if (c->due) {
        ASK_DUE(AU, 012, UNLISTED_HMAC);
        return;
    }
    if (!(c->facts & SCTPA_FACT_CONTROL) && !c->assoc->ends[!c->from].init.auth_chunks)
        return;
    ASK(AU, 001);
    ASK(AU, 002);
    ASK(AU, 003);
    ASK(AU, 004);
    ASK(AU, 005);
    ASK(AU, 006);
    ASK(AU, 007);
    ASK(AU, 008);
    ASK(AU, 009);
    ASK(AU, 010);
    ASK(AU, 011);
    ASK(AU, 013);
    ASK(AU, 015);
    ASK(AU, 016);
    ASK(AU, 017);
    ASK(AU, 018);
    ASK(AU, 019);
    ASK(AU, 020);
    authentication_take(c);
}
