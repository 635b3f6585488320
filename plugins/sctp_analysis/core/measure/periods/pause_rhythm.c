/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a sender send at regular times, whatever is acknowledged? Then it waits for no ack that comes shortly before. */
#include "pauses_parts.h"

#include "base/records.h"
#include "base/time.h"

enum { REGULAR_LEAST = 3 /* two intervals may be equal by chance */ };

/* New data behind a silence of half a pause begins a turn: what is sent in the second half was not kept. */
#define TURN_NS (SCTPA_PAUSE_LEAST_MS * SCTPA_NS_PER_MS / 2)
/* So exactly does an application keep its times, as its packets pass. */
#define REGULAR_NS (2 * SCTPA_NS_PER_MS)

typedef void (*interval_fn)(void *user, int64_t ns);

static const sctpa_sent_tsn_t *sent_at(const sctpa_sweep_t *sweep, guint at)
{
    return &g_array_index(sweep->sent, sctpa_sent_tsn_t, at);
}

static bool begins_turn(const sctpa_sweep_t *sweep, guint at)
{
    return at > 0 &&
           sctpa_sweep_ns(sweep, sent_at(sweep, at)->packet) - sctpa_sweep_ns(sweep, sent_at(sweep, at - 1)->packet) >=
               TURN_NS;
}

/* May an ack have released the packet: the last one before it, or the next one behind it? O(log acks). */
static bool is_beside_ack(const sctpa_sweep_t *sweep, uint32_t packet)
{
    const GArray *acked = sweep->acked;
    const int64_t ns = sctpa_sweep_ns(sweep, packet);
    const uint32_t behind = sctpa_array_from(acked, packet);
    return (behind > 0 && sctpa_sweep_may_follow(
                              sweep, packet, ns - sctpa_sweep_ns(sweep, g_array_index(acked, uint32_t, behind - 1)))) ||
           (behind < acked->len &&
            sctpa_sweep_may_follow(sweep, packet, ns - sctpa_sweep_ns(sweep, g_array_index(acked, uint32_t, behind))));
}

/* Calls visit with the time from each turn to the next one, where no ack may have released it. */
static void each_interval(const sctpa_sweep_t *sweep, interval_fn visit, void *user)
{
    guint turn = 0;
    for (guint at = 0; at < sweep->sent->len; at++) {
        if (!begins_turn(sweep, at))
            continue;
        const uint32_t packet = sent_at(sweep, at)->packet;
        if (!is_beside_ack(sweep, packet))
            visit(user, sctpa_sweep_ns(sweep, packet) - sctpa_sweep_ns(sweep, sent_at(sweep, turn)->packet));
        turn = at;
    }
}

/* The interval that more than half of all are, if any is; then how many are. */
typedef struct {
    int64_t ns;
    unsigned more, all, equal;
} regular_t;

static bool is_equal(int64_t one_ns, int64_t other_ns)
{
    return ABS(one_ns - other_ns) <= REGULAR_NS;
}

static void elect(void *user, int64_t ns)
{
    regular_t *regular = user;
    if (regular->more == 0)
        regular->ns = ns;
    if (is_equal(ns, regular->ns))
        regular->more++;
    else
        regular->more--;
}

static void count(void *user, int64_t ns)
{
    regular_t *regular = user;
    regular->all++;
    regular->equal += is_equal(ns, regular->ns);
}

int64_t sctpa_sweep_regular_ns(const sctpa_sweep_t *sweep)
{
    regular_t regular = { 0 };
    each_interval(sweep, elect, &regular);
    each_interval(sweep, count, &regular);
    return regular.equal >= REGULAR_LEAST && 2 * regular.equal > regular.all ? regular.ns : 0;
}

bool sctpa_sweep_is_regular(const sctpa_sweep_t *sweep, const sctpa_sent_tsn_t *next)
{
    guint at = (guint)(next - sent_at(sweep, 0));
    if (sweep->regular_ns == 0 || !begins_turn(sweep, at))
        return false;
    guint turn = at - 1;
    while (turn > 0 && !begins_turn(sweep, turn))
        turn--;
    return is_equal(sctpa_sweep_ns(sweep, next->packet) - sctpa_sweep_ns(sweep, sent_at(sweep, turn)->packet),
                    sweep->regular_ns);
}
