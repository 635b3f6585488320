/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of requests of a shutdown that are not answered. Silence alone says nothing, since a dead peer is silent as
 * well: what counts is that the endpoint goes on with something else after it was asked so often that not all of it is
 * lost near it. */
#include "reference/life/endpoint_teardown.h"
#include "rules/rule_functions.h"
#include "shutdown_limits.h"

static const uint64_t ends = SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(ABORT);

/* Is all that an endpoint sent acknowledged, with room for more, and nothing (ASCONF, RE_CONFIG) that may hold back
 * data? */
static bool has_nothing_to_send(const sctpa_context_t *c, uint8_t endpoint)
{
    const sctpa_direction_t *sent = c->tracked->sides[endpoint].sent;
    if (c->tracked->sides[0].rare->requests || c->tracked->sides[1].rare->requests)
        return false;
    return !sent || sent->highest < 0 ||
           (sent->cum_tsn >= sent->highest && !sctpa_window_is_closed(sent->a_rwnd_bytes));
}

/* Was the sender of the packet asked often enough, and so long ago that the last time reached it, and does it send
 * something else? */
static bool is_unanswered(const sctpa_context_t *c, const sctpa_shutdown_request_t *asked, uint64_t answers,
                          const char *expected, const char *request, sctpa_violation_t *violation)
{
    bool is_often = asked->times >= SCTPA_SHUTDOWN_ASKED;
    if (c->rows & answers || (!is_often && !sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED)))
        return false;
    int64_t since_ns = c->packet->time_ns - sctpa_context_time_ns(c, asked->last_packet);
    if (sctpa_context_least_ns(c, since_ns) <=
        (is_often ? SCTPA_SHUTDOWN_OVERDUE_S * SCTPA_NS_PER_S : SCTPA_SHUTDOWN_AT_ONCE_MS * SCTPA_NS_PER_MS))
        return false;
    violation->path = c->path;
    violation->related = asked->last_packet;
    violation->rests_on = is_often ? 0 : SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(violation, expected,
                        SCTPA_WORDS("%s, %.1f s after %s%s", sctpa_chunk_word(&c->chunks[0].tlv),
                                    (double)since_ns / 1e9, request, asked->times > 1 ? " was retransmitted" : ""));
    return true;
}

static bool is_asked_by_shutdown(const sctpa_context_t *c)
{
    return sctpa_teardown(c, !c->from)->shutdowns.times > 0 && has_nothing_to_send(c, c->from);
}

static bool ignores_shutdown(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_unanswered(c, &sctpa_teardown(c, !c->from)->shutdowns, SCTPA_ROW(SHUTDOWN_ACK) | ends | SCTPA_DATA_ROWS,
                         "SHUTDOWN ACK", "SHUTDOWN", violation);
}

bool sctpa_SD_005_applies(const sctpa_context_t *c)
{
    return is_asked_by_shutdown(c) && !sctpa_teardown_has_sent(c, c->from, SCTPA_STOP_SHUTDOWN);
}

/* RFC 9260 9.2: "the SHUTDOWN chunk receiver MUST send a SHUTDOWN ACK chunk" */
bool sctpa_SD_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return ignores_shutdown(c, violation);
}

bool sctpa_SD_014_applies(const sctpa_context_t *c)
{
    return is_asked_by_shutdown(c) && sctpa_teardown_has_sent(c, c->from, SCTPA_STOP_SHUTDOWN);
}

/* RFC 9260 9.2, in SHUTDOWN-SENT: "the endpoint SHOULD respond immediately with a SHUTDOWN ACK chunk to its peer" */
bool sctpa_SD_014_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return ignores_shutdown(c, violation);
}

static bool ignores_ack(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return is_unanswered(c, &sctpa_teardown(c, !c->from)->acks, ends, "SHUTDOWN COMPLETE", "SHUTDOWN ACK", violation);
}

bool sctpa_SD_009_applies(const sctpa_context_t *c)
{
    return sctpa_teardown(c, !c->from)->acks.times > 0 && sctpa_teardown_has_sent(c, c->from, SCTPA_STOP_SHUTDOWN) &&
           !sctpa_teardown_has_sent(c, c->from, SCTPA_STOP_SHUTDOWN_ACK);
}

/* RFC 9260 9.2: "the sender of the SHUTDOWN chunk MUST stop the T2-shutdown timer, send a SHUTDOWN COMPLETE chunk to
 * its peer" */
bool sctpa_SD_009_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return ignores_ack(c, violation);
}

bool sctpa_SD_015_applies(const sctpa_context_t *c)
{
    return sctpa_teardown(c, !c->from)->acks.times > 0 && sctpa_teardown_has_sent(c, c->from, SCTPA_STOP_SHUTDOWN_ACK);
}

/* RFC 9260 9.2, in SHUTDOWN-ACK-SENT: "it MUST stop the T2-shutdown timer, send a SHUTDOWN COMPLETE chunk to its peer"
 */
bool sctpa_SD_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    return ignores_ack(c, violation);
}

bool sctpa_SD_008_applies(const sctpa_context_t *c)
{
    return sctpa_teardown_untold(c) != SCTPA_NO_PACKET_INDEX && sctpa_context_is_asserted(c, SCTPA_ASSERTED_ARRIVED);
}

/* RFC 9260 9.2: "there are TSNs that can be acknowledged that are larger than the cumulative TSN and thus gaps exist in
 * the TSN sequence" */
bool sctpa_SD_008_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    violation->path = c->path;
    violation->related = sctpa_teardown_untold(c);
    violation->rests_on = SCTPA_ASSERTED_ARRIVED;
    sctpa_violation_say(violation, "SHUTDOWN and a SACK, which reports what came above the gap", "SHUTDOWN alone");
    return true;
}

static const uint64_t data_answers = SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK) | ends;

bool sctpa_SD_007_applies(const sctpa_context_t *c)
{
    const sctpa_shutdown_data_t *data = &sctpa_teardown(c, c->from)->data;
    return data->is_waiting && sctpa_teardown_is_same(c) &&
           (c->rows & data_answers || sctpa_teardown_is_data_overdue(c, data));
}

/* RFC 9260 9.2: "the SHUTDOWN chunk sender MUST immediately respond to each received packet containing one or more DATA
 * chunks with a SHUTDOWN chunk" */
bool sctpa_SD_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_shutdown_data_t *data = &sctpa_teardown(c, c->from)->data;
    if (c->rows & data_answers)
        return false;
    violation->path = c->path;
    violation->related = data->packet;
    sctpa_violation_say(violation, "SHUTDOWN at once",
                        SCTPA_WORDS("SACK alone, no SHUTDOWN for %.0f ms",
                                    (double)(c->packet->time_ns - sctpa_context_time_ns(c, data->packet)) / 1e6));
    return true;
}

bool sctpa_SD_026_applies(const sctpa_context_t *c)
{
    return sctpa_teardown(c, c->from)->acks.times > 0 && sctpa_teardown_has_sent(c, !c->from, SCTPA_STOP_SHUTDOWN) &&
           !sctpa_teardown_has_sent(c, !c->from, SCTPA_STOP_SHUTDOWN_ACK) &&
           !sctpa_teardown_has_sent(c, !c->from, SCTPA_STOP_SHUTDOWN_COMPLETE) &&
           !sctpa_teardown_has_sent(c, !c->from, SCTPA_STOP_ABORT);
}

/* RFC 9260 9.2: "the sender of the SHUTDOWN chunk MUST stop the T2-shutdown timer, send a SHUTDOWN COMPLETE chunk to
 * its peer" */
bool sctpa_SD_026_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_endpoint_teardown_t *asking = sctpa_teardown(c, c->from);
    if (asking->acks.times < SCTPA_SHUTDOWN_ACKS_IGNORED || asking->repeats < SCTPA_SHUTDOWN_ACKS_IGNORED)
        return false;
    violation->related = asking->stops[SCTPA_STOP_SHUTDOWN_ACK];
    sctpa_violation_say(violation, "SHUTDOWN COMPLETE",
                        SCTPA_WORDS("nothing, while SHUTDOWN ACK was sent %u times", asking->acks.times + 1));
    return true;
}
