/* Judges the checksums that an endpoint makes (RFC 9260 6.8, RFC 6951 5.3). A wrong one is damage or left to the
 * hardware, and no finding. */
#include "rules/context.h"

enum { WRONG_PACKETS = 3 };

typedef struct {
    uint32_t zero[2], adler[2];
} checksums_t;

static bool accepts_zero(const sctpa_context_t *c)
{
    return c->assoc->ends[!c->from].init.params >> SCTPA_PARAM_ROW_ZERO_CHECKSUM & 1;
}

/* Zero where a sender of right checksums must make one. */
static void check_zero(sctpa_context_t *c, bool is_zero)
{
    bool is_udp = c->packet->encapsulation == SCTPA_OVER_UDP;
    sctpa_rule_t rule = is_udp ? SCTPA_RULE_UE_004 : SCTPA_RULE_ZC_001;
    if (!c->assoc->ends[!c->from].init.whole || accepts_zero(c) || !c->tracked->sides[c->from].good_checksums ||
        !sctpa_may_judge(c, rule, c->from) || !is_zero)
        return;
    checksums_t *state = sctpa_context_state(c, SCTPA_GROUP_CHECKSUM, sizeof *state);
    /* "The SCTP checksum MUST be computed for IPv4 and IPv6" */
    if (++state->zero[c->from] >= WRONG_PACKETS)
        sctpa_accuse(c, rule, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "CRC32c, as in its other packets",
                     SCTPA_WORDS("checksum 0 in %u packets", state->zero[c->from]));
}

void sctpa_check_checksum(sctpa_context_t *c)
{
    check_zero(c, c->record->checksum == SCTPA_CHECKSUM_ZERO);
    if (!sctpa_may_judge(c, SCTPA_RULE_FMT_004, c->from) || c->record->checksum != SCTPA_CHECKSUM_ADLER32)
        return;
    checksums_t *state = sctpa_context_state(c, SCTPA_GROUP_CHECKSUM, sizeof *state);
    /* "any references within [RFC2960] to Adler-32 MUST be treated as a reference to CRC-32c" */
    if (++state->adler[c->from] >= WRONG_PACKETS)
        sctpa_accuse(c, SCTPA_RULE_FMT_004, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "CRC32c",
                     SCTPA_WORDS("Adler-32 in %u packets", state->adler[c->from]));
}
