/* Judges timers from the intervals that they show: of a TSN that the retransmission timer sends again and again into
 * silence, of an INIT that is repeated, of retransmissions that were not needed. Leaves out what is sent again
 * (check_sender.c, check_congestion.c). */
#include "track/failure_detection.h"
#include "rules/engine.h"
#include "timers_limits.h"

enum {
    STEPS = 4,
    EQUAL_INTERVALS = SCTPA_INTERVALS_EQUAL - 1 /* that were as long as the one before */
};

/* A TSN that was sent again and again while nothing came back: what started the timer, when it was sent. */
typedef struct {
    int64_t tsn;
    int64_t at_ns[STEPS];         /* of its retransmissions, the first of them */
    int64_t waited_ns;            /* before the first, since the timer was to be started */
    int64_t quiet_ns;             /* before the first, since the last packet that may have started it */
    int64_t last_ns, interval_ns; /* of the last retransmission; before it */
    unsigned equal;               /* intervals in a row that were as long as the one before */
    unsigned sent;                /* retransmissions, 0: no such TSN */
    int64_t since_sent_ns;        /* before the first, since the TSN was sent */
    uint32_t started;             /* packet that was to start the timer */
    uint32_t packet;              /* the first */
    bool is_too_soon; /* the first may be sooner than an RTO after the restart, unless a SACK missed the TSN */
    bool is_timer;    /* nothing but the timer sends what the first one sent */
    bool is_no_probe; /* it is no loss probe, and no answer to a SACK */
} silence_t;

/* The timers of an end. */
typedef struct {
    silence_t *silence;   /* NULL before the first */
    int64_t cum_tsn;      /* highest cum_tsn for the data of the end, INT64_MIN none */
    uint32_t data, heard; /* 1 + packet with which the end last sent data, was last sent something; 0 none */
    uint32_t progress;    /* 1 + packet with which a cum_tsn for the data of the end advanced, 0 none */
    uint32_t init_tag;    /* of its last INIT */
    int64_t init_ns;
    uint8_t inits; /* INITs with that tag in a row */
    uint8_t spurious;
    bool is_disturbed; /* something else than data was sent since */
} timers_t;

typedef struct {
    timers_t ends[2];
} timer_state_t;

/* Time of packet - 1, 0 for 0. */
static int64_t when_ns(const sctpa_context_t *c, uint32_t packet)
{
    return packet > 0 ? sctpa_context_time_ns(c, packet - 1) : 0;
}

static bool is_double(int64_t interval_ns, int64_t before_ns)
{
    return interval_ns >= before_ns * 9 / 5 && interval_ns <= before_ns * 11 / 5;
}

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

/* RFC 9260 6.3.2: "acknowledges the DATA chunk with the earliest outstanding TSN for that address, restart the T3-rtx
 * timer" */
static void check_restart(sctpa_context_t *c, const silence_t *silence)
{
    int64_t second_ns = silence->at_ns[1] - silence->at_ns[0], third_ns = silence->at_ns[2] - silence->at_ns[1];
    if (!silence->is_timer || !is_double(third_ns, second_ns) || !sctpa_may_judge(c, SCTPA_RULE_TM_009, c->from))
        return;
    if (silence->waited_ns < second_ns / 2 * SCTPA_RESTARTED_TENTHS / 10)
        sctpa_accuse(c, SCTPA_RULE_TM_009, c->from, c->path, silence->started,
                     SCTPA_WORDS("timeout %.3f s after the restart, half of the next", seconds(second_ns / 2)),
                     SCTPA_WORDS("%.3f s after it, then %.3f and %.3f s", seconds(silence->waited_ns),
                                 seconds(second_ns), seconds(third_ns)));
}

/* RFC 9260 16: "RTO.Min" is recommended to be 1 second */
static void check_rto_min(sctpa_context_t *c, const silence_t *silence)
{
    int64_t second_ns = silence->at_ns[1] - silence->at_ns[0];
    if (!is_double(silence->at_ns[2] - silence->at_ns[1], second_ns) || !sctpa_may_judge(c, SCTPA_RULE_TM_001, c->from))
        return;
    if (second_ns < SCTPA_RTO_MIN_SHORT_MS * SCTPA_NS_PER_MS)
        sctpa_accuse(c, SCTPA_RULE_TM_001, c->from, c->path, SCTPA_NO_PACKET_INDEX, "RTO.Min 1 s",
                     SCTPA_WORDS("timeout after %.3f s", seconds(second_ns)));
}

/* RFC 9260 6.3.3: "set RTO = RTO * 2 (\"back off the timer\")". Had timeouts before the first one seen been lost before
 * the tap, the interval would be longer than the pause before by the RTO at least, which is no shorter than a round
 * trip. */
static void check_backoff(sctpa_context_t *c, const silence_t *silence)
{
    int64_t second_ns = silence->at_ns[1] - silence->at_ns[0], third_ns = silence->at_ns[2] - silence->at_ns[1];
    int64_t fourth_ns = silence->at_ns[3] - silence->at_ns[2];
    if (!silence->is_no_probe || !is_double(third_ns, second_ns) || !is_double(fourth_ns, third_ns) ||
        !sctpa_may_judge(c, SCTPA_RULE_TM_004, c->from))
        return;
    if (second_ns < silence->quiet_ns * SCTPA_BACKED_OFF_HALVES / 2 &&
        second_ns - silence->quiet_ns < sctpa_context_tap_rtt_ns(c, !c->from) / 2)
        sctpa_accuse(c, SCTPA_RULE_TM_004, c->from, c->path, silence->started,
                     SCTPA_WORDS("second timeout %.3f s or more after the first", seconds(2 * silence->quiet_ns)),
                     SCTPA_WORDS("%.3f s, after a first of %.3f s or more; then %.3f and %.3f s", seconds(second_ns),
                                 seconds(silence->quiet_ns), seconds(third_ns), seconds(fourth_ns)));
}

/* RFC 9260 8.1: "If the value of this counter exceeds the limit indicated in the protocol parameter
 * 'Association.Max.Retrans'" */
static void check_limit(sctpa_context_t *c, const silence_t *silence)
{
    if (sctpa_may_judge(c, SCTPA_RULE_TM_012, c->from) && silence->sent == SCTPA_TIMEOUTS_ALLOWED + 1)
        sctpa_accuse(c, SCTPA_RULE_TM_012, c->from, c->path, silence->started, "the peer is given up after 11 timeouts",
                     SCTPA_WORDS("%u timeouts in a row", silence->sent));
}

/* RFC 9260 16: "Association.Max.Retrans: 10 attempts"; 8.1: unreachable when the counter exceeds it. The ABORT that
 * follows leaves when the timer expires once more. */
static void check_surrender(sctpa_context_t *c, const silence_t *silence)
{
    if (silence->sent < 3 || !is_double(silence->at_ns[2] - silence->at_ns[1], silence->at_ns[1] - silence->at_ns[0]) ||
        !sctpa_may_judge(c, SCTPA_RULE_TM_013, c->from))
        return;
    int64_t took_ns = c->packet->time_ns - silence->at_ns[0] + (silence->at_ns[1] - silence->at_ns[0]) / 2;
    unsigned errors = sctpa_detection_errors(took_ns, (silence->at_ns[1] - silence->at_ns[0]) / 2,
                                             silence->equal > 0 ? silence->interval_ns : SCTPA_RTO_MAX_NS,
                                             silence->sent + 1, SCTPA_SUM_FIT_SHARE);
    if (errors > 0 && errors != SCTPA_ERRORS_PEER_UNREACHABLE)
        sctpa_accuse(
            c, SCTPA_RULE_TM_013, c->from, c->path, silence->started,
            SCTPA_WORDS("the association given up after %d timeouts", SCTPA_ERRORS_PEER_UNREACHABLE),
            SCTPA_WORDS("ABORT after %.1f s, the RFC's sum of %u RTOs that double from %.3f s; %u retransmissions seen",
                        seconds(took_ns), errors, seconds((silence->at_ns[1] - silence->at_ns[0]) / 2), silence->sent));
}

/* RFC 9260 6.3.1: "A maximum value MAY be placed on RTO, provided it is at least 'RTO.Max' seconds" */
static void check_growth(sctpa_context_t *c, silence_t *silence)
{
    int64_t interval_ns = c->packet->time_ns - silence->last_ns, before_ns = silence->interval_ns;
    bool is_equal = interval_ns > before_ns * (SCTPA_INTERVALS_EQUAL_SHARE - 1) / SCTPA_INTERVALS_EQUAL_SHARE &&
                    interval_ns < before_ns * (SCTPA_INTERVALS_EQUAL_SHARE + 1) / SCTPA_INTERVALS_EQUAL_SHARE;
    silence->equal = is_equal ? silence->equal + 1 : 0;
    silence->last_ns = c->packet->time_ns;
    silence->interval_ns = interval_ns;
    if (silence->sent < SCTPA_INTERVALS_EQUAL + 1 || !sctpa_may_judge(c, SCTPA_RULE_TM_019, c->from))
        return;
    if (silence->equal == EQUAL_INTERVALS && interval_ns < SCTPA_RTO_MAX_NS * 9 / 10)
        sctpa_accuse(c, SCTPA_RULE_TM_019, c->from, c->path, silence->started, "timeouts that double, up to 60 s",
                     SCTPA_WORDS("%u in a row, each after %.3f s", SCTPA_INTERVALS_EQUAL, seconds(interval_ns)));
}

static const sctpa_observed_t *first_data(const sctpa_context_t *c)
{
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_tlv_is_data(&c->chunks[i].tlv))
            return &c->chunks[i];
    return NULL;
}

static bool is_lowest(const sctpa_direction_t *sent, int64_t number)
{
    sctpa_range_t range;
    return sent->has_cum && sctpa_tsn_set_next(&sent->seen, sent->cum_tsn + 1, number, &range) && range.first == number;
}

/* Nothing was lost as far as the sender knows, and nothing but the timer sends the lowest TSN again: a loss probe sends
 * the highest, and a lone one after two round trips and an ack delay of 200 ms. */
static bool is_of_timer(const sctpa_context_t *c, const sctpa_rtx_t *rtx, int64_t number, int64_t since_ns)
{
    const sctpa_direction_t *sent = c->sent;
    bool is_plain = rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_UNKNOWN;
    return is_plain && rtx->misses == 0 && !sctpa_direction_has_gaps(sent) && sent->seldom->abandoned_to < 0 &&
           !c->packet->fragmented && !c->tracked->icmp_seen &&
           (sent->highest > number || since_ns < SCTPA_SACK_DELAY_NS);
}

/* A loss probe sends the highest TSN, and RACK waits no longer than two round trips for what SACKs showed missing. */
static bool is_no_probe(const sctpa_context_t *c, const sctpa_rtx_t *rtx, int64_t number, uint16_t path,
                        int64_t quiet_ns)
{
    const sctpa_direction_t *sent = c->sent;
    int64_t srtt_ns = path < sent->paths.len ? SCTPA_RECORD(&sent->paths, sctpa_data_path_t, path).srtt_ns : 0;
    return (rtx->kind == SCTPA_RTX_TIMEOUT || rtx->kind == SCTPA_RTX_UNKNOWN) && rtx->misses < SCTPA_MISSES_FAST &&
           sent->highest > number && srtt_ns > 0 && quiet_ns > 3 * srtt_ns && !c->packet->fragmented &&
           !c->tracked->icmp_seen;
}

/* Did a timeout since a TSN was last sent mark it, so that it follows whenever it may? */
static bool is_marked(const sctpa_context_t *c, const sctpa_rtx_t *rtx, uint16_t path)
{
    const sctpa_data_path_t *data = &SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, path);
    return (data->timeout_packet != c->index && data->timeout_packet != SCTPA_NO_PACKET_INDEX &&
            data->timeout_packet > rtx->previous) ||
           (data->unknown_packet != c->index && data->unknown_packet != SCTPA_NO_PACKET_INDEX &&
            data->unknown_packet > rtx->previous);
}

/* Did it leave sooner after the SACK that restarted the timer than an RTO can be, which is no shorter than a round trip
 * (6.3.1 C3)? */
static bool is_too_soon(const sctpa_context_t *c, const silence_t *silence, const sctpa_rtx_t *rtx, uint16_t path)
{
    int64_t tap_rtt_ns = sctpa_context_tap_rtt_ns(c, !c->from);
    return silence->is_timer && tap_rtt_ns > 0 && silence->since_sent_ns > silence->waited_ns &&
           silence->since_sent_ns >= tap_rtt_ns && !is_marked(c, rtx, path);
}

/* RFC 9260 6.3.2: "restart the T3-rtx timer for that address with its current RTO". The answer comes sooner after the
 * retransmission than any does: the receiver had the TSN, and no SACK can have missed it. */
static void check_too_soon(sctpa_context_t *c, silence_t *silence, uint8_t end)
{
    int64_t tap_rtt_ns = sctpa_context_tap_rtt_ns(c, c->from);
    silence->is_too_soon = false;
    if (c->acked->cum_tsn < silence->tsn || c->packet->time_ns - silence->last_ns >= tap_rtt_ns * 3 / 4 ||
        !sctpa_may_judge(c, SCTPA_RULE_TM_009, end))
        return;
    if (silence->waited_ns < tap_rtt_ns * 9 / 10)
        sctpa_accuse(c, SCTPA_RULE_TM_009, end, SCTPA_NO_PATH, silence->packet,
                     SCTPA_WORDS("timeout no sooner than a round trip, %.3f s, after the restart", seconds(tap_rtt_ns)),
                     SCTPA_WORDS("%.3f s after it, %.3f s after the TSN was sent", seconds(silence->waited_ns),
                                 seconds(silence->since_sent_ns)));
}

static void begin_silence(sctpa_context_t *c, timers_t *timers, const sctpa_observed_t *data)
{
    const sctpa_rtx_t *rtx = sctpa_observed_rtx(data, c->sent);
    const sctpa_tsn_t *tsn = data->sent.tsn;
    int64_t number = data->sent.number, now_ns = c->packet->time_ns;
    if (!rtx || !is_lowest(c->sent, number) || rtx->kind == SCTPA_RTX_PROBE || timers->is_disturbed)
        return;
    if (!timers->silence)
        timers->silence = sctpa_arena_alloc(&c->store->arena, sizeof *timers->silence);
    silence_t *silence = timers->silence;
    int64_t sent_ns = sctpa_context_time_ns(c, rtx->previous);
    int64_t tap_rtt_ns = sctpa_context_tap_rtt_ns(c, c->from);
    int64_t progress_ns = when_ns(c, timers->progress), heard_ns = when_ns(c, timers->heard);
    bool is_since_sent = sent_ns > progress_ns;
    *silence = (silence_t){ .tsn = number, .sent = 1, .at_ns = { now_ns }, .last_ns = now_ns };
    silence->waited_ns = now_ns - MAX(sent_ns, progress_ns);
    silence->quiet_ns = now_ns - MAX(when_ns(c, timers->data), heard_ns);
    silence->started = is_since_sent ? rtx->previous : timers->progress - 1;
    silence->is_no_probe = is_no_probe(c, rtx, number, tsn->path, silence->quiet_ns);
    silence->is_timer = tsn->transmissions == 2 && is_of_timer(c, rtx, number, now_ns - sent_ns) &&
                        now_ns - heard_ns >= MAX(20 * SCTPA_NS_PER_MS, 4 * tap_rtt_ns);
    silence->since_sent_ns = now_ns - sent_ns;
    silence->packet = c->index;
    silence->is_too_soon = is_too_soon(c, silence, rtx, tsn->path);
}

static void go_on(sctpa_context_t *c, silence_t *silence)
{
    if (silence->sent < STEPS)
        silence->at_ns[silence->sent] = c->packet->time_ns;
    silence->sent++;
    silence->is_too_soon = false;
    check_growth(c, silence);
    if (silence->sent == 3) {
        check_restart(c, silence);
        check_rto_min(c, silence);
    } else if (silence->sent == 4)
        check_backoff(c, silence);
    check_limit(c, silence);
}

/* The retransmission timer of a path is not told from that of another. */
static bool has_one_path(const sctpa_context_t *c)
{
    return c->assoc->ends[c->from].n_paths == 1;
}

static void take_data(sctpa_context_t *c, timers_t *timers)
{
    silence_t *silence = timers->silence;
    bool is_silent = silence && silence->sent > 0;
    const sctpa_observed_t *data = first_data(c);
    int64_t now_ns = c->packet->time_ns;
    bool is_again = data && data->sent.rtx > 0 && has_one_path(c);
    if (is_again && !is_silent)
        begin_silence(c, timers, data);
    else if (is_again && silence->tsn == data->sent.number)
        go_on(c, silence);
    else if (is_silent && now_ns - when_ns(c, timers->data) > 5 * SCTPA_NS_PER_MS) {
        silence->sent = 0;
        timers->is_disturbed = true;
    }
    timers->data = c->index + 1;
}

/* RFC 9260 6.2: "SHOULD be generated within 200 ms of the arrival of any unacknowledged DATA chunk" */
static void check_ack_delay(sctpa_context_t *c, timers_t *timers, const sctpa_tlv_t *chunk)
{
    sctpa_sack_t sack;
    uint8_t sender = !c->from;
    if (!sctpa_sack_parse(chunk, &sack) || sack.n_duplicates != 1)
        return;
    int64_t number = sctpa_direction_unwrap(c->acked, sctpa_be32(sack.duplicates));
    const sctpa_tsn_t *tsn = sctpa_direction_tsn(c->acked, number);
    if (!tsn || tsn->transmissions != 2 || tsn->duplicates != 1 || tsn->ack_packet != c->index ||
        number != c->acked->highest || tsn->more == 0 || !sctpa_may_judge(c, SCTPA_RULE_TM_008, sender))
        return;
    const sctpa_rtx_t *rtx = &SCTPA_RECORD(&c->acked->seldom->rtx, sctpa_rtx_t, tsn->more - 1);
    int64_t waited_ns = sctpa_context_time_ns(c, tsn->last_packet) - sctpa_context_time_ns(c, tsn->first_packet);
    int64_t srtt_ns =
        tsn->path < c->acked->paths.len ? SCTPA_RECORD(&c->acked->paths, sctpa_data_path_t, tsn->path).srtt_ns : 0;
    if (rtx->misses > 0 || srtt_ns <= 0 || waited_ns < MAX(srtt_ns, 10 * SCTPA_NS_PER_MS) ||
        waited_ns >= SCTPA_SACK_DELAY_NS + srtt_ns)
        return;
    if (++timers->spurious == SCTPA_SPURIOUS_REPORTED)
        sctpa_accuse(
            c, SCTPA_RULE_TM_008, sender, tsn->path, tsn->last_packet,
            SCTPA_WORDS("no timeout before %.3f s: round trip and 200 ms", seconds(SCTPA_SACK_DELAY_NS + srtt_ns)),
            SCTPA_WORDS("%u lone TSNs sent again in vain, the last after %.3f s", SCTPA_SPURIOUS_REPORTED,
                        seconds(waited_ns)));
}

/* RFC 9260 6.3.1: "set RTO to the protocol parameter 'RTO.Initial'" */
static void check_first_rto(sctpa_context_t *c, timers_t *timers, const sctpa_tlv_t *init)
{
    uint8_t from = c->from;
    uint32_t tag = sctpa_tlv_u32(init, SCTPA_F_INIT_TAG);
    int64_t interval_ns = c->packet->time_ns - timers->init_ns;
    bool is_second = timers->inits == 1 && timers->init_tag == tag && timers->heard == 0;
    timers->inits = is_second || timers->inits >= 2 ? 2 : 1;
    timers->init_tag = tag;
    timers->init_ns = c->packet->time_ns;
    if (!is_second || interval_ns < 10 * SCTPA_NS_PER_MS || c->tracked->icmp_seen || !has_one_path(c) ||
        !sctpa_may_judge(c, SCTPA_RULE_TM_002, from))
        return;
    if (interval_ns < SCTPA_RTO_INITIAL_SHORT_MS * SCTPA_NS_PER_MS)
        sctpa_accuse(c, SCTPA_RULE_TM_002, from, c->path, SCTPA_NO_PACKET_INDEX,
                     "INIT again after 1 s or more (RFC 4960: 3 s)", SCTPA_WORDS("after %.3f s", seconds(interval_ns)));
}

static void end_silence(timers_t *timers)
{
    if (timers->silence)
        timers->silence->sent = 0;
}

/* Something passes towards end, whose timers these are. */
static void hear(sctpa_context_t *c, timers_t *timers, uint8_t end)
{
    silence_t *silence = timers->silence;
    if (c->acked && silence && silence->sent == 1 && silence->is_too_soon)
        check_too_soon(c, silence, end);
    end_silence(timers);
    timers->heard = c->index + 1;
    timers->is_disturbed = false;
    if (c->acked && c->acked->has_cum && c->acked->cum_tsn > timers->cum_tsn) {
        timers->cum_tsn = c->acked->cum_tsn;
        timers->progress = c->index + 1;
    }
}

/* A first INIT, perhaps one of a flood, needs no state: the association remembers when it came. */
static timer_state_t *begin(const sctpa_context_t *c)
{
    timer_state_t *state = sctpa_context_find_part(c, SCTPA_PART_TIMER);
    if (state)
        return state;
    if (sctpa_context_is_first_init(c))
        return NULL;
    state = sctpa_context_part(c, SCTPA_PART_TIMER, sizeof *state);
    state->ends[0].cum_tsn = state->ends[1].cum_tsn = INT64_MIN;
    const sctpa_setup_t *setup = &c->assoc->setup;
    uint8_t by = setup->steps[SCTPA_STEP_INIT].by;
    if (setup->steps[SCTPA_STEP_INIT].count > 0) {
        state->ends[by].inits = 1;
        state->ends[by].init_tag = c->assoc->ends[by].vtag;
        state->ends[by].init_ns = setup->steps[SCTPA_STEP_INIT].first_ns;
    }
    return state;
}

void sctpa_check_timer(sctpa_context_t *c)
{
    timer_state_t *state = begin(c);
    if (!state)
        return;
    timers_t *own = &state->ends[c->from], *peer = &state->ends[!c->from];
    const sctpa_tlv_t *init = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_INIT),
                      *sack = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_SACK);
    if (init)
        check_first_rto(c, own, init);
    hear(c, peer, !c->from);
    if (sack && c->acked)
        check_ack_delay(c, peer, sack);
    if (c->rows & SCTPA_ROW(ABORT) && own->silence)
        check_surrender(c, own->silence);
    if (c->rows & ~(SCTPA_DATA_ROWS | SCTPA_SACK_ROWS)) {
        end_silence(own);
        own->is_disturbed = true;
    }
    if (c->rows & SCTPA_DATA_ROWS && c->sent)
        take_data(c, own);
}
