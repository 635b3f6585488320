/* Judges states: keeps in which of them each endpoint can be, by what passed, and says when an endpoint sent what none
 * of them allows.
 *
 * An endpoint that vanished without a packet shows only by what it sends next: until then it counts as being where it
 * was. */
#include "rules/engine.h"
#include "reference/states.h"

enum { CONTRADICTIONS = 2 };

/* The states after a packet: 8 bytes, kept when they change. */
enum { CHANGES_USUAL = 4 }; /* of an association that is set up */

typedef struct {
    uint32_t packet;
    uint8_t states[2];
} change_t;

typedef struct {
    change_t *changes;
    uint32_t n_changes;
    uint32_t heard[2]; /* rows of chunks that passed towards each end */
    uint32_t quiet[2]; /* rows of chunks that change nothing any more when this end sends them */
    uint8_t states[2];
    uint8_t contradictions[2];
} states_t;

static states_t *begin(const sctpa_context_t *c)
{
    const uint8_t not_open = 1 << SCTPA_STATE_CLOSED | 1 << SCTPA_STATE_COOKIE_WAIT;
    states_t *s = sctpa_context_find_part(c, SCTPA_PART_STATES);
    if (s)
        return s;
    s = sctpa_context_part(c, SCTPA_PART_STATES, sizeof *s);
    bool is_begun = c->rows & SCTPA_ROW(INIT) && sctpa_be32(c->packet->bytes + 4) == 0;
    s->states[0] = s->states[1] = is_begun ? not_open : SCTPA_ALL_STATES;
    return s;
}

static void words_of(uint8_t states, char *text, size_t bytes)
{
    text[0] = '\0';
    for (unsigned state = 0; state < SCTPA_STATES; state++)
        if (states >> state & 1) {
            if (text[0])
                g_strlcat(text, " or ", bytes);
            g_strlcat(text, sctpa_state_word((sctpa_state_t)state), bytes);
        }
}

/* No state that can follow those of the sender allows the chunk, so that packets that were missed do not explain it. */
static void accuse(sctpa_context_t *c, uint8_t states, unsigned row)
{
    char seen[100], expected[100];
    words_of(states, seen, sizeof seen);
    words_of(sctpa_states_may_send(row), expected, sizeof expected);
    sctpa_accuse(c, SCTPA_RULE_SM_026, c->from, c->path, SCTPA_NO_PACKET_INDEX,
                 SCTPA_WORDS("%s in %s", sctpa_chunk_row_word(row), expected), SCTPA_WORDS("in %s", seen));
}

/* What was missed may have led to a state that allows it; else it was late or wrong, and the states stay, unless it
 * goes on. */
static uint8_t resynchronise(sctpa_context_t *c, states_t *s, unsigned row)
{
    uint8_t states = s->states[c->from], may = sctpa_states_may_send(row), reach = sctpa_states_reach(states);
    bool is_closed = states & 1 << SCTPA_STATE_CLOSED;
    if (!is_closed && !(reach & may)) {
        if (sctpa_may_judge(c, SCTPA_RULE_SM_026, c->from))
            accuse(c, states, row);
        return ++s->contradictions[c->from] < CONTRADICTIONS ? states : sctpa_states_after_send(may, row);
    }
    return sctpa_states_after_send(is_closed ? may : reach & may, row);
}

static void take_chunk(sctpa_context_t *c, states_t *s, unsigned row)
{
    uint8_t after = sctpa_states_after_send(s->states[c->from], row);
    if (!after)
        after = resynchronise(c, s, row);
    else
        s->contradictions[c->from] = 0;
    s->states[c->from] = sctpa_states_after_recv(after, s->heard[c->from]);
}

static void keep(sctpa_context_t *c, states_t *s)
{
    if (s->n_changes == 0)
        s->changes = sctpa_arena_alloc(&c->store->arena, CHANGES_USUAL * sizeof *s->changes);
    else if (s->n_changes >= CHANGES_USUAL)
        s->changes = sctpa_arena_grow(&c->store->arena, s->changes, s->n_changes, sizeof *s->changes);
    s->changes[s->n_changes++] = (change_t){ c->index, { s->states[0], s->states[1] } };
}

void sctpa_check_states(sctpa_context_t *c)
{
    states_t *s = begin(c);
    uint8_t to = !c->from, before[2] = { s->states[0], s->states[1] };
    uint32_t heard = s->heard[to] | (uint32_t)c->rows;
    if (!(c->rows & ~(uint64_t)s->quiet[c->from]))
        return;
    for (unsigned i = 0; i < c->n_chunks; i++)
        take_chunk(c, s, sctpa_chunk_row((uint8_t)c->chunks[i].tlv.type));
    if (c->n_chunks > 0)
        sctpa_may_judge(c, SCTPA_RULE_SM_026, c->from);
    s->states[to] = sctpa_states_after_recv(s->states[to], heard);
    bool is_changed = before[0] != s->states[0] || before[1] != s->states[1] || s->n_changes == 0;
    if (is_changed)
        keep(c, s);
    if (is_changed || heard != s->heard[to])
        s->quiet[0] = s->quiet[1] = 0;
    else if (s->contradictions[c->from] == 0)
        s->quiet[c->from] |= (uint32_t)c->rows;
    s->heard[to] = heard;
}

uint8_t sctpa_states_at(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t end,
                        uint32_t packet)
{
    const states_t *s = sctpa_reference_find(store, tracked, SCTPA_PART_STATES);
    uint32_t n = s ? sctpa_records_from(s->changes, s->n_changes, sizeof *s->changes, packet + 1) : 0;
    return n > 0 ? s->changes[n - 1].states[end] : SCTPA_ALL_STATES;
}
