/* The rule about new data beyond the peer's window, where nothing is missing and nothing was retransmitted: then every
 * outstanding byte counts. Leaves out what the receiver announces (check_window.c). */
#include "check_sender.h"

#include "reference/outstanding.h"

enum { SACKS_LOOKED_AT = 8 };

/* The largest window that the sender may still go by: of the SACKs that may not have reached it, and of the last that
 * have. False: not known. */
static bool largest_window(const sctpa_context_t *c, uint32_t *a_rwnd_bytes, uint32_t *packet)
{
    const sctpa_records_t *sacks = &c->sent->sacks;
    unsigned n_old = 0;
    *a_rwnd_bytes = 0;
    for (uint32_t i = 1; i <= MIN(sacks->len, SACKS_LOOKED_AT); i++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, sacks->len - i);
        if (sack->a_rwnd_bytes >= *a_rwnd_bytes) {
            *a_rwnd_bytes = sack->a_rwnd_bytes;
            *packet = sack->packet;
        }
        n_old += c->packet->time_ns - sctpa_context_time_ns(c, sack->packet) >= SCTPA_SACK_OLD_MS * SCTPA_NS_PER_MS;
        if (n_old == SCTPA_SACKS_OLD)
            return true;
    }
    return false;
}

/* Bytes of the packet that leave for the first time. */
static uint64_t new_bytes(const sctpa_context_t *c)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_observed_is_new(&c->chunks[i]) && !(c->chunks[i].sent.tsn->state & SCTPA_TSN_BEHIND))
            bytes += c->chunks[i].sent.tsn->bytes;
    return bytes;
}

bool sctpa_TX_012_applies(const sctpa_context_t *c)
{
    uint32_t a_rwnd_bytes, packet;
    const sctpa_direction_t *sent = c->sent;
    return sent->sacks.len > 0 && sent->has_cum && !sctpa_direction_has_gaps(sent) &&
           sctpa_outstanding_passed_once(c) && sctpa_given_up(c->assoc, sent, sent->highest) == SCTPA_NO &&
           new_bytes(c) > 0 && largest_window(c, &a_rwnd_bytes, &packet);
}

static bool is_beyond(const sctpa_context_t *c, uint32_t *a_rwnd_bytes, uint32_t *packet, uint64_t *bytes)
{
    const sctpa_records_t *sacks = &c->sent->sacks;
    uint32_t newest_bytes = SCTPA_RECORD(sacks, sctpa_sack_record_t, sacks->len - 1).a_rwnd_bytes;
    if (c->sent->flight_bytes <= (uint64_t)newest_bytes + SCTPA_BEYOND_BYTES)
        return false;
    *bytes = new_bytes(c);
    return largest_window(c, a_rwnd_bytes, packet) &&
           c->sent->flight_bytes > (uint64_t)*a_rwnd_bytes + SCTPA_BEYOND_BYTES + SCTPA_BEYOND_PACKETS * *bytes;
}

/* RFC 9260 6.1: "the data sender MUST NOT transmit new data to any destination transport address if its peer's rwnd
 * indicates that the peer has no buffer space" */
bool sctpa_TX_012_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    uint32_t a_rwnd_bytes, packet;
    uint64_t bytes;
    const sctpa_sender_memory_t *memory = sctpa_sender_memory(c);
    if (!is_beyond(c, &a_rwnd_bytes, &packet, &bytes) || (memory && memory->beyond_sacks == c->sent->sacks.len))
        return false;
    violation->path = c->path;
    violation->related = packet;
    sctpa_violation_say(violation, SCTPA_WORDS("at most %u bytes outstanding", a_rwnd_bytes),
                        SCTPA_WORDS("%" G_GUINT64_FORMAT " bytes outstanding, %" G_GUINT64_FORMAT " of them new",
                                    c->sent->flight_bytes, bytes));
    return true;
}

void sctpa_sender_take_window(const sctpa_context_t *c, sctpa_sender_memory_t *memory)
{
    uint32_t a_rwnd_bytes, packet;
    uint64_t bytes;
    if (c->sent->sacks.len > 0 && sctpa_context_is_intact(c) && is_beyond(c, &a_rwnd_bytes, &packet, &bytes) &&
        sctpa_TX_012_applies(c))
        memory->beyond_sacks = c->sent->sacks.len;
}
