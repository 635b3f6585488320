/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of what an ASCONF asks for: its parameters by themselves, and against the addresses that its sender has; and of
 * parameters of address reconfiguration in other chunks. */
#include "reference/requests/asconf.h"
#include "rules/rule_functions.h"
#include "wire/address.h"

enum { IPV4_PARAM_BYTES = 8, IPV6_PARAM_BYTES = 20, ADDRS = 32 };

bool sctpa_AS_009_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->is_readable;
}

/* "This parameter MUST be present in every ASCONF message"; "The host name address MUST NOT be sent" */
bool sctpa_AS_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_param_list_t *list = sctpa_context_params(c);
    const sctpa_tlv_t *first = list->n > 0 ? &list->params[0] : NULL;
    if (first && ((first->type == SCTPA_PARAM_IPV4 && first->length == IPV4_PARAM_BYTES) ||
                  (first->type == SCTPA_PARAM_IPV6 && first->length == IPV6_PARAM_BYTES)))
        return false;
    sctpa_violation_say(violation, "an IPv4 or IPv6 Address parameter first",
                        first ? SCTPA_WORDS("parameter 0x%04x, length %u", first->type, first->length)
                              : "no parameter");
    return true;
}

bool sctpa_AS_020_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->changed > 0;
}

/* "This parameter MUST NOT contain a broadcast or multicast address." */
bool sctpa_AS_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->asconf_chunk->group.bytes == 0)
        return false;
    sctpa_violation_say(violation, "a unicast address", sctpa_addr_words(&c->asconf_chunk->group).text);
    return true;
}

bool sctpa_AS_014_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->deleted > 0;
}

/* "MUST NOT set an IP header source address for an SCTP packet holding the ASCONF Chunk to be the same as an address
 * being deleted" */
bool sctpa_AS_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!c->asconf_chunk->deletes_source)
        return false;
    sctpa_violation_say(violation, "ASCONF sent from another address than the one it deletes",
                        sctpa_addr_words(&c->packet->source).text);
    return true;
}

/* What is left of the sender's addresses when the requests of asconf are taken in order, at the least: *lowest of them.
 * The one that it sends from is one, even if the capture shows no answer to the request that added it again. False:
 * unknown. */
static bool count_left(const sctpa_context_t *c, const sctpa_tlv_t *asconf, unsigned *lowest)
{
    const sctpa_end_t *end = &c->assoc->ends[c->from];
    const sctpa_addr_t *left[ADDRS + 1] = { &c->packet->source };
    unsigned n = 1;
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_addr_t addr;
    for (unsigned i = 0; i < end->n_addrs; i++)
        if (!(end->addrs[i].origin & SCTPA_ADDR_DELETED) &&
            !sctpa_addr_equal(&end->addrs[i].addr, &c->packet->source)) {
            if (n > ADDRS)
                return false;
            left[n++] = &end->addrs[i].addr;
        }
    *lowest = n;
    sctpa_params_begin(&iter, asconf);
    while (sctpa_tlv_next(&iter, &param)) {
        if ((param.type != SCTPA_PARAM_ADD_IP && param.type != SCTPA_PARAM_DELETE_IP) ||
            !sctpa_nested_addr(&param, &addr))
            continue;
        if (param.type == SCTPA_PARAM_ADD_IP || sctpa_addr_is_wildcard(&addr))
            return true;
        for (unsigned i = 0; i < n; i++)
            if (sctpa_addr_equal(left[i], &addr))
                left[i--] = left[--n];
        *lowest = n;
    }
    return true;
}

bool sctpa_AS_013_applies(const sctpa_context_t *c)
{
    unsigned lowest;
    return c->asconf_chunk->all_seen && count_left(c, &c->chunk->tlv, &lowest);
}

/* "An endpoint MUST NOT delete its last remaining IP address from an association." */
bool sctpa_AS_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned lowest;
    if (!count_left(c, &c->chunk->tlv, &lowest) || lowest > 0)
        return false;
    sctpa_violation_say(violation, "at least one address is kept", "every known address is deleted, none added before");
    return true;
}

bool sctpa_AS_030_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->all_seen && c->asconf_chunk->made_primary > 0;
}

/* "A sender MUST only send a set primary request to an address that is already considered part of the association." */
bool sctpa_AS_030_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->asconf_chunk->stranger.bytes == 0)
        return false;
    sctpa_violation_say(violation, "an address of the association", sctpa_addr_words(&c->asconf_chunk->stranger).text);
    return true;
}

static uint64_t row_of(const sctpa_context_t *c)
{
    return UINT64_C(1) << c->chunk->row;
}

static const uint64_t init_rows = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK);

bool sctpa_AS_023_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->params->sound;
}

/* "MUST NOT include multiple Supported Extensions Parameter within any chunk"; "This parameter MUST NOT appear in any
 * other chunk." */
bool sctpa_AS_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint64_t param = SCTPA_PARAM_BIT(SUPPORTED_EXTENSIONS);
    if (c->asconf_chunk->params->rows & param && !(row_of(c) & init_rows))
        sctpa_violation_say(violation, "Supported Extensions in INIT and INIT ACK only",
                            SCTPA_WORDS("one in %s", c->chunk->tlv.row->title));
    else if (c->asconf_chunk->params->repeated & param && row_of(c) & init_rows)
        sctpa_violation_say(violation, "one Supported Extensions parameter", "more than one");
    else
        return false;
    return true;
}

bool sctpa_AS_025_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->params->sound;
}

/* "MUST NOT be sent in any other chunks" */
bool sctpa_AS_025_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->asconf_chunk->params->rows & SCTPA_PARAM_BIT(ADAPTATION)) || row_of(c) & init_rows)
        return false;
    sctpa_violation_say(violation, "Adaptation Layer Indication in INIT and INIT ACK only",
                        SCTPA_WORDS("one in %s", c->chunk->tlv.row->title));
    return true;
}

bool sctpa_AS_031_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->params->sound;
}

/* "may only appear in the ASCONF Chunk type" */
bool sctpa_AS_031_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    static const struct {
        uint64_t params, chunks;
        const char *expected;
    } places[] = {
        { SCTPA_PARAM_BIT(ADD_IP) | SCTPA_PARAM_BIT(DELETE_IP), SCTPA_ROW(ASCONF),
          "Add and Delete IP Address in ASCONF only" },
        { SCTPA_PARAM_BIT(ERROR_CAUSE_INDICATION) | SCTPA_PARAM_BIT(SUCCESS_INDICATION), SCTPA_ROW(ASCONF_ACK),
          "Error Cause and Success Indication in ASCONF-ACK only" },
        { SCTPA_PARAM_BIT(SET_PRIMARY), SCTPA_ROW(ASCONF) | SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK),
          "Set Primary Address in ASCONF, INIT and INIT ACK only" },
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++)
        if (c->asconf_chunk->params->rows & places[i].params && !(places[i].chunks & row_of(c))) {
            sctpa_violation_say(violation, places[i].expected, SCTPA_WORDS("one in %s", c->chunk->tlv.row->title));
            return true;
        }
    return false;
}

/* Rows of the chunks that the INIT or INIT ACK lists, 0: no list that can be read. */
static uint64_t listed_rows(const sctpa_context_t *c)
{
    const sctpa_tlv_t *list = sctpa_context_param(c, SCTPA_PARAM_ROW_SUPPORTED_EXTENSIONS);
    uint64_t rows = 0;
    if (!c->asconf_chunk->params->sound || !list)
        return 0;
    for (uint32_t at = SCTPA_TLV_HEADER_BYTES; at < list->captured_bytes; at++)
        rows |= UINT64_C(1) << sctpa_chunk_row(list->bytes[at]);
    return rows;
}

bool sctpa_AS_027_applies(const sctpa_context_t *c)
{
    return listed_rows(c) & (SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK));
}

/* "MUST list the ASCONF,the ASCONF-ACK, and the AUTH chunks in its INIT and INIT-ACK parameters" */
bool sctpa_AS_027_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint64_t all = SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK) | SCTPA_ROW(AUTH);
    uint64_t rows = listed_rows(c);
    if ((rows & all) == all)
        return false;
    sctpa_violation_say(violation, "ASCONF, ASCONF-ACK and AUTH listed together",
                        SCTPA_WORDS("without %s%s",
                                    !(rows & SCTPA_ROW(AUTH))     ? "AUTH"
                                    : !(rows & SCTPA_ROW(ASCONF)) ? "ASCONF"
                                                                  : "ASCONF-ACK",
                                    !(rows & SCTPA_ROW(AUTH)) ? " (on Linux: net.sctp.addip_noauth_enable)" : ""));
    return true;
}

bool sctpa_AS_028_applies(const sctpa_context_t *c)
{
    const sctpa_init_t *asked = &c->assoc->ends[!c->from].init, *own = &c->assoc->ends[c->from].init;
    return asked->seen && asked->supported_chunks & SCTPA_ROW(ASCONF) && !sctpa_asconf_is_init_unsound(c, !c->from) &&
           own->supported_chunks & SCTPA_ROW(ASCONF);
}

/* "under NO circumstance is an implementation allowed to proceed with the association setup by sending an INIT-ACK" */
bool sctpa_AS_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_init_t *asked = &c->assoc->ends[!c->from].init;
    if (asked->supported_chunks & SCTPA_ROW(AUTH) || asked->params & SCTPA_PARAM_BIT(RANDOM))
        return false;
    sctpa_violation_say(violation, "ABORT or a silent discard: the INIT offers ASCONF without AUTH",
                        "INIT ACK (on Linux: net.sctp.addip_noauth_enable)");
    return true;
}
