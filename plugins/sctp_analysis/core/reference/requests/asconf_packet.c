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
    /* Once something asked for them. */
    bool has_addings;
    GArray *addings; /* adding_t, each address once */
    sctpa_slots_t by_addr;
};

static void forget_addings(struct sctpa_asconf_packet *asconfs)
{
    if (asconfs->has_addings)
        sctpa_slots_clear(&asconfs->by_addr);
    g_array_set_size(asconfs->addings, 0);
    asconfs->has_addings = false;
}

static void free_asconfs(struct sctpa_asconf_packet *asconfs)
{
    forget_addings(asconfs);
    g_array_unref(asconfs->serials);
    g_array_unref(asconfs->addings);
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

static void add_addings(const sctpa_context_t *c, struct sctpa_asconf_packet *asconfs, const sctpa_tlv_t *asconf)
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

static void read_addings(const sctpa_context_t *c, struct sctpa_asconf_packet *asconfs)
{
    sctpa_slots_init(&asconfs->by_addr);
    asconfs->has_addings = true;
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (c->chunks[i].tlv.type == SCTPA_CHUNK_ASCONF)
            add_addings(c, asconfs, &c->chunks[i].tlv);
}

static struct sctpa_asconf_packet *new_asconfs(void)
{
    struct sctpa_asconf_packet *asconfs = g_new0(struct sctpa_asconf_packet, 1);
    asconfs->serials = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    asconfs->addings = g_array_new(FALSE, FALSE, sizeof(adding_t));
    return asconfs;
}

void sctpa_asconf_observe(const sctpa_context_t *c)
{
    if (!c->store->asconfs) {
        c->store->asconfs = new_asconfs();
        c->store->asconfs_free = free_asconfs;
    }
    struct sctpa_asconf_packet *asconfs = c->store->asconfs;
    uint32_t before = 0;
    bool is_ascending = true;
    forget_addings(asconfs);
    g_array_set_size(asconfs->serials, 0);
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_tlv_t *chunk = &c->chunks[i].tlv;
        if (chunk->type != SCTPA_CHUNK_ASCONF)
            continue;
        uint32_t serial = sctpa_tlv_u32(chunk, SCTPA_F_ASCONF_SERIAL);
        is_ascending = is_ascending && before <= serial;
        g_array_append_val(asconfs->serials, serial);
        before = serial;
    }
    if (!is_ascending)
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
    struct sctpa_asconf_packet *asconfs = c->store->asconfs;
    if (!asconfs->has_addings)
        read_addings(c, asconfs);
    const adding_t *adding = find(asconfs, hash_of(c, wanted), wanted);
    return adding && adding->at < param->bytes;
}
