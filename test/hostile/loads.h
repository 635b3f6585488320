/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hostile loads by name (loads.def). What each does stands at its function in loads_*.c. */
#ifndef HOSTILE_LOADS_H
#define HOSTILE_LOADS_H

#include "load.h"

/* What tshark is asked for where a load is measured (test/bench/hostile): nothing but reading, fields in a second pass,
 * the JSON, the triage; LOOK_KEYS: reading with an AUTH key. hostile_steps counts all of them for each load. */
typedef enum { LOOK_READ, LOOK_FIELDS, LOOK_JSON, LOOK_TRIAGE, LOOK_KEYS } load_look_t;

typedef struct {
    const char *name;
    void (*make)(load_t *load, uint64_t n, bool is_hostile);
    bool has_control; /* is_hostile false makes a harmless load of the same shape */
    load_look_t look;
    uint32_t n_small; /* a size whose cost shows in a test of less than a second */
    const char *attacks;
} load_kind_t;

extern const load_kind_t load_kinds[];
extern const unsigned n_load_kinds;

/* The kind of a name, or NULL. */
const load_kind_t *load_kind_find(const char *name);

#define LOAD_KIND(name, has_control, look, n_small, attacks) \
    void load_##name(load_t *load, uint64_t n, bool is_hostile);
#include "loads.def"
#undef LOAD_KIND

#endif
