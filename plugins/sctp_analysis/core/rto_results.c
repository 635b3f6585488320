/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public functions that say what the RTO of a path is. What the packets teach of RTO.Initial, RTO.Min and RTO.Max
 * is kept from one look to the next, until a packet is fed. */
#include "analysis.h"

#include "measure/learned/learned_parts.h"

struct sctpa_rto_memory {
    GMutex lock;            /* of the others: who looks may do so in several threads */
    GHashTable *parameters; /* by 2 * association + end: sctpa_rto_parameters_t */
    uint32_t packets;       /* that had been fed */
};

sctpa_rto_memory_t *sctpa_rto_memory_new(void)
{
    sctpa_rto_memory_t *memory = g_new0(sctpa_rto_memory_t, 1);
    g_mutex_init(&memory->lock);
    memory->parameters = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    return memory;
}

void sctpa_rto_memory_free(sctpa_rto_memory_t *memory)
{
    g_hash_table_unref(memory->parameters);
    g_mutex_clear(&memory->lock);
    g_free(memory);
}

/* Is anything known of the RTO of what the end sent? source: what it follows from. */
static bool has_rtos(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_source_t *source)
{
    if (!sctpa_direction(sctpa, assoc, end))
        return false;
    *source = sctpa_source_of(sctpa, assoc, end, NULL);
    return !source->data_only;
}

/* Copies what is remembered; false: nothing is. */
static bool recall(sctpa_rto_memory_t *memory, uint32_t packets, gint64 key, sctpa_rto_parameters_t *parameters)
{
    g_mutex_lock(&memory->lock);
    if (memory->packets != packets)
        g_hash_table_remove_all(memory->parameters);
    memory->packets = packets;
    const sctpa_rto_parameters_t *known = g_hash_table_lookup(memory->parameters, &key);
    if (known)
        *parameters = *known;
    g_mutex_unlock(&memory->lock);
    return known != NULL;
}

/* Nobody waits while another thread learns: two may learn the same. */
static sctpa_rto_parameters_t taught(const sctpa_t *sctpa, const sctpa_source_t *source, uint32_t assoc, uint8_t end)
{
    const gint64 key = (gint64)assoc * 2 + end;
    sctpa_rto_parameters_t parameters;
    if (recall(sctpa->rtos, sctpa->summary.packets, key, &parameters))
        return parameters;
    parameters = sctpa_rto_parameters(source, sctpa_assoc(sctpa, assoc), end);
    g_mutex_lock(&sctpa->rtos->lock);
    g_hash_table_insert(sctpa->rtos->parameters, g_memdup2(&key, sizeof key),
                        g_memdup2(&parameters, sizeof parameters));
    g_mutex_unlock(&sctpa->rtos->lock);
    return parameters;
}

bool sctpa_rto_at(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint16_t path, uint32_t packet, bool first_pass,
                  sctpa_rtos_t *rtos)
{
    sctpa_source_t source;
    if (!has_rtos(sctpa, assoc, end, &source))
        return false;
    const sctpa_sample_t *sample = sctpa_direction_sample(source.direction, path, packet);
    if (!sample)
        return false;
    sctpa_rto_parameters_t parameters = first_pass
                                            ? sctpa_rto_parameters_so_far(&source, sctpa_assoc(sctpa, assoc), end)
                                            : taught(sctpa, &source, assoc, end);
    *rtos = sctpa_rtos_after(&parameters, sample);
    return true;
}

int64_t sctpa_rto_before_ns(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint16_t path, uint32_t packet)
{
    sctpa_source_t source;
    if (packet == 0 || !has_rtos(sctpa, assoc, end, &source))
        return 0;
    const sctpa_sample_t *sample = sctpa_direction_sample(source.direction, path, packet - 1);
    sctpa_rto_parameters_t parameters = taught(sctpa, &source, assoc, end);
    return sctpa_rtos_after(&parameters, sample).value_ns;
}

void sctpa_rtos(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_rto_visit_fn visit, void *user)
{
    sctpa_source_t source;
    if (!has_rtos(sctpa, assoc, end, &source))
        return;
    sctpa_rto_parameters_t parameters = taught(sctpa, &source, assoc, end);
    for (uint32_t i = 0; i < source.direction->samples.len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&source.direction->samples, sctpa_sample_t, i);
        sctpa_rtos_t rtos = sctpa_rtos_after(&parameters, sample);
        visit(user, sample->path, sample->packet, &rtos);
    }
}
