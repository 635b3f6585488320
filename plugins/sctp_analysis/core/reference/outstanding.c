/* Keeps up to which TSN data passed again or late. */
#include "outstanding.h"

typedef struct {
    int64_t end[2]; /* by endpoint: behind the highest TSN that was retransmitted or passed after a higher one */
} outstanding_t;

void sctpa_outstanding_take(const sctpa_context_t *c)
{
    if (!(c->rows & SCTPA_DATA_ROWS) || !c->sent || c->sent->sacks.len == 0)
        return;
    for (unsigned i = 0; i < c->n_chunks; i++) {
        const sctpa_observed_t *data = &c->chunks[i];
        const sctpa_tsn_t *tsn = data->sent.tsn;
        if (!tsn || (sctpa_observed_is_new(data) && !(tsn->state & SCTPA_TSN_BEHIND)))
            continue;
        outstanding_t *outstanding = sctpa_context_part(c, SCTPA_PART_OUTSTANDING, sizeof *outstanding);
        outstanding->end[c->from] = MAX(outstanding->end[c->from], data->sent.number + 1);
    }
}

bool sctpa_outstanding_passed_once(const sctpa_context_t *c)
{
    const outstanding_t *outstanding = sctpa_context_find_part(c, SCTPA_PART_OUTSTANDING);
    return !outstanding || c->sent->cum_tsn + 1 >= outstanding->end[c->from];
}
