/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an endpoint sends its new data, which HEARTBEATs (RFC 9260 8.3) are answered, and what that shows of its
 * paths: potentially failed (RFC 7829), inactive (RFC 9260 8.2), failed, left, recovered; its outages. What is kept
 * of the paths is kept for each place where packets are taken: as the association's packets were first seen, or one
 * of two taps, by its clock and order. Leaves to data/ what a timeout is. */
#include "path_states.h"

#include "data/rto.h"
#include "data/t3.h"
#include "track/endpoints.h"
#include "track/events.h"
#include "track/flow.h"
#include "track/identity/half_matching.h"
#include "track/near_tap.h"
#include "track/packet.h"
#include "track/tracker.h"

enum {
    FIRST_HEARTBEATS = 2,       /* of a path: the time between them may be that of its confirmation */
    PLAIN_HEARTBEAT_BYTES = 300 /* of one that probes no PMTU, at most */
};

/* What HEARTBEATs to a path of an endpoint showed. O(1). */
static const sctpa_probing_t *path_place_probing(const sctpa_path_place_t *place, uint8_t end, uint16_t path)
{
    return place->tap ? sctpa_tap_data_probed(place->tap, end, path)
                      : place->tracked->assoc.ends[end].paths[path].probing;
}

/* The path of an end whose last HEARTBEAT, or the one before, carried this info; SCTPA_NO_PATH none. */
static uint16_t asked_path(const sctpa_path_place_t *place, uint8_t asker, uint64_t info)
{
    const uint16_t n = place->tap ? (uint16_t)place->tap->n_probing[asker] : place->tracked->assoc.ends[asker].n_paths;
    for (uint16_t i = 0; info != 0 && i < n; i++) {
        const sctpa_probing_t *probing = path_place_probing(place, asker, i);
        if (probing->heartbeat_hash == info || probing->heartbeat_before == info)
            return i;
    }
    return SCTPA_NO_PATH;
}

/* When the last HEARTBEAT to a path left that was not answered, -1 none. */
static int64_t asked_ns(const sctpa_direction_t *direction, uint16_t path)
{
    const sctpa_data_path_t *known = sctpa_direction_known_path(direction, path);
    uint32_t packet = known ? known->heartbeat_packet : SCTPA_NO_PACKET_INDEX;
    return packet == SCTPA_NO_PACKET_INDEX ? -1 : sctpa_direction_time_ns(direction, packet);
}

/* A HEARTBEAT that probes the PMTU may be too large for the path (RFC 8899, RFC 9260 8.3). */
static bool probes_pmtu(const sctpa_input_t *input, const sctpa_tlv_t *heartbeat)
{
    return input->observation->rows & SCTPA_ROW(PAD) || heartbeat->wire_bytes > PLAIN_HEARTBEAT_BYTES;
}

static void note_gap(sctpa_probing_t *probing, const sctpa_data_path_t *path, int64_t time_ns)
{
    const int64_t gap_ns = time_ns - probing->heartbeat_ns;
    const bool is_usual = probing->heartbeats > FIRST_HEARTBEATS && probing->heartbeat_before == 0 && path &&
                          !sctpa_data_path_is_used_since(path, probing->heartbeat_ns);
    if (is_usual && gap_ns > 0) {
        probing->least_gap_ns = probing->least_gap_ns == 0 ? gap_ns : MIN(probing->least_gap_ns, gap_ns);
        probing->most_gap_ns = MAX(probing->most_gap_ns, gap_ns);
    }
    probing->heartbeat_ns = time_ns;
}

enum {
    SCTPA_ACKS_SEARCHED = 256, /* back from an error, for one of a path: more than a window of SACKs */
    SCTPA_PROBES_LEAST = 2     /* sooner than HB.interval allows: the application may ask for a HEARTBEAT (8.3) */
};

/* What HEARTBEATs to a path showed since its last answer. All 0: nothing. */
typedef struct {
    sctpa_path_state_change_t last; /* the last error that a HEARTBEAT showed */
    int64_t counted_ns;             /* when the HEARTBEAT left that showed it */
    int64_t waited_ns;              /* how long after the one before */
    uint32_t heartbeats;            /* errors that HEARTBEATs showed, in a row */
    uint16_t probes;                /* of them, followed by another sooner than HB.interval allows, not counted further
                                       than SCTPA_PROBES_LEAST */
    uint16_t outage;                /* 1 + index in outages, 0: neither event was made */
} sctpa_idle_path_t;

/* A packet of an endpoint at which an error of a path shows. */
typedef struct {
    const sctpa_path_place_t *place;
    sctpa_switching_t *switching;   /* of the endpoint */
    const sctpa_trouble_t *trouble; /* of the path, with this error */
    sctpa_idle_path_t *idle;
    uint16_t path;
    uint8_t from;
} sctpa_idle_step_t;

/* A time as far as it is known. */
typedef struct {
    int64_t least_ns, most_ns;
} span_t;

static const sctpa_probing_t *probing_of(const sctpa_idle_step_t *step)
{
    return path_place_probing(step->place, step->from, step->path);
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

/* Does the association show what is kept here of an endpoint's paths? O(1). */
static bool path_place_is_shown(const sctpa_path_place_t *place, uint8_t end)
{
    return !place->tap || sctpa_near_tap_of_paths(place->tracked, end) == place->tap;
}

static void path_place_put(const sctpa_path_place_t *place, uint32_t frame, int64_t time_ns, sctpa_event_kind_t kind,
                           uint8_t end, uint16_t path, char *detail)
{
    if (path_place_is_shown(place, end))
        sctpa_event_put(place->tracker, place->tracked, place->input->packet, frame, time_ns, kind, end, path, detail);
    else
        sctpa_event_list_put(place->tracker, place->tracked, &place->tap->events[end], place->input->packet, frame,
                             time_ns, kind, end, path, detail);
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
    path_place_put(step->place, idle->last.frame, idle->counted_ns, SCTPA_EVENT_PATH_POTENTIALLY_FAILED, step->from,
                   step->path, g_string_free(text, FALSE));
}

/* As sctpa_event_add and sctpa_event_put, for an event of a path that the packet makes certain. */
static void path_place_add(const sctpa_path_place_t *place, sctpa_event_kind_t kind, uint8_t end, uint16_t path,
                           char *detail)
{
    if (path_place_is_shown(place, end))
        sctpa_event_add(place->tracked, place->input->packet, kind, end, path, detail);
    else
        sctpa_event_list_add(place->tracked, &place->tap->events[end], place->input->packet, kind, end, path, detail);
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
    path_place_add(step->place, SCTPA_EVENT_PATH_INACTIVE, step->from, step->path, g_string_free(text, FALSE));
}

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

/* Did SHUTDOWN ACK, SHUTDOWN COMPLETE or ABORT pass? O(1). */
static bool path_place_is_ending(const sctpa_path_place_t *place)
{
    const sctpa_tap_data_t *tap = place->tap;
    if (!tap)
        return sctpa_tracked_is_ending(place->tracked);
    return tap->shutdown_acks > 0 ||
           (place->tracked->assoc.end_frame != 0 && tap->end_frame == place->tracked->assoc.end_frame);
}

/* The packet holds a HEARTBEAT to the path, and the one before, which left at asked_ns, was not answered. It counts as
 * an error, as RFC 9260 8.3 has it ("not acknowledged within one RTO"), where the next one leaves half an RTO later or
 * more: so soon it may be due, and Linux and FreeBSD count when it is. The time of the error lies between one RTO after
 * the HEARTBEAT that is lost, or before the next where that is later, and the later of its RTO and the next HEARTBEAT.
 * Where the next one comes later than HB.interval and one and a half RTOs allow, the error was counted when it was due.
 * RTOs are backed off by the errors before; RTO.Min is the asserted one or unknown below that of the RFC.
 *
 * path_potentially_failed: two HEARTBEATs in a row without answer, the second as long after the first as on an active
 * path, the third sooner after the second than HB.interval allows: RFC 7829 5 has a path that is potentially failed
 * probed once per RTO. Certain with the third, placed at the second.
 *
 * path_inactive: more errors in a row, timeouts among them (8.2), than Path.Max.Retrans, the asserted one or that of
 * RFC 9260 16.
 *
 * An outage was still probed once per RTO, as a path is that is potentially failed, where so many HEARTBEATs as
 * SCTPA_PROBES_LEAST follow each other sooner than HB.interval allows, by this path's or else by others of the
 * endpoint.
 *
 * Neither where nothing that was sent to the path was answered before, a HEARTBEAT or data: the tap may not see
 * answers; nor when the association ends. O(what is asserted). */
static void idle_heartbeat(const sctpa_idle_step_t *step, int64_t asked_ns)
{
    sctpa_idle_path_t *idle = step->idle;
    const int64_t waited_ns = step->place->input->packet->time_ns - asked_ns;
    if (path_place_is_ending(step->place) || !measured(step))
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

/* New data left the path after the errors of step->trouble, first in a frame at time_ns. O(1). */
static void idle_left(const sctpa_idle_step_t *step, uint32_t frame, int64_t time_ns)
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

/* The path answers: ends its outage. O(1). */
static void idle_answered(sctpa_switching_t *switching, sctpa_idle_path_t *idle, const sctpa_packet_t *packet)
{
    if (idle->outage > 0 && idle->outage <= SCTPA_OUTAGES_MAX) {
        sctpa_outage_t *outage = &switching->outages[idle->outage - 1];
        outage->answered_ns = packet->time_ns;
        outage->answered_frame = packet->frame;
        outage->inactive.latest_ns = MIN(outage->inactive.latest_ns, packet->time_ns);
    }
    *idle = (sctpa_idle_path_t){ 0 };
}

/* Are the paths of an endpoint followed elsewhere: at each of two taps, and not as packets were first seen? O(1). */
static bool path_place_is_void(const sctpa_path_place_t *place, uint8_t end)
{
    return !place->tap && sctpa_near_tap_of_paths(place->tracked, end);
}

/* How an endpoint changed paths, NULL none; and sets it. O(1). */
static sctpa_switching_t *path_place_switching(const sctpa_path_place_t *place, uint8_t end)
{
    return place->tap ? place->tap->switching[end] : place->tracked->assoc.ends[end].rare->switching;
}

static void path_place_switch(const sctpa_path_place_t *place, uint8_t end, sctpa_switching_t *switching)
{
    if (place->tap)
        place->tap->switching[end] = switching;
    if (path_place_is_shown(place, end))
        sctpa_end_rare(place->tracked, end)->switching = switching;
}

typedef struct {
    sctpa_trouble_t trouble;
    sctpa_idle_path_t idle;
    bool failed;
    uint32_t failed_packet; /* first new data elsewhere */
} chosen_path_t;

/* How an end chooses among its paths. */
typedef struct {
    sctpa_switching_t result; /* first, so that a result is what it is drawn from */
    chosen_path_t *paths;     /* by number */
    uint32_t n_paths;
    uint16_t next;    /* where new data goes since first_packet, SCTPA_NO_PATH: to the usual path */
    uint16_t before;  /* the usual path before the last move, SCTPA_NO_PATH none */
    uint32_t packets; /* with new data to next */
    uint32_t first_packet, first_frame;
    int64_t first_ns;
    sctpa_trouble_t trouble; /* of the usual path when new data left it */
    bool shaky;              /* several paths were in use then */
    uint32_t returns;        /* times that new data came back, none more than returns_ns after the one before */
    int64_t returned_ns, moved_ns;
} choice_t;

/* A packet of an end, and how it chooses. */
typedef struct {
    const sctpa_path_place_t *place;
    uint8_t from;
    choice_t *choice;
} step_t;

static choice_t *choice_of(const sctpa_path_place_t *place, uint8_t end)
{
    return (choice_t *)path_place_switching(place, end);
}

static choice_t *choice_make(const sctpa_path_place_t *place, uint8_t end)
{
    choice_t *choice = choice_of(place, end);
    sctpa_direction_t *sent = sctpa_path_place_sent(place, end);
    if (choice)
        return choice;
    choice = sctpa_arena_alloc(place->tracked->arena, sizeof *choice);
    choice->next = choice->before = SCTPA_NO_PATH;
    path_place_switch(place, end, &choice->result);
    if (sent)
        sent->watched = true;
    return choice;
}

static sctpa_direction_t *sent_of(const step_t *step)
{
    return sctpa_path_place_sent(step->place, step->from);
}

static chosen_path_t *path_at(sctpa_tracked_t *tracked, choice_t *choice, uint16_t number)
{
    while (choice->n_paths <= number) {
        choice->paths = sctpa_arena_grow(tracked->arena, choice->paths, choice->n_paths, sizeof *choice->paths);
        choice->paths[choice->n_paths++] = (chosen_path_t){ .failed = false };
    }
    return &choice->paths[number];
}

static bool is_grave(const sctpa_trouble_t *trouble)
{
    return trouble->timeouts > 0 || trouble->heartbeats >= 2;
}

static void trouble_begin(sctpa_trouble_t *trouble, int64_t sent_ns)
{
    if (sctpa_trouble_errors(trouble) == 0)
        *trouble = (sctpa_trouble_t){ .unanswered_ns = sent_ns };
}

/* What an error of a path shows where it is idle. */
static sctpa_idle_step_t idle_step(const step_t *step, uint16_t number)
{
    chosen_path_t *path = path_at(step->place->tracked, step->choice, number);
    return (sctpa_idle_step_t){ .place = step->place,
                                .switching = &step->choice->result,
                                .trouble = &path->trouble,
                                .idle = &path->idle,
                                .path = number,
                                .from = step->from };
}

/* Is there an event by which the path went out of use? */
static bool has_event(const sctpa_switching_t *switching, const chosen_path_t *path)
{
    const uint32_t outage = path->idle.outage;
    if (path->failed || outage == 0 || outage > SCTPA_OUTAGES_MAX)
        return path->failed || outage > 0;
    return switching->outages[outage - 1].potentially_failed.frame > 0 ||
           switching->outages[outage - 1].inactive.frame > 0;
}

/* The path answers: what was lost before shows nothing any more. proof: and what failed works again. */
static void answered(const step_t *step, uint16_t number, bool proof, const char *what)
{
    if (number >= step->choice->n_paths)
        return;
    chosen_path_t *path = &step->choice->paths[number];
    const bool is_out = path->failed || path->idle.outage > 0;
    if (proof && has_event(&step->choice->result, path)) {
        double silent_s = (double)(step->place->input->packet->time_ns - path->trouble.unanswered_ns) / 1e9;
        path_place_add(step->place, SCTPA_EVENT_PATH_RECOVERED, step->from, number,
                       g_strdup_printf("%s after %.3f s", what, silent_s));
    }
    if (proof || !is_out)
        idle_answered(&step->choice->result, &path->idle, step->place->input->packet);
    if (is_out && proof)
        *path = (chosen_path_t){ .failed = false };
    else if (!path->failed)
        path->trouble.timeouts = path->trouble.heartbeats = path->trouble.cleared = 0;
}

/* "3 timeouts (0.300, 0.600, at most 1.210 s)": how long the timer ran each time. */
static void append_timeouts(GString *text, const sctpa_trouble_t *trouble)
{
    g_string_append_printf(text, "%u timeout%s (", trouble->timeouts, trouble->timeouts == 1 ? "" : "s");
    for (uint32_t i = 0; i < MIN(trouble->timeouts, SCTPA_TIMEOUTS_SHOWN); i++) {
        g_string_append(text, i ? ", " : "");
        if (trouble->timeout_ms[i] == 0)
            g_string_append(text, "?");
        else
            g_string_append_printf(text, "%s%.3f", trouble->most >> i & 1 ? "at most " : "",
                                   trouble->timeout_ms[i] / 1e3);
    }
    g_string_append(text, trouble->timeouts > SCTPA_TIMEOUTS_SHOWN ? " ... s)" : " s)");
}

/* "3 timeouts (0.300, 0.600, 1.200 s), 2 HEARTBEATs unanswered" */
static void append_trouble(GString *text, const sctpa_trouble_t *trouble)
{
    if (trouble->timeouts > 0)
        append_timeouts(text, trouble);
    if (trouble->heartbeats > 0)
        g_string_append_printf(text, "%s%u HEARTBEAT%s unanswered", trouble->timeouts ? ", " : "", trouble->heartbeats,
                               trouble->heartbeats == 1 ? "" : "s");
}

/* Was data that went to the path acked after its last timeout, before new data left it? */
static bool acks_still(const step_t *step, uint16_t number)
{
    const sctpa_records_t *records = &sent_of(step)->acked;
    const choice_t *choice = step->choice;
    for (uint32_t i = records->len, searched = 0; i > 0 && searched < SCTPA_ACKS_SEARCHED; i--, searched++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(records, sctpa_acked_t, i - 1);
        if (acked->packet <= choice->trouble.since_packet)
            return false;
        if (acked->packet < choice->first_packet && acked->last_packet != SCTPA_NO_PACKET_INDEX &&
            g_array_index(step->place->tracker->records, sctpa_record_t, acked->last_packet).path == number)
            return true;
    }
    return false;
}

static char *failed_text(const step_t *step, uint16_t number)
{
    GString *text = g_string_new(NULL);
    append_trouble(text, &step->choice->trouble);
    g_string_append(text, ", then new data left it");
    if (acks_still(step, number))
        g_string_append(text, ", though it still acked other data");
    return g_string_free(text, FALSE);
}

static char *failover_text(const choice_t *choice, uint16_t path)
{
    const sctpa_trouble_t *trouble = &choice->trouble;
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "path %u -> %u, %.3f s after the first un%s, ", path, choice->next,
                           (double)(choice->first_ns - trouble->unanswered_ns) / 1e9,
                           trouble->timeouts ? "acked packet" : "answered HEARTBEAT");
    append_trouble(text, trouble);
    return g_string_free(text, FALSE);
}

static void log_failover(const step_t *step, uint16_t path)
{
    choice_t *choice = step->choice;
    sctpa_switching_t *result = &choice->result;
    if (result->n_failovers++ >= SCTPA_FAILOVERS_MAX)
        return;
    result->failovers = sctpa_arena_grow(step->place->tracked->arena, result->failovers, result->n_failovers - 1,
                                         sizeof *result->failovers);
    result->failovers[result->n_failovers - 1] = (sctpa_failover_t){ .frame = choice->first_frame,
                                                                     .certain_packet = step->place->input->index,
                                                                     .time_ns = choice->first_ns,
                                                                     .path = path,
                                                                     .to = choice->next,
                                                                     .trouble = choice->trouble };
}

static void put_event(const step_t *step, sctpa_event_kind_t kind, uint16_t path, char *detail)
{
    path_place_put(step->place, step->choice->first_frame, step->choice->first_ns, kind, step->from, path, detail);
}

static void fail(const step_t *step, uint16_t number)
{
    choice_t *choice = step->choice;
    chosen_path_t *path = path_at(step->place->tracked, choice, number);
    path->failed = true;
    path->failed_packet = choice->first_packet;
    sctpa_idle_step_t idle = idle_step(step, number);
    idle.trouble = &choice->trouble;
    idle_left(&idle, choice->first_frame, choice->first_ns);
    put_event(step, SCTPA_EVENT_PATH_FAILED, number, failed_text(step, number));
    put_event(step, SCTPA_EVENT_FAILOVER, choice->next, failover_text(choice, number));
    log_failover(step, number);
}

static bool has_failed(const choice_t *choice, uint16_t number)
{
    return is_grave(&choice->trouble) && number < choice->n_paths && is_grave(&choice->paths[number].trouble) &&
           !choice->paths[number].failed;
}

static void note_ping_pong(sctpa_switching_t *result, uint32_t packet)
{
    uint32_t *packets = result->ping_pong_packets;
    memmove(packets + 1, packets, (SCTPA_PING_PONGS_KEPT - 1) * sizeof *packets);
    packets[0] = packet;
    result->ping_pong++;
}

static void log_move(const step_t *step, uint16_t from)
{
    const choice_t *choice = step->choice;
    sctpa_switching_t *result = &step->choice->result;
    if (result->primary_changes++ >= SCTPA_MOVES_MAX)
        return;
    result->moves = sctpa_arena_grow(step->place->tracked->arena, result->moves, result->primary_changes - 1,
                                     sizeof *result->moves);
    result->moves[result->primary_changes - 1] =
        (sctpa_stayed_move_t){ choice->first_packet, choice->first_frame, from, choice->next };
}

static void move(const step_t *step)
{
    choice_t *choice = step->choice;
    sctpa_direction_t *sent = sent_of(step);
    bool back = choice->next == choice->before && choice->first_ns - choice->moved_ns <= SCTPA_PING_PONG_NS;
    if (has_failed(choice, sent->usual_path))
        fail(step, sent->usual_path);
    put_event(step, SCTPA_EVENT_PRIMARY_CHANGED, choice->next,
              g_strdup_printf("path %u -> %u", sent->usual_path, choice->next));
    log_move(step, sent->usual_path);
    if (back)
        note_ping_pong(&choice->result, step->place->input->index);
    choice->before = sent->usual_path;
    choice->moved_ns = choice->first_ns;
    sent->usual_path = choice->next;
    choice->next = SCTPA_NO_PATH;
    if (path_place_is_shown(step->place, step->from))
        step->place->tracked->sides[step->from].sent->usual_path = sent->usual_path;
}

/* A HEARTBEAT leaves to path; asked_ns is when the one before it left that was not answered, -1 none; is_error: its
 * loss may count as an error of the path (path_states.h). O(1). */
static void failover_heartbeat(const sctpa_path_place_t *place, uint8_t from, uint16_t path, int64_t asked_ns,
                               bool is_error)
{
    if (asked_ns < 0 || path_place_is_void(place, from))
        return;
    const step_t step = { place, from, choice_make(place, from) };
    sctpa_trouble_t *trouble = &path_at(place->tracked, step.choice, path)->trouble;
    trouble_begin(trouble, asked_ns);
    trouble->heartbeats++;
    trouble->heartbeat_gap_ms = (uint32_t)((place->input->packet->time_ns - asked_ns) / SCTPA_NS_PER_MS);
    trouble->since_packet = place->input->index;
    sctpa_idle_step_t idle = idle_step(&step, path);
    if (is_error)
        idle_heartbeat(&idle, asked_ns);
}

/* The association shows what a tap kept of the paths of an endpoint, in place of what the other did. */
static void show(sctpa_tracked_t *tracked, sctpa_two_taps_data_t *data, uint8_t end, unsigned tap)
{
    sctpa_tap_data_t *now = &data->taps[tap], *before = &data->taps[!tap];
    sctpa_direction_t *sent = tracked->sides[end].sent;
    data->asked[end] = (uint8_t)tap;
    data->asked_other[end]++;
    sctpa_events_exchange(tracked, end, &before->events[end], &now->events[end]);
    if (now->switching[end] || before->switching[end])
        sctpa_end_rare(tracked, end)->switching = now->switching[end];
    if (!sent)
        return;
    sent->watched = now->switching[end] != NULL;
    if (now->sides[end].sent && now->sides[end].sent->has_usual_path)
        sent->usual_path = now->sides[end].sent->usual_path;
}

/* The same, to be changed. Amortised O(1). */
static sctpa_probing_t *path_place_own_probing(const sctpa_path_place_t *place, uint8_t end, uint16_t path)
{
    sctpa_tracked_t *tracked = place->tracked;
    return place->tap ? sctpa_tap_data_probing(place->tap, tracked->arena, end, path)
                      : sctpa_path_probing(tracked, &tracked->assoc.ends[end].paths[path]);
}

static void on_heartbeat(const sctpa_path_place_t *place, uint8_t from, uint16_t number, const sctpa_tlv_t *chunk)
{
    sctpa_probing_t *probing = path_place_own_probing(place, from, number);
    sctpa_direction_t *direction = sctpa_path_place_make_sent(place->tracker, place->tracked, place->tap, from);
    probing->heartbeats++;
    probing->heartbeats_lost += probing->heartbeat_hash != 0;
    probing->heartbeat_before = probing->heartbeat_hash;
    probing->heartbeat_hash = sctpa_heartbeat_hash(place->tracker, chunk);
    const bool was_probe = probing->probes_pmtu;
    probing->probes_pmtu = probes_pmtu(place->input, chunk);
    failover_heartbeat(place, from, number, probing->heartbeat_before ? asked_ns(direction, number) : -1,
                       !was_probe && !probing->probes_pmtu);
    note_gap(probing, sctpa_direction_known_path(direction, number), place->input->packet->time_ns);
    sctpa_direction_heartbeat(direction, number, place->input->index);
}

/* An answer from the address of a path, to none of the last two HEARTBEATs there: it may answer one before these. */
static void note_late_answer(const sctpa_path_place_t *place, uint8_t asker)
{
    enum { LAST = 2 };
    const uint16_t number = sctpa_end_find_path(&place->tracked->assoc.ends[asker], &place->input->packet->source);
    sctpa_probing_t *probing = number != SCTPA_NO_PATH ? path_place_own_probing(place, asker, number) : NULL;
    if (probing && probing->heartbeats_lost >= LAST)
        probing->heartbeats_lost--;
}

static void note_unasked(const sctpa_path_place_t *place, uint8_t from, uint64_t info)
{
    if (info == 0 || place->tap)
        return;
    sctpa_end_rare(place->tracked, from)->unasked_frame = place->input->packet->frame;
    sctpa_end_rare(place->tracked, from)->unasked_ns = place->input->packet->time_ns;
}

/* The HEARTBEAT to a path of an endpoint that was not answered is, by the packet, where that comes from its address. */
static void note_rtt(const sctpa_path_place_t *place, uint8_t asker, uint16_t number)
{
    sctpa_path_t *path = &place->tracked->assoc.ends[asker].paths[number];
    const sctpa_direction_t *direction = sctpa_path_place_sent(place, asker);
    const int64_t ns = direction ? asked_ns(direction, number) : -1;
    if (ns >= 0 && sctpa_addr_equal(path->destination, &place->input->packet->source))
        sctpa_path_note_rtt(path, place->input->packet->time_ns - ns);
}

/* The HEARTBEAT_ACK to a heartbeat of from on path. O(1). */
static void failover_heartbeat_ack(const sctpa_path_place_t *place, uint8_t from, uint16_t path)
{
    step_t step = { place, from, choice_of(place, from) };
    if (step.choice && !path_place_is_void(place, from))
        answered(&step, path, true, "HEARTBEAT_ACK");
}

static void on_heartbeat_ack(const sctpa_path_place_t *place, uint8_t asker, const sctpa_tlv_t *chunk)
{
    sctpa_side_t *sides = place->tap ? place->tap->sides : place->tracked->sides;
    const uint64_t info = sctpa_heartbeat_hash(place->tracker, chunk);
    const uint16_t number = asked_path(place, asker, info);
    if (number == SCTPA_NO_PATH) {
        note_unasked(place, !asker, info);
        note_late_answer(place, asker);
        return;
    }
    sctpa_probing_t *probing = path_place_own_probing(place, asker, number);
    probing->heartbeats_acked++;
    failover_heartbeat_ack(place, asker, number);
    if (probing->heartbeat_hash != info) {
        probing->heartbeats_lost--;
        probing->heartbeat_before = 0;
        return;
    }
    probing->heartbeat_hash = 0;
    if (!place->tap)
        note_rtt(place, asker, number);
    sctpa_place_in_capture_t at = { .packet = place->input->index,
                                    .time_ns = place->input->packet->time_ns,
                                    .path = number,
                                    .data_only = !place->tracker->holds_more,
                                    .sender_tap_rtt = &sides[!asker].peer_tap_rtt };
    sctpa_direction_heartbeat_ack(sctpa_path_place_make_sent(place->tracker, place->tracked, place->tap, asker), number,
                                  &at);
}

void sctpa_heartbeat_chunk(const sctpa_path_place_t *place, uint8_t from, uint16_t path, const sctpa_tlv_t *chunk)
{
    if (chunk->type == SCTPA_CHUNK_HEARTBEAT)
        on_heartbeat(place, from, path, chunk);
    else if (chunk->type == SCTPA_CHUNK_HEARTBEAT_ACK)
        on_heartbeat_ack(place, !from, chunk);
}

/* --- what is said --- */

/* --- what shows it --- */

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
static void idle_take_timeouts(const sctpa_idle_step_t *step)
{
    const sctpa_trouble_t *trouble = step->trouble;
    if (step->idle->outage == 0 && (trouble->timeouts < SCTPA_OUTAGE_ERRORS || !passes_elsewhere(step)))
        return;
    sctpa_outage_t *outage = outage_of(step);
    if (outage)
        outage->timeouts = trouble->timeouts;
}

/* Every path of the endpoint had SCTPA_OUTAGE_ERRORS timeouts in a row, and nothing of the peer passed: the path has an
 * outage, unless nothing that was sent to it was answered before. O(1). */
static void idle_all_out(const sctpa_idle_step_t *step)
{
    sctpa_outage_t *outage = measured(step) && !path_place_is_ending(step->place) ? outage_of(step) : NULL;
    if (outage)
        outage->timeouts = step->trouble->timeouts;
}

/* The packet is the retransmission that shows a timeout of the path: an error as well (8.2). It makes path_inactive
 * where HEARTBEATs were without answer before, and others answered. SCTPA_OUTAGE_ERRORS timeouts in a row, without an
 * answer, are an outage where data passed another path meanwhile. O(what is asserted). */
static void idle_timeout(const sctpa_idle_step_t *step)
{
    const sctpa_packet_t *packet = step->place->input->packet;
    if (path_place_is_ending(step->place) || !measured(step))
        return;
    if (step->idle->heartbeats == 0 || probing_of(step)->heartbeats_acked == 0) {
        idle_take_timeouts(step);
        return;
    }
    take_error(step,
               &(sctpa_path_state_change_t){ .earliest_ns = packet->time_ns - SCTPA_TICK_NS,
                                             .latest_ns = packet->time_ns,
                                             .frame = packet->frame,
                                             .errors = errors_of(step) },
               true);
}

sctpa_direction_t *sctpa_path_place_make_sent(sctpa_tracker_t *tracker, sctpa_tracked_t *tracked, sctpa_tap_data_t *tap,
                                              uint8_t end)
{
    const sctpa_side_t *announced = &tracked->sides[end];
    sctpa_side_t *side = tap ? &tap->sides[end] : &tracked->sides[end];
    if (!side->sent) {
        side->sent = sctpa_direction_new(&tracker->store, &side->peer_tap_rtt);
        side->sent->watched = (tap ? tap->switching[end] : tracked->assoc.ends[end].rare->switching) != NULL;
        side->sent->truncated = side->truncated;
        side->sent->waits_for_t3 = announced->waits_for_t3;
        if (announced->has_initial)
            sctpa_direction_announce(side->sent, announced->initial_tsn);
        if (announced->has_window)
            sctpa_direction_window(side->sent, announced->window_bytes);
    }
    return side->sent;
}

sctpa_probing_t *sctpa_tap_data_probing(sctpa_tap_data_t *tap, sctpa_arena_t *arena, uint8_t end, uint16_t path)
{
    while (tap->n_probing[end] <= path)
        tap->probing[end] =
            sctpa_arena_grow(arena, tap->probing[end], tap->n_probing[end]++, sizeof *tap->probing[end]);
    return &tap->probing[end][path];
}

/* When the last packet of an endpoint passed. O(pairs of the endpoint). */
static int64_t path_place_heard_ns(const sctpa_path_place_t *place, uint8_t end)
{
    sctpa_counts_copy_t heard;
    if (place->tap)
        return place->tap->heard_ns[end];
    sctpa_flows_end_counts(place->tracker, &place->tracked->assoc.ends[end], &heard);
    return heard.counts.last_ns;
}

enum {
    STAY_PACKETS = 4,        /* with new data, elsewhere */
    STAY_PACKETS_FAILED = 2, /* after a timeout */
    SEVERAL_RETURNS = 2,     /* so many in a short time: several paths are used at once */
    RETURNS_MAX = 5,
    ASKED_OTHER_MOST = 16, /* times that the other tap tells of the paths: once or twice, unless somebody tries */
    ALL_OUT_PATHS_MOST = 8 /* that are asked at a timeout whether all of them are out */
};
static const int64_t stay_ns = 200 * SCTPA_NS_PER_MS, returns_ns = 10 * SCTPA_NS_PER_S;

/* --- what goes wrong, and answers --- */

/* The packet that the timeout of a path gave up: the previous transmission, there, of what this packet sends again. */
static uint32_t given_up(const sctpa_tracker_t *tracker, const sctpa_direction_t *direction, uint32_t first_rtx,
                         uint16_t path)
{
    for (uint32_t i = first_rtx; i < direction->rare->rtx.len; i++) {
        uint32_t previous = SCTPA_RECORD(&direction->rare->rtx, sctpa_rtx_t, i).previous;
        if (g_array_index(tracker->records, sctpa_record_t, previous).path == path)
            return previous;
    }
    return SCTPA_NO_PACKET_INDEX;
}

/* Did every one of several paths have timeouts in a row, and did nothing of the peer pass since the last of them was
 * first in trouble? O(pairs of the peer), bounded: more paths than ALL_OUT_PATHS_MOST are not asked. */
static bool are_all_out(const step_t *step)
{
    const sctpa_assoc_t *assoc = &step->place->tracked->assoc;
    const uint32_t n_paths = assoc->ends[step->from].n_paths;
    int64_t since_ns = INT64_MIN;
    if (n_paths < 2 || n_paths > ALL_OUT_PATHS_MOST || step->choice->n_paths < n_paths)
        return false;
    for (uint32_t number = 0; number < n_paths; number++) {
        const sctpa_trouble_t *trouble = &step->choice->paths[number].trouble;
        if (trouble->timeouts < SCTPA_OUTAGE_ERRORS)
            return false;
        since_ns = MAX(since_ns, trouble->unanswered_ns);
    }
    return path_place_heard_ns(step->place, !step->from) < since_ns;
}

static void on_timeout(const sctpa_tracker_t *tracker, const step_t *step, const sctpa_sample_t *backoff,
                       uint32_t first_rtx)
{
    const sctpa_direction_t *direction = sent_of(step);
    uint32_t lost = given_up(tracker, direction, first_rtx, backoff->path);
    if (lost == SCTPA_NO_PACKET_INDEX)
        return;
    sctpa_trouble_t *trouble = &path_at(step->place->tracked, step->choice, backoff->path)->trouble;
    trouble_begin(trouble, sctpa_direction_time_ns(direction, lost));
    if (trouble->timeouts == 0) {
        const sctpa_data_path_t *path = &SCTPA_RECORD(&direction->paths, sctpa_data_path_t, backoff->path);
        trouble->rto_ms = (uint32_t)(sctpa_t3_rto_ns(direction, path) / SCTPA_NS_PER_MS);
        trouble->timeout_packet = step->place->input->index;
    }
    if (trouble->timeouts < SCTPA_TIMEOUTS_SHOWN) {
        const int64_t ran_ns = sctpa_direction_elapsed_ns(direction, backoff);
        trouble->timeout_ms[trouble->timeouts] = (uint32_t)((ran_ns + SCTPA_NS_PER_MS / 2) / SCTPA_NS_PER_MS);
        trouble->most |= (uint32_t)backoff->may_start_late << trouble->timeouts;
    }
    trouble->timeouts++;
    trouble->since_packet = step->place->input->index;
    sctpa_idle_step_t idle = idle_step(step, backoff->path);
    idle_timeout(&idle);
    const bool all_out = are_all_out(step);
    for (uint16_t number = 0; all_out && number < step->choice->n_paths; number++) {
        idle = idle_step(step, number);
        idle_all_out(&idle);
    }
}

static void take_timeouts(const sctpa_tracker_t *tracker, step_t *step, const sctpa_data_marks_t *before)
{
    const sctpa_records_t *samples = &sent_of(step)->samples;
    for (uint32_t i = before->samples; i < samples->len; i++) {
        const sctpa_sample_t *sample = &SCTPA_RECORD(samples, sctpa_sample_t, i);
        if (sample->kind != SCTPA_SAMPLE_BACKOFF)
            continue;
        step->choice = choice_make(step->place, step->from);
        on_timeout(tracker, step, sample, before->rtx);
    }
}

/* Data of a packet of the end is acked that was sent in no later one. */
static void take_answer(const sctpa_tracker_t *tracker, const step_t *step, uint32_t packet, bool once)
{
    if (packet == SCTPA_NO_PACKET_INDEX)
        return;
    uint16_t number = g_array_index(tracker->records, sctpa_record_t, packet).path;
    if (number >= step->choice->n_paths)
        return;
    chosen_path_t *path = &step->choice->paths[number];
    path->trouble.cleared = path->trouble.timeouts;
    if (packet >= path->trouble.since_packet)
        answered(step, number, once && packet > path->failed_packet, "data acked");
}

static void take_answers(const sctpa_tracker_t *tracker, const step_t *step, uint32_t first_acked)
{
    const sctpa_records_t *records = &sent_of(step)->acked;
    for (uint32_t i = first_acked; i < records->len; i++) {
        const sctpa_acked_t *acked = &SCTPA_RECORD(records, sctpa_acked_t, i);
        take_answer(tracker, step, acked->first_packet, false);
        take_answer(tracker, step, acked->last_packet, false);
        take_answer(tracker, step, acked->oldest_packet, true);
    }
}

/* --- where new data goes --- */

static bool has_moved(const step_t *step)
{
    const choice_t *choice = step->choice;
    const sctpa_direction_t *sent = sent_of(step);
    if (choice->trouble.timeouts > 0 && !choice->shaky && has_failed(choice, sent->usual_path))
        return choice->packets >= STAY_PACKETS_FAILED;
    int64_t least_ns = MAX(
        stay_ns, 2 * MAX(sctpa_direction_srtt_ns(sent, sent->usual_path), sctpa_direction_srtt_ns(sent, choice->next)));
    return choice->packets >= STAY_PACKETS &&
           (step->place->input->packet->time_ns - choice->first_ns) >> choice->returns >= least_ns;
}

/* New data goes where it went before: it had only strayed. */
static void come_back(choice_t *choice, int64_t time_ns)
{
    choice->next = SCTPA_NO_PATH;
    choice->returns = MIN(choice->returns + 1, RETURNS_MAX);
    choice->returned_ns = time_ns;
}

static void leave(const step_t *step, uint16_t path)
{
    choice_t *choice = step->choice;
    const sctpa_packet_t *packet = step->place->input->packet;
    if (packet->time_ns - choice->returned_ns > returns_ns)
        choice->returns = 0;
    choice->next = path;
    choice->packets = 0;
    choice->first_packet = step->place->input->index;
    choice->first_frame = packet->frame;
    choice->first_ns = packet->time_ns;
    choice->trouble = path_at(step->place->tracked, choice, sent_of(step)->usual_path)->trouble;
    choice->shaky = choice->returns >= SEVERAL_RETURNS;
}

static void on_new_data(step_t *step, uint16_t path)
{
    const sctpa_direction_t *sent = sent_of(step);
    choice_t *choice = choice_of(step->place, step->from);
    if (path == sent->usual_path) {
        if (choice && choice->next != SCTPA_NO_PATH)
            come_back(choice, step->place->input->packet->time_ns);
        return;
    }
    step->choice = choice = choice_make(step->place, step->from);
    if (choice->next != path) {
        if (choice->next != SCTPA_NO_PATH)
            come_back(choice, step->place->input->packet->time_ns);
        leave(step, path);
    }
    choice->packets++;
    if (has_moved(step))
        move(step);
}

/* --- public --- */

void sctpa_failover_answers(const sctpa_path_place_t *place, uint8_t end, uint32_t first_acked)
{
    step_t step = { place, end, choice_of(place, end) };
    if (step.choice && !path_place_is_void(place, end))
        take_answers(place->tracker, &step, first_acked);
}

void sctpa_failover_data(const sctpa_path_place_t *place, sctpa_direction_t *sent, uint8_t from, uint16_t path,
                         const sctpa_data_marks_t *before)
{
    step_t step = { place, from, NULL };
    const bool is_void = path_place_is_void(place, from);
    if (sent->rare->rtx.len > before->rtx && !is_void) {
        step.choice = choice_of(place, from);
        take_timeouts(place->tracker, &step, before);
    }
    if (sent->highest <= before->highest)
        return;
    if (!sent->has_usual_path) {
        sent->has_usual_path = true;
        sent->usual_path = path;
    }
    if (!is_void && (sent->watched || path != sent->usual_path))
        on_new_data(&step, path);
}

void sctpa_failover_ask_taps(sctpa_tracked_t *tracked)
{
    sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    for (uint8_t end = 0; end < 2; end++) {
        const sctpa_tap_data_t *near = data->has_begun[end] ? sctpa_near_tap(tracked, end, end) : NULL;
        if (near && near != &data->taps[data->asked[end]] && data->asked_other[end] < ASKED_OTHER_MOST)
            show(tracked, data, end, !data->asked[end]);
    }
}

static void choice_free(sctpa_tracked_t *tracked, choice_t *choice)
{
    if (!choice)
        return;
    uint32_t n = MIN(choice->result.primary_changes, SCTPA_MOVES_MAX);
    sctpa_arena_free_grown(tracked->arena, choice->result.moves, n, sizeof *choice->result.moves);
    n = MIN(choice->result.n_failovers, SCTPA_FAILOVERS_MAX);
    sctpa_arena_free_grown(tracked->arena, choice->result.failovers, n, sizeof *choice->result.failovers);
    n = MIN(choice->result.n_outages, SCTPA_OUTAGES_MAX);
    sctpa_arena_free_grown(tracked->arena, choice->result.outages, n, sizeof *choice->result.outages);
    sctpa_arena_free_grown(tracked->arena, choice->paths, choice->n_paths, sizeof *choice->paths);
    sctpa_arena_free(tracked->arena, choice, sizeof *choice);
}

void sctpa_failover_begin_at_tap(sctpa_tracked_t *tracked, sctpa_tap_data_t *tap, uint8_t end)
{
    tap->switching[end] = tracked->assoc.ends[end].rare->switching;
    if (tap->sides[end].sent)
        tap->sides[end].sent->watched = tap->switching[end] != NULL;
}

void sctpa_failover_leave_taps(sctpa_tracked_t *tracked, uint8_t end)
{
    sctpa_two_taps_data_t *data = tracked->rare->two_taps_data;
    sctpa_tap_data_t *other = &data->taps[!data->asked[end]];
    choice_free(tracked, (choice_t *)other->switching[end]);
    sctpa_event_list_free(tracked, &other->events[end]);
    data->taps[0].switching[end] = data->taps[1].switching[end] = NULL;
}

void sctpa_failover_free(sctpa_tracked_t *tracked, uint8_t end)
{
    choice_free(tracked, (choice_t *)tracked->assoc.ends[end].rare->switching);
}
