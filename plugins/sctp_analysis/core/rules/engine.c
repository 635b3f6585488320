/* Makes the context of each packet and shows it to the groups concerned; knows which needs of rules are met. Leaves out
 * the rules. */
#include "context.h"

enum { NEAR_SHARE = 8 };

typedef struct {
    uint64_t rows;
    void (*check)(sctpa_context_t *c);
} group_t;

static const group_t groups[SCTPA_GROUPS] = {
#define SCTPA_GROUP(id, word, rows) { rows, sctpa_check_##word },
#include "groups.def"
};

sctpa_model_t *sctpa_model_new(unsigned levels, sctpa_profile_t profile)
{
    sctpa_model_t *model = g_new0(sctpa_model_t, 1);
    sctpa_arena_init(&model->arena);
    sctpa_rule_sets_init(&model->rule_sets);
    model->levels = levels;
    model->profile = profile;
    sctpa_model_ask(model);
    model->judged = g_ptr_array_new();
    model->marks = g_array_new(FALSE, FALSE, sizeof(sctpa_mark_t));
    model->asconf_serials = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    model->asconf_packet = SCTPA_NO_PACKET_INDEX;
    return model;
}

void sctpa_model_free(sctpa_model_t *model)
{
    sctpa_arena_clear(&model->arena);
    for (unsigned i = 0; i < SCTPA_GROUPS; i++)
        sctpa_pool_clear(&model->states[i]);
    sctpa_rule_sets_clear(&model->rule_sets);
    g_ptr_array_unref(model->judged);
    g_array_unref(model->marks);
    g_array_unref(model->asconf_serials);
    sctpa_addings_free(model->addings);
    g_free(model);
}

static sctpa_judged_t *judged_of(sctpa_model_t *model, uint32_t number)
{
    if (number >= model->judged->len)
        g_ptr_array_set_size(model->judged, (gint)MAX(number + 1, model->judged->len));
    sctpa_judged_t *judged = g_ptr_array_index(model->judged, number);
    if (!judged) {
        judged = g_ptr_array_index(model->judged, number) = sctpa_arena_alloc(&model->arena, sizeof *judged);
        judged->doubt_packet = SCTPA_NO_PACKET_INDEX;
        for (unsigned end = 0; end < 2; end++)
            judged->judged[end] = judged->refused[end] = model->rule_sets.none;
    }
    return judged;
}

sctpa_judged_t *sctpa_judged_find(const sctpa_model_t *model, const sctpa_tracked_t *tracked)
{
    uint32_t number = tracked->assoc.number;
    return number < model->judged->len ? g_ptr_array_index(model->judged, number) : NULL;
}

const void *sctpa_judged_state(const sctpa_model_t *model, const sctpa_tracked_t *tracked, sctpa_group_t group)
{
    const sctpa_judged_t *judged = sctpa_judged_find(model, tracked);
    return judged ? sctpa_judged_find_state(model, judged, group) : NULL;
}

void *sctpa_context_state(const sctpa_context_t *c, sctpa_group_t group, uint32_t bytes)
{
    sctpa_pool_t *pool = &c->model->states[group];
    void *state = sctpa_context_find_state(c, group);
    uint32_t at;
    if (state)
        return state;
    if (pool->count == 0)
        sctpa_pool_init(pool, bytes);
    state = sctpa_pool_add(pool, &at);
    c->judged->states[group] = at + 1;
    return state;
}

bool sctpa_context_is_first_init(const sctpa_context_t *c)
{
    return c->rows == SCTPA_ROW(INIT) && c->assoc->setup.steps[SCTPA_STEP_INIT].count == 1;
}

const sctpa_observed_t *sctpa_context_observed(const sctpa_context_t *c, unsigned row)
{
    if (!(c->rows >> row & 1))
        return NULL;
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_chunk_row((uint8_t)c->chunks[i].tlv.type) == row)
            return &c->chunks[i];
    return NULL;
}

const sctpa_tlv_t *sctpa_context_chunk(const sctpa_context_t *c, unsigned row)
{
    const sctpa_observed_t *observed = sctpa_context_observed(c, row);
    return observed ? &observed->tlv : NULL;
}

uint32_t sctpa_context_frame(const sctpa_context_t *c, uint32_t packet)
{
    return packet < c->tracker->records->len ? g_array_index(c->tracker->records, sctpa_record_t, packet).frame : 0;
}

bool sctpa_param_find(const sctpa_tlv_t *chunk, uint32_t type, sctpa_tlv_t *param)
{
    sctpa_tlv_iter_t iter;
    sctpa_params_begin(&iter, chunk);
    while (sctpa_tlv_next(&iter, param))
        if (param->type == type)
            return true;
    return false;
}

/* The way from the tap to the accused and back is short, in itself or as part of the way between the endpoints. */
static bool is_near(const sctpa_context_t *c, uint8_t accused)
{
    int64_t to_accused_ns = sctpa_context_answer_ns(c, !accused), beyond_ns = sctpa_context_answer_ns(c, accused);
    return to_accused_ns >= 0 && (to_accused_ns <= SCTPA_NEAR_NS || to_accused_ns <= beyond_ns / NEAR_SHARE);
}

static bool has_round_trips(const sctpa_direction_t *direction)
{
    return direction && direction->samples.len > 0;
}

static bool has_both(const sctpa_context_t *c)
{
    const sctpa_end_t *ends = c->assoc->ends;
    return ends[0].n_pairs > 0 && ends[1].n_pairs > 0 && !c->tracked->unproven;
}

/* Nothing missed so far, and packets without DATA seen: a filter that keeps those with DATA leaves no other trace. */
static bool is_complete(const sctpa_context_t *c)
{
    return c->judged->doubt_packet == SCTPA_NO_PACKET_INDEX && !sctpa_assoc_is_data_only(c->assoc);
}

void sctpa_context_meet(sctpa_context_t *c, uint8_t accused)
{
    const sctpa_end_t *ends = c->assoc->ends;
    bool is_whole = c->packet->captured_bytes == c->packet->wire_bytes;
    bool is_good = sctpa_context_is_verified(c) || c->record->checksum == SCTPA_CHECKSUM_ZERO;
    c->met[accused] =
        (uint8_t)((is_whole ? SCTPA_NEED_WHOLE_PACKET : 0) | (is_good ? SCTPA_NEED_CHECKSUM_GOOD : 0) |
                  (ends[0].init.seen && ends[1].init.seen ? SCTPA_NEED_SETUP_SEEN : 0) |
                  (has_both(c) ? SCTPA_NEED_BOTH_DIRECTIONS : 0) | (is_complete(c) ? SCTPA_NEED_COMPLETE : 0) |
                  (is_near(c, accused) ? SCTPA_NEED_NEAR : 0) |
                  (has_round_trips(c->tracked->sides[accused].sent) ? SCTPA_NEED_RTT : 0) |
                  (ends[accused].unusual->auth_good > 0 ? SCTPA_NEED_AUTH_KEY : 0));
    c->met_known[accused] = true;
}

static bool is_unseen(const sctpa_direction_t *acked)
{
    return acked && (acked->seldom->unseen_acked > 0 || acked->truncated || !sctpa_direction_tells_reneging(acked) ||
                     (acked->highest >= 0 && acked->highest_gap_end > acked->highest));
}

/* Each step of a set-up answers the one before it. */
static bool is_setup_out_of_order(const sctpa_context_t *c)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    for (unsigned step = SCTPA_STEP_INIT_ACK; step < SCTPA_STEPS; step++)
        if (setup->steps[step].count > 0 && setup->steps[step - 1].count == 0 &&
            setup->steps[SCTPA_STEP_INIT].count > 0)
            return true;
    return false;
}

/* The capture missed a packet of the association, or has it out of order. */
static bool is_doubtful(const sctpa_context_t *c)
{
    return c->record->remarks & (SCTPA_CAPTURE_MISSED | SCTPA_CAPTURE_CLOCK | SCTPA_CAPTURE_TIME) ||
           is_unseen(c->acked) || c->judged->disordered ||
           ((c->rows & (SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(COOKIE_ACK))) &&
            is_setup_out_of_order(c));
}

/* Nobody took a packet whose checksum is wrong, when its sender makes right ones. */
static bool is_damaged(const sctpa_context_t *c)
{
    return c->record->checksum == SCTPA_CHECKSUM_BAD && c->tracked->sides[c->from].good_checksums;
}

static void context_begin(sctpa_context_t *c, sctpa_model_t *model, sctpa_tracker_t *tracker,
                          const sctpa_packet_t *packet, uint32_t index)
{
    c->model = model;
    c->tracker = tracker;
    c->packet = packet;
    c->index = index;
    c->record = &g_array_index(tracker->records, sctpa_record_t, index);
    c->tracked = g_ptr_array_index(tracker->assocs, c->record->assoc);
    c->assoc = &c->tracked->assoc;
    c->from = c->record->from;
    c->path = c->record->path;
    c->sent = c->tracked->sides[c->from].sent;
    c->acked = c->tracked->sides[!c->from].sent;
    c->chunks = tracker->observation.chunks;
    c->n_chunks = tracker->observation.n;
    c->rows = tracker->observation.rows;
    c->auth_at = tracker->observation.auth_at;
    c->met_known[0] = c->met_known[1] = false;
}

void sctpa_model_take(sctpa_model_t *model, sctpa_tracker_t *tracker, const sctpa_packet_t *packet, uint32_t index)
{
    const sctpa_record_t *record = &g_array_index(tracker->records, sctpa_record_t, index);
    sctpa_context_t c;
    if (model->levels == 0 || record->assoc == SCTPA_NO_ASSOC || record->remarks & SCTPA_CAPTURE_DUPLICATE)
        return;
    context_begin(&c, model, tracker, packet, index);
    if (is_damaged(&c))
        return;
    c.judged = judged_of(model, record->assoc);
    if (c.judged->reshaped != c.tracked->reshaped)
        sctpa_judged_reshape(&c);
    if (c.judged->doubt_packet == SCTPA_NO_PACKET_INDEX && is_doubtful(&c))
        c.judged->doubt_packet = index;
    for (unsigned group = 0; group < SCTPA_GROUPS; group++)
        if (c.rows & groups[group].rows)
            groups[group].check(&c);
}
