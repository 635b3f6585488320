/* Judges packets and chunks by themselves: framing, bundling, order. Leaves out what needs the association. */
#include "case.h"

/* RFC 9260 6.10: "MUST NOT bundle INIT, INIT ACK, or SHUTDOWN COMPLETE chunks with any other chunks" */
static void judge_bundling(sctpa_case_t *c)
{
    const uint64_t alone = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(SHUTDOWN_COMPLETE);
    if (!(c->rows & alone) || !sctpa_may_judge(c, SCTPA_RULE_FMT_018, c->from))
        return;
    if (c->n_chunks > 1)
        sctpa_accuse(c, SCTPA_RULE_FMT_018, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "one chunk in the packet",
                     sctpa_words("%u chunks", c->n_chunks).text);
}

void sctpa_judge_format(sctpa_case_t *c)
{
    judge_bundling(c);
}
