/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was seen of an endpoint's paths, and when, where each of two taps saw it by a clock of its own; what the RTO
 * of a path is. */
#include "analysis.h"
#include "measure/learned/learned_parts.h"
#include "track/identity/two_taps.h"
#include "track/near_tap.h"
#include "track/tracker.h"

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

const sctpa_probing_t *sctpa_path_probed(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, unsigned end, unsigned path)
{
    const sctpa_tracked_t *tracked = sctpa_tracked_find(sctpa->tracker, assoc->number);
    const sctpa_tap_data_t *tap = sctpa_near_tap_of_paths(tracked, end & 1);
    return tap ? sctpa_tap_data_probed(tap, end, path) : assoc->ends[end].paths[path].probing;
}

static uint32_t lowest_interface(const sctpa_tap_data_t *tap)
{
    uint32_t lowest = UINT32_MAX;
    for (uint32_t i = 0; i < tap->n_interfaces; i++)
        lowest = MIN(lowest, tap->interfaces[i]);
    return lowest;
}

/* By how much the clock that stamped a packet is ahead of that of the tap with the lowest interface. */
static int64_t ahead_ns(const sctpa_t *sctpa, const sctpa_two_taps_data_t *data, uint32_t packet)
{
    int64_t way_ns;
    if (!data || sctpa_near_tap_of(data, 0) == SCTPA_NO_TAP)
        return 0;
    const unsigned lowest = lowest_interface(&data->taps[1]) < lowest_interface(&data->taps[0]);
    const sctpa_stamp_t *stamp = &g_array_index(sctpa->tracker->store.stamps, sctpa_stamp_t, packet);
    if (!sctpa_tap_data_has(&data->taps[!lowest], sctpa_stamp_interface(stamp)))
        return 0;
    return sctpa_near_tap_ahead_ns(data, &way_ns) * (lowest == 0 ? 1 : -1);
}

int64_t sctpa_time_by_one_clock(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, uint32_t frame, int64_t time_ns)
{
    const uint32_t packet = sctpa->tracker->two_taps ? sctpa_packet_find(sctpa, frame, 0) : UINT32_MAX;
    if (packet == UINT32_MAX)
        return time_ns;
    return time_ns - ahead_ns(sctpa, sctpa_tracked_find(sctpa->tracker, assoc->number)->rare->two_taps_data, packet);
}

/* The packet, first seen in a frame, as it passed the tap near its sender, if that saw it. */
static uint32_t as_it_left(const sctpa_t *sctpa, const sctpa_tracked_t *tracked, uint32_t packet)
{
    const sctpa_record_t *record = &g_array_index(sctpa->tracker->records, sctpa_record_t, packet);
    const sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    const sctpa_end_t *sender = &tracked->assoc.ends[record->from];
    const unsigned near = data ? sctpa_near_tap_of(data, record->from) : SCTPA_NO_TAP;
    if (near == SCTPA_NO_TAP || record->path >= sender->n_paths)
        return packet;
    const uint32_t *at = sctpa_two_taps_sightings(sender->paths[record->path].probing->two_taps, packet);
    for (unsigned place = 0; at && place < 2; place++)
        if (at[place] != SCTPA_NO_PACKET_INDEX &&
            sctpa_tap_data_has(&data->taps[near], sctpa_stamp_interface(&g_array_index(sctpa->tracker->store.stamps,
                                                                                       sctpa_stamp_t, at[place]))))
            return at[place];
    return packet;
}

int64_t sctpa_event_by_one_clock(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, const sctpa_event_t *event)
{
    const uint32_t packet = sctpa->tracker->two_taps ? sctpa_packet_find(sctpa, event->frame, 0) : UINT32_MAX;
    if (packet == UINT32_MAX || sctpa_event_is_of_path(event))
        return sctpa_time_by_one_clock(sctpa, assoc, event->frame, event->time_ns);
    const sctpa_tracked_t *tracked = sctpa_tracked_find(sctpa->tracker, assoc->number);
    const uint32_t left = as_it_left(sctpa, tracked, packet);
    return sctpa_packet_time_ns(sctpa, left) - ahead_ns(sctpa, tracked->rare->two_taps_data, left);
}
