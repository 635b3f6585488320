/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rule about new data beyond the peer's window. Leaves out what the receiver announces (check_window.c). */
#include "check_sender.h"

bool sctpa_TX_012_applies(const sctpa_context_t *c)
{
    return c->facts & SCTPA_FACT_USABLE_WINDOW;
}

/* An overshoot by a packet, and a probe of a closed window, are none. */
static bool is_beyond(const sctpa_context_t *c)
{
    return c->sent->flight_bytes > (uint64_t)c->usable_window.a_rwnd_bytes + SCTPA_BEYOND_BYTES +
                                       SCTPA_BEYOND_PACKETS * (uint64_t)c->usable_window.new_bytes;
}

/* RFC 9260 6.1: "the data sender MUST NOT transmit new data to any destination transport address if its peer's rwnd
 * indicates that the peer has no buffer space" */
bool sctpa_TX_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    if (!is_beyond(c))
        return false;
    const sctpa_data_sender_t *sender = sctpa_context_find_part(c, SCTPA_PART_SENDER);
    if (sender && sender->beyond_sacks[c->from] == c->sent->sacks.len)
        return false;
    violation->path = c->path;
    violation->related = c->usable_window.packet;
    sctpa_violation_say(violation, SCTPA_WORDS("at most %u bytes outstanding", c->usable_window.a_rwnd_bytes),
                        SCTPA_WORDS("%" G_GUINT64_FORMAT " bytes outstanding, %u of them new", c->sent->flight_bytes,
                                    c->usable_window.new_bytes));
    return true;
}

void sctpa_update_sender(sctpa_context_t *c)
{
    if (!(c->facts & SCTPA_FACT_USABLE_WINDOW) || !is_beyond(c) || !sctpa_context_is_intact(c))
        return;
    sctpa_data_sender_t *sender = sctpa_context_part(c, SCTPA_PART_SENDER, sizeof *sender);
    sender->beyond_sacks[c->from] = c->sent->sacks.len;
}
