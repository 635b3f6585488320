/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moves, by walking the TSNs. */
#include "moves.h"

typedef struct {
    const sctpa_series_source_t *source;
    sctpa_moves_t moves;
    uint16_t path; /* of the new data before, SCTPA_SERIES_ANY_PATH none */
} moving_t;

static void follow_tsn(void *user, int64_t number, const sctpa_tsn_t *tsn)
{
    moving_t *moving = user;
    uint16_t path = sctpa_series_first_path(moving->source, tsn);
    (void)number;
    if (moving->path != SCTPA_SERIES_ANY_PATH && path != moving->path) {
        if (moving->moves.n < SCTPA_MOVES_KEPT)
            moving->moves.first[moving->moves.n] = (sctpa_move_t){ tsn->first_packet, moving->path, path };
        moving->moves.n++;
    }
    moving->path = path;
}

sctpa_moves_t sctpa_moves_measure(const sctpa_series_source_t *source)
{
    moving_t moving = { .source = source, .path = SCTPA_SERIES_ANY_PATH };
    if (source->direction)
        sctpa_direction_each(source->direction, follow_tsn, &moving);
    return moving.moves;
}
