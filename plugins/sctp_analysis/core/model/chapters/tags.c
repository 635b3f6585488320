/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verification Tags (RFC 9260 8.4, 8.5): what endpoints sent with one that is not their peer's, strays
 * (track/identity/strays.c), and what shows that it was they; tags that are reflected. Leaves out the tags of INIT,
 * INIT ACK (setup.c) and COOKIE ECHO (cookie.c), and packets that no association takes. */
#include "heartbeats.h"
#include "model/chapter.h"
#include "model/shared/endpoint_states.h"
#include "model/shared/initialization.h"
#include "track/identity/half_matching.h"
#include "track/lookup.h"

/* What separates the numbers of requests of one association, which begin at its Initial TSN and count up, from any
 * others: these are as near once in 65,536 times. */
#define REQUESTS_NEAR 65536

/* Packets of other associations between an answer and what it answers, of which the capture is searched. */
#define ANSWERED_BACK 64

/* Of an endpoint. */
typedef struct {
    uint32_t strays;        /* since its last packet with the right tag */
    uint32_t before_packet; /* its last packet before the first of them */
    uint32_t last_packet;   /* the last of them */
    uint32_t last_tag;      /* that it carried */
    bool has_fitting;       /* one of them holds a number that nobody else could know */
    bool has_several;       /* with more than one tag, ever */
    bool is_reported;       /* SM-001 was found violated by one of them */
    uint64_t heartbeat;     /* hash of the last HEARTBEAT in a stray (sctpa_heartbeat_hash), 0 none */
    uint32_t heartbeat_packet, heartbeat_before; /* its packet, the last right one of the endpoint before */
    uint32_t heartbeat_tag;
    uint32_t answer_packet;
    bool is_answered; /* it is, by a HEARTBEAT ACK, since the last packet of the endpoint with the right tag */
} wrong_tags_t;

typedef struct {
    wrong_tags_t endpoints[2];
} both_wrong_tags_t;

/* Those of an endpoint before the packet, NULL none in the association. O(1). */
static const wrong_tags_t *wrong_tags(const sctpa_context_t *c, uint8_t endpoint)
{
    const both_wrong_tags_t *kept = sctpa_context_find_part(c, SCTPA_PART_WRONG_TAGS);
    return kept ? &kept->endpoints[endpoint] : NULL;
}

/* Did the endpoint itself send its strays? Asked at its next packet with the right tag: they carry TSNs that nobody
 * else could know, or stand between its other packets by their identifications of IPv4. O(1). */
static bool wrong_tags_are_own(const sctpa_context_t *c, const wrong_tags_t *wrong)
{
    return wrong->has_fitting ||
           sctpa_tap_sent_all(&c->reference->tap, c->from, wrong->before_packet, c->index) == SCTPA_YES;
}

/* Does the packet answer the last HEARTBEAT in a stray of its receiver, and no other? */
static bool answers(const sctpa_context_t *c, const wrong_tags_t *wrong)
{
    const sctpa_tlv_t *answer = wrong->heartbeat ? sctpa_context_chunk(c, SCTPA_CHUNK_ROW_HEARTBEAT_ACK) : NULL;
    return answer && sctpa_heartbeat_hash(c->tracker, answer) == wrong->heartbeat &&
           !sctpa_heartbeats_answered(c, answer);
}

static bool fits_tsns(const sctpa_context_t *c, const sctpa_tlv_t *data, sctpa_field_id_t field, int64_t room)
{
    int64_t tsn = c->sent && c->sent->highest >= 0 && data && sctpa_tlv_has(data, field)
                      ? sctpa_context_unwrap(c->sent, sctpa_tlv_u32(data, field))
                      : -1;
    return c->sent && tsn > c->sent->cum_tsn && tsn <= c->sent->highest + room;
}

/* A cum_tsn of what its peer has outstanding, or the last; where it sent none, the one below its Initial TSN. */
static bool fits_acks(const sctpa_context_t *c, uint32_t cum_tsn)
{
    const sctpa_init_t *peer = &c->assoc->ends[!c->from].init;
    if (!c->acked || c->acked->highest < 0)
        return peer->seen && cum_tsn + 1 == peer->initial_tsn;
    const int64_t number = sctpa_context_unwrap(c->acked, cum_tsn);
    return number >= c->acked->cum_tsn && number <= c->acked->highest;
}

/* A number of a request of endpoint. */
static bool fits_requests(const sctpa_context_t *c, uint8_t endpoint, const sctpa_tlv_t *chunk, unsigned at)
{
    const sctpa_init_t *init = &c->assoc->ends[endpoint].init;
    return init->seen && chunk->captured_bytes >= at + 4 &&
           sctpa_be32(chunk->bytes + at) - init->initial_tsn < REQUESTS_NEAR;
}

static bool chunk_fits(const sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    enum { SERIAL_AT = 4, REQUEST_AT = 8 }; /* of ASCONF (RFC 5061 4.1.1); of a parameter of RE-CONFIG (RFC 6525 4) */
    switch (chunk->type) {
    case SCTPA_CHUNK_DATA:
    case SCTPA_CHUNK_I_DATA: return fits_tsns(c, chunk, SCTPA_F_DATA_TSN, 1);
    case SCTPA_CHUNK_FORWARD_TSN:
    case SCTPA_CHUNK_I_FORWARD_TSN: return fits_tsns(c, chunk, SCTPA_F_FORWARD_TSN_NEW_CUM, 0);
    case SCTPA_CHUNK_SACK:
    case SCTPA_CHUNK_NR_SACK:
    case SCTPA_CHUNK_SHUTDOWN:
        return sctpa_tlv_has(chunk, SCTPA_F_SHUTDOWN_CUM_TSN) &&
               fits_acks(c, sctpa_tlv_u32(chunk, SCTPA_F_SHUTDOWN_CUM_TSN));
    case SCTPA_CHUNK_HEARTBEAT_ACK: return sctpa_heartbeats_answered(c, chunk) != NULL;
    case SCTPA_CHUNK_ASCONF: return fits_requests(c, c->from, chunk, SERIAL_AT);
    case SCTPA_CHUNK_ASCONF_ACK: return fits_requests(c, !c->from, chunk, SERIAL_AT);
    case SCTPA_CHUNK_RE_CONFIG:
        return fits_requests(c, c->from, chunk, REQUEST_AT) || fits_requests(c, !c->from, chunk, REQUEST_AT);
    default: return false;
    }
}

/* Does the packet hold a number that nobody but its sender could know: its next TSN, or one that is outstanding; a
 * cum_tsn of what its peer has outstanding; the info of a HEARTBEAT of its peer; the number of a request? O(chunks). */
static bool fits(const sctpa_context_t *c)
{
    unsigned i = 0;
    while (i < c->n_chunks && !chunk_fits(c, &c->chunks[i].tlv))
        i++;
    return i < c->n_chunks;
}

/* Is the packet, a stray, the answer to what its peer sent: COOKIE ECHO, SHUTDOWN, SHUTDOWN ACK? */
static bool is_due(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    const bool is_set_up = setup->steps[SCTPA_STEP_COOKIE_ACK].count > 0;
    return (c->rows & SCTPA_ROW(COOKIE_ACK)) ||
           (c->rows & SCTPA_ROW(ERROR) && !is_set_up && setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0) ||
           (c->rows & SCTPA_ROW(SHUTDOWN_ACK) && c->tracked->shutdown_by == !c->from) ||
           (c->rows & SCTPA_ROW(SHUTDOWN_COMPLETE) && c->tracked->shutdown_ack_seen);
}

/* Is the packet, a stray, of the host that sent the packets of the endpoint before, by its identification (strays.c)?
 */
static bool is_of_host(const sctpa_context_t *c)
{
    const sctpa_side_t *side = &c->tracked->sides[c->from];
    return side->strays > 0 && side->ttl == c->packet->ttl &&
           (sctpa_context_is_over_dtls(c) || (c->packet->ip_id != 0 && side->ip_id == c->packet->ip_id));
}

/* Does the packet begin with an ABORT or SHUTDOWN COMPLETE that has the T bit? */
static bool is_reflected(const sctpa_context_t *c)
{
    const sctpa_tlv_t *first = c->n_chunks > 0 ? &c->chunks[0].tlv : NULL;
    return first &&
           ((first->type == SCTPA_CHUNK_ABORT && sctpa_tlv_u32(first, SCTPA_F_ABORT_T)) ||
            (first->type == SCTPA_CHUNK_SHUTDOWN_COMPLETE && sctpa_tlv_u32(first, SCTPA_F_SHUTDOWN_COMPLETE_T)));
}

/* Is the tag of the packet its sender's own, which only its peer and whoever sees packets can know? */
static bool has_own_tag(const sctpa_context_t *c)
{
    const sctpa_end_t *own = &c->assoc->ends[c->from];
    return own->has_vtag && own->vtag == sctpa_context_vtag(c) && own->vtag >= SCTPA_SMALL_TAG;
}

/* Has the sender of the packet no older association of these ports, from before the capture: it has sent INIT, or taken
 * a COOKIE ECHO, or this one is older? */
static bool has_no_older(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    return setup->steps[SCTPA_STEP_INIT].count == 0 || setup->steps[SCTPA_STEP_INIT].by == c->from ||
           c->tracked->established || c->rows & SCTPA_ROW(COOKIE_ACK);
}

/* Was the last packet of the association, near by in the capture, one of the peer? O(1). */
static bool answers_last(const sctpa_context_t *c)
{
    uint32_t i = c->index;
    while (i > 0 && c->index - i < ANSWERED_BACK) {
        const sctpa_record_t *record = sctpa_context_record(c, --i);
        if (record->assoc == c->record->assoc && !sctpa_record_is_gone(record) &&
            !(record->remarks & SCTPA_CAPTURE_DUPLICATE))
            return record->from != c->from;
    }
    return false;
}

static void take_stray(const sctpa_context_t *c, wrong_tags_t *wrong)
{
    const sctpa_tlv_t *heartbeat = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_HEARTBEAT);
    wrong->has_several |= wrong->last_tag != 0 && wrong->last_tag != sctpa_context_vtag(c);
    wrong->last_tag = sctpa_context_vtag(c);
    if (sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT))
        return;
    if (wrong->strays++ == 0) {
        wrong->before_packet = c->reference->tap.ip_ids[c->from].last_packet;
        wrong->has_fitting = false;
    }
    wrong->last_packet = c->index;
    wrong->has_fitting |= fits(c);
    if (!heartbeat)
        return;
    wrong->heartbeat = sctpa_heartbeat_hash(c->tracker, heartbeat);
    wrong->heartbeat_packet = c->index;
    wrong->heartbeat_before = wrong->before_packet;
    wrong->heartbeat_tag = wrong->last_tag;
}

static void take_answer(const sctpa_context_t *c, wrong_tags_t *wrong)
{
    if (!answers(c, wrong))
        return;
    wrong->is_answered = true;
    wrong->answer_packet = c->index;
}

/* Is it an ABORT that refuses the INIT of its peer, with a tag that no INIT announced? */
static bool is_wrong_refusal(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_announcement_t *a = i && c->rows == SCTPA_ROW(ABORT) && !c->is_stray ? i->last : NULL;
    const sctpa_tlv_t *abort = a ? sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT) : NULL;
    if (!a || a->from == c->from || a->is_ack || i->is_overfull || sctpa_context_vtag(c) == 0 ||
        sctpa_tlv_u32(abort, SCTPA_F_ABORT_T) || sctpa_tlv_u32(abort, SCTPA_F_ABORT_M))
        return false;
    while (a && a->from != c->from && a->tag != sctpa_context_vtag(c))
        a = a->before;
    return !a;
}

/* How sure it is that the sender of the packet, which has a wrong tag, sent it and not somebody else, and that no
 * association that the capture lacks has that tag; SCTPA_CERTAINTIES: nothing shows it, so far. O(chunks). */
static sctpa_certainty_t certainty_of_stray(const sctpa_context_t *c)
{
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    const bool is_here = sctpa_tap_is_asserted(&c->reference->tap, c->from, SCTPA_ASSERTED_ARRIVED),
               is_whole = sctpa_tap_asserted(&c->reference->tap, c->from) & SCTPA_ASSERTED_COMPLETE;
    if (abort && sctpa_tlv_u32(abort, SCTPA_F_ABORT_M))
        return SCTPA_CERTAINTIES;
    if (is_reflected(c))
        return SCTPA_CERTAINTIES;
    if (!c->is_stray)
        return is_here ? SCTPA_CERTAINTY_PROVEN : answers_last(c) ? SCTPA_CERTAINTY_PROBABLE : SCTPA_CERTAINTIES;
    if (is_here)
        return has_no_older(c) ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    const bool is_shown = abort ? is_of_host(c) : fits(c) || is_due(c) || (is_whole && is_of_host(c)) || has_own_tag(c);
    return is_shown ? SCTPA_CERTAINTY_PROBABLE : SCTPA_CERTAINTIES;
}

/* Does the packet show that the association goes on with the tags that it had, so that no other took its place: is it
 * of the peer of who sent the strays, and has the tag of that? */
static bool confirms(const sctpa_context_t *c, const wrong_tags_t *wrong)
{
    return !c->is_stray && wrong->strays > 0 && !is_reflected(c) &&
           sctpa_context_vtag(c) == c->assoc->ends[!c->from].vtag;
}

/* The endpoint uses the right tag again: its strays were its own, where they are known to be. */
static void take_return(const sctpa_context_t *c, wrong_tags_t *wrong)
{
    if (wrong->strays > 0 && wrong->is_reported && wrong_tags_are_own(c, wrong))
        sctpa_findings_prove(c, SCTPA_RULE_SM_001, c->from, 0);
    wrong->strays = 0;
    wrong->is_reported = wrong->is_answered = false;
}

/* Takes the packet, after the rules. O(chunks). */
static void wrong_tags_take(const sctpa_context_t *c)
{
    if (!c->is_stray && !sctpa_context_find_part(c, SCTPA_PART_WRONG_TAGS))
        return;
    both_wrong_tags_t *kept = sctpa_context_part(c, SCTPA_PART_WRONG_TAGS, sizeof *kept);
    if (!c->is_stray) {
        take_return(c, &kept->endpoints[c->from]);
        take_answer(c, &kept->endpoints[!c->from]);
        kept->endpoints[!c->from].is_reported |= confirms(c, &kept->endpoints[!c->from]);
    } else if (sctpa_context_is_verified(c)) {
        take_stray(c, &kept->endpoints[c->from]);
        kept->endpoints[c->from].is_reported |= certainty_of_stray(c) != SCTPA_CERTAINTIES;
    }
}

RULE(SM, 001,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | BOTH,
    .when = PACKET, .of = OF_EACH, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 8.5, 8.5.1",
    .title = "Verification Tag is not the peer's",
    .quote = "the endpoint MUST fill in the Verification Tag field of the outbound packet with the tag value in the "
        "Initiate Tag parameter of the INIT or INIT ACK chunk received from its peer",
    .why = "The peer discards the packet.",
    .evidence = "Nobody announced the tag of the packet between these addresses and ports. Proven where the endpoint "
        "then sends with its peer's tag again, and the packet holds the next TSN, or one that is outstanding, "
        "acknowledges data that is outstanding, or has the identification of IPv4 that lies between those of the "
        "packets around it, of which none is missing; or where the capture is asserted to be complete and taken at the "
        "endpoint. Probable where it holds such a number, or is the answer that was due, or stands where the "
        "identifications of the endpoint continue and its peer goes on with the tags of the association.",
    .doubt = "A restart that the capture missed brings another tag, but no endpoint goes back to the one before. "
        "Somebody who forges packets knows neither TSNs nor identifications. What an endpoint sends before it has "
        "taken a COOKIE ECHO may be of an older association: not checked.");

/* The packet has a wrong tag; or those of the accused before had, and this one shows that it sent them: it has the
 * right one, or its peer goes on with the tags of the association. */
static bool SM_001_applies(const sctpa_context_t *c)
{
    const wrong_tags_t *wrong = wrong_tags(c, c->accused);
    if (c->from == c->accused && (c->is_stray || is_wrong_refusal(c)))
        return certainty_of_stray(c) != SCTPA_CERTAINTIES;
    if (c->is_stray || !wrong || wrong->strays == 0 || wrong->is_reported)
        return false;
    return c->from == c->accused || confirms(c, wrong);
}

/* "the endpoint MUST fill in the Verification Tag field of the outbound packet with the tag value in the Initiate Tag
 * parameter of the INIT or INIT ACK chunk received from its peer" */
static bool SM_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const wrong_tags_t *wrong = wrong_tags(c, c->accused);
    const bool is_now = c->from == c->accused && (c->is_stray || is_wrong_refusal(c));
    violation->path = c->from == c->accused ? c->path : SCTPA_NO_PATH;
    if (is_now) {
        violation->at_best = certainty_of_stray(c);
        violation->rests_on = violation->at_best == SCTPA_CERTAINTY_PROVEN ? SCTPA_ASSERTED_ARRIVED : 0;
    } else {
        const bool is_own = c->from == c->accused && wrong_tags_are_own(c, wrong);
        violation->at_best = is_own ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
        violation->related = wrong->last_packet;
    }
    sctpa_violation_say(violation, SCTPA_WORDS("Verification Tag 0x%08x", c->assoc->ends[!c->accused].vtag),
                        is_now ? SCTPA_WORDS("0x%08x", sctpa_context_vtag(c))
                               : SCTPA_WORDS("0x%08x in packets: %u", wrong->last_tag, wrong->strays));
    return true;
}

RULE(SM, 003,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH | NEAR,
    .when = PACKET, .of = OF_PEER, .on = ANY,
    .accused = "sender of the HEARTBEAT ACK",
    .clause = "RFC 9260 8.5",
    .title = "Packet with the wrong Verification Tag answered",
    .quote = "the receiver MUST silently discard the packet and MUST NOT process it any further",
    .why = "Whoever does not know the tag can disturb the association.",
    .evidence = "Near the endpoint: a HEARTBEAT ACK repeats the Heartbeat Info of a HEARTBEAT that passed with a wrong "
        "tag only.",
    .doubt = "A HEARTBEAT with the same info and the right tag may have been missed: probable, unless the next packet "
        "of its sender shows by identifications of IPv4 that none was.");

/* The accused answered a stray of the sender, whose next packet shows whether one was missed that held the same. */
static bool SM_003_applies(const sctpa_context_t *c)
{
    const wrong_tags_t *wrong = wrong_tags(c, c->from);
    return !c->is_stray && wrong && wrong->is_answered;
}

/* "the receiver MUST silently discard the packet and MUST NOT process it any further" */
static bool SM_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const wrong_tags_t *wrong = wrong_tags(c, c->from);
    bool is_only = sctpa_tap_sent_all(&c->reference->tap, c->from, wrong->heartbeat_before, c->index) == SCTPA_YES;
    bool is_asserted = !is_only && sctpa_context_is_asserted(c, SCTPA_ASSERTED_COMPLETE);
    violation->related = wrong->answer_packet;
    violation->at_best = is_only || is_asserted ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on = is_asserted ? SCTPA_ASSERTED_COMPLETE : 0;
    sctpa_violation_say(violation, "no answer to a packet with a wrong Verification Tag",
                        SCTPA_WORDS("HEARTBEAT ACK for the HEARTBEAT of frame %u with tag 0x%08x",
                                    sctpa_context_frame(c, wrong->heartbeat_packet), wrong->heartbeat_tag));
    return true;
}

RULE(SM, 029,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | SETUP | COMPLETE | NEAR,
    .when = PACKET, .of = OF_SENDER, .on = ROW(ABORT) | ROW(SHUTDOWN_COMPLETE),
    .accused = "sender of the answer",
    .clause = "RFC 9260 8.5, 8.4",
    .title = "Packet with the wrong Verification Tag answered as if there were no association",
    .quote = "the receiver MUST silently discard the packet and MUST NOT process it any further",
    .why = "Whoever does not know the tag learns that there is an association, and can make hosts send.",
    .evidence = "Near the endpoint: ABORT or SHUTDOWN COMPLETE with the T bit and the wrong tag of a packet from "
        "its peer, while its association was open.",
    .doubt = "An endpoint that may have closed the association is not reported.");

/* The packet reflects the tag of the last stray of its receiver. */
static bool SM_029_applies(const sctpa_context_t *c)
{
    const wrong_tags_t *wrong = wrong_tags(c, !c->from);
    const uint8_t states = sctpa_states_before(c, c->from), closed = 1 << SCTPA_STATE_CLOSED;
    return wrong && wrong->strays > 0 && wrong->last_tag == sctpa_context_vtag(c) && c->chunks[0].tlv.flags & 1 &&
           !(states & closed);
}

/* "the receiver MUST silently discard the packet and MUST NOT process it any further" */
static bool SM_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const wrong_tags_t *wrong = wrong_tags(c, !c->from);
    violation->path = c->path;
    violation->related = violation->since = wrong->last_packet;
    sctpa_violation_say(
        violation, "no answer to a packet with a wrong Verification Tag",
        SCTPA_WORDS("%s with the T bit and tag 0x%08x", sctpa_chunk_word(&c->chunks[0].tlv), wrong->last_tag));
    return true;
}

/* Does an association with a port of the packet have the tag, or an older one: of either endpoint? O(1). */
static bool is_known_here(const sctpa_context_t *c, uint32_t tag)
{
    const sctpa_candidates_t owners = sctpa_owner_find(c->tracker, tag);
    bool is_here = false;
    for (unsigned i = 0; i < owners.n; i++) {
        const sctpa_sender_t owner = sctpa_candidate(c->tracker, &owners, i);
        const uint16_t port = owner.tracked->assoc.ends[owner.from].port;
        is_here |= port == c->assoc->ends[0].port || port == c->assoc->ends[1].port;
    }
    return is_here;
}

/* May only one of the two tags stand in a packet of its sender, by its T bit? */
static bool tells_tags_apart(const sctpa_context_t *c)
{
    const sctpa_end_t *ends = c->assoc->ends;
    return !c->assoc->collision && ends[0].vtag != ends[1].vtag;
}

/* The right tag for a T bit, and the one that the packet has. */
static void say_tag(const sctpa_context_t *c, sctpa_violation_t *violation, bool has_t)
{
    violation->path = c->path;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("T bit %d with tag 0x%08x", has_t, c->assoc->ends[c->from ^ !has_t].vtag),
                        SCTPA_WORDS("T bit %d with tag 0x%08x", has_t, sctpa_context_vtag(c)));
}

RULE(SM, 004,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH,
    .when = PACKET, .of = OF_SENDER, .on = ROW(ABORT),
    .accused = "sender of the ABORT",
    .clause = "RFC 9260 3.3.7",
    .title = "T bit and tag of ABORT disagree",
    .quote = "The T bit is set to 0 if the sender filled in the Verification Tag expected by the peer. If the "
        "Verification Tag is reflected, the T bit MUST be set to 1.",
    .why = "The peer discards the ABORT and keeps the association.",
    .evidence = "The ABORT carries the tag that its own sender announced, and T bit 0; or the tag that its peer "
        "announced, and T bit 1.",
    .doubt = "In a collision of INITs an endpoint may announce several tags: not checked there, nor is T bit 1 where "
        "a packet with a wrong tag passed, whose tag it may reflect.");

/* Not that of a middlebox. */
static bool SM_004_applies(const sctpa_context_t *c)
{
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    return !sctpa_tlv_u32(abort, SCTPA_F_ABORT_M) && tells_tags_apart(c);
}

/* "The T bit is set to 0 if the sender filled in the Verification Tag expected by the peer. If the Verification Tag is
 * reflected, the T bit MUST be set to 1." */
static bool SM_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool has_t = sctpa_tlv_u32(sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT), SCTPA_F_ABORT_T);
    if (sctpa_context_vtag(c) != c->assoc->ends[c->from ^ has_t].vtag || (has_t && wrong_tags(c, !c->from)))
        return false;
    say_tag(c, violation, has_t);
    return true;
}

RULE(SM, 006,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH,
    .when = PACKET, .of = OF_SENDER, .on = ROW(SHUTDOWN_COMPLETE),
    .accused = "sender of the SHUTDOWN COMPLETE",
    .clause = "RFC 9260 8.5.1",
    .title = "T bit and tag of SHUTDOWN COMPLETE disagree",
    .quote = "the destination endpoint's tag MUST be used and the T bit MUST NOT be set",
    .why = "The peer discards it, and sends SHUTDOWN ACK until it gives up.",
    .evidence = "Its own tag, which it announced, without T bit, or the peer's tag with it.",
    .doubt = "In a collision of INITs an endpoint may announce several tags: not checked there.");

static bool SM_006_applies(const sctpa_context_t *c)
{
    return tells_tags_apart(c);
}

/* "the destination endpoint's tag MUST be used and the T bit MUST NOT be set" */
static bool SM_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    bool has_t = sctpa_tlv_u32(sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE), SCTPA_F_SHUTDOWN_COMPLETE_T);
    if (sctpa_context_vtag(c) != c->assoc->ends[c->from ^ has_t].vtag)
        return false;
    say_tag(c, violation, has_t);
    return true;
}

RULE(SM, 024,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | BOTH,
    .when = PACKET, .of = OF_SENDER, .on = ROW(ABORT) | ROW(SHUTDOWN_COMPLETE),
    .accused = "sender of the ABORT or SHUTDOWN COMPLETE",
    .clause = "RFC 9260 8.4, 8.5.1",
    .title = "T bit with a tag that no packet had",
    .quote = "MUST fill in the Verification Tag field of the outbound packet with the value found in the Verification "
        "Tag field of the OOTB packet and set the T bit",
    .why = "The peer discards the answer, and goes on with an association that is gone.",
    .evidence = "The T bit says that the tag is that of the packet which is answered; no packet to the endpoint had "
        "it. Proven where the capture is asserted to be complete and taken at the endpoint.",
    .doubt = "The capture may lack the packet that was answered: probable, and only where the packet before was one to "
        "the endpoint. A middlebox that answers in its name reflects tags as well.");

static bool SM_024_applies(const sctpa_context_t *c)
{
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    return is_reflected(c) && sctpa_context_vtag(c) != 0 && !(abort && sctpa_tlv_u32(abort, SCTPA_F_ABORT_M)) &&
           answers_last(c);
}

/* "the value found in the Verification Tag field of the OOTB packet" */
static bool SM_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint32_t tag = sctpa_context_vtag(c);
    const wrong_tags_t *wrong = wrong_tags(c, !c->from);
    const bool is_asserted = sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
    if (is_known_here(c, tag) || (wrong && (wrong->last_tag == tag || wrong->has_several)))
        return false;
    violation->path = c->path;
    violation->at_best = is_asserted ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on = is_asserted ? SCTPA_ASSERTED_ARRIVED : 0;
    sctpa_violation_say(violation, SCTPA_WORDS("T bit 1 with tag 0x%08x", c->assoc->ends[c->from].vtag),
                        SCTPA_WORDS("T bit 1 with tag 0x%08x", tag));
    return true;
}

/* Few associations have strays, and few packets hold an ABORT or SHUTDOWN COMPLETE. */
void sctpa_check_tags(sctpa_context_t *c)
{
    const uint64_t reflecting = SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    if (!c->is_stray && !(c->rows & reflecting) && !sctpa_context_find_part(c, SCTPA_PART_WRONG_TAGS))
        return;
    ASK(SM, 001);
    ASK(SM, 003);
    ASK(SM, 004);
    ASK(SM, 006);
    ASK(SM, 024);
    ASK(SM, 029);
    wrong_tags_take(c);
}
