/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about the messages of an endpoint in the order of their TSNs: fragments, SSNs of streams. */
#include "rules/rule_functions.h"

#include "reference/sender/message_order.h"

enum { SSNS_OF_STREAM = 1 << 16 };

static sctpa_words_t describe(const sctpa_context_t *c, int64_t number, uint16_t stream, uint32_t ssn, uint8_t flags)
{
    return sctpa_words("TSN %u: stream %u, SSN %u, %s%s%s%s", sctpa_direction_serial(c->sent, number), stream, ssn,
                       flags & SCTPA_TSN_UNORDERED ? "U" : "", flags & SCTPA_TSN_BEGIN ? "B" : "",
                       flags & SCTPA_TSN_END ? "E" : "", flags & (SCTPA_TSN_BEGIN | SCTPA_TSN_END) ? "" : "middle");
}

static sctpa_words_t describe_tsn(const sctpa_context_t *c, int64_t number)
{
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->sent, number);
    return describe(c, number, tsn->stream, tsn->ssn, tsn->flags);
}

/* The misplaced TSN is the evidence, NULL: none is of this kind. */
static const sctpa_misplaced_t *find_misplaced(const sctpa_context_t *c, sctpa_misplaced_kind_t kind,
                                               sctpa_violation_t *violation)
{
    if (!sctpa_is_misplaced(c, kind))
        return NULL;
    const sctpa_misplaced_t *misplaced = &c->reached.misplaced[kind];
    const sctpa_tsn_t *tsn = sctpa_context_tsn(c->sent, misplaced->tsn);
    violation->path = tsn->path;
    violation->related = tsn->first_packet;
    return misplaced;
}

bool sctpa_TX_007_applies(const sctpa_context_t *c)
{
    return c->reached.follows & SCTPA_FOLLOWS_FRAGMENT || sctpa_is_misplaced(c, SCTPA_MISPLACED_MESSAGE);
}

/* RFC 9260 3.3.1: "the same Stream Sequence Number MUST be carried in each of the fragments of the message" */
bool sctpa_TX_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_misplaced_t *other = find_misplaced(c, SCTPA_MISPLACED_MESSAGE, violation);
    if (!other)
        return false;
    const sctpa_fragment_t *before = &other->before;
    sctpa_violation_say(violation, describe(c, before->tsn, before->stream, before->ssn, before->flags).text,
                        describe_tsn(c, other->tsn).text);
    return true;
}

bool sctpa_TX_008_applies(const sctpa_context_t *c)
{
    return c->reached.follows & SCTPA_FOLLOWS_FRAGMENT;
}

/* RFC 9260 3.3.1: "This field MUST be sent even in fragmented DATA chunks" */
bool sctpa_TX_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_misplaced_t *other = find_misplaced(c, SCTPA_MISPLACED_PPID, violation);
    if (other)
        sctpa_violation_say(violation, SCTPA_WORDS("PPID %u", other->before.ppid),
                            SCTPA_WORDS("PPID %u", sctpa_context_tsn(c->sent, other->tsn)->ppid));
    return other != NULL;
}

bool sctpa_TX_009_applies(const sctpa_context_t *c)
{
    return c->reached.follows & (SCTPA_FOLLOWS_FRAGMENT | SCTPA_FOLLOWS_HOLE) ||
           sctpa_is_misplaced(c, SCTPA_MISPLACED_MESSAGE) || sctpa_is_misplaced(c, SCTPA_MISPLACED_APART) ||
           sctpa_is_misplaced(c, SCTPA_MISPLACED_NO_BEGIN);
}

/* RFC 9260 3.3.1: "the TSNs for each fragment of a fragmented user message MUST be strictly sequential" */
bool sctpa_TX_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_misplaced_t *apart = find_misplaced(c, SCTPA_MISPLACED_APART, violation);
    if (apart)
        sctpa_violation_say(
            violation,
            SCTPA_WORDS("the message goes on in TSN %u", sctpa_direction_serial(c->sent, apart->before.tsn + 1)),
            describe_tsn(c, apart->tsn).text);
    return apart != NULL;
}

/* A message that is given up may go no further. */
static bool lacks_end(const sctpa_context_t *c)
{
    return sctpa_is_misplaced(c, SCTPA_MISPLACED_NO_END) &&
           sctpa_given_up(c->assoc, c->sent, c->reached.misplaced[SCTPA_MISPLACED_NO_END].tsn) == SCTPA_NO;
}

bool sctpa_TX_010_applies(const sctpa_context_t *c)
{
    return c->reached.follows & SCTPA_FOLLOWS_MESSAGE || sctpa_is_misplaced(c, SCTPA_MISPLACED_NO_BEGIN) ||
           lacks_end(c);
}

/* RFC 9260 6.9: "set the B/E bits of the first DATA chunk in the series to 10, the B/E bits of the last DATA chunk in
 * the series to 01" */
bool sctpa_TX_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!(c->facts & SCTPA_FACT_FRAGMENTS))
        return false;
    const sctpa_misplaced_t *other = find_misplaced(c, SCTPA_MISPLACED_NO_BEGIN, violation);
    if (other) {
        sctpa_violation_say(
            violation, SCTPA_WORDS("B set: TSN %u ended a message", sctpa_direction_serial(c->sent, other->before.tsn)),
            describe_tsn(c, other->tsn).text);
        return true;
    }
    other = lacks_end(c) ? find_misplaced(c, SCTPA_MISPLACED_NO_END, violation) : NULL;
    if (other)
        sctpa_violation_say(violation,
                            SCTPA_WORDS("the message of TSN %u goes on, or ends with E first",
                                        sctpa_direction_serial(c->sent, other->before.tsn)),
                            describe_tsn(c, other->tsn).text);
    return other != NULL;
}

/* Whether the SSN of a message is wrong is said when the packet's peer sent it and the packet acknowledges it. */
static bool is_ssn_wrong(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_wrong_ssn_t *wrong = c->reached.wrong_ssn;
    if (c->accused == c->from)
        return false;
    uint16_t step = (uint16_t)(wrong->seen - wrong->expected);
    violation->related = wrong->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("SSN %u on stream %u", wrong->expected, wrong->stream),
                        SCTPA_WORDS("SSN %u in TSN %u, %u %s", wrong->seen,
                                    sctpa_direction_serial(c->acked, wrong->tsn),
                                    step < SSNS_OF_STREAM / 2 ? step : SSNS_OF_STREAM - step,
                                    step < SSNS_OF_STREAM / 2 ? "too high" : "too low"));
    return true;
}

bool sctpa_TX_003_applies(const sctpa_context_t *c)
{
    return c->accused == c->from ? c->reached.follows & SCTPA_FOLLOWS_NO_SSN
                                 : c->reached.wrong_ssn && c->reached.wrong_ssn->is_first;
}

/* RFC 9260 6.5: "The Stream Sequence Number in all the outgoing streams MUST start from 0 when the association is
 * established." */
bool sctpa_TX_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_ssn_wrong(c, violation);
}

bool sctpa_TX_004_applies(const sctpa_context_t *c)
{
    return c->accused == c->from ? c->reached.follows & SCTPA_FOLLOWS_SSN
                                 : c->reached.wrong_ssn && !c->reached.wrong_ssn->is_first;
}

/* RFC 9260 6.5: "MUST be incremented by 1 for each ordered user message sent on that outgoing stream" */
bool sctpa_TX_004_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_ssn_wrong(c, violation);
}
