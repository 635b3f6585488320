/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches the associations of the server that one asked in vain. */
#include "answered_meanwhile.h"

static bool has_addr(const sctpa_end_t *end, const sctpa_addr_t *addr)
{
    for (unsigned i = 0; addr && i < end->n_addrs; i++)
        if (sctpa_addr_equal(&end->addrs[i].addr, addr))
            return true;
    return false;
}

/* Was its INIT answered by the server between the two times? */
static bool is_answered(const sctpa_assoc_t *other, const sctpa_end_t *server, int64_t first_ns, int64_t last_ns)
{
    const sctpa_setup_t *setup = &other->setup;
    const sctpa_end_t *answering = &other->ends[setup->steps[SCTPA_STEP_INIT_ACK].by];
    return setup->steps[SCTPA_STEP_INIT].count > 0 && setup->steps[SCTPA_STEP_INIT_ACK].count > 0 &&
           setup->steps[SCTPA_STEP_INIT_ACK].by != setup->steps[SCTPA_STEP_INIT].by &&
           setup->steps[SCTPA_STEP_INIT_ACK].first_ns > first_ns &&
           setup->steps[SCTPA_STEP_INIT_ACK].first_ns < last_ns && answering->port == server->port &&
           has_addr(answering, sctpa_end_first_addr(server));
}

void sctpa_answered_meanwhile_append(GString *text, const sctpa_view_t *view, sctpa_labels_t *labels,
                                     const sctpa_assoc_t *assoc, int64_t first_ns, int64_t last_ns)
{
    const uint8_t initiator = assoc->setup.steps[SCTPA_STEP_INIT].by;
    const sctpa_end_t *client = &assoc->ends[initiator], *server = &assoc->ends[!initiator];
    const sctpa_assoc_t *found = NULL;
    bool is_same_host = false;
    for (uint32_t number = 0; number < sctpa_assoc_count(view->sctpa) && !is_same_host; number++) {
        const sctpa_assoc_t *other = sctpa_assoc(view->sctpa, number);
        if (other->number != number || other->merged_into != SCTPA_NO_ASSOC || number == assoc->number ||
            !is_answered(other, server, first_ns, last_ns))
            continue;
        is_same_host = has_addr(&other->ends[other->setup.steps[SCTPA_STEP_INIT].by], sctpa_end_first_addr(client));
        found = found && !is_same_host ? found : other;
    }
    if (!found)
        return;
    const sctpa_end_t *answered = &found->ends[found->setup.steps[SCTPA_STEP_INIT].by];
    g_string_append(text, "; meanwhile it answered an INIT ");
    if (is_same_host)
        g_string_append_printf(text, "from port %u of the same host", answered->port);
    else {
        g_string_append(text, "of ");
        sctpa_labels_end(labels, answered, text);
    }
    g_string_append_printf(text, " (#%u, frame %u)", found->number,
                           found->setup.steps[SCTPA_STEP_INIT_ACK].first_frame);
}
