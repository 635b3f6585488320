/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a direction's several paths did together, in JSON: at once, and one after the other. */
#include "json.h"

static void write_behind(json_dumper *json, const sctpa_concurrent_path_t *path)
{
    sctpa_json_begin_object(json, "behind_tsns");
    sctpa_json_count(json, "count", path->behind);
    sctpa_json_known(json, "median", path->behind > 0, path->median);
    sctpa_json_known(json, "p95", path->behind > 0, path->p95);
    sctpa_json_known(json, "max", path->behind > 0, path->most);
    json_dumper_end_object(json);
}

static void write_blocked(json_dumper *json, bool is_known, int64_t blocked_ns)
{
    if (is_known)
        sctpa_json_seconds(json, "blocked_s", blocked_ns);
    else
        sctpa_json_null(json, "blocked_s");
}

void sctpa_json_concurrent(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end)
{
    sctpa_series_source_t source = sctpa_series_source(view->sctpa, assoc->number, (uint8_t)end, view->start_ns);
    sctpa_concurrent_t *concurrent = view->tally ? NULL : sctpa_concurrent_measure(&source);
    if (!concurrent) {
        sctpa_json_null(json, "concurrent");
        return;
    }
    sctpa_json_begin_object(json, "concurrent");
    sctpa_json_seconds(json, "time_s", concurrent->concurrent_ns);
    sctpa_json_count(json, "returns", concurrent->returns);
    sctpa_json_count(json, "first_frame", sctpa_packet_frame(view->sctpa, concurrent->first_packet));
    write_blocked(json, concurrent->is_blocking_known, concurrent->blocked_ns);
    sctpa_json_begin_array(json, "paths");
    for (unsigned path = 0; path < concurrent->paths->len; path++) {
        const sctpa_concurrent_path_t *of_path = &g_array_index(concurrent->paths, sctpa_concurrent_path_t, path);
        json_dumper_begin_object(json);
        sctpa_json_count(json, "index", path);
        write_behind(json, of_path);
        write_blocked(json, concurrent->is_blocking_known, of_path->blocked_ns);
        json_dumper_end_object(json);
    }
    json_dumper_end_array(json);
    json_dumper_end_object(json);
    sctpa_concurrent_free(concurrent);
}
