/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a direction's paths did together, in JSON: at once, and one after the other. */
#include "json.h"
#include "section.h"

#include "../rows/rows.h"
#include "../tables/tables.h"
#include "../text/column_meanings.h"

typedef struct {
    unsigned path;
    bool is_blocking_known;
    const sctpa_concurrent_path_t *of;
} concurrent_path_t;

#define SCTPA_SECTION behind
#define SCTPA_ROW sctpa_concurrent_path_t
#define SCTPA_INLINE true
#define SCTPA_MEMBERS "../rows/behind_members.def"
#include "members.h"

#define SCTPA_SECTION concurrent_path
#define SCTPA_ROW concurrent_path_t
#define SCTPA_INLINE true
#define SCTPA_MEMBERS "../rows/concurrent_path_members.def"
#include "members.h"

static void write_concurrent_paths(json_dumper *json, const sctpa_view_t *view, const sctpa_concurrent_t *concurrent)
{
    for (unsigned path = 0; path < concurrent->paths->len; path++)
        object_concurrent_path(
            json, view, NULL,
            &(concurrent_path_t){ path, concurrent->is_blocking_known,
                                  &g_array_index(concurrent->paths, sctpa_concurrent_path_t, path) });
}

#define SCTPA_SECTION concurrent
#define SCTPA_ROW sctpa_concurrent_t
#define SCTPA_INLINE true
#define SCTPA_MEMBERS "../rows/concurrent_members.def"
#include "members.h"

void sctpa_json_concurrent(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_json_end_t *of)
{
    sctpa_series_source_t source =
        sctpa_series_source(view->sctpa, of->assoc->assoc->number, (uint8_t)of->end, view->start_ns);
    sctpa_concurrent_t *concurrent = view->tally ? NULL : sctpa_concurrent_measure(&source);
    object_concurrent(json, view, name, concurrent);
    if (concurrent)
        sctpa_concurrent_free(concurrent);
}

#define SCTPA_SECTION handover
#define SCTPA_ROW sctpa_handover_row_t
#define SCTPA_INLINE true
#define SCTPA_MEMBERS "../rows/handover_members.def"
#include "members.h"

void sctpa_json_handovers(json_dumper *json, const sctpa_view_t *view, const sctpa_json_end_t *of)
{
    const GArray *handovers = of->assoc->paths[of->end].changes.handovers;
    for (guint i = 0; handovers && i < handovers->len; i++) {
        const sctpa_handover_row_t row = sctpa_handover_row(of->end, &g_array_index(handovers, sctpa_handover_t, i));
        object_handover(json, view, NULL, &row);
    }
}
