/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of occasions: what was counted is summed up by rule and need, joining adds, memory is bounded. */
#include <glib.h>

#include "model/occasions.h"

static const sctpa_rule_t LAST = SCTPA_RULES - 1;

typedef struct {
    sctpa_occasion_kinds_t kinds;
    sctpa_arena_t arena;
    sctpa_rule_occasions_t sums[SCTPA_RULES];
} fixture_t;

static void begin(fixture_t *f, const void *unused)
{
    (void)unused;
    sctpa_occasion_kinds_init(&f->kinds);
    sctpa_arena_init(&f->arena);
}

static void end(fixture_t *f, const void *unused)
{
    (void)unused;
    g_assert_cmpuint(f->arena.in_use_bytes, ==, 0);
    sctpa_occasion_kinds_clear(&f->kinds);
    sctpa_arena_clear(&f->arena);
}

static const sctpa_rule_occasions_t *sum(fixture_t *f, const sctpa_occasions_t *occasions, uint8_t endpoint)
{
    sctpa_rule_bits_t all;
    memset(&all, 0xff, sizeof all);
    memset(f->sums, 0, sizeof f->sums);
    sctpa_occasions_sum(&f->kinds, occasions, endpoint, &all, f->sums);
    return f->sums;
}

/* Rules with these bits, and the last one, had an occasion at endpoint 0. */
static sctpa_occasion_kind_t judged(uint64_t bits)
{
    sctpa_occasion_kind_t kind = { .judged = { { { bits } } } };
    sctpa_rule_bits_put(&kind.judged[0], LAST);
    return kind;
}

static sctpa_rule_t rule_that_needs(uint32_t needs)
{
    unsigned rule = 0;
    while ((sctpa_rule_info((sctpa_rule_t)rule)->needs & needs) != needs)
        rule++;
    return (sctpa_rule_t)rule;
}

static void packets_are_counted_by_rule(fixture_t *f, const void *unused)
{
    const sctpa_occasion_kind_t kinds[] = { judged(1), judged(2), judged(3), judged(4), judged(5), judged(6) };
    sctpa_occasions_t occasions = { .n = 0 };
    (void)unused;
    for (unsigned i = 0; i < 600; i++)
        sctpa_occasions_add(&f->kinds, &f->arena, &occasions, &kinds[i % 6], 1);
    g_assert_cmpuint(sum(f, &occasions, 0)[LAST].judged, ==, 600);
    for (unsigned rule = 0; rule < 3; rule++)
        g_assert_cmpuint(f->sums[rule].judged, ==, 300);
    g_assert_cmpuint(f->sums[3].judged + f->sums[0].refused, ==, 0);
    g_assert_cmpuint(sum(f, &occasions, 1)[LAST].judged, ==, 0);
    g_assert_cmpuint(f->kinds.kinds.count, ==, 6);
    sctpa_occasions_free(&f->arena, &occasions);
}

static void a_need_counts_where_the_rule_has_it(fixture_t *f, const void *unused)
{
    const sctpa_rule_t near = rule_that_needs(SCTPA_NEED_NEAR), whole = rule_that_needs(SCTPA_NEED_CHECKSUM_GOOD);
    sctpa_occasion_kind_t kind = { .lacked = { 0, SCTPA_NEED_NEAR | SCTPA_NEED_CHECKSUM_GOOD } };
    sctpa_occasions_t occasions = { .n = 0 };
    (void)unused;
    sctpa_rule_bits_put(&kind.refused[1], near);
    sctpa_rule_bits_put(&kind.refused[1], whole);
    sctpa_occasions_add(&f->kinds, &f->arena, &occasions, &kind, 7);
    sum(f, &occasions, 1);
    for (unsigned bit = 0; bit < SCTPA_NEEDS; bit++) {
        g_assert_cmpuint(f->sums[near].lacked[bit], ==,
                         kind.lacked[1] & sctpa_rule_info(near)->needs & 1u << bit ? 7 : 0);
        g_assert_cmpuint(f->sums[whole].lacked[bit], ==,
                         kind.lacked[1] & sctpa_rule_info(whole)->needs & 1u << bit ? 7 : 0);
    }
    g_assert_cmpuint(f->sums[near].refused, ==, 7);
    sctpa_occasions_free(&f->arena, &occasions);
}

static void joining_swaps_endpoints_and_leaves_nothing(fixture_t *f, const void *unused)
{
    const sctpa_occasion_kind_t kind = judged(1);
    sctpa_occasions_t into = { .n = 0 }, from = { .n = 0 };
    (void)unused;
    sctpa_occasions_add(&f->kinds, &f->arena, &into, &kind, 2);
    sctpa_occasions_add(&f->kinds, &f->arena, &from, &kind, 3);
    sctpa_occasions_join(&f->kinds, &f->arena, &into, &from, true);
    sctpa_occasions_join(&f->kinds, &f->arena, &into, &from, true);
    g_assert_cmpuint(sum(f, &into, 0)[0].judged, ==, 2);
    g_assert_cmpuint(sum(f, &into, 1)[0].judged, ==, 3);
    g_assert_cmpuint(from.n, ==, 0);
    sctpa_occasions_free(&f->arena, &into);
}

static void an_association_has_a_bounded_number_of_kinds(fixture_t *f, const void *unused)
{
    sctpa_occasions_t occasions = { .n = 0 };
    (void)unused;
    for (uint64_t bits = 0; bits < SCTPA_OCCASION_KINDS_EACH + 9; bits++) {
        const sctpa_occasion_kind_t kind = judged(bits << 1);
        sctpa_occasions_add(&f->kinds, &f->arena, &occasions, &kind, 1);
    }
    g_assert_cmpuint(occasions.n, ==, SCTPA_OCCASION_KINDS_EACH);
    g_assert_cmpuint(occasions.uncounted, ==, 9);
    g_assert_cmpuint(sum(f, &occasions, 0)[LAST].judged, ==, SCTPA_OCCASION_KINDS_EACH);
    sctpa_occasions_free(&f->arena, &occasions);
}

static void all_associations_have_a_bounded_number_of_kinds(fixture_t *f, const void *unused)
{
    uint32_t uncounted = 0;
    (void)unused;
    for (uint64_t bits = 0; bits < SCTPA_OCCASION_KINDS_MAX + 5; bits++) {
        const sctpa_occasion_kind_t kind = judged(bits << 1);
        sctpa_occasions_t occasions = { .n = 0 };
        sctpa_occasions_add(&f->kinds, &f->arena, &occasions, &kind, 1);
        uncounted += occasions.uncounted;
        sctpa_occasions_free(&f->arena, &occasions);
    }
    g_assert_cmpuint(f->kinds.kinds.count, ==, SCTPA_OCCASION_KINDS_MAX);
    g_assert_cmpuint(uncounted, ==, 5);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/occasions/rules", fixture_t, NULL, begin, packets_are_counted_by_rule, end);
    g_test_add("/occasions/needs", fixture_t, NULL, begin, a_need_counts_where_the_rule_has_it, end);
    g_test_add("/occasions/join", fixture_t, NULL, begin, joining_swaps_endpoints_and_leaves_nothing, end);
    g_test_add("/occasions/each", fixture_t, NULL, begin, an_association_has_a_bounded_number_of_kinds, end);
    g_test_add("/occasions/all", fixture_t, NULL, begin, all_associations_have_a_bounded_number_of_kinds, end);
    return g_test_run();
}
