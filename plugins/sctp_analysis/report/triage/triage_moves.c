/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where new data went, in a sentence: over several paths at once, from one to another, or from another address. */
#include "triage_moves.h"

#include "../text/text.h"

void sctpa_triage_append_path(const sctpa_triage_trouble_t *trouble, const sctpa_end_t *end, unsigned path,
                              GString *text)
{
    if (path < end->n_paths)
        sctpa_labels_addr(trouble->labels, end->paths[path].destination, text);
    else
        g_string_append(text, "another path");
}

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

/* Timeouts in a row on a path before a packet. O(samples + acks). */
static uint32_t timeouts_before(const sctpa_view_t *view, const sctpa_direction_t *direction, uint16_t path,
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

/* " (set primary in frame 256; first acked after 40.1 ms, longest wait for an ack 414.2 ms)" */
static void append_handover(const sctpa_handover_t *handover, GString *text)
{
    static const char *const asked[] = { [SCTPA_ADDRESS_ADD] = "added",
                                         [SCTPA_ADDRESS_DELETE] = "old address deleted",
                                         [SCTPA_ADDRESS_PRIMARY] = "set primary" };
    const char *separator = " (";
    if (handover->request) {
        g_string_append_printf(text, "%s%s in frame %u", separator, asked[handover->request->kind],
                               handover->request->asked_frame);
        separator = "; ";
    }
    if (handover->acked_packet == SCTPA_NO_PACKET_INDEX) {
        g_string_append_printf(text, "%snothing sent there acked)", separator);
        return;
    }
    g_string_append_printf(text, "%sfirst acked after ", separator);
    sctpa_text_duration(text, handover->acked_ns);
    if (handover->gap_ns > handover->acked_ns) {
        g_string_append(text, ", longest wait for an ack ");
        sctpa_text_duration(text, handover->gap_ns);
    }
    g_string_append_c(text, ')');
}

/* The handover that begins with a packet, NULL none. */
static const sctpa_handover_t *handover_at(const GArray *handovers, uint32_t packet)
{
    for (guint i = 0; i < handovers->len; i++)
        if (g_array_index(handovers, sctpa_handover_t, i).packet == packet)
            return &g_array_index(handovers, sctpa_handover_t, i);
    return NULL;
}

static void append_move(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                        const sctpa_move_t *move, const GArray *handovers, GString *text)
{
    const sctpa_direction_t *direction = sctpa_direction(trouble->view->sctpa, assoc->number, (uint8_t)end);
    const sctpa_handover_t *handover = handover_at(handovers, move->packet);
    const uint32_t timeouts = handover && handover->failover
                                  ? sctpa_trouble_timeouts_in_a_row(&handover->failover->trouble)
                                  : timeouts_before(trouble->view, direction, move->from, move->packet);

    sctpa_triage_append_path(trouble, &assoc->ends[end], move->to, text);
    g_string_append_printf(text, " at frame %u", sctpa_packet_frame(trouble->view->sctpa, move->packet));
    if (timeouts > 0) {
        g_string_append(text, " after ");
        sctpa_text_quantity(text, timeouts, "timeout", NULL);
        g_string_append(text, timeouts > 1 ? " in a row" : "");
    }
    if (handover)
        append_handover(handover, text);
}

static void append_moves(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                         const sctpa_moves_t *moves, const GArray *handovers, GString *text)
{
    if (moves->n > SCTPA_MOVES_KEPT) {
        g_string_append(text, "new data changed paths ");
        sctpa_text_quantity(text, moves->n, "time", NULL);
        g_string_append_printf(text, ", first at frame %u",
                               sctpa_packet_frame(trouble->view->sctpa, moves->first[0].packet));
        return;
    }
    g_string_append(text, "new data moved from ");
    sctpa_triage_append_path(trouble, &assoc->ends[end], moves->first[0].from, text);
    for (unsigned i = 0; i < moves->n; i++) {
        g_string_append(text, i == 0 ? " to " : ", to ");
        append_move(trouble, assoc, end, &moves->first[i], handovers, text);
    }
}

/* "10.1.1.1 with 57.3 % of the chunks (5 retransmissions there, 12 TSNs behind by up to 9)" */
static void append_path_used(const sctpa_triage_trouble_t *trouble, const sctpa_end_t *end, unsigned path,
                             const sctpa_concurrent_t *concurrent, const sctpa_measure_t *measure, GString *text)
{
    const sctpa_sent_t *sent = &g_array_index(measure->paths, sctpa_sent_t, path);
    const sctpa_concurrent_path_t *of_path = &g_array_index(concurrent->paths, sctpa_concurrent_path_t, path);
    sctpa_triage_append_path(trouble, end, path, text);
    g_string_append(text, " with ");
    sctpa_text_share(text, sent->transmissions, measure->all.transmissions);
    g_string_append(text, " % of the chunks");
    if (of_path->behind == 0)
        return;
    g_string_append(text, " (");
    sctpa_text_quantity(text, of_path->behind, "TSN", NULL);
    g_string_append_printf(text, " arrived behind higher ones of another path, by up to %u)", of_path->most);
}

/* Instead of a count of moves, where several paths were used at once. */
static void append_concurrent(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                              const sctpa_concurrent_t *concurrent, const sctpa_measure_t *measure, GString *text)
{
    const char *separator = ": ";
    g_string_append(text, "new data used several paths at once for ");
    sctpa_text_duration(text, concurrent->concurrent_ns);
    g_string_append(text, " of ");
    sctpa_text_duration(text, measure->span_ns);
    for (unsigned path = 0; path < MIN(concurrent->paths->len, measure->paths->len); path++) {
        if (g_array_index(measure->paths, sctpa_sent_t, path).transmissions == 0)
            continue;
        g_string_append(text, separator);
        append_path_used(trouble, &assoc->ends[end], path, concurrent, measure, text);
        separator = ", ";
    }
    if (concurrent->blocked_ns > 0) {
        g_string_append(text, "; a path with room in its cwnd waited for the receiver's window, full because of TSNs "
                              "missing from another path, for ");
        sctpa_text_duration(text, concurrent->blocked_ns);
    }
}

/* New data from another address of its sender, to the same one. */
static void append_source(const sctpa_triage_trouble_t *trouble, const sctpa_handover_t *handover, GString *text)
{
    g_string_append(text, text->len > 0 ? "; new data left from " : "new data left from ");
    sctpa_labels_addr(trouble->labels, handover->source_to, text);
    g_string_append(text, " instead of ");
    sctpa_labels_addr(trouble->labels, handover->source_from, text);
    g_string_append_printf(text, " at frame %u", handover->frame);
    append_handover(handover, text);
}

static bool is_of_source(const sctpa_handover_t *handover)
{
    return handover->from == handover->to && handover->source_from && handover->source_to;
}

sctpa_way_changes_t sctpa_way_changes_read(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_way_changes_t changes = { .handovers = sctpa_handovers(view->sctpa, assoc->number, (uint8_t)end) };
    if (assoc->ends[end].n_paths < 2)
        return changes;
    sctpa_series_source_t source = sctpa_series_source(view->sctpa, assoc->number, (uint8_t)end, view->start_ns);
    changes.moves = sctpa_moves_measure(&source);
    if (changes.moves.n > SCTPA_MOVES_KEPT)
        changes.concurrent = sctpa_concurrent_measure(&source);
    return changes;
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

bool sctpa_way_changes_are_chosen(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                                  const sctpa_way_changes_t *changes)
{
    const sctpa_direction_t *direction = sctpa_direction(view->sctpa, assoc->number, (uint8_t)end);
    if (changes->moves.n == 0 || changes->moves.n > SCTPA_MOVES_KEPT ||
        sctpa_way_changes_weight(changes) > changes->moves.n)
        return false;
    for (unsigned i = 0; i < changes->moves.n; i++) {
        const sctpa_move_t *move = &changes->moves.first[i];
        if (timeouts_before(view, direction, move->from, move->packet) > 0 ||
            has_left_again(direction, move->from, i > 0 ? move[-1].packet : 0, move->packet))
            return false;
    }
    return true;
}

uint64_t sctpa_way_changes_weight(const sctpa_way_changes_t *changes)
{
    uint64_t weight = changes->concurrent ? 1 : changes->moves.n;
    for (guint i = 0; changes->handovers && i < changes->handovers->len; i++)
        weight += is_of_source(&g_array_index(changes->handovers, sctpa_handover_t, i));
    return weight;
}

void sctpa_way_changes_append(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                              const sctpa_way_changes_t *changes, const sctpa_measure_t *measure, GString *text)
{
    enum { SAID = 4 };
    unsigned said = 0;
    if (changes->concurrent)
        append_concurrent(trouble, assoc, end, changes->concurrent, measure, text);
    else if (changes->moves.n > 0)
        append_moves(trouble, assoc, end, &changes->moves, changes->handovers, text);
    for (guint i = 0; changes->handovers && i < changes->handovers->len; i++) {
        const sctpa_handover_t *handover = &g_array_index(changes->handovers, sctpa_handover_t, i);
        if (is_of_source(handover) && said++ < SAID)
            append_source(trouble, handover, text);
    }
    if (said > SAID)
        g_string_append_printf(text, "; %u more such moves", said - SAID);
}

void sctpa_way_changes_clear(sctpa_way_changes_t *changes)
{
    sctpa_concurrent_free(changes->concurrent);
    g_clear_pointer(&changes->handovers, g_array_unref);
}
