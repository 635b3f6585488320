/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public functions of the core: an analysis is a tracker and what is summed over the whole capture; INITs of
 * which it holds no more than ICMP errors that quote them. */
#include <string.h>

#include "analysis.h"
#include "base/numbers.h"
#include "base/records.h"
#include "model/fingerprint.h"
#include "track/feed/requests.h"
#include "track/endpoints.h"
#include "track/events.h"
#include "track/feed/feed_parts.h"
#include "track/flow.h"
#include "track/identity/identity_parts.h"
#include "track/near_tap.h"
#include "track/tracker.h"
#include "wire/address.h"

enum { TAG_AT = 4, TAG_END = 8 }; /* all that an ICMP error quotes at the least */

static sctpa_refused_init_t *find(sctpa_summary_t *summary, const sctpa_packet_t *quoted)
{
    const uint16_t source_port = sctpa_be16(quoted->bytes), destination_port = sctpa_be16(quoted->bytes + 2);
    for (unsigned i = 0; i < MIN(summary->n_refused, G_N_ELEMENTS(summary->refused)); i++) {
        sctpa_refused_init_t *refused = &summary->refused[i];
        if (refused->source_port == source_port && refused->destination_port == destination_port &&
            sctpa_addr_equal(&refused->source, &quoted->source) &&
            sctpa_addr_equal(&refused->destination, &quoted->destination))
            return refused;
    }
    return NULL;
}

/* Takes an ICMP error of no association, where it quotes an INIT. O(SCTPA_REFUSED_INITS_MAX). RFC 9260 8.5.1 A: "When
 * an endpoint sends an INIT chunk, it MUST be in a packet with the Verification Tag 0", as no other packet is. */
static void refused_init_take(sctpa_summary_t *summary, const sctpa_icmp_t *icmp)
{
    const sctpa_packet_t *quoted = &icmp->quoted;
    if (icmp->kind != SCTPA_ICMP_UNREACHABLE || quoted->captured_bytes < TAG_END ||
        sctpa_be32(quoted->bytes + TAG_AT) != 0)
        return;
    summary->refused_errors++;
    sctpa_refused_init_t *refused = find(summary, quoted);
    if (refused) {
        refused->errors++;
        return;
    }
    refused = &summary->refused[MIN(summary->n_refused, SCTPA_REFUSED_INITS_MAX)];
    summary->n_refused++;
    *refused = (sctpa_refused_init_t){ .source = quoted->source,
                                       .destination = quoted->destination,
                                       .reporter = icmp->reporter,
                                       .source_port = sctpa_be16(quoted->bytes),
                                       .destination_port = sctpa_be16(quoted->bytes + 2),
                                       .errors = 1,
                                       .first_frame = quoted->frame,
                                       .first_ns = quoted->time_ns };
    char *reason = sctpa_icmp_reason(icmp);
    g_strlcpy(refused->reason, reason, sizeof refused->reason);
    g_free(reason);
}

/* An INIT was captured: those that ICMP errors quoted before are of the same attempt. True: *joined is what was kept of
 * them, which the summary counts no more. O(SCTPA_REFUSED_INITS_MAX). */
static bool refused_init_join(sctpa_summary_t *summary, const sctpa_packet_t *init, sctpa_refused_init_t *joined)
{
    if (summary->n_refused == 0 || init->captured_bytes < TAG_END || sctpa_be32(init->bytes + TAG_AT) != 0)
        return false;
    sctpa_refused_init_t *refused = find(summary, init);
    if (!refused || refused - summary->refused >= SCTPA_REFUSED_INITS_MAX)
        return false;
    *joined = *refused;
    summary->n_refused--;
    summary->refused_errors -= joined->errors;
    summary->icmp_unmatched -= joined->errors;
    memmove(refused, refused + 1, (size_t)(&summary->refused[SCTPA_REFUSED_INITS_MAX] - refused) * sizeof *refused);
    return true;
}

enum {
    JUMBO_BYTES = 9216,
    CLOCK_STEP_MS = 100 /* packets that several processors captured are out of order by less */
};

sctpa_t *sctpa_new(const sctpa_auth_key_t *keys, size_t n_keys)
{
    sctpa_t *sctpa = g_new0(sctpa_t, 1);
    for (unsigned i = 0; i < SCTPA_INTERFACES_WATCHED; i++)
        sctpa->last_ns[i] = sctpa->latest_ns[i] = INT64_MIN;
    sctpa->tracker = sctpa_tracker_new();
    sctpa->model = sctpa_model_new(&(sctpa_rule_choice_t){ .levels = SCTPA_ALL_LEVELS }, SCTPA_PROFILE_BOTH);
    sctpa->rtos = sctpa_rto_memory_new();
    for (size_t i = 0; i < n_keys; i++) {
        sctpa_auth_key_t key = keys[i];
        key.key = g_bytes_ref(key.key);
        g_array_append_val(sctpa->tracker->keys, key);
    }
    return sctpa;
}

void sctpa_free(sctpa_t *sctpa)
{
    if (!sctpa)
        return;
    for (unsigned i = 0; i < sctpa->tracker->keys->len; i++)
        g_bytes_unref(g_array_index(sctpa->tracker->keys, sctpa_auth_key_t, i).key);
    sctpa_rto_memory_free(sctpa->rtos);
    sctpa_model_free(sctpa->model);
    g_free(sctpa->assertions);
    sctpa_tracker_free(sctpa->tracker);
    g_free(sctpa);
}

static void quality_add(sctpa_t *sctpa, unsigned kind, uint32_t frame)
{
    if (sctpa->summary.quality[kind].count++ == 0)
        sctpa->summary.quality[kind].first_frame = frame;
}

static void note_span(sctpa_t *sctpa, const sctpa_packet_t *packet)
{
    const unsigned interface = packet->interface % SCTPA_INTERFACES_WATCHED;
    const bool is_first = sctpa->latest_ns[interface] == INT64_MIN;
    sctpa->earliest_ns[interface] = is_first ? packet->time_ns : MIN(sctpa->earliest_ns[interface], packet->time_ns);
    sctpa->latest_ns[interface] = MAX(sctpa->latest_ns[interface], packet->time_ns);
}

/* What the packet alone says of its capture. */
static uint8_t remarks_of(sctpa_t *sctpa, const sctpa_packet_t *packet)
{
    int64_t *last_ns = &sctpa->last_ns[packet->interface % SCTPA_INTERFACES_WATCHED];
    uint8_t remarks = 0;
    if (packet->captured_bytes < packet->wire_bytes)
        remarks |= SCTPA_CAPTURE_TRUNCATED;
    if (packet->wire_bytes > JUMBO_BYTES && !packet->fragmented)
        remarks |= SCTPA_CAPTURE_OFFLOAD;
    if (packet->time_ns < *last_ns)
        remarks |= *last_ns - packet->time_ns > CLOCK_STEP_MS * SCTPA_NS_PER_MS ? SCTPA_CAPTURE_CLOCK
                                                                                : SCTPA_CAPTURE_REORDERED;
    else if (*last_ns != INT64_MIN && packet->time_ns - *last_ns >= SCTPA_RTO_MIN_NS)
        sctpa->silence =
            (sctpa_silence_t){ packet->time_ns - *last_ns, sctpa->tracker->records->len - 1, packet->interface };
    *last_ns = packet->time_ns;
    note_span(sctpa, packet);
    return remarks;
}

static int64_t second_of(int64_t time_ns)
{
    return (time_ns + SCTPA_NS_PER_S / 2) / SCTPA_NS_PER_S;
}

static void take_tick(sctpa_t *sctpa, int64_t time_ns)
{
    sctpa_ticks_t *ticks = &sctpa->ticks;
    const int64_t second = second_of(time_ns);
    ticks->is_refuted |= ABS(time_ns - second * SCTPA_NS_PER_S) > SCTPA_TICK_WIDTH_NS;
    ticks->seconds += ticks->seconds < UINT32_MAX && (ticks->seconds == 0 || second != ticks->last_s);
    ticks->last_s = second;
    const bool is_shown =
        ticks->seconds >= SCTPA_TICKS_LEAST && ticks->answers >= SCTPA_TICKS_LEAST && ticks->has_late_answer;
    sctpa->summary.ticks = !ticks->is_refuted && is_shown ? ticks->seconds : 0;
}

/* The packets that a packet answers: the oldest and the last with DATA that it acknowledges, or the step of the set-up
 * before its own, sent once. false: it answers nothing. */
static bool asked_by(const sctpa_t *sctpa, const sctpa_record_t *record, uint32_t index, int64_t *oldest_ns,
                     int64_t *last_ns)
{
    const sctpa_tracked_t *tracked = sctpa_tracked_find(sctpa->tracker, record->assoc);
    const sctpa_direction_t *sent = tracked->sides[!record->from].sent;
    const uint32_t n = sent ? sent->acked.len : 0;
    const sctpa_acked_t *acked = n > 0 ? &SCTPA_RECORD(&sent->acked, sctpa_acked_t, n - 1) : NULL;
    if (acked && acked->packet == index && acked->oldest_packet != SCTPA_NO_PACKET_INDEX) {
        *oldest_ns = sctpa_packet_time_ns(sctpa, acked->oldest_packet);
        *last_ns = sctpa_packet_time_ns(sctpa, acked->last_packet);
        return true;
    }
    const sctpa_setup_t *setup = &tracked->assoc.setup;
    for (unsigned step = SCTPA_STEP_INIT_ACK; step < SCTPA_STEPS; step++)
        if (setup->steps[step].count == 1 && setup->steps[step].first_frame == record->frame &&
            setup->steps[step - 1].count == 1) {
            *oldest_ns = *last_ns = setup->steps[step - 1].first_ns;
            return true;
        }
    return false;
}

static void note_answer(sctpa_t *sctpa, const sctpa_record_t *record, uint32_t index, int64_t time_ns)
{
    sctpa_ticks_t *ticks = &sctpa->ticks;
    int64_t oldest_ns, last_ns;
    if (ticks->is_refuted || ticks->answers == UINT32_MAX || record->assoc == SCTPA_NO_ASSOC ||
        record->remarks & SCTPA_CAPTURE_UNCOUNTED || !asked_by(sctpa, record, index, &oldest_ns, &last_ns))
        return;
    ticks->answers += second_of(oldest_ns) != second_of(time_ns);
    ticks->has_late_answer |= second_of(last_ns) != second_of(time_ns);
}

static void set_stamp_unit(sctpa_t *sctpa)
{
    int64_t unit_ns = SCTPA_STAMPS_FINE_NS;
    for (unsigned i = 0; i < SCTPA_INTERFACES_WATCHED; i++)
        unit_ns = MAX(unit_ns, sctpa->stamp_unit_ns[i]);
    sctpa->summary.stamp_unit_ns = unit_ns;
    sctpa->tracker->stamp_unit_ns = sctpa->summary.ticks > 0 ? SCTPA_NS_PER_S : unit_ns;
}

/* Resolutions of stamps are powers of ten; one that is coarser than the clock's is taken until a stamp shows the finer.
 */
static void learn_stamp_unit(sctpa_t *sctpa, const sctpa_packet_t *packet)
{
    const uint32_t ticks = sctpa->summary.ticks;
    if (!sctpa->ticks.is_refuted)
        take_tick(sctpa, packet->time_ns);
    if ((ticks > 0) != (sctpa->summary.ticks > 0))
        set_stamp_unit(sctpa);

    int64_t *unit_ns = &sctpa->stamp_unit_ns[packet->interface % SCTPA_INTERFACES_WATCHED];
    if (*unit_ns > 0 && (*unit_ns == SCTPA_STAMPS_FINE_NS || packet->time_ns % *unit_ns == 0))
        return;
    if (*unit_ns == 0)
        *unit_ns = SCTPA_NS_PER_S;
    while (*unit_ns > SCTPA_STAMPS_FINE_NS && packet->time_ns % *unit_ns != 0)
        *unit_ns /= 10;
    set_stamp_unit(sctpa);
}

static void summarise(sctpa_t *sctpa, const sctpa_packet_t *packet, const sctpa_record_t *record)
{
    sctpa_summary_t *summary = &sctpa->summary;
    if (summary->packets++ == 0)
        summary->first_ns = summary->last_ns = packet->time_ns;
    summary->last_ns = MAX(packet->time_ns, summary->last_ns);
    summary->has_more = sctpa->tracker->holds_more;
    summary->unlabelled += record->assoc == SCTPA_NO_ASSOC;
    for (unsigned bit = 0; record->remarks >> bit; bit++)
        if (record->remarks >> bit & 1)
            quality_add(sctpa, bit, packet->frame);
    if (record->checksum == SCTPA_CHECKSUM_ZERO)
        quality_add(sctpa, SCTPA_QUALITY_ZERO_CHECKSUM, packet->frame);
    if (sctpa->tracker->has_reused_tsn)
        quality_add(sctpa, SCTPA_QUALITY_OTHER_MESSAGE, packet->frame);
}

/* What an INIT or INIT ACK looks like says whether its sender may retransmit a lone TSN sooner than T3 expires. */
static void note_implementation(sctpa_t *sctpa, const sctpa_record_t *record, uint32_t index)
{
    const sctpa_observation_t *observation = &sctpa->tracker->observation;
    if (record->assoc == SCTPA_NO_ASSOC || !(observation->rows & (SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK))))
        return;
    const sctpa_observed_t *chunk = &observation->chunks[0];
    if (chunk->row != SCTPA_CHUNK_ROW_INIT && chunk->row != SCTPA_CHUNK_ROW_INIT_ACK)
        return;
    const sctpa_likeness_t likeness = sctpa_fingerprint(&chunk->tlv, sctpa_observed_params(observation, chunk), index);
    sctpa_side_t *side = &sctpa_tracked_at(sctpa->tracker, record->assoc)->sides[record->from];
    side->waits_for_t3 = !sctpa_likeness_precedes_t3(likeness);
    if (side->sent)
        side->sent->waits_for_t3 = side->waits_for_t3;
}

/* ICMP errors that quoted INITs of the same attempt before this one passed: an event of its association. */
static void join_refused(sctpa_t *sctpa, const sctpa_packet_t *packet, const sctpa_record_t *record)
{
    sctpa_refused_init_t refused;
    if (record->assoc == SCTPA_NO_ASSOC || !refused_init_join(&sctpa->summary, packet, &refused))
        return;
    sctpa_tracked_t *tracked = sctpa_tracked_at(sctpa->tracker, record->assoc);
    tracked->refused_by_icmp |= !tracked->established;
    sctpa_event_add(tracked, packet, SCTPA_EVENT_ICMP_UNREACHABLE, record->from, record->path,
                    g_strdup_printf("%s: INITs before the first captured, in frame %u first, errors: %u",
                                    refused.reason, refused.first_frame, refused.errors));
}

static uint32_t take(sctpa_t *sctpa, const sctpa_packet_t *packet, uint8_t remarks)
{
    learn_stamp_unit(sctpa, packet);
    sctpa_record_t *record = sctpa_track_packet(sctpa->tracker, packet);
    record->remarks |= remarks | remarks_of(sctpa, packet);
    summarise(sctpa, packet, record);
    join_refused(sctpa, packet, record);
    uint32_t index = sctpa->tracker->records->len - 1;
    note_implementation(sctpa, record, index);
    note_answer(sctpa, record, index, packet->time_ns);
    sctpa_model_take(sctpa->model, sctpa->tracker, packet, index);
    sctpa_stopped_timers_take(sctpa, &g_array_index(sctpa->tracker->records, sctpa_record_t, index), index);
    return index;
}

int64_t sctpa_time_within(const sctpa_t *sctpa, int64_t time_ns)
{
    int64_t first_ns = sctpa->summary.first_ns;
    if (sctpa->summary.packets == 0)
        return CLAMP(time_ns, -SCTPA_TIME_FAR_NS, SCTPA_TIME_FAR_NS);
    return CLAMP(time_ns, first_ns - SCTPA_TIME_SPAN_NS, first_ns + SCTPA_TIME_SPAN_NS);
}

uint32_t sctpa_feed(sctpa_t *sctpa, const sctpa_packet_t *packet)
{
    int64_t within_ns = sctpa_time_within(sctpa, packet->time_ns);
    if (within_ns != packet->time_ns) {
        sctpa_packet_t within = *packet;
        within.time_ns = within_ns;
        return take(sctpa, &within, SCTPA_CAPTURE_TIME);
    }
    return take(sctpa, packet, 0);
}

void sctpa_judge_end(sctpa_t *sctpa, int64_t end_ns)
{
    if (sctpa->summary.packets > 0)
        sctpa_model_judge_end(sctpa->model, sctpa->tracker,
                              MAX(sctpa_time_within(sctpa, end_ns), sctpa->summary.last_ns));
}

void sctpa_feed_icmp(sctpa_t *sctpa, const sctpa_icmp_t *icmp)
{
    sctpa_icmp_t within = *icmp;
    within.quoted.time_ns = sctpa_time_within(sctpa, icmp->quoted.time_ns);
    sctpa->summary.icmp_errors++;
    if (sctpa_icmp_take(sctpa->tracker, &within))
        return;
    sctpa->summary.icmp_unmatched++;
    refused_init_take(&sctpa->summary, icmp);
}

void sctpa_forget(sctpa_t *sctpa, uint32_t number)
{
    sctpa_model_forget(sctpa->model, sctpa->tracker, number);
    sctpa_tracker_forget(sctpa->tracker, number);
}

size_t sctpa_held_bytes(const sctpa_t *sctpa)
{
    return sctpa_tracker_held_bytes(sctpa->tracker) + sctpa_model_held_bytes(sctpa->model);
}

sctpa_outcome_t sctpa_outcome(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, int64_t end_ns)
{
    return sctpa_teardown_outcome(sctpa->tracker, (const sctpa_tracked_t *)assoc,
                                  MAX(sctpa_time_within(sctpa, end_ns), sctpa->summary.last_ns));
}

const sctpa_after_abort_t *sctpa_after_abort(const sctpa_assoc_t *assoc)
{
    return sctpa_after_abort_of((const sctpa_tracked_t *)assoc);
}

const sctpa_half_closed_t *sctpa_half_closed(const sctpa_assoc_t *assoc, uint32_t *n)
{
    return sctpa_half_closed_of((const sctpa_tracked_t *)assoc, n);
}

const sctpa_in_progress_t *sctpa_in_progress(const sctpa_assoc_t *assoc, uint8_t asker)
{
    return sctpa_in_progress_of((const sctpa_tracked_t *)assoc, asker);
}

const sctpa_closing_t *sctpa_closing(const sctpa_assoc_t *assoc, uint8_t end)
{
    return &((const sctpa_tracked_t *)assoc)->closing[end];
}

void sctpa_end_counts(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, unsigned end, sctpa_counts_copy_t *counts)
{
    sctpa_flows_end_counts(sctpa->tracker, &assoc->ends[end], counts);
}

void sctpa_pair_counts(const sctpa_t *sctpa, const sctpa_pair_t *pair, sctpa_counts_copy_t *counts)
{
    sctpa_flows_pair_counts(sctpa->tracker, pair, counts);
}

void sctpa_end_checksums(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, unsigned end,
                         uint32_t checksums[SCTPA_CHECKSUMS])
{
    sctpa_flows_end_checksums(sctpa->tracker, &assoc->ends[end], checksums);
}

uint32_t sctpa_packet_find(const sctpa_t *sctpa, uint32_t frame, uint32_t nth)
{
    const GArray *records = sctpa->tracker->records;
    uint32_t at = sctpa_record_from(records, frame) + nth;
    return at < records->len && g_array_index(records, sctpa_record_t, at).frame == frame ? at : UINT32_MAX;
}

static void result_setup(const sctpa_tracked_t *tracked, sctpa_packet_result_t *result)
{
    uint32_t init_frame = tracked->assoc.setup.steps[SCTPA_STEP_INIT].first_frame;
    if (init_frame != 0 && init_frame <= result->frame)
        result->setup_frame = init_frame;
    if (tracked->assoc.restart_of != SCTPA_NO_ASSOC && tracked->rare->restart_known_frame <= result->frame)
        result->restart_of = tracked->assoc.restart_of;
}

/* The peer's path to where the packet came from. */
static uint16_t peer_path(const sctpa_tracked_t *tracked, const sctpa_packet_result_t *result)
{
    const sctpa_end_t *end = &tracked->assoc.ends[result->from];
    if (result->pair >= end->n_pairs)
        return SCTPA_NO_PATH;
    return sctpa_end_find_path(&tracked->assoc.ends[!result->from], end->pairs[result->pair]->source);
}

bool sctpa_packet_result(const sctpa_t *sctpa, uint32_t index, sctpa_packet_result_t *result)
{
    if (index >= sctpa->tracker->records->len)
        return false;
    const sctpa_record_t *record = &g_array_index(sctpa->tracker->records, sctpa_record_t, index);
    if (sctpa_record_is_gone(record))
        return false;
    *result = (sctpa_packet_result_t){ .index = index,
                                       .peer_path = SCTPA_NO_PATH,
                                       .frame = record->frame,
                                       .assoc = SCTPA_NO_ASSOC,
                                       .path = record->assoc == SCTPA_NO_ASSOC ? SCTPA_NO_PATH : record->path,
                                       .pair = record->pair,
                                       .remarks = record->remarks,
                                       .checksum = record->checksum,
                                       .has_auth = record->auth != 0,
                                       .auth = record->auth ? record->auth - 1 : SCTPA_AUTH_UNVERIFIED,
                                       .restart_of = SCTPA_NO_ASSOC };
    if (record->assoc == SCTPA_NO_ASSOC)
        return true;
    const sctpa_tracked_t *tracked = sctpa_record_assoc(sctpa->tracker, record, index, &result->from);
    result->assoc = tracked->assoc.number;
    result->peer_path = peer_path(tracked, result);
    result_setup(tracked, result);
    return true;
}

uint16_t sctpa_packet_path(const sctpa_t *sctpa, uint8_t end, uint32_t packet)
{
    sctpa_packet_result_t result;
    if (!sctpa_packet_result(sctpa, packet, &result))
        return SCTPA_NO_PATH;
    return result.from == end ? result.path : result.peer_path;
}

uint32_t sctpa_assoc_count(const sctpa_t *sctpa)
{
    return sctpa->tracker->assocs->len;
}

const sctpa_assoc_t *sctpa_assoc(const sctpa_t *sctpa, uint32_t number)
{
    return &sctpa_tracked_find(sctpa->tracker, number)->assoc;
}

sctpa_setup_seen_t sctpa_assoc_setup_seen(const sctpa_assoc_t *assoc)
{
    const sctpa_setup_t *setup = sctpa_assoc_setup(assoc);
    unsigned seen = 0;
    for (unsigned step = 0; step < SCTPA_STEPS; step++)
        seen += setup->steps[step].count > 0;
    return seen == SCTPA_STEPS ? SCTPA_SETUP_COMPLETE : seen > 0 ? SCTPA_SETUP_PARTIAL : SCTPA_SETUP_MISSING;
}

const sctpa_setup_t *sctpa_assoc_setup(const sctpa_assoc_t *assoc)
{
    const sctpa_tracked_t *tracked = (const sctpa_tracked_t *)assoc;
    const uint8_t initiator = assoc->setup.steps[SCTPA_STEP_INIT].by;
    const sctpa_tap_data_t *tap = tracked->rare->two_taps_data ? sctpa_near_tap(tracked, initiator, initiator) : NULL;
    for (unsigned step = 0; tap && step < SCTPA_STEPS; step++)
        if (tap->setup.steps[step].count == 0 && !sctpa_near_tap_without_cookie_ack(tracked))
            tap = NULL;
    return tap ? &tap->setup : &assoc->setup;
}

int64_t sctpa_assoc_setup_ns(const sctpa_assoc_t *assoc)
{
    const sctpa_setup_t *setup = sctpa_assoc_setup(assoc);
    if (setup->steps[SCTPA_STEP_INIT].count == 0 || setup->steps[SCTPA_STEP_COOKIE_ACK].count == 0)
        return -1;
    return setup->steps[SCTPA_STEP_COOKIE_ACK].first_ns - setup->steps[SCTPA_STEP_INIT].first_ns;
}

const char *sctpa_end_role_word(const sctpa_assoc_t *assoc, uint8_t end)
{
    uint8_t initiator = sctpa_assoc_initiator(assoc);
    if (initiator >= SCTPA_NO_END)
        return "unknown";
    if (assoc->collision)
        return "either";
    return end == initiator ? "initiator" : "responder";
}

const char *sctpa_capture_word(unsigned kind)
{
    static const char *const words[SCTPA_QUALITIES] = { "duplicate",     "truncated",    "offload", "clock",
                                                        "reordered",     "missed",       "time",    "stray",
                                                        "zero_checksum", "other_message" };
    return words[kind];
}

const char *sctpa_encapsulation_word(sctpa_encapsulation_t encapsulation)
{
    static const char *const words[] = { "ip", "udp", "dtls", "other" };
    return words[encapsulation];
}

const char *sctpa_assoc_end_word(sctpa_assoc_end_t end)
{
    static const char *const words[] = { "open",      "shutdown", "abort",     "refused",
                                         "no_answer", "failed",   "restarted", "not_closed" };
    return words[end];
}

const char *sctpa_setup_seen_word(sctpa_setup_seen_t seen)
{
    static const char *const words[] = { "complete", "partial", "missing" };
    return words[seen];
}

const char *sctpa_event_word(sctpa_event_kind_t kind)
{
    static const char *const words[] = {
        "setup",           "collision",     "restart",          "address_added",
        "address_deleted", "primary_set",   "primary_changed",  "path_potentially_failed",
        "path_inactive",   "path_failed",   "path_recovered",   "failover",
        "stream_reset",    "streams_added", "icmp_unreachable", "packet_too_big",
        "shutdown",        "abort",         "abort_not_taken",  "error"
    };
    return words[kind];
}

const sctpa_summary_t *sctpa_summary(const sctpa_t *sctpa)
{
    return &sctpa->summary;
}
