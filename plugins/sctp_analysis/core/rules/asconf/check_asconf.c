/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of ASCONF chunks: when they are sent, their numbers, retransmissions. What they ask for stands in
 * check_asconf_params.c, answers in check_asconf_ack.c. */
#include "reference/life/authentication.h"
#include "reference/requests/asconf.h"
#include "rules/rule_functions.h"
#include "wire/address.h"

bool sctpa_AS_001_applies(const sctpa_context_t *c)
{
    return c->assoc->encapsulation != SCTPA_OVER_DTLS && !sctpa_asconf_is_offered_bare(c, c->from);
}

/* "This chunk MUST be sent in an authenticated way by using the mechanism defined in [RFC4895]." */
bool sctpa_AS_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_authentication_covers(c, (unsigned)(c->chunk - c->chunks)))
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("AUTH before %s", c->chunk->tlv.row->title),
                        "none (on Linux: net.sctp.addip_noauth_enable)");
    return true;
}

bool sctpa_AS_002_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->is_readable && !sctpa_asconf_is_init_unsound(c, !c->from);
}

/* "The sender MUST support both the sending and the receiving of any chunk types listed" */
bool sctpa_AS_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->assoc->ends[!c->from].init.supported_chunks & SCTPA_ROW(ASCONF))
        return false;
    sctpa_violation_say(violation, "ASCONF among the Supported Extensions of the peer", "not listed");
    return true;
}

/* Is the initial TSN known? Of several INIT ACKs the one whose cookie was taken counts, and data that fits shows that
 * it was this one. */
bool sctpa_AS_003_applies(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    return c->asconf_chunk->is_readable && !c->assoc->collision && setup->steps[SCTPA_STEP_INIT].count <= 1 &&
           setup->steps[SCTPA_STEP_INIT_ACK].count <= 1 && c->sent && c->sent->announced && c->sent->highest >= 0 &&
           (uint64_t)c->sent->highest < c->sent->tsns + SCTPA_ASCONF_FAR_NUMBERS;
}

/* "MUST be initialized at the start of the association to the same value as the Initial Transmission Sequence Number"
 */
bool sctpa_AS_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t initial_tsn = c->assoc->ends[c->from].init.initial_tsn;
    int32_t distance = sctpa_serial_distance(initial_tsn, c->asconf_chunk->serial);
    if (distance >= 0 && distance < SCTPA_ASCONF_FAR_NUMBERS)
        return false;
    sctpa_violation_say(violation, SCTPA_WORDS("the initial TSN %u, or soon after it", initial_tsn),
                        SCTPA_WORDS("%u", c->asconf_chunk->serial));
    return true;
}

bool sctpa_AS_005_applies(const sctpa_context_t *c)
{
    const sctpa_asker_t *asker = c->asconf_chunk->asker;
    if (c->asconf_chunk->is == SCTPA_ASCONF_OLDER)
        return c->asconf_chunk->serial == asker->asconf.serial - 1 && !sctpa_asconf_holds(c, asker->asconf.serial);
    return c->asconf_chunk->is == SCTPA_ASCONF_NEW && asker && asker->asked &&
           c->asconf_chunk->serial == asker->asconf.serial + 1 && !sctpa_asconf_holds(c, asker->asconf.serial);
}

/* Does the packet pass sooner after an ASCONF of its sender than any answer does, so that the capture lacks none? */
static bool is_before_any_answer(const sctpa_context_t *c, const sctpa_asconf_t *asconf)
{
    return sctpa_context_most_ns(c, c->packet->time_ns - asconf->time_ns) < sctpa_context_least_answer_ns(c, !c->from);
}

/* A new ASCONF, after one whose answer has not passed. */
static bool is_second(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_asconf_t *first = &c->asconf_chunk->asker->asconf;
    if (first->answered)
        return false;
    violation->since = violation->related = first->packet;
    violation->is_certain = is_before_any_answer(c, first);
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("ASCONF %u only after ASCONF %u was acknowledged", c->asconf_chunk->serial, first->serial),
        SCTPA_WORDS("ASCONF %u before any ASCONF-ACK %u", c->asconf_chunk->serial, first->serial));
    return true;
}

/* "it MUST wait until the ASCONF-ACK Chunk returns from the previous ASCONF Chunk" */
bool sctpa_AS_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_asconf_t *asconf = &c->asconf_chunk->asker->asconf;
    if (c->asconf_chunk->is == SCTPA_ASCONF_NEW)
        return is_second(c, violation);
    if (!asconf->alone ||
        sctpa_context_least_ns(c, c->packet->time_ns - asconf->time_ns) <= SCTPA_ASCONF_AGAIN_MS * SCTPA_NS_PER_MS)
        return false;
    violation->since = asconf->packet_before;
    violation->related = asconf->packet;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("ASCONF %u only after ASCONF %u was acknowledged", asconf->serial, c->asconf_chunk->serial),
        SCTPA_WORDS("ASCONF %u retransmitted after %u", c->asconf_chunk->serial, asconf->serial));
    return true;
}

bool sctpa_AS_010_applies(const sctpa_context_t *c)
{
    return c->chunk->tlv.type == SCTPA_CHUNK_ASCONF_ACK || c->asconf_chunk->is_readable;
}

/* "MUST NOT be sent in any SCTP state except ESTABLISHED, SHUTDOWN-PENDING, SHUTDOWN-RECEIVED, and SHUTDOWN-SENT" */
bool sctpa_AS_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_context_chunks(c, c->from, SCTPA_CHUNK_ROW_SHUTDOWN_ACK) == 0 || c->rows & SCTPA_ROW(SHUTDOWN_ACK))
        return false;
    bool is_answer = c->chunk->tlv.type == SCTPA_CHUNK_ASCONF_ACK;
    sctpa_violation_say(violation, is_answer ? "no ASCONF-ACK after SHUTDOWN ACK" : "no ASCONF after SHUTDOWN ACK",
                        is_answer ? "ASCONF-ACK" : "ASCONF");
    return true;
}

bool sctpa_AS_011_applies(const sctpa_context_t *c)
{
    const sctpa_asker_t *asker = sctpa_asconf_asker(c, c->from);
    return asker && asker->asked && asker->asconf.is_new && !asker->asconf.answered && !(c->rows & SCTPA_STRAY_ROWS);
}

/* "the sender MUST NOT use the new IP address as a source for ANY SCTP packet except on carrying an ASCONF Chunk" */
bool sctpa_AS_011_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_asker_t *asker = sctpa_asconf_asker(c, c->from);
    bool is_again = asker->again_packet == c->index;
    if (!is_again && !sctpa_asconf_is_early(c))
        return false;
    violation->related = is_again ? asker->early_packet_before_it : asker->asconf.packet;
    violation->is_certain = asker->all_seen && (is_again || is_before_any_answer(c, &asker->asconf));
    if (asker->all_seen)
        violation->since = asker->asconf.packet;
    sctpa_violation_say(
        violation, SCTPA_WORDS("no packet from %s before the ASCONF-ACK", sctpa_addr_words(&asker->asconf.added).text),
        is_again ? SCTPA_WORDS("one in frame %u, and the ASCONF retransmitted after it",
                               sctpa_context_frame(c, asker->early_packet_before_it))
                 : sctpa_chunk_word(&c->chunks[0].tlv));
    return true;
}

bool sctpa_AS_018_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->is == SCTPA_ASCONF_RETRANSMISSION;
}

/* "it MUST be the same (including its Sequence Number) as the last ASCONF sent" */
bool sctpa_AS_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_asconf_t *asconf = &c->asconf_chunk->asker->asconf;
    if (sctpa_asconf_hash(c, &c->chunk->tlv) == asconf->hash)
        return false;
    violation->related = asconf->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("ASCONF %u as it was sent first", asconf->serial),
                        "different bytes under the same number");
    return true;
}

bool sctpa_AS_021_applies(const sctpa_context_t *c)
{
    return c->asconf_chunk->is == SCTPA_ASCONF_RETRANSMISSION && !c->asconf_chunk->asker->asconf.answered;
}

/* "one of the configuration change requests that MUST be acknowledged" */
bool sctpa_AS_021_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_asconf_t *asconf = &c->asconf_chunk->asker->asconf;
    if (asconf->transmissions + 1 != SCTPA_ASCONF_UNANSWERED || !c->sent || c->sent->acked.len == 0 ||
        c->sent->last_sack_ns <= asconf->time_ns)
        return false;
    violation->related = asconf->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("ASCONF-ACK %u", asconf->serial),
                        SCTPA_WORDS("none to %u transmissions, while data is acknowledged", SCTPA_ASCONF_UNANSWERED));
    return true;
}

bool sctpa_AS_029_applies(const sctpa_context_t *c)
{
    const sctpa_asker_t *asker = c->asconf_chunk->asker;
    unsigned refusals = sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT) ? 1 : SCTPA_ASCONF_REFUSALS;
    return c->asconf_chunk->is_readable && asker && asker->refusals >= refusals;
}

/* "the sender of the ASCONF MUST NOT send any further ASCONF Chunks" */
bool sctpa_AS_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_asker_t *asker = c->asconf_chunk->asker;
    bool is_there = sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT);
    if ((c->asconf_chunk->serial == asker->refused_serial && !is_there) ||
        sctpa_context_least_ns(c, c->packet->time_ns - asker->refusal_ns) < SCTPA_ASCONF_REFUSED_S * SCTPA_NS_PER_S)
        return false;
    violation->related = asker->refusal_packet;
    violation->is_certain = is_there;
    violation->rests_on = is_there ? SCTPA_ASSERTED_TAKEN_AT : 0;
    sctpa_violation_say(violation, "no further ASCONF after ERROR, Unrecognized Chunk Type",
                        SCTPA_WORDS("ASCONF %u", c->asconf_chunk->serial));
    return true;
}

/* Place of the next chunk of a type after the one at place at, n_chunks none. O(chunks). */
static unsigned next_of(const sctpa_context_t *c, unsigned at, uint32_t type)
{
    do
        at++;
    while (at < c->n_chunks && c->chunks[at].tlv.type != type);
    return at;
}

/* The first chunk of a type in the packet that stands out of order; *before: the one before it. n_chunks: none. *pairs:
 * how many follow another. O(chunks). */
static unsigned out_of_order(const sctpa_context_t *c, uint32_t type, unsigned *before, unsigned *pairs)
{
    sctpa_field_id_t serial = type == SCTPA_CHUNK_ASCONF ? SCTPA_F_ASCONF_SERIAL : SCTPA_F_ASCONF_ACK_SERIAL;
    *before = next_of(c, UINT_MAX, type);
    *pairs = 0;
    for (unsigned at = next_of(c, *before, type); at < c->n_chunks; at = next_of(c, at, type)) {
        ++*pairs;
        if (sctpa_serial_distance(sctpa_tlv_u32(&c->chunks[*before].tlv, serial),
                                  sctpa_tlv_u32(&c->chunks[at].tlv, serial)) <= 0 ||
            (type == SCTPA_CHUNK_ASCONF && at != *before + 1))
            return at;
        *before = at;
    }
    return c->n_chunks;
}

bool sctpa_AS_026_applies(const sctpa_context_t *c)
{
    unsigned before, asconfs = 0, answers = 0;
    if (c->rows & SCTPA_ROW(ASCONF))
        out_of_order(c, SCTPA_CHUNK_ASCONF, &before, &asconfs);
    if (c->rows & SCTPA_ROW(ASCONF_ACK))
        out_of_order(c, SCTPA_CHUNK_ASCONF_ACK, &before, &answers);
    return asconfs + answers > 0;
}

/* "the chunks MUST appear in sequential order with respect to their Sequence Number"; 5.5: "All ASCONFs within the
 * packet MUST be adjacent to each other" */
bool sctpa_AS_026_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    unsigned before, pairs, at = c->n_chunks;
    uint32_t type = SCTPA_CHUNK_ASCONF;
    if (c->rows & SCTPA_ROW(ASCONF))
        at = out_of_order(c, type, &before, &pairs);
    if (at == c->n_chunks && c->rows & SCTPA_ROW(ASCONF_ACK)) {
        type = SCTPA_CHUNK_ASCONF_ACK;
        at = out_of_order(c, type, &before, &pairs);
    }
    if (at == c->n_chunks)
        return false;
    sctpa_field_id_t serial = type == SCTPA_CHUNK_ASCONF ? SCTPA_F_ASCONF_SERIAL : SCTPA_F_ASCONF_ACK_SERIAL;
    sctpa_violation_say(violation, type == SCTPA_CHUNK_ASCONF ? "ascending numbers, side by side" : "ascending numbers",
                        SCTPA_WORDS("%u after %u%s", sctpa_tlv_u32(&c->chunks[at].tlv, serial),
                                    sctpa_tlv_u32(&c->chunks[before].tlv, serial),
                                    at == before + 1 ? "" : ", other chunks between them"));
    return true;
}

bool sctpa_AS_016_applies(const sctpa_context_t *c)
{
    return sctpa_asconf_unverified_use(c).is_there;
}

/* "MUST NOT send packets to the new address except for the corresponding ASCONF-ACK Chunk or HEARTBEAT Chunks" */
bool sctpa_AS_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_unverified_use_t use = sctpa_asconf_unverified_use(c);
    const sctpa_asker_t *peer = sctpa_asconf_asker(c, !c->from);
    if (use.is_probe || !use.is_forbidden)
        return false;
    violation->path = c->path;
    violation->related = peer->unverified_packet;
    if (peer->all_seen)
        violation->since = peer->unverified_packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("a HEARTBEAT to %s before anything else", sctpa_addr_words(&peer->unverified).text),
                        sctpa_chunk_word(&c->chunks[0].tlv));
    return true;
}

/* The packet is from, or to, an address whose deletion was granted. */
static void say_gone(const sctpa_context_t *c, const sctpa_asker_t *asker, const char *from_or_to,
                     sctpa_violation_t *violation)
{
    violation->since = violation->related = asker->gone_packet;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("no packet %s %s, whose deletion was granted", from_or_to, sctpa_addr_words(&asker->gone).text),
        SCTPA_WORDS("one %.1f s later", (double)(c->packet->time_ns - asker->gone_ns) / (double)SCTPA_NS_PER_S));
}

bool sctpa_AS_012_applies(const sctpa_context_t *c)
{
    const sctpa_asker_t *asker = sctpa_asconf_asker(c, c->accused);
    if (!asker)
        return false;
    if (c->accused != c->from)
        return asker->gone_packet == c->index && asker->asconf.deleted.bytes > 0;
    return asker->gone.bytes > 0 && !(c->rows & (SCTPA_ROW(ASCONF) | SCTPA_STRAY_ROWS)) &&
           sctpa_context_least_ns(c, c->packet->time_ns - asker->gone_ns) > SCTPA_ASCONF_LEFT_MS * SCTPA_NS_PER_MS;
}

/* Its deletion was granted before. */
static bool comes_from_gone(const sctpa_context_t *c, const sctpa_asker_t *asker, sctpa_violation_t *violation)
{
    if (!sctpa_addr_equal(&asker->gone, &c->packet->source))
        return false;
    say_gone(c, asker, "from", violation);
    return true;
}

/* "MUST NOT be used as a source address for any subsequent packets" */
bool sctpa_AS_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_asker_t *asker = sctpa_asconf_asker(c, c->accused);
    if (c->accused == c->from)
        return comes_from_gone(c, asker, violation);
    if (asker->late_packet == SCTPA_NO_PACKET_INDEX)
        return false;
    violation->is_certain = asker->all_seen;
    violation->related = asker->late_packet;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("no packet from %s after the request to delete it", sctpa_addr_words(&asker->asconf.deleted).text),
        SCTPA_WORDS("one in frame %u", sctpa_context_frame(c, asker->late_packet)));
    return true;
}

bool sctpa_AS_017_applies(const sctpa_context_t *c)
{
    const sctpa_asker_t *peer = sctpa_asconf_asker(c, !c->from);
    return peer && peer->gone.bytes > 0 && !(c->rows & SCTPA_STRAY_ROWS) &&
           sctpa_context_least_ns(c, c->packet->time_ns - peer->gone_ns) > SCTPA_ASCONF_GONE_S * SCTPA_NS_PER_S;
}

/* "It MUST NOT send SCTP packets for the association to that address" */
bool sctpa_AS_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_asker_t *peer = sctpa_asconf_asker(c, !c->from);
    if (!sctpa_addr_equal(&peer->gone, &c->packet->destination))
        return false;
    violation->path = c->path;
    say_gone(c, peer, "to", violation);
    return true;
}
