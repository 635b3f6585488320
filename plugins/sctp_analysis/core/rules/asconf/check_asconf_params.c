/* Judges what an ASCONF asks for: its parameters by themselves, and against the addresses that its sender has. */
#include "asconf_state.h"

enum { IPV4_PARAM_BYTES = 8, IPV6_PARAM_BYTES = 20, ADDRS = 32 };

/* RFC 5061 4.1.1: "This parameter MUST be present in every ASCONF message"; "The host name address MUST NOT be sent" */
static void check_lookup(sctpa_context_t *c, const sctpa_tlv_t *asconf)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    if (!sctpa_may_judge(c, SCTPA_RULE_AS_009, c->from))
        return;
    sctpa_params_begin(&iter, asconf);
    bool has_first = sctpa_tlv_next(&iter, &param);
    bool is_address = has_first && ((param.type == SCTPA_PARAM_IPV4 && param.length == IPV4_PARAM_BYTES) ||
                                    (param.type == SCTPA_PARAM_IPV6 && param.length == IPV6_PARAM_BYTES));
    if (!is_address)
        sctpa_accuse(c, SCTPA_RULE_AS_009, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "an IPv4 or IPv6 Address parameter first",
                     has_first ? SCTPA_WORDS("parameter 0x%04x, length %u", param.type, param.length) : "no parameter");
}

/* RFC 5061 5.1 A1: "unique correlation identities for each request" */
static void check_ids(sctpa_context_t *c, const sctpa_asconf_t *asconf)
{
    if (!asconf->ids_known || asconf->n_ids < 2 || !sctpa_may_judge(c, SCTPA_RULE_AS_008, c->from))
        return;
    for (unsigned i = 0; i < asconf->n_ids; i++)
        for (unsigned k = 0; k < i; k++)
            if (asconf->ids[i] == asconf->ids[k]) {
                sctpa_accuse(c, SCTPA_RULE_AS_008, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                             "a correlation id for each request",
                             SCTPA_WORDS("0x%08x twice in one ASCONF", asconf->ids[i]));
                return;
            }
}

static bool is_group(const sctpa_addr_t *addr)
{
    static const uint8_t broadcast[4] = { 255, 255, 255, 255 };
    return addr->bytes == 4 ? (addr->data[0] & 0xF0) == 0xE0 || memcmp(addr->data, broadcast, 4) == 0
                            : addr->data[0] == 0xFF;
}

/* RFC 5061 4.2.1, 4.2.2: "This parameter MUST NOT contain a broadcast or multicast address." */
static void check_group(sctpa_context_t *c, const sctpa_addr_t *addr)
{
    if (sctpa_may_judge(c, SCTPA_RULE_AS_020, c->from) && is_group(addr))
        sctpa_accuse(c, SCTPA_RULE_AS_020, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "a unicast address",
                     sctpa_addr_words(addr).text);
}

/* RFC 5061 5.3 F6: "MUST NOT set an IP header source address for an SCTP packet holding the ASCONF Chunk to be the same
 * as an address being deleted" */
static void check_source(sctpa_context_t *c, const sctpa_addr_t *deleted)
{
    if (sctpa_may_judge(c, SCTPA_RULE_AS_014, c->from) && sctpa_addr_equal(deleted, &c->packet->source))
        sctpa_accuse(c, SCTPA_RULE_AS_014, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "ASCONF sent from another address than the one it deletes", sctpa_addr_words(deleted).text);
}

static bool has_addr(const sctpa_end_t *end, const sctpa_addr_t *addr)
{
    uint32_t origin = sctpa_end_addr_origin(end, addr);
    return origin != 0 && !(origin & SCTPA_ADDR_DELETED);
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

/* RFC 5061 5.3 F5: "An endpoint MUST NOT delete its last remaining IP address from an association." */
static void check_last(sctpa_context_t *c, const sctpa_tlv_t *asconf, const sctpa_asker_t *asker)
{
    unsigned lowest;
    if (!asker->all_seen || !count_left(c, asconf, &lowest) || !sctpa_may_judge(c, SCTPA_RULE_AS_013, c->from))
        return;
    if (lowest == 0)
        sctpa_accuse(c, SCTPA_RULE_AS_013, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "at least one address is kept", "every known address is deleted, none added before");
}

/* An address that an ASCONF of a packet adds, and where it does first. */
typedef struct {
    sctpa_addr_t addr;
    const uint8_t *at;
} adding_t;

/* What the ASCONFs of one packet add, found by address: a packet has room for thousands, and as many that ask whether
 * one was added. */
struct sctpa_addings {
    uint32_t packet;
    GArray *all; /* adding_t, each address once */
    sctpa_slots_t by_addr;
};

void sctpa_addings_free(struct sctpa_addings *addings)
{
    if (!addings)
        return;
    g_array_unref(addings->all);
    sctpa_slots_clear(&addings->by_addr);
    g_free(addings);
}

static uint32_t adding_hash(const sctpa_context_t *c, const sctpa_addr_t *addr)
{
    return (uint32_t)sctpa_addr_hash(c->tracker->store.seed, addr);
}

/* NULL: none adds it. */
static const adding_t *adding_find(const struct sctpa_addings *addings, uint32_t hash, const sctpa_addr_t *addr)
{
    uint32_t at;
    for (uint32_t n = sctpa_slots_first(&addings->by_addr, hash, &at); n != SCTPA_SLOT_NONE;
         n = sctpa_slots_next(&addings->by_addr, hash, &at))
        if (sctpa_addr_equal(&g_array_index(addings->all, adding_t, n).addr, addr))
            return &g_array_index(addings->all, adding_t, n);
    return NULL;
}

static void read_addings(const sctpa_context_t *c, struct sctpa_addings *addings, const sctpa_tlv_t *asconf)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_params_begin(&iter, asconf);
    while (sctpa_tlv_next(&iter, &param)) {
        adding_t adding = { .at = param.bytes };
        if (param.type != SCTPA_PARAM_ADD_IP || !sctpa_nested_addr(&param, &adding.addr))
            continue;
        uint32_t hash = adding_hash(c, &adding.addr);
        if (adding_find(addings, hash, &adding.addr))
            continue;
        sctpa_slots_add(&addings->by_addr, hash, addings->all->len);
        g_array_append_val(addings->all, adding);
    }
}

/* Of the packet of the case; the same until the next that asks. O(parameters of the packet) at first, then O(1). */
static const struct sctpa_addings *addings_of(const sctpa_context_t *c)
{
    struct sctpa_addings *addings = c->store->addings;
    if (addings && addings->packet == c->index)
        return addings;
    sctpa_addings_free(addings);
    addings = c->store->addings = g_new0(struct sctpa_addings, 1);
    addings->packet = c->index;
    addings->all = g_array_new(FALSE, FALSE, sizeof(adding_t));
    sctpa_slots_init(&addings->by_addr);
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (c->chunks[i].tlv.type == SCTPA_CHUNK_ASCONF)
            read_addings(c, addings, &c->chunks[i].tlv);
    return addings;
}

/* Does an ASCONF of the packet add addr before param? */
static bool is_added_before(const sctpa_context_t *c, const sctpa_tlv_t *before, const sctpa_addr_t *wanted)
{
    const adding_t *adding = adding_find(addings_of(c), adding_hash(c, wanted), wanted);
    return adding && adding->at < before->bytes;
}

/* RFC 5061 5.4: "A sender MUST only send a set primary request to an address that is already considered part of the
 * association." */
static void check_primary(sctpa_context_t *c, const sctpa_tlv_t *param, const sctpa_addr_t *addr,
                          const sctpa_asker_t *asker)
{
    if (!asker->all_seen || sctpa_addr_is_wildcard(addr) || !sctpa_may_judge(c, SCTPA_RULE_AS_030, c->from))
        return;
    if (!has_addr(&c->assoc->ends[c->from], addr) && !is_added_before(c, param, addr))
        sctpa_accuse(c, SCTPA_RULE_AS_030, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "an address of the association", sctpa_addr_words(addr).text);
}

void sctpa_check_asconf_params(sctpa_context_t *c, const sctpa_tlv_t *asconf, const sctpa_asker_t *asker)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_addr_t addr;
    bool is_new =
        asker->asconf.packet == c->index && asker->asconf.serial == sctpa_tlv_u32(asconf, SCTPA_F_ASCONF_SERIAL);
    check_lookup(c, asconf);
    if (is_new) {
        check_ids(c, &asker->asconf);
        check_last(c, asconf, asker);
    }
    sctpa_params_begin(&iter, asconf);
    while (sctpa_tlv_next(&iter, &param)) {
        if (!(param.type == SCTPA_PARAM_ADD_IP || param.type == SCTPA_PARAM_DELETE_IP ||
              param.type == SCTPA_PARAM_SET_PRIMARY) ||
            !sctpa_nested_addr(&param, &addr))
            continue;
        if (param.type != SCTPA_PARAM_SET_PRIMARY)
            check_group(c, &addr);
        if (param.type == SCTPA_PARAM_DELETE_IP)
            check_source(c, &addr);
        if (param.type == SCTPA_PARAM_SET_PRIMARY && is_new)
            check_primary(c, &param, &addr, asker);
    }
}
