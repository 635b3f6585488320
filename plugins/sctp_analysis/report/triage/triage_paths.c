/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths that failed, were left or do not answer; how many errors an outage showed, and what that shows of
 * Path.Max.Retrans; where new data went instead; set-ups that needed repeating; packets that were lost between two
 * capture points. */

#include "../text/outcome_text.h"
#include "../text/text.h"
#include "outcome_groups.h"
#include "path_trouble.h"
#include "triage.h"

/* --- what went wrong with the paths of an endpoint --- */

/* Did new data leave from another address of its sender? */
static bool handover_is_of_source(const sctpa_handover_t *handover)
{
    return handover->from == handover->to && handover->source_from && handover->source_to;
}

/* Those that are kept. */
static unsigned outages_count(const sctpa_end_t *end)
{
    return end->rare->switching ? MIN(end->rare->switching->n_outages, SCTPA_OUTAGES_MAX) : 0;
}

/* Is it one of those that stand for what happened to a path? */
static bool event_tells_of_path(const sctpa_event_t *event)
{
    return event->kind == SCTPA_EVENT_PRIMARY_CHANGED || event->kind == SCTPA_EVENT_PATH_FAILED ||
           event->kind == SCTPA_EVENT_PATH_RECOVERED || event->kind == SCTPA_EVENT_FAILOVER;
}

static bool is_on_path(const sctpa_view_t *view, uint32_t packet, uint16_t path)
{
    sctpa_packet_result_t result;
    return packet != SCTPA_NO_PACKET_INDEX && sctpa_packet_result(view->sctpa, packet, &result) && result.path == path;
}

/* The last ack before a packet of data that was last sent to the path, which clears its errors (RFC 9260 8.2).
 * O(acks). */
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
static uint32_t path_timeouts_before(const sctpa_view_t *view, const sctpa_direction_t *direction, uint16_t path,
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
 * nothing retransmitted there in between; or what passes beside its sender,
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
        return is_soon || path_timeouts_before(view, direction, move->from, move->packet) > 0 ? SCTPA_UNKNOWN
                                                                                              : SCTPA_NO;
    return is_soon && !has_left_again(direction, move->from, move->before, move->packet) ? SCTPA_UNKNOWN : SCTPA_NO;
}

/* Of all that are kept. Cost as is_new_data, for each of them. */
static sctpa_known_t are_new(const sctpa_view_t *view, const sctpa_series_source_t *source, const sctpa_moves_t *moves)
{
    sctpa_known_t are = SCTPA_YES;
    for (unsigned i = 0; i < MIN(moves->n, SCTPA_MOVES_KEPT) && are != SCTPA_NO; i++) {
        const sctpa_known_t is = is_new_data(view, source, &moves->first[i]);
        are = is == SCTPA_YES ? are : is;
    }
    return are;
}

/* Reads them; clear with way_changes_clear. Cost as sctpa_moves_measure, sctpa_handovers, and
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
        weight += handover_is_of_source(&g_array_index(changes->handovers, sctpa_handover_t, i));

    return weight;
}

/* Did new data move a few times, to another path alone, and no timeout show on the path that it left? O(samples + acks
 * + retransmissions) for each move. */
static bool way_changes_are_chosen(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                                   const sctpa_way_changes_t *changes)
{
    const sctpa_direction_t *direction = sctpa_direction(view->sctpa, assoc->number, (uint8_t)end);

    if (changes->moves.n == 0 || changes->moves.n > SCTPA_MOVES_KEPT || changes->is_new == SCTPA_NO ||
        way_changes_weight(changes) > changes->moves.n)
        return false;

    for (unsigned i = 0; i < changes->moves.n; i++) {
        const sctpa_move_t *move = &changes->moves.first[i];
        if (path_timeouts_before(view, direction, move->from, move->packet) > 0 ||
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

/* HEARTBEATs to a path without answer, but the last, whose answer may come later; none where the capture may lack the
 * answers. O(pairs) as sctpa_unseen_rest. */
static uint32_t path_unanswered(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end, unsigned path)
{
    const uint32_t n = sctpa_path_probed(view->sctpa, assoc, end, path)->heartbeats_lost;
    if (n == 0 || assoc->ends[!end].settled->packets == 0 || sctpa_assoc_is_data_only(assoc))
        return 0;
    return sctpa_unseen_rest(view->sctpa, assoc->number, !end).kind == SCTPA_UNSEEN_NONE ? n : 0;
}

/* SHUTDOWN COMPLETEs of an end that do not arrive, or are ignored; the next arrives where one was lost. */
static uint8_t unheard_completes(const sctpa_assoc_t *assoc, unsigned end)
{
    const uint8_t unheard = sctpa_closing(assoc, !end)->unheard;
    return unheard > 1 ? unheard : 0;
}

/* Adds sctpa_too_big_t of the first SCTPA_SIZES_PATHS paths to found. Of each, cost as sctpa_lost_by_size. */
static void find_too_big(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end, GArray *found)
{
    const sctpa_series_source_t source = sctpa_series_source(view->sctpa, assoc->number, (uint8_t)end, view->start_ns);
    for (uint16_t path = 0; path < MIN(assoc->ends[end].n_paths, SCTPA_SIZES_PATHS); path++) {
        sctpa_too_big_t too_big = { .path = path };
        if (sctpa_lost_by_size(&source, path, &too_big.sizes))
            g_array_append_val(found, too_big);
    }
}

/* How much there is to say, 0 nothing; what was read before counts. O(events + handovers), and of each path as
 * path_unanswered. */
static uint64_t weight_of(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                          const sctpa_path_trouble_t *trouble)
{
    uint64_t weight =
        way_changes_weight(&trouble->changes) + outages_count(&assoc->ends[end]) + unheard_completes(assoc, end);
    if (trouble->too_big->len > 0)
        weight += g_array_index(trouble->too_big, sctpa_too_big_t, 0).sizes.lost;
    for (unsigned i = 0; i < assoc->n_events; i++)
        weight += assoc->events[i].end == end && event_tells_of_path(&assoc->events[i]);
    for (unsigned path = 0; path < assoc->ends[end].n_paths; path++)
        if (path_unanswered(view, assoc, end, path) >= SCTPA_HEARTBEATS_LOST)
            weight += path_unanswered(view, assoc, end, path);
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

/* --- what is said of them --- */

enum { OUTAGES_SAID = 3 };

enum { EVENTS_SAID = 4, DETAIL_COLUMNS = 90, SENTENCE_BYTES = 500 };

/* The address that a path leads to. */
static void triage_append_path(const sctpa_triage_trouble_t *trouble, const sctpa_end_t *end, unsigned path,
                               GString *text)
{
    if (path < end->n_paths)
        sctpa_labels_addr(trouble->labels, end->paths[path].destination, text);
    else
        g_string_append(text, "another path");
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
                                  : path_timeouts_before(trouble->view, direction, move->from, move->packet);

    triage_append_path(trouble, &assoc->ends[end], move->to, text);

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
                         const sctpa_way_changes_t *changes, GString *text)
{
    static const char *const what[] = {
        [SCTPA_YES] = "new data", [SCTPA_UNKNOWN] = "new data most likely", [SCTPA_NO] = "data"
    };
    const sctpa_moves_t *moves = &changes->moves;
    if (moves->n > SCTPA_MOVES_KEPT) {
        g_string_append_printf(text, "%s changed paths ", what[changes->is_new]);
        sctpa_text_quantity(text, moves->n, "time", NULL);
        g_string_append_printf(text, ", first at frame %u",
                               sctpa_packet_frame(trouble->view->sctpa, moves->first[0].packet));
    } else {
        g_string_append_printf(text, "%s moved from ", what[changes->is_new]);
        triage_append_path(trouble, &assoc->ends[end], moves->first[0].from, text);
        for (unsigned i = 0; i < moves->n; i++) {
            g_string_append(text, i == 0 ? " to " : ", to ");
            append_move(trouble, assoc, end, &moves->first[i], changes->handovers, text);
        }
    }
    if (changes->is_new == SCTPA_NO)
        g_string_append(text, ": new, or retransmitted for what was lost or late before the capture point");
}

/* "10.1.1.1 with 57.3 % of the chunks (5 retransmissions there, 12 TSNs behind by up to 9)" */
static void append_path_used(const sctpa_triage_trouble_t *trouble, const sctpa_end_t *end, unsigned path,
                             const sctpa_concurrent_t *concurrent, const sctpa_measure_t *measure, GString *text)
{
    const sctpa_sent_t *sent = &g_array_index(measure->paths, sctpa_sent_t, path);

    const sctpa_concurrent_path_t *of_path = &g_array_index(concurrent->paths, sctpa_concurrent_path_t, path);

    triage_append_path(trouble, end, path, text);

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

/* Appends it; measure is that of the endpoint's data. */
static void way_changes_append(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                               const sctpa_way_changes_t *changes, const sctpa_measure_t *measure, GString *text)
{
    enum { SAID = 4 };

    unsigned said = 0;

    if (changes->concurrent)
        append_concurrent(trouble, assoc, end, changes->concurrent, measure, text);

    else if (changes->moves.n > 0)
        append_moves(trouble, assoc, end, changes, text);

    for (guint i = 0; changes->handovers && i < changes->handovers->len; i++) {
        const sctpa_handover_t *handover = &g_array_index(changes->handovers, sctpa_handover_t, i);
        if (handover_is_of_source(handover) && said++ < SAID)
            append_source(trouble, handover, text);
    }
    if (said > SAID)
        g_string_append_printf(text, "; %u more such moves", said - SAID);
}

/* "; inactive between 60.838 and 61.838 s" */
static void append_change(const sctpa_view_t *view, const char *word, const sctpa_path_state_change_t *change,
                          GString *text)
{
    g_string_append_printf(text, "; %s between %.3f and %.3f s", word,
                           (double)sctpa_view_since_start(view, change->earliest_ns) / 1e9,
                           (double)sctpa_view_since_start(view, change->latest_ns) / 1e9);
}

/* "2 HEARTBEATs unanswered, 1 timeout" */
static void append_errors(const sctpa_outage_t *outage, GString *text)
{
    if (outage->heartbeats > 0 || outage->timeouts == 0) {
        sctpa_text_quantity(text, outage->heartbeats, "HEARTBEAT", NULL);
        g_string_append(text, " unanswered");
    }
    if (outage->timeouts > 0) {
        g_string_append(text, outage->heartbeats > 0 ? ", " : "");
        sctpa_text_quantity(text, outage->timeouts, "timeout", NULL);
    }
}

/* "Path.Max.Retrans of endpoint 0 is most likely 2 (RFC 9260 8.2); ..." where new data left it after timeouts: fewer
 * than three are what a path that is potentially failed has, too. Where acks cleared errors that some endpoints keep,
 * or HEARTBEATs may have been errors, it may be more. */
static void append_retrans_of_left(const sctpa_outage_t *outage, unsigned end, GString *text)
{
    enum { TIMEOUTS_LEAST = 3 };
    const uint32_t least = outage->left_timeouts - 1, most = outage->left.errors - 1;
    if (outage->probed_errors >= outage->left.errors) {
        g_string_append(text, "potentially failed (RFC 7829)");
        return;
    }
    if (outage->left.errors == 1) {
        g_string_append_printf(
            text, "most likely potentially failed (RFC 7829), or Path.Max.Retrans of endpoint %u is 0", end);
        return;
    }
    g_string_append_printf(text, "Path.Max.Retrans of endpoint %u is most likely ", end);
    if (outage->left_timeouts < TIMEOUTS_LEAST) {
        g_string_append_printf(text, "at least %u (RFC 9260 8.2)", least);
        return;
    }
    g_string_append_printf(text, "%u", least);
    if (most > least)
        g_string_append_printf(text, most == least + 1 ? " or %u" : " to %u", most);
    g_string_append_printf(
        text,
        " (RFC 9260 8.2); it may be higher if endpoint %u leaves a path as soon as it is potentially failed "
        "(RFC 7829)",
        end);
}

/* "; from 4.785 s on (frame 31) new data no longer went there, after 3 timeouts in a row: ..." */
static void append_left(const sctpa_view_t *view, const sctpa_outage_t *outage, unsigned end, GString *text)
{
    g_string_append_printf(text, "; from %.3f s on (frame %u) new data no longer went there",
                           (double)sctpa_view_since_start(view, outage->left.latest_ns) / 1e9, outage->left.frame);
    if (outage->left_timeouts == 0) {
        g_string_append_printf(text, ": potentially failed (RFC 7829), or Path.Max.Retrans of endpoint %u is below %u",
                               end, outage->left.errors);
        return;
    }
    g_string_append(text, ", after ");
    sctpa_text_quantity(text, outage->left_timeouts, "timeout", NULL);
    g_string_append(text, outage->left_timeouts > 1 ? " in a row: " : ": ");
    append_retrans_of_left(outage, end, text);
}

static void append_probed(const sctpa_outage_t *outage, unsigned end, GString *text)
{
    if (outage->probed_errors > 0)
        g_string_append_printf(text,
                               "; still probed once per RTO after %u errors: Path.Max.Retrans of endpoint %u is most "
                               "likely %u or more (RFC 7829 5)",
                               outage->probed_errors, end, outage->probed_errors);
}

/* What the endpoint took the path for, as far as its errors and its data show. */
static void append_states(const sctpa_view_t *view, const sctpa_outage_t *outage, unsigned end, GString *text)
{
    if (outage->potentially_failed.frame > 0) {
        append_change(view, "potentially failed", &outage->potentially_failed, text);
        g_string_append(text, " (RFC 7829)");
    }
    if (outage->left.frame > 0)
        append_left(view, outage, end, text);
    append_probed(outage, end, text);
    if (outage->inactive.frame > 0 &&
        (outage->is_asserted || outage->max_retrans >= sctpa_outage_least_retrans(outage))) {
        append_change(view, "inactive", &outage->inactive, text);
        g_string_append_printf(text, " if Path.Max.Retrans is %u%s (RFC 9260 8.2)", outage->max_retrans,
                               outage->is_asserted ? ", as asserted" : "");
    } else if (outage->left.frame == 0) {
        g_string_append_printf(text, "; inactive only if Path.Max.Retrans is below %u",
                               outage->heartbeats + outage->timeouts);
    }
}

/* "10.1.1.1 stopped answering at 4.080 s: 3 timeouts, answered again at 11.721 s in frame 112; ..." */
static void append_outage(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                          const sctpa_outage_t *outage, GString *text)
{
    const sctpa_view_t *view = trouble->view;
    sctpa_text_separate(text);
    triage_append_path(trouble, &assoc->ends[end], outage->path, text);
    g_string_append_printf(
        text, " stopped answering at %.3f s: ", (double)sctpa_view_since_start(view, outage->since_ns) / 1e9);
    append_errors(outage, text);
    if (outage->answered_frame > 0)
        g_string_append_printf(text, ", answered again at %.3f s in frame %u",
                               (double)sctpa_view_since_start(view, outage->answered_ns) / 1e9, outage->answered_frame);
    else
        g_string_append(text, ", no answer since");
    append_states(view, outage, end, text);
}

/* An outage with its times by one clock. */
static sctpa_outage_t by_one_clock(const sctpa_view_t *view, const sctpa_assoc_t *assoc, const sctpa_outage_t *outage)
{
    const int64_t shift_ns = sctpa_time_by_one_clock(view->sctpa, assoc, outage->frame, 0);
    sctpa_outage_t shifted = *outage;
    sctpa_path_state_change_t *changes[] = { &shifted.potentially_failed, &shifted.inactive, &shifted.left };
    shifted.since_ns += shift_ns;
    shifted.answered_ns += shift_ns;
    for (unsigned i = 0; i < G_N_ELEMENTS(changes); i++) {
        changes[i]->earliest_ns += shift_ns;
        changes[i]->latest_ns += shift_ns;
    }
    return shifted;
}

/* Has every one of several paths an outage that does not end? *timeouts: of all. */
static bool are_all_out(const sctpa_end_t *end, uint64_t *timeouts)
{
    unsigned open = 0;
    *timeouts = 0;
    for (unsigned i = 0; i < outages_count(end); i++) {
        const sctpa_outage_t *outage = &end->rare->switching->outages[i];
        open += outage->answered_frame == 0 && outage->timeouts >= SCTPA_OUTAGE_ERRORS;
        *timeouts += outage->answered_frame == 0 ? outage->timeouts : 0;
    }
    return end->n_paths > 1 && open == end->n_paths;
}

/* "both addresses of endpoint 0 stopped answering, 6 timeouts until the capture ends" */
static void append_all_out(const sctpa_assoc_t *assoc, unsigned end, GString *text)
{
    uint64_t timeouts;
    if (!are_all_out(&assoc->ends[end], &timeouts))
        return;
    sctpa_text_separate(text);
    g_string_append_printf(text, "%s addresses of endpoint %u stopped answering, ",
                           assoc->ends[end].n_paths == 2 ? "both" : "all", !end);
    sctpa_text_quantity(text, timeouts, "timeout", NULL);
    g_string_append(text, " until the capture ends");
}

/* Appends a sentence for each of the first of them, and one where no path answers any more; text may hold others
 * before.
 */
static void outages_append(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                           GString *text)
{
    const sctpa_end_t *endpoint = &assoc->ends[end];
    const unsigned n = outages_count(endpoint);
    append_all_out(assoc, end, text);
    for (unsigned i = 0; i < MIN(n, OUTAGES_SAID); i++) {
        const sctpa_outage_t outage = by_one_clock(trouble->view, assoc, &endpoint->rare->switching->outages[i]);
        append_outage(trouble, assoc, end, &outage, text);
    }
    if (n > OUTAGES_SAID) {
        g_string_append(text, "; ");
        sctpa_text_quantity(text, n - OUTAGES_SAID, "more such time", NULL);
    }
}

/* Is it the end of an outage, which is said with it? */
static bool is_part_of_outage(const sctpa_assoc_t *assoc, const sctpa_event_t *event)
{
    const sctpa_end_t *end = &assoc->ends[event->end];
    for (unsigned i = 0; event->kind == SCTPA_EVENT_PATH_RECOVERED && i < outages_count(end); i++)
        if (end->rare->switching->outages[i].path == event->path &&
            end->rare->switching->outages[i].answered_frame == event->frame)
            return true;
    return false;
}

/* Is it said by a failover of the same end at the same frame? */
static bool is_part_of_failover(const sctpa_assoc_t *assoc, const sctpa_event_t *event)
{
    if (event->kind != SCTPA_EVENT_PATH_FAILED && event->kind != SCTPA_EVENT_PRIMARY_CHANGED)
        return false;
    for (uint32_t i = sctpa_assoc_event_from(assoc, event->frame);
         i < assoc->n_events && assoc->events[i].frame == event->frame; i++)
        if (assoc->events[i].kind == SCTPA_EVENT_FAILOVER && assoc->events[i].end == event->end)
            return true;
    return false;
}

/* "failover at frame 812: ..." for the first few of an end; moved: where new data went is said already. */
static void append_events(const sctpa_assoc_t *assoc, unsigned end, bool moved, GString *text)
{
    unsigned n = 0;
    for (unsigned i = 0; i < assoc->n_events; i++) {
        const sctpa_event_t *event = &assoc->events[i];
        if (event->end != end || !event_tells_of_path(event) || (moved && event->kind == SCTPA_EVENT_PRIMARY_CHANGED))
            continue;
        if (is_part_of_failover(assoc, event) || is_part_of_outage(assoc, event) || ++n > EVENTS_SAID)
            continue;
        sctpa_text_separate(text);
        sctpa_outcome_append_word(text, sctpa_event_word(event->kind));
        g_string_append_printf(text, " at frame %u", event->frame);
        if (event->detail) {
            g_string_append(text, ": ");
            sctpa_text_escape(text, event->detail, DETAIL_COLUMNS);
        }
    }
    if (n > EVENTS_SAID)
        g_string_append_printf(text, "; %u more such events", n - EVENTS_SAID);
}

static bool has_outage(const sctpa_end_t *end, unsigned path)
{
    for (unsigned i = 0; i < outages_count(end); i++)
        if (end->rare->switching->outages[i].path == path)
            return true;
    return false;
}

static void append_unanswered(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                              unsigned path, GString *text)
{
    sctpa_text_separate(text);
    g_string_append_printf(text, "no answer captured to %u of ", path_unanswered(trouble->view, assoc, end, path));
    sctpa_text_quantity(text, sctpa_path_probed(trouble->view->sctpa, assoc, end, path)->heartbeats, "HEARTBEAT", NULL);
    g_string_append(text, " to ");
    triage_append_path(trouble, &assoc->ends[end], path, text);
}

/* Was nothing ever sent from the address of a path, to which HEARTBEATs went? */
static bool never_answered(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                           unsigned path)
{
    const sctpa_addr_t *addr = assoc->ends[end].paths[path].destination;
    const sctpa_end_t *peer = &assoc->ends[!end];
    if (path_unanswered(trouble->view, assoc, end, path) < SCTPA_HEARTBEATS_LOST ||
        sctpa_path_probed(trouble->view->sctpa, assoc, end, path)->heartbeats_acked > 0)
        return false;
    for (unsigned i = 0; i < peer->n_addrs; i++)
        if (sctpa_addr_equal(&peer->addrs[i].addr, addr))
            return (peer->addrs[i].origin & (SCTPA_ADDR_LISTED | SCTPA_ADDR_SOURCE)) == SCTPA_ADDR_LISTED;
    return false;
}

/* "5 of the 6 addresses that endpoint 1 listed in its INIT ACK never answered (10.1.1.2, 10.1.1.3, …): ...". */
static void append_never_answered(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                                  GString *text)
{
    enum { NAMED = 2 };
    GString *names = g_string_new(NULL);
    unsigned n = 0;
    for (unsigned path = 0; path < assoc->ends[end].n_paths; path++)
        if (never_answered(trouble, assoc, end, path) && n++ < NAMED) {
            g_string_append(names, n > 1 ? ", " : "");
            triage_append_path(trouble, &assoc->ends[end], path, names);
        }
    if (n > 0) {
        const bool is_initiator = assoc->setup.steps[SCTPA_STEP_INIT].by == !end;
        sctpa_text_separate(text);
        g_string_append_printf(text,
                               "%u of the %u addresses that endpoint %u listed in its %s never answered (%s%s): bind "
                               "its SCTP to the others, or route %s",
                               n, sctpa_end_listed_addrs_count(&assoc->ends[!end]), !end,
                               is_initiator ? "INIT" : "INIT ACK", names->str, n > NAMED ? ", …" : "",
                               n > 1 ? "these" : "it");
    }
    g_string_free(names, TRUE);
}

/* "every packet of 1,248 bytes or more to 10.1.1.1 was lost (6 transmissions), and each smaller one arrived, ...". */
static void append_too_big(const sctpa_triage_trouble_t *trouble, const sctpa_end_t *end, const sctpa_too_big_t *found,
                           GString *text)
{
    sctpa_text_separate(text);
    g_string_append(text, "every packet of ");
    sctpa_text_quantity(text, found->sizes.lost_least_bytes, "byte", NULL);
    g_string_append(text, " or more to ");
    triage_append_path(trouble, end, found->path, text);
    g_string_append(text, " was lost (");
    sctpa_text_quantity(text, found->sizes.lost, "transmission", NULL);
    g_string_append(text, "), and each smaller one arrived, up to ");
    sctpa_text_quantity(text, found->sizes.arrived_most_bytes, "byte", NULL);
    g_string_append(text, ": most likely the path MTU is smaller");
}

/* "endpoint 0 sent SHUTDOWN ACK 5 times up to frame 30, though SHUTDOWN COMPLETEs of endpoint 1 passed: ...". */
static void append_unheard(const sctpa_assoc_t *assoc, unsigned end, GString *text)
{
    const sctpa_closing_t *closing = sctpa_closing(assoc, !end);
    if (unheard_completes(assoc, end) == 0)
        return;
    sctpa_text_separate(text);
    g_string_append_printf(
        text,
        "endpoint %u sent SHUTDOWN ACK %u times (frames %u to %u), %u of them after a SHUTDOWN "
        "COMPLETE of endpoint %u had passed: these did not reach endpoint %u (lost behind the capture "
        "point), or it ignored them",
        !end, closing->asks, closing->first_frame, closing->last_frame, closing->unheard, end, !end);
}

static void append_all(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                       const sctpa_path_trouble_t *paths, const sctpa_measure_t *measure, GString *text)
{
    if (measure)
        way_changes_append(trouble, assoc, end, &paths->changes, measure, text);
    if (paths->too_big->len > 0)
        append_too_big(trouble, &assoc->ends[end], &g_array_index(paths->too_big, sctpa_too_big_t, 0), text);
    append_events(assoc, end, paths->changes.moves.n > 0, text);
    outages_append(trouble, assoc, end, text);
    append_never_answered(trouble, assoc, end, text);
    append_unheard(assoc, end, text);
    for (unsigned path = 0; path < assoc->ends[end].n_paths; path++)
        if (path_unanswered(trouble->view, assoc, end, path) >= SCTPA_HEARTBEATS_LOST &&
            !never_answered(trouble, assoc, end, path) && !has_outage(&assoc->ends[end], path) &&
            text->len < SENTENCE_BYTES)
            append_unanswered(trouble, assoc, end, path, text);
}

/* Where new data first changed paths, or the first event of a path; 0 none. */
static uint32_t first_frame(const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                            const sctpa_moves_t *moves)
{
    if (moves->n > 0)
        return sctpa_packet_frame(view->sctpa, moves->first[0].packet);
    for (unsigned i = 0; i < assoc->n_events; i++)
        if (assoc->events[i].end == end && event_tells_of_path(&assoc->events[i]))
            return assoc->events[i].frame;
    return unheard_completes(assoc, end) > 0 ? sctpa_closing(assoc, !end)->first_frame : 0;
}

/* Why data moved without an error, unless a request of the endpoints is said with it. */
static void append_chosen(const sctpa_way_changes_t *changes, GString *text)
{
    g_string_append_printf(text, "; no timeout of the path %sbefore, and no two HEARTBEATs without answer",
                           changes->is_new == SCTPA_YES ? "" : "shows ");
    for (unsigned i = 0; changes->handovers && i < changes->handovers->len; i++)
        if (g_array_index(changes->handovers, sctpa_handover_t, i).request)
            return;
    g_string_append(text, ": most likely its application, or its peer, set the primary path");
}

static void add_end(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                    const sctpa_measure_t *measure, sctpa_harm_t *harm)
{
    sctpa_path_trouble_t paths = sctpa_path_trouble_read(trouble->view, assoc, end, measure != NULL);
    const sctpa_paragraphs_kind_t topic = paths.is_chosen ? SCTPA_TRIAGE_MOVES : SCTPA_TRIAGE_PATHS;
    sctpa_paragraphs_row_t *row =
        paths.weight > 0 ? sctpa_paragraphs_add(trouble->topics[topic], assoc, end, paths.weight) : NULL;
    if (row) {
        const uint32_t lost = paths.too_big->len > 0
                                  ? g_array_index(paths.too_big, sctpa_too_big_t, 0).sizes.first_packet
                                  : SCTPA_NO_PACKET_INDEX;
        row->frames[0] = lost != SCTPA_NO_PACKET_INDEX ? sctpa_packet_frame(trouble->view->sctpa, lost)
                                                       : first_frame(trouble->view, assoc, end, &paths.changes.moves);
        append_all(trouble, assoc, end, &paths, measure, row->sentence);
        if (paths.is_chosen)
            append_chosen(&paths.changes, row->sentence);
    }
    harm->paths += sctpa_path_trouble_harm(&paths);
    sctpa_path_trouble_clear(&paths);
}

void sctpa_path_trouble_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc,
                            sctpa_measure_t *const measures[2], sctpa_harm_t *harm)
{
    for (unsigned end = 0; end < 2; end++)
        add_end(trouble, assoc, end, measures[end], harm);
}

static uint32_t repeats_of(const sctpa_setup_t *setup)
{
    uint32_t repeats = 0;
    for (unsigned step = 0; step < SCTPA_STEPS; step++)
        repeats += setup->steps[step].count > 1 ? setup->steps[step].count - 1 : 0;
    return repeats;
}

/* How long the first INIT or COOKIE ECHO waited for its answer, which stands behind it. */
static void append_wait(const sctpa_setup_t *setup, unsigned step, GString *text)
{
    if (step != SCTPA_STEP_INIT && step != SCTPA_STEP_COOKIE_ECHO)
        return;
    g_string_append(text, ", answered after ");
    sctpa_text_duration(text, setup->steps[step + 1].first_ns - setup->steps[step].first_ns);
}

void sctpa_setup_trouble_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    const sctpa_setup_t *setup = sctpa_assoc_setup(assoc);
    int64_t ns = sctpa_assoc_setup_ns(assoc);
    const char *separator = ": ";

    if (repeats_of(setup) > 0 && !assoc->collision)
        sctpa_trouble_tell(trouble, SCTPA_TRIAGE_SETUPS);
    if (sctpa_assoc_setup_seen(assoc) != SCTPA_SETUP_COMPLETE || assoc->collision || repeats_of(setup) == 0)
        return;
    sctpa_paragraphs_row_t *row =
        sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_SETUPS], assoc, SCTPA_NO_END, (uint64_t)MAX(ns, 0));
    if (!row)
        return;
    row->frames[0] = setup->steps[SCTPA_STEP_INIT].first_frame;
    g_string_append(row->sentence, "set-up took ");
    sctpa_text_duration(row->sentence, ns);
    g_string_append_printf(row->sentence, " from frame %u", setup->steps[SCTPA_STEP_INIT].first_frame);
    for (unsigned step = 0; step < SCTPA_STEPS; step++) {
        if (setup->steps[step].count < 2)
            continue;
        g_string_append_printf(row->sentence, "%s%s %u times", separator, sctpa_setup_step_word((int)step),
                               setup->steps[step].count);
        append_wait(setup, step, row->sentence);
        separator = ", ";
    }
}

/* Packets of a path. Returns those that were lost. */
static uint32_t append_lost(const sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc, unsigned end,
                            unsigned path, GString *text)
{
    sctpa_two_taps_result_t transit;
    if (!sctpa_two_taps_result(assoc, (uint8_t)end, (uint16_t)path, &transit) || transit.lost == 0)
        return 0;
    sctpa_text_separate(text);
    sctpa_text_count(text, transit.lost, 20);
    g_string_append(text, " of ");
    sctpa_text_quantity(text, (uint64_t)transit.lost + transit.both, "packet", NULL);
    if (assoc->ends[end].n_paths > 1) {
        g_string_append(text, " to ");
        triage_append_path(trouble, &assoc->ends[end], path, text);
    }
    g_string_append_printf(text, " passed interface %u and %s not captured at interface %u", transit.near_interface,
                           transit.lost == 1 ? "was" : "were", transit.far_interface);
    return transit.lost;
}

void sctpa_between_taps_add(sctpa_triage_trouble_t *trouble, const sctpa_assoc_t *assoc)
{
    if (sctpa_taps(trouble->view->sctpa, assoc->number) != SCTPA_TAPS_TWO)
        return;
    trouble->has_two_taps = true;
    trouble->has_failed_between |= sctpa_view_outcome(trouble->view, assoc).end == SCTPA_ASSOC_FAILED;
    for (unsigned end = 0; end < 2; end++) {
        GString *text = g_string_new(NULL);
        uint64_t lost = 0;
        for (unsigned path = 0; path < assoc->ends[end].n_paths; path++)
            lost += append_lost(trouble, assoc, end, path, text);
        sctpa_paragraphs_row_t *row =
            lost > 0 ? sctpa_paragraphs_add(trouble->topics[SCTPA_TRIAGE_BETWEEN], assoc, end, lost) : NULL;
        if (row)
            g_string_append_printf(row->sentence, "%s: lost between the interfaces, or missed there", text->str);
        g_string_free(text, TRUE);
    }
}
