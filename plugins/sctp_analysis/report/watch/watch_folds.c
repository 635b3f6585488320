/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts by kind. Leaves the line to watch_lines.c. */
#include "watch_folds.h"

#include "../text/address_labels.h"

enum {
    LINES_FREE = 100, /* a minute of a kind: with the 5 kB that a line of an association has, 8 kB/s */
    MINUTE_S = 60,
    ENDS = SCTPA_ASSOC_ENDS,
    WHYS = 4,
    KINDS = SCTPA_WATCH_KINDS + ENDS * WHYS
};

static const char *const whys[WHYS] = { NULL, "ended", "idle", "part" };

typedef struct {
    uint32_t written;
    sctpa_watch_folded_t folded;
} fold_t;

struct sctpa_watch_folds {
    fold_t kinds[KINDS];
    int64_t since_ns; /* by the clock of silence */
};

sctpa_watch_folds_t *sctpa_watch_folds_new(void)
{
    return g_new0(sctpa_watch_folds_t, 1);
}

void sctpa_watch_folds_free(sctpa_watch_folds_t *folds)
{
    g_free(folds);
}

static sctpa_watch_names_t names_of(const sctpa_assoc_t *assoc)
{
    sctpa_watch_names_t names;
    for (unsigned e = 0; e < 2; e++) {
        const sctpa_addr_t *addr = sctpa_end_first_addr(&assoc->ends[e]);
        names.of[e] = (sctpa_watch_name_t){ .port = assoc->ends[e].port };
        if (addr)
            names.of[e].addr = *addr;
    }
    return names;
}

static bool is_folded(fold_t *fold, const sctpa_watch_folded_t *kind, const sctpa_watch_names_t *names)
{
    if (fold->written < LINES_FREE) {
        fold->written++;
        return false;
    }
    if (fold->folded.count == 0) {
        fold->folded = *kind;
        fold->folded.first = *names;
    }
    fold->folded.count++;
    fold->folded.last = *names;
    return true;
}

bool sctpa_watch_folds_event(sctpa_watch_folds_t *folds, unsigned kind, const sctpa_assoc_t *assoc)
{
    const sctpa_watch_names_t names = names_of(assoc);
    return is_folded(&folds->kinds[kind], &(const sctpa_watch_folded_t){ .kind = kind }, &names);
}

bool sctpa_watch_folds_refused_init(sctpa_watch_folds_t *folds, const sctpa_refused_init_t *refused)
{
    const sctpa_watch_names_t names = sctpa_watch_refused_names(refused);
    const unsigned kind = SCTPA_WATCH_SETUP_FAILED;
    return is_folded(&folds->kinds[kind], &(const sctpa_watch_folded_t){ .kind = kind }, &names);
}

bool sctpa_watch_folds_association(sctpa_watch_folds_t *folds, sctpa_assoc_end_t end, const char *why,
                                   const sctpa_assoc_t *assoc)
{
    unsigned nth = 0;
    while (nth < WHYS - 1 && g_strcmp0(whys[nth], why) != 0)
        nth++;
    const sctpa_watch_folded_t kind = { .kind = SCTPA_WATCH_KINDS, .end = end, .why = why };
    const sctpa_watch_names_t names = names_of(assoc);
    return is_folded(&folds->kinds[SCTPA_WATCH_KINDS + (unsigned)end * WHYS + nth], &kind, &names);
}

void sctpa_watch_folds_pass(sctpa_watch_folds_t *folds, int64_t clock_ns, bool is_end,
                            void (*tell)(void *user, const sctpa_watch_folded_t *folded), void *user)
{
    if (!is_end && clock_ns < folds->since_ns + MINUTE_S * SCTPA_NS_PER_S)
        return;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        fold_t *fold = &folds->kinds[kind];
        fold->folded.during_ns = clock_ns - folds->since_ns;
        if (fold->folded.count > 0)
            tell(user, &fold->folded);
        *fold = (fold_t){ .written = 0 };
    }
    folds->since_ns = clock_ns;
}
