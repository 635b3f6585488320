/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects the layout: columns line up, numbers stand right, no line is longer than 80 columns whatever stands in it.
 */
#include "report/text/table.h"

#include "test_report_capture.h"

#define COLUMN(title, alignment, least) \
    { \
        .head = title, .align = alignment, .least_columns = least \
    }

static const sctpa_column_t two[] = { COLUMN("name", SCTPA_LEFT, 4), COLUMN("bytes", SCTPA_RIGHT, 0) };

static char *finish(sctpa_table_t *table)
{
    GString *out = g_string_new(NULL);
    sctpa_table_write(table, out);
    sctpa_table_free(table);
    return g_string_free(out, FALSE);
}

static void check(sctpa_table_t *table, const char *expected)
{
    char *text = finish(table);
    g_assert_cmpstr(text, ==, expected);
    g_free(text);
}

static void aligns_columns_to_their_widest_cell(void)
{
    sctpa_table_t *table = sctpa_table_new(two, 2);
    sctpa_table_text(table, "a");
    sctpa_table_count(table, 1234567);
    sctpa_table_text(table, "longer");
    sctpa_table_count(table, 5);
    sctpa_table_rule(table);
    sctpa_table_text(table, "total");
    sctpa_table_count(table, 1234572);
    check(table, "name        bytes\n"
                 "-----------------\n"
                 "a       1,234,567\n"
                 "longer          5\n"
                 "-----------------\n"
                 "total   1,234,572\n");
}

static void cells_keep_what_their_text_rounds_or_scales(void)
{
    static const sctpa_column_t five[] = { COLUMN("text", SCTPA_LEFT, 0), COLUMN("count", SCTPA_RIGHT, 0),
                                           COLUMN("ms", SCTPA_RIGHT, 0), COLUMN("bit/s", SCTPA_RIGHT, 0),
                                           COLUMN("end", SCTPA_LEFT, 0) };
    sctpa_table_t *table = sctpa_table_new(five, 5);
    sctpa_table_text(table, "a\nb");
    sctpa_table_count(table, 123456789012345);
    sctpa_table_ms(table, 1234567);
    sctpa_table_rate(table, 9876543.25);
    sctpa_table_ranked(table, 3, "open");
    sctpa_table_text(table, NULL);
    sctpa_table_known_ms(table, false, 1);
    sctpa_table_skip(table, 0);

    sctpa_cell_t cell = sctpa_table_cell(table, 0, 0);
    g_assert_cmpstr(cell.text, ==, "a\\x0ab");
    g_assert_false(cell.has_value);
    cell = sctpa_table_cell(table, 0, 1);
    g_assert_cmpstr(cell.text, ==, "123 T");
    g_assert_true(cell.is_number && cell.value == 123456789012345.0);
    cell = sctpa_table_cell(table, 0, 2);
    g_assert_cmpstr(cell.text, ==, "1.235");
    g_assert_true(cell.is_number && cell.value == 1.234567);
    cell = sctpa_table_cell(table, 0, 3);
    g_assert_true(cell.is_number && cell.value == 9876543.25);
    cell = sctpa_table_cell(table, 0, 4);
    g_assert_true(!cell.is_number && cell.has_value && cell.value == 3);
    for (unsigned column = 0; column < 5; column++)
        g_assert_false(sctpa_table_cell(table, 1, column).has_value);
    g_assert_cmpstr(sctpa_table_cell(table, 1, 0).text, ==, "");
    g_assert_cmpstr(sctpa_table_cell(table, 1, 1).text, ==, "-");
    sctpa_table_free(table);
}

static void leaves_out_a_table_without_rows(void)
{
    check(sctpa_table_new(two, 2), "");
}

static void aligns_wide_characters_by_columns(void)
{
    sctpa_table_t *table = sctpa_table_new(two, 2);
    sctpa_table_text(table, "\xe6\xbc\xa2\xe5\xad\x97");
    sctpa_table_count(table, 1);
    sctpa_table_text(table, "abcdef");
    sctpa_table_count(table, 2);
    check(table, "name    bytes\n"
                 "-------------\n"
                 "\xe6\xbc\xa2\xe5\xad\x97        1\n"
                 "abcdef      2\n");
}

static void writes_no_space_at_the_end_of_a_line(void)
{
    sctpa_table_t *table = sctpa_table_new(two, 2);
    sctpa_table_text(table, "a");
    sctpa_table_skip(table, 0);
    check(table, "name  bytes\n-----------\na\n");
}

static void cuts_the_column_that_may_be_cut(void)
{
    sctpa_table_t *table = sctpa_table_new(two, 2);
    char *name = g_strnfill(150, 'n');
    sctpa_table_text(table, name);
    sctpa_table_count(table, 999999999);
    char *text = finish(table);
    assert_is_printable(text);
    g_assert_nonnull(strstr(text, "n…  999,999,999\n"));
    g_free(text);
    g_free(name);
}

static void stays_within_80_columns_with_hostile_cells(void)
{
    static const sctpa_column_t many[] = {
        COLUMN("#", SCTPA_RIGHT, 0), COLUMN("a", SCTPA_LEFT, 0), COLUMN("b", SCTPA_LEFT, 10),
        COLUMN("c", SCTPA_RIGHT, 0), COLUMN("d", SCTPA_LEFT, 0),
    };
    sctpa_table_t *table = sctpa_table_new(many, G_N_ELEMENTS(many));
    static const char *const hostile[] = {
        "\x1b[2J\x1b[H\x1b]0;owned\x07",
        "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8",
        "line\nline\r\ttab",
        "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2"
        "\xe6\xbc\xa2",
        "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81",
        "\xe2\x80\xaelrow",
    };
    for (unsigned i = 0; i < 60; i++)
        sctpa_table_text(table, hostile[i % G_N_ELEMENTS(hostile)]);
    sctpa_table_line(table, hostile[0]);
    sctpa_table_sentence(
        table, 6, "\x1b[31m a sentence \xff that is long, that is long, that is long, that is long, that is long");
    char *text = finish(table);
    assert_is_printable(text);
    g_free(text);
}

static void breaks_a_wrapped_column_under_itself(void)
{
    static const sctpa_column_t wrapped[] = { COLUMN("frame", SCTPA_RIGHT, 0), COLUMN("event", SCTPA_WRAPPED, 10) };
    sctpa_table_t *table = sctpa_table_new(wrapped, 2);
    sctpa_table_plain(table, 7);
    sctpa_table_text(table, "ICMP unreachable: administratively prohibited: to 2001:db8::1, from 2001:db8:ffff::2");
    sctpa_table_plain(table, 8);
    sctpa_table_text(table, "short");
    check(table, "frame  event\n"
                 "--------------------------------------------------------------------------------\n"
                 "    7  ICMP unreachable: administratively prohibited: to 2001:db8::1, from\n"
                 "       2001:db8:ffff::2\n"
                 "    8  short\n");
}

static void bounds_a_sentence_to_nine_lines(void)
{
    sctpa_table_t *table = sctpa_table_new(two, 2);
    char *words = g_strnfill(100000, 'w');
    sctpa_table_sentence(table, 6, words);
    char *text = finish(table);
    g_assert_cmpuint(count_lines(text), ==, 2 + 9);
    assert_is_printable(text);
    g_free(text);
    g_free(words);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/report/table/" #name, name)
    TEST(aligns_columns_to_their_widest_cell);
    TEST(cells_keep_what_their_text_rounds_or_scales);
    TEST(leaves_out_a_table_without_rows);
    TEST(aligns_wide_characters_by_columns);
    TEST(writes_no_space_at_the_end_of_a_line);
    TEST(cuts_the_column_that_may_be_cut);
    TEST(stays_within_80_columns_with_hostile_cells);
    TEST(breaks_a_wrapped_column_under_itself);
    TEST(bounds_a_sentence_to_nine_lines);
    return g_test_run();
}
