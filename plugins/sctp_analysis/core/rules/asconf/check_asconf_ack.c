/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of answers to ASCONF: ASCONF-ACK, and ERROR that says that a chunk is unknown. */
#include "reference/requests/asconf.h"
#include "rules/rule_functions.h"
#include "wire/address.h"

bool sctpa_AS_006_applies(const sctpa_context_t *c)
{
    const sctpa_asker_t *asker = c->asconf_chunk->asker;
    return asker && asker->asked && c->asconf_chunk->is_readable;
}

/* "This value is copied from the received ASCONF Chunk" */
bool sctpa_AS_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_asconf_t *asconf = &c->asconf_chunk->asker->asconf;
    uint32_t serial = c->asconf_chunk->serial;
    int32_t distance = sctpa_serial_distance(asconf->serial, serial);
    if (distance <= 0 && distance >= -SCTPA_ASCONF_FAR_NUMBERS)
        return false;
    violation->is_certain = distance > SCTPA_ASCONF_FAR_NUMBERS || distance < 0;
    violation->since = violation->related = asconf->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("the number of an ASCONF, the last is %u", asconf->serial),
                        SCTPA_WORDS("%u", serial));
    return true;
}

/* How many responses the ASCONF-ACK holds; *wrong: correlation id of the first that its ASCONF does not have,
 * *has_wrong: there is one. O(parameters). */
static unsigned count_responses(const sctpa_tlv_t *answer, const sctpa_asconf_t *asconf, uint32_t *wrong,
                                bool *has_wrong)
{
    unsigned n = 0;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    *has_wrong = false;
    sctpa_params_begin(&iter, answer);
    while (sctpa_tlv_next(&iter, &param)) {
        bool is_success = param.type == SCTPA_PARAM_SUCCESS_INDICATION;
        if ((!is_success && param.type != SCTPA_PARAM_ERROR_CAUSE_INDICATION) || param.captured_bytes < 8)
            continue;
        uint32_t id = sctpa_tlv_u32(&param, is_success ? SCTPA_F_SUCCESS_INDICATION_CORRELATION
                                                       : SCTPA_F_ERROR_CAUSE_INDICATION_CORRELATION);
        unsigned i = 0;
        while (i < asconf->n_ids && asconf->ids[i] != id)
            i++;
        if (i == asconf->n_ids && !*has_wrong) {
            *has_wrong = true;
            *wrong = id;
        }
        n++;
    }
    return n;
}

/* The correlation id that an ASCONF holds twice. */
static bool find_repeated(const uint32_t ids[SCTPA_ASCONF_IDS], unsigned n, uint32_t *repeated)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < i; k++)
            if (ids[i] == ids[k]) {
                *repeated = ids[i];
                return true;
            }
    return false;
}

bool sctpa_AS_008_applies(const sctpa_context_t *c)
{
    const sctpa_asconf_chunk_t *chunk = c->asconf_chunk;
    uint32_t wrong;
    bool has_wrong;
    if (c->chunk->tlv.type == SCTPA_CHUNK_ASCONF)
        return chunk->is == SCTPA_ASCONF_NEW && chunk->n_ids >= 2 && chunk->ids_known;
    return chunk->is_answer && chunk->asker->asconf.ids_known &&
           count_responses(&c->chunk->tlv, &chunk->asker->asconf, &wrong, &has_wrong) > 0;
}

/* 5.2 V3: "All responses MUST copy the ASCONF-Request Correlation ID field received"; 5.1 A1: "unique correlation
 * identities for each request" */
bool sctpa_AS_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t id;
    bool is_wrong;
    if (c->chunk->tlv.type == SCTPA_CHUNK_ASCONF) {
        if (!find_repeated(c->asconf_chunk->ids, c->asconf_chunk->n_ids, &id))
            return false;
        sctpa_violation_say(violation, "a correlation id for each request",
                            SCTPA_WORDS("0x%08x twice in one ASCONF", id));
        return true;
    }
    const sctpa_asker_t *asker = c->asconf_chunk->asker;
    count_responses(&c->chunk->tlv, &asker->asconf, &id, &is_wrong);
    if (!is_wrong)
        return false;
    violation->related = asker->asconf.packet;
    sctpa_violation_say(violation, "a correlation id of the ASCONF", SCTPA_WORDS("0x%08x", id));
    return true;
}

bool sctpa_AS_007_applies(const sctpa_context_t *c)
{
    const sctpa_asker_t *asker = c->asconf_chunk->asker;
    return c->asconf_chunk->is_answer && asker->asconf.sources_known && !asker->asconf.answered;
}

/* "The destination address of the SCTP packet containing the ASCONF-ACK Chunks MUST be the source address" */
bool sctpa_AS_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_asconf_t *asconf = &c->asconf_chunk->asker->asconf;
    for (unsigned i = 0; i < asconf->n_sources; i++)
        if (sctpa_addr_equal(&asconf->sources[i], &c->packet->destination))
            return false;
    violation->path = c->path;
    violation->related = asconf->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("ASCONF-ACK to %s", sctpa_addr_words(&asconf->sources[0]).text),
                        SCTPA_WORDS("to %s", sctpa_addr_words(&c->packet->destination).text));
    return true;
}

bool sctpa_AS_015_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->is_answer && c->asconf_chunk->asker->asconf.is_illegal;
}

/* "the receiver MUST reject this request" */
bool sctpa_AS_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_asconf_t *asconf = &c->asconf_chunk->asker->asconf;
    if (!c->asconf_chunk->grants)
        return false;
    violation->since = asconf->packet_before;
    violation->related = asconf->packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("request 0x%08x refused: it deletes the source of its packet", asconf->illegal_id),
                        "granted");
    return true;
}

/* How many chunk types that have a name the ERROR reports as unknown; *listed: row of the first that its sender listed
 * itself, SCTPA_CHUNK_ROW_OTHER none. O(causes). */
static unsigned count_unknown(const sctpa_context_t *c, unsigned *listed)
{
    unsigned n = 0;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t cause;
    *listed = SCTPA_CHUNK_ROW_OTHER;
    sctpa_params_begin(&iter, &c->chunk->tlv);
    while (sctpa_tlv_next(&iter, &cause)) {
        int type = sctpa_cause_unknown_chunk(&cause);
        unsigned row = type < 0 ? SCTPA_CHUNK_ROW_OTHER : sctpa_chunk_row((uint8_t)type);
        if (row == SCTPA_CHUNK_ROW_OTHER)
            continue;
        if (*listed == SCTPA_CHUNK_ROW_OTHER && c->assoc->ends[c->from].init.supported_chunks >> row & 1 &&
            sctpa_chunk_is_negotiated(c->assoc, row) == SCTPA_YES)
            *listed = row;
        n++;
    }
    return n;
}

bool sctpa_AS_024_applies(const sctpa_context_t *c)
{
    unsigned listed;
    return count_unknown(c, &listed) > 0;
}

/* "The sender MUST support both the sending and the receiving of any chunk types listed" */
bool sctpa_AS_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned listed;
    count_unknown(c, &listed);
    if (listed == SCTPA_CHUNK_ROW_OTHER)
        return false;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("%s accepted: the endpoint listed it as supported", sctpa_chunk_row_word(listed)),
                        "ERROR, cause Unrecognized Chunk Type");
    return true;
}
