/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows what both endpoints show of the association, for the register of obligations. */
#include "model/negotiated.h"
#include "obligations_kept.h"
#include "owed_chunks.h"
#include "wire/auth.h"

uint8_t sctpa_obligations_states_of(const sctpa_context_t *c, const sctpa_obligations_t *o, uint8_t endpoint)
{
    const uint8_t states = sctpa_states_before(c, endpoint), open = states & (T | P | S | R | A),
                  gone =
                      sctpa_obligations_is_perhaps_given_up(&c->reference->tap, o, endpoint) || o->begins_anew[endpoint]
                          ? C
                          : 0;
    if (o->closed_by[endpoint] > 0)
        return C;
    return (uint8_t)((o->has_cookie_ack[endpoint] && open ? open : states) | gone);
}

/* Does the packet end the association at its sender, with the tag of its peer: SHUTDOWN COMPLETE or ABORT without T
 * bit?
 */
static bool is_end(const sctpa_context_t *c)
{
    const sctpa_observed_t *abort = sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_ABORT);
    const sctpa_observed_t *complete = sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE);
    return c->assoc->ends[!c->from].has_vtag && sctpa_context_vtag(c) == c->assoc->ends[!c->from].vtag &&
           ((abort && !sctpa_tlv_u32(&abort->tlv, SCTPA_F_ABORT_T)) ||
            (complete && !sctpa_tlv_u32(&complete->tlv, SCTPA_F_SHUTDOWN_COMPLETE_T)));
}

/* May the receiver of the packet wait for the ASCONF-ACK to an ASCONF that deletes an address? It ignores ABORTs there
 * (RFC 5061 5.3 F4). */
static bool may_be_deleting(const sctpa_context_t *c)
{
    return c->assoc->ends[!c->from].n_addrs > 1 && sctpa_context_chunks(c, !c->from, SCTPA_CHUNK_ROW_ASCONF) >
                                                       sctpa_context_chunks(c, c->from, SCTPA_CHUNK_ROW_ASCONF_ACK);
}

/* May the receiver discard the chunk that ends the association: SHUTDOWN COMPLETE in company (RFC 9260 6.10) or in
 * another state than SHUTDOWN-ACK-SENT; ABORT with DATA (3.3.7), from an address that it does not know, or whose AUTH
 * is missing or may not verify, or to one that it deletes? */
static bool may_ignore_end(const sctpa_context_t *c, uint8_t states)
{
    if (c->rows & SCTPA_ROW(SHUTDOWN_COMPLETE) && (c->n_chunks > 1 || !sctpa_states_surely_in(states, A)))
        return true;
    return !sctpa_packet_is_from_known_address(c) || c->rows & (SCTPA_DATA_ROWS | SCTPA_ROW(AUTH)) ||
           sctpa_packet_lacks_auth(c, SCTPA_CHUNK_ROW_ABORT) || may_be_deleting(c);
}

/* Who sends something else than ABORT has an association, and answers no packet before by one. */
static void follow_aborts(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    const uint8_t from = c->from, to = !c->from;
    const bool is_abort = c->rows & SCTPA_ROW(ABORT);
    if (!is_abort)
        o->aborted[from] = o->aborts_asked[from] = o->others_asked[from] = 0;
    else if (is_end(c)) /* it may have been without association when these came */
        o->aborts_asked[from] = o->others_asked[from] = o->came[from];
    else if (o->aborts_asked[from] > 0)
        o->aborts_asked[from]--;
    if (is_abort && o->others_asked[from] > o->aborts_asked[from])
        o->others_asked[from] = o->aborts_asked[from];
    if (c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(SHUTDOWN) | SCTPA_ROW(SHUTDOWN_ACK)))
        o->came[from] = 0;
    o->came[to] += !(c->rows & (SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE)));
    const bool may_lack_it = o->closed_by[to] > 0 || !o->has_sent[to];
    if (is_abort)
        o->aborted[to] = c->index + 1;
    else if (may_lack_it && !(c->rows & SCTPA_ROW(SHUTDOWN_COMPLETE)) && o->aborts_asked[to] < UINT32_MAX) {
        o->aborts_asked[to]++;
        o->others_asked[to] += c->rows != SCTPA_ROW(SHUTDOWN_ACK);
    }
}

/* What counts as an error where no answer comes, and what clears the errors of who receives it (RFC 9260 8.1). */
static void follow_errors(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    const uint64_t asks = SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(HEARTBEAT) | SCTPA_ROW(SHUTDOWN) |
                          SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(ASCONF) | SCTPA_ROW(RE_CONFIG),
                   answers = SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ACK) | SCTPA_ROW(HEARTBEAT_ACK) |
                             SCTPA_ROW(SHUTDOWN_ACK) | SCTPA_ROW(ASCONF_ACK);
    uint8_t *probes = &o->probes[c->from];
    *probes += *probes < UINT8_MAX && c->rows & asks;
    *probes += *probes < UINT8_MAX && c->facts & SCTPA_FACT_RTX; /* a timer of its own */
    if (o->probes[!c->from] > 0 && (c->rows & answers || c->facts & SCTPA_FACT_NEWLY_ACKED) &&
        sctpa_packet_is_receivable(c))
        o->probes[!c->from] = 0;
}

/* Is it a SHUTDOWN COMPLETE with the T bit and the tag of its sender (RFC 9260 8.5.1 C)? */
static bool is_reflected_complete(const sctpa_context_t *c)
{
    const sctpa_observed_t *complete = sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE);
    return complete && sctpa_tlv_u32(&complete->tlv, SCTPA_F_SHUTDOWN_COMPLETE_T) && sctpa_obligations_reflects_tag(c);
}

/* Its peer tells the receiver once more that the association, which it goes on to use, has ended. */
static void count_told(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    const uint8_t to = !c->from;
    const bool is_told = is_end(c) || sctpa_obligations_is_reflected_abort(c) || is_reflected_complete(c);
    if (!is_told || o->closed_by[to] == 0 || o->told[to] == UINT8_MAX || !sctpa_packet_is_receivable(c) ||
        may_ignore_end(c, A) ||
        (o->told[to] > 0 && sctpa_context_least_since_ns(c, o->told_packet[to]) <= SCTPA_OWED_MS * SCTPA_NS_PER_MS))
        return;
    o->told[to]++;
    o->told_packet[to] = c->index;
}

/* What set-up and end tell about its sender, and its receiver. */
static void follow_control(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    const uint64_t begins = SCTPA_ROW(INIT) | SCTPA_ROW(INIT_ACK) | SCTPA_ROW(COOKIE_ECHO);
    const uint8_t from = c->from, to = !c->from;
    const bool reaches = sctpa_packet_is_receivable(c), ends = is_end(c);
    const bool is_told = reaches && (ends || sctpa_obligations_is_reflected_abort(c)) &&
                         !may_ignore_end(c, sctpa_obligations_states_of(c, o, to));
    if (ends || c->rows & (begins | SCTPA_ROW(SHUTDOWN_ACK)))
        o->is_told_to_shut_down[from] = false;
    if (c->rows & begins)
        o->closed_by[from] = 0;
    if (c->rows & begins & ~SCTPA_ROW(INIT_ACK))
        o->closed_by[to] = 0;
    if (c->rows & (SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ACK)))
        o->begins_anew[from] = (c->rows & SCTPA_ROW(INIT)) != 0;
    if (reaches && c->rows & SCTPA_ROW(COOKIE_ACK))
        o->begins_anew[to] = false;
    if (ends && o->closed_by[from] == 0)
        o->closed_by[from] = c->index + 1;
    if (is_told && o->closed_by[to] == 0)
        o->closed_by[to] = c->index + 1;
    for (unsigned end = 0; end < 2; end++)
        if (o->closed_by[end] == 0)
            o->told[end] = 0;
    count_told(c, o);
    if (ends || c->rows & begins)
        o->has_cookie_ack[0] = o->has_cookie_ack[1] = false;
    o->has_cookie_ack[to] |= reaches && c->rows & SCTPA_ROW(COOKIE_ACK);
}

static void take_longest(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    for (unsigned i = 0; i < c->n_chunks; i++)
        if (c->chunks[i].sent.tsn)
            o->longest_bytes[c->from] = MAX(o->longest_bytes[c->from], c->chunks[i].sent.tsn->bytes);
}

/* The first parameter of the INIT with a type that no published document has and that asks for a report, up to one that
 * says to stop (RFC 9260 3.2.1); 0 none. */
static uint16_t unknown_param(const sctpa_context_t *c)
{
    enum { GO_ON = 0x8000, REPORT = 0x4000 };
    const sctpa_observed_t *init = sctpa_packet_find_processed(c, SCTPA_CHUNK_ROW_INIT);
    const sctpa_param_list_t *list = init ? sctpa_context_params_of(c, init) : NULL;
    for (uint32_t i = 0; list && list->sound && i < list->n; i++)
        if (!list->params[i].row && (list->params[i].type & REPORT || !(list->params[i].type & GO_ON)))
            return list->params[i].type & REPORT ? list->params[i].type : 0;
    return 0;
}

static void take_init(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    o->param_packet[!c->from] = c->index + 1;
    o->param[!c->from] = sctpa_packet_may_be_init(c) ? unknown_param(c) : 0;
}

/* DATA behind an unknown chunk whose type says to stop. */
static void take_unread(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    const uint8_t to = !c->from;
    const unsigned n = sctpa_packet_processed(c);
    bool is_unknown = n < c->n_chunks && c->chunks[n].row == SCTPA_CHUNK_ROW_OTHER;
    if (c->first_data && sctpa_packet_find_processed(c, (unsigned)c->first_data->row))
        o->unread_packet[to] = 0;
    else if (c->first_data && is_unknown && c->first_data->sent.tsn) {
        o->unread_packet[to] = c->index + 1;
        o->unread_tsn[to] = sctpa_tlv_u32(&c->first_data->tlv, SCTPA_F_DATA_TSN);
    }
}

/* All requests of a RE-CONFIG are answered in one; one at a time (RFC 6525 5.1.1). */
static void take_reconfig(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_param_list_t *list = sctpa_context_params_of(c, &c->chunks[i]);
        for (uint32_t n = 0; c->chunks[i].row == SCTPA_CHUNK_ROW_RE_CONFIG && n < list->n; n++) {
            const bool is_response = list->params[n].type == SCTPA_PARAM_RECONFIG_RESPONSE;
            o->is_reconfiguring[is_response ? !c->from : c->from] = !is_response;
        }
    }
}

void sctpa_obligations_follow(const sctpa_context_t *c, sctpa_obligations_t *o)
{
    o->has_sent[c->from] = true;
    if (c->rows & SCTPA_DATA_ROWS) {
        take_unread(c, o);
        take_longest(c, o);
    }
    if (c->rows & SCTPA_ROW(INIT))
        take_init(c, o);
    if (c->rows & SCTPA_ROW(RE_CONFIG))
        take_reconfig(c, o);
    if (c->facts & SCTPA_FACT_CONTROL)
        follow_control(c, o);
    follow_aborts(c, o);
    follow_errors(c, o);
}

uint32_t sctpa_obligations_ended_by_peer(const sctpa_context_t *c)
{
    const sctpa_obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    const uint32_t closed_by = o ? o->closed_by[c->from] : 0;
    const bool is_by_peer = closed_by > 0 && sctpa_context_record(c, closed_by - 1)->from != c->from;
    return is_by_peer ? closed_by - 1 : SCTPA_NO_PACKET_INDEX;
}

unsigned sctpa_obligations_told(const sctpa_context_t *c)
{
    const sctpa_obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    const unsigned told = o && sctpa_obligations_ended_by_peer(c) != SCTPA_NO_PACKET_INDEX ? o->told[c->from] : 0;
    const bool is_fresh =
        told > 0 && sctpa_context_least_since_ns(c, o->told_packet[c->from]) <= SCTPA_OWED_MS * SCTPA_NS_PER_MS;
    return told > 0 && sctpa_obligations_is_at(c, c->from) ? told - (is_fresh ? 1u : 0u) : 0;
}

bool sctpa_obligations_unknown_param(const sctpa_context_t *c, uint16_t *type, uint32_t *packet)
{
    const sctpa_obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    if (!o || o->param[c->from] == 0)
        return false;
    *type = o->param[c->from];
    *packet = o->param_packet[c->from] - 1;
    return true;
}

uint32_t sctpa_obligations_aborted(const sctpa_context_t *c)
{
    const sctpa_obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    const bool is_answer = o && o->aborted[c->from] > 0 && o->aborts_asked[c->from] == 0 &&
                           c->tracked->rare->twice_at_once == 0; /* each of two may be answered */
    return is_answer ? o->aborted[c->from] - 1 : SCTPA_NO_PACKET_INDEX;
}

bool sctpa_obligations_unread(const sctpa_context_t *c, uint32_t *tsn, uint32_t *packet)
{
    const sctpa_obligations_t *o = sctpa_context_find_part(c, SCTPA_PART_OBLIGATIONS);
    if (!o || o->unread_packet[c->from] == 0 || !c->first_sack)
        return false;
    *tsn = o->unread_tsn[c->from];
    *packet = o->unread_packet[c->from] - 1;
    return sctpa_serial_distance(*tsn, c->sack.cum_tsn) >= 0;
}

void sctpa_obligations_count_restart(const sctpa_context_t *c, sctpa_obligations_t *left)
{
    const bool is_init = sctpa_packet_is_sound_init(c), is_cookie = !is_init && sctpa_packet_holds_sound_cookie(c);
    const uint8_t what = is_init ? SCTPA_OWED_INIT : SCTPA_OWED_COOKIE_ECHO;
    if (!is_init && !is_cookie) {
        left->restart.n = 0;
        return;
    }
    const bool begins = left->restart.n == 0 || left->restart.what != what;
    if (begins)
        left->restart.first_packet = c->index;
    else if (sctpa_context_least_since_ns(c, left->restart.last_packet) <= SCTPA_OWED_MS * SCTPA_NS_PER_MS)
        return;
    left->restart.n = begins ? 1 : left->restart.n + (left->restart.n < UINT8_MAX);
    left->restart.last_packet = c->index;
    left->restart.what = what;
    left->restart.debtor = !c->tracked->rare->replaces_end;
}

void sctpa_obligations_refuse_restart(const sctpa_context_t *c, uint32_t number, unsigned endpoint)
{
    const sctpa_reference_t *reference = sctpa_reference_at(c->store, number);
    sctpa_obligations_t *o = reference ? sctpa_reference_part(reference, SCTPA_PART_OBLIGATIONS) : NULL;
    if (!o)
        return;
    o->refusal.packet = c->index + 1;
    o->refusal.debtor = (uint8_t)endpoint;
}

bool sctpa_obligations_has_refused(const sctpa_context_t *c, const sctpa_obligations_t *o)
{
    return o->refusal.packet > 0 && c->from == o->refusal.debtor && !c->is_stray && !(c->rows & SCTPA_ROW(ABORT)) &&
           sctpa_obligations_is_at(c, c->from) &&
           sctpa_context_least_since_ns(c, o->refusal.packet - 1) > SCTPA_HOST_TAKES_MS * SCTPA_NS_PER_MS;
}
