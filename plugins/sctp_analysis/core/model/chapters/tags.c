/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verification Tags (RFC 9260 8.5): what endpoints sent with one that is not their peer's, strays
 * (track/identity/strays.h), and what shows that it was they. Leaves out the tags of INIT, packets of a set-up, and
 * packets that no association takes. */
#include "heartbeats.h"
#include "model/chapter.h"
#include "track/identity/half_matching.h"

/* Of an endpoint. */
typedef struct {
    uint32_t strays;        /* since its last packet with the right tag */
    uint32_t before_packet; /* its last packet before the first of them */
    uint32_t last_packet;   /* the last of them */
    uint32_t last_tag;      /* that it carried */
    bool has_fitting;       /* one of them holds a TSN, or a cum_tsn, that nobody else could know */
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

/* The next TSN of the sender, or one that is outstanding; a cum_tsn of what its peer has outstanding, or the last. */
static bool fits(const sctpa_context_t *c)
{
    if (c->first_data && c->sent && c->sent->highest >= 0) {
        int64_t tsn = sctpa_context_unwrap(c->sent, sctpa_tlv_u32(&c->first_data->tlv, SCTPA_F_DATA_TSN));
        return tsn > c->sent->cum_tsn && tsn <= c->sent->highest + 1;
    }
    if (c->first_sack && c->acked && c->acked->highest >= 0) {
        int64_t cum_tsn = sctpa_context_unwrap(c->acked, c->sack.cum_tsn);
        return cum_tsn >= c->acked->cum_tsn && cum_tsn <= c->acked->highest;
    }
    return false;
}

static void take_stray(const sctpa_context_t *c, wrong_tags_t *wrong)
{
    const sctpa_tlv_t *heartbeat = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_HEARTBEAT);
    if (sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT))
        return;
    if (wrong->strays++ == 0) {
        wrong->before_packet = c->reference->tap.ip_ids[c->from].last_packet;
        wrong->has_fitting = false;
    }
    wrong->last_packet = c->index;
    wrong->last_tag = sctpa_context_vtag(c);
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

/* Takes the packet, after the rules. O(chunks). */
static void wrong_tags_take(const sctpa_context_t *c)
{
    if (!c->is_stray && !sctpa_context_find_part(c, SCTPA_PART_WRONG_TAGS))
        return;
    both_wrong_tags_t *kept = sctpa_context_part(c, SCTPA_PART_WRONG_TAGS, sizeof *kept);
    if (!c->is_stray) {
        kept->endpoints[c->from].strays = 0;
        kept->endpoints[c->from].is_answered = false;
        take_answer(c, &kept->endpoints[!c->from]);
    } else if (sctpa_context_is_verified(c))
        take_stray(c, &kept->endpoints[c->from]);
}

RULE(SM, 001,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH,
    .when = PACKET, .of = OF_SENDER, .on = ANY,
    .accused = "sender of the packet",
    .clause = "RFC 9260 8.5",
    .title = "Verification Tag is not the peer's",
    .quote = "the endpoint MUST fill in the Verification Tag field of the outbound packet with the tag value in the "
        "Initiate Tag parameter of the INIT or INIT ACK chunk received from its peer",
    .why = "The peer discards the packet.",
    .evidence = "Between packets with the peer's tag the endpoint sent one with another: it holds the next TSN, or one "
        "that is outstanding, or acknowledges data that is outstanding; or its identification of IPv4 lies between "
        "those of the packets around it, of which none is missing.",
    .doubt = "A restart that the capture missed brings another tag, but no endpoint goes back to the one before. "
        "Somebody who forges packets knows neither TSNs nor identifications. Packets of a set-up do not count.");

/* Its last packets had the wrong tag, and this one, which has the right one, shows that it sent them. */
static bool SM_001_applies(const sctpa_context_t *c)
{
    const wrong_tags_t *wrong = wrong_tags(c, c->from);
    return !c->is_stray && wrong && wrong->strays > 0 && wrong_tags_are_own(c, wrong);
}

/* "the endpoint MUST fill in the Verification Tag field of the outbound packet with the tag value in the Initiate Tag
 * parameter of the INIT or INIT ACK chunk received from its peer" */
static bool SM_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const wrong_tags_t *wrong = wrong_tags(c, c->from);
    violation->path = c->path;
    violation->related = wrong->last_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("Verification Tag 0x%08x", c->assoc->ends[!c->from].vtag),
                        SCTPA_WORDS("0x%08x in packets: %u", wrong->last_tag, wrong->strays));
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
    wrong_tags_take(c);
}
