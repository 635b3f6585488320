/* Rules of what an endpoint sends after the chunk that ends its transmission: data after its SHUTDOWN, SHUTDOWN ACK or
 * ABORT, anything after its SHUTDOWN COMPLETE. */
#include "rules/chapters.h"
#include "reference/endpoint_teardown.h"
#include "shutdown_limits.h"

/* Packets that an endpoint sent before may be captured behind the chunk, but not so much later. */
static bool left_after(const sctpa_after_stop_t *after)
{
    return after->since_ns >= SCTPA_GOING_ON_MS * SCTPA_NS_PER_MS;
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
 * it passes. */
bool sctpa_SD_003_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_after_stop_t after;
    if (!is_after_shutdown(c, &after) || after.new_tsn < 0)
        return false;
    violation->path = c->path;
    violation->related = after.stop_packet;
    sctpa_violation_say(
        violation, SCTPA_WORDS("no TSN above %u", c->sent->initial_tsn + (uint32_t)after.stopped_at),
        SCTPA_WORDS("TSN %u after %s", c->sent->initial_tsn + (uint32_t)after.new_tsn,
                    sctpa_teardown_has_sent(c, c->from, SCTPA_STOP_SHUTDOWN_ACK) ? "SHUTDOWN ACK" : "SHUTDOWN"));
    return true;
}

bool sctpa_SM_023_applies(const sctpa_context_t *c)
{
    sctpa_after_stop_t after;
    return sctpa_teardown_is_after(c, SCTPA_STOP_ABORT, &after) && left_after(&after);
}

/* RFC 9260 6: "Data transmission MUST only happen in the ESTABLISHED, SHUTDOWN-PENDING, and SHUTDOWN-RECEIVED states."
 */
bool sctpa_SM_023_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_after_stop_t after;
    if (!sctpa_teardown_is_after(c, SCTPA_STOP_ABORT, &after) ||
        c->packet->ttl != sctpa_teardown(c, c->from)->abort_ttl)
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
    if (!sctpa_teardown_is_after(c, SCTPA_STOP_SHUTDOWN_COMPLETE, &after) || !left_after(&after))
        return false;
    violation->path = c->path;
    violation->related = after.stop_packet;
    sctpa_violation_say(violation, "nothing of this association after SHUTDOWN COMPLETE",
                        SCTPA_WORDS("%s %.0f ms later",
                                    sctpa_chunk_row_word(sctpa_chunk_row((uint8_t)c->chunks[0].tlv.type)),
                                    (double)after.since_ns / 1e6));
    return true;
}
