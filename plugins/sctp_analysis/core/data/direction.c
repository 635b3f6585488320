/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A direction of data: making it, also as a copy with which each of two taps goes on, its flight per path, and
 * reading its records. */
#include "base/arena.h"
#include "base/hash.h"
#include "base/numbers.h"
#include "base/records.h"
#include "direction_internal.h"
#include "rto.h"
#include "wire/types.h"

enum {
    CACHE_LINE_BYTES = 64,
    DIRECTION_BYTES = (sizeof(sctpa_direction_t) + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES
};

/* Packets are lifted near the same TSN while what was seen before them is not farther from it. */
static const int64_t lift_step = INT64_C(1) << 30, wrap = INT64_C(1) << 32;

static const sctpa_direction_rare_t nothing_rare = { .gap_acked = { .top = { 0, -1 } },
                                                     .abandoned_to = -1,
                                                     .recovery.to = -1,
                                                     .doubtful_to = -1,
                                                     .rto_min_ns = SCTPA_RTO_MIN_NS };

sctpa_direction_t *sctpa_direction_new(sctpa_store_t *store, sctpa_tap_rtt_t *receiver_tap_rtt)
{
    uint32_t serial;
    sctpa_direction_t *direction = sctpa_pool_add(&store->directions, &serial);
    sctpa_tsn_set_init(&direction->seen);
    direction->highest = direction->cum_tsn = direction->highest_gap_end = -1;
    direction->rare = &nothing_rare;
    direction->store = store;
    direction->pages = SCTPA_NO_PAGE;
    direction->serial = serial;
    direction->receiver_tap_rtt = receiver_tap_rtt;
    return direction;
}

sctpa_direction_rare_t *sctpa_direction_rare(sctpa_direction_t *direction)
{
    sctpa_direction_rare_t *rare =
        sctpa_rare_own(direction->rare, &nothing_rare, sizeof *rare, &direction->store->arena);
    direction->rare = rare;
    return rare;
}

static void rare_clear(sctpa_direction_rare_t *rare, sctpa_arena_t *arena)
{
    sctpa_tsn_set_clear(&rare->gap_acked, arena);
    sctpa_records_clear(&rare->lifts, arena, sizeof(sctpa_lift_t));
    sctpa_records_clear(&rare->forwards, arena, sizeof(sctpa_forward_t));
    sctpa_records_clear(&rare->gaps, arena, sizeof(uint32_t));
    sctpa_records_clear(&rare->rtx, arena, sizeof(sctpa_rtx_t));
    sctpa_records_clear(&rare->duplicate_tsns, arena, sizeof(sctpa_duplicate_t));
    sctpa_records_clear(&rare->heartbeats, arena, sizeof(sctpa_heartbeat_t));
}

static void direction_clear(void *object)
{
    sctpa_direction_t *direction = object;
    sctpa_arena_t *arena = &direction->store->arena;
    sctpa_tsn_set_clear(&direction->seen, arena);
    sctpa_records_clear(&direction->sacks, arena, sizeof(sctpa_sack_record_t));
    sctpa_records_clear(&direction->acked, arena, sizeof(sctpa_acked_t));
    sctpa_records_clear(&direction->paths, arena, sizeof(sctpa_data_path_t));
    sctpa_records_clear(&direction->samples, arena, sizeof(sctpa_sample_t));
    if (direction->rare != &nothing_rare)
        rare_clear(sctpa_direction_rare(direction), arena);
}

void sctpa_direction_free(sctpa_direction_t *direction)
{
    sctpa_store_t *store = direction->store;
    direction_clear(direction);
    sctpa_rare_free(direction->rare, &nothing_rare, sizeof *direction->rare, &store->arena);
    sctpa_pages_free(direction);
    sctpa_pool_remove(&store->directions, direction->serial);
}

void sctpa_store_init(sctpa_store_t *store)
{
    store->seed = sctpa_hash_seed();
    store->stamps = g_array_new(FALSE, FALSE, sizeof(sctpa_stamp_t));
    sctpa_arena_init(&store->arena);
    sctpa_pool_init(&store->directions, DIRECTION_BYTES);
    sctpa_pool_init(&store->tsns, sizeof(sctpa_tsn_t));
    sctpa_pool_init(&store->pages, sizeof(sctpa_page_t));
    sctpa_slots_init(&store->page_table);
}

void sctpa_store_clear(sctpa_store_t *store)
{
    sctpa_pool_each(&store->directions, direction_clear);
    sctpa_pool_clear(&store->directions);
    sctpa_arena_clear(&store->arena);
    g_array_unref(store->stamps);
    sctpa_pool_clear(&store->tsns);
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
    if (!direction->has_cum)
        sctpa_direction_take_window(direction, a_rwnd_bytes);
}

void sctpa_direction_take_window(sctpa_direction_t *direction, uint32_t a_rwnd_bytes)
{
    direction->a_rwnd_bytes = a_rwnd_bytes;
    direction->has_a_rwnd = true;
    direction->window_bits = MAX(direction->window_bits, (uint8_t)g_bit_storage(a_rwnd_bytes));
}

void sctpa_direction_leave(sctpa_direction_t *direction, uint16_t path, int64_t time_ns)
{
    sctpa_direction_path(direction, path)->left_ns = time_ns;
}

static int64_t lifted_near(const sctpa_direction_t *direction, int64_t near, uint32_t serial)
{
    return near + sctpa_serial_distance(sctpa_direction_serial(direction, near), serial);
}

int64_t sctpa_direction_unwrap(const sctpa_direction_t *direction, uint32_t tsn)
{
    return lifted_near(direction, MAX(direction->highest, direction->cum_tsn), tsn);
}

void sctpa_direction_add_paths(sctpa_direction_t *direction, uint16_t path)
{
    while (direction->paths.len <= path) {
        sctpa_data_path_t fresh = { .timed_packet = SCTPA_NO_PACKET_INDEX,
                                    .t3_packet = SCTPA_NO_PACKET_INDEX,
                                    .timeout_packet = SCTPA_NO_PACKET_INDEX,
                                    .heartbeat_packet = SCTPA_NO_PACKET_INDEX,
                                    .timeout_highest = -1,
                                    .unknown_packet = SCTPA_NO_PACKET_INDEX,
                                    .timed_rtx_packet = SCTPA_NO_PACKET_INDEX,
                                    .left_ns = INT64_MIN };
        sctpa_records_append(&direction->paths, &direction->store->arena, &fresh, sizeof fresh);
    }
}

const sctpa_stamp_t *sctpa_direction_stamp(const sctpa_direction_t *direction, uint32_t packet)
{
    return &g_array_index(direction->store->stamps, sctpa_stamp_t, packet);
}

void sctpa_flight_add(sctpa_direction_t *direction, const sctpa_tsn_t *tsn)
{
    sctpa_data_path_t *path = sctpa_direction_path(direction, tsn->path);
    direction->flight_bytes += tsn->bytes;
    path->flight_bytes += tsn->bytes;
    path->flight_chunks++;
}

void sctpa_flight_remove(sctpa_direction_t *direction, const sctpa_tsn_t *tsn)
{
    sctpa_data_path_t *path = sctpa_direction_path(direction, tsn->path);
    direction->flight_bytes -= tsn->bytes;
    path->flight_bytes -= tsn->bytes;
    path->flight_chunks--;
}

/* What the last DATA packet was lifted near that is lift number n - 1; TSNs begin near 0. */
static sctpa_lift_t lift_before(const sctpa_direction_t *direction, uint32_t n)
{
    const sctpa_records_t *lifts = &direction->rare->lifts;
    return n > 0 ? SCTPA_RECORD(lifts, sctpa_lift_t, n - 1) : (sctpa_lift_t){ SCTPA_NO_PACKET_INDEX, 0 };
}

int64_t sctpa_direction_lift(sctpa_direction_t *direction, uint32_t serial, uint32_t packet)
{
    sctpa_lift_t last = lift_before(direction, direction->rare->lifts.len),
                 now = { packet, MAX(direction->highest, direction->cum_tsn) };
    if (ABS(now.near - last.near) >= lift_step) {
        if (last.packet == packet)
            now.near = last.near;
        else
            sctpa_records_append(&sctpa_direction_rare(direction)->lifts, &direction->store->arena, &now, sizeof now);
    }
    return lifted_near(direction, now.near, serial);
}

/* The TSN of a packet that was lifted less than lift_step from near. */
static const sctpa_tsn_t *find_lifted(const sctpa_direction_t *direction, int64_t near, uint32_t serial,
                                      uint32_t packet, int64_t *tsn)
{
    int64_t nearest = lifted_near(direction, near, serial), other = nearest < near ? nearest + wrap : nearest - wrap;
    const int64_t candidates[] = { nearest, other };
    for (unsigned i = 0; i < G_N_ELEMENTS(candidates); i++) {
        const sctpa_tsn_t *found = sctpa_direction_tsn(direction, *tsn = candidates[i]);
        if (found && sctpa_direction_transmission(direction, found, packet, &(const sctpa_rtx_t *){ NULL }) > 0)
            return found;
    }
    return NULL;
}

const sctpa_tsn_t *sctpa_direction_tsn_in(const sctpa_direction_t *direction, uint32_t serial, uint32_t packet,
                                          int64_t *tsn)
{
    const sctpa_records_t *lifts = &direction->rare->lifts;
    uint32_t n = sctpa_records_from(lifts->data, lifts->len, sizeof(sctpa_lift_t), packet + 1);
    sctpa_lift_t last = lift_before(direction, n);
    const sctpa_tsn_t *found = find_lifted(direction, last.near, serial, packet, tsn);
    if (!found && last.packet == packet)
        found = find_lifted(direction, lift_before(direction, n - 1).near, serial, packet, tsn);
    return found;
}

const sctpa_tsn_t *sctpa_direction_tsn_near(const sctpa_direction_t *direction, uint32_t serial, uint32_t packet,
                                            int64_t *tsn)
{
    const sctpa_records_t *lifts = &direction->rare->lifts;
    const uint32_t n = sctpa_records_from(lifts->data, lifts->len, sizeof(sctpa_lift_t), packet + 1);
    return sctpa_direction_tsn(direction, *tsn = lifted_near(direction, lift_before(direction, n).near, serial));
}

const sctpa_rtx_t *sctpa_direction_rtx_until(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn,
                                             uint32_t packet)
{
    const sctpa_records_t *records = &direction->rare->rtx;
    uint32_t at = sctpa_chain_find(SCTPA_CHAIN(records, sctpa_rtx_t, link), tsn->more, packet);
    return at ? &SCTPA_RECORD(records, sctpa_rtx_t, at - 1) : NULL;
}

bool sctpa_direction_resends(const sctpa_direction_t *direction, uint32_t first, uint32_t last)
{
    const sctpa_records_t *all = &direction->rare->rtx;
    const uint32_t at = sctpa_records_from(all->data, all->len, sizeof(sctpa_rtx_t), first);
    return at < all->len && SCTPA_RECORD(all, sctpa_rtx_t, at).packet <= last;
}

unsigned sctpa_direction_transmission(const sctpa_direction_t *direction, const sctpa_tsn_t *tsn, uint32_t packet,
                                      const sctpa_rtx_t **rtx)
{
    *rtx = NULL;
    if (tsn->first_packet == packet)
        return 1;
    const sctpa_rtx_t *found = sctpa_direction_rtx_until(direction, tsn, packet);
    if (!found || found->packet != packet)
        return 0;
    *rtx = found;
    return found->link.number + 1;
}

const sctpa_acked_t *sctpa_direction_acked(const sctpa_direction_t *direction, uint32_t packet, uint16_t order)
{
    const sctpa_records_t *acked = &direction->acked;
    uint32_t at = sctpa_records_from(acked->data, acked->len, sizeof(sctpa_acked_t), packet), wanted = 2u * order + 1;
    uint32_t end = sctpa_records_from(acked->data, acked->len, sizeof(sctpa_acked_t), packet + 1), behind = end;
    while (at < behind) {
        uint32_t middle = at + (behind - at) / 2;
        if (SCTPA_RECORD(acked, sctpa_acked_t, middle).order < wanted)
            at = middle + 1;
        else
            behind = middle;
    }
    return at < end && SCTPA_RECORD(acked, sctpa_acked_t, at).order == wanted ? &SCTPA_RECORD(acked, sctpa_acked_t, at)
                                                                              : NULL;
}

/* Index of the first sample that packet or a later one ended. */
static uint32_t samples_from(const sctpa_direction_t *direction, uint32_t packet)
{
    return sctpa_records_from(direction->samples.data, direction->samples.len, sizeof(sctpa_sample_t), packet);
}

uint32_t sctpa_direction_samples(const sctpa_direction_t *direction, uint32_t packet, uint32_t *n)
{
    uint32_t first = samples_from(direction, packet);
    *n = samples_from(direction, packet + 1) - first;
    return first;
}

const sctpa_sample_t *sctpa_direction_sample(const sctpa_direction_t *direction, uint16_t path, uint32_t packet)
{
    if (path >= direction->paths.len)
        return NULL;
    uint32_t newest = SCTPA_RECORD(&direction->paths, sctpa_data_path_t, path).last_sample;
    uint32_t at = sctpa_chain_find(SCTPA_CHAIN(&direction->samples, sctpa_sample_t, link), newest, packet);
    return at ? &SCTPA_RECORD(&direction->samples, sctpa_sample_t, at - 1) : NULL;
}

int64_t sctpa_direction_rto_ns(const sctpa_direction_t *direction, const sctpa_sample_t *sample)
{
    const sctpa_rto_bounds_t bounds = { SCTPA_RTO_INITIAL_NS, direction->rare->rto_min_ns, SCTPA_RTO_MAX_NS };
    return sctpa_rto_backed_off_ns(sctpa_sample_unbounded_ns(sample), sample->backoffs, &bounds);
}

uint64_t sctpa_direction_unseen_acked(const sctpa_direction_t *direction)
{
    const uint64_t unseen = direction->rare->unseen_acked;
    return direction->tsns == 0 ? unseen
                                : unseen + sctpa_tsn_set_lacking(&direction->rare->gap_acked, &direction->seen,
                                                                 MAX(direction->cum_tsn + 1, 0));
}

const char *sctpa_rtx_word(sctpa_rtx_kind_t kind)
{
    static const char *const words[SCTPA_RTX_KINDS] = { "fast",     "early",  "timeout", "probe",
                                                        "handover", "report", "unknown" };
    return words[kind];
}

static sctpa_records_t records_copy(const sctpa_records_t *of, sctpa_arena_t *arena, size_t bytes)
{
    sctpa_records_t copy = { .data = NULL };
    for (uint32_t i = 0; i < of->len; i++)
        sctpa_records_append(&copy, arena, of->data + i * bytes, bytes);
    return copy;
}

static sctpa_tsn_set_t set_copy(const sctpa_tsn_set_t *of, sctpa_arena_t *arena)
{
    sctpa_tsn_set_t copy;
    sctpa_range_t range;
    sctpa_tsn_set_init(&copy);
    for (int64_t from = INT64_MIN; sctpa_tsn_set_next(of, from, INT64_MAX - 1, &range); from = range.last + 1)
        sctpa_tsn_set_add(&copy, arena, range);
    return copy;
}

static void rare_copy(sctpa_direction_t *copy, const sctpa_direction_rare_t *of)
{
    sctpa_arena_t *arena = &copy->store->arena;
    sctpa_direction_rare_t *rare = sctpa_direction_rare(copy);
    *rare = *of;
    rare->gaps = records_copy(&of->gaps, arena, sizeof(uint32_t));
    rare->rtx = records_copy(&of->rtx, arena, sizeof(sctpa_rtx_t));
    rare->duplicate_tsns = records_copy(&of->duplicate_tsns, arena, sizeof(sctpa_duplicate_t));
    rare->heartbeats = records_copy(&of->heartbeats, arena, sizeof(sctpa_heartbeat_t));
    rare->lifts = records_copy(&of->lifts, arena, sizeof(sctpa_lift_t));
    rare->forwards = records_copy(&of->forwards, arena, sizeof(sctpa_forward_t));
    rare->gap_acked = set_copy(&of->gap_acked, arena);
}

static void tsn_copy(void *user, int64_t number, sctpa_tsn_t *tsn)
{
    *sctpa_pages_get(user, number) = *tsn;
}

sctpa_direction_t *sctpa_direction_copy(const sctpa_direction_t *of, sctpa_tap_rtt_t *receiver_tap_rtt)
{
    sctpa_direction_t *copy = sctpa_direction_new(of->store, receiver_tap_rtt);
    const sctpa_direction_t fresh = *copy;
    sctpa_arena_t *arena = &of->store->arena;
    *copy = *of;
    copy->serial = fresh.serial;
    copy->pages = fresh.pages;
    copy->page = NULL;
    copy->rare = fresh.rare;
    copy->receiver_tap_rtt = receiver_tap_rtt;
    copy->watched = false;
    copy->seen = set_copy(&of->seen, arena);
    copy->sacks = records_copy(&of->sacks, arena, sizeof(sctpa_sack_record_t));
    copy->acked = records_copy(&of->acked, arena, sizeof(sctpa_acked_t));
    copy->paths = records_copy(&of->paths, arena, sizeof(sctpa_data_path_t));
    copy->samples = records_copy(&of->samples, arena, sizeof(sctpa_sample_t));
    if (of->rare != fresh.rare)
        rare_copy(copy, of->rare);
    sctpa_pages_each(of, tsn_copy, copy);
    return copy;
}
