/* Judges dynamic address reconfiguration: what INIT and INIT ACK announce of it, its parameters in other chunks, order
 * in a packet. ASCONF, ASCONF-ACK and the use of addresses stand in check_addresses_*.c. */
#include "asconf_state.h"
#include "reference/authentication.h"
#include "wire/param_set.h"

static const uint64_t init_rows = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK);

/* Parameters, and the chunks that may hold them directly. */
static const struct {
    uint64_t param, chunks;
    sctpa_rule_t rule;
    const char *expected;
} places[] = {
    { SCTPA_PARAM_BIT(SUPPORTED_EXTENSIONS), SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK), SCTPA_RULE_AS_023,
      "Supported Extensions in INIT and INIT ACK only" },
    { SCTPA_PARAM_BIT(ADAPTATION), SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK), SCTPA_RULE_AS_025,
      "Adaptation Layer Indication in INIT and INIT ACK only" },
    { SCTPA_PARAM_BIT(ADD_IP) | SCTPA_PARAM_BIT(DELETE_IP), SCTPA_ROW(ASCONF), SCTPA_RULE_AS_031,
      "Add and Delete IP Address in ASCONF only" },
    { SCTPA_PARAM_BIT(ERROR_CAUSE_INDICATION) | SCTPA_PARAM_BIT(SUCCESS_INDICATION), SCTPA_ROW(ASCONF_ACK),
      SCTPA_RULE_AS_031, "Error Cause and Success Indication in ASCONF-ACK only" },
    { SCTPA_PARAM_BIT(SET_PRIMARY), SCTPA_ROW(ASCONF) | SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK), SCTPA_RULE_AS_031,
      "Set Primary Address in ASCONF, INIT and INIT ACK only" },
};

/* RFC 5061 4.2.6, 4.2.7: "MUST NOT be sent in any other chunks"; "This parameter MUST NOT appear in any other chunk."
 */
static void check_places(sctpa_context_t *c, const sctpa_tlv_t *chunk, const sctpa_param_set_t *set)
{
    uint64_t row = UINT64_C(1) << sctpa_chunk_row((uint8_t)chunk->type);
    if (!set->sound)
        return;
    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++)
        if (sctpa_may_judge(c, places[i].rule, c->from) && set->rows & places[i].param && !(places[i].chunks & row))
            sctpa_accuse(c, places[i].rule, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, places[i].expected,
                         SCTPA_WORDS("one in %s", chunk->row->title));
}

/* RFC 5061 4.2.7: "The sender MUST NOT include multiple Supported Extensions Parameter within any chunk." */
static void check_repeated(sctpa_context_t *c, const sctpa_param_set_t *set)
{
    if (set->sound && sctpa_may_judge(c, SCTPA_RULE_AS_023, c->from) &&
        set->repeated & SCTPA_PARAM_BIT(SUPPORTED_EXTENSIONS))
        sctpa_accuse(c, SCTPA_RULE_AS_023, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "one Supported Extensions parameter", "more than one");
}

/* RFC 5061 4.2.7: "MUST list the ASCONF,the ASCONF-ACK, and the AUTH chunks in its INIT and INIT-ACK parameters" */
static void check_extensions(sctpa_context_t *c, const sctpa_tlv_t *init, const sctpa_param_set_t *set)
{
    sctpa_tlv_t list;
    uint64_t rows = 0, all = SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK) | SCTPA_ROW(AUTH);
    if (!set->sound || !sctpa_param_find(init, SCTPA_PARAM_SUPPORTED_EXTENSIONS, &list))
        return;
    for (uint32_t at = SCTPA_TLV_HEADER_BYTES; at < list.captured_bytes; at++)
        rows |= UINT64_C(1) << sctpa_chunk_row(list.bytes[at]);
    if (!(rows & (SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK))) || !sctpa_may_judge(c, SCTPA_RULE_AS_027, c->from) ||
        (rows & all) == all)
        return;
    sctpa_accuse(c, SCTPA_RULE_AS_027, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                 "ASCONF, ASCONF-ACK and AUTH listed together",
                 SCTPA_WORDS("without %s%s",
                             !(rows & SCTPA_ROW(AUTH))     ? "AUTH"
                             : !(rows & SCTPA_ROW(ASCONF)) ? "ASCONF"
                                                           : "ASCONF-ACK",
                             !(rows & SCTPA_ROW(AUTH)) ? " (on Linux: net.sctp.addip_noauth_enable)" : ""));
}

/* RFC 5061 6: "under NO circumstance is an implementation allowed to proceed with the association setup by sending an
 * INIT-ACK" */
static void check_proceeds(sctpa_context_t *c)
{
    const sctpa_init_t *asked = &c->assoc->ends[!c->from].init, *own = &c->assoc->ends[c->from].init;
    const sctpa_addresses_t *state = sctpa_context_find_part(c, SCTPA_PART_ADDRESSES);
    bool is_offered =
        asked->seen && asked->supported_chunks & SCTPA_ROW(ASCONF) && !(state && state->unsound[!c->from]);
    if (!is_offered || !(own->supported_chunks & SCTPA_ROW(ASCONF)) || !sctpa_may_judge(c, SCTPA_RULE_AS_028, c->from))
        return;
    if (!(asked->supported_chunks & SCTPA_ROW(AUTH)) && !(asked->params & SCTPA_PARAM_BIT(RANDOM)))
        sctpa_accuse(c, SCTPA_RULE_AS_028, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "ABORT or silence: the INIT offers ASCONF without AUTH",
                     "INIT ACK (on Linux: net.sctp.addip_noauth_enable)");
}

static void check_init(sctpa_context_t *c, const sctpa_tlv_t *init, const sctpa_param_set_t *set)
{
    if (!set->sound)
        sctpa_addresses_state(c)->unsound[c->from] = true;
    check_repeated(c, set);
    check_extensions(c, init, set);
    if (init->type == SCTPA_CHUNK_INIT_ACK)
        check_proceeds(c);
}

/* RFC 5061 5.1.1, 5.5: "the chunks MUST appear in sequential order with respect to their Sequence Number"; "All ASCONFs
 * within the packet MUST be adjacent to each other" */
static void check_order(sctpa_context_t *c, uint32_t type, sctpa_field_id_t serial)
{
    unsigned last = c->n_chunks;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        if (c->chunks[i].tlv.type != type)
            continue;
        if (last < c->n_chunks && sctpa_may_judge(c, SCTPA_RULE_AS_026, c->from)) {
            uint32_t before = sctpa_tlv_u32(&c->chunks[last].tlv, serial),
                     now = sctpa_tlv_u32(&c->chunks[i].tlv, serial);
            if (sctpa_serial_distance(before, now) <= 0 || (type == SCTPA_CHUNK_ASCONF && i != last + 1))
                sctpa_accuse(
                    c, SCTPA_RULE_AS_026, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                    type == SCTPA_CHUNK_ASCONF ? "ascending numbers, side by side" : "ascending numbers",
                    SCTPA_WORDS("%u after %u%s", now, before, i == last + 1 ? "" : ", other chunks between them"));
        }
        last = i;
    }
}

/* RFC 5061 4.1.1, 4.1.2: "This chunk MUST be sent in an authenticated way by using the mechanism defined in [RFC4895]."
 */
static void check_authenticated(sctpa_context_t *c, unsigned at)
{
    if (c->assoc->encapsulation == SCTPA_OVER_DTLS || !sctpa_may_judge(c, SCTPA_RULE_AS_001, c->from) ||
        sctpa_authentication_covers(c, at))
        return;
    sctpa_accuse(c, SCTPA_RULE_AS_001, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                 SCTPA_WORDS("AUTH before %s", c->chunks[at].tlv.row->title),
                 "none (on Linux: net.sctp.addip_noauth_enable)");
}

static void check_chunk(sctpa_context_t *c, unsigned at)
{
    const sctpa_tlv_t *chunk = &c->chunks[at].tlv;
    if (chunk->row && chunk->row->body == SCTPA_BODY_PARAMS && chunk->type != SCTPA_CHUNK_HEARTBEAT_ACK) {
        sctpa_param_set_t set = sctpa_param_set(chunk);
        check_places(c, chunk, &set);
        if (UINT64_C(1) << sctpa_chunk_row((uint8_t)chunk->type) & init_rows)
            check_init(c, chunk, &set);
    }
    if (chunk->type == SCTPA_CHUNK_ASCONF || chunk->type == SCTPA_CHUNK_ASCONF_ACK)
        check_authenticated(c, at);
    if (chunk->type == SCTPA_CHUNK_ASCONF)
        sctpa_check_asconf(c, at);
    else if (chunk->type == SCTPA_CHUNK_ASCONF_ACK)
        sctpa_check_asconf_ack(c, chunk);
    else if (chunk->type == SCTPA_CHUNK_ERROR)
        sctpa_check_asconf_error(c, chunk);
}

void sctpa_check_addresses(sctpa_context_t *c)
{
    const uint64_t concerned = init_rows | SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK) | SCTPA_ROW(ERROR) |
                               SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(RE_CONFIG);
    if (c->rows & concerned)
        for (unsigned i = 0; i < c->n_chunks; i++)
            check_chunk(c, i);
    if (c->rows & SCTPA_ROW(ASCONF))
        check_order(c, SCTPA_CHUNK_ASCONF, SCTPA_F_ASCONF_SERIAL);
    if (c->rows & SCTPA_ROW(ASCONF_ACK))
        check_order(c, SCTPA_CHUNK_ASCONF_ACK, SCTPA_F_ASCONF_ACK_SERIAL);
    if (sctpa_context_find_part(c, SCTPA_PART_ADDRESSES))
        sctpa_check_addresses_use(c);
}
