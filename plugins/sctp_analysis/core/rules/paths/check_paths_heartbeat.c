/* Judges heartbeats and their answers. */
#include "paths_state.h"

enum { NONCE_BYTES = 8, ACKED_LOOK_BACK = 16 };
static const int64_t gap_spread_ns = SCTPA_EVEN_INTERVAL_MS * SCTPA_NS_PER_MS;

/* RFC 9260 3.3.5, table 9: "Heartbeat Info | Mandatory | 1" */
static void check_info(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    sctpa_tlv_t info;
    if (sctpa_may_judge(c, SCTPA_RULE_PM_005, c->from) && !sctpa_param_find(chunk, SCTPA_PARAM_HEARTBEAT_INFO, &info))
        sctpa_accuse(c, SCTPA_RULE_PM_005, c->from, c->path, SCTPA_NO_PACKET_INDEX, "a Heartbeat Info parameter",
                     SCTPA_WORDS("none in a HEARTBEAT of %u bytes", chunk->wire_bytes));
}

/* RFC 9260 3.3.5: "it MUST include a random nonce of length 64 bits or longer" */
static void check_nonce(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    const sctpa_end_t *end = &c->assoc->ends[c->from];
    sctpa_tlv_t info;
    bool is_asked = setup->steps[SCTPA_STEP_INIT_ACK].count > 0 && setup->steps[SCTPA_STEP_INIT_ACK].by == c->from &&
                    !c->assoc->collision;
    if (!is_asked || c->path >= end->n_paths || end->paths[c->path].probing->heartbeats_acked > 0 ||
        c->assoc->restart_of != SCTPA_NO_ASSOC || !sctpa_param_find(chunk, SCTPA_PARAM_HEARTBEAT_INFO, &info))
        return;
    for (unsigned i = 0; i < end->n_pairs; i++)
        if (end->pairs[i]->path == c->path &&
            sctpa_counts_chunks(&end->pairs[i]->settled, SCTPA_CHUNK_ROW_INIT_ACK) > 0)
            return;
    if (sctpa_may_judge(c, SCTPA_RULE_PM_006, c->from) && info.length < SCTPA_TLV_HEADER_BYTES + NONCE_BYTES)
        sctpa_accuse(
            c, SCTPA_RULE_PM_006, c->from, c->path, SCTPA_NO_PACKET_INDEX, "Heartbeat Info of 8 bytes or more",
            SCTPA_WORDS("%d bytes, to an address that is not confirmed", (int)info.length - SCTPA_TLV_HEADER_BYTES));
}

/* RFC 9260 8.3: "is discontinued after sending either a SHUTDOWN chunk or SHUTDOWN ACK chunk" */
static void check_after_shutdown(sctpa_context_t *c)
{
    const sctpa_counts_t *sent = c->assoc->ends[c->from].settled;
    if (!sctpa_may_judge(c, SCTPA_RULE_PM_011, c->from) || c->rows & (SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK)))
        return;
    if (sctpa_counts_chunks(sent, SCTPA_CHUNK_ROW_SHUTDOWN) + sctpa_counts_chunks(sent, SCTPA_CHUNK_ROW_SHUTDOWN_ACK) >
        0)
        sctpa_accuse(c, SCTPA_RULE_PM_011, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                     "no HEARTBEAT after an own SHUTDOWN or SHUTDOWN ACK", "HEARTBEAT");
}

/* RFC 9260 3.3.6: "This field MUST contain the Heartbeat Info parameter [...] of the Heartbeat Request" */
static void check_echo(sctpa_context_t *c, sctpa_heartbeats_t *sent, uint64_t next_hash)
{
    bool is_wrong = sent->open && sent->has_wrong;
    if (is_wrong && sent->wrong_hash == next_hash) {
        c->reference->tap.disordered = true;
        sent->wrongs = 0;
        return;
    }
    if ((sent->open && !is_wrong) || !sctpa_may_judge(c, SCTPA_RULE_PM_001, !c->from))
        return;
    if (is_wrong && ++sent->wrongs >= SCTPA_WRONG_ECHOES)
        sctpa_accuse(c, SCTPA_RULE_PM_001, !c->from, SCTPA_NO_PATH, sent->wrong_packet,
                     SCTPA_WORDS("the Heartbeat Info of frame %u", sctpa_context_frame(c, sent->packet)),
                     SCTPA_WORDS("other bytes, %u times in a row", sent->wrongs));
}

/* Did the peer get data from the path and answer to the heartbeat's source since packet? */
static bool is_alive(const sctpa_context_t *c, const sctpa_heartbeats_t *sent, uint32_t packet)
{
    const sctpa_end_t *own = &c->assoc->ends[c->from], *peer = &c->assoc->ends[!c->from];
    const sctpa_addr_t *source = own->pairs[sent->pair]->source;
    for (uint32_t i = c->sent->acked.len, n = 0; i > 0 && n < ACKED_LOOK_BACK; i--, n++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(&c->sent->acked, sctpa_acked_t, i - 1);
        const sctpa_record_t *data = sctpa_record_at(c, acked->last_packet),
                             *answer = sctpa_record_at(c, acked->packet);
        if (acked->packet <= packet)
            return false;
        if (acked->first_packet > packet && data->from == c->from && data->path == c->path && answer->from != c->from &&
            answer->pair < peer->n_pairs && sctpa_addr_equal(peer->pairs[answer->pair]->destination, source))
            return true;
    }
    return false;
}

/* RFC 9260 8.3: "A receiver of a HEARTBEAT chunk MUST respond to a HEARTBEAT chunk with a HEARTBEAT ACK chunk" */
static void check_silence(sctpa_context_t *c, const sctpa_heartbeats_t *sent)
{
    const sctpa_end_t *peer = &c->assoc->ends[!c->from];
    bool is_closing = sctpa_counts_chunks(peer->settled, SCTPA_CHUNK_ROW_SHUTDOWN) ||
                      sctpa_counts_chunks(peer->settled, SCTPA_CHUNK_ROW_SHUTDOWN_ACK) ||
                      sctpa_counts_chunks(peer->settled, SCTPA_CHUNK_ROW_ABORT);
    if (is_closing || peer->init.auth_chunks & SCTPA_ROW(HEARTBEAT) || !c->sent ||
        !sctpa_may_judge(c, SCTPA_RULE_PM_002, !c->from) || sent->unanswered < SCTPA_HEARTBEATS_UNANSWERED ||
        !is_alive(c, sent, sent->packet))
        return;
    sctpa_accuse(
        c, SCTPA_RULE_PM_002, !c->from, SCTPA_NO_PATH, sent->first_unanswered, "HEARTBEAT ACK",
        SCTPA_WORDS("%u HEARTBEATs in a row unanswered while data of the same path is acknowledged", sent->unanswered));
}

/* RFC 9260 8.3: "it is RECOMMENDED that a HEARTBEAT chunk is sent once per RTO of that destination address plus the
 * protocol parameter 'HB.interval', with jittering of +/- 50% of the RTO value" */
static void check_jitter(sctpa_context_t *c, sctpa_heartbeats_t *sent, uint64_t marks)
{
    int64_t gap_ns = c->packet->time_ns - sent->sent_ns;
    if (sent->open || !sent->plain || sent->marks != marks || gap_ns <= 0)
        return;
    int64_t min_ns = MIN(sent->gap_min_ns, gap_ns), max_ns = MAX(sent->gap_max_ns, gap_ns);
    if (sent->gaps == 0 || max_ns - min_ns > MIN(gap_spread_ns, min_ns * SCTPA_EVEN_INTERVAL_PERCENT / 100)) {
        sent->gap_min_ns = sent->gap_max_ns = gap_ns;
        sent->gaps = sent->gaps >= SCTPA_EVEN_INTERVALS ? sent->gaps : 1;
    } else {
        sent->gap_min_ns = min_ns;
        sent->gap_max_ns = max_ns;
        sent->gaps++;
    }
    if (sctpa_may_judge(c, SCTPA_RULE_PM_009, c->from) && sent->gaps == SCTPA_EVEN_INTERVALS &&
        sent->gap_max_ns > gap_ns - gap_spread_ns)
        sctpa_accuse(c, SCTPA_RULE_PM_009, c->from, c->path, sent->packet,
                     "intervals that vary by the RTO's half to either side",
                     SCTPA_WORDS("%d intervals between %.4f and %.4f s", SCTPA_EVEN_INTERVALS,
                                 (double)sent->gap_min_ns / (double)SCTPA_NS_PER_S,
                                 (double)sent->gap_max_ns / (double)SCTPA_NS_PER_S));
}

static sctpa_heartbeats_t *heartbeats_of(sctpa_context_t *c)
{
    sctpa_heartbeats_t **sent = &sctpa_paths_state(c)->paths[c->from][c->path];
    if (!*sent) {
        *sent = sctpa_arena_alloc(&c->store->arena, sizeof **sent);
        (*sent)->packet = (*sent)->answered_packet = (*sent)->answered_before = SCTPA_NO_PACKET_INDEX;
    }
    return *sent;
}

static void note(sctpa_context_t *c, sctpa_heartbeats_t *sent, uint64_t hash, uint64_t marks, bool plain)
{
    if (sent->open)
        sent->answered_packet = sent->answered_before = SCTPA_NO_PACKET_INDEX;
    sent->hash = hash;
    sent->sent_ns = c->packet->time_ns;
    sent->packet = c->index;
    sent->pair = c->record->pair;
    sent->plain = plain;
    sent->open = true;
    sent->has_wrong = false;
    sent->marks = marks;
}

void sctpa_check_heartbeat(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    uint64_t hash = sctpa_heartbeat_hash(c->tracker, chunk),
             marks = c->sent ? c->sent->tsns + c->sent->rare->rtx.len : 0;
    bool plain = !(c->rows & SCTPA_ROW(PAD)) && chunk->wire_bytes <= SCTPA_PLAIN_HEARTBEAT_BYTES;
    check_info(c, chunk);
    check_nonce(c, chunk);
    check_after_shutdown(c);
    if (hash == 0 || c->path >= SCTPA_PATHS_KEPT)
        return;
    sctpa_heartbeats_t *sent = heartbeats_of(c);
    if (sent->packet != SCTPA_NO_PACKET_INDEX) {
        bool is_missed = sent->open && sent->plain &&
                         c->packet->time_ns - sent->sent_ns >= SCTPA_HEARTBEAT_UNANSWERED_S * SCTPA_NS_PER_S;
        check_echo(c, sent, hash);
        if (is_missed && sent->unanswered++ == 0)
            sent->first_unanswered = sent->packet;
        if (plain)
            check_silence(c, sent);
        check_jitter(c, sent, marks);
    }
    note(c, sent, hash, marks, plain);
}

/* RFC 9260 3.3.6: "always sent to the source IP address of the IP datagram containing the HEARTBEAT chunk" */
static void check_destination(sctpa_context_t *c, const sctpa_heartbeats_t *sent)
{
    const sctpa_addr_t *source = c->assoc->ends[!c->from].pairs[sent->pair]->source;
    if (!sctpa_may_judge(c, SCTPA_RULE_PM_004, c->from) || sctpa_addr_equal(source, &c->packet->destination))
        return;
    char *expected = sctpa_addr_text(source), *seen = sctpa_addr_text(&c->packet->destination);
    sctpa_accuse(c, SCTPA_RULE_PM_004, c->from, c->path, sent->packet, SCTPA_WORDS("HEARTBEAT ACK to %s", expected),
                 SCTPA_WORDS("to %s", seen));
    g_free(expected);
    g_free(seen);
}

static void answer(sctpa_context_t *c, sctpa_heartbeats_t *sent)
{
    check_destination(c, sent);
    sent->open = false;
    sent->wrongs = 0;
    sent->unanswered = 0;
    if (sent->answered_packet != sent->packet) {
        sent->answered_before = sent->answered_packet;
        sent->answered_packet = sent->packet;
    }
    sent->answered_ns = sent->sent_ns;
}

void sctpa_check_heartbeat_ack(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    uint64_t hash = sctpa_heartbeat_hash(c->tracker, chunk);
    const sctpa_end_t *asker = &c->assoc->ends[!c->from];
    sctpa_heartbeats_t *asked = NULL;
    for (uint16_t path = 0; path < SCTPA_PATHS_KEPT; path++) {
        sctpa_heartbeats_t *sent = sctpa_heartbeats(c, !c->from, path);
        if (!sent || hash == 0 || sent->pair >= asker->n_pairs)
            continue;
        if (sent->hash == hash) {
            answer(c, sent);
            return;
        }
        const sctpa_pair_t *pair = asker->pairs[sent->pair];
        if (sent->open && sctpa_addr_equal(pair->source, &c->packet->destination) &&
            sctpa_addr_equal(pair->destination, &c->packet->source))
            asked = sent;
    }
    if (asked && (c->packet->time_ns - asked->sent_ns < SCTPA_WRONG_ECHO_S * SCTPA_NS_PER_S)) {
        asked->has_wrong = true;
        asked->wrong_hash = hash;
        asked->wrong_packet = c->index;
    }
}
