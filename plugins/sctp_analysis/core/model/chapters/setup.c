/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Set-up of an association (RFC 9260 5.1, 5.2): INIT and INIT ACK by themselves and as an answer, INITs and COOKIE
 * ECHOs that are sent again, what is sent too early, the first DATA of each direction, and what an address announces
 * over its associations. What is early counts only when a later packet confirms that the capture did not merely miss
 * what should have come before. Leaves out cookies (cookie.c), and tags used twice with one peer. */
#include "model/chapter.h"
#include "model/shared/earlier_associations.h"
#include "model/shared/initialization.h"
#include "model/shared/obligations.h"
#include "model/shared/retransmissions.h"
#include "wire/address.h"

/* Values in a row that follow a rule, and what counts as near: random ones do either once in 2^90. */
#define GUESSED_VALUES 8
#define GUESSED_NEAR 65536

/* What separates an INIT ACK that fits into one packet from one that may not. */
#define INIT_ACK_LARGE_BYTES 1280

/* INITs of the peer in a collision: what separates one that is not answered from one that was lost on its way. */
#define COLLIDING_INITS 3

/* What separates the first SACK at once from a delayed one, and that from one that came for another reason: the most
 * that RFC 9260 6.2 allows as a delay. */
#define FIRST_SACK_MS 100
#define FIRST_SACK_DELAYED_MS 500

/* Values as they were announced: 16 bytes. */
typedef struct sctpa_announced_values {
    uint32_t last, step;   /* the last one; from the one before it */
    uint32_t first_packet; /* COOKIE ACK of the first of those near each other or equally far apart */
    uint8_t values;        /* at most UINT8_MAX */
    uint8_t equal, close;  /* in a row: the same step apart, near the one before */
} announced_values_t;

enum { ADDRESSES_KEPT = 256, MANY = 255 };

/* What an address announced: 64 bytes. */
typedef struct {
    sctpa_addr_t addr;
    uint32_t peer_tag; /* of the last association */
    bool is_used;
    announced_values_t tags, tsns;
} announcer_t;

struct sctpa_announcers {
    announcer_t slots[ADDRESSES_KEPT];
};

/* INITs of the peer that passed between the first INIT of the accused and its COOKIE ECHO, the first of them, and that
 * INIT. */
typedef struct {
    const sctpa_announcement_t *first, *own;
    unsigned n;
} colliding_t;

static announcer_t *announcer_of(const sctpa_context_t *c, const sctpa_addr_t *addr)
{
    if (!c->store->announcers)
        c->store->announcers = g_new0(struct sctpa_announcers, 1);
    announcer_t *announcer = &c->store->announcers->slots[sctpa_addr_hash(0, addr) % ADDRESSES_KEPT];
    if (!announcer->is_used || !sctpa_addr_equal(&announcer->addr, addr))
        *announcer = (announcer_t){ .addr = *addr, .is_used = true };
    return announcer;
}

static uint8_t one_more(uint8_t n)
{
    return (uint8_t)MIN(n + 1, MANY);
}

static void add(const sctpa_context_t *c, announced_values_t *announced, uint32_t value)
{
    uint32_t step = value - announced->last;
    bool is_close = step < GUESSED_NEAR || -step < GUESSED_NEAR;
    bool is_equal = announced->values > 1 && step == announced->step;
    if (announced->values == 0) {
        announced->equal = announced->close = 1;
        announced->first_packet = c->index;
    } else {
        announced->equal = is_equal ? one_more(announced->equal) : 2;
        announced->close = is_close ? one_more(announced->close) : 1;
        if (!is_equal && !is_close)
            announced->first_packet = c->index;
    }
    announced->values = one_more(announced->values);
    announced->step = step;
    announced->last = value;
}

static void observe(sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_end_t *own = &c->assoc->ends[endpoint], *peer = &c->assoc->ends[!endpoint];
    if (!own->has_vtag || !peer->has_vtag || !own->init.seen)
        return;
    announcer_t *announcer = announcer_of(c, endpoint == c->from ? &c->packet->source : &c->packet->destination);
    bool is_copy = announcer->tags.values > 0 && announcer->tags.last == own->vtag && announcer->peer_tag == peer->vtag;
    if (is_copy)
        return;
    announcer->peer_tag = peer->vtag;
    add(c, &announcer->tags, own->vtag);
    c->tags[endpoint] = &announcer->tags;
    if (own->init.initial_tsn == own->vtag)
        return;
    add(c, &announcer->tsns, own->init.initial_tsn);
    c->initial_tsns[endpoint] = &announcer->tsns;
}

/* Takes what both endpoints announced, at the first COOKIE ACK of their association, into c->tags and c->initial_tsns.
 * O(1).
 */
static void announcers_observe(sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    if (!i || i->endpoints[c->from].cookie_acks > 0)
        return;
    c->has_values = true;
    c->tags[0] = c->tags[1] = c->initial_tsns[0] = c->initial_tsns[1] = NULL;
    if (c->assoc->restart_of != SCTPA_NO_ASSOC)
        return;
    observe(c, 0);
    observe(c, 1);
}

static bool is_announced(const sctpa_context_t *c)
{
    return c->has_announced;
}

RULE(HS, 001,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(INIT),
    .accused = "sender of the INIT",
    .clause = "RFC 9260 3.1",
    .title = "INIT in a packet with a Verification Tag that is not 0",
    .quote = "A packet containing an INIT chunk MUST have a zero Verification Tag.",
    .why = "Receivers discard such an INIT, so that no association comes up.",
    .evidence = "The packet begins with INIT and its Verification Tag is not 0.",
    .doubt = "A damaged packet is not checked.");

static bool HS_001_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "A packet containing an INIT chunk MUST have a zero Verification Tag." */
static bool HS_001_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->announced.vtag == 0)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "Verification Tag 0", SCTPA_WORDS("0x%08x", c->announced.vtag));
    return true;
}

static bool is_tag_zero(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->announced.tag != 0)
        return false;
    sctpa_violation_say(violation, "any Initiate Tag but 0", "0");
    return true;
}

RULE(HS, 002,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(INIT),
    .accused = "sender of the INIT",
    .clause = "RFC 9260 3.3.2",
    .title = "Initiate Tag 0 in INIT",
    .quote = "The Initiate Tag is allowed to have any value except 0.",
    .why = "The peer aborts or discards the INIT: packets to its sender could not be distinguished from an INIT.",
    .evidence = "The Initiate Tag of the INIT is 0.",
    .doubt = "Read from the chunk itself; a damaged packet is not checked.");

static bool HS_002_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "The Initiate Tag is allowed to have any value except 0." */
static bool HS_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_tag_zero(c, violation);
}

RULE(HS, 003,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 3.3.3",
    .title = "Initiate Tag 0 in INIT ACK",
    .quote = "The Initiate Tag MUST NOT take the value 0.",
    .why = "The initiator destroys its association.",
    .evidence = "The Initiate Tag of the INIT ACK is 0.",
    .doubt = "Read from the chunk itself; a damaged packet is not checked.");

static bool HS_003_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "The Initiate Tag MUST NOT take the value 0." */
static bool HS_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_tag_zero(c, violation);
}

RULE(HS, 004,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of INIT or INIT ACK",
    .clause = "RFC 9260 3.3.2, 3.3.3",
    .title = "Initial receiver window below 1500 bytes",
    .quote = "The Advertised Receiver Window Credit MUST NOT be smaller than 1500.",
    .why = "The peer may not be able to send one full packet.",
    .evidence = "The a_rwnd of INIT or INIT ACK is below 1500.",
    .doubt = "Later windows, in SACKs, may be smaller, down to 0, and are not checked.");

static bool HS_004_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "The Advertised Receiver Window Credit MUST NOT be smaller than 1500." */
static bool HS_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t a_rwnd_bytes = sctpa_tlv_u32(&c->chunks[0].tlv, SCTPA_F_INIT_A_RWND);
    if (a_rwnd_bytes >= SCTPA_A_RWND_LEAST_BYTES)
        return false;
    sctpa_violation_say(violation, "1500 bytes or more", SCTPA_WORDS("%u bytes", a_rwnd_bytes));
    return true;
}

RULE(HS, 005,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of INIT or INIT ACK",
    .clause = "RFC 9260 3.3.2, 3.3.3",
    .title = "Number of Outbound Streams is 0",
    .quote = "The value of 0 MUST NOT be used",
    .why = "The peer discards or aborts, and without a stream nothing could be sent.",
    .evidence = "OS of INIT or INIT ACK is 0.",
    .doubt = "Read from the chunk itself; a damaged packet is not checked.");

static bool HS_005_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "The value of 0 MUST NOT be used" */
static bool HS_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->announced.outbound > 0)
        return false;
    sctpa_violation_say(violation, "1 stream or more", "0");
    return true;
}

RULE(HS, 006,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "sender of INIT or INIT ACK",
    .clause = "RFC 9260 3.3.2, 3.3.3",
    .title = "Number of Inbound Streams is 0",
    .quote = "The value 0 MUST NOT be used.",
    .why = "The peer discards or aborts, and without a stream nothing could be received.",
    .evidence = "MIS of INIT or INIT ACK is 0.",
    .doubt = "Read from the chunk itself; a damaged packet is not checked.");

static bool HS_006_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "The value 0 MUST NOT be used." */
static bool HS_006_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->announced.inbound > 0)
        return false;
    sctpa_violation_say(violation, "1 stream or more", "0");
    return true;
}

RULE(HS, 008,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | WHOLE,
    .when = PACKET, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 5.1",
    .title = "INIT ACK without State Cookie",
    .quote = "MUST generate and send along with the INIT ACK chunk a State Cookie",
    .why = "The initiator has nothing to echo and aborts.",
    .evidence = "No parameter of the INIT ACK, read to its end, is a State Cookie.",
    .doubt = "A packet cut by the snap length is not checked.");

static bool HS_008_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "MUST generate and send along with the INIT ACK chunk a State Cookie" */
static bool HS_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->announced.has_cookie)
        return false;
    sctpa_violation_say(violation, "parameter 7, State Cookie", "none");
    return true;
}

RULE(HS, 046,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 3.3.11",
    .title = "INIT ACK that may not fit into one packet",
    .quote = "An implementation SHOULD make the cookie as small as possible to ensure interoperability.",
    .why = "IP fragments of INIT ACK or COOKIE ECHO are dropped by many firewalls and NATs: the set-up hangs.",
    .evidence = "The INIT ACK is larger than " SAY(INIT_ACK_LARGE_BYTES) " bytes or came in IP fragments.",
    .doubt = "Many addresses make it large without fault: a note.");

static bool HS_046_applies(const sctpa_context_t *c)
{
    return is_announced(c);
}

/* "An implementation SHOULD make the cookie as small as possible to ensure interoperability." */
static bool HS_046_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint16_t bytes = c->chunks[0].tlv.length;
    if (!c->packet->fragmented && bytes <= INIT_ACK_LARGE_BYTES)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "one IP packet of at most " SAY(INIT_ACK_LARGE_BYTES) " bytes",
                        SCTPA_WORDS("%u bytes%s", bytes, c->packet->fragmented ? " in IP fragments" : ""));
    return true;
}

RULE(HS, 023,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM,
    .when = PACKET, .on = ROW(INIT),
    .report = { .one_defect = true },
    .accused = "initiator",
    .clause = "RFC 9260 4",
    .title = "INIT retransmitted more than 8 times",
    .quote = "This MUST be repeated up to 'Max.Init.Retransmits' times.",
    .why = "No endpoint answers at this address, and the initiator is configured to try longer.",
    .evidence = "One INIT, with one Initiate Tag, was seen more than " SAY(SCTPA_SETUP_ATTEMPTS) " times between the "
        "same two addresses; where the user asserts Max.Init.Retransmits, more often than that and once.",
    .doubt = "Max.Init.Retransmits is a parameter, 8 is recommended: a note.");

static bool HS_023_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return is_announced(c) && i && i->endpoints[c->from].inits > 0;
}

/* "This MUST be repeated up to 'Max.Init.Retransmits' times." */
static bool HS_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t before = 0; /* how often the INIT was sent between these addresses */
    for (const sctpa_announcement_t *a = sctpa_initialization(c)->last; a; a = a->before)
        before += a->from == c->from && !a->is_ack && a->tag == c->announced.tag && a->pair == c->announced.pair;
    const int64_t asserted =
        sctpa_tap_parameter(&c->reference->tap, c->accused, SCTPA_PARAMETER_MAX_INIT_RETRANSMITS, -1);
    const uint32_t most = asserted < 0 ? SCTPA_SETUP_ATTEMPTS - 1 : (uint32_t)MIN(asserted, UINT32_MAX);
    if (before <= most)
        return false;
    violation->path = c->path;
    violation->rests_on = asserted < 0 ? 0 : SCTPA_ASSERTED(MAX_INIT_RETRANSMITS);
    sctpa_violation_say(
        violation, SCTPA_WORDS("at most %u retransmissions of an INIT%s", most, asserted < 0 ? "" : ", as asserted"),
        SCTPA_WORDS("%u to this address", before));
    return true;
}

static const sctpa_announcement_t *answered_init(const sctpa_context_t *c)
{
    return c->has_announced ? c->answered : NULL;
}

RULE(HS, 007,
    .level = MUST, .since = 4960, .seeing = COULD, .needs = CHECKSUM | BOTH | COMPLETE,
    .when = PACKET, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 3.3.3",
    .title = "INIT ACK with more outbound streams than the INIT accepts",
    .quote = "the value MUST NOT be greater than the MIS value sent in the INIT chunk",
    .why = "The initiator aborts, or gets data on streams that it does not have.",
    .evidence = "OS of the INIT ACK is greater than MIS of every INIT with the Initiate Tag that it answers.",
    .doubt = "In a collision the INIT ACK repeats the values of its sender's own INIT: nothing is reported when it "
        "sent one. Far from it that one may be lost, or pass later: probable at best.");

/* Does each INIT that the INIT ACK may answer accept streams? One that accepts none (HS-028) limits nothing. */
static bool HS_007_applies(const sctpa_context_t *c)
{
    const sctpa_announcement_t *last = answered_init(c);
    for (const sctpa_announcement_t *init = last; init; init = sctpa_initialization_asked(init->before, &c->announced))
        if (init->inbound == 0)
            return false;
    return last != NULL;
}

/* "the value MUST NOT be greater than the MIS value sent in the INIT chunk" */
static bool HS_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint16_t most = 0;
    for (const sctpa_announcement_t *init = answered_init(c); init;
         init = sctpa_initialization_asked(init->before, &c->announced))
        most = MAX(most, init->inbound);
    if (c->announced.outbound <= most)
        return false;
    violation->related = answered_init(c)->packet;
    if (sctpa_context_is_near(c, c->from) != SCTPA_YES)
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, SCTPA_WORDS("at most %u outbound streams", most),
                        SCTPA_WORDS("%u", c->announced.outbound));
    return true;
}

static const sctpa_addr_t *source_of(const sctpa_context_t *c, const sctpa_announcement_t *init)
{
    return c->assoc->ends[!c->from].pairs[init->pair]->source;
}

RULE(HS, 010,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | UNTRANSLATED,
    .when = PACKET, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 5.1",
    .title = "INIT ACK sent to an address from which no INIT came",
    .quote = "An endpoint MUST send the INIT ACK chunk to the IP address from which it received the INIT chunk.",
    .why = "The initiator's address may not be reachable that way, or a NAT or firewall drops it: the set-up hangs.",
    .evidence = "The destination of the INIT ACK is the source of none of the INITs with the Initiate Tag that it "
        "carries.",
    .doubt = "Not checked when there are more INIT ACKs than INITs (the capture missed one), in collisions, and with "
        "two capture points, where addresses may change between them.");

static bool HS_010_applies(const sctpa_context_t *c)
{
    return answered_init(c) && !sctpa_context_has_two_taps(c);
}

/* "An endpoint MUST send the INIT ACK chunk to the IP address from which it received the INIT chunk." */
static bool HS_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_announcement_t *first = NULL;
    for (const sctpa_announcement_t *init = answered_init(c); init;
         init = sctpa_initialization_asked(init->before, &c->announced)) {
        const sctpa_addr_t *source = source_of(c, init);
        if (sctpa_addr_equal(source, &c->packet->destination))
            return false;
        first = init;
    }
    violation->path = c->path;
    violation->related = first->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("INIT ACK to %s", sctpa_addr_words(source_of(c, first)).text),
                        SCTPA_WORDS("to %s", sctpa_addr_words(&c->packet->destination).text));
    return true;
}

RULE(HS, 029,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | BOTH,
    .when = PACKET, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 3.3.2",
    .title = "INIT with Initiate Tag 0 accepted",
    .quote = "the receiver MUST silently discard the packet",
    .why = "Packets of such an association could not be distinguished from INITs.",
    .evidence = "INIT ACK with Verification Tag 0 answers an INIT with Initiate Tag 0.",
    .doubt = "RFC 4960 asks for ABORT instead of a silent discard: both conform here. Another INIT that "
        "the capture missed explains nothing: an INIT ACK to it would carry its tag.");

static bool HS_029_applies(const sctpa_context_t *c)
{
    return answered_init(c) != NULL;
}

/* "the receiver MUST silently discard the packet" */
static bool HS_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_announcement_t *init = answered_init(c);
    if (init->tag != 0)
        return false;
    violation->related = init->packet;
    sctpa_violation_say(violation, "no INIT ACK", "INIT ACK to an INIT with Initiate Tag 0");
    return true;
}

RULE(HS, 028,
    .level = SHOULD, .since = 2960, .seeing = COULD, .needs = CHECKSUM | BOTH | COMPLETE,
    .when = PACKET, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 3.3.2",
    .title = "INIT without streams accepted",
    .quote = "A receiver of an INIT chunk with the OS value set to 0 MUST discard the packet",
    .why = "An association without streams in one direction comes up and fails later.",
    .evidence = "INIT ACK answers an INIT whose OS or MIS is 0, and no other INIT with its tag was valid.",
    .doubt = "RFC 4960 only recommends refusing it: never more than SHOULD.");

static bool HS_028_applies(const sctpa_context_t *c)
{
    return answered_init(c) != NULL;
}

/* "A receiver of an INIT chunk with the OS value set to 0 MUST discard the packet" */
static bool HS_028_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_announcement_t *last = answered_init(c);
    for (const sctpa_announcement_t *init = last; init; init = sctpa_initialization_asked(init->before, &c->announced))
        if (init->outbound > 0 && init->inbound > 0)
            return false;
    violation->related = last->packet;
    sctpa_violation_say(violation, "no INIT ACK",
                        SCTPA_WORDS("INIT ACK to an INIT with %s 0", last->outbound == 0 ? "OS" : "MIS"));
    return true;
}

RULE(HS, 031,
    .level = MUST, .since = 9260, .seeing = COULD, .needs = CHECKSUM | BOTH | COMPLETE,
    .when = PACKET, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 5.1.2",
    .title = "INIT with a Host Name Address accepted",
    .quote = "the endpoint MUST immediately send an ABORT chunk and MAY include an \"Unresolvable Address\" error "
        "cause to its peer",
    .why = "The peer's addresses are unknown: RFC 9260 no longer resolves names.",
    .evidence = "INIT ACK answers an INIT that holds parameter 11.",
    .doubt = "RFC 4960 resolves the name: a note, unless the profile is RFC 9260.");

static bool HS_031_applies(const sctpa_context_t *c)
{
    const sctpa_announcement_t *last = answered_init(c);
    for (const sctpa_announcement_t *init = last; init; init = sctpa_initialization_asked(init->before, &c->announced))
        if (!init->has_host_name)
            return false;
    return last != NULL;
}

/* "the endpoint MUST immediately send an ABORT chunk" */
static bool HS_031_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    violation->related = answered_init(c)->packet;
    sctpa_violation_say(violation, "ABORT", "INIT ACK to an INIT with a Host Name Address");
    return true;
}

RULE(HS, 038,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | BOTH | NEAR,
    .when = PACKET, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 5.2.2",
    .title = "Restart: INIT ACK with the tag of the old association",
    .quote = "the INIT ACK chunk MUST contain a new Initiate Tag",
    .why = "Late packets of the old association are taken for those of the new one.",
    .evidence = "An INIT with a new tag came while an association was up whose COOKIE ACK the endpoint had sent, or in "
        "which it had sent SACK, and the INIT ACK has the tag of that association.",
    .doubt = "Retransmitted INITs of the old set-up carry its tag and are not checked. Had the "
        "association ended where the capture missed it, the next one would need a new tag as well (5.3.1).");

static bool HS_038_applies(const sctpa_context_t *c)
{
    return sctpa_earlier_alive(c).assoc != NULL;
}

/* "the INIT ACK chunk MUST contain a new Initiate Tag" */
static bool HS_038_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_earlier_t old = sctpa_earlier_alive(c);
    if (old.assoc->ends[old.endpoint].vtag != c->announced.tag)
        return false;
    sctpa_violation_say(
        violation, "a new Initiate Tag",
        SCTPA_WORDS("0x%08x as in association %u, which is alive", c->announced.tag, old.assoc->number));
    return true;
}

RULE(HS, 039,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | BOTH | COMPLETE | UNTRANSLATED,
    .when = PACKET, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 5.2.2",
    .title = "Restart with new addresses is not refused",
    .quote = "If new addresses are added to the association, the endpoint MUST respond with an ABORT chunk",
    .why = "A host that restarts the association of another takes it over with its own addresses.",
    .evidence = "INIT ACK answers an INIT that comes from, or lists, an address that its sender does not have in an "
        "association of the same endpoints that is up.",
    .doubt = "At best probable: the endpoint may have lost the old association without sending anything, as when its "
        "host restarted. Not checked once a SHUTDOWN or ABORT of the old association was seen, or when its INIT or "
        "INIT ACK with the addresses was cut.");

static bool HS_039_applies(const sctpa_context_t *c)
{
    sctpa_earlier_t old = sctpa_earlier_alive(c);
    return old.assoc && old.assoc->known.end == SCTPA_ASSOC_OPEN && old.assoc->ends[!old.endpoint].init.whole;
}

/* "If new addresses are added to the association, the endpoint MUST respond with an ABORT chunk" */
static bool HS_039_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_earlier_t old = sctpa_earlier_alive(c);
    const sctpa_addr_t *added = sctpa_earlier_lacked(c, &old);
    if (!added)
        return false;
    violation->related = sctpa_context_packet_of(c, c->assoc->setup.steps[SCTPA_STEP_INIT].first_frame);
    violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, "ABORT",
                        SCTPA_WORDS("INIT ACK, though the INIT adds %s to association %u, which is alive",
                                    sctpa_addr_words(added).text, old.assoc->number));
    return true;
}

/* The accused had sent its INIT when the first INIT of its peer passed, and answered none before: wherever the tap is,
 * all its INIT ACKs left after its INIT. O(announcements). */
static bool init_passed_first(const sctpa_context_t *c, const sctpa_initialization_t *i)
{
    const sctpa_announcement_t *own = sctpa_initialization_last_init(i, c->accused),
                               *theirs = sctpa_initialization_first(i, !c->accused, false);
    if (!own || !theirs || own->packet >= theirs->packet)
        return false;
    const int64_t apart_ns = sctpa_context_time_ns(c, theirs->packet) - sctpa_context_time_ns(c, own->packet);
    return sctpa_context_least_ns(c, apart_ns) > sctpa_clocks_error_ns(c->reference->tap.clocks);
}

RULE(HS, 037,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | SETUP | BOTH | COMPLETE,
    .when = PACKET, .of = OF_EACH,
    .on = SACK_ROWS | DATA_ROWS | ROW(HEARTBEAT) | ROW(HEARTBEAT_ACK) | ROW(SHUTDOWN) | ROW(SHUTDOWN_ACK),
    .report = { .once = true },
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 5.2.1",
    .title = "INIT collision: two different Initiate Tags from one endpoint",
    .quote = "using the same parameters it sent in its original INIT chunk (including its Initiate Tag, unchanged)",
    .why = "The endpoints settle on different tags, and the association does not come up or dies.",
    .evidence = "After its own INIT the endpoint answered the peer's with another Initiate Tag, and then went on to "
        "COOKIE ECHO, so that its attempt was alive. Near the endpoint, or where its INIT passed before the first of "
        "the peer: what answers that left later. Proven where both hold.",
    .doubt = "An INIT ACK sent before its own INIT was sent in CLOSED and may have any tag; far from the endpoint the "
        "INIT may have overtaken it. An INIT of the peer may have passed elsewhere.");

static bool HS_037_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return i && i->endpoints[c->accused].goes_on_after_collision &&
           (sctpa_context_is_near(c, c->accused) == SCTPA_YES || init_passed_first(c, i));
}

/* "using the same parameters it sent in its original INIT chunk (including its Initiate Tag, unchanged)" */
static bool HS_037_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_announcement_t *own = sctpa_initialization_last_init(i, c->accused), *odd = i->last;
    while (odd && odd->packet != i->endpoints[c->accused].odd_ack_packet)
        odd = odd->before;
    if (!own || !odd || i->is_overfull || own->packet >= odd->packet)
        return false;
    const bool is_taken_at = sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT),
               is_near = sctpa_context_is_near(c, c->accused) == SCTPA_YES;
    violation->related = odd->packet;
    violation->at_best =
        is_taken_at || (is_near && init_passed_first(c, i)) ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on = is_taken_at ? SCTPA_ASSERTED_TAKEN_AT : 0;
    sctpa_violation_say(violation, SCTPA_WORDS("INIT ACK with Initiate Tag 0x%08x", own->tag),
                        SCTPA_WORDS("0x%08x", odd->tag));
    return true;
}

RULE(HS, 009,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | SETUP | BOTH,
    .when = PACKET, .of = OF_SENDER, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 5.1, 8.5.1",
    .title = "INIT ACK Verification Tag is not the INIT's Initiate Tag",
    .quote = "MUST set the Verification Tag field to Tag_A",
    .why = "The initiator discards the INIT ACK; the set-up waits for the next INIT.",
    .evidence = "INITs of the peer passed between the same addresses and ports, and none of them announced the tag. "
        "Proven where the capture is asserted to be complete, and either taken at the endpoint, or an INIT ACK with "
        "the same Initiate Tag and the right tag follows.",
    .doubt = "It may answer an INIT that the capture missed, of another attempt a moment before: probable, and not "
        "reported where the endpoint then uses that tag on, or somebody else may have sent it.");

static bool HS_009_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return c->has_announced && c->announced.vtag != 0 && i && !i->is_overfull && i->endpoints[!c->from].inits > 0;
}

/* An announcement of an endpoint with that tag; of an INIT ACK by its own tag, NULL none. */
static const sctpa_announcement_t *announced_by(const sctpa_context_t *c, uint8_t endpoint, uint32_t tag)
{
    const sctpa_announcement_t *a = sctpa_initialization(c)->last;
    while (a && (a->from != endpoint || a->tag != tag))
        a = a->before;
    return a;
}

/* An INIT ACK of the sender of the packet, of the same Initiate Tag, with a tag that its peer did not announce. */
static const sctpa_announcement_t *same_with_wrong_tag(const sctpa_context_t *c)
{
    const sctpa_announcement_t *a = sctpa_initialization(c)->last;
    while (a && !(a->from == c->from && a->is_ack && a->tag == c->announced.tag && !announced_by(c, !c->from, a->vtag)))
        a = a->before;
    return a;
}

/* "MUST set the Verification Tag field to Tag_A" */
static bool HS_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const bool is_here = sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
    if (announced_by(c, !c->from, c->announced.vtag))
        return false;
    violation->path = c->path;
    violation->rests_on = is_here ? SCTPA_ASSERTED_ARRIVED : 0;
    violation->at_best = is_here ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(
        violation,
        SCTPA_WORDS("Verification Tag 0x%08x", sctpa_initialization_last_init(sctpa_initialization(c), !c->from)->tag),
        SCTPA_WORDS("0x%08x", c->announced.vtag));
    return true;
}

/* An INIT ACK with the right tag shows that the endpoint itself sent one before that had a wrong one. */
static void prove_wrong_tag(const sctpa_context_t *c)
{
    if (HS_009_applies(c) && sctpa_context_is_asserted(c, SCTPA_ASSERTED_COMPLETE) &&
        announced_by(c, !c->from, c->announced.vtag) && same_with_wrong_tag(c))
        sctpa_findings_prove(c, SCTPA_RULE_HS_009, c->from, SCTPA_ASSERTED_COMPLETE);
}

/* The endpoint goes on with the tag of its INIT ACK, which no INIT announced that passed: the capture missed that. */
static void withdraw_wrong_tag(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    if (i && i->endpoints[!c->from].inits > 0 && !announced_by(c, !c->from, sctpa_context_vtag(c)) &&
        !sctpa_context_is_asserted(c, SCTPA_ASSERTED_COMPLETE))
        sctpa_findings_withdraw(c, SCTPA_RULE_HS_009, c->from);
}

RULE(HS, 061,
    .level = HEURISTIC, .since = 2960, .seeing = COULD, .needs = SETUP | BOTH | CHECKSUM,
    .when = CHUNK, .on = ROW(ABORT), .of = OF_SENDER, .certainty = SCTPA_CERTAINTY_PROBABLE,
    .accused = "sender of the ABORT",
    .clause = "RFC 9260 5.2.2",
    .title = "Repeated INIT answered with ABORT (Protocol Violation)",
    .quote = "the endpoint MUST generate an INIT ACK chunk with a State Cookie",
    .why = "A late copy of an INIT ends an association that works.",
    .evidence = "ABORT with cause 13 (Protocol Violation) is the packet after an INIT of the peer with the Initiate "
        "Tag that the association has.",
    .doubt = "A packet before the INIT may have violated something; an INIT that adds addresses is refused, but by "
        "another cause.");

static bool HS_061_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_announcement_t *init = i ? sctpa_initialization_last_init(i, !c->from) : NULL;
    return init && init->packet + 1 == c->index && i->endpoints[!c->from].inits > 1 && c->tracked->established &&
           init->tag == c->assoc->ends[!c->from].vtag;
}

/* RFC 9260 5.2.2: "the endpoint MUST generate an INIT ACK chunk with a State Cookie" */
static bool HS_061_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!sctpa_tlv_has_cause(&c->chunk->tlv, SCTPA_CAUSE_PROTOCOL_VIOLATION))
        return false;
    violation->related = sctpa_initialization_last_init(sctpa_initialization(c), !c->from)->packet;
    sctpa_violation_say(violation, "INIT ACK", "ABORT (Protocol Violation)");
    return true;
}

RULE(HS, 072,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | BOTH | COMPLETE | NEAR | UNTRANSLATED,
    .when = PACKET, .of = OF_SENDER, .on = ROW(ABORT), .certainty = SCTPA_CERTAINTY_PROBABLE,
    .accused = "sender of the ABORT",
    .clause = "RFC 9260 5.2.2",
    .title = "Restart of a peer refused",
    .quote = "the endpoint MUST generate an INIT ACK chunk with a State Cookie",
    .why = "A peer that restarted cannot come back until the old association has timed out.",
    .evidence = SCTPA_ARRIVED_EVIDENCE "it answers an INIT of its peer, with no new address, by ABORT, while "
        "an association of the same two endpoints is up in which it did not ask in vain. Elsewhere, near it: where "
        "it goes on in that association more than " SAY(SCTPA_HOST_TAKES_MS) " ms later.",
    .doubt = "It may have lost that association without sending anything, as when its host restarted as well, or a "
        "firewall may have refused in its name: probable at best. An ABORT that names a lack of resources, a parameter "
        "or an address is no refusal of the restart.");

/* A cause that says why the INIT itself is refused. */
static bool names_other_reason(const sctpa_context_t *c)
{
    static const uint32_t causes[] = { SCTPA_CAUSE_MISSING_PARAMS,       SCTPA_CAUSE_OUT_OF_RESOURCE,
                                       SCTPA_CAUSE_UNRESOLVABLE_ADDRESS, SCTPA_CAUSE_INVALID_PARAM,
                                       SCTPA_CAUSE_UNRECOGNIZED_PARAMS,  SCTPA_CAUSE_RESTART_NEW_ADDRESSES };
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    bool names = false;
    for (unsigned i = 0; i < G_N_ELEMENTS(causes); i++)
        names |= sctpa_tlv_has_cause(abort, causes[i]);
    return names;
}

/* The INIT that the ABORT of the packet refuses, the only one of its sender's peer; NULL none. */
static const sctpa_announcement_t *refused_init(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    const sctpa_announcement_t *init = i && i->n_announcements == 1 ? i->last : NULL;
    const bool is_sound = init && init->from != c->from && !init->is_ack && init->is_whole && init->tag != 0 &&
                          init->vtag == 0 && init->outbound > 0 && init->inbound > 0 && !init->has_host_name;
    return is_sound && init->tag == sctpa_context_vtag(c) ? init : NULL;
}

/* The association that the INIT which the ABORT refuses would restart; none: it refuses none, or there is none. */
static sctpa_earlier_t refused_restart(const sctpa_context_t *c)
{
    const sctpa_earlier_t old = sctpa_earlier_met(c);
    const bool is_up = old.assoc && refused_init(c) && old.assoc->known.end == SCTPA_ASSOC_OPEN &&
                       old.assoc->ends[!old.endpoint].init.whole && !sctpa_earlier_is_ending(c);
    return is_up ? old : (sctpa_earlier_t){ .assoc = NULL };
}

static bool HS_072_applies(const sctpa_context_t *c)
{
    const sctpa_earlier_t old = refused_restart(c);
    return old.assoc && sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) &&
           !sctpa_obligations_may_have_given_up(c, old.assoc->number, old.endpoint);
}

/* RFC 9260 5.2.2: "the endpoint MUST generate an INIT ACK chunk with a State Cookie" */
static bool HS_072_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_earlier_t old = sctpa_earlier_met(c);
    if (sctpa_earlier_lacked(c, &old) || names_other_reason(c))
        return false;
    violation->path = c->path;
    violation->related = refused_init(c)->packet;
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(violation, "INIT ACK", SCTPA_WORDS("ABORT, while association %u is up", old.assoc->number));
    return true;
}

/* The same, where the endpoint goes on in the association. */
static bool refused_and_goes_on(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    violation->related = violation->since = c->due->owed.packet;
    sctpa_violation_say(violation, "INIT ACK for the INIT of a peer that restarts",
                        "ABORT, and then packets of the association as before");
    return true;
}

static void take_refusal(const sctpa_context_t *c)
{
    const sctpa_earlier_t old = refused_restart(c);
    if (old.assoc && !sctpa_earlier_lacked(c, &old) && !names_other_reason(c))
        sctpa_obligations_refuse_restart(c, old.assoc->number, old.endpoint);
}

/* May the INIT of the peer neither be refused, nor its answer go where the user of the accused named no address? */
static bool must_be_answered(const sctpa_context_t *c, const sctpa_announcement_t *init,
                             const sctpa_announcement_t *own)
{
    const sctpa_end_t *accused = &c->assoc->ends[c->accused], *peer = &c->assoc->ends[!c->accused];
    return init->is_whole && init->tag != 0 && init->outbound > 0 && init->inbound > 0 && !init->has_host_name &&
           init->pair < peer->n_pairs && own->pair < accused->n_pairs &&
           sctpa_addr_equal(peer->pairs[init->pair]->source, accused->pairs[own->pair]->destination) &&
           sctpa_addr_equal(peer->pairs[init->pair]->destination, accused->pairs[own->pair]->source);
}

/* Was it damaged on the way to the tap, as right checksums of its sender show by now? Its receiver dropped it, too. */
static bool is_damaged(const sctpa_context_t *c, const sctpa_announcement_t *init)
{
    return sctpa_context_record(c, init->packet)->checksum == SCTPA_CHECKSUM_BAD &&
           c->tracked->sides[init->from].good_checksums;
}

static colliding_t colliding(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    colliding_t found = { .n = 0 };
    for (const sctpa_announcement_t *a = i->last; a; a = a->before)
        if (a->from == c->accused && !a->is_ack)
            found.own = a;
    for (const sctpa_announcement_t *a = i->last; found.own && a && a != found.own; a = a->before)
        if (a->from != c->accused && !a->is_ack && a->packet < i->endpoints[c->accused].echo_packet &&
            must_be_answered(c, a, found.own) && !is_damaged(c, a)) {
            found.first = a;
            found.n++;
        }
    return found;
}

/* What the user asserts settles that one INIT arrived. */
static bool is_arrival_asserted(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

RULE(HS, 014,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .of = OF_EACH, .on = SACK_ROWS,
    .report = { .once = true },
    .accused = "receiver of the INIT",
    .clause = "RFC 9260 5.2.1",
    .title = "INIT collision: the peer's INIT not answered",
    .quote = "Upon receipt of an INIT chunk in the COOKIE-WAIT state, an endpoint MUST respond with an INIT ACK chunk",
    .why = "Where the INITs of one endpoint are lost, the association does not come up, or late.",
    .evidence = "Near the endpoint: between its own INIT and its COOKIE ECHO, " SAY(COLLIDING_INITS) " INITs of "
        "the peer or more passed, from the address that its own went to, and it never sent an INIT ACK. Or one did, "
        "where the user asserts that the capture is complete and taken at the endpoint.",
    .doubt = "A firewall of the host may drop INITs and nothing else: probable at best without the assertion.");

/* The accused got an INIT ACK of the peer in COOKIE-WAIT, after INITs of it. */
static bool HS_014_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return i && !i->is_overfull && !sctpa_context_has_two_taps(c) &&
           sctpa_initialization_has(i->endpoints[c->accused].echo_packet) && i->endpoints[!c->accused].acks > 0 &&
           i->endpoints[!c->accused].inits > 0 && colliding(c).n >= (is_arrival_asserted(c) ? 1 : COLLIDING_INITS);
}

/* "Upon receipt of an INIT chunk in the COOKIE-WAIT state, an endpoint MUST respond with an INIT ACK chunk" */
static bool HS_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (sctpa_initialization(c)->endpoints[c->accused].acks > 0)
        return false;
    colliding_t found = colliding(c);
    violation->related = found.first->packet;
    violation->since = found.own->packet;
    violation->at_best = is_arrival_asserted(c) ? SCTPA_CERTAINTY_PROVEN : SCTPA_CERTAINTY_PROBABLE;
    violation->rests_on = is_arrival_asserted(c) ? SCTPA_ASSERTED_ARRIVED : 0;
    sctpa_violation_say(violation, SCTPA_WORDS("INIT ACK with Initiate Tag 0x%08x", found.own->tag),
                        SCTPA_WORDS("none, after INITs of the peer: %u, before the COOKIE ECHO", found.n));
    return true;
}

/* "responds immediately with an INIT ACK chunk"; who does not want the association "SHOULD respond with an ABORT chunk"
 */
RULE(HS, 062,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(INIT),
    .accused = "receiver of the INIT",
    .clause = "RFC 9260 5.1, 5.2.1, 5.2.2",
    .title = "INIT not answered",
    .quote = "it SHOULD respond with an ABORT chunk",
    .why = "The initiator waits for its timer, again and again, and cannot tell a refusal from a lost packet.",
    .evidence = SCTPA_COUNTED_EVIDENCE,
    .doubt = SCTPA_OWED_DOUBT " Firewalls and hosts that hide closed ports are silent on purpose.");

/* "sends the State Cookie received in the INIT ACK chunk in a COOKIE ECHO chunk"; who does not want the association
 * "SHOULD respond with an ABORT chunk" */
RULE(HS, 063,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(INIT_ACK),
    .accused = "receiver of the INIT ACK",
    .clause = "RFC 9260 5.1",
    .title = "INIT ACK not followed by COOKIE ECHO",
    .quote = "it SHOULD respond with an ABORT chunk",
    .why = "The association does not come up, and nothing says why.",
    .evidence = SCTPA_OWED_EVIDENCE " The INIT ACK had the tag of its INIT, a State Cookie, a tag and streams.",
    .doubt = SCTPA_OWED_DOUBT);

/* "Upon reception of the COOKIE ECHO chunk, endpoint "Z" replies with a COOKIE ACK chunk" */
RULE(HS, 016,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(COOKIE_ECHO),
    .accused = "receiver of the COOKIE ECHO",
    .clause = "RFC 9260 5.1, 5.2.4",
    .title = "Valid COOKIE ECHO not answered",
    .quote = "replies with a COOKIE ACK chunk",
    .why = "The initiator waits for its timer, again and again, before it may send.",
    .evidence = SCTPA_COUNTED_EVIDENCE " The cookie is that of its last INIT ACK, to the same address, less than 60 s "
        "before.",
    .doubt = SCTPA_OWED_DOUBT " A responder that lost the key of its cookies has to stay silent.");

/* "If the T1-init timer expires, the endpoint MUST retransmit the INIT chunk" */
RULE(HS, 068,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(INIT),
    .accused = "sender of the INIT",
    .clause = "RFC 9260 5.1, 4",
    .title = "INIT not repeated when T1-init expires",
    .quote = "the endpoint MUST retransmit the INIT chunk and restart the T1-init timer",
    .why = "One lost packet and the association waits until somebody else acts.",
    .evidence = SCTPA_TIMER_EVIDENCE " An INIT counts by RTO.Max, and is probable at best.",
    .doubt = SCTPA_TIMER_DOUBT);

/* "If the T1-cookie timer expires, the endpoint MUST retransmit COOKIE ECHO chunk" */
RULE(HS, 069,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(COOKIE_ECHO),
    .accused = "sender of the COOKIE ECHO",
    .clause = "RFC 9260 5.1, 4",
    .title = "COOKIE ECHO not repeated when T1-cookie expires",
    .quote = "the endpoint MUST retransmit COOKIE ECHO chunk and restart the T1-cookie timer",
    .why = "One lost packet and the association waits until somebody else acts.",
    .evidence = SCTPA_TIMER_EVIDENCE,
    .doubt = SCTPA_TIMER_DOUBT);

RULE(HS, 064,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(INIT_ACK),
    .accused = "sender of the INIT ACK",
    .clause = "RFC 9260 3.3.2, 5.1, 6.10, 8.5.1 A",
    .title = "INIT ACK that no INIT asked for",
    .quote = "it SHOULD verify that the packet contains only an INIT chunk. Otherwise, the receiver MUST silently "
        "discard the packet.",
    .why = "An INIT that has to be discarded sets up an association all the same.",
    .evidence = SCTPA_ARRIVED_EVIDENCE "more INIT ACKs than "
        "INITs that came alone, with Verification Tag 0, an Initiate Tag and their whole length, from one host.",
    .doubt = "INITs that were cut count.");

static bool HS_064_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

/* "it SHOULD verify that the packet contains only an INIT chunk. Otherwise, the receiver MUST silently discard the
 * packet." */
static bool HS_064_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_unasked(c, SCTPA_CHUNK_ROW_INIT_ACK, "silence, without an INIT that may be answered", violation);
}

RULE(HS, 065,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(COOKIE_ACK),
    .accused = "sender of the COOKIE ACK",
    .clause = "RFC 9260 5.1.5, 5.2.4, 8.4",
    .title = "COOKIE ACK that no valid COOKIE ECHO asked for",
    .quote = "MUST be silently discarded",
    .why = "Whoever sends any cookie sets up an association: the protection against forged addresses is gone.",
    .evidence = SCTPA_ARRIVED_EVIDENCE "more COOKIE ACKs than "
        "COOKIE ECHOs from one host with a cookie of its INIT ACKs.",
    .doubt = "Cookies of INIT ACKs that were cut count.");

static bool HS_065_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

/* "the packet containing the COOKIE ECHO chunk MUST be silently discarded", whose cookie it did not make */
static bool HS_065_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_unasked(c, SCTPA_CHUNK_ROW_COOKIE_ACK, "silence, without a COOKIE ECHO with a cookie of its own",
                            violation);
}

RULE(HS, 066,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(COOKIE_ECHO),
    .report = { .covers = { COVERS(HS, 059) } },
    .accused = "sender of the COOKIE ECHO",
    .clause = "RFC 9260 3.3.3, 5.1, 5.1.2",
    .title = "COOKIE ECHO after no INIT ACK that allows it",
    .quote = "sends the State Cookie received in the INIT ACK chunk in a COOKIE ECHO chunk",
    .why = "The endpoint goes on with a peer whose INIT ACK it has to refuse.",
    .evidence = SCTPA_ARRIVED_EVIDENCE "no INIT ACK with its tag "
        "came alone, with a State Cookie, an Initiate Tag, streams and no host name.",
    .doubt = "INIT ACKs that were cut count.");

static bool HS_066_applies(const sctpa_context_t *c)
{
    return sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

/* "sends the State Cookie received in the INIT ACK chunk in a COOKIE ECHO chunk" */
static bool HS_066_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_unasked(c, SCTPA_CHUNK_ROW_COOKIE_ECHO,
                            "ABORT or silence, without an INIT ACK that may be accepted", violation);
}

RULE(HS, 025,
    .level = MUST, .since = 4960, .seeing = NOTHING, .needs = COMPLETE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(INIT),
    .report = { .one_defect = true },
    .accused = "sender of the INIT",
    .clause = "RFC 9260 5.1.6, 6.3.3 E2",
    .title = "T1-init not backed off",
    .quote = "When retransmitting the INIT chunk, the endpoint MUST follow the rules defined in Section 6.3 to "
        "determine the proper timer value",
    .why = "Many clients that wait for one server overload it when it comes back.",
    .evidence = "Where the user asserts RTO.Max and a complete capture: with nothing from the peer in between, one "
        "INIT was sent three times or more to the only address; an interval of RTO.Max / 2 at most, the next "
        "shorter than " SAY(SCTPA_REQUEST_GROWN_PERCENT) " % of it.",
    .doubt = "INITs lost before the capture point make the next interval longer than the one before too. Not checked "
        "after an ICMP error.");

static bool HS_025_applies(const sctpa_context_t *c)
{
    return sctpa_retransmissions_backing_off(c, SCTPA_RETRANSMITTED_INIT) != NULL;
}

/* "When retransmitting the INIT chunk, the endpoint MUST follow the rules defined in Section 6.3" */
static bool HS_025_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_not_backed_off(c, SCTPA_RETRANSMITTED_INIT, violation);
}

RULE(HS, 026,
    .level = SHOULD, .since = 2960, .seeing = NOTHING, .needs = COMPLETE | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = ROW(COOKIE_ECHO),
    .report = { .one_defect = true },
    .accused = "sender of the COOKIE ECHO",
    .clause = "RFC 9260 5.1, 6.3.3 E2",
    .title = "T1-cookie not backed off",
    .quote = "The T1-init timer and T1-cookie timer SHOULD follow the same rules given in Section 6.3.",
    .why = "Many clients that wait for one server overload it when it comes back.",
    .evidence = "As for INIT (HS-025): an interval is shorter than " SAY(SCTPA_REQUEST_GROWN_PERCENT)
        " % of the one before, which was RTO.Max / 2 at most. Data and HEARTBEATs of the peer may pass meanwhile.",
    .doubt = "As for INIT; the first interval may differ from that of INIT, whose answer gave a round trip.");

static bool HS_026_applies(const sctpa_context_t *c)
{
    return sctpa_retransmissions_backing_off(c, SCTPA_RETRANSMITTED_COOKIE_ECHO) != NULL;
}

/* "The T1-init timer and T1-cookie timer SHOULD follow the same rules given in Section 6.3." */
static bool HS_026_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return sctpa_is_not_backed_off(c, SCTPA_RETRANSMITTED_COOKIE_ECHO, violation);
}

RULE(HS, 015,
    .level = MUST, .since = 2960, .seeing = COULD, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .on = ROW(COOKIE_ACK), .of = OF_PEER,
    .accused = "initiator",
    .clause = "RFC 9260 5.1",
    .title = "Packet sent between COOKIE ECHO and COOKIE ACK",
    .quote = "until the COOKIE ACK chunk is returned, the sender MUST NOT send any other packets to the peer",
    .why = "The peer may not have an association yet and answers with ABORT.",
    .evidence = "Near the initiator: a packet without COOKIE ECHO left it after its only COOKIE ECHO, and before the "
        "first packet of the peer after INIT ACK; the COOKIE ACK came later.",
    .doubt = "Any packet of the peer may stand for the COOKIE ACK; HEARTBEAT ACK, ABORT, SHUTDOWN COMPLETE and a new "
        "INIT are allowed. Without the later COOKIE ACK the capture may have missed an earlier one.");

static bool HS_015_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    if (!i)
        return false;
    const sctpa_initialization_end_t *own = &i->endpoints[c->from], *peer = &i->endpoints[!c->from];
    return sctpa_initialization_has(peer->echo_packet) && peer->echoes == 1 && own->cookie_acks == 0 && own->inits == 0;
}

/* "until the COOKIE ACK chunk is returned, the sender MUST NOT send any other packets to the peer" */
static bool HS_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_initialization_end_t *initiator = &sctpa_initialization(c)->endpoints[!c->from];
    if (!sctpa_initialization_has(initiator->early_packet) || initiator->early_packet <= initiator->echo_packet ||
        !sctpa_context_is_of_one_tap(c, initiator->early_packet))
        return false;
    violation->related = initiator->early_packet;
    sctpa_violation_say(violation, "nothing but COOKIE ECHO before the COOKIE ACK",
                        SCTPA_WORDS("%s", sctpa_chunk_row_word(initiator->early_row)));
    return true;
}

RULE(HS, 017,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH | COMPLETE,
    .when = PACKET, .on = ROW(COOKIE_ECHO),
    .accused = "initiator",
    .clause = "RFC 9260 3.3.11",
    .title = "DATA sent before COOKIE ECHO",
    .quote = "This chunk MUST precede any DATA chunk sent within the association",
    .why = "The responder has no association yet: the data is answered with ABORT or lost.",
    .evidence = "The initiator's user data passed before its first COOKIE ECHO, or came before it in the same packet.",
    .doubt = "Data of an association that is restarted carries another tag. Without the later COOKIE ECHO the capture "
        "may have missed it.");

static bool HS_017_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    if (!i)
        return false;
    const sctpa_initialization_end_t *own = &i->endpoints[c->from], *peer = &i->endpoints[!c->from];
    return own->inits > 0 && peer->inits == 0 && !sctpa_initialization_has(own->echo_packet) && !peer->is_heard;
}

/* "This chunk MUST precede any DATA chunk sent within the association" */
static bool HS_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_initialization_end_t *own = &sctpa_initialization(c)->endpoints[c->from];
    bool was_early = sctpa_initialization_has(own->early_packet);
    if (!was_early && !sctpa_initialization_is_early(c))
        return false;
    violation->related = was_early ? own->early_packet : c->index;
    sctpa_violation_say(violation, "COOKIE ECHO before DATA", "DATA before it");
    return true;
}

RULE(HS, 018,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .on = ROW(COOKIE_ACK),
    .accused = "responder",
    .clause = "RFC 9260 3.3.12",
    .title = "DATA or SACK sent before COOKIE ACK",
    .quote = "This chunk MUST precede any DATA or SACK chunk sent within the association",
    .why = "The initiator is not in ESTABLISHED yet and may discard or abort.",
    .evidence = "Near the responder: DATA or SACK left it before its first COOKIE ACK, which answered the only COOKIE "
        "ECHO.",
    .doubt = "A COOKIE ACK lost before the capture point is repeated only for a second COOKIE ECHO; then, in "
        "collisions, and where both went between other addresses or were shown by another tap, nothing is reported.");

static bool HS_018_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    if (!i)
        return false;
    const sctpa_initialization_end_t *own = &i->endpoints[c->from], *peer = &i->endpoints[!c->from];
    return own->inits == 0 && !sctpa_initialization_has(own->echo_packet) && !(c->rows & SCTPA_ROW(COOKIE_ECHO)) &&
           own->acks > 0 && own->cookie_acks == 0 && peer->echoes == 1;
}

/* Did an earlier packet leave the sender of this one before it, and not only pass the tap before it? Another way may be
 * shorter, and another tap has a clock of its own. */
static bool shows_order(const sctpa_context_t *c, uint32_t packet)
{
    return sctpa_context_is_of_one_tap(c, packet) && (sctpa_context_record(c, packet)->pair == c->record->pair ||
                                                      sctpa_context_is_asserted(c, SCTPA_ASSERTED_TAKEN_AT));
}

/* "This chunk MUST precede any DATA or SACK chunk sent within the association" */
static bool HS_018_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_initialization_end_t *own = &sctpa_initialization(c)->endpoints[c->from];
    bool was_early = sctpa_initialization_has(own->early_packet);
    if (was_early ? !shows_order(c, own->early_packet) : !sctpa_initialization_is_early(c))
        return false;
    unsigned row = was_early ? own->early_row : c->chunks[0].row;
    violation->related = was_early ? own->early_packet : c->index;
    sctpa_violation_say(violation, "COOKIE ACK before DATA and SACK",
                        SCTPA_WORDS("%s before it", sctpa_chunk_row_word(row)));
    return true;
}

RULE(HS, 019,
    .level = MUST, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH,
    .when = PACKET, .on = DATA_ROWS,
    .report = { .one_defect = true },
    .accused = "sender of the DATA",
    .clause = "RFC 9260 3.3.2",
    .title = "First DATA with another TSN than the announced Initial TSN",
    .quote = "Defines the TSN that the sender of the INIT chunk will use initially.",
    .why = "The receiver takes the data for duplicates and drops it, or waits for data that never comes.",
    .evidence = "The first DATA that passed has a TSN below the one announced with the tag that its sender owns; or so "
        "far above it that the window which its peer announced could not hold what lies between, and the peer has "
        "acknowledged nothing.",
    .doubt = "A first DATA a little above the Initial TSN may follow one that was lost before the capture point: not "
        "checked. Far above it, the capture may lack the data, the SACKs, or a reset of the TSNs: probable, unless it "
        "is asserted to be complete.");

static bool HS_019_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return i && c->first_data && !i->endpoints[c->from].has_data && !i->endpoints[c->from].is_data_settled &&
           sctpa_initialization_of_sender(c);
}

/* May another announcement of the sender be the true one? Which one its peer took is known by a cookie that it echoed,
 * but for a collision, where it may have been discarded. */
static bool may_have_announced(const sctpa_context_t *c, uint32_t tsn)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    if (!c->assoc->collision && sctpa_initialization_has(i->endpoints[!c->from].echo_packet))
        return false;
    for (const sctpa_announcement_t *a = i->last; a; a = a->before)
        if (a->from == c->from && sctpa_serial_distance(a->initial_tsn, tsn) >= 0)
            return true;
    return false;
}

/* Is the TSN out of reach of all that the sender announced: could its peer's window not hold the data between, a byte
 * in each TSN, and did the peer acknowledge nothing, and neither give up nor reset TSNs? */
static bool is_beyond_window(const sctpa_context_t *c, uint32_t tsn)
{
    const uint64_t moves =
        SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(RE_CONFIG) | SCTPA_ROW(FORWARD_TSN) | SCTPA_ROW(I_FORWARD_TSN);
    if (c->tracked->sides[!c->from].has_cum_tsn)
        return false;
    for (unsigned row = 0; row < SCTPA_CHUNK_ROWS; row++)
        if (moves >> row & 1 && (sctpa_context_chunks(c, 0, row) > 0 || sctpa_context_chunks(c, 1, row) > 0))
            return false;
    for (const sctpa_announcement_t *a = sctpa_initialization(c)->last; a; a = a->before)
        if (a->from == c->from && sctpa_serial_distance(a->initial_tsn, tsn) >= 0 &&
            sctpa_serial_distance(a->initial_tsn, tsn) <= (int64_t)c->tracked->sides[c->from].window_bytes)
            return false;
    return !sctpa_initialization(c)->is_overfull;
}

/* "Defines the TSN that the sender of the INIT chunk will use initially." */
static bool HS_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_announcement_t *announced = sctpa_initialization_of_sender(c);
    const uint32_t tsn = sctpa_tlv_u32(&c->first_data->tlv, SCTPA_F_DATA_TSN);
    const bool is_above = sctpa_serial_distance(announced->initial_tsn, tsn) >= 0;
    if (is_above ? !is_beyond_window(c, tsn) : may_have_announced(c, tsn))
        return false;
    violation->path = c->path;
    violation->related = announced->packet;
    if (is_above && sctpa_context_is_asserted(c, SCTPA_ASSERTED_COMPLETE))
        violation->rests_on = SCTPA_ASSERTED_COMPLETE;
    else if (is_above)
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, SCTPA_WORDS(is_above ? "TSN %u" : "TSN %u or a later one", announced->initial_tsn),
                        SCTPA_WORDS("TSN %u", tsn));
    return true;
}

RULE(HS, 020,
    .level = MUST, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | SETUP | BOTH | COMPLETE | NEAR,
    .when = PACKET, .on = SACK_ROWS,
    .report = { .one_defect = true },
    .accused = "receiver of the DATA",
    .clause = "RFC 9260 5.1",
    .title = "First DATA not acknowledged at once",
    .quote = "the endpoint MUST immediately respond with a SACK chunk to acknowledge the DATA chunk",
    .why = "The sender waits for a delayed SACK at its smallest window, which slows down every start.",
    .evidence = "Near the receiver: the first SACK came alone, before any other packet of data, and "
        SAY(FIRST_SACK_MS) " to " SAY(FIRST_SACK_DELAYED_MS) " ms after the first packet of data, or any time longer "
        "where the capture is asserted to be complete and taken at the receiver; or the "
        "first six packets of data passed in order, " SAY(SCTPA_FIRST_PACKETS_APART_MS) " ms or more between 1 and 2, "
        "3 and 4, 5 and 6, and there are SACKs after 2, 4 and 6, but none after 1, 3 and 5: the receiver counts from "
        "the first.",
    .doubt = "Retransmitted data may have been lost between capture point and receiver: not checked. One SACK that "
        "the capture missed does not produce this pattern: a receiver that acknowledges packet 1 at once acknowledges "
        "3 and 5 too.");

static bool HS_020_applies(const sctpa_context_t *c)
{
    const sctpa_initialization_t *i = sctpa_initialization(c);
    return i && i->endpoints[!c->from].has_data && !i->endpoints[!c->from].is_data_settled &&
           sctpa_context_tap_rtt_most_ns(c, c->from) >= 0 && c->acked && c->acked->rare->abandoned_to < 0 &&
           sctpa_context_is_of_one_tap(c, i->endpoints[!c->from].data_packet);
}

/* "the endpoint MUST immediately respond with a SACK chunk to acknowledge the DATA chunk" */
static bool HS_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const uint32_t every_second = 1 << 2 | 1 << 4 | 1 << 6;
    const sctpa_initialization_end_t *sender = &sctpa_initialization(c)->endpoints[!c->from];
    int64_t took_ns = c->packet->time_ns - sctpa_context_time_ns(c, sender->data_packet);
    const bool is_arrived = sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
    bool is_delayed = sender->data_packets == 1 && (c->n_chunks == 1 || is_arrived) &&
                      (took_ns <= FIRST_SACK_DELAYED_MS * SCTPA_NS_PER_MS || is_arrived) &&
                      sctpa_context_least_ns(c, took_ns) >
                          sctpa_context_tap_rtt_most_ns(c, c->from) + FIRST_SACK_MS * SCTPA_NS_PER_MS;
    bool counts_from_first = sender->data_packets == SCTPA_FIRST_DATA_PACKETS && !sender->has_close_packets &&
                             (sender->sacks_after | 1u << sender->data_packets) == every_second;
    if (!is_delayed && !counts_from_first)
        return false;
    violation->path = c->path;
    violation->related = sender->data_packet;
    violation->rests_on = is_delayed && is_arrived ? SCTPA_ASSERTED_ARRIVED : 0;
    if (is_delayed)
        sctpa_violation_say(violation, "a SACK at once", SCTPA_WORDS("after %.1f ms", (double)took_ns / 1e6));
    else
        sctpa_violation_say(violation, "a SACK at once for the first packet",
                            "SACKs for the packets 2, 4 and 6, none for the first");
    return true;
}

static bool are_enough(const announced_values_t *values)
{
    return values && values->values >= GUESSED_VALUES;
}

/* "each 0x00000001 above" the one before. */
static sctpa_words_t relation(const announced_values_t *values)
{
    if (values->equal < GUESSED_VALUES)
        return sctpa_words("each within %d of", GUESSED_NEAR);
    return values->step == 0 ? sctpa_words("each the same as") : sctpa_words("each 0x%08x above", values->step);
}

/* Random values do neither once in 2^90. */
static bool are_guessable(const sctpa_context_t *c, const announced_values_t *values, sctpa_violation_t *violation)
{
    if (values->equal != GUESSED_VALUES && values->close != GUESSED_VALUES)
        return false;
    sctpa_violation_say(violation, "random values",
                        SCTPA_WORDS("%d in a row since frame %u, %s the one before; now 0x%08x", GUESSED_VALUES,
                                    sctpa_context_frame(c, values->first_packet), relation(values).text, values->last));
    return true;
}

RULE(HS, 044,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH,
    .when = PACKET, .on = ROW(COOKIE_ACK), .of = OF_EACH,
    .accused = "owner of the tags",
    .clause = "RFC 9260 5.1",
    .title = "Initiate Tags can be guessed",
    .quote = "Tag_A SHOULD be a random number in the range of 1 to 4294967295",
    .why = "Anyone who can guess the tag can abort the association, or send data into it, without seeing its packets.",
    .evidence = SAY(GUESSED_VALUES) " associations in a row that came up with one address: its tags are equally "
        "far apart (or the same), or each is within " SAY(GUESSED_NEAR) " of the one before.",
    .doubt = "Random values do that less than once in 2^90. Several hosts behind one address mix their tags, and "
        "nothing is reported. Duplicates of an association (both tags as before) and restarts do not count. Test "
        "tools choose their tags: a note.");

static bool HS_044_applies(const sctpa_context_t *c)
{
    return c->has_values && are_enough(c->tags[c->accused]);
}

/* "Tag_A SHOULD be a random number in the range of 1 to 4294967295" */
static bool HS_044_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return are_guessable(c, c->tags[c->accused], violation);
}

RULE(HS, 045,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = CHECKSUM | SETUP | BOTH,
    .when = PACKET, .on = ROW(COOKIE_ACK), .of = OF_EACH,
    .accused = "owner of the TSNs",
    .clause = "RFC 9260 3.3.2",
    .title = "Initial TSNs can be guessed",
    .quote = "Initial TSN SHOULD be set to a random value in that range.",
    .why = "Together with the tag it lets others insert data, and late packets of an association before look like new "
        "ones.",
    .evidence = "As HS-044, for the Initial TSNs of " SAY(GUESSED_VALUES) " associations in a row that came up "
        "with one address.",
    .doubt = "A restarted endpoint may use its TSN again, and a TSN that equals the tag is checked as a tag: neither "
        "counts. Test tools choose their TSNs: a note.");

static bool HS_045_applies(const sctpa_context_t *c)
{
    return c->has_values && are_enough(c->initial_tsns[c->accused]);
}

/* "Initial TSN SHOULD be set to a random value in that range." */
static bool HS_045_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return are_guessable(c, c->initial_tsns[c->accused], violation);
}

/* RFC 9260 5.1: "decides not to establish the new association due to missing mandatory parameters in the received INIT
 * or INIT ACK chunk, invalid parameter values, or lack of local resources, it SHOULD respond with an ABORT chunk" */
RULE(HS, 067,
    .level = SHOULD, .since = 2960, .seeing = MUST_HAVE, .needs = CHECKSUM | COMPLETE | NEAR,
    .when = DUE, .of = OF_DEBTOR, .on = ROW(INIT) | ROW(INIT_ACK),
    .accused = "receiver of the INIT or INIT ACK",
    .clause = "RFC 9260 5.1, 5.1.2, 3.3.2, 3.3.3",
    .title = "Set-up that cannot be accepted is not refused",
    .quote = "it SHOULD respond with an ABORT chunk",
    .why = "The peer repeats its request until it gives up, and never learns why.",
    .evidence = SCTPA_OWED_EVIDENCE " The INIT announces 0 streams; or the INIT ACK, which answers its own INIT, "
        "announces 0 streams, has no State Cookie, or names a host.",
    .doubt = SCTPA_OWED_DOUBT " One that was accepted all the same is told by HS-028 and HS-030.");

void sctpa_check_setup(sctpa_context_t *c)
{
    if (c->due && c->due->is_refusal) {
        sctpa_ask_owed(c, &sctpa_row_HS_072, SCTPA_RULE_HS_072, sctpa_due_is_decided, refused_and_goes_on);
        return;
    }
    if (c->due) {
        ASK_DUE(HS, 062, INIT);
        ASK_DUE(HS, 063, INIT_ACK);
        ASK_DUE(HS, 067, REFUSED_INIT);
        ASK_DUE(HS, 067, REFUSED_INIT_ACK);
        ASK_DUE(HS, 016, COOKIE_ECHO);
        ASK_DUE(HS, 068, T1_INIT);
        ASK_DUE(HS, 069, T1_COOKIE);
        return;
    }
    if (sctpa_initialization_is_over(c))
        return;
    sctpa_initialization_observe(c);
    if (c->rows & SCTPA_ROW(COOKIE_ACK)) {
        announcers_observe(c);
        withdraw_wrong_tag(c);
    }
    ASK(HS, 001);
    ASK(HS, 002);
    ASK(HS, 003);
    ASK(HS, 004);
    ASK(HS, 005);
    ASK(HS, 006);
    ASK(HS, 007);
    ASK(HS, 008);
    ASK(HS, 010);
    ASK(HS, 014);
    ASK(HS, 015);
    ASK(HS, 017);
    ASK(HS, 018);
    ASK(HS, 019);
    ASK(HS, 020);
    ASK(HS, 023);
    ASK(HS, 028);
    ASK(HS, 029);
    ASK(HS, 031);
    ASK(HS, 037);
    ASK(HS, 009);
    if (c->rows & SCTPA_ROW(INIT_ACK))
        prove_wrong_tag(c);
    ASK(HS, 064);
    ASK(HS, 065);
    ASK(HS, 066);
    ASK(HS, 025);
    ASK(HS, 026);
    ASK(HS, 061);
    ASK(HS, 072);
    if (c->rows & SCTPA_ROW(ABORT))
        take_refusal(c);
    ASK(HS, 038);
    ASK(HS, 039);
    ASK(HS, 044);
    ASK(HS, 045);
    ASK(HS, 046);
}
