/* Judges ASCONF chunks: their numbers, repetitions, when they are sent. What they ask for stands in
 * check_asconf_params.c. */
#include "asconf_state.h"
#include "reference/authentication.h"

#include "base/records.h"

static uint64_t hash_of(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    return sctpa_hash_bytes(c->tracker->store.seed, chunk->bytes, chunk->captured_bytes);
}

/* The numbers of the packet's ASCONFs, ascending: a packet has room for thousands, each of which asks for another. O(n
 * log n) for the first that asks, then O(1). */
static const GArray *serials_of(const sctpa_context_t *c)
{
    GArray *serials = c->store->asconf_serials;
    if (c->store->asconf_packet == c->index)
        return serials;
    c->store->asconf_packet = c->index;
    g_array_set_size(serials, 0);
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (c->chunks[i].tlv.type == SCTPA_CHUNK_ASCONF) {
            uint32_t serial = sctpa_tlv_u32(&c->chunks[i].tlv, SCTPA_F_ASCONF_SERIAL);
            g_array_append_val(serials, serial);
        }
    g_array_sort(serials, sctpa_records_order);
    return serials;
}

static bool holds_serial(const sctpa_context_t *c, uint32_t serial)
{
    const GArray *serials = serials_of(c);
    uint32_t at = sctpa_array_from(serials, serial);
    return at < serials->len && g_array_index(serials, uint32_t, at) == serial;
}

static void note_params(sctpa_context_t *c, const sctpa_tlv_t *chunk, sctpa_asconf_t *asconf)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_addr_t addr;
    asconf->ids_known = chunk->captured_bytes == chunk->wire_bytes;
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, &param)) {
        if (param.type == SCTPA_PARAM_IPV4 || param.type == SCTPA_PARAM_IPV6 || param.captured_bytes < 8)
            continue;
        if (asconf->n_ids == SCTPA_ASCONF_IDS)
            asconf->ids_known = false;
        else
            asconf->ids[asconf->n_ids++] = sctpa_tlv_u32(&param, SCTPA_F_ADD_IP_CORRELATION);
        if (!sctpa_nested_addr(&param, &addr) || sctpa_addr_is_wildcard(&addr))
            continue;
        if (param.type == SCTPA_PARAM_ADD_IP && asconf->added.bytes == 0)
            asconf->added = addr;
        else if (param.type == SCTPA_PARAM_DELETE_IP && asconf->deleted.bytes == 0)
            asconf->deleted = addr;
        if (param.type == SCTPA_PARAM_DELETE_IP && sctpa_addr_equal(&addr, &c->packet->source)) {
            asconf->is_illegal = true;
            asconf->illegal_id = sctpa_tlv_u32(&param, SCTPA_F_DELETE_IP_CORRELATION);
        }
    }
    uint32_t known = asconf->added.bytes ? sctpa_end_addr_origin(&c->assoc->ends[c->from], &asconf->added) : 0;
    asconf->is_new = asconf->added.bytes && !known &&
                     sctpa_end_find_path(&c->assoc->ends[!c->from], &asconf->added) == SCTPA_NO_PATH;
}

static void note_source(const sctpa_context_t *c, sctpa_asconf_t *asconf)
{
    for (unsigned i = 0; i < asconf->n_sources; i++)
        if (sctpa_addr_equal(&asconf->sources[i], &c->packet->source))
            return;
    if (asconf->n_sources == SCTPA_ASCONF_SOURCES)
        asconf->sources_known = false;
    else
        asconf->sources[asconf->n_sources++] = c->packet->source;
}

/* Is the initial TSN known? Of several INIT ACKs the one whose cookie was taken counts, and data that fits shows that
 * it was this one. */
static bool knows_initial_tsn(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    return !c->assoc->collision && setup->steps[SCTPA_STEP_INIT].count <= 1 &&
           setup->steps[SCTPA_STEP_INIT_ACK].count <= 1 && c->sent && c->sent->announced && c->sent->highest >= 0 &&
           (uint64_t)c->sent->highest < c->sent->tsns + SCTPA_ASCONF_FAR_NUMBERS;
}

/* RFC 5061 5.1 A2: "MUST be initialized at the start of the association to the same value as the Initial Transmission
 * Sequence Number" */
static void check_first(sctpa_context_t *c, uint32_t serial)
{
    uint32_t initial_tsn = c->assoc->ends[c->from].init.initial_tsn;
    int32_t distance = sctpa_serial_distance(initial_tsn, serial);
    if (!knows_initial_tsn(c) || !sctpa_may_judge(c, SCTPA_RULE_AS_003, c->from) ||
        (distance >= 0 && distance < SCTPA_ASCONF_FAR_NUMBERS))
        return;
    sctpa_accuse(c, SCTPA_RULE_AS_003, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                 SCTPA_WORDS("the initial TSN %u, or soon after it", initial_tsn), SCTPA_WORDS("%u", serial));
}

/* RFC 5061 5.1 B4: "it MUST be the same (including its Sequence Number) as the last ASCONF sent" */
static void check_same(sctpa_context_t *c, const sctpa_tlv_t *chunk, const sctpa_asconf_t *asconf)
{
    if (sctpa_may_judge(c, SCTPA_RULE_AS_018, c->from) && hash_of(c, chunk) != asconf->hash)
        sctpa_accuse(c, SCTPA_RULE_AS_018, c->from, SCTPA_NO_PATH, asconf->packet,
                     SCTPA_WORDS("ASCONF %u as it was sent first", asconf->serial),
                     "other bytes under the same number");
}

/* RFC 5061 5.1.1 C1: "it MUST wait until the ASCONF-ACK Chunk returns from the previous ASCONF Chunk" */
static void check_outstanding(sctpa_context_t *c, uint32_t serial, const sctpa_asconf_t *asconf)
{
    if (serial != asconf->serial - 1 || holds_serial(c, asconf->serial) ||
        !sctpa_may_judge(c, SCTPA_RULE_AS_005, c->from))
        return;
    if (asconf->alone && c->packet->time_ns - asconf->time_ns > SCTPA_ASCONF_AGAIN_MS * SCTPA_NS_PER_MS)
        sctpa_accuse(c, SCTPA_RULE_AS_005, c->from, SCTPA_NO_PATH, asconf->packet,
                     SCTPA_WORDS("ASCONF %u only after ASCONF %u was acknowledged", asconf->serial, serial),
                     SCTPA_WORDS("ASCONF %u sent again after %u", serial, asconf->serial));
}

/* RFC 5061 5.1.1 C4: "MUST NOT be sent in any SCTP state except ESTABLISHED, SHUTDOWN-PENDING, SHUTDOWN-RECEIVED, and
 * SHUTDOWN-SENT" */
static void check_state(sctpa_context_t *c)
{
    const sctpa_end_t *end = &c->assoc->ends[c->from];
    if (!sctpa_may_judge(c, SCTPA_RULE_AS_010, c->from))
        return;
    if (sctpa_counts_chunks(end->settled, SCTPA_CHUNK_ROW_SHUTDOWN_ACK) > 0 && !(c->rows & SCTPA_ROW(SHUTDOWN_ACK)))
        sctpa_accuse(c, SCTPA_RULE_AS_010, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "no ASCONF after an own SHUTDOWN ACK", "ASCONF");
}

/* RFC 5061 4.2.7: "The sender MUST support both the sending and the receiving of any chunk types listed" */
static void check_negotiated(sctpa_context_t *c)
{
    const sctpa_init_t *peer = &c->assoc->ends[!c->from].init;
    const sctpa_addresses_t *state = sctpa_addresses_state(c);
    if (!state->unsound[!c->from] && sctpa_may_judge(c, SCTPA_RULE_AS_002, c->from) &&
        !(peer->supported_chunks & SCTPA_ROW(ASCONF)))
        sctpa_accuse(c, SCTPA_RULE_AS_002, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX,
                     "ASCONF among the Supported Extensions of the peer", "not listed");
}

/* RFC 5061 5.1 A9: "the sender of the ASCONF MUST NOT send any further ASCONF Chunks" */
static void check_continues(sctpa_context_t *c, uint32_t serial, const sctpa_asker_t *asker)
{
    if (asker->refusals < SCTPA_ASCONF_REFUSALS || !sctpa_may_judge(c, SCTPA_RULE_AS_029, c->from))
        return;
    if (serial != asker->refused_serial &&
        c->packet->time_ns - asker->refusal_ns > SCTPA_ASCONF_REFUSED_S * SCTPA_NS_PER_S)
        sctpa_accuse(c, SCTPA_RULE_AS_029, c->from, SCTPA_NO_PATH, asker->refusal_packet,
                     "no further ASCONF after ERROR, Unrecognized Chunk Type", SCTPA_WORDS("ASCONF %u", serial));
}

/* RFC 5061 4.1.1: "one of the configuration change requests that MUST be acknowledged" */
static void check_unanswered(sctpa_context_t *c, sctpa_asconf_t *asconf)
{
    if (asconf->answered || !sctpa_may_judge(c, SCTPA_RULE_AS_021, !c->from))
        return;
    asconf->transmissions += asconf->transmissions < UINT8_MAX;
    if (asconf->transmissions == SCTPA_ASCONF_UNANSWERED && c->sent && c->sent->acked.len > 0 &&
        c->sent->last_sack_ns > asconf->time_ns)
        sctpa_accuse(c, SCTPA_RULE_AS_021, !c->from, SCTPA_NO_PATH, asconf->packet,
                     SCTPA_WORDS("ASCONF-ACK %u", asconf->serial),
                     SCTPA_WORDS("none to %u transmissions, while data is acknowledged", SCTPA_ASCONF_UNANSWERED));
}

static sctpa_asker_t *asker_of(sctpa_context_t *c)
{
    sctpa_addresses_t *state = sctpa_addresses_state(c);
    sctpa_asker_t **asker = &state->askers[c->from];
    if (!*asker) {
        *asker = sctpa_arena_alloc(&c->store->arena, sizeof **asker);
        (*asker)->early_packet = (*asker)->late_packet = SCTPA_NO_PACKET_INDEX;
    }
    return *asker;
}

static void begin(sctpa_context_t *c, const sctpa_tlv_t *chunk, uint32_t serial, sctpa_asker_t *asker)
{
    const sctpa_init_t *init = &c->assoc->ends[c->from].init;
    bool follows = asker->asked ? asker->all_seen && asker->asconf.answered && serial == asker->asconf.serial + 1
                                : init->seen && serial == init->initial_tsn;
    asker->all_seen = follows && chunk->captured_bytes == chunk->wire_bytes;
    asker->asked = true;
    asker->early_packet = asker->late_packet = SCTPA_NO_PACKET_INDEX;
    asker->asconf = (sctpa_asconf_t){ .serial = serial,
                                      .packet = c->index,
                                      .hash = hash_of(c, chunk),
                                      .time_ns = c->packet->time_ns,
                                      .transmissions = 1,
                                      .alone = !holds_serial(c, serial - 1),
                                      .sources_known = true };
    note_params(c, chunk, &asker->asconf);
    if (asker->asconf.is_new) {
        asker->unverified = asker->asconf.added;
        asker->unverified_packet = c->index;
    }
    asker->gone.bytes = 0;
}

/* RFC 5061 5.3 F1: "the sender MUST NOT use the new IP address as a source for ANY SCTP packet except on carrying an
 * ASCONF Chunk" */
static void check_early(sctpa_context_t *c, sctpa_asker_t *asker)
{
    if (!asker->asconf.is_new || !sctpa_may_judge(c, SCTPA_RULE_AS_011, c->from) ||
        asker->early_packet == SCTPA_NO_PACKET_INDEX)
        return;
    sctpa_accuse(c, SCTPA_RULE_AS_011, c->from, SCTPA_NO_PATH, asker->early_packet,
                 SCTPA_WORDS("no packet from %s before the ASCONF-ACK", sctpa_addr_words(&asker->asconf.added).text),
                 SCTPA_WORDS("one in frame %u, and the ASCONF sent again after it",
                             sctpa_context_frame(c, asker->early_packet)));
    asker->early_packet = SCTPA_NO_PACKET_INDEX;
}

void sctpa_check_asconf(sctpa_context_t *c, unsigned at)
{
    const sctpa_tlv_t *chunk = &c->chunks[at].tlv;
    uint32_t serial = sctpa_tlv_u32(chunk, SCTPA_F_ASCONF_SERIAL);
    sctpa_asker_t *asker = asker_of(c);
    if (!sctpa_tlv_has(chunk, SCTPA_F_ASCONF_SERIAL))
        return;
    check_first(c, serial);
    check_state(c);
    check_negotiated(c);
    check_continues(c, serial, asker);
    if (!asker->asked || sctpa_serial_distance(asker->asconf.serial, serial) > 0) {
        begin(c, chunk, serial, asker);
    } else if (serial == asker->asconf.serial) {
        check_same(c, chunk, &asker->asconf);
        check_unanswered(c, &asker->asconf);
        check_early(c, asker);
        asker->asconf.is_illegal =
            asker->asconf.is_illegal && sctpa_addr_equal(&asker->asconf.deleted, &c->packet->source);
    } else {
        check_outstanding(c, serial, &asker->asconf);
    }
    if (serial == asker->asconf.serial) {
        asker->asconf.last_packet = c->index;
        note_source(c, &asker->asconf);
    }
    sctpa_check_asconf_params(c, chunk, asker);
}
