/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The member "application" of an association: what -z sctp,messages says of it. */
#include "json.h"

#include "../text/column_meanings.h"

#define SCTPA_OBJECTS "../rows/message_objects.def"
#include "declared_objects.h"

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

void sctpa_json_application(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_json_assoc_t *of)
{
    object_application(json, view, name, of->application ? of : NULL);
}

#define SCTPA_OBJECTS "../rows/message_objects.def"
#include "objects.h"
