/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the first data of endpoints. */
#include "first_data.h"

/* Services that have a port and PPIDs of their own in the registries of IANA. */
static const struct {
    uint16_t port;
    uint8_t ppid, over_dtls;
} services[] = { { 2904, 2, 2 },    { 2905, 3, 3 },    { 3565, 5, 5 },    { 3868, 46, 47 },  { 5868, 46, 47 },
                 { 9082, 29, 29 },  { 9900, 1, 1 },    { 14001, 4, 4 },   { 29168, 24, 24 }, { 36412, 18, 18 },
                 { 36422, 27, 27 }, { 36443, 43, 43 }, { 36444, 44, 44 }, { 38412, 60, 66 }, { 38422, 61, 67 },
                 { 38462, 64, 69 }, { 38472, 62, 68 } };

/* Of an endpoint: at most SCTPA_FIRST_CHUNKS chunks, SCTPA_FIRST_MESSAGES messages. */
typedef struct {
    uint8_t chunks, immediate; /* first transmissions, those with the I bit */
    /* those whose PPID has its bytes reversed, is of another service, is 0 */
    uint8_t messages, reversed, foreign, unspecified;
} counts_t;

typedef struct {
    counts_t of[2];
} first_data_t;

/* Index in services, G_N_ELEMENTS(services): none. */
static unsigned service_of(const sctpa_assoc_t *assoc)
{
    unsigned at = 0;
    while (at < G_N_ELEMENTS(services) && services[at].port != assoc->ends[0].port &&
           services[at].port != assoc->ends[1].port)
        at++;
    return at;
}

uint32_t sctpa_ppid_of_service(const sctpa_assoc_t *assoc, uint16_t *port)
{
    unsigned service = service_of(assoc);
    if (service == G_N_ELEMENTS(services))
        return 0;
    *port = services[service].port;
    return services[service].ppid;
}

static bool is_reversed(uint32_t ppid)
{
    return (ppid & 0xFFFFFF) == 0 && ppid > 0 && ppid >> 24 <= SCTPA_PPID_REGISTERED;
}

static bool is_foreign(const sctpa_assoc_t *assoc, uint32_t ppid)
{
    if (ppid == 0 || is_reversed(ppid))
        return false;
    unsigned service = service_of(assoc);
    return service < G_N_ELEMENTS(services) && ppid != services[service].ppid && ppid != services[service].over_dtls;
}

static void add_message(const sctpa_context_t *c, counts_t *counts, uint32_t ppid)
{
    counts->messages++;
    counts->reversed += is_reversed(ppid);
    counts->foreign += is_foreign(c->assoc, ppid);
    counts->unspecified += ppid == 0;
}

void sctpa_first_data_take(sctpa_context_t *c)
{
    if (!(c->facts & SCTPA_FACT_NEW_DATA))
        return;
    first_data_t *first = sctpa_context_find_part(c, SCTPA_PART_FIRST_DATA);
    if (!first)
        first = sctpa_context_part(c, SCTPA_PART_FIRST_DATA, sizeof *first);
    counts_t *counts = &first->of[c->from];
    bool had_chunks = counts->chunks == SCTPA_FIRST_CHUNKS, had_messages = counts->messages == SCTPA_FIRST_MESSAGES;
    if (had_chunks && had_messages)
        return;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_observed_t *data = &c->chunks[i];
        if (!sctpa_observed_is_new(data))
            continue;
        if (counts->chunks < SCTPA_FIRST_CHUNKS) {
            counts->chunks++;
            counts->immediate += (data->tlv.flags & SCTPA_TSN_IMMEDIATE) != 0;
        }
        if (counts->messages < SCTPA_FIRST_MESSAGES && data->sent.tsn->flags & SCTPA_TSN_BEGIN) {
            c->beginning.ppid = data->sent.tsn->ppid;
            add_message(c, counts, c->beginning.ppid);
        }
    }
    c->beginning.ends_chunks = !had_chunks && counts->chunks == SCTPA_FIRST_CHUNKS;
    c->beginning.ends_messages = !had_messages && counts->messages == SCTPA_FIRST_MESSAGES;
    c->beginning.immediate = counts->immediate;
    c->beginning.reversed = counts->reversed;
    c->beginning.foreign = counts->foreign;
    c->beginning.unspecified = counts->unspecified;
    c->facts |= c->beginning.ends_chunks || c->beginning.ends_messages ? SCTPA_FACT_FIRST_DATA : 0u;
}
