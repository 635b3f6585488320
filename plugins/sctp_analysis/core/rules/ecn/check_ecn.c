/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of explicit congestion notification (RFC 4960 appendix A): whether marks are echoed, and the chunks that do it.
 * Leaves out what the window does. */
#include "rules/rule_functions.h"
#include "ecn_limits.h"

enum { CONGESTION_EXPERIENCED = 3, ECN_BITS = 3 };

/* Marked data towards an endpoint, by that endpoint: until it echoes. */
typedef struct {
    uint32_t packet[2];
    int64_t time_ns[2];
    uint32_t sacks[2]; /* since the mark */
    bool is_waiting[2];
} marks_t;

static const marks_t *waiting(const sctpa_context_t *c)
{
    const marks_t *marks = sctpa_context_find_part(c, SCTPA_PART_ECN);
    return marks && marks->is_waiting[c->from] ? marks : NULL;
}

/* The endpoint has had the mark for so long that it must have echoed it. */
static bool is_due(const sctpa_context_t *c, const marks_t *marks)
{
    return marks->sacks[c->from] + 1 >= SCTPA_SACKS_WITHOUT_ECHO &&
           c->packet->time_ns - marks->time_ns[c->from] >= SCTPA_ECHO_DUE_MS * SCTPA_NS_PER_MS;
}

bool sctpa_EC_002_applies(const sctpa_context_t *c)
{
    const marks_t *marks = waiting(c);
    return marks && (c->rows & SCTPA_ROW(ECNE) || is_due(c, marks));
}

/* "this same indication is made by including the ECNE chunk" */
bool sctpa_EC_002_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const marks_t *marks = waiting(c);
    if (c->rows & SCTPA_ROW(ECNE))
        return false;
    violation->related = marks->packet[c->from];
    sctpa_violation_say(violation, "ECNE after data marked with CE",
                        SCTPA_WORDS("%u SACKs without it", marks->sacks[c->from] + 1));
    return true;
}

bool sctpa_EC_010_applies(const sctpa_context_t *c)
{
    return c->chunk->tlv.row != NULL;
}

/* "This chunk contains one data element" */
bool sctpa_EC_010_violates(const sctpa_context_t *c, sctpa_violation_t *violation)
{
    const sctpa_tlv_t *chunk = &c->chunk->tlv;
    if (chunk->fault != SCTPA_FAULT_LENGTH_BELOW_MINIMUM && chunk->fault != SCTPA_FAULT_LENGTH_BODY)
        return false;
    sctpa_violation_say(violation, "length 8, or 12 for ECNE",
                        SCTPA_WORDS("%s of length %u", chunk->row->word, chunk->length));
    return true;
}

/* The packet carries new data, so that a receiver cannot have seen its mark before. */
static bool has_new_data(const sctpa_context_t *c)
{
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_observed_is_new(&c->chunks[i]))
            return true;
    return false;
}

static void note_mark(const sctpa_context_t *c)
{
    uint8_t receiver = !c->from;
    marks_t *marks = sctpa_context_part(c, SCTPA_PART_ECN, sizeof *marks);
    if (marks->is_waiting[receiver])
        return;
    marks->is_waiting[receiver] = true;
    marks->packet[receiver] = c->index;
    marks->time_ns[receiver] = c->packet->time_ns;
    marks->sacks[receiver] = 0;
}

/* A mark that was echoed, or for whose echo the endpoint was checked, is done with. */
static void note_echo(const sctpa_context_t *c, marks_t *marks)
{
    if (c->rows & SCTPA_ROW(ECNE) || is_due(c, marks))
        marks->is_waiting[c->from] = false;
    marks->sacks[c->from]++;
}

void sctpa_update_ecn(sctpa_context_t *c)
{
    if (waiting(c) && c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(ECNE)))
        note_echo(c, sctpa_context_find_part(c, SCTPA_PART_ECN));
    if ((c->packet->tos & ECN_BITS) == CONGESTION_EXPERIENCED && has_new_data(c) &&
        sctpa_negotiated(c->assoc, SCTPA_EXTENSION_ECN) == SCTPA_YES)
        note_mark(c);
}
