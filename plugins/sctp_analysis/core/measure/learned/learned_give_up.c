/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often an endpoint tried before it gave up its peer: Association.Max.Retrans (RFC 9260 8.1), Max.Init.Retransmits
 * (5.1). */
#include "learned_parts.h"
#include "measure/endings/last_errors.h"
#include "wire/types.h"

enum { ERRORS_LEAST = 2 }; /* as for the reason of an ABORT: with the last one three */

/* Did the endpoint itself abort, and not its application? A T bit is of a host without the association. */
static bool has_aborted(const sctpa_learning_t *learning)
{
    const sctpa_assoc_t *assoc = learning->assoc;
    return assoc->known.end == SCTPA_ASSOC_ABORT && assoc->known.end_by == learning->end && !assoc->end_reflected &&
           assoc->end_cause != SCTPA_CAUSE_USER_ABORT;
}

/* Of the errors before the last one, which is the ABORT's: value as they are counted most likely. */
static sctpa_learned_value_t counted(const sctpa_last_errors_t *errors, sctpa_expiries_t expiries)
{
    const bool by_timer = errors->timeouts > 0;
    const uint32_t last_heartbeat = by_timer ? 0 : 1;
    const uint32_t surely = errors->timeouts + (by_timer ? expiries.least - 1 : 0),
                   at_most = errors->timeouts + errors->unknown + (by_timer ? expiries.most - 1 : 0);
    const uint32_t heartbeats = by_timer ? errors->heartbeats_due : errors->heartbeats - last_heartbeat;
    return (sctpa_learned_value_t){ .samples = errors->timeouts + errors->heartbeats,
                                    .has_high = true,
                                    .value = surely + errors->unknown + heartbeats,
                                    .low = by_timer ? surely : heartbeats,
                                    .high = at_most + errors->heartbeats - last_heartbeat };
}

void sctpa_learn_association_retrans(sctpa_learning_t *learning)
{
    const sctpa_source_t *source = learning->source;
    const uint32_t packet = sctpa_abort_packet(source, learning->assoc);
    if (!has_aborted(learning) || packet == SCTPA_NO_PACKET_INDEX || !sctpa_is_near_sender(source, 0))
        return;
    const sctpa_last_errors_t errors = sctpa_last_errors(source, false), of_data = sctpa_last_errors(source, true);
    sctpa_expiries_t expiries = { 0, 0 };
    if (!errors.knows_heartbeats || errors.timeouts + errors.heartbeats < ERRORS_LEAST)
        return;
    if (errors.timeouts > 0)
        expiries = sctpa_expiries_of(
            &errors, sctpa_source_time_ns(source, packet) - sctpa_source_time_ns(source, errors.timeout_packet),
            SCTPA_RTO_MAX_NS);
    if (errors.timeouts > 0 && expiries.most == 0)
        return;
    sctpa_learned_value_t value = counted(&errors, expiries);
    value.high = MAX(value.high, (int64_t)of_data.timeouts + of_data.unknown + of_data.heartbeats);
    value.packet = packet;
    learning->learned->values[SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS] = value;
}

/* An INIT that passes unseen makes the count too low, never too high. */
void sctpa_learn_init_retransmits(sctpa_learning_t *learning)
{
    const sctpa_assoc_t *assoc = learning->assoc;
    const sctpa_setup_t *setup = &assoc->setup;
    const uint32_t inits = setup->steps[SCTPA_STEP_INIT].count;
    if (inits < 2 || setup->steps[SCTPA_STEP_INIT].by != learning->end || setup->steps[SCTPA_STEP_INIT_ACK].count > 0 ||
        setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0 || assoc->collision || assoc->known.end == SCTPA_ASSOC_REFUSED)
        return;
    const uint32_t packet = sctpa_abort_packet(learning->source, assoc);
    const int64_t mean_wait_ns = (setup->last_init_ns - setup->steps[SCTPA_STEP_INIT].first_ns) / (inits - 1);
    const bool has_ended = has_aborted(learning) && packet != SCTPA_NO_PACKET_INDEX &&
                           sctpa_source_time_ns(learning->source, packet) - setup->last_init_ns >= mean_wait_ns;
    learning->learned->values[SCTPA_PARAMETER_MAX_INIT_RETRANSMITS] = (sctpa_learned_value_t){
        .samples = inits - 1,
        .has_high = has_ended,
        .value = inits - 1,
        .low = inits - 1,
        .high = inits - 1,
        .packet = has_ended ? packet : sctpa_frame_packet(learning->source, setup->steps[SCTPA_STEP_INIT].first_frame)
    };
}
