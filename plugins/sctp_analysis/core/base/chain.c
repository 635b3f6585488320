/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chains of records: linking and searching. */
#include "chain.h"

static const uint8_t *record_of(sctpa_chain_t chain, uint32_t at)
{
    return chain.records->data + (at - 1) * chain.bytes;
}

static const sctpa_link_t *link_of(sctpa_chain_t chain, uint32_t at)
{
    return (const sctpa_link_t *)(const void *)(record_of(chain, at) + chain.link_at);
}

static uint32_t number_of(sctpa_chain_t chain, uint32_t at)
{
    return at ? link_of(chain, at)->number : 0;
}

/* Two jumps of the same length in a row become one, as in counting by skew binary numbers. */
sctpa_link_t sctpa_chain_link(sctpa_chain_t chain, uint32_t newest)
{
    if (newest == 0)
        return (sctpa_link_t){ 0, 0, 1 };
    const sctpa_link_t *before = link_of(chain, newest);
    uint32_t skip = before->skip, further = skip ? link_of(chain, skip)->skip : 0;
    uint32_t first_jump = before->number - number_of(chain, skip),
             second_jump = number_of(chain, skip) - number_of(chain, further);
    return (sctpa_link_t){ newest, skip && first_jump == second_jump ? further : newest, before->number + 1 };
}

static uint32_t key_of(sctpa_chain_t chain, uint32_t at)
{
    return *(const uint32_t *)(const void *)record_of(chain, at);
}

uint32_t sctpa_chain_find(sctpa_chain_t chain, uint32_t newest, uint32_t key)
{
    uint32_t at = newest;
    while (at != 0 && key_of(chain, at) > key) {
        const sctpa_link_t *link = link_of(chain, at);
        at = link->skip && key_of(chain, link->skip) > key ? link->skip : link->before;
    }
    return at;
}
