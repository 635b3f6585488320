/* Judges the PPIDs of the first messages of an end: their byte order, and whether they fit the service of the port. */
#include "check_sender.h"

/* Services that have a port and PPIDs of their own in the registries of IANA. */
static const struct {
    uint16_t port;
    uint8_t ppid, over_dtls;
} services[] = { { 2904, 2, 2 },    { 2905, 3, 3 },    { 3565, 5, 5 },    { 3868, 46, 47 },  { 5868, 46, 47 },
                 { 9082, 29, 29 },  { 9900, 1, 1 },    { 14001, 4, 4 },   { 29168, 24, 24 }, { 36412, 18, 18 },
                 { 36422, 27, 27 }, { 36443, 43, 43 }, { 36444, 44, 44 }, { 38412, 60, 66 }, { 38422, 61, 67 },
                 { 38462, 64, 69 }, { 38472, 62, 68 } };

/* Index in services, G_N_ELEMENTS(services): none. */
static unsigned service_of(const sctpa_assoc_t *assoc)
{
    unsigned at = 0;
    while (at < G_N_ELEMENTS(services) && services[at].port != assoc->ends[0].port &&
           services[at].port != assoc->ends[1].port)
        at++;
    return at;
}

static bool is_swapped(uint32_t ppid)
{
    return (ppid & 0xFFFFFF) == 0 && ppid > 0 && ppid >> 24 <= SCTPA_PPID_REGISTERED;
}

/* RFC 9260 3.3.1: "the upper layer is responsible for the host to network byte order conversion of this field" */
static void check_byte_order(sctpa_context_t *c, const sctpa_sender_state_t *state, uint32_t ppid)
{
    if (sctpa_may_judge(c, SCTPA_RULE_TX_022, c->from) && state->ppids_swapped[c->from] == SCTPA_PPIDS_JUDGED)
        sctpa_accuse(c, SCTPA_RULE_TX_022, c->from, c->path, SCTPA_NO_PACKET_INDEX, SCTPA_WORDS("PPID %u", ppid >> 24),
                     SCTPA_WORDS("PPID %u (0x%08x) and the like in all of the first %u messages", ppid, ppid,
                                 SCTPA_PPIDS_JUDGED));
}

/* RFC 9260 3.3.1: "This identifier is not used by SCTP but can be used by certain network entities" */
static void check_service(sctpa_context_t *c, const sctpa_sender_state_t *state, unsigned service, uint32_t ppid)
{
    if (sctpa_may_judge(c, SCTPA_RULE_TX_021, c->from) && state->ppids_foreign[c->from] == SCTPA_PPIDS_JUDGED)
        sctpa_accuse(c, SCTPA_RULE_TX_021, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                     SCTPA_WORDS("PPID %u on port %u", services[service].ppid, services[service].port),
                     SCTPA_WORDS("PPID %u and the like in all of the first %u messages", ppid, SCTPA_PPIDS_JUDGED));
}

void sctpa_sender_check_ppid(sctpa_context_t *c, sctpa_sender_state_t *state, const sctpa_tsn_t *tsn)
{
    uint8_t from = c->from;
    if (!(tsn->flags & SCTPA_TSN_BEGIN) || state->ppids[from] == SCTPA_PPIDS_JUDGED)
        return;
    unsigned service = service_of(c->assoc);
    state->ppids[from]++;
    state->ppids_swapped[from] += is_swapped(tsn->ppid);
    state->ppids_foreign[from] += service < G_N_ELEMENTS(services) && tsn->ppid != 0 && !is_swapped(tsn->ppid) &&
                                  tsn->ppid != services[service].ppid && tsn->ppid != services[service].over_dtls;
    if (state->ppids[from] < SCTPA_PPIDS_JUDGED)
        return;
    check_byte_order(c, state, tsn->ppid);
    if (service < G_N_ELEMENTS(services))
        check_service(c, state, service, tsn->ppid);
}
