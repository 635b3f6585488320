/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about how many packets a SACK answers, and how many SACKs a packet holds. */
#include "data/answer_limits.h"
#include "reference/receiver/sack_answers.h"
#include "rules/rule_functions.h"
#include "receiver_limits.h"

bool sctpa_RX_012_applies(const sctpa_context_t *c)
{
    return sctpa_sack_is_without_hole(c);
}

/* RFC 9260 6.2: "an acknowledgement SHOULD be generated for at least every second packet (not every second DATA chunk)
 * received" */
bool sctpa_RX_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_receiver_t *own = c->receivers[c->from];
    uint32_t sparse = own->sacks_sparse + 1;
    if (!sctpa_sack_is_sparse(c) || sparse < SCTPA_SACKS_SPARSE || sparse <= SCTPA_SPARSE_PER_DENSE * own->sacks_dense)
        return false;
    violation->related = own->wait.first_packet;
    sctpa_violation_say(
        violation, "a SACK for every second packet with DATA",
        SCTPA_WORDS(
            "one for %u packets, each %.1f ms or more after the one before; %u SACKs like it, %u for one or two",
            own->wait.packets, (double)own->wait.least_gap_ns / 1e6, sparse, own->sacks_dense));
    return true;
}

/* The SACK is alone in its packet and says nothing new, and nothing but a packet that arrived may have caused it: its
 * window is not being updated. */
static bool is_repeated(const sctpa_context_t *c)
{
    const uint32_t news = SCTPA_FACT_NEWLY_ACKED | SCTPA_FACT_DUPLICATE_TSNS;
    return sctpa_sack_is(c, SCTPA_SACK_ALONE) && !(c->facts & news) &&
           sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED) &&
           sctpa_context_least_since_ns(c, c->answer.before->packet) > SCTPA_UPDATES_BURST_MS * SCTPA_NS_PER_MS;
}

bool sctpa_RX_013_applies(const sctpa_context_t *c)
{
    return c->answer.before && sctpa_sack_is(c, SCTPA_SACK_SINGLE) && (c->n_sacks > 1 || is_repeated(c));
}

/* A SACK chunk of the packet updates the window: its a_rwnd is higher than that of the chunk before it; the first one,
 * only where it has the Cumulative TSN Ack of the SACK before. */
static bool updates_window(const sctpa_context_t *c)
{
    sctpa_sack_t sack;
    if (sctpa_sack_is(c, SCTPA_SACK_OPENS) && c->sack.cum_tsn == c->answer.before->cum_tsn)
        return true;
    for (const sctpa_observed_t *at = c->first_sack + 1; at < c->chunks + c->n_chunks; at++)
        if (at->sack > 0 && sctpa_sack_parse(&at->tlv, &sack) &&
            sack.a_rwnd > sctpa_observed_sack_before(at, c->acked)->a_rwnd_bytes)
            return true;
    return false;
}

/* RFC 9260 6.2: "An SCTP receiver MUST NOT generate more than one SACK chunk for every incoming packet" */
bool sctpa_RX_013_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_receiver_t *own = c->receivers[c->from];
    /* what a SACK that took all had left unanswered, no later one answers where nothing else came */
    unsigned packets = own->packets_fresh + (c->n_sacks > 1 ? own->packets_left : 0u);
    if (c->n_sacks <= packets || updates_window(c))
        return false;
    violation->related = c->answer.before->packet;
    violation->rests_on = c->n_sacks > 1 ? 0 : SCTPA_ASSERTED_ARRIVED;
    if (c->n_sacks == 1)
        sctpa_violation_say(violation, "no SACK: all that had arrived was acknowledged",
                            "a SACK that does not raise a_rwnd");
    else
        sctpa_violation_say(
            violation, SCTPA_WORDS("at most %u SACK chunks, one for each packet that no SACK had answered", packets),
            SCTPA_WORDS("%u SACK chunks, none after the first with a larger a_rwnd", c->n_sacks));
    return true;
}

bool sctpa_RX_019_applies(const sctpa_context_t *c)
{
    return sctpa_sack_is_above_hole(c);
}

/* RFC 9260 7.2.4: "it SHOULD start sending a SACK chunk back every time a packet arrives carrying data until the hole
 * is filled" */
bool sctpa_RX_019_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_receiver_t *own = c->receivers[c->from];
    uint32_t paired = own->holes_paired + 1;
    if (!sctpa_sack_pairs_above_hole(c) || paired < SCTPA_HOLES_PAIRED || paired <= own->holes_answered)
        return false;
    violation->related = own->wait.first_packet;
    sctpa_violation_say(violation, SCTPA_WORDS("a SACK for each packet while TSN %u is missing", c->sack.cum_tsn + 1),
                        SCTPA_WORDS("one for two packets %.1f ms apart; %u times, %u packets had their own",
                                    (double)own->wait.least_gap_ns / 1e6, paired, own->holes_answered));
    return true;
}

bool sctpa_RX_034_applies(const sctpa_context_t *c)
{
    uint32_t first;
    return sctpa_sack_silent(c, &first) > 0;
}

/* RFC 9260 6.2: "MUST NOT generate more than one SACK chunk for every incoming packet", "MUST report as many Gap Ack
 * Blocks as can fit". What came again asks for a SACK as well. */
bool sctpa_RX_034_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t first = 0;
    const unsigned silent = sctpa_sack_silent(c, &first);
    if (silent <= SCTPA_SACKS_SILENT + c->acked->rare->rtx.len)
        return false;
    violation->since = violation->related = first;
    sctpa_violation_say(violation, "gap blocks of what came, or no SACK where nothing came",
                        SCTPA_WORDS("%u SACKs in a row acknowledge TSN %u and nothing above, at a_rwnd %u", silent,
                                    c->sack.cum_tsn, c->sack.a_rwnd));
    return true;
}
