/* What an accusation makes: one finding for all repeats, whose texts are made once. */
#include <glib.h>

#include "rules/context.h"

typedef struct {
    sctpa_context_t c;
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
    f->c.model = sctpa_model_new(7, SCTPA_PROFILE_BOTH);
    f->c.judged = &f->judged;
    f->c.packet = &f->packet;
}

static void teardown(fixture_t *f, gconstpointer unused)
{
    (void)unused;
    sctpa_model_free(f->c.model);
}

static void texts_are_made_for_a_new_finding_only(fixture_t *f, gconstpointer unused)
{
    (void)unused;
    for (f->c.index = 0; f->c.index < 40; f->c.index++)
        sctpa_accuse(&f->c, SCTPA_RULE_FMT_001, 1, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, text(f), text(f));
    g_assert_cmpuint(f->texts, ==, 2);
    sctpa_accuse(&f->c, SCTPA_RULE_FMT_001, 0, 3, 7, text(f), text(f));
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
        sctpa_accuse(&f->c, SCTPA_RULE_FMT_001, 1, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, text(f), text(f));
        sctpa_accuse(&f->c, SCTPA_RULE_FMT_002, 1, SCTPA_NO_PATH, SCTPA_NO_PACKET_INDEX, text(f), text(f));
    }
    sctpa_model_marks(f->c.model, 0, &n);
    g_assert_cmpuint(n, ==, 2);
    g_assert_cmpuint(f->judged.findings->count, ==, 3);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/accuse/texts", fixture_t, NULL, setup, texts_are_made_for_a_new_finding_only, teardown);
    g_test_add("/accuse/marks", fixture_t, NULL, setup, a_packet_is_marked_once, teardown);
    return g_test_run();
}
