/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the ASCONFs of one packet hold together: a packet has room for thousands, and as many that ask whether another
 * of them is there, or whether one adds an address. */
#include "asconf.h"

#include "base/records.h"
#include "base/slots.h"
#include "wire/address.h"

/* An address that an ASCONF of the packet adds, and where it does first. */
typedef struct {
    sctpa_addr_t addr;
    const uint8_t *at;
} adding_t;

struct sctpa_asconf_packet {
    GArray *serials; /* uint32_t, ascending */
    GArray *addings; /* adding_t, each address once */
    sctpa_slots_t by_addr;
};

static void clear(struct sctpa_asconf_packet *asconfs)
{
    g_array_unref(asconfs->serials);
    g_array_unref(asconfs->addings);
    sctpa_slots_clear(&asconfs->by_addr);
    g_free(asconfs);
}

static uint32_t hash_of(const sctpa_context_t *c, const sctpa_addr_t *addr)
{
    return (uint32_t)sctpa_addr_hash(c->tracker->store.seed, addr);
}

/* NULL: none adds it. */
static const adding_t *find(const struct sctpa_asconf_packet *asconfs, uint32_t hash, const sctpa_addr_t *addr)
{
    uint32_t at;
    for (uint32_t n = sctpa_slots_first(&asconfs->by_addr, hash, &at); n != SCTPA_SLOT_NONE;
         n = sctpa_slots_next(&asconfs->by_addr, hash, &at))
        if (sctpa_addr_equal(&g_array_index(asconfs->addings, adding_t, n).addr, addr))
            return &g_array_index(asconfs->addings, adding_t, n);
    return NULL;
}

static void read_addings(const sctpa_context_t *c, struct sctpa_asconf_packet *asconfs, const sctpa_tlv_t *asconf)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t param;
    sctpa_params_begin(&iter, asconf);
    while (sctpa_tlv_next(&iter, &param)) {
        adding_t adding = { .at = param.bytes };
        if (param.type != SCTPA_PARAM_ADD_IP || !sctpa_nested_addr(&param, &adding.addr))
            continue;
        uint32_t hash = hash_of(c, &adding.addr);
        if (find(asconfs, hash, &adding.addr))
            continue;
        sctpa_slots_add(&asconfs->by_addr, hash, asconfs->addings->len);
        g_array_append_val(asconfs->addings, adding);
    }
}

void sctpa_asconf_observe(const sctpa_context_t *c)
{
    if (c->store->asconfs)
        clear(c->store->asconfs);
    struct sctpa_asconf_packet *asconfs = c->store->asconfs = g_new0(struct sctpa_asconf_packet, 1);
    c->store->asconfs_free = clear;
    asconfs->serials = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    asconfs->addings = g_array_new(FALSE, FALSE, sizeof(adding_t));
    sctpa_slots_init(&asconfs->by_addr);
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (chunk->type != SCTPA_CHUNK_ASCONF)
            continue;
        uint32_t serial = sctpa_tlv_u32(chunk, SCTPA_F_ASCONF_SERIAL);
        g_array_append_val(asconfs->serials, serial);
        read_addings(c, asconfs, chunk);
    }
    g_array_sort(asconfs->serials, sctpa_records_order);
}

bool sctpa_asconf_holds(const sctpa_context_t *c, uint32_t serial)
{
    const GArray *serials = c->store->asconfs->serials;
    uint32_t at = sctpa_array_from(serials, serial);
    return at < serials->len && g_array_index(serials, uint32_t, at) == serial;
}

bool sctpa_asconf_adds_before(const sctpa_context_t *c, const sctpa_tlv_t *param, const sctpa_addr_t *wanted)
{
    const adding_t *adding = find(c->store->asconfs, hash_of(c, wanted), wanted);
    return adding && adding->at < param->bytes;
}
