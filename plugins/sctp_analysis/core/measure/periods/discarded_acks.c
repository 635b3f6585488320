/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SACKs with checksum zero that their receiver drops: what its timer goes on retransmitting shows it. */
#include "discarded_acks.h"

#include "base/serial.h"
#include "data/tap_rtt.h"

/* One alone may be the ack that was lost behind the tap. */
enum { AGAIN_LEAST = 2 };

/* The lowest TSN whose first ack has checksum zero. */
typedef struct {
    const sctpa_series_source_t *source;
    const sctpa_tsn_t *tsn;
    int64_t number;
    uint32_t acked;
} lowest_t;

static void take_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    lowest_t *lowest = user;
    const uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    if (lowest->tsn || acked == SCTPA_NO_PACKET_INDEX || tsn->transmissions == 0 || acked <= tsn->first_packet ||
        !lowest->source->is_unchecked(lowest->source, acked))
        return;
    lowest->tsn = tsn;
    lowest->number = number;
    lowest->acked = acked;
}

static GArray *right_sacks(const sctpa_series_source_t *source)
{
    GArray *right = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    const sctpa_records_t *sacks = &source->direction->sacks;
    for (uint32_t i = 0; i < sacks->len; i++)
        if (!source->is_unchecked(source, SCTPA_RECORD(sacks, sctpa_sack_record_t, i).packet))
            g_array_append_val(right, i);
    return right;
}

/* Retransmissions of a TSN that left after the sender had the ack, up to the next that is right; and how many of them a
 * timer surely sent. */
static uint64_t count_again(const lowest_t *lowest, int64_t had_ns, uint32_t until, uint64_t *timed)
{
    const sctpa_direction_t *direction = lowest->source->direction;
    uint64_t again = 0;
    for (uint32_t at = lowest->tsn->more; at > 0; at = sctpa_direction_rtx(direction, at)->link.before) {
        const sctpa_rtx_t *rtx = sctpa_direction_rtx(direction, at);
        const bool is_after = rtx->packet < until && sctpa_direction_time_ns(direction, rtx->packet) > had_ns;
        again += is_after;
        *timed += is_after && rtx->kind == SCTPA_RTX_TIMEOUT;
    }
    return again;
}

static uint64_t count_expiries(const sctpa_direction_t *direction, int64_t had_ns, uint32_t until)
{
    uint64_t expiries = 0;
    for (uint32_t i = 0; i < direction->samples.len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, i);
        expiries += sample->kind == SCTPA_SAMPLE_BACKOFF && sample->packet < until &&
                    sctpa_direction_time_ns(direction, sample->packet) > had_ns;
    }
    return expiries;
}

sctpa_discarded_acks_t sctpa_discarded_acks(const sctpa_series_source_t *source)
{
    const sctpa_direction_t *direction = source->direction;
    lowest_t lowest = { .source = source };
    sctpa_discarded_acks_t discarded = { .packet = SCTPA_NO_PACKET_INDEX };
    if (!direction || !source->is_unchecked || source->data_only)
        return discarded;
    sctpa_direction_each(direction, take_tsn, &lowest);
    if (!lowest.tsn || lowest.tsn->more == 0)
        return discarded;
    discarded.right = right_sacks(source);
    const uint32_t until = sctpa_discarded_acks_next(&discarded, direction, lowest.number, lowest.acked);
    const int64_t had_ns =
        sctpa_direction_time_ns(direction, lowest.acked) + MAX(source->sender_tap_rtt.most_ns, 0) + SCTPA_TICK_NS;
    uint64_t timed = 0;
    const uint64_t again = count_again(&lowest, had_ns, until, &timed);
    discarded.packet = lowest.acked;
    if (again >= AGAIN_LEAST && count_expiries(direction, had_ns, until) <= timed)
        discarded.again = again;
    else
        sctpa_discarded_acks_clear(&discarded);
    return discarded;
}

void sctpa_discarded_acks_clear(sctpa_discarded_acks_t *discarded)
{
    if (discarded->right)
        g_array_unref(discarded->right);
    discarded->right = NULL;
}

uint32_t sctpa_discarded_acks_next(const sctpa_discarded_acks_t *discarded, const sctpa_direction_t *direction,
                                   int64_t number, uint32_t packet)
{
    const uint32_t serial = sctpa_direction_serial(direction, number);
    unsigned from = 0, to = discarded->right->len;
    while (from < to) {
        const unsigned middle = (from + to) / 2;
        const sctpa_sack_record_t *sack =
            &SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, g_array_index(discarded->right, uint32_t, middle));
        if (sack->packet < packet || sctpa_serial_distance(serial, sack->cum_tsn) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == discarded->right->len)
        return SCTPA_NO_PACKET_INDEX;
    return SCTPA_RECORD(&direction->sacks, sctpa_sack_record_t, g_array_index(discarded->right, uint32_t, from)).packet;
}
