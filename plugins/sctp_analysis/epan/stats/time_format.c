/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dates and times of day as Wireshark's packet list shows them. */
#include "time_format.h"

#include "../compat.h"

#include <epan/timestamp.h>

static int decimals;
static ts_type format;

static const char *pattern_of(ts_type type)
{
    switch (type) {
    case TS_ABSOLUTE_WITH_YMD:
    case TS_UTC_WITH_YMD: return "%Y-%m-%d %H:%M:%S";
    case TS_ABSOLUTE_WITH_YDOY:
    case TS_UTC_WITH_YDOY: return "%Y/%j %H:%M:%S";
    default: return "%H:%M:%S";
    }
}

static void append_fraction(GString *out, int64_t rest_ns)
{
    for (int digit = decimals; digit < 9; digit++)
        rest_ns /= 10;
    if (decimals > 0)
        g_string_append_printf(out, ".%0*u", decimals, (unsigned)rest_ns);
}

static void append_moment(void *user, int64_t time_ns, GString *out)
{
    int64_t seconds = time_ns / 1000000000, rest_ns = time_ns % 1000000000;
    (void)user;
    if (rest_ns < 0) {
        rest_ns += 1000000000;
        seconds--;
    }
    bool is_utc = format == TS_UTC || format == TS_UTC_WITH_YMD || format == TS_UTC_WITH_YDOY;
    GDateTime *date = is_utc ? g_date_time_new_from_unix_utc(seconds) : g_date_time_new_from_unix_local(seconds);
    if (date == NULL || format == TS_EPOCH) {
        g_string_append_printf(out, "%" G_GINT64_FORMAT, seconds);
    } else {
        char *text = g_date_time_format(date, pattern_of(format));
        g_string_append(out, text);
        g_free(text);
    }
    append_fraction(out, rest_ns);
    if (date != NULL)
        g_date_time_unref(date);
}

void (*sctpa_time_format(bool nanoseconds))(void *user, int64_t time_ns, GString *out)
{
    int digits = SCTPA_TIME_DIGITS(timestamp_get_precision());
    decimals = digits < 0 ? (nanoseconds ? 9 : 6) : MIN(digits, 9);
    format = timestamp_get_type();
    switch (format) {
    case TS_RELATIVE:
    case TS_DELTA:
    case TS_DELTA_DIS:
    case TS_NOT_SET: return NULL;
    default: return append_moment;
    }
}

uint32_t sctpa_time_format_setting(void)
{
    return (uint32_t)timestamp_get_type() << 4 | (uint32_t)(SCTPA_TIME_DIGITS(timestamp_get_precision()) + 1);
}
