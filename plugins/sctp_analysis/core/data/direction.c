/* A direction of data: making it, its flight per path, and reading its records. */
#include "internal.h"

#include "../base/records.h"
#include "../base/serial.h"

enum {
    CACHE_LINE_BYTES = 64,
    DIRECTION_BYTES = (sizeof(sctpa_direction_t) + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES
};

static const int64_t wrap = INT64_C(1) << 32;

sctpa_direction_t *sctpa_direction_new(sctpa_store_t *store)
{
    uint32_t serial;
    sctpa_direction_t *direction = sctpa_pool_add(&store->directions, &serial);
    sctpa_seen_init(&direction->seen);
    direction->highest = direction->cum_tsn = direction->highest_gap_end = direction->abandoned_to = direction->doubtful_to =
        direction->recovery_to = -1;
    direction->store = store;
    direction->stamps = store->stamps;
    direction->pages = SCTPA_NO_PAGE;
    direction->serial = serial;
    direction->answer_min_ns = -1;
    direction->rto_min_ns = G_GINT64_CONSTANT(1000000000);
    return direction;
}

static void array_free(GArray *array)
{
    if (array)
        g_array_unref(array);
}

static void direction_clear(sctpa_direction_t *direction)
{
    sctpa_seen_clear(&direction->seen);
    GArray *arrays[] = { direction->gap_ranges, direction->rtx, direction->sacks, direction->gaps, direction->acked, direction->duplicate_tsns,
                         direction->samples, direction->paths, direction->heartbeats };
    for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++)
        array_free(arrays[i]);
}

void sctpa_store_init(sctpa_store_t *store)
{
    store->stamps = g_array_new(FALSE, FALSE, sizeof(sctpa_stamp_t));
    sctpa_pool_init(&store->directions, DIRECTION_BYTES);
    sctpa_pool_init(&store->pages, sizeof(sctpa_page_t));
    sctpa_slots_init(&store->page_table);
}

void sctpa_store_clear(sctpa_store_t *store)
{
    for (uint32_t i = 0; i < store->directions.count; i++)
        direction_clear(sctpa_pool_at(&store->directions, i));
    sctpa_pool_clear(&store->directions);
    g_array_unref(store->stamps);
    sctpa_pool_clear(&store->pages);
    sctpa_slots_clear(&store->page_table);
}

void sctpa_direction_announce(sctpa_direction_t *direction, uint32_t initial_tsn)
{
    if (direction->tsns > 0 || direction->has_cum)
        return;
    direction->initial_tsn = initial_tsn;
    direction->has_initial = direction->announced = true;
}

void sctpa_direction_window(sctpa_direction_t *direction, uint32_t a_rwnd_bytes)
{
    if (direction->has_cum)
        return;
    direction->a_rwnd_bytes = a_rwnd_bytes;
    direction->has_a_rwnd = true;
}

void sctpa_direction_answer(sctpa_direction_t *direction, int64_t elapsed_ns)
{
    if (elapsed_ns >= 0 && (direction->answer_min_ns < 0 || elapsed_ns < direction->answer_min_ns))
        direction->answer_min_ns = elapsed_ns;
}

int64_t sctpa_direction_unwrap(const sctpa_direction_t *direction, uint32_t tsn)
{
    int64_t near = MAX(direction->highest, direction->cum_tsn);
    return near + sctpa_serial_distance(direction->initial_tsn + (uint32_t)near, tsn);
}

sctpa_data_path_t *sctpa_direction_path(sctpa_direction_t *direction, uint16_t path)
{
    if (!direction->paths)
        direction->paths = g_array_sized_new(FALSE, TRUE, sizeof(sctpa_data_path_t), 1);
    while (direction->paths->len <= path) {
        sctpa_data_path_t fresh = { .timed_packet = SCTPA_NO_PACKET_INDEX, .timeout_packet = SCTPA_NO_PACKET_INDEX,
                                    .heartbeat_packet = SCTPA_NO_PACKET_INDEX, .timeout_highest = -1,
                                    .unknown_packet = SCTPA_NO_PACKET_INDEX };
        g_array_append_val(direction->paths, fresh);
    }
    return &g_array_index(direction->paths, sctpa_data_path_t, path);
}

int64_t sctpa_direction_time_ns(const sctpa_direction_t *direction, uint32_t packet)
{
    return g_array_index(direction->stamps, sctpa_stamp_t, packet).time_ns;
}

bool sctpa_tsn_is_outstanding(const sctpa_tsn_t *tsn)
{
    return tsn->transmissions > 0 &&
           !(tsn->state & (SCTPA_TSN_ACKED | SCTPA_TSN_GAP_ACKED | SCTPA_TSN_ABANDONED | SCTPA_TSN_LATE));
}

void sctpa_flight_add(sctpa_direction_t *direction, const sctpa_tsn_t *tsn)
{
    direction->flight_bytes += tsn->bytes;
    sctpa_direction_path(direction, tsn->path)->flight_bytes += tsn->bytes;
}

void sctpa_flight_remove(sctpa_direction_t *direction, const sctpa_tsn_t *tsn)
{
    direction->flight_bytes -= tsn->bytes;
    sctpa_direction_path(direction, tsn->path)->flight_bytes -= tsn->bytes;
}

const sctpa_tsn_t *sctpa_direction_tsn(const sctpa_direction_t *direction, int64_t tsn)
{
    const sctpa_page_t *page = sctpa_page_find(direction, tsn);
    const sctpa_tsn_t *found = page ? &page->tsns[tsn & (SCTPA_PAGE_TSNS - 1)] : NULL;
    return found && found->transmissions > 0 ? found : NULL;
}

const sctpa_tsn_t *sctpa_direction_tsn_in(const sctpa_direction_t *direction, uint32_t serial, uint32_t packet, int64_t *tsn)
{
    for (*tsn = sctpa_direction_unwrap(direction, serial);; *tsn -= wrap) {
        const sctpa_tsn_t *found = sctpa_direction_tsn(direction, *tsn);
        if (found && sctpa_direction_transmission(direction, found, packet, &(const sctpa_rtx_t *){ NULL }) > 0)
            return found;
        if (*tsn < 0)
            return NULL;
    }
}

unsigned sctpa_direction_transmission(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn, uint32_t packet,
                                      const sctpa_rtx_t **rtx)
{
    unsigned number = tsn->transmissions;
    *rtx = NULL;
    for (uint32_t at = tsn->more; at != 0 && number > 1; number--) {
        const sctpa_rtx_t *record = &g_array_index(direction->rtx, sctpa_rtx_t, at - 1);
        if (record->packet == packet) {
            *rtx = record;
            return number;
        }
        at = record->older;
    }
    return tsn->first_packet == packet ? 1 : 0;
}

const sctpa_acked_t *sctpa_direction_acked(const sctpa_direction_t *direction, uint32_t packet, uint16_t order)
{
    for (uint32_t at = sctpa_records_from(direction->acked, packet); direction->acked && at < direction->acked->len; at++) {
        const sctpa_acked_t *acked = &g_array_index(direction->acked, sctpa_acked_t, at);
        if (acked->packet != packet)
            return NULL;
        if (acked->order == order)
            return acked;
    }
    return NULL;
}

uint32_t sctpa_direction_samples(const sctpa_direction_t *direction, uint32_t packet, uint32_t *n)
{
    uint32_t first = sctpa_records_from(direction->samples, packet);
    *n = sctpa_records_from(direction->samples, packet + 1) - first;
    return first;
}

int64_t sctpa_direction_rto_ns(const sctpa_direction_t *direction, uint16_t path, uint32_t packet)
{
    for (uint32_t at = sctpa_records_from(direction->samples, packet + 1); at > 0; at--) {
        const sctpa_sample_t *sample = &g_array_index(direction->samples, sctpa_sample_t, at - 1);
        if (sample->path == path)
            return (int64_t)sample->rto_us * 1000;
    }
    return 0;
}

int64_t sctpa_direction_elapsed_ns(const sctpa_direction_t *direction, const sctpa_sample_t *sample)
{
    return sctpa_direction_time_ns(direction, sample->packet) - sctpa_direction_time_ns(direction, sample->started);
}

const char *sctpa_rtx_word(sctpa_rtx_kind_t kind)
{
    static const char *const words[SCTPA_RTX_KINDS] = { "fast", "early", "timeout", "probe", "handover", "report", "unknown" };
    return words[kind];
}
