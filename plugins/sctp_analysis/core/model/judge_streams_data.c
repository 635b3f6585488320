/* Judges the data that is sent while streams are reset or added, and after (RFC 6525 5.1, 5.2.7). */
#include "judge_streams.h"

enum { LOOK_BACK_TSNS = 64 };

/* A DATA chunk that begins an ordered message and leaves for the first time. */
typedef struct { uint32_t tsn, ssn; uint16_t sid; bool is_start; int64_t number; } fresh_t;

static bool read_fresh(const sctpa_case_t *c, const sctpa_tlv_t *chunk, fresh_t *fresh)
{
    int64_t number;
    fresh->tsn = sctpa_tlv_u32(chunk, SCTPA_F_DATA_TSN);
    const sctpa_tsn_t *tsn = sctpa_direction_tsn_in(c->sent, fresh->tsn, c->index, &number);
    if (!tsn || tsn->first_packet != c->index || tsn->state & SCTPA_TSN_EARLIER_UNSEEN)
        return false;
    fresh->number = number;
    fresh->ssn = tsn->ssn;
    fresh->sid = tsn->stream;
    fresh->is_start = tsn->flags & SCTPA_TSN_BEGIN && !(tsn->flags & SCTPA_TSN_UNORDERED);
    return true;
}

static bool is_affected(const sctpa_stream_request_t *request, uint16_t sid)
{
    for (unsigned i = 0; i < request->n_sids; i++)
        if (sctpa_be16(request->sids + 2 * i) == sid)
            return true;
    return request->n_sids == 0;
}

static void accuse(sctpa_case_t *c, sctpa_rule_t rule, const sctpa_stream_request_t *request, sctpa_words_t expected, sctpa_words_t seen)
{
    sctpa_accuse(c, rule, c->from, c->path, request->packet, expected.text, seen.text);
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

static void judge_reset(sctpa_case_t *c, const sctpa_stream_request_t *request, const fresh_t *fresh)
{
    int32_t after = sctpa_serial_distance(request->last_tsn, fresh->tsn);
    if (!fresh->is_start || after <= 0 || !is_affected(request, fresh->sid))
        return;
    /* "The sender MUST stop assigning new SSNs to new user data provided by the upper layer for the affected streams and queue it" */
    if (request->answer == SCTPA_ANSWER_NONE) {
        if (sctpa_may_judge(c, SCTPA_RULE_RC_011, c->from))
            accuse(c, SCTPA_RULE_RC_011, request, sctpa_words("no new message on stream %u before the answer", fresh->sid),
                   sctpa_words("TSN %u begins one with SSN %u", fresh->tsn, fresh->ssn));
        return;
    }
    if (request->result != SCTPA_RESET_PERFORMED || after > LOOK_BACK_TSNS || c->sent->restarted ||
        !sctpa_may_judge(c, SCTPA_RULE_RC_010, c->from))
        return;
    const sctpa_tsn_t *before = message_before(c->sent, fresh, fresh->number - after);
    /* "the affected streams MUST now be reset" */
    if (before && fresh->ssn != 0 && fresh->ssn == before->ssn + 1)
        accuse(c, SCTPA_RULE_RC_010, request, sctpa_words("SSN 0 on stream %u after the reset", fresh->sid),
               sctpa_words("SSN %u, after %u before it", fresh->ssn, before->ssn));
}

static void judge_one(sctpa_case_t *c, const sctpa_streams_t *state, const sctpa_stream_request_t *request, const fresh_t *fresh)
{
    if (request->packet == c->index)
        return;
    if (request->type == SCTPA_PARAM_OUTGOING_RESET)
        judge_reset(c, request, fresh);
    if (request->answer != SCTPA_ANSWER_NONE)
        return;
    /* "suspending any new transmissions and TSN assignment until the reset procedure is finished" */
    if (request->type == SCTPA_PARAM_TSN_RESET && sctpa_may_judge(c, SCTPA_RULE_RC_029, c->from))
        accuse(c, SCTPA_RULE_RC_029, request, sctpa_words("no new data before the answer"), sctpa_words("TSN %u", fresh->tsn));
    if (request->type != SCTPA_PARAM_ADD_OUTGOING || !sctpa_may_judge(c, SCTPA_RULE_RC_016, c->from))
        return;
    uint32_t count = sctpa_streams_outbound(c, state, c->from);
    /* "it MUST NOT use the streams until the peer has responded with a positive acknowledgment" */
    if (fresh->sid >= count && fresh->sid < count + request->new_streams)
        accuse(c, SCTPA_RULE_RC_016, request, sctpa_words("streams below %u before the answer", count),
               sctpa_words("stream %u", fresh->sid));
}

void sctpa_streams_data(sctpa_case_t *c, sctpa_streams_t *state)
{
    const sctpa_stream_asker_t *asker = &state->askers[c->from];
    fresh_t fresh;
    if (asker->n_requests == 0 || !c->sent)
        return;
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (sctpa_tlv_is_data(&c->chunks[i]) && read_fresh(c, &c->chunks[i], &fresh))
            for (unsigned k = 0; k < MIN(asker->n_requests, SCTPA_STREAMS_REQUESTS); k++)
                judge_one(c, state, &asker->requests[k], &fresh);
}
