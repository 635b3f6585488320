/* Makes the context of each packet and shows it to the groups concerned; knows which needs of rules are met. Leaves out
 * the rules. */
#include "context.h"

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
    model->violations = g_array_new(FALSE, FALSE, sizeof(sctpa_counted_t));
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
    g_array_unref(model->violations);
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
        sctpa_tap_begin(&judged->tap);
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

static bool has_round_trips(const sctpa_direction_t *direction)
{
    return direction && direction->samples.len > 0;
}

void sctpa_context_meet(sctpa_context_t *c, uint8_t accused)
{
    const sctpa_end_t *ends = c->assoc->ends;
    bool is_whole = c->packet->captured_bytes == c->packet->wire_bytes;
    bool is_good = sctpa_context_is_verified(c) || c->record->checksum == SCTPA_CHECKSUM_ZERO;
    c->met[accused] =
        (uint8_t)((is_whole ? SCTPA_NEED_WHOLE_PACKET : 0) | (is_good ? SCTPA_NEED_CHECKSUM_GOOD : 0) |
                  (ends[0].init.seen && ends[1].init.seen ? SCTPA_NEED_SETUP_SEEN : 0) |
                  (sctpa_tap_has_both(c->tracked) ? SCTPA_NEED_BOTH_DIRECTIONS : 0) |
                  (sctpa_tap_passed_all(&c->judged->tap, c->tracked) != SCTPA_NO ? SCTPA_NEED_COMPLETE : 0) |
                  (sctpa_tap_is_near(c->tracked, accused) == SCTPA_YES ? SCTPA_NEED_NEAR : 0) |
                  (has_round_trips(c->tracked->sides[accused].sent) ? SCTPA_NEED_RTT : 0) |
                  (ends[accused].rare->auth_good > 0 ? SCTPA_NEED_AUTH_KEY : 0));
    c->met_known[accused] = true;
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
    sctpa_tap_take(&c.judged->tap, tracker, c.tracked, packet, c.rows, index);
    for (unsigned group = 0; group < SCTPA_GROUPS; group++)
        if (c.rows & groups[group].rows)
            groups[group].check(&c);
    if (model->violations->len > 0)
        sctpa_findings_cover(&c);
}
