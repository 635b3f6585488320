/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series of user bytes sent and acknowledged so far (the byte graph of Rüngeler's dissertation). */
#include "measure/order.h"
#include "series_parts.h"

/* Bytes that a packet adds. */
typedef struct {
    uint32_t packet, bytes;
} addition_t;

typedef struct {
    const sctpa_series_making_t *making;
    GArray *sent, *acked; /* addition_t */
} gathering_t;

static void add(GArray *additions, uint32_t packet, uint32_t bytes)
{
    const addition_t addition = { packet, bytes };
    g_array_append_val(additions, addition);
}

static void gather(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    const gathering_t *gathering = user;
    const uint32_t acked = MIN(tsn->gap_packet, tsn->ack_packet);
    add(gathering->sent, tsn->first_packet, tsn->bytes);
    if (acked != SCTPA_NO_PACKET_INDEX &&
        !sctpa_direction_is_given_up(gathering->making->source->direction, number, tsn))
        add(gathering->acked, acked, tsn->bytes);
}

static int packet_order(gconstpointer a, gconstpointer b, gpointer user)
{
    const addition_t *x = a, *y = b;
    (void)user;
    return x->packet < y->packet ? -1 : x->packet > y->packet;
}

/* One point for each packet: the sum up to it. */
static void accumulate(const sctpa_series_making_t *making, sctpa_series_kind_t kind, GArray *additions)
{
    int64_t sum = 0;
    sctpa_order(additions, packet_order, NULL);
    for (guint i = 0; i < additions->len; i++) {
        const addition_t *addition = &g_array_index(additions, addition_t, i);
        sum += addition->bytes;
        if (i + 1 == additions->len || g_array_index(additions, addition_t, i + 1).packet != addition->packet)
            sctpa_series_add(making, kind, addition->packet, SCTPA_SERIES_ANY_PATH, sum, 0);
    }
}

void sctpa_series_make_bytes(sctpa_series_making_t *making)
{
    if (!(making->request->kinds & sctpa_series_of_walk(SCTPA_WALK_BYTES)))
        return;
    gathering_t gathering = { making, g_array_new(FALSE, FALSE, sizeof(addition_t)),
                              g_array_new(FALSE, FALSE, sizeof(addition_t)) };
    sctpa_direction_each(making->source->direction, gather, &gathering);
    accumulate(making, SCTPA_SERIES_SENT_BYTES, gathering.sent);
    if (!making->source->data_only)
        accumulate(making, SCTPA_SERIES_ACKED_BYTES, gathering.acked);
    g_array_unref(gathering.sent);
    g_array_unref(gathering.acked);
}
