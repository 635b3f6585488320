/* Series as CSV: all series of the endpoints asked for, merged by packet. */
#include "series.h"

#include "../core/sctpa.h"
#include "view.h"

enum { PIECE_BYTES = 1 << 16, SOURCES_MAX = 2 * SCTPA_SERIES_KINDS };

/* A series with its next point. */
typedef struct {
    const sctpa_series_t *series;
    const sctpa_point_t *next, *end;
    uint8_t from;
} column_t;

typedef struct {
    const sctpa_view_t *view;
    const sctpa_series_choice_t *choice;
    column_t columns[SOURCES_MAX];
    unsigned n;
    GString *out;
} csv_t;

static bool read_number(const char **text, uint64_t max, uint64_t *number)
{
    const char *at = *text;
    *number = 0;
    while (g_ascii_isdigit(*at) && *number <= max)
        *number = *number * 10 + (uint64_t)(*at++ - '0');
    bool good = at != *text && *number <= max;
    *text = at;
    return good;
}

bool sctpa_series_choice_read(const char *text, sctpa_series_choice_t *choice)
{
    uint64_t assoc, end = SCTPA_NO_END;
    if (!read_number(&text, UINT32_MAX, &assoc))
        return false;
    if (*text == ',') {
        text++;
        if (!read_number(&text, 1, &end))
            return false;
    }
    *choice = (sctpa_series_choice_t){ (uint32_t)assoc, (uint8_t)end, SCTPA_SERIES_ALL, SCTPA_SERIES_ANY_PATH, INT64_MIN, INT64_MAX };
    return *text == '\0';
}

char *sctpa_series_refusal(const sctpa_view_t *view, const sctpa_series_choice_t *choice)
{
    uint32_t count = sctpa_assoc_count(view->sctpa);
    if (count == 0)
        return g_strdup("the capture has no SCTP association");
    if (choice->assoc >= count)
        return g_strdup_printf("association %u is unknown: the capture has 0 to %u", choice->assoc, count - 1);
    return NULL;
}

/* Appends a decimal number; faster than printf, which takes most of the time of a CSV of millions of rows. */
static void put_number(GString *out, int64_t number, unsigned least_digits)
{
    char digits[24];
    unsigned at = sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0 || sizeof digits - at < least_digits);
    if (number < 0)
        digits[--at] = '-';
    g_string_append_len(out, digits + at, (gssize)(sizeof digits - at));
}

/* Seconds with nine decimals. */
static void put_seconds(GString *out, int64_t ns)
{
    put_number(out, ns, 10);
    g_string_insert_c(out, (gssize)out->len - 9, '.');
}

static void put_value(GString *out, sctpa_series_unit_t unit, int64_t value)
{
    if (unit == SCTPA_UNIT_TIME)
        put_seconds(out, value);
    else
        put_number(out, value, 1);
}

static void write_row(csv_t *csv, const column_t *column)
{
    const sctpa_point_t *point = column->next;
    sctpa_series_kind_t kind = sctpa_series_kind(column->series);
    sctpa_series_unit_t unit = sctpa_series_unit(kind);
    GString *out = csv->out;
    put_seconds(out, sctpa_view_since_start(csv->view, point->time_ns));
    g_string_append_c(out, ',');
    put_number(out, sctpa_packet_frame(csv->view->sctpa, point->packet), 1);
    g_string_append_c(out, ',');
    put_number(out, column->from, 1);
    g_string_append_c(out, ',');
    if (point->path != SCTPA_SERIES_ANY_PATH)
        put_number(out, point->path, 1);
    g_string_append_c(out, ',');
    g_string_append(out, sctpa_series_word(kind));
    g_string_append_c(out, ',');
    put_value(out, unit, point->value);
    g_string_append_c(out, ',');
    if (unit == SCTPA_UNIT_TSN_RANGE)
        put_number(out, point->value + point->extent, 1);
    g_string_append_c(out, '\n');
}

static bool is_chosen(const csv_t *csv, const sctpa_point_t *point)
{
    return csv->choice->from_ns <= point->time_ns && point->time_ns < csv->choice->to_ns;
}

static void add_end(csv_t *csv, uint32_t assoc, uint8_t end, sctpa_series_t *series[SCTPA_SERIES_KINDS])
{
    int64_t start_ns = csv->view->start_ns ? csv->view->start_ns : sctpa_summary(csv->view->sctpa)->first_ns;
    const sctpa_series_request_t request = { .kinds = csv->choice->kinds, .path = csv->choice->path };
    sctpa_series_source_t source = sctpa_series_source(csv->view->sctpa, assoc, end, start_ns);
    sctpa_series_make(&source, &request, series);
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++) {
        uint32_t n = 0;
        const sctpa_point_t *points = series[kind] ? sctpa_series_points(series[kind], &n) : NULL;
        if (n > 0)
            csv->columns[csv->n++] = (column_t){ series[kind], points, points + n, end };
    }
}

/* The column with the lowest packet, the first of them. NULL: all are at their end. */
static column_t *lowest(csv_t *csv)
{
    column_t *found = NULL;
    for (unsigned i = 0; i < csv->n; i++) {
        column_t *column = &csv->columns[i];
        if (column->next < column->end && (!found || column->next->packet < found->next->packet))
            found = column;
    }
    return found;
}

static void write_rows(csv_t *csv, void (*take)(void *user, const GString *piece), void *user)
{
    column_t *column;
    g_string_append(csv->out, "time_s,frame,endpoint,path,series,value,value2\n");
    while ((column = lowest(csv))) {
        for (uint32_t packet = column->next->packet; column->next < column->end && column->next->packet == packet; column->next++)
            if (is_chosen(csv, column->next))
                write_row(csv, column);
        if (csv->out->len >= PIECE_BYTES) {
            take(user, csv->out);
            g_string_truncate(csv->out, 0);
        }
    }
    take(user, csv->out);
}

void sctpa_series_write(const sctpa_view_t *view, const sctpa_series_choice_t *choice, void (*take)(void *user, const GString *piece),
                        void *user)
{
    csv_t csv = { .view = view, .choice = choice, .out = g_string_sized_new(PIECE_BYTES + 4096) };
    sctpa_series_t *series[2][SCTPA_SERIES_KINDS] = { { NULL } };
    uint32_t assoc = sctpa_view_resolve(view, choice->assoc);
    if (assoc != SCTPA_NO_ASSOC) {
        for (uint8_t end = 0; end < 2; end++)
            if (choice->end == SCTPA_NO_END || choice->end == end)
                add_end(&csv, assoc, end, series[end]);
        write_rows(&csv, take, user);
    }
    for (unsigned i = 0; i < SOURCES_MAX; i++)
        sctpa_series_free(series[i / SCTPA_SERIES_KINDS][i % SCTPA_SERIES_KINDS]);
    g_string_free(csv.out, TRUE);
}
