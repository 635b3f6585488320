/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an association's endpoints sent, in JSON: per path, direction and stream. */
#include "json.h"
#include "section.h"

#include "../rows/rows.h"
#include "../tables/tables.h"
#include "../text/column_meanings.h"
#include "../text/pause_text.h"
#include "../text/protocol_names.h"

static const sctpa_sent_t nothing;

#define SCTPA_SECTION statistics
#define SCTPA_ABOUT "a spread of times, by nearest rank"
#define SCTPA_ROW sctpa_percentiles_t
#define SCTPA_MEMBERS "../rows/statistics_members.def"
#include "members.h"

#define SCTPA_SECTION delays
#define SCTPA_ABOUT "a spread of times, by nearest rank"
#define SCTPA_ROW sctpa_percentiles_t
#define SCTPA_MEMBERS "../rows/delays_members.def"
#include "members.h"

void sctpa_json_statistics(json_dumper *json, const sctpa_view_t *view, const char *name,
                           const sctpa_percentiles_t *spread)
{
    object_statistics(json, view, name, sctpa_json_sampled(spread));
}

/* --- paths --- */

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

#define SCTPA_SECTION pair
#define SCTPA_ROW pair_t
#define SCTPA_MEMBERS "../rows/pair_members.def"
#include "members.h"

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

#define SCTPA_SECTION transit
#define SCTPA_ROW sctpa_transit_row_t
#define SCTPA_INLINE true
#define SCTPA_MEMBERS "../rows/transit_members.def"
#include "members.h"

static void object_transit_of(json_dumper *json, const sctpa_view_t *view, const char *name, const path_t *path)
{
    sctpa_two_taps_result_t result;
    const sctpa_transit_row_t row = { path->end, path->path, &result };
    const bool has_two = sctpa_two_taps_result(path->assoc->assoc, (uint8_t)path->end, (uint16_t)path->path, &result);
    object_transit(json, view, name, has_two ? &row : NULL);
}

#define SCTPA_SECTION tap_delay
#define SCTPA_ROW sctpa_tap_delay_row_t
#define SCTPA_INLINE true
#define SCTPA_MEMBERS "../rows/tap_delay_members.def"
#include "members.h"

static void object_tap_delay_of(json_dumper *json, const sctpa_view_t *view, const char *name, const path_t *path)
{
    sctpa_tap_delay_row_t row;
    const bool is_shown = !view->tally && sctpa_tap_delay_row(view, path->assoc->assoc, path->end, path->path, &row);
    object_tap_delay(json, view, name, is_shown ? &row : NULL);
}

#define SCTPA_SECTION path
#define SCTPA_ROW path_t
#define SCTPA_MEMBERS "../rows/path_members.def"
#include "members.h"

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

#define SCTPA_SECTION pause
#define SCTPA_ROW sctpa_pause_row_t
#define SCTPA_INLINE true
#define SCTPA_MEMBERS "../rows/pause_members.def"
#include "members.h"

void sctpa_json_pause(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                      const sctpa_pause_t *pause)
{
    object_pause(json, view, NULL, &(sctpa_pause_row_t){ assoc, NULL, end, pause });
}

/* Of a direction; facts of the whole association: of a part of it they are not known. */
typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned end;
    const sctpa_pauses_t *pauses;
} pauses_t;

static void write_pause_list(json_dumper *json, const sctpa_view_t *view, const pauses_t *of)
{
    for (unsigned i = 0; i < of->pauses->pauses->len; i++) {
        sctpa_json_pause(json, view, of->assoc, of->end, &g_array_index(of->pauses->pauses, sctpa_pause_t, i));
        sctpa_json_offer(json);
    }
}

#define SCTPA_SECTION rto_below_sack_delay
#define SCTPA_ROW sctpa_early_timeouts_t
#define SCTPA_INLINE true
#define SCTPA_MEMBERS "../rows/rto_below_sack_delay_members.def"
#include "members.h"

static const sctpa_member_t of_cause[] = { { .type = SCTPA_MEMBER_SECONDS } };
static const sctpa_section_t sctpa_section_by_cause = {
    .name = "by_cause", .is_inline = true, .members = of_cause, .n = 1, .keys = &sctpa_words_pause, .suffix = "_s"
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

#define SCTPA_SECTION pauses
#define SCTPA_ROW pauses_t
#define SCTPA_MEMBERS "../rows/pauses_members.def"
#include "members.h"

/* windows NULL: never closed. */
typedef struct {
    const sctpa_windows_t *windows;
} closed_t;

#define SCTPA_SECTION closed_windows
#define SCTPA_ROW closed_t
#define SCTPA_MEMBERS "../rows/closed_windows_members.def"
#include "members.h"

/* --- directions --- */

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

#define SCTPA_SECTION efficiency
#define SCTPA_ROW efficiency_t
#define SCTPA_INLINE true
#define SCTPA_MEMBERS "../rows/efficiency_members.def"
#include "members.h"

static void object_efficiency_of(json_dumper *json, const sctpa_view_t *view, const char *name,
                                 const direction_t *direction)
{
    const sctpa_measure_t *measure = direction->measure;
    const efficiency_t row = { sctpa_efficiency_of(direction->sent, direction->all), &measure->sack_delay,
                               measure->sack_delay_sum_ns };
    object_efficiency(json, view, name, &row);
}

static const sctpa_member_t of_rtx[] = { { .type = SCTPA_MEMBER_COUNT } };
static const sctpa_section_t sctpa_section_retransmissions = { .name = "retransmissions",
                                                               .is_inline = true,
                                                               .members = of_rtx,
                                                               .n = 1,
                                                               .keys = &sctpa_words_rtx,
                                                               .has_all_keys = true };

static void object_retransmissions(json_dumper *json, const sctpa_view_t *view, const char *name,
                                   const sctpa_sent_t *sent)
{
    (void)view;
    sctpa_json_begin_object(json, name);
    for (unsigned kind = 0; kind < SCTPA_RTX_KINDS; kind++)
        sctpa_json_count(json, sctpa_rtx_word((sctpa_rtx_kind_t)kind), sent->rtx[kind]);
    json_dumper_end_object(json);
}

#define SCTPA_SECTION theory
#define SCTPA_ROW sctpa_throughput_limits_t
#define SCTPA_INLINE true
#define SCTPA_MEMBERS "../rows/theory_members.def"
#include "members.h"

static const sctpa_throughput_limits_t *theory(const sctpa_view_t *view, const sctpa_measure_t *measure)
{
    return measure->has_theory && sctpa_view_tells(view, measure->theory.rtt_ns) ? &measure->theory : NULL;
}

#define SCTPA_SECTION direction
#define SCTPA_ROW direction_t
#define SCTPA_MEMBERS "../rows/direction_members.def"
#include "members.h"

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

/* --- streams --- */

typedef struct {
    const sctpa_assoc_t *assoc;
    unsigned end;
    const sctpa_stream_t *stream;
} stream_t;

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

#define SCTPA_SECTION stream
#define SCTPA_ROW stream_t
#define SCTPA_MEMBERS "../rows/stream_members.def"
#include "members.h"

void sctpa_json_streams(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of)
{
    for (unsigned e = 0; e < 2; e++)
        for (unsigned i = 0; i < of->streams[e]->len; i++) {
            object_stream(json, view, NULL,
                          &(stream_t){ of->assoc, e, &g_array_index(of->streams[e], sctpa_stream_t, i) });
            sctpa_json_offer(json);
        }
}
