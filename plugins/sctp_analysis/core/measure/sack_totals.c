/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many SACKs a receiver sent for a direction of data, and what they were good for. */
#include "source.h"

/* Where the walk of SACKs stands in the records of what they newly acked. */
typedef struct {
    uint32_t acked;  /* the next record */
    uint32_t packet; /* of the SACK before */
    unsigned order;  /* of the SACK in its packet */
} place_t;

/* Did the SACK newly acknowledge anything? Called with each SACK in order. */
static bool has_news(const sctpa_direction_t *direction, const sctpa_sack_record_t *sack, place_t *place)
{
    const sctpa_records_t *all = &direction->acked;
    place->order = sack->packet == place->packet ? place->order + 1 : 0;
    place->packet = sack->packet;
    const unsigned wanted = 2 * place->order + 1;
    for (; place->acked < all->len; place->acked++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(all, sctpa_acked_t, place->acked);
        if (acked->packet > sack->packet || (acked->packet == sack->packet && acked->order >= wanted))
            return acked->packet == sack->packet && acked->order == wanted;
    }
    return false;
}

static bool is_update(const sctpa_sack_record_t *before, const sctpa_sack_record_t *sack)
{
    return before && sack->cum_tsn == before->cum_tsn && sack->gaps == before->gaps &&
           sack->a_rwnd_bytes > before->a_rwnd_bytes;
}

/* Does a SACK report duplicates? */
static bool has_duplicates(const sctpa_direction_t *direction, uint32_t packet)
{
    const sctpa_records_t *all = &direction->rare->duplicate_tsns;
    const uint32_t at = sctpa_records_from(all->data, all->len, sizeof(sctpa_duplicate_t), packet);
    return at < all->len && SCTPA_RECORD(all, sctpa_duplicate_t, at).packet == packet;
}

/* Does it list duplicates, or did the network double the one before it? */
static bool is_answer(const sctpa_direction_t *direction, const sctpa_sack_record_t *before,
                      const sctpa_sack_record_t *sack)
{
    const uint16_t id = sctpa_stamp_ip_id(sctpa_direction_stamp(direction, sack->packet));
    return has_duplicates(direction, sack->packet) ||
           (id != 0 && id == sctpa_stamp_ip_id(sctpa_direction_stamp(direction, before->packet)));
}

/* A SACK that says the same as the one before, by itself, unless a packet with DATA made it. */
static void take_same(sctpa_sack_totals_t *totals, const sctpa_direction_t *direction,
                      const sctpa_sack_record_t *before, const sctpa_sack_record_t *sack)
{
    const sctpa_stamp_t *stamp = sctpa_direction_stamp(direction, sack->packet);
    const bool answers = is_answer(direction, before, sack);
    totals->answering += answers;
    if (answers || stamp->holds & SCTPA_STAMP_DATA)
        return;
    totals->repeated++;
    totals->unnumbered += sctpa_stamp_ip_id(stamp) == 0;
}

static bool says_same(const sctpa_sack_record_t *before, const sctpa_sack_record_t *sack)
{
    return before && sack->packet != before->packet && sack->cum_tsn == before->cum_tsn && sack->gaps == before->gaps &&
           sack->a_rwnd_bytes == before->a_rwnd_bytes;
}

/* Without a gap, data beside it or a higher a_rwnd. */
static bool adds_nothing(const sctpa_direction_t *direction, const sctpa_sack_record_t *before,
                         const sctpa_sack_record_t *sack)
{
    return sack->gaps == 0 && before->gaps == 0 && sack->cum_tsn == before->cum_tsn &&
           sack->a_rwnd_bytes <= before->a_rwnd_bytes &&
           !(sctpa_direction_stamp(direction, sack->packet)->holds & SCTPA_STAMP_DATA);
}

bool sctpa_sack_is_silent(const sctpa_direction_t *direction, const sctpa_sack_record_t *before,
                          const sctpa_sack_record_t *sack)
{
    return adds_nothing(direction, before, sack) && !is_answer(direction, before, sack);
}

uint32_t sctpa_same_sacks(const sctpa_direction_t *direction, uint32_t since, uint32_t until)
{
    const sctpa_records_t *sacks = &direction->sacks;
    uint32_t at = sctpa_records_from(sacks->data, sacks->len, sizeof(sctpa_sack_record_t), since + 1), same = 0;
    for (at = MAX(at, 1); at < sacks->len; at++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, at);
        if (sack->packet > until)
            break;
        same += adds_nothing(direction, sack - 1, sack);
    }
    return same;
}

sctpa_sack_totals_t sctpa_measure_sacks(const sctpa_source_t *source)
{
    sctpa_sack_totals_t totals = { .sacks = 0 };
    const sctpa_sack_record_t *before = NULL;
    place_t place = { 0, SCTPA_NO_PACKET_INDEX, 0 };
    if (!source->direction)
        return totals;
    const sctpa_records_t *sacks = &source->direction->sacks;
    for (uint32_t i = 0; i < sacks->len; i++) {
        const sctpa_sack_record_t *sack = &SCTPA_RECORD(sacks, sctpa_sack_record_t, i);
        const bool is_news = has_news(source->direction, sack, &place);
        if (sctpa_packets_has(source->selected, sack->packet)) {
            totals.sacks++;
            totals.idle += !is_news;
            if (!is_news && says_same(before, sack))
                take_same(&totals, source->direction, before, sack);
            totals.largest_bytes = MAX(totals.largest_bytes, sack->a_rwnd_bytes);
            if (!is_news && is_update(before, sack)) {
                totals.updates++;
                totals.raised_bytes += sack->a_rwnd_bytes - before->a_rwnd_bytes;
            }
        }
        before = sack;
    }
    return totals;
}
