/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an end sends its new data, and what that shows of its paths: events primary_changed, path_failed, failover,
 * path_recovered. failover.h says what is evidence. Leaves to data/ what a timeout is, and to requests.c which
 * heartbeat an answer belongs to. */
#include "failover.h"

#include "data/t3.h"
#include "track/endpoints.h"
#include "track/events.h"
#include "track/near_tap.h"
#include "track/packet_record.h"
#include "track/tracker.h"
#include "idle_paths.h"

enum {
    STAY_PACKETS = 4,        /* with new data, elsewhere */
    STAY_PACKETS_FAILED = 2, /* after a timeout */
    SEVERAL_RETURNS = 2,     /* so many in a short time: several paths are used at once */
    RETURNS_MAX = 5,
    ASKED_OTHER_MOST = 16, /* times that the other tap tells of the paths: once or twice, unless somebody tries */
    ALL_OUT_PATHS_MOST = 8 /* that are asked at a timeout whether all of them are out */
};
static const int64_t stay_ns = 200 * SCTPA_NS_PER_MS, returns_ns = 10 * SCTPA_NS_PER_S;

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
    return (choice_t *)sctpa_path_place_switching(place, end);
}

static choice_t *choice_make(const sctpa_path_place_t *place, uint8_t end)
{
    choice_t *choice = choice_of(place, end);
    sctpa_direction_t *sent = sctpa_path_place_sent(place, end);
    if (choice)
        return choice;
    choice = sctpa_arena_alloc(place->tracked->arena, sizeof *choice);
    choice->next = choice->before = SCTPA_NO_PATH;
    sctpa_path_place_switch(place, end, &choice->result);
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

/* --- what goes wrong, and answers --- */

static void trouble_begin(sctpa_trouble_t *trouble, int64_t sent_ns)
{
    if (sctpa_trouble_errors(trouble) == 0)
        *trouble = (sctpa_trouble_t){ .unanswered_ns = sent_ns };
}

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
    return sctpa_path_place_heard_ns(step->place, !step->from) < since_ns;
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
    sctpa_idle_timeout(&idle);
    const bool all_out = are_all_out(step);
    for (uint16_t number = 0; all_out && number < step->choice->n_paths; number++) {
        idle = idle_step(step, number);
        sctpa_idle_all_out(&idle);
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
        sctpa_path_place_add(step->place, SCTPA_EVENT_PATH_RECOVERED, step->from, number,
                             g_strdup_printf("%s after %.3f s", what, silent_s));
    }
    if (proof || !is_out)
        sctpa_idle_answered(&step->choice->result, &path->idle, step->place->input->packet);
    if (is_out && proof)
        *path = (chosen_path_t){ .failed = false };
    else if (!path->failed)
        path->trouble.timeouts = path->trouble.heartbeats = path->trouble.cleared = 0;
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
    sctpa_path_place_put(step->place, step->choice->first_frame, step->choice->first_ns, kind, step->from, path,
                         detail);
}

static void fail(const step_t *step, uint16_t number)
{
    choice_t *choice = step->choice;
    chosen_path_t *path = path_at(step->place->tracked, choice, number);
    path->failed = true;
    path->failed_packet = choice->first_packet;
    sctpa_idle_step_t idle = idle_step(step, number);
    idle.trouble = &choice->trouble;
    sctpa_idle_left(&idle, choice->first_frame, choice->first_ns);
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
    if (sctpa_path_place_is_shown(step->place, step->from))
        step->place->tracked->sides[step->from].sent->usual_path = sent->usual_path;
}

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
    if (step.choice && !sctpa_path_place_is_void(place, end))
        take_answers(place->tracker, &step, first_acked);
}

void sctpa_failover_data(const sctpa_path_place_t *place, sctpa_direction_t *sent, uint8_t from, uint16_t path,
                         const sctpa_data_marks_t *before)
{
    step_t step = { place, from, NULL };
    const bool is_void = sctpa_path_place_is_void(place, from);
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

void sctpa_failover_heartbeat(const sctpa_path_place_t *place, uint8_t from, uint16_t path, int64_t asked_ns,
                              bool is_error)
{
    if (asked_ns < 0 || sctpa_path_place_is_void(place, from))
        return;
    const step_t step = { place, from, choice_make(place, from) };
    sctpa_trouble_t *trouble = &path_at(place->tracked, step.choice, path)->trouble;
    trouble_begin(trouble, asked_ns);
    trouble->heartbeats++;
    trouble->heartbeat_gap_ms = (uint32_t)((place->input->packet->time_ns - asked_ns) / SCTPA_NS_PER_MS);
    trouble->since_packet = place->input->index;
    sctpa_idle_step_t idle = idle_step(&step, path);
    if (is_error)
        sctpa_idle_heartbeat(&idle, asked_ns);
}

void sctpa_failover_heartbeat_ack(const sctpa_path_place_t *place, uint8_t from, uint16_t path)
{
    step_t step = { place, from, choice_of(place, from) };
    if (step.choice && !sctpa_path_place_is_void(place, from))
        answered(&step, path, true, "HEARTBEAT_ACK");
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
