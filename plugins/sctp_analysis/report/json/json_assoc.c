/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One association in JSON. Leaves what is about its data to json_data.c. */
#include "json.h"

#include "../findings_filter.h"
#include "../rows/rows.h"
#include "../text/column_meanings.h"
#include "../text/protocol_names.h"
#include "../text/text.h"

enum { CHUNK_VALUES = 256 };

typedef struct {
    unsigned end;
    const sctpa_too_big_t *found;
} lost_by_size_t;

typedef struct {
    const sctpa_assoc_t *assoc;
    sctpa_abort_t abort;
} abort_row_t;

typedef struct {
    uint32_t packets, first_frame, last_frame;
    int64_t after_ns; /* the ABORT the last */
} going_on_t;

#define SCTPA_OBJECTS "../rows/association_objects.def"
#include "declared_objects.h"
#define SCTPA_OBJECTS "../rows/event_objects.def"
#include "declared_objects.h"
#define SCTPA_OBJECTS "../rows/owed_objects.def"
#include "declared_objects.h"
#define SCTPA_OBJECTS "../rows/path_trouble_objects.def"
#include "declared_objects.h"
#define SCTPA_OBJECTS "../rows/message_objects.def"
#include "declared_objects.h"

/* --- chunks --- */

#define SCTPA_CHUNKS_SCHEMA \
    "\"type\":\"object\",\"propertyNames\":{\"pattern\":\"^([A-Z_]+|0x[0-9A-F]{2})$\"}," \
    "\"additionalProperties\":{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":0}," \
    "\"minItems\":2,\"maxItems\":2}"

static void write_both(json_dumper *json, const char *name, uint32_t from_0, uint32_t from_1)
{
    if (from_0 == 0 && from_1 == 0)
        return;
    sctpa_json_begin_array(json, name);
    json_dumper_value_anyf(json, "%u", from_0);
    json_dumper_value_anyf(json, "%u", from_1);
    json_dumper_end_array(json);
}

static void write_chunks(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_json_assoc_t *of)
{
    const sctpa_counts_t *counts[2];
    const uint32_t *unknown[2];

    (void)view;
    for (unsigned e = 0; e < 2; e++) {
        counts[e] = sctpa_selection_end(of->selection, of->assoc, e);
        unknown[e] = sctpa_selection_unknown(of->selection, of->assoc, e);
    }
    sctpa_json_begin_object(json, name);
    for (unsigned row = 0; row < SCTPA_CHUNK_ROW_OTHER; row++)
        write_both(json, sctpa_chunk_row_word(row), sctpa_counts_chunks(counts[0], row),
                   sctpa_counts_chunks(counts[1], row));
    for (unsigned value = 0; value < CHUNK_VALUES; value++) {
        char type[8];
        g_snprintf(type, sizeof type, "0x%02X", value);
        write_both(json, type, unknown[0] ? unknown[0][value] : 0, unknown[1] ? unknown[1][value] : 0);
    }
    json_dumper_end_object(json);
}

/* --- what happened --- */

static void write_events(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    for (unsigned i = 0; i < assoc->n_events; i++)
        object_event(json, view, NULL, &(sctpa_event_row_t){ assoc, NULL, &assoc->events[i] });
}

static void object_change(json_dumper *json, const sctpa_view_t *view, const char *name,
                          const sctpa_path_state_change_t *change)
{
    object_path_state_change(json, view, name, change->frame > 0 ? change : NULL);
}

typedef struct {
    json_dumper *json;
    const sctpa_view_t *view;
} writer_t;

static void write_outage(void *user, const sctpa_outage_row_t *row)
{
    const writer_t *writer = user;
    object_outage(writer->json, writer->view, NULL, row);
}

static void write_outages(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    writer_t writer = { json, view };
    for (unsigned e = 0; e < 2; e++)
        sctpa_outage_rows(view, assoc, e, false, write_outage, &writer);
}

static void write_setup_waits(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    sctpa_setup_wait_t waits[SCTPA_SETUP_WAITS_MAX];
    unsigned n = sctpa_view_setup_waits(view, assoc, waits);
    for (unsigned i = 0; i < n; i++)
        object_setup_wait(json, view, NULL, &waits[i]);
}

static void write_owed(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    uint32_t n;
    const bool is_proof = sctpa_assertions_are_arrived(sctpa_asserted(view->sctpa)->assertions);
    const sctpa_owed_result_t *owed = sctpa_owed(view->sctpa, assoc->number, &n);
    for (uint32_t i = 0; i < n && is_proof; i++)
        if (sctpa_owed_is_wanting(&owed[i])) {
            object_owed(json, view, NULL, &owed[i]);
            sctpa_json_offer(json);
        }
}

static void write_lost_by_size(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of)
{
    for (unsigned e = 0; e < 2; e++)
        for (guint i = 0; i < of->paths[e].too_big->len; i++)
            object_lost_by_size(json, view, NULL,
                                &(lost_by_size_t){ e, &g_array_index(of->paths[e].too_big, sctpa_too_big_t, i) });
}

static void write_half_closed(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    GArray *channels = sctpa_half_closed_channels(view, assoc);
    for (guint i = 0; i < channels->len; i++)
        object_half_closed_channel(json, view, NULL, &g_array_index(channels, sctpa_half_closed_channel_t, i));
    g_array_unref(channels);
}

/* --- how it ended --- */

static bool has_given_up(const abort_row_t *row)
{
    return row->abort.reason == SCTPA_ABORT_GAVE_UP;
}

static const char *cause_title(const sctpa_assoc_t *assoc)
{
    const sctpa_tlv_type_t *cause = sctpa_tlv_type(SCTPA_TLV_CAUSE, assoc->end_cause);
    return cause ? cause->title : NULL;
}

static const char *other_host_by(const sctpa_assoc_t *assoc)
{
    const sctpa_after_abort_t *after = sctpa_after_abort(assoc);
    return after->has_other_ids ? "ip_id" : after->has_other_ttl ? "ttl" : NULL;
}

static void write_unacked(json_dumper *json, const sctpa_view_t *view, const abort_row_t *row)
{
    (void)view;
    for (unsigned e = 0; e < 2; e++)
        json_dumper_value_anyf(json, "%" G_GUINT64_FORMAT, row->abort.unacked_bytes[e]);
}

static void write_going_on(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    const sctpa_after_abort_t *after = sctpa_after_abort(assoc);
    for (unsigned e = 0; e < 2; e++) {
        const going_on_t row = { after->going_on[e].packets, after->going_on[e].first_frame,
                                 after->going_on[e].last_frame, after->going_on[e].last_ns - assoc->end_ns };
        object_going_on(json, view, NULL, &row);
    }
}

static void object_abort_of(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_json_assoc_t *of)
{
    const abort_row_t row = { of->assoc, sctpa_abort_reason(view->sctpa, of->assoc->number) };
    object_abort(json, view, name, row.abort.packet != SCTPA_NO_PACKET_INDEX ? &row : NULL);
}

/* --- what its application did --- */

static void write_messages(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of)
{
    unsigned n;
    const sctpa_message_line_t *lines = sctpa_application_lines(of->application, of->assoc->number, &n);
    for (unsigned i = 0; i < n; i++)
        if (lines[i].sum.count > 0)
            object_message(json, view, NULL, &lines[i]);
}

static void write_application_events(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of)
{
    unsigned n;
    const sctpa_application_event_t *events = sctpa_application_events(of->application, of->assoc->number, &n);
    for (unsigned i = 0; i < n; i++)
        object_application_event(json, view, NULL, &events[i]);
}

static void object_application_of(json_dumper *json, const sctpa_view_t *view, const char *name,
                                  const sctpa_json_assoc_t *of)
{
    object_application(json, view, name, of->application ? of : NULL);
}

/* --- the association --- */

static char *alike(const sctpa_json_assoc_t *of)
{
    GString *text = g_string_new(NULL);
    sctpa_alike_append(text, of->view, of->selection, of->assoc, of->rank.severity);
    return g_string_free(text, FALSE);
}

static void object_clocks_of(json_dumper *json, const sctpa_view_t *view, const char *name,
                             const sctpa_json_assoc_t *of)
{
    sctpa_clock_difference_t difference;
    const bool differ = sctpa_clock_difference(view->sctpa, of->assoc->number, &difference);
    object_two_clocks(json, view, name, differ ? &difference : NULL);
}

static uint32_t restart_of(const sctpa_json_assoc_t *of)
{
    const uint32_t restarted = of->assoc->restart_of;
    return restarted == SCTPA_NO_ASSOC ? SCTPA_NO_ASSOC : sctpa_view_resolve(of->view, restarted);
}

static void write_ports(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc)
{
    (void)view;
    for (unsigned e = 0; e < 2; e++)
        json_dumper_value_anyf(json, "%u", assoc->ends[e].port);
}

static uint64_t packets(const sctpa_json_assoc_t *of)
{
    return (uint64_t)sctpa_selection_end(of->selection, of->assoc, 0)->packets +
           sctpa_selection_end(of->selection, of->assoc, 1)->packets;
}

static void measure_end(sctpa_json_assoc_t *of, unsigned end)
{
    const sctpa_view_t *view = of->view;
    const sctpa_series_source_t source =
        sctpa_series_source(view->sctpa, of->assoc->number, (uint8_t)end, view->start_ns);
    const bool has_data = source.direction && source.direction->tsns > 0;

    of->judgements[end] = sctpa_judgement(view->sctpa, of->assoc->number, (uint8_t)end);
    of->missing |= of->judgements[end].missing;
    of->measures[end] = sctpa_selection_measure(of->selection, of->assoc, end);
    of->delays[end] = sctpa_selection_delays(of->selection, of->assoc, end, &of->streams[end]);
    of->pauses[end] = sctpa_view_pauses(view, of->assoc, end);
    if (!source.data_only && sctpa_windows_were_closed(source.direction))
        of->windows[end] = sctpa_windows_measure(&source);
    of->paths[end] = sctpa_path_trouble_read(view, of->assoc, end, has_data);
    if (has_data)
        sctpa_harm_add_data(&of->harm, of->pauses[end], of->windows[end] ? of->windows[end]->closed_ns : 0,
                            &of->measures[end]->all);
    of->harm.paths += sctpa_path_trouble_harm(&of->paths[end]);
}

static void measure(sctpa_json_assoc_t *of)
{
    of->outcome = sctpa_view_outcome(of->view, of->assoc);
    for (unsigned e = 0; e < 2; e++)
        measure_end(of, e);
    of->harm.findings = sctpa_findings_filter_of(sctpa_selection_findings(of->selection), of->assoc);
    of->rank = sctpa_rank_of(of->view, of->assoc, &of->harm);
}

static void clear(sctpa_json_assoc_t *of)
{
    for (unsigned e = 0; e < 2; e++) {
        sctpa_measure_free(of->measures[e]);
        sctpa_message_delays_free(of->delays[e]);
        g_array_unref(of->streams[e]);
        sctpa_pauses_free(of->pauses[e]);
        sctpa_windows_free(of->windows[e]);
        sctpa_path_trouble_clear(&of->paths[e]);
    }
}

void sctpa_json_assoc_members(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection,
                              const sctpa_assoc_t *assoc, sctpa_json_sets_t *sets,
                              const sctpa_application_t *application)
{
    sctpa_json_assoc_t of = {
        .view = view, .selection = selection, .assoc = assoc, .sets = sets, .application = application
    };
    measure(&of);
    members_association(json, view, &of);
    clear(&of);
}

#define SCTPA_OBJECTS "../rows/association_objects.def"
#include "objects.h"
#define SCTPA_OBJECTS "../rows/event_objects.def"
#include "objects.h"
#define SCTPA_OBJECTS "../rows/owed_objects.def"
#include "objects.h"
#define SCTPA_OBJECTS "../rows/path_trouble_objects.def"
#include "objects.h"
#define SCTPA_OBJECTS "../rows/message_objects.def"
#include "objects.h"
