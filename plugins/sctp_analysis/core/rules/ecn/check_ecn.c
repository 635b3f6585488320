/* Judges explicit congestion notification (RFC 4960 appendix A): whether marks are echoed, and the chunks that do it.
 * Leaves out what the window does. */
#include "rules/context.h"

#define ECHO_NS (100 * INT64_C(1000000))

enum { SACKS_WITHOUT_ECHO = 3, CONGESTION_EXPERIENCED = 3, ECN_BITS = 3 };

/* Marked data towards an end, by that end: until it echoes. */
typedef struct {
    uint32_t packet[2];
    int64_t time_ns[2];
    uint32_t sacks[2];
    bool is_waiting[2];
} marks_t;

static bool both_capable(const sctpa_context_t *c)
{
    return c->assoc->ends[0].init.params >> SCTPA_PARAM_ROW_ECN & 1 &&
           c->assoc->ends[1].init.params >> SCTPA_PARAM_ROW_ECN & 1;
}

static void check_length(sctpa_context_t *c, const sctpa_tlv_t *chunk)
{
    if (!chunk || !sctpa_may_judge(c, SCTPA_RULE_EC_010, c->from))
        return;
    /* "This chunk contains one data element" */
    if (chunk->fault == SCTPA_FAULT_LENGTH_BELOW_MINIMUM || chunk->fault == SCTPA_FAULT_LENGTH_BODY)
        sctpa_accuse(c, SCTPA_RULE_EC_010, c->from, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, "length 8, or 12 for ECNE",
                     SCTPA_WORDS("%s of length %u", chunk->row->word, chunk->length));
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
    marks_t *state = sctpa_context_state(c, SCTPA_GROUP_ECN, sizeof *state);
    if (state->is_waiting[receiver])
        return;
    state->is_waiting[receiver] = true;
    state->packet[receiver] = c->index;
    state->time_ns[receiver] = c->packet->time_ns;
    state->sacks[receiver] = 0;
}

static void check_echo(sctpa_context_t *c, marks_t *state)
{
    if (c->rows & SCTPA_ROW(ECNE)) {
        state->is_waiting[c->from] = false;
        sctpa_may_judge(c, SCTPA_RULE_EC_002, c->from);
        return;
    }
    state->sacks[c->from]++;
    if (state->sacks[c->from] < SACKS_WITHOUT_ECHO || c->packet->time_ns - state->time_ns[c->from] < ECHO_NS ||
        !sctpa_may_judge(c, SCTPA_RULE_EC_002, c->from))
        return;
    /* "this same indication is made by including the ECNE chunk" */
    sctpa_accuse(c, SCTPA_RULE_EC_002, c->from, SCTPA_NO_PATH, state->packet[c->from], "ECNE after data marked with CE",
                 SCTPA_WORDS("%u SACKs without it", state->sacks[c->from]));
    state->is_waiting[c->from] = false;
}

void sctpa_check_ecn(sctpa_context_t *c)
{
    check_length(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ECNE));
    check_length(c, sctpa_context_chunk(c, SCTPA_CHUNK_ROW_CWR));
    if ((c->packet->tos & ECN_BITS) == CONGESTION_EXPERIENCED && both_capable(c) && has_new_data(c))
        note_mark(c);
    marks_t *state = sctpa_context_find_state(c, SCTPA_GROUP_ECN);
    if (state && state->is_waiting[c->from] && c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(ECNE)))
        check_echo(c, state);
}
