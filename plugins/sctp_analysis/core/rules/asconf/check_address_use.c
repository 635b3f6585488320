/* Judges packets from and to addresses that ASCONF added or deleted. */
#include "asconf_state.h"
#include "reference/paths.h"

/* Of a host that knows no association, or of none at all. */
static uint64_t stray_rows(void)
{
    return SCTPA_ROW(ABORT) | SCTPA_ROW(ERROR) | SCTPA_ROW(SHUTDOWN_COMPLETE) | SCTPA_ROW(SHUTDOWN_ACK) |
           SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK);
}

/* Packets that the answer, or the same request again, will prove to be too early or too late. */
static void note_own(const sctpa_context_t *c, sctpa_asker_t *asker)
{
    const sctpa_asconf_t *asconf = &asker->asconf;
    if (!asker->asked || asconf->answered || c->rows & (SCTPA_ROW(ASCONF) | stray_rows()))
        return;
    if (asconf->is_new && asker->early_packet == SCTPA_NO_PACKET_INDEX &&
        sctpa_addr_equal(&asconf->added, &c->packet->source))
        asker->early_packet = c->index;
    if (asconf->deleted.bytes && asker->late_packet == SCTPA_NO_PACKET_INDEX &&
        c->packet->time_ns - asconf->time_ns > SCTPA_ASCONF_LATE_MS * SCTPA_NS_PER_MS &&
        sctpa_addr_equal(&asconf->deleted, &c->packet->source))
        asker->late_packet = c->index;
}

/* RFC 5061 5.3 F1: "MUST NOT send packets to the new address except for the corresponding ASCONF-ACK Chunk or HEARTBEAT
 * Chunks" */
static void check_unverified(sctpa_context_t *c, sctpa_asker_t *asker)
{
    const uint64_t allowed =
        SCTPA_ROW(ASCONF_ACK) | SCTPA_ROW(AUTH) | SCTPA_ROW(HEARTBEAT_ACK) | SCTPA_ROW(PAD) | stray_rows();
    if (asker->unverified.bytes == 0 || !sctpa_addr_equal(&asker->unverified, &c->packet->destination))
        return;
    bool is_probe = c->rows & SCTPA_ROW(HEARTBEAT) || sctpa_has_unmatched_ack(c);
    if (sctpa_may_judge(c, SCTPA_RULE_AS_016, c->from) && !is_probe && c->rows & ~allowed)
        sctpa_accuse(c, SCTPA_RULE_AS_016, c->from, c->path, asker->unverified_packet,
                     SCTPA_WORDS("a HEARTBEAT to %s before anything else", sctpa_addr_words(&asker->unverified).text),
                     SCTPA_WORDS("%s", sctpa_chunk_row_word(sctpa_chunk_row((uint8_t)c->chunks[0].tlv.type))));
    if (is_probe || c->rows & ~allowed)
        asker->unverified.bytes = 0;
}

/* RFC 5061 5.3 F13: "It MUST NOT send SCTP packets for the association to that address" */
static void check_gone(sctpa_context_t *c, const sctpa_asker_t *asker)
{
    if (asker->gone.bytes == 0 || c->rows & stray_rows() ||
        c->packet->time_ns - asker->gone_ns <= SCTPA_ASCONF_GONE_S * SCTPA_NS_PER_S ||
        !sctpa_may_judge(c, SCTPA_RULE_AS_017, c->from) || !sctpa_addr_equal(&asker->gone, &c->packet->destination))
        return;
    sctpa_accuse(
        c, SCTPA_RULE_AS_017, c->from, c->path, asker->gone_packet,
        SCTPA_WORDS("no packet to %s, whose deletion was granted", sctpa_addr_words(&asker->gone).text),
        SCTPA_WORDS("one %.1f s later", (double)(c->packet->time_ns - asker->gone_ns) / (double)SCTPA_NS_PER_S));
}

void sctpa_check_addresses_use(sctpa_context_t *c)
{
    sctpa_asker_t *own = sctpa_asker(c, c->from), *peers = sctpa_asker(c, !c->from);
    if (own)
        note_own(c, own);
    if (peers) {
        check_unverified(c, peers);
        check_gone(c, peers);
    }
}
