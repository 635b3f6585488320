/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series as CSV: all series of the endpoints asked for, merged by packet. */
#include "series_csv.h"

#include "sctpa.h"
#include "../findings_filter.h"
#include "../view.h"

#include <string.h>

/* A series with its next point. */
typedef struct {
    const sctpa_series_t *series; /* NULL: findings, whose values are rules and whose extents are levels */
    const sctpa_point_t *next, *end;
    uint8_t from;
    bool of_stream; /* a rate, of this stream */
    uint16_t stream;
} column_t;

typedef struct {
    const sctpa_view_t *view;
    const sctpa_series_choice_t *choice;
    GPtrArray *series;   /* owned */
    GArray *findings[2]; /* sctpa_point_t of what each end is accused of, owned; NULL: none */
    GArray *columns;     /* column_t */
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

static bool has_stream(const sctpa_series_choice_t *choice, uint16_t stream)
{
    for (unsigned i = 0; i < choice->n_streams; i++)
        if (choice->streams[i] == stream)
            return true;
    return false;
}

static bool add_stream(sctpa_series_choice_t *choice, uint16_t stream)
{
    if (has_stream(choice, stream))
        return true;
    if (choice->n_streams == SCTPA_STREAMS_CHOSEN_MAX)
        return false;
    choice->streams[choice->n_streams++] = stream;
    return true;
}

/* Reads ",stream=<id>" or ",stream=busiest". */
static bool read_stream(const char **text, sctpa_series_choice_t *choice)
{
    static const char key[] = ",stream=", busiest[] = "busiest";
    uint64_t stream;
    if (!g_str_has_prefix(*text, key))
        return false;
    *text += strlen(key);
    if (g_str_has_prefix(*text, busiest)) {
        *text += strlen(busiest);
        return choice->busiest = true;
    }
    return read_number(text, UINT16_MAX, &stream) && add_stream(choice, (uint16_t)stream);
}

bool sctpa_series_choice_read(const char *text, sctpa_series_choice_t *choice)
{
    uint64_t assoc, end = SCTPA_NO_END;
    if (!read_number(&text, UINT32_MAX, &assoc))
        return false;
    if (text[0] == ',' && g_ascii_isdigit(text[1])) {
        text++;
        if (!read_number(&text, 1, &end))
            return false;
    }
    *choice = (sctpa_series_choice_t){ .assoc = (uint32_t)assoc,
                                       .end = (uint8_t)end,
                                       .kinds = SCTPA_SERIES_ALL,
                                       .findings = true,
                                       .path = SCTPA_SERIES_ANY_PATH,
                                       .from_ns = INT64_MIN,
                                       .to_ns = INT64_MAX };
    while (*text != '\0')
        if (!read_stream(&text, choice))
            return false;
    return true;
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

static void put_values(GString *out, const column_t *column)
{
    const sctpa_point_t *point = column->next;
    sctpa_series_kind_t kind = sctpa_series_kind(column->series);
    sctpa_series_unit_t unit = sctpa_series_unit(kind);
    g_string_append(out, sctpa_series_word(kind));
    g_string_append_c(out, ',');
    put_value(out, unit, point->value);
    g_string_append_c(out, ',');
    if (unit == SCTPA_UNIT_TSN_RANGE)
        put_number(out, point->value + point->extent, 1);
    else if (1u << kind & SCTPA_SERIES_OF_MESSAGES)
        put_number(out, point->stream, 1);
    else if (column->of_stream)
        put_number(out, column->stream, 1);
}

static void put_finding(GString *out, const sctpa_point_t *point)
{
    g_string_append_printf(out, "finding,%s,%s", sctpa_rule_info((sctpa_rule_t)point->value)->id,
                           sctpa_level_word((sctpa_level_t)point->extent));
}

static void write_row(csv_t *csv, const column_t *column)
{
    const sctpa_point_t *point = column->next;
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
    if (column->series)
        put_values(out, column);
    else
        put_finding(out, point);
    g_string_append_c(out, '\n');
}

static bool is_chosen(const csv_t *csv, const sctpa_point_t *point)
{
    return csv->choice->from_ns <= point->time_ns && point->time_ns < csv->choice->to_ns;
}

static void add_series(csv_t *csv, const sctpa_series_source_t *source, const sctpa_series_request_t *request)
{
    sctpa_series_t *series[SCTPA_SERIES_KINDS];
    sctpa_series_make(source, request, series);
    for (unsigned kind = 0; kind < SCTPA_SERIES_KINDS; kind++) {
        uint32_t n = 0;
        const sctpa_point_t *points = series[kind] ? sctpa_series_points(series[kind], &n) : NULL;
        if (series[kind])
            g_ptr_array_add(csv->series, series[kind]);
        if (n > 0) {
            column_t column = { series[kind], points, points + n, source->end, request->of_stream, request->stream };
            g_array_append_val(csv->columns, column);
        }
    }
}

/* The streams chosen of a source: those named, then the busiest. */
static sctpa_series_choice_t streams_of(const sctpa_series_choice_t *choice, const sctpa_series_source_t *source)
{
    sctpa_series_choice_t streams = *choice;
    GArray *busy = choice->busiest ? sctpa_series_streams(source) : NULL;
    for (unsigned i = 0; busy && i < MIN(busy->len, SCTPA_STREAMS_BUSIEST); i++)
        add_stream(&streams, g_array_index(busy, sctpa_busy_stream_t, i).stream);
    if (busy)
        g_array_unref(busy);
    return streams;
}

/* The rates of each path that data went to, where there are several and all were asked for. */
static void add_paths(csv_t *csv, const sctpa_series_source_t *source)
{
    sctpa_series_request_t request = { .kinds = csv->choice->kinds & sctpa_series_of_walk(SCTPA_WALK_RATES) };
    if (csv->choice->path != SCTPA_SERIES_ANY_PATH || request.kinds == 0)
        return;
    GArray *paths = sctpa_series_paths(source);
    for (unsigned i = 0; paths->len > 1 && i < paths->len; i++) {
        request.path = g_array_index(paths, uint16_t, i);
        add_series(csv, source, &request);
    }
    g_array_unref(paths);
}

static void add_end(csv_t *csv, uint32_t assoc, uint8_t end)
{
    int64_t start_ns = csv->view->start_ns ? csv->view->start_ns : sctpa_summary(csv->view->sctpa)->first_ns;
    sctpa_series_source_t source = sctpa_series_source(csv->view->sctpa, assoc, end, start_ns);
    const sctpa_series_choice_t streams = streams_of(csv->choice, &source);
    sctpa_series_request_t request = { .kinds = csv->choice->kinds, .path = csv->choice->path };
    if (csv->choice->busiest || streams.n_streams > 0)
        request.kinds &= ~(uint32_t)SCTPA_SERIES_OF_MESSAGES;
    add_series(csv, &source, &request);
    add_paths(csv, &source);
    request.kinds = csv->choice->kinds & SCTPA_SERIES_OF_STREAMS;
    request.of_stream = true;
    for (unsigned i = 0; i < streams.n_streams; i++) {
        request.stream = streams.streams[i];
        add_series(csv, &source, &request);
    }
}

static void add_findings(csv_t *csv, uint32_t assoc, uint8_t end)
{
    GArray *points = csv->findings[end] = g_array_new(FALSE, TRUE, sizeof(sctpa_point_t));
    GArray *marks = sctpa_findings_filter_occurrences(csv->view, assoc);
    for (unsigned i = 0; i < marks->len; i++) {
        const sctpa_mark_t *mark = &g_array_index(marks, sctpa_mark_t, i);
        const sctpa_finding_t *finding = mark->finding;
        bool is_on_path = csv->choice->path == SCTPA_SERIES_ANY_PATH || finding->path == SCTPA_NO_PATH ||
                          finding->path == csv->choice->path;
        if (finding->accused != end || !is_on_path)
            continue;
        sctpa_point_t point = { .time_ns = sctpa_packet_time_ns(csv->view->sctpa, mark->packet),
                                .value = finding->rule,
                                .packet = mark->packet,
                                .extent = finding->level,
                                .path = finding->path == SCTPA_NO_PATH ? SCTPA_SERIES_ANY_PATH : finding->path };
        g_array_append_val(points, point);
    }
    g_array_unref(marks);
    if (points->len > 0) {
        const sctpa_point_t *first = &g_array_index(points, sctpa_point_t, 0);
        column_t column = { .next = first, .end = first + points->len, .from = end };
        g_array_append_val(csv->columns, column);
    }
}

/* The column with the lowest packet, the first of them. NULL: all are at their end. */
static column_t *lowest(csv_t *csv)
{
    column_t *found = NULL;
    for (unsigned i = 0; i < csv->columns->len; i++) {
        column_t *column = &g_array_index(csv->columns, column_t, i);
        if (column->next < column->end && (!found || column->next->packet < found->next->packet))
            found = column;
    }
    return found;
}

static void write_rows(csv_t *csv, sctpa_take_fn take, void *user)
{
    column_t *column;
    g_string_append(csv->out, "time_s,frame,endpoint,path,series,value,value2\n");
    while ((column = lowest(csv))) {
        for (uint32_t packet = column->next->packet; column->next < column->end && column->next->packet == packet;
             column->next++)
            if (is_chosen(csv, column->next))
                write_row(csv, column);
        if (csv->out->len >= SCTPA_PIECE_BYTES) {
            take(user, csv->out);
            g_string_truncate(csv->out, 0);
        }
    }
    take(user, csv->out);
}

static void free_series(gpointer series)
{
    sctpa_series_free(series);
}

void sctpa_series_write(const sctpa_view_t *view, const sctpa_series_choice_t *choice, sctpa_take_fn take, void *user)
{
    csv_t csv = { .view = view,
                  .choice = choice,
                  .series = g_ptr_array_new_with_free_func(free_series),
                  .columns = g_array_new(FALSE, FALSE, sizeof(column_t)),
                  .out = g_string_sized_new(SCTPA_PIECE_BYTES + 4096) };
    uint32_t assoc = sctpa_view_resolve(view, choice->assoc);
    if (assoc != SCTPA_NO_ASSOC) {
        for (uint8_t end = 0; end < 2; end++)
            if (choice->end == SCTPA_NO_END || choice->end == end) {
                add_end(&csv, assoc, end);
                if (choice->findings)
                    add_findings(&csv, assoc, end);
            }
        write_rows(&csv, take, user);
    }
    g_array_unref(csv.columns);
    g_ptr_array_unref(csv.series);
    for (unsigned end = 0; end < 2; end++)
        g_clear_pointer(&csv.findings[end], g_array_unref);
    g_string_free(csv.out, TRUE);
}
