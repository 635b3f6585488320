/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One association in JSON. Leaves what is about its data to json_data.c. */
#include "../half_closed_channels.h"
#include "../text/address_labels.h"
#include "../text/protocol_names.h"
#include "../text/text.h"
#include "json.h"

enum { CHUNK_VALUES = 256 };

static void write_end_number(json_dumper *json, const char *name, unsigned end)
{
    sctpa_json_known(json, name, end < SCTPA_NO_END, end);
}

static void write_addresses(json_dumper *json, const sctpa_end_t *end)
{
    sctpa_json_begin_array(json, "addresses");
    for (unsigned i = 0; i < end->n_addrs; i++)
        sctpa_json_addr(json, NULL, &end->addrs[i].addr);
    json_dumper_end_array(json);
}

static void write_translated(json_dumper *json, sctpa_known_t translated)
{
    static const char *const words[] = { [SCTPA_NO] = "false", [SCTPA_YES] = "true", [SCTPA_UNKNOWN] = "null" };
    json_dumper_set_member_name(json, "translated");
    json_dumper_value_anyf(json, "%s", words[translated]);
}

static void write_extension(void *user, const char *word)
{
    sctpa_json_text(user, NULL, word);
}

/* What INIT or INIT ACK said; all null when it was not captured. */
static void write_init(json_dumper *json, const sctpa_init_t *init)
{
    sctpa_json_known(json, "initial_tsn", init->seen, init->initial_tsn);
    sctpa_json_known(json, "a_rwnd", init->seen, init->a_rwnd_bytes);
    sctpa_json_known(json, "outbound_streams", init->seen, init->outbound_streams);
    sctpa_json_known(json, "inbound_streams", init->seen, init->inbound_streams);
    if (!init->seen) {
        sctpa_json_null(json, "extensions");
        return;
    }
    sctpa_json_begin_array(json, "extensions");
    sctpa_extensions_each(init->supported_chunks, init->params, write_extension, json);
    json_dumper_end_array(json);
}

static void write_checksums(json_dumper *json, const uint32_t *counts)
{
    static const char *const words[SCTPA_CHECKSUMS] = {
        [SCTPA_CHECKSUM_CRC32C] = "crc32c", [SCTPA_CHECKSUM_ADLER32] = "adler32",       [SCTPA_CHECKSUM_ZERO] = "zero",
        [SCTPA_CHECKSUM_BAD] = "bad",       [SCTPA_CHECKSUM_UNVERIFIED] = "unverified",
    };
    sctpa_json_begin_object(json, "checksum");
    for (unsigned kind = 0; kind < SCTPA_CHECKSUMS; kind++)
        sctpa_json_count(json, words[kind], counts[kind]);
    json_dumper_end_object(json);
}

static void write_endpoint(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection,
                           const sctpa_assoc_t *assoc, unsigned end, const sctpa_judgement_t *judgement,
                           sctpa_json_sets_t *sets)
{
    const sctpa_end_t *endpoint = &assoc->ends[end];
    int64_t tap_rtt_ns = sctpa_tap_rtt_ns(view->sctpa, assoc->number, (uint8_t)end);
    char vtag[16];

    json_dumper_begin_object(json);
    sctpa_json_text(json, "role", sctpa_end_role_word(assoc, (uint8_t)end));
    g_snprintf(vtag, sizeof vtag, "0x%08x", endpoint->vtag);
    sctpa_json_text(json, "vtag", endpoint->has_vtag ? vtag : NULL);
    write_addresses(json, endpoint);
    write_translated(json, sctpa_translated(view->sctpa, assoc->number, (uint8_t)end));
    write_init(json, &endpoint->init);
    write_checksums(json, sctpa_selection_checksums(selection, assoc, end));
    sctpa_json_told_ms(json, view, "distance_ms", tap_rtt_ns >= 0, tap_rtt_ns);
    sctpa_json_stack(json, view, assoc, end);
    sctpa_json_learned(json, view, assoc, end);
    sctpa_json_sender_fit(json, view, assoc, end);
    sctpa_json_judgement(json, view, assoc, (uint8_t)end, judgement, sets);
    json_dumper_end_object(json);
}

static void write_both(json_dumper *json, const char *name, uint32_t from_0, uint32_t from_1)
{
    if (from_0 == 0 && from_1 == 0)
        return;
    sctpa_json_begin_array(json, name);
    json_dumper_value_anyf(json, "%u", from_0);
    json_dumper_value_anyf(json, "%u", from_1);
    json_dumper_end_array(json);
}

static void write_chunks(json_dumper *json, const sctpa_selection_t *selection, const sctpa_assoc_t *assoc)
{
    const sctpa_counts_t *counts[2];
    const uint32_t *unknown[2];

    for (unsigned e = 0; e < 2; e++) {
        counts[e] = sctpa_selection_end(selection, assoc, e);
        unknown[e] = sctpa_selection_unknown(selection, assoc, e);
    }
    sctpa_json_begin_object(json, "chunks");
    for (unsigned row = 0; row < SCTPA_CHUNK_ROW_OTHER; row++)
        write_both(json, sctpa_chunk_row_word(row), sctpa_counts_chunks(counts[0], row),
                   sctpa_counts_chunks(counts[1], row));
    for (unsigned value = 0; value < CHUNK_VALUES; value++) {
        char name[8];
        g_snprintf(name, sizeof name, "0x%02X", value);
        write_both(json, name, unknown[0] ? unknown[0][value] : 0, unknown[1] ? unknown[1][value] : 0);
    }
    json_dumper_end_object(json);
}

static void write_events(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    sctpa_json_begin_array(json, "events");
    for (unsigned i = 0; i < assoc->n_events; i++) {
        const sctpa_event_t *event = &assoc->events[i];
        json_dumper_begin_object(json);
        sctpa_json_seconds(json, "time_s", sctpa_view_since_start(view, event->time_ns));
        sctpa_json_known(json, "frame", event->frame > 0, event->frame);
        sctpa_json_text(json, "kind", sctpa_event_word(event->kind));
        write_end_number(json, "endpoint", event->end);
        sctpa_json_known(json, "path", event->path != SCTPA_NO_PATH, event->path);
        sctpa_json_text(json, "detail", event->detail);
        json_dumper_end_object(json);
    }
    json_dumper_end_array(json);
}

static void write_change(json_dumper *json, const sctpa_view_t *view, const char *name,
                         const sctpa_path_state_change_t *change)
{
    if (change->frame == 0) {
        sctpa_json_null(json, name);
        return;
    }
    sctpa_json_begin_object(json, name);
    sctpa_json_seconds(json, "earliest_s", sctpa_view_since_start(view, change->earliest_ns));
    sctpa_json_seconds(json, "latest_s", sctpa_view_since_start(view, change->latest_ns));
    sctpa_json_count(json, "frame", change->frame);
    sctpa_json_count(json, "errors", change->errors);
    json_dumper_end_object(json);
}

static void write_outage(json_dumper *json, const sctpa_view_t *view, unsigned end, const sctpa_outage_t *outage)
{
    const uint32_t least = sctpa_outage_least_retrans(outage);
    json_dumper_begin_object(json);
    sctpa_json_count(json, "endpoint", end);
    sctpa_json_count(json, "path", outage->path);
    sctpa_json_seconds(json, "since_s", sctpa_view_since_start(view, outage->since_ns));
    sctpa_json_count(json, "heartbeats", outage->heartbeats);
    sctpa_json_count(json, "timeouts", outage->timeouts);
    write_change(json, view, "potentially_failed", &outage->potentially_failed);
    write_change(json, view, "inactive", &outage->inactive);
    write_change(json, view, "left", &outage->left);
    sctpa_json_known(json, "left_timeouts", outage->left.frame > 0, outage->left_timeouts);
    sctpa_json_known(json, "probed_errors", outage->probed_errors > 0, outage->probed_errors);
    sctpa_json_known(json, "path_max_retrans", outage->inactive.frame > 0, outage->max_retrans);
    sctpa_json_known(json, "path_max_retrans_least", least > 0, least);
    sctpa_json_known(json, "answered_frame", outage->answered_frame > 0, outage->answered_frame);
    sctpa_json_known_seconds(json, "answered_s", outage->answered_frame > 0,
                             sctpa_view_since_start(view, outage->answered_ns));
    json_dumper_end_object(json);
}

static void write_outages(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    sctpa_json_begin_array(json, "outages");
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_switching_t *switching = assoc->ends[e].rare->switching;
        for (uint32_t i = 0; switching && i < MIN(switching->n_outages, SCTPA_OUTAGES_MAX); i++)
            write_outage(json, view, e, &switching->outages[i]);
    }
    json_dumper_end_array(json);
}

static void write_setup_waits(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    sctpa_setup_wait_t waits[SCTPA_SETUP_WAITS_MAX];
    unsigned n = sctpa_view_setup_waits(view, assoc, waits);
    sctpa_json_begin_array(json, "setup_waits");
    for (unsigned i = 0; i < n; i++) {
        json_dumper_begin_object(json);
        sctpa_json_count(json, "endpoint", waits[i].by);
        sctpa_json_text(json, "step", waits[i].step == SCTPA_STEP_INIT ? "INIT" : "COOKIE_ECHO");
        sctpa_json_count(json, "sent", waits[i].sent);
        sctpa_json_seconds(json, "start_s", sctpa_view_since_start(view, waits[i].since_ns));
        sctpa_json_seconds(json, "length_s", waits[i].waited_ns);
        sctpa_json_count(json, "from_frame", waits[i].since_frame);
        sctpa_json_known(json, "to_frame", waits[i].until_frame > 0, waits[i].until_frame);
        json_dumper_end_object(json);
    }
    json_dumper_end_array(json);
}

/* Paths on which the size of packets decides which arrive. */
static void write_lost_by_size(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    sctpa_json_begin_array(json, "lost_by_size");
    for (uint8_t e = 0; e < 2; e++) {
        const sctpa_series_source_t source = sctpa_series_source(view->sctpa, assoc->number, e, view->start_ns);
        for (uint16_t path = 0; source.direction && path < MIN(assoc->ends[e].n_paths, SCTPA_SIZES_PATHS); path++) {
            sctpa_lost_sizes_t sizes;
            if (source.direction->tsns == 0 || !sctpa_lost_by_size(&source, path, &sizes))
                continue;
            json_dumper_begin_object(json);
            sctpa_json_count(json, "endpoint", e);
            sctpa_json_count(json, "path", path);
            sctpa_json_count(json, "lost_least_bytes", sizes.lost_least_bytes);
            sctpa_json_count(json, "arrived_most_bytes", sizes.arrived_most_bytes);
            sctpa_json_count(json, "lost", sizes.lost);
            sctpa_json_packet(json, view, "first_frame", sizes.first_packet);
            sctpa_json_packet(json, view, "last_frame", sizes.last_packet);
            json_dumper_end_object(json);
        }
    }
    json_dumper_end_array(json);
}

static void write_half_closed(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    GArray *channels = sctpa_half_closed_channels(view, assoc);
    sctpa_json_begin_array(json, "half_closed_channels");
    for (guint i = 0; i < channels->len; i++) {
        const sctpa_half_closed_channel_t *channel = &g_array_index(channels, sctpa_half_closed_channel_t, i);
        json_dumper_begin_object(json);
        sctpa_json_count(json, "stream", channel->closed.stream);
        sctpa_json_count(json, "closed_by", channel->closed.by);
        sctpa_json_count(json, "performed_frame", channel->closed.frame);
        sctpa_json_seconds(json, "performed_s", sctpa_view_since_start(view, channel->closed.time_ns));
        sctpa_json_seconds(json, "until_s", sctpa_view_since_start(view, channel->until_ns));
        json_dumper_end_object(json);
    }
    json_dumper_end_array(json);
    g_array_unref(channels);
}

/* What was asked in vain of one that was not closed, or null. */
static void write_not_closed(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    const sctpa_outcome_t outcome = sctpa_view_outcome(view, assoc);
    if (outcome.end != SCTPA_ASSOC_NOT_CLOSED) {
        sctpa_json_null(json, "not_closed");
        return;
    }
    sctpa_json_begin_object(json, "not_closed");
    sctpa_json_count(json, "endpoint", outcome.asking);
    sctpa_json_text(json, "chunk", outcome.asks_ack ? "SHUTDOWN_ACK" : "SHUTDOWN");
    sctpa_json_count(json, "sent", outcome.shutdowns);
    sctpa_json_count(json, "last_frame", sctpa_closing(assoc, (uint8_t)outcome.asking)->last_frame);
    sctpa_json_count(json, "answers", outcome.answers);
    json_dumper_set_member_name(json, "gave_up");
    json_dumper_value_anyf(json, outcome.asks_over ? "true" : "false");
    json_dumper_end_object(json);
}

/* What shows the reason of an ABORT. */
static void write_abort_evidence(json_dumper *json, const sctpa_view_t *view, const sctpa_abort_t *abort)
{
    const bool gave_up = abort->reason == SCTPA_ABORT_GAVE_UP;
    sctpa_json_packet(json, view, "reason_frame", abort->by_packet);
    sctpa_json_known(json, "timeouts", gave_up, abort->errors.timeouts);
    sctpa_json_known(json, "heartbeats", gave_up, abort->errors.heartbeats);
    sctpa_json_known(json, "uncaptured_timeouts", gave_up && abort->expiries.most > 0,
                     abort->expiries.least > 0 ? abort->expiries.least - 1 : 0);
    sctpa_json_known(json, "unread_bytes", abort->reason == SCTPA_ABORT_UNREAD_DATA, abort->unread_bytes);
    sctpa_json_begin_array(json, "unacked_bytes");
    for (unsigned e = 0; e < 2; e++)
        json_dumper_value_anyf(json, "%" G_GUINT64_FORMAT, abort->unacked_bytes[e]);
    json_dumper_end_array(json);
}

/* Who goes on after the ABORT, by endpoint, and whether another host sent it. */
static void write_after_abort(json_dumper *json, const sctpa_assoc_t *assoc)
{
    const sctpa_after_abort_t *after = sctpa_after_abort(assoc);
    sctpa_json_begin_array(json, "going_on");
    for (unsigned e = 0; e < 2; e++) {
        const bool goes_on = after->going_on[e].packets > 0;
        sctpa_json_begin_object(json, NULL);
        sctpa_json_count(json, "packets", after->going_on[e].packets);
        sctpa_json_known(json, "first_frame", goes_on, after->going_on[e].first_frame);
        sctpa_json_known(json, "last_frame", goes_on, after->going_on[e].last_frame);
        sctpa_json_known_seconds(json, "for_s", goes_on, after->going_on[e].last_ns - assoc->end_ns);
        json_dumper_end_object(json);
    }
    json_dumper_end_array(json);
    sctpa_json_count(json, "further_aborts", after->answers);
    sctpa_json_text(json, "other_host_by", after->has_other_ids ? "ip_id" : after->has_other_ttl ? "ttl" : NULL);
}

/* The error cause of the ABORT and why it was sent; null without an ABORT. */
static void write_abort(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    const sctpa_abort_t abort = sctpa_abort_reason(view->sctpa, assoc->number);
    const sctpa_tlv_type_t *cause = sctpa_tlv_type(SCTPA_TLV_CAUSE, assoc->end_cause);
    if (abort.packet == SCTPA_NO_PACKET_INDEX) {
        sctpa_json_null(json, "abort");
        return;
    }
    sctpa_json_begin_object(json, "abort");
    sctpa_json_packet(json, view, "frame", abort.packet);
    sctpa_json_known(json, "cause_code", assoc->end_cause > 0, assoc->end_cause);
    sctpa_json_text(json, "cause", cause ? cause->title : NULL);
    sctpa_json_text(json, "cause_text", assoc->end_text);
    sctpa_json_text(json, "cause_contents", assoc->end_contents);
    sctpa_json_text(json, "reason", sctpa_abort_reason_word(abort.reason));
    sctpa_json_text(json, "certainty",
                    abort.reason == SCTPA_ABORT_UNEXPLAINED ? NULL : sctpa_abort_doubt_word(abort.doubt));
    json_dumper_set_member_name(json, "by_application");
    json_dumper_value_anyf(json, abort.by_application ? "true" : "false");
    write_abort_evidence(json, view, &abort);
    write_after_abort(json, assoc);
    json_dumper_end_object(json);
}

static void write_identity(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    uint32_t restart_of =
        assoc->restart_of == SCTPA_NO_ASSOC ? SCTPA_NO_ASSOC : sctpa_view_resolve(view, assoc->restart_of);
    int64_t setup_ns = sctpa_assoc_setup_ns(assoc);
    sctpa_outcome_t outcome = sctpa_view_outcome(view, assoc);

    sctpa_json_count(json, "index", assoc->number);
    sctpa_json_begin_array(json, "ports");
    json_dumper_value_anyf(json, "%u", assoc->ends[0].port);
    json_dumper_value_anyf(json, "%u", assoc->ends[1].port);
    json_dumper_end_array(json);
    sctpa_json_text(json, "encapsulation", sctpa_encapsulation_word(assoc->encapsulation));
    write_end_number(json, "initiator", sctpa_assoc_initiator(assoc));
    sctpa_json_known(json, "restart_of", restart_of != SCTPA_NO_ASSOC, restart_of);
    sctpa_json_text(json, "setup", sctpa_setup_seen_word(sctpa_assoc_setup_seen(assoc)));
    sctpa_json_known_seconds(json, "setup_time_s", setup_ns >= 0 && sctpa_view_tells(view, setup_ns), setup_ns);
    sctpa_json_text(json, "end", sctpa_assoc_end_word(outcome.end));
    write_end_number(json, "end_by", outcome.end_by);
    write_abort(json, view, assoc);
    sctpa_json_count(json, "first_frame", assoc->first_frame);
    sctpa_json_count(json, "last_frame", outcome.last_frame);
    sctpa_json_seconds(json, "start_s", sctpa_view_since_start(view, assoc->first_ns));
    sctpa_json_seconds(json, "duration_s", sctpa_assoc_span_ns(view->sctpa, assoc, &outcome));
}

static void write_clocks(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    sctpa_clock_difference_t difference;
    if (!sctpa_clock_difference(view->sctpa, assoc->number, &difference)) {
        sctpa_json_null(json, "two_clocks");
        return;
    }
    sctpa_json_begin_object(json, "two_clocks");
    sctpa_json_count(json, "early_endpoint", difference.early);
    sctpa_json_ms(json, "least_ms", difference.least_ns);
    sctpa_json_known_ms(json, "most_ms", difference.most_ns >= 0, difference.most_ns);
    sctpa_json_count(json, "answers", difference.pairs);
    sctpa_json_count(json, "first_frame", sctpa_packet_frame(view->sctpa, difference.first));
    json_dumper_end_object(json);
}

void sctpa_json_assoc_members(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection,
                              const sctpa_assoc_t *assoc, sctpa_json_sets_t *sets,
                              const sctpa_application_t *application)
{
    uint32_t missing = 0;

    write_identity(json, view, assoc);
    sctpa_json_count(json, "packets",
                     (uint64_t)sctpa_selection_end(selection, assoc, 0)->packets +
                         sctpa_selection_end(selection, assoc, 1)->packets);
    sctpa_json_begin_array(json, "endpoints");
    for (unsigned e = 0; e < 2; e++) {
        sctpa_judgement_t judgement = sctpa_judgement(view->sctpa, assoc->number, (uint8_t)e);
        missing |= judgement.missing;
        write_endpoint(json, view, selection, assoc, e, &judgement, sets);
    }
    json_dumper_end_array(json);
    write_clocks(json, view, assoc);
    write_chunks(json, selection, assoc);
    sctpa_json_data(json, view, selection, assoc);
    write_events(json, view, assoc);
    write_outages(json, view, assoc);
    write_setup_waits(json, view, assoc);
    write_lost_by_size(json, view, assoc);
    write_half_closed(json, view, assoc);
    write_not_closed(json, view, assoc);
    sctpa_json_application(json, view, application, assoc->number);
    sctpa_json_findings(json, view, selection, assoc, missing);
}
