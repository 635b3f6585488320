/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What reported violations make: one finding for all repeats, whose texts are made once. */
#include <glib.h>

#include "model/engine.h"

typedef struct {
    sctpa_judging_t j;
    sctpa_judged_t judged;
    sctpa_tracked_t tracked;
    sctpa_packet_t packet;
    unsigned texts; /* made so far */
} fixture_t;

/* Whatever is missing. */
static const sctpa_occurrence_t once = { .since = SCTPA_NO_PACKET_INDEX };

static const char *text(fixture_t *f)
{
    f->texts++;
    return "words";
}

static void setup(fixture_t *f, gconstpointer unused)
{
    (void)unused;
    f->j.model = sctpa_model_new(&(sctpa_rule_choice_t){ .levels = SCTPA_ALL_LEVELS }, SCTPA_PROFILE_BOTH);
    f->judged.pending = &sctpa_nothing_pending;
    f->j.judged = &f->judged;
    f->j.context.store = &f->j.model->store;
    f->j.context.packet = &f->packet;
    f->j.context.tracked = &f->tracked;
    f->j.context.reference = &f->judged.reference;
    f->tracked.assoc.ends[0].sent_without_data = f->tracked.assoc.ends[1].sent_without_data = true;
    sctpa_tap_begin(&f->judged.reference.tap, &f->j.model->store.asserted);
}

static void teardown(fixture_t *f, gconstpointer unused)
{
    (void)unused;
    sctpa_model_free(f->j.model);
}

static void report(fixture_t *f, sctpa_rule_t rule, uint8_t accused, uint16_t path, uint32_t related)
{
    f->j.context.accused = accused;
    sctpa_violation_t violation = { .c = &f->j.context,
                                    .rule = rule,
                                    .path = path,
                                    .related = related,
                                    .since = related,
                                    .is_new = sctpa_finding_is_new };
    sctpa_violation_say(&violation, text(f), text(f));
    sctpa_violation_report(&violation, false);
}

static sctpa_level_t level_at(fixture_t *f, sctpa_rule_t rule, uint8_t accused, int64_t seconds)
{
    f->packet.time_ns = seconds * 1000000000;
    report(f, rule, accused, 0, SCTPA_NO_PACKET_INDEX);
    const sctpa_finding_t *finding = f->judged.findings;
    while (finding && (finding->rule != rule || finding->accused != accused))
        finding = finding->next;
    g_assert_nonnull(finding);
    return finding->level;
}

/* Adler-32 was right until September 2002. A clock that was never set says nothing. */
static void what_a_later_revision_asks_for_is_a_note(fixture_t *f, gconstpointer unused)
{
    const int64_t in_2001 = 1000000000, in_2003 = 1050000000, in_1970 = 86400;
    (void)unused;
    g_assert_cmpint(level_at(f, SCTPA_RULE_FMT_004, 0, in_2001), ==, SCTPA_LEVEL_HEURISTIC);
    g_assert_cmpint(level_at(f, SCTPA_RULE_FMT_004, 1, in_2003), ==, SCTPA_LEVEL_MUST);
    g_assert_cmpint(level_at(f, SCTPA_RULE_FMT_003, 0, in_2001), ==, SCTPA_LEVEL_MUST);
    f->judged.findings = NULL;
    g_assert_cmpint(level_at(f, SCTPA_RULE_FMT_004, 0, in_1970), ==, SCTPA_LEVEL_MUST);
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

/* What packets that are missing explained once does not keep a later violation from standing. */
static void what_was_excused_leaves_later_violations_standing(fixture_t *f, gconstpointer unused)
{
    (void)unused;
    const sctpa_rule_t rule = SCTPA_RULE_SD_001;
    g_assert_cmpuint(sctpa_rule_info(rule)->report.from, <=, 1);
    f->j.context.accused = 0;
    sctpa_violation_t violation = { .c = &f->j.context, .rule = rule, .path = SCTPA_NO_PATH };
    sctpa_findings_excuse_violation(&violation);
    report(f, rule, 0, SCTPA_NO_PATH, 7);
    g_assert_cmpuint(f->judged.findings->held.n, ==, 1);
}

static void a_packet_is_marked_once(fixture_t *f, gconstpointer unused)
{
    unsigned n;
    (void)unused;
    for (unsigned i = 0; i < 3; i++) {
        report(f, SCTPA_RULE_FMT_001, 1, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX);
        report(f, SCTPA_RULE_FMT_002, 1, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX);
    }
    sctpa_findings_settle(&f->j);
    sctpa_model_marks(f->j.model, 0, &n);
    g_assert_cmpuint(n, ==, 2);
    g_assert_cmpuint(f->judged.findings->count, ==, 3);
}

static void rare_violations_are_counted_until_they_are_reported(fixture_t *f, gconstpointer unused)
{
    (void)unused;
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_001, 0, once), ==, 1);
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_001, 0, once), ==, 2);
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_001, 1, once), ==, 1);
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_002, 0, once), ==, 1);
    sctpa_unreported_forget(&f->j, SCTPA_RULE_FMT_001, 0);
    sctpa_unreported_forget(&f->j, SCTPA_RULE_FMT_002, 1);
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_001, 0, once), ==, 1);
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_001, 1, once), ==, 2);
    g_assert_cmpuint(sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_002, 0, once), ==, 2);
}

/* The entry of a rule at an endpoint; it must be there. */
static const sctpa_unlisted_t *unlisted(const fixture_t *f, sctpa_rule_t rule, uint8_t accused)
{
    const sctpa_unlisted_t *at = f->judged.pending->unlisted;
    while (at && (at->rule != rule || at->accused != accused))
        at = at->next;
    g_assert_nonnull(at);
    return at;
}

/* Also where an occasion without a violation made those before not count. */
static void what_is_not_reported_keeps_its_first_packets(fixture_t *f, gconstpointer unused)
{
    sctpa_occurrence_t at = { .since = SCTPA_NO_PACKET_INDEX };
    (void)unused;
    for (at.completed = 3; at.completed < 23; at.completed++) {
        sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_002, 1, at);
        sctpa_unreported_forget(&f->j, SCTPA_RULE_FMT_002, 1);
    }
    sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_002, 0, at);
    sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_001, 1, at);
    const sctpa_unlisted_t *often = unlisted(f, SCTPA_RULE_FMT_002, 1);
    g_assert_cmpuint(often->count, ==, 20);
    g_assert_cmpuint(often->n_packets, ==, SCTPA_UNLISTED_PACKETS);
    g_assert_true(often->packets[0] == 3 && often->packets[SCTPA_UNLISTED_PACKETS - 1] == 2 + SCTPA_UNLISTED_PACKETS);
    g_assert_true(unlisted(f, SCTPA_RULE_FMT_001, 1)->packets[0] == 23);
    g_assert_true(unlisted(f, SCTPA_RULE_FMT_002, 0)->count == 1);
    g_assert_true(f->judged.pending->unlisted->rule == SCTPA_RULE_FMT_001); /* by rule, then by endpoint */
    g_assert_true(f->judged.pending->unlisted->next->accused == 0 && !often->next);
}

static void what_half_associations_did_not_report_is_joined(fixture_t *f, gconstpointer unused)
{
    sctpa_judged_t half = { .pending = &sctpa_nothing_pending };
    sctpa_occurrence_t at = { .since = SCTPA_NO_PACKET_INDEX, .completed = 4 };
    (void)unused;
    sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_002, 1, at);
    f->j.judged = &half;
    at.completed = 9;
    sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_002, 0, at);
    sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_001, 0, at);
    sctpa_findings_take(f->j.model, &f->judged, &half, true);
    sctpa_findings_take(f->j.model, &f->judged, &half, true);
    const sctpa_unlisted_t *both = unlisted(f, SCTPA_RULE_FMT_002, 1);
    g_assert_true(both->count == 2 && both->n_packets == 2 && both->packets[0] == 4 && both->packets[1] == 9);
    g_assert_true(unlisted(f, SCTPA_RULE_FMT_001, 1)->count == 1);
    sctpa_findings_free(f->j.model, &half);
    sctpa_findings_free(f->j.model, &f->judged);
    g_assert_cmpuint(sctpa_model_held_bytes(f->j.model), ==, 0);
}

static void accuse(fixture_t *f, sctpa_rule_t rule)
{
    report(f, rule, 1, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX);
}

static sctpa_rule_t rule_that_covers(void)
{
    unsigned rule = 0;
    while (sctpa_rule_info((sctpa_rule_t)rule)->report.covers[0] == 0)
        rule++;
    return (sctpa_rule_t)rule;
}

static void what_is_covered_is_given_back(fixture_t *f, gconstpointer unused)
{
    const sctpa_rule_t covers = rule_that_covers(),
                       covered = (sctpa_rule_t)(sctpa_rule_info(covers)->report.covers[0] - 1);
    unsigned n;
    (void)unused;
    accuse(f, covers);
    accuse(f, covered);
    sctpa_findings_settle(&f->j);
    size_t held_bytes = sctpa_model_held_bytes(f->j.model);
    accuse(f, covered);
    accuse(f, covers);
    accuse(f, covered);
    sctpa_findings_settle(&f->j);
    g_assert_cmpuint(sctpa_model_held_bytes(f->j.model), ==, held_bytes);
    g_assert_true(f->judged.findings->rule == covers && !f->judged.findings->next);
    const sctpa_unlisted_t *unlisted = f->judged.pending->unlisted;
    g_assert_true(unlisted->rule == covered && unlisted->covered_by == covers + 1 && unlisted->count == 1);
    g_assert_null(unlisted->next);
    sctpa_model_marks(f->j.model, 0, &n);
    g_assert_cmpuint(n, ==, 1);
}

/* Marks of others move to the places of those that are dead, and still lead to their findings. */
static void findings_are_given_back_with_their_marks(fixture_t *f, gconstpointer unused)
{
    sctpa_judged_t others = { .pending = &sctpa_nothing_pending }, half = { .pending = &sctpa_nothing_pending };
    (void)unused;
    for (f->j.context.index = 0; f->j.context.index < 30; f->j.context.index++) {
        f->j.judged = f->j.context.index % 3 == 0 ? &others : f->j.context.index % 3 == 1 ? &half : &f->judged;
        accuse(f, SCTPA_RULE_FMT_001);
        accuse(f, SCTPA_RULE_FMT_002);
        sctpa_findings_settle(&f->j);
    }
    sctpa_unreported_count(&f->j, SCTPA_RULE_FMT_004, 0, once);
    sctpa_findings_take(f->j.model, &f->judged, &half, false);
    g_assert_null(half.findings);
    const GArray *marks = sctpa_model_all_marks(f->j.model);
    g_assert_cmpuint(marks->len, ==, 60);
    sctpa_findings_free(f->j.model, &half);
    g_assert_cmpuint(marks->len, ==, 60);
    sctpa_findings_free(f->j.model, &f->judged);
    g_assert_cmpuint(marks->len, ==, 20);
    for (unsigned i = 0; i < marks->len; i++) {
        const sctpa_mark_t *mark = &g_array_index(marks, sctpa_mark_t, i);
        g_assert_cmpuint(mark->packet, ==, i / 2 * 3);
        g_assert_cmpuint(mark->before, ==, i < 2 ? 0 : i - 1);
        g_assert_true(mark->finding == (i % 2 ? others.findings->next : others.findings));
    }
    sctpa_findings_free(f->j.model, &others);
    g_assert_cmpuint(marks->len, ==, 0);
    g_assert_cmpuint(sctpa_model_held_bytes(f->j.model), ==, 0);
}

static sctpa_rule_t rule_that_needs_a_complete_capture(void)
{
    unsigned rule = 0;
    while (!(sctpa_rule_info((sctpa_rule_t)rule)->needs & SCTPA_NEED_COMPLETE))
        rule++;
    return (sctpa_rule_t)rule;
}

/* The packets of an endpoint up to last have identifications that show that none is missing since from. */
static void count_packets(fixture_t *f, uint8_t endpoint, uint32_t from, uint32_t last)
{
    f->judged.reference.tap.ip_ids[endpoint] = (sctpa_ip_ids_t){
        .since_packet = from + 1, .since_missing = from + 1, .counted = 20, .steps = 20, .last_packet = last
    };
}

/* Packet 10 violates the rule if none is missing since packet 5, up to which none is. */
static void violate_among_counted_packets(fixture_t *f, sctpa_rule_t rule)
{
    f->j.context.index = 10;
    count_packets(f, 0, 2, 10);
    count_packets(f, 1, 3, 9);
    report(f, rule, 0, SCTPA_NO_PATH, 5);
}

static sctpa_certainty_t certainty(const fixture_t *f)
{
    return f->judged.findings->certainty;
}

static void the_next_packets_show_that_none_is_missing(fixture_t *f, gconstpointer unused)
{
    (void)unused;
    violate_among_counted_packets(f, rule_that_needs_a_complete_capture());
    g_assert_cmpint(certainty(f), ==, SCTPA_CERTAINTY_PROBABLE);
    count_packets(f, 0, 2, 12);
    sctpa_certainty_settle(&f->j);
    g_assert_cmpint(certainty(f), ==, SCTPA_CERTAINTY_PROBABLE);
    count_packets(f, 1, 3, 13);
    sctpa_certainty_settle(&f->j);
    g_assert_cmpint(certainty(f), ==, SCTPA_CERTAINTY_PROVEN);
    g_assert_null(f->judged.pending->open);
}

static void the_next_packet_shows_that_one_is_missing(fixture_t *f, gconstpointer unused)
{
    (void)unused;
    violate_among_counted_packets(f, rule_that_needs_a_complete_capture());
    count_packets(f, 0, 12, 12);
    sctpa_certainty_settle(&f->j);
    count_packets(f, 0, 2, 14);
    count_packets(f, 1, 3, 13);
    sctpa_certainty_settle(&f->j);
    g_assert_cmpint(certainty(f), ==, SCTPA_CERTAINTY_PROBABLE);
    g_assert_null(f->judged.pending->open);
}

static void two_places_prove_what_one_does_not(fixture_t *f, gconstpointer unused)
{
    const sctpa_rule_t rule = rule_that_needs_a_complete_capture();
    (void)unused;
    f->j.context.index = 10;
    report(f, rule, 0, SCTPA_NO_PATH, 5);
    f->j.context.index = 12;
    report(f, rule, 0, SCTPA_NO_PATH, 10);
    g_assert_cmpint(certainty(f), ==, SCTPA_CERTAINTY_PROBABLE);
    f->j.context.index = 14;
    report(f, rule, 0, SCTPA_NO_PATH, 11);
    g_assert_cmpint(certainty(f), ==, SCTPA_CERTAINTY_PROVEN);
}

/* Only SCTPA_OPEN_MAX wait; a finding that goes leaves none behind. */
static void few_wait(fixture_t *f, gconstpointer unused)
{
    unsigned n = 0;
    (void)unused;
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++)
        if (sctpa_rule_info((sctpa_rule_t)rule)->needs & SCTPA_NEED_COMPLETE)
            violate_among_counted_packets(f, (sctpa_rule_t)rule);
    for (const sctpa_open_t *open = f->judged.pending->open; open; open = open->next)
        n++;
    g_assert_cmpuint(n, ==, SCTPA_OPEN_MAX);
    sctpa_findings_free(f->j.model, &f->judged);
    g_assert_cmpuint(sctpa_model_held_bytes(f->j.model), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/findings/revision", fixture_t, NULL, setup, what_a_later_revision_asks_for_is_a_note, teardown);
    g_test_add("/report/texts", fixture_t, NULL, setup, texts_are_made_for_a_new_finding_only, teardown);
    g_test_add("/report/excused", fixture_t, NULL, setup, what_was_excused_leaves_later_violations_standing, teardown);
    g_test_add("/report/marks", fixture_t, NULL, setup, a_packet_is_marked_once, teardown);
    g_test_add("/violations/unreported", fixture_t, NULL, setup, rare_violations_are_counted_until_they_are_reported,
               teardown);
    g_test_add("/violations/first_packets", fixture_t, NULL, setup, what_is_not_reported_keeps_its_first_packets,
               teardown);
    g_test_add("/violations/halves", fixture_t, NULL, setup, what_half_associations_did_not_report_is_joined, teardown);
    g_test_add("/findings/covered", fixture_t, NULL, setup, what_is_covered_is_given_back, teardown);
    g_test_add("/findings/given_back", fixture_t, NULL, setup, findings_are_given_back_with_their_marks, teardown);
    g_test_add("/certainty/none_missing", fixture_t, NULL, setup, the_next_packets_show_that_none_is_missing, teardown);
    g_test_add("/certainty/one_missing", fixture_t, NULL, setup, the_next_packet_shows_that_one_is_missing, teardown);
    g_test_add("/certainty/two_places", fixture_t, NULL, setup, two_places_prove_what_one_does_not, teardown);
    g_test_add("/certainty/few_wait", fixture_t, NULL, setup, few_wait, teardown);
    return g_test_run();
}
