/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chains of records: what is found is what a walk finds, and it is found in few steps however long the chain. */
#include <glib.h>

#include "base/records.h"

typedef struct {
    uint32_t key;
    uint16_t chain;
    sctpa_link_t link;
} record_t;

enum { CHAINS = 3, RECORDS = 20000 };

typedef struct {
    sctpa_arena_t arena;
    sctpa_records_t records;
    uint32_t newest[CHAINS];
} fixture_t;

static void add(fixture_t *f, uint32_t key, uint16_t chain)
{
    record_t record = { .key = key, .chain = chain };
    record.link = sctpa_chain_link(SCTPA_CHAIN(&f->records, record_t, link), f->newest[chain]);
    sctpa_records_append(&f->records, &f->arena, &record, sizeof record);
    f->newest[chain] = f->records.len;
}

/* Chain 0 has most records, chain 1 some, chain 2 none but the first; keys repeat. */
static void fill(fixture_t *f)
{
    *f = (fixture_t){ .newest = { 0 } };
    sctpa_arena_init(&f->arena);
    add(f, 5, 2);
    for (uint32_t i = 1; i < RECORDS; i++)
        add(f, 5 + i / 2, (uint16_t)(i % 97 == 0));
}

static void clear(fixture_t *f)
{
    sctpa_records_clear(&f->records, &f->arena, sizeof(record_t));
    sctpa_arena_clear(&f->arena);
}

/* By a walk over all records. */
static uint32_t expected(const fixture_t *f, uint16_t chain, uint32_t key)
{
    for (uint32_t at = f->records.len; at > 0; at--) {
        const record_t *record = &SCTPA_RECORD(&f->records, record_t, at - 1);
        if (record->chain == chain && record->key <= key)
            return at;
    }
    return 0;
}

static void finds_the_newest_up_to_a_key(void)
{
    fixture_t f;
    fill(&f);
    for (uint16_t chain = 0; chain < CHAINS; chain++)
        for (uint32_t key = 0; key < 5 + RECORDS / 2 + 3; key += 1 + key / 37)
            g_assert_cmpuint(sctpa_chain_find(SCTPA_CHAIN(&f.records, record_t, link), f.newest[chain], key), ==,
                             expected(&f, chain, key));
    g_assert_cmpuint(sctpa_chain_find(SCTPA_CHAIN(&f.records, record_t, link), 0, 7), ==, 0);
    clear(&f);
}

static void numbers_and_links_follow_the_chain(void)
{
    fixture_t f;
    fill(&f);
    uint32_t before[CHAINS] = { 0 }, number[CHAINS] = { 0 };
    for (uint32_t at = 1; at <= f.records.len; at++) {
        const record_t *record = &SCTPA_RECORD(&f.records, record_t, at - 1);
        g_assert_cmpuint(record->link.before, ==, before[record->chain]);
        g_assert_cmpuint(record->link.number, ==, ++number[record->chain]);
        before[record->chain] = at;
    }
    clear(&f);
}

/* The steps by which the record of a number is reached: further back while that does not pass it. */
static unsigned steps_to(const fixture_t *f, uint32_t number)
{
    unsigned steps = 0;
    for (uint32_t at = f->newest[0]; SCTPA_RECORD(&f->records, record_t, at - 1).link.number > number; steps++) {
        const sctpa_link_t *link = &SCTPA_RECORD(&f->records, record_t, at - 1).link;
        bool may_skip = link->skip && SCTPA_RECORD(&f->records, record_t, link->skip - 1).link.number >= number;
        at = may_skip ? link->skip : link->before;
    }
    return steps;
}

static void the_past_is_few_steps_away(void)
{
    const unsigned most = 3 * (32 - (unsigned)__builtin_clz(RECORDS));
    fixture_t f;
    fill(&f);
    for (uint32_t number = 1; number < RECORDS / 2; number++)
        g_assert_cmpuint(steps_to(&f, number), <=, most);
    clear(&f);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chain/find", finds_the_newest_up_to_a_key);
    g_test_add_func("/chain/links", numbers_and_links_follow_the_chain);
    g_test_add_func("/chain/steps", the_past_is_few_steps_away);
    return g_test_run();
}
