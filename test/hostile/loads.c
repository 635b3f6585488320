/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of hostile loads. */
#include "loads.h"

const load_kind_t load_kinds[] = {
#define LOAD_KIND(name, has_control, look, n_small, attacks) \
    { #name, load_##name, has_control, look, n_small, attacks },
#include "loads.def"
#undef LOAD_KIND
};
const unsigned n_load_kinds = sizeof load_kinds / sizeof *load_kinds;

const load_kind_t *load_kind_find(const char *name)
{
    for (unsigned i = 0; i < n_load_kinds; i++)
        if (strcmp(load_kinds[i].name, name) == 0)
            return &load_kinds[i];
    return NULL;
}
