/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps up to which TSN data passed again or late, and since which SACK new data left beyond the window; finds the
 * window that a sender may go by. */
#include "outstanding.h"

#include "outstanding_limits.h"

enum { SACKS_LOOKED_AT = 8 };

/* By endpoint. */
typedef struct {
    int64_t end[2];           /* after the highest TSN that was retransmitted or passed after a higher one */
    uint32_t beyond_sacks[2]; /* SACKs that had come when its new data last left beyond the window, 0 none did */
} outstanding_t;

static outstanding_t *begin(const sctpa_context_t *c)
{
    return sctpa_context_part(c, SCTPA_PART_OUTSTANDING, sizeof(outstanding_t));
}

/* Notes what passes again or late; how many bytes of the packet leave for the first time? */
static uint32_t read_data(const sctpa_context_t *c)
{
    uint32_t bytes = 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tsn_t *tsn = c->chunks[i].sent.tsn;
        if (sctpa_observed_is_new(&c->chunks[i]) && !(tsn->state & SCTPA_TSN_BEHIND)) {
            bytes += tsn->bytes;
        } else if (tsn) {
            outstanding_t *outstanding = begin(c);
            outstanding->end[c->from] = MAX(outstanding->end[c->from], c->chunks[i].sent.number + 1);
        }
    }
    return bytes;
}

/* The largest window that the sender may still go by: of the SACKs that may not have reached it, and of the last that
 * have. False: not known. */
static bool largest_window(const sctpa_context_t *c, sctpa_usable_window_t *window)
{
    const sctpa_sack_record_t *sacks = &SCTPA_RECORD(&c->sent->sacks, sctpa_sack_record_t, 0);
    uint32_t end = c->sent->sacks.len, first = end - MIN(end, SACKS_LOOKED_AT);
    int64_t old_ns = c->packet->time_ns - SCTPA_SACK_OLD_MS * SCTPA_NS_PER_MS;
    unsigned n_old = 0;
    if (sctpa_context_time_ns(c, sacks[first].packet) > old_ns) /* many SACKs in a short time */
        return false;
    window->a_rwnd_bytes = 0;
    for (uint32_t i = end; i > first && n_old < SCTPA_SACKS_OLD; i--) {
        const sctpa_sack_record_t *sack = &sacks[i - 1];
        if (sack->a_rwnd_bytes >= window->a_rwnd_bytes) {
            window->a_rwnd_bytes = sack->a_rwnd_bytes;
            window->packet = sack->packet;
        }
        n_old += sctpa_context_time_ns(c, sack->packet) <= old_ns;
    }
    return n_old == SCTPA_SACKS_OLD;
}

/* Is it beyond the window, and was it since the last SACK? */
static void read_excess(const sctpa_context_t *c, sctpa_usable_window_t *window)
{
    const outstanding_t *before = sctpa_context_find_part(c, SCTPA_PART_OUTSTANDING);
    uint32_t sacks = c->sent->sacks.len;
    window->is_beyond = c->sent->flight_bytes > (uint64_t)window->a_rwnd_bytes + SCTPA_BEYOND_BYTES +
                                                    SCTPA_BEYOND_PACKETS * (uint64_t)window->new_bytes;
    window->was_beyond = before && before->beyond_sacks[c->from] == sacks;
    if (window->is_beyond && sctpa_context_is_intact(c))
        begin(c)->beyond_sacks[c->from] = sacks;
}

void sctpa_outstanding_take(sctpa_context_t *c)
{
    const sctpa_direction_t *sent = c->sent;
    if (!(c->rows & SCTPA_DATA_ROWS) || !sent || sent->sacks.len == 0)
        return;
    c->usable_window.new_bytes = read_data(c);
    if (c->usable_window.new_bytes == 0 || !sent->has_cum || sctpa_direction_has_gaps(sent))
        return;
    const outstanding_t *outstanding = sctpa_context_find_part(c, SCTPA_PART_OUTSTANDING);
    if (outstanding && sent->cum_tsn + 1 < outstanding->end[c->from])
        return;
    if (largest_window(c, &c->usable_window) && sctpa_given_up(c->assoc, sent, sent->highest) == SCTPA_NO) {
        read_excess(c, &c->usable_window);
        c->facts |= SCTPA_FACT_USABLE_WINDOW;
    }
}
