/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about the window that a receiver advertises: whether it is true, reopened, moved in useful steps, and opens.
 * Leaves out what senders make of a closed window (check_window_probes.c). */
#include "reference/receiver/advertised_window.h"
#include "rules/limits.h"
#include "rules/rule_functions.h"
#include "receiver_limits.h"

static int64_t between_ns(const sctpa_context_t *c, uint32_t from, uint32_t to)
{
    return sctpa_context_time_ns(c, to) - sctpa_context_time_ns(c, from);
}

/* By how much an update opens the window. */
static uint32_t step_bytes(const sctpa_context_t *c)
{
    return c->sack.a_rwnd - c->answer.before->a_rwnd_bytes;
}

/* A step below this share of the buffer, and below a chunk where the window has no room for one, is silly. */
static uint32_t useful_bytes(const sctpa_context_t *c)
{
    return MIN(sctpa_window_chunk_bytes(c), sctpa_window_largest_bytes(c) / SCTPA_UPDATE_SMALL_SHARE);
}

bool sctpa_FL_005_applies(const sctpa_context_t *c)
{
    return sctpa_window_is_advertised(c) && sctpa_window_is_update(c);
}

/* RFC 9260 6.2: "an algorithm for advertising its receive window to avoid receiver silly window syndrome (SWS)" */
bool sctpa_FL_005_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->answer.before->a_rwnd_bytes >= sctpa_window_chunk_bytes(c) || step_bytes(c) >= useful_bytes(c))
        return false;
    violation->related = c->answer.before->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("a closed window opened by at least %u bytes", useful_bytes(c)),
                        SCTPA_WORDS("opened by %u bytes, %u times like this", step_bytes(c), SCTPA_SMALL_UPDATES));
    return true;
}

bool sctpa_FL_007_applies(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before;
    return sctpa_window_is_advertised(c) && c->answer.owed.packets == 1 && before &&
           before->a_rwnd_bytes < sctpa_window_chunk_bytes(c);
}

/* RFC 9260 6.2: "When the window opens up, an SCTP receiver SHOULD send additional SACK chunks to update the window" */
bool sctpa_FL_007_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_sack_record_t *before = c->answer.before;
    int64_t closed_ns = between_ns(c, before->packet, c->answer.owed.since_packet);
    if (c->sack.a_rwnd < sctpa_window_largest_bytes(c) / SCTPA_REOPENED_SHARE ||
        sctpa_context_least_ns(c, closed_ns) <=
            sctpa_receiver_patience_ns(c, c->from, SCTPA_WINDOW_CLOSED_MS * SCTPA_NS_PER_MS) ||
        !sctpa_sack_is(c, SCTPA_SACK_FIRST_ONCE))
        return false;
    violation->related = before->packet;
    sctpa_violation_say(violation, "a SACK that announces that the window opened",
                        SCTPA_WORDS("a_rwnd %u until a probe was sent after %.1f s, %u in its answer",
                                    before->a_rwnd_bytes, (double)closed_ns / 1e9, c->sack.a_rwnd));
    return true;
}

bool sctpa_FL_012_applies(const sctpa_context_t *c)
{
    return sctpa_window_is_update(c);
}

/* RFC 9260 6.2: "The receiver MUST avoid sending a large number of window updates -- in particular, large bursts of
 * them." */
bool sctpa_FL_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t first;
    if (sctpa_window_updates(c, &first) != SCTPA_BURST_UPDATES)
        return false;
    violation->related = first;
    sctpa_violation_say(violation,
                        "few window updates, of 1/" SCTPA_LIMIT_TEXT(SCTPA_UPDATE_SMALL_SHARE) " of the buffer",
                        SCTPA_WORDS("%u within %.1f ms, each by less than %u bytes", SCTPA_BURST_UPDATES,
                                    (double)between_ns(c, first, c->index) / 1e6,
                                    sctpa_window_largest_bytes(c) / SCTPA_UPDATE_SMALL_SHARE));
    return true;
}

static sctpa_words_t overhead(const sctpa_context_t *c)
{
    const sctpa_window_t *window = sctpa_window_of(c, c->from);
    uint32_t largest_bytes = sctpa_window_largest_bytes(c),
             free_bytes = largest_bytes > window->held_bytes ? largest_bytes - window->held_bytes : 0;
    if (window->held_chunks == 0)
        return sctpa_words("nothing held");
    return sctpa_words("%u chunks, %u bytes held: %u bytes of overhead each fill %u", window->held_chunks,
                       window->held_bytes, free_bytes / window->held_chunks, largest_bytes);
}

bool sctpa_FL_015_applies(const sctpa_context_t *c)
{
    return sctpa_window_has_room(c);
}

/* RFC 9260 6.2: "MUST always acknowledge the reception of each valid DATA chunk when the DATA chunk received is inside
 * its receive window" */
bool sctpa_FL_015_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_owed_sack_t *wait = &c->receivers[c->from]->wait;
    if (sctpa_window_drops(c) < SCTPA_DROPS_REPORTED)
        return false;
    violation->related = wait->first_packet;
    sctpa_violation_say(violation,
                        SCTPA_WORDS("TSN %u accepted: %u bytes at a_rwnd %u", wait->first_tsn, wait->first_bytes,
                                    c->answer.before->a_rwnd_bytes),
                        SCTPA_WORDS("dropped, a_rwnd %u; %s", c->sack.a_rwnd, overhead(c).text));
    return true;
}

bool sctpa_FL_016_applies(const sctpa_context_t *c)
{
    return sctpa_window_probes(c) >= SCTPA_PROBES_DORMANT;
}

/* RFC 9260 6.1 A: "the receiver could keep its window closed for an indefinite time" */
bool sctpa_FL_016_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_window_trouble_t *trouble = sctpa_window_trouble_of(c, c->from);
    if (trouble->is_dormant || !sctpa_window_is_dormant(c))
        return false;
    violation->related = trouble->closed_packet;
    sctpa_violation_say(violation, "a window that opens again",
                        SCTPA_WORDS("a_rwnd %u for %.1f s, %u probes answered, nothing accepted", c->sack.a_rwnd,
                                    (double)between_ns(c, trouble->closed_packet, c->index) / 1e9,
                                    sctpa_window_probes(c)));
    return true;
}

bool sctpa_FL_017_applies(const sctpa_context_t *c)
{
    const sctpa_sack_record_t *before = c->answer.before;
    return before && c->acked && c->answer.owed.packets == 0 && c->acked->rare->abandoned_to >= 0 &&
           c->acked->cum_tsn == c->acked->rare->abandoned_to &&
           sctpa_serial_distance(before->cum_tsn, c->sack.cum_tsn) > 0;
}

/* RFC 9260 6.2: "As DATA chunks are delivered to the ULP and released from the receive buffers, increment a_rwnd"
 */
bool sctpa_FL_017_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_sack_record_t *before = c->answer.before;
    if (c->sack.a_rwnd >= before->a_rwnd_bytes)
        return false;
    violation->related = before->packet;
    sctpa_violation_say(violation, SCTPA_WORDS("a_rwnd %u or more", before->a_rwnd_bytes),
                        SCTPA_WORDS("a_rwnd %u, though only a FORWARD-TSN came", c->sack.a_rwnd));
    return true;
}
