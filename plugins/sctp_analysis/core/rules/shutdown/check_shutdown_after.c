/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of what an endpoint sends after the chunk that ends its transmission: data after its SHUTDOWN, SHUTDOWN ACK or
 * ABORT, anything after its SHUTDOWN COMPLETE. */
#include "reference/life/endpoint_teardown.h"
#include "rules/rule_functions.h"
#include "shutdown_limits.h"

/* Did the packet leave after that chunk, though it may hold nothing new? Near its sender packets of one path pass in
 * the order of sending, but for what a capture mixes; another path may hold up what left before, no longer than the
 * round trips there show. */
static bool left_after(const sctpa_context_t *c, const sctpa_after_stop_t *after)
{
    return sctpa_context_least_ns(c, after->since_ns) >=
           (after->is_same_path ? SCTPA_GOING_ON_MS * SCTPA_NS_PER_MS : sctpa_context_under_way_ns(c));
}

/* The data of a packet after SHUTDOWN ACK, or else after SHUTDOWN. */
static bool is_after_shutdown(const sctpa_context_t *c, sctpa_after_stop_t *after)
{
    return sctpa_teardown_is_after(c, SCTPA_STOP_SHUTDOWN_ACK, after) ||
           sctpa_teardown_is_after(c, SCTPA_STOP_SHUTDOWN, after);
}

bool sctpa_SD_003_applies(const sctpa_context_t *c)
{
    sctpa_after_stop_t after;
    return is_after_shutdown(c, &after) && c->sent && c->sent->highest >= 0 && !c->sent->restarted &&
           c->sent->announced;
}

/* RFC 9260 6: "Data transmission MUST only happen in the ESTABLISHED, SHUTDOWN-PENDING, and SHUTDOWN-RECEIVED states."
 * Both chunks are sent once all data is acknowledged (9.2): a TSN that passes only then left after them, however soon
 * it passes on their path. */
bool sctpa_SD_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_after_stop_t after;
    if (!is_after_shutdown(c, &after) || after.new_tsn < 0 || after.since_ns < 0 ||
        !(after.is_same_path || left_after(c, &after)))
        return false;
    violation->path = c->path;
    violation->related = after.stop_packet;
    sctpa_violation_say(
        violation, SCTPA_WORDS("no TSN above %u", sctpa_direction_serial(c->sent, after.stopped_at)),
        SCTPA_WORDS("TSN %u after %s", sctpa_direction_serial(c->sent, after.new_tsn),
                    sctpa_teardown_has_sent(c, c->from, SCTPA_STOP_SHUTDOWN_ACK) ? "SHUTDOWN ACK" : "SHUTDOWN"));
    return true;
}

/* Its first SHUTDOWN ACK as well: from then on the endpoint can violate the rule. */
bool sctpa_TX_020_applies(const sctpa_context_t *c)
{
    bool has_sent = sctpa_teardown_has_sent(c, c->from, SCTPA_STOP_SHUTDOWN_ACK);
    return has_sent ? c->rows & SCTPA_DATA_ROWS && c->sent : c->rows & SCTPA_ROW(SHUTDOWN_ACK);
}

/* RFC 9260 6: "Data transmission MUST only happen in the ESTABLISHED, SHUTDOWN-PENDING, and SHUTDOWN-RECEIVED states."
 */
bool sctpa_TX_020_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_after_stop_t after;
    if (!sctpa_teardown_is_after(c, SCTPA_STOP_SHUTDOWN_ACK, &after) || !left_after(c, &after))
        return false;
    violation->path = c->path;
    violation->related = after.stop_packet;
    sctpa_violation_say(violation, "no DATA after its SHUTDOWN ACK",
                        SCTPA_WORDS("DATA %.3f s after it", (double)after.since_ns / 1e9));
    return true;
}

bool sctpa_SM_023_applies(const sctpa_context_t *c)
{
    sctpa_after_stop_t after;
    return sctpa_teardown_is_after(c, SCTPA_STOP_ABORT, &after) && left_after(c, &after);
}

/* RFC 9260 6: "Data transmission MUST only happen in the ESTABLISHED, SHUTDOWN-PENDING, and SHUTDOWN-RECEIVED states."
 */
bool sctpa_SM_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_after_stop_t after;
    if (!sctpa_teardown_is_after(c, SCTPA_STOP_ABORT, &after) ||
        c->packet->ttl != sctpa_teardown(c, c->from)->abort_ttl || sctpa_teardown_is_abort_of_other_host(c))
        return false;
    violation->path = c->path;
    violation->related = after.stop_packet;
    sctpa_violation_say(violation, "no DATA after its ABORT",
                        SCTPA_WORDS("DATA %.0f ms later", (double)after.since_ns / 1e6));
    return true;
}

bool sctpa_SD_016_applies(const sctpa_context_t *c)
{
    const uint64_t others = SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE) |
                            SCTPA_ROW(ABORT) | SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO);
    return !(c->rows & others) && sctpa_teardown_has_sent(c, c->from, SCTPA_STOP_SHUTDOWN_COMPLETE);
}

/* RFC 9260 9.2: "send a SHUTDOWN COMPLETE chunk to its peer, and remove all record of the association" */
bool sctpa_SD_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_after_stop_t after;
    if (!sctpa_teardown_is_after(c, SCTPA_STOP_SHUTDOWN_COMPLETE, &after) || !left_after(c, &after))
        return false;
    violation->path = c->path;
    violation->related = after.stop_packet;
    sctpa_violation_say(
        violation, "nothing of this association after SHUTDOWN COMPLETE",
        SCTPA_WORDS("%s %.0f ms later", sctpa_chunk_word(&c->chunks[0].tlv), (double)after.since_ns / 1e6));
    return true;
}
