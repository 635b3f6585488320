/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what objects.h defines, for the functions between the two, such as those that write lists. Included once for
 * each file of objects, after #define SCTPA_OBJECTS and the types of its rows. */
#include "member_types.h"

#include "../rows/without_members.h"
#undef SCTPA_SECTION_BEGIN
#define SCTPA_SECTION_BEGIN(section, row_t, place) \
    extern const sctpa_section_t sctpa_section_##section; \
    G_GNUC_UNUSED static void members_##section(json_dumper *json, const sctpa_view_t *view, const row_t *row); \
    G_GNUC_UNUSED static void object_##section(json_dumper *json, const sctpa_view_t *view, const char *name, \
                                               const row_t *row);
#include SCTPA_OBJECTS
#include "../rows/undefine.h"

#undef SCTPA_OBJECTS
