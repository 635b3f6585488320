/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what the model finds in captures, for the tests of the model, then forgets it and sees that nothing is held.
 * Input: files of packets as extract.py packs them. Usage: judge_core [--profile both|9260|4960] [--complete]
 * [--taken-at ADDRESSES] [--quiet-until-ms NUMBER] [--parameter "ADDRESS NAME=VALUE"]... FILE... judge_core --rules
 * prints "rule" and the columns of the table of rules, "needs" in words; judge_core --columns   "column", the name of a
 * table in windows, the head and the meaning of each of its columns; judge_core --schema   the schema of the JSON
 * report. Output, tab-separated: "file" NAME; "begins" ASSOC FRAME, its first packet; "finding" ASSOC ACCUSED RULE
 * LEVEL CERTAINTY COUNT FRAMES EXPECTED SEEN RESTS_ON, and "fingerprint" RULE FINGERPRINT behind each; "verdict" ASSOC
 * END VERDICT JUDGED REFUSED MISSING; "stack" ASSOC END NAME FRAME, where it is known; "judged" and "refused" ASSOC END
 * RULES; "assertion" WORD FRAME, for what was asserted and the packet of FRAME refutes. FRAMES, MISSING, RULES and
 * RESTS_ON separated by commas, "-" when there are none. */
#include <stdio.h>
#include <stdlib.h>

#include "../fuzz/forget_check.h"
#include "../replay/stored_packet.h"
#include "core_words.h"
#include "report/text/finding_words.h"
#include "report/json/section.h"
#include "report/window_table.h"

static const char *rule_id(sctpa_rule_t rule)
{
    return sctpa_rule_info(rule)->id;
}

static void print_bits(uint32_t bits, unsigned n, const char *(*word)(unsigned bit))
{
    const char *comma = "";
    for (unsigned bit = 0; bit < n; bit++)
        if (bits >> bit & 1) {
            g_print("%s%s", comma, word(bit));
            comma = ",";
        }
    g_print("%s", *comma ? "" : "-");
}

static void print_fingerprint(const sctpa_t *sctpa, uint32_t number, const sctpa_finding_t *finding)
{
    GString *fingerprint = g_string_new(NULL);
    sctpa_finding_fingerprint(sctpa_assoc(sctpa, number), finding, fingerprint);
    g_print("fingerprint\t%s\t%s\n", rule_id(finding->rule), fingerprint->str);
    g_string_free(fingerprint, TRUE);
}

static void print_findings(const sctpa_t *sctpa, uint32_t assoc)
{
    for (const sctpa_finding_t *f = sctpa_finding_first(sctpa, assoc); f; f = sctpa_finding_next(sctpa, assoc, f)) {
        g_print("finding\t%u\t%u\t%s\t%s\t%s\t%u\t", assoc, f->accused, rule_id(f->rule), sctpa_level_word(f->level),
                sctpa_certainty_word(f->certainty), f->count);
        print_frames(sctpa, f);
        char *expected = g_strescape(f->expected, NULL), *seen = g_strescape(f->seen, NULL);
        g_print("\t%s\t%s\t", expected, seen);
        print_bits(f->rests_on, SCTPA_ASSERTED_BITS, sctpa_asserted_word);
        g_print("\n");
        g_free(expected);
        g_free(seen);
        print_fingerprint(sctpa, assoc, f);
    }
}

static void print_needs(uint32_t needs)
{
    print_bits(needs, SCTPA_NEEDS, sctpa_need_word);
}

static void print_rules(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, const char *word,
                        bool (*is_one)(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_rule_t rule))
{
    const char *comma = "";
    g_print("%s\t%u\t%u\t", word, assoc, end);
    for (unsigned rule = 0; rule < SCTPA_RULES; rule++)
        if (is_one(sctpa, assoc, end, (sctpa_rule_t)rule)) {
            g_print("%s%s", comma, rule_id((sctpa_rule_t)rule));
            comma = ",";
        }
    g_print("%s\n", *comma ? "" : "-");
}

static void print_end(const sctpa_t *sctpa, uint32_t assoc, uint8_t end)
{
    sctpa_judgement_t judgement = sctpa_judgement(sctpa, assoc, end);
    sctpa_stack_t stack = sctpa_stack(sctpa, assoc, end);
    if (stack.name)
        g_print("stack\t%u\t%u\t%s\t%u\n", assoc, end, stack.name, sctpa_packet_frame(sctpa, stack.packet));
    g_print("verdict\t%u\t%u\t%s\t%u\t%u\t", assoc, end, sctpa_verdict_word(judgement.verdict), judgement.judged,
            judgement.refused);
    print_needs(judgement.missing);
    g_print("\n");
    print_rules(sctpa, assoc, end, "judged", sctpa_has_judged);
    print_rules(sctpa, assoc, end, "refused", sctpa_has_refused);
}

/* What the command line says. */
typedef struct {
    sctpa_profile_t profile;
    bool complete;
    int64_t quiet_ns;
    const char *taken_at;
    GString *parameters;
} options_t;

static void assert_facts(sctpa_t *sctpa, const options_t *options)
{
    char *error;
    sctpa_assertions_t *assertions =
        sctpa_assertions_new(options->complete, options->quiet_ns, options->taken_at, options->parameters->str, &error);
    if (!assertions)
        g_error("%s", error);
    sctpa_assert(sctpa, assertions);
}

static void print_refuted(const sctpa_t *sctpa)
{
    const sctpa_asserted_t *asserted = sctpa_asserted(sctpa);
    const uint32_t refuted[] = { asserted->complete_refuted, asserted->taken_at_refuted };
    for (unsigned bit = 0; bit < G_N_ELEMENTS(refuted); bit++)
        if (refuted[bit] != SCTPA_NO_PACKET_INDEX)
            g_print("assertion\t%s\t%u\n", sctpa_asserted_word(bit), sctpa_packet_frame(sctpa, refuted[bit]));
}

static void judge(const char *bytes, gsize length, const options_t *options)
{
    sctpa_t *sctpa = sctpa_new(NULL, 0);
    sctpa_judge(sctpa, &(sctpa_rule_choice_t){ .levels = SCTPA_ALL_LEVELS }, options->profile);
    assert_facts(sctpa, options);
    stored_feed(sctpa, bytes, length);
    sctpa_judge_end(sctpa, sctpa_summary(sctpa)->last_ns);
    for (uint32_t assoc = 0; assoc < sctpa_assoc_count(sctpa); assoc++) {
        if (sctpa_assoc(sctpa, assoc)->merged_into != SCTPA_NO_ASSOC)
            continue;
        g_print("begins\t%u\t%u\n", assoc, sctpa_assoc(sctpa, assoc)->first_frame);
        print_findings(sctpa, assoc);
        print_end(sctpa, assoc, 0);
        print_end(sctpa, assoc, 1);
    }
    print_refuted(sctpa);
    forget_all(sctpa, (uint32_t)length);
    sctpa_free(sctpa);
}

/* Returns the place of the first file. */
static int read_options(options_t *options, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && g_str_has_prefix(argv[i], "--"); i++) {
        bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "--complete") == 0)
            options->complete = true;
        else if (has_value && strcmp(argv[i], "--profile") == 0)
            options->profile = profile_of(argv[++i]);
        else if (has_value && strcmp(argv[i], "--taken-at") == 0)
            options->taken_at = argv[++i];
        else if (has_value && strcmp(argv[i], "--quiet-until-ms") == 0)
            options->quiet_ns = SCTPA_NS_PER_MS * g_ascii_strtoll(argv[++i], NULL, 10);
        else if (has_value && strcmp(argv[i], "--parameter") == 0)
            g_string_append_printf(options->parameters, "%s;", argv[++i]);
        else
            g_error("%s?", argv[i]);
    }
    return i;
}

static void print_rule(const sctpa_rule_info_t *info)
{
    g_print("rule\t%s\t%s\t%u\t%s\t", info->id, sctpa_level_word(info->level), info->since,
            sctpa_seeing_word(info->seeing));
    print_needs(info->needs);
    g_print("\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", info->accused, info->clause, info->title, info->quote, info->why,
            info->evidence, info->doubt);
}

static void print_columns(const sctpa_window_table_t *table)
{
    for (unsigned column = 0; column < table->n_columns; column++)
        printf("column\t%s\t%s\t%s\n", table->name, table->columns[column].head, table->columns[column].meaning);
}

static void print_all_columns(void)
{
    print_columns(&sctpa_window_table_assocs);
    for (const sctpa_window_table_page_t *page = sctpa_window_table_pages(); page->name; page++)
        for (unsigned n = 0; n < SCTPA_PAGE_TABLES && page->window_tables[n]; n++)
            print_columns(page->window_tables[n]);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--columns") == 0) {
        print_all_columns();
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--schema") == 0) {
        GString *schema = g_string_new(NULL);
        sctpa_json_schema(schema);
        printf("%s\n", schema->str);
        g_string_free(schema, TRUE);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--rules") == 0) {
        for (unsigned rule = 0; rule < SCTPA_RULES; rule++)
            print_rule(sctpa_rule_info((sctpa_rule_t)rule));
        return 0;
    }
    options_t options = { .profile = SCTPA_PROFILE_BOTH, .parameters = g_string_new(NULL) };
    for (int i = read_options(&options, argc, argv); i < argc; i++) {
        gchar *bytes;
        gsize length;
        GError *error = NULL;
        if (!g_file_get_contents(argv[i], &bytes, &length, &error))
            g_error("%s", error->message);
        g_print("file\t%s\n", argv[i]);
        judge(bytes, length, &options);
        g_free(bytes);
    }
    g_string_free(options.parameters, TRUE);
    return 0;
}
