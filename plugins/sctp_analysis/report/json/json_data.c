/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an association's endpoints sent, in JSON: per path, direction and stream, and how long its messages took. */
#include "json.h"

#include "../rows/rows.h"
#include "../text/column_meanings.h"
#include "../text/pause_text.h"
#include "../text/protocol_names.h"

static const sctpa_sent_t nothing;

typedef struct {
    const sctpa_json_assoc_t *assoc;
    unsigned end, path;
    const sctpa_path_t *of;
    const sctpa_probing_t *probed;
    const sctpa_counts_t *counts;
    const sctpa_sent_t *sent;
    int64_t span_ns;
} path_t;

typedef struct {
    const sctpa_pair_t *pair;
    const sctpa_counts_t *counts;
} pair_t;

/* Of a direction; facts of the whole association: of a part of it they are not known. */
typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned end;
    const sctpa_pauses_t *pauses;
} pauses_t;

/* windows NULL: never closed. */
typedef struct {
    const sctpa_windows_t *windows;
} closed_t;

typedef struct {
    sctpa_json_end_t of;
    const sctpa_counts_t *sent;
    const sctpa_measure_t *measure;
    const sctpa_sent_t *all;
    uint64_t sacks, duplicates;
    const closed_t *closed;
    const pauses_t *pauses;
    const sctpa_message_delays_t *delays;
    const sctpa_switching_t *switching;
} direction_t;

typedef struct {
    sctpa_efficiency_t of;
    const sctpa_percentiles_t *sack_delay;
    int64_t sack_delay_sum_ns;
} efficiency_t;

typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned end;
    const sctpa_stream_t *stream;
} stream_t;

typedef struct {
    unsigned path;
    bool is_blocking_known;
    const sctpa_concurrent_path_t *of;
} concurrent_path_t;

#define SCTPA_OBJECTS "../rows/path_objects.def"
#include "declared_objects.h"
#define SCTPA_OBJECTS "../rows/pause_objects.def"
#include "declared_objects.h"
#define SCTPA_OBJECTS "../rows/direction_objects.def"
#include "declared_objects.h"
#define SCTPA_OBJECTS "../rows/delay_objects.def"
#include "declared_objects.h"
#define SCTPA_OBJECTS "../rows/multipath_objects.def"
#include "declared_objects.h"

void sctpa_json_statistics(json_dumper *json, const sctpa_view_t *view, const char *name,
                           const sctpa_percentiles_t *spread)
{
    object_statistics(json, view, name, sctpa_json_sampled(spread));
}

/* --- paths --- */

static void write_pairs(json_dumper *json, const sctpa_view_t *view, const path_t *path)
{
    const sctpa_assoc_t *assoc = path->assoc->assoc;
    const sctpa_end_t *endpoint = &assoc->ends[path->end];

    for (unsigned i = 0; i < endpoint->n_pairs; i++) {
        pair_t pair = { endpoint->pairs[i], NULL };
        if (pair.pair->path != path->path)
            continue;
        pair.counts = sctpa_selection_pair(path->assoc->selection, assoc, path->end, i);
        if (pair.counts->packets > 0)
            object_pair(json, view, NULL, &pair);
    }
}

static void object_transit_of(json_dumper *json, const sctpa_view_t *view, const char *name, const path_t *path)
{
    sctpa_two_taps_result_t result;
    const sctpa_transit_row_t row = { path->end, path->path, &result };
    const bool has_two = sctpa_two_taps_result(path->assoc->assoc, (uint8_t)path->end, (uint16_t)path->path, &result);
    object_transit(json, view, name, has_two ? &row : NULL);
}

static void object_tap_delay_of(json_dumper *json, const sctpa_view_t *view, const char *name, const path_t *path)
{
    sctpa_tap_delay_row_t row;
    const bool is_shown = !view->tally && sctpa_tap_delay_row(view, path->assoc->assoc, path->end, path->path, &row);
    object_tap_delay(json, view, name, is_shown ? &row : NULL);
}

static void write_paths_of(json_dumper *json, const sctpa_json_assoc_t *of, unsigned end)
{
    const sctpa_measure_t *measure = of->measures[end];
    unsigned n;
    sctpa_counts_t *counts = sctpa_paths_counts(of->selection, of->assoc, end, &n);

    for (unsigned path = 0; path < n; path++) {
        if (counts[path].packets == 0)
            continue;
        const path_t row = { of,
                             end,
                             path,
                             &of->assoc->ends[end].paths[path],
                             sctpa_path_probed(of->view->sctpa, of->assoc, end, path),
                             &counts[path],
                             path < measure->paths->len ? &g_array_index(measure->paths, sctpa_sent_t, path) : &nothing,
                             measure->span_ns };
        object_path(json, of->view, NULL, &row);
    }
    g_free(counts);
}

void sctpa_json_paths(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of)
{
    (void)view;
    for (unsigned e = 0; e < 2; e++)
        write_paths_of(json, of, e);
}

/* --- pauses and closed windows --- */

static const sctpa_addr_t *destination(const sctpa_pause_row_t *row)
{
    const sctpa_end_t *endpoint = &row->assoc->ends[row->sender];
    return row->pause->path < endpoint->n_paths ? endpoint->paths[row->pause->path].destination : NULL;
}

void sctpa_json_pause(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                      const sctpa_pause_t *pause)
{
    object_pause(json, view, NULL, &(sctpa_pause_row_t){ assoc, NULL, end, pause });
}

static void write_pause_list(json_dumper *json, const sctpa_view_t *view, const pauses_t *of)
{
    for (unsigned i = 0; i < of->pauses->pauses->len; i++) {
        sctpa_json_pause(json, view, of->assoc, of->end, &g_array_index(of->pauses->pauses, sctpa_pause_t, i));
        sctpa_json_offer(json);
    }
}

static const sctpa_member_t of_cause[] = { { .type = SCTPA_MEMBER_SECONDS } };
static const sctpa_section_t sctpa_section_by_cause = {
    .name = "by_cause", .is_inline = true, .members = of_cause, .keys = &sctpa_words_pause, .suffix = "_s"
};

static void object_by_cause(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_pauses_t *pauses)
{
    (void)view;
    sctpa_json_begin_object(json, name);
    for (unsigned cause = 0; cause < SCTPA_PAUSE_CAUSES; cause++) {
        if (pauses->lost_ns[cause] == 0)
            continue;
        char *key = g_strdup_printf("%s_s", sctpa_pause_word((sctpa_pause_cause_t)cause));
        sctpa_json_seconds(json, key, pauses->lost_ns[cause]);
        g_free(key);
    }
    json_dumper_end_object(json);
}

/* --- directions --- */

static void object_efficiency_of(json_dumper *json, const sctpa_view_t *view, const char *name,
                                 const direction_t *direction)
{
    const sctpa_measure_t *measure = direction->measure;
    const efficiency_t row = { sctpa_efficiency_of(direction->sent, direction->all), &measure->sack_delay,
                               measure->sack_delay_sum_ns };
    object_efficiency(json, view, name, &row);
}

static const sctpa_member_t of_rtx[] = { { .type = SCTPA_MEMBER_COUNT } };
static const sctpa_section_t sctpa_section_retransmissions = {
    .name = "retransmissions", .is_inline = true, .members = of_rtx, .keys = &sctpa_words_rtx, .has_all_keys = true
};

static void object_retransmissions(json_dumper *json, const sctpa_view_t *view, const char *name,
                                   const sctpa_sent_t *sent)
{
    (void)view;
    sctpa_json_begin_object(json, name);
    for (unsigned kind = 0; kind < SCTPA_RTX_KINDS; kind++)
        sctpa_json_count(json, sctpa_rtx_word((sctpa_rtx_kind_t)kind), sent->rtx[kind]);
    json_dumper_end_object(json);
}

static const sctpa_throughput_limits_t *theory(const sctpa_view_t *view, const sctpa_measure_t *measure)
{
    return measure->has_theory && sctpa_view_tells(view, measure->theory.rtt_ns) ? &measure->theory : NULL;
}

static uint32_t sack_count(const sctpa_counts_t *counts)
{
    return sctpa_counts_chunks(counts, SCTPA_CHUNK_ROW_SACK) + sctpa_counts_chunks(counts, SCTPA_CHUNK_ROW_NR_SACK);
}

static void write_direction(json_dumper *json, const sctpa_json_assoc_t *of, unsigned end)
{
    const bool is_known = !of->view->tally && !sctpa_assoc_is_data_only(of->assoc);
    const closed_t closed = { of->windows[end] };
    const pauses_t pauses = { of->assoc, end, of->pauses[end] };
    const uint64_t sacks = sack_count(sctpa_selection_end(of->selection, of->assoc, !end));
    const direction_t row = { .of = { of, end },
                              .sent = sctpa_selection_end(of->selection, of->assoc, end),
                              .measure = of->measures[end],
                              .all = &of->measures[end]->all,
                              .sacks = sacks,
                              .duplicates = sctpa_selection_duplicates(of->selection, of->assoc, !end),
                              .closed = is_known ? &closed : NULL,
                              .pauses = is_known && pauses.pauses ? &pauses : NULL,
                              .delays = of->delays[end],
                              .switching = of->assoc->ends[end].rare->switching };
    object_direction(json, of->view, NULL, &row);
}

void sctpa_json_directions(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of)
{
    (void)view;
    for (unsigned e = 0; e < 2; e++)
        write_direction(json, of, e);
}

/* --- paths at once, and one after the other --- */

static void write_concurrent_paths(json_dumper *json, const sctpa_view_t *view, const sctpa_concurrent_t *concurrent)
{
    for (unsigned path = 0; path < concurrent->paths->len; path++)
        object_concurrent_path(
            json, view, NULL,
            &(concurrent_path_t){ path, concurrent->is_blocking_known,
                                  &g_array_index(concurrent->paths, sctpa_concurrent_path_t, path) });
}

static void object_concurrent_of(json_dumper *json, const sctpa_view_t *view, const char *name,
                                 const sctpa_json_end_t *of)
{
    sctpa_series_source_t source =
        sctpa_series_source(view->sctpa, of->assoc->assoc->number, (uint8_t)of->end, view->start_ns);
    sctpa_concurrent_t *concurrent = view->tally ? NULL : sctpa_concurrent_measure(&source);
    object_concurrent(json, view, name, concurrent);
    if (concurrent)
        sctpa_concurrent_free(concurrent);
}

static void write_handovers(json_dumper *json, const sctpa_view_t *view, const sctpa_json_end_t *of)
{
    const GArray *handovers = of->assoc->paths[of->end].changes.handovers;
    for (guint i = 0; handovers && i < handovers->len; i++) {
        const sctpa_handover_row_t row = sctpa_handover_row(of->end, &g_array_index(handovers, sctpa_handover_t, i));
        object_handover(json, view, NULL, &row);
    }
}

/* --- how long messages took --- */

static void write_stream_delays(json_dumper *json, const sctpa_view_t *view, const GArray *streams)
{
    for (unsigned i = 0; i < streams->len; i++) {
        object_stream_delay(json, view, NULL, &g_array_index(streams, sctpa_message_delay_t, i));
        sctpa_json_offer(json);
    }
}

static void object_message_delays(json_dumper *json, const sctpa_view_t *view, const char *name,
                                  const sctpa_message_delays_t *delays)
{
    object_message_delay(json, view, name, delays && delays->all.messages > 0 ? delays : NULL);
}

/* --- streams --- */

static void write_ppids(json_dumper *json, const sctpa_view_t *view, const stream_t *row)
{
    const GArray *ppids = row->stream->ppids;
    (void)view;
    for (unsigned i = 0; ppids && i < ppids->len; i++)
        json_dumper_value_anyf(json, "%u", g_array_index(ppids, uint32_t, i));
}

static void write_ppid_names(json_dumper *json, const sctpa_view_t *view, const stream_t *row)
{
    const GArray *ppids = row->stream->ppids;
    GString *name = g_string_new(NULL);
    (void)view;
    for (unsigned i = 0; ppids && i < ppids->len; i++) {
        g_string_truncate(name, 0);
        if (sctpa_ppid_text_name(name, row->assoc, g_array_index(ppids, uint32_t, i)))
            json_dumper_value_string(json, name->str);
        else
            json_dumper_value_anyf(json, "null");
    }
    g_string_free(name, TRUE);
}

void sctpa_json_streams(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of)
{
    for (unsigned e = 0; e < 2; e++)
        for (unsigned i = 0; i < of->streams[e]->len; i++) {
            object_stream(json, view, NULL,
                          &(stream_t){ of->assoc, e, &g_array_index(of->streams[e], sctpa_stream_t, i) });
            sctpa_json_offer(json);
        }
}

#define SCTPA_OBJECTS "../rows/path_objects.def"
#include "objects.h"
#define SCTPA_OBJECTS "../rows/pause_objects.def"
#include "objects.h"
#define SCTPA_OBJECTS "../rows/direction_objects.def"
#include "objects.h"
#define SCTPA_OBJECTS "../rows/delay_objects.def"
#include "objects.h"
#define SCTPA_OBJECTS "../rows/multipath_objects.def"
#include "objects.h"
