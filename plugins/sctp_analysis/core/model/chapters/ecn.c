/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explicit congestion notification (RFC 4960 appendix A): congestion marks (CE) on data that passed towards a
 * receiver, until it echoes them, and the chunks ECNE and CWR; RFC 9260 has no ECN. Only marks on new data of
 * associations with ECN count: one on a retransmission may repeat a mark that was echoed. Leaves out what the sender
 * makes of the echo, but that it answers. */
#include "model/chapter.h"

/* What separates a mark that is not echoed from an echo that is still due: SACKs since the mark, and its age. So old
 * is an ECNE, too, that is to be answered: data that leaves so long after it hardly waited in a queue of the host when
 * it came. */
#define SACKS_WITHOUT_ECHO 3
#define ECHO_DUE_MS 100

/* The answer comes with the first new data after cwnd was reduced; some may have waited in a queue of the host. */
#define PACKETS_WITHOUT_ANSWER 3
/* What separates that from an ECNE, or a CWR, that was lost. */
#define ECHOES_WITHOUT_ANSWER 3

/* The two bits of the IP header (RFC 3168 5). */
enum { CONGESTION_EXPERIENCED = 3, ECN_BITS = 3 };

/* The first mark that a receiver has not echoed. */
typedef struct {
    int64_t time_ns;
    uint32_t packet; /* that it was on */
    uint32_t sacks;  /* packets with SACKs since then */
    bool is_waiting;
} ce_mark_t;

/* The first echo (ECNE) that the sender of the data has not answered with CWR. */
typedef struct {
    uint32_t packet;
    uint32_t sent; /* packets with new data since then */
    bool is_waiting;
} ce_echo_t;

typedef struct {
    ce_mark_t towards[2]; /* by endpoint */
    ce_echo_t echoes[2];  /* by the endpoint that they go to */
} ce_marks_t;

/* The mark that the sender of the packet has to echo, as before the packet; NULL none. O(1). */
static ce_mark_t *mark_to_echo(const sctpa_context_t *c)
{
    ce_marks_t *marks = sctpa_context_find_part(c, SCTPA_PART_CE_MARKS);
    return marks && marks->towards[c->from].is_waiting ? &marks->towards[c->from] : NULL;
}

/* Must the sender have echoed it by the packet, which holds a SACK? O(1). */
static bool ce_mark_is_due(const sctpa_context_t *c, const ce_mark_t *mark)
{
    return mark->sacks + 1 >= SACKS_WITHOUT_ECHO && c->packet->time_ns - mark->time_ns >= ECHO_DUE_MS * SCTPA_NS_PER_MS;
}

static void take_sack(const sctpa_context_t *c)
{
    ce_mark_t *mark = mark_to_echo(c);
    if (!mark)
        return;
    if (c->rows & SCTPA_ROW(ECNE) || ce_mark_is_due(c, mark))
        mark->is_waiting = false;
    mark->sacks++;
}

static void take_mark(const sctpa_context_t *c)
{
    ce_marks_t *marks = sctpa_context_part(c, SCTPA_PART_CE_MARKS, sizeof *marks);
    ce_mark_t *mark = &marks->towards[!c->from];
    if (!mark->is_waiting)
        *mark = (ce_mark_t){ .time_ns = c->packet->time_ns, .packet = c->index, .is_waiting = true };
}

/* The echo that the sender of the packet has to answer, as before the packet; NULL none. O(1). */
static ce_echo_t *echo_to_answer(const sctpa_context_t *c)
{
    ce_marks_t *marks = sctpa_context_find_part(c, SCTPA_PART_CE_MARKS);
    return marks && marks->echoes[c->from].is_waiting ? &marks->echoes[c->from] : NULL;
}

/* Must the sender have answered it with the packet, which holds new data? O(1). */
static bool is_answer_due(const sctpa_context_t *c, const ce_echo_t *echo)
{
    return echo->sent + 1 >= PACKETS_WITHOUT_ANSWER &&
           sctpa_context_least_since_ns(c, echo->packet) >= ECHO_DUE_MS * SCTPA_NS_PER_MS;
}

static void take_echo(const sctpa_context_t *c)
{
    ce_echo_t *own = echo_to_answer(c);
    if (own && c->facts & SCTPA_FACT_NEW_DATA)
        own->is_waiting = !is_answer_due(c, own);
    if (own && c->facts & SCTPA_FACT_NEW_DATA)
        own->sent++;
    if (own && c->rows & SCTPA_ROW(CWR))
        own->is_waiting = false;
    if (!(c->rows & SCTPA_ROW(ECNE)) || sctpa_negotiated(c->assoc, SCTPA_EXTENSION_ECN) != SCTPA_YES)
        return;
    ce_marks_t *marks = sctpa_context_part(c, SCTPA_PART_CE_MARKS, sizeof *marks);
    ce_echo_t *peer = &marks->echoes[!c->from];
    if (!peer->is_waiting)
        *peer = (ce_echo_t){ .packet = c->index, .is_waiting = true };
}

/* Takes the packet, after the rules: its mark; its ECNE or SACK, with which a mark that is echoed or overdue is done
 * with; its ECNE as an echo that its peer has to answer; its CWR or new data, with which an echo that is answered or
 * overdue is done with. O(1). */
static void ce_marks_take(const sctpa_context_t *c)
{
    if (c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(ECNE)))
        take_sack(c);
    if ((c->packet->tos & ECN_BITS) == CONGESTION_EXPERIENCED && c->facts & SCTPA_FACT_NEW_DATA &&
        sctpa_negotiated(c->assoc, SCTPA_EXTENSION_ECN) == SCTPA_YES)
        take_mark(c);
    take_echo(c);
}

RULE(EC, 002,
    .level = HEURISTIC, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = SACK_ROWS | ROW(ECNE),
    .accused = "receiver of the marked data",
    .clause = "RFC 4960 A",
    .title = "Congestion mark not echoed",
    .quote = "this same indication is made by including the ECNE chunk",
    .why = "The sender does not slow down, and the queue overflows.",
    .evidence = "New data marked CE passed towards the receiver, both endpoints are ECN capable, and "
        SAY(SACKS_WITHOUT_ECHO) " SACKs came since without ECNE, the last of them at least " SAY(ECHO_DUE_MS)
        " ms later.",
    .doubt = "The packet may have been lost between capture point and receiver, and the appendix has no keyword: a "
        "note, checked only near the receiver.");

static bool EC_002_applies(const sctpa_context_t *c)
{
    const ce_mark_t *mark = mark_to_echo(c);
    return mark && (c->rows & SCTPA_ROW(ECNE) || ce_mark_is_due(c, mark));
}

/* "this same indication is made by including the ECNE chunk" */
static bool EC_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const ce_mark_t *mark = mark_to_echo(c);
    if (c->rows & SCTPA_ROW(ECNE))
        return false;
    violation->related = mark->packet;
    sctpa_violation_say(violation, "ECNE after data marked with CE",
                        SCTPA_WORDS("%u SACKs without it", mark->sacks + 1));
    return true;
}

RULE(EC, 004,
    .level = HEURISTIC, .since = 2960, .seeing = MUST_HAVE, .needs = SETUP | BOTH | COMPLETE | NEAR | CHECKSUM,
    .when = PACKET, .of = OF_SENDER, .on = DATA_ROWS, .if_facts = NEW_DATA,
    .report = { .from = ECHOES_WITHOUT_ANSWER, .at_once_if = IF_COMPLETE | IF_TAKEN_AT, .in_a_row = true },
    .accused = "sender of the data",
    .clause = "RFC 4960 A",
    .title = "Echo of a congestion mark not answered with CWR",
    .quote = "the same indication is made by including the CWR chunk",
    .why = "The receiver repeats its ECNE with every SACK, and cannot tell whether the sender slowed down.",
    .evidence = "An ECNE came, both endpoints are ECN capable, and " SAY(PACKETS_WITHOUT_ANSWER) " packets with new "
        "data left since without CWR in them or between them, the last of them at least " SAY(ECHO_DUE_MS) " ms "
        "later: once, where the capture is asserted to be complete and taken at the sender of the data; elsewhere, "
        "near it, probable where it happened " SAY(ECHOES_WITHOUT_ANSWER) " times in a row, and no endpoint has a "
        "second address.",
    .doubt = "One ECNE or CWR may be lost before or after the capture point. The appendix has no keyword: a note.");

static bool EC_004_applies(const sctpa_context_t *c)
{
    const ce_echo_t *echo = echo_to_answer(c);
    return echo && (sctpa_context_has_all_of(c) || sctpa_assoc_is_single_homed(c->assoc)) &&
           (c->rows & SCTPA_ROW(CWR) || is_answer_due(c, echo));
}

/* "the same indication is made by including the CWR chunk" */
static bool EC_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const ce_echo_t *echo = echo_to_answer(c);
    if (c->rows & SCTPA_ROW(CWR))
        return false;
    violation->path = c->path;
    violation->related = echo->packet;
    if (sctpa_context_has_all_of(c))
        violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    else
        violation->at_best = SCTPA_CERTAINTY_PROBABLE;
    sctpa_violation_say(violation, "CWR with new data after an ECNE",
                        SCTPA_WORDS("%u packets with new data without it", echo->sent + 1));
    return true;
}

RULE(EC, 010,
    .level = HEURISTIC, .since = 2960, .seeing = NOTHING, .needs = WHOLE | CHECKSUM,
    .when = CHUNK, .of = OF_SENDER, .on = ROW(ECNE) | ROW(CWR),
    .accused = "sender of the chunk",
    .clause = "RFC 4960 A",
    .title = "ECNE or CWR of unknown length",
    .quote = "This chunk contains one data element",
    .why = "The receiver may ignore it.",
    .evidence = "ECNE that is not 8 or 12 bytes long, CWR that is not 8.",
    .doubt = "ECNE of 12 bytes counts marked packets (a draft).");

static bool EC_010_applies(const sctpa_context_t *c)
{
    return c->chunk->tlv.row != NULL;
}

/* "This chunk contains one data element" */
static bool EC_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (chunk->fault != SCTPA_FAULT_LENGTH_BELOW_MINIMUM && chunk->fault != SCTPA_FAULT_LENGTH_BODY)
        return false;
    sctpa_violation_say(violation, "length 8, or 12 for ECNE",
                        SCTPA_WORDS("%s of length %u", chunk->row->word, chunk->length));
    return true;
}

void sctpa_check_ecn(sctpa_context_t *c)
{
    ASK(EC, 002);
    ASK(EC, 004);
    ASK(EC, 010);
    ce_marks_take(c);
}
