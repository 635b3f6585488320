/* Rules about the first DATA of an endpoint: the byte order of its PPIDs, whether they fit the service of the port, and
 * how often it sets the I bit. */
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

static bool is_reversed(uint32_t ppid)
{
    return (ppid & 0xFFFFFF) == 0 && ppid > 0 && ppid >> 24 <= SCTPA_PPID_REGISTERED;
}

static void add_message(const sctpa_context_t *c, sctpa_first_data_t *first, uint32_t ppid)
{
    unsigned service = service_of(c->assoc);
    first->messages++;
    first->reversed += is_reversed(ppid);
    first->foreign += service < G_N_ELEMENTS(services) && ppid != 0 && !is_reversed(ppid) &&
                      ppid != services[service].ppid && ppid != services[service].over_dtls;
}

/* The PPID of the last message that was counted; 0 none was. */
static uint32_t add_packet(const sctpa_context_t *c, sctpa_first_data_t *first)
{
    uint32_t ppid = 0;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_observed_t *data = &c->chunks[i];
        bool counts_chunk = first->chunks < SCTPA_CHUNKS_JUDGED, counts_message = first->messages < SCTPA_PPIDS_JUDGED;
        if (!counts_chunk && !counts_message)
            break;
        if (!sctpa_observed_is_new(data))
            continue;
        if (counts_chunk) {
            first->chunks++;
            first->immediate += (data->tlv.flags & SCTPA_TSN_IMMEDIATE) != 0;
        }
        if (counts_message && data->sent.tsn->flags & SCTPA_TSN_BEGIN) {
            ppid = data->sent.tsn->ppid;
            add_message(c, first, ppid);
        }
    }
    return ppid;
}

static sctpa_first_data_t before_packet(const sctpa_context_t *c)
{
    const sctpa_sender_memory_t *memory = sctpa_sender_memory(c);
    return memory ? memory->first : (sctpa_first_data_t){ 0 };
}

/* The packet holds the last of the first messages, with this PPID. */
static bool ends_first_messages(const sctpa_context_t *c, sctpa_first_data_t *first, uint32_t *ppid)
{
    *first = before_packet(c);
    if (first->messages == SCTPA_PPIDS_JUDGED)
        return false;
    *ppid = add_packet(c, first);
    return first->messages == SCTPA_PPIDS_JUDGED;
}

bool sctpa_TX_021_applies(const sctpa_context_t *c)
{
    sctpa_first_data_t first;
    uint32_t ppid;
    return ends_first_messages(c, &first, &ppid) && service_of(c->assoc) < G_N_ELEMENTS(services);
}

/* RFC 9260 3.3.1: "This identifier is not used by SCTP but can be used by certain network entities" */
bool sctpa_TX_021_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_first_data_t first;
    uint32_t ppid;
    unsigned service = service_of(c->assoc);
    if (!ends_first_messages(c, &first, &ppid) || first.foreign < SCTPA_PPIDS_JUDGED)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, SCTPA_WORDS("PPID %u on port %u", services[service].ppid, services[service].port),
                        SCTPA_WORDS("PPID %u and the like in all of the first %u messages", ppid, SCTPA_PPIDS_JUDGED));
    return true;
}

bool sctpa_TX_022_applies(const sctpa_context_t *c)
{
    sctpa_first_data_t first;
    uint32_t ppid;
    return ends_first_messages(c, &first, &ppid);
}

/* RFC 9260 3.3.1: "the upper layer is responsible for the host to network byte order conversion of this field" */
bool sctpa_TX_022_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_first_data_t first;
    uint32_t ppid;
    if (!ends_first_messages(c, &first, &ppid) || first.reversed < SCTPA_PPIDS_JUDGED)
        return false;
    violation->path = c->path;
    sctpa_violation_say(
        violation, SCTPA_WORDS("PPID %u", ppid >> 24),
        SCTPA_WORDS("PPID %u (0x%08x) and the like in all of the first %u messages", ppid, ppid, SCTPA_PPIDS_JUDGED));
    return true;
}

bool sctpa_TX_024_applies(const sctpa_context_t *c)
{
    sctpa_first_data_t first = before_packet(c);
    if (first.chunks == SCTPA_CHUNKS_JUDGED)
        return false;
    add_packet(c, &first);
    return first.chunks == SCTPA_CHUNKS_JUDGED;
}

/* RFC 9260 6.1: "the sender MAY set the I bit in the DATA chunk header" */
bool sctpa_TX_024_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    sctpa_first_data_t first = before_packet(c);
    add_packet(c, &first);
    if (first.immediate <= SCTPA_CHUNKS_IMMEDIATE)
        return false;
    violation->path = c->path;
    sctpa_violation_say(violation, "the I bit where a delay of the SACK would hurt",
                        SCTPA_WORDS("on %u of the first %u DATA chunks", first.immediate, SCTPA_CHUNKS_JUDGED));
    return true;
}

void sctpa_sender_take_first(const sctpa_context_t *c, sctpa_first_data_t *first)
{
    add_packet(c, first);
}
