/* Judges congestion control: how much may be outstanding, what follows a timeout, when TSNs are retransmitted fast.
 * Leaves out what cwnd is likely to be (reference/cwnd_data.c): a rule speaks only where no conforming sender's cwnd
 * would do.
 */
#include "congestion_limits.h"
#include "reference/cwnd_paths.h"
#include "rules/engine.h"

enum { EARLY_MISSES = 1 };

/* What the packet sends, by its DATA chunks. */
typedef struct {
    bool is_new;              /* all of them for the first time */
    const sctpa_tsn_t *first; /* TSN of the first DATA chunk, NULL not tracked */
    const sctpa_rtx_t *rtx;   /* of it, NULL sent for the first time */
} sending_t;

static bool look(const sctpa_context_t *c, sending_t *sending)
{
    *sending = (sending_t){ .is_new = true };
    bool any = false;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        if (!sctpa_tlv_is_data(&c->chunks[i].tlv) || !sctpa_tlv_has(&c->chunks[i].tlv, SCTPA_F_DATA_TSN))
            continue;
        sending->is_new &= sctpa_observed_is_new(&c->chunks[i]);
        if (!any) {
            sending->first = c->chunks[i].sent.tsn;
            sending->rtx = sctpa_observed_rtx(&c->chunks[i], c->sent);
        }
        any = true;
    }
    return any;
}

/* "The initial cwnd before data transmission MUST be set to min(4 * PMDCS, max(2 * PMDCS, 4404)) bytes" */
static void check_initial(sctpa_context_t *c, const sctpa_cwnd_sender_t *end, sctpa_cwnd_path_t *path)
{
    uint64_t bytes = sctpa_cwnd_outstanding(c->sent, end, path).bytes;
    uint32_t mtu = sctpa_cwnd_mtu(end), bound = 4 * mtu + mtu - 1;
    if (path->is_acked || bytes == 0 || !sctpa_may_judge(c, SCTPA_RULE_CC_001, c->from))
        return;
    if (bytes >= bound)
        sctpa_accuse(
            c, SCTPA_RULE_CC_001, c->from, c->path, SCTPA_NO_PACKET_INDEX,
            SCTPA_WORDS("new data before the first SACK only with less than %u bytes outstanding (5 PMTU)", bound),
            SCTPA_WORDS("%" G_GUINT64_FORMAT " bytes of user data outstanding, and more is sent", bytes));
}

/* "the sender MUST NOT transmit new data to a given transport address if it has cwnd + (PMDCS - 1) or more bytes of
 * data outstanding" */
static void check_flight(sctpa_context_t *c, const sctpa_cwnd_sender_t *end, sctpa_cwnd_path_t *path)
{
    uint64_t bytes = sctpa_cwnd_outstanding(c->sent, end, path).bytes;
    uint64_t bound = sctpa_cwnd_bound(end, path) + sctpa_cwnd_mtu(end) - 1;
    if (!path->is_acked || bytes == 0 || c->sent->seldom->abandoned_to >= 0 || c->sent->restarted ||
        !sctpa_may_judge(c, SCTPA_RULE_CC_002, c->from))
        return;
    if (bytes >= bound)
        sctpa_accuse(c, SCTPA_RULE_CC_002, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                     SCTPA_WORDS("new data only with less than %" G_GUINT64_FORMAT " bytes outstanding", bound),
                     SCTPA_WORDS("%" G_GUINT64_FORMAT " bytes of user data outstanding, and more is sent", bytes));
}

static bool has_path(const sctpa_context_t *c)
{
    return c->path < c->sent->paths.len;
}

/* The timer sends the packet, to the address where it expired. */
static bool is_timeout(const sctpa_context_t *c, const sending_t *sending)
{
    const sctpa_data_path_t *path = &SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, c->path);
    return path->timeout_packet == c->index && sending->rtx && sending->rtx->kind == SCTPA_RTX_TIMEOUT &&
           g_array_index(c->tracker->records, sctpa_record_t, sending->rtx->previous).path == c->path &&
           path->last_sample > 0;
}

/* "ensure that no more than one SCTP packet will be in flight for that address until the endpoint receives
 * acknowledgement" */
static void accuse_follower(sctpa_context_t *c, const sctpa_cwnd_path_t *path, uint32_t follower, uint32_t related)
{
    int64_t since_ns = sctpa_context_time_ns(c, follower) - sctpa_context_time_ns(c, path->expired_packet);
    sctpa_accuse(c, SCTPA_RULE_CC_003, c->from, c->path, related, "one packet with DATA until a SACK comes",
                 SCTPA_WORDS("another one %.1f ms after the timer sent the first", (double)since_ns / 1e6));
}

/* The timer sends again what it sent last: what came between was within its RTO, and not acknowledged. */
static void take_timeout(sctpa_context_t *c, sctpa_cwnd_path_t *path, const sending_t *sending)
{
    bool is_judged = sctpa_may_judge(c, SCTPA_RULE_CC_003, c->from);
    if (is_judged && path->expired_packet != SCTPA_NO_PACKET_INDEX && path->follower_packet != SCTPA_NO_PACKET_INDEX &&
        sending->rtx->previous == path->expired_packet)
        accuse_follower(c, path, path->follower_packet, path->follower_packet);
    path->expired_packet = c->index;
    path->follower_packet = SCTPA_NO_PACKET_INDEX;
}

static void check_timeout(sctpa_context_t *c, sctpa_cwnd_path_t *path, const sending_t *sending)
{
    if (is_timeout(c, sending)) {
        take_timeout(c, path, sending);
        return;
    }
    if (path->expired_packet == SCTPA_NO_PACKET_INDEX || path->follower_packet != SCTPA_NO_PACKET_INDEX)
        return;
    int64_t since_ns = c->packet->time_ns - sctpa_context_time_ns(c, path->expired_packet);
    int64_t rto_ns = SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, c->path).rto_ns;
    path->follower_packet = c->index;
    if (since_ns > SCTPA_EXPIRED_SOON_MS * SCTPA_NS_PER_MS || since_ns > rto_ns / SCTPA_EXPIRED_SOON_SHARE ||
        since_ns >= sctpa_context_tap_rtt_ns(c, !c->from) * SCTPA_ANSWER_QUARTERS / 4 ||
        !sctpa_may_judge(c, SCTPA_RULE_CC_003, c->from))
        return;
    accuse_follower(c, path, c->index, path->expired_packet);
    path->expired_packet = SCTPA_NO_PACKET_INDEX;
}

/* "it SHOULD wait for two further miss indications (via subsequent SACK chunks for a total of three missing reports)"
 */
static void check_early(sctpa_context_t *c, sctpa_cwnd_sender_t *end, const sending_t *sending)
{
    if (!sending->rtx || (sending->rtx->kind != SCTPA_RTX_EARLY && sending->rtx->kind != SCTPA_RTX_FAST) ||
        c->tracked->icmp_seen || !sctpa_may_judge(c, SCTPA_RULE_CC_005, c->from))
        return;
    sctpa_cwnd_losses_t *losses = sctpa_cwnd_losses(c, end);
    losses->fast += sending->rtx->kind == SCTPA_RTX_FAST;
    if (sending->rtx->kind != SCTPA_RTX_EARLY || sending->rtx->misses > EARLY_MISSES)
        return;
    losses->early++;
    if (losses->early >= SCTPA_EARLY_REPORTED && losses->early >= losses->fast / SCTPA_EARLY_SHARE)
        sctpa_accuse(
            c, SCTPA_RULE_CC_005, c->from, c->path, sending->rtx->previous, "three SACKs that report the TSN missing",
            SCTPA_WORDS("retransmitted after %u of them, and before its timer can have expired", sending->rtx->misses));
}

/* The retransmission before this one, NULL when that was the first transmission. */
static const sctpa_rtx_t *rtx_before(const sctpa_context_t *c, const sctpa_rtx_t *rtx)
{
    return rtx->link.before > 0 ? &SCTPA_RECORD(&c->sent->seldom->rtx, sctpa_rtx_t, rtx->link.before - 1) : NULL;
}

/* "Mark the DATA chunk(s) as being fast retransmitted and thus ineligible for a subsequent Fast Retransmit." */
static void check_repeated(sctpa_context_t *c, sctpa_cwnd_sender_t *end, const sending_t *sending)
{
    const sctpa_rtx_t *rtx = sending->rtx, *before = rtx && rtx->kind == SCTPA_RTX_FAST ? rtx_before(c, rtx) : NULL;
    if (!before || before->kind != SCTPA_RTX_FAST || sctpa_context_tap_rtt_ns(c, !c->from) <= 0 ||
        !sctpa_may_judge(c, SCTPA_RULE_CC_007, c->from))
        return;
    int64_t elapsed_ns = c->packet->time_ns - sctpa_context_time_ns(c, before->packet);
    if (elapsed_ns >= sctpa_context_tap_rtt_ns(c, !c->from) * SCTPA_ANSWER_QUARTERS / 4)
        return;
    sctpa_cwnd_losses_t *losses = sctpa_cwnd_losses(c, end);
    losses->repeated_soon += losses->repeated_soon < UINT8_MAX;
    if (losses->repeated_soon >= SCTPA_REPEATED_REPORTED)
        sctpa_accuse(c, SCTPA_RULE_CC_007, c->from, c->path, before->packet,
                     SCTPA_WORDS("no second fast retransmission; no SACK can tell of the first before %.1f ms",
                                 (double)sctpa_context_tap_rtt_ns(c, !c->from) / 1e6),
                     SCTPA_WORDS("the same TSN again after %.1f ms", (double)elapsed_ns / 1e6));
}

static void check_data(sctpa_context_t *c, sctpa_cwnd_sender_t *end)
{
    sending_t sending;
    if (c->path >= end->n_paths || !has_path(c) || !look(c, &sending))
        return;
    sctpa_cwnd_path_t *path = &end->paths[c->path];
    if (sending.is_new && end->fragments) {
        check_initial(c, end, path);
        check_flight(c, end, path);
    }
    check_timeout(c, path, &sending);
    check_early(c, end, &sending);
    check_repeated(c, end, &sending);
}

static void take_sack(sctpa_cwnd_sender_t *end)
{
    for (uint32_t i = 0; i < end->n_paths; i++)
        end->paths[i].expired_packet = SCTPA_NO_PACKET_INDEX;
}

void sctpa_check_congestion(sctpa_context_t *c)
{
    sctpa_cwnd_sender_t *sender = sctpa_cwnd_sender(c, c->from), *acked = sctpa_cwnd_sender(c, !c->from);
    if (acked && c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(SHUTDOWN)))
        take_sack(acked);
    if (c->sent && sender && c->rows & SCTPA_DATA_ROWS)
        check_data(c, sender);
    sctpa_cwnd_take(c);
}
