/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors that HEARTBEATs without answer show of a path, and what the endpoint takes the path for by then. Leaves out
 * which HEARTBEAT an answer belongs to (requests.c). */
#include "idle_paths.h"

#include "data/rto.h"
#include "track/tracker.h"

/* A time as far as it is known. */
typedef struct {
    int64_t least_ns, most_ns;
} span_t;

static const sctpa_probing_t *probing_of(const sctpa_idle_step_t *step)
{
    return sctpa_path_place_probing(step->place, step->from, step->path);
}

/* What is asserted of the sender of the packet; false: nothing, *value stays. */
static bool asserted(const sctpa_idle_step_t *step, sctpa_parameter_t parameter, int64_t *value)
{
    const sctpa_tracker_t *tracker = step->place->tracker;
    return tracker->asserted &&
           tracker->asserted(tracker->asserted_user, &step->place->input->packet->source, parameter, value);
}

/* The round trips of the path, NULL: none was measured. */
static const sctpa_data_path_t *measured(const sctpa_idle_step_t *step)
{
    const sctpa_data_path_t *path =
        sctpa_direction_known_path(sctpa_path_place_sent(step->place, step->from), step->path);
    return path && path->srtt_ns > 0 ? path : NULL;
}

/* After so many errors in a row, each of which doubles it (RFC 9260 8.3). */
static span_t rto_after(const sctpa_idle_step_t *step, unsigned errors)
{
    const sctpa_data_path_t *path = measured(step);
    const int64_t unbounded_ns = sctpa_rto_unbounded_ns(path->srtt_ns, path->rttvar_ns);
    sctpa_rto_bounds_t least = { .max_ns = SCTPA_RTO_MAX_NS }, most;
    int64_t rto_min_ns = sctpa_path_place_sent(step->place, step->from)->rare->rto_min_ns;
    if (asserted(step, SCTPA_PARAMETER_RTO_MIN, &rto_min_ns))
        least.min_ns = rto_min_ns;
    asserted(step, SCTPA_PARAMETER_RTO_MAX, &least.max_ns);
    most = least;
    most.min_ns = rto_min_ns;
    return (span_t){ sctpa_rto_backed_off_ns(unbounded_ns - unbounded_ns / 8, errors, &least),
                     sctpa_rto_backed_off_ns(unbounded_ns + unbounded_ns / 8, errors, &most) };
}

static uint32_t errors_of(const sctpa_idle_step_t *step)
{
    return (uint32_t)MIN((uint64_t)step->idle->heartbeats + step->trouble->timeouts, UINT32_MAX);
}

/* The outage of the path, made when new; NULL: the endpoint had too many. */
static sctpa_outage_t *outage_of(const sctpa_idle_step_t *step)
{
    sctpa_switching_t *switching = step->switching;
    sctpa_idle_path_t *idle = step->idle;
    if (idle->outage == 0) {
        switching->n_outages++;
        idle->outage = (uint16_t)MIN(switching->n_outages, SCTPA_OUTAGES_MAX + 1);
        if (idle->outage <= SCTPA_OUTAGES_MAX) {
            switching->outages = sctpa_arena_grow(step->place->tracked->arena, switching->outages, idle->outage - 1,
                                                  sizeof *switching->outages);
            switching->outages[idle->outage - 1] = (sctpa_outage_t){ .since_ns = step->trouble->unanswered_ns,
                                                                     .frame = step->place->input->packet->frame,
                                                                     .path = step->path };
        }
    }
    return idle->outage <= SCTPA_OUTAGES_MAX ? &switching->outages[idle->outage - 1] : NULL;
}

/* --- what is said --- */

/* "2 HEARTBEATs unanswered, 1 timeout, 5.656 to 6.656 s after the first was sent" */
static GString *errors_text(const sctpa_idle_step_t *step, const sctpa_outage_t *outage,
                            const sctpa_path_state_change_t *change)
{
    GString *text = g_string_new(NULL);
    uint32_t timeouts = step->trouble->timeouts, heartbeats = change->errors - timeouts;
    if (heartbeats > 0)
        g_string_append_printf(text, "%u HEARTBEAT%s unanswered", heartbeats, heartbeats == 1 ? "" : "s");
    if (timeouts > 0)
        g_string_append_printf(text, "%s%u timeout%s", heartbeats > 0 ? ", " : "", timeouts, timeouts == 1 ? "" : "s");
    g_string_append_printf(text, ", %.3f to %.3f s after the first was sent",
                           (double)(change->earliest_ns - outage->since_ns) / 1e9,
                           (double)(change->latest_ns - outage->since_ns) / 1e9);
    return text;
}

static void say_potentially_failed(const sctpa_idle_step_t *step)
{
    const sctpa_idle_path_t *idle = step->idle;
    sctpa_outage_t *outage = outage_of(step);
    if (!outage || outage->potentially_failed.frame != 0 || outage->inactive.frame != 0)
        return;
    outage->potentially_failed = idle->last;
    GString *text = errors_text(step, outage, &idle->last);
    g_string_append(text, "; probed once per RTO since (RFC 7829 5)");
    sctpa_path_place_put(step->place, idle->last.frame, idle->counted_ns, SCTPA_EVENT_PATH_POTENTIALLY_FAILED,
                         step->from, step->path, g_string_free(text, FALSE));
}

static void say_inactive(const sctpa_idle_step_t *step, int64_t max_retrans, bool is_asserted,
                         const sctpa_path_state_change_t *change)
{
    sctpa_outage_t *outage = outage_of(step);
    if (!outage || outage->inactive.frame != 0)
        return;
    outage->inactive = *change;
    outage->max_retrans = (uint32_t)max_retrans;
    outage->is_asserted = is_asserted;
    GString *text = errors_text(step, outage, change);
    g_string_append_printf(text, "; with Path.Max.Retrans %u%s (RFC 9260 8.2)", outage->max_retrans,
                           is_asserted ? ", as asserted" : "");
    sctpa_path_place_add(step->place, SCTPA_EVENT_PATH_INACTIVE, step->from, step->path, g_string_free(text, FALSE));
}

/* --- what shows it --- */

/* HB.interval: HEARTBEATs of an active path lie that and an RTO apart, +/- 50 % of the RTO (RFC 9260 8.3). False: none
 * was answered on the idle path. */
static bool heartbeat_interval(const sctpa_idle_step_t *step, span_t *interval)
{
    const sctpa_probing_t *probing = probing_of(step);
    const span_t rto = rto_after(step, 0);
    *interval = (span_t){ probing->least_gap_ns - rto.most_ns / 2 * 3, probing->most_gap_ns - rto.least_ns / 2 };
    if (asserted(step, SCTPA_PARAMETER_HB_INTERVAL, &interval->least_ns))
        interval->most_ns = interval->least_ns;
    else if (probing->most_gap_ns == 0)
        return false;
    return true;
}

/* Did the next HEARTBEAT come sooner than on an active path? */
static bool is_sooner(const sctpa_idle_step_t *step, int64_t waited_ns)
{
    span_t interval;
    return heartbeat_interval(step, &interval) &&
           waited_ns < interval.least_ns + rto_after(step, 0).least_ns / 2 - SCTPA_TICK_NS;
}

/* HB.interval at least, by the path or else by others of the endpoint; negative: none shows it. O(1), bounded. */
static int64_t least_interval_ns(const sctpa_idle_step_t *step)
{
    enum { PATHS_ASKED = 8 };
    span_t interval;
    int64_t least_ns = INT64_MAX;
    if (heartbeat_interval(step, &interval))
        return interval.least_ns;
    for (uint32_t path = 0; path < MIN(step->place->tracked->assoc.ends[step->from].n_paths, PATHS_ASKED); path++) {
        sctpa_idle_step_t other = *step;
        other.path = (uint16_t)path;
        if (measured(&other) && heartbeat_interval(&other, &interval))
            least_ns = MIN(least_ns, interval.least_ns);
    }
    return least_ns < INT64_MAX ? least_ns : -1;
}

/* The HEARTBEAT at asked_ns was lost: is the path probed once per RTO after the errors before? */
static void note_probe(const sctpa_idle_step_t *step, int64_t asked_ns)
{
    const int64_t waited_ns = step->place->input->packet->time_ns - asked_ns;
    sctpa_idle_path_t *idle = step->idle;
    if (idle->outage == 0 || errors_of(step) == 0 || sctpa_data_path_is_used_since(measured(step), asked_ns) ||
        waited_ns >= least_interval_ns(step) + rto_after(step, 0).least_ns / 2 - SCTPA_TICK_NS)
        return;
    sctpa_outage_t *outage = outage_of(step);
    idle->probes = MIN(idle->probes + 1, SCTPA_PROBES_LEAST);
    if (idle->probes < SCTPA_PROBES_LEAST || !outage)
        return;
    outage->probed_errors = errors_of(step);
    outage->probed_packet = step->place->input->index;
}

/* The HEARTBEAT before the one at asked_ns was lost, too: did it make the path potentially failed? */
static bool was_potentially_failed(const sctpa_idle_step_t *step, int64_t asked_ns)
{
    const sctpa_idle_path_t *idle = step->idle;
    return idle->heartbeats > 0 && idle->counted_ns == asked_ns && step->trouble->timeouts == 0 &&
           !sctpa_data_path_is_used_since(measured(step), asked_ns - idle->waited_ns) &&
           !is_sooner(step, idle->waited_ns) && is_sooner(step, step->place->input->packet->time_ns - asked_ns);
}

/* When was the HEARTBEAT counted that left at asked_ns and was lost? The next one leaves when the timer has run once
 * more, unless data holds it up: half an RTO later at the soonest, and at the latest when HB.interval and one and a
 * half are over. */
static span_t counted(const sctpa_idle_step_t *step, int64_t asked_ns)
{
    const int64_t next_ns = step->place->input->packet->time_ns;
    span_t rto = rto_after(step, errors_of(step)), interval;
    rto.most_ns = MIN(rto.most_ns, 2 * (next_ns - asked_ns));
    rto.least_ns = MIN(rto.least_ns, rto.most_ns);
    span_t counted = { asked_ns + rto.least_ns, MAX(next_ns, asked_ns + rto.most_ns) };
    int64_t least_ns = counted.most_ns - rto.most_ns;
    if (!sctpa_data_path_is_used_since(measured(step), asked_ns) && heartbeat_interval(step, &interval)) {
        const int64_t due_ns = asked_ns + interval.most_ns + rto.most_ns / 2 * 3;
        if (due_ns + sctpa_tick_ns(due_ns - asked_ns) < next_ns) {
            counted.most_ns = due_ns;
            least_ns = MIN(due_ns - rto.most_ns, asked_ns + interval.least_ns + rto.least_ns / 2);
        }
    }
    counted.least_ns = MIN(MAX(counted.least_ns, least_ns), next_ns - SCTPA_TICK_NS);
    return counted;
}

/* The HEARTBEAT of the packet shows that the one before, which left at asked_ns, was lost. */
static sctpa_path_state_change_t error_at(const sctpa_idle_step_t *step, int64_t asked_ns)
{
    const span_t time = counted(step, asked_ns);
    return (sctpa_path_state_change_t){ .earliest_ns = time.least_ns,
                                        .latest_ns = time.most_ns,
                                        .frame = step->place->input->packet->frame,
                                        .errors = errors_of(step) + 1 };
}

/* May the endpoint have counted one more error, so that the path was inactive earlier: of a HEARTBEAT that is under way
 * as a timer of data expires, or was as new data left the path? Or fewer, since acks cleared some? */
static bool may_count_otherwise(const sctpa_idle_step_t *step, bool is_timeout, int64_t max_retrans)
{
    const sctpa_idle_path_t *idle = step->idle;
    if (step->trouble->cleared > 0)
        return true;
    if (is_timeout && measured(step)->heartbeat_packet != SCTPA_NO_PACKET_INDEX)
        return true;
    if (idle->outage == 0 || idle->outage > SCTPA_OUTAGES_MAX)
        return false;
    const sctpa_path_state_change_t *left = &step->switching->outages[idle->outage - 1].left;
    return left->frame != 0 && left->errors >= max_retrans;
}

static void take_error(const sctpa_idle_step_t *step, const sctpa_path_state_change_t *error, bool is_timeout)
{
    int64_t max_retrans = SCTPA_RFC_PATH_MAX_RETRANS;
    const bool is_asserted = asserted(step, SCTPA_PARAMETER_PATH_MAX_RETRANS, &max_retrans);
    /* where errors before were not followed, it was inactive earlier */
    if (error->errors == max_retrans + 1 && !may_count_otherwise(step, is_timeout, max_retrans))
        say_inactive(step, max_retrans, is_asserted, error);
    if (step->idle->outage > 0 && outage_of(step)) {
        outage_of(step)->heartbeats = step->idle->heartbeats;
        outage_of(step)->timeouts = step->trouble->timeouts;
    }
}

void sctpa_idle_heartbeat(const sctpa_idle_step_t *step, int64_t asked_ns)
{
    sctpa_idle_path_t *idle = step->idle;
    const int64_t waited_ns = step->place->input->packet->time_ns - asked_ns;
    if (sctpa_path_place_is_ending(step->place) || !measured(step))
        return;
    if (waited_ns < MAX(rto_after(step, 0).least_ns / 2, measured(step)->srtt_ns))
        return;
    if (was_potentially_failed(step, asked_ns))
        say_potentially_failed(step);
    note_probe(step, asked_ns);
    idle->last = error_at(step, asked_ns);
    idle->counted_ns = step->place->input->packet->time_ns;
    idle->waited_ns = waited_ns;
    idle->heartbeats++;
    take_error(step, &idle->last, false);
}

/* Did a SACK since the first timeout ack something that was last sent to another path? */
static bool passes_elsewhere(const sctpa_idle_step_t *step)
{
    const sctpa_records_t *all = &sctpa_path_place_sent(step->place, step->from)->acked;
    for (uint32_t i = all->len, searched = 0; i > 0 && searched < SCTPA_ACKS_SEARCHED; i--, searched++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(all, sctpa_acked_t, i - 1);
        if (acked->packet <= step->trouble->timeout_packet)
            return false;
        if (acked->last_packet != SCTPA_NO_PACKET_INDEX &&
            g_array_index(step->place->tracker->records, sctpa_record_t, acked->last_packet).path != step->path)
            return true;
    }
    return false;
}

/* One timeout may be the loss of a packet. */
static void take_timeouts(const sctpa_idle_step_t *step)
{
    const sctpa_trouble_t *trouble = step->trouble;
    if (step->idle->outage == 0 && (trouble->timeouts < SCTPA_OUTAGE_ERRORS || !passes_elsewhere(step)))
        return;
    sctpa_outage_t *outage = outage_of(step);
    if (outage)
        outage->timeouts = trouble->timeouts;
}

void sctpa_idle_all_out(const sctpa_idle_step_t *step)
{
    sctpa_outage_t *outage = measured(step) && !sctpa_path_place_is_ending(step->place) ? outage_of(step) : NULL;
    if (outage)
        outage->timeouts = step->trouble->timeouts;
}

void sctpa_idle_timeout(const sctpa_idle_step_t *step)
{
    const sctpa_packet_t *packet = step->place->input->packet;
    if (sctpa_path_place_is_ending(step->place) || !measured(step))
        return;
    if (step->idle->heartbeats == 0 || probing_of(step)->heartbeats_acked == 0) {
        take_timeouts(step);
        return;
    }
    take_error(step,
               &(sctpa_path_state_change_t){ .earliest_ns = packet->time_ns - SCTPA_TICK_NS,
                                             .latest_ns = packet->time_ns,
                                             .frame = packet->frame,
                                             .errors = errors_of(step) },
               true);
}

void sctpa_idle_left(const sctpa_idle_step_t *step, uint32_t frame, int64_t time_ns)
{
    sctpa_outage_t *outage = outage_of(step);
    if (!outage || outage->left.frame != 0)
        return;
    const sctpa_trouble_t *trouble = step->trouble;
    outage->heartbeats = trouble->heartbeats;
    outage->timeouts = trouble->timeouts;
    outage->left = (sctpa_path_state_change_t){
        .earliest_ns = sctpa_direction_time_ns(sctpa_path_place_sent(step->place, step->from), trouble->since_packet),
        .latest_ns = time_ns,
        .frame = frame,
        .errors = (uint32_t)MIN(sctpa_trouble_errors(trouble), UINT32_MAX)
    };
    outage->left_timeouts = sctpa_trouble_timeouts_in_a_row(trouble);
}

void sctpa_idle_answered(sctpa_switching_t *switching, sctpa_idle_path_t *idle, const sctpa_packet_t *packet)
{
    if (idle->outage > 0 && idle->outage <= SCTPA_OUTAGES_MAX) {
        sctpa_outage_t *outage = &switching->outages[idle->outage - 1];
        outage->answered_ns = packet->time_ns;
        outage->answered_frame = packet->frame;
        outage->inactive.latest_ns = MIN(outage->inactive.latest_ns, packet->time_ns);
    }
    *idle = (sctpa_idle_path_t){ 0 };
}
