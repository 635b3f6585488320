/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What went wrong with the paths of an endpoint, and how its new data moved between them. */
#include "path_trouble.h"

#include "triage.h"

static bool is_on_path(const sctpa_view_t *view, uint32_t packet, uint16_t path)
{
    sctpa_packet_result_t result;
    return packet != SCTPA_NO_PACKET_INDEX && sctpa_packet_result(view->sctpa, packet, &result) && result.path == path;
}

/* The last ack before a packet of data that was last sent to the path, which clears its errors (RFC 9260 8.2). */
static uint32_t last_answer(const sctpa_view_t *view, const sctpa_direction_t *direction, uint16_t path,
                            uint32_t packet)
{
    for (uint32_t i = direction->acked.len; i > 0; i--) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(&direction->acked, sctpa_acked_t, i - 1);
        if (acked->packet < packet &&
            (is_on_path(view, acked->first_packet, path) || is_on_path(view, acked->last_packet, path) ||
             is_on_path(view, acked->oldest_packet, path)))
            return acked->packet;
    }
    return 0;
}

uint32_t sctpa_path_timeouts_before(const sctpa_view_t *view, const sctpa_direction_t *direction, uint16_t path,
                                    uint32_t packet)
{
    uint32_t timeouts = 0;
    const uint32_t answer = last_answer(view, direction, path, packet);
    for (unsigned i = 0; i < direction->samples.len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, i);
        if (sample->packet >= packet)
            break;
        if (sample->path == path)
            timeouts = sample->kind == SCTPA_SAMPLE_BACKOFF && sample->packet > answer ? timeouts + 1 : 0;
    }
    return timeouts;
}

unsigned sctpa_outages_count(const sctpa_end_t *end)
{
    return end->rare->switching ? MIN(end->rare->switching->n_outages, SCTPA_OUTAGES_MAX) : 0;
}

bool sctpa_handover_is_of_source(const sctpa_handover_t *handover)
{
    return handover->from == handover->to && handover->source_from && handover->source_to;
}

static int64_t elapsed_ns(const sctpa_series_source_t *source, uint32_t since, uint32_t until)
{
    return sctpa_direction_time_ns(source->direction, until) - sctpa_direction_time_ns(source->direction, since);
}

/* Did data leave again by another path than the one that new data took, between two packets? O(retransmissions). */
static bool has_left_again(const sctpa_direction_t *direction, uint16_t path, uint32_t since, uint32_t until)
{
    for (uint32_t i = 0; i < direction->rare->rtx.len; i++) {
        const sctpa_rtx_t *rtx = &SCTPA_RECORD(&direction->rare->rtx, sctpa_rtx_t, i);
        if (rtx->packet >= until)
            return false;
        if (rtx->packet >= since && rtx->path != path)
            return true;
    }
    return false;
}

/* How long the timer of a path ran at least before a packet, whatever RTO.Min is: SRTT + 4 RTTVAR (RFC 9260 6.3.1 C3)
 * of its last round trip, of which the tap shows a part at least; 0 none is known. O(samples). */
static int64_t least_rto_ns(const sctpa_direction_t *direction, uint16_t path, uint32_t packet)
{
    int64_t least_ns = 0;
    for (uint32_t i = 0; i < direction->samples.len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(&direction->samples, sctpa_sample_t, i);
        if (sample->packet >= packet)
            break;
        least_ns = sample->path == path ? sctpa_sample_unbounded_ns(sample) : least_ns;
    }
    return least_ns;
}

/* Is what moved new? Most likely what follows the new data before it, and the last ack of the old path, which starts
 * its timer anew, sooner than that can expire and send again elsewhere what was lost (RFC 9260 6.3.2 R3, 6.4.1), with
 * nothing sent again there in between; or what passes beside its sender,
 * so soon or after timeouts that show. O(acks + samples + retransmissions). */
static sctpa_known_t is_new_data(const sctpa_view_t *view, const sctpa_series_source_t *source,
                                 const sctpa_move_t *move)
{
    const sctpa_direction_t *direction = source->direction;
    const uint32_t answer = last_answer(view, direction, move->from, move->packet);
    const sctpa_known_t has_all = source->sent_all(source, answer, move->packet);
    const bool is_soon = answer > 0 && elapsed_ns(source, MIN(answer, move->before), move->packet) <
                                           least_rto_ns(direction, move->from, move->packet);
    if (has_all == SCTPA_YES)
        return SCTPA_YES;
    if (has_all == SCTPA_UNKNOWN)
        return is_soon || sctpa_path_timeouts_before(view, direction, move->from, move->packet) > 0 ? SCTPA_UNKNOWN
                                                                                                    : SCTPA_NO;
    return is_soon && !has_left_again(direction, move->from, move->before, move->packet) ? SCTPA_UNKNOWN : SCTPA_NO;
}

/* Of all that are kept. O(moves kept * acks). */
static sctpa_known_t are_new(const sctpa_view_t *view, const sctpa_series_source_t *source, const sctpa_moves_t *moves)
{
    sctpa_known_t are = SCTPA_YES;
    for (unsigned i = 0; i < MIN(moves->n, SCTPA_MOVES_KEPT) && are != SCTPA_NO; i++) {
        const sctpa_known_t is = is_new_data(view, source, &moves->first[i]);
        are = is == SCTPA_YES ? are : is;
    }
    return are;
}

/* Reads them; clear with sctpa_way_changes_clear. Cost as sctpa_moves_measure, sctpa_handovers, and
 * sctpa_concurrent_measure where new data moved often. */
static sctpa_way_changes_t way_changes_read(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_way_changes_t changes = { .handovers = sctpa_handovers(view->sctpa, assoc->number, (uint8_t)end) };

    if (assoc->ends[end].n_paths < 2)
        return changes;

    sctpa_series_source_t source = sctpa_series_source(view->sctpa, assoc->number, (uint8_t)end, view->start_ns);

    changes.moves = sctpa_moves_measure(&source);
    changes.is_new = are_new(view, &source, &changes.moves);

    if (changes.moves.n > SCTPA_MOVES_KEPT)
        changes.concurrent = sctpa_concurrent_measure(&source);

    return changes;
}

/* How much there is to say, 0 nothing. */
static uint64_t way_changes_weight(const sctpa_way_changes_t *changes)
{
    uint64_t weight = changes->concurrent ? 1 : changes->moves.n;

    for (guint i = 0; changes->handovers && i < changes->handovers->len; i++)
        weight += sctpa_handover_is_of_source(&g_array_index(changes->handovers, sctpa_handover_t, i));

    return weight;
}

/* Did new data move a few times, to another path alone, and no timeout show on the path that it left? O(samples + acks)
 * for each move. */
static bool way_changes_are_chosen(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                                   const sctpa_way_changes_t *changes)
{
    const sctpa_direction_t *direction = sctpa_direction(view->sctpa, assoc->number, (uint8_t)end);

    if (changes->moves.n == 0 || changes->moves.n > SCTPA_MOVES_KEPT || changes->is_new == SCTPA_NO ||
        way_changes_weight(changes) > changes->moves.n)
        return false;

    for (unsigned i = 0; i < changes->moves.n; i++) {
        const sctpa_move_t *move = &changes->moves.first[i];
        if (sctpa_path_timeouts_before(view, direction, move->from, move->packet) > 0 ||
            has_left_again(direction, move->from, i > 0 ? move[-1].packet : 0, move->packet))
            return false;
    }
    return true;
}

static void way_changes_clear(sctpa_way_changes_t *changes)
{
    sctpa_concurrent_free(changes->concurrent);

    g_clear_pointer(&changes->handovers, g_array_unref);
}

bool sctpa_event_tells_of_path(const sctpa_event_t *event)
{
    return event->kind == SCTPA_EVENT_PRIMARY_CHANGED || event->kind == SCTPA_EVENT_PATH_FAILED ||
           event->kind == SCTPA_EVENT_PATH_RECOVERED || event->kind == SCTPA_EVENT_FAILOVER;
}

uint32_t sctpa_path_unanswered(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end, unsigned path)
{
    const uint32_t n = sctpa_path_probed(view->sctpa, assoc, end, path)->heartbeats_lost;
    if (n == 0 || assoc->ends[!end].settled->packets == 0 || sctpa_assoc_is_data_only(assoc))
        return 0;
    return sctpa_unseen_rest(view->sctpa, assoc->number, !end).kind == SCTPA_UNSEEN_NONE ? n : 0;
}

uint8_t sctpa_unheard_completes(const sctpa_assoc_t *assoc, unsigned end)
{
    const uint8_t unheard = sctpa_closing(assoc, !end)->unheard;
    return unheard > 1 ? unheard : 0;
}

static void find_too_big(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end, GArray *found)
{
    const sctpa_series_source_t source = sctpa_series_source(view->sctpa, assoc->number, (uint8_t)end, view->start_ns);
    for (uint16_t path = 0; path < MIN(assoc->ends[end].n_paths, SCTPA_SIZES_PATHS); path++) {
        sctpa_too_big_t too_big = { .path = path };
        if (sctpa_lost_by_size(&source, path, &too_big.sizes))
            g_array_append_val(found, too_big);
    }
}

static uint64_t weight_of(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                          const sctpa_path_trouble_t *trouble)
{
    uint64_t weight = way_changes_weight(&trouble->changes) + sctpa_outages_count(&assoc->ends[end]) +
                      sctpa_unheard_completes(assoc, end);
    if (trouble->too_big->len > 0)
        weight += g_array_index(trouble->too_big, sctpa_too_big_t, 0).sizes.lost;
    for (unsigned i = 0; i < assoc->n_events; i++)
        weight += assoc->events[i].end == end && sctpa_event_tells_of_path(&assoc->events[i]);
    for (unsigned path = 0; path < assoc->ends[end].n_paths; path++)
        if (sctpa_path_unanswered(view, assoc, end, path) >= SCTPA_HEARTBEATS_LOST)
            weight += sctpa_path_unanswered(view, assoc, end, path);
    return weight;
}

/* Does nothing but moves without an error concern the paths of an end? Its weight is known. */
static bool is_chosen(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                      const sctpa_way_changes_t *changes, uint64_t weight)
{
    for (unsigned i = 0; i < assoc->n_events; i++)
        if (assoc->events[i].end == end && assoc->events[i].kind == SCTPA_EVENT_PRIMARY_CHANGED)
            weight--;
    return weight == changes->moves.n && way_changes_are_chosen(view, assoc, end, changes);
}

sctpa_path_trouble_t sctpa_path_trouble_read(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                                             bool has_data)
{
    sctpa_path_trouble_t trouble = { .too_big = g_array_new(FALSE, FALSE, sizeof(sctpa_too_big_t)) };
    if (has_data) {
        trouble.changes = way_changes_read(view, assoc, end);
        find_too_big(view, assoc, end, trouble.too_big);
    }
    trouble.weight = weight_of(view, assoc, end, &trouble);
    trouble.is_chosen = has_data && is_chosen(view, assoc, end, &trouble.changes, trouble.weight);
    return trouble;
}

void sctpa_path_trouble_clear(sctpa_path_trouble_t *trouble)
{
    way_changes_clear(&trouble->changes);
    g_array_unref(trouble->too_big);
}
