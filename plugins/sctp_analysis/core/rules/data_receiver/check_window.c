/* Judges the window that a receiver announces: whether it is true, reopened, and moved in useful steps. Only SACKs
 * alone in a packet are looked at. Leaves what senders make of a closed window to check_window_probes.c. */
#include "check_window.h"
#include "rules/limits.h"

typedef struct {
    sctpa_window_t *ends[2];
} windows_t;

sctpa_window_t *sctpa_window(const sctpa_context_t *c, uint8_t end, bool make)
{
    windows_t *windows = sctpa_context_part(c, SCTPA_PART_WINDOW, sizeof *windows);
    if (!windows->ends[end] && make) {
        windows->ends[end] = sctpa_arena_alloc(&c->store->arena, sizeof(sctpa_window_t));
        windows->ends[end]->largest_bytes = c->assoc->ends[end].init.a_rwnd_bytes;
    }
    return windows->ends[end];
}

static bool says_the_same(const sctpa_receiver_t *receiver, const sctpa_sack_t *sack)
{
    return sack->cum_tsn == receiver->cum_tsn_before && receiver->reported_to == receiver->reported_to_before &&
           sack->n_duplicates == 0;
}

static sctpa_words_t overhead(const sctpa_window_t *window)
{
    uint32_t free_bytes = window->largest_bytes > window->held_bytes ? window->largest_bytes - window->held_bytes : 0;
    if (window->held_chunks == 0)
        return sctpa_words("nothing held");
    return sctpa_words("%u chunks, %u bytes held: %u bytes of overhead each fill %u", window->held_chunks,
                       window->held_bytes, free_bytes / window->held_chunks, window->largest_bytes);
}

/* RFC 9260 6.2: "MUST always acknowledge the reception of each valid DATA chunk when the DATA chunk received is inside
 * its receive window" */
static void check_truth(sctpa_context_t *c, sctpa_window_t *window, const sctpa_receiver_t *receiver,
                        const sctpa_sack_t *sack)
{
    const sctpa_wait_t *wait = &c->ended;
    bool is_inside = wait->packets == 1 && wait->first_is & SCTPA_ARRIVED_NEW &&
                     !(wait->first_is & SCTPA_ARRIVED_MIXED) && wait->first_tsn == receiver->cum_tsn_before + 1 &&
                     wait->first_bytes <= MIN(receiver->a_rwnd_before_bytes, sack->a_rwnd);
    if (!is_inside || !sctpa_may_judge(c, SCTPA_RULE_FL_015, c->from))
        return;
    bool is_reaction = c->packet->time_ns - sctpa_context_time_ns(c, wait->first_packet) <=
                       sctpa_receiver_patience_ns(c, c->from, SCTPA_REACTION_MS * SCTPA_NS_PER_MS);
    if (!is_reaction || !says_the_same(receiver, sack) || sack->a_rwnd > receiver->a_rwnd_before_bytes)
        return;
    window->drops = wait->first_tsn == window->dropped_tsn ? window->drops + 1 : 1;
    window->dropped_tsn = wait->first_tsn;
    if (window->drops < SCTPA_DROPS_REPORTED)
        return;
    sctpa_accuse(c, SCTPA_RULE_FL_015, c->from, SCTPA_NO_PATH, wait->first_packet,
                 SCTPA_WORDS("TSN %u taken: %u bytes at a_rwnd %u", wait->first_tsn, wait->first_bytes,
                             receiver->a_rwnd_before_bytes),
                 SCTPA_WORDS("dropped, a_rwnd %u; %s", sack->a_rwnd, overhead(window).text));
}

/* RFC 9260 6.2: "When the window opens up, an SCTP receiver SHOULD send additional SACK chunks to update the window" */
static void check_reopening(sctpa_context_t *c, sctpa_window_t *window, const sctpa_receiver_t *receiver,
                            const sctpa_sack_t *sack)
{
    const sctpa_wait_t *wait = &c->ended;
    if (wait->packets != 1 || receiver->before_packet == SCTPA_NO_PACKET_INDEX ||
        receiver->a_rwnd_before_bytes >= window->chunk_bytes || !sctpa_may_judge(c, SCTPA_RULE_FL_007, c->from))
        return;
    int64_t closed_ns =
        sctpa_context_time_ns(c, wait->first_packet) - sctpa_context_time_ns(c, receiver->before_packet);
    if (sack->a_rwnd >= window->largest_bytes / SCTPA_REOPENED_SHARE &&
        closed_ns > sctpa_receiver_patience_ns(c, c->from, SCTPA_WINDOW_CLOSED_MS * SCTPA_NS_PER_MS) &&
        sctpa_receiver_covers_once(c, c->from, wait->first_tsn) && ++window->reopened >= SCTPA_REOPENED_REPORTED)
        sctpa_accuse(c, SCTPA_RULE_FL_007, c->from, SCTPA_NO_PATH, receiver->before_packet,
                     "a SACK that tells that the window opened",
                     SCTPA_WORDS("a_rwnd %u until a probe was sent after %.1f s, %u in its answer",
                                 receiver->a_rwnd_before_bytes, (double)closed_ns / 1e9, sack->a_rwnd));
}

/* RFC 9260 6.2: "The receiver MUST avoid sending a large number of window updates -- in particular, large bursts of
 * them." RFC 9260 6.2: "an algorithm for advertising its receive window to avoid receiver silly window syndrome (SWS)"
 */
static void check_update(sctpa_context_t *c, sctpa_window_t *window, const sctpa_receiver_t *receiver,
                         const sctpa_sack_t *sack)
{
    uint32_t share_bytes = window->largest_bytes / SCTPA_UPDATE_SMALL_SHARE,
             step_bytes = sack->a_rwnd - receiver->a_rwnd_before_bytes;
    bool is_small = step_bytes < share_bytes;
    if (window->updates == 0 ||
        c->packet->time_ns - sctpa_context_time_ns(c, window->burst_packet) >
            SCTPA_UPDATES_BURST_MS * SCTPA_NS_PER_MS ||
        !is_small) {
        window->updates = 0;
        window->burst_packet = c->index;
    }
    if (sctpa_may_judge(c, SCTPA_RULE_FL_012, c->from) && ++window->updates == SCTPA_BURST_UPDATES)
        sctpa_accuse(c, SCTPA_RULE_FL_012, c->from, SCTPA_NO_PATH, window->burst_packet,
                     "few window updates, of 1/" SCTPA_LIMIT_TEXT(SCTPA_UPDATE_SMALL_SHARE) " of the buffer",
                     SCTPA_WORDS("%u within %.1f ms, each by less than %u bytes", window->updates,
                                 (double)(c->packet->time_ns - sctpa_context_time_ns(c, window->burst_packet)) / 1e6,
                                 share_bytes));
    bool is_silly =
        receiver->a_rwnd_before_bytes < window->chunk_bytes && step_bytes < MIN(window->chunk_bytes, share_bytes);
    window->small_updates += is_silly;
    if (sctpa_may_judge(c, SCTPA_RULE_FL_005, c->from) && window->small_updates >= SCTPA_SMALL_UPDATES &&
        !window->small_told) {
        window->small_told = true;
        sctpa_accuse(c, SCTPA_RULE_FL_005, c->from, SCTPA_NO_PATH, receiver->before_packet,
                     SCTPA_WORDS("a closed window opened by at least %u bytes", MIN(window->chunk_bytes, share_bytes)),
                     SCTPA_WORDS("opened by %u bytes, as %u times", step_bytes, window->small_updates));
    }
}

/* RFC 9260 6.1 A: "the receiver could keep its window closed for an indefinite time" */
static void check_dormancy(sctpa_context_t *c, sctpa_window_t *window, const sctpa_receiver_t *receiver,
                           const sctpa_sack_t *sack)
{
    if (window->chunk_bytes == 0 || sack->a_rwnd >= window->chunk_bytes) {
        window->is_closed = false;
        return;
    }
    if (!window->is_closed || sack->cum_tsn != receiver->cum_tsn_before) {
        window->is_closed = true;
        window->dormant_told = window->probing_told = false;
        window->probes = 0;
        window->closed_packet = c->index;
    } else
        window->probes += c->ended.packets > 0;
    int64_t closed_ns = c->packet->time_ns - sctpa_context_time_ns(c, window->closed_packet);
    if (window->probes >= SCTPA_PROBES_DORMANT && sctpa_may_judge(c, SCTPA_RULE_FL_016, c->from) &&
        closed_ns >= SCTPA_DORMANT_S * SCTPA_NS_PER_S && !window->dormant_told) {
        window->dormant_told = true;
        sctpa_accuse(c, SCTPA_RULE_FL_016, c->from, SCTPA_NO_PATH, window->closed_packet, "a window that opens again",
                     SCTPA_WORDS("a_rwnd %u for %.1f s, %u probes answered, nothing taken", sack->a_rwnd,
                                 (double)closed_ns / 1e9, window->probes));
    }
}

/* What is held since the window was the largest: what its overhead is reckoned from. */
static void note_held(const sctpa_context_t *c, sctpa_window_t *window, const sctpa_sack_t *sack)
{
    if (sack->a_rwnd >= window->largest_bytes) {
        window->largest_bytes = sack->a_rwnd;
        window->held_chunks = window->held_bytes = 0;
    } else if (c->acked && c->acked->acked.len > 0) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(&c->acked->acked, sctpa_acked_t, c->acked->acked.len - 1);
        window->held_chunks += acked->packet == c->index ? acked->chunks : 0;
        window->held_bytes += acked->packet == c->index ? acked->bytes : 0;
    }
}

static void check_sack(sctpa_context_t *c)
{
    sctpa_receiver_t *receiver = sctpa_receiver(c, c->from, false);
    sctpa_sack_t sack;
    if (!receiver || receiver->is_past || !sctpa_receiver_is_single_homed(c) || !sctpa_receiver_is_pure(c) ||
        receiver->sack_packet != c->index || !c->acked || !sctpa_sack_parse(&c->chunks[0].tlv, &sack))
        return;
    sctpa_window_t *window = sctpa_window(c, c->from, true);
    window->chunk_bytes = MAX(window->chunk_bytes, c->ended.first_bytes);
    sctpa_check_probing(c, window, c->from, &c->ended);
    check_truth(c, window, receiver, &sack);
    check_reopening(c, window, receiver, &sack);
    if (receiver->before_packet != SCTPA_NO_PACKET_INDEX && c->ended.packets == 0 && says_the_same(receiver, &sack) &&
        sack.a_rwnd > receiver->a_rwnd_before_bytes)
        check_update(c, window, receiver, &sack);
    check_dormancy(c, window, receiver, &sack);
    note_held(c, window, &sack);
}

void sctpa_check_window(sctpa_context_t *c)
{
    if (c->rows & SCTPA_SACK_ROWS) {
        check_sack(c);
        return;
    }
    for (uint8_t end = 0; end < 2; end++) {
        sctpa_window_t *window = sctpa_window(c, end, false);
        const sctpa_receiver_t *receiver = sctpa_receiver(c, end, false);
        if (window && receiver && !receiver->is_past && sctpa_receiver_is_single_homed(c))
            sctpa_check_probing(c, window, end, &receiver->wait);
    }
    if (c->rows & SCTPA_ROW(ABORT) && sctpa_window(c, !c->from, false))
        sctpa_check_abort(c, sctpa_window(c, !c->from, false));
}
