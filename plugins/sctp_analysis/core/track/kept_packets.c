/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks for blocks of packets that nobody needs, and has the system take their pages back. */
#define _DEFAULT_SOURCE /* madvise */
#include "kept_packets.h"

#ifdef __linux__
#include <sys/auxv.h>
#include <sys/mman.h>
#endif

#include "base/records.h"
#include "tracker.h"

enum { BLOCKS_LEAST = 16 }; /* with fewer to give back, looking is not worth it */

/* Gives the pages back that lie wholly in bytes of an array from begin to end, and reads as zero what lay there. Linux
 * alone promises that of memory that malloc gave. */
static void give_back(const GArray *array, size_t begin, size_t end)
{
#ifdef __linux__
    const uintptr_t page = (uintptr_t)getauxval(AT_PAGESZ), base = (uintptr_t)array->data;
    const uintptr_t from = (base + begin + page - 1) / page * page, to = (base + end) / page * page;
    if (from < to)
        (void)madvise((void *)from, to - from, MADV_DONTNEED);
#else
    (void)array, (void)begin, (void)end;
#endif
}

/* The first record of a block stays: by it a frame is found among blocks. */
static void return_block(sctpa_tracker_t *tracker, uint32_t block)
{
    const size_t first = (size_t)block << SCTPA_KEPT_BLOCK_BITS, end = first + SCTPA_KEPT_BLOCK;
    give_back(tracker->records, (first + 1) * sizeof(sctpa_record_t), end * sizeof(sctpa_record_t));
    give_back(tracker->store.stamps, first * sizeof(sctpa_stamp_t), end * sizeof(sctpa_stamp_t));
    tracker->kept.returned->data[block] = 1;
    tracker->kept.n_returned++;
}

static bool is_needed(const sctpa_tracker_t *tracker, uint32_t block)
{
    const sctpa_record_t *records = (const sctpa_record_t *)(const void *)tracker->records->data;
    const uint32_t first = block << SCTPA_KEPT_BLOCK_BITS;
    for (uint32_t i = first; i < first + SCTPA_KEPT_BLOCK; i++)
        if (records[i].assoc != SCTPA_NO_ASSOC && !sctpa_tracked_is_none(sctpa_tracked_find(tracker, records[i].assoc)))
            return true;
    return false;
}

static void return_blocks(sctpa_tracker_t *tracker)
{
    sctpa_kept_packets_t *kept = &tracker->kept;
    const uint32_t whole = tracker->records->len >> SCTPA_KEPT_BLOCK_BITS;
    if (!kept->returned)
        kept->returned = g_byte_array_new();
    const uint32_t known = kept->returned->len;
    if (whole > known) {
        g_byte_array_set_size(kept->returned, whole);
        memset(kept->returned->data + known, 0, whole - known);
    }
    for (uint32_t block = 0; block < whole; block++)
        if (!kept->returned->data[block] && !is_needed(tracker, block))
            return_block(tracker, block);
}

uint32_t sctpa_kept_packets_count(const sctpa_tracker_t *tracker)
{
    return tracker->records->len - (tracker->kept.n_returned << SCTPA_KEPT_BLOCK_BITS);
}

void sctpa_kept_packets_forget(sctpa_tracker_t *tracker, uint32_t packets)
{
    sctpa_kept_packets_t *kept = &tracker->kept;
    kept->gone += packets;
    if (kept->gone < MAX(BLOCKS_LEAST * SCTPA_KEPT_BLOCK, sctpa_kept_packets_count(tracker) / 2))
        return;
    kept->gone = 0;
    return_blocks(tracker);
}

/* In what is gone every frame is 0, which leads behind it: so blocks are told apart by their first records. */
uint32_t sctpa_record_from(const GArray *records, uint32_t frame)
{
    const uint32_t blocks = (records->len + SCTPA_KEPT_BLOCK - 1) >> SCTPA_KEPT_BLOCK_BITS;
    const uint32_t above =
        sctpa_records_from(records->data, blocks, sizeof(sctpa_record_t) << SCTPA_KEPT_BLOCK_BITS, frame);
    if (above == 0)
        return 0;
    const uint32_t first = (above - 1) << SCTPA_KEPT_BLOCK_BITS;
    return first + sctpa_records_from(&g_array_index(records, sctpa_record_t, first),
                                      MIN(records->len - first, SCTPA_KEPT_BLOCK), sizeof(sctpa_record_t), frame);
}
