/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting the packets that a filter selects, or those of a part of the time, from the records of the analysis: the
 * bytes of packets are not kept. */
#include "tally.h"

enum { CHUNK_VALUES = 256 };

typedef struct {
    uint32_t assoc, pair;
    uint8_t from;
} place_t;

typedef struct {
    place_t place; /* first, so that a slot is its own key */
    sctpa_tally_slot_t slot;
} placed_t;

struct sctpa_tally {
    GHashTable *placed;  /* place_t -> placed_t, the open slot of each place */
    GPtrArray *all;      /* placed_t, owned */
    sctpa_arena_t arena; /* of their counts */
    uint32_t packets;
    sctpa_packets_t selected;
    bool is_of_time; /* from_ns to to_ns */
    int64_t from_ns, to_ns;
};

static guint place_hash(gconstpointer key)
{
    const place_t *place = key;
    return place->assoc * 2654435761u ^ place->pair * 40503u ^ place->from;
}

static gboolean place_equal(gconstpointer a, gconstpointer b)
{
    const place_t *x = a, *y = b;
    return x->assoc == y->assoc && x->pair == y->pair && x->from == y->from;
}

static void placed_free(gpointer data)
{
    placed_t *placed = data;
    g_free(placed->slot.unknown_chunks);
    g_free(placed);
}

sctpa_tally_t *sctpa_tally_new(void)
{
    sctpa_tally_t *tally = g_new0(sctpa_tally_t, 1);
    tally->placed = g_hash_table_new(place_hash, place_equal);
    tally->all = g_ptr_array_new_with_free_func(placed_free);
    sctpa_arena_init(&tally->arena);
    return tally;
}

void sctpa_tally_reset(sctpa_tally_t *tally)
{
    g_hash_table_remove_all(tally->placed);
    g_ptr_array_set_size(tally->all, 0);
    sctpa_arena_clear(&tally->arena);
    tally->packets = 0;
    tally->is_of_time = false;
    sctpa_packets_clear(&tally->selected);
}

void sctpa_tally_free(sctpa_tally_t *tally)
{
    if (!tally)
        return;
    g_hash_table_destroy(tally->placed);
    g_ptr_array_free(tally->all, TRUE);
    sctpa_arena_clear(&tally->arena);
    sctpa_packets_clear(&tally->selected);
    g_free(tally);
}

static bool is_still_at(const sctpa_t *sctpa, const placed_t *placed)
{
    sctpa_packet_result_t result;
    if (!sctpa_packet_result(sctpa, placed->slot.index, &result))
        return false;
    place_t place = { .assoc = result.assoc, .pair = result.pair, .from = result.from };
    return place_equal(&place, &placed->place);
}

/* The slot for packets of place. One whose packets have moved elsewhere since is closed. */
static sctpa_tally_slot_t *slot_at(sctpa_tally_t *tally, const sctpa_t *sctpa, const place_t *place, uint32_t index)
{
    placed_t *placed = g_hash_table_lookup(tally->placed, place);
    if (!placed || !is_still_at(sctpa, placed)) {
        placed = g_new0(placed_t, 1);
        placed->place = *place;
        placed->slot.index = index;
        g_hash_table_replace(tally->placed, &placed->place, placed);
        g_ptr_array_add(tally->all, placed);
    }
    return &placed->slot;
}

/* Duplicates that a SACK reports, when its packet was not damaged. */
static uint32_t duplicates_of(const sctpa_t *sctpa, uint32_t index, const sctpa_tlv_t *chunk)
{
    sctpa_sack_t sack;
    bool taken = sctpa_packet_stamp(sctpa, index)->holds & SCTPA_STAMP_SACK;
    return sctpa_tlv_is_sack(chunk) && taken && sctpa_sack_parse(chunk, &sack) ? sack.n_duplicates : 0;
}

static bool is_duplicate(const sctpa_t *sctpa, uint32_t index)
{
    sctpa_packet_result_t result;
    return sctpa_packet_result(sctpa, index, &result) && result.remarks & SCTPA_CAPTURE_DUPLICATE;
}

/* The slot where a packet of the analysis counts; NULL: it is a copy, or of no association. O(1). */
static sctpa_tally_slot_t *tally_slot_of(sctpa_tally_t *tally, const sctpa_t *sctpa, uint32_t index)
{
    sctpa_packet_result_t result;
    if (!sctpa_packet_result(sctpa, index, &result) ||
        !(sctpa_packet_shows(sctpa, &result, 0) || sctpa_packet_shows(sctpa, &result, 1)))
        return NULL;
    place_t place = { .assoc = result.assoc, .pair = result.pair, .from = result.from };
    return slot_at(tally, sctpa, &place, index);
}

/* Takes a packet of that slot. frame and time are its own. O(1). */
static void tally_take(sctpa_tally_t *tally, sctpa_tally_slot_t *slot, const sctpa_t *sctpa, uint32_t index,
                       const sctpa_packet_t *packet)
{
    sctpa_packet_result_t result;
    sctpa_packets_add(&tally->selected, index);
    if (is_duplicate(sctpa, index))
        return;
    sctpa_counts_add_packet(&slot->counts, packet);
    if (sctpa_packet_result(sctpa, index, &result))
        slot->checksums[result.checksum]++;
}

/* Takes a chunk of a packet of that slot, of a row, with so many bytes of user data. O(1). */
static void tally_take_chunk(sctpa_tally_t *tally, sctpa_tally_slot_t *slot, unsigned row, uint64_t data_bytes)
{
    sctpa_counts_add_chunks(&slot->counts, &tally->arena, row, 1);
    slot->counts.data_bytes += data_bytes;
}

void sctpa_tally_add(sctpa_tally_t *tally, const sctpa_t *sctpa, uint32_t index, const sctpa_packet_t *packet)
{
    sctpa_tlv_iter_t iter;
    sctpa_tlv_t chunk;
    sctpa_tally_slot_t *slot = tally_slot_of(tally, sctpa, index);

    tally->packets++;
    if (!slot)
        return;
    tally_take(tally, slot, sctpa, index, packet);
    if (is_duplicate(sctpa, index))
        return;
    sctpa_chunks_begin(&iter, packet->bytes, packet->captured_bytes, packet->wire_bytes);
    while (sctpa_tlv_next(&iter, &chunk)) {
        sctpa_counts_add_chunk(&slot->counts, &tally->arena, &chunk);
        slot->duplicates += duplicates_of(sctpa, index, &chunk);
        if (sctpa_chunk_row((uint8_t)chunk.type) != SCTPA_CHUNK_ROW_OTHER)
            continue;
        if (!slot->unknown_chunks)
            slot->unknown_chunks = g_new0(uint32_t, CHUNK_VALUES);
        slot->unknown_chunks[(uint8_t)chunk.type]++;
    }
}

/* The tally is of this time. */
static void tally_set_time(sctpa_tally_t *tally, int64_t from_ns, int64_t to_ns)
{
    tally->is_of_time = true;
    tally->from_ns = from_ns;
    tally->to_ns = to_ns;
}

bool sctpa_tally_has_moment(const sctpa_tally_t *tally, int64_t time_ns)
{
    return !tally || !tally->is_of_time || (tally->from_ns <= time_ns && time_ns <= tally->to_ns);
}

bool sctpa_tally_knows_chunks(const sctpa_tally_t *tally)
{
    return !tally || !tally->is_of_time;
}

void sctpa_tally_each(const sctpa_tally_t *tally, void (*each)(void *user, const sctpa_tally_slot_t *slot), void *user)
{
    for (unsigned i = 0; i < tally->all->len; i++)
        each(user, &((const placed_t *)g_ptr_array_index(tally->all, i))->slot);
}

uint32_t sctpa_tally_packets(const sctpa_tally_t *tally)
{
    return tally->packets;
}

const sctpa_packets_t *sctpa_tally_selected(const sctpa_tally_t *tally)
{
    return &tally->selected;
}

typedef struct {
    sctpa_tally_t *tally;
    const sctpa_t *sctpa;
    const sctpa_direction_t *direction;
} counting_t;

static void add_packet(sctpa_tally_t *tally, const sctpa_t *sctpa, uint32_t index)
{
    sctpa_tally_slot_t *slot = tally_slot_of(tally, sctpa, index);
    const sctpa_packet_t packet = { .frame = sctpa_packet_frame(sctpa, index),
                                    .time_ns = sctpa_packet_time_ns(sctpa, index),
                                    .ip_bytes = sctpa_packet_stamp(sctpa, index)->wire_bytes };
    if (slot)
        tally_take(tally, slot, sctpa, index, &packet);
}

/* A transmission of a TSN. */
static void add_data(const counting_t *counting, const sctpa_tsn_t *tsn, uint32_t packet)
{
    if (!sctpa_packets_has(sctpa_tally_selected(counting->tally), packet))
        return;
    sctpa_tally_slot_t *slot = tally_slot_of(counting->tally, counting->sctpa, packet);
    tally_take_chunk(counting->tally, slot,
                     tsn->flags & SCTPA_TSN_I_DATA ? SCTPA_CHUNK_ROW_I_DATA : SCTPA_CHUNK_ROW_DATA, tsn->bytes);
}

static void add_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    const counting_t *counting = user;
    const sctpa_rtx_t *rtx;
    (void)number;
    add_data(counting, tsn, tsn->first_packet);
    for (uint32_t at = tsn->more; at != 0; at = rtx->link.before) {
        rtx = sctpa_direction_rtx(counting->direction, at);
        add_data(counting, tsn, rtx->packet);
    }
}

static void add_duplicates(const counting_t *counting)
{
    const sctpa_records_t *duplicates = &counting->direction->rare->duplicate_tsns;
    for (unsigned i = 0; i < duplicates->len; i++) {
        uint32_t packet = SCTPA_RECORD(duplicates, sctpa_duplicate_t, i).packet;
        if (sctpa_packets_has(sctpa_tally_selected(counting->tally), packet))
            tally_slot_of(counting->tally, counting->sctpa, packet)->duplicates++;
    }
}

void sctpa_tally_add_time(sctpa_tally_t *tally, const sctpa_t *sctpa, uint32_t assoc, int64_t from_ns, int64_t to_ns)
{
    uint32_t packets = sctpa_summary(sctpa)->packets;
    sctpa_packet_result_t result;
    tally_set_time(tally, from_ns, to_ns);
    for (uint32_t index = 0; index < packets; index++)
        if (sctpa_tally_has_moment(tally, sctpa_packet_time_ns(sctpa, index)) &&
            sctpa_packet_result(sctpa, index, &result) && result.assoc == assoc)
            add_packet(tally, sctpa, index);
    for (uint8_t end = 0; end < 2; end++) {
        counting_t counting = { tally, sctpa, sctpa_direction(sctpa, assoc, end) };
        if (!counting.direction)
            continue;
        sctpa_direction_each(counting.direction, add_tsn, &counting);
        add_duplicates(&counting);
    }
}
