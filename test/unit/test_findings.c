/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What reported violations make: one finding for all repeats, whose texts are made once. */
#include <glib.h>

#include "findings/engine.h"

typedef struct {
    sctpa_judging_t j;
    sctpa_judged_t judged;
    sctpa_packet_t packet;
    unsigned texts; /* made so far */
} fixture_t;

static const char *text(fixture_t *f)
{
    f->texts++;
    return "words";
}

static void setup(fixture_t *f, gconstpointer unused)
{
    (void)unused;
    f->j.model = sctpa_model_new(7, SCTPA_PROFILE_BOTH);
    f->j.judged = &f->judged;
    f->j.context.store = &f->j.model->store;
    f->j.context.packet = &f->packet;
}

static void teardown(fixture_t *f, gconstpointer unused)
{
    (void)unused;
    sctpa_model_free(f->j.model);
}

static void report(fixture_t *f, sctpa_rule_t rule, uint8_t accused, uint16_t path, uint32_t related)
{
    sctpa_violation_t violation = { .c = &f->j.context,
                                    .rule = rule,
                                    .accused = accused,
                                    .path = path,
                                    .related = related,
                                    .is_new = sctpa_finding_is_new };
    sctpa_violation_say(&violation, text(f), text(f));
    sctpa_violation_report(&violation);
}

static void texts_are_made_for_a_new_finding_only(fixture_t *f, gconstpointer unused)
{
    (void)unused;
    for (f->j.context.index = 0; f->j.context.index < 40; f->j.context.index++)
        report(f, SCTPA_RULE_FMT_001, 1, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX);
    g_assert_cmpuint(f->texts, ==, 2);
    report(f, SCTPA_RULE_FMT_001, 0, 3, 7);
    g_assert_cmpuint(f->texts, ==, 4);

    const sctpa_finding_t *first = f->judged.findings, *second = first->next;
    g_assert_cmpuint(first->count, ==, 40);
    g_assert_cmpuint(first->n_packets, ==, SCTPA_FINDING_PACKETS);
    g_assert_cmpstr(first->expected, ==, "words");
    g_assert_cmpstr(first->seen, ==, "words");
    g_assert_true(second->accused == 0 && second->path == 3 && second->packets[0] == 7 && second->next == NULL);
}

static void a_packet_is_marked_once(fixture_t *f, gconstpointer unused)
{
    unsigned n;
    (void)unused;
    for (unsigned i = 0; i < 3; i++) {
        report(f, SCTPA_RULE_FMT_001, 1, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX);
        report(f, SCTPA_RULE_FMT_002, 1, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX);
    }
    sctpa_model_marks(f->j.model, 0, &n);
    g_assert_cmpuint(n, ==, 2);
    g_assert_cmpuint(f->judged.findings->count, ==, 3);
}

static void rare_violations_are_counted_until_they_are_reported(fixture_t *f, gconstpointer unused)
{
    (void)unused;
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_001, 0), ==, 1);
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_001, 0), ==, 2);
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_001, 1), ==, 1);
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_002, 0), ==, 1);
    sctpa_unreported_forget(&f->j, SCTPA_RULE_FMT_001, 0);
    sctpa_unreported_forget(&f->j, SCTPA_RULE_FMT_002, 1);
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_001, 0), ==, 1);
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_001, 1), ==, 2);
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_002, 0), ==, 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/report/texts", fixture_t, NULL, setup, texts_are_made_for_a_new_finding_only, teardown);
    g_test_add("/report/marks", fixture_t, NULL, setup, a_packet_is_marked_once, teardown);
    g_test_add("/violations/unreported", fixture_t, NULL, setup, rare_violations_are_counted_until_they_are_reported,
               teardown);
    return g_test_run();
}
