/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The timers of requests, by the packets that start and stop them. */
#include "request_timers.h"

#include "wire/types.h"
#include "forward_tsns.h"
#include "owed_chunks.h"
#include "receiver.h"

static const uint64_t ends = SCTPA_ROW(ABORT) | SCTPA_ROW(SHUTDOWN_COMPLETE);
/* Chunks of a peer that begins anew, or whose association is ending: what waits for it is over. */
static const uint64_t turns = SCTPA_ROW(INIT) | SCTPA_ROW(COOKIE_ECHO) | SCTPA_ROW(ERROR) | SCTPA_ROW(SHUTDOWN_ACK);

/* What stops each, beside these. Data of the peer restarts T2-shutdown (RFC 9260 9.2). */
static const uint64_t stops[SCTPA_REQUEST_TIMERS] = {
    [SCTPA_OWED_T1_INIT - SCTPA_OWED_T1_INIT] = SCTPA_ROW(INIT_ACK),
    [SCTPA_OWED_T1_COOKIE - SCTPA_OWED_T1_INIT] = SCTPA_ROW(COOKIE_ACK),
    [SCTPA_OWED_T2_SHUTDOWN - SCTPA_OWED_T1_INIT] = SCTPA_ROW(SHUTDOWN) | SCTPA_DATA_ROWS,
    [SCTPA_OWED_T4_ASCONF - SCTPA_OWED_T1_INIT] = SCTPA_ROW(ASCONF_ACK) | SCTPA_ROW(SHUTDOWN),
    [SCTPA_OWED_RE_CONFIG_TIMER - SCTPA_OWED_T1_INIT] = SCTPA_ROW(RE_CONFIG),
};

/* A FORWARD-TSN beyond what is acknowledged, from an endpoint that is followed. */
static bool is_waiting_forward_tsn(const sctpa_context_t *c, uint32_t new_cum)
{
    return c->sent && c->sent->announced && c->sent->has_cum && !c->sent->restarted &&
           sctpa_direction_unwrap(c->sent, new_cum) > c->sent->cum_tsn;
}

/* Data of an endpoint that gave nothing up so far, not behind a COOKIE ECHO, which may be repeated without it. */
static bool is_kept_data(const sctpa_context_t *c, const sctpa_observed_t *chunk)
{
    return chunk->sent.tsn && c->sent && !(c->rows & SCTPA_ROW(COOKIE_ECHO)) && c->sent->announced &&
           !c->sent->restarted && c->sent->rare->abandoned_to < 0;
}

sctpa_obligation_t sctpa_request_timer_of(const sctpa_context_t *c, const sctpa_observed_t *chunk, uint64_t *key)
{
    const sctpa_param_list_t *params;
    *key = 0;
    switch (chunk->row) {
    case SCTPA_CHUNK_ROW_INIT: *key = sctpa_tlv_u32(&chunk->tlv, SCTPA_F_INIT_TAG); return SCTPA_OWED_T1_INIT;
    case SCTPA_CHUNK_ROW_COOKIE_ECHO: *key = sctpa_context_vtag(c); return SCTPA_OWED_T1_COOKIE;
    case SCTPA_CHUNK_ROW_SHUTDOWN: return SCTPA_OWED_T2_SHUTDOWN;
    case SCTPA_CHUNK_ROW_SHUTDOWN_ACK: return SCTPA_OWED_T2_SHUTDOWN_ACK;
    case SCTPA_CHUNK_ROW_ASCONF: *key = sctpa_tlv_u32(&chunk->tlv, SCTPA_F_ASCONF_SERIAL); return SCTPA_OWED_T4_ASCONF;
    case SCTPA_CHUNK_ROW_RE_CONFIG:
        params = sctpa_context_params_of(c, chunk);
        if (params->n == 0 || params->params[0].type == SCTPA_PARAM_RECONFIG_RESPONSE ||
            params->params[0].captured_bytes < 2 * SCTPA_TLV_HEADER_BYTES)
            return SCTPA_OBLIGATIONS;
        *key = sctpa_be32(params->params[0].bytes + SCTPA_TLV_HEADER_BYTES);
        return SCTPA_OWED_RE_CONFIG_TIMER;
    case SCTPA_CHUNK_ROW_FORWARD_TSN:
    case SCTPA_CHUNK_ROW_I_FORWARD_TSN:
        *key = sctpa_forward_tsn_new_cum(&chunk->tlv);
        return is_waiting_forward_tsn(c, (uint32_t)*key) ? SCTPA_OWED_T3_FORWARD_TSN : SCTPA_OBLIGATIONS;
    case SCTPA_CHUNK_ROW_DATA:
    case SCTPA_CHUNK_ROW_I_DATA: return is_kept_data(c, chunk) ? SCTPA_OWED_T3_DATA : SCTPA_OBLIGATIONS;
    default: return SCTPA_OBLIGATIONS;
    }
}

bool sctpa_request_timer_is_stopped(const sctpa_context_t *c, unsigned what, uint64_t key, uint8_t endpoint)
{
    if (c->is_stray)
        return false;
    if (c->from != endpoint)
        return c->rows & (ends | turns | stops[what - SCTPA_OWED_T1_INIT]) ||
               (what == SCTPA_OWED_T3_FORWARD_TSN && c->rows & (SCTPA_SACK_ROWS | SCTPA_ROW(SHUTDOWN)) &&
                sctpa_packet_covers(c, (uint32_t)key)) ||
               (what == SCTPA_OWED_T3_DATA && (!c->acked || c->acked->cum_tsn >= c->acked->highest));
    const uint64_t turns_itself = SCTPA_ROW(INIT_ACK) | (what == SCTPA_OWED_T1_INIT ? 0 : SCTPA_ROW(INIT)) |
                                  (what == SCTPA_OWED_RE_CONFIG_TIMER ? SCTPA_ROW(SHUTDOWN_ACK) : 0);
    const sctpa_tlv_t *abort = sctpa_context_chunk(c, SCTPA_CHUNK_ROW_ABORT);
    return c->rows & (SCTPA_ROW(SHUTDOWN_COMPLETE) | turns_itself) || (abort && sctpa_tlv_u32(abort, SCTPA_F_ABORT_T));
}

/* Is nothing known to have doubled the RTO of the packet's path: a timeout of data, a HEARTBEAT without answer? */
static bool is_rto_fresh(const sctpa_context_t *c)
{
    const sctpa_end_t *own = &c->assoc->ends[c->from];
    const sctpa_probing_t *probing = c->path < own->n_paths ? own->paths[c->path].probing : NULL;
    return probing && probing->heartbeats == probing->heartbeats_acked && (!c->sent || c->sent->rare->rtx.len == 0);
}

int64_t sctpa_request_timer_patience_ns(const sctpa_context_t *c, sctpa_obligation_t what, uint32_t n,
                                        uint32_t *rests_on)
{
    const sctpa_tap_t *tap = &c->reference->tap;
    const int64_t initial_ns = sctpa_tap_parameter(tap, c->from, SCTPA_PARAMETER_RTO_INITIAL, 0),
                  least_ns = sctpa_tap_parameter(tap, c->from, SCTPA_PARAMETER_RTO_MIN, 0),
                  most_ns = sctpa_tap_parameter(tap, c->from, SCTPA_PARAMETER_RTO_MAX, SCTPA_RTO_MAX_NS),
                  tap_rtt_ns = MAX(sctpa_context_tap_rtt_most_ns(c, !c->from), 0);
    int64_t rto_ns = most_ns;
    *rests_on =
        sctpa_tap_asserted_values(tap, c->from)->given >> SCTPA_PARAMETER_RTO_MAX & 1 ? SCTPA_ASSERTED(RTO_MAX) : 0;
    const bool is_set_up_here = c->assoc->ends[0].init.seen && c->assoc->ends[1].init.seen;
    const bool is_known =
        n > 0 && is_set_up_here && what != SCTPA_OWED_T1_INIT && what < SCTPA_OWED_T3_FORWARD_TSN && is_rto_fresh(c);
    if (initial_ns > 0 && is_known) {
        const int64_t measured_ns = c->sent ? sctpa_context_rto_ns(c->sent, c->path, c->index) : 0;
        rto_ns = MAX(MAX(initial_ns, least_ns), MAX(measured_ns, 3 * tap_rtt_ns));
        for (uint32_t i = 1; i < n && rto_ns < most_ns; i++)
            rto_ns *= 2;
        *rests_on |= SCTPA_ASSERTED(RTO_INITIAL);
    }
    return sctpa_timer_late_ns(MIN(rto_ns, most_ns));
}

bool sctpa_request_timer_may_go_elsewhere(const sctpa_context_t *c, sctpa_obligation_t what)
{
    const sctpa_end_t *ends_of = c->assoc->ends;
    return what == SCTPA_OWED_T1_INIT || ends_of[!c->from].n_addrs > 1 || ends_of[c->from].n_paths > 1;
}

uint32_t sctpa_request_timer_limit(const sctpa_context_t *c, sctpa_obligation_t what)
{
    const bool is_setup = what == SCTPA_OWED_T1_INIT || what == SCTPA_OWED_T1_COOKIE;
    const sctpa_parameter_t parameter =
        is_setup ? SCTPA_PARAMETER_MAX_INIT_RETRANSMITS : SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS;
    return (uint32_t)sctpa_tap_parameter(&c->reference->tap, c->from, parameter, 1);
}
