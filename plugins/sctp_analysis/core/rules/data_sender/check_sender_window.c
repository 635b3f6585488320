/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rule about new data beyond the peer's window. Leaves out what the receiver announces (check_window.c). */
#include "rules/rule_functions.h"

bool sctpa_TX_012_applies(const sctpa_context_t *c)
{
    return c->facts & SCTPA_FACT_USABLE_WINDOW;
}

/* RFC 9260 6.1: "the data sender MUST NOT transmit new data to any destination transport address if its peer's rwnd
 * indicates that the peer has no buffer space" */
bool sctpa_TX_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!c->usable_window.is_beyond || c->usable_window.was_beyond)
        return false;
    violation->path = c->path;
    violation->related = c->usable_window.packet;
    sctpa_violation_say(violation, SCTPA_WORDS("at most %u bytes outstanding", c->usable_window.a_rwnd_bytes),
                        SCTPA_WORDS("%" G_GUINT64_FORMAT " bytes outstanding, %u of them new", c->sent->flight_bytes,
                                    c->usable_window.new_bytes));
    return true;
}
