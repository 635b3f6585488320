/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about the first DATA of an endpoint: the byte order of its PPIDs, whether they fit the service of the port, and
 * how often it sets the I bit. */
#include "rules/rule_functions.h"

#include "reference/sender/first_data.h"
#include "sender_limits.h"
#include "wire/ppid.h"

static const char *name_of(uint32_t ppid)
{
    const char *name = sctpa_ppid_name(ppid);
    return name ? name : "not registered";
}

/* Are the first messages complete, on the port of a service? */
static bool has_first_of_service(const sctpa_context_t *c)
{
    uint16_t port;
    return c->beginning.ends_messages && sctpa_ppid_of_service(c->assoc, &port) > 0;
}

static void say_service(const sctpa_context_t *c, sctpa_violation_t *violation, const char *seen)
{
    uint16_t port = 0;
    uint32_t expected = sctpa_ppid_of_service(c->assoc, &port);
    violation->path = c->path;
    sctpa_violation_say(violation, SCTPA_WORDS("PPID %u (%s) on port %u", expected, name_of(expected), port), seen);
}

bool sctpa_TX_021_applies(const sctpa_context_t *c)
{
    return has_first_of_service(c);
}

/* RFC 9260 3.3.1: "This identifier is not used by SCTP but can be used by certain network entities" */
bool sctpa_TX_021_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->beginning.foreign < SCTPA_FIRST_MESSAGES)
        return false;
    uint32_t ppid = c->beginning.ppid;
    say_service(c, violation,
                SCTPA_WORDS("PPID %u (%s) and the like in all of the first %u messages", ppid, name_of(ppid),
                            SCTPA_FIRST_MESSAGES));
    return true;
}

bool sctpa_TX_022_applies(const sctpa_context_t *c)
{
    return c->beginning.ends_messages;
}

/* RFC 9260 3.3.1: "the upper layer is responsible for the host to network byte order conversion of this field" */
bool sctpa_TX_022_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t ppid = c->beginning.ppid;
    if (c->beginning.reversed < SCTPA_FIRST_MESSAGES)
        return false;
    violation->path = c->path;
    sctpa_violation_say(
        violation, SCTPA_WORDS("PPID %u (%s)", ppid >> 24, name_of(ppid >> 24)),
        SCTPA_WORDS("PPID %u (0x%08x) and the like in all of the first %u messages", ppid, ppid, SCTPA_FIRST_MESSAGES));
    return true;
}

bool sctpa_TX_029_applies(const sctpa_context_t *c)
{
    return has_first_of_service(c);
}

/* RFC 9260 3.3.1: "This identifier is not used by SCTP but can be used by certain network entities" */
bool sctpa_TX_029_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->beginning.unspecified < SCTPA_FIRST_MESSAGES)
        return false;
    say_service(c, violation, SCTPA_WORDS("PPID 0 in all of the first %u messages", SCTPA_FIRST_MESSAGES));
    return true;
}

bool sctpa_TX_024_applies(const sctpa_context_t *c)
{
    return c->beginning.ends_chunks;
}

/* RFC 9260 6.1: "the sender MAY set the I bit in the DATA chunk header" */
bool sctpa_TX_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (c->beginning.immediate <= SCTPA_CHUNKS_IMMEDIATE)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "the I bit where a delay of the SACK would hurt",
                        SCTPA_WORDS("on %u of the first %u DATA chunks", c->beginning.immediate, SCTPA_FIRST_CHUNKS));
    return true;
}
