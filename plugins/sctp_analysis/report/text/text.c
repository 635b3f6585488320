/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of single values. */
#include "text.h"

#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6"

static unsigned char_columns(gunichar c)
{
    if (g_unichar_iszerowidth(c))
        return 0;
    return g_unichar_iswide(c) ? 2 : 1;
}

unsigned sctpa_text_columns(const char *text)
{
    unsigned columns = 0;
    for (; *text; text = g_utf8_next_char(text))
        columns += char_columns(g_utf8_get_char(text));
    return columns;
}

static bool is_safe(gunichar c)
{
    switch (g_unichar_type(c)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_UNASSIGNED:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR: return false;
    default:
        /* Jamo vowels and fillers take no column but are letters: shown they would glue onto what is before them. */
        return !g_unichar_iszerowidth(c) || g_unichar_ismark(c);
    }
}

/* Appends the next character of text, safe; returns what follows it. */
static const char *append_char(GString *out, const char *text)
{
    gunichar c = g_utf8_get_char_validated(text, -1);
    if (c == (gunichar)-1 || c == (gunichar)-2) {
        g_string_append_printf(out, "\\x%02x", (unsigned char)*text);
        return text + 1;
    }
    if (is_safe(c))
        g_string_append_unichar(out, c);
    else if (c < 0x80)
        g_string_append_printf(out, "\\x%02x", c);
    else
        g_string_append_printf(out, "\\u{%x}", c);
    return g_utf8_next_char(text);
}

/* Characters that are marks count as a column here, so that no pile of them is unbounded. */
static unsigned cost(const char *text)
{
    unsigned columns = 0;
    for (; *text; text = g_utf8_next_char(text))
        columns += MAX(1, char_columns(g_utf8_get_char(text)));
    return columns;
}

void sctpa_text_escape(GString *out, const char *text, unsigned max_columns)
{
    gsize start = out->len, cut_at = out->len;
    unsigned used = 0;

    if (!text)
        return;
    while (*text) {
        gsize before = out->len;
        text = append_char(out, text);
        used += cost(out->str + before);
        if (used > max_columns || (used == max_columns && *text)) {
            g_string_truncate(out, MAX(cut_at, start));
            g_string_append(out, ELLIPSIS);
            return;
        }
        cut_at = out->len;
    }
}

void sctpa_text_cut(GString *text, unsigned max_columns)
{
    unsigned columns = 0;
    const char *at = text->str, *keep = text->str;

    if (sctpa_text_columns(text->str) <= max_columns)
        return;
    while (*at) {
        columns += char_columns(g_utf8_get_char(at));
        at = g_utf8_next_char(at);
        if (columns > max_columns - 1)
            break;
        keep = at;
    }
    g_string_truncate(text, (gsize)(keep - text->str));
    g_string_append(text, ELLIPSIS);
}

/* Length in bytes of what of text fits into room columns, broken at a space where there is one. */
static gsize fitting(const char *text, unsigned room)
{
    unsigned columns = 0;
    gsize at_space = 0, at_limit = 0;
    const char *at = text;

    while (*at && columns <= room) {
        const char *next = g_utf8_next_char(at);
        char letter[8] = "";
        memcpy(letter, at, (gsize)(next - at));
        columns += sctpa_text_columns(letter);
        if (columns > room)
            break;
        if (*next == ' ' || *next == '\0')
            at_space = (gsize)(next - text);
        at_limit = (gsize)(next - text);
        at = next;
    }
    return at_space ? at_space : MAX(at_limit, 1);
}

void sctpa_text_wrap(GString *out, const char *label, unsigned indent, unsigned max_columns, const char *text)
{
    unsigned columns = sctpa_text_columns(label);
    g_string_append_printf(out, "%s", *text ? label : "");
    while (*text) {
        gsize length;
        if (columns < indent)
            g_string_append_printf(out, "%*s", (int)(indent - columns), "");
        length = fitting(text, max_columns - MAX(columns, indent));
        g_string_append_len(out, text, (gssize)length);
        g_string_append_c(out, '\n');
        text += length;
        text += strspn(text, " ");
        columns = 0;
    }
}

static void append_grouped(GString *out, uint64_t count)
{
    char digits[24];
    int length = g_snprintf(digits, sizeof digits, "%" G_GUINT64_FORMAT, (guint64)count);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            g_string_append_c(out, ',');
        g_string_append_c(out, digits[i]);
    }
}

/* Three digits of count in units of 10^(3 * step), rounded half up; integers only, since a locale may change the point.
 */
static void append_scaled(GString *out, uint64_t count)
{
    uint64_t unit = 1000;
    unsigned step = 0;

    for (; step < 5 && (count / (unit / 2) + 1) / 2 > 999; step++)
        unit *= 1000;
    uint64_t hundredths = (count / (unit / 200) + 1) / 2, tenths = (count / (unit / 20) + 1) / 2;
    if (hundredths < 1000)
        g_string_append_printf(out, "%u.%02u", (unsigned)(hundredths / 100), (unsigned)(hundredths % 100));
    else if (tenths < 1000)
        g_string_append_printf(out, "%u.%u", (unsigned)(tenths / 10), (unsigned)(tenths % 10));
    else
        g_string_append_printf(out, "%u", (unsigned)((count / (unit / 2) + 1) / 2));
    g_string_append_printf(out, " %c", "kMGTPE"[step]);
}

void sctpa_text_count(GString *out, uint64_t count, unsigned max_columns)
{
    gsize start = out->len;

    append_grouped(out, count);
    if (out->len - start <= max_columns)
        return;
    g_string_truncate(out, start);
    append_scaled(out, count);
}

void sctpa_text_separate(GString *out)
{
    g_string_append(out, out->len > 0 ? "; " : "");
}

void sctpa_text_quantity(GString *out, uint64_t count, const char *noun, const char *plural)
{
    append_grouped(out, count);
    g_string_append_printf(out, " %s%s", count != 1 && plural ? plural : noun, count != 1 && !plural ? "s" : "");
}

/* Appends units / 10^9 with decimals (0 to 9), rounded half up. */
static void append_decimal(GString *out, int64_t nano, unsigned decimals)
{
    static const uint64_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000 };
    uint64_t size = nano < 0 ? 0 - (uint64_t)nano : (uint64_t)nano;
    uint64_t unit = powers[9 - decimals];
    uint64_t rounded = (size + unit / 2) / unit;

    if (nano < 0 && rounded > 0)
        g_string_append_c(out, '-');
    append_grouped(out, rounded / powers[decimals]);
    if (decimals > 0)
        g_string_append_printf(out, ".%0*" G_GUINT64_FORMAT, (int)decimals, (guint64)(rounded % powers[decimals]));
}

void sctpa_text_seconds(GString *out, int64_t ns, unsigned decimals)
{
    append_decimal(out, ns, MIN(decimals, 9));
}

void sctpa_text_ms(GString *out, int64_t ns)
{
    if (ns > INT64_MAX / 1000 || ns < -(INT64_MAX / 1000)) {
        append_decimal(out, ns / 1000, 0);
        g_string_append(out, ",000,000");
        return;
    }
    append_decimal(out, ns * 1000, 3);
}

static unsigned decimals_for(int64_t value, int64_t one)
{
    return value < 10 * one ? 3 : value < 100 * one ? 2 : value < 1000 * one ? 1 : 0;
}

void sctpa_text_duration(GString *out, int64_t ns)
{
    static const int64_t us = 1000, ms = 1000 * 1000, s = 1000 * 1000 * 1000;
    if (ns < 0) {
        append_decimal(out, ns, 6);
        g_string_append(out, " s");
    } else if (ns < ms) {
        append_decimal(out, ns * 1000000, ns % us ? decimals_for(ns, us) : 0);
        g_string_append(out, " us");
    } else if (ns < s) {
        append_decimal(out, ns * 1000, decimals_for(ns, ms));
        g_string_append(out, " ms");
    } else if (ns < 600 * s) {
        append_decimal(out, ns, decimals_for(ns, s));
        g_string_append(out, " s");
    } else {
        int64_t minutes = ns / s / 60;
        if (minutes >= 60)
            g_string_append_printf(out, "%" G_GINT64_FORMAT " h ", (gint64)(minutes / 60));
        g_string_append_printf(out, "%d min", (int)(minutes % 60));
    }
}

void sctpa_text_exact_seconds(GString *out, int64_t ns)
{
    uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    g_string_append_printf(out, "%s%" G_GUINT64_FORMAT ".%09u", ns < 0 ? "-" : "", (guint64)(size / 1000000000),
                           (unsigned)(size % 1000000000));
}

void sctpa_text_date(GString *out, int64_t ns)
{
    int64_t seconds = ns / 1000000000, rest = ns % 1000000000;
    if (rest < 0) {
        rest += 1000000000;
        seconds--;
    }
    GDateTime *date = g_date_time_new_from_unix_utc(seconds);
    if (!date) {
        append_decimal(out, ns, 6);
        g_string_append(out, " s since 1970");
        return;
    }
    g_string_append_printf(out, "%04d-%02d-%02d %02d:%02d:%02d.%06u UTC", g_date_time_get_year(date),
                           g_date_time_get_month(date), g_date_time_get_day_of_month(date), g_date_time_get_hour(date),
                           g_date_time_get_minute(date), g_date_time_get_second(date), (unsigned)(rest / 1000));
    g_date_time_unref(date);
}

void sctpa_text_share(GString *out, uint64_t part, uint64_t whole)
{
    if (whole == 0)
        g_string_append_c(out, '-');
    else
        append_decimal(out, (int64_t)((double)part / (double)whole * 100e9 + 0.5), 1);
}

void sctpa_text_retransmissions(GString *out, uint64_t retransmissions, uint64_t transmissions)
{
    sctpa_text_count(out, retransmissions, 20);
    g_string_append(out, " of ");
    sctpa_text_quantity(out, transmissions, "transmission", NULL);
    g_string_append(out, retransmissions == 1 ? " was a retransmission" : " were retransmissions");
    if (retransmissions == 0)
        return;
    g_string_append(out, " (");
    sctpa_text_share(out, retransmissions, transmissions);
    g_string_append(out, " %)");
}
