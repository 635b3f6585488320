/* Judges the data that is sent while streams are reset or added, and after (RFC 6525 5.1, 5.2.7). */
#include "check_streams.h"

enum { LOOK_BACK_TSNS = 64 };

/* A DATA chunk that begins an ordered message and leaves for the first time. */
typedef struct {
    uint32_t tsn, ssn;
    uint16_t sid;
    bool is_start;
    int64_t number;
} fresh_t;

static bool read_fresh(const sctpa_observed_t *observed, fresh_t *fresh)
{
    const sctpa_tsn_t *tsn = observed->sent.tsn;
    if (!sctpa_observed_is_new(observed) || tsn->state & SCTPA_TSN_EARLIER_UNSEEN)
        return false;
    fresh->tsn = sctpa_tlv_u32(&observed->tlv, SCTPA_F_DATA_TSN);
    fresh->number = observed->sent.number;
    fresh->ssn = tsn->ssn;
    fresh->sid = tsn->stream;
    fresh->is_start = tsn->flags & SCTPA_TSN_BEGIN && !(tsn->flags & SCTPA_TSN_UNORDERED);
    return true;
}

static bool is_affected(const sctpa_stream_request_t *request, uint16_t sid)
{
    return !request->has_list || (request->is_list_kept && sctpa_stream_set_has(&request->streams, sid));
}

/* The message before on the stream, if its TSN is not above last; NULL: none near, or one after last. */
static const sctpa_tsn_t *message_before(const sctpa_direction_t *sent, const fresh_t *fresh, int64_t last)
{
    for (int64_t number = fresh->number - 1; number >= 0 && number >= fresh->number - LOOK_BACK_TSNS; number--) {
        const sctpa_tsn_t *tsn = sctpa_direction_tsn(sent, number);
        if (!tsn || tsn->transmissions == 0)
            return NULL;
        if (tsn->stream == fresh->sid && !(tsn->flags & SCTPA_TSN_UNORDERED))
            return number <= last ? tsn : NULL;
    }
    return NULL;
}

static void check_reset(sctpa_context_t *c, const sctpa_stream_request_t *request, const fresh_t *fresh, int32_t after)
{
    if (request->result != SCTPA_RESET_PERFORMED || after > LOOK_BACK_TSNS || c->sent->restarted ||
        !sctpa_may_judge(c, SCTPA_RULE_RC_010, c->from))
        return;
    const sctpa_tsn_t *before = message_before(c->sent, fresh, fresh->number - after);
    /* "the affected streams MUST now be reset" */
    if (before && fresh->ssn != 0 && fresh->ssn == before->ssn + 1)
        sctpa_accuse(c, SCTPA_RULE_RC_010, c->from, c->path, request->packet,
                     SCTPA_WORDS("SSN 0 on stream %u", fresh->sid),
                     SCTPA_WORDS("SSN %u, after %u before the reset", fresh->ssn, before->ssn));
}

/* New data that must wait for the answer, as long as none has passed. */
static bool must_wait(const sctpa_context_t *c, const sctpa_streams_t *state, const sctpa_stream_request_t *request,
                      const fresh_t *fresh, int32_t after)
{
    uint32_t count;
    switch (request->type) {
    case SCTPA_PARAM_OUTGOING_RESET: return fresh->is_start && after > 0 && is_affected(request, fresh->sid);
    case SCTPA_PARAM_TSN_RESET: return true;
    case SCTPA_PARAM_ADD_OUTGOING:
        count = sctpa_streams_outbound(c, state, c->from);
        return fresh->sid >= count && fresh->sid < count + request->new_streams;
    default: return false;
    }
}

static void check_one(sctpa_context_t *c, const sctpa_streams_t *state, sctpa_stream_request_t *request,
                      const fresh_t *fresh)
{
    int32_t after = sctpa_serial_distance(request->last_tsn, fresh->tsn);
    if (request->packet == c->index)
        return;
    if (request->answer == SCTPA_ANSWER_NONE) {
        if (request->breach_packet == SCTPA_NO_PACKET_INDEX && must_wait(c, state, request, fresh, after)) {
            request->breach_packet = c->index;
            request->breach_tsn = fresh->tsn;
        }
    } else if (request->type == SCTPA_PARAM_OUTGOING_RESET && fresh->is_start && after > 0 &&
               is_affected(request, fresh->sid)) {
        check_reset(c, request, fresh, after);
    }
}

void sctpa_streams_data(sctpa_context_t *c, sctpa_streams_t *state)
{
    sctpa_stream_asker_t *asker = &state->askers[c->from];
    fresh_t fresh;
    if (asker->n_requests == 0 || !c->sent)
        return;
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_tlv_is_data(&c->chunks[i].tlv) && read_fresh(&c->chunks[i], &fresh))
            for (unsigned k = 0; k < MIN(asker->n_requests, SCTPA_STREAMS_REQUESTS); k++)
                check_one(c, state, &asker->requests[k], &fresh);
}
