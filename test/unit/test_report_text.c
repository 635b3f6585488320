/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protects the terminal and the reader: no control character or escape sequence of a capture gets through, lengths are
 * bounded, and numbers say what they stand for. */
#include "report/text/text.h"

#include <locale.h>
#include <string.h>

static void check_escape(const char *text, unsigned columns, const char *expected)
{
    GString *out = g_string_new(NULL);
    sctpa_text_escape(out, text, columns);
    g_assert_cmpstr(out->str, ==, expected);
    GString *again = g_string_new(NULL);
    sctpa_text_escape(again, out->str, columns);
    g_assert_cmpstr(again->str, ==, expected);
    g_string_free(out, TRUE);
    g_string_free(again, TRUE);
}

static void escapes_terminal_sequences(void)
{
    check_escape("\x1b[31mred\x1b]0;title\x07", 80, "\\x1b[31mred\\x1b]0;title\\x07");
    check_escape("a\r\nb\tc\x7f", 80, "a\\x0d\\x0ab\\x09c\\x7f");
    check_escape("\xc2\x9b"
                 "31m",
                 80, "\\u{9b}31m");
}

static void escapes_what_is_not_utf8(void)
{
    check_escape("ok\xff\xfe", 80, "ok\\xff\\xfe");
    check_escape("cut\xe2\x82", 80, "cut\\xe2\\x82");
    check_escape("\xc0\xaf\xed\xa0\x80", 80, "\\xc0\\xaf\\xed\\xa0\\x80");
}

static void escapes_characters_that_reorder_or_hide(void)
{
    check_escape("a\xe2\x80\xae"
                 "b",
                 80, "a\\u{202e}b");
    check_escape("a\xe2\x80\x8b"
                 "b",
                 80, "a\\u{200b}b");
    check_escape("a\xe2\x80\xa8"
                 "b",
                 80, "a\\u{2028}b");
    check_escape("\xef\xbb\xbfz", 80, "\\u{feff}z");
}

static void keeps_readable_text(void)
{
    check_escape("na\xc3\xafve \xe6\xbc\xa2\xe5\xad\x97 C:\\x", 80, "na\xc3\xafve \xe6\xbc\xa2\xe5\xad\x97 C:\\x");
}

static void cuts_at_the_limit_and_says_so(void)
{
    check_escape("abcdef", 6, "abcdef");
    check_escape("abcdefg", 6, "abcde…");
    check_escape("\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 5, "\xe6\xbc\xa2\xe5\xad\x97…");
    check_escape("ab\xff"
                 "c",
                 5, "ab…");
}

static void bounds_a_pile_of_combining_marks(void)
{
    GString *pile = g_string_new("e"), *out = g_string_new(NULL);
    for (unsigned i = 0; i < 100000; i++)
        g_string_append(pile, "\xcc\x81");
    sctpa_text_escape(out, pile->str, 20);
    g_assert_cmpuint(g_utf8_strlen(out->str, -1), <=, 20);
    g_string_free(pile, TRUE);
    g_string_free(out, TRUE);
}

static void check_count(uint64_t count, unsigned columns, const char *expected)
{
    GString *out = g_string_new(NULL);
    sctpa_text_count(out, count, columns);
    g_assert_cmpstr(out->str, ==, expected);
    g_string_free(out, TRUE);
}

static void writes_counts_readably_within_their_columns(void)
{
    check_count(0, 6, "0");
    check_count(999, 6, "999");
    check_count(1234567, 9, "1,234,567");
    check_count(12345678, 9, "12.3 M");
    check_count(999949999, 6, "1.00 G");
    check_count(9994999, 6, "9.99 M");
    check_count(9995000, 6, "10.0 M");
    check_count(99949999, 9, "99.9 M");
    check_count(99950000, 9, "100 M");
    check_count(UINT64_MAX, 26, "18,446,744,073,709,551,615");
    check_count(UINT64_MAX, 11, "18.4 E");
}

static char *duration(int64_t ns)
{
    GString *out = g_string_new(NULL);
    sctpa_text_duration(out, ns);
    return g_string_free(out, FALSE);
}

static void check_duration(int64_t ns, const char *expected)
{
    char *text = duration(ns);
    g_assert_cmpstr(text, ==, expected);
    g_free(text);
}

static void writes_durations_in_the_unit_that_fits(void)
{
    check_duration(0, "0 us");
    check_duration(7889, "7.889 us");
    check_duration(45000, "45 us");
    check_duration(1234567, "1.235 ms");
    check_duration(80263257, "80.26 ms");
    check_duration(12345678901, "12.35 s");
    check_duration(599 * G_GINT64_CONSTANT(1000000000), "599.0 s");
    check_duration(G_GINT64_CONSTANT(11520) * 1000000000, "3 h 12 min");
    check_duration(-1500000, "-0.001500 s");
    char *text = duration(INT64_MIN);
    g_assert_true(g_str_has_prefix(text, "-9,223,372,036"));
    g_free(text);
}

static void check_exact(int64_t ns, const char *expected)
{
    GString *out = g_string_new(NULL);
    sctpa_text_exact_seconds(out, ns);
    g_assert_cmpstr(out->str, ==, expected);
    g_string_free(out, TRUE);
}

static void writes_exact_seconds_without_rounding(void)
{
    check_exact(1767225603540011281, "1767225603.540011281");
    check_exact(1, "0.000000001");
    check_exact(-1, "-0.000000001");
    check_exact(INT64_MAX, "9223372036.854775807");
    check_exact(INT64_MIN, "-9223372036.854775808");
}

static void writes_the_decimal_point_of_no_locale(void)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        g_test_skip("no German locale");
        return;
    }
    check_count(12345678, 9, "12.3 M");
    check_duration(12345678901, "12.35 s");
    check_exact(1500000000, "1.500000000");
    setlocale(LC_ALL, "C");
}

static void writes_dates_in_utc(void)
{
    GString *out = g_string_new(NULL);
    sctpa_text_date(out, 1767225603540011281);
    g_assert_cmpstr(out->str, ==, "2026-01-01 00:00:03.540011 UTC");
    g_string_truncate(out, 0);
    sctpa_text_date(out, -1);
    g_assert_cmpstr(out->str, ==, "1969-12-31 23:59:59.999999 UTC");
    g_string_free(out, TRUE);
}

static void breaks_sentences_at_spaces(void)
{
    GString *out = g_string_new(NULL);
    sctpa_text_wrap(out, "a:", 4, 12, "one two three");
    g_assert_cmpstr(out->str, ==, "a:  one two\n    three\n");
    g_string_truncate(out, 0);
    sctpa_text_wrap(out, "", 2, 8, "unbreakable");
    g_assert_cmpstr(out->str, ==, "  unbrea\n  kable\n");
    g_string_truncate(out, 0);
    sctpa_text_wrap(out, "label", 8, 12, "");
    g_assert_cmpstr(out->str, ==, "");
    g_string_free(out, TRUE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/report/text/" #name, name)
    TEST(escapes_terminal_sequences);
    TEST(escapes_what_is_not_utf8);
    TEST(escapes_characters_that_reorder_or_hide);
    TEST(keeps_readable_text);
    TEST(cuts_at_the_limit_and_says_so);
    TEST(bounds_a_pile_of_combining_marks);
    TEST(writes_counts_readably_within_their_columns);
    TEST(writes_durations_in_the_unit_that_fits);
    TEST(writes_exact_seconds_without_rounding);
    TEST(writes_the_decimal_point_of_no_locale);
    TEST(writes_dates_in_utc);
    TEST(breaks_sentences_at_spaces);
    return g_test_run();
}
